//! The results of `check` in every format.

pub mod access;
pub mod report;

use serde::Serialize;

use super::format::{PageFormat, records_separated};
use super::indent::to_json;
use super::json::SCHEMA;
use super::listing::first_of;
use super::number::counted;
use super::page::{Block, to_markdown, to_text};
use report::{FileReport, Finding, Report, Weight};

/// The results in a format.
pub fn render(report: &Report, format: PageFormat) -> String {
    match format {
        PageFormat::Text => to_text(&page(report)),
        PageFormat::Md => to_markdown(&page(report)),
        PageFormat::Json => json(report),
        PageFormat::Csv => separated(report, b','),
        PageFormat::Tsv => separated(report, b'\t'),
    }
}

/// Each file with its findings, and what it all comes to.
fn page(report: &Report) -> Vec<Block> {
    let mut blocks = Vec::new();
    for file in &report.files {
        blocks.push(Block::Title { name: file.path.clone(), facts: facts(file) });
        let findings: Vec<(String, String)> = file.findings.iter().map(entry).collect();
        blocks.push(match findings.is_empty() {
            true => Block::Entries(vec![("ok".to_owned(), "nothing is wrong or odd".to_owned())]),
            false => Block::Entries(findings),
        });
    }
    blocks.push(Block::Answer(answer(report)));
    blocks
}

fn facts(file: &FileReport) -> String {
    let Some(read_as) = &file.read_as else { return "cannot be read".to_owned() };
    let packed = read_as.packed.map_or_else(String::new, |packed| format!(" ({packed})"));
    let name = read_as.read_as_name();
    let mut parts = vec![format!("{}{packed}", name.split(", which").next().unwrap_or(name))];
    parts.extend(file.facts.iter().cloned());
    parts.join(", ")
}

fn entry(finding: &Finding) -> (String, String) {
    (format!("{:<7} {}", finding.weight.word(), finding.code), with_examples(finding))
}

/// The sentence with its first cases.
fn with_examples(finding: &Finding) -> String {
    match (&finding.examples[..], &finding.lines[..]) {
        ([], []) => finding.text.clone(),
        ([], [line]) if finding.count == 1 => format!("{} (line {line})", finding.text),
        ([], lines) => format!("{} (lines {})", finding.text, first_of(lines, finding.count)),
        (examples, _) => format!("{}: {}", finding.text, first_of(examples, finding.count)),
    }
}

fn answer(report: &Report) -> String {
    let [errors, warnings, notes] = [Weight::Error, Weight::Warning, Weight::Note].map(|weight| report.kinds(weight));
    let counts = format!(
        "{}, {}, {}.",
        counted(errors, "error", "errors"),
        counted(warnings, "warning", "warnings"),
        counted(notes, "note", "notes")
    );
    let verdict = match errors {
        0 => "An evaluation takes these files.",
        _ => "An evaluation refuses what is an error.",
    };
    format!("{counts} {verdict}")
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    errors: u64,
    warnings: u64,
    notes: u64,
    files: Vec<JsonFile<'a>>,
}

#[derive(Serialize)]
struct JsonFile<'a> {
    path: &'a str,
    bytes: Option<u64>,
    read_as: Option<&'a str>,
    packed: Option<&'static str>,
    facts: &'a [String],
    findings: Vec<JsonFinding<'a>>,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    severity: &'static str,
    code: &'static str,
    count: u64,
    text: &'a str,
    lines: &'a [u64],
    examples: &'a [String],
}

fn json(report: &Report) -> String {
    to_json(&Document {
        schema: SCHEMA,
        command: "check",
        version: env!("CARGO_PKG_VERSION"),
        errors: report.errors(),
        warnings: report.kinds(Weight::Warning),
        notes: report.kinds(Weight::Note),
        files: report.files.iter().map(json_file).collect(),
    })
}

fn json_file(file: &FileReport) -> JsonFile<'_> {
    let read_as = file.read_as.as_ref();
    JsonFile {
        path: &file.path,
        bytes: read_as.and_then(|part| part.bytes),
        read_as: read_as.map(|part| part.read_as_name()),
        packed: read_as.and_then(|part| part.packed),
        facts: &file.facts,
        findings: file.findings.iter().map(json_finding).collect(),
    }
}

fn json_finding(finding: &Finding) -> JsonFinding<'_> {
    JsonFinding {
        severity: finding.weight.word(),
        code: finding.code,
        count: finding.count,
        text: &finding.text,
        lines: &finding.lines,
        examples: &finding.examples,
    }
}

/// A row per finding.
fn separated(report: &Report, delimiter: u8) -> String {
    let records = report.files.iter().flat_map(|file| {
        file.findings.iter().map(move |finding| {
            let (severity, code) = (finding.weight.word().to_owned(), finding.code.to_owned());
            let lines = finding.lines.iter().map(|line| format!("line {line}"));
            let examples = lines.chain(finding.examples.iter().cloned()).collect::<Vec<String>>().join("; ");
            [file.path.clone(), severity, code, finding.count.to_string(), finding.text.clone(), examples]
        })
    });
    records_separated(["path", "severity", "code", "count", "text", "examples"], records, delimiter)
}
