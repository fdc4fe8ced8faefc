//! What another signature does to callers: two signatures → a [`Risk`].
//!
//! Some changes break nobody: another name of a parameter that callers can't write, a modifier that
//! only its body sees, a new parameter with a default value, access for more code. Where the text
//! leaves a doubt, callers may break. Pure functions on the words of both signatures.

use crate::answer::parameters::{depth_after, end_of, parts, unnamed};
use crate::answer::signature::words;

use super::Risk;

/// Returns what a signature does to callers of an older one. Each has the name that it declares.
pub(super) fn of_signatures(language: &str, sides: [(&str, &str); 2]) -> Risk {
    let [Some(old), Some(new)] = sides.map(|(text, name)| Signature::of(language, text, name)) else {
        return Risk::Breaking;
    };
    let is_open = access(language, &old.head) <= access(language, &new.head);
    if !is_open || !is_head_compatible(language, [&old.head, &new.head]) {
        return Risk::Breaking;
    }
    if old.tail != new.tail && !(language == "python" && (old.tail.is_empty() || new.tail.is_empty())) {
        return Risk::Breaking;
    }
    match (&old.parameters, &new.parameters) {
        (Some(old), Some(new)) => of_parameters(language, old, new),
        (None, None) => Risk::None,
        _ => Risk::Breaking,
    }
}

/// A signature in its parts.
#[derive(Debug)]
struct Signature {
    /// The words before the name, without a receiver's name.
    head: Vec<String>,
    parameters: Option<Vec<Parameter>>,
    /// Type parameters, results and all else.
    tail: Vec<String>,
}

/// A parameter as callers see it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Parameter {
    /// Its name, if callers can write it.
    name: String,
    /// All else but its default value.
    form: Vec<String>,
    default: Option<Vec<String>>,
    /// Whether a call may leave it out.
    is_optional: bool,
    /// Whether it is passed by its name only.
    is_named: bool,
}

impl Signature {
    /// Reads a signature; `None` if it does not have the name.
    fn of(language: &str, text: &str, name: &str) -> Option<Self> {
        let words = words(language, text);
        let own = words.iter().position(|word| word == name)?;
        let (head, rest) = (words.get(..own)?, words.get(own + 1..)?);
        let head = match head {
            // The receiver of a method.
            [func, open, receiver @ .., close] if language == "go" && open == "(" && close == ")" => {
                let own_type = go_types(receiver).concat();
                [std::slice::from_ref(func), own_type.as_slice()].concat()
            }
            _ => head.to_vec(),
        };
        let Some((before, inside, after)) = parameter_list(rest) else {
            return Some(Self { head, parameters: None, tail: rest.to_vec() });
        };
        // A function of a script may be a value, too.
        let is_script = matches!(language, "javascript" | "jsx" | "tsx" | "typescript");
        let head: Vec<String> = match is_script {
            true => head.into_iter().filter(|word| !matches!(word.as_str(), "const" | "function")).collect(),
            false => head,
        };
        let (before, after) = match (before, after) {
            ([equals], [after @ .., mark, arrow])
                if is_script && [equals, mark, arrow].map(String::as_str) == ["=", "=", ">"] =>
            {
                (&[][..], after)
            }
            sides => sides,
        };
        let mut tail = before.to_vec();
        match after {
            [open, results @ .., close] if language == "go" && open == "(" && close == ")" => {
                tail.extend(go_types(results).concat());
            }
            [minus, arrow, result @ .., colon] if language == "python" && minus == "-" && colon == ":" => {
                tail.extend([minus.clone(), arrow.clone()]);
                tail.extend(python_types(result, 0));
            }
            [rest @ .., last] if language == "python" && last == ":" => tail.extend_from_slice(rest),
            [rest @ .., minus, arrow, result] if [minus, arrow, result] == ["-", ">", "Void"] => {
                tail.extend_from_slice(rest);
            }
            _ => tail.extend_from_slice(after),
        }
        Some(Self { head, parameters: Some(parameters(language, inside)), tail })
    }
}

