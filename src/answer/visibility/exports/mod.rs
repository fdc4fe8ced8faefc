//! What a module hands on from other modules, and what it declares about its own names: a text →
//! [`ModuleExports`].
//!
//! Records say what a file imports, but not whether it exports that again. So statements are read
//! from the text. In Rust, its tokens tell statements from literals and comments. In Python and in
//! scripts, a statement begins a line, or is a call of `require`; a comment or string that looks
//! like one counts. It can only matter if it names a module that is there.

mod python;
mod rust;
mod rust_tokens;
mod script;

/// A language whose modules re-export names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::answer) enum ModuleLanguage {
    Python,
    Rust,
    /// JavaScript and TypeScript.
    Script,
}

impl ModuleLanguage {
    /// Returns the one of a language's name; `None` if re-exports don't matter in that language.
    pub(in crate::answer) fn of(language: &str) -> Option<Self> {
        match language {
            "python" => Some(Self::Python),
            "rust" => Some(Self::Rust),
            "javascript" | "jsx" | "typescript" | "tsx" => Some(Self::Script),
            _ => None,
        }
    }
}

/// A name of another module that a module may hand on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Reexport {
    /// The modules around it in the same file, in Rust.
    pub(super) within: Vec<String>,
    /// The module that has the name, as it is written; empty for the file itself.
    pub(super) module: String,
    /// The name there; `None`: all names of the module.
    pub(super) name: Option<String>,
    /// The name for others; `None`: the same. With all names, it is a name for the module.
    pub(super) exported: Option<String>,
    /// Whether the statement is only meant for others: `import a as a` in Python, and
    /// `export default function a` in a script.
    pub(super) is_explicit: bool,
}

/// The names that `__all__` lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct AllList {
    pub(super) names: Vec<String>,
    /// Whether part of it is computed.
    pub(super) is_open: bool,
}

/// A module that a file of Rust declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InnerModule {
    /// The modules around it in the same file.
    pub(super) within: Vec<String>,
    pub(super) name: String,
    pub(super) is_public: bool,
}

/// What the text of a module says about names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ModuleExports {
    /// In Python, all imports; whether one exports its name depends on the module.
    pub(super) reexports: Vec<Reexport>,
    /// `__all__`, in Python.
    pub(super) all: Option<AllList>,
    /// Modules of Rust.
    pub(super) modules: Vec<InnerModule>,
}

impl ModuleExports {
    /// Reads the text of a module.
    pub(super) fn of(language: ModuleLanguage, text: &str) -> Self {
        match language {
            ModuleLanguage::Python => python::read(text),
            ModuleLanguage::Rust => rust::read(text),
            ModuleLanguage::Script => script::read(text),
        }
    }

    /// Returns whether a script declares a name only as what it exports by default.
    pub(super) fn is_default(&self, name: &str) -> bool {
        let mut own = self.reexports.iter().filter(|one| one.module.is_empty());
        own.any(|one| one.is_explicit && one.name.as_deref() == Some(name))
    }
}

/// The text after a word at its beginning; `None` if it begins with another word.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    (!rest.starts_with(is_word)).then(|| rest.trim_start())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The word at the beginning of a text; empty if there is none.
fn first_word(text: &str) -> &str {
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// A name and, after a separator, another name for it.
fn renamed<'t>(text: &'t str, separator: &str) -> (&'t str, Option<&'t str>) {
    match text.split_once(separator) {
        Some((name, other)) => (name.trim(), Some(other.trim())),
        None => (text.trim(), None),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The re-exports of a text, each as `module.name as exported`.
    pub(super) fn reexports(language: ModuleLanguage, text: &str) -> Vec<String> {
        let describe = |one: &Reexport| {
            let name = one.name.as_deref().unwrap_or("*");
            let exported = one.exported.as_ref().map(|other| format!(" as {other}")).unwrap_or_default();
            let within: String = one.within.iter().map(|module| format!("{module}: ")).collect();
            format!("{within}{} {name}{exported}", one.module)
        };
        ModuleExports::of(language, text).reexports.iter().map(describe).collect()
    }
}
