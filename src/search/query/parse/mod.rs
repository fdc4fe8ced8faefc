//! Query text → what it asks for: words, names, paths, frames, filters, languages.

mod declaration_head;
pub(super) mod filter;
mod foreign;
pub(super) mod frames;
pub(super) mod language;
pub(super) mod option_question;
pub(super) mod parser;
pub(super) mod paths;
pub(super) mod pathspec;
pub(super) mod quotes;
pub(super) mod relation;
pub(super) mod repository_name;
pub(super) mod subject;
pub(super) mod words;
