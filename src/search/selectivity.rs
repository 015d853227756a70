//! What a search leaves out or looks at less deep: nodes that a lead or a null move decides, late and hopeless moves.

use super::margins;
use super::mate_distance;
use super::ordering::HISTORY_LIMIT;
use super::picker::Kind;
use super::settings::SearchSettings;
use super::tree::{Node, Tree, Trial};
use super::turn::{Turn, Window};
use crate::eval::Score;
use crate::game::SearchHints;

impl<G: SearchHints> Tree<'_, G> {
    /// The static value, where it can lead to anything: not in check, not in the principal variation, not between mates nor between
    /// wins that the evaluator knows.
    pub(super) fn standing(&mut self, node: Node<G::Move>, window: Window) -> Option<Score> {
        let SearchSettings { null_move, futility, .. } = self.settings;
        let useful = (null_move && node.depth >= margins::NULL_MOVE_DEPTH)
            || (futility && node.depth <= margins::FUTILITY_DEPTH);
        let ordinary = window.alpha.abs() < self.known_win && window.beta.abs() < self.known_win;
        (useful && ordinary && !node.in_check && window.is_null() && node.ply > 0).then(|| self.static_value())
    }

    /// A cut-off by the static value alone or by a null move. `None`: stopped; `Some(None)`: no cut-off.
    pub(super) fn cutoff_without_moves(
        &mut self,
        node: Node<G::Move>,
        window: Window,
        standing: Option<Score>,
    ) -> Option<Option<Score>> {
        let Some(standing) = standing.filter(|&standing| standing >= window.beta) else { return Some(None) };
        let lead = standing - window.beta;
        if self.settings.futility
            && node.depth <= margins::FUTILITY_DEPTH
            && !node.no_pass // or a pass would be verified by the same static value
            && lead >= self.settings.margins.lead_that_cuts_off(self.scale, node.depth)
        {
            return Some(Some(standing));
        }
        if self.settings.null_move && !node.no_pass && node.depth >= margins::NULL_MOVE_DEPTH {
            return self.value_of_passing(node, window, lead);
        }
        Some(None)
    }

    /// Null move: if the opponent cannot bring the value below beta even with two moves in a row, neither will it with one.
    /// Where zugzwang threatens, that is verified by a search of the same shallow depth in which the turn is not passed.
    fn value_of_passing(&mut self, node: Node<G::Move>, window: Window, lead: Score) -> Option<Option<Score>> {
        let depth = node.depth.saturating_sub(self.settings.margins.null_move(self.scale, node.depth, lead));
        let prone = self.position.is_prone_to_zugzwang();
        if !self.position.pass() {
            return Some(None);
        }
        let child = Node { depth, ply: node.ply + 1, previous: None, in_check: false, no_pass: true };
        let score = self.value(child, Turn::Passed.window(window));
        self.position.undo();
        let score = Turn::Passed.value(score?);
        if score < window.beta {
            return Some(None);
        }
        // A mate that a pass seems to give is not proved.
        let score = if mate_distance(score).is_some() { window.beta } else { score };
        if !prone {
            return Some(Some(score));
        }
        let verified = self.value(Node { depth, no_pass: true, ..node }, window)?;
        Some((verified >= window.beta).then_some(verified))
    }

    /// Whether a quiet move need not be tried: too late, or too far below alpha.
    pub(super) fn is_futile(&self, node: Node<G::Move>, window: Window, standing: Option<Score>, number: u32) -> bool {
        if node.in_check || !window.is_null() || node.ply == 0 {
            return false;
        }
        let margins = self.settings.margins;
        let late = || margins.late_move_count(node.depth).is_some_and(|count| number >= count);
        let hopeless = |standing| standing + margins.lag_that_is_tried(self.scale, node.depth) <= window.alpha;
        (self.settings.late_move_pruning && late())
            || (self.settings.futility && node.depth <= margins::FUTILITY_DEPTH && standing.is_some_and(hopeless))
    }

    /// By how many plies a late move is searched less deep.
    pub(super) fn reduction(&self, node: Node<G::Move>, window: Window, trial: Trial<G::Move>, history: i32) -> u32 {
        let late = trial.number >= 2 + u32::from(!window.is_null()) + 2 * u32::from(node.ply == 0);
        if !self.settings.late_move_reductions || node.depth < margins::REDUCTION_DEPTH || !late {
            return 0;
        }
        match trial.kind {
            Kind::Hint | Kind::Noisy => 0,
            Kind::Losing => 1,
            Kind::Quiet => {
                let margins = self.settings.margins;
                let usual = margins.reduction(node.depth, trial.number + 1) as i32 + i32::from(window.is_null());
                (usual - margins.less_for_history(history, HISTORY_LIMIT)).max(0) as u32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Catalogue, MAX_EVAL};
    use crate::game::Notation;
    use crate::games::connect6::Point;
    use crate::games::xiangqi::Xiangqi;
    use crate::search::memory::Memory;
    use crate::search::tree::Shared;
    use crate::search::tree::tests::{NULL, POINTS, asked, node};

    #[test]
    fn a_lead_cuts_off_next_to_the_leaves_except_where_the_turn_was_passed() {
        asked(SearchSettings { futility: true, ..SearchSettings::exact() }, |tree| {
            let enough = 10 + tree.settings.margins.lead_that_cuts_off(tree.scale, 1);
            let mut cutoff = |depth, no_pass, standing| {
                tree.cutoff_without_moves(Node { no_pass, ..node(depth) }, NULL, Some(standing))
            };
            assert_eq!(cutoff(1, false, enough), Some(Some(enough)));
            assert_eq!(cutoff(1, false, enough - 1), Some(None));
            assert_eq!(cutoff(1, true, enough), Some(None));
            assert_eq!(cutoff(margins::FUTILITY_DEPTH + 1, false, MAX_EVAL), Some(None));
        });
    }

    #[test]
    fn the_static_value_is_asked_for_where_it_can_lead_to_something() {
        let stands = |(null_move, futility), node: Node<Point>, (alpha, beta)| {
            asked(SearchSettings { null_move, futility, ..SearchSettings::exact() }, |tree| {
                tree.standing(node, Window { alpha, beta }).is_some()
            })
        };
        let (deep, shallow, null) = (margins::NULL_MOVE_DEPTH, margins::FUTILITY_DEPTH, (9, 10));
        assert!(stands((true, false), node(deep), null) && !stands((true, false), node(deep - 1), null));
        assert!(stands((false, true), node(shallow), null) && !stands((false, true), node(shallow + 1), null));
        assert!(!stands((false, false), node(deep), null), "for nobody");
        assert!(!stands((true, true), Node { in_check: true, ..node(deep) }, null), "in check");
        assert!(!stands((true, true), Node { ply: 0, ..node(deep) }, null), "at the root");
        assert!(!stands((true, true), node(deep), (9, 11)), "in the principal variation");
        for between_mates in [(MAX_EVAL, MAX_EVAL + 1), (-MAX_EVAL - 1, -MAX_EVAL)] {
            assert!(!stands((true, true), node(deep), between_mates), "{between_mates:?}");
        }
    }

    #[test]
    fn a_static_value_says_nothing_of_moves_between_known_wins() {
        let stands = |known_win, alpha| {
            asked(SearchSettings { futility: true, ..SearchSettings::exact() }, |tree| {
                tree.known_win = known_win;
                tree.standing(node(2), Window { alpha, beta: alpha + 1 }).is_some()
            })
        };
        assert_eq!([998, 999, -999, -1000].map(|alpha| stands(1000, alpha)), [true, false, true, false]);
        assert!(stands(MAX_EVAL, 1000));
    }

    /// Red's horse is pinned and attacked by the rook. A pawn protects it, so that Black to move wins nothing within two plies; but
    /// whatever Red moves, the horse is lost where the search ends.
    #[test]
    fn a_pass_is_verified_by_moves_where_zugzwang_threatens() {
        let settings = SearchSettings { transposition_mb: 0, null_move: true, ..SearchSettings::exact() };
        let (mut memory, shared) = (Memory::new(settings), Shared::default());
        memory.prepare();
        let mut position = Xiangqi::from_notation("3k5/4r4/9/9/4NP3/9/9/9/9/4K4 w").unwrap();
        let mut evaluator = Xiangqi::evaluator_factory("traditional:material").unwrap()();
        let mut tree = Tree::new(&mut position, &mut *evaluator, &mut memory, &shared);
        let [pawn, horse, rook] = [20, 270, 600];
        assert_eq!(tree.static_value(), pawn + horse - rook);
        let mut cuts_off = |beta| {
            // Verified two plies deep, as four are saved.
            let node = Node { depth: 6, ply: 1, previous: None, in_check: false, no_pass: false };
            tree.value_of_passing(node, Window { alpha: beta - 1, beta }, 0).map(|score| score.is_some())
        };
        assert_eq!(cuts_off(pawn + horse - rook), Some(false));
        assert_eq!(cuts_off(pawn - rook), Some(true));
    }

    #[test]
    fn quiet_moves_are_left_out_if_late_or_hopeless() {
        let margins = SearchSettings::default().margins;
        let count = margins.late_move_count(2).unwrap();
        let late = |node, window, number| {
            asked(SearchSettings { late_move_pruning: true, ..SearchSettings::exact() }, |tree| {
                tree.is_futile(node, window, Some(-MAX_EVAL), number)
            })
        };
        assert_eq!([count - 1, count].map(|number| late(node(2), NULL, number)), [false, true]);
        assert!(!late(Node { in_check: true, ..node(2) }, NULL, count));
        assert!(!late(Node { ply: 0, ..node(2) }, NULL, count));
        assert!(!late(node(2), Window { alpha: 9, beta: 11 }, count), "in the principal variation");
        let hopeless = |depth, above: Option<Score>| {
            asked(SearchSettings { futility: true, ..SearchSettings::exact() }, |tree| {
                let least = NULL.alpha - margins.lag_that_is_tried(tree.scale, 2);
                tree.is_futile(node(depth), NULL, above.map(|above| least + above), 99)
            })
        };
        assert_eq!([Some(0), Some(1), None].map(|above| hopeless(2, above)), [true, false, false]);
        let shallow = margins::FUTILITY_DEPTH;
        assert_eq!([shallow, shallow + 1].map(|depth| hopeless(depth, Some(-MAX_EVAL))), [true, false]);
    }

    #[test]
    fn late_moves_are_searched_less_deep() {
        let reduction = |node, window, (kind, number), history| {
            asked(SearchSettings { late_move_reductions: true, ..SearchSettings::exact() }, |tree| {
                tree.reduction(node, window, Trial { mv: POINTS[0], kind, number }, history)
            })
        };
        let (losing, wide) = (Kind::Losing, Window { alpha: 9, beta: 11 });
        let first_late =
            |node: Node<Point>, window| (0..9).find(|&number| reduction(node, window, (losing, number), 0) > 0);
        assert_eq!([first_late(node(3), NULL), first_late(node(3), wide)], [Some(2), Some(3)]);
        assert_eq!(first_late(Node { ply: 0, ..node(3) }, wide), Some(5));
        assert_eq!(first_late(node(margins::REDUCTION_DEPTH - 1), NULL), None);
        let of_kind = |kind| reduction(node(8), wide, (kind, 7), 0);
        assert_eq!([Kind::Hint, Kind::Noisy, Kind::Losing, Kind::Quiet].map(of_kind), [0, 0, 1, 2]);
        // A ply more with a null window; the best and the worst history change it by three plies.
        let quiet = |window, history| reduction(node(8), window, (Kind::Quiet, 7), history);
        assert_eq!([0, HISTORY_LIMIT, -HISTORY_LIMIT].map(|history| quiet(NULL, history)), [3, 0, 6]);
        assert_eq!(quiet(wide, HISTORY_LIMIT), 0, "never deeper than others");
    }
}
