//! What was played of a tournament: of each finished game its end and its counts in memory, and the game itself where it was written.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use rustc_hash::FxHashSet;

use super::entry::{Key, Line};
use super::game::{PlayedGame, TIME_FORFEIT, seated, side_of_a};
use super::journal::{Journal, JournalError, JournalReader, NewJournal, Place};
use super::openings::Opening;
use super::plan::{Pair, Plan};
use super::records::{Caption, record_of};
use super::result::{GameRow, MatchResult, Tested, TournamentResult};
use super::saved::{Finished, Series, Told, replayed};
use crate::game::{BoardGame, Outcome};
use crate::record::GameRecord;
use crate::stats::{Sprt, Verdict};

/// The journal of a run, and the fingerprint of the plan that it was played by.
#[derive(Debug, Clone, Copy)]
pub struct JournalSource<'a> {
    /// The file.
    pub path: &'a Path,
    /// Of the plan.
    pub fingerprint: &'a str,
}

/// A finished game as figures need it.
#[derive(Debug)]
struct Summary<M> {
    outcome: Outcome,
    reason: Box<str>,
    failure: Option<Box<str>>,
    plies: usize,
    nodes: [u64; 2],
    /// What equal games of equal players share: who played which side, where the game began, and all its moves.
    hash: u64,
    whole: Whole<M>,
}

/// Where the whole of a finished game is.
#[derive(Debug)]
enum Whole<M> {
    /// Here, as it was written nowhere.
    Held(PlayedGame<M>),
    /// In the journal with this number.
    Written(usize, Place),
}

/// Games of a plan that were played.
#[derive(Debug)]
pub struct Played<'p, G: BoardGame> {
    plan: &'p Plan<G>,
    /// `None` where one was not played; those that count.
    games: Vec<Option<Summary<G::Move>>>,
    journals: Vec<JournalReader>,
    hasher: RandomState,
    test: Option<Tested>,
}

impl<'p, G: BoardGame> Played<'p, G> {
    /// No game of `plan` yet.
    pub(super) fn nothing(plan: &'p Plan<G>) -> Self {
        let games = (0..plan.games()).map(|_| None).collect();
        Self { plan, games, journals: Vec::new(), hasher: RandomState::new(), test: None }
    }

    /// Takes in a finished game, which is written at `place` in the journal that is [added](Self::add_journal) next, or nowhere.
    pub(super) fn take(&mut self, game: usize, played: PlayedGame<G::Move>, place: Option<Place>) {
        self.games[game] = Some(Summary {
            outcome: played.outcome,
            reason: played.reason.as_str().into(),
            failure: played.failure.as_deref().map(Box::from),
            plies: played.moves.len(),
            nodes: played.nodes,
            hash: self.plan.hash_of(game, &played, &self.hasher),
            whole: place.map_or(Whole::Held(played), |place| Whole::Written(self.journals.len(), place)),
        });
    }

    /// The journal that games taken in since the last one are written in.
    pub(super) fn add_journal(&mut self, path: &Path) -> Result<(), JournalError> {
        self.journals.push(JournalReader::open(path)?);
        Ok(())
    }

    /// All games but those that were played after the verdict of the plan's sequential test.
    pub(super) fn judged(mut self) -> Self {
        self.test = self.plan.sprt().map(|sprt| tested(sprt, &self.games));
        if let Some(Tested { run, .. }) = self.test.filter(|test| test.run.verdict != Verdict::Continue) {
            self.games.truncate(2 * run.pairs.count() as usize);
        }
        self
    }
}

/// What a sequential test says of the pairs up to the first of which a game is missing.
fn tested<M>(sprt: Sprt, games: &[Option<Summary<M>>]) -> Tested {
    let result = |game: usize| games[game].as_ref().map(|played| played.outcome.value_for(side_of_a(game)));
    let half_points = |pair: usize| Some(2 + result(2 * pair)? + result(2 * pair + 1)?);
    let pairs = (0..games.len() / 2).map_while(half_points).map(|half_points| half_points as usize);
    Tested { run: sprt.run(pairs, |pairs| sprt.llr(pairs)), sprt, most: games.len() as u64 / 2 }
}

