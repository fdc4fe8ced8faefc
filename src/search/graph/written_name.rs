//! Names as people write them: `Parser.parse`, `lease.Lessor`, `(*raft).Step`, `a::b::C`,
//! `-[Cart add:count:]`.
//!
//! Owns [`WrittenName`]: the last segment is the name of a declaration, and the segments before it
//! say where it is. They may be types, namespaces, modules, packages or folders, as the language
//! has them. [`WrittenName::fit`] says how well a declaration's place agrees with them, so that
//! references, pages, look-ups by agents and searches all mean the same declaration.

use bstr::ByteSlice;

use crate::search::segment::{DeclarationRow, FileView};

use super::family::{ELIXIR, Family};
use super::module::is_major_version;
use super::overload::{split_arity, split_labels};
use super::{is_type, last_segment};
use crate::index::chunk::{DeclarationKind, NAMESPACE_WORDS};

/// Words that stand for the place where the code is, not for a name.
const PLACEHOLDERS: [&str; 6] = ["crate", "self", "super", "this", "Self", "static"];

/// Stems of files that a module or package is named after by its folder.
const MODULE_FILES: [&str; 5] = ["__init__", "index", "lib", "main", "mod"];

/// Most chunks in which a file may say its namespace.
const MAX_CHUNKS: usize = 2;

/// A name with its qualifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenName {
    /// The name of the declaration.
    pub name: String,
    /// The segments before it, nearest first.
    qualifiers: Vec<String>,
}

/// How well a name agrees with the place of a declaration; more is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Fit {
    /// The number of qualifiers that agree, counted from the nearest one.
    pub n: usize,
    /// Whether the nearest is directly around the declaration, and no other type is between them.
    pub is_direct: bool,
    /// Whether the nearest is more than a file of Go, whose package is named otherwise.
    pub is_package: bool,
    /// Whether the nearest agrees in its case, too.
    pub is_exact: bool,
}

impl WrittenName {
    /// Parses a name. It is empty if the text has no segment.
    pub fn parse(text: &str) -> Self {
        let text = without_arguments(text.trim());
        let (mut segments, name) = match split_selector(text) {
            Some((before, selector)) => (segments(before), selector.to_owned()),
            None => {
                let mut segments = segments(without_labels(text).trim_end_matches(['(', ')']));
                let name = segments.pop().unwrap_or_default();
                (segments, name)
            }
        };
        segments.retain(|one| !PLACEHOLDERS.contains(&one.as_str()));
        segments.reverse();
        Self { name, qualifiers: segments }
    }

    /// Returns the number of segments before the name.
    pub fn n_qualifiers(&self) -> usize {
        self.qualifiers.len()
    }

    /// Returns the segments before the name, in the order in which they are written.
    pub(crate) fn outermost_first(&self) -> Vec<String> {
        self.qualifiers.iter().rev().cloned().collect()
    }

    /// Returns the segment in front of the name; empty if there is none.
    pub(crate) fn nearest_qualifier(&self) -> &str {
        self.qualifiers.first().map_or("", String::as_str)
    }

    /// Returns whether it is a symbol path, or the end of one. The separators may differ.
    pub(crate) fn is_end_of(&self, symbol: &str) -> bool {
        let whole = Self::parse(symbol);
        whole.name == self.name && whole.qualifiers.starts_with(&self.qualifiers)
    }

    /// Returns a name with one qualifier, or none if it is empty.
    pub(crate) fn within(qualifier: &str, name: &str) -> Self {
        let qualifiers = Some(qualifier).filter(|one| !one.is_empty()).map(str::to_owned);
        Self { name: name.to_owned(), qualifiers: qualifiers.into_iter().collect() }
    }

    /// Returns how well the qualifiers agree with the place of a declaration; `None` if the nearest
    /// one does not.
    ///
    /// A qualifier may be a type or namespace around the declaration, or its file. For a
    /// declaration outside of types it may also be the folder, as packages are named. Further
    /// qualifiers may leave out segments of the place, but must keep their order.
    pub fn fit(&self, file: &FileView<'_>, row: &DeclarationRow) -> Option<Fit> {
        let place = Place::of(file, row);
        // The members of a companion object are those of its class.
        let is_companion = |name: &String| name == "Companion" && !place.owners.contains(name);
        let qualifiers = match self.qualifiers.split_first() {
            Some((first, outer)) if place.is_kotlin && is_companion(first) => outer,
            _ => self.qualifiers.as_slice(),
        };
        let Some((first, further)) = qualifiers.split_first() else { return Some(Fit::default()) };
        let nearest = place.nearest(first)?;
        let (mut at, mut n) = (nearest, 1);
        for qualifier in further {
            let Some(next) = place.find(qualifier, at) else { continue };
            (at, n) = (next, n + 1);
        }
        let is_exact = place.segment(nearest).is_some_and(|segment| segment == first);
        let is_stem = nearest == place.owners.len() && place.folder(first).is_none();
        let is_package = !(is_stem && Family::of(file.language()) == Family::Go);
        let is_between = |owner: &String| !(place.is_kotlin && owner == "Companion");
        let is_direct = !place.owners.iter().take(nearest).any(is_between);
        Some(Fit { n, is_direct, is_package, is_exact })
    }

