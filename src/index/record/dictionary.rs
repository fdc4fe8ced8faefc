//! The strings of a record as an `fst` set: sorted strings ↔ bytes.
//!
//! Owns [`Strings`]. Common words ([`super::common`]) are not in the set but named by number. The
//! bytes are those of the `fst` library ([`super::set_writer`] writes them). The library trusts the
//! bytes that it reads: a forged node makes it index out of bounds or list strings without end. So
//! [`Strings::read`] follows the nodes itself. It checks each position, and it stops at the number
//! of strings and bytes that the record states.

use std::cmp::Ordering;
use std::sync::LazyLock;

#[cfg(test)]
use super::set_writer::write;
use super::{common, limits};

/// Version of the library's byte format.
pub(super) const VERSION: u64 = 3;

/// Bytes before the first node: the version and the type of the set, eight bytes each.
const HEAD: usize = 16;

/// Bytes after the last node: the number of strings and the root's position, eight bytes each, and
/// a checksum of four.
const FOOT: usize = 20;

/// The position that stands for the node without transitions at which a string ends.
pub(super) const END: usize = 0;

/// Number of transitions above which a node has a table of all 256 bytes.
pub(super) const INDEXED: usize = 32;

/// The bytes that a node with one transition may name by number, from 1.
const COMMON: &[u8; 63] = b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG";

/// Returns the number of a byte in [`COMMON`], from 1; 0 if it has none.
pub(super) fn number_of(byte: u8) -> u8 {
    static NUMBERS: LazyLock<[u8; 256]> = LazyLock::new(|| {
        let mut numbers = [0; 256];
        for (&byte, number) in COMMON.iter().zip(1..) {
            if let Some(entry) = numbers.get_mut(usize::from(byte)) {
                *entry = number;
            }
        }
        numbers
    });
    NUMBERS.get(usize::from(byte)).copied().unwrap_or(0)
}

/// Sorted strings, read from a record.
#[derive(Debug, Default)]
pub(super) struct Strings {
    text: String,
    /// End of each string in `text`.
    ends: Vec<usize>,
    /// By ordinal, the number of a string that is a common word.
    common: Vec<Option<u32>>,
}

impl Strings {
    /// Returns a string by its ordinal.
    pub(super) fn get(&self, ord: usize) -> Option<&str> {
        let start = ord.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(ord)?)
    }

    /// Returns the number of a string among the common words, if it is one.
    pub(super) fn common(&self, ord: usize) -> Option<u32> {
        self.common.get(ord).copied().flatten()
    }

    /// Removes all strings.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.common.clear();
    }

    /// Reads a set of this many strings, and adds the common words with these numbers. All strings
    /// together have `n_bytes` bytes. Both counts must be within the bounds of a record.
    ///
    /// # Errors
    /// Says what is wrong with the bytes. There are no strings then.
    pub(super) fn read(
        &mut self,
        set: &[u8],
        n_own: usize,
        n_bytes: usize,
        common: &[u32],
    ) -> Result<(), &'static str> {
        self.ends.clear();
        self.common.clear();
        let mut text = std::mem::take(&mut self.text).into_bytes();
        text.clear();
        let (ends, numbers) = (&mut self.ends, &mut self.common);
        let mut walk = Walk { set, n_own, n_bytes, common, text: &mut text, ends, numbers };
        let read = walk.all();
        let text = String::from_utf8(text).map_err(|_| "strings are not UTF-8");
        match (read, text) {
            (Ok(()), Ok(text)) if self.ends.iter().all(|&end| text.is_char_boundary(end)) => {
                self.text = text;
                Ok(())
            }
            (read, text) => {
                self.ends.clear();
                self.common.clear();
                read.and(text.map(drop)).and(Err("strings are not UTF-8"))
            }
        }
    }
}

/// A walk through all strings of a set, in order.
struct Walk<'w> {
    set: &'w [u8],
    /// Number of strings in the set that were not reached yet.
    n_own: usize,
    /// Number of bytes of all strings.
    n_bytes: usize,
    /// Numbers of the common words that come after the current string.
    common: &'w [u32],
    text: &'w mut Vec<u8>,
    ends: &'w mut Vec<usize>,
    numbers: &'w mut Vec<Option<u32>>,
}

/// A node on the way to the current string.
struct Step {
    node: Node,
    /// Number of its next transition.
    next: usize,
    /// Byte of the transition before it.
    last: Option<u8>,
}

