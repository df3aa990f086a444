//! The reference file, with a record of which of its values have been compared.

use std::collections::BTreeSet;

use serde_json::Value;

/// Keys (at any depth) that are not compared, and why.
pub const NOT_OURS: &[(&str, &str)] = &[
    ("meta", "definitions; its vectors are compared one by one"),
    ("cross_checks", "what the makers of the file checked"),
    ("name", "words"),
    ("note", "words"),
    ("kind", "words"),
    ("source_check", "words"),
    ("method", "how the reference was computed"),
    ("algorithm", "words"),
    ("query_ids", "the statistics see no ids"),
    ("engine_prototype", "another program; its p is the reference's"),
    ("monte_carlo_se_B10000", "a tolerance for other random streams"),
    ("monte_carlo_se_B100000", "a tolerance for other random streams"),
    ("seed000_python_function_B10000_seed0", "another random stream"),
    ("bootstrap_se_ideal", "a property of the data, from which tolerances were made"),
    ("prob_below_lower", "from which the accepted limits were made"),
    ("prob_at_or_below_lower", "from which the accepted limits were made"),
    ("prob_above_upper", "from which the accepted limits were made"),
    ("prob_at_or_above_upper", "from which the accepted limits were made"),
    ("ideal_se", "from which the tolerance was made"),
    ("B_for_accept", "a condition"),
    ("asymptotic_p", "not offered"),
    ("asymptotic_cc_p", "not offered"),
    ("wald", "not offered"),
    ("newcombe_square_and_add", "not offered"),
    ("by", "not offered"),
    ("single_step", "not offered"),
    ("elinor_readme", "another program"),
    ("elinor_0_4_measured_200k", "another program"),
    ("parametric_tukey_hsd_two_way", "not offered"),
    ("seed_table", "a simulated table, in error in five cells"),
    ("mc600", "a simulated table"),
    ("normal_no_cc_grid_0001", "not offered"),
    ("normal_cc_grid_0001", "not offered"),
    ("simple_wald", "not offered"),
    ("approx_normal", "not offered"),
    ("n_normal_plus", "equal to n_exact"),
];

/// How far a value may lie from the reference.
#[derive(Clone, Copy)]
pub enum Within {
    Relative(f64),
    Absolute(f64),
}

pub struct Ledger {
    root: Value,
    compared: BTreeSet<String>,
    used: BTreeSet<String>,
    failures: Vec<String>,
}

impl Ledger {
    pub fn new(text: &str) -> Self {
        Self {
            root: serde_json::from_str(text).expect("the reference is JSON"),
            compared: BTreeSet::new(),
            used: BTreeSet::new(),
            failures: Vec::new(),
        }
    }

    /// How many entries the array at `path` has.
    pub fn len(&self, path: &str) -> usize {
        self.root.pointer(path).and_then(Value::as_array).map_or(0, Vec::len)
    }

    pub fn has(&self, path: &str) -> bool {
        self.root.pointer(path).is_some()
    }

    /// A number to compute with, or one leaf of a list of them.
    pub fn input(&mut self, path: &str) -> f64 {
        self.used.insert(path.to_owned());
        let value = self.root.pointer(path).and_then(Value::as_f64);
        value.unwrap_or_else(|| panic!("{path} is no number"))
    }

    pub fn inputs(&mut self, path: &str) -> Vec<f64> {
        (0..self.len(path)).map(|i| self.input(&format!("{path}/{i}"))).collect()
    }

    pub fn text(&mut self, path: &str) -> String {
        self.used.insert(path.to_owned());
        let value = self.root.pointer(path).and_then(Value::as_str);
        value.unwrap_or_else(|| panic!("{path} is no text")).to_owned()
    }

    pub fn text_if_any(&mut self, path: &str) -> Option<String> {
        let is_text = self.root.pointer(path).is_some_and(Value::is_string);
        is_text.then(|| self.text(path))
    }

