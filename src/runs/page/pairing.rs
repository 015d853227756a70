//! A row of a table of pairings, and who is the stronger one by it.

use super::tables::Row;
use crate::report::html::Score;
use crate::stats::{Pentanomial, signed_elo};

/// The columns that name the two who played.
const PLAYERS: [[&str; 2]; 2] = [["a", "b"], ["features", "opponent"]];
/// The columns that count pairs of games which repeat no other, by points.
const PAIRS: [&str; 5] = ["pairs_ll", "pairs_ld", "pairs_even", "pairs_wd", "pairs_ww"];
/// Fewer different games are not said to tell who is stronger.
pub(super) const FEW_GAMES: u64 = 20;

/// A row of a table of pairings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pairing {
    pub names: [String; 2],
    /// What tells it from others of the same two, such as `, depth 2`; mostly nothing.
    pub place: String,
    /// Won, drawn, lost by the first.
    pub counts: [u64; 3],
    /// Games that repeat no other, which alone are evidence.
    pub different: u64,
    /// In per cent, and half the width of its 95 % interval, which is unknown if all pairs of games ended alike.
    pub score: f64,
    pub error: Option<f64>,
    /// The difference and the ends of its 95 % interval, which may be infinite.
    pub elo: [f64; 3],
    /// The p-value of "neither is stronger", where pairs of games were counted.
    pub p_value: Option<f64>,
}

impl Pairing {
    pub fn read(row: &Row) -> Option<Self> {
        let names = PLAYERS.iter().find_map(|[a, b]| Some([row.text(a)?, row.text(b)?].map(str::to_owned)))?;
        let [won, drawn, lost] = ["won", "drawn", "lost"].map(|name| row.number(name));
        let [elo, low, high] = ["elo", "elo_low", "elo_high"].map(|name| row.number(name));
        let counts = [won?, drawn?, lost?];
        let pairs: Option<Vec<u64>> = PAIRS.iter().map(|name| row.number(name)).collect();
        let pairs = pairs.and_then(|pairs| Some(Pentanomial::new(pairs.try_into().ok()?)));
        Some(Self {
            names,
            place: row.text("limit").map(|limit| format!(", {limit}")).unwrap_or_default(),
            counts,
            different: pairs.map_or_else(|| counts.iter().sum(), |pairs| 2 * pairs.count()),
            score: row.number("score")?,
            error: row.number("score_error"),
            elo: [elo?, low?, high?],
            p_value: pairs.map(|pairs| pairs.p_value()),
        })
    }

    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub fn repeats(&self) -> u64 {
        self.games().saturating_sub(self.different)
    }

    /// Whether the pairs of games that were won and lost, for themselves, leave open who is stronger.
    fn is_open(&self) -> bool {
        self.p_value.is_some_and(|p| p > 0.05)
    }

    /// Who is stronger at the 95 % level, 0 or 1; nobody where the interval holds 0, few different games were played, or the p-value
    /// says otherwise.
    pub fn stronger(&self) -> Option<usize> {
        match self.elo {
            _ if self.different < FEW_GAMES || self.is_open() => None,
            [_, low, _] if low > 0.0 => Some(0),
            [_, _, high] if high < 0.0 => Some(1),
            _ => None,
        }
    }

    /// The same results from the side of the other.
    pub fn turned(&self) -> Self {
        let ([first, second], [won, drawn, lost], [elo, low, high]) = (self.names.clone(), self.counts, self.elo);
        let (names, counts, elo) = ([second, first], [lost, drawn, won], [-elo, -high, -low]);
        Self { names, counts, elo, score: 100.0 - self.score, ..self.clone() }
    }

    /// From the side of who scored more.
    pub fn of_leader(&self) -> Self {
        if self.score < 50.0 { self.turned() } else { self.clone() }
    }

    pub fn score(&self) -> String {
        let error = self.error.map(|error| format!(" ± {error:.1}")).unwrap_or_default();
        format!("{:.1}{error} %", self.score)
    }

    pub fn elo(&self) -> String {
        let [elo, low, high] = self.elo.map(signed_elo);
        match self.elo[0] {
            f64::INFINITY => format!("more than {low} Elo (95 % bound)"),
            f64::NEG_INFINITY => format!("less than {high} Elo (95 % bound)"),
            _ => format!("{elo} Elo (95 % interval {low} to {high})"),
        }
    }

    pub fn bar(&self) -> Score {
        let ([first, second], place) = (&self.names, &self.place);
        let [elo, low, high] = self.elo.map(signed_elo);
        let elo = match self.elo[0] {
            f64::INFINITY => format!("> {low}"),
            f64::NEG_INFINITY => format!("< {high}"),
            _ => format!("{elo} [{low}, {high}]"),
        };
        let figures = format!("{} · Elo {elo}", self.score());
        Score { names: format!("{first} – {second}{place}"), figures, counts: self.counts }
    }
}
