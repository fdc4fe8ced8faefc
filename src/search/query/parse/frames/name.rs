//! The name of a function as tracers print it → the name as the source declares it.
//!
//! Tracers add arguments, types, and the numbers of closures and lambdas: `main.(*T).run.func1()`,
//! `a::f::{{closure}}`, `Foo$bar$1.invokeSuspend`. Pure; text that is not a name gives `None`.

/// What stands before a name without being a part of it.
const BEFORE: [&str; 10] =
    ["async ", "async*", "new ", "void ", "bool ", "int ", "auto ", "static ", "global ", "(inlined by) "];

/// Between the parts of a qualified name.
const SEPARATORS: [char; 7] = ['.', ':', '#', '>', '/', '$', '\\'];

/// Parts of names that compilers add before a method to name its lambda: `lambda$run$0`.
const OF_LAMBDAS: [&str; 3] = ["lambda", "anonfun", "access"];

/// Methods in which compilers put the body of a lambda, a coroutine or a function with defaults:
/// `Foo$run$1.invokeSuspend`, `Foo.run$default`.
const BODIES: [&str; 6] = ["default", "doInvoke", "invoke", "invokeStatic", "invokeSuspend", "lzycompute"];

/// Returns the function at the beginning of a text, as `f` or `Type.f`; `None` if it has no name.
pub(super) fn last_name(called: &str) -> Option<String> {
    let called = BEFORE.iter().fold(called.trim(), |rest, sign| rest.strip_prefix(sign).unwrap_or(rest));
    // JavaScript: `Foo.get size`.
    let accessor = called.split_once(".get ").or_else(|| called.split_once(".set "));
    let accessor = accessor.filter(|(_, name)| name.starts_with(char::is_alphabetic));
    let accessor = accessor.map(|(of_type, name)| format!("{of_type}.{name}"));
    let called = accessor.as_deref().unwrap_or(called);
    if let Some((of_type, method)) = made(called) {
        let qualifier = of_type.rsplit(SEPARATORS).next().filter(|part| is_name(part));
        return Some(qualifier.map_or(method.to_owned(), |qualifier| format!("{qualifier}.{method}")));
    }
    let (name, rest) = without_arguments(called)?;
    let name = name.strip_suffix("-fm").unwrap_or(&name);
    if name.ends_with(SEPARATORS) {
        return None;
    }
    // Go: `main.f.func1()`, whose arguments have no names.
    let is_go = ["()", "(0x", "({", "(..."].iter().any(|begin| rest.starts_with(begin));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = name.rsplit(SEPARATORS).filter(|part| !part.is_empty()).peekable();
    let mut last = parts.next()?;
    loop {
        let next = parts.peek().copied().unwrap_or_default();
        let is_closure = is_go && part_of_closure(last) && !name.contains("::");
        let is_body = BODIES.contains(&last) && name.contains('$');
        if next.is_empty() || !(is_number(last) || is_closure || is_body) {
            break;
        }
        last = parts.next()?;
    }
    // Rust adds a hash.
    let is_hash = |part: &str| {
        part.len() == 17 && part.starts_with('h') && part.bytes().skip(1).all(|b| b.is_ascii_hexdigit())
    };
    if is_hash(last) && name.contains("::") {
        last = parts.next()?;
    }
    if !is_name(last) || last == "operator" || OF_LAMBDAS.contains(&last) && name.contains('$') {
        return None;
    }
    // Go: `(*Server)`.
    let mut qualifiers = parts.map(|part| part.trim_matches(['(', ')', '*', '-']));
    let qualifier = qualifiers.find(|part| !OF_LAMBDAS.contains(part)).filter(|part| is_name(part));
    Some(qualifier.map_or(last.to_owned(), |qualifier| format!("{qualifier}.{last}")))
}

/// Returns whether a text is the name of a declaration.
pub(super) fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || "_?!".contains(c)) && text.chars().any(char::is_alphabetic)
}

/// Returns whether Go calls a closure so: `func1`, `gowrap2`.
fn part_of_closure(part: &str) -> bool {
    let number = part.strip_prefix("func").or_else(|| part.strip_prefix("gowrap"));
    number.is_some_and(is_decimal)
}

/// Returns whether a text is a decimal number.
pub(super) fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the type and the method of code that C# generates for an asynchronous method or a
/// lambda: `Type.<Method>d__5.MoveNext`, `Type.<>c.<Method>b__0`.
pub(super) fn made(called: &str) -> Option<(&str, &str)> {
    let called = called.split_once('(').map_or(called, |(name, _)| name);
    let (before, rest) = called.rsplit_once('<')?;
    let (method, rest) = rest.split_once('>')?;
    let of_type = before.split_once('<').map_or(before, |(of_type, _)| of_type);
    let is_made = rest.get(1..3) == Some("__") && is_name(method);
    is_made.then_some((of_type.trim_end_matches(['.', '+']), method))
}

/// Returns the name at the beginning of a text, without its arguments and the arguments of its
/// types, and the rest behind it.
fn without_arguments(called: &str) -> Option<(String, &str)> {
    // Rust: `<a::Foo as b::Run>::run`.
    let implementation = called.strip_prefix('<').and_then(|rest| rest.split_once(">::"));
    let (mut name, mut rest) = match implementation {
        Some((of_type, rest)) => {
            let of_type = of_type.split(" as ").next().unwrap_or(of_type);
            (without_arguments(of_type.trim_start_matches('&'))?.0 + "::", rest)
        }
        None => (String::new(), called),
    };
    while let Some(sign) = rest.chars().next() {
        let is_part = name.is_empty() || name.ends_with(['.', ':']);
        let mut len = sign.len_utf8();
        match sign {
            ' ' | ',' | '+' | '@' | '"' | '\'' | '`' | ';' | '|' => break,
            '(' if !is_part => break,
            '-' if rest.starts_with("->") => {
                name.push('.');
                len = 2;
            }
            '(' | '<' | '[' | '{' => {
                len = group_len(rest)?;
                add_group(&mut name, rest.get(..len)?)?;
            }
            _ => name.push(sign),
        }
        rest = rest.get(len..)?;
    }
    Some((name, rest))
}

/// Adds what a group in brackets says to a name: mostly nothing. `None` if the function has no
/// name: `<init>`, `Object.<anonymous>`, PHP's `{closure}`.
fn add_group(name: &mut String, group: &str) -> Option<()> {
    let inner = group.get(1..group.len().checked_sub(1)?)?;
    let is_joined = name.ends_with(SEPARATORS);
    match group.chars().next()? {
        // Go: `(*Server)`. C++: `(anonymous namespace)`.
        '(' => name.push_str(inner.strip_prefix('*').unwrap_or_default()),
        '{' if inner == "closure" => return None,
        '<' if name.is_empty() || name.ends_with(['.', '$']) && !inner.ends_with(" closure") => return None,
        '{' | '<' if is_joined => name.truncate(name.trim_end_matches(SEPARATORS).len()),
        _ => {}
    }
    Some(())
}

/// Returns the length of the group in brackets that a text begins with, in bytes.
fn group_len(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' | '{' => depth += 1,
            // The arrow of a type: `fn() -> u8`.
            '>' if matches!(last, '-' | '=') => {}
            ')' | '>' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + c.len_utf8());
        }
        last = c;
    }
    None
}
