//! `roughboard eval`: what an evaluator thinks of a position, and why.

mod explained;

use std::process::ExitCode;

use roughboard::eval::network::Explanation;
use roughboard::eval::xiangqi::{ENDINGS, Share, TRADITIONAL, factory, traditional};
use roughboard::eval::{Network, skip_argument};
use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::{Bits, IntegerNet, store};
use roughboard::report::{Cell, Table};
use serde_json::{Value, json};

use super::output;

/// Arguments of `eval`.
#[derive(clap::Args)]
#[command(after_help = super::EVALUATORS)]
pub struct Args {
    /// Position; without it, the initial position
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Evaluator
    #[arg(long, default_value = TRADITIONAL, value_name = "EVALUATOR")]
    evaluator: String,
    /// Show why: what each term of the traditional evaluator is worth to each side; of a network what each piece changes, and
    /// of a rough one what each rule says
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found out about a position.
struct Verdict {
    fen: String,
    evaluator: String,
    side_to_move: &'static str,
    /// For the side to move, in the evaluator's unit.
    value: i32,
    /// For red.
    red: i32,
    /// For the side to move, in [-1, 1].
    expected: f64,
    /// If it was asked for.
    reasons: Option<Reasons>,
}

/// Why an evaluator says what it says.
enum Reasons {
    /// One a term.
    Terms(Vec<Share>),
    /// Of a network.
    Network(Explanation),
}

impl Reasons {
    /// Those of the evaluator called `name`, without what `+endings` may add.
    fn of(name: &str, position: &Xiangqi) -> anyhow::Result<Self> {
        let name = name.strip_suffix(ENDINGS).unwrap_or(name);
        if let Some(evaluator) = traditional(name)? {
            return Ok(Self::Terms(evaluator.explain(position)));
        }
        let (net, about) = store::load(name.as_ref())?;
        let network = Network::<Xiangqi>::of(name, IntegerNet::of(&net, Bits::ThirtyTwo), &about)?;
        let offset = network.skip().map(|(mut skip, scale)| scale * skip_argument(&mut *skip, position));
        let explanation = Explanation::of((&net, &about), network.features(), offset, position);
        Ok(Self::Network(explanation))
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let position = args.fen.as_deref().map_or_else(|| Ok(Xiangqi::start()), Xiangqi::from_notation)?;
    let verdict = Verdict::of(&position, args)?;
    if args.json {
        output::print(&format!("{}\n", verdict.to_json()))?;
    } else {
        output::print(&verdict.to_text())?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Verdict {
    fn of(position: &Xiangqi, args: &Args) -> anyhow::Result<Self> {
        let mut evaluator = factory(&args.evaluator)?();
        let value = evaluator.evaluate(position);
        let side = position.side_to_move();
        let reasons = args.explain.then(|| Reasons::of(&args.evaluator, position)).transpose()?;
        Ok(Self {
            fen: position.notation(),
            evaluator: args.evaluator.clone(),
            side_to_move: Xiangqi::SIDES[side.index()],
            value,
            red: side.sign() * value,
            expected: evaluator.expected_result(value),
            reasons,
        })
    }

    fn to_text(&self) -> String {
        let mut table = Table::new(self.fen.as_str(), &["value"], &["figure"]);
        table.push([format!("for {}, to move", self.side_to_move).into(), i64::from(self.value).into()]);
        table.push(["for red".into(), i64::from(self.red).into()]);
        table.push(["expected result, -1 to 1".into(), Cell::real(self.expected, 3)]);
        let reasons = match &self.reasons {
            Some(Reasons::Terms(shares)) => format!("\n{}", terms_table(shares).to_text()),
            Some(Reasons::Network(explanation)) => explained::to_text(explanation),
            None => String::new(),
        };
        table.to_text() + &reasons
    }

    fn to_json(&self) -> Value {
        let mut json = json!({
            "fen": self.fen,
            "evaluator": self.evaluator,
            "side_to_move": self.side_to_move,
            "value": self.value,
            "value_for_red": self.red,
            "expected_result": self.expected,
        });
        match &self.reasons {
            Some(Reasons::Terms(shares)) => json["terms"] = shares.iter().map(term_json).collect(),
            Some(Reasons::Network(explanation)) => json["network"] = explained::to_json(explanation),
            None => {}
        }
        json
    }
}

fn term_json(share: &Share) -> Value {
    json!({ "term": share.term.name(), "red": share.red, "black": share.black, "difference": share.lead() })
}

/// One row a term, and their sum.
fn terms_table(shares: &[Share]) -> Table {
    let mut table = Table::new("Terms, in points", &["term"], &["red", "black", "difference"]);
    let mut row = |name: &str, red: i32, black: i32| {
        table.push([name.into(), i64::from(red).into(), i64::from(black).into(), i64::from(red - black).into()]);
    };
    shares.iter().for_each(|share| row(share.term.name(), share.red, share.black));
    let sum = |of: fn(&Share) -> i32| shares.iter().map(of).sum();
    row("sum", sum(|share| share.red), sum(|share| share.black));
    table
}
