//! Definitions: lists at the top of a file → declarations.
//!
//! Lists such as `progn` and `(when …)` do not hide what is in them. A macro that declares is
//! recognised by its name (`defroutes`). `nested` owns the definitions in other ones.

use super::Lisp;
use super::definition::{Definition, OuterDefinition};
use super::dialect::{DefineForm, DialectKind};
use super::lexer::FormKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::scan::LinedDeclaration;
use crate::index::chunk::{ByteRange, DeclarationKind as K};

/// Most names of one pattern.
const MAX_NAMES: usize = 64;

/// Deepest list at the top whose definitions count.
pub(super) const MAX_NESTING: u32 = 8;

/// Which word of a list that adds methods is the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extension {
    /// The first; protocols follow.
    Type,
    /// Those behind the first, which is a protocol.
    Protocol,
}

impl<'t> Lisp<'t> {
    /// Declares what the file defines, in order.
    pub(super) fn declare_all(&mut self, comments: &[ByteRange]) {
        let mut at = 0;
        let mut comment = 0;
        let mut around: Vec<OuterDefinition> = Vec::new();
        // The end of the last reader conditional.
        let mut spliced = 0;
        while let Some(form) = self.form(at) {
            while around.pop_if(|one| one.end <= at).is_some() {}
            let word = self.word(at);
            let is_open = form.depth < MAX_NESTING;
            // The branches of `#?@(:clj [(def a 1)])` are vectors.
            let is_conditional = self.is_conditional(at);
            let is_vector = form.kind == FormKind::Vector;
            let is_branch = spliced > at && (is_vector || self.is_clause(at, form));
            let is_around = is_conditional || is_open && is_branch;
            if form.is_skipped || form.is_quoted || word.is_empty() && !is_around {
                at = form.next as usize;
                continue;
            }
            if is_around && is_open {
                spliced = if is_conditional { form.next as usize } else { spliced };
                at += 1;
                continue;
            }
            if word == "cond-expand" {
                spliced = form.next as usize;
            }
            if self.fields(at, word, &around) {
                at = form.next as usize;
                continue;
            }
            if let Some(binder) = self.extension(word) {
                comment = self.comment_above(form.start, comments, comment);
                self.extended(at, binder);
                at = form.next as usize;
                continue;
            }
            let definition = self.definition(at).and_then(|one| self.in_another(one, around.last()));
            if let Some(definition) = definition {
                comment = self.comment_above(form.start, comments, comment);
                let parent = around.last().map(|one| one.declaration);
                self.declare(at, &definition, parent);
                let body = self.body_of(at, &definition).filter(|_| is_open);
                if let Some((body, one)) = body.zip(self.around(at, &definition)) {
                    around.push(one);
                    at = body;
                    continue;
                }
                if !self.is_transparent(word) {
                    at = form.next as usize;
                    continue;
                }
            }
            let is_entered = form.depth < MAX_NESTING && self.is_transparent(word);
            at = if is_entered { at + 1 } else { form.next as usize };
        }
    }

    /// Returns whether a list that begins with a word is only around definitions.
    fn is_transparent(&self, word: &str) -> bool {
        self.dialect.transparent.contains(&word)
    }

    /// Notes the comment that ends on the line above an offset. `from` is the first comment that
    /// may; the next one is returned.
    fn comment_above(&mut self, start: u32, comments: &[ByteRange], from: usize) -> usize {
        let lines = self.page.lines;
        let below = lines.of(start);
        let mut run: Option<(u32, u32)> = None;
        let mut at = from;
        while let Some(one) = comments.get(at).filter(|one| one.start < start) {
            let (first, last) = (lines.of(one.start), lines.of(one.end.max(one.start + 1) - 1));
            let before = ByteRange { start: lines.start(first), end: one.start }.of(self.page.text);
            run = match run {
                _ if !before.trim().is_empty() => None,
                Some((begin, end)) if end + 1 == first => Some((begin, last)),
                _ => Some((first, last)),
            };
            at += 1;
        }
        self.page.comment = run.filter(|(_, last)| last + 1 == below);
        at
    }

