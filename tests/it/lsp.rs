//! `git cora lsp`: the protocol as editors speak it, against real repositories.

mod client;
mod names;
mod session;
mod texts;
