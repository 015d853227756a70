//! The engine that plays: iterative deepening over the tree.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::control::{Control, Iteration, Stopper};
use super::margins::ASPIRATION_DEPTH;
use super::memory::Memory;
use super::minimax::moves_of_width;
use super::mtdf;
use super::settings::{Driver, Limits, SearchSettings};
use super::transposition::Bound;
use super::tree::{FIRST_LOOK, Node, Shared, Tree};
use super::turn::{UNREACHED, Window};
use super::variation::RootLine;
use super::{SearchResult, WIN, mate_distance, score_without_moves, threads};
use crate::eval::{Evaluator, MAX_EVAL, Score};
use crate::game::SearchHints;

/// A searcher and its memory: table, killers and history, kept from one move of a game to the next.
///
/// On one thread the same calls in the same order give the same results, unless a clock or a signal stops them: no chance is
/// involved. Of root moves of equal value the one that was tried first is taken.
///
/// Among positions that the path could have repeated, a table can bring in a value found on another path; values that rest on
/// an end by history are therefore never stored.
#[derive(Debug, Clone)]
pub struct AlphaBeta<G: SearchHints> {
    memory: Memory<G>,
    planned: Option<Planned<G::Move>>,
}

/// What a search decided of its turn beyond the first move.
#[derive(Debug, Clone)]
struct Planned<M> {
    /// The position before the next move.
    key: u64,
    /// What the search found, as that position sees it.
    rest: SearchResult<M>,
}

impl<G: SearchHints> AlphaBeta<G> {
    /// A searcher that knows nothing yet.
    pub fn new(settings: SearchSettings) -> Self {
        Self { memory: Memory::new(settings), planned: None }
    }

    /// The settings that it was made with.
    pub const fn settings(&self) -> &SearchSettings {
        &self.memory.settings
    }

    /// Forgets all earlier searches, for a new game.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.planned = None;
    }

    /// Searches `position` depth by depth until a limit is reached or the outcome is forced within the depth.
    ///
    /// Of an iteration that a limit breaks off, only [`SearchSettings::partial_iterations`] makes use, unless it is the first.
    /// `position` is as before when this returns.
    pub fn search(
        &mut self,
        position: &mut G,
        evaluator: &mut dyn Evaluator<G>,
        limits: Limits,
    ) -> SearchResult<G::Move> {
        let (stopper, report) = (Stopper::new(), &mut |_: Iteration<'_, G::Move>| ());
        let mut control = Control { stopper: &stopper, excluded: &[], lines: 1, report };
        self.of_turn(position, limits, &mut control, |memory, position, control| {
            Tree::new(position, evaluator, memory, &Shared::default()).deepen(limits, control)
        })
    }

    /// As [`AlphaBeta::search`], steered by `control`, on as many threads as there are `evaluators`, at least one. On
    /// several threads, which share the table and nothing else (lazy SMP), the result depends on chance.
    ///
    /// # Panics
    /// When there is no evaluator.
    pub fn search_with(
        &mut self,
        position: &mut G,
        evaluators: &mut [Box<dyn Evaluator<G>>],
        limits: Limits,
        control: &mut Control<'_, G::Move>,
    ) -> SearchResult<G::Move> {
        self.of_turn(position, limits, control, |memory, position, control| {
            threads::search(memory, position, evaluators, limits, control)
        })
    }

    /// What `search` finds with nothing left out or seen less deep than the rest.
    pub(crate) fn in_full<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> T {
        let usual = self.memory.settings;
        self.memory.settings = usual.unpruned();
        let found = search(self);
        self.memory.settings = usual;
        found
    }

    /// What the last search planned for this position of its turn; else what `search` finds, and what it plans for the rest of the turn.
    fn of_turn(
        &mut self,
        position: &mut G,
        limits: Limits,
        control: &mut Control<'_, G::Move>,
        search: impl FnOnce(&mut Memory<G>, &mut G, &mut Control<'_, G::Move>) -> SearchResult<G::Move>,
    ) -> SearchResult<G::Move> {
        let of_whole_turn = self.memory.settings.whole_turns && control.is_plain();
        let is_whole = |control: &Control<'_, G::Move>| {
            let is_limited = limits.nodes().is_some() || limits.movetime().is_some() || control.stopper.has_clock();
            of_whole_turn && is_limited
        };
        let planned = self.planned.take().filter(|planned| is_whole(control) && planned.key == position.key());
        let found = match planned {
            Some(Planned { rest, .. }) => {
                control.repeat(&rest);
                rest
            }
            None => {
                self.prepare();
                self.memory.trusts_earlier = is_whole(control) && !G::POSITIONS_RECUR;
                search(&mut self.memory, position, control)
            }
        };
        // The clock of a search on the opponent's time may have begun meanwhile.
        self.planned = if is_whole(control) { plan(position, &found) } else { None };
        found
    }

    /// The exact value of every move for the side to move, `depth` plies deep with the move itself counted (at least one), in
    /// the order of generation: all legal moves, or with a [`SearchSettings::width`] the candidates.
    pub fn rate_moves(
        &mut self,
        position: &mut G,
        evaluator: &mut dyn Evaluator<G>,
        depth: u32,
    ) -> Vec<(G::Move, Score)> {
        let depth = depth.max(1);
        let moves = moves_of_width(position, self.memory.settings.width);
        self.prepare();
        let shared = Shared::default();
        let mut tree = Tree::new(position, evaluator, &mut self.memory, &shared);
        tree.root_depth = depth;
        let rate = |mv| {
            let score = tree.after(mv, Window::FULL, |tree, window| {
                let in_check = tree.position.in_check();
                tree.value(Node { depth: depth - 1, ply: 1, previous: Some(mv), in_check, no_pass: false }, window)
            });
            Some((mv, score?))
        };
        moves.into_iter().filter_map(rate).collect()
    }

    fn prepare(&mut self) {
        if let Some(table) = &self.memory.table {
            table.next_generation();
        }
        self.memory.prepare();
    }
}