impl Walk<'_> {
    /// Reads all strings, those of the set and the common ones.
    fn all(&mut self) -> Result<(), &'static str> {
        if self.n_own > 0 || !self.set.is_empty() {
            self.own()?;
        }
        self.common_before(None)?;
        let is_whole = self.n_own == 0 && self.text.len() == self.n_bytes;
        if is_whole { Ok(()) } else { Err("fewer strings than stated") }
    }

    /// Adds a string, if the record states that many bytes. A common word has a number.
    fn push(&mut self, string: &[u8], number: Option<u32>) -> Result<(), &'static str> {
        if self.text.len() + string.len() > self.n_bytes {
            return Err("more strings than stated");
        }
        self.text.extend_from_slice(string);
        self.ends.push(self.text.len());
        self.numbers.push(number);
        Ok(())
    }

    /// Adds the common words that come before a string, or all that are left.
    fn common_before(&mut self, string: Option<&[u8]>) -> Result<(), &'static str> {
        while let Some((&number, rest)) = self.common.split_first() {
            let word = common::word(number).ok_or("unknown common word")?;
            match string.map(|string| string.cmp(word.as_bytes())) {
                Some(Ordering::Less) => break,
                Some(Ordering::Equal) => return Err("common word is spelt out"),
                Some(Ordering::Greater) | None => {
                    self.push(word.as_bytes(), Some(number))?;
                    self.common = rest;
                }
            }
        }
        Ok(())
    }

    /// Reads the strings of the set.
    fn own(&mut self) -> Result<(), &'static str> {
        let nodes = self.set.len().checked_sub(FOOT).and_then(|end| self.set.get(..end));
        let (nodes, root) = nodes.zip(self.root()).ok_or("set has no valid head")?;
        let mut key: Vec<u8> = Vec::new();
        let mut n_steps = 0;
        let mut path = vec![self.visit(nodes, root, &key)?];
        while let Some(step) = path.last_mut() {
            let Some((byte, to)) = step.node.transition(nodes, step.next).ok_or("set has a damaged node")?
            else {
                path.pop();
                key.pop();
                continue;
            };
            if step.last.is_some_and(|last| last >= byte) {
                return Err("set is not sorted");
            }
            step.next += 1;
            step.last = Some(byte);
            // Each step of an honest set reads another byte of its strings.
            n_steps += 1;
            if n_steps > self.n_bytes {
                return Err("set has more bytes than stated");
            }
            if key.len() >= limits::STRING_BYTES {
                return Err("string is too long");
            }
            key.push(byte);
            path.push(self.visit(nodes, to, &key)?);
        }
        Ok(())
    }

    /// Returns the position of the root, if head and foot are those of a set of this many strings.
    fn root(&self) -> Option<usize> {
        let number = |at: usize| -> Option<u64> {
            Some(u64::from_le_bytes(self.set.get(at..at.checked_add(8)?)?.try_into().ok()?))
        };
        let foot = self.set.len().checked_sub(FOOT)?;
        let is_set = number(0)? == VERSION && number(8)? == 0 && number(foot)? == self.n_own as u64;
        is_set.then_some(())?;
        usize::try_from(number(foot + 8)?).ok()
    }

    /// Opens the node at a position; if a string ends at it, that is `key`.
    fn visit(&mut self, nodes: &[u8], at: usize, key: &[u8]) -> Result<Step, &'static str> {
        let node = Node::open(nodes, at).ok_or("set has a damaged node")?;
        if node.is_final {
            self.n_own = self.n_own.checked_sub(1).ok_or("more strings than stated")?;
            self.common_before(Some(key))?;
            self.push(key, None)?;
        }
        Ok(Step { node, next: 0, last: None })
    }
}

/// A node of a set. Its position is that of its last byte, and it leads to earlier nodes only.
struct Node {
    /// Whether a string ends here.
    is_final: bool,
    transitions: Transitions,
}

enum Transitions {
    One {
        byte: u8,
        to: usize,
    },
    Several {
        n: usize,
        /// Position after the bytes of the transitions, which are stored last to first.
        bytes: usize,
        /// Size of each distance, stored before the bytes, last to first.
        size: usize,
        /// Position of the node's first byte, from which distances count.
        start: usize,
    },
}

