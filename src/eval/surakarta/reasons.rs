//! What the evaluators of Surakarta count.

use serde_json::{Value, json};

use super::Share;
use crate::eval::{Reasons, Sheet};

/// These shares as reasons.
pub(super) fn reasons(shares: &[Share]) -> Reasons {
    let json = shares.iter().map(share_json).collect();
    Reasons { sheets: vec![shares_table(shares)], name: "material", json }
}

fn share_json(share: &Share) -> Value {
    let [red, black] = share.counts;
    json!({ "part": share.name, "red": red, "black": black, "worth": share.worth, "difference": share.lead() })
}

/// One row for what is counted of both sides.
fn shares_table(shares: &[Share]) -> Sheet {
    let caption = "What is counted, and what red's lead is worth to it";
    let mut table = Sheet::new(caption, &["part"], &["red", "black", "worth of one", "difference"]);
    for share in shares {
        let [red, black] = share.counts;
        table.push([share.name.into(), red.into(), black.into(), share.worth.into(), share.lead().into()]);
    }
    table
}
