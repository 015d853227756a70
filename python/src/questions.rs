//! Questions about a table: classes, approximations, core, reducts, certificates.

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roughboard::rough::{
    Approximation, Approximations, Certificate, Effort, Fraction, Method, Minimum, Notion, Partition, Precision,
    Quotient, Reduct, Refutation,
};
use roughboard::settings::SettingError;
use roughboard::table::DecisionTable;

use crate::errors::value_error;
use crate::input::Names;
use crate::numbers::Numbers;
use crate::table::{Table, to_python};
use crate::work::{Stop, get_threads, interruptible, new_pool};

/// A fraction as its two numbers.
type Share = (u64, u64);

fn share(fraction: Fraction) -> Share {
    (fraction.numerator, fraction.denominator)
}

/// What a word stands for that an argument is given.
pub fn named<T: FromStr<Err = SettingError>>(argument: &str, word: &str) -> PyResult<T> {
    let of_argument = |error| match error {
        SettingError::Value { range, found, .. } => SettingError::value(argument, &range, found),
        other => other,
    };
    word.parse().map_err(|error| value_error(of_argument(error)))
}

fn names(table: &DecisionTable, reduct: &Reduct) -> Vec<String> {
    table.names(reduct.attrs()).into_iter().map(str::to_owned).collect()
}

/// The class of each object, the first object and the weight of each class.
#[pyfunction]
pub fn partition(
    py: Python<'_>,
    table: &Table,
    attributes: Option<Names>,
) -> PyResult<(Numbers<u32>, Numbers<u32>, Numbers<u64>)> {
    let (attrs, table) = (table.attrs(attributes.as_deref())?, table.table.clone());
    interruptible(py, move |_| {
        let partition = Partition::by(&table, &attrs);
        let class_of = (0..partition.n_objects()).map(|object| partition.class_of(object) as u32).collect();
        (Numbers(class_of), Numbers(partition.first_objects().to_vec()), Numbers(partition.weights(&table)))
    })
}

/// |POS_B(d)| and |U|.
#[pyfunction]
pub fn gamma(py: Python<'_>, table: &Table, attributes: Option<Names>, beta: Option<&str>) -> PyResult<Share> {
    let (attrs, precision, table) = (table.attrs(attributes.as_deref())?, precision(beta)?, table.decided()?);
    interruptible(py, move |_| match precision {
        None => share(Partition::by(&table, &attrs).gamma(&table)),
        Some(precision) => share(Approximations::of(&table, &attrs).with_precision(precision).gamma()),
    })
}

fn precision(beta: Option<&str>) -> PyResult<Option<Precision>> {
    let Some(beta) = beta else { return Ok(None) };
    let wrong = |_| SettingError::value("beta", "a number such as 0.8 or a fraction such as 4/5", beta);
    let beta: Fraction = beta.parse().map_err(wrong).map_err(value_error)?;
    Precision::new(beta).map(Some).map_err(value_error)
}

/// The approximation of a decision class: its value, the rows of its lower and upper approximation, boundary and negative
/// region, accuracy and quality.
type OfDecision<'py> = (Bound<'py, PyAny>, [Numbers<u32>; 4], Share, Share);

/// γ, accuracy, the rows of the positive region and of the boundary, and the approximation of each decision class.
type Approximated<'py> = (Share, Share, Numbers<u32>, Numbers<u32>, Vec<OfDecision<'py>>);

#[pyfunction]
pub fn approximations<'py>(
    py: Python<'py>,
    table: &Table,
    attributes: Option<Names>,
    beta: Option<&str>,
) -> PyResult<Approximated<'py>> {
    let (attrs, precision, table) = (table.attrs(attributes.as_deref())?, precision(beta)?, table.decided()?);
    let shared = table.clone();
    let (gamma, accuracy, positive, boundary, each) = interruptible(py, move |_| {
        let exact = Approximations::of(&table, &attrs);
        let whole = match precision {
            None => exact,
            Some(precision) => exact.with_precision(precision),
        };
        let each: Vec<Approximation> = (0..table.n_decisions() as u32).map(|code| whole.of_decision(code)).collect();
        let rows = |objects: Vec<u32>| rows(&table, objects);
        (share(whole.gamma()), share(whole.accuracy()), rows(whole.positive_region()), rows(whole.boundary()), each)
    })?;
    let of_decision = |(value, found): (_, Approximation)| {
        let Approximation { lower, upper, boundary, negative, accuracy, quality } = found;
        let rows = [lower, upper, boundary, negative].map(|objects| rows(&shared, objects));
        Ok((to_python(py, value)?, rows, share(accuracy), share(quality)))
    };
    let each = shared.decision().domain().iter().zip(each).map(of_decision).collect::<PyResult<_>>()?;
    Ok((gamma, accuracy, positive, boundary, each))
}

