//! The text of Objective-C that the parser sees: text → text of the same length.
//!
//! The grammar knows no macros of the frameworks. It takes `NS_ASSUME_NONNULL_BEGIN` for the type
//! of what follows, and then reads no class rightly. So macros that only annotate are blanked, and
//! `typedef NS_ENUM(T, Name)` becomes an enumeration. Directives of conditional text are blanked,
//! too, because the grammar reads them in few places. Offsets stay, so names come from the real
//! text.

use crate::base::text::tail;
use crate::index::chunk::lines::blank;
use std::borrow::Cow;

/// Parts of the names of macros that only annotate a declaration.
const ANNOTATIONS: [&str; 21] = [
    "ACTOR",
    "ARC",
    "AVAILABLE",
    "BOXABLE",
    "CONSUMED",
    "DEPRECATED",
    "DESIGNATED",
    "DIRECT",
    "EXPORT",
    "EXTENSIBLE",
    "EXTERN",
    "FORMAT",
    "NOESCAPE",
    "NONNULL",
    "NULLABLE",
    "REFINED",
    "REQUIRES",
    "RETURN",
    "SENDABLE",
    "STRING_ENUM",
    "SWIFT",
];

/// Words behind which a name in capitals is a value and not an annotation.
const BEFORE_VALUES: [&str; 6] = ["case", "const", "enum", "goto", "return", "struct"];

/// Longest macro in bytes, with its arguments.
const MAX_MACRO: usize = 4096;

/// Deepest nesting of conditional text that is followed.
const MAX_CONDITIONS: usize = 64;

/// Returns the text that the parser sees.
pub(super) fn readable(text: &str) -> Cow<'_, [u8]> {
    let without_conditions = without_conditions(text);
    let seen = match &without_conditions {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => String::from_utf8_lossy(bytes),
    };
    let mut seen = match without_macros(&seen) {
        Some(bytes) => Cow::Owned(bytes),
        None => without_conditions,
    };
    without_paths(text, &mut seen);
    seen
}

/// Blanks what the grammar cannot read of types: the namespace in front of a type of C++ and the
/// arguments behind it, and arguments of a class of which some are not pointers. A reference of C++
/// becomes a pointer.
fn without_paths(text: &str, seen: &mut Cow<'_, [u8]>) {
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices("::") {
        let before = text.get(..at).unwrap_or_default();
        let start = before.trim_end_matches(is_name).len();
        let name = word_at(text, at + 2);
        if start == at || name.is_empty() {
            continue;
        }
        blank(seen.to_mut().get_mut(start..at + 2).unwrap_or_default());
        let end = at + 2 + name.len();
        let close = arguments_end(bytes, end);
        blank(seen.to_mut().get_mut(end..close).unwrap_or_default());
    }
    for (at, _) in text.match_indices('<') {
        let close = arguments_end(bytes, at);
        let inside = text.get(at + 1..close.max(at + 2) - 1).unwrap_or_default();
        let is_pointer = |argument: &str| argument.trim_end().ends_with('*');
        let mut all = inside.split(',');
        if inside.contains(',') && inside.contains('*') && !inside.contains('<') && !all.all(is_pointer) {
            blank(seen.to_mut().get_mut(at..close).unwrap_or_default());
        }
    }
    for (at, _) in text.match_indices(" &").filter(|_| text.contains("::")) {
        let is_type = text.get(..at).is_some_and(|before| before.ends_with(is_name) || before.ends_with('>'));
        let is_reference = is_type && text.get(at + 2..).is_some_and(|behind| behind.starts_with(is_name));
        if let Some(sign) = seen.to_mut().get_mut(at + 1).filter(|sign| is_reference && **sign == b'&') {
            *sign = b'*';
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Longest arguments of a type in bytes.
const MAX_ARGUMENTS: usize = 256;

/// Returns the end of the arguments of a type that begin at a byte; the byte itself if there are
/// none.
fn arguments_end(text: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let rest = text.get(start..).unwrap_or_default();
    for (n, byte) in rest.iter().enumerate().take(MAX_ARGUMENTS) {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b';' | b'{' | b'}' | b'\n' | b'=' | b'"' | b'|' => return start,
            _ => {}
        }
        if depth == 0 {
            return if n == 0 { start } else { start + n + 1 };
        }
    }
    start
}

/// Returns the end of a comment or a literal that begins at a byte; `None` if there is none.
fn skipped(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let find = |needle: &[u8]| {
        let found = rest.windows(needle.len()).skip(needle.len()).position(|window| window == needle);
        found.map_or(text.len(), |found| at + found + 2 * needle.len())
    };
    match rest {
        [b'/', b'*', ..] => Some(find(b"*/")),
        [b'/', b'/', ..] => Some(rest.iter().position(|&byte| byte == b'\n').map_or(text.len(), |n| at + n)),
        [quote @ (b'"' | b'\''), ..] => {
            let mut is_escaped = false;
            for (n, &byte) in rest.iter().enumerate().skip(1) {
                match byte {
                    b'\n' => return Some(at + n),
                    _ if is_escaped => is_escaped = false,
                    b'\\' => is_escaped = true,
                    _ if byte == *quote => return Some(at + n + 1),
                    _ => {}
                }
            }
            Some(text.len())
        }
        _ => None,
    }
}

/// Returns the end of the directive that begins at a byte, with its continuations.
fn directive_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        let line = text.get(end..).unwrap_or_default();
        let Some(n) = line.iter().position(|&byte| byte == b'\n') else { return text.len() };
        let before = line.get(..n).unwrap_or_default();
        let is_continued = before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\");
        end += n;
        if !is_continued {
            return end;
        }
        end += 1;
    }
}

