//! Plots: what they refuse, and that they are the same bytes every time.

use std::fs;
use std::path::PathBuf;

use roughboard::report::columns::dictionary;
use roughboard::report::html::{Section, page};
use roughboard::report::{Bar, Bars, Curves, Picture, PlotError, Series};
use roughboard::runs::TIMES;
use roughboard::stats::Wdl;

use crate::command::{assert_described, contents};
use crate::house::root;

/// Five learning curves and a level with long names, a gap, and error bars.
fn curves() -> Curves {
    let curve = |name: &str, floor: f64, rate: f64| {
        let at = |k: u32| (500.0 * f64::from(k), floor + 0.09 * (-f64::from(k) * rate).exp());
        Series::new(name, (0..=120).map(at).collect())
    };
    let mut few = Series::new("linear fit of material", [0.0, 20_000.0, 40_000.0, 60_000.0].map(|x| (x, 0.594)).into());
    few.errors = vec![0.004; 4];
    let mut broken = curve("BP 91-100-1, stochastic gradient, one position at a time", 0.592, 0.05);
    broken.points[60].1 = f64::NAN;
    Curves {
        title: "Held-out error of the result, 6,000 games for learning, 2,039 held out".to_owned(),
        x_label: "games learned from".to_owned(),
        y_label: "mean squared error (result in [-1, 1])".to_owned(),
        series: vec![
            curve("rough network, inclusion-degree start", 0.564, 0.08),
            curve("rough network, random start", 0.565, 0.02),
            broken,
            curve("TD(λ) 91-100-1, λ = 0.7", 0.601, 0.03),
            few,
        ],
        levels: vec![("constant".to_owned(), 0.652)],
        limits: None,
    }
}

/// Nine pairings: long names, one-sided results, an empty match.
fn bars() -> Bars {
    let results = [
        ("rough 2000 – traditional", Wdl::new(19, 22, 59)),
        ("rough 4000 – traditional", Wdl::new(23, 28, 49)),
        ("rough 6000 – traditional", Wdl::new(29, 33, 38)),
        (
            "TD(λ) 91-30-1, 3 passes over the database – traditional evaluator with the same search",
            Wdl::new(10, 28, 962),
        ),
        ("BP – traditional", Wdl::new(1, 0, 99)),
        ("rough – BP", Wdl::new(100, 0, 0)),
        ("TD(λ) – BP", Wdl::new(0, 100, 0)),
        ("rough – TD(λ)", Wdl::new(4521, 3300, 2179)),
        ("unplayed – BP", Wdl::new(0, 0, 0)),
    ];
    let bars = results.map(|(label, results)| Bar::of_games(label, results)).into();
    Bars { title: "100 games a pairing, both colours of each opening, depth 3".to_owned(), bars }
}

/// Renders into a fresh folder and gives the bytes back; keeps the pictures where `ROUGHBOARD_PICTURES` says.
fn rendered(name: &str, render: impl Fn(&std::path::Path) -> Result<(), PlotError>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = std::env::var_os("ROUGHBOARD_PICTURES").map_or(folder.path().to_owned(), PathBuf::from).join(name);
    render(&path).unwrap();
    fs::read(path).unwrap()
}

/// The folders of the committed results of experiments.
fn result_folders() -> impl Iterator<Item = PathBuf> {
    let folders = fs::read_dir(root().join("results")).unwrap().map(|entry| entry.unwrap().path());
    folders.filter(|folder| folder.join("manifest.json").exists())
}

#[test]
fn the_data_dictionary_is_that_of_the_program() {
    let path = root().join("docs/formats.md");
    let text = fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- data dictionary -->\n", "<!-- end of data dictionary -->\n");
    let (before, rest) = text.split_once(begin).unwrap();
    let (found, after) = rest.split_once(end).unwrap();
    if std::env::var_os("ROUGHBOARD_UPDATE").is_some() {
        fs::write(&path, format!("{before}{begin}{}{end}{after}", dictionary())).unwrap();
    } else {
        assert_eq!(found, dictionary(), "ROUGHBOARD_UPDATE=1 writes the dictionary anew");
    }
}

#[test]
fn committed_results_have_the_columns_of_the_data_dictionary() {
    let folders: Vec<PathBuf> = result_folders().collect();
    assert!(folders.len() > 10);
    folders.iter().for_each(|folder| assert_described(&contents(folder)));
}

/// A reader of CSV that knows no more than numbers and words finds no number within words.
#[test]
fn committed_results_have_one_number_a_field() {
    for folder in result_folders() {
        let tables = contents(&folder).into_iter().filter(|(name, _)| name.ends_with(".csv"));
        for (name, bytes) in tables {
            let text = String::from_utf8(bytes).unwrap();
            assert!(!text.contains('±'), "{}/{name}", folder.display());
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_,".contains(c);
            assert!(text.lines().next().unwrap().chars().all(is_plain), "{}/{name}", folder.display());
        }
    }
}

