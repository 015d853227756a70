//! The plan of a tournament: who plays whom from which openings, and the identifier of each pair of games.
//!
//! A plan is data: it can be written down, read where the entrants are not at hand, compared, and joined with another one.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::adjudication::Adjudication;
use super::effort::effort_text;
use super::entry::Key;
use super::fingerprint::{checksum_in, digest};
use super::game::seated;
use super::openings::Opening;
use super::players::RandomPlayer;
use super::saved::Series;
use super::settings::MatchSettings;
use crate::game::BoardGame;
use crate::game::line::{line_text, read_line};
use crate::search::mcts::single::SearcherSettings;
use crate::stats::Sprt;

/// What `plan` says in a plan: the format and its version.
const FORMAT: &str = "roughboard-plan-1";

/// Who takes part, as a plan knows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entrant {
    /// The name in tables and game records.
    pub name: String,
    /// All that decides how it plays.
    pub identity: Value,
    /// As what it was entered, where its name does not say so: for readers, and no part of what tells plans apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entered_as: Option<String>,
}

/// However it was entered.
impl PartialEq for Entrant {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.identity == other.identity
    }
}

/// An opening as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningText {
    start: String,
    /// Separated by blanks.
    moves: String,
}

/// Two entrants and the openings of their pairs of games, all by number from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairing {
    players: [usize; 2],
    seed: u64,
    openings: Vec<usize>,
}

/// A plan as it is written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    plan: String,
    /// The program that plays it.
    pub program: String,
    game: String,
    /// What the records name as the event.
    pub event: String,
    /// Name and checksum of what the openings were taken from.
    sources: Vec<(String, String)>,
    /// What ends games beside their rules.
    pub adjudication: Adjudication,
    entrants: Vec<Entrant>,
    pairings: Vec<Pairing>,
    openings: Vec<OpeningText>,
    /// The test that ends the match before all pairs are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sprt: Option<Sprt>,
}

/// All that decides the two games of a pair, whatever else is played beside them and in which order.
#[derive(Serialize)]
struct PairIdentity<'a> {
    program: &'a str,
    game: &'a str,
    players: [&'a Entrant; 2],
    adjudication: &'a Adjudication,
    opening: &'a OpeningText,
    seed: u64,
    /// How many pairs of the same players with this opening come before it.
    repetition: usize,
}

/// The identifier of a pair of games: the first half of a SHA-256 over all that decides the games. That is program and version,
/// game, the players with the checksums of their networks, their limits and settings, what ends games, the opening, the seed, and
/// how often the players had this opening before; not the place in a plan. Displays as 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId(u128);

impl PairId {
    fn of(identity: &PairIdentity<'_>) -> Self {
        // A digest has 64 digits.
        Self::parse(digest(identity).get(..32).unwrap_or_default()).unwrap_or(Self(0))
    }

    fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() == 32 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        is_id.then(|| u128::from_str_radix(text, 16).ok().map(Self)).flatten()
    }

    /// A number that follows from the identifier.
    pub(super) const fn hash(self) -> u64 {
        (self.0 >> 64) as u64
    }
}

impl fmt::Display for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Two games of two entrants from one opening: in the first one the first entrant moves first, in the second the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The identifier.
    pub id: PairId,
    /// The entrants, by number from 0.
    pub players: [usize; 2],
    /// The opening, by number from 0.
    pub opening: usize,
}

/// The plan of a tournament.
#[derive(Debug, Clone)]
pub struct Plan<G: BoardGame> {
    pub(crate) document: Document,
    openings: Vec<Opening<G>>,
    pairs: Vec<Pair>,
    /// Where in `pairs` an identifier is.
    places: FxHashMap<PairId, usize>,
    fingerprint: String,
}

