//! Overload resolution by argument labels: whether a call of Swift passes what a signature takes.
//!
//! Input: the text of parameters, and the text behind the name of a call. A label is part of a
//! function's name in Swift, so it decides before any type. Works on the text; types are not
//! compared.

use super::call_parts;

/// A parameter of Swift, as a caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::search::graph) struct LabelledParameter {
    /// Its label; empty for `_`.
    label: String,
    is_optional: bool,
    /// Whether it takes any number of arguments.
    is_open: bool,
}

impl LabelledParameter {
    /// Reads a parameter as it is written: `_ value: Int = 3`, `for name: String`.
    pub(in crate::search::graph) fn of(written: &str) -> Self {
        let (names, ty) = written.split_once(':').unwrap_or((written, ""));
        let label = names.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or_default();
        Self {
            label: if label == "_" { String::new() } else { label.trim_matches('`').to_owned() },
            is_optional: ty.contains('='),
            is_open: ty.contains("..."),
        }
    }
}

/// The arguments behind a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::search::graph) struct LabelledArguments<'t> {
    /// The label of each; empty without one.
    labels: Vec<&'t str>,
    /// Whether a block follows, which may be an argument.
    has_block: bool,
    /// Whether these are the labels alone, which name a function (`load(name:value:)`).
    is_name: bool,
}

impl<'t> LabelledArguments<'t> {
    /// Reads the arguments of a call; `behind` is the text after its name. `None` if it is not a
    /// call.
    pub(in crate::search::graph) fn of(behind: &'t str) -> Option<Self> {
        if behind.trim_start_matches(' ').starts_with('{') {
            return Some(Self { labels: Vec::new(), has_block: true, is_name: false });
        }
        let (parts, rest) = call_parts(behind)?;
        if let [one] = parts.as_slice()
            && let Some(names) = one.strip_suffix(':')
            && names.split(':').all(|name| name == "_" || is_label(name))
        {
            let labels = names.split(':').map(plain).collect();
            return Some(Self { labels, has_block: false, is_name: true });
        }
        let label = |part: &&'t str| {
            let (name, value) = part.split_once(':')?;
            (is_label(name) && !value.starts_with(':')).then(|| plain(name))
        };
        let labels = parts.iter().map(|part| label(part).unwrap_or_default()).collect();
        Some(Self {
            labels,
            has_block: rest.trim_start_matches([' ', '\t']).starts_with('{'),
            is_name: false,
        })
    }

    /// Returns whether a function with these parameters can be meant.
    pub(in crate::search::graph) fn fit(&self, parameters: &[LabelledParameter]) -> bool {
        if self.is_name {
            return self.labels.iter().copied().eq(parameters.iter().map(|one| one.label.as_str()));
        }
        let (mut at, mut is_open) = (0, false);
        for label in &self.labels {
            if is_open && label.is_empty() {
                continue;
            }
            loop {
                let Some(next) = parameters.get(at) else { return false };
                at += 1;
                if next.label == *label {
                    is_open = next.is_open;
                    break;
                }
                if !next.is_optional && !next.is_open {
                    return false;
                }
            }
        }
        let left = parameters.get(at..).unwrap_or_default();
        self.has_block || left.iter().all(|one| one.is_optional || one.is_open)
    }
}

fn is_label(name: &str) -> bool {
    let name = plain(name);
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns a label without the marks around a keyword; empty for `_`.
fn plain(label: &str) -> &str {
    match label.trim().trim_matches('`') {
        "_" => "",
        label => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_their_number_decide() {
        for (parameters, call, expected) in [
            (&["name: String", "value: Int"][..], "(name: a, value: b)", true),
            (&["name: String", "value: Int"], "(name: a)", false),
            (&["name: String", "value: Int"], "(value: a, name: b)", false),
            (&["_ name: String"], "(a)", true),
            (&["_ name: String"], "(name: a)", false),
            (&["for name: String"], "(for: a ? b : c)", true),
            (&["_ first: Int"], "(a ? b : c)", true),
            (
                &["name: String", "limit: Int = 3", "done: @escaping (Int, Int) -> Void"],
                "(name: a) { f() }",
                true,
            ),
            (&["name: String", "limit: Int = 3"], "(name: a)", true),
            (&["name: String", "limit: Int = 3"], "(limit: 3)", false),
            (&["_ all: Int...", "by step: Int"], "(1, 2, 3, by: 4)", true),
            (&["done: () -> Void"], " { f() }", true),
            (&["@ViewBuilder content: () -> V"], "(content: f)", true),
            (&["name: String", "value: Int"], "(name:value:)", true),
            (&["name: String", "value: Int"], "(name:)", false),
            (&["name: String", "_ value: Int"], "(name:_:)", true),
            (&["_ name: String"], "(_:)", true),
            (&["name: String"], "(_:)", false),
            (&["in list: [Int]"], "(`in`: all)", true),
            (&[], "()", true),
            (&["_ n: Int"], "()", false),
        ] {
            let parameters: Vec<_> = parameters.iter().map(|one| LabelledParameter::of(one)).collect();
            let given = LabelledArguments::of(call);
            assert_eq!(given.map(|given| given.fit(&parameters)), Some(expected), "{parameters:?} {call}");
        }
        assert_eq!(LabelledArguments::of(" = 3"), None);
    }
}
