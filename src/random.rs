//! Named streams of random numbers: every draw in the library comes from one of these.
//!
//! A stream is fixed by the user's seed, a name and an index, so work split over threads draws the same numbers
//! whichever thread does it.

use rand::SeedableRng;
pub use rand_xoshiro::Xoshiro256PlusPlus as Stream;

/// The stream called `name`, number `index`, of `seed`.
///
/// ```
/// use rand::RngExt;
/// let mut a = roughboard::random::stream(7, "openings", 0);
/// let mut b = roughboard::random::stream(7, "openings", 0);
/// assert_eq!(a.random::<u64>(), b.random::<u64>());
/// ```
pub fn stream(seed: u64, name: &str, index: u64) -> Stream {
    let mut state = mix(seed ^ 0x9E37_79B9_7F4A_7C15);
    for byte in name.bytes() {
        state = mix(state ^ u64::from(byte));
    }
    Stream::seed_from_u64(mix(state ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03)))
}

/// The finaliser of splitmix64: a bijection of 64-bit words whose every output bit depends on every input bit.
pub const fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn streams_differ_by_seed_name_and_index() {
        let first = |seed, name, index| stream(seed, name, index).random::<u64>();
        let base = first(1, "a", 0);
        assert_ne!(base, first(2, "a", 0));
        assert_ne!(base, first(1, "b", 0));
        assert_ne!(base, first(1, "a", 1));
    }
}