/// Why a text is no plan, or plans do not fit together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is something else.
    #[error("not a plan of a match")]
    Text(#[source] serde_json::Error),
    /// A plan of another format or game, or one that contradicts itself.
    #[error("the plan does not hold together: expected {expected}, found {found}")]
    Broken {
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A plan of a match that a test ends, with another plan.
    #[error("a match that a sequential test ends is a whole: it cannot be put together with another match")]
    Sequential,
    /// Two plans that cannot be one.
    #[error("the plans do not fit together: they differ in {0}")]
    Different(String),
}

/// A [`PlanError::Broken`].
fn broken(expected: impl Into<String>, found: impl ToString) -> PlanError {
    PlanError::Broken { expected: expected.into(), found: found.to_string() }
}

impl<G: BoardGame> Plan<G> {
    /// The plan of `settings` for these entrants and openings, which are as many as are needed.
    pub(super) fn new(
        entrants: Vec<Entrant>,
        openings: Vec<Opening<G>>,
        settings: &MatchSettings,
        sources: Vec<(String, String)>,
    ) -> Result<Self, PlanError> {
        let numbers: Vec<usize> = (0..settings.games / 2).map(|pair| pair % openings.len()).collect();
        let pairing = |players| Pairing { players, seed: settings.seed, openings: numbers.clone() };
        let document = Document {
            plan: FORMAT.to_owned(),
            program: crate::PROGRAM.to_owned(),
            game: G::NAME.to_owned(),
            event: settings.event.clone(),
            sources,
            adjudication: settings.adjudication,
            pairings: settings.schedule.pairings(entrants.len()).into_iter().map(pairing).collect(),
            entrants,
            openings: openings.iter().map(OpeningText::of).collect(),
            sprt: settings.sprt,
        };
        document.check(G::NAME)?;
        Self::with_openings(document, openings)
    }

    /// The pair of a game; games count from 0.
    pub(super) fn pair_of(&self, game: usize) -> &Pair {
        &self.pairs()[game / 2]
    }

    /// What a game begins with.
    pub(super) fn opening_of(&self, game: usize) -> &Opening<G> {
        &self.openings()[self.pair_of(game).opening]
    }

    /// The names of the first and the second side of a game.
    pub(super) fn names_in(&self, game: usize) -> [&str; 2] {
        seated(self.pair_of(game).players, game).map(|player| self.name(player))
    }

    /// The plan that a document describes.
    fn of(document: Document) -> Result<Self, PlanError> {
        // The game first: what is wrong with the openings of another one says nothing.
        document.check(G::NAME)?;
        let parsed = document.openings.iter().enumerate().map(|(at, text)| {
            text.parse().map_err(|found| broken(format!("opening {} to be playable", at + 1), found))
        });
        let openings = parsed.collect::<Result<Vec<_>, _>>()?;
        Self::with_openings(document, openings)
    }

    /// The plan that a document, which is checked, describes with these openings.
    fn with_openings(mut document: Document, openings: Vec<Opening<G>>) -> Result<Self, PlanError> {
        // No identifier and no fingerprint depends on it.
        let entered = document.entrants.iter_mut().map(|entrant| entrant.entered_as.take()).collect();
        let pairs = document.pairs();
        let places: FxHashMap<_, _> = pairs.iter().enumerate().map(|(at, pair)| (pair.id, at)).collect();
        if places.len() < pairs.len() {
            return Err(broken(format!("{} different pairs", pairs.len()), places.len()));
        }
        let fingerprint = digest(&document);
        let mut plan = Self { document, openings, pairs, places, fingerprint };
        plan.put_entered(entered);
        Ok(plan)
    }

    /// Puts down as what each entrant was entered.
    pub(super) fn put_entered(&mut self, texts: Vec<Option<String>>) {
        self.document.entrants.iter_mut().zip(texts).for_each(|(entrant, text)| entrant.entered_as = text);
    }

    /// Reads what [`Plan::to_text`] wrote.
    ///
    /// # Errors
    /// When the text is no plan of this game or contradicts itself.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        Self::of(serde_json::from_str(text).map_err(PlanError::Text)?)
    }

    /// The plan in JSON, on one line.
    pub fn to_text(&self) -> String {
        // Numbers and texts always go into JSON.
        serde_json::to_string(&self.document).unwrap_or_default() + "\n"
    }

    /// All pairs of all `plans`: what is in several is there once. Neither their order nor how often one is given matters.
    ///
    /// # Errors
    /// When the plans are of different program versions or rules of adjudication, have different entrants of one name, or there are
    /// none.
    pub fn union(mut plans: Vec<Self>) -> Result<Self, PlanError> {
        // By their texts, too: those of one match may say in other words who plays.
        plans.sort_by_cached_key(|plan| (plan.fingerprint.clone(), plan.to_text()));
        plans.dedup_by(|one, other| one.fingerprint == other.fingerprint);
        let documents = plans.into_iter().map(|plan| Ok(plan.document));
        let joined = documents.reduce(|one, other| one?.joined(other?));
        Self::of(joined.unwrap_or_else(|| Err(broken("a plan", "none")))?)
    }

    /// The SHA-256, in hexadecimal, of the whole plan.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The names of the entrants.
    pub fn names(&self) -> Vec<String> {
        self.document.entrants.iter().map(|entrant| entrant.name.clone()).collect()
    }

    /// Of each entrant as what it was entered, where its name does not say so.
    pub fn entered_as(&self) -> Vec<Option<String>> {
        self.document.entrants.iter().map(|entrant| entrant.entered_as.clone()).collect()
    }

    /// How far each entrant may think at each move, in words; empty for one that does not think.
    pub fn efforts(&self) -> Vec<String> {
        let clock = self.document.adjudication.clock;
        self.document
            .entrants
            .iter()
            .map(|entrant| effort_text(&entrant.identity, clock, G::TURNS_OF_SEVERAL))
            .collect()
    }

    /// The sequential test that ends the match, if one does.
    pub const fn sprt(&self) -> Option<Sprt> {
        self.document.sprt
    }

    /// Name and checksum of all that the games depend on: networks, engines, files of openings.
    pub fn inputs(&self) -> Vec<(String, String)> {
        let entrants = self.document.entrants.iter();
        let checksums = entrants.filter_map(|one| Some((one.name.clone(), checksum_in(&one.identity)?.to_owned())));
        checksums.chain(self.document.sources.iter().cloned()).collect()
    }

    /// The seeds, each once, in the order of the pairings.
    pub fn seeds(&self) -> Vec<u64> {
        let mut seen = FxHashSet::default();
        let seeds = self.document.pairings.iter().map(|pairing| pairing.seed);
        seeds.filter(|&seed| seen.insert(seed)).collect()
    }

    /// The pairs, pairing by pairing.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The openings.
    pub fn openings(&self) -> &[Opening<G>] {
        &self.openings
    }

    /// How many games there are in all.
    pub fn games(&self) -> usize {
        2 * self.pairs.len()
    }

    /// The number of the pair called `id`, from 0.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(&PairId::parse(id)?).copied()
    }

    /// Whether one of the two draws its moves.
    pub(super) fn is_of_chance(&self, pair: &Pair) -> bool {
        pair.players.iter().any(|&player| self.document.entrants[player].draws_moves())
    }

    /// The name of an entrant.
    pub(super) fn name(&self, entrant: usize) -> &str {
        &self.document.entrants[entrant].name
    }
}

