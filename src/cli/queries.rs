//! `raglens queries`: one row per query, and one query in detail.

mod condition;
pub(super) mod detail;

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use raglens::compare::{ranking_facts, tag_names};
use raglens::id::Id;
use raglens::labels::Labels;
use raglens::measure::{self, Measure};
use raglens::notes::Notes;
use rayon::prelude::*;

use super::compare::inputs::{self as of_compare, Argument, Content, Input};
use super::compare::metrics::column;
use super::console::Console;
use super::conventions::ConventionArgs;
use super::failure::Failure;
use super::ids::IdArgs;
use super::inputs::{self, ReadLabels, ReadRun, ReadingArgs};
use super::measures::{self, cutoff};
use super::output::Output;
use super::scoring::Scoring;
use super::{CommandDef, files, join, names};
use crate::render::Look;
use crate::render::errors::Message;
use crate::render::eval::report::{FilePart, RunPart};
use crate::render::queries::report::{Report, Row};
use crate::render::queries::{self as view, Format};
use condition::{Condition, Known, Name, Sorting};

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "queries",
    group: "Measure",
    arguments: QueriesArgs::augment_args,
    run: |matches, console| run(&super::parsed::<QueriesArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens queries labels.jsonl run.trec --where 'recall@10 = 0'
  raglens queries labels.jsonl old.trec new.trec --sort delta --limit 20
  raglens queries labels.jsonl old.trec new.trec --where 'intent = how-to and first[new] > 3'
  raglens queries labels.jsonl old.trec new.trec --show q17 --corpus corpus.jsonl
";

/// The measures when none are asked for, at the first cutoff.
const MEASURES: &str = "recall,mrr,ndcg";

/// Look at single queries: which fail, which changed, and why
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct QueriesArgs {
    /// Labels (qrels)
    labels: String,

    /// Runs or saved scores; name=path gives one a name
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,

    /// Measures such as recall@5,ndcg@10 [default: recall, mrr and ndcg at the first cutoff]
    #[arg(short, long = "metric", value_name = "M", aliases = ["measure", "metrics", "measures"], help_heading = "Measures")]
    metric: Vec<String>,

    /// Cutoffs for measures without an @ [default: 5]
    #[arg(short = 'k', long, value_name = "K", value_delimiter = ',', value_parser = cutoff, help_heading = "Measures")]
    cutoffs: Vec<u64>,

    /// Keep queries for which a condition holds: 'recall@5 = 0', 'intent = how-to', 'delta < 0'
    ///
    /// On the left stands a measure, a tag, `first` (the rank of the first relevant document) or
    /// `delta` (the change of the first measure from the first run to the last); then one of
    /// = != < <= > >=. A run in brackets, `recall@5[dense] = 0`, means that one; without it the
    /// condition must hold for every run. `and` joins conditions.
    #[arg(long = "where", value_name = "CONDITION", help_heading = "Queries")]
    conditions: Vec<String>,

    /// Sort by a measure, a tag, first or delta; a - in front puts the largest first
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, help_heading = "Queries")]
    sort: Option<String>,

    /// The N queries with the lowest first measure; of several runs, with the largest loss
    #[arg(long, value_name = "N", conflicts_with = "sort", help_heading = "Queries")]
    worst: Option<usize>,

    /// Put the queries together by the values of tags, and show these
    #[arg(
        long,
        value_name = "TAG",
        value_delimiter = ',',
        hide_short_help = true,
        help_heading = "Queries",
        conflicts_with = "show"
    )]
    by: Vec<String>,

    /// Show at most N queries
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Queries")]
    limit: Option<usize>,

    /// Show the ranked lists of one query side by side
    #[arg(long, value_name = "ID", alias = "query", help_heading = "Queries", conflicts_with_all = ["conditions", "sort", "worst", "limit"])]
    show: Option<String>,

    /// Results of each run that --show lists; relevant documents too, but at least 20
    #[arg(long, value_name = "N", default_value_t = 10, hide_short_help = true, help_heading = "Queries")]
    depth: usize,

    /// Texts of documents, to stand beside their ids
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Queries")]
    corpus: Option<String>,

    /// Texts of queries, where the labels have none
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Queries")]
    query_text: Option<String>,

    #[command(flatten)]
    conventions: ConventionArgs,

    #[command(flatten)]
    ids: IdArgs,

    #[command(flatten)]
    reading: ReadingArgs,

    /// text, json, jsonl, csv, tsv or md
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "text",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    format: Format,

    /// Write the results to a file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Decimals of a value
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true, help_heading = "Output", value_parser = clap::value_parser!(u8).range(0..=15))]
    digits: u8,
}

