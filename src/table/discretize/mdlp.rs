//! The cuts of least class entropy, as long as they shorten the description (Fayyad & Irani 1993).

use super::scale::PointTally;
use crate::table::TIE;

/// The points after which to cut, ascending, given tallies by point, then decision.
pub(crate) fn boundaries(tallies: &[PointTally], n_decisions: usize) -> Vec<usize> {
    let mut sides = Sides { left: CutSide::empty(n_decisions), right: CutSide::empty(n_decisions) };
    let (mut found, mut open) = (Vec::new(), vec![tallies]);
    while let Some(segment) = open.pop() {
        let Some(split) = sides.best_split(segment).filter(Split::shortens_description) else { continue };
        let (left, right) = segment.split_at(split.at);
        found.extend(left.last().map(|tally| tally.point as usize));
        open.extend([left, right]);
    }
    found.sort_unstable();
    found
}

/// The decisions of the objects on one side of a cut.
struct CutSide {
    /// The weight of each decision.
    weights: Vec<u64>,
    summary: Summary,
}

/// What the criterion needs to know of a set of objects.
#[derive(Debug, Clone, Copy, Default)]
struct Summary {
    weight: u64,
    n_decisions: u32,
    /// The sum of w · log2 w over the weights of decisions.
    logarithms: f64,
}

impl Summary {
    /// The class entropy in bits, times the weight.
    fn information(&self) -> f64 {
        w_log_w(self.weight) - self.logarithms
    }

    fn entropy(&self) -> f64 {
        self.information() / self.weight as f64
    }
}

fn w_log_w(weight: u64) -> f64 {
    let weight = weight as f64;
    if weight > 1.0 { weight * weight.log2() } else { 0.0 }
}

impl CutSide {
    fn empty(n_decisions: usize) -> Self {
        Self { weights: vec![0; n_decisions], summary: Summary::default() }
    }

    /// Lets the objects of a decision weigh this much.
    fn set(&mut self, decision: u32, weight: u64) {
        let before = std::mem::replace(&mut self.weights[decision as usize], weight);
        let summary = &mut self.summary;
        summary.n_decisions = summary.n_decisions + u32::from(before == 0) - u32::from(weight == 0);
        summary.logarithms -= w_log_w(before);
        summary.logarithms += w_log_w(weight);
        summary.weight = summary.weight - before + weight;
    }

    fn add(&mut self, tally: &PointTally) {
        self.set(tally.decision, self.weights[tally.decision as usize] + tally.weight);
    }

    fn take(&mut self, tally: &PointTally) {
        self.set(tally.decision, self.weights[tally.decision as usize] - tally.weight);
    }

    /// Empties a side that holds decisions of `tallies` only; decisions may be many and tallies few.
    fn clear(&mut self, tallies: &[PointTally]) {
        tallies.iter().for_each(|tally| self.weights[tally.decision as usize] = 0);
        self.summary = Summary::default();
    }
}

/// The two sides of a cut that moves up; their memory serves all segments, and both are empty between them.
struct Sides {
    left: CutSide,
    right: CutSide,
}

/// A cut of a segment: how many tallies are to its left, and what it separates.
struct Split {
    at: usize,
    whole: Summary,
    left: Summary,
    right: Summary,
}

impl Sides {
    /// The cut of least entropy; the lowest of several.
    fn best_split(&mut self, segment: &[PointTally]) -> Option<Split> {
        segment.iter().for_each(|tally| self.right.add(tally));
        let whole = self.right.summary;
        let tie = TIE * whole.weight as f64;
        let (mut best, mut least, mut at) = (None, f64::INFINITY, 0);
        for point in segment.chunk_by(|a, b| a.point == b.point) {
            for tally in point {
                self.right.take(tally);
                self.left.add(tally);
            }
            at += point.len();
            let (left, right) = (self.left.summary, self.right.summary);
            let information = left.information() + right.information();
            if at < segment.len() && information < least - tie {
                least = information;
                best = Some(Split { at, whole, left, right });
            }
        }
        self.left.clear(segment);
        self.right.clear(segment);
        best
    }
}

impl Split {
    /// Whether telling the cut and the decisions of both sides takes fewer bits than the decisions of the whole.
    fn shortens_description(&self) -> bool {
        let Self { whole, left, right, .. } = self;
        let n = whole.weight as f64;
        let gain = (whole.information() - left.information() - right.information()) / n;
        let bits = |side: &Summary| f64::from(side.n_decisions) * side.entropy();
        let delta = choices(whole.n_decisions) - (bits(whole) - bits(left) - bits(right));
        gain > ((n - 1.0).log2() + delta) / n
    }
}

/// log2(3^k - 2), without the power where it would overflow and the 2 no longer counts.
fn choices(n_decisions: u32) -> f64 {
    if n_decisions < 32 { (3_f64.powi(n_decisions as i32) - 2.0).log2() } else { f64::from(n_decisions) * 3_f64.log2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One object per decision, at the points 0, 1, 2, …
    fn ascending(decisions: &[u32]) -> Vec<PointTally> {
        (0..).zip(decisions).map(|(point, &decision)| PointTally { point, decision, weight: 1 }).collect()
    }

    #[test]
    fn a_clear_change_is_cut_and_noise_is_not() {
        assert_eq!(boundaries(&ascending(&[0, 0, 0, 0, 1, 1, 1, 1]), 2), [3]);
        // Quinlan's temperatures: no cut pays.
        assert!(boundaries(&ascending(&[1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0]), 2).is_empty());
        assert!(boundaries(&ascending(&[0, 0, 0]), 1).is_empty() && boundaries(&[], 2).is_empty());
    }

    #[test]
    fn the_criterion_by_hand() {
        // 2 objects, 2 decisions: gain 1 > (log2 1 + log2 7 - 2) / 2 = 0.404.
        assert_eq!(boundaries(&ascending(&[0, 1]), 2), [0]);
        // 0 1 0: gain 0.918 - 2/3 = 0.252 < (1 + log2 7 - (2 · 0.918 - 2)) / 3 = 1.324.
        assert!(boundaries(&ascending(&[0, 1, 0]), 2).is_empty());
    }

    #[test]
    fn as_many_decisions_as_objects_stay_fast() {
        let all_different: Vec<u32> = (0..1 << 15).collect();
        assert_eq!(boundaries(&ascending(&all_different), 1 << 15).len(), (1 << 15) - 1);
    }

    #[test]
    fn the_number_of_choices_has_no_jump() {
        assert!((choices(2) - 7_f64.log2()).abs() < 1e-12);
        assert!((choices(32) - choices(31) - 3_f64.log2()).abs() < 1e-12);
    }
}
