//! A page: headings, tables and sentences, made once and shown as text or as Markdown.

use unicode_width::UnicodeWidthStr;

use super::grid::{Grid, escape_markdown};
use super::paragraph::wrap;
use super::style::{QUIET, STRONG, paint};

/// A part of a page.
#[derive(Debug, Clone)]
pub enum Block {
    /// What the page is about, and its size in words.
    Title {
        /// The name.
        name: String,
        /// What belongs to it.
        facts: String,
    },
    /// How it was measured.
    Conventions(String),
    /// The heading of a table.
    Heading(String),
    /// A table.
    Table(Grid),
    /// Sentences, each behind a word of its own: `error E012   …`.
    Listing(Vec<(String, String)>),
    /// Short remarks under a table, each in a line of its own.
    Footnotes(Vec<String>),
    /// Sentences under one word: `limits: …`
    Remarks {
        /// The word.
        word: &'static str,
        /// The sentences.
        sentences: Vec<String>,
    },
    /// A blank line before the next title.
    Gap,
    /// The answer.
    Answer(String),
}

/// The page as text of at most 80 columns.
pub fn to_text(blocks: &[Block]) -> String {
    let parts = blocks.iter().map(|block| match block {
        Block::Title { name, facts } => title(name, facts),
        Block::Conventions(text) => painted_lines(&wrap(text, "", "")) + "\n",
        Block::Heading(heading) => {
            let lines = wrap(heading, "", "  ");
            let lines: Vec<String> = lines.lines().map(|line| paint(STRONG, line)).collect();
            format!("\n{}\n", lines.join("\n"))
        }
        Block::Table(grid) => format!("\n{}", grid.to_text()),
        Block::Listing(entries) => format!("\n{}", listing(entries)),
        Block::Footnotes(notes) => {
            let lines = notes.iter().map(|note| painted_lines(&wrap(note, "", "  ")) + "\n");
            format!("\n{}", lines.collect::<String>())
        }
        Block::Remarks { word, sentences } => {
            format!("\n{}\n", wrap(&sentences.join(" "), &format!("{word}: "), "  "))
        }
        Block::Gap => "\n".to_owned(),
        Block::Answer(sentence) => format!("\n{}\n", wrap(sentence, "", "")),
    });
    parts.collect()
}

/// The page in Markdown.
pub fn to_markdown(blocks: &[Block]) -> String {
    let parts = blocks.iter().map(|block| match block {
        Block::Title { name, facts } => format!("### {}\n\n{}\n", escape_markdown(name), escape_markdown(facts)),
        Block::Conventions(text) | Block::Answer(text) => escape_markdown(text) + "\n",
        Block::Gap => String::new(),
        Block::Heading(heading) => format!("#### {}\n", escape_markdown(heading)),
        Block::Table(grid) => grid.to_markdown(),
        Block::Footnotes(notes) => notes.iter().map(|note| format!("- {}\n", escape_markdown(note))).collect(),
        Block::Listing(entries) => {
            let line = |(word, text): &(String, String)| {
                format!("- **{}** {}\n", escape_markdown(word), escape_markdown(text))
            };
            entries.iter().map(line).collect()
        }
        Block::Remarks { word, sentences } => format!("**{word}:** {}\n", escape_markdown(&sentences.join(" "))),
    });
    parts.collect::<Vec<String>>().join("\n")
}

/// The words in a column, the sentences beside them.
fn listing(entries: &[(String, String)]) -> String {
    let width = entries.iter().map(|(word, _)| word.width()).max().unwrap_or(0) + 2;
    let line = |(word, text): &(String, String)| {
        let first = format!("{word}{}", " ".repeat(width - word.width()));
        let plain = wrap(text, &first, &" ".repeat(width));
        format!("{}{}\n", paint(STRONG, word), &plain[word.len()..])
    };
    entries.iter().map(line).collect()
}

fn title(name: &str, facts: &str) -> String {
    let indent = " ".repeat(2);
    let plain = wrap(facts, &format!("{name}   "), &indent);
    format!("{}{}\n", paint(STRONG, name), &plain[name.len()..])
}

fn painted_lines(text: &str) -> String {
    text.lines().map(|line| paint(QUIET, line)).collect::<Vec<String>>().join("\n")
}
