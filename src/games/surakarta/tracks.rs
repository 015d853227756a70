//! The two circuits, along which pieces capture: closed tracks of 24 places over four lines, which four arcs connect.

use super::points::{POINTS, Points, SIZE};

/// Places of a track.
pub const PLACES: usize = 4 * SIZE;

/// The points of the small (lines next to the edge) and the large circuit, in the order of travel. An arc leads from each sixth
/// place to the next.
const TRACKS: [[u8; PLACES]; 2] = [track(1), track(2)];

/// The places that a point has on the tracks, as numbers of track and place. Where two lines of a circuit cross the point
/// has two places on one track; corners have none.
static PLACES_OF: [[Option<(u8, u8)>; 2]; POINTS] = places_of_points();

/// The points one step away from each, in eight directions.
pub static NEIGHBOURS: [Points; POINTS] = neighbours();

/// The track over rows and columns `k` and `5 - k`: row `k` to the right, by an arc down column `5 - k`, by an arc row
/// `5 - k` to the left, by an arc up column `k`, and by an arc back.
const fn track(k: usize) -> [u8; PLACES] {
    let (near, far) = (k, SIZE - 1 - k);
    let mut track = [0; PLACES];
    let mut step = 0;
    while step < SIZE {
        let back = SIZE - 1 - step;
        track[step] = (near * SIZE + step) as u8;
        track[SIZE + step] = (step * SIZE + far) as u8;
        track[2 * SIZE + step] = (far * SIZE + back) as u8;
        track[3 * SIZE + step] = (back * SIZE + near) as u8;
        step += 1;
    }
    track
}

const fn places_of_points() -> [[Option<(u8, u8)>; 2]; POINTS] {
    let mut places = [[None; 2]; POINTS];
    let mut at = 0;
    while at < 2 * PLACES {
        let (track, place) = (at / PLACES, at % PLACES);
        let of = &mut places[TRACKS[track][place] as usize];
        of[of[0].is_some() as usize] = Some((track as u8, place as u8));
        at += 1;
    }
    places
}

const fn neighbours() -> [Points; POINTS] {
    let mut table = [Points::EMPTY; POINTS];
    let mut pair = 0;
    while pair < POINTS * POINTS {
        let (from, to) = (pair / POINTS, pair % POINTS);
        let rows = (from / SIZE).abs_diff(to / SIZE);
        let columns = (from % SIZE).abs_diff(to % SIZE);
        if from != to && rows <= 1 && columns <= 1 {
            table[from] = table[from].with(to);
        }
        pair += 1;
    }
    table
}

/// The points with a piece that a piece from `start` meets first on its ways round the circuits, in either direction, after
/// at least one arc. `occupied` are the points with pieces; the start counts as empty, so it may be passed again.
pub fn met_by_travel(start: usize, occupied: Points) -> Points {
    let obstacles = occupied & !Points::of(start);
    let mut met = Points::EMPTY;
    for &(track, place) in PLACES_OF[start].iter().flatten() {
        for forward in [true, false] {
            if let Some(point) = first_beyond_arc(usize::from(track), usize::from(place), forward, obstacles) {
                met = met.with(point);
            }
        }
    }
    met
}

/// The first obstacle from a place on, unless it stands before the first arc. A lap ends where it began.
fn first_beyond_arc(track: usize, place: usize, forward: bool, obstacles: Points) -> Option<usize> {
    let step = if forward { 1 } else { PLACES - 1 };
    let mut places = (1..PLACES).map(|steps| (place + steps * step) % PLACES);
    let met = places.find(|&at| obstacles.contains(usize::from(TRACKS[track][at])))?;
    // Steps to the end of the line on which the travel begins.
    let to_arc = if forward { SIZE - 1 - place % SIZE } else { place % SIZE };
    let steps = if forward { met + PLACES - place } else { place + PLACES - met } % PLACES;
    (steps > to_arc).then(|| usize::from(TRACKS[track][met]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::surakarta::{parse_point, point_name};

    #[test]
    fn tracks_are_closed_by_arcs_between_the_edges_of_equal_lines() {
        for (k, track) in [(1, TRACKS[0]), (2, TRACKS[1])] {
            for end in (SIZE - 1..PLACES).step_by(SIZE) {
                let ends = [track[end], track[(end + 1) % PLACES]].map(usize::from);
                let [(row, column), (other_row, other_column)] = ends.map(|point| (point / SIZE, point % SIZE));
                let far = SIZE - 1;
                let arcs = [
                    ((0, k), (k, 0)),
                    ((0, far - k), (k, far)),
                    ((far, k), (far - k, 0)),
                    ((far, far - k), (far - k, far)),
                ];
                let arc = ((row, column), (other_row, other_column));
                assert!(arcs.contains(&arc) || arcs.contains(&(arc.1, arc.0)), "{arc:?}");
            }
        }
    }

    #[test]
    fn corners_have_no_place_and_inner_points_two() {
        let places = |name| PLACES_OF[parse_point(name).unwrap()].iter().flatten().count();
        assert_eq!(["a1", "a6", "f1", "f6"].map(places), [0; 4]);
        assert_eq!(["a2", "b1", "f5", "c6"].map(places), [1; 4]);
        assert_eq!(["b2", "c2", "c3", "d4"].map(places), [2; 4]);
    }

    #[test]
    fn travel_needs_an_arc() {
        let met = |start, pieces: &[&str]| {
            let points = |name: &&str| parse_point(name).unwrap();
            let occupied = pieces.iter().map(points).fold(Points::EMPTY, Points::with);
            met_by_travel(parse_point(start).unwrap(), occupied).into_iter().map(point_name).collect::<Vec<_>>()
        };
        assert_eq!(met("a5", &["b6"]), ["b6"]);
        assert_eq!(met("a5", &["a5", "b6"]), ["b6"]);
        assert_eq!(met("a1", &["b6", "a2"]), [""; 0]);
        // Next to it on the same line, it is met only the long way round.
        assert_eq!(met("a5", &["b5", "b6"]), ["b6"]);
        assert_eq!(met("a5", &["b5"]), ["b5"]);
        assert_eq!(met("a5", &["a5"]), [""; 0]);
    }
}
