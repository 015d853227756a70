//! The text of every question, in the SQL that Spark and Sail share. The views lie one on the other: the file, its rows with the columns in
//! use, the objects that are kept with the code of their decision and their weight, and the classes of U/IND(A) with their labels.
//!
//! Columns are called by their numbers from the rows on, so that names are quoted in one place only.

use std::fmt::Write as _;

use crate::rough::Notion;
use crate::table::AttrSet;

/// Classes of a sample, at most.
const SAMPLED_CLASSES: usize = 500;
/// Rows of a sample with one label, at most, from one of many classes.
const SAMPLED_ROWS: usize = 16;
/// Rows of a sample with one label, at most, where there is only one class.
const SAMPLED_ROWS_OF_ALL: usize = 200;
/// The largest weight of a row.
const MAX_WEIGHT: u32 = u32::MAX;

/// What the values of a column are compared as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Booleans, whole and decimal numbers, texts, dates, timestamps without a time zone.
    Plain,
    /// Timestamps that are shown in the time of a zone.
    Instant,
    /// Reals of 32 bits.
    SmallReal,
    /// Reals of 64 bits.
    Real,
}

/// A column of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: ColumnKind,
}

/// Where the decision comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionColumns {
    /// There is none.
    Nothing,
    /// These columns together.
    Values(Vec<Column>),
    /// One column of counts for each decision, in their order.
    Counts(Vec<String>),
}

/// The columns in use and their parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub attributes: Vec<Column>,
    pub decision: DecisionColumns,
    pub weight: Option<String>,
    /// Whether rows that lack a value are left out.
    pub drops_missing: bool,
}

/// A name as SQL has it.
pub fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

fn view(name: &str, query: &str) -> String {
    format!("CREATE OR REPLACE TEMPORARY VIEW {name} AS {query}")
}

/// A value of a row with a `weight`, which is always above 0. It seems to be null perhaps: engines have been seen to lose track of what
/// cannot be null, and to fail over it.
fn perhaps(weight: &str, value: &str) -> String {
    format!("CASE WHEN {weight} > 0 THEN {value} END")
}

/// The columns of `attrs` in the table `of`.
fn columns(of: &str, attrs: &AttrSet) -> Vec<String> {
    attrs.iter().map(|attr| format!("{of}a{}", attr.index())).collect()
}

/// The values of a column as they are compared: NaN is missing, and 0 has no sign.
fn compared(column: &Column) -> String {
    let name = quoted(&column.name);
    let zero = match column.kind {
        ColumnKind::Plain | ColumnKind::Instant => return name,
        ColumnKind::SmallReal => "CAST(0 AS FLOAT)",
        ColumnKind::Real => "CAST(0 AS DOUBLE)",
    };
    format!("CASE WHEN isnan({name}) THEN NULL WHEN {name} = 0 THEN {zero} ELSE {name} END")
}

/// A column of counts; null where there is none.
fn count_of(name: &str) -> String {
    let name = quoted(name);
    format!("CASE WHEN {name} >= 0 AND {name} <= {MAX_WEIGHT} AND {name} % 1 = 0 THEN CAST({name} AS BIGINT) END")
}

/// The view of the file or folder at `path`.
pub fn file_view(path: &str) -> String {
    view("rb_file", &format!("SELECT * FROM parquet.{}", quoted(path)))
}

impl Shape {
    fn attribute_list(&self, of: &str) -> String {
        list((0..self.attributes.len()).map(|at| format!("{of}a{at}")))
    }

    fn n_parts(&self) -> usize {
        match &self.decision {
            DecisionColumns::Nothing => 0,
            DecisionColumns::Values(columns) => columns.len(),
            DecisionColumns::Counts(names) => names.len(),
        }
    }

    fn part_list(&self) -> String {
        list((0..self.n_parts()).map(|at| format!("d{at}")))
    }

    /// The view of the rows: conditions `a0`, `a1`, …, parts of the decision `d0`, `d1`, … and the weight `w`.
    pub fn rows_view(&self) -> String {
        let conditions = self.attributes.iter().map(compared).zip(0..).map(|(value, at)| format!("{value} AS a{at}"));
        let parts: Vec<String> = match &self.decision {
            DecisionColumns::Nothing => Vec::new(),
            DecisionColumns::Values(columns) => columns.iter().map(compared).collect(),
            DecisionColumns::Counts(names) => names.iter().map(|name| self.weighed(name)).collect(),
        };
        let parts = parts.into_iter().zip(0..).map(|(value, at)| format!("{value} AS d{at}"));
        let weight = self.weight.as_ref().map_or("CAST(1 AS BIGINT)".to_owned(), |name| count_of(name));
        let all = list(conditions.chain(parts).chain([format!("{weight} AS w")]));
        view("rb_rows", &format!("SELECT {all} FROM rb_file"))
    }

