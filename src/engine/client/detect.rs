//! Which protocol an engine speaks, and how it names ranks, found by talking to it.

use std::time::Duration;

use super::{Budget, Client, ClientError, EngineCommand};
use crate::engine::Dialect;
use crate::eval::Catalogue;
use crate::game::Ranks;
use crate::game::line::Line;

/// How long an engine may take to answer UCI's greeting before it is greeted in UCCI too.
const FIRST_WORD: Duration = Duration::from_secs(1);

impl EngineCommand {
    /// The same with the protocol, the variant and the naming of ranks that the engine turns out to have. It is started and greeted in
    /// UCI, and in UCCI too if it does not answer or ends; told to play this game if it has several; and asked for a move in the initial position,
    /// which is legal by one naming of ranks alone. One that gives no legal move is taken to count ranks from 0: its games will tell.
    ///
    /// # Errors
    /// When it cannot be started, answers neither greeting, does not have one of the options, or tells of an error before it is ready.
    pub fn detected<G: Catalogue>(self) -> Result<Self, ClientError> {
        if !G::PROTOCOL.speaks_ucci {
            return Ok(self);
        }
        let longest = self.longest;
        let mut client = Client::launch(self)?;
        let greeted = client.greet_in_any();
        if matches!(greeted, Err(ClientError::Crashed { .. })) {
            // Engines of one protocol alone may leave on the greeting of the other.
            client = Client::launch(Self { dialect: Dialect::Ucci, ..client.command.clone() })?;
            client.greet().or(greeted)?;
        } else {
            greeted?;
        }
        // The ranks of a variant are looked at, not believed: engines differ in them.
        let variants = G::PROTOCOL.variants.iter().map(|(name, _)| *name);
        client.command.variant = variants.rev().find(|variant| client.announced.plays(variant));
        client.set_up()?;
        client.command.longest = client.command.longest.min(client.command.patience);
        let ranks = client.ranks::<G>();
        Ok(Self { ranks, longest, ..client.command.clone() })
    }
}

impl Client {
    fn greet_in_any(&mut self) -> Result<(), ClientError> {
        let patience = self.command.patience;
        self.process.send(Dialect::Uci.greeting());
        let answered = self.hear(&[Dialect::Uci], patience.min(FIRST_WORD));
        let in_both = matches!(answered, Err(ClientError::Hung { .. }));
        self.command.dialect = if in_both {
            self.process.send(Dialect::Ucci.greeting());
            self.hear(&[Dialect::Uci, Dialect::Ucci], patience)?
        } else {
            answered?
        };
        if in_both && self.command.dialect == Dialect::Uci {
            // It was only slow. If it speaks UCCI too, it has been told to by the second greeting: it is started anew.
            *self = Self::launch(self.command.clone())?;
            self.greet()?;
        }
        Ok(())
    }

    /// How it names ranks: by its move in the initial position.
    fn ranks<G: Catalogue>(&mut self) -> Ranks {
        let line = Line::<G>::initial();
        let answer = self.answer(&line, &Budget::to_depth(1));
        let mv = answer.ok().and_then(|(reply, _)| reply.mv).unwrap_or_default();
        let is_from_one = Ranks::FromOne.read(&line.start, &mv).is_ok();
        if is_from_one { Ranks::FromOne } else { Ranks::FromZero }
    }
}
