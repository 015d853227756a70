//! The search: turns of the attacker that leave double threats against all defences.

use super::attacks::{Attack, Attacks};
use super::cover::{Level, Threat, level, pairs};
use super::field::{Field, Role};
use super::table::{Known, NEVER, Table};

/// What came out about a number of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker wins.
    Win,
    /// He does not with so many turns or fewer; [`NEVER`] for any number.
    Refuted(u8),
}

/// Positions between two questions whether to go on.
const LOOK: u64 = 256;

/// The search ran into its limit of positions, or was told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutOfNodes;

/// A search for one position.
pub struct Search<'s> {
    /// The position.
    pub field: Field,
    /// Positions of the attacker looked at.
    pub nodes: u64,
    /// The most of them.
    pub limit: u64,
    /// Asked now and then whether to go on, when a proof is written out too.
    pub go_on: &'s mut dyn FnMut() -> bool,
    pub(super) attacks: &'s mut Attacks,
    pub(super) table: &'s mut Table,
    pub(super) list: &'s mut Vec<Attack>,
    pub(super) threats: &'s mut Vec<Threat>,
}

impl Search<'_> {
    /// Whether the attacker, whose two stones are to come and who has no threats, wins with at most `turns` double-threat turns,
    /// the last of which leaves three threats. After an error the field is not what it was.
    pub(crate) fn attack(&mut self, turns: u8) -> Result<Verdict, OutOfNodes> {
        let mut known = self.table.get(self.field.key());
        if known.won <= turns {
            return Ok(Verdict::Win);
        }
        if known.refuted >= turns {
            return Ok(Verdict::Refuted(known.refuted));
        }
        self.nodes += 1;
        if self.nodes > self.limit || (self.nodes.is_multiple_of(LOOK) && !(self.go_on)()) {
            return Err(OutOfNodes);
        }
        let start = self.list.len();
        let verdict = self.try_attacks(turns, &mut known)?;
        self.list.truncate(start);
        match verdict {
            Verdict::Win => known.won = known.won.min(turns),
            Verdict::Refuted(turns) => known.refuted = turns,
        }
        self.table.put(known);
        Ok(verdict)
    }

    fn try_attacks(&mut self, turns: u8, known: &mut Known) -> Result<Verdict, OutOfNodes> {
        let start = self.list.len();
        let least = if turns == 1 { Level::Triple } else { Level::Double };
        let goes_on = self.attacks.find(&self.field, least, self.list);
        if let Some(win) = self.list[start..].iter().find(|attack| attack.level == Level::Triple) {
            (known.won, known.best) = (1, win.stones);
            return Ok(Verdict::Win);
        }
        if turns == 1 {
            return Ok(Verdict::Refuted(if goes_on { 1 } else { NEVER }));
        }
        self.order(start, known.best);
        let mut refuted = NEVER;
        for at in start..self.list.len() {
            let stones = self.list[at].stones;
            match self.turn(stones, turns)? {
                Verdict::Win => {
                    known.best = stones;
                    return Ok(Verdict::Win);
                }
                Verdict::Refuted(turns) => refuted = refuted.min(turns),
            }
        }
        Ok(Verdict::Refuted(refuted))
    }

    fn order(&mut self, start: usize, best: [u16; 2]) {
        let field = &self.field;
        for attack in &mut self.list[start..] {
            let stones = attack.stones;
            attack.promise =
                if stones == best { i32::MAX } else { stones.map(|point| field.promise(point)).iter().sum() };
        }
        self.list[start..].sort_unstable_by_key(|attack| (-attack.promise, attack.stones));
    }

    /// What the turn that puts `stones`, which leave a double threat, comes to.
    pub fn turn(&mut self, stones: [u16; 2], turns: u8) -> Result<Verdict, OutOfNodes> {
        self.place(stones, Role::Attacker);
        let verdict = self.answers(turns - 1)?;
        self.remove(stones, Role::Attacker);
        Ok(match verdict {
            Verdict::Refuted(turns) => Verdict::Refuted(turns.saturating_add(1)),
            Verdict::Win => Verdict::Win,
        })
    }

    /// Whether the attacker wins with at most `turns` more turns against every defence. The defender, to move, faces at least a
    /// double threat and has no threats of his own.
    pub fn answers(&mut self, turns: u8) -> Result<Verdict, OutOfNodes> {
        self.field.threats(Role::Attacker, self.threats);
        if level(self.threats) == Level::Triple {
            return Ok(Verdict::Win);
        }
        if turns == 0 {
            return Ok(Verdict::Refuted(0));
        }
        let mut defences = pairs(self.threats);
        if let Some(turns) = self.known_refutation(defences.as_slice(), turns) {
            return Ok(Verdict::Refuted(turns));
        }
        defences.sort_by_worth(|defence| defence.map(|point| self.field.harm(point)).iter().sum());
        for &defence in defences.as_slice() {
            self.place(defence, Role::Defender);
            let verdict = self.attack(turns)?;
            self.remove(defence, Role::Defender);
            if verdict != Verdict::Win {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Win)
    }

    /// The turns that are refuted after one of `defences`, as the table knows without a search, if they are `turns` at least.
    fn known_refutation(&self, defences: &[[u16; 2]], turns: u8) -> Option<u8> {
        let after = |&defence: &[u16; 2]| self.table.get(self.field.key_with(defence, Role::Defender)).refuted;
        defences.iter().map(after).filter(|&refuted| refuted >= turns).max()
    }

    /// Places both stones of a turn.
    pub fn place(&mut self, stones: [u16; 2], role: Role) {
        stones.iter().for_each(|&point| self.field.place(point, role));
    }

    /// Takes both stones of a turn back.
    pub fn remove(&mut self, stones: [u16; 2], role: Role) {
        stones.iter().for_each(|&point| self.field.remove(point, role));
    }
}
