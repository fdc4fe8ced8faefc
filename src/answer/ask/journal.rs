//! The trace of a question: a JSON Lines file that stores every answer that was paid for.
//!
//! The first line is the [`Header`]. Each answer of the model follows as `{"call": …}`, stored
//! under the hash of model and prompt, and written to disk before it is used. Other events follow
//! as `{"searched": …}`, `{"step": …}`, `{"answer": …}`.
//!
//! To resume from a trace, answers are taken from it as long as the model and the prompt are the
//! same. Searches are repeated, because they are free and deterministic. An incomplete last line is
//! left by a process that was stopped, and is ignored.
#![allow(clippy::disallowed_methods, reason = "owns the trace that the user asks for")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::base::chat::{self, Cost, LanguageModel, Prompt, Reply, ReplyUpdate, RequestBody};
use crate::base::new_file::NewFile;
use crate::base::progress::Cancel;
use crate::base::threads::lock;

use super::{Error, Result};

/// Format version of the trace.
const VERSION: u32 = 1;

/// Maximum size of a trace: a thousand answers of 100 kB each, with their prompts.
const MOST_BYTES: u64 = 256 << 20;

/// The first line of a trace: what it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Format version: 1.
    pub cora_ask: u32,
    /// The question.
    pub question: String,
    /// The revision, as the user wrote it.
    pub revision: String,
    /// The commit that is searched; empty before the first commit.
    pub commit: String,
    /// The model's id; empty if there is none.
    pub model: String,
}

impl Header {
    /// Returns the header of a new trace.
    pub fn new(question: &str, revision: &str, commit: &str, model: &str) -> Self {
        let owned = str::to_owned;
        Self {
            cora_ask: VERSION,
            question: owned(question),
            revision: owned(revision),
            commit: owned(commit),
            model: owned(model),
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
struct Call {
    key: String,
    prompt: Prompt,
    reply: Reply,
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    call: Option<Call>,
}

/// The answers that were paid for, and the file that stores them.
#[derive(Default)]
pub struct Journal {
    known: HashMap<String, Call>,
    file: Option<(PathBuf, File)>,
}

impl Journal {
    /// Returns a journal without a file.
    pub fn none() -> Self {
        Self::default()
    }

    /// Creates a trace, at a path where no file exists yet.
    ///
    /// # Errors
    /// [`Error::Trace`].
    pub fn begin(path: &Path, header: &Header) -> Result<Self> {
        let failed = failed("write", path);
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(&failed)?;
        let mut journal = Self { known: HashMap::new(), file: Some((path.to_owned(), file)) };
        journal.append(header)?;
        Ok(journal)
    }

    /// Reads the header and the answers of a trace. Writes nothing yet.
    ///
    /// # Errors
    /// [`Error::Trace`] if it can't be read, [`Error::Resume`] if it is not a trace.
    pub fn read(path: &Path) -> Result<(Header, Self)> {
        let bad = |why: String| Error::Resume { path: path.display().to_string(), why };
        let file = File::open(path).map_err(failed("read", path))?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed("read", path))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(bad(format!("it is larger than {} MiB", MOST_BYTES >> 20)));
        }
        Self::decode(&bytes).map_err(bad)
    }

    /// Reads the header and the answers from the bytes of a trace.
    ///
    /// # Errors
    /// The reason why it is not a trace that this program can read.
    pub fn decode(bytes: &[u8]) -> std::result::Result<(Header, Self), String> {
        // The last line is complete only with its line feed.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = bytes.get(..whole).unwrap_or_default().split(|&byte| byte == b'\n');
        let header: Header = serde_json::from_slice(lines.next().unwrap_or_default())
            .map_err(|_| "it is not a trace".to_owned())?;
        if header.cora_ask != VERSION {
            return Err(format!("it has version {}; this program reads version {VERSION}", header.cora_ask));
        }
        let mut known = HashMap::new();
        for (line, n) in lines.zip(2..).filter(|(line, _)| !line.is_empty()) {
            let line: Line = serde_json::from_slice(line).map_err(|_| format!("line {n} is damaged"))?;
            if let Some(call) = line.call {
                known.insert(call.key.clone(), call);
            }
        }
        Ok((header, Self { known, file: None }))
    }

    /// Continues the trace this was read from: writes a header and the known answers to it, and new
    /// events from now on.
    ///
    /// # Errors
    /// [`Error::Trace`].
    pub fn go_on(self, path: &Path, header: &Header) -> Result<Self> {
        // Replace the file atomically: if the process stops here, the old trace is unchanged.
        let failed = failed("write", path);
        let directory = path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = NewFile::in_dir(directory, ".cora-", 0o666).map_err(&failed)?;
        let file = temporary.as_file().try_clone().map_err(&failed)?;
        let mut journal = Self { known: HashMap::new(), file: Some((path.to_owned(), file)) };
        journal.append(header)?;
        let mut calls: Vec<&Call> = self.known.values().collect();
        calls.sort_by(|a, b| a.key.cmp(&b.key));
        for call in calls {
            journal.append(&serde_json::json!({ "call": call }))?;
        }
        let file = temporary.persist(path).map_err(&failed)?;
        journal.file = Some((path.to_owned(), file));
        journal.known = self.known;
        Ok(journal)
    }

    /// Returns the cost of all its answers.
    pub fn spent(&self) -> Cost {
        let mut spent = Cost::default();
        for call in self.known.values() {
            spent.calls += 1;
            spent.usage.input = spent.usage.input.saturating_add(call.reply.usage.input);
            spent.usage.output = spent.usage.output.saturating_add(call.reply.usage.output);
        }
        spent
    }

    /// Appends an event.
    ///
    /// # Errors
    /// [`Error::Trace`].
    pub fn note(&mut self, what: &str, value: &impl Serialize) -> Result<()> {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.append(&serde_json::json!({ what: value }))
    }

    /// Appends a line and syncs it to disk.
    fn append(&mut self, line: &impl Serialize) -> Result<()> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let mut bytes = serde_json::to_vec(line).unwrap_or_default();
        bytes.push(b'\n');
        file.write_all(&bytes).and_then(|()| file.sync_data()).map_err(failed("write", path))
    }

