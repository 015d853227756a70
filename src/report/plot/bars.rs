//! Win-draw-loss charts: one stacked bar for each pairing.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::canvas::{Draw, Drawn, FRAME, GRID, INK, MARGIN, Pen, TEXT, TITLE_ROW, render, text};
use super::{Picture, PlotError};
use crate::stats::{Sample, Wdl};

const WIDTH: i32 = 860;
const LEGEND_ROW: i32 = 26;
const BAR_ROW: i32 = 32;
const BAR: i32 = 22;
const AXIS_ROW: i32 = 48;
/// The widest that the names of the pairings may stand beside the bars.
const NAMES: i32 = 300;
/// The size of names that take two lines.
const SMALL: i32 = 13;
const GAP: i32 = 12;
/// The heading of the column of counts.
const COUNTS: &str = "won / drawn / lost";

const WIN: RGBColor = RGBColor(0, 114, 178);
const DRAW: RGBColor = RGBColor(222, 222, 222);
const LOSS: RGBColor = RGBColor(230, 159, 0);
/// Of wins, draws, losses: the colour of the bar and of the count in it.
const COLOURS: [(RGBColor, RGBColor); 3] = [(WIN, WHITE), (DRAW, INK), (LOSS, INK)];

/// One pairing of a [`Bars`] chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Who played whom; the results are from the first one's side.
    pub label: String,
    /// The results.
    pub results: Wdl,
    /// The ± of the score, in [0, 1] ([`Sample::score_error`]); `None` if it is unknown.
    pub error: Option<f64>,
}

impl Bar {
    /// A pairing whose error follows from its games taken as independent.
    pub fn of_games(label: impl Into<String>, results: Wdl) -> Self {
        Self::of_sample(label, results, results.sample())
    }

    /// A pairing whose error follows from `sample`, such as its pairs of games.
    pub fn of_sample(label: impl Into<String>, results: Wdl, sample: Option<Sample>) -> Self {
        Self { label: label.into(), results, error: sample.as_ref().and_then(Sample::score_error) }
    }

    /// The share of the bar that ends with the wins, the draws, the losses, and the count of each.
    fn segments(&self) -> [(u64, u64); 3] {
        let Wdl { wins, draws, losses } = self.results;
        [(wins, wins), (wins + draws, draws), (wins + draws + losses, losses)]
    }

    /// The counts, for bars too narrow to hold them: `10 / 28 / 962`.
    fn counts(&self) -> String {
        let Wdl { wins, draws, losses } = self.results;
        format!("{wins} / {draws} / {losses}")
    }

    /// The score with its error in per cent: `58.3 ± 9.3 %`.
    fn score(&self) -> String {
        match (self.results.score(), self.error) {
            (None, _) => "no games".to_owned(),
            (Some(score), None) => format!("{:.1} %", 100.0 * score),
            (Some(score), Some(error)) => format!("{:.1} ± {:.1} %", 100.0 * score, 100.0 * error),
        }
    }
}

/// A chart of match results: won, drawn and lost games as shares of each pairing's games, their counts in the bars,
/// the score at the right.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bars {
    /// What the chart shows.
    pub title: String,
    /// The pairings, top to bottom.
    pub bars: Vec<Bar>,
}

/// The horizontal division of a chart, in pixels.
struct Columns {
    /// Where the bars begin.
    left: i32,
    /// Where they end.
    right: i32,
    /// The right edge of the column of counts, if there is one.
    counts: Option<i32>,
    /// The right edge of the scores.
    end: i32,
}

impl Columns {
    /// The pixel at which `games` of `bar` end.
    fn edge(&self, bar: &Bar, games: u64) -> i32 {
        let share = games as f64 / bar.results.games().max(1) as f64;
        self.left + (f64::from(self.right - self.left) * share).round() as i32
    }

    /// The segments of `bar` that have a width: left and right edge, count, which of the three it is.
    fn segments(&self, bar: &Bar) -> Vec<(i32, i32, u64, usize)> {
        let segment = |(kind, (end, count))| (self.edge(bar, end - count), self.edge(bar, end), count, kind);
        bar.segments().into_iter().enumerate().map(segment).filter(|&(_, _, count, _)| count > 0).collect()
    }
}

/// Whether `count` can stand in a segment of this width in pixels.
fn fits(pen: Pen, count: u64, width: i32) -> bool {
    pen.width(&count.to_string(), TEXT) + pen.px(4) <= width
}

impl Picture for Bars {
    fn render(&self, path: &Path) -> Result<(), PlotError> {
        if self.bars.is_empty() {
            return Err(PlotError::Empty(self.title.clone(), "pairing"));
        }
        render(self, path)
    }
}

impl Bars {
    /// The width of the widest of the texts that `of` makes of the bars.
    fn widest(&self, pen: Pen, of: impl Fn(&Bar) -> String) -> i32 {
        self.bars.iter().map(|bar| pen.width(&of(bar), TEXT)).max().unwrap_or(0)
    }

