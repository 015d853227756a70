//! Relations between objects: which of them cannot be told from which.

use std::fmt;

use crate::choices;
use crate::settings::{SettingError, require};
use crate::table::TIE;

/// How objects are alike. Every relation here is reflexive and symmetric; only indiscernibility is transitive, so that
/// under the others each object has a neighbourhood of its own in place of a class.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Relation {
    /// IND(B): equal values on all attributes of B; a missing value is equal to itself only.
    #[default]
    Indiscernibility,
    /// Equal values wherever both are known: a missing value is like any (Kryszkiewicz, *Rough set approach to
    /// incomplete information systems*, Inf. Sci. 112, 1998).
    Tolerance,
    /// Numbers that are near, and equal values of every other kind (Hu et al., *Neighborhood rough set based
    /// heterogeneous feature subset selection*, Inf. Sci. 178, 2008).
    Neighbourhood(Neighbourhood),
}

/// What distance is near. Distances on an attribute are divided by its range, the largest less the smallest value of
/// its domain, and computed in 64-bit floating point; what is above the radius by a billionth of it counts as rounding.
///
/// An attribute is numeric if all its values are numbers or missing. A missing value is near to missing values only,
/// and every value of an attribute that is not numeric to itself only, whatever the radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbourhood {
    radius: f64,
    metric: Metric,
}

choices! {
    /// How distances on several attributes make one.
    pub enum Metric = Chebyshev {
        /// The largest: objects are near if they are so on every attribute.
        Chebyshev,
        /// The root of the sum of squares.
        Euclidean,
        /// The sum.
        Manhattan,
    }
}

impl Relation {
    /// The neighbourhoods of radius `radius` by `metric`.
    ///
    /// # Errors
    /// When the radius is negative or not finite; also when it is above 1 where attributes decide for themselves, since
    /// then all numbers are near.
    pub fn neighbourhood(radius: f64, metric: Metric) -> Result<Self, SettingError> {
        require(radius.is_finite() && radius >= 0.0, "radius", "a finite number of at least 0", radius)?;
        let can_tell = metric != Metric::Chebyshev || radius <= 1.0;
        require(can_tell, "radius", "at most 1, the whole range of an attribute, for `chebyshev`", radius)?;
        Ok(Self::Neighbourhood(Neighbourhood { radius, metric }))
    }

    /// The metric and the largest distance that is near, where attributes decide only together.
    pub(super) fn joint(self) -> Option<(Metric, f64)> {
        match self {
            Self::Neighbourhood(near) if near.metric != Metric::Chebyshev => Some((near.metric, near.reach())),
            _ => None,
        }
    }
}

impl Neighbourhood {
    /// The largest distance that is near, as a share of an attribute's range.
    pub const fn radius(self) -> f64 {
        self.radius
    }

    /// The largest distance that is near as it is computed: 0.8 - 0.7 is more than 0.1 then, and a sum depends on the
    /// order of the attributes. A radius of 0 stays 0.
    pub(super) fn reach(self) -> f64 {
        self.radius * (1.0 + TIE)
    }

    /// How distances are combined.
    pub const fn metric(self) -> Metric {
        self.metric
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Indiscernibility => f.write_str("indiscernibility"),
            Self::Tolerance => f.write_str("tolerance"),
            Self::Neighbourhood(near) => write!(f, "neighbourhood of radius {} ({})", near.radius, near.metric),
        }
    }
}
