//! Players as the options of a command describe them.

use roughboard::arena::Player;
use roughboard::disk::sha256;
use roughboard::eval::Catalogue;
use roughboard::net::store::network_file;
use roughboard::record::checksum;
use roughboard::search::{Limits, SearchSettings};

/// The evaluator called `name` behind the common search.
pub fn player<G: Catalogue>(name: &str, search: SearchSettings, limits: Limits) -> anyhow::Result<Player<G>> {
    let evaluator = G::evaluator_factory(name)?;
    Ok(Player { name: name.to_owned(), checksum: evaluator_checksum::<G>(name)?, evaluator, search, limits })
}

/// What tells an evaluator from every other: the checksum of its file, or of all that a built-in one goes by.
fn evaluator_checksum<G: Catalogue>(name: &str) -> anyhow::Result<String> {
    Ok(match G::identity(name)? {
        Some(text) => sha256(text.as_bytes()),
        None => {
            let (file, addition) = G::split_addition(name);
            checksum(&network_file(file.as_ref()))? + addition
        }
    })
}

/// Tells two players apart that would have one name in the records.
pub fn second_name(first: &str, second: &mut String) {
    if first == second {
        second.push_str(" (2)");
    }
}
