//! Tables for papers: two runs with interval and p, or several with superscript letters.

use raglens::compare::Row;
use raglens::stats::summary::mean;

use super::report::Report;
use super::words;
use crate::render::Look;
use crate::render::eval::report::letter;
use crate::render::number::{fixed, signed};

/// The table, with a comment above it that says what it rests on.
pub fn render(report: &Report, look: &Look) -> String {
    let body = match report.joined.runs.len() {
        2 => two_runs(report, look),
        _ => several_runs(report, look),
    };
    format!("{}\n{body}", comment(report))
}

fn comment(report: &Report) -> String {
    let n = report.joined.queries.len();
    let test = words::test(&report.plan);
    let how = match report.joined.runs.len() {
        2 => {
            let family = &report.comparison.family;
            let adjusted = if family.size > 1 {
                format!("; adjusted: {}", words::adjustment(family.method))
            } else {
                String::new()
            };
            format!("{test}{adjusted}; interval: {}", words::intervals(&report.plan))
        }
        _ => format!(
            "letters: better than that run, paired randomization test, two-sided, Holm over all pairs of a column, p < {}",
            crate::render::number::exact(report.plan.alpha)
        ),
    };
    format!("% raglens compare: {n} queries; {how}; seed {}", report.plan.seed)
}

fn two_runs(report: &Report, look: &Look) -> String {
    let with_adjusted = report.is_adjusted();
    let (columns, heading) = match with_adjusted {
        true => ("lrrrcrr", " & adjusted $p$"),
        false => ("lrrrcr", ""),
    };
    let names = [report.name(0), report.name(1)].map(escape);
    let mut text = format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
    text.push_str(&format!(
        "measure & {} & {} & difference & {}\\% interval & $p${heading} \\\\\n\\midrule\n",
        names[0],
        names[1],
        words::level(&report.plan).trim_end_matches('%')
    ));
    for row in &report.comparison.rows {
        text.push_str(&line(report, row, look, with_adjusted));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

fn line(report: &Report, row: &Row, look: &Look, with_adjusted: bool) -> String {
    let name = escape(report.label(row.metric));
    let Some(found) = &row.found else { return format!("{name} & \\multicolumn{{2}}{{c}}{{n/a}} \\\\\n") };
    let digits = look.digits;
    let mut cells = vec![name, fixed(found.paired.mean_a, digits), fixed(found.paired.mean_b, digits)];
    cells.push(math(&signed(found.paired.mean_difference, digits)));
    cells.push(found.interval.map_or_else(|| "--".to_owned(), |found| math(&words::interval(found, digits))));
    cells.push(math(&scientific(&words::p(found, report.plan.alpha))));
    if with_adjusted {
        let adjusted = found.adjusted_p.map(|p| crate::render::number::p_value(p, report.plan.alpha));
        cells.push(adjusted.map_or_else(String::new, |p| math(&scientific(&p))));
    }
    cells.join(" & ") + " \\\\\n"
}

fn several_runs(report: &Report, look: &Look) -> String {
    let metrics: Vec<usize> = (0..report.plan.metrics.len()).collect();
    let headings: Vec<String> = metrics.iter().map(|&metric| escape(report.label(metric))).collect();
    let mut text = format!("\\begin{{tabular}}{{ll{}}}\n\\toprule\n", "l".repeat(metrics.len()));
    text.push_str(&format!(" & run & {} \\\\\n\\midrule\n", headings.join(" & ")));
    for run in 0..report.joined.runs.len() {
        let mut cells = vec![letter(run), escape(report.name(run))];
        cells.extend(metrics.iter().map(|&metric| cell(report, metric, run, look)));
        text.push_str(&(cells.join(" & ") + " \\\\\n"));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

/// A mean with the letters of the runs that it beats.
fn cell(report: &Report, metric: usize, run: usize, look: &Look) -> String {
    let values: Vec<f64> = report.joined.runs[run].columns[metric].iter().copied().flatten().collect();
    let mean = mean(&values).map_or_else(|| "n/a".to_owned(), |mean| fixed(mean, look.digits));
    let beaten = report.letters.get(metric).map_or(&[][..], |runs| &runs[run]);
    match beaten.is_empty() {
        true => mean,
        false => format!("{mean}$^{{\\mathrm{{{}}}}}$", beaten.iter().map(|&run| letter(run)).collect::<String>()),
    }
}

fn math(text: &str) -> String {
    format!("${text}$")
}

/// `6.6e-4` as a power of ten.
fn scientific(p: &str) -> String {
    match p.split_once('e') {
        Some((number, exponent)) => format!("{number} \\times 10^{{{exponent}}}"),
        None => p.to_owned(),
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in raglens::id::escaped(text.as_bytes()).chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_break_the_table() {
        assert_eq!(escape("bm25_v2 & 50%"), "bm25\\_v2 \\& 50\\%");
        assert_eq!(scientific("6.6e-4"), "6.6 \\times 10^{-4}");
        assert_eq!((letter(2), letter(27)), ("c".to_owned(), "b1".to_owned()));
    }
}
