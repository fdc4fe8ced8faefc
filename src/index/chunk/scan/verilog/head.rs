//! The heads of modules, classes and functions: their names, ports, parameters and supertypes.

use super::words::{CONSTRUCTS, is_other_word, is_reserved, is_type_word};
use super::{Design, K, MAX_DEPTH, Open};
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::scan::tokens::{Token, TokenKind};
use std::borrow::Cow;
use std::collections::HashSet;

/// The parts of the head of a construct, as positions of tokens.
struct Head<'t> {
    /// Its name, and the class in front of it (`a::b`).
    name: Option<(&'t str, &'t str)>,
    /// The parenthesis of its list, or the word in front of its supertypes.
    list: Option<usize>,
    after_name: usize,
    /// Its semicolon.
    end: usize,
}

impl<'t> Design<'t> {
    /// Closes the innermost construct that ends with this word; returns `false` if none does.
    pub(super) fn close(&mut self, word: &str, line: u32) -> bool {
        if !word.starts_with("end") {
            return false;
        }
        let Some(at) = self.open.iter().rposition(|open| open.end == word) else { return false };
        for open in self.open.drain(at..) {
            self.blocks.truncate(open.blocks);
            if let Some(declaration) = open.declaration {
                self.page.extend(declaration, line);
            }
        }
        self.skip_label();
        true
    }

    /// Opens a construct; returns `false` if the word opens none.
    pub(super) fn construct(&mut self, word: &str) -> bool {
        let Some((_, end, kind)) = CONSTRUCTS.iter().find(|(open, ..)| *open == word) else { return false };
        let before = self.last_word();
        let is_name = matches!(before, "virtual") && word == "interface" || self.is(1, ".");
        let has_no_body = self.is_prototype();
        if is_name || matches!(before, "assert" | "assume" | "cover" | "disable" | "with" | "wait") {
            return false;
        }
        let first = self.statement_start();
        let head = self.head();
        let Some((name, owner)) = head.name.filter(|_| self.open.len() < MAX_DEPTH) else {
            self.at = head.end;
            return true;
        };
        let is_member = self.open.last().is_some_and(|open| open.kind == K::Class && open.end == "endclass");
        let kind = match kind {
            K::Function if is_member || !owner.is_empty() => {
                if name == "new" {
                    K::Constructor
                } else {
                    K::Method
                }
            }
            kind => *kind,
        };
        let is_whole = self.tokens.get(head.end).is_some_and(|token| token.is(";"));
        let declared = self.declare(kind, name, first, head.end - usize::from(!is_whole));
        if let Some(one) = declared.and_then(|at| self.page.out.declarations.get_mut(at as usize)) {
            owner.clone_into(&mut one.scope);
        }
        let is_routine = matches!(kind, K::Function | K::Method | K::Constructor);
        let open = Open {
            end,
            kind: if is_routine { K::Function } else { kind },
            declaration: declared,
            locals: HashSet::new(),
            blocks: self.blocks.len(),
        };
        self.open.push(open);
        self.read_head(head.list, head.end, head.after_name, name);
        self.at = head.end + usize::from(is_whole);
        if has_no_body {
            self.open.pop();
        }
        true
    }

    /// Returns whether the function that begins here has no body: it is one of C, or declared for
    /// others to define.
    pub(super) fn is_prototype(&self) -> bool {
        let before = self.tokens.get(self.at.saturating_sub(6)..self.at).unwrap_or_default();
        let statement = before.iter().rev().take_while(|token| !matches!(token.text, ";" | ")" | "begin"));
        statement.into_iter().any(|token| matches!(token.text, "extern" | "pure" | "import" | "export"))
    }

    /// Returns the first token of the statement that the current word belongs to: `virtual class`.
    pub(super) fn statement_start(&self) -> usize {
        let mut first = self.at;
        while let Some(before) = first.checked_sub(1)
            && self.tokens.get(before).is_some_and(|token| {
                matches!(
                    token.text,
                    "virtual"
                        | "extern"
                        | "pure"
                        | "static"
                        | "local"
                        | "protected"
                        | "interface"
                        | "automatic"
                        | "default"
                        | "global"
                )
            })
        {
            first = before;
        }
        first
    }

