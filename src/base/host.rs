//! The machine that the program runs on, as the system names it.

/// The name of this machine on its network.
#[cfg(unix)]
pub(crate) fn name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The name of this machine, as Windows gives it to each program; empty if it does not.
#[cfg(not(unix))]
#[allow(clippy::disallowed_methods, reason = "the only variable that a stage below the program needs")]
pub(crate) fn name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(unix)]
    fn the_name_is_that_of_the_system() {
        let said = std::process::Command::new("uname").arg("-n").output().unwrap().stdout;
        assert_eq!(super::name(), String::from_utf8(said).unwrap().trim_end());
    }
}
