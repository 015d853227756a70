//! Tournaments: any number of entrants, pairs of games from one opening with both colours, played in parallel, on one machine
//! or on many.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;

use super::adjudication::Adjudication;
use super::entry::{Key, Line};
use super::game::{Begun, GameInPlay, PlayedGame, TIME_FORFEIT, play_on, seated, side_of_a};
use super::journal::{Journal, JournalError};
use super::match_writer::MatchWriter;
use super::openings::Opening;
use super::plan::{Entrant, Pair, Plan, PlanError};
use super::players::{Chance, Player, PlayerError};
use super::records::{Caption, record_of};
use super::result::{GameRow, MatchResult, Tested, TournamentResult};
use super::saved::{Finished, JournalPlace, Run, Series, Told, play_all};
use super::settings::MatchSettings;
use super::shard::Shard;
use crate::game::BoardGame;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::settings::{SettingError, require};
use crate::stats::{Pentanomial, Sprt, Verdict, Wdl};

errors! {
    /// Why a match cannot be played.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    pub enum MatchError of Setting(SettingError), Player(PlayerError), Plan(PlanError), Journal(JournalError) {
        /// More pairs than openings.
        #[error(
            "{games} games need {needed} openings, found {found}: give more openings or fewer games (deterministic players \
             would only repeat their games from an opening that is used again; allow that explicitly if it is wanted)"
        )]
        TooFewOpenings {
            /// How many games were asked for.
            games: usize,
            /// How many openings they need.
            needed: usize,
            /// How many there are.
            found: usize,
        },
    }
}

/// A tournament that can be played: its settings fit each other.
#[derive(Debug)]
pub struct Tournament<G: BoardGame> {
    players: Vec<Box<dyn Player<G>>>,
    plan: Plan<G>,
}

impl<G: BoardGame> Tournament<G> {
    /// A tournament of `players`. Pair i of each pairing plays opening i: in its first game the one named first moves first,
    /// in its second the other. Openings beyond the number of pairs are not used. `sources` are name and checksum of what the
    /// openings were taken from; no game depends on them.
    ///
    /// # Errors
    /// When `settings` are out of range or do not fit the openings and players.
    pub fn new(
        players: Vec<Box<dyn Player<G>>>,
        mut openings: Vec<Opening<G>>,
        settings: &MatchSettings,
        sources: Vec<(String, String)>,
    ) -> Result<Self, MatchError> {
        settings.check()?;
        check_players(&players)?;
        require(settings.sprt.is_none() || players.len() == 2, "sprt", "a test of two entrants", players.len())?;
        let once = "false with a sequential test, for which repeated games are no evidence";
        require(settings.sprt.is_none() || !settings.reuse_openings, "reuse_openings", once, true)?;
        openings.truncate(settings.games / 2);
        check_openings(&openings, settings)?;
        let entrants =
            players.iter().map(|player| Entrant { name: player.name().to_owned(), identity: player.identity() });
        Ok(Self { plan: Plan::new(entrants.collect(), openings, settings, sources)?, players })
    }

    /// Who plays whom from where.
    pub const fn plan(&self) -> &Plan<G> {
        &self.plan
    }

    /// Plays the games of one `shard` on the current rayon pool. With a `journal`, games that it holds are not played again,
    /// whichever shard they belong to, and every game is added to it as it ends.
    ///
    /// A game that was interrupted is played again from its start: what its players remember of the moves before cannot be
    /// restored otherwise, and players that do not think by time make the same moves again. Where an engine has a time for each
    /// move, no game is the same twice; such a game goes on after the last move in the journal, unless that is inside a turn of
    /// several moves, or clocks or adjudication by score depend on the moves before.
    ///
    /// A sequential test looks at the pairs in the order of their numbers, so that its verdict does not depend on which ends first. With
    /// it no further game is begun; those beyond the pair that it came with, which were being played, do not count.
    ///
    /// # Errors
    /// When the journal cannot be used, or a part is to be played of a match with a sequential test, which must know all results.
    pub fn play(
        &self,
        shard: Shard,
        journal: Option<JournalPlace<'_>>,
        observer: &dyn Observer,
    ) -> Result<Played<'_, G>, MatchError> {
        require(self.plan.sprt().is_none() || shard == Shard::WHOLE, "shard", "1/1 with a sequential test", shard)?;
        let mut score = RunningScore::new(&self.plan, observer);
        let mut games = self.plan.no_games();
        let part = Part { tournament: self, shard, is_over: AtomicBool::new(false) };
        play_all(&part, journal, observer, |game, played| {
            if part.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            part.is_over.store(score.add(self.plan.pair_of(game), game, &played), Ordering::Relaxed);
            games[game] = Some(played);
            Ok(())
        })?;
        Ok(Played::of(&self.plan, games))
    }
}

