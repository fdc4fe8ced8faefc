//! Imports: lists that name other files or modules → imports.
//!
//! Clojure imports namespaces, each maybe under another name. Scheme and Racket import libraries
//! and files. Emacs Lisp loads files, whose names are global. A package of Common Lisp only says
//! which names are seen, so it is a type that is named.

use super::Lisp;
use super::dialect::DialectKind;
use super::lexer::FormKind;
use crate::index::chunk::mention::{MAX_NAME, Mention};
use crate::index::chunk::{ByteRange, ReferenceKind};
use std::borrow::Cow;

/// Most libraries of one import that count.
const MAX_IMPORTS: usize = 2000;

/// Most prefixes of imported names that count.
const MAX_PREFIXES: usize = 64;

impl<'t> Lisp<'t> {
    /// Adds what a list imports. Returns whether it is one that imports, in which nothing is code.
    pub(super) fn import(&mut self, at: usize) -> bool {
        let word = self.word(at);
        match (self.dialect.kind, word) {
            (DialectKind::Clojure, "ns" | "require" | "use" | "import") => self.namespaces(at, word),
            (DialectKind::EmacsLisp, "require" | "load" | "load-library" | "autoload") => {
                let children = self.children(at);
                let file = children.get(if word == "autoload" { 2 } else { 1 }).copied();
                let is_named = file.is_some_and(|file| {
                    self.is(file, FormKind::String) || self.form(file).is_some_and(|form| form.is_quoted)
                });
                if let Some(file) = file.filter(|_| is_named) {
                    self.module(super::declared::plain(self.bytes(file), self.page.text));
                }
            }
            (
                DialectKind::CommonLisp,
                "in-package" | "use-package" | "defpackage" | "define-package" | "import" | "export",
            ) => {
                self.packages(at, word);
            }
            (
                DialectKind::Scheme,
                "require" | "import" | "use-modules" | "library" | "define-library" | "define-module"
                | "load" | "include" | "cond-expand",
            ) => {
                let is_around = matches!(word, "library" | "define-library" | "cond-expand");
                if is_around {
                    return false;
                }
                for child in self.children(at).into_iter().skip(1).take(MAX_IMPORTS) {
                    self.library(child);
                }
            }
            _ => return false,
        }
        true
    }

    fn bytes(&self, at: usize) -> ByteRange {
        self.form(at).map(|form| form.bytes).unwrap_or_default()
    }

    fn imported(&mut self, at: u32, name: &'t str, module: Cow<'t, str>, alias: &'t str) {
        let is_short = name.len() <= MAX_NAME && module.len() <= MAX_NAME && alias.len() <= MAX_NAME;
        if !name.is_empty() && is_short && !name.contains('\n') {
            let alias = if alias == name { "" } else { alias };
            let import = Mention::new(at, ReferenceKind::Import, name, module);
            // All names are parts of the text, but for that of all names.
            let name_at = if name == "*" { at } else { self.page.at(name) };
            self.page.out.mentions.push(Mention { alias: Cow::Borrowed(alias), name_at, ..import });
        }
    }

    /// Adds an import of a whole module.
    fn module(&mut self, bytes: ByteRange) {
        let written = bytes.of(self.page.text);
        self.imported(bytes.start, last_name(written), Cow::Borrowed(written), "");
    }

    /// Reads `(:require [a.b :as b :refer [c]] (a [d :as e]))` and its like.
    fn namespaces(&mut self, at: usize, word: &str) {
        // Lists and vectors to read, each with the name in front of theirs and the word around.
        let mut open: Vec<(usize, &'t str, &'t str)> = Vec::new();
        let mut n_read = 0;
        let around: &'t str = self.word(at);
        let first = if word == "ns" { 2 } else { 1 };
        let children = self.branches(&self.children(at));
        for child in children.into_iter().skip(first).rev() {
            if word == "ns" {
                let children = self.children(child);
                let Some(&key) = children.first() else { continue };
                let key = self.text(key);
                open.extend(children.into_iter().skip(1).rev().map(|one| (one, "", key)));
            } else {
                open.push((child, "", around));
            }
        }
        while let Some((one, prefix, key)) = open.pop().filter(|_| n_read < MAX_IMPORTS) {
            n_read += 1;
            let Some(form) = self.form(one) else { continue };
            if form.kind == FormKind::Symbol {
                if !self.dialect.is_keyword(self.text(one)) {
                    self.namespace(one, prefix, key, &[]);
                }
                continue;
            }
            let children = self.children(one);
            let Some(&name) = children.first() else { continue };
            let is_option = children.get(1).is_none_or(|&second| self.text(second).starts_with(':'));
            if !self.is(name, FormKind::Symbol) || self.dialect.is_keyword(self.text(name)) {
                // A reader conditional: every branch counts.
                open.extend(children.into_iter().rev().map(|one| (one, prefix, key)));
            } else if key.ends_with("import") {
                let package = self.text(name);
                for &class in children.iter().skip(1).take(MAX_IMPORTS) {
                    self.imported(self.bytes(class).start, self.text(class), Cow::Borrowed(package), "");
                }
            } else if is_option {
                self.namespace(name, prefix, key, children.get(1..).unwrap_or_default());
            } else {
                let prefix = self.text(name);
                open.extend(children.into_iter().skip(1).rev().map(|one| (one, prefix, key)));
            }
        }
    }