/// The words before, in and behind the parentheses of a list of parameters, which may follow type
/// parameters, or the `=` of a function that is a value.
fn parameter_list(rest: &[String]) -> Option<(&[String], &[String], &[String])> {
    let mut at = 0;
    let is = |at: usize, word: &str| rest.get(at).is_some_and(|one| one == word);
    if is(at, "=") {
        at += 1;
        at += usize::from(is(at, "async"));
        at += usize::from(is(at, "function"));
    }
    at += usize::from(is(at, "?") || is(at, "!"));
    if is(at, "<") || is(at, "[") {
        at = end_of(rest, at)?;
    }
    if !is(at, "(") {
        return None;
    }
    let end = end_of(rest, at)?;
    Some((rest.get(..at)?, rest.get(at + 1..end - 1)?, rest.get(end..)?))
}

/// Reads a list of parameters.
fn parameters(language: &str, inside: &[String]) -> Vec<Parameter> {
    if language == "go" {
        let of = |form: Vec<String>| Parameter {
            is_optional: form.starts_with(&[".", ".", "."].map(str::to_owned)),
            form,
            ..Parameter::default()
        };
        return go_types(inside).into_iter().map(of).collect();
    }
    let mut found = Vec::new();
    let mut is_named = false;
    for part in parts(inside, ",") {
        let (written, default) = without_default(language, part);
        let mut one = Parameter { default, is_named, ..Parameter::default() };
        one.is_optional = one.default.is_some();
        read(language, written, &mut one);
        // What follows `*` or `*args` is passed by its name.
        let is_star = language == "python" && written.first().is_some_and(|word| word == "*");
        is_named |= is_star && written.get(1).is_none_or(|word| word != "*");
        if !(is_star && written.len() == 1) {
            found.push(one);
        }
    }
    found
}

/// Splits a parameter at its default value.
fn without_default<'w>(language: &str, part: &'w [String]) -> (&'w [String], Option<Vec<String>>) {
    let is = |at: usize, word: &str| part.get(at).is_some_and(|one| one == word);
    let mut depth = 0;
    for at in 0..part.len() {
        depth = depth_after(part, at, depth);
        let is_value = match language {
            "elixir" => is(at, "\\") && !is(at + 1, "\\"),
            _ => is(at, "=") && !is(at + 1, ">") && !is(at + 1, "="),
        };
        if depth == 0 && is_value {
            return (part.get(..at).unwrap_or_default(), part.get(at + 1..).map(<[String]>::to_vec));
        }
    }
    (part, None)
}

/// Reads what callers see of a parameter.
fn read(language: &str, words: &[String], one: &mut Parameter) {
    let has_dots = |words: &[String]| words.windows(3).any(|three| three.iter().all(|word| word == "."));
    let is_rest = words.first().is_some_and(|word| word == ".");
    // The `:` of a path is followed by another one.
    let colon = (0..words.len()).find(|at| {
        let is = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|word| word == ":");
        is(Some(*at)) && !is(at.checked_sub(1)) && !is(Some(at + 1))
    });
    let behind = colon.and_then(|at| words.get(at + 1..)).unwrap_or_default();
    let before = colon.and_then(|at| words.get(..at)).unwrap_or(words);
    match language {
        "rust" | "zig" if colon.is_some() => one.form = behind.to_vec(),
        "rust" => one.form = words.strip_prefix(&["mut".to_owned()]).unwrap_or(words).to_vec(),
        "python" => {
            let n_stars = before.iter().take_while(|word| *word == "*").count();
            one.is_optional |= n_stars > 0;
            let types = if behind.is_empty() { Vec::new() } else { python_types(behind, 0) };
            one.form = [before.get(..n_stars).unwrap_or_default(), &types].concat();
            if n_stars == 0 {
                one.name = before.concat();
            }
        }
        "kotlin" | "scala" | "swift" => {
            // In Swift, the first of two names is for callers.
            let names = before.iter().filter(|word| *word != "var" && *word != "val");
            let mut names = names.skip_while(|word| *word == "vararg");
            one.is_optional |= before.iter().any(|word| word == "vararg");
            let name = if language == "swift" { names.next() } else { before.last() };
            one.name = name.cloned().unwrap_or_default();
            let rest = if language == "swift" { 0 } else { before.len().saturating_sub(1) };
            one.form = [before.get(..rest).unwrap_or_default(), behind].concat();
        }
        "javascript" | "jsx" | "tsx" | "typescript" => {
            one.is_optional |= is_rest || before.last().is_some_and(|word| word == "?");
            let first = words.iter().find(|word| *word != ".").map(String::as_str);
            let n_names = before.iter().filter(|word| !matches!(word.as_str(), "?" | ".")).count();
            one.form = match first {
                Some("{" | "[") => words.to_vec(),
                _ if n_names > 1 => words.to_vec(),
                _ if is_rest => [&["...".to_owned()], behind].concat(),
                _ => behind.to_vec(),
            };
        }
        "c" | "cpp" | "dart" | "java" => {
            one.form = unnamed(language, words);
            one.is_optional |= has_dots(&one.form);
        }
        "c-sharp" | "php" => {
            let own = if language == "php" { 2 } else { 1 };
            let at = words.len().saturating_sub(own);
            one.name = words.get(at..).unwrap_or_default().concat();
            one.form = words.get(..at).unwrap_or_default().to_vec();
            one.is_optional |= one.form.first().is_some_and(|word| word == "params") || has_dots(&one.form);
        }
        _ => one.form = words.to_vec(),
    }
}

