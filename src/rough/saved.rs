//! Rules in files: JSON that can be read back, CSV for other programs.

mod bind;
mod widen;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use self::bind::decision_code;
use super::classifier::{Unmatched, Vote, Voting};
use super::ruleset::RuleSet;
use crate::table::discretize::Cuts;
use crate::table::{Attribute, DecisionTable, TableError, Value, of_one_kind, shorten};

/// The version of the JSON form.
const FORMAT: u32 = 1;

/// Why rules could not be read, or not be applied to a table.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// A file could not be used; the cause says why.
    #[error("cannot use `{}` as rules", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        reason: Box<RulesError>,
    },
    /// The file could not be read.
    #[error("cannot read it")]
    Io(#[source] std::io::Error),
    /// The file is not what `rough rules --json` writes.
    #[error("expected the JSON form of `rough rules`")]
    Format(#[source] serde_json::Error),
    /// The file is of a version that is not known.
    #[error("expected `format` {FORMAT}, found {0}")]
    Version(u32),
    /// The file says what no table can.
    #[error("{0}")]
    Impossible(String),
    /// The rules are about another decision.
    #[error("its rules are about `{found}`, the decision of the table is `{expected}`")]
    Decision {
        /// The decision of the table.
        expected: String,
        /// That of the rules.
        found: String,
    },
    /// A decision value that the rules were learned on does not occur in the table.
    #[error("the table has no decision value `{0}`")]
    DecisionValue(String),
    /// The table lacks an attribute of a rule.
    #[error("rule {rule}: the table has no attribute `{attribute}`; its attributes are {}", shorten(existing))]
    Attribute {
        /// The rule, counted from 1.
        rule: usize,
        /// The attribute.
        attribute: String,
        /// The attributes of the table.
        existing: Vec<String>,
    },
    /// A value of a rule does not occur in the table.
    #[error("rule {rule}: attribute `{attribute}` has no value `{value}` in the table")]
    Value {
        /// The rule, counted from 1.
        rule: usize,
        /// The attribute.
        attribute: String,
        /// The value.
        value: String,
    },
    /// A rule has an interval of numbers for an attribute of other values, or the other way round.
    #[error("rule {rule}: the bound {bound} does not compare with `{value}`, a value of attribute `{attribute}`")]
    Bound {
        /// The rule, counted from 1.
        rule: usize,
        /// The attribute.
        attribute: String,
        /// The bound of the interval.
        bound: String,
        /// A value in the table.
        value: String,
    },
    /// The table cannot be given the values of the rules.
    #[error("the table cannot be widened")]
    Table(#[source] TableError),
}

impl RuleSet {
    /// Reads rules that `rough rules` wrote as JSON and finds their names and values in `table`, as
    /// [`SavedRules::bind`] does.
    ///
    /// # Errors
    /// When the file cannot be read or is not such JSON, or the table lacks a name or value. Every error names the file.
    pub fn read(path: &Path, table: &DecisionTable) -> Result<Self, RulesError> {
        SavedRules::read(path)?.bind(table).map_err(|reason| reason.in_file(path))
    }
}

/// A value from a file of rules: the texts of infinite numbers are these numbers, which equal such texts in a table of texts.
fn saved_value<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    let value = Value::deserialize(from)?;
    let infinite = |text: &String| {
        [f64::INFINITY, f64::NEG_INFINITY].map(Value::Real).into_iter().find(|number| number.to_string() == *text)
    };
    Ok(match &value {
        Value::Text(text) => infinite(text).unwrap_or(value),
        _ => value,
    })
}

/// Rules as a file has them: by names and values, of no table.
#[derive(Debug, Clone, Deserialize)]
pub struct SavedRules {
    format: u32,
    decision: String,
    decisions: Vec<SavedWeight>,
    #[serde(default)]
    vote: Vote,
    #[serde(default)]
    unmatched: Unmatched,
    rules: Vec<SavedRule>,
}

#[derive(Debug, Clone, Deserialize)]
struct SavedWeight {
    #[serde(deserialize_with = "saved_value")]
    value: Value,
    weight: u64,
}

#[derive(Debug, Clone, Deserialize)]
struct SavedRule {
    conditions: Vec<SavedCondition>,
    #[serde(deserialize_with = "saved_value")]
    decision: Value,
    support: u64,
    matching: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a condition must have `attribute`, and `value`, `never`, or both `low` and `high` (null for no bound)"
)]
enum SavedCondition {
    Value {
        attribute: String,
        #[serde(deserialize_with = "saved_value")]
        value: Value,
    },
    Never {
        attribute: String,
        never: bool,
    },
    Interval {
        attribute: String,
        #[serde(deserialize_with = "saved_value")]
        low: Value,
        #[serde(deserialize_with = "saved_value")]
        high: Value,
    },
}

