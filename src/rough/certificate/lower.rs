//! Finds pairs of objects that prove a lower bound, by implicit hitting sets (Moreno-Centeno & Karp 2013).
//!
//! A smallest set that tells the pairs found so far apart either preserves the notion, and then it is a shortest
//! reduct, or it leaves a pair in conflict, which is added. So the pairs are few, whatever the size of the table.

use super::bound::{Need, PairClauses};
use super::find::Finder;
use super::{LowerBound, Pair};
use crate::observe::Observer;
use crate::rough::Notion;
use crate::table::DecisionTable;

/// Rows that are compared for pairs before the bound is left as it is: a minute or so.
const MAX_ROWS_SEEN: usize = 1_000_000_000;
/// Clauses that are looked at before the bound is left as it is: half a minute or so.
const MAX_STEPS: usize = 2_000_000_000;

/// The largest bound that was proved within the limits, if any attribute is needed.
pub fn lower_bound(table: &DecisionTable, notion: Notion, observer: &dyn Observer) -> Option<LowerBound> {
    let finder = Finder::of(table, notion);
    let max_pairs = MAX_ROWS_SEEN / (finder.n_rows() * table.n_attributes()).max(1);
    let (mut clauses, mut pairs, mut proved) = (PairClauses::of(table, &[]), Vec::new(), None);
    let (mut size, mut steps) = (1, 0);
    observer.begin("lower bound", table.n_attributes() as u64);
    while steps <= MAX_STEPS {
        let (need, looked_at) = clauses.need(size);
        steps += looked_at;
        match need {
            Need::Proved => {
                proved = Some(LowerBound { size, pairs: Vec::clone(&pairs) });
                observer.advance(1);
                size += 1;
            }
            Need::Refuted(smaller) if pairs.len() < max_pairs => {
                let Some(pair): Option<Pair> = finder.tight_conflict(&smaller) else { break };
                clauses.add(table, pair);
                pairs.push(pair);
            }
            Need::Refuted(_) | Need::Open => break,
        }
    }
    observer.end();
    proved
}
