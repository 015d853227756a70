//! Curves: several named series over one axis, such as losses over the games learned from.

use std::path::Path;

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::canvas::{Draw, Drawn, FRAME, GRID, INK, MARGIN, PALETTE, Pen, TEXT, TITLE_ROW, render, text, to_svg};
use super::ticks::Axis;
use super::{Picture, PlotError};

const WIDTH: i32 = 760;
const PLOT_HEIGHT: i32 = 400;
const LEGEND_ROW: i32 = 24;
/// Length of the piece of line in front of a name in the legend.
const SWATCH: i32 = 34;
/// Series with more points than this carry markers at some of them only.
const MARK_ALL: usize = 24;
/// How much of what lies below a band is hidden by it.
const BAND_OPACITY: f64 = 0.18;
/// Markers on a long series.
const MARKS: usize = 8;

/// One named line of a plot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, in the order in which they are joined. A point that is not finite interrupts the line.
    pub points: Vec<(f64, f64)>,
    /// Half the height of the error bar at each point; empty for none.
    pub errors: Vec<f64>,
    /// Half the height of the shaded band around the line at each point; empty for none. Where it is not finite, there is
    /// no band.
    pub band: Vec<f64>,
}

impl Series {
    /// A line through `points`.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    /// The unbroken stretches of the line.
    fn stretches(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        self.points.split(|&point| !is_finite(point)).filter(|stretch| !stretch.is_empty())
    }

    /// Finite points with their errors, as (x, lowest, y, highest).
    fn bars(&self) -> impl Iterator<Item = Spread> + '_ {
        let errors = self.errors.iter().copied().chain(std::iter::repeat(0.0));
        self.points.iter().zip(errors).filter_map(|(&point, error)| spread(point, error))
    }

    /// The unbroken stretches of the band.
    fn bands(&self) -> Vec<Vec<Spread>> {
        let spreads: Vec<Option<Spread>> =
            self.points.iter().zip(&self.band).map(|(&p, &half)| spread(p, half)).collect();
        let stretches = spreads.split(Option::is_none).filter(|stretch| !stretch.is_empty());
        stretches.map(|stretch| stretch.iter().copied().flatten().collect()).collect()
    }
}

/// A point as (x, lowest, y, highest).
type Spread = (f64, f64, f64, f64);

/// A point and what is `half` above and below it; `None` unless all is finite.
fn spread((x, y): (f64, f64), half: f64) -> Option<Spread> {
    (is_finite((x, y)) && half.is_finite()).then_some((x, y - half, y, y + half))
}

fn is_finite((x, y): (f64, f64)) -> bool {
    x.is_finite() && y.is_finite()
}

/// A plot of several series: title, legend below it, labelled axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curves {
    /// What the plot shows.
    pub title: String,
    /// What runs along the horizontal axis, with its unit.
    pub x_label: String,
    /// What runs along the vertical axis, with its unit.
    pub y_label: String,
    /// The lines. Each has its own colour and marker, up to 42 of them; where colours begin again, lines are dashed.
    pub series: Vec<Series>,
    /// Levels to compare with, such as the error of a baseline: dashed across the plot, each with dashes of its own length.
    pub levels: Vec<(String, f64)>,
    /// The least and the greatest value that there can be, where error bars end.
    pub limits: Option<(f64, f64)>,
}

impl Picture for Curves {
    fn render(&self, path: &Path) -> Result<(), PlotError> {
        self.check()?;
        render(self, path)
    }
}

impl Curves {
    /// A plot of `series`, with the labels of the horizontal and of the vertical axis.
    pub fn new(title: impl Into<String>, [x_label, y_label]: [&str; 2], series: Vec<Series>) -> Self {
        let (title, x_label, y_label) = (title.into(), x_label.to_owned(), y_label.to_owned());
        Self { title, x_label, y_label, series, ..Self::default() }
    }

