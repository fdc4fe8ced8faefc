//! The text of Fortran that the parser sees: text → text of the same length.
//!
//! The grammar reads free form. Fixed form differs in two ways: a letter in the first column begins
//! a comment, and a mark in the sixth column continues the line above. Both are written here as
//! free form has them. Offsets stay, except that a line may end one byte later. Conditional text
//! inside of a statement is reduced to its first branch, because the grammar reads directives only
//! between statements. What a template of fypp puts in is written as letters.

use crate::index::chunk::lines::blank;
use std::borrow::Cow;

/// The column of fixed form that continues a line, from 0.
const CONTINUATION: usize = 5;

/// Deepest nesting of conditional text that is followed.
const MAX_CONDITIONS: usize = 64;

/// Returns the text that the parser sees.
pub(super) fn readable(text: &str) -> Cow<'_, [u8]> {
    let lines = lines(text);
    let mut seen = Cow::Borrowed(text.as_bytes());
    if is_fixed(text, &lines) {
        free(text, &lines, &mut seen);
    }
    without_branches(text, &lines, &mut seen);
    without_templates(text, &lines, &mut seen);
    without_wrappers(text, &lines, &mut seen);
    seen
}

/// Statements in which a macro may stand around the name of a procedure.
const NAMING: [&str; 7] =
    ["end function", "end subroutine", "function", "generic", "module procedure", "procedure", "subroutine"];

/// Blanks macros around the names of procedures: `procedure, private :: WRAP(add)`.
fn without_wrappers(text: &str, lines: &[(usize, usize)], seen: &mut Cow<'_, [u8]>) {
    if !text.contains("#include") && !text.contains("#define") {
        return;
    }
    let mut is_naming = false;
    let mut is_continued = false;
    for &(start, end) in lines {
        let line = text.get(start..end).unwrap_or_default();
        if line.starts_with('#') || line.trim_start().starts_with('!') {
            continue;
        }
        if !is_continued {
            let words = line.trim_start();
            let is_one =
                |word: &&str| words.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
            is_naming = NAMING.iter().any(is_one);
        }
        let was_continued = std::mem::replace(&mut is_continued, goes_on(line.as_bytes()));
        for (open, _) in line.match_indices('(').filter(|_| is_naming) {
            let before = line.get(..open).unwrap_or_default();
            let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            let macro_start = before.trim_end_matches(is_part).len();
            let inside = line.get(open + 1..).unwrap_or_default();
            let close = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
            let is_wrapper = open >= macro_start + MIN_WRAPPER
                && close > 0
                && inside.get(close..).is_some_and(|rest| rest.starts_with(')'))
                && !before
                    .get(..macro_start)
                    .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_alphanumeric()))
                && before.get(..macro_start).is_some_and(|rest| was_continued || !rest.trim().is_empty());
            if is_wrapper {
                for (from, to) in [(macro_start, open + 1), (open + 1 + close, open + 2 + close)] {
                    blank(seen.to_mut().get_mut(start + from..start + to).unwrap_or_default());
                }
            }
        }
    }
}

/// Shortest name, in bytes, of a macro around another name.
const MIN_WRAPPER: usize = 4;