    pub fn number_if_any(&self, path: &str) -> Option<f64> {
        self.root.pointer(path).and_then(Value::as_f64)
    }

    /// Compares a number; `None` stands for null.
    pub fn number(&mut self, path: &str, actual: impl Into<Option<f64>>, within: Within) {
        let expected = self.root.pointer(path).unwrap_or_else(|| panic!("{path} is missing"));
        let (expected, actual) = (number(expected), actual.into());
        self.check(path, is_close(actual, expected, within), format!("{actual:?}, expected {expected:?}"));
    }

    /// Compares a number that must be the same.
    pub fn exact(&mut self, path: &str, actual: impl Into<Option<f64>>) {
        self.number(path, actual, Within::Absolute(0.0));
    }

    pub fn numbers(&mut self, path: &str, actual: &[f64], within: Within) {
        self.check(path, self.len(path) == actual.len(), format!("{} values", actual.len()));
        for (i, actual) in actual.iter().enumerate() {
            self.number(&format!("{path}/{i}"), *actual, within);
        }
    }

    /// Compares a fraction written as text.
    pub fn fraction(&mut self, path: &str, actual: f64, within: Within) {
        if self.has(path) {
            let expected = fraction(&self.text(path));
            self.check(path, is_close(Some(actual), Some(expected), within), format!("{actual}, expected {expected}"));
        }
    }

    /// Records a comparison made elsewhere.
    pub fn check(&mut self, path: &str, holds: bool, what: String) {
        self.compared.insert(path.to_owned());
        if !holds {
            self.failures.push(format!("{path}: {what}"));
        }
    }

    /// Fails if a comparison failed or a value was overlooked; else the number of values compared.
    pub fn close(self) -> usize {
        let mut leaves = Vec::new();
        collect_leaves(&self.root, "", &mut leaves);
        let overlooked: Vec<&String> =
            leaves.iter().filter(|leaf| !self.compared.contains(*leaf) && !self.used.contains(*leaf)).collect();
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        assert!(overlooked.is_empty(), "not compared: {overlooked:#?}");
        self.compared.len()
    }
}

/// Numbers may be written as hexadecimal text.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(hex) => u32::from_str_radix(hex, 16).ok().map(f64::from),
        other => other.as_f64(),
    }
}

fn fraction(text: &str) -> f64 {
    let parse = |part: &str| part.parse::<f64>().expect("a fraction of numbers");
    match text.split_once('/') {
        Some((numerator, denominator)) => parse(numerator) / parse(denominator),
        None => parse(text),
    }
}

fn is_close(actual: Option<f64>, expected: Option<f64>, within: Within) -> bool {
    let (Some(actual), Some(expected)) = (actual, expected) else {
        return actual == expected;
    };
    let allowed = match within {
        Within::Relative(share) => share * expected.abs(),
        Within::Absolute(distance) => distance,
    };
    actual.is_finite() && (actual - expected).abs() <= allowed
}

fn collect_leaves(value: &Value, path: &str, leaves: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                collect_leaves(item, &format!("{path}/{i}"), leaves);
            }
        }
        Value::Object(entries) => {
            let ours = entries.iter().filter(|(key, _)| NOT_OURS.iter().all(|(not, _)| not != key));
            for (key, item) in ours {
                collect_leaves(item, &format!("{path}/{key}"), leaves);
            }
        }
        _ => leaves.push(path.to_owned()),
    }
}

#[test]
fn a_wrong_value_is_noticed() {
    let mut ledger = Ledger::new(r#"{"p": 0.5, "q": null}"#);
    ledger.number("/p", 0.5 + 1e-6, Within::Absolute(1e-9));
    ledger.exact("/q", 1.0);
    assert_eq!(ledger.failures.len(), 2);
}

#[test]
#[should_panic(expected = "not compared")]
fn an_overlooked_value_is_noticed() {
    let mut ledger = Ledger::new(r#"{"p": 0.5, "other": [1, 2]}"#);
    ledger.exact("/p", 0.5);
    ledger.close();
}
