//! Exit statuses, the same in every command.

use std::process::ExitCode;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and every gate held.
    Success,
    /// Wrong usage, input that cannot be read or is malformed, or files with nothing in common.
    Error,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        // 1 is kept for a gate that fails and 3 for one that cannot be decided, so that a script
        // can tell "worse" from "broken" and from "too few labels".
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Error => Self::from(2),
        }
    }
}