fn run(args: &QueriesArgs, console: &Console) -> Result<Output, Failure> {
    let arguments: Vec<Argument> = args.runs.iter().map(|text| Argument::parse(text)).collect();
    let paths = arguments.iter().map(|argument| &argument.run).cloned().collect::<Vec<_>>();
    inputs::check_standard_input(&args.labels, &paths)?;
    let mut read_files: Vec<&str> = paths.iter().map(|run| run.path.as_str()).chain([args.labels.as_str()]).collect();
    read_files.extend([&args.corpus, &args.query_text].into_iter().flatten().map(String::as_str));
    files::check(&[("-o", args.output.as_deref())], &read_files)?;
    let read = inputs::labels(&args.labels, &paths, &args.reading)?;
    let misplaced = |_: &str| "labels come first, then runs:\nraglens queries LABELS RUN".to_owned();
    let inputs = of_compare::read(of_compare::open(arguments, &args.reading, misplaced)?, &args.reading)?;
    let report = args.report(&read, inputs)?;
    let look = Look { signs: console.signs(), digits: args.digits.into() };
    let result = view::render(&report, args.format, &look);
    let all = std::iter::once(&report.labels).chain(&report.files).collect::<Vec<&FilePart>>();
    let messages = console.messages(&all, &report.notes);
    Ok(Output { result, messages, ..Output::default() }.redirected(args.output.as_deref()))
}

/// The values of one run by query.
struct Taken<'m> {
    file: FilePart,
    notes: Notes,
    queries: Vec<Id>,
    values: Vec<Vec<Option<f64>>>,
    first: Vec<Option<u64>>,
    list: Option<detail::RankedList>,
    /// What became known of a run while it was scored.
    part: Option<RunPart<'m>>,
}

impl QueriesArgs {
    fn report(&self, read: &ReadLabels, inputs: Vec<Input>) -> Result<Report, Failure> {
        let tags = tag_names(&read.labels);
        let conditions = self.conditions.iter().map(|text| Condition::parse_all(text));
        let conditions: Vec<Condition> = conditions.collect::<Result<Vec<_>, _>>()?.concat();
        let (measures, shown) = self.measures(&conditions, &tags)?;
        let labels: Vec<String> = measures.iter().map(|measure| measure.label().to_owned()).collect();
        let measures = measures::bind(measures, &read.labels.facts())?;
        let (runs, mut taken) = self.take_all(inputs, &labels, &measures, read)?;
        let mut notes = read.notes.clone();
        taken.iter_mut().for_each(|taken| notes.extend(std::mem::take(&mut taken.notes)));
        let parts: Vec<RunPart> = taken.iter_mut().filter_map(|taken| taken.part.take()).collect();
        notes.extend(join::notes(&read.file.path, &parts, self.conventions.over, self.ids.collapse.is_some()));
        let mut rows = rows(&read.labels, &taken);
        let all = rows.len();
        let has_rankings = taken.iter().all(|taken| !taken.first.is_empty());
        let known = Known { runs, metrics: labels, tags, has_rankings };
        let filters = conditions.iter().map(|condition| condition.resolve(&known)).collect::<Result<Vec<_>, _>>()?;
        rows.retain(|row| filters.iter().all(|filter| filter.holds(row)));
        let matching = rows.len();
        self.arrange(&mut rows, &known)?;
        let detail = self.detail(read, &taken, &mut rows)?;
        self.add_texts(&mut rows)?;
        let Known { runs, mut metrics, .. } = known;
        metrics.truncate(shown);
        Ok(Report {
            labels: read.file.clone(),
            files: taken.into_iter().map(|taken| taken.file).collect(),
            runs,
            metrics,
            rows,
            all,
            matching,
            conditions: self.conditions.clone(),
            by: self.by.clone(),
            has_rankings,
            shown: detail,
            notes,
        })
    }