impl<G: BoardGame> Plan<G> {
    /// The games that the journals of runs of this plan hold, and how many of them were in more than one.
    ///
    /// # Errors
    /// When a journal cannot be read, belongs to another plan, or holds another game than an earlier one under the same name.
    pub fn collect(&self, journals: &[JournalSource<'_>]) -> Result<(Played<'_, G>, usize), JournalError> {
        let (mut told, mut all, mut repeated) = (Told::nothing(self), Played::nothing(self), 0);
        for JournalSource { path, fingerprint } in journals {
            Journal::read(path, fingerprint, |place, line| {
                if let Some(Finished { game, played, is_known }) = told.take(path, place, line?)? {
                    all.take(game, played, Some(place));
                    repeated += usize::from(is_known);
                }
                Ok(())
            })?;
            all.add_journal(path)?;
        }
        Ok((all.judged(), repeated))
    }

    pub(super) fn pair_of(&self, game: usize) -> &Pair {
        &self.pairs()[game / 2]
    }

    pub(super) fn opening_of(&self, game: usize) -> &Opening<G> {
        &self.openings()[self.pair_of(game).opening]
    }

    /// The names of the first and the second side of a game.
    fn names_in(&self, game: usize) -> [&str; 2] {
        seated(self.pair_of(game).players, game).map(|player| self.name(player))
    }

    fn hash_of(&self, game: usize, played: &PlayedGame<G::Move>, hasher: &impl BuildHasher) -> u64 {
        let players = seated(self.pair_of(game).players, game);
        hasher.hash_one((players, self.opening_of(game).start.notation(), &played.moves))
    }

    fn row(&self, game: usize, played: &Summary<G::Move>) -> GameRow {
        let (side, [first, second]) = (side_of_a(game), self.names_in(game).map(str::to_owned));
        GameRow {
            game: game + 1,
            opening: self.pair_of(game).opening + 1,
            first,
            second,
            result_a: played.outcome.value_for(side),
            reason: played.reason.clone().into_string(),
            plies: played.plies,
            nodes_a: played.nodes[side.index()],
            nodes_b: played.nodes[side.other().index()],
        }
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

/// A finished game, whole.
#[derive(Debug)]
pub struct FinishedGame<'p, G: BoardGame> {
    plan: &'p Plan<G>,
    number: usize,
    /// Its figures.
    pub row: GameRow,
    /// Its moves, and how it ended.
    pub played: PlayedGame<G::Move>,
}

impl<'p, G: BoardGame> FinishedGame<'p, G> {
    /// Its pair.
    pub fn pair(&self) -> &'p Pair {
        self.plan.pair_of(self.number)
    }

    /// The record, with what the players thought of each move.
    pub fn record(self) -> GameRecord<G> {
        let Self { plan, number, played, .. } = self;
        let opening = Some(plan.pair_of(number).opening + 1);
        let names = plan.names_in(number);
        let caption = Caption { event: &plan.document.event, round: number + 1, names, opening };
        let mut record = record_of(plan.opening_of(number).start.clone(), played, &caption);
        if let Some(clock) = plan.document.adjudication.clock {
            record.set_tag("TimeControl", clock.to_string());
        }
        record
    }
}

impl<G: BoardGame> Played<'_, G> {
    /// How many games are missing.
    pub fn missing(&self) -> usize {
        self.games.iter().filter(|game| game.is_none()).count()
    }

    /// How many games ended while the other of their pair did not: they are in no figure.
    pub fn halves(&self) -> usize {
        self.games.chunks_exact(2).filter(|pair| pair[0].is_some() != pair[1].is_some()).count()
    }

    /// Those that were played, with their numbers.
    fn summaries(&self) -> impl Iterator<Item = (usize, &Summary<G::Move>)> {
        self.games.iter().enumerate().filter_map(|(game, played)| Some((game, played.as_ref()?)))
    }

