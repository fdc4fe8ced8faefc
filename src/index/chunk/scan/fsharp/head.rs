//! The heads of modules, types, members, functions and values.

use super::name::is_small;
use super::{K, MAX_HEAD, MODIFIERS, Part, Source, State, WORDS};
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::scan::tokens::{Token, TokenKind};
use std::borrow::Cow;

/// Most names of one pattern that count.
const MAX_BOUND: usize = 16;

impl<'t> Source<'t> {
    /// Reads the head of a declaration; returns `false` if there is none.
    pub(super) fn declaration(&mut self, token: Token<'t>) -> bool {
        let Some(word) = token.word() else { return self.alternative(token) };
        let part = self.part();
        match word {
            "namespace" | "module" if part != Part::Code => self.module(),
            "open" => self.open_module(),
            "type" => self.type_head(),
            // In a type, it begins another function.
            "and" if part != Part::Type && self.is_behind_type() => self.type_head(),
            "exception" => self.type_head(),
            "let" | "and" | "use" if part != Part::Code => self.value(),
            "val" if part == Part::Module => self.value(),
            "extern" if part == Part::Module => self.foreign(),
            "abstract" | "default" | "member" | "override" | "static" | "new" | "val"
                if part == Part::Type =>
            {
                self.member()
            }
            "internal" | "private" | "public" if part == Part::Type => self.member(),
            "inherit" | "interface" if part == Part::Type => self.supertype(),
            _ => self.field(token),
        }
    }

    /// Returns whether the last declaration of the module was a type, so that `and` begins another.
    pub(super) fn is_behind_type(&self) -> bool {
        let parent = self.within();
        let last = self.page.out.declarations.iter().rev().find(|one| one.parent == parent);
        last.is_some_and(|one| {
            matches!(one.kind, K::Class | K::Struct | K::Enum | K::Interface | K::Type | K::Implementation)
        })
    }

    pub(super) fn module(&mut self) -> bool {
        let first = self.attributes.unwrap_or(self.at);
        let indent = self.indent();
        let from = self.skip_modifiers(self.at + 1);
        let Some((name, scope, behind)) = self.path(from) else { return false };
        let is_inner = self.text(behind) == "=";
        // `module L = List` is another name for a module.
        if is_inner
            && let Some((target, before, _)) = self.path(behind + 1)
            && self
                .token(behind)
                .is_some_and(|mark| self.token(behind + 1).is_some_and(|next| next.line == mark.line))
            && !WORDS.contains(&target)
        {
            let mention =
                Mention::new(self.page.at(target), ReferenceKind::Import, target, Cow::Borrowed(before));
            self.page.out.mentions.push(Mention { alias: Cow::Borrowed(name), ..mention });
            self.at = self.line_end(behind);
            return true;
        }
        if !is_inner {
            self.end(0);
        }
        let indent = is_inner.then_some(indent);
        let declared = self.declare(K::Module, name, first, behind.saturating_sub(1));
        self.set_scope(declared, scope);
        self.push(Part::Module, indent, declared, name);
        self.at = if is_inner { behind + 1 } else { behind };
        true
    }

    pub(super) fn open_module(&mut self) -> bool {
        let from = if self.word(self.at + 1) == Some("type") { self.at + 2 } else { self.at + 1 };
        let Some((name, _, behind)) = self.path(from) else { return false };
        let start = self.page.at(self.word(from).unwrap_or(name)) as usize;
        let end = self.page.at(name) as usize + name.len();
        let whole = self.page.text.get(start..end).unwrap_or(name);
        self.page.mention(ReferenceKind::Import, name, whole, None);
        self.at = behind;
        true
    }

