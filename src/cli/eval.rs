//! `roughboard eval`: what an evaluator thinks of a position, and why.

mod explained;
mod reasons;
mod words;

use std::sync::Arc;

use anyhow::Context;
use roughboard::engine::centipawns;
use roughboard::eval::network::Explanation;
use roughboard::eval::{Catalogue, Network, PolicyValue, Reasons, skip_argument};
use roughboard::game::Side;
use roughboard::games::GameName;
use roughboard::net::{Bits, IntegerNet, store};
use roughboard::report::{Cell, Table};
use serde_json::{Value, json};

use self::reasons::ShownReasons;
use super::form::{Form, Sheet};
use super::output;
use crate::cli::settings::named;

/// Arguments of `eval`.
#[derive(clap::Args)]
#[command(after_help = super::evaluators())]
pub struct Args {
    /// The game of the position
    #[arg(long, value_parser = named::<GameName>(), default_value_t, value_name = "GAME")]
    pub game: GameName,
    /// Position; without it, the initial position
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Evaluator [default: that of the game, such as `traditional`, `static` or `material`]
    #[arg(long, value_name = "EVALUATOR")]
    evaluator: Option<String>,
    /// Show why: what each term of the traditional evaluator is worth to each side, or each line of the static one, or what is counted; of a network
    /// what each piece or pattern changes, and of a rough one what each rule says
    #[arg(long)]
    explain: bool,
    /// Print the values of the static evaluator of Connect6 instead, to be edited and used as `static:FILE`
    #[arg(long, conflicts_with_all = ["fen", "evaluator", "explain", "json", "csv"])]
    print_values: bool,
    #[command(flatten)]
    form: Form,
}

/// What was found out about a position, as tables for people and as JSON.
struct Verdict {
    text: String,
    json: Value,
    /// The first of the reasons that are tables, if reasons are asked for.
    csv: Option<String>,
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args) -> anyhow::Result<()> {
    if args.print_values {
        let none = || format!("evaluators of {} have no file of values", G::NAME);
        output::print(G::default_values().with_context(none)?)?;
        return Ok(());
    }
    let position = args.fen.as_deref().map_or_else(|| Ok(G::start()), G::from_notation)?;
    let name = args.evaluator.as_deref().unwrap_or(G::DEFAULT_EVALUATOR);
    let verdict = Verdict::of(&position, name, args.explain)?;
    let made = || verdict.csv.clone().unwrap_or_default();
    let sheet = if args.explain { Sheet::Made(&made) } else { Sheet::ALL_FIELDS };
    args.form.give_line(&verdict.json, sheet, &verdict.text)
}

/// What the evaluator called `name` thinks of `position`, as tables for people, with its reasons if they are asked for.
pub fn text_of<G: Catalogue>(position: &G, name: &str, explain: bool) -> anyhow::Result<String> {
    Ok(Verdict::of(position, name, explain)?.text)
}

/// What an evaluator of `G` says of a position.
enum Said<G: Catalogue> {
    /// A built-in one: what it adds up.
    Terms(Reasons),
    /// A network that plays by tree search: its policy.
    Policy(Arc<dyn PolicyValue<G>>),
    /// Another network: what it sees.
    Network(Explanation),
}

/// What the evaluator called `name` says of `position`, without what may stand behind the name.
fn said_by<G: Catalogue>(name: &str, position: &G) -> anyhow::Result<Said<G>> {
    let (name, _) = G::split_addition(name);
    if let Some(reasons) = G::reasons(name, position)? {
        return Ok(Said::Terms(reasons));
    }
    if let Some(policy) = G::policy(name)? {
        return Ok(Said::Policy(policy));
    }
    let (net, about) = store::load(name.as_ref())?;
    let network = Network::<G>::of(name, IntegerNet::of(&net, Bits::ThirtyTwo), &about)?;
    let offset = network.skip().map(|(mut skip, scale)| scale * skip_argument(&mut *skip, position));
    Ok(Said::Network(Explanation::of((&net, &about), network.features(), offset, position)))
}

/// The reasons of the evaluator called `name`, as tables.
fn reasons_of<G: Catalogue>(name: &str, position: &G) -> anyhow::Result<ShownReasons> {
    Ok(match said_by(name, position)? {
        Said::Terms(reasons) => reasons.into(),
        Said::Policy(policy) => reasons::of_policy(&*policy, position),
        Said::Network(explanation) => reasons::of_network::<G>(&explanation),
    })
}

/// What the evaluator called `name` says for and against `side` in `position`, in a few lines; none where it has no words.
pub fn lines_of<G: Catalogue>(position: &G, name: &str, side: Side) -> anyhow::Result<Vec<String>> {
    let called = G::SIDES[side.index()];
    Ok(match said_by(name, position)? {
        Said::Terms(reasons) => words::of_terms(&reasons.terms, side, called),
        Said::Policy(_) => Vec::new(),
        Said::Network(explanation) => words::of_network(&explanation, side, called),
    })
}

impl Verdict {
    fn of<G: Catalogue>(position: &G, name: &str, explain: bool) -> anyhow::Result<Self> {
        let mut evaluator = G::evaluator_factory(name)?();
        let value = evaluator.evaluate(position);
        let (side, [first, _]) = (position.side_to_move(), G::SIDES);
        let (to_move, for_first) = (G::SIDES[side.index()], side.sign() * value);
        let (expected, in_centipawns) = (evaluator.expected_result(value), centipawns(&*evaluator, value));
        let rows = [
            [format!("for {to_move}, to move").into(), i64::from(value).into()],
            [format!("for {first}").into(), i64::from(for_first).into()],
            [format!("for {to_move}, centipawns").into(), in_centipawns.into()],
            ["expected result, -1 to 1".into(), Cell::real(expected, 3)],
        ];
        let mut text = Table::new(position.notation(), &["value"], &["figure"]).with_rows(rows).to_text();
        let mut json = json!({
            "fen": position.notation(), "evaluator": name, "side_to_move": to_move, "value": value, "centipawns": in_centipawns,
            format!("value_for_{first}"): for_first, "expected_result": expected,
        });
        let mut csv = None;
        if explain {
            let reasons = reasons_of(name, position)?;
            csv = Some(reasons.csv);
            text.extend(reasons.tables.iter().map(|table| format!("\n{}", table.to_text())));
            json[reasons.name] = reasons.json;
        }
        Ok(Self { text, json, csv })
    }
}
