//! Uses: leaves of the syntax tree → names that stand for values.
//!
//! A use is a function that is passed on, a decorator, or a constant that is read. The walk records
//! every leaf that could be one ([`Leaf`]). A leaf counts if the file imports its name or declares
//! it outside functions or in a function around the leaf, and nothing nearer hides it. Constants in
//! capitals count too, and names of the package or of imported files where the language sees those.
//!
//! Locals and fields of other objects are left out. So are names that the walk has already recorded
//! as calls or types. In Ruby, a leaf that is not a local is a call.

use super::bare_calls::{self, FileNames};
use super::declare::is_type;
use super::heirs::InheritedValues;
use super::leaf_prefix::{LeafPrefix, before};
use super::mention::{MAX_NAME, Mention};
use crate::index::chunk::resolve::ResolvedTable;
use crate::index::chunk::self_words::SelfWords;
use crate::index::chunk::table::Table;
use crate::index::chunk::types::{Bound, LocalDeclarations, ShadowedNames, ancestors};
use crate::index::chunk::{Declaration, DeclarationKind, ReferenceKind};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// Shortest name in bytes; a shorter one is a local.
pub(in crate::index::chunk) const MIN_NAME: usize = 2;

/// Shortest constant in capitals, in bytes; a shorter name is a type parameter.
const MIN_CAPITALS: usize = 3;

/// A leaf that may name a value.
#[derive(Debug, Clone, Copy)]
pub(in crate::index::chunk) struct Leaf<'t> {
    pub(in crate::index::chunk) at: u32,
    pub(in crate::index::chunk) name: &'t str,
    /// Whether it counts only as a member of something.
    pub(in crate::index::chunk) is_member: bool,
    /// The declaration that contains it.
    pub(in crate::index::chunk) within: Option<u32>,
}

/// The ways in which a file declares a name, over all places.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::index::chunk) struct NameDeclarations {
    is_imported: bool,
    /// Whether the import is a whole module.
    is_module: bool,
    pub(in crate::index::chunk) is_top: bool,
    pub(in crate::index::chunk) is_member: bool,
}

impl NameDeclarations {
    /// Returns whether the file neither imports the name nor declares it outside of types.
    fn is_other(self) -> bool {
        !self.is_imported && !self.is_top
    }

    /// Returns whether a bare leaf of this name may stand for a value that is seen from anywhere in
    /// the file. `sees_all`: whether another file may declare it.
    fn is_seen(self, table: &Table, hidden: &ShadowedNames<'_, '_>, leaf: &Leaf<'_>, sees_all: bool) -> bool {
        if table.values.has_implicit_self && hidden.is_nearer_field(leaf.name, leaf.within) {
            return false;
        }
        self.is_imported
            || self.is_top
            || self.is_member && table.values.has_implicit_self
            || table.sees_package
            || sees_all && is_word(leaf.name) && !hidden.is_field_around(leaf.name, leaf.within)
            || is_capitals(leaf.name)
    }
}

/// The names that a file binds.
pub(in crate::index::chunk) struct FileBindings<'a, 't> {
    pub(in crate::index::chunk) text: &'t str,
    pub(in crate::index::chunk) declarations: &'a [Declaration],
    /// What functions declare inside.
    pub(in crate::index::chunk) locals: &'a LocalDeclarations<'a>,
    pub(in crate::index::chunk) bound: &'a [Bound<'t>],
    /// Those that hide others.
    pub(in crate::index::chunk) shadowed: ShadowedNames<'a, 't>,
}

