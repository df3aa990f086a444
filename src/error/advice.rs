//! The code of each kind of fault, and what to do about it.

use super::InputErrorKind;

impl InputErrorKind {
    /// The code by which `explain` knows it. Codes never change their meaning.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } | Self::Directory => "E001",
            Self::Empty { .. } | Self::NothingLeft { .. } => "E002",
            Self::Container { .. } => "E003",
            Self::Damaged { .. } => "E004",
            Self::UnknownFormat { .. } | Self::UnknownFormatName { .. } => "E005",
            Self::Refused { .. } => "E006",
            Self::WrongRole { .. } => "E007",
            Self::NotUtf8 => "E008",
            Self::Json { .. } | Self::Csv { .. } | Self::StrayQuote { .. } => "E009",
            Self::Columns { .. } | Self::RowLength { .. } | Self::MixedSeparators { .. } => "E010",
            Self::LongLine { .. } | Self::LongRanking { .. } | Self::TooManyJudgments => "E010",
            Self::MissingKey { .. } | Self::UnknownNames { .. } | Self::WrongType { .. } => "E011",
            Self::NotANumber { .. } | Self::OutOfRange { .. } | Self::NotWhole { .. } => "E012",
            Self::BadId { .. } | Self::EmptyField { .. } | Self::InvisibleStart { .. } => "E013",
            Self::DuplicateDocument { .. } => "E014",
            Self::ConflictingLabels { .. } => "E015",
            Self::RepeatedQuery { .. } | Self::RepeatedChunk { .. } | Self::QueryComesBack { .. } => "E016",
            Self::MixedOrder { .. } | Self::MixedGrades => "E017",
            Self::RepeatedKey { .. } | Self::RivalColumns { .. } => "E018",
            Self::Subset { .. } => "E019",
            Self::OneOfTwo { .. } => "E020",
            Self::Contradiction { .. } => "E021",
        }
    }

    /// What to do next, in a sentence without a full stop.
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Self::Container { command, .. } => format!("this makes a file that can be read: {command}"),
            Self::Refused { help, .. } => help.clone(),
            Self::UnknownFormatName { known, .. } => format!("the formats are {known}"),
            Self::NotANumber { text, .. } if is_decimal_comma(text) => {
                format!("numbers take a decimal point: `{}`", text.replace(',', "."))
            }
            Self::Json { reason } if reason.starts_with("expected a number, found") => {
                "NaN and Infinity are no JSON numbers; `json.dump(..., allow_nan=False)` finds them".to_owned()
            }
            Self::UnknownNames { wanted: "grade", names } => {
                format!("rename the one that holds the grade to `grade`, or leave out {names}")
            }
            Self::UnknownNames { names, .. } => {
                format!("rename the one that orders the results to `score` or `rank`, or leave out {names}")
            }
            Self::DuplicateDocument { .. } => {
                "`--duplicates first` keeps the best-ranked one and counts the rest".to_owned()
            }
            Self::ConflictingLabels { subtopics: true, .. } => {
                "the second column differs, so these may be subtopics: `--duplicate-labels max` keeps the largest grade"
                    .to_owned()
            }
            Self::ConflictingLabels { .. } => {
                "`--duplicate-labels max` keeps the largest grade, `--duplicate-labels last` the last one".to_owned()
            }
            Self::OneOfTwo { missing, .. } => format!(
                "labels come first, then runs: {missing} {} still needed",
                if *missing == "labels" { "are" } else { "is" }
            ),
            Self::Empty { expected: "a run" } => "`--allow-empty` scores it as empty rankings".to_owned(),
            Self::RivalColumns { .. } => "leave one of the two out, or give it another name".to_owned(),
            Self::Json { .. } => {
                "in a file of one object a line, `--on-error skip` leaves such lines out and counts them".to_owned()
            }
            Self::StrayQuote { .. } => {
                "a cell that holds quotes stands in quotes, with each of its own written twice: `\"a\"\"b\"`; \
                 `--on-error skip` leaves such rows out and counts them"
                    .to_owned()
            }
            kind if kind.is_of_one_row() => "`--on-error skip` leaves such rows out and counts them".to_owned(),
            _ => return None,
        };
        Some(help)
    }

    /// Whether the rest of the file can be read without the row at fault.
    pub fn is_of_one_row(&self) -> bool {
        matches!(
            self,
            Self::Columns { .. }
                | Self::RowLength { .. }
                | Self::EmptyField { .. }
                | Self::NotANumber { .. }
                | Self::OutOfRange { .. }
                | Self::NotWhole { .. }
                | Self::BadId { .. }
                | Self::MissingKey { .. }
                | Self::WrongType { .. }
                | Self::RepeatedKey { .. }
                | Self::NotUtf8
                | Self::StrayQuote { .. }
                | Self::InvisibleStart { .. }
                | Self::MixedSeparators { .. }
                | Self::RepeatedQuery { .. }
                | Self::RepeatedChunk { .. }
                | Self::MixedOrder { .. }
                | Self::MixedGrades
        )
    }
}

/// Whether a text is a number but for a comma where the point must stand.
fn is_decimal_comma(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    unsigned.split_once(',').is_some_and(|(whole, decimals)| digits(whole) && digits(decimals))
}
