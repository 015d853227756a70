//! `roughboard train rough`: the rough neural network, in all its forms.

use clap::Args as ClapArgs;
use roughboard::eval::Catalogue;
use roughboard::net::Net;
use roughboard::net::rough::{RoughForm, RoughSettings};
use roughboard::runs::training::{
    DIAGNOSIS, DiagnosisReport, Inputs, Knowledge, Reduction, RoughPlan, RuleConfig, RuleOrigin, RunName,
};
use roughboard::settings::require;

use super::common::{Common, Minibatch, finish};
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::settings::Of;

/// Sharpest factors in the report.
pub const SHARPEST: usize = 20;

/// Arguments of `train rough`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    #[command(flatten, next_help_heading = "Rules")]
    rules: Of<RuleConfig>,
    #[command(flatten, next_help_heading = "Form of the network")]
    form: Of<RoughSettings>,
    /// Attributes that the network reads: `all`, `reduct`, `reduct:METHOD` with METHOD of backward, greedy, dependency,
    /// entropy, gini, short, or names joined by commas
    #[arg(long, default_value_t = Inputs::All, value_name = "INPUTS")]
    inputs: Inputs,
    /// Leave out games that say nothing new under the reduct
    #[arg(long)]
    reduce_games: bool,
    /// Learn from one example a class of positions that agree on the reduct, with the mean of their targets
    #[arg(long)]
    reduce_objects: bool,
    /// Start from random weights instead of inclusion degrees, as a control
    #[arg(long)]
    random_start: bool,
    /// Rules in pairs of twins with shared weights, so that the network says the opposite when colours are exchanged; half of --rules are
    /// chosen, and with --init a network gets twins of all its rules
    #[arg(long)]
    symmetric: bool,
}

impl Args {
    fn plan(&self) -> anyhow::Result<RoughPlan> {
        let (rules, form) = (self.rules.read()?, self.form.read()?);
        let has_logarithms = form.form != RoughForm::Literal;
        let is_refused = |path: &str| !has_logarithms && ["tau", "sharpness"].contains(&path);
        self.form.refuse("left out with `--form literal`, which has no logarithms", is_refused)?;
        let plan = RoughPlan {
            rules,
            form,
            training: self.minibatch.settings()?,
            inputs: self.inputs.clone(),
            reduction: Reduction { games: self.reduce_games, objects: self.reduce_objects },
            random_start: self.random_start,
            symmetric: self.symmetric,
        };
        // A network that learning goes on from has its inputs.
        let has_effect = !self.common.has_init() || plan.inputs == Inputs::All || !plan.reduction.is_none();
        let range = "left out with `--init` unless `--reduce-games` or `--reduce-objects` is given";
        require(has_effect, "inputs", range, &plan.inputs)?;
        let is_odd = |path: &str| plan.symmetric && path == "number" && !plan.rules.number.is_multiple_of(2);
        self.rules.refuse("even with `--symmetric`, whose rules come in pairs", is_odd)?;
        plan.check()?;
        Ok(plan)
    }
}

/// Says why a network has fewer rules than were asked for.
fn note_fewer(asked: &RuleConfig, found: usize) {
    if found >= asked.number {
        return;
    }
    let why = match asked.origin {
        _ if asked.at_most_inputs => "`--at-most-inputs` allows no more, or no more were found".to_owned(),
        RuleOrigin::Lem2 | RuleOrigin::Mlem2 => "the local covering has no more".to_owned(),
        RuleOrigin::Covering | RuleOrigin::Exhaustive => {
            let (conditions, support) = (asked.max_conditions, asked.min_support);
            format!("no more were found within `--max-conditions {conditions}` and `--min-support {support}`")
        }
    };
    eprintln!("note: {found} rules of the {} that `--rules` asks for: {why}", asked.number);
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args, session: &Session) -> anyhow::Result<()> {
    let (common, plan) = (&args.common, args.plan()?);
    let name = RunName { method: "rough", title: "Learning curve: rough network" };
    let Some((run, data, _)) = common.open::<G>(name, &plan, session)? else { return Ok(()) };
    let (knowledge, data) = Knowledge::reducing(data, &plan, &session.progress)?;
    let (new, training) = plan.start(&data, &knowledge);
    let start = run.begin(new, &data)?;
    if let Net::Rough(net) = &start.net {
        output::print(&format!("{} rules over {} attributes\n", net.n_rules(), net.inputs().len()))?;
    }
    if !common.has_init() {
        note_fewer(&plan.rules, knowledge.rules.len());
    }
    if let Some(reduced) = &knowledge.reduced {
        output::print(&format!("reduction {reduced}\n"))?;
    }
    let initial = start.net.clone();
    let learned = run.learn((start, training), &data, &session.progress)?;
    let (Net::Rough(net), Net::Rough(before)) = (&learned.net, &initial) else {
        return finish(&run, &learned, &data, Vec::new());
    };
    let features = data.features_of::<G>()?;
    let report = DiagnosisReport::of::<G>((net, Some(before)), &data.held_out, (&features, &learned.about), SHARPEST);
    let files = run.write_diagnosis(&report, &initial, &learned)?;
    finish(&run, &learned, &data, files)?;
    let folder = run.file(DIAGNOSIS);
    output::print(&format!("\nDiagnosis on held-out games (all of it in {})\n{}", folder.display(), report.to_text()))
}
