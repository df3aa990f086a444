//! `raglens funnel`: from the search to a right answer, and where questions end.

mod numbers;

use clap::Args;
use raglens::compare::Requirement;
use raglens::evaluate::Over;
use raglens::id::Id;
use raglens::input::{Answer, Answers, Source, read_answers};
use raglens::labels::Labels;
use raglens::measure::{Measure, expand, parse_specs};
use raglens::notes::{NoteKind, Notes};
use raglens::rag::abstention::{Abstention, auroc};
use raglens::rag::funnel::{Case, funnel};
use raglens::rag::spending::{Cost, Latency};
use raglens::run::Run;
use raglens::scores::ScoreTable;

use super::CommandDef;
use super::console::Console;
use super::failure::Failure;
use super::inputs;
use super::measures::{bind, cutoff};
use super::names::RunArgument;
use super::output::Output;
use super::page::PageArgs;
use super::runs::{Gathered, RunsArgs};
use crate::render::errors::Message;
use crate::render::eval::report::FilePart;
use crate::render::funnel::report::{Asked, Report, Unanswerable};
use crate::render::listing::first;
use crate::render::{funnel as view, queries};

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "funnel",
    group: "RAG",
    arguments: FunnelArgs::augment_args,
    run: |matches, console| run(&super::parsed::<FunnelArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens funnel labels.jsonl run.jsonl answers.jsonl -k 5
  raglens funnel labels.jsonl run.trec answers.csv --targets 'correct>=0.85'
Answers, a row a question (JSONL, or CSV with the same names):
  {\"query_id\": \"q1\", \"answered\": true, \"correct\": true,
   \"evidence_in_context\": true, \"faithfulness\": 0.97}
";

/// Follow questions from the search to a right answer
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct FunnelArgs {
    /// Labels (qrels)
    labels: String,

    /// The results that the model was given
    run: String,

    /// Answers: query_id, answered, correct, evidence_in_context
    answers: String,

    /// Results that the model reads
    #[arg(short = 'k', long = "cutoff", alias = "cutoffs", value_name = "K", default_value_t = 5, value_parser = cutoff, help_heading = "Funnel")]
    k: u64,

    /// Targets such as 'recall>=0.9,correct>=0.85'; a missed one ends with exit 1
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Funnel")]
    targets: Vec<Requirement>,

    /// Name every question that ends before the end
    #[arg(long, help_heading = "Funnel")]
    list: bool,

    #[command(flatten)]
    runs: RunsArgs,

    #[command(flatten)]
    page: PageArgs,
}

/// The measures of the run: the first decides whether a question passes the search.
const MEASURES: &str = "hit,recall,ndcg,precision";

fn run(args: &FunnelArgs, console: &Console) -> Result<Output, Failure> {
    args.page.check(&[&args.labels, &args.run, &args.answers])?;
    let runs = [RunArgument::parse(&args.run)];
    inputs::check_standard_input(&args.labels, &[runs[0].clone(), RunArgument::of_path(&args.answers)])?;
    numbers::check(&args.targets, args.k)?;
    let measures = expand(&parse_specs(MEASURES)?, &[args.k], args.runs.conventions.rel)?;
    let read = args.runs.labels(&args.labels, &runs)?;
    let measures = bind(measures, &read.labels.facts())?;
    let gathered = args.runs.gather(&read, &runs, &measures, 0, 0)?;
    let (answers, file, notes) = args.answers()?;
    let report = args.report(&read.labels, gathered, &measures, &answers, file, notes)?;
    let result = view::render(&report, args.page.format, &args.page.look(console));
    let messages = console.messages(&report.files(), &report.frame.notes);
    Ok(args.page.deliver(result, messages, numbers::exit(&report.numbers)))
}

impl FunnelArgs {
    fn answers(&self) -> Result<(Answers, FilePart, Notes), Failure> {
        let mut notes = Notes::default();
        let source = Source::open(&self.answers)?;
        let (answers, facts) = read_answers(source, &self.runs.reading.run_options(), &mut notes)?;
        Ok((answers, inputs::file(facts), notes))
    }

    fn report(
        &self,
        labels: &Labels,
        gathered: Gathered<'_>,
        measures: &[Measure],
        answers: &Answers,
        file: FilePart,
        mut notes: Notes,
    ) -> Result<Report, Failure> {
        let unknown = answers.iter().filter(|answer| labels.query(&answer.query).is_none()).map(|answer| &answer.query);
        let unknown: Vec<Id> = unknown.cloned().collect();
        if unknown.len() == answers.len() {
            return Err(nothing_in_common(labels, &file, &unknown));
        }
        notes.add_all(NoteKind::UnlabelledQueries, &file.path, &unknown);
        let run = &gathered.runs[0];
        let rows = self.answered_rows(&gathered, answers, &file, &mut notes)?;
        let table = run.table.of_rows(&rows);
        let asked = asked(&table, answers, &file)?;
        let mut abstention = Abstention::default();
        asked.iter().for_each(|asked| abstention.add_answerable(asked.case.evidence_in_context, asked.case.answered));
        let unanswerable = unanswerable(labels, &run.run, answers, &asked, &mut abstention);
        notes.add_count(NoteKind::NoAnswer, &file.path, unanswerable.without_answer);
        let numbers = numbers::numbers(&table, &asked, answers, &self.targets, measures);
        let cases: Vec<Case> = asked.iter().map(|asked| asked.case).collect();
        let amounts = |amount: fn(&Answer) -> Option<f64>| amounts(labels, answers, amount);
        let mut frame = gathered.frame;
        frame.notes.extend(notes);
        Ok(Report {
            frame,
            answers: file,
            k: self.k,
            funnel: funnel(&cases),
            asked,
            abstention,
            unanswerable,
            numbers,
            unknown,
            latency: Latency::of(&amounts(|answer| answer.latency_ms)),
            cost: Cost::of(&amounts(|answer| answer.cost_usd)),
            list: self.list,
        })
    }

    /// The rows of the table whose questions were answered or not, as somebody wrote down.
    fn answered_rows(
        &self,
        gathered: &Gathered<'_>,
        answers: &Answers,
        file: &FilePart,
        notes: &mut Notes,
    ) -> Result<Vec<usize>, Failure> {
        let rows = &gathered.runs[0].table.rows;
        let (known, missing): (Vec<usize>, Vec<usize>) =
            (0..rows.len()).partition(|&row| answers.answer(rows.query(row)).is_some());
        let lacking: Vec<String> = missing.iter().map(|&row| rows.query(row).to_string()).collect();
        if missing.is_empty() {
            return Ok(known);
        }
        if self.runs.conventions.over != Over::Common || known.is_empty() {
            let title = format!("{} lacks {} that can be answered", file.path, queries(missing.len() as u64));
            let message = Message::new(title).with_detail(first(&lacking, 3));
            let help = "an answer that never came is `\"answered\": false`; `--over common` leaves such queries out";
            return Err(message.with_help(help).into());
        }
        notes.add_all(NoteKind::NotInAll, &file.path, &lacking);
        Ok(known)
    }
}

/// What happened to every question that can be answered and was asked.
fn asked(table: &ScoreTable, answers: &Answers, file: &FilePart) -> Result<Vec<Asked>, Failure> {
    let asked = table.rows.iter().map(|row| {
        let answer = answers.answer(row.query).expect("rows without an answer are left out");
        let retrieved = row.cell(0).value() == Some(1.0);
        Ok(Asked { query: row.query.clone(), case: case(answer, retrieved, file)? })
    });
    asked.collect()
}

/// What the answers to questions of the labels say of their latency or cost.
fn amounts(labels: &Labels, answers: &Answers, amount: fn(&Answer) -> Option<f64>) -> Vec<f64> {
    answers.iter().filter(|answer| labels.query(&answer.query).is_some()).filter_map(amount).collect()
}

/// What happened to a question that can be answered.
fn case(answer: &Answer, retrieved: bool, file: &FilePart) -> Result<Case, Failure> {
    let missing = |name: &str, question: &str| {
        let title = format!("{}:{}: the answer to `{}` has no `{name}`", file.path, answer.line, answer.query);
        Failure::new(title, format!("the funnel asks of every question that can be answered: {question}"))
    };
    let evidence_in_context = answer.evidence_in_context.ok_or_else(|| {
        missing("evidence_in_context", "was the passage that holds the answer in the context? (true or false)")
    })?;
    let correct = match (answer.answered, answer.correct) {
        (false, _) => false,
        (true, Some(correct)) => correct,
        (true, None) => return Err(missing("correct", "was the answer right? (true or false)")),
    };
    Ok(Case { retrieved, evidence_in_context, answered: answer.answered, correct })
}

/// What happened to the questions that cannot be answered.
fn unanswerable(
    labels: &Labels,
    run: &Run,
    answers: &Answers,
    asked: &[Asked],
    abstention: &mut Abstention,
) -> Unanswerable {
    let mut found = Unanswerable::default();
    for query in labels.queries().iter().filter(|query| query.is_unanswerable()) {
        found.queries += 1;
        found.with_results += u64::from(run.ranking(query.id()).is_some_and(|ranking| !ranking.is_empty()));
        match answers.answer(query.id()) {
            None => found.without_answer += 1,
            Some(answer) => {
                abstention.add_unanswerable(answer.answered);
                found.answered.extend(answer.answered.then(|| query.id().clone()));
            }
        }
    }
    let unanswerable = labels.queries().iter().filter(|query| query.is_unanswerable());
    let top = |query: &Id| {
        let ranking = run.ranking(query)?;
        (0..ranking.len()).map(|index| ranking.score(index)).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
    };
    let of_asked: Vec<f64> = asked.iter().filter_map(|asked| top(&asked.query)).collect();
    let of_others: Vec<f64> = unanswerable.filter_map(|query| top(query.id())).collect();
    found.auroc = auroc(&of_asked, &of_others);
    found
}

fn nothing_in_common(labels: &Labels, file: &FilePart, unknown: &[Id]) -> Failure {
    let examples = |ids: Vec<&Id>| ids.iter().map(|id| format!("{id:?}")).collect::<Vec<String>>().join(", ");
    let message = Message::new(format!("no query of {} is in the labels", file.path));
    let of_labels = examples(labels.queries().iter().take(3).map(|query| query.id()).collect());
    let message = message.with_detail(format!("labels    {of_labels}"));
    message.with_detail(format!("answers   {}", examples(unknown.iter().take(3).collect()))).into()
}