/// Checks that everybody can play, and can be told from everybody else.
fn check_players<G: BoardGame>(players: &[Box<dyn Player<G>>]) -> Result<(), MatchError> {
    require(players.len() >= 2, "entrants", "at least two", players.len())?;
    players.iter().try_for_each(|player| player.check())?;
    let is_known = |&at: &usize| players[..at].iter().any(|one| one.name() == players[at].name());
    match (1..players.len()).find(is_known) {
        Some(at) => {
            Err(SettingError::value("entrants", "of different names", format!("`{}` twice", players[at].name())))?
        }
        None => Ok(()),
    }
}

/// Checks that there are enough openings, and that they leave moves to play.
fn check_openings<G: BoardGame>(openings: &[Opening<G>], settings: &MatchSettings) -> Result<(), MatchError> {
    let &MatchSettings { games, reuse_openings, adjudication: Adjudication { max_plies, .. }, .. } = settings;
    let (needed, found) = (games / 2, openings.len());
    if found == 0 || (found < needed && !reuse_openings) {
        return Err(MatchError::TooFewOpenings { games, needed, found });
    }
    for (opening, Opening { moves, .. }) in (1..).zip(openings) {
        let range = format!("above the {} plies of opening {opening}", moves.len());
        require(max_plies > moves.len(), "max_plies", &range, max_plies)?;
    }
    Ok(())
}

impl<G: BoardGame> Plan<G> {
    /// The games that the journals of runs of this plan hold, and how many of them were in more than one.
    ///
    /// # Errors
    /// When a journal cannot be read, belongs to another plan, or holds another game than an earlier one under the same name.
    pub fn collect(&self, journals: &[JournalSource<'_>]) -> Result<(Played<'_, G>, usize), JournalError> {
        let (mut told, mut games, mut repeated) = (Told::nothing(self), self.no_games(), 0);
        for JournalSource { path, fingerprint } in journals {
            Journal::read(path, fingerprint, |place, line| {
                if let Some(Finished { game, played, is_known }) = told.take(path, place, line?)? {
                    games[game] = Some(played);
                    repeated += usize::from(is_known);
                }
                Ok(())
            })?;
        }
        Ok((Played::of(self, games), repeated))
    }

    /// Places for all games.
    fn no_games(&self) -> Vec<Option<PlayedGame<G::Move>>> {
        vec![None; self.games()]
    }

    fn pair_of(&self, game: usize) -> &Pair {
        &self.pairs()[game / 2]
    }

    fn opening_of(&self, game: usize) -> &Opening<G> {
        &self.openings()[self.pair_of(game).opening]
    }

    /// The names of the first and the second side of a game.
    fn names_in(&self, game: usize) -> [&str; 2] {
        seated(self.pair_of(game).players, game).map(|player| self.name(player))
    }

    /// What equal games of equal players share: who played which side, where the game began, and all its moves.
    fn hash_of(&self, game: usize, played: &PlayedGame<G::Move>, hasher: &impl BuildHasher) -> u64 {
        let players = seated(self.pair_of(game).players, game);
        hasher.hash_one((players, self.opening_of(game).start.notation(), &played.moves))
    }

    fn row(&self, game: usize, played: &PlayedGame<G::Move>) -> GameRow {
        let (side, [first, second]) = (side_of_a(game), self.names_in(game).map(str::to_owned));
        GameRow {
            game: game + 1,
            opening: self.pair_of(game).opening + 1,
            first,
            second,
            result_a: played.outcome.value_for(side),
            reason: played.reason.clone(),
            plies: played.moves.len(),
            nodes_a: played.nodes[side.index()],
            nodes_b: played.nodes[side.other().index()],
        }
    }

    fn record(&self, game: usize, played: PlayedGame<G::Move>) -> GameRecord<G> {
        let opening = Some(self.pair_of(game).opening + 1);
        let caption = Caption { event: &self.document.event, round: game + 1, names: self.names_in(game), opening };
        let mut record = record_of(self.opening_of(game).start.clone(), played, &caption);
        if let Some(clock) = self.document.adjudication.clock {
            record.set_tag("TimeControl", clock.to_string());
        }
        record
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

/// The journal of a run, and the fingerprint of the plan that it was played by.
#[derive(Debug, Clone, Copy)]
pub struct JournalSource<'a> {
    /// The file.
    pub path: &'a std::path::Path,
    /// Of the plan.
    pub fingerprint: &'a str,
}

/// A shard of a tournament.
struct Part<'a, G: BoardGame> {
    tournament: &'a Tournament<G>,
    shard: Shard,
    /// Whether the sequential test has come to its verdict.
    is_over: AtomicBool,
}

impl<G: BoardGame> Run<G> for Part<'_, G> {
    type Error = MatchError;

