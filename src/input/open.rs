//! Opening a path, standard input or bytes in memory as a text that is read once, from the start.

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};

use super::container::{self, Broken, Carried, Container, Stream};
use super::lines::{self, Lines};
use super::opening::Opening;
use super::progress::{Counted, Counter};
use super::sample::{Head, Position, Sample};
use super::utf16::Utf16;
use crate::error::{Fault, InputError, InputErrorKind};

/// How many bytes of a text detection looks at.
const SAMPLE: usize = 64 * 1024;
/// How many it looks at when less does not hold the first rows.
const MOST: usize = 256 * SAMPLE;

/// The byte-order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A text that can be read once, from the start: unpacked, as UTF-8, without a byte-order mark.
pub struct Source {
    path: String,
    bytes: Option<u64>,
    container: Container,
    converted: bool,
    /// A first block without a row, as it stands in the file.
    first: Cursor<Vec<u8>>,
    /// The lines without a row behind it.
    opening: Opening,
    /// What detection has looked at.
    head: Cursor<Head>,
    stream: Stream,
    counter: Counter,
    block_size: usize,
}

impl Source {
    /// Opens a path; `-` is standard input. Nothing is sought or read twice, so pipes will do.
    ///
    /// # Errors
    /// When there is no such file, it is a directory, it cannot be read, or it is packed in a way
    /// that is not read.
    pub fn open(path: &str) -> Result<Self, InputError> {
        let opened = match path {
            "-" => Self::unpack(path, None, io::stdin()),
            _ => open_file(path).and_then(|(file, bytes)| Self::unpack(path, bytes, file)),
        };
        opened.map_err(|fault| fault.in_file(path, None))
    }

    /// A stream under a name for messages, unpacked as a file would be.
    ///
    /// # Errors
    /// When it cannot be read, or is packed in a way that is not read.
    pub fn from_reader(name: &str, stream: impl Read + Send + 'static) -> Result<Self, InputError> {
        Self::unpack(name, None, stream).map_err(|fault| fault.in_file(name, None))
    }

    /// Bytes in memory under a name for messages, unpacked as a file would be. What is wrong with
    /// them comes up when they are read.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self::unpack(name, None, Cursor::new(bytes))
            .unwrap_or_else(|fault| Self::new(name, None, Container::Plain, false, Box::new(Broken(fault))))
    }

    fn new(path: &str, bytes: Option<u64>, container: Container, converted: bool, stream: Stream) -> Self {
        let (path, block_size) = (path.to_owned(), lines::BLOCK);
        let (first, opening, head, counter) = Default::default();
        Self { path, bytes, container, converted, first, opening, head, stream, counter, block_size }
    }

    fn unpack(path: &str, bytes: Option<u64>, stream: impl Read + Send + 'static) -> Result<Self, Fault> {
        let counter = Counter::default();
        let counted = Box::new(Counted::new(stream, counter.clone()));
        let (container, stream) = container::unpack(counted, path)?;
        let (converted, stream) = as_utf8(stream)?;
        Ok(Self { counter, ..Self::new(path, bytes, container, converted, stream) })
    }

    /// Counts the bytes that are read, as they stand on disk.
    pub(super) fn counter(&self) -> Counter {
        self.counter.clone()
    }

    /// The same text, read in blocks of about so many bytes. The results are the same for all
    /// sizes; small ones make many blocks of a small file, which is for tests.
    #[must_use]
    pub fn in_blocks_of(self, bytes: usize) -> Self {
        Self { block_size: bytes.max(1), ..self }
    }

    pub(crate) fn block_size(&self) -> usize {
        self.block_size
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

    /// Whether the text was UTF-16 and is converted.
    pub fn converted(&self) -> bool {
        self.converted
    }

    /// Looks at the start of the text without taking it away: at as much as holds the first rows,
    /// within reason, and at none of a long opening without a row.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn sample(&mut self, position: Position) -> Result<Sample, Fault> {
        let mut head = std::mem::take(&mut self.head).into_inner().into_bytes();
        self.fill(&mut head, SAMPLE)?;
        self.pass_over_opening(&mut head)?;
        let mut wanted = SAMPLE.max(head.len());
        loop {
            self.fill(&mut head, wanted)?;
            let whole = head.len() < wanted;
            let shared = Head::new(head);
            let sample = Sample::new(shared.clone(), whole, position);
            if whole || wanted >= MOST || sample.holds_first_rows() {
                self.head = Cursor::new(shared);
                return Ok(sample);
            }
            drop(sample);
            head = shared.into_bytes();
            wanted *= 2;
        }
    }

    fn fill(&mut self, head: &mut Vec<u8>, wanted: usize) -> Result<(), Fault> {
        let missing = wanted.saturating_sub(head.len());
        head.reserve(missing);
        let read = self.stream.by_ref().take(missing as u64).read_to_end(head);
        read.map(|_| ()).map_err(|error| unreadable(&error))
    }

    /// Leaves only what stands from the first row on, if it does not stand in the first block.
    fn pass_over_opening(&mut self, head: &mut Vec<u8>) -> Result<(), Fault> {
        if head.len() < SAMPLE || Opening::default().pass_over(head) < head.len() {
            return Ok(());
        }
        // The part of a line that the block ends in is counted with the rest of it.
        let lines = memchr::memrchr(b'\n', head).map_or(0, |end| end + 1);
        self.first.get_mut().extend(head.drain(..lines));
        loop {
            let passed = self.opening.pass_over(head);
            head.drain(..passed);
            if !head.is_empty() {
                return Ok(());
            }
            self.fill(head, SAMPLE)?;
            if head.is_empty() {
                return Ok(());
            }
        }
    }

    /// The text line by line.
    pub fn lines(&mut self) -> Lines<'_> {
        Lines::new(self)
    }

    /// The first bytes of the text, at most so many, taken away from it.
    pub(super) fn take_first(&mut self, count: usize) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        self.take(count as u64).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        Ok(bytes)
    }

    /// The whole text at once.
    ///
    /// # Errors
    /// When it cannot be read or is not UTF-8.
    pub fn text(&mut self) -> Result<String, Fault> {
        self.text_behind(Vec::new())
    }

    /// The same behind bytes that were taken from the text before.
    pub(super) fn text_behind(&mut self, mut bytes: Vec<u8>) -> Result<String, Fault> {
        self.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + memchr::memchr_iter(b'\n', valid).count() as u64;
            Fault::at_line(line, InputErrorKind::NotUtf8)
        })
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let parts: [&mut dyn Read; 4] = [&mut self.first, &mut self.opening, &mut self.head, &mut self.stream];
        for part in parts {
            match part.read(buffer)? {
                0 => {}
                count => return Ok(count),
            }
        }
        Ok(0)
    }
}

