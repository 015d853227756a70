//! Monte Carlo tree search: its laws, and its results beside slow references.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use roughboard::eval::{Evaluator, PolicyValue, UniformPolicy, View};
use roughboard::game::playout::random_moves;
use roughboard::game::symmetry::Symmetric;
use roughboard::game::{BoardGame, Game, Notation, SearchHints, Side};
use roughboard::games::surakarta::Surakarta;
use roughboard::net::math::softmax;
use roughboard::random;
use roughboard::search::Stopper;
use roughboard::search::mcts::single::{Searcher, SearcherSettings};
use roughboard::search::mcts::{EvaluationCache, FirstPlay, Mcts, MctsSettings, Proof, Selected, Selection};

use crate::toys::{LineCounter, LineGame, SmallConnect, TicTacToe};

/// Logits and values that are hashes of the position: nothing about them is regular.
struct Hashed;

impl<G: BoardGame> PolicyValue<G> for Hashed {
    fn row_len(&self) -> usize {
        1
    }

    fn n_logits(&self) -> usize {
        G::MOVE_SLOTS
    }

    fn write_row(&self, position: &G, row: &mut [f32]) -> View {
        row[0] = f32::from_bits(position.key() as u32 & 0x3FFF_FFFF);
        View::default()
    }

    fn logit_of(&self, _view: View, mv: G::Move) -> usize {
        G::move_slot(mv)
    }

    fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let n = logits.len() / rows.len();
        for (at, row) in rows.iter().enumerate() {
            let unit = |salt: usize| {
                random::mix(u64::from(row.to_bits()) ^ (salt as u64) << 32) as u32 as f32 / u32::MAX as f32
            };
            values[at] = 2.0 * unit(n) - 1.0;
            (0..n).for_each(|slot| logits[at * n + slot] = 3.0 * unit(slot));
        }
    }
}

/// Runs a search to its end, answering leaves one at a time.
fn run<G: BoardGame>(search: &mut Mcts<G>, net: &dyn PolicyValue<G>, simulations: u32, noise: bool) {
    let mut cache = EvaluationCache::new(0, 0);
    run_with(search, net, &mut cache, simulations, noise);
}

fn run_with<G: BoardGame>(
    search: &mut Mcts<G>,
    net: &dyn PolicyValue<G>,
    cache: &mut EvaluationCache,
    simulations: u32,
    noise: bool,
) -> u32 {
    let (mut row, mut logits, mut value) = (vec![0.0; net.row_len()], vec![0.0; net.n_logits()], [0.0]);
    let mut asked = 0;
    search.begin(simulations, noise);
    loop {
        match search.select(net, cache, &mut row) {
            Selected::Leaf(leaf) => {
                net.evaluate(&row, &mut logits, &mut value);
                if let Some(answer) = search.answer(leaf, net, &logits, value[0]) {
                    cache.insert(leaf.key, answer);
                }
                asked += 1;
            }
            Selected::Paused => (),
            Selected::Pending => panic!("nothing is pending"),
            Selected::Done => return asked,
        }
    }
}

fn new<G: BoardGame>(position: G, settings: MctsSettings, seed: u64) -> Mcts<G> {
    Mcts::new(position, settings, random::stream(seed, "test", 0))
}

#[test]
fn priors_are_those_of_legal_moves_and_sum_to_one() {
    let mut search = new(Surakarta::start(), MctsSettings::default(), 1);
    run(&mut search, &Hashed, 50, true);
    let legal = Surakarta::start().moves();
    assert!(search.priors().map(|(mv, _)| mv).eq(legal.iter().copied()));
    let sum = |priors: &[f32]| priors.iter().sum::<f32>();
    let priors: Vec<f32> = search.priors().map(|(_, prior)| prior).collect();
    assert!((sum(&priors) - 1.0).abs() < 1e-5 && (sum(search.search_priors()) - 1.0).abs() < 1e-5);
    assert_ne!(priors, search.search_priors(), "there is noise");
    assert_eq!(search.visits().map(|(_, visits)| visits).sum::<u32>(), 50);
}

/// What the tree search does, written down as plainly as possible: recursive, a map from paths to nodes, no virtual loss.
struct Naive<'a, G: BoardGame> {
    net: &'a dyn PolicyValue<G>,
    settings: MctsSettings,
    nodes: HashMap<Vec<G::Move>, NaiveNode<G::Move>>,
}