/// Blanks the directives of fypp (`#:for`, `$:code`, `@:macro()`), and writes `${name}$` as a name.
fn without_templates(text: &str, lines: &[(usize, usize)], seen: &mut Cow<'_, [u8]>) {
    if !text.contains("#:") {
        return;
    }
    for &(start, end) in lines {
        let line = text.get(start..end).unwrap_or_default().trim_start();
        if ["#:", "#!", "$:", "@:"].iter().any(|mark| line.starts_with(mark)) {
            blank(seen.to_mut().get_mut(start..end).unwrap_or_default());
        }
    }
    for (start, len) in enclosed(text, "#{", "}#") {
        blank(seen.to_mut().get_mut(start..start + len + 2).unwrap_or_default());
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_part = |c: char| is_name(c) || matches!(c, '(' | '$');
    for (start, len) in enclosed(text, "${", "}$") {
        let written = seen.to_mut().get_mut(start..start + len + 2).unwrap_or_default();
        if written.contains(&b'\n') || written.first() != Some(&b'$') {
            continue;
        }
        let before = text.get(..start).unwrap_or_default();
        let behind = text.get(start + len + 2..).unwrap_or_default();
        let begins = before.trim_end_matches(' ').ends_with('\n');
        if begins && behind.trim_start_matches(' ').starts_with([',', ':']) {
            // A type stands in front of what it declares.
            blank(written);
            written.iter_mut().zip(b"real").for_each(|(byte, letter)| *byte = *letter);
        } else if written.contains(&b'(') && before.ends_with(is_name) && !behind.starts_with(is_part) {
            // The bounds of an array.
            blank(written);
        } else {
            written.fill(b'x');
        }
    }
}

/// Returns where each opening mark is, and how far behind it the next closing mark is. A closing
/// mark is looked for once, however many marks open in front of it.
fn enclosed<'t>(text: &'t str, open: &'t str, close: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
    let mut closes = text.match_indices(close).map(|(at, _)| at).peekable();
    text.match_indices(open).map_while(move |(start, _)| {
        while closes.next_if(|at| *at < start).is_some() {}
        closes.peek().map(|at| (start, at - start))
    })
}

/// Returns the lines of a text, without what ends them: start and end.
fn lines(text: &str) -> Vec<(usize, usize)> {
    let mut start = 0;
    let line = |line: &str| {
        let begin = start;
        start += line.len();
        (begin, begin + line.trim_end_matches(['\n', '\r']).len())
    };
    text.split_inclusive('\n').map(line).collect()
}

fn is_comment_of_fixed(line: &[u8]) -> bool {
    match line {
        [b'*' | b'!', ..] | [b'C' | b'c'] => true,
        // `call` and `contains` begin a line of free form.
        [b'C' | b'c', next, ..] => !next.is_ascii_alphanumeric() && *next != b'_',
        _ => false,
    }
}

/// Returns whether a line continues the one above in fixed form. A letter would do, too, but begins
/// a statement of free form.
fn continues(line: &[u8]) -> bool {
    line.get(..CONTINUATION).is_some_and(|label| label.iter().all(|byte| *byte == b' '))
        && line.get(CONTINUATION).is_some_and(|mark| {
            mark.is_ascii_graphic() && !mark.is_ascii_alphabetic() && *mark != b'0' && *mark != b'!'
        })
}

/// Returns whether a text is in fixed form: no statement begins in the first five columns, and a
/// comment or a continuation is written as only fixed form has them.
fn is_fixed(text: &str, lines: &[(usize, usize)]) -> bool {
    let mut has_mark = false;
    for &(start, end) in lines {
        let line = text.as_bytes().get(start..end).unwrap_or_default();
        if line.trim_ascii().is_empty() || matches!(line.first(), Some(b'#' | b'\t')) {
            continue;
        }
        if is_comment_of_fixed(line) {
            has_mark |= line.first() != Some(&b'!');
            continue;
        }
        has_mark |= continues(line);
        let label = line.get(..CONTINUATION.min(line.len())).unwrap_or_default();
        let is_comment = line.trim_ascii_start().starts_with(b"!");
        if !is_comment && !label.iter().all(|byte| *byte == b' ' || byte.is_ascii_digit() || *byte == b'\t') {
            return false;
        }
    }
    has_mark
}