    /// Wraps a model: known answers are taken from the journal, new ones are stored in it.
    pub fn over<M: LanguageModel>(journal: &Mutex<Self>, model: M) -> JournaledModel<'_, M> {
        JournaledModel { journal, model }
    }
}

fn failed(action: &'static str, path: &Path) -> impl Fn(std::io::Error) -> Error {
    let path = path.display().to_string();
    move |source| Error::Trace { action, path: path.clone(), source }
}

/// Returns the key of an answer: the hash of model and prompt.
fn key(model: &str, prompt: &Prompt) -> String {
    let mut hash = Sha256::new();
    hash.update(model);
    hash.update([0]);
    hash.update(serde_json::to_vec(prompt).unwrap_or_default());
    hash.finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// A model whose answers are stored in a journal.
pub struct JournaledModel<'j, M> {
    journal: &'j Mutex<Journal>,
    model: M,
}

impl<M> JournaledModel<'_, M> {
    /// Returns the wrapped model.
    pub fn model(&self) -> &M {
        &self.model
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        lock(self.journal)
    }
}

impl<M: LanguageModel> LanguageModel for JournaledModel<'_, M> {
    fn id(&self) -> String {
        self.model.id()
    }

    fn outgoing(&self, prompt: &Prompt) -> RequestBody {
        self.model.outgoing(prompt)
    }

    fn complete(
        &self,
        prompt: &Prompt,
        update: &mut dyn FnMut(ReplyUpdate<'_>),
        cancel: &Cancel,
    ) -> chat::Result<Reply> {
        let key = key(&self.model.id(), prompt);
        if let Some(call) = self.journal().known.get(&key) {
            return Ok(call.reply.clone());
        }
        let reply = self.model.complete(prompt, update, cancel)?;
        let call = Call { key: key.clone(), prompt: prompt.clone(), reply: reply.clone() };
        let mut journal = self.journal();
        let written = journal.append(&serde_json::json!({ "call": call }));
        journal.known.insert(key, call);
        drop(journal);
        match written {
            Ok(()) => Ok(reply),
            Err(error) => Err(chat::Error::Kept { why: error_line(&error) }),
        }
    }
}

/// Returns an error with its cause on one line.
fn error_line(error: &Error) -> String {
    let source = std::error::Error::source(error).map(|source| format!(": {source}"));
    format!("{error}{}", source.unwrap_or_default())
}
