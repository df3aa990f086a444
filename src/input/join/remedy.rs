//! Why ids do not meet: the causes that are tried, and what mends them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use super::{IdKind, Ids};

/// Ids of each side that the causes are tried on: few documents of a run are judged, so it takes
/// many to find some.
const TRIED: usize = 20_000;
/// Prefixes and suffixes are at most so long.
const LONGEST: usize = 64;
/// Separators between a document and the number of its chunk.
const SEPARATORS: &[&str] = &["#", "::", ":", "_", "-", "/", "."];

/// The likely cause of ids that do not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// The cause, in words.
    pub cause: String,
    /// What mends it; `None` when the file itself has to be written differently.
    pub mend: Option<Mend>,
    /// How many ids of the labels the run would meet then.
    pub matches: usize,
    /// Of how many.
    pub of: usize,
}

/// What can be done with a run so that its ids meet those of the labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// Its query ids are edited: `s/pattern/replacement/`.
    EditQueries(String),
    /// Its document ids are edited.
    EditDocuments(String),
    /// Its document ids are cut at the last separator.
    CutDocuments(&'static str),
    /// The documents are measured that its results are chunks of.
    ByDocument,
}

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EditQueries(edit) | Self::EditDocuments(edit) => write!(f, "the edit `{edit}`"),
            Self::CutDocuments(separator) => write!(f, "cutting them at the last `{separator}`"),
            Self::ByDocument => f.write_str("measuring documents"),
        }
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cause, matches, of, .. } = self;
        match &self.mend {
            Some(mend) => write!(f, "{cause}: {mend} makes {matches} of {of} match"),
            None => write!(f, "{cause}: written alike, {matches} of {of} would match"),
        }
    }
}

/// A cause that is tried.
struct Candidate {
    cause: String,
    mend: Option<Mend>,
    edit: Edit,
}

/// The id that an id of the run becomes; `None` when the cause does not touch it.
type EditRun = Box<dyn Fn(&[u8]) -> Option<Vec<u8>>>;

/// What turns the ids of the run into those of the labels.
enum Edit {
    /// The run's ids change.
    Run(EditRun),
    /// The ids of both sides change, which nothing but other files does.
    Both(fn(&[u8]) -> Vec<u8>),
}

impl Edit {
    fn run(edit: impl Fn(&[u8]) -> Option<Vec<u8>> + 'static) -> Self {
        Self::Run(Box::new(edit))
    }

    /// How many ids of the labels are met by ids of the run.
    fn matches<'a>(&self, labels: &Ids<'_>, run: impl Iterator<Item = &'a [u8]>) -> usize {
        match self {
            Self::Run(edit) => {
                let met = run.filter_map(edit).filter(|id| labels.set.contains(&id[..]));
                met.collect::<HashSet<_>>().len()
            }
            Self::Both(edit) => {
                let run: HashSet<Vec<u8>> = run.map(edit).collect();
                labels.list.iter().filter(|id| run.contains(&edit(id))).count()
            }
        }
    }
}

impl Remedy {
    /// The cause that explains most; `None` when even that explains only a few ids, as chance does.
    pub(super) fn find(kind: IdKind, labels: &Ids<'_>, run: &Ids<'_>) -> Option<Self> {
        let mut best: Option<(usize, Candidate)> = None;
        for candidate in candidates(kind, labels, run) {
            let matches = candidate.edit.matches(labels, run.sample(TRIED));
            if matches > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((matches, candidate));
            }
        }
        let (_, Candidate { cause, mend, edit }) = best?;
        let (matches, of) = (edit.matches(labels, run.list.iter().copied()), labels.list.len());
        let enough = matches * 10 >= of.min(run.list.len());
        enough.then_some(Self { cause, mend, matches, of })
    }
}

