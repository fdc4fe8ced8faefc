//! The references of a record: which symbols each chunk declares, and which it refers to.
//!
//! Owns [`Target`], [`put`] and [`ChunkTargets`]. Equal mentions in several chunks are one target
//! with a set of chunks. A set of one chunk is its ordinal; a larger one is a `roaring` bitmap.
//!
//! Qualifiers and aliases have a list of their own, because a new word moves the ordinals of all
//! strings after it. Such a word changes one distance in the list, and no target.
//!
//! Targets are stored field by field: the kinds of all targets, then all names, and so on. Alike
//! bytes side by side compress better. If a chunk or a qualifier is new, the numbers after it move
//! in one field, and the others keep their bytes.

use roaring::RoaringBitmap;

use super::by_chunk::ByChunk;
use super::bytes::{Reader, put_varint};
use super::{Error, limits};

/// Flags in the same byte as a target's kind.
const HAS_QUALIFIER: u8 = 0x40;
const HAS_ALIAS: u8 = 0x80;

/// The kind of a target that is declared, not referred to; its qualifier is the scope.
pub(super) const DECLARES: u8 = 0;

/// First four bytes of a bitmap in the portable format of `roaring`, without runs. A run of a few
/// bytes could stand for any number of chunks.
const WITHOUT_RUNS: [u8; 4] = 12_346u32.to_le_bytes();

/// What is declared or referred to. The order is that of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    /// [`DECLARES`], or the code of a reference kind.
    pub(super) kind: u8,
    /// Ordinal of the name.
    pub(super) name: u32,
    /// Ordinal of the qualifier or the scope.
    pub(super) qualifier: Option<u32>,
    /// Ordinal of the alias.
    pub(super) alias: Option<u32>,
}

impl Target {
    /// Returns the qualifier and the alias, as far as there are any.
    fn beside(self) -> impl Iterator<Item = u32> {
        [self.qualifier, self.alias].into_iter().flatten()
    }
}

/// Appends the list of qualifiers and aliases, and the fields of all targets; `mentions` are
/// sorted, each once.
pub(super) fn put(out: &mut Vec<u8>, mentions: &[(Target, u32)]) {
    let groups = || mentions.chunk_by(|a, b| a.0 == b.0);
    let mut beside: Vec<u32> = mentions.iter().flat_map(|(target, _)| target.beside()).collect();
    beside.sort_unstable();
    beside.dedup();
    put_varint(out, beside.len() as u64);
    let mut next = 0;
    for &ord in &beside {
        put_varint(out, u64::from(ord - next));
        next = ord + 1;
    }
    put_varint(out, groups().count() as u64);
    let mut fields: [Vec<u8>; 5] = Default::default();
    let [names, qualifiers, aliases, sets, bitmaps] = &mut fields;
    let place = |ord: u32| beside.partition_point(|&other| other < ord) as u64;
    let mut last = (DECLARES, 0);
    for group in groups() {
        let Some(&(target, first)) = group.first() else { continue };
        let head = target.kind
            | if target.qualifier.is_some() { HAS_QUALIFIER } else { 0 }
            | if target.alias.is_some() { HAS_ALIAS } else { 0 };
        out.push(head);
        let from = if last.0 == target.kind { last.1 } else { 0 };
        put_varint(names, u64::from(target.name - from));
        last = (target.kind, target.name);
        for (field, ord) in [(&mut *qualifiers, target.qualifier), (&mut *aliases, target.alias)] {
            if let Some(ord) = ord {
                put_varint(field, place(ord));
            }
        }
        if group.len() == 1 {
            put_varint(sets, u64::from(first) << 1);
            continue;
        }
        let start = bitmaps.len();
        let chunks: RoaringBitmap = group.iter().map(|&(_, chunk)| chunk).collect();
        chunks.serialize_into(&mut *bitmaps).expect("because memory can be written");
        put_varint(sets, ((bitmaps.len() - start) as u64) << 1 | 1);
    }
    fields.iter().for_each(|field| out.extend_from_slice(field));
}

/// The targets of a record by chunk.
#[derive(Debug, Default)]
pub(super) struct ChunkTargets {
    /// Ordinals of the strings that are qualifiers or aliases, in ascending order.
    beside: Vec<u32>,
    targets: Vec<Target>,
    /// By target, its chunk or the length of its bitmap, as stored.
    sets: Vec<u64>,
    read: Vec<(u32, u32)>,
    by_chunk: ByChunk<u32>,
}