    /// Finds the parts of the head of a construct, which ends with a semicolon.
    fn head(&self) -> Head<'t> {
        let mut head = Head { name: None, list: None, after_name: self.at + 1, end: self.at };
        let mut depth = 0usize;
        let mut at = self.at + 1;
        let mut owner = "";
        let mut is_named = false;
        while let Some(token) = self.tokens.get(at).copied() {
            match token.text {
                "(" | "[" | "{" => {
                    if depth == 0 && token.text == "(" && head.list.is_none() {
                        let is_type = self.tokens.get(at - 1).is_some_and(|before| before.is("#"));
                        if !is_type || head.name.is_some() {
                            head.list = Some(at);
                        }
                    }
                    depth += 1;
                }
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => break,
                // A construct that begins inside a head shows that the head is broken.
                "endmodule" | "endfunction" | "endtask" | "endclass" | "endpackage" => break,
                // `module a import b::*; (…)`
                "import" if depth == 0 => {
                    while self.tokens.get(at).is_some_and(|token| !token.is(";")) {
                        at += 1;
                    }
                }
                "extends" | "implements" if head.list.is_none() => head.list = Some(at),
                // `covergroup a with function sample(…)`
                "with" if depth == 0 && head.name.is_some() => is_named = true,
                text if depth == 0
                    && head.list.is_none()
                    && !is_named
                    && !text.starts_with('`')
                    && token.kind == TokenKind::Word =>
                {
                    let next = self.tokens.get(at + 1);
                    if text == "new" || !is_reserved(text) {
                        if next.is_some_and(|next| next.is(":"))
                            && self.tokens.get(at + 2).is_some_and(|next| next.is(":"))
                        {
                            owner = text;
                        } else {
                            let is_owned = self.tokens.get(at - 1).is_some_and(|before| before.is(":"));
                            head.name = Some((text, if is_owned { owner } else { "" }));
                            head.after_name = at + 1;
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
        head.end = at.min(self.tokens.len().saturating_sub(1));
        head
    }

    /// Reads the parameters, ports and supertypes in the head of a construct that is open now.
    fn read_head(&mut self, list: Option<usize>, end: usize, after_name: usize, name: &'t str) {
        let is_routine = self.is_local();
        let within = self.within();
        let mut supertypes = false;
        let mut depth = 0usize;
        let start = if is_routine { list.unwrap_or(end) } else { after_name };
        // The last word of an element of a list, and whether the element has a type.
        let mut element: Vec<usize> = Vec::new();
        let mut is_typed = false;
        let mut has_value = false;
        let mut is_parameter = false;
        let mut at = start;
        while at < end {
            let Some(token) = self.tokens.get(at).copied() else { break };
            at += 1;
            match token.text {
                "import" if depth == 0 => {
                    let rest = self.tokens.get(at..end).unwrap_or_default();
                    let last = at + rest.iter().take_while(|token| !token.is(";")).count();
                    self.packages(at, last);
                    at = last;
                }
                "#" => is_parameter = true,
                // `clocking a @(posedge clk)`
                "@" if self.tokens.get(at).is_some_and(|next| next.is("(")) => {
                    let behind = self.behind(at).min(end);
                    self.names_between(at, behind);
                    at = behind;
                }
                directive if directive.starts_with('`') => {
                    at = self.directive_in_list(at - 1).max(at);
                }
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    if depth == 1 && token.text == ")" {
                        self.element(&element, is_typed, is_parameter);
                        element.clear();
                        (is_typed, has_value, is_parameter) = (false, false, false);
                    }
                    depth = depth.saturating_sub(1);
                }
                "," if depth == 1 => {
                    self.element(&element, is_typed, is_parameter);
                    // The next name of a list may have the same type.
                    is_typed |= element.len() > 1;
                    element.clear();
                    has_value = false;
                }
                "=" if depth == 1 => has_value = true,
                "extends" | "implements" if depth == 0 => supertypes = true,
                text if token.kind == TokenKind::Word => {
                    if supertypes && depth == 0 {
                        if !is_other_word(text) {
                            let mention = Mention {
                                alias: Cow::Borrowed(name),
                                within,
                                ..Mention::new(
                                    self.page.at(text),
                                    ReferenceKind::Inherits,
                                    text,
                                    Cow::Borrowed(""),
                                )
                            };
                            self.page.out.mentions.push(mention);
                        }
                    } else if supertypes {
                        // Arguments of the supertype's parameters.
                        let before = self.tokens.get(at.saturating_sub(2));
                        if !is_reserved(text) && !before.is_some_and(|before| before.is(".")) {
                            self.page.mention(ReferenceKind::Type, text, "", within);
                        }
                    } else if is_type_word(text) {
                        is_typed |= depth == 1;
                    } else if depth == 1 && !has_value {
                        element.push(at - 1);
                    } else if !is_other_word(text) && !text.starts_with('$') {
                        self.page.mention(ReferenceKind::Use, text.trim_start_matches('`'), "", within);
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads a directive between ports; returns the token behind it.
    fn directive_in_list(&mut self, at: usize) -> usize {
        let token = |at: usize| self.tokens.get(at).copied();
        let Some(directive) = token(at).and_then(Token::word) else { return at + 1 };
        let within = self.within();
        match directive {
            "`ifdef" | "`ifndef" | "`elsif" => {
                let name = token(at + 1).and_then(Token::word).unwrap_or_default();
                self.page.mention(ReferenceKind::Use, name, "", within);
                at + 2
            }
            "`else" | "`endif" => at + 1,
            _ => {
                let is_call = token(at + 1).is_some_and(|next| next.is("("));
                let kind = if is_call { ReferenceKind::Call } else { ReferenceKind::Use };
                self.page.mention(kind, directive.trim_start_matches('`'), "", within);
                let behind = if is_call { self.behind(at + 1) } else { at + 1 };
                self.names_between(at + 1, behind);
                behind
            }
        }
    }

    /// Adds what the names in a range of tokens refer to, none of which they declare.
    pub(super) fn names_between(&mut self, from: usize, end: usize) {
        let at = std::mem::replace(&mut self.at, from);
        while self.at < end {
            if let Some(word) = self.word(0).filter(|word| !is_reserved(word)) {
                self.name(word);
            }
            self.at += 1;
        }
        self.at = at;
    }

    /// Declares the port or the parameter that the words of a list's element name.
    fn element(&mut self, words: &[usize], is_typed: bool, is_parameter: bool) {
        let Some((last, types)) = words.split_last() else { return };
        let Some(token) = self.tokens.get(*last).copied() else { return };
        let within = self.within();
        for at in types {
            if let Some(word) = self.tokens.get(*at).copied().and_then(Token::word)
                && !is_other_word(word)
                && !word.starts_with('`')
            {
                self.page.mention(ReferenceKind::Type, word, "", within);
            }
        }
        if self.is_local() {
            if let Some(open) = self.open.last_mut() {
                open.locals.insert(token.text);
            }
        } else if is_typed || !types.is_empty() || is_parameter {
            let kind = if is_parameter { K::Constant } else { K::Field };
            self.declare(kind, token.text, *last, *last);
        }
    }
}