/// The causes in the order in which they are preferred.
fn candidates(kind: IdKind, labels: &Ids<'_>, run: &Ids<'_>) -> Vec<Candidate> {
    let mut all = everyday(kind);
    if kind == IdKind::Document {
        all.extend(SEPARATORS.iter().map(|separator| chunks(separator)));
    }
    let ends = [End::Start, End::End];
    all.extend(ends.iter().filter_map(|&end| Some(dropped(kind, end, most_common(run, labels, end)?))));
    all.extend(ends.iter().filter_map(|&end| Some(added(kind, end, most_common(labels, run, end)?))));
    all.extend(swapped(kind, labels, run));
    all
}

fn edited(kind: IdKind, edit: impl Into<String>) -> Mend {
    match kind {
        IdKind::Query => Mend::EditQueries(edit.into()),
        IdKind::Document => Mend::EditDocuments(edit.into()),
    }
}

/// Causes that are the same whatever the ids are.
fn everyday(kind: IdKind) -> Vec<Candidate> {
    let run = |cause: &str, edit: &str, apply: fn(&[u8]) -> Option<Vec<u8>>| {
        let mend = Some(edited(kind, edit));
        Candidate { cause: cause.to_owned(), mend, edit: Edit::run(apply) }
    };
    let both = |cause: &str, apply| Candidate { cause: cause.to_owned(), mend: None, edit: Edit::Both(apply) };
    vec![
        run("the run's ids have blanks around them", r"s/^\s+|\s+$//g", |id| Some(id.trim_ascii().to_vec())),
        run("the run's ids end in `.0` (a float column of pandas?)", r"s/\.0$//", |id| {
            id.strip_suffix(b".0").map(<[u8]>::to_vec)
        }),
        run("the run's ids have leading zeros", "s/^0+//", |id| Some(without_zeros(id).to_vec())),
        both("the labels' ids have leading zeros", |id| without_zeros(id).to_vec()),
        both("the labels' ids have blanks around them", |id| id.trim_ascii().to_vec()),
        both("the ids differ in upper and lower case only", |id| {
            String::from_utf8_lossy(id).to_lowercase().into_bytes()
        }),
    ]
}

fn without_zeros(id: &[u8]) -> &[u8] {
    let zeros = id.iter().take_while(|&&byte| byte == b'0').count();
    &id[zeros..]
}

/// `doc#3` for `doc`: what stands behind the last separator goes.
fn chunks(separator: &'static str) -> Candidate {
    let cause = "the run's ids look like chunks of documents".to_owned();
    let edit = Edit::run(move |id| Some(id[..memchr::memmem::rfind(id, separator.as_bytes())?].to_vec()));
    Candidate { cause, mend: Some(Mend::CutDocuments(separator)), edit }
}

/// The end of an id that something is put to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    End,
}

impl End {
    /// The id in two parts: what stands at this end, so many bytes of it, and the rest.
    fn split(self, id: &[u8], length: usize) -> (&[u8], &[u8]) {
        match self {
            End::Start => id.split_at(length),
            End::End => {
                let (rest, affix) = id.split_at(id.len() - length);
                (affix, rest)
            }
        }
    }

    fn put(self, affix: &[u8], rest: &[u8]) -> Vec<u8> {
        match self {
            End::Start => [affix, rest].concat(),
            End::End => [rest, affix].concat(),
        }
    }

    fn verb(self) -> &'static str {
        if self == End::Start { "begin with" } else { "end in" }
    }

    fn anchored(self, pattern: &str) -> String {
        if self == End::Start { format!("^{pattern}") } else { format!("{pattern}$") }
    }
}

/// What stands most often at one end of ids that are others without it.
fn most_common<'a>(ids: &Ids<'a>, others: &Ids<'_>, end: End) -> Option<&'a [u8]> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for id in ids.sample(TRIED) {
        for length in 1..id.len().min(LONGEST + 1) {
            let (affix, rest) = end.split(id, length);
            if others.set.contains(rest) {
                *counts.entry(affix).or_default() += 1;
            }
        }
    }
    counts.into_iter().max_by_key(|&(affix, count)| (count, std::cmp::Reverse(affix))).map(|(affix, _)| affix)
}

