//! Saying "I do not know": where it was right, where it was wrong, and where it was missing.

/// What happened to questions with and without an answer in the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Abstention {
    /// Questions that can be answered.
    pub answerable: u64,
    /// Those among them that were not answered although the evidence was in the context.
    pub over_refusals: u64,
    /// Those among them that were not answered because the evidence was not there: the search is
    /// to blame, not the model.
    pub justified: u64,
    /// Questions that cannot be answered.
    pub unanswerable: u64,
    /// Those among them that were answered all the same.
    pub false_answers: u64,
}

impl Abstention {
    /// Counts a question that can be answered.
    pub fn add_answerable(&mut self, evidence_in_context: bool, answered: bool) {
        self.answerable += 1;
        match (answered, evidence_in_context) {
            (true, _) => {}
            (false, true) => self.over_refusals += 1,
            (false, false) => self.justified += 1,
        }
    }

    /// Counts a question that cannot be answered.
    pub fn add_unanswerable(&mut self, answered: bool) {
        self.unanswerable += 1;
        self.false_answers += u64::from(answered);
    }

    /// Questions that can be answered and were not, whatever the reason.
    pub fn wrong(&self) -> u64 {
        self.over_refusals + self.justified
    }

    /// Questions that cannot be answered and were not.
    pub fn right(&self) -> u64 {
        self.unanswerable - self.false_answers
    }

    /// The share of questions that can be answered and were not.
    pub fn wrong_rate(&self) -> Option<f64> {
        ratio(self.wrong(), self.answerable)
    }

    /// The share of questions that cannot be answered and were.
    pub fn false_answer_rate(&self) -> Option<f64> {
        ratio(self.false_answers, self.unanswerable)
    }

    /// The share of abstentions that were right; `None` without any.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.right(), self.right() + self.wrong())
    }

    /// The share of questions that cannot be answered in which the model abstained.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.right(), self.unanswerable)
    }

    /// The harmonic mean of precision and recall, 0 where both are 0; `None` where there was
    /// nothing to abstain from and nobody did.
    pub fn f1(&self) -> Option<f64> {
        ratio(2 * self.right(), 2 * self.right() + self.wrong() + self.false_answers)
    }
}

/// How well a score tells questions that can be answered from those that cannot: the chance that one
/// of the first has the higher score than one of the second, a tie counting half (the area under
/// the ROC curve). `None` where there is none of one kind.
///
/// ```
/// use raglens::rag::abstention::auroc;
/// assert_eq!(auroc(&[0.9, 0.8, 0.4], &[0.4, 0.2]), Some(5.5 / 6.0));
/// ```
pub fn auroc(answerable: &[f64], unanswerable: &[f64]) -> Option<f64> {
    let mut below = unanswerable.to_vec();
    below.sort_by(f64::total_cmp);
    let halves = |score: &f64| {
        let lower = below.partition_point(|other| other < score);
        let not_higher = below.partition_point(|other| other <= score);
        (lower + not_higher) as u64
    };
    let pairs = answerable.len() as u64 * below.len() as u64;
    ratio(answerable.iter().map(halves).sum(), 2 * pairs)
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_of_four_wrong_and_seven_right_abstentions() {
        let mut found = Abstention::default();
        (0..42).for_each(|at| found.add_answerable(at != 0, at >= 4));
        (0..10).for_each(|at| found.add_unanswerable(at < 3));
        assert_eq!((found.over_refusals, found.justified, found.right()), (3, 1, 7));
        assert_eq!((found.wrong_rate(), found.false_answer_rate()), (Some(4.0 / 42.0), Some(0.3)));
        assert_eq!((found.precision(), found.recall()), (Some(7.0 / 11.0), Some(0.7)));
        assert_eq!(found.f1(), Some(14.0 / 21.0));
    }

    #[test]
    fn without_questions_there_are_no_rates() {
        let nothing = Abstention::default();
        assert_eq!(
            (nothing.wrong_rate(), nothing.precision(), nothing.recall(), nothing.f1()),
            (None, None, None, None)
        );
        let never = Abstention { answerable: 3, unanswerable: 2, false_answers: 2, ..nothing };
        assert_eq!((never.precision(), never.recall(), never.f1()), (None, Some(0.0), Some(0.0)));
    }
}
