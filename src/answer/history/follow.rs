//! From commit to commit: a declaration in a commit → the rows of its history.
//!
//! Owns [`Follower`]. Git lists the commits that changed a file, with their nearest
//! parents that did so too. Versions with the same text of the declaration are passed over, and so
//! are merges with such a parent. Where the text differs, both versions are read, as far as they
//! declare the name, and the declaration is found by kind and symbol. Where it is missing, `origin`
//! looks for it elsewhere.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use bstr::{BString, ByteSlice};

use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{PathCommit, Repository};
use crate::search::{Error, Result};

use super::cache;
use super::change::HistoryChange;
use super::gap::{self, Earlier};
use super::origin::{self, Relation};
use super::row::{HistoryRow, row};
use super::subject::{Subject, changes, edges, matching};
use super::version::{Entry, Version, VersionReader, blob_in};

/// The commits that changed a file, from one commit back.
struct Trail {
    path: BString,
    commits: Vec<PathCommit>,
    places: HashMap<ObjectId, usize>,
}

/// Where a version has the text of a declaration.
enum TextPlace {
    /// Between the same lines.
    Same,
    /// Between other lines, or it is too short to be looked for, or the version can't be read.
    Unknown,
    /// Nowhere.
    Absent,
}

/// A declaration at a commit of a trail.
struct Position {
    trail: usize,
    at: usize,
    subject: Subject,
}

/// A position as a step of the walk: what was found there, and where the walk went on.
struct Step {
    /// When its commit was made.
    time: i64,
    /// Newest first.
    rows: Vec<HistoryRow>,
    /// The steps behind it, which are older.
    next: Vec<usize>,
}

/// Walks back through history.
pub(super) struct Follower<'f, 'r> {
    repo: &'f Repository,
    reader: &'f mut VersionReader<'r>,
    known: Option<cache::EarlierWalk>,
    /// Whether the walk ends with the first row.
    is_newest: bool,
    task: Task<'f>,
    trails: Vec<Trail>,
    queue: BinaryHeap<(i64, Reverse<usize>)>,
    positions: Vec<Option<Position>>,
    seen: HashMap<(ObjectId, BString, String, u32), usize>,
    /// For each position, its step.
    steps: Vec<Step>,
    /// The step in which the walk is.
    present: Option<usize>,
}

impl<'f, 'r> Follower<'f, 'r> {
    pub(super) fn new(
        repo: &'f Repository,
        reader: &'f mut VersionReader<'r>,
        known: Option<cache::EarlierWalk>,
        task: Task<'f>,
    ) -> Self {
        Self {
            repo,
            reader,
            known,
            is_newest: false,
            task,
            trails: Vec::new(),
            queue: BinaryHeap::new(),
            positions: Vec::new(),
            seen: HashMap::new(),
            steps: Vec::new(),
            present: None,
        }
    }

    /// Ends the walk with the first row.
    pub(super) fn newest(mut self) -> Self {
        self.is_newest = true;
        self
    }

    /// The rows of a declaration that `commit` has, newest first, and the newest commit that
    /// changed its file.
    pub(super) fn follow(
        mut self,
        commit: ObjectId,
        subject: Subject,
    ) -> Result<(Vec<HistoryRow>, ObjectId)> {
        self.enter(commit, subject)?;
        let first = self.commit(0, 0).map_or(commit, |first| first.id);
        while let Some((_, Reverse(at))) = self.queue.pop() {
            let step = self.present.and_then(|at| self.steps.get(at));
            if self.is_newest && step.is_some_and(|step| !step.rows.is_empty()) {
                break;
            }
            if self.task.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let Some(position) = self.positions.get_mut(at).and_then(Option::take) else { continue };
            if let Some(mut known) = self.spliced(&position) {
                let mut rows = in_order(self.steps);
                rows.append(&mut known);
                return Ok((rows, first));
            }
            self.present = Some(at);
            self.step(position)?;
        }
        Ok((in_order(self.steps), first))
    }

    /// The rest of the history, if it was found before and this is the only line left.
    fn spliced(&mut self, position: &Position) -> Option<Vec<HistoryRow>> {
        let known = self.known.as_ref()?;
        let trail = self.trails.get(position.trail)?;
        let commit = trail.commits.get(position.at)?.id;
        let place = &position.subject.place;
        let is_known = self.queue.is_empty()
            && known.first == commit
            && known.path == trail.path
            && known.symbol == place.symbol
            && known.line == place.line;
        if is_known { self.known.take().map(|known| known.rows) } else { None }
    }

