//! The route `/coderag/overview`: a repository and its version → what a newcomer needs.
//!
//! Git's part (branch, recent commits) needs no index and is always in the answer. The rest is what
//! `git cora map` and `git cora stats` print, and is left out until an index is ready. All lists
//! and texts are bounded, except paths, which clients send back to open a file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State as Extracted};
use axum::response::{IntoResponse, Response};
use bstr::ByteSlice;

use git_cora::answer::MapQuery;
use git_cora::answer::view::{EntryPoint, Folder, Introduction, OutlineItem};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::search::segment::LanguageCount;
use git_cora::{Searcher, index};

use super::api::{
    ImportantDeclaration, IndexSummary, LanguageShare, OverviewAnswer, OverviewEntry, OverviewFolder,
    OverviewRequest, RecentCommit, RepositoryScope,
};
use super::start;
use crate::server::http::answer::{ms, reach, state, work};
use crate::server::http::api::State;
use crate::server::http::problem::Problem;
use crate::server::http::{ServerState, guard};
use crate::server::pool::{OpenRepository, SearcherState};

/// Longest time to wait for the index: short, because Git's part is useful without it.
const WAIT: Duration = Duration::from_secs(1);
/// Largest number of recent commits, languages and declarations in an answer.
const RECENT: usize = 6;
const LANGUAGES: usize = 6;
const IMPORTANT: usize = 8;
/// Number of declarations among which the names of the questions are chosen.
const CANDIDATES: usize = 24;
/// Length limit of a sentence or subject, and of a name, in characters.
const SENTENCE: usize = 200;
const NAME: usize = 80;
/// Fewest words of a description that becomes a question.
const WORDS: usize = 3;

pub(in crate::server::http) async fn overview(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: OverviewRequest =
        guard::read(&shared, request, |asked: &OverviewRequest| asked.token.as_deref()).await?;
    let read = move |shared: &ServerState, cancel: &Cancel| read(shared, &asked, cancel);
    Ok(Json(work(&shared, read).await?).into_response())
}

fn read(shared: &ServerState, asked: &OverviewRequest, cancel: &Cancel) -> Result<OverviewAnswer, Problem> {
    let begun = Instant::now();
    let kept = shared.roots.open(&shared.pool, &asked.repo)?;
    let (from, branch) = start(&kept, &asked.repo)?;
    let repo = kept.session.repo();
    let path = kept.session.info().path;
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut answer = OverviewAnswer {
        repo: without_commits(&path),
        name: cut(name, NAME),
        branch: branch.map(|name| cut(&name, NAME)),
        about: String::new(),
        recent: recent(&kept, from)?,
        index: None,
        indexed_commits: index::indexed_commits(repo)?.len(),
        entries: Vec::new(),
        folders: Vec::new(),
        important: Vec::new(),
        questions: Vec::new(),
        ms: 0,
    };
    // A bare repository before its first commit has nothing to search.
    if from.is_some() || repo.work_dir().is_some() {
        let (_, version, mut reached) = reach(shared, &asked.repo, WAIT, cancel)?;
        answer.repo = RepositoryScope::from(state(&kept, version, &reached));
        if let SearcherState::Exact(searcher) | SearcherState::Nearest(searcher, _) = &mut reached {
            fill(&kept, searcher, &mut answer, cancel)?;
        }
    }
    answer.ms = ms(begun);
    Ok(answer)
}

/// The state of a bare repository before its first commit.
fn without_commits(path: &str) -> RepositoryScope {
    RepositoryScope {
        checkout_path: path.to_owned(),
        version_specifier: "latest".to_owned(),
        state: State::Exact,
        commit: None,
        worktree: false,
        dirty_files: 0,
        warnings: Vec::new(),
        progress: None,
    }
}

fn recent(kept: &OpenRepository, from: Option<ObjectId>) -> Result<Vec<RecentCommit>, Problem> {
    let repo = kept.session.repo();
    let Some(from) = from else { return Ok(Vec::new()) };
    let mut recent = Vec::new();
    for id in repo.first_parents(from, RECENT)? {
        let commit = repo.commit(id)?;
        recent.push(RecentCommit {
            commit: id.to_string(),
            subject: cut(&commit.subject.to_str_lossy(), SENTENCE),
            author: cut(&commit.author.to_str_lossy(), NAME),
            time: commit.committer_time_s,
        });
    }
    Ok(recent)
}

/// Adds what the index says.
fn fill(
    kept: &OpenRepository,
    searcher: &mut Arc<Searcher>,
    answer: &mut OverviewAnswer,
    cancel: &Cancel,
) -> Result<(), Problem> {
    let map = MapQuery::new(CANDIDATES);
    let outline =
        kept.read(searcher, cancel, |one| kept.session.map(one, &map, Task::new(&NoProgress, cancel)))?;
    answer.repo.commit = searcher.commit().map(|id| id.to_string());
    answer.repo.worktree = searcher.is_worktree();
    answer.repo.dirty_files = searcher.n_dirty();
    answer.index = Some(summary(searcher.index().languages()));
    let introduction = outline.introduction.unwrap_or_default();
    let ranked = outline.items.get(..outline.n_ranked).unwrap_or(&outline.items);
    answer.questions = questions(&introduction, ranked);
    answer.important = ranked.iter().take(IMPORTANT).map(declaration).collect();
    answer.about = cut(&introduction.about, SENTENCE);
    answer.entries = introduction.entries.into_iter().map(entry).collect();
    answer.folders = introduction.folders.into_iter().map(folder).collect();
    Ok(())
}