    /// A column of counts of decisions; null where there is none, or where the weight makes it too large.
    fn weighed(&self, name: &str) -> String {
        let Some(weight) = &self.weight else { return count_of(name) };
        let (count, [name, weight]) = (count_of(name), [name, weight].map(quoted));
        // As reals, since products of whole numbers may overflow.
        format!("CASE WHEN CAST({name} AS DOUBLE) * CAST({weight} AS DOUBLE) <= {MAX_WEIGHT} THEN {count} END")
    }

    /// What is read: the number of rows, a sum over hashes of them, how many of them have a weight and how many of these are kept, the
    /// weight of all, then how many lack a count in the weight and in each column of counts.
    pub fn account(&self) -> String {
        let parts = 0..if matches!(self.decision, DecisionColumns::Counts(_)) { self.n_parts() } else { 0 };
        let products: Vec<String> = parts.clone().map(|at| format!("d{at} * w")).collect();
        let weight = if products.is_empty() { "w".to_owned() } else { products.join(" + ") };
        let rows_where = |condition: &str| format!("sum(CASE WHEN {condition} THEN 1 ELSE 0 END)");
        let weighted = rows_where(&format!("{weight} > 0"));
        let kept = rows_where(&format!("{weight} > 0 AND {}", self.kept_rows_where()));
        let lacking = |column: String| format!("count(*) - count({column}) AS no_{column}");
        let lacking = list(["w".to_owned()].into_iter().chain(parts.map(|at| format!("d{at}"))).map(lacking));
        let fingerprint = self.fingerprint();
        format!(
            "SELECT count(*) AS n_rows, {fingerprint}, {weighted} AS n_weighted, {kept} AS n_kept, sum({weight}) AS weight, {lacking} \
             FROM rb_rows"
        )
    }

    /// What tells the rows from others, in whatever order they come.
    fn fingerprint(&self) -> String {
        let conditions = (0..self.attributes.len()).map(|at| format!("a{at}"));
        let columns: Vec<String> = conditions.chain((0..self.n_parts()).map(|at| format!("d{at}"))).collect();
        // Hashes pass over NULL, so that where it stands is a number of its own.
        let nulls = columns.iter().map(|column| format!("CAST({column} IS NULL AS INT)"));
        let all = list(columns.iter().cloned().chain(["w".to_owned()]).chain(nulls));
        format!("sum(pmod(xxhash64({all}), 2147483647)) AS fingerprint")
    }

    /// The number of rows and what tells them from others.
    pub fn rows_again(&self) -> String {
        format!("SELECT count(*) AS n_rows, {} FROM rb_rows", self.fingerprint())
    }

    /// The conditions of the rows that are kept, if they have objects.
    fn kept_rows_where(&self) -> String {
        match &self.decision {
            DecisionColumns::Nothing => "w > 0".to_owned(),
            DecisionColumns::Values(columns) => self.kept_where("", (0..columns.len()).map(|at| format!("d{at}"))),
            DecisionColumns::Counts(_) => self.kept_where("", std::iter::empty()),
        }
    }

    /// The conditions of the rows that count.
    fn kept_where(&self, of: &str, parts: impl Iterator<Item = String>) -> String {
        let conditions = (0..if self.drops_missing { self.attributes.len() } else { 0 }).map(|at| format!("{of}a{at}"));
        let given = conditions.chain(parts).map(|column| format!("{column} IS NOT NULL"));
        [format!("{of}w > 0")].into_iter().chain(given).collect::<Vec<_>>().join(" AND ")
    }

    /// The view of the decisions: their parts, and their codes `c` from 0 in ascending order. None where counts name them.
    pub fn decisions_view(&self) -> Option<String> {
        let DecisionColumns::Values(_) = &self.decision else { return None };
        let parts = self.part_list();
        let kept = self.kept_rows_where();
        let distinct = format!("SELECT DISTINCT {parts} FROM rb_rows WHERE {kept}");
        let code = format!("CAST(row_number() OVER (ORDER BY {parts}) - 1 AS INT)");
        Some(view("rb_decisions", &format!("SELECT {parts}, {code} AS c FROM ({distinct}) x")))
    }