/// A piece of conditional text: from one directive to the next of the same condition.
#[derive(Debug, Clone, Copy)]
struct Directive {
    start: usize,
    end: usize,
    /// Whether the text behind it is never compiled: `#if 0`.
    is_never: bool,
}

/// Returns a text without the directives of conditional text. Of branches that are not whole
/// statements, it has the first one only.
fn without_conditions(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    let mut seen = Cow::Borrowed(bytes);
    let mut open: Vec<Vec<Directive>> = Vec::new();
    let (mut at, mut is_line_start) = (0, true);
    while let Some(&byte) = bytes.get(at) {
        if byte == b'#' && is_line_start {
            let end = directive_end(bytes, at);
            let line = text.get(at + 1..end).unwrap_or_default().trim_start();
            let word = line.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            let condition = line.get(word.len()..).unwrap_or_default().trim();
            let directive = Directive { start: at, end, is_never: word == "if" && condition == "0" };
            match word {
                "if" | "ifdef" | "ifndef" if open.len() < MAX_CONDITIONS => open.push(vec![directive]),
                "else" | "elif" => {
                    if let Some(last) = open.last_mut() {
                        last.push(directive);
                    }
                }
                "endif" => {
                    if let Some(mut all) = open.pop() {
                        all.push(directive);
                        hide(bytes, &all, seen.to_mut());
                    }
                }
                "pragma" | "warning" | "error" => {
                    blank(seen.to_mut().get_mut(at..end).unwrap_or_default());
                }
                _ => {}
            }
            at = end;
            continue;
        }
        is_line_start = byte == b'\n' || is_line_start && byte.is_ascii_whitespace();
        at = skipped(bytes, at).unwrap_or(at + 1);
    }
    seen
}

/// Blanks the directives of one condition, and the branches that the parser shall not see.
fn hide(text: &[u8], directives: &[Directive], seen: &mut [u8]) {
    let branches: Vec<(usize, usize)> =
        directives.windows(2).filter_map(|two| Some((two.first()?.end, two.last()?.start))).collect();
    for one in directives {
        blank(seen.get_mut(one.start..one.end).unwrap_or_default());
    }
    let is_whole = |&(start, end): &(usize, usize)| is_whole(text.get(start..end).unwrap_or_default());
    let is_never = |n: usize| directives.get(n).is_some_and(|one| one.is_never);
    let has_all = branches.iter().all(is_whole);
    let first = (0..branches.len()).find(|&n| !is_never(n));
    for (n, &(start, end)) in branches.iter().enumerate() {
        if is_never(n) || !has_all && Some(n) != first {
            blank(seen.get_mut(start..end).unwrap_or_default());
        }
    }
}

/// Returns whether a text consists of whole statements or declarations.
fn is_whole(text: &[u8]) -> bool {
    let (mut at, mut depth) = (0, 0_i32);
    let mut last = b';';
    let mut is_line_start = true;
    while let Some(&byte) = text.get(at) {
        if byte == b'#' && is_line_start {
            at = directive_end(text, at);
            last = b';';
            continue;
        }
        is_line_start = byte == b'\n' || is_line_start && byte.is_ascii_whitespace();
        if let Some(end) = skipped(text, at) {
            if byte != b'/' {
                last = byte;
            }
            at = end;
            continue;
        }
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
        at += 1;
    }
    let ends = text.trim_ascii_end();
    depth == 0 && (matches!(last, b';' | b'}') || ends.ends_with(b"@end") || ends.ends_with(b"_END"))
}

