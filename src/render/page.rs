//! A page: headings, tables and sentences, made once and shown as text or as Markdown.

use super::grid::Grid;
use super::markdown;
use super::paragraph::wrap;
use super::style::{QUIET, STRONG, paint};
use unicode_width::UnicodeWidthStr;

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
    /// The heading of a part of a long page.
    Section(String),
    /// The heading of a table.
    Heading(String),
    /// Words, each with what belongs to it.
    Entries(Vec<(String, String)>),
    /// A table.
    Table(Grid),
    /// Words that belong to a heading.
    Indented(String),
    /// Sentences or equations, each in a line of its own.
    Lines(Vec<String>),
    /// Short remarks under a table, each in a line of its own.
    Footnotes(Vec<String>),
    /// Sentences under one word: `limits: …`
    Remarks {
        /// The word.
        word: &'static str,
        /// The sentences.
        sentences: Vec<String>,
    },
    /// The answer.
    Answer(String),
}

/// The page as text of at most 80 columns.
pub fn to_text(blocks: &[Block]) -> String {
    let mut text = String::new();
    for (index, block) in blocks.iter().enumerate() {
        match block {
            Block::Table(grid) => {
                text.push('\n');
                grid.push_to(&mut text);
            }
            _ => text.push_str(&block_text(blocks, index)),
        }
    }
    text
}

/// A block as text.
fn block_text(blocks: &[Block], index: usize) -> String {
    let gap = |index: usize| if index > 0 { "\n" } else { "" };
    match &blocks[index] {
        Block::Title { name, facts } => gap(index).to_owned() + &title(name, facts),
        Block::Conventions(text) => painted_lines(&wrap(text, "", "")) + "\n",
        Block::Heading(heading) => {
            let lines = wrap(heading, "", "  ");
            let lines: Vec<String> = lines.lines().map(|line| paint(STRONG, line)).collect();
            format!("\n{}\n", lines.join("\n"))
        }
        Block::Section(heading) => format!("{0}{0}{1}\n", gap(index), paint(STRONG, &heading.to_uppercase())),
        Block::Entries(entries) => {
            let is_headed = index > 0 && matches!(blocks[index - 1], Block::Heading(_));
            format!("{}{}", if is_headed { "" } else { "\n" }, entries_text(entries))
        }
        Block::Table(grid) => format!("\n{}", grid.to_text()),
        Block::Indented(text) => wrap(text, "  ", "  ") + "\n",
        Block::Lines(lines) => {
            let lines = lines.iter().map(|line| wrap(line, "", "  ") + "\n");
            format!("\n{}", lines.collect::<String>())
        }
        Block::Footnotes(notes) => {
            let lines = notes.iter().map(|note| painted_lines(&wrap(note, "", "  ")) + "\n");
            format!("\n{}", lines.collect::<String>())
        }
        Block::Remarks { word, sentences } => {
            format!("\n{}\n", wrap(&sentences.join(" "), &format!("{word}: "), "  "))
        }
        Block::Answer(sentence) => format!("\n{}\n", wrap(sentence, "", "")),
    }
}

/// The page in Markdown.
pub fn to_markdown(blocks: &[Block]) -> String {
    let parts = blocks.iter().map(|block| match block {
        Block::Title { name, facts } => format!("### {}\n\n{}\n", markdown::escaped(name), markdown::escaped(facts)),
        Block::Conventions(text) | Block::Indented(text) | Block::Answer(text) => markdown::escaped(text) + "\n",
        Block::Section(heading) => format!("## {}\n", markdown::escaped(heading)),
        Block::Heading(heading) => format!("#### {}\n", markdown::escaped(heading)),
        Block::Entries(entries) => {
            let line = |(word, text): &(String, String)| {
                // The texts are ours, and what stands between backticks in them is code.
                format!("- **{}**: {}\n", markdown::escaped(word), markdown::escaped(text).replace("\\`", "`"))
            };
            entries.iter().map(line).collect()
        }
        Block::Table(grid) => grid.to_markdown(),
        Block::Lines(notes) | Block::Footnotes(notes) => {
            notes.iter().map(|note| format!("- {}\n", markdown::escaped(note))).collect()
        }
        Block::Remarks { word, sentences } => format!("**{word}:** {}\n", markdown::escaped(&sentences.join(" "))),
    });
    parts.collect::<Vec<String>>().join("\n")
}

/// The widest word that has its text beside it and not below.
const WIDEST_WORD: usize = 22;

/// Words in one column, texts in another.
fn entries_text(entries: &[(String, String)]) -> String {
    let widths = entries.iter().map(|(word, _)| word.width());
    let width = widths.filter(|&width| width <= WIDEST_WORD).max().unwrap_or(0);
    let rest = " ".repeat(width + 4);
    let entry = |(word, text): &(String, String)| {
        let blank = " ".repeat((width + 2).saturating_sub(word.width()));
        let text = match word.width() > width {
            true => format!("\n{}", wrap(text, &rest, &rest)),
            false => wrap(text, &rest, &rest)[width + 2..].to_owned(),
        };
        let text = if word.width() > width { text } else { blank + text.trim_start_matches(' ') };
        format!("  {}{text}\n", paint(STRONG, word))
    };
    entries.iter().map(entry).collect()
}

fn title(name: &str, facts: &str) -> String {
    let indent = " ".repeat(2);
    let plain = wrap(facts, &format!("{name}   "), &indent);
    format!("{}{}\n", paint(STRONG, name), &plain[name.len()..])
}

fn painted_lines(text: &str) -> String {
    text.lines().map(|line| paint(QUIET, line)).collect::<Vec<String>>().join("\n")
}
