//! Writes tables into B-trees, in one pass over rows that come in the order of their keys.

use super::{FILE_HEADER, INNER_INDEX, LEAF_INDEX, LEAF_TABLE, MAGIC, Value, longest_row};

const PAGE: usize = 4096;
/// The release of SQLite that the header names as the last writer; any is allowed.
const LIBRARY_VERSION: u32 = 3_046_000;

/// A row that does not fit on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a row of at most {limit} bytes, found {length}")]
pub struct TooLong {
    /// The length of the longest row.
    pub limit: usize,
    /// The length of this one.
    pub length: usize,
}

/// A file that is being made.
pub struct Writer {
    /// All pages but the first.
    pages: Vec<u8>,
    /// The rows of the schema.
    schema: Cells,
}

impl Writer {
    /// A file without tables.
    pub const fn new() -> Self {
        Self { pages: Vec::new(), schema: Cells::new(PAGE - FILE_HEADER) }
    }

    /// Adds the table `name`, which the statement `sql` would create, with the rows that `fill` hands over in the order of
    /// their keys.
    ///
    /// # Errors
    /// When a row, or the row of the schema, is too long.
    pub fn table(
        &mut self,
        name: &str,
        sql: &str,
        fill: impl FnOnce(&mut Tree) -> Result<(), TooLong>,
    ) -> Result<(), TooLong> {
        let mut tree = Tree { pages: &mut self.pages, levels: Vec::new() };
        fill(&mut tree)?;
        let root = tree.finish();
        let text = Value::Text;
        let row = record(&[text("table"), text(name), text(name), Value::Integer(i64::from(root)), text(sql)]);
        let mut cell = Vec::new();
        put_varint(&mut cell, row.len() as u64);
        put_varint(&mut cell, self.schema.cells.len() as u64 + 1);
        cell.extend(&row);
        if self.schema.fits(&cell, LEAF_TABLE) {
            self.schema.push(cell);
            return Ok(());
        }
        Err(TooLong { limit: longest_row(PAGE, LEAF_TABLE), length: row.len() })
    }

    /// The bytes of the file, which bears the two numbers that SQLite leaves to applications.
    pub fn finish(self, application: u32, user_version: u32) -> Vec<u8> {
        let page_count = 1 + self.pages.len() / PAGE;
        let mut bytes = file_header(page_count as u32, application, user_version);
        self.schema.write(LEAF_TABLE, None, FILE_HEADER, &mut bytes);
        bytes.extend(&self.pages);
        bytes
    }
}

fn file_header(page_count: u32, application: u32, user_version: u32) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend((PAGE as u16).to_be_bytes());
    // Rollback journal for writing and reading, no reserved bytes, and the three fractions that the format fixes.
    header.extend([1, 1, 0, 64, 32, 32]);
    // Change counter, pages, free pages (two), schema cookie, schema format, cache, root, UTF-8, version, vacuum, id.
    for word in [1, page_count, 0, 0, 1, 4, 0, 0, 1, user_version, 0, application] {
        header.extend(u32::to_be_bytes(word));
    }
    header.resize(FILE_HEADER - 8, 0);
    header.extend(1_u32.to_be_bytes());
    header.extend(LIBRARY_VERSION.to_be_bytes());
    header
}

/// A row in the format of the file: the types of its fields, then their contents.
pub fn record(values: &[Value]) -> Vec<u8> {
    let (mut types, mut body) = (Vec::new(), Vec::new());
    for value in values {
        match *value {
            Value::Integer(number) => types.push(put_integer(&mut body, number)),
            Value::Text(text) => {
                put_varint(&mut types, 13 + 2 * text.len() as u64);
                body.extend(text.as_bytes());
            }
        }
    }
    // The length of the header counts itself; it takes one byte up to 127 and two beyond.
    let length = types.len() + if types.len() < 127 { 1 } else { 2 };
    let mut row = Vec::with_capacity(length + body.len());
    put_varint(&mut row, length as u64);
    row.extend(types);
    row.extend(body);
    row
}

/// Appends a number in as few bytes as it needs and returns its type.
fn put_integer(body: &mut Vec<u8>, number: i64) -> u8 {
    const SIZES: [(u8, usize); 6] = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 8)];
    if number == 0 || number == 1 {
        return 8 + number as u8;
    }
    let fits = |bytes: usize| bytes == 8 || (-(1_i64 << (8 * bytes - 1))..1 << (8 * bytes - 1)).contains(&number);
    let (code, bytes) = SIZES.into_iter().find(|&(_, bytes)| fits(bytes)).unwrap_or((6, 8));
    body.extend(&number.to_be_bytes()[8 - bytes..]);
    code
}