    /// Returns whether the qualifiers agree with a member of a type: the nearest one is the type,
    /// and the others agree with its place.
    pub fn is_in(&self, file: &FileView<'_>, ty: &DeclarationRow, type_name: &str) -> bool {
        let Some((first, further)) = self.qualifiers.split_first() else { return true };
        let outer = Self { name: type_name.to_owned(), qualifiers: further.to_vec() };
        first.eq_ignore_ascii_case(last_segment(type_name)) && outer.fit(file, ty).is_some()
    }
}

/// Returns a name without what a stack trace or a signature puts around it: `shop.Box.pay` of `at
/// shop.Box.pay(Box.java:6)`, `Box::pay` of `Box::pay(int) const`. Labels of Swift stay.
fn without_arguments(text: &str) -> &str {
    let text = text.strip_prefix("at ").unwrap_or(text).trim_start();
    let end = text.trim_end_matches(" const").trim_end();
    let is_call = end.ends_with(')') && !end.contains("operator") && !end.ends_with(":)");
    let before = |at: usize| end.get(..at).and_then(|before| before.chars().next_back());
    let opens = |at: &usize| before(*at).is_some_and(|c| c.is_alphanumeric() || c == '_');
    let open = end.match_indices('(').map(|(at, _)| at).find(opens).filter(|_| is_call);
    open.and_then(|at| end.get(..at)).unwrap_or(text)
}

/// Returns the segments of the namespace that a file declares, innermost first.
fn namespace(file: &FileView<'_>) -> Vec<String> {
    let mut names = segments(declared_namespace(file));
    names.reverse();
    names
}

/// Returns the namespace or package that a file of PHP, Kotlin or protobuf declares; empty if it
/// declares none.
pub(super) fn declared_namespace<'s>(file: &FileView<'s>) -> &'s str {
    if !matches!(file.language(), "kotlin" | "php" | "protobuf") {
        return "";
    }
    let chunks = file.segment.chunks_of(file.ord).take(MAX_CHUNKS);
    let imports = chunks.filter_map(|chunk| file.segment.imports(chunk).ok()).flatten();
    let mut namespaces = imports
        .filter(|one| one.name == "*" && NAMESPACE_WORDS.contains(&one.alias))
        .map(|one| one.qualifier);
    namespaces.next().unwrap_or_default()
}

/// Returns a name of Swift without the labels of its arguments, and one of Elixir or Erlang without
/// the number of its parameters: `Channel.init` of `Channel.init(name:_:)`, `Cart.add` of
/// `Cart.add/2`.
fn without_labels(text: &str) -> &str {
    let text = split_arity(text).map_or(text, |(name, _)| name);
    split_labels(text).filter(|(name, _)| !name.is_empty()).map_or(text, |(name, _)| name)
}

/// Splits the name of a method of Objective-C from what stands in front of it: `Cart` and
/// `add:count:` of `Cart.add:count:`. `None` for another name.
fn split_selector(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    // As a debugger writes it. The category of the class says nothing more.
    let message =
        text.trim_start_matches(['-', '+']).strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some((class, selector)) = message.and_then(|message| message.split_once(' ')) {
        let class = class.split('(').next().unwrap_or(class);
        return selector.chars().all(|c| is_part(c) || c == ':').then_some((class, selector));
    }
    let before = text.trim_end_matches(|c| is_part(c) || c == ':');
    let mut start = before.len();
    start += text.get(start..)?.rfind("::").map_or(0, |at| at + 2);
    let (before, selector) = text.split_at_checked(start)?;
    let is_selector =
        selector.ends_with(':') && selector.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_selector.then_some((before, selector))
}

