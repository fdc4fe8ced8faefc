//! Merges the parts of builders and writes them as one segment.
//!
//! Parts are neighbouring runs of the sorted file list. A list of chunks in the segment is
//! therefore the parts' lists one after the other, with only the first difference of each
//! rewritten. Everything else is sorted by key. **The bytes depend on the files alone**: no hash
//! order, thread or part boundary influences them.

use std::io::{Seek, Write};
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use crate::index::embed::{self, Vector};

use super::field::N_FIELDS;
use super::frequencies::CLASS_BITS;
use super::intern::Interner;
use super::inverted::InvertedLists;
use super::layout::{FrameWriter, Section};
use super::mentions::{self, Mentions};
use super::part::{Part, unscoped};
use super::postings::{inline, n_chunks, push_varint, varint};
use super::rows::{FileRow, encode_lengths};
use super::subtokens;
use super::terms::symbol_key;
use super::vectors::{VECTOR_BYTES, VectorSums, encode_model};
use super::{Error, Result, narrow};

/// First ordinals of a part in the segment.
#[derive(Debug, Clone, Copy, Default)]
struct Base {
    file: u32,
    chunk: u32,
    declaration: u32,
}

/// Writes all sections and the header; returns the size in bytes and the output. `name` is used in
/// error messages only.
pub(super) fn write<W: Write + Seek>(
    mut parts: Vec<Part>,
    key: &str,
    out: W,
    name: &Path,
) -> Result<(u64, W)> {
    parts.iter_mut().for_each(Part::shrink);
    let io = |source| Error::Io { path: name.to_owned(), source };
    let bases = bases(&parts)?;
    let mut frame = FrameWriter::new(out).map_err(io)?;
    frame.section(Section::Key, key.as_bytes()).map_err(io)?;
    frame.section(Section::Meta, &totals(&parts)).map_err(io)?;

    let (languages, language_numbers) = languages(&parts)?;
    frame.section(Section::Languages, &languages).map_err(io)?;
    let (files, paths) = files(&parts, &bases, &language_numbers)?;
    frame.section(Section::Files, &files).map_err(io)?;
    frame.section(Section::Paths, &paths).map_err(io)?;
    drop((files, paths));

    let mut bytes = Vec::new();
    for (part, base) in parts.iter().zip(&bases) {
        for chunk in &part.chunks {
            let mut row = *chunk;
            row.file += base.file;
            row.first_declaration += base.declaration;
            row.declaration = row.declaration.map(|d| d + base.declaration);
            row.encode(&mut bytes);
        }
    }
    frame.section(Section::Chunks, &bytes).map_err(io)?;
    bytes.clear();
    for lengths in parts.iter().flat_map(|p| &p.lengths) {
        encode_lengths(lengths, &mut bytes);
    }
    frame.section(Section::Lengths, &bytes).map_err(io)?;
    bytes.clear();

    let Declarations { names, named, pool } = declarations(&parts, &bases, &mut bytes)?;
    frame.section(Section::Declarations, &bytes).map_err(io)?;
    frame.section(Section::Names, &pool).map_err(io)?;
    drop((bytes, pool));
    for part in &mut parts {
        part.forget_tables();
    }

    vectors(&parts, &mut frame).map_err(io)?;
    frame.rows(Section::SubTokens, parts.iter().map(|part| part.subtokens.lists())).map_err(io)?;
    let offsets = subtokens::encode_offsets(parts.iter().map(|part| &part.subtokens))?;
    frame.section(Section::SubTokenOffsets, &offsets).map_err(io)?;
    for part in &mut parts {
        part.forget_vectors();
    }
    let mentions: Vec<Mentions> = parts.iter_mut().map(|part| std::mem::take(&mut part.mentions)).collect();
    let (lists, offsets, strings) = mentions::encode(&mentions)?;
    drop(mentions);
    frame.section(Section::Mentions, &lists).map_err(io)?;
    frame.section(Section::MentionOffsets, &offsets).map_err(io)?;
    frame.section(Section::MentionStrings, &strings).map_err(io)?;
    drop((lists, offsets, strings));

    // The dictionaries come last: they need the most memory, and all else is freed by then.
    let (terms, (symbols, references)) = rayon::join(
        || postings(&parts, &bases),
        || rayon::join(|| symbols(&names, named), || references(&parts, &bases)),
    );
    for (keys, lists, written) in [
        (Section::Terms, Section::Postings, terms),
        (Section::Symbols, Section::SymbolLists, symbols),
        (Section::References, Section::ReferenceLists, references),
    ] {
        let (dictionary, list) = written?;
        frame.section(keys, &dictionary).map_err(io)?;
        frame.section(lists, &list).map_err(io)?;
    }
    frame.finish().map_err(io)
}

