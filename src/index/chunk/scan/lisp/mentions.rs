//! What the code names: forms → calls, uses, types and supertypes.
//!
//! A list calls the word that it begins with, but for lists that bind names, list cases or hold
//! data. The forms are visited once, in order; a list says what its children are before they are
//! visited. A name that anything in the definition binds refers to nothing there.

use super::Lisp;
use super::definition::Definition;
use super::dialect::{Binder, DefineForm, DialectKind};
use super::lexer::{Form, FormKind};
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{MAX_NAME, Mention};
use crate::index::chunk::{ByteRange, DeclarationKind, ReferenceKind};
use hashbrown::HashSet;
use std::borrow::Cow;

/// What a form is in the list around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Role {
    /// Code: a list calls its first word.
    #[default]
    Code,
    /// A list of values, none of which is called.
    Values,
    /// Quoted data.
    Data,
    /// Names that are bound; lists in it are, too.
    Names,
    /// Parameters: names, and lists of a name with its type or its default.
    Parameters,
    /// The name of a function, which may call itself, and parameters.
    Head,
    /// `((a 1) b)`.
    Bindings,
    /// `(a 1)`.
    Binding,
    /// `[a 1 b 2]`.
    VectorBindings,
    /// `((f (a) …))`.
    Functions,
    /// A name, its parameters and a body; or `([a] …)`, which has no name.
    Function,
    /// As a function; its name is that of a method.
    Method,
    /// A list around forms that have their roles already.
    Branches,
    /// `(data …)`.
    Case,
    /// A list with the slots of a class.
    Slots,
    /// A slot.
    Slot,
    /// Names of supertypes.
    Supertypes,
    /// Nothing that matters.
    Nothing,
}

/// The definition that the visit is in.
struct OpenDefinition {
    end: u32,
    declaration: u32,
}

/// The state of the visit.
struct Visit<'t> {
    roles: Vec<Role>,
    locals: HashSet<&'t str>,
    around: Vec<OpenDefinition>,
}

impl Visit<'_> {
    fn set(&mut self, at: usize, role: Role) {
        if let Some(one) = self.roles.get_mut(at) {
            *one = role;
        }
    }

    fn set_all(&mut self, all: &[usize], role: Role) {
        for &at in all {
            self.set(at, role);
        }
    }

    fn within(&self) -> Option<u32> {
        self.around.last().map(|around| around.declaration)
    }
}

impl<'t> Lisp<'t> {
    /// Adds what the file names.
    pub(super) fn mention_all(&mut self) {
        let mut visit =
            Visit { roles: vec![Role::Code; self.forms.len()], locals: HashSet::new(), around: Vec::new() };
        let mut at = 0;
        while let Some(form) = self.form(at) {
            while visit.around.last().is_some_and(|around| around.end <= form.start) {
                visit.around.pop();
            }
            if form.depth == 0 {
                visit.locals.clear();
            }
            let role = visit.roles.get(at).copied().unwrap_or_default();
            let is_entered =
                !form.is_skipped && role != Role::Nothing && self.visit(at, form, role, &mut visit);
            at = if is_entered { at + 1 } else { form.next as usize };
        }
    }

    /// Visits a form; returns whether to visit those in it.
    fn visit(&mut self, at: usize, form: Form, role: Role, visit: &mut Visit<'t>) -> bool {
        if let Some(&declaration) = self.declared.get(&at) {
            visit.around.push(OpenDefinition { end: form.bytes.end, declaration });
        }
        match form.kind {
            FormKind::Symbol => {
                self.symbol(at, form, role, visit);
                false
            }
            FormKind::String => {
                self.page.links(form.bytes);
                false
            }
            FormKind::Other => false,
            FormKind::List if role == Role::Code && !form.is_quoted => self.code(at, visit),
            _ => {
                self.data(at, form, role, visit);
                true
            }
        }
    }

