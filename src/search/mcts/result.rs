//! What a search found, and the move that is played for it.

use rand::RngExt;

use super::choice::playable;
use super::draws::power;
use super::store::{Edge, ROOT};
use super::{Mcts, Proof, Selection, gumbel};
use crate::game::SearchHints;
use crate::random::Stream;

/// Temperatures below this take the best move.
pub(super) const COLD: f64 = 1e-3;

impl<G: SearchHints> Mcts<G> {
    /// The root's moves with their finished visits, in the order of [`legal_moves`](crate::game::Game::legal_moves); none before the root was looked at.
    pub fn visits(&self) -> impl Iterator<Item = (G::Move, u32)> + '_ {
        self.root_moves().map(|(mv, edge)| (mv, edge.visits))
    }

    /// The root's moves with their values for the side to move, in [-1, 1], as far as they were tried.
    pub fn values(&self) -> impl Iterator<Item = (G::Move, Option<f64>)> + '_ {
        self.root_moves().map(|(mv, edge)| (mv, edge.mean(0.0)))
    }

    /// The root's moves with their priors, without noise: they sum to 1.
    pub fn priors(&self) -> impl Iterator<Item = (G::Move, f32)> + '_ {
        self.root_moves().map(|(mv, edge)| (mv, edge.prior))
    }

    /// The priors that the running search goes by at the root, noise included.
    pub fn search_priors(&self) -> &[f32] {
        &self.search.priors
    }

    /// The root's moves with what is proved of them, for the side to move.
    pub fn proofs(&self) -> impl Iterator<Item = (G::Move, Option<Proof>)> + '_ {
        self.root_moves().map(|(mv, edge)| (mv, edge.proof))
    }

    /// What is proved of the root, for its side to move.
    pub fn proof(&self) -> Option<Proof> {
        self.store.nodes.first()?.proof
    }

    /// The value of the root for its side to move, in [-1, 1]: what is proved, or the average of its visits, the evaluator's own
    /// opinion of it included. 0 before the root was looked at.
    pub fn value(&self) -> f64 {
        let Some(root) = self.store.nodes.first() else { return 0.0 };
        root.proof.map_or_else(|| root.mean(), Proof::value)
    }

    /// What the evaluator said of the root, for its side to move; 0 before it did.
    pub fn evaluation(&self) -> f32 {
        self.store.nodes.first().map_or(0.0, |root| root.value)
    }

    /// What the search recommends: probabilities of the root's moves, which sum to 1.
    ///
    /// Under PUCT π ∝ N^(1/τ), all on the best move for a temperature τ below 0.001; under Gumbel selection the improved
    /// policy, whatever the temperature. Moves that are proved to be worse than others have 0.
    pub fn policy(&self, temperature: f64) -> Vec<(G::Move, f32)> {
        let mut weights = Vec::new();
        self.write_policy(temperature, &mut weights);
        self.root_moves().zip(weights).map(|((mv, _), weight)| (mv, weight as f32)).collect()
    }

    /// The move to play: drawn from [`Mcts::policy`]; for a temperature below 0.001 the best one, and under
    /// Gumbel selection always that which won the halving. `None` if there is no move, or the root was not looked at.
    pub fn choose(&mut self, temperature: f64) -> Option<G::Move> {
        let number = self.choose_number(temperature)?;
        self.root_moves().nth(number).map(|(mv, _)| mv)
    }

    /// The number of the move that [`Mcts::choose`] gives.
    pub(super) fn choose_number(&mut self, temperature: f64) -> Option<usize> {
        let best = self.best()?;
        if self.settings.selection == Selection::Gumbel {
            return Some(best);
        }
        let mut weights = std::mem::take(&mut self.scratch);
        self.write_policy(temperature, &mut weights);
        let number = draw(&weights, &mut self.stream);
        self.scratch = weights;
        number.or(Some(best))
    }

    /// The moves that both sides expect, starting with that of this number.
    pub(super) fn line(&self, number: usize) -> Vec<G::Move> {
        let (mut at, mut number, mut line) = (ROOT, number, Vec::new());
        loop {
            let Some(edge) = self.store.nodes.get(at as usize).and_then(|_| self.store.edges_of(at).get(number)) else {
                return line;
            };
            line.push(self.store.moves_of(at)[number]);
            at = edge.child;
            let Some(node) = self.store.nodes.get(at as usize) else { return line };
            let edges = &self.store.edges[node.edges()];
            if edges.iter().all(|edge| edge.visits == 0) {
                return line;
            }
            number = most_visited(edges);
        }
    }

    /// Visits of the root, that which opened it included.
    pub(super) fn root_visits(&self) -> u32 {
        self.store.nodes.first().map_or(0, |root| root.visits)
    }

    fn root_moves(&self) -> impl Iterator<Item = (G::Move, &Edge)> + '_ {
        let moves = if self.store.nodes.is_empty() { &[] } else { self.store.moves_of(ROOT) };
        moves.iter().copied().zip(self.root_edges())
    }

    /// The number of the best move.
    fn best(&self) -> Option<usize> {
        let edges = self.root_edges();
        if edges.is_empty() {
            return None;
        }
        let root = self.store.node(ROOT);
        Some(match self.settings.selection {
            Selection::Gumbel if self.search.ready => self.search.halving.best(&self.settings, root, edges),
            _ => most_visited(edges),
        })
    }

    fn write_policy(&self, temperature: f64, out: &mut Vec<f64>) {
        let edges = self.root_edges();
        if edges.is_empty() {
            out.clear();
        } else if self.settings.selection == Selection::Gumbel {
            gumbel::improved_policy(&self.settings, self.store.node(ROOT), edges, out);
        } else {
            visit_policy(edges, temperature, out);
        }
    }
}

