//! Decision rules as Python has them: found, chosen, spelled, applied, kept.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use roughboard::observe::Observer;
use roughboard::rough::{
    Condition, Filter, FoundRules, Prediction, RoughError, Rule, RuleClassifier, RuleOrder, RuleSearch, RuleSet,
    RulesFrom, Verdicts, Voting, Wording,
};
use roughboard::settings::SettingError;
use roughboard::table::{AttrIdx, Attribute, Codes, DecisionTable, Interval, Value, Weights};

use crate::errors::{value_error, warn};
use crate::input::{Names, Objects};
use crate::numbers::Numbers;
use crate::questions::named;
use crate::table::{Table, to_python};
use crate::work::interruptible;

/// Rules with the names and values that they speak of.
#[pyclass(frozen, module = "roughboard._core")]
pub struct Rules {
    /// A table of a single object, in whose codes the rules are: its domains have what the rules speak of.
    vocabulary: Arc<DecisionTable>,
    set: RuleSet,
}

/// The parameters of a function of Python, by name.
struct Given<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Given<'_, 'py> {
    /// What a parameter is given, and nothing else; the error calls it as the user does.
    fn get<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<T> {
        let value = self.0.as_any().get_item(name)?;
        let wrong = |error: PyErr| PyTypeError::new_err(format!("argument '{name}': {}", error.value(value.py())));
        value.extract::<T>().map_err(|error| wrong(error.into()))
    }

    /// The word that a parameter is given.
    fn word<T: FromStr<Err = SettingError>>(&self, name: &str) -> PyResult<T> {
        named(name, &self.get::<String>(name)?)
    }

    /// Where rules come from, and how many.
    fn search(&self) -> PyResult<RuleSearch> {
        let search = RuleSearch {
            from: self.word("source")?,
            method: self.word("method")?,
            approximation: self.word("approximation")?,
            beta: self.get("beta")?,
            limit: self.get("limit")?,
            n_rules: self.get("n_rules")?,
            max_length: self.get("max_length")?,
            min_support: self.get("min_support")?,
        };
        search.check().map(|()| search).map_err(value_error)
    }

    /// What becomes of the rules that were found.
    fn chosen(&self) -> PyResult<Chosen> {
        let filter = Filter {
            min_support: self.get::<Option<u64>>("min_support")?.unwrap_or(0),
            min_confidence: self.get("min_confidence")?,
            min_coverage: self.get("min_coverage")?,
            min_lift: self.get("min_lift")?,
            max_len: self.get::<Option<usize>>("max_length")?.unwrap_or(usize::MAX),
        };
        filter.check().map_err(value_error)?;
        let shorten: Option<f64> = self.get("shorten")?;
        if let Some(alpha) = shorten.filter(|alpha| !(0.0..=1.0).contains(alpha)) {
            return Err(PyValueError::new_err(format!("`shorten` must be in [0, 1], got {alpha}")));
        }
        let sort = self.get::<Option<String>>("sort")?.map(|word| named("sort", &word)).transpose()?;
        Ok(Chosen { shorten, filter, drop_redundant: self.get("drop_redundant")?, sort })
    }
}

/// What becomes of rules, in this order.
struct Chosen {
    shorten: Option<f64>,
    filter: Filter,
    drop_redundant: bool,
    sort: Option<RuleOrder>,
}

impl Chosen {
    fn apply(&self, rules: RuleSet, table: &DecisionTable, observer: &dyn Observer) -> RuleSet {
        let shortened = match self.shorten {
            Some(alpha) => rules.shortened(table, alpha, observer),
            None => rules,
        };
        let kept = shortened.filtered(&self.filter);
        let needed = if self.drop_redundant { kept.without_redundant() } else { kept };
        match self.sort {
            Some(order) => needed.sorted(order),
            None => needed,
        }
    }
}

/// Rules, whether they are all, and how many objects they decide rightly, ambiguously, wrongly, not at all.
type Judged = (Rules, bool, (u64, u64, u64, u64));

