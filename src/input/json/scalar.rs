//! Ids, numbers, texts and flags.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::{Kind, Node};
use crate::error::{Fault, InputErrorKind};
use crate::input::{columns, number};

impl<'a> Node<'a> {
    /// An id: text as it is, or the digits of a whole number.
    ///
    /// # Errors
    /// When the value is anything else (`null`, `7.0`, `1e3`, an object) or empty text.
    pub(in crate::input) fn id(&self, field: &'static str) -> Result<Cow<'a, str>, Fault> {
        let id = match self.kind() {
            Kind::Text => self.string()?,
            Kind::Number if is_whole(self.raw.as_bytes()) => Cow::Borrowed(self.raw),
            _ => return Err(self.fault(InputErrorKind::BadId { field, text: self.shown() })),
        };
        if id.is_empty() {
            return Err(self.fault(InputErrorKind::EmptyField { field }));
        }
        match columns::invisible_start(field, id.as_bytes()) {
            Some(kind) => Err(self.fault(kind)),
            None => Ok(id),
        }
    }

    /// A finite number, or text that is nothing but one.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn number(&self, field: &'static str) -> Result<f64, Fault> {
        let text = match self.kind() {
            Kind::Number => Cow::Borrowed(self.raw),
            Kind::Text => self.string()?,
            _ => return Err(self.fault(InputErrorKind::NotANumber { field, text: self.shown() })),
        };
        number::parse(text.as_bytes()).ok_or_else(|| self.fault(number::fault(field, text.as_bytes())))
    }

    /// A grade: a finite number, `true` or `false`, or text that is one of these.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn grade(&self) -> Result<f64, Fault> {
        let word = if self.kind() == Kind::Text { self.string()? } else { Cow::Borrowed(self.raw) };
        number::grade(word.as_bytes()).map_or_else(|| self.number("grade"), Ok)
    }

    /// A whole number from 0.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn whole(&self, field: &'static str) -> Result<u64, Fault> {
        let digits = if self.kind() == Kind::Text { self.string()? } else { Cow::Borrowed(self.raw) };
        number::whole(digits.as_bytes()).ok_or_else(|| {
            let expected = "a whole number from 0";
            self.fault(InputErrorKind::OutOfRange { field, expected, text: self.shown() })
        })
    }

    /// A small whole number from 0.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn count(&self, field: &'static str) -> Result<u32, Fault> {
        u32::try_from(self.whole(field)?).map_err(|_| {
            let expected = "a whole number below 2^32";
            self.fault(InputErrorKind::OutOfRange { field, expected, text: self.shown() })
        })
    }

    /// The number of a hop, which count from 1.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn hop(&self) -> Result<u32, Fault> {
        let field = "hop";
        match self.count(field)? {
            0 => {
                let expected = "a whole number from 1";
                Err(self.fault(InputErrorKind::OutOfRange { field, expected, text: self.shown() }))
            }
            hop => Ok(hop),
        }
    }

    /// Text.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn text(&self, field: &str) -> Result<Cow<'a, str>, Fault> {
        match self.kind() {
            Kind::Text => self.string(),
            _ => Err(self.wrong_type(field, "text")),
        }
    }

    /// Text, or a number or a flag as it is written.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn label(&self, field: &str) -> Result<Cow<'a, str>, Fault> {
        match self.kind() {
            Kind::Text => self.string(),
            Kind::Number | Kind::Bool => Ok(Cow::Borrowed(self.raw)),
            _ => Err(self.wrong_type(field, "text, a number, true or false")),
        }
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// When the value is anything else.
    pub(in crate::input) fn flag(&self, field: &str) -> Result<bool, Fault> {
        match self.raw {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.wrong_type(field, "true or false")),
        }
    }

    /// The characters of a string. Those without an escape are as they are written: control
    /// characters were refused when the text around them was parsed.
    pub(super) fn string(&self) -> Result<Cow<'a, str>, Fault> {
        let inner = self.raw.get(1..self.raw.len().saturating_sub(1)).unwrap_or_default();
        if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
            return Ok(Cow::Borrowed(inner));
        }
        let Characters(characters) = self.parse()?;
        Ok(Cow::Owned(characters))
    }
}

/// Whether a number is written without a point and without an exponent.
pub(super) fn is_whole(number: &[u8]) -> bool {
    number.strip_prefix(b"-").unwrap_or(number).iter().all(u8::is_ascii_digit)
}

struct Characters(String);

impl<'de> Deserialize<'de> for Characters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Take;
        impl Visitor<'_> for Take {
            type Value = Characters;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Characters, E> {
                Ok(Characters(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Take)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Document;
    use super::*;

    fn id(text: &str) -> Result<String, String> {
        let document = Document::new(text, 1);
        let id = document.root().unwrap().id("query id");
        id.map(Cow::into_owned).map_err(|fault| fault.kind.to_string())
    }

    fn score(text: &str) -> Result<f64, String> {
        let document = Document::new(text, 1);
        let number = document.root().unwrap().number("score");
        number.map_err(|fault| fault.kind.to_string())
    }

    #[test]
    fn a_whole_number_is_the_id_of_its_digits() {
        assert_eq!(id("7").unwrap(), id("\"7\"").unwrap());
        assert_eq!(id("\"007\"").unwrap(), "007");
        assert_eq!(id("123456789012345678901234567890").unwrap(), "123456789012345678901234567890");
        for text in ["NA", "null", "None", "nan", "1.0", "a b"] {
            assert_eq!(id(&format!("\"{text}\"")).unwrap(), text);
        }
        assert_eq!(id(r#""caf\u00e9 \ud83d\ude00""#).unwrap(), "café 😀");
    }

    #[test]
    fn anything_else_is_no_id() {
        assert_eq!(id("7.0").unwrap_err(), "query id must be text or a whole number: `7.0`");
        for text in ["1e3", "null", "true", "[]", "{}", "\"\"", r#""\ud800""#] {
            assert!(id(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_in_text_are_read_and_half_numbers_refused() {
        assert_eq!(score("\"1e1\"").unwrap(), 10.0);
        assert_eq!(score("\".5\"").unwrap(), 0.5);
        assert_eq!(score("\"-1.2E-3\"").unwrap(), -0.0012);
        assert_eq!(score("\"1,9\"").unwrap_err(), "score is not a number: `1,9`");
        assert_eq!(score("1e999").unwrap_err(), "score must be a finite number: `1e999`");
        for text in ["\"nan\"", "\"inf\"", "\"0x10\"", "\"\"", "\" 1\"", "true", "null", "[1]"] {
            assert!(score(text).is_err(), "{text}");
        }
    }
}
