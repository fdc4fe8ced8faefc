//! Sections of a declaration: `private` on a line of its own in Ruby, `private:` in C++ → whether
//! each declaration is in a public one.
//!
//! The text of a container is read without the declarations in it, so a section of a nested class
//! ends with that class. An unnamed namespace of C++ is an internal section of its file.

use std::collections::{BTreeMap, HashMap};

use super::declaration_text::{DeclarationText, SourceText};
use crate::index::chunk::{DeclarationKind, Language, unnamed_namespaces};

/// Stands for a declaration in the text around it.
const MARK: char = '\0';

/// Returns whether the section that each declaration is in is public; `None` where nothing says so.
pub(super) fn sections(source: SourceText<'_>, all: &[DeclarationText<'_>]) -> Vec<Option<bool>> {
    let mut found = vec![None; all.len()];
    if !matches!(source.language, "ruby" | "cpp") || source.text.contains(MARK) {
        return found;
    }
    let mut inner: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
    for (at, one) in all.iter().enumerate() {
        inner.entry(one.parent).or_default().push(at);
    }
    for (parent, members) in inner {
        let outer = parent.and_then(|parent| all.get(parent as usize));
        let text = outer.map_or(source.text, |outer| outer.whole.of(source.text));
        let start = outer.map_or(0, |outer| outer.whole.start);
        let own = OwnText::of(text, start, &members, all);
        if source.language == "ruby" {
            own.ruby(source.text, all, &mut found);
        } else {
            own.cpp(&mut found);
        }
    }
    let language = Language::from_name(source.language).filter(|one| one.name() == "cpp");
    let hidden = language.map(|language| unnamed_namespaces(language, source.text)).unwrap_or_default();
    for (one, slot) in all.iter().zip(&mut found) {
        if hidden.iter().any(|namespace| namespace.contains(one.whole.end.saturating_sub(1))) {
            *slot = Some(false);
        }
    }
    found
}

/// The text of a container without the declarations in it.
struct OwnText {
    /// Each declaration is a [`MARK`].
    text: String,
    /// By mark, the declarations there: several names may share a statement.
    marks: Vec<Vec<usize>>,
}

