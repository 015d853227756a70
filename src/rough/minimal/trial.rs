//! Minimal rules of an inclusion degree: sets of conditions are tried, all of one length after all shorter ones.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Minimal;
use crate::observe::Observer;
use crate::rough::classes::{Classes, Draft};
use crate::rough::condition::Condition;
use crate::rough::{Enumeration, Fraction};

/// The most conditions of a set that is tried: its parts are numbered in 64 bits.
const MAX_LEN: usize = 48;

/// For each set of conditions that is the IF part of a rule found: the decisions.
type KnownRules = FxHashMap<Vec<Condition>, Vec<u32>>;

/// The sets of conditions that are minimal for `wanted.beta`, the shortest first, then in the order of attributes and
/// values.
///
/// A set with a decision is extended as long as it has the support and neither it nor a part of it reaches the
/// degree: support can only fall, and what contains a rule is not minimal. The degree itself may fall and rise again,
/// so that parts are looked up and not computed.
pub fn minimal_sets(classes: &Classes<'_>, wanted: &Minimal, observer: &dyn Observer) -> Enumeration<Draft> {
    let mut trial = RuleSearch { classes, wanted, known: KnownRules::default() };
    let all: Vec<u32> = (0..classes.len() as u32).collect();
    let decisions: Vec<u32> = (0..classes.decision_weights.len() as u32).collect();
    let root = trial.judged(&all, &decisions);
    let (mut found, mut complete) = (Vec::new(), true);
    trial.learn(root.reached.iter().map(|&decision| (Vec::new(), decision)).collect(), &mut found);
    let longest = wanted.max_len.min(classes.columns.len());
    for length in 1..=longest.min(MAX_LEN) {
        observer.begin(&format!("rules of {length} conditions"), classes.columns.len() as u64);
        let level = trial.level(length, &root.open, observer);
        observer.end();
        trial.learn(level.found, &mut found);
        if found.len() > wanted.limit {
            complete = false;
            break;
        }
        if !level.reached_depth {
            break;
        }
        complete = length < MAX_LEN || length == longest;
    }
    found.truncate(wanted.limit);
    Enumeration { found, complete }
}

struct RuleSearch<'c> {
    classes: &'c Classes<'c>,
    wanted: &'c Minimal,
    known: KnownRules,
}

/// What the decisions of a set of conditions say.
struct SupportedDecisions {
    /// Those that reach the degree with enough support.
    reached: Vec<u32>,
    /// Those that have enough support and do not.
    open: Vec<u32>,
}

/// What one length gave; if that is more than the limit, not all that there is.
#[derive(Default)]
struct Level {
    found: Vec<Draft>,
    /// Whether a set of this length can be extended.
    reached_depth: bool,
}

impl Level {
    fn join(mut self, other: Self) -> Self {
        self.found.extend(other.found);
        self.reached_depth |= other.reached_depth;
        self
    }
}

impl RuleSearch<'_> {
    fn learn(&mut self, new: Vec<Draft>, found: &mut Vec<Draft>) {
        for (conditions, decision) in new {
            self.known.entry(conditions.clone()).or_default().push(decision);
            found.push((conditions, decision));
        }
    }

    /// All new rules of `length` conditions; the values of the first attribute are searched in parallel.
    fn level(&self, length: usize, open: &[u32], observer: &dyn Observer) -> Level {
        let first = |column: usize| {
            let mut level = Level::default();
            let all: Vec<u32> = (0..self.classes.len() as u32).collect();
            for (code, classes) in self.classes.columns[column].split(&all).runs() {
                self.visit(
                    &mut vec![Condition::value(self.classes.attrs[column], code)],
                    classes,
                    open,
                    (column, length),
                    &mut level,
                );
            }
            observer.advance(1);
            level
        };
        let levels: Vec<Level> = (0..self.classes.columns.len()).into_par_iter().map(first).collect();
        levels.into_iter().fold(Level::default(), Level::join)
    }

    /// Goes on from `conditions`, the last of them on `column`, which `classes` meet, to sets of `length`.
    fn visit(
        &self,
        conditions: &mut Vec<Condition>,
        classes: &[u32],
        open: &[u32],
        (column, length): (usize, usize),
        level: &mut Level,
    ) {
        let mut verdict = self.judged(classes, open);
        if conditions.len() == length {
            verdict.reached.retain(|&decision| !self.has_known_part(conditions, decision));
            level.found.extend(verdict.reached.iter().map(|&decision| (conditions.clone(), decision)));
            level.reached_depth |= !verdict.open.is_empty();
            return;
        }
        // A decision that reaches the degree here was found when sets of this length were tried.
        verdict.open.retain(|&decision| !self.has_known_part(conditions, decision));
        let missing = length - conditions.len();
        if verdict.open.is_empty() {
            return;
        }
        for next in column + 1..=self.classes.columns.len() - missing {
            for (code, classes) in self.classes.columns[next].split(classes).runs() {
                if level.found.len() > self.wanted.limit {
                    return;
                }
                conditions.push(Condition::value(self.classes.attrs[next], code));
                self.visit(conditions, classes, &verdict.open, (next, length), level);
                conditions.pop();
            }
        }
    }

    /// Which of the decisions `open` have enough support among `classes`, and which of these the degree.
    fn judged(&self, classes: &[u32], open: &[u32]) -> SupportedDecisions {
        let (mut reached, mut still_open) = (Vec::new(), Vec::new());
        let mut supports = vec![0_u64; self.classes.decision_weights.len()];
        let mut matching = 0;
        for &class in classes {
            let entries = self.classes.distribution.of_class(class as usize);
            entries.iter().for_each(|&(decision, weight)| supports[decision as usize] += weight);
            matching += self.classes.weight(class);
        }
        for &decision in open {
            let support = supports[decision as usize];
            if support >= self.wanted.min_support.max(1) {
                let enough = Fraction::new(support, matching).value() >= self.wanted.beta;
                if enough { &mut reached } else { &mut still_open }.push(decision);
            }
        }
        SupportedDecisions { reached, open: still_open }
    }

    /// Whether a part of `conditions` that holds the last one is the IF part of a rule for the decision. Parts that do
    /// not were looked up before it was added.
    fn has_known_part(&self, conditions: &[Condition], decision: u32) -> bool {
        let Some((&last, before)) = conditions.split_last() else { return false };
        let mut part = Vec::with_capacity(conditions.len());
        (0_u64..1 << before.len()).any(|members| {
            part.clear();
            part.extend((0..before.len()).filter(|at| members >> at & 1 == 1).map(|at| before[at]));
            part.push(last);
            self.known.get(&part).is_some_and(|decisions| decisions.contains(&decision))
        })
    }
}
