//! Compression of one chunk's strings: a zstd frame of its own, with the dictionary in the binary.
//!
//! Why a frame per chunk: when one chunk of a file changes, the other frames keep their bytes.
//! Git's packs then store the new record as a delta of a few hundred bytes. With one frame for the
//! whole record, every byte after the change would differ.
//!
//! The frames have no magic number, no content size, no dictionary id and no checksum: Git's object
//! id is the checksum, and the record states the size. The compressed bytes are part of the
//! record's identity. Level, dictionary and zstd version may change only together with
//! `CONTENT_VERSION`.

use std::cell::RefCell;
use std::sync::LazyLock;

use zstd::zstd_safe::{CCtx, CDict, CParameter, DCtx, DDict, DParameter, FrameFormat};

use super::{Error, limits};

/// The dictionary: frequent words of source code in sixteen languages, made by `cargo xtask
/// train-dictionary`.
static DICTIONARY: &[u8] = include_bytes!("frame.dict");

/// Compression level: higher levels save little and cost much more time. See
/// `doc/experiments/index.md`.
const LEVEL: i32 = 6;

static COMPRESSING: LazyLock<CDict<'static>> = LazyLock::new(|| CDict::create(DICTIONARY, LEVEL));
static DECOMPRESSING: LazyLock<DDict<'static>> = LazyLock::new(|| DDict::create(DICTIONARY));

thread_local! {
    static COMPRESSOR: RefCell<Option<CCtx<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<DCtx<'static>>> = const { RefCell::new(None) };
}

fn compressor() -> CCtx<'static> {
    let mut context = CCtx::create();
    for parameter in [
        CParameter::CompressionLevel(LEVEL),
        CParameter::Format(FrameFormat::Magicless),
        CParameter::ContentSizeFlag(false),
        CParameter::ChecksumFlag(false),
        CParameter::DictIdFlag(false),
    ] {
        context.set_parameter(parameter).expect("because the linked zstd knows these parameters");
    }
    context.ref_cdict(&COMPRESSING).expect("because the dictionary was made for compressing");
    context
}

fn decompressor() -> DCtx<'static> {
    let mut context = DCtx::create();
    context
        .set_parameter(DParameter::Format(FrameFormat::Magicless))
        .expect("because the linked zstd knows frames without a magic number");
    context.ref_ddict(&DECOMPRESSING).expect("because the dictionary was made for decompressing");
    context
}

/// Compresses `raw`, appends the frame to `out`, and returns its length in bytes.
pub(super) fn compress(raw: &[u8], out: &mut Vec<u8>) -> usize {
    COMPRESSOR.with_borrow_mut(|slot| {
        let context = slot.get_or_insert_with(compressor);
        let mut frame = Vec::with_capacity(zstd::zstd_safe::compress_bound(raw.len()));
        let n = context.compress2(&mut frame, raw).expect("because the buffer holds the worst case");
        out.extend_from_slice(&frame);
        n
    })
}

/// Decompresses `frame` into `raw`; it must give exactly `raw_len` bytes (at most
/// [`limits::FRAME_BYTES`]).
///
/// # Errors
/// [`Error::Limit`] if `raw_len` is above its bound, [`Error::Corrupt`] if the frame is
/// broken or gives another number of bytes. A frame that would inflate further is stopped at
/// `raw_len`.
pub(super) fn decompress(
    frame: &[u8],
    raw_len: usize,
    offset: usize,
    raw: &mut Vec<u8>,
) -> Result<(), Error> {
    if raw_len > limits::FRAME_BYTES {
        return Err(Error::Limit {
            what: "record",
            unit: "bytes in a frame",
            found: raw_len as u64,
            bound: limits::FRAME_BYTES as u64,
        });
    }
    raw.clear();
    raw.reserve(raw_len);
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let context = slot.get_or_insert_with(decompressor);
        // The destination has exactly the stated length, so zstd stops there with an error.
        raw.resize(raw_len, 0);
        let n = context.decompress(raw.as_mut_slice(), frame).map_err(|_| Error::Corrupt {
            what: "record",
            offset,
            why: "keyword frame can't be decompressed",
        })?;
        if n == raw_len {
            Ok(())
        } else {
            Err(Error::Corrupt { what: "record", offset, why: "keyword frame has the wrong length" })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_wrong_lengths() {
        let raw = b"return\nself\nvalue\n".repeat(20);
        let mut frame = Vec::new();
        let n = compress(&raw, &mut frame);
        assert_eq!(n, frame.len());
        let mut back = Vec::new();
        decompress(&frame, raw.len(), 0, &mut back).unwrap();
        assert_eq!(back, raw);
        for wrong in [0, 1, raw.len() - 1, raw.len() + 1] {
            assert!(decompress(&frame, wrong, 0, &mut back).is_err(), "{wrong}");
        }
        assert!(matches!(
            decompress(&frame, limits::FRAME_BYTES + 1, 0, &mut back),
            Err(Error::Limit { .. })
        ));
    }

    #[test]
    fn a_bomb_stops_at_the_stated_length() {
        let mut frame = Vec::new();
        compress(&vec![0u8; 1 << 20], &mut frame);
        assert!(frame.len() < 1000);
        let mut back = Vec::new();
        assert!(decompress(&frame, 100, 0, &mut back).is_err());
        assert!(back.capacity() < 1 << 16);
    }

    #[test]
    fn an_error_does_not_spoil_the_next_frame() {
        let mut back = Vec::new();
        assert!(decompress(&[0xff; 40], 10, 0, &mut back).is_err());
        let mut frame = Vec::new();
        compress(b"next", &mut frame);
        decompress(&frame, 4, 0, &mut back).unwrap();
        assert_eq!(back, b"next");
    }
}
