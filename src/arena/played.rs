//! What was played of a tournament: the end and the counts of each finished game are in memory, the game itself is read back from its journal.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use rustc_hash::FxHashSet;

use super::entry::Line;
use super::game::{PlayedGame, TIME_FORFEIT, seated, side_of_a};
use super::journal::{Journal, JournalError, NewJournal, Place, Source};
use super::plan::{Pair, Plan};
use super::records::{Caption, record_of};
use super::result::{GameRow, MatchResult, Tested, TournamentResult};
use super::saved::{Finished, Saved, Series, Told, replayed};
use super::shard::Shard;
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
    /// Here: it is in no journal.
    Held(Box<PlayedGame<M>>),
    /// In the source with this number.
    Written(usize, Place),
}

/// Games of a plan that were played.
#[derive(Debug)]
pub struct Played<'p, G: BoardGame> {
    plan: &'p Plan<G>,
    /// `None` where one was not played; those that count.
    games: Vec<Option<Summary<G::Move>>>,
    /// The journals that games are read back from.
    pub(super) sources: Vec<Source>,
    hasher: RandomState,
    test: Option<Tested>,
}

impl<'p, G: BoardGame> Played<'p, G> {
    /// No game of `plan` yet.
    pub(super) fn nothing(plan: &'p Plan<G>) -> Self {
        let games = (0..plan.games()).map(|_| None).collect();
        Self { plan, games, sources: Vec::new(), hasher: RandomState::new(), test: None }
    }

    /// Takes in a finished game. If it has a place, that is in the source that is added next.
    pub(super) fn take(&mut self, game: usize, (played, place): Saved<G::Move>) {
        self.games[game] = Some(Summary {
            outcome: played.outcome,
            reason: played.reason.as_str().into(),
            failure: played.failure.as_deref().map(Box::from),
            plies: played.moves.len(),
            nodes: played.nodes,
            hash: self.plan.hash_of(game, &played, &self.hasher),
            whole: match place {
                Some(place) => Whole::Written(self.sources.len(), place),
                None => Whole::Held(Box::new(played)),
            },
        });
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
                    all.take(game, (played, Some(place)));
                    repeated += usize::from(is_known);
                }
                Ok(())
            })?;
            all.sources.push(Source::Other(path.to_path_buf()));
        }
        Ok((all.judged(), repeated))
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
        let clock = plan.document.adjudication.clock;
        let caption = Caption { event: &plan.document.event, round: number + 1, names, opening, clock };
        record_of(plan.opening_of(number).start.clone(), played, &caption)
    }
}

impl<G: BoardGame> Played<'_, G> {
    /// How many games are missing.
    pub fn missing(&self) -> usize {
        self.games.iter().filter(|game| game.is_none()).count()
    }

    /// Whether all games of this `shard` were played.
    pub fn holds(&self, shard: Shard) -> bool {
        let is_due = |game: usize| shard.holds(self.plan.pair_of(game).id.hash());
        !self.games.iter().enumerate().any(|(game, played)| played.is_none() && is_due(game))
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

    /// The figures of all pairs of which both games were played, with what the plan knows of the players.
    pub fn result_with_players(&self) -> TournamentResult {
        TournamentResult { efforts: self.plan.efforts(), entered_as: self.plan.entered_as(), ..self.result() }
    }

    /// The figures of all pairs of which both games were played. A pair of games with the players, the start and the moves of an earlier
    /// pair is the same unit: it counts once where errors are computed. A player that draws its moves does so anew in each game,
    /// so its pairs repeat none.
    pub fn result(&self) -> TournamentResult {
        let mut pairings: Vec<([usize; 2], Vec<GameRow>, Vec<bool>)> = Vec::new();
        let mut seen = FxHashSet::default();
        for (at, (pair, games)) in self.plan.pairs().iter().zip(self.games.chunks_exact(2)).enumerate() {
            let [a, b] = pair.players;
            let place = pairings.iter().position(|(players, ..)| [[a, b], [b, a]].contains(players));
            let place = place.unwrap_or_else(|| {
                pairings.push((pair.players, Vec::new(), Vec::new()));
                pairings.len() - 1
            });
            if let [Some(first), Some(second)] = games {
                let mut both = [first.hash, second.hash];
                both.sort_unstable();
                let is_repeated = !self.plan.is_of_chance(pair) && !seen.insert(both);
                let (players, rows, repeated) = &mut pairings[place];
                // Matches that were put together may name two players in either order.
                let is_turned = *players != pair.players;
                let both = [self.plan.row(2 * at, first), self.plan.row(2 * at + 1, second)];
                rows.extend(both.map(|row| if is_turned { row.turned() } else { row }));
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
                Whole::Held(played) => (**played).clone(),
                &Whole::Written(source, place) => {
                    let source = &self.sources[source];
                    replayed((self.plan, number), (source.path(), place), source.record_at(place)?)?
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
