//! What `--where` and `--sort` say: `recall@5 = 0 and intent = how-to`, `-delta`.

mod name;
mod words;

use crate::cli::failure::Failure;
use crate::render::queries::report::Row;
use name::{Field, Part};
pub use name::{Known, Name};

/// The signs of a condition, the longer ones first.
const SIGNS: [(&str, Sign); 7] = [
    ("==", Sign::Like),
    ("!=", Sign::Unlike),
    ("<=", Sign::AtMost),
    (">=", Sign::AtLeast),
    ("=", Sign::Like),
    ("<", Sign::Below),
    (">", Sign::Above),
];
const EXAMPLE: &str = "write --where 'recall@5 = 0', --where 'intent = how-to and first > 3' or --where 'delta < 0'";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Like,
    Unlike,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// A condition as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// What it is about.
    pub name: Name,
    sign: Sign,
    value: String,
}

impl Condition {
    /// Reads conditions with `and` between them.
    ///
    /// # Errors
    /// When one has no sign, or nothing before or behind it.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, Failure> {
        let bare = words::bare(text)?;
        words::parts(&bare).into_iter().map(|part| Self::parse(&text[part.clone()], &bare[part])).collect()
    }

    /// Reads one condition; in its bare text no sign stands within quotes.
    fn parse(text: &str, bare: &str) -> Result<Self, Failure> {
        let spaced = |text: &str| SIGNS.iter().filter_map(|(sign, _)| text.find(&format!(" {sign} "))).min();
        let any = || SIGNS.iter().filter_map(|(sign, _)| bare.find(sign)).min();
        let split = spaced(bare).map(|at| at + 1).or_else(any).and_then(|at| {
            let (sign, meaning) = SIGNS.iter().find(|(sign, _)| bare[at..].starts_with(sign))?;
            Some((at, at + sign.len(), *meaning))
        });
        let refused = |why: &str| Err(Failure::new(format!("`{}` is no condition{why}", text.trim()), EXAMPLE));
        let Some((at, behind, sign)) = split else { return refused("") };
        let (name, value) = (words::unquoted(&text[..at]), words::unquoted(&text[behind..]));
        let rest = &bare[behind..];
        if name.is_empty() || value.is_empty() {
            return refused("");
        }
        if rest.starts_with(['=', '<', '>']) {
            return refused(": its sign is none of = != < <= > >=");
        }
        if spaced(rest).is_some() || words::has_word(rest, "or") {
            return refused(": only `and` joins conditions, and a value of several words takes double quotes");
        }
        Ok(Self { name: Name::parse(name), sign, value: value.to_owned() })
    }

    /// The condition with its name resolved.
    ///
    /// # Errors
    /// When there is no such part, or a number is missing where there must be one.
    pub fn resolve(&self, known: &Known) -> Result<Filter, Failure> {
        let part = self.name.resolve(known)?;
        let number = self.value.parse::<f64>().ok().filter(|number| number.is_finite());
        let is_equality = matches!(self.sign, Sign::Like | Sign::Unlike);
        let may_be_word = matches!(part.field, Field::Tag(_)) || part.field == Field::First && self.value == "none";
        match number {
            None if !may_be_word => {
                Err(Failure::new(format!("`{}` is no number", self.value), "only tags are compared with words"))
            }
            None if !is_equality => Err(Failure::new(
                format!("`{}` is no number, and words have no order", self.value),
                "a word stands behind `=` or `!=`",
            )),
            _ => Ok(Filter { part, sign: self.sign, number, word: self.value.clone() }),
        }
    }
}

/// A condition on rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    part: Part,
    sign: Sign,
    number: Option<f64>,
    word: String,
}

impl Filter {
    /// Whether it holds for a query; of several runs it must hold for each.
    pub fn holds(&self, row: &Row) -> bool {
        if let Field::Tag(tag) = &self.part.field {
            let values = row.tag(tag);
            return match self.sign {
                Sign::Like => values.contains(&self.word),
                Sign::Unlike => !values.contains(&self.word),
                _ => values.iter().any(|value| self.compares(value.parse().ok())),
            };
        }
        self.part.numbers(row).into_iter().all(|number| self.compares(number))
    }

    fn compares(&self, number: Option<f64>) -> bool {
        let (number, bound) = match (number, self.number) {
            (Some(number), Some(bound)) => (number, bound),
            // No value, or no relevant document: behind every rank.
            (None, Some(_)) if self.part.field == Field::First => {
                return matches!(self.sign, Sign::Above | Sign::AtLeast | Sign::Unlike);
            }
            (number, None) => return (number.is_none() && self.word == "none") == (self.sign == Sign::Like),
            (None, Some(_)) => return false,
        };
        let is_like = number == bound || self.is_rounded_to(number);
        match self.sign {
            Sign::Like => is_like,
            Sign::Unlike => !is_like,
            Sign::Below => number < bound,
            Sign::AtMost => number <= bound,
            Sign::Above => number > bound,
            Sign::AtLeast => number >= bound,
        }
    }