/// Values and proofs are for the side to move at the node, those of moves included.
struct NaiveNode<M> {
    side: Side,
    proof: Option<i32>,
    visits: u32,
    total: f64,
    moves: Vec<NaiveMove<M>>,
}

#[derive(Clone)]
struct NaiveMove<M> {
    mv: M,
    prior: f64,
    visits: u32,
    total: f64,
    proof: Option<i32>,
}

impl<G: BoardGame> Naive<'_, G> {
    fn root(&self) -> &NaiveNode<G::Move> {
        let path: Vec<G::Move> = Vec::new();
        &self.nodes[&path]
    }

    fn search(&mut self, root: &G, simulations: u32) -> Vec<(G::Move, u32)> {
        self.simulate(root.clone(), &mut Vec::new());
        for _ in 0..simulations {
            if self.root().proof.is_some() {
                break;
            }
            self.simulate(root.clone(), &mut Vec::new());
        }
        self.root().moves.iter().map(|mv| (mv.mv, mv.visits)).collect()
    }

    /// One simulation from `position` on, behind the moves of `path`; its value is for [`Side::First`].
    fn simulate(&mut self, mut position: G, path: &mut Vec<G::Move>) -> f64 {
        let side = position.side_to_move();
        let Some(node) = self.nodes.get(&*path) else { return self.open(&position, path) };
        if let Some(proof) = node.proof {
            return f64::from(proof * side.sign());
        }
        let number = self.choose(node);
        let mv = node.moves[number].mv;
        position.play(mv);
        path.push(mv);
        let value = self.simulate(position, path);
        let child_proof = self.nodes.get(&*path).and_then(|child| Some(child.proof? * child.side.sign() * side.sign()));
        path.pop();
        let node = self.nodes.get_mut(&*path).unwrap();
        let chosen = &mut node.moves[number];
        chosen.visits += 1;
        chosen.total += value * f64::from(side.sign());
        chosen.proof = child_proof;
        if node.moves.iter().any(|mv| mv.proof == Some(1)) {
            node.proof = Some(1);
        } else if node.moves.iter().all(|mv| mv.proof.is_some()) {
            node.proof = node.moves.iter().filter_map(|mv| mv.proof).max();
        }
        let value = node.proof.map_or(value, |proof| f64::from(proof * side.sign()));
        node.visits += 1;
        node.total += value * f64::from(side.sign());
        value
    }

    fn choose(&self, node: &NaiveNode<G::Move>) -> usize {
        let visits = 1 + node.moves.iter().map(|mv| mv.visits).sum::<u32>();
        let tried: f64 = node.moves.iter().filter(|mv| mv.visits > 0).map(|mv| mv.prior).sum();
        let first_play = match self.settings.first_play {
            FirstPlay::Draw => 0.0,
            FirstPlay::Parent => node.total / f64::from(node.visits),
        };
        let untried = first_play - self.settings.first_play_reduction * tried.sqrt();
        let score = |mv: &NaiveMove<G::Move>| {
            let mean = if mv.visits == 0 { untried } else { mv.total / f64::from(mv.visits) };
            let value = mv.proof.map_or(mean, |proof| if proof == -1 { -1e6 } else { f64::from(proof) });
            value + self.settings.c_puct * mv.prior * f64::from(visits).sqrt() / f64::from(1 + mv.visits)
        };
        let mut best = 0;
        for number in 1..node.moves.len() {
            if score(&node.moves[number]) > score(&node.moves[best]) {
                best = number;
            }
        }
        best
    }

    fn open(&mut self, position: &G, path: &[G::Move]) -> f64 {
        let side = position.side_to_move();
        if position.end().is_none()
            && !path.is_empty()
            && let Some(end) = position.cycle_end(path.len())
        {
            return f64::from(end.outcome.value());
        }
        let moves = position.moves();
        let (mut row, mut logits, mut value) = (vec![0.0; self.net.row_len()], vec![0.0; self.net.n_logits()], [0.0]);
        let view = self.net.write_row(position, &mut row);
        self.net.evaluate(&row, &mut logits, &mut value);
        let mut priors: Vec<f32> = moves.iter().map(|&mv| logits[self.net.logit_of(view, mv)]).collect();
        softmax(&mut priors);
        let new = |(mv, prior)| NaiveMove { mv, prior: f64::from(prior), visits: 0, total: 0.0, proof: None };
        let moves = moves.into_iter().zip(priors).map(new);
        let proof = position.end().map(|end| end.outcome.value_for(side));
        let moves = if proof.is_none() { moves.collect() } else { Vec::new() };
        let value = proof.map_or(f64::from(value[0]), f64::from);
        self.nodes.insert(path.to_vec(), NaiveNode { side, proof, visits: 1, total: value, moves });
        value * f64::from(side.sign())
    }
}

