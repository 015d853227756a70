//! The findings as tables, plots and a page.

use super::{Error, Figures, RandomWalkConfig, Single};
use crate::experiment::contract::Findings;
use crate::report::{Cell, Curves, Series, Table};

/// The values of λ that Sutton's figure 4 shows; where none of them was measured, all that were are shown.
const SHOWN: [f64; 4] = [0.0, 0.3, 0.8, 1.0];

/// Where the vertical axis of figure 4 ends: large learning rates go far beyond.
const HIGHEST: f64 = 0.7;

/// Where the vertical axis of the paper's figure 3 begins.
const AXIS: f64 = 0.19;

/// One table a figure: 3, 4, 5.
fn tables(figures: &Figures) -> [Table; 3] {
    let errors = ["rms error", "sd", "standard error"];
    let setting = |value: f64| Cell::setting(value, 2);
    let third = figures.repeated.iter().map(|(lambda, error)| [setting(*lambda)].into_iter().chain(cells(error)));
    let singles = |caption: &str, singles: &[Single]| {
        let numbers = |one: &Single| [one.lambda, one.alpha].map(setting);
        let rows = singles.iter().map(|one| numbers(one).into_iter().chain(cells(&one.error)));
        Table::new(caption, &[], &["lambda", "alpha"]).and_numbers(errors).with_rows(rows)
    };
    [
        Table::new("Figure 3: repeated presentations", &[], &["lambda"]).and_numbers(errors).with_rows(third),
        singles("Figure 4: one presentation", &figures.single),
        singles("Figure 5: one presentation, best learning rate of each lambda", &figures.best),
    ]
}

fn cells(error: &Error) -> [Cell; 3] {
    [error.mean, error.sd, error.standard_error()].map(|number| Cell::real(number, 4))
}

/// One plot a figure: 3, 4, 5.
fn curves(figures: &Figures) -> [Curves; 3] {
    let best = figures.best.iter().map(|best| (best.lambda, best.error)).collect();
    let shown = |lambda: f64| {
        let of_lambda = figures.single.iter().filter(move |single| single.lambda == lambda);
        let points: Vec<(f64, Error)> = of_lambda.map(|single| (single.alpha, single.error)).collect();
        (!points.is_empty()).then(|| series(&format!("λ = {lambda}"), points))
    };
    let mut fourth: Vec<Series> = SHOWN.into_iter().filter_map(shown).collect();
    if fourth.is_empty() {
        fourth = figures.best.iter().filter_map(|best| shown(best.lambda)).collect();
    }
    [
        plot(
            "Repeated presentations (Sutton's figure 3)",
            "λ",
            vec![series("mean ± standard error", figures.repeated.clone())],
        ),
        plot("One presentation (Sutton's figure 4)", "learning rate α", fourth),
        plot("One presentation, best α (Sutton's figure 5)", "λ", vec![series("mean ± standard error", best)]),
    ]
}

fn series(name: &str, mut points: Vec<(f64, Error)>) -> Series {
    // A line goes from left to right, in whatever order the settings were given.
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    // A point that is no number interrupts the line.
    let height = |error: Error| if error.mean <= HIGHEST { error.mean } else { f64::NAN };
    Series {
        errors: points.iter().map(|(_, error)| error.standard_error()).collect(),
        ..Series::new(name, points.into_iter().map(|(x, error)| (x, height(error))).collect())
    }
}

fn plot(title: &str, x_label: &str, series: Vec<Series>) -> Curves {
    Curves::new(title, [x_label, "root mean square error"], series)
}

/// What a figure of the paper shows, in words, beside what was found here.
fn comparison(figures: &Figures) -> Table {
    let fifth: Vec<(f64, Error)> = figures.best.iter().map(|best| (best.lambda, best.error)).collect();
    let third = "least error at λ = 0, rising slowly with λ and steeply at its end: λ = 1 (Widrow-Hoff) is worst";
    let rows = [
        ["3", third, &extremes(&figures.repeated)].map(Cell::from),
        ["5", "least error near λ = 0.3; λ = 0 somewhat worse, λ = 1 worst by far", &extremes(&fifth)].map(Cell::from),
    ];
    Table::new("The paper beside this run", &["figure", "the paper", "this run"], &[]).with_rows(rows)
}

