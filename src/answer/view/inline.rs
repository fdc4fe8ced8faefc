//! Text inside a line of Markdown: names and messages → what a renderer shows as they are.
//!
//! Names come from repositories of strangers. In a comment of a pull request, none of them may
//! become a link, mention a person or close a fence.

use super::markdown::longest_run;

/// Length of the shortest fence.
const FENCE: usize = 3;

/// Returns a code span.
pub fn code_span(text: &str) -> String {
    let marks = "`".repeat(longest_run(text, '`') + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{marks}{pad}{text}{pad}{marks}")
}

/// Returns a fence that no line of a text closes.
pub fn fence(text: &str) -> String {
    "`".repeat(FENCE.max(longest_run(text, '`') + 1))
}

/// Returns text in which no character has a meaning to Markdown.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '@' | '|' | '~' | '\\' | '&' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_cannot_leave_its_fence() {
        assert_eq!(fence("a"), "```");
        assert_eq!(fence("a ```` b `"), "`````");
    }

    #[test]
    fn nothing_in_a_name_means_anything() {
        for (text, expected) in
            [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("@all", "`@all`"), ("", "`  `")]
        {
            assert_eq!(code_span(text), expected);
        }
        assert_eq!(escaped("*a* @b <c>"), "\\*a\\* \\@b \\<c\\>");
        assert_eq!(fence("a ```` b"), "`````");
        assert_eq!(fence("a"), "```");
    }
}
