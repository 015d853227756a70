//! Shortening of rules (Bazan; RSES): conditions are dropped as long as the inclusion degree stays high enough.

use super::Fraction;
use super::classes::{Classes, Draft};
use super::condition::Condition;
use super::rule::Rule;
use crate::observe::{Observer, in_parallel};

/// The IF parts of `rules` with as few conditions as one gets by dropping, again and again, the condition without which
/// the inclusion degree is highest (of equals the one that leaves most support, of these the first), as long as the
/// degree is `alpha` or more. A rule below `alpha` stays as it is unless dropping a condition raises it there.
pub(super) fn shortened(classes: &Classes<'_>, rules: &[Rule], alpha: f64, observer: &dyn Observer) -> Vec<Draft> {
    let shorten = |at: usize| {
        let mut conditions = rules[at].conditions.clone();
        while let Some(place) = best_to_drop(classes, &conditions, (rules[at].decision, alpha)) {
            conditions.remove(place);
        }
        (conditions, rules[at].decision)
    };
    in_parallel(observer, "shortening rules", rules.len(), shorten)
}

/// The place of the condition to drop next, if the rule can do without one.
fn best_to_drop(classes: &Classes<'_>, conditions: &[Condition], (decision, alpha): (u32, f64)) -> Option<usize> {
    let mut best: Option<(Fraction, usize)> = None;
    for (place, inclusion) in without_each(classes, conditions, decision).into_iter().enumerate() {
        if inclusion.value() >= alpha && best.is_none_or(|(known, _)| is_better(inclusion, known)) {
            best = Some((inclusion, place));
        }
    }
    best.map(|(_, place)| place)
}

/// Support and matching weight of the rule without each of its conditions.
fn without_each(classes: &Classes<'_>, conditions: &[Condition], decision: u32) -> Vec<Fraction> {
    let (mut inside, mut beside) = (Fraction::new(0, 0), vec![Fraction::new(0, 0); conditions.len()]);
    for (class, failed) in classes.near(conditions) {
        let to = failed.map_or(&mut inside, |place| &mut beside[place]);
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