/// The rows that objects come from, each once.
fn rows(table: &DecisionTable, objects: Vec<u32>) -> Numbers<u32> {
    let mut rows: Vec<u32> = objects.into_iter().map(|object| table.row_of(object)).collect();
    rows.dedup();
    Numbers(rows)
}

/// What must be preserved on which attributes of which table.
struct Reducing {
    table: std::sync::Arc<DecisionTable>,
    attrs: roughboard::table::AttrSet,
    notion: Notion,
}

impl Reducing {
    /// Only indiscernibility itself asks nothing of the decision.
    fn new(table: &Table, attributes: Option<&[String]>, notion: &str) -> PyResult<Self> {
        let notion = named("notion", notion)?;
        let attrs = table.attrs(attributes)?;
        let table = if notion == Notion::Information { table.table.clone() } else { table.decided()? };
        Ok(Self { table, attrs, notion })
    }

    fn quotient(&self) -> Quotient {
        Quotient::new(&self.table, &self.attrs, self.notion)
    }
}

/// The names of the attributes that every reduct holds.
#[pyfunction]
pub fn core(py: Python<'_>, table: &Table, attributes: Option<Names>, notion: &str) -> PyResult<Vec<String>> {
    let reducing = Reducing::new(table, attributes.as_deref(), notion)?;
    interruptible(py, move |_| {
        let core = reducing.quotient().core();
        reducing.table.names(&core).into_iter().map(str::to_owned).collect()
    })
}

/// The names of the attributes of a reduct, and how many attributes each method that was tried came to.
type Tried = (Vec<String>, Vec<(String, usize)>);

/// One reduct.
#[pyfunction]
pub fn reduct(
    py: Python<'_>,
    table: &Table,
    attributes: Option<Names>,
    notion: &str,
    method: Option<&str>,
) -> PyResult<Tried> {
    let reducing = Reducing::new(table, attributes.as_deref(), notion)?;
    let method: Option<Method> = method.map(|word| named("method", word)).transpose()?;
    interruptible(py, move |_| {
        let quotient = reducing.quotient();
        let (reduct, tried) = match method {
            Some(method) => {
                let reduct = quotient.reduct(method);
                let tried = vec![(method, reduct.len())];
                (reduct, tried)
            }
            None => {
                let quick = quotient.quick_reduct();
                (quick.reduct, quick.tried)
            }
        };
        let tried = tried.into_iter().map(|(method, size)| (method.to_string(), size)).collect();
        (names(&reducing.table, &reduct), tried)
    })
}

/// The names of the attributes of a shortest reduct, and how many every reduct has at least.
#[pyfunction]
pub fn minimum_reduct(
    py: Python<'_>,
    table: &Table,
    attributes: Option<Names>,
    notion: &str,
    time_limit: Option<f64>,
) -> PyResult<(Vec<String>, usize)> {
    let reducing = Reducing::new(table, attributes.as_deref(), notion)?;
    if let Some(limit) = time_limit.filter(|limit| limit.is_nan() || *limit <= 0.0) {
        return Err(PyValueError::new_err(format!("time_limit must be above 0, got {limit}")));
    }
    interruptible(py, move |stop| {
        let start = Instant::now();
        let is_over = || stop.is_asked() || time_limit.is_some_and(|limit| start.elapsed().as_secs_f64() > limit);
        let Minimum { reduct, lower_bound } = reducing.quotient().minimum_reduct(&is_over, stop);
        (names(&reducing.table, &reduct), lower_bound)
    })
}

