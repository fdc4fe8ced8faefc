//! The long-running doors: MCP and LSP over standard input and output, HTTP on loopback, and the
//! repositories they keep open.

#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(any(feature = "mcp", feature = "lsp"))]
mod json_rpc;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod pool;
#[cfg(any(feature = "http", feature = "mcp"))]
mod wrong_value;