/// How deep types of Python are read that are in each other.
const MOST_DEPTH: usize = 16;

/// The types that an annotation of Python allows, in order: `Optional[A]` is `A | None`, and
/// `List[A]` is `list[A]`.
fn python_types(words: &[String], depth: usize) -> Vec<String> {
    let words = match words {
        [module, dot, rest @ ..] if dot == "." && matches!(module.as_str(), "t" | "typing") => rest,
        words => words,
    };
    if depth == MOST_DEPTH {
        return vec![words.concat()];
    }
    let types = |list: &[String], separator: &str| -> Vec<Vec<String>> {
        parts(list, separator).into_iter().map(|part| python_types(part, depth + 1)).collect()
    };
    let mut found = match words {
        _ if parts(words, "|").len() > 1 => types(words, "|").concat(),
        [open, inner @ .., _] if open == "(" && end_of(words, 0) == Some(words.len()) => {
            types(inner, "|").concat()
        }
        [open, inner @ .., _] if open == "[" && end_of(words, 0) == Some(words.len()) => {
            let inner: Vec<String> = types(inner, ",").iter().map(|one| one.join("|")).collect();
            vec![format!("[{}]", inner.join(","))]
        }
        [name, open, inner @ .., _] if open == "[" && end_of(words, 1) == Some(words.len()) => {
            match name.as_str() {
                "Optional" => [types(inner, "|").concat(), vec!["None".to_owned()]].concat(),
                "Union" => types(inner, ",").concat(),
                name => {
                    let is_builtin = matches!(name, "Dict" | "FrozenSet" | "List" | "Set" | "Tuple" | "Type");
                    let name = if is_builtin { name.to_lowercase() } else { name.to_owned() };
                    let inner: Vec<String> = types(inner, ",").iter().map(|one| one.join("|")).collect();
                    vec![format!("{name}[{}]", inner.join(","))]
                }
            }
        }
        words => vec![words.join(" ")],
    };
    found.sort_unstable();
    found.dedup();
    found
}

/// The types of a list of Go, where several names may share one, or none may have a name.
fn go_types(inside: &[String]) -> Vec<Vec<String>> {
    let parts = parts(inside, ",");
    let is_name = |word: &String| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_named = |part: &&[String]| match part {
        [name, next, ..] => {
            is_name(name)
                && !matches!(name.as_str(), "map" | "chan" | "func" | "struct" | "interface")
                && (next != "." || part.get(2).is_some_and(|word| word == "."))
        }
        _ => false,
    };
    if !parts.iter().any(is_named) {
        return parts.into_iter().map(<[String]>::to_vec).collect();
    }
    let mut found: Vec<Vec<String>> = Vec::with_capacity(parts.len());
    for part in parts.iter().rev() {
        let form = match part {
            [_, form @ ..] if !form.is_empty() => form.to_vec(),
            _ => found.last().cloned().unwrap_or_default(),
        };
        found.push(form);
    }
    found.reverse();
    found
}

