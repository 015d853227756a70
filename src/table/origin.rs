//! Which row of a file each object of a table comes from.

use super::parts::{Line, Places};

/// The rows that the objects come from.
///
/// A row of counts of decisions is several objects, and an object is several rows where equal rows were merged as they were read. Objects are
/// what they are wherever they come from, so all origins are equal.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The row of each object, or the first of its rows, ascending; nothing if the objects are the first rows in their order.
    rows: Option<Vec<u32>>,
    /// How many rows each object is; nothing if each is one.
    n_rows: Option<Vec<u32>>,
    /// The parts that the rows are counted through.
    places: Places,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl Origin {
    /// Objects that come from these `rows`.
    pub fn of(rows: Vec<u32>) -> Self {
        let is_first = rows.iter().zip(0..).all(|(&row, object)| row == object);
        Self { rows: (!is_first).then_some(rows), ..Self::default() }
    }

    /// Objects that are so many rows each, of which these `rows` are the first.
    pub fn merged(rows: Vec<u32>, n_rows: Vec<u32>) -> Self {
        Self { n_rows: Some(n_rows), ..Self::of(rows) }
    }

    /// This origin, whose rows are counted through these parts.
    pub fn in_parts(self, places: Places) -> Self {
        Self { places, ..self }
    }

    /// Where the row of an object stands in its file.
    pub fn place(&self, object: u32) -> Line {
        self.places.line(self.row(object) as usize + 1)
    }

    /// The origin of objects of this origin in rows that are themselves objects of `before`.
    pub fn within(&self, before: &Self, n_objects: usize) -> Self {
        let objects: Vec<u32> = (0..n_objects as u32).map(|object| self.row(object)).collect();
        before.select(&objects)
    }

    /// How many rows each object is, where equal rows were merged.
    pub fn counts(&self) -> Option<&[u32]> {
        self.n_rows.as_deref()
    }

    /// Whether an object may be several rows.
    pub const fn is_merged(&self) -> bool {
        self.n_rows.is_some()
    }

    /// How many rows an object is.
    pub fn n_rows(&self, object: u32) -> usize {
        self.n_rows.as_ref().map_or(1, |n_rows| n_rows[object as usize] as usize)
    }

    /// How many rows objects, which ascend, are together. A row that is several of them counts once.
    pub fn n_rows_of(&self, objects: impl Iterator<Item = u32>) -> usize {
        let mut before = None;
        let begins_a_row = |object: &u32| {
            let row = Some(self.row(*object));
            std::mem::replace(&mut before, row) != row
        };
        objects.filter(begins_a_row).map(|object| self.n_rows(object)).sum()
    }

    /// Whether the number of an object can differ from that of its row.
    pub(crate) const fn renumbers(&self) -> bool {
        self.rows.is_some()
    }

    /// The row of an object.
    pub fn row(&self, object: u32) -> u32 {
        self.rows.as_ref().map_or(object, |rows| rows[object as usize])
    }

    /// The first object of a row, if it has one. The objects are `n_objects`.
    pub fn object(&self, row: u32, n_objects: usize) -> Option<u32> {
        let Some(rows) = &self.rows else { return Some(row).filter(|&object| (object as usize) < n_objects) };
        let object = rows.partition_point(|&other| other < row);
        (rows.get(object) == Some(&row)).then_some(object as u32)
    }

    /// The origin of the objects `objects`, in their order.
    pub fn select(&self, objects: &[u32]) -> Self {
        let rows = Self::of(objects.iter().map(|&object| self.row(object)).collect());
        let count = |n_rows: &Vec<u32>| objects.iter().map(|&object| n_rows[object as usize]).collect();
        Self { n_rows: self.n_rows.as_ref().map(count), places: self.places.clone(), ..rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_the_numbers_of_their_rows() {
        let counted = Origin::of(vec![0, 0, 2, 3]);
        assert_eq!([0, 1, 2, 3].map(|object| counted.row(object)), [0, 0, 2, 3]);
        assert_eq!([0, 1, 2, 3, 4].map(|row| counted.object(row, 4)), [Some(0), None, Some(2), Some(3), None]);
        let selected = counted.select(&[1, 3]);
        assert_eq!((selected.row(1), selected.object(3, 2)), (3, Some(1)));
        let first = Origin::of(vec![0, 1]);
        assert!(!first.renumbers() && counted.renumbers());
        let merged = Origin::merged(vec![0, 3, 7], vec![2, 1, 5]);
        let objects = counted.within(&merged, 3);
        assert_eq!([0, 1, 2].map(|object| (objects.row(object), objects.n_rows(object))), [(0, 2), (0, 2), (7, 5)]);
        assert_eq!((merged.n_rows_of(1..3), first.n_rows_of(0..2)), (6, 2));
        // Objects 0 and 1 are of one row.
        assert_eq!((counted.n_rows_of(0..4), objects.n_rows_of(0..3), objects.n_rows_of(1..3)), (3, 7, 7));
        assert_eq!((first.object(1, 2), first.object(2, 2)), (Some(1), None));
    }
}