/// Reducts as they are found.
#[pyclass(frozen, module = "roughboard._core")]
pub struct Reducts {
    found: Mutex<Option<Receiver<Vec<String>>>>,
    stop: Stop,
}

/// Reducts that may wait to be asked for.
const WAITING: usize = 1 << 10;
/// How long the next reduct is waited for between looks at signals.
const PATIENCE: Duration = Duration::from_millis(50);

#[pyfunction]
pub fn reducts(table: &Table, attributes: Option<Names>, notion: &str, limit: Option<usize>) -> PyResult<Reducts> {
    let reducing = Reducing::new(table, attributes.as_deref(), notion)?;
    let (sender, found) = mpsc::sync_channel(WAITING);
    let (stop, mut left) = (Stop::default(), limit.unwrap_or(usize::MAX));
    let asked = stop.clone();
    // Threads of its own: they wait for whoever takes the reducts, and other questions must not wait for that.
    let pool = new_pool(get_threads()?)?;
    pool.spawn(move || {
        let mut give = |reduct: Reduct| {
            if left == 0 || sender.send(names(&reducing.table, &reduct)).is_err() {
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        };
        let _ = reducing.quotient().visit_reducts(&|| asked.is_asked(), &mut give);
    });
    Ok(Reducts { found: Mutex::new(Some(found)), stop })
}

#[pymethods]
impl Reducts {
    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        // Another thread that asks for the next one at the same time finds none: there is one for each.
        let taken = self.found.lock().map_or(None, |mut found| found.take());
        let Some(mut receiver) = taken else { return Ok(None) };
        loop {
            let received = match receiver.try_recv() {
                Ok(reduct) => Ok(reduct),
                Err(TryRecvError::Disconnected) => return Ok(None),
                Err(TryRecvError::Empty) => {
                    let (received, back) = py.detach(move || (receiver.recv_timeout(PATIENCE), receiver));
                    receiver = back;
                    received
                }
            };
            match received {
                Ok(reduct) => {
                    if let Ok(mut found) = self.found.lock() {
                        *found = Some(receiver);
                    }
                    return Ok(Some(reduct));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

impl Drop for Reducts {
    fn drop(&mut self) {
        self.stop.ask();
    }
}

/// The JSON form of the certificate of a reduct.
#[pyfunction]
pub fn certificate(py: Python<'_>, table: &Table, reduct: Names, notion: &str, lower_bound: bool) -> PyResult<String> {
    let reducing = Reducing::new(table, None, notion)?;
    let attrs = table.attrs(Some(&reduct))?;
    let made = interruptible(py, move |stop| {
        let reduct = reducing.quotient().check_reduct(&attrs)?;
        let certificate = Certificate::of(&reducing.table, &reduct).ok()?;
        Some(if lower_bound { certificate.with_lower_bound(&reducing.table, Effort::Full, stop) } else { certificate })
    })?;
    let certificate = made.ok_or_else(|| PyValueError::new_err(format!("{} no reduct of the table", are(&reduct))))?;
    serde_json::to_string(&certificate).map_err(value_error)
}

/// The names with their verb.
fn are(names: &[String]) -> String {
    let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names {
        [] => "the empty set is".to_owned(),
        [_] => format!("{list} is"),
        _ => format!("{list} are"),
    }
}

/// Refuses a text that is no certificate.
#[pyfunction]
pub fn check_certificate(certificate: &str) -> PyResult<()> {
    read_certificate(certificate).map(|_| ())
}

fn read_certificate(text: &str) -> PyResult<Certificate> {
    serde_json::from_str(text)
        .map_err(|error| PyValueError::new_err(format!("it is no certificate of a reduct: {error}")))
}

/// The reasons why a certificate does not hold.
#[pyfunction]
pub fn verify(py: Python<'_>, table: &Table, certificate: &str) -> PyResult<Vec<String>> {
    let certificate = read_certificate(certificate)?;
    let table = if certificate.notion == Notion::Information { table.table.clone() } else { table.decided()? };
    let in_words = |refutation: &Refutation| refutation.numbered_from(0);
    interruptible(py, move |_| certificate.refutations(&table).iter().map(in_words).collect())
}
