//! The fourteen classes of what a side has on a line (S2, section 1.4), by the threats that it makes.
//!
//! A *stretch* is a run of points of one line without a stone of the opponent, as long as it can be: it ends at the edge or at
//! such a stone. Its **threats** T are the fewest stones of the opponent after which no window of six points in the stretch
//! that is free of them holds four or more stones. Four will do, as a turn is two stones. A stretch is classed by T now and by the
//! largest T after one, two and three more stones.

use std::fmt;
use std::sync::LazyLock;

use super::point::SIZE;
use super::windows::SIX;

/// Stones in a window that make it a threat: a turn of two fills it.
pub const THREAT: usize = SIX - 2;

/// The number of classes.
pub const N_PATTERNS: usize = 14;

/// What a stretch is worth to its side, best first, under the names of S2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// Six in a row.
    C6,
    /// Three threats or more on one line.
    DW,
    /// Two threats, and five stones in a window.
    L5,
    /// One threat, and five stones in a window.
    D5,
    /// Two threats, and at most four stones in a window.
    L4,
    /// One threat, and at most four stones in a window.
    D4,
    /// One more stone makes two threats.
    L3,
    /// One more stone makes one threat, two more make two.
    S3,
    /// One more stone makes one threat, and two more do not make two.
    D3,
    /// Two more stones make two threats.
    L2,
    /// Two more stones make one threat.
    D2,
    /// Three more stones make two threats.
    L1,
    /// Three more stones make one threat.
    D1,
    /// Nothing of these.
    V,
}

impl Pattern {
    /// All classes, in the order of S2.
    pub const ALL: [Self; N_PATTERNS] = [
        Self::C6,
        Self::DW,
        Self::L5,
        Self::D5,
        Self::L4,
        Self::D4,
        Self::L3,
        Self::S3,
        Self::D3,
        Self::L2,
        Self::D2,
        Self::L1,
        Self::D1,
        Self::V,
    ];

    /// The name in S2.
    pub const fn name(self) -> &'static str {
        ["C6", "DW", "L5", "D5", "L4", "D4", "L3", "S3", "D3", "L2", "D2", "L1", "D1", "V"][self.index()]
    }

    /// The class of this name; capitals matter.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// The place in [`Pattern::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The class of a stretch whose threats now and after up to three more stones are `threats`, three standing for more, with at most `largest` stones
    /// in a window.
    fn of(largest: usize, threats: [u8; 4]) -> Self {
        match (largest, threats) {
            (SIX.., _) => Self::C6,
            (_, [3, ..]) => Self::DW,
            (5, [2, ..]) => Self::L5,
            (5, [1, ..]) => Self::D5,
            (_, [2, ..]) => Self::L4,
            (_, [1, ..]) => Self::D4,
            (_, [_, 2 | 3, ..]) => Self::L3,
            (_, [_, 1, 2 | 3, _]) => Self::S3,
            (_, [_, 1, ..]) => Self::D3,
            (_, [_, _, 2 | 3, _]) => Self::L2,
            (_, [_, _, 1, _]) => Self::D2,
            (_, [.., 2 | 3]) => Self::L1,
            (_, [.., 1]) => Self::D1,
            _ => Self::V,
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The content of a stretch: which of its points hold stones of its side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stretch {
    /// Bit k is set if there is a stone on point k.
    own: u32,
    length: usize,
}

impl Stretch {
    /// A stretch of `length` points, at most 19, with stones on those whose bits are set in `own`; other bits are ignored.
    pub const fn new(own: u32, length: usize) -> Self {
        let length = if length > SIZE { SIZE } else { length };
        Self { own: own & ((1 << length) - 1), length }
    }

    /// Reads a stretch: `X` for a stone, `.` for a free point.
    pub fn parse(text: &str) -> Option<Self> {
        let bits = text.bytes().enumerate().try_fold(0, |own, (at, byte)| match byte {
            b'X' if at < SIZE => Some(own | 1 << at),
            b'.' if at < SIZE => Some(own),
            _ => None,
        });
        Some(Self::new(bits?, text.len()))
    }

    /// The number of points.
    pub const fn len(self) -> usize {
        self.length
    }

    /// Whether it has no points.
    pub const fn is_empty(self) -> bool {
        self.length == 0
    }

    /// A bit for each stone.
    pub const fn own(self) -> u32 {
        self.own
    }

    /// The class, from a table of all stretches that is made when it is first asked for.
    pub fn pattern(self) -> Pattern {
        CLASSES[self.entry()]
    }

    /// The class straight from its definition: slow, the reference for [`Stretch::pattern`].
    pub fn pattern_by_definition(self) -> Pattern {
        let threats = [0, 1, 2, 3].map(|more| self.threats_after(more).min(3) as u8);
        Pattern::of(self.largest(), threats)
    }

    /// The threats T, 0 to 6: the fewest stones of the opponent after which no window free of them holds four stones or more. A
    /// stretch that holds six in a row has one, the same that it would have had to stop.
    pub const fn threats(self) -> usize {
        // Points are hit from the left: the last free point of the first window that is not hit yet hits most others too.
        let (mut threats, mut hit, mut start) = (0, 0_u32, 0);
        while start + SIX <= self.length {
            let window = WINDOW << start;
            let (own, free) = (self.own & window, !self.own & window);
            if free == 0 {
                return 1;
            }
            if own.count_ones() as usize >= THREAT && hit & window == 0 {
                hit |= 1 << free.ilog2();
                threats += 1;
            }
            start += 1;
        }
        threats
    }

    /// The largest number of threats after `more` more stones; 0 if there is no room for them.
    pub fn threats_after(self, more: usize) -> usize {
        if more == 0 {
            return self.threats();
        }
        self.with_one_more().map(|stretch| stretch.threats_after(more - 1)).max().unwrap_or(0)
    }

    /// The stones in the window that holds most.
    fn largest(self) -> usize {
        let windows = (0..(self.length + 1).saturating_sub(SIX)).map(|start| self.own & (WINDOW << start));
        windows.map(|own| own.count_ones() as usize).max().unwrap_or(0)
    }

    /// The stretches that one more stone makes of this one.
    fn with_one_more(self) -> impl Iterator<Item = Self> {
        let free = (0..self.length).filter(move |point| self.own >> point & 1 == 0);
        free.map(move |point| Self { own: self.own | 1 << point, ..self })
    }

    /// The place in tables of all stretches: a bit that tells the length stands before those of the stones.
    const fn entry(self) -> usize {
        1 << self.length | self.own as usize
    }
}

/// Writes `X` for a stone and `.` for a free point.
impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.length).try_for_each(|point| f.write_str(if self.own >> point & 1 == 1 { "X" } else { "." }))
    }
}

