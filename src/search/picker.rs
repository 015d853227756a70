//! The moves of one node, kind by kind: what is not needed after a cut-off is never generated.

use super::memory::Memory;
use super::ordering::{Context, MoveStack};
use crate::game::SearchHints;

/// What kind of move the picker gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The table's move.
    Hint,
    /// A noisy move that does not lose material.
    Noisy,
    /// A quiet move.
    Quiet,
    /// A noisy move that loses material by static exchange.
    Losing,
}

/// Which moves of a node are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All of them.
    All,
    /// Noisy ones that do not lose material.
    Noisy,
    /// Those, then quiet ones that give check.
    NoisyAndChecks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hint,
    GenerateNoisy,
    Noisy,
    GenerateQuiet,
    Quiet,
    Losing,
    /// All moves at once: as they are generated, for searches that order nothing, or the game's candidates.
    GenerateAll,
    Unordered,
    Done,
}

/// Gives the moves of one node in the order in which they should be tried. They lie on the stack of [`Memory`], from where
/// it stood when the picker was made; its user puts the stack back there.
pub(super) struct Picker<G: SearchHints> {
    scope: Scope,
    /// The most moves that are given where all are wanted; 0 for all of them.
    pub width: u32,
    stage: Stage,
    hint: Option<G::Move>,
    /// Losing moves are set aside in `first..losing`.
    first: usize,
    losing: usize,
    /// Where the quiet moves begin.
    quiet: usize,
    at: usize,
}

impl<G: SearchHints> Picker<G> {
    pub fn new(memory: &Memory<G>, scope: Scope, hint: Option<G::Move>) -> Self {
        let first = memory.stack.len();
        let stage = if hint.is_some() { Stage::Hint } else { Stage::GenerateNoisy };
        Self { scope, width: memory.settings.width, stage, hint, first, losing: first, quiet: first, at: first }
    }