    /// The first game that a player lost by a failure other than too little time: its row, and what happened.
    pub fn first_failure(&self) -> Option<(GameRow, &str)> {
        self.summaries().find_map(|(game, played)| {
            let failure = played.failure.as_deref().filter(|_| &*played.reason != TIME_FORFEIT)?;
            Some((self.plan.row(game, played), failure))
        })
    }

    /// The figures of all pairs of which both games were played, with the limits of the players.
    pub fn result_with_efforts(&self) -> TournamentResult {
        TournamentResult { efforts: self.plan.efforts(), ..self.result() }
    }

    /// The figures of all pairs of which both games were played. A pair of games with the players, the start and the moves of an earlier
    /// pair is the same unit: it counts once where errors are computed. A player that makes moves at random draws them anew in each game,
    /// so its pairs repeat none.
    pub fn result(&self) -> TournamentResult {
        let mut pairings: Vec<([usize; 2], Vec<GameRow>, Vec<bool>)> = Vec::new();
        let mut seen = FxHashSet::default();
        for (at, (pair, games)) in self.plan.pairs().iter().zip(self.games.chunks_exact(2)).enumerate() {
            let place = pairings.iter().position(|(players, ..)| *players == pair.players);
            let place = place.unwrap_or_else(|| {
                pairings.push((pair.players, Vec::new(), Vec::new()));
                pairings.len() - 1
            });
            if let [Some(first), Some(second)] = games {
                let mut both = [first.hash, second.hash];
                both.sort_unstable();
                let is_repeated = !self.plan.is_of_chance(pair) && !seen.insert(both);
                let (_, rows, repeated) = &mut pairings[place];
                rows.extend([self.plan.row(2 * at, first), self.plan.row(2 * at + 1, second)]);
                repeated.push(is_repeated);
            }
        }
        let names = |players: [usize; 2]| players.map(|player| self.plan.name(player).to_owned());
        let result =
            |(players, rows, repeated): ([usize; 2], _, Vec<bool>)| MatchResult::of(names(players), rows, &repeated);
        let pairings = pairings.into_iter().map(result).collect();
        TournamentResult { test: self.test, ..TournamentResult::of(self.plan.names(), pairings) }
    }

    /// Every game that was played, in order; one at a time, read again where it was written.
    ///
    /// # Errors
    /// Of a game that cannot be read any more.
    pub fn games(&self) -> impl Iterator<Item = Result<FinishedGame<'_, G>, JournalError>> {
        self.summaries().map(|(number, summary)| {
            let played = match &summary.whole {
                Whole::Held(played) => played.clone(),
                &Whole::Written(journal, place) => {
                    let journal = &self.journals[journal];
                    replayed((self.plan, number), (journal.path(), place), journal.record_at(place)?)?
                }
            };
            Ok(FinishedGame { plan: self.plan, number, row: self.plan.row(number, summary), played })
        })
    }

    /// The records of the games, as [`Played::games`] gives them.
    ///
    /// # Errors
    /// Of a game that cannot be read any more.
    pub fn records(&self) -> impl Iterator<Item = Result<GameRecord<G>, JournalError>> {
        self.games().map(|game| Ok(game?.record()))
    }

    /// Writes the games as a journal, in order: its bytes depend on nothing but the games. `also` sees each game as it is written.
    ///
    /// # Errors
    /// When a game cannot be read, or the journal cannot be written; and what `also` returns. A journal at `path` stays as it is then.
    pub fn write_journal<E: From<JournalError>>(
        &self,
        path: &Path,
        mut also: impl FnMut(FinishedGame<'_, G>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut journal = NewJournal::create(path, self.plan.fingerprint().into())?;
        for game in self.games() {
            let game = game?;
            journal.push(&Line::finished(self.plan.key(game.number), &game.played))?;
            also(game)?;
        }
        Ok(journal.finish()?)
    }
}
