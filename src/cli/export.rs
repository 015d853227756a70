//! `roughboard export`: networks in formats of other programs.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use roughboard::eval::Catalogue;
use roughboard::features::FeatureSet;
use roughboard::games::GameName;
use roughboard::net::onnx::{DEFAULT_OPSET, Export, OFFSET, OUTPUT};
use roughboard::net::store::{self, About};
use roughboard::net::{Net, Network};

use super::output;
use super::targets::OutPath;

/// What `export` can do.
#[derive(clap::Subcommand)]
pub enum Format {
    /// An ONNX model, which onnxruntime and others run
    Onnx(OnnxArgs),
}

#[derive(ClapArgs)]
pub struct OnnxArgs {
    /// The network: the folder of a training run, or a .safetensors file
    #[arg(value_name = "NET")]
    net: PathBuf,
    /// Model to write
    #[arg(long, value_parser = OutPath::file(&[".onnx"]), value_name = "FILE.onnx")]
    out: OutPath,
    /// Version of the operators, 13 to 21
    #[arg(long, default_value_t = DEFAULT_OPSET, value_name = "N")]
    opset: i64,
}

/// Runs the command.
pub fn run(Format::Onnx(args): &Format) -> anyhow::Result<()> {
    let (net, about) = store::load(&args.net)?;
    let attributes = attribute_names(&net, &about);
    let export = Export { net: &net, about: &about, attributes: &attributes, opset: args.opset };
    let bytes = export.to_bytes()?;
    output::write(&args.out, &bytes)?;
    let offset = if export.has_offset() { format!(", `{OFFSET}` (batch)") } else { String::new() };
    output::print(&format!(
        "input `{}` (batch, {}){offset}, output `{OUTPUT}` (batch), opset {}\nmodel: {}\n",
        export.input(),
        export.n_attributes(),
        args.opset,
        args.out.display()
    ))
}

/// The names of the attributes that a network reads; none if it reads some that this program does not know, or that it does not
/// fit.
fn attribute_names(net: &Net, about: &About) -> Vec<String> {
    fn names<G: Catalogue>(features: &str) -> Option<Vec<String>> {
        let features = G::features(features).ok()?;
        Some(features.attributes().into_iter().map(|attribute| attribute.name).collect())
    }
    let game = about.game.parse::<GameName>().ok();
    let known = game.and_then(|game| roughboard::by_game!(game, G => names::<G>(&about.features)));
    known.filter(|known| known.len() == net.coding().n_attributes()).unwrap_or_default()
}
