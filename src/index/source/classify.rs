//! The decision whether a file is indexed: path, bytes and attributes → index it, or why not.
//!
//! Owns [`SkipReason`], [`Limits`], [`Decision`], [`classify`] and [`classify_entry`]. The
//! repository's attributes come first, then the kind of the bytes, then the look of the content.
//! Records store the numbers of the reasons, which are never reused; `record/FORMAT.md` lists them.

use bstr::{BStr, ByteSlice};

use super::decode::is_binary;
use super::generated::{is_bundle, is_generated, is_generated_name, is_made_page};
use crate::base::text::path;
use crate::git::{EntryMode, FileAttributes};

/// Average line length in bytes above which a script or style sheet is minified. People stay below
/// 100; minifiers begin at several thousand.
const MINIFIED_LINE_BYTES: usize = 500;

/// Smallest file in bytes that can count as minified: one long line is too little evidence.
const MINIFIED_MIN_BYTES: usize = 2000;

/// The first line of a Git LFS pointer. A pointer is smaller than `LFS_MAX_BYTES`, the
/// specification's own bound.
const LFS_MAGIC: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
const LFS_MAX_BYTES: usize = 1024;

/// The first bytes of a file that git-crypt has encrypted.
const CRYPT_MAGIC: &[u8] = b"\0GITCRYPT\0";

/// A reason why a file is not indexed. Records store its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum SkipReason {
    /// Its bytes are not text, or its attributes say so.
    Binary = 1,
    /// It is larger than [`Limits::max_file_bytes`].
    TooLarge = 2,
    /// It is a minified script or style sheet, or a source map.
    Minified = 3,
    /// It is generated: by its attribute, by a mark in its first lines, or because it is a lock
    /// file.
    Generated = 4,
    /// The attribute `linguist-vendored` marks it as third-party code.
    Vendored = 5,
    /// The attribute `cora=skip` (or `-cora`) excludes it.
    Attribute = 6,
    /// It is encrypted by git-crypt.
    Encrypted = 7,
    /// It is a symbolic link; the target is indexed under its own path.
    Symlink = 8,
    /// It is a commit of another repository.
    Submodule = 9,
    /// It is a pointer to content that Git LFS stores elsewhere.
    LfsPointer = 10,
    /// It is missing, damaged, or not fetched in a partial clone.
    Unreadable = 11,
    /// It is empty, or has only white space.
    Empty = 12,
}

impl SkipReason {
    /// All reasons, by number.
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

    /// Returns the number that a record stores, 1 or more.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the reason with a number; `None` for a number that this version doesn't know.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }

    /// Returns the reason in one to three words, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::TooLarge => "too large",
            Self::Minified => "minified",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
            Self::Attribute => "excluded by attribute",
            Self::Encrypted => "encrypted",
            Self::Symlink => "symbolic link",
            Self::Submodule => "submodule",
            Self::LfsPointer => "Git LFS pointer",
            Self::Unreadable => "unreadable",
            Self::Empty => "empty",
        }
    }
}

impl std::fmt::Display for SkipReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The limits of indexing. They change records, so they are part of an index's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is indexed, in bytes.
    pub max_file_bytes: u64,
}

impl Default for Limits {
    /// Returns 10 MiB, as the setting `cora.maxFileBytes`: handwritten source files end well below
    /// 1 MB; larger ones are amalgamations, then data.
    fn default() -> Self {
        Self { max_file_bytes: 10 << 20 }
    }
}

/// The decision about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The file is indexed.
    Index,
    /// The file is not indexed, for this reason.
    Skip(SkipReason),
}

/// Returns the reason to skip an entry, as far as it is known before its bytes are read; `None`
/// means that the bytes are needed.
pub fn classify_entry(path: &BStr, mode: EntryMode, attributes: &FileAttributes) -> Option<SkipReason> {
    match mode {
        EntryMode::Symlink => return Some(SkipReason::Symlink),
        EntryMode::Submodule | EntryMode::Directory => return Some(SkipReason::Submodule),
        EntryMode::File | EntryMode::Executable => {}
    }
    let name = path::name(path);
    let filter = attributes.filter.as_deref().unwrap_or_default();
    let is_handwritten = attributes.generated == Some(false);
    if attributes.cora_skip {
        Some(SkipReason::Attribute)
    } else if filter == "git-crypt" || filter.starts_with("git-crypt-") {
        Some(SkipReason::Encrypted)
    } else if attributes.vendored == Some(true) {
        Some(SkipReason::Vendored)
    } else if attributes.generated == Some(true) {
        Some(SkipReason::Generated)
    } else if attributes.binary && filter != "lfs" {
        // A Git LFS pointer has these attributes too; its bytes identify it.
        Some(SkipReason::Binary)
    } else if !is_handwritten && is_minified_name(name) {
        Some(SkipReason::Minified)
    } else if !is_handwritten && is_generated_name(name) {
        Some(SkipReason::Generated)
    } else {
        None
    }
}

