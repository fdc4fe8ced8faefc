//! Explains why nothing has the name that was typed: a message, a hint, and names that may be
//! meant.
//!
//! Input: the typed text, and the indexes in which it was looked for. Output: an [`Absence`]. Its
//! hint is the first that applies:
//!
//! 1. the text is a file, a directory, in a file that is skipped, or a line without a declaration;
//! 2. the declaration is in the working tree, but not in the commit;
//! 3. the text is a revision;
//! 4. a name or a path is spelled like the text;
//! 5. the declaration may have been removed.
//!
//! A declaration of a typed file (`PATH:NAME`) is looked for in the blobs of that file alone, so
//! that no index is needed.
//!
//! The commands look names up themselves. This file runs only after they failed, so it may read all
//! names of a repository.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use serde_json::{Value, json};

use git_cora::answer::HistoryPlace;
use git_cora::answer::view::{counted, labels};
use git_cora::base::id::ObjectId;
use git_cora::base::text::{named_path, quoted, shell_path, shell_word};
use git_cora::git::{EntryMode, WorktreeFile};
use git_cora::index::Recorder;
use git_cora::index::record::{FileRecord, IndexedFile};
use git_cora::index::source::SkipReason;
use git_cora::search::segment::Index;
use git_cora::{Session, Target};

use crate::cli::Outcome;
use crate::cli::operand::declaration::{self, Location, last_name};
use crate::cli::operand::from_root;
use crate::input::near;
use crate::input::place::splits;
use crate::terminal::Context;

/// The reason why a name was looked for. It decides which names are expected, and which hint helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// `list`: names that match a pattern.
    Listing,
    /// `refs`.
    References,
    /// `related`: files and declarations.
    Neighbours,
    /// `explain`: files and declarations.
    Explanation,
    /// `impact`.
    Impact,
    /// `log`.
    History,
    /// `blame`: files and declarations.
    Authors,
    /// `when`: any text.
    Appearance,
}

impl Purpose {
    /// Returns whether the command has an answer for a file.
    fn takes_files(self) -> bool {
        matches!(self, Self::Explanation | Self::Authors | Self::Neighbours)
    }

    /// Returns the sort of name that the command expects.
    fn subject(self) -> &'static str {
        match self {
            Self::Explanation | Self::Authors | Self::Neighbours => "a file or a declaration",
            _ => "a declaration",
        }
    }

    /// Returns the name of the command if it reads commits, and never the working tree.
    fn reader_of_commits(self) -> Option<&'static str> {
        match self {
            Self::History => Some("log"),
            Self::Authors => Some("blame"),
            Self::Appearance => Some("when"),
            _ => None,
        }
    }

    /// Returns whether the command reads files that an index skips.
    fn reads_skipped(self) -> bool {
        self.reader_of_commits().is_some()
    }

    /// Returns the message if nothing more is known.
    fn message(self, typed: &str) -> String {
        match self {
            Self::Listing => format!("no declaration matches '{typed}'"),
            Self::Explanation | Self::Authors | Self::Neighbours => {
                format!("no file or declaration named '{typed}'")
            }
            Self::Appearance => format!("no commit in this history contains '{typed}'"),
            Self::References | Self::Impact | Self::History => format!("no declaration named '{typed}'"),
        }
    }
}

/// A name that was looked for in vain.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'l> {
    pub(crate) purpose: Purpose,
    /// The name as it was typed.
    pub(crate) typed: &'l str,
    /// The revision, if one was named.
    pub(crate) rev: Option<&'l str>,
    /// The repository of the current directory. `None` if several repositories were named: then
    /// paths start at their roots.
    pub(crate) session: Option<&'l Session>,
    /// The indexes that lack the name.
    pub(crate) indexes: &'l [Index<'l>],
}

/// The absence of a name, for people and for programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Absence {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Names or paths that may be meant, the nearest first.
    pub(crate) similar: Vec<String>,
}

