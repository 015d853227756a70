//! Reads tables from end to end. Nothing in a file is believed: every offset is checked, and no page is read twice.

use super::{FILE_HEADER, INNER_INDEX, LEAF_INDEX, LEAF_TABLE, MAGIC, Value, longest_row};

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The file does not begin as SQLite files do.
    #[error("expected an SQLite 3 database, found another kind of file")]
    NotSqlite,
    /// The file breaks the format, or uses a part of it that books do not use.
    #[error("page {page}: expected {expected}")]
    Page {
        /// The page, counted from 1.
        page: u32,
        /// What the format has there.
        expected: &'static str,
    },
    /// A table is missing.
    #[error("expected a table `{0}`, found none")]
    NoTable(&'static str),
}

/// The bytes of an SQLite file.
pub struct Database<'a> {
    bytes: &'a [u8],
    page_size: usize,
    /// Bytes of a page that rows may use.
    usable: usize,
}

impl<'a> Database<'a> {
    /// The database in `bytes`.
    ///
    /// # Errors
    /// When the header is not that of an SQLite 3 file with UTF-8 text and a rollback journal.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Flaw> {
        if bytes.len() < FILE_HEADER || !bytes.starts_with(MAGIC) {
            return Err(Flaw::NotSqlite);
        }
        let header = |expected| Flaw::Page { page: 1, expected };
        let page_size = match u16_at(bytes, 16) {
            Some(1) => 1 << 16,
            Some(size) if size >= 512 && size.is_power_of_two() => usize::from(size),
            _ => return Err(header("a page size from 512 to 65536")),
        };
        if bytes[19] != 1 {
            return Err(header("no write-ahead log"));
        }
        if u32_at(bytes, 56) != Some(1) {
            return Err(header("UTF-8 text"));
        }
        Ok(Self { bytes, page_size, usable: page_size - usize::from(bytes[20]).min(32) })
    }

    /// The number that says which application the file belongs to.
    pub fn application(&self) -> u32 {
        u32_at(self.bytes, 68).unwrap_or(0)
    }

    /// The number that the application may give its format.
    pub fn user_version(&self) -> u32 {
        u32_at(self.bytes, 60).unwrap_or(0)
    }

    /// Hands every row of the table `name` to `visit`, in the order of their keys.
    ///
    /// # Errors
    /// When the table is missing or damaged, or `visit` says what else it expected of a row.
    pub fn rows(
        &self,
        name: &'static str,
        mut visit: impl FnMut(&[Value<'a>]) -> Result<(), &'static str>,
    ) -> Result<(), Flaw> {
        let root = self.root(name)?;
        let pages = self.bytes.len() / self.page_size;
        let mut scan = Scan { database: self, pages_left: pages, values: Vec::new(), visit: &mut visit };
        scan.page(root, LEAF_INDEX)
    }

    /// The first page of the table `name`.
    fn root(&self, name: &'static str) -> Result<u32, Flaw> {
        let mut root = None;
        let mut visit = |row: &[Value]| {
            if let [Value::Text("table"), Value::Text(found), _, Value::Integer(page), _] = row
                && *found == name
            {
                root = u32::try_from(*page).ok();
            }
            Ok(())
        };
        let mut scan = Scan { database: self, pages_left: 1, values: Vec::new(), visit: &mut visit };
        scan.page(1, LEAF_TABLE)?;
        root.ok_or(Flaw::NoTable(name))
    }

    /// The bytes of a page.
    fn page(&self, number: u32) -> Option<&'a [u8]> {
        let begin = (number as usize).checked_sub(1)?.checked_mul(self.page_size)?;
        self.bytes.get(begin..begin.checked_add(self.page_size)?)
    }
}

/// Calls back with each row.
type Visit<'v, 'a> = &'v mut dyn FnMut(&[Value<'a>]) -> Result<(), &'static str>;

/// The walk through one table.
struct Scan<'v, 'a> {
    database: &'v Database<'a>,
    /// How many more pages there can be: ends the walk in a tree that has become a circle.
    pages_left: usize,
    values: Vec<Value<'a>>,
    visit: Visit<'v, 'a>,
}