/// By the usual settings, and by those of S4.
fn assert_as_naive<G: BoardGame>(position: &G, simulations: u32) {
    let usual = MctsSettings::default();
    let of_s4 = MctsSettings { c_puct: 2.0, first_play: FirstPlay::Draw, first_play_reduction: 0.0, ..usual };
    [usual, of_s4].iter().for_each(|settings| assert_as_naive_with(position, simulations, *settings));
}

fn assert_as_naive_with<G: BoardGame>(position: &G, simulations: u32, settings: MctsSettings) {
    let mut search = new(position.clone(), settings, 1);
    run(&mut search, &Hashed, simulations, false);
    let mut naive: Naive<'_, G> = Naive { net: &Hashed, settings, nodes: HashMap::new() };
    let expected = naive.search(position, simulations);
    let root = naive.root();
    if root.moves.is_empty() {
        return;
    }
    assert_eq!(search.visits().collect::<Vec<_>>(), expected, "{position:?}");
    assert_eq!(search.proof().map(|proof| proof.value() as i32), root.proof);
    for ((_, value), mv) in search.values().zip(&root.moves) {
        let Some(value) = value else { continue };
        let expected = mv.proof.map_or(mv.total / f64::from(mv.visits), f64::from);
        assert!((value - expected).abs() < 1e-9, "{} of {position:?}: {value} and {expected}", mv.mv);
    }
}

#[test]
fn visits_values_and_proofs_are_those_of_a_naive_search() {
    assert_as_naive(&TicTacToe::start(), 600);
    assert_as_naive(&SmallConnect::start(), 400);
    assert_as_naive(&LineGame::<3, 3, 2>::start(), 2000);
    let mut stream = random::stream(3, "positions", 0);
    for plies in [0, 10, 40, 60, 80] {
        let mut position = Surakarta::start();
        random_moves(&mut position, plies, &mut stream, |_| {});
        assert_as_naive(&position, 300);
    }
}

/// Whether each position of the game, as far as it has at least `stones` stones, gets its minimax value as its proof.
fn assert_solved<const STONES: usize>(stones: usize) -> usize {
    let mut values = HashMap::new();
    minimax(&mut LineGame::<3, 3, STONES>::start(), &mut values);
    let mut notations: Vec<_> = values.iter().collect();
    notations.sort();
    let free = |text: &str| text.chars().filter(|&point| point == '.').count();
    notations.retain(|(text, _)| free(text) <= 9 - stones);
    for (number, &(text, &value)) in notations.iter().enumerate().step_by(3) {
        let position = LineGame::<3, 3, STONES>::from_notation(text).unwrap();
        // Much exploration: a draw is proved only when every other move is proved to be no better, however poor it looks.
        let mut search = new(position, MctsSettings { c_puct: 50.0, ..MctsSettings::default() }, number as u64);
        run(&mut search, &Hashed, 100_000, true);
        assert_eq!(search.proof().map(|proof| proof.value() as i32), Some(value), "{text}");
        let Some(best) = search.choose(1.0) else { continue };
        let mut after = search.position().clone();
        let side = after.side_to_move();
        after.play(best);
        assert_eq!(values[&after.notation()] * after.side_to_move().sign() * side.sign(), value, "{best} in {text}");
    }
    notations.len()
}

