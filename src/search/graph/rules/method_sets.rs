//! Method sets: which types of Go have all methods of an interface.
//!
//! A type of Go does not name its interfaces. It implements those whose methods it has. Methods are
//! compared by name; callers compare their parameters, which needs the source. An interface has the
//! methods of those that it embeds, and a type those of what it embeds.

use std::collections::BTreeSet;

use crate::index::chunk::DeclarationKind;

use crate::search::graph::family::Family;
use crate::search::graph::scope::folder;
use crate::search::graph::types::type_name;
use crate::search::graph::{Candidate, DeclarationRef, Graph, Result, is_type};
use crate::search::segment::FileView;

/// Most declarations of the rarest method that are looked at.
const MOST_METHODS: usize = 500;

/// Most declarations of a method whose types are looked at, besides those of the rarest one.
const RARE_METHODS: usize = 50;

/// A type with the methods that an interface asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodSet {
    /// The type.
    pub of: DeclarationRef,
    /// Each method of the interface, with that of the type.
    pub methods: Vec<(DeclarationRef, DeclarationRef)>,
}

impl<'s> Graph<'_, 's> {
    /// Returns the methods of the types that have those of the interface around a method.
    pub(in crate::search::graph) fn in_method_sets(&self, of: &Candidate<'s>) -> Result<Vec<DeclarationRef>> {
        let Some(ord) = of.row.parent.filter(|_| of.family == Family::Go) else { return Ok(Vec::new()) };
        let sets = self.method_sets(DeclarationRef { part: of.at.part, ord })?;
        let methods = sets.into_iter().flat_map(|set| set.methods);
        Ok(methods.filter(|(asked, _)| *asked == of.at).map(|(_, own)| own).collect())
    }

    /// Returns the types that have a method of each name that an interface of Go declares, by path
    /// and start. None for anything else, and for an interface without methods of its own.
    ///
    /// # Errors
    /// [`Error::Corrupt`](crate::search::graph::Error::Corrupt).
    pub fn method_sets(&self, interface: DeclarationRef) -> Result<Vec<MethodSet>> {
        let Some((file, row)) = self.declaration(interface) else { return Ok(Vec::new()) };
        if Family::of(file.language()) != Family::Go || row.kind != DeclarationKind::Interface {
            return Ok(Vec::new());
        }
        let is_asked = |one: &&Candidate<'s>| one.at == interface;
        let Some(own) = self.candidates(file.segment.name(&row))?.iter().find(is_asked) else {
            return Ok(Vec::new());
        };
        let mut asked: Vec<(DeclarationRef, &'s str)> = Vec::new();
        for of in std::iter::once(own).chain(self.embedded(own)?) {
            let methods = of
                .file
                .declarations()
                .filter(|one| one.row.parent == Some(of.at.ord) && one.row.kind == DeclarationKind::Method);
            asked.extend(methods.map(|one| (DeclarationRef { part: of.at.part, ord: one.ord }, one.name())));
        }
        let mut all: Vec<(DeclarationRef, Vec<&Candidate<'s>>)> = Vec::new();
        for (at, name) in asked {
            let is_method = |one: &&Candidate<'s>| {
                // The methods of an interface stand in it; those of a type name it.
                one.family == Family::Go
                    && one.row.kind == DeclarationKind::Method
                    && one.row.parent.is_none()
                    && !one.owner.is_empty()
            };
            all.push((at, self.candidates(name)?.iter().filter(is_method).collect()));
        }
        // A type may have a method, even the rarest, from what it embeds.
        let declared = all.iter().map(|(_, found)| found).filter(|found| !found.is_empty());
        let Some(n_rarest) = declared.clone().map(Vec::len).min().filter(|&n| n <= MOST_METHODS) else {
            return Ok(Vec::new());
        };
        let rare = declared.filter(|found| found.len() <= n_rarest.max(RARE_METHODS));
        let owners: BTreeSet<(&[u8], &str)> =
            rare.flatten().map(|one| (folder(one.file.path()), one.owner)).collect();
        let mut found = Vec::new();
        for (package, owner) in owners {
            let Some(of) = self.type_in(package, owner)? else { continue };
            if let Some(methods) = self.methods_of(of, &all)? {
                found.push(MethodSet { of: of.at, methods });
            }
        }
        Ok(found)
    }

    /// Returns each method that is asked for, with the one of its candidates that a type has: its
    /// own, or that of what it embeds. An embedded interface gives its methods without a
    /// declaration of them. `None` if the type lacks a method.
    fn methods_of<'g>(
        &'g self,
        of: &'g Candidate<'s>,
        asked: &[(DeclarationRef, Vec<&Candidate<'s>>)],
    ) -> Result<Option<Vec<(DeclarationRef, DeclarationRef)>>> {
        let declared = |all: &[&Candidate<'s>], of: &Candidate<'s>| {
            let (name, package) = (type_name(of), folder(of.file.path()));
            let is_of = |one: &&&Candidate<'s>| one.owner == name && folder(one.file.path()) == package;
            all.iter().find(is_of).map(|one| one.at)
        };
        let own: Vec<Option<DeclarationRef>> = asked.iter().map(|(_, all)| declared(all, of)).collect();
        // What a type embeds takes long to find, and does not count if it has all methods itself.
        let embedded = if own.iter().all(Option::is_some) { Vec::new() } else { self.embedded(of)? };
        let given = |at: DeclarationRef| {
            let around = self.declaration(at).and_then(|(_, row)| row.parent);
            embedded.iter().any(|of| of.at.part == at.part && Some(of.at.ord) == around).then_some(at)
        };
        let methods = asked.iter().zip(own).map(|((at, all), own)| {
            let inherited = || embedded.iter().find_map(|of| declared(all, of)).or_else(|| given(*at));
            Some((*at, own.or_else(inherited)?))
        });
        Ok(methods.collect())
    }

    /// Returns the type of Go that has a name in the package of a file.
    ///
    /// # Errors
    /// [`Error::Corrupt`](crate::search::graph::Error::Corrupt).
    pub fn type_of_package(&self, file: &FileView<'_>, name: &str) -> Result<Option<DeclarationRef>> {
        if Family::of(file.language()) != Family::Go {
            return Ok(None);
        }
        Ok(self.type_in(folder(file.path()), name)?.map(|one| one.at))
    }

    /// Returns the type of Go that has a name in the package in a folder.
    fn type_in(&self, package: &[u8], name: &str) -> Result<Option<&Candidate<'s>>> {
        let is_meant = |one: &&Candidate<'s>| {
            one.family == Family::Go
                && folder(one.file.path()) == package
                && is_type(one.row.kind)
                && !one.is_local
        };
        Ok(self.candidates(name)?.iter().find(is_meant))
    }

    /// Returns what a type of Go embeds, at any depth that supertypes are followed to.
    fn embedded<'g>(&'g self, of: &'g Candidate<'s>) -> Result<Vec<&'g Candidate<'s>>> {
        let mut embedded = Vec::new();
        self.climb(&[of], |level| {
            embedded.extend(level.iter().map(|one| one.of));
            Ok(None::<()>)
        })?;
        Ok(embedded)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    #[test]
    fn a_type_of_go_implements_the_interfaces_whose_methods_it_has() {
        let segment = sources(&[
            (
                "store/store.go",
                "package store\n\ntype Store interface {\n\tGet(key string) string\n\tPut(key, value string)\n}\n\n\
                 type Empty interface{}\n",
            ),
            (
                "mem/mem.go",
                "package mem\n\ntype Memory struct {\n\tn int\n}\n\nfunc (m *Memory) Get(key string) string {\n\treturn key\n}\n\n\
                 func (m *Memory) Put(key, value string) {\n\tm.n++\n}\n\ntype Half struct{}\n\n\
                 func (h Half) Get(key string) string {\n\treturn key\n}\n",
            ),
            (
                "both/both.go",
                "package both\n\ntype Walker interface {\n\tWalk()\n}\n\ntype Runner interface {\n\tRun()\n}\n\n\
                 type Both interface {\n\tWalker\n\tRunner\n}\n\ntype Dog struct{}\n\nfunc (d *Dog) Walk() {}\n\n\
                 func (d *Dog) Run() {}\n\ntype Cat struct{}\n\nfunc (c *Cat) Walk() {}\n",
            ),
            (
                "deep/deep.go",
                "package deep\n\nimport \"shop/both\"\n\ntype Deep interface {\n\tKeeper\n\tEater\n}\n\ntype base struct {\n\tKeeper\n}\n\n\
                 type Cow struct {\n\t*base\n\tn int\n}\n\nfunc (c *Cow) Eat() {}\n",
            ),
            (
                "deep/keeper.go",
                "package deep\n\ntype Keeper interface {\n\tKeep()\n\tOther\n}\n\ntype Other interface {\n\tOther()\n}\n\n\
                 type Eater interface {\n\tEat()\n}\n\nfunc (b *base) Other() {}\n",
            ),
            (
                "other/half.go",
                "package other\n\ntype Half struct{}\n\nfunc (h Half) Put(key, value string) {}\n",
            ),
        ]);
        let index = Index::whole(&segment);
        let graph = Graph::new(&index);
        let having = |name: &str| -> Vec<String> {
            let sets = graph.method_sets(graph.find(name).unwrap()[0]).unwrap();
            let path = |set: MethodSet| graph.declaration(set.of).unwrap().0.segment.symbol_path(set.of.ord);
            sets.into_iter().map(path).collect()
        };
        assert_eq!(having("Store"), ["Memory"]);
        assert_eq!(having("Both"), ["Dog"]);
        assert_eq!(having("Deep"), ["Cow"]);
        assert_eq!(having("Empty"), Vec::<String>::new());
        assert_eq!(having("Memory"), Vec::<String>::new());
    }
}
