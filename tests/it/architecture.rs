//! The import table of `docs/architecture.md`, enforced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use roughboard::games::GameName;
use roughboard::settings::Choices;

use crate::house::{circles, code_of, flags, root, rust_files};

type Imports = BTreeMap<String, BTreeSet<String>>;

/// The rows `| module | holds | may import |` of the document.
fn allowed() -> Imports {
    let text = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().filter(|line| line.starts_with("| `")).map(cells);
    rows.map(|row| {
        let names = row[3].split([',', ' ']).filter(|name| !name.is_empty() && *name != "–").map(str::to_owned);
        (row[1].trim_matches('`').to_owned(), names.collect())
    })
    .collect()
}

/// The top-level module that a file of `src` belongs to.
fn module_of(file: &Path) -> String {
    let inside = file.strip_prefix(root().join("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The top-level modules that a piece of code names as `crate::NAME` or inside `crate::{NAME…}`.
fn imports_of(code: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 1;
            let mut item = String::new();
            for c in group.chars() {
                depth += i32::from(c == '{') - i32::from(c == '}');
                if depth == 0 || (c == ',' && depth == 1) {
                    names.insert(word(item.trim()));
                    item.clear();
                }
                if depth == 0 {
                    break;
                }
                if c != ',' {
                    item.push(c);
                }
            }
        } else {
            names.insert(word(rest));
        }
    }
    names.retain(|name| name.chars().next().is_some_and(char::is_lowercase));
    // Macros of `settings` and `games`, which stand at the root of the crate as all macros do.
    for (name, module) in [("choices", "settings"), ("composite", "settings"), ("by_game", "games")] {
        if names.remove(name) {
            names.insert(module.to_owned());
        }
    }
    names
}

/// Whether the code of `file` goes up by `super::super::…` as far as the crate, past the table of imports.
fn climbs_to_the_crate(file: &Path, code: &str) -> bool {
    let depth = file.strip_prefix(root().join("src")).unwrap().components().count();
    code.contains(&"super::".repeat(depth))
}

#[test]
fn the_import_reader_sees_all_forms() {
    let code =
        "use crate::game::{Game, Side};\nuse crate::{table::Value, rough, net::{a, b}};\nlet x = crate::stats::f();";
    let expected: BTreeSet<String> = ["game", "table", "rough", "net", "stats"].map(str::to_owned).into();
    assert_eq!(imports_of(code), expected);
}

#[test]
fn modules_import_only_what_their_row_allows() {
    let allowed = allowed();
    let mut wrong = Vec::new();
    for file in rust_files(&root().join("src")) {
        let module = module_of(&file);
        if ["main", "cli", "lib", "declarations"].contains(&module.as_str()) {
            continue;
        }
        let Some(may) = allowed.get(&module) else {
            wrong.push(format!("{module}: not in the table"));
            continue;
        };
        if climbs_to_the_crate(&file, &code_of(&file)) {
            wrong.push(format!("{}: goes up to the crate by `super::`", file.display()));
        }
        for name in imports_of(&code_of(&file)).difference(may).filter(|name| **name != module) {
            wrong.push(format!("{}: {module} must not import {name}", file.display()));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_table_lists_the_modules_of_lib_rs_in_order_and_is_acyclic() {
    let lib = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let order: Vec<&str> =
        lib.lines().filter_map(|line| line.strip_prefix("pub mod ")).map(|name| name.trim_end_matches(';')).collect();
    let allowed = allowed();
    assert_eq!(order.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>(), allowed.keys().cloned().collect());
    for (index, module) in order.iter().enumerate() {
        for import in &allowed[*module] {
            assert!(order[..index].contains(&import.as_str()), "{module} may import {import}, which comes after it");
        }
    }
}

#[test]
fn only_the_command_line_prints() {
    for file in rust_files(&root().join("src")) {
        if ["main", "cli"].contains(&module_of(&file).as_str()) {
            continue;
        }
        for printing in ["println!", "eprintln!", "print!(", "dbg!"] {
            assert!(!code_of(&file).contains(printing), "{} prints", file.display());
        }
    }
}

#[test]
fn every_source_file_says_what_it_holds() {
    for folder in ["src", "tests", "benches"] {
        for file in rust_files(&root().join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.starts_with("//! "), "{} does not begin with `//! `", file.display());
        }
    }
}

#[test]
fn modules_that_know_no_game_name_none() {
    for module in ["table", "rough", "net", "stats", "book", "search", "train", "arena"] {
        for file in rust_files(&root().join("src")).iter().filter(|file| module_of(file) == module) {
            let code = code_of(file).to_lowercase();
            for game in GameName::NAMES.iter().map(|game| game.name) {
                assert!(!code.contains(game), "{} names {game}", file.display());
            }
        }
    }
}

#[test]
fn texts_of_the_library_name_fields_and_no_flags() {
    assert_eq!(flags(), Vec::<String>::new());
}

#[test]
fn no_two_files_lead_to_each_other_unless_one_is_the_parent_of_the_other() {
    assert_eq!(circles(), Vec::<String>::new());
}
