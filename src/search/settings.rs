//! Settings and limits of a search.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::margins::Margins;
use crate::eval::MAX_EVAL;
use crate::game::SearchHints;
use crate::pages::has_room;
use crate::settings::{SettingError, assignment, choices, is_zero, require, require_in, settings};

/// The largest depth, in plies, that a search accepts.
pub const MAX_DEPTH: u32 = 64;

/// The longest time for one search, in milliseconds: an hour.
pub const MAX_MOVETIME_MS: u64 = 3_600_000;

/// The largest transposition table, in MiB.
pub const MAX_TABLE_MB: usize = 65_536;

/// The most candidate moves that a node can be limited to.
pub const MAX_WIDTH: u32 = 10_000;

/// Settings that have an effect in some games only, by name.
const WHOLE_TURNS: &str = "whole_turns";
const FORCED_WIN_NODES: &str = "forced_win_nodes";

/// The most positions that a game's own solver may be asked to look at.
const MAX_FORCED_WIN_NODES: u64 = 1_000_000_000;

/// The usual fixed step of MTD(f): S2 takes 150,000 where values reach 1,000,000,000, and ours reach 1,000,000.
const MTDF_STEP: u32 = 150;

/// How far one search may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    depth: u32,
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    movetime_ms: Option<u64>,
}

impl Limits {
    /// A search of `depth` plies, whatever it costs.
    ///
    /// # Errors
    /// When `depth` is outside of `1..=MAX_DEPTH`.
    pub fn to_depth(depth: u32) -> Result<Self, SettingError> {
        require_in("depth", 1..=MAX_DEPTH, depth)?;
        Ok(Self { depth, nodes: None, movetime_ms: None })
    }

    /// The same limits, and at most `nodes` positions. The first iteration is always finished, so that there is a move.
    ///
    /// # Errors
    /// When `nodes` is 0.
    pub fn and_nodes(self, nodes: u64) -> Result<Self, SettingError> {
        require(nodes > 0, "nodes", "at least 1", nodes)?;
        Ok(Self { nodes: Some(nodes), ..self })
    }

    /// The same limits, and at most so many milliseconds from the beginning of the search on, so that no two searches need be alike.
    ///
    /// # Errors
    /// When `milliseconds` is outside of `1..=MAX_MOVETIME_MS`.
    pub fn and_movetime(self, milliseconds: u64) -> Result<Self, SettingError> {
        require_in("movetime", 1..=MAX_MOVETIME_MS, milliseconds)?;
        Ok(Self { movetime_ms: Some(milliseconds), ..self })
    }

    /// A search of `depth` plies, and of at most `nodes` positions if that says so.
    ///
    /// # Errors
    /// As [`to_depth`](Self::to_depth) and [`and_nodes`](Self::and_nodes).
    pub fn to_depth_or_nodes(depth: u32, nodes: Option<u64>) -> Result<Self, SettingError> {
        let limits = Self::to_depth(depth)?;
        nodes.map_or(Ok(limits), |nodes| limits.and_nodes(nodes))
    }

    /// The depth, in plies, at which iterative deepening ends.
    pub const fn depth(self) -> u32 {
        self.depth
    }

    /// The number of positions after which the search stops, if there is one.
    pub const fn nodes(self) -> Option<u64> {
        self.nodes
    }

    /// The time after which the search stops, if there is one.
    pub fn movetime(self) -> Option<Duration> {
        self.movetime_ms.map(Duration::from_millis)
    }
}

/// What a search does where its depth ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// Takes the evaluator's word.
    Static,
    /// Plays noisy moves on, and every answer to a threat, until the position is quiet.
    Quiescence {
        /// After this many plies the evaluator's word is taken after all.
        plies: u32,
    },
}

choices! {
    /// How the value of the root is closed in on, iteration by iteration.
    pub enum Driver = AlphaBeta {
        /// One window a depth, of full width or around the last value.
        AlphaBeta,
        /// MTD(f) with step 0 (S2 §1.3): null windows next to the last bound found.
        MtdfZero,
        /// MTD(f) with a fixed step (S2 §2.2): null windows that step beyond the last bound.
        MtdfFixed,
        /// MTD(f) with the adaptive step of S2 §2.2: the best value of the last iteration, without its sign.
        MtdfAdaptive,
    }
}

