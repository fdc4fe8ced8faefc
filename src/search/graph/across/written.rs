//! Names behind the name of a package of this repository, as people write them: `gin.Context`,
//! `tokio::net::TcpStream`, `@tanstack/query-core.QueryClient`.
//!
//! Input: a written name and the packages of the repository. Output: the declarations that another
//! repository would mean by it, re-exports included. The rules are those of imports; only the name
//! of the package may be shortened, as its users shorten it.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::family::Family;
use crate::search::graph::scope::{folder, go_package};
use crate::search::graph::written_name::is_same_module;
use crate::search::graph::{Candidate, DeclarationRef, Graph, Result, WrittenName, is_type};

use super::lookup::{Lookup, PackageLookup, is_test};
use super::package::PackageIdentity;

/// What a package exports by a written name.
pub(in crate::search::graph) struct WrittenExports {
    /// The declarations, by path, then by start.
    pub(in crate::search::graph) all: Vec<DeclarationRef>,
    /// Whether the package certainly exports them by this name.
    pub(in crate::search::graph) is_certain: bool,
}

impl<'s> Graph<'_, 's> {
    /// Returns what the packages of this repository export by a name whose first qualifiers name
    /// one of them. Nothing for any other name.
    pub(in crate::search::graph) fn written_exports(&self, written: &WrittenName) -> Result<WrittenExports> {
        let mut guesses = Vec::new();
        for (known, within) in self.named_packages(&written.outermost_first()) {
            let lookup = PackageLookup {
                member: 0,
                known,
                within: &within,
                name: &written.name,
                kind: ReferenceKind::Use,
                is_of_all: false,
                is_vendored: false,
            };
            let (evidence, found) = Lookup::new(vec![self]).in_package(&lookup, 0)?;
            let mut found: Vec<Candidate<'s>> = found.into_iter().map(|(_, one)| one).collect();
            let is_exact = evidence.is_certain() && !found.is_empty();
            if known.family == Family::Go && found.is_empty() && within.is_empty() {
                found = self.in_go_module(known, &written.name)?;
            }
            if is_exact {
                return Ok(WrittenExports { all: self.with_parts(&found)?, is_certain: true });
            }
            if guesses.is_empty() {
                guesses = found;
            }
        }
        Ok(WrittenExports { all: self.with_parts(&guesses)?, is_certain: false })
    }

    /// Returns the packages that the first of some qualifiers name, each with the qualifiers that
    /// are left. Those that more qualifiers name come first.
    fn named_packages(&self, qualifiers: &[String]) -> Vec<(&PackageIdentity, Vec<String>)> {
        let mut found: Vec<(&PackageIdentity, usize)> = Vec::new();
        for known in &self.packages {
            let lengths = known.written_names().into_iter().filter_map(|name| {
                let own = qualifiers.get(..name.len()).filter(|own| !own.is_empty())?;
                own.iter().zip(&name).all(|(a, b)| is_same_module(a, b)).then_some(name.len())
            });
            found.extend(lengths.max().map(|n| (known, n)));
        }
        found.sort_by_key(|(_, n)| Reverse(*n));
        let rest = |n: usize| qualifiers.get(n..).unwrap_or_default().to_vec();
        found.into_iter().map(|(known, n)| (known, rest(n))).collect()
    }

    /// Returns the declarations of a name that a module of Go has in one folder only. Its main
    /// package need not be in the module's own folder.
    fn in_go_module(&self, known: &PackageIdentity, name: &str) -> Result<Vec<Candidate<'s>>> {
        let mut found = self.open_to(Family::Go, name, ReferenceKind::Use, false)?;
        found.retain(|one| one.owner.is_empty() && known.inside(one.file.path()).is_some() && !is_test(one));
        let first = found.first().map(|one| folder(one.file.path()));
        let is_one = found.iter().all(|one| Some(folder(one.file.path())) == first);
        Ok(if is_one { found } else { Vec::new() })
    }

    /// Returns declarations, and what adds to those of types in the same files.
    fn with_parts(&self, found: &[Candidate<'s>]) -> Result<Vec<DeclarationRef>> {
        let mut all: Vec<DeclarationRef> = Vec::new();
        for one in found {
            all.push(one.at);
            if !is_type(one.row.kind) {
                continue;
            }
            let is_part = |other: &&Candidate<'s>| {
                other.row.kind == DeclarationKind::Implementation
                    && (other.file.part, other.file.ord) == (one.file.part, one.file.ord)
            };
            let name = one.file.segment.name(&one.row);
            all.extend(self.candidates(name)?.iter().filter(is_part).map(|part| part.at));
        }
        let mut known = HashSet::new();
        all.retain(|at| known.insert(*at));
        Ok(all)
    }
}

