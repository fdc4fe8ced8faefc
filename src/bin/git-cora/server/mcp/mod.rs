//! The Model Context Protocol over standard input and output: a coding agent's requests → tools →
//! short replies.
//!
//! Owns the server that `git cora mcp` runs, its instructions to the agent, and how a tool call
//! becomes a reply. Arguments are parsed strictly; the work runs on a thread that may block, with
//! progress and cancellation. Each tool has its own file and a row in [`TOOLS`]. No tool writes
//! anything but the index, and none waits longer than [`PATIENCE`] for an index before it replies.

mod diff;
mod history;
mod map;
mod message;
mod query;
mod read;
mod refs;
mod reply;
mod repositories;
mod schema;
mod transport;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, ServiceExt as _};
use serde_json::Value;
use tokio::sync::mpsc::{self, UnboundedSender};

use git_cora::base::progress::Cancel;

use super::json_rpc;
use super::pool::{JobProgress, RepositoryPool};
use reply::Stop;
pub(crate) use repositories::{ServedRepository, served};
use transport::Lines;

/// Longest time that a call waits for an index before it replies with what is ready. Clients and
/// people perceive a reply within two seconds as immediate; the rest is for the transport.
const PATIENCE: Duration = Duration::from_millis(1_400);

/// Largest number of calls processed in parallel; further ones wait.
const AT_ONCE: usize = 8;

/// Shortest time between two progress notifications.
const PROGRESS: Duration = Duration::from_millis(250);

/// Longest time that the process waits for its threads after the client has closed the connection.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// Instructions to the agent: when to use which tool.
const INSTRUCTIONS: &str = "\
Finds code in Git repositories by meaning, words and names, in the working tree (uncommitted \
changes included) or at any revision. Use 'query' before grep when you don't know the exact \
string or the file. One call with the question, error message or issue text returns the best \
matches in the whole repository, ranked, with their code. The code is current: don't grep or open \
the files again to confirm. Use 'refs' for a declaration and its callers, 'read' for lines of a \
file, and 'map' for an outline of the repository. Use 'diff' for what differs between two commits \
and what breaks, and 'history' for who changed something and when. Use grep for every occurrence \
of an exact string. A reply that was cut says what is missing. ";

/// Serves standard input and output until the client closes them.
pub(crate) fn run(served: Vec<ServedRepository>, around: Option<std::path::PathBuf>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(AT_ONCE + 2)
        .build()?;
    let pool = Arc::new(RepositoryPool::around(around));
    let server = Server { pool: Arc::clone(&pool), served: served.into() };
    let (asked, mut stop) = mpsc::unbounded_channel();
    // Fails only if a handler is already set. Then a signal ends the process, which damages
    // nothing.
    let _ = ctrlc::set_handler(move || {
        let _ = asked.send(());
    });
    let outcome = runtime.block_on(async {
        let serving = async {
            let lines = Lines::start(std::io::stdin(), std::io::stdout())?;
            let closed = lines.closed();
            let running = match server.serve(lines).await {
                Ok(running) => running,
                // A client that only checks whether the program starts closes the connection before
                // it is initialised.
                Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
                Err(_) if closed.is_closed() => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            running.waiting().await?;
            anyhow::Ok(())
        };
        tokio::select! {
            outcome = serving => outcome,
            Some(()) = stop.recv() => Ok(()),
        }
    });
    pool.close();
    // A call that does not stop must not hold up the end.
    runtime.shutdown_timeout(SHUTDOWN);
    outcome
}

struct Server {
    pool: Arc<RepositoryPool>,
    served: Arc<[ServedRepository]>,
}

/// The context of a tool call.
struct Call<'a> {
    pool: Arc<RepositoryPool>,
    served: &'a [ServedRepository],
    cancel: &'a Cancel,
    tell: &'a dyn Fn(&JobProgress),
}

/// A tool: its schema and its implementation. Its name is that of the command that does the same.
struct Entry {
    name: &'static str,
    /// Another name that a call may use. Agents keep names of tools in rules and permissions.
    alias: Option<&'static str>,
    tool: fn() -> Tool,
    run: fn(&Call<'_>, Value) -> Result<String, Stop>,
}

/// All tools, in the order in which they are listed.
const TOOLS: [Entry; 6] = [
    Entry { name: "query", alias: Some("search"), tool: query::tool, run: query::run },
    Entry { name: "refs", alias: Some("symbol"), tool: refs::tool, run: refs::run },
    Entry { name: "read", alias: None, tool: read::tool, run: read::run },
    Entry { name: "map", alias: None, tool: map::tool, run: map::run },
    Entry { name: "diff", alias: Some("changes"), tool: diff::tool, run: diff::run },
    Entry { name: "history", alias: Some("log"), tool: history::tool, run: history::run },
];

impl Entry {
    fn has_name(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new("git-cora", env!("CARGO_PKG_VERSION")).with_title("git cora"),
            )
            .with_instructions(format!("{INSTRUCTIONS}{}", repositories::instructions(&self.served)))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(|entry| (entry.tool)()).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        TOOLS.iter().find(|entry| entry.has_name(name)).map(|entry| (entry.tool)())
    }

