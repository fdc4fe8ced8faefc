//! Integration tests: the real binary against real Git, one file for each promise or subcommand.
//!
//! All files are one test binary, so that it is linked once. Every repository is in its own
//! temporary directory. The environment is cleared; identity, dates and locale are fixed. So tests
//! run in parallel, without a network, and object ids are the same everywhere.

// A failing test panics. Clippy's own exception covers test functions, but not their shared code.
#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "tests set up files and programs")]

mod absent;
mod across;
#[cfg(unix)]
mod action;
#[cfg(feature = "mcp")]
mod agents;
mod annotate;
mod ask;
mod blame;
mod cache;
mod changelog;
#[cfg(all(feature = "http", feature = "mcp"))]
mod chat;
mod commands;
mod copies;
#[cfg(all(feature = "http", feature = "mcp"))]
mod cors;
mod damage;
mod diff;
mod documents;
mod embed;
mod embedded;
mod examples;
mod explain;
mod faults;
mod first_hour;
mod foreign;
mod forged;
mod guards;
mod harness;
mod history;
mod hook;
#[cfg(all(feature = "http", feature = "mcp"))]
mod hostile;
#[cfg(all(feature = "http", feature = "mcp"))]
mod http;
mod impact;
mod impact_callers;
mod impact_lists;
#[cfg(unix)]
mod install;
mod interrupt;
mod kinds;
mod lenient;
#[cfg(all(unix, feature = "mcp"))]
mod links;
mod log;
mod log_shapes;
#[path = "../../src/provider/http/testing.rs"]
mod loopback;
#[cfg(feature = "lsp")]
mod lsp;
mod map;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "mcp")]
mod mcp_history;
mod min_score;
mod named;
mod names;
mod network;
mod notebooks;
mod odd_paths;
mod overlay;
#[cfg(all(feature = "http", feature = "mcp"))]
mod overview;
#[cfg(all(feature = "http", feature = "mcp"))]
mod page;
mod page_history;
mod partial;
mod pasted;
#[cfg(all(feature = "http", feature = "mcp"))]
mod private;
mod publish;
mod purity;
mod query;
mod quoted;
mod reference_fields;
mod reference_names;
mod reference_places;
mod reference_scopes;
mod references;
mod remote;
mod removed_members;
mod scope;
mod shapes;
mod share;
#[cfg(unix)]
mod shared;
#[cfg(feature = "mcp")]
mod users;
#[cfg(all(feature = "watch", unix))]
mod watch;
mod when;
mod worktree;
