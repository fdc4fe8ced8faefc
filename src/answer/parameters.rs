//! Lists of words in brackets: the words of a signature → the parts of a list, and parameters
//! without their names.
//!
//! Pure functions on words, as `signature` splits them.

/// How deep a word is in brackets, after it. The `>` of an arrow does not count.
pub(super) fn depth_after(words: &[String], at: usize, depth: usize) -> usize {
    let is_arrow =
        || at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|one| one == "-" || one == "=");
    match words.get(at).map(String::as_str) {
        Some("(" | "[" | "{" | "<") => depth + 1,
        Some(")" | "]" | "}") => depth.saturating_sub(1),
        Some(">") if !is_arrow() => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Where the brackets end that open at a word: the place behind them.
pub(super) fn end_of(words: &[String], from: usize) -> Option<usize> {
    let mut depth = 0;
    (from..words.len()).find_map(|at| {
        depth = depth_after(words, at, depth);
        (depth == 0).then_some(at + 1)
    })
}

/// The parts of a list between its own separators.
pub(super) fn parts<'w>(words: &'w [String], separator: &str) -> Vec<&'w [String]> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for at in 0..words.len() {
        depth = depth_after(words, at, depth);
        if depth == 0 && words.get(at).is_some_and(|word| word == separator) {
            found.extend(words.get(from..at));
            from = at + 1;
        }
    }
    found.extend(words.get(from..).filter(|rest| !rest.is_empty()));
    found
}

/// A parameter whose type comes first, without its name and without what only the body sees.
pub(super) fn unnamed(language: &str, words: &[String]) -> Vec<String> {
    const NO_TYPES: [&str; 9] =
        ["class", "const", "enum", "final", "register", "struct", "typename", "union", "volatile"];
    const TYPES: [&str; 11] =
        ["auto", "bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"];
    let is_name = |word: &String| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !TYPES.contains(&word.as_str())
    };
    let mut form = words.to_vec();
    if language == "java" {
        form.retain(|word| word != "final");
        while form.first().is_some_and(|word| word == "@") {
            let end = if form.get(2).is_some_and(|word| word == "(") { end_of(&form, 2) } else { Some(2) };
            form.drain(..end.unwrap_or(1).min(form.len()));
        }
    }
    // The name is behind the type, or in front of the length of an array.
    let end = form.iter().position(|word| word == "[").unwrap_or(form.len());
    let Some(last) = end.checked_sub(1) else { return form };
    let before = form.get(..last).unwrap_or_default();
    let has_type = before.iter().any(|word| !NO_TYPES.contains(&word.as_str()));
    let is_in_path = before.last().is_some_and(|word| matches!(word.as_str(), ":" | "."));
    if has_type && (!is_in_path || language == "java") && form.get(last).is_some_and(is_name) {
        form.remove(last);
    }
    // A `const` of the value itself is seen by the body only.
    if let [first @ .., last] = form.as_slice()
        && last == "const"
        && first.last().is_some_and(|word| word == "*")
    {
        form.pop();
    }
    form
}

/// Returns the words of a function without the names of its parameters, where callers can't write
/// them: a prototype of C may name them differently, or not at all.
pub(super) fn without_parameter_names(language: &str, words: Vec<String>, name: &str) -> Vec<String> {
    let own = words.iter().position(|word| word == name);
    let Some(open) = own.map(|at| at + 1).filter(|at| words.get(*at).is_some_and(|word| word == "(")) else {
        return words;
    };
    let Some(end) = end_of(&words, open) else { return words };
    let inside = words.get(open + 1..end - 1).unwrap_or_default();
    let mut found = words.get(..=open).unwrap_or_default().to_vec();
    for (n, part) in parts(inside, ",").into_iter().enumerate() {
        if n > 0 {
            found.push(",".to_owned());
        }
        let value = part.iter().position(|word| word == "=").unwrap_or(part.len());
        let (written, value) = part.split_at_checked(value).unwrap_or((part, &[]));
        found.extend(unnamed(language, written));
        found.extend_from_slice(value);
    }
    found.extend_from_slice(words.get(end - 1..).unwrap_or_default());
    found
}