/// What `found` says of the position after its best move, if the turn goes on there.
fn plan<G: SearchHints>(position: &mut G, found: &SearchResult<G::Move>) -> Option<Planned<G::Move>> {
    let (&first, pv) = found.pv.split_first()?;
    let (&next, mover) = (pv.first()?, position.side_to_move());
    position.play(first);
    let (goes_on, key) = (position.side_to_move() == mover, position.key());
    position.undo();
    // A forced end is a ply nearer there.
    let nearer = if mate_distance(found.score).is_some() { found.score.signum() } else { 0 };
    let depth = found.depth.saturating_sub(1);
    let rest = SearchResult {
        best: Some(next),
        score: found.score + nearer,
        depth,
        nodes: 0,
        null_windows: 0,
        pv: pv.to_vec(),
    };
    goes_on.then_some(Planned { key, rest })
}

/// Whether searching deeper than `depth` cannot change `score`: a forced end within the part of the tree that was searched in
/// full. A `selective` search may have left out the shortest way to it, and gets some more plies to see that.
const fn is_settled(score: Score, depth: u32, selective: bool) -> bool {
    match mate_distance(score) {
        Some(plies) if selective && plies.unsigned_abs() > 2 => plies.unsigned_abs() + 4 <= depth,
        Some(plies) => plies.unsigned_abs() <= depth,
        None => false,
    }
}

