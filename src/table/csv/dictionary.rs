//! The different cells of a column, numbered in the order in which they occur.

use rustc_hash::FxHashMap;

/// The bytes of a cell that fit a word, beside its length.
const SHORT: usize = 7;

/// Bytes that an allocation costs beside those asked for.
const ALLOCATION: usize = 16;

/// A cell as it is looked up.
#[derive(Clone, Copy)]
pub enum Cell<'t> {
    /// The bytes of a short cell, and above them its length and 1, so that none is 0.
    Short(u64),
    Long(&'t [u8]),
}

impl<'t> Cell<'t> {
    pub fn of(bytes: &'t [u8]) -> Self {
        if bytes.len() > SHORT {
            return Self::Long(bytes);
        }
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        Self::short(u64::from_le_bytes(word), bytes.len())
    }

    /// The cell of the first `length` bytes, at most [`SHORT`], of a word.
    #[inline]
    pub const fn short(word: u64, length: usize) -> Self {
        Self::Short(word & ((1 << (8 * length)) - 1) | (length as u64 + 1) << (8 * SHORT))
    }
}

/// The different cells of a column, with the line on which each stands first.
#[derive(Default)]
pub struct Dictionary {
    short: ShortCells,
    long: FxHashMap<Box<[u8]>, u32>,
    cells: Vec<(String, usize)>,
    /// The bytes of all texts.
    n_bytes: usize,
}

impl Dictionary {
    /// The number of a cell.
    #[inline(always)]
    pub fn find(&self, cell: Cell<'_>) -> Option<u32> {
        match cell {
            Cell::Short(key) => self.short.find(key),
            Cell::Long(bytes) => self.long.get(bytes).copied(),
        }
    }

    /// The number of a cell, which is taken up if it is new.
    pub fn number(&mut self, text: &str, line: usize) -> u32 {
        let (cell, next) = (Cell::of(text.as_bytes()), self.cells.len() as u32);
        if let Some(number) = self.find(cell) {
            return number;
        }
        match cell {
            Cell::Short(key) => self.short.insert(key, next),
            Cell::Long(bytes) => drop(self.long.insert(bytes.into(), next)),
        }
        self.cells.push((text.to_owned(), line));
        self.n_bytes += text.len();
        next
    }

    /// The different cells, each with the line on which it stands first.
    pub fn cells(&self) -> impl Iterator<Item = (&str, usize)> {
        self.cells.iter().map(|(text, line)| (text.as_str(), *line))
    }

    /// The line on which a cell stands first.
    pub fn line_of(&self, text: &str) -> Option<usize> {
        self.find(Cell::of(text.as_bytes())).map(|number| self.cells[number as usize].1)
    }

    /// About how many bytes of memory it takes: what an allocation costs beside its bytes is counted in.
    pub fn bytes(&self) -> usize {
        let entries = self.long.capacity() * (size_of::<(Box<[u8]>, u32)>() + 1);
        let cells = self.cells.capacity() * size_of::<(String, usize)>() + self.cells.len() * ALLOCATION;
        self.short.slots.len() * size_of::<(u64, u32)>() + entries + cells + 2 * self.n_bytes
    }

    /// How many different cells there are.
    pub const fn len(&self) -> usize {
        self.cells.len()
    }
}

/// Keys of short cells and their numbers: a table that is never more than half full, with 0 for no key.
#[derive(Default)]
struct ShortCells {
    slots: Vec<(u64, u32)>,
    n_keys: usize,
}

impl ShortCells {
    #[inline(always)]
    fn find(&self, key: u64) -> Option<u32> {
        let last = self.slots.len().wrapping_sub(1);
        let mut at = hash(key);
        loop {
            let &(found, number) = self.slots.get(at & last)?;
            if found == key {
                return Some(number);
            }
            if found == 0 {
                return None;
            }
            at = (at & last) + 1;
        }
    }

    /// Takes up a key that is not there.
    fn insert(&mut self, key: u64, number: u32) {
        self.n_keys += 1;
        if 2 * self.n_keys > self.slots.len() {
            let larger = vec![(0, 0); (4 * self.n_keys).next_power_of_two()];
            let smaller = std::mem::replace(&mut self.slots, larger);
            smaller.into_iter().filter(|(key, _)| *key != 0).for_each(|(key, number)| self.put(key, number));
        }
        self.put(key, number);
    }

    fn put(&mut self, key: u64, number: u32) {
        let last = self.slots.len() - 1;
        let mut at = hash(key) & last;
        while self.slots[at].0 != 0 {
            at = (at + 1) & last;
        }
        self.slots[at] = (key, number);
    }
}

#[inline]
const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_numbers_whatever_their_length() {
        let texts: Vec<String> = (0..3000_u32).map(|n| (n * n).to_string().repeat(1 + n as usize % 3)).collect();
        let texts: Vec<&str> = [""].into_iter().chain(texts.iter().map(String::as_str)).collect();
        let mut dictionary = Dictionary::default();
        assert_eq!(dictionary.find(Cell::of(b"")), None);
        let numbers: Vec<u32> = texts.iter().zip(1..).map(|(text, line)| dictionary.number(text, line)).collect();
        for (text, number) in texts.iter().zip(numbers) {
            assert_eq!(dictionary.find(Cell::of(text.as_bytes())), Some(number));
            assert_eq!(dictionary.cells().nth(number as usize).unwrap().0, *text);
        }
        assert_eq!(dictionary.find(Cell::of(b"\0")), None);
        assert!(dictionary.cells().map(|(_, line)| line).is_sorted());
    }

    #[test]
    fn a_short_cell_is_the_begin_of_a_word() {
        let bytes = b"12,3,4,5";
        for length in 0..=SHORT {
            let cells = (Cell::short(u64::from_le_bytes(*bytes), length), Cell::of(&bytes[..length]));
            let (Cell::Short(a), Cell::Short(b)) = cells else { panic!("{length}") };
            assert_eq!(a, b, "{length}");
        }
        assert!(matches!(Cell::of(bytes), Cell::Long(_)));
    }

    #[test]
    fn the_memory_of_the_cells_and_of_what_finds_them_is_counted() {
        // Short cells are found in slots of which half are free at least, long ones by an entry each.
        let bytes = |width: usize| {
            let mut dictionary = Dictionary::default();
            for n in 0..1000 {
                dictionary.number(&format!("{n:0width$}"), 1);
            }
            dictionary.bytes()
        };
        for (width, to_find) in [(4, 2 * size_of::<(u64, u32)>()), (8, size_of::<(Box<[u8]>, u32)>())] {
            let least = 1000 * (size_of::<(String, usize)>() + ALLOCATION + 2 * width + to_find);
            assert!((least..2 * least).contains(&bytes(width)), "{width}");
        }
        // Each byte more is there twice: in the text, and in what finds it.
        assert_eq!(bytes(30) - bytes(8), 2 * 22 * 1000);
    }
}
