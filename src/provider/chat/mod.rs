//! Language models: a prompt → text, from the provider that a setting names.
//!
//! Owns [`Choice`], which model, where and by which protocol; and [`Remote`], which asks it.
//! Requests and answers are in `wire`, a file for each protocol, as its documentation states it.
//!
//! **Invariants.** Nothing is sent without a model, and only a setting can name one.
//! [`LanguageModel::outgoing`] returns exactly the bytes that [`LanguageModel::complete`] sends. An
//! answer that breaks off is an error. Must not: know the purpose of a prompt, read the repository,
//! or write files.

mod choice;
mod events;
mod remote;
#[cfg(test)]
mod tests;
mod wire;

pub use crate::base::chat::{
    Budget, Cost, End, Error, LanguageModel, MeteredModel, Prompt, Reply, ReplyUpdate, RequestBody, Result,
    Role, Turn, Usage,
};
pub use choice::{Choice, ChoiceSettings, Provider};
pub use events::{Decoder, MessageFormat};
pub use remote::Remote;
pub use wire::{Answer, Fault, framing};
