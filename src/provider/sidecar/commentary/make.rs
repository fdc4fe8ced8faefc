//! Making commentary: what a commit lacks → requests (`send`) → a ref.
//!
//! First a plan: which chunks have no note of the model, by their keys, among those asked for. A user may take long to
//! confirm it; so what to send is settled with the journal locked: what others have brought meanwhile is not sent again. At
//! the end all that is known of the commit's chunks becomes the ref's tree, together with what the ref holds by then.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::git::{EntryMode, ObjectWriter, RefUpdate, Repository, TreeEntry};
use crate::provider::chat::{self, LanguageModel};

use super::find::{self, FILES, FORMAT, Found, MANIFEST, commits, open, ref_name};
use super::journal::Journal;
use super::note::{ByKey, MAX_CHUNKS};
use super::prompt::{Passage, prompt};
use super::send::{BATCH, send};
use super::{Error, Key, Note, Result, encode, key_of, read};

/// How many refs are looked through for what they have: the commit's own, its nearest ancestors', then any.
const BASES: usize = 16;
/// How many ancestors are searched for the nearest.
const NEAREST_ANCESTORS: usize = 2_000;
/// How often the ref is written anew if somebody else moves it meanwhile.
const ATTEMPTS: usize = 5;
/// Chunks with fewer bytes that are no blanks say what they are themselves.
const LEAST_BYTES: usize = 24;

/// An indexed file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileToAnnotate {
    /// Its path.
    pub path: BString,
    /// Its record.
    pub record: ObjectId,
    /// Whether its chunks are to be annotated; otherwise it keeps what it has.
    pub is_wanted: bool,
}

/// Gives what is to be annotated.
pub trait Sources: Sync {
    /// What the keys of a file's chunks are of, in order; none if it can't be read.
    fn texts(&self, path: &BStr) -> Vec<String>;

    /// Some of a file's chunks as a model gets them.
    fn passages(&self, path: &BStr, chunks: &[u32]) -> Vec<Passage>;
}

/// What is to be done for a commit.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files that were asked for.
    pub n_files: usize,
    /// Their chunks.
    pub n_chunks: usize,
    /// Those of them that have a note of the model, made for this commit or another.
    pub n_known: usize,
    /// Chunks to send, of which each text counts once.
    pub n_missing: usize,
    /// Tokens of all requests and answers, estimated on the high side.
    pub n_tokens: u64,
    /// Files that can't be read.
    pub n_unreadable: usize,
    commit: Option<ObjectId>,
    pub(super) files: Vec<OpenFile>,
    pub(super) missing: Vec<Missing>,
    given: Given,
}

#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) path: BString,
    record: ObjectId,
    keys: Vec<Key>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Missing {
    pub(super) file: usize,
    pub(super) chunk: u32,
    pub(super) key: Key,
    pub(super) n_tokens: u64,
}

/// What Git has of the notes that a commit's chunks can have.
#[derive(Debug, Default)]
struct Given {
    bases: Vec<Found>,
    notes: ByKey,
}

impl Plan {
    /// The keys of all of the commit's chunks.
    fn keys(&self) -> HashSet<Key> {
        self.files.iter().flat_map(|file| &file.keys).copied().collect()
    }
}

/// What a run is to do with a plan.
pub struct Wish<'w> {
    /// The model; what it was told about a budget ends the run.
    pub model: &'w dyn LanguageModel,
    /// Gives the chunks.
    pub sources: &'w dyn Sources,
}

/// What [`make`] did.
#[derive(Debug, Default)]
pub struct Report {
    /// Notes that were written.
    pub n_notes: usize,
    /// Chunks about which the model said nothing of use.
    pub n_useless: usize,
    /// Chunks that are still missing.
    pub n_left: usize,
    /// Files with notes now.
    pub n_files: usize,
    /// Whether the budget ended it.
    pub is_over_budget: bool,
    /// The ref, if it holds anything.
    pub refname: Option<String>,
    /// What ended it early; what was received before is kept.
    pub failure: Option<chat::Error>,
}