fn summary(mut languages: Vec<LanguageCount>) -> IndexSummary {
    languages.sort_by(|a, b| b.source_bytes.cmp(&a.source_bytes).then_with(|| a.language.cmp(&b.language)));
    let total = |of: fn(&LanguageCount) -> u64| languages.iter().map(of).sum::<u64>();
    let (files, chunks, bytes) = (total(|l| l.files), total(|l| l.chunks), total(|l| l.source_bytes));
    let more_languages = languages.len().saturating_sub(LANGUAGES);
    languages.truncate(LANGUAGES);
    let share = |one: LanguageCount| LanguageShare {
        share: per_mille(one.source_bytes, bytes),
        language: cut(&one.language, NAME),
        files: one.files,
    };
    IndexSummary { files, chunks, languages: languages.into_iter().map(share).collect(), more_languages }
}

/// A part of a whole, with three decimals; 0 of nothing.
fn per_mille(part: u64, whole: u64) -> f64 {
    let thousandths = u128::from(part) * 1000 / u128::from(whole.max(1));
    f64::from(u16::try_from(thousandths).unwrap_or(1000)) / 1e3
}

fn declaration(item: &OutlineItem) -> ImportantDeclaration {
    ImportantDeclaration {
        path: item.path.clone(),
        line: item.line,
        end_line: item.end_line,
        symbol: cut(&item.symbol, SENTENCE),
        kind: item.kind.to_owned(),
        signature: cut(&item.signature, SENTENCE),
    }
}

fn entry(one: EntryPoint) -> OverviewEntry {
    let symbol = Some(one.symbol).filter(|symbol| !symbol.is_empty());
    OverviewEntry { path: one.path, line: one.line, symbol: symbol.map(|symbol| cut(&symbol, SENTENCE)) }
}

fn folder(one: Folder) -> OverviewFolder {
    OverviewFolder { path: one.path, files: one.n_files, about: cut(&one.about, SENTENCE) }
}

/// Makes questions from the names of a repository, at most four; each name is used once.
fn questions(introduction: &Introduction, ranked: &[OutlineItem]) -> Vec<String> {
    let is_function = |item: &&OutlineItem| matches!(item.kind, "function" | "method");
    let mut names: Vec<&OutlineItem> = ranked.iter().filter(|item| is_plain(&item.symbol)).collect();
    let mut take = |is_kind: &dyn Fn(&&OutlineItem) -> bool| {
        let at = names.iter().position(is_kind)?;
        Some(names.remove(at).symbol.as_str())
    };
    let function = take(&is_function).map(|name| format!("what calls {name}"));
    let kind = take(&|item| !is_function(item)).map(str::to_owned);
    let added = take(&|_| true).map(|name| format!("when was {name} added"));
    let described = introduction.folders.iter().find_map(described);
    let begins = || introduction.entries.first().map(|_| "where does the program start?".to_owned());
    [function, kind, added, described.or_else(begins)].into_iter().flatten().collect()
}

/// Whether a symbol path reads well in a question.
fn is_plain(symbol: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_.:$".contains(c);
    symbol.chars().count() <= NAME && symbol.chars().all(is_part) && symbol.chars().any(char::is_alphabetic)
}

/// A question for the first clause of a folder's description, if that names a thing.
fn described(folder: &Folder) -> Option<String> {
    let clause = folder.about.split([':', ';', ',', '(', '.', '—', '→']).next()?.trim();
    let (article, rest) = clause.split_once(' ')?;
    let is_thing = ["The", "A", "An"].contains(&article);
    let is_short = clause.chars().count() <= NAME && clause.split_whitespace().count() >= WORDS;
    (is_thing && is_short).then(|| format!("where is the {rest}?"))
}

/// The first characters of a text; an ellipsis stands for the rest.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_characters() {
        for (text, expected) in [("", ""), ("abc", "abc"), ("äöü", "äöü"), ("äöüß", "äöü…")] {
            assert_eq!(cut(text, 3), expected);
        }
    }

    #[test]
    fn shares_have_three_decimals() {
        for (part, whole, expected) in [(0, 0, 0.0), (1, 3, 0.333), (3, 3, 1.0), (u64::MAX, u64::MAX, 1.0)] {
            assert!((per_mille(part, whole) - expected).abs() < 1e-9, "{part} of {whole}");
        }
    }

    #[test]
    fn only_names_without_signs_are_asked_for() {
        for (symbol, expected) in [
            ("Parser.parse", true),
            ("a::b_c", true),
            ("", false),
            ("operator ()", false),
            ("a\u{202e}b", false),
            ("..", false),
        ] {
            assert_eq!(is_plain(symbol), expected, "{symbol}");
        }
        assert!(is_plain(&"x".repeat(NAME)) && !is_plain(&"x".repeat(NAME + 1)));
    }
}
