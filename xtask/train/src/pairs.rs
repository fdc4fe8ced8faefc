//! Pairs of a text and the code that it describes, and files of them.
//!
//! A file holds the pairs of one repository, compressed with gzip. Each pair is one byte of
//! [`Kind`] and three strings (language, text, code); the length of each precedes it as a
//! little-endian `u32`.

use std::io::{BufReader, Read as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use flate2::read::GzDecoder;

/// The origin of a pair. The discriminant is stored in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    /// A doc comment and the declaration below it.
    Doc = 1,
    /// The words of a name and the body of the declaration that it names.
    Name = 2,
    /// A comment inside a body and the lines after it.
    Comment = 3,
    /// A commit's subject and the code that the commit changed.
    Commit = 4,
    /// The words of a name, and the doc comment and body of the declaration that it names.
    NameDoc = 5,
    /// A heading or paragraph of a document and the code block after it.
    Example = 6,
    /// The text of an error and the code around it.
    Message = 7,
    /// The words of a test's name and the function that the test calls.
    Test = 8,
    /// A heading and the paragraph under it.
    Prose = 9,
    /// The first sentence of a doc comment and the rest of it.
    DocRest = 10,
    /// A commit's subject and the rest of its message.
    CommitBody = 11,
}

impl Kind {
    pub(crate) const ALL: [Kind; 11] = [
        Kind::Doc,
        Kind::Name,
        Kind::Comment,
        Kind::Commit,
        Kind::NameDoc,
        Kind::Example,
        Kind::Message,
        Kind::Test,
        Kind::Prose,
        Kind::DocRest,
        Kind::CommitBody,
    ];
}

/// A text and the code that it describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) kind: Kind,
    pub(crate) language: String,
    pub(crate) text: String,
    pub(crate) code: String,
}

/// Maximum size of a text, then of a code, in bytes; longer ones are cut.
const TEXT_BYTES: usize = 600;
const CODE_BYTES: usize = 2400;

/// Returns the first `most` bytes of a string, or fewer, so that it ends at a character boundary.
pub(crate) fn clip(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Returns the bytes of a file of pairs, before compression.
pub(crate) fn encode(pairs: &[Pair]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for pair in pairs {
        out.push(pair.kind as u8);
        for (string, most) in [(&pair.language, 64), (&pair.text, TEXT_BYTES), (&pair.code, CODE_BYTES)] {
            let string = clip(string, most);
            out.extend_from_slice(&u32::try_from(string.len())?.to_le_bytes());
            out.extend_from_slice(string.as_bytes());
        }
    }
    Ok(out)
}

/// Calls `each` with the kind, language, text and code of every pair of a file.
pub(crate) fn read(path: &Path, mut each: impl FnMut(Kind, &str, &str, &str)) -> Result<()> {
    let file = std::fs::File::open(path).with_context(|| format!("can't read '{}'", path.display()))?;
    let mut input = BufReader::new(GzDecoder::new(file));
    let mut strings = [Vec::new(), Vec::new(), Vec::new()];
    let mut kind = [0u8];
    while input.read(&mut kind)? == 1 {
        for string in &mut strings {
            let mut len = [0u8; 4];
            input.read_exact(&mut len)?;
            string.resize(u32::from_le_bytes(len) as usize, 0);
            input.read_exact(string)?;
        }
        let [language, text, code] = &strings;
        let Some(kind) = Kind::ALL.into_iter().find(|k| *k as u8 == kind[0]) else {
            bail!("'{}' is not a file of pairs", path.display());
        };
        each(kind, std::str::from_utf8(language)?, std::str::from_utf8(text)?, std::str::from_utf8(code)?);
    }
    Ok(())
}

/// Prints about `n` pairs, evenly spread over the file.
pub(crate) fn show(path: &Path, n: usize) -> Result<()> {
    let mut total = 0usize;
    read(path, |_, _, _, _| total += 1)?;
    let step = (total / n.max(1)).max(1);
    let mut at = 0usize;
    read(path, |kind, language, text, code| {
        if at.is_multiple_of(step) {
            println!("── {kind:?} {language}\n{text}\n··\n{}\n", clip(code, 500));
        }
        at += 1;
    })?;
    println!("{total} pairs");
    Ok(())
}