/// Finds out what `commit` lacks by a model, in the order of `files`, which are all of the commit's. Sends nothing.
///
/// # Errors
/// [`Error::Newer`] if the commit's commentary is of a newer format, [`Error::Repo`], [`Error::Cancelled`].
pub fn plan(
    repo: &Repository,
    model: &str,
    commit: ObjectId,
    files: Vec<FileToAnnotate>,
    sources: &dyn Sources,
    task: Task<'_>,
) -> Result<Plan> {
    task.progress.begin("looking for what is known", "files", Some(files.len() as u64));
    let keyed: Vec<(FileToAnnotate, Vec<(Key, u64)>)> = files
        .into_par_iter()
        .map(|file| {
            let texts = if task.is_cancelled() { Vec::new() } else { sources.texts(file.path.as_bstr()) };
            task.progress.advance(1);
            let cost = |text: &str| {
                let n = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
                if n < LEAST_BYTES { 0 } else { Passage::cost(text) }
            };
            let keys = texts.iter().map(|text| (key_of(text), cost(text))).collect();
            (file, keys)
        })
        .collect();
    task.progress.end();
    if task.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let mut plan = Plan { commit: Some(commit), ..Plan::default() };
    let all: HashSet<Key> = keyed.iter().flat_map(|(_, keys)| keys.iter().map(|(key, _)| *key)).collect();
    plan.given = given(repo, commit, &all, task.cancel)?;
    let received = Journal::peek(&journal_path(repo));
    let mut seen = HashSet::new();
    for (file, keys) in keyed {
        let at = plan.files.len();
        if file.is_wanted {
            plan.n_files += 1;
            plan.n_unreadable += usize::from(keys.is_empty());
            for (chunk, &(key, n_tokens)) in (0..MAX_CHUNKS).zip(&keys) {
                plan.n_chunks += 1;
                let by = (key, model.to_owned());
                if plan.given.notes.contains_key(&by) || received.contains_key(&by) {
                    plan.n_known += 1;
                } else if n_tokens > 0 && seen.insert(key) {
                    plan.missing.push(Missing { file: at, chunk, key, n_tokens });
                    plan.n_tokens = plan.n_tokens.saturating_add(n_tokens);
                }
            }
        }
        let keys = keys.into_iter().map(|(key, _)| key).collect();
        plan.files.push(OpenFile { path: file.path, record: file.record, keys });
    }
    plan.n_missing = plan.missing.len();
    // What the model is told once for each request.
    let requests = plan.n_missing.div_ceil(BATCH) as u64;
    plan.n_tokens = plan.n_tokens.saturating_add(requests * prompt(&[]).estimate());
    Ok(plan)
}

/// The commentary that notes can be taken from: the commit's own, the nearest, then any.
fn bases(repo: &Repository, commit: ObjectId) -> Result<Vec<Found>> {
    let known = commits(repo)?;
    let mut bases: Vec<Found> = Vec::new();
    match open(repo, commit) {
        Ok(found) => bases.extend(found),
        // Not ours to replace.
        Err(error @ Error::Newer { .. }) => return Err(error),
        Err(Error::Corrupt(_) | Error::Repo(_)) => {}
        Err(error) => return Err(error),
    }
    let line = if known.is_empty() { Vec::new() } else { repo.first_parents(commit, NEAREST_ANCESTORS)? };
    let all: HashSet<&ObjectId> = known.iter().collect();
    let near = line.iter().filter(|ancestor| all.contains(ancestor));
    let mut seen = HashSet::from([commit]);
    for candidate in near.chain(&known) {
        if bases.len() >= BASES {
            break;
        }
        if seen.insert(*candidate)
            && let Ok(Some(found)) = open(repo, *candidate)
        {
            bases.push(found);
        }
    }
    Ok(bases)
}

