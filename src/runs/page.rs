//! Finished runs of any kind, read from their folders for one page: experiments, matches, training.

mod answer;
mod boards;
mod games;
mod learned;
mod pairing;
mod rules;
mod tables;

use std::path::{Path, PathBuf};

use self::tables::RunFiles;
use super::error::RunsError;
use super::folder::names_in;
use super::manifest::{Differences, FileError, MANIFEST, Manifest, TABLES, read_text};
use super::results::CONFIG;
use super::training::{FinishedRun, SeedGroup, SeedPlot, group_by_settings};
use crate::report::html::Section;
use crate::report::{Cell, Table};

/// One section for each experiment or match in `folders`, in their order, and behind them one for all training runs, with their
/// learning curves in one picture.
///
/// Of each run with games up to `games` are shown.
///
/// Files that are missing or differ from what the manifest lists are named, and told for each folder to `tell`; pictures among them are
/// left out.
///
/// # Errors
/// When a folder holds no finished run, or a file of it cannot be read.
pub fn sections(
    folders: &[PathBuf],
    games: usize,
    mut tell: impl FnMut(&Path, &Differences),
) -> Result<Vec<Section>, RunsError> {
    let (mut sections, mut trained) = (Vec::new(), Vec::new());
    for folder in folders {
        if !folder.join(MANIFEST).exists() {
            return Err(RunsError::NoRun(folder.clone()));
        }
        check_inside(folder)?;
        let manifest = Manifest::read(folder)?;
        let differences = manifest.differences(folder);
        tell(folder, &differences);
        if manifest.lists(TABLES) {
            sections.push(of_results(folder, games, &manifest, &differences)?);
        } else {
            trained.push((folder, manifest, differences));
        }
    }
    if !trained.is_empty() {
        sections.push(of_training(&trained)?);
    }
    Ok(sections)
}

/// Refuses a folder from which links lead out, since what they lead to would stand on the page, and one with pipes or devices, which may
/// never end.
fn check_inside(folder: &Path) -> Result<(), RunsError> {
    let place = folder.canonicalize().map_err(FileError::of("read", folder))?;
    check_content(folder, &place)
}

/// Checks what is in `folder` and in the folders in it, all in the run's folder `place`.
fn check_content(folder: &Path, place: &Path) -> Result<(), RunsError> {
    names_in(folder).into_iter().map(|name| folder.join(name)).try_for_each(|path| {
        if path.is_symlink() && !path.canonicalize().is_ok_and(|end| end.starts_with(place)) {
            return Err(RunsError::Outside(path));
        }
        if path.is_dir() {
            // What a link leads to is looked at in its own place.
            return if path.is_symlink() { Ok(()) } else { check_content(&path, place) };
        }
        if path.is_file() || !path.exists() { Ok(()) } else { Err(RunsError::Endless(path)) }
    })
}

/// The tables, the pictures and the manifest of an experiment or a match.
fn of_results(
    folder: &Path,
    games: usize,
    manifest: &Manifest,
    differences: &Differences,
) -> Result<Section, RunsError> {
    let is_picture = |name: &&String| Path::new(name).extension().is_some_and(|ending| ending == "svg");
    let names = manifest.outputs.iter().map(|(name, _)| name).filter(is_picture);
    let names = names.filter(|name| folder.join(name).exists() && !differences.changed.contains(name));
    let pictures =
        names.map(|name| Ok((name.clone(), read_text(&folder.join(name))?))).collect::<Result<_, FileError>>()?;
    let mut text = read_text(&folder.join(TABLES))?;
    let files = RunFiles { folder, manifest };
    let answer = answer::of_results(files, &text);
    text += &note(differences, "");
    let title = format!("{}: {}", folder.display(), manifest.experiment);
    let games = games::of_run(files, games)?;
    let (ladder, maps) = (answer::ladder(files), boards::of_results(files));
    Ok(Section { title, answer, games, ladder, text, pictures, maps, folded: folded(folder, manifest)? })
}

/// What a reader has to know of files that are not as the run wrote them; nothing if all are.
/// Their names stand behind `place`.
fn note(Differences { left_out, removed, changed }: &Differences, place: &str) -> String {
    let sentences = [
        ("Changed since the run finished, so not what it wrote:", "**", changed),
        ("Removed since the run finished:", "**", removed),
        ("Left out of the folder, as large files may be; the same run makes them again:", "", left_out),
    ];
    let sentence = |(what, mark, names): (&str, &str, &Vec<String>)| {
        let names: Vec<String> = names.iter().map(|name| format!("`{place}{name}`")).collect();
        (!names.is_empty()).then(|| format!("\n{mark}{what}{mark} {}.\n", names.join(", ")))
    };
    sentences.into_iter().filter_map(sentence).collect()
}

/// The manifest, and the settings where they are a file of their own.
fn folded(folder: &Path, manifest: &Manifest) -> Result<Vec<(String, String)>, FileError> {
    let has_settings = manifest.lists(CONFIG) && folder.join(CONFIG).exists();
    let named = has_settings.then_some(CONFIG).into_iter().chain([MANIFEST]);
    named.map(|name| Ok((format!("{}/{name}", folder.display()), read_text(&folder.join(name))?))).collect()
}

/// All training runs: what they ended with, and their curves.
fn of_training(trained: &[(&PathBuf, Manifest, Differences)]) -> Result<Section, RunsError> {
    let runs: Vec<FinishedRun> =
        trained.iter().map(|(folder, ..)| FinishedRun::read(folder)).collect::<Result<_, _>>()?;
    let groups = group_by_settings(runs)?;
    let plot = SeedPlot::default();
    let row = |(folder, run, _): &(&PathBuf, Manifest, Differences)| {
        let method = run.settings["method"].as_str().unwrap_or(&run.experiment);
        [Cell::from(folder.display().to_string()), method.into(), run.seed.into()]
    };
    let list = Table::new("Runs", &["folder", "method"], &["seed"]).with_rows(trained.iter().map(row));
    let all_folded = trained.iter().map(|(folder, manifest, _)| folded(folder, manifest));
    let folded = all_folded.collect::<Result<Vec<_>, _>>()?.concat();
    let svg = plot.curves("Learning curves", &groups).to_svg()?;
    let notes = trained
        .iter()
        .map(|(folder, _, differences)| note(differences, &format!("{}/", folder.display())))
        .collect::<String>();
    let (list, ends) = (list.to_markdown(), plot.ends(&groups).to_markdown());
    let cuts: String = groups.iter().filter_map(SeedGroup::cut).map(|cut| format!("\nNote: {cut}.\n")).collect();
    let text = format!("{list}\n{ends}\n![curves](curves.svg)\n{cuts}{notes}");
    let pictures = vec![("curves.svg".to_owned(), svg)];
    let answer = learned::answer(&groups);
    let maps = boards::of_training(trained.iter().map(|(folder, manifest, _)| RunFiles { folder, manifest }));
    let title = "Training".to_owned();
    Ok(Section { title, answer, text, pictures, maps, folded, ..Section::default() })
}
