//! Shortening of rules (Bazan; RSES): conditions are dropped as long as the inclusion degree stays high enough.

use rayon::prelude::*;

use super::Fraction;
use super::classes::{Classes, Draft};
use super::rule::Rule;
use crate::observe::Observer;
use crate::table::{Code, with_codes};

/// The IF parts of `rules` with as few conditions as one gets by dropping, again and again, the condition without which
/// the inclusion degree is highest (of equals the one that leaves most support, of these the first), as long as the
/// degree is `alpha` or more. A rule below `alpha` stays as it is unless dropping a condition raises it there.
pub(super) fn shortened(classes: &Classes<'_>, rules: &[Rule], alpha: f64, observer: &dyn Observer) -> Vec<Draft> {
    observer.begin("shortening rules", rules.len() as u64);
    let shorten = |rule: &Rule| {
        let draft = Failures::of(classes, rule).shorten(alpha);
        observer.advance(1);
        draft
    };
    let drafts = rules.par_iter().map(shorten).collect();
    observer.end();
    drafts
}

/// For each class the conditions of a rule that it fails.
struct Failures<'c> {
    classes: &'c Classes<'c>,
    rule: Rule,
    /// How many they are.
    count: Vec<u32>,
    /// The sum of their places; with one failure, its place.
    sum: Vec<u32>,
    /// Whether each condition is still there.
    kept: Vec<bool>,
}

impl<'c> Failures<'c> {
    fn of(classes: &'c Classes<'c>, rule: &Rule) -> Self {
        let n = classes.len();
        let kept = vec![true; rule.len()];
        let mut failures = Self { classes, rule: rule.clone(), count: vec![0; n], sum: vec![0; n], kept };
        (0..rule.len()).for_each(|place| failures.update(place, |count, sum| (count + 1, sum + place as u32)));
        failures
    }

    /// Changes count and sum of the classes that fail the condition at `place`.
    fn update(&mut self, place: usize, change: impl Fn(u32, u32) -> (u32, u32)) {
        let condition = self.rule.conditions[place];
        let Ok(column) = self.classes.attrs().binary_search(&condition.attr) else { return };
        with_codes!(&self.classes.columns()[column].codes, codes => {
            for ((code, count), sum) in codes.iter().zip(&mut self.count).zip(&mut self.sum) {
                if !condition.holds(code.index() as u32) {
                    (*count, *sum) = change(*count, *sum);
                }
            }
        });
    }

    fn shorten(mut self, alpha: f64) -> Draft {
        while let Some(place) = self.best_to_drop(alpha) {
            self.kept[place] = false;
            self.update(place, |count, sum| (count - 1, sum - place as u32));
        }
        let Self { rule, kept, .. } = self;
        let conditions = rule.conditions.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(c, _)| c).collect();
        (conditions, rule.decision)
    }

    /// The condition to drop next, if the rule can do without one.
    fn best_to_drop(&self, alpha: f64) -> Option<usize> {
        let mut best: Option<(Fraction, usize)> = None;
        for (place, inclusion) in self.without_each().into_iter().enumerate().filter(|(place, _)| self.kept[*place]) {
            let better = best.is_none_or(|(known, _)| is_better(inclusion, known));
            if inclusion.value() >= alpha && better {
                best = Some((inclusion, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// Support and matching weight of the rule without each of its conditions.
    fn without_each(&self) -> Vec<Fraction> {
        let (mut inside, mut beside) = (Fraction::new(0, 0), vec![Fraction::new(0, 0); self.rule.len()]);
        for (class, (&count, &sum)) in (0..).zip(self.count.iter().zip(&self.sum)).filter(|(_, (count, _))| **count < 2)
        {
            let to = if count == 0 { &mut inside } else { &mut beside[sum as usize] };
            to.numerator += self.classes.weight_of(class, self.rule.decision);
            to.denominator += self.classes.weight(class);
        }
        let with =
            |part: Fraction| Fraction::new(part.numerator + inside.numerator, part.denominator + inside.denominator);
        beside.into_iter().map(with).collect()
    }
}

/// Whether an inclusion degree is higher, or as high with more support; compared exactly.
fn is_better(a: Fraction, b: Fraction) -> bool {
    let product = |x: u64, y: u64| u128::from(x) * u128::from(y);
    let (left, right) = (product(a.numerator, b.denominator), product(b.numerator, a.denominator));
    (left, a.numerator) > (right, b.numerator)
}
