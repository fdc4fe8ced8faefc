//! Macros in front of a declaration: the tokens of an item → what is blanked.
//!
//! The grammar takes the word in front of a constructor (`FMT_CONSTEXPR Buffer(int n) {}`) for a
//! type. Then it loses the class around it, and all that follows in the file gets a wrong scope. A
//! word is only blanked if what follows is a declaration without it. Otherwise it is the type.

use super::{Brace, Scan, TYPES, Token, TokenKind, WORDS};

/// Words that can stand in front of a macro that is not blanked itself.
const SPECIFIERS: &[&str] =
    &["constexpr", "explicit", "extern", "friend", "inline", "static", "template", "virtual"];

/// Words of C++ that never follow the type of a declaration. C uses some of them as names.
const BEGINNINGS: &[&str] = &[
    "auto",
    "consteval",
    "constexpr",
    "constinit",
    "explicit",
    "friend",
    "mutable",
    "thread_local",
    "virtual",
];

/// Put in place of a macro among the parameters of a template: a parameter without a name. The
/// grammar reads `class` without a name less well.
const PARAMETER: &[u8] = b"int";

impl Scan<'_> {
    /// Blanks macros that stand in front of an item: `EXPORT_SYMBOL(x)` without a semicolon, and
    /// words such as `FMT_BEGIN_NAMESPACE` or `FMT_API`. Removes the parameters of a template, and
    /// attributes, from the tokens, too.
    pub(super) fn blank_leading(&mut self, tokens: &mut Vec<Token>) {
        // The grammar knows `template f<int>();`, but not `extern` in front of it.
        if let &[first, second, ..] = tokens.as_slice()
            && (self.of(first), self.of(second)) == ("extern", "template")
        {
            self.blank(first.start, first.end);
            tokens.remove(0);
        }
        self.end_call(tokens);
        let mut from = 0;
        loop {
            let rest = tokens.get(from..).unwrap_or_default();
            if let Some(end) = self.after_template(rest) {
                for window in tokens.drain(from..from + end).collect::<Vec<_>>().windows(4) {
                    self.blank_condition(window);
                }
            } else if let n @ 1.. = rest.len() - self.without_attributes(rest).len() {
                tokens.drain(from..from + n);
            } else if rest.first().is_some_and(|one| self.is_specifier(*one)) {
                from += 1;
            } else {
                let n = self.n_leading(rest, from == 0);
                if n == 0 {
                    return;
                }
                for token in tokens.drain(from..from + n).collect::<Vec<_>>() {
                    self.blank(token.start, token.end);
                }
            }
        }
    }

    /// Blanks macros that no item follows, such as `FMT_END_NAMESPACE` at the end of a file.
    pub(super) fn blank_stray(&mut self) {
        let is_stray = |one: &Token| one.kind == TokenKind::Group || self.is_macro(*one);
        if self.is_code() || !self.tokens.iter().all(is_stray) {
            return;
        }
        for token in std::mem::take(&mut self.tokens) {
            self.blank(token.start, token.end);
        }
    }

    /// Returns whether a macro may stand behind a token. A string is that of `extern "C"`.
    fn is_specifier(&self, token: Token) -> bool {
        let word = self.of(token);
        SPECIFIERS.contains(&word) || word.starts_with('"')
    }

    /// Returns the number of tokens at the start that are a macro and its arguments. `is_first`: no
    /// specifier stands in front.
    fn n_leading(&self, tokens: &[Token], is_first: bool) -> usize {
        let (Some(&first), Some(&second)) = (tokens.first(), tokens.get(1)) else { return 0 };
        if !self.is_macro(first) {
            return 0;
        }
        let is_function = |rest: &[Token]| {
            let [a, b] = rest else { return false };
            a.kind == TokenKind::Word && b.kind == TokenKind::Group
        };
        match second.kind {
            TokenKind::Word => {
                let rest = tokens.get(1..).unwrap_or_default();
                let is_alone = is_first && self.between(first.end, second.start).contains('\n');
                let is_item = is_alone && (!is_function(rest) || self.is_call(rest) || self.is_end(first));
                // Otherwise it is the type of the function behind it.
                let is_before_type = TYPES.contains(&self.of(second));
                let is_macro = is_before_type
                    || is_item
                    || self.declares(rest)
                    || is_first && self.is_type_and_function(rest);
                // `API INLINE Buffer(int n)`
                usize::from(is_macro || self.n_leading(rest, is_first) > 0)
            }
            TokenKind::Group => {
                let rest = self.without_attributes(tokens.get(2..).unwrap_or_default());
                let Some(&third) = rest.first() else { return 0 };
                let is_alone = self.between(second.end, third.start).contains('\n');
                let is_item = third.kind == TokenKind::Word
                    && (TYPES.contains(&self.of(third))
                        || self.is_macro(third)
                        || is_function(rest) && rest.get(1).is_some_and(|group| self.is_name(*group)));
                if is_alone && is_item || self.declares(rest) { 2 } else { 0 }
            }
            TokenKind::Other => usize::from(self.declares(tokens.get(1..).unwrap_or_default())),
        }
    }

    /// Returns whether a macro ends what another one began, and so cannot be a type: `TEST_END`.
    fn is_end(&self, token: Token) -> bool {
        self.of(token).split('_').any(|word| word == "END")
    }

    /// Ends a macro without a semicolon, whose name looks like that of a function, if a declaration
    /// follows on another line: `rb_gen(static, tree_, tree_t)`. Its name stays.
    fn end_call(&mut self, tokens: &mut Vec<Token>) {
        let &[word, group, next, ..] = tokens.as_slice() else { return };
        let is_call = word.kind == TokenKind::Word
            && group.kind == TokenKind::Group
            && !WORDS.contains(&self.of(word))
            && !self.is_macro(word)
            && self.begins_line(word.start);
        let is_next = matches!(self.of(next), "extern" | "inline" | "static" | "typedef")
            && self.between(group.end, next.start).contains('\n');
        if is_call && is_next {
            self.blank(group.start, group.end);
            self.put(group.start, b";");
            tokens.drain(..2);
        }
    }

    /// Returns tokens without the attributes at the start: `[[nodiscard]]`.
    fn without_attributes<'a>(&self, tokens: &'a [Token]) -> &'a [Token] {
        let mut rest = tokens;
        while let [a, b, ..] = rest
            && self.of(*a) == "["
            && self.of(*b) == "["
            && let Some(end) = rest.windows(2).position(|two| two.iter().all(|one| self.of(*one) == "]"))
        {
            rest = rest.get(end + 2..).unwrap_or_default();
        }
        rest
    }

    /// Returns whether tokens are a macro with values, and not with parameters: `THING(x, "y")`.
    fn is_call(&self, tokens: &[Token]) -> bool {
        let &[word, group] = tokens else { return false };
        let is_value = |&(start, _): &(usize, usize)| {
            self.byte(start).is_some_and(|byte| byte == b'"' || byte.is_ascii_digit())
        };
        self.is_macro(word) && group.kind == TokenKind::Group && self.parts(group).iter().any(is_value)
    }

    /// Returns whether tokens are a type that looks like a macro, and a function: `UINT f(int a)`.
    fn is_type_and_function(&self, tokens: &[Token]) -> bool {
        let &[word, ref rest @ ..] = tokens else { return false };
        let n_stars = rest.iter().take_while(|one| self.of(**one) == "*").count();
        let Some(&[name, group, ..]) = rest.get(n_stars..) else { return false };
        self.is_macro(word)
            && name.kind == TokenKind::Word
            && !self.is_macro(name)
            && !WORDS.contains(&self.of(name))
            && group.kind == TokenKind::Group
    }

    /// Returns whether tokens declare something without a word in front of them.
    fn declares(&self, tokens: &[Token]) -> bool {
        let (Some(&first), Some(&second)) = (tokens.first(), tokens.get(1)) else { return false };
        let is_word = second.kind == TokenKind::Word;
        match self.of(first) {
            "operator" => return is_word && !matches!(self.of(second), "new" | "delete"),
            word if BEGINNINGS.contains(&word) => {
                return is_word || matches!(self.of(second), "&" | "*" | "~");
            }
            word if WORDS.contains(&word) => return false,
            _ => {}
        }
        self.is_constructor(tokens) || self.has_type_and_name(tokens)
    }

    /// Returns whether tokens are a constructor or a destructor: in its class, or with the class's
    /// name in front (`Buffer::Buffer(int n)`).
    fn is_constructor(&self, tokens: &[Token]) -> bool {
        let n = tokens.iter().position(|one| one.kind == TokenKind::Group).unwrap_or_default();
        let head = tokens.get(..n).unwrap_or_default();
        match head {
            [] => false,
            [name] => self.class_around().is_some_and(|class| self.of(class) == self.of(*name)),
            [tilde, _] if self.of(*tilde) == "~" => true,
            [owner @ .., name] => {
                let is = |token: Option<&Token>, text: &str| token.is_some_and(|one| self.of(*one) == text);
                let owner = match owner {
                    [owner @ .., tilde] if self.of(*tilde) == "~" => owner,
                    _ => owner,
                };
                let [owner @ .., a, b] = owner else { return false };
                if !is(Some(a), ":") || !is(Some(b), ":") || self.after_name(owner) != owner.len() {
                    return false;
                }
                let at = if is(owner.last(), ">") { self.opening(owner) } else { owner.len() };
                at.checked_sub(1)
                    .and_then(|at| owner.get(at))
                    .is_some_and(|one| self.of(*one) == self.of(*name))
            }
        }
    }

    /// Returns whether tokens begin with a type and a name.
    fn has_type_and_name(&self, tokens: &[Token]) -> bool {
        let Some(&first) = tokens.first().filter(|first| first.kind == TokenKind::Word) else { return false };
        // `BOOL WINAPI f(void)`: the word in front is the type.
        if self.is_macro(first) || self.of(first).starts_with("__") {
            return false;
        }
        let is_const = |one: &&Token| matches!(self.of(**one), "const" | "volatile");
        let tokens = tokens.get(tokens.iter().take_while(is_const).count()..).unwrap_or_default();
        let after = self.after_name(tokens);
        let mut rest = tokens.get(after..).unwrap_or_default().iter();
        let name = rest.find(|one| !matches!(self.of(**one), "&" | "*" | "const")).filter(|_| after > 0);
        name.is_some_and(|name| {
            let word = self.of(*name);
            name.kind == TokenKind::Word && (word == "operator" || !WORDS.contains(&word))
        })
    }

    /// Returns the number of tokens of the qualified name at the start, with its template
    /// arguments: `std::vector<int>`.
    pub(super) fn after_name(&self, tokens: &[Token]) -> usize {
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|one| self.of(*one) == text);
        let mut at = 0;
        loop {
            if tokens.get(at).is_none_or(|one| one.kind != TokenKind::Word) {
                return at;
            }
            at += 1;
            if is(at, "<") {
                at += self.closing(tokens.get(at..).unwrap_or_default()).unwrap_or_default();
            }
            if !(is(at, ":") && is(at + 1, ":")) {
                return at;
            }
            at += 2;
        }
    }

    /// Returns the number of tokens of the template head at the start (`template <class T>`);
    /// `None` if there is none.
    pub(super) fn after_template(&self, tokens: &[Token]) -> Option<usize> {
        let [first, rest @ ..] = tokens else { return None };
        if self.of(*first) != "template" {
            return None;
        }
        self.closing(rest).map(|n| n + 1)
    }

    /// Returns the number of tokens from `<`, which begins them, to its `>`; `None` if either is
    /// missing.
    fn closing(&self, tokens: &[Token]) -> Option<usize> {
        let mut depth = 0usize;
        let mut last = "";
        for (at, token) in tokens.iter().enumerate() {
            match self.of(*token) {
                "<" => depth += 1,
                ">" if last == "-" => {}
                ">" if depth == 1 => return Some(at + 1),
                ">" => depth = depth.checked_sub(1)?,
                _ if depth == 0 => return None,
                _ => {}
            }
            last = self.of(*token);
        }
        None
    }

    /// Returns the place of the `<` of the `>` that ends tokens; 0 if it is missing.
    fn opening(&self, tokens: &[Token]) -> usize {
        let mut depth = 0usize;
        for (at, token) in tokens.iter().enumerate().rev() {
            match self.of(*token) {
                ">" => depth += 1,
                "<" if depth == 1 => return at,
                "<" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        0
    }

    /// Turns a parameter of a template that is a macro with a condition (`ENABLE_IF(is_int<T>())`)
    /// into one without a name. `window` has what stands before and behind it, too.
    fn blank_condition(&mut self, window: &[Token]) {
        let &[before, word, group, after] = window else { return };
        let is_parameter = matches!(self.of(before), "<" | ",") && matches!(self.of(after), ">" | ",");
        if is_parameter && self.is_macro(word) && group.kind == TokenKind::Group {
            self.blank(word.start, group.end);
            self.put(word.start, PARAMETER);
        }
    }

    /// Returns the name of the class whose members are being read.
    fn class_around(&self) -> Option<Token> {
        match self.braces.last() {
            Some(Brace::Members(name)) => *name,
            _ => None,
        }
    }

    /// Returns the name of the class whose members an open brace after the tokens begins; `None` if
    /// it begins anything else.
    pub(super) fn class_name(&self, tokens: &[Token]) -> Option<Token> {
        let is_before = |one: &Token| {
            let word = self.of(*one);
            let is_known = SPECIFIERS.contains(&word) || matches!(word, "const" | "typedef");
            is_known || one.kind == TokenKind::Group || self.is_macro(*one)
        };
        let mut rest = tokens;
        while let Some(n) =
            self.after_template(rest).or_else(|| rest.first().filter(|one| is_before(one)).map(|_| 1))
        {
            rest = rest.get(n..).unwrap_or_default();
        }
        let (first, rest) = rest.split_first()?;
        if !matches!(self.of(*first), "class" | "struct" | "union") {
            return None;
        }
        self.name_of_type(rest)
    }

    /// Returns the name of a type from what follows `class` and the like. Macros and attributes in
    /// front of the name are skipped.
    fn name_of_type(&self, tokens: &[Token]) -> Option<Token> {
        let mut rest = tokens;
        loop {
            match rest {
                [open, ..] if self.of(*open) == "[" => {
                    let end = rest.windows(2).position(|two| two.iter().all(|one| self.of(*one) == "]"))?;
                    rest = rest.get(end + 2..).unwrap_or_default();
                }
                [word, group, behind @ ..]
                    if word.kind == TokenKind::Word && group.kind == TokenKind::Group =>
                {
                    rest = behind;
                }
                [word, behind @ ..]
                    if word.kind == TokenKind::Word
                        && behind.first().is_some_and(|next| next.kind == TokenKind::Word)
                        && behind.first().is_some_and(|next| self.of(*next) != "final") =>
                {
                    rest = behind;
                }
                [word, behind @ ..]
                    if self.is_macro(*word) && behind.first().is_some_and(|next| self.of(*next) == "[") =>
                {
                    rest = behind;
                }
                [name, ..] if name.kind == TokenKind::Word => break,
                _ => return None,
            }
        }
        let n = self.after_name(rest);
        let behind = rest.get(n..).unwrap_or_default();
        if !behind.first().is_none_or(|one| matches!(self.of(*one), ":" | "final")) {
            return None;
        }
        let head = rest.get(..n).unwrap_or_default();
        let is_closed = head.last().is_some_and(|one| self.of(*one) == ">");
        let at = if is_closed { self.opening(head) } else { head.len() };
        at.checked_sub(1).and_then(|at| head.get(at)).copied()
    }
}
