//! MTEB predictions: `{subset: {split: {query: {document: score}}}}` beside facts on the model.

use super::json::{self, Kind, Node, Sketch};
use super::{Format, ReadOptions, Reader, Role, Sample};
use crate::error::{Fault, InputErrorKind};
use crate::run::RunSink;

pub(super) static RUN: Format = Format {
    name: "mteb-predictions",
    about: "MTEB predictions: {subset: {split: {query: {document: score}}}}",
    role: Role::Run,
    detect: is_predictions,
    labels: None,
    run: Some(read_run),
};

const META: &str = "mteb_model_meta";

fn is_predictions(sample: &Sample) -> bool {
    let Some(sketch) = sample.json() else { return false };
    let document = sketch.document();
    document.has(&[META]) || (document.is_object() && depth_of_numbers(document) == Some(4))
}

/// How many objects lie around the first number, when only objects do.
fn depth_of_numbers(sketch: &Sketch) -> Option<usize> {
    if sketch.number().is_some() {
        return Some(0);
    }
    Some(1 + sketch.entries().iter().find_map(|(_, value)| depth_of_numbers(value))?)
}

/// Checks that no subset is asked for in a file that has none.
pub(super) fn check_subset(format: &Format, options: &ReadOptions) -> Result<(), Fault> {
    match &options.subset {
        Some(name) if !std::ptr::eq(format, &RUN) => {
            let (wanted, choices) = (crate::id::escaped(name.as_bytes()), "it has none".to_owned());
            Err(Fault::of_file(InputErrorKind::Subset { wanted: Some(wanted), choices }))
        }
        _ => Ok(()),
    }
}

struct Choice<'a> {
    subset: String,
    split: String,
    queries: Node<'a>,
}

impl Choice<'_> {
    fn name(&self) -> String {
        format!("{}/{}", self.subset, self.split)
    }

    fn is_meant_by(&self, name: &str) -> bool {
        name == self.subset || name == self.split || name == self.name()
    }
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    let options = reader.options.clone();
    json::whole(reader, |root, log| {
        let choices = choices(root)?;
        json::rank_each(choose(root, &choices, &options)?, run, log)
    })
}

fn choices(root: Node<'_>) -> Result<Vec<Choice<'_>>, Fault> {
    let mut choices = Vec::new();
    for (subset, splits) in root.record()?.fields() {
        if subset == META || splits.kind() != Kind::Object {
            continue;
        }
        for (split, queries) in splits.record()?.fields() {
            choices.push(Choice { subset: subset.to_string(), split: split.to_string(), queries: *queries });
        }
    }
    Ok(choices)
}

fn choose<'a>(root: Node<'a>, choices: &[Choice<'a>], options: &ReadOptions) -> Result<Node<'a>, Fault> {
    let wanted = options.subset.as_deref();
    let meant: Vec<&Choice> =
        choices.iter().filter(|choice| wanted.is_none_or(|name| choice.is_meant_by(name))).collect();
    match meant[..] {
        [choice] => Ok(choice.queries),
        _ => {
            let names = choices.iter().map(|choice| crate::id::escaped(choice.name().as_bytes()));
            let choices = names.collect::<Vec<_>>().join(", ");
            let wanted = wanted.map(|name| crate::id::escaped(name.as_bytes()));
            Err(Fault { excerpt: None, ..root.fault(InputErrorKind::Subset { wanted, choices }) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    const TWO: &str = r#"{"mteb_model_meta":{"model_name":"m"},
        "en":{"test":{"q1":{"a":0.5,"b":0.7}},"dev":{"q1":{"c":1}}}, "de":{"test":{"q2":{"d":1}}}}"#;

    fn subset(name: &str) -> ReadOptions {
        ReadOptions { subset: Some(name.to_owned()), ..ReadOptions::default() }
    }

    #[test]
    fn the_one_split_there_is_needs_no_name() {
        assert_eq!(show_run(&run(r#"{"default": {"test": {"q1": {"a": 0.5, "b": 0.7}}}}"#)), "q1: b a");
    }

    #[test]
    fn one_of_several_is_chosen_by_name() {
        assert_eq!(show_run(&try_run(TWO, &subset("de")).unwrap().0), "q2: d");
        assert_eq!(show_run(&try_run(TWO, &subset("dev")).unwrap().0), "q1: c");
        assert_eq!(show_run(&try_run(TWO, &subset("en/test")).unwrap().0), "q1: b a");
    }

    #[test]
    fn a_file_without_subsets_has_none_to_choose() {
        let error = try_run("q1 Q0 a 1 2.0 r", &subset("dev")).unwrap_err().to_string();
        assert_eq!(error, "run: `dev` does not name one of its subsets: it has none");
    }

    #[test]
    fn several_without_a_name_are_listed() {
        assert_eq!(run_error(TWO), "run:1: holds several subsets, and none is chosen: en/test, en/dev, de/test");
        let error = try_run(TWO, &subset("fr")).unwrap_err().to_string();
        assert_eq!(error, "run:1: `fr` does not name one of its subsets: en/test, en/dev, de/test");
        assert!(try_run(TWO, &subset("test")).is_err());
    }
}
