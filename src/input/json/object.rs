//! Objects and arrays: entries in the order of the file, keys that stand twice included.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::split::Parts;
use super::{Document, Kind, Node};
use crate::error::{Fault, InputErrorKind};

/// Records with more fields than this look for repeated keys with a hash table.
const FEW: usize = 16;

impl<'a> Node<'a> {
    /// The entries of an object of ids: keys and values in the order of the file. A key can
    /// stand there twice.
    ///
    /// # Errors
    /// When the value is no object; `field` and `expected` say what it is for.
    pub(in crate::input) fn entries(
        &self,
        field: &str,
        expected: &'static str,
    ) -> Result<Vec<(Node<'a>, Node<'a>)>, Fault> {
        if self.kind() != Kind::Object {
            return Err(self.wrong_type(field, expected));
        }
        let mut parts = self.parts();
        Ok(std::iter::from_fn(|| Some((parts.next()?, parts.next()?))).collect())
    }

    /// The values of an array.
    ///
    /// # Errors
    /// When the value is no array; `field` and `expected` say what it is for.
    pub(in crate::input) fn list(&self, field: &str, expected: &'static str) -> Result<Vec<Node<'a>>, Fault> {
        if self.kind() != Kind::Array {
            return Err(self.wrong_type(field, expected));
        }
        Ok(self.parts().collect())
    }

    fn parts(self) -> impl Iterator<Item = Node<'a>> {
        Parts::of(self.raw).map(move |part| self.child(part))
    }

    /// The values of an array of whatever kind.
    ///
    /// # Errors
    /// When the value is no array.
    pub(in crate::input) fn items(&self) -> Result<Vec<Node<'a>>, Fault> {
        self.list("the value", "a list")
    }

    /// The fields of an object whose keys are names.
    ///
    /// # Errors
    /// When the value is no object, or a key stands in it twice.
    pub(in crate::input) fn record(&self) -> Result<Record<'a>, Fault> {
        if self.kind() != Kind::Object {
            return Err(self.wrong_type("the row", "an object"));
        }
        Record::new(*self, self.parts())
    }
}

impl<'a> Document<'a> {
    /// The fields of the object that the text is: what [`root`](Self::root) and
    /// [`record`](Node::record) give, in one pass over the text.
    ///
    /// # Errors
    /// As those.
    pub(in crate::input) fn record(&'a self) -> Result<Record<'a>, Fault> {
        let raw = self.text().trim_ascii();
        if !raw.starts_with('{') {
            return self.root()?.record();
        }
        let Entries(entries) = serde_json::from_str(self.text()).map_err(|error| self.syntax_fault(&error))?;
        let node = Node { document: self, raw };
        let parts = entries.into_iter().flat_map(|(key, value)| [key.get(), value.get()]);
        Record::new(node, parts.map(|part| node.child(part)))
    }
}

/// The position of the first field whose key stands before it.
fn repeated(fields: &[(Cow<'_, str>, Node<'_>)]) -> Option<usize> {
    if fields.len() <= FEW {
        return (1..fields.len()).find(|&index| fields[..index].iter().any(|(key, _)| *key == fields[index].0));
    }
    let mut seen = HashSet::with_capacity(fields.len());
    fields.iter().position(|(key, _)| !seen.insert(key))
}

/// An object whose keys are names, each once.
#[derive(Debug, Clone)]
pub(in crate::input) struct Record<'a> {
    /// The object itself.
    pub(in crate::input) node: Node<'a>,
    fields: Vec<(Cow<'a, str>, Node<'a>)>,
}

impl<'a> Record<'a> {
    /// An object with its keys and values in turn.
    fn new(node: Node<'a>, mut parts: impl Iterator<Item = Node<'a>>) -> Result<Self, Fault> {
        let mut fields = Vec::with_capacity(4);
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            fields.push((key.string()?, value));
        }
        match repeated(&fields) {
            Some(index) => {
                let (key, value) = &fields[index];
                Err(value.fault(InputErrorKind::RepeatedKey { key: crate::id::escaped(key.as_bytes()) }))
            }
            None => Ok(Self { node, fields }),
        }
    }

    /// The value of the first of some names that the object has; `null` is a value.
    pub(in crate::input) fn get(&self, names: &[&str]) -> Option<Node<'a>> {
        self.position(names).map(|position| self.fields[position].1)
    }

    /// The position of the first of some names among the fields.
    pub(in crate::input) fn position(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.fields.iter().position(|(key, _)| key == name))
    }

    /// The value of the first of some names; `null` is none.
    pub(in crate::input) fn optional(&self, names: &[&str]) -> Option<Node<'a>> {
        self.get(names).filter(|node| node.kind() != Kind::Null)
    }

    /// The value of the first of some names.
    ///
    /// # Errors
    /// When the object has none of them; `expected` names them.
    pub(in crate::input) fn need(&self, names: &[&str], expected: &str) -> Result<Node<'a>, Fault> {
        self.get(names).ok_or_else(|| self.node.fault(InputErrorKind::MissingKey { expected: expected.to_owned() }))
    }

    /// All fields, in the order of the file.
    pub(in crate::input) fn fields(&self) -> &[(Cow<'a, str>, Node<'a>)] {
        &self.fields
    }
}

/// What a text holds that is parsed for the first time.
struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

struct Collect<T>(PhantomData<T>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Collect::<Self>(PhantomData))
    }
}

impl<'de: 'a, 'a> Visitor<'de> for Collect<Entries<'a>> {
    type Value = Entries<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::Document;

    #[test]
    fn an_object_of_ids_keeps_order_and_repeated_keys() {
        let document = Document::new(r#"{"b": 1, "a": 2, "b": 3.50}"#, 1);
        let entries = document.root().unwrap().entries("x", "y").unwrap();
        let shown: Vec<String> = entries.iter().map(|(key, value)| key.shown() + &value.shown()).collect();
        assert_eq!(shown, ["\"b\"1", "\"a\"2", "\"b\"3.50"]);
    }

    #[test]
    fn a_record_refuses_a_key_that_stands_twice_however_it_is_written() {
        let document = Document::new("{\"score\": 1,\n\"sc\\u006fre\": 2}", 1);
        let fault = document.root().unwrap().record().unwrap_err();
        assert_eq!(fault.kind.to_string(), "has the key `score` twice");
        assert_eq!(fault.line, Some(2));
        let many: String = (0..40).map(|n| format!("\"k{}\": 0,", n % 39)).collect();
        let text = format!("{{{}}}", many.trim_end_matches(','));
        assert!(Document::new(&text, 1).root().unwrap().record().is_err());
    }

    #[test]
    fn null_is_a_value_unless_it_is_optional() {
        let document = Document::new(r#"{"id": null}"#, 1);
        let record = document.root().unwrap().record().unwrap();
        assert!(record.get(&["doc_id", "id"]).is_some());
        assert!(record.optional(&["doc_id", "id"]).is_none());
        assert_eq!(record.need(&["x"], "`x`").unwrap_err().kind.to_string(), "has no `x`");
    }
}
