//! Pages for readers in Markdown: a title, points, tables, pictures.

use super::Table;

/// A page that grows part by part, with an empty line before each.
#[must_use]
#[derive(Debug, Clone)]
pub struct Document(String);

impl Document {
    /// A page with nothing but its title.
    pub fn titled(title: &str) -> Self {
        Self(format!("# {title}\n"))
    }

    /// A list, if there is anything in it.
    pub fn points(mut self, points: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        for (number, point) in points.into_iter().enumerate() {
            let gap = if number == 0 { "\n" } else { "" };
            self.0.push_str(&format!("{gap}* {}\n", point.as_ref()));
        }
        self
    }

    /// A paragraph.
    pub fn text(mut self, text: &str) -> Self {
        self.0.push_str(&format!("\n{text}\n"));
        self
    }

    /// An empty line.
    pub fn empty_line(mut self) -> Self {
        self.0.push('\n');
        self
    }

    /// Tables one below the other.
    pub fn tables<'t>(mut self, tables: impl IntoIterator<Item = &'t Table>) -> Self {
        tables.into_iter().for_each(|table| self.0.push_str(&format!("\n{}", table.to_markdown())));
        self
    }

    /// A picture in the `file` beside the page.
    pub fn picture(mut self, about: &str, file: &str) -> Self {
        self.0.push_str(&format!("\n![{about}]({file})\n"));
        self
    }

    /// The page.
    pub fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_apart_and_empty_lists_leave_no_gap() {
        let mut table = Table::new("Caption", &["name"], &["number"]);
        table.push(["one".into(), 1_u64.into()]);
        let page = Document::titled("Title").points(["a", "b"]).points([""; 0]).tables([&table]).text("So:");
        let page = page.picture("curve", "curve.svg").into_text();
        let expected = format!("# Title\n\n* a\n* b\n\n{}\nSo:\n\n![curve](curve.svg)\n", table.to_markdown());
        assert_eq!(page, expected);
    }
}
