//! Tournaments: any number of entrants, pairs of games from one opening with both colours, played in parallel, on one machine
//! or on many.

use std::sync::atomic::{AtomicBool, Ordering};

use super::adjudication::Adjudication;
use super::game::{Begun, GameInPlay, PlayedGame, play_on, seated, side_of_a};
use super::journal::{JournalError, Source};
use super::match_writer::MatchWriter;
use super::openings::Opening;
use super::plan::{Entrant, Pair, Plan, PlanError};
use super::played::Played;
use super::players::{Chance, Player, PlayerError};
use super::saved::{JournalPlace, Run, Series, play_all};
use super::settings::MatchSettings;
use super::shard::Shard;
use crate::game::BoardGame;
use crate::observe::Observer;
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
        let entrants = players.iter().map(|player| Entrant {
            name: player.name().to_owned(),
            identity: player.identity(),
            entered_as: None,
        });
        Ok(Self { plan: Plan::new(entrants.collect(), openings, settings, sources)?, players })
    }

    /// The same, and what readers are told of each player whose name does not say what it is: as what it was entered.
    #[must_use]
    pub fn entered_as(mut self, texts: Vec<Option<String>>) -> Self {
        self.plan.put_entered(texts);
        self
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
        let mut all = Played::nothing(&self.plan);
        let part = Part { tournament: self, shard, is_over: AtomicBool::new(false) };
        let journal = play_all(&part, journal, observer, |game, saved| {
            if part.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            part.is_over.store(score.add(self.plan.pair_of(game), game, &saved.0), Ordering::Relaxed);
            all.take(game, saved);
            Ok(())
        })?;
        all.sources.extend(journal.map(Source::Own));
        Ok(all.judged())
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

    fn may_end_early(&self) -> bool {
        self.tournament.plan.sprt().is_some()
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