/// Opens a file, with its size where it has one on disk.
fn open_file(path: &str) -> Result<(File, Option<u64>), Fault> {
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    let metadata = file.metadata().map_err(|error| unreadable(&error))?;
    if metadata.is_dir() {
        return Err(Fault::of_file(InputErrorKind::Directory));
    }
    Ok((file, metadata.is_file().then_some(metadata.len())))
}

/// Converts UTF-16, and drops byte-order marks.
fn as_utf8(stream: Stream) -> Result<(bool, Stream), Fault> {
    let (head, stream) = container::peek(stream)?;
    let (converted, stream): (_, Stream) = match head[..] {
        [0xFF, 0xFE, ..] => (true, Box::new(Utf16::new(behind(stream, 2)?, false))),
        [0xFE, 0xFF, ..] => (true, Box::new(Utf16::new(behind(stream, 2)?, true))),
        _ => (false, Box::new(stream)),
    };
    let (head, stream) = container::peek(stream)?;
    let marks = head.chunks(MARK.len()).take_while(|bytes| *bytes == MARK).count();
    Ok((converted, Box::new(behind(stream, marks * MARK.len())?)))
}

fn behind<R: Read>(mut stream: R, count: usize) -> Result<R, Fault> {
    io::copy(&mut stream.by_ref().take(count as u64), &mut io::sink()).map_err(|error| unreadable(&error))?;
    Ok(stream)
}

/// The fault of a stream that cannot be opened, or that stopped in the middle.
pub(super) fn unreadable(error: &io::Error) -> Fault {
    let carried = error.get_ref().and_then(|inner| inner.downcast_ref::<Carried>());
    match carried {
        Some(Carried(fault)) => fault.clone(),
        None => Fault::of_file(InputErrorKind::Unreadable { reason: reason(error) }),
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => crate::id::escaped(error.to_string().as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Result<(bool, String), InputError> {
        let mut source = Source::from_reader("labels", Cursor::new(bytes.to_vec()))?;
        let sample = source.sample(Position::Labels).unwrap();
        assert!(!sample.head().starts_with(b"\xEF\xBB\xBF"));
        let text = source.text().map_err(|fault| fault.in_file("labels", None))?;
        Ok((source.converted(), text))
    }

    #[test]
    fn byte_order_marks_are_dropped() {
        assert_eq!(text(b"\xEF\xBB\xBFq1 0 a 1\n").unwrap(), (false, "q1 0 a 1\n".to_owned()));
        assert_eq!(text(b"\xFF\xFEq\x001\x00").unwrap(), (true, "q1".to_owned()));
        assert_eq!(text(b"\xFE\xFF\x00q\x001").unwrap(), (true, "q1".to_owned()));
        assert_eq!(text(b"\xEF\xBB\xBF\xEF\xBB\xBFq1").unwrap(), (false, "q1".to_owned()));
        assert_eq!(text(b"\xFF\xFE\xFF\xFEq\x001\x00").unwrap(), (true, "q1".to_owned()));
        assert_eq!(text(b"").unwrap(), (false, String::new()));
    }

    #[test]
    fn looking_twice_takes_nothing_away() {
        let long = b"q1 0 document 1\n".repeat(10_000);
        let mut source = Source::from_reader("labels", Cursor::new(long.clone())).unwrap();
        for _ in 0..2 {
            assert!(!source.sample(Position::Labels).unwrap().whole());
        }
        assert_eq!(source.text().unwrap().as_bytes(), long);
    }

    #[test]
    fn text_that_is_not_utf8_is_found_with_its_line() {
        let mut source = Source::from_bytes("labels", b"{}\n\xFF".to_vec());
        assert_eq!(source.text().unwrap_err().line, Some(2));
    }

    #[test]
    fn bytes_that_cannot_be_unpacked_say_so_when_they_are_read() {
        let mut source = Source::from_bytes("labels", b"PAR1".to_vec());
        let fault = source.sample(Position::Labels).unwrap_err();
        assert!(matches!(*fault.kind, InputErrorKind::Container { container: "a Parquet file", .. }));
    }

    #[test]
    fn paths_that_are_no_files_say_so() {
        let missing = Source::open("no/such/file").err().unwrap();
        assert_eq!(missing.to_string(), "no/such/file: cannot be read: there is no such file");
        let folder = Source::open(env!("CARGO_MANIFEST_DIR")).err().unwrap();
        assert_eq!(folder.kind(), &InputErrorKind::Directory);
    }
}