    /// Makes room for a column of counts if some count does not fit into its segment.
    fn columns(&self, pen: Pen) -> Columns {
        let names = self.widest(pen, |bar| bar.label.clone()).min(pen.px(NAMES));
        let end = pen.px(WIDTH - MARGIN);
        let before_scores = end - self.widest(pen, Bar::score).max(pen.px(50)) - pen.px(GAP + 4);
        let columns = Columns { left: pen.px(MARGIN + GAP) + names, right: before_scores, counts: None, end };
        let segments: Vec<_> = self.bars.iter().flat_map(|bar| columns.segments(bar)).collect();
        if segments.into_iter().all(|(from, to, count, _)| fits(pen, count, to - from)) {
            return columns;
        }
        let width = self.widest(pen, Bar::counts).max(pen.width(COUNTS, TEXT));
        Columns { right: before_scores - width - pen.px(GAP), counts: Some(before_scores), ..columns }
    }

    fn top(row: i32) -> i32 {
        MARGIN + TITLE_ROW + LEGEND_ROW + row * BAR_ROW
    }

    fn rows(&self) -> i32 {
        i32::try_from(self.bars.len()).unwrap_or(i32::MAX)
    }

    fn draw_legend<B: DrawingBackend>(area: &DrawingArea<B, Shift>, pen: Pen, columns: &Columns) -> Drawn {
        let y = pen.px(MARGIN + TITLE_ROW + LEGEND_ROW / 2 - 6);
        let mut x = columns.left;
        for (name, colour) in [("won", WIN), ("drawn", DRAW), ("lost", LOSS)] {
            let corners = [(x, y - pen.px(6)), (x + pen.px(18), y + pen.px(6))];
            area.draw(&Rectangle::new(corners, colour.filled())).map_err(text)?;
            pen.write(area, (name, (x + pen.px(24), y)), (TEXT, HPos::Left, INK))?;
            x += pen.px(24 + 22) + pen.width(name, TEXT);
        }
        if let Some(right) = columns.counts {
            pen.write(area, (COUNTS, (right, y)), (TEXT, HPos::Right, INK))?;
        }
        pen.write(area, ("score", (columns.end, y)), (TEXT, HPos::Right, INK))
    }

    /// Lines at every quarter, with their per cent below.
    fn draw_axis<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pen: Pen, columns: &Columns) -> Drawn {
        let (top, bottom) = (pen.px(Self::top(0)), pen.px(Self::top(self.rows()) + 2));
        for quarter in 0..=4 {
            let x = columns.left + (columns.right - columns.left) * quarter / 4;
            let colour = if quarter == 2 { FRAME } else { GRID };
            let style = colour.stroke_width(pen.px(1).unsigned_abs());
            area.draw(&PathElement::new(vec![(x, top), (x, bottom)], style)).map_err(text)?;
            let label = format!("{}", 25 * quarter);
            pen.write(area, (&label, (x, bottom + pen.px(11))), (TEXT - 1, HPos::Center, INK))?;
        }
        let middle = i32::midpoint(columns.left, columns.right);
        pen.write(area, ("share of the games, %", (middle, bottom + pen.px(31))), (TEXT, HPos::Center, INK))
    }

    fn draw_bar<B: DrawingBackend>(
        area: &DrawingArea<B, Shift>,
        (row, bar): (i32, &Bar),
        pen: Pen,
        columns: &Columns,
    ) -> Drawn {
        let top = pen.px(Self::top(row) + (BAR_ROW - BAR) / 2);
        let middle = top + pen.px(BAR) / 2;
        Self::draw_name(area, &bar.label, (columns, middle), pen)?;
        pen.write(area, (&bar.score(), (columns.end, middle)), (TEXT, HPos::Right, INK))?;
        if let Some(right) = columns.counts {
            pen.write(area, (&bar.counts(), (right, middle)), (TEXT, HPos::Right, INK))?;
        }
        for (from, to, count, kind) in columns.segments(bar) {
            let (colour, ink) = COLOURS[kind];
            area.draw(&Rectangle::new([(from, top), (to, top + pen.px(BAR))], colour.filled())).map_err(text)?;
            if fits(pen, count, to - from) {
                let at = (i32::midpoint(from, to), middle);
                pen.write(area, (&count.to_string(), at), (TEXT, HPos::Center, ink))?;
            }
        }
        Ok(())
    }

    /// The name of a pairing beside its bar, on two lines in smaller letters if one is too short.
    fn draw_name<B: DrawingBackend>(
        area: &DrawingArea<B, Shift>,
        name: &str,
        (columns, middle): (&Columns, i32),
        pen: Pen,
    ) -> Drawn {
        let right = columns.left - pen.px(GAP);
        let room = right - pen.px(MARGIN);
        if pen.width(name, TEXT) <= room {
            return pen.write(area, (name, (right, middle)), (TEXT, HPos::Right, INK));
        }
        let lines = pen.wrapped(name, SMALL, room);
        let first = middle - pen.px(8) * (lines.len() as i32 - 1);
        for (line, text) in (0..).zip(&lines) {
            pen.write(area, (text, (right, first + pen.px(16) * line)), (SMALL, HPos::Right, INK))?;
        }
        Ok(())
    }
}

impl Draw for Bars {
    fn size(&self) -> (i32, i32) {
        (WIDTH, Self::top(self.rows()) + AXIS_ROW + MARGIN / 2)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pen: Pen) -> Drawn {
        pen.title(area, &self.title, WIDTH)?;
        let columns = self.columns(pen);
        Self::draw_legend(area, pen, &columns)?;
        self.draw_axis(area, pen, &columns)?;
        for (row, bar) in (0..).zip(&self.bars) {
            Self::draw_bar(area, (row, bar), pen, &columns)?;
        }
        Ok(())
    }
}
