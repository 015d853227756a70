//! TD(λ) on played games (S5 §3.2; Sutton 1988).
//!
//! For the positions X_1 … X_m of a game with values P_1 … P_m and result Z (set P_{m+1} = Z, eq. 3), the weights move
//! by Σ_t ΔW_t (eq. 1), where
//!
//! * eq. (2): ΔW_t = α (P_{t+1} - P_t) Σ_{k≤t} λ^{t-k} ∇P_k, computed with an eligibility trace;
//! * eq. (4): ΔW_t = α ∇P_t Σ_{k≥t} λ^{k-t} (P_{k+1} - P_k), computed with discounted sums of the errors.
//!
//! Both sums are the same while the weights stand still, which a test checks; eq. (4) must know the whole game. With
//! [`UpdateTime::Game`] the weights move after the game, as in S5. With [`UpdateTime::Move`] they move after each move by
//! eq. (2), both values of a temporal difference being taken with the weights of that moment (Sutton 1988, eq. 5; Tesauro
//! 1992). Values are for the side that moves first.
//!
//! An [`Episode`] may say of a position that its value is known, as of an end of the game that a search came upon: then P_t is
//! that value and has no gradient. And it may cut the sequence after a position: the difference to the next one is not
//! learned, and no later difference is credited to it or to those before it.
//!
//! TD-BP of S2, eq. (7), is eq. (2) with values of another kind: its P is a probability in [0, 1], the logistic function of the
//! output neuron, where ours is y = tanh a in [-1, 1]. With P = 1 / (1 + e^-2a), y = 2P - 1 exactly, so both the difference
//! and the gradient of y are twice those of P, and α in P is α / 4 here ([`alpha_of_probabilities`]).

use super::runner::{Method, RunError, Share};
use super::schedule::Schedule;
use super::traces::Traces;
use crate::net::{Activation, CodeRows, FirstLayer, Network, Pass, kernel};
use crate::settings::{SettingError, choices, require, settings};

choices! {
    /// Which of the two equal forms of the update is computed.
    pub enum UpdateForm = Traces {
        /// Equation (2), with eligibility traces.
        Traces,
        /// Equation (4), with discounted sums of errors.
        Errors,
    }
}

choices! {
    /// When the weights move.
    pub enum UpdateTime = Game {
        /// After each game, by the sum of its moves' updates.
        Game,
        /// After each move.
        Move,
    }
}

settings! {
    /// Settings of [`TdLambda`].
    #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct TdSettings {
        /// Passes over the games.
        pub passes: usize = 4, in 1..=10_000;
        /// Learning rate α.
        pub alpha: Schedule = Schedule::exponential(3e-4, 3e-4);
        /// Trace decay λ.
        pub lambda: f64 = 0.95, in 0.0..=1.0;
        /// When the weights move: after each game, as in S5, or after each move.
        pub update: UpdateTime = UpdateTime::Game, serde(default);
        /// Compute the update by equation (4) of S5 (the same update, faster) instead of equation (2).
        pub form: UpdateForm = UpdateForm::Traces, as "by-errors=errors", serde(default);
        /// Stop after this many measurements without a lower held-out error, and keep the weights of the lowest.
        pub patience: Option<usize> = None, in 1.., serde(default, skip_serializing_if = "Option::is_none");
    }
    and check_form
}

impl TdSettings {
    fn check_form(&self) -> Result<(), SettingError> {
        let is_possible = self.update == UpdateTime::Game || self.form == UpdateForm::Traces;
        require(is_possible, "update", "game by eq. (4), which needs the whole game", self.update)
    }
}

/// The learning rate that moves our weights as `alpha` moves those of S2's eq. (7), whose values are probabilities in [0, 1].
///
/// S2 does not say how steep its sigmoid is; it is taken for 1 / (1 + e^-2a), which is (1 + tanh a) / 2. The S2 of a sigmoid
/// 1 / (1 + e^-a) has output weights twice as large, which learn a quarter as fast beside those of the hidden layer.
pub fn alpha_of_probabilities(alpha: f64) -> f64 {
    alpha / 4.0
}