/// Returns whether no code that may use an older declaration may not use this one. Each has the
/// name that it declares.
pub(super) fn is_access_kept(language: &str, sides: [(&str, &str); 2]) -> bool {
    let heads = sides.map(|(text, name)| Signature::of(language, text, name).map(|one| one.head));
    matches!(heads, [Some(old), Some(new)] if access(language, &old) <= access(language, &new))
}

/// Returns whether two signatures differ in nothing but the words that say who may use them.
pub(super) fn is_only_access_other(language: &str, sides: [(&str, &str); 2]) -> bool {
    let [Some(old), Some(new)] = sides.map(|(text, name)| Signature::of(language, text, name)) else {
        return false;
    };
    let left = |head: &[String]| without_access(language, head);
    left(&old.head) == left(&new.head) && old.parameters == new.parameters && old.tail == new.tail
}

/// Returns whether two signatures differ in nothing but their parameters.
pub(super) fn is_only_parameters_other(language: &str, sides: [(&str, &str); 2]) -> bool {
    let [Some(old), Some(new)] = sides.map(|(text, name)| Signature::of(language, text, name)) else {
        return false;
    };
    old.head == new.head && old.tail == new.tail && old.parameters.is_some() && new.parameters.is_some()
}

/// Returns the words of a head that say nothing of who may use it.
fn without_access(language: &str, head: &[String]) -> Vec<String> {
    let mut left = Vec::new();
    let mut at = 0;
    while let Some(word) = head.get(at) {
        at += 1;
        if is_access(language, word) {
            let has_scope = word == "pub" && head.get(at).is_some_and(|next| next == "(");
            at = if has_scope { end_of(head, at).unwrap_or(at) } else { at };
        } else {
            left.push(word.clone());
        }
    }
    left
}

/// Returns whether a word says who may use a declaration.
fn is_access(language: &str, word: &str) -> bool {
    match word {
        "static" => language == "c",
        "def" | "defp" => language == "elixir",
        "open" => language == "swift",
        "export" | "fileprivate" | "internal" | "private" | "protected" | "pub" | "public" => true,
        _ => false,
    }
}

/// Returns how much code may use a declaration, by the words before its name: more is wider. Of two
/// that do not contain each other, both are the same number, and their words differ.
fn access(language: &str, head: &[String]) -> u8 {
    let has = |word: &str| head.iter().any(|one| one == word && is_access(language, one));
    let inside =
        |word: &str| head.windows(2).any(|pair| matches!(pair, [open, one] if open == "(" && one == word));
    match language {
        "rust" if !has("pub") || inside("self") => 0,
        "rust" if inside("super") || inside("in") => 1,
        "rust" if inside("crate") => 2,
        _ if has("open") => 6,
        _ if has("public") || has("pub") || has("export") || has("def") => 5,
        _ if has("private") && has("protected") => 1,
        _ if has("internal") && has("protected") => 3,
        _ if has("private") || has("defp") || has("static") => 0,
        _ if has("fileprivate") => 1,
        _ if has("protected") || has("internal") => 2,
        "c-sharp" | "zig" | "elixir" => 0,
        "java" => 1,
        "swift" => 2,
        // An export is more than a declaration of a module.
        "javascript" | "jsx" | "tsx" | "typescript" => 4,
        _ => 5,
    }
}

/// Returns whether callers do with another head, whatever it says of access.
fn is_head_compatible(language: &str, [old, new]: [&[String]; 2]) -> bool {
    // Who calls sees none of these.
    let is_inner = |word: &str| matches!(word, "native" | "override" | "strictfp" | "synchronized");
    // These only allow more.
    let added: &[&str] = match language {
        "rust" => &["const"],
        "cpp" => &["constexpr", "inline"],
        "c" => &["inline"],
        _ => &[],
    };
    let removed: &[&str] = match language {
        "rust" => &["unsafe"],
        "cpp" => &["explicit", "inline"],
        _ => &["abstract", "final", "inline", "sealed"],
    };
    let left = |head: &[String]| -> Vec<String> {
        without_access(language, head).into_iter().filter(|word| !is_inner(word)).collect()
    };
    let (mut before, mut after) = (left(old), left(new));
    before.retain(|word| !removed.contains(&word.as_str()) || new.contains(word));
    after.retain(|word| !added.contains(&word.as_str()) || old.contains(word));
    // Neither of `protected` and `internal` is wider.
    let is_wider = access(language, old) < access(language, new);
    let side = |head: &[String]| -> Vec<String> {
        let is_side = |word: &&String| matches!(word.as_str(), "protected" | "internal");
        head.iter().filter(is_side).cloned().collect()
    };
    before == after && (is_wider || side(old) == side(new))
}

