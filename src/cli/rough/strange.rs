//! Notes about values of a table that whoever learned from another table does not know: they meet no condition of a rule.

use roughboard::table::{Attribute, DecisionTable, StrangeValues};

use super::text::list;
use crate::cli::output;

/// How to cut two tables alike.
const CUT_ALIKE: &str = "save the cut points of the training table with `rough discretize --save-cuts`, and apply them to the other table with --cuts";

/// A column as it is known, and as it is in the table that is tested.
pub struct Pair<'t> {
    pub known: &'t Attribute,
    pub tested: &'t Attribute,
}

impl Pair<'_> {
    fn kinds_differ(&self) -> bool {
        self.known.kind() != self.tested.kind()
    }

    /// The name, and the kinds if they differ.
    fn shown(&self, place: &str) -> String {
        let (name, known, tested) = (self.tested.name(), self.known.kind(), self.tested.kind());
        if self.kinds_differ() {
            format!("`{name}` ({known} in {place}, {tested} in the test)")
        } else {
            format!("`{name}`")
        }
    }

    /// Whether both are numbers.
    pub fn is_of_numbers(&self) -> bool {
        [self.known, self.tested].iter().all(|column| column.is_numeric())
    }
}

/// The columns of `known` that `tested` has, too, each with the one of its name.
pub fn pairs<'t>(known: &'t [Attribute], tested: &'t DecisionTable) -> impl Iterator<Item = Pair<'t>> {
    let called = |name: &str| Some(tested.attribute(tested.attribute_called(name)?));
    known.iter().filter_map(move |known| Some(Pair { known, tested: called(known.name())? }))
}

/// Says on standard error what is to be said of the columns in `pairs`.
pub fn tell(pairs: &[Pair], place: &str) {
    output::note(notes(pairs, place));
}

/// What is to be said of the columns in `pairs`, whose values are known from `place`: where no tested value is known, where some
/// are not and the kinds differ, so that they may be spelled in another way, and where intervals have other cut points.
fn notes(pairs: &[Pair], place: &str) -> Vec<String> {
    let (mut notes, mut unknown) = (Vec::new(), Vec::new());
    for pair in pairs {
        let strange = StrangeValues::of(pair.known, pair.tested);
        let (n_strange, n_values) = (strange.n_strange, strange.n_values);
        if let Some((own, other)) = strange.overlap {
            let name = pair.tested.name();
            notes.push(format!(
                "`{name}` has other cut points in the test than in {place}, `{own}` and `{other}`: {CUT_ALIKE}"
            ));
        } else if strange.is_all() {
            unknown.push(pair.shown(place));
        } else if n_strange > 0 && pair.kinds_differ() {
            let shown = pair.shown(place);
            notes.push(format!(
                "{n_strange} of {n_values} tested values of {shown} do not occur in {place}: are they spelled alike?"
            ));
        }
    }
    if !unknown.is_empty() {
        notes
            .insert(0, format!("no tested value of {} occurs in {place}: is it spelled alike?", list(&unknown, false)));
    }
    notes
}
