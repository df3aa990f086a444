//! Answers: what a model made of the results of each question, judged elsewhere.
//!
//! ```json
//! {"query_id": "q1", "answered": true, "correct": true, "evidence_in_context": true,
//!  "faithfulness": 0.97, "latency_ms": 2100, "cost_usd": 0.003}
//! ```
//!
//! The same names as columns make a CSV or TSV file. They are no format of [`FORMATS`](super::FORMATS):
//! in the place of a run such a file is a table of saved scores, which `compare` reads.

use std::collections::HashMap;

use csv::{ReaderBuilder, StringRecord};

use super::json::{self, Kind, Node, QUERY, Record, Sketch};
use super::{FORMATS, FileFacts, Format, Position, ReadOptions, Reader, Refusal, Role, Sample, Source, empty, number};
use crate::error::{Fault, InputError, InputErrorKind};
use crate::id::{Id, escaped};
use crate::notes::Notes;

const REFUSAL: Refusal = Refusal {
    sentence: "these are answers: they hold no judgments and no results",
    help: "they come behind labels and a run",
};

static JSON: Format = Format {
    name: "answers",
    about: "answers: query_id, answered, correct, evidence_in_context",
    role: Role::Neither(REFUSAL),
    detect: |sample| sample.json().is_some_and(|sketch| sketch.rows().any(|row| row.has(&[ANSWERED]))),
    labels: None,
    run: None,
};

static TABLE: Format =
    Format { name: "answer-table", about: "answers in a table with named columns", detect: has_header, ..JSON };

const ANSWERED: &str = "answered";
const CORRECT: &str = "correct";
const EVIDENCE: &str = "evidence_in_context";
const FAITHFULNESS: &str = "faithfulness";
const LATENCY: &str = "latency_ms";
const COST: &str = "cost_usd";

/// The answers to the queries of a label file, by query.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    answers: Vec<Answer>,
    index: HashMap<Id, usize>,
}

/// What became of one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The query.
    pub query: Id,
    /// Whether there was an answer; `false` is an abstention.
    pub answered: bool,
    /// Whether it was right; `None` where nobody judged it. An abstention is never right.
    pub correct: Option<bool>,
    /// Whether the passage that holds the answer was in the context; `None` where nobody looked.
    pub evidence_in_context: Option<bool>,
    /// How much of the answer follows from the context, from 0 to 1.
    pub faithfulness: Option<f64>,
    /// Time to the whole answer in milliseconds.
    pub latency_ms: Option<f64>,
    /// Cost of the whole answer in US dollars.
    pub cost_usd: Option<f64>,
    /// Physical line, from 1.
    pub line: u64,
}

impl Answers {
    /// The answer to a query.
    pub fn answer(&self, query: &Id) -> Option<&Answer> {
        Some(&self.answers[*self.index.get(query)?])
    }

    /// Every answer, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Answer> {
        self.answers.iter()
    }

    /// Number of answers.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there is no answer at all.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    fn take(&mut self, answer: Answer) -> Result<(), InputErrorKind> {
        check(&answer)?;
        if answer.correct == Some(true) && !answer.answered {
            let (field, expected) = (CORRECT.to_owned(), "false or empty where `answered` is false");
            return Err(InputErrorKind::WrongType { field, expected, text: "true".to_owned() });
        }
        if let Some(&first) = self.index.get(&answer.query) {
            return Err(InputErrorKind::RepeatedQuery { query: answer.query, first_line: self.answers[first].line });
        }
        self.index.insert(answer.query.clone(), self.answers.len());
        self.answers.push(answer);
        Ok(())
    }
}

/// Whether a file holds answers.
pub fn looks_like_answers(sample: &Sample) -> bool {
    [&JSON, &TABLE].into_iter().any(|format| (format.detect)(sample))
}

