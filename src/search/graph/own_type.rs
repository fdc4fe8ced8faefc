//! Members of the type around a mention: which type that is, and which of its members a name means.
//!
//! Input: a mention without an object, or on the current one. A chunk may hold several types; the
//! record then says in which of them the mention is (`own_members` of the chunker). Members of an
//! outer type can be named inside an inner one, where the language has implicit objects.

use crate::index::chunk::{
    ByteRange, CONSTRUCTOR_WORDS, DeclarationKind, LOCAL_ALIAS, ReferenceKind, embedded_language,
};
use crate::search::segment::{ChunkRef, FileView, Mention};

use super::expr_types::HIDING;
use super::family::Family;
use super::resolve::{Candidates, Matches, Site};
use super::{Candidate, Evidence, Graph, Result, is_type, last_segment};

impl<'s> Graph<'_, 's> {
    /// Returns the name of the type whose members a mention may mean without naming it; empty
    /// outside of types. `None` if the mention has an object of its own.
    pub fn own_type(&self, from: ChunkRef, mention: &Mention<'s>) -> Result<Option<&'s str>> {
        let site = self.site(from)?.filter(|site| site.may_be_own(mention));
        let Some(site) = site.filter(|_| constructor_word(mention).is_none()) else { return Ok(None) };
        Ok(Some(match mention.alias {
            "" | LOCAL_ALIAS => site.class,
            HIDING => "",
            alias => alias,
        }))
    }
}

impl<'g, 'i, 's> Site<'g, 'i, 's> {
    /// Returns whether a mention can mean a member of the type around it.
    fn may_be_own(&self, mention: &Mention<'_>) -> bool {
        matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use)
            && embedded_language(mention.alias).is_none()
            && match mention.qualifier {
                "" => self.scope.family.has_implicit_self(),
                qualifier => self.scope.family.is_self(self.file.language(), qualifier).is_some(),
            }
    }

    /// Returns the site of a mention that is in another type than the one that its chunk begins
    /// with. `None` if the site is right.
    pub(super) fn in_type_of(&self, mention: &Mention<'_>) -> Option<Self> {
        if matches!(mention.alias, "" | LOCAL_ALIAS)
            || constructor_word(mention).is_some()
            || !self.may_be_own(mention)
        {
            return None;
        }
        let around = self.file.segment.chunk(self.from.ord).and_then(|chunk| {
            let of_alias = |ord: &u32| own_name(&self.file, *ord) == mention.alias;
            self.declarations_in(chunk.span.bytes).into_iter().find(of_alias)
        });
        Some(Site::new(self.graph, self.scope, self.file, self.from, around))
    }

    /// Returns the declarations of this file that have some of these bytes, in order.
    fn declarations_in(&self, bytes: ByteRange) -> Vec<u32> {
        let mut found = Vec::new();
        let mut before = self.file.declarations_before(bytes.end.saturating_sub(1));
        let outer = loop {
            match before.next() {
                Some(one) if one.row.span.bytes.start >= bytes.start => found.push(one.ord),
                outer => break outer,
            }
        };
        // Of those that begin before, only the ones around the bytes go on in them.
        let mut around = outer.map(|one| (one.ord, one.row));
        while let Some((ord, row)) = around {
            if row.span.bytes.end > bytes.start {
                found.push(ord);
            }
            let parent = row.parent.filter(|&parent| parent < ord);
            around = parent.and_then(|ord| Some((ord, self.file.segment.declaration(ord)?)));
        }
        found.reverse();
        found
    }

    /// Returns whether all of the chunk is in the type that it begins in.
    pub(super) fn is_in_class(&self) -> bool {
        let Some(chunk) = self.file.segment.chunk(self.from.ord) else { return false };
        let mut at = self.around;
        while let Some((ord, row)) = at.and_then(|ord| Some((ord, self.file.segment.declaration(ord)?))) {
            if !own_name(&self.file, ord).is_empty() {
                return row.span.bytes.start <= chunk.span.bytes.start
                    && chunk.span.bytes.end <= row.span.bytes.end;
            }
            at = row.parent.filter(|&parent| parent < ord);
        }
        false
    }

    /// Returns the declarations of the type around the mention; empty outside of types.
    pub(super) fn own_types(&self) -> Result<&Candidates<'g, 's>> {
        if self.own_types.get().is_none() {
            let own = self.graph.types_around(&self.file, self.around)?;
            let _ = self.own_types.set(own);
        }
        Ok(self.own_types.get().unwrap_or(NO_TYPES))
    }

    /// Returns what a bare name means as a member of the type around it, or of one around that.
    /// Inherited members of the inner type hide the declarations of the outer one.
    pub(super) fn of_types_around(
        &self,
        candidates: &[&'g Candidate<'s>],
    ) -> Result<Option<Matches<'g, 's>>> {
        let own = self.graph.members_of(candidates, self.own_types()?)?;
        if !own.is_empty() {
            return Ok(Some((Evidence::Class, own)));
        }
        // In Ruby, a class inside of another one sees no methods of that.
        let mut around = self.type_around(self.around).filter(|_| self.scope.family != Family::Ruby);
        while let Some(outer) = around.and_then(|ord| self.outer_of(ord)) {
            let types = self.graph.types_around(&self.file, Some(outer))?;
            let found = self.graph.members_of(candidates, &types)?;
            if !found.is_empty() {
                let inherited = self.inherited(candidates, self.own_types()?)?;
                return Ok(Some(inherited.unwrap_or((Evidence::Class, found))));
            }
            around = Some(outer);
        }
        Ok(None)
    }

    /// Returns the declaration of the innermost type around a declaration, which may be itself.
    fn type_around(&self, declaration: Option<u32>) -> Option<u32> {
        let mut at = declaration;
        while let Some(ord) = at {
            if is_whole(&self.file, ord) {
                return Some(ord);
            }
            at = self.file.segment.declaration(ord)?.parent.filter(|&parent| parent < ord);
        }
        None
    }

    /// Returns the type around another one.
    fn outer_of(&self, ord: u32) -> Option<u32> {
        self.type_around(self.file.segment.declaration(ord)?.parent.filter(|&parent| parent < ord))
    }
}

