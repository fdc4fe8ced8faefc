//! The files that declare what a chunk names and its file imports.
//!
//! The type of a script's object may have no written name, as a store of `create(persist(f))`. Its
//! members are then declared beside something that the chunk names. That says more than the name of
//! the member, and is still a guess.

use crate::index::chunk::ReferenceKind;

use super::family::Family;
use super::resolve::{Candidates, Site, in_one_file, pick};
use super::rules::library::FileKey;
use super::{Candidate, Result};

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the candidates that are declared beside what the chunk of a script imports. None if
    /// these are in several files, because each of those may be the wrong one.
    pub(super) fn beside_imported(&self, candidates: &[&'g Candidate<'s>]) -> Result<Candidates<'g, 's>> {
        if self.scope.family != Family::Script {
            return Ok(Vec::new());
        }
        let files = self.imported_files()?;
        let file = |one: &Candidate<'_>| (one.file.part, one.file.ord);
        Ok(in_one_file(pick(candidates, |one| files.contains(&file(one)))))
    }

    fn imported_files(&self) -> Result<&'g [FileKey]> {
        if let Some(known) = self.graph.imported_files.get(&self.from) {
            return Ok(known);
        }
        let mut found: Vec<FileKey> = Vec::new();
        for mention in self.mentions()? {
            let is_value = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
            let is_imported = || self.scope.imports.iter().any(|import| import.local == mention.name);
            if !is_value || !mention.qualifier.is_empty() || !is_imported() {
                continue;
            }
            let (evidence, meant) = self.resolve(mention)?;
            for one in meant.iter().filter(|_| evidence.is_certain()) {
                let file = (one.file.part, one.file.ord);
                if !found.contains(&file) {
                    found.push(file);
                }
            }
        }
        Ok(self.graph.imported_files.insert(self.from, found.into()))
    }
}

#[cfg(test)]
mod tests {
    use crate::search::graph::tests::check;

    #[test]
    fn a_member_may_be_declared_beside_what_is_imported() {
        let part = |name: &str| {
            format!(
                "type Store{name}<S> = S extends {{ set: infer A }} ? {{ set(a: A): void; set(a: A, b: A): void }} : never\n\
                 export const {name} = (f: unknown): Store{name}<unknown> => f as never\n"
            )
        };
        let test = |names: &str, call: &str| {
            format!(
                "import {{ create }} from 'stores'\nimport {{ {names} }} from '../src/{names}'\n\
                 test('it', () => {{\n  const store = create()({call})\n  store.set(1)\n}})\n"
            )
        };
        let both = "import { log } from '../src/log'\nimport { keep } from '../src/keep'\ntest('it', () => {\n  \
                    const store = create()(keep(log(f)))\n  store.set(1)\n})\n";
        let all = ["src/keep.ts Storekeep.set (same name)", "src/log.ts Storelog.set (same name)"];
        check(
            &[
                ("src/log.ts", &part("log")),
                ("src/keep.ts", &part("keep")),
                ("tests/log.test.ts", &test("log", "log(f)")),
                ("tests/both.test.ts", both),
                ("tests/none.test.ts", &test("other", "other(f)")),
            ],
            &[
                ("tests/log.test.ts", "set", &["src/log.ts Storelog.set (type is mentioned)"]),
                ("tests/both.test.ts", "set", &all),
                ("tests/none.test.ts", "set", &all),
            ],
        );
    }
}