    /// The quiet moves that were given before the last one.
    pub(crate) fn quiet_before_last<'m>(
        &self,
        stack: &'m MoveStack<G::Move>,
    ) -> impl Iterator<Item = G::Move> + use<'m, G> {
        let (hint, last) = (self.hint, self.at.saturating_sub(1));
        stack.range(self.quiet.min(last), last).filter(move |mv| Some(*mv) != hint)
    }

    /// The next move and its kind; `None` when all were given.
    pub fn next(&mut self, position: &G, memory: &mut Memory<G>, context: Context<G::Move>) -> Option<(G::Move, Kind)> {
        loop {
            match self.stage {
                Stage::Hint => {
                    self.stage = Stage::GenerateNoisy;
                    return self.hint.map(|mv| (mv, Kind::Hint));
                }
                Stage::GenerateNoisy
                    if self.scope == Scope::All && (self.width > 0 || !memory.settings.noisy_first) =>
                {
                    self.stage = Stage::GenerateAll;
                }
                Stage::GenerateNoisy => self.fill_noisy(position, memory, context),
                Stage::Noisy => match self.next_noisy(position, memory) {
                    Some(mv) => return Some((mv, Kind::Noisy)),
                    None => self.stage = if self.scope == Scope::Noisy { Stage::Done } else { Stage::GenerateQuiet },
                },
                Stage::GenerateQuiet => self.fill_quiet(position, memory, context),
                Stage::Quiet => match self.next_chosen(memory) {
                    Some(mv) => return Some((mv, Kind::Quiet)),
                    None => self.begin_losing(),
                },
                Stage::Losing => return self.next_losing(memory).map(|mv| (mv, Kind::Losing)),
                Stage::GenerateAll => self.fill_all(position, memory, context),
                Stage::Unordered => {
                    let mv = self.next_chosen(memory)?;
                    return Some((mv, if position.noise_of(mv) != 0 { Kind::Noisy } else { Kind::Quiet }));
                }
                Stage::Done => return None,
            }
        }
    }

    fn fill_noisy(&mut self, position: &G, memory: &mut Memory<G>, context: Context<G::Move>) {
        let Memory { settings, ordering, stack, .. } = memory;
        let rank = |mv| if settings.noisy_first { ordering.rank(position, mv, context, true) } else { 0 };
        stack.fill(|moves| position.noisy_moves(moves), rank);
        self.stage = Stage::Noisy;
    }

    fn fill_quiet(&mut self, position: &G, memory: &mut Memory<G>, context: Context<G::Move>) {
        let Memory { ordering, stack, .. } = memory;
        (self.quiet, self.at) = (stack.len(), stack.len());
        let rank = |mv| ordering.rank(position, mv, context, false);
        match self.scope {
            Scope::All => stack.fill(|moves| position.quiet_moves(moves), rank),
            Scope::Noisy | Scope::NoisyAndChecks => stack.fill(|moves| position.quiet_checks(moves), rank),
        }
        self.stage = Stage::Quiet;
    }

    fn fill_all(&mut self, position: &G, memory: &mut Memory<G>, context: Context<G::Move>) {
        let Memory { settings, ordering, stack, .. } = memory;
        self.stage = Stage::Unordered;
        if self.width > 0 {
            // The game gives the most promising first.
            let mut rank = 0;
            let next = |_| {
                rank -= 1;
                rank
            };
            return stack.fill(|moves| position.candidates(self.width as usize, moves), next);
        }
        let ranked = settings.killers || settings.history || settings.countermoves;
        let rank = |mv| {
            if ranked && position.noise_of(mv) == 0 { ordering.rank(position, mv, context, false) } else { 0 }
        };
        stack.fill(|moves| position.legal_moves(moves), rank);
    }

    fn next_noisy(&mut self, position: &G, memory: &mut Memory<G>) -> Option<G::Move> {
        loop {
            let mv = self.next_chosen(memory)?;
            if !memory.settings.exchanges || position.see_at_least(mv, 0) {
                return Some(mv);
            }
            memory.stack.swap(self.losing, self.at - 1);
            self.losing += 1;
        }
    }

    /// The best of the moves that remain on the stack, the hint left out.
    fn next_chosen(&mut self, memory: &mut Memory<G>) -> Option<G::Move> {
        loop {
            let mv = memory.stack.choose(self.at)?;
            self.at += 1;
            if Some(mv) != self.hint {
                return Some(mv);
            }
        }
    }

    fn begin_losing(&mut self) {
        self.at = self.first;
        self.stage = if self.scope == Scope::All { Stage::Losing } else { Stage::Done };
    }

    fn next_losing(&mut self, memory: &Memory<G>) -> Option<G::Move> {
        let mv = (self.at < self.losing).then(|| memory.stack.get(self.at))?;
        self.at += 1;
        mv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, Side};
    use crate::games::connect6::Connect6;
    use crate::games::xiangqi::{Move, Xiangqi};
    use crate::search::SearchSettings;

    /// The moves of `scope` in the initial position, in which each cannon can be given for a horse.
    fn given(settings: SearchSettings, scope: Scope, hint: Option<Move>) -> Vec<(Move, Kind)> {
        let mut memory = Memory::<Xiangqi>::new(SearchSettings { transposition_mb: 0, ..settings });
        memory.prepare();
        let (position, context) = (Xiangqi::start(), Context { ply: 0, previous: None });
        let mut picker = Picker::new(&memory, scope, hint);
        std::iter::from_fn(|| picker.next(&position, &mut memory, context)).collect()
    }

    #[test]
    fn every_move_is_given_once_the_hint_first_and_those_that_lose_material_last() {
        let position = Xiangqi::start();
        let [quiet, noisy] = ["h2e2", "h2h9"].map(|text| position.parse_move(text).unwrap());
        let mut all = position.moves();
        all.sort_unstable();
        for (hint, losing) in [(None, 2), (Some(quiet), 2), (Some(noisy), 1)] {
            let moves = given(SearchSettings::default(), Scope::All, hint);
            assert_eq!(moves.iter().find(|&&(_, kind)| kind == Kind::Hint).map(|&(mv, _)| mv), hint);
            assert!(hint.is_none_or(|hint| moves[0].0 == hint));
            assert!(moves[moves.len() - losing..].iter().all(|&(_, kind)| kind == Kind::Losing));
            assert_eq!(moves.iter().filter(|&&(_, kind)| kind == Kind::Losing).count(), losing);
            let mut moves: Vec<Move> = moves.into_iter().map(|(mv, _)| mv).collect();
            moves.sort_unstable();
            assert_eq!(moves, all, "{hint:?}");
        }
    }

    #[test]
    fn quiescence_leaves_out_what_loses_material_if_exchanges_are_looked_at() {
        assert!(given(SearchSettings::default(), Scope::Noisy, None).is_empty());
        let settings = SearchSettings { exchanges: false, ..SearchSettings::default() };
        let kinds = given(settings, Scope::Noisy, None).into_iter().map(|(_, kind)| kind);
        assert_eq!(kinds.collect::<Vec<_>>(), [Kind::Noisy; 2]);
    }

    #[test]
    fn where_noisy_moves_are_not_first_one_way_to_rank_quiet_moves_is_enough() {
        let (position, bare) = (Xiangqi::start(), SearchSettings::bare());
        let moves = position.moves();
        let (previous, best) = (moves[0], moves.iter().copied().rfind(|&mv| position.noise_of(mv) == 0).unwrap());
        for settings in [
            SearchSettings { killers: true, ..bare },
            SearchSettings { history: true, ..bare },
            SearchSettings { countermoves: true, ..bare },
        ] {
            let mut memory = Memory::<Xiangqi>::new(settings);
            memory.prepare();
            let context = Context { ply: 0, previous: Some(previous) };
            memory.ordering.reward(Side::First, best, std::iter::empty(), (3, context));
            let mut picker = Picker::new(&memory, Scope::All, None);
            assert_eq!(picker.next(&position, &mut memory, context), Some((best, Kind::Quiet)), "{settings:?}");
        }
    }

    #[test]
    fn moves_that_nothing_orders_come_as_they_are_generated() {
        let position = Xiangqi::start();
        let kind = |mv| if position.noise_of(mv) == 0 { Kind::Quiet } else { Kind::Noisy };
        let expected: Vec<_> = position.moves().into_iter().map(|mv| (mv, kind(mv))).collect();
        assert_eq!(given(SearchSettings::bare(), Scope::All, None), expected);
        assert_eq!(expected.iter().filter(|(_, kind)| *kind == Kind::Noisy).count(), 2);
    }

    #[test]
    fn candidates_come_in_the_order_of_the_game() {
        let mut position = Connect6::of_size(6).unwrap();
        for number in [14, 15, 20] {
            let mv = position.moves()[number];
            position.play(mv);
        }
        for width in [1, 5, 12] {
            let mut memory =
                Memory::<Connect6>::new(SearchSettings { width, transposition_mb: 0, ..SearchSettings::default() });
            memory.prepare();
            let mut expected = Vec::new();
            position.candidates(width as usize, &mut expected);
            let (context, mut picker) = (Context { ply: 0, previous: None }, Picker::new(&memory, Scope::All, None));
            let moves = std::iter::from_fn(|| picker.next(&position, &mut memory, context));
            assert_eq!(moves.map(|(mv, _)| mv).collect::<Vec<_>>(), expected, "{width}");
        }
    }

    #[test]
    fn quiet_moves_before_the_last_are_those_given_but_the_hint() {
        let mut memory = Memory::<Xiangqi>::new(SearchSettings { transposition_mb: 0, ..SearchSettings::default() });
        memory.prepare();
        let (position, context) = (Xiangqi::start(), Context { ply: 0, previous: None });
        let hint = position.parse_move("h2e2").unwrap();
        let mut picker = Picker::new(&memory, Scope::All, Some(hint));
        let mut quiet = Vec::new();
        while let Some((mv, kind)) =
            picker.next(&position, &mut memory, context).filter(|&(_, kind)| kind != Kind::Losing)
        {
            let before: Vec<_> = picker.quiet_before_last(&memory.stack).collect();
            assert_eq!(before, quiet);
            if kind == Kind::Quiet {
                quiet.push(mv);
            }
        }
        assert_eq!(quiet.len(), 44 - 3);
    }
}
