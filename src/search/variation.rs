//! The principal variation, collected while the tree unwinds.

use crate::eval::Score;

/// One of the best lines from the root, and its value for the side to move there.
#[derive(Debug, Clone)]
pub(super) struct RootLine<M> {
    pub score: Score,
    pub pv: Vec<M>,
}

/// One line per ply: the best continuation known from that ply on. Reused over searches, so nodes allocate nothing.
#[derive(Debug, Clone)]
pub(super) struct Variations<M> {
    lines: Vec<Vec<M>>,
}

impl<M: Copy> Variations<M> {
    pub const fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// Makes room for a search of `depth` plies.
    pub fn prepare(&mut self, depth: u32) {
        let plies = depth as usize + 1;
        self.lines.resize_with(plies.max(self.lines.len()), || Vec::with_capacity(plies));
    }

    /// Forgets the line from `ply` on.
    pub fn clear(&mut self, ply: u32) {
        self.lines[ply as usize].clear();
    }

    /// The line at `ply` is `mv` and then the line of the next ply.
    pub fn extend(&mut self, ply: u32, mv: M) {
        let (head, tail) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut head[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&tail[0]);
    }

    /// The line from the root.
    pub fn root(&self) -> &[M] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_from_the_leaves() {
        let mut lines = Variations::new();
        lines.prepare(3);
        (0..4).for_each(|ply| lines.clear(ply));
        lines.extend(2, 'c');
        lines.extend(1, 'b');
        lines.extend(0, 'a');
        assert_eq!(lines.root(), ['a', 'b', 'c']);
        lines.extend(0, 'x');
        assert_eq!(lines.root(), ['x', 'b', 'c']);
    }
}