impl Node {
    /// Opens the node at a position.
    fn open(nodes: &[u8], at: usize) -> Option<Self> {
        if at == END {
            let none = Transitions::Several { n: 0, bytes: 0, size: 0, start: 0 };
            return Some(Self { is_final: true, transitions: none });
        }
        let head = *nodes.get(at)?;
        let low = usize::from(head & 0x3f);
        if head & 0x80 != 0 {
            // One transition. Its byte is common, or comes before the head.
            let (byte, before) = match low.checked_sub(1) {
                Some(common) => (*COMMON.get(common)?, at),
                None => (*nodes.get(at.checked_sub(1)?)?, at.checked_sub(1)?),
            };
            let to = if head & 0x40 != 0 {
                // It leads to the node just before this one.
                before.checked_sub(1).filter(|&to| to >= HEAD)?
            } else {
                let sizes = before.checked_sub(1)?;
                let size = size_of_distance(*nodes.get(sizes)?)?;
                let start = sizes.checked_sub(size)?;
                target(nodes, start, size, start)?
            };
            return Some(Self { is_final: false, transitions: Transitions::One { byte, to } });
        }
        let (n, before) = match low {
            0 => (usize::from(*nodes.get(at.checked_sub(1)?)?), at.checked_sub(1)?),
            n => (n, at),
        };
        // A node with one transition at which a string ends has its number in the head.
        let n = if low == 0 && n == 1 { 256 } else { n };
        let sizes = before.checked_sub(1)?;
        let size = size_of_distance(*nodes.get(sizes)?)?;
        let bytes = sizes.checked_sub(if n > INDEXED { 256 } else { 0 })?;
        let start = bytes.checked_sub(n.checked_mul(size.checked_add(1)?)?)?;
        let transitions = Transitions::Several { n, bytes, size, start };
        Some(Self { is_final: head & 0x40 != 0, transitions })
    }

    /// Returns the byte of a transition and the position of its node: `None` for damaged bytes,
    /// `Some(None)` after the last transition.
    #[allow(clippy::option_option, reason = "damage and the end are different")]
    fn transition(&self, nodes: &[u8], i: usize) -> Option<Option<(u8, usize)>> {
        match self.transitions {
            Transitions::One { byte, to } => Some((i == 0).then_some((byte, to))),
            Transitions::Several { n, .. } if i >= n => Some(None),
            Transitions::Several { n, bytes, size, start } => {
                let byte = *nodes.get(bytes.checked_sub(i + 1)?)?;
                let distance = bytes.checked_sub(n)?.checked_sub((i + 1).checked_mul(size)?)?;
                Some(Some((byte, target(nodes, distance, size, start)?)))
            }
        }
    }
}

/// Returns the size of distances from the byte of sizes; a set has no outputs.
fn size_of_distance(sizes: u8) -> Option<usize> {
    (sizes & 0x0f == 0 && sizes >> 4 <= 8).then_some(usize::from(sizes >> 4))
}

