//! Shortening of rules (Bazan; RSES): conditions are dropped as long as the inclusion degree stays high enough.

use rayon::prelude::*;

use super::Fraction;
use super::classes::{Classes, Draft};
use super::failures::Failures;
use super::rule::Rule;
use crate::observe::Observer;

/// The IF parts of `rules` with as few conditions as one gets by dropping, again and again, the condition without which
/// the inclusion degree is highest (of equals the one that leaves most support, of these the first), as long as the
/// degree is `alpha` or more. A rule below `alpha` stays as it is unless dropping a condition raises it there.
pub(super) fn shortened(classes: &Classes<'_>, rules: &[Rule], alpha: f64, observer: &dyn Observer) -> Vec<Draft> {
    observer.begin("shortening rules", rules.len() as u64);
    let all: Vec<u32> = (0..classes.len() as u32).collect();
    let shorten = |rule: &Rule| {
        let mut failures = Failures::new(classes, &all, rule.conditions.clone());
        while let Some(place) = best_to_drop(classes, &failures, (rule.decision, alpha)) {
            failures.drop(place, |_| ());
        }
        observer.advance(1);
        (failures.into_conditions(), rule.decision)
    };
    let drafts = rules.par_iter().map(shorten).collect();
    observer.end();
    drafts
}

/// The place of the condition to drop next, if the rule can do without one.
fn best_to_drop(classes: &Classes<'_>, failures: &Failures<'_>, (decision, alpha): (u32, f64)) -> Option<usize> {
    let mut best: Option<(Fraction, usize)> = None;
    for (place, inclusion) in without_each(classes, failures, decision).into_iter().enumerate() {
        let better = best.is_none_or(|(known, _)| is_better(inclusion, known));
        if failures.keeps(place) && inclusion.value() >= alpha && better {
            best = Some((inclusion, place));
        }
    }
    best.map(|(_, place)| place)
}

/// Support and matching weight of the rule without each of its conditions.
fn without_each(classes: &Classes<'_>, failures: &Failures<'_>, decision: u32) -> Vec<Fraction> {
    let (mut inside, mut beside) = (Fraction::new(0, 0), vec![Fraction::new(0, 0); failures.n_places()]);
    for (class, place) in failures.nearest() {
        let to = place.map_or(&mut inside, |place| &mut beside[place]);
        to.numerator += classes.weight_of(class, decision);
        to.denominator += classes.weight(class);
    }
    let with = |part: Fraction| Fraction::new(part.numerator + inside.numerator, part.denominator + inside.denominator);
    beside.into_iter().map(with).collect()
}

/// Whether an inclusion degree is higher, or as high with more support; compared exactly.
fn is_better(a: Fraction, b: Fraction) -> bool {
    let product = |x: u64, y: u64| u128::from(x) * u128::from(y);
    let (left, right) = (product(a.numerator, b.denominator), product(b.numerator, a.denominator));
    (left, a.numerator) > (right, b.numerator)
}
