//! The output that a document shows, the output that a command prints -> the steps from one to the
//! other.
//!
//! A line `…` of the document stands for any lines, and `…` inside a line for any text. Times and
//! numbers of written objects may differ. Everything else must be equal.
//!
//! A plain line diff would not do. A stale line next to `…` would be a missing line, and its
//! successor would count among the lines that `…` stands for. So a step can also replace a line,
//! and the cheapest steps are taken.

/// The mark of omitted text.
const OMITTED: &str = "…";
/// What follows a number that differs from run to run.
const VARIABLE: [&str; 3] = [" s", " ms", " objects written"];
/// Cost of a line of the document that is dropped.
const REMOVED: usize = 200;
/// Cost of a printed line that the document lacks. Together with [`REMOVED`] it costs more than a
/// replacement.
const ADDED: usize = 150;
/// Cost of a replacement by a line that has no word in common. It is less than [`REMOVED`], so that
/// `…` does not swallow the new line.
const REPLACED: usize = 190;

/// What happens to a line. Positions count from the start of the shown output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// The line of the document stays.
    Keep(usize),
    /// Another line is printed in its place.
    Replace(usize, String),
    /// The line is printed no more.
    Remove(usize),
    /// A line is printed that the document does not show.
    Add(String),
}

/// Returns the cheapest steps from the lines of a document to the lines that are printed.
pub(super) fn steps(shown: &[&str], printed: &[&str]) -> Vec<Step> {
    let (n_shown, n_printed) = (shown.len(), printed.len());
    // costs[i][j]: from the document's lines from i on to the printed lines from j on.
    let mut costs = vec![vec![0; n_printed + 1]; n_shown + 1];
    for i in (0..=n_shown).rev() {
        for j in (0..=n_printed).rev() {
            costs[i][j] = choices(shown, printed, (i, j))
                .into_iter()
                .flatten()
                .map(|choice| choice.cost + costs[choice.next.0][choice.next.1])
                .min()
                .unwrap_or_default();
        }
    }
    let (mut at, mut steps) = ((0, 0), Vec::new());
    while at != (n_shown, n_printed) {
        let best = choices(shown, printed, at)
            .into_iter()
            .flatten()
            .min_by_key(|choice| choice.cost + costs[choice.next.0][choice.next.1]);
        let Some(best) = best else { break };
        steps.extend(best.step);
        at = best.next;
    }
    steps
}

/// One way to go on.
struct Choice {
    cost: usize,
    /// The lines that come next, of the document and of the output.
    next: (usize, usize),
    /// `None` if `…` stands for the printed line.
    step: Option<Step>,
}

/// Returns the ways to go on, the preferred one first.
fn choices(shown: &[&str], printed: &[&str], (i, j): (usize, usize)) -> [Option<Choice>; 3] {
    let (old, new) = (shown.get(i), printed.get(j));
    if old.is_some_and(|old| old.trim() == OMITTED) {
        let swallow = new.map(|_| Choice { cost: 0, next: (i, j + 1), step: None });
        return [Some(Choice { cost: 0, next: (i + 1, j), step: Some(Step::Keep(i)) }), swallow, None];
    }
    let both = old.zip(new).map(|(old, new)| {
        let (cost, step) = if is_same(old, new) {
            (0, Step::Keep(i))
        } else {
            (REPLACED - likeness(old, new), Step::Replace(i, (*new).to_owned()))
        };
        Choice { cost, next: (i + 1, j + 1), step: Some(step) }
    });
    let remove = old.map(|_| Choice { cost: REMOVED, next: (i + 1, j), step: Some(Step::Remove(i)) });
    let add =
        new.map(|new| Choice { cost: ADDED, next: (i, j + 1), step: Some(Step::Add((*new).to_owned())) });
    [both, remove, add]
}

/// Returns whether a printed line is the one that the document shows.
fn is_same(shown: &str, printed: &str) -> bool {
    let (shown, printed) = (masked(shown), masked(printed));
    let Some((first, rest)) = shown.split_once(OMITTED) else { return shown == printed };
    let Some(mut left) = printed.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = rest.split(OMITTED).collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some((_, behind)) = left.split_once(piece) else { return false };
        left = behind;
    }
    left.ends_with(last)
}

