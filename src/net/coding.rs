//! How objects enter a network: rows of value codes, and the number that each value stands for.

/// The value classes of a network's input attributes.
///
/// Attribute t has `n_values(t)` values with codes 0, 1, …; every (attribute, value) pair is one *value class*, and the
/// classes of all attributes are numbered through, attribute by attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Coding {
    first_class: Vec<usize>,
    values: Vec<f32>,
}

impl Coding {
    /// A coding from the numbers that the codes of each attribute stand for.
    pub fn new(values_of_attributes: &[Vec<f32>]) -> Self {
        let mut first_class = vec![0];
        let mut values = Vec::new();
        for attribute in values_of_attributes {
            values.extend_from_slice(attribute);
            first_class.push(values.len());
        }
        Self { first_class, values }
    }

    /// The number of attributes, n.
    pub fn n_attributes(&self) -> usize {
        self.first_class.len() - 1
    }

    /// The number of value classes of all attributes together.
    pub fn n_classes(&self) -> usize {
        self.values.len()
    }

    /// The number of values of `attribute`.
    pub fn n_values(&self, attribute: usize) -> usize {
        self.first_class[attribute + 1] - self.first_class[attribute]
    }

    /// The value class of `code` on `attribute`.
    #[inline]
    pub fn class(&self, attribute: usize, code: u8) -> usize {
        self.first_class[attribute] + usize::from(code)
    }

    /// The value classes of `attribute`.
    pub(crate) fn classes_of(&self, attribute: usize) -> std::ops::Range<usize> {
        self.first_class[attribute]..self.first_class[attribute + 1]
    }

    /// The codes of `attribute`.
    pub(crate) fn codes_of(&self, attribute: usize) -> impl Iterator<Item = u8> + use<> {
        (0..self.n_values(attribute)).map(|code| code as u8)
    }

    /// The value classes of an object with these codes, attribute by attribute.
    #[inline]
    pub fn classes(&self, codes: &[u8]) -> impl Iterator<Item = usize> {
        self.first_class.iter().zip(codes).map(|(first, &code)| first + usize::from(code))
    }

    /// The number that a value class stands for, x_t of eq. (5) of S1.
    #[inline]
    pub fn value(&self, class: usize) -> f32 {
        self.values[class]
    }

    /// The numbers of all attributes' values, attribute by attribute.
    pub(crate) fn values_of_attributes(&self) -> Vec<Vec<f32>> {
        self.first_class.windows(2).map(|bounds| self.values[bounds[0]..bounds[1]].to_vec()).collect()
    }

    /// Writes the numbers x of `codes` into `x`; both of length n.
    pub fn numbers(&self, codes: &[u8], x: &mut [f32]) {
        for (attribute, (x, &code)) in x.iter_mut().zip(codes).enumerate() {
            *x = self.value(self.class(attribute, code));
        }
    }
}

/// Rows of value codes, borrowed: shape (n_rows, n_attributes), row-major; with each row may come an *offset*, a number
/// that is added to the argument of the network's output (a skip term: what something else says of the object).
#[derive(Debug, Clone, Copy)]
pub struct CodeRows<'a> {
    codes: &'a [u8],
    n_attributes: usize,
    offsets: Option<&'a [f32]>,
}

impl<'a> CodeRows<'a> {
    /// Rows over `codes`, whose length is a multiple of `n_attributes`.
    ///
    /// # Panics
    /// When it is not.
    pub fn new(codes: &'a [u8], n_attributes: usize) -> Self {
        assert_eq!(codes.len() % n_attributes, 0, "codes must fill whole rows of {n_attributes}");
        Self { codes, n_attributes, offsets: None }
    }

    /// The same rows with one offset each, or with none.
    ///
    /// # Panics
    /// When there are not as many offsets as rows.
    #[must_use]
    pub fn with_offsets(self, offsets: Option<&'a [f32]>) -> Self {
        assert!(offsets.is_none_or(|offsets| offsets.len() == self.len()), "one offset a row");
        Self { offsets, ..self }
    }

    /// The number of rows.
    pub fn len(self) -> usize {
        self.codes.len() / self.n_attributes
    }

    /// Whether there are no rows.
    pub fn is_empty(self) -> bool {
        self.codes.is_empty()
    }

    /// The codes of row number `index`.
    #[inline]
    pub fn row(self, index: usize) -> &'a [u8] {
        &self.codes[index * self.n_attributes..(index + 1) * self.n_attributes]
    }

    /// The offset of row number `index`; 0 without offsets.
    #[inline]
    pub fn offset(self, index: usize) -> f32 {
        self.offsets.map_or(0.0, |offsets| offsets[index])
    }

    /// The codes of the rows one after the other.
    pub fn iter(self) -> std::slice::ChunksExact<'a, u8> {
        self.codes.chunks_exact(self.n_attributes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_offset_which_is_0_without_offsets() {
        let (codes, offsets) = ([0, 1, 1, 0], [0.5, -0.25]);
        let rows = CodeRows::new(&codes, 2);
        let with = rows.with_offsets(Some(&offsets));
        assert_eq!([with.offset(0), with.offset(1)], offsets);
        assert_eq!([with.row(0), with.row(1)], [[0_u8, 1], [1, 0]]);
        for without in [rows, with.with_offsets(None)] {
            assert_eq!([without.offset(0), without.offset(1)], [0.0, 0.0]);
        }
    }

    #[test]
    fn value_classes_are_numbered_through() {
        let values = [vec![-1.0, 0.0, 1.0], vec![0.5, -0.25]];
        let coding = Coding::new(&values);
        assert_eq!((coding.n_attributes(), coding.n_classes()), (2, 5));
        assert_eq!(([0, 1].map(|t| coding.n_values(t)), coding.class(1, 1)), ([3, 2], 4));
        assert_eq!((coding.classes_of(0), coding.classes_of(1)), (0..3, 3..5));
        assert_eq!(coding.codes_of(1).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(coding.classes(&[2, 1]).collect::<Vec<_>>(), [2, 4]);
        assert_eq!((coding.value(3), coding.values_of_attributes()), (0.5, values.to_vec()));
        let mut x = [9.0; 2];
        coding.numbers(&[0, 1], &mut x);
        assert_eq!(x, [-1.0, -0.25]);
    }

    #[test]
    fn rows_are_counted_whole() {
        let rows = CodeRows::new(&[0, 1, 2, 3, 4, 5], 3);
        assert_eq!((rows.len(), rows.is_empty(), rows.row(1)), (2, false, &[3_u8, 4, 5][..]));
        assert_eq!(rows.iter().collect::<Vec<_>>(), [[0_u8, 1, 2], [3, 4, 5]]);
        let none = CodeRows::new(&[], 3);
        assert_eq!((none.len(), none.is_empty(), none.iter().count()), (0, true, 0));
    }
}