    /// The plot as the text of an SVG.
    ///
    /// # Errors
    /// When no series has a finite point.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        self.check()?;
        to_svg(self).map_err(|reason| PlotError::Draw(Path::new(&self.title).to_owned(), reason))
    }

    fn check(&self) -> Result<(), PlotError> {
        if self.series.iter().all(|series| series.bars().next().is_none()) {
            return Err(PlotError::Empty(self.title.clone(), "series with a finite point"));
        }
        Ok(())
    }

    /// The names, in rows that fit the width; each with its series' index and its left edge in pixels.
    fn legend(&self, pen: Pen) -> Vec<Vec<(usize, i32, String)>> {
        let (left, right) = (pen.px(MARGIN + 4), pen.px(WIDTH - MARGIN));
        let mut rows: Vec<Vec<(usize, i32, String)>> = vec![Vec::new()];
        let mut x = left;
        let names = self.series.iter().map(|series| &series.name).chain(self.levels.iter().map(|level| &level.0));
        for (index, name) in names.enumerate() {
            let name = pen.fitted(name, TEXT, right - left - pen.px(SWATCH + 8));
            let width = pen.px(SWATCH + 8) + pen.width(&name, TEXT);
            if x > left && x + width > right {
                rows.push(Vec::new());
                x = left;
            }
            if let Some(row) = rows.last_mut() {
                row.push((index, x, name));
            }
            x += width + pen.px(22);
        }
        rows
    }

    fn head(&self, pen: Pen) -> i32 {
        let rows = i32::try_from(self.legend(pen).len()).unwrap_or(i32::MAX);
        MARGIN + TITLE_ROW + rows * LEGEND_ROW
    }

    /// The points of `series` with their errors, within the limits.
    fn bars<'s>(&self, series: &'s Series) -> impl Iterator<Item = Spread> + use<'s> {
        let (least, most) = self.limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        series.bars().map(move |(x, low, y, high)| (x, low.max(least), y, high.min(most)))
    }

    fn axes(&self) -> (Axis, Axis) {
        let bars = || self.series.iter().flat_map(|series| self.bars(series));
        let (x_low, x_high) = extent(bars().map(|(x, ..)| (x, x)));
        let levels = self.levels.iter().map(|&(_, y)| (y, y)).filter(|(y, _)| y.is_finite());
        let bands = self.series.iter().flat_map(Series::bands).flatten();
        let (y_low, y_high) = extent(bars().chain(bands).map(|(_, low, _, high)| (low, high)).chain(levels));
        (Axis::over(x_low, x_high, 8, false), Axis::over(y_low, y_high, 6, true))
    }

    fn draw_legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pen: Pen) -> Drawn {
        for (row, entries) in (0..).zip(self.legend(pen)) {
            let y = pen.px(MARGIN + TITLE_ROW + row * LEGEND_ROW + LEGEND_ROW / 2 - 4);
            for (index, x, name) in entries {
                let ends = [(x, y), (x + pen.px(SWATCH), y)];
                match index.checked_sub(self.series.len()) {
                    None => Brush::of(index, pen).swatch(area, ends)?,
                    Some(level) => draw_level(area, pen, level, ends)?,
                }
                pen.write(area, (&name, (x + pen.px(SWATCH + 6), y)), (TEXT, HPos::Left, INK))?;
            }
        }
        Ok(())
    }
}

/// The least and the greatest number of all pairs (low, high).
fn extent(pairs: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    pairs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (least, most)| (low.min(least), high.max(most)))
}

