//! Decimal numbers: whole numbers of up to 256 bits, the last digits of which stand behind a point.

use super::cell::Kind;
use super::reading::{DecimalMark, Wanted};
use super::value::Value;

/// The most digits of a decimal number of 256 bits.
#[cfg(feature = "parquet")]
pub(crate) const MOST_DIGITS: i32 = 76;
/// The most bytes of a number, but for those that only repeat its sign.
const MOST_BYTES: usize = 32;
/// Digits that are taken off a number at a time.
const GROUP: u32 = 9;

/// A whole number without sign, its most significant part first; one part more than [`MOST_BYTES`] need, since the least number has a
/// size of 2²⁵⁶.
type Size = [u32; MOST_BYTES / 4 + 1];

/// What decimal numbers are as a column: whole numbers without a fraction, else reals, and texts where these would lose
/// digits, all as in CSV. A number is a two's complement, most significant byte first, and its last `scale` digits are its
/// fraction. `None` if one has more than 256 bits.
///
/// ```
/// use roughboard::table::{Value, decimal_values};
/// assert_eq!(decimal_values(&[vec![0], vec![150]], 2), Some(vec![Value::Real(0.0), Value::Real(-1.06)]));
/// assert_eq!(decimal_values(&[vec![1, 0]], 0), Some(vec![Value::Integer(256)]));
/// ```
pub fn decimal_values(numbers: &[Vec<u8>], scale: usize) -> Option<Vec<Value>> {
    let texts = numbers.iter().map(|number| spelled(number, scale)).collect::<Option<Vec<String>>>()?;
    let cells: Vec<&str> = texts.iter().map(String::as_str).collect();
    let kind = Kind::of(&cells, Wanted::Any, DecimalMark::Point).unwrap_or(Kind::Text);
    cells.iter().map(|cell| kind.value(cell, DecimalMark::Point)).collect()
}

/// The number of which `bytes` are the two's complement, most significant first, and the last `scale` digits its fraction: spelled as
/// in CSV, with all digits of the fraction. `None` if it has more than 256 bits.
pub fn spelled(bytes: &[u8], scale: usize) -> Option<String> {
    let is_negative = bytes.first().is_some_and(|&byte| byte >= 0x80);
    let mut digits = digits(size(bytes, is_negative)?);
    if digits.len() <= scale {
        digits.insert_str(0, &"0".repeat(scale + 1 - digits.len()));
    }
    if scale > 0 {
        digits.insert(digits.len() - scale, '.');
    }
    Some(if is_negative { format!("-{digits}") } else { digits })
}

/// The number without its sign.
fn size(bytes: &[u8], is_negative: bool) -> Option<Size> {
    let repeated = if is_negative { 0xff } else { 0 };
    let own = bytes.iter().position(|&byte| byte != repeated).map_or(&[][..], |first| &bytes[first..]);
    let mut whole = [repeated; size_of::<Size>()];
    let begin = whole.len().checked_sub(own.len()).filter(|_| own.len() <= MOST_BYTES)?;
    whole[begin..].copy_from_slice(own);
    let mut parts = Size::default();
    for (part, bytes) in parts.iter_mut().zip(whole.chunks_exact(4)) {
        *part = bytes.iter().fold(0, |part, &byte| part << 8 | u32::from(byte));
    }
    if is_negative {
        negate(&mut parts);
    }
    Some(parts)
}

/// Turns a two's complement into that of the number with the other sign.
fn negate(parts: &mut Size) {
    let mut carry = true;
    for part in parts.iter_mut().rev() {
        (*part, carry) = (!*part).overflowing_add(carry.into());
    }
}

/// The digits of a number, none more than it needs.
fn digits(mut size: Size) -> String {
    let mut groups = Vec::new();
    while size != Size::default() {
        groups.push(take_group(&mut size));
    }
    let all: String = groups.iter().rev().map(|group| format!("{group:0width$}", width = GROUP as usize)).collect();
    let digits = all.trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
}

/// Takes the last [`GROUP`] digits off a number.
fn take_group(size: &mut Size) -> u64 {
    let (one, mut rest) = (10_u64.pow(GROUP), 0);
    for part in size {
        let number = rest << 32 | u64::from(*part);
        *part = (number / one) as u32;
        rest = number % one;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_with_all_digits_of_their_fraction() {
        for (number, scale, expected) in [
            (0_i128, 0, "0"),
            (0, 2, "0.00"),
            (-5, 2, "-0.05"),
            (150, 2, "1.50"),
            (-1, 0, "-1"),
            (1_000_000_000, 0, "1000000000"),
            (-12_345_678_901_234_567_890, 3, "-12345678901234567.890"),
            (i128::MIN, 0, "-170141183460469231731687303715884105728"),
        ] {
            assert_eq!(spelled(&number.to_be_bytes(), scale).as_deref(), Some(expected));
        }
        assert_eq!(spelled(&[], 1).as_deref(), Some("0.0"));
        assert_eq!(spelled(&[0xff], 0).as_deref(), Some("-1"));
    }

    #[test]
    fn numbers_of_256_bits_are_spelled_and_larger_ones_are_not() {
        let (mut least, mut largest) = ([0; 32], [0xff; 32]);
        (least[0], largest[0]) = (0x80, 0x7f);
        let half = "57896044618658097711785492504343953926634992332820282019728792003956564819968";
        assert_eq!(spelled(&least, 0), Some(format!("-{half}")));
        assert_eq!(spelled(&largest, 0), Some(half.replace("968", "967")));
        assert_eq!(spelled(&[&[0xff, 0xff], &least[..]].concat(), 0), Some(format!("-{half}")));
        assert_eq!(spelled(&[&[1], &largest[..]].concat(), 0), None);
    }
}
