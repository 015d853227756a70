//! Maximum likelihood of a multinomial distribution under a constraint.
//!
//! Of the distributions p of outcomes with the scores aᵢ that satisfy a constraint, one makes the counts nᵢ most likely.
//! How far its log-likelihood Σ nᵢ ln pᵢ stays below that of the unconstrained maximum pᵢ = nᵢ/N is the *cost* of the
//! constraint; a log-likelihood ratio of two constraints is the difference of their costs.
//!
//! For a linear constraint E\[v\] = 0 the maximum lies at pᵢ = nᵢ/N / (1 + θvᵢ), where θ solves Σ nᵢvᵢ / (1 + θvᵢ) = 0
//! (M. Van den Bergh, *Comments on normalized Elo / MLE for multinomial distributions*, prop. 1.1; A. B. Owen's empirical
//! likelihood), and the cost is max_θ Σ nᵢ ln(1 + θvᵢ).

/// An outcome that never occurred counts as this many, as in fishtest and fastchess: a likelihood without it would call
/// the outcome impossible.
const UNSEEN: f64 = 1e-3;

/// Newton's method ends when a step moves θ by less than this share. The cost is flat there, so its own error is of the
/// order of the square.
const THETA_TOLERANCE: f64 = 1e-9;
/// Far more steps than any bisection to the tolerance takes.
const MAX_STEPS: usize = 400;

/// Steps of the scan over ln σ, and how many there are: down to σ = 1e-9.
const SCAN_STEP: f64 = 0.25;
const SCAN_POINTS: i32 = 80;
/// Golden-section steps from two steps of the scan down to 1e-9.
const GOLDEN_STEPS: usize = 44;

/// Counts of outcomes with the scores 0, 1/(K-1), …, 1, none of them zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Observed<const K: usize> {
    weights: [f64; K],
}

impl<const K: usize> Observed<K> {
    /// The counts by rising score; zeros are replaced by a thousandth.
    pub fn new(counts: [u64; K]) -> Self {
        Self { weights: counts.map(|count| if count == 0 { UNSEEN } else { count as f64 }) }
    }

    /// How many units there are, replaced zeros included.
    pub fn units(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Mean and variance of the score.
    pub fn moments(&self) -> (f64, f64) {
        let mean = weighted(&self.weights, &scores()) / self.units();
        let squares = scores::<K>().map(|score| (score - mean).powi(2));
        (mean, weighted(&self.weights, &squares) / self.units())
    }

    /// The cost of an expected score of `score`, in (0, 1).
    pub(crate) fn cost_of_score(&self, score: f64) -> f64 {
        cost_of_zero_mean(&self.weights, &scores().map(|each| each - score))
    }

    /// The cost of (E\[a\] − 1/2)/σ = `ratio`, where σ is the deviation of a unit's score.
    ///
    /// For a ratio t ≥ 0, σ being min over s of (s + E(a − m)²/s)/2, the constraint function E\[a\] − 1/2 − tσ is the
    /// greatest of the linear ones E\[φₛ\], φₛ = a − 1/2 − t/2 · (s + (a − 1/2 − ts)²/s), and equals the one whose s
    /// is σ. So where the counts fall short of t the cost is the least of the costs of E\[φₛ\] = 0, and where they
    /// exceed t the greatest; one number s is to be found. (The iteration of *Normalized Elo: practical matters*, 4.1,
    /// has the same solution, but need not converge to it on one-sided counts.)
    pub(crate) fn cost_of_ratio(&self, ratio: f64) -> f64 {
        if ratio < 0.0 {
            return self.swapped().cost_of_ratio(-ratio);
        }
        if ratio == 0.0 {
            return self.cost_of_score(0.5);
        }
        let (mean, variance) = self.moments();
        let short = mean - 0.5 < ratio * variance.sqrt();
        // Positive costs to be made small, or negative ones.
        let cost = |log_sigma: f64| self.cost_along(ratio, log_sigma.exp(), short);
        let widest = (0.5 / (1.0 + ratio * ratio).sqrt()).ln();
        let scanned = |step: i32| widest - SCAN_STEP * f64::from(step);
        let best = (0..SCAN_POINTS).min_by(|&a, &b| cost(scanned(a)).total_cmp(&cost(scanned(b)))).unwrap_or(0);
        least(cost, scanned(best + 1), scanned((best - 1).max(0))).abs()
    }

    /// The cost of E\[φₛ\] ≥ 0 if the counts fall short of `ratio`, else that of E\[φₛ\] ≤ 0, negated.
    fn cost_along(&self, ratio: f64, sigma: f64, short: bool) -> f64 {
        let bent = |score: f64| {
            let from_mean = score - 0.5 - ratio * sigma;
            score - 0.5 - 0.5 * ratio * (sigma + from_mean * from_mean / sigma)
        };
        let values = scores().map(bent);
        let met = if short { weighted(&self.weights, &values) >= 0.0 } else { weighted(&self.weights, &values) <= 0.0 };
        match (met, short) {
            (true, _) => 0.0,
            (false, true) => cost_of_zero_mean(&self.weights, &values),
            (false, false) => -cost_of_zero_mean(&self.weights, &values),
        }
    }

    fn swapped(&self) -> Self {
        let mut weights = self.weights;
        weights.reverse();
        Self { weights }
    }
}

/// The scores of K outcomes: equally spaced from 0 to 1.
fn scores<const K: usize>() -> [f64; K] {
    std::array::from_fn(|outcome| outcome as f64 / (K - 1) as f64)
}

fn weighted<const K: usize>(weights: &[f64; K], values: &[f64; K]) -> f64 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
}