/// The value of every position that can be reached, for its side to move.
fn minimax<const STONES: usize>(position: &mut LineGame<3, 3, STONES>, values: &mut HashMap<String, i32>) -> i32 {
    if let Some(&value) = values.get(&position.notation()) {
        return value;
    }
    let side = position.side_to_move();
    let moves = position.moves();
    let mut value_after = |mv| {
        position.play(mv);
        let value = minimax(position, values) * position.side_to_move().sign() * side.sign();
        position.undo();
        value
    };
    let best = moves.into_iter().map(&mut value_after).max();
    let value = best.unwrap_or_else(|| position.end().unwrap().outcome.value_for(side));
    values.insert(position.notation(), value);
    value
}

#[test]
fn tiny_games_are_solved_exactly_and_the_best_moves_played() {
    assert!(assert_solved::<1>(4) > 3000);
    // The same side moves twice in a row.
    assert!(assert_solved::<2>(4) > 1000);
}

#[test]
fn moves_that_lose_are_not_drawn_and_draws_are_worth_nothing_to_either_side() {
    // Nought completes its line at p5.
    let position = TicTacToe::from_notation("xx.oo.x..").unwrap();
    assert_eq!(position.side_to_move().index(), 1);
    let mut search = new(position, MctsSettings::default(), 1);
    run(&mut search, &Hashed, 500, false);
    assert_eq!((search.proof(), search.value()), (Some(Proof::Win), 1.0));
    let drawn = TicTacToe::from_notation("xoxxooox.").unwrap();
    let mut search = new(drawn, MctsSettings::default(), 1);
    run(&mut search, &Hashed, 50, true);
    assert_eq!((search.proof(), search.value()), (Some(Proof::Draw), 0.0));
    // Nought has to stop the line of crosses at p2.
    let forced = TicTacToe::from_notation("xx..o....").unwrap();
    let mut search = new(forced, MctsSettings::default(), 1);
    run(&mut search, &Hashed, 5000, true);
    let lost = search.proofs().filter(|&(_, proof)| proof == Some(Proof::Loss)).count();
    assert_eq!(lost, 5, "all but one");
    assert!((0..100).all(|_| search.choose(1.0).unwrap().to_string() == "p2"));
}

#[test]
fn a_kept_subtree_keeps_its_visits() {
    let settings = MctsSettings { cycles: false, ..MctsSettings::default() };
    let mut search = new(Surakarta::start(), settings, 1);
    run(&mut search, &Hashed, 400, false);
    let (mv, visits) = search.visits().max_by_key(|&(_, visits)| visits).unwrap();
    let (value, nodes) = (search.values().find(|&(other, _)| other == mv).unwrap().1.unwrap(), search.n_nodes());
    search.advance(mv);
    // A node's visits are those of its moves and the one that opened it.
    assert_eq!(search.visits().map(|(_, visits)| visits).sum::<u32>(), visits - 1);
    assert!((search.value() + value).abs() < 1e-9, "{} and {value}: the turn passed", search.value());
    assert!(search.n_nodes() < nodes);
    let mut cache = EvaluationCache::new(0, 0);
    let asked = run_with(&mut search, &Hashed, &mut cache, 400, false);
    assert!(asked <= 401 - visits);
    assert_eq!(search.visits().map(|(_, visits)| visits).sum::<u32>(), 400);
    search.forget();
    assert_eq!((search.n_nodes(), search.value(), search.choose(0.0)), (0, 0.0, None));
}

#[test]
fn a_tree_without_room_ends_the_search() {
    let settings = MctsSettings { max_nodes: 10, ..MctsSettings::default() };
    let mut search = new(Surakarta::start(), settings, 1);
    run(&mut search, &Hashed, 400, false);
    assert_eq!((search.n_nodes(), search.is_full()), (10, true));
    assert!(search.choose(0.1).is_some());
}

#[test]
fn the_cache_answers_what_was_asked_before_and_changes_nothing() {
    let search_with = |cache: &mut EvaluationCache| {
        let mut search = new(Surakarta::start(), MctsSettings::default(), 1);
        let asked = run_with(&mut search, &Hashed, cache, 300, true);
        (search.visits().collect::<Vec<_>>(), asked, search.cache_hits())
    };
    let (without, asked, _) = search_with(&mut EvaluationCache::new(0, 0));
    let mut cache = EvaluationCache::new(1 << 16, 64);
    let (first, fewer, hits) = search_with(&mut cache);
    let (second, none, _) = search_with(&mut cache);
    assert_eq!((&first, &second), (&without, &without));
    assert_eq!((fewer + hits as u32, none), (asked, 0));
    cache.clear();
    assert_eq!(search_with(&mut cache), (without, fewer, hits));
}

