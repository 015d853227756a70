//! The figures of the house: how much code there is, and where it is tangled.
//!
//! `cargo test --release --test it house -- --nocapture` prints them; the architecture tests hold some of them at 0.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// The path of a module, such as `["net", "store"]`; that of the crate is empty.
type Module = Vec<String>;
/// For each module, those that it imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

/// Where the tests of a file begin.
static TEST_MODULE: LazyLock<Regex> = LazyLock::new(|| pattern(r"#\[cfg\(test\)\]\n(pub\(super\) )?mod "));
static USES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\buse\s+([^;]+);"));
static PATHS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:crate|super|self)(?:::\w+)+"));
static TEXTS: LazyLock<Regex> = LazyLock::new(|| pattern(r#""(?:[^"\\]|\\.)*""#));
static FLAGS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|[\s`(])--[a-z][a-z-]*"));
static FUNCTIONS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bfn (\w+)(?:<[^(]*?>)?\("));
static PUBLIC: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^ *pub (?:const |async |unsafe )*(?:fn|struct|enum|const|type|trait|static) (\w+)"));
static WORDS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\w+"));

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of Rust code below `folder`, in the order of their paths.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The code of a file without its comments and its test module.
pub fn code_of(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let code = TEST_MODULE.split(&text).next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The path of the module in a file of `src`.
fn module_in(file: &Path) -> Module {
    let inside = file.strip_prefix(root().join("src")).unwrap().with_extension("");
    let parts: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts == ["lib"] || parts == ["main"] { Module::new() } else { parts }
}

/// The paths that a tree of `use` stands for.
fn expanded(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let (mut parts, mut depth) = (vec![String::new()], 1);
    for c in rest.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => parts.push(String::new()),
            c => parts.last_mut().unwrap().push(c),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(part)).map(|part| format!("{}{part}", head.trim())).collect()
}

/// All paths that a piece of code names: those of its `use` items, and those in the code that begin at a module.
fn paths_of(code: &str) -> Vec<String> {
    let used = USES.captures_iter(code).flat_map(|found| expanded(&found[1]));
    let others = USES.replace_all(code, "");
    used.chain(PATHS.find_iter(&others).map(|found| found.as_str().to_owned())).collect()
}

/// The module that holds what `path` names in module `from`, if it is one of this crate.
fn resolved(from: &Module, path: &str, modules: &BTreeSet<Module>) -> Option<Module> {
    let mut names = path.split("::").map(str::trim).peekable();
    let mut at = from.clone();
    match *names.peek()? {
        "crate" => at.clear(),
        "self" | "super" => {}
        first => {
            let below = [from.as_slice(), &[first.to_owned()]].concat();
            modules.contains(&below).then_some(())?;
        }
    }
    while let Some(step) = names.next_if(|name| ["crate", "self", "super"].contains(name)) {
        if step == "super" {
            at.pop();
        }
    }
    for name in names {
        at.push(name.to_owned());
        if !modules.contains(&at) {
            at.pop();
            break;
        }
    }
    modules.contains(&at).then_some(at)
}

/// What each file of `src` imports, parents and children apart.
fn imports() -> Imports {
    let files = rust_files(&root().join("src"));
    let modules: BTreeSet<Module> = files.iter().map(|file| module_in(file)).collect();
    let mut imports = Imports::new();
    for file in &files {
        let from = module_in(file);
        let named = paths_of(&code_of(file)).into_iter().filter_map(|path| resolved(&from, &path, &modules));
        let others: Vec<Module> = named.filter(|to| !to.starts_with(&from) && !from.starts_with(to)).collect();
        imports.entry(from).or_default().extend(others);
    }
    imports
}

/// The groups of modules that lead to each other by imports.
fn circles_in(imports: &Imports) -> BTreeSet<BTreeSet<Module>> {
    let reached = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(imports.get(at).into_iter().flatten().filter(|to| seen.insert((*to).clone())));
        }
        seen
    };
    let reach: BTreeMap<&Module, BTreeSet<Module>> = imports.keys().map(|from| (from, reached(from))).collect();
    let leads = |from: &Module, to: &Module| reach.get(from).is_some_and(|seen| seen.contains(to));
    let group = |at: &&Module| reach[*at].iter().filter(|to| leads(to, at)).cloned().collect::<BTreeSet<_>>();
    reach.keys().map(group).filter(|group| !group.is_empty()).collect()
}

/// The circles of imports among files that are not parent and child, one line a circle.
pub fn circles() -> Vec<String> {
    let names = |circle: &BTreeSet<Module>| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(" ");
    circles_in(&imports()).iter().map(names).collect()
}

/// The texts outside the command line that name one of its flags.
pub fn flags() -> Vec<String> {
    let mut found = Vec::new();
    for file in
        rust_files(&root().join("src")).iter().filter(|file| module_in(file).first().is_some_and(|m| m != "cli"))
    {
        let code = code_of(file);
        let texts = TEXTS.find_iter(&code).map(|text| text.as_str());
        let named = texts.filter(|text| FLAGS.is_match(text.trim_matches('"')));
        found.extend(named.map(|text| format!("{}: {text}", file.display())));
    }
    found
}

/// The parameters of each function, `self` left out, as their text.
fn parameters_of(code: &str) -> Vec<Vec<String>> {
    let list = |at: usize| {
        let (mut parts, mut depth) = (vec![String::new()], 0_i32);
        for c in code[at..].chars() {
            depth += i32::from("([{<".contains(c)) - i32::from(")]}>".contains(c));
            match c {
                ')' if depth < 0 => break,
                ',' if depth == 0 => parts.push(String::new()),
                c => parts.last_mut().unwrap().push(c),
            }
        }
        let is_one = |part: &String| !part.trim().is_empty() && !part.contains("self");
        parts.into_iter().map(|part| part.trim().to_owned()).filter(is_one).collect()
    };
    // The `>` of `->` closes nothing.
    let code = &code.replace("->", "  ");
    FUNCTIONS.find_iter(code).map(|found| list(found.end())).collect()
}

/// The public items whose names stand in their own top-level module only, tests, benchmarks and examples included.
fn private_in_effect() -> Vec<String> {
    let words = |text: &str| WORDS.find_iter(text).map(|word| word.as_str().to_owned()).collect::<BTreeSet<_>>();
    let top = |file: &Path| module_in(file).first().cloned().unwrap_or_default();
    let files = rust_files(&root().join("src"));
    let mut by_module: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    files.iter().for_each(|file| by_module.entry(top(file)).or_default().extend(words(&code_of(file))));
    let outside = ["tests/it", "benches", "examples"].iter().flat_map(|folder| rust_files(&root().join(folder)));
    let outside: BTreeSet<String> = outside.flat_map(|file| words(&code_of(&file))).collect();
    let used = |own: &str, name: &str| {
        outside.contains(name) || by_module.iter().any(|(other, words)| other != own && words.contains(name))
    };
    let list = |file: &PathBuf| {
        let (own, code) = (top(file), code_of(file));
        let unused = PUBLIC.captures_iter(&code).filter(|found| !used(&own, &found[1]));
        unused.map(|found| format!("{}: {}", file.display(), found[0].trim())).collect::<Vec<_>>()
    };
    files.iter().filter(|file| top(file) != "cli").flat_map(list).collect()
}

#[test]
fn the_reader_of_imports_sees_groups_and_paths_and_finds_circles() {
    let code = "use crate::net::{store::{self, About}, math};\nuse super::b as c;\nlet x = crate::stats::f(self::y);";
    let expected = ["crate::net::store::self", "crate::net::store::About", "crate::net::math", "super::b"];
    assert_eq!(paths_of(code)[..4], expected);
    assert_eq!(paths_of(code)[4..], ["crate::stats::f", "self::y"]);
    let module = |text: &str| text.split("::").map(str::to_owned).collect::<Module>();
    let modules: BTreeSet<Module> = ["net", "net::store", "net::math"].map(module).into();
    assert_eq!(resolved(&module("net::math"), "super::store::About", &modules), Some(module("net::store")));
    assert_eq!(resolved(&module("net::math"), "std::fmt", &modules), None);
    let imports = |pairs: &[(&str, &str)]| {
        let mut imports = Imports::new();
        pairs.iter().for_each(|(from, to)| _ = imports.entry(module(from)).or_default().insert(module(to)));
        imports
    };
    assert_eq!(circles_in(&imports(&[("a", "b"), ("b", "c"), ("a", "c")])), BTreeSet::new());
    let circles = circles_in(&imports(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]));
    assert_eq!(circles, [["a", "b", "c"].map(module).into()].into());
    assert_eq!(parameters_of("fn f<T: A<B>>(&self, (a, b): (T, U), c: impl Fn(A, B) -> C) {}")[0].len(), 2);
}

#[test]
fn the_figures_of_the_house() {
    let files = rust_files(&root().join("src"));
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let (mut long, mut tuples) = (0, 0);
    for file in files.iter().filter(|file| file.file_stem().is_none_or(|stem| stem != "tests")) {
        let code = code_of(file);
        let module = module_in(file).first().cloned().unwrap_or_else(|| "crate".to_owned());
        *lines.entry(module).or_default() += code.lines().filter(|line| !line.trim().is_empty()).count();
        for parameters in parameters_of(&code) {
            long += usize::from(parameters.len() >= 5);
            tuples += usize::from(parameters.iter().any(|parameter| parameter.starts_with('(')));
        }
    }
    let unshared = private_in_effect();
    unshared.iter().for_each(|item| println!("{item}"));
    let mut by_size: Vec<(&String, &usize)> = lines.iter().collect();
    by_size.sort_by_key(|(_, lines)| std::cmp::Reverse(**lines));
    by_size.iter().for_each(|(module, lines)| println!("{lines:7} {module}"));
    println!("{:7} code lines in src", lines.values().sum::<usize>());
    println!("{:7} circles of imports", circles().len());
    println!("{:7} flags named outside the command line", flags().len());
    println!("{long:7} functions with five arguments or more");
    println!("{tuples:7} functions with an argument that is a tuple");
    println!("{:7} public items named in their own module only", unshared.len());
}
