//! What the static evaluation adds up.

use serde_json::{Value, json};

use super::Explanation;
use crate::eval::{Reasons, Sheet};
use crate::game::{Game, Side};
use crate::games::connect6::Connect6;

/// This explanation as reasons.
pub(super) fn reasons(explanation: &Explanation) -> Reasons {
    let sheets = vec![stretches_table(explanation), segments_table(explanation), sums_table(explanation)];
    Reasons { sheets, name: "static", json: explanation_json(explanation) }
}

const fn name_of(side: Side) -> &'static str {
    Connect6::SIDES[side.index()]
}

/// One row a stretch of a line.
fn stretches_table(explanation: &Explanation) -> Sheet {
    let names = ["side", "line", "from", "to", "stones", "class"];
    let mut table = Sheet::new("Stretches of lines without a stone of the other side", &names, &["worth"]);
    for share in &explanation.stretches {
        let [from, to] = share.ends.map(|point| point.name().into());
        let row = [name_of(share.side).into(), share.line.as_str().into(), from, to];
        let content = [share.content.to_string().into(), share.pattern.name().into(), share.worth.into()];
        table.push(row.into_iter().chain(content));
    }
    table
}

/// One row for the segments of a side with equally many stones.
fn segments_table(explanation: &Explanation) -> Sheet {
    let caption = "Segments, six points in a row, with stones of one side only";
    let mut table = Sheet::new(caption, &["side"], &["stones", "segments", "worth"]);
    for share in &explanation.segments {
        table.push([name_of(share.side).into(), share.stones.into(), share.count.into(), share.worth.into()]);
    }
    table
}

/// What all of it adds up to for each side.
fn sums_table(explanation: &Explanation) -> Sheet {
    let mut table = Sheet::new("Sums", &["part"], &Connect6::SIDES);
    for (part, [black, white]) in sums(explanation) {
        table.push([part.into(), black.into(), white.into()]);
    }
    table
}

/// What stretches, segments and stones to come are worth to each side.
fn sums(explanation: &Explanation) -> [(&'static str, [i64; 2]); 3] {
    let (mut stretches, mut segments, mut stones) = ([0; 2], [0; 2], [0; 2]);
    explanation.stretches.iter().for_each(|share| stretches[share.side.index()] += share.worth);
    explanation.segments.iter().for_each(|share| segments[share.side.index()] += share.worth);
    stones[explanation.side_to_move.index()] = explanation.stones_to_come;
    [("stretches", stretches), ("segments", segments), ("stones to come", stones)]
}

fn explanation_json(explanation: &Explanation) -> Value {
    let stretches = explanation.stretches.iter().map(|share| {
        json!({
            "side": name_of(share.side),
            "line": share.line,
            "from": share.ends[0].name(),
            "to": share.ends[1].name(),
            "stones": share.content.to_string(),
            "class": share.pattern.name(),
            "worth": share.worth,
        })
    });
    let segments = explanation.segments.iter().map(|share| {
        json!({
            "side": name_of(share.side),
            "stones": share.stones,
            "segments": share.count,
            "worth": share.worth,
        })
    });
    json!({
        "stretches": stretches.collect::<Vec<_>>(),
        "segments": segments.collect::<Vec<_>>(),
        "stones_to_come": explanation.stones_to_come,
    })
}