    /// Whether a number is the written one once it has as many decimals: 0.333 stands for a third.
    fn is_rounded_to(&self, number: f64) -> bool {
        let decimals = self.word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        decimals > 1 && format!("{number:.decimals$}") == self.word
    }
}

/// How rows are sorted.
#[derive(Debug, Clone, PartialEq)]
pub struct Sorting {
    part: Part,
    descending: bool,
}

impl Sorting {
    /// Reads `recall@5`, or `-recall@5` for the largest first.
    ///
    /// # Errors
    /// When there is no such part.
    pub fn parse(text: &str, known: &Known) -> Result<Self, Failure> {
        let (text, descending) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
        Ok(Self { part: Name::parse(text).resolve(known)?, descending })
    }

    /// Sorts rows; equal ones keep their order, and those without a value come last.
    pub fn sort(&self, rows: &mut [Row]) {
        let is_number = !matches!(self.part.field, Field::Tag(_));
        rows.sort_by(|a, b| {
            let ((a, a_word), (b, b_word)) = (self.part.key(a), self.part.key(b));
            let by_value = match (a, b) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                _ => a_word.cmp(&b_word),
            };
            let by_value = if self.descending { by_value.reverse() } else { by_value };
            (is_number && a.is_none()).cmp(&(is_number && b.is_none())).then(by_value)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Known {
            runs: own(&["a", "b"]),
            metrics: own(&["recall@5", "rbp:p=0.95"]),
            tags: own(&["intent", "age"]),
            has_rankings: true,
        }
    }

    fn row(values: [[f64; 2]; 2], first: [Option<u64>; 2], intent: &str) -> Row {
        Row {
            query: "q".into(),
            text: None,
            tags: vec![("intent".into(), vec![intent.into()]), ("age".into(), vec!["7".into()])],
            values: values.iter().map(|run| run.map(Some).to_vec()).collect(),
            first: first.to_vec(),
        }
    }

    fn holds(text: &str, row: &Row) -> bool {
        let conditions = Condition::parse_all(text).unwrap();
        conditions.iter().all(|condition| condition.resolve(&known()).unwrap().holds(row))
    }

    #[test]
    fn conditions_are_about_measures_ranks_changes_and_tags() {
        let row = row([[0.0, 0.5], [1.0 / 3.0, 0.25]], [None, Some(4)], "this and that");
        for text in [
            "recall@5[a] = 0",
            "recall@5[a]=0 and recall@5[b] = 0.333",
            "R@5 < 1",
            "rbp:p=0.95 >= 0.25",
            "delta > 0.33 and delta != 0",
            "first[b] = 4 AND first[a] > 10",
            "first[a] = none",
            "intent = \"this and that\" and age > 6",
            "recall@5[a] == 0\nand\tintent='this and that'",
            "\"intent\" != \"a = b or c\"",
            "intent != how-to",
        ] {
            assert!(holds(text, &row), "{text}");
        }
        for text in ["recall@5 = 0", "recall@5 > 0", "first < 9", "intent = how-to", "recall@5[b] < 0.333", "age > 7"] {
            assert!(!holds(text, &row), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_understood_is_an_error() {
        for text in [
            "recall@5",
            "= 0",
            "recall@5 =",
            "nonsense = 1",
            "recall@5 = high",
            "recall@5[c] = 0",
            "delta[a] = 0",
            "recall@5 =< 1",
            "recall@5 <> 1",
            "intent < how-to",
            "first > none",
            "age <= nan",
        ] {
            let found = Condition::parse_all(text).and_then(|found| found[0].resolve(&known()));
            assert!(found.is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_part_of_a_word_is_not_taken_for_one() {
        for text in ["intent = a or first = 1", "intent = a OR b", "intent = a = b", "intent = \"a", "intent = 'a"] {
            assert!(Condition::parse_all(text).is_err(), "{text}");
        }
        let condition = &Condition::parse_all("intent=\"a >= b or c\"").unwrap()[0];
        assert_eq!((condition.name.text.as_str(), condition.value.as_str()), ("intent", "a >= b or c"));
        assert_eq!(Condition::parse_all("intent = don't").unwrap()[0].value, "don't");
    }

    #[test]
    fn rows_without_a_value_come_last_either_way() {
        let rows = || {
            vec![
                row([[0.0; 2]; 2], [None; 2], "x"),
                row([[0.0; 2]; 2], [Some(1); 2], "y"),
                row([[0.0; 2]; 2], [Some(9); 2], "z"),
            ]
        };
        let order = |text: &str| {
            let mut rows = rows();
            Sorting::parse(text, &known()).unwrap().sort(&mut rows);
            rows.iter().map(|row| row.tag("intent")[0].clone()).collect::<String>()
        };
        assert_eq!((order("first").as_str(), order("-first").as_str()), ("yzx", "zyx"));
        assert_eq!((order("intent").as_str(), order("-intent").as_str()), ("xyz", "zyx"));
    }
}