    /// Adds one namespace, with its options.
    fn namespace(&mut self, name: usize, prefix: &'t str, key: &str, options: &[usize]) {
        let (at, written) = (self.bytes(name).start, self.text(name));
        if key.ends_with("import") {
            let (package, class) = written.rsplit_once('.').unwrap_or(("", written));
            return self.imported(at, class, Cow::Borrowed(package), "");
        }
        if !matches!(key.trim_start_matches(':'), "require" | "use" | "require-macros" | "use-macros") {
            return;
        }
        let module = match prefix {
            "" => Cow::Borrowed(written),
            prefix => Cow::Owned(format!("{prefix}.{written}")),
        };
        let (mut alias, mut is_open) = ("", key.ends_with("use") || key.ends_with("use-macros"));
        let mut names = Vec::new();
        for pair in options.chunks_exact(2) {
            let &[option, value] = pair else { continue };
            match self.text(option) {
                ":as" | ":as-alias" => alias = self.text(value),
                ":refer" | ":only" | ":refer-macros" if self.is(value, FormKind::Symbol) => is_open = true,
                ":refer" | ":only" | ":refer-macros" => {
                    is_open = false;
                    names.extend(self.children(value));
                }
                _ => {}
            }
        }
        for &one in names.iter().take(MAX_IMPORTS) {
            self.known.insert(self.text(one));
            self.imported(self.bytes(one).start, self.text(one), module.clone(), "");
        }
        if is_open {
            self.imported(at, "*", module.clone(), "");
        }
        self.imported(at, written.rsplit('.').next().unwrap_or(written), module, alias);
    }

    /// Reads the packages that a list of Common Lisp names.
    fn packages(&mut self, at: usize, word: &str) {
        let mut named = Vec::new();
        for child in self.children(at).into_iter().skip(1) {
            if word == "in-package" || word == "use-package" {
                named.push(child);
            } else if matches!(self.word(child), ":use" | ":import-from" | ":shadowing-import-from") {
                let children = self.children(child);
                let last = if self.word(child) == ":use" { children.len() } else { 2 };
                named.extend(children.into_iter().take(last).skip(1));
            }
        }
        for one in named.into_iter().take(MAX_IMPORTS) {
            let bytes = super::declared::plain(self.bytes(one), self.page.text);
            self.mention_at(bytes, ReferenceKind::Type, "", None);
        }
    }

    /// Reads one library or file of Scheme or Racket: `"cart.rkt"`, `racket/list`, `(shop cart)`,
    /// `(only-in "cart.rkt" add)`.
    fn library(&mut self, at: usize) {
        const AROUND: [&str; 14] = [
            "all-except-in",
            "except",
            "except-in",
            "for-label",
            "for-meta",
            "for-syntax",
            "only",
            "only-in",
            "prefix",
            "prefix-in",
            "rename",
            "rename-in",
            "submod",
            "combine-in",
        ];
        let mut open = vec![(at, "")];
        let mut n_read = 0;
        while let Some((one, prefix)) = open.pop().filter(|_| n_read < MAX_IMPORTS) {
            n_read += 1;
            let bytes = self.bytes(one);
            match self.form(one).map(|form| form.kind) {
                Some(FormKind::String) => {
                    let file = super::declared::plain(bytes, self.page.text);
                    let written = file.of(self.page.text);
                    let module =
                        if written.starts_with('.') { written.to_owned() } else { format!("./{written}") };
                    self.imported(file.start, last_name(written), Cow::Owned(module), prefix);
                }
                Some(FormKind::Symbol) if !self.text(one).starts_with(['#', ':', '.']) => {
                    let written = bytes.of(self.page.text);
                    self.imported(bytes.start, last_name(written), Cow::Borrowed(written), prefix);
                }
                Some(FormKind::List) => {
                    let children = self.children(one);
                    let word = self.word(one);
                    if !AROUND.contains(&word) {
                        // The name is a list of words, in Guile maybe in another list.
                        let is_name = children.iter().all(|&child| {
                            !self.is(child, FormKind::String) && !self.is(child, FormKind::List)
                        });
                        if is_name && !word.is_empty() {
                            self.words_of(one, prefix);
                        } else if let Some(&first) = children.first().filter(|_| word.is_empty()) {
                            open.push((first, prefix));
                        }
                        continue;
                    }
                    let mut prefix = prefix;
                    let of = if word == "prefix-in" { 2 } else { 1 };
                    // Racket writes the prefix first, Scheme last.
                    let written = match word {
                        "prefix-in" => children.get(1),
                        "prefix" => children.get(2),
                        _ => None,
                    };
                    if let Some(&written) = written.filter(|_| self.prefixes.len() < MAX_PREFIXES) {
                        let written = self.text(written);
                        self.prefixes.push(written);
                        prefix = super::plain_prefix(written);
                    }
                    open.extend(children.get(of).map(|&of| (of, prefix)));
                    if word.starts_with("only") {
                        for &name in children.get(2..).unwrap_or_default() {
                            self.known.insert(self.text(name));
                        }
                    }
                    if word.starts_with("for-") || word == "combine-in" {
                        open.extend(children.into_iter().skip(2).map(|one| (one, prefix)));
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a library whose name is a list of words, with slashes between them.
    fn words_of(&mut self, list: usize, prefix: &'t str) {
        let children = self.children(list);
        let words: Vec<&'t str> = children.iter().map(|&child| self.text(child)).collect();
        let Some((&last, at)) = words.last().zip(children.last()) else { return };
        let at = self.bytes(*at).start;
        self.imported(at, last, Cow::Owned(words.join("/")), prefix);
    }
}

/// Returns the last part of a path.
fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
