//! Values of secrets in manifests of Kubernetes.
//!
//! Owns [`values`]. A manifest with the line `kind: Secret` has its values below `data:` or
//! `stringData:`. They are secret whatever they look like: in `data:`, even a plain word is in base
//! 64. The line of the kind may come after them, and manifests may be the items of a list.
//!
//! Each line is read once.

use bstr::ByteSlice;

/// What a text has if it has such a manifest.
const KIND: &[u8] = b"kind: ";

/// The ways to write the kind.
const KINDS: [&[u8]; 3] = [b"Secret", b"\"Secret\"", b"'Secret'"];

/// The keys of values.
const FIELDS: [&[u8]; 2] = [b"data", b"stringData"];

/// A manifest whose lines are read.
#[derive(Default)]
struct Manifest {
    /// How many bytes its keys are indented.
    indentation: usize,
    is_secret: bool,
    /// Whether the lines that follow are values, if they are indented further.
    has_values: bool,
    /// How many bytes the keys of the values are indented.
    keys: Option<usize>,
    /// Where its values begin and end.
    found: Vec<(usize, usize)>,
}

/// Calls `add` with the start and the end of each value, in the order of the text.
pub(super) fn values(text: &[u8], mut add: impl FnMut(usize, usize)) {
    if !KINDS.iter().any(|kind| text.contains_str([KIND, kind].concat())) {
        return;
    }
    let mut close = |manifest: Manifest| {
        if manifest.is_secret {
            manifest.found.into_iter().for_each(|(start, end)| add(start, end));
        }
    };
    let mut manifest = Manifest::default();
    let mut start = 0;
    for line in text.split_str("\n") {
        let at = start;
        start += line.len() + 1;
        let line = line.trim_end();
        let mut indentation = line.iter().take_while(|byte| **byte == b' ').count();
        let mut content = line.get(indentation..).unwrap_or_default();
        if content.is_empty() || content.starts_with(b"#") {
            continue;
        }
        let is_item = content.starts_with(b"- ") && !manifest.is_value(indentation);
        if is_item {
            let n = content.iter().skip(1).take_while(|byte| **byte == b' ').count() + 1;
            (indentation, content) = (indentation + n, content.get(n..).unwrap_or_default());
        }
        if is_item || content.starts_with(b"---") || indentation < manifest.indentation {
            close(std::mem::take(&mut manifest));
            manifest.indentation = indentation;
        }
        manifest.read(at + line.len() - content.len(), indentation, content);
    }
    close(manifest);
}

impl Manifest {
    /// Returns whether a line that is indented so is a value.
    fn is_value(&self, indentation: usize) -> bool {
        self.has_values && indentation > self.indentation
    }

    /// Reads a line whose content begins at this byte.
    fn read(&mut self, at: usize, indentation: usize, content: &[u8]) {
        if self.is_value(indentation) {
            // A line that is indented further than a key goes on with its value.
            let is_key = *self.keys.get_or_insert(indentation) == indentation;
            let value = if is_key { content.find(b": ").map(|colon| colon + 2) } else { Some(0) };
            self.found.extend(value.and_then(|from| trimmed(at, content, from)));
            return;
        }
        let (key, value) = content.split_once_str(":").unwrap_or_default();
        if indentation == self.indentation {
            self.has_values = FIELDS.contains(&key) && value.is_empty();
            self.keys = None;
            self.is_secret |= key == b"kind" && KINDS.contains(&value.trim());
        }
    }
}

/// Returns the range of a value without blanks and quotes around it; `None` if it has no letter or
/// digit, or if a template inserts something.
fn trimmed(at: usize, content: &[u8], from: usize) -> Option<(usize, usize)> {
    let is_around = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
    let value = content.get(from..)?;
    let start = from + value.iter().take_while(|byte| is_around(byte)).count();
    let end = content.len() - value.iter().rev().take_while(|byte| is_around(byte)).count();
    let value = content.get(start..end)?;
    let is_inserted = [&b"{{"[..], b"${"].iter().any(|part| value.contains_str(part));
    (value.iter().any(u8::is_ascii_alphanumeric) && !is_inserted).then_some((at + start, at + end))
}
