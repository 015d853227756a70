//! What a rough-set method cannot do.

/// Why a method was not run: its input is beyond what it can finish.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RoughError {
    /// Discernibility clauses are kept in 128 bits.
    #[error("{task} takes at most {limit} attributes, got {found}")]
    TooManyAttributes {
        /// What was asked for.
        task: &'static str,
        /// The number of attributes.
        found: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// Every pair of distinct rows would have to be compared.
    #[error("{task} compares all pairs of distinct rows: at most {limit} rows, got {found}")]
    TooManyRows {
        /// What was asked for.
        task: &'static str,
        /// The number of distinct rows.
        found: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// The answer would be too long, or take too long.
    #[error("{task} takes at most {limit} objects, got {found}")]
    TooManyObjects {
        /// What was asked for.
        task: &'static str,
        /// The number of objects.
        found: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// The counts would take gigabytes.
    #[error(
        "rules by inclusion degree count each decision at each value: at most {limit} counts, got {found}; cut numbers into intervals, \
         or leave out attributes that name the objects"
    )]
    TooManyCounts {
        /// The number of values times that of decisions.
        found: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// Clauses need a relation that each attribute decides alone.
    #[error(
        "reducts by discernibility need a relation that each attribute decides alone: chebyshev, not {metric}; backward elimination takes any"
    )]
    NotByAttribute {
        /// The metric that was asked for.
        metric: super::Metric,
    },
    /// The distribution in a neighbourhood is not a matter of pairs of objects.
    #[error("reducts under a relation preserve positive, generalized or information, got {notion}")]
    NotByPairs {
        /// The notion that was asked for.
        notion: super::Notion,
    },
    /// Differences of infinite numbers have no measure.
    #[error("attribute `{attribute}` has infinite numbers, of which no similarity is defined")]
    Infinite {
        /// The attribute.
        attribute: String,
    },
    /// Differences in units of a range that is no number have no measure either.
    #[error("the numbers of attribute `{attribute}` have a range that is too large for a number of 64 bits")]
    Range {
        /// The attribute.
        attribute: String,
    },
    /// What is not known is neither better nor worse.
    #[error("`{attribute}` has no value in {found} of {n_objects} objects, expected one in each")]
    MissingCriterion {
        /// The attribute, or the decision.
        attribute: String,
        /// The number of objects that lack a value.
        found: usize,
        /// The number of objects.
        n_objects: usize,
    },
    /// Texts have no order of their own.
    #[error("`{attribute}` has the text `{value}`, which the order of texts lacks")]
    Unranked {
        /// The attribute, or the decision.
        attribute: String,
        /// The text.
        value: String,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] crate::settings::SettingError),
}

impl RoughError {
    /// Refuses more attributes than a clause has bits.
    pub(super) fn check_width(task: &'static str, found: usize) -> Result<(), Self> {
        let limit = u128::BITS as usize;
        if found > limit { Err(Self::TooManyAttributes { task, found, limit }) } else { Ok(()) }
    }

    /// Refuses more objects than a task takes.
    pub(super) fn check_objects(task: &'static str, found: usize, limit: usize) -> Result<(), Self> {
        if found > limit { Err(Self::TooManyObjects { task, found, limit }) } else { Ok(()) }
    }

    /// Refuses more counts of values by decision than fit.
    pub(super) fn check_counts(found: usize, limit: usize) -> Result<(), Self> {
        if found > limit { Err(Self::TooManyCounts { found, limit }) } else { Ok(()) }
    }

    /// The range of the numbers of an attribute, from the least to the largest; refused if it is no number.
    pub(super) fn check_range(attribute: &str, (least, most): (f64, f64)) -> Result<f64, Self> {
        let attribute = attribute.to_owned();
        match most - least {
            range if range.is_finite() => Ok(range),
            _ if least.is_finite() && most.is_finite() => Err(Self::Range { attribute }),
            _ => Err(Self::Infinite { attribute }),
        }
    }

    /// Refuses more rows than can be compared.
    pub(super) fn check_rows(task: &'static str, found: usize, limit: usize) -> Result<(), Self> {
        if found > limit { Err(Self::TooManyRows { task, found, limit }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_the_limit_are_taken_and_one_more_is_refused() {
        type Check = fn(usize) -> Result<(), RoughError>;
        let checks: [(usize, Check); 4] = [
            (128, |found| RoughError::check_width("a test", found)),
            (7, |found| RoughError::check_objects("a test", found, 7)),
            (7, |found| RoughError::check_counts(found, 7)),
            (7, |found| RoughError::check_rows("a test", found, 7)),
        ];
        for (limit, check) in checks {
            assert_eq!(check(limit), Ok(()));
            let refused = check(limit + 1).unwrap_err().to_string();
            assert!(refused.contains(&format!("at most {limit} ")), "{refused}");
            assert!(refused.contains(&format!("got {}", limit + 1)), "{refused}");
        }
    }
}
