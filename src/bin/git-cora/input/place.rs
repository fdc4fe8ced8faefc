//! A text that may be PATH:NAME or PATH:LINE → the ways to read it.
//!
//! A path, a name and a language's own separators can all have colons, so the text alone does not
//! say where the path ends. The caller knows which files there are.

/// Returns the ways to read a text as PATH:REST, the shortest path first. The colons of `a::b`
/// separate no path.
pub(crate) fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices(':').filter_map(|(at, _)| {
        let (path, rest) = (text.get(..at)?, text.get(at + 1..)?);
        let is_double = path.ends_with(':') || rest.starts_with(':');
        (!path.is_empty() && !rest.is_empty() && !is_double).then_some((path, rest))
    })
}
