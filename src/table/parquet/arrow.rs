//! Which columns are durations: Parquet has no such type, and only the schema of Arrow that programs of Arrow keep beside
//! it says so. It is a FlatBuffer in Base64, of which no more is read than that.

use crate::table::TimeUnit;

/// The key of the schema among the metadata of a file.
pub const SCHEMA: &str = "ARROW:schema";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// What stands before the length of a message.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// The number of durations among the types of Arrow.
const DURATION: u8 = 18;

/// Places of fields in the tables of the schema.
mod field {
    pub const HEADER_OF_MESSAGE: usize = 2;
    pub const FIELDS_OF_SCHEMA: usize = 1;
    pub const NAME: usize = 0;
    pub const KIND: usize = 2;
    pub const TYPE: usize = 3;
    pub const UNIT_OF_DURATION: usize = 0;
}

/// The names of the columns that are durations, with their units; nothing if the schema is damaged.
pub fn durations(schema: &str) -> Option<Vec<(String, TimeUnit)>> {
    let bytes = decoded(schema)?;
    let message = bytes.strip_prefix(&CONTINUATION).map_or(Some(bytes.as_slice()), |rest| rest.get(4..))?;
    let schema = Table::root(message)?.table(field::HEADER_OF_MESSAGE)?;
    let is_duration = |column: &Table| column.place(field::KIND).and_then(|at| message.get(at)) == Some(&DURATION);
    let duration = |column: &Table| Some((column.text(field::NAME)?, unit(&column.table(field::TYPE)?)?));
    let columns = schema.tables(field::FIELDS_OF_SCHEMA)?;
    columns.iter().filter(|column| is_duration(column)).map(duration).collect()
}

/// The unit of a duration: milliseconds unless it says otherwise.
fn unit(duration: &Table) -> Option<TimeUnit> {
    let Some(at) = duration.place(field::UNIT_OF_DURATION) else { return Some(TimeUnit::Milli) };
    [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano]
        .get(usize::from(short(duration.bytes, at)?))
        .copied()
}

/// The bytes that a text of Base64 spells.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let digit = |character: u8| BASE64.iter().position(|&other| other == character).map(|digit| digit as u32);
    let digits = text.trim_end_matches('=').bytes().map(digit).collect::<Option<Vec<u32>>>()?;
    let bytes_of = |digits: &[u32]| {
        let bits = (0..4).fold(0, |bits, at| bits << 6 | digits.get(at).unwrap_or(&0));
        bits.to_be_bytes().into_iter().skip(1).take(digits.len() * 6 / 8)
    };
    Some(digits.chunks(4).flat_map(bytes_of).collect())
}

/// A table of a FlatBuffer. All offsets are checked: a damaged one leads to nothing.
struct Table<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Table<'b> {
    fn root(bytes: &'b [u8]) -> Option<Self> {
        Some(Self { bytes, at: target(bytes, 0)? })
    }

    /// Where the field number `field` stands, if it is there.
    fn place(&self, field: usize) -> Option<usize> {
        let back = word(self.bytes, self.at)? as i32;
        let offsets = self.at.checked_add_signed((back as isize).checked_neg()?)?;
        let slot = 4 + 2 * field;
        let is_there = slot < usize::from(short(self.bytes, offsets)?);
        let offset = is_there.then(|| short(self.bytes, offsets.checked_add(slot)?)).flatten()?;
        (offset != 0).then(|| self.at + usize::from(offset))
    }

    fn table(&self, field: usize) -> Option<Self> {
        Some(Self { at: target(self.bytes, self.place(field)?)?, ..*self })
    }

    fn tables(&self, field: usize) -> Option<Vec<Self>> {
        let (first, length) = self.list(field)?;
        let table = |number: usize| Some(Self { at: target(self.bytes, first + 4 * number)?, ..*self });
        (0..length).map(table).collect()
    }

    fn text(&self, field: usize) -> Option<String> {
        let (first, length) = self.list(field)?;
        String::from_utf8(self.bytes.get(first..first.checked_add(length)?)?.to_vec()).ok()
    }

    /// Where the first member of a list stands, and how many there are.
    fn list(&self, field: usize) -> Option<(usize, usize)> {
        let at = target(self.bytes, self.place(field)?)?;
        Some((at + 4, word(self.bytes, at)? as usize))
    }
}

/// Where the offset at `at` leads to.
fn target(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(word(bytes, at)? as usize)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schema of `pa.schema([("n", pa.int64()), ("t", pa.duration("us")), ("m", pa.duration("ms"))])`.
    const SAMPLE: &str = "/////9gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAMAAABwAAAAMAAAAAQAAACs////AAAB\
        EhAAAAAYAAAABAAAAAAAAAABAAAAbQAAAAQABAAEAAAA1P///wAAARIQAAAAGAAAAAQAAAAAAAAAAQAAAHQABgAIAAYABgAAAAAA\
        AgAQABQACAAGAAcADAAAABAAEAAAAAAAAQIQAAAAHAAAAAQAAAAAAAAAAQAAAG4AAAAIAAwACAAHAAgAAAAAAAABQAAAAAAAAAA=";

    #[test]
    fn durations_are_named_with_their_units() {
        let expected = [("t".to_owned(), TimeUnit::Micro), ("m".to_owned(), TimeUnit::Milli)];
        assert_eq!(durations(SAMPLE).unwrap(), expected);
    }

    #[test]
    fn damage_leads_to_nothing_and_never_panics() {
        assert!(durations("").is_none() && durations("?").is_none() && durations("////").is_none());
        let bytes = decoded(SAMPLE).unwrap();
        let encoded = |bytes: &[u8]| -> String {
            let digit = |chunk: &[u8], at: usize| {
                let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(*chunk.get(at).unwrap_or(&0)));
                char::from(BASE64[(bits >> (18 - 6 * at)) as usize & 63])
            };
            bytes.chunks(3).flat_map(|chunk| (0..=chunk.len()).map(move |at| digit(chunk, at))).collect()
        };
        assert_eq!(decoded(&encoded(&bytes)).unwrap(), bytes);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let _ = durations(&encoded(&damaged));
            }
            let _ = durations(&encoded(&bytes[..at]));
        }
    }
}
