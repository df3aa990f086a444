//! How far files have been read, to be looked at from another thread.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Source;

/// How far files have been read. Clones look at the same files.
///
/// ```
/// use raglens::input::{Progress, ReadOptions, Source, read_run};
/// use raglens::notes::Notes;
/// let progress = Progress::default();
/// let options = ReadOptions { progress: Some(progress.clone()), ..ReadOptions::default() };
/// read_run(Source::from_bytes("run", b"q1 Q0 d1 1 0.5 tag\n".to_vec()), &options, &mut Notes::default())?;
/// assert_eq!(progress.files()[0].read, 19);
/// # Ok::<(), raglens::error::InputError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Progress {
    files: Arc<Mutex<Vec<Watched>>>,
}

#[derive(Debug)]
struct Watched {
    path: String,
    size: Option<u64>,
    read: Counter,
}

/// How far a file has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProgress {
    /// The path as the user wrote it.
    pub path: String,
    /// Bytes that were read so far, as they stand on disk.
    pub read: u64,
    /// Size on disk in bytes; `None` for a pipe.
    pub size: Option<u64>,
}

impl Progress {
    /// The files whose reading has begun, in the order in which it did.
    pub fn files(&self) -> Vec<FileProgress> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let now = |file: &Watched| FileProgress {
            path: file.path.clone(),
            read: file.read.0.load(Ordering::Relaxed),
            size: file.size,
        };
        files.iter().map(now).collect()
    }

    /// Watches a file that is about to be read.
    pub(super) fn begin(&self, source: &Source) {
        let watched = Watched { path: source.path().to_owned(), size: source.bytes(), read: source.counter() };
        self.files.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
    }
}

/// Counts bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Counter(Arc<AtomicU64>);

/// A stream whose bytes are counted.
pub(super) struct Counted<R> {
    inner: R,
    counter: Counter,
}

impl<R> Counted<R> {
    pub(super) fn new(inner: R, counter: Counter) -> Self {
        Self { inner, counter }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.counter.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
