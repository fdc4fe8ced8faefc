//! Markup around code: text of HTML, Vue, Svelte or Astro → the parts that another grammar reads.
//!
//! Finds scripts, style sheets, Astro's front matter, event handlers and the expressions of a
//! template, and the tags of components. This scanner reads tags and attributes only; the HTML
//! grammar reads the document itself. Anything that is not closed is not a part. The time is linear
//! in the text.

use crate::index::chunk::ByteRange;
use crate::index::chunk::ends::Ends;
use crate::index::chunk::lines::offset;

/// Most parts of a file; the further ones stay markup.
const MAX_PARTS: usize = 2000;
/// Longest expression in bytes; a longer one is data.
const MAX_EXPRESSION: usize = 4000;

/// The languages of style sheets.
const STYLES: [&str; 3] = ["css", "less", "scss"];

/// A part of a document in another language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::index::chunk) struct Part {
    /// The name of its language.
    pub(in crate::index::chunk) language: &'static str,
    /// Its position.
    pub(in crate::index::chunk) bytes: ByteRange,
    /// Whether it has lines of its own: a script, but not the value of an attribute.
    pub(in crate::index::chunk) is_block: bool,
}

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::index::chunk) enum Dialect {
    Html,
    Vue,
    Svelte,
    Astro,
}

impl Dialect {
    /// Returns the dialect of a language; `None` if it is not markup around code.
    pub(in crate::index::chunk) fn of(language: &str) -> Option<Self> {
        Some(match language {
            "html" => Self::Html,
            "vue" => Self::Vue,
            "svelte" => Self::Svelte,
            "astro" => Self::Astro,
            _ => return None,
        })
    }

    /// Returns whether a tag may be that of a component. One of Vue may be written with hyphens.
    fn may_be_component(self, tag: &str) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        match self {
            Self::Html => false,
            Self::Vue if tag.contains('-') => tag.chars().all(|c| is_name(c) || c == '-'),
            _ => tag.starts_with(char::is_uppercase) && tag.chars().all(|c| is_name(c) || c == '.'),
        }
    }

    /// Returns whether braces in the text hold expressions.
    fn has_braces(self) -> bool {
        matches!(self, Self::Svelte | Self::Astro)
    }
}

/// What a document holds besides its markup.
#[derive(Debug)]
pub(in crate::index::chunk) struct Markup {
    /// The parts in another language, in order.
    pub(in crate::index::chunk) parts: Vec<Part>,
    /// The names of tags that may be components, in order.
    pub(in crate::index::chunk) components: Vec<ByteRange>,
    /// The patterns by which a template of Vue binds names: `item` of `v-for="item in items"`.
    pub(in crate::index::chunk) bound: Vec<ByteRange>,
}

/// Finds the parts of a document and the tags of components.
pub(in crate::index::chunk) fn read(dialect: Dialect, text: &str) -> Markup {
    let braces = if dialect.has_braces() { pairs(text) } else { Vec::new() };
    let (parts, components, bound) = (Vec::new(), Vec::new(), Vec::new());
    let mut scan = Scan { dialect, text, parts, components, bound, at: 0, ends: Ends::default(), braces };
    if dialect == Dialect::Astro {
        scan.front_matter();
    }
    while scan.at < text.len() && scan.parts.len() < MAX_PARTS {
        scan.step();
    }
    // All scripts of a file share their names, so they are read by one grammar.
    let is_script = |part: &Part| !STYLES.contains(&part.language);
    let languages = ["tsx", "typescript"];
    let typed = languages.into_iter().find(|one| scan.parts.iter().any(|part| part.language == *one));
    if let Some(typed) = typed {
        scan.parts.iter_mut().filter(|part| is_script(part)).for_each(|part| part.language = typed);
    }
    Markup { parts: scan.parts, components: scan.components, bound: scan.bound }
}

struct Scan<'t> {
    dialect: Dialect,
    text: &'t str,
    parts: Vec<Part>,
    /// The names of the tags that may be components.
    components: Vec<ByteRange>,
    /// See [`Markup::bound`].
    bound: Vec<ByteRange>,
    at: usize,
    /// Ends that do not stand further down.
    ends: Ends,
    /// The pairs of braces, in order of their beginning.
    braces: Vec<(usize, usize)>,
}