/// Writes π ∝ N^(1/τ) over the moves that may be played into `out`; their priors where none of them was tried.
pub(super) fn visit_policy(edges: &[Edge], temperature: f64, out: &mut Vec<f64>) {
    out.clear();
    if temperature < COLD {
        let best = most_visited(edges);
        out.extend((0..edges.len()).map(|at| f64::from(u8::from(at == best))));
        return;
    }
    let may_play = playable(edges);
    let most = edges.iter().filter(|edge| may_play(edge)).map(|edge| edge.visits).max().unwrap_or(0);
    let weight = |edge: &Edge| match (may_play(edge), edge.visits, most) {
        (false, ..) => 0.0,
        (true, _, 0) => f64::from(edge.prior),
        (true, 0, _) => 0.0,
        // As a share of the most visits, so that no power overflows.
        (true, visits, most) => power(f64::from(visits) / f64::from(most), 1.0 / temperature),
    };
    out.extend(edges.iter().map(weight));
    let sum: f64 = out.iter().sum();
    out.iter_mut().for_each(|weight| *weight /= sum);
}

/// A number drawn with these probabilities; `None` for those that rounding leaves over.
pub(super) fn draw(weights: &[f64], stream: &mut Stream) -> Option<usize> {
    let mut left = stream.random::<f64>();
    weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    })
}

