//! The way of a question from the search to a right answer, in four steps, and where it ends.
//!
//! Recall is the first step of four: `P(correct) = P(retrieved) · P(evidence | retrieved) ·
//! P(answered | evidence) · P(correct | answered)`.

/// What happened to one question that can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// Whether a relevant document is among the first k.
    pub retrieved: bool,
    /// Whether the passage that holds the answer reached the model.
    pub evidence_in_context: bool,
    /// Whether the model answered; `false` is an abstention.
    pub answered: bool,
    /// Whether the answer was right; never true without an answer.
    pub correct: bool,
}

/// A step of the funnel, and what is lost in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// No relevant document among the first k.
    Retrieval,
    /// The right document, without the passage that holds the answer.
    Evidence,
    /// The evidence was there, and the model did not answer.
    Refusal,
    /// The evidence was there, and the answer was wrong.
    Generation,
}

impl Step {
    /// The steps in their order.
    pub const ALL: [Self; 4] = [Self::Retrieval, Self::Evidence, Self::Refusal, Self::Generation];

    /// The name of what is lost in the step.
    pub fn name(self) -> &'static str {
        match self {
            Self::Retrieval => "retrieval",
            Self::Evidence => "evidence",
            Self::Refusal => "refusal",
            Self::Generation => "generation",
        }
    }
}

impl Case {
    /// Whether the question came through a step.
    fn passes(&self, step: Step) -> bool {
        match step {
            Step::Retrieval => self.retrieved,
            Step::Evidence => self.evidence_in_context,
            Step::Refusal => self.answered,
            Step::Generation => self.correct,
        }
    }

    /// The first step that the question did not come through; `None` when it came through all.
    pub fn death(&self) -> Option<Step> {
        Step::ALL.into_iter().find(|&step| !self.passes(step))
    }

    /// Whether the answer is right although the evidence for it was not there: the fact stands in a
    /// document without a label, or the model knew it.
    pub fn is_lucky(&self) -> bool {
        self.correct && self.death().is_some()
    }
}

/// How many questions came how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Funnel {
    /// Questions asked, and those left after each of the four steps.
    pub kept: [u64; 5],
    /// Right answers, however they came about.
    pub correct: u64,
    /// Right answers without the evidence for them; they are not among those kept.
    pub lucky: u64,
}

/// Counts how far questions came.
///
/// ```
/// use raglens::rag::funnel::{Case, Step, funnel};
/// let right = Case { retrieved: true, evidence_in_context: true, answered: true, correct: true };
/// let refused = Case { answered: false, correct: false, ..right };
/// let lucky = Case { retrieved: false, evidence_in_context: false, ..right };
/// let found = funnel(&[right, refused, lucky]);
/// assert_eq!(found.kept, [3, 2, 2, 1, 1]);
/// assert_eq!((found.correct, found.lucky), (2, 1));
/// assert_eq!(refused.death(), Some(Step::Refusal));
/// ```
pub fn funnel(cases: &[Case]) -> Funnel {
    let count = |keep: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| keep(case)).count() as u64;
    let mut kept = [cases.len() as u64; 5];
    for (position, _) in Step::ALL.iter().enumerate() {
        let passed = &Step::ALL[..=position];
        kept[position + 1] = count(&|case| passed.iter().all(|&step| case.passes(step)));
    }
    Funnel { kept, correct: count(&|case| case.correct), lucky: count(&Case::is_lucky) }
}

impl Funnel {
    /// The share of all questions that is left after a number of steps; `None` without questions.
    pub fn share(&self, steps: usize) -> Option<f64> {
        ratio(self.kept[steps], self.kept[0])
    }

    /// The share of the questions left after the step before that came through this one, from 1;
    /// `None` when none was left.
    pub fn conditional(&self, step: usize) -> Option<f64> {
        ratio(self.kept[step], self.kept[step - 1])
    }

    /// What recall cannot see: the share of questions with a relevant document among the first k,
    /// less the share that came through to a right answer.
    pub fn gap(&self) -> Option<f64> {
        Some(self.share(1)? - self.share(4)?)
    }

    /// How many questions end in a step.
    pub fn lost(&self, step: Step) -> u64 {
        let position = Step::ALL.iter().position(|&other| other == step).unwrap_or(0);
        self.kept[position] - self.kept[position + 1]
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(text: &str) -> Case {
        let [retrieved, evidence_in_context, answered, correct] = [0, 1, 2, 3].map(|at| text.as_bytes()[at] == b'+');
        Case { retrieved, evidence_in_context, answered, correct }
    }

    #[test]
    fn a_question_ends_in_the_first_step_that_it_does_not_come_through() {
        let deaths = ["++++", "----", "+-+-", "++--", "+++-", "-++-"].map(|text| case(text).death());
        let expected = [None, Some(Step::Retrieval), Some(Step::Evidence), Some(Step::Refusal), Some(Step::Generation)];
        assert_eq!(deaths[..5], expected);
        assert_eq!(deaths[5], Some(Step::Retrieval));
    }

    #[test]
    fn a_right_answer_without_evidence_is_luck() {
        assert_eq!(["++++", "+-++", "--++", "+++-"].map(|text| case(text).is_lucky()), [false, true, true, false]);
        let found = funnel(&[case("+-++"), case("++++")]);
        assert_eq!((found.kept, found.correct, found.lucky), ([2, 2, 1, 1, 1], 2, 1));
        assert_eq!(found.lost(Step::Evidence), 1);
    }

    #[test]
    fn nothing_left_has_no_conditional() {
        let found = funnel(&[case("----")]);
        assert_eq!((found.conditional(1), found.conditional(2), found.share(4)), (Some(0.0), None, Some(0.0)));
        assert_eq!(funnel(&[]).share(0), None);
    }
}
