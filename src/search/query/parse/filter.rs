//! Filters: the files and chunks that may be hits, and the names of kinds.
//!
//! [`Filters`] of the options and of the text → a compiled `Filter`, checked per file, then per
//! chunk. A filter admits or rejects; it never changes a score. It must not depend on which segment
//! stores a file.

use crate::index::chunk::{ChunkKind, DeclarationKind, Language};
use crate::search::segment::{ChunkRow, FileView, Segment};

use super::pathspec::{Pathspec, admits};
use crate::search::query::{Error, Filters};

/// A kind of chunk or of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindFilter {
    /// Admits a chunk that declares something of this kind, or is a part of it.
    Declaration(DeclarationKind),
    /// Admits a chunk of this kind.
    Chunk(ChunkKind),
}

const DECLARATIONS: [(DeclarationKind, &str); 22] = {
    use DeclarationKind as K;
    [
        (K::Function, "function"),
        (K::Method, "method"),
        (K::Constructor, "constructor"),
        (K::Class, "class"),
        (K::Struct, "struct"),
        (K::Interface, "interface"),
        (K::Enum, "enum"),
        (K::Variant, "variant"),
        (K::Union, "union"),
        (K::Type, "type"),
        (K::Implementation, "implementation"),
        (K::Module, "module"),
        (K::Constant, "constant"),
        (K::Variable, "variable"),
        (K::Field, "field"),
        (K::Macro, "macro"),
        (K::Test, "test"),
        (K::Section, "section"),
        (K::Key, "key"),
        (K::Rule, "rule"),
        (K::Table, "table"),
        (K::Element, "element"),
    ]
};

const CHUNKS: [(ChunkKind, &str); 8] = {
    use ChunkKind as K;
    [
        (K::Head, "head"),
        (K::Declaration, "declaration"),
        (K::Part, "part"),
        (K::Group, "group"),
        (K::Code, "code"),
        (K::Section, "section"),
        (K::Data, "data"),
        (K::Window, "window"),
    ]
};

/// Returns the name of a kind of declaration.
pub fn declaration_kind_name(kind: DeclarationKind) -> &'static str {
    DECLARATIONS.iter().find(|(k, _)| *k == kind).map_or("declaration", |(_, name)| name)
}

/// Returns the name of a kind of chunk.
pub fn chunk_kind_name(kind: ChunkKind) -> &'static str {
    CHUNKS.iter().find(|(k, _)| *k == kind).map_or("chunk", |(_, name)| name)
}