    /// Takes every input under a name of its own.
    fn take_all<'m>(
        &self,
        inputs: Vec<Input>,
        labels: &[String],
        measures: &'m [Measure],
        read: &'m ReadLabels,
    ) -> Result<(Vec<String>, Vec<Taken<'m>>), Failure> {
        let given: Vec<_> = inputs.iter().map(|input| (input.argument.clone(), input.tag.clone())).collect();
        let names = names::assign(&given)?;
        let take = |(input, name): (Input, &String)| self.take(input, name, labels, measures, read);
        let taken: Vec<Result<Taken, Failure>> = inputs.into_par_iter().zip(&names).map(take).collect();
        Ok((names, taken.into_iter().collect::<Result<_, _>>()?))
    }

    /// The measures: those to be shown, then those that only conditions or the order ask for.
    fn measures(&self, conditions: &[Condition], tags: &[String]) -> Result<(Vec<Measure>, usize), Failure> {
        let default = [MEASURES.to_owned()];
        let (texts, cutoffs) = match (self.metric.is_empty(), self.cutoffs.first()) {
            (true, first) => (&default[..], vec![first.copied().unwrap_or(5)]),
            (false, _) => (&self.metric[..], self.cutoffs.clone()),
        };
        let specs = measure::parse_specs(&texts.join(","))?;
        let mut measures = measure::expand(&specs, &cutoffs, self.conventions.rel)?;
        let shown = measures.len();
        let of_sort = self.sort.iter().map(|text| Name::parse(text.trim_start_matches('-')));
        for name in conditions.iter().map(|condition| condition.name.clone()).chain(of_sort) {
            let new = name.measure(tags);
            measures.extend(new.filter(|new| measures.iter().all(|known| known.label() != new.label())));
        }
        Ok((measures, shown))
    }

    fn take<'m>(
        &self,
        input: Input,
        name: &str,
        labels: &[String],
        measures: &'m [Measure],
        read: &'m ReadLabels,
    ) -> Result<Taken<'m>, Failure> {
        let shown = input.shown();
        let Input { file, notes, content, .. } = input;
        match content {
            Content::Saved(run, _) => {
                let columns: Vec<Vec<Option<f64>>> =
                    labels.iter().map(|label| column(&run, label, &shown)).collect::<Result<_, _>>()?;
                let row = |at: usize| columns.iter().map(|column| column[at]).collect();
                let values = (0..run.queries.len()).map(row).collect();
                Ok(Taken { file, notes, queries: run.queries, values, first: Vec::new(), list: None, part: None })
            }
            Content::Run(run) => self.score(*run, name, notes, measures, read),
        }
    }

    fn score<'m>(
        &self,
        run: ReadRun,
        name: &str,
        notes: Notes,
        measures: &'m [Measure],
        read: &'m ReadLabels,
    ) -> Result<Taken<'m>, Failure> {
        let scoring = Scoring::new(read, measures, &self.conventions, &self.ids, &self.reading);
        let rules = scoring.collapsed_rules();
        let (scored, (queries, first, list)) = scoring.score_with(run, |run, table| {
            let queries: Vec<Id> = table.queries().cloned().collect();
            let facts = ranking_facts(&read.labels, run, &queries, &rules)?;
            let wanted = self.show.as_deref().map(Id::from);
            let list = wanted.map(|query| detail::RankedList::of(run, &query, &rules)).transpose()?;
            Ok((queries, facts.into_iter().map(|facts| facts.first_relevant).collect(), list))
        })?;
        let values = scored.table.rows.iter().map(|row| row.cells().map(|cell| cell.value()).collect()).collect();
        let file = scored.file.clone();
        let part = Some(RunPart::new(name.to_owned(), scored.file, scored.table, scored.documents));
        Ok(Taken { file, notes, queries, values, first, list, part })
    }

    /// Sorts and cuts the rows as asked.
    fn arrange(&self, rows: &mut Vec<Row>, known: &Known) -> Result<(), Failure> {
        let worst = self.worst.map(|_| if known.runs.len() > 1 { "delta" } else { known.metrics[0].as_str() });
        if let Some(text) = self.sort.as_deref().or(worst) {
            Sorting::parse(text, known)?.sort(rows);
        }
        // The first tag is the outermost, so it is sorted by last.
        for tag in self.by.iter().rev() {
            Sorting::parse(known.tag(tag)?, known)?.sort(rows);
        }
        rows.truncate(self.worst.or(self.limit).unwrap_or(usize::MAX));
        Ok(())
    }

    /// The query that `--show` names, in detail; its row alone is kept.
    fn detail(
        &self,
        read: &ReadLabels,
        taken: &[Taken],
        rows: &mut Vec<Row>,
    ) -> Result<Option<view::report::Shown>, Failure> {
        let Some(query) = self.show.as_deref().map(Id::from) else { return Ok(None) };
        let Some(labels) = read.labels.query(&query) else {
            return Err(Failure::new(
                format!("{} has no query `{query}`", read.file.path),
                "`raglens queries LABELS RUN` without `--show` lists them",
            ));
        };
        rows.retain(|row| row.query == query);
        let lists: Vec<&detail::RankedList> = taken.iter().filter_map(|taken| taken.list.as_ref()).collect();
        if lists.len() < taken.len() {
            return Err(Message::new("saved scores have no ranked lists: `--show` takes runs").into());
        }
        let mut shown = detail::shown(labels, &lists, self.conventions.rel, self.depth);
        if let Some(path) = &self.corpus {
            let wanted = detail::documents(&shown.lists, shown.relevant.iter().map(|relevant| &relevant.document));
            let texts = inputs::texts(path, &wanted.iter().cloned().collect(), &self.reading)?;
            if texts.is_empty()
                && let Some(first) = wanted.first()
            {
                let title = format!("{path} has no text for any of the {} documents shown", wanted.len());
                return Err(Failure::new(title, format!("its rows take the ids of the run, such as `{first}`")));
            }
            shown.texts = wanted.into_iter().filter_map(|id| Some((id.clone(), texts.get(&id)?.clone()))).collect();
        }
        Ok(Some(shown))
    }

    /// Takes the texts of queries from `--query-text`.
    fn add_texts(&self, rows: &mut [Row]) -> Result<(), Failure> {
        let Some(path) = &self.query_text else { return Ok(()) };
        let texts = inputs::texts(path, &rows.iter().map(|row| row.query.clone()).collect(), &self.reading)?;
        for row in rows {
            row.text = texts.get(&row.query).cloned().or(row.text.take());
        }
        Ok(())
    }
}

/// A row for each query that some run has a value for, in the order of the labels.
fn rows(labels: &Labels, taken: &[Taken]) -> Vec<Row> {
    let positions: Vec<HashMap<&Id, usize>> = taken
        .iter()
        .map(|taken| taken.queries.iter().enumerate().map(|(position, id)| (id, position)).collect())
        .collect();
    let row = |query: &raglens::labels::QueryLabels| {
        let at: Vec<Option<usize>> = positions.iter().map(|run| run.get(query.id()).copied()).collect();
        if at.iter().all(Option::is_none) {
            return None;
        }
        let values = taken.iter().zip(&at).map(|(taken, at)| match at {
            Some(at) => taken.values[*at].clone(),
            None => vec![None; taken.values.first().map_or(0, Vec::len)],
        });
        let first = taken.iter().zip(&at).map(|(taken, at)| taken.first.get((*at)?).copied().flatten());
        Some(Row {
            query: query.id().clone(),
            text: query.about.text.clone(),
            tags: query.about.tags.clone(),
            values: values.collect(),
            first: first.collect(),
        })
    };
    labels.queries().iter().filter_map(row).collect()
}