    /// The decisions with their codes.
    pub fn decisions(&self) -> String {
        format!("SELECT {}, c FROM rb_decisions", self.part_list())
    }

    /// The view of the objects that are kept: conditions, code of the decision `c`, weight `w`.
    pub fn kept_view(&self) -> String {
        let query = match &self.decision {
            DecisionColumns::Nothing => {
                format!("SELECT {}, {} AS c, w FROM rb_rows", self.attribute_list(""), perhaps("w", "0"))
            }
            DecisionColumns::Values(columns) => {
                let on = (0..columns.len()).map(|at| format!("r.d{at} = m.d{at}")).collect::<Vec<_>>().join(" AND ");
                let kept = self.kept_where("r.", std::iter::empty());
                let all = self.attribute_list("r.");
                let code = perhaps("r.w", "m.c");
                format!("SELECT {all}, {code} AS c, r.w FROM rb_rows r JOIN rb_decisions m ON {on} WHERE {kept}")
            }
            DecisionColumns::Counts(names) => {
                let kept = self.kept_rows_where();
                let all = self.attribute_list("");
                let of = |at: usize| {
                    let code = perhaps("w", &at.to_string());
                    format!("SELECT {all}, {code} AS c, d{at} * w AS w FROM rb_rows WHERE {kept} AND d{at} > 0")
                };
                (0..names.len()).map(of).collect::<Vec<_>>().join(" UNION ALL ")
            }
        };
        view("rb_kept", &query)
    }

    /// The number of objects kept, their weight, and how many have a value of each condition.
    pub fn kept(&self) -> String {
        let present = list((0..self.attributes.len()).map(|at| format!("count(a{at}) AS a{at}")));
        format!("SELECT count(*) AS n_objects, sum(w) AS weight, {present} FROM rb_kept")
    }

    /// The least (`min`) or greatest (`max`) value of each condition.
    pub fn extremes(&self, of: &str) -> String {
        let all = list((0..self.attributes.len()).map(|at| format!("{of}(a{at}) AS a{at}")));
        format!("SELECT {all} FROM rb_kept")
    }

    /// The weight of each decision.
    pub fn decision_weights(&self) -> String {
        "SELECT c, sum(w) AS w FROM rb_kept GROUP BY c".to_owned()
    }

    /// The view of the classes where each object is one: [`Shape::classes_view`] without grouping.
    pub fn single_classes_view(&self, n_counts: usize) -> String {
        let mut query = format!("SELECT {}, c AS lo, c AS hi, w AS n", self.attribute_list(""));
        for at in 0..n_counts {
            let _ = write!(query, ", CASE WHEN c = {at} THEN w ELSE 0 END AS k{at}");
        }
        view("rb_classes", &format!("{query} FROM rb_kept"))
    }

    /// The view of the classes: conditions, the least and greatest code of a decision `lo` and `hi`, the weight `n`; with `n_counts` decisions
    /// also the weight of each, `k0`, `k1`, ….
    pub fn classes_view(&self, n_counts: usize) -> String {
        let all = self.attribute_list("");
        let mut query = format!("SELECT {all}, min(c) AS lo, max(c) AS hi, sum(w) AS n");
        for at in 0..n_counts {
            let _ = write!(query, ", sum(CASE WHEN c = {at} THEN w ELSE 0 END) AS k{at}");
        }
        view("rb_classes", &format!("{query} FROM rb_kept GROUP BY {all}"))
    }

    /// How many classes there are, the weight of the largest, of all, and of those with one decision.
    pub fn consistency() -> String {
        format!("SELECT count(*) AS n_classes, max(n) AS largest, {POSITIVE} FROM rb_classes")
    }

    /// How many classes have each distribution of `n_counts` decisions.
    pub fn distributions(n_counts: usize) -> String {
        let counts = list((0..n_counts).map(|at| format!("k{at}")));
        format!("SELECT {counts}, count(*) AS m, sum(n) AS weight FROM rb_classes GROUP BY {counts}")
    }

    /// Distinct objects: conditions, code of the decision, weight.
    pub fn distinct(&self) -> String {
        let all = self.attribute_list("");
        format!("SELECT {all}, c, sum(w) AS w FROM rb_kept GROUP BY {all}, c")
    }

