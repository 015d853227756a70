//! Declarations that stand in many modules: errors of parts, and accounts that add up.

/// Declares why something fails whose parts have errors of their own: those of the parts are passed on as they are, and the
/// variants in the braces are its own.
macro_rules! errors {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident of $($part:ident($error:ty)),+ { $($own:tt)* }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $(
                #[doc = concat!("A `", stringify!($error), "`.")]
                $part(#[from] $error),
            )+
            $($own)*
        }
    };
}

/// Says that values of a type are added up field by field; all of its fields must be named.
macro_rules! sums {
    ($name:ident { $($field:ident),+ }) => {
        impl std::ops::Add for $name {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                Self { $($field: self.$field + other.$field),+ }
            }
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
                values.fold(Self::default(), std::ops::Add::add)
            }
        }
    };
}
