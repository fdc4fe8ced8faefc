//! Statements that declare types, variables and instances.

use super::words::{CONSTRUCTS, is_digits, is_reserved, is_type_word};
use super::{Design, K, MAX_ARGUMENTS, MAX_NAMES};
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::scan::tokens::{Token, TokenKind};

impl<'t> Design<'t> {
    /// Declares a type by its name, which is the last word in front of the semicolon, and what it
    /// has in it.
    pub(super) fn typedef(&mut self) {
        let end = self.statement_end();
        let first = self.at;
        let mut name_at = end.saturating_sub(1);
        // The bounds of an array may stand behind the name.
        while name_at > first
            && self
                .tokens
                .get(name_at)
                .is_some_and(|token| token.kind != TokenKind::Word || token.text.starts_with('$'))
        {
            let Some(open) = self.bracket(name_at) else { break };
            name_at = open.saturating_sub(1);
        }
        let Some(name) = self.tokens.get(name_at).copied().and_then(Token::word).filter(|_| name_at > first)
        else {
            self.at = end;
            return;
        };
        // `typedef class a;` only announces one.
        if matches!(self.word(1), Some("class" | "interface")) && name_at == first + 2 {
            self.at = end;
            return;
        }
        let kind = match self.word(1) {
            Some("enum") => K::Enum,
            Some("struct") => K::Struct,
            Some("union") => K::Union,
            _ => K::Type,
        };
        let declared = self.declare(kind, name, first, end);
        self.at += 1;
        self.members(kind, name_at, declared);
        self.at = end;
    }

