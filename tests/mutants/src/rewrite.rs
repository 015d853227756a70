//! Text with edits that may lie within one another.

use std::ops::Range;

/// New code in the place of the bytes `span`; an empty span is an insertion.
pub struct Edit {
    pub span: Range<usize>,
    pub pieces: Vec<Piece>,
    /// All mutants that an error of the compiler in the shared part condemns.
    pub mutants: Vec<usize>,
}

/// A part of new code.
pub enum Piece {
    Text(String),
    /// Code of the file, with the edits that lie within.
    Source(Range<usize>),
    /// Code that belongs to one mutant alone.
    Mutant(usize, String),
}

/// Where code of mutants stands in the new text: start, end, and the mutants that go with it.
pub type Regions = Vec<(usize, usize, Vec<usize>)>;

/// `text` with all `edits`.
pub fn rewrite(text: &str, edits: &[Edit]) -> (String, Regions) {
    let mut order: Vec<&Edit> = edits.iter().collect();
    // What is inserted comes before what begins at the same byte; the outermost edit before those within it.
    order.sort_by_key(|edit| (edit.span.start, !edit.span.is_empty(), std::cmp::Reverse(edit.span.end)));
    let mut writer = Writer { text, order, out: String::new(), regions: Vec::new() };
    writer.range(0..text.len(), 0);
    (writer.out, writer.regions)
}

struct Writer<'a> {
    text: &'a str,
    order: Vec<&'a Edit>,
    out: String,
    regions: Regions,
}

impl<'a> Writer<'a> {
    /// Writes `range`, with those of the edits from number `from` on that lie within it.
    fn range(&mut self, range: Range<usize>, from: usize) {
        let mut at = range.start;
        let mut next = from;
        while let Some(&edit) = self.order.get(next) {
            if edit.span.start >= range.end {
                break;
            }
            next += 1;
            if edit.span.start < at || edit.span.end > range.end {
                continue;
            }
            self.out.push_str(&self.text[at..edit.span.start]);
            self.edit(edit, next);
            at = edit.span.end;
        }
        self.out.push_str(&self.text[at..range.end]);
    }

    fn edit(&mut self, edit: &'a Edit, next: usize) {
        let start = self.out.len();
        for piece in &edit.pieces {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Source(range) => self.range(range.clone(), next),
                Piece::Mutant(number, text) => {
                    let start = self.out.len();
                    self.out.push_str(text);
                    self.regions.push((start, self.out.len(), vec![*number]));
                }
            }
        }
        self.regions.push((start, self.out.len(), edit.mutants.clone()));
    }
}
