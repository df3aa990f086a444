//! What `explain` shows, in every format.

mod codes;
mod json;
mod list;
mod measure;
pub mod report;
pub mod topics;
mod worked;

use super::Look;
use super::page::{Block, to_markdown, to_text};
use super::style::Signs;
use report::Subject;
use topics::Topic;

/// The formats of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Text for people
    #[default]
    Text,
    /// Everything, in full precision
    Json,
    /// The same in Markdown
    #[value(alias = "markdown")]
    Md,
}

/// The explanation in a format.
pub fn render(subject: &Subject, format: Format, look: &Look) -> String {
    match format {
        Format::Text => to_text(&page(subject, look)),
        Format::Md => to_markdown(&page(subject, &Look { signs: Signs::Unicode, ..*look })),
        Format::Json => json::render(subject),
    }
}

fn page(subject: &Subject, look: &Look) -> Vec<Block> {
    let blocks = match subject {
        Subject::List => list::page(),
        Subject::All => list::pages(),
        Subject::Measure(spec) => measure::page_of(spec),
        Subject::Codes => codes::list(),
        Subject::Code(code) => codes::page(code),
        Subject::Topic(topic) => topic_page(topic),
        Subject::Value(worked) => worked::page(worked, look),
    };
    match look.signs {
        Signs::Unicode => blocks,
        Signs::Ascii => blocks.into_iter().map(in_ascii).collect(),
    }
}

fn topic_page(topic: &Topic) -> Vec<Block> {
    let parts = topic.parts.iter().map(|(word, text)| entry(word, *text));
    vec![
        Block::Title { name: topic.name.to_owned(), facts: topic.about.to_owned() },
        Block::Entries(parts.collect()),
        Block::Answer(topic.end.to_owned()),
    ]
}

/// A word with its text.
fn entry(word: &str, text: impl Into<String>) -> (String, String) {
    (word.to_owned(), text.into())
}

/// The same without signs beyond ASCII, for formulas and names; tables hold none but ids.
fn in_ascii(block: Block) -> Block {
    match block {
        Block::Title { name, facts } => Block::Title { name, facts: ascii(&facts) },
        Block::Entries(entries) => {
            Block::Entries(entries.iter().map(|(word, text)| entry(word, ascii(text))).collect())
        }
        Block::Footnotes(notes) => Block::Footnotes(notes.iter().map(|note| ascii(note)).collect()),
        other => other,
    }
}

/// A formula in the signs that can be shown.
fn formula(text: &str, signs: Signs) -> String {
    match signs {
        Signs::Unicode => text.to_owned(),
        Signs::Ascii => ascii(text),
    }
}

fn ascii(text: &str) -> String {
    let signs = [
        ("Σ", "sum of"),
        ("Π", "product of"),
        ("²", "^2"),
        ("·", "*"),
        ("…", "..."),
        ("→", "->"),
        ("ä", "a"),
        ("é", "e"),
    ];
    signs.iter().fold(text.to_owned(), |text, (sign, plain)| text.replace(sign, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_can_be_shown_in_ascii() {
        let look = Look { signs: Signs::Ascii, digits: 4 };
        for subject in [Subject::List, Subject::All, Subject::Codes] {
            let text = render(&subject, Format::Text, &look);
            assert!(text.is_ascii(), "{:?}", text.chars().find(|sign| !sign.is_ascii()));
        }
        for topic in topics::TOPICS {
            assert!(render(&Subject::Topic(topic), Format::Text, &look).is_ascii(), "{}", topic.name);
        }
    }
}
