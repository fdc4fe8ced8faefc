//! What the program says to the person who started it: on standard error, and Ctrl-C.
//!
//! Owns [`Context`], which every command, hook and watcher gets. It knows no command and no
//! argument. Results go to standard output, which `cli/output/` owns.

mod context;
mod hint;
mod progress;

pub(crate) use context::{Context, EXIT_INTERRUPTED};
