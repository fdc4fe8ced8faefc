//! Steps of written expressions: `self.open().log` → a name for each, with what is done to it.

/// A step of an expression: a name, and whether it is called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'e> {
    pub(super) name: &'e str,
    pub(super) is_call: bool,
    /// Whether its failure is passed on (`?`).
    pub(super) is_tried: bool,
    /// Whether its sigil marks a member (Ruby's `@log`).
    pub(super) is_member: bool,
    /// The items that it takes (`[]`), as in [`Access`](super::Access).
    pub(super) items: &'e str,
    /// The offset at which the name ends.
    pub(super) end: usize,
}

impl<'e> Step<'e> {
    /// Returns the step of a name alone.
    pub(super) fn of_name(name: &'e str) -> Self {
        Self { name, is_call: false, is_tried: false, is_member: false, items: "", end: name.len() }
    }

    /// Returns the offset at which it ends, with the marks of a call and of items.
    pub(super) fn until(&self) -> usize {
        self.end + if self.is_call { 2 } else { 0 } + self.items.len()
    }
}

/// Splits an expression, in the form that [`written`](super::written()) makes, into steps.
pub(super) fn steps(expression: &str) -> Vec<Step<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in expression.split(['.', ':', '>']) {
        let whole = part.trim_end_matches(['-', '?', '!']);
        let (whole, items) =
            whole.split_at_checked(whole.find('[').unwrap_or(whole.len())).unwrap_or((whole, ""));
        let whole = whole.trim_end_matches(['-', '?', '!']);
        let called = whole.strip_suffix("()");
        let name = called.unwrap_or(whole);
        let plain = if name == "$this" { name } else { name.trim_start_matches(['$', '@']) };
        if !plain.is_empty() {
            found.push(Step {
                name: plain,
                is_call: called.is_some(),
                is_tried: part.ends_with('?') || part.contains("?["),
                is_member: name.starts_with('@'),
                items,
                end: start + name.len(),
            });
        }
        start += part.len() + 1;
    }
    found
}