impl Draw for Curves {
    fn size(&self) -> (i32, i32) {
        (WIDTH, self.head(Pen { scale: 1 }) + PLOT_HEIGHT + 2)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pen: Pen) -> Drawn {
        pen.title(area, &self.title, WIDTH)?;
        self.draw_legend(area, pen)?;

        let (x_axis, y_axis) = self.axes();
        let widest = y_axis.ticks.iter().map(|&tick| pen.width(&y_axis.label(tick), TEXT)).max().unwrap_or(0);
        let overhang = x_axis.ticks.last().map_or(0, |&tick| pen.width(&x_axis.label(tick), TEXT) / 2);
        let (_, body) = area.split_vertically(area.dim_in_pixel().1 as i32 - pen.px(PLOT_HEIGHT));
        let mut chart = ChartBuilder::on(&body)
            .margin_left(pen.px(MARGIN))
            .margin_right(pen.px(MARGIN).max(overhang + pen.px(4)))
            .margin_top(pen.px(6))
            .margin_bottom(pen.px(MARGIN))
            .x_label_area_size(pen.px(52))
            .y_label_area_size(widest + pen.px(40))
            .build_cartesian_2d(x_axis, y_axis)
            .map_err(text)?;
        chart
            .configure_mesh()
            .bold_line_style(GRID.stroke_width(pen.px(1).unsigned_abs()))
            .light_line_style(TRANSPARENT)
            .axis_style(FRAME.stroke_width(pen.px(1).unsigned_abs()))
            .set_all_tick_mark_size(pen.px(5))
            .label_style(pen.style(TEXT))
            .axis_desc_style(pen.style(TEXT + 1))
            .y_label_offset(pen.drop(TEXT))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .draw()
            .map_err(text)?;
        // All bands lie below all lines.
        for (index, series) in self.series.iter().enumerate() {
            Brush::of(index, pen).bands(area, series, &|point| chart.backend_coord(&point))?;
        }
        let (x_low, x_high) = (chart.x_range().start, chart.x_range().end);
        for (level, (_, y)) in self.levels.iter().enumerate().filter(|(_, (_, y))| y.is_finite()) {
            let ends = [x_low, x_high].map(|x| chart.backend_coord(&(x, *y)));
            draw_level(area, pen, level, ends)?;
        }
        for (index, series) in self.series.iter().enumerate() {
            Brush::of(index, pen)
                .series(area, (series, &self.bars(series).collect::<Vec<_>>()), &|point| chart.backend_coord(&point))?;
        }
        Ok(())
    }
}

/// The dashed line of level number `level` between `ends`: each level has shorter dashes than the one before.
fn draw_level<B: DrawingBackend>(area: &DrawingArea<B, Shift>, pen: Pen, level: usize, ends: [(i32, i32); 2]) -> Drawn {
    let style = FRAME.stroke_width(pen.px(2).unsigned_abs());
    let dash = pen.px([9, 4, 2][level.min(2)]);
    area.draw(&DashedPathElement::new(ends, dash, pen.px(4), style)).map_err(text)
}

/// Lengths of dashes and gaps of the series after those of the first colours, by the turn of the colours.
const DASHES: [(i32, i32); 3] = [(7, 4), (2, 3), (10, 8)];

/// How one series is drawn.
struct Brush {
    colour: RGBColor,
    shape: usize,
    /// Dashes and gaps; none for a whole line.
    dashes: Option<(i32, i32)>,
    pen: Pen,
}

impl Brush {
    fn of(index: usize, pen: Pen) -> Self {
        let turn = (index / PALETTE.len()).checked_sub(1);
        let dashes = turn.map(|turn| DASHES[turn % DASHES.len()]);
        Self { colour: PALETTE[index % PALETTE.len()], shape: index % 6, dashes, pen }
    }

