//! What a page forbids its viewer: everything but the style and the script that are part of it.

use sha2::{Digest, Sha256};

/// The content of the `meta` element that allows these styles and scripts, by their hashes, and nothing else: no network, no other
/// script, no form (Content Security Policy Level 3, section 2.3.1).
pub fn policy(style: &str, script: &str) -> String {
    let [style, script] = [style, script].map(source);
    format!("default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'")
}

/// An inline element as a source: the hash of its text.
fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text)))
}

/// `bytes` in the alphabet of RFC 4648, section 4, padded.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |chunk: &[u8]| {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let letter = move |at: usize| char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]);
        let used = chunk.len() + 1;
        (0..4).map(move |at| if at < used { letter(at) } else { '=' })
    };
    bytes.chunks(3).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_standard() {
        let vectors =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (text, expected) in vectors {
            assert_eq!(base64(text.as_bytes()), expected, "{text}");
        }
    }

    /// The example of Content Security Policy Level 3, section 8.4.
    #[test]
    fn a_source_is_the_hash_of_the_text() {
        assert_eq!(source("doSomething();"), "'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='");
    }
}
