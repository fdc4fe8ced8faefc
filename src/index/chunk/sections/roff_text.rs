//! The text of a man page: lines with requests and escapes → the words that a reader sees.
//!
//! Without this, a word in bold is glued to the letters of its escape (`\fBfoo\fR`), and each
//! request counts as a word. Both languages for man pages are read: `man` (`.SH`, `.TP`) and `mdoc`
//! (`.Sh`, `.It Fl x`).

use crate::base::text::head;
use std::borrow::Cow;

/// Longest name in an escape in bytes.
const MAX_NAME: usize = 64;

/// The macros of mdoc that can stand in a line, and what they put before the next word.
const INLINE: [(&str, &str); 63] = [
    ("Ac", ""),
    ("Ad", ""),
    ("An", ""),
    ("Ao", ""),
    ("Ap", ""),
    ("Aq", ""),
    ("Ar", ""),
    ("Bc", ""),
    ("Bo", ""),
    ("Bq", ""),
    ("Brc", ""),
    ("Bro", ""),
    ("Brq", ""),
    ("Cd", ""),
    ("Cm", ""),
    ("Dc", ""),
    ("Do", ""),
    ("Dq", ""),
    ("Dv", ""),
    ("Ec", ""),
    ("Em", ""),
    ("En", ""),
    ("Eo", ""),
    ("Er", ""),
    ("Ev", ""),
    ("Fa", ""),
    ("Fc", ""),
    ("Fl", "-"),
    ("Fn", ""),
    ("Fo", ""),
    ("Ft", ""),
    ("Ic", ""),
    ("In", ""),
    ("Lb", ""),
    ("Li", ""),
    ("Lk", ""),
    ("Ms", ""),
    ("Mt", ""),
    ("Nm", ""),
    ("No", ""),
    ("Ns", ""),
    ("Oc", ""),
    ("Oo", ""),
    ("Op", ""),
    ("Ot", ""),
    ("Pa", ""),
    ("Pc", ""),
    ("Pf", ""),
    ("Po", ""),
    ("Pq", ""),
    ("Qc", ""),
    ("Ql", ""),
    ("Qo", ""),
    ("Qq", ""),
    ("Sc", ""),
    ("So", ""),
    ("Sq", ""),
    ("Sy", ""),
    ("Ta", ""),
    ("Tn", ""),
    ("Va", ""),
    ("Vt", ""),
    ("Xo", ""),
];

/// A text that is read, and where its parts stand in the source.
struct Reading {
    out: String,
    /// The start of each part: byte in the result, byte in the source.
    places: Vec<(usize, usize)>,
}

/// Returns the words of a piece of a page, without requests and escapes.
///
/// The second value has the start of each part that is copied, in order: (byte in the result, byte
/// in the piece). The first entry is the beginning.
pub(in crate::index::chunk) fn words(piece: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    let mut reading = Reading { out: String::with_capacity(piece.len()), places: vec![(0, 0)] };
    let mut at = 0;
    for line in piece.split_inclusive('\n') {
        reading.line(line, at);
        at += line.len();
    }
    (Cow::Owned(reading.out), reading.places)
}

/// Returns the words of one line.
pub(super) fn of_line(line: &str) -> String {
    words(line).0.trim().to_owned()
}

/// Returns the name of the request that a line is, and the text behind it.
pub(super) fn request(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(['.', '\''])?.trim_start_matches([' ', '\t']);
    let end = rest.find(|c: char| c.is_whitespace() || c == '\\').unwrap_or(rest.len());
    let (name, behind) = rest.split_at_checked(end)?;
    Some((name, behind.trim()))
}

/// Returns whether a line is a comment.
pub(super) fn is_comment(line: &str) -> bool {
    let rest = line.strip_prefix(['.', '\'']).map(|rest| rest.trim_start_matches([' ', '\t']));
    rest.is_some_and(|rest| rest.starts_with("\\\"") || rest.starts_with("\\#")) || line.starts_with("\\\"")
}

impl Reading {
    fn copy(&mut self, text: &str, at: usize) {
        if !text.is_empty() {
            self.places.push((self.out.len(), at));
            self.out.push_str(text);
        }
    }