/// Reads answers.
///
/// # Errors
/// The first fault of the file, unless faults are skipped; a file that holds something else, or no
/// answer.
pub fn read_answers(
    source: Source,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<(Answers, FileFacts), InputError> {
    let mut answers = Answers::default();
    let options = ReadOptions { format: None, ..options.clone() };
    let facts = super::read_as(source, Position::Run, &options, notes, format, |format, reader| {
        if std::ptr::eq(format, &JSON) { read_rows(reader, &mut answers) } else { read_table(reader, &mut answers) }
    })?;
    match answers.is_empty() {
        true => Err(empty(&facts, "answers")),
        false => Ok((answers, facts)),
    }
}

/// What a file is read as, which its content alone decides.
fn format(sample: &Sample, _: &ReadOptions) -> Result<&'static Format, Fault> {
    if sample.data_lines().next().is_none() {
        return Err(Fault::of_file(InputErrorKind::Empty { expected: "answers" }));
    }
    if let Some(format) = [&JSON, &TABLE].into_iter().find(|format| (format.detect)(sample)) {
        return Ok(format);
    }
    let other = FORMATS.iter().find(|format| (format.detect)(sample));
    let is_other = |format: &&&Format| !matches!(format.role, Role::Saved | Role::Neither(_));
    Err(Fault::of_file(match other.filter(is_other) {
        Some(format) => {
            let expected = "answers: rows with query_id, answered, correct and evidence_in_context";
            InputErrorKind::WrongRole { found: format.about.to_owned(), expected }
        }
        None => InputErrorKind::MissingKey { expected: missing(&names(sample)) },
    }))
}

/// The names of the first row.
fn names(sample: &Sample) -> Vec<String> {
    match sample.json() {
        Some(sketch) => {
            let first = sketch.rows().next().map(Sketch::entries).unwrap_or_default();
            first.iter().map(|(name, _)| name.clone()).collect()
        }
        None => header(sample).unwrap_or_default().iter().map(str::to_owned).collect(),
    }
}

/// ``column `answered` (it has query_id, correct)``
fn missing(names: &[String]) -> String {
    let known: Vec<String> = names.iter().take(8).map(|name| escaped(name.as_bytes())).collect();
    match known.is_empty() {
        true => format!("column `{ANSWERED}`"),
        false => format!("`{ANSWERED}` (it has {})", known.join(", ")),
    }
}

fn read_rows(reader: &mut Reader, answers: &mut Answers) -> Result<(), Fault> {
    json::each_row(reader, |row, _| {
        if json::meta(row).is_some() {
            return Ok(());
        }
        let answer = answer(row)?;
        answers.take(answer).map_err(|kind| row.node.fault(kind))
    })
}

fn answer(row: &Record<'_>) -> Result<Answer, Fault> {
    let flag = |name: &'static str| row.optional(&[name]).map_or(Ok(None), |node| flag(node, name));
    let number = |name: &'static str| row.optional(&[name]).map(|node| node.number(name)).transpose();
    let answered = row.need(&[ANSWERED], "`answered`")?;
    Ok(Answer {
        query: Id::from(&*json::query_id(row)?),
        answered: self::flag(answered, ANSWERED)?.ok_or_else(|| answered.wrong_type(ANSWERED, FLAG))?,
        correct: flag(CORRECT)?,
        evidence_in_context: flag(EVIDENCE)?,
        faithfulness: number(FAITHFULNESS)?,
        latency_ms: number(LATENCY)?,
        cost_usd: number(COST)?,
        line: row.node.line(),
    })
}

/// Checks that the numbers of an answer are such as can be.
fn check(answer: &Answer) -> Result<(), InputErrorKind> {
    let numbers = [
        (FAITHFULNESS, answer.faithfulness, 1.0, "a number from 0 to 1"),
        (LATENCY, answer.latency_ms, f64::INFINITY, "a number from 0"),
        (COST, answer.cost_usd, f64::INFINITY, "a number from 0"),
    ];
    for (field, number, highest, expected) in numbers {
        if let Some(number) = number.filter(|number| !(0.0..=highest).contains(number)) {
            return Err(InputErrorKind::OutOfRange { field, expected, text: number.to_string() });
        }
    }
    Ok(())
}

const FLAG: &str = "true or false";

fn flag(node: Node<'_>, name: &str) -> Result<Option<bool>, Fault> {
    let text = if node.kind() == Kind::Text { node.text(name)?.into_owned() } else { node.raw().to_owned() };
    word(&text).map_err(|()| node.wrong_type(name, FLAG))
}

