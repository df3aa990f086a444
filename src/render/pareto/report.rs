//! What `pareto` found out: values alone, made once and shown in every format.

use raglens::measure::Measure;
use raglens::rag::lift::Lift;
use raglens::rag::pareto::{Point, Standing};
use raglens::rag::spending::Spending;

use crate::render::frame::Frame;

/// Runs by quality and price.
#[derive(Debug)]
pub struct Report<'m> {
    /// Files and conventions.
    pub frame: Frame,
    /// The quality.
    pub measure: &'m Measure,
    /// Number of queries that count.
    pub queries: u64,
    /// The runs in the order given.
    pub placed: Vec<Placed>,
    /// Where each stands.
    pub standings: Vec<Standing>,
    /// What each run of the frontier gains over the next cheaper one; `None` for the cheapest and
    /// for runs that are not on it.
    pub gains: Vec<Option<GainPart>>,
}

/// One run.
#[derive(Debug)]
pub struct Placed {
    /// Its name.
    pub name: String,
    /// Mean of the quality.
    pub quality: Option<f64>,
    /// What it takes.
    pub spending: Spending,
}

/// The gain over a cheaper run.
#[derive(Debug)]
pub struct GainPart {
    /// The cheaper run.
    pub over: usize,
    /// The gain.
    pub lift: Lift,
}

impl Placed {
    /// The run as a point; without a value its quality is the worst there is.
    pub fn point(&self) -> Point {
        Point {
            quality: self.quality.unwrap_or(f64::NEG_INFINITY),
            p95_ms: self.spending.latency.map(|latency| latency.p95_ms),
            cost_usd: self.spending.cost.map(|cost| cost.mean_usd),
        }
    }
}

impl Report<'_> {
    /// The runs of the frontier.
    pub fn frontier(&self) -> impl Iterator<Item = usize> {
        (0..self.placed.len()).filter(|&run| self.standings[run] == Standing::Frontier)
    }

    /// The runs of the frontier whose gain over the next cheaper one may be nothing.
    pub fn doubtful(&self) -> Vec<usize> {
        let is_doubtful = |run: &usize| self.gains[*run].as_ref().is_some_and(|gain| gain.lift.may_be_zero());
        self.frontier().filter(is_doubtful).collect()
    }
}