    /// The line through `path`, in pixels of the picture.
    fn path<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, path: Vec<(i32, i32)>) -> Drawn {
        let Some((dash, gap)) = self.dashes else {
            return area.draw(&PathElement::new(path, self.line())).map_err(text);
        };
        let (dash, gap) = (self.pen.px(dash), self.pen.px(gap));
        area.draw(&DashedPathElement::new(path, dash, gap, self.line())).map_err(text)
    }

    fn line(&self) -> ShapeStyle {
        self.colour.stroke_width(self.pen.px(2).unsigned_abs())
    }

    /// The sample of line and marker in the legend.
    fn swatch<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, ends: [(i32, i32); 2]) -> Drawn {
        self.path(area, ends.to_vec())?;
        self.mark(area, ((ends[0].0 + ends[1].0) / 2, ends[0].1))
    }

    /// The shaded bands of `series`; `place` maps values to pixels of the whole picture.
    fn bands<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        series: &Series,
        place: &dyn Fn((f64, f64)) -> (i32, i32),
    ) -> Drawn {
        for band in series.bands() {
            let there = band.iter().map(|&(x, _, _, high)| place((x, high)));
            let back = band.iter().rev().map(|&(x, low, ..)| place((x, low)));
            let outline: Vec<_> = there.chain(back).collect();
            area.draw(&Polygon::new(outline, self.colour.mix(BAND_OPACITY))).map_err(text)?;
        }
        Ok(())
    }

    /// Line, error bars and markers of `series`, whose points with their errors are `bars`; `place` maps values to pixels of the whole
    /// picture.
    fn series<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        (series, bars): (&Series, &[Spread]),
        place: &dyn Fn((f64, f64)) -> (i32, i32),
    ) -> Drawn {
        for stretch in series.stretches() {
            self.path(area, stretch.iter().map(|&point| place(point)).collect())?;
        }
        for &(x, low, _, high) in bars.iter().filter(|&&(_, low, _, high)| low < high) {
            self.error_bar(area, place((x, low)), place((x, high)))?;
        }
        let count = bars.len();
        let every = if count <= MARK_ALL { 1 } else { count.div_ceil(MARKS) };
        // Long series start their markers at different places, so that they do not hide each other.
        let first = if every == 1 { 0 } else { (self.shape * every / 6).min(count - 1) };
        for &(x, _, y, _) in bars.iter().skip(first).step_by(every) {
            self.mark(area, place((x, y)))?;
        }
        Ok(())
    }

    fn error_bar<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, low: (i32, i32), high: (i32, i32)) -> Drawn {
        let cap = self.pen.px(4);
        let style = self.colour.stroke_width(self.pen.px(1).unsigned_abs());
        let flat = |(x, y): (i32, i32)| vec![(x - cap, y), (x + cap, y)];
        for path in [vec![low, high], flat(low), flat(high)] {
            area.draw(&PathElement::new(path, style)).map_err(text)?;
        }
        Ok(())
    }

    /// The marker of the series, centred at `at`.
    fn mark<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, at: (i32, i32)) -> Drawn {
        let r = self.pen.px(4);
        let corners: &[(i32, i32)] = match self.shape {
            0 => return area.draw(&Circle::new(at, r, self.colour.filled())).map_err(text),
            1 => &[(-r, -r), (r, -r), (r, r), (-r, r)],
            2 => &[(0, -r - r / 4), (r + r / 4, r), (-r - r / 4, r)],
            3 => &[(0, -r - r / 2), (r + r / 2, 0), (0, r + r / 2), (-r - r / 2, 0)],
            4 => &[(0, r + r / 4), (r + r / 4, -r), (-r - r / 4, -r)],
            _ => return self.ring(area, at, r),
        };
        let moved = corners.iter().map(|&(x, y)| (at.0 + x, at.1 + y)).collect::<Vec<_>>();
        area.draw(&Polygon::new(moved, self.colour.filled())).map_err(text)
    }

    fn ring<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, at: (i32, i32), r: i32) -> Drawn {
        area.draw(&Circle::new(at, r, WHITE.filled())).map_err(text)?;
        area.draw(&Circle::new(at, r, self.line())).map_err(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a gap beside its marker a sample would look like one of a whole line.
    #[test]
    fn samples_of_dashed_lines_show_a_gap() {
        for (dash, gap) in DASHES {
            let is_beside_marker = |x: &i32| (x - SWATCH / 2).abs() > 6;
            let gaps = (0..SWATCH).filter(is_beside_marker).filter(|x| x % (dash + gap) >= dash);
            assert!(gaps.count() > 2, "{dash}, {gap}");
        }
    }
}
