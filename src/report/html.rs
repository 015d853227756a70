//! Results of several runs on one page of HTML that needs nothing but itself: no network, no other file.
//!
//! Texts of runs are written by whoever named a player or commented on a move: all of them are escaped, and the page's
//! policy (`html/policy.rs`) keeps a viewer from running anything else than the page's own script.

mod board;
mod drawing;
mod games;
mod ladder;
mod policy;

use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

pub use self::board::{Board, HeatMap};
pub use self::games::{Games, Piece, Ply, ShownGame};
pub use self::ladder::Rung;
use self::policy::policy;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// One run on the page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What came out, for the top of the page.
    pub answer: Answer,
    /// Games to look at, if there are any.
    pub games: Option<Games>,
    /// Ratings of the entrants, group by group, the best one first.
    pub ladder: Vec<Rung>,
    /// What there is to read, in Markdown; a picture of [`Section::pictures`] stands where it is named.
    pub text: String,
    /// Names and contents of pictures in SVG; those that the text does not name stand behind it.
    pub pictures: Vec<(String, String)>,
    /// What the run says of the points of a board.
    pub maps: Vec<HeatMap>,
    /// Behind it all, folded: a heading, and text as it is.
    pub folded: Vec<(String, String)>,
}

/// What came out of a run, for who reads no further.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whole sentences, the most important one first.
    pub sentences: Vec<String>,
    /// Results of pairings, each a bar.
    pub scores: Vec<Score>,
}

/// The result of one pairing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// Who played whom.
    pub names: String,
    /// The figures in words.
    pub figures: String,
    /// Games that the one named first won, drew and lost.
    pub counts: [u64; 3],
}

/// What the colours of bars mean.
const KEY: &str =
    "<span class=\"won\"></span>won, <span class=\"drawn\"></span>drawn, <span class=\"lost\"></span>lost";
/// Bars of a run that stand at the top of the page.
const BARS: usize = 6;

