//! The solver's board: in every window the stones of the side that attacks and of the side that defends.

use super::super::Connect6;
use super::super::point::{POINTS, Point};
use super::super::windows::{POINTS_OF, SIX, WINDOWS, WINDOWS_OF};
use super::cover::Threat;
use crate::game::Side;
use crate::random::mix;

const ZOBRIST_SEED: u64 = 0x7468_7265_6174_7336;
const WORDS: usize = WINDOWS.div_ceil(64);

/// What a side is to the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The side that tries to win.
    Attacker,
    /// Its opponent.
    Defender,
}

impl Role {
    /// What one stone adds to the count of a window: the attacker's are in the low four bits, the defender's in the high ones.
    const fn stone(self) -> u8 {
        match self {
            Self::Attacker => 1,
            Self::Defender => 0x10,
        }
    }
}

/// The windows that the solver keeps lists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All others.
    Other,
    /// Two stones of the attacker and none of the defender.
    Two,
    /// Three stones of the attacker and none of the defender.
    Three,
    /// Four or more stones of the attacker and none of the defender: he fills it in one turn.
    Attack,
    /// Four or more stones of the defender and none of the attacker.
    Counter,
}

/// The kind of a window by its count.
static KIND: [Kind; 256] = kinds();

const fn kinds() -> [Kind; 256] {
    let mut kinds = [Kind::Other; 256];
    (kinds[2], kinds[3]) = (Kind::Two, Kind::Three);
    let mut stones = SIX - 2;
    while stones <= SIX {
        kinds[stones] = Kind::Attack;
        kinds[stones << 4] = Kind::Counter;
        stones += 1;
    }
    kinds
}

/// A set of windows.
type Windows = [u64; WORDS];

/// The board.
#[derive(Clone)]
pub struct Field {
    free: [bool; POINTS],
    counts: [u8; WINDOWS],
    /// By [`Kind`].
    sets: [Windows; 5],
    key: u64,
}

impl Field {
    /// The stones of `game` with `attacker` for the side that tries to win. Points outside a smaller board hold a stone of both.
    pub fn new(game: &Connect6, attacker: Side) -> Self {
        let mut sets = [[0; WORDS]; 5];
        (0..WINDOWS).for_each(|window| sets[Kind::Other as usize][window / 64] |= 1 << (window % 64));
        let mut field = Self { free: [true; POINTS], counts: [0; WINDOWS], sets, key: 0 };
        for point in (0..POINTS).map(Point::new) {
            let index = point.index() as u16;
            match game.stone(point) {
                Some(side) if side == attacker => field.place(index, Role::Attacker),
                Some(_) => field.place(index, Role::Defender),
                None if game.is_free(point) => (),
                None => field.close(index),
            }
        }
        field
    }

    /// Makes `point` useless to both sides.
    fn close(&mut self, point: u16) {
        self.place(point, Role::Attacker);
        self.place(point, Role::Defender);
    }

    /// Whether `point` is free.
    #[inline]
    pub const fn is_free(&self, point: u16) -> bool {
        self.free[point as usize]
    }

