//! Token budgets: as many results from the top as fit.

/// How many results fit into a budget, and how many tokens they have: the results are taken from
/// the top and the first that does not fit ends the list, whatever comes after it.
///
/// `None` in the list is a result of unknown length; the error is its position.
///
/// ```
/// use raglens::rag::fit;
/// assert_eq!(fit([400, 700, 300, 200].map(Some), 1200), Ok((2, 1100)));
/// assert_eq!(fit([Some(400), None], 300), Ok((0, 0)));
/// assert_eq!(fit([Some(400), None], 500), Err(1));
/// ```
///
/// # Errors
/// When the length of a result that may fit is unknown.
pub fn fit(tokens: impl IntoIterator<Item = Option<u64>>, budget: u64) -> Result<(usize, u64), usize> {
    let mut used = 0_u64;
    let mut count = 0;
    for tokens in tokens {
        let sum = used.checked_add(tokens.ok_or(count)?);
        let Some(sum) = sum.filter(|&sum| sum <= budget) else { break };
        used = sum;
        count += 1;
    }
    Ok((count, used))
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn a_shorter_result_further_down_does_not_jump_the_queue() {
        assert_eq!(fit([Some(5), Some(100), Some(1)], 10), Ok((1, 5)));
        assert_eq!(fit([Some(10), Some(0), Some(1)], 10), Ok((2, 10)));
        assert_eq!(fit([Some(u64::MAX), Some(u64::MAX)], u64::MAX), Ok((1, u64::MAX)));
        assert_eq!(fit([], 10), Ok((0, 0)));
    }
}
