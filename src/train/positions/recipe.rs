//! From records to rows: positions chosen, encoded, mirrored, and given their targets.

use rayon::prelude::*;

use super::judge::{Judge, Judged, TeacherValues};
use super::judgements::Judgements;
use super::set::{Columns, PositionSet};
use super::{PositionAccount, PositionSelection};
use crate::eval::Evaluator;
use crate::features::FeatureSet;
use crate::game::symmetry::Symmetry;
use crate::game::{MaterialCount, SearchHints};
use crate::observe::{Observer, Silent};
use crate::record::GameRecord;
use crate::search::{Limits, Quiescence};

/// Games that are read together, by all threads: enough that making evaluators for them costs nothing beside them.
const BATCH: usize = 2048;

/// Something that makes fresh evaluators, one for each thread.
pub type Maker<'a, G> = &'a (dyn Fn() -> Box<dyn Evaluator<G>> + Sync);

/// How records become rows.
pub struct Recipe<'a, G: SearchHints, F> {
    /// What describes a position.
    pub features: &'a F,
    /// Which positions are kept; which images are added is told by `images`.
    pub selection: PositionSelection,
    /// The images of each game that follow it.
    pub images: &'a [Symmetry<G>],
    /// Judges quietness and gives values; without one every position is taken for quiet and worth its game's result.
    pub teacher: Option<Maker<'a, G>>,
    /// How far the teacher's values look ahead; `None` for quiescence alone.
    pub limits: Option<Limits>,
    /// Share of the game's result in a target, in [0, 1]; the rest is the teacher's value.
    pub result_share: f32,
    /// The evaluator of the skip term and its scale.
    pub skip: Option<(Maker<'a, G>, f32)>,
    /// Where judgements of games are kept, if they are.
    pub judgements: Option<&'a Judgements>,
    /// The pieces by whose numbers baselines go, if they are wanted.
    pub material: Option<MaterialCount<G>>,
}

impl<'a, G: SearchHints, F: FeatureSet<G>> Recipe<'a, G, F> {
    /// All positions from ply `skip_plies` on, with the results of their games and nothing else.
    pub fn plain(features: &'a F, skip_plies: usize) -> Self {
        Self {
            features,
            selection: PositionSelection::from_ply(skip_plies),
            images: &[],
            teacher: None,
            limits: None,
            result_share: 1.0,
            skip: None,
            judgements: None,
            material: None,
        }
    }

    /// The positions of `records`, each game followed by its images.
    ///
    /// Games are read in parallel, each by itself, so the set does not depend on the number of threads. What evaluators say
    /// of an image is what they say of the original.
    pub fn read(&self, records: &[&GameRecord<G>], observer: &dyn Observer) -> PositionSet {
        observer.begin("read positions", records.len() as u64);
        let read = |judge: &mut Judge<G>, record: &&GameRecord<G>| {
            let game = self.read_game(judge, record);
            observer.advance(1);
            game
        };
        let mut set = PositionSet::empty(self.features.n_attributes(), self.n_kinds());
        set.n_images = self.images.len();
        // Some games at a time, so that positions do not stand in memory twice.
        for some in records.chunks(BATCH) {
            let games: Vec<_> = some.par_iter().map_init(|| self.judge(), read).collect();
            for (images, account) in games {
                images.iter().for_each(|image| set.append(image, 0..image.results.len()));
                set.account += account;
            }
        }
        observer.end();
        set
    }

    /// The evaluators that it asks for.
    fn judge(&self) -> Judge<G> {
        let teacher = |asked: bool| self.teacher.filter(|_| asked).map(|make| make());
        Judge {
            skip_plies: self.selection.skip_plies,
            filter: teacher(self.selection.quiescent_only).map(Quiescence::new),
            teacher: teacher(self.result_share < 1.0).map(|evaluator| TeacherValues::new(evaluator, self.limits)),
            skip: self.skip.map(|(make, scale)| (make(), scale)),
        }
    }

    fn n_kinds(&self) -> usize {
        self.material.map_or(0, |material| material.values.len())
    }

    /// The positions of one game and of its images.
    fn read_game(&self, judge: &mut Judge<G>, record: &GameRecord<G>) -> (Vec<Columns>, PositionAccount) {
        let mut judged = match self.judgements {
            None => judge.judge(record),
            Some(kept) => kept.of(record, if judge.teacher.is_some() { " valued" } else { "" }, || judge.judge(record)),
        };
        let symmetries = std::iter::once(Symmetry::identity()).chain(self.images.iter().copied());
        let images = symmetries.map(|symmetry| self.image(record, &judged, &symmetry)).collect();
        judged.account.copies = self.images.len() * judged.plies.len();
        (images, judged.account)
    }

    /// The positions kept of one game as `symmetry` shows them.
    fn image(&self, record: &GameRecord<G>, judged: &Judged, symmetry: &Symmetry<G>) -> Columns {
        let result = symmetry.sign() * record.outcome.map_or(0.0, |outcome| outcome.value() as f32);
        let seen = |values: &[f32]| values.iter().map(|value| symmetry.sign() * value).collect::<Vec<_>>();
        let mix = |value: f32| self.result_share * result + (1.0 - self.result_share) * value;
        let mut columns = Columns {
            codes: Vec::with_capacity(judged.plies.len() * self.features.n_attributes()),
            results: vec![result; judged.plies.len()],
            targets: seen(&judged.values).into_iter().map(mix).collect(),
            offsets: seen(&judged.offsets),
            continuations: Vec::with_capacity(judged.plies.len()),
            ..Columns::default()
        };
        let mut position = symmetry.position(&record.start);
        let mut plies = judged.plies.iter().peekable();
        for (ply, mv) in record.moves.iter().map(|&mv| symmetry.mv(&record.start, mv)).enumerate() {
            if plies.next_if_eq(&&ply).is_some() {
                self.encode(&position, &mut columns);
                columns.continuations.push(G::move_slot(mv) as u32);
            }
            position.play(mv);
        }
        columns
    }

    /// Appends what `position` itself tells.
    fn encode(&self, position: &G, columns: &mut Columns) {
        let first = columns.codes.len();
        columns.codes.resize(first + self.features.n_attributes(), 0);
        self.features.encode(position, &mut columns.codes[first..]);
        if let Some(material) = self.material {
            let first = columns.leads.len();
            columns.leads.resize(first + material.values.len(), 0);
            (material.leads)(position, &mut columns.leads[first..]);
        }
    }
}

impl PositionSet {
    /// The positions in which each move of `records` was made, from ply `skip_plies` on, encoded by `features`.
    ///
    /// A game shorter than that contributes no position but keeps its place among the games; games without a result
    /// count as drawn, so filter them before.
    pub fn from_records<G: SearchHints, F: FeatureSet<G>>(
        records: &[GameRecord<G>],
        features: &F,
        skip_plies: usize,
    ) -> Self {
        Recipe::plain(features, skip_plies).read(&records.iter().collect::<Vec<_>>(), &Silent)
    }
}