    /// The free points.
    pub fn free(&self) -> impl Iterator<Item = u16> + '_ {
        (0..POINTS as u16).filter(|&point| self.is_free(point))
    }

    /// The key of the stones.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key with stones of `role` on two free points more.
    #[inline]
    pub(crate) fn key_with(&self, points: [u16; 2], role: Role) -> u64 {
        points.iter().fold(self.key, |key, &point| key ^ stone_key(point, role))
    }

    /// Places a stone on the free `point`.
    pub fn place(&mut self, point: u16, role: Role) {
        self.free[usize::from(point)] = false;
        self.key ^= stone_key(point, role);
        self.change(point, role.stone());
    }

    /// Takes a stone off `point`.
    pub fn remove(&mut self, point: u16, role: Role) {
        self.free[usize::from(point)] = true;
        self.key ^= stone_key(point, role);
        self.change(point, role.stone().wrapping_neg());
    }

    fn change(&mut self, point: u16, by: u8) {
        for window in WINDOWS_OF[usize::from(point)].iter() {
            let old = self.counts[window];
            let new = old.wrapping_add(by);
            self.counts[window] = new;
            let (from, to) = (KIND[usize::from(old)] as usize, KIND[usize::from(new)] as usize);
            if from != to {
                self.sets[from][window / 64] ^= 1 << (window % 64);
                self.sets[to][window / 64] ^= 1 << (window % 64);
            }
        }
    }

    /// Whether there are windows of a kind.
    pub fn has(&self, kind: Kind) -> bool {
        self.sets[kind as usize].iter().any(|&word| word != 0)
    }

    /// The windows of a kind.
    pub fn windows(&self, kind: Kind) -> impl Iterator<Item = usize> + '_ {
        let bits = |(word, &bits): (usize, &u64)| {
            let rest = |&bits: &u64| Some(bits & (bits - 1)).filter(|&bits| bits != 0);
            std::iter::successors(Some(bits).filter(|&bits| bits != 0), rest)
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        };
        self.sets[kind as usize].iter().enumerate().flat_map(bits)
    }

    /// The free points of a window.
    pub(crate) fn free_of(&self, window: usize) -> impl Iterator<Item = u16> + '_ {
        POINTS_OF[window].into_iter().filter(|&point| self.is_free(point))
    }

    /// Collects the threats of the attacker or of the defender. A window that is full is none.
    pub fn threats(&self, role: Role, out: &mut Vec<Threat>) {
        let kind = if role == Role::Attacker { Kind::Attack } else { Kind::Counter };
        out.clear();
        out.extend(self.windows(kind).filter_map(|window| Threat::of(self.free_of(window))));
    }

    /// The free points that give the attacker six in a row, if his `stones` stones are enough for that: the window that needs
    /// the fewest.
    pub fn six(&self, stones: usize) -> Option<Threat> {
        let missing = |window: &usize| SIX - usize::from(self.counts[*window]);
        let window = self.windows(Kind::Attack).min_by_key(missing)?;
        (missing(&window) <= stones).then(|| Threat::of(self.free_of(window)))?
    }

    /// How much a stone of the attacker on the free `point` adds to his rows and takes from the defender's: a guess for the
    /// order in which moves are tried.
    pub(crate) fn promise(&self, point: u16) -> i32 {
        self.weigh(&PROMISE, point)
    }

    /// How much a stone of the defender on the free `point` takes from the attacker's rows and adds to his own: a guess for the
    /// order in which defences are tried.
    pub(crate) fn harm(&self, point: u16) -> i32 {
        self.weigh(&HARM, point)
    }

    /// What the windows through `point` are worth by their counts.
    fn weigh(&self, worth: &[i32; 256], point: u16) -> i32 {
        WINDOWS_OF[usize::from(point)].iter().map(|window| worth[usize::from(self.counts[window])]).sum()
    }
}

/// See [`Field::promise`].
static PROMISE: [i32; 256] = worth([1, 4, 12, 20, 20, 20, 20], [0, 1, 3, 5, 5, 5, 5]);

/// See [`Field::harm`]. The defender's own rows count, since his threats bind the attacker's next turn. Fitted to recorded
/// positions with long disproofs. A double threat is made by a turn that stops all threats of the defender, and each defence
/// stops all of the attacker's, so windows of four and more count nothing.
static HARM: [i32; 256] = worth([0, 1, 15, 30, 0, 0, 0], [0, 2, 10, 50, 0, 0, 0]);

/// By its count, what a window is worth that holds so many stones of the attacker, or of the defender, and none of the other side.
/// An empty one is worth what `attackers` says.
const fn worth(attackers: [i32; SIX + 1], defenders: [i32; SIX + 1]) -> [i32; 256] {
    let mut worth = [0; 256];
    let mut stones = 0;
    while stones <= SIX {
        worth[stones << 4] = defenders[stones];
        worth[stones] = attackers[stones];
        stones += 1;
    }
    worth
}

const fn stone_key(point: u16, role: Role) -> u64 {
    mix(ZOBRIST_SEED ^ ((point as u64) << 8 | role.stone() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_key_with_stones_is_that_after_they_are_placed() {
        for role in [Role::Attacker, Role::Defender] {
            let mut field = Field::new(&Connect6::start(), Side::First);
            field.place(180, Role::Attacker);
            let (before, ahead) = (field.key(), field.key_with([100, 101], role));
            [100, 101].into_iter().for_each(|point| field.place(point, role));
            assert_eq!(field.key(), ahead);
            [101, 100].into_iter().for_each(|point| field.remove(point, role));
            assert_eq!(field.key(), before);
        }
    }
}
