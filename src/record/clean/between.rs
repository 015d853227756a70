//! The checks that compare records with each other.

use std::cmp::Reverse;
use std::io;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::fingerprint::lot;
use super::spool::Stored;
use super::{Cleaning, Sample, Step};
use crate::random::mix;
use crate::record::account::Reason;
use crate::record::entry::SourceLocation;

/// By what a game is compared with others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// Key of start and moves.
    pub whole: u64,
    /// The least of these keys of the game and its images, where there are some.
    pub mirrored: Option<u64>,
    /// Key of tags and result.
    pub headers: u64,
    /// Key of beginning, players and result.
    pub near: Option<u64>,
    pub plies: u32,
    /// Tags that are filled in.
    pub completeness: u16,
    /// The value of its outcome.
    pub outcome: Option<i32>,
}

/// What is kept in memory of a record that passed the checks of one: some 100 bytes and the name of its file.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub place: Option<SourceLocation>,
    pub marks: Marks,
    /// The heading, and the record for which this one stands back.
    pub dropped: Option<(Reason, Option<u32>)>,
}

impl Marks {
    fn outcome_index(&self) -> u64 {
        self.outcome.map_or(3, |value| value.rem_euclid(3).unsigned_abs().into())
    }

    /// Key of start, moves and result.
    fn whole_with_result(&self) -> u64 {
        mix(self.whole).wrapping_add(self.outcome_index())
    }
}

/// All candidates, in the order of the input.
pub struct Candidates(pub Vec<Candidate>);

impl Candidates {
    /// Takes the steps that `cleaning` asks for; `prefixes` holds the keys of all prefixes of each candidate.
    pub fn compare(&mut self, cleaning: &Cleaning, prefixes: Option<&mut Stored>) -> io::Result<()> {
        if cleaning.takes(Step::Conflicts) {
            self.drop_conflicts();
        }
        if cleaning.takes(Step::Duplicates) {
            let groups = self.groups(|marks| Some(mix(marks.whole_with_result()) ^ marks.headers));
            self.keep_best(groups, Reason::Duplicate, |index, _| index.into());
        }
        if cleaning.takes(Step::FiledAgain) {
            let groups = self.groups(|marks| Some(marks.whole_with_result()));
            // Copies with the headers of the best one were left to the step before, which may be off.
            self.keep_best(groups, Reason::FiledAgain, |_, marks| marks.headers);
        }
        prefixes.map_or(Ok(()), |prefixes| self.drop_prefixes(prefixes, cleaning.prefix_plies))?;
        // Copies of the best were dropped before if they are not wanted.
        if cleaning.takes(Step::Mirrored) {
            // The results of a game and its mirror image are not compared, since one of them would be wrong.
            self.keep_best(self.groups(|marks| marks.mirrored), Reason::MirrorImage, |_, marks| marks.whole);
        }
        if cleaning.takes(Step::Near) {
            self.keep_best(self.groups(|marks| marks.near), Reason::NearDuplicate, |_, marks| marks.whole);
        }
        cleaning.sample.into_iter().for_each(|sample| self.draw(sample, cleaning.seed));
        Ok(())
    }

    fn drop(&mut self, index: u32, reason: Reason, kept: Option<u32>) {
        self.0[index as usize].dropped = Some((reason, kept));
    }

    fn at(&self, index: u32) -> &Marks {
        &self.0[index as usize].marks
    }

    /// The candidates that no step has dropped yet.
    fn alive(&self) -> impl Iterator<Item = (u32, &Marks)> {
        let alive = (0..).zip(&self.0).filter(|(_, candidate)| candidate.dropped.is_none());
        alive.map(|(index, candidate)| (index, &candidate.marks))
    }

    /// Groups of two or more that share a key, each in the order of the input.
    fn groups(&self, key: impl Fn(&Marks) -> Option<u64>) -> Vec<Vec<u32>> {
        let keyed = self.alive().filter_map(|(index, marks)| Some((key(marks)?, index)));
        let mut keyed: Vec<(u64, u32)> = keyed.collect();
        keyed.sort_unstable();
        let groups = keyed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        groups.map(|group| group.iter().map(|&(_, index)| index).collect()).collect()
    }

    fn best(&self, group: &[u32]) -> Option<u32> {
        group.iter().copied().min_by_key(|&index| (Reverse(self.at(index).completeness), index))
    }