impl SavedCondition {
    fn attribute(&self) -> &str {
        let (Self::Value { attribute, .. } | Self::Never { attribute, .. } | Self::Interval { attribute, .. }) = self;
        attribute
    }
}

impl RulesError {
    /// This error as the reason why `path` could not be used.
    fn in_file(self, path: &Path) -> Self {
        Self::File { path: path.to_owned(), reason: Box::new(self) }
    }
}

impl SavedRules {
    /// Reads the JSON form of rules.
    ///
    /// # Errors
    /// When the file cannot be read or is not such JSON. Every error names the file.
    pub fn read(path: &Path) -> Result<Self, RulesError> {
        let read = || Self::parse(&std::fs::read_to_string(path).map_err(RulesError::Io)?);
        read().map_err(|reason| reason.in_file(path))
    }

    /// Rules from the text of the JSON form.
    ///
    /// # Errors
    /// When it is not such JSON, or says what no table can.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let rules: Self = serde_json::from_str(text).map_err(RulesError::Format)?;
        if rules.format != FORMAT {
            return Err(RulesError::Version(rules.format));
        }
        match rules.impossible() {
            Some(what) => Err(RulesError::Impossible(what)),
            None => Ok(rules),
        }
    }

    /// The first thing in it that no table can say.
    fn impossible(&self) -> Option<String> {
        let mut weights = self.decisions.iter().map(|decision| decision.weight);
        if weights.try_fold(0, u64::checked_add).is_none() {
            return Some("the weights of its decisions are too large to be added".to_owned());
        }
        if self.decisions.iter().any(|decision| decision.value == Value::Missing) {
            return Some("one of its decisions has no value".to_owned());
        }
        (1..).zip(&self.rules).find_map(|(rule, SavedRule { decision, support, matching, .. })| match decision {
            Value::Missing => Some(format!("rule {rule} has no decision")),
            _ if support > matching => Some(format!("rule {rule} is supported by {support} of {matching} objects")),
            _ => None,
        })
    }

    /// How the rules are to decide; as is usual if they do not say.
    pub const fn voting(&self) -> Voting {
        Voting { vote: self.vote, unmatched: self.unmatched }
    }

    /// Whether there is no rule.
    pub const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// `table` with its numbers cut at the ends of the intervals that conditions ask for, those in columns of text, too. Where the
    /// intervals were cut from numbers, numbers that are cut so meet the same conditions as those that are cut at all points that the
    /// rules were found with.
    ///
    /// # Errors
    /// None but those of tables, which `table` has passed before.
    pub fn cut(&self, table: &DecisionTable) -> Result<DecisionTable, RulesError> {
        let cut = || {
            let attributes = self.cuts()?.apply_to_spelled(table.attributes());
            DecisionTable::new(attributes, table.decision().clone(), table.weights().clone())
        };
        cut().map(|cut| cut.with_rows_of(table)).map_err(RulesError::Table)
    }

    /// The ends of the intervals that conditions ask for, by attribute: finite and in order. Where conditions ask for other values
    /// too, the column was not cut, and what looks like an interval is the text of a category.
    fn cuts(&self) -> Result<Cuts, TableError> {
        let mut ends: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let mut uncut: Vec<&str> = Vec::new();
        for condition in self.rules.iter().flat_map(|rule| &rule.conditions) {
            match condition {
                SavedCondition::Value { attribute, value: Value::Interval(interval) } => {
                    let finite = [interval.low(), interval.high()].into_iter().filter(|end| end.is_finite());
                    ends.entry(attribute.clone()).or_default().extend(finite);
                }
                SavedCondition::Value { value: Value::Missing, .. } => {}
                SavedCondition::Value { attribute, .. } => uncut.push(attribute),
                SavedCondition::Never { .. } | SavedCondition::Interval { .. } => {}
            }
        }
        ends.retain(|attribute, _| !uncut.contains(&attribute.as_str()));
        for points in ends.values_mut() {
            points.sort_unstable_by(f64::total_cmp);
            points.dedup();
        }
        Cuts::new(ends)
    }

    /// The decision attribute.
    pub fn decision(&self) -> &str {
        &self.decision
    }

    /// The decision attribute with the values that rules give.
    pub fn decisions(&self) -> Attribute {
        let values = self.decisions.iter().map(|decision| decision.value.clone()).collect();
        Attribute::from_values(self.decision.as_str(), &of_one_kind(values))
    }

    /// The attributes of conditions, in the order in which they appear, with the values that conditions ask for; without values
    /// where one asks for an interval of numbers.
    pub fn attributes(&self) -> Vec<Attribute> {
        let conditions = || self.rules.iter().flat_map(|rule| &rule.conditions);
        let mut names: Vec<&str> = Vec::new();
        for name in conditions().map(SavedCondition::attribute) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let value = |condition: &SavedCondition| match condition {
            SavedCondition::Value { value, .. } => Some(value.clone()),
            _ => None,
        };
        let values = |name: &str| conditions().filter(|c| c.attribute() == name).map(value).collect::<Option<Vec<_>>>();
        let of_one_kind = |name: &str| of_one_kind(values(name).unwrap_or_default());
        names.iter().map(|name| Attribute::from_values(*name, &of_one_kind(name))).collect()
    }

    /// The rules with the attributes, values and decisions of `table`, found by name and value as
    /// [`Encoder::encode`](crate::table::Encoder::encode) does: 2 and 2.0 are one value, 2 and the text 2 too.
    /// Counts and decision weights stay those of the table that the rules were learned on. An interval takes the values
    /// of `table` inside its bounds, so that it shows other bounds if that table has other values.
    ///
    /// # Errors
    /// When the table has another decision, or lacks an attribute or a value; [`SavedRules::widen`] helps with the last.
    pub fn bind(&self, table: &DecisionTable) -> Result<RuleSet, RulesError> {
        if self.decision != table.decision().name() {
            let (expected, found) = (table.decision().name().to_owned(), self.decision.clone());
            return Err(RulesError::Decision { expected, found });
        }
        let mut weights = vec![0; table.n_decisions()];
        for SavedWeight { value, weight } in &self.decisions {
            match decision_code(table, value) {
                Ok(code) => weights[code as usize] = *weight,
                // What no object has, here or there, is no loss.
                Err(_) if *weight == 0 => {}
                Err(error) => return Err(error),
            }
        }
        let total = self.decisions.iter().map(|decision| decision.weight).sum();
        let bind = |(at, rule): (usize, &SavedRule)| rule.bind(at + 1, table, (&weights, total));
        let rules = self.rules.iter().enumerate().map(bind).collect::<Result<_, _>>()?;
        Ok(RuleSet { rules, decision_weights: weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::{Condition, Goal, Rule, mlem2};
    use crate::table::{AttrIdx, Weights};

    fn table() -> DecisionTable {
        let size = Attribute::from_values("size", &[0.1, 0.7, 2.0, 5.5].map(Value::Real));
        let kind =
            Attribute::from_values("kind", &[Value::text("a b"), Value::text("c"), Value::text("c"), Value::Missing]);
        let decision = Attribute::from_values("good", &[true, true, false, true].map(Value::Boolean));
        DecisionTable::new(vec![size, kind], decision, Weights::Counts(vec![1, 2, 3, 4])).unwrap()
    }

    fn rules(table: &DecisionTable) -> RuleSet {
        RuleSet::new(table, mlem2(table, &table.all_attributes(), Goal::Lower, &Silent))
    }

    #[test]
    fn saved_rules_come_back() {
        let table = table();
        let mut rules = rules(&table).rules;
        let conditions = vec![Condition::value(AttrIdx::new(0), 0), Condition::value(AttrIdx::new(1), 2)];
        rules.push(Rule::counted(&table, conditions, 0));
        rules.push(Rule::counted(
            &table,
            vec![Condition::never(AttrIdx::new(1)), Condition::interval(AttrIdx::new(0), 1, 2)],
            1,
        ));
        let rules = RuleSet::new(&table, rules);
        let text = rules.to_json(&table, Voting::default()).to_string();
        assert_eq!(SavedRules::parse(&text).unwrap().bind(&table).unwrap(), rules);
    }

    #[test]
    fn intervals_and_texts_that_read_like_them_come_back() {
        let cut = Attribute::from_values("cut", &["<= 2.5", "(2.5, 4]", "> 4"].map(Value::parse));
        let text = Attribute::from_values("text", &["<= 2.5", "few", "many"].map(Value::text));
        let decision = Attribute::from_integers("d", [0, 1, 0]);
        let table = DecisionTable::new(vec![cut, text], decision, Weights::Unit).unwrap();
        let rule = |attr, code| Rule::counted(&table, vec![Condition::value(AttrIdx::new(attr), code)], 0);
        let rules = RuleSet::new(&table, vec![rule(0, 0), rule(0, 1), rule(1, 0), rule(1, 1)]);
        let read: Vec<String> = rules.rules.iter().map(|rule| rule.display(&table).to_string()).collect();
        assert!(read[0].starts_with("IF cut <= 2.5 THEN d = 0"), "{read:?}");
        assert!(read[1].starts_with("IF cut in (2.5, 4] THEN d = 0"), "{read:?}");
        let saved = SavedRules::parse(&rules.to_json(&table, Voting::default()).to_string()).unwrap();
        assert_eq!(saved.bind(&table).unwrap(), rules);
        assert_eq!(saved.widen(&table).unwrap(), table);
    }

    #[test]
    fn infinite_numbers_and_texts_that_read_like_them_come_back() {
        let number = Attribute::from_values("number", &[1.5, 2.5, f64::INFINITY].map(Value::Real));
        let text = Attribute::from_values("text", &["-inf", "few", "inf"].map(Value::text));
        let decision = Attribute::from_values("d", &[f64::NEG_INFINITY, 0.0, 0.0].map(Value::Real));
        let table = DecisionTable::new(vec![number, text], decision, Weights::Unit).unwrap();
        let rule = |condition| Rule::counted(&table, vec![condition], 0);
        let value = |attr, code| rule(Condition::value(AttrIdx::new(attr), code));
        let interval = |attr, first, last| rule(Condition::interval(AttrIdx::new(attr), first, last));
        let rules =
            vec![value(0, 2), value(1, 0), value(1, 1), interval(0, 2, 2), interval(0, 0, 1), interval(1, 0, 1)];
        let rules = RuleSet::new(&table, rules);
        let saved = SavedRules::parse(&rules.to_json(&table, Voting::default()).to_string()).unwrap();
        assert_eq!(saved.bind(&table).unwrap(), rules);
        assert_eq!(saved.widen(&table).unwrap(), table);
        let of_values = RuleSet::new(&table, vec![value(0, 0), value(0, 2), value(1, 0), value(1, 1)]);
        let saved = SavedRules::parse(&of_values.to_json(&table, Voting::default()).to_string()).unwrap();
        let kinds: Vec<&str> = saved.attributes().iter().map(|attribute| attribute.kind()).collect();
        assert_eq!((kinds, saved.decisions().kind()), (vec!["real", "text"], "real"));
    }

    #[test]
    fn rules_find_their_values_in_another_table() {
        let learned = table();
        let saved = SavedRules::parse(&rules(&learned).to_json(&learned, Voting::default()).to_string()).unwrap();
        let size = Attribute::from_values("size", &[Value::Integer(3), Value::Integer(1)]);
        let kind = Attribute::from_values("kind", &[Value::text("c"), Value::text("c")]);
        let decision = Attribute::from_values("good", &[Value::Boolean(false), Value::Boolean(false)]);
        let other = DecisionTable::new(vec![kind, size], decision, Weights::Unit).unwrap();
        let error = saved.bind(&other).unwrap_err();
        assert_eq!(error.to_string(), "the table has no decision value `true`");
        let wider = saved.widen(&other).unwrap();
        let bound = saved.bind(&wider).unwrap();
        assert_eq!((bound.decision_weights.as_slice(), bound.decision_weights.iter().sum()), (&[3, 7][..], 10));
        let decided = |row| {
            let matching = bound.rules.iter().find(|rule| rule.matches(&wider, row));
            matching.map(|rule| wider.decision().domain()[rule.decision as usize].clone())
        };
        assert_eq!((decided(0), decided(1)), (Some(Value::Boolean(false)), Some(Value::Boolean(true))));
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let table = table();
        let form = |condition: &str| {
            let rule = format!(r#"{{"conditions":[{condition}],"decision":true,"support":1,"matching":1}}"#);
            let head = r#""format":1,"decision":"good","decisions":[{"value":true,"weight":3}]"#;
            SavedRules::parse(&format!("{{{head},\"rules\":[{rule}]}}")).unwrap().bind(&table)
        };
        let cases = [
            (
                r#"{"attribute":"age","value":3}"#,
                "rule 1: the table has no attribute `age`; its attributes are `size`, `kind`",
            ),
            (r#"{"attribute":"size","value":3}"#, "rule 1: attribute `size` has no value `3` in the table"),
            (
                r#"{"attribute":"kind","low":3,"high":null}"#,
                "rule 1: the bound 3 does not compare with `a b`, a value of attribute `kind`",
            ),
        ];
        for (condition, message) in cases {
            assert_eq!(form(condition).unwrap_err().to_string(), message);
        }
        assert!(form(r#"{"attribute":"size","value":2}"#).is_ok());
        assert!(matches!(SavedRules::parse("[]"), Err(RulesError::Format(_))));
        let newer = r#"{"format":2,"decision":"d","decisions":[],"rules":[]}"#;
        assert!(matches!(SavedRules::parse(newer), Err(RulesError::Version(2))));
    }

    #[test]
    fn what_no_table_can_say_is_refused() {
        let refused = |decisions: &str, rule: &str| {
            let decisions = format!(r#"[{{"value":"x","weight":3}},{decisions}]"#);
            let head = format!(r#""format":1,"decision":"d","decisions":{decisions}"#);
            let parsed = SavedRules::parse(&format!(r#"{{{head},"rules":[{{"conditions":[],{rule}}}]}}"#));
            parsed.err().map(|error| error.to_string())
        };
        let (usual, rule) = (r#"{"value":"y","weight":1}"#, r#""decision":"x","support":3,"matching":3"#);
        assert_eq!(refused(usual, rule), None);
        let cases = [
            (usual, r#""decision":null,"support":1,"matching":1"#, "rule 1 has no decision"),
            (usual, r#""decision":"x","support":2,"matching":1"#, "rule 1 is supported by 2 of 1 objects"),
            (r#"{"value":null,"weight":1}"#, rule, "one of its decisions has no value"),
            (
                r#"{"value":"y","weight":18446744073709551615}"#,
                rule,
                "the weights of its decisions are too large to be added",
            ),
        ];
        for (decisions, rule, message) in cases {
            assert_eq!(refused(decisions, rule).as_deref(), Some(message));
        }
    }

    #[test]
    fn rules_stand_in_csv_with_their_measures() {
        let table = table();
        let rule = Rule::counted(&table, vec![Condition::value(AttrIdx::new(1), 0)], 1);
        let csv = RuleSet::new(&table, vec![rule]).to_csv(&table, false);
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("conditions,decision,support,matching,inclusion,coverage,lift,length"));
        assert!(lines.next().unwrap().starts_with("\"kind = \"\"a b\"\"\",true,1,1,1,0.14285714285714285,1.42857"));
    }
}