/// How the errors of repeated presentations compare with the paper's, which rise with λ.
fn beside_the_axis(repeated: &[(f64, Error)]) -> String {
    let mut by_lambda = repeated.to_vec();
    by_lambda.sort_by(|a, b| a.0.total_cmp(&b.0));
    let above = by_lambda.iter().all(|(_, error)| error.mean < AXIS);
    let above = if above { ", above the errors here, for which no cause was found" } else { "" };
    let order = if by_lambda.is_sorted_by(|a, b| a.1.mean <= b.1.mean) { "the same" } else { "different" };
    format!(
        "the paper prints figures and no tables, so it is compared in words; the axis of its figure 3 runs from about {AXIS} to \
         0.25{above}: the order of the λ is {order}"
    )
}

/// Where the error is least and greatest, and what it is at the ends.
fn extremes(points: &[(f64, Error)]) -> String {
    let by_mean = |a: &&(f64, Error), b: &&(f64, Error)| a.1.mean.total_cmp(&b.1.mean);
    let told = |point: Option<&(f64, Error)>| {
        point.map_or_else(String::new, |(lambda, error)| {
            format!("λ = {lambda}: {:.3} ± {:.3}", error.mean, error.standard_error())
        })
    };
    let (least, greatest) = (points.iter().min_by(by_mean), points.iter().max_by(by_mean));
    format!("least {}; greatest {}; first {}", told(least), told(greatest), told(points.first()))
}

/// The page that shows it all.
pub fn findings(config: &RandomWalkConfig, figures: &Figures) -> Findings {
    let &RandomWalkConfig { sets, walks, seed, tolerance, small_alpha, .. } = config;
    let [third, fourth, fifth] = tables(figures);
    let [repeated, single, best] = curves(figures);
    let figure = |best: &Single| (format!("rms error lambda {}", best.lambda), best.error.mean);
    Findings::titled("TD(λ) on the bounded random walk")
        .text(
            "R. S. Sutton, *Learning to Predict by the Methods of Temporal Differences*, Machine Learning 3, 1988, §3.2, with the \
             TD(λ) learner that trains the networks of games.",
        )
        .points([
            format!(
                "{sets} training sets of {walks} walks, seed {seed}; states B to F, start D, result 0 in A and 1 in G; a weight a \
                 state, output = weight"
            )
            .as_str(),
            "error: root mean square over the five states of prediction minus ideal (1/6, 2/6, 3/6, 4/6, 5/6), then the mean over \
             the sets; sd: over the sets; ±: standard error of the mean",
            &format!(
                "figure 3: each set presented until no weight moves by more than {tolerance:e} in a presentation; weights move \
                 after a presentation, by the sum over its walks; α = {small_alpha}"
            ),
            "figures 4 and 5: each set presented once; weights begin at 1/2 and move after each walk",
            &beside_the_axis(&figures.repeated),
        ])
        .section(&comparison(figures))
        .picture("figure-3", "figure 3", repeated)
        .picture("figure-4", "figure 4", single)
        .picture("figure-5", "figure 5", best)
        .table("figure-3", third)
        // The whole grid is too long for the end of a run.
        .detail("figure-4", &fourth)
        .table("figure-5", fifth)
        .empty_line()
        .headline(figures.best.iter().map(figure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_from_left_to_right() {
        let error = |mean| Error { mean, sd: 0.0, sets: 2 };
        let line = series("x", vec![(0.4, error(0.3)), (0.0, error(0.1)), (0.2, error(0.2))]);
        assert_eq!(line.points, [(0.0, 0.1), (0.2, 0.2), (0.4, 0.3)]);
    }

    #[test]
    fn what_is_said_of_the_order_is_what_was_found() {
        let error = |mean| Error { mean, sd: 0.0, sets: 2 };
        let rising = beside_the_axis(&[(1.0, error(0.16)), (0.0, error(0.11)), (0.5, error(0.12))]);
        let end = "0.25, above the errors here, for which no cause was found: the order of the λ is the same";
        assert!(rising.ends_with(end), "{rising}");
        let mixed = beside_the_axis(&[(0.0, error(0.08)), (0.5, error(0.07)), (1.0, error(0.21))]);
        assert!(mixed.ends_with("from about 0.19 to 0.25: the order of the λ is different"), "{mixed}");
    }
}