/// The bits of the window that begins at the first point.
const WINDOW: u32 = (1 << SIX) - 1;

/// The class of every stretch, by [`Stretch::entry`].
static CLASSES: LazyLock<Box<[Pattern]>> = LazyLock::new(|| {
    let mut threats = vec![[0; 4]; 2 << SIZE];
    let mut classes = vec![Pattern::V; 2 << SIZE];
    for length in SIX..=SIZE {
        // More stones make a larger number, so what follows from one more stone is known before.
        for own in (0..1 << length).rev() {
            let stretch = Stretch { own, length };
            let entry = stretch.entry();
            threats[entry] = threats_now_and_later(stretch, &threats);
            classes[entry] = Pattern::of(stretch.largest(), threats[entry]);
        }
    }
    classes.into_boxed_slice()
});

/// The threats, three at most, of a stretch now and after one, two and three more stones, when those of all stretches with
/// more stones are `known`.
fn threats_now_and_later(stretch: Stretch, known: &[[u8; 4]]) -> [u8; 4] {
    let mut threats = [stretch.threats().min(3) as u8, 0, 0, 0];
    for next in stretch.with_one_more() {
        let of_next = known[next.entry()];
        for more in 1..threats.len() {
            threats[more] = threats[more].max(of_next[more - 1]);
        }
    }
    threats
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_of(length: usize) -> impl Iterator<Item = Stretch> {
        (0..1 << length).map(move |own| Stretch::new(own, length))
    }

    /// T by trying all sets of stones of the opponent.
    fn fewest_stones_that_stop(stretch: Stretch) -> u32 {
        let windows: Vec<u32> = (0..(stretch.len() + 1).saturating_sub(SIX)).map(|start| WINDOW << start).collect();
        let threats: Vec<u32> =
            windows.into_iter().filter(|window| (stretch.own & window).count_ones() as usize >= THREAT).collect();
        let stops = |set: &u32| set & stretch.own == 0 && threats.iter().all(|window| window & set != 0);
        (0..1_u32 << stretch.len()).filter(stops).map(u32::count_ones).min().unwrap()
    }

    #[test]
    fn threats_are_the_fewest_stones_that_stop_them() {
        for length in 0..=12 {
            for stretch in all_of(length).filter(|stretch| stretch.largest() < SIX) {
                assert_eq!(stretch.threats() as u32, fewest_stones_that_stop(stretch), "{stretch}");
            }
        }
    }

    #[test]
    fn the_table_holds_what_the_definition_says() {
        for length in 0..=13 {
            for stretch in all_of(length) {
                assert_eq!(stretch.pattern(), stretch.pattern_by_definition(), "{stretch}");
            }
        }
        let long = [19, 18, 17, 16].into_iter().flat_map(|length| all_of(length).step_by(1009));
        for stretch in long {
            assert_eq!(stretch.pattern(), stretch.pattern_by_definition(), "{stretch}");
        }
    }

    #[test]
    fn a_stretch_and_its_reverse_are_of_one_class() {
        for stretch in all_of(15) {
            let reversed = Stretch::new(stretch.own.reverse_bits() >> (32 - 15), 15);
            assert_eq!(stretch.pattern(), reversed.pattern(), "{stretch}");
        }
    }

    #[test]
    fn every_class_occurs() {
        for (text, pattern) in [
            (".XXXXXXX", Pattern::C6),
            ("..XXXX..XXXX..", Pattern::DW),
            (".XXXXX.", Pattern::L5),
            ("XX.XXX", Pattern::D5),
            ("..XXXX..", Pattern::L4),
            ("XXXX..", Pattern::D4),
            ("..XXX...", Pattern::L3),
            (".XXX....", Pattern::S3),
            (".XXX..", Pattern::D3),
            ("..XX....", Pattern::L2),
            ("XX....", Pattern::D2),
            (".....X.....", Pattern::L1),
            ("..X...", Pattern::D1),
            ("......", Pattern::V),
            ("XXXX.", Pattern::V),
        ] {
            let stretch = Stretch::parse(text).unwrap();
            assert_eq!((stretch.pattern(), stretch.to_string().as_str()), (pattern, text));
            assert_eq!(Pattern::named(pattern.name()), Some(pattern));
        }
        assert_eq!(Stretch::parse("XO."), None);
        assert_eq!(Stretch::parse(&".".repeat(20)), None);
    }
}
