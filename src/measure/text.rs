//! What is said of a ranking in words: relstring, and the name of the run.

use super::{Better, Computation, CutoffRule, Describe, MeasureDef, Needs, Purpose, TrecName};
use crate::judged::{Hit, JudgedRanking};

pub(super) static RELSTRING: MeasureDef = MeasureDef {
    name: "relstring",
    about: "the grades of the first k results as a text",
    formula: "a character a result: its grade from 0 to 9, > for a larger one, . if it was pooled and not judged, - if \
              no judgment names it",
    reading: "The top of the list at one glance.",
    blind_to: "All below rank k.",
    edge_cases: "A text for each query and nothing that could be averaged. Of a grade with a fraction the whole part \
                 is shown.",
    peers: "relstring of trec_eval, where k is 10 unless it is given.",
    source: "trec_eval, relstring",
    params: &[],
    better: Better::Neither,
    range: (0.0, 0.0),
    needs: Needs::Query,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName { whole: None, at: Some("relstring") },
    ..MeasureDef::built_by(|params| Ok(Computation::Text(Box::new(RelString { cutoff: params.cutoff() }))))
};

pub(super) static RUNID: MeasureDef = MeasureDef {
    name: "runid",
    aliases: &["run_id"],
    about: "the name that a run gives itself",
    formula: "the last column of a run in TREC form",
    reading: "Whose numbers these are.",
    blind_to: "Everything else.",
    edge_cases: "A text for the whole run.",
    peers: "runid of trec_eval takes the last line of the file.",
    source: "trec_eval, runid",
    cutoff: CutoffRule::Never,
    trec_name: TrecName::whole("runid"),
    build: |_| Ok(Computation::RunName),
    ..RELSTRING
};

struct RelString {
    cutoff: Option<u64>,
}

impl Describe for RelString {
    fn describe(&self, ranking: &JudgedRanking<'_>) -> String {
        let mut hits = ranking.top(self.cutoff).iter().peekable();
        let ranks = 1..=ranking.returned(self.cutoff);
        ranks.map(|rank| hits.next_if(|hit| hit.rank == rank).map_or('-', character)).collect()
    }
}

fn character(hit: &Hit) -> char {
    match hit.grade {
        grade if grade > 9.0 => '>',
        grade if grade >= 0.0 => char::from(b'0' + grade as u8),
        _ => '.',
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn a_character_a_result() {
        let list = JudgedRanking::from_grades(&[Some(1.0), None, Some(12.0), Some(-1.0), Some(0.0), Some(9.0)], &[]);
        let text = |spec| Measure::parse(spec).unwrap().text(&list.view()).unwrap();
        assert_eq!(text("relstring@10"), "1->.09");
        assert_eq!(text("relstring_3"), "1->");
        assert_eq!(text("relstring"), "1->.09");
        assert_eq!(Measure::parse("relstring").unwrap().score(&list.view()), None);
    }

    #[test]
    fn the_name_of_a_run_is_no_matter_of_a_query() {
        let runid = Measure::parse("runid").unwrap();
        let list = JudgedRanking::from_grades(&[], &[]);
        assert!(runid.is_text() && runid.text(&list.view()).is_none());
    }
}