    /// Starts a trail at a commit that has the subject.
    fn enter(&mut self, commit: ObjectId, subject: Subject) -> Result<()> {
        let path = subject.place.path.clone();
        let commits = self.repo.path_commits(commit, path.as_bstr(), self.task.cancel)?;
        let places = commits.iter().enumerate().map(|(at, commit)| (commit.id, at)).collect();
        let trail = self.trails.len();
        self.trails.push(Trail { path, commits, places });
        self.push(Position { trail, at: 0, subject })
    }

    fn push(&mut self, position: Position) -> Result<()> {
        let Some(commit) = self.commit(position.trail, position.at) else { return Ok(()) };
        let place = &position.subject.place;
        let key = (commit.id, place.path.clone(), place.symbol.clone(), place.line);
        let next = self.positions.len();
        let known = *self.seen.entry(key).or_insert(next);
        if let Some(step) = self.present.and_then(|at| self.steps.get_mut(at)) {
            step.next.push(known);
        }
        if known != next {
            return Ok(());
        }
        let time = self.repo.commit(commit.id)?.committer_time_s;
        self.task.progress.advance(1);
        self.queue.push((time, Reverse(next)));
        self.positions.push(Some(position));
        self.steps.push(Step { time, rows: Vec::new(), next: Vec::new() });
        Ok(())
    }

    fn commit(&self, trail: usize, at: usize) -> Option<PathCommit> {
        self.trails.get(trail)?.commits.get(at).cloned()
    }

    fn report(&mut self, row: HistoryRow) {
        if let Some(step) = self.present.and_then(|at| self.steps.get_mut(at)) {
            step.rows.push(row);
        }
    }

    fn step(&mut self, position: Position) -> Result<()> {
        let Position { trail, at, mut subject } = position;
        let Some(path) = self.trails.get(trail).map(|trail| trail.path.clone()) else { return Ok(()) };
        let mut run = self.run(trail, at, &path, &subject)?;
        if run.len() > 1 {
            let end = self.in_run(&path, &subject, &run, run.len() - 1)?;
            if let Some(end) = end.filter(|end| end.place.symbol == subject.place.symbol) {
                subject = end;
            } else {
                // Of a merge, the parent with the same symbol is followed.
                let n_parents = |at: usize| self.commit(trail, at).map_or(0, |one| one.parents.len());
                if let Some(merge) = run.iter().position(|(at, _)| n_parents(*at) > 1) {
                    run.truncate(merge + 1);
                }
                subject = self.settle(trail, &path, subject, &run)?;
            }
        }
        let at = run.last().map_or(at, |(at, _)| *at);
        let Some(commit) = self.commit(trail, at) else { return Ok(()) };
        if run.len() > 1 {
            return self.push(Position { trail, at, subject });
        }
        match commit.parents.as_slice() {
            [] => self.came(trail, commit.id, subject),
            [parent] => self.compare(trail, commit.id, *parent, subject),
            parents => self.merge(trail, commit.id, parents, subject),
        }
    }

    /// The versions with the same text of the subject, from a position back, newest first. Of a
    /// merge, the first parent with the same text is followed.
    fn run(
        &mut self,
        trail: usize,
        mut at: usize,
        path: &BString,
        subject: &Subject,
    ) -> Result<Vec<(usize, ObjectId)>> {
        let mut run = vec![(at, subject.place.blob)];
        loop {
            let Some(commit) = self.commit(trail, at) else { return Ok(run) };
            let known = self.known.as_ref().is_some_and(|known| known.first == commit.id);
            if known && run.len() > 1 {
                return Ok(run);
            }
            let Some(next) = self.parent_with_text(trail, &commit, path, subject)? else { return Ok(run) };
            if self.task.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.task.progress.advance(1);
            run.push(next);
            at = next.0;
        }
    }

    fn place_of(&self, trail: usize, commit: ObjectId) -> Option<usize> {
        self.trails.get(trail)?.places.get(&commit).copied()
    }

    /// The first parent whose version has the text of the declaration, in the trail; `None` if the
    /// text alone does not tell.
    fn parent_with_text(
        &mut self,
        trail: usize,
        commit: &PathCommit,
        path: &BString,
        subject: &Subject,
    ) -> Result<Option<(usize, ObjectId)>> {
        for parent in &commit.parents {
            let Some(blob) = blob_in(self.repo, *parent, path.as_bstr())? else { continue };
            match self.text_in(subject, blob)? {
                TextPlace::Same => return Ok(self.place_of(trail, *parent).zip(Some(blob))),
                TextPlace::Unknown => return Ok(None),
                TextPlace::Absent => {}
            }
        }
        Ok(None)
    }

