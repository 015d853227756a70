//! Planning with Gumbel: Danihelka, Guez, Schrittwieser, Silver, "Policy improvement by planning with Gumbel", ICLR 2022.

use super::choice::{is_lost, largest, playable};
use super::draws::ln;
use super::settings::MctsSettings;
use super::store::{Edge, Node};
use crate::net::math;

/// Priors below this count as this in logarithms.
const LEAST_PRIOR: f32 = 1e-30;

/// What a node's moves are worth, those that were never tried included.
struct Completed<'a> {
    settings: &'a MctsSettings,
    edges: &'a [Edge],
    /// What a move that was never tried is worth.
    mixed: f64,
    most_visits: u32,
}

impl<'a> Completed<'a> {
    fn new(settings: &'a MctsSettings, node: &Node, edges: &'a [Edge]) -> Self {
        let most_visits = edges.iter().map(|edge| edge.attempts()).max().unwrap_or(0);
        let mixed = mixed_value(settings, f64::from(node.value), edges);
        Self { settings, edges, mixed, most_visits }
    }

    /// σ(q) of eq. (8), with values brought from [-1, 1] to [0, 1].
    fn sigma(&self, at: usize) -> f64 {
        let value = self.edges[at].mean(self.settings.virtual_loss).unwrap_or(self.mixed);
        (self.settings.c_visit + f64::from(self.most_visits)) * self.settings.c_scale * (value + 1.0) / 2.0
    }
}

/// v_mix of the paper's appendix D: the evaluator's value and the values of the moves tried, these weighted by their priors.
fn mixed_value(settings: &MctsSettings, value: f64, edges: &[Edge]) -> f64 {
    let (mut visits, mut mass, mut sum) = (0, 0.0, 0.0);
    for edge in edges {
        if let Some(mean) = edge.mean(settings.virtual_loss) {
            visits += edge.attempts();
            mass += f64::from(edge.prior);
            sum += f64::from(edge.prior) * mean;
        }
    }
    let tried = if mass > 0.0 { sum / mass } else { value };
    (value + f64::from(visits) * tried) / f64::from(1 + visits)
}

/// Writes the improved policy into `out`: π' = softmax(logits + σ(completed Q)), eq. (11), over the moves that are
/// not proved to be worse than others.
pub(super) fn improved_policy(settings: &MctsSettings, node: &Node, edges: &[Edge], out: &mut Vec<f64>) {
    let completed = Completed::new(settings, node, edges);
    out.clear();
    out.extend((0..edges.len()).map(|at| completed.sigma(at)));
    let largest = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let may_play = playable(edges);
    let mut sum = 0.0;
    for (weight, edge) in out.iter_mut().zip(edges) {
        let power = f64::from(math::exp((*weight - largest) as f32)) * f64::from(edge.prior.max(LEAST_PRIOR));
        *weight = if may_play(edge) { power } else { 0.0 };
        sum += *weight;
    }
    out.iter_mut().for_each(|weight| *weight /= sum);
}

/// The move below the root whose visits fall farthest behind the improved policy, eq. (14).
pub(super) fn below_root(settings: &MctsSettings, node: &Node, edges: &[Edge], scratch: &mut Vec<f64>) -> usize {
    improved_policy(settings, node, edges, scratch);
    let attempts: u32 = edges.iter().map(|edge| edge.attempts()).sum();
    let lag = |(weight, edge): (&f64, &Edge)| weight - f64::from(edge.attempts()) / f64::from(1 + attempts);
    largest(scratch.iter().zip(edges).map(lag))
}

/// The state of sequential halving at the root (algorithm 2).
#[derive(Debug, Clone, Default)]
pub(super) struct Halving {
    /// g(a), drawn once a search.
    pub gumbels: Vec<f64>,
    /// Visits that the moves had before the search.
    before: Vec<u32>,
    /// How many visits the move has that a simulation tries, simulation by simulation.
    schedule: Vec<u32>,
}

