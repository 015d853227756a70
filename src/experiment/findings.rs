//! What an experiment found, as its run returns it; [`super::driver`] writes it into the folder of the run.

use std::path::Path;

use crate::game::BoardGame;
use crate::record::GameRecord;
use crate::report::{Document, Picture, Table};
use crate::runs::training::Learned;
use crate::runs::{Figure, Results, RunsError, figure_name, file_name};

/// Writes a part of the results; pictures as PNG too if it is told so.
type Writer = Box<dyn FnOnce(&mut Results<'_>, bool) -> Result<(), RunsError>>;

/// What an experiment found: a page that grows part by part, and the files beside it.
#[must_use]
pub struct Findings {
    page: Document,
    writers: Vec<Writer>,
    summary: Summary,
    times: Vec<Table>,
}

/// What a reader wants at the end of a run.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// What was done: games, opponents, limits, seed.
    pub points: Vec<String>,
    /// The main tables.
    pub tables: Vec<Table>,
    /// What was found out by computing with the figures, in sentences.
    pub remarks: Vec<String>,
    /// The figures that runs of a sweep are compared by.
    pub headline: Vec<Figure>,
}

impl Findings {
    /// A page with nothing but its title.
    pub fn titled(title: &str) -> Self {
        Self { page: Document::titled(title), writers: Vec::new(), summary: Summary::default(), times: Vec::new() }
    }

    /// A list on the page.
    pub fn points(mut self, points: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let points: Vec<String> = points.into_iter().map(|point| point.as_ref().to_owned()).collect();
        self.page = self.page.points(&points);
        self.summary.points.extend(points);
        self
    }

    /// A paragraph on the page.
    pub fn text(self, text: &str) -> Self {
        Self { page: self.page.text(text), ..self }
    }

    /// An empty line on the page.
    pub fn empty_line(self) -> Self {
        Self { page: self.page.empty_line(), ..self }
    }

    /// Sentences that computing with the figures gave: a list on the page, shown again at the end of the run.
    pub fn remarks(mut self, remarks: Vec<String>) -> Self {
        self.summary.remarks.extend_from_slice(&remarks);
        self.points(remarks)
    }

    /// As [`Findings::remarks`], behind a line that says what they are about.
    pub fn remarks_on(mut self, what: &str, remarks: Vec<String>) -> Self {
        self.summary.remarks.push(what.to_owned());
        self.text(what).remarks(remarks)
    }

    /// A table on the page alone.
    pub fn section(self, table: &Table) -> Self {
        Self { page: self.page.tables([table]), ..self }
    }

    /// A table on the page, shown again at the end of the run.
    pub fn summary(mut self, table: Table) -> Self {
        self = self.section(&table);
        self.summary.tables.push(table);
        self
    }

    /// A table on the page and as CSV, shown again at the end of the run.
    pub fn table(self, name: &str, table: Table) -> Self {
        self.data(name, &table).summary(table)
    }

    /// A table on the page and as CSV.
    pub fn detail(self, name: &str, table: &Table) -> Self {
        self.data(name, table).section(table)
    }

    /// A table as CSV alone.
    pub fn data(self, name: &str, table: &Table) -> Self {
        self.file(&format!("{name}.csv"), table.to_csv())
    }

    /// A file with this text.
    pub fn file(self, name: &str, text: String) -> Self {
        let name = name.to_owned();
        self.written(move |results, _| Ok(results.text(&name, &text)?))
    }

    /// A picture on the page, in a file called `name` without its ending.
    pub fn picture(mut self, name: &str, about: &str, picture: impl Picture + 'static) -> Self {
        self.page = self.page.picture(about, &format!("{name}.svg"));
        let name = name.to_owned();
        self.written(move |results, png| results.picture(&name, png, &picture))
    }

    /// The games of the matches.
    pub fn games<G: BoardGame>(self, records: impl IntoIterator<Item = GameRecord<G>>) -> Self {
        let records: Vec<GameRecord<G>> = records.into_iter().collect();
        self.written(move |results, _| results.games(&records))
    }

    /// Networks to be kept, in place of those of an earlier run.
    pub fn networks(self, networks: impl IntoIterator<Item = Learned>) -> Self {
        networks.into_iter().fold(self, |findings, one| {
            findings.network(&format!("{}.safetensors", file_name(&one.name)), move |path| Ok(one.save(path)?))
        })
    }

    /// A network to be kept in a file of this `name`, which `save` writes.
    pub fn network(self, name: &str, save: impl Fn(&Path) -> Result<(), RunsError> + 'static) -> Self {
        let name = name.to_owned();
        self.written(move |results, _| results.network(&name, &save))
    }

    fn written(mut self, write: impl FnOnce(&mut Results<'_>, bool) -> Result<(), RunsError> + 'static) -> Self {
        self.writers.push(Box::new(write));
        self
    }

    /// Figures that runs of a sweep are compared by, under the names that a run which goes on finds in its files.
    pub fn headline(mut self, figures: impl IntoIterator<Item = Figure>) -> Self {
        let figures = figures.into_iter().map(|(name, value)| (figure_name(&name), value));
        self.summary.headline.extend(figures);
        self
    }

    /// Measured times, which differ from run to run and are no part of the manifest; shown at the end of the run.
    pub fn times(mut self, tables: impl IntoIterator<Item = Table>) -> Self {
        self.times.extend(tables);
        self
    }

    /// Writes everything, pictures as PNG too if `png`.
    pub(super) fn write(mut self, results: &mut Results<'_>, png: bool) -> Result<Summary, RunsError> {
        results.page(&self.page.into_text())?;
        self.writers.into_iter().try_for_each(|write| write(results, png))?;
        if !self.times.is_empty() {
            results.times(&self.times)?;
            self.summary.tables.append(&mut self.times);
        }
        results.headline(&self.summary.headline)?;
        Ok(self.summary)
    }
}