fn dropped(kind: IdKind, end: End, affix: &[u8]) -> Candidate {
    let cause = format!("the run's ids {} `{}`", end.verb(), crate::id::escaped(affix));
    let mend = printable(affix).map(|text| edited(kind, format!("s/{}//", end.anchored(&pattern(&text)))));
    let affix = affix.to_vec();
    let edit = Edit::run(move |id| {
        let (start, rest) = id.len().checked_sub(affix.len()).map(|_| end.split(id, affix.len()))?;
        (start == affix).then(|| rest.to_vec())
    });
    Candidate { cause, mend, edit }
}

fn added(kind: IdKind, end: End, affix: &[u8]) -> Candidate {
    let cause = format!("the labels' ids {} `{}`", end.verb(), crate::id::escaped(affix));
    let mend = printable(affix).map(|text| edited(kind, format!("s/{}/{}/", end.anchored(""), replacement(&text))));
    let affix = affix.to_vec();
    Candidate { cause, mend, edit: Edit::run(move |id| Some(end.put(&affix, id))) }
}

/// Another prefix here than there: what all ids of a side begin with, without what the two
/// prefixes end in alike.
fn swapped(kind: IdKind, labels: &Ids<'_>, run: &Ids<'_>) -> Option<Candidate> {
    let (mut old, mut new) = (common_prefix(&run.list), common_prefix(&labels.list));
    while let (Some(a), Some(b)) = (old.last(), new.last())
        && a == b
    {
        (old, new) = (&old[..old.len() - 1], &new[..new.len() - 1]);
    }
    // A single id is all prefix: any two could be swapped.
    if old.is_empty() || new.is_empty() || labels.list.len().min(run.list.len()) == 1 {
        return None;
    }
    let [old_text, new_text] = [old, new].map(crate::id::escaped);
    let cause = format!("the run's ids begin with `{old_text}` and those of the labels with `{new_text}`");
    let both = printable(old).zip(printable(new));
    let mend = both.map(|(old, new)| edited(kind, format!("s/^{}/{}/", pattern(&old), replacement(&new))));
    let (old, new) = (old.to_vec(), new.to_vec());
    let edit = Edit::run(move |id| Some([&new, id.strip_prefix(&old[..])?].concat()));
    Some(Candidate { cause, mend, edit })
}

fn common_prefix<'a>(ids: &[&'a [u8]]) -> &'a [u8] {
    let first: &'a [u8] = ids.first().copied().unwrap_or_default();
    let shared = |id: &[u8]| first.iter().zip(id).take_while(|(a, b)| a == b).count();
    let length = ids.iter().map(|id| shared(id)).min().unwrap_or(0);
    &first[..length]
}

/// Text that can be typed between single quotes.
fn printable(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let plain = !text.contains(['\'', '\\']) && crate::id::escaped(bytes) == text;
    plain.then_some(Cow::Borrowed(text))
}

/// Text as a pattern that matches it.
fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if r".^$*+?()[]{}|/\".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Text as a replacement that stands for itself.
fn replacement(text: &str) -> String {
    text.replace('/', r"\/").replace('&', r"\&")
}

#[cfg(test)]
mod tests {
    use super::super::{Mismatch, mismatch};
    use super::*;

    fn advice(kind: IdKind, labels: &[&str], run: &[&str]) -> Option<String> {
        let bytes = |ids: &[&str]| ids.iter().map(|id| id.as_bytes().to_vec()).collect::<Vec<_>>();
        let (labels, run) = (bytes(labels), bytes(run));
        let mismatch = mismatch(kind, labels.iter().map(|id| &id[..]), run.iter().map(|id| &id[..]));
        mismatch.as_ref().and_then(Mismatch::help)
    }