    pub(super) fn type_head(&mut self) -> bool {
        let first = self.attributes.unwrap_or(self.at);
        let indent = self.indent();
        let is_exception = self.text(self.at) == "exception";
        let mut from = self.skip_modifiers(self.at + 1);
        // `type 'a list`
        while self.word(from).is_some_and(|word| word.starts_with('\'')) {
            from += 1;
        }
        let Some((name, scope, behind)) = self.path(from) else { return false };
        // Another type of the group ends the last one.
        let from = self.open.iter().position(|open| open.part == Part::Type && open.indent == Some(indent));
        self.end(from.unwrap_or(self.open.len()));
        let mark = self.find(behind, &["=", "with", "of"], indent);
        let head_end = mark.map_or(behind, |mark| mark).saturating_sub(1);
        let has_parameters = self.text(behind) == "("
            || self.find(behind, &["(", "=", "with"], indent).is_some_and(|at| self.text(at) == "(");
        let kind = match mark.map(|mark| self.text(mark)) {
            _ if is_exception => K::Class,
            Some("with") => K::Implementation,
            Some("=") => self.kind_of_body(mark.unwrap_or(behind) + 1, has_parameters),
            _ => K::Class,
        };
        let declared = self.declare(kind, name, first, head_end);
        self.set_scope(declared, scope);
        self.push(Part::Type, Some(indent), declared, name);
        if let Some(open) = self.open.last_mut() {
            open.has_parts = matches!(kind, K::Enum | K::Struct);
        }
        if kind == K::Implementation {
            self.page.mention(ReferenceKind::Type, name, scope, declared);
        }
        self.at = behind;
        self.state = State { binds: has_parameters, head_end: mark.unwrap_or(behind), ..State::default() };
        let head = behind..mark.unwrap_or(behind);
        let object = head.clone().find(|at| self.text(*at) == "as").and_then(|at| self.word(at + 1));
        if let Some(open) = self.open.last_mut() {
            open.object = object.unwrap_or_default();
        }
        if is_exception {
            self.state.types = Some(0);
        } else if kind == K::Type {
            self.at = mark.map_or(behind, |mark| mark + 1);
            self.state.types = Some(0);
        } else if kind == K::Enum {
            self.first_alternative(mark.unwrap_or(behind) + 1);
        }
        true
    }

    /// Returns the kind of a type by the first token of its body.
    pub(super) fn kind_of_body(&self, at: usize, has_parameters: bool) -> K {
        let at = self.skip_modifiers(at);
        let next = self.text(at + 1);
        match self.text(at) {
            "{" | "{|" | "struct" => K::Struct,
            "|" => K::Enum,
            _ if has_parameters => K::Class,
            "class" | "member" | "static" | "val" | "new" | "inherit" | "let" | "do" | "override" => K::Class,
            "interface" if self.word(at + 1).is_some() => K::Class,
            "abstract" | "interface" => K::Interface,
            text if text.starts_with(char::is_uppercase) && matches!(next, "of" | "|" | "=") => K::Enum,
            _ => K::Type,
        }
    }

    /// Declares the alternative with which the body of a type begins without a bar.
    pub(super) fn first_alternative(&mut self, at: usize) {
        let at = self.skip_modifiers(at);
        if self.text(at) != "|"
            && let Some(name) = self.word(at)
        {
            self.at = at;
            self.declare_part(K::Variant, name);
            self.at = at + 1;
        }
    }

    /// Reads an alternative of a type: `| Circle of radius: float`.
    pub(super) fn alternative(&mut self, token: Token<'t>) -> bool {
        let has_parts = self.open.last().is_some_and(|open| open.has_parts);
        if token.text != "|" || !has_parts {
            return self.field(token);
        }
        let at = self.skip_modifiers(self.at + 1);
        let Some(name) = self.word(at).filter(|_| self.is_alternative(at)) else { return false };
        self.at = at;
        self.declare_part(K::Variant, name);
        self.at = at + 1;
        self.state = State::default();
        true
    }

    /// Returns whether a name behind `|` is an alternative of a type, and not a pattern.
    pub(super) fn is_alternative(&self, at: usize) -> bool {
        let (Some(name), next) = (self.token(at), self.token(at + 1)) else { return false };
        let is_last = next.is_none_or(|next| next.line != name.line);
        let is_name = name.word().is_some_and(|name| !WORDS.contains(&name));
        is_name && (is_last || matches!(self.text(at + 1), "of" | "=" | "|" | ":" | "with"))
    }

    /// Declares an alternative or a field at the current token.
    pub(super) fn declare_part(&mut self, kind: K, name: &'t str) {
        let at = self.at;
        let line = self.token(at).map_or(0, |token| token.line);
        let before = at.checked_sub(1).and_then(|at| self.token(at));
        let first = if before.is_some_and(|one| one.text == "|" && one.line == line) { at - 1 } else { at };
        let mut end = at;
        while self
            .token(end + 1)
            .is_some_and(|next| next.line == line && !matches!(next.text, ";" | "|" | "}" | "with"))
        {
            end += 1;
        }
        self.declare(kind, name, first, end);
    }

    /// Reads a field of a record: `Name: string`.
    pub(super) fn field(&mut self, token: Token<'t>) -> bool {
        let has_parts = self.open.last().is_some_and(|open| open.has_parts);
        if !has_parts || self.page.out.declarations.is_empty() {
            return false;
        }
        let at = self.skip_modifiers(if matches!(token.text, "{" | "{|") { self.at + 1 } else { self.at });
        let Some(name) = self.word(at).filter(|_| self.text(at + 1) == ":") else { return false };
        self.at = at;
        self.declare_part(K::Field, name);
        self.at = at + 2;
        self.state.types = Some(0);
        true
    }

