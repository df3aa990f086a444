//! Options whose value is one of a few words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The words of an option, what they mean, and a line for help. Words without a line are other
/// names: they are taken and not shown.
pub struct Words<T: 'static>(pub &'static [(&'static str, T, &'static str)]);

impl<T: Clone + PartialEq + Send + Sync> Words<T> {
    /// Reads one of the words.
    pub fn parser(&'static self) -> impl TypedValueParser<Value = T> {
        let values =
            self.0.iter().map(|(word, _, about)| PossibleValue::new(*word).help(*about).hide(about.is_empty()));
        PossibleValuesParser::new(values).map(|word| self.meaning(&word))
    }

    /// The word for a value.
    pub fn word(&self, value: &T) -> &'static str {
        self.0.iter().find(|(_, meaning, _)| meaning == value).map_or("", |(word, ..)| word)
    }

    /// Whether it is one of the words.
    #[cfg(test)]
    pub fn knows(&self, word: &str) -> bool {
        self.0.iter().any(|(other, ..)| *other == word)
    }

    fn meaning(&self, word: &str) -> T {
        let found = self.0.iter().find(|(other, ..)| *other == word);
        found.expect("the parser lets only the words through").1.clone()
    }
}
