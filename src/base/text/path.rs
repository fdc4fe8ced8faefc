//! The parts of a repository path: bytes with `/` between them, as Git stores them.

use bstr::{BStr, ByteSlice};

/// Returns the last part of a path: the file's own name.
pub fn name(path: &BStr) -> &BStr {
    path.rsplit_once_str("/").map_or(path, |(_, name)| name.as_bstr())
}

/// Returns the name of a file up to its first dot: `map` for `src/map.test.ts`, and nothing for
/// `.gitignore`.
pub fn stem(path: &BStr) -> &BStr {
    let name = name(path);
    name.split_once_str(".").map_or(name, |(stem, _)| stem.as_bstr())
}

/// Returns the directory of a path, without the slash at its end; empty for a path at the root.
pub fn parent(path: &BStr) -> &BStr {
    path.rsplit_once_str("/").map_or(BStr::new(""), |(parent, _)| parent.as_bstr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_parent_and_a_name() {
        for (path, expected) in
            [("a/b/c.rs", ("a/b", "c.rs")), ("c.rs", ("", "c.rs")), ("", ("", "")), ("a/", ("a", ""))]
        {
            let path = BStr::new(path);
            assert_eq!((parent(path), name(path)), (BStr::new(expected.0), BStr::new(expected.1)), "{path}");
        }
        for (path, expected) in
            [("a.b/map.test.ts", "map"), ("a/Makefile", "Makefile"), ("a/.x", ""), ("a/", "")]
        {
            assert_eq!(stem(BStr::new(path)), BStr::new(expected), "{path}");
        }
    }
}
