//! Games as 64-bit keys: whole, mirrored, by their beginning, by their headers.
//!
//! Keys are made of the text of the moves and of the bytes of tags, so that they are the same in every version and on every
//! machine. That two of a million different games share a key has a chance below 10⁻⁵, all their prefixes counted.

use std::fmt::{self, Write};

use crate::game::symmetry::Symmetric;
use crate::game::{Game, Side};
use crate::random::mix;
use crate::record::entry::GameRecord;

/// How the images of a game are keyed, for games that have some.
pub struct Reflection<G: Game>(fn(&GameRecord<G>) -> u64);

impl<G: Symmetric> Default for Reflection<G> {
    /// All images of the board.
    fn default() -> Self {
        Self(folded_key)
    }
}

/// A key that grows by pieces of text.
#[derive(Clone, Copy)]
struct Key(u64);

impl Write for Key {
    /// One round of FNV-1a a byte.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

impl Key {
    /// Adds a piece; pieces keep apart: `ab` and `c` give another key than `a` and `bc`.
    fn add(self, piece: impl fmt::Display) -> Self {
        let mut key = Self(self.0 ^ 0xcbf2_9ce4_8422_2325);
        // Writing to a key cannot fail.
        let _ = write!(key, "{piece}");
        Self(mix(key.0))
    }
}

/// The key of a start position: 0 for the start of the game, so that it does not depend on how positions are keyed.
fn start_key<G: Game>(start: &G, key: impl Fn(&G) -> u64) -> Key {
    let (key, conditions) = (key(start), start.conditions());
    let key = Key(if key == G::start().key() { 0 } else { key });
    if conditions.is_empty() { key } else { key.add(conditions) }
}

/// The keys of the game after each of its plies, from none to all.
pub(super) fn prefix_keys<G: Game>(record: &GameRecord<G>) -> Vec<u64> {
    let mut key = start_key(&record.start, G::key);
    let mut keys = vec![key.0];
    keys.extend(record.moves.iter().map(|&mv| {
        key = key.add(mv);
        key.0
    }));
    keys
}

/// A key of start and moves.
///
/// ```
/// use roughboard::game::{Game, Notation};
/// use roughboard::games::xiangqi::Xiangqi;
/// use roughboard::record::{GameRecord, clean::game_key};
/// let mut record = GameRecord::new(Xiangqi::start());
/// let before = game_key(&record);
/// record.push(record.start.parse_move("h2e2").unwrap(), None);
/// assert_ne!(game_key(&record), before);
/// ```
pub fn game_key<G: Game>(record: &GameRecord<G>) -> u64 {
    key_of_image(record, G::key, |mv| mv)
}

/// The smallest [`game_key`] of the game and its images, which is that of all of them.
pub fn folded_key<G: Symmetric>(record: &GameRecord<G>) -> u64 {
    let of_image =
        |image| key_of_image(record, |start| start.image_key(image), |mv| record.start.image_move(mv, image));
    (1..G::IMAGES).fold(game_key(record), |least, image| least.min(of_image(image)))
}

/// [`folded_key`], where the game has images.
pub(super) fn mirrored_key<G: Game>(record: &GameRecord<G>, reflection: &Reflection<G>) -> u64 {
    (reflection.0)(record)
}

/// [`game_key`] of the image that has these keys of positions and these moves.
fn key_of_image<G: Game>(record: &GameRecord<G>, key: impl Fn(&G) -> u64, image: impl Fn(G::Move) -> G::Move) -> u64 {
    record.moves.iter().fold(start_key(&record.start, key), |key, &mv| key.add(image(mv))).0
}

/// A key of tags, in whatever order they stand, and result.
pub(super) fn header_key<G: Game>(record: &GameRecord<G>) -> u64 {
    let mut tags: Vec<_> = record.tags().iter().map(|(name, value)| (name, value.trim())).collect();
    tags.sort_unstable();
    let tags = tags.into_iter().fold(Key(0), |key, (name, value)| key.add(name).add(value));
    tags.add(record.result()).0
}

/// A key of the game after `plies` plies, its players and its result; `None` for a shorter game and for one of unnamed players.
pub(super) fn near_key<G: Game>(record: &GameRecord<G>, prefixes: &[u64], plies: usize) -> Option<u64> {
    let player = |side: Side| record.player(side).map(str::trim).filter(|name| *name != "?").unwrap_or_default();
    let (first, second) = (player(Side::First), player(Side::Second));
    if first.is_empty() && second.is_empty() {
        return None;
    }
    Some(Key(*prefixes.get(plies)?).add(first).add(second).add(record.result()).0)
}

/// A number in [0, 1) for a game, by `seed` and its [`game_key`]; games are drawn and split by it.
pub fn lot(seed: u64, game: u64) -> f64 {
    const STEPS: u64 = 1 << 53;
    (mix(mix(seed) ^ game) >> 11) as f64 / STEPS as f64
}