    /// Returns what a list defines; `None` if it defines nothing.
    pub(super) fn definition(&self, at: usize) -> Option<Definition> {
        let mut define = self.dialect.define(self.word(at))?;
        let children = self.children(at);
        let &second = children.get(1)?;
        let is_known = !define.words.is_empty();
        // Without a value, it only says that the variable is one of another file.
        if self.announces(at) {
            return None;
        }
        if define.form == DefineForm::Names {
            let is_pattern = self.is(second, FormKind::List);
            return is_pattern.then_some(Definition { define, name: second, head: Some(second) });
        }
        let (name, head) = match self.form(second)?.kind {
            FormKind::String if define.form == DefineForm::Quoted && children.len() > 2 => (second, None),
            _ if define.form == DefineForm::Quoted => return None,
            FormKind::Symbol => (second, None),
            // `(defpackage "SHOP")`.
            FormKind::String if define.form == DefineForm::Module => (second, None),
            FormKind::List => (self.name_in(second)?, Some(second)),
            _ => return None,
        };
        if !is_known && head.is_some() {
            define.kind = K::Function;
        }
        let form = self.form(name)?;
        let word = self.text(name);
        let is_name = define.form == DefineForm::Module || !self.dialect.is_keyword(word);
        // Words that define take a name as it is, but for a few functions of Emacs Lisp.
        let takes_quoted = self.dialect.kind == DialectKind::EmacsLisp && is_known;
        if !is_name || form.is_quoted && !takes_quoted || word.starts_with('"') && word.len() < 3 {
            return None;
        }
        let is_list = |at: Option<&usize>| {
            at.is_some_and(|&at| self.is(at, FormKind::List) || self.is(at, FormKind::Vector))
        };
        if !is_known && is_list(children.get(2)) && children.len() > 3 {
            define.kind = K::Function;
        }
        if define.kind == K::Function
            && define.form == DefineForm::Function
            && self.dialect.kind == DialectKind::Scheme
        {
            define.kind = if head.is_some() || self.is_lambda(children.get(2).copied()) {
                K::Function
            } else {
                self.kind_of_value(children.get(2).copied())
            };
        }
        if define.kind == K::Variable
            && self.dialect.kind == DialectKind::Clojure
            && self.is_lambda(children.get(2).copied())
        {
            define.kind = K::Function;
        }
        Some(Definition { define, name, head })
    }

    /// Returns whether a list only says that another file of Emacs Lisp has a variable.
    pub(super) fn announces(&self, at: usize) -> bool {
        self.dialect.kind == DialectKind::EmacsLisp
            && self.word(at) == "defvar"
            && self.children(at).len() < 3
    }

    /// Returns the name in a list that takes the place of one: `f` of `(f x)`, `((f x) y)` and
    /// `(setf f)`, whose function is named by the whole list. A library of Scheme has a list as its
    /// name, whose last word counts.
    fn name_in(&self, list: usize) -> Option<usize> {
        let mut at = list;
        for _ in 0..MAX_NESTING {
            let children = self.children(at);
            let &first = children.first()?;
            if self.is(first, FormKind::List) {
                at = first;
                continue;
            }
            let name = if self.text(first) == "setf" { *children.get(1)? } else { first };
            return self.is(name, FormKind::Symbol).then_some(name);
        }
        None
    }

    /// Returns whether a value is a function without a name.
    pub(super) fn is_lambda(&self, value: Option<usize>) -> bool {
        value.is_some_and(|at| {
            matches!(self.word(at), "fn" | "fn*" | "lambda" | "λ" | "case-lambda" | "lambda*")
        })
    }

    fn declare(&mut self, at: usize, definition: &Definition, parent: Option<u32>) {
        let (Some(form), Some(name)) = (self.form(at), self.form(definition.name)) else { return };
        if definition.define.form == DefineForm::Names {
            for name in self.names_of_pattern(definition.name, self.word(at)) {
                self.member(at, Some(name), definition.define.kind, parent, None);
            }
            self.page.comment = None;
            return;
        }
        let kind = definition.define.kind;
        let children = self.children(at);
        let mut bytes = name.bytes;
        if definition.define.form == DefineForm::Module {
            bytes = match definition.head {
                // `(library (shop cart))` is named `shop cart`, as it is imported.
                Some(head) => self.inner(head),
                None => plain(bytes, self.page.text),
            };
        }
        if definition.define.form == DefineForm::Quoted {
            bytes = ByteRange { start: bytes.start + 1, end: bytes.end.saturating_sub(1) };
        }
        // `(setf x)` is another function than `x`.
        if let Some(head) = definition.head.filter(|&head| self.word(head) == "setf") {
            bytes = self.form(head).map_or(bytes, |head| head.bytes);
        }
        let after = definition.head.unwrap_or(definition.name);
        let rest: Vec<usize> = children.iter().copied().filter(|&child| child > after).collect();
        let (doc, body) = self.doc_and_body(&rest, definition);
        let lines = self.page.lines;
        let is_head = kind == K::Module && self.is_transparent(self.word(at));
        let end = if is_head { bytes.end } else { form.bytes.end };
        let (first_line, last_line) = (lines.of(form.start), lines.of(end.max(form.start + 1) - 1));
        let body_end = form.bytes.end;
        let body = match body.and_then(|body| self.form(body)) {
            Some(first) if !is_head => ByteRange { start: first.start, end: body_end },
            _ => ByteRange::default(),
        };
        let signature_end = match (self.form_start(doc), body.is_empty()) {
            (Some(doc), _) if body.is_empty() || doc < body.start => doc,
            (_, false) => body.start,
            _ => end,
        };
        let head = ByteRange { start: form.start, end: signature_end.min(lines.end(last_line)) };
        let written = head.of(self.page.text).trim_end();
        let doc = doc.and_then(|doc| self.form(doc)).map(|doc| doc.bytes).unwrap_or_default();
        let index = self.page.declare(LinedDeclaration {
            name: bytes.of(self.page.text),
            kind,
            parent,
            first_line,
            last_line,
            name_line: lines.of(bytes.start),
            signature_end: head.start + offset(written.len()),
            body,
            doc,
        });
        self.page.comment = None;
        let Some(index) = index else { return };
        if !doc.is_empty() {
            self.page.remark(doc);
        }
        self.declared.insert(at, index);
        // The name of one in another definition means it there only.
        if parent.is_none() {
            self.known.insert(bytes.of(self.page.text));
        }
        self.members(&rest, definition, index);
    }

