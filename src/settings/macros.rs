//! The declarations.

/// Declares a struct of settings. Each field has one line of documentation, a default and, if it is a number, a range:
/// `pub depth: u32 = 4, in 1..=64;`. Behind the range may stand `as "OPTION"`, where the command line spells the field in its own
/// way, and `serde(…)`, what serde is to be told of it. `and METHOD` behind the struct names a method that checks how the fields go
/// together.
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field_vis:vis $field:ident : $type:ty = $default:expr
                $(, in $range:expr)?
                $(, as $option:literal)?
                $(, serde $serde:tt)?
                ;
            )+
        }
        $(and $together:ident)?
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $(
                $(#[doc = $doc])+
                $(#[serde $serde])?
                $field_vis $field: $type,
            )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }

        impl $name {
            /// Checks the ranges.
            ///
            /// # Errors
            /// For the first setting that cannot be.
            // Private settings may be checked as parts of others alone.
            #[allow(dead_code)]
            $vis fn check(&self) -> Result<(), $crate::settings::SettingError> {
                $crate::settings::Settings::check(self)
            }
        }

        impl $crate::settings::Settings for $name {
            fn declared() -> &'static [$crate::settings::Setting] {
                static DECLARED: std::sync::LazyLock<Vec<$crate::settings::Setting>> = std::sync::LazyLock::new(|| {
                    vec![$(
                        $crate::settings::Setting::of::<$type>(stringify!($field), concat!($($doc),+))
                            $(.within($range))?
                            $(.spelled($option))?
                    ),+]
                });
                &DECLARED
            }

            fn schema(&self) -> &'static [$crate::settings::Setting] {
                Self::declared()
            }

            fn values(&self) -> Vec<&dyn $crate::settings::Value> {
                vec![$(&self.$field),+]
            }

            fn values_mut(&mut self) -> Vec<&mut dyn $crate::settings::Value> {
                vec![$(&mut self.$field),+]
            }

            fn check(&self) -> Result<(), $crate::settings::SettingError> {
                self.check_each()?;
                $(self.$together()?;)?
                Ok(())
            }
        }

        /// Settings may stand in settings.
        impl $crate::settings::Value for $name {
            fn kind() -> $crate::settings::Kind {
                $crate::settings::Kind::Group(<Self as $crate::settings::Settings>::declared)
            }

            fn check_itself(&self) -> Result<(), $crate::settings::SettingError> {
                $crate::settings::Settings::check(self)
            }

            fn group(&mut self) -> Option<&mut dyn $crate::settings::Settings> {
                Some(self)
            }
        }
    };
}

/// Declares a type whose values have names, each with one line of documentation: `HeldOut,` is called `held-out`, and
/// `HeldOut = "name",` as the text says. `| "name"` behind it is another name that is understood. Behind the type's name stands
/// `= VARIANT`, the usual one.
#[macro_export]
macro_rules! choices {
    // The name of a variant: as it is declared, or else from that of the variant.
    (@name $variant:ident $text:literal) => {
        $text
    };
    (@name $variant:ident) => {{
        const NAME: &([u8; 64], usize) = &$crate::settings::kebab(stringify!($variant));
        match str::from_utf8(NAME.0.split_at(NAME.1).0) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        }
    }};
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident = $default:ident {
            $(
                $(#[doc = $doc:literal])+
                $variant:ident $(= $text:literal)? $(| $alias:literal)*,
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        $vis enum $name {
            $(
                $(#[doc = $doc])+
                $(#[serde(rename = $text)])?
                $(#[serde(alias = $alias)])*
                $variant,
            )+
        }

        impl $crate::settings::Choices for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const NAMES: &'static [$crate::settings::Choice] = &[$($crate::settings::Choice {
                name: $crate::choices!(@name $variant $($text)?),
                doc: concat!($($doc),+),
                aliases: &[$($alias),*],
            }),+];

            fn name(self) -> &'static str {
                <Self as $crate::settings::Choices>::NAMES[self as usize].name
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$default
            }
        }

        /// The name.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::settings::Choices::name(*self))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::settings::SettingError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let mut value = Self::default();
                if $crate::settings::Value::read(&mut value, text) {
                    return Ok(value);
                }
                let names = $crate::settings::one_of(<Self as $crate::settings::Choices>::NAMES);
                Err($crate::settings::SettingError::value("value", &names, text))
            }
        }

        impl $crate::settings::Value for $name {
            fn kind() -> $crate::settings::Kind {
                $crate::settings::Kind::Choice(<Self as $crate::settings::Choices>::NAMES)
            }

            fn show(&self) -> String {
                $crate::settings::Choices::name(*self).to_owned()
            }

            fn read(&mut self, text: &str) -> bool {
                let names = <Self as $crate::settings::Choices>::NAMES;
                let at = names.iter().position(|choice| choice.name == text || choice.aliases.contains(&text));
                at.map(|at| *self = <Self as $crate::settings::Choices>::ALL[at]).is_some()
            }
        }
    };
}

/// Says of types with a method `check` that they may stand in settings, although they have a form of their own in files and are
/// set in no other way.
#[macro_export]
macro_rules! composite {
    ($($type:ty),+) => {$(
        impl $crate::settings::Value for $type {
            fn kind() -> $crate::settings::Kind {
                $crate::settings::Kind::Other
            }

            fn check_itself(&self) -> Result<(), $crate::settings::SettingError> {
                self.check()
            }
        }
    )+};
}
