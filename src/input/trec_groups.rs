//! Labels of several judgment groups, and preferences, in the layouts of trec_eval: `qrels_jg`
//! (qid group docid grade), `prefs` (qid group subgroup docid level) and `qrels_prefs` (qid group
//! docid level). They look like other labels, so only a name chooses them.

use super::columns;
use super::lines::Line;
use super::trec::{check_ids, grade, wrong_columns};
use super::{Format, Reader, Role, TrecEvalReading, c_number, number};
use crate::error::Fault;
use crate::labels::{GroupJudgment, Grouping, LabelsBuilder};

const GROUPS: &str = "judgment groups: qid group docid grade";
const PREFERENCES: &str = "preferences: qid group subgroup docid level";
const QRELS_PREFERENCES: &str = "preferences: qid group docid level";

pub(super) static JUDGMENT_GROUPS: Format = Format {
    name: "qrels_jg",
    about: GROUPS,
    role: Role::Labels,
    detect: |_| false,
    labels: Some(|reader, labels| {
        read(reader, labels, Grouping::Groups, |line, dialect| {
            let [query, group, document, level] = fields(line, "4 columns (qid group docid grade)")?;
            let level = grade(level, dialect).map_err(|kind| line.fault(level, kind))?;
            Ok(Judgment { query, group, subgroup: b"", document, level })
        })
    }),
    run: None,
};

pub(super) static PREFS: Format = Format {
    name: "prefs",
    about: PREFERENCES,
    labels: Some(|reader, labels| {
        read(reader, labels, Grouping::Preferences, |line, dialect| {
            let [query, group, subgroup, document, text] = fields(line, "5 columns (qid group subgroup docid level)")?;
            Ok(Judgment { query, group, subgroup, document, level: level(line, text, dialect)? })
        })
    }),
    ..JUDGMENT_GROUPS
};

pub(super) static QRELS_PREFS: Format = Format {
    name: "qrels_prefs",
    about: QRELS_PREFERENCES,
    labels: Some(|reader, labels| {
        read(reader, labels, Grouping::Preferences, |line, dialect| {
            let [query, group, document, text] = fields(line, "4 columns (qid group docid level)")?;
            Ok(Judgment { query, group, subgroup: b"", document, level: level(line, text, dialect)? })
        })
    }),
    ..JUDGMENT_GROUPS
};

/// A line, taken apart.
struct Judgment<'l> {
    query: &'l [u8],
    group: &'l [u8],
    subgroup: &'l [u8],
    document: &'l [u8],
    level: f64,
}

type Parse = for<'l> fn(Line<'l>, Option<TrecEvalReading>) -> Result<Judgment<'l>, Fault>;

fn read(reader: &mut Reader, labels: &mut LabelsBuilder, grouping: Grouping, parse: Parse) -> Result<(), Fault> {
    labels.group(grouping);
    let dialect = reader.options.trec_eval;
    let (log, mut lines) = (&mut reader.log, reader.source.lines());
    while let Some(line) = lines.next_line()? {
        if log.sets_aside(line) {
            continue;
        }
        let taken = parse(line, dialect).and_then(|judgment| {
            let Judgment { query, group, subgroup, document, level } = judgment;
            check_ids(line, query, document)?;
            let judgment =
                GroupJudgment { group: group.into(), subgroup: subgroup.into(), document: document.into(), level };
            labels.judge_in_group(query, judgment, line.number)
        });
        if let Err(fault) = taken {
            log.skip(fault.with_excerpt(line.bytes, 0..line.bytes.len()))?;
        }
    }
    labels.check_groups()
}

fn fields<'l, const N: usize>(line: Line<'l>, expected: &'static str) -> Result<[&'l [u8]; N], Fault> {
    let fields: Vec<&[u8]> = columns::split(line.bytes, columns::Separator::Blank);
    <[&[u8]; N]>::try_from(fields).map_err(|_| wrong_columns(line, expected))
}

fn level(line: Line<'_>, field: &[u8], dialect: Option<TrecEvalReading>) -> Result<f64, Fault> {
    if dialect.is_some_and(|dialect| dialect.lenient) {
        return Ok(Some(c_number::c_float(field)).filter(|level| level.is_finite()).unwrap_or(0.0));
    }
    number::parse(field).ok_or_else(|| line.fault(field, number::fault("level", field)))
}
