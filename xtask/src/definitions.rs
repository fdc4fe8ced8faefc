//! The product's own definitions of its command line and its settings, from which `codegen` makes
//! the documents.
//!
//! These files are compiled here a second time, because they depend on clap, thiserror, each other
//! and the standard library alone. So the documents follow the very definitions that the program
//! uses, and `xtask` does not wait for the product.

// How much of these files is used changes with each generated document.
#[path = "../../src/bin/git-cora/cli/args/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
pub(crate) mod args;
#[path = "../../src/base/config/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
pub(crate) mod config;
#[path = "../../src/base/error.rs"]
#[allow(dead_code, unreachable_pub)]
mod error;
/// What the command line names of the program's other modules.
#[path = "../../src/bin/git-cora/input"]
pub(crate) mod input {
    #[allow(dead_code, unreachable_pub)]
    pub(crate) mod relevance;
}
