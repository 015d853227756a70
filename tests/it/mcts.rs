//! Monte Carlo tree search: its laws, and its results beside slow references.

use roughboard::eval::{PolicyValue, View};
use roughboard::game::Game;
use roughboard::games::surakarta::Surakarta;
use roughboard::random;
use roughboard::search::mcts::{EvaluationCache, Mcts, MctsSettings, Selected};

/// Logits and values that are hashes of the position: nothing about them is regular.
pub struct Hashed;

impl<G: Game> PolicyValue<G> for Hashed {
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

    fn row_key(&self, position: &G) -> u64 {
        position.key()
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
fn run<G: Game>(search: &mut Mcts<G>, net: &dyn PolicyValue<G>, simulations: u32, noise: bool) {
    let mut cache = EvaluationCache::new(0, 0);
    run_with(search, net, &mut cache, simulations, noise);
}

fn run_with<G: Game>(
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
                search.answer(leaf, net, &logits, value[0]);
                search.remember(leaf, cache);
                asked += 1;
            }
            Selected::Pending => panic!("nothing is pending"),
            Selected::Done => return asked,
        }
    }
}

fn new<G: Game>(position: G, settings: MctsSettings, seed: u64) -> Mcts<G> {
    Mcts::new(position, settings, random::stream(seed, "test", 0))
}

#[test]
fn priors_are_those_of_legal_moves_and_sum_to_one() {
    let mut search = new(Surakarta::start(), MctsSettings::default(), 1);
    run(&mut search, &Hashed, 50, true);
    let mut legal = Vec::new();
    Surakarta::start().legal_moves(&mut legal);
    assert!(search.priors().map(|(mv, _)| mv).eq(legal.iter().copied()));
    let sum = |priors: &[f32]| priors.iter().sum::<f32>();
    let priors: Vec<f32> = search.priors().map(|(_, prior)| prior).collect();
    assert!((sum(&priors) - 1.0).abs() < 1e-5 && (sum(search.search_priors()) - 1.0).abs() < 1e-5);
    assert_ne!(priors, search.search_priors(), "there is noise");
    assert_eq!(search.visits().map(|(_, visits)| visits).sum::<u32>(), 50);
}
