//! What Zsh has and Bash lacks, for the grammar of Bash.
//!
//! The grammar cannot read the expansions of Zsh, and one of them hides the functions behind it. So
//! the parser sees a plain name in their place, and each function of a script of Zsh is parsed
//! alone. Nothing else changes. The time is linear in the text.

use crate::base::text::head;
use crate::base::text::identifier::offset_in;
use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;
use crate::index::chunk::table::Outermost;
use std::borrow::Cow;

/// Most functions of a script that are parsed alone.
const MAX_FUNCTIONS: usize = 500;

/// Longest expansion in bytes.
const MAX_EXPANSION: usize = 300;

/// Words at the start of a line that only scripts of Zsh have.
const COMMANDS: [&str; 7] = ["autoload", "bindkey", "compdef", "compdef:", "setopt", "zle", "zstyle"];

/// Puts plain names in place of the expansions of Zsh, and ends the last command of a group on one
/// line: `f() { echo $1 }`.
pub(super) fn mask<'t>(text: &str, mut seen: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut hide = |from: usize, to: usize| {
            if let Some(hidden) = seen.to_mut().get_mut(start + from..start + to) {
                hidden.fill(b'_');
            }
        };
        expansions(line, &mut hide);
        // A function without a name is called where it stands.
        if line.trim_start().starts_with("() {") {
            let at = line.len() - line.trim_start().len();
            if let Some(brackets) = seen.to_mut().get_mut(start + at..start + at + 2) {
                brackets.fill(b' ');
            }
        }
        for at in open_ends(line) {
            if let Some(space) = seen.to_mut().get_mut(start + at) {
                *space = b';';
            }
        }
        start += line.len();
    }
    seen
}

/// Calls `hide` with what stands behind the `$` or in the braces of each expansion of Zsh.
fn expansions(line: &str, hide: &mut impl FnMut(usize, usize)) {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let arithmetic = line.find("((");
    let mut at = 0;
    while let Some(next) = line.get(at..).and_then(|rest| rest.find('$')) {
        at += next + 1;
        let rest = line.get(at..).unwrap_or_default();
        if let Some(inner) = rest.strip_prefix('{') {
            let Some(length) = balanced(inner) else { continue };
            if inner.get(..length).is_some_and(is_of_zsh) {
                hide(at + 1, at + 1 + length);
                at += length + 2;
            } else {
                at += 1;
            }
            continue;
        }
        // `$+commands[git]`, and `$a[1]` in arithmetic.
        let has_plus = rest.starts_with('+');
        let name = rest.get(usize::from(has_plus)..).unwrap_or_default();
        let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
        let behind = name.get(end..).unwrap_or_default();
        let subscript = subscript(behind);
        if end > 0 && (has_plus || subscript > 0 && arithmetic.is_some_and(|from| from < at)) {
            let length = usize::from(has_plus) + end + subscript;
            hide(at, at + length);
            at += length;
        }
    }
}

/// Returns the length of the subscript that a text begins with; 0 if there is none.
fn subscript(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().take(MAX_EXPANSION);
    let end = bytes.find(|(_, byte)| *byte == b']' || byte.is_ascii_whitespace());
    end.filter(|(_, byte)| text.starts_with('[') && *byte == b']').map_or(0, |(at, _)| at + 1)
}

/// Returns the length of what stands before the brace that closes an expansion.
fn balanced(inner: &str) -> Option<usize> {
    let mut depth = 1;
    let mut bytes = inner.bytes().enumerate().take(MAX_EXPANSION);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// Returns whether the grammar of Bash cannot read an expansion: nested ones, flags (`(f)a`),
/// modifiers (`a:h`), filters (`a:#b`) and flags of a subscript (`a[(r)b]`).
fn is_of_zsh(inner: &str) -> bool {
    if inner.starts_with(['(', '=', '~', '^', '+', '"']) || inner.starts_with("${") || inner.starts_with("$(")
    {
        return true;
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_@*#?$!-".contains(c);
    let behind = inner.trim_start_matches(is_name);
    let behind = match behind.strip_prefix('[').and_then(|subscript| subscript.split_once(']')) {
        Some((_, behind)) => behind,
        None => behind,
    };
    let is_modified = behind.len() < inner.len()
        && behind.strip_prefix(':').is_some_and(|modifier| {
            modifier.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '#' | '|' | '&'))
        });
    let count = |sign: u8| inner.bytes().filter(|byte| *byte == sign).count();
    is_modified || inner.contains("[(") || count(b'(') != count(b')')
}

/// Returns the name of the function that a line begins, and the part behind its brace.
fn function(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start();
    let (rest, has_word) = match rest.strip_prefix("function ") {
        Some(rest) => (rest.trim_start(), true),
        None => (rest, false),
    };
    let end = rest.find(|c: char| c.is_whitespace() || "(){}$\"'`=#;|&<>".contains(c))?;
    let behind = rest.get(end..)?.trim_start();
    let behind = match behind.strip_prefix("()") {
        Some(behind) => behind,
        None if has_word => behind,
        None => return None,
    };
    let body = behind.trim_start().strip_prefix('{').filter(|_| end > 0)?;
    Some((rest.get(..end)?, body))
}