settings! {
    /// Which parts of the search are on.
    ///
    /// The first group only saves nodes: with it the root has minimax's value whatever is on or off. The second group looks
    /// further where it matters and less far where it hardly does, so values differ from minimax at equal depth. With a
    /// [`SearchSettings::width`] the first group leaves the root with the value of [`minimax_of_width`](super::minimax_of_width).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SearchSettings {
        /// How the root's value is found: by windows, or by MTD(f) with the steps of S2.
        pub driver: Driver = Driver::AlphaBeta;
        /// The step of `mtdf-fixed` in the evaluator's unit.
        pub mtdf_step: u32 = MTDF_STEP, in 1..=MAX_EVAL;
        /// Size of the transposition table in MiB; 0 for none.
        pub transposition_mb: usize = 8, in 0..=MAX_TABLE_MB, as "hash";
        /// Principal variation search: later moves are first searched with a null window.
        pub principal_variation: bool = true;
        /// Begin each iteration with a narrow window around the last one's value.
        pub aspiration: bool = true;
        /// Cut off where a forced end nearer to the root is known already.
        pub mate_distance: bool = true;
        /// Try the move that the table remembers first.
        pub table_move_first: bool = true;
        /// Try noisy moves before quiet ones, the noisiest first.
        pub noisy_first: bool = true;
        /// Try quiet moves that refuted a sibling before other quiet moves.
        pub killers: bool = true;
        /// Try the quiet move that last refuted the opponent's move early.
        pub countermoves: bool = true;
        /// Order quiet moves by how often they refuted anything.
        pub history: bool = true;
        /// The most moves that a node looks at, the game's own candidates; 0 for all legal moves.
        pub width: u32 = 0, in 0..=MAX_WIDTH, serde(skip_serializing_if = "is_zero");
        /// About how many positions the game's own solver may look at before the search; 0 for no solver.
        pub forced_win_nodes: u64 = 0, in 0..=MAX_FORCED_WIN_NODES, serde(skip_serializing_if = "is_zero");
        /// Decide all moves of a turn by the search before its first, where nodes or time limit it.
        pub whole_turns: bool = false, serde(skip_serializing_if = "is_zero");
        /// Search leaves on until they are quiet: by captures, and by all moves out of check.
        pub quiescence: bool = true;
        /// After how many plies quiescence falls back to the static value.
        pub quiescence_plies: u32 = 32;
        /// Quiescence tries quiet moves that give check at its first ply.
        pub quiescence_checks: bool = true;
        /// Static exchange evaluation: captures that lose material come last, and not at all in quiescence.
        pub exchanges: bool = true;
        /// Whether an entry of a deeper search than needed may cut off.
        pub deeper_entries: bool = true;
        /// Take a position that occurred before in the tree for the end that its repetition would bring.
        pub cycles: bool = true;
        /// Cut off where even passing the turn is good enough, verified by a shallow search where zugzwang threatens.
        pub null_move: bool = true;
        /// Search late quiet moves less deep.
        pub late_move_reductions: bool = true;
        /// Leave out the latest quiet moves next to the leaves.
        pub late_move_pruning: bool = true;
        /// Cut off, or leave out quiet moves, next to the leaves where the static value is far outside the window.
        pub futility: bool = true;
        /// Search one ply deeper after a check.
        pub check_extensions: bool = true;
        /// Search one ply less deep where no best move is known yet (internal iterative reduction).
        pub internal_reductions: bool = true;
        /// An iteration that nodes or time break off gives its best move so far, if it knows one, in place of that of the iteration before.
        pub partial_iterations: bool = false, serde(skip_serializing_if = "is_zero");
        /// How far reductions and pruning go.
        pub margins: Margins = Margins::default(), serde(skip_serializing_if = "is_zero");
    }
}

impl SearchSettings {
    /// The usual settings of a search of `G`: the default ones with the width and the solver that the game recommends, and nothing
    /// lost of an iteration that is broken off, which the default keeps to what earlier experiments were made with. Where a
    /// width is usual, quiet checks are too many to try in quiescence.
    pub fn of_game<G: SearchHints>() -> Self {
        Self {
            width: G::SEARCH_WIDTH,
            forced_win_nodes: G::FORCED_WIN_NODES,
            whole_turns: G::TURNS_OF_SEVERAL,
            partial_iterations: true,
            quiescence_checks: G::SEARCH_WIDTH == 0,
            ..Self::default()
        }
    }

