//! Wrong usage, and what was meant where the option is one of another tool.

use clap::error::{ContextKind, ContextValue};

use crate::render::errors::{self, Message};

/// Options that are often expected, and what stands in their place.
static MEANT: &[(&[&str], &str)] = &[
    (
        &["--labels", "--qrels", "--run", "--runs", "--results"],
        "labels and runs are named without an option, labels first: LABELS RUN",
    ),
    (&["--json", "--csv", "-f", "--output-format"], "`--format json` (or csv, md, ...) is the option"),
    (&["--top-k", "--topk", "--k"], "`-k 5,10` sets the cutoffs"),
    (
        &["--gate", "--fail-under", "--fail-below", "--threshold", "--noninferior", "--no-regression"],
        "gates are options of `raglens compare`: `--noninferior 0.02` excludes a loss above 0.02; \
         `raglens eval --min 'recall@5>=0.6'` looks at the number alone",
    ),
];

/// What the number parsers of the standard library say, and what they mean.
const PLAIN: [(&str, &str); 5] = [
    ("invalid digit found in string", "expected a whole number"),
    ("cannot parse integer from empty string", "expected a whole number"),
    ("number too large to fit in target type", "the number is too large"),
    ("invalid float literal", "expected a number"),
    ("cannot parse float from empty string", "expected a number"),
];

/// What the parser of the command line complains about, as text for standard error.
pub fn text(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let rendered =
        PLAIN.iter().fold(rendered, |text, (said, meant)| text.replace(&format!(": {said}"), &format!(": {meant}")));
    match (meant(error), rendered.lines().next().and_then(|line| line.strip_prefix("error: "))) {
        (Some(help), Some(sentence)) => errors::message(&Message::new(sentence).with_help(help)),
        _ => errors::usage(&rendered),
    }
}

fn meant(error: &clap::Error) -> Option<&'static str> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let found = MEANT.iter().find(|(options, _)| options.contains(&option.as_str()));
    found.filter(|_| error.kind() == clap::error::ErrorKind::UnknownArgument).map(|(_, help)| *help)
}