impl Halving {
    /// Begins a search of `simulations`, with `draw` giving g(a).
    pub fn begin(&mut self, considered: u32, simulations: u32, edges: &[Edge], mut draw: impl FnMut() -> f64) {
        self.gumbels.clear();
        self.gumbels.extend(edges.iter().map(|_| draw()));
        self.before.clear();
        self.before.extend(edges.iter().map(|edge| edge.attempts()));
        write_schedule(edges.len().min(considered as usize), simulations as usize, &mut self.schedule);
    }

    /// g(a) + logit(a) + σ(q(a)) of each move; those proved to be worse than others come last.
    fn scores<'a>(&'a self, completed: &'a Completed<'_>) -> impl Iterator<Item = f64> + 'a {
        let may_play = playable(completed.edges);
        completed.edges.iter().enumerate().map(move |(at, edge)| {
            let score = self.gumbels[at] + ln(f64::from(edge.prior.max(LEAST_PRIOR))) + completed.sigma(at);
            if may_play(edge) { score } else { f64::NEG_INFINITY }
        })
    }

    fn visits(&self, at: usize, edge: &Edge) -> u32 {
        edge.attempts() - self.before[at]
    }

    /// The move that simulation number `number` of the search tries: the best of those with as many visits as the
    /// schedule says.
    pub fn next(&self, settings: &MctsSettings, node: &Node, edges: &[Edge], number: u32) -> usize {
        let Some(&wanted) = self.schedule.get(number as usize) else { return self.best(settings, node, edges) };
        let is_next = |(at, edge): (usize, &Edge)| self.visits(at, edge) == wanted && !is_lost(edge);
        if !edges.iter().enumerate().any(is_next) {
            return self.best(settings, node, edges);
        }
        let completed = Completed::new(settings, node, edges);
        let among = |(at, score): (usize, f64)| if is_next((at, &edges[at])) { score } else { f64::NEG_INFINITY };
        largest(self.scores(&completed).enumerate().map(among))
    }

    /// The move that the search chose: the best of those with the most visits.
    pub fn best(&self, settings: &MctsSettings, node: &Node, edges: &[Edge]) -> usize {
        let may_play = playable(edges);
        let candidates = || edges.iter().enumerate().filter(|(_, edge)| may_play(edge));
        let most = candidates().map(|(at, edge)| self.visits(at, edge)).max().unwrap_or(0);
        let completed = Completed::new(settings, node, edges);
        let among =
            |(at, score): (usize, f64)| if self.visits(at, &edges[at]) == most { score } else { f64::NEG_INFINITY };
        largest(self.scores(&completed).enumerate().map(among))
    }
}