/// The rules of a table.
#[pyfunction]
pub fn rules(py: Python<'_>, table: &Table, parameters: &Bound<'_, PyDict>) -> PyResult<Judged> {
    let given = Given(parameters);
    let (search, chosen, table) = (given.search()?, given.chosen()?, table.decided()?);
    // The number of rules to find by inclusion is no limit to be warned of.
    let (limit, is_limited) = (search.limit, search.from != RulesFrom::Inclusion);
    let found = interruptible(py, move |stop| {
        let FoundRules { rules, complete, proved } = search.find(&table, stop)?;
        let set = chosen.apply(RuleSet::new(&table, rules), &table, stop);
        let Verdicts { rightly, ambiguously, wrongly, not_at_all } = set.verdicts(&table);
        Ok(((Rules::of(&table, &set), complete, (rightly, ambiguously, wrongly, not_at_all)), proved))
    })?;
    let (found, proved): (Judged, Option<bool>) = found.map_err(|error: RoughError| value_error(error))?;
    let (_, complete, _) = found;
    if !complete && is_limited {
        warn(
            py,
            &format!(
                "there are more rules than the limit{} allows",
                limit.map_or(String::new(), |limit| format!(" of {limit}"))
            ),
        )?;
    }
    if proved == Some(false) {
        warn(py, "the search for the fewest rules was cut short: fewer may cover as much")?;
    }
    Ok(found)
}

/// A condition: of what kind it is, its attribute, and the value, or the ends of the interval.
type Spoken<'py> = (&'static str, String, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// A column in words of Python: its name, the kind of its values, and these.
type Words<'py> = (String, String, Vec<Bound<'py, PyAny>>);

/// A rule in numbers: attribute, lowest and highest code, whether it is an interval, of each condition; decision, support
/// and matching.
type Plain = (Vec<(usize, u32, u32, bool)>, u32, u64, u64);

/// Everything there is to know of rules.
type State<'py> = (Vec<Words<'py>>, Words<'py>, Vec<u64>, Vec<Plain>);

/// Decisions, votes for each decision value object by object, and the rule that spoke loudest, -1 where none did.
type Voted = (Numbers<u32>, Numbers<f64>, Numbers<i64>);

#[pymethods]
impl Rules {
    fn __len__(&self) -> usize {
        self.set.rules.len()
    }

    /// A rule in words, with or without its measures.
    fn text(&self, at: usize, measures: bool) -> PyResult<String> {
        let wording = if measures { Wording::Measures } else { Wording::Short };
        Ok(self.rule(at)?.display_as(&self.vocabulary, wording).to_string())
    }

