//! The kinds of fault: what each is, its code, its sentence and what to do, in one place a kind.

use std::fmt;

use super::FirstPlace;
use crate::id::Id;

/// Makes the enum of the kinds and what is said of each: `Kind { parts } = code of scope: sentence`,
/// then `=> help` where that of the scope does not do. The texts name parts in braces.
macro_rules! kinds {
    ($(
        $(#[$about:meta])*
        $kind:ident $({ $($(#[$about_part:meta])* $part:ident: $type:ty,)+ })? = $code:literal of $scope:ident:
            $sentence:literal $(, $word:expr)* $(=> help $help:literal $(, $help_word:expr)*)?;
    )+) => {
        /// The kinds of fault. Messages are one line, lower case, and quote what the file says.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum InputErrorKind {
            $($(#[$about])* $kind $({ $($(#[$about_part])* $part: $type,)+ })?,)+
        }

        impl fmt::Display for InputErrorKind {
            #[allow(unused_variables, reason = "a text need not name every part")]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$kind $({ $($part),+ })? => write!(f, $sentence $(, $word)*),)+
                }
            }
        }

        impl InputErrorKind {
            /// The code by which `explain` knows it. Codes never change their meaning.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $code,)+
                }
            }

            /// What of the file cannot be read for it.
            fn scope(&self) -> Scope {
                match self {
                    $(Self::$kind { .. } => Scope::$scope,)+
                }
            }

            /// Its own help, which may be empty.
            #[allow(unused_variables, reason = "a text need not name every part")]
            fn own_help(&self) -> Option<String> {
                match self {
                    $(Self::$kind $({ $($part),+ })? => None$(.or_else(|| Some(format!($help $(, $help_word)*))))?,)+
                }
            }
        }
    };
}

kinds! {
    /// The path does not exist, or cannot be read.
    Unreadable {
        /// What the operating system says.
        reason: String,
    } = "E001" of File: "cannot be read: {reason}";
    /// The path is a directory.
    Directory = "E001" of File: "is a directory, not a file";
    /// There is nothing in the file, or nothing but blank lines and comments.
    Empty {
        /// Labels or a run.
        expected: &'static str,
    } = "E002" of File: "is empty: expected {expected}";
    /// No row is left once the faulty ones are left out.
    NothingLeft {
        /// The number of faulty rows.
        skipped: u64,
    } = "E002" of File: "has no row that can be read: {skipped} are faulty";
    /// A container that is recognised but not read.
    Container {
        /// The name of the container.
        container: &'static str,
        /// The command that makes a readable file of it.
        command: String,
    } = "E003" of File: "is {container}, which is not read directly"
        => help "this makes a file that can be read: {command}";
    /// A damaged compressed file.
    Damaged {
        /// The name of the container.
        container: &'static str,
        /// What the decoder says.
        reason: String,
    } = "E004" of File: "the {container} data is damaged: {reason}";
    /// No format fits.
    UnknownFormat {
        /// What stands at the start of the file.
        hint: String,
    } = "E005" of File: "is in no format that can be recognised: {hint}";
    /// A name that no format has.
    UnknownFormatName {
        /// The name as it was given.
        name: String,
        /// Labels or a run.
        place: &'static str,
        /// The formats that there are for it.
        known: String,
    } = "E005" of File: "`{name}` is no format of {place}"
        => help "the formats are {known}";
    /// A layout that is recognised and holds no ids to measure with.
    Refused {
        /// The name of the format, where it has one.
        format: Option<&'static str>,
        /// What the file is, in a sentence.
        sentence: String,
        /// What to do.
        help: String,
    } = "E006" of File: "{sentence}"
        => help "{help}";
    /// Saved scores without a score.
    NoScores = "E006" of File: "holds no scores per query"
        => help "a table of scores has a column with the query's id, and one for each measure";
    /// A result of unknown length where lengths are added up.
    WithoutLength {
        /// The document or chunk.
        document: Id,
    } = "E006" of File: "a budget needs lengths, and `{document}` has none"
        => help "results take `tokens`, and so do the chunks of a map";
    /// A file of the other role: a run where labels are expected, or labels where a run is.
    WrongRole {
        /// What the file looks like, with its format.
        found: String,
        /// What must stand here.
        expected: &'static str,
    } = "E007" of File: "looks like {found}, expected {expected}";
    /// Text that must be UTF-8 is not.
    NotUtf8 = "E008" of Row: "is not UTF-8 text";
    /// Text that is not JSON.
    Json {
        /// What the parser says, without its position.
        reason: String,
    } = "E009" of File: "is not valid JSON: {reason}"
        => help "{}", after_json(reason);
    /// Text that is not CSV.
    Csv {
        /// What the parser says, without its position.
        reason: String,
    } = "E009" of File: "is not valid CSV: {reason}";
    /// A quote in a cell of a CSV file where none can be.
    StrayQuote {
        /// Where the quote stands.
        reason: &'static str,
        /// The cell, escaped.
        text: String,
    } = "E009" of Row: "is not valid CSV: {reason}: `{text}`"
        => help "a cell that holds quotes stands in quotes, each of its own written twice: `{}`", "\"a\"\"b\"";
    /// A row with the wrong number of columns.
    Columns {
        /// The columns that the format has, in words.
        expected: &'static str,
        /// The number found.
        found: usize,
    } = "E010" of Row: "expected {expected}, found {found}";
    /// A row with another number of columns than the header.
    RowLength {
        /// The number of columns of the header.
        expected: usize,
        /// The number found.
        found: usize,
    } = "E010" of Row: "expected {expected} columns as in the header, found {found}";
    /// A line between whose columns stand tabs, among lines with blanks, or the other way round.
    MixedSeparators {
        /// What stands between the columns of the line.
        found: &'static str,
        /// What stands between the columns of most lines.
        expected: &'static str,
    } = "E010" of Row: "its columns stand between {found}, those of most lines between {expected}";
    /// A line that is too long to be one.
    LongLine {
        /// The length that is read at most.
        limit: usize,
    } = "E010" of File: "the line is longer than {limit} MiB";
    /// More judgments than there are numbers for.
    TooManyJudgments = "E010" of File: "more than 4,294,967,295 judgments are too many";
    /// More results of one query than there is room for.
    LongRanking {
        /// The query.
        query: Id,
    } = "E010" of File: "the ids of the results of query `{query}` are longer than 4 GiB";
    /// A key that every row must have is missing.
    MissingKey {
        /// The key or keys that are expected, in words.
        expected: String,
    } = "E011" of Row: "has no {expected}";
    /// No column or key has the name of a grade or a score, and one of an unknown name may be it.
    UnknownNames {
        /// What is missing: a grade, or a score or a rank.
        wanted: &'static str,
        /// The names that are not known, quoted.
        names: String,
    } = "E011" of File: "has no {wanted}, but {names}, which may be meant as one"
        => help "rename the one that {}, or leave out {names}", meant_as(wanted);
    /// A value of the wrong type.
    WrongType {
        /// The field.
        field: String,
        /// The allowed types, in words.
        expected: &'static str,
        /// The text as it stands, escaped and cut.
        text: String,
    } = "E011" of Row: "{field} must be {expected}: `{text}`";
    /// Text that is not a number where one must stand.
    NotANumber {
        /// The field: score, grade, rank …
        field: &'static str,
        /// The text as it stands, escaped.
        text: String,
    } = "E012" of Row: "{field} is not a number: `{text}`"
        => help "{}", decimal_point(text);
    /// A number that is not finite, or out of its range.
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The allowed values, in words.
        expected: &'static str,
        /// The text as it stands, escaped.
        text: String,
    } = "E012" of Row: "{field} must be {expected}: `{text}`";
    /// A fraction where a whole number must stand.
    NotWhole {
        /// The field.
        field: &'static str,
        /// The text as it stands, escaped.
        text: String,
    } = "E012" of Row: "{field} must be a whole number: `{text}`";
    /// A field that must not be empty.
    EmptyField {
        /// The field.
        field: &'static str,
    } = "E013" of Row: "{field} is empty";
    /// An id of a type that has no one text.
    BadId {
        /// The field.
        field: &'static str,
        /// The text as it stands, escaped.
        text: String,
    } = "E013" of Row: "{field} must be text or a whole number: `{text}`";
    /// An id that begins with a character that nobody sees.
    InvisibleStart {
        /// The field.
        field: &'static str,
        /// The character: `U+FEFF`.
        character: &'static str,
        /// The id behind it, escaped and cut.
        text: String,
    } = "E013" of Row: "{field} begins with an invisible character, {character}: `{text}`";
    /// One document twice in the ranking of one query.
    DuplicateDocument {
        /// The query.
        query: Id,
        /// The document.
        document: Id,
        /// Where the first one stands.
        first: FirstPlace,
    } = "E014" of File: "document `{document}` is twice in the ranking of query `{query}` (first at {first})"
        => help "the best-ranked one can be kept and the rest counted";
    /// One pair of query and document judged twice, with different grades.
    ConflictingLabels {
        /// The query.
        query: Id,
        /// The document.
        document: Id,
        /// The grade at this line.
        grade: f64,
        /// The grade found before.
        first_grade: f64,
        /// Where it stands.
        first_line: u64,
        /// Whether the second column of the two lines differs (subtopics).
        subtopics: bool,
    } = "E015" of File:
        "query `{query}`, document `{document}` is judged {grade} here and {first_grade} at line {first_line}"
        => help "{}", of_two_grades(*subtopics);
    /// One query in two lines of a layout that holds a query a line.
    RepeatedQuery {
        /// The query.
        query: Id,
        /// Where it stands first.
        first_line: u64,
    } = "E016" of Row: "query `{query}` stands twice (first at line {first_line})";
    /// One step of a query in two lines of a layout that holds a search call a line.
    RepeatedStep {
        /// The query.
        query: Id,
        /// The step.
        step: u32,
        /// Where it stands first.
        first_line: u64,
    } = "E016" of Row: "query `{query}` has step {step} twice (first at line {first_line})"
        => help "each search call of a query has a number of its own, also where two are made at once";
    /// One chunk in two rows of a chunk map.
    RepeatedChunk {
        /// The chunk.
        id: Id,
        /// Where it stands first.
        first_line: u64,
    } = "E016" of Row: "chunk `{id}` stands twice (first at line {first_line})";
    /// A query whose results come back after those of another, where that cannot be read on.
    QueryComesBack {
        /// The query.
        query: Id,
    } = "E016" of File: "the results of query `{query}` come back after those of another query";
    /// Rows of labels of which some have a grade and some have none.
    MixedGrades = "E017" of Row: "some rows have a grade and some have none";
    /// A ranking in which some results have a score and some have none.
    MixedOrder {
        /// The query.
        query: Id,
    } = "E017" of Row: "some results of query `{query}` have a score and some have none";
    /// One key twice in one JSON object.
    RepeatedKey {
        /// The key, escaped.
        key: String,
    } = "E018" of Row: "has the key `{key}` twice";
    /// Two columns of a table for one thing.
    RivalColumns {
        /// The name of the first, escaped.
        first: String,
        /// The name of the second, escaped.
        second: String,
        /// Their places in the header, from 1.
        places: (usize, usize),
    } = "E018" of File: "{}", rivals(first, second, *places)
        => help "leave one of the two out, or give it another name";
    /// Two keys of a JSON object for one thing.
    RivalKeys {
        /// The first, escaped.
        first: String,
        /// The second, escaped.
        second: String,
    } = "E018" of File: "has the keys `{first}` and `{second}`, which mean the same"
        => help "leave one of the two out, or give it another name";
    /// Several runs in one file, of which none or no single one was chosen.
    Subset {
        /// The name that was asked for, escaped.
        wanted: Option<String>,
        /// The names there are, escaped.
        choices: String,
    } = "E019" of File: "{}: {choices}", not_chosen(wanted.as_deref());
    /// One file where labels and a run are needed.
    OneOfTwo {
        /// What the file holds.
        found: &'static str,
        /// What is missing.
        missing: &'static str,
    } = "E020" of File: "is the only file and holds {found}; expected {missing} beside it"
        => help "labels come first, then runs: {missing} {} still needed", is_or_are(missing);
    /// Preferences of one judgment group that contradict each other.
    Contradiction {
        /// The query.
        query: Id,
        /// The judgment group.
        group: Id,
        /// The document.
        document: Id,
    } = "E021" of File: "query `{query}`: judgment group `{group}` contradicts itself about document `{document}`";
}

impl std::error::Error for InputErrorKind {}

/// What of a file cannot be read for a fault.
#[derive(PartialEq)]
enum Scope {
    /// One row: the others can be read without it.
    Row,
    /// The file, or what follows in it.
    File,
}

impl InputErrorKind {
    /// Whether the rest of the file can be read without the row at fault, as
    /// [`OnError::Skip`](crate::input::OnError::Skip) does.
    pub fn is_of_one_row(&self) -> bool {
        self.scope() == Scope::Row
    }

    /// What to do next, in a sentence without a full stop.
    pub fn help(&self) -> Option<String> {
        self.own_help().filter(|help| !help.is_empty())
    }
}

fn rivals(first: &str, second: &str, places: (usize, usize)) -> String {
    let (one, two) = places;
    match first == second {
        true => format!("has the column `{first}` twice: columns {one} and {two}"),
        false => format!("has the columns `{first}` ({one}) and `{second}` ({two}), which mean the same"),
    }
}

fn not_chosen(wanted: Option<&str>) -> String {
    match wanted {
        Some(name) => format!("`{name}` does not name one of its subsets"),
        None => "holds several subsets, and none is chosen".to_owned(),
    }
}

fn meant_as(wanted: &str) -> &'static str {
    match wanted {
        "grade" => "holds the grade to `grade`",
        _ => "orders the results to `score` or `rank`",
    }
}

fn is_or_are(missing: &str) -> &'static str {
    if missing == "labels" { "are" } else { "is" }
}

fn of_two_grades(subtopics: bool) -> &'static str {
    match subtopics {
        true => "the second column differs, so these may be subtopics: the largest grade can be kept",
        false => "the largest grade can be kept, or the last one",
    }
}

fn after_json(reason: &str) -> &'static str {
    match reason.starts_with("expected a number, found") {
        true => "NaN and Infinity are no JSON numbers; `json.dump(..., allow_nan=False)` finds them",
        false => "",
    }
}

/// The number that is meant by one with a comma where the point must stand; empty for other text.
fn decimal_point(text: &str) -> String {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match unsigned.split_once(',') {
        Some((whole, decimals)) if digits(whole) && digits(decimals) => {
            format!("numbers take a decimal point: `{}`", text.replace(',', "."))
        }
        _ => String::new(),
    }
}