    fn form_start(&self, at: Option<usize>) -> Option<u32> {
        at.and_then(|at| self.form(at)).map(|form| form.start)
    }

    /// Returns the text inside the brackets of a list.
    pub(super) fn inner(&self, list: usize) -> ByteRange {
        let bytes = self.form(list).map(|form| form.bytes).unwrap_or_default();
        ByteRange {
            start: (bytes.start + 1).min(bytes.end),
            end: bytes.end.saturating_sub(1).max(bytes.start),
        }
    }

    /// Returns the forms that are the documentation and the beginning of the body. `rest` is what
    /// follows the name.
    fn doc_and_body(&self, rest: &[usize], definition: &Definition) -> (Option<usize>, Option<usize>) {
        let is_string = |at: &usize| self.is(*at, FormKind::String);
        let is_clojure = self.dialect.kind == DialectKind::Clojure;
        let first = rest.first().copied();
        match definition.define.form {
            DefineForm::Function if is_clojure => {
                let doc = first.filter(|at| is_string(at) && rest.len() > 1);
                let has_parameters = |at: &usize| self.is(*at, FormKind::Vector);
                let parameters = rest.iter().position(has_parameters).filter(|&at| at <= 3);
                // Several arities, each a list.
                let body = match parameters {
                    Some(at) => rest.get(at + 1).copied(),
                    None => rest.iter().copied().find(|&at| self.is(at, FormKind::List)),
                };
                (doc, body)
            }
            DefineForm::Function => {
                let has_head = definition.head.is_some()
                    && !self.text(definition.head.unwrap_or_default()).starts_with("(setf");
                // Qualifiers of a method stand in front of its parameters.
                let at = if has_head {
                    0
                } else {
                    1 + rest.iter().take_while(|&&at| self.is(at, FormKind::Symbol)).count()
                };
                let doc = rest.get(at).copied().filter(|at| is_string(at));
                let body =
                    if doc.is_some() { rest.get(at + 1).copied().or(doc) } else { rest.get(at).copied() };
                let is_value = definition.define.kind == K::Variable;
                (doc.filter(|_| !is_value), if is_value { first } else { body })
            }
            DefineForm::Value if is_clojure => {
                let doc = first.filter(|at| is_string(at) && rest.len() > 1);
                (doc, if doc.is_some() { rest.get(1).copied() } else { first })
            }
            DefineForm::Value => {
                // A mode has its documentation first, a variable behind its value.
                let is_mode = matches!(definition.define.kind, K::Function | K::Test);
                let doc = if is_mode {
                    rest.iter().take(3).copied().find(is_string)
                } else {
                    rest.get(1).copied().filter(is_string)
                };
                (doc, first.filter(|at| Some(*at) != doc))
            }
            DefineForm::Quoted => (None, first),
            DefineForm::Protocol | DefineForm::Module | DefineForm::Names => (first.filter(is_string), first),
            DefineForm::Record | DefineForm::Class | DefineForm::Struct | DefineForm::RecordType => {
                (first.filter(is_string), rest.get(1).copied().or(first))
            }
        }
    }