impl<'a, G: SearchHints> Tree<'a, G> {
    /// Searches depth by depth until a limit is reached, something stops it, or the outcome is settled.
    pub fn deepen<'c: 'a>(&mut self, limits: Limits, control: &mut Control<'c, G::Move>) -> SearchResult<G::Move> {
        let started = Instant::now();
        self.stopper = Some(control.stopper);
        if let Some(time) = limits.movetime() {
            control.stopper.allow_at_most(time);
        }
        self.wide_root = !control.excluded.is_empty();
        if let Some(result) = self.forced_win(started, control) {
            return result;
        }
        let mut result = SearchResult { best: None, score: 0, depth: 0, nodes: 0, null_windows: 0, pv: Vec::new() };
        // The first iteration finds a move: nodes do not limit it, and nothing else does at once.
        self.patience = FIRST_LOOK;
        for depth in 1..=limits.depth() {
            if depth > 1 {
                self.node_limit = limits.nodes().unwrap_or(u64::MAX);
                self.patience = 0;
                if control.stopper.is_spent() {
                    break;
                }
            }
            self.root_best = None;
            let Some(lines) = self.iterate(depth, &result, control) else {
                if let Some(line) = self.broken_off(depth, &result, control) {
                    self.report(depth, std::slice::from_ref(&line), started, control);
                    result = SearchResult { score: line.score, pv: line.pv, ..result };
                }
                break;
            };
            self.report(depth, &lines, started, control);
            let Some(best) = lines.into_iter().next() else { break };
            result = SearchResult { score: best.score, depth, pv: best.pv, ..result };
            if control.lines == 1 && is_settled(result.score, depth, self.settings.is_selective()) {
                break;
            }
        }
        result.null_windows = self.null_windows;
        result.nodes = self.nodes + self.shared.helper_nodes.load(Relaxed);
        result.best = result.pv.first().copied();
        if result.best.is_none() {
            (result.score, result.depth) = (score_without_moves(&*self.position, 0), 0);
        }
        result
    }

    /// The line to play of an iteration of `depth` that was broken off, if it is not that of the iteration before, the `last` one.
    fn broken_off(
        &mut self,
        depth: u32,
        last: &SearchResult<G::Move>,
        control: &Control<'_, G::Move>,
    ) -> Option<RootLine<G::Move>> {
        let found = self.root_best.take();
        let RootLine { score, pv } = if last.pv.is_empty() {
            // A move that loses is no better than one that nothing is known of.
            found.filter(|line| line.score >= -MAX_EVAL).or_else(|| self.unsearched(control.excluded))
        } else {
            found.filter(|line| self.replaces(last, line, control.lines))
        }?;
        Some(RootLine { score, pv: self.carried_on(pv, depth) })
    }

    /// Whether `line`, of an iteration that was broken off, is to be played instead of the `last` one's: where it says what a whole
    /// iteration would, and does not give up a win that was found. A null window far below the value, as MTD(f) may begin with, lets any
    /// move pass.
    fn replaces(&self, last: &SearchResult<G::Move>, line: &RootLine<G::Move>, lines: usize) -> bool {
        let gives_up_a_win = last.score > MAX_EVAL && line.score <= MAX_EVAL;
        lines <= 1 && self.settings.driver == Driver::AlphaBeta && !gives_up_a_win
    }

    /// The game's own first choice of the moves that are not `excluded`, at the static value: for want of time.
    fn unsearched(&mut self, excluded: &[G::Move]) -> Option<RootLine<G::Move>> {
        let mv = [G::SEARCH_WIDTH, 0]
            .into_iter()
            .flat_map(|width| moves_of_width(&*self.position, width))
            .find(|mv| !excluded.contains(mv))?;
        Some(RootLine { score: self.static_value(), pv: vec![mv] })
    }

    /// The win that the game's own solver proves, if it is asked and finds one. Its positions are not counted as nodes.
    fn forced_win(&self, started: Instant, control: &mut Control<'_, G::Move>) -> Option<SearchResult<G::Move>> {
        let nodes = self.settings.forced_win_nodes;
        if nodes == 0 || !control.is_plain() || control.stopper.is_spent() {
            return None;
        }
        let go_on = &mut || !control.stopper.is_spent();
        let pv = self.position.forced_win(nodes, go_on).filter(|line| !line.is_empty())?;
        let (score, depth) = (WIN - pv.len() as Score, pv.len() as u32);
        let line = RootLine { score, pv };
        self.report(depth, std::slice::from_ref(&line), started, control);
        let best = line.pv.first().copied();
        Some(SearchResult { best, score, depth, nodes: 0, null_windows: 0, pv: line.pv })
    }