/// The number of the move with the most visits among those that may be played; of equal ones the better valued, then the more promising, then
/// the first.
pub(super) fn most_visited(edges: &[Edge]) -> usize {
    let may_play = playable(edges);
    let rank = |edge: &Edge| (edge.visits, edge.mean(0.0).unwrap_or(-1.0), edge.prior);
    let mut best: Option<usize> = None;
    for (at, edge) in edges.iter().enumerate().filter(|(_, edge)| may_play(edge)) {
        if best.is_none_or(|best| rank(edge) > rank(&edges[best])) {
            best = Some(at);
        }
    }
    best.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::store::{NONE, State};
    use super::*;
    use crate::game::Game;
    use crate::games::connect6::Connect6;
    use crate::random;
    use crate::search::mcts::MctsSettings;

    #[test]
    fn the_number_is_drawn_at_which_the_sum_of_the_probabilities_passes_the_draw() {
        let [mut stream, mut same] = [(); 2].map(|()| random::stream(3, "draws", 0));
        for _ in 0..100 {
            let at = same.random::<f64>();
            let expected = if at < 0.25 { Some(0) } else { (at < 0.75).then_some(2) };
            assert_eq!(draw(&[0.25, 0.0, 0.5], &mut stream), expected, "{at}");
        }
    }

    /// The first move is the most promising one, and an earlier search visited the last.
    #[test]
    fn visits_of_an_earlier_search_decide_until_the_halving_begins() {
        let settings = MctsSettings { selection: Selection::Gumbel, ..MctsSettings::default() };
        let position = Connect6::of_size(6).unwrap();
        let (side, moves) = (position.side_to_move(), position.moves()[..3].to_vec());
        let mut search = Mcts::new(position, settings, random::stream(1, "halving", 0));
        search.store.add(NONE, NONE, side);
        search.store.lay_edges(ROOT, |out| out.extend(moves));
        for (edge, (prior, visits)) in search.store.edges.iter_mut().zip([(0.5, 0), (0.25, 0), (0.25, 5)]) {
            (edge.prior, edge.visits) = (prior, visits);
        }
        search.store.node_mut(ROOT).state = State::Open;
        assert_eq!(search.best(), Some(2));
        // No move was visited since, and all have the same value.
        search.prepare();
        assert_eq!(search.best(), Some(0));
    }

    const fn edge(prior: f32, visits: u32, total: f64, proof: Option<Proof>) -> Edge {
        Edge { total, prior, visits, child: NONE, pending: 0, proof }
    }

    /// A search whose root has three moves with these edges, four visits of value 1 together, and the evaluator's value of 1/4.
    fn search_of(edges: [Edge; 3], selection: Selection) -> Mcts<Connect6> {
        let position = Connect6::of_size(6).unwrap();
        let (side, moves) = (position.side_to_move(), position.moves()[..3].to_vec());
        let settings = MctsSettings { selection, ..MctsSettings::default() };
        let mut search = Mcts::new(position, settings, random::stream(1, "result", 0));
        search.store.add(NONE, NONE, side);
        search.store.lay_edges(ROOT, |out| out.extend(moves));
        search.store.edges.copy_from_slice(&edges);
        let root = search.store.node_mut(ROOT);
        (root.state, root.value, root.visits, root.total) = (State::Open, 0.25, 4, 1.0);
        search
    }

    #[test]
    fn a_policy_follows_the_visits_of_what_may_be_played() {
        let policy = |edges: [Edge; 3], temperature| {
            let mut out = vec![9.0];
            visit_policy(&edges, temperature, &mut out);
            out
        };
        let (loss, win) = (Some(Proof::Loss), Some(Proof::Win));
        let of = |visits: [u32; 3], proof| {
            let [first, second, third] = visits;
            [edge(0.5, first, 0.0, proof), edge(0.25, second, 0.0, None), edge(0.25, third, 0.0, None)]
        };
        let root = 2.0_f64.sqrt();
        let cases = [
            (of([4, 2, 1], None), 1.0, [4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0]),
            (of([4, 2, 1], None), 0.5, [16.0 / 21.0, 4.0 / 21.0, 1.0 / 21.0]),
            (of([4, 2, 1], None), 2.0, [2.0 / (3.0 + root), root / (3.0 + root), 1.0 / (3.0 + root)]),
            (of([9, 2, 1], loss), 1.0, [0.0, 2.0 / 3.0, 1.0 / 3.0]),
            (of([9, 2, 0], loss), 1.0, [0.0, 1.0, 0.0]),
            (of([1, 2, 3], win), 1.0, [1.0, 0.0, 0.0]),
            (of([0, 0, 0], None), 1.0, [0.5, 0.25, 0.25]),
            (of([7, 0, 0], loss), 1.0, [0.0, 0.5, 0.5]),
            (of([2, 1, 5], None), 0.9 * COLD, [0.0, 0.0, 1.0]),
        ];
        for (edges, temperature, expected) in cases {
            let found = policy(edges, temperature);
            assert_eq!(found.len(), 3);
            for (found, expected) in found.iter().zip(expected) {
                approx::assert_abs_diff_eq!(*found, expected, epsilon = 1e-5);
            }
        }
        assert!(policy(of([2, 1, 5], None), COLD)[1] > 0.0, "nothing is quite impossible where it is not cold");
    }

    #[test]
    fn of_as_many_visits_the_value_decides_then_the_prior_then_the_order() {
        let (loss, win) = (Some(Proof::Loss), Some(Proof::Win));
        let cases = [
            ([edge(0.1, 3, 0.0, None), edge(0.1, 4, -4.0, None), edge(0.8, 3, 3.0, None)], 1),
            ([edge(0.1, 4, 1.0, None), edge(0.1, 4, 2.0, None), edge(0.8, 4, 1.0, None)], 1),
            ([edge(0.1, 4, 1.0, None), edge(0.1, 4, 1.0, None), edge(0.8, 4, 1.0, None)], 2),
            ([edge(0.2, 4, 1.0, None), edge(0.2, 4, 1.0, None), edge(0.2, 4, 1.0, None)], 0),
            ([edge(0.2, 0, 0.0, None), edge(0.3, 0, 0.0, None), edge(0.3, 0, 0.0, None)], 1),
            ([edge(0.2, 9, 9.0, loss), edge(0.2, 1, -1.0, None), edge(0.2, 2, -2.0, None)], 2),
            ([edge(0.2, 9, 9.0, None), edge(0.2, 1, -1.0, win), edge(0.2, 2, -2.0, None)], 1),
        ];
        for (number, (edges, expected)) in cases.into_iter().enumerate() {
            assert_eq!(most_visited(&edges), expected, "case {number}");
        }
        assert_eq!(most_visited(&[]), 0);
    }

    #[test]
    fn a_search_says_what_it_found() {
        let win = Some(Proof::Win);
        let edges = [edge(0.5, 2, 1.0, None), edge(0.25, 1, -0.5, None), edge(0.25, 0, 0.0, win)];
        let mut search = search_of(edges, Selection::Puct);
        let moves = search.position().moves()[..3].to_vec();
        assert!(search.visits().eq(moves.iter().copied().zip([2_u32, 1, 0])));
        assert!(search.values().eq(moves.iter().copied().zip([Some(0.5), Some(-0.5), Some(1.0)])));
        assert!(search.priors().eq(moves.iter().copied().zip([0.5_f32, 0.25, 0.25])));
        assert!(search.proofs().eq(moves.iter().copied().zip([None, None, win])));
        assert_eq!((search.evaluation(), search.value(), search.root_visits()), (0.25, 0.25, 4));
        assert_eq!((search.proof(), search.choose(0.0)), (None, Some(moves[2])));
        let expected: Vec<_> = moves.iter().copied().zip([0.0_f32, 0.0, 1.0]).collect();
        assert_eq!(search.policy(1.0), expected);
        search.store.node_mut(ROOT).proof = Some(Proof::Loss);
        assert_eq!((search.proof(), search.value(), search.evaluation()), (Some(Proof::Loss), -1.0, 0.25));
        search.forget();
        assert_eq!((search.proof(), search.value(), search.evaluation()), (None, 0.0, 0.0));
        assert_eq!((search.root_visits(), search.policy(1.0).len(), search.choose(0.0)), (0, 0, None));
        assert_eq!((search.visits().count(), search.line(0)), (0, Vec::new()));
    }

    #[test]
    fn a_move_is_drawn_by_its_visits_and_never_so_under_gumbel_selection() {
        let edges = [edge(0.25, 2, 0.0, None), edge(0.5, 2, 1.0, None), edge(0.25, 0, 0.0, None)];
        let mut search = search_of(edges, Selection::Puct);
        let mut same = random::stream(1, "result", 0);
        for _ in 0..50 {
            let expected = usize::from(same.random::<f64>() >= 0.5);
            assert_eq!(search.choose_number(1.0), Some(expected));
        }
        let mut search = search_of(edges, Selection::Gumbel);
        assert!((0..50).all(|_| search.choose_number(1.0) == Some(1)));
    }

    #[test]
    fn a_line_follows_the_most_visits_as_far_as_there_are_any() {
        let edges = [edge(0.25, 2, 0.0, None), edge(0.5, 1, 0.0, None), edge(0.25, 0, 0.0, None)];
        let mut search = search_of(edges, Selection::Puct);
        let moves = search.position().moves();
        let side = search.position().side_to_move();
        // Below the second move of the root, a node with two moves of which the second was tried; nothing below that.
        let child = search.store.add(ROOT, 1, side);
        search.store.lay_edges(child, |out| out.extend(&moves[3..5]));
        search.store.edges[4].visits = 1;
        let last = search.store.add(child, 4, side);
        search.store.lay_edges(last, |out| out.extend(&moves[5..7]));
        assert_eq!(search.line(0), [moves[0]]);
        assert_eq!(search.line(1), [moves[1], moves[4]]);
        assert!(search.line(3).is_empty());
    }
}
