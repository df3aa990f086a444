//! The data sets: one pair of score lists each, with every test and interval on it.

use raglens::stats::bootstrap::{BootstrapKind, adjusted_tail, resample_mean};
use raglens::stats::bounds::{Differences, plus_two};
use raglens::stats::effect::{effect_size, hedges_correction};
use raglens::stats::lattice::Quantized;
use raglens::stats::mcnemar::{Discordant, TwoByTwo, mcnemar};
use raglens::stats::paired::Paired;
use raglens::stats::randomization::{
    Alternative, RandomizationMethod, RandomizationOptions, RandomizationTest, count_flips, randomization_test,
};
use raglens::stats::summary::{Interval, sample_sd};
use raglens::stats::t_test::t_test;
use raglens::stats::tango::tango;
use raglens::stats::wilcoxon::{sign_test, wilcoxon_test};

use crate::ledger::{Ledger, Within};

const EXACT_P: Within = Within::Relative(1e-9);
const T_TEST: Within = Within::Relative(1e-9);
const MCNEMAR: Within = Within::Relative(1e-12);
const CLOSED_FORM: Within = Within::Absolute(1e-9);
const TANGO: Within = Within::Absolute(1e-8);
const STREAM: Within = Within::Absolute(1e-12);
const SUMS: Within = Within::Absolute(1e-12);

pub fn compare(ledger: &mut Ledger) {
    for i in 0..ledger.len("/cases") {
        let case = Case::read(ledger, &format!("/cases/{i}"));
        case.means(ledger);
        case.randomization(ledger);
        case.stream(ledger);
        case.t_test(ledger);
        case.effect(ledger);
        case.ranks(ledger);
        case.mcnemar(ledger);
        case.plus_two(ledger);
        case.bootstrap(ledger);
        case.bca(ledger);
    }
}

struct Case {
    path: String,
    a: Vec<f64>,
    b: Vec<f64>,
    paired: Paired,
}

impl Case {
    fn read(ledger: &mut Ledger, path: &str) -> Self {
        let a = ledger.inputs(&format!("{path}/a"));
        let b = ledger.inputs(&format!("{path}/b"));
        let paired = Paired::new(&a, &b).expect("a case can be paired");
        Self { path: path.to_owned(), a, b, paired }
    }

    fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.path)
    }

    fn test(&self, alternative: Alternative) -> RandomizationTest {
        let options = RandomizationOptions { alternative, ..Default::default() };
        randomization_test(&self.paired, options)
    }

    fn means(&self, ledger: &mut Ledger) {
        let paired = &self.paired;
        ledger.exact(&self.at("n"), paired.n as f64);
        ledger.exact(&self.at("wins_b"), paired.wins as f64);
        ledger.exact(&self.at("ties"), paired.ties as f64);
        ledger.exact(&self.at("losses_b"), paired.losses as f64);
        ledger.exact(&self.at("n_differ"), paired.differing() as f64);
        ledger.number(&self.at("mean_a"), paired.mean_a, SUMS);
        ledger.number(&self.at("mean_b"), paired.mean_b, SUMS);
        ledger.number(&self.at("mean_diff"), paired.mean_difference, SUMS);
        ledger.fraction(&self.at("mean_diff_fraction"), paired.mean_difference, SUMS);
    }

    fn randomization(&self, ledger: &mut Ledger) {
        let test = self.test(Alternative::TwoSided);
        let within = match test.method {
            RandomizationMethod::MonteCarlo(draws) => Within::Absolute(4.0 * draws.standard_error),
            _ => EXACT_P,
        };
        let at = |key: &str| self.at(&format!("randomization/{key}"));
        let greater = self.test(Alternative::Greater).p;
        ledger.number(&at("two_sided"), test.p, within);
        ledger.number(&at("greater"), greater, within);
        if ledger.has(&at("less")) {
            ledger.number(&at("less"), self.test(Alternative::Less).p, within);
        }
        ledger.fraction(&at("two_sided_fraction"), test.p, within);
        ledger.fraction(&at("greater_fraction"), greater, within);
        if ledger.has(&at("two_sided_count")) {
            let patterns = 2f64.powi(test.differing as i32);
            ledger.fraction(&at("two_sided_count"), test.p * patterns, within);
            ledger.fraction(&at("patterns"), patterns, within);
        }
        ledger.number(&at("smallest_possible_two_sided"), test.smallest_possible, EXACT_P);
        if ledger.has(&at("lattice_denominator")) {
            let lattice = Quantized::new(&self.paired.differences).lattice;
            ledger.exact(&at("lattice_denominator"), lattice.map(f64::from));
        }
    }

    fn stream(&self, ledger: &mut Ledger) {
        let runs = self.at("randomization/raglens_stream_v1");
        let differences = Quantized::new(&self.paired.differences);
        for i in 0..ledger.len(&runs) {
            let at = |key: &str| format!("{runs}/{i}/{key}");
            let resamples = ledger.input(&at("B")) as u64;
            let counts = count_flips(&differences, resamples, ledger.input(&at("seed")) as u64);
            ledger.exact(&at("count_two_sided"), counts.two_sided as f64);
            ledger.exact(&at("count_greater"), counts.greater as f64);
            ledger.exact(&at("count_less"), counts.less as f64);
            let p = (counts.two_sided + 1) as f64 / (resamples + 1) as f64;
            ledger.number(&at("p_two_sided"), p, STREAM);
            ledger.exact(&at("lattice"), differences.lattice.map(f64::from));
        }
    }

    fn t_test(&self, ledger: &mut Ledger) {
        let at = |key: &str| self.at(&format!("t_test/{key}"));
        let test = t_test(&self.paired, Alternative::TwoSided, 0.95);
        ledger.exact(&at("n"), self.paired.n as f64);
        ledger.number(&at("mean"), self.paired.mean_difference, SUMS);
        ledger.number(&at("sd"), sample_sd(&self.paired.differences), SUMS);
        ledger.number(&at("t"), test.map(|test| test.t), T_TEST);
        ledger.number(&at("p"), test.map(|test| test.p), T_TEST);
        let Some(test) = test else {
            ledger.exact(&at("ci"), None);
            return;
        };
        let greater = t_test(&self.paired, Alternative::Greater, 0.95).map(|test| test.p);
        ledger.number(&at("p_greater"), greater, T_TEST);
        ledger.number(&at("se"), test.standard_error, T_TEST);
        ledger.exact(&at("df"), test.df as f64);
        interval(ledger, &at("ci"), test.interval, CLOSED_FORM);
    }

    fn effect(&self, ledger: &mut Ledger) {
        let effect = effect_size(&self.paired);
        let at = |key: &str| self.at(&format!("effect_size/{key}"));
        ledger.number(&at("cohen_dz"), effect.cohen_dz, T_TEST);
        ledger.number(&at("hedges_j_exact"), hedges_correction(self.paired.n), T_TEST);
        ledger.number(&at("hedges_gz"), effect.hedges_gz, T_TEST);
        ledger.number(&at("prob_superiority"), effect.superiority, SUMS);
    }

    fn ranks(&self, ledger: &mut Ledger) {
        let options = RandomizationOptions::default();
        ledger.number(&self.at("sign_test_p"), sign_test(&self.paired, options).p, EXACT_P);
        let path = self.at("wilcoxon_exact_p_zeros_dropped_midranks");
        if ledger.has(&path) {
            let test = wilcoxon_test(&self.paired, options);
            ledger.number(&path, test.map(|test| test.p), EXACT_P);
        }
    }

    fn mcnemar(&self, ledger: &mut Ledger) {
        let at = |key: &str| self.at(&format!("mcnemar/{key}"));
        let table = TwoByTwo::count(&self.a, &self.b);
        if !ledger.has(&self.at("mcnemar")) {
            return ledger.check(&self.at("mcnemar"), table.is_none(), format!("{table:?}"));
        }
        let table = table.expect("a table of binary scores");
        let test = mcnemar(table, Alternative::TwoSided);
        ledger.exact(&at("both_right"), table.both as f64);
        ledger.exact(&at("a_only"), table.a_only as f64);
        ledger.exact(&at("b_only"), table.b_only as f64);
        ledger.exact(&at("neither"), table.neither as f64);
        ledger.number(&at("exact_p"), test.exact_p, MCNEMAR);
        ledger.number(&at("mid_p"), test.mid_p, MCNEMAR);
        ledger.number(&at("bayes_jeffreys_prob_b_better"), test.probability_b_better, CLOSED_FORM);
        let score = tango(table, 0.95).expect("an interval");
        interval(ledger, &at("ci95/tango_score"), score, TANGO);
        let wald = plus_two(Differences::binary(table), 0.95);
        interval(ledger, &at("ci95/bonett_price"), wald, CLOSED_FORM);
        let positions = Discordant::of(&self.paired.differences);
        ledger.numbers(&at("discordant_positions_a_only"), &as_f64(&positions.a_only), SUMS);
        ledger.numbers(&at("discordant_positions_b_only"), &as_f64(&positions.b_only), SUMS);
    }

    fn plus_two(&self, ledger: &mut Ledger) {
        let at = |key: &str| self.at(&format!("plus_two/{key}"));
        let differences = Differences::new(&self.paired, 1.0).expect("a finite range");
        let one_sided = plus_two(differences, 0.9);
        interval(ledger, &at("ci95"), plus_two(differences, 0.95), CLOSED_FORM);
        ledger.number(&at("one_sided_lower95"), one_sided.low, CLOSED_FORM);
        ledger.number(&at("one_sided_upper95"), one_sided.high, CLOSED_FORM);
    }

    fn bootstrap(&self, ledger: &mut Ledger) {
        if !ledger.has(&self.at("bootstrap")) {
            return;
        }
        let at = |key: &str| self.at(&format!("bootstrap/{key}"));
        let adjusted = adjusted_tail(self.paired.n, 0.025).expect("two queries");
        ledger.exact(&at("tail_percentile"), 0.025);
        ledger.number(&at("tail_adjusted"), adjusted, EXACT_P);
        let means = resample_mean(&self.paired.differences, 10_000, 0);
        for (name, tail) in [("percentile", 0.025), ("adjusted_percentile", adjusted)] {
            let found = means.between(tail, tail);
            interval(ledger, &at(&format!("raglens_stream_v1_B10000_seed0/{name}")), found, STREAM);
            accepted(ledger, &at(name), found);
        }
    }

    fn bca(&self, ledger: &mut Ledger) {
        let at = |key: &str| self.at(&format!("bootstrap/{key}"));
        if !ledger.has(&at("bca_scipy_B100000")) {
            return;
        }
        let means = resample_mean(&self.paired.differences, 10_000, 0);
        ledger.number(&at("bca_acceleration"), means.acceleration(), CLOSED_FORM);
        let tolerance = self.bca_tolerance(ledger, &at("bca_tolerance"));
        let found = means.interval(BootstrapKind::Bca, 0.95).expect("an interval");
        interval(ledger, &at("bca_scipy_B100000"), found, Within::Absolute(tolerance));
    }

    /// A number, or one step of the lattice of means plus a number.
    fn bca_tolerance(&self, ledger: &mut Ledger, path: &str) -> f64 {
        let Some(text) = ledger.text_if_any(path) else {
            return ledger.input(path);
        };
        let plus = text.rsplit(' ').next().and_then(|number| number.parse::<f64>().ok());
        let step = 1.0 / (Quantized::new(&self.paired.differences).scale * self.paired.n as f64);
        step + plus.expect("a number at the end")
    }
}