/// TD(λ) of any network over games in their order.
pub struct TdLambda<N> {
    settings: TdSettings,
    learner: TdLearner,
    network: std::marker::PhantomData<N>,
}

impl<N: Network> TdLambda<N> {
    /// Training with `settings`.
    pub fn new(settings: TdSettings) -> Self {
        let learner = TdLearner::new(settings.lambda as f32, settings.update, settings.form);
        Self { settings, learner, network: std::marker::PhantomData }
    }
}

impl<N: Network> Method for TdLambda<N> {
    type Net = N;

    fn train_share(&mut self, net: &mut N, share: Share<'_>) -> Result<(), RunError> {
        let Share { training, observer, .. } = share;
        let n_games = training.games().len();
        for index in share.of(n_games) {
            let game = &training.games()[index];
            if !game.is_empty() {
                let progress = (share.pass as f64 + index as f64 / n_games as f64) / self.settings.passes as f64;
                let alpha = self.settings.alpha.at(progress) as f32;
                self.learner.learn_game(net, training.rows(game.clone()), training.results()[game.start], alpha);
            }
            observer.advance(game.len() as u64);
        }
        Ok(())
    }
}

/// An episode: the positions of a game in the order of play, and its result.
#[derive(Debug, Clone, Copy)]
pub struct Episode<'a> {
    /// X_1 … X_m.
    pub rows: CodeRows<'a>,
    /// Z for the side that moves first, in [-1, 1].
    pub result: f32,
    /// The values that are known, one entry a position; empty for none.
    pub known: &'a [Option<f32>],
    /// After which positions the sequence is cut, one entry a position; empty for none.
    pub cuts: &'a [bool],
}

impl<'a> Episode<'a> {
    /// A game whose values are all the network's, and without cuts.
    pub const fn new(rows: CodeRows<'a>, result: f32) -> Self {
        Self { rows, result, known: &[], cuts: &[] }
    }

    fn known(&self, t: usize) -> Option<f32> {
        self.known.get(t).copied().flatten()
    }

    fn is_cut_after(&self, t: usize) -> bool {
        self.cuts.get(t).copied().unwrap_or(false)
    }

    /// What the trace is multiplied by when position `t` comes: `lambda`, and 0 behind a cut.
    fn decay(&self, t: usize, lambda: f32) -> f32 {
        if t > 0 && self.is_cut_after(t - 1) { 0.0 } else { lambda }
    }

    /// What is learned at position `t`, which the network values at `value` and the one after it at `next`.
    fn difference(&self, t: usize, value: f32, next: f32) -> f32 {
        if self.is_cut_after(t) { 0.0 } else { next - value }
    }
}

/// Makes `pass` that of a position whose value is known: it has no gradient.
fn silence(pass: &mut Pass, value: f32, (width, n_tail): (usize, usize)) {
    pass.y = value;
    pass.active.clear();
    for (gradient, length) in [(&mut pass.delta, width), (&mut pass.tail, n_tail)] {
        gradient.clear();
        gradient.resize(length, 0.0);
    }
}

/// Changes a network by one game after another.
#[derive(Debug, Clone)]
pub struct TdLearner {
    lambda: f32,
    update: UpdateTime,
    form: UpdateForm,
    traces: Traces,
    passes: Vec<Pass>,
    sum: Vec<f32>,
    changes: Vec<Activation>,
}

impl TdLearner {
    /// A learner with trace decay `lambda`. With updates after each move, `form` is eq. (2) whatever it says.
    pub fn new(lambda: f32, update: UpdateTime, form: UpdateForm) -> Self {
        let (traces, passes, sum, changes) = Default::default();
        Self { lambda, update, form, traces, passes, sum, changes }
    }