/// max_θ Σ wᵢ ln(1 + θvᵢ): the cost of E\[v\] = 0. Infinite if no distribution over the outcomes has that mean.
fn cost_of_zero_mean<const K: usize>(weights: &[f64; K], values: &[f64; K]) -> f64 {
    let pull = weighted(weights, values);
    if pull < 0.0 {
        return cost_of_zero_mean(weights, &values.map(|value| -value));
    }
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    if pull == 0.0 {
        0.0
    } else if lowest >= 0.0 {
        f64::INFINITY
    } else {
        // θ = x/|lowest|, x in (0, 1): beyond it the term of the lowest value would be the logarithm of a negative number.
        greatest_over_share(weights, &values.map(|value| value / -lowest))
    }
}

/// max over x in (0, 1) of Σ wᵢ ln(1 + x·rᵢ), where the least r is −1 and Σ wᵢrᵢ > 0.
///
/// x, or 1 − x if x is above a half, is found with full relative precision: with a rare outcome x is very near 1.
fn greatest_over_share<const K: usize>(weights: &[f64; K], ratios: &[f64; K]) -> f64 {
    let terms = |base: [f64; K], step: [f64; K], z: f64| -> [f64; K] { std::array::from_fn(|i| base[i] + z * step[i]) };
    let slope = |terms: &[f64; K]| (0..K).map(|i| weights[i] * ratios[i] / terms[i]).sum::<f64>();
    let curvature = |terms: &[f64; K], step: &[f64; K]| {
        -(0..K).map(|i| weights[i] * ratios[i] * step[i] / terms[i].powi(2)).sum::<f64>()
    };
    let near_zero = slope(&terms([1.0; K], *ratios, 0.5)) < 0.0;
    let (base, step) = if near_zero { ([1.0; K], *ratios) } else { (ratios.map(|r| 1.0 + r), ratios.map(|r| -r)) };
    let z = root(|z| {
        let terms = terms(base, step, z);
        let (slope, curvature) = (slope(&terms), curvature(&terms, &step));
        // Near the pole z times the slope is all but linear, and rises.
        if near_zero { (-slope, -curvature) } else { (z * slope, slope + z * curvature) }
    });
    if near_zero {
        (0..K).map(|i| weights[i] * (z * ratios[i]).ln_1p()).sum()
    } else {
        (0..K).map(|i| weights[i] * (base[i] + z * step[i]).ln()).sum()
    }
}

