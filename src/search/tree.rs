//! The nodes of the tree: fail-soft negamax over a window.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::control::Stopper;
use super::end_score;
use super::margins::{self, Scale};
use super::memory::{MAX_PLIES, Memory};
use super::ordering::Context;
use super::picker::{Kind, Picker, Scope};
use super::score_without_moves;
use super::settings::SearchSettings;
use super::transposition::{Bound, TableEntry, to_node};
use super::turn::{Turn, UNREACHED, Window};
use super::variation::RootLine;
use crate::eval::{Evaluator, MAX_EVAL, Score};
use crate::game::SearchHints;

/// Between two looks at the clock: nodes.
const LOOK: u64 = 1024;

/// Before the first look at the clock in the first iteration: nodes. In ordinary positions it is over before.
pub(super) const FIRST_LOOK: u64 = 8 * LOOK;

/// What the threads of one search share beside the table.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Set when the thread that decides has finished.
    pub over: AtomicBool,
    /// Positions visited by the helping threads.
    pub helper_nodes: AtomicU64,
}

/// A node of the tree, as its parent describes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<M> {
    /// Plies still to search below.
    pub depth: u32,
    /// Plies from the root.
    pub ply: u32,
    /// The move that led here; `None` at the root and after a pass.
    pub previous: Option<M>,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Whether the turn was passed just before, or a pass is being verified: then it is not passed (again).
    pub no_pass: bool,
}

impl<M: Copy> Node<M> {
    const fn context(&self) -> Context<M> {
        Context { ply: self.ply, previous: self.previous }
    }
}

/// A move as it is tried at a node.
#[derive(Clone, Copy)]
pub(super) struct Trial<M> {
    pub mv: M,
    pub kind: Kind,
    /// How many moves were tried before it.
    pub number: u32,
}

/// The best of a node's moves, and its value. No move: the game is over there.
struct Best<M> {
    score: Score,
    mv: Option<M>,
    /// Whether the score comes from a repetition on this path.
    cyclic: bool,
}

/// One search at work. Its methods give `None` when something stopped it.
pub(super) struct Tree<'a, G: SearchHints> {
    pub position: &'a mut G,
    pub evaluator: &'a mut dyn Evaluator<G>,
    pub settings: SearchSettings,
    pub memory: &'a mut Memory<G>,
    /// What margins are measured in.
    pub scale: Scale,
    /// From where on values stand for a win that the evaluator knows, or a mate.
    pub known_win: Score,
    /// Positions visited so far by this thread.
    pub nodes: u64,
    /// Searches of a null window at the root so far.
    pub null_windows: u32,
    /// The search stops when it would visit more.
    pub node_limit: u64,
    /// Quiescence of the running leaf goes no deeper once so many are visited.
    pub leaf_end: u64,
    /// The depth of the running iteration: extensions do not more than double it.
    pub root_depth: u32,
    /// The most plies from the root that any line was followed.
    pub seldepth: u32,
    /// How many ends by the rules of the past were met: values that rest on one hold for this path only.
    pub history_ends: u64,
    /// The best line of the running iteration so far, where one that is broken off counts: the first always does.
    pub root_best: Option<RootLine<G::Move>>,
    /// The move that was best before the window that is searched, until it was tried again there: no line counts before.
    pub awaited: Option<G::Move>,
    /// Whether the value returned last comes from a repetition within the tree.
    pub cyclic: bool,
    /// Moves at the root that are not considered.
    pub excluded: Vec<G::Move>,
    /// Whether the root looks at all its moves whatever the width: somebody chose among them.
    pub wide_root: bool,
    /// Ends the search early.
    pub stopper: Option<&'a Stopper>,
    /// Nothing but its limit of nodes ends the search before it has visited so many, as a move must be found first.
    pub patience: u64,
    /// What this thread shares with others.
    pub shared: &'a Shared,
    /// Whether this thread only helps another: then it ends with it.
    pub helping: bool,
}

