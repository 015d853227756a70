//! Words of rows made of the bytes of lanes: the byte of each lane in its place of the word.

/// Lanes in a word.
pub const LANES: usize = 8;

/// Puts the `bytes` of each row, one of every lane, side by side, as the word `at` of a row of `stride` words.
pub fn put_words<const N: usize>(bytes: [&[u8; N]; LANES], rows: &mut [u64], stride: usize, at: usize) {
    #[cfg(target_arch = "x86_64")]
    let n_put = sixteen::put_words(bytes, rows, stride, at);
    #[cfg(not(target_arch = "x86_64"))]
    let n_put = 0;
    for (place, row) in rows.chunks_exact_mut(stride).enumerate().skip(n_put) {
        row[at] = u64::from_le_bytes(bytes.map(|lane| lane[place]));
    }
}

/// Sixteen rows at a time: four times as fast.
#[cfg(target_arch = "x86_64")]
mod sixteen {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Rows whose bytes fill a register.
    const ROWS: usize = 16;

    /// Does as much as it can of [`super::put_words`], and tells of how many rows: of as many as are a multiple of sixteen.
    pub fn put_words<const N: usize>(bytes: [&[u8; N]; LANES], rows: &mut [u64], stride: usize, at: usize) -> usize {
        let n_parts = N.min(rows.len() / stride) / ROWS;
        for part in 0..n_parts {
            let lanes = bytes.map(|lane| &lane.as_chunks::<ROWS>().0[part]);
            put_sixteen(lanes, &mut rows[part * ROWS * stride..][..ROWS * stride], stride, at);
        }
        n_parts * ROWS
    }

    /// Bytes of two lanes come side by side, then pairs of two, then fours.
    #[inline]
    fn put_sixteen(lanes: [&[u8; ROWS]; LANES], rows: &mut [u64], stride: usize, at: usize) {
        assert!(at < stride && rows.len() == ROWS * stride);
        let rows = rows.as_mut_ptr();
        // SAFETY: every processor of this kind has these instructions. Sixteen bytes of each lane are read; and word `at < stride` of
        // each of sixteen rows of `stride` words is written.
        unsafe {
            let lanes = lanes.map(|lane| _mm_loadu_si128(lane.as_ptr().cast()));
            let twos = |a, b| [_mm_unpacklo_epi8(lanes[a], lanes[b]), _mm_unpackhi_epi8(lanes[a], lanes[b])];
            let twos = [twos(0, 1), twos(2, 3), twos(4, 5), twos(6, 7)];
            for half in 0..2 {
                let [a, b, c, d] = twos.map(|twos| twos[half]);
                let first_fours = [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)];
                let last_fours = [_mm_unpacklo_epi16(c, d), _mm_unpackhi_epi16(c, d)];
                for quarter in 0..2 {
                    let (first, last) = (first_fours[quarter], last_fours[quarter]);
                    let words = [_mm_unpacklo_epi32(first, last), _mm_unpackhi_epi32(first, last)];
                    for (pair, words) in words.into_iter().enumerate() {
                        let word = rows.add((half * 8 + quarter * 4 + pair * 2) * stride + at);
                        _mm_storel_epi64(word.cast(), words);
                        _mm_storeh_pd(word.add(stride).cast(), _mm_castsi128_pd(words));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers of rows up to more than two times sixteen, some of them with places between their words.
    #[test]
    fn each_byte_comes_to_its_place_and_no_other_word_is_written() {
        let bytes: [[u8; 48]; LANES] =
            std::array::from_fn(|lane| std::array::from_fn(|row| (lane * 89 + row * 37) as u8));
        for (n_rows, stride) in (0..=48).flat_map(|n_rows| [1, 2, 5].map(|stride| (n_rows, stride))) {
            for at in 0..stride {
                let mut rows = vec![7; n_rows * stride];
                put_words(bytes.each_ref(), &mut rows, stride, at);
                for (place, word) in rows.iter().enumerate() {
                    let expected = (0..LANES).map(|lane| u64::from(bytes[lane][place / stride]) << (8 * lane)).sum();
                    assert_eq!(*word, if place % stride == at { expected } else { 7 });
                }
            }
        }
    }
}
