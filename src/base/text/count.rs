//! Counts: a number and a noun → both as a phrase, such as `2 indexes`; and one of the counted.

use std::fmt::Display;

/// Returns the number with the noun in singular or plural: `1 index`, `2 indexes`.
///
/// ```
/// assert_eq!(git_cora::answer::view::counted(1, "index", "indexes"), "1 index");
/// assert_eq!(git_cora::answer::view::counted(0, "index", "indexes"), "0 indexes");
/// ```
pub fn counted(n: impl Display, one: &str, many: &str) -> String {
    let n = n.to_string();
    let noun = if n == "1" { one } else { many };
    format!("{n} {noun}")
}

/// Returns the name of one of `n` things, to follow their number: `2 files could not be read (such
/// as 'a.rs')`.
///
/// ```
/// assert_eq!(git_cora::answer::view::example(1, "a.rs"), "('a.rs')");
/// assert_eq!(git_cora::answer::view::example(2, "a.rs"), "(such as 'a.rs')");
/// ```
pub fn example(n: usize, name: impl Display) -> String {
    if n == 1 { format!("('{name}')") } else { format!("(such as '{name}')") }
}
