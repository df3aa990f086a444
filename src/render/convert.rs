//! What a layout has no place for.

use raglens::convert::{Format, Losses, Part};

use super::number::queries;
use super::paragraph::wrap;
use super::style::{NOTE, paint};

/// What is not in the result, in a sentence; nothing where nothing is lost.
pub fn losses(losses: &Losses, format: &Format) -> String {
    let shown = |(part, count): (Part, u64)| match count {
        0 => part.name().to_owned(),
        count => format!("{} ({})", part.name(), queries(count)),
    };
    let (unscored, lost): (Vec<_>, Vec<_>) = losses.iter().partition(|(part, _)| *part == Part::Unscored);
    let lost: Vec<String> = lost.into_iter().map(shown).collect();
    let mut text = String::new();
    if !lost.is_empty() {
        text += &line(&format!("left out, because `{}` has no place for it: {}", format.name, lost.join("; ")));
    }
    if let Some((_, count)) = unscored.first() {
        text += &line(&format!("results that no score orders get scores that count down to 1 ({})", queries(*count)));
    }
    text
}

fn line(sentence: &str) -> String {
    let plain = wrap(sentence, "note: ", "  ");
    paint(NOTE, "note") + &plain["note".len()..] + "\n"
}