/// What Git has of the notes with some keys; of several about the same by the same model, the first base's. Others are not
/// kept, so that what was fetched takes no more room than the commit's own chunks.
fn given(repo: &Repository, commit: ObjectId, keys: &HashSet<Key>, cancel: &Cancel) -> Result<Given> {
    let bases = bases(repo, commit)?;
    let mut blobs = Vec::new();
    let mut seen = HashSet::new();
    for base in &bases {
        // A base that can't be read has nothing to give.
        let files = repo.tree_files(base.files).unwrap_or_default();
        blobs.extend(files.into_iter().map(|entry| entry.id).filter(|id| seen.insert(*id)));
    }
    let read: Vec<Vec<Note>> = blobs
        .into_par_iter()
        .map(|id| {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let mut notes = read(repo, id)?.map(|(_, notes)| notes).unwrap_or_default();
            notes.retain(|note| keys.contains(&note.key));
            Ok(notes)
        })
        .collect::<Result<_>>()?;
    let mut notes = ByKey::new();
    for note in read.into_iter().flatten() {
        notes.entry((note.key, note.model.clone())).or_insert(note);
    }
    Ok(Given { bases, notes })
}

fn journal_path(repo: &Repository) -> std::path::PathBuf {
    repo.cora_dir().join("commentary").join("journal")
}

/// Sends what is missing, and points the ref at all that is known.
///
/// # Errors
/// [`Error::Busy`], [`Error::Io`], [`Error::Repo`], [`Error::Cancelled`]; what was received before is kept for the next
/// run. A failure of the model is in the report.
pub fn make(repo: &Repository, plan: &Plan, wish: &Wish<'_>, task: Task<'_>) -> Result<Report> {
    let Some(commit) = plan.commit else { return Ok(Report::default()) };
    let mut journal = Journal::open(journal_path(repo))?;
    let model = wish.model.id();
    // Nobody else adds anything from here on; whoever did since the plan was made has paid for it.
    let mut anew = None;
    if bases(repo, commit)? != plan.given.bases {
        anew = Some(given(repo, commit, &plan.keys(), task.cancel)?);
    }
    let there = &anew.as_ref().unwrap_or(&plan.given).notes;
    let lacks = |journal: &Journal, key: Key| {
        let by = (key, model.clone());
        !there.contains_key(&by) && !journal.notes.contains_key(&by)
    };
    let missing: Vec<Missing> = plan.missing.iter().filter(|one| lacks(&journal, one.key)).copied().collect();
    let mut report = Report::default();
    if !missing.is_empty() {
        journal = send(plan, &missing, wish, journal, &mut report, task)?;
    }
    report.n_left = missing.iter().filter(|one| lacks(&journal, one.key)).count();
    let is_all = publish(repo, plan, commit, &model, &journal.notes, &mut report, task.cancel)?;
    // A note that no file of this commit has may be one of another commit's.
    if is_all {
        journal.clear();
    }
    Ok(report)
}

/// Writes the files of which something is known, and the ref. Tells whether all that was received is in it.
fn publish(
    repo: &Repository,
    plan: &Plan,
    commit: ObjectId,
    model: &str,
    received: &ByKey,
    report: &mut Report,
    cancel: &Cancel,
) -> Result<bool> {
    let refname = ref_name(commit);
    let keys = plan.keys();
    for _ in 0..ATTEMPTS {
        // The ref before what it holds: if that changes in between, the ref is not written.
        let expected = repo.read_ref(&refname)?;
        let anew = if bases(repo, commit)? == plan.given.bases {
            None
        } else {
            Some(given(repo, commit, &keys, cancel)?)
        };
        let given = anew.as_ref().unwrap_or(&plan.given);
        let mut writer = repo.writer()?;
        let (edits, published) = files(plan, model, given, received, &mut writer, cancel)?;
        report.n_files = edits.len();
        if edits.is_empty() {
            return Ok(received.is_empty());
        }
        let files = repo.edit_tree(&mut writer, None, &edits)?;
        report.refname = Some(refname.clone());
        let is_all = received.keys().all(|(key, by)| by == model && published.contains(key));
        let base = given.bases.first();
        if base.is_some_and(|base| base.commit == commit && base.files == files) {
            return Ok(is_all);
        }
        let manifest = writer.blob(FORMAT.as_bytes())?;
        let tree = writer.tree(&[
            TreeEntry { path: MANIFEST.into(), mode: EntryMode::File, id: manifest },
            TreeEntry { path: FILES.into(), mode: EntryMode::Directory, id: files },
        ])?;
        let snapshot = writer.commit(&find::snapshot_commit(tree))?;
        let base = base.map(|base| base.snapshot_commit);
        let id = writer.commit(&find::commit(tree, commit, snapshot, base))?;
        writer.finish(cancel)?;
        match repo.update_ref(&refname, expected, id)? {
            RefUpdate::Done | RefUpdate::AlreadyThere => return Ok(is_all),
            RefUpdate::Conflict { .. } => {}
        }
    }
    Err(Error::Moving { commit })
}

