//! What the lab's commands share with each other and with `xtask-train`: the form of a question
//! set, repeatable random numbers, and the product's build.
#![allow(clippy::disallowed_methods, reason = "a tool of the workshop, not of the product")]

pub mod functions;
pub mod product;
pub mod random;