    fn series(&self) -> &dyn Series<G> {
        &self.tournament.plan
    }

    fn is_due(&self, game: usize) -> bool {
        !self.is_over.load(Ordering::Relaxed) && self.shard.holds(self.tournament.plan.pair_of(game).id.hash())
    }

    fn play_one(&self, game: usize, mut writer: MatchWriter<'_, G::Move>) -> Result<PlayedGame<G::Move>, MatchError> {
        let Tournament { players, plan } = self.tournament;
        let (pair, opening, adjudication) = (plan.pair_of(game), plan.opening_of(game), &plan.document.adjudication);
        let players = seated(pair.players, game).map(|player| &*players[player]);
        let goes_on =
            |begun: &Begun<G::Move>| can_go_on(players, adjudication) && is_between_turns(&opening.start, begun);
        let begun = writer.begun.take().filter(goes_on);
        let begun = begun.unwrap_or_else(|| Begun::with_opening(opening.moves.clone()));
        writer.begin(begun.moves.len());
        let chance = Chance { seed: pair.id.hash(), game: game % 2 };
        let game = GameInPlay::resumed(opening.start.clone(), begun, adjudication);
        Ok(play_on(game, players, chance, |side, decision| writer.note(side, decision)))
    }
}

/// Whether an interrupted game goes on in the middle: where someone thinks for a time at each move, so that no game is the same
/// twice, and nothing depends on the moves before but the position: neither clocks nor the scores that end games.
fn can_go_on<G: BoardGame>(players: [&dyn Player<G>; 2], adjudication: &Adjudication) -> bool {
    *adjudication == Adjudication::capped(adjudication.max_plies) && players.iter().any(|player| player.is_timed())
}

/// Whether the moves of a game from `start` end with a turn. What a player planned for the rest of one is not in the journal, and
/// some protocols cannot ask for it.
fn is_between_turns<G: BoardGame>(start: &G, begun: &Begun<G::Move>) -> bool {
    let (mut position, mut mover) = (start.clone(), None);
    for &mv in &begun.moves {
        mover = Some(position.side_to_move());
        position.play(mv);
    }
    mover != Some(position.side_to_move())
}

/// Games of a plan that were played.
#[derive(Debug)]
pub struct Played<'p, G: BoardGame> {
    plan: &'p Plan<G>,
    /// `None` where one was not played; those that count.
    games: Vec<Option<PlayedGame<G::Move>>>,
    test: Option<Tested>,
}

impl<'p, G: BoardGame> Played<'p, G> {
    /// These games of `plan`, but for those that were played after the verdict of its sequential test.
    fn of(plan: &'p Plan<G>, mut games: Vec<Option<PlayedGame<G::Move>>>) -> Self {
        let test = plan.sprt().map(|sprt| tested(sprt, &games));
        if let Some(Tested { run, .. }) = test.filter(|test| test.run.verdict != Verdict::Continue) {
            games.truncate(2 * run.pairs.count() as usize);
        }
        Self { plan, games, test }
    }
}

