//! Words of a command that a person can copy into a shell.

/// A path as a word of a command: quoted where a shell would read it otherwise, and never an
/// option.
pub fn quoted(path: &str) -> String {
    let path = if path.starts_with('-') && path != "-" { format!("./{path}") } else { path.to_owned() };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    match !path.is_empty() && path.chars().all(is_plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// The command that was called, for a message that says how to call it.
pub fn invoked() -> &'static str {
    let words = std::env::args_os().skip(1);
    let mut named = words.filter_map(|word| super::COMMANDS.iter().find(|command| word == command.name));
    named.next().map_or("eval", |command| command.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(
            ["runs/bm25.trec", "-", "-x", "a b", "it's", ""].map(quoted),
            ["runs/bm25.trec", "-", "./-x", "'a b'", r"'it'\''s'", "''"]
        );
    }
}