    /// Changes `net` by a game: `rows` are its positions, `result` is Z for the side that moves first, `alpha` is α.
    pub fn learn_game<N: Network>(&mut self, net: &mut N, rows: CodeRows<'_>, result: f32, alpha: f32) {
        self.learn(net, &Episode::new(rows, result), alpha);
    }

    /// Changes `net` by an episode; `alpha` is α.
    pub fn learn<N: Network>(&mut self, net: &mut N, episode: &Episode<'_>, alpha: f32) {
        if episode.rows.is_empty() {
            return;
        }
        match (self.update, self.form) {
            (UpdateTime::Move, _) => self.learn_by_moves(net, episode, alpha),
            (UpdateTime::Game, UpdateForm::Traces) => self.learn_by_traces(net, episode, alpha),
            (UpdateTime::Game, UpdateForm::Errors) => self.learn_by_errors(net, episode, alpha),
        }
    }

    /// Values and gradients of all positions with the weights as they are.
    fn evaluate_all<N: Network>(&mut self, net: &N, episode: &Episode<'_>) {
        let rows = episode.rows;
        if self.passes.len() < rows.len() {
            self.passes.resize_with(rows.len(), Pass::default);
        }
        for (index, (codes, pass)) in rows.iter().zip(&mut self.passes).enumerate() {
            if let Some(value) = episode.known(index) {
                silence(pass, value, sizes(net));
                continue;
            }
            net.forward(codes, rows.offset(index), pass);
            net.backward(codes, pass);
        }
    }

    /// The differences P_{t+1} - P_t of the passes, the last one Z - P_m.
    fn temporal_differences(&self, episode: &Episode<'_>) -> Vec<f32> {
        let values = self.passes[..episode.rows.len()].iter().map(|pass| pass.y);
        let next = values.clone().skip(1).chain([episode.result]);
        values.zip(next).enumerate().map(|(t, (value, next))| episode.difference(t, value, next)).collect()
    }

    fn learn_by_errors<N: Network>(&mut self, net: &mut N, episode: &Episode<'_>, alpha: f32) {
        self.evaluate_all(net, episode);
        let mut errors = self.temporal_differences(episode);
        for t in (0..errors.len() - 1).rev() {
            errors[t] += episode.decay(t + 1, self.lambda) * errors[t + 1];
        }
        let (layer, weights) = net.parts_mut();
        for (pass, error) in self.passes.iter().zip(errors) {
            pass.add_gradient(layer, weights, alpha * error);
        }
    }

    fn learn_by_traces<N: Network>(&mut self, net: &mut N, episode: &Episode<'_>, alpha: f32) {
        self.evaluate_all(net, episode);
        let layer = net.first_layer();
        self.sum.clear();
        self.sum.resize(net.parameters().len(), 0.0);
        self.traces.reset(layer, self.sum.len());
        let differences = self.temporal_differences(episode);
        for (t, (pass, difference)) in self.passes.iter().zip(differences).enumerate() {
            self.traces.settle(&pass.active, &mut self.sum);
            self.traces.add(pass, episode.decay(t, self.lambda));
            self.traces.apply(difference, layer, &mut self.sum);
        }
        self.traces.settle_all(&mut self.sum);
        kernel::add_scaled(net.parameters_mut(), &self.sum, alpha);
    }

