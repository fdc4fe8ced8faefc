//! Counts: a number and a noun → both as a phrase, such as `2 indexes`.

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
