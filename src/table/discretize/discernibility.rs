//! The MD heuristic: the cut that discerns most pairs of objects with different decisions, again and again.
//!
//! Pairs are never listed. Objects stand in classes that the cuts so far do not tell apart; inside a class, a cut with
//! the weights `l` on its left and `r` on its right discerns Σ l · Σ r - Σ_k l_k r_k pairs of different decisions k.
//! Every attribute keeps the number of pairs that each of its cuts discerns, as steps from one cut to the next: an object
//! moves from right to left at its own point and changes the number there. When a cut is chosen, only the classes that
//! it splits are counted anew, in one pass over their objects per attribute.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::scale::{NO_POINT, Scale};
use crate::observe::Observer;
use crate::table::{AttrIdx, DecisionTable};

/// The cut points of each attribute.
pub fn cuts(table: &DecisionTable, numeric: &[(AttrIdx, Scale)], observer: &dyn Observer) -> Vec<Vec<f64>> {
    let objects = Objects::of(table, numeric);
    let mut boundaries = vec![Vec::new(); numeric.len()];
    let mut search = CutSearch::begin(&objects, numeric);
    observer.begin("discretize", objects.decision.len() as u64);
    observer.advance(objects.decision.len() as u64 - search.n_open());
    while let Some((at, point)) = search.best_cut() {
        boundaries[at].push(point);
        let open = search.n_open();
        search.split(at, point);
        observer.advance(open - search.n_open());
    }
    observer.end();
    let cut_points = |(boundaries, (_, scale)): (&mut Vec<usize>, &(AttrIdx, Scale))| {
        boundaries.sort_unstable();
        boundaries.iter().map(|&point| scale.cut_after(point)).collect()
    };
    boundaries.iter_mut().zip(numeric).map(cut_points).collect()
}

/// What is known of each object, by row.
struct Objects {
    decision: Vec<u32>,
    weight: Vec<u64>,
    n_decisions: usize,
    /// The point of each object on each attribute.
    points: Vec<Vec<u32>>,
}

impl Objects {
    fn of(table: &DecisionTable, numeric: &[(AttrIdx, Scale)]) -> Self {
        let points = numeric.par_iter().map(|(attr, scale)| scale.of_objects(table.attribute(*attr))).collect();
        Self {
            decision: table.decision().codes().to_vec(),
            weight: (0..table.n_objects()).map(|row| table.weight(row)).collect(),
            n_decisions: table.n_decisions(),
            points,
        }
    }

    /// The class of each object before any cut: those that lack values of the same attributes.
    fn classes(&self) -> Vec<u32> {
        let mut class_of = vec![0; self.decision.len()];
        for points in self.points.iter().filter(|points| points.contains(&NO_POINT)) {
            let mut number = FxHashMap::default();
            for (class, point) in class_of.iter_mut().zip(points) {
                let next = number.len() as u32;
                *class = *number.entry((*class, *point == NO_POINT)).or_insert(next);
            }
        }
        class_of
    }

    /// Whether objects of different decisions are among `rows`.
    fn disagree(&self, rows: &[u32]) -> bool {
        rows.windows(2).any(|pair| self.decision[pair[0] as usize] != self.decision[pair[1] as usize])
    }
}

/// Where the objects of a class stand in the order of every attribute.
type Class = Range<usize>;

/// The classes on both sides of a cut that divides a class: the objects up to `middle` get to be on its left.
const fn halves(class: &Class, middle: usize) -> [Class; 2] {
    [class.start..middle, middle..class.end]
}

struct CutSearch<'a> {
    objects: &'a Objects,
    orders: Vec<Order>,
    /// The classes with different decisions.
    open: Vec<Class>,
}

impl<'a> CutSearch<'a> {
    fn begin(objects: &'a Objects, numeric: &[(AttrIdx, Scale)]) -> Self {
        let class_of = objects.classes();
        let order = |(at, (_, scale)): (usize, &(AttrIdx, Scale))| {
            let mut rows: Vec<u32> = (0..class_of.len() as u32).collect();
            rows.sort_by_key(|&row| (class_of[row as usize], objects.points[at][row as usize]));
            Order {
                rows,
                steps: vec![0; scale.points().len()],
                left: vec![0; objects.n_decisions],
                whole: vec![0; objects.n_decisions],
            }
        };
        let mut orders: Vec<Order> = numeric.par_iter().enumerate().map(order).collect();
        let open = orders.first().map_or_else(Vec::new, |order| open_classes(objects, &class_of, &order.rows));
        orders.par_iter_mut().zip(&objects.points).for_each(|(order, points)| {
            open.iter().for_each(|class| order.count(objects, points, class, 1));
        });
        Self { objects, orders, open }
    }

    /// The number of objects that stand in open classes.
    fn n_open(&self) -> u64 {
        self.open.iter().map(|class| class.len() as u64).sum()
    }

