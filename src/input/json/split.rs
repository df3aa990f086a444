//! The parts of a list or an object whose text is known to be JSON.
//!
//! A [`Node`](super::Node) only ever holds text that was parsed before, so nothing is checked here
//! and nothing can be wrong. Nesting costs no stack.

/// The values of a list, or the keys and values of an object in turn, as they are written.
pub(super) struct Parts<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parts<'a> {
    /// The parts of a text that begins with `[` or `{`.
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 1 }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at)?, b',' | b':' | b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
        let start = self.at;
        self.at = behind(bytes, start);
        // Only the bracket at the end is no part.
        (self.at > start).then(|| &self.text[start..self.at])
    }
}

/// Where the next byte stands that is no blank.
pub(super) fn pass_blanks(text: &[u8], start: usize) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    start + text[start..].iter().take_while(is_blank).count()
}

/// Where the value ends that starts at a byte; at the end of the text if it does not.
pub(super) fn behind(bytes: &[u8], start: usize) -> usize {
    match bytes[start] {
        b'"' => behind_text(bytes, start),
        b'{' | b'[' => behind_nested(bytes, start),
        _ => behind_word(bytes, start),
    }
}

fn behind_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn behind_nested(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut open) = (start, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = behind_text(bytes, at);
                continue;
            }
            b'{' | b'[' => open += 1,
            b'}' | b']' if open == 1 => return at + 1,
            b'}' | b']' => open -= 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn behind_word(bytes: &[u8], start: usize) -> usize {
    let is_end = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
    bytes[start..].iter().position(is_end).map_or(bytes.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        Parts::of(text).collect()
    }

    #[test]
    fn parts_are_as_they_are_written() {
        assert_eq!(
            parts(r#"[1 , "a,]\"" ,{"b":[2,"}"]},null,[]]"#),
            ["1", r#""a,]\"""#, r#"{"b":[2,"}"]}"#, "null", "[]"]
        );
        assert_eq!(parts("{ \"k\\\\\" :\n1.50, \"k\":true }"), [r#""k\\""#, "1.50", "\"k\"", "true"]);
        assert_eq!(parts("[]"), [""; 0]);
        assert_eq!(parts("{ }"), [""; 0]);
    }
}