impl<'a> Scan<'_, 'a> {
    /// Visits the rows on and below a page, which is a leaf of this type or an inner page above such leaves.
    fn page(&mut self, number: u32, leaf: u8) -> Result<(), Flaw> {
        let flaw = |expected| Flaw::Page { page: number, expected };
        self.pages_left = self.pages_left.checked_sub(1).ok_or(flaw("a tree, in which no page occurs twice"))?;
        let page = self.database.page(number).ok_or(flaw("to lie within the file"))?;
        let at = if number == 1 { FILE_HEADER } else { 0 };
        let inner = match page.get(at) {
            Some(&found) if found == leaf => false,
            Some(&INNER_INDEX) if leaf == LEAF_INDEX => true,
            _ => return Err(flaw("a page of a table without row ids")),
        };
        let count = usize::from(u16_at(page, at + 3).unwrap_or(0));
        let pointers = at + if inner { 12 } else { 8 };
        for index in 0..count {
            let cell = u16_at(page, pointers + 2 * index).and_then(|offset| page.get(usize::from(offset)..));
            let mut cell = cell.ok_or(flaw("cells within the page"))?;
            if inner {
                self.page(take_child(&mut cell).ok_or(flaw("the number of a child"))?, leaf)?;
            }
            self.row(cell, leaf).map_err(flaw)?;
        }
        if inner {
            self.page(u32_at(page, at + 8).ok_or(flaw("the number of the last child"))?, leaf)?;
        }
        Ok(())
    }

    fn row(&mut self, mut cell: &'a [u8], leaf: u8) -> Result<(), &'static str> {
        let length = take_varint(&mut cell).ok_or("the length of a row")?;
        if leaf == LEAF_TABLE {
            take_varint(&mut cell).ok_or("the id of a row")?;
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > longest_row(self.database.usable, leaf) {
            return Err("rows that stand on their page as a whole");
        }
        let row = cell.get(..length).ok_or("rows that end on their page")?;
        self.values.clear();
        read_record(row, &mut self.values).ok_or("rows of numbers and texts")?;
        (self.visit)(&self.values)
    }
}

/// Appends the fields of a row; `None` if it breaks the format or holds something else than numbers and texts.
fn read_record<'a>(row: &'a [u8], values: &mut Vec<Value<'a>>) -> Option<()> {
    let mut types = row;
    let header = usize::try_from(take_varint(&mut types)?).ok()?;
    let mut body = row.get(header..)?;
    let varint_length = row.len() - types.len();
    types = types.get(..header.checked_sub(varint_length)?)?;
    while !types.is_empty() {
        let code = take_varint(&mut types)?;
        values.push(match code {
            1..=4 => take_integer(&mut body, code as usize)?,
            5 => take_integer(&mut body, 6)?,
            6 => take_integer(&mut body, 8)?,
            8 | 9 => Value::Integer(code as i64 - 8),
            13.. if code % 2 == 1 => {
                let length = usize::try_from((code - 13) / 2).ok()?;
                Value::Text(std::str::from_utf8(body.split_off(..length)?).ok()?)
            }
            _ => return None,
        });
    }
    Some(())
}

fn take_integer<'a>(body: &mut &'a [u8], length: usize) -> Option<Value<'a>> {
    let bytes = body.split_off(..length)?;
    let sign = if bytes[0] & 0x80 == 0 { 0 } else { -1 };
    Some(Value::Integer(bytes.iter().fold(sign, |number, &byte| number << 8 | i64::from(byte))))
}

fn take_child(cell: &mut &[u8]) -> Option<u32> {
    let child = cell.split_off(..4)?;
    u32_at(child, 0)
}

/// Takes a number of variable length: seven bits a byte, eight in the ninth.
fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for index in 0..9 {
        let byte = *bytes.split_off_first()?;
        if index == 8 {
            return Some(number << 8 | u64::from(byte));
        }
        number = number << 7 | u64::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(number)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|chunk| u16::from_be_bytes(*chunk))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|chunk| u32::from_be_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::super::Writer;
    use super::*;

    /// A file with one table of `count` rows.
    fn file(count: i64) -> Vec<u8> {
        let mut writer = Writer::new();
        let sql = "CREATE TABLE t (k INTEGER, s TEXT, PRIMARY KEY (k)) WITHOUT ROWID";
        let text = "x".repeat(90);
        let fill = |k: i64| (k * k * k * 1_003, &text[..(k % 90) as usize]);
        writer
            .table("t", sql, |tree| {
                (0..count).map(fill).try_for_each(|(k, s)| tree.push(&[Value::Integer(k - 9), Value::Text(s)]))
            })
            .unwrap();
        writer.finish(7, 3)
    }

    fn count_rows(bytes: &[u8]) -> Result<i64, Flaw> {
        let mut count = 0;
        let mut last = i64::MIN;
        Database::new(bytes)?.rows("t", |row| {
            let key =
                row.first().and_then(|value| value.integer()).filter(|&key| key > last).ok_or("ascending keys")?;
            (count, last) = (count + 1, key);
            Ok(())
        })?;
        Ok(count)
    }

    #[test]
    fn every_number_of_rows_comes_back_in_order() {
        for count in (0..200).chain([1_000, 5_000, 60_000]) {
            assert_eq!(count_rows(&file(count)), Ok(count));
        }
    }

    #[test]
    fn numbers_of_all_lengths_come_back() {
        let numbers: Vec<i64> = (0..64)
            .flat_map(|bit| [i64::MIN >> bit, (i64::MIN >> bit) - i64::from(bit > 0), !(i64::MIN >> bit)])
            .collect();
        for number in numbers {
            let row = super::super::write::record(&[Value::Integer(number)]);
            let mut values = Vec::new();
            read_record(&row, &mut values).unwrap();
            assert_eq!(values, [Value::Integer(number)]);
        }
    }

    #[test]
    fn a_damaged_file_is_an_error_and_nothing_worse() {
        let whole = file(3_000);
        for at in 0..whole.len() {
            if at % 7 == 0 || at < 200 {
                let mut damaged = whole.clone();
                damaged[at] ^= 0xFF;
                let _ = count_rows(&damaged);
            }
        }
        for length in (0..whole.len()).step_by(997) {
            assert!(count_rows(&whole[..length]).is_err());
        }
    }
}
