//! What a simulation costs besides the network: the tree, the rules and the softmax over legal moves, on Surakarta with an evaluator
//! that hashes positions. Each benchmark asserts what it finds.
#![allow(missing_docs)]

use divan::counter::ItemsCount;
use roughboard::eval::{PolicyValue, View};
use roughboard::game::{Game, SearchHints};
use roughboard::games::surakarta::Surakarta;
use roughboard::random;
use roughboard::search::mcts::{EvaluationCache, Mcts, MctsSettings, Selected, Selection};

fn main() {
    divan::main();
}

const SIMULATIONS: u32 = 1600;
/// Logits beforehand: the network's own time is not what is measured.
const LOGITS: usize = 1 << 12;

/// Reads logits off a fixed list, from a place that the position's key says.
struct Null;

impl PolicyValue<Surakarta> for Null {
    fn row_len(&self) -> usize {
        1
    }

    fn n_logits(&self) -> usize {
        LOGITS
    }

    fn write_row(&self, position: &Surakarta, row: &mut [f32]) -> View {
        row[0] = (position.key() >> 40) as f32 / (1 << 23) as f32 - 1.0;
        View((position.key() >> 32) as u8)
    }

    fn logit_of(&self, view: View, mv: <Surakarta as Game>::Move) -> usize {
        (Surakarta::move_slot(mv) + 11 * usize::from(view.0)) % LOGITS
    }

    fn evaluate(&self, _rows: &[f32], _logits: &mut [f32], _values: &mut [f32]) {}
}

fn search(search: &mut Mcts<Surakarta>, cache: &mut EvaluationCache, logits: &[f32]) -> u32 {
    let mut row = [0.0];
    search.forget();
    search.begin(SIMULATIONS, true);
    while let Selected::Leaf(leaf) = search.select(&Null, cache, &mut row) {
        if let Some(answer) = search.answer(leaf, &Null, logits, row[0]) {
            cache.insert(leaf.key, answer);
        }
    }
    search.visits().map(|(_, visits)| visits).sum()
}

fn measure(bencher: divan::Bencher, settings: MctsSettings, entries: usize) {
    let unit = |at: usize| random::mix(at as u64) as u32 as f32 / u32::MAX as f32;
    let logits: Vec<f32> = (0..LOGITS).map(|at| 3.0 * unit(at)).collect();
    let mut cache = EvaluationCache::new(entries, 64);
    let mut tree = Mcts::new(Surakarta::start(), settings, random::stream(1, "bench", 0));
    bencher.counter(ItemsCount::new(SIMULATIONS)).bench_local(|| {
        assert_eq!(search(&mut tree, &mut cache, &logits), SIMULATIONS);
    });
}

#[divan::bench]
fn puct(bencher: divan::Bencher) {
    measure(bencher, MctsSettings::default(), 0);
}

#[divan::bench]
fn gumbel(bencher: divan::Bencher) {
    measure(bencher, MctsSettings { selection: Selection::Gumbel, ..MctsSettings::default() }, 0);
}

/// After the first search, nearly every answer comes from the cache.
#[divan::bench]
fn puct_with_cache_hits(bencher: divan::Bencher) {
    measure(bencher, MctsSettings::default(), 1 << 18);
}