/// Returns all pairs of braces, in order of their beginning.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let (mut pairs, mut open) = (Vec::new(), Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => pairs.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    pairs.sort_unstable();
    pairs
}

impl<'t> Scan<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns where an end occurs next.
    fn find(&mut self, end: &'static str) -> Option<usize> {
        self.ends.next(self.text, self.at, end)
    }

    fn add(&mut self, language: &'static str, start: usize, end: usize, is_block: bool) {
        let bytes = ByteRange { start: offset(start), end: offset(end) };
        if start < end
            && !bytes.of(self.text).trim().is_empty()
            && (is_block || end - start <= MAX_EXPRESSION)
        {
            self.parts.push(Part { language, bytes, is_block });
        }
    }

    fn front_matter(&mut self) {
        let start = self.text.len() - self.text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']).len();
        self.at = start + 3;
        if self.text.get(start..self.at) == Some("---")
            && let Some(end) = self.find("\n---")
        {
            self.add("tsx", self.at, end, true);
            self.at = end + 4;
        } else {
            self.at = start;
        }
    }

    /// Reads a tag, an expression, or the text up to the next one.
    fn step(&mut self) {
        let marks: &[char] = if self.dialect == Dialect::Html { &['<'] } else { &['<', '{'] };
        let Some(next) = self.rest().find(marks) else {
            self.at = self.text.len();
            return;
        };
        self.at += next;
        if self.byte() == Some(b'{') {
            self.text_expression();
        } else if self.rest().starts_with("<!--") {
            self.at = self.find("-->").unwrap_or(self.at + 1);
        } else {
            self.at += 1;
            if self.byte().is_some_and(|byte| byte.is_ascii_alphabetic()) {
                self.tag();
            }
        }
    }

    /// Reads an expression in the text.
    fn text_expression(&mut self) {
        let start = self.at;
        self.at += 1;
        if self.dialect.has_braces() {
            self.at = start;
            self.braces();
        } else if self.rest().starts_with('{') {
            self.at += 1;
            if let Some(end) = self.find("}}") {
                self.add("javascript", start + 2, end, false);
                self.at = end + 2;
            }
        }
    }

    /// Reads an expression in braces that balance.
    fn braces(&mut self) {
        let start = self.at + 1;
        let pair = self.braces.binary_search_by_key(&self.at, |pair| pair.0).ok();
        let end = pair.and_then(|pair| self.braces.get(pair)).map(|pair| pair.1);
        let Some(at) = end.filter(|end| end - self.at < MAX_EXPRESSION) else {
            self.at += 1;
            return;
        };
        let skipped = self.text.get(start..at).map_or(0, block_word);
        let inner = self.text.get(start + skipped..at).unwrap_or_default();
        // Svelte's `{#each items as item}` binds a name behind the list.
        let end = inner.find(" as ").filter(|_| skipped > 0).map_or(at, |as_| start + skipped + as_);
        let language = if self.dialect == Dialect::Astro { "tsx" } else { "javascript" };
        self.add(language, start + skipped, end, false);
        self.at = at + 1;
    }

    /// Reads a tag from its name on, and the script or style sheet that it begins.
    fn tag(&mut self) {
        let name_of = |text: &'t str| {
            let end = text.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/' | '='));
            text.get(..end.unwrap_or(text.len())).unwrap_or_default()
        };
        let tag = name_of(self.rest());
        if self.dialect.may_be_component(tag) {
            let (start, end) = (offset(self.at), offset(self.at + tag.len()));
            self.components.push(ByteRange { start, end });
        }
        self.at += tag.len();
        let (mut lang, mut kind) = ("", "");
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/').len();
            match self.byte() {
                None => return,
                Some(b'>') => break,
                Some(b'{') if self.dialect.has_braces() => {
                    self.braces();
                    continue;
                }
                _ => {}
            }
            let name = name_of(self.rest());
            self.at += name.len().max(1);
            if self.byte() != Some(b'=') {
                continue;
            }
            self.at += 1;
            let start = self.at;
            let (from, to) = match self.byte() {
                Some(b'"' | b'\'') => {
                    let quote = if self.byte() == Some(b'"') { "\"" } else { "'" };
                    self.at += 1;
                    let Some(end) = self.find(quote) else { return };
                    self.at = end + 1;
                    (start + 1, end)
                }
                Some(b'{') if self.dialect.has_braces() => {
                    self.braces();
                    continue;
                }
                _ => {
                    let rest = self.rest();
                    let end = rest.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(rest.len());
                    self.at += end;
                    (start, self.at)
                }
            };
            let value = self.text.get(from..to).unwrap_or_default();
            if self.dialect == Dialect::Vue {
                self.bind(name, value, from);
            }
            match name {
                "lang" => lang = value,
                "type" => kind = value,
                _ if self.is_code(name) => self.add("javascript", from, to, false),
                _ => {}
            }
        }
        let is_closed = self.text.as_bytes().get(self.at.wrapping_sub(1)) == Some(&b'/');
        self.at += 1;
        let (end, language) = match tag {
            _ if is_closed => return,
            "script" | "SCRIPT" => ("</script", script(self.dialect, lang, kind)),
            "style" | "STYLE" => ("</style", style(lang)),
            _ => return,
        };
        let start = self.at;
        let Some(end) = self.find(end) else { return };
        if let Some(language) = language {
            self.add(language, start, end, true);
        }
        self.at = end;
    }

    /// Notes the names that an attribute of Vue binds, whose value begins at `from`.
    fn bind(&mut self, name: &str, value: &str, from: usize) {
        let end = match name {
            "v-for" => value.find(" in ").or_else(|| value.find(" of ")),
            _ if name.starts_with('#') || name.starts_with("v-slot") => Some(value.len()),
            _ => None,
        };
        self.bound.extend(end.map(|end| ByteRange { start: offset(from), end: offset(from + end) }));
    }

    /// Returns whether the value of an attribute is code.
    fn is_code(&self, name: &str) -> bool {
        match self.dialect {
            Dialect::Vue => name.starts_with(['@', ':']) || name.starts_with("v-"),
            _ => name.get(..2).is_some_and(|on| on.eq_ignore_ascii_case("on")) && !name.contains(':'),
        }
    }
}

