//! Taking arguments apart as GNU's getopt_long does for trec_eval: `-qc`, `-l2`, `-l 2`,
//! `--measure=map`, `--query` for `--query_eval_wanted`, options behind operands, and `--` before
//! the last of them.

/// An option, whatever it was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opt {
    /// Help, on standard output.
    Help,
    /// The version.
    Version,
    /// Lines for every query.
    PerQuery,
    /// A measure, with its parameters behind a point.
    Measure,
    /// Means over all queries of the labels.
    Complete,
    /// The grade from which a document is relevant.
    Level,
    /// No lines for all queries together.
    NoSummary,
    /// A level of debugging, and one query behind a point.
    Debug,
    /// Judged documents alone.
    JudgedOnly,
    /// Number of documents in the collection.
    Collection,
    /// Number of documents that are looked at for each query.
    Depth,
    /// The format of the labels.
    LabelsFormat,
    /// The format of the run.
    RunFormat,
    /// An output format that trec_eval no longer has.
    OldOutput,
    /// Means and standard deviations for Z scores.
    Zscores,
    /// Of raglens: what trec_eval 10 stops at is an error.
    Strict,
    /// Of raglens: numbers as C reads them.
    Lenient,
    /// Of raglens: the version whose output is wanted.
    Like,
}

/// One of the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// An option, with its value where it takes one.
    Option(Opt, String),
    /// What is no option: a file.
    Operand(String),
}

struct Spelling {
    opt: Opt,
    short: Option<char>,
    long: &'static str,
    takes_value: bool,
}

const fn both(opt: Opt, short: char, long: &'static str, takes_value: bool) -> Spelling {
    Spelling { opt, short: Some(short), long, takes_value }
}

const fn long(opt: Opt, long: &'static str, takes_value: bool) -> Spelling {
    Spelling { opt, short: None, long, takes_value }
}

/// The options of trec_eval.
static SPELLINGS: &[Spelling] = &[
    both(Opt::Help, 'h', "help", false),
    both(Opt::Version, 'v', "version", false),
    both(Opt::PerQuery, 'q', "query_eval_wanted", false),
    both(Opt::Measure, 'm', "measure", true),
    both(Opt::Complete, 'c', "complete_rel_info_wanted", false),
    both(Opt::Level, 'l', "level_for_rel", true),
    both(Opt::NoSummary, 'n', "nosummary", false),
    both(Opt::Debug, 'D', "Debug_level", true),
    both(Opt::JudgedOnly, 'J', "Judged_docs_only", false),
    both(Opt::Collection, 'N', "Number_docs_in_coll", true),
    both(Opt::Depth, 'M', "Max_retrieved_per_topic", true),
    both(Opt::LabelsFormat, 'R', "Rel_info_format", true),
    both(Opt::RunFormat, 'T', "Results_format", true),
    // The short form takes no value and the long one does.
    both(Opt::OldOutput, 'o', "", false),
    long(Opt::OldOutput, "Output_old_results_format", true),
    both(Opt::Zscores, 'Z', "Zscore", true),
];

/// The options of raglens; an abbreviation means one of them only if it means none of the others.
static OWN: &[Spelling] =
    &[long(Opt::Strict, "strict", false), long(Opt::Lenient, "lenient", false), long(Opt::Like, "like", true)];

/// The arguments in the order in which they stand.
///
/// # Errors
/// What is wrong with the first that is wrong, in a sentence. What stands before it is given too.
pub fn parse(words: &[String]) -> (Vec<Argument>, Result<(), String>) {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut next = || words.next().cloned();
        let taken = match word.strip_prefix('-') {
            None | Some("") => {
                found.push(Argument::Operand(word.clone()));
                Ok(())
            }
            Some("-") => {
                found.extend(words.by_ref().cloned().map(Argument::Operand));
                Ok(())
            }
            Some(rest) => match rest.strip_prefix('-') {
                Some(name) => long_option(name, &mut next).map(|option| found.push(option)),
                None => bundle(rest, &mut next, &mut found),
            },
        };
        if taken.is_err() {
            return (found, taken);
        }
    }
    (found, Ok(()))
}

