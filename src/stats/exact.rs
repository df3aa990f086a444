//! The exact distribution of a sum of differences under all sign patterns.
//!
//! Each query adds or subtracts its difference. The queries are dealt into two lists of (sum,
//! probability), equal sums are merged, and a tail of the total is read off by walking both lists
//! from opposite ends (Horowitz and Sahni, "Computing partitions with applications to the knapsack
//! problem", JACM 21, 1974). On a lattice the merging makes this dynamic programming (Pagano and
//! Tritchler 1983), elsewhere it is an enumeration of 2^m patterns in the time of 2^(m/2).
//! All terms are positive and only halved and added, so the relative error is about m * 1e-16.

/// The longest list the engine will build.
const MAX_LIST: f64 = (1u64 << 20) as f64;

/// The number of list entries the engine will write.
const MAX_WORK: f64 = 2e8;

/// The distribution of a signed sum, in two independent parts.
#[derive(Debug, Clone)]
pub struct SignedSum {
    left: Distribution,
    right: Distribution,
}

/// Sums in ascending order, each with its probability.
#[derive(Debug, Clone)]
struct Distribution {
    sums: Vec<i64>,
    weights: Vec<f64>,
}

impl SignedSum {
    /// The distribution of the sum of `values` with fair, independent signs; zeros do not matter.
    /// `None` when it would take too much memory or work, which is known before any is done.
    pub fn of(values: &[i64]) -> Option<Self> {
        let plan = Plan::of(values)?;
        let (left, right) = rayon::join(|| Distribution::signed(&plan.left), || Distribution::signed(&plan.right));
        Some(Self { left, right })
    }

    /// P(sum >= `threshold`).
    pub fn upper_tail(&self, threshold: i64) -> f64 {
        let mut needed = self.right.sums.len();
        let (mut suffix, mut total) = (0.0, 0.0);
        for (sum, weight) in self.left.sums.iter().zip(&self.left.weights) {
            while needed > 0 && self.right.sums[needed - 1] >= threshold - sum {
                needed -= 1;
                suffix += self.right.weights[needed];
            }
            total += weight * suffix;
        }
        total.min(1.0)
    }
}

fn descending_sizes(values: &[i64]) -> Vec<i64> {
    let mut sizes: Vec<i64> = values.iter().map(|v| v.abs()).filter(|v| *v > 0).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// Which sizes go into which list.
struct Plan {
    left: Vec<i64>,
    right: Vec<i64>,
}

impl Plan {
    /// Deals the sizes, largest first, to the list expected to be shorter.
    fn of(values: &[i64]) -> Option<Self> {
        let sizes = descending_sizes(values);
        let step = sizes.iter().copied().fold(0, greatest_common_divisor);
        let mut plan = Self { left: Vec::new(), right: Vec::new() };
        let (mut left, mut right) = (Growth::new(step), Growth::new(step));
        let mut work = 0.0;
        for size in sizes {
            let (list, growth) = if left.entries() <= right.entries() {
                (&mut plan.left, &mut left)
            } else {
                (&mut plan.right, &mut right)
            };
            list.push(size);
            growth.add(size);
            work += growth.entries();
            if growth.entries() > MAX_LIST || work > MAX_WORK {
                return None;
            }
        }
        Some(plan)
    }
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// An upper bound on the number of different sums in a list.
struct Growth {
    step: f64,
    span: f64,
    /// Patterns that differ in how many of each size are negative.
    patterns: f64,
    size: i64,
    copies: f64,
}

impl Growth {
    fn new(step: i64) -> Self {
        Self { step: step.max(1) as f64, span: 0.0, patterns: 1.0, size: 0, copies: 0.0 }
    }

    fn add(&mut self, size: i64) {
        self.copies = if size == self.size { self.copies + 1.0 } else { 1.0 };
        self.size = size;
        self.patterns *= (self.copies + 1.0) / self.copies;
        self.span += size as f64;
    }

    /// All sums lie between plus and minus the span, two steps apart.
    fn entries(&self) -> f64 {
        self.patterns.min(self.span / self.step + 1.0)
    }
}

impl Distribution {
    /// The sum of `sizes` with random signs.
    fn signed(sizes: &[i64]) -> Self {
        let nothing = Self { sums: vec![0], weights: vec![1.0] };
        sizes.iter().fold(nothing, |sum, size| sum.plus_signed(*size))
    }

    /// Adds or subtracts `size` with probability one half each: a merge of two shifted copies.
    fn plus_signed(&self, size: i64) -> Self {
        let mut merged = Self::with_capacity(2 * self.sums.len());
        let (mut down, mut up) = (0, 0);
        while down < self.sums.len() {
            let (low, high) = (self.sums[down] - size, self.sums[up] + size);
            let mut weight = 0.0;
            if low <= high {
                weight += 0.5 * self.weights[down];
                down += 1;
            }
            if high <= low {
                weight += 0.5 * self.weights[up];
                up += 1;
            }
            merged.push(low.min(high), weight);
        }
        for rest in up..self.sums.len() {
            merged.push(self.sums[rest] + size, 0.5 * self.weights[rest]);
        }
        merged
    }

    fn with_capacity(capacity: usize) -> Self {
        Self { sums: Vec::with_capacity(capacity), weights: Vec::with_capacity(capacity) }
    }

    fn push(&mut self, sum: i64, weight: f64) {
        self.sums.push(sum);
        self.weights.push(weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_equal_values() {
        // -3, -1, 1, 3 with probabilities 1, 3, 3, 1 eighths
        let sum = SignedSum::of(&[1, -1, 1]).unwrap();
        assert_eq!(sum.upper_tail(3), 0.125);
        assert_eq!(sum.upper_tail(2), 0.125);
        assert_eq!(sum.upper_tail(1), 0.5);
        assert_eq!(sum.upper_tail(-3), 1.0);
        assert_eq!(sum.upper_tail(4), 0.0);
    }

    #[test]
    fn agrees_with_counting_every_pattern() {
        let values = [5, 3, 3, 8, 1, 0, 13];
        let sum = SignedSum::of(&values).unwrap();
        for threshold in -34..=34 {
            let patterns = (0..128).filter(|bits| signed(&values, *bits) >= threshold).count();
            assert_eq!(sum.upper_tail(threshold), patterns as f64 / 128.0);
        }
    }

    fn signed(values: &[i64], bits: u32) -> i64 {
        let sign = |i: usize| if bits >> i & 1 == 1 { -1 } else { 1 };
        values.iter().enumerate().map(|(i, v)| sign(i) * v).sum()
    }

    #[test]
    fn nothing_sums_to_zero() {
        let sum = SignedSum::of(&[0, 0]).unwrap();
        assert_eq!((sum.upper_tail(0), sum.upper_tail(1)), (1.0, 0.0));
    }

    #[test]
    fn the_bound_on_entries_is_kept() {
        for values in [vec![6, 6, 6, 4, 4, 2], vec![9, 5, 3, 1], vec![7; 9], vec![40, 20, 20, 20, 10]] {
            let step = values.iter().copied().fold(0, greatest_common_divisor);
            let mut growth = Growth::new(step);
            values.iter().for_each(|size| growth.add(*size));
            assert!(Distribution::signed(&values).sums.len() as f64 <= growth.entries());
        }
    }

    #[test]
    fn gives_up_on_too_many_different_values() {
        let values: Vec<i64> = (0..60).map(|i| 1 << (i % 50)).map(|v: i64| v * 3 + 1).collect();
        assert!(SignedSum::of(&values).is_none());
    }
}
