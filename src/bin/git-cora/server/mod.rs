//! The long-running doors: MCP over standard input and output, HTTP on loopback, and the
//! repositories they keep open.

#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod pool;
