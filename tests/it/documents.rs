//! The documentation: its links lead somewhere, its commands run, and what they print is what it says.
//!
//! Blocks of shell that begin with ```` ```sh ```` are run, page by page, in a folder that has `tests`, `datasets`, `docs` and
//! `results` as a checkout does; a block of text below one is what it prints, where `…` stands for what is left out. A second
//! word says why a block is not run: `long` takes long, `data` needs games or engines that others have, `form` has words that
//! stand for others. That the program takes all commands is tested beside its command line (`src/cli/documents.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::command::Files;
use crate::house::root;

/// What says why a block of shell is not run.
const REASONS: [&str; 3] = ["long", "data", "form"];

/// The pages of the documentation, the first page and the guides beside it included.
static PAGES: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "notebooks/README.md", "tests/data/README.md"];
    let sources = std::fs::read_dir(root().join("datasets")).unwrap().map(|set| set.unwrap().path().join("SOURCE.md"));
    let mut pages: Vec<PathBuf> = others.map(|page| root().join(page)).into_iter().chain(sources).collect();
    pages.extend(below("docs"));
    pages
});

/// Where the version is written out, and how.
#[test]
fn the_version_is_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let places = [
        ("CITATION.cff", format!("\nversion: {version}\n")),
        ("CHANGELOG.md", format!("\n## {version}, ")),
        ("docs/engine.md", format!("  id name roughboard {version}\n")),
        ("docs/cluster/kubernetes.yaml", format!("roughboard:{version}\n")),
        ("docs/cluster/zero-kubernetes.yaml", format!("roughboard:{version}\n")),
        ("python/Cargo.toml", format!("\nversion = \"{version}\"\n")),
    ];
    for (path, expected) in places {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        assert!(text.contains(&expected), "{path}: {expected:?}");
    }
}

/// The files of Markdown in a folder of the repository and below.
fn below(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let pages = entries.flat_map(|path| {
        let inner = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() { below(&inner) } else { vec![path] }
    });
    let mut pages: Vec<_> = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    pages.sort();
    pages
}

fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap()
}

fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The names that headings have in addresses, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut found, mut counts, mut heading) = (BTreeSet::new(), BTreeMap::new(), None::<String>);
    for event in events(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(words) | Event::Code(words), Some(title)) => *title += &words,
            (Event::End(TagEnd::Heading(_)), Some(title)) => {
                let name = anchor(title);
                let again = counts.entry(name.clone()).and_modify(|again| *again += 1).or_insert(0);
                found.insert(if *again == 0 { name } else { format!("{name}-{again}") });
                heading = None;
            }
            _ => {}
        }
    }
    found
}

fn anchor(title: &str) -> String {
    let kept = title.to_lowercase().chars().filter(|&c| c.is_alphanumeric() || "-_ ".contains(c)).collect::<String>();
    kept.replace(' ', "-")
}

/// The addresses in the links and pictures of a page.
fn links(text: &str) -> Vec<String> {
    let address = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    events(text).filter_map(address).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut seen = 0;
    for page in PAGES.iter() {
        let text = read(page);
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let shown = page.strip_prefix(root()).unwrap().display();
            let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            assert!(target.exists(), "{shown}: `{link}`: there is no such file");
            let is_there = heading.is_empty() || anchors(&read(&target)).contains(heading);
            assert!(is_there, "{shown}: `{link}`: there is no such heading");
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn the_site_has_every_page_once() {
    let docs = root().join("docs");
    let mut listed: Vec<_> = links(&read(&docs.join("SUMMARY.md"))).iter().map(|page| docs.join(page)).collect();
    listed.sort();
    let pages: Vec<_> = below("docs").into_iter().filter(|page| !page.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, pages);
}

#[test]
fn no_page_holds_both_sides_of_a_merge() {
    for page in PAGES.iter() {
        let text = read(page);
        let mark = text.lines().find(|line| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> "));
        assert_eq!(mark, None, "{}", page.display());
    }
}

#[test]
fn the_first_page_is_short() {
    let text = read(&root().join("README.md"));
    assert!(text.lines().count() <= 120, "{} lines", text.lines().count());
    let long = text.lines().find(|line| line.chars().count() > 110);
    assert!(long.is_none(), "{}", long.unwrap());
}

/// Commands to be run, and what they print if the page says so.
#[derive(Debug, PartialEq)]
struct Step {
    shell: String,
    printed: Option<String>,
}

/// The code blocks of a page by their kinds; what stands between two of them is a block of no kind.
fn code(page: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for event in events(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) => {
                blocks.push((kind.to_string(), String::new()));
                is_open = true;
            }
            Event::End(TagEnd::CodeBlock) => is_open = false,
            Event::Text(text) if is_open => blocks.last_mut().unwrap().1 += &text,
            Event::Start(_) => blocks.push(Default::default()),
            _ => {}
        }
    }
    blocks
}

/// What is run of a page: blocks of shell with the text below them, and sessions, in which commands stand behind `$`.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut last = String::new();
    for (kind, text) in code(page) {
        match (kind.as_str(), last.as_str()) {
            ("sh", _) => steps.push(Step { shell: text, printed: None }),
            ("text", "sh") => steps.last_mut().unwrap().printed = Some(text),
            ("text", _) if text.starts_with("$ ") => steps.extend(text[2..].split("\n$ ").map(|part| {
                let (shell, printed) = part.split_once('\n').unwrap_or((part, ""));
                Step { shell: shell.to_owned(), printed: Some(printed.to_owned()) }
            })),
            _ => {}
        }
        last = kind;
    }
    steps
}

