//! Words of a command that a person can copy into a shell.

/// A path as a word of a command: quoted where a shell would read it otherwise, and never an
/// option.
pub fn quoted(path: &str) -> String {
    word(&if path.starts_with('-') && path != "-" { format!("./{path}") } else { path.to_owned() })
}

/// The environment variable that names the labels.
pub const LABELS: &str = "RAGLENS_QRELS";

/// A word as a shell takes it.
pub fn word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=@+%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The command that was typed, as a shell takes it.
pub fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|argument| word(&argument.to_string_lossy()));
    std::iter::once("raglens".to_owned()).chain(words).collect::<Vec<String>>().join(" ")
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
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(word("recall@5,ndcg@10"), "recall@5,ndcg@10");
        assert_eq!(word("my run.trec"), "'my run.trec'");
        assert_eq!(word("delta(x)>=0"), "'delta(x)>=0'");
    }

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(
            ["runs/bm25.trec", "-", "-x", "a b", "it's", ""].map(quoted),
            ["runs/bm25.trec", "-", "./-x", "'a b'", r"'it'\''s'", "''"]
        );
    }
}
