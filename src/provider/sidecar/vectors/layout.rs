//! Names and fixed bytes of the format: refnames and the manifest.
//!
//! Pure: values ↔ text, as `FORMAT.md` says. Reads and writes no storage.

use crate::base::id::ObjectId;

use super::{Error, Result};

/// Prefix of the refs of all models.
pub const REF_PREFIX: &str = "refs/cora/embeddings/";

const FORMAT: &str = "1";

/// Returns the prefix of a model's refs; `component` is
/// [`crate::provider::embedding::Model::component`].
pub(super) fn model_prefix(component: &str) -> String {
    format!("{REF_PREFIX}{component}/")
}

/// Returns the ref of a model's vectors of `commit`; `component` is
/// [`crate::provider::embedding::Model::component`].
pub fn ref_name(component: &str, commit: ObjectId) -> String {
    format!("{REF_PREFIX}{component}/{commit}")
}

/// The content of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) model: String,
    pub(super) dimensions: usize,
}

impl Manifest {
    pub(super) fn encode(&self) -> String {
        format!("format {FORMAT}\nmodel {}\ndimensions {}\n", self.model, self.dimensions)
    }

    /// Parses a manifest.
    ///
    /// # Errors
    /// [`Error::Newer`] for another format, [`Error::Corrupt`] for anything else that is
    /// wrong.
    pub(super) fn decode(bytes: &[u8], commit: ObjectId) -> Result<Self> {
        let text = std::str::from_utf8(bytes).map_err(|_| Error::Corrupt("the manifest is not text"))?;
        let mut lines = text.lines().map(|line| line.split_once(' ').unwrap_or((line, "")));
        match lines.next() {
            Some(("format", FORMAT)) => {}
            Some(("format", number)) if number.parse::<u32>().is_ok() => return Err(Error::Newer { commit }),
            _ => return Err(Error::Corrupt("the manifest names no format")),
        }
        let of = |name: &str| lines.clone().find(|(known, _)| *known == name).map(|(_, value)| value);
        let model = of("model").ok_or(Error::Corrupt("the manifest names no model"))?.to_owned();
        let dimensions = of("dimensions")
            .and_then(|value| value.parse().ok())
            .ok_or(Error::Corrupt("the manifest names no dimensions"))?;
        Ok(Self { model, dimensions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_round_trip_and_others_are_refused() {
        let id: ObjectId = "12".repeat(20).parse().unwrap();
        let manifest = Manifest { model: "voyage:voyage-code-3".into(), dimensions: 1024 };
        assert_eq!(Manifest::decode(manifest.encode().as_bytes(), id).unwrap(), manifest);
        let with_more = format!("{}later thing\n", manifest.encode());
        assert_eq!(Manifest::decode(with_more.as_bytes(), id).unwrap(), manifest);
        assert!(matches!(Manifest::decode(b"format 2\nmodel x\n", id), Err(Error::Newer { .. })));
        for bytes in [
            &b""[..],
            b"\xff",
            b"model x\n",
            b"format 1\nmodel x\n",
            b"format 1\ndimensions 4\n",
            b"format x",
        ] {
            assert!(matches!(Manifest::decode(bytes, id), Err(Error::Corrupt(_))));
        }
    }
}