    fn conditions<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Vec<Spoken<'py>>> {
        let none = || py.None().into_bound(py);
        let python = |value: Option<Value>| value.map_or_else(|| Ok(none()), |value| to_python(py, &value));
        let spoken = |condition: &Condition| {
            let attribute = self.vocabulary.attribute(condition.attr);
            let name = attribute.name().to_owned();
            if let Some(code) = condition.code() {
                return Ok(("is", name, to_python(py, &attribute.domain()[code as usize])?, none()));
            }
            if condition.first > condition.last {
                return Ok(("never", name, none(), none()));
            }
            let (low, high) = condition.bounds(&self.vocabulary);
            Ok(("between", name, python(low)?, python(high)?))
        };
        self.rule(at)?.conditions.iter().map(spoken).collect()
    }

    /// The decision of a rule.
    fn decides<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.vocabulary.decision().domain()[self.rule(at)?.decision as usize])
    }

    /// Support, matching, confidence, coverage, lift, Laplace's estimate and p-value of a rule.
    fn measures(&self, at: usize) -> PyResult<(u64, u64, f64, f64, f64, f64, f64)> {
        let rule = self.rule(at)?;
        let (confidence, coverage) = (rule.inclusion().value(), rule.coverage().value());
        let laplace = rule.laplace(self.vocabulary.n_decisions());
        Ok((rule.support, rule.matching, confidence, coverage, rule.lift(), laplace, rule.p_value()))
    }

    /// The name of the decision.
    #[getter]
    fn decision(&self) -> &str {
        self.vocabulary.decision().name()
    }

    /// The decision values, in the order of their codes.
    #[getter]
    fn decisions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.vocabulary.decision().domain().iter().map(|value| to_python(py, value)).collect()
    }

    /// The weight of the objects of each decision value where the rules were found.
    #[getter]
    fn decision_weights(&self) -> Vec<u64> {
        self.set.decision_weights.clone()
    }

    /// The JSON form that the command line reads.
    fn to_json(&self) -> String {
        self.set.to_json(&self.vocabulary, Voting::default()).to_string()
    }

    /// Lets the rules vote on the objects of a table.
    fn vote(&self, data: &Bound<'_, PyAny>, vote: &str, unmatched: &str, names: Option<Names>) -> PyResult<Voted> {
        let voting = Voting { vote: named("vote", vote)?, unmatched: named("unmatched", unmatched)? };
        let needs = |name: &str| self.vocabulary.attributes().iter().any(|attribute| attribute.name() == name);
        let objects = Objects::of(data, names, needs)?;
        let classifier = RuleClassifier::of_set(&self.vocabulary, self.set.clone(), voting);
        interruptible(data.py(), move |_| {
            let found = objects.ask(|attributes| classifier.predict(attributes).map_err(value_error))?;
            let loudest = |prediction: &Prediction| prediction.rule.map_or(-1, |rule| rule as i64);
            Ok((
                Numbers(found.iter().map(|prediction| prediction.decision).collect()),
                Numbers(found.iter().flat_map(|prediction| prediction.votes.iter().copied()).collect()),
                Numbers(found.iter().map(loudest).collect()),
            ))
        })?
    }

    fn state<'py>(&self, py: Python<'py>) -> PyResult<State<'py>> {
        let words = |attribute: &Attribute| {
            let values = attribute.domain().iter().map(|value| to_python(py, value)).collect::<PyResult<_>>()?;
            Ok((attribute.name().to_owned(), attribute.kind().to_owned(), values))
        };
        let plain = |rule: &Rule| {
            let of =
                |condition: &Condition| (condition.attr.index(), condition.first, condition.last, condition.interval);
            (rule.conditions.iter().map(of).collect(), rule.decision, rule.support, rule.matching)
        };
        let attributes = self.vocabulary.attributes().iter().map(words).collect::<PyResult<_>>()?;
        let rules = self.set.rules.iter().map(plain).collect();
        Ok((attributes, words(self.vocabulary.decision())?, self.set.decision_weights.clone(), rules))
    }

    /// The rules of this state.
    #[staticmethod]
    fn restored(state: State<'_>) -> PyResult<Self> {
        let (attributes, decision, decision_weights, rules) = state;
        let conditions = attributes.iter().map(attribute).collect::<PyResult<Vec<_>>>()?;
        let vocabulary = DecisionTable::new(conditions, attribute(&decision)?, Weights::Unit).map_err(value_error)?;
        if decision_weights.len() != vocabulary.n_decisions() {
            return Err(damaged());
        }
        let rules = rules.into_iter().map(|rule| of_plain(rule, &vocabulary, &decision_weights));
        let rules = rules.collect::<Option<_>>().ok_or_else(damaged)?;
        Ok(Self { set: RuleSet { rules, decision_weights }, vocabulary: Arc::new(vocabulary) })
    }
}

impl Rules {
    /// The rules of `table`, with no more of its domains than they need.
    fn of(table: &DecisionTable, set: &RuleSet) -> Self {
        let kept: Vec<Vec<u32>> = (0..table.n_attributes()).map(|at| needed(table, set, AttrIdx::new(at))).collect();
        let code_of = |attr: AttrIdx, code: u32| kept[attr.index()].partition_point(|kept| *kept < code) as u32;
        let in_kept = |condition: &Condition| match condition.first > condition.last {
            true => *condition,
            false => Condition {
                first: code_of(condition.attr, condition.first),
                last: code_of(condition.attr, condition.last),
                ..*condition
            },
        };
        let in_vocabulary =
            |rule: &Rule| Rule { conditions: rule.conditions.iter().map(in_kept).collect(), ..rule.clone() };
        let values = |(attribute, codes): (&Attribute, &Vec<u32>)| {
            let domain = codes.iter().map(|&code| attribute.domain()[code as usize].clone()).collect();
            once(attribute.name(), domain)
        };
        let conditions = table.attributes().iter().zip(&kept).map(values).collect();
        let decision = once(table.decision().name(), table.decision().domain().to_vec());
        let vocabulary = DecisionTable::new(conditions, decision, Weights::Unit);
        // The names are those of a table, and each attribute has a value.
        let vocabulary = Arc::new(vocabulary.unwrap_or_else(|_| table.clone()));
        let rules = set.rules.iter().map(in_vocabulary).collect();
        Self { vocabulary, set: RuleSet { rules, decision_weights: set.decision_weights.clone() } }
    }

