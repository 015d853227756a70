//! Tables of the positions of games, and networks that were trained on them.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use roughboard::eval::{Catalogue, LoadError, Network as GameNetwork};
use roughboard::features::{AttributeSpec, FeatureSet};
use roughboard::games::GameName;
use roughboard::net::store::{self, About};
use roughboard::net::{Bits, CodeRows, IntegerNet, Net, Network as _};
use roughboard::record::{Policy, for_each_game};
use roughboard::table::{Attribute, CountTable, Value};
use roughboard::train::PositionTable;

use crate::errors::value_error;
use crate::input::{Names, Objects};
use crate::numbers::Numbers;
use crate::questions::named;
use crate::table::Table;
use crate::work::{Stop, interruptible};

/// Rows that a thread computes in one go.
const ROWS: usize = 1 << 12;

/// The decision table of the positions of games, and what is to be said of the games.
#[pyfunction]
pub fn read_games(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    game: &str,
    features: Option<String>,
    skip_plies: usize,
    drop_invalid: bool,
) -> PyResult<Table> {
    let game: GameName = named("game", game)?;
    let policy = if drop_invalid { Policy::Drop } else { Policy::Strict };
    let request = Request { paths, features, skip_plies, policy };
    let (table, notes) = interruptible(py, move |stop| roughboard::by_game!(game, G => request.read::<G>(stop)))??;
    Ok(Table::of(table.into_objects().map_err(value_error)?, notes))
}

struct Request {
    paths: Vec<PathBuf>,
    features: Option<String>,
    skip_plies: usize,
    policy: Policy,
}

impl Request {
    fn read<G: Catalogue>(&self, stop: &Stop) -> PyResult<(CountTable, Vec<String>)> {
        let features = self.features.as_deref().unwrap_or(G::FEATURES[0].name);
        let features = G::features(features).map_err(value_error)?;
        let mut positions = PositionTable::new(&features, self.skip_plies);
        let account = for_each_game::<G>(&self.paths, self.policy, stop, |game| positions.add(game));
        let account = account.map_err(value_error)?;
        if account.kept() == 0 {
            return Err(PyValueError::new_err(format!("no usable games: {account}")));
        }
        let of_copies = positions.duplicates().note(account.kept());
        let dropped = (account.kept() < account.read()).then(|| account.to_string());
        Ok((positions.finish().map_err(value_error)?, dropped.into_iter().chain(of_copies).collect()))
    }
}

/// A trained network that reads the attributes of positions.
#[pyclass(frozen, module = "roughboard._core")]
pub struct Network {
    net: std::sync::Arc<Net>,
    about: About,
    specs: Vec<AttributeSpec>,
}

#[pymethods]
impl Network {
    /// The network in a file or the folder of a training.
    #[staticmethod]
    fn load(path: &str) -> PyResult<Self> {
        let (net, about) = store::load(Path::new(path)).map_err(value_error)?;
        let game: GameName = named("game", &about.game)?;
        let specs = roughboard::by_game!(game, G => specs::<G>(path, &net, &about)).map_err(value_error)?;
        let specs = specs.ok_or_else(|| {
            PyValueError::new_err(format!(
                "the network `{path}` was trained beside an evaluator, which needs positions and not their attributes"
            ))
        })?;
        Ok(Self { net: net.into(), about, specs })
    }

    #[getter]
    fn game(&self) -> &str {
        &self.about.game
    }

    #[getter]
    fn features(&self) -> &str {
        &self.about.features
    }

    #[getter]
    fn method(&self) -> &str {
        &self.about.method
    }

    #[getter]
    fn attributes(&self) -> Vec<&str> {
        self.specs.iter().map(|spec| spec.name.as_str()).collect()
    }

    /// The output for each object, as the bytes of reals.
    fn predict(&self, data: &Bound<'_, PyAny>, names: Option<Names>) -> PyResult<Numbers<f64>> {
        let (net, specs) = (self.net.clone(), self.specs.clone());
        let objects = Objects::of(data, names, |name| self.specs.iter().any(|spec| spec.name == name))?;
        interruptible(data.py(), move |_| objects.ask(|attributes| outputs(&net, &specs, attributes)))?
    }
}

/// The attributes that a network of the game reads; nothing if it needs an evaluator beside itself.
fn specs<G: Catalogue>(path: &str, net: &Net, about: &About) -> Result<Option<Vec<AttributeSpec>>, LoadError> {
    let network = GameNetwork::<G>::of(path, IntegerNet::of(net, Bits::ThirtyTwo), about)?;
    Ok(network.skip().is_none().then(|| network.features().attributes()))
}

fn outputs(net: &Net, specs: &[AttributeSpec], columns: &[Attribute]) -> PyResult<Numbers<f64>> {
    let coded = specs.iter().map(|spec| codes(spec, columns)).collect::<PyResult<Vec<_>>>()?;
    let n_rows = columns.first().map_or(0, Attribute::len);
    let stretch = |first: usize| {
        let rows = first..n_rows.min(first + ROWS);
        let codes: Vec<u8> =
            rows.flat_map(|row| coded.iter().map(move |(column, codes)| codes[column.code(row) as usize])).collect();
        net.outputs(CodeRows::new(&codes, specs.len()))
    };
    let firsts: Vec<usize> = (0..n_rows).step_by(ROWS).collect();
    let outputs: Vec<Vec<f32>> = firsts.into_par_iter().map(stretch).collect();
    Ok(Numbers(outputs.into_iter().flatten().map(f64::from).collect()))
}

/// The column that an attribute is read from, and the network's code of each of its values.
fn codes<'c>(spec: &AttributeSpec, columns: &'c [Attribute]) -> PyResult<(&'c Attribute, Vec<u8>)> {
    let missing = || PyValueError::new_err(format!("the table has no column `{}`, which the network reads", spec.name));
    let column = columns.iter().find(|column| column.name() == spec.name).ok_or_else(missing)?;
    let used = column.codes().used(column.n_values());
    let code = |(value, is_used): (&Value, bool)| {
        let known = spec.values.iter().position(|known| value.as_real() == Some(f64::from(*known)));
        let strange = || {
            let expected = spec.values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
            PyValueError::new_err(format!("column `{}`: expected one of {expected}, found {value}", spec.name))
        };
        if is_used { known.map(|code| code as u8).ok_or_else(strange) } else { Ok(0) }
    };
    let codes = column.domain().iter().zip(used).map(code).collect::<PyResult<_>>()?;
    Ok((column, codes))
}