/// Splits a name at whatever separates its segments, without type arguments and receivers' marks.
fn segments(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut depth = 0_u32;
    let is_before_arguments = |c: char| c.is_alphanumeric() || c == ':';
    let mut before: Option<char> = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_operator = found.last().is_some_and(|last| last.starts_with("operator"));
        match c {
            '-' if rest.peek() == Some(&'>') => {
                rest.next();
                found.push(String::new());
            }
            // `Vec<T>::push`, `Vec::<T>::push`, `Set[K].Add`.
            '<' | '[' if before.is_some_and(is_before_arguments) && !is_operator => depth += 1,
            '>' | ']' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '(' | ')' | '*' | '&' if !is_operator => {}
            // A private member of JavaScript: `Cart.#size`.
            '#' if !before.is_some_and(is_before_arguments)
                && rest.peek().is_some_and(|c| c.is_alphabetic()) =>
            {
                found.push("#".to_owned());
            }
            '.' | ':' | '#' | '/' | '\\' => found.push(String::new()),
            // `Outer$Inner` and `Cart::$rules`, but not `$scope`.
            '$' if before.is_some_and(|c| c.is_alphanumeric() || c == ':') => found.push(String::new()),
            c if c.is_whitespace() && !is_operator => found.push(String::new()),
            c => {
                if let Some(last) = found.last_mut() {
                    last.push(c);
                }
            }
        }
        before = Some(c);
    }
    found.retain(|segment| !segment.is_empty());
    found
}

/// The names around a declaration, innermost first.
struct Place {
    /// Types and namespaces.
    owners: Vec<String>,
    /// The file without its ending, then its folders.
    modules: Vec<String>,
    /// Whether the file stands for its folder.
    is_module_file: bool,
    /// Whether it is a member of a type, which nobody names by its folder.
    is_member: bool,
    is_kotlin: bool,
}

impl Place {
    fn of(file: &FileView<'_>, row: &DeclarationRow) -> Self {
        let segment = file.segment;
        let mut owners: Vec<String> = Vec::new();
        let mut is_member = false;
        let mut at = Some(*row);
        while let Some(one) = at {
            let scope = segment.scope(&one);
            is_member |= !scope.is_empty();
            owners.extend(segments(scope).into_iter().rev());
            at = one.parent.and_then(|parent| segment.declaration(parent));
            if let Some(parent) = &at {
                is_member |= is_type(parent.kind) && parent.kind != DeclarationKind::Module;
                owners.extend(segments(segment.name(parent)).into_iter().rev());
            }
        }
        // Terraform reads a value of `locals` as `local.a`.
        let local = owners.iter().position(|owner| file.language() == "terraform" && owner == "locals");
        if let Some(at) = local {
            owners.insert(at, "local".to_owned());
        }
        owners.extend(namespace(file));
        let path = file.path();
        let mut modules: Vec<String> =
            path.rsplit_str("/").map(|one| one.to_str_lossy().into_owned()).collect();
        let mut is_module_file = false;
        if let Some(stem) = modules.first_mut() {
            stem.truncate(stem.find('.').unwrap_or(stem.len()));
            is_module_file = MODULE_FILES.contains(&stem.as_str());
        }
        // A module of Elixir has its full name wherever it is.
        if Family::of(file.language()) == ELIXIR && !owners.is_empty() {
            modules.clear();
        }
        let is_kotlin = file.language() == "kotlin";
        Self { owners, modules, is_module_file, is_member, is_kotlin }
    }

    /// Returns the position of the segment that the nearest qualifier means.
    fn nearest(&self, qualifier: &str) -> Option<usize> {
        let same = |one: &String| one.eq_ignore_ascii_case(qualifier);
        if let Some(at) = self.owners.iter().position(same) {
            return Some(at);
        }
        let stem = self.owners.len();
        // Java names what a file of Kotlin declares outside of types by a class: `UtilKt`.
        let facade = qualifier.strip_suffix("Kt").filter(|_| self.is_kotlin && !self.is_member);
        let is_file = |one: &String| is_same_module(one, qualifier) || facade == Some(one.as_str());
        if self.modules.first().is_some_and(is_file) {
            return Some(stem);
        }
        if self.is_member && !self.is_module_file {
            return None;
        }
        self.folder(qualifier)
    }

