//! The place of a constant of Go in a group that `iota` numbers: a text and a byte → an ordinal.
//!
//! The value of such a constant is its place. So it has another value if a constant in front of it
//! comes or goes, although its own line stays as it is. Pure functions on the text.

/// Returns the number of lines in front of a constant in its group, if `iota` numbers that group.
/// Comments and blank lines do not count.
pub(super) fn iota_ordinal(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?;
    let open = before.rfind("const (").map(|at| at + "const (".len());
    let open = open.or_else(|| before.rfind("const(").map(|at| at + "const(".len()))?;
    let inside = before.get(open..)?;
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    if inside.lines().any(|line| line.starts_with(')')) {
        return None;
    }
    let end = text.get(at..)?.lines().next().unwrap_or_default();
    let is_numbered = inside.contains("iota") || end.contains("iota");
    // The line of the constant itself is not in front of it.
    let (lines, _) = inside.rsplit_once('\n')?;
    is_numbered.then(|| lines.lines().filter(is_code).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iota_numbers_the_lines_of_its_group() {
        let text = "const (\n\t// First.\n\tA = iota\n\n\tB\n\tC\n)\n\nconst (\n\tD = 1\n\tE = 2\n)\n\nconst F = 1\n";
        for (name, expected) in
            [("A ", Some(0)), ("B\n", Some(1)), ("C\n", Some(2)), ("D ", None), ("F ", None)]
        {
            assert_eq!(iota_ordinal(text, text.find(name).unwrap()), expected, "{name}");
        }
    }
}