/// A part of a template of Svelte that has a name: `{#snippet row(item)} … {/snippet}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Snippet {
    /// Its name.
    pub(super) name: ByteRange,
    /// Its first tag.
    pub(super) head: ByteRange,
    /// All of it.
    pub(super) bytes: ByteRange,
}

/// Finds the snippets of a template, outer before inner.
pub(super) fn snippets(text: &str) -> Vec<Snippet> {
    const OPENING: &str = "{#snippet ";
    const CLOSING: &str = "{/snippet}";
    let range = |from: usize, to: usize| ByteRange { start: offset(from), end: offset(to) };
    let mut found = Vec::new();
    // Where each begins, with its first tag and its name.
    let mut open: Vec<(usize, ByteRange, ByteRange)> = Vec::new();
    for (at, _) in text.match_indices('{') {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with(CLOSING) {
            if let Some((start, head, name)) = open.pop() {
                found.push(Snippet { name, head, bytes: range(start, at + CLOSING.len()) });
            }
        } else if let Some(behind) = rest.strip_prefix(OPENING)
            && let Some(length) = tag_length(rest)
        {
            let from = at + rest.len() - behind.trim_start().len();
            let name = behind.trim_start();
            let end =
                name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(name.len());
            open.push((at, range(at, at + length), range(from, from + end)));
        }
    }
    found.retain(|one| !one.name.is_empty());
    found.sort_by_key(|one| one.bytes.start);
    found
}

/// Returns the length of the tag in braces that a text begins with.
fn tag_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().take(MAX_EXPRESSION) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Returns the length of the word with which a block of Svelte begins (`#if `, `:else if `).
fn block_word(inner: &str) -> usize {
    const WORDS: [&str; 9] =
        ["#if ", "#each ", "#await ", "#key ", ":else if ", "@html ", "@render ", "@const ", "..."];
    let word = WORDS.iter().find(|word| inner.starts_with(**word));
    match word {
        Some(word) => word.len(),
        // `{/if}`, `{:else}` and Svelte's other words hold no expression.
        None if inner.starts_with(['/', ':', '#']) && !inner.starts_with("/*") => inner.len(),
        None => 0,
    }
}

