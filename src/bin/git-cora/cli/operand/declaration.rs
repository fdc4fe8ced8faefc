//! A declaration as it is typed → its file and its place there.
//!
//! `PATH:LINE` and `PATH:NAME` need no index. A bare name is looked up in the index of the commit.
//! If several declarations are meant, the first is taken, and [`Namesakes`] lists the others. What
//! a command says when there is no such declaration is in `advice::absent`.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use serde_json::{Value, json};

use git_cora::answer::{HistoryPlace, Place, VersionPlace, source_first};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;
use git_cora::base::text::{named_path, quoted, shell_word};
use git_cora::git::EntryMode;
use git_cora::{RelationQuery, Searcher, Session, Target};

use crate::input::place::splits;
use crate::terminal::Context;

use super::from_root;

/// Most further declarations of a name that a note lists.
const MOST_NAMED: usize = 5;

/// A declaration's file and its place there.
pub(crate) struct Location {
    pub(crate) path: BString,
    pub(crate) place: HistoryPlace,
    /// Its symbol path; `None` if the file was typed.
    symbol: Option<String>,
    /// Other declarations of that name.
    pub(crate) others: Vec<Place>,
    /// Whether the file was typed, as in `PATH:LINE`.
    pub(crate) is_typed: bool,
}

impl Location {
    /// Returns a note if the name of the declaration is written in another way than it was typed.
    pub(crate) fn note_of_name(&self, typed: &str) -> Option<String> {
        let symbol = self.symbol.as_deref().filter(|symbol| last_name(symbol) != last_name(typed))?;
        Some(format!("nothing is named '{typed}' as written; this is '{symbol}'"))
    }

    /// Returns a note if the declaration that was read is not the one that was looked for, but one
    /// around it. `answer` says what was read, as in "this is the history".
    ///
    /// The index leaves out fields. One that is set in a constructor is found there.
    pub(crate) fn note_of_container(&self, read: &str, answer: &str) -> Option<String> {
        let symbol = self.symbol.as_deref().filter(|symbol| last_name(symbol) != last_name(read))?;
        Some(format!("'{symbol}' has no history of its own; {answer} of '{read}', which contains it"))
    }
}

/// Finds a declaration of a commit; `None` if nothing has that name.
pub(crate) fn locate(
    context: &Context,
    session: &Session,
    commit: ObjectId,
    typed: &str,
) -> anyhow::Result<Option<Location>> {
    if let Some(location) = in_file(context, session, commit, typed)? {
        return Ok(Some(location));
    }
    let mut searcher = context.searcher_of(session, &Target::Commit(commit))?;
    let mut places = places(context, session, &mut searcher, typed)?;
    if places.is_empty() {
        return Ok(None);
    }
    source_first(&mut places);
    let first = places.remove(0);
    let (path, place) = (named_path(&first.path), HistoryPlace::Line(first.line));
    Ok(Some(Location { path, place, symbol: Some(first.symbol), others: places, is_typed: false }))
}

/// Returns the places of the declarations that a typed symbol means.
pub(crate) fn places(
    context: &Context,
    session: &Session,
    searcher: &mut Searcher,
    typed: &str,
) -> anyhow::Result<Vec<Place>> {
    let symbol = from_root::symbol(context, session, typed, &from_root::in_index(&searcher.index()))?;
    let query = RelationQuery::new(symbol).with_relations(BTreeSet::new()).with_limit(1);
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let found = session.read_or_repair(searcher, task, |one| session.relations(one, &query))?;
    Ok(found.symbols.into_iter().map(|symbol| symbol.place).collect())
}

