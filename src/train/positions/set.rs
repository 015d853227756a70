//! The rows themselves.

use std::ops::Range;

use super::PositionAccount;
use crate::net::CodeRows;

/// Positions in game order: rows of codes, results, what training aims at, and the move that was played next.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PositionSet {
    pub(super) n_attributes: usize,
    pub(super) n_kinds: usize,
    pub(super) columns: Columns,
    pub(super) games: Vec<Range<usize>>,
    /// Images that follow each game.
    pub(super) n_images: usize,
    pub(super) account: PositionAccount,
}

/// What one position teaches.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    /// Its codes.
    pub codes: &'a [u8],
    /// What a skip term adds to the argument of the output.
    pub offset: f32,
    /// What the output should be, for the side that moves first.
    pub target: f32,
}

/// What is known of each position, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Columns {
    /// `n_attributes` each.
    pub codes: Vec<u8>,
    /// `n_kinds` each.
    pub leads: Vec<i8>,
    pub results: Vec<f32>,
    /// Empty where training aims at the results.
    pub targets: Vec<f32>,
    /// Empty where there is no skip term.
    pub offsets: Vec<f32>,
    pub continuations: Vec<u32>,
}

impl Columns {
    /// Appends the positions `range` of `other`.
    fn extend(&mut self, other: &Self, range: Range<usize>, (n_attributes, n_kinds): (usize, usize)) {
        let wide = |width: usize| range.start * width..range.end * width;
        self.codes.extend_from_slice(&other.codes[wide(n_attributes)]);
        self.leads.extend_from_slice(&other.leads[wide(n_kinds)]);
        self.results.extend_from_slice(&other.results[range.clone()]);
        self.targets.extend_from_slice(other.targets.get(range.clone()).unwrap_or_default());
        self.offsets.extend_from_slice(other.offsets.get(range.clone()).unwrap_or_default());
        self.continuations.extend_from_slice(&other.continuations[range]);
    }
}

impl PositionSet {
    /// Rows that come from elsewhere: codes, `n_attributes` a row, the result of each row in [-1, 1], and how many rows belong to
    /// each game.
    ///
    /// # Panics
    /// When there are not as many codes and rows in games as results ask for.
    pub fn from_rows(n_attributes: usize, codes: Vec<u8>, results: Vec<f32>, lengths: &[usize]) -> Self {
        assert_eq!(codes.len(), results.len() * n_attributes, "codes must fill a row for each result");
        assert_eq!(lengths.iter().sum::<usize>(), results.len(), "games must hold all rows");
        let mut set = Self::empty(n_attributes, 0);
        let continuations = vec![0; results.len()];
        set.columns = Columns { codes, results, continuations, ..Columns::default() };
        set.games = lengths
            .iter()
            .scan(0, |end, &length| {
                let first = *end;
                *end += length;
                Some(first..*end)
            })
            .collect();
        set
    }

    /// A set without positions, of this many attributes and kinds of pieces.
    pub(super) fn empty(n_attributes: usize, n_kinds: usize) -> Self {
        Self { n_attributes, n_kinds, ..Self::default() }
    }

    /// Appends a game: the positions `range` of `columns`.
    pub(super) fn append(&mut self, columns: &Columns, range: Range<usize>) {
        let first = self.len();
        self.columns.extend(columns, range, (self.n_attributes, self.n_kinds));
        self.games.push(first..self.len());
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.columns.results.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.columns.results.is_empty()
    }

    /// The number of attributes of a position.
    pub fn n_attributes(&self) -> usize {
        self.n_attributes
    }

    /// The positions of each game, in the order of the games; a game is followed by its images.
    pub fn games(&self) -> &[Range<usize>] {
        &self.games
    }

    /// The number of games that were played: images do not count.
    pub fn n_played(&self) -> usize {
        self.games.len() / (1 + self.n_images)
    }

    /// What happened to the positions of the records that the set was read from.
    pub fn account(&self) -> PositionAccount {
        self.account
    }

    /// The results of the positions' games for the side that moves first: 1, 0 or -1 each.
    pub fn results(&self) -> &[f32] {
        &self.columns.results
    }

