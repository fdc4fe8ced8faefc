//! The reviewed questions: `questions.json` → [`Question`]s.
//!
//! A question names its corpus, its kind, its text and the line that answers it. That line is given
//! as `path: text`, where the text occurs in exactly one line of the file, so it survives edits
//! above it. A text of several lines is a list. All mistakes in the file are reported by name.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::Deserialize;

/// The ways in which a question may ask.
pub(crate) const KINDS: [&str; 17] = [
    "where",
    "keywords",
    "identifier",
    "phrase",
    "misspelling",
    "filter",
    "path",
    "trace",
    "message",
    "issue",
    "users",
    "signature",
    "commit",
    "document",
    "language",
    "chat",
    "commentary",
];

/// Longest title of a question, in characters.
const TITLE: usize = 80;

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Text {
    Line(String),
    Lines(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    corpus: String,
    kind: String,
    ask: Text,
    find: String,
    #[serde(default)]
    context: Vec<String>,
    #[serde(default)]
    commentary: BTreeMap<String, String>,
}

/// A question with its known answer.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) corpus: String,
    pub(crate) kind: String,
    pub(crate) text: String,
    /// The path of the file that answers it.
    pub(crate) path: String,
    /// A text that only one line of that file has.
    pub(crate) line: String,
    /// Earlier turns of a chat, the latest first.
    pub(crate) context: Vec<String>,
    /// By path, a note about the first chunk of that file.
    pub(crate) commentary: BTreeMap<String, String>,
}

impl Question {
    /// Returns the name of the question in `golden.txt`: the beginning of its text.
    pub(crate) fn title(&self) -> String {
        self.text.lines().next().unwrap_or_default().chars().take(TITLE).collect()
    }

    /// Returns the 1-based number of the line that answers the question.
    pub(crate) fn line_in(&self, source: &str) -> u32 {
        let mut numbers = (1..).zip(source.lines()).filter(|(_, line)| line.contains(&self.line));
        let (number, _) = numbers.next().unwrap_or_else(|| self.complain("its line is not in the file"));
        if numbers.next().is_some() {
            self.complain("its line is in the file twice");
        }
        number
    }

    /// Fails the test, and names the question.
    pub(crate) fn complain(&self, what: &str) -> ! {
        panic!("questions.json: {} '{}' ({}): {what}", self.corpus, self.title(), self.path)
    }
}

/// Reads the questions.
pub(crate) fn read(path: &Path) -> Vec<Question> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Row> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let questions: Vec<Question> = rows.into_iter().map(question).collect();
    let mut titles = HashSet::new();
    for one in &questions {
        if !titles.insert((one.corpus.as_str(), one.title())) {
            one.complain("another question has the same title");
        }
        if !KINDS.contains(&one.kind.as_str()) {
            one.complain("its kind is unknown");
        }
    }
    questions
}

fn question(row: Row) -> Question {
    let text = match row.ask {
        Text::Line(line) => line,
        Text::Lines(lines) => lines.join("\n"),
    };
    let (path, line) = row.find.split_once(": ").unwrap_or((&row.find, ""));
    let (path, line) = (path.to_owned(), line.to_owned());
    let Row { corpus, kind, context, commentary, .. } = row;
    Question { corpus, kind, text, path, line, context, commentary }
}
