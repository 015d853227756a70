//! One round: games, what they teach, the network that learned it, and the matches that measure it.

use std::path::Path;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{Iteration, IterationSettings};
use crate::arena::{
    AlphaBetaPlayer, Generation, GenerationSettings, JournalPlace, MatchSettings, Opening, OpeningSettings, Player,
    Shard, Tournament, draw_openings,
};
use crate::eval::Catalogue;
use crate::observe::Observer;
use crate::random;
use crate::record::GameRecord;
use crate::runs::training::{Data, DataSettings, Judging, LearnError, Learned, Training, learn};
use crate::runs::{RunFolder, RunsError};
use crate::search::{Limits, SearchSettings};
use crate::stats::{Pentanomial, Sprt, Verdict};
use crate::train::{Checkpoint, CurvePoint, NoRecord, Teacher, TrainingContext};

/// What a round came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub number: usize,
    /// The round whose network played and judged; 0 is the network to begin with.
    pub teacher: usize,
    /// Positions that were learned from.
    pub n_positions: usize,
    /// The mean squared error against the results of games held out, before and after.
    pub errors: [f64; 2],
    /// Pairs of games against the best network so far, by the points taken: 0, ½, 1, 1½, 2.
    pub gate: [u64; 5],
    /// Whether the new network took the place of the best one.
    pub is_accepted: bool,
    /// Pairs of games against the evaluator that all are compared with.
    pub reference: [u64; 5],
}

/// What a round works with.
pub(super) struct Step<'a> {
    pub iteration: &'a Iteration,
    pub number: usize,
    pub folder: &'a RunFolder,
    pub observer: &'a dyn Observer,
}