/// A flag as it is written in JSON, Python and tables; nothing, where there is nothing.
fn word(text: &str) -> Result<Option<bool>, ()> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "1.0" => Ok(Some(true)),
        "false" | "0" | "0.0" => Ok(Some(false)),
        "" | "null" | "none" | "nan" => Ok(None),
        _ => Err(()),
    }
}

fn has_header(sample: &Sample) -> bool {
    header(sample).is_some_and(|names| names.iter().any(|name| name == ANSWERED))
}

/// The first line of a table as names.
fn header(sample: &Sample) -> Option<StringRecord> {
    let line = sample.data_lines().next().filter(|_| !sample.is_json())?;
    open(sample.head(), line).headers().ok().cloned()
}

fn open<'a>(text: &'a [u8], header: &[u8]) -> csv::Reader<&'a [u8]> {
    let delimiter = [b'\t', b';', b','].into_iter().find(|delimiter| header.contains(delimiter)).unwrap_or(b',');
    // With LF alone as the line end lines are counted right; a CR before it is a blank.
    let mut builder = ReaderBuilder::new();
    builder.delimiter(delimiter).terminator(csv::Terminator::Any(b'\n')).comment(Some(b'#')).trim(csv::Trim::All);
    builder.from_reader(text)
}

fn read_table(reader: &mut Reader, answers: &mut Answers) -> Result<(), Fault> {
    let first = reader.sample.data_lines().next().unwrap_or_default();
    let text = reader.source.text()?;
    let mut table = open(text.as_bytes(), first);
    let columns = Columns::new(table.headers().map_err(|error| csv_fault(&error))?)?;
    for row in table.records() {
        let taken = row.map_err(|error| csv_fault(&error)).and_then(|row| {
            let line = row.position().map_or(0, csv::Position::line);
            let answer = columns.answer(&row, line);
            answer.and_then(|answer| answers.take(answer)).map_err(|kind| Fault::at_line(line, kind))
        });
        taken.or_else(|fault| reader.log.skip(fault))?;
    }
    Ok(())
}

fn csv_fault(error: &csv::Error) -> Fault {
    let line = error.position().map(csv::Position::line);
    let kind = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            InputErrorKind::RowLength { expected: *expected_len as usize, found: *len as usize }
        }
        _ => InputErrorKind::Csv { reason: error.to_string() },
    };
    Fault { line, ..Fault::of_file(kind) }
}

/// Which column holds what.
struct Columns {
    query: usize,
    answered: usize,
    correct: Option<usize>,
    evidence: Option<usize>,
    faithfulness: Option<usize>,
    latency: Option<usize>,
    cost: Option<usize>,
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, Fault> {
        let find = |names: &[&str]| header.iter().position(|column| names.contains(&column));
        let need = |names: &[&str]| {
            let expected =
                || format!("column `{}` (it has {})", names[0], header.iter().collect::<Vec<_>>().join(", "));
            find(names).ok_or_else(|| Fault::at_line(1, InputErrorKind::MissingKey { expected: expected() }))
        };
        Ok(Self {
            query: need(QUERY)?,
            answered: need(&[ANSWERED])?,
            correct: find(&[CORRECT]),
            evidence: find(&[EVIDENCE]),
            faithfulness: find(&[FAITHFULNESS]),
            latency: find(&[LATENCY]),
            cost: find(&[COST]),
        })
    }

