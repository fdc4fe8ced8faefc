//! Sorted strings → an `fst` set whose automaton is a tree, in the library's bytes.
//!
//! Owns [`write`]. The library's own writer shares equal endings of strings, and thus makes the
//! smallest automaton. This one shares beginnings only. Git's compression makes both equally small.
//! But in a tree, a node is next to its children: a new word changes the nodes on its own path, so
//! that Git stores the new set as a small delta. It is also faster: the library prepares a cache of
//! a megabyte for each set. See `doc/experiments/index.md`.

use super::dictionary::{END, INDEXED, VERSION, number_of};

/// The library's number for a set without a type of its own.
const TYPE: u64 = 0;

/// A transition: a byte, and the position of the node that it leads to.
type Transition = (u8, usize);

/// Encodes strings that are sorted by their bytes, each once.
pub(super) fn write(sorted: &[&str]) -> Vec<u8> {
    let mut writer = Writer { nodes: vec![OpenNode::default()], ..Writer::default() };
    writer.out.extend_from_slice(&VERSION.to_le_bytes());
    writer.out.extend_from_slice(&TYPE.to_le_bytes());
    let mut last: &[u8] = &[];
    for string in sorted {
        let string = string.as_bytes();
        let common = last.iter().zip(string).take_while(|(a, b)| a == b).count();
        writer.complete(common);
        writer.open(string.get(common..).unwrap_or_default());
        last = string;
    }
    writer.finish(sorted.len())
}

/// A node whose transitions are not all known yet.
#[derive(Debug, Default)]
struct OpenNode {
    is_final: bool,
    transitions: Vec<Transition>,
    /// The byte of the transition to the next open node.
    byte: u8,
}

#[derive(Debug, Default)]
struct Writer {
    out: Vec<u8>,
    /// The nodes from the root to the end of the last string. Those beyond `depth` are spare.
    nodes: Vec<OpenNode>,
    /// The number of transitions from the root to the end of the last string.
    depth: usize,
}

impl Writer {
    /// Opens a node for each byte after the current one. A string ends at the last of them.
    fn open(&mut self, bytes: &[u8]) {
        while self.nodes.len() <= self.depth + bytes.len() {
            self.nodes.push(OpenNode::default());
        }
        for (node, &byte) in self.nodes.iter_mut().skip(self.depth).zip(bytes) {
            node.byte = byte;
        }
        self.depth += bytes.len();
        if let Some(node) = self.nodes.get_mut(self.depth) {
            node.is_final = true;
        }
    }

    /// Writes the open nodes that are deeper than `depth`.
    fn complete(&mut self, depth: usize) {
        while self.depth > depth {
            let position = self.close(self.depth);
            self.depth -= 1;
            if let Some(parent) = self.nodes.get_mut(self.depth) {
                parent.transitions.push((parent.byte, position));
            }
        }
    }

    /// Writes the open node at a depth and makes it spare. Returns its position.
    fn close(&mut self, depth: usize) -> usize {
        let Some(node) = self.nodes.get_mut(depth) else { return END };
        let is_final = std::mem::take(&mut node.is_final);
        if is_final && node.transitions.is_empty() {
            return END;
        }
        let position = put_node(&mut self.out, is_final, &node.transitions);
        node.transitions.clear();
        position
    }

    /// Writes the remaining nodes, the number of strings, the position of the root and a checksum.
    fn finish(mut self, n_strings: usize) -> Vec<u8> {
        self.complete(0);
        let root = self.close(0);
        let mut out = self.out;
        out.extend_from_slice(&(n_strings as u64).to_le_bytes());
        out.extend_from_slice(&(root as u64).to_le_bytes());
        // Masked as in the framing format of Snappy.
        let sum = crc32c::crc32c(&out).rotate_right(15).wrapping_add(0xa282_ead8);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }
}

