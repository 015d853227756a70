//! What the static evaluation adds up.

use serde_json::{Value, json};

use super::{Explanation, SegmentShare, StretchShare};
use crate::eval::{Reasons, Sheet};
use crate::game::{Game, Side};
use crate::games::connect6::Connect6;

/// This explanation as reasons.
pub(super) fn reasons(explanation: &Explanation) -> Reasons {
    let sheets = vec![stretches_table(explanation), segments_table(explanation), sums_table(explanation)];
    let terms = sums(explanation).map(|(part, [black, white])| (part, black - white)).into();
    Reasons { sheets, terms, name: "static", json: explanation_json(explanation) }
}

const fn name_of(side: Side) -> &'static str {
    Connect6::SIDES[side.index()]
}

/// One row a stretch of a line.
fn stretches_table(explanation: &Explanation) -> Sheet {
    let row = |share: &StretchShare| {
        let [from, to] = share.ends.map(|point| point.name().into());
        let (stones, class) = (share.content.to_string().into(), share.pattern.name().into());
        vec![name_of(share.side).into(), share.line.as_str().into(), from, to, stones, class, share.worth.into()]
    };
    let names = ["side", "line", "from", "to", "stones", "class"];
    let caption = "Stretches of lines without a stone of the other side";
    Sheet::new(caption, &names, &["worth"], explanation.stretches.iter().map(row))
}

/// One row for the segments of a side with equally many stones.
fn segments_table(explanation: &Explanation) -> Sheet {
    let row = |share: &SegmentShare| {
        vec![name_of(share.side).into(), share.stones.into(), share.count.into(), share.worth.into()]
    };
    let caption = "Segments, six points in a row, with stones of one side only";
    Sheet::new(caption, &["side"], &["stones", "segments", "worth"], explanation.segments.iter().map(row))
}

/// What all of it adds up to for each side.
fn sums_table(explanation: &Explanation) -> Sheet {
    let rows = sums(explanation).map(|(part, [black, white])| vec![part.into(), black.into(), white.into()]);
    Sheet::new("Sums", &["part"], &Connect6::SIDES, rows)
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
        let SegmentShare { side, stones, count, worth } = *share;
        json!({ "side": name_of(side), "stones": stones, "segments": count, "worth": worth })
    });
    json!({
        "stretches": stretches.collect::<Vec<_>>(),
        "segments": segments.collect::<Vec<_>>(),
        "stones_to_come": explanation.stones_to_come,
    })
}
