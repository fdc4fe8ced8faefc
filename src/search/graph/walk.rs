//! Edges of the graph: from a chunk along its references, and from a declaration back to its
//! referrers.
//!
//! Owns [`Edge`]. Referrers are not stored. They are found by resolving every mention of the
//! declaration's name and keeping those that mean it, so both directions always agree. Also finds
//! the declarations that a question names ([`Graph::find`]).

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::base::text::named_path;
use crate::index::chunk::{DeclarationKind, LOCAL_ALIAS, ReferenceKind};
use crate::search::segment::{ChunkRef, DeclarationRow, FileView, Mention, hyphenated_tags};

use super::family::Family;
use super::module::without_extension;
use super::scope::DEFAULT_EXPORT;
use super::written_name::Fit;
use super::{
    DeclarationRef, Evidence, Graph, MentionList, ResolvedDeclaration, Result, WrittenName, can_announce,
    is_function, is_prototype_alone, is_type, owner,
};

/// Maximum number of mentions of a name that are followed back, in order of segments and paths.
const MAX_REFERRERS: usize = 20_000;
/// Most other names of a declaration that are searched for.
const MAX_ALIASES: usize = 32;
/// Most files through which a default export is followed.
const MAX_HOMES: usize = 8;
/// Most places in a symbol at which the name may begin.
const MAX_SEPARATORS: usize = 16;

/// A reference from a chunk to a declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The referring chunk.
    pub from: ChunkRef,
    /// The declaration that it refers to.
    pub to: DeclarationRef,
    /// The kind of reference.
    pub kind: ReferenceKind,
    /// The evidence for it.
    pub evidence: Evidence,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
}

impl Edge {
    /// Returns the confidence; 1 for a certain reference.
    pub fn sure(&self) -> f64 {
        if self.evidence.is_certain() { 1.0 } else { self.confidence }
    }
}

