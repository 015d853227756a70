//! Reading for an import: all of it, one part, or what parts have found.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use roughboard::arena::Shard;
use roughboard::game::{Notation, Symmetric};
use roughboard::record::clean::{Cleaning, Gathered, ImportPart, Importer, PartWriter, Reflection};
use roughboard::record::{self, Dropped, GameRecord, Policy, ReadSettings, RecordError, Scrutiny};
use serde_json::{Value as Json, json};

use super::Args;
use crate::cli::parts;
use crate::cli::session::Session;
use crate::cli::sources::is_unread;

/// An import that was asked for.
pub struct Import<'a, G: Notation> {
    args: &'a Args,
    cleaning: Cleaning,
    session: &'a Session,
    game: PhantomData<fn() -> G>,
}

impl<'a, G: Notation + Symmetric> Import<'a, G> {
    pub fn new(args: &'a Args, cleaning: Cleaning, session: &'a Session) -> Self {
        Self { args, cleaning, session, game: PhantomData }
    }

    /// What compares the records, on the disk that holds `folder`.
    pub fn importer(&self, folder: &Path) -> Result<Importer<G>, RecordError> {
        Importer::new(self.cleaning.clone(), Some(Reflection::default()), folder)
    }

    /// Reads the documents of a part; their number in all.
    fn read(
        &self,
        part: [u64; 2],
        mut visit: impl FnMut(Result<GameRecord<G>, Dropped>) -> Result<(), RecordError>,
    ) -> Result<(u64, BTreeSet<String>), RecordError> {
        let input = &self.args.input;
        let settings = ReadSettings { part, ..input.reading.settings(Policy::Drop, Scrutiny::Moves) };
        let (asks_for_tags, mut tags) = (self.args.selection.asks_for_tags(), BTreeSet::new());
        let documents = record::for_each_record(&input.paths, settings, &self.session.progress, |record| {
            if asks_for_tags {
                record.iter().flat_map(GameRecord::tags).for_each(|(name, _)| enter(&mut tags, name));
            }
            visit(record)
        })?;
        Ok((documents, tags))
    }

    /// Reads everything.
    pub fn read_all(&self, importer: &mut Importer<G>) -> anyhow::Result<Gathered> {
        let mut unread = Vec::new();
        let (_, tags) = self.read(Shard::WHOLE.numbers(), |record| {
            unread.extend(record.as_ref().err().filter(|dropped| is_unread(dropped)).cloned());
            importer.enter(record)
        })?;
        Ok(Gathered { tags, unread })
    }

    /// Takes what parts have found; what is in none of them is read now.
    pub fn gather(&self, folder: &Path, importer: &mut Importer<G>) -> anyhow::Result<Gathered> {
        let import = self.identity();
        let open = |path: &PathBuf| ImportPart::open(path, &import);
        let mut parts = self.args.parts.parts.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let count = parts.first().map_or(0, ImportPart::count);
        let place = tempfile::tempdir_in(folder)?;
        for number in ImportPart::missing(&parts)? {
            eprintln!("note: part {}/{count} is in none of the files and is read now", number + 1);
            let path = place.path().join(number.to_string());
            self.write_part(&path, [number, count])?;
            parts.push(open(&path)?);
        }
        Ok(importer.gather(parts)?)
    }

    /// Does a part, unless it is there.
    pub fn do_part(&self, shard: Shard) -> anyhow::Result<ExitCode> {
        let out = &self.args.out;
        let mut name = out.as_os_str().to_owned();
        name.push(format!(".shard-{}.jsonl", shard.in_names()));
        let path = PathBuf::from(name);
        let found = if path.exists() {
            ImportPart::open(&path, &self.identity())?;
            "found there".to_owned()
        } else {
            format!("{} records", self.write_part(&path, shard.numbers())?)
        };
        parts::done(shard, &found, &path, out)
    }

    /// Writes what a part finds to a file; how many records it has.
    fn write_part(&self, path: &Path, part: [u64; 2]) -> Result<u64, RecordError> {
        let cleaning = (self.cleaning.clone(), Some(Reflection::default()));
        let mut writer = PartWriter::create(path, (part, &self.identity()), cleaning)?;
        let (documents, tags) = self.read(part, |record| writer.enter(record))?;
        writer.finish(documents, tags)
    }

    /// What the findings depend on.
    fn identity(&self) -> Json {
        let input = &self.args.input;
        let files: Vec<_> = input.paths.iter().map(|path| path.display().to_string()).collect();
        let ReadSettings { encoding, max_unpacked, .. } = input.reading.settings(Policy::Drop, Scrutiny::Moves);
        let Cleaning { off, fragment_folders, computer_words, min_plies, prefix_plies, near_plies, .. } =
            &self.cleaning;
        let Cleaning { selection, sample, seed, .. } = &self.cleaning;
        json!({
            "program": roughboard::PROGRAM, "game": G::NAME, "files": files, "bytes": record::size_of(&input.paths),
            "encoding": format!("{encoding:?}"), "max_unpacked": max_unpacked, "keep": format!("{off:?}"),
            "fragment_folders": fragment_folders, "computer_words": computer_words, "min_plies": min_plies,
            "prefix_plies": prefix_plies, "near_plies": near_plies, "selection": format!("{selection:?}"),
            "sample": format!("{sample:?}"), "seed": seed,
        })
    }
}

/// Enters a name that is known already in almost every case.
fn enter(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}
