//! The Language Server Protocol over standard input and output: an editor's requests → places of
//! declarations and references.
//!
//! Owns the server that `git cora lsp` runs: the life of the connection, and which request is
//! answered by which function. The main thread reads messages in order and applies changes of
//! documents. Requests run on other threads, each with the documents as they were when it came. A
//! request that is cancelled gets its error immediately; what it has computed is dropped.
//!
//! No request writes anything but the index. What an answer says is computed by the library, as for
//! the other servers.

mod call;
mod content;
mod documents;
mod failure;
mod folders;
mod frame;
mod hierarchy;
mod hover;
mod initialize;
mod json;
mod navigate;
mod progress;
mod symbols;
mod text;
mod uri;
mod work;

use std::collections::HashMap;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gen_lsp_types::{DidChangeWorkspaceFoldersParams, DidSaveTextDocumentParams};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use git_cora::base::progress::Cancel;

use super::json_rpc;
use super::pool::RepositoryPool;
use call::Call;
use documents::Documents;
use failure::RequestError;
use folders::Folders;
use frame::{Input, MESSAGE_BYTES, Output, parse, read_frame};
use git_cora::base::threads::lock;
pub(crate) use initialize::Settings;
use initialize::{Client, initialized};
use work::Workers;

/// Number of messages that are read ahead.
const AHEAD: usize = 64;
/// Longest time that the end waits for the client to read the last replies.
const FLUSH: Duration = Duration::from_secs(1);

/// A function that answers a request.
type Handler = fn(&Call<'_>, Value) -> Result<Value, RequestError>;

/// A handler with its request.
type RequestWork = Box<dyn Fn(&Call<'_>, &SharedState) -> Result<Value, RequestError> + Send>;

/// The requests, by their methods.
const HANDLERS: [(&str, Handler); 10] = [
    ("callHierarchy/incomingCalls", hierarchy::incoming),
    ("callHierarchy/outgoingCalls", hierarchy::outgoing),
    ("textDocument/definition", navigate::definition),
    ("textDocument/documentSymbol", symbols::document_symbol),
    ("textDocument/hover", hover::hover),
    ("textDocument/implementation", navigate::implementation),
    ("textDocument/prepareCallHierarchy", hierarchy::prepare),
    ("textDocument/references", navigate::references),
    ("workspace/symbol", symbols::workspace_symbol),
    ("workspace/textDocumentContent", content::text_document_content),
];

/// Something that the main thread reacts to.
enum Event {
    Input(Input),
    /// The client has closed its end, or a signal asks to stop.
    End,
}

/// Serves standard input and output until the client ends it. Returns whether the client asked for
/// the end, as the protocol wants it.
pub(crate) fn run(directory: PathBuf, settings: Settings) -> anyhow::Result<bool> {
    let (sender, events) = mpsc::sync_channel(AHEAD);
    let ended = sender.clone();
    let output = Output::start(std::io::stdout(), move || drop(ended.send(Event::End)))?;
    let stopped = sender.clone();
    // Fails only if a handler is already set. Then a signal ends the process, which damages
    // nothing.
    let _ = ctrlc::set_handler(move || drop(stopped.send(Event::End)));
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut input = BufReader::new(std::io::stdin());
        while let Ok(Some(frame)) = read_frame(&mut input, MESSAGE_BYTES) {
            let Some(input) = parse(&frame) else { continue };
            if sender.send(Event::Input(input)).is_err() {
                return;
            }
        }
        drop(sender.send(Event::End));
    })?;
    let shared = Arc::new(SharedState {
        pool: Arc::new(RepositoryPool::around(None)),
        output,
        workers: Workers::start()?,
        settings: Mutex::new(settings),
        pending: Mutex::default(),
        replies: Mutex::default(),
        next_id: AtomicI32::new(1),
    });
    let mut server = Server {
        shared: Arc::clone(&shared),
        directory,
        client: None,
        documents: Documents::default(),
        folders: Folders::default(),
        is_shut_down: false,
    };
    server.serve(&events);
    shared.output.flush(FLUSH);
    shared.pool.close();
    Ok(server.is_shut_down)
}