impl ChunkTargets {
    /// Reads the list of qualifiers and aliases, and the fields of all targets, up to the end of
    /// the section.
    ///
    /// # Errors
    /// [`Error::Corrupt`] or [`Error::Limit`].
    pub(super) fn read(
        &mut self,
        rows: &mut Reader<'_>,
        n_strings: usize,
        n_chunks: u32,
    ) -> Result<(), Error> {
        self.read_beside(rows, n_strings)?;
        let n = rows.count("targets", limits::TARGETS)?;
        let heads = rows.take(n)?;
        self.read_names(rows, heads, n_strings)?;
        for (target, _) in self.targets.iter_mut().zip(heads).filter(|(_, head)| *head & HAS_QUALIFIER != 0) {
            target.qualifier = Some(read_place(rows, &self.beside)?);
        }
        for (target, _) in self.targets.iter_mut().zip(heads).filter(|(_, head)| *head & HAS_ALIAS != 0) {
            target.alias = Some(read_place(rows, &self.beside)?);
        }
        self.read_chunks(rows, n_chunks)?;
        if !rows.is_at_end() {
            return Err(rows.corrupt("bytes after the last target"));
        }
        self.by_chunk.fill(n_chunks, self.read.iter().copied());
        Ok(())
    }

    /// Reads the names of the targets with these heads.
    fn read_names(&mut self, rows: &mut Reader<'_>, heads: &[u8], n_strings: usize) -> Result<(), Error> {
        self.targets.clear();
        let mut last = (DECLARES, 0u32);
        for head in heads {
            let kind = head & !(HAS_QUALIFIER | HAS_ALIAS);
            let from = if last.0 == kind { last.1 } else { 0 };
            let name = from.checked_add(rows.u32()?).filter(|&ord| (ord as usize) < n_strings);
            let name = name.ok_or_else(|| rows.corrupt("unknown string"))?;
            last = (kind, name);
            self.targets.push(Target { kind, name, qualifier: None, alias: None });
        }
        Ok(())
    }

    /// Reads the chunks of all targets.
    fn read_chunks(&mut self, rows: &mut Reader<'_>, n_chunks: u32) -> Result<(), Error> {
        self.read.clear();
        self.sets.clear();
        for _ in &self.targets {
            self.sets.push(rows.varint()?);
        }
        for (&set, number) in self.sets.iter().zip(0..) {
            if set & 1 == 0 {
                let chunk = u32::try_from(set >> 1).ok().filter(|&chunk| chunk < n_chunks);
                let chunk = chunk.ok_or_else(|| rows.corrupt("target of an unknown chunk"))?;
                self.read.push((chunk, number));
                continue;
            }
            let len = usize::try_from(set >> 1).map_err(|_| rows.corrupt("length overflows"))?;
            let bitmap = bitmap(rows.take(len)?).ok_or_else(|| rows.corrupt("damaged bitmap"))?;
            if bitmap.max().is_none_or(|chunk| chunk >= n_chunks) {
                return Err(rows.corrupt("target of an unknown chunk"));
            }
            let found = (self.read.len() as u64).saturating_add(bitmap.len());
            let bound = limits::MENTIONS as u64;
            if found > bound {
                return Err(Error::Limit { what: "record", unit: "mentions of targets", found, bound });
            }
            self.read.extend(bitmap.iter().map(|chunk| (chunk, number)));
        }
        Ok(())
    }

    fn read_beside(&mut self, rows: &mut Reader<'_>, n_strings: usize) -> Result<(), Error> {
        self.beside.clear();
        let n = rows.count("qualifiers and aliases", n_strings)?;
        let mut next = 0u32;
        for _ in 0..n {
            let ord = next.checked_add(rows.u32()?).filter(|&ord| (ord as usize) < n_strings);
            let ord = ord.ok_or_else(|| rows.corrupt("unknown string"))?;
            self.beside.push(ord);
            next = ord + 1;
        }
        Ok(())
    }

    /// Returns the targets that a chunk declares, and those that it refers to, each with its number
    /// in the record.
    pub(super) fn of(
        &self,
        chunk: u32,
    ) -> (impl Iterator<Item = Target>, impl Iterator<Item = (u32, Target)>) {
        let all = self.by_chunk.of(chunk);
        let n = all.partition_point(|&number| self.target(number).is_some_and(|t| t.kind == DECLARES));
        let (declared, referred) = all.split_at(n);
        (
            declared.iter().filter_map(|&number| self.target(number)),
            referred.iter().filter_map(|&number| Some((number, self.target(number)?))),
        )
    }

    fn target(&self, number: u32) -> Option<Target> {
        self.targets.get(number as usize).copied()
    }
}

/// Reads a place in the list of qualifiers and aliases, and returns the ordinal there.
fn read_place(rows: &mut Reader<'_>, beside: &[u32]) -> Result<u32, Error> {
    let place = rows.u32()? as usize;
    beside.get(place).copied().ok_or_else(|| rows.corrupt("unknown qualifier or alias"))
}

