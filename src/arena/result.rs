//! What a match came to: the figures that tables and charts are made of. Knows no game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::stats::{Pentanomial, Sprt, SprtRun, Wdl};

/// One game of a match, as a row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRow {
    /// The game's number, from 1.
    pub game: usize,
    /// The number of its opening, from 1.
    pub opening: usize,
    /// The name of the player who moved first.
    pub first: String,
    /// The name of the player who moved second.
    pub second: String,
    /// The result for player a: 1 won, 0 drawn, -1 lost.
    pub result_a: i32,
    /// The rule that ended the game.
    pub reason: String,
    /// Plies, those of the opening included.
    pub plies: usize,
    /// Positions that player a visited.
    pub nodes_a: u64,
    /// Positions that player b visited.
    pub nodes_b: u64,
}

impl GameRow {
    /// The same with a and b exchanged.
    #[must_use]
    pub(super) fn turned(self) -> Self {
        Self { result_a: -self.result_a, nodes_a: self.nodes_b, nodes_b: self.nodes_a, ..self }
    }
}

/// The figures of a match between a and b, all from a's side.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchResult {
    /// The names of a and b.
    pub names: [String; 2],
    /// Games that a won, drew and lost.
    pub wdl: Wdl,
    /// Those of them that are evidence: the games of pairs that repeat no earlier pair.
    pub different: Wdl,
    /// Pairs (one opening, both colours) that repeat no earlier one, by the points that a took of them: the independent units, from
    /// which errors are computed.
    pub pentanomial: Pentanomial,
    /// Every game, in order.
    pub rows: Vec<GameRow>,
    /// How many games each rule ended.
    pub ends: BTreeMap<String, u64>,
    /// The mean length of a game, in plies.
    pub mean_plies: f64,
    /// Positions visited by a and by b.
    pub nodes: [u64; 2],
}

impl MatchResult {
    /// Adds up the games of a match, which come in pairs; of each pair `is_repeated` says whether it repeats an earlier one.
    pub(super) fn of(names: [String; 2], rows: Vec<GameRow>, is_repeated: &[bool]) -> Self {
        let (mut wdl, mut different, mut pentanomial) = (Wdl::default(), Wdl::default(), Pentanomial::default());
        let mut ends = BTreeMap::new();
        for row in &rows {
            wdl.record(row.result_a);
            *ends.entry(row.reason.clone()).or_default() += 1;
        }
        for (pair, _) in rows.chunks_exact(2).zip(is_repeated).filter(|(_, is_repeated)| !**is_repeated) {
            pentanomial.record(pair[0].result_a, pair[1].result_a);
            pair.iter().for_each(|row| different.record(row.result_a));
        }
        let mean_plies = rows.iter().map(|row| row.plies).sum::<usize>() as f64 / rows.len().max(1) as f64;
        let nodes = [rows.iter().map(|row| row.nodes_a).sum(), rows.iter().map(|row| row.nodes_b).sum()];
        Self { names, wdl, different, pentanomial, rows, ends, mean_plies, nodes }
    }
}

/// The figures of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentResult {
    /// The names of all entrants.
    pub names: Vec<String>,
    /// As what each was entered, where its name does not say so.
    pub entered_as: Vec<Option<String>>,
    /// How far each may think at each move, such as `depth 3`; empty for one that does not think, or if that is not known.
    pub efforts: Vec<String>,
    /// The pairings, in the order of the plan.
    pub pairings: Vec<MatchResult>,
    /// What the sequential test says of the one pairing, if there is such a test.
    pub test: Option<Tested>,
}

/// A sequential test of a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// The test.
    pub sprt: Sprt,
    /// The pairs that it has looked at, and its verdict.
    pub run: SprtRun,
    /// The most pairs that it may look at.
    pub most: u64,
}

impl Tested {
    /// The log-likelihood ratio of the pairs.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(self.run.pairs)
    }
}

impl TournamentResult {
    /// The figures of `pairings` between the entrants called `names`, of whom nothing else is known.
    pub fn of(names: Vec<String>, pairings: Vec<MatchResult>) -> Self {
        let n = names.len();
        Self { names, entered_as: vec![None; n], efforts: vec![String::new(); n], pairings, test: None }
    }

    /// Whether those who think may think equally far, as far as that is known.
    pub fn is_even(&self) -> bool {
        let mut efforts = self.efforts.iter().filter(|effort| !effort.is_empty());
        efforts.next().is_none_or(|first| efforts.all(|effort| effort == first))
    }

    /// How many games repeat others ([`MatchResult::repeats`]).
    pub fn repeats(&self) -> u64 {
        self.pairings.iter().map(MatchResult::repeats).sum()
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.pairings.iter().map(|one| one.wdl.games()).sum()
    }

    /// Games that each entrant won, drew and lost against all others.
    pub fn totals(&self) -> Vec<Wdl> {
        self.names.iter().map(|name| self.pairings.iter().map(|one| one.wdl_of(name)).sum()).collect()
    }
}

impl MatchResult {
    /// How many games are of pairs that repeat an earlier pair: they count as games, and not as evidence.
    pub const fn repeats(&self) -> u64 {
        self.wdl.games() - self.different.games()
    }

    /// Games that the player called `name` won, drew and lost; none if it did not play.
    pub fn wdl_of(&self, name: &str) -> Wdl {
        match &self.names {
            [a, _] if a == name => self.wdl,
            [_, b] if b == name => self.wdl.swapped(),
            _ => Wdl::default(),
        }
    }
}