    /// Whether a version has the text of the declaration as it is, between the same lines. If a
    /// commit took lines from its beginning or end, the older text contains the newer one.
    fn text_in(&mut self, subject: &Subject, blob: ObjectId) -> Result<TextPlace> {
        if blob == subject.place.blob {
            return Ok(TextPlace::Same);
        }
        let Some(text) = self.reader.text(blob)?.filter(|_| subject.is_sure) else {
            return Ok(TextPlace::Unknown);
        };
        let mut found = TextPlace::Absent;
        for (at, part) in text.match_indices(&*subject.text) {
            if edges(&text, at, part.len()) == subject.edges {
                return Ok(TextPlace::Same);
            }
            found = TextPlace::Unknown;
        }
        Ok(found)
    }

    /// The declaration in the last version of a run with the same text. Reports where its class or
    /// module changed around it.
    fn settle(
        &mut self,
        trail: usize,
        path: &BString,
        mut subject: Subject,
        run: &[(usize, ObjectId)],
    ) -> Result<Subject> {
        let mut from = 0;
        let last = run.len().saturating_sub(1);
        let Some(mut at_last) = self.in_run(path, &subject, run, last)? else { return Ok(subject) };
        while at_last.place.symbol != subject.place.symbol && from < last {
            // The first of the run with another symbol.
            let (mut low, mut high) = (from, last);
            while high - low > 1 {
                let middle = usize::midpoint(low, high);
                let is_same = self
                    .in_run(path, &subject, run, middle)?
                    .is_some_and(|one| one.place.symbol == subject.place.symbol);
                if is_same { low = middle } else { high = middle }
            }
            let Some(old) = self.in_run(path, &subject, run, high)? else { break };
            let new = self.in_run(path, &subject, run, low)?.unwrap_or_else(|| subject.clone());
            if let Some(commit) = run.get(low).and_then(|(at, _)| self.commit(trail, *at)) {
                let changes = changes(&new, &old);
                self.report(row(commit.id, changes, Some(new.place), Some(old.place.clone())));
            }
            (subject, from) = (old, high);
            if high == last {
                at_last = subject.clone();
            }
        }
        Ok(at_last)
    }

    /// The declaration with the same text in a version of a run.
    fn in_run(
        &mut self,
        path: &BString,
        subject: &Subject,
        run: &[(usize, ObjectId)],
        at: usize,
    ) -> Result<Option<Subject>> {
        let Some((_, blob)) = run.get(at) else { return Ok(None) };
        if *blob == subject.place.blob {
            return Ok(Some(subject.clone()));
        }
        self.find(path, *blob, subject, |version| {
            let same = version.entries.iter().filter(|one| version.text_of(one) == &*subject.text);
            let best =
                same.min_by_key(|one| (one.symbol != subject.place.symbol, one.kind != subject.entry.kind));
            best.or_else(|| matching(version, subject))
        })
    }

    /// The declaration of a version that `pick` returns. If only the declarations of the subject's
    /// name are known, and none is the right one, all are read.
    fn find(
        &mut self,
        path: &BString,
        blob: ObjectId,
        subject: &Subject,
        pick: impl Fn(&Version) -> Option<&Entry>,
    ) -> Result<Option<Subject>> {
        let name = &subject.entry.name;
        if subject.text.contains(name.as_str()) {
            let Some(version) = self.reader.version_of(path.as_bstr(), blob, name)? else { return Ok(None) };
            if let Some(entry) = pick(&version) {
                return Ok(Some(Subject::of(path, blob, &version, entry)));
            }
        }
        let Some(version) = self.reader.version(path.as_bstr(), blob)? else { return Ok(None) };
        Ok(pick(&version).map(|entry| Subject::of(path, blob, &version, entry)))
    }

    /// Compares a commit with its only parent.
    fn compare(&mut self, trail: usize, commit: ObjectId, parent: ObjectId, subject: Subject) -> Result<()> {
        let Some(old) = self.in_parent(&subject, parent)? else { return self.came(trail, commit, subject) };
        let changes = changes(&subject, &old);
        // Git leaves out the parents of a merge that never had a file of this path.
        let sides = if changes.is_empty() { Vec::new() } else { self.sides(commit, &subject)? };
        self.report_beside(commit, changes, [&subject, &old], sides)?;
        self.go_on(trail, parent, old)
    }