    fn learn_by_moves<N: Network>(&mut self, net: &mut N, episode: &Episode<'_>, alpha: f32) {
        let rows = episode.rows;
        self.traces.reset(net.first_layer(), net.parameters().len());
        self.passes.resize_with(self.passes.len().max(2), Pass::default);
        for t in 0..rows.len() {
            let codes = rows.row(t);
            let [pass, next, ..] = self.passes.as_mut_slice() else { return };
            net.first_layer().activate(codes, &mut pass.active);
            self.traces.settle(&pass.active, net.parameters_mut());
            pass.sum_rows(net.base(), net.parameters());
            match episode.known(t) {
                Some(value) => silence(pass, value, sizes(net)),
                None => {
                    net.head(codes, rows.offset(t), pass);
                    net.backward(codes, pass);
                }
            }
            self.traces.add(pass, episode.decay(t, self.lambda));
            let value = if t + 1 == rows.len() {
                episode.result
            } else if let Some(value) = episode.known(t + 1) {
                value
            } else {
                let codes_after = rows.row(t + 1);
                changes(net.first_layer(), codes, codes_after, &mut self.changes);
                self.traces.settle(&self.changes, net.parameters_mut());
                next.sums.clone_from(&pass.sums);
                kernel::add_rows(&mut next.sums, net.parameters(), &self.changes);
                net.head(codes_after, rows.offset(t + 1), next);
                next.y
            };
            let step = alpha * episode.difference(t, pass.y, value);
            let (layer, weights) = net.parts_mut();
            self.traces.apply(step, layer, weights);
        }
        self.traces.settle_all(net.parameters_mut());
    }
}

/// The numbers of sums and of weights behind the first layer's.
fn sizes<N: Network>(net: &N) -> (usize, usize) {
    let layer = net.first_layer();
    (layer.width(), net.parameters().len() - layer.n_weights())
}