/// Writes fixed form as free form.
fn free(text: &str, lines: &[(usize, usize)], seen: &mut Cow<'_, [u8]>) {
    let bytes = text.as_bytes();
    // The last line with code.
    let mut code: Option<(usize, usize)> = None;
    for &(start, end) in lines {
        let line = bytes.get(start..end).unwrap_or_default();
        if line.trim_ascii().is_empty() {
            continue;
        }
        if is_comment_of_fixed(line) {
            if let Some(mark) = seen.to_mut().get_mut(start) {
                *mark = b'!';
            }
            continue;
        }
        if matches!(line.first(), Some(b'#')) || line.trim_ascii_start().starts_with(b"!") {
            continue;
        }
        if continues(line) {
            if let Some(above) = code {
                continue_line(bytes, above, seen.to_mut());
            }
            if let Some(mark) = seen.to_mut().get_mut(start + CONTINUATION) {
                *mark = b' ';
            }
        }
        code = Some((start, end));
    }
}

/// Marks a line as one that the next line of code continues: `&` in place of what ends it, or of a
/// comment behind it. The line may end one byte later.
fn continue_line(text: &[u8], (start, end): (usize, usize), seen: &mut [u8]) {
    let line = text.get(start..end).unwrap_or_default();
    if line.trim_ascii_end().ends_with(b"&") {
        return;
    }
    if let Some(at) = comment_in(line) {
        blank(seen.get_mut(start + at..end).unwrap_or_default());
        if let Some(mark) = seen.get_mut(start + at) {
            *mark = b'&';
        }
        return;
    }
    let blanks = line.len() - line.trim_ascii_end().len();
    if blanks > 0 {
        if let Some(mark) = seen.get_mut(end - blanks) {
            *mark = b'&';
        }
        return;
    }
    match text.get(end..) {
        Some([b'\r', b'\n', ..]) => {
            if let Some(mark) = seen.get_mut(end) {
                *mark = b'&';
            }
        }
        Some([b'\n', next, rest @ ..]) if *next != b'\n' => {
            if let Some([mark, line_end]) = seen.get_mut(end..end + 2) {
                (*mark, *line_end) = (b'&', b'\n');
            }
            // A comment between the two lines stays one.
            let is_comment = matches!(next, b'*' | b'!' | b'C' | b'c');
            if is_comment
                && !rest.first().is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
                && let Some(mark) = seen.get_mut(end + 2)
            {
                *mark = b'!';
            }
        }
        _ => {}
    }
}

/// Returns where a comment begins in a line: `!` outside of quotes.
fn comment_in(line: &[u8]) -> Option<usize> {
    let mut quote = None;
    line.iter().position(|&byte| {
        match quote {
            Some(open) if open == byte => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            None => return byte == b'!',
            Some(_) => {}
        }
        false
    })
}

/// Returns whether a line of code goes on in the next one.
fn goes_on(line: &[u8]) -> bool {
    let code = line.get(..comment_in(line).unwrap_or(line.len())).unwrap_or_default();
    code.trim_ascii_end().ends_with(b"&")
}

/// A condition that is open: whether it is inside of a statement, and whether its lines are hidden.
#[derive(Debug, Clone, Copy)]
struct Condition {
    is_inside: bool,
    is_hidden: bool,
}