impl<'s> Graph<'_, 's> {
    /// Returns the references of a chunk, in order of its mentions.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn outgoing(&self, from: ChunkRef) -> Result<Vec<Edge>> {
        self.outgoing_by(from, true, |_| Ok(true))
    }

    /// As [`Graph::outgoing`], for the mentions that `admits` accepts. `has_implementers`: also the
    /// methods that a called one may be implemented by.
    pub(super) fn outgoing_by(
        &self,
        from: ChunkRef,
        has_implementers: bool,
        mut admits: impl FnMut(&Mention<'s>) -> Result<bool>,
    ) -> Result<Vec<Edge>> {
        let Some(site) = self.site(from)? else { return Ok(Vec::new()) };
        let mut edges = Vec::new();
        for mention in site.mentions()? {
            if !admits(mention)? {
                continue;
            }
            for resolved in site.resolved_by(mention, has_implementers)? {
                edges.push(Edge {
                    from,
                    to: resolved.to,
                    kind: mention.kind,
                    evidence: resolved.evidence,
                    confidence: resolved.confidence,
                });
            }
        }
        Ok(edges)
    }

    /// Returns the references of these kinds to a declaration, by path, then by start.
    ///
    /// Of several mentions in one chunk, the surest counts. References to a type by its
    /// constructor's name are included.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn incoming(&self, to: DeclarationRef, kinds: &[ReferenceKind]) -> Result<Vec<Edge>> {
        let Some((file, row)) = self.declaration(to) else { return Ok(Vec::new()) };
        let name = file.segment.name(&row);
        let others = self.other_names(self, to)?;
        self.referring(to, name, &others, kinds, |from, mention| {
            Ok(self.resolve(from, mention)?.into_iter().find(|one| one.to == to))
        })
    }

    /// Returns the edges from the chunks that mention a declaration's name, or another name of it,
    /// where `meaning` confirms that they mean it.
    pub(super) fn referring(
        &self,
        to: DeclarationRef,
        name: &str,
        others: &[&'s str],
        kinds: &[ReferenceKind],
        mut meaning: impl FnMut(ChunkRef, &Mention<'s>) -> Result<Option<ResolvedDeclaration>>,
    ) -> Result<Vec<Edge>> {
        let mut best: BTreeMap<(BString, ChunkRef, ReferenceKind), Edge> = BTreeMap::new();
        for &kind in kinds {
            for (from, mention) in self.mentions_of(name, others, kind)? {
                let Some(resolved) = meaning(from, &mention)? else { continue };
                let path = self.path_of(from);
                let edge =
                    Edge { from, to, kind, evidence: resolved.evidence, confidence: resolved.confidence };
                let known = best.entry((path, from, kind)).or_insert(edge);
                if edge.evidence < known.evidence {
                    *known = edge;
                }
            }
        }
        let mut edges: Vec<Edge> = best.into_values().collect();
        edges.sort_by_cached_key(|edge| {
            (self.path_of(edge.from), self.line_of(edge.from), edge.kind, edge.from.ord)
        });
        Ok(edges)
    }

    /// Returns the types that inherit or implement a type, as edges from their chunks.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn implementers(&self, to: DeclarationRef) -> Result<Vec<Edge>> {
        self.incoming(to, &[ReferenceKind::Inherits])
    }

    /// Returns every live chunk that mentions a name with this kind of reference, with the mention.
    /// Other names of the same thing are searched for, too.
    pub(super) fn mentions_of(
        &self,
        name: &str,
        others: &[&'s str],
        kind: ReferenceKind,
    ) -> Result<Vec<(ChunkRef, Mention<'s>)>> {
        let mut found = self.mentions_by(name, kind)?.to_vec();
        if kind == ReferenceKind::Import {
            return Ok(found);
        }
        for other in others {
            found.extend_from_slice(self.mentions_by(other, kind)?);
        }
        Ok(found)
    }

    /// Returns every live chunk that mentions a name in this way, with the mention.
    fn mentions_by(&self, name: &str, kind: ReferenceKind) -> Result<&MentionList<'s>> {
        let key = (name.to_owned(), kind);
        if let Some(known) = self.mentioned.get(&key) {
            return Ok(known);
        }
        let mut found = Vec::new();
        self.add_mentions(name, kind, &mut found)?;
        Ok(self.mentioned.insert(key, found.into()))
    }

    fn add_mentions(
        &self,
        name: &str,
        kind: ReferenceKind,
        found: &mut Vec<(ChunkRef, Mention<'s>)>,
    ) -> Result<()> {
        for (part, segment) in self.index.segments() {
            for ord in segment.references(kind, name)? {
                let Some(row) = segment.chunk(ord) else { continue };
                if found.len() >= MAX_REFERRERS || !self.index.is_live(part, row.file) {
                    continue;
                }
                let of_name = segment.mentions(ord)?.into_iter();
                let of_name = of_name.filter(|mention| mention.kind == kind && mention.name == name);
                found.extend(of_name.map(|mention| (ChunkRef { part, ord }, mention)));
            }
        }
        Ok(())
    }

    /// Returns the other names by which files of this repository call a declaration of `home`,
    /// which may be this one: as they import or export it, or as they name the default export of
    /// its file.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn other_names(&self, home: &Graph<'_, 's>, to: DeclarationRef) -> Result<Vec<&'s str>> {
        let Some((file, row)) = home.declaration(to) else { return Ok(Vec::new()) };
        let (name, family) = (file.segment.name(&row), Family::of(file.language()));
        let mut names = self.aliases_of(name)?.to_vec();
        if family == Family::Script {
            // A script may rename what another one renamed.
            let mut at = 0;
            while let Some(one) = names.get(at).copied().filter(|_| names.len() < MAX_ALIASES) {
                for other in self.aliases_of(one)? {
                    if *other != name && !names.contains(other) {
                        names.push(other);
                    }
                }
                at += 1;
            }
        }
        // C# names an attribute without the end of its name.
        let short = family.attribute_suffix().and_then(|suffix| name.strip_suffix(suffix));
        names.extend(short.filter(|short| !short.is_empty()));
        // A setter of Ruby is called by an assignment.
        if family == Family::Ruby && is_function(row.kind) {
            names.extend(name.strip_suffix('=').filter(|name| name.ends_with(char::is_alphanumeric)));
        }
        if family == Family::Script && home.is_default_export(&file, name)? {
            names.extend(self.default_names(file.path())?.iter().filter(|one| **one != name));
        }
        let tags = if file.is_component(to.ord) { hyphenated_tags(name) } else { Vec::new() };
        for tag in tags {
            names.extend(
                self.mentions_by(&tag, ReferenceKind::Call)?.first().map(|(_, mention)| mention.name),
            );
        }
        Ok(names)
    }

    /// Returns the names by which scripts import something from the script at a path, and from
    /// those that hand on its default export.
    fn default_names(&self, path: &BStr) -> Result<&[&'s str]> {
        let key = path.to_string();
        if let Some(known) = self.default_names.get(&key) {
            return Ok(known);
        }
        let mut names: Vec<&'s str> = Vec::new();
        let mut homes: Vec<BString> = vec![path.to_owned()];
        let mut at = 0;
        while let Some(home) = homes.get(at).filter(|_| names.len() < MAX_ALIASES).cloned() {
            at += 1;
            let home = home.to_str_lossy();
            let (stem, folder) = module_stems(&home);
            for file in self.index.files().filter(|file| Family::of(file.language()) == Family::Script) {
                let mut hands_on = false;
                for chunk in file.segment.chunks_of(file.ord) {
                    for import in file.segment.imports(chunk)? {
                        let last = import.qualifier.rsplit('/').next().unwrap_or_default();
                        let last = without_extension(last);
                        if last != stem && last != folder && !matches!(last, "." | "..") {
                            continue;
                        }
                        let local = if import.alias.is_empty() { import.name } else { import.alias };
                        if names.len() < MAX_ALIASES && !names.contains(&local) {
                            names.push(local);
                        }
                        hands_on = hands_on
                            || homes.len() < MAX_HOMES
                                && (local == DEFAULT_EXPORT || self.is_default_export(&file, local)?);
                    }
                }
                if hands_on && !homes.iter().any(|home| home == file.path()) {
                    homes.push(file.path().to_owned());
                }
            }
        }
        Ok(self.default_names.insert(key, names.into()))
    }

    /// Returns whether a script exports a name as its default.
    fn is_default_export(&self, file: &FileView<'s>, name: &str) -> Result<bool> {
        let exports = self.exports(file)?;
        Ok(exports.iter().any(|one| one.own == name && one.exported == DEFAULT_EXPORT))
    }

    /// Returns the other names under which files import a name (`import name as other`) or export
    /// it (`export { name as other }`).
    pub(super) fn aliases_of(&self, name: &str) -> Result<&[&'s str]> {
        if let Some(known) = self.aliases.get(name) {
            return Ok(known);
        }
        let mut aliases: Vec<&'s str> = Vec::new();
        for kind in [ReferenceKind::Import, ReferenceKind::Use] {
            for (part, segment) in self.index.segments() {
                for ord in segment.references(kind, name)? {
                    let Some(row) = segment.chunk(ord) else { continue };
                    if aliases.len() >= MAX_ALIASES || !self.index.is_live(part, row.file) {
                        continue;
                    }
                    // Elsewhere, the alias of a use is a type.
                    let is_script = || {
                        let file = self.index.file(part, row.file);
                        file.is_some_and(|file| Family::of(file.language()) == Family::Script)
                    };
                    if kind == ReferenceKind::Use && !is_script() {
                        continue;
                    }
                    for one in segment.mentions(ord)? {
                        let renames = one.kind == kind
                            && one.name == name
                            && !matches!(one.alias, "" | DEFAULT_EXPORT | LOCAL_ALIAS)
                            && one.alias != name
                            && (kind == ReferenceKind::Import || one.qualifier.is_empty());
                        if renames && !aliases.contains(&one.alias) {
                            aliases.push(one.alias);
                        }
                    }
                }
            }
        }
        Ok(self.aliases.insert(name.to_owned(), aliases.into()))
    }

    fn path_of(&self, chunk: ChunkRef) -> BString {
        self.file_of(chunk).map(|file| file.path().to_owned()).unwrap_or_default()
    }

    fn line_of(&self, chunk: ChunkRef) -> u32 {
        let row = self.index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
        row.map_or(0, |row| row.span.start_line)
    }

    /// Returns the file of a chunk.
    pub fn file_of(&self, chunk: ChunkRef) -> Option<FileView<'s>> {
        let row = self.index.segment(chunk.part)?.chunk(chunk.ord)?;
        self.index.file(chunk.part, row.file)
    }

    /// Returns the declarations that a question means: `name`, `Type.name`, `package.name`,
    /// `path:name`, `path:line`.
    ///
    /// Behind the name of a package of the repository, those that the package exports by the name.
    /// Those whose places agree with the most qualifiers. By path, then by start, with tests,
    /// examples and copies after other code, and keys, sections and elements last. Names in another
    /// case match only if none matches as written.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn find(&self, symbol: &str) -> Result<Vec<DeclarationRef>> {
        // A name may itself hold a colon, and so may a path.
        let in_file = symbol.rmatch_indices(':').take(MAX_SEPARATORS).find_map(|(at, _)| {
            let (path, rest) = (symbol.get(..at)?, symbol.get(at + 1..)?);
            Some((self.index.file_by_path(named_path(path).as_bstr())?, rest))
        });
        if let Some((file, rest)) = in_file {
            return Ok(match rest.parse::<u32>() {
                Ok(line) => declaration_at(&file, line).into_iter().collect(),
                Err(_) => {
                    let mut found = self.find(rest)?;
                    found.retain(|at| {
                        self.declaration(*at)
                            .is_some_and(|(of, _)| (of.part, of.ord) == (file.part, file.ord))
                    });
                    found
                }
            });
        }
        // A key or a title may itself hold what separates the segments of other names.
        let whole: Vec<NameMatch<'s>> = self.having_name(symbol, &WrittenName::parse(""))?;
        let mut found: Vec<NameMatch<'s>> = whole.into_iter().filter(|one| one.is_exact).collect();
        if found.is_empty() {
            found = self.titled(symbol)?;
        }
        let written = WrittenName::parse(symbol);
        // A title may be the full name of something in the code, which is meant then.
        let is_section = |one: &NameMatch<'s>| {
            self.declaration(one.at).is_some_and(|(_, row)| row.kind == DeclarationKind::Section)
        };
        if written.n_qualifiers() > 0 && !found.is_empty() && found.iter().all(is_section) {
            let mut code = self.having_name(&written.name, &written)?;
            code.retain(|one| one.is_exact && one.fit.n == written.n_qualifiers() && !is_section(one));
            if !code.is_empty() {
                found = code;
            }
        }
        if found.is_empty() {
            found = self.having_name(&written.name, &written)?;
            // A type may be called like the package.
            let is_member = |one: &NameMatch<'s>| {
                let declared = self.declaration(one.at);
                let is_own = |of: &str| of.eq_ignore_ascii_case(written.nearest_qualifier());
                one.is_exact && declared.is_some_and(|(file, row)| is_own(owner(&file, &row).0))
            };
            if written.n_qualifiers() > 1 || !found.iter().any(is_member) {
                let exports = self.written_exports(&written)?;
                // The package says what it means by the name; a place only resembles it.
                let is_better = exports.is_certain || !found.iter().any(|one| one.is_exact);
                if !exports.all.is_empty() && is_better {
                    return Ok(exports.all);
                }
            }
        }
        if found.is_empty() {
            found = self.attribute(&written)?;
        }
        if found.iter().any(|one| one.is_exact) {
            found.retain(|one| one.is_exact);
        }
        if found.is_empty() && symbol.ends_with(':') {
            return self.find(symbol.trim_end_matches(':'));
        }
        // `#pay` is also how documentation writes a method.
        if found.is_empty() && written.name.starts_with('#') {
            return self.find(&symbol.replacen('#', "", 1));
        }
        let most = found.iter().map(|one| one.fit).max();
        found.retain(|one| Some(one.fit) == most);
        found.sort_by_key(|one| one.order);
        Ok(found.into_iter().map(|one| one.at).collect())
    }

    /// Returns the attributes of Ruby that a setter is of, which nothing else declares: `name=` of
    /// `attr_accessor :name`.
    fn attribute(&self, written: &WrittenName) -> Result<Vec<NameMatch<'s>>> {
        let name = written.name.strip_suffix('=').filter(|name| name.ends_with(char::is_alphanumeric));
        let Some(name) = name else { return Ok(Vec::new()) };
        let mut found = self.having_name(name, written)?;
        found.retain(|one| {
            let declared = self.declaration(one.at);
            declared.is_some_and(|(file, row)| {
                Family::of(file.language()) == Family::Ruby && row.kind == DeclarationKind::Field
            })
        });
        Ok(found)
    }

    /// Returns the sections and keys with this symbol path. Their names may hold whatever separates
    /// the segments of other names.
    fn titled(&self, symbol: &str) -> Result<Vec<NameMatch<'s>>> {
        let titles = symbol.match_indices(" > ");
        let keys = symbol.match_indices('.').take(MAX_SEPARATORS);
        for (at, separator) in titles.take(MAX_SEPARATORS).chain(keys) {
            let name = symbol.get(at + separator.len()..).unwrap_or_default();
            let mut found = self.having_name(name, &WrittenName::parse(""))?;
            found.retain(|one| {
                let Some((file, row)) = self.declaration(one.at) else { return false };
                matches!(row.kind, DeclarationKind::Section | DeclarationKind::Key)
                    && file.segment.symbol_path(one.at.ord) == symbol
            });
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Returns the live declarations of a name, in any case, whose place agrees with the
    /// qualifiers.
    fn having_name(&self, name: &str, qualified: &WrittenName) -> Result<Vec<NameMatch<'s>>> {
        let key = crate::search::segment::terms::symbol_key(name);
        let mut found = Vec::new();
        for (part, segment) in self.index.segments() {
            for ord in segment.symbol(&key)? {
                let at = DeclarationRef { part, ord };
                let Some((file, row)) = self.declaration(at) else { continue };
                if !self.index.is_live(part, file.ord) {
                    continue;
                }
                let Some(fit) = qualified.fit(&file, &row) else { continue };
                found.push(NameMatch {
                    at,
                    fit,
                    is_exact: segment.name(&row) == name,
                    order: (rank(&file, &row), file.path(), row.span.bytes.start),
                });
            }
        }
        Ok(found)
    }

    /// Returns whether a declaration is a type.
    pub fn is_type(&self, at: DeclarationRef) -> bool {
        self.declaration(at).is_some_and(|(_, row)| is_type(row.kind))
    }
}