/// Appends a node. Returns its position, which is that of its last byte.
fn put_node(out: &mut Vec<u8>, is_final: bool, transitions: &[Transition]) -> usize {
    let start = out.len();
    match transitions {
        &[(byte, to)] if !is_final => {
            let number = number_of(byte);
            // The only child was written last, if it is not the end.
            let head = if to == END {
                // A distance of one byte, 0.
                out.extend([0, 1 << 4]);
                0x80
            } else {
                0xc0
            };
            if number == 0 {
                out.push(byte);
            }
            out.push(head | number);
        }
        _ => {
            let size = transitions.iter().map(|&(_, to)| size(start, to)).max().unwrap_or(0);
            for &(_, to) in transitions.iter().rev() {
                put_distance(out, start, to, size);
            }
            out.extend(transitions.iter().rev().map(|(byte, _)| byte));
            if transitions.len() > INDEXED {
                let mut table = [u8::MAX; 256];
                for (&(byte, _), n) in transitions.iter().zip(0..) {
                    if let Some(entry) = table.get_mut(usize::from(byte)) {
                        *entry = n;
                    }
                }
                out.extend_from_slice(&table);
            }
            out.push(size << 4);
            let n = transitions.len();
            let in_head = u8::try_from(n).ok().filter(|&n| n < 64).unwrap_or(0);
            if in_head == 0 {
                // 256 does not fit; 1 stands for it, since a single transition is in the head.
                out.push(u8::try_from(n).unwrap_or(1));
            }
            out.push(if is_final { 0x40 } else { 0 } | in_head);
        }
    }
    out.len() - 1
}

/// Returns the distance to a node from the first byte of the node that leads to it; 0 for the end.
fn distance(start: usize, to: usize) -> usize {
    if to == END { 0 } else { start - to }
}

/// Returns the number of bytes of a distance, at least 1.
fn size(start: usize, to: usize) -> u8 {
    let bits = usize::BITS - distance(start, to).leading_zeros();
    u8::try_from(bits.div_ceil(8).max(1)).unwrap_or(8)
}

fn put_distance(out: &mut Vec<u8>, start: usize, to: usize, size: u8) {
    let bytes = (distance(start, to) as u64).to_le_bytes();
    out.extend(bytes.iter().take(size.into()));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    fn by_library(sorted: &[&str]) -> Vec<u8> {
        let mut set = fst::SetBuilder::memory();
        for string in sorted {
            set.insert(string).unwrap();
        }
        set.into_inner().unwrap()
    }

    /// The library must read the strings, and find the checksum right.
    fn is_read(words: &BTreeSet<String>) -> Vec<u8> {
        let sorted: Vec<&str> = words.iter().map(String::as_str).collect();
        let bytes = write(&sorted);
        let set = fst::Set::new(bytes.as_slice()).unwrap();
        set.as_fst().verify().unwrap();
        assert_eq!(set.len(), sorted.len());
        assert_eq!(set.stream().into_strs().unwrap(), sorted);
        assert!(sorted.iter().all(|word| set.contains(word)));
        assert!(!set.contains("\u{1}absent"));
        bytes
    }

    proptest! {
        #[test]
        fn the_library_reads_what_is_written(words in btree_set("[a-e_Ü提]{0,6}", 1..200)) {
            let bytes = is_read(&words);
            // A word behind all others changes no byte of theirs but the root.
            let more: BTreeSet<String> = words.iter().cloned().chain(["提提提提提提提".to_owned()]).collect();
            let shared = bytes.iter().zip(&is_read(&more)).take_while(|(a, b)| a == b).count();
            let below_last = words.iter().next_back().is_some_and(|last| last.starts_with('提'));
            let of_root = 20 + 3 + 2 * 8 + 1;
            prop_assert!(below_last || shared + of_root >= bytes.len(), "{} of {}", shared, bytes.len());
        }

        #[test]
        fn without_equal_endings_the_set_is_that_of_the_library(n in 1u8..26) {
            let words: Vec<String> = (b'a'..=b'z').take(n.into()).map(|c| char::from(c).to_string()).collect();
            let sorted: Vec<&str> = words.iter().map(String::as_str).collect();
            prop_assert_eq!(write(&sorted), by_library(&sorted));
        }
    }

    #[test]
    fn nodes_of_every_size_are_read() {
        let ascii = |n: u8| (0..n).map(|byte| char::from(byte).to_string()).collect::<BTreeSet<_>>();
        // One, up to 32, up to 63 and up to 128 transitions of one node, final or not.
        for n in [1, 2, 31, 32, 33, 62, 63, 64, 65, 127, 128] {
            let mut words = ascii(n);
            assert_eq!(is_read(&words), by_library(&words.iter().map(String::as_str).collect::<Vec<_>>()));
            words.insert(String::new());
            is_read(&words);
        }
        // Every first byte of a character, and every byte after it.
        let all: BTreeSet<String> = ('\u{0}'..='\u{fff}').map(|c| c.to_string()).collect();
        is_read(&all);
        // Distances of one, two and three bytes.
        let many: BTreeSet<String> =
            (0..60_000u32).map(|n| format!("{:x}", n.wrapping_mul(2_654_435_761))).collect();
        assert!(is_read(&many).len() > 1 << 16);
    }
}
