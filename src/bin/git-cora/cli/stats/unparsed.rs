//! The part of `git cora stats` that says how much of each language its grammar could not read.
//!
//! Reads the files of a searcher and parses them again, because records do not hold errors.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use git_cora::answer::view::theme::{PATH, SYMBOL};
use git_cora::answer::view::{Paint, visible};
use git_cora::base::text::{quoted, visible_path};
use git_cora::base::threads;
use git_cora::index::chunk::{Language, unparsed_bytes};
use git_cora::search::Searcher;

/// Files of a language that are named.
const WORST: usize = 3;

/// A file that its grammar could not read completely.
struct BrokenFile {
    path: String,
    unparsed: u64,
}

/// What the grammar of a language could not read.
pub(super) struct LanguageErrors {
    language: String,
    files: u64,
    broken_files: u64,
    bytes: u64,
    unparsed: u64,
    worst: Vec<BrokenFile>,
}

/// Parses all files of languages with a grammar.
pub(super) fn measure(searcher: &Searcher) -> Vec<LanguageErrors> {
    let index = searcher.index();
    let files: Vec<_> = index.files().filter(|file| !file.flags().is_skipped()).collect();
    let measured = threads::each(&files, |file| {
        let language = Language::from_name(file.language())?;
        let text = searcher.text(file.path())?;
        let unparsed = unparsed_bytes(language, &text)?;
        Some((language.name(), quoted(file.path()).into_owned(), text.len(), unparsed))
    });
    let mut languages: BTreeMap<&str, LanguageErrors> = BTreeMap::new();
    for (language, path, len, unparsed) in measured.into_iter().flatten() {
        let one = languages.entry(language).or_insert_with(|| LanguageErrors {
            language: language.to_owned(),
            files: 0,
            broken_files: 0,
            bytes: 0,
            unparsed: 0,
            worst: Vec::new(),
        });
        one.files += 1;
        one.bytes += u64::try_from(len).unwrap_or(u64::MAX);
        one.unparsed += unparsed;
        if unparsed > 0 {
            one.broken_files += 1;
            one.worst.push(BrokenFile { path, unparsed });
        }
    }
    let mut all: Vec<LanguageErrors> = languages.into_values().collect();
    for one in &mut all {
        one.worst.sort_by(|a, b| b.unparsed.cmp(&a.unparsed).then_with(|| a.path.cmp(&b.path)));
        one.worst.truncate(WORST);
    }
    all.sort_by(|a, b| b.unparsed.cmp(&a.unparsed).then_with(|| a.language.cmp(&b.language)));
    all
}

/// Returns the report for programs.
pub(super) fn json(all: &[LanguageErrors]) -> Value {
    let of = |one: &LanguageErrors| {
        let worst: Vec<Value> = one
            .worst
            .iter()
            .map(|file| json!({"path": file.path, "unparsed_bytes": file.unparsed}))
            .collect();
        json!({
            "language": one.language, "files": one.files, "files_with_errors": one.broken_files,
            "source_bytes": one.bytes, "unparsed_bytes": one.unparsed, "worst": worst,
        })
    };
    all.iter().map(of).collect()
}

/// Appends the report for people.
pub(super) fn write(out: &mut String, paint: Paint, all: &[LanguageErrors]) {
    let title = format!("{:<14} {:>8} {:>12} {:>10}", "not parsed", "files", "with errors", "of bytes");
    let _ = writeln!(out, "\n{}", paint.text(&title, SYMBOL));
    for one in all {
        let language = paint.text(&format!("{:<14}", visible(&one.language)), PATH);
        let (files, broken) = (one.files, one.broken_files);
        let _ = writeln!(out, "{language} {files:>8} {broken:>12} {:>10}", share(one.unparsed, one.bytes));
        for file in &one.worst {
            let _ =
                writeln!(out, "  {:>6} B  {}", file.unparsed, paint.text(&visible_path(&file.path), PATH));
        }
    }
}

/// Returns a share in percent, with two digits behind the point.
fn share(part: u64, whole: u64) -> String {
    let hundredths = part.saturating_mul(10_000) / whole.max(1);
    if part > 0 && hundredths == 0 {
        return "<0.01%".to_owned();
    }
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares() {
        for (part, whole, expected) in [
            (0, 0, "0.00%"),
            (1, 1_000_000, "<0.01%"),
            (1, 3, "33.33%"),
            (5, 5, "100.00%"),
            (1, 200, "0.50%"),
        ] {
            assert_eq!(share(part, whole), expected);
        }
    }
}
