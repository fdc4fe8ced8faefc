//! Function names in the frames of stack traces, as various languages print them.
//!
//! A line of text, and the lines around it → the function it names. Pure: no index is consulted. A
//! line that is not a frame must give `None`, since prose may mention a path, too.
//!
//! | file | owns |
//! |---|---|
//! | `name` | the name of a function as tracers print it |
//! | `native` | numbers, addresses and images before the names of native code |

mod name;
mod native;
#[cfg(test)]
mod tests;

use self::name::{is_decimal, last_name, made};
use self::native::{Native, demangled, native};

/// Endings of images, which have offsets like functions: `[libfoo.so+0x12]`.
const IMAGES: [&str; 4] = [".so", ".dll", ".exe", ".dylib"];

/// How many lines below a message its stack trace may begin.
const BEFORE_TRACE: usize = 4;

/// A line of a text, with the lines around it.
#[derive(Debug, Clone, Copy)]
pub(in crate::search::query) struct Lines<'t> {
    /// The line above.
    pub(in crate::search::query) above: &'t str,
    /// The line itself.
    pub(in crate::search::query) line: &'t str,
    /// All lines below.
    pub(in crate::search::query) below: &'t [&'t str],
}

/// Returns the function that a line names next to a place in a file: `in f` (Python, Ruby, gdb),
/// `at a.B.f(` (Java, JavaScript, C#). If the line begins with the place, the function is on the
/// line above (Go, Rust, Julia). If it names the function that is called at the place, as PHP,
/// Perl, R and Haskell do, the function around the place is on the line below. The name includes
/// its qualifier, as `B.f`, if there is one. `None` for a module's own code and for anonymous
/// functions.
pub(in crate::search::query) fn function(lines: Lines<'_>) -> Option<String> {
    let Lines { above, below, .. } = lines;
    let line = without_marks(lines.line);
    let after = |sign: &str| line.rsplit_once(sign).map(|(_, rest)| rest);
    if let Some(caller) = caller(line, below) {
        return caller.and_then(last_name);
    }
    if let Some(native) = native(line) {
        return last_name(native.called);
    }
    // Godot writes `at: f (res://a.gd:12)`, PowerShell `at f, a.ps1: line 12`.
    let at = line.strip_prefix("at ").or_else(|| line.strip_prefix("at: "));
    if let Some(rest) = at.filter(|rest| rest.contains(['(', ' '])) {
        let is_place = rest.strip_prefix("async ").unwrap_or(rest).split(['(', ' ']).next();
        return last_name(rest).filter(|_| !is_place.is_some_and(|word| word.contains("://")));
    }
    let raised = ["Raised at ", "Re-raised at ", "Called from ", "Raised by primitive operation at "];
    if let Some(rest) = raised.iter().find_map(|sign| line.strip_prefix(sign)) {
        return rest.split_once(" in file").and_then(|(name, _)| last_name(&name.replace("__", ".")));
    }
    if let Some((call, _)) = line.split_once(",[{file,") {
        return of_erlang(call);
    }
    let erlang = line.strip_prefix("in function ").or_else(|| line.strip_prefix("in call from "));
    let faulthandler = || after(" in ").filter(|_| line.starts_with("File \""));
    // Zig: `a.zig:12:5: 0x1034 in f (prog)`.
    let zig = || line.split_once(": 0x").and_then(|(_, rest)| rest.split_once(" in ")).map(|one| one.1);
    let behind = || [", in ", ":in ", ": in ", " in '"].into_iter().find_map(after);
    if let Some(rest) = erlang.or_else(zig).or_else(behind).or_else(faulthandler) {
        return in_words(rest);
    }
    let firefox = |at: &str| !at.contains(' ') && (at.contains("://") || at.ends_with(char::is_numeric));
    if let Some((name, _)) = line.split_once('@').filter(|(name, at)| firefox(at) && !name.contains(' ')) {
        return last_name(name.trim_end_matches(['/', '<']));
    }
    if let Some((before, behind)) = line.split_once(" @ ") {
        // Chrome: `f @ a.js:12`. Godot: `a.gd:12 @ f()`.
        return if behind.contains('(') { last_name(behind) } else { last_name(before) };
    }
    beside_place(line).or_else(|| {
        let is_place_alone = !line.contains(' ')
            || ["at ", "at: ", "@ "].iter().any(|sign| line.starts_with(sign))
            || line.contains(" +0x");
        let is_alone = is_place_alone && !above.trim_start().starts_with("at ");
        is_alone.then(|| of_line_above(above)).flatten()
    })
}

