//! Settings that are declared once: name, type, default, range and one line of documentation.
//!
//! [`settings!`](crate::settings!) writes a struct of them, [`choices!`](crate::choices!) a type whose values have names.
//! Everything else asks the declaration: files and manifests through serde, lists of `name=value` through [`Settings::with`],
//! range checks, options of the command line and of engines, tables of the documentation.
//!
//! ```
//! use roughboard::settings::Settings;
//!
//! roughboard::settings! {
//!     /// How far to look.
//!     #[derive(Debug, Clone, PartialEq)]
//!     pub struct Sight {
//!         /// Plies to look ahead.
//!         pub depth: u32 = 4, in 1..=64;
//!         /// Whether leaves are searched on.
//!         pub quiescence: bool = true;
//!     }
//! }
//!
//! let sight = Sight::default().with("depth=7").unwrap();
//! assert_eq!(sight, Sight { depth: 7, quiescence: true });
//! let error = sight.with("depth=65").unwrap_err();
//! assert_eq!(error.to_string(), "`depth` must be in [1, 64], got 65");
//! ```

mod bounds;
mod changes;
mod error;
mod macros;
mod schema;
mod value;
mod words;

pub use bounds::{Bounds, Number, above, require_in};
pub use changes::{Change, Changes};
pub(crate) use error::perhaps;
pub use error::{SettingError, assignment, require, within};
pub(crate) use schema::nearest;
pub use schema::{Choice, Choices, Kind, Leaf, Setting, Settings, Value, choice, leaves, leaves_of, one_of};
pub use words::{counted, first_of, kebab};

// The macros live at the root of the crate, as all that are exported do.
pub use crate::{choices, composite, settings};

/// Whether a setting has the value that stands for "none", for settings that are written only where they are set.
pub fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
