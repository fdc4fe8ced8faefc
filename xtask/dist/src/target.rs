//! The platforms that the program is packaged for, and what each packager calls them.

use anyhow::{Context as _, Result};

/// A platform.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Rust's name.
    pub(crate) triple: &'static str,
    /// The operating system and processor in npm's words.
    pub(crate) npm: (&'static str, &'static str),
    /// The platform tags of a wheel, sorted.
    pub(crate) wheel: &'static [&'static str],
    /// Debian's name of the processor.
    pub(crate) deb: Option<&'static str>,
    /// Where Homebrew asks for this archive: the system, and the processor.
    pub(crate) homebrew: Option<(&'static str, &'static str)>,
    /// The C compiler for the platform, if it is not the system's own, and the Debian package that
    /// has it.
    pub(crate) compiler: Option<(&'static str, &'static str)>,
}

/// All platforms. The first is built if no other is asked for: one static program runs on every
/// Linux, whatever its C library.
pub(crate) const TARGETS: [Target; 7] = [
    Target {
        triple: "x86_64-unknown-linux-musl",
        npm: ("linux", "x64"),
        wheel: &["manylinux2014_x86_64", "manylinux_2_17_x86_64", "musllinux_1_1_x86_64"],
        deb: Some("amd64"),
        homebrew: Some(("linux", "intel")),
        compiler: Some(("x86_64-linux-musl-gcc", "musl-tools")),
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        npm: ("linux", "arm64"),
        wheel: &["manylinux2014_aarch64", "manylinux_2_17_aarch64", "musllinux_1_1_aarch64"],
        deb: Some("arm64"),
        homebrew: Some(("linux", "arm")),
        compiler: Some(("aarch64-linux-musl-gcc", "musl-tools")),
    },
    Target {
        triple: "x86_64-unknown-linux-gnu",
        npm: ("linux", "x64"),
        wheel: &["linux_x86_64"],
        // It would depend on the version of the C library here.
        deb: None,
        homebrew: None,
        compiler: None,
    },
    Target {
        triple: "x86_64-apple-darwin",
        npm: ("darwin", "x64"),
        wheel: &["macosx_10_12_x86_64"],
        deb: None,
        homebrew: Some(("macos", "intel")),
        compiler: None,
    },
    Target {
        triple: "aarch64-apple-darwin",
        npm: ("darwin", "arm64"),
        wheel: &["macosx_11_0_arm64"],
        deb: None,
        homebrew: Some(("macos", "arm")),
        compiler: None,
    },
    Target {
        triple: "x86_64-pc-windows-msvc",
        npm: ("win32", "x64"),
        wheel: &["win_amd64"],
        deb: None,
        homebrew: None,
        compiler: None,
    },
    Target {
        triple: "x86_64-pc-windows-gnu",
        npm: ("win32", "x64"),
        wheel: &["win_amd64"],
        deb: None,
        homebrew: None,
        compiler: Some(("x86_64-w64-mingw32-gcc", "mingw-w64")),
    },
];

/// Returns the platform with this name.
///
/// # Errors
/// There is no such platform; the message lists those that there are.
pub(crate) fn find(triple: &str) -> Result<&'static Target> {
    TARGETS.iter().find(|target| target.triple == triple).with_context(|| {
        let known: Vec<_> = TARGETS.iter().map(|target| target.triple).collect();
        format!("unknown target '{triple}'\nhint: known targets: {}", known.join(", "))
    })
}

impl Target {
    pub(crate) fn is_windows(&self) -> bool {
        self.triple.contains("windows")
    }

    /// Whether the program must not need a C library on the user's machine.
    pub(crate) fn is_static(&self) -> bool {
        self.triple.ends_with("-musl")
    }

    /// Returns the file name of the program.
    pub(crate) fn program(&self) -> &'static str {
        if self.is_windows() { "git-cora.exe" } else { "git-cora" }
    }

    /// Returns the name of the archive without its ending, which is also its top folder.
    pub(crate) fn archive_stem(&self, version: &str) -> String {
        format!("git-cora-{version}-{}", self.triple)
    }

    /// Returns the file name of the archive.
    pub(crate) fn archive(&self, version: &str) -> String {
        let end = if self.is_windows() { "zip" } else { "tar.gz" };
        format!("{}.{end}", self.archive_stem(version))
    }

    /// Returns the name of the npm package that carries the program.
    pub(crate) fn npm_package(&self) -> String {
        format!("@git-cora/{}-{}", self.npm.0, self.npm.1)
    }

    /// Returns the file name of that package, as `npm pack` gives it.
    pub(crate) fn npm_file(&self, version: &str) -> String {
        format!("git-cora-{}-{}-{version}.tgz", self.npm.0, self.npm.1)
    }

    /// Whether this machine can run the program.
    pub(crate) fn is_native(&self) -> bool {
        self.triple.starts_with(std::env::consts::ARCH)
            && match std::env::consts::OS {
                "macos" => self.triple.contains("-apple-"),
                os => self.triple.contains(os),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_packagers() {
        let linux = find("x86_64-unknown-linux-musl").unwrap();
        assert_eq!(linux.archive("1.2.3"), "git-cora-1.2.3-x86_64-unknown-linux-musl.tar.gz");
        assert_eq!((linux.npm_package().as_str(), linux.program()), ("@git-cora/linux-x64", "git-cora"));
        let windows = find("x86_64-pc-windows-msvc").unwrap();
        assert_eq!(windows.archive("1.2.3"), "git-cora-1.2.3-x86_64-pc-windows-msvc.zip");
        assert_eq!(
            (windows.npm_file("1.2.3").as_str(), windows.program()),
            ("git-cora-win32-x64-1.2.3.tgz", "git-cora.exe")
        );
        assert!(find("sparc").unwrap_err().to_string().contains("x86_64-apple-darwin"));
        assert!(TARGETS.iter().all(|target| target.wheel.is_sorted()));
    }
}