impl Absence {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Some(hint.into()), similar: Vec::new() }
    }

    /// Prints the message and the hint. For a program it prints `report` too: the empty report of
    /// the command, to which the similar names are added.
    pub(crate) fn tell(&self, context: &Context, report: Option<Value>) -> anyhow::Result<Outcome> {
        context.say(&self.message);
        if let Some(hint) = &self.hint {
            context.say(&format!("hint: {hint}"));
        }
        if let Some(mut report) = report {
            if let Some(object) = report.as_object_mut() {
                object.insert("similar".to_owned(), json!(self.similar));
            }
            context.print_json(&report)?;
        }
        Ok(Outcome::Nothing)
    }
}

/// Explains why nothing has a name.
///
/// # Errors
/// If the working tree can't be searched.
pub(crate) fn absence(context: &Context, lookup: &Lookup<'_>) -> anyhow::Result<Absence> {
    if let Some(found) = lookup.of_path(context).or_else(|| lookup.of_line(context)) {
        return Ok(found);
    }
    if let Some(found) = lookup.of_worktree(context)? {
        return Ok(found);
    }
    if let Some(found) = lookup.of_private(context)? {
        return Ok(found);
    }
    if let Some(found) = lookup.of_revision() {
        return Ok(found);
    }
    let similar = lookup.similar(context);
    let hint = near::question(&similar).or_else(|| lookup.last_hint());
    Ok(Absence { message: lookup.purpose.message(lookup.typed), hint, similar })
}

/// Explains why nothing in a commit has a name. `lookup` needs no index: that of the commit is
/// opened.
///
/// # Errors
/// If the commit or the working tree can't be searched.
pub(crate) fn absence_at(
    context: &Context,
    lookup: &Lookup<'_>,
    commit: ObjectId,
) -> anyhow::Result<Absence> {
    let Some(session) = lookup.session else { return absence(context, lookup) };
    let searcher = context.searcher_of(session, &Target::Commit(commit))?;
    absence(context, &Lookup { indexes: &[searcher.index()], ..*lookup })
}

/// Explains why a file of a commit, or of its history, has no such declaration. `is_removed` says
/// that the history has it.
///
/// # Errors
/// If Git fails.
pub(crate) fn absence_in_file(
    context: &Context,
    lookup: &Lookup<'_>,
    commit: ObjectId,
    location: &Location,
    is_removed: bool,
) -> anyhow::Result<Absence> {
    let (path, typed) = (&location.path, lookup.typed);
    let Some(session) = lookup.session else {
        return Ok(Absence::new(lookup.purpose.message(typed), "name a declaration as PATH:NAME"));
    };
    let here = FileDeclarations::new(session, commit, path.as_bstr())?;
    let spec = pathspec(context, session, path.as_bstr());
    let rev = rev_option(lookup.rev);
    let hint = match (&here.committed, lookup.purpose, typed.rsplit_once(':')) {
        (None, _, _) => {
            format!("run 'git log{} -- {spec}' for the commits of the file", rev_word(lookup.rev))
        }
        (Some(_), Purpose::Authors, Some((file, _))) => {
            format!("run 'git cora blame{rev} {}' for the whole file", shell_word(file))
        }
        _ => format!("run 'git cora list{rev} --path {spec}' for its declarations"),
    };
    let shown = quoted(path.as_bstr());
    let name = match &location.place {
        HistoryPlace::Name(name) => name,
        HistoryPlace::Line(line) => {
            return Ok(Absence::new(no_declaration_at(*line, &shown), hint));
        }
        _ => return Ok(Absence::new(format!("no such declaration in '{shown}'"), hint)),
    };
    if lookup.rev.is_none() && here.is_uncommitted(name) {
        return Ok(uncommitted(lookup, path.as_bstr()));
    }
    if is_removed {
        return Ok(Absence::new(
            format!("no declaration named '{name}' in '{shown}' at {}", commit.abbreviated(10)),
            format!("run 'git cora log{rev} {}' for its history", shell_word(typed)),
        ));
    }
    let names = here.committed.iter().flat_map(|file| &file.declarations).map(|one| one.name.as_str());
    let similar = near::names(last_name(name), names.collect::<BTreeSet<&str>>().into_iter());
    let hint = near::question(&similar).unwrap_or(hint);
    let message = format!("no declaration named '{name}' in the history of '{shown}'");
    Ok(Absence { message, hint: Some(hint), similar })
}

