//! One entry of a long object, or one value of a long list, as it is handed out.

use std::ops::Range;

use serde_json::value::RawValue;

use super::pieces::Found;
use super::split::behind;
use super::{Document, Node};
use crate::error::Fault;

/// What takes the entries.
pub(super) trait TakePiece {
    /// Takes a value that was not looked at yet, if it is plain; `None` for any other.
    fn plain(&mut self, _value: &str, _line: u64) -> Option<Result<(), Fault>> {
        None
    }

    /// Takes an entry that was not looked at yet, if it is plain, and says where it ends; `None` for
    /// any other.
    fn plain_entry(&mut self, _entry: &Entry<'_>) -> Option<(usize, Result<(), Fault>)> {
        None
    }

    /// Takes an entry: its key, if it is one of an object, and its value.
    ///
    /// # Errors
    /// When it is faulty.
    fn piece(&mut self, key: Option<Node<'_>>, value: Node<'_>) -> Result<(), Fault>;

    /// Takes the fault of an entry.
    ///
    /// # Errors
    /// The fault itself, unless faults are skipped.
    fn skip(&mut self, fault: Fault) -> Result<(), Fault>;
}

/// An entry whose end is not known.
pub(super) struct Entry<'d> {
    pub(super) document: &'d Document<'d>,
    /// Its key, in quotes, if it is one of an object.
    pub(super) key: Option<Range<usize>>,
    /// Where its value starts, and the line of that.
    pub(super) value: usize,
    pub(super) line: u64,
    /// Where it must end to be whole.
    pub(super) limit: usize,
}

impl Entry<'_> {
    /// Hands out the entry and says where it ends, or what stands there if it is none.
    ///
    /// # Errors
    /// What `take` gives back.
    pub(super) fn hand_out(&self, take: &mut dyn TakePiece) -> Result<Result<usize, Found>, Fault> {
        let text = self.document.text();
        let node = |part: Range<usize>| Node { document: self.document, raw: &text[part] };
        let (end, taken) = match take.plain_entry(self) {
            Some((end, taken)) => (end, Some(taken)),
            None => match self.end() {
                end if end > self.limit => return Ok(Err(Found::Incomplete)),
                end if end == self.value => return Ok(Err(Found::Odd)),
                end => (end, take.plain(&text[self.value..end], self.line)),
            },
        };
        let (key, value) = (self.key.clone(), self.value..end);
        let is_json = |part: Range<usize>| serde_json::from_str::<&RawValue>(&text[part]).is_ok();
        let taken = match taken {
            Some(taken) => taken.map_err(|fault| node(value).locate(fault)),
            None if key.clone().is_none_or(is_json) && is_json(value.clone()) => take.piece(key.map(node), node(value)),
            None => return Ok(Err(Found::Odd)),
        };
        taken.or_else(|fault| take.skip(fault)).map(|()| Ok(end))
    }

    fn end(&self) -> usize {
        let bytes = self.document.text().as_bytes();
        if self.value < bytes.len() { behind(bytes, self.value) } else { self.value }
    }
}
