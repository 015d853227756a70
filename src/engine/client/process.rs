//! A process that lines are sent to and received from, with a limit to every wait.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::EngineCommand;
use super::error::ClientError;
use crate::engine::input::{Line, Lines};
use crate::engine::refusal::on_one_line;

/// Lines that wait to be received before the engine has to wait in turn.
const QUEUE: usize = 256;

/// How long an engine may take to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// How long the system may take to say how a process ended whose output has ended, and to hand over its last complaint.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);

/// How much is kept of what an engine writes to its standard error, in bytes.
const ERROR_TAIL: usize = 1024;

/// A wait for something that an engine has to say.
pub(super) struct Wait {
    begun: Instant,
    patience: Duration,
    /// What is waited for, as errors call it.
    expected: &'static str,
}

impl Wait {
    /// From now on, for as long as `patience`.
    pub fn begin(patience: Duration, expected: &'static str) -> Self {
        Self { begun: Instant::now(), patience, expected }
    }

    fn left(&self) -> Duration {
        self.patience.saturating_sub(self.begun.elapsed())
    }
}

/// A running engine.
pub(super) struct Process {
    /// What messages call it.
    program: String,
    child: Child,
    /// Lines to write: a thread writes them, so that an engine that reads nothing blocks nobody.
    outgoing: Sender<String>,
    incoming: Receiver<Line>,
    error_output: ErrorOutput,
    /// The last line received.
    last: String,
}

/// The most characters of a program and its arguments that messages show.
const SHOWN: usize = 60;

/// A program with as many of its arguments as are short: several engines may be run by one program.
fn shown(program: &str, arguments: &[String]) -> String {
    let mut shown = program.to_owned();
    for argument in arguments {
        if shown.len() + argument.len() >= SHOWN || argument.contains(char::is_control) {
            return shown + " …";
        }
        shown = format!("{shown} {argument}");
    }
    shown
}

impl Process {
    pub fn start(command: &EngineCommand) -> Result<Self, ClientError> {
        let program = command.program.display().to_string();
        let failed = |source| ClientError::Start { program: program.clone(), source };
        let mut process = Command::new(&command.program);
        process.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            process.current_dir(folder);
        }
        let mut child = process.spawn().map_err(failed)?;
        let outgoing = start_writing(child.stdin.take()).map_err(failed)?;
        let incoming = start_reading(child.stdout.take()).map_err(failed)?;
        let error_output = ErrorOutput::of(child.stderr.take()).map_err(failed)?;
        Ok(Self {
            child,
            outgoing,
            incoming,
            error_output,
            last: String::new(),
            program: shown(&program, &command.arguments),
        })
    }

    pub fn program(&self) -> &str {
        &self.program
    }

    /// The last line received, fit to be shown.
    pub(crate) fn last_line(&self) -> String {
        on_one_line(&self.last)
    }

    /// Sends one line. That the engine is gone shows when an answer is due.
    pub fn send(&self, line: &str) {
        drop(self.outgoing.send(format!("{line}\n")));
    }

    /// The next line, if it comes before the end of `wait`.
    pub fn receive(&mut self, wait: &Wait) -> Result<String, ClientError> {
        let (program, expected) = (self.program.clone(), wait.expected);
        match self.incoming.recv_timeout(wait.left()) {
            // An engine that talks without end must not put the end off.
            Ok(_) if wait.left().is_zero() => Err(self.hung(wait)),
            Ok(Line::Text(line)) => {
                self.last.clone_from(&line);
                Ok(line)
            }
            Ok(Line::TooLong) => Err(ClientError::Garbage { program, expected }),
            Err(RecvTimeoutError::Timeout) => Err(self.hung(wait)),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.ended_within(EXIT_TIMEOUT);
                let status = status.unwrap_or_else(|| "its output is closed, but it runs".to_owned());
                within(EXIT_TIMEOUT, || self.error_output.reader.is_finished().then_some(()));
                Err(ClientError::Crashed { program, status, expected, last_words: self.last_words() })
            }
        }
    }

    fn hung(&self, wait: &Wait) -> ClientError {
        let (program, last_words) = (self.program.clone(), self.last_words());
        ClientError::Hung { program, expected: wait.expected, waited: wait.patience, last_words }
    }

    /// What it said last, as the end of a sentence.
    fn last_words(&self) -> String {
        let complaint = match self.error_output.text() {
            none if none.is_empty() => none,
            complaint => format!("; on standard error it said `{complaint}`"),
        };
        format!("its last line was `{}`{complaint}", self.last_line())
    }

    /// How it ended, if it does so within `time`.
    fn ended_within(&mut self, time: Duration) -> Option<String> {
        within(time, || match self.child.try_wait() {
            Ok(status) => status.map(|status| status.to_string()),
            Err(error) => Some(error.to_string()),
        })
    }
}

/// What `look` sees, if it sees something within `time`.
fn within<T>(time: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        match look() {
            None if begun.elapsed() < time => thread::sleep(Duration::from_millis(2)),
            seen => return seen,
        }
    }
}

/// The end of what an engine writes to its standard error.
struct ErrorOutput {
    tail: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl ErrorOutput {
    /// Starts a thread that reads them.
    fn of(stderr: Option<ChildStderr>) -> io::Result<Self> {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&tail);
        let read = move || {
            let Some(mut stderr) = stderr else { return };
            let mut chunk = [0; ERROR_TAIL];
            while let Ok(count @ 1..) = stderr.read(&mut chunk) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&chunk[..count]);
                let excess = kept.len().saturating_sub(ERROR_TAIL);
                kept.drain(..excess);
            }
        };
        Ok(Self { tail, reader: thread::Builder::new().name("client errors".into()).spawn(read)? })
    }

    /// What was read so far, fit to be shown.
    fn text(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        on_one_line(String::from_utf8_lossy(&tail).trim())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        if self.ended_within(QUIT_TIMEOUT).is_none() {
            // Nothing can be done about a process that cannot be ended.
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}

/// Starts a thread that writes lines until their sender is dropped or the engine is gone.
fn start_writing(stdin: Option<ChildStdin>) -> io::Result<Sender<String>> {
    let (outgoing, lines) = channel::<String>();
    let write = move || {
        let Some(mut stdin) = stdin else { return };
        for line in lines {
            if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("client output".into()).spawn(write)?;
    Ok(outgoing)
}

/// Starts a thread that reads lines until the engine ends or nobody receives them.
fn start_reading(stdout: Option<ChildStdout>) -> io::Result<Receiver<Line>> {
    let (lines, incoming) = sync_channel(QUEUE);
    let read = move || stdout.into_iter().flat_map(Lines::of).all(|line| lines.send(line).is_ok());
    thread::Builder::new().name("client input".into()).spawn(read)?;
    Ok(incoming)
}
