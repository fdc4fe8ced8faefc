//! Integration tests: the real binary against real Git, a file for each promise or subcommand.
//!
//! One binary, so that it is linked once. Every repository lies in a temporary directory of its own, the
//! environment is cleared, identity, dates and locale are fixed: tests run side by side, without a network, and
//! object ids are the same everywhere.

// A failing test panics: that is how it fails. Clippy's own exception covers test functions, not what they share.
#![allow(clippy::unwrap_used, clippy::panic)]

mod across;
mod annotate;
mod ask;
mod cache;
mod changes;
mod commands;
mod damage;
mod documents;
mod embed;
mod explain;
mod harness;
mod history;
mod hook;
#[cfg(all(feature = "http", feature = "mcp"))]
mod http;
mod interrupt;
mod kinds;
#[path = "../../src/provider/http/testing.rs"]
mod loopback;
mod map;
#[cfg(feature = "mcp")]
mod mcp;
mod names;
mod network;
mod overlay;
#[cfg(all(feature = "http", feature = "mcp"))]
mod page;
mod pasted;
mod purity;
mod query;
mod remote;
mod scope;
mod share;
#[cfg(all(feature = "watch", unix))]
mod users;
mod watch;
mod worktree;