fn bases(parts: &[Part]) -> Result<Vec<Base>> {
    let mut bases = Vec::with_capacity(parts.len());
    let mut next = (0usize, 0usize, 0usize);
    for part in parts {
        bases.push(Base {
            file: narrow(next.0, "files")?,
            chunk: narrow(next.1, "chunks")?,
            declaration: narrow(next.2, "declarations")?,
        });
        next = (next.0 + part.files.len(), next.1 + part.chunks.len(), next.2 + part.declarations.len());
    }
    narrow(next.0, "files")?;
    n_chunks(next.1)?;
    narrow(next.2, "declarations")?;
    Ok(bases)
}

/// The names of all declarations.
struct Declarations {
    /// The different names.
    names: Interner,
    /// By declaration, the number of its name, and its ordinal.
    named: Vec<(u32, u32)>,
    /// The section of names.
    pool: Vec<u8>,
}

/// Appends the rows of all declarations to `rows`.
fn declarations(parts: &[Part], bases: &[Base], rows: &mut Vec<u8>) -> Result<Declarations> {
    let (mut names, mut named, mut pool) = (Interner::default(), Vec::new(), Vec::new());
    let mut starts = Vec::new();
    for (part, base) in parts.iter().zip(bases) {
        for declaration in &part.declarations {
            let mut row = *declaration;
            let name = part.names.get(row.name_start);
            let (number, new) = names.intern(name).ok_or(Error::Limit { what: "names" })?;
            if new {
                starts.push(narrow(pool.len(), "bytes of names")?);
                pool.extend_from_slice(name);
            }
            named.push((number, narrow(named.len(), "declarations")?));
            row.name_start = starts.get(number as usize).copied().unwrap_or(0);
            row.chunk += base.chunk;
            row.parent = row.parent.map(|p| p + base.declaration);
            row.encode(rows);
        }
    }
    names.shrink();
    Ok(Declarations { names, named, pool })
}

/// Writes the model's name with the sums over all vectors, then the signs, then the vectors with
/// their checksums.
fn vectors<W: Write + Seek>(parts: &[Part], frame: &mut FrameWriter<W>) -> std::io::Result<()> {
    let vectors = || parts.iter().flat_map(|part| &part.vectors);
    let mut sums = VectorSums::default();
    vectors().for_each(|bytes| sums.add(&Vector::from_bytes(bytes)));
    let signs = embed::sign_blocks(parts.iter().flat_map(|part| &part.sketches).copied());
    frame.section(Section::Model, &encode_model(embed::builtin().name(), &sums))?;
    frame.section(Section::Signs, signs.as_flattened().as_flattened())?;
    drop(signs);
    let row = |bytes: &[u8; embed::DIMENSIONS]| -> [u8; VECTOR_BYTES] {
        let sum = crc32fast::hash(bytes).to_le_bytes();
        let mut row = bytes.iter().chain(&sum).copied();
        std::array::from_fn(|_| row.next().unwrap_or(0))
    };
    frame.rows(Section::Vectors, vectors().map(row))
}