    /// Reads `let name …` in a module or in a type, and `val name: …` of a signature.
    pub(super) fn value(&mut self) -> bool {
        let first = self.attributes.unwrap_or(self.at);
        let indent = self.indent();
        let is_signature = self.text(self.at) == "val";
        let from = self.skip_modifiers(self.at + 1);
        let (name, behind) = match self.word(from) {
            Some(name) if !WORDS.contains(&name) => (name, from + 1),
            _ if self.text(from) == "(" => match self.operator(from) {
                Some(found) => found,
                None => return self.pattern(indent, from),
            },
            _ => return self.pattern(indent, from),
        };
        // `let a, b = …`
        if matches!(self.text(behind), "," | "::" | "as") {
            return self.pattern(indent, from);
        }
        let end = self.find(behind, &["="], indent);
        let next = self.text(if self.text(behind) == "<" { behind + 1 } else { behind });
        let is_function = if is_signature {
            let rest = self.tokens.get(behind..self.line_end(behind)).unwrap_or_default();
            rest.iter().any(|token| token.text == "->")
        } else {
            !matches!(next, "=" | ":" | "")
                || end.is_some_and(|end| matches!(self.text(end + 1), "fun" | "function"))
        };
        let in_type = self.part() == Part::Type;
        let kind = match () {
            () if is_function && in_type => K::Method,
            () if is_function => K::Function,
            () if self.is_literal => K::Constant,
            () if in_type => K::Field,
            () => K::Variable,
        };
        let head_end = match end {
            Some(end) => end - 1,
            None => self.line_end(behind).saturating_sub(1),
        };
        let declared = self.declare(kind, name, first, head_end);
        self.push(Part::Code, Some(indent), declared, name);
        let cases = self.other_cases(from);
        self.declare_group(kind, &cases, first, head_end, indent);
        self.at = behind;
        let head_end = if is_signature { 0 } else { end.unwrap_or(behind) };
        self.state = State { binds: !is_signature, head_end, ..State::default() };
        true
    }

    /// Reads a binding of several names: `let a, b = …`, `let (c: int) = …`.
    fn pattern(&mut self, indent: u32, from: usize) -> bool {
        let first = self.attributes.unwrap_or(self.at);
        let end = self.find(from, &["="], indent).unwrap_or(from);
        let kind = if self.part() == Part::Type { K::Field } else { K::Variable };
        let names = self.bound(from, end);
        self.push(Part::Code, Some(indent), None, "");
        self.declare_group(kind, &names, first, end.saturating_sub(1).max(from), indent);
        self.at = from;
        self.state = State { binds: true, ..State::default() };
        true
    }

