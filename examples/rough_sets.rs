//! Rough sets on a table of one's own, without polars, linfa and games:
//! `cargo run --release --no-default-features --features classify --example rough_sets -- tests/data/iris.csv species`.

use std::path::Path;

use roughboard::classify::{CrossValidation, Learner, Majority, RuleLearner, cross_validate};
use roughboard::observe::Silent;
use roughboard::rough::{Method, Notion, Partition, Reduct, RuleOrder, RuleSet, rules_of_reduct};
use roughboard::table::discretize::{Cuts, Discretizer};
use roughboard::table::{DecisionTable, Roles};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(decision)) = (arguments.next(), arguments.next()) else {
        return Err("expected a CSV file and the name of its decision column".into());
    };
    let table = DecisionTable::read(Path::new(&file), &Roles::decided_by(&decision))?;
    let cuts = Cuts::fit(&table, &table.all_attributes(), Discretizer::MaximalDiscernibility, &Silent)?;
    let table = cuts.apply(&table)?;
    let partition = Partition::by(&table, &table.all_attributes());
    println!("{} classes, gamma {:.3}", partition.n_classes(), partition.gamma(&table).value());

    let reduct = Reduct::of(&table, Notion::Positive, Method::Short);
    println!("a short reduct: {}", table.names(reduct.attrs()).join(", "));
    let rules = RuleSet::new(&table, rules_of_reduct(&table, &reduct, usize::MAX)).sorted(RuleOrder::Support);
    rules.rules.iter().take(5).for_each(|rule| println!("{}", rule.display(&table)));

    let plan = CrossValidation { folds: 10, repeats: 1, seed: 1 };
    let by_rules = RuleLearner::default();
    let learners: [&dyn Learner; 2] = [&by_rules, &Majority];
    for outcome in cross_validate(&table, &learners, &plan, false, &Silent)?.outcomes {
        println!("{}: {:.1} % right", outcome.name, 100.0 * outcome.accuracy().mean);
    }
    Ok(())
}
