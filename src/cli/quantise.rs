//! `roughboard quantise`: networks in whole numbers, and what they lose.

use std::path::PathBuf;

use roughboard::eval::{Catalogue, Network, skip_argument};
use roughboard::net::quantise::Loss;
use roughboard::net::store::{self, About};
use roughboard::net::{Bits, IntegerNet, Network as _};
use roughboard::report::{Cell, Table};
use serde_json::json;

use super::form::{Form, Sheet};
use super::rules::game_called;
use super::session::Session;
use super::sources::GameSources;
use super::targets::OutPath;

/// Arguments of `quantise`.
#[derive(clap::Args)]
pub struct Args {
    /// Network file written by `roughboard train`
    #[arg(value_name = "NET")]
    net: PathBuf,
    /// Bits of a first-layer weight; sums have 16 either way
    #[arg(long, value_parser = bits, value_name = "8|16")]
    bits: Bits,
    /// Network file to write
    #[arg(long, value_parser = OutPath::file(&[".safetensors"]), value_name = "FILE.safetensors")]
    out: OutPath,
    #[command(flatten)]
    sources: GameSources,
    #[command(flatten)]
    form: Form,
}

/// The sizes on offer.
fn bits(text: &str) -> Result<Bits, String> {
    match text {
        "8" => Ok(Bits::Eight),
        "16" => Ok(Bits::Sixteen),
        _ => Err("expected 8 or 16".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    let path = args.net.display().to_string();
    let (net, about) = store::load(&args.net)?;
    anyhow::ensure!(
        net.first_layer().width() > 0,
        "network `{path}` has no first layer of sums, so it cannot be quantised"
    );
    let quantised = IntegerNet::of(&net, args.bits);
    let nets = [IntegerNet::of(&net, Bits::ThirtyTwo), quantised.clone()];
    let loss = roughboard::by_game!(game_called(&about.game)?, G => loss::<G>(args, (nets, &about), session)?);
    store::save_quantised(&args.out, &quantised, &about)?;
    report(args, &quantised, &loss)
}

/// What is lost from the first network to the second in the positions in which moves of the games asked for were made.
fn loss<G: Catalogue>(
    args: &Args,
    (nets, about): ([IntegerNet; 2], &About),
    session: &Session,
) -> anyhow::Result<Loss> {
    let path = args.net.display().to_string();
    let [trained, rounded] = nets.map(|net| Network::<G>::of(&path, net, about));
    let (trained, rounded) = (trained?, rounded?);
    let records = args.sources.read_of_its_game::<G>(session)?.records;
    let mut networks = [trained.alone(), rounded.alone()];
    let mut skip = trained.skip();
    let mut loss = Loss::default();
    for record in records {
        let result = record.outcome.map_or(0.0, |outcome| f64::from(outcome.value()));
        record.replay(|position, mv| {
            if mv.is_some() {
                let offset = skip.as_mut().map_or(0.0, |(skip, scale)| *scale * skip_argument(&mut **skip, position));
                let [before, after] = networks.each_mut().map(|one| {
                    let argument = one.argument(position) + offset;
                    f64::from(one.output_of(argument))
                });
                loss.add(before, after, result);
            }
        });
    }
    Ok(loss)
}

fn report(args: &Args, net: &IntegerNet, loss: &Loss) -> anyhow::Result<()> {
    let [before, after] = loss.errors();
    let (bits, sum) = (net.rows().bits(), net.rows().largest_sum());
    let json = json!({
        "bits": bits.number(), "largest_sum": sum, "positions": loss.positions, "largest_change": loss.largest,
        "mean_change": loss.mean(), "mse_before": before, "mse_after": after,
    });
    let caption = format!("{} in {} bits, over {} positions", args.net.display(), bits.number(), loss.positions);
    let mut table = Table::new(caption, &["measure"], &["figure"]);
    table.push(["largest change of y".into(), Cell::real(loss.largest, 6)]);
    table.push(["mean change of y".into(), Cell::real(loss.mean(), 6)]);
    table.push(["mean squared error before".into(), Cell::real(before, 6)]);
    table.push(["mean squared error after".into(), Cell::real(after, 6)]);
    table.push([format!("largest possible sum, of {}", bits.largest_sum()).into(), Cell::from(sum)]);
    args.form.give_line(&json, Sheet::ALL_FIELDS, &table.to_text())
}