impl OwnText {
    /// Leaves the members out of a text that begins at `start` in its file.
    fn of(text: &str, start: u32, members: &[usize], all: &[DeclarationText<'_>]) -> Self {
        let mut own = Self { text: String::with_capacity(text.len()), marks: Vec::new() };
        let mut from = 0;
        for &member in members {
            let Some(one) = all.get(member) else { continue };
            let [begins, ends] = [one.whole.start, one.whole.end].map(|at| at.saturating_sub(start) as usize);
            match own.marks.last_mut() {
                Some(last) if begins < from => last.push(member),
                _ => {
                    own.text.push_str(text.get(from..begins).unwrap_or_default());
                    // In Ruby, `private` of `private def f` is a part of the declaration.
                    let whole = text.get(begins..ends).unwrap_or_default();
                    let signature = one.signature.start.saturating_sub(one.whole.start) as usize;
                    let line = whole.get(..signature).and_then(|lead| lead.rsplit('\n').next());
                    let words = whole.get(signature..).and_then(|rest| rest.lines().next());
                    let lead = [line.unwrap_or_default(), words.unwrap_or_default()].concat();
                    own.text.push_str(lead.split_once("def ").map_or("", |(lead, _)| lead));
                    own.text.push(MARK);
                    own.marks.push(vec![member]);
                }
            }
            from = from.max(ends);
        }
        own.text.push_str(text.get(from..).unwrap_or_default());
        own
    }

    /// Sets the sections of C++.
    fn cpp(&self, found: &mut [Option<bool>]) {
        let mut marks = self.marks.iter();
        // The sections around open braces, and the present one.
        let (mut around, mut section): (Vec<Option<bool>>, Option<bool>) = (Vec::new(), None);
        let mut rest = self.text.as_str();
        let mut last = "";
        while let Some(first) = rest.chars().next() {
            let len = token_len(rest, last);
            let (token, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
            rest = after;
            match first {
                MARK => {
                    for &at in marks.next().into_iter().flatten() {
                        if let Some(slot) = found.get_mut(at) {
                            *slot = section;
                        }
                    }
                }
                '{' => around.push(section),
                '}' => section = around.pop().unwrap_or(section),
                // The colon of a label, not the one of a base class.
                ':' if !rest.starts_with(':') => match last {
                    "public" | "protected" | "signals" | "Q_SIGNALS" => section = Some(true),
                    "private" => section = Some(false),
                    _ => {}
                },
                _ => {}
            }
            // `private slots:` is a section too.
            let is_kept = first.is_whitespace() || token.starts_with("//") || token.starts_with("/*");
            if !is_kept && !matches!(token, "slots" | "Q_SLOTS") {
                last = token;
            }
        }
    }

    /// Sets the sections of Ruby.
    fn ruby(&self, text: &str, all: &[DeclarationText<'_>], found: &mut [Option<bool>]) {
        let mut state = RubyState::default();
        let mut marks = self.marks.iter();
        let mut levels: HashMap<usize, RubyLevel> = HashMap::new();
        let mut statement = String::new();
        for line in self.text.split(['\n', ';']) {
            let code = without_comment(line);
            statement.push_str(code);
            // A list of names goes on.
            if code.ends_with([',', '(', '[', '\\']) {
                statement.push(' ');
                continue;
            }
            let level = state.read(statement.trim());
            for _ in statement.matches(MARK) {
                for &at in marks.next().into_iter().flatten() {
                    levels.insert(at, level);
                }
            }
            statement.clear();
        }
        for (at, level) in levels {
            let (Some(one), Some(slot)) = (all.get(at), found.get_mut(at)) else { continue };
            *slot = Some(state.is_public(one, one.signature.of(text), level));
        }
    }
}

/// The length of the first token of a text of C++: a word, a comment, a string, or a character.
/// `last` is the token before it.
fn token_len(text: &str, last: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let Some(first) = text.chars().next() else { return 0 };
    let to_end = |found: Option<usize>| found.unwrap_or(text.len());
    match first {
        '/' if text.starts_with("//") => to_end(text.find('\n')),
        '/' if text.starts_with("/*") => to_end(text.find("*/").map(|at| at + 2)),
        // A quote in a number separates digits.
        '\'' if last.ends_with(|c: char| c.is_ascii_digit()) => 1,
        '"' | '\'' => {
            let mut escaped = false;
            let end = text.char_indices().skip(1).find(|(_, c)| {
                let is_end = !escaped && (*c == first || *c == '\n');
                escaped = !escaped && *c == '\\';
                is_end
            });
            to_end(end.map(|(at, c)| at + c.len_utf8()))
        }
        _ if is_word(first) => to_end(text.find(|c| !is_word(c))),
        _ => first.len_utf8(),
    }
}

/// The part of a line before a comment.
fn without_comment(line: &str) -> &str {
    let line = line.trim_end();
    let comment = line.char_indices().find(|(at, c)| {
        let before = line.get(..*at).unwrap_or_default();
        // Not `#{…}` in a string.
        let is_comment = *c == '#' && !line.get(at + 1..).is_some_and(|rest| rest.starts_with('{'));
        is_comment && (before.is_empty() || before.ends_with(char::is_whitespace))
    });
    comment.and_then(|(at, _)| line.get(..at)).unwrap_or(line).trim_end()
}

/// What holds at a place in a class of Ruby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RubyLevel {
    /// Whether methods that follow are public.
    is_public: bool,
    /// Whether methods belong to the class itself, as in `class << self`.
    is_singleton: bool,
    /// What the statement says of the declaration in it.
    own: Option<bool>,
}

/// What a list of names can be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RubyNames {
    Methods,
    /// Methods of the class itself.
    Singletons,
    Constants,
}

/// What the statements of a class of Ruby said so far.
struct RubyState {
    level: RubyLevel,
    /// What holds again at the end of each open block; `None` if nothing changes there.
    open: Vec<Option<RubyLevel>>,
    /// Names, and whether they are public.
    named: Vec<(RubyNames, String, bool)>,
}

impl Default for RubyState {
    fn default() -> Self {
        let level = RubyLevel { is_public: true, is_singleton: false, own: None };
        Self { level, open: Vec::new(), named: Vec::new() }
    }
}

impl RubyState {
    /// Reads a statement. Returns what holds for the declarations in it.
    fn read(&mut self, statement: &str) -> RubyLevel {
        let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | '.' | ')');
        let first = statement.split(is_end).next().unwrap_or_default();
        let rest = statement.get(first.len()..).unwrap_or_default();
        let rest = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        let of_methods = if self.level.is_singleton { RubyNames::Singletons } else { RubyNames::Methods };
        let (names, is_public) = match first {
            "private" | "protected" => (of_methods, false),
            "public" | "module_function" => (of_methods, true),
            "private_class_method" => (RubyNames::Singletons, false),
            "public_class_method" => (RubyNames::Singletons, true),
            "private_constant" => (RubyNames::Constants, false),
            "public_constant" => (RubyNames::Constants, true),
            _ => {
                self.block(statement, first);
                return self.level;
            }
        };
        if rest.is_empty() {
            if names == of_methods {
                self.level.is_public = is_public;
            }
            return self.level;
        }
        let is_name_end =
            |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '"' | '\'' | '[' | ']' | MARK);
        let listed = rest.split(is_name_end).filter(|name| !name.is_empty());
        self.named.extend(listed.map(|name| (names, name.to_owned(), is_public)));
        RubyLevel { own: Some(is_public), ..self.level }
    }

    /// Opens or closes the block that a statement begins or ends.
    fn block(&mut self, statement: &str, first: &str) {
        const OPENERS: [&str; 10] =
            ["if", "unless", "case", "begin", "while", "until", "for", "class", "module", "def"];
        if first == "end" {
            if let Some(Some(level)) = self.open.pop() {
                self.level = level;
            }
            return;
        }
        let words: Vec<&str> = statement.split_whitespace().collect();
        if words.last() == Some(&"end") {
            return;
        }
        if first == "class" && statement.get(first.len()..).is_some_and(|rest| rest.trim().starts_with("<<"))
        {
            self.open.push(Some(self.level));
            self.level = RubyLevel { is_public: true, is_singleton: true, own: None };
        } else if OPENERS.contains(&first)
            || words.iter().zip(words.iter().skip(1)).any(|(a, b)| a.ends_with('=') && OPENERS.contains(b))
        {
            self.open.push(None);
        } else if words.contains(&"do") {
            self.open.push(Some(self.level));
        }
    }

    /// Returns whether a declaration is public after all statements were read.
    fn is_public(&self, one: &DeclarationText<'_>, signature: &str, level: RubyLevel) -> bool {
        use DeclarationKind as K;
        let is_method = matches!(one.kind, K::Function | K::Method | K::Constructor | K::Field);
        let before = signature.split(one.name).next().unwrap_or_default();
        // `def self.name`, which a section does not concern.
        let is_of_object = before.trim_end().ends_with('.');
        let names = match is_method {
            false => RubyNames::Constants,
            true if level.is_singleton || is_of_object => RubyNames::Singletons,
            true => RubyNames::Methods,
        };
        let is_same = |named: &&(RubyNames, String, bool)| named.0 == names && named.1 == one.name;
        let listed = self.named.iter().rfind(is_same).map(|(_, _, is_public)| *is_public);
        let is_of_section = names == RubyNames::Constants || is_of_object || level.is_public;
        listed.or(level.own).unwrap_or(is_of_section)
    }
}
