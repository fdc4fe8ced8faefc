//! How a name is written where it is used: source line → kind of receiver.

/// All kinds, in the order of a report.
pub(super) const ALL: [&str; 9] = [
    "plain name",
    "own object",
    "local object or package",
    "field of an object",
    "result of a call",
    "type or module",
    "type in a declaration",
    "constructed",
    "elsewhere in its line",
];

/// Returns how a name is written in a line.
pub(super) fn kind(line: &str, name: &str) -> &'static str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let place = line.match_indices(name).find(|(at, _)| {
        let before = line.get(..*at).and_then(|before| before.chars().next_back());
        let after = line.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    });
    let Some((at, _)) = place else { return "elsewhere in its line" };
    let before = line.get(..at).unwrap_or_default().trim_end();
    let after = line.get(at + name.len()..).unwrap_or_default().trim_start();
    let Some(object) = ["->", "::", "?.", "!.", "."].iter().find_map(|one| before.strip_suffix(one)) else {
        if before.ends_with("new") {
            return "constructed";
        }
        let is_type = name.starts_with(char::is_uppercase) && !after.starts_with(['(', '{']);
        return if is_type { "type in a declaration" } else { "plain name" };
    };
    let object = object.trim_end();
    if object.ends_with([')', ']', '}']) {
        return "result of a call";
    }
    let start = object.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    let last = object.get(start..).unwrap_or_default();
    if matches!(last, "self" | "this" | "super" | "cls" | "base") {
        return "own object";
    }
    if object.get(..start).is_some_and(|rest| rest.ends_with('.') || rest.ends_with("->")) {
        return "field of an object";
    }
    if last.starts_with(char::is_uppercase) || before.ends_with("::") {
        return "type or module";
    }
    "local object or package"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_are_told_apart() {
        for (line, name, expected) in [
            ("  get(1)", "get", "plain name"),
            ("  forget(get(1))", "get", "plain name"),
            ("  self.get(1)", "get", "own object"),
            ("  x.get(1)", "get", "local object or package"),
            ("  this.x.get(1)", "get", "field of an object"),
            ("  x->y->get(1)", "get", "field of an object"),
            ("  open().get(1)", "get", "result of a call"),
            ("  Store.get(1)", "get", "type or module"),
            ("  store::get(1)", "get", "type or module"),
            ("  new Store(1)", "Store", "constructed"),
            ("  Store x = y;", "Store", "type in a declaration"),
            ("  Store(1)", "Store", "plain name"),
            ("  // nothing", "get", "elsewhere in its line"),
        ] {
            assert_eq!(kind(line, name), expected, "{line}");
            assert!(ALL.contains(&expected));
        }
    }
}
