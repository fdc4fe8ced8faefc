//! The index of each repository, prepared before a request needs it, and its progress.
//!
//! The client is asked for a progress only if the work takes longer than [`SHORT`]. A client that
//! does not want one gets none.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lsp_server::Notification;
use serde_json::{Value, json};

use git_cora::base::progress::Cancel;

use super::SharedState;
use super::failure::RequestError;
use crate::server::pool::{JobProgress, SearcherState, WaitLimits};

/// Work that takes less time shows no progress.
const SHORT: Duration = Duration::from_millis(300);
/// Shortest time between two reports.
const REPORT: Duration = Duration::from_millis(250);
/// Longest time that the client may take to create a progress.
const CREATE: Duration = Duration::from_secs(5);
/// Longest time that is waited for an index; the work goes on after that.
const LONGEST: Duration = Duration::from_secs(4 * 3600);

/// Prepares the repositories of these roots, one after the other, on a thread of its own.
/// `is_shown` says whether the client may be asked for a progress.
pub(super) fn prepare(shared: &Arc<SharedState>, roots: Vec<PathBuf>, is_shown: bool) {
    let own = Arc::clone(shared);
    let thread = std::thread::Builder::new().name("prepare".to_owned()).spawn(move || {
        for root in roots {
            if let Err(error) = prepare_one(&own, &root, is_shown) {
                own.log(&format!("'{}': {}", root.display(), error.message));
            }
        }
    });
    if let Err(error) = thread {
        shared.log(&format!("no thread could be started to index the repository: {error}"));
    }
}

fn prepare_one(
    shared: &Arc<SharedState>,
    root: &std::path::Path,
    is_shown: bool,
) -> Result<(), RequestError> {
    let kept = shared.pool.open(root)?;
    let revision = shared.settings().revision;
    let (target, _) = kept.target(revision.as_deref())?;
    let progress = ShownProgress::new(shared, root, is_shown);
    let (cancel, tell) = (Cancel::default(), |stage: &JobProgress| progress.report(stage));
    let outcome =
        kept.reach(&shared.pool, &target, &WaitLimits { patience: LONGEST, cancel: &cancel, tell: &tell });
    let message = match &outcome {
        Ok(SearcherState::Exact(_)) => "ready".to_owned(),
        Ok(SearcherState::Nearest(_, how_far) | SearcherState::Nothing(how_far)) => how_far.clone(),
        Err(error) => error.message(),
    };
    progress.end(&message);
    outcome?;
    Ok(())
}

/// A progress of the client, once it is created.
struct ShownProgress<'s> {
    shared: &'s SharedState,
    title: String,
    begun: Instant,
    last: Cell<Instant>,
    state: RefCell<ProgressState>,
}

enum ProgressState {
    Waiting,
    /// The client does not want it.
    Refused,
    Shown(String),
}

impl<'s> ShownProgress<'s> {
    fn new(shared: &'s SharedState, root: &std::path::Path, is_shown: bool) -> Self {
        let name = root.file_name().map(|name| name.to_string_lossy().into_owned());
        let title = format!("git cora: indexing {}", name.unwrap_or_default());
        let now = Instant::now();
        let state = if is_shown { ProgressState::Waiting } else { ProgressState::Refused };
        Self { shared, title, begun: now, last: Cell::new(now), state: RefCell::new(state) }
    }

    fn report(&self, stage: &JobProgress) {
        let mut state = self.state.borrow_mut();
        if matches!(*state, ProgressState::Waiting) && self.begun.elapsed() >= SHORT {
            *state = match self.shared.create_progress(CREATE) {
                Some(token) => {
                    let begin = json!({ "kind": "begin", "title": self.title, "cancellable": false });
                    self.send(&token, &begin);
                    ProgressState::Shown(token)
                }
                None => ProgressState::Refused,
            };
        }
        if let ProgressState::Shown(token) = &*state
            && self.last.get().elapsed() >= REPORT
        {
            self.last.set(Instant::now());
            self.send(token, &json!({ "kind": "report", "message": stage.line() }));
        }
    }

    fn end(&self, message: &str) {
        if let ProgressState::Shown(token) = &*self.state.borrow() {
            self.send(token, &json!({ "kind": "end", "message": message }));
        }
    }

    fn send(&self, token: &str, value: &Value) {
        let params = json!({ "token": token, "value": value });
        self.shared.output.send(Notification { method: "$/progress".to_owned(), params });
    }
}
