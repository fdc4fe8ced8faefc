//! Templates in `packaging/`: `{{name}}` stands for a value.

use anyhow::{Context as _, Result, ensure};

/// Returns the text with every name replaced by its value.
///
/// # Errors
/// The text has a name without a value, or lacks one that has a value.
pub(crate) fn render(template: &str, values: &[(&str, &str)]) -> Result<String> {
    let mut out = template.to_owned();
    for (name, value) in values {
        let place = format!("{{{{{name}}}}}");
        ensure!(out.contains(&place), "the template has no '{place}'");
        out = out.replace(&place, value);
    }
    if let Some((_, rest)) = out.split_once("{{") {
        let name = rest.split_once("}}").context("the template has '{{' without '}}'")?.0;
        anyhow::bail!("the template has '{{{{{name}}}}}', which has no value");
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_value_is_an_error() {
        assert_eq!(render("a {{b}} {{b}} {{c}}", &[("b", "1"), ("c", "2")]).unwrap(), "a 1 1 2");
        for (template, expected) in [("{{b}} {{d}}", "{{d}}"), ("a", "no '{{b}}'"), ("{{b}} {{", "without")] {
            let error = render(template, &[("b", "1")]).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