/// Returns the word by which a constructor calls another one (`this(…)`, `super(…)`). The mention
/// has the name of the type.
pub(super) fn constructor_word<'m>(mention: &Mention<'m>) -> Option<&'m str> {
    let is_call = mention.kind == ReferenceKind::Call;
    Some(mention.alias).filter(|alias| is_call && CONSTRUCTOR_WORDS.contains(alias))
}

/// No types.
const NO_TYPES: &Candidates<'static, 'static> = &Vec::new();

/// Returns the name of the innermost type around a declaration, which may be the declaration
/// itself.
pub(crate) fn class_around<'s>(file: &FileView<'s>, declaration: Option<u32>) -> &'s str {
    let mut at = declaration;
    while let Some((ord, row)) = at.and_then(|ord| Some((ord, file.segment.declaration(ord)?))) {
        let name = own_name(file, ord);
        if !name.is_empty() {
            return name;
        }
        at = row.parent.filter(|&parent| parent < ord);
    }
    ""
}

/// Returns the name of a type, or of the type that another declaration names as its own; empty if
/// it names none.
fn own_name<'s>(file: &FileView<'s>, ord: u32) -> &'s str {
    let Some(row) = file.segment.declaration(ord) else { return "" };
    last_segment(if is_whole(file, ord) { file.segment.name(&row) } else { file.segment.scope(&row) })
}

/// Returns whether a declaration is a type or adds to one.
fn is_whole(file: &FileView<'_>, ord: u32) -> bool {
    let row = file.segment.declaration(ord);
    let is_one = |kind| is_type(kind) && (kind != DeclarationKind::Module || has_module_methods(file));
    row.is_some_and(|row| is_one(row.kind)) && !file.is_component(ord)
}

/// Returns whether a module has methods of its own, as a class does.
pub(super) fn has_module_methods(file: &FileView<'_>) -> bool {
    Family::of(file.language()) == Family::Ruby
}

#[cfg(test)]
mod tests {
    use crate::search::graph::tests::check;

