//! Writing messages in the encoding of Protocol Buffers, as event files and ONNX models want them.
//!
//! A message is a sequence of fields; each begins with its number and one of a few wire types
//! (<https://protobuf.dev/programming-guides/encoding/>). Reading is not needed here.

/// The numbers of the fields of messages, a module a message: `message { FIELD = 1, OTHER = 2 }`.
macro_rules! field_numbers {
    ($($(#[$doc:meta])* $message:ident { $($field:ident = $number:literal),* })*) => {
        $($(#[$doc])* mod $message { $(pub const $field: u32 = $number;)* })*
    };
}
pub(crate) use field_numbers;

/// How the value of a field is laid out.
#[derive(Clone, Copy)]
enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Length = 2,
    Fixed32 = 5,
}

/// A message under construction: every call appends a field. The same calls give the same bytes.
///
/// ```
/// use roughboard::protobuf::Message;
/// let inner = Message::new().int(1, 150);
/// let outer = Message::new().text(2, "testing").message(3, &inner);
/// assert_eq!(inner.as_bytes(), [0x08, 0x96, 0x01]);
/// assert_eq!(outer.as_bytes(), b"\x12\x07testing\x1a\x03\x08\x96\x01");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// A message without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// The message as it stands in a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a whole number (`int32`, `int64`, `bool` or an enumeration).
    #[must_use]
    pub fn int(mut self, field: u32, value: i64) -> Self {
        self.key(field, Wire::Varint);
        self.varint(value as u64);
        self
    }

    /// Appends a number in single precision (`float`).
    #[must_use]
    pub fn float(mut self, field: u32, value: f32) -> Self {
        self.key(field, Wire::Fixed32);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// Appends a number in double precision (`double`).
    #[must_use]
    pub fn double(mut self, field: u32, value: f64) -> Self {
        self.key(field, Wire::Fixed64);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// Appends a text (`string`).
    #[must_use]
    pub fn text(self, field: u32, value: &str) -> Self {
        self.data(field, value.as_bytes())
    }

    /// Appends bytes (`bytes`).
    #[must_use]
    pub fn data(mut self, field: u32, value: &[u8]) -> Self {
        self.key(field, Wire::Length);
        self.varint(value.len() as u64);
        self.bytes.extend_from_slice(value);
        self
    }

    /// Appends a message.
    #[must_use]
    pub fn message(self, field: u32, value: &Self) -> Self {
        self.data(field, &value.bytes)
    }

    /// Appends one field a message.
    #[must_use]
    pub fn messages(self, field: u32, values: impl IntoIterator<Item = Self>) -> Self {
        values.into_iter().fold(self, |message, value| message.message(field, &value))
    }

    fn key(&mut self, field: u32, wire: Wire) {
        self.varint(u64::from(field) << 3 | wire as u64);
    }

    /// Seven bits a byte, the lowest first; the highest bit of a byte says that another follows.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the encoding's own documentation, and the ends of the ranges.
    #[test]
    fn fields_are_encoded_as_the_documentation_says() {
        assert_eq!(Message::new().int(1, 1).as_bytes(), [0x08, 0x01]);
        assert_eq!(Message::new().int(1, 86_942).as_bytes(), [0x08, 0x9e, 0xa7, 0x05]);
        let minus_two = [&[0x08, 0xfe], &[0xff; 8][..], &[0x01]].concat();
        assert_eq!(Message::new().int(1, -2).as_bytes(), minus_two);
        assert_eq!(Message::new().int(16, 0).as_bytes(), [0x80, 0x01, 0x00]);
        assert_eq!(Message::new().float(2, 1.0).as_bytes(), [0x15, 0, 0, 0x80, 0x3f]);
        assert_eq!(Message::new().double(1, 1.0).as_bytes(), [0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
        let long = Message::new().data(1, &[7; 300]);
        assert_eq!((&long.as_bytes()[..3], long.as_bytes().len()), (&[0x0a, 0xac, 0x02][..], 303));
    }
}
