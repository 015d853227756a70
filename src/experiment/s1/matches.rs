//! The matches of S1: each network against the traditional evaluator, and the methods against each other.

use super::super::learn::Learned;
use super::super::manifest::sha256;
use super::{S1, S1Error, file_name};
use crate::arena::{
    EvaluatorFactory, FinishedMatch, Match, MatchSettings, Opening, OpeningSettings, Player, draw_openings,
};
use crate::eval::network::NetworkEvaluator;
use crate::eval::xiangqi::{TRADITIONAL, Traditional};
use crate::features::board91::Board91;
use crate::games::xiangqi::Xiangqi;
use crate::net::store::to_bytes;
use crate::record::{DEFAULT_LEVEL, write_games};
use crate::search::Limits;

/// The pairs of players, by name, in the order of the tables.
fn pairings(learned: &[Learned]) -> Vec<(&str, &str)> {
    let names: Vec<&str> = learned.iter().map(|one| one.name.as_str()).collect();
    let plays = |name: &&str| !name.ends_with("random start");
    let mut pairs: Vec<(&str, &str)> = names.iter().copied().filter(plays).map(|name| (name, TRADITIONAL)).collect();
    let is_stage = |name: &&&str| name.trim_start_matches("rough ").chars().all(|c| c.is_ascii_digit());
    if let Some(rough) = names.iter().rfind(is_stage) {
        pairs.extend([(*rough, "BP"), (*rough, "TD"), ("BP", "TD")]);
    }
    pairs
}

impl S1<'_> {
    /// Plays all matches; each keeps a journal, so that an interrupted one goes on.
    pub(super) fn play_matches(&self, learned: &[Learned]) -> Result<Vec<FinishedMatch<Xiangqi>>, S1Error> {
        let config = &self.config.matches;
        let draw = OpeningSettings { count: config.games / 2, plies: config.opening_plies, seed: self.config.seed };
        let openings = draw_openings(self.games(), draw)?;
        pairings(learned).into_iter().map(|pair| self.play_match(pair, learned, &openings)).collect()
    }

    fn play_match(
        &self,
        (a, b): (&str, &str),
        learned: &[Learned],
        openings: &[Opening<Xiangqi>],
    ) -> Result<FinishedMatch<Xiangqi>, S1Error> {
        let config = &self.config.matches;
        let settings = MatchSettings {
            games: config.games,
            ply_cap: config.max_plies,
            event: format!("S1: {a} - {b}"),
            ..MatchSettings::default()
        };
        let players = [self.player(a, learned)?, self.player(b, learned)?];
        let game = Match::new(players, openings.to_vec(), settings)?;
        let journal = self.work.join(format!("{}-{}.jsonl", file_name(a), file_name(b)));
        Ok(game.play(Some(&journal), self.observer)?)
    }

    fn player(&self, name: &str, learned: &[Learned]) -> Result<Player<Xiangqi>, S1Error> {
        let (evaluator, checksum) = evaluator(name, learned);
        let limits = Limits::to_depth(self.config.matches.depth)?;
        Ok(Player { name: name.to_owned(), checksum, evaluator, search: self.config.matches.search, limits })
    }

    /// Writes the games of each match, and gives the files' names.
    pub(super) fn write_games(&self, matches: &[FinishedMatch<Xiangqi>]) -> Result<Vec<String>, S1Error> {
        let records: Vec<_> = matches.iter().flat_map(|one| &one.records).collect();
        let name = "games.pgn.zst";
        write_games(&self.folder.join(name), records, DEFAULT_LEVEL)?;
        Ok(vec![name.to_owned()])
    }
}

/// The evaluator called `name` and what identifies it: the network of that name, or the traditional one.
fn evaluator(name: &str, learned: &[Learned]) -> (EvaluatorFactory<Xiangqi>, String) {
    let Some(one) = learned.iter().find(|one| one.name == name) else {
        let traditional = Traditional::default();
        return (Box::new(move || Box::new(traditional.clone())), TRADITIONAL.to_owned());
    };
    let checksum = to_bytes(&one.net, &one.about).map(|bytes| sha256(&bytes)).unwrap_or_default();
    let net = one.net.clone();
    (Box::new(move || Box::new(NetworkEvaluator::<Xiangqi, _>::new(&net, Board91))), checksum)
}