/// Returns what other parameters do to callers.
fn of_parameters(language: &str, old: &[Parameter], new: &[Parameter]) -> Risk {
    let split = |all: &[Parameter]| -> [Vec<Parameter>; 2] {
        let (named, placed) = all.iter().cloned().partition(|one| one.is_named);
        [placed, named]
    };
    let ([old, old_named], [new, new_named]) = (split(old), split(new));
    let mut risk = Risk::None;
    let mut take = |old: &Parameter, new: &Parameter| {
        let is_bare = language == "python" && (old.form.is_empty() || new.form.is_empty());
        let is_same = old.name == new.name && (old.form == new.form || is_bare);
        let is_needed = old.is_optional && !new.is_optional;
        if old.default != new.default && old.default.is_some() {
            risk = risk.min(Risk::Behaviour);
        }
        is_same && !is_needed
    };
    // With labels, a new parameter may be anywhere.
    let is_labelled = language == "swift";
    let mut rest = new.iter();
    for one in &old {
        let other = rest.find(|other| !is_labelled || other.name == one.name || !other.is_optional);
        if !other.is_some_and(|other| take(one, other)) {
            return Risk::Breaking;
        }
    }
    // A block behind the call is its last argument.
    let is_block = |one: &Parameter| one.form.windows(2).any(|pair| pair == ["-", ">"]);
    let has_block = language == "kotlin" && old.last().is_some_and(is_block);
    let is_extra_optional = rest.all(|one| one.is_optional && !has_block);
    let is_each_kept = old_named.iter().all(|one| {
        new_named
            .iter()
            .chain(&new)
            .find(|other| other.name == one.name)
            .is_some_and(|other| take(one, other))
    });
    let is_known = |one: &Parameter| old_named.iter().any(|old| old.name == one.name);
    let is_named_optional = new_named.iter().all(|one| one.is_optional || is_known(one));
    if is_extra_optional && is_each_kept && is_named_optional { risk } else { Risk::Breaking }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_signatures_break_nobody() {
        use Risk::{Behaviour, Breaking, None};
        for (language, old, new, expected) in [
            ("rust", "fn f(_meta: &Meta)", "fn f(meta: &Meta)", None),
            ("rust", "fn f(mut self, a: A)", "fn f(self, mut a: A)", None),
            ("rust", "fn f(&self)", "fn f(&mut self)", Breaking),
            ("rust", "pub(super) fn f()", "pub(crate) fn f()", None),
            ("rust", "fn f()", "pub fn f()", None),
            ("rust", "pub fn f()", "pub(crate) fn f()", Breaking),
            ("rust", "pub fn f()", "pub const fn f()", None),
            ("rust", "pub const fn f()", "pub fn f()", Breaking),
            ("rust", "pub fn f()", "pub unsafe fn f()", Breaking),
            ("rust", "fn f(a: A) -> B", "fn f(a: A) -> C", Breaking),
            ("rust", "fn f(a: A)", "fn f(a: B)", Breaking),
            ("rust", "fn f<T>(a: T)", "fn f<T>(b: T)", None),
            ("go", "func f(a int, b int) error", "func f(x, y int) (err error)", None),
            ("go", "func f(a int, b int) (n int, err error)", "func f(x, y int) (int, error)", None),
            ("go", "func (a *T) f(context.Context)", "func (b *T) f(ctx context.Context)", None),
            ("go", "func f(a int)", "func f(a int, more ...int)", None),
            ("go", "func f(a int)", "func f(a int, b int)", Breaking),
            ("c", "int f(const char *a, int n[2])", "int f(const char *b, int m[2])", None),
            ("c", "int f(unsigned int a)", "int f(unsigned long a)", Breaking),
            ("c", "int f(unsigned)", "int f(unsigned n)", None),
            ("c", "static int f(void)", "int f(void)", None),
            ("c", "int f(void)", "static int f(void)", Breaking),
            ("cpp", "int f(std::string a)", "int f(std::string a, int n = 1)", None),
            ("cpp", "int f(std::string)", "int f(std::string a)", None),
            ("cpp", "int f(std::string)", "int f(std::wstring)", Breaking),
            ("java", "void f(String a)", "public void f(final String b)", None),
            ("java", "void f(a.String b)", "void f(a.String c)", None),
            ("java", "public void f(String a)", "protected void f(String a)", Breaking),
            ("java", "public void f()", "public final void f()", Breaking),
            ("java", "public void f(List<String> a)", "public void f(Set<String> a)", Breaking),
            ("c-sharp", "public void f(int a)", "public void f(int b)", Breaking),
            ("c-sharp", "protected void f(int a)", "internal void f(int a)", Breaking),
            ("c-sharp", "private void f(int a)", "internal void f(int a, int b = 2)", None),
            ("python", "def f(a, b):", "def f(a, c):", Breaking),
            ("python", "def f(a):", "def f(a: int, b=1, *args, **kw) -> int:", None),
            ("python", "def f(a, b=1):", "def f(a, b=2):", Behaviour),
            ("python", "def f(a, b=1):", "def f(a, b):", Breaking),
            ("python", "def f(a, *, b=1):", "def f(a, *, c=1, b=1):", None),
            ("python", "def f(a, *, b=1):", "def f(a, *, c, b=1):", Breaking),
            ("python", "def f(a, b=1):", "def f(a, *, b=1):", Breaking),
            ("python", "def f(a):", "async def f(a):", Breaking),
            (
                "python",
                "def f(a: t.Optional[t.Union[A, B]] = None) -> Dict[str, List[C]]:",
                "def f(a: A | B | None = None) -> dict[str, list[C]]:",
                None,
            ),
            (
                "python",
                "def f(a: Union[A, Callable[[Optional[A]], B]]):",
                "def f(a: (A | (Callable[[A | None], B]))):",
                None,
            ),
            ("python", "def f(a: Optional[A]):", "def f(a: A):", Breaking),
            ("kotlin", "fun f(a: Int)", "fun f(b: Int)", Breaking),
            ("kotlin", "private fun f(a: Int)", "fun f(a: Int, b: Int = 1)", None),
            ("kotlin", "fun f(a: Int)", "internal fun f(a: Int)", Breaking),
            ("kotlin", "fun f(a: () -> Int)", "fun f(a: () -> Int, b: Int = 1)", Breaking),
            ("swift", "func f(_ a: Int)", "func f(_ b: Int, c: Int = 1)", None),
            ("swift", "func f(to a: Int)", "func f(at a: Int)", Breaking),
            ("swift", "public func f()", "open func f()", None),
            ("swift", "func f(a: Int) async -> Void", "func f(a: Int) async", None),
            ("typescript", "f(a: string): void", "f(b: string, c?: number): void", None),
            ("typescript", "f(a?: string): void", "f(a: string): void", Breaking),
            ("typescript", "function f(a: A)", "export function f(a: A)", None),
            ("typescript", "export function f(a: A): B", "export const f = (a: A): B =>", None),
            ("typescript", "export function f(a: A): B", "export const f = (a: A): C =>", Breaking),
            ("typescript", "export function f(a: A)", "function f(a: A)", Breaking),
            ("php", "public function f(int $a)", "public function f(int $a, $b = 1)", None),
            ("php", "public function f(int $a)", "public function f(int $b)", Breaking),
            ("ruby", "def f(a)", "def f(a, b)", Breaking),
        ] {
            let found = of_signatures(language, [(old, "f"), (new, "f")]);
            assert_eq!(found, expected, "{language}: {old} -> {new}");
        }
    }
}
