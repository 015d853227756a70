//! Conversations with the engine, in the thread of the test.

use roughboard::engine::{Searcher, Session, Task};
use roughboard::eval::Catalogue;
use roughboard::games::xiangqi::Xiangqi;

/// A session whose tasks are done in the same thread, when it is told so.
pub struct Conversation<G: Catalogue = Xiangqi> {
    pub session: Session<G>,
    searcher: Searcher<G>,
    pub task: Option<Task<G>>,
    pub said: Vec<u8>,
}

impl<G: Catalogue> Conversation<G> {
    pub fn new() -> Self {
        let session = Session::new().unwrap();
        Self { session, searcher: Searcher::default(), task: None, said: Vec::new() }
    }

    /// What the engine says to `line` at once.
    pub fn tell(&mut self, line: &str) -> String {
        let mut out = Vec::new();
        let task = self.session.receive(line, &mut out).unwrap();
        assert!(task.is_none() || self.task.is_none(), "one task at a time");
        self.task = task.or(self.task.take());
        self.said.extend(&out);
        String::from_utf8(out).unwrap()
    }

    /// Does the task, if there is one, and gives what the engine says meanwhile.
    pub fn finish(&mut self) -> String {
        let mut text = String::new();
        if let Some(task) = self.task.take() {
            let answer = self.searcher.perform(task, &mut |said| text += &said);
            let mut out = Vec::new();
            self.session.answered(answer, &mut out).unwrap();
            text += std::str::from_utf8(&out).unwrap();
        }
        self.said.extend(text.bytes());
        text
    }

    /// What the engine says to `line` and while it does what that asks for.
    pub fn say(&mut self, line: &str) -> String {
        self.tell(line) + &self.finish()
    }
}