    /// Declares the methods of a protocol, the slots of a class and their accessors, and the
    /// functions of a record. `rest` is what follows the name.
    fn members(&mut self, rest: &[usize], definition: &Definition, parent: u32) {
        match definition.define.form {
            DefineForm::Protocol => {
                for &list in rest {
                    if !self.is(list, FormKind::List) {
                        continue;
                    }
                    let children = self.children(list);
                    let doc = children.iter().copied().rfind(|&at| self.is(at, FormKind::String));
                    self.member(list, children.first().copied(), K::Method, Some(parent), doc);
                }
            }
            DefineForm::Class => {
                let Some(&slots) = rest.get(1) else { return };
                for slot in self.children(slots) {
                    let children = self.children(slot);
                    let name =
                        if self.is(slot, FormKind::Symbol) { Some(slot) } else { children.first().copied() };
                    let documentation = children
                        .windows(2)
                        .find(|pair| pair.first().is_some_and(|&at| self.text(at) == ":documentation"));
                    let doc = documentation.and_then(|pair| pair.get(1)).copied();
                    self.member(slot, name, K::Field, Some(parent), doc);
                    for pair in children.windows(2) {
                        let &[key, value] = pair else { continue };
                        if matches!(self.text(key), ":accessor" | ":reader" | ":writer")
                            && self.is(value, FormKind::Symbol)
                        {
                            self.member(value, Some(value), K::Method, Some(parent), None);
                        }
                    }
                }
            }
            DefineForm::Struct => {
                let is_scheme = self.dialect.kind == DialectKind::Scheme;
                let list = rest.iter().copied().find(|&at| self.is(at, FormKind::List));
                let slots = if is_scheme {
                    list.map(|list| self.children(list)).unwrap_or_default()
                } else {
                    rest.to_vec()
                };
                for slot in slots {
                    let name = if self.is(slot, FormKind::Symbol) {
                        Some(slot)
                    } else {
                        self.children(slot).first().copied()
                    };
                    self.member(slot, name, K::Field, Some(parent), None);
                }
            }
            DefineForm::Record => {
                let fields = rest.iter().position(|&at| self.is(at, FormKind::Vector));
                for list in self.branches(rest.get(fields.map_or(0, |at| at + 1)..).unwrap_or_default()) {
                    self.method(list, Some(parent), "");
                }
            }
            // `(def shape (reify Shape (area [this] 1)))`.
            DefineForm::Value if self.dialect.kind == DialectKind::Clojure => {
                let value = rest.last().copied().filter(|&value| self.word(value) == "reify");
                let methods = value.map(|value| self.children(value)).unwrap_or_default();
                for list in self.branches(&methods) {
                    self.method(list, Some(parent), "");
                }
            }
            DefineForm::RecordType => {
                for &one in rest {
                    let children = self.children(one);
                    match self.form(one).map(|form| form.kind) {
                        // The predicate.
                        Some(FormKind::Symbol) => self.member(one, Some(one), K::Function, None, None),
                        Some(FormKind::List) => {
                            // A constructor lists the fields, a field its accessors.
                            let is_constructor = Some(&one) == rest.first();
                            let names = if is_constructor { 0..1 } else { 1..children.len() };
                            for &name in children.get(names).unwrap_or_default() {
                                self.member(one, Some(name), K::Function, None, None);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns how a list that begins with a word adds methods to a type of another place.
    fn extension(&self, word: &str) -> Option<Extension> {
        match word.rsplit('/').next() {
            _ if self.dialect.kind != DialectKind::Clojure => None,
            Some("extend-type") => Some(Extension::Type),
            Some("extend-protocol") => Some(Extension::Protocol),
            _ => None,
        }
    }

    /// Declares the methods of `(extend-type T P (m [this] …))` and `(extend-protocol P T (m …))`.
    fn extended(&mut self, at: usize, extension: Extension) {
        let children = self.children(at);
        let children = self.branches(children.get(1..).unwrap_or_default());
        let mut ty: Option<&'t str> = None;
        for (index, child) in children.into_iter().enumerate() {
            if self.is(child, FormKind::Symbol) {
                // The first symbol is the type or the protocol; protocols follow, or types.
                let is_type = (index == 0) == (extension == Extension::Type);
                if is_type {
                    ty = Some(self.split(child).1.of(self.page.text));
                }
            } else if let Some(ty) = ty {
                self.method(child, None, ty);
            }
        }
        self.page.comment = None;
    }

    /// Declares a method of a type: `(area [this] …)`, or `(area ([this] …) ([this unit] …))`.
    fn method(&mut self, list: usize, parent: Option<u32>, scope: &str) {
        let Some(form) = self.form(list).filter(|form| form.kind == FormKind::List) else { return };
        let children = self.children(list);
        let Some((&name, rest)) = children.split_first() else { return };
        let word = self.text(name);
        if !self.is(name, FormKind::Symbol) || self.dialect.is_keyword(word) {
            return;
        }
        let Some(name) = self.form(name) else { return };
        let parameters = rest.iter().position(|&at| self.is(at, FormKind::Vector));
        let body = rest.get(parameters.map_or(0, |at| at + 1)).and_then(|&body| self.form(body));
        let body = body.map(|body| ByteRange { start: body.start, end: form.bytes.end }).unwrap_or_default();
        let signature_end = if body.is_empty() { form.bytes.end } else { body.start };
        let written = ByteRange { start: form.start, end: signature_end }.of(self.page.text).trim_end();
        let lines = self.page.lines;
        let index = self.page.declare(LinedDeclaration {
            name: word,
            kind: K::Method,
            parent,
            first_line: lines.of(form.start),
            last_line: lines.of(form.bytes.end.max(form.start + 1) - 1),
            name_line: lines.of(name.bytes.start),
            signature_end: form.start + offset(written.len()),
            body,
            doc: ByteRange::default(),
        });
        let Some(index) = index else { return };
        if let Some(one) = self.page.out.declarations.get_mut(index as usize) {
            scope.clone_into(&mut one.scope);
        }
        self.declared.insert(list, index);
    }

    /// Returns the names that a pattern binds: `a` and `b` of `(a b)`. If the word in front is
    /// `match-define`, also those of `(cons a (list b))`.
    fn names_of_pattern(&self, pattern: usize, word: &str) -> Vec<usize> {
        let end = self.form(pattern).map_or(pattern, |form| form.next as usize);
        // The next form that may be a name, and the list that has no constructor.
        let (mut at, mut plain) = (pattern, (word == "match-define-values").then_some(pattern));
        let mut found = Vec::new();
        while at < end
            && found.len() < MAX_NAMES
            && let Some(form) = self.form(at)
        {
            let next = form.next as usize;
            match form.kind {
                _ if form.is_quoted || form.is_skipped => at = next,
                FormKind::List if word.starts_with("match") && plain != Some(at) => {
                    let children = self.children(at);
                    // `(struct point (x y))`, `(? string? name)`
                    let n = if matches!(self.word(at), "struct" | "?" | "app") { 2 } else { 1 };
                    plain = children.get(n).copied().filter(|_| self.word(at) == "struct");
                    at = children.get(n).copied().unwrap_or(next);
                }
                FormKind::Symbol => {
                    if !self.dialect.is_keyword(self.text(at)) {
                        found.push(at);
                    }
                    at = next;
                }
                _ => at += 1,
            }
        }
        found
    }

    pub(super) fn member(
        &mut self,
        at: usize,
        name: Option<usize>,
        kind: K,
        parent: Option<u32>,
        doc: Option<usize>,
    ) {
        let Some((form, name)) = self.form(at).zip(name) else { return };
        let word = self.text(name);
        if !self.is(name, FormKind::Symbol) || self.dialect.is_keyword(word) || word.starts_with('#') {
            return;
        }
        let Some(name) = self.form(name) else { return };
        let lines = self.page.lines;
        let last_line = lines.of(form.bytes.end.max(form.start + 1) - 1);
        let doc = doc.and_then(|doc| self.form(doc)).filter(|doc| doc.kind == FormKind::String);
        let doc = doc.map(|doc| doc.bytes).unwrap_or_default();
        let end = if doc.is_empty() { form.bytes.end } else { doc.start };
        let written = ByteRange { start: form.start, end }.of(self.page.text).trim_end();
        let index = self.page.declare(LinedDeclaration {
            name: word,
            kind,
            parent,
            first_line: lines.of(form.start),
            last_line,
            name_line: lines.of(name.bytes.start),
            signature_end: form.start + offset(written.len()),
            body: ByteRange::default(),
            doc,
        });
        if index.is_some() && kind != K::Field {
            self.known.insert(word);
        }
        if !doc.is_empty() {
            self.page.remark(doc);
        }
    }
}

/// Returns the bytes of a name without the marks around it: `shop` of `#:shop`, `:shop` and
/// `"SHOP"`.
pub(super) fn plain(bytes: ByteRange, text: &str) -> ByteRange {
    let written = bytes.of(text);
    let name = written.trim_start_matches(['#', ':', '"']);
    let start = bytes.start + offset(written.len() - name.len());
    ByteRange { start, end: start + offset(name.trim_end_matches('"').len()) }
}