    /// How many distinct objects there are.
    pub fn n_distinct(&self) -> String {
        let all = self.attribute_list("");
        format!("SELECT count(*) AS n FROM (SELECT 1 AS one FROM rb_kept GROUP BY {all}, c) x")
    }

    /// Of each condition the number of its values in the classes, a missing one included, and the sum of the squares of how often each occurs,
    /// as a text.
    pub fn values_of_columns(&self) -> String {
        let text = |(column, at): (&Column, usize)| match column.kind {
            // In a zone with summer time two instants may be shown alike.
            ColumnKind::Instant => format!("CAST(unix_micros(a{at}) AS STRING)"),
            _ => format!("CAST(a{at} AS STRING)"),
        };
        let texts = list(self.attributes.iter().zip(0..).map(text));
        let all = format!("SELECT posexplode(array({texts})) AS (i, v) FROM rb_classes");
        let counted = format!("SELECT i, v, count(*) AS n FROM ({all}) x GROUP BY i, v");
        let square = "CAST(sum(CAST(n AS DECIMAL(19, 0)) * CAST(n AS DECIMAL(19, 0))) AS STRING)";
        format!("SELECT i, count(*) AS v, {square} AS s FROM ({counted}) y GROUP BY i")
    }

    /// The view of the labels of `notion`: conditions, `lo`, `hi`, `n`, and the label `e`. Where `is_consistent`, the decision is the label of
    /// each object, and classes need not be made.
    pub fn labelled_view(&self, notion: Notion, is_consistent: bool, n_decisions: usize) -> String {
        let all = self.attribute_list("");
        if is_consistent && notion != Notion::Information {
            return view("rb_labelled", &format!("SELECT {all}, c AS lo, c AS hi, w AS n, c AS e FROM rb_kept"));
        }
        let per_decision =
            |text: &dyn Fn(usize) -> String| format!("concat_ws(',', {})", list((0..n_decisions).map(text)));
        let label = match notion {
            Notion::Positive => "CASE WHEN lo = hi THEN lo ELSE -1 END".to_owned(),
            Notion::Generalized => per_decision(&|at| format!("CASE WHEN k{at} > 0 THEN '1' ELSE '0' END")),
            Notion::Distribution => {
                per_decision(&|at| format!("CAST(CAST(k{at} AS DOUBLE) / CAST(n AS DOUBLE) AS STRING)"))
            }
            Notion::Information => "0".to_owned(),
        };
        let label = perhaps("n", &label);
        view("rb_labelled", &format!("SELECT {all}, lo, hi, n, {label} AS e FROM rb_classes"))
    }
}

/// The weight of some classes and of those with one decision.
const POSITIVE: &str = "sum(n) AS weight, sum(CASE WHEN lo = hi THEN n ELSE 0 END) AS positive";

/// The weight of all objects, and of those in the positive region of `attrs`.
pub fn positive_region(attrs: &AttrSet) -> String {
    let classes = format!("SELECT min(lo) AS lo, max(hi) AS hi, sum(n) AS n FROM rb_labelled{}", grouped(attrs));
    format!("SELECT {POSITIVE} FROM ({classes}) x")
}

/// `GROUP BY` the columns of `attrs`; without any there is one class of all rows, and no clause.
fn grouped(attrs: &AttrSet) -> String {
    if attrs.is_empty() { String::new() } else { format!(" GROUP BY {}", columns("", attrs).join(", ")) }
}

/// What holds of a class with two labels.
const fn mixed(notion: Notion) -> &'static str {
    // Indiscernibility itself gives each class of U/IND(A) a label of its own.
    if matches!(notion, Notion::Information) { "count(*) > 1" } else { "min(e) <> max(e)" }
}

/// One number, above 0 if a class of `attrs` has two labels.
pub fn conflict(notion: Notion, attrs: &AttrSet) -> String {
    let mixed = mixed(notion);
    if attrs.is_empty() {
        return format!("SELECT CASE WHEN {mixed} THEN 1 ELSE 0 END AS n FROM rb_labelled");
    }
    format!("SELECT count(*) AS n FROM (SELECT 1 AS one FROM rb_labelled{} HAVING {mixed} LIMIT 1) g", grouped(attrs))
}

