//! What must hold for any bytes in the place of a file that the program writes or takes, and of what an engine or its client says: they are
//! refused or read, never with a panic, and what was read is written and read again to the same.

use std::path::{Path, PathBuf};
use std::time::Duration;

use roughboard::arena::{Owner, Plan};
use roughboard::book::Book;
use roughboard::engine::client::{Budget, Client, EngineCommand};
use roughboard::engine::{Dialect, Session, serve};
use roughboard::experiment::registry::EXPERIMENTS;
use roughboard::game::line::Line;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net;
use roughboard::observe::Silent;
use roughboard::rough::{Certificate, SavedRules};
use roughboard::runs::matches::Sources;
use roughboard::runs::{Manifest, read_headline, sections};
use roughboard::stats::{Counts, EloScale, Pentanomial, Sprt, Wdl};
use roughboard::table::discretize::Cuts;
use roughboard::table::{DecisionTable, InformationTable, Layout, Roles};
use roughboard::train::{Checkpoint, Judgements, zero};

use super::again;

/// Calls `read` with a file of these bytes, in a folder of its own.
fn with_file<T>(name: &str, bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    read(&path)
}

/// A table of 24 objects, which rules and certificates speak of.
fn table() -> DecisionTable {
    let row = |i: u32| format!("{},{},{},{}\n", i % 3, i * 7 % 5, ["x", "y"][i as usize % 2], (i % 3 + i * 7 % 5) % 3);
    let text = "a,b,c,d\n".to_owned() + &(0..24).map(row).collect::<String>();
    DecisionTable::from_csv(&text, &Roles::decided_by("d")).expect("a table")
}

/// A network of any kind.
pub fn network(bytes: &[u8]) {
    with_file("net.safetensors", bytes, |path| {
        drop((net::store::load_for_play(path), net::residual::store::load(path), zero::InitialNetwork::load(path)));
        if let Ok((one, about)) = net::store::load(path) {
            net::store::save(path, &one, &about).expect("a network that was read");
            net::store::load(path).expect("own file");
        }
    });
}

/// The state of a training.
pub fn checkpoint(bytes: &[u8]) {
    with_file("checkpoint", bytes, |path| {
        let checkpoint = Checkpoint::new(path.to_owned(), "run".to_owned());
        if let Ok(Some(snapshot)) = checkpoint.load(3, 6) {
            assert_eq!((snapshot.weights.len(), snapshot.memory.len()), (3, 6));
        }
    });
}

/// The state of self-play.
pub fn self_play(bytes: &[u8]) {
    with_file("checkpoint.json", bytes, |path| drop(zero::kept_games(path.parent().expect("a folder"))));
}

/// The journal of a match whose plan is known.
pub fn journal(bytes: &[u8]) {
    with_file("journal.jsonl", bytes, |path| {
        let folder = path.parent().expect("a folder").to_owned();
        std::fs::write(folder.join("plan.json"), include_str!("../../data/fuzz/plan.json")).expect("a plan");
        let sources = Sources::<Xiangqi>::open(&[folder]).expect("a plan that was written by the program");
        drop(sources.games().map(|(played, _)| drop(played)));
    });
}

/// What a teacher said of games.
pub fn judgements(bytes: &[u8]) {
    with_file("judged.jsonl", bytes, |path| {
        let owner = || Owner { fingerprint: "teacher", identity: None };
        if Judgements::open(path, &[], owner(), &Silent).is_ok() {
            Judgements::open(path, &[], owner(), &Silent).expect("what was opened before");
        }
    });
}

/// The plan of a match.
pub fn plan(bytes: &[u8]) {
    if let Some([first, second]) = again(bytes, |text| Plan::<Xiangqi>::parse(text).ok(), Plan::to_text) {
        assert_eq!(second.fingerprint(), first.fingerprint());
    }
}

/// An opening book.
pub fn book(bytes: &[u8]) {
    with_file("book.db", bytes, |path| {
        if let Ok(book) = Book::<Xiangqi>::open(path) {
            book.save(path, &Silent).expect("a book that was read");
            assert_eq!(Book::<Xiangqi>::open(path).expect("own book").len(), book.len());
        }
    });
}

/// The manifest of a run, or behind a first line `headline` its figures, as the page of a report shows them.
pub fn manifest(bytes: &[u8]) {
    let (name, bytes) = match bytes.strip_prefix(b"headline\n") {
        Some(rest) => ("headline.csv", rest),
        None => ("manifest.json", bytes),
    };
    with_file(name, bytes, |path| {
        let folder: PathBuf = path.parent().expect("a folder").to_owned();
        drop(read_headline(&folder));
        drop(Manifest::read(&folder).map(|manifest| drop(manifest.differences(&folder))));
        drop(sections(&[folder], 2, |_, _| ()));
    });
}

/// Settings of experiments in TOML.
pub fn settings(bytes: &[u8]) {
    for experiment in &EXPERIMENTS {
        let read = |text: &str| experiment.read(text).ok().inspect(|settings| drop(settings.check()));
        again(bytes, read, |settings| settings.to_toml());
    }
}