    fn query(labels: &[&str], run: &[&str]) -> String {
        advice(IdKind::Query, labels, run).unwrap()
    }

    #[test]
    fn the_usual_causes_are_named_with_what_mends_them() {
        let numbers = ["10", "11", "25"];
        assert!(query(&numbers, &["10 ", " 11"]).contains(r"`s/^\s+|\s+$//g` makes 2 of 3"));
        assert!(query(&numbers, &["0010", "25"][..1]).contains("`s/^0+//` makes 1 of 3"));
        assert!(query(&numbers, &["q10", "q11", "q25"]).contains("begin with `q`: the edit `s/^q//` makes 3 of 3"));
        assert!(query(&numbers, &["10.txt", "25.txt"]).contains(r"`s/\.txt$//` makes 2 of 3"));
        assert!(query(&["q10", "q11"], &numbers).contains("the labels' ids begin with `q`: the edit `s/^/q/`"));
        assert!(query(&["1.0", "2.0"], &["1", "2"]).contains("`s/$/.0/` makes 2 of 2"));
        assert!(query(&["q-1", "q-2"], &["run/1", "run/2"]).contains(r"`s/^run\//q-/` makes 2 of 2"));
    }

    #[test]
    fn what_no_edit_mends_is_still_named() {
        assert_eq!(
            query(&["abc", "def"], &["ABC", "Def"]),
            "the ids differ in upper and lower case only: written alike, 2 of 2 would match"
        );
        assert!(query(&["007", "010"], &["7", "10"]).contains("the labels' ids have leading zeros: written alike"));
    }

    #[test]
    fn chunks_are_collapsed_to_their_document() {
        let chunks = |run: &[&str]| advice(IdKind::Document, &["doc_a", "doc_b"], run).unwrap();
        assert!(chunks(&["doc_a#1", "doc_a#2", "x#1"]).contains("cutting them at the last `#` makes 1 of 2"));
        assert!(chunks(&["doc_a::0", "doc_b::1"]).contains("cutting them at the last `::` makes 2 of 2"));
        assert!(chunks(&["doc_a_0", "doc_b_1"]).contains("cutting them at the last `_` makes 2 of 2"));
    }

    #[test]
    fn signs_with_a_meaning_are_escaped() {
        assert!(query(&["a&1", "a&2"], &["1", "2"]).contains(r"`s/^/a\&/`"));
        assert!(query(&["1", "2"], &["(a|$1", "(a|$2"]).contains(r"`s/^\(a\|\$//`"));
    }

    #[test]
    fn the_count_is_over_all_ids_however_many() {
        let labels: Vec<String> = (0..60_000).step_by(30).map(|n| n.to_string()).collect();
        let run: Vec<String> = (0..60_000).map(|n| format!("d{n}")).collect();
        let [labels, run] = [&labels, &run].map(|ids| ids.iter().map(String::as_str).collect::<Vec<_>>());
        let advice = advice(IdKind::Document, &labels, &run).unwrap();
        assert!(advice.ends_with("the edit `s/^d//` makes 2000 of 2000 match"), "{advice}");
    }

    #[test]
    fn a_quote_in_an_id_leaves_no_edit_to_type() {
        let advice = query(&["1", "2"], &["it's1", "it's2"]);
        assert!(advice.contains("begin with `it's`: written alike"), "{advice}");
    }

    #[test]
    fn a_few_matches_by_chance_are_no_cause() {
        let labels: Vec<String> = (0..500).map(|n| format!("a{n}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let run: Vec<String> = (0..500).map(|n| format!("b{}", n * 7)).chain(["xa3".to_owned()]).collect();
        let run: Vec<&str> = run.iter().map(String::as_str).collect();
        let advice = advice(IdKind::Document, &labels[..50], &run);
        assert!(advice.is_none_or(|advice| !advice.contains("`x`")));
    }
}
