//! The manifest of an index: what it was made with, in a few bounded fields.
//!
//! It is the first thing that is read of an index and decides whether the rest can be used. Coded by bincode 2
//! (its standard configuration; the layout is in FORMAT.md, so that the crate can be replaced without a new
//! format); decoding is limited to [`limits::MANIFEST_BYTES`].

use bincode::config::{Configuration, Limit, LittleEndian, Varint};

use crate::index::chunk::ChunkOptions;

use super::decode::check_version;
use super::{CONTENT_VERSION, Error, FORMAT_VERSION, limits};

const MAGIC: &[u8; 4] = b"corM";

const CODING: Configuration<LittleEndian, Varint, Limit<{ limits::MANIFEST_BYTES }>> =
    bincode::config::standard().with_limit::<{ limits::MANIFEST_BYTES }>();

/// What an index was made with. Two indexes with equal manifests of one commit are the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Manifest {
    /// [`CONTENT_VERSION`] of the program that made it.
    pub content_version: u16,
    /// `ChunkOptions::target_bytes`.
    pub target_bytes: u32,
    /// `ChunkOptions::window_tokens`.
    pub window_tokens: u32,
    /// `ChunkOptions::window_overlap`.
    pub window_overlap: u32,
    /// Files of more bytes than this were skipped.
    pub max_file_bytes: u64,
    /// The embedding model of its vectors; empty without vectors.
    pub model: String,
    /// Names of the languages whose grammars the program was built without, sorted; usually none.
    pub missing_grammars: Vec<String>,
}

/// How an index stands to what this program would make now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManifestState {
    /// It is what this program would make.
    Current,
    /// It was made by an older version: it counts as not indexed.
    Older,
    /// It was made by this version with other options: it counts as not indexed here.
    OtherOptions,
    /// It was made by a newer version: it must not be overwritten.
    Newer,
}

impl Manifest {
    /// The manifest that this program writes.
    pub fn current(options: &ChunkOptions, max_file_bytes: u64, missing_grammars: Vec<String>) -> Self {
        Self {
            content_version: CONTENT_VERSION,
            target_bytes: options.target_bytes,
            window_tokens: options.window_tokens,
            window_overlap: options.window_overlap,
            max_file_bytes,
            model: String::new(),
            missing_grammars,
        }
    }

    /// The manifest's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(FORMAT_VERSION);
        let fields =
            bincode::encode_to_vec(self, CODING).expect("because the fields are short and of plain types");
        out.extend_from_slice(&fields);
        out
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// [`Error::Version`] for another format, [`Error::Corrupt`] for anything that is no manifest.
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

    /// How an index with the manifest bytes `found` stands to one with `self`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for bytes that are no manifest of any version.
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
