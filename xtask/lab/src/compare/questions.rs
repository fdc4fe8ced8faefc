//! Questions for any repository: templates, filled with what the repository declares.
//!
//! The head of `questions.txt` describes the form. The same repository and the same old build give
//! the same questions.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::place::Place;

/// The questions that are asked without `--questions`.
pub(super) const BUILT_IN: &str = include_str!("questions.txt");

/// Number of declarations and of commits that questions are made of, at most.
const N_DECLARATIONS: usize = 64;
const N_COMMITS: usize = 6;

/// The longest line of source that is asked for, in bytes.
const MOST_LINE_BYTES: usize = 120;

/// Names of placeholders.
const PLACEHOLDERS: [&str; 11] =
    ["symbol", "name", "words", "file", "place", "folder", "line", "language", "kind", "subject", "commit"];

/// A command line with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template(Vec<String>);

/// A declaration that questions are made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Declaration {
    symbol: String,
    path: String,
    line: usize,
    language: String,
    kind: String,
    /// The text of its line, without white space and list marks around it.
    text: String,
}

/// What a repository gives to questions.
#[derive(Debug, Default)]
pub(super) struct Material {
    declarations: Vec<Declaration>,
    /// Commits of HEAD's history, HEAD first: id and subject.
    commits: Vec<(String, String)>,
    /// The files of the declarations, in their order.
    pub(super) files: Vec<String>,
}

impl Material {
    /// Reads the declarations of HEAD, as the build of `place` lists them, and HEAD's history.
    pub(super) fn read(place: &Place) -> Result<Self> {
        let listed = place.ask(&["list", "--json", "--rev", "HEAD"].map(str::to_owned))?;
        ensure!(listed.status <= 1, "can't list declarations: {}", listed.error.trim());
        let all = listed.output.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
        let all: Vec<Declaration> = all.iter().filter_map(declaration).collect();
        let step = all.len().div_ceil(N_DECLARATIONS).max(1);
        let mut declarations: Vec<Declaration> = all.into_iter().step_by(step).collect();
        for one in &mut declarations {
            let text = place.text(&one.path);
            let line = text.lines().nth(one.line.saturating_sub(1)).unwrap_or_default();
            let line = line.trim().trim_start_matches('-').trim_start();
            one.text = line.chars().take(MOST_LINE_BYTES).collect();
        }
        let log = place.git(&["log", &format!("--max-count={N_COMMITS}"), "--format=%H %s"])?;
        let commits = log.lines().filter_map(|line| line.split_once(' '));
        let mut seen = BTreeSet::new();
        Ok(Self {
            files: declarations
                .iter()
                .map(|one| one.path.clone())
                .filter(|p| seen.insert(p.clone()))
                .collect(),
            commits: commits.map(|(id, subject)| (id.to_owned(), subject.to_owned())).collect(),
            declarations,
        })
    }

    /// Returns what a placeholder stands for; `None` if the repository has nothing of that kind.
    fn value(&self, name: &str, ord: usize) -> Option<String> {
        // A history is used only as far as it goes; declarations are used again from the first.
        if let "subject" | "commit" = name {
            let (id, subject) = self.commits.get(ord)?;
            return Some(if name == "commit" { id } else { subject }.clone());
        }
        let one = self.declarations.get(ord % self.declarations.len().max(1))?;
        let last = one.symbol.rsplit(['.', ':', '/', '#', ' ', '>']).next().unwrap_or_default();
        let value = match name {
            "symbol" => one.symbol.clone(),
            "name" => last.to_owned(),
            "words" => words(last),
            "file" => one.path.clone(),
            "place" => format!("{}:{}", one.path, one.line),
            "folder" => one.path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned(),
            "line" => one.text.clone(),
            "language" => one.language.clone(),
            "kind" => one.kind.clone(),
            _ => return None,
        };
        Some(value).filter(|value| !value.is_empty())
    }
}

fn declaration(value: &Value) -> Option<Declaration> {
    let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
    Some(Declaration {
        symbol: text("symbol")?,
        path: text("path")?,
        line: usize::try_from(value.get("line")?.as_u64()?).ok()?,
        language: text("language")?,
        kind: text("kind")?,
        text: String::new(),
    })
}

/// Splits a name into words, at underscores, hyphens and capitals.
fn words(name: &str) -> String {
    let mut out = String::new();
    let mut before_is_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            out.push(' ');
        } else {
            if c.is_uppercase() && before_is_lower {
                out.push(' ');
            }
            out.extend(c.to_lowercase());
        }
        before_is_lower = c.is_lowercase();
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Template {
    /// Fills the placeholders; `None` if the repository has nothing for one of them.
    pub(super) fn fill(&self, material: &Material) -> Option<Vec<String>> {
        self.0.iter().map(|argument| fill(argument, &|name, ord| material.value(name, ord))).collect()
    }
}

