//! The connection to an engine, and one question to it.

// Of the client's own errors, which are told once a query.
#![allow(clippy::result_large_err)]

use std::cell::Cell;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use spark_connect_proto::data_type::Kind;

use super::answer::Answer;
use super::connect::Connection;
use super::error::{EngineError, said};
use crate::observe::Observer;

/// How long a connection may take to come about.
const PATIENCE: Duration = Duration::from_secs(5);
/// While an answer is awaited, so often it is looked whether the engine is still there.
const LOOK: Duration = Duration::from_secs(3);
/// So many looks in vain, and the engine is taken for gone.
const LOOKS: u32 = 3;

/// A Spark Connect server, with a session of its own on it.
pub struct Engine<'o> {
    /// Host and port.
    address: String,
    connection: Connection,
    observer: &'o dyn Observer,
    n_questions: Cell<usize>,
}

impl<'o> Engine<'o> {
    /// Connects to `spark://HOST:PORT`. Each question is told to `observer`.
    ///
    /// # Errors
    /// When the address is none, or nothing answers there.
    pub fn connect(url: &str, observer: &'o dyn Observer) -> Result<Self, EngineError> {
        let address = address(url)?;
        let unreachable = |reason: String| EngineError::Unreachable { address: address.clone(), reason };
        look(&address).map_err(unreachable)?;
        let connection = Connection::to(&address).map_err(|error| unreachable(said(&error.message())))?;
        Ok(Self { address, connection, observer, n_questions: Cell::new(0) })
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// How many questions were asked.
    pub const fn n_questions(&self) -> usize {
        self.n_questions.get()
    }

    /// Tells the observer what came of the last question, which was asked at `since`.
    pub fn tell(&self, question: &str, found: &str, since: Instant) {
        let (number, seconds) = (self.n_questions.get(), since.elapsed().as_secs_f64());
        self.observer.step(&format!("query {number}: {question}: {found}, {seconds:.2} s"));
    }

    /// Asks for an answer that has rows.
    pub(super) fn ask(&self, question: &str, sql: String) -> Result<Answer, EngineError> {
        self.n_questions.set(self.n_questions.get() + 1);
        let connection = self.connection.clone();
        let batches = self.wait(question, move || connection.execute(&sql))?;
        Ok(Answer::new(question, batches))
    }

    /// As [`Engine::ask`]; the observer is told when the answer is there.
    pub(super) fn ask_and_tell(&self, question: &str, sql: String) -> Result<Answer, EngineError> {
        let since = Instant::now();
        let answer = self.ask(question, sql)?;
        self.tell(question, "done", since);
        Ok(answer)
    }

    /// Has something done that gives no rows, such as making a view.
    pub(super) fn command(&self, question: &str, sql: String) -> Result<(), EngineError> {
        let connection = self.connection.clone();
        self.wait(question, move || connection.execute(&sql).map(drop))
    }

    /// The names and types of the columns of a view.
    pub(super) fn columns(&self, question: &str, sql: String) -> Result<Vec<(String, Option<Kind>)>, EngineError> {
        let connection = self.connection.clone();
        self.wait(question, move || connection.columns(&sql))
    }

    /// Waits for `work` as long as the engine is there: by itself the connection would be tried again for many minutes.
    fn wait<T: Send + 'static>(
        &self,
        question: &str,
        work: impl FnOnce() -> spark_connect_core::Result<T> + Send + 'static,
    ) -> Result<T, EngineError> {
        let (sender, receiver) = channel();
        thread::spawn(move || sender.send(work()).unwrap_or_default());
        let gone = || EngineError::Gone { address: self.address.clone(), question: question.to_owned() };
        let mut in_vain = 0;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(answer) => {
                    return answer.map_err(|error| EngineError::Failed {
                        address: self.address.clone(),
                        question: question.to_owned(),
                        reason: said(&error.message()),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if look(&self.address).is_ok() => in_vain = 0,
                Err(RecvTimeoutError::Timeout) if in_vain + 1 < LOOKS => in_vain += 1,
                Err(RecvTimeoutError::Timeout) => return Err(gone()),
            }
        }
    }
}

/// Host and port of `spark://HOST:PORT`.
fn address(url: &str) -> Result<String, EngineError> {
    let wrong = || EngineError::Address(url.to_owned());
    let address = url.strip_prefix("spark://").ok_or_else(wrong)?.trim_end_matches('/');
    let (host, port) = address.rsplit_once(':').ok_or_else(wrong)?;
    let is_host = !host.is_empty() && !host.contains(['/', '@', ';', '?', ' ']);
    if is_host && port.parse::<u16>().is_ok_and(|port| port > 0) { Ok(address.to_owned()) } else { Err(wrong()) }
}

/// Whether something listens at the address, or else why not.
fn look(address: &str) -> Result<(), String> {
    let addresses: Vec<SocketAddr> = address.to_socket_addrs().map_err(|error| error.to_string())?.collect();
    let mut reason = "its name has no address".to_owned();
    for one in addresses {
        match TcpStream::connect_timeout(&one, PATIENCE) {
            Ok(_) => return Ok(()),
            Err(error) => reason = error.to_string(),
        }
    }
    Err(reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;

    #[test]
    fn addresses_are_host_and_port() {
        assert_eq!(address("spark://node1:15002").unwrap(), "node1:15002");
        assert_eq!(address("spark://[::1]:15002/").unwrap(), "[::1]:15002");
        for wrong in
            ["sc://a:1", "spark://a", "spark://:1", "spark://a:0", "spark://a:x", "a:15002", "spark://a/b:1", ""]
        {
            assert!(address(wrong).unwrap_err().to_string().contains("expected spark://HOST:PORT"), "{wrong}");
        }
    }

    #[test]
    fn an_engine_that_is_not_there_is_told_at_once() {
        // A port that was free a moment ago.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let error = Engine::connect(&format!("spark://127.0.0.1:{free}"), &Silent).err().unwrap().to_string();
        assert!(error.starts_with(&format!("no engine answers at 127.0.0.1:{free}: ")), "{error}");
    }
}