/// Where a function given with its derivative passes from negative to positive in (0, 1/2]: Newton's method, with a
/// bisection where it would leave what is left of the interval.
fn root(function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (0.0, 0.5);
    let mut z = 0.25;
    for _ in 0..MAX_STEPS {
        let (value, derivative) = function(z);
        if value < 0.0 {
            low = z
        } else {
            high = z
        }
        let newton = z - value / derivative;
        let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        let settled = (next - z).abs() <= THETA_TOLERANCE * z;
        z = next;
        if settled {
            break;
        }
    }
    z
}

/// The least value of `function` between `low` and `high`, by golden sections.
fn least(function: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let golden = 0.5 * (5_f64.sqrt() - 1.0);
    let (mut low, mut high) = (low, high);
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (function(left), function(right));
    for _ in 0..GOLDEN_STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = function(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = function(right);
        }
    }
    at_left.min(at_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cost of won and lost units has a formula.
    #[test]
    fn the_cost_of_a_score_is_that_of_its_chances() {
        for (lost, won, score) in [(6, 4, 0.5), (99, 1, 0.5), (1, 999_999, 0.5), (3, 5, 0.1), (3, 5, 0.9), (7, 7, 0.5)]
        {
            let units = f64::from(lost + won);
            let part = |count: i32, chance: f64| f64::from(count) * (f64::from(count) / (units * chance)).ln();
            let expected = part(lost, 1.0 - score) + part(won, score);
            let found = Observed::new([lost as u64, won as u64]).cost_of_score(score);
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected), "{lost} {won} {score}: {found} {expected}");
        }
        assert_eq!(cost_of_zero_mean(&[1.0, 1.0], &[0.5, 1.0]), f64::INFINITY);
        assert_eq!(cost_of_zero_mean(&[1.0, 1.0], &[-0.5, -1.0]), f64::INFINITY);
    }

    /// The least cost of all chances with this ratio, which the share of draws tells.
    fn least_cost(counts: [u64; 3], ratio: f64) -> f64 {
        let units = counts.iter().sum::<u64>() as f64;
        let cost = |draws: f64| {
            let lead = 0.5 * ratio * ((1.0 - draws) / (1.0 + ratio * ratio)).sqrt();
            let chances = [0.5 * (1.0 - draws) - lead, draws, 0.5 * (1.0 - draws) + lead];
            if chances.iter().any(|&chance| chance <= 0.0) {
                return f64::INFINITY;
            }
            let part = |(&count, chance): (&u64, f64)| count as f64 * (count as f64 / (units * chance)).ln();
            counts.iter().zip(chances).map(part).sum::<f64>()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..4 {
            let at = |step: u32| low + (high - low) * f64::from(step) / 1000.0;
            let best = (1..1000).min_by(|&a, &b| cost(at(a)).total_cmp(&cost(at(b)))).unwrap_or(500);
            (low, high) = (at(best - 1), at(best + 1));
        }
        cost(0.5 * (low + high))
    }

    /// The ratio of 30, 40 and 50 is 0.2085: others fall short of it, or exceed it.
    #[test]
    fn the_cost_of_a_ratio_is_the_least_of_all_chances_with_it() {
        for ratio in [0.0, 0.05, 0.2, 0.3, 0.8, -0.05, -0.4] {
            let found = Observed::new([30, 40, 50]).cost_of_ratio(ratio);
            let expected = least_cost([30, 40, 50], ratio);
            assert!((found - expected).abs() < 1e-6 * (1.0 + expected), "{ratio}: {found} {expected}");
        }
    }

    #[test]
    fn moments_roots_and_least_values_are_found() {
        assert_eq!((Observed::new([1, 2, 1]).units(), Observed::new([1, 2, 1]).moments()), (4.0, (0.5, 0.125)));
        assert_eq!(Observed::new([0, 5]).weights, [0.001, 5.0]);
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        close(root(|z| (z - 0.3, 1.0)), 0.3);
        close(root(|z| (z * z - 0.04, 2.0 * z)), 0.2);
        close(root(|_| (-1.0, 0.0)), 0.5);
        close(least(|x| 2.0 + (x - 0.3).powi(2), 0.0, 1.0), 2.0);
        close(least(|x| 2.0 + (x - 0.3).powi(2), 0.9, 0.25), 2.0);
    }
}
