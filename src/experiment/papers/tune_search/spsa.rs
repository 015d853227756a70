//! Simultaneous perturbation stochastic approximation (Spall 1992): a maximum is climbed by comparing two points at a time, that
//! lie on either side of the present one along a random diagonal of all parameters.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::random::stream;
use crate::settings::{above, settings};

settings! {
    /// The gains c_k = c · (N / k)^γ and a_k = r · c² · ((A + 1) N / (A N + k))^α of iteration k of N, both given by what they are in
    /// the end, as engines are tuned. Parameters are measured in shares of their ranges.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Gains {
        /// How far from the present point both points of the last iteration lie, as a share of the range.
        pub perturbation: f64 = 0.12, in above(0.0).up_to(0.5);
        /// By what share of the perturbation the last iteration moves for each unit of the measured difference.
        pub rate: f64 = 0.007, in above(0.0).up_to(1.0);
        /// A, in iterations, as a share of N: for how long the steps are kept from being large at first.
        pub stability: f64 = 0.1, in 0.0..=1.0;
        /// The exponent α by which steps shrink.
        pub step_exponent: f64 = 0.602, in above(0.5).up_to(1.0);
        /// The exponent γ by which perturbations shrink.
        pub perturbation_exponent: f64 = 0.101, in 0.0..0.5;
    }
}

/// A whole number that is tuned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter {
    pub name: String,
    /// The least value that is tried.
    pub low: u32,
    /// The greatest value that is tried, above `low`.
    pub high: u32,
    /// Where it begins, within these.
    pub start: u32,
}

impl Parameter {
    fn width(&self) -> f64 {
        f64::from(self.high - self.low)
    }

    /// The share of the range that lies below `value`.
    pub fn share(&self, value: f64) -> f64 {
        (value - f64::from(self.low)) / self.width()
    }

    /// The value at a share of the range.
    fn value(&self, share: f64) -> f64 {
        f64::from(self.low) + share * self.width()
    }

    /// The whole number at a share of the range: the next lower or higher one, in the mean over `draw` in [0, 1) the value itself.
    fn rounded(&self, share: f64, draw: f64) -> u32 {
        ((self.value(share.clamp(0.0, 1.0)) + draw).floor() as u32).clamp(self.low, self.high)
    }
}

/// Two points to be compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trial {
    /// Upwards along the diagonal, and downwards.
    pub points: [Vec<u32>; 2],
    /// The diagonal: 1 or -1 for each parameter.
    signs: Vec<f64>,
}

/// A run: where it stands, and how it got there.
#[derive(Debug, Clone)]
pub(super) struct Spsa<'a> {
    pub parameters: &'a [Parameter],
    gains: Gains,
    iterations: u32,
    seed: u64,
    /// The present point, in shares of the ranges.
    shares: Vec<f64>,
    /// The values of all parameters after each iteration.
    pub path: Vec<Vec<f64>>,
}

impl<'a> Spsa<'a> {
    /// A run that has not begun; its draws are those of the stream `spsa` of `seed`.
    pub fn new(parameters: &'a [Parameter], gains: Gains, (iterations, seed): (u32, u64)) -> Self {
        let shares = parameters.iter().map(|one| one.share(one.start.into())).collect();
        Self { parameters, gains, iterations, seed, shares, path: Vec::new() }
    }

    /// The number of the next iteration, from 1.
    fn next(&self) -> f64 {
        self.path.len() as f64 + 1.0
    }

    /// c_k of the next iteration.
    fn perturbation(&self) -> f64 {
        let Gains { perturbation, perturbation_exponent, .. } = self.gains;
        perturbation * (f64::from(self.iterations) / self.next()).powf(perturbation_exponent)
    }

    /// a_k of the next iteration.
    fn step(&self) -> f64 {
        let Gains { perturbation, rate, stability, step_exponent, .. } = self.gains;
        let all = f64::from(self.iterations);
        let ratio = (stability * all + all) / (stability * all + self.next());
        rate * perturbation * perturbation * ratio.powf(step_exponent)
    }

    /// The points that the next iteration compares. Both are rounded by the same draws, so that they differ by no more than they are to.
    pub fn trial(&self) -> Trial {
        let mut draws = stream(self.seed, "spsa", self.path.len() as u64);
        let (mut points, mut signs) = ([Vec::new(), Vec::new()], Vec::new());
        for (parameter, share) in self.parameters.iter().zip(&self.shares) {
            let (sign, draw) = (if draws.random::<bool>() { 1.0 } else { -1.0 }, draws.random::<f64>());
            for (point, direction) in points.iter_mut().zip([sign, -sign]) {
                point.push(parameter.rounded(share + direction * self.perturbation(), draw));
            }
            signs.push(sign);
        }
        Trial { points, signs }
    }