/// Returns a line without what a tracer puts before all of its lines: Python's groups of
/// exceptions, Valgrind.
fn without_marks(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['|', '+', '└', '├', '─', '│', ' ', '>']);
    let process = line.strip_prefix("==").and_then(|rest| rest.split_once("=="));
    let is_process = process.is_some_and(|(n, _)| n.bytes().all(|byte| byte.is_ascii_digit()));
    process.filter(|_| is_process).map_or(line, |(_, rest)| rest.trim_start())
}

/// Returns the function behind "in": Ruby's `'A#f'` and "block in f", Lua's "function 'f'",
/// Python's `f`. On the first line of Ruby, the message follows.
fn in_words(rest: &str) -> Option<String> {
    if rest.starts_with("function <") || rest == "main chunk" {
        return None;
    }
    let kinds = ["function ", "method ", "upvalue ", "local ", "field ", "metamethod ", "global "];
    let rest = kinds.iter().fold(rest, |rest, kind| rest.strip_prefix(kind).unwrap_or(rest));
    let quoted = rest.strip_prefix(['`', '\'']).and_then(|rest| rest.split_once('\''));
    let rest = quoted.map_or(rest, |(name, _)| name).trim_start();
    // Erlang: `in function  a:f/2 (a.erl, line 12)`.
    let name = if quoted.is_none() && rest.contains('(') { rest } else { rest.rsplit(' ').next()? };
    last_name(name.trim_matches(['`', '\'']))
}

/// Returns the function of a frame as an Erlang term: `{a,f,2,[{file,"a.erl"},{line,12}]}`.
fn of_erlang(call: &str) -> Option<String> {
    let mut parts = call.rsplit([',', '{']);
    let (_, name, module) = (parts.next()?, parts.next()?, parts.next()?);
    last_name(&format!("{module}.{name}"))
}

/// Returns the function that is called at a place, in a trace that names these: PHP, Perl (Carp),
/// R and Haskell.
fn called(line: &str) -> Option<&str> {
    let line = line.trim();
    if let Some((number, rest)) = line.strip_prefix('#').and_then(|line| line.split_once(' ')) {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let behind = rest.split_once("): ").or_else(|| rest.split_once("]: ")).map(|(_, called)| called);
        let is_place = rest.starts_with(['/', '[', '{', 'p']) || rest.contains(".php(");
        return if rest == "{main}" { Some(rest) } else { behind }.filter(|_| is_number && is_place);
    }
    if let Some((called, _)) = line.split_once(" called at ") {
        return Some(called.trim_end_matches(','));
    }
    let (number, call) = line.split_once(": ")?;
    let is_numbered = is_decimal(number);
    (is_numbered && call.contains('(') && (call.contains(".R#") || call.ends_with(')'))).then_some(call)
}

/// Returns the function around the place in a line, if the trace names the functions that are
/// called at its places. The inner value is `None` outside of all functions.
#[allow(clippy::option_option, reason = "no such trace, or no such function")]
fn caller<'t>(line: &str, below: &[&'t str]) -> Option<Option<&'t str>> {
    let next = below.first().copied().unwrap_or_default();
    let is_r = line.contains(".R#");
    if called(line).is_some() && (line.starts_with('#') || line.contains(" called at ") || is_r) {
        return Some(called(next));
    }
    if next.contains(" called at ") && line.contains(" line ") {
        return Some(called(next));
    }
    // PHP: a message with the place where it was thrown, and "Stack trace:".
    let (file, number) = line.rsplit_once(".php:")?;
    let at = below.iter().take(BEFORE_TRACE).position(|one| one.trim().starts_with("#0 "))?;
    let innermost = below.get(at)?;
    let file = file.rsplit([' ', '(']).next().unwrap_or(file);
    let number = number.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    // A function of PHP itself throws where it is called.
    let is_own = innermost.contains(&format!("{file}.php({number})"));
    Some(called(below.get(at + usize::from(is_own)).copied().unwrap_or_default()))
}

/// Returns the function beside a place: `f at fs/select.c:610` (addr2line), `f (a.py:12)` (py-spy),
/// `A:f() (at A.cs:12)` (Unity), `f (in prog) (a.c:12)` (atos), `a.ex:12: A.f/2` (Elixir),
/// `> a.py(12)f()` (pdb).
fn beside_place(line: &str) -> Option<String> {
    if let Some((name, _)) = line.split_once(" (at ").or_else(|| line.split_once(" (in ")) {
        return last_name(name);
    }
    // addr2line: also `(inlined by) f at …`. Julia numbers its frames.
    if let Some((name, _)) = line.split_once(" at ").filter(|(_, place)| !place.contains(' ')) {
        let name = name.strip_prefix("(inlined by) ").unwrap_or(name);
        let name = without_number(name);
        return last_name(name).filter(|_| !name.contains(' ') || name.contains('('));
    }
    if let Some((_, name)) = line.rsplit_once(": ").filter(|(_, name)| is_with_arity(name)) {
        return last_name(name.rsplit(' ').next()?);
    }
    if let Some((name, place)) = line.split_once(" (").filter(|(name, _)| !name.contains(' ')) {
        let place = place.strip_suffix(')')?;
        return last_name(name).filter(|_| !place.contains(' ') && place.ends_with(char::is_numeric));
    }
    let (_, name) = line.split_once(".py(")?.1.split_once(')')?;
    last_name(name).filter(|_| name.ends_with(')'))
}

