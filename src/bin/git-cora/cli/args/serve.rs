//! The commands of "Serve agents, editors, programs and people": `mcp`, `lsp` and `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::ValueHint;

const MCP_EXAMPLES: &str = "\
Examples:
  git cora init --agent claude           # write the client's configuration
  claude mcp add cora -- git-cora mcp    # or let the client do it
  claude mcp add cora -- git-cora mcp . ../library   # two related repositories
  npx @modelcontextprotocol/inspector git-cora mcp   # try it by hand";

/// Serve coding agents over the Model Context Protocol.
///
/// Speaks the protocol on standard input and output. Serves the repositories that you name, by
/// default the current one. An agent's client starts the server; `git cora init --agent` writes the
/// client's configuration. The tools are `query`, `refs`, `read`, `map`, `diff` and `history`. They
/// work in the working tree and at any revision. A repository without an index is indexed in the
/// background. With `cora.ann` set to `hnsw`, results by meaning may differ a little from those of
/// `git cora query`. The server ends when the client closes standard input.
#[derive(Debug, clap::Args)]
#[command(after_help = MCP_EXAMPLES)]
pub(crate) struct Mcp {
    /// The repositories to serve; without REPO, the current one.
    ///
    /// With several, all are searched, references between them are followed, and each path begins
    /// with the name of its repository's directory.
    #[arg(value_name = "REPO", value_hint = ValueHint::DirPath)]
    pub(crate) repositories: Vec<PathBuf>,
}

const LSP_EXAMPLES: &str = "\
Examples:
  git cora lsp               # the command that an editor runs
  git cora lsp --certain     # without guesses
  git cora lsp --rev v1.0    # answer from a release";

/// Serve editors over the Language Server Protocol.
///
/// Speaks the protocol on standard input and output. An editor starts the server and says which
/// folders it works in. The server covers the repositories that contain one of these folders, or
/// that are inside one. It finds symbols by name, or by a description in plain words. It also gives
/// definitions, references, implementations, the call hierarchy and hovers. It needs no build,
/// knows all languages of the index, and works next to a language's own server. Unsaved changes
/// count. A repository without an index is indexed in the background. The exit status is 1 if the
/// connection ends without the request `shutdown`.
#[derive(Debug, clap::Args)]
#[command(after_help = LSP_EXAMPLES)]
pub(crate) struct Lsp {
    /// Answer from revision REV instead of the working tree.
    ///
    /// The editor's option `revision` overrides this. Files of a revision have URIs that begin with
    /// `git-cora:`.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Leave guesses out.
    ///
    /// The editor's option `certainOnly` overrides this.
    #[arg(long)]
    pub(crate) certain: bool,

    /// Use standard input and output, as always: some editors add this flag.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

const SERVE_EXAMPLES: &str = "\
Examples:
  git cora serve --open    # the current repository, in a browser
  git cora serve --root ~/src --listen 127.0.0.1:9000
  TOKEN=$(cat ~/.local/state/git-cora/token)
  curl http://127.0.0.1:8417/coderag/query -H \"Authorization: Bearer $TOKEN\" \\
    -H 'Content-Type: application/json' -d '{\"repos\": [{}], \"messages\":
    [{\"role\": \"user\", \"content\": \"where is the retry?\"}]}'";

/// Serve programs over HTTP, and a web page for people.
///
/// The page at `/` searches any revision, and shows source, references, and why a result was found.
/// Programs use `POST /coderag/query`, `GET /healthz`, `GET /metrics` and other routes, described
/// at `/openapi.json`. The server reads only the repositories that you name and those under
/// `--root`. Without either, it serves the current repository. Clients need a token. The first
/// start creates and prints the token, and stores it in a file that only its owner can read. With
/// `cora.ann` set to `hnsw`, results by meaning may differ a little from those of `git cora query`.
/// Requests are logged to standard error as JSON lines, without questions or results. After Ctrl-C
/// the server finishes running requests, and then stops.
///
/// At each start the page's address is printed with a key after `#`. This address opens the page
/// once, within an hour, in a browser on this machine. The browser exchanges the key for the token
/// and keeps the token until the tab is closed. `--open` opens the address for you.
#[derive(Debug, clap::Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct Serve {
    /// The repositories to serve.
    #[arg(value_name = "REPO", value_hint = ValueHint::DirPath)]
    pub(crate) repositories: Vec<PathBuf>,

    /// Listen on ADDRESS, an IP address and a port; with port 0, the server picks a free port and
    /// prints it.
    ///
    /// Nothing is encrypted. Unless you trust the network, do not use an address that other
    /// machines can reach.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8417")]
    pub(crate) listen: SocketAddr,

    /// Open the page in a browser.
    #[arg(long)]
    pub(crate) open: bool,

    /// Also serve every repository under DIR; may be repeated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root: Vec<PathBuf>,

    /// Keep the token in FILE.
    ///
    /// The default is `git-cora/token` in `$XDG_STATE_HOME` or `~/.local/state`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) token_file: Option<PathBuf>,

    /// Accept HOST as a name of this server; may be repeated.
    ///
    /// Loopback names are always accepted, and so is the listening address, unless it stands for
    /// all addresses (`0.0.0.0`). Requests with another `Host` header are rejected, because a web
    /// page could otherwise reach this server.
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,

    /// Accept requests from web pages of ORIGIN, such as `https://example.org`; may be repeated.
    ///
    /// The server answers the preflight requests of browsers for these pages. Requests from these
    /// pages need the token, too.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
}