/// The schedule of sequential halving: `m` moves share `n` simulations in about log₂ m phases of equal length, and each phase leaves the
/// better half. It says for each simulation how many visits the move must have that it tries, which fixes the phases
/// without a list of who is left.
fn write_schedule(m: usize, n: usize, out: &mut Vec<u32>) {
    out.clear();
    let phases = m.next_power_of_two().trailing_zeros().max(1) as usize;
    let (mut left, mut visits) = (m.max(1), 0);
    while out.len() < n {
        let rounds = (n / (phases * left)).max(1);
        for _ in 0..rounds {
            out.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(if m > 1 { 2 } else { 1 });
    }
    out.truncate(n);
}

#[cfg(test)]
mod tests {
    use super::super::store::{NONE, Proof, ROOT, Store};
    use super::*;
    use crate::game::Side;

    fn schedule(m: usize, n: usize) -> Vec<u32> {
        let mut out = Vec::new();
        write_schedule(m, n, &mut out);
        out
    }

    #[test]
    fn each_phase_visits_the_better_half() {
        assert_eq!(schedule(1, 3), [0, 1, 2]);
        assert_eq!(schedule(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(schedule(4, 3), [0, 0, 0]);
        assert_eq!(schedule(16, 16 * 4 * 2).iter().filter(|&&visits| visits == 0).count(), 16);
        for (m, n) in [(3, 50), (16, 200), (50, 7)] {
            assert_eq!(schedule(m, n).len(), n);
        }
    }

    /// Priors 1/2, 1/4 and 1/4; values 1/2 of three visits, -1/2 of one, and none; the evaluator says 1/4.
    #[test]
    fn the_improved_policy_is_that_of_the_paper() {
        let edge = |prior, visits, total| Edge { total, prior, visits, child: NONE, pending: 0, proof: None };
        let edges = [edge(0.5, 3, 1.5), edge(0.25, 1, -0.5), edge(0.25, 0, 0.0)];
        let mut store = Store::<()>::new();
        store.add(NONE, NONE, Side::First);
        let node = Node { value: 0.25, ..*store.node(ROOT) };
        // σ(q) = (1 + 3) · 1/2 · (q + 1) / 2 = q + 1.
        let settings = MctsSettings { c_visit: 1.0, c_scale: 0.5, ..MctsSettings::default() };
        let completed = Completed::new(&settings, &node, &edges);
        // Those tried are worth (1/2 · 1/2 - 1/4 · 1/2) / (3/4) = 1/6, and with the evaluator (1/4 + 4 · 1/6) / 5.
        approx::assert_abs_diff_eq!(completed.mixed, 11.0 / 60.0, epsilon = 1e-12);
        let sigmas: [f64; 3] = [1.5, 0.5, 71.0 / 60.0];
        for (at, sigma) in sigmas.into_iter().enumerate() {
            approx::assert_abs_diff_eq!(completed.sigma(at), sigma, epsilon = 1e-12);
        }
        let weights = [0.5 * sigmas[0].exp(), 0.25 * sigmas[1].exp(), 0.25 * sigmas[2].exp()];
        let (sum, mut policy) = (weights.iter().sum::<f64>(), Vec::new());
        improved_policy(&settings, &node, &edges, &mut policy);
        assert_eq!(policy.len(), 3);
        for (found, weight) in policy.iter().zip(weights) {
            approx::assert_abs_diff_eq!(*found, weight / sum, epsilon = 1e-5);
        }
        // Visits of 3/5, 1/5 and 0 are to become 0.65, 0.12 and 0.24.
        assert_eq!(below_root(&settings, &node, &edges, &mut policy), 2);
    }

    #[test]
    fn a_schedule_goes_on_with_two_moves_until_all_simulations_are_made() {
        assert_eq!(schedule(2, 5), [0, 0, 1, 1, 2]);
        assert_eq!(schedule(0, 2), [0, 1]);
        assert!(schedule(4, 0).is_empty());
        // Three phases of 10 simulations: 5 moves twice, then 2 moves five times, and again.
        let rounds = (0..2).flat_map(|visits| [visits; 5]).chain((2..12).flat_map(|visits| [visits; 2]));
        assert_eq!(schedule(5, 30), rounds.collect::<Vec<u32>>());
    }

    const fn edge(prior: f32, visits: u32, total: f64, proof: Option<Proof>) -> Edge {
        Edge { total, prior, visits, child: NONE, pending: 0, proof }
    }

    /// The settings and the node of the test above: σ(q) = q + 1 while a move has three visits at most, and the evaluator says 1/4.
    fn settings_and_node() -> (MctsSettings, Node) {
        let mut store = Store::<()>::new();
        store.add(NONE, NONE, Side::First);
        let node = Node { value: 0.25, ..*store.node(ROOT) };
        (MctsSettings { c_visit: 1.0, c_scale: 0.5, ..MctsSettings::default() }, node)
    }

    #[test]
    fn without_any_move_tried_all_are_worth_what_the_evaluator_says() {
        let (settings, node) = settings_and_node();
        let edges = [edge(0.5, 0, 0.0, None), edge(0.5, 0, 0.0, None)];
        let completed = Completed::new(&settings, &node, &edges);
        // σ(1/4) = (1 + 0) · 1/2 · 5/8.
        assert_eq!((completed.mixed, completed.most_visits, completed.sigma(1)), (0.25, 0, 0.3125));
    }

    #[test]
    fn the_improved_policy_leaves_out_what_is_proved_to_be_worse() {
        let (settings, node) = settings_and_node();
        let (mut policy, loss) = (Vec::new(), Some(Proof::Loss));
        let edges = [edge(0.5, 3, 1.5, loss), edge(0.25, 1, -0.5, None), edge(0.25, 0, 0.0, None)];
        improved_policy(&settings, &node, &edges, &mut policy);
        // Those tried are worth (-1/2 - 1/8) / (3/4) = -5/6, with the evaluator (1/4 - 4 · 5/6) / 5 = -37/60: e^(1/2) to e^(23/60).
        let [one, other] = [0.5_f64.exp(), (23.0 / 60.0_f64).exp()];
        let expected = [0.0, one / (one + other), other / (one + other)];
        for (found, expected) in policy.iter().zip(expected) {
            approx::assert_abs_diff_eq!(*found, expected, epsilon = 1e-5);
        }
        let edges = [edge(0.5, 3, 1.5, None), edge(0.25, 1, 1.0, Some(Proof::Win)), edge(0.25, 0, 0.0, loss)];
        improved_policy(&settings, &node, &edges, &mut policy);
        assert_eq!(policy, [0.0, 1.0, 0.0]);
        let edges = [edge(0.75, 1, -1.0, loss), edge(0.25, 1, -1.0, loss)];
        improved_policy(&settings, &node, &edges, &mut policy);
        assert_eq!(policy, [0.75, 0.25], "where all lose");
    }

    /// Scores without g are ln(1/2) + 1.5 = 0.806853, ln(1/4) + 0.5 = -0.886294, and ln(1/4) + 71/60 = -0.202961.
    #[test]
    fn halving_goes_by_visits_of_its_own_and_then_by_the_sum_of_all_that_is_known() {
        let (settings, node) = settings_and_node();
        let edges = [edge(0.5, 3, 1.5, None), edge(0.25, 1, -0.5, None), edge(0.25, 0, 0.0, None)];
        let begun = |before: [u32; 3], gumbels: [f64; 3]| {
            let (mut halving, mut numbers) = (Halving::default(), gumbels.into_iter());
            let edges = before.map(|visits| edge(0.25, visits, 0.0, None));
            halving.begin(2, 4, &edges, || numbers.next().unwrap());
            halving
        };
        // Two moves and four simulations: those without visits first, then those with one. Since then the moves had 2, 0 and 0.
        for (gumbel, third) in [(0.68, 2), (0.69, 1)] {
            let halving = begun([1, 1, 0], [0.0, gumbel, 0.0]);
            let next = |number| halving.next(&settings, &node, &edges, number);
            assert_eq!([0, 1, 2, 3, 4].map(next), [third, third, 0, 0, 0], "g = {gumbel}");
        }
        let halving = begun([1, 1, 0], [0.0, -9.0, 0.0]);
        let lost = [edges[0], edges[1], Edge { proof: Some(Proof::Loss), ..edges[2] }];
        assert_eq!(halving.next(&settings, &node, &lost, 0), 1, "never a lost move");
        assert_eq!(begun([1, 1, 0], [-9.0, 0.0, 9.0]).best(&settings, &node, &edges), 0, "the most visits of its own");
        for (gumbel, best) in [(1.0, 0), (1.02, 2)] {
            assert_eq!(begun([3, 1, 0], [0.0, 0.0, gumbel]).best(&settings, &node, &edges), best, "g = {gumbel}");
        }
        let lost = [Edge { proof: Some(Proof::Loss), ..edges[0] }, edges[1], edges[2]];
        // Now the third is worth 23/60, and σ(-1/2) = 30/60.
        for (gumbel, best) in [(0.11, 1), (0.12, 2)] {
            assert_eq!(begun([0, 1, 0], [99.0, 0.0, gumbel]).best(&settings, &node, &lost), best, "g = {gumbel}");
        }
        let won = [edges[0], Edge { proof: Some(Proof::Win), ..edges[1] }, edges[2]];
        assert_eq!(begun([0; 3], [99.0, 0.0, 99.0]).best(&settings, &node, &won), 1);
    }
}
