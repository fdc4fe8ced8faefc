//! A file's vectors, values ↔ bytes, as `FORMAT.md` says.
//!
//! The bytes are hostile: every length is checked before it is used, and [`decode`] accepts only
//! bytes that [`encode`] gives.

use crate::base::id::ObjectId;
use crate::provider::embedding::Row;

use super::{Error, Key, Result};

const MAGIC: &[u8; 4] = b"CVEC";
const FORMAT: u8 = 1;
const MAX_DIMENSIONS: u32 = 16_384;
const MAX_CHUNKS: u32 = 1 << 20;
/// Bytes of a chunk's key and scale.
const ROW_HEAD: usize = 20;

/// Largest blob that is read, in bytes.
pub(super) const MAX_BYTES: u64 = 512 << 20;

/// A file's vectors: checked bytes.
#[derive(Debug, Clone)]
pub struct FileVectors<'a> {
    /// The record that they were made from.
    pub record: ObjectId,
    /// Dimensions of each vector.
    pub dimensions: usize,
    rows: &'a [u8],
}

/// A chunk's vector within the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowRef<'a> {
    /// The key of the chunk's text.
    pub key: Key,
    /// The scale, from 0 to 1.
    pub scale: f32,
    /// The components as bytes, `[dimensions]`.
    pub components: &'a [u8],
}

impl<'a> FileVectors<'a> {
    /// Returns the rows, in the order of the chunks.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = RowRef<'a>> + use<'a> {
        let rows: &'a [u8] = self.rows;
        rows.chunks_exact(ROW_HEAD + self.dimensions).map(|row| {
            let (head, components) = row.split_at_checked(ROW_HEAD).unwrap_or((row, &[]));
            let (key, scale) = head.split_first_chunk::<16>().unwrap_or((&[0; 16], &[]));
            let scale = scale.first_chunk::<4>().copied().map_or(0.0, f32::from_le_bytes);
            RowRef { key: *key, scale, components }
        })
    }
}

impl RowRef<'_> {
    /// Copies the row out of the file's bytes.
    pub fn to_row(self) -> Row {
        Row { scale: self.scale, components: self.components.iter().map(|byte| byte.cast_signed()).collect() }
    }
}

/// Encodes a file's vectors; `None` if there are no rows, too many, or rows of different lengths.
pub fn encode(record: ObjectId, rows: &[(Key, Row)]) -> Option<Vec<u8>> {
    let dimensions = rows.first()?.1.components.len();
    let n_rows = u32::try_from(rows.len()).ok().filter(|n| *n <= MAX_CHUNKS)?;
    let n_dimensions = u32::try_from(dimensions).ok().filter(|n| (1..=MAX_DIMENSIONS).contains(n))?;
    let id = record.as_bytes();
    let mut out = Vec::with_capacity(18 + id.len() + rows.len() * (ROW_HEAD + dimensions));
    out.extend_from_slice(MAGIC);
    out.push(FORMAT);
    out.push(u8::try_from(id.len()).ok()?);
    out.extend_from_slice(id);
    out.extend_from_slice(&n_dimensions.to_le_bytes());
    out.extend_from_slice(&n_rows.to_le_bytes());
    for (key, row) in rows {
        if row.components.len() != dimensions {
            return None;
        }
        out.extend_from_slice(key);
        out.extend_from_slice(&row.scale.to_le_bytes());
        out.extend(row.components.iter().map(|x| x.max(&-127).cast_unsigned()));
    }
    out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
    Some(out)
}

/// Checks and opens the bytes of a file's vectors.
///
/// # Errors
/// [`Error::Corrupt`] for any bytes that [`encode`] does not give.
pub fn decode(bytes: &[u8]) -> Result<FileVectors<'_>> {
    let (body, crc) = bytes.split_last_chunk::<4>().ok_or(Error::Corrupt("they are too short"))?;
    let (magic, rest) = body.split_first_chunk::<4>().ok_or(Error::Corrupt("they are too short"))?;
    if magic != MAGIC {
        return Err(Error::Corrupt("their first bytes are wrong"));
    }
    if u32::from_le_bytes(*crc) != crc32fast::hash(body) {
        return Err(Error::Corrupt("their checksum does not match"));
    }
    let Some(([format, id_len], rest)) = rest.split_first_chunk::<2>() else {
        return Err(Error::Corrupt("they are too short"));
    };
    if *format != FORMAT {
        return Err(Error::Corrupt("their format is unknown"));
    }
    let (id, rest) =
        rest.split_at_checked(usize::from(*id_len)).ok_or(Error::Corrupt("they are too short"))?;
    let record = ObjectId::from_bytes(id).ok_or(Error::Corrupt("they name no record"))?;
    let (dimensions, rest) = number(rest)?;
    let (n_rows, rows) = number(rest)?;
    if !(1..=MAX_DIMENSIONS).contains(&dimensions) || !(1..=MAX_CHUNKS).contains(&n_rows) {
        return Err(Error::Corrupt("they have no dimensions or chunks, or too many"));
    }
    let dimensions = dimensions as usize;
    if rows.len() as u64 != u64::from(n_rows) * (ROW_HEAD as u64 + dimensions as u64) {
        return Err(Error::Corrupt("their length does not match"));
    }
    let vectors = FileVectors { record, dimensions, rows };
    for row in vectors.rows() {
        if !(row.scale.is_finite() && row.scale >= 0.0 && row.scale <= 1.0) || row.components.contains(&0x80)
        {
            return Err(Error::Corrupt("a vector is invalid"));
        }
    }
    Ok(vectors)
}

