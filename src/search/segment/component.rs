//! Components: files that are a class with the name of their file.
//!
//! A component of Razor holds all that its file declares. One of Vue, Svelte or Astro is only what
//! its file exports by default: the functions of its script are not members of it.

use bstr::{BStr, ByteSlice};

use crate::base::text::identifier::in_pascal_case;
use crate::index::chunk::{ByteRange, DeclarationKind, Span};
use crate::index::record::{RecordView, Scratch};

use super::part::DeclarationInput;
use super::reader::FileView;
use super::{Error, Result};

/// The class that a file is.
pub(super) struct Component {
    name: String,
    span: Span,
    /// Whether the declarations of the file are its members.
    pub(super) has_members: bool,
}

impl Component {
    /// Returns the component of a file; `None` if the file is not one. `words` are those of the
    /// record.
    pub(super) fn of(path: &BStr, record: &RecordView<'_>, words: &Scratch) -> Result<Option<Self>> {
        let has_members = record.language() == "razor";
        let Some(name) = component_name(record.language(), path) else { return Ok(None) };
        if !has_members && declares(record, words, &name)? {
            return Ok(None);
        }
        let bytes = ByteRange { start: 0, end: record.source_bytes() };
        let span = Span { bytes, start_line: 1, end_line: record.n_lines().max(1) };
        Ok(Some(Self { name, span, has_members }))
    }

    pub(super) fn declaration(&self) -> DeclarationInput<'_> {
        DeclarationInput {
            name: &self.name,
            scope: "",
            kind: DeclarationKind::Class,
            parent: None,
            span: self.span,
            name_line: self.span.start_line,
            signature: ByteRange::default(),
            body: self.span.bytes,
            doc: ByteRange::default(),
        }
    }
}

/// Returns whether a record declares a value or a class of a name outside of anything else.
fn declares(record: &RecordView<'_>, words: &Scratch, name: &str) -> Result<bool> {
    use DeclarationKind as K;
    let mut is_declared = false;
    record.visit_read::<Error>(words, |view| {
        is_declared |= view.declarations.iter().any(|one| {
            let is_value = matches!(one.kind, K::Class | K::Function | K::Constant | K::Variable);
            is_value && one.name == name && one.parent.is_none()
        });
        Ok(())
    })?;
    Ok(is_declared)
}

/// Returns whether files of a language are components that are exported by default.
pub(crate) fn is_component_language(language: &str) -> bool {
    matches!(language, "astro" | "svelte" | "vue")
}

/// Returns the name of the component that a file of a language is; `None` if it is not one, as a
/// page whose file is named after its address (`[id].vue`, `+page.svelte`).
pub(crate) fn component_name(language: &str, path: &BStr) -> Option<String> {
    let path = path.to_str().ok()?;
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, _) = file.rsplit_once('.')?;
    if language == "razor" {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_component = file.ends_with(".razor") && stem.starts_with(char::is_uppercase);
        return (is_component && stem.chars().all(is_name)).then(|| stem.to_owned());
    }
    is_component_language(language).then_some(())?;
    let folder = folder.rsplit('/').next().unwrap_or_default();
    let written = if stem == "index" && is_component_stem(folder) { folder } else { stem };
    is_component_stem(written).then(|| in_pascal_case(written, '-'))
}

/// Returns whether a file of this name, without its ending, may be a component.
fn is_component_stem(stem: &str) -> bool {
    stem.starts_with(char::is_alphabetic)
        && stem.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// Returns the tags by which a component may be used with hyphens: `user-card` for `UserCard`, and
/// both `v-p-link` and `vp-link` for `VPLink`.
pub(crate) fn hyphenated_tags(name: &str) -> Vec<String> {
    let of = |joins_capitals: bool| {
        let mut out = String::with_capacity(name.len() + 4);
        let chars: Vec<char> = name.chars().collect();
        for (at, c) in chars.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| chars.get(at));
            let is_word = !joins_capitals
                || before.is_some_and(|before| before.is_lowercase())
                || chars.get(at + 1).is_some_and(|next| next.is_lowercase());
            if c.is_uppercase() && is_word && before.is_some_and(|before| *before != '-') {
                out.push('-');
            }
            out.extend(c.to_lowercase());
        }
        out
    };
    let mut tags = vec![of(false), of(true)];
    tags.dedup();
    tags.retain(|tag| tag.contains('-'));
    tags
}

impl<'s> FileView<'s> {
    /// Returns the component that the file exports by default: its ordinal in the segment, and its
    /// name. `None` if the file is not one, or declares it itself.
    pub(crate) fn component(&self) -> Option<(u32, &'s str)> {
        is_component_language(self.language()).then_some(())?;
        let first = self.declarations().next()?;
        let is_file = first.row.kind == DeclarationKind::Class
            && first.row.span.bytes.start == 0
            && first.row.signature.is_empty();
        is_file.then(|| (first.ord, self.segment.name(&first.row)))
    }

    /// Returns whether a declaration is the component that the file exports by default. What its
    /// script declares is beside it, and no member of it.
    pub(crate) fn is_component(&self, ord: u32) -> bool {
        self.component().is_some_and(|(component, _)| component == ord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_called_after_their_files() {
        for (language, path, expected) in [
            ("vue", "src/VPLink.vue", Some("VPLink")),
            ("vue", "src/user-card.vue", Some("UserCard")),
            ("svelte", "button.svelte", Some("Button")),
            ("vue", "src/date-picker/index.vue", Some("DatePicker")),
            ("vue", "index.vue", Some("Index")),
            ("vue", "pages/[id].vue", None),
            ("svelte", "routes/+page.svelte", None),
            ("astro", "Card.astro", Some("Card")),
            ("razor", "Shop/Counter.razor", Some("Counter")),
            ("razor", "Shop/Counter.cshtml", None),
            ("razor", "Shop/_Imports.razor", None),
            ("html", "Card.html", None),
        ] {
            assert_eq!(component_name(language, path.into()).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn tags_of_components_may_have_hyphens() {
        assert_eq!(hyphenated_tags("UserCard"), ["user-card"]);
        assert_eq!(hyphenated_tags("VPLink"), ["v-p-link", "vp-link"]);
        assert_eq!(hyphenated_tags("Card"), [""; 0]);
    }
}