    /// Returns the position of the folder that a qualifier means: the file's, or the one above.
    fn folder(&self, qualifier: &str) -> Option<usize> {
        let folder = self.modules.get(1)?;
        let is_folder = is_same_module(folder, qualifier);
        // A folder such as `v3` is a version of the package above it, whose name may hold both.
        let above = self.modules.get(2).filter(|_| is_major_version(folder));
        let is_above = above.is_some_and(|above| {
            is_same_module(above, qualifier) || is_same_module(&format!("{above}{folder}"), qualifier)
        });
        (is_folder || is_above).then_some(self.owners.len() + 1 + usize::from(is_above))
    }

    fn segment(&self, at: usize) -> Option<&String> {
        self.owners.iter().chain(&self.modules).nth(at)
    }

    /// Returns the position of the next segment after `at` that a qualifier means.
    fn find(&self, qualifier: &str, at: usize) -> Option<usize> {
        let all = self.owners.iter().chain(&self.modules).enumerate().skip(at + 1);
        all.filter(|(_, one)| is_same_module(one, qualifier)).map(|(at, _)| at).next()
    }
}

/// Returns whether two names of modules are the same but for case, `-` and `_`.
pub(super) fn is_same_module(one: &str, other: &str) -> bool {
    let letters = |name: &str| -> String {
        name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(other)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::search::graph::Graph;
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    /// Returns the places that a written name finds: `path:line`, sorted as they are found.
    fn places(index: &Index<'_>, symbol: &str) -> Vec<String> {
        let graph = Graph::new(index);
        let found = graph.find(symbol).unwrap().into_iter();
        found
            .map(|at| {
                let (file, row) = graph.declaration(at).unwrap();
                format!("{}:{}", file.path(), row.name_line)
            })
            .collect()
    }

    #[test]
    fn a_name_is_found_by_its_package_namespace_or_module() {
        let segment = sources(&[
            (
                "client/v3/client.go",
                "package clientv3\n\nfunc New(cfg Config) (*Client, error) {\n\treturn nil, nil\n}\n",
            ),
            (
                "client/v2/client.go",
                "package client\n\nfunc New(cfg Config) (Client, error) {\n\treturn nil, nil\n}\n",
            ),
            (
                "server/lease/lessor.go",
                "package lease\n\ntype Lessor interface {\n\tRevoke(id int64) error\n}\n\ntype lessor struct {\n\tn int\n}\n\n\
                 func (l *lessor) Revoke(id int64) error {\n\treturn nil\n}\n",
            ),
            ("server/mvcc/kv.go", "package mvcc\n\nfunc New(n int) int {\n\treturn n\n}\n"),
            ("app/models/user.py", "class User:\n    def save(self):\n        return 'the user is saved'\n"),
            ("shop/__init__.py", "def save(cart):\n    return 'the cart is saved'\n"),
            (
                "src/net/http.rs",
                "pub struct Client;\n\nimpl Client {\n    pub fn send(&self) -> u32 {\n        7\n    }\n}\n",
            ),
            (
                "lib/store.cc",
                "namespace db {\nclass Store {\n public:\n  int Open(int mode);\n};\nint Store::Open(int mode) { return mode; }\n}\n",
            ),
            ("cache/cache.go", "package cache\n\nfunc Make(n int) int {\n\treturn n\n}\n"),
            ("cache/store.go", "package cache\n\nfunc Open(n int) int {\n\treturn n\n}\n"),
            ("client/cache.go", "package client\n\nfunc Open(n int) int {\n\treturn n + 1\n}\n"),
            ("conf/app.json", "{\n  \"server.port\": 80\n}\n"),
        ]);
        let index = Index::whole(&segment);
        for (written, expected) in [
            ("clientv3.New", vec!["client/v3/client.go:3"]),
            ("mvcc.New", vec!["server/mvcc/kv.go:3"]),
            ("go.etcd.io/etcd/server/mvcc.New", vec!["server/mvcc/kv.go:3"]),
            ("lease.Lessor", vec!["server/lease/lessor.go:3"]),
            ("(*lessor).Revoke", vec!["server/lease/lessor.go:11"]),
            ("lease.(*lessor).Revoke", vec!["server/lease/lessor.go:11"]),
            ("models.user.User.save", vec!["app/models/user.py:2"]),
            ("shop.save", vec!["shop/__init__.py:1"]),
            ("crate::net::http::Client::send", vec!["src/net/http.rs:4"]),
            ("http::Client", vec!["src/net/http.rs:1", "src/net/http.rs:3"]),
            ("Client::<T>::send()", vec!["src/net/http.rs:4"]),
            ("server.port", vec!["conf/app.json:2"]),
            // A package of Go comes before a file of its name.
            ("cache.Make", vec!["cache/cache.go:3"]),
            ("cache.Open", vec!["cache/store.go:3"]),
            ("kv.New", vec!["server/mvcc/kv.go:3"]),
            ("nowhere.New", vec![]),
            // A colon behind a name is not a part of it.
            ("mvcc.New:", vec!["server/mvcc/kv.go:3"]),
        ] {
            assert_eq!(places(&index, written), expected, "{written}");
        }
        assert!(places(&index, "db::Store::Open").contains(&"lib/store.cc:6".to_owned()));
        assert_eq!(places(&index, "New").len(), 3);
    }

    #[cfg(feature = "lang-kotlin")]
    #[test]
    fn names_of_kotlin_are_found_as_java_writes_them() {
        let segment = sources(&[
            (
                "h/HttpUrl.kt",
                "package h\nclass HttpUrl {\n  companion object {\n    fun String.toUrl() = 1\n    fun get() = 2\n  }\n}\n",
            ),
            ("h/Util.kt", "package h\nfun topLevel() = 1\n"),
            ("h/Other.kt", "package h\nfun topLevel(n: Int) = 1\nfun get() = 3\n"),
        ]);
        let index = Index::whole(&segment);
        assert_eq!(places(&index, "HttpUrl.Companion.toUrl"), ["h/HttpUrl.kt:4"]);
        assert_eq!(places(&index, "HttpUrl.Companion.get"), ["h/HttpUrl.kt:5"]);
        assert_eq!(places(&index, "UtilKt.topLevel"), ["h/Util.kt:2"]);
    }

    #[test]
    fn symbols_are_found_as_they_are_written() {
        let segment = sources(&[
            (
                "src/cart.py",
                "class Cart:\n    def pay(self):\n        return 'what is in the cart is paid'\n",
            ),
            ("src/till.py", "def pay():\n    return 'what is at the till is paid'\n"),
            ("src/Rules.php", "<?php\nclass Shop { public static $rules = [1]; }\n"),
        ]);
        let index = Index::whole(&segment);
        let graph = Graph::new(&index);
        let found = |symbol: &str| -> Vec<String> {
            let places = graph.find(symbol).unwrap().into_iter();
            places
                .map(|at| {
                    let (file, row) = graph.declaration(at).unwrap();
                    format!("{}:{}", file.path(), row.name_line)
                })
                .collect()
        };
        assert_eq!(found("pay"), ["src/cart.py:2", "src/till.py:1"]);
        assert_eq!(found("PAY"), ["src/cart.py:2", "src/till.py:1"]);
        assert_eq!(found("Cart.pay"), ["src/cart.py:2"]);
        assert_eq!(found("Cart::pay"), ["src/cart.py:2"]);
        assert_eq!(found("Shop::$rules"), ["src/Rules.php:2"]);
        assert_eq!(found("src/till.py:pay"), ["src/till.py:1"]);
        assert_eq!(found("src/cart.py:3"), ["src/cart.py:2"]);
        assert_eq!(found("sell"), Vec::<String>::new());
    }

    #[test]
    fn a_name_may_be_written_as_a_trace_or_a_signature_has_it() {
        let segment = sources(&[
            ("src/a/Box.java", "package a;\n\npublic class Box {\n  int pay(int n) { return n; }\n}\n"),
            ("box.cc", "namespace shop {\nclass Box {\n  int pay() const { return 1; }\n};\n}\n"),
            ("lib/Box.php", "<?php\nnamespace Shop\\Core;\n\nclass Cart {\n  function pay() {}\n}\n"),
            ("lib/Sub.php", "<?php\nnamespace Other;\n\nclass Cart {\n  function pay() {}\n}\n"),
        ]);
        let index = Index::whole(&segment);
        for (name, expected) in [
            ("a.Box.pay(Box.java:6)", &["src/a/Box.java:4"][..]),
            ("at a.Box.pay(Box.java:6)", &["src/a/Box.java:4"]),
            ("a.Box#pay(int)", &["src/a/Box.java:4"]),
            ("shop::Box::pay() const", &["box.cc:3"]),
            ("Shop\\Core\\Cart", &["lib/Box.php:4"]),
            ("\\Shop\\Core\\Cart", &["lib/Box.php:4"]),
            ("Shop\\Core\\Cart::pay", &["lib/Box.php:5"]),
            ("Other\\Cart", &["lib/Sub.php:4"]),
        ] {
            assert_eq!(places(&index, name), expected, "{name}");
        }
    }
}
