//! Which files are left out, and why.

use bstr::{BStr, ByteSlice};

use crate::repo::FileAttributes;

/// Why a file is not indexed. The code is stored in records and never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is not text.
    Binary,
    /// It is larger than `cora.maxFileBytes`.
    TooLarge,
    /// It was made by a minifier.
    Minified,
    /// It was generated, as it says itself, as its name says, or as `linguist-generated` says.
    Generated,
    /// `linguist-vendored` says that it is someone else's.
    Vendored,
    /// `cora=skip` says so.
    Attribute,
    /// It is encrypted.
    Encrypted,
    /// It is a symbolic link.
    Symlink,
    /// It is a commit of another repository.
    Submodule,
    /// It stands for a file that Git LFS keeps elsewhere.
    LfsPointer,
    /// Its content is missing or damaged.
    Unreadable,
    /// It has nothing in it.
    Empty,
}

impl SkipReason {
    /// All reasons, in the order of their codes, which begin at 1.
    pub const ALL: [Self; 12] = [
        Self::Binary,
        Self::TooLarge,
        Self::Minified,
        Self::Generated,
        Self::Vendored,
        Self::Attribute,
        Self::Encrypted,
        Self::Symlink,
        Self::Submodule,
        Self::LfsPointer,
        Self::Unreadable,
        Self::Empty,
    ];

    /// The code that stands for it in records; never 0.
    pub fn code(self) -> u8 {
        (1u8..).zip(Self::ALL).find(|(_, reason)| *reason == self).map_or(u8::MAX, |(code, _)| code)
    }

    /// The reason with this code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The reason in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::TooLarge => "too large",
            Self::Minified => "minified",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
            Self::Attribute => "by attribute",
            Self::Encrypted => "encrypted",
            Self::Symlink => "symbolic link",
            Self::Submodule => "submodule",
            Self::LfsPointer => "kept by Git LFS",
            Self::Unreadable => "unreadable",
            Self::Empty => "empty",
        }
    }
}

/// Limits that decide which files are left out. They change records, so the manifest keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Larger files are skipped.
    pub max_file_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_file_bytes: 10 << 20 }
    }
}

/// Whether a file is indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is.
    Index,
    /// It is not.
    Skip(SkipReason),
}

/// How far into a file markers and binary bytes are looked for: as far as Git looks.
const HEAD_BYTES: usize = 8000;

/// A line of a script or style sheet that is longer than this on average was not written by a person.
const MINIFIED_LINE_BYTES: usize = 500;

/// Names of files that tools write.
const GENERATED_NAMES: [&str; 20] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "Cargo.lock",
    "go.sum",
    "go.work.sum",
    "poetry.lock",
    "Pipfile.lock",
    "uv.lock",
    "pdm.lock",
    "Gemfile.lock",
    "composer.lock",
    "mix.lock",
    "pubspec.lock",
    "flake.lock",
    "Podfile.lock",
    "packages.lock.json",
    "gradle.lockfile",
];

/// Decides whether a file is indexed.
pub fn classify(path: &BStr, bytes: &[u8], attributes: &FileAttributes, limits: &Limits) -> Decision {
    match skip_reason(path, bytes, attributes, limits) {
        Some(reason) => Decision::Skip(reason),
        None => Decision::Index,
    }
}

fn skip_reason(
    path: &BStr,
    bytes: &[u8],
    attributes: &FileAttributes,
    limits: &Limits,
) -> Option<SkipReason> {
    if attributes.is_skipped {
        return Some(SkipReason::Attribute);
    }
    if bytes.len() as u64 > limits.max_file_bytes {
        return Some(SkipReason::TooLarge);
    }
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    if head.starts_with(b"\0GITCRYPT\0") || attributes.filter.as_deref() == Some("git-crypt") {
        return Some(SkipReason::Encrypted);
    }
    if head.starts_with(b"version https://git-lfs.github.com/spec/") {
        return Some(SkipReason::LfsPointer);
    }
    if attributes.is_binary || is_binary(head) {
        return Some(SkipReason::Binary);
    }
    if attributes.vendored == Some(true) {
        return Some(SkipReason::Vendored);
    }
    if bytes.trim().is_empty() {
        return Some(SkipReason::Empty);
    }
    let name = path.rsplit_str(b"/").next().unwrap_or_default();
    match attributes.generated {
        Some(true) => return Some(SkipReason::Generated),
        Some(false) => {}
        None => {
            if GENERATED_NAMES.iter().any(|generated| generated.as_bytes() == name) || says_generated(head) {
                return Some(SkipReason::Generated);
            }
        }
    }
    if attributes.generated != Some(false) && is_minified(name, bytes) {
        return Some(SkipReason::Minified);
    }
    None
}

