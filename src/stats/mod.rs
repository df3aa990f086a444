//! Paired statistics on plain slices: summaries, tests, intervals and planning.
//!
//! Nothing here knows of files, ids or measures, and nothing prints. Two scores per query come
//! in as two equally long slices in the order of the query ids, B minus A is what is tested, and
//! what cannot be computed is `None`, never NaN.
//!
//! ```
//! use raglens::stats::bootstrap::{BootstrapKind, resample_mean};
//! use raglens::stats::paired::Paired;
//! use raglens::stats::randomization::{RandomizationOptions, randomization_test};
//! use raglens::stats::verdict::{Findings, Verdict};
//!
//! let a = [0.50, 0.75, 0.25, 0.50, 0.25, 0.75, 0.50, 0.50, 1.00, 0.00];
//! let b = [0.75, 1.00, 0.50, 0.75, 0.50, 1.00, 0.75, 0.75, 1.00, 0.00];
//! let paired = Paired::new(&a, &b)?;
//! let test = randomization_test(&paired, RandomizationOptions::default());
//! assert_eq!(test.p, 1.0 / 128.0);
//!
//! let means = resample_mean(&paired.differences, 10_000, 0);
//! let interval = means.interval(BootstrapKind::Adjusted, 0.95);
//! let findings = Findings::new(&paired, test.p, test.smallest_possible, interval);
//! assert_eq!(findings.verdict(0.05), Verdict::Better);
//! # Ok::<(), raglens::stats::paired::PairedError>(())
//! ```

pub mod binomial;
pub mod bootstrap;
pub mod bounds;
pub mod columns;
pub mod correction;
pub mod distributions;
pub mod effect;
pub mod equivalence;
pub mod exact;
pub mod lattice;
pub mod max_t;
pub mod mcnemar;
pub mod paired;
pub mod power;
pub mod random;
pub mod randomization;
mod sign_flips;
pub mod summary;
pub mod t_test;
pub mod tango;
pub mod tukey;
pub mod verdict;
pub mod wilcoxon;