    /// Declares names that one declaration binds, each with all of it.
    fn declare_group(&mut self, kind: K, names: &[&'t str], first: usize, end: usize, indent: u32) {
        let around = self.open.len();
        for name in names {
            // Each is declared in what is around the others.
            let inner = self.open.split_off(around.saturating_sub(1).min(self.open.len()));
            let declared = self.declare(kind, name, first, end);
            self.open.extend(inner);
            self.push(Part::Code, Some(indent), declared, name);
        }
    }

    /// Returns the names that the pattern in a range of tokens binds.
    fn bound(&self, from: usize, end: usize) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut depth = 0usize;
        // Brackets around the type that is being read.
        let mut ty: Option<usize> = None;
        for at in from..end {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    ty = ty.filter(|around| *around <= depth);
                }
                "," | ";" | "as" | "::" => ty = ty.filter(|around| *around < depth),
                ":" => ty = Some(ty.unwrap_or(depth)),
                _ => {}
            }
            let name = self.word(at).filter(|name| is_small(name) && !WORDS.contains(name));
            let is_path = self.text(at + 1) == "." || at > from && self.text(at - 1) == ".";
            if let Some(name) = name.filter(|_| ty.is_none() && !is_path && found.len() < MAX_BOUND) {
                found.push(name);
            }
        }
        found
    }

    /// Reads a function of a library: `extern int puts(string s)`.
    fn foreign(&mut self) -> bool {
        let first = self.attributes.unwrap_or(self.at);
        let indent = self.indent();
        let open = self.find(self.at + 1, &["("], indent);
        let Some((open, name)) = open.and_then(|open| Some((open, self.word(open - 1)?))) else {
            return false;
        };
        let end = (open..open + MAX_HEAD).find(|at| self.text(*at) == ")").unwrap_or(open);
        self.declare(K::Function, name, first, end);
        self.at = end + 1;
        true
    }

    /// Returns the name of an operator or of an active pattern in parentheses, and the token
    /// behind.
    pub(super) fn operator(&self, open: usize) -> Option<(&'t str, usize)> {
        let close = (open + 1..open + 16).find(|at| self.text(*at) == ")")?;
        let inner = open + 1..close;
        let is_pattern = self.text(open + 1).starts_with('|') && self.word(open + 2).is_some();
        if is_pattern {
            return Some((self.word(open + 2)?, close + 1));
        }
        let is_operator = inner.len() == 1 && self.token(open + 1)?.kind == TokenKind::Mark;
        is_operator.then(|| (self.text(open + 1), close + 1))
    }

    /// Returns the cases of an active pattern behind its first: `Odd` of `(|Even|Odd|)`.
    fn other_cases(&self, open: usize) -> Vec<&'t str> {
        let close = (open + 1..open + 16).find(|at| self.text(*at) == ")");
        if !self.text(open + 1).starts_with('|') || self.text(open) != "(" {
            return Vec::new();
        }
        let names = (open + 3..close.unwrap_or(open)).filter_map(|at| self.word(at));
        names.filter(|name| *name != "_").collect()
    }

    /// Reads a member of a type.
    pub(super) fn member(&mut self) -> bool {
        let first = self.attributes.unwrap_or(self.at);
        let indent = self.indent();
        let mut at = self.at;
        let mut is_abstract = false;
        let mut is_value = false;
        let mut is_let = false;
        while let Some(word) = self.word(at) {
            match word {
                "abstract" => is_abstract = true,
                "val" => is_value = true,
                "let" => is_let = true,
                "default" | "member" | "override" => {}
                word if MODIFIERS.contains(&word) => {}
                _ => break,
            }
            at += 1;
        }
        if is_let {
            self.at = at - 1;
            self.attributes = Some(first);
            return self.value();
        }
        let (mut object, mut name, mut behind) = match (self.word(at), self.text(at)) {
            (Some(name), _) => ("", name, at + 1),
            (None, "(") => match self.operator(at) {
                Some((name, behind)) => ("", name, behind),
                None => return false,
            },
            _ => return false,
        };
        if self.text(behind) == "." {
            object = name;
            (name, behind) = match self.word(behind + 1) {
                Some(name) => (name, behind + 2),
                None if self.text(behind + 1) == "(" => match self.operator(behind + 1) {
                    Some(found) => found,
                    None => return false,
                },
                None => return false,
            };
        }
        if WORDS.contains(&name) && name != "new" {
            return false;
        }
        let end = self.find(behind, &["=", "with"], indent);
        let line_end = self.line_end(behind);
        let has_arrow = self.tokens.get(behind..end.unwrap_or(line_end).min(line_end)).unwrap_or_default();
        let has_arrow = has_arrow.iter().any(|token| token.text == "->");
        let next = self.text(behind);
        let kind = match () {
            () if name == "new" && object.is_empty() => K::Constructor,
            () if is_value => K::Field,
            () if is_abstract => {
                if has_arrow {
                    K::Method
                } else {
                    K::Field
                }
            }
            () if matches!(next, "=" | "with" | ":" | "") => K::Field,
            () => K::Method,
        };
        let head_end = end.map_or_else(|| line_end.saturating_sub(1), |end| end - 1);
        let declared = self.declare(kind, name, first, head_end);
        self.push(Part::Code, Some(indent), declared, name);
        if let Some(open) = self.open.last_mut().filter(|open| open.declaration == declared) {
            open.object = object;
        }
        self.at = behind;
        let head_end = end.unwrap_or(behind);
        self.state = State { binds: !is_abstract && !is_value, head_end, ..State::default() };
        true
    }

    /// Reads `inherit T(…)` and `interface T with`.
    pub(super) fn supertype(&mut self) -> bool {
        let Some((name, qualifier, behind)) = self.path(self.at + 1) else { return false };
        let within = self.within();
        let owner = self.open.iter().rev().find(|open| open.part == Part::Type);
        let alias = Cow::Borrowed(owner.map_or("", |open| open.name));
        let mention =
            Mention::new(self.page.at(name), ReferenceKind::Inherits, name, Cow::Borrowed(qualifier));
        self.page.out.mentions.push(Mention { alias, within, ..mention });
        self.at = behind;
        true
    }
}