/// A token of the text outside of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    Sign(u8),
}

/// Returns a text without macros; `None` if it has none.
fn without_macros(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let mut seen: Option<Vec<u8>> = None;
    // The last tokens, the start of the last one, and for each open brace whether it holds code.
    let (mut before, mut last) = (Token::Sign(b';'), Token::Sign(b';'));
    let mut last_start = 0;
    let mut braces: Vec<bool> = Vec::new();
    let (mut at, mut is_line_start) = (0, true);
    let mut holds_values = false;
    while let Some(&byte) = bytes.get(at) {
        let begins_line = is_line_start;
        is_line_start = byte == b'\n' || is_line_start && byte.is_ascii_whitespace();
        if byte == b'#' && begins_line {
            at = directive_end(bytes, at);
            continue;
        }
        if let Some(end) = skipped(bytes, at) {
            if byte != b'/' {
                (before, last, last_start) = (last, Token::Sign(byte), at);
            }
            at = end;
            continue;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let is_code = braces.contains(&true);
        let word = word_at(text, at);
        if !word.is_empty() && !is_code {
            let end = at + word.len();
            let rest = text.get(end..).unwrap_or_default();
            let arguments = group(rest);
            if let Some(name) = last_is(last, "typedef").then(|| enumerated(word, rest)).flatten() {
                let seen = seen.get_or_insert_with(|| bytes.to_vec());
                let close = end + arguments;
                blank(seen.get_mut(last_start..close).unwrap_or_default());
                if let Some(space) = seen.get_mut(last_start..last_start + 4) {
                    space.copy_from_slice(b"enum");
                }
                let (start, stop) = (end + name.0, end + name.1);
                if let Some(space) = seen.get_mut(start..stop) {
                    space.copy_from_slice(bytes.get(start..stop).unwrap_or_default());
                }
                (before, last, last_start) = (Token::Word("enum"), Token::Word("_"), start);
                holds_values = true;
                at = close;
                continue;
            }
            if is_annotation(word) && annotates(last, before, rest, arguments) {
                let seen = seen.get_or_insert_with(|| bytes.to_vec());
                let close = end + arguments;
                blank(seen.get_mut(at..close).unwrap_or_default());
                at = close;
                continue;
            }
            holds_values |= matches!(word, "enum" | "struct" | "union");
        }
        match byte {
            b'{' => braces.push(is_code || !(holds_values || is_interface(text, at))),
            b'}' => {
                braces.pop();
            }
            _ => {}
        }
        if matches!(byte, b';' | b'{' | b'}') {
            holds_values = false;
        }
        let token = if word.is_empty() { Token::Sign(byte) } else { Token::Word(word) };
        (before, last, last_start) = (last, token, at);
        at += word.len().max(1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    seen
}

fn last_is(token: Token<'_>, word: &str) -> bool {
    token == Token::Word(word)
}

/// Returns the word that begins at a byte.
fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.get(..len).unwrap_or_default()
}

/// Returns the length of the parentheses that a text begins with; 0 if there are none.
fn group(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let start = bytes.iter().take_while(|&&byte| byte == b' ').count();
    if bytes.get(start) != Some(&b'(') {
        return 0;
    }
    let (mut at, mut depth) = (start, 0);
    while let Some(byte) = bytes.get(at).filter(|_| at < MAX_MACRO) {
        if let Some(end) = skipped(bytes, at) {
            at = end;
            continue;
        }
        at += 1;
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    0
}

/// Returns the place of the name in the arguments of a macro that begins an enumeration:
/// `NS_ENUM(NSInteger, Name)`.
fn enumerated(word: &str, rest: &str) -> Option<(usize, usize)> {
    let is_enumeration = is_capital(word) && (word.ends_with("_ENUM") || word.ends_with("_OPTIONS"));
    let arguments = rest.get(..group(rest)).filter(|_| is_enumeration)?;
    let start = arguments.rfind(',')? + 1;
    let inner = arguments.get(start..arguments.len() - 1)?;
    let name = inner.trim();
    let start = start + inner.find(name)?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some((start, start + name.len()))
}

/// Returns whether a word is written as a macro is.
fn is_capital(word: &str) -> bool {
    word.contains('_')
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Returns whether a word is a macro that says something about a declaration.
fn is_annotation(word: &str) -> bool {
    is_capital(word)
        && (word.ends_with("_BEGIN")
            || word.ends_with("_END")
            || ANNOTATIONS.iter().any(|part| word.contains(part)))
}

/// Returns whether a macro stands where only an annotation can.
fn annotates(last: Token<'_>, before: Token<'_>, rest: &str, arguments: usize) -> bool {
    let behind = rest.get(arguments..).unwrap_or_default().trim_start();
    match last {
        // `typedef NSString *Name NS_STRING_ENUM;`, `NSInteger LIMIT_AVAILABLE = 3;`
        Token::Word(last) => {
            !(BEFORE_VALUES.contains(&last) || behind.starts_with('=') && before == Token::Sign(b';'))
        }
        Token::Sign(b')' | b'>' | b'"') => true,
        // An item begins: neither a statement nor a value.
        Token::Sign(b';' | b'}' | b'{') => !behind.starts_with(['=', ',', '}', ';']),
        Token::Sign(_) => false,
    }
}

/// Returns whether a brace holds the variables of a class: the line begins with `@interface`.
fn is_interface(text: &str, at: usize) -> bool {
    let before = tail(text.get(..at).unwrap_or_default(), MAX_MACRO).trim_end();
    let start = before.rfind('@').unwrap_or_default();
    let head = before.get(start..).unwrap_or_default();
    (head.starts_with("@interface") || head.starts_with("@implementation"))
        && !head.contains([';', '-', '+', '}'])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::base::testing::{HOSTILE, within};
    use crate::index::chunk::lang::check_mask;

    fn check(text: &str, expected: &str) {
        check_mask(readable, text, expected);
    }

    #[test]
    fn macros_that_annotate_are_left_out() {
        for (text, expected) in [
            ("NS_ASSUME_NONNULL_BEGIN\nint a;\n", "                       \nint a;\n"),
            ("typedef NSString *Name NS_STRING_ENUM;\n", "typedef NSString *Name               ;\n"),
            ("- (void)a NS_SWIFT_NAME(b(c:));\n", "- (void)a                     ;\n"),
            ("NS_SWIFT_UI_ACTOR\n@protocol A\n@end\n", "                 \n@protocol A\n@end\n"),
            (
                "enum A { B API_AVAILABLE(ios(9.0)) = 1, C };\n",
                "enum A { B                         = 1, C };\n",
            ),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn types_of_cpp_lose_their_paths() {
        check("std::vector<int> a;\n", "     vector      a;\n");
        check("- (void)a:(const ns::T &)b;\n", "- (void)a:(const     T &)b;\n");
        check("void f(const A &a, ns::T b);\n", "void f(const A *a,     T b);\n");
        check("Map<A *, B> *c;\n", "Map         *c;\n");
        for text in ["int c = a &b;\n", "Map<A *, B *> *c; id<A, B> d;\n", "BOOL e = a < b && c > d;\n"] {
            check(text, text);
        }
    }

    #[test]
    fn names_in_capitals_stay() {
        for text in [
            "static NSString *const LIMIT_AVAILABLE = @\"NS_SWIFT_NAME(a)\";\n",
            "enum { A_DEPRECATED, B_AVAILABLE = 2 };\n",
            "int f(void) { return IS_AVAILABLE; }\n",
            "#define A_EXPORT extern\n",
            "// NS_ASSUME_NONNULL_END\nint a;\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_macro_that_begins_an_enumeration_becomes_one() {
        check("typedef NS_ENUM(NSInteger, Kind) { A };\n", "enum                       Kind  { A };\n");
        check("typedef NS_OPTIONS(NSUInteger, Flags) {\n", "enum                           Flags  {\n");
    }

    #[test]
    fn conditional_text_is_read_whole_or_in_its_first_branch() {
        check("#if A\n[a b];\n#else\n[a c];\n#endif\n", "     \n[a b];\n     \n[a c];\n      \n");
        check(
            "#if A\nif (b) {\n#else\nif (c) {\n#endif\n}\n",
            "     \nif (b) {\n     \n        \n      \n}\n",
        );
        check("#if 0\na(;\n#else\nb();\n#endif\n", "     \n   \n     \nb();\n      \n");
        check("#pragma mark - A\n#import \"a.h\"\n", "                \n#import \"a.h\"\n");
    }

    #[test]
    fn takes_no_time_for_hostile_text() {
        for unit in ["{}", "{", "(", "#if a\n", "a::b<", " &a::", "NS_ENUM(", "@\"", "/*", "A_END "] {
            let text = unit.repeat(100_000);
            within(HOSTILE, || readable(&text).len());
        }
    }
}
