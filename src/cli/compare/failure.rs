//! Why runs cannot be compared, in words, with what to do about it.

use raglens::compare::CompareError;
use raglens::id::Id;

use super::inputs::Origin;
use crate::cli::failure::Failure;
use crate::render::errors::Message;
use crate::render::listing::first;
use crate::render::queries;

/// Conventions that change no value of a query: how means get intervals, and edits that make ids
/// meet.
const HARMLESS: [&str; 7] = ["ci", "bootstrap", "seed", "duplicates", "collapse", "edit_query_ids", "edit_doc_ids"];

/// The failure of a comparison.
pub fn failure(error: CompareError) -> Failure {
    let message = Message::new(error.to_string());
    match error {
        CompareError::TooFewRuns { .. } => {
            let limits = "`raglens eval LABELS RUN --min 'recall@5>=0.6'` holds one run against a limit";
            message.with_help(format!("raglens compare A B, or one file of saved scores with several runs; {limits}"))
        }
        CompareError::QuerySets { lacking } => {
            let line = |lack: &raglens::compare::Lack| {
                format!("{} lacks {}: {}", lack.run, queries(lack.queries.len() as u64), first(&lack.queries, 3))
            };
            let message = lacking.iter().map(line).fold(message, Message::with_detail);
            message.with_help("`--over common` compares the queries that all of them have")
        }
        CompareError::NothingInCommon { examples } => {
            let line = |(run, ids): &(String, Vec<Id>)| {
                format!("{run}   {}", ids.iter().map(|id| format!("{id:?}")).collect::<Vec<String>>().join(", "))
            };
            examples.iter().map(line).fold(message, Message::with_detail)
        }
        CompareError::UnknownRange { metric } => {
            message.with_help(format!("`--range {metric}=0..1` gives them, whatever they are"))
        }
        CompareError::NoDirection { .. } => message.with_help("name the measure: --noninferior recall@5=0.02"),
        CompareError::OneSidedTukey => message.with_help("`--adjust maxt` takes `--alternative` into account"),
        _ => message,
    }
    .into()
}

/// Checks that scores were made with the same labels and conventions, as far as that is known.
///
/// # Errors
/// When two were not.
pub fn check_origins(origins: &[(String, Origin)]) -> Result<(), Failure> {
    let hashes = origins.iter().filter_map(|(name, origin)| Some((name, origin.labels_hash.as_ref()?)));
    if let Some(((a, first), (b, other))) = differing(hashes) {
        let message = Message::new("the scores were made with different labels");
        let message = message.with_detail(format!("{a}   {first}")).with_detail(format!("{b}   {other}"));
        return Err(message
            .with_help("score both again with the same labels:\nraglens eval LABELS RUN --save FILE")
            .into());
    }
    let known = origins.iter().filter(|(_, origin)| !origin.conventions.is_empty());
    let names: Vec<&str> =
        known.clone().flat_map(|(_, origin)| &origin.conventions).map(|(name, _)| name.as_str()).collect();
    for name in names.into_iter().filter(|name| !HARMLESS.contains(name)) {
        let values = known.clone().map(|(shown, origin)| (shown, value(origin, name)));
        if let Some(((a, first), (b, other))) = differing(values) {
            let message = Message::new(format!("the scores were made under different conventions: `{name}`"));
            return Err(message.with_detail(format!("{a}   {first}")).with_detail(format!("{b}   {other}")).into());
        }
    }
    Ok(())
}

fn value<'a>(origin: &'a Origin, name: &str) -> &'a str {
    origin.conventions.iter().find(|(other, _)| other == name).map_or("not given", |(_, value)| value)
}

/// A value and whose it is.
type Owned<'a, T> = (&'a String, T);

/// The first value and one that differs from it.
fn differing<'a, T: PartialEq>(mut values: impl Iterator<Item = Owned<'a, T>>) -> Option<(Owned<'a, T>, Owned<'a, T>)> {
    let first = values.next()?;
    let other = values.find(|other| other.1 != first.1)?;
    Some((first, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(hash: Option<&str>, rel: &str, ci: &str) -> Origin {
        let conventions = vec![("rel".to_owned(), rel.to_owned()), ("ci".to_owned(), ci.to_owned())];
        Origin { labels_hash: hash.map(str::to_owned), conventions }
    }

    fn check(origins: [Origin; 2]) -> Result<(), Failure> {
        check_origins(&origins.map(|origin| ("run".to_owned(), origin)))
    }

    #[test]
    fn what_is_known_must_agree() {
        assert!(check([origin(Some("a"), "1", "auto"), origin(Some("a"), "1", "bca")]).is_ok());
        assert!(check([origin(None, "1", "auto"), Origin::default()]).is_ok());
        assert!(check([origin(Some("a"), "1", "auto"), origin(Some("b"), "1", "auto")]).is_err());
        assert!(check([origin(None, "1", "auto"), origin(None, "2", "auto")]).is_err());
    }
}
