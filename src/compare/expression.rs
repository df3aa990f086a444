//! Requirements on a number, as text: `delta(recall@5)>=-0.01`, `recall@5>=0.60`.

use std::fmt;
use std::str::FromStr;

use crate::measure::shortest;

/// A number that must reach a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Which number.
    pub subject: Subject,
    /// Its metric, as it was written.
    pub metric: String,
    /// How it is compared.
    pub comparison: Comparison,
    /// The limit.
    pub limit: f64,
}

/// Which number a requirement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The mean difference, B minus A.
    Difference,
    /// The mean of B.
    Mean,
}

/// How a number is compared with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// At least.
    AtLeast,
    /// At most.
    AtMost,
    /// More than.
    Above,
    /// Less than.
    Below,
}

/// Comparisons and their signs; the longer signs first.
const SIGNS: [(&str, Comparison); 4] =
    [(">=", Comparison::AtLeast), ("<=", Comparison::AtMost), (">", Comparison::Above), ("<", Comparison::Below)];

/// Means of 0.1 and 0.2 make no 0.3 in binary: what is that close to the limit reaches it.
const ROUNDING: f64 = 1e-12;

/// Text that is no requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected one requirement such as recall@5>=0.60 or delta(recall@5)>=-0.01, not `{text}`")]
pub struct NoRequirement {
    /// The text.
    pub text: String,
}

impl Requirement {
    /// Whether a number meets it.
    pub fn is_met(&self, value: f64) -> bool {
        match self.comparison {
            Comparison::AtLeast => value >= self.limit - ROUNDING,
            Comparison::AtMost => value <= self.limit + ROUNDING,
            Comparison::Above => value > self.limit + ROUNDING,
            Comparison::Below => value < self.limit - ROUNDING,
        }
    }
}

/// A requirement that says nothing, because of the values that its number can take.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("`{requirement}` {}: {} is from {} to {}", if *.always { "always holds" } else { "can never hold" }, requirement.number(), shortest(*.low), shortest(*.high))]
pub struct Idle {
    /// The requirement.
    pub requirement: Requirement,
    /// Whether it always holds; else it never does.
    pub always: bool,
    /// The smallest value of its number.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Requirement {
    /// Checks that a measure whose values go from `low` to `high` can meet the requirement, and
    /// that its limit is no number beyond them.
    ///
    /// # Errors
    /// When it can never hold, or holds whatever is measured because the limit is out of range.
    pub fn check_range(&self, low: f64, high: f64) -> Result<(), Idle> {
        let (low, high) = match self.subject {
            Subject::Mean => (low, high),
            Subject::Difference => (low - high, high - low),
        };
        let met = [low, high].map(|value| self.is_met(value));
        let is_beyond = self.limit < low || self.limit > high;
        match met {
            [false, false] => Err(Idle { requirement: self.clone(), always: false, low, high }),
            [true, true] if is_beyond => Err(Idle { requirement: self.clone(), always: true, low, high }),
            _ => Ok(()),
        }
    }

    /// The number as it is written.
    fn number(&self) -> String {
        match self.subject {
            Subject::Difference => format!("delta({})", self.metric),
            Subject::Mean => self.metric.clone(),
        }
    }
}

impl Comparison {
    fn sign(self) -> &'static str {
        SIGNS.iter().find(|(_, comparison)| *comparison == self).map_or("", |(sign, _)| sign)
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.number(), self.comparison.sign(), self.limit)
    }
}

impl FromStr for Requirement {
    type Err = NoRequirement;

    fn from_str(text: &str) -> Result<Self, NoRequirement> {
        parse(text).ok_or_else(|| NoRequirement { text: text.to_owned() })
    }
}

fn parse(text: &str) -> Option<Requirement> {
    let at = text.rfind(['>', '<'])?;
    let (sign, comparison) = SIGNS.into_iter().find(|(sign, _)| text[at..].starts_with(sign))?;
    let limit = text[at + sign.len()..].trim().parse::<f64>().ok().filter(|limit| limit.is_finite())?;
    let subject = text[..at].trim();
    let inner = subject.strip_prefix("delta(").and_then(|rest| rest.strip_suffix(')'));
    let (metric, subject) = match inner {
        Some(metric) => (metric.trim(), Subject::Difference),
        None => (subject, Subject::Mean),
    };
    let is_named = !metric.is_empty() && !metric.ends_with('=') && !metric.split([',', ' ']).any(is_requirement);
    is_named.then(|| Requirement { subject, metric: metric.to_owned(), comparison, limit })
}

/// Whether a part of what should be a metric is a requirement: several stand in one text.
fn is_requirement(part: &str) -> bool {
    let limit = part.rsplit_once(['>', '<']).map(|(_, limit)| limit.trim_start_matches('='));
    limit.is_some_and(|limit| limit.is_empty() || limit.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_read_and_show() {
        for text in ["recall@5>=0.6", "delta(recall@5)>=-0.01", "latency_ms<200", "delta(P(rel=2)@5)>0"] {
            assert_eq!(text.parse::<Requirement>().unwrap().to_string(), text);
        }
        assert_eq!(" recall@5 >= .60".parse::<Requirement>().unwrap().to_string(), "recall@5>=0.6");
    }

    #[test]
    fn what_is_no_requirement_is_refused() {
        for text in ["", "recall@5", ">=0.5", "recall@5>=", "recall@5=0.5", "recall@5>=high", "x>=inf"] {
            assert!(text.parse::<Requirement>().is_err(), "{text}");
        }
    }

    #[test]
    fn several_requirements_in_one_text_and_turned_signs_are_refused() {
        for text in ["a>=0.6, b>=0.1", "a>=0.6,b>=0.1", "a >= 0.6 and b>=0.1", "a>=0.1>=0.2", "a=>0.5", "a=<0.5"] {
            assert!(text.parse::<Requirement>().is_err(), "{text}");
        }
        for text in ["share<2s>=0.9", "ndcg:1=3:2=9@10>=0.5"] {
            assert_eq!(text.parse::<Requirement>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_limit_that_no_value_can_reach_or_miss_is_refused() {
        let found = |text: &str| text.parse::<Requirement>().unwrap().check_range(0.0, 1.0).map_err(|e| e.to_string());
        assert_eq!(found("recall@5>=2").unwrap_err(), "`recall@5>=2` can never hold: recall@5 is from 0 to 1");
        assert_eq!(found("recall@5<1.5").unwrap_err(), "`recall@5<1.5` always holds: recall@5 is from 0 to 1");
        assert_eq!(found("recall@5>1").unwrap_err(), "`recall@5>1` can never hold: recall@5 is from 0 to 1");
        let difference = "`delta(recall@5)>=-3` always holds: delta(recall@5) is from -1 to 1";
        assert_eq!(found("delta(recall@5)>=-3").unwrap_err(), difference);
        for text in ["recall@5>=1", "recall@5>=0", "recall@5<=1", "delta(recall@5)>=-1"] {
            assert_eq!(found(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn the_limit_itself_is_reached() {
        let limit: Requirement = "delta(x)>=0.3".parse().unwrap();
        assert!(limit.is_met(0.9 - 0.6));
        assert!(!limit.is_met(0.2999));
        let above: Requirement = "x>0.3".parse().unwrap();
        assert!(!above.is_met(0.1 + 0.2));
    }
}