/// Returns the position to which a stored distance from `start` leads.
fn target(nodes: &[u8], at: usize, size: usize, start: usize) -> Option<usize> {
    let mut number = [0; 8];
    number.get_mut(..size)?.copy_from_slice(nodes.get(at..at.checked_add(size)?)?);
    match usize::try_from(u64::from_le_bytes(number)).ok()? {
        0 => Some(END),
        distance => start.checked_sub(distance).filter(|&to| to >= HEAD),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn read(set: &[u8], n_strings: usize, n_bytes: usize) -> Result<Vec<String>, &'static str> {
        read_with(set, n_strings, n_bytes, &[])
    }

    fn read_with(
        set: &[u8],
        n_own: usize,
        n_bytes: usize,
        common: &[u32],
    ) -> Result<Vec<String>, &'static str> {
        let mut strings = Strings::default();
        strings.read(set, n_own, n_bytes, common)?;
        let numbers = (0..n_own + common.len()).filter_map(|ord| {
            let number = strings.common(ord)?;
            assert_eq!(common::word(number), strings.get(ord));
            Some(number)
        });
        assert_eq!(numbers.collect::<Vec<_>>(), common);
        Ok((0..n_own + common.len()).map(|ord| strings.get(ord).unwrap().to_owned()).collect())
    }

    fn round_trip(words: &BTreeSet<String>) {
        let sorted: Vec<&str> = words.iter().map(String::as_str).collect();
        let set = write(&sorted);
        let n_bytes = sorted.iter().map(|word| word.len()).sum();
        assert_eq!(read(&set, sorted.len(), n_bytes).unwrap(), sorted);
        if !sorted.is_empty() {
            assert!(read(&set, sorted.len() - 1, n_bytes).is_err());
            assert!(read(&set, sorted.len(), n_bytes + 1).is_err());
        }
        if n_bytes > 0 {
            assert!(read(&set, sorted.len(), n_bytes - 1).is_err());
        }
    }

    proptest! {
        #[test]
        fn sets_come_back(words in btree_set("\\PC{0,12}", 0..60)) {
            round_trip(&words);
        }

        #[test]
        fn words_come_back(words in btree_set("[a-f]{0,6}", 0..300)) {
            round_trip(&words);
        }

        #[test]
        fn any_bytes_are_survived(bytes in vec(any::<u8>(), 0..200), n in 0usize..40, root in any::<u8>()) {
            let _ = read(&bytes, n, 200);
            // The same with a valid head and foot.
            let mut set = [3u64.to_le_bytes(), [0; 8]].concat();
            set.extend(bytes);
            set.extend([(n as u64).to_le_bytes(), u64::from(root).to_le_bytes()].concat());
            set.extend([0; 4]);
            let _ = read(&set, n, 200);
        }
    }

    /// All bytes are followed, whether they are common or not, from nodes with few and with many
    /// transitions.
    #[test]
    fn every_byte_is_read_back() {
        let all: BTreeSet<String> = (0..0x180).filter_map(char::from_u32).map(String::from).collect();
        round_trip(&all);
        round_trip(&all.iter().flat_map(|a| [format!("{a}x{a}"), format!("{a}{a}")]).collect());
        for one in all {
            round_trip(&BTreeSet::from([format!("a{one}b")]));
        }
        round_trip(&BTreeSet::from([String::new()]));
        round_trip(&BTreeSet::new());
    }

    #[test]
    fn common_words_stand_among_the_others() {
        let numbers = ["class", "return"].map(|word| common::number(word).unwrap());
        let own = ["aaqq", "dqqq", "zzqq"];
        let set = write(&own);
        assert_eq!(read_with(&set, 3, 23, &numbers).unwrap(), ["aaqq", "class", "dqqq", "return", "zzqq"]);
        assert_eq!(read_with(&[], 0, 11, &numbers).unwrap(), ["class", "return"]);
        assert_eq!(read_with(&[], 0, 10, &numbers), Err("more strings than stated"));
        assert_eq!(read_with(&[], 0, 12, &numbers), Err("fewer strings than stated"));
        assert_eq!(read_with(&[], 0, 11, &[u32::MAX]), Err("unknown common word"));
        let spelt = write(&["class"]);
        assert_eq!(read_with(&spelt, 1, 16, &numbers), Err("common word is spelt out"));
    }

    #[test]
    fn every_changed_byte_is_survived() {
        let words = ["", "a", "about", "above", "be", "begin", "größe", "zoo", "zoom"];
        let set = write(&words);
        let n_bytes = words.iter().map(|word| word.len()).sum();
        for at in 0..set.len() {
            for byte in 0..=255 {
                let mut forged = set.clone();
                forged[at] = byte;
                if let Ok(found) = read(&forged, words.len(), n_bytes) {
                    assert!(found.is_sorted_by(|a, b| a < b), "{at} {byte}");
                }
            }
        }
        for len in 0..set.len() {
            assert!(read(&set[..len], words.len(), n_bytes).is_err());
        }
    }

    /// A few bytes can describe more strings than memory can hold.
    #[test]
    fn a_set_that_repeats_its_nodes_is_stopped() {
        // Each node leads to the one before it by two bytes: 2^40 strings.
        let mut set = [3u64.to_le_bytes(), [0; 8]].concat();
        let mut to = 0;
        for _ in 0..40 {
            let start = set.len();
            let distance = if to == 0 { 0 } else { u8::try_from(start - to).unwrap() };
            set.extend([distance, distance, b'b', b'a', 0x10, 2]);
            to = set.len() - 1;
        }
        set.extend(100u64.to_le_bytes());
        set.extend((to as u64).to_le_bytes());
        set.extend([0; 4]);
        assert_eq!(read(&set, 100, 4000), Err("more strings than stated"));
        assert!(read(&set, 100, 400).is_err());
    }
}