fn number(bytes: &[u8]) -> Result<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>().ok_or(Error::Corrupt("they are too short"))?;
    Ok((u32::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests {
    use super::super::key_of;
    use super::*;
    use proptest::prelude::*;

    fn sample() -> (ObjectId, Vec<(Key, Row)>) {
        let rows = (1..4u8).map(|n| {
            let vector: Vec<f32> = (0..5u8).map(|i| f32::from(n) - f32::from(i)).collect();
            (key_of(&format!("text {n}")), Row::quantise(&vector).unwrap())
        });
        ("ab".repeat(20).parse().unwrap(), rows.collect())
    }

    #[test]
    fn the_bytes_are_those_of_the_document() {
        let (record, rows) = sample();
        let bytes = encode(record, &rows).unwrap();
        assert_eq!(bytes.len(), 18 + 20 + 3 * (20 + 5));
        assert_eq!(&bytes[..6], b"CVEC\x01\x14");
        assert_eq!(&bytes[6..26], record.as_bytes());
        assert_eq!(&bytes[26..34], &[5, 0, 0, 0, 3, 0, 0, 0]);
        assert_eq!(&bytes[34..50], &rows[0].0);
        let known = "ba7816bf8f01cfea414140de5dae2223";
        let hex: String = key_of("abc").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, known);
        let back = decode(&bytes).unwrap();
        assert_eq!((back.record, back.dimensions), (record, 5));
        let back: Vec<_> = back.rows().map(|row| (row.key, row.to_row())).collect();
        assert_eq!(back, rows);
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let (record, rows) = sample();
        let bytes = encode(record, &rows).unwrap();
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0x55;
            assert!(decode(&bad).is_err(), "byte {at}");
            assert!(decode(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn hostile_bytes_with_a_right_checksum_are_refused() {
        let (record, rows) = sample();
        let bytes = encode(record, &rows).unwrap();
        let with = |at: usize, new: &[u8]| {
            let mut bad = bytes[..bytes.len() - 4].to_vec();
            bad[at..at + new.len()].copy_from_slice(new);
            bad.extend(crc32fast::hash(&bad).to_le_bytes());
            decode(&bad).is_err()
        };
        let last = bytes.len() - 5;
        for (at, new) in [
            (4, &[2][..]),
            (5, &[21]),
            (5, &[255]),
            (26, &[0; 4]),
            (26, &[255; 4]),
            (30, &[0; 4]),
            (30, &[255; 4]),
            (30, &[4, 0, 0, 0]),
            (50, &f32::NAN.to_le_bytes()),
            (50, &(-1f32).to_le_bytes()),
            (50, &f32::INFINITY.to_le_bytes()),
            (last, &[0x80]),
        ] {
            assert!(with(at, new), "{at} {new:?}");
        }
        assert!(!with(last, &[0x7f]));
        assert!(encode(record, &[]).is_none());
    }

    proptest! {
        #[test]
        fn any_bytes_end_in_a_value_or_an_error(mut bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
            bytes.splice(0..0, *b"CVEC\x01\x14");
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            if let Ok(vectors) = decode(&bytes) {
                prop_assert!(vectors.rows().len() > 0);
            }
        }
    }

    #[test]
    fn dimensions_and_chunks_are_bounded() {
        let record: ObjectId = "ab".repeat(20).parse().unwrap();
        let row = |n: usize| (Key::default(), Row { scale: 1.0, components: vec![1; n] });
        for (n, is_good) in [(0, false), (1, true), (16_384, true), (16_385, false)] {
            assert_eq!(encode(record, &[row(n)]).is_some(), is_good, "{n} dimensions");
        }
        let head = |dimensions: u32, n_rows: u32| {
            let mut bytes = b"CVEC\x01\x14".to_vec();
            bytes.extend_from_slice(record.as_bytes());
            bytes.extend(dimensions.to_le_bytes());
            bytes.extend(n_rows.to_le_bytes());
            bytes.resize(bytes.len() + (20 + dimensions as usize) * n_rows as usize, 0);
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            bytes
        };
        for (dimensions, n_rows, is_good) in [
            (16_384, 1, true),
            (16_385, 1, false),
            (1, 1 << 20, true),
            (1, (1 << 20) + 1, false),
            (0, 1, false),
            (1, 0, false),
        ] {
            assert_eq!(decode(&head(dimensions, n_rows)).is_ok(), is_good, "{dimensions} {n_rows}");
        }
    }
}