    /// Says what the forms in a list are that is not code.
    fn data(&mut self, at: usize, form: Form, role: Role, visit: &mut Visit<'t>) {
        let children = self.children(at);
        let (first, rest) =
            children.split_first().map_or((None, &[][..]), |(first, rest)| (Some(*first), rest));
        if let Some(name) = first.filter(|_| role == Role::Head) {
            visit.set(name, Role::Nothing);
        }
        match role {
            _ if form.is_quoted => visit.set_all(&children, Role::Data),
            // Vectors and maps hold code.
            Role::Code | Role::Values => visit.set_all(&children, Role::Code),
            Role::Data | Role::Names | Role::Supertypes => visit.set_all(&children, role),
            Role::Parameters | Role::Head => {
                let n_names = usize::from(role == Role::Head);
                for child in children.into_iter().skip(n_names) {
                    let role = if self.is(child, FormKind::List) { Role::Binding } else { Role::Parameters };
                    visit.set(child, role);
                }
            }
            Role::Bindings => {
                for child in children {
                    let role = if self.is(child, FormKind::Symbol) { Role::Names } else { Role::Binding };
                    visit.set(child, role);
                }
            }
            Role::Binding => {
                if let Some(first) = first {
                    visit.set(first, Role::Names);
                }
                visit.set_all(rest, Role::Code);
            }
            Role::VectorBindings => {
                for pair in children.chunks(2) {
                    if let Some((&name, values)) = pair.split_first() {
                        // `:let [a 1]` in `for`.
                        let is_let = self.text(name) == ":let";
                        visit.set(name, Role::Names);
                        visit.set_all(values, if is_let { Role::VectorBindings } else { Role::Code });
                    }
                }
            }
            Role::Functions => visit.set_all(&children, Role::Function),
            Role::Branches => {}
            Role::Function | Role::Method => {
                let named = first.filter(|&first| self.is(first, FormKind::Symbol));
                let parameters = if named.is_some() { rest.first().copied() } else { first };
                visit.set_all(&children, Role::Code);
                match named {
                    Some(name) if role == Role::Method => {
                        visit.set(name, Role::Nothing);
                        // A method belongs to the function of its name in a protocol.
                        let (qualifier, name) = self.split(name);
                        self.mention_at(name, ReferenceKind::Call, qualifier, visit.within());
                    }
                    Some(name) => visit.set(name, Role::Names),
                    None => {}
                }
                let is_one =
                    parameters.is_some_and(|at| role != Role::Method || self.is(at, FormKind::Vector));
                match parameters.filter(|_| is_one) {
                    Some(parameters) => visit.set(parameters, Role::Parameters),
                    // Several arities.
                    None => visit.set_all(rest, Role::Function),
                }
            }
            Role::Case => {
                visit.set_all(rest, Role::Code);
                if let Some(first) = first {
                    visit.set(first, Role::Data);
                }
            }
            Role::Slots => visit.set_all(&children, Role::Slot),
            Role::Slot => {
                visit.set_all(rest, Role::Code);
                if let Some(first) = first {
                    visit.set(first, Role::Nothing);
                }
            }
            Role::Nothing => {}
        }
    }

    /// Reads a list of code; returns whether to visit the forms in it.
    fn code(&mut self, at: usize, visit: &mut Visit<'t>) -> bool {
        let word = self.word(at);
        if self.import(at) || self.announces(at) {
            return false;
        }
        let children = self.children(at);
        if word.is_empty() {
            visit.set_all(&children, Role::Code);
            return true;
        }
        if let Some(definition) = self.definition(at) {
            self.defined(&children, &definition, visit);
            return true;
        }
        if let Some(&head) = children.first() {
            // Visited by itself, it is a value.
            visit.set(head, Role::Nothing);
            self.call(head, word, visit);
        }
        if word == "setf" && self.dialect.kind == DialectKind::CommonLisp {
            self.setters(&children, visit);
        }
        match self.dialect.binder(word) {
            Some(binder) => self.bind(&children, binder, visit),
            None => self.argument_types(&children, word, visit),
        }
        true
    }