/// Returns a line without the numbers that differ from run to run.
fn masked(line: &str) -> String {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut masked = String::new();
    let mut rest = line.trim_end();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..].find(|c| !is_number(c)).map_or(rest.len(), |n_bytes| start + n_bytes);
        let is_variable = VARIABLE.iter().any(|unit| {
            let behind = rest[end..].strip_prefix(unit);
            behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
        });
        masked.push_str(if is_variable { &rest[..start] } else { &rest[..end] });
        rest = &rest[end..];
    }
    masked + rest
}

/// Returns how alike two lines are, from 0 to 100: the share of their words that both have.
fn likeness(a: &str, b: &str) -> usize {
    let words = |line: &str| -> Vec<String> {
        let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let (a, mut b) = (words(a), words(b));
    let n_words = a.len() + b.len();
    let mut n_common = 0_usize;
    for word in a {
        if let Some(at) = b.iter().position(|other| *other == word) {
            b.swap_remove(at);
            n_common += 1;
        }
    }
    (200 * n_common).checked_div(n_words).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the steps as text, one character and the line for each that is not a `Keep`.
    fn diff(shown: &str, printed: &str) -> Vec<String> {
        let (shown, printed): (Vec<_>, Vec<_>) = (shown.lines().collect(), printed.lines().collect());
        let told = steps(&shown, &printed).into_iter().filter_map(|step| match step {
            Step::Keep(_) => None,
            Step::Replace(at, line) => Some(format!("{} -> {line}", shown[at])),
            Step::Remove(at) => Some(format!("-{}", shown[at])),
            Step::Add(line) => Some(format!("+{line}")),
        });
        told.collect()
    }

    #[test]
    fn lines_are_equal_but_for_numbers_that_vary() {
        let table = [
            ("a b", "a b", true),
            ("a b", "a b  ", true),
            ("a b", "a c", false),
            ("read 3 files in 1.06 s", "read 3 files in 20 s", true),
            ("read 3 files in 1.06 s", "read 4 files in 1.06 s", false),
            ("12 ms, 1678 objects written", "7 ms, 2 objects written", true),
            ("3 steps", "4 steps", false),
            ("3 symbols", "4 symbols", false),
            ("in 4 files: a, b, …", "in 4 files: a, b, c, d", true),
            ("in 4 files: a, b, …", "in 5 files: a, b, c, d", false),
            ("token 3f8a…", "token 3f8a", true),
            ("'…/state/token' is …!", "'/srv/state/token' is here!", true),
            ("'…/state/token'", "'/srv/state/other'", false),
        ];
        for (shown, printed, expected) in table {
            assert_eq!(is_same(shown, printed), expected, "{shown} | {printed}");
        }
    }

    #[test]
    fn omitted_lines_are_any_lines() {
        let table: [(&str, &str, &[&str]); 8] = [
            ("a\n…\nd", "a\nb\nc\nd", &[]),
            ("a\n  …\nd", "a\nd", &[]),
            ("…\nb\n…", "a\nb\nc", &[]),
            ("a\nb", "a\nb\nc", &["+c"]),
            ("a\nb\nc", "a\nc", &["-b"]),
            ("x 1\n…", "x 2\ny\nz", &["x 1 -> x 2"]),
            // The stale line next to '…' is replaced by the most similar one, not dropped.
            ("…\nalso here: f\nend", "p\nq\nalso here: g\nend", &["also here: f -> also here: g"]),
            ("old/path.rs\n…\nend", "new/other.go\np\nend", &["old/path.rs -> new/other.go"]),
        ];
        for (shown, printed, expected) in table {
            assert_eq!(diff(shown, printed), expected, "{shown:?} | {printed:?}");
        }
        assert_eq!(diff("", ""), Vec::<String>::new());
        assert_eq!(diff("", "a"), ["+a"]);
    }
}