    /// Takes in by how much the first point of `trial`, that of this iteration, was better than the second.
    pub fn learn(&mut self, trial: &Trial, difference: f64) {
        let step = self.step() / self.perturbation() * difference;
        for (share, sign) in self.shares.iter_mut().zip(&trial.signs) {
            *share = (*share + step * sign).clamp(0.0, 1.0);
        }
        let values = self.parameters.iter().zip(&self.shares).map(|(parameter, &share)| parameter.value(share));
        self.path.push(values.collect());
    }

    /// The mean of each parameter over the last quarter of the iterations so far: steadier than where the run happens to end.
    pub fn settled(&self) -> Vec<f64> {
        let last = &self.path[self.path.len() - self.path.len().div_ceil(4)..];
        let mean = |at: usize| last.iter().map(|values| values[at]).sum::<f64>() / last.len() as f64;
        (0..self.parameters.len()).map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, [low, high]: [u32; 2], start: u32) -> Parameter {
        Parameter { name: name.to_owned(), low, high, start }
    }

    /// Games won more than lost of 16 between points that lose `costs` of their score for the square of the distance from the `best`.
    fn noisy_games([one, other]: &[Vec<u32>; 2], parameters: &[Parameter], best: &[f64], draw: f64) -> f64 {
        let loss = |point: &[u32]| -> f64 {
            let shares = parameters.iter().zip(point).map(|(one, &value)| one.share(value.into()));
            shares.zip(best).map(|(share, best)| (share - best).powi(2)).sum()
        };
        (8.0 * (loss(other) - loss(one)) + 6.0 * (draw - 0.5)).round()
    }

    fn climb(seed: u64) -> Vec<f64> {
        let parameters = [parameter("a", [0, 100], 20), parameter("b", [10, 20], 15), parameter("c", [0, 1000], 900)];
        let best = [0.7, 0.5, 0.4];
        let mut spsa = Spsa::new(&parameters, Gains::default(), (2000, seed));
        for iteration in 0..2000 {
            let trial = spsa.trial();
            let draw = stream(seed, "noise", iteration).random::<f64>();
            spsa.learn(&trial, noisy_games(&trial.points, &parameters, &best, draw));
        }
        let settled = spsa.settled();
        parameters.iter().zip(settled).zip(best).map(|((one, value), best)| one.share(value) - best).collect()
    }

    #[test]
    fn a_noisy_hill_is_climbed_from_any_side() {
        for seed in 1..=3 {
            let distances = climb(seed);
            // They begin 0.5, 0 and 0.5 of their ranges away.
            assert!(distances.iter().all(|distance| distance.abs() < 0.15), "{seed}: {distances:?}");
            assert_eq!(distances, climb(seed));
        }
    }

    #[test]
    fn points_lie_on_either_side_and_within_the_ranges() {
        let parameters = [parameter("a", [0, 100], 50), parameter("b", [5, 6], 6)];
        let mut spsa = Spsa::new(&parameters, Gains { perturbation: 0.1, ..Gains::default() }, (1, 7));
        let trial = spsa.trial();
        let [one, other] = trial.points.each_ref().map(|point| i64::from(point[0]));
        assert_eq!(((one - other).abs(), one + other), (20, 100));
        assert!(trial.points.iter().all(|point| [5, 6].contains(&point[1])));
        assert_eq!(trial, spsa.trial(), "drawn again");
        spsa.learn(&trial, 16.0);
        let moved = 100.0 * 0.007 * 0.1 * 16.0;
        assert!((spsa.path[0][0] - 50.0 - moved * trial.signs[0]).abs() < 1e-9);
        spsa.learn(&trial, 1e9 * trial.signs[1]);
        assert_eq!(spsa.path[1][1], 6.0, "the end of the range");
    }

    #[test]
    fn rounding_is_right_in_the_mean() {
        let parameter = parameter("a", [0, 10], 5);
        let draws = (0..1000).map(|at| f64::from(at) / 1000.0);
        let sum: u32 = draws.map(|draw| parameter.rounded(0.43, draw)).sum();
        assert!((4298..=4302).contains(&sum), "{sum}");
        assert_eq!([-0.5, 1.5].map(|share| parameter.rounded(share, 0.999)), [0, 10]);
    }
}
