//! The matches of S1: each network against the traditional evaluator, and the methods against each other.

use super::super::learn::Learned;
use super::{Networks, S1, S1Error, file_name};
use crate::arena::{
    Adjudication, EvaluatorFactory, FinishedMatch, Match, MatchSettings, Opening, OpeningSettings, Player,
    draw_openings,
};
use crate::disk::sha256;
use crate::eval::network::NetworkEvaluator;
use crate::eval::xiangqi::{TRADITIONAL, Traditional};
use crate::features::board91::Board91;
use crate::games::xiangqi::Xiangqi;
use crate::net::store::to_bytes;
use crate::record::{DEFAULT_LEVEL, write_games};
use crate::search::Limits;

/// A player: the traditional evaluator (`None`) or a network.
type Entrant<'a> = Option<&'a Learned>;

/// The pairs of players in the order of the tables: every network but the random start against the traditional
/// evaluator, then the methods against each other.
fn pairings(networks: &Networks) -> Vec<(Entrant<'_>, Entrant<'_>)> {
    let Networks { rough, bp, td, reduct_only, .. } = networks;
    let against_traditional = rough.iter().chain([bp, td, reduct_only]).map(|one| (Some(one), None));
    let among_methods = rough.last().into_iter().flat_map(|last| [(last, bp), (last, td), (bp, td)]);
    against_traditional.chain(among_methods.map(|(a, b)| (Some(a), Some(b)))).collect()
}

fn name_of<'a>(entrant: Entrant<'a>) -> &'a str {
    entrant.map_or(TRADITIONAL, |one| &one.name)
}

impl S1<'_> {
    /// The openings of every match.
    pub(super) fn openings(&self) -> Result<Vec<Opening<Xiangqi>>, S1Error> {
        let config = &self.config.matches;
        let draw = OpeningSettings { count: config.games / 2, plies: config.opening_plies, seed: self.config.seed };
        Ok(draw_openings(self.games(), draw)?)
    }

    /// Plays all matches; each keeps a journal, so that an interrupted one goes on.
    pub(super) fn play_matches(
        &self,
        networks: &Networks,
        openings: &[Opening<Xiangqi>],
    ) -> Result<Vec<FinishedMatch<Xiangqi>>, S1Error> {
        pairings(networks).into_iter().map(|pair| self.play_match(pair, openings)).collect()
    }

    fn play_match(
        &self,
        (a, b): (Entrant<'_>, Entrant<'_>),
        openings: &[Opening<Xiangqi>],
    ) -> Result<FinishedMatch<Xiangqi>, S1Error> {
        let config = &self.config.matches;
        let [name_a, name_b] = [a, b].map(name_of);
        let settings = MatchSettings {
            games: config.games,
            adjudication: Adjudication::capped(config.max_plies),
            event: format!("S1: {name_a} - {name_b}"),
            ..MatchSettings::default()
        };
        let players = [self.player(a)?, self.player(b)?];
        let game = Match::new(players, openings.to_vec(), settings)?;
        let journal = self.folder.work.join(format!("{}-{}.jsonl", file_name(name_a), file_name(name_b)));
        Ok(game.play(Some(&journal), self.observer)?)
    }

    fn player(&self, entrant: Entrant<'_>) -> Result<Player<Xiangqi>, S1Error> {
        let (evaluator, checksum) = evaluator(entrant);
        let limits = Limits::to_depth(self.config.matches.depth)?;
        let (name, search) = (name_of(entrant).to_owned(), self.config.matches.search);
        Ok(Player { name, checksum, evaluator, search, limits })
    }

    /// Writes the games of each match, and gives the files' names.
    pub(super) fn write_games(&self, matches: &[FinishedMatch<Xiangqi>]) -> Result<Vec<String>, S1Error> {
        let records: Vec<_> = matches.iter().flat_map(|one| &one.records).collect();
        let name = "games.pgn.zst";
        write_games(&self.folder.results.join(name), records, DEFAULT_LEVEL)?;
        Ok(vec![name.to_owned()])
    }
}

/// The evaluator of an entrant, and what identifies it.
fn evaluator(entrant: Entrant<'_>) -> (EvaluatorFactory<Xiangqi>, String) {
    let Some(one) = entrant else {
        let traditional = Traditional::default();
        return (Box::new(move || Box::new(traditional.clone())), TRADITIONAL.to_owned());
    };
    let checksum = to_bytes(&one.net, &one.about).map(|bytes| sha256(&bytes)).unwrap_or_default();
    let net = one.net.clone();
    (Box::new(move || Box::new(NetworkEvaluator::<Xiangqi, _>::new(&net, Board91))), checksum)
}