    /// Says what the forms of a definition are.
    fn defined(&mut self, children: &[usize], definition: &Definition, visit: &mut Visit<'t>) {
        let after = definition.head.unwrap_or(definition.name);
        let rest: Vec<usize> = children.iter().copied().filter(|&child| child > after).collect();
        visit.set_all(children, Role::Code);
        if let Some(&word) = children.first() {
            visit.set(word, Role::Nothing);
            if definition.define.words.is_empty() {
                self.call(word, self.text(word), visit);
            }
        }
        visit.set(after, if definition.head.is_some() { Role::Names } else { Role::Nothing });
        let is_list = |at: &&usize| self.is(**at, FormKind::List) || self.is(**at, FormKind::Vector);
        match definition.define.form {
            DefineForm::Function => self.function(&rest, definition, visit),
            DefineForm::Value => {
                if self.text(*children.first().unwrap_or(&0)) == "ert-deftest"
                    && let Some(&parameters) = rest.first()
                {
                    visit.set(parameters, Role::Parameters);
                }
            }
            DefineForm::Protocol => visit.set_all(&rest, Role::Nothing),
            DefineForm::Module => {
                let is_open = self.dialect.transparent.contains(&self.text(*children.first().unwrap_or(&0)));
                if !is_open {
                    visit.set_all(&rest, Role::Nothing);
                }
            }
            DefineForm::Record => {
                if let Some(fields) = rest.iter().find(is_list) {
                    visit.set(*fields, Role::Names);
                }
                self.methods(&rest, visit, |lisp, one, visit| {
                    let role = if lisp.is(one, FormKind::List) { Role::Method } else { Role::Supertypes };
                    if role == Role::Method || lisp.is(one, FormKind::Symbol) {
                        visit.set(one, role);
                    }
                });
            }
            DefineForm::Names | DefineForm::Quoted => {}
            DefineForm::Class => {
                if let Some((&supertypes, slots)) = rest.split_first() {
                    visit.set(supertypes, Role::Supertypes);
                    visit.set_all(slots.get(..1).unwrap_or_default(), Role::Slots);
                }
            }
            DefineForm::Struct => {
                visit.set_all(&rest, Role::Slot);
                if let Some(head) = definition.head {
                    self.included(head, visit);
                }
                let is_scheme = self.dialect.kind == DialectKind::Scheme;
                for (index, &one) in rest.iter().enumerate().filter(|_| is_scheme) {
                    let role = match self.form(one).map(|form| form.kind) {
                        Some(FormKind::Symbol) if index == 0 => Role::Supertypes,
                        Some(FormKind::List) => Role::Slots,
                        _ => Role::Code,
                    };
                    visit.set(one, role);
                }
            }
            DefineForm::RecordType => visit.set_all(&rest, Role::Nothing),
        }
    }

    /// Says what the forms of a function are, behind its name.
    fn function(&mut self, rest: &[usize], definition: &Definition, visit: &mut Visit<'t>) {
        let is_scheme = self.dialect.kind == DialectKind::Scheme;
        let is_method = definition.define.kind == DeclarationKind::Method && !is_scheme;
        if is_method {
            // A method belongs to the generic function of its name.
            let is_setter = definition.head.is_some_and(|head| self.word(head) == "setf");
            if is_setter {
                self.setter(definition.name, visit);
            } else {
                let (qualifier, name) = self.split(definition.name);
                self.mention_at(name, ReferenceKind::Call, qualifier, visit.within());
            }
        }
        let is_clojure = self.dialect.kind == DialectKind::Clojure;
        let known = !definition.define.words.is_empty();
        if let Some(head) = definition.head.filter(|_| is_scheme || !known) {
            let is_named = self.children(head).first() == Some(&definition.name);
            visit.set(head, if is_named { Role::Head } else { Role::Parameters });
            return;
        }
        if is_scheme && known {
            return;
        }
        let kind = if is_clojure { FormKind::Vector } else { FormKind::List };
        match rest.iter().copied().find(|&at| self.is(at, kind)) {
            Some(parameters) => {
                visit.set(parameters, Role::Parameters);
                if is_method && !is_clojure {
                    self.specialized(parameters, visit);
                }
            }
            // Several arities.
            None if is_clojure => {
                for &arity in rest.iter().filter(|&&at| self.is(at, FormKind::List)) {
                    visit.set(arity, Role::Function);
                }
            }
            None => {}
        }
    }

