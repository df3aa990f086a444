//! HTML under construction. Markup is written in the source; whatever else comes in is escaped on
//! its way, so that nothing a file holds can become markup.

use std::fmt::{self, Display, Write};

use raglens::id::is_unsafe_to_print;

/// The attributes of an element: names, and values that are escaped.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// HTML under construction.
#[derive(Debug, Default)]
pub struct Html {
    text: String,
}

impl Html {
    /// Everything that was written.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Markup of our own.
    pub fn markup(&mut self, markup: &'static str) {
        self.text.push_str(markup);
    }

    /// A text, escaped.
    pub fn text(&mut self, text: impl Display) {
        // A string takes whatever is written.
        let _ = write!(Escaping(&mut self.text), "{text}");
    }

    /// An element with what `content` writes into it.
    pub fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, content: impl FnOnce(&mut Self)) {
        self.open(tag, attributes);
        content(self);
        let _ = write!(self.text, "</{tag}>");
    }

    /// An element with a text.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>, text: impl Display) {
        self.element(tag, attributes, |html| html.text(text));
    }

    /// An element that holds nothing and needs no end, written so that XML takes it too.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.open(tag, attributes);
        self.text.pop();
        self.text.push_str("/>");
    }

    /// JSON in an element of its own, where nothing can end the element early.
    pub fn json(&mut self, id: &'static str, json: &str) {
        self.open("script", &[("type", &"application/json"), ("id", &id)]);
        self.text.push_str(&json.replace('<', "\\u003c"));
        self.text.push_str("</script>\n");
    }

    /// Ends the line, so that the source can be read.
    pub fn line(&mut self) {
        self.text.push('\n');
    }

    fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            self.text(value);
            self.text.push('"');
        }
        self.text.push('>');
    }
}

/// Escapes what is written. Control characters, and marks that would turn the text around them,
/// are shown, not obeyed; a line end or a tab is a blank.
struct Escaping<'a>(&'a mut String);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(' '),
                unsafe_one if is_unsafe_to_print(unsafe_one) => self.0.extend(unsafe_one.escape_default()),
                plain => self.0.push(plain),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_written_as_text_becomes_markup() {
        let mut html = Html::default();
        html.leaf("td", &[("title", &"\"><script>")], "<b>&'\u{202e}\u{1b}\n");
        let expected = "<td title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;&#39;\\u{202e}\\u{1b} </td>";
        assert_eq!(html.into_text(), expected);
    }

    #[test]
    fn json_cannot_end_its_element() {
        let mut html = Html::default();
        html.json("data", "{\"a\": \"</script><!--\"}");
        let text = html.into_text();
        assert_eq!(text.matches("</script>").count(), 1);
        assert!(text.contains("\\u003c/script>\\u003c!--"));
    }
}
