//! Boards on a page: their geometry, and figures of their points as heat maps.

use std::fmt::Write as _;

use serde::Serialize;

use super::escaped;

/// A board without pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Board {
    /// Rows and columns.
    pub size: [usize; 2],
    /// The names of the columns from the left, and of the rows from the top.
    pub labels: [Vec<String>; 2],
    /// The lines as data of an SVG path: points are 1 apart, and the upper left one is at 0, 0.
    pub lines: String,
    /// How far the lines reach beyond the outer points.
    pub reach: usize,
}

/// Counts of the points of a board, such as how many rules ask about each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeatMap {
    /// What is counted.
    pub title: String,
    /// The board.
    pub board: Board,
    /// One count a point, row by row from the upper left.
    pub counts: Vec<usize>,
    /// The count that the darkest colour stands for; maps side by side have the same.
    pub most: usize,
}

/// How much colour the greatest count has, so that numbers on it can be read.
const DARKEST: f64 = 0.85;
/// From this share of the darkest colour on, numbers are light.
const LIGHT_FROM: f64 = 0.6;

/// Heat maps side by side; nothing if there are none.
pub(crate) fn heat_maps(maps: &[HeatMap]) -> String {
    if maps.is_empty() {
        return String::new();
    }
    let figures: String = maps.iter().map(heat_map).collect();
    format!("<h3>Points of the board</h3>\n<div class=\"maps\">\n{figures}</div>\n")
}

fn heat_map(map: &HeatMap) -> String {
    let HeatMap { title, board, counts, most } = map;
    let [rows, columns] = board.size;
    let edge = board.reach as f64 + 1.1;
    let title = escaped(title);
    let mut svg = format!(
        "<figure><figcaption>{title}</figcaption>\n<svg class=\"board heat\" role=\"img\" aria-label=\"{title}\" \
         viewBox=\"{} {} {} {}\">\n<path class=\"lines\" d=\"{}\"/>\n",
        -edge,
        -edge,
        columns as f64 - 1.0 + 2.0 * edge,
        rows as f64 - 1.0 + 2.0 * edge,
        escaped(&board.lines)
    );
    for (point, &count) in counts.iter().enumerate() {
        svg += &spot(board, (point % columns.max(1), point / columns.max(1)), count, (*most).max(1));
    }
    svg + &names(board) + "</svg></figure>\n"
}

/// One point with its count; without a number where none was counted.
fn spot(board: &Board, (x, y): (usize, usize), count: usize, most: usize) -> String {
    let name = |labels: &[String], at: usize| escaped(labels.get(at).map_or("", String::as_str));
    let (column, row) = (name(&board.labels[0], x), name(&board.labels[1], y));
    let share = count as f64 / most as f64;
    let opacity = DARKEST * share;
    let (left, top) = (x as f64 - 0.46, y as f64 - 0.46);
    let square = |attributes: &str| format!("<rect x=\"{left:.2}\" y=\"{top:.2}\" {attributes}/>");
    let mut spot = format!("<g><title>{column}{row}: {count}</title>");
    if count > 0 {
        let kind = if share >= LIGHT_FROM { " class=\"light\"" } else { "" };
        spot += &square("class=\"ground\"");
        spot += &square(&format!("class=\"spot\" fill-opacity=\"{opacity:.3}\""));
        // Writing to a string cannot fail.
        let _ = write!(spot, "<text{kind} x=\"{x}\" y=\"{y}\" dy=\".35em\">{count}</text>");
    } else {
        // Nothing to see, but the name of the point.
        spot += &square("fill-opacity=\"0\"");
    }
    spot + "</g>\n"
}

/// The names of columns and rows beside the board.
fn names(board: &Board) -> String {
    let away = board.reach as f64 + 0.8;
    let below = board.size[0] as f64 - 1.0 + away;
    let text = |name: &str, x: f64, y: f64| {
        format!("<text class=\"name\" x=\"{x}\" y=\"{y}\" dy=\".35em\">{}</text>", escaped(name))
    };
    let columns = board.labels[0].iter().enumerate().map(|(x, name)| text(name, x as f64, below));
    let rows = board.labels[1].iter().enumerate().map(|(y, name)| text(name, -away, y as f64));
    columns.chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_its_count_and_colours_share_a_scale() {
        let labels = [["a", "b"], ["2", "1"]].map(|names| names.map(str::to_owned).to_vec());
        let board = Board { size: [2, 2], labels, lines: "M0 0H1".to_owned(), reach: 0 };
        let html = heat_maps(&[HeatMap { title: "x <y>".to_owned(), board, counts: vec![4, 0, 2, 1], most: 4 }]);
        for part in [
            "x &lt;y&gt;",
            "<title>a2: 4</title>",
            "fill-opacity=\"0.850\"",
            "fill-opacity=\"0.425\"",
            "<title>b2: 0</title>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert_eq!(html.matches("<text class=\"light\"").count(), 1);
        assert_eq!(heat_maps(&[]), "");
    }
}
