//! `--messages FILE`: a file with a chat history → its messages that have text.

use std::io::Read;
use std::path::Path;

use anyhow::Context as _;

use crate::input::conversation::{Turn, parse};
use crate::terminal::Context;

/// Size limit of a history in bytes: the longest contexts of models are some four megabytes.
const MAX_BYTES: u64 = 16 << 20;

/// Returns the messages, latest first, without system messages and those without text.
pub(super) fn turns(context: &Context, path: &Path) -> anyhow::Result<Vec<Turn>> {
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_string(&mut text)
    } else {
        let path = context.directory().join(path);
        std::fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
    };
    let n = read.with_context(|| format!("can't read '{}'", path.display()))?;
    anyhow::ensure!(n as u64 <= MAX_BYTES, "'{}' has more than {MAX_BYTES} bytes", path.display());
    parse(&text).with_context(|| format!("'{}' is not a chat history", path.display()))
}
