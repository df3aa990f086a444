//! Lists of which the beginning is shown: nothing is left out without saying so.

use std::fmt::Display;

use unicode_width::UnicodeWidthStr;

/// The first items, and dots where there are more: `q1, q2, q3, ...`
pub fn first<T: Display>(items: impl IntoIterator<Item = T>, most: usize) -> String {
    let mut items = items.into_iter();
    let shown: Vec<T> = items.by_ref().take(most).collect();
    first_of(&shown, (shown.len() + items.count()) as u64)
}

/// The same where the first items of so many are at hand.
pub fn first_of<T: Display>(shown: &[T], count: u64) -> String {
    joined(shown, ", ") + if count > shown.len() as u64 { ", ..." } else { "" }
}

/// The first items, and how many there are behind them: `q1 q2 and 4 more`.
pub fn and_more<T: Display>(items: &[T], most: usize, separator: &str) -> String {
    match items.len().saturating_sub(most) {
        0 => joined(items, separator),
        rest => format!("{} and {rest} more", joined(&items[..most], separator)),
    }
}

/// The same with commas: `q1, q2, and 4 more`.
pub fn up_to<T: Display>(items: &[T], most: usize) -> String {
    match items.len().saturating_sub(most) {
        0 => joined(items, ", "),
        rest => format!("{}, and {rest} more", joined(&items[..most], ", ")),
    }
}

/// The same with as many of the words as fit into a number of columns, at least one.
pub fn fitting(words: &[String], width: usize) -> String {
    let mut texts = (1..=words.len()).rev().map(|most| up_to(words, most));
    texts.find(|text| text.width() <= width).unwrap_or_else(|| up_to(words, 1))
}

fn joined<T: Display>(items: &[T], separator: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<String>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_where_something_is_left_out() {
        assert_eq!((first([1, 2, 3], 3), first([1, 2, 3, 4], 3)), ("1, 2, 3".to_owned(), "1, 2, 3, ...".to_owned()));
        assert_eq!((first_of(&["q1"], 1), first_of(&["q1"], 2)), ("q1".to_owned(), "q1, ...".to_owned()));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let words = ["q1", "q2", "q3"].map(str::to_owned);
        assert_eq!((and_more(&words, 3, " "), and_more(&words, 1, " ")), ("q1 q2 q3".into(), "q1 and 2 more".into()));
        assert_eq!((up_to(&words, 3), up_to(&words, 2)), ("q1, q2, q3".into(), "q1, q2, and 1 more".into()));
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let words = ["q1", "q2", "q3"].map(str::to_owned);
        assert_eq!(fitting(&words, 10), "q1, q2, q3");
        assert_eq!(fitting(&words, 9), "q1, and 2 more");
        assert_eq!(fitting(&words, 18), "q1, q2, q3");
        assert_eq!(fitting(&[], 18), "");
    }
}
