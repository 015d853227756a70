//! Where two rows of bytes differ, found a word at a time.

/// Bytes are compared a word at a time.
const WORD: usize = size_of::<u64>();

/// A block of words is gone through at once: most moves change as many bytes of a board, so that the processor foresees the end
/// of one loop over all of it, but not those of a loop over each word.
const BLOCK: usize = u128::BITS as usize;

/// Calls `found` with each place, in ascending order, at which `a` and `b` differ.
#[inline]
pub fn for_each_difference(a: &[u8], b: &[u8], mut found: impl FnMut(usize)) {
    for (block, (a, b)) in a.chunks(BLOCK).zip(b.chunks(BLOCK)).enumerate() {
        let mut different = differences(a, b);
        while different != 0 {
            found(block * BLOCK + different.trailing_zeros() as usize);
            different &= different - 1;
        }
    }
}

/// The bytes, at most [`BLOCK`], in which `a` and `b` differ, one bit each.
#[inline]
fn differences(a: &[u8], b: &[u8]) -> u128 {
    let half = BLOCK / 2;
    let (a_low, a_high) = a.split_at(half.min(a.len()));
    let (b_low, b_high) = b.split_at(half.min(b.len()));
    u128::from(differences_of_half(a_low, b_low)) | u128::from(differences_of_half(a_high, b_high)) << half
}

#[inline]
fn differences_of_half(a: &[u8], b: &[u8]) -> u64 {
    let ((a_words, a_rest), (b_words, b_rest)) = (a.as_chunks::<WORD>(), b.as_chunks::<WORD>());
    let whole = a_words
        .iter()
        .zip(b_words)
        .enumerate()
        .fold(0, |found, (at, (a, b))| found | differences_of_word(*a, *b) << (WORD * at));
    let rest = a_rest.iter().zip(b_rest).enumerate().fold(0, |found, (at, (a, b))| found | u64::from(a != b) << at);
    // Beyond a whole half there is no rest, and nothing to shift.
    whole | rest.checked_shl((WORD * a_words.len()) as u32).unwrap_or_default()
}

#[inline]
fn differences_of_word(a: [u8; WORD], b: [u8; WORD]) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    /// Times a word with a bit at the bottom of each byte, this has the eight bits in its highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let different = u64::from_le_bytes(a) ^ u64::from_le_bytes(b);
    // A byte is not 0 if its highest bit is set, or becomes so when 127 is added to the others.
    let highest = ((different & (0x7f * LOW)) + 0x7f * LOW) | different;
    ((highest >> 7) & LOW).wrapping_mul(GATHER) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_those_of_single_bytes() {
        for length in [0, 1, 7, 8, 63, 64, 65, 91, 128, 129, 300] {
            let a: Vec<u8> = (0..length).map(|i| (i * 37 % 251) as u8).collect();
            for step in 1..=length.max(1) {
                let mut b = a.clone();
                (0..length).step_by(step).for_each(|i| b[i] ^= [1, 0x80, 0xff, 0x7f][i % 4]);
                let expected: Vec<usize> = (0..length).filter(|&i| a[i] != b[i]).collect();
                let mut found = Vec::new();
                for_each_difference(&a, &b, |at| found.push(at));
                assert_eq!(found, expected, "{length} bytes, every {step}");
            }
        }
    }
}
