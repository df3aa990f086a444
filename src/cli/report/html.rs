//! `--report html`.

use raglens::measure::Better;
use raglens::rag::pareto::{Point, frontier};

use super::{Found, Kind, Material};
use crate::cli::failure::Failure;
use crate::render::Look;
use crate::render::html::{self, of_compare, of_eval, report::Report};
use crate::render::style::Signs;

/// The row of the table of kinds.
pub static KIND: Kind = Kind { name: "html", path: "raglens.html", shows_rankings: true, render };

fn render(material: &Material) -> Result<String, Failure> {
    let beside = material.beside()?;
    let look = Look { signs: Signs::Unicode, digits: material.digits };
    let mut report = match material.found {
        Found::Compare(found) => of_compare::report(found, beside, &look),
        Found::Eval(found) => of_eval::report(found, beside, &look),
    };
    weigh(&mut report);
    material.fill(&mut report)?;
    Ok(html::render(&report))
}

/// Says which runs are worth their time.
fn weigh(report: &mut Report<'_>) {
    let sign = if report.leading().better == Better::Lower { -1.0 } else { 1.0 };
    let point = |run: usize| {
        let quality = report.scores[run][report.leading].value.map(|value| sign * value);
        let p95_ms = report.beside[run].latency.map(|latency| latency.p95_ms);
        Point { quality: quality.unwrap_or(f64::NEG_INFINITY), p95_ms, cost_usd: None }
    };
    let points: Vec<Point> = (0..report.runs.len()).map(point).collect();
    if points.iter().any(|point| point.p95_ms.is_some()) {
        for (run, standing) in report.beside.iter_mut().zip(frontier(&points)) {
            run.standing = Some(standing);
        }
    }
}