impl Step<'_> {
    /// Makes a network out of the `best` one, that of round `teacher`, and measures it; its file is `new`.
    pub fn run<G: Catalogue>(&self, best: &Path, teacher: usize, new: &Path) -> Result<Round, RunsError> {
        let games = self.games::<G>(best, teacher)?;
        let data = self.data(&games, best)?;
        let learned = self.learned(&data, best)?;
        learned.save(new)?;
        let openings = self.openings(&games)?;
        let player = |path: &Path, round: usize| self.player::<G>(path, round);
        let sprt = self.iteration.settings.gate.sprt();
        let sides = [player(new, self.number)?, player(best, teacher)?];
        let gate = self.pairs(("gate", Some(sprt)), &openings, sides)?;
        let is_accepted =
            sprt.verdict(sprt.llr(gate)) != Verdict::AcceptH0 && gate.score().is_some_and(|score| score > 0.5);
        let reference = self.pairs(("reference", None), &openings, [player(new, self.number)?, self.reference()?])?;
        let error = |at: Option<&CurvePoint>| at.map_or(f64::NAN, |point| point.held_out_mse);
        Ok(Round {
            number: self.number,
            teacher,
            n_positions: learned.n_positions,
            errors: [error(learned.curve.first()), error(learned.kept.as_ref())],
            gate: gate.pairs,
            is_accepted,
            reference: reference.pairs,
        })
    }

    /// The seed of the round.
    fn seed(&self) -> u64 {
        random::stream(self.iteration.seed, "iteration", self.number as u64).random::<u32>().into()
    }

    fn games<G: Catalogue>(&self, best: &Path, teacher: usize) -> Result<Vec<GameRecord<G>>, RunsError> {
        let settings = &self.iteration.settings;
        let player = AlphaBetaPlayer {
            limits: Limits::to_depth(settings.depth).map_err(LearnError::from)?,
            ..self.player(best, teacher)?
        };
        let players: [&dyn Player<G>; 2] = [&player, &player];
        let play = GenerationSettings { seed: self.seed(), ..settings.play };
        let event = format!("expert iteration, round {}", self.number);
        let generation = Generation { event: &event, players, drawer: Some(&player), settings: play };
        let journal = self.folder.work.join("games.jsonl");
        Ok(generation.play(Some(&journal), self.observer).map_err(LearnError::from)?)
    }

    /// What the games teach: their quiet positions as the network sees them, with what a search by the best network says of them.
    fn data<G: Catalogue>(&self, games: &[GameRecord<G>], best: &Path) -> Result<Data, LearnError> {
        let (settings, known) = (&self.iteration.settings, self.iteration.origin.data());
        let evaluator = best.to_string_lossy().into_owned();
        let learns_values = matches!(self.iteration.origin.training(), Training::Supervised(_));
        let teacher = Teacher { evaluator, depth: if learns_values { settings.target_depth } else { 0 } };
        let asks = learns_values || known.selection.quiescent_only;
        let result_share = if learns_values { settings.result_share } else { 1.0 };
        let data = DataSettings { result_share, teacher: asks.then_some(teacher), ..known.clone() };
        let kept = self.folder.work.join("judgements.jsonl");
        let kept_in = Some(&*kept).filter(|_| asks);
        let judging = Judging { kept_in, ..Judging::new(self.observer) };
        Data::keeping(games, Vec::new(), data, self.seed(), judging)
    }

    fn learned(&self, data: &Data, best: &Path) -> Result<Learned, LearnError> {
        let mut start = self.iteration.origin.go_on(best, data, self.iteration)?;
        start.about.settings["iteration"]["round"] = self.number.into();
        let fingerprint = data.fingerprint("iterate", &(self.iteration, self.number));
        let checkpoint = Checkpoint::new(self.folder.work.join("checkpoint"), fingerprint);
        let context =
            TrainingContext { checkpoint: Some(&checkpoint), recorder: &mut NoRecord, observer: self.observer };
        learn(data, start, self.iteration.origin.training(), &format!("round {}", self.number), context)
    }

    /// Where the matches of the round begin: where its games left their drawn plies.
    fn openings<G: Catalogue>(&self, games: &[GameRecord<G>]) -> Result<Vec<Opening<G>>, LearnError> {
        let IterationSettings { gate, play, .. } = &self.iteration.settings;
        let settings =
            OpeningSettings { count: gate.games / 2, plies: play.random_plies, seed: self.seed(), at_most: true };
        let openings = draw_openings(games, settings)?;
        let (found, wanted) = (openings.len(), settings.count);
        if found < wanted {
            self.observer.note(&format!(
                "round {}: {found} of {wanted} openings: the games left their drawn plies in no more positions",
                self.number
            ));
        }
        Ok(openings)
    }

    fn player<G: Catalogue>(&self, path: &Path, round: usize) -> Result<AlphaBetaPlayer<G>, LearnError> {
        Ok(AlphaBetaPlayer { name: format!("round {round}"), ..self.named(&path.to_string_lossy())? })
    }

    /// The evaluator that all networks are compared with.
    fn reference<G: Catalogue>(&self) -> Result<AlphaBetaPlayer<G>, LearnError> {
        self.named(G::DEFAULT_EVALUATOR)
    }

    /// An evaluator as it plays in matches.
    fn named<G: Catalogue>(&self, name: &str) -> Result<AlphaBetaPlayer<G>, LearnError> {
        let limits = Limits::to_depth(self.iteration.settings.gate.depth)?;
        Ok(AlphaBetaPlayer::named(name, SearchSettings::of_game::<G>(), limits)?)
    }

    /// The pairs of a match, which a test may end, from the side of `a`.
    fn pairs<G: Catalogue>(
        &self,
        (name, sprt): (&str, Option<Sprt>),
        openings: &[Opening<G>],
        [a, b]: [AlphaBetaPlayer<G>; 2],
    ) -> Result<Pentanomial, RunsError> {
        let adjudication = self.iteration.settings.play.adjudication;
        let event = format!("expert iteration, round {}: {} - {}", self.number, a.name, b.name);
        let games = 2 * openings.len();
        let settings = MatchSettings { games, adjudication, event, sprt, ..MatchSettings::default() };
        let players: Vec<Box<dyn Player<G>>> = vec![Box::new(a), Box::new(b)];
        let tournament =
            Tournament::new(players, openings.to_vec(), &settings, Vec::new()).map_err(LearnError::from)?;
        let journal = self.folder.work.join(format!("{name}.jsonl"));
        let played = tournament.play(Shard::WHOLE, Some(JournalPlace::new(&journal)), self.observer);
        Ok(played.map_err(LearnError::from)?.result().pairings.swap_remove(0).pentanomial)
    }
}