fn fill(argument: &str, value: &dyn Fn(&str, usize) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = argument;
    while let Some((before, after)) = rest.split_once('{') {
        let (placeholder, after) = after.split_once('}')?;
        let (name, ord) = placeholder.split_once(':')?;
        out += before;
        out += &value(name, ord.parse().ok()?)?;
        rest = after;
    }
    Some(out + rest)
}

/// Parses a list of questions: one command line each; empty lines and lines that begin with `#` are
/// left out.
///
/// # Errors
/// With the line's number: an open quote, an unknown placeholder, a list without questions.
pub(super) fn parse(text: &str) -> Result<Vec<Template>> {
    let mut templates = Vec::new();
    for (ord, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let arguments = split(line).with_context(|| format!("line {}: '{line}'", ord + 1))?;
        for argument in &arguments {
            let known = |name: &str, _| PLACEHOLDERS.contains(&name).then(String::new);
            if fill(argument, &known).is_none() {
                bail!("line {}: unknown placeholder in '{argument}'", ord + 1);
            }
        }
        templates.push(Template(arguments));
    }
    ensure!(!templates.is_empty(), "the list has no question");
    Ok(templates)
}

/// Splits a line at white space; single and double quotes group words.
fn split(line: &str) -> Result<Vec<String>> {
    let mut arguments = Vec::new();
    let mut argument: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => argument.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                argument.get_or_insert_default();
            }
            None if c.is_whitespace() => arguments.extend(argument.take()),
            None => argument.get_or_insert_default().push(c),
        }
    }
    ensure!(quote.is_none(), "a quote is not closed");
    arguments.extend(argument);
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command whose answer depends on the index has to be in the list.
    #[test]
    fn the_list_has_questions_of_all_kinds() {
        let templates = parse(BUILT_IN).unwrap();
        assert!(templates.len() >= 67, "{} questions", templates.len());
        let different: BTreeSet<_> = templates.iter().map(|template| &template.0).collect();
        assert_eq!(different.len(), templates.len(), "a question is there twice");
        for command in ["query", "ask", "list", "show", "stats", "refs", "related", "map", "explain", "diff"]
        {
            assert!(templates.iter().any(|template| template.0[0] == command), "{command}");
        }
        for placeholder in PLACEHOLDERS {
            assert!(BUILT_IN.contains(&format!("{{{placeholder}:")), "{placeholder}");
        }
    }

    #[test]
    fn quotes_group_words() {
        let cases = [
            ("a b", vec!["a", "b"]),
            ("a 'b c'  \"d 'e\"", vec!["a", "b c", "d 'e"]),
            ("'\"{name:1}\"'", vec!["\"{name:1}\""]),
            ("a ''", vec!["a", ""]),
            ("path:'a b'/c", vec!["path:a b/c"]),
        ];
        for (line, expected) in cases {
            assert_eq!(split(line).unwrap(), expected, "{line}");
        }
        assert!(split("a 'b").is_err());
    }

    #[test]
    fn a_list_with_a_mistake_names_its_line() {
        let error = |text| format!("{:#}", parse(text).unwrap_err());
        assert!(error("# no question\n\n").contains("no question"));
        assert!(error("query a\nquery {nome:1}").starts_with("line 2: unknown placeholder"));
        assert!(error("query {name:x}").starts_with("line 1"));
        assert!(error("query 'a").starts_with("line 1"));
    }

    #[test]
    fn placeholders_stand_for_what_a_repository_has() {
        let material = Material {
            declarations: vec![Declaration {
                symbol: "HttpClient.open_socket".to_owned(),
                path: "src/net/client.rs".to_owned(),
                line: 7,
                language: "rust".to_owned(),
                kind: "method".to_owned(),
                text: "fn open_socket(".to_owned(),
            }],
            commits: vec![("abc".to_owned(), "net: retry".to_owned())],
            files: Vec::new(),
        };
        let filled = |line: &str| parse(line).unwrap()[0].fill(&material).map(|words| words.join("|"));
        let cases = [
            ("{symbol:0} {name:5}", Some("HttpClient.open_socket|open_socket")),
            ("a:{words:0}b", Some("a:open socketb")),
            ("{place:0} {folder:1} {file:0}", Some("src/net/client.rs:7|src/net|src/net/client.rs")),
            ("{language:0} {kind:0} {line:0}", Some("rust|method|fn open_socket(")),
            ("{commit:0}..HEAD {subject:0}", Some("abc..HEAD|net: retry")),
            ("{commit:1}", None),
        ];
        for (line, expected) in cases {
            assert_eq!(filled(line).as_deref(), expected, "{line}");
        }
        assert_eq!(parse("{name:0}").unwrap()[0].fill(&Material::default()), None);
        assert_eq!(words("parseHTTPHeader_v2"), "parse httpheader v2");
    }
}