/// Returns the sums of field lengths over all chunks, encoded.
fn totals(parts: &[Part]) -> Vec<u8> {
    let mut sums = [0u64; N_FIELDS];
    for lengths in parts.iter().flat_map(|p| &p.lengths) {
        for (sum, &n) in sums.iter_mut().zip(lengths) {
            *sum += u64::from(n);
        }
    }
    sums.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// Returns the sorted table of languages, and by part the new numbers of its languages.
fn languages(parts: &[Part]) -> Result<(Vec<u8>, Vec<Vec<u16>>)> {
    let of = |part: &Part| -> Result<Vec<Vec<u8>>> {
        (0..part.languages.len()).map(|i| Ok(part.languages.get(narrow(i, "languages")?).to_vec())).collect()
    };
    let by_part = parts.iter().map(of).collect::<Result<Vec<_>>>()?;
    let mut all: Vec<&Vec<u8>> = by_part.iter().flatten().collect();
    all.sort_unstable();
    all.dedup();
    let number = |name: &Vec<u8>| {
        let found = all.binary_search(&name).unwrap_or(0);
        u16::try_from(found).map_err(|_| Error::Limit { what: "languages" })
    };
    let numbers =
        by_part.iter().map(|names| names.iter().map(number).collect()).collect::<Result<Vec<Vec<u16>>>>()?;
    let mut bytes = Vec::new();
    for name in all {
        let len =
            u8::try_from(name.len()).map_err(|_| Error::Limit { what: "bytes of a language's name" })?;
        bytes.push(len);
        bytes.extend_from_slice(name);
    }
    Ok((bytes, numbers))
}

fn files(parts: &[Part], bases: &[Base], languages: &[Vec<u16>]) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut rows, mut paths) = (Vec::new(), Vec::new());
    for ((part, base), languages) in parts.iter().zip(bases).zip(languages) {
        let start = narrow(paths.len(), "bytes of paths")?;
        for file in &part.files {
            let row = FileRow {
                path_start: file
                    .path_start
                    .checked_add(start)
                    .ok_or(Error::Limit { what: "bytes of paths" })?,
                first_chunk: file.first_chunk + base.chunk,
                first_declaration: file.first_declaration + base.declaration,
                language: languages.get(usize::from(file.language)).copied().unwrap_or(0),
                ..*file
            };
            row.encode(&mut rows);
        }
        paths.extend_from_slice(&part.paths);
    }
    Ok((rows, paths))
}

/// A key of one part, with its first eight bytes as a number. Most comparisons need nothing else.
#[derive(Clone, Copy)]
struct PartKey {
    prefix: u64,
    part: u32,
    number: u32,
}

/// Returns the keys of all parts, by key, then by part.
fn sorted_keys(parts: &[&InvertedLists]) -> Result<Vec<PartKey>> {
    let mut keys = Vec::with_capacity(parts.iter().map(|p| p.keys.len()).sum());
    for (part, inverted) in parts.iter().enumerate() {
        for number in 0..inverted.keys.len() {
            let number = narrow(number, "terms")?;
            let mut prefix = [0u8; 8];
            for (to, from) in prefix.iter_mut().zip(inverted.keys.get(number)) {
                *to = *from;
            }
            keys.push(PartKey { prefix: u64::from_be_bytes(prefix), part: narrow(part, "parts")?, number });
        }
    }
    let text = |key: &PartKey| parts.get(key.part as usize).map_or(&[][..], |p| p.keys.get(key.number));
    keys.par_sort_unstable_by(|a, b| {
        a.prefix.cmp(&b.prefix).then_with(|| text(a).cmp(text(b))).then(a.part.cmp(&b.part))
    });
    Ok(keys)
}

/// Calls `each` with every key that has chunks, in order, with the number of chunks and the merged
/// list.
///
/// The differences in a merged list continue from part to part. A list begins with a number that
/// has the first difference above its lowest `bits`.
fn merged(
    parts: &[&InvertedLists],
    bases: &[Base],
    bits: u32,
    mut each: impl FnMut(&[u8], u32, &[u8]) -> Result<()>,
) -> Result<()> {
    let keys = sorted_keys(parts)?;
    let text = |key: &PartKey| parts.get(key.part as usize).map_or(&[][..], |p| p.keys.get(key.number));
    let (mut list, mut one) = (Vec::new(), Vec::new());
    for group in keys.chunk_by(|a, b| a.prefix == b.prefix && text(a) == text(b)) {
        list.clear();
        let (mut n, mut last) = (0, None::<u32>);
        for key in group {
            let Some((part, base)) = parts.get(key.part as usize).zip(bases.get(key.part as usize)) else {
                continue;
            };
            let Some(entry) = part.entries.get(key.number as usize).filter(|e| e.n > 0) else { continue };
            one.clear();
            part.pool.copy_to(&entry.list, &mut one);
            let mut rest = one.as_slice();
            let number = varint(&mut rest).ok_or(Error::Limit { what: "postings" })?;
            let first = (number >> bits) + base.chunk;
            let difference = last.map_or(first, |last| first - last);
            push_varint(&mut list, difference << bits | number & ((1 << bits) - 1));
            list.extend_from_slice(rest);
            n += entry.n;
            last = Some(entry.last + base.chunk);
        }
        if let Some(key) = group.first().filter(|_| n > 0) {
            each(text(key), n, &list)?;
        }
    }
    Ok(())
}