#[test]
fn temperatures_sharpen_visits_without_overflow() {
    let mut search = new(Surakarta::start(), MctsSettings::default(), 1);
    run(&mut search, &Hashed, 500, true);
    let visits: Vec<_> = search.visits().collect();
    let most = visits.iter().map(|&(_, visits)| visits).max().unwrap();
    for (&(_, visits), (_, share)) in visits.iter().zip(search.policy(1.0)) {
        assert!((share - visits as f32 / 500.0).abs() < 1e-5);
    }
    for temperature in [0.1, 0.002, 0.0] {
        let policy = search.policy(temperature);
        assert!((policy.iter().map(|&(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5);
        let best = policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
        assert!(visits.contains(&(best, most)));
    }
    assert!(search.policy(0.0).iter().all(|&(_, share)| share == 0.0 || share == 1.0));
}

#[test]
fn virtual_losses_spread_leaves_and_are_taken_back() {
    let mut search = new(Surakarta::start(), MctsSettings { solve: false, ..MctsSettings::default() }, 1);
    let (cache, net): (_, &dyn PolicyValue<Surakarta>) = (EvaluationCache::new(0, 0), &Hashed);
    let (mut rows, mut logits, mut value) = (vec![[0.0]; 16], vec![0.0; net.n_logits()], [0.0]);
    search.begin(300, false);
    let mut most = 0;
    loop {
        let leaves: Vec<_> = rows
            .iter_mut()
            .map_while(|row| match search.select(net, &cache, row) {
                Selected::Leaf(leaf) => Some(leaf),
                _ => None,
            })
            .collect();
        if leaves.is_empty() {
            break;
        }
        most = most.max(leaves.len());
        // In another order than they came.
        for (&leaf, row) in leaves.iter().zip(&rows).rev() {
            net.evaluate(row, &mut logits, &mut value);
            search.answer(leaf, net, &logits, value[0]);
        }
    }
    assert!(most > 8, "{most} at once");
    assert_eq!(search.waiting(), 0);
    let visits: Vec<u32> = search.visits().map(|(_, visits)| visits).collect();
    assert_eq!(visits.iter().sum::<u32>(), 300);
    // The root's value is the average of what its moves and its own opening gave: nothing of the losses is left.
    let sum: f64 = search.values().zip(&visits).map(|((_, value), &n)| value.unwrap_or(0.0) * f64::from(n)).sum();
    let mean = (sum + f64::from(search.evaluation())) / 301.0;
    assert!((search.value() - mean).abs() < 1e-9);
}

#[test]
fn one_seed_gives_one_search() {
    let visits = |seed: u64, settings: MctsSettings| {
        let mut search = new(Surakarta::start(), settings, seed);
        run(&mut search, &Hashed, 200, true);
        (search.visits().collect::<Vec<_>>(), search.choose(1.0))
    };
    for selection in [Selection::Puct, Selection::Gumbel] {
        let settings = MctsSettings { selection, ..MctsSettings::default() };
        assert_eq!(visits(1, settings), visits(1, settings));
        assert_ne!(visits(1, settings), visits(2, settings));
    }
}

/// Logits and values that are alike for images: sums over all images of a position.
struct SameInImages;

impl SameInImages {
    fn hash(position: &Surakarta, slot: impl Fn(usize) -> usize) -> f32 {
        let images = (0..Surakarta::IMAGES).map(|image| (position.image_key(image), slot(image) as u64));
        let sum = images.map(|(key, slot)| random::mix(key ^ slot << 32)).fold(0, u64::wrapping_add);
        random::mix(sum) as u32 as f32 / u32::MAX as f32
    }
}

impl PolicyValue<Surakarta> for SameInImages {
    fn row_len(&self) -> usize {
        Surakarta::MOVE_SLOTS + 1
    }

    fn n_logits(&self) -> usize {
        Surakarta::MOVE_SLOTS
    }

    fn write_row(&self, position: &Surakarta, row: &mut [f32]) -> View {
        row.fill(0.0);
        let moves = position.moves();
        for mv in moves {
            let slot = |image| Surakarta::move_slot(mv.image(image));
            row[Surakarta::move_slot(mv)] = 2.0 * Self::hash(position, slot);
        }
        row[Surakarta::MOVE_SLOTS] = 2.0 * Self::hash(position, |_| 0) - 1.0;
        View::default()
    }

    fn logit_of(&self, _view: View, mv: <Surakarta as Game>::Move) -> usize {
        Surakarta::move_slot(mv)
    }

    fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let rows = rows.chunks(Surakarta::MOVE_SLOTS + 1);
        for ((row, logits), value) in rows.zip(logits.chunks_mut(Surakarta::MOVE_SLOTS)).zip(values) {
            logits.copy_from_slice(&row[..Surakarta::MOVE_SLOTS]);
            *value = row[Surakarta::MOVE_SLOTS];
        }
    }
}

#[test]
fn the_image_of_a_position_gets_the_images_of_its_visits() {
    let mut stream = random::stream(5, "positions", 0);
    for plies in [5, 12, 30, 50] {
        let mut position = Surakarta::start();
        random_moves(&mut position, plies, &mut stream, |_| {});
        // Image 1 leaves the initial position as it is.
        let mut image = Surakarta::start();
        position.moves_made().for_each(|mv| image.play(mv.image(1)));
        let visits = |position: &Surakarta| {
            let mut search = new(position.clone(), MctsSettings::default(), 1);
            run(&mut search, &SameInImages, 200, false);
            search.visits().collect::<BTreeMap<_, _>>()
        };
        let of_image: BTreeMap<_, _> = visits(&position).into_iter().map(|(mv, n)| (mv.image(1), n)).collect();
        assert_eq!(visits(&image), of_image);
    }
}

/// Knows what every position of the game is worth, and nothing of moves.
struct Omniscient {
    values: HashMap<String, i32>,
}

impl PolicyValue<TicTacToe> for Omniscient {
    fn row_len(&self) -> usize {
        2
    }

    fn n_logits(&self) -> usize {
        TicTacToe::MOVE_SLOTS
    }

    fn write_row(&self, position: &TicTacToe, row: &mut [f32]) -> View {
        PolicyValue::<TicTacToe>::write_row(&Hashed, position, &mut row[..1]);
        // Not quite sure of itself, so that values differ from ends.
        row[1] = 0.8 * self.values[&position.notation()] as f32;
        View::default()
    }

    fn logit_of(&self, _view: View, mv: <TicTacToe as Game>::Move) -> usize {
        TicTacToe::move_slot(mv)
    }

    fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        for ((row, logits), value) in rows.chunks(2).zip(logits.chunks_mut(TicTacToe::MOVE_SLOTS)).zip(values) {
            PolicyValue::<TicTacToe>::evaluate(&Hashed, &row[..1], logits, std::slice::from_mut(value));
            *value = row[1];
        }
    }
}

#[test]
fn gumbels_improved_policy_is_a_better_one() {
    let mut values = HashMap::new();
    minimax(&mut TicTacToe::start(), &mut values);
    let net = Omniscient { values };
    let settings =
        MctsSettings { selection: Selection::Gumbel, solve: false, considered: 9, ..MctsSettings::default() };
    for text in ["x...o...x", ".........", "xo.......", "xx.o.....", "xox.o...."] {
        let position = TicTacToe::from_notation(text).unwrap();
        for simulations in [9, 40, 200] {
            let mut search = new(position.clone(), settings, 7);
            run(&mut search, &net, simulations, true);
            assert_eq!(search.visits().map(|(_, visits)| visits).sum::<u32>(), simulations);
            let worth = |mv| {
                let mut after = position.clone();
                after.play(mv);
                -f64::from(net.values[&after.notation()])
            };
            let expected = |policy: Vec<_>| -> f64 {
                policy.into_iter().map(|(mv, share): (_, f32)| f64::from(share) * worth(mv)).sum()
            };
            let (prior, improved) = (expected(search.priors().collect()), expected(search.policy(1.0)));
            assert!(improved >= prior - 1e-6, "{text}, {simulations}: from {prior} to {improved}");
            let best = search.priors().map(|(mv, _)| worth(mv)).fold(-1.0, f64::max);
            assert_eq!(worth(search.choose(1.0).unwrap()), best, "{text}, {simulations}");
        }
    }
}

#[test]
fn gumbel_selection_proves_too() {
    let settings = MctsSettings { selection: Selection::Gumbel, ..MctsSettings::default() };
    let mut search = new(TicTacToe::from_notation("xx..o.o..").unwrap(), settings, 1);
    run(&mut search, &Hashed, 500, true);
    assert_eq!(search.proof(), Some(Proof::Win));
    assert_eq!(search.choose(1.0).unwrap().to_string(), "p2");
}

fn searcher(trees: u32, batch: u32) -> Searcher<Surakarta> {
    let settings = SearcherSettings { trees, batch, cache_entries: 0, temperature: 0.0, ..SearcherSettings::default() };
    Searcher::new(Arc::new(Hashed), settings, 11)
}

#[test]
fn a_single_search_is_the_same_each_time_and_shares_its_simulations() {
    let start = Surakarta::start();
    for trees in [1, 3] {
        let thought = searcher(trees, 4).think(&start, Some(301), &Stopper::new());
        assert_eq!(searcher(trees, 4).think(&start, Some(301), &Stopper::new()), thought);
        assert_eq!(thought.simulations, 301);
        assert_eq!(thought.visits.iter().map(|&(_, visits)| u64::from(visits)).sum::<u64>(), 301);
        assert!(thought.line.first() == thought.best.as_ref() && thought.best.is_some());
    }
}

#[test]
fn a_single_search_keeps_its_tree_when_the_game_goes_on() {
    let (mut searcher, mut position) = (searcher(1, 1), Surakarta::start());
    let first = searcher.think(&position, Some(400), &Stopper::new());
    assert!(first.line.len() >= 2, "{:?}", first.line);
    first.line[..2].iter().for_each(|&mv| position.play(mv));
    let second = searcher.think(&position, Some(400), &Stopper::new());
    assert_eq!(second.simulations, 400);
    assert!(second.evaluations < 400, "{} evaluations", second.evaluations);
    // Another past, so nothing is kept.
    let other = Surakarta::from_notation(&position.notation()).unwrap();
    searcher.begin_game(11);
    assert!(searcher.think(&other, Some(400), &Stopper::new()).evaluations > second.evaluations);
}

#[test]
fn a_new_game_is_searched_as_if_it_were_the_first() {
    let settings = SearcherSettings { temperature: 0.0, ..SearcherSettings::default() };
    let mut searcher = Searcher::<Surakarta>::new(Arc::new(Hashed), settings, 11);
    let first = searcher.think(&Surakarta::start(), Some(300), &Stopper::new());
    searcher.begin_game(11);
    assert_eq!(searcher.think(&Surakarta::start(), Some(300), &Stopper::new()), first);
}

#[test]
fn a_stopped_search_has_a_move() {
    let stopper = Stopper::new();
    stopper.stop();
    let settings = SearcherSettings { trees: 2, ..SearcherSettings::default() };
    let factory = || Box::new(LineCounter { centre: 1 }) as Box<dyn Evaluator<TicTacToe>>;
    let mut searcher = Searcher::new(Arc::new(UniformPolicy::new(Box::new(factory))), settings, 1);
    assert!(searcher.think(&TicTacToe::start(), None, &stopper).best.is_some());
    // Nor does it go on for ever where every move ends the game, so that no simulation but the first needs the network.
    let unproved = SearcherSettings { mcts: MctsSettings { solve: false, ..MctsSettings::default() }, ..settings };
    let mut unasked = Searcher::new(Arc::new(UniformPolicy::new(Box::new(factory))), unproved, 1);
    assert!(unasked.think(&TicTacToe::from_notation("xoxxoo.xo").unwrap(), None, &stopper).best.is_some());
    // With time it finds the win.
    let position = TicTacToe::from_notation("xx..o.o..").unwrap();
    let thought = searcher.think(&position, Some(400), &Stopper::new());
    assert_eq!((thought.proof, thought.best.unwrap().to_string().as_str()), (Some(Proof::Win), "p2"));
    let over = TicTacToe::from_notation("xxxoo....").unwrap();
    assert_eq!(searcher.think(&over, Some(400), &Stopper::new()).best, None);
}