/// Reads `PATH:LINE` or `PATH:NAME`, where the commit or its history has the file.
fn in_file(
    context: &Context,
    session: &Session,
    commit: ObjectId,
    typed: &str,
) -> anyhow::Result<Option<Location>> {
    let repo = session.repo();
    let tree = repo.commit(commit)?.tree;
    let mode = |path: &BStr| -> anyhow::Result<Option<EntryMode>> {
        Ok(repo.tree_entry(tree, path)?.map(|entry| entry.mode))
    };
    let is_in_commit = |path: &BStr| Ok(matches!(mode(path)?, Some(EntryMode::File | EntryMode::Executable)));
    let is_gone = |path: &BStr| -> anyhow::Result<bool> {
        let is_candidate = !path.is_empty() && mode(path)?.is_none();
        Ok(is_candidate && !repo.path_commits(commit, path, &context.cancel)?.is_empty())
    };
    for (file, rest) in splits(typed) {
        let mut path = from_root::existing(context, session, file.into(), &is_in_commit)?;
        let is_separator = std::path::is_separator;
        if path.is_none() && file.contains(|c| c == '.' || is_separator(c)) {
            match from_root::path(context, session, file.into()) {
                // Such a text is not a name.
                Err(error) if file.starts_with(|c| c == '.' || is_separator(c)) => return Err(error),
                _ => path = from_root::existing(context, session, file.into(), &is_gone)?,
            }
        }
        let Some(path) = path else { continue };
        let place = match rest.parse() {
            Ok(line) => HistoryPlace::Line(line),
            Err(_) => HistoryPlace::Name(rest.to_owned()),
        };
        return Ok(Some(Location { path, place, symbol: None, others: Vec::new(), is_typed: true }));
    }
    Ok(None)
}

/// Returns the last part of a symbol path, or of a name as people write it.
pub(crate) fn last_name(symbol: &str) -> &str {
    // The labels of arguments in Swift: `add(_:count:)`.
    let labels = symbol.find('(').filter(|_| symbol.ends_with(":)"));
    let symbol = labels.and_then(|at| symbol.get(..at)).unwrap_or(symbol);
    symbol.rsplit(['.', ':', '#', '/', '\\']).next().unwrap_or(symbol).trim_end_matches("()")
}

/// A further declaration that a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Namesake {
    path: String,
    line: u32,
    symbol: String,
    kind: String,
}

impl From<&VersionPlace> for Namesake {
    fn from(one: &VersionPlace) -> Self {
        let path = quoted(one.path.as_bstr()).into_owned();
        Self { path, line: one.line, symbol: one.symbol.clone(), kind: one.kind.clone() }
    }
}

impl From<&Place> for Namesake {
    fn from(one: &Place) -> Self {
        let [path, symbol, kind] = [&one.path, &one.symbol, &one.kind].map(String::clone);
        Self { path, line: one.line, symbol, kind }
    }
}

/// The further declarations that a name means: overloads, declarations in other types or files.
#[derive(Debug, Default)]
pub(crate) struct Namesakes(Vec<Namesake>);

impl Namesakes {
    /// Returns those in the index, if the name was looked up there, and those in the file that was
    /// typed.
    pub(crate) fn new(location: Option<&Location>, in_file: &[VersionPlace]) -> Self {
        let indexed = location.into_iter().flat_map(|one| &one.others).map(Namesake::from);
        Self(indexed.chain(in_file.iter().map(Namesake::from)).collect())
    }

    /// Says which they are, each as it can be typed instead. `chosen` is the declaration that the
    /// answer is about.
    pub(crate) fn tell(&self, context: &Context, chosen: &VersionPlace) {
        self.lines(&Namesake::from(chosen)).iter().for_each(|line| context.say(line));
    }

