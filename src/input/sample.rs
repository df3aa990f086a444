//! The start of a file, as detection sees it.

/// The place of a file among the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The first: labels.
    Labels,
    /// A later one: a run.
    Run,
}

/// The first lines of a text.
#[derive(Debug)]
pub struct Sample {
    head: Vec<u8>,
    position: Position,
}

impl Sample {
    pub(super) fn new(head: Vec<u8>, position: Position) -> Self {
        Self { head, position }
    }

    /// The place of the file among the arguments.
    pub fn position(&self) -> Position {
        self.position
    }

    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Lines that are neither blank nor comments.
    pub fn data_lines(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.head.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        lines.filter(|line| !line.starts_with(b"#") && !line.iter().all(u8::is_ascii_whitespace))
    }

    /// The first such line, escaped, for messages.
    pub fn first_line(&self) -> String {
        self.data_lines().next().map(crate::id::escaped).unwrap_or_default()
    }
}