impl PackageIdentity {
    /// Returns the names by which people write the package, each in segments: the whole one, and
    /// its last part, as its users call it. None if its names are those of namespaces, which the
    /// declarations themselves are in.
    fn written_names(&self) -> Vec<Vec<String>> {
        if matches!(self.family, Family::Ruby | Family::Php | Family::CSharp) {
            return Vec::new();
        }
        let whole = self.full(Vec::new());
        let short = match whole.split_last() {
            // `github.com/a/go-shop/v2` is `shop`. The segments have `_` for `-`.
            Some(_) if self.family == Family::Go => {
                Some(go_package(&whole.join("/").replace('_', "-")).to_owned())
            }
            Some((last, before)) if !before.is_empty() => Some(last.clone()),
            _ => None,
        };
        // A host has a dot, at which written names are split.
        let split = |name: &String| name.split('.').map(str::to_owned).collect::<Vec<_>>();
        let whole: Vec<String> = whole.iter().flat_map(split).collect();
        let short = short.filter(|one| !one.is_empty()).map(|one| vec![one]);
        std::iter::once(whole).filter(|name| !name.is_empty()).chain(short).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::search::graph::{Ecosystem, Graph, Graphs, Package};
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    /// Returns the places that written names find: `path:line`.
    fn check(files: &[(&str, &str)], packages: &[(Ecosystem, &str, &str)], expected: &[(&str, &[&str])]) {
        let segment = sources(files);
        let index = Index::whole(&segment);
        let package = |&(ecosystem, name, folder): &(Ecosystem, &str, &str)| Package {
            ecosystem,
            name: name.into(),
            folder: folder.into(),
        };
        let mut graphs = Graphs::default();
        graphs.add(Graph::new(&index), &packages.iter().map(package).collect::<Vec<_>>());
        let graph = graphs.graph(0).unwrap();
        for (written, places) in expected {
            let found = graph.find(written).unwrap().into_iter();
            let found: Vec<String> = found
                .map(|at| {
                    let (file, row) = graph.declaration(at).unwrap();
                    format!("{}:{}", file.path(), row.name_line)
                })
                .collect();
            assert_eq!(found, *places, "{written}");
        }
    }

    #[test]
    fn a_package_of_go_is_called_by_the_last_part_of_its_module() {
        check(
            &[
                (
                    "context.go",
                    "package shop\n\ntype Context struct {\n\tn int\n}\n\nfunc (c *Context) Reply(n int) int {\n\treturn n\n}\n",
                ),
                ("render/context.go", "package render\n\ntype Context struct {\n\tm int\n}\n"),
                ("src/core.go", "package shop\n\nfunc Run(n int) int {\n\treturn n\n}\n"),
            ],
            &[(Ecosystem::Go, "github.com/a/go-shop/v2", "")],
            &[
                ("shop.Context", &["context.go:3"]),
                ("github.com/a/go-shop/v2.Context", &["context.go:3"]),
                ("shop.Context.Reply", &["context.go:7"]),
                ("shop.Run", &["src/core.go:3"]),
                ("render.Context", &["render/context.go:3"]),
                ("shop.Other", &[]),
            ],
        );
    }

    #[test]
    fn a_crate_is_called_by_its_name_and_hands_out_what_it_re_exports() {
        check(
            &[
                (
                    "src/lib.rs",
                    "pub use crate::value::Value;\npub use crate::de::from_str;\nmod value;\nmod de;\n",
                ),
                (
                    "src/value/mod.rs",
                    "pub enum Value {\n    Null,\n    Bool(bool),\n}\n\nimpl Value {\n    pub fn is_null(&self) -> bool {\n        true\n    }\n}\n",
                ),
                ("src/de.rs", "pub fn from_str(text: &str) -> u32 {\n    text.len() as u32\n}\n"),
                (
                    "src/raw.rs",
                    "pub struct Value {\n    n: u32,\n}\n\npub fn from_str(n: u32) -> u32 {\n    n\n}\n",
                ),
            ],
            &[(Ecosystem::Cargo, "shop-json", "")],
            &[
                ("shop_json::Value", &["src/value/mod.rs:1", "src/value/mod.rs:6"]),
                ("shop_json::from_str", &["src/de.rs:1"]),
                ("shop_json::Value::is_null", &["src/value/mod.rs:7"]),
                ("shop_json::raw::from_str", &["src/raw.rs:5"]),
                ("raw::from_str", &["src/raw.rs:5"]),
            ],
        );
    }

    #[test]
    fn packages_of_npm_and_python_hand_out_what_they_re_export() {
        let client = "export class Client {\n  send() {\n    return 'what a client sends'\n  }\n}\n";
        check(
            &[
                ("packages/shop-core/src/index.ts", "export { Client } from './client'\n"),
                ("packages/shop-core/src/client.ts", client),
                ("packages/other/src/client.ts", client),
                ("till/__init__.py", "from ._client import Client\n"),
                ("till/_client.py", "class Client:\n    def send(self):\n        return 'what it sends'\n"),
                ("till/_old.py", "class Client:\n    def send(self):\n        return 'not any more'\n"),
            ],
            &[
                (Ecosystem::Npm, "@a/shop-core", "packages/shop-core"),
                (Ecosystem::Npm, "@a/other", "packages/other"),
                (Ecosystem::Python, "till", "till"),
            ],
            &[
                ("shop-core.Client", &["packages/shop-core/src/client.ts:1"]),
                ("@a/shop-core.Client", &["packages/shop-core/src/client.ts:1"]),
                ("till.Client", &["till/_client.py:1"]),
            ],
        );
    }
}