    /// Keeps the best of each group, and those that `key` does not tell from it.
    fn keep_best(&mut self, groups: Vec<Vec<u32>>, reason: Reason, key: impl Fn(u32, &Marks) -> u64) {
        for group in groups {
            let Some(best) = self.best(&group) else { continue };
            let kept = key(best, self.at(best));
            for index in group {
                if key(index, self.at(index)) != kept {
                    self.drop(index, reason, Some(best));
                }
            }
        }
    }

    /// Of copies with different results, those whose result has the most different headers are kept: files copied from each
    /// other count once. Where two results have equally many, nobody knows which is right, and all go.
    fn drop_conflicts(&mut self) {
        for group in self.groups(|marks| marks.outcome.map(|_| marks.whole)) {
            let winner = self.majority(&group);
            let kept = winner.and_then(|winner| {
                let of_winner: Vec<u32> = group.iter().copied().filter(|&i| self.at(i).outcome == winner).collect();
                self.best(&of_winner)
            });
            for index in group {
                if winner.is_none_or(|winner| self.at(index).outcome != winner) {
                    self.drop(index, Reason::ConflictingCopies, kept);
                }
            }
        }
    }

    /// The value of the outcome of the group with the most different headers; `None` if there are two such.
    fn majority(&self, group: &[u32]) -> Option<Option<i32>> {
        let mut votes: Vec<(u64, u64, Option<i32>)> = group
            .iter()
            .map(|&index| (self.at(index).outcome_index(), self.at(index).headers, self.at(index).outcome))
            .collect();
        votes.sort_unstable_by_key(|&(outcome, headers, _)| (outcome, headers));
        votes.dedup_by_key(|&mut (outcome, headers, _)| (outcome, headers));
        let mut counts: Vec<(usize, Option<i32>)> =
            votes.chunk_by(|a, b| a.0 == b.0).map(|votes| (votes.len(), votes[0].2)).collect();
        counts.sort_by_key(|&(count, _)| Reverse(count));
        match counts[..] {
            [(_, outcome)] => Some(outcome),
            [(most, outcome), (next, _), ..] if most > next => Some(outcome),
            _ => None,
        }
    }

    /// Games of `least` plies or more that others go on from; the longest of these stands for them.
    fn drop_prefixes(&mut self, prefixes: &mut Stored, least: usize) -> io::Result<()> {
        // Of each game, the longest record that begins with it.
        let mut longest: FxHashMap<u64, (u32, u32)> =
            self.alive().map(|(_, marks)| (marks.whole, (marks.plies, u32::MAX))).collect();
        let mut blocks = prefixes.blocks()?;
        let mut block = Vec::new();
        for (index, Candidate { marks: Marks { plies, .. }, dropped, .. }) in (0..).zip(&self.0) {
            blocks.next_into(&mut block)?;
            if dropped.is_some() {
                continue;
            }
            let (keys, _) = block.as_chunks::<8>();
            for &key in keys.iter().take(*plies as usize) {
                if let Some(found) = longest.get_mut(&u64::from_le_bytes(key)).filter(|found| found.0 < *plies) {
                    *found = (*plies, index);
                }
            }
        }
        let beginning: Vec<(u32, u32)> = self
            .alive()
            .filter(|(_, marks)| marks.plies as usize >= least)
            .map(|(index, marks)| (index, longest[&marks.whole].1))
            .filter(|&(_, longer)| longer != u32::MAX)
            .collect();
        for (index, longer) in beginning {
            self.drop(index, Reason::Prefix, Some(longer));
        }
        Ok(())
    }

    fn draw(&mut self, sample: Sample, seed: u64) {
        let mut lots: Vec<(f64, u32)> = self.alive().map(|(index, marks)| (lot(seed, marks.whole), index)).collect();
        lots.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let kept = match sample {
            Sample::Games(games) => games.min(lots.len()),
            Sample::Share(share) => lots.partition_point(|&(lot, _)| lot < share),
        };
        for &(_, index) in &lots[kept..] {
            self.drop(index, Reason::NotSampled, None);
        }
    }

    /// The record that was kept in place of the one that is dropped for `index`: the one for which that stands back, and so on.
    pub(crate) fn kept_for(&self, mut index: u32) -> Option<u32> {
        while let Some((_, for_whom)) = self.0[index as usize].dropped {
            index = for_whom?;
        }
        Some(index)
    }
}
