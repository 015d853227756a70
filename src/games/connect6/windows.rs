//! Windows: the 924 runs of six points in a row, any of which wins the game when one side fills it.

use super::point::{POINTS, SIZE};

/// Stones in a row that win; more win too.
pub const SIX: usize = 6;
/// The number of windows: 19 x 14 along each of rows and columns, 14 x 14 along each diagonal.
pub const WINDOWS: usize = 2 * SIZE * STARTS + 2 * STARTS * STARTS;
/// Places in a line of full length at which a window can begin.
const STARTS: usize = SIZE - SIX + 1;

/// The windows that a point lies in, at most 24.
#[derive(Clone, Copy)]
pub(crate) struct WindowsOf {
    windows: [u16; 4 * SIX],
    count: u8,
}

impl WindowsOf {
    const NONE: Self = Self { windows: [0; 4 * SIX], count: 0 };

    /// The numbers of the windows, each below [`WINDOWS`].
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.windows[..self.count as usize].iter().map(|&window| window as usize)
    }
}

/// The points of every window.
pub(crate) static POINTS_OF: [[u16; SIX]; WINDOWS] = points_of_windows();
/// The windows of every point.
pub(crate) static WINDOWS_OF: [WindowsOf; POINTS] = windows_of_points();

const fn points_of_windows() -> [[u16; SIX]; WINDOWS] {
    // Step from stone to stone, rows and columns in which a window begins, and the first of these columns: right, up, up
    // and right, up and left.
    let directions = [
        (1, SIZE, STARTS, 0),
        (SIZE, STARTS, SIZE, 0),
        (SIZE + 1, STARTS, STARTS, 0),
        (SIZE - 1, STARTS, STARTS, SIX - 1),
    ];
    let mut windows = [[0; SIX]; WINDOWS];
    let (mut number, mut direction) = (0, 0);
    while direction < directions.len() {
        let (step, rows, columns, first_column) = directions[direction];
        let mut start = 0;
        while start < rows * columns {
            let first = start / columns * SIZE + start % columns + first_column;
            let mut stone = 0;
            while stone < SIX {
                windows[number][stone] = (first + stone * step) as u16;
                stone += 1;
            }
            number += 1;
            start += 1;
        }
        direction += 1;
    }
    windows
}

const fn windows_of_points() -> [WindowsOf; POINTS] {
    let windows = points_of_windows();
    let mut of = [WindowsOf::NONE; POINTS];
    let mut entry = 0;
    while entry < WINDOWS * SIX {
        let list = &mut of[windows[entry / SIX][entry % SIX] as usize];
        list.windows[list.count as usize] = (entry / SIX) as u16;
        list.count += 1;
        entry += 1;
    }
    of
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::games::connect6::Point;

    #[test]
    fn windows_are_all_the_runs_of_six() {
        let mut runs = HashSet::new();
        for start in (0..POINTS).map(Point::new) {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let along = |from: usize, step: isize, k: usize| from.wrapping_add_signed(step * k as isize);
                let run = (0..SIX).map(|k| Point::at(along(start.column(), right, k), along(start.row(), up, k)));
                runs.extend(run.map(|point| point.map(|point| point.index() as u16)).collect::<Option<Vec<_>>>());
            }
        }
        assert_eq!(runs, POINTS_OF.iter().map(|window| window.to_vec()).collect());
        assert_eq!(runs.len(), WINDOWS);
        assert_eq!(WINDOWS, 924);
    }

    #[test]
    fn points_know_their_windows() {
        for (point, of) in WINDOWS_OF.iter().enumerate() {
            let holding = (0..WINDOWS).filter(|&window| POINTS_OF[window].contains(&(point as u16)));
            assert!(of.iter().eq(holding), "{:?}", Point::new(point));
        }
    }
}
