//! Several tests at once.

/// What Holm's procedure says of one of several tests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Holm {
    /// The p-value, adjusted for the number of tests, in [0, 1].
    pub adjusted: f64,
    /// Whether the hypothesis is rejected.
    pub rejected: bool,
}

/// Holm's step-down procedure: the chance to reject any true hypothesis is at most `alpha`, however the tests depend on
/// each other. The k-th smallest of m p-values is multiplied by m − k + 1, and none may fall below the one before. In the
/// order of `p_values`; a value that is no number counts as 1.
///
/// (S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics 6, 1979.)
///
/// ```
/// let adjusted: Vec<f64> = roughboard::stats::holm(&[0.01, 0.04], 0.05).iter().map(|test| test.adjusted).collect();
/// assert_eq!(adjusted, [0.02, 0.04]);
/// ```
pub fn holm(p_values: &[f64], alpha: f64) -> Vec<Holm> {
    let p_value = |index: usize| if p_values[index].is_nan() { 1.0 } else { p_values[index].clamp(0.0, 1.0) };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_value(a).total_cmp(&p_value(b)));
    let mut tests = vec![Holm { adjusted: 1.0, rejected: false }; p_values.len()];
    let mut floor = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        floor = floor.max((p_values.len() - rank) as f64 * p_value(index)).min(1.0);
        tests[index] = Holm { adjusted: floor, rejected: floor <= alpha };
    }
    tests
}