/// Adds the leaves that name values to the mentions. Returns the members that are read from other
/// objects; they count only if the type of their object is known.
pub(in crate::index::chunk) fn add<'t>(
    resolved: &ResolvedTable,
    bindings: &FileBindings<'_, 't>,
    leaves: &[Leaf<'t>],
    mentions: &mut Vec<Mention<'t>>,
) -> Vec<Mention<'t>> {
    let (table, self_words) = (resolved.table, resolved.self_words);
    let &FileBindings { text, declarations, locals, bound, shadowed: ref hidden } = bindings;
    if !table.has_own_calls {
        hidden.drop_calls(resolved, mentions);
    }
    if leaves.is_empty() {
        return Vec::new();
    }
    let new_names = bound.iter().filter_map(|one| one.new_name(table.has_function_scope));
    let new_names: HashSet<u32> = new_names.collect();
    let known = known(declarations, mentions, table.has_open_types);
    if table.has_bare_calls {
        let names = FileNames { declarations, known, hidden, new_names };
        let mut calls = bare_calls::find(table, text, &names, leaves, mentions);
        drop(names);
        mentions.append(&mut calls);
        return Vec::new();
    }
    let is_settled = |one: &&Mention<'_>| !one.may_be_value;
    let mentioned: HashSet<(u32, &str)> =
        mentions.iter().filter(is_settled).map(|one| (one.at, &*one.name)).collect();
    let is_in_reach = |leaf: &Leaf<'_>| {
        !locals.is_empty()
            && ancestors(declarations, leaf.within).any(|(at, _)| locals.contains(&(leaf.name, at)))
    };
    let (mut found, mut reads) = (Vec::new(), Vec::new());
    let inherited = InheritedValues::new(resolved, text, declarations, mentions);
    for leaf in leaves.iter().filter(|leaf| !new_names.contains(&leaf.at)) {
        let of_file = |name: &str| known.get(name).copied().unwrap_or_default();
        if leaf.name.len() < MIN_NAME && !is_short_name(text, leaf, of_file(leaf.name))
            || leaf.name.len() > MAX_NAME
            || mentioned.contains(&(leaf.at, leaf.name))
        {
            continue;
        }
        let mut is_read = false;
        let prefix = match before(text, leaf.at, table.marks) {
            LeafPrefix::Object(object) if known.contains_key(first_name(object)) => {
                LeafPrefix::Object(object)
            }
            LeafPrefix::Object(object) => LeafPrefix::Object(without_sigil(object, self_words)),
            LeafPrefix::Nothing => LeafPrefix::Nothing,
        };
        let qualifier = match prefix {
            LeafPrefix::Object(object) if self_words.is_own(object) || object == "Self" => {
                if !of_file(leaf.name).is_member && hidden.is_field(leaf.name) {
                    continue;
                }
                object
            }
            LeafPrefix::Object(object) => {
                let of_first = of_file(first_name(object));
                let is_seen = of_first.is_imported
                    || of_first.is_top
                    || is_type_name(object)
                    || is_in_crate(text, leaf.at, object)
                    || is_behind_backslash(text, leaf.at)
                    || table.sees_all && is_in_namespace(text, leaf.at, object);
                is_read = !is_seen || hidden.is(first_name(object), leaf.within, leaf.at);
                if is_read && object.is_empty() {
                    continue;
                }
                object
            }
            LeafPrefix::Nothing if leaf.is_member => continue,
            LeafPrefix::Nothing => {
                let here = of_file(leaf.name);
                let is_seen = here.is_seen(table, hidden, leaf, table.sees_all) || is_in_reach(leaf);
                let may_be_inherited = inherited.may_have(leaf.name, leaf.at, leaf.within);
                let is_known = is_seen || may_be_inherited && here.is_seen(table, hidden, leaf, true);
                if !is_known || table.words.contains(&leaf.name) || hidden.is(leaf.name, leaf.within, leaf.at)
                {
                    continue;
                }
                let is_package = here.is_module || here.is_imported && table.sees_package;
                let is_type = (table.sees_all || !is_seen) && here.is_other() && is_type_owner(text, leaf);
                if is_type || is_owner(text, leaf, is_package) || names_namespace(text, leaf.at) {
                    continue;
                }
                ""
            }
        };
        if is_called_or_label(text, leaf, table.has_labels) {
            continue;
        }
        let mut mention = Mention::new(leaf.at, ReferenceKind::Use, leaf.name, Cow::Borrowed(qualifier));
        mention.within = leaf.within;
        if is_read { &mut reads } else { &mut found }.push(mention);
    }
    drop((known, mentioned));
    drop_types_of(&found, mentions);
    mentions.append(&mut found);
    reads
}

