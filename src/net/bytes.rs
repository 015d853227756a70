//! Where two rows of bytes differ, found a block at a time.

/// Bytes that are compared at once.
const BLOCK: usize = 16;

/// The differences of so many bytes are gone through together: most moves change as many bytes of a board, so that the processor
/// foresees the end of one loop over all of it, but not those of a loop over each block.
const GROUP: usize = u128::BITS as usize;

/// Calls `found` with each place, in ascending order, at which `a` and `b`, which are of one length, differ.
#[inline]
pub(crate) fn for_each_difference(a: &[u8], b: &[u8], mut found: impl FnMut(usize)) {
    for (group, (a, b)) in a.chunks(GROUP).zip(b.chunks(GROUP)).enumerate() {
        for_each_bit(differences(a, b), |at| found(group * GROUP + at));
    }
}

/// Makes `old` equal to `new`, which is of the same length, and calls `changed` with each place, in ascending order, at which it was
/// not, and the new byte.
#[inline(always)]
pub fn update(old: &mut [u8], new: &[u8], mut changed: impl FnMut(usize, u8)) {
    for (group, (old, new)) in old.chunks_mut(GROUP).zip(new.chunks(GROUP)).enumerate() {
        for_each_bit(differences(old, new), |at| {
            old[at] = new[at];
            changed(group * GROUP + at, new[at]);
        });
    }
}

#[inline(always)]
fn for_each_bit(mut bits: u128, mut found: impl FnMut(usize)) {
    while bits != 0 {
        found(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The bytes, at most [`GROUP`], in which `a` and `b` differ, one bit each.
#[inline(always)]
fn differences(a: &[u8], b: &[u8]) -> u128 {
    let Some((last_a, last_b)) = a.last_chunk::<BLOCK>().zip(b.last_chunk::<BLOCK>()) else {
        return a.iter().zip(b).enumerate().fold(0, |found, (at, (a, b))| found | u128::from(a != b) << at);
    };
    let half = GROUP / 2;
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(half.min(a.len())), b.split_at(half.min(b.len())));
    let (low, high) = (differences_of_half(a_low, b_low), differences_of_half(a_high, b_high));
    // The last block may overlap the one before: equal bits twice do no harm.
    let last = u128::from(differences_of_block(last_a, last_b)) << (a.len() - BLOCK);
    u128::from(low) | u128::from(high) << half | last
}

/// The same for the whole blocks of at most half as many bytes.
#[inline(always)]
fn differences_of_half(a: &[u8], b: &[u8]) -> u64 {
    let mut found = 0;
    for (at, (a, b)) in a.as_chunks().0.iter().zip(b.as_chunks().0).enumerate() {
        found |= u64::from(differences_of_block(a, b)) << (BLOCK * at);
    }
    found
}

/// The same for one block.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn differences_of_block(a: &[u8; BLOCK], b: &[u8; BLOCK]) -> u16 {
    use std::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};
    let [a, b] = [a, b].map(|bytes| bytes.as_ptr().cast::<__m128i>());
    // SAFETY: both blocks are as long as a register, and every x86-64 processor has SSE2.
    let equal = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(a), _mm_loadu_si128(b))) };
    !(equal as u16)
}

/// The same for one block.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn differences_of_block(a: &[u8; BLOCK], b: &[u8; BLOCK]) -> u16 {
    a.iter().zip(b).enumerate().fold(0, |found, (at, (a, b))| found | u16::from(a != b) << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_those_of_single_bytes() {
        for length in [0, 1, 7, 15, 16, 17, 63, 64, 65, 90, 91, 128, 129, 144, 300] {
            let a: Vec<u8> = (0..length).map(|i| (i * 37 % 251) as u8).collect();
            for step in 1..=length.max(1) {
                let mut b = a.clone();
                (0..length).step_by(step).for_each(|i| b[i] ^= [1, 0x80, 0xff, 0x7f][i % 4]);
                let expected: Vec<usize> = (0..length).filter(|&i| a[i] != b[i]).collect();
                let mut found = Vec::new();
                for_each_difference(&a, &b, |at| found.push(at));
                assert_eq!(found, expected, "{length} bytes, every {step}");
                let (mut old, mut changes) = (a.clone(), Vec::new());
                update(&mut old, &b, |at, byte| changes.push((at, byte)));
                assert_eq!(changes, expected.iter().map(|&at| (at, b[at])).collect::<Vec<_>>());
                assert_eq!(old, b);
            }
        }
    }
}
