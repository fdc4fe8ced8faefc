//! Recall: a parsed query → chunks that may answer, and by what each was found.
//!
//! One module for each way to find chunks. The first phase of the ranking, `rank::recalled`, calls
//! them. Three modules are exceptions: `required` restricts what may be found, `place` orders equal
//! scores, and `message` reads the best chunks again, in a later phase.

pub(super) mod message;
pub(super) mod named;
pub(super) mod near;
pub(super) mod notes;
pub(super) mod place;
pub(super) mod qualified;
pub(super) mod relation;
pub(super) mod required;
pub(super) mod score;
pub(super) mod semantic;
pub(super) mod short;
pub(super) mod symbols;