/// Returns whether a text ends with a function and its number of arguments, as Elixir writes it.
fn is_with_arity(text: &str) -> bool {
    let arity = text.rsplit_once('/').map(|(_, arity)| arity);
    arity.is_some_and(is_decimal)
}

/// Returns the function that a line names above the line of its place. Rust, Julia and Delve number
/// their frames.
fn of_line_above(above: &str) -> Option<String> {
    let above = above.trim();
    if let Some((_, rest)) = above.split_once("created by ") {
        return last_name(rest);
    }
    if let Some(native) = native(above) {
        return last_name(native.called);
    }
    last_name(without_number(above))
}

/// Returns a text without the number of its frame before it: `[3] f`.
fn without_number(text: &str) -> &str {
    text.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(text, |(_, rest)| rest)
}

/// Returns whether a line is a frame of the language itself or of a compiled library, or a line
/// between frames. It has a place that no repository has: `[C]: in function 'error'` (Lua),
/// `<internal:kernel>:187:in 'loop'` (Ruby), `<frozen importlib._bootstrap>` (Python),
/// `(<anonymous>)` (JavaScript), `(Native Method)` (Java), `??:0` (addr2line).
pub(in crate::search::query) fn is_outside(line: &str) -> bool {
    let line = line.trim();
    let has = |signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    let begins = ["[C]:", "--- End of ", "thrown in ", "<asynchronous suspension>"];
    begins.iter().any(|sign| line.starts_with(sign))
        || has(&["<internal:", "File \"<frozen ", "File \"<string>", "??:0", "??:?", "@[native code]"])
        || line.starts_with("at ")
            && has(&["(<anonymous>)", "(native)", "node:internal/", "(Native Method)", "(Unknown Source)"])
        || line.starts_with('#')
            && has(&["{main}", "[internal function]", "<signal handler called>", "?? ()"])
}

/// Returns the function of a frame that names no file, or a library instead: [`without_place`], and
/// frames of native code, of Rust without debug information, and of a bundle or bytecode whose file
/// no repository has.
pub(in crate::search::query) fn bare(lines: Lines<'_>) -> Option<String> {
    let line = without_marks(lines.line);
    let is_above_place = lines.below.first().is_some_and(|next| next.trim_start().starts_with("at "));
    let native = native(line).filter(|_| !is_above_place);
    let of_native = native.and_then(|native| of_native(&native));
    if let Some(name) = of_native.or_else(|| without_place(line)) {
        return Some(name);
    }
    // `at f (index.bundle:1:2045)`, `at a.B.f(SourceFile:12)`.
    let rest = line.strip_prefix("at ")?.strip_suffix(')')?;
    let place = rest.split_once('(').map(|(_, place)| place)?;
    let is_place = place.contains(':') && place.ends_with(|c: char| c.is_ascii_hexdigit());
    last_name(rest).filter(|_| is_place)
}

/// Returns the function of a frame of native code without a place, unless the line may as well be
/// prose, or the function is Rust's own.
fn of_native(native: &Native<'_>) -> Option<String> {
    const STD: [&str; 7] = ["std::", "core::", "alloc::", "<alloc::", "<core::", "<std::", "__rust"];
    let called = native.called;
    let is_rust = called.contains("::") && (called.starts_with('<') || !called.contains([' ', '(']));
    let is_std = STD.iter().any(|begin| called.starts_with(begin));
    let mangled = demangled(called.split([' ', '(']).next().unwrap_or_default());
    let name = last_name(mangled.as_deref().unwrap_or(called));
    name.filter(|_| (native.is_certain || is_rust) && !is_std)
}

