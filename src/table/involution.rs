//! Exchanges of values that are undone when they are done again, such as that of the colours of a board.

/// What becomes of each attribute and of its values when two roles are exchanged: the value x of attribute t is the value x' of
/// attribute t' afterwards. Done twice it changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Involution {
    /// For each attribute the one that it becomes, and the code there of each of its own codes.
    images: Vec<(usize, Vec<u8>)>,
}

impl Involution {
    /// The involution of these images: for each attribute the index of the one that it becomes, and for each of its codes the code
    /// there. `None` unless every code of every attribute comes back when the exchange is done twice.
    pub fn new(images: Vec<(usize, Vec<u8>)>) -> Option<Self> {
        let image = |t: usize, code: u8| -> Option<(usize, u8)> {
            let (other, codes) = images.get(t)?;
            Some((*other, *codes.get(usize::from(code))?))
        };
        let comes_back = |t: usize, code: usize| {
            let code = u8::try_from(code).ok()?;
            let (other, there) = image(t, code)?;
            (image(other, there)? == (t, code)).then_some(())
        };
        let attribute_comes_back = |t: usize| (0..images[t].1.len()).try_for_each(|code| comes_back(t, code));
        (0..images.len()).try_for_each(attribute_comes_back)?;
        Some(Self { images })
    }

    /// The number of attributes.
    pub fn n_attributes(&self) -> usize {
        self.images.len()
    }

    /// The number of values of `attribute`.
    ///
    /// # Panics
    /// When there is no such attribute, as in the other questions.
    pub fn n_values(&self, attribute: usize) -> usize {
        self.images[attribute].1.len()
    }

    /// The attribute that `attribute` becomes.
    pub fn attribute(&self, attribute: usize) -> usize {
        self.images[attribute].0
    }

    /// The code that `code` of `attribute` becomes, on [`Involution::attribute`].
    pub fn code(&self, attribute: usize, code: u8) -> u8 {
        self.images[attribute].1[usize::from(code)]
    }

    /// The lowest and the highest code that those in `first..=last` of `attribute` become, if they are an interval there too.
    pub fn interval(&self, attribute: usize, first: u8, last: u8) -> Option<(u8, u8)> {
        let images = || (first..=last).map(|code| self.code(attribute, code));
        let (lowest, highest) = (images().min()?, images().max()?);
        // Different codes have different images, so that as many as fit between the two fill it.
        (highest - lowest == last - first).then_some((lowest, highest))
    }

    /// The codes of the object that an object with these `codes`, one an attribute, becomes.
    pub fn applied(&self, codes: &[u8]) -> Vec<u8> {
        let image = |t: usize| {
            let (other, _) = self.images[t];
            self.code(other, codes[other])
        };
        (0..self.images.len()).map(image).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two attributes that change places, their values reversed, and one that stays with two of its values exchanged.
    fn involution() -> Involution {
        Involution::new(vec![(1, vec![2, 1, 0]), (0, vec![2, 1, 0]), (2, vec![0, 2, 1, 3])]).unwrap()
    }

    #[test]
    fn what_is_exchanged_twice_is_what_it_was() {
        let involution = involution();
        assert_eq!(involution.applied(&[0, 1, 2]), [1, 2, 1]);
        assert_eq!(involution.applied(&[1, 2, 1]), [0, 1, 2]);
        assert_eq!((involution.attribute(0), involution.code(2, 3), involution.n_values(2)), (1, 3, 4));
    }

    #[test]
    fn intervals_stay_intervals_where_values_stay_together() {
        let involution = involution();
        assert_eq!(involution.interval(0, 0, 1), Some((1, 2)));
        assert_eq!(involution.interval(2, 1, 2), Some((1, 2)));
        assert_eq!(involution.interval(2, 0, 1), None);
        assert_eq!(involution.interval(2, 1, 1), Some((2, 2)));
    }

    #[test]
    fn what_does_not_come_back_is_no_involution() {
        for images in [
            vec![(0, vec![1, 2, 0])],
            vec![(1, vec![0, 1]), (0, vec![0])],
            vec![(1, vec![0]), (2, vec![0]), (0, vec![0])],
            vec![(1, vec![0])],
            vec![(0, vec![0, 0])],
        ] {
            assert_eq!(Involution::new(images.clone()), None, "{images:?}");
        }
        assert_eq!(Involution::new(Vec::new()).map(|none| none.n_attributes()), Some(0));
    }
}
