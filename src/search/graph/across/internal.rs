//! Re-exports inside one repository: between its packages, and within one.
//!
//! A module re-exports what others declare (`pub use`, `__init__.py`, `index.ts`), and the rest of
//! the repository imports from that module. The rules are those for packages of other repositories,
//! but only certain results count.

use crate::index::chunk::ReferenceKind;
use crate::search::graph::expr_types::HIDING;
use crate::search::graph::family::Family;
use crate::search::graph::resolve::Site;
use crate::search::graph::types::declared_type;
use crate::search::graph::{Candidate, Evidence, Graph, Result};
use crate::search::segment::Mention;

use super::claim::{Claim, claims, is_beside};
use super::lookup::Lookup;
use super::package::PackageIdentity;

/// Key of a lookup in a repository's own modules: language family, full name, kind of reference,
/// and whether vendored copies are visible.
pub(in crate::search::graph) type LookupKey = (Family<'static>, Claim, ReferenceKind, bool);
/// The re-exported declarations, and the evidence that they share.
pub(in crate::search::graph) type ReexportResult<'s> = (Evidence, Vec<Candidate<'s>>);

impl<'s> Graph<'_, 's> {
    /// Resolves a mention through the re-exports of its own repository: `pub use`, `__init__.py`,
    /// `index.ts`. Returns only what is certain.
    pub(in crate::search::graph) fn reexported(
        &self,
        site: &Site<'_, '_, 's>,
        mention: &Mention<'_>,
    ) -> Result<Option<&ReexportResult<'s>>> {
        let family = match site.scope.family {
            Family::Go => Family::Go,
            Family::Rust => Family::Rust,
            Family::Python => Family::Python,
            Family::Script => Family::Script,
            _ => return Ok(None),
        };
        // A local may have the name of an import.
        if declared_type(mention).is_some() || mention.alias == HIDING {
            return Ok(None);
        }
        let is_around =
            |known: &&PackageIdentity| known.family == family && known.inside(site.scope.path).is_some();
        let own = self.packages.iter().filter(is_around).max_by_key(|known| known.folder.len());
        let (claims, _) = claims(site, mention, own);
        for claim in claims {
            let first = claim.path.first().map(String::as_str).unwrap_or_default();
            if family == Family::Rust && is_beside(self.index(), site, first) {
                continue;
            }
            let found = self.claimed(family, claim, mention.kind, site.file.flags().is_vendored())?;
            if found.0.is_certain() && !found.1.is_empty() {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Resolves a full name in the packages of this repository.
    fn claimed(
        &self,
        family: Family<'static>,
        claim: Claim,
        kind: ReferenceKind,
        is_vendored: bool,
    ) -> Result<&ReexportResult<'s>> {
        // Many files look up the same name in the same way, so the result is cached.
        let key = (family, claim, kind, is_vendored);
        if let Some(known) = self.reexported.get(&key) {
            return Ok(known);
        }
        let lookup = Lookup::new(vec![self]);
        let (evidence, found) = lookup.by_package(None, family, &key.1, kind, is_vendored, 0)?;
        let found = (evidence, found.into_iter().map(|one| one.1).collect());
        Ok(self.reexported.insert(key, Box::new(found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::graph::across::Graphs;
    use crate::search::graph::{Ecosystem, Package};
    use crate::search::segment::samples::sources;
    use crate::search::segment::{ChunkRef, Index};

    /// Checks what mentions of names mean in one repository: `path symbol (evidence)`, sorted.
    fn check(files: &[(&str, &str)], packages: &[Package], expected: &[(&str, &str, &[&str])]) {
        let segment = sources(files);
        let index = Index::whole(&segment);
        let mut graphs = Graphs::default();
        graphs.add(Graph::new(&index), packages);
        for (path, name, meaning) in expected {
            let file = index.file_by_path((*path).into()).unwrap();
            let mut found = Vec::new();
            for ord in file.segment.chunks_of(file.ord) {
                let from = ChunkRef { part: file.part, ord };
                for mention in file.segment.mentions(ord).unwrap().iter().filter(|one| one.name == *name) {
                    for one in graphs.resolve(0, from, mention).unwrap() {
                        let (of, _) = graphs.graph(0).unwrap().declaration(one.resolved.to).unwrap();
                        let symbol = of.segment.symbol_path(one.resolved.to.ord);
                        found.push(format!("{} {symbol} ({})", of.path(), one.resolved.evidence.name()));
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, *meaning, "{name} in {path}");
        }
    }

    fn package(ecosystem: Ecosystem, name: &str, folder: &str) -> Package {
        Package { ecosystem, name: name.into(), folder: folder.into() }
    }

    #[test]
    fn a_type_without_a_declaration_may_be_of_a_package_here() {
        let uses = |module: &str| {
            format!(
                "import type {{ Backend }} from '{module}'\nexport function run(backend: Backend) {{\n  backend.drag(1)\n}}\n"
            )
        };
        let (own, other) = (uses("shop-backend"), uses("web-backend"));
        check(
            &[
                (
                    "packages/backend/src/deep/types.ts",
                    "export interface Backend {\n  drag(n: number): void\n}\n",
                ),
                ("packages/app/src/own.ts", &own),
                ("packages/app/src/other.ts", &other),
            ],
            &[
                package(Ecosystem::Npm, "shop-backend", "packages/backend"),
                package(Ecosystem::Npm, "shop-app", "packages/app"),
            ],
            &[
                (
                    "packages/app/src/own.ts",
                    "drag",
                    &["packages/backend/src/deep/types.ts Backend.drag (declared type)"],
                ),
                ("packages/app/src/other.ts", "drag", &[]),
            ],
        );
    }

    #[test]
    fn a_local_may_have_the_name_of_a_package() {
        let note = "package note\n\ntype Body []byte\n\ntype Note struct {\n\tID   string\n\tBody Body\n}\n";
        let read = |object: &str| {
            format!(
                "package web\n\nimport \"shop/note\"\n\nfunc Serve({object} *note.Note) {{\n\tuse({object}.Body)\n}}\n"
            )
        };
        let module = "package web\n\nimport \"shop/note\"\n\nfunc Make(text string) any {\n\treturn note.Body(text)\n}\n";
        let (same, other) = (read("note"), read("one"));
        check(
            &[("note/note.go", note), ("a/a.go", &same), ("b/b.go", &other), ("c/c.go", module)],
            &[package(Ecosystem::Go, "shop", "")],
            &[
                ("a/a.go", "Body", &[]),
                ("b/b.go", "Body", &[]),
                ("c/c.go", "Body", &["note/note.go Body (import)"]),
            ],
        );
    }

    #[test]
    fn an_import_of_go_from_another_module_means_nothing_here() {
        let files = [
            ("wait/wait.go", "package wait\n\nfunc New(n int) int {\n\treturn n\n}\n"),
            (
                "app/own.go",
                "package app\n\nimport \"example.org/shop/wait\"\n\nfunc Own() int {\n\treturn wait.New(1)\n}\n",
            ),
            (
                "app/other.go",
                "package app\n\nimport \"k8s.io/util/wait\"\n\nfunc Other() int {\n\treturn wait.New(2)\n}\n",
            ),
        ];
        let own: &[&str] = &["wait/wait.go New (import)"];
        let packages = [package(Ecosystem::Go, "example.org/shop", "")];
        check(&files, &packages, &[("app/own.go", "New", own), ("app/other.go", "New", &[])]);
        // Without a module of its own, the repository may be the one that is imported.
        check(&files, &[], &[("app/other.go", "New", own)]);
    }

    #[test]
    fn crates_hand_out_what_their_modules_declare() {
        let place = "pub struct Place {\n    pub line: u32,\n    pub column: u32,\n}\n\npub fn is_far(cart: &Cart) -> bool {\n    cart.place.line > 9\n}\n";
        let files = [
            ("Cargo.toml", "[package]\nname = 'shop'\n"),
            ("src/lib.rs", "pub use shop_core::prelude;\npub use shop_core::*;\n"),
            (
                "crates/core/src/lib.rs",
                "mod cart;\npub mod parts;\npub use cart::*;\npub mod prelude {\n    pub use crate::parts::Place;\n    pub use crate::Cart;\n}\n",
            ),
            (
                "crates/core/src/cart.rs",
                "use crate::parts::Place;\n\npub struct Cart {\n    pub place: Place,\n}\n\nimpl Cart {\n    pub fn full() -> Self {\n        Cart { place: Place { line: 0, column: 0 } }\n    }\n}\n",
            ),
            ("crates/core/src/parts/mod.rs", "mod place;\npub use place::{Place, is_far};\n"),
            ("crates/core/src/parts/place.rs", place),
            (
                "crates/core/src/check.rs",
                "use crate::Cart;\n\npub fn check(cart: &Cart) -> bool {\n    cart.place.line > 0 && cart.place.column > 0 && crate::parts::is_far(cart)\n}\n",
            ),
            ("crates/core/benches/parts/insert.rs", place),
            (
                "crates/other/src/lib.rs",
                "pub struct Cart {\n    pub n_wheels: u32,\n    pub n_horses: u32,\n}\n",
            ),
            (
                "examples/buy.rs",
                "use shop::prelude::*;\n\nfn main() {\n    let cart: Cart = make(Place { line: 1, column: 2 });\n    drop(cart);\n}\n",
            ),
        ];
        let packages = [
            package(Ecosystem::Cargo, "shop", ""),
            package(Ecosystem::Cargo, "shop_core", "crates/core"),
            package(Ecosystem::Cargo, "other", "crates/other"),
        ];
        let place: &[&str] = &["crates/core/src/parts/place.rs Place (import)"];
        let cart: &[&str] = &["crates/core/src/cart.rs Cart (import)"];
        check(
            &files,
            &packages,
            &[
                ("crates/core/src/cart.rs", "Place", place),
                ("crates/core/src/check.rs", "Cart", cart),
                ("crates/core/src/check.rs", "is_far", &["crates/core/src/parts/place.rs is_far (import)"]),
                ("examples/buy.rs", "Place", place),
                ("examples/buy.rs", "Cart", cart),
            ],
        );
    }

    #[test]
    fn packages_of_python_hand_out_what_their_modules_declare() {
        let files = [
            ("shop/__init__.py", "from .impl import Cart\nfrom .parts import *\n"),
            ("shop/impl/__init__.py", "from ._cart import Cart\n"),
            (
                "shop/impl/_cart.py",
                "class Cart:\n    def pay(self):\n        return 'what is in the cart is paid'\n",
            ),
            ("shop/parts.py", "def wheel():\n    return 'one of the four that a cart has'\n"),
            (
                "shop/old.py",
                "class Cart:\n    def pay(self):\n        return 'not any more'\n\ndef wheel():\n    return 'an old one'\n",
            ),
            (
                "use.py",
                "from shop import Cart, wheel\n\ndef buy():\n    return Cart() and wheel() and 'what was bought'\n",
            ),
            (
                "shop/inner/a.py",
                "from .. import Cart\n\ndef inner():\n    return Cart() and 'what was bought within'\n",
            ),
        ];
        let packages = [package(Ecosystem::Python, "shop", "shop")];
        check(
            &files,
            &packages,
            &[
                ("use.py", "Cart", &["shop/impl/_cart.py Cart (import)"]),
                ("use.py", "wheel", &["shop/parts.py wheel (import)"]),
                ("shop/inner/a.py", "Cart", &["shop/impl/_cart.py Cart (import)"]),
            ],
        );
    }

    #[test]
    fn packages_of_typescript_hand_out_what_their_modules_declare() {
        let files = [
            ("packages/core/src/index.ts", "export * from './cart'\nexport { wheel } from './parts/wheel'\n"),
            (
                "packages/core/src/cart.ts",
                "export class Cart {\n  pay() {\n    return 'what is in the cart is paid'\n  }\n}\n",
            ),
            (
                "packages/core/src/parts/wheel.ts",
                "export function wheel() {\n  return 'one of the four that a cart has'\n}\n",
            ),
            (
                "packages/old/src/cart.ts",
                "export class Cart {\n  pay() {\n    return 'not any more'\n  }\n}\nexport function wheel() {\n  return 'an old one'\n}\n",
            ),
            (
                "packages/app/src/buy.ts",
                "import { Cart, wheel } from '@shop/core'\n\nexport function buy() {\n  return new Cart().pay() + wheel()\n}\n",
            ),
        ];
        let packages = [
            package(Ecosystem::Npm, "@shop/core", "packages/core"),
            package(Ecosystem::Npm, "@shop/app", "packages/app"),
        ];
        check(
            &files,
            &packages,
            &[
                ("packages/app/src/buy.ts", "Cart", &["packages/core/src/cart.ts Cart (import)"]),
                ("packages/app/src/buy.ts", "wheel", &["packages/core/src/parts/wheel.ts wheel (import)"]),
            ],
        );
    }

    #[test]
    fn scripts_export_names_under_other_names_and_modules_as_names() {
        let files = [
            (
                "packages/shop/src/index.ts",
                "import * as s from './all'\nexport * from './checks'\nexport * from './all'\nexport { s, s as default }\n",
            ),
            (
                "packages/shop/src/checks.ts",
                "export * from './all'\nexport const isFull = () => 'whether it is full'\n",
            ),
            (
                "packages/shop/src/all.ts",
                "export * as inner from './inner'\nexport * from './cart'\nexport * from './checks'\n",
            ),
            (
                "packages/shop/src/cart.ts",
                "export function cart() {\n  return 'a cart of the new kind'\n}\nfunction _null() {\n  return 'a cart without wheels'\n}\nexport { _null as null }\n",
            ),
            ("packages/shop/src/inner.ts", "export function wheel() {\n  return 'one wheel of four'\n}\n"),
            (
                "packages/shop/src/old.ts",
                "export function cart() {\n  return 'an old cart'\n}\nexport function wheel() { return 3 }\n",
            ),
            (
                "packages/shop/src/page.ts",
                "export default function view() {\n  return 'the page of a cart'\n}\n",
            ),
            (
                "packages/app/a.ts",
                "import * as s from '@a/shop'\nexport function a() {\n  return s.cart() + s.null() + s.inner.wheel()\n}\n",
            ),
            (
                "packages/app/b.ts",
                "import { s } from '@a/shop'\nimport anyName from '@a/shop/page'\nexport function b() {\n  return s.cart() + s.inner.wheel() + anyName()\n}\n",
            ),
        ];
        let packages = [
            package(Ecosystem::Npm, "@a/shop", "packages/shop"),
            package(Ecosystem::Npm, "app", "packages/app"),
        ];
        let cart: &[&str] = &["packages/shop/src/cart.ts cart (import)"];
        let wheel: &[&str] = &["packages/shop/src/inner.ts wheel (import)"];
        check(
            &files,
            &packages,
            &[
                ("packages/app/a.ts", "cart", cart),
                ("packages/app/a.ts", "null", &["packages/shop/src/cart.ts _null (import)"]),
                ("packages/app/a.ts", "wheel", wheel),
                ("packages/app/b.ts", "cart", cart),
                ("packages/app/b.ts", "wheel", wheel),
                ("packages/app/b.ts", "anyName", &["packages/shop/src/page.ts view (import)"]),
            ],
        );
    }

    #[test]
    fn a_module_is_not_what_it_exports_by_default() {
        let files = [
            (
                "src/core/util.ts",
                "export function parse(text: string) {\n  return text.length\n}\nexport default function build(n: number) {\n  return n\n}\n",
            ),
            (
                "src/core/index.ts",
                "export * as util from './util'\nexport { default as Maker } from './util'\n",
            ),
            (
                "src/index.ts",
                "import * as core from './core'\nexport { core }\nexport * from './core'\nexport { default } from './core/util'\n",
            ),
            (
                "src/names.ts",
                "import * as util from './core/util'\nexport { util as tools }\nexport default util\n",
            ),
            (
                "src/a.ts",
                "import { util } from './core'\nimport * as all from './index'\nexport function a() {\n  \
                 return [util.parse('a'), all.core.util.parse('b'), all.util.parse('c'), all.Maker(1)]\n}\n",
            ),
            (
                "src/b.ts",
                "import built from './index'\nimport names, { tools } from './names'\nexport function b() {\n  \
                 return [built(1), names.parse('a'), tools.parse('b')]\n}\n",
            ),
        ];
        let parse: &[&str] = &["src/core/util.ts parse (import)"];
        let build: &[&str] = &["src/core/util.ts build (import)"];
        check(
            &files,
            &[package(Ecosystem::Npm, "shop", "")],
            &[
                ("src/a.ts", "parse", parse),
                ("src/a.ts", "util", &[]),
                ("src/a.ts", "all", &[]),
                ("src/a.ts", "Maker", build),
                ("src/names.ts", "util", &[]),
                ("src/b.ts", "parse", parse),
                ("src/b.ts", "built", build),
                ("src/b.ts", "names", &[]),
            ],
        );
    }

    #[test]
    fn types_are_followed_through_packages() {
        let files = [
            ("packages/shop/src/index.ts", "export * from './cart'\n"),
            (
                "packages/shop/src/cart.ts",
                "export interface Cart {\n  pay(): Bill\n  owner: Person\n}\nexport interface Bill {\n  sum(): number\n}\nexport interface Person {\n  greet(): string\n}\nexport function open(): Cart {\n  return make('an open cart')\n}\n",
            ),
            ("packages/shop/src/old.ts", "export interface Old {\n  sum(): string\n  greet(): string\n}\n"),
            (
                "packages/app/a.ts",
                "import { open } from '@a/shop'\nexport function a() {\n  const cart = open()\n  cart.owner.greet()\n  return open().pay().sum()\n}\n",
            ),
        ];
        let packages = [
            package(Ecosystem::Npm, "@a/shop", "packages/shop"),
            package(Ecosystem::Npm, "app", "packages/app"),
        ];
        check(
            &files,
            &packages,
            &[
                ("packages/app/a.ts", "pay", &["packages/shop/src/cart.ts Cart.pay (declared type)"]),
                ("packages/app/a.ts", "sum", &["packages/shop/src/cart.ts Bill.sum (declared type)"]),
                ("packages/app/a.ts", "greet", &["packages/shop/src/cart.ts Person.greet (declared type)"]),
            ],
        );
    }

    #[test]
    fn an_import_begins_at_a_root_of_sources() {
        let files = [
            ("src/web/__init__.py", ""),
            ("src/web/json/__init__.py", "def loads(text):\n    return 'what the text says'\n"),
            (
                "src/web/app.py",
                "import json\n\ndef read(text):\n    return json.loads(text) and 'what is read from a text'\n",
            ),
            (
                "src/web/own.py",
                "from . import json\n\ndef read(text):\n    return json.loads(text) and 'what is read from it'\n",
            ),
            ("a/app/models.py", "class User:\n    name = 'a user of the first project'\n"),
            ("b/app/models.py", "class User:\n    name = 'a user of the second project'\n"),
            (
                "b/app/views.py",
                "from app.models import User\n\ndef view():\n    return User() and 'the view of a user'\n",
            ),
        ];
        check(
            &files,
            &[],
            &[
                ("src/web/app.py", "loads", &[]),
                ("src/web/own.py", "loads", &["src/web/json/__init__.py loads (import)"]),
                ("b/app/views.py", "User", &["b/app/models.py User (import)"]),
            ],
        );
    }
}
