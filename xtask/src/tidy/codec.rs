//! The format document and the codec can't part: `src/index/record/FORMAT.md` carries a hash of the
//! codec's sources.
//!
//! A change to the codec fails here until somebody has reviewed the document and entered the new
//! hash. The hash guards against forgetting, not against malice: FNV-1a is enough and needs no
//! dependency.

use crate::tree::File;

const CODEC: &str = "src/index/record/";
const DOCUMENT: &str = "src/index/record/FORMAT.md";
const MARK: &str = "codec-hash: ";

/// Complains if the document's hash differs from that of the sources.
pub(crate) fn check(files: &[File]) -> Vec<String> {
    let sources: Vec<_> = files.iter().filter(|file| is_codec(&file.path)).collect();
    if sources.is_empty() {
        return Vec::new();
    }
    let hash = hash(&sources);
    let Some(document) = files.iter().find(|file| file.path == DOCUMENT) else {
        return vec![format!("{DOCUMENT}:1: missing; it needs a line '{MARK}{hash}'")];
    };
    let lines = document.text.lines().enumerate();
    let mut pins = lines.filter_map(|(ord, line)| Some((ord + 1, line.split_once(MARK)?.1)));
    match (pins.next(), pins.next()) {
        (None, _) => vec![format!("{DOCUMENT}:1: has no line '{MARK}{hash}'")],
        (Some(_), Some((line, _))) => vec![format!("{DOCUMENT}:{line}: a second '{MARK}'")],
        // The end of a Markdown comment may follow the hash.
        (Some((_, pin)), None) if pin.split_whitespace().next() == Some(&hash) => Vec::new(),
        (Some((line, _)), None) => vec![format!(
            "{DOCUMENT}:{line}: the codec has changed: make the document say what it does, then write '{MARK}{hash}'"
        )],
    }
}

/// Returns whether a file belongs to the codec: every source of the stage except its tests.
fn is_codec(path: &str) -> bool {
    let is_test = path.ends_with("/tests.rs") || path.ends_with("_tests.rs") || path.contains("/tests/");
    path.starts_with(CODEC) && path.ends_with(".rs") && !is_test
}

/// Returns the 64-bit FNV-1a hash of each path and its text, both terminated by a NUL. Line ends
/// are hashed as line feeds, so that a checkout on Windows agrees.
fn hash(sources: &[&File]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut feed = |text: &str| {
        for byte in text.replace("\r\n", "\n").bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in sources {
        feed(&file.path);
        feed(&file.text);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // Pinned: the published value for "a" differs, because our input ends each text with a NUL.
        assert_eq!(hash(&[]), "cbf29ce484222325");
        assert_eq!(hash(&[&File::new("", "")]), "08328807b4eb6fed");
    }

    #[test]
    fn the_document_follows_the_codec() {
        let source = File::new("src/index/record/mod.rs", "//! A.\n");
        let pin = hash(&[&source]);
        let document = |text: &str| File::new(DOCUMENT, text);
        let good = document(&format!("# Format\n<!-- codec-hash: {pin} -->\n"));
        assert!(check(&[]).is_empty());
        assert!(check(&[source.clone(), good.clone()]).is_empty());
        assert_eq!(check(std::slice::from_ref(&source)).len(), 1);
        assert_eq!(check(&[source.clone(), document("# Format\n")]).len(), 1);
        let twice = document(&format!("{MARK}{pin}\n{MARK}{pin}\n"));
        assert_eq!(check(&[source.clone(), twice]).len(), 1);
        let changed = File::new("src/index/record/mod.rs", "//! B.\n");
        assert!(
            check(&[changed, good.clone()])[0]
                .starts_with("src/index/record/FORMAT.md:2: the codec has changed")
        );
        let windows = File::new("src/index/record/mod.rs", "//! A.\r\n");
        assert!(check(&[windows, good.clone()]).is_empty());
        let tests = File::new("src/index/record/tests.rs", "//! Tests.\n");
        assert!(check(&[source, tests, good]).is_empty());
    }
}