/// As Git decides it: a NUL among the first bytes. UTF-16 with a byte order mark is text all the same.
fn is_binary(head: &[u8]) -> bool {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return false;
    }
    let n_control =
        head.iter().filter(|&&byte| byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 12 | 27)).count();
    head.contains(&0) || n_control * 10 > head.len()
}

/// Whether the head of a file says that the file was generated: Go's convention, Facebook's `@generated`, and
/// what protocol compilers, parser generators and ORMs write.
fn says_generated(head: &[u8]) -> bool {
    let head = head.get(..2000).unwrap_or(head);
    head.lines().take(20).any(|line| {
        let line = line.trim();
        let is_comment = [&b"//"[..], b"#", b"/*", b"*", b"--", b";", b"<!--", b"%", b"(*", b"\"\"\"", b"'"]
            .iter()
            .any(|mark| line.starts_with(mark));
        is_comment
            && (line.contains_str("DO NOT EDIT")
                && (line.contains_str("enerated") || line.contains_str("ENERATED"))
                || line.contains_str("@generated") && !line.contains_str("not @generated")
                || line.contains_str("<auto-generated"))
    })
}

fn is_minified(name: &[u8], bytes: &[u8]) -> bool {
    let ends = |suffix: &str| name.to_ascii_lowercase().ends_with(suffix.as_bytes());
    if [".min.js", ".min.css", ".min.mjs", ".js.map", ".css.map", ".mjs.map", "-min.js"]
        .iter()
        .any(|&suffix| ends(suffix))
    {
        return true;
    }
    let is_script = [".js", ".mjs", ".cjs", ".css"].iter().any(|&suffix| ends(suffix));
    is_script
        && bytes.len() > 2 * MINIFIED_LINE_BYTES
        && bytes.len() / (bytes.find_iter(b"\n").count() + 1) > MINIFIED_LINE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(path: &str, bytes: &[u8]) -> Option<SkipReason> {
        skip_reason(path.into(), bytes, &FileAttributes::default(), &Limits::default())
    }

    #[test]
    fn codes_round_trip() {
        for reason in SkipReason::ALL {
            assert_eq!(SkipReason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(SkipReason::from_code(0), None);
        assert_eq!(SkipReason::from_code(200), None);
    }

    #[test]
    fn files_are_told_apart() {
        let long = "x".repeat(5000);
        let cases: [(&str, &[u8], Option<SkipReason>); 13] = [
            ("a.rs", b"fn main() {}\n", None),
            ("a.bin", b"ab\0cd", Some(SkipReason::Binary)),
            ("a.txt", b"\xff\xfea\0b\0", None),
            ("secret", b"\0GITCRYPT\0xyz", Some(SkipReason::Encrypted)),
            ("big.psd", b"version https://git-lfs.github.com/spec/v1\n", Some(SkipReason::LfsPointer)),
            ("x/Cargo.lock", b"[[package]]\n", Some(SkipReason::Generated)),
            ("a.go", b"// Code generated by protoc-gen-go. DO NOT EDIT.\n", Some(SkipReason::Generated)),
            ("a.js", b"/** @generated */\n", Some(SkipReason::Generated)),
            ("a.py", b"MARK = 'Code generated. DO NOT EDIT'\n", None),
            ("jquery.min.js", b"var a;\n", Some(SkipReason::Minified)),
            ("bundle.js", long.as_bytes(), Some(SkipReason::Minified)),
            ("long.txt", long.as_bytes(), None),
            ("empty.py", b" \n", Some(SkipReason::Empty)),
        ];
        for (path, bytes, expected) in cases {
            assert_eq!(reason(path, bytes), expected, "{path}");
        }
    }

    #[test]
    fn attributes_decide_first() {
        let of = |attributes: FileAttributes| {
            skip_reason("Cargo.lock".into(), b"x\n", &attributes, &Limits::default())
        };
        assert_eq!(of(FileAttributes { generated: Some(false), ..FileAttributes::default() }), None);
        assert_eq!(
            of(FileAttributes { is_skipped: true, ..FileAttributes::default() }),
            Some(SkipReason::Attribute)
        );
        assert_eq!(
            of(FileAttributes { vendored: Some(true), ..FileAttributes::default() }),
            Some(SkipReason::Vendored)
        );
    }
}