/// Drops the mentions of types where a value is used instead.
fn drop_types_of(uses: &[Mention<'_>], mentions: &mut Vec<Mention<'_>>) {
    if mentions.iter().any(|one| one.may_be_value) {
        let used: HashSet<u32> = uses.iter().map(|one| one.at).collect();
        mentions.retain(|one| !(one.may_be_value && used.contains(&one.at)));
    }
}

/// Returns whether a short name is not a local: an import gives it, or the file declares a constant
/// of that name.
fn is_short_name(text: &str, leaf: &Leaf<'_>, known: NameDeclarations) -> bool {
    let behind = text.get(leaf.at as usize + leaf.name.len()..).unwrap_or_default();
    let is_constant = leaf.name.starts_with(|c: char| c.is_ascii_uppercase());
    known.is_imported || known.is_top && is_constant && !behind.starts_with(['.', ':'])
}

/// Returns an object without the sigil of a variable of PHP. `$parent` keeps it, because `parent`
/// is the superclass.
fn without_sigil(object: &str, self_words: SelfWords) -> &str {
    let plain = object.trim_start_matches('$');
    let is_other = object != "$this" && plain != object && self_words.contains(plain);
    if is_other { object } else { plain }
}

/// Returns whether a name is, by custom, that of a type.
pub(super) fn is_type_name(name: &str) -> bool {
    let plain = name.trim_start_matches(['$', '_']);
    plain.starts_with(char::is_uppercase)
        && plain.contains(char::is_lowercase)
        && plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// Returns the first name of a path.
fn first_name(path: &str) -> &str {
    path.split(['.', ':']).next().unwrap_or(path)
}

/// Collects the names that a file imports, and those that it declares outside functions.
fn known<'a>(
    declarations: &'a [Declaration],
    mentions: &'a [Mention<'_>],
    has_open_types: bool,
) -> HashMap<&'a str, NameDeclarations> {
    let mut known: HashMap<&str, NameDeclarations> = HashMap::new();
    for import in mentions.iter().filter(|one| one.kind == ReferenceKind::Import) {
        let name = if import.alias.is_empty() { &*import.name } else { &*import.alias };
        let known = known.entry(name).or_default();
        known.is_imported = true;
        let before = import.qualifier.strip_suffix(&*import.name);
        known.is_module |= before.is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']));
        known.is_module |= import.qualifier.is_empty() || import.name == "*";
    }
    for one in declarations {
        let around = one.parent.and_then(|at| declarations.get(at as usize));
        let is_of_type = !has_open_types
            && (!one.scope.is_empty()
                || around
                    .is_some_and(|around| is_type(around.kind) && around.kind != DeclarationKind::Module));
        let is_outside =
            around.is_none_or(|around| is_type(around.kind) || around.kind == DeclarationKind::Module);
        for name in [one.name.as_str(), one.name.trim_start_matches('$')] {
            if is_of_type {
                known.entry(name).or_default().is_member = true;
            } else if is_outside {
                known.entry(name).or_default().is_top = true;
            }
        }
    }
    known
}