    /// Reports what a commit changed, unless a side of a merge has the declaration as it is now.
    /// Then follows the sides.
    fn report_beside(
        &mut self,
        commit: ObjectId,
        changes: Vec<HistoryChange>,
        [new, old]: [&Subject; 2],
        sides: Vec<(ObjectId, Subject)>,
    ) -> Result<()> {
        if !changes.is_empty() && sides.iter().all(|(_, side)| side.text != new.text) {
            let mut row = row(commit, changes, Some(new.place.clone()), Some(old.place.clone()));
            row.merge = self.repo.commit(commit)?.parents.len() > 1;
            self.report(row);
        }
        for (parent, side) in sides {
            self.enter(parent, side)?;
        }
        Ok(())
    }

    /// The declaration in those parents of a merge that have its file under another path: one side
    /// renamed the file, and the other one went on with the old path.
    fn sides(&mut self, commit: ObjectId, subject: &Subject) -> Result<Vec<(ObjectId, Subject)>> {
        let of = self.repo.commit(commit)?;
        let mut found = Vec::new();
        if of.parents.len() < 2 {
            return Ok(found);
        }
        for parent in of.parents {
            if blob_in(self.repo, parent, subject.place.path.as_bstr())?.is_some() {
                continue;
            }
            let origin = origin::origin(self.repo, self.reader, subject, [parent, commit], self.task)?;
            if let Some((old, Relation::Same)) = origin
                && old.entry.name == subject.entry.name
            {
                found.push((parent, old));
            }
        }
        Ok(found)
    }

    /// Goes on with a parent in the same trail.
    fn go_on(&mut self, trail: usize, parent: ObjectId, old: Subject) -> Result<()> {
        match self.place_of(trail, parent) {
            Some(at) => self.push(Position { trail, at, subject: old }),
            None => self.enter(parent, old),
        }
    }

    /// The declaration of the same symbol in a parent.
    fn in_parent(&mut self, subject: &Subject, parent: ObjectId) -> Result<Option<Subject>> {
        let path = &subject.place.path;
        let Some(blob) = blob_in(self.repo, parent, path.as_bstr())? else { return Ok(None) };
        self.find(path, blob, subject, |version| matching(version, subject))
    }

    /// Follows the parent of a merge that has the same declaration; if there is none, all that have
    /// it.
    fn merge(
        &mut self,
        trail: usize,
        commit: ObjectId,
        parents: &[ObjectId],
        subject: Subject,
    ) -> Result<()> {
        let mut found = Vec::new();
        for parent in parents {
            let Some(old) = self.in_parent(&subject, *parent)? else { continue };
            if old.text == subject.text && old.place.symbol == subject.place.symbol {
                return self.go_on(trail, *parent, old);
            }
            found.push((*parent, old));
        }
        let Some((_, first)) = found.first() else { return self.came(trail, commit, subject) };
        let changes = changes(&subject, first);
        let sides = self.sides(commit, &subject)?;
        self.report_beside(commit, changes, [&subject, first], sides)?;
        for (parent, old) in found {
            self.go_on(trail, parent, old)?;
        }
        Ok(())
    }

    /// The declaration is in none of the parents' versions of its file.
    fn came(&mut self, trail: usize, commit: ObjectId, subject: Subject) -> Result<()> {
        let of = self.repo.commit(commit)?;
        if of.shallow {
            self.report(row(commit, vec![HistoryChange::CloneEnds], Some(subject.place), None));
            return Ok(());
        }
        // What an unreadable version had is unknown, so nothing is claimed about the origin.
        for parent in &of.parents {
            let blob = blob_in(self.repo, *parent, subject.place.path.as_bstr())?;
            if blob.is_some_and(|blob| self.reader.missing().contains(&blob)) {
                self.report(row(commit, vec![HistoryChange::Unknown], Some(subject.place), None));
                return Ok(());
            }
        }
        let n_missing = self.reader.missing().len();
        let mut source = None;
        for parent in &of.parents {
            let found = origin::origin(self.repo, self.reader, &subject, [*parent, commit], self.task)?;
            let Some((old, relation)) = found else { continue };
            let place = Some(subject.place.clone());
            if let Relation::Copied | Relation::Split = relation {
                let change = match relation {
                    Relation::Copied => HistoryChange::Copied,
                    _ => HistoryChange::Split,
                };
                source = Some(row(commit, vec![change], place, Some(old.place)));
                break;
            }
            return self.came_from(commit, &subject, *parent, old);
        }
        if source.is_none() && self.moved_in_two_commits(commit, &of.parents, &subject)? {
            return Ok(());
        }
        if self.came_again(trail, commit, &subject)? {
            return Ok(());
        }
        let is_sure = self.reader.missing().len() == n_missing;
        let change = if is_sure { HistoryChange::Added } else { HistoryChange::Unknown };
        self.report(source.unwrap_or_else(|| row(commit, vec![change], Some(subject.place), None)));
        Ok(())
    }

