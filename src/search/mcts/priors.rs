//! Priors: a softmax over the legal moves alone.

use crate::net::math;

/// Turns logits into probabilities that sum to 1: e^(x - max) over their sum. What is not a number counts as the smallest; if none
/// is a number, all are equal.
pub fn softmax(logits: &mut [f32]) {
    let largest = logits.iter().copied().filter(|x| x.is_finite()).fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for x in logits.iter_mut() {
        let power = if x.is_finite() { math::exp(*x - largest) } else { 0.0 };
        *x = power;
        sum += power;
    }
    let equal = 1.0 / logits.len() as f32;
    logits.iter_mut().for_each(|x| *x = if sum > 0.0 { *x / sum } else { equal });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_however_large_the_logits() {
        for mut logits in
            [vec![0.0], vec![1.0, 2.0, 3.0], vec![1e30, -1e30, 0.0], vec![f32::NAN, 1.0], vec![f32::NAN; 3]]
        {
            softmax(&mut logits);
            assert!((logits.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{logits:?}");
        }
        let mut logits = [0.0, std::f32::consts::LN_2];
        softmax(&mut logits);
        assert!((logits[0] - 1.0 / 3.0).abs() < 1e-6);
    }
}