/// Returns the folder of the package in a frame of the JVM, as these are laid out by convention:
/// `a/b` of `at a.b.C.f(C.java:12)`. Empty for other lines.
pub(in crate::search::query) fn package(line: &str) -> String {
    const ENDINGS: [&str; 6] = [".java:", ".kt:", ".scala:", ".groovy:", ".clj:", ".java)"];
    let called = line.trim().strip_prefix("at ").and_then(|rest| rest.split_once('('));
    let called = called.filter(|(_, place)| ENDINGS.iter().any(|ending| place.contains(ending)));
    // A module or a class loader may stand before it: `java.base/java.util.ArrayList.forEach`.
    let name = called.and_then(|(name, _)| name.rsplit('/').next()).unwrap_or_default();
    let class = name.rsplit_once('.').map_or("", |(class, _)| class);
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    if package.contains(' ') { String::new() } else { package.replace('.', "/") }
}

/// Parses a .NET frame without a place, as every release build prints them: `at
/// A.B.Type.Method(String name)`. Returns the file that would hold the type by convention, and the
/// function; `None` for any other line.
pub(in crate::search::query) fn of_type(line: &str) -> Option<(String, String)> {
    let (called, rest) = line.trim().strip_prefix("at ")?.split_once('(')?;
    let parameters = rest.strip_suffix(')')?;
    // JavaScript and Java print these in the parentheses if they have no file.
    let is_dotnet = !called.contains([' ', '/', ':']) && called.contains('.');
    if !is_dotnet
        || parameters.contains([':', '<']) && !parameters.contains(' ')
        || matches!(parameters, "Native Method" | "Unknown Source")
    {
        return None;
    }
    // Code generated for an asynchronous method or a lambda belongs to that method.
    let (of_type, method) = made(called).or(called.rsplit_once('.'))?;
    // Removes the number of a generic type's parameters.
    let parts = of_type.trim_end_matches(['.', '+']).split('.');
    let of_type = parts.map(|part| part.split('`').next().unwrap_or(part)).collect::<Vec<_>>().join("/");
    // An inner type is in the file of its outer type.
    let file = of_type.split('+').next().unwrap_or(&of_type);
    let inner = of_type.rsplit(['/', '+']).next().unwrap_or(&of_type);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // A constructor has the name of its type.
    let method = if matches!(method, "ctor" | "cctor") { inner } else { method };
    let fits = is_name(inner) && is_name(method);
    fits.then(|| (format!("{file}.cs"), format!("{inner}.{method}")))
}

/// Returns the function of a frame that names no file: `f+0x1c8/0x6d0` (Linux, glibc), `(f+16)`
/// (Android), `0x0001 f + 120` (macOS and iOS). `None` for any other line, such as one with a
/// mangled name.
pub(in crate::search::query) fn without_place(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_hex = |text: &str| {
        let digits = text.strip_prefix("0x").unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let place = words.iter().position(|word| *word == "+").filter(|_| line.trim_end().ends_with(')'));
    // The place in the source may follow.
    let until_place = place.and_then(|plus| words.get(..plus + 2)).unwrap_or(&words);
    // macOS and iOS: number, image, address, name, `+`, offset.
    if let [number, .., plus, offset] = until_place
        && *plus == "+"
        && is_decimal(number)
        && is_decimal(offset)
    {
        let address = words.iter().position(|word| is_hex(word))?;
        let name = until_place.get(address + 1..until_place.len() - 2)?.join(" ");
        // `closure #1 in View.load(_:)`, `-[View load:]`.
        let name = name.rsplit(" in ").next().unwrap_or_default();
        let message = name.strip_prefix(['-', '+']).and_then(|name| name.strip_prefix('['));
        let sent = message.map(|name| name.trim_end_matches(']').split(':').next().unwrap_or_default());
        return sent.map_or_else(|| last_name(name), |sent| last_name(&sent.replace(' ', ".")));
    }
    let is_frame = words.first().is_some_and(|first| first.starts_with('#'));
    let framed = |word: &&str| {
        let word = word.trim_matches(['(', '[', ']']).trim_end_matches(')');
        let (name, offset) = word.rsplit_once('+')?;
        // glibc may print the address without a blank before it: `f+0x5a)[0x55f1d2a6b8da`.
        let offset = offset.split([')', '[']).next()?;
        // The kernel adds the length of the function.
        let (at, length) = offset.split_once('/').map_or((offset, None), |(at, length)| (at, Some(length)));
        let is_offset = is_hex(at) && length.is_none_or(is_hex) || is_frame && is_decimal(at);
        if !is_offset || IMAGES.iter().any(|ending| name.ends_with(ending)) {
            return None;
        }
        if name.ends_with(')') {
            return last_name(name);
        }
        let name = name.rsplit(['(', '!']).next()?;
        if name.contains("_Z") {
            return demangled(name).and_then(|name| last_name(&name));
        }
        // Copies that the compiler made of a function: `f.isra.0`, `f.cold`.
        let name = name.rsplit(':').next()?.split('.').next()?;
        last_name(name)
    };
    words.iter().find_map(framed)
}