    /// Returns the bracket that the one at a token closes.
    pub(super) fn bracket(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..=close).rev() {
            match self.tokens.get(at)?.text {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth <= 1 => return Some(at),
                "(" | "[" | "{" => depth -= 1,
                ";" if depth == 0 => return None,
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Reads the tokens of a type up to one: declares the alternatives and the fields in it.
    pub(super) fn members(&mut self, kind: K, end: usize, owner: Option<u32>) {
        let mut depth = 0usize;
        let mut is_name = false;
        while self.at < end {
            let Some(token) = self.token(0) else { break };
            match token.text {
                "{" => {
                    depth += 1;
                    is_name = depth == 1;
                }
                "}" => depth = depth.saturating_sub(1),
                "," if depth == 1 && kind == K::Enum => is_name = true,
                ";" => is_name = false,
                word if token.kind == TokenKind::Word => {
                    let next = self.token(1).map(|next| next.text).unwrap_or_default();
                    let is_field = kind != K::Enum && depth > 0 && matches!(next, ";" | "," | "[" | "=");
                    let before = self.tokens.get(self.at.saturating_sub(1)).map(|one| one.text);
                    let is_bound = before == Some("[") || before == Some(":") || before == Some("-");
                    let is_known = is_reserved(word) || word.starts_with(['`', '$']);
                    if is_known || before == Some("'") && is_digits(word) {
                        // A word of the language, or the digits of a number.
                    } else if kind == K::Enum && depth == 1 && is_name {
                        self.member(K::Variant, word, owner);
                        is_name = false;
                    } else if is_field && !is_bound && before != Some("{") && before != Some(";") {
                        if depth == 1 {
                            self.member(K::Field, word, owner);
                        }
                    } else {
                        let kind =
                            if is_bound || depth > 1 { ReferenceKind::Use } else { ReferenceKind::Type };
                        self.page.mention(kind, word, "", owner);
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    pub(super) fn member(&mut self, kind: K, name: &'t str, owner: Option<u32>) {
        let at = self.at;
        let declared = self.declare(kind, name, at, at);
        if let Some(one) = declared.and_then(|at| self.page.out.declarations.get_mut(at as usize)) {
            one.parent = owner;
        }
    }

    /// Reads the variables, ports or constants of a statement that begins with a type.
    pub(super) fn variables(&mut self) {
        let first = self.at;
        let is_constant = matches!(self.word(0), Some("parameter" | "localparam" | "specparam"));
        let is_port = matches!(self.word(0), Some("input" | "output" | "inout" | "ref"));
        let mut at = self.at;
        while self.tokens.get(at).is_some_and(|token| is_type_word(token.text)) {
            at += 1;
        }
        // Nobody looks up the variable of a loop.
        if self.is(0, "genvar") {
            self.at = self.statement_end();
            return;
        }
        // Other words follow: `static function`, `virtual class`.
        if let Some(next) = self.tokens.get(at)
            && (CONSTRUCTS.iter().any(|(open, ..)| *open == next.text) && !next.is("interface")
                || matches!(next.text, "constraint" | "typedef" | "begin" | "(" | "'" | "."))
        {
            self.at = at - 1;
            return;
        }
        let end = self.statement_end();
        self.declarators(first, end, is_constant, is_port);
    }

    /// Declares the names of a statement: each in front of a comma, an equals sign or the end.
    pub(super) fn declarators(&mut self, first: usize, end: usize, is_constant: bool, is_port: bool) {
        let is_local = self.is_local() || self.blocks.last() == Some(&true);
        let in_class = self.open.last().is_some_and(|open| matches!(open.end, "endclass" | "endinterface"));
        let kind = if is_constant {
            K::Constant
        } else if is_port || in_class {
            K::Field
        } else {
            K::Variable
        };
        let mut depth = 0usize;
        let mut is_value = false;
        let mut n_names = 0;
        for at in first..end {
            let Some(token) = self.tokens.get(at).copied() else { break };
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "," if depth == 0 => is_value = false,
                "=" if depth == 0 => is_value = true,
                word if token.kind == TokenKind::Word => {
                    if is_reserved(word) {
                        continue;
                    }
                    let next = self.tokens.get(at + 1).map_or(";", |next| next.text);
                    let is_last = matches!(next, "," | "=" | ";" | "[" | "<") || at + 1 == end;
                    let is_name = depth == 0 && !is_value && is_last;
                    let is_type = is_name && next == "[" && self.names_after_bounds(at + 1, end);
                    if !is_name || is_type {
                        self.at = at;
                        if is_value || depth > 0 { self.name(word) } else { self.type_name(word) }
                    } else if is_local && !is_constant {
                        if let Some(open) = self.open.last_mut() {
                            open.locals.insert(word);
                        }
                    } else if n_names < MAX_NAMES {
                        n_names += 1;
                        let start = if n_names == 1 { first } else { at };
                        self.declare(kind, word, start, at);
                    }
                }
                _ => {}
            }
        }
        self.at = end;
    }

    /// Returns whether a name follows the bounds that begin at a token: `word_t [3:0] a`.
    pub(super) fn names_after_bounds(&self, open: usize, end: usize) -> bool {
        let mut depth = 0usize;
        for at in open..end {
            match self.tokens.get(at).map(|token| token.text) {
                Some("[") => depth += 1,
                Some("]") => {
                    depth = depth.saturating_sub(1);
                    let next = self.tokens.get(at + 1);
                    if depth == 0 && !next.is_some_and(|next| next.is("[")) {
                        return next.is_some_and(|next| next.kind == TokenKind::Word) && at + 1 < end;
                    }
                }
                _ => {}
            }
        }
        false
    }

    pub(super) fn type_name(&mut self, word: &'t str) {
        let within = self.within();
        if !word.starts_with(['`', '$']) {
            self.page.mention(ReferenceKind::Type, word, "", within);
        }
    }

    /// Reads a statement of two names: an instance of a module, or a variable of a named type.
    /// Returns `false` if it is another one.
    pub(super) fn instance_or_variable(&mut self) -> bool {
        let first = self.at;
        let Some(module) = self.word(0) else { return false };
        if self.open.last().is_some_and(|open| open.end == "endconfig") {
            return false;
        }
        let mut at = first + 1;
        // The type may be one of a package, and it may have arguments and bounds.
        while self.tokens.get(at).is_some_and(|token| token.is(":"))
            && self.tokens.get(at + 1).is_some_and(|token| token.is(":"))
        {
            at += 3;
        }
        let has_arguments = self.tokens.get(at).is_some_and(|token| token.is("#"));
        let arguments = at;
        if has_arguments {
            at = self.behind(at + 1);
        }
        let mut bounds = at;
        while self.tokens.get(bounds).is_some_and(|token| token.is("[")) {
            bounds = self.behind(bounds);
        }
        let Some(name) = self.tokens.get(bounds).copied().and_then(Token::word) else { return false };
        if is_reserved(name) || name.starts_with(['`', '$']) {
            return false;
        }
        let mut next = bounds + 1;
        while self.tokens.get(next).is_some_and(|token| token.is("[")) {
            next = self.behind(next);
        }
        let in_routine = self.is_local() || self.open.last().is_some_and(|open| open.end == "endclass");
        match self.tokens.get(next).map(|token| token.text) {
            Some("(") if !in_routine => {
                let within = self.within();
                self.page.mention(ReferenceKind::Call, module, "", within);
                if has_arguments {
                    self.connections(arguments, at, module);
                }
                self.at = next;
                let end = self.statement_end();
                self.instances(first, bounds, end);
                self.connections(next, end, module);
                self.at = end;
                true
            }
            Some(";" | "," | "=") => {
                let end = self.statement_end();
                self.declarators(first, end, false, false);
                true
            }
            _ => false,
        }
    }

    /// Declares the instances of a statement: `u1` and `u2` of `sub u1 (…), u2 (…);`. `from` is
    /// the first name.
    fn instances(&mut self, first: usize, from: usize, end: usize) {
        let (mut at, mut is_next) = (from, true);
        while let Some(token) = self.tokens.get(at).copied().filter(|_| at < end) {
            match token.text {
                "(" | "[" => {
                    at = self.behind(at).max(at + 1);
                    continue;
                }
                "," => is_next = true,
                _ => {
                    if let Some(name) = token.word().filter(|_| is_next) {
                        self.declare(K::Variable, name, first, at);
                    }
                    is_next = false;
                }
            }
            at += 1;
        }
    }

    /// Returns the token behind the bracket that opens at one.
    pub(super) fn behind(&self, open: usize) -> usize {
        let mut depth = 0usize;
        let mut at = open;
        while let Some(token) = self.tokens.get(at).filter(|_| at < open + MAX_ARGUMENTS) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                ";" => break,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        at
    }

    /// Reads the connections of an instance: `.port(signal)` names a port of the module.
    pub(super) fn connections(&mut self, from: usize, end: usize, module: &'t str) {
        let within = self.within();
        let mut depth = 0usize;
        let mut at = from;
        while at < end {
            let Some(token) = self.tokens.get(at).copied() else { break };
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "." if depth == 1 => {
                    if let Some(port) = self.tokens.get(at + 1).copied().and_then(Token::word) {
                        self.page.mention(ReferenceKind::Use, port, module, within);
                        at += 1;
                    }
                }
                word if token.kind == TokenKind::Word => {
                    self.at = at;
                    self.name(word);
                    at = self.at.max(at);
                }
                _ => {}
            }
            at += 1;
        }
    }
}
