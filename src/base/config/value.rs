//! The types of settings' values, and their parsing.
//!
//! Text in, value out, with one `parse_…` function per type. Values are written like Git's own:
//! `true`/`yes`/`on`/`1`, and numbers with `k`, `m` or `g` for powers of 1024. The same functions
//! parse settings and flags, so that a value means the same everywhere.

use super::error::ConfigError;

/// When text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// Only on a terminal.
    Auto,
    /// Always, even into a pipe.
    Always,
    /// Never.
    Never,
}

/// A method of vector search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NeighbourSearch {
    /// Compare all vectors.
    Scan,
    /// Follow a graph of neighbours.
    Hnsw,
    /// The better of the two; see [`NeighbourSearch::uses_graph`].
    Auto,
}

impl NeighbourSearch {
    /// Returns whether to search with a graph.
    ///
    /// `Auto` never does: up to a million chunks, a scan is about as fast, finds more, and needs no
    /// graph to be built. See `doc/experiments/answer.md`.
    pub fn uses_graph(self) -> bool {
        self == Self::Hnsw
    }
}

/// The treatment of long text on a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pager {
    /// Use the pager that Git would choose.
    On,
    /// Use no pager.
    Off,
    /// Use this command, which the shell runs.
    Command(String),
}

/// Parses a boolean as Git does, ignoring case.
///
/// `true`, `yes`, `on` and every number but 0 are true. `false`, `no`, `off`, 0 and the empty value
/// are false. A key without `=` is true: the caller passes `true` for it.
///
/// # Errors
/// [`ConfigError::BadValue`] for anything else.
pub fn parse_bool(key: &str, value: &str) -> Result<bool, ConfigError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" | "" => Ok(false),
        number => match number.parse::<i64>() {
            Ok(number) => Ok(number != 0),
            Err(_) => Err(bad(key, value, "true or false")),
        },
    }
}

/// Parses a whole number from `min` to `max`, both included, with an optional `k`, `m` or `g`
/// (powers of 1024), as Git allows for every number.
///
/// # Errors
/// [`ConfigError::BadValue`] if it is not such a number, [`ConfigError::OutOfRange`] if it is out
/// of range.
pub fn parse_count(key: &str, value: &str, min: u64, max: u64) -> Result<u64, ConfigError> {
    scaled(key, value, "a whole number, such as 200", min, max)
}

/// Parses a number of bytes from `min` to `max`, both included, with an optional `k`, `m` or `g`
/// (powers of 1024).
///
/// # Errors
/// [`ConfigError::BadValue`] if it is not such a number, [`ConfigError::OutOfRange`] if it is out
/// of range.
///
/// ```
/// use git_cora::base::config::parse_bytes;
///
/// assert_eq!(parse_bytes("cora.cacheBytes", "2g", 0, u64::MAX), Ok(2 << 30));
/// let error = parse_bytes("cora.cacheBytes", "much", 0, u64::MAX).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid value 'much' for 'cora.cacheBytes': \
///      expected a number of bytes, such as 1500, 64k, 10m or 2g"
/// );
/// ```
pub fn parse_bytes(key: &str, value: &str, min: u64, max: u64) -> Result<u64, ConfigError> {
    scaled(key, value, "a number of bytes, such as 1500, 64k, 10m or 2g", min, max)
}

/// Parses when to use colour: `auto`, `always`, `never`, or a boolean.
///
/// As for Git's own `color.*` keys, true means `auto` and false means `never`.
///
/// # Errors
/// [`ConfigError::BadValue`] for anything else.
pub fn parse_color(key: &str, value: &str) -> Result<Color, ConfigError> {
    match value.to_ascii_lowercase().as_str() {
        "auto" => Ok(Color::Auto),
        "always" => Ok(Color::Always),
        "never" => Ok(Color::Never),
        _ => match parse_bool(key, value) {
            Ok(true) => Ok(Color::Auto),
            Ok(false) => Ok(Color::Never),
            Err(_) => Err(bad(key, value, "auto, always or never")),
        },
    }
}

