//! The limit on the size of files (`ulimit -f`): an error instead of a signal.
//!
//! A write beyond the limit fails with `EFBIG`. By default, the signal `SIGXFSZ` ends the process
//! before it sees that. It would leave temporary files and say nothing. With a handler, the files
//! are removed and the user gets a message. A search goes on without a cache.
//!
//! A handler is not inherited, so the programs that we start keep the default, as those that Git
//! starts do.

/// Makes writes beyond the limit fail.
#[cfg(unix)]
pub(crate) fn make_an_error() {
    // Fails only for a signal that can't be handled. Nobody reads the flag: the write itself says
    // that it failed.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Does nothing: this system has no such limit.
#[cfg(not(unix))]
pub(crate) fn make_an_error() {}