/// `-qcl2`: letters, of which the first that takes a value takes the rest or the next word.
fn bundle(letters: &str, next: &mut impl FnMut() -> Option<String>, found: &mut Vec<Argument>) -> Result<(), String> {
    for (place, letter) in letters.char_indices() {
        let spelling = SPELLINGS.iter().find(|spelling| spelling.short == Some(letter));
        let spelling = spelling.ok_or_else(|| format!("there is no option -{letter}"))?;
        if !spelling.takes_value {
            found.push(Argument::Option(spelling.opt, String::new()));
            continue;
        }
        let rest = &letters[place + letter.len_utf8()..];
        let value = if rest.is_empty() { next() } else { Some(rest.to_owned()) };
        let value = value.ok_or_else(|| format!("-{letter} needs a value behind it"))?;
        found.push(Argument::Option(spelling.opt, value));
        break;
    }
    Ok(())
}

fn long_option(text: &str, next: &mut impl FnMut() -> Option<String>) -> Result<Argument, String> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
    let spelling = by_name(name)?;
    let value = match (spelling.takes_value, value) {
        (false, None) => String::new(),
        (false, Some(value)) => return Err(format!("--{} takes no value, not `{value}`", spelling.long)),
        (true, Some(value)) => value,
        (true, None) => next().ok_or_else(|| format!("--{} needs a value behind it", spelling.long))?,
    };
    Ok(Argument::Option(spelling.opt, value))
}

fn by_name(name: &str) -> Result<&'static Spelling, String> {
    let all = || SPELLINGS.iter().chain(OWN).filter(|spelling| !spelling.long.is_empty());
    if let Some(exact) = all().find(|spelling| spelling.long == name) {
        return Ok(exact);
    }
    for table in [SPELLINGS, OWN] {
        let meant: Vec<&Spelling> = table.iter().filter(|spelling| spelling.long.starts_with(name)).collect();
        match meant[..] {
            [] => {}
            [one] => return Ok(one),
            [one, other, ..] => return Err(format!("--{name} can mean --{} or --{}", one.long, other.long)),
        }
    }
    Err(format!("there is no option --{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (found, end) = parse(&words);
        let show = |argument: &Argument| match argument {
            Argument::Option(opt, value) if value.is_empty() => format!("{opt:?}"),
            Argument::Option(opt, value) => format!("{opt:?}={value}"),
            Argument::Operand(word) => format!("<{word}>"),
        };
        let mut text: Vec<String> = found.iter().map(show).collect();
        text.extend(end.err());
        text.join(" ")
    }

    #[test]
    fn letters_can_be_bundled_and_values_can_stand_behind_them() {
        assert_eq!(shown("-qcl2 a b"), "PerQuery Complete Level=2 <a> <b>");
        assert_eq!(shown("-l 2 -mP.5,10 -m map"), "Level=2 Measure=P.5,10 Measure=map");
        assert_eq!(shown("-M -5"), "Depth=-5");
        assert_eq!(shown("-o a"), "OldOutput <a>");
    }

    #[test]
    fn long_names_can_be_cut_short() {
        assert_eq!(shown("--measure=map --query --lev 2"), "Measure=map PerQuery Level=2");
        assert_eq!(shown("--l 2 --len --like=9"), "Level=2 Lenient Like=9");
        assert_eq!(shown("--R x"), "--R can mean --Rel_info_format or --Results_format");
        assert_eq!(shown("--Output_old_results_format x"), "OldOutput=x");
    }

    #[test]
    fn options_may_follow_files_until_two_dashes() {
        assert_eq!(shown("a -q - -c"), "<a> PerQuery <-> Complete");
        assert_eq!(shown("-q -- -c --x"), "PerQuery <-c> <--x>");
    }

    #[test]
    fn what_is_wrong_is_said_after_what_came_before() {
        assert_eq!(shown("-v -x"), "Version there is no option -x");
        assert_eq!(shown("-q --nothing"), "PerQuery there is no option --nothing");
        assert_eq!(shown("-m"), "-m needs a value behind it");
        assert_eq!(shown("--help=x"), "--help takes no value, not `x`");
        assert_eq!(shown("--measure"), "--measure needs a value behind it");
    }
}
