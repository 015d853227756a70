//! What a setting can be: values that are read from text and written as text.

use super::bounds::Bounds;
use super::error::SettingError;
use super::schema::{Kind, Settings, Value};

macro_rules! values {
    ($($value:ty, $kind:expr;)+) => {$(
        impl Value for $value {
            fn kind() -> Kind {
                $kind
            }

            fn show(&self) -> String {
                self.to_string()
            }

            fn read(&mut self, text: &str) -> bool {
                text.parse().map(|value| *self = value).is_ok()
            }
        }
    )+};
}

values! {
    bool, Kind::Flag;
    u32, Kind::Whole { most: u32::MAX.into() };
    u64, Kind::Whole { most: u64::MAX };
    usize, Kind::Whole { most: usize::MAX as u64 };
    f32, Kind::Real;
    f64, Kind::Real;
}

impl Value for String {
    fn kind() -> Kind {
        Kind::Text
    }

    fn show(&self) -> String {
        self.clone()
    }

    fn read(&mut self, text: &str) -> bool {
        text.clone_into(self);
        true
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

/// What may be absent: `none` then.
impl<T: Value + Default> Value for Option<T> {
    fn kind() -> Kind {
        T::kind()
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Value::show)
    }

    fn read(&mut self, text: &str) -> bool {
        let mut value = T::default();
        let is_none = text == "none";
        let is_read = is_none || value.read(text);
        if is_read {
            *self = (!is_none).then_some(value);
        }
        is_read
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn check_itself(&self) -> Result<(), SettingError> {
        self.as_ref().map_or(Ok(()), Value::check_itself)
    }

    fn group(&mut self) -> Option<&mut dyn Settings> {
        match T::kind() {
            Kind::Group(_) => self.get_or_insert_default().group(),
            _ => None,
        }
    }
}

/// Several, with commas between: `none` where there are none.
impl<T: Value + Default> Value for Vec<T> {
    fn kind() -> Kind {
        Kind::List(Box::new(T::kind()))
    }

    fn show(&self) -> String {
        if self.is_empty() { "none".to_owned() } else { self.iter().map(Value::show).collect::<Vec<_>>().join(",") }
    }

    fn read(&mut self, text: &str) -> bool {
        let one = |part: &str| {
            let mut value = T::default();
            value.read(part.trim()).then_some(value)
        };
        let is_none = text == "none";
        let values: Option<Self> = if is_none { Some(Self::new()) } else { text.split(',').map(one).collect() };
        values.map(|values| *self = values).is_some()
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }

    fn is_within(&self, bounds: &Bounds) -> bool {
        self.iter().all(|value| value.is_within(bounds))
    }
}
