//! `roughboard train rough`: the rough neural network, in all its forms.

use clap::{Args as ClapArgs, ValueEnum};
use roughboard::net::Net;
use roughboard::net::rough::{Inclusion, Product, RoughForm, RoughSettings};
use roughboard::runs::training::{
    DIAGNOSIS, DiagnosisReport, Inputs, Knowledge, Reduction, RoughPlan, RuleConfig, RuleOrigin, RunName,
};
use roughboard::settings::require;

use super::common::{Common, Minibatch, Trained, finish};
use crate::cli::output;
use crate::cli::session::Session;

/// Sharpest factors in the report.
pub const SHARPEST: usize = 20;

/// Arguments of `train rough`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    form: FormArgs,
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
}

/// Which rules become neurons.
#[derive(ClapArgs)]
#[command(next_help_heading = "Rules")]
struct RuleArgs {
    /// Rules, that is neurons of layer 3
    #[arg(long = "rules", id = "rules.number", default_value_t = RuleConfig::default().number, value_name = "N")]
    rules: usize,
    /// Where rules come from
    #[arg(long, value_enum, default_value_t = Origin::Covering)]
    rules_from: Origin,
    /// Whether all decisions get the same number of rules, or the best rules are taken whatever they decide
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = "BOOL")]
    per_decision: bool,
    /// No more rules than inputs, as S1 has it
    #[arg(long)]
    at_most_inputs: bool,
    /// The most conditions of a rule by covering or exhaustive search
    #[arg(long, default_value_t = RuleConfig::default().max_conditions, value_name = "N")]
    max_conditions: usize,
    /// The least share of all positions that support such a rule
    #[arg(long, default_value_t = RuleConfig::default().min_support, value_name = "SHARE")]
    min_support: f64,
    /// The least inclusion degree of an exhaustive rule
    #[arg(long, default_value_t = RuleConfig::default().certainty, value_name = "BETA")]
    certainty: f64,
    /// Positions, evenly spaced, on which rules other than those of covering are sought, at most
    #[arg(long = "rule-objects", id = "rules.objects", default_value_t = RuleConfig::default().objects, value_name = "N")]
    rule_objects: usize,
}

/// What the network computes.
#[derive(ClapArgs)]
#[command(next_help_heading = "Form of the network")]
struct FormArgs {
    /// What layer 2 makes of a value
    #[arg(long, value_enum, default_value_t = FormName::Default)]
    form: FormName,
    /// What the product of a rule runs over
    #[arg(long, value_enum, default_value_t = ProductName::Full)]
    product: ProductName,
    /// What factors start from [default: relative]
    #[arg(long, value_enum)]
    inclusion: Option<InclusionName>,
    /// Give each rule its share of the sum of all products
    #[arg(long)]
    normalised: bool,
    /// Exponent τ of the product [default: 0.2]
    #[arg(long, value_name = "T")]
    tau: Option<f64>,
    /// Smoothing of the inclusion degrees, in positions
    #[arg(long, default_value_t = RoughSettings::default().smoothing, value_name = "S")]
    smoothing: f64,
    /// Factor on the logarithms of a rule's own conditions [default: 2]
    #[arg(long, value_name = "F")]
    sharpness: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Origin {
    /// Weighted covering by inclusion degree
    Covering,
    /// Certain rules of a local covering by values
    Lem2,
    /// The same by intervals, for features that are numbers
    Mlem2,
    /// All minimal rules of the certainty, support and length asked for
    Exhaustive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormName {
    /// The value selects a weight
    Default,
    /// Eq. (6)-(8) of S1 to the letter: the value times a weight; a value of 0 silences every rule that looks at it
    Literal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProductName {
    /// All inputs
    Full,
    /// The rule's own conditions
    Own,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InclusionName {
    /// The inclusion degree over the share of the decision
    Relative,
    /// The inclusion degree
    Plain,
}

impl RuleArgs {
    fn config(&self) -> RuleConfig {
        RuleConfig {
            number: self.rules,
            max_conditions: self.max_conditions,
            min_support: self.min_support,
            origin: match self.rules_from {
                Origin::Covering => RuleOrigin::Covering,
                Origin::Lem2 => RuleOrigin::Lem2,
                Origin::Mlem2 => RuleOrigin::Mlem2,
                Origin::Exhaustive => RuleOrigin::Exhaustive,
            },
            per_decision: self.per_decision,
            at_most_inputs: self.at_most_inputs,
            certainty: self.certainty,
            objects: self.rule_objects,
        }
    }
}

impl FormArgs {
    /// The settings; refuses what the literal form would ignore.
    fn settings(&self) -> anyhow::Result<RoughSettings> {
        let usual = RoughSettings::default();
        let has_logarithms = self.form == FormName::Default;
        let range = "left out with `--form literal`, which has no logarithms";
        for (setting, value) in [("--tau", self.tau), ("--sharpness", self.sharpness)] {
            require(has_logarithms || value.is_none(), setting, range, value.unwrap_or_default())?;
        }
        Ok(RoughSettings {
            tau: self.tau.unwrap_or(usual.tau),
            smoothing: self.smoothing,
            sharpness: self.sharpness.unwrap_or(usual.sharpness),
            form: if has_logarithms { RoughForm::Default } else { RoughForm::Literal },
            product: match self.product {
                ProductName::Full => Product::Full,
                ProductName::Own => Product::Own,
            },
            inclusion: match self.inclusion {
                Some(InclusionName::Plain) => Inclusion::Plain,
                Some(InclusionName::Relative) | None => Inclusion::Relative,
            },
            normalised: self.normalised,
        })
    }
}

impl Args {
    fn plan(&self) -> anyhow::Result<RoughPlan> {
        let plan = RoughPlan {
            rules: self.rules.config(),
            form: self.form.settings()?,
            training: self.minibatch.settings(self.common.passes)?,
            inputs: self.inputs.clone(),
            reduction: Reduction { games: self.reduce_games, objects: self.reduce_objects },
            random_start: self.random_start,
        };
        plan.check()?;
        Ok(plan)
    }
}

/// Runs the command.
pub fn run<G: Trained>(args: &Args, session: &Session) -> anyhow::Result<()> {
    let (common, plan) = (&args.common, args.plan()?);
    common.check::<G>()?;
    let data = common.data::<G>(session)?;
    let run = common.open(RunName { method: "rough", title: "Learning curve: rough network" }, &data, &plan)?;
    let (knowledge, data) = Knowledge::reducing(data, &plan, &session.progress)?;
    let (new, training) = plan.start(&data, &knowledge);
    let start = run.begin(new, &data)?;
    output::print(&format!("{} rules over {} attributes\n", knowledge.rules.len(), knowledge.inputs.len()))?;
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
