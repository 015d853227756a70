//! Several feature sets side by side: `board91+terms`.

use super::XiangqiFeatures;
use crate::eval::FeaturesError;
use crate::features::{AttributeSpec, FeatureSet, Involution};
use crate::games::xiangqi::Xiangqi;

/// What stands between the names of joined sets.
pub(super) const JOINT: char = '+';

/// The attributes of several feature sets, one set after the other. The side to move, the last attribute of each set, is there once,
/// at the end.
#[derive(Debug, Clone)]
pub struct Joined {
    name: String,
    /// Each with the index of its first attribute.
    parts: Vec<(usize, XiangqiFeatures)>,
    n_attributes: usize,
}

impl Joined {
    /// The sets with these names, joined by `+`.
    ///
    /// # Errors
    /// When there is no such set, or one is named twice.
    pub(super) fn from_name(name: &str) -> Result<Self, FeaturesError> {
        let mut joined = Self { name: String::new(), parts: Vec::new(), n_attributes: 1 };
        for part in name.split(JOINT) {
            let set = XiangqiFeatures::from_name(part)?;
            if joined.parts.iter().any(|(_, other)| other.name() == set.name()) {
                return Err(FeaturesError { found: name.to_owned(), expected: "sets that differ".to_owned() });
            }
            joined.push(set);
        }
        Ok(joined)
    }

    fn push(&mut self, set: XiangqiFeatures) {
        let first = self.n_attributes - 1;
        self.n_attributes = first + set.n_attributes();
        if !self.parts.is_empty() {
            self.name.push(JOINT);
        }
        self.name.push_str(set.name());
        self.parts.push((first, set));
    }

    /// The set that `attribute` belongs to, and its number there.
    fn part_of(&self, attribute: usize) -> (&XiangqiFeatures, usize) {
        let after = self.parts.partition_point(|(first, _)| *first <= attribute);
        // The first set begins with attribute 0.
        let (first, set) = &self.parts[after - 1];
        (set, attribute - first)
    }
}

impl FeatureSet<Xiangqi> for Joined {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        let mut all = Vec::with_capacity(self.n_attributes);
        for (first, set) in &self.parts {
            all.truncate(*first);
            all.extend(set.attributes());
        }
        all
    }

    fn n_attributes(&self) -> usize {
        self.n_attributes
    }

    fn exchange(&self) -> Option<Involution> {
        let mut images = Vec::with_capacity(self.n_attributes);
        for (first, set) in &self.parts {
            let own = set.exchange()?;
            // The side to move of each set becomes that of the next.
            images.truncate(*first);
            images.extend((0..own.n_attributes()).map(|t| {
                let codes = (0..own.n_values(t)).map(|code| own.code(t, code as u8)).collect();
                (first + own.attribute(t), codes)
            }));
        }
        Involution::new(images)
    }

    #[inline]
    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        // The side to move that one set writes is overwritten by the next.
        self.parts.iter().for_each(|(first, set)| set.encode(position, &mut codes[*first..][..set.n_attributes()]));
    }

    fn describe(&self, attribute: usize, code: u8) -> String {
        let (set, attribute) = self.part_of(attribute);
        set.describe(attribute, code)
    }

    #[inline]
    fn raw_in_memory<'p>(&self, position: &'p Xiangqi) -> &'p [u8] {
        self.parts[0].1.raw_in_memory(position)
    }

    #[inline]
    fn write_raw(&self, position: &Xiangqi, raw: &mut [u8]) {
        let in_memory = self.raw_in_memory(position).len();
        for (at, (first, set)) in self.parts.iter().enumerate() {
            let known = set.raw_in_memory(position);
            let from = if at == 0 { 0 } else { first - in_memory };
            let until = first + set.n_attributes() - in_memory;
            let (copied, written) = raw[from..until].split_at_mut(if at == 0 { 0 } else { known.len() });
            copied.copy_from_slice(&known[..copied.len()]);
            set.write_raw(position, written);
        }
    }

    #[inline]
    fn code_of_raw(&self, attribute: usize, raw: u8) -> u8 {
        let (set, attribute) = self.part_of(attribute);
        set.code_of_raw(attribute, raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::playout::random_moves;
    use crate::random::stream;

    #[test]
    fn a_joined_set_says_what_its_parts_say() {
        for name in ["board91+terms", "terms+board91", "terms+piece-square+board91"] {
            let joined = XiangqiFeatures::from_name(name).unwrap();
            assert_eq!(XiangqiFeatures::from_name(joined.name()).unwrap().name(), joined.name());
            let parts: Vec<_> = name.split(JOINT).map(|part| XiangqiFeatures::from_name(part).unwrap()).collect();
            let specs = joined.attributes();
            let mut codes = vec![0; joined.n_attributes()];
            assert_eq!((specs.len(), specs.iter().filter(|spec| spec.name == "side").count()), (codes.len(), 1));
            random_moves(&mut Xiangqi::start(), 60, &mut stream(5, "joined", 0), |position| {
                joined.encode(position, &mut codes);
                let mut first = 0;
                for part in &parts {
                    let mut own = vec![0; part.n_attributes()];
                    part.encode(position, &mut own);
                    assert_eq!(codes[first..first + own.len() - 1], own[..own.len() - 1], "{name}");
                    assert_eq!(codes.last(), own.last());
                    first += own.len() - 1;
                }
                let mut raw = joined.raw_in_memory(position).to_vec();
                let in_memory = raw.len();
                raw.resize(codes.len(), 0);
                joined.write_raw(position, &mut raw[in_memory..]);
                let read: Vec<u8> = (0..).zip(&raw).map(|(at, &raw)| joined.code_of_raw(at, raw)).collect();
                assert_eq!(read, codes, "{name}");
            });
        }
    }

    #[test]
    fn what_cannot_be_joined_is_refused() {
        for (name, found) in [("board91+", ""), ("+terms", ""), ("board91+other", "other")] {
            assert_eq!(XiangqiFeatures::from_name(name).unwrap_err().found, found);
        }
        let error = XiangqiFeatures::from_name("board91+board91").unwrap_err().to_string();
        assert_eq!(error, "unknown features `board91+board91`: expected sets that differ");
    }
}
