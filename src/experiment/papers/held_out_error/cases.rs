//! The methods that are compared.

use crate::experiment::methods::{Learn, MethodSettings, fitted, trained};
use crate::net::dense::{DenseShape, InputForm};
use crate::net::rough::{Product, RoughForm, RoughSettings};
use crate::observe::Observer;
use crate::runs::training::{
    BpConfig, Data, Initialisation, Inputs, Knowledge, LearnError, RoughPlan, TdConfig, Training,
};
use crate::train::models::{LogisticSettings, Model, SvmSettings, TreeSettings};

/// The same positions in the words of each feature set.
pub struct Sets {
    /// The 91 inputs of the papers.
    pub board: Data,
    /// The feature table of the hand-crafted evaluator.
    pub terms: Data,
    /// Piece-square values.
    pub values: Data,
}

/// One method.
pub struct Case<'a> {
    /// Its kind.
    pub kind: &'static str,
    /// Its name, in the table and in the names of files.
    pub name: String,
    /// What it learns from.
    pub data: &'a Data,
    /// How it learns.
    pub learn: Learn<'a>,
}

impl<'a> Case<'a> {
    fn new(
        (kind, name): (&'static str, impl Into<String>),
        data: &'a Data,
        start: impl Fn(&Data) -> (Initialisation, Training) + 'a,
    ) -> Self {
        let name: String = name.into();
        Self { kind, learn: trained(&name, start), name, data }
    }
}

/// Every method, in the order of the table.
pub fn cases<'a>(
    config: &'a MethodSettings,
    sets: &'a Sets,
    observer: &dyn Observer,
) -> Result<Vec<Case<'a>>, LearnError> {
    let linfa = |(name, model): (&str, Model)| Case {
        kind: "linfa",
        name: name.to_owned(),
        data: &sets.terms,
        learn: fitted(model),
    };
    let mut cases: Vec<Case<'a>> = models().into_iter().map(linfa).collect();
    cases.extend(plain(config, sets));
    cases.extend(rough(config, sets, observer)?);
    for &hidden in &config.hidden {
        let td = TdConfig { network: DenseShape::one_layer(hidden), training: config.td.clone() };
        cases.push(Case::new(("TD(λ)", format!("TD(λ) 91-{hidden}-1")), &sets.board, move |data| td.start(data)));
    }
    Ok(cases)
}

/// linfa's models, fitted to the feature table; the seed draws the positions that they are fitted to.
fn models() -> [(&'static str, Model); 3] {
    [
        ("logistic regression, feature table", Model::Logistic(LogisticSettings::default())),
        ("support vectors, feature table", Model::Svm(SvmSettings::default())),
        ("decision tree, feature table", Model::Tree(TreeSettings::default())),
    ]
}

fn plain<'a>(config: &'a MethodSettings, sets: &'a Sets) -> Vec<Case<'a>> {
    let case = |name: String, data: &'a Data, network: DenseShape| {
        let bp = BpConfig { network, training: config.bp.clone() };
        Case::new(("BP", name), data, move |data: &Data| bp.start(data))
    };
    let one_layer = DenseShape::one_layer;
    let by_size = config.hidden.iter().map(|&n| case(format!("BP 91-{n}-1"), &sets.board, one_layer(n)));
    let mut cases: Vec<Case<'a>> = by_size.collect();
    let one_hot = DenseShape { inputs: InputForm::OneHot, ..one_layer(config.one_hot) };
    cases.push(case(format!("BP one-hot {}", config.one_hot), &sets.board, one_hot));
    cases.push(case("BP piece-square 100".to_owned(), &sets.values, one_layer(100)));
    cases.push(case("BP feature table 100".to_owned(), &sets.terms, one_layer(100)));
    cases
}

fn rough<'a>(config: &'a MethodSettings, sets: &'a Sets, observer: &dyn Observer) -> Result<Vec<Case<'a>>, LearnError> {
    let plan = config.rough_plan();
    let form = |form: RoughSettings| RoughPlan { form, ..plan.clone() };
    let default = &config.rough;
    let literal = RoughSettings { form: RoughForm::Literal, ..default.clone() };
    let plans = [
        ("rough", &sets.board, plan.clone()),
        ("rough, random start", &sets.board, RoughPlan { random_start: true, ..plan.clone() }),
        ("rough, own conditions", &sets.board, form(RoughSettings { product: Product::Own, ..default.clone() })),
        ("rough, τ = 1", &sets.board, form(RoughSettings { tau: 1.0, ..default.clone() })),
        ("rough, normalised", &sets.board, form(RoughSettings { normalised: true, ..default.clone() })),
        (
            "rough, literal, own conditions",
            &sets.board,
            form(RoughSettings { product: Product::Own, ..literal.clone() }),
        ),
        ("rough, literal, all inputs", &sets.board, form(literal)),
        ("rough, reduct", &sets.board, RoughPlan { inputs: Inputs::REDUCT, ..plan.clone() }),
        ("rough, feature table", &sets.terms, plan.clone()),
    ];
    let mut known: Vec<(&Data, Inputs, std::rc::Rc<Knowledge>)> = Vec::new();
    let mut cases = Vec::new();
    for (name, data, plan) in plans {
        let same = |one: &&(&Data, Inputs, std::rc::Rc<Knowledge>)| std::ptr::eq(one.0, data) && one.1 == plan.inputs;
        let knowledge = match known.iter().find(same) {
            Some((_, _, knowledge)) => knowledge.clone(),
            None => std::rc::Rc::new(Knowledge::of(data, &plan, observer)?),
        };
        known.push((data, plan.inputs.clone(), knowledge.clone()));
        cases.push(Case::new(("rough", name), data, move |data| plan.start(data, &knowledge)));
    }
    Ok(cases)
}
