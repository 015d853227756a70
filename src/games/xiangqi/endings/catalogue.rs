//! The surveys that come with the program: which material they cover, how they are made, and how they are looked up.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::material::Material;
use super::placement::Numbering;
use super::retrograde::Solver;
use super::survey::{Claim, Survey};
use crate::game::Side;
use crate::games::xiangqi::Role;

/// Material with more placements is left out of the catalogue, unless a lone piece attacks.
const MOST_PLACEMENTS: usize = 700_000;

/// What the side with more has beside its king.
const STRONG: [&str; 17] =
    ["", "P", "N", "C", "R", "PP", "NP", "CP", "CN", "NN", "PA", "NA", "CA", "CB", "CAA", "RA", "RP"];
/// What the other side has beside its king, without pieces that cross the river.
const DEFENDERS: [&str; 9] = ["", "A", "B", "AA", "AB", "BB", "AAB", "ABB", "AABB"];
/// Pieces that cross the river against each other: the side with more, then the other one.
const DUELS: [(&str, &str); 11] = [
    ("P", "P"),
    ("N", "P"),
    ("C", "P"),
    ("R", "P"),
    ("N", "N"),
    ("C", "N"),
    ("C", "C"),
    ("R", "N"),
    ("R", "C"),
    ("R", "R"),
    ("NP", "P"),
];

const JSON: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-endings/endings.json"));

/// The file of surveys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: u32,
    endings: Vec<Survey>,
}

const SCHEMA: u32 = 2;

/// Why surveys cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the surveys of endings as JSON: {0}")]
pub struct TableError(#[from] serde_json::Error);

/// The material that the committed surveys cover, in ascending order of its placements.
pub fn catalogue() -> Vec<Material> {
    let alone =
        STRONG.iter().flat_map(|strong| DEFENDERS.iter().map(move |weak| (strong.to_string(), weak.to_string())));
    let duels = DUELS.iter().flat_map(|(strong, weak)| {
        DEFENDERS.iter().map(move |defenders| (strong.to_string(), format!("{weak}{defenders}")))
    });
    let parsed = alone.chain(duels).filter_map(|(strong, weak)| format!("K{strong} K{weak}").parse::<Material>().ok());
    let sized = parsed.filter_map(|material| Some((Numbering::new(material.canonical())?.len(), material.canonical())));
    let mut sized: Vec<_> =
        sized.filter(|&(len, material)| len <= MOST_PLACEMENTS || is_lone_attack(material)).collect();
    sized.sort_unstable();
    sized.dedup();
    sized.into_iter().map(|(_, material)| material).collect()
}

/// Whether one side has a single piece that crosses the river and nothing else, and the other has none.
fn is_lone_attack(material: Material) -> bool {
    let crossing = |side| [Role::Rook, Role::Cannon, Role::Horse, Role::Pawn].map(|role| material.count(side, role));
    let [strong, weak] = [Side::First, Side::Second].map(|side| crossing(side).iter().sum::<usize>());
    let guards = [Role::Advisor, Role::Elephant].map(|role| material.count(Side::First, role));
    (strong, weak, guards) == (1, 0, [0, 0])
}

/// Surveys of the whole [`catalogue`]; `done` is called after each. Takes minutes.
pub fn survey_all(mut done: impl FnMut(&Survey)) -> Vec<Survey> {
    let mut solver = Solver::new();
    // The catalogue holds nothing that is too large.
    let surveys = catalogue().into_iter().filter_map(|material| Survey::of(material, &mut solver).ok());
    surveys.inspect(|survey| done(survey)).collect()
}

/// The file that `datasets/xiangqi-endings/endings.json` is.
///
/// # Errors
/// When serialisation fails.
pub fn to_json(surveys: Vec<Survey>) -> Result<String, TableError> {
    let endings: Vec<String> = surveys.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("{{\"schema\":{SCHEMA},\"endings\":[\n{}\n]}}\n", endings.join(",\n")))
}

/// What the survey of some material proves.
#[derive(Debug, Clone, Copy)]
pub struct Knowledge {
    /// By side to move, the one with more first.
    pub claims: [Option<Claim>; 2],
    /// See [`Survey::scale`].
    pub scale: Option<u8>,
}

struct Known {
    by_material: FxHashMap<Material, Knowledge>,
    most_pieces: usize,
}

/// The committed surveys. A file that cannot be read, which a test rules out, gives no knowledge.
static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let surveys = committed();
    let most_pieces = surveys.iter().map(|(material, _)| material.pieces().len()).max().unwrap_or(0);
    let knowledge = |survey: &Survey| Knowledge { claims: [survey.claim(0), survey.claim(1)], scale: survey.scale() };
    let by_material = surveys.iter().map(|(material, survey)| (*material, knowledge(survey))).collect();
    Known { by_material, most_pieces }
});

/// The committed surveys with their material.
fn committed() -> Vec<(Material, Survey)> {
    let document = serde_json::from_str::<Document>(JSON).ok().filter(|document| document.schema == SCHEMA);
    let surveys = document.map_or_else(Vec::new, |document| document.endings);
    surveys.into_iter().filter_map(|survey| Some((survey.material.parse().ok()?, survey))).collect()
}

/// What is known of material in its canonical form.
pub fn of(material: Material) -> Option<&'static Knowledge> {
    KNOWN.by_material.get(&material)
}

/// The most pieces that known material has.
pub(crate) fn most_pieces() -> usize {
    KNOWN.most_pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_file_covers_the_catalogue() {
        let committed: Vec<Material> = committed().into_iter().map(|(material, _)| material).collect();
        assert_eq!(committed, catalogue());
    }
}