/// What to add to the first layer's sums of `before` to have those of `after`.
fn changes(layer: &FirstLayer, before: &[u8], after: &[u8], changes: &mut Vec<Activation>) {
    changes.clear();
    for (t, (&old, &new)) in before.iter().zip(after).enumerate() {
        if old != new {
            let (old, new) = (layer.coding().class(t, old), layer.coding().class(t, new));
            let (old, new) = (layer.activation(old), layer.activation(new));
            let removed = Activation { factor: -old.factor, ..old };
            changes.extend([removed, new].into_iter().filter(|activation| activation.factor != 0.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dense::{DenseShape, InputForm};
    use crate::net::{Coding, DenseNet};

    fn game(inputs: InputForm) -> (DenseNet, Vec<u8>) {
        let coding = Coding::new(&[vec![-1.0, 0.0, 1.0], vec![0.5, -0.25], vec![0.0, 1.0, 2.0, 0.3]]);
        let shape = DenseShape { inputs, ..DenseShape::one_layer(6) };
        (DenseNet::random(coding, shape, 2, "test"), vec![0, 1, 2, 2, 0, 3, 1, 1, 0, 0, 0, 1, 2, 1, 3, 1, 1, 3])
    }

    /// P and ∇P of one position, as vectors over all weights.
    fn value_and_gradient(net: &DenseNet, codes: &[u8]) -> (f32, Vec<f32>) {
        let mut pass = Pass::default();
        net.forward(codes, 0.0, &mut pass);
        net.backward(codes, &mut pass);
        let mut gradient = vec![0.0; net.parameters().len()];
        pass.add_gradient(net.first_layer(), &mut gradient, 1.0);
        (pass.y, gradient)
    }

    fn assert_close(found: &DenseNet, expected: &[f32]) {
        for (found, expected) in found.parameters().iter().zip(expected) {
            approx::assert_abs_diff_eq!(found, expected, epsilon = 1e-5);
        }
    }

    const LAMBDAS: [f32; 5] = [0.0, 0.3, 0.7, 0.95, 1.0];
    const INPUTS: [InputForm; 2] = [InputForm::Numbers, InputForm::OneHot];

    fn learned(net: &DenseNet, codes: &[u8], lambda: f32, update: UpdateTime, form: UpdateForm) -> DenseNet {
        let mut net = net.clone();
        let mut learner = TdLearner::new(lambda, update, form);
        // A game before, from which nothing may be left.
        learner.learn_game(&mut net.clone(), CodeRows::new(&codes[3..], 3), -1.0, 0.5);
        learner.learn_game(&mut net, CodeRows::new(codes, 3), 1.0, 0.5);
        net
    }

    /// Eq. (2) written as its double sum; eq. (4) must give the same.
    #[test]
    fn both_equations_equal_the_double_sum() {
        for (inputs, lambda) in INPUTS.into_iter().flat_map(|inputs| LAMBDAS.map(|lambda| (inputs, lambda))) {
            let (net, codes) = game(inputs);
            let seen: Vec<(f32, Vec<f32>)> = codes.chunks(3).map(|codes| value_and_gradient(&net, codes)).collect();
            let mut expected = net.parameters().to_vec();
            for t in 0..seen.len() {
                let next = seen.get(t + 1).map_or(1.0, |(value, _)| *value);
                for (k, (_, gradient)) in seen.iter().enumerate().take(t + 1) {
                    let factor = 0.5 * (next - seen[t].0) * lambda.powi((t - k) as i32);
                    expected.iter_mut().zip(gradient).for_each(|(weight, g)| *weight += factor * g);
                }
            }
            for form in [UpdateForm::Traces, UpdateForm::Errors] {
                assert_close(&learned(&net, &codes, lambda, UpdateTime::Game, form), &expected);
            }
        }
    }

    /// Updates after each move as Sutton defines them, with whole vectors.
    #[test]
    fn updates_after_each_move_equal_those_of_the_definition() {
        for (inputs, lambda) in INPUTS.into_iter().flat_map(|inputs| LAMBDAS.map(|lambda| (inputs, lambda))) {
            let (net, codes) = game(inputs);
            let mut slow = net.clone();
            let mut trace = vec![0.0; net.parameters().len()];
            for t in 0..codes.len() / 3 {
                let (value, gradient) = value_and_gradient(&slow, &codes[3 * t..3 * t + 3]);
                let next = codes.get(3 * t + 3..3 * t + 6).map_or(1.0, |codes| value_and_gradient(&slow, codes).0);
                for ((trace, g), weight) in trace.iter_mut().zip(gradient).zip(slow.parameters_mut()) {
                    *trace = lambda * *trace + g;
                    *weight += 0.5 * (next - value) * *trace;
                }
            }
            let fast = learned(&net, &codes, lambda, UpdateTime::Move, UpdateForm::Traces);
            assert_close(&fast, slow.parameters());
        }
    }

    /// Eq. (7) of S2 with nothing but loops: one-hot inputs, a hidden layer of sigmoids, and a probability P at the end.
    struct ProbabilityNet {
        /// By input and hidden neuron.
        hidden: Vec<Vec<f64>>,
        hidden_bias: Vec<f64>,
        output: Vec<f64>,
        output_bias: f64,
    }

    impl ProbabilityNet {
        fn of(net: &DenseNet) -> Self {
            let tensors = net.tensors();
            let numbers = |at: usize| tensors[at].2.iter().map(|&w| f64::from(w)).collect::<Vec<_>>();
            let hidden = numbers(0).chunks(tensors[0].1[1]).map(<[f64]>::to_vec).collect();
            Self { hidden, hidden_bias: numbers(1), output: numbers(2), output_bias: numbers(3)[0] }
        }

        fn weights(&self) -> Vec<f64> {
            let hidden = self.hidden.concat();
            [hidden, self.hidden_bias.clone(), self.output.clone(), vec![self.output_bias]].concat()
        }

        fn set(&mut self, weights: &[f64]) {
            let mut weights = weights.iter();
            let hidden = self.hidden.iter_mut().flatten().chain(&mut self.hidden_bias);
            let all = hidden.chain(&mut self.output).chain([&mut self.output_bias]);
            all.for_each(|weight| *weight = *weights.next().unwrap());
        }

        /// P of the inputs that are 1, and its gradient.
        fn probability(&self, ones: &[usize]) -> (f64, Vec<f64>) {
            let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
            let n = self.output.len();
            let sum = |j: usize| self.hidden_bias[j] + ones.iter().map(|&i| self.hidden[i][j]).sum::<f64>();
            let h: Vec<f64> = (0..n).map(|j| sigmoid(sum(j))).collect();
            let argument = self.output_bias + h.iter().zip(&self.output).map(|(h, w)| h * w).sum::<f64>();
            let p = sigmoid(2.0 * argument);
            let slope = 2.0 * p * (1.0 - p);
            let delta: Vec<f64> = (0..n).map(|j| slope * self.output[j] * h[j] * (1.0 - h[j])).collect();
            let row = |i: usize| if ones.contains(&i) { delta.clone() } else { vec![0.0; n] };
            let rows: Vec<f64> = (0..self.hidden.len()).flat_map(row).collect();
            let output = h.iter().map(|h| slope * h).collect();
            (p, [rows, delta, output, vec![slope]].concat())
        }

        /// Eq. (7) after each move, or summed over the game; `z` is the result as a probability.
        fn learn(&mut self, game: &[Vec<usize>], z: f64, (alpha, lambda): (f64, f64), update: UpdateTime) {
            let mut trace = vec![0.0; self.weights().len()];
            let mut sum = trace.clone();
            for t in 0..game.len() {
                let (p, gradient) = self.probability(&game[t]);
                let next = game.get(t + 1).map_or(z, |ones| self.probability(ones).0);
                trace.iter_mut().zip(gradient).for_each(|(trace, g)| *trace = lambda * *trace + g);
                let step: Vec<f64> = trace.iter().map(|trace| alpha * (next - p) * trace).collect();
                match update {
                    UpdateTime::Game => sum.iter_mut().zip(step).for_each(|(sum, step)| *sum += step),
                    UpdateTime::Move => {
                        let moved: Vec<f64> = self.weights().iter().zip(step).map(|(w, step)| w + step).collect();
                        self.set(&moved);
                    }
                }
            }
            let moved: Vec<f64> = self.weights().iter().zip(sum).map(|(w, sum)| w + sum).collect();
            self.set(&moved);
        }
    }

    /// α = 0.3 and λ = 0.7 of S2 in probabilities are α = 0.075 here, whenever the weights move.
    #[test]
    fn td_bp_of_s2_is_td_lambda_with_a_quarter_of_its_rate() {
        let coding = Coding::new(&vec![vec![0.0, 0.33, 0.67, 1.0]; 16]);
        let shape = DenseShape {
            hidden: vec![18],
            activation: crate::net::dense::ActivationFunction::Sigmoid,
            inputs: InputForm::OneHot,
        };
        let net = DenseNet::random(coding, shape, 5, "td-bp");
        let codes: Vec<u8> = (0..16 * 30).map(|i: usize| (i * i / 7 + i / 16) as u8 % 4).collect();
        let ones = |codes: &[u8]| codes.iter().enumerate().map(|(t, &code)| 4 * t + usize::from(code)).collect();
        let game: Vec<Vec<usize>> = codes.chunks(16).map(ones).collect();
        for (update, form, result) in [
            (UpdateTime::Game, UpdateForm::Traces, 1.0),
            (UpdateTime::Game, UpdateForm::Errors, -1.0),
            (UpdateTime::Move, UpdateForm::Traces, 1.0),
        ] {
            let (mut slow, mut fast) = (ProbabilityNet::of(&net), net.clone());
            slow.learn(&game, (f64::from(result) + 1.0) / 2.0, (0.3, 0.7), update);
            let alpha = alpha_of_probabilities(0.3) as f32;
            TdLearner::new(0.7, update, form).learn_game(&mut fast, CodeRows::new(&codes, 16), result, alpha);
            assert_close(&fast, &slow.weights().iter().map(|&w| w as f32).collect::<Vec<_>>());
            assert!(fast.parameters().iter().zip(net.parameters()).any(|(now, before)| (now - before).abs() > 0.01));
            let y = f64::from(fast.outputs(CodeRows::new(&codes[..16], 16))[0]);
            approx::assert_abs_diff_eq!(slow.probability(&game[0]).0, (y + 1.0) / 2.0, epsilon = 1e-5);
        }
    }

    #[test]
    fn with_lambda_one_the_errors_telescope_to_the_result() {
        let (net, codes) = game(InputForm::Numbers);
        let mut expected = net.parameters().to_vec();
        for codes in codes.chunks(3) {
            let (value, gradient) = value_and_gradient(&net, codes);
            expected.iter_mut().zip(gradient).for_each(|(weight, g)| *weight += 0.5 * (1.0 - value) * g);
        }
        assert_close(&learned(&net, &codes, 1.0, UpdateTime::Game, UpdateForm::Errors), &expected);
    }

    /// The definition with known values and cuts, as whole vectors.
    #[test]
    fn known_values_have_no_gradient_and_cuts_stop_credit() {
        let known = [None, None, Some(0.25), None, Some(-1.0), None];
        let cuts = [false, true, false, true, false, false];
        for (inputs, lambda) in INPUTS.into_iter().flat_map(|inputs| LAMBDAS.map(|lambda| (inputs, lambda))) {
            let (net, codes) = game(inputs);
            let episode = Episode { known: &known, cuts: &cuts, ..Episode::new(CodeRows::new(&codes, 3), 1.0) };
            for (update, form) in [
                (UpdateTime::Game, UpdateForm::Traces),
                (UpdateTime::Game, UpdateForm::Errors),
                (UpdateTime::Move, UpdateForm::Traces),
            ] {
                let mut fast = net.clone();
                TdLearner::new(lambda, update, form).learn(&mut fast, &episode, 0.5);
                assert_close(&fast, &by_definition(&net, &episode, lambda, update));
            }
        }
    }

    /// The weights after `episode` with α = 0.5.
    fn by_definition(net: &DenseNet, episode: &Episode<'_>, lambda: f32, update: UpdateTime) -> Vec<f32> {
        let (mut net, mut trace) = (net.clone(), vec![0.0; net.parameters().len()]);
        let mut sum = trace.clone();
        for t in 0..episode.rows.len() {
            let judge = |t: usize| {
                let (value, gradient) = value_and_gradient(&net, episode.rows.row(t));
                episode.known[t].map_or((value, gradient), |known| (known, vec![0.0; sum.len()]))
            };
            let (value, gradient) = judge(t);
            let next = if t + 1 == episode.rows.len() { episode.result } else { judge(t + 1).0 };
            let difference = if episode.cuts[t] { 0.0 } else { next - value };
            for (trace, g) in trace.iter_mut().zip(gradient) {
                *trace = if t > 0 && episode.cuts[t - 1] { g } else { lambda * *trace + g };
            }
            let target = if update == UpdateTime::Move { net.parameters_mut() } else { sum.as_mut_slice() };
            target.iter_mut().zip(&trace).for_each(|(weight, trace)| *weight += 0.5 * difference * trace);
        }
        net.parameters().iter().zip(sum).map(|(weight, sum)| weight + sum).collect()
    }

    #[test]
    fn settings_outside_their_range_are_named() {
        let settings = TdSettings {
            passes: 1,
            alpha: Schedule::constant(0.1),
            lambda: 1.2,
            update: UpdateTime::Game,
            form: UpdateForm::Traces,
            patience: None,
        };
        assert_eq!(settings.check().unwrap_err().to_string(), "`lambda` must be in [0, 1], got 1.2");
        let settings = TdSettings { lambda: 0.5, update: UpdateTime::Move, form: UpdateForm::Errors, ..settings };
        assert!(settings.check().unwrap_err().to_string().contains("needs the whole game"));
    }
}