/// Returns all names of kinds, sorted, each once.
pub(in crate::search::query) fn kind_names() -> Vec<&'static str> {
    let mut names: Vec<_> = DECLARATIONS.iter().map(|d| d.1).chain(CHUNKS.iter().map(|c| c.1)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl std::str::FromStr for KindFilter {
    type Err = Error;

    /// Parses the name of a kind. A name in both lists means the declaration, which covers those
    /// chunks.
    fn from_str(name: &str) -> Result<Self, Error> {
        let lower = name.to_ascii_lowercase();
        let declared = DECLARATIONS.iter().find(|(_, n)| *n == lower).map(|(k, _)| Self::Declaration(*k));
        let chunk = || CHUNKS.iter().find(|(_, n)| *n == lower).map(|(k, _)| Self::Chunk(*k));
        declared.or_else(chunk).ok_or_else(|| Error::Kind(name.to_owned()))
    }
}

/// Compiled filters.
#[derive(Debug, Clone, Default)]
pub(in crate::search::query) struct Filter {
    paths: Vec<Pathspec>,
    /// Inclusions in the query's text: they narrow those of the options instead of adding to them.
    paths_in_text: Vec<Pathspec>,
    languages: Vec<String>,
    languages_in_text: Vec<String>,
    kinds: Vec<KindFilter>,
    tests: Option<bool>,
}

impl Filter {
    /// Compiles the filters of the options and of the text; a hit must pass both.
    pub(in crate::search::query) fn compile(options: &Filters, text: &Filters) -> Result<Self, Error> {
        let specs = |list: &[String]| list.iter().map(|s| Pathspec::parse(s)).collect::<Result<Vec<_>, _>>();
        // `lang:py` and `lang:Python` mean the language that records call `python`; an unknown name
        // stands for itself.
        let named = |name: &String| {
            Language::from_name(name).map_or(name.to_lowercase(), |l| l.name().to_lowercase())
        };
        let lower = |list: &[String]| list.iter().map(named).collect();
        Ok(Self {
            paths: specs(&options.paths)?,
            paths_in_text: specs(&text.paths)?,
            languages: lower(&options.languages),
            languages_in_text: lower(&text.languages),
            kinds: options.kinds.iter().chain(&text.kinds).map(|k| k.parse()).collect::<Result<_, _>>()?,
            tests: options.tests.or(text.tests),
        })
    }

    /// Returns whether every file is admitted, so that no file needs to be checked.
    pub(in crate::search::query) fn admits_all_files(&self) -> bool {
        let Self { paths, paths_in_text, languages, languages_in_text, kinds: _, tests: _ } = self;
        paths.is_empty() && paths_in_text.is_empty() && languages.is_empty() && languages_in_text.is_empty()
    }

    /// Returns whether chunks of the file may be hits.
    pub(in crate::search::query) fn admits_file(&self, file: &FileView<'_>) -> bool {
        if !self.languages.is_empty() || !self.languages_in_text.is_empty() {
            let language = file.language().to_lowercase();
            let among = |list: &[String]| list.is_empty() || list.contains(&language);
            if !among(&self.languages) || !among(&self.languages_in_text) {
                return false;
            }
        }
        admits(&self.paths, file.path()) && admits(&self.paths_in_text, file.path())
    }

    /// Returns whether the chunk may be a hit, given that its file is admitted.
    pub(in crate::search::query) fn admits_chunk(
        &self,
        segment: &Segment,
        ord: u32,
        chunk: &ChunkRow,
    ) -> bool {
        if let Some(wanted) = self.tests {
            let in_file = || segment.file(chunk.file).is_some_and(|file| file.flags.is_test());
            if wanted != (chunk.is_test || in_file()) {
                return false;
            }
        }
        if self.kinds.is_empty() {
            return true;
        }
        let own = chunk.declaration.into_iter();
        let declared =
            || own.clone().chain(segment.declarations_in(ord)).filter_map(|d| segment.declaration(d));
        self.kinds.iter().any(|kind| match kind {
            KindFilter::Chunk(kind) => chunk.kind == *kind,
            KindFilter::Declaration(kind) => declared().any(|d| d.kind == *kind),
        })
    }

    /// Returns whether chunks have to be checked one by one.
    pub(in crate::search::query) fn looks_at_chunks(&self) -> bool {
        !self.kinds.is_empty() || self.tests.is_some()
    }
}

/// Returns whether a word is a filter, such as `lang:rust`.
pub(in crate::search::query) fn is_filter(word: &str) -> bool {
    without_filters(word, &mut Filters::default(), &mut Vec::new()).is_empty()
}

pub(in crate::search::query) fn without_filters(
    text: &str,
    filters: &mut Filters,
    symbols: &mut Vec<String>,
) -> String {
    let mut kept = Vec::new();
    for word in text.split_whitespace() {
        let (negated, plain) = word.strip_prefix('-').map_or((false, word), |plain| (true, plain));
        // `path::Path` is a name, not a filter.
        match plain.split_once(':').filter(|(_, value)| !value.is_empty() && !value.starts_with(':')) {
            Some(("path" | "file", value)) => {
                filters.paths.push(if negated { format!("!{value}") } else { value.to_owned() });
            }
            Some(("lang" | "language", value)) if !negated => {
                filters.languages.push(value.to_owned());
            }
            Some(("kind", value)) if !negated => filters.kinds.push(value.to_owned()),
            Some(("symbol" | "sym", value)) if !negated => {
                symbols.push(value.to_owned());
            }
            _ => kept.push(word),
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kinds_parse() {
        for name in kind_names() {
            name.parse::<KindFilter>().unwrap();
        }
        assert_eq!("Class".parse::<KindFilter>().unwrap(), KindFilter::Declaration(DeclarationKind::Class));
        assert!("thing".parse::<KindFilter>().is_err());
    }
}