/// Returns the language of a style sheet; `None` for one without braces (`sass`).
fn style(lang: &str) -> Option<&'static str> {
    match lang {
        "" | "postcss" => Some("css"),
        lang => STYLES.into_iter().find(|one| *one == lang),
    }
}

/// Returns the language of a script; `None` if it is data.
fn script(dialect: Dialect, lang: &str, kind: &str) -> Option<&'static str> {
    match lang {
        "ts" | "typescript" => return Some("typescript"),
        "tsx" => return Some("tsx"),
        _ => {}
    }
    match kind {
        "text/typescript" => Some("typescript"),
        "" | "module" | "text/javascript" | "application/javascript" | "text/babel" | "text/jsx" => {
            Some(if dialect == Dialect::Astro { "tsx" } else { "javascript" })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(dialect: Dialect, text: &str) -> Vec<(&'static str, &str)> {
        read(dialect, text).parts.into_iter().map(|part| (part.language, part.bytes.of(text))).collect()
    }

    #[test]
    fn parts_of_documents() {
        for (dialect, text, expected) in [
            (
                Dialect::Html,
                "<!-- <script>x</script> --><b onclick=\"go(1)\" id=\"a\">{x}</b><script>a()</script><style>b{}</style>",
                vec![("javascript", "go(1)"), ("javascript", "a()"), ("css", "b{}")],
            ),
            (Dialect::Html, "<script type=\"application/json\">{}</script><script src=x></script>", vec![]),
            (
                Dialect::Vue,
                "<script lang=\"ts\">a</script><style lang=\"scss\" scoped>$b: c;</style><style lang=less>.d()</style>\
                 <style lang='sass'>e\n</style><style lang=\"postcss\">f{}</style>",
                vec![("typescript", "a"), ("scss", "$b: c;"), ("less", ".d()"), ("css", "f{}")],
            ),
            (
                Dialect::Vue,
                "<script setup lang=\"ts\">a</script><p :x='b' @click=\"c\" v-if=\"d > 1\" title=\"e\">{{ f }}</p>",
                vec![
                    ("typescript", "a"),
                    ("typescript", "b"),
                    ("typescript", "c"),
                    ("typescript", "d > 1"),
                    ("typescript", " f "),
                ],
            ),
            (
                Dialect::Svelte,
                "{#each items as item}<p on:click={() => go({a})} {...rest}>{item}</p>{/each}{:else}",
                vec![
                    ("javascript", "items"),
                    ("javascript", "() => go({a})"),
                    ("javascript", "rest"),
                    ("javascript", "item"),
                ],
            ),
            (
                Dialect::Astro,
                "---\nconst a = 1\n---\n<p>{a}</p>",
                vec![("tsx", "\nconst a = 1"), ("tsx", "a")],
            ),
        ] {
            assert_eq!(found(dialect, text), expected, "{text}");
        }
    }

    #[test]
    fn tags_of_components() {
        let text =
            "<main><VPLink a=\"<No>\"/><Form.Field></Form.Field><vp-link/><a-b>c</a-b><!-- <No/> --><B>";
        for (dialect, expected) in [
            (Dialect::Vue, &["VPLink", "Form.Field", "vp-link", "a-b", "B"][..]),
            (Dialect::Svelte, &["VPLink", "Form.Field", "B"]),
            (Dialect::Html, &[]),
        ] {
            let found: Vec<_> = read(dialect, text).components.iter().map(|one| one.of(text)).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn snippets_have_names() {
        let text = "{#snippet row({ a, b })}<p>{#snippet in_()}x{/snippet}</p>{/snippet}{#snippet open(a)}";
        let found: Vec<_> = snippets(text).iter().map(|one| (one.name.of(text), one.head.of(text))).collect();
        assert_eq!(found, [("row", "{#snippet row({ a, b })}"), ("in_", "{#snippet in_()}")]);
        assert_eq!(snippets(&"{#snippet a(".repeat(100_000)), []);
    }

    #[test]
    fn takes_no_time_for_hostile_text() {
        for unit in ["<script>", "<a b=\"", "{{", "<!--", "{", "<a {", "<a b='"] {
            for dialect in [Dialect::Html, Dialect::Vue, Dialect::Svelte, Dialect::Astro] {
                assert!(read(dialect, &unit.repeat(100_000)).parts.len() <= MAX_PARTS);
            }
        }
    }
}
