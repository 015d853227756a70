//! Players as the options of a command describe them.

use roughboard::arena::Player;
use roughboard::disk::sha256;
use roughboard::eval::xiangqi::{ENDINGS, factory, identity};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::store::network_file;
use roughboard::record::checksum;
use roughboard::search::{Limits, SearchSettings};

/// The evaluator called `name` behind the common search.
pub fn player(name: &str, search: SearchSettings, limits: Limits) -> anyhow::Result<Player<Xiangqi>> {
    let evaluator = factory(name)?;
    Ok(Player { name: name.to_owned(), checksum: evaluator_checksum(name)?, evaluator, search, limits })
}

/// What tells an evaluator from every other: the checksum of its file, or of a built-in one's terms and parameters.
fn evaluator_checksum(name: &str) -> anyhow::Result<String> {
    Ok(match identity(name)? {
        Some(text) => sha256(text.as_bytes()),
        None => match name.strip_suffix(ENDINGS) {
            Some(file) => checksum(&network_file(file.as_ref()))? + ENDINGS,
            None => checksum(&network_file(name.as_ref()))?,
        },
    })
}

/// Tells two players apart that would have one name in the records.
pub fn second_name(first: &str, second: &mut String) {
    if first == second {
        second.push_str(" (2)");
    }
}
