//! The manifest of an index: its options and version, in a few bounded fields.
//!
//! It is the first part of an index that is read, and decides whether the rest can be used. It is
//! encoded by bincode 2 in its standard configuration. FORMAT.md describes the layout, so the crate
//! can be replaced without a new format. Decoding is limited to [`limits::MANIFEST_BYTES`].

use bincode::config::{Configuration, Limit, LittleEndian, Varint};

use crate::index::chunk::ChunkOptions;
use crate::index::embed;

use super::decode::check_version;
use super::{CONTENT_VERSION, Error, FORMAT_VERSION, limits};

const MAGIC: &[u8; 4] = b"corM";

const CODING: Configuration<LittleEndian, Varint, Limit<{ limits::MANIFEST_BYTES }>> =
    bincode::config::standard().with_limit::<{ limits::MANIFEST_BYTES }>();

/// The options and version of an index. Two indexes of one commit with equal manifests have the
/// same bytes.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Manifest {
    /// [`CONTENT_VERSION`] of the program that made the index.
    pub content_version: u16,
    /// `ChunkOptions::target_bytes`: target size of a chunk in bytes.
    pub target_bytes: u32,
    /// `ChunkOptions::window_tokens`: tokens of a window.
    pub window_tokens: u32,
    /// `ChunkOptions::window_overlap`: tokens that neighbouring windows share.
    pub window_overlap: u32,
    /// Size in bytes above which files were skipped.
    pub max_file_bytes: u64,
    /// The embedding model of its sketches.
    pub model: String,
    /// Languages whose grammars are missing in the program that made it, sorted; usually none.
    pub missing_grammars: Vec<String>,
}

/// The relation of an index to the one this program would make now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManifestState {
    /// It is the same.
    Current,
    /// An older version made it. It counts as not indexed.
    Older,
    /// This version made it with other options. It counts as not indexed here.
    OtherOptions,
    /// A newer version made it. It must not be overwritten.
    Newer,
}

impl Manifest {
    /// Returns the manifest that this program writes.
    pub fn current(options: &ChunkOptions, max_file_bytes: u64, missing_grammars: Vec<String>) -> Self {
        Self {
            content_version: CONTENT_VERSION,
            target_bytes: options.target_bytes,
            window_tokens: options.window_tokens,
            window_overlap: options.window_overlap,
            max_file_bytes,
            model: embed::builtin().name().to_owned(),
            missing_grammars,
        }
    }

    /// Returns the manifest's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(FORMAT_VERSION);
        let fields =
            bincode::encode_to_vec(self, CODING).expect("because the fields are short and of plain types");
        out.extend_from_slice(&fields);
        out
    }

    /// Decodes a manifest.
    ///
    /// # Errors
    /// [`Error::Version`] for another format, [`Error::Corrupt`] for anything else that is
    /// not a manifest.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let corrupt = |offset, why| Error::Corrupt { what: "manifest", offset, why };
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| corrupt(0, "magic number is missing"))?;
        let (&version, fields) = rest.split_first().ok_or_else(|| corrupt(4, "cut short"))?;
        check_version("manifest", version.into(), FORMAT_VERSION.into())?;
        if fields.len() > limits::MANIFEST_BYTES {
            return Err(corrupt(5, "longer than a manifest can be"));
        }
        let (manifest, read) = bincode::decode_from_slice::<Self, _>(fields, CODING)
            .map_err(|_| corrupt(5, "fields can't be decoded"))?;
        if read != fields.len() {
            return Err(corrupt(5 + read, "bytes after the last field"));
        }
        Ok(manifest)
    }

    /// Compares an index with the manifest bytes `found` to one with this manifest.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for bytes that are not a manifest of any version.
    pub fn compare(&self, found: &[u8]) -> Result<ManifestState, Error> {
        match Self::decode(found) {
            Ok(other) if other == *self => Ok(ManifestState::Current),
            Ok(other) if other.content_version > self.content_version => Ok(ManifestState::Newer),
            Ok(other) if other.content_version < self.content_version => Ok(ManifestState::Older),
            Ok(_) => Ok(ManifestState::OtherOptions),
            Err(Error::Version { found, expected, .. }) if found > expected => Ok(ManifestState::Newer),
            Err(Error::Version { .. }) => Ok(ManifestState::Older),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Manifest {
        Manifest::current(&ChunkOptions::default(), 10 << 20, vec!["swift".to_owned()])
    }

    #[test]
    fn round_trip_and_state() {
        let manifest = sample();
        assert_eq!(Manifest::decode(&manifest.encode()), Ok(manifest.clone()));
        let state = |other: &Manifest| manifest.compare(&other.encode()).unwrap();
        assert_eq!(state(&manifest), ManifestState::Current);
        assert_eq!(state(&Manifest { target_bytes: 9, ..sample() }), ManifestState::OtherOptions);
        assert_eq!(state(&Manifest { content_version: 0, ..sample() }), ManifestState::Older);
        assert_eq!(state(&Manifest { content_version: 900, ..sample() }), ManifestState::Newer);
        let mut newer = manifest.encode();
        newer[4] = 9;
        assert_eq!(manifest.compare(&newer), Ok(ManifestState::Newer));
    }

    #[test]
    fn every_cut_is_an_error() {
        let bytes = sample().encode();
        for len in 0..bytes.len() {
            assert!(Manifest::decode(&bytes[..len]).is_err(), "{len}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Manifest::decode(&bytes);
            let mut framed = b"corM\x01".to_vec();
            framed.extend(bytes);
            let _ = Manifest::decode(&framed);
        }
    }
}
