//! The options of commands that can read tables larger than memory.

use std::path::PathBuf;

use roughboard::table::Memory;

/// The units of sizes, of which the first letters say enough.
const UNITS: [(&str, u64); 10] = [
    ("", 1),
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// How much memory a table may take whose different rows are all that a question depends on.
#[derive(clap::Args)]
pub struct MemoryLimit {
    /// Merge equal rows while the table is read, within about so much memory, such as 2GB or 512MiB: for tables larger than memory
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,
    /// With --memory: the folder for rows that do not fit, in a file without a name [default: that of the system, TMPDIR]
    #[arg(long, value_name = "DIR", requires = "memory")]
    temp: Option<String>,
}

impl MemoryLimit {
    /// The limit for whoever reads the table, if there is one.
    pub fn of_reading(&self) -> Option<Memory> {
        self.memory.map(|limit| Memory { limit, folder: self.temp.as_ref().map(PathBuf::from) })
    }
}

/// A size in bytes: a number and a unit.
fn size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size above 0, such as 2GB, 512MiB or 1.5GB".to_owned();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (text[..end].parse::<f64>(), text[end..].trim().to_lowercase());
    let unit = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, bytes)| *bytes as f64);
    let bytes = number.ok().zip(unit).map(|(number, unit)| (number * unit) as u64);
    bytes.filter(|&bytes| bytes > 0).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_usual_units() {
        let sizes =
            [("2GB", 2_000_000_000), ("512MiB", 512 << 20), ("1.5 gb", 1_500_000_000), ("77", 77), ("3kB", 3_000)];
        for (text, bytes) in sizes {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "GB", "-1GB", "0", "2G B", "1.2.3MB", "2XB", "many"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
