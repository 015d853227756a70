//! Which row of a file each object of a table comes from.

/// The rows that the objects come from, ascending; nothing if the objects are the first rows in their order.
///
/// A row of counts of decisions is several objects. Objects are what they are wherever they come from, so all origins are
/// equal.
#[derive(Debug, Clone, Default)]
pub struct Origin(Option<Vec<u32>>);

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
        Self((!is_first).then_some(rows))
    }

    /// Whether the number of an object can differ from that of its row.
    pub const fn renumbers(&self) -> bool {
        self.0.is_some()
    }

    /// The row of an object.
    pub fn row(&self, object: u32) -> u32 {
        self.0.as_ref().map_or(object, |rows| rows[object as usize])
    }

    /// The first object of a row, if it has one. The objects are `n_objects`.
    pub fn object(&self, row: u32, n_objects: usize) -> Option<u32> {
        let Some(rows) = &self.0 else { return Some(row).filter(|&object| (object as usize) < n_objects) };
        let object = rows.partition_point(|&other| other < row);
        (rows.get(object) == Some(&row)).then_some(object as u32)
    }

    /// The origin of the objects `objects`, in their order.
    pub fn select(&self, objects: &[u32]) -> Self {
        Self::of(objects.iter().map(|&object| self.row(object)).collect())
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
        assert_eq!((first.object(1, 2), first.object(2, 2)), (Some(1), None));
    }
}