    /// Whether the setting `path` has an effect on a search of `G`.
    pub fn has_effect<G: SearchHints>(path: &str) -> bool {
        match path {
            WHOLE_TURNS => G::TURNS_OF_SEVERAL,
            FORCED_WIN_NODES => G::FORCED_WIN_NODES > 0,
            _ => true,
        }
    }

    /// Refuses a setting that has no effect on a search of `G`, or that this machine has no room for.
    ///
    /// # Errors
    /// When whole turns are asked for in a game whose turns are one move, or a solver of wins in a game that has none, or a table
    /// that is larger than the memory to be had.
    pub fn check_for<G: SearchHints>(&self) -> Result<(), SettingError> {
        let range = "false in a game whose turns are one move, where it has no effect";
        require(!self.whole_turns || Self::has_effect::<G>(WHOLE_TURNS), WHOLE_TURNS, range, self.whole_turns)?;
        let is_solved = self.forced_win_nodes == 0 || Self::has_effect::<G>(FORCED_WIN_NODES);
        require(is_solved, FORCED_WIN_NODES, "0 in a game without a solver of wins", self.forced_win_nodes)?;
        let megabytes = self.transposition_mb;
        let range = "a number of MiB that the memory of this machine has room for";
        require(has_room(megabytes << 20), "transposition_mb", range, megabytes)
    }

    /// Refuses a setting in a `list` of `name=value`, which these settings come from, that another one makes idle. What is switched off
    /// may be switched off twice.
    ///
    /// # Errors
    /// For the first such setting.
    pub fn check_given(&self, list: &str) -> Result<(), SettingError> {
        let given = list.split(',').filter_map(|part| assignment(part.trim()).ok());
        let mut said = given.filter(|(_, value)| !["false", "0"].contains(value));
        let idle = said.find_map(|(name, value)| Some((name, value, self.lacks(name)?)));
        idle.map_or(Ok(()), |(name, value, lacked)| {
            Err(SettingError::value(name, &format!("left out: it has no effect without `{lacked}`"), value))
        })
    }

