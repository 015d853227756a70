//! The feature sets that can be asked for.

use roughboard::eval::Catalogue;
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::settings::{Choice, SettingError};

/// What describes a position, as an option of commands.
#[derive(clap::Args)]
pub struct Features {
    /// What describes a position [default: board91, of Connect6 patterns64, of Surakarta board37]
    #[arg(long, value_name = "NAME[+NAME…]", long_help = help())]
    features: Option<String>,
}

impl Features {
    /// The name that was given, or that of the game's default.
    pub fn name<G: Catalogue>(&self) -> Result<String, SettingError> {
        let Some(name) = &self.features else { return Ok(G::FEATURES[0].name.to_owned()) };
        match G::features(name) {
            Ok(_) => Ok(name.clone()),
            Err(error) => Err(SettingError::value("features", &error.expected, error.found)),
        }
    }
}

/// The sets of all games, with what each shows.
fn help() -> String {
    let of_game = |game: &str, choices: &[Choice]| {
        let lines = choices.iter().map(|choice| format!("  {}: {}", choice.name, choice.doc));
        format!("{game}:\n{}", lines.collect::<Vec<_>>().join("\n"))
    };
    let games = [
        of_game("Xiangqi (several may be joined by +)", Xiangqi::FEATURES),
        of_game("Connect6", Connect6::FEATURES),
        of_game("Surakarta", Surakarta::FEATURES),
    ];
    format!("What describes a position; without it, the first set of the game.\n\n{}", games.join("\n"))
}
