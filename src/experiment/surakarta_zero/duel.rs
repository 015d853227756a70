//! Matches of networks behind tree searches, random movers and evaluators behind alpha-beta: pairs of games, all at the same time.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::seq::IndexedRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::arena::{GameRow, MatchResult, Opening};
use crate::disk::sha256;
use crate::eval::{Evaluator, Factory, PolicyValue};
use crate::game::{Game, Outcome, Side};
use crate::observe::Observer;
use crate::random::{self, Stream};
use crate::search::mcts::MctsSettings;
use crate::search::mcts::single::{Searcher, SearcherSettings};
use crate::search::{AlphaBeta, Limits, SearchSettings, Stopper};

/// Positions that a search has evaluated at once.
const BATCH: u32 = 4;

/// Who plays.
pub enum Entrant<G: Game> {
    /// A network behind a tree search.
    Network {
        /// The name in tables.
        name: String,
        /// The network.
        net: Arc<dyn PolicyValue<G>>,
    },
    /// Makes every legal move with the same chance.
    Random,
    /// An evaluator behind a search of all moves to a depth, without quiescence.
    Evaluator {
        /// The name in tables.
        name: String,
        /// Makes it.
        make: Factory<G>,
        /// How far it looks.
        limits: Limits,
    },
}

impl<G: Game> Entrant<G> {
    /// The name in tables.
    pub fn name(&self) -> &str {
        match self {
            Self::Network { name, .. } | Self::Evaluator { name, .. } => name,
            Self::Random => "random",
        }
    }
}

/// How matches are played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DuelSettings {
    /// Simulations of each search, at least 1.
    pub simulations: u32,
    /// The temperature of the moves of networks; 0.1 in S4.
    pub temperature: f64,
    /// Plies at the start of each pair of games that are drawn evenly.
    pub opening_plies: usize,
    /// The search.
    pub search: MctsSettings,
}

/// Plays `openings` with both colours: first `a` begins, then `b`. Game by game all that is drawn follows from `seed`.
pub fn duel<G: Game>(
    [a, b]: [&Entrant<G>; 2],
    openings: &[Opening<G>],
    (settings, seed): (&DuelSettings, u64),
    observer: &dyn Observer,
) -> MatchResult {
    let title = format!("{} – {}", a.name(), b.name());
    observer.begin(&title, 2 * openings.len() as u64);
    // By name, so that no two matches draw the same numbers.
    let seed = seed ^ u64::from_str_radix(&sha256(title.as_bytes())[..16], 16).unwrap_or_default();
    let game = |number: usize| {
        let (opening, is_swapped) = (&openings[number / 2], number % 2 == 1);
        let seats = if is_swapped { [b, a] } else { [a, b] };
        let mut number_of = 2 * number as u64;
        let seats = seats.map(|entrant| {
            number_of += 1;
            Seat::of(entrant, settings, (seed, number_of))
        });
        let played = play(seats, opening);
        observer.advance(1);
        played.row(number, [a.name(), b.name()], is_swapped)
    };
    let rows = (0..2 * openings.len()).into_par_iter().map(game).collect();
    observer.end();
    result_of([a.name(), b.name()].map(str::to_owned), rows)
}

/// Adds up the games of a match, which come in pairs.
pub fn result_of(names: [String; 2], rows: Vec<GameRow>) -> MatchResult {
    let mut wdl = crate::stats::Wdl::default();
    let mut ends = BTreeMap::new();
    for row in &rows {
        wdl.record(row.result_a);
        *ends.entry(row.reason.clone()).or_default() += 1;
    }
    let pairs = rows.chunks_exact(2).map(|pair| (pair[0].result_a, pair[1].result_a));
    let pentanomial = crate::stats::Pentanomial::of_pairs(pairs);
    let mean_plies = rows.iter().map(|row| row.plies as f64).sum::<f64>() / rows.len().max(1) as f64;
    let nodes = [rows.iter().map(|row| row.nodes_a).sum(), rows.iter().map(|row| row.nodes_b).sum()];
    MatchResult { names, wdl, pentanomial, rows, ends, mean_plies, nodes }
}

/// A player in one game.
enum Seat<'a, G: Game> {
    Trees(Box<Searcher<G>>, u32),
    Drawing(Box<Stream>),
    Searching(Box<AlphaBeta<G>>, Box<dyn Evaluator<G>>, &'a Limits),
}

impl<'a, G: Game> Seat<'a, G> {
    fn of(entrant: &'a Entrant<G>, settings: &DuelSettings, (seed, number): (u64, u64)) -> Self {
        match entrant {
            Entrant::Network { net, .. } => {
                let DuelSettings { simulations, temperature, search: mcts, .. } = *settings;
                let searcher = SearcherSettings { mcts, batch: BATCH, temperature, ..SearcherSettings::default() };
                let seed = random::mix(seed ^ random::mix(number));
                Self::Trees(Box::new(Searcher::new(Arc::clone(net), searcher, seed)), simulations)
            }
            Entrant::Random => Self::Drawing(Box::new(random::stream(seed, "random mover", number))),
            Entrant::Evaluator { make, limits, .. } => {
                Self::Searching(Box::new(AlphaBeta::new(SearchSettings::exact())), make(), limits)
            }
        }
    }

    /// The move in `position`, which is not over, and the positions looked at for it.
    fn decide(&mut self, position: &mut G) -> (Option<G::Move>, u64) {
        match self {
            Self::Trees(searcher, simulations) => {
                let thought = searcher.think(position, Some(*simulations), &Stopper::new());
                (thought.best, thought.evaluations)
            }
            Self::Drawing(draws) => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                (moves.choose(draws).copied(), 0)
            }
            Self::Searching(search, evaluator, limits) => {
                let found = search.search(position, &mut **evaluator, **limits);
                (found.best, found.nodes)
            }
        }
    }
}

/// How a game went.
struct Played {
    outcome: Outcome,
    reason: &'static str,
    plies: usize,
    nodes: [u64; 2],
}

fn play<G: Game>(mut seats: [Seat<'_, G>; 2], opening: &Opening<G>) -> Played {
    let mut position = opening.position();
    let mut nodes = [0; 2];
    let end = loop {
        if let Some(end) = position.end() {
            break end;
        }
        let side = position.side_to_move();
        let (mv, looked_at) = seats[side.index()].decide(&mut position);
        nodes[side.index()] += looked_at;
        let Some(mv) = mv else { break crate::game::End { outcome: Outcome::Draw, reason: "no move" } };
        position.play(mv);
    };
    Played { outcome: end.outcome, reason: end.reason, plies: position.plies(), nodes }
}

impl Played {
    /// The row of game `number`, from 0, between a and b; b began it if they are swapped.
    fn row(&self, number: usize, [a, b]: [&str; 2], is_swapped: bool) -> GameRow {
        let side = if is_swapped { Side::Second } else { Side::First };
        let (first, second) = if is_swapped { (b, a) } else { (a, b) };
        GameRow {
            game: number + 1,
            opening: number / 2 + 1,
            first: first.to_owned(),
            second: second.to_owned(),
            result_a: self.outcome.value_for(side),
            reason: self.reason.to_owned(),
            plies: self.plies,
            nodes_a: self.nodes[side.index()],
            nodes_b: self.nodes[side.other().index()],
        }
    }
}