    /// The attribute and the point after which a cut discerns most; of equals the first.
    fn best_cut(&self) -> Option<(usize, usize)> {
        let best_of_each: Vec<(i128, usize)> = self.orders.par_iter().map(Order::best).collect();
        let mut best = (0, None);
        for (at, (discerned, point)) in best_of_each.into_iter().enumerate() {
            if discerned > best.0 {
                best = (discerned, Some((at, point)));
            }
        }
        best.1
    }

    /// Divides the classes by the cut after `point` of the attribute `at`.
    fn split(&mut self, at: usize, point: usize) {
        let (objects, on_cut) = (self.objects, &self.objects.points[at]);
        let is_left = |row: u32| on_cut[row as usize] as usize <= point;
        let (order, mut divided, mut open) = (&self.orders[at], Vec::new(), Vec::new());
        for class in std::mem::take(&mut self.open) {
            match order.middle(&class, is_left) {
                None => open.push(class),
                Some(middle) => {
                    let halves = halves(&class, middle).into_iter();
                    open.extend(halves.filter(|half| objects.disagree(&order.rows[half.clone()])));
                    divided.push((class, middle));
                }
            }
        }
        self.open = open;
        self.orders.par_iter_mut().zip(&objects.points).for_each(|(order, points)| {
            let mut right = Vec::new();
            for (class, middle) in &divided {
                order.count(objects, points, class, -1);
                order.divide(class, is_left, &mut right);
                halves(class, *middle).iter().for_each(|half| order.count(objects, points, half, 1));
            }
        });
    }
}

/// The classes of different decisions in an order by class.
fn open_classes(objects: &Objects, class_of: &[u32], rows: &[u32]) -> Vec<Class> {
    let mut start = 0;
    let mut open = Vec::new();
    for class in rows.chunk_by(|&a, &b| class_of[a as usize] == class_of[b as usize]) {
        let end = start + class.len();
        if objects.disagree(class) {
            open.push(start..end);
        }
        start = end;
    }
    open
}

/// The objects in the order of an attribute inside each class, and what the cuts of the attribute discern.
struct Order {
    rows: Vec<u32>,
    /// By how much the number of discerned pairs grows from the cut before each point to the cut after it.
    steps: Vec<i128>,
    /// Memory for the weights of decisions, zero between uses.
    left: Vec<i128>,
    whole: Vec<i128>,
}

impl Order {
    /// The most pairs that a cut discerns, and the point after which it is; the lowest of several.
    fn best(&self) -> (i128, usize) {
        let (mut best, mut discerned) = ((0, 0), 0);
        for (point, step) in self.steps.iter().enumerate() {
            discerned += step;
            if discerned > best.0 {
                best = (discerned, point);
            }
        }
        best
    }

    /// Adds the pairs of a class to the steps, `sign` times.
    fn count(&mut self, objects: &Objects, points: &[u32], class: &Class, sign: i128) {
        let rows = &self.rows[class.clone()];
        // Inside a class, either all objects have a value of the attribute or none has.
        if rows.first().is_none_or(|&row| points[row as usize] == NO_POINT) {
            return;
        }
        let of = |row: u32| (objects.decision[row as usize] as usize, i128::from(objects.weight[row as usize]));
        rows.iter().map(|&row| of(row)).for_each(|(decision, weight)| self.whole[decision] += weight);
        let total: i128 = rows.iter().map(|&row| of(row).1).sum();
        let mut passed = 0;
        for &row in rows {
            let (decision, weight) = of(row);
            let (left, whole) = (self.left[decision], self.whole[decision]);
            // The object leaves pairs with those on the left and makes pairs with those on the right, both of other
            // decisions only.
            let other_left = passed - left;
            let other_right = (total - whole) - other_left;
            self.steps[points[row as usize] as usize] += sign * weight * (other_right - other_left);
            self.left[decision] += weight;
            passed += weight;
        }
        rows.iter().map(|&row| of(row).0).for_each(|decision| (self.left[decision], self.whole[decision]) = (0, 0));
    }

    /// Where the cut divides a class, if it does. Only for the order of the cut's own attribute.
    fn middle(&self, class: &Class, is_left: impl Fn(u32) -> bool) -> Option<usize> {
        let middle = class.start + self.rows[class.clone()].partition_point(|&row| is_left(row));
        (class.start < middle && middle < class.end).then_some(middle)
    }

    /// Brings the objects on the left to the front of their class; the order on both sides stays.
    fn divide(&mut self, class: &Class, is_left: impl Fn(u32) -> bool, right: &mut Vec<u32>) {
        right.clear();
        let rows = &mut self.rows[class.clone()];
        let mut n_left = 0;
        for at in 0..rows.len() {
            if is_left(rows[at]) {
                rows[n_left] = rows[at];
                n_left += 1;
            } else {
                right.push(rows[at]);
            }
        }
        rows[n_left..].copy_from_slice(right);
    }
}
