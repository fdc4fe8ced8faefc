//! What it asks for → chunks that may answer, each with the evidence that speaks for it.

pub(super) mod message;
pub(super) mod named;
pub(super) mod near;
pub(super) mod notes;
pub(super) mod score;
pub(super) mod semantic;
pub(super) mod short;
pub(super) mod symbols;
