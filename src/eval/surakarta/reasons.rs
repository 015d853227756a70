//! What the evaluators of Surakarta count.

use serde_json::json;

use super::Share;
use crate::eval::{Reasons, Sheet};

/// These shares as reasons: one row for what is counted of both sides.
pub(super) fn reasons(shares: &[Share]) -> Reasons {
    let row = |share: &Share| {
        let [red, black] = share.counts;
        vec![share.name.into(), red.into(), black.into(), share.worth.into(), share.lead().into()]
    };
    let caption = "What is counted, and what red's lead is worth to it";
    let numbers = ["red", "black", "worth of one", "difference"];
    let sheet = Sheet::new(caption, &["part"], &numbers, shares.iter().map(row));
    let json = |share: &Share| {
        let [red, black] = share.counts;
        json!({ "part": share.name, "red": red, "black": black, "worth": share.worth, "difference": share.lead() })
    };
    let terms = shares.iter().map(|share| (share.name, i64::from(share.lead()))).collect();
    Reasons { sheets: vec![sheet], terms, name: "material", json: shares.iter().map(json).collect() }
}
