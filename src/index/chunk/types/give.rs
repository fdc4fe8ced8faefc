//! Types for other files: the types of functions, members and variables, and how far an expression
//! can be followed in this file.
//!
//! Other files need both, because a receiver's type is often declared elsewhere. An expression is
//! shortened here as far as this file knows its types; the reference graph follows the rest.

use super::head::head;
use super::items::{Access, is_item};
use super::{
    Bound, ExpressionPlace, MAX_BOUND, MAX_DEPTH, Place, Step, Types, Value, ancestors, is_module, steps,
};
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers::MAX_QUALIFIER;
use crate::index::chunk::mention::{MAX_NAME, Mention};
use std::borrow::Cow;
use std::collections::HashSet;

/// Built-in types of languages, whose members no repository declares.
const BASIC: &[&str] = &[
    "Any",
    "Array",
    "Bool",
    "Boolean",
    "Double",
    "Float",
    "Hash",
    "Int",
    "Integer",
    "Long",
    "Nothing",
    "Number",
    "Object",
    "OsString",
    "PathBuf",
    "RegExp",
    "Regexp",
    "Short",
    "String",
    "UInt",
    "Unit",
    "Vec",
    "Void",
    "any",
    "bool",
    "byte",
    "char",
    "comparable",
    "complex128",
    "complex64",
    "dict",
    "error",
    "float32",
    "float64",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "list",
    "rune",
    "set",
    "str",
    "string",
    "tuple",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// Returns whether a type is built into a language.
pub(super) fn is_basic(name: &str) -> bool {
    BASIC.contains(&name)
}

/// Most steps of an expression that is recorded.
const MAX_STEPS: usize = 8;

impl<'t> Types<'_, 't> {
    /// Adds the types of functions' results, members and top-level variables as references, as far
    /// as they are written, or values are constructed by their name. `takes_lower`: whether a
    /// type's name may begin with a lower-case letter.
    pub(super) fn given(&self, takes_lower: bool, mentions: &mut Vec<Mention<'t>>) {
        let constructed = self.constructed(mentions);
        for one in self.bound.iter().filter(|one| !one.is_decorated) {
            let is_seen = match one.place {
                Place::Member(_) | Place::MemberOf(_) => true,
                Place::Local(None) => one.is_result || self.declared.contains(one.name),
                Place::Local(Some(within)) => one.is_result && is_module(self.declarations, within),
            };
            let Some(ty) = is_seen.then(|| self.type_of(one)).flatten() else { continue };
            let at = ty.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
            let (before, name) = ty.split_at_checked(at).unwrap_or(("", ty));
            let is_lower = name.starts_with(|c: char| !c.is_uppercase());
            let is_long = name.len().max(one.name.len()) > MAX_NAME;
            if is_lower && !takes_lower || is_basic(name) || is_long {
                continue;
            }
            let before = before.trim_end_matches(['.', ':', '\\']);
            let given = Mention::new(one.at, ReferenceKind::Gives, name, Cow::Borrowed(before));
            mentions.push(Mention { alias: Cow::Borrowed(one.name), ..given });
        }
        mentions.extend(constructed);
    }

    /// Returns the types of members and top-level variables for which none is written, if all of
    /// their values are known to be of one type (`self.log = Log()`).
    fn constructed(&self, mentions: &[Mention<'t>]) -> Vec<Mention<'t>> {
        let mut names: HashSet<&'t str> = HashSet::new();
        let mut seen: HashSet<(Option<&str>, &str)> = HashSet::new();
        let mut found = Vec::new();
        for one in self.bound.iter().filter(|one| matches!(one.value, Value::Same(_)) && !one.is_result) {
            let owner = self.owner_of(one);
            let is_seen =
                owner.is_some() || one.place == Place::Local(None) && self.declared.contains(one.name);
            if !is_seen || one.name.len() > MAX_NAME || !seen.insert((owner, one.name)) {
                continue;
            }
            let Some(named) = self.by_name.get(one.name).filter(|all| all.values.len() <= MAX_BOUND) else {
                continue;
            };
            let all = named.values.iter().filter_map(|&ord| self.bound.get(ord as usize));
            let all: Vec<&Bound<'t>> = all
                .filter(|other| {
                    self.owner_of(other) == owner && (owner.is_some() || other.place == one.place)
                })
                .collect();
            if all.iter().any(|other| other.is_written) {
                continue;
            }
            self.refill();
            let Some(ty) = self.agreed(&all, Access::default(), 0) else { continue };
            let (before, name) = ty.rsplit_once(['.', ':', '\\']).unwrap_or(("", &ty));
            if !name.starts_with(char::is_uppercase) || is_basic(name) {
                continue;
            }
            if names.is_empty() {
                names.extend(mentions.iter().filter_map(|mention| match mention.name {
                    Cow::Borrowed(name) => Some(name),
                    Cow::Owned(_) => None,
                }));
            }
            let Some(name) = names.get(name) else { continue };
            let before = before.trim_end_matches(['.', ':', '\\']).to_owned();
            let given = Mention::new(one.at, ReferenceKind::Gives, *name, Cow::Owned(before));
            found.push(Mention { alias: Cow::Borrowed(one.name), ..given });
        }
        found
    }

    /// Returns the type that is written for a name, without the wrapper for failures.
    fn type_of(&self, one: &Bound<'t>) -> Option<&'t str> {
        let written = match &one.value {
            Value::Type(written) => *written,
            Value::Same(_) | Value::Unknown => return None,
        };
        let head = head(written, self.values, Access { takes_failures: true, items: "" })?;
        let is_own = matches!(head, "Self" | "self" | "static" | "this") || head.starts_with("Self");
        (!is_own && !self.parameters.has(head)).then_some(head)
    }

    /// Returns an expression for other files to follow; `None` if it says no more than the one
    /// given.
    ///
    /// - `<Type>` and the rest, for the longest beginning whose type is known here; or else
    /// - the expression that its first name was assigned from, and the rest.
    pub(super) fn expression(&self, expression: &str, at: ExpressionPlace) -> Option<String> {
        let mut expression = Cow::Borrowed(expression);
        let mut at = at;
        let mut is_other = false;
        for _ in 0..MAX_DEPTH {
            let parts = steps(&expression);
            if parts.len() > MAX_STEPS {
                return None;
            }
            for n in (1..parts.len()).rev() {
                let end = parts.get(n - 1).map(Step::until)?;
                let (begun, rest) = expression.split_at_checked(end)?;
                if let Some(ty) = self.known(begun, at) {
                    // The type and this member are both declared here, so no other file knows more.
                    let next = parts.get(n)?;
                    return if self.is_own(&ty, next) {
                        None
                    } else {
                        self.inferred(&format!("<{ty}>"), rest)
                    };
                }
            }
            let first = parts.first()?;
            let named = self.lookup(first, at);
            let [one] = named.as_slice() else {
                // A name that is not bound here is another file's. One that is bound in several
                // ways is ambiguous.
                return (is_other && named.is_empty()).then(|| self.inferred("", &expression)).flatten();
            };
            if first.is_call {
                return is_other.then(|| self.inferred("", &expression)).flatten();
            }
            let Value::Same(source) = &one.value else { return None };
            let rest = expression.get(first.until()..)?;
            let next = format!("{source}{rest}");
            at = ExpressionPlace { within: one.within, at: one.at.saturating_sub(1) };
            expression = Cow::Owned(next);
            is_other = true;
            if let Some(ty) = self.known(&expression, at) {
                return self.inferred(&format!("<{ty}>"), "");
            }
        }
        None
    }

    /// Returns whether this file declares both the type and that member.
    fn is_own(&self, ty: &str, member: &Step<'_>) -> bool {
        let is_here = |of: &str| self.declared.contains(of);
        let is_bound =
            || self.by_name.get(member.name).is_some_and(|named| !named.of(member.is_call).is_empty());
        is_here(super::bare(ty)) && (is_here(member.name) || is_bound())
    }

    fn known(&self, expression: &str, at: ExpressionPlace) -> Option<Cow<'t, str>> {
        if self.words.is_own(expression) {
            let owner =
                ancestors(self.declarations, at.within).find_map(|(_, one)| super::owner_name(one))?;
            return Some(Cow::Owned(owner.to_owned()));
        }
        self.of(expression, at)
    }

    /// Returns whether an expression begins with a local name that hides another one: of the
    /// package (if the file sees it), of an import, or at the top of the file.
    pub(super) fn hides(&self, expression: &str, at: ExpressionPlace, sees_package: bool) -> bool {
        let parts = steps(expression);
        let Some(first) = parts.first().filter(|one| !one.is_call && !self.words.is_own(one.name)) else {
            return false;
        };
        let hides = sees_package || self.imported.contains(first.name) || self.declared.contains(first.name);
        let is_local = |one: &&Bound<'t>| {
            let Place::Local(Some(within)) = one.place else { return false };
            !is_module(self.declarations, within)
        };
        hides && self.lookup(first, at).iter().any(is_local)
    }

    /// Joins `root` and `rest`, without the steps that return their receiver; `None` if the result
    /// says nothing new or is too long.
    fn inferred(&self, root: &str, rest: &str) -> Option<String> {
        if is_item(rest) {
            return None;
        }
        let mut inferred = root.to_owned();
        let mut is_called = false;
        for part in rest.split_inclusive(['.', '>']) {
            let name = part.trim_matches(['.', '-', '>', '?', '!', '&']);
            let bare = name.strip_suffix("()");
            if bare.is_some_and(|bare| self.values.same.contains(&bare)) || name.is_empty() {
                continue;
            }
            is_called |= bare.is_some();
            if !inferred.is_empty() {
                inferred.push('.');
            }
            inferred.push_str(name);
        }
        let says = inferred.starts_with('<') && inferred.len() > root.len() || is_called;
        (says && inferred.len() <= MAX_QUALIFIER).then_some(inferred)
    }
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::types::tests::check;
    use crate::index::chunk::{ChunkOptions, Language, Reference, ReferenceKind, chunk};

    /// Returns the types that a text gives to functions, variables and members, as `name: type`.
    fn given(language: &str, text: &str) -> Vec<String> {
        let file = chunk(Language::from_name(language).unwrap(), text, &ChunkOptions::default());
        let given = file.references.iter().filter(|one| one.kind == ReferenceKind::Gives);
        let path = |one: &Reference| match one.qualifier.as_str() {
            "" => format!("{}: {}", one.alias, one.name),
            qualifier => format!("{}: {qualifier}.{}", one.alias, one.name),
        };
        given.map(path).collect()
    }

    #[test]
    fn what_other_files_need_to_know_is_kept() {
        let text = "pub struct A { log: Arc<Log>, size: usize, all: Vec<T> }
impl A {
    pub fn open(&self) -> Result<io::Store, Error> { todo!() }
    fn own(self) -> Self { self }
    fn n(&self, other: Other) -> u32 { let local: Local = 1; 1 }
}
fn make<T: Make>() -> T { T::make() }
static POOL: Pool = Pool::new();
";
        assert_eq!(given("rust", text), ["log: Log", "POOL: Pool", "open: io.Store"]);
        let text = "package a
type store struct { log *log.Log; n int }
func newStore(n int) (*store, error) { return &store{}, nil }
func (s *store) Size() int { x := newStore(1); x.run(); other().run(); return s.n }
";
        assert_eq!(given("go", text), ["log: log.Log", "newStore: store"]);
        check("go", text, &["run of other(): ", "run of x: store"]);
        assert_eq!(given("c", "void draw(Window *window);\nWindow *open(int n);\n"), ["open: Window"]);
        let text = "import log\nfrom .http import Client

app = Client()
other = make()
app2 = Client()
app2 = Other()

class Page:
    def __init__(self):
        self.client = Client()
        self.log = log.Log() if True else None
        self.store = None

    def open(self):
        self.store = Store(1)
";
        assert_eq!(given("python", text), ["app: Client", "client: Client", "store: Store"]);
        let text = "import { make } from './make'
export class A {
  pool: Pool
  f(b: Bee) { const m = make(); m.a(); const n = m.log.open(); n.b(); this.pool.c(); this.base.d(); b.e().g(); h().i() }
}
";
        check(
            "typescript",
            text,
            &[
                "a of m: make()",
                "b of n: make().log.open()",
                "c of this.pool: Pool",
                "d of this.base: <A>.base",
                "e of b: Bee",
                "g of b.e(): <Bee>.e()",
                "i of h(): ",
                "open of m.log: make().log",
            ],
        );
    }
}
