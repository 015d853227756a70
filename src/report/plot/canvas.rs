//! What all plots share: opening the file, the font, the colours, measuring and writing text.

use std::path::Path;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::PlotError;
use crate::disk::write_whole;

/// Pixels of a PNG per unit of length: sharp on paper and on dense screens. An SVG has one.
const PNG_SCALE: i32 = 2;

/// The colours of Okabe and Ito, told apart with any kind of colour vision, the lightest (yellow) left out.
pub(crate) const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];
/// The colour of text.
pub(crate) const INK: RGBColor = RGBColor(30, 30, 30);
/// The colour of axes and frames.
pub(crate) const FRAME: RGBColor = RGBColor(120, 120, 120);
/// The colour of lines that guide the eye.
pub(crate) const GRID: RGBColor = RGBColor(225, 225, 225);

/// The size of titles, in units.
const TITLE: i32 = 19;
/// What stays free along the edges, in units.
pub const MARGIN: i32 = 14;
/// The height of the row of the title, in units.
pub(crate) const TITLE_ROW: i32 = 34;
/// The size of ordinary text, in units.
pub const TEXT: i32 = 15;

/// What an SVG asks its viewer for: families about as wide as the built-in one, which measures every text and draws PNGs.
const FONT: &str = "Ubuntu, Helvetica, Arial, sans-serif";

/// Whether something was drawn; an error of the drawing backend is a text.
pub type Drawn = Result<(), String>;

/// Something that can draw itself on any backend, `scale` pixels a unit.
pub trait Draw {
    /// Width and height in units.
    fn size(&self) -> (i32, i32);
    /// Draws everything.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pen: Pen) -> Drawn;
}

/// Renders `plot` to `path`, in the format that the name asks for. The file appears whole or not at all.
pub fn render(plot: &impl Draw, path: &Path) -> Result<(), PlotError> {
    let extension = path.extension().and_then(|ext| ext.to_str()).map(str::to_ascii_lowercase);
    let drawn = match extension.as_deref() {
        Some("svg") => to_svg(plot).map(String::into_bytes),
        Some("png") => to_png(plot),
        _ => return Err(PlotError::UnknownFormat(path.to_owned())),
    };
    let kept = drawn.and_then(|bytes| write_whole(path, &bytes).map_err(text));
    kept.map_err(|reason| PlotError::Draw(path.to_owned(), reason))
}

/// `plot` as the text of an SVG.
pub fn to_svg(plot: &impl Draw) -> Result<String, String> {
    let mut svg = String::new();
    let size = pixels(plot, 1)?;
    paint(plot, SVGBackend::with_string(&mut svg, size), Pen { scale: 1 })?;
    Ok(svg)
}

/// `plot` as a file of PNG.
fn to_png(plot: &impl Draw) -> Result<Vec<u8>, String> {
    let (width, height) = pixels(plot, PNG_SCALE)?;
    let mut colours = vec![0; 3 * width as usize * height as usize];
    paint(plot, BitMapBackend::with_buffer(&mut colours, (width, height)), Pen { scale: PNG_SCALE })?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&colours)).map_err(text)?;
    Ok(file)
}

/// Width and height of `plot` in pixels.
fn pixels(plot: &impl Draw, scale: i32) -> Result<(u32, u32), String> {
    // Sizes depend on how wide texts are, which only the font can tell.
    provide_font()?;
    let (width, height) = plot.size();
    Ok(((width * scale).unsigned_abs(), (height * scale).unsigned_abs()))
}

fn paint<B: DrawingBackend>(plot: &impl Draw, backend: B, pen: Pen) -> Drawn {
    let area = backend.into_drawing_area();
    area.fill(&WHITE).map_err(text)?;
    plot.draw(&area, pen)?;
    area.present().map_err(text)
}

/// Registers the font once for the process.
fn provide_font() -> Drawn {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let registered =
        *REGISTERED.get_or_init(|| register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok());
    if registered { Ok(()) } else { Err("the built-in font cannot be read".to_owned()) }
}

/// The text of any error.
pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Turns units into pixels, and measures and writes text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pen {
    /// Pixels per unit.
    pub scale: i32,
}

impl Pen {
    /// How far a text of `size` units must be lowered to look vertically centred: bitmaps centre the whole box of the
    /// font, which reaches higher above the letters than below them. SVG viewers centre the letters.
    pub const fn drop(self, size: i32) -> i32 {
        if self.scale == PNG_SCALE { size * self.scale / 9 } else { 0 }
    }

    /// `units` in pixels.
    pub(crate) const fn px(self, units: i32) -> i32 {
        units * self.scale
    }

    /// A text style of `size` units.
    pub fn style(self, size: i32) -> TextStyle<'static> {
        (FONT, self.px(size)).into_font().color(&INK)
    }

    /// The width of `text` in pixels.
    pub fn width(self, text: &str, size: i32) -> i32 {
        let font = (FONT, self.px(size)).into_font();
        font.box_size(text).map_or(0, |(width, _)| i32::try_from(width).unwrap_or(i32::MAX))
    }

    /// `text`, cut with an ellipsis so that it is at most `limit` pixels wide.
    pub fn fitted(self, text: &str, size: i32, limit: i32) -> String {
        if self.width(text, size) <= limit {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while !kept.is_empty() {
            kept.pop();
            let shorter = format!("{}…", kept.iter().collect::<String>().trim_end());
            if self.width(&shorter, size) <= limit {
                return shorter;
            }
        }
        String::new()
    }

    /// Writes the title of a picture of `width` units.
    pub fn title<B: DrawingBackend>(self, area: &DrawingArea<B, Shift>, title: &str, width: i32) -> Drawn {
        let title = self.fitted(title, TITLE, self.px(width - 2 * MARGIN));
        self.write(area, (&title, (self.px(width / 2), self.px(MARGIN + 8))), (TITLE, HPos::Center, INK))
    }

    /// Writes `text` with the anchor at pixel `at`, vertically centred on it.
    pub fn write<B: DrawingBackend>(
        self,
        area: &DrawingArea<B, Shift>,
        text_at: (&str, (i32, i32)),
        look: (i32, HPos, RGBColor),
    ) -> Drawn {
        let (words, at) = text_at;
        let (size, side, colour) = look;
        let style = self.style(size).color(&colour).pos(Pos::new(side, VPos::Center));
        let lowered = (at.0, at.1 + self.drop(size));
        area.draw(&Text::new(words.to_owned(), lowered, style)).map_err(text)
    }

    /// `text` on one line if it is at most `limit` pixels wide, else on two, broken at the blank that makes the longer
    /// one shortest, each cut to the limit.
    pub(crate) fn wrapped(self, text: &str, size: i32, limit: i32) -> Vec<String> {
        if self.width(text, size) <= limit {
            return vec![text.to_owned()];
        }
        let halves = text.match_indices(' ').map(|(at, _)| (&text[..at], &text[at + 1..]));
        let (first, second) = halves
            .min_by_key(|(first, second)| self.width(first, size).max(self.width(second, size)))
            .unwrap_or((text, ""));
        [first, second].into_iter().filter(|line| !line.is_empty()).map(|line| self.fitted(line, size, limit)).collect()
    }
}
