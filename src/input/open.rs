//! Opening a path, standard input or bytes in memory, and unpacking what is packed.

use std::fs::File;
use std::io::{Cursor, Read};

use super::lines::Lines;
use super::sample::{Position, Sample};
use crate::error::{Fault, InputError, InputErrorKind};

/// How many bytes of a file detection looks at.
const SAMPLE: usize = 64 * 1024;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// Not at all.
    Plain,
    /// gzip, with one or several members.
    Gzip,
    /// Zstandard.
    Zstd,
}

/// A text that can be read once, from the start.
pub struct Source {
    path: String,
    bytes: Option<u64>,
    container: Container,
    stream: Box<dyn Read + Send>,
}

impl Source {
    /// Opens a path; `-` is standard input.
    ///
    /// # Errors
    /// When there is no such file, it is a directory, or it cannot be read.
    pub fn open(path: &str) -> Result<Self, InputError> {
        let fault = |kind| Fault::of_file(kind).in_file(path, None);
        let unreadable = |error: std::io::Error| fault(InputErrorKind::Unreadable { reason: error.to_string() });
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(fault(InputErrorKind::Directory));
        }
        let stream = Box::new(file);
        Ok(Self { path: path.to_owned(), bytes: Some(metadata.len()), container: Container::Plain, stream })
    }

    /// A text in memory under a name for messages.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let stream = Box::new(Cursor::new(bytes));
        Self { path: name.to_owned(), bytes: None, container: Container::Plain, stream }
    }

    /// The path as the user wrote it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Size on disk in bytes; `None` for a pipe.
    pub fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// Whether the same text can be had a second time by opening the path again: true for files,
    /// false for pipes and texts in memory.
    pub fn can_be_reopened(&self) -> bool {
        self.bytes.is_some()
    }

    /// How the file is packed.
    pub fn container(&self) -> Container {
        self.container
    }

    /// Looks at the start of the text without taking it away.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn sample(&mut self, position: Position) -> Result<Sample, Fault> {
        let mut head = Vec::new();
        let stream = std::mem::replace(&mut self.stream, Box::new(std::io::empty()));
        let mut limited = stream.take(SAMPLE as u64);
        limited.read_to_end(&mut head).map_err(|error| unreadable(&error))?;
        let rest = limited.into_inner();
        self.stream = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(Sample::new(head, position))
    }

    /// The text line by line.
    pub fn lines(&mut self) -> Lines<'_> {
        Lines::new(&mut self.stream)
    }

    /// The whole text at once.
    ///
    /// # Errors
    /// When it cannot be read or is not UTF-8.
    pub fn text(&mut self) -> Result<String, Fault> {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        String::from_utf8(bytes).map_err(|_| Fault::of_file(InputErrorKind::NotUtf8))
    }
}

/// The fault of a stream that stopped in the middle.
pub(super) fn unreadable(error: &std::io::Error) -> Fault {
    Fault::of_file(InputErrorKind::Unreadable { reason: error.to_string() })
}