/// The first command of the README changes nothing that git looks at.
#[test]
fn measured_times_are_no_part_of_the_repository() {
    let ignored = fs::read_to_string(root().join(".gitignore")).unwrap();
    assert!(ignored.lines().any(|line| line == TIMES), "{TIMES}");
}

#[test]
fn plots_are_the_same_bytes_every_time() {
    for name in ["sample.svg", "sample.png"] {
        let draw_curves = || rendered(&format!("curves-{name}"), |path| curves().render(path));
        let draw_bars = || rendered(&format!("bars-{name}"), |path| bars().render(path));
        assert!(draw_curves() == draw_curves(), "{name}");
        assert!(draw_bars() == draw_bars(), "{name}");
    }
}

#[test]
fn every_name_and_count_stands_in_the_picture() {
    let svg = String::from_utf8(rendered("curves-text.svg", |path| curves().render(path))).unwrap();
    for series in curves().series {
        assert!(svg.contains(&series.name), "{}", series.name);
    }
    assert!(svg.contains("games learned from") && svg.contains("mean squared error"));
    let svg = String::from_utf8(rendered("bars-text.svg", |path| bars().render(path))).unwrap();
    for count in ["4521", "3300", "2179", "962", "10 / 28 / 962", "over the database –", "30.0 ± 7.7 %", "no games"]
    {
        assert!(svg.contains(count), "{count}");
    }
}

/// Of ten curves three have the colour of another one: their lines are broken, and those of the first seven are not.
#[test]
fn curves_that_share_a_colour_differ_in_their_lines() {
    let line = |number: u32| Series::new(format!("curve {number}"), vec![(0.0, f64::from(number)), (9.0, 0.0)]);
    let lines = |count: u32| {
        let curves = Curves::new("many", ["x", "y"], (0..count).map(line).collect());
        let svg = curves.to_svg().unwrap();
        svg.lines().filter(|line| line.contains("stroke=\"#0072B2\" stroke-width=\"2\"")).count()
    };
    // The first colour: a line and its sample in the legend.
    assert_eq!(lines(7), 2);
    assert!(lines(10) > 30, "{}", lines(10));
}

#[test]
fn a_plot_without_data_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.svg");
    let only_gaps = Curves { series: vec![Series::new("a", vec![(0.0, f64::NAN)])], ..curves() };
    assert!(matches!(only_gaps.render(&path), Err(PlotError::Empty(..))));
    assert!(matches!(Bars::default().render(&path), Err(PlotError::Empty(..))));
    assert!(!path.exists());
}

#[test]
fn an_unknown_format_and_an_unwritable_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = bars().render(&folder.path().join("plot.jpeg")).unwrap_err();
    assert!(error.to_string().ends_with("expected a name ending in .svg or .png"), "{error}");
    for name in ["missing/plot.svg", "missing/plot.png"] {
        let error = bars().render(&folder.path().join(name)).unwrap_err();
        assert!(matches!(error, PlotError::Draw(..)), "{error}");
    }
}

/// What would reach into the page, or be taken for a part of it, is left out; every picture of this program is shown.
#[test]
fn a_page_shows_pictures_that_are_drawings_and_nothing_else() {
    let is_shown = |svg: &str| {
        let pictures = vec![("a.svg".to_owned(), svg.to_owned())];
        let html = page("Runs", &[Section { pictures, ..Section::default() }]);
        let is_left_out = html.contains("<code>a.svg</code> is not shown: it holds more than a drawing");
        assert!(html.contains("<figure") != is_left_out, "{svg}");
        !is_left_out
    };
    for hostile in [
        "<svg></svg><title></svg>",
        "<svg id=\"games-2\"><g data-games=\"nothing\"/></svg>",
        "<svg><g class=\"viewer\" tabindex=\"0\"/></svg>",
        "<svg><g></svg>",
    ] {
        assert!(!is_shown(hostile), "{hostile}");
    }
    let drawn =
        [rendered("curves.svg", |path| curves().render(path)), rendered("bars.svg", |path| bars().render(path))];
    let drawn = drawn.into_iter().chain(result_folders().flat_map(|folder| {
        contents(&folder).into_iter().filter(|(name, _)| name.ends_with(".svg")).map(|(_, bytes)| bytes)
    }));
    for bytes in drawn {
        let svg = String::from_utf8(bytes).unwrap();
        assert!(is_shown(&svg), "{svg}");
    }
}
