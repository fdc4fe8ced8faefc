//! Links: (file, target as written) → the paths in the repository that the target can mean.
//!
//! Whether a path exists is for the caller to check.

/// Returns the paths that a link in the file at `from` can mean, the likeliest first.
///
/// A link is relative to the file or to the root, which can be that of the documents. It may lack
/// its extension (`:doc:`, `\input`). A page of the manual is a name and a section: `tmux 1`.
pub(super) fn link_paths(from: &str, target: &str) -> Vec<String> {
    let bare = target.split(['#', '?']).next().unwrap_or_default();
    let (folder, own) = from.rsplit_once('/').unwrap_or(("", from));
    let mut names = vec![bare.to_owned()];
    if let Some((page, section)) = bare.split_once(' ') {
        let section = section.trim_matches(['(', ')']);
        names = vec![format!("{page}.{section}"), format!("../man{section}/{page}.{section}")];
    } else if let Some((_, end)) = own.rsplit_once('.') {
        let ends = if end == "tex" { &["tex", "sty", "cls", "bib"][..] } else { &[end][..] };
        names.extend(ends.iter().map(|end| format!("{bare}.{end}")));
    }
    let mut paths = Vec::new();
    for name in names {
        match name.strip_prefix('/') {
            Some(rooted) => {
                // From the root of the repository to the folder of the file.
                paths.push(rooted.to_owned());
                let folders = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
                let folders = folders.filter_map(|end| folder.get(..end)).filter(|folder| !folder.is_empty());
                paths.extend(folders.map(|folder| format!("{folder}/{rooted}")));
            }
            None => {
                paths.extend(below(folder, &name));
                paths.push(name);
            }
        }
    }
    paths
}

/// Returns the path of a name relative to a folder; `None` if it is outside of the repository.
fn below(folder: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_may_lack_its_extension_or_start_at_a_root() {
        for (from, target, expected) in [
            ("a.md", "b.md#c", &["b.md", "b.md", "b.md.md", "b.md.md"][..]),
            ("docs/a.rst", "ref/b", &["docs/ref/b", "ref/b", "docs/ref/b.rst", "ref/b.rst"]),
            ("x/docs/a.txt", "/b", &["b", "x/b", "x/docs/b", "b.txt", "x/b.txt", "x/docs/b.txt"]),
            ("man1/a.1", "b 3", &["man1/b.3", "b.3", "man3/b.3", "../man3/b.3"]),
            ("a.1", "b (1)", &["b.1", "b.1", "../man1/b.1"]),
            ("README", "../b", &["../b"]),
        ] {
            assert_eq!(link_paths(from, target), expected, "{target}");
        }
        assert!(link_paths("a.tex", "x").contains(&"x.sty".to_owned()));
    }
}
