//! A line on standard error that says what long work is at: on a terminal only, after a second,
//! and gone when the work is done.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use raglens::input::{FileProgress, Progress};

use crate::render::notes::progress;

/// Work that is done sooner shows no line.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is written anew.
const BEAT: Duration = Duration::from_millis(200);
/// To the start of the line, and clear it.
const CLEAR: &str = "\r\x1b[K";

static PROGRESS: OnceLock<Progress> = OnceLock::new();

/// How far the files of this process have been read.
pub fn shared() -> Progress {
    PROGRESS.get_or_init(Progress::default).clone()
}

/// The line, for as long as this value lives.
pub struct Line(Option<(Sender<()>, JoinHandle<()>)>);

impl Line {
    /// Shows a line when the work takes long, if standard error is a terminal.
    pub fn start(is_quiet: bool) -> Self {
        if is_quiet || !io::stderr().is_terminal() {
            return Self(None);
        }
        let (end, ended) = mpsc::channel::<()>();
        let show = move || {
            let mut wait = PATIENCE;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                // A terminal that went away takes nothing from the result.
                let _ = write!(io::stderr(), "{CLEAR}{}", progress(&unfinished()));
                wait = BEAT;
            }
            if wait == BEAT {
                let _ = write!(io::stderr(), "{CLEAR}");
            }
        };
        Self(Some((end, std::thread::spawn(show))))
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // The line is only a comfort.
            let _ = thread.join();
        }
    }
}

/// The files that are being read.
fn unfinished() -> Vec<FileProgress> {
    let is_open = |file: &FileProgress| file.size.is_none_or(|size| file.read < size);
    shared().files().into_iter().filter(is_open).collect()
}