/// Returns the innermost declaration around a line. A field or an enum variant counts only if the
/// line has its name and not that of another declaration.
fn declaration_at(file: &FileView<'_>, line: u32) -> Option<DeclarationRef> {
    let is_value =
        |row: &DeclarationRow| matches!(row.kind, DeclarationKind::Field | DeclarationKind::Variant);
    let around = || {
        file.declarations().filter(|one| (one.row.span.start_line..=one.row.span.end_line).contains(&line))
    };
    let whole = around().filter(|one| !is_value(&one.row)).last();
    let is_named = whole.is_some_and(|one| one.row.name_line == line);
    let value = around().filter(|one| is_value(&one.row) && one.row.name_line == line && !is_named).last();
    value.or(whole).map(|one| DeclarationRef { part: file.part, ord: one.ord })
}

/// Returns the names by which scripts import from the file at a path: its own, and its folder's if
/// it stands for that.
fn module_stems(path: &str) -> (&str, &str) {
    let mut segments = without_extension(path).rsplit('/');
    let stem = segments.next().unwrap_or_default();
    let folder = segments.next().filter(|_| stem == "index");
    (stem, folder.unwrap_or(stem))
}

/// Whether a declaration is data, only announces a function, or is in a test, an example or a copy.
/// Others come before each.
pub(super) type Rank = (bool, bool, bool);

