//! Vectors of remote models: any bytes, with or without a valid checksum, give a value or an error:
//! in a blob, in the journal and in the table of a commit. A value survives encoding and decoding.
#![no_main]

use arbitrary::Arbitrary;
use bstr::ByteSlice;
use git_cora::provider::embedding::{Question, Row};
use git_cora::provider::sidecar::Entry;
use git_cora::provider::sidecar::vectors::{KeyedRow, Table, decode, encode};
use git_cora_fuzz::{Edit, damage};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Blob(&'a [u8]),
    Journal {
        rows: Vec<(f32, Vec<i8>)>,
        edits: Vec<Edit>,
    },
    Table {
        raw: &'a [u8],
        dimensions: u8,
        n_rows: u8,
        files: Vec<[u8; 4]>,
        paths: &'a [u8],
        edits: Vec<Edit>,
    },
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Blob(bytes) => {
        for bytes in [bytes, &sealed(&[b"CVEC\x01", bytes].concat(), 0)] {
            let Ok(vectors) = decode(bytes) else { continue };
            let rows: Vec<_> = vectors.rows().map(|row| (row.key, row.to_row())).collect();
            assert_eq!(encode(vectors.record, &rows).as_deref(), Some(bytes));
        }
    }
    Input::Journal { rows, edits } => {
        let mut bytes = Vec::new();
        for (scale, components) in rows {
            KeyedRow { key: [7; 16], row: Row { scale, components } }.encode(&mut bytes);
        }
        damage(&mut bytes, &edits);
        journal(&bytes);
        let n = bytes.len().saturating_sub(4);
        journal(&sealed(&bytes[..n], 0));
    }
    Input::Table { raw, dimensions, n_rows, files, paths, edits } => {
        table(raw, b"a");
        let mut bytes = b"CVECTAB1".to_vec();
        bytes.resize(bytes.len() + usize::from(n_rows) * (4 + usize::from(dimensions)), 1);
        let rows = bytes.len();
        for file in &files {
            bytes.extend(file.iter().flat_map(|number| u32::from(*number).to_le_bytes()));
        }
        bytes.extend_from_slice(paths);
        for number in [usize::from(dimensions), usize::from(n_rows), files.len(), paths.len(), 0] {
            bytes.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
        let mut damaged = bytes.split_off(rows);
        damage(&mut damaged, &edits);
        bytes.append(&mut damaged);
        table(&sealed(&bytes, rows), paths.get(..3).unwrap_or(paths));
    }
});

/// Returns the bytes with the checksum of all but the first of them.
fn sealed(bytes: &[u8], n_unchecked: usize) -> Vec<u8> {
    let sum = crc32fast::hash(bytes.get(n_unchecked..).unwrap_or_default());
    [bytes, &sum.to_le_bytes()].concat()
}

/// Reads a journal, without its first bytes, to its first damaged entry.
fn journal(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let rest = bytes;
        let Some((entry, len)) = KeyedRow::read(&mut bytes) else { return };
        let mut again = Vec::new();
        entry.encode(&mut again);
        assert_eq!(again, rest[..len], "an entry survives its bytes");
    }
}

fn table(bytes: &[u8], path: &[u8]) {
    let Ok(table) = Table::from_bytes(bytes.to_vec()) else { return };
    let components = vec![1; table.dimensions().min(64)];
    let question = Question(Row { scale: 0.1, components });
    for path in [path, b"a", b""] {
        let Some(rows) = table.rows(path.as_bstr()) else { continue };
        assert!(rows.len() <= bytes.len());
        assert!(rows.cosines(&question).count() <= bytes.len());
    }
    assert!(table.n_files() <= bytes.len());
}