/// Whether a page says what was printed: `…` as a line stands for any lines, at the end of a line for its rest.
fn is_told(page: &[&str], printed: &[&str]) -> bool {
    let Some((first, rest)) = page.split_first() else { return printed.is_empty() };
    if *first == "…" {
        return (0..=printed.len()).any(|skipped| is_told(rest, &printed[skipped..]));
    }
    let fits = |line: &str| first.strip_suffix('…').map_or(line.trim_end() == *first, |begin| line.starts_with(begin));
    printed.split_first().is_some_and(|(line, others)| fits(line) && is_told(rest, others))
}

/// Runs what is run of a page, in a folder that has what a checkout has; gives back how many steps these were.
#[cfg(unix)]
fn run(page: &str) -> usize {
    let files = Files::new();
    for name in ["tests", "datasets", "docs", "results"] {
        std::os::unix::fs::symlink(root().join(name), files.path(name)).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_roughboard")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let steps = steps(&read(&root().join(page)));
    for Step { shell, printed } in &steps {
        assert!(!shell.contains("--out results"), "{page}: writes into the checkout:\n{shell}");
        let mut bash = Command::new("bash");
        bash.args(["-ec", shell]).env("PATH", &path).env("HOME", files.folder.path());
        bash.current_dir(files.folder.path()).stdin(Stdio::null());
        let output = bash.output().unwrap();
        let [said, complaint] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(output.status.success(), "{page}:\n{shell}\n{complaint}");
        let Some(text) = printed else { continue };
        assert!(is_told_by(text, &said), "{page}:\n{shell}\nprints\n{said}\nwhere the page has\n{text}");
    }
    steps.len()
}

fn is_told_by(text: &str, said: &str) -> bool {
    let [text, said] = [text, said].map(|all| all.trim_end().lines().collect::<Vec<_>>());
    is_told(&text, &said)
}

/// All pages at once: each is a story of its own.
#[cfg(unix)]
#[test]
fn what_the_documentation_shows_is_what_happens() {
    let pages = PAGES.iter().map(|page| page.strip_prefix(root()).unwrap().to_str().unwrap());
    let steps: usize = std::thread::scope(|scope| {
        let running: Vec<_> = pages.map(|page| scope.spawn(move || run(page))).collect();
        running.into_iter().map(|page| page.join().unwrap()).sum()
    });
    assert!(steps > 40, "{steps}");
}

#[test]
fn what_is_not_run_says_why() {
    for page in PAGES.iter() {
        for (kind, text) in code(&read(page)) {
            let reason = kind.strip_prefix("sh ").or(kind.strip_prefix("text "));
            assert!(reason.is_none_or(|reason| REASONS.contains(&reason)), "{}: {kind}\n{text}", page.display());
        }
    }
}

#[test]
fn steps_and_what_they_print_are_told_from_the_rest() {
    let page = "```sh\na\nb\n```\n\n```text\nc\n```\nwords\n```text\nd\n```\n```sh long\ne\n```\n```text\n$ f\ng\n\n$ h\n```\n";
    let step =
        |shell: &str, printed: Option<&str>| Step { shell: shell.to_owned(), printed: printed.map(str::to_owned) };
    assert_eq!(steps(page), [step("a\nb\n", Some("c\n")), step("f", Some("g\n")), step("h", Some(""))]);
}

#[test]
fn printed_lines_are_those_of_the_page_but_for_what_it_leaves_out() {
    for (text, said, expected) in [
        ("a\nb", "a\nb\n", true),
        ("a", "a\nb", false),
        ("a\n…", "a\nb\nc", true),
        ("…\nc\n", "a\nb\nc", true),
        ("…\nd\n", "a\nb\nc", false),
        ("one t…", "one two", true),
        ("one t…", "one", false),
    ] {
        assert_eq!(is_told_by(text, said), expected, "{text} {said}");
    }
}