/// Limits of 10,000 resamples against those of infinitely many.
fn accepted(ledger: &mut Ledger, path: &str, found: Interval) {
    if ledger.has(&format!("{path}/ideal_estimate")) {
        let tolerance = ledger.input(&format!("{path}/tolerance_B10000_4se"));
        interval(ledger, &format!("{path}/ideal_estimate"), found, Within::Absolute(tolerance));
        return;
    }
    for (name, limit, ideal) in [("accept_lower", found.low, 0), ("accept_upper", found.high, 1)] {
        let accepted = ledger.inputs(&format!("{path}/{name}"));
        let holds = accepted[0] - 1e-12 <= limit && limit <= accepted[1] + 1e-12;
        ledger.check(&format!("{path}/{name}"), holds, format!("{limit}, expected {accepted:?}"));
        let ideal = format!("{path}/ideal/{ideal}");
        let expected = ledger.input(&ideal);
        let near = accepted[0] - 1e-12 <= expected && expected <= accepted[1] + 1e-12;
        ledger.check(&ideal, near, format!("{expected} is not among {accepted:?}"));
    }
}

fn interval(ledger: &mut Ledger, path: &str, actual: Interval, within: Within) {
    ledger.numbers(path, &[actual.low, actual.high], within);
}

fn as_f64(positions: &[usize]) -> Vec<f64> {
    positions.iter().map(|position| *position as f64).collect()
}