impl<'l> Lookup<'l> {
    /// Returns the look-up of a name in the repository of the current directory, in no index yet.
    pub(crate) fn new(purpose: Purpose, session: &'l Session, typed: &'l str, rev: Option<&'l str>) -> Self {
        Self { purpose, typed, rev, session: Some(session), indexes: &[] }
    }

    /// Explains a text that is the path of a file or directory, or of a declaration in a file that
    /// is not indexed.
    fn of_path(&self, context: &Context) -> Option<Absence> {
        let typed = self.typed;
        if let Some(path) = self.file(context, typed) {
            return Some(match self.skip_reason(path.as_bstr()) {
                Some(reason) if !self.purpose.reads_skipped() => skipped(path.as_bstr(), reason),
                // Every other file has a chunk at each line.
                _ if self.purpose == Purpose::Neighbours => {
                    Absence { message: format!("'{typed}' is empty"), hint: None, similar: Vec::new() }
                }
                _ if self.purpose.takes_files() => {
                    Absence { message: self.purpose.message(typed), hint: None, similar: Vec::new() }
                }
                _ => Absence::new(
                    format!("'{typed}' is a file; expected {}", self.purpose.subject()),
                    self.hint_for_file(context, path.as_bstr()),
                ),
            });
        }
        for (file, _) in splits(typed) {
            let Some(path) = self.file(context, file) else { continue };
            if let Some(reason) = self.skip_reason(path.as_bstr()) {
                return Some(skipped(path.as_bstr(), reason));
            }
        }
        let path = self.path(context, typed, &|path| Ok(self.is_directory(path)))?;
        let spec = self.pathspec(context, path.as_bstr());
        let hint = match self.session {
            Some(_) => {
                format!("run 'git cora list{} --path {spec}' to see what it declares", rev_option(self.rev))
            }
            None => "name a declaration in it as PATH:NAME".to_owned(),
        };
        let message = format!("'{typed}' is a directory; expected {}", self.purpose.subject());
        Some(Absence::new(message, hint))
    }