    /// Goes on with the file that the commit before removed, if `commit` added the subject's file
    /// for it. Returns whether it did.
    fn moved_in_two_commits(
        &mut self,
        commit: ObjectId,
        parents: &[ObjectId],
        subject: &Subject,
    ) -> Result<bool> {
        let [parent] = parents else { return Ok(false) };
        let before = self.repo.commit(*parent)?;
        let [earlier] = before.parents.as_slice() else { return Ok(false) };
        let is_new = blob_in(self.repo, *parent, subject.place.path.as_bstr())?.is_none();
        if before.shallow || !is_new {
            return Ok(false);
        }
        let removed = self.repo.diff_trees(Some(self.repo.commit(*earlier)?.tree), before.tree)?;
        if removed.iter().all(|change| change.new.is_some()) {
            return Ok(false);
        }
        let found = origin::origin(self.repo, self.reader, subject, [*earlier, commit], self.task)?;
        let Some((old, Relation::Same)) = found else { return Ok(false) };
        // What the commit between both still had did not move now.
        if blob_in(self.repo, *parent, old.place.path.as_bstr())?.is_some() {
            return Ok(false);
        }
        self.came_from(commit, subject, *earlier, old)?;
        Ok(true)
    }

    /// Reports what became of a declaration of an earlier commit, and goes on with that.
    fn came_from(&mut self, commit: ObjectId, subject: &Subject, from: ObjectId, old: Subject) -> Result<()> {
        let (new, before) = (Some(subject.place.clone()), Some(old.place.clone()));
        self.report(row(commit, changes(subject, &old), new, before));
        self.enter(from, old)
    }

    /// Goes on behind the commit that removed the declaration, if `commit` added it again. Returns
    /// whether it did.
    fn came_again(&mut self, trail: usize, commit: ObjectId, subject: &Subject) -> Result<bool> {
        let Some(at) = self.place_of(trail, commit) else { return Ok(false) };
        let Some(of) = self.trails.get(trail) else { return Ok(false) };
        let found = gap::earlier(self.repo, self.reader, &of.commits, at, subject, self.task)?;
        let Some(Earlier { removed, at, subject: old }) = found else { return Ok(false) };
        self.report(row(commit, vec![HistoryChange::Added], Some(subject.place.clone()), None));
        self.report(row(removed, vec![HistoryChange::Removed], None, Some(old.place.clone())));
        self.push(Position { trail, at, subject: old })?;
        Ok(true)
    }
}

/// The rows of a walk, newest first: a commit comes before its ancestors, whatever its date says.
/// Of two lines of history, the later date comes first.
fn in_order(mut steps: Vec<Step>) -> Vec<HistoryRow> {
    let mut n_before = vec![0usize; steps.len()];
    for next in steps.iter().flat_map(|step| &step.next) {
        if let Some(n) = n_before.get_mut(*next) {
            *n += 1;
        }
    }
    let begun = (0..steps.len()).filter(|at| n_before.get(*at) == Some(&0));
    let key = |steps: &[Step], at: usize| Some((steps.get(at)?.time, Reverse(at)));
    let mut open: BinaryHeap<(i64, Reverse<usize>)> = begun.filter_map(|at| key(&steps, at)).collect();
    let mut rows = Vec::new();
    while let Some((_, Reverse(at))) = open.pop() {
        let Some(step) = steps.get_mut(at) else { continue };
        rows.append(&mut step.rows);
        for next in std::mem::take(&mut step.next) {
            if let Some(n) = n_before.get_mut(next) {
                *n -= 1;
                if *n == 0 {
                    open.extend(key(&steps, next));
                }
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_comes_before_its_ancestors() {
        // Two lines that meet; the clock of the second commit is wrong.
        let steps = [(9, vec![1, 3]), (2, vec![2]), (7, vec![4]), (8, vec![4]), (1, vec![])];
        let steps = steps.into_iter().zip(0u8..).map(|((time, next), id)| {
            let commit = id.to_string().repeat(40).parse().unwrap();
            Step { time, rows: vec![row(commit, Vec::new(), None, None)], next }
        });
        let order: Vec<String> =
            in_order(steps.collect()).iter().map(|row| row.commit.abbreviated(1)).collect();
        assert_eq!(order.concat(), "03124");
    }
}