/// What the threads share.
struct SharedState {
    pool: Arc<RepositoryPool>,
    output: Output,
    workers: Arc<Workers>,
    settings: Mutex<Settings>,
    /// The requests without a reply.
    pending: Mutex<HashMap<RequestId, Cancel>>,
    /// Those who wait for a reply of the client: whether it agrees.
    replies: Mutex<HashMap<RequestId, Sender<bool>>>,
    next_id: AtomicI32,
}

impl SharedState {
    fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Writes a line into the client's log.
    fn log(&self, message: &str) {
        const WARNING: u32 = 2;
        let params = json!({ "type": WARNING, "message": format!("git cora: {message}") });
        self.output.send(Notification { method: "window/logMessage".to_owned(), params });
    }

    /// Replies to a request, unless it already has a reply.
    fn reply(&self, id: &RequestId, result: Result<Value, RequestError>) {
        if lock(&self.pending).remove(id).is_none() {
            return;
        }
        match result {
            Ok(value) => self.output.send(Response { id: id.clone(), response_result: Ok(value) }),
            Err(error) => self.output.send_error(id.clone(), error.code as i32, error.message),
        }
    }

    /// Asks the client for a progress; returns its token.
    fn create_progress(&self, longest: Duration) -> Option<String> {
        let n = self.next_id.fetch_add(1, Ordering::Relaxed);
        let id = RequestId::from(format!("git-cora-{n}"));
        let token = format!("git-cora-progress-{n}");
        let (sender, agreed) = mpsc::channel();
        lock(&self.replies).insert(id.clone(), sender);
        let method = "window/workDoneProgress/create".to_owned();
        self.output.send(Request { id: id.clone(), method, params: json!({ "token": token }) });
        let is_agreed = agreed.recv_timeout(longest).unwrap_or(false);
        lock(&self.replies).remove(&id);
        is_agreed.then_some(token)
    }
}

/// The state of the main thread.
struct Server {
    shared: Arc<SharedState>,
    /// The directory to work in if the client names no folder.
    directory: PathBuf,
    client: Option<Arc<Client>>,
    documents: Documents,
    folders: Folders,
    is_shut_down: bool,
}

