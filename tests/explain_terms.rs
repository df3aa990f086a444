//! The way to a value, as `explain` shows it, leads to the value that `eval` prints: every measure,
//! every query of the fixtures.

use raglens::evaluate::{Rules, evaluate, judged, ranked};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::judged::{Hit, JudgedRanking};
use raglens::measure::{DEFINITIONS, Measure, Reads, Row, Terms, all_set, default_set};
use raglens::notes::Notes;
use raglens::run::Order;

fn path(name: &str) -> String {
    format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn measures() -> Vec<Measure> {
    let named = "rbp:gain=graded,rbp:p=0.95:condensed,bpref:variant=2004,bpref:variant=10,map:norm=min@3,err:max=4@3,\
                 iprec@0,iprec:rounding=v9@0.5,f1:x=2@5,ndcg:1=5:3=4@5,rbp:gain=query,g:2=7,precision:rel=2@5,context_precision:condensed@5,ndcg_exp:condensed@2";
    let sets = [default_set(&[1, 5, 20], 1.0), all_set(&[3, 10], 1.0), all_set(&[5], 2.0)];
    let sets = sets.into_iter().flat_map(Result::unwrap);
    let known = DEFINITIONS.iter().flat_map(|def| ["", "@5", "@0.5"].map(|at| format!("{}{at}", def.name)));
    let known = known.filter_map(|text| Measure::parse(&text).ok());
    let known = known.filter(|measure| measure.reads() == Reads::Grades && !measure.is_text());
    sets.chain(raglens::measure::parse_list(named).unwrap()).chain(known).collect()
}

/// The sum of what stands in front of the last column, where that is a sum.
fn sum(terms: &Terms, rows: &[Row]) -> Option<(f64, f64)> {
    let last = terms.columns.len().checked_sub(1).filter(|&last| terms.columns[last] == "sum")?;
    let cells = || rows.iter().filter(|row| !row.cells.is_empty());
    Some((cells().map(|row| row.cells[last - 1]).sum(), cells().next_back().map_or(0.0, |row| row.cells[last])))
}

#[test]
fn the_terms_of_every_query_lead_to_its_value() {
    let (options, mut notes) = (ReadOptions::default(), Notes::default());
    let open = |name: &str| Source::open(&path(name)).unwrap();
    let (labels, _) = read_labels(open("labels.jsonl"), &options, &mut notes).unwrap();
    let measures: Vec<Measure> = measures().into_iter().map(|found| found.bind(&labels.facts()).unwrap()).collect();
    let mut compared = 0;
    for name in ["bm25.trec", "dense.trec", "hybrid.trec"] {
        let (run, _) = read_run(open(name), &options, &mut notes).unwrap();
        let table = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
        for row in table.rows.iter() {
            let (query, mut order) = (&labels.queries()[row.position], Order::default());
            let mut hits: Vec<Hit> = Vec::new();
            if let Some(ranking) = run.ranking(query.id()) {
                ranked(ranking, &Rules::default(), &mut order).unwrap();
                hits.extend(judged(query, ranking, &order));
            }
            let view = JudgedRanking::new(&hits, row.retrieved, query.ideal());
            for (measure, cell) in measures.iter().zip(row.cells()) {
                let Some(value) = cell.value() else { continue };
                let terms = measure.terms(&view);
                assert_eq!(terms.value, Some(value), "{name} {} {measure:?}", row.query);
                for rows in [&terms.rows, &terms.ideal] {
                    let (added, shown) = sum(&terms, rows).unwrap_or_default();
                    assert!((added - shown).abs() < 1e-9, "{name} {} {measure:?}: {added} {shown}", row.query);
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}