/// Appends a number in SQLite's variable length: seven bits a byte, most significant first. Numbers below 2⁵⁶ only.
fn put_varint(out: &mut Vec<u8>, number: u64) {
    let groups = (64 - number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let more = if group > 0 { 0x80 } else { 0 };
        out.push((number >> (7 * group)) as u8 & 0x7F | more);
    }
}

/// The cells of a page that is not yet written.
struct Cells {
    cells: Vec<Vec<u8>>,
    /// Bytes left for cells and the header of the page.
    room: usize,
}

impl Cells {
    const fn new(room: usize) -> Self {
        Self { cells: Vec::new(), room }
    }

    fn fits(&self, cell: &[u8], page_type: u8) -> bool {
        let header = if page_type == INNER_INDEX { 12 } else { 8 };
        header + cell.len() + 2 <= self.room
    }

    fn push(&mut self, cell: Vec<u8>) {
        // Each cell has a pointer of two bytes.
        self.room -= cell.len() + 2;
        self.cells.push(cell);
    }

    /// Appends the page to `pages`, `before` bytes of which are already there: cells fill it from its end.
    fn write(&self, page_type: u8, right: Option<u32>, before: usize, pages: &mut Vec<u8>) {
        let begin = pages.len() - before;
        let sizes: usize = self.cells.iter().map(Vec::len).sum();
        let mut content = PAGE - sizes;
        pages.extend([page_type, 0, 0]);
        pages.extend((self.cells.len() as u16).to_be_bytes());
        pages.extend((content as u16).to_be_bytes());
        pages.push(0);
        pages.extend(right.into_iter().flat_map(u32::to_be_bytes));
        for cell in &self.cells {
            pages.extend((content as u16).to_be_bytes());
            content += cell.len();
        }
        pages.resize(begin + PAGE - sizes, 0);
        self.cells.iter().for_each(|cell| pages.extend(cell));
    }
}

/// A B-tree that is being filled from left to right. Rows stand on inner pages too, each between its two children.
pub struct Tree<'a> {
    pages: &'a mut Vec<u8>,
    /// The rightmost page of each level, leaves first.
    levels: Vec<Cells>,
}

impl Tree<'_> {
    /// Appends a row, whose key must be above those of all rows before it.
    ///
    /// # Errors
    /// When the row is too long for a page.
    pub fn push(&mut self, values: &[Value]) -> Result<(), TooLong> {
        let row = record(values);
        let limit = longest_row(PAGE, LEAF_INDEX);
        if row.len() > limit {
            return Err(TooLong { limit, length: row.len() });
        }
        let mut cell = Vec::with_capacity(row.len() + 2);
        put_varint(&mut cell, row.len() as u64);
        cell.extend(row);
        self.insert(0, cell);
        Ok(())
    }

    /// Puts a cell on the rightmost page of a level. A full page goes out without its last cell, which separates it from
    /// the next page and so belongs one level up; no page is ever left empty.
    fn insert(&mut self, level: usize, cell: Vec<u8>) {
        let page_type = page_type(level);
        if level == self.levels.len() {
            self.levels.push(Cells::new(PAGE));
        }
        if !self.levels[level].fits(&cell, page_type) {
            let mut full = std::mem::replace(&mut self.levels[level], Cells::new(PAGE));
            let last = full.cells.pop().unwrap_or_default();
            let (right, row) = split_child(&last, level);
            let mut separator = self.write(&full, page_type, right).to_be_bytes().to_vec();
            separator.extend(row);
            self.insert(level + 1, separator);
        }
        self.levels[level].push(cell);
    }

    /// Writes the pages that are still open and returns the number of the root.
    fn finish(mut self) -> u32 {
        if self.levels.is_empty() {
            self.levels.push(Cells::new(PAGE));
        }
        let mut child = None;
        for (level, cells) in std::mem::take(&mut self.levels).iter().enumerate() {
            child = Some(self.write(cells, page_type(level), child));
        }
        child.unwrap_or(0)
    }

    /// Writes a page and returns its number; the first page of a file has number 1.
    fn write(&mut self, cells: &Cells, page_type: u8, right: Option<u32>) -> u32 {
        cells.write(page_type, right, 0, self.pages);
        1 + (self.pages.len() / PAGE) as u32
    }
}

const fn page_type(level: usize) -> u8 {
    if level == 0 { LEAF_INDEX } else { INNER_INDEX }
}

/// The child before a cell, which cells of inner pages begin with, and the row of the cell with its length.
fn split_child(cell: &[u8], level: usize) -> (Option<u32>, &[u8]) {
    match cell.split_first_chunk() {
        Some((child, row)) if level > 0 => (Some(u32::from_be_bytes(*child)), row),
        _ => (None, cell),
    }
}