    /// Reads one line that begins at `at`, with its line feed.
    fn line(&mut self, line: &str, at: usize) {
        let request = if is_comment(line) { None } else { request(line) };
        let Some((name, behind)) = request else {
            self.escapes(line, at);
            return;
        };
        // The rest borrows from the line, so its address gives its position.
        let start = at + behind.as_ptr().addr().saturating_sub(line.as_ptr().addr());
        // Macros of man that put their arguments together.
        let is_joined = matches!(name, "BR" | "RB" | "BI" | "IB" | "IR" | "RI");
        let mut word_at = start;
        let mut mark = if name == "Fl" { "-" } else { "" };
        let mut is_first = true;
        for word in behind.split_inclusive([' ', '\t']) {
            let bare = word.trim_end();
            let inline = INLINE.iter().find(|(macro_, _)| *macro_ == bare);
            if let Some((_, before)) = inline.filter(|_| name.starts_with(char::is_uppercase) && !is_joined) {
                mark = before;
            } else if !bare.is_empty() {
                let glued = self.out.ends_with(char::is_alphanumeric)
                    && bare.trim_matches('"').starts_with(char::is_alphanumeric);
                if !is_first && (!is_joined || glued) {
                    self.copy(" ", word_at);
                }
                if !mark.is_empty()
                    && bare.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '\\'))
                {
                    self.copy(mark, word_at);
                }
                mark = "";
                let open = usize::from(bare.starts_with('"'));
                self.escapes(bare.get(open..).unwrap_or_default().trim_end_matches('"'), word_at + open);
                is_first = false;
            }
            word_at += word.len();
        }
        self.copy("\n", start + behind.len());
    }

    /// Copies a text without its escapes.
    fn escapes(&mut self, text: &str, at: usize) {
        let mut from = 0;
        while let Some(next) = text.get(from..).and_then(|rest| rest.find('\\')) {
            let escape = from + next;
            self.copy(text.get(from..escape).unwrap_or_default(), at + from);
            let (length, stands_for) = escaped(text.get(escape + 1..).unwrap_or_default());
            self.copy(stands_for, at + escape);
            from = (escape + 1 + length).min(text.len());
        }
        self.copy(text.get(from..).unwrap_or_default(), at + from);
    }
}

/// Returns the length of an escape without its backslash, and the text that it stands for.
fn escaped(rest: &str) -> (usize, &str) {
    let Some(c) = rest.chars().next() else { return (0, "") };
    let after = rest.get(c.len_utf8()..).unwrap_or_default();
    match c {
        'f' | 'F' | 'm' | 'M' | 'n' | 'k' | 'Y' | 'V' => (1 + argument(after), ""),
        'g' => (1 + argument(after), ""),
        '*' => (1 + argument(after), " "),
        '(' => {
            let length = length_of(after, 2);
            (1 + length, glyph(after.get(..length).unwrap_or_default()))
        }
        '[' => match head(after, MAX_NAME).find([']', '\n']) {
            Some(end) if after.get(end..).is_some_and(|rest| rest.starts_with(']')) => {
                (end + 2, glyph(after.get(..end).unwrap_or_default()))
            }
            _ => (1, " "),
        },
        's' => {
            let sign = usize::from(after.starts_with(['+', '-']));
            let digits = after.get(sign..).unwrap_or_default();
            if digits.starts_with(['(', '[']) {
                return (1 + sign + argument(digits), "");
            }
            // Sizes of two digits begin with 1, 2 or 3.
            let n = digits.bytes().take_while(u8::is_ascii_digit).count();
            let most = if digits.starts_with(['1', '2', '3']) { 2 } else { 1 };
            (1 + sign + n.min(most), "")
        }
        'h' | 'v' | 'w' | 'l' | 'L' | 'o' | 'b' | 'N' | 'x' | 'D' | 'X' | 'Z' if after.starts_with('\'') => {
            let inner = after.get(1..).unwrap_or_default();
            let end = head(inner, MAX_NAME)
                .find('\'')
                .filter(|&end| !inner.get(..end).is_some_and(|one| one.contains('\n')));
            (1 + end.map_or(1, |end| end + 2), " ")
        }
        '-' => (1, "-"),
        'e' | '\\' | 'E' => (1, "\\"),
        ' ' | '~' | '0' | 't' => (1, " "),
        '&' | '|' | '^' | '%' | '/' | ',' | ')' | ':' | '{' | '}' | 'c' | 'u' | 'd' | 'p' | 'r' | 'a'
        | 'z' => (1, ""),
        '"' | '#' => (1, ""),
        '\n' => (1, "\n"),
        c => (c.len_utf8(), rest.get(..c.len_utf8()).unwrap_or_default()),
    }
}