/// Returns whether a name is, by custom, that of a constant.
fn is_capitals(name: &str) -> bool {
    name.len() >= MIN_CAPITALS
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Returns whether a name is not one that languages give to implicit parameters, or a keyword that
/// a grammar takes for a name.
fn is_word(name: &str) -> bool {
    !name.starts_with('$') && !matches!(name, "by" | "false" | "it" | "null" | "true")
}

/// Returns whether a leaf names the type of the member behind it, which refers to the type.
fn is_type_owner(text: &str, leaf: &Leaf<'_>) -> bool {
    let behind = text.get(leaf.at as usize + leaf.name.len()..).unwrap_or_default();
    behind.starts_with('.') && is_type_name(leaf.name)
}

/// Returns whether a leaf is behind a path of Rust that stays in the crate: `crate::limits::MAX`.
fn is_in_crate(text: &str, at: u32, object: &str) -> bool {
    let before = text.get(..at as usize).unwrap_or_default();
    before.ends_with("::") && matches!(first_name(object), "crate" | "self" | "super")
}

/// Returns whether a leaf only names a namespace: `using namespace std;`.
fn names_namespace(text: &str, at: u32) -> bool {
    text.get(..at as usize).is_some_and(|before| before.trim_end().ends_with(" namespace"))
}

/// Returns whether a leaf is behind the name of a namespace, except that of C++'s own library.
fn is_in_namespace(text: &str, at: u32, object: &str) -> bool {
    let before = text.get(..at as usize).unwrap_or_default().trim_end();
    before.ends_with("::") && !object.is_empty() && first_name(object) != "std"
}

/// Returns whether a leaf is behind the name of a namespace of PHP.
fn is_behind_backslash(text: &str, at: u32) -> bool {
    text.get(..at as usize).is_some_and(|before| before.ends_with('\\'))
}

/// Returns whether a leaf only names the module of the member after it. That member is recorded
/// itself, with this qualifier.
fn is_owner(text: &str, leaf: &Leaf<'_>, is_package: bool) -> bool {
    let behind = text.get(leaf.at as usize + leaf.name.len()..).unwrap_or_default();
    let is_named_so = leaf.name.starts_with(char::is_lowercase);
    is_named_so && (is_package && behind.starts_with('.') || behind.starts_with("::"))
}

/// Returns whether a leaf is called, or names an argument or a key. The walk itself records calls.
fn is_called_or_label(text: &str, leaf: &Leaf<'_>, has_labels: bool) -> bool {
    let end = leaf.at as usize + leaf.name.len();
    let behind = text.get(end..).unwrap_or_default().trim_start_matches([' ', '\t']).as_bytes();
    let ahead = text.get(..leaf.at as usize).unwrap_or_default().trim_end().as_bytes().last().copied();
    match behind {
        [b'(', ..] => true,
        [b'=', b'=' | b'>' | b'~', ..] => false,
        [b'=', ..] => matches!(ahead, Some(b'(' | b',')),
        [b':', b':', ..] => false,
        [b':', ..] => has_labels && matches!(ahead, Some(b'{' | b'(' | b',' | b'[')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, Language, Reference, chunk};

    /// Returns the uses in a text as `name`, or as `name of qualifier`.
    fn uses(language: &str, text: &str) -> Vec<String> {
        let file = chunk(Language::from_name(language).unwrap(), text, &ChunkOptions::default());
        let uses = file.references.iter().filter(|one| one.kind == ReferenceKind::Use);
        let name_of = |one: &Reference| match one.qualifier.as_str() {
            "" => one.name.clone(),
            qualifier => format!("{} of {qualifier}", one.name),
        };
        uses.map(name_of).collect()
    }

    fn check(language: &str, text: &str, expected: &[&str]) {
        if Language::from_name(language).is_some_and(|language| !language.lacks_grammar()) {
            assert_eq!(uses(language, text), expected, "{language}");
        }
    }

    #[test]
    fn a_function_inside_a_function_is_used_where_it_is_known() {
        check(
            "python",
            "def outer(xs):
    def inner(x): return x
    def other(inner): return inner
    return map(inner, xs), other
def beside(xs): return map(inner, xs)
",
            &["inner", "other"],
        );
        check(
            "typescript",
            "it('counts', () => {
  function increment() { count(1) }
  function Show() { useEffect(increment, []); return 1 }
  act(increment)
})
export function Page() {
  function change(n: number) { return n }
  return render({ onClick: change }, (change) => change)
}
function other() { return increment }
",
            &["change", "increment"],
        );
    }

    #[test]
    fn what_is_passed_on_or_read_is_used() {
        check(
            "python",
            "import json\nfrom .auth import login, retry as again\nLIMIT = 3\n\ndef clean(x): ...\n\n@login\ndef view(limit=LIMIT):\n    \
             json.dumps(1, default=clean)\n    return register(view=again, clean=2)\n\nclass Page:\n    @property\n    def title(self): ...\n    \
             def show(self):\n        self.size = 1\n        return self.title, self.size, self.parent\n",
            &["LIMIT", "again", "clean", "parent of self", "title of self"],
        );
        check(
            "go",
            "package a\n\nimport \"net/http\"\n\nconst limit = 3\n\nfunc Serve(n int) {\n\tm := n\n\thttp.HandleFunc(\"/\", index)\n\t\
             use(limit, m, http.StatusOK, Opts{Limit: n})\n}\n",
            &["StatusOK of http", "index", "limit"],
        );
        check(
            "rust",
            "use crate::parse::line;\nconst LIMIT: usize = 3;\nfn all(text: &str, width: usize) -> Vec<Line> {\n    let n = width;\n    \
             text.lines().map(line).take(LIMIT + n).filter(is_full).collect()\n}\nfn is_full(line: &Line) -> bool { true }\n",
            &["LIMIT", "is_full", "line"],
        );
        check(
            "typescript",
            "import { check } from './check'\nimport * as all from './all'\nconst LIMIT = 3\nexport class Page {\n  get title() { return 1 }\n  \
             show(n: number) { this.on('x', check); return [this.title, LIMIT, n, { check: n }, all.first] }\n}\n",
            &["LIMIT", "check", "first of all", "title of this"],
        );
        check(
            "java",
            "class A {\n  static final int LIMIT = 3;\n  int size;\n  int f(int n) { int m = n; return m + LIMIT + Other.MOST; }\n}\n",
            &["LIMIT", "MOST of Other"],
        );
    }

    #[test]
    fn members_of_objects_with_a_type_are_used() {
        check(
            "python",
            "from .http import Response, get\n\ndef show(response: Response, other):\n    print(response.text, other.text)\n    \
             answer = get('/')\n    return answer.headers.size\n\nclass Page:\n    def __init__(self, of: Response):\n        self.of = of\n    \
             def read(self): return self.of.body\n",
            &["body of self.of", "headers of answer", "size of answer.headers", "text of response"],
        );
        check(
            "typescript",
            "import { Cart } from './cart'\nexport function sum(cart: Cart, n: any) { return cart.total + n.total }\n",
            &["total of cart"],
        );
        check("typescript", "export function f(a: string) { return a.length }\n", &[]);
    }

    #[test]
    fn a_dollar_may_belong_to_a_name() {
        check(
            "typescript",
            "const $Base = make()\nexport function f(x: any) { return $Base.size }\n",
            &["$Base", "size of $Base"],
        );
        check("php", "<?php\nfunction f(Cart $cart) { return $cart->total; }\n", &["total of cart"]);
        check(
            "php",
            "<?php\nfunction f($x) { return \\App\\Cfg\\MOST + App\\LEAST + $x?->size + \\PHP_EOL; }\n",
            &["LEAST of App", "MOST of \\App\\Cfg", "PHP_EOL"],
        );
    }

    #[test]
    fn what_a_module_exports_is_used() {
        check(
            "python",
            "from .a import run, stop\n\n__all__ = [\"run\", 'stop']\n__all__ += ('go',)\n",
            &["__all__", "go", "run", "stop"],
        );
        let text = "function open() {}\nexport { open as start }\nexport default class Door {}\n";
        for language in ["javascript", "typescript"] {
            let Some(language) = Language::from_name(language).filter(|one| !one.lacks_grammar()) else {
                continue;
            };
            let file = chunk(language, text, &ChunkOptions::default());
            let uses = file.references.iter().filter(|one| one.kind == ReferenceKind::Use);
            let uses: Vec<(&str, &str)> = uses.map(|one| (one.name.as_str(), one.alias.as_str())).collect();
            assert_eq!(uses, [("Door", "default"), ("open", "start")]);
        }
    }

    #[test]
    fn what_hides_a_name_is_no_use_of_it() {
        check(
            "python",
            "from a import log, size\n\ndef f(log):\n    log.info(log)\n    for size in log: print(size)\n\ndef g(): return size\n",
            &["size"],
        );
    }

    #[test]
    fn names_of_included_files_are_used() {
        check(
            "c",
            "#include \"a.h\"
#define twice(number) ((number) + (number))
struct point { int left; };
int run(int given, char **list)
{
    int limit = given;
    struct point one = { .left = limit };
    for (int step = 0; step < limit; step++) reg(on_read, list);
    return limit_count + one.left;
}
",
            &["limit_count", "on_read"],
        );
        check(
            "cpp",
            "#include \"a.h\"
class Page {
  int size_;
  int run(int given) {
    auto add = [given](int more) { return more + size_ + given; };
    return cfg::kMost + kLeast + add(1);
  }
};
",
            &["kLeast", "kMost of cfg"],
        );
        check(
            "swift",
            "import Foundation
class Page {
  var size: Int = 0
  func run(given: Int) -> Int {
    let local = given
    return local + size + limitCount
  }
}
",
            &["limitCount"],
        );
    }

    #[test]
    fn a_field_of_an_inner_type_is_no_member_of_the_outer_one() {
        check(
            "swift",
            "class R {
  func cancel() {}
  func request() {}
  enum D { case cancel, other }
  struct U {
    let request: R
    func go() { send(request) }
  }
  let each: () -> Void = { for request in all { send(request) } }
  func own() { send(cancel) }
}
for request in all { send(request) }
",
            &["all", "cancel"],
        );
        check(
            "kotlin",
            "class Outer {
  fun size() = 1
  class Inner(val size: Int) {
    fun go() { send(size) }
  }
  fun own() { send(size) }
}
",
            &["size"],
        );
    }
}
