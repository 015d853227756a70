//! Texts of at most two bytes, which most cells of most tables are, under fixed numbers: each cell has its number by one
//! look at the bytes where it stands.

/// The number of every other text.
pub const OTHER: u8 = 0;
/// Bytes of the longest of these texts.
pub const LONGEST: usize = 2;
const NUMBERS: std::ops::RangeInclusive<u8> = 1..=206;

/// The numbers of tiny texts where they stand in a file, by two bytes: the text's own, and behind a shorter one what ends it.
pub struct TinyTexts {
    numbers: Box<[u8; 1 << 16]>,
}

impl TinyTexts {
    /// Of cells that `separator` or a line end ends.
    pub fn before(separator: u8) -> Self {
        let mut tiny = Self { numbers: Box::new([OTHER; 1 << 16]) };
        let ends = [separator, b'\n', b'\r'];
        for number in NUMBERS {
            match *text_of(number).as_bytes() {
                // Behind the end of an empty cell anything may stand.
                [] => ends.iter().for_each(|&end| (0..=u8::MAX).for_each(|any| tiny.put(end, any, number))),
                [byte] if !ends.contains(&byte) => ends.iter().for_each(|&end| tiny.put(byte, end, number)),
                [first, second] if !ends.contains(&first) && !ends.contains(&second) => tiny.put(first, second, number),
                _ => {}
            }
        }
        tiny
    }

    /// The number of the cell of at most [`LONGEST`] bytes that begins with these bytes, or is one of them or none and its end.
    #[inline(always)]
    pub fn number(&self, begin: [u8; LONGEST]) -> u8 {
        self.numbers[usize::from(u16::from_le_bytes(begin))]
    }

    fn put(&mut self, first: u8, second: u8, number: u8) {
        self.numbers[usize::from(u16::from_le_bytes([first, second]))] = number;
    }
}

/// The text with a number: nothing, a printable character, two digits, or a digit behind a minus sign.
///
/// # Panics
/// When no text has this number.
pub fn text_of(number: u8) -> String {
    match number {
        1 => String::new(),
        2..97 => char::from(b' ' + number - 2).to_string(),
        97..197 => format!("{:02}", number - 97),
        197..207 => format!("-{}", number - 197),
        _ => panic!("no text has the number {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_its_number_before_any_end() {
        let tiny = TinyTexts::before(b';');
        for number in NUMBERS.filter(|&number| text_of(number) != ";") {
            for end in [";", "\n", "\r\n"] {
                let begin = text_of(number) + end + "x";
                assert_eq!(tiny.number(*begin.as_bytes().first_chunk().unwrap()), number, "{begin:?}");
            }
        }
    }

    #[test]
    fn other_texts_have_none() {
        let tiny = TinyTexts::before(b',');
        for begin in [*b"ab", *b"NA", *b"5\0", *b"5\xFF", *b"\"\"", *b"+1"] {
            assert_eq!(tiny.number(begin), OTHER);
        }
    }
}