impl<'a, G: SearchHints> Tree<'a, G> {
    /// A search of `position` that has not begun.
    pub fn new(
        position: &'a mut G,
        evaluator: &'a mut dyn Evaluator<G>,
        memory: &'a mut Memory<G>,
        shared: &'a Shared,
    ) -> Self {
        let (scale, known_win) = (Scale::of(evaluator), evaluator.known_win());
        Tree {
            position,
            evaluator,
            settings: memory.settings,
            memory,
            scale,
            known_win,
            nodes: 0,
            null_windows: 0,
            node_limit: u64::MAX,
            leaf_end: u64::MAX,
            root_depth: 0,
            seldepth: 0,
            history_ends: 0,
            root_best: None,
            awaited: None,
            cyclic: false,
            excluded: Vec::new(),
            wide_root: false,
            stopper: None,
            patience: 0,
            shared,
            helping: false,
        }
    }
}

impl<G: SearchHints> Tree<'_, G> {
    /// The value of the root for its side to move, `depth` plies deep: exact within `window`, a bound outside of it.
    pub(crate) fn root_value(&mut self, depth: u32, window: Window) -> Option<Score> {
        self.root_depth = depth;
        self.seldepth = 0;
        self.memory.stack.truncate(0);
        let in_check = self.position.in_check();
        self.value(Node { depth, ply: 0, previous: None, in_check, no_pass: true }, window)
    }

    /// The value of the current position for its side to move: exact within `window`, a bound outside of it.
    pub fn value(&mut self, node: Node<G::Move>, mut window: Window) -> Option<Score> {
        self.memory.variations.clear(node.ply);
        self.visit(node.ply)?;
        self.cyclic = false;
        if node.ply > 0 {
            if let Some(score) = self.ended_by_history(node.ply) {
                return Some(score);
            }
            if self.settings.mate_distance {
                window = window.within_reach(node.ply);
                if window.alpha >= window.beta {
                    return Some(window.alpha);
                }
            }
        }
        if node.depth == 0 || node.ply >= MAX_PLIES {
            return self.leaf_value(node.ply, node.in_check, window);
        }
        let key = self.position.key();
        let known = self.memory.table.as_ref().and_then(|table| table.get(key));
        match known.and_then(|entry| self.cutoff(entry, node, window)) {
            Some(score) => Some(score),
            None => self.expand(key, node, window, known),
        }
    }

    /// Counts a node.
    #[inline]
    pub fn visit(&mut self, ply: u32) -> Option<()> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        let stopped = self.nodes.is_multiple_of(LOOK) && self.nodes >= self.patience && self.is_stopped();
        (self.nodes <= self.node_limit && !stopped).then_some(())
    }

    fn is_stopped(&self) -> bool {
        if self.helping {
            self.shared.helper_nodes.fetch_add(LOOK, Relaxed);
        }
        // The helpers' positions count, too.
        let is_over = if self.helping {
            self.shared.over.load(Relaxed)
        } else {
            self.nodes.saturating_add(self.shared.helper_nodes.load(Relaxed)) > self.node_limit
        };
        is_over || self.stopper.is_some_and(Stopper::is_stopped)
    }

    /// The score of an end by repetition and the like, if there is one here.
    #[inline]
    pub(crate) fn ended_by_history(&mut self, ply: u32) -> Option<Score> {
        let end = match self.position.end_by_history() {
            Some(end) => {
                self.history_ends += 1;
                end
            }
            None if self.settings.cycles => {
                let end = self.position.cycle_end(ply as usize)?;
                self.cyclic = true;
                end
            }
            None => return None,
        };
        Some(end_score(end, self.position.side_to_move(), ply))
    }

    /// The score that the table settles this node with. Never at the root, which must give a move, and from an
    /// earlier search only where it is to be trusted: since then positions may have been repeated, and a line that was good may by now
    /// lose or draw.
    fn cutoff(&self, entry: TableEntry, node: Node<G::Move>, window: Window) -> Option<Score> {
        let deep_enough = entry.depth == node.depth || (self.settings.deeper_entries && entry.depth > node.depth);
        let is_valid = entry.current || self.memory.trusts_earlier;
        if node.ply > 0 && is_valid && deep_enough { entry.cutoff(node.ply, window) } else { None }
    }

    /// Searches the moves of this node and remembers what came of it.
    fn expand(&mut self, key: u64, node: Node<G::Move>, window: Window, known: Option<TableEntry>) -> Option<Score> {
        let history_ends = self.history_ends;
        let hint = known.and_then(|entry| self.hint(entry));
        let standing = self.standing(node, window);
        if let Some(score) = self.cutoff_without_moves(node, window, standing)? {
            return Some(score);
        }
        let reduced = self.settings.internal_reductions
            && known.is_none()
            && node.depth >= margins::INTERNAL_REDUCTION_DEPTH
            && node.ply > 0;
        let node = Node { depth: node.depth - u32::from(reduced), ..node };
        let best = self.best_move(node, window, (hint, standing))?;
        self.cyclic = best.cyclic;
        if let (Some(mv), Some(table)) = (best.mv, &self.memory.table)
            && history_ends == self.history_ends
            && !best.cyclic
            && (node.ply > 0 || self.excluded.is_empty())
        {
            let (score, bound) = (to_node(best.score, node.ply), Bound::of(best.score, window));
            // The move that was best before says more than the best of moves that were all refuted.
            let mv = if bound == Bound::Upper { hint.unwrap_or(mv) } else { mv };
            let best = G::move_slot(mv) as u16;
            table.put(key, TableEntry { score, depth: node.depth, bound, best, current: true });
        }
        Some(best.score)
    }

    fn hint(&self, entry: TableEntry) -> Option<G::Move> {
        if self.settings.table_move_first { self.position.move_in_slot(usize::from(entry.best)) } else { None }
    }

    /// What the evaluator says of the current position.
    pub fn static_value(&mut self) -> Score {
        self.memory.evaluations.evaluate(&*self.position, self.evaluator)
    }

    fn best_move(
        &mut self,
        node: Node<G::Move>,
        mut window: Window,
        (hint, standing): (Option<G::Move>, Option<Score>),
    ) -> Option<Best<G::Move>> {
        let start = self.memory.stack.len();
        let mut picker = Picker::new(&*self.memory, Scope::All, hint);
        let mut best = Best { score: -UNREACHED, mv: None, cyclic: false };
        let (mut number, mut legal) = (0, false);
        if node.ply == 0 && self.wide_root {
            picker.width = 0;
        }
        while let Some((mv, kind)) = picker.next(&*self.position, self.memory, node.context()) {
            legal = true;
            if node.ply == 0 && self.excluded.contains(&mv) {
                continue;
            }
            let prunable = kind == Kind::Quiet && best.score >= -MAX_EVAL;
            let pruned = prunable && self.is_futile(node, window, standing, number);
            let Some(score) = self.move_value(node, window, Trial { mv, kind, number }, pruned)? else { continue };
            number += 1;
            let raises = score > window.alpha;
            if raises {
                self.memory.variations.extend(node.ply, mv);
            }
            if score > best.score {
                best = Best { score, mv: Some(mv), cyclic: self.cyclic };
            }
            if node.ply == 0 {
                self.keep_root_line(mv, best.score, raises);
            }
            if score >= window.beta {
                self.reward(node, mv, &picker);
                break;
            }
            window = window.raised(score);
        }
        self.memory.stack.truncate(start);
        if !legal {
            best.score = score_without_moves(&*self.position, node.ply);
        }
        Some(best)
    }

    /// Keeps the best line of this window, of value `score`, once the move that was best before has been tried: it need not be the
    /// first, and until then what was tried may be worse. `mv` was tried last, and `raises` says whether it made that line.
    fn keep_root_line(&mut self, mv: G::Move, score: Score, raises: bool) {
        let was_awaited = self.awaited.take_if(|awaited| *awaited == mv).is_some();
        let counts = self.settings.partial_iterations || self.root_depth == 1;
        let pv = self.memory.variations.root();
        if counts && self.awaited.is_none() && (raises || was_awaited) && !pv.is_empty() {
            self.root_best = Some(RootLine { score, pv: pv.to_vec() });
        }
    }

    /// Remembers that `mv` cut off here, if it is a quiet move.
    fn reward(&mut self, node: Node<G::Move>, mv: G::Move, picker: &Picker<G>) {
        if self.position.noise_of(mv) == 0 {
            let Memory { ordering, stack, .. } = &mut *self.memory;
            let at = (node.depth, node.context());
            ordering.reward(self.position.side_to_move(), mv, picker.quiet_before_last(stack), at);
        }
    }

    /// The mover's value of `mv`. `Some(None)` if the move is `pruned`; checks never are.
    fn move_value(
        &mut self,
        node: Node<G::Move>,
        window: Window,
        trial: Trial<G::Move>,
        pruned: bool,
    ) -> Option<Option<Score>> {
        let mover = self.position.side_to_move();
        let history = self.memory.ordering.history_of(mover, trial.mv);
        self.position.play(trial.mv);
        if let Some(table) = &self.memory.table {
            table.prefetch(self.position.key());
        }
        let in_check = self.position.in_check();
        if pruned && !in_check {
            self.position.undo();
            return Some(None);
        }
        let turn = Turn::after(mover, &*self.position);
        let extended = self.settings.check_extensions && in_check && node.ply < 2 * self.root_depth;
        let depth = node.depth - 1 + u32::from(extended);
        let child = Node { depth, ply: node.ply + 1, previous: Some(trial.mv), in_check, no_pass: false };
        let reduction = if node.in_check || in_check { 0 } else { self.reduction(node, window, trial, history) };
        let score = self.child_value(child, window, turn, (trial.number, reduction.min(depth.saturating_sub(1))));
        self.position.undo();
        score.map(Some)
    }

    /// Principal variation search with late move reductions: less deep and with a null window first, then as it takes.
    fn child_value(
        &mut self,
        child: Node<G::Move>,
        window: Window,
        turn: Turn,
        (number, reduction): (u32, u32),
    ) -> Option<Score> {
        let narrow = if self.settings.principal_variation && number > 0 { window.null() } else { window };
        let mut search = |depth, window| Some(turn.value(self.value(Node { depth, ..child }, turn.window(window))?));
        if reduction > 0 {
            let score = search(child.depth - reduction, narrow)?;
            if score <= window.alpha {
                return Some(score);
            }
        }
        if narrow != window {
            let score = search(child.depth, narrow)?;
            if score <= window.alpha || score >= window.beta {
                return Some(score);
            }
        }
        search(child.depth, window)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::Catalogue;
    use crate::eval::connect6::StaticEvaluator;
    use crate::eval::xiangqi::TRADITIONAL;
    use crate::game::{Game, Notation};
    use crate::games::connect6::{Connect6, Point};
    use crate::games::xiangqi::Xiangqi;
    use crate::search::WIN;

    /// Red gives check at each of its moves, and the position comes back after four plies.
    #[test]
    fn what_was_repeated_within_the_tree_is_an_end_if_cycles_are() {
        for (cycles, ply, expected) in [(true, 4, Some(4 - WIN)), (true, 3, None), (false, 4, None)] {
            let mut position = Xiangqi::from_notation("3k5/R8/9/9/9/9/9/9/9/4K4 w").unwrap();
            for text in ["a8a9", "d9d8", "a9a8", "d8d9"] {
                position.play(position.parse_move(text).unwrap());
            }
            let settings = SearchSettings { transposition_mb: 0, cycles, ..SearchSettings::exact() };
            let (mut memory, shared) = (Memory::new(settings), Shared::default());
            let mut evaluator = Xiangqi::evaluator_factory(TRADITIONAL).unwrap()();
            let mut tree = Tree::new(&mut position, &mut *evaluator, &mut memory, &shared);
            assert_eq!(tree.ended_by_history(ply), expected, "cycles {cycles}, {ply} plies from the root");
        }
    }

    pub const POINTS: [Point; 3] = [Point::new(3), Point::new(40), Point::new(41)];

    /// What `ask` says of a tree over an empty board, with these settings and without a table.
    pub fn asked<T>(settings: SearchSettings, ask: impl FnOnce(&mut Tree<'_, Connect6>) -> T) -> T {
        let mut memory = Memory::new(SearchSettings { transposition_mb: 0, ..settings });
        memory.prepare();
        let (mut position, mut evaluator, shared) = (Connect6::start(), StaticEvaluator::default(), Shared::default());
        ask(&mut Tree::new(&mut position, &mut evaluator, &mut memory, &shared))
    }

    /// A null window.
    pub const NULL: Window = Window { alpha: 9, beta: 10 };

    /// A node so many plies before the leaves, next to the root.
    pub fn node(depth: u32) -> Node<Point> {
        Node { depth, ply: 1, previous: None, in_check: false, no_pass: false }
    }

    #[test]
    fn a_line_of_the_root_counts_once_the_move_awaited_was_tried() {
        let [awaited, other, _] = POINTS;
        // Depth, the move awaited, the move tried, whether it raises alpha, whether it has a line; whether the line is kept.
        let cases = [
            (false, 1, None, other, true, true, true),
            (false, 2, None, other, true, true, false),
            (true, 2, None, other, true, true, true),
            (true, 2, None, other, false, true, false),
            (true, 2, None, other, true, false, false),
            (true, 2, Some(awaited), other, true, true, false),
            (true, 2, Some(awaited), awaited, false, true, true),
            (false, 2, Some(awaited), awaited, false, true, false),
        ];
        for (number, (partial, depth, waits_for, tried, raises, has_line, is_kept)) in cases.into_iter().enumerate() {
            asked(SearchSettings { partial_iterations: partial, ..SearchSettings::exact() }, |tree| {
                (tree.root_depth, tree.awaited) = (depth, waits_for);
                if has_line {
                    tree.memory.variations.extend(0, other);
                }
                tree.keep_root_line(tried, 7, raises);
                let kept = tree.root_best.as_ref().map(|line| (line.score, line.pv.clone()));
                assert_eq!(kept, is_kept.then(|| (7, vec![other])), "case {number}");
                assert_eq!(tree.awaited, waits_for.filter(|&awaited| awaited != tried), "case {number}");
            });
        }
    }

    #[test]
    fn the_table_settles_what_was_searched_deep_enough_and_can_be_trusted() {
        let entry = |depth, current| TableEntry { score: 5, depth, bound: Bound::Exact, best: 0, current };
        let settles = |deeper_entries, entry, node, trusts| {
            asked(SearchSettings { deeper_entries, ..SearchSettings::exact() }, |tree| {
                tree.memory.trusts_earlier = trusts;
                tree.cutoff(entry, node, NULL) == Some(5)
            })
        };
        let depths =
            |deeper_entries| [2, 3, 4].map(|depth| settles(deeper_entries, entry(depth, true), node(3), false));
        assert_eq!([depths(false), depths(true)], [[false, true, false], [false, true, true]]);
        assert_eq!([false, true].map(|trusts| settles(false, entry(3, false), node(3), trusts)), [false, true]);
        assert!(!settles(false, entry(3, true), Node { ply: 0, ..node(3) }, true), "never at the root");
    }

    #[test]
    fn a_search_stops_beyond_its_limit_of_positions() {
        asked(SearchSettings::exact(), |tree| {
            tree.node_limit = 2;
            assert_eq!([1, 4, 3].map(|ply| tree.visit(ply)), [Some(()), Some(()), None]);
            assert_eq!((tree.nodes, tree.seldepth), (3, 4));
        });
        // Positions of helpers count where the clock is looked at.
        for (helpers, goes_on) in [(LOOK, Some(())), (LOOK + 1, None)] {
            asked(SearchSettings::exact(), |tree| {
                (tree.nodes, tree.node_limit) = (LOOK - 1, 2 * LOOK);
                tree.shared.helper_nodes.store(helpers, Relaxed);
                assert_eq!(tree.visit(0), goes_on, "{helpers}");
            });
        }
        // A helper counts its own, and ends with whom it helps.
        asked(SearchSettings::exact(), |tree| {
            (tree.nodes, tree.helping) = (LOOK - 1, true);
            assert_eq!((tree.visit(0), tree.shared.helper_nodes.load(Relaxed)), (Some(()), LOOK));
            tree.shared.over.store(true, Relaxed);
            assert_eq!(tree.visit(0), Some(()), "between two looks");
            tree.nodes = 2 * LOOK - 1;
            assert_eq!((tree.visit(0), tree.shared.helper_nodes.load(Relaxed)), (None, 2 * LOOK));
        });
    }
}