    /// Explains a line of an indexed file (`PATH:LINE`) at which nothing is declared.
    fn of_line(&self, context: &Context) -> Option<Absence> {
        if matches!(self.purpose, Purpose::Listing | Purpose::Appearance) {
            return None;
        }
        let lines = splits(self.typed).filter_map(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
        let (path, line) = lines.last().and_then(|(file, line)| Some((self.file(context, file)?, line)))?;
        let shown = quoted(path.as_bstr());
        let file = self.indexes.iter().find_map(|index| index.file_by_path(path.as_bstr()))?;
        let n_lines = file.row.n_lines.max(1);
        let message = match line > n_lines {
            true => format!("'{shown}' has {}", counted(n_lines as usize, "line", "lines")),
            false => no_declaration_at(line, &shown),
        };
        let listing = Lookup { purpose: Purpose::Listing, ..*self };
        Some(Absence::new(message, listing.hint_for_file(context, path.as_bstr())))
    }

    /// Explains a file or a declaration that is in the working tree only.
    fn of_worktree(&self, context: &Context) -> anyhow::Result<Option<Absence>> {
        let is_asked = self.purpose.reader_of_commits().is_some() && self.rev.is_none();
        let Some(session) = self.session.filter(|one| is_asked && one.repo().work_dir().is_some()) else {
            return Ok(None);
        };
        if self.purpose.takes_files() {
            let is_file = from_root::in_target(session.repo(), &Target::Worktree)?;
            if let Some(path) = from_root::existing(context, session, self.typed.into(), &is_file)? {
                return Ok(Some(uncommitted(self, path.as_bstr())));
            }
        }
        let mut searcher = context.searcher_of(session, &Target::Worktree)?;
        let places = declaration::places(context, session, &mut searcher, self.typed)?;
        Ok(places.first().map(|place| uncommitted(self, named_path(&place.path).as_bstr())))
    }

    /// Explains a file, or a declaration in one, that is in the working tree and is not searched.
    fn of_private(&self, context: &Context) -> anyhow::Result<Option<Absence>> {
        let Some(session) = self.session.filter(|_| self.rev.is_none()) else { return Ok(None) };
        let repo = session.repo();
        let has = |path: &BStr| Ok(repo.has_file(path));
        let files = splits(self.typed).map(|(file, _)| file);
        for typed in std::iter::once(self.typed).chain(files) {
            let Some(path) = from_root::existing(context, session, typed.into(), &has)? else { continue };
            let (why, hint) = match repo.read_shared(path.as_bstr(), 0)? {
                WorktreeFile::Open(_) => continue,
                WorktreeFile::Ignored => {
                    let hint = format!("run 'git check-ignore -v {}' to see the rule", shell_word(typed));
                    ("Git ignores it".to_owned(), hint)
                }
                WorktreeFile::Untracked => (
                    "Git doesn't track it, and 'status.showUntrackedFiles' is 'no'".to_owned(),
                    "run 'git config --show-origin status.showUntrackedFiles' to see where it is set"
                        .to_owned(),
                ),
                WorktreeFile::Foreign { repository } => {
                    let why = format!("it belongs to another repository, '{}'", quoted(repository.as_bstr()));
                    let dir = repo.work_dir().map(|root| root.join(repository.to_path_lossy()));
                    let dir = dir.unwrap_or_default();
                    (
                        why,
                        format!(
                            "run 'git -C {} cora list' to see what it declares",
                            shell_path(dir.as_os_str())
                        ),
                    )
                }
            };
            return Ok(Some(Absence::new(format!("'{typed}' is not searched: {why}"), hint)));
        }
        Ok(None)
    }

    /// Explains a text that is a revision. A pattern and a text to search for may be any words.
    fn of_revision(&self) -> Option<Absence> {
        let is_name = !matches!(self.purpose, Purpose::Listing | Purpose::Appearance);
        let session = self.session.filter(|_| is_name && self.rev.is_none())?;
        if !is_revision(session, self.typed) {
            return None;
        }
        let rev = shell_word(self.typed);
        let hint = match self.purpose {
            Purpose::History => format!("run 'git log {rev}' for its commits"),
            Purpose::Impact => format!("run 'git cora impact {rev} HEAD' for the changes since then"),
            _ => format!("run 'git cora list --rev {rev}' to see what it declares"),
        };
        let message = format!("'{}' is a revision; expected {}", self.typed, self.purpose.subject());
        Some(Absence::new(message, hint))
    }

    /// Returns the path of an indexed or skipped file, from the root.
    fn file(&self, context: &Context, typed: &str) -> Option<BString> {
        self.path(context, typed, &|path| {
            Ok(self.indexes.iter().any(|index| index.file_by_path(path).is_some()))
        })
    }

    /// Returns a typed path from the root, if it passes the test.
    fn path(&self, context: &Context, typed: &str, has: &from_root::FileTest<'_>) -> Option<BString> {
        match self.session {
            Some(session) => from_root::existing(context, session, typed.into(), has).ok().flatten(),
            None => Some(named_path(typed)).filter(|path| has(path.as_bstr()).is_ok_and(|has| has)),
        }
    }

    fn is_directory(&self, path: &BStr) -> bool {
        let path: &[u8] = path.strip_suffix(b"/").unwrap_or(path);
        let is_below = |file: &BStr| {
            path.is_empty() || file.strip_prefix(path).is_some_and(|rest| rest.starts_with(b"/"))
        };
        self.indexes.iter().any(|index| index.files().any(|file| is_below(file.path())))
    }

    fn skip_reason(&self, path: &BStr) -> Option<SkipReason> {
        let file = self.indexes.iter().find_map(|index| index.file_by_path(path))?;
        if file.flags().is_skipped() { SkipReason::from_code(file.row.skip_reason) } else { None }
    }

    /// Returns the command that works for a file.
    fn hint_for_file(&self, context: &Context, path: &BStr) -> String {
        let (spec, rev) = (self.pathspec(context, path), rev_option(self.rev));
        match self.purpose {
            _ if self.session.is_none() => "name a declaration of the file as PATH:NAME".to_owned(),
            Purpose::Listing => format!("run 'git cora list{rev} --path {spec}' for its declarations"),
            Purpose::Impact => {
                format!("run 'git cora list{rev} --path {spec}', and name a declaration as PATH:NAME")
            }
            Purpose::History => {
                let from = rev_word(self.rev);
                format!("run 'git log --follow{from} -- {spec}' for the history of a whole file")
            }
            Purpose::Appearance => {
                let from = rev_word(self.rev);
                format!("run 'git log --follow --diff-filter=A{from} -- {spec}' for the commit that added it")
            }
            _ => {
                let typed = shell_word(self.typed);
                format!("run 'git cora explain{rev} {typed}' for what the file uses, and what uses it")
            }
        }
    }

    fn pathspec(&self, context: &Context, path: &BStr) -> String {
        match self.session {
            Some(session) => pathspec(context, session, path),
            None => shell_word(&quoted(path)).into_owned(),
        }
    }

    /// Returns the names and paths that are spelled like the text: of a name in a file, those of
    /// the file first.
    fn similar(&self, context: &Context) -> Vec<String> {
        let mut splits = splits(self.typed);
        let in_file = splits.find_map(|(file, name)| Some((self.file(context, file)?, name)));
        let name = last_name(in_file.as_ref().map_or(self.typed, |(_, name)| name));
        if let Some((path, _)) = &in_file {
            let files = self.indexes.iter().filter_map(|index| index.file_by_path(path.as_bstr()));
            let names: BTreeSet<&str> =
                files.flat_map(|file| file.declarations()).map(|one| one.name()).collect();
            let found = near::names(name, names.into_iter());
            if !found.is_empty() {
                return found;
            }
        }
        let by_path = || if in_file.is_some() { Vec::new() } else { self.similar_paths(context) };
        let is_path_like = self.is_path_like();
        if is_path_like {
            let found = by_path();
            if !found.is_empty() {
                return found;
            }
        }
        // The extension of a path is not a name.
        let name = if is_path_like { self.typed } else { name };
        let names: BTreeSet<&str> =
            self.indexes.iter().flat_map(Index::declarations).map(|one| one.name()).collect();
        let members = self.similar_members();
        let mut found = if members.is_empty() { near::names(name, names.into_iter()) } else { members };
        // Filters, not its spelling, exclude it.
        found.retain(|one| self.purpose != Purpose::Listing || one != self.typed);
        if found.is_empty() && self.purpose != Purpose::Listing { by_path() } else { found }
    }

    /// Returns the members of a typed owner that are spelled like the typed one: `Session.request`
    /// for `Session.reqest`.
    fn similar_members(&self) -> Vec<String> {
        let Some((owner, name)) = self.typed.rsplit_once('.') else { return Vec::new() };
        let is_of = |path: &str| {
            path.split(['.', ':']).rev().filter(|one| !one.is_empty()).nth(1) == Some(last_name(owner))
        };
        let all = self.indexes.iter().flat_map(Index::declarations).filter(|one| is_of(&one.symbol_path()));
        let members: BTreeSet<&str> = all.map(|one| one.name()).collect();
        let found = near::names(name, members.into_iter());
        found.into_iter().map(|name| format!("{owner}.{name}")).collect()
    }

    fn similar_paths(&self, context: &Context) -> Vec<String> {
        let paths = self.indexes.iter().flat_map(|index| index.files().map(|file| file.path()));
        let path = splits(self.typed).next().map_or(self.typed, |(path, _)| path);
        let found = near::files(path, paths);
        match self.session {
            Some(session) => from_root::as_typed(context, session.repo(), found),
            None => found,
        }
    }

    /// Returns whether the text is more likely a path than a name.
    fn is_path_like(&self) -> bool {
        let end = self.typed.rsplit_once('.').map(|(_, end)| format!(".{end}"));
        let has_end = |end: String| {
            self.indexes.iter().any(|index| index.files().any(|file| file.path().ends_with(end.as_bytes())))
        };
        splits(self.typed).next().is_none() && (self.typed.contains('/') || end.is_some_and(has_end))
    }

    /// Returns the hint if nothing is spelled like the text.
    fn last_hint(&self) -> Option<String> {
        let is_named_in_file = splits(self.typed).next().is_some();
        match self.purpose {
            Purpose::History | Purpose::Authors if !is_named_in_file => {
                Some("write PATH:NAME for a declaration that was removed".to_owned())
            }
            Purpose::Listing | Purpose::References | Purpose::Neighbours | Purpose::Explanation => {
                Some(format!("run 'git cora query {}' to search for it", shell_word(self.typed)))
            }
            _ => None,
        }
    }
}

/// The declarations of a file in a commit and in the working tree; `None` where no such file is
/// indexed.
struct FileDeclarations {
    committed: Option<IndexedFile>,
    in_worktree: Option<IndexedFile>,
}

impl FileDeclarations {
    fn new(session: &Session, commit: ObjectId, path: &BStr) -> anyhow::Result<Self> {
        let repo = session.repo();
        let tree = repo.commit(commit)?.tree;
        let recorder = Recorder::new(session.indexer().options().clone());
        let attributes = repo.attributes(tree)?;
        let of = |record: FileRecord| match record {
            FileRecord::Indexed(file) => Some(file),
            FileRecord::Skipped(_) => None,
        };
        let entry = repo.tree_entry(tree, path)?;
        let entry = entry.filter(|one| matches!(one.mode, EntryMode::File | EntryMode::Executable));
        let committed = match entry {
            Some(entry) => of(recorder.record_entry(repo, &entry, &attributes.of(path))?),
            None => None,
        };
        let content = repo.read_worktree_as_stored(&attributes, path, recorder.max_file_bytes())?;
        let in_worktree = of(recorder.record(path, repo.empty_tree(), &content, &attributes.of(path)));
        Ok(Self { committed, in_worktree })
    }