/// A path and the blob of its notes; as trees are edited.
type Edits = Vec<(BString, Option<ObjectId>)>;

/// The files of which something is known, by path, and the keys of their notes.
fn files(
    plan: &Plan,
    model: &str,
    given: &Given,
    received: &ByKey,
    writer: &mut ObjectWriter,
    cancel: &Cancel,
) -> Result<(Edits, HashSet<Key>)> {
    // Of notes by several models this one's, else the first by name.
    let mut by_key: HashMap<Key, &Note> = HashMap::new();
    for note in given.notes.values().chain(received.values()) {
        let known = by_key.entry(note.key).or_insert(note);
        let rank = |note: &Note| (note.model != model, note.model.clone());
        if rank(note) < rank(known) {
            *known = note;
        }
    }
    let (mut edits, mut published) = (Edits::new(), HashSet::new());
    for file in &plan.files {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let notes: Vec<Note> = (0..MAX_CHUNKS)
            .zip(&file.keys)
            .filter_map(|(chunk, key)| Some(Note { chunk, ..(*by_key.get(key)?).clone() }))
            .collect();
        let (bytes, n_notes) = encode(file.record, &notes);
        if n_notes > 0 {
            edits.push((file.path.clone(), Some(writer.blob(&bytes)?)));
            published.extend(notes.iter().take(n_notes).map(|note| note.key));
        }
    }
    edits.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok((edits, published))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use crate::base::progress::Silent;
    use crate::git::testing::Fixture;
    use crate::provider::chat::{End, Outgoing, Prompt, Reply, Told, Usage};
    use crate::provider::http;
    use crate::provider::sidecar::commentary::{decode, find as nearest};

    use super::*;

    /// Answers with what it is told to, and counts the chunks that it is asked about.
    struct Writer<A>(A, Mutex<Vec<usize>>);

    impl<A: Fn(usize) -> chat::Result<String> + Send + Sync> Writer<A> {
        fn new(answer: A) -> Self {
            Self(answer, Mutex::default())
        }

        fn asked(&self) -> Vec<usize> {
            let mut asked = self.1.lock().unwrap().clone();
            asked.sort_unstable();
            asked
        }
    }

    impl<A: Fn(usize) -> chat::Result<String> + Send + Sync> LanguageModel for Writer<A> {
        fn id(&self) -> String {
            "test:writer".into()
        }

        fn outgoing(&self, _: &Prompt) -> Outgoing {
            Outgoing { url: String::new(), body: Vec::new() }
        }

        fn complete(&self, prompt: &Prompt, _: &mut dyn FnMut(Told<'_>), _: &Cancel) -> chat::Result<Reply> {
            let n = prompt.turns[0].text.matches(" begins, mark ").count();
            self.1.lock().unwrap().push(n);
            Ok(Reply { text: (self.0)(n)?, usage: Usage::default(), end: End::Whole })
        }
    }

    fn good(n: usize) -> chat::Result<String> {
        Ok(match n {
            1 => "It does.".into(),
            n => format!(
                "{{{}}}",
                (1..=n).map(|n| format!("\"{n}\": \"It does.\"")).collect::<Vec<_>>().join(",")
            ),
        })
    }

    fn refused() -> chat::Error {
        chat::Error::Remote(http::Error::Refused { host: "h".into(), status: 400, message: "no".into() })
    }

    /// Two files of ten chunks each.
    struct Files;

    impl Sources for Files {
        fn texts(&self, path: &BStr) -> Vec<String> {
            (0..10).map(|n| format!("{path} {n} is a chunk that is long enough")).collect()
        }

        fn passages(&self, path: &BStr, chunks: &[u32]) -> Vec<Passage> {
            let texts = self.texts(path);
            let passage = |&at: &u32| Passage { text: texts[at as usize].clone(), ..Passage::default() };
            chunks.iter().map(passage).collect()
        }
    }

    fn planned(repo: &Repository, wanted: &str) -> Plan {
        let files = ["a", "b"].map(|path| FileToAnnotate {
            path: path.into(),
            record: repo.empty_tree(),
            is_wanted: wanted.contains(path),
        });
        let commit = repo.resolve("HEAD").unwrap();
        plan(repo, "test:writer", commit, files.into(), &Files, Task::new(&Silent, &Cancel::default()))
            .unwrap()
    }

    fn made(repo: &Repository, plan: &Plan, model: &dyn LanguageModel) -> Report {
        make(repo, plan, &Wish { model, sources: &Files }, Task::new(&Silent, &Cancel::default())).unwrap()
    }

    /// How many notes each file has.
    fn noted(repo: &Repository) -> Vec<(BString, usize)> {
        let Some(found) = nearest(repo, repo.resolve("HEAD").unwrap()).unwrap() else { return Vec::new() };
        let files = repo.tree_files(found.files).unwrap();
        let n_notes = |id| match repo.blob(id, 1 << 20).unwrap() {
            crate::git::Blob::Bytes(bytes) => decode(&bytes).unwrap().1.len(),
            _ => 0,
        };
        files.into_iter().map(|file| (file.path, n_notes(file.id))).collect()
    }

    #[test]
    fn plans_that_others_overtook_pay_nothing_twice_and_lose_nothing() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        let writer = Writer::new(good);
        let (a, b, both) = (planned(&repo, "a"), planned(&repo, "b"), planned(&repo, "ab"));
        assert_eq!((a.n_missing, b.n_missing, both.n_missing), (10, 10, 20));
        assert_eq!(made(&repo, &a, &writer).n_notes, 10);
        assert_eq!(made(&repo, &b, &writer).n_notes, 10);
        assert_eq!(noted(&repo), [("a".into(), 10), ("b".into(), 10)]);
        assert_eq!(writer.asked(), [4, 4, 6, 6]);
        let late = made(&repo, &both, &writer);
        assert_eq!((late.n_notes, late.n_left, late.n_files, writer.asked().len()), (0, 0, 2, 4));
        assert!(Journal::peek(&journal_path(&repo)).is_empty());
    }

    #[test]
    fn one_that_is_at_work_keeps_others_out() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        let writer = Writer::new(good);
        let plan = planned(&repo, "a");
        let held = Journal::open(journal_path(&repo)).unwrap();
        let wish = Wish { model: &writer, sources: &Files };
        let outcome = make(&repo, &plan, &wish, Task::new(&Silent, &Cancel::default()));
        assert!(matches!(outcome, Err(Error::Busy)) && writer.asked().is_empty());
        drop(held);
        assert_eq!(made(&repo, &plan, &writer).n_notes, 10);
    }

    #[test]
    fn a_model_that_takes_few_chunks_gets_fewer() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        for refuses in [true, false] {
            let writer = Writer::new(move |n| match (n, refuses) {
                (0..=2, _) => good(n),
                (_, true) => Err(refused()),
                (_, false) => Ok("{\"one\": ".into()),
            });
            let plan = planned(&repo, if refuses { "a" } else { "b" });
            let report = made(&repo, &plan, &writer);
            assert_eq!((report.n_notes, report.n_left, report.failure.is_none()), (10, 0, true), "{refuses}");
        }
    }

    #[test]
    fn a_server_that_refuses_everything_is_not_asked_for_ever() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        let writer = Writer::new(|_| Err(refused()));
        let plan = planned(&repo, "ab");
        let report = made(&repo, &plan, &writer);
        assert!(report.failure.is_some() && report.n_left == 20 && report.refname.is_none(), "{report:?}");
        assert!(writer.asked().len() <= 12, "{:?}", writer.asked());
        // One chunk that it does not take is not all.
        let first = Mutex::new(true);
        let writer = Writer::new(|n| match n {
            1 if std::mem::take(&mut *first.lock().unwrap()) => Err(refused()),
            1 => good(1),
            _ => Ok("no".into()),
        });
        let report = made(&repo, &plan, &writer);
        assert_eq!((report.n_notes, report.n_useless, report.n_left), (19, 1, 1), "{report:?}");
        assert!(report.failure.is_none());
    }
}