    fn answer(&self, row: &StringRecord, line: u64) -> Result<Answer, InputErrorKind> {
        let cell = |column: Option<usize>| column.and_then(|column| row.get(column)).unwrap_or_default();
        let wrong = |name: &str, text: &str| {
            let (field, text) = (name.to_owned(), escaped(text.as_bytes()));
            InputErrorKind::WrongType { field, expected: FLAG, text }
        };
        let flag = |column, name| word(cell(column)).map_err(|()| wrong(name, cell(column)));
        let number = |column, name| match cell(column) {
            "" => Ok(None),
            text => number::parse(text.as_bytes()).map(Some).ok_or_else(|| number::fault(name, text.as_bytes())),
        };
        if cell(Some(self.query)).is_empty() {
            return Err(InputErrorKind::EmptyField { field: "query id" });
        }
        Ok(Answer {
            query: Id::from(cell(Some(self.query))),
            answered: flag(Some(self.answered), ANSWERED)?.ok_or_else(|| wrong(ANSWERED, ""))?,
            correct: flag(self.correct, CORRECT)?,
            evidence_in_context: flag(self.evidence, EVIDENCE)?,
            faithfulness: number(self.faithfulness, FAITHFULNESS)?,
            latency_ms: number(self.latency, LATENCY)?,
            cost_usd: number(self.cost, COST)?,
            line,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::OnError;

    fn read(text: &str, on_error: OnError) -> Result<(Answers, FileFacts), InputError> {
        let options = ReadOptions { on_error, ..ReadOptions::default() };
        read_answers(Source::from_bytes("answers", text.into()), &options, &mut Notes::default())
    }

    fn shown(text: &str) -> Vec<String> {
        let (answers, _) = read(text, OnError::Stop).unwrap_or_else(|error| panic!("{error}"));
        let flag = |flag: Option<bool>| flag.map_or("?", |flag| if flag { "+" } else { "-" });
        let show = |answer: &Answer| {
            let flags = [Some(answer.answered), answer.evidence_in_context, answer.correct].map(flag).concat();
            format!("{} {flags} {:?}", answer.query, answer.faithfulness)
        };
        answers.iter().map(show).collect()
    }

    fn error(text: &str) -> String {
        read(text, OnError::Stop).unwrap_err().to_string()
    }

    #[test]
    fn rows_and_tables_say_the_same() {
        let rows = concat!(
            "{\"query_id\":\"q1\",\"answered\":true,\"correct\":true,\"evidence_in_context\":true,\"faithfulness\":0.97}\n",
            "{\"query_id\":\"q2\",\"answered\":false,\"correct\":null,\"evidence_in_context\":false}\n",
            "{\"query_id\":3,\"answered\":1,\"correct\":0}\n",
        );
        let expected = ["q1 +++ Some(0.97)", "q2 --? None", "3 +?- None"];
        assert_eq!(shown(rows), expected);
        let table = "query_id,answered,correct,evidence_in_context,faithfulness\n\
                     q1,true,True,1,0.97\nq2,False,,0,\n3,1.0,0.0,,\n";
        assert_eq!(shown(table), expected);
        assert_eq!(shown(&table.replace(',', "\t")), expected);
        assert_eq!(shown(&table.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn what_is_missing_or_contradicts_itself_is_named() {
        assert_eq!(
            error("{\"query_id\":\"q\",\"correct\":true}"),
            "answers: has no `answered` (it has query_id, correct)"
        );
        assert_eq!(error("query_id,correct\nq,1\n"), "answers: has no `answered` (it has query_id, correct)");
        assert_eq!(error("answered,correct\n1,1\n"), "answers:1: has no column `query_id` (it has answered, correct)");
        assert_eq!(error("query_id,answered\nq,maybe\n"), "answers:2: answered must be true or false: `maybe`");
        assert_eq!(
            error("{\"query_id\":\"q\",\"answered\":false,\"correct\":true}"),
            "answers:1:1: correct must be false or empty where `answered` is false: `true`"
        );
        assert_eq!(error("query_id,answered\nq,1\nq,0\n"), "answers:3: query `q` stands twice (first at line 2)");
        assert_eq!(error("query_id,answered\r\nq,1\r\nr,x\r\n"), "answers:3: answered must be true or false: `x`");
        assert_eq!(error(""), "answers: is empty: expected answers");
        let number = |field, value: &str| error(&format!("query_id,answered,{field}\nq,1,{value}\n"));
        assert_eq!(number("faithfulness", "1.7"), "answers:2: faithfulness must be a number from 0 to 1: `1.7`");
        assert_eq!(number("latency_ms", "-5"), "answers:2: latency_ms must be a number from 0: `-5`");
    }

    #[test]
    fn a_run_in_the_place_of_answers_is_named() {
        let text = error("q1 Q0 d1 1 9.0 tag\n");
        assert!(text.starts_with("answers: looks like TREC run"), "{text}");
    }

    #[test]
    fn a_faulty_row_can_be_left_out() {
        let (answers, facts) = read("query_id,answered\nq1,1\nq2,x\n,1\n", OnError::Skip).unwrap();
        assert_eq!((answers.len(), facts.skipped), (1, 2));
    }
}
