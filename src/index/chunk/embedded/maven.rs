//! Properties of Maven: `<properties><lib.version>1.2</lib.version></properties>` → variables.
//!
//! Elsewhere in XML, an element is declared by an attribute or a child that names it. Here the tag
//! itself is the name, and `${lib.version}` refers to it. The time is linear in the text.

use super::declaration_order::{around, in_order};
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::mention::MAX_NAME;
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind};

const OPEN: &str = "<properties>";
const CLOSE: &str = "</properties>";

/// Adds the properties of a project to the declarations of its file.
pub(super) fn add(all: &mut Vec<Declaration>, lines: &Lines<'_>) {
    let text = lines.text();
    if !text.contains("maven.apache.org") && !text.contains("<modelVersion>") {
        return;
    }
    let n_host = all.len();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(OPEN)) {
        let start = from + at + OPEN.len();
        let Some(len) = text.get(start..).and_then(|rest| rest.find(CLOSE)) else { break };
        from = start + len;
        let list = ByteRange { start: offset(start), end: offset(from) };
        let parent = around(all.get(..n_host).unwrap_or_default(), list, |_| true);
        all.extend(properties(lines, list).map(|one| Declaration { parent, ..one }));
    }
    if all.len() > n_host {
        *all = in_order(all, |_| true).0;
    }
}

/// Returns the declarations of the elements in a list.
fn properties<'l>(lines: &'l Lines<'_>, list: ByteRange) -> impl Iterator<Item = Declaration> + 'l {
    let text = lines.text();
    let (mut at, end) = (list.start as usize, list.end as usize);
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..end)?;
            let open = rest.find('<')?;
            let rest = rest.get(open..)?;
            at += open;
            if rest.starts_with("<!--") {
                at += rest.find("-->").map_or(rest.len(), |close| close + 3);
                continue;
            }
            let inner = rest.get(1..)?;
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
            let name = inner.get(..inner.find(|c| !is_part(c))?)?;
            let whole = inner.get(name.len()..).filter(|behind| behind.starts_with('>')).and_then(|behind| {
                let close = behind.find('<')?;
                let tag = behind.get(close..)?.strip_prefix("</")?.strip_prefix(name)?;
                tag.starts_with('>').then_some(1 + name.len() + close + 3 + name.len())
            });
            let is_name = !name.is_empty() && name.len() <= MAX_NAME;
            match whole.filter(|_| is_name) {
                Some(len) => {
                    let start = at;
                    at += len;
                    return Some(declaration(lines, start, len, name));
                }
                None => at += 1,
            }
        }
    })
}

fn declaration(lines: &Lines<'_>, start: usize, len: usize, name: &str) -> Declaration {
    let bytes = ByteRange { start: offset(start), end: offset(start + len) };
    Declaration {
        name: name.to_owned(),
        scope: String::new(),
        kind: DeclarationKind::Variable,
        parent: None,
        span: lines.span(bytes),
        name_line: lines.of(bytes.start) + 1,
        signature: bytes,
        body: ByteRange::default(),
        doc: ByteRange::default(),
    }
}