    #[test]
    fn each_of_several_types_in_one_chunk_has_its_own_members() {
        check(
            &[
                (
                    "a.py",
                    "class A:\n    def run(self):\n        return self.f()\n\n    def f(self):\n        return 1\n\n\n\
                     class B:\n    def go(self):\n        return self.f() + self.only()\n\n    def f(self):\n        return 2\n\n    \
                     def only(self):\n        return 3\n\n\nclass C(B):\n    def f(self):\n        return super().f()\n",
                ),
                (
                    "a.ts",
                    "export class A {\n  f() { return 1 }\n}\nexport class B {\n  go() { return this.f() + this.only() }\n  f() { return 2 }\n  only() { return 3 }\n}\n",
                ),
                (
                    "a.rs",
                    "pub struct A;\nimpl A {\n    fn f(&self) {}\n}\npub struct B;\nimpl B {\n    fn go(&self) { self.f(); Self::only() }\n    fn f(&self) {}\n    fn only() {}\n}\n",
                ),
                (
                    "a.php",
                    "<?php\nclass A {\n  function f() {}\n}\nclass B {\n  function go() { $this->f(); static::only(); }\n  function f() {}\n  static function only() {}\n}\n",
                ),
            ],
            &[
                (
                    "a.py",
                    "f",
                    &[
                        "a.py A.f (same type)",
                        "a.py B.f (inherited)",
                        "a.py B.f (same type)",
                        "a.py C.f (implements it)",
                    ],
                ),
                ("a.py", "only", &["a.py B.only (same type)"]),
                ("a.ts", "f", &["a.ts B.f (same type)"]),
                ("a.ts", "only", &["a.ts B.only (same type)"]),
                ("a.rs", "f", &["a.rs B::f (same type)"]),
                ("a.rs", "only", &["a.rs B::only (same type)"]),
                ("a.php", "f", &["a.php B::f (same type)"]),
                ("a.php", "only", &["a.php B::only (same type)"]),
            ],
        );
    }

    #[cfg(feature = "lang-all")]
    #[test]
    fn members_without_an_object_are_those_of_the_type_around() {
        check(
            &[
                (
                    "src/A.java",
                    "class A {\n  void f() {}\n}\nclass B extends Base {\n  void go() { f(); only(); base(); }\n  void f() {}\n  void only() {}\n  \
                     class Inner { void run() { only(); own(); f(); } void own() {} void f() {} }\n}\n",
                ),
                ("src/Base.java", "class Base {\n  void base() {}\n  void far() {}\n}\n"),
                (
                    "a.kt",
                    "class KA {\n  fun f() {}\n}\nclass KB {\n  fun go() { f() }\n  fun f() {}\n}\nfun top() { f() }\n",
                ),
                (
                    "a.cs",
                    "class A {\n  void F() {}\n}\nclass B {\n  void Go() { F(); this.Only(); }\n  void F() {}\n  void Only() {}\n}\n",
                ),
                (
                    "a.rb",
                    "class A\n  def f; end\nend\nclass B\n  def go\n    f()\n    self.only\n  end\n  def f; end\n  def only; end\nend\n",
                ),
                (
                    "a.cpp",
                    "class A { void f() {} };\nclass B {\n  void go() { f(); this->only(); }\n  void f() {}\n  void only() {}\n};\n",
                ),
            ],
            &[
                ("src/A.java", "f", &["src/A.java B.Inner.f (same type)", "src/A.java B.f (same type)"]),
                ("src/A.java", "only", &["src/A.java B.only (same type)"]),
                ("src/A.java", "own", &["src/A.java B.Inner.own (same type)"]),
                ("src/A.java", "base", &["src/Base.java Base.base (inherited)"]),
                ("a.cs", "F", &["a.cs B.F (same type)"]),
                ("a.cs", "Only", &["a.cs B.Only (same type)"]),
                ("a.rb", "f", &["a.rb B::f (same type)"]),
                ("a.rb", "only", &["a.rb B::only (same type)"]),
                ("a.cpp", "f", &["a.cpp B::f (same type)"]),
                ("a.cpp", "only", &["a.cpp B::only (same type)"]),
            ],
        );
    }

    #[cfg(feature = "lang-all")]
    #[test]
    fn constructors_call_others_by_a_word() {
        check(
            &[
                (
                    "src/Cart.java",
                    "class Cart extends Base<String> {\n  Cart() { this(1); }\n  Cart(int n) { super(n); }\n}\nclass Base<T> {\n  Base(int n) {}\n}\n",
                ),
                (
                    "Cart.cs",
                    "class Cart : Base, IDisposable {\n  Cart() : this(1) {}\n  Cart(int n) : base(n) {}\n}\nclass Base {\n  public Base(int n) {}\n}\n",
                ),
                (
                    "cart.kt",
                    "class KCart : KBase {\n  constructor() : this(1)\n  constructor(n: Int) : super(n)\n}\nopen class KBase(val n: Int)\n",
                ),
                (
                    "cart.ts",
                    "import { Base } from './base'\nexport class Cart extends Base<number> {\n  constructor() { super(1) }\n}\n",
                ),
                ("base.ts", "export class Base<T> {\n  constructor(n: T) {}\n}\n"),
            ],
            &[
                ("src/Cart.java", "Cart", &["src/Cart.java Cart (same file)"]),
                ("Cart.cs", "Cart", &["Cart.cs Cart (same file)"]),
                ("cart.kt", "KCart", &["cart.kt KCart (same file)"]),
            ],
        );
    }
}