    /// Returns a note, and a line for each place.
    fn lines(&self, chosen: &Namesake) -> Vec<String> {
        let all = || self.0.iter().chain([chosen]);
        let is_alone = |one: &Namesake| {
            all().filter(|other| other.path == one.path && other.symbol == one.symbol).count() == 1
        };
        let is_plain = |symbol: &str| {
            !symbol.is_empty() && symbol.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
        };
        let typed = |one: &Namesake| {
            // Of overloads, only the line tells which one is meant.
            let place = match is_plain(&one.symbol) && is_alone(one) {
                true => format!("{}:{}", one.path, one.symbol),
                false => format!("{}:{}", one.path, one.line),
            };
            shell_word(&place).into_owned()
        };
        let named: Vec<String> = self.0.iter().take(MOST_NAMED).map(typed).collect();
        let (n, more) = (self.0.len(), self.0.len().saturating_sub(named.len()));
        let note = match n {
            0 => return Vec::new(),
            1 => "note: another declaration has this name; to choose it, write this instead:".to_owned(),
            _ => format!(
                "note: {n} other declarations have this name; to choose one, write one of these instead:"
            ),
        };
        let named = named.into_iter().map(|place| format!("  {place}"));
        let more = (more > 0).then(|| format!("  and {more} more"));
        std::iter::once(note).chain(named).chain(more).collect()
    }

    /// Returns them for programs.
    pub(crate) fn report(&self) -> Value {
        let each = |one: &Namesake| json!({"path": one.path, "line": one.line, "symbol": one.symbol, "kind": one.kind});
        self.0.iter().map(each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_of_arguments_are_no_names() {
        for (symbol, name) in [
            ("Cart.add(_:count:)", "add"),
            ("Cart.add", "add"),
            ("Cart.add()", "add"),
            ("a::b", "b"),
            ("a.py:3", "3"),
        ] {
            assert_eq!(last_name(symbol), name, "{symbol}");
        }
    }

    #[test]
    fn what_contains_a_field_is_not_the_field() {
        let of = |symbol: Option<&str>| Location {
            path: "a.py".into(),
            place: HistoryPlace::Line(3),
            symbol: symbol.map(str::to_owned),
            others: Vec::new(),
            is_typed: symbol.is_none(),
        };
        let note =
            of(Some("Client.follow")).note_of_container("Client.__init__", "this is the history").unwrap();
        assert_eq!(
            note,
            "'Client.follow' has no history of its own; this is the history of 'Client.__init__', which contains it"
        );
        assert_eq!(of(Some("Client.send")).note_of_container("Client.send", "this is it"), None);
        assert_eq!(of(None).note_of_container("Client.send", "this is it"), None);
    }

    #[test]
    fn the_other_declarations_of_a_name_are_listed_as_they_can_be_typed() {
        let one = |path: &str, line: u32, symbol: &str| Namesake {
            path: path.to_owned(),
            line,
            symbol: symbol.to_owned(),
            kind: "method".to_owned(),
        };
        let chosen = one("a.py", 3, "A.send");
        let lines = |others: &[Namesake]| Namesakes(others.to_vec()).lines(&chosen);
        assert!(lines(&[]).is_empty());
        assert_eq!(
            lines(&[one("a.py", 7, "A.send"), one("a.py", 12, "B.send"), one("my lib/b.py", 3, "A.send")]),
            [
                "note: 3 other declarations have this name; to choose one, write one of these instead:",
                "  a.py:7",
                "  a.py:B.send",
                "  \"my lib/b.py:A.send\""
            ]
        );
        assert_eq!(
            lines(&[one("a.md", 3, "Set up > Send")]),
            ["note: another declaration has this name; to choose it, write this instead:", "  a.md:3"]
        );
        let many: Vec<Namesake> = (10..16).map(|line| one("a.py", line, "A.send")).collect();
        assert!(lines(&many).ends_with(&["  a.py:14".to_owned(), "  and 1 more".to_owned()]));
    }

    #[test]
    fn a_name_ends_behind_its_last_separator() {
        for (symbol, expected) in
            [("send", "send"), ("Client.send", "send"), ("a::b", "b"), ("lib/a.rs:C.d()", "d"), ("A#b", "b")]
        {
            assert_eq!(last_name(symbol), expected, "{symbol}");
        }
    }
}
