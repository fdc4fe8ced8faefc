//! The list of languages: names and extensions are unique, and documents are split by sections.

use crate::index::chunk::{ChunkKind, Language, is_document};

#[test]
fn names_and_extensions_are_unique() {
    let mut names = std::collections::HashSet::new();
    let mut extensions = std::collections::HashSet::new();
    for language in Language::all() {
        assert!(names.insert(language.name()), "{}", language.name());
        assert_eq!(Language::from_name(language.name()), Some(language));
        for extension in language.extensions() {
            assert!(extensions.insert(*extension), "{extension}");
        }
        let is_split = language.scanner().is_some_and(|one| one.chunks == Some(ChunkKind::Section));
        assert_eq!(is_document(language.name()), is_split, "{}", language.name());
    }
    assert_eq!(Language::TEXT.name(), "text");
}
