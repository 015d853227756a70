//! Step sizes that change while training goes on.

use serde::{Deserialize, Serialize};

use crate::settings::{above, choices, settings};

choices! {
    /// How a step size goes from its first to its last value.
    pub enum ScheduleShape = Exponential {
        /// It stays at its first value.
        Constant,
        /// By equal differences.
        Linear,
        /// By equal factors.
        Exponential,
        /// Along half a cosine: slowly, fast, slowly.
        Cosine,
        /// As 1 / (1 + c · progress), the harmonic decay of stochastic approximation.
        Inverse,
    }
}

settings! {
    /// The step size of a method (Adam's rate, Sutton's α) in the course of its training.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Schedule {
        /// Step size at the beginning.
        pub first: f64 = 3e-3, in above(0.0).up_to(1.0), as "{}";
        /// Step size at the end.
        pub last: f64 = 3e-4, in above(0.0).up_to(1.0), as "final-{}";
        /// How the step size gets from its first to its last value.
        pub shape: ScheduleShape = ScheduleShape::Exponential, as "schedule", serde(default);
        /// Share of the training during which the step size first grows from 0 in a straight line.
        pub warm_up: f64 = 0.0, in 0.0..1.0, serde(default);
    }
}

impl Schedule {
    /// A step size that stays what it is.
    pub fn constant(rate: f64) -> Self {
        Self { first: rate, last: rate, shape: ScheduleShape::Constant, warm_up: 0.0 }
    }

    /// A step size that falls by equal factors.
    pub fn exponential(first: f64, last: f64) -> Self {
        Self { first, last, shape: ScheduleShape::Exponential, warm_up: 0.0 }
    }

    /// Whether the step size is the same from beginning to end.
    pub(crate) fn is_steady(&self) -> bool {
        (self.shape == ScheduleShape::Constant || self.first == self.last) && self.warm_up == 0.0
    }

    /// The step size when `progress` of the training, in [0, 1], is done.
    pub fn at(&self, progress: f64) -> f64 {
        let (first, last) = (self.first, self.last);
        let after = ((progress - self.warm_up) / (1.0 - self.warm_up)).clamp(0.0, 1.0);
        let rate = match self.shape {
            ScheduleShape::Constant => first,
            ScheduleShape::Linear => first + (last - first) * after,
            ScheduleShape::Exponential => first * (last / first).powf(after),
            ScheduleShape::Cosine => last + (first - last) * 0.5 * (1.0 + (std::f64::consts::PI * after).cos()),
            ScheduleShape::Inverse => first / (1.0 + (first / last - 1.0) * after),
        };
        if progress < self.warm_up { rate * progress / self.warm_up } else { rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [ScheduleShape; 5] = [
        ScheduleShape::Constant,
        ScheduleShape::Linear,
        ScheduleShape::Exponential,
        ScheduleShape::Cosine,
        ScheduleShape::Inverse,
    ];

    #[test]
    fn every_shape_goes_from_the_first_to_the_last_value() {
        for shape in SHAPES {
            let schedule = Schedule { first: 0.01, last: 0.0001, shape, warm_up: 0.0 };
            approx::assert_relative_eq!(schedule.at(0.0), 0.01, max_relative = 1e-12);
            let last = if shape == ScheduleShape::Constant { 0.01 } else { 0.0001 };
            approx::assert_relative_eq!(schedule.at(1.0), last, max_relative = 1e-9);
            let rates: Vec<f64> = (0..=100).map(|i| schedule.at(f64::from(i) / 100.0)).collect();
            assert!(rates.windows(2).all(|pair| pair[1] <= pair[0]), "{shape:?}");
        }
    }

    #[test]
    fn half_way_the_shapes_differ() {
        let half = |shape| Schedule { first: 0.01, last: 0.0001, shape, warm_up: 0.0 }.at(0.5);
        approx::assert_relative_eq!(half(ScheduleShape::Exponential), 0.001, max_relative = 1e-9);
        approx::assert_relative_eq!(half(ScheduleShape::Linear), 0.00505, max_relative = 1e-9);
        approx::assert_relative_eq!(half(ScheduleShape::Cosine), 0.00505, max_relative = 1e-9);
        approx::assert_relative_eq!(half(ScheduleShape::Inverse), 0.01 / 50.5, max_relative = 1e-9);
    }

    #[test]
    fn warming_up_begins_at_nothing() {
        let schedule = Schedule { warm_up: 0.2, ..Schedule::constant(0.5) };
        assert_eq!(schedule.at(0.0), 0.0);
        approx::assert_relative_eq!(schedule.at(0.1), 0.25, max_relative = 1e-12);
        assert_eq!(schedule.at(0.2), 0.5);
    }
}