pub(super) fn rank(file: &FileView<'_>, row: &DeclarationRow) -> Rank {
    let is_data =
        matches!(row.kind, DeclarationKind::Key | DeclarationKind::Section | DeclarationKind::Element);
    let is_prototype = is_prototype(file, row);
    let flags = file.flags();
    (is_data, is_prototype, flags.is_test() || flags.is_example() || flags.is_vendored())
}

/// Returns whether a declaration only announces a function: a prototype of C, or an overload beside
/// the implementation.
fn is_prototype(file: &FileView<'_>, row: &DeclarationRow) -> bool {
    let language = file.language();
    let announces = |row: &DeclarationRow| can_announce(language, row.kind, row.body.len());
    let name = file.segment.name(row);
    let is_implementation = |one: &DeclarationRow| {
        let is_beside = one.parent == row.parent && is_function(one.kind) && !announces(one);
        is_beside && file.segment.name(one) == name
    };
    announces(row)
        && (is_prototype_alone(language) || file.declarations().any(|one| is_implementation(&one.row)))
}

/// A declaration with the name that is looked for.
struct NameMatch<'s> {
    at: DeclarationRef,
    /// How well the qualifiers agree with its place.
    fit: Fit,
    /// Whether the case of the name agrees, too.
    is_exact: bool,
    /// By rank, then by path and start.
    order: (Rank, &'s BStr, u32),
}