/// Returns the positions of the spaces before the braces that end a group of commands on one line,
/// if no separator stands before them: `f() { a }`, `a || { b }`.
fn open_ends(line: &str) -> Vec<usize> {
    const BEFORE: [&str; 9] = ["", "&&", "(", ")", ";", "do", "else", "then", "||"];
    let mut found = Vec::new();
    let mut is_group = function(line).is_some();
    // The place behind the last opening brace.
    let mut from = None;
    let mut bytes = line.bytes().enumerate();
    let mut last = (0, b' ');
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'{' => {
                let before = head(line, at).trim_end();
                let word = before.get(before.len().saturating_sub(4)..).unwrap_or(before);
                is_group |= BEFORE
                    .iter()
                    .any(|one| if one.is_empty() { word.is_empty() } else { word.ends_with(one) });
                from = Some(at).filter(|_| is_group && last.1 != b'$');
                is_group = false;
            }
            b'}' => {
                let is_open = from.take().is_some() && last.0 + 1 < at && !b";&{}".contains(&last.1);
                found.extend(is_open.then_some(last.0 + 1));
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = (at, byte);
        }
    }
    found
}

/// Finds the functions at the top level of a script of Zsh, each with the comment above it. Empty
/// for another script.
pub(super) fn functions(text: &str) -> Vec<Outermost> {
    let mut found = Vec::new();
    if !is_script(text) {
        return found;
    }
    let (mut start, mut above) = (0, None);
    let mut open: Option<Outermost> = None;
    // The word that ends the open heredoc.
    let mut heredoc = None;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let begun = above.unwrap_or(start);
        above = None;
        if let Some(word) = heredoc {
            if line.trim() == word {
                heredoc = None;
            }
        } else if open.is_none() && line.starts_with('#') {
            above = Some(begun);
        } else {
            let is_outer = open.is_none() && !line.starts_with(char::is_whitespace);
            let mut is_one_line = false;
            if let Some((name, body)) = function(line).filter(|_| is_outer) {
                let range = |from: usize, to: usize| ByteRange { start: offset(from), end: offset(to) };
                let name_at = start.saturating_add(offset_in(line, name));
                open = Some(Outermost {
                    bytes: range(begun, end),
                    head: range(start, end - body.len()),
                    name: range(name_at, name_at.saturating_add(name.len())),
                });
                is_one_line = body.trim_end().ends_with('}');
            }
            if let Some(one) = open.filter(|_| is_one_line || line.starts_with('}')) {
                found.push(Outermost { bytes: ByteRange { end: offset(end), ..one.bytes }, ..one });
                open = None;
            }
            heredoc = heredoc_word(line);
        }
        if found.len() == MAX_FUNCTIONS {
            break;
        }
        start = end;
    }
    found
}

/// Returns whether a text is a script of Zsh.
fn is_script(text: &str) -> bool {
    let is_command = |line: &str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        COMMANDS.contains(&word)
            || line.contains("${(")
            || line.contains("${${")
            || line.contains("$+commands")
    };
    let first = text.lines().next().unwrap_or_default();
    first.starts_with('#') && first.contains("zsh") || text.lines().any(is_command)
}

/// Returns the word that ends the heredoc which a line begins.
fn heredoc_word(line: &str) -> Option<&str> {
    let (_, begun) = line.split_once("<<").filter(|(_, begun)| !begun.starts_with('<'))?;
    let begun = begun.trim_start_matches(['-', ' ']).trim_start_matches(['"', '\'', '\\']);
    let end = begun.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(begun.len());
    begun.get(..end).filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_become_names() {
        for (text, seen) in [
            ("0=\"${${ZERO:-$0}:-${(%):-%N}}\"\n", "0=\"${_______________________}\"\n"),
            ("source \"${0:A:h}/lib.zsh\"\n", "source \"${_____}/lib.zsh\"\n"),
            (
                "a=${b:#c} d=${e[(r)f]} (( $+commands[git] ))\n",
                "a=${____} d=${_______} (( $______________ ))\n",
            ),
            ("if (( $a[1] )); then x $b[1]; fi\n", "if (( $____ )); then x $____; fi\n"),
            ("f() { echo $1 }\n", "f() { echo $1;}\n"),
            ("a || { b }; then { c; }\n", "a || { b;}; then { c; }\n"),
            ("echo a { b } \"$d { e }\"\n", "echo a { b } \"$d { e }\"\n"),
            ("function f { a; b }\nfunction g() { a; }\n", "function f { a; b;}\nfunction g() { a; }\n"),
            ("a=${b:-c} d=${e//f/g} ${h[1]} ${#i} {a,b}\n", "a=${b:-c} d=${e//f/g} ${h[1]} ${#i} {a,b}\n"),
        ] {
            let masked = mask(text, Cow::Borrowed(text.as_bytes()));
            assert_eq!(String::from_utf8_lossy(&masked), seen, "{text}");
        }
    }

    #[test]
    fn functions_of_a_script_are_found() {
        let text = "#!/bin/zsh\n\n# Opens.\nopen() {\n  cat <<END\n}\nEND\n  x\n}\n\nfunction a:b { c }\nif x; then\n  y() { }\nfi\n";
        let found: Vec<&str> = functions(text).iter().map(|one| one.bytes.of(text)).collect();
        assert_eq!(found, ["# Opens.\nopen() {\n  cat <<END\n}\nEND\n  x\n}\n", "function a:b { c }\n",]);
        assert_eq!(functions("#!/bin/bash\na() {\n  b\n}\n"), []);
    }
}
