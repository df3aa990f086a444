//! A run and its labels, made from a fixed seed, in the layouts that the benches read.
#![allow(dead_code)] // each bench takes what it needs

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use raglens::stats::random::{Purpose, Stream};

/// Every score is used twice or more when scores have so few digits.
const TIED: usize = 1;
const DISTINCT: usize = 6;

/// Ranked lists of documents with their scores, best first; some of the documents are judged.
pub struct Made {
    queries: Vec<Query>,
    judged: usize,
}

struct Query {
    id: usize,
    results: Vec<(u32, String)>,
}

impl Made {
    /// So many queries of `depth` documents, of which `judged` stand in the labels.
    pub fn new(queries: usize, depth: usize, judged: usize) -> Self {
        Self::with_digits(queries, depth, judged, DISTINCT)
    }

    /// The same with scores of which many are equal.
    pub fn with_ties(queries: usize, depth: usize, judged: usize) -> Self {
        Self::with_digits(queries, depth, judged, TIED)
    }

    fn with_digits(queries: usize, depth: usize, judged: usize, digits: usize) -> Self {
        let queries = (0..queries).map(|index| Query::new(index, depth, digits)).collect();
        Self { queries, judged }
    }

    /// How many results there are.
    pub fn rows(&self) -> usize {
        self.queries.iter().map(|query| query.results.len()).sum()
    }

    /// A TREC run.
    pub fn trec(&self) -> Vec<u8> {
        self.per_row("", |out, query, (document, score), rank| {
            writeln!(out, "{query} Q0 {document} {rank} {score} made")
        })
    }

    /// A TREC run whose lines are sorted by document, so that no ranking is in order.
    pub fn trec_out_of_order(&self) -> Vec<u8> {
        let mut sorted = Self { queries: Vec::new(), judged: self.judged };
        for query in &self.queries {
            let mut results = query.results.clone();
            results.sort_unstable();
            sorted.queries.push(Query { id: query.id, results });
        }
        sorted.trec()
    }

    /// A JSONL run with a line a result.
    pub fn jsonl_rows(&self) -> Vec<u8> {
        self.per_row("", |out, query, (document, score), _| {
            writeln!(out, r#"{{"query_id":"{query}","doc_id":"{document}","score":{score}}}"#)
        })
    }

    /// A CSV run.
    pub fn csv(&self) -> Vec<u8> {
        self.per_row("query_id,doc_id,score\n", |out, query, (document, score), _| {
            writeln!(out, "{query},{document},{score}")
        })
    }

    fn per_row(
        &self,
        header: &str,
        write: impl Fn(&mut String, usize, &(u32, String), usize) -> std::fmt::Result,
    ) -> Vec<u8> {
        let mut out = header.to_owned();
        for query in &self.queries {
            for (index, result) in query.results.iter().enumerate() {
                write(&mut out, query.id, result, index + 1).expect("a String takes everything");
            }
        }
        out.into_bytes()
    }

    /// A JSONL run with a line a query.
    pub fn jsonl_lists(&self) -> Vec<u8> {
        let line = |query: &Query| {
            let results = query.list(|(document, score)| format!(r#"{{"id":"{document}","score":{score}}}"#));
            format!("{{\"query_id\":\"{}\",\"results\":[{results}]}}\n", query.id)
        };
        self.queries.iter().map(line).collect::<String>().into_bytes()
    }

    /// A run as one JSON object of objects.
    pub fn dict(&self) -> Vec<u8> {
        let entry = |query: &Query| {
            let scores = query.list(|(document, score)| format!(r#""{document}":{score}"#));
            format!(r#""{}":{{{scores}}}"#, query.id)
        };
        let entries: Vec<String> = self.queries.iter().map(entry).collect();
        format!("{{{}}}\n", entries.join(",")).into_bytes()
    }

    /// Labels as TREC qrels, with the grades 0, 1 and 2.
    pub fn qrels(&self) -> Vec<u8> {
        self.per_judgment(|query, document, grade| format!("{query} 0 {document} {grade}\n"))
    }

    /// Labels as JSONL with a line a judgment.
    pub fn jsonl_labels(&self) -> Vec<u8> {
        self.per_judgment(|query, document, grade| {
            format!("{{\"query_id\":\"{query}\",\"doc_id\":\"{document}\",\"relevance\":{grade}}}\n")
        })
    }

    fn per_judgment(&self, write: impl Fn(usize, u32, usize) -> String) -> Vec<u8> {
        let mut out = String::new();
        for query in &self.queries {
            let step = (query.results.len() / self.judged).max(1);
            for (index, (document, _)) in query.results.iter().step_by(step).take(self.judged).enumerate() {
                out.push_str(&write(query.id, *document, (query.id + index) % 3));
            }
        }
        out.into_bytes()
    }
}

impl Query {
    fn new(index: usize, depth: usize, digits: usize) -> Self {
        let words = Stream::new(index as u64, Purpose::Bootstrap).words(0, 2 * depth);
        let mut score = 30.0;
        let results = words.chunks(2).enumerate().map(|(place, word)| {
            score -= 0.02 * f64::from(word[0]) / f64::from(u32::MAX);
            // Multiples of the depth apart, so that no document comes twice.
            let document = 100_000 + (word[1] % 8_000) * depth as u32 + place as u32;
            (document, format!("{score:.digits$}"))
        });
        Self { id: 1_000_000 + 7 * index, results: results.collect() }
    }

    fn list(&self, entry: impl Fn(&(u32, String)) -> String) -> String {
        self.results.iter().map(entry).collect::<Vec<_>>().join(",")
    }
}

/// The same bytes, packed as gzip does by default.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::new(6));
    packed.write_all(bytes).and_then(|()| packed.finish()).expect("a Vec takes everything")
}