/// Decides about an ordinary file by its name, bytes and attributes.
///
/// `linguist-generated=false` (or `-linguist-generated`) overrides every guess that the file is
/// generated.
pub fn classify(path: &BStr, bytes: &[u8], attributes: &FileAttributes, limits: &Limits) -> Decision {
    match reason(path, bytes, attributes, limits) {
        Some(reason) => Decision::Skip(reason),
        None => Decision::Index,
    }
}

fn reason(path: &BStr, bytes: &[u8], attributes: &FileAttributes, limits: &Limits) -> Option<SkipReason> {
    // A caller that records a tree has asked this before it read the blob. One that has only bytes,
    // such as the work tree, has not.
    if let Some(reason) = classify_entry(path, EntryMode::File, attributes) {
        return Some(reason);
    }
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limits.max_file_bytes {
        return Some(SkipReason::TooLarge);
    }
    if bytes.starts_with(CRYPT_MAGIC) {
        return Some(SkipReason::Encrypted);
    }
    if bytes.len() < LFS_MAX_BYTES && bytes.starts_with(LFS_MAGIC) {
        return Some(SkipReason::LfsPointer);
    }
    if attributes.binary || is_binary(bytes) {
        return Some(SkipReason::Binary);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(SkipReason::Empty);
    }
    if attributes.generated != Some(false) {
        let name = path::name(path);
        if is_generated(bytes) || is_made_page(path, bytes) || is_bundle(path, bytes) {
            return Some(SkipReason::Generated);
        }
        if is_minified(name, bytes) {
            return Some(SkipReason::Minified);
        }
    }
    None
}

fn is_minified_name(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let squeezed: [&[u8]; 6] = [b".min.js", b".min.mjs", b".min.cjs", b".min.css", b".js.map", b".css.map"];
    squeezed.iter().any(|end| name.ends_with(end))
        || name.ends_with(b".mjs.map")
        || name.ends_with(b".cjs.map")
}