/// Returns the length of an argument: one character, `(xx` or `[name]`.
fn argument(text: &str) -> usize {
    match text.chars().next() {
        Some('(') => 1 + length_of(text.get(1..).unwrap_or_default(), 2),
        Some('[') => {
            let end = head(text, MAX_NAME).find([']', '\n']);
            end.filter(|&end| text.get(end..).is_some_and(|rest| rest.starts_with(']')))
                .map_or(1, |end| end + 1)
        }
        Some('\n') | None => 0,
        Some(c) => c.len_utf8(),
    }
}

/// Returns the length in bytes of this many characters of a line.
fn length_of(text: &str, n: usize) -> usize {
    text.chars().take(n).take_while(|c| *c != '\n').map(char::len_utf8).sum()
}

/// Returns the text of a named character; a blank if it is not one of text.
fn glyph(name: &str) -> &'static str {
    match name {
        "aq" | "cq" | "oq" => "'",
        "dq" | "lq" | "rq" => "\"",
        "hy" | "mi" | "-" | "en" => "-",
        "em" => " - ",
        "rs" => "\\",
        "ha" => "^",
        "ti" => "~",
        "ga" => "`",
        "la" => "<",
        "ra" => ">",
        "at" => "@",
        "sh" => "#",
        "Do" => "$",
        "lB" => "[",
        "rB" => "]",
        "lC" => "{",
        "rC" => "}",
        "ba" | "or" => "|",
        "sl" => "/",
        _ => " ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_reader() {
        for (line, expected) in [
            (r"\fB\-\-foo\fR", "--foo"),
            (r"\fBfoo\fRbar \f(CWx\fP \f[B]y\f[]", "foobar x y"),
            (r".B \-\-foo", "--foo"),
            (r".BI \-\-file= path", "--file=path"),
            (r".BI \-f file", "-f file"),
            (r#".BR "git add" (1)"#, "git add(1)"),
            (r#".SH "SEE ALSO""#, "SEE ALSO"),
            (".It Fl c Ar shell-command", "-c shell-command"),
            (".It Fl -verbose", "--verbose"),
            (".It Xo Ic attach-session", "attach-session"),
            (".Op Fl dErx", "-dErx"),
            (r"it\(aqs \(em a\(rq", "it's  -  a\""),
            (r"\s-1SMALL\s0 \s+2x", "SMALL x"),
            (r"a\ b\~c\&d\|e", "a b cde"),
            (r#".\" a comment"#, ". a comment"),
            (r"\*(lqx\*(rq \*[name]y", "x   y"),
            (r"\h'1m'x\\y\ez", "x\\y\\z"),
            (r"\", ""),
            (r"\f", ""),
            (r"\(", ""),
            (r"\[x", "x"),
            (r"\é\(é", "é"),
        ] {
            assert_eq!(of_line(line), expected, "{line}");
        }
    }

    #[test]
    fn each_part_is_where_it_stands() {
        let piece = ".B \\-\\-foo bar\n\\fIbaz\\fR é\n.It Fl x Ar \"quoted\"\n.br\nlast\n";
        let (text, places) = words(piece);
        assert_eq!(text, "--foo bar\nbaz é\n-x quoted\n\nlast\n");
        let of = |word: &str| {
            let at = text.find(word).unwrap();
            let (to, from) = *places.iter().rev().find(|place| place.0 <= at).unwrap();
            piece.get(from + at - to..).unwrap()
        };
        for word in ["foo", "bar", "baz", "é", "x", "quoted", "last"] {
            assert!(of(word).starts_with(word), "{word}");
        }
        assert!(places.is_sorted() && places.is_sorted_by_key(|place| place.1));
    }
}