impl Entrant {
    /// Whether its moves are drawn: at random, or by the visits of a tree search.
    fn draws_moves(&self) -> bool {
        let search = self.identity.pointer("/tree/search").map(SearcherSettings::deserialize);
        self.identity == RandomPlayer::NAME || search.is_some_and(|read| read.is_ok_and(|search| search.draws_moves()))
    }
}

impl Document {
    /// Checks that the numbers in it mean something.
    fn check(&self, game: &str) -> Result<(), PlanError> {
        let Self { entrants, openings, .. } = self;
        if self.plan != FORMAT {
            return Err(broken(format!("format {FORMAT}"), &self.plan));
        }
        if self.game != game {
            return Err(broken(format!("a plan of {game}"), &self.game));
        }
        if let Some(at) = (1..entrants.len()).find(|&at| entrants[..at].iter().any(|one| one.name == entrants[at].name))
        {
            return Err(broken("different names", format!("`{}` twice", entrants[at].name)));
        }
        if self.sprt.is_some() && self.pairings.len() != 1 {
            return Err(broken("one pairing with its sequential test", self.pairings.len()));
        }
        for Pairing { players: [a, b], openings: numbers, .. } in &self.pairings {
            if a == b || *a.max(b) >= entrants.len() {
                return Err(broken(format!("two of {} entrants", entrants.len()), format!("{a} and {b}")));
            }
            if let Some(number) = numbers.iter().find(|&&number| number >= openings.len()) {
                return Err(broken(format!("openings below {}", openings.len()), number));
            }
        }
        Ok(())
    }