fn is_minified(name: &[u8], bytes: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let kinds: [&[u8]; 4] = [b".js", b".mjs", b".cjs", b".css"];
    if bytes.len() < MINIFIED_MIN_BYTES {
        return false;
    }
    // A source map begins like this, whatever its name.
    if name.ends_with(b".map") {
        return bytes.starts_with(b"{\"version\":3");
    }
    let n_lines = bytes.lines().count().max(1);
    kinds.iter().any(|end| name.ends_with(end)) && bytes.len() / n_lines > MINIFIED_LINE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(path: &str, bytes: &[u8]) -> Decision {
        classify(path.into(), bytes, &FileAttributes::default(), &Limits::default())
    }

    #[test]
    fn numbers_are_stable_and_unique() {
        let codes: Vec<u8> = SkipReason::ALL.iter().map(|reason| reason.code()).collect();
        assert_eq!(codes, (1..=12).collect::<Vec<u8>>());
        for reason in SkipReason::ALL {
            assert_eq!(SkipReason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(SkipReason::from_code(0), None);
        assert_eq!(SkipReason::from_code(13), None);
    }

    #[test]
    fn files_are_judged_by_name_and_bytes() {
        let long_line = "a=1;".repeat(1000);
        let table: &[(&str, &[u8], Decision)] = &[
            ("src/main.rs", b"fn main() {}\n", Decision::Index),
            ("vendor/x/y.go", b"package y\n", Decision::Index),
            ("latin.c", b"// caf\xe9\n", Decision::Index),
            ("page.txt", b"one\x0ctwo\x1b[0m\n", Decision::Index),
            ("wide.cs", b"\xff\xfea\0b\0\n\0", Decision::Index),
            ("wide", b"\xff\xfe\0\0\0\0", Decision::Skip(SkipReason::Binary)),
            ("a.out", b"\x7fELF\0\x01", Decision::Skip(SkipReason::Binary)),
            ("noise", b"\x01\x02a\x03\x04b", Decision::Skip(SkipReason::Binary)),
            ("secret", b"\0GITCRYPT\0abc", Decision::Skip(SkipReason::Encrypted)),
            (
                "movie",
                b"version https://git-lfs.github.com/spec/v1\noid x\n",
                Decision::Skip(SkipReason::LfsPointer),
            ),
            ("lib/Cargo.lock", b"x", Decision::Skip(SkipReason::Generated)),
            ("web/jquery.min.js", b"x", Decision::Skip(SkipReason::Minified)),
            ("web/app.js.map", b"x", Decision::Skip(SkipReason::Minified)),
            ("web/app.js", long_line.as_bytes(), Decision::Skip(SkipReason::Minified)),
            ("web/app.ts", long_line.as_bytes(), Decision::Index),
            ("level.map", b"###\n#.#\n", Decision::Index),
            (
                "gen.go",
                b"// Code generated by x. DO NOT EDIT.\npackage a\n",
                Decision::Skip(SkipReason::Generated),
            ),
            ("__init__.py", b"", Decision::Skip(SkipReason::Empty)),
            ("blank", b" \n\t\r\n", Decision::Skip(SkipReason::Empty)),
        ];
        for (path, bytes, expected) in table {
            assert_eq!(decide(path, bytes), *expected, "{path}");
        }
        let limits = Limits { max_file_bytes: 3 };
        let large = classify("a".into(), b"abcd", &FileAttributes::default(), &limits);
        assert_eq!(large, Decision::Skip(SkipReason::TooLarge));
    }

    #[test]
    fn attributes_come_before_guesses() {
        let with = |change: fn(&mut FileAttributes)| {
            let mut attributes = FileAttributes::default();
            change(&mut attributes);
            attributes
        };
        let skip = |reason| Decision::Skip(reason);
        let table: &[(&str, &[u8], FileAttributes, Decision)] = &[
            ("Cargo.lock", b"x", with(|a| a.generated = Some(false)), Decision::Index),
            ("a.min.js", b"x", with(|a| a.generated = Some(false)), Decision::Index),
            ("a.go", b"// @generated\n", with(|a| a.generated = Some(false)), Decision::Index),
            ("a.rs", b"x", with(|a| a.generated = Some(true)), skip(SkipReason::Generated)),
            ("a.rs", b"x", with(|a| a.vendored = Some(true)), skip(SkipReason::Vendored)),
            ("a.rs", b"x", with(|a| a.vendored = Some(false)), Decision::Index),
            ("a.rs", b"x", with(|a| a.cora_skip = true), skip(SkipReason::Attribute)),
            ("a.rs", b"x", with(|a| a.binary = true), skip(SkipReason::Binary)),
            ("a.rs", b"x", with(|a| a.filter = Some("git-crypt".into())), skip(SkipReason::Encrypted)),
            ("a.rs", b"x", with(|a| a.filter = Some("lfs".into())), Decision::Index),
            (
                "a.bin",
                b"version https://git-lfs.github.com/spec/v1\n",
                with(|a| (a.filter, a.binary) = (Some("lfs".into()), true)),
                skip(SkipReason::LfsPointer),
            ),
        ];
        for (path, bytes, attributes, expected) in table {
            let found = classify((*path).into(), bytes, attributes, &Limits::default());
            assert_eq!(found, *expected, "{path} {attributes:?}");
        }
        let none = FileAttributes::default();
        assert_eq!(classify_entry("a".into(), EntryMode::Symlink, &none), Some(SkipReason::Symlink));
        assert_eq!(classify_entry("a".into(), EntryMode::Submodule, &none), Some(SkipReason::Submodule));
        assert_eq!(classify_entry("a".into(), EntryMode::Executable, &none), None);
    }

    #[test]
    fn bytes_are_judged_up_to_the_bounds() {
        let at = |len: usize, odd: &[usize], byte: u8| {
            let mut bytes = vec![b'a'; len];
            odd.iter().for_each(|at| bytes[*at] = byte);
            bytes
        };
        let skip = Decision::Skip;
        let lines = |len: usize| {
            let mut bytes = vec![b'a'; len];
            [400, 800, 1200].into_iter().for_each(|at| bytes[at] = b'\n');
            bytes
        };
        let pointer = |len: usize| {
            let mut bytes = LFS_MAGIC.to_vec();
            bytes.resize(len, b'\n');
            bytes
        };
        let wide = |at: usize| {
            let mut bytes = vec![0xff, 0xfe];
            (0..5000).for_each(|n| bytes.extend([if n == at { 0 } else { b'a' }, 0]));
            bytes
        };
        for (path, bytes, expected) in [
            ("nul", at(9000, &[7999], 0), skip(SkipReason::Binary)),
            ("nul", at(9000, &[8000], 0), Decision::Index),
            // The byte order mark is a unit, too.
            ("wide", wide(3998), skip(SkipReason::Binary)),
            ("wide", wide(3999), Decision::Index),
            ("controls", at(20, &[1, 2], 1), Decision::Index),
            ("controls", at(20, &[1, 2, 3], 1), skip(SkipReason::Binary)),
            ("controls", at(19, &[1, 2], 1), skip(SkipReason::Binary)),
            ("a.js", at(1999, &[], 0), Decision::Index),
            ("a.js", at(2000, &[], 0), skip(SkipReason::Minified)),
            ("a.css", lines(2003), Decision::Index),
            ("a.css", lines(2004), skip(SkipReason::Minified)),
            ("pointer", pointer(1023), skip(SkipReason::LfsPointer)),
            ("pointer", pointer(1024), Decision::Index),
        ] {
            assert_eq!(decide(path, &bytes), expected, "{path} of {} bytes", bytes.len());
        }
        let limits = Limits { max_file_bytes: 4 };
        let exact = classify("a".into(), b"abcd", &FileAttributes::default(), &limits);
        assert_eq!(exact, Decision::Index);
        assert_eq!(Limits::default().max_file_bytes, 10 << 20);
    }
}
