//! A model behind what is done to its columns first.

use super::{Forecast, Model, ModelSize};
use crate::table::{Attribute, TableError};

/// A model of columns as `prepare` makes them.
pub struct Prepared<P> {
    pub prepare: P,
    pub model: Box<dyn Model>,
}

impl<P> Model for Prepared<P>
where
    P: Fn(&[Attribute]) -> Result<Vec<Attribute>, TableError> + Send + Sync,
{
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        self.model.predict(&(self.prepare)(columns)?)
    }

    fn size(&self) -> ModelSize {
        self.model.size()
    }
}
