//! Which ids a layout can give back as they were.

use crate::error::{Fault, InputErrorKind};
use crate::id::shown;
use crate::input::is_blank;

/// What an id may consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdRule {
    /// Between white space: any bytes without some of their own.
    Word,
    /// Between tabs, without quoting: any bytes in one line.
    Field,
    /// Between tabs, where some readers know quotes: as a field, without a quote in front.
    Unquoted,
    /// In quotes where that is needed: text.
    Quoted,
    /// In a JSON string: text.
    Text,
}

impl IdRule {
    /// Checks an id that stands at a line.
    ///
    /// # Errors
    /// When another id would be read, or none.
    pub(super) fn check(
        self,
        field: &'static str,
        id: &[u8],
        line: Option<u64>,
        format: &'static str,
    ) -> Result<(), Fault> {
        let Some((what, help)) = self.obstacle(field, id) else { return Ok(()) };
        let sentence = format!("{field} `{}` {what}, so `{format}` cannot hold it", shown(id));
        let kind = InputErrorKind::Refused { format: None, sentence, help: help.to_owned() };
        Err(line.map_or_else(|| Fault::of_file(kind.clone()), |line| Fault::at_line(line, kind.clone())))
    }

    /// What is in the way, and how to go on.
    fn obstacle(self, field: &str, id: &[u8]) -> Option<(&'static str, &'static str)> {
        const JSON: &str = "`jsonl` holds every id that is UTF-8";
        const RAW: &str = "`trec` and `tsv` hold bytes of any kind";
        let is_line = || !id.iter().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r'));
        let is_text = || std::str::from_utf8(id).is_ok();
        match self {
            Self::Word if id.iter().any(|&byte| is_blank(byte)) => Some(("holds a blank", JSON)),
            Self::Word if field == "query id" && id.starts_with(b"#") => Some(("begins like a comment", JSON)),
            Self::Quoted | Self::Text if !is_text() => Some(("is not UTF-8", RAW)),
            Self::Field | Self::Unquoted if !is_line() => Some(("holds a tab or a line end", JSON)),
            Self::Unquoted if id.starts_with(b"\"") => Some(("begins with a quote", JSON)),
            Self::Text => None,
            _ if id.first().is_some_and(|&byte| is_blank(byte)) || id.last().is_some_and(|&byte| is_blank(byte)) => {
                Some(("begins or ends with a blank", JSON))
            }
            _ if id.contains(&0) => Some(("holds a zero byte", JSON)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(rule: IdRule, id: &[u8]) -> bool {
        rule.check("query id", id, Some(1), "x").is_ok()
    }

    #[test]
    fn each_layout_holds_what_its_readers_give_back() {
        use IdRule::{Field, Quoted, Text, Unquoted, Word};
        let holding = |id: &[u8]| [Word, Field, Unquoted, Quoted, Text].map(|rule| holds(rule, id));
        assert_eq!(holding("d#1 é".as_bytes()), [false, true, true, true, true]);
        assert_eq!(holding(b"a,\"b\""), [true; 5]);
        assert_eq!(holding(b"\"A\"_Team"), [true, true, false, true, true]);
        assert_eq!(holding(b"a\nb"), [false, false, false, true, true]);
        assert_eq!(holding(b" a"), [false, false, false, false, true]);
        assert_eq!(holding(b"#a"), [false, true, true, true, true]);
        assert_eq!(holding(b"a\xff"), [true, true, true, false, false]);
        assert_eq!(holding(b"a\0"), [false, false, false, false, true]);
    }

    #[test]
    fn the_fault_says_what_is_in_the_way_and_where() {
        let fault = IdRule::Word.check("document id", b"a b", Some(7), "trec").unwrap_err();
        assert_eq!(fault.line, Some(7));
        assert_eq!(fault.kind.to_string(), "document id `a b` holds a blank, so `trec` cannot hold it");
    }
}