impl Server {
    fn serve(&mut self, events: &Receiver<Event>) {
        for event in events {
            match event {
                Event::End => return,
                Event::Input(Input::Problem(reply)) => self.shared.output.send_bytes(&reply),
                Event::Input(Input::Lost(reply)) => {
                    self.documents.distrust();
                    self.shared.output.send_bytes(&reply);
                    self.shared.log("a message was too large; close the open files and open them again");
                }
                Event::Input(Input::Message(message)) => match *message {
                    Message::Request(request) => self.request(request),
                    Message::Notification(one) if one.method == "exit" => return,
                    Message::Notification(one) => self.notification(one),
                    Message::Response(one) => {
                        if let Some(waiting) = lock(&self.shared.replies).remove(&one.id) {
                            let _ = waiting.send(one.response_result.is_ok());
                        }
                    }
                },
            }
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if lock(&self.shared.pending).contains_key(&id) {
            let why = format!("a request with the id {id} is already running");
            return self.shared.output.send_error(id, json_rpc::INVALID_REQUEST, why);
        }
        let cancel = Cancel::default();
        lock(&self.shared.pending).insert(id.clone(), cancel.clone());
        let fail = |code, why: &str| self.shared.reply(&id, Err(RequestError::new(code, why)));
        let Some(client) = self.client.clone() else {
            if method != "initialize" {
                return fail(ErrorCode::ServerNotInitialized, "the first request must be 'initialize'");
            }
            let reply = self.initialize(params);
            return self.shared.reply(&id, reply);
        };
        if self.is_shut_down {
            return fail(ErrorCode::InvalidRequest, "the server is shut down");
        }
        let run: RequestWork = match method.as_str() {
            "initialize" => return fail(ErrorCode::InvalidRequest, "the server is already initialized"),
            "shutdown" => {
                self.is_shut_down = true;
                return self.shared.reply(&id, Ok(Value::Null));
            }
            "workspace/executeCommand" => Box::new(move |call, shared| {
                let (revision, reply) = content::execute_command(call, params.clone())?;
                lock(&shared.settings).revision = revision;
                Ok(reply)
            }),
            _ => match HANDLERS.iter().find(|(name, _)| *name == method) {
                Some((_, handler)) => Box::new(move |call, _| handler(call, params.clone())),
                None => return fail(ErrorCode::MethodNotFound, &format!("unknown method '{method}'")),
            },
        };
        let (shared, own_id) = (Arc::clone(&self.shared), id.clone());
        let (documents, folders) = (self.documents.clone(), self.folders.clone());
        let is_queued = self.shared.workers.push(move || {
            if cancel.is_cancelled() {
                return;
            }
            // A setting that a request changes counts for those that start after it.
            let (pool, settings) = (&shared.pool, shared.settings());
            let call = Call { pool, client: &client, documents, folders, settings, cancel: &cancel };
            let outcome = catch_unwind(AssertUnwindSafe(|| run(&call, &shared)));
            let internal = || RequestError::new(ErrorCode::InternalError, "internal error of git-cora");
            shared.reply(&own_id, outcome.unwrap_or_else(|_| Err(internal())));
        });
        if !is_queued {
            fail(ErrorCode::ServerCancelled, "too many requests are waiting");
        }
    }

    fn initialize(&mut self, request: Value) -> Result<Value, RequestError> {
        let started = initialized(request, &self.directory, &mut lock(&self.shared.settings))?;
        self.folders = started.folders;
        self.client = Some(Arc::new(started.client));
        Ok(started.reply)
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if method == "$/cancelRequest" {
            return self.cancel(&params);
        }
        let Some(client) = self.client.clone() else { return };
        match method.as_str() {
            "initialized" => self.prepare(),
            "textDocument/didOpen" => match serde_json::from_value(params) {
                Ok(params) => self.documents.open(params),
                Err(error) => self.shared.log(&format!("'{method}' could not be read: {error}")),
            },
            "textDocument/didChange" => {
                let is_known = self.documents.change(params, client.encoding);
                if !is_known {
                    self.shared
                        .log("a change to a file could not be applied; close the file and open it again");
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = serde_json::from_value(params) {
                    self.documents.close(&params);
                }
            }
            // Each request looks at the working tree. A look now makes the next one faster.
            "textDocument/didSave" => {
                if let Ok(params) = serde_json::from_value::<DidSaveTextDocumentParams>(params) {
                    self.saved(&params);
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(params) = serde_json::from_value::<DidChangeWorkspaceFoldersParams>(params) {
                    self.folders.change(&params.event.added, &params.event.removed);
                    self.prepare();
                }
            }
            // Others, such as `workspace/didChangeWatchedFiles`, need nothing.
            _ => {}
        }
    }

    /// Replies to a request that the client gives up, and stops its work.
    fn cancel(&self, params: &Value) {
        let Some(id) = params.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok())
        else {
            return;
        };
        let cancel = lock(&self.shared.pending).get(&id).cloned();
        if let Some(cancel) = cancel {
            cancel.cancel();
            self.shared.reply(&id, Err(RequestError::new(ErrorCode::RequestCanceled, "cancelled")));
        }
    }

    fn prepare(&self) {
        let has_progress = self.client.as_ref().is_some_and(|client| client.has_progress);
        progress::prepare(&self.shared, self.folders.roots(), has_progress);
    }

    fn saved(&self, params: &DidSaveTextDocumentParams) {
        let id = uri::DocumentId::parse(&params.text_document.uri);
        if let Some(root) = id.and_then(|id| self.folders.root_of(&id.path)) {
            progress::prepare(&self.shared, vec![root], false);
        }
    }
}
