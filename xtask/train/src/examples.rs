//! Mines pairs from documents: a heading or paragraph with the code block that follows, and a
//! heading with its first paragraph.
//!
//! A line-based reader, not a parser: a wrongly read block only costs a pair.

use super::declared::says_something;
use super::pairs::{Kind, Pair};

/// Reads Markdown (fenced blocks) and reStructuredText (blocks after `::` or `.. code-block::`).
pub(crate) fn mine(text: &str, pairs: &mut Vec<Pair>) {
    let mut heading = String::new();
    let mut paragraph = String::new();
    let mut in_paragraph = false;
    let mut prose_of = String::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut i = 0;
    while let Some(&line) = lines.get(i) {
        i += 1;
        let trimmed = line.trim();
        let fence = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence));
        if let Some(fence) = fence {
            let language =
                trimmed.trim_start_matches(['`', '~']).split([' ', ',', '{']).next().unwrap_or_default();
            let mut code = String::new();
            while let Some(&line) = lines.get(i) {
                i += 1;
                if line.trim().starts_with(fence) {
                    break;
                }
                code.push_str(line);
                code.push('\n');
            }
            push(language, &heading, &paragraph, &code, pairs);
            paragraph.clear();
            continue;
        }
        if trimmed.ends_with("::") && !trimmed.starts_with('#') {
            let language =
                trimmed.strip_prefix(".. code-block::").or_else(|| trimmed.strip_prefix(".. code::"));
            if !trimmed.starts_with("..") {
                paragraph.push(' ');
                paragraph.push_str(trimmed);
            }
            let (code, next) = indented(&lines, i);
            if !code.is_empty() {
                push(language.unwrap_or_default().trim(), &heading, &paragraph, &code, pairs);
                i = next;
                paragraph.clear();
                continue;
            }
        }
        if let Some(language) =
            trimmed.strip_prefix(".. code-block::").or_else(|| trimmed.strip_prefix(".. code::"))
        {
            let (code, next) = indented(&lines, i);
            push(language.trim(), &heading, &paragraph, &code, pairs);
            i = next;
            paragraph.clear();
            continue;
        }
        if let Some(title) = trimmed.strip_prefix('#') {
            heading = title.trim_start_matches('#').trim().to_owned();
            paragraph.clear();
        } else if lines.get(i).is_some_and(|next| is_underline(next)) && !trimmed.is_empty() {
            heading = trimmed.to_owned();
            paragraph.clear();
            i += 1;
        } else if trimmed.is_empty() {
            in_paragraph = false;
        } else {
            if !in_paragraph {
                paragraph.clear();
            }
            in_paragraph = true;
            paragraph.push_str(trimmed);
            paragraph.push(' ');
            let ends = lines.get(i).is_none_or(|next| next.trim().is_empty());
            if ends && !heading.is_empty() && heading != prose_of && paragraph.split(' ').count() > 8 {
                let (text, code) = (plain(&heading), plain(&paragraph));
                if says_something(&format!("{text} about it")) && code.len() < 1500 {
                    let language = "text".to_owned();
                    pairs.push(Pair { kind: Kind::Prose, language, text, code });
                }
                // Only the first paragraph says what the heading says.
                prose_of.clone_from(&heading);
            }
        }
    }
}

fn is_underline(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 4 && ["=", "-", "~", "^"].iter().any(|sign| line.replace(sign, "").is_empty())
}

/// Returns the indented block that begins at line `i`, and the line after it.
fn indented(lines: &[&str], mut i: usize) -> (String, usize) {
    let mut code = String::new();
    while let Some(&line) = lines.get(i) {
        let is_option = line.trim_start().starts_with(':') && code.is_empty();
        if line.trim().is_empty() || line.starts_with("  ") || line.starts_with('\t') {
            if !is_option {
                code.push_str(line);
                code.push('\n');
            }
            i += 1;
        } else {
            break;
        }
    }
    let code = if code.trim().is_empty() { String::new() } else { code };
    (code, i)
}

/// Returns a text without its markup.
fn plain(text: &str) -> String {
    text.replace(['`', '*', '[', ']'], "")
}

fn push(language: &str, heading: &str, paragraph: &str, code: &str, pairs: &mut Vec<Pair>) {
    const SHELL: [&str; 9] = ["sh", "bash", "shell", "console", "text", "txt", "none", "diff", "output"];
    if SHELL.contains(&language.to_lowercase().as_str()) || code.split_whitespace().count() < 8 {
        return;
    }
    let mut add = |text: &str| {
        let text = plain(text);
        if says_something(&text) {
            let language = language.to_lowercase();
            pairs.push(Pair { kind: Kind::Example, language, text, code: code.to_owned() });
        }
    };
    add(paragraph);
    add(heading);
}
