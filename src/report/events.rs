//! Event files, which TensorBoard and its relatives draw as curves during a run.
//!
//! A file is a sequence of records: the length of the data (u64), a checksum of the length, the data, a checksum of the
//! data; numbers are little-endian. The data of each is an `Event` message. The first names the version of the format.

use crc::{CRC_32_ISCSI, Crc};

use crate::protobuf::{Message, field_numbers};

const CRC32C: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);
/// What TensorFlow adds to a rotated checksum, so that checksums of data that hold checksums stay good ones.
const MASK: u32 = 0xa282_ead8;

field_numbers! {
    /// Fields of `Event`.
    event { WALL_TIME = 1, STEP = 2, FILE_VERSION = 3, SUMMARY = 5 }
    /// Fields of `Summary` and `Summary.Value`.
    summary { VALUE = 1, TAG = 1, SIMPLE_VALUE = 2 }
}

/// What was measured at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement<'a> {
    /// How far the run had come, such as positions seen.
    pub step: u64,
    /// Names of curves and their values there; kept in single precision.
    pub scalars: Vec<(&'a str, f64)>,
}

/// The bytes of an event file with these measurements, in their order. More measurements give a longer file that begins
/// with the same bytes, so that a file can grow under a reader.
///
/// The wall time of an event, in seconds, is its step: the file depends on nothing but the measurements.
pub fn event_file<'a>(measurements: impl IntoIterator<Item = Measurement<'a>>) -> Vec<u8> {
    let mut file = record(&Message::new().double(event::WALL_TIME, 0.0).text(event::FILE_VERSION, "brain.Event:2"));
    for measurement in measurements {
        file.extend(record(&event(&measurement)));
    }
    file
}

fn event(measurement: &Measurement<'_>) -> Message {
    let value =
        |&(tag, value): &(&str, f64)| Message::new().text(summary::TAG, tag).float(summary::SIMPLE_VALUE, value as f32);
    let values = Message::new().messages(summary::VALUE, measurement.scalars.iter().map(value));
    Message::new()
        .double(event::WALL_TIME, measurement.step as f64)
        .int(event::STEP, measurement.step as i64)
        .message(event::SUMMARY, &values)
}

fn record(message: &Message) -> Vec<u8> {
    let data = message.as_bytes();
    let length = (data.len() as u64).to_le_bytes();
    [&length[..], &masked_checksum(&length), data, &masked_checksum(data)].concat()
}

fn masked_checksum(data: &[u8]) -> [u8; 4] {
    CRC32C.checksum(data).rotate_right(15).wrapping_add(MASK).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first record is the same in every file but for its time; its length is 24.
    #[test]
    fn records_are_framed_as_tensorflow_frames_them() {
        // RFC 3720, B.4: the CRC32C of 32 zero bytes.
        assert_eq!(CRC32C.checksum(&[0; 32]), 0x8a91_36aa);
        let file = event_file([]);
        assert_eq!(&file[..8], &24_u64.to_le_bytes());
        // The masked checksum of the length 24, as it stands in the files of TensorFlow.
        assert_eq!(&file[8..12], &[0xa3, 0x7f, 0x4b, 0x22]);
        assert_eq!(file.len(), 8 + 4 + 24 + 4);
        assert!(file.windows(13).any(|bytes| bytes == b"brain.Event:2"));
    }

    #[test]
    fn a_longer_run_begins_with_the_same_bytes() {
        let at = |step| Measurement { step, scalars: vec![("mse/held-out", 0.5), ("mse/training", f64::NAN)] };
        let (short, long) = (event_file([at(0)]), event_file([at(0), at(1000)]));
        assert!(long.starts_with(&short) && long.len() > short.len());
    }
}