fn dictionary() -> fst::MapBuilder<Vec<u8>> {
    fst::MapBuilder::memory()
}

/// Converts an error of the dictionary, which can't occur: keys come sorted and once, and memory
/// does not fail.
fn refused(_: fst::Error) -> Error {
    Error::Limit { what: "dictionary keys" }
}

fn offset(lists: &[u8]) -> Result<u64> {
    Ok(u64::from(narrow(lists.len(), "bytes of lists")?) << 1)
}

fn postings(parts: &[Part], bases: &[Base]) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut keys = dictionary();
    let mut lists = Vec::new();
    let inverted: Vec<&InvertedLists> = parts.iter().map(|p| &p.terms).collect();
    merged(&inverted, bases, CLASS_BITS, |term, n, list| {
        if n == 1
            && let Some(value) = inline(list)
        {
            return keys.insert(term, value).map_err(refused);
        }
        keys.insert(term, offset(&lists)?).map_err(refused)?;
        push_list(&mut lists, n, list)
    })?;
    Ok((keys.into_inner().map_err(refused)?, lists))
}

/// Appends a list in the form that dictionaries point at: number of entries, number of bytes,
/// checksum, bytes.
fn push_list(lists: &mut Vec<u8>, n: u32, list: &[u8]) -> Result<()> {
    push_varint(lists, n);
    push_varint(lists, narrow(list.len(), "bytes of a list")?);
    lists.extend_from_slice(&crc32fast::hash(list).to_le_bytes());
    lists.extend_from_slice(list);
    Ok(())
}

/// Encodes the dictionary from keys of names to the declarations that have them, in order.
fn symbols(names: &Interner, named: Vec<(u32, u32)>) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut lowered = Vec::with_capacity(names.len()); // key by number of the name
    for number in 0..names.len() {
        lowered.push(symbol_key(&String::from_utf8_lossy(unscoped(names.get(narrow(number, "names")?)).1)));
    }
    let key = |number: u32| lowered.get(number as usize).map_or("", String::as_str);
    let mut order: Vec<u32> = (0..narrow(names.len(), "names")?).collect();
    order.sort_unstable_by(|&a, &b| key(a).cmp(key(b)).then(a.cmp(&b)));
    let mut rank = vec![0u32; names.len()];
    let mut groups: Vec<u32> = Vec::new();
    for &number in &order {
        if groups.last().is_none_or(|&last| key(last) != key(number)) {
            groups.push(number);
        }
        if let Some(slot) = rank.get_mut(number as usize) {
            *slot = narrow(groups.len(), "names")?;
        }
    }
    let mut ranked: Vec<(u32, u32)> =
        named.into_iter().map(|(name, d)| (rank.get(name as usize).copied().unwrap_or(0), d)).collect();
    ranked.sort_unstable();

    let mut keys = dictionary();
    let mut lists = Vec::new();
    let mut list = Vec::new();
    for (group, &number) in ranked.chunk_by(|a, b| a.0 == b.0).zip(&groups) {
        if let [(_, only)] = group {
            keys.insert(key(number), u64::from(*only) << 1 | 1).map_err(refused)?;
            continue;
        }
        list.clear();
        let mut last = 0;
        for &(_, declaration) in group {
            push_varint(&mut list, declaration - last);
            last = declaration;
        }
        keys.insert(key(number), offset(&lists)?).map_err(refused)?;
        push_list(&mut lists, narrow(group.len(), "declarations")?, &list)?;
    }
    Ok((keys.into_inner().map_err(refused)?, lists))
}

/// Encodes the dictionary from kind and name to the chunks that refer to that name.
fn references(parts: &[Part], bases: &[Base]) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut keys = dictionary();
    let mut lists = Vec::new();
    let inverted: Vec<&InvertedLists> = parts.iter().map(|p| &p.references).collect();
    merged(&inverted, bases, 0, |key, n, list| {
        let mut rest = list;
        if n == 1
            && let Some(only) = varint(&mut rest)
        {
            return keys.insert(key, u64::from(only) << 1 | 1).map_err(refused);
        }
        keys.insert(key, offset(&lists)?).map_err(refused)?;
        push_list(&mut lists, n, list)
    })?;
    Ok((keys.into_inner().map_err(refused)?, lists))
}
