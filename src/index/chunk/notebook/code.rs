//! The code of a notebook: cells → one text, in which every byte knows its place in the notebook.

use super::cells::Cell;
use crate::index::chunk::documents::unescaped;
use crate::index::chunk::lines::offset;
use crate::index::chunk::{ByteRange, MAX_PARSE_BYTES};

/// A run of bytes of the code that stands like this in the notebook.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Where it begins in the code.
    decoded: u32,
    /// Where it begins in the notebook.
    raw: u32,
    /// Where it ends in the notebook, with the escape after it.
    raw_end: u32,
}

/// The code of all cells, one below the other.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) text: String,
    /// The range of each cell's code, in the order of cells; empty for one that is not read.
    pub(super) cells: Vec<ByteRange>,
    runs: Vec<Run>,
}

impl Code {
    /// Decodes the cells of code in a known language, as much as may be parsed.
    pub(super) fn new(text: &str, cells: &[Cell<'_>]) -> Self {
        let mut code = Self::default();
        for cell in cells {
            let start = offset(code.text.len());
            let is_read =
                cell.language().is_some() && code.text.len() + cell.bytes.len() as usize <= MAX_PARSE_BYTES;
            for string in cell.strings.iter().filter(|_| is_read) {
                let (decoded, places) = unescaped(string.of(text));
                let base = offset(code.text.len());
                for (at, &(to, from)) in places.iter().enumerate() {
                    let next = places.get(at + 1).map_or(string.len(), |(_, from)| offset(*from));
                    code.runs.push(Run {
                        decoded: base + offset(to),
                        raw: string.start + offset(from),
                        raw_end: string.start + next,
                    });
                }
                code.text.push_str(&decoded);
            }
            code.cells.push(ByteRange { start, end: offset(code.text.len()) });
            if is_read {
                hide_commands(&mut code.text, start);
                code.text.push('\n');
            }
        }
        code
    }

    /// Returns the run that a byte is in, and the one after it.
    fn run(&self, at: u32) -> Option<(Run, Option<Run>)> {
        let next = self.runs.partition_point(|run| run.decoded <= at);
        Some((*self.runs.get(next.checked_sub(1)?)?, self.runs.get(next).copied()))
    }

    /// Returns the position in the notebook of a byte of the code.
    pub(super) fn raw(&self, at: u32) -> u32 {
        self.run(at).map_or(0, |(run, _)| (run.raw + (at - run.decoded)).min(run.raw_end))
    }

    /// Returns the range in the notebook of a range of the code.
    pub(super) fn raw_range(&self, bytes: ByteRange) -> ByteRange {
        let Some((run, next)) = self.run(bytes.end.saturating_sub(1)).filter(|_| !bytes.is_empty()) else {
            return ByteRange::default();
        };
        let start = self.raw(bytes.start);
        // The last character may be an escape.
        let is_whole = next.is_some_and(|next| next.decoded == bytes.end);
        let end = if is_whole { run.raw_end } else { (run.raw + (bytes.end - run.decoded)).min(run.raw_end) };
        ByteRange { start, end: end.max(start) }
    }
}

/// Turns the lines that are commands of the notebook (`%matplotlib inline`, `!pip install x`) into
/// comments, without moving anything.
fn hide_commands(code: &mut String, from: u32) {
    let mut at = from as usize;
    let mut marks = Vec::new();
    for line in code.get(at..).unwrap_or_default().split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t']);
        if content.starts_with(['%', '!', '?']) {
            marks.push(at + line.len() - content.len());
        }
        at += line.len();
    }
    for at in marks {
        code.replace_range(at..=at, "#");
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::cells;
    use super::*;

    #[test]
    fn every_byte_knows_its_place() {
        let text =
            "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"a = \\\"x\\\"\\n\",\n\"!ls\\u00e9\"]}]}";
        let code = Code::new(text, &cells(text).unwrap());
        assert_eq!(code.text, "a = \"x\"\n#lsé\n");
        let range = |part: &str| {
            let start = offset(code.text.find(part).unwrap());
            code.raw_range(ByteRange { start, end: start + offset(part.len()) }).of(text)
        };
        assert_eq!(range("a"), "a");
        assert_eq!(range("\"x\""), "\\\"x\\\"");
        assert_eq!(range("x\"\n"), "x\\\"\\n");
        assert_eq!(range("lsé"), "ls\\u00e9");
        assert_eq!(range("= \"x\"\n#ls"), "= \\\"x\\\"\\n\",\n\"!ls");
        assert_eq!(code.raw_range(ByteRange::default()), ByteRange::default());
    }
}
