//! `roughboard inspect`: what a rough network does on the positions of games.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use roughboard::eval::{self, Catalogue};
use roughboard::features::{FeatureSet, rule_in_words};
use roughboard::game::Ranks;
use roughboard::net::store::{self, About};
use roughboard::net::{Bits, IntegerNet, Net, Network, Pass, RoughNet};
use roughboard::record::GameRecord;
use roughboard::runs::training::DiagnosisReport;
use roughboard::train::{Maker, Recipe};

use super::form::{Form, Sheet};
use super::output;
use super::rules::game_called;
use super::session::Session;
use super::sources::GameSources;
use super::targets::OutPath;

/// Games that are looked at for diagrams, evenly spaced.
const DIAGRAM_GAMES: usize = 500;

/// Arguments of `inspect`.
#[derive(ClapArgs)]
pub struct Args {
    /// The network: a file, or the folder of a run
    #[arg(value_name = "NET")]
    net: PathBuf,
    #[command(flatten)]
    sources: GameSources,
    /// The network before training; a run keeps it in its folder as diagnosis/initial.safetensors
    #[arg(long, value_name = "NET")]
    before: Option<PathBuf>,
    /// Plies at the beginning of each game whose positions are not used
    #[arg(long, default_value_t = 10, value_name = "N")]
    skip_plies: usize,
    /// How many of the sharpest factors to list
    #[arg(long, default_value_t = super::train::SHARPEST, value_name = "N")]
    top: usize,
    /// Folder to write the report to, with one CSV file a table
    #[arg(long, value_parser = OutPath::folder(), value_name = "FOLDER")]
    out: Option<OutPath>,
    /// Show so many rules, those of the largest effect first, each with the position of 500 of the games in which it fires most
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with_all = ["json", "csv"])]
    diagrams: usize,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    let (net, about) = load(&args.net)?;
    roughboard::by_game!(game_called(&about.game)?, G => inspect::<G>((&net, &about), args, session))
}

fn inspect<G: Catalogue>((net, about): (&RoughNet, &About), args: &Args, session: &Session) -> anyhow::Result<()> {
    let before = args.before.as_deref().map(load).transpose()?;
    if let Some(other) = &before {
        ensure_alike((net, about), other)?;
    }
    let path = args.net.display().to_string();
    let network = eval::Network::<G>::of(&path, IntegerNet::of(&Net::Rough(net.clone()), Bits::ThirtyTwo), about)?;
    let features = network.features().clone();
    let records = args.sources.read_of_its_game::<G>(session)?.records;
    let skip = network.skip_term().map(|(make, scale)| (make as Maker<'_, G>, *scale));
    let recipe = Recipe { skip, ..Recipe::plain(&features, args.skip_plies) };
    let set = recipe.read(&records.iter().collect::<Vec<_>>(), &session.progress);
    anyhow::ensure!(!set.is_empty(), "no game has a position from ply {} on", args.skip_plies);
    let before = before.as_ref().map(|(net, _)| net);
    let report = DiagnosisReport::of::<G>((net, before), &set, (&features, about), args.top);
    if let Some(folder) = &args.out {
        report.write(folder)?;
    }
    args.form.give(&report, Sheet::Made(&|| report.rule_table().to_csv()), &report.to_text())?;
    if args.form.is_for_programs() || args.diagrams == 0 {
        return Ok(());
    }
    let firings = firings((net, &features), &records, args);
    output::print(&firings.iter().map(|firing| firing.to_text(about, &features)).collect::<String>())
}

/// Refuses a network as that of before training which no training makes the other of.
fn ensure_alike((net, about): (&RoughNet, &About), (before, about_before): &(RoughNet, About)) -> anyhow::Result<()> {
    let about_inputs = |about: &About| (about.game.clone(), about.features.clone());
    let is_alike = about_inputs(about) == about_inputs(about_before)
        && before.inputs() == net.inputs()
        && before.shape() == net.shape()
        && before.parameters().len() == net.parameters().len();
    anyhow::ensure!(
        is_alike,
        "--before must be a network of the same game, features, inputs, rules and form as the one that is inspected"
    );
    Ok(())
}

/// A rule where it has its largest effect.
struct Firing<G> {
    rule: usize,
    /// ω v: what it adds to the argument of the output, positive for the side that moves first.
    effect: f32,
    position: G,
}

/// The rules that fire somewhere, those of the largest effect first.
fn firings<G: Catalogue>(
    (net, features): (&RoughNet, &G::Features),
    records: &[GameRecord<G>],
    args: &Args,
) -> Vec<Firing<G>> {
    let shown = net.shape().rules.iter().take(net.n_shown());
    let mut best: Vec<Option<Firing<G>>> = shown.map(|_| None).collect();
    let (mut pass, mut codes) = (Pass::default(), vec![0; features.n_attributes()]);
    let mut look = |position: &G| {
        features.encode(position, &mut codes);
        net.forward(&codes, 0.0, &mut pass);
        for (rule, best) in best.iter_mut().enumerate() {
            let effect = net.omega()[rule] * pass.hidden[rule];
            let is_most = best.as_ref().is_none_or(|known| known.effect.abs() < effect.abs());
            if is_most && net.shape().rules[rule].conditions.iter().all(|condition| condition.holds(&codes)) {
                *best = Some(Firing { rule, effect, position: position.clone() });
            }
        }
    };
    for record in records.iter().step_by(records.len().div_ceil(DIAGRAM_GAMES).max(1)) {
        let mut ply = 0;
        record.replay(|position, mv| {
            if mv.is_some() && ply >= args.skip_plies {
                look(position);
            }
            ply += 1;
        });
    }
    let mut found: Vec<Firing<G>> = best.into_iter().flatten().collect();
    found.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
    found.truncate(args.diagrams);
    found
}

impl<G: Catalogue> Firing<G> {
    fn to_text(&self, about: &About, features: &G::Features) -> String {
        let text = about.rules.get(self.rule).map_or("", String::as_str);
        let (words, decision) = rule_in_words(text, features);
        let (number, effect) = (self.rule + 1, self.effect);
        let mover = G::SIDES[self.position.side_to_move().index()];
        let diagram = self.position.diagram(Ranks::FromZero);
        format!("\nrule {number}, {decision}: {words}\nadds {effect:+.2} here, {mover} to move\n{diagram}\n")
    }
}

fn load(path: &Path) -> anyhow::Result<(RoughNet, About)> {
    match store::load(path)? {
        (Net::Rough(net), about) => Ok((net, about)),
        (Net::Dense(_), _) => anyhow::bail!("`{}` is a plain network: expected a rough one", path.display()),
        (Net::Tree(_), _) => anyhow::bail!("`{}` is a decision tree: expected a rough network", path.display()),
    }
}