/// What an engine says, from its greeting on; the first byte chooses what it is taken to speak.
pub fn engine_says(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let dialect = [Dialect::Uci, Dialect::Ucci, Dialect::Contest][usize::from(choice) % 3];
    with_file("said", bytes, |path| {
        let arguments = vec![path.display().to_string()];
        let patience = Duration::from_secs(2);
        let command =
            EngineCommand { arguments, patience, longest: patience, ..EngineCommand::new::<Xiangqi>("cat", dialect) };
        if let Ok(mut client) = Client::start(command) {
            let mut line = Line::<Xiangqi>::initial();
            for _ in 0..8 {
                let Ok(reply) = client.play(&line, &Budget::of_nodes(1)) else { break };
                line.moves.extend(reply.mv);
            }
        }
    });
}

/// What a client says to this engine, but for options that name files or ask for memory, which it may.
pub fn client_says(bytes: &[u8]) {
    let is_safe = |line: &&[u8]| {
        let line = String::from_utf8_lossy(line).to_lowercase();
        !["file", "book", "log", "eval", "hash", "threads"].iter().any(|word| line.contains(word))
    };
    let kept: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(is_safe).collect();
    let session = Session::<Xiangqi>::new().expect("a session");
    let mut said = Vec::new();
    serve(session, std::io::Cursor::new(kept.join(&b'\n')), &mut said).expect("a memory takes all");
    assert!(std::str::from_utf8(&said).is_ok());
}

/// Reads a table, and what was read as a table of decisions, in both layouts.
fn read_table(name: &str, bytes: &[u8]) {
    with_file(name, bytes, |path| {
        let Ok(information) = InformationTable::read(path) else { return };
        let Some(last) = information.columns().last().map(|column| column.name().to_owned()) else { return };
        let Ok(table) = information.decide(&Roles::decided_by(&last)) else { return };
        let copy = path.with_file_name("copy.csv");
        for layout in [Layout::Objects, Layout::Merged] {
            if table.write(&copy, layout).is_ok() && layout == Layout::Objects && table.n_attributes() > 0 {
                assert_eq!(InformationTable::read(&copy).expect("own table").n_rows(), table.n_objects());
            }
        }
    });
}

/// A table in text; the first byte chooses CSV, tab-separated text or ARFF.
pub fn csv(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    read_table(["t.csv", "t.tsv", "t.arff"][usize::from(choice) % 3], bytes);
}

/// A table in Parquet.
pub fn parquet(bytes: &[u8]) {
    read_table("t.parquet", bytes);
}

/// Cut points.
pub fn cuts(bytes: &[u8]) {
    again(bytes, |text| Cuts::from_json(text).ok(), Cuts::to_json);
}

/// Rules, and what they say of a table.
pub fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(rules) = SavedRules::parse(text) {
        let table = table();
        drop((
            rules.decisions(),
            rules.attributes(),
            rules.bind(&table).map(|set| set.to_json(&table, rules.voting())),
        ));
        drop(rules.widen(&table).map(|wide| rules.bind(&wide).map(drop)));
    }
}

/// A certificate, and whether it holds for a table.
pub fn certificate(bytes: &[u8]) {
    if let Ok(certificate) = serde_json::from_slice::<Certificate>(bytes) {
        drop(certificate.refutations(&table()));
        let written = serde_json::to_string(&certificate).expect("JSON");
        assert_eq!(serde_json::from_str::<Certificate>(&written).expect("own text"), certificate);
    }
}

/// Counts of results and the settings of a sequential test: no figure but what is documented to be none is not a number.
pub fn sprt(bytes: &[u8]) {
    let (words, _) = bytes.as_chunks::<8>();
    let Some((settings, counts)) = words.split_at_checked(4) else { return };
    let number = |at: usize| f64::from_le_bytes(settings[at]);
    // As many as the command line takes.
    let counts: Vec<u64> = counts.iter().map(|&word| u64::from_le_bytes(word) % 1_000_000_000_000_001).collect();
    let all = [
        <[u64; 3]>::try_from(&counts[..]).ok().map(|[w, d, l]| Counts::from(Wdl::new(w, d, l))),
        <[u64; 5]>::try_from(&counts[..]).ok().map(|pairs| Counts::from(Pentanomial::new(pairs))),
    ];
    for counts in all.into_iter().flatten() {
        let los = counts.los_exact();
        assert!((0.0..=1.0).contains(&los), "{los} of {counts:?}");
        if let Some(sample) = counts.sample() {
            assert!((0.0..=1.0).contains(&sample.score) && sample.variance >= 0.0, "{sample:?} of {counts:?}");
        }
        let (low, high) = counts.elo().ends();
        assert!(low <= high, "[{low}, {high}] of {counts:?}");
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            let sprt = Sprt { elo0: number(0), elo1: number(1), alpha: number(2), beta: number(3), scale };
            if sprt.check().is_ok() {
                let llr = sprt.llr(counts);
                assert!(llr.is_finite(), "{llr} of {counts:?} for {sprt:?}");
            }
        }
    }
}
