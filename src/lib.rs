//! raglens measures retrieval: relevance labels and ranked runs in, every measure per query and
//! averaged out, and paired tests between runs.
//!
//! The way through is always the same: a [`Source`](input::Source) is read into
//! [`Labels`](labels::Labels) or a [`Run`](run::Run); [`evaluate`](evaluate::evaluate) brings each
//! query of the labels together with its ranking and scores it with a list of
//! [`Measure`](measure::Measure)s; the [`ScoreTable`](scores::ScoreTable) that comes back holds a
//! row per query and a column per measure.
//!
//! ```
//! use raglens::evaluate::{Rules, evaluate};
//! use raglens::input::{ReadOptions, Source, read_labels, read_run};
//! use raglens::measure::Measure;
//! use raglens::notes::Notes;
//!
//! let qrels = b"q1 0 d1 3\nq1 0 d3 2\nq1 0 d5 2\nq1 0 d4 1\n".to_vec();
//! let results = b"q1 Q0 d7 1 5.0 bm25\nq1 Q0 d3 2 4.0 bm25\nq1 Q0 d1 3 3.0 bm25\n".to_vec();
//!
//! let mut notes = Notes::default();
//! let options = ReadOptions::default();
//! let (labels, _) = read_labels(Source::from_bytes("qrels", qrels), &options, &mut notes)?;
//! let (run, _) = read_run(Source::from_bytes("run", results), &options, &mut notes)?;
//!
//! let measures = [Measure::parse("recall@3")?.bind(&labels.facts())?, Measure::parse("mrr")?];
//! let table = evaluate(&labels, &run, &measures, &Rules::default())?;
//! assert_eq!(table.summary(0).mean, Some(0.5)); // two of four relevant documents
//! assert_eq!(table.summary(1).mean, Some(0.5)); // the first of them at rank 2
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here prints, exits, or reads the environment. What was skipped, missing or odd is
//! counted in [`Notes`](notes::Notes) and in the [`Join`](scores::Join) of a table.

pub mod check;
pub mod compare;
pub mod convert;
pub mod error;
pub mod evaluate;
pub mod id;
pub mod input;
pub mod judged;
pub mod labels;
pub mod measure;
pub mod notes;
pub mod preferences;
pub mod rag;
pub mod run;
pub mod scores;
pub mod stats;
pub mod stream;