/// What a sequential test says of the pairs up to the first of which a game is missing.
fn tested<M>(sprt: Sprt, games: &[Option<PlayedGame<M>>]) -> Tested {
    let result = |game: usize| games[game].as_ref().map(|played| played.outcome.value_for(side_of_a(game)));
    let half_points = |pair: usize| Some(2 + result(2 * pair)? + result(2 * pair + 1)?);
    let pairs = (0..games.len() / 2).map_while(half_points).map(|half_points| half_points as usize);
    Tested { run: sprt.run(pairs, |pairs| sprt.llr(pairs)), sprt, most: games.len() as u64 / 2 }
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

    /// The first game that a player lost by a failure other than too little time: its row, and what happened.
    pub fn first_failure(&self) -> Option<(GameRow, &str)> {
        let mut failed = self.games.iter().enumerate().filter_map(|(game, played)| Some((game, played.as_ref()?)));
        failed.find_map(|(game, played)| {
            let failure = played.failure.as_deref().filter(|_| played.reason != TIME_FORFEIT)?;
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
        let (hasher, mut seen) = (std::hash::RandomState::new(), FxHashSet::default());
        for (at, (pair, games)) in self.plan.pairs().iter().zip(self.games.chunks_exact(2)).enumerate() {
            let place = pairings.iter().position(|(players, ..)| *players == pair.players);
            let place = place.unwrap_or_else(|| {
                pairings.push((pair.players, Vec::new(), Vec::new()));
                pairings.len() - 1
            });
            if let [Some(first), Some(second)] = games {
                let mut both =
                    [(2 * at, first), (2 * at + 1, second)].map(|(game, one)| self.plan.hash_of(game, one, &hasher));
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

    /// Every game that was played, in order: its row, its pair, and the game itself.
    pub fn games(&self) -> impl Iterator<Item = (GameRow, &Pair, &PlayedGame<G::Move>)> {
        let games = self.games.iter().enumerate();
        games.filter_map(|(game, played)| {
            let played = played.as_ref()?;
            Some((self.plan.row(game, played), self.plan.pair_of(game), played))
        })
    }

    /// The games, in order, with what the players thought of each move.
    pub fn records(&self) -> impl Iterator<Item = GameRecord<G>> {
        let games = self.games.iter().enumerate();
        games.filter_map(|(game, played)| Some(self.plan.record(game, played.clone()?)))
    }

    /// The games as a journal, in order: its bytes depend on nothing but the games.
    pub fn to_journal(&self) -> String {
        let games = self.games.iter().enumerate();
        let lines = games.filter_map(|(game, played)| Some(Line::finished(self.plan.key(game), played.as_ref()?)));
        Journal::text(self.plan.fingerprint(), lines)
    }
}

/// The running score, for the observer, and whether the sequential test has come to its verdict.
struct RunningScore<'a> {
    names: Vec<String>,
    observer: &'a dyn Observer,
    wdl: Vec<Wdl>,
    /// Of two entrants, the pairs that are whole, and the first result of one that is not.
    pairs: Pentanomial,
    half: Option<i32>,
    sprt: Option<Sprt>,
}

impl<'a> RunningScore<'a> {
    fn new<G: BoardGame>(plan: &Plan<G>, observer: &'a dyn Observer) -> Self {
        let names = plan.names();
        let (wdl, pairs) = (vec![Wdl::default(); names.len()], Pentanomial::default());
        Self { names, observer, wdl, pairs, half: None, sprt: plan.sprt() }
    }

    /// Takes in the next game; whether the test ends the match with it.
    fn add<M>(&mut self, pair: &Pair, game: usize, played: &PlayedGame<M>) -> bool {
        let result = played.outcome.value_for(side_of_a(game));
        let [a, b] = pair.players;
        self.wdl[a].record(result);
        self.wdl[b].record(-result);
        match self.half.take() {
            Some(first) => self.pairs.record(first, result),
            None => self.half = Some(result),
        }
        self.observer.remark(&self.standing());
        self.sprt.is_some_and(|sprt| sprt.verdict(sprt.llr(self.pairs)) != Verdict::Continue)
    }

    /// Of two, the score of the first, with what follows from whole pairs; of more, that of whoever leads.
    fn standing(&self) -> String {
        let wdl = &self.wdl;
        let score = |&at: &usize| wdl[at].score().unwrap_or(0.0);
        let leader = (0..wdl.len()).rev().max_by(|a, b| score(a).total_cmp(&score(b))).unwrap_or_default();
        let shown = if wdl.len() == 2 { 0 } else { leader };
        let Wdl { wins, draws, losses } = wdl[shown];
        let standing = format!("{} +{wins} ={draws} -{losses}", self.names[shown]);
        if wdl.len() > 2 || self.pairs.count() == 0 {
            return standing;
        }
        let test = self.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            format!(", LLR {:.2} [{lower:.2}, {upper:.2}]", sprt.llr(self.pairs))
        });
        format!("{standing}, Elo {}{}", self.pairs.elo(), test.unwrap_or_default())
    }
}
