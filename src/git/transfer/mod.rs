//! Exchange with other repositories: remotes, copies of remote repositories, and objects that a
//! partial clone has not received yet.

pub(super) mod address;
pub(super) mod http;
pub(super) mod mirror;
pub(super) mod promisor;
mod push_address;
pub(super) mod remote;
