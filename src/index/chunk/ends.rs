//! The search for the signs that end a construct, such as `-->`: text, place → the next one.
//!
//! A search that fails is not repeated: what is not below one place is not below a later one. So a
//! text that opens thousands of constructs and closes none is read once for each kind of end.

/// The ends of one text.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// Those that do not occur further down.
    unclosed: Vec<&'static str>,
}

impl Ends {
    /// Returns where an end occurs next, from a byte on. The bytes of several calls must not
    /// decrease.
    pub(super) fn next(&mut self, text: &str, from: usize, end: &'static str) -> Option<usize> {
        if self.unclosed.contains(&end) {
            return None;
        }
        let found = text.get(from..).unwrap_or_default().find(end).map(|at| from + at);
        if found.is_none() {
            self.unclosed.push(end);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Ends;

    #[test]
    fn ends_are_found_from_a_place_on() {
        let mut ends = Ends::default();
        let text = "a -->b *@ -->";
        assert_eq!(ends.next(text, 0, "-->"), Some(2));
        assert_eq!(ends.next(text, 3, "-->"), Some(10));
        assert_eq!(ends.next(text, 11, "-->"), None);
        assert_eq!(ends.next(text, 0, "-->"), None, "it is not searched for again");
        assert_eq!(ends.next(text, 0, "*@"), Some(7));
    }
}
