//! Win-draw-loss charts: one stacked bar a pairing.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::PlotError;
use super::canvas::{Draw, Drawn, FRAME, GRID, INK, Pen, TEXT, TITLE, render, text};
use crate::stats::Wdl;

const WIDTH: i32 = 860;
const MARGIN: i32 = 14;
const TITLE_ROW: i32 = 34;
const LEGEND_ROW: i32 = 26;
const BAR_ROW: i32 = 32;
const BAR: i32 = 22;
const AXIS_ROW: i32 = 48;
/// The widest that the names of the pairings may stand beside the bars.
const NAMES: i32 = 330;
const GAP: i32 = 12;

const WIN: RGBColor = RGBColor(0, 114, 178);
const DRAW: RGBColor = RGBColor(222, 222, 222);
const LOSS: RGBColor = RGBColor(230, 159, 0);

/// One pairing of a [`Bars`] chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Who played whom; the results are from the first one's side.
    pub label: String,
    /// The results.
    pub results: Wdl,
    /// Half the width of the 95 % interval of the score, in [0, 1]; `None` if it is unknown.
    pub error: Option<f64>,
}

impl Bar {
    /// A pairing whose error follows from its games taken as independent.
    #[must_use]
    pub fn of_games(label: impl Into<String>, results: Wdl) -> Self {
        let spread = |sample: crate::stats::Sample| crate::stats::Z95 * sample.standard_error();
        let error = results.sample().filter(|sample| sample.variance > 0.0).map(spread);
        Self { label: label.into(), results, error }
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

/// The horizontal division of a chart, in pixels: bars from `left` to `right`, scores ending at `end`.
struct Columns {
    left: i32,
    right: i32,
    end: i32,
}

impl Bars {
    /// Draws the chart into the file `path`; `.svg` and `.png` are understood. The same chart gives the same bytes.
    ///
    /// # Errors
    /// When there is no pairing, the format is unknown, or the file cannot be written.
    pub fn render(&self, path: &Path) -> Result<(), PlotError> {
        if self.bars.is_empty() {
            return Err(PlotError::Empty { title: self.title.clone(), expected: "pairing" });
        }
        render(self, path)
    }

    fn columns(&self, pen: Pen) -> Columns {
        let widest = |texts: &mut dyn Iterator<Item = i32>| texts.max().unwrap_or(0);
        let names = widest(&mut self.bars.iter().map(|bar| pen.width(&bar.label, TEXT))).min(pen.px(NAMES));
        let scores = widest(&mut self.bars.iter().map(|bar| pen.width(&bar.score(), TEXT)));
        let end = pen.px(WIDTH - MARGIN);
        Columns { left: pen.px(MARGIN + GAP) + names, right: end - scores.max(pen.px(50)) - pen.px(GAP + 4), end }
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
        let name = pen.fitted(&bar.label, TEXT, columns.left - pen.px(MARGIN + GAP));
        pen.write(area, (&name, (columns.left - pen.px(GAP), middle)), (TEXT, HPos::Right, INK))?;
        pen.write(area, (&bar.score(), (columns.end, middle)), (TEXT, HPos::Right, INK))?;
        let Wdl { wins, draws, losses } = bar.results;
        let width = f64::from(columns.right - columns.left);
        let edge = |games: u64| columns.left + (width * games as f64 / bar.results.games() as f64).round() as i32;
        let mut before = 0;
        for (games, colour, ink) in [(wins, WIN, WHITE), (draws, DRAW, INK), (losses, LOSS, INK)] {
            if games == 0 {
                continue;
            }
            let (from, to) = (edge(before), edge(before + games));
            area.draw(&Rectangle::new([(from, top), (to, top + pen.px(BAR))], colour.filled())).map_err(text)?;
            let count = games.to_string();
            if pen.width(&count, TEXT) + pen.px(4) <= to - from {
                pen.write(area, (&count, (i32::midpoint(from, to), middle)), (TEXT, HPos::Center, ink))?;
            }
            before += games;
        }
        Ok(())
    }
}

impl Draw for Bars {
    fn size(&self) -> (i32, i32) {
        (WIDTH, Self::top(self.rows()) + AXIS_ROW + MARGIN / 2)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pen: Pen) -> Drawn {
        let title = pen.fitted(&self.title, TITLE, pen.px(WIDTH - 2 * MARGIN));
        pen.write(area, (&title, (pen.px(WIDTH / 2), pen.px(MARGIN + 8))), (TITLE, HPos::Center, INK))?;
        let columns = self.columns(pen);
        Self::draw_legend(area, pen, &columns)?;
        self.draw_axis(area, pen, &columns)?;
        for (row, bar) in (0..).zip(&self.bars) {
            Self::draw_bar(area, (row, bar), pen, &columns)?;
        }
        Ok(())
    }
}