    /// A call whose parameters are not those of a call comes here: the library takes it for the
    /// request of an unknown method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" => Err(ErrorData::invalid_params(wrong_call(request.params.as_ref()), None)),
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(entry) = TOOLS.iter().find(|entry| entry.has_name(&request.name)) else {
            return Err(ErrorData::invalid_params(format!("unknown tool '{}'", request.name), None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let cancel = Cancel::default();
        let (sender, mut updates) = mpsc::unbounded_channel();
        let work = {
            let (pool, served, cancel) = (Arc::clone(&self.pool), Arc::clone(&self.served), cancel.clone());
            let run = entry.run;
            tokio::task::spawn_blocking(move || {
                let tell = teller(sender);
                let max_tokens = arguments.get("max_tokens").cloned();
                let call = Call { pool, served: &served, cancel: &cancel, tell: &tell };
                let reply = match run(&call, arguments) {
                    Ok(reply) | Err(Stop::NotIndexed(reply)) => reply,
                    Err(Stop::Error(error)) => return Err(error),
                };
                let max_tokens = max_tokens.map_or(Ok(None), schema::number);
                reply::kept(reply, max_tokens.unwrap_or_default())
            })
        };
        tokio::pin!(work);
        let token = context.meta.get_progress_token();
        let outcome = loop {
            tokio::select! {
                outcome = &mut work => break outcome,
                () = context.ct.cancelled() => {
                    // The client no longer accepts a reply; the thread sees the flag and ends.
                    cancel.cancel();
                    return Err(ErrorData::internal_error("interrupted", None));
                }
                Some((sum, line)) = updates.recv() => {
                    if let Some(token) = &token {
                        #[allow(clippy::cast_precision_loss)] // Exact below 2^53.
                        let param = ProgressNotificationParam::new(token.clone(), sum as f64);
                        // Fails only if the client has closed the connection, which is handled
                        // elsewhere.
                        let _ = context.peer.notify_progress(param.with_message(line)).await;
                    }
                }
            }
        };
        let text = |text: String| vec![ContentBlock::text(text)];
        Ok(match outcome {
            Ok(Ok(reply)) => CallToolResult::success(text(reply)),
            Ok(Err(trouble)) => CallToolResult::error(text(trouble.to_string())),
            Err(_) => return Err(ErrorData::internal_error("internal error of git-cora", None)),
        }
        .into())
    }
}

/// Says what is wrong with the parameters of a call.
fn wrong_call(params: Option<&Value>) -> String {
    let kind = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let Some(params) = params.and_then(Value::as_object) else {
        return "'params' must be an object with 'name' and 'arguments'".to_owned();
    };
    match (params.get("name"), params.get("arguments")) {
        (None, _) => "'name' is missing: the name of a tool".to_owned(),
        (Some(name), _) if !name.is_string() => format!("'name' must be a string, not {}", kind(name)),
        (_, Some(arguments)) if !arguments.is_object() && !arguments.is_null() => {
            format!("'arguments' must be an object, not {}", kind(arguments))
        }
        _ => "'params' has a field that can't be read; send only 'name' and 'arguments'".to_owned(),
    }
}

/// Returns a callback that forwards progress: at most once per [`PROGRESS`], and only if it has
/// grown.
fn teller(sender: UnboundedSender<(u64, String)>) -> impl Fn(&JobProgress) {
    let last = std::cell::Cell::new((Instant::now(), 0_u64));
    move |stage| {
        let (at, before) = last.get();
        let sum = stage.sum();
        if is_due(sum, before, at.elapsed()) {
            last.set((Instant::now(), sum));
            let _ = sender.send((sum, stage.line()));
        }
    }
}

/// Returns whether progress from `before` to `sum` is worth a notification.
fn is_due(sum: u64, before: u64, since: Duration) -> bool {
    sum > before && since >= PROGRESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_call_says_what_is_wrong() {
        use serde_json::json;
        for (params, expected) in [
            (None, "'params' must be an object"),
            (Some(json!([])), "'params' must be an object"),
            (Some(json!({})), "'name' is missing"),
            (Some(json!({ "name": 5 })), "'name' must be a string, not a number"),
            (
                Some(json!({ "name": "refs", "arguments": "{}" })),
                "'arguments' must be an object, not a string",
            ),
            (Some(json!({ "name": "refs", "arguments": [] })), "'arguments' must be an object, not a list"),
            (Some(json!({ "name": "refs", "_meta": 5 })), "'params' has a field that can't be read"),
        ] {
            let text = wrong_call(params.as_ref());
            assert!(text.starts_with(expected), "{params:?}: {text}");
        }
    }

    #[test]
    fn progress_is_told_four_times_a_second_and_only_if_there_is_any() {
        for (sum, before, ms, expected) in [
            (2, 1, 250, true),
            (2, 1, 249, false),
            (1, 1, 250, false),
            (1, 2, 9000, false),
            (9, 1, 9000, true),
        ] {
            assert_eq!(is_due(sum, before, Duration::from_millis(ms)), expected, "{sum} {before} {ms}");
        }
    }
}
