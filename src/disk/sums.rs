//! Checksums inside files, by which a file that was changed since it was written is noticed when it is read.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{hexadecimal, write_whole};

/// What is wrong with a file or a line whose checksum is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it was changed or damaged since it was written: its checksum is that of something else")]
pub struct Changed;

/// Bytes of a digest that stand behind a sealed file.
const SEAL: usize = 32;

/// Writes `bytes` and their SHA-256 behind them to `path`: the whole file or, on an error, the old one stays.
///
/// # Errors
/// When the file cannot be written.
pub fn write_sealed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, &[bytes, &Sha256::digest(bytes)[..]].concat())
}

/// The bytes that [`write_sealed`] was given; those of a writer that knew no seals as they stand, if they are a whole file as they are,
/// which those with a seal behind them must never be.
///
/// # Errors
/// When the file cannot be read, or was changed ([`io::ErrorKind::InvalidData`]).
pub fn read_sealed(path: &Path, is_whole: impl FnOnce(&[u8]) -> bool) -> io::Result<Vec<u8>> {
    let mut bytes = fs::read(path)?;
    let (content, seal) = bytes.split_at(bytes.len().saturating_sub(SEAL));
    if Sha256::digest(content)[..] == seal[..] {
        bytes.truncate(bytes.len() - SEAL);
        Ok(bytes)
    } else if is_whole(&bytes) {
        Ok(bytes)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, Changed))
    }
}

/// How the last member of a sealed object begins, and how long its value is.
const SUM: (&str, usize) = (",\"sum\":\"", 16);

/// The text of a JSON object with a checksum of it as its last member, `sum`; other values have no room for one and stay as they are.
pub fn sealed_json(mut text: String) -> String {
    if text.ends_with('}') && text.len() > 2 {
        let sum = sum_of(text.as_bytes());
        text.truncate(text.len() - 1);
        text += &format!("{}{sum}\"}}", SUM.0);
    }
    text
}

/// The text that [`sealed_json`] was given; that of a writer that knew no checksums as it stands.
///
/// # Errors
/// When it was changed.
pub fn unsealed_json(text: &[u8]) -> Result<Cow<'_, [u8]>, Changed> {
    let text = text.trim_ascii_end();
    let split = || {
        let (before, sum) = text.strip_suffix(b"\"}")?.split_last_chunk::<{ SUM.1 }>()?;
        Some((before.strip_suffix(SUM.0.as_bytes())?, sum))
    };
    let Some((before, sum)) = split() else { return Ok(Cow::Borrowed(text)) };
    let whole = [before, b"}"].concat();
    if sum_of(&whole).as_bytes() == sum { Ok(Cow::Owned(whole)) } else { Err(Changed) }
}

fn sum_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..SUM.1 / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_any_bit_is_noticed_and_no_cut_passes_for_the_whole() {
        let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        write_sealed(&path, b"weights").unwrap();
        let read = |path: &Path| read_sealed(path, |bytes| bytes == b"older");
        assert_eq!(read(&path).unwrap(), b"weights");
        let whole = fs::read(&path).unwrap();
        for bit in 0..8 * whole.len() {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &changed).unwrap();
            assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::InvalidData, "bit {bit}");
        }
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(read(&path).is_err(), "{length} bytes");
        }
        fs::write(&path, b"older").unwrap();
        assert_eq!(read(&path).unwrap(), b"older");
    }

    #[test]
    fn a_line_with_its_checksum_is_still_json_and_one_without_is_taken_as_it_stands() {
        let plain = "{\"game\":1,\"moves\":\"a b\"}";
        let sealed = sealed_json(plain.to_owned());
        let value: serde_json::Value = serde_json::from_str(&sealed).unwrap();
        assert_eq!((&value["moves"], value["sum"].as_str().unwrap().len()), (&"a b".into(), 16));
        for text in [sealed.as_str(), plain, &format!("{sealed}\n")] {
            assert_eq!(&*unsealed_json(text.as_bytes()).unwrap(), plain.as_bytes());
        }
        assert_eq!(unsealed_json(sealed.replace("a b", "a c").as_bytes()), Err(Changed));
        assert_eq!(["7", "{}", "[1]"].map(|text| sealed_json(text.to_owned())), ["7", "{}", "[1]"]);
    }
}
