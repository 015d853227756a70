//! The options of every command that plays games: what ends them beside their rules.

use anyhow::Context;
use roughboard::arena::{Adjudication, DrawRule, Player, ResignRule, TimeControl};
use roughboard::game::BoardGame;

/// What ends games beside their rules; docs/external-engines.md explains it.
#[derive(clap::Args)]
pub struct AdjudicationOptions {
    /// Let a side resign that expects a result of at most -SCORE, in (0, 1], at MOVES own moves in a row; with `/two-sided` its
    /// opponent must expect at least SCORE as well. Of an engine 400 centipawns are a result of 0.58, tanh(400 / 600)
    #[arg(long, value_name = "SCORE/MOVES")]
    resign: Option<String>,
    /// Call a game a draw in which the side that moves expects from -SCORE to SCORE, in [0, 1), at each of PLIES in a row, none before ply FROM
    #[arg(long, value_name = "SCORE/PLIES/FROM")]
    draw: Option<String>,
    /// Clock of each side: seconds for the game, and more with each move, such as `10+0.1`; games then differ from run to run
    #[arg(long = "tc", id = "clock", value_name = "SECONDS+INCREMENT")]
    tc: Option<String>,
    /// By how many milliseconds a side may overstep its clock before it loses
    #[arg(long = "time-margin", id = "margin_ms", default_value_t = 50, value_name = "MS")]
    time_margin: u64,
}

impl AdjudicationOptions {
    /// What the options ask for, with games of at most `max_plies` plies.
    pub fn settings(&self, max_plies: usize) -> anyhow::Result<Adjudication> {
        Ok(Adjudication {
            max_plies,
            resign: self.resign.as_deref().map(resign_rule).transpose()?,
            draw: self.draw.as_deref().map(draw_rule).transpose()?,
            clock: self.tc.as_deref().map(|text| time_control(text, self.time_margin)).transpose()?,
        })
    }
}

/// Whether anybody thinks for a time: all by a clock, or one of the players by a limit of its own.
pub fn are_timed<'p, G: BoardGame + 'p>(
    adjudication: &Adjudication,
    mut players: impl Iterator<Item = &'p dyn Player<G>>,
) -> bool {
    adjudication.clock.is_some() || players.any(|player| player.is_timed())
}

fn resign_rule(text: &str) -> anyhow::Result<ResignRule> {
    let (numbers, two_sided) = text.strip_suffix("/two-sided").map_or((text, false), |numbers| (numbers, true));
    let rule = numbers.split_once('/').and_then(|(score, moves)| {
        Some(ResignRule { score: score.parse().ok()?, moves: moves.parse().ok()?, two_sided })
    });
    rule.with_context(|| format!("`--resign` must be SCORE/MOVES or SCORE/MOVES/two-sided, such as 0.9/4, got {text}"))
}

fn draw_rule(text: &str) -> anyhow::Result<DrawRule> {
    let parts: Vec<&str> = text.split('/').collect();
    let rule = match parts[..] {
        [score, plies, from] => score.parse().ok().zip(plies.parse().ok()).zip(from.parse().ok()),
        _ => None,
    };
    let rule = rule.map(|((score, plies), from_ply)| DrawRule { score, plies, from_ply });
    rule.with_context(|| format!("`--draw` must be SCORE/PLIES/FROM, such as 0.02/10/80, got {text}"))
}

fn time_control(text: &str, margin_ms: u64) -> anyhow::Result<TimeControl> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let times = milliseconds(base).filter(|&base| base > 0).zip(milliseconds(increment));
    let control = times.map(|(base_ms, increment_ms)| TimeControl { base_ms, increment_ms, margin_ms });
    control.with_context(|| {
        format!(
            "`--tc` must be SECONDS or SECONDS+INCREMENT, more than none and at most a day, such as 10+0.1, got {text}"
        )
    })
}

/// A number of seconds in whole milliseconds.
fn milliseconds(seconds: &str) -> Option<u64> {
    let seconds: f64 = seconds.parse().ok()?;
    (0.0..=86_400.0).contains(&seconds).then_some((seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_they_are_written() {
        assert_eq!(resign_rule("0.9/4").unwrap(), ResignRule { score: 0.9, moves: 4, two_sided: false });
        assert_eq!(resign_rule("1/3/two-sided").unwrap(), ResignRule { score: 1.0, moves: 3, two_sided: true });
        assert_eq!(draw_rule("0.02/10/80").unwrap(), DrawRule { score: 0.02, plies: 10, from_ply: 80 });
        let clock = |base_ms, increment_ms| TimeControl { base_ms, increment_ms, margin_ms: 7 };
        assert_eq!(time_control("10+0.1", 7).unwrap(), clock(10_000, 100));
        assert_eq!(time_control("0.25", 7).unwrap(), clock(250, 0));
        for wrong in ["", "0.9", "0.9/", "0.9/x", "0.9/4/one-sided", "/4"] {
            assert!(resign_rule(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "0.1/2", "0.1/2/3/4", "a/2/3"] {
            assert!(draw_rule(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "+1", "ten", "-1", "1+", "1+-1", "inf", "NaN"] {
            assert!(time_control(wrong, 0).is_err(), "{wrong}");
        }
    }
}