    /// Whether there are different results among these positions: where there are none, there is nothing to learn from results.
    pub fn results_differ(&self, positions: impl IntoIterator<Item = usize>) -> bool {
        let mut results = positions.into_iter().map(|position| self.columns.results[position]);
        results.next().is_some_and(|first| results.any(|other| other != first))
    }

    /// What training aims at, for the side that moves first, in [-1, 1]: the results, unless a teacher has a say.
    pub fn targets(&self) -> &[f32] {
        if self.columns.targets.is_empty() { self.results() } else { &self.columns.targets }
    }

    /// What a skip term adds to the argument of the output in each position, if there is one.
    pub fn offsets(&self) -> Option<&[f32]> {
        (!self.columns.offsets.is_empty()).then_some(&self.columns.offsets)
    }

    /// By how many pieces of each kind the side that moves first leads in a position; empty if the set was read without them.
    pub fn leads(&self, position: usize) -> &[i8] {
        &self.columns.leads[position * self.n_kinds..(position + 1) * self.n_kinds]
    }

    /// A number for the move that was played in each position: equal for equal moves.
    pub fn continuations(&self) -> &[u32] {
        &self.columns.continuations
    }

    /// The rows of a range of positions, with their offsets if there are any.
    pub fn rows(&self, range: Range<usize>) -> CodeRows<'_> {
        let codes = &self.columns.codes[range.start * self.n_attributes..range.end * self.n_attributes];
        CodeRows::new(codes, self.n_attributes).with_offsets(self.offsets().map(|offsets| &offsets[range]))
    }

    /// The codes of one position.
    pub fn row(&self, position: usize) -> &[u8] {
        &self.columns.codes[position * self.n_attributes..(position + 1) * self.n_attributes]
    }

    /// What one position teaches.
    #[inline]
    pub fn example(&self, position: usize) -> Example<'_> {
        let offset = self.columns.offsets.get(position).copied().unwrap_or_default();
        Example { codes: self.row(position), offset, target: self.targets()[position] }
    }

    /// The set of these positions, which ascend, with other results and targets, one of each a position. They stay in their
    /// games. Its account is that of the whole set.
    ///
    /// # Panics
    /// When there is no such position, or not as many results or targets.
    pub(crate) fn select_positions(&self, positions: &[usize], results: Vec<f32>, targets: Vec<f32>) -> Self {
        assert_eq!((positions.len(), positions.len()), (results.len(), targets.len()), "one of each a position");
        let mut set =
            Self { account: self.account, n_images: self.n_images, ..Self::empty(self.n_attributes, self.n_kinds) };
        let widths = (self.n_attributes, self.n_kinds);
        positions.iter().for_each(|&position| set.columns.extend(&self.columns, position..position + 1, widths));
        let before = |bound: usize| positions.partition_point(|&position| position < bound);
        set.games = self.games.iter().map(|game| before(game.start)..before(game.end)).collect();
        (set.columns.results, set.columns.targets) = (results, targets);
        set
    }

    /// The set with other codes: `maps` says for each attribute what becomes of each code.
    ///
    /// # Panics
    /// When an attribute has no map, or a code has no place in it.
    pub(crate) fn recoded(&self, maps: &[Vec<u8>]) -> Self {
        let mut set = self.clone();
        for row in set.columns.codes.chunks_exact_mut(self.n_attributes) {
            row.iter_mut().zip(maps).for_each(|(code, map)| *code = map[usize::from(*code)]);
        }
        set
    }

    /// The set of the games with these indices, in this order. Its account is that of the whole set.
    pub fn select_games(&self, indices: &[usize]) -> Self {
        let mut set = Self { account: self.account, ..Self::empty(self.n_attributes, self.n_kinds) };
        indices.iter().for_each(|&index| set.append(&self.columns, self.games[index].clone()));
        set
    }
    /// The set of the played games with these indices, in this order, each followed by its images. Its account is that of the whole
    /// set.
    pub fn select_played(&self, indices: &[usize]) -> Self {
        let width = 1 + self.n_images;
        let games: Vec<usize> = indices.iter().flat_map(|&index| index * width..(index + 1) * width).collect();
        Self { n_images: self.n_images, ..self.select_games(&games) }
    }

    /// The games as they were played, without images.
    pub fn without_images(&self) -> Self {
        let played: Vec<usize> = (0..self.games.len()).step_by(1 + self.n_images).collect();
        self.select_games(&played)
    }
}