/// Reads a bitmap without runs that takes all of these bytes.
fn bitmap(bytes: &[u8]) -> Option<RoaringBitmap> {
    bytes.starts_with(&WITHOUT_RUNS).then_some(())?;
    let mut rest = bytes;
    let bitmap = RoaringBitmap::deserialize_from(&mut rest).ok()?;
    rest.is_empty().then_some(bitmap)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn encoded(mentions: &[(Target, u32)]) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, mentions);
        out
    }

    fn read(bytes: &[u8], n_strings: usize, n_chunks: u32) -> Result<ChunkTargets, Error> {
        let mut targets = ChunkTargets::default();
        targets.read(&mut Reader::new("record", bytes, 0), n_strings, n_chunks)?;
        Ok(targets)
    }

    fn target(kind: u8, name: u32) -> Target {
        Target { kind, name, qualifier: None, alias: None }
    }

    proptest! {
        #[test]
        fn targets_come_back_by_chunk(
            mentions in btree_set(
                (0u8..8, 0u32..9, prop::option::of(0u32..9), prop::option::of(0u32..9), 0u32..30),
                0..80,
            )
        ) {
            let mentions: Vec<(Target, u32)> = mentions
                .into_iter()
                .map(|(kind, name, qualifier, alias, chunk)| (Target { kind, name, qualifier, alias }, chunk))
                .collect();
            let targets = read(&encoded(&mentions), 9, 30).unwrap();
            for chunk in 0..30 {
                let expected: Vec<Target> =
                    mentions.iter().filter(|mention| mention.1 == chunk).map(|mention| mention.0).collect();
                let (declared, referred) = targets.of(chunk);
                let found: Vec<Target> = declared.chain(referred.map(|(_, target)| target)).collect();
                prop_assert_eq!(found, expected);
            }
        }

        #[test]
        fn any_bytes_are_survived(bytes in vec(any::<u8>(), 0..80)) {
            let _ = read(&bytes, 9, 30);
            let mut set = vec![0, 1, 1, 3];
            put_varint(&mut set, (bytes.len() as u64 + 4) << 1 | 1);
            set.extend(WITHOUT_RUNS);
            set.extend(&bytes);
            let _ = read(&set, 9, 30);
        }
    }

    /// If a chunk is inserted, the ordinals of those after it change, and no other byte.
    #[test]
    fn chunks_come_after_all_names() {
        let from = |first: u32| -> Vec<u8> {
            let mentions: Vec<(Target, u32)> = (0..20).map(|name| (target(1, name), first + name)).collect();
            encoded(&mentions)
        };
        let (old, new) = (from(0), from(1));
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        // No qualifiers, the number of targets, their heads, their names.
        assert_eq!((same, old.len()), (1 + 1 + 20 + 20, 1 + 1 + 20 + 20 + 20));
    }

    #[test]
    fn large_sets_come_back() {
        let mentions: Vec<(Target, u32)> = (0..100_000).map(|chunk| (target(1, 3), chunk)).collect();
        let targets = read(&encoded(&mentions), 4, 100_000).unwrap();
        assert_eq!(targets.of(99_999).1.next(), Some((0, target(1, 3))));
    }

    #[test]
    fn unknown_strings_and_chunks_are_corrupt() {
        let good = encoded(&[(target(1, 3), 0), (target(1, 3), 5), (target(2, 1), 2)]);
        assert!(read(&good, 4, 6).is_ok());
        assert!(read(&good, 3, 6).is_err());
        assert!(read(&good, 4, 5).is_err());
        assert!(read(&good[..good.len() - 1], 4, 6).is_err());
        assert!(read(&[good.clone(), vec![0]].concat(), 4, 6).is_err());
        let many = [0xff, 0xff, 0xff, 0x7f];
        assert!(matches!(read(&many, 4, 6), Err(Error::Limit { unit: "qualifiers and aliases", .. })));
        let targets = [&[0][..], &many].concat();
        assert!(matches!(read(&targets, 4, 6), Err(Error::Limit { unit: "targets", .. })));
        // The second string of the list is beyond the four; the qualifier is beyond the list.
        assert!(read(&[2, 3, 0, 0], 4, 6).is_err());
        assert!(read(&[1, 3, 1, 0x41, 0, 0, 0], 4, 6).is_ok());
        assert!(read(&[1, 3, 1, 0x41, 0, 1, 0], 4, 6).is_err());
    }

    /// A record of 64 MiB would otherwise take gigabytes of memory.
    #[test]
    fn bitmaps_are_counted_before_they_are_listed() {
        let chunks = limits::MENTIONS / 4;
        let mentions = |n: u32| -> Vec<(Target, u32)> {
            (0..n).flat_map(|name| (0..chunks as u32).map(move |chunk| (target(1, name), chunk))).collect()
        };
        assert!(read(&encoded(&mentions(4)), 9, chunks as u32).is_ok());
        let bytes = encoded(&mentions(5));
        assert!(bytes.len() < 1 << 20);
        let refused = read(&bytes, 9, chunks as u32);
        assert!(matches!(refused, Err(Error::Limit { unit: "mentions of targets", .. })));
    }

    /// A run of a few bytes would stand for a million chunks.
    #[test]
    fn bitmaps_with_runs_are_refused() {
        let mut chunks: RoaringBitmap = (0..60_000).collect();
        chunks.optimize();
        let mut bytes = Vec::new();
        chunks.serialize_into(&mut bytes).unwrap();
        assert!(bytes.len() < 100);
        assert!(bitmap(&bytes).is_none());
        chunks.remove_run_compression();
        bytes.clear();
        chunks.serialize_into(&mut bytes).unwrap();
        assert_eq!(bitmap(&bytes).unwrap().len(), 60_000);
    }
}