    /// Returns whether only the working tree has a declaration of this name.
    fn is_uncommitted(&self, name: &str) -> bool {
        let has = |file: &Option<IndexedFile>| file.as_ref().is_some_and(|file| declares(file, name));
        has(&self.in_worktree) && !has(&self.committed)
    }
}

/// Returns whether a file declares a name, or a symbol path that ends with it.
fn declares(file: &IndexedFile, name: &str) -> bool {
    (0u32..).zip(&file.declarations).any(|(ord, one)| {
        let symbol = labels::symbol_path(file, ord);
        let before = symbol.strip_suffix(name);
        one.name == name || before.is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', ':', '#', '/']))
    })
}

/// Returns whether a text names a commit. A word that only happens to be the beginning of an object
/// id does not.
pub(crate) fn is_revision(session: &Session, typed: &str) -> bool {
    let is_word = typed.len() < 7 && typed.bytes().all(|byte| byte.is_ascii_hexdigit());
    !is_word && !typed.contains(':') && session.repo().resolve(typed).is_ok()
}

fn no_declaration_at(line: u32, shown: &str) -> String {
    format!("no declaration at line {line} of '{shown}'")
}

fn skipped(path: &BStr, reason: SkipReason) -> Absence {
    let message = format!("'{}' is not indexed: {}", quoted(path), reason.as_str());
    Absence { message, hint: None, similar: Vec::new() }
}

fn uncommitted(lookup: &Lookup<'_>, path: &BStr) -> Absence {
    let command = lookup.purpose.reader_of_commits().unwrap_or("log");
    Absence::new(
        format!("'{}' is not committed yet", lookup.typed),
        format!("commit '{}' first: 'git cora {command}' reads commits", quoted(path)),
    )
}

/// Returns a path from the root as a pathspec for the current directory.
pub(crate) fn pathspec(context: &Context, session: &Session, path: &BStr) -> String {
    let typed = from_root::as_typed(context, session.repo(), vec![quoted(path).into_owned()]).pop();
    let typed = typed.filter(|typed| !typed.is_empty()).unwrap_or_else(|| ".".to_owned());
    let typed = named_path(&typed);
    typed
        .to_os_str()
        .map_or_else(|_| shell_word(&quoted(path)).into_owned(), |typed| shell_path(typed).into_owned())
}

/// Returns a revision as the option that names it.
pub(crate) fn rev_option(rev: Option<&str>) -> String {
    rev.map(|rev| format!(" --rev {}", shell_word(rev))).unwrap_or_default()
}

/// Returns a revision as a word of a command.
fn rev_word(rev: Option<&str>) -> String {
    rev.map(|rev| format!(" {}", shell_word(rev))).unwrap_or_default()
}
