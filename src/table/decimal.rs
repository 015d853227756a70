//! Decimal numbers: whole numbers of up to 256 bits, the last digits of which stand behind a point.

use super::cell::Kind;
use super::reading::{DecimalMark, Wanted};
use super::value::Value;

/// The most digits of a decimal number of 256 bits.
#[cfg(feature = "parquet")]
pub(crate) const MOST_DIGITS: i32 = 76;
/// The most bytes of a number, but for those that only repeat its sign.
const MOST_BYTES: usize = 32;

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
    let mut digits = digits(bytes, is_negative)?;
    if digits.len() <= scale {
        digits.insert_str(0, &"0".repeat(scale + 1 - digits.len()));
    }
    if scale > 0 {
        digits.insert(digits.len() - scale, '.');
    }
    Some(if is_negative { format!("-{digits}") } else { digits })
}

/// The digits of a number without its sign, none more than it needs.
fn digits(bytes: &[u8], is_negative: bool) -> Option<String> {
    let sign = if is_negative { 0xff } else { 0 };
    if bytes.iter().skip_while(|&&byte| byte == sign).count() > MOST_BYTES {
        return None;
    }
    // The last digit first. The size of a negative number is its complement and one more.
    let mut digits = vec![0];
    for (at, byte) in bytes.iter().enumerate() {
        let mut carry = u32::from(byte ^ sign) + u32::from(is_negative && at + 1 == bytes.len());
        for digit in &mut digits {
            carry += *digit << 8;
            (*digit, carry) = (carry % 10, carry / 10);
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    Some(digits.iter().rev().filter_map(|&digit| char::from_digit(digit, 10)).collect())
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
