//! Writes mutants into a copy of the library, each behind a switch that the environment sets, so that one build serves all of them.
//!
//! ```text
//! roughboard-mutants LIST CONST ROOT
//! ```
//!
//! LIST is what `cargo mutants --list --json` says of the library in ROOT, whose files are rewritten, with a `number` for each; CONST has
//! the names of functions that have to stay `const`, as JSON. On standard output comes JSON:
//! `regions`, where each mutant stands in the new files, by which errors of the compiler find it, and `left_out`, the mutants that cannot
//! be switched while the program runs, with the reason.

mod list;
mod rewrite;
mod sites;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use anyhow::{Context, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use list::Mutant;

/// What the caller learns of the rewritten files.
#[derive(Serialize, Default)]
struct Report {
    /// For each file, where code of mutants stands: start, end, and the mutants that go with it.
    regions: BTreeMap<String, Vec<(usize, usize, Vec<usize>)>>,
    /// The reason for each mutant that is not in the files.
    left_out: BTreeMap<usize, &'static str>,
}

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [list, stay_const, root] = &words[..] else { bail!("usage: roughboard-mutants LIST CONST ROOT") };
    let mutants: Vec<Mutant> = read(list)?;
    let stay_const: BTreeSet<String> = read(stay_const)?;
    let mut by_file = BTreeMap::<&str, Vec<&Mutant>>::new();
    for mutant in mutants.iter().filter(|mutant| !mutant.skip) {
        by_file.entry(&mutant.file).or_default().push(mutant);
    }
    let mut report = Report::default();
    for (file, mutants) in by_file {
        let path = Path::new(root).join(file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let found = sites::find(&text, &mutants, &stay_const).with_context(|| format!("cannot parse {file}"))?;
        let (rewritten, regions) = rewrite::rewrite(&text, &found.edits);
        fs::write(&path, rewritten).with_context(|| format!("cannot write {}", path.display()))?;
        report.regions.insert(file.to_owned(), regions);
        report.left_out.extend(found.left_out);
    }
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn read<T: DeserializeOwned>(path: &str) -> anyhow::Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    serde_json::from_str(&text).with_context(|| format!("cannot parse {path}"))
}
