//! The two circuits, along which pieces capture: closed tracks of 24 places over four lines, which four arcs connect.

use super::points::{POINTS, Points, SIZE};

/// Places of a track.
pub(crate) const PLACES: usize = 4 * SIZE;

/// The points of the small (lines next to the edge) and the large circuit, in the order of travel. An arc leads from each sixth
/// place to the next.
const TRACKS: [[u8; PLACES]; 2] = [track(1), track(2)];

/// The points on the large and on the small circuit.
pub const CIRCUITS: [Points; 2] = [points_of(TRACKS[1]), points_of(TRACKS[0])];

const fn points_of(track: [u8; PLACES]) -> Points {
    let mut points = Points::EMPTY;
    let mut place = 0;
    while place < PLACES {
        points = points.with(track[place] as usize);
        place += 1;
    }
    points
}

/// The point of each place as a set, over two laps.
static LAPS: [[Points; 2 * PLACES]; 2] = [laps(TRACKS[0]), laps(TRACKS[1])];

const fn laps(track: [u8; PLACES]) -> [Points; 2 * PLACES] {
    array!(Points::EMPTY; 2 * PLACES, at => Points::of(track[at % PLACES] as usize))
}

/// A place of a point: its number on its track, and which track that is.
#[derive(Debug, Clone, Copy)]
struct Place {
    track: u8,
    number: u8,
}

/// The places that a point has on the tracks. Where two lines of a circuit cross the point has two places on one track; corners
/// have none.
static PLACES_OF: [[Option<Place>; 2]; POINTS] = places_of_points();

/// The points one step away from each, in eight directions.
pub(crate) static NEIGHBOURS: [Points; POINTS] = neighbours();

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

const fn places_of_points() -> [[Option<Place>; 2]; POINTS] {
    let mut places = [[None; 2]; POINTS];
    let mut at = 0;
    while at < 2 * PLACES {
        let (track, number) = (at / PLACES, at % PLACES);
        let of = &mut places[TRACKS[track][number] as usize];
        of[of[0].is_some() as usize] = Some(Place { track: track as u8, number: number as u8 });
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

/// Places of both tracks, one bit each: the small circuit in the low half, in the order of travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places(u64);

/// Bits of the second track begin here.
const HALF: usize = 32;
const ALL_OF_TRACK: u64 = (1 << PLACES) - 1;

/// The places of each point.
static MASKS: [Places; POINTS] = masks();

const fn masks() -> [Places; POINTS] {
    let mut masks = [Places::NONE; POINTS];
    let mut at = 0;
    while at < 2 * PLACES {
        let (track, number) = (at / PLACES, at % PLACES);
        masks[TRACKS[track][number] as usize].0 |= 1 << (track * HALF + number);
        at += 1;
    }
    masks
}

impl Places {
    /// None.
    pub const NONE: Self = Self(0);

    /// The set with the places of `point` added to it, or taken out where they were in it.
    #[must_use]
    pub(crate) const fn toggled(self, point: usize) -> Self {
        Self(self.0 ^ MASKS[point].0)
    }

    /// The track of `place`, turned so that it begins behind `place` and ends with it.
    const fn turned_behind(self, place: Place) -> u64 {
        let track = self.0 >> (place.track as usize * HALF) & ALL_OF_TRACK;
        (track | track << PLACES) >> (place.number + 1) & ALL_OF_TRACK
    }
}

/// The points with a piece that a piece from `start` meets first on its ways round the circuits, in either direction, after
/// at least one arc. `occupied` are the places with pieces; those of the start count as empty, so it may be passed again.
pub(crate) fn met_by_travel(start: usize, occupied: Places) -> Points {
    let obstacles = Places(occupied.0 & !MASKS[start].0);
    PLACES_OF[start].iter().flatten().fold(Points::EMPTY, |met, &place| met | met_from(place, obstacles))
}

/// The same from one of its places. The first obstacle ahead is the lowest bit, the first behind is the highest.
fn met_from(place: Place, obstacles: Places) -> Points {
    let ahead = obstacles.turned_behind(place);
    if ahead == 0 {
        return Points::EMPTY;
    }
    let (first, last) = (ahead.trailing_zeros() as usize, ahead.ilog2() as usize);
    let number = usize::from(place.number);
    let point = |steps: usize| LAPS[usize::from(place.track)][number + steps];
    // Steps to the end of the line on which the travel begins, forth and back.
    let (to_end, to_begin) = (SIZE - 1 - number % SIZE, number % SIZE);
    let forth = if first + 1 > to_end { point(first + 1) } else { Points::EMPTY };
    let back = if PLACES - 1 - last > to_begin { point(last + 1) } else { Points::EMPTY };
    forth | back
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
            let occupied = pieces.iter().map(points).fold(Places::NONE, Places::toggled);
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