    /// Says what the forms are that follow the name of a type, in reader conditionals too.
    fn methods(
        &mut self,
        rest: &[usize],
        visit: &mut Visit<'t>,
        set: impl Fn(&mut Self, usize, &mut Visit<'t>),
    ) {
        for &one in rest.iter().filter(|&&one| self.is_conditional(one)) {
            visit.set(one, Role::Branches);
            visit.set_all(&self.children(one), Role::Branches);
        }
        for one in self.branches(rest) {
            set(self, one, visit);
        }
    }

    /// Adds the types that a method is for: `((self circle))`.
    fn specialized(&mut self, parameters: usize, visit: &Visit<'t>) {
        for one in self.children(parameters) {
            let children = self.children(one);
            let ty =
                children.get(1).copied().filter(|&ty| self.is(ty, FormKind::Symbol) && children.len() == 2);
            if let Some(ty) = ty.filter(|&ty| !self.dialect.is_keyword(self.text(ty))) {
                let (qualifier, name) = self.split(ty);
                self.mention_at(name, ReferenceKind::Type, qualifier, visit.within());
            }
        }
    }

    /// Adds the supertype of a structure: `(defstruct (circle (:include shape)))`.
    fn included(&mut self, head: usize, visit: &mut Visit<'t>) {
        for option in self.children(head).into_iter().skip(1) {
            if self.word(option) == ":include"
                && let Some(&of) = self.children(option).get(1)
            {
                self.inherit(of, visit);
            }
        }
        visit.set(head, Role::Nothing);
    }

    fn inherit(&mut self, at: usize, visit: &Visit<'t>) {
        let (qualifier, bytes) = self.split(at);
        let name = bytes.of(self.page.text);
        let heir = visit.within().and_then(|at| self.page.out.declarations.get(at as usize));
        let alias = heir.map(|heir| heir.name.clone()).unwrap_or_default();
        if !self.dialect.is_keyword(name) && !name.is_empty() {
            let mention = Mention::new(bytes.start, ReferenceKind::Inherits, name, Cow::Borrowed(qualifier));
            self.page.out.mentions.push(Mention {
                alias: Cow::Owned(alias),
                within: visit.within(),
                ..mention
            });
        }
    }

    /// Says what the forms of a list are that binds names.
    fn bind(&mut self, children: &[usize], binder: Binder, visit: &mut Visit<'t>) {
        let child = |n: usize| children.get(n).copied();
        match binder {
            Binder::Let => {
                // A loop with a name: `(let loop ((n 1)) …)`.
                let named = child(1).filter(|&at| self.is(at, FormKind::Symbol));
                if let Some(name) = named {
                    visit.set(name, Role::Names);
                }
                if let Some(bindings) = child(if named.is_some() { 2 } else { 1 }) {
                    visit.set(bindings, Role::Bindings);
                }
            }
            Binder::LetVector => {
                if let Some(bindings) = child(1) {
                    visit.set(bindings, Role::VectorBindings);
                }
            }
            Binder::Lambda => {
                let named = child(1).filter(|&at| self.is(at, FormKind::Symbol));
                if let Some(name) = named {
                    visit.set(name, Role::Names);
                }
                let parameters = child(if named.is_some() { 2 } else { 1 });
                let is_clojure = self.dialect.kind == DialectKind::Clojure;
                let is_several = match parameters {
                    Some(at) if is_clojure => self.is(at, FormKind::List),
                    _ => self.text(children.first().copied().unwrap_or_default()) == "case-lambda",
                };
                if is_several {
                    visit.set_all(children.get(1..).unwrap_or_default(), Role::Function);
                } else if let Some(parameters) = parameters {
                    visit.set(parameters, Role::Parameters);
                }
            }
            Binder::Each => {
                if let Some(binding) = child(1) {
                    visit.set(binding, Role::Binding);
                }
            }
            Binder::Functions => {
                if let Some(functions) = child(1) {
                    visit.set(functions, Role::Functions);
                }
            }
            Binder::Clauses => {
                let lists = children
                    .iter()
                    .copied()
                    .skip(1)
                    .filter(|&at| self.is(at, FormKind::List) || self.is(at, FormKind::Vector));
                for clause in lists.collect::<Vec<_>>() {
                    visit.set(clause, Role::Values);
                }
            }
            Binder::Cases(from) => {
                for &clause in children.get(from as usize..).unwrap_or_default() {
                    visit.set(clause, Role::Case);
                }
                if from == 3
                    && let Some(name) = child(1)
                {
                    visit.set(name, Role::Names);
                }
            }
            Binder::Handlers => visit.set_all(children.get(2..).unwrap_or_default(), Role::Function),
            Binder::Methods => {
                self.methods(children.get(1..).unwrap_or_default(), visit, |lisp, one, visit| {
                    if lisp.is(one, FormKind::List) {
                        visit.set(one, Role::Method);
                    } else if lisp.is(one, FormKind::Symbol) && !lisp.dialect.is_keyword(lisp.text(one)) {
                        visit.set(one, Role::Nothing);
                        let (qualifier, name) = lisp.split(one);
                        lisp.mention_at(name, ReferenceKind::Type, qualifier, visit.within());
                    }
                });
            }
            Binder::Loop => {
                for pair in children.windows(2) {
                    let &[word, name] = pair else { continue };
                    let word = self.text(word).trim_start_matches(':');
                    if matches!(word, "for" | "as" | "with" | "into" | "using") {
                        visit.set(name, Role::Names);
                    }
                }
            }
            Binder::Nothing => visit.set_all(children, Role::Nothing),
        }
    }

    /// Adds the type in a call that makes something of it: `(make-instance 'circle)`.
    fn argument_types(&mut self, children: &[usize], word: &str, visit: &mut Visit<'t>) {
        let at = match word {
            "make-instance" | "make-condition" | "error" | "signal" | "catch" => 1,
            "typep" | "subtypep" | "cl-typep" | "coerce" => 2,
            _ => return,
        };
        let ty = children.get(at).copied().filter(|&ty| self.is(ty, FormKind::Symbol));
        let is_quoted = |ty: &usize| self.form(*ty).is_some_and(|form| form.is_quoted);
        if let Some(ty) = ty.filter(|ty| word == "catch" || is_quoted(ty)) {
            visit.set(ty, Role::Nothing);
            let (qualifier, name) = self.split(ty);
            self.mention_at(name, ReferenceKind::Type, qualifier, visit.within());
        }
        if word == "catch"
            && self.dialect.kind == DialectKind::Clojure
            && let Some(&name) = children.get(2)
        {
            visit.set(name, Role::Names);
        }
    }

    /// Adds the functions that set places: `(setf x)` of `(setf (x cart) 1)`.
    fn setters(&mut self, children: &[usize], visit: &Visit<'t>) {
        for &place in children.iter().skip(1).step_by(2) {
            let word = self.word(place);
            let Some(&head) = self.children(place).first().filter(|_| !word.is_empty()) else { continue };
            if !self.dialect.is_word(word) && !self.dialect.is_keyword(word) {
                self.setter(head, visit);
            }
        }
    }

    /// Adds the function that sets what another one returns.
    fn setter(&mut self, name: usize, visit: &Visit<'t>) {
        let (qualifier, bytes) = self.split(name);
        let name = format!("(setf {})", bytes.of(self.page.text));
        if name.len() <= MAX_NAME {
            let mention = Mention::new(bytes.start, ReferenceKind::Call, name, Cow::Borrowed(qualifier));
            self.page.out.mentions.push(Mention { within: visit.within(), ..mention });
        }
    }

    /// Adds the call of the word that a list begins with.
    fn call(&mut self, head: usize, word: &'t str, visit: &Visit<'t>) {
        let (qualifier, bytes) = self.split(head);
        let (mut bytes, mut name) = (bytes, bytes.of(self.page.text));
        if self.dialect.kind == DialectKind::Clojure {
            // `(Cart. 1)` and `(->Cart 1)` make one.
            let stripped = name.strip_suffix('.').or_else(|| name.strip_prefix("->"));
            let made = stripped.or_else(|| name.strip_prefix("map->"));
            if let Some(made) = made.filter(|made| made.starts_with(char::is_uppercase)) {
                let start = bytes.start + offset(name.find(made).unwrap_or_default());
                (name, bytes) = (made, ByteRange { start, end: start + offset(made.len()) });
            }
        }
        let is_local = qualifier.is_empty() && (visit.locals.contains(name) || self.dialect.is_word(word));
        if !is_local && !self.dialect.is_keyword(name) && !name.starts_with(['"', '#']) {
            self.mention_at(bytes, ReferenceKind::Call, qualifier, visit.within());
        }
    }

    /// Reads a symbol that is not called.
    fn symbol(&mut self, at: usize, form: Form, role: Role, visit: &mut Visit<'t>) {
        let written = self.text(at);
        match role {
            Role::Names | Role::Parameters | Role::Binding => {
                if !self.dialect.is_keyword(written) {
                    visit.locals.insert(written);
                }
                return;
            }
            Role::Supertypes => return self.inherit(at, visit),
            Role::Nothing | Role::Slots | Role::Slot => return,
            _ => {}
        }
        let (qualifier, bytes) = self.split(at);
        let name = bytes.of(self.page.text);
        if self.dialect.is_keyword(written) || written.starts_with('#') || self.dialect.is_word(written) {
            return;
        }
        let is_local = qualifier.is_empty() && visit.locals.contains(name) && !form.is_quoted;
        if is_local || !self.is_value(name, qualifier, form) {
            return;
        }
        self.mention_at(bytes, ReferenceKind::Use, qualifier, visit.within());
    }

    /// Returns whether a symbol may name a value of this file or of another one. In most dialects,
    /// nothing says where a name comes from; then one of several words counts, which a local seldom
    /// has.
    fn is_value(&self, name: &str, qualifier: &str, form: Form) -> bool {
        if self.known.contains(name) || form.is_function || !qualifier.is_empty() {
            return true;
        }
        let is_starred = name.len() > 2 && name.starts_with(['*', '+']) && name.ends_with(['*', '+']);
        let has_words = name.len() > 3 && name.trim_matches('-').contains('-');
        self.dialect.kind != DialectKind::Clojure && (is_starred || has_words)
    }
}