/// Blanks the directives that stand inside of a statement, and all branches but the first.
fn without_branches(text: &str, lines: &[(usize, usize)], seen: &mut Cow<'_, [u8]>) {
    if !text.contains('#') {
        return;
    }
    let mut open: Vec<Condition> = Vec::new();
    let mut is_inside = false;
    for &(start, end) in lines {
        let line = text.as_bytes().get(start..end).unwrap_or_default();
        if line.first() == Some(&b'#') {
            let word = text.get(start + 1..end).unwrap_or_default().trim_start();
            let is_whole = match open.last_mut() {
                _ if word.starts_with("if") => {
                    if open.len() >= MAX_CONDITIONS {
                        return;
                    }
                    let is_hidden = open.last().is_some_and(|one| one.is_hidden);
                    open.push(Condition { is_inside, is_hidden });
                    !is_inside
                }
                Some(last) if word.starts_with("el") && last.is_inside => {
                    last.is_hidden = true;
                    false
                }
                Some(last) if word.starts_with("endif") => {
                    let is_whole = !last.is_inside;
                    open.pop();
                    is_whole
                }
                // An included part of a statement.
                _ => !is_inside,
            };
            if !is_whole {
                blank(seen.to_mut().get_mut(start..end).unwrap_or_default());
            }
            continue;
        }
        if open.last().is_some_and(|one| one.is_hidden) {
            blank(seen.to_mut().get_mut(start..end).unwrap_or_default());
            continue;
        }
        let code = line.trim_ascii();
        if !code.is_empty() && !code.starts_with(b"!") {
            is_inside = goes_on(line);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::base::testing::{HOSTILE, within};
    use crate::index::chunk::lang::check_mask;
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    fn check(text: &str, expected: &str) {
        check_mask(readable, text, expected);
    }

    #[test]
    fn fixed_form_is_read_as_free_form() {
        check(
            "*> Adds.\n      SUBROUTINE ADD(A,\nC     It is long.\n     $               B)\n      X = 'it!' + ! sum\n     +    3\n      END\n",
            "!> Adds.\n      SUBROUTINE ADD(A,&\n!    It is long.\n                     B)\n      X = 'it!' + &    \n          3\n      END\n",
        );
        check("C\r\n      A = 1 +\r\n     1 2\r\n", "!\r\n      A = 1 +&\n       2\r\n");
    }

    #[test]
    fn free_form_stays_as_it_is() {
        for text in [
            "module a\ncontains\n  call b()\nend module\n",
            "call a(1, &\n     &2)\n",
            "      program a\n      call b\n      end\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_directive_inside_of_a_statement_leaves_one_branch() {
        check(
            "function a(b) &\n#ifdef W\n  bind(C, name=\"x\")\n#else\n  bind(C, name=\"y\")\n#endif\nend\n#ifdef Z\nx = 1\n#endif\n",
            "function a(b) &\n        \n  bind(C, name=\"x\")\n     \n                   \n      \nend\n#ifdef Z\nx = 1\n#endif\n",
        );
        check("call a(b, &\n#include \"c.inc\"\n  d)\n", "call a(b, &\n                \n  d)\n");
    }

    #[test]
    fn macros_and_templates_around_names_are_left_out() {
        check(
            "#include \"m.inc\"\nprocedure :: WRAP(add)\ngeneric :: put => one,&\n  WRAP(two)\nx = WRAP(y)\n",
            "#include \"m.inc\"\nprocedure ::      add \ngeneric :: put => one,&\n       two \nx = WRAP(y)\n",
        );
        check(
            "#:for t in T\n${t}$ :: a${rank(n)}$, b\ncall f_${k}$(1)\n#:endfor\n",
            "            \nreal  :: a           , b\ncall f_xxxxx(1)\n        \n",
        );
    }

    #[test]
    fn an_old_procedure_is_found_with_its_calls() {
        let text = "C     Solves it.\n      SUBROUTINE SOLVE(A,\nC     n\n     $  N)\n      INTEGER N\n      CALL XERBLA('SOLVE',\n     &  N)\n      END\n";
        let file = chunk(Language::from_name("fortran").unwrap(), text, &ChunkOptions::default());
        let names: Vec<_> = file.declarations.iter().map(|one| (one.name.as_str(), one.name_line)).collect();
        assert_eq!(names, [("solve", 2)]);
        assert!(file.references.iter().any(|one| one.name == "xerbla"));
        assert!(file.errors.unwrap_or_default().is_empty());
    }

    #[test]
    fn takes_no_time_for_hostile_text() {
        for unit in ["#:", "#:${", "#:#{", "#if a\n", "a &\n", "#define a\nprocedure :: (", "     1\n"] {
            let text = unit.repeat(100_000);
            within(HOSTILE, || readable(&text).len());
        }
    }
}