    /// The best lines of one depth, best first: each the best of the moves that the earlier ones do not begin with. `last` is what the
    /// depth before found.
    fn iterate(
        &mut self,
        depth: u32,
        last: &SearchResult<G::Move>,
        control: &Control<'_, G::Move>,
    ) -> Option<Vec<RootLine<G::Move>>> {
        let mut lines = Vec::new();
        self.excluded = control.excluded.to_vec();
        for _ in 0..control.lines.max(1) {
            let (score, pv) = self.root_line(depth, last)?;
            let Some(&first) = pv.first() else { break };
            lines.push(RootLine { score, pv });
            self.excluded.push(first);
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        Some(lines)
    }

    /// The root's value and principal variation at `depth`; `last` is what the depth before found.
    fn root_line(&mut self, depth: u32, last: &SearchResult<G::Move>) -> Option<(Score, Vec<G::Move>)> {
        if self.settings.driver != Driver::AlphaBeta {
            return mtdf::root_line(self, depth, last.score);
        }
        let score = self.aspire(depth, last)?;
        Some((score, self.principal_variation(depth)))
    }

    /// The root's exact value, by windows around the `last` one that widen until the value lies within.
    fn aspire(&mut self, depth: u32, last: &SearchResult<G::Move>) -> Option<Score> {
        let mut width = self.settings.margins.first_window(self.scale);
        let mut window = Window::FULL;
        if self.settings.aspiration && depth >= ASPIRATION_DEPTH && mate_distance(last.score).is_none() {
            window = Window { alpha: last.score - width, beta: last.score + width };
        }
        loop {
            let best_before = self.root_best.as_ref().map_or(&last.pv, |line| &line.pv);
            self.awaited = best_before.first().copied();
            let score = self.root_value(depth, window)?;
            match Bound::of(score, window) {
                Bound::Exact => return Some(score),
                _ if window == Window::FULL => return Some(score),
                Bound::Lower => window.beta = score.saturating_add(width).min(UNREACHED),
                Bound::Upper => window.alpha = score.saturating_sub(width).max(-UNREACHED),
            }
            width = width.saturating_mul(4);
            if width > MAX_EVAL || mate_distance(score).is_some() {
                window = Window::FULL;
            }
        }
    }

    fn report(&self, depth: u32, lines: &[RootLine<G::Move>], started: Instant, control: &mut Control<'_, G::Move>) {
        let hashfull = self.memory.table.as_ref().map_or(0, |table| table.permille_current());
        let nodes = self.nodes + self.shared.helper_nodes.load(Relaxed);
        for (index, RootLine { score, pv }) in lines.iter().enumerate() {
            (control.report)(Iteration {
                depth,
                // What the transposition table knows to this depth is not followed again.
                seldepth: self.seldepth.max(depth),
                line: index + 1,
                score: *score,
                nodes,
                null_windows: self.null_windows,
                elapsed: started.elapsed(),
                hashfull,
                pv,
            });
        }
    }

    /// The line found at the root, carried on.
    pub fn principal_variation(&mut self, depth: u32) -> Vec<G::Move> {
        let line = self.memory.variations.root().to_vec();
        self.carried_on(line, depth)
    }

    /// `line`, carried on from the table where a stored exact value cut it short of `depth`.
    fn carried_on(&mut self, mut line: Vec<G::Move>, depth: u32) -> Vec<G::Move> {
        for &mv in &line {
            self.position.play(mv);
        }
        while !line.is_empty() && line.len() < depth as usize {
            let Some(mv) = self.stored_exact_move() else { break };
            self.position.play(mv);
            line.push(mv);
        }
        for _ in &line {
            self.position.undo();
        }
        line
    }

    /// The best move of the current position if the table has an exact value of it and the game goes on here.
    fn stored_exact_move(&self) -> Option<G::Move> {
        let entry = self.memory.table.as_ref()?.get(self.position.key())?;
        if entry.bound != Bound::Exact || self.position.end_by_history().is_some() {
            return None;
        }
        self.position.move_in_slot(usize::from(entry.best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::connect6::StaticEvaluator;
    use crate::game::Game;
    use crate::games::connect6::{Connect6, Point};

    /// The smallest board after `plies` moves.
    fn board(plies: usize) -> Connect6 {
        let mut position = Connect6::of_size(6).unwrap();
        (0..plies).for_each(|_| position.play(position.moves()[0]));
        position
    }

    /// Looks at a search of `position` to `depth`, for so many lines and without the moves that are `excluded`.
    fn deepened(
        (settings, mut position): (SearchSettings, Connect6),
        (depth, lines, excluded): (u32, usize, &[Point]),
        look: impl FnOnce(&mut Tree<'_, Connect6>, SearchResult<Point>),
    ) {
        let (mut memory, mut evaluator) = (Memory::new(settings), StaticEvaluator::default());
        let (shared, stopper) = (Shared::default(), Stopper::new());
        memory.prepare();
        let mut control = Control { stopper: &stopper, excluded, lines, report: &mut |_| () };
        let mut tree = Tree::new(&mut position, &mut evaluator, &mut memory, &shared);
        let found = tree.deepen(Limits::to_depth(depth).unwrap(), &mut control);
        look(&mut tree, found);
    }

    #[test]
    fn a_line_is_carried_on_as_far_as_the_table_knows_it() {
        let settings = SearchSettings { transposition_mb: 1, ..SearchSettings::exact() };
        deepened((settings, board(0)), (3, 1, &[]), |tree, found| {
            let first = found.pv[..1].to_vec();
            assert_eq!(found.pv.len(), 3);
            assert_eq!(tree.carried_on(first.clone(), 2), found.pv[..2]);
            assert_eq!(tree.carried_on(first, 3), found.pv);
        });
    }

    #[test]
    fn what_is_found_is_what_was_said_last_even_where_an_iteration_was_broken_off() {
        let mut has_changed = false;
        for nodes in (40..2000).step_by(40) {
            let settings = SearchSettings { partial_iterations: true, transposition_mb: 1, ..SearchSettings::exact() };
            let (stopper, mut said) = (Stopper::new(), Vec::new());
            let mut report = |iteration: Iteration<'_, Point>| {
                said.push((iteration.depth, iteration.score, iteration.pv.to_vec()));
            };
            let mut control = Control { stopper: &stopper, excluded: &[], lines: 1, report: &mut report };
            let limits = Limits::to_depth(9).and_then(|limits| limits.and_nodes(nodes)).unwrap();
            let mut evaluators: [Box<dyn Evaluator<Connect6>>; 1] = [Box::new(StaticEvaluator::default())];
            let found = AlphaBeta::new(settings).search_with(&mut board(3), &mut evaluators, limits, &mut control);
            let (depth, score, pv) = said.pop().unwrap();
            assert_eq!((found.score, found.best, found.pv), (score, pv.first().copied(), pv), "{nodes}");
            has_changed |= depth > found.depth && said.pop().is_some_and(|(_, before, _)| before != score);
        }
        assert!(has_changed, "no iteration that was broken off changed the score");
    }

    #[test]
    fn a_win_that_was_found_is_given_up_for_nothing_less() {
        let settings = SearchSettings { transposition_mb: 0, ..SearchSettings::exact() };
        let (mut memory, mut position) = (Memory::new(settings), Connect6::of_size(6).unwrap());
        let (mut evaluator, shared) = (StaticEvaluator::default(), Shared::default());
        let pv = moves_of_width(&position, 0)[..1].to_vec();
        let tree = Tree::new(&mut position, &mut evaluator, &mut memory, &shared);
        let replaces = |before: Score, now: Score, lines: usize| {
            let [last, pv] = [pv.clone(), pv.clone()];
            let last = SearchResult { best: None, score: before, depth: 3, nodes: 0, null_windows: 0, pv: last };
            tree.replaces(&last, &RootLine { score: now, pv }, lines)
        };
        assert!(!replaces(WIN - 3, 9, 1) && replaces(WIN - 3, WIN - 5, 1));
        assert!(replaces(9, -9, 1) && !replaces(9, 11, 2));
    }

    #[test]
    fn a_forced_end_is_settled_within_the_depth_or_some_plies_more_of_a_selective_search() {
        let settled = [(WIN - 3, 3), (WIN - 3, 2), (4 - WIN, 4), (4 - WIN, 3), (MAX_EVAL, 64)];
        assert_eq!(settled.map(|(score, depth)| is_settled(score, depth, false)), [true, false, true, false, false]);
        let selective = [(WIN - 2, 2), (WIN - 2, 1), (WIN - 3, 7), (WIN - 3, 6), (4 - WIN, 8)];
        assert_eq!(selective.map(|(score, depth)| is_settled(score, depth, true)), [true, false, true, false, true]);
    }

    #[test]
    fn the_rest_of_a_turn_is_a_ply_nearer_to_a_forced_end() {
        let mut position = Connect6::of_size(6).unwrap();
        position.play(position.moves()[0]);
        let pv = position.moves()[..3].to_vec();
        let found = |score, pv: &[Point]| SearchResult {
            best: pv.first().copied(),
            score,
            depth: 4,
            nodes: 9,
            null_windows: 0,
            pv: pv.to_vec(),
        };
        for (score, nearer) in [(WIN - 4, WIN - 3), (4 - WIN, 3 - WIN), (40, 40)] {
            let Planned { key, rest } = plan(&mut position, &found(score, &pv)).unwrap();
            assert_eq!((rest.score, rest.depth, rest.nodes, &rest.pv[..]), (nearer, 3, 0, &pv[1..]));
            let mut after = position.clone();
            after.play(pv[0]);
            assert_eq!((key, rest.best), (after.key(), Some(pv[1])));
            assert!(plan(&mut after, &rest).is_none(), "the turn ends with the second stone");
        }
        assert!(plan(&mut position, &found(40, &pv[..1])).is_none(), "nothing was planned");
    }

    #[test]
    fn a_turn_is_planned_if_the_clock_begins_during_the_search() {
        const LONG: std::time::Duration = std::time::Duration::from_secs(3600);
        let settings = SearchSettings { whole_turns: true, transposition_mb: 1, ..SearchSettings::exact() };
        for (begins, planned) in [(true, true), (false, false)] {
            let (mut search, stopper) = (AlphaBeta::new(settings), Stopper::new());
            let mut evaluators: [Box<dyn Evaluator<Connect6>>; 1] = [Box::new(StaticEvaluator::default())];
            let mut report = |_: Iteration<'_, Point>| {
                if begins {
                    stopper.allow(LONG, LONG);
                }
            };
            let mut control = Control { stopper: &stopper, excluded: &[], lines: 1, report: &mut report };
            search.search_with(&mut board(3), &mut evaluators, Limits::to_depth(3).unwrap(), &mut control);
            assert_eq!(search.planned.is_some(), planned);
        }
    }

    #[test]
    fn a_later_line_of_the_root_is_not_what_the_table_knows_of_it() {
        let settings = SearchSettings { transposition_mb: 1, ..SearchSettings::exact() };
        deepened((settings, board(1)), (2, 2, &[]), |tree, found| {
            let known = tree.memory.table.as_ref().and_then(|table| table.get(tree.position.key()));
            let best = Connect6::move_slot(found.best.unwrap());
            assert_eq!(known.map(|entry| usize::from(entry.best)), Some(best));
        });
    }

    #[test]
    fn a_root_of_which_moves_are_excluded_looks_beyond_its_width() {
        let settings = SearchSettings { width: 1, transposition_mb: 0, ..SearchSettings::exact() };
        let excluded = moves_of_width(&board(1), 1);
        deepened((settings, board(1)), (1, 1, &excluded), |_, found| {
            assert!(found.depth == 1 && found.best.is_some_and(|best| !excluded.contains(&best)));
        });
    }

    #[test]
    fn the_best_line_of_an_iteration_is_kept_where_one_that_is_broken_off_counts() {
        for (partial_iterations, depth, kept) in [(false, 1, true), (false, 2, false), (true, 2, true)] {
            let settings = SearchSettings { transposition_mb: 0, partial_iterations, ..SearchSettings::exact() };
            deepened((settings, board(0)), (depth, 1, &[]), |tree, found| {
                let line = tree.root_best.as_ref().map(|line| (line.score, &line.pv));
                assert_eq!(line, kept.then_some((found.score, &found.pv)), "{partial_iterations}, depth {depth}");
            });
        }
    }
}
