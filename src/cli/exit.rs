//! Exit statuses, the same in every command but one that stands in for another program.

use std::process::ExitCode;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exit {
    /// Done, and every gate held.
    #[default]
    Success,
    /// A gate failed.
    Failed,
    /// There is not enough evidence to decide a gate.
    Undecided,
    /// Wrong usage, input that cannot be read or is malformed, or files with nothing in common.
    Error,
    /// A status that another program gives for the same.
    Own(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        // A script can tell "worse" from "broken" and from "too few labels".
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Failed => Self::from(1),
            Exit::Undecided => Self::from(3),
            Exit::Error => Self::from(2),
            Exit::Own(status) => Self::from(status),
        }
    }
}
