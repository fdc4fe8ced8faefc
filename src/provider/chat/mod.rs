//! Language models: a prompt → text, by a provider that a setting names.
//!
//! Owns [`Choice`], which model, where and by which protocol; and [`Remote`], which asks it. Requests and answers are in `wire`, a file for each protocol, as its
//! documentation states it.
//!
//! **Invariants.** Nothing is sent without a model, and a model comes from a setting alone. [`LanguageModel::outgoing`]
//! is what [`LanguageModel::complete`] sends, to the byte. An answer that breaks off is no answer. Must not: know what it
//! is asked for, read the repository, or write.

mod choice;
mod events;
mod remote;
#[cfg(test)]
mod tests;
mod wire;

pub use crate::base::chat::{
    Budget, End, Error, LanguageModel, Metered, Outgoing, Prompt, Reply, Result, Role, Spent, Told, Turn,
    Usage,
};
pub use choice::{Choice, ChoiceSettings, Provider};
pub use remote::Remote;
