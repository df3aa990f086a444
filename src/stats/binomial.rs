//! Binomial probabilities: to full precision for fair coins, by logarithms for others.

/// Coins up to which a fair tail is computed by multiplication, term by term.
const BY_PRODUCT: u64 = 1000;

/// P(X = k) for `m` fair coins.
pub fn fair(k: u64, m: u64) -> f64 {
    if k > m {
        return 0.0;
    }
    if m > BY_PRODUCT {
        return Binomial::new(m, 0.5).probability(k);
    }
    let k = k.min(m - k);
    let (mut value, mut halvings) = (1.0, m as i32);
    for i in 1..=k {
        value *= (m - k + i) as f64 / i as f64;
        while value > 1.0 && halvings > 0 {
            value *= 0.5;
            halvings -= 1;
        }
    }
    libm::ldexp(value, -halvings)
}

/// P(X <= k) for `m` fair coins.
pub fn fair_lower(k: u64, m: u64) -> f64 {
    if k >= m {
        return 1.0;
    }
    tail_from(fair(k, m), k, m, 1.0)
}

/// The probabilities of k, k - 1, … 0 heads among `m` coins, summed until they no longer count:
/// `term` is that of k heads, and `odds` are those of tails.
fn tail_from(mut term: f64, k: u64, m: u64, odds: f64) -> f64 {
    let mut total = 0.0;
    for i in (0..=k).rev() {
        total += term;
        let next = term * odds * i as f64 / (m - i + 1) as f64;
        if next < term && next <= total * f64::EPSILON * 1e-3 {
            break;
        }
        term = next;
    }
    total.min(1.0)
}

/// The number of heads among `m` coins that each show heads with probability `heads`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binomial {
    m: u64,
    heads: f64,
}

impl Binomial {
    /// `heads` is clamped to [0, 1].
    pub fn new(m: u64, heads: f64) -> Self {
        Self { m, heads: heads.clamp(0.0, 1.0) }
    }

    /// P(X = k).
    pub fn probability(&self, k: u64) -> f64 {
        if k > self.m {
            return 0.0;
        }
        let tails = self.m - k;
        libm::exp(ln_choose(self.m, k) + ln_power(self.heads, k) + ln_power(1.0 - self.heads, tails))
    }

    /// P(X <= k), from whichever tail is the shorter one: above the mean the probability of k
    /// itself may be too small for a number, while that of at most k is close to 1.
    pub fn lower(&self, k: u64) -> f64 {
        if k >= self.m {
            return 1.0;
        }
        if k as f64 > self.m as f64 * self.heads {
            return 1.0 - self.tails().lower_tail(self.m - k - 1);
        }
        self.lower_tail(k)
    }

    /// P(X >= k).
    pub fn upper(&self, k: u64) -> f64 {
        if k == 0 {
            return 1.0;
        }
        if k > self.m {
            return 0.0;
        }
        self.tails().lower(self.m - k)
    }

    /// The number of tails.
    fn tails(&self) -> Self {
        Self::new(self.m, 1.0 - self.heads)
    }

    /// P(X <= k) for a k of at most about the mean.
    fn lower_tail(&self, k: u64) -> f64 {
        tail_from(self.probability(k), k, self.m, (1.0 - self.heads) / self.heads)
    }
}

fn ln_choose(m: u64, k: u64) -> f64 {
    let ln_factorial = |n: u64| libm::lgamma(n as f64 + 1.0);
    ln_factorial(m) - ln_factorial(k) - ln_factorial(m - k)
}

/// ln(base^exponent), 0 for 0^0.
fn ln_power(base: f64, exponent: u64) -> f64 {
    if exponent == 0 { 0.0 } else { exponent as f64 * libm::log(base) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn fair_coins_by_hand() {
        assert_eq!(fair(2, 4), 6.0 / 16.0);
        assert_eq!(fair(5, 4), 0.0);
        assert_eq!(fair_lower(1, 8), 9.0 / 256.0);
        assert_eq!(fair_lower(0, 40), 0.5f64.powi(40));
        assert_eq!(fair_lower(7, 7), 1.0);
        assert_eq!(fair_lower(0, 0), 1.0);
    }

    #[test]
    fn fair_coins_survive_where_powers_underflow() {
        assert_relative_eq!(fair_lower(499, 999), 0.5, max_relative = 1e-12);
        assert_relative_eq!(fair_lower(2499, 4999), 0.5, max_relative = 1e-9);
    }

    #[test]
    fn unfair_coins_by_hand() {
        let three = Binomial::new(3, 0.25);
        assert_relative_eq!(three.probability(1), 27.0 / 64.0, max_relative = 1e-14);
        assert_relative_eq!(three.lower(1), 54.0 / 64.0, max_relative = 1e-14);
        assert_relative_eq!(three.upper(2), 10.0 / 64.0, max_relative = 1e-14);
    }

    #[test]
    fn far_from_the_mean_nothing_is_lost() {
        let coins = Binomial::new(100_000, 0.01);
        assert_eq!((coins.lower(50_000), coins.upper(50_000)), (1.0, 0.0));
        assert_eq!((coins.lower(0), coins.upper(1)), (0.0, 1.0));
        let sides = coins.lower(1010) + coins.upper(1011);
        assert_relative_eq!(sides, 1.0, max_relative = 1e-12);
    }

    #[test]
    fn certain_coins() {
        let heads = Binomial::new(5, 1.0);
        assert_eq!((heads.probability(5), heads.lower(4), heads.upper(5)), (1.0, 0.0, 1.0));
        let tails = Binomial::new(5, 0.0);
        assert_eq!((tails.lower(0), tails.upper(1)), (1.0, 0.0));
    }
}
