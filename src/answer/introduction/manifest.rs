//! The description of a package in its manifest.
//!
//! Name and text of a manifest → the first sentence of its description. Only the line with the key
//! is read, because manifests come in many languages, and some are programs.

use super::sentence::WORDS;
use crate::index::chunk::first_sentence;

/// Returns the place of a manifest among those that describe the package in their folder, best
/// first; `None` for another file.
pub(super) fn manifest_rank(name: &str) -> Option<usize> {
    const NAMES: [&str; 12] = [
        "composer.json",
        "Cargo.toml",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "mix.exs",
        "pubspec.yaml",
        "DESCRIPTION",
        "package.yaml",
        "Project.toml",
        "pom.xml",
        "package.json",
    ];
    const ENDS: [&str; 5] = [".gemspec", ".cabal", ".opam", ".rockspec", ".nuspec"];
    let by_end = || ENDS.iter().position(|end| name.ends_with(end)).map(|at| NAMES.len() + at);
    NAMES.iter().position(|known| *known == name).or_else(by_end)
}

/// Returns the description in a manifest, if it is long enough to say something.
pub(super) fn description(name: &str, text: &str) -> Option<String> {
    let described = if name.ends_with(".json") {
        let manifest: serde_json::Value = serde_json::from_str(text).ok()?;
        manifest.get("description")?.as_str()?.to_owned()
    } else {
        let keys: &[&str] =
            if name == "DESCRIPTION" { &["Title"] } else { &["synopsis", "summary", "description"] };
        keys.iter().find_map(|key| text.lines().find_map(|line| value_of(line.trim(), key)))?
    };
    let sentence = first_sentence(&described);
    (sentence.split_whitespace().count() >= WORDS).then_some(sentence)
}

/// Returns the value in a line that sets a key, in one of the forms of manifests: `key = "…"`,
/// `s.key = '…'`, `key: …`, `<key>…</key>`.
fn value_of(line: &str, key: &str) -> Option<String> {
    let (before, rest) = line.split_once(key)?;
    let is_own = before.is_empty() || before.ends_with(['.', '<', '@']) && !before.contains(' ');
    let value = if before.ends_with('<') {
        rest.strip_prefix('>')?.split_once("</")?.0
    } else {
        let rest = rest.trim_start();
        rest.strip_prefix(['=', ':']).or_else(|| rest.strip_prefix(|c| c == '"' && before.ends_with('@')))?
    };
    let value = value.trim().trim_end_matches([',', ')']).trim_end_matches(".freeze");
    let value = value.trim_start_matches("\"\"\"").trim_matches(['"', '\'']);
    (is_own && !value.is_empty() && !value.contains("${")).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_describe_their_package() {
        for (name, text, expected) in [
            (
                "package.json",
                r#"{"name": "a", "description": "Excalidraw as a React component"}"#,
                Some("Excalidraw as a React component"),
            ),
            ("package.json", r#"{"name": "a", "description": "tools"}"#, None),
            ("package.json", r#"{"description": "cut off"#, None),
            (
                "Cargo.toml",
                "[package]\ndescription = \"Reads files in many forms\"\n",
                Some("Reads files in many forms"),
            ),
            ("pyproject.toml", "[project]\nname = 'a'\n", None),
            ("a.gemspec", "  s.summary = \"Reads files in many forms\"\n", Some("Reads files in many forms")),
            (
                "pom.xml",
                "  <description>Reads files in many forms</description>\n",
                Some("Reads files in many forms"),
            ),
            ("a.cabal", "synopsis:  Reads files in many forms\n", Some("Reads files in many forms")),
        ] {
            assert_eq!(description(name, text).as_deref(), expected, "{text}");
        }
    }
}