    /// The pairs, with their identifiers.
    fn pairs(&self) -> Vec<Pair> {
        let mut seen: FxHashMap<([usize; 2], u64, &OpeningText), usize> = FxHashMap::default();
        let each = |pairing: &'_ Pairing| {
            pairing.openings.iter().map(|&opening| (pairing.players, pairing.seed, opening)).collect::<Vec<_>>()
        };
        let mut pairs = Vec::new();
        for (players, seed, opening) in self.pairings.iter().flat_map(each) {
            let text = &self.openings[opening];
            let repetitions = seen.entry((players, seed, text)).or_default();
            let id = PairId::of(&PairIdentity {
                program: &self.program,
                game: &self.game,
                players: players.map(|player| &self.entrants[player]),
                adjudication: &self.adjudication,
                opening: text,
                seed,
                repetition: *repetitions,
            });
            *repetitions += 1;
            pairs.push(Pair { id, players, opening });
        }
        pairs
    }

    /// This plan and what `other` has beyond it.
    fn joined(mut self, other: Self) -> Result<Self, PlanError> {
        if self.sprt.is_some() || other.sprt.is_some() {
            return Err(PlanError::Sequential);
        }
        // Taken apart, so that a rule that is new cannot be passed over here.
        let Adjudication { max_plies, resign, draw, clock } = self.adjudication;
        let ends = other.adjudication;
        let differences = [
            ("the program's version", self.program != other.program),
            ("the cap on the length of games", max_plies != ends.max_plies),
            ("when a side is taken to have resigned", resign != ends.resign),
            ("when a game is called a draw", draw != ends.draw),
            ("the clock", clock != ends.clock),
        ];
        if let Some((what, _)) = differences.iter().find(|(_, differ)| *differ) {
            return Err(PlanError::Different((*what).to_owned()));
        }
        let named = |one: &Entrant| self.entrants.iter().find(|known| known.name == one.name);
        if let Some(one) = other.entrants.iter().find(|one| named(one).is_some_and(|known| known != *one)) {
            return Err(PlanError::Different(format!(
                "entrant `{}`: its checksum, its limits or its settings",
                one.name
            )));
        }
        let entrants = numbers_in(&mut self.entrants, other.entrants);
        let openings = numbers_in(&mut self.openings, other.openings);
        numbers_in(&mut self.sources, other.sources);
        for pairing in other.pairings {
            let players = pairing.players.map(|player| entrants[player]);
            let numbers = pairing.openings.iter().map(|&number| openings[number]);
            match self.pairings.iter_mut().find(|known| known.players == players && known.seed == pairing.seed) {
                Some(known) => add_missing(&mut known.openings, numbers),
                None => self.pairings.push(Pairing { players, seed: pairing.seed, openings: numbers.collect() }),
            }
        }
        Ok(self)
    }
}

/// Puts those of `others` into `list` that are not in it, and gives the place of each in it.
fn numbers_in<T: PartialEq>(list: &mut Vec<T>, others: Vec<T>) -> Vec<usize> {
    let place = |other| {
        list.iter().position(|known| *known == other).unwrap_or_else(|| {
            list.push(other);
            list.len() - 1
        })
    };
    others.into_iter().map(place).collect()
}

/// Adds numbers as often as they occur in `others` beyond how often they are in `list`.
fn add_missing(list: &mut Vec<usize>, others: impl Iterator<Item = usize>) {
    let mut spare: FxHashMap<usize, usize> = FxHashMap::default();
    list.iter().for_each(|&number| *spare.entry(number).or_default() += 1);
    for number in others {
        match spare.get_mut(&number).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => list.push(number),
        }
    }
}

impl OpeningText {
    fn of<G: BoardGame>(opening: &Opening<G>) -> Self {
        Self { start: opening.start.notation(), moves: line_text(&opening.moves) }
    }

    /// The opening; else what is wrong with the text.
    fn parse<G: BoardGame>(&self) -> Result<Opening<G>, String> {
        let start = G::from_notation(&self.start).map_err(|error| error.to_string())?;
        let moves = read_line(&mut start.clone(), &self.moves)?;
        Ok(Opening { start, moves })
    }
}

impl<G: BoardGame> Series<G> for Plan<G> {
    fn games(&self) -> usize {
        Plan::games(self)
    }

    fn fingerprint(&self) -> &str {
        Plan::fingerprint(self)
    }

    fn key(&self, game: usize) -> Key {
        Key { pair: Some(self.pair_of(game).id.to_string()), game: game % 2 + 1 }
    }

    fn number(&self, key: &Key) -> Result<usize, String> {
        let pair = key.pair.as_deref().and_then(|id| self.place(id)).ok_or("no such pair in the plan")?;
        let in_pair = key.game.checked_sub(1).filter(|&game| game < 2).ok_or("expected game 1 or 2 of a pair")?;
        Ok(2 * pair + in_pair)
    }

    fn opening(&self, game: usize) -> Opening<G> {
        self.opening_of(game).clone()
    }
}
