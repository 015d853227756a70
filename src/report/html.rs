//! Results of several runs on one page of HTML that needs nothing but itself: no network, no other file.

use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// One run on the page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What there is to read, in Markdown; a picture of [`Section::pictures`] stands where it is named.
    pub text: String,
    /// Names and contents of pictures in SVG; those that the text does not name stand behind it.
    pub pictures: Vec<(String, String)>,
    /// Behind it all, folded: a heading, and text as it is.
    pub folded: Vec<(String, String)>,
}

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;color:#1c1c1e;background:#fff;max-width:72rem;margin:2rem auto;padding:0 1rem}\
h1,h2{border-bottom:1px solid #d8d8dc;padding-bottom:.2em}h2{margin-top:3rem}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem;margin:1rem 0}\
th,td{padding:.2rem .7rem;border-bottom:1px solid #e4e4e8;vertical-align:top;max-width:40rem}th{border-bottom-color:#8a8a90}\
figure{margin:1.5rem 0}figure svg{max-width:100%;height:auto}nav li{margin:.2rem 0}\
details{margin:.6rem 0}summary{cursor:pointer;color:#3a5a8c}pre{background:#f5f5f7;padding:1rem;overflow-x:auto;font-size:.8rem}";

/// The page.
pub fn page(title: &str, sections: &[Section]) -> String {
    let name = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{name}</h1>\n<nav><ul>\n"
    );
    for (at, section) in sections.iter().enumerate() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(page, "<li><a href=\"#run-{}\">{}</a></li>", at + 1, escaped(&section.title));
    }
    page += "</ul></nav>\n";
    for (at, section) in sections.iter().enumerate() {
        let _ = writeln!(page, "<section id=\"run-{}\">\n<h2>{}</h2>", at + 1, escaped(&section.title));
        write_section(&mut page, section);
        page += "</section>\n";
    }
    page + "</body>\n</html>\n"
}

fn write_section(page: &mut String, section: &Section) {
    let mut named = Vec::new();
    html::push_html(page, events(section, &mut named).into_iter());
    for (name, svg) in section.pictures.iter().filter(|(name, _)| !named.contains(name)) {
        page.push_str(&figure(name, svg));
    }
    for (heading, text) in &section.folded {
        let (heading, text) = (escaped(heading), escaped(text));
        let _ = writeln!(page, "<details><summary>{heading}</summary><pre>{text}</pre></details>");
    }
}

/// The text as events, with pictures in place, headings under those of the page, and nothing that could reach outside.
fn events<'s>(section: &'s Section, named: &mut Vec<String>) -> Vec<Event<'s>> {
    let mut events = Vec::new();
    let mut in_picture = false;
    for event in Parser::new_ext(&section.text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                in_picture = true;
                if let Some((name, svg)) = section.pictures.iter().find(|(name, _)| **name == *dest_url) {
                    named.push(name.clone());
                    events.push(Event::Html(figure(name, svg).into()));
                }
            }
            Event::End(TagEnd::Image) => in_picture = false,
            _ if in_picture => {}
            // Links lead to files beside the results, which are not on the page: their words stay.
            Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link) => {}
            Event::Start(Tag::Table(alignments)) => {
                events.extend([html_of("<div class=\"wide\">"), Event::Start(Tag::Table(alignments))]);
            }
            Event::End(TagEnd::Table) => events.extend([Event::End(TagEnd::Table), html_of("</div>")]),
            Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                events.push(Event::Start(Tag::Heading { level: lowered(level), id, classes, attrs }));
            }
            Event::End(TagEnd::Heading(level)) => events.push(Event::End(TagEnd::Heading(lowered(level)))),
            Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
            other => events.push(other),
        }
    }
    events
}

/// The level of a heading of a run's text under the heading of the run.
fn lowered(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        HeadingLevel::H3 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

fn html_of(text: &'static str) -> Event<'static> {
    Event::Html(CowStr::Borrowed(text))
}

/// An SVG picture as part of the page.
fn figure(name: &str, svg: &str) -> String {
    // What stands before the element itself, such as the declaration of XML, has no place inside a page.
    let element = svg.find("<svg").map_or("", |at| &svg[at..]);
    format!("<figure aria-label=\"{}\">\n{}\n</figure>\n", escaped(name), element.trim_end())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> String {
        let text = "# A <b>\n\n| n | x |\n|---|--:|\n| a | 1 |\n\n![rates](rates.svg) [more](other.md)\n\n<script>x</script>\n";
        let svg = |name: &str| (name.to_owned(), format!("<?xml version=\"1.0\"?>\n<svg id=\"{name}\"/>\n"));
        let section = Section {
            title: "results/a & b".to_owned(),
            text: text.to_owned(),
            pictures: vec![svg("rates.svg"), svg("unnamed.svg")],
            folded: vec![("manifest.json".to_owned(), "{\"a\": \"<1>\"}".to_owned())],
        };
        page("Runs", &[section, Section::default()])
    }

    #[test]
    fn a_page_holds_text_tables_pictures_and_what_is_folded() {
        let page = example();
        for part in [
            "<li><a href=\"#run-1\">results/a &amp; b</a></li>",
            "<h2>results/a &amp; b</h2>",
            "<h3>A ",
            "<div class=\"wide\"><table>",
            "<td style=\"text-align: right\">1</td>",
            "<figure aria-label=\"rates.svg\">\n<svg id=\"rates.svg\"/>",
            "<svg id=\"unnamed.svg\"/>",
            "<summary>manifest.json</summary><pre>{&quot;a&quot;: &quot;&lt;1&gt;&quot;}</pre>",
        ] {
            assert!(page.contains(part), "{part} is missing in\n{page}");
        }
        assert_eq!(page.matches("<svg").count(), 2);
    }

    #[test]
    fn nothing_reaches_outside_the_page() {
        let page = example();
        for part in ["<script", "http", "src=", "href=\"other.md\"", "<?xml"] {
            assert!(!page.contains(part), "{part} in\n{page}");
        }
    }
}