/// Parses a method of vector search: `scan`, `hnsw` or `auto`, in any case.
///
/// # Errors
/// [`ConfigError::BadValue`] for anything else.
pub fn parse_neighbour_search(key: &str, value: &str) -> Result<NeighbourSearch, ConfigError> {
    match value.to_ascii_lowercase().as_str() {
        "scan" => Ok(NeighbourSearch::Scan),
        "hnsw" => Ok(NeighbourSearch::Hnsw),
        "auto" => Ok(NeighbourSearch::Auto),
        _ => Err(bad(key, value, "scan, hnsw or auto")),
    }
}

/// Parses the choice of a pager: a boolean, or anything else as a command, as for Git's own
/// `pager.*` keys.
///
/// # Errors
/// [`ConfigError::BadValue`] for a command with a NUL character, which can't be passed to a shell.
pub fn parse_pager(key: &str, value: &str) -> Result<Pager, ConfigError> {
    match parse_bool(key, value) {
        Ok(true) => Ok(Pager::On),
        Ok(false) => Ok(Pager::Off),
        Err(_) if value.contains('\0') => {
            Err(bad(key, &value.replace('\0', "\\0"), "a boolean or a command"))
        }
        Err(_) => Ok(Pager::Command(value.to_owned())),
    }
}

fn scaled(key: &str, value: &str, expected: &'static str, min: u64, max: u64) -> Result<u64, ConfigError> {
    let text = value.trim();
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    // `u64::from_str` alone would accept a leading `+`, and would report too many digits as another
    // kind of error.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad(key, value, expected));
    }
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    match number {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        _ => Err(ConfigError::OutOfRange { key: key.to_owned(), value: value.to_owned(), min, max }),
    }
}

pub(super) fn bad(key: &str, value: &str, expected: &'static str) -> ConfigError {
    ConfigError::BadValue { key: key.to_owned(), value: value.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_are_gits() {
        let cases = [
            ("true", Some(true)),
            ("YES", Some(true)),
            ("on", Some(true)),
            ("2", Some(true)),
            ("-1", Some(true)),
            ("false", Some(false)),
            ("Off", Some(false)),
            ("0", Some(false)),
            ("", Some(false)),
            ("maybe", None),
        ];
        for (value, expected) in cases {
            assert_eq!(parse_bool("cora.autoPrune", value).ok(), expected, "{value}");
        }
    }

    #[test]
    fn numbers_have_units_and_bounds() {
        let cases =
            [("1", Some(1)), ("64k", Some(65536)), ("1M", Some(1 << 20)), (" 7 ", Some(7)), ("0", None)];
        for (value, expected) in cases {
            assert_eq!(parse_bytes("cora.chunkBytes", value, 1, 1 << 20).ok(), expected, "{value}");
        }
        for value in ["", "k", "+1", "-1", "1.5", "1kk", "1 k", "٣", "é"] {
            assert!(matches!(parse_count("k", value, 0, 9), Err(ConfigError::BadValue { .. })), "{value}");
        }
        for value in ["10", "18446744073709551616", "99999999999999999999g", "17179869184g"] {
            assert!(matches!(parse_count("k", value, 0, 9), Err(ConfigError::OutOfRange { .. })), "{value}");
        }
    }

    #[test]
    fn colours_and_pagers_are_gits() {
        assert_eq!(parse_color("color.cora", "true"), Ok(Color::Auto));
        assert_eq!(parse_color("color.cora", "Always"), Ok(Color::Always));
        assert_eq!(parse_color("color.cora", "false"), Ok(Color::Never));
        assert!(parse_color("color.cora", "red").is_err());
        assert_eq!(parse_neighbour_search("cora.ann", "HNSW"), Ok(NeighbourSearch::Hnsw));
        assert!(parse_neighbour_search("cora.ann", "fast").is_err());
        assert_eq!(parse_pager("pager.cora", "no"), Ok(Pager::Off));
        assert_eq!(parse_pager("pager.cora", "less -R"), Ok(Pager::Command("less -R".to_owned())));
        assert!(parse_pager("pager.cora", "less\0").is_err());
    }
}