/// The page.
pub fn page(title: &str, sections: &[Section]) -> String {
    let (name, policy) = (escaped(title), escaped(&policy(STYLE, SCRIPT)));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#run-1\">To the first run</a>\n<h1>{name}</h1>\n<section class=\"answers\" aria-label=\"What came out\">\n"
    );
    for (at, section) in sections.iter().enumerate() {
        write_answer(&mut page, at + 1, section);
    }
    page += "</section>\n<main>\n";
    for (at, section) in sections.iter().enumerate() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(page, "<section id=\"run-{}\">\n<h2>{}</h2>", at + 1, escaped(&section.title));
        if let Some(games) = &section.games {
            page += &games::viewer(&format!("games-{}", at + 1), games);
        }
        write_section(&mut page, section);
        page += "</section>\n";
    }
    let _ = write!(page, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

/// What came out of a run, with the way to the rest.
fn write_answer(page: &mut String, number: usize, section: &Section) {
    let Answer { sentences, scores } = &section.answer;
    let title = escaped(&section.title);
    let _ = writeln!(page, "<article class=\"answer\">\n<h2><a href=\"#run-{number}\">{title}</a></h2>");
    for sentence in sentences {
        let _ = writeln!(page, "<p>{}</p>", escaped(sentence));
    }
    if !scores.is_empty() {
        let bars: String = scores.iter().take(BARS).map(bar).collect();
        let more = scores.len().saturating_sub(BARS);
        let more = if more > 0 { format!("; {more} more pairings below") } else { String::new() };
        let _ = writeln!(
            page,
            "<ul class=\"scores\">\n{bars}</ul>\n<p class=\"key\">{KEY} by the one named first{more}.</p>"
        );
    }
    *page += "</article>\n";
}

/// The result of a pairing as a bar of a hundred units.
fn bar(Score { names, figures, counts }: &Score) -> String {
    let games = counts.iter().sum::<u64>().max(1) as f64;
    let mut from = 0.0;
    let mut part = |(kind, &count): (&str, &u64)| {
        let (left, width) = (from, 100.0 * count as f64 / games);
        from += width;
        format!("<rect class=\"{kind}\" x=\"{left:.2}\" width=\"{width:.2}\" height=\"10\"/>")
    };
    let parts: String = ["won", "drawn", "lost"].into_iter().zip(counts).map(&mut part).collect();
    let [won, drawn, lost] = counts;
    let (names, figures) = (escaped(names), escaped(figures));
    format!(
        "<li><div class=\"names\"><span>{names}</span><span>{figures}</span></div>\
         <svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"won {won}, drawn {drawn}, lost {lost}\">{parts}<path class=\"half\" d=\"M50 0V10\"/></svg></li>\n"
    )
}

fn write_section(page: &mut String, section: &Section) {
    page.push_str(&ladder::ladders(&section.ladder));
    let mut named = Vec::new();
    let mut text = String::new();
    html::push_html(&mut text, events(section, &mut named).into_iter());
    // The policy forbids styles of single elements; angle brackets of the text itself are escaped.
    for cell in ["td", "th"] {
        text = text.replace(&format!("<{cell} style=\"text-align: right\">"), &format!("<{cell} class=\"number\">"));
        text = text.replace(&format!("<{cell} style=\"text-align: left\">"), &format!("<{cell}>"));
    }
    page.push_str(&text);
    for (name, svg) in section.pictures.iter().filter(|(name, _)| !named.contains(name)) {
        page.push_str(&figure(name, svg));
    }
    page.push_str(&board::heat_maps(&section.maps));
    for (heading, text) in &section.folded {
        let (heading, text) = (escaped(heading), escaped(text));
        let _ = writeln!(page, "<details><summary>{heading}</summary><pre tabindex=\"0\">{text}</pre></details>");
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
                events.extend([html_of("<div class=\"wide\" tabindex=\"0\">"), Event::Start(Tag::Table(alignments))]);
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
    if !drawing::is_only_drawn(element) {
        return format!("<p><code>{}</code> is not shown: it holds more than a drawing.</p>\n", escaped(name));
    }
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
        let svg =
            |name: &str| (name.to_owned(), format!("<?xml version=\"1.0\"?>\n<svg><title>{name}</title></svg>\n"));
        let score = Score { names: "a\" onload=\"x – b".to_owned(), figures: "75.0 %".to_owned(), counts: [1, 1, 0] };
        let answer = Answer { sentences: vec!["<img src=x onerror=y> won.".to_owned()], scores: vec![score] };
        let section = Section {
            title: "results/a & b".to_owned(),
            answer,
            maps: vec![HeatMap { counts: vec![1], most: 1, ..HeatMap::default() }],
            ladder: Vec::new(),
            games: Some(Games { games: vec![ShownGame::default()], total: 1, ..Games::default() }),
            text: text.to_owned(),
            pictures: vec![svg("rates.svg"), svg("unnamed.svg")],
            folded: vec![("manifest.json".to_owned(), "{\"a\": \"<1>\"}".to_owned())],
        };
        page("Runs", &[section, Section::default()])
    }

    #[test]
    fn a_page_holds_answers_text_tables_pictures_and_what_is_folded() {
        let page = example();
        for part in [
            "<h2><a href=\"#run-1\">results/a &amp; b</a></h2>\n<p>&lt;img src=x onerror=y&gt; won.</p>",
            "<span>a&quot; onload=&quot;x – b</span><span>75.0 %</span>",
            "<rect class=\"drawn\" x=\"50.00\" width=\"50.00\"",
            "<h2>results/a &amp; b</h2>",
            "<h3>A ",
            "<div class=\"wide\" tabindex=\"0\"><table>",
            "<td class=\"number\">1</td>",
            "<figure aria-label=\"rates.svg\">\n<svg><title>rates.svg</title></svg>",
            "<svg><title>unnamed.svg</title></svg>",
            "<summary>manifest.json</summary><pre tabindex=\"0\">{&quot;a&quot;: &quot;&lt;1&gt;&quot;}</pre>",
        ] {
            assert!(page.contains(part), "{part} is missing in\n{page}");
        }
        assert_eq!(page.matches("<svg><title>").count(), 2);
    }

    #[test]
    fn nothing_reaches_outside_the_page() {
        let page = example();
        for part in ["src=\"", "href=\"other.md\"", "<?xml", "url(", "@import", " style=", "<img"] {
            assert!(!page.contains(part), "{part} in\n{page}");
        }
        let addresses = page.matches("http").count() - page.matches("http-equiv").count();
        assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count(), "only the name of SVG");
    }

    /// The policy names the hashes of exactly the style and the script that are there.
    #[test]
    fn the_policy_allows_the_parts_of_the_page_and_nothing_else() {
        let page = example();
        let (style, script) = (between(&page, "<style>", "</style>"), between(&page, "<script>", "</script>"));
        let allowed = between(&page, "Content-Security-Policy\" content=\"", "\">");
        assert_eq!(allowed, policy(style, script));
        assert_eq!(page.matches("<script>").count(), 1);
        assert_eq!(page.matches("<script").count(), 2, "the other one holds data");
        assert!(allowed.starts_with("default-src 'none'; "));
    }

    fn between<'p>(page: &'p str, before: &str, after: &str) -> &'p str {
        page.split_once(before).unwrap().1.split_once(after).unwrap().0
    }
}