    fn rule(&self, at: usize) -> PyResult<&Rule> {
        let found = self.set.rules.len();
        let outside = || pyo3::exceptions::PyIndexError::new_err(format!("there are {found} rules, got index {at}"));
        self.set.rules.get(at).ok_or_else(outside)
    }
}

/// The codes of an attribute that rules speak of: those of values, the ends of intervals and what lies beside them, which
/// tells where an interval ends. One at least.
fn needed(table: &DecisionTable, set: &RuleSet, attr: AttrIdx) -> Vec<u32> {
    let last = table.attribute(attr).n_values() as u32 - 1;
    let mut codes = BTreeSet::new();
    let conditions = set.rules.iter().flat_map(|rule| &rule.conditions).filter(|condition| condition.attr == attr);
    for condition in conditions.filter(|condition| condition.first <= condition.last) {
        codes.extend([condition.first, condition.last]);
        if condition.interval {
            codes.extend([condition.first.saturating_sub(1), last.min(condition.last + 1)]);
        }
    }
    if codes.is_empty() {
        codes.insert(0);
    }
    codes.into_iter().collect()
}

/// An attribute of one object with this domain, which ascends.
fn once(name: &str, domain: Vec<Value>) -> Attribute {
    Attribute::new(name, domain, Codes::U8(vec![0])).unwrap_or_else(|_| Attribute::from_values(name, &[Value::Missing]))
}

/// An attribute of one object from its words.
fn attribute((name, kind, values): &Words<'_>) -> PyResult<Attribute> {
    let value = |object: &Bound<'_, PyAny>| {
        if object.is_none() {
            return Ok(Value::Missing);
        }
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_cow()?;
            let interval = if kind == "interval" { Interval::parse(&text) } else { None };
            return Ok(interval.map_or_else(|| Value::text(&text), Value::Interval));
        }
        if object.is_instance_of::<PyBool>() {
            return object.extract().map(Value::Boolean);
        }
        if object.is_instance_of::<PyInt>() {
            return object.extract().map(Value::Integer);
        }
        if object.is_instance_of::<PyFloat>() { object.extract().map(Value::Real) } else { Err(damaged()) }
    };
    let domain = values.iter().map(value).collect::<PyResult<_>>()?;
    Attribute::new(name.as_str(), domain, Codes::U8(vec![0])).map_err(value_error)
}

fn damaged() -> PyErr {
    PyValueError::new_err("the state of rules is damaged")
}

/// A rule from its numbers, if the vocabulary has them.
fn of_plain(plain: Plain, vocabulary: &DecisionTable, decision_weights: &[u64]) -> Option<Rule> {
    let (conditions, decision, support, matching) = plain;
    let condition = |(attr, first, last, interval): (usize, u32, u32, bool)| {
        let n_values = vocabulary.attributes().get(attr)?.n_values() as u32;
        let is_never = interval && (first, last) == (1, 0);
        (is_never || first <= last && last < n_values && (interval || first == last)).then_some(Condition {
            attr: AttrIdx::new(attr),
            first,
            last,
            interval,
        })
    };
    Some(Rule {
        conditions: conditions.into_iter().map(condition).collect::<Option<_>>()?,
        decision,
        support,
        matching,
        decision_weight: *decision_weights.get(decision as usize)?,
        total_weight: decision_weights.iter().sum(),
    })
}