/// Rows of some classes of `attrs` with two labels: of each class some with its least and some with its greatest label. Without such classes
/// one row of nulls, so that no answer is never taken for one. Columns `found`, `e` as text, and the conditions. `nullable` are the
/// conditions that lack values.
pub fn sample(notion: Notion, attrs: &AttrSet, all: &AttrSet, nullable: &AttrSet) -> String {
    let (mixed, of_class) = (mixed(notion), columns("q.", attrs));
    let is_information = notion == Notion::Information;
    let labels = if is_information { String::new() } else { ", min(e) AS lo, max(e) AS hi".to_owned() };
    let keys = columns("", attrs).join(", ");
    let classes = if attrs.is_empty() {
        format!("SELECT {mixed} AS is_mixed{labels} FROM rb_labelled")
    } else {
        format!("SELECT {keys}{labels} FROM rb_labelled{} HAVING {mixed} LIMIT {SAMPLED_CLASSES}", grouped(attrs))
    };
    let equal = attrs.iter().map(|attr| {
        let sign = if nullable.contains(attr) { "IS NOT DISTINCT FROM" } else { "=" };
        format!("q.a{0} {sign} g.a{0}", attr.index())
    });
    let extreme = (!is_information).then(|| "(q.e = g.lo OR q.e = g.hi)".to_owned());
    let of_all = attrs.is_empty().then(|| "g.is_mixed".to_owned());
    let on = equal.chain(extreme).chain(of_all).collect::<Vec<_>>().join(" AND ");
    let part = of_class.into_iter().chain((!is_information).then(|| "q.e".to_owned())).collect::<Vec<_>>().join(", ");
    let part = if part.is_empty() { part } else { format!("PARTITION BY {part} ") };
    let most = if attrs.is_empty() { SAMPLED_ROWS_OF_ALL } else { SAMPLED_ROWS };
    let (of_row, shown) = (columns("q.", all).join(", "), columns("", all).join(", "));
    let numbered = format!("row_number() OVER ({part}ORDER BY q.n) AS r");
    let rows = format!("SELECT q.e, {of_row}, {numbered} FROM rb_labelled q JOIN ({classes}) g ON {on}");
    let few = format!("SELECT 1 AS found, CAST(e AS STRING) AS e, {shown} FROM ({rows}) x WHERE r <= {most}");
    format!("SELECT s.* FROM (SELECT 1 AS one) o LEFT JOIN ({few}) s ON true")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::AttrIdx;

    fn plain(name: &str) -> Column {
        Column { name: name.to_owned(), kind: ColumnKind::Plain }
    }

    fn shape(decision: DecisionColumns) -> Shape {
        let real = Column { name: "b`; DROP".to_owned(), kind: ColumnKind::Real };
        Shape { attributes: vec![plain("a b"), real], decision, weight: None, drops_missing: false }
    }

    fn set(attrs: &[usize]) -> AttrSet {
        attrs.iter().copied().map(AttrIdx::new).collect()
    }

    #[test]
    fn names_stay_names_and_nan_is_missing() {
        let rows = shape(DecisionColumns::Values(vec![plain("d")])).rows_view();
        assert_eq!(
            rows,
            "CREATE OR REPLACE TEMPORARY VIEW rb_rows AS SELECT `a b` AS a0, CASE WHEN isnan(`b``; DROP`) THEN NULL \
             WHEN `b``; DROP` = 0 THEN CAST(0 AS DOUBLE) ELSE `b``; DROP` END AS a1, `d` AS d0, CAST(1 AS BIGINT) AS w FROM rb_file"
        );
        assert_eq!(file_view("/t/x`y"), "CREATE OR REPLACE TEMPORARY VIEW rb_file AS SELECT * FROM parquet.`/t/x``y`");
    }

    #[test]
    fn each_column_of_counts_makes_objects_of_its_decision() {
        let counts = shape(DecisionColumns::Counts(vec!["d=0".to_owned(), "d=1".to_owned()]));
        assert_eq!(counts.decisions_view(), None);
        let kept = counts.kept_view();
        assert!(
            kept.ends_with(
                "SELECT a0, a1, CASE WHEN w > 0 THEN 1 END AS c, d1 * w AS w FROM rb_rows WHERE w > 0 AND d1 > 0"
            ),
            "{kept}"
        );
        assert_eq!(kept.matches("UNION ALL").count(), 1);
        let account = counts.account();
        assert!(
            account.contains("sum(d0 * w + d1 * w) AS weight") && account.contains("AS no_d1 FROM rb_rows"),
            "{account}"
        );
    }

    #[test]
    fn a_row_with_counts_of_several_decisions_is_one_row_of_the_account() {
        let counts = shape(DecisionColumns::Counts(vec!["d=0".to_owned(), "d=1".to_owned()]));
        let account = Shape { drops_missing: true, ..counts }.account();
        let rows = |also: &str| format!("sum(CASE WHEN d0 * w + d1 * w > 0{also} THEN 1 ELSE 0 END)");
        let kept = rows(" AND w > 0 AND a0 IS NOT NULL AND a1 IS NOT NULL");
        assert!(account.contains(&format!(", {} AS n_weighted, {kept} AS n_kept, ", rows(""))), "{account}");
    }

    #[test]
    fn counts_times_weights_do_not_overflow() {
        let counts = DecisionColumns::Counts(vec!["d=0".to_owned()]);
        let rows = Shape { weight: Some("w".to_owned()), ..shape(counts) }.rows_view();
        assert!(
            rows.contains("CASE WHEN CAST(`d=0` AS DOUBLE) * CAST(`w` AS DOUBLE) <= 4294967295 THEN CASE"),
            "{rows}"
        );
    }

    #[test]
    fn instants_are_counted_without_their_zone() {
        let mut shape = shape(DecisionColumns::Nothing);
        shape.attributes[1].kind = ColumnKind::Instant;
        let text = shape.values_of_columns();
        assert!(text.contains("array(CAST(a0 AS STRING), CAST(unix_micros(a1) AS STRING))"), "{text}");
        assert!(shape.rows_view().contains(", `b``; DROP` AS a1, "));
    }

    #[test]
    fn rows_without_a_decision_are_left_out_and_those_without_a_value_if_wanted() {
        let mut shape = shape(DecisionColumns::Values(vec![plain("d"), plain("e")]));
        let decisions = shape.decisions_view().unwrap();
        assert!(decisions.contains("WHERE w > 0 AND d0 IS NOT NULL AND d1 IS NOT NULL"), "{decisions}");
        shape.drops_missing = true;
        assert!(
            shape
                .kept_view()
                .ends_with("ON r.d0 = m.d0 AND r.d1 = m.d1 WHERE r.w > 0 AND r.a0 IS NOT NULL AND r.a1 IS NOT NULL")
        );
    }

    #[test]
    fn no_attributes_make_one_class_without_group_by() {
        for &notion in [Notion::Positive, Notion::Information].iter() {
            for text in [conflict(notion, &set(&[])), sample(notion, &set(&[]), &set(&[0, 1]), &set(&[]))] {
                assert!(!text.contains("GROUP BY"), "{text}");
            }
        }
        assert!(!positive_region(&set(&[])).contains("GROUP BY"));
        assert!(conflict(Notion::Positive, &set(&[0])).contains("GROUP BY a0 HAVING min(e) <> max(e) LIMIT 1"));
        assert!(conflict(Notion::Information, &set(&[0, 1])).contains("GROUP BY a0, a1 HAVING count(*) > 1"));
    }

    #[test]
    fn columns_that_lack_values_are_joined_as_values_of_their_own() {
        let text = sample(Notion::Positive, &set(&[0, 1]), &set(&[0, 1, 2]), &set(&[1, 2]));
        assert!(
            text.contains("ON q.a0 = g.a0 AND q.a1 IS NOT DISTINCT FROM g.a1 AND (q.e = g.lo OR q.e = g.hi)"),
            "{text}"
        );
        assert!(text.contains("PARTITION BY q.a0, q.a1, q.e ORDER BY q.n"), "{text}");
    }

    #[test]
    fn labels_are_those_of_the_notion() {
        let shape = shape(DecisionColumns::Values(vec![plain("d")]));
        let label = |notion| shape.labelled_view(notion, false, 2);
        assert!(
            label(Notion::Generalized).contains("concat_ws(',', CASE WHEN k0 > 0 THEN '1' ELSE '0' END, CASE WHEN k1")
        );
        assert!(label(Notion::Distribution).contains("CAST(CAST(k1 AS DOUBLE) / CAST(n AS DOUBLE) AS STRING)"));
        assert!(shape.labelled_view(Notion::Positive, true, 2).ends_with("c AS e FROM rb_kept"));
        assert!(
            shape
                .labelled_view(Notion::Information, true, 2)
                .ends_with("CASE WHEN n > 0 THEN 0 END AS e FROM rb_classes")
        );
    }
}
