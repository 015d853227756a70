//! A session on a pair of streams: one thread reads, one searches, and the caller's writes.

use crate::eval::Catalogue;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use super::input::{Line, Lines};
use super::refusal::Refusal;
use super::searcher::Searcher;
use super::session::Session;
use super::task::{Answer, Task};

/// Events that wait to be dealt with before reader and search have to wait in turn.
const QUEUE: usize = 64;

/// The stack of the searching thread, in bytes: the search calls itself once a ply.
const STACK: usize = 16 << 20;

/// Why serving ended before the client did.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The answers could not be written.
    #[error("cannot write the engine's answers")]
    Output(#[from] io::Error),
    /// A thread could not be had.
    #[error("cannot start the engine's {what}")]
    Thread {
        /// What the thread was for.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The search ended without an answer.
    #[error("the search thread ended in the middle of its work")]
    SearchLost,
}

/// What reaches the writing thread.
enum Event<M> {
    /// A line of the client; `None` at the end of its stream.
    Input(Option<Line>),
    /// Text of the running search.
    Said(String),
    Answered(Answer<M>),
    /// The searching thread is no more.
    SearchLost,
}

/// Serves the client that sends `input` until it says `quit` or its stream ends; a search is stopped then. Lines are read
/// while a search runs; those after `stop` wait until the search has ended, which takes some thousand nodes at most.
///
/// # Errors
/// When `output` cannot be written, or a thread cannot be started.
pub fn serve<G: Catalogue>(
    session: Session<G>,
    input: impl Read + Send + 'static,
    output: &mut impl Write,
) -> Result<(), ServeError> {
    let (events, inbox) = sync_channel(QUEUE);
    start_reading(input, events.clone())?;
    let tasks = start_searching::<G>(events)?;
    Server { session, inbox, tasks, pending: VecDeque::new(), output }.run()
}

fn start_reading<M: Send + 'static>(
    input: impl Read + Send + 'static,
    events: SyncSender<Event<M>>,
) -> Result<(), ServeError> {
    let read = move || {
        let lines = Lines::of(input).map(Some).chain([None]);
        // Sending fails once nobody serves any more.
        lines.map(Event::Input).all(|event| events.send(event).is_ok());
    };
    let started = thread::Builder::new().name("engine input".into()).spawn(read);
    started.map(drop).map_err(|source| ServeError::Thread { what: "reader", source })
}

/// Starts a thread that does tasks until their sender is dropped.
fn start_searching<G: Catalogue>(events: SyncSender<Event<G::Move>>) -> Result<Sender<Task<G>>, ServeError> {
    let (tasks, todo) = channel::<Task<G>>();
    let work = move || {
        let _notice = EndNotice(events.clone());
        let mut searcher = Searcher::<G>::default();
        for task in todo {
            let answer = searcher.perform(task, &mut |text| drop(events.send(Event::Said(text))));
            if events.send(Event::Answered(answer)).is_err() {
                break;
            }
        }
    };
    let started = thread::Builder::new().name("engine search".into()).stack_size(STACK).spawn(work);
    started.map(|_| tasks).map_err(|source| ServeError::Thread { what: "search", source })
}

/// Says that the searching thread has ended, however it did.
struct EndNotice<M>(SyncSender<Event<M>>);

impl<M> Drop for EndNotice<M> {
    fn drop(&mut self) {
        // Nobody listens after an orderly end.
        drop(self.0.send(Event::SearchLost));
    }
}

struct Server<'a, G: Catalogue, W> {
    session: Session<G>,
    inbox: Receiver<Event<G::Move>>,
    tasks: Sender<Task<G>>,
    /// Input that came while the session was waiting for an answer, or that it holds back.
    pending: VecDeque<Option<Line>>,
    output: &'a mut W,
}

impl<G: Catalogue, W: Write> Server<'_, G, W> {
    fn run(mut self) -> Result<(), ServeError> {
        let outcome = self.serve();
        self.session.stop_search();
        outcome
    }

    fn serve(&mut self) -> Result<(), ServeError> {
        while !self.session.is_over() {
            if self.is_input_due()
                && let Some(input) = self.pending.pop_front()
            {
                self.take(input)?;
                continue;
            }
            match self.inbox.recv().map_err(|_| ServeError::SearchLost)? {
                Event::Input(input) => self.pending.push_back(input),
                Event::Said(text) => self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush())?,
                Event::Answered(answer) => self.session.answered(answer, self.output)?,
                Event::SearchLost => return Err(ServeError::SearchLost),
            }
        }
        Ok(())
    }

    /// Whether there is input that need not wait.
    fn is_input_due(&self) -> bool {
        let is_held = |line: &Line| matches!(line, Line::Text(text) if self.session.holds_back(text));
        let next = self.pending.front();
        !self.session.is_waiting() && next.is_some_and(|input| !input.as_ref().is_some_and(is_held))
    }

    fn take(&mut self, input: Option<Line>) -> Result<(), ServeError> {
        match input {
            Some(Line::Text(line)) => {
                if let Some(task) = self.session.receive(&line, self.output)? {
                    self.tasks.send(task).map_err(|_| ServeError::SearchLost)?;
                }
            }
            Some(Line::TooLong) => self.session.refuse(&Refusal::TooLong, self.output)?,
            None => self.session.close(self.output)?,
        }
        Ok(())
    }
}
