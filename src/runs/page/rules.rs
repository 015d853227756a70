//! What rough networks that played say of positions: the rule with the largest share.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::eval::network::leading_rule;
use crate::eval::{Catalogue, Network};
use crate::net::store::{About, load};
use crate::net::{Bits, IntegerNet, Net};
use crate::record::GameRecord;
use crate::report::html::Games;
use crate::runs::manifest::read_text;

/// The rough networks that played in a match, by the names of the players.
pub(crate) struct Speakers<G: Catalogue>(BTreeMap<String, Speaker<G>>);

struct Speaker<G: Catalogue> {
    net: Net,
    about: About,
    network: Network<G>,
}

impl<G: Catalogue> Speakers<G> {
    /// Those of the match with this `plan` whose files are still at hand and the same; without a plan there are none.
    pub fn of_match(plan: Option<&Path>) -> Self {
        let text = plan.and_then(|path| read_text(path).ok());
        let plan: Value = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let speaker = |entrant: &Value| {
            let evaluator = &entrant["identity"]["evaluator"];
            let (player, checksum) = (evaluator["name"].as_str()?, evaluator["checksum"].as_str()?);
            let speaker = evaluators_of::<G>(player).find_map(|name| Speaker::load(name, checksum))?;
            Some((entrant["name"].as_str()?.to_owned(), speaker))
        };
        Self(plan["entrants"].as_array().into_iter().flatten().filter_map(speaker).collect())
    }

    /// For each move of `record` by such a network, played by the one of `names` whose turn it was, the rule that has the largest
    /// share in the position before it, as its number in the list of rules of `games`, and the share in per cent.
    pub fn rules(&self, record: &GameRecord<G>, names: &[String; 2], games: &mut Games) -> Vec<Option<(usize, u32)>> {
        let mut rules = Vec::new();
        record.replay(|game, mv| {
            rules.extend(mv.map(|_| self.rule(game, &names[game.side_to_move().index()], games)));
        });
        rules
    }

    fn rule(&self, position: &G, name: &str, games: &mut Games) -> Option<(usize, u32)> {
        let speaker = self.0.get(name)?;
        let rule = leading_rule((&speaker.net, &speaker.about), speaker.network.features(), position)?;
        let words = Some(rule.words()).filter(|words| !words.is_empty())?;
        Some((games.number_of_rule(words), (100.0 * rule.share).round() as u32))
    }
}

/// The names that the evaluator of a `player` may have. The player may be called so with settings or a number behind the name, or have
/// another name altogether; the checksum tells which evaluator it is.
fn evaluators_of<G: Catalogue>(player: &str) -> impl Iterator<Item = &str> {
    let before = |mark: &str| player.rsplit_once(mark).map(|(name, _)| name);
    [Some(player), before("@"), before(" (")].into_iter().flatten().chain(G::NAMES.iter().copied())
}

impl<G: Catalogue> Speaker<G> {
    /// The rough network called `name`, if it is the one with this checksum and no other evaluator stands beside it.
    fn load(name: &str, checksum: &str) -> Option<Self> {
        if G::checksum(name).ok()? != checksum {
            return None;
        }
        let (net, about) = load(name.as_ref()).ok()?;
        let network = Network::of(name, IntegerNet::of(&net, Bits::ThirtyTwo), &about).ok()?;
        (matches!(net, Net::Rough(_)) && network.skip().is_none()).then_some(Self { net, about, network })
    }
}