    /// What the setting called `name` needs to have an effect, and lacks.
    fn lacks(&self, name: &str) -> Option<&'static str> {
        let need = match name {
            "mtdf_step" => (self.driver == Driver::MtdfFixed, "driver=mtdf-fixed"),
            "quiescence_plies" | "quiescence_checks" => (self.quiescence, "quiescence"),
            "margins.aspiration" if self.driver != Driver::AlphaBeta => (false, "driver=alpha-beta"),
            "margins.aspiration" => (self.aspiration, "aspiration"),
            "margins.reverse_futility" | "margins.futility_base" | "margins.futility" => (self.futility, "futility"),
            "margins.null_move_step" | "margins.null_move_base" | "margins.null_move_slope" => {
                (self.null_move, "null_move")
            }
            "margins.late_move_base" | "margins.late_move_slope" => (self.late_move_pruning, "late_move_pruning"),
            "margins.reduction_base" | "margins.reduction_scale" | "margins.history_reduction" => {
                (self.late_move_reductions, "late_move_reductions")
            }
            _ => return None,
        };
        (!need.0).then_some(need.1)
    }

    /// The same settings, with nothing left out or seen less deep than the rest, as far as [`SearchSettings::width`] lets it.
    #[must_use]
    pub(crate) const fn unpruned(self) -> Self {
        Self {
            null_move: false,
            late_move_reductions: false,
            late_move_pruning: false,
            futility: false,
            internal_reductions: false,
            ..self
        }
    }

    /// What happens at the leaves.
    pub const fn leaf(&self) -> Leaf {
        if self.quiescence { Leaf::Quiescence { plies: self.quiescence_plies } } else { Leaf::Static }
    }

    /// Whether moves may be left out, or seen less deep than others, so that a forced end can be missed within the depth.
    pub(crate) const fn is_selective(&self) -> bool {
        self.null_move
            || self.late_move_reductions
            || self.late_move_pruning
            || self.futility
            || self.internal_reductions
            || self.width > 0
    }

    /// All that saves nodes and leaves the root with minimax's value; leaves are static.
    pub fn exact() -> Self {
        Self {
            quiescence: false,
            quiescence_plies: 0,
            quiescence_checks: false,
            exchanges: false,
            deeper_entries: false,
            cycles: false,
            check_extensions: false,
            ..Self::default().unpruned()
        }
    }

    /// The bare alpha-beta search: no table, no quiescence, moves in the order in which they are generated.
    pub fn bare() -> Self {
        Self {
            transposition_mb: 0,
            principal_variation: false,
            aspiration: false,
            mate_distance: false,
            table_move_first: false,
            noisy_first: false,
            killers: false,
            countermoves: false,
            history: false,
            ..Self::exact()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect6::Connect6;
    use crate::games::xiangqi::Xiangqi;
    use crate::settings::Settings;

    #[test]
    fn limits_are_checked_once() {
        assert_eq!(Limits::to_depth(0).unwrap_err().to_string(), "`depth` must be in [1, 64], got 0");
        assert!(Limits::to_depth(MAX_DEPTH + 1).is_err());
        let limits = Limits::to_depth(3).unwrap();
        assert_eq!(limits.and_nodes(0).unwrap_err().to_string(), "`nodes` must be at least 1, got 0");
        assert_eq!(limits.and_nodes(7).map(Limits::nodes), Ok(Some(7)));
    }

    #[test]
    fn tables_have_a_largest_size() {
        let with = |transposition_mb| SearchSettings { transposition_mb, ..SearchSettings::default() }.check();
        assert_eq!((with(0), with(MAX_TABLE_MB)), (Ok(()), Ok(())));
        assert_eq!(
            with(MAX_TABLE_MB + 1).unwrap_err().to_string(),
            "`transposition_mb` must be in [0, 65536], got 65537"
        );
    }

    #[test]
    fn width_and_solver_have_limits() {
        let wide = SearchSettings { width: MAX_WIDTH + 1, ..SearchSettings::default() };
        assert_eq!(wide.check().unwrap_err().to_string(), "`width` must be in [0, 10000], got 10001");
        let patient = SearchSettings { forced_win_nodes: MAX_FORCED_WIN_NODES + 1, ..SearchSettings::default() };
        assert!(patient.check().unwrap_err().to_string().contains("`forced_win_nodes` must be in [0, 1000000000]"));
    }

    #[test]
    fn settings_that_are_not_written_can_be_set() {
        let settings = SearchSettings::default();
        let text = serde_json::to_string(&settings).unwrap();
        assert!(!text.contains("width") && !text.contains("margins"));
        let changed = settings.with("width=16,forced_win_nodes=100,margins.futility=18").unwrap();
        assert_eq!((changed.width, changed.forced_win_nodes, changed.margins.futility), (16, 100, 18));
        let text = serde_json::to_string(&changed).unwrap();
        assert_eq!(serde_json::from_str::<SearchSettings>(&text).unwrap(), changed);
    }

    #[test]
    fn lists_change_what_they_name() {
        let settings = SearchSettings::default();
        assert_eq!(settings.with(""), Ok(settings));
        let changed = settings.with("null_move=false, driver=mtdf-zero,quiescence_plies=4").unwrap();
        let expected = SearchSettings { null_move: false, driver: Driver::MtdfZero, quiescence_plies: 4, ..settings };
        assert_eq!(changed, expected);
    }

    #[test]
    fn a_game_recommends_what_it_has() {
        let usual = SearchSettings { partial_iterations: true, ..SearchSettings::default() };
        assert_eq!(SearchSettings::of_game::<Xiangqi>(), usual);
        let stones = SearchSettings {
            width: Connect6::SEARCH_WIDTH,
            forced_win_nodes: Connect6::FORCED_WIN_NODES,
            whole_turns: true,
            quiescence_checks: false,
            ..usual
        };
        assert_eq!(SearchSettings::of_game::<Connect6>(), stones);
    }

    #[test]
    fn each_way_to_leave_moves_out_makes_a_search_selective() {
        let exact = SearchSettings::exact();
        assert!(!exact.is_selective());
        for way in ["null_move", "late_move_reductions", "late_move_pruning", "futility", "internal_reductions"] {
            assert!(exact.with(&format!("{way}=true")).unwrap().is_selective(), "{way}");
        }
        assert!(exact.with("width=9").unwrap().is_selective());
    }

    #[test]
    fn an_exact_search_takes_the_word_of_the_evaluator() {
        let usual = SearchSettings::default();
        assert_eq!(usual.leaf(), Leaf::Quiescence { plies: usual.quiescence_plies });
        let exact = [SearchSettings::exact(), SearchSettings::bare()];
        assert_eq!(exact.map(|settings| settings.leaf()), [Leaf::Static; 2]);
    }

    #[test]
    fn an_exact_search_has_all_that_saves_nodes_and_a_bare_one_nothing() {
        let off = "quiescence=false,quiescence_plies=0,quiescence_checks=false,exchanges=false,deeper_entries=false,\
                   cycles=false,null_move=false,late_move_reductions=false,late_move_pruning=false,futility=false,\
                   check_extensions=false,internal_reductions=false";
        let exact = SearchSettings::default().with(off).unwrap();
        assert_eq!(SearchSettings::exact(), exact);
        let off = "principal_variation=false,aspiration=false,mate_distance=false,table_move_first=false,\
                   noisy_first=false,killers=false,countermoves=false,history=false";
        let bare = SearchSettings { transposition_mb: 0, ..exact.with(off).unwrap() };
        assert_eq!(SearchSettings::bare(), bare);
    }

    #[test]
    fn settings_without_effect_in_a_game_are_refused_there() {
        let whole = SearchSettings { whole_turns: true, ..SearchSettings::default() };
        let solved = SearchSettings { forced_win_nodes: 1, ..SearchSettings::default() };
        for settings in [SearchSettings::default(), whole, solved] {
            assert_eq!(settings.check_for::<Connect6>(), Ok(()));
            assert_eq!(settings.check_for::<Xiangqi>().is_ok(), settings == SearchSettings::default());
        }
        let has_effect = [WHOLE_TURNS, FORCED_WIN_NODES, "width"].map(SearchSettings::has_effect::<Xiangqi>);
        assert_eq!(has_effect, [false, false, true]);
        assert!([WHOLE_TURNS, FORCED_WIN_NODES, "width"].into_iter().all(SearchSettings::has_effect::<Connect6>));
    }

    #[test]
    fn given_settings_that_others_make_idle_are_refused() {
        let checked = |list: &str| SearchSettings::default().with(list).unwrap().check_given(list);
        for list in [
            "",
            "driver=mtdf-fixed,mtdf_step=7",
            "quiescence=false,quiescence_plies=0,quiescence_checks=false",
            "margins.futility=20, margins.aspiration=9",
        ] {
            assert_eq!(checked(list), Ok(()), "{list}");
        }
        let expected = "`mtdf_step` must be left out: it has no effect without `driver=mtdf-fixed`, got 7";
        assert_eq!(checked("mtdf_step=7").unwrap_err().to_string(), expected);
        for (list, lacked) in [
            ("quiescence=false,quiescence_plies=3", "`quiescence`"),
            ("driver=mtdf-zero,margins.aspiration=9", "`driver=alpha-beta`"),
            ("margins.aspiration=9,aspiration=false", "`aspiration`"),
            ("futility=false,margins.futility=20", "`futility`"),
            ("null_move=false,margins.null_move_base=200", "`null_move`"),
            ("late_move_pruning=false,margins.late_move_base=9", "`late_move_pruning`"),
            ("late_move_reductions=false,margins.reduction_base=9", "`late_move_reductions`"),
        ] {
            assert!(checked(list).unwrap_err().to_string().contains(&format!("without {lacked},")), "{list}");
        }
    }

    #[test]
    fn limits_hold_what_they_were_given() {
        let limits = Limits::to_depth(3).unwrap();
        assert_eq!((limits.depth(), limits.nodes(), limits.movetime()), (3, None, None));
        assert!(limits.and_movetime(0).is_err() && limits.and_movetime(MAX_MOVETIME_MS + 1).is_err());
        let longest = limits.and_nodes(7).unwrap().and_movetime(MAX_MOVETIME_MS).unwrap();
        assert_eq!((longest.depth(), longest.nodes()), (3, Some(7)));
        assert_eq!(longest.movetime(), Some(Duration::from_secs(3600)));
        assert_eq!(Limits::to_depth_or_nodes(3, None), Ok(limits));
        assert_eq!(Limits::to_depth_or_nodes(3, Some(7)), limits.and_nodes(7));
        assert!(Limits::to_depth_or_nodes(0, None).is_err() && Limits::to_depth_or_nodes(3, Some(0)).is_err());
    }
}
