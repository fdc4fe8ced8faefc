//! A place of a name → whether it means a member that the index leaves out, and how sure that is.
//!
//! The object in front of the name decides: the current one, a name with a declared type, the name
//! of a type, or the type whose fields are given values (`Store { limit: 3 }`). A name without an
//! object is a member in languages where the current object needs no name. Anything else is a
//! guess, unless another type of that object declares a member of the name.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::Arc;

use super::declared_types::DeclaredTypes;
use super::enumerator::{is_in, is_scoped_enumeration, outer_scope};
use super::record_component::is_record_component;
use super::rules::reference;
use super::words::{Remarks, enclosing_byte, mentions};
use crate::base::text::path;
use crate::base::threads;
use crate::index::chunk::{
    ByteRange, DeclarationKind, Language, MemberUses, ReferenceKind, SelfWord, SelfWords, has_headers,
    member_uses,
};
use crate::search::graph::{
    Evidence, class_around, has_implicit_self, is_function, is_type, without_companion,
};
use crate::search::segment::{DeclarationView, FileView};

/// The bytes at which declared members begin, each with the type that has it.
pub(super) type DeclaredMembers<'s> = Vec<(u32, DeclarationKind, Option<DeclarationView<'s>>)>;

/// A file with the name, its source, and where that declares members of the name.
pub(super) struct NamedFile<'s> {
    pub(super) repository: usize,
    pub(super) file: FileView<'s>,
    pub(super) text: Arc<str>,
    pub(super) declared: DeclaredMembers<'s>,
    /// What is not code.
    remarks: Remarks,
    /// The bytes and lines of the other places of the name, found when first needed.
    others: OnceCell<Vec<(u32, u32)>>,
    /// What the syntax says about the places, read when first needed.
    uses: OnceCell<MemberUses>,
}

impl<'s> NamedFile<'s> {
    pub(super) fn new(
        repository: usize,
        file: FileView<'s>,
        text: Arc<str>,
        declared: DeclaredMembers<'s>,
    ) -> Self {
        let remarks = Remarks::of(file.language());
        Self { repository, file, text, declared, remarks, others: OnceCell::new(), uses: OnceCell::new() }
    }

    /// Returns the places of the name that declare nothing, and are in no comment or import.
    pub(super) fn others(&self, name: &str) -> &[(u32, u32)] {
        self.others.get_or_init(|| {
            let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
            let remarks = &self.remarks;
            let mut places =
                mentions(&self.text, remarks, ByteRange { start: 0, end }, name, ReferenceKind::Use);
            places.retain(|(at, _)| {
                !remarks.contain(&self.text, *at) && !self.declared.iter().any(|one| one.0 == *at)
            });
            places
        })
    }

    /// Reads what the syntax of the files says about the places of the name, in parallel.
    pub(super) fn read_uses(files: &[Self], name: &str) {
        let files = files.iter().filter(|one| one.uses.get().is_none() && !one.others(name).is_empty());
        let files: Vec<&Self> = files.collect();
        let of = |one: &&Self| (Language::from_name(one.file.language()), one.text.clone());
        let jobs: Vec<(Option<Language>, Arc<str>)> = files.iter().map(of).collect();
        let read = threads::shares(&jobs, threads::worth(jobs.len(), 1), |share| {
            let uses = |(language, text): &(Option<Language>, Arc<str>)| {
                language.map(|language| member_uses(language, text, name)).unwrap_or_default()
            };
            share.iter().map(uses).collect::<Vec<MemberUses>>()
        });
        for (file, uses) in files.into_iter().zip(read.into_iter().flatten()) {
            let _ = file.uses.set(uses);
        }
    }

    fn uses(&self, name: &str) -> &MemberUses {
        self.uses.get_or_init(|| {
            let language = Language::from_name(self.file.language());
            language.map(|language| member_uses(language, &self.text, name)).unwrap_or_default()
        })
    }

    /// Returns whether a parameter or a variable has the name at a byte.
    fn is_hidden(&self, at: u32, name: &str) -> bool {
        self.uses(name).hidden.iter().any(|range| range.contains(at))
    }

    /// Returns the declared type of the object in front of a place, as it is written.
    fn object_type(&self, at: u32, name: &str) -> Option<&str> {
        let all = &self.uses(name).of_types;
        let found = all.binary_search_by_key(&at, |one| one.0).ok()?;
        all.get(found).map(|one| one.1.as_str())
    }
}

/// A member whose uses are looked for.
pub(super) struct Member<'a, 'g, 'i, 's> {
    /// The files with its name.
    pub(super) files: &'a [NamedFile<'s>],
    /// The file that declares it.
    pub(super) home: &'a NamedFile<'s>,
    /// The type that has it.
    pub(super) owner: Option<DeclarationView<'s>>,
    pub(super) name: &'a str,
    pub(super) kind: DeclarationKind,
    /// The number of members of the name that are asked for.
    pub(super) n: usize,
    /// Whether no other member of any type has the name.
    pub(super) is_only: bool,
    pub(super) types: DeclaredTypes<'g, 'i, 's>,
    /// The names of the types that inherit from its type.
    pub(super) heirs: HashSet<String>,
}

impl<'s> Member<'_, '_, '_, 's> {
    /// Returns the evidence that a place of the name means the member; `None` if it means something
    /// else. `around` is the declaration around the place.
    pub(super) fn evidence(
        &self,
        file: &NamedFile<'s>,
        at: u32,
        around: Option<&DeclarationView<'s>>,
    ) -> Option<Evidence> {
        let before = file.text.get(..at as usize).unwrap_or_default();
        let behind = file.text.get(at as usize + self.name.len()..).unwrap_or_default();
        let is_call = self.kind == DeclarationKind::Field && self.is_call(file.file.language(), behind);
        if is_call && !is_record_component(&self.home.file, self.owner, self.name) {
            return None;
        }
        let object = object(before);
        if let Some(object) = object.filter(|object| is_own_object(object, around, file)) {
            return self.of_own_object(file, object, around);
        }
        if let Some(ty) = file.object_type(at, self.name) {
            return self.of_type(file, at, ty);
        }
        if object.is_none() && is_alone(before) && self.is_imported(file) && !file.is_hidden(at, self.name) {
            return Some(Evidence::Import);
        }
        if let Some(outer) = outer_scope(self.owner.as_ref(), &self.home.text)
            && object == Some(outer.name())
        {
            let is_module = outer.row.kind == DeclarationKind::Module;
            let n = if is_module { self.n } else { self.types.n_named(outer.name()) };
            return Some(if n == 1 { Evidence::Qualifier } else { self.guess() });
        }
        // `NodeTypes.ELEMENT` is not a member of `ShapeFlags`.
        let is_owner = |name: &&str| self.owner.is_some_and(|owner| owner.name() == *name);
        let path = type_path(before).or(object.filter(is_owner));
        let ty = path.map(|path| path.rsplit(['.', ':', '\\']).next().unwrap_or(path));
        let named = ty.map_or(0, |ty| self.types.n_named(ty));
        if named > 0 {
            return self.of_type_named(file, at, path.unwrap_or_default(), named);
        }
        // An alternative may be named alone: in C, behind `case`, or after an import.
        let code = file.remarks.code_before(&file.text, at);
        if self.kind == DeclarationKind::Variant && is_alone(code) && has_headers(file.file.language()) {
            return self.enumerator(file, at, around);
        }
        if self.kind != DeclarationKind::Field || !is_alone(code) {
            return Some(self.guess());
        }
        match key(code, behind, file.file.language()) {
            Some(of) => self.of_key(file, of, around),
            None => self.bare(file, at),
        }
    }

    /// Returns whether a file imports the member by its name, behind the path of its type:
    /// `import shop.Kind.OPEN`.
    fn is_imported(&self, file: &NamedFile<'s>) -> bool {
        let Some(owner) = self.owner else { return false };
        let view = &file.file;
        let imports = view.segment.chunks_of(view.ord).filter_map(|chunk| view.segment.imports(chunk).ok());
        let mut named = imports.flatten().filter(|one| one.name == self.name && one.alias.is_empty());
        named.any(|one| {
            let (name, types) = self.types.meant(view, 0, without_companion(one.qualifier));
            let is_meant = match types.is_empty() {
                true => self.types.n_named(name) == 1,
                false => types.contains(&reference(&owner)),
            };
            name == owner.name() && is_meant
        })
    }

    /// Returns whether a name is called and so means a function: in Java always, elsewhere if the
    /// type of the member has one of its name.
    fn is_call(&self, language: &str, behind: &str) -> bool {
        if !behind.starts_with('(') || !matches!(language, "java" | "kotlin" | "swift") {
            return false;
        }
        let owner = self.owner.map_or("", |owner| owner.name());
        language == "java" || self.types.has_function(owner, self.name)
    }

    /// Returns the evidence for a member behind the path of a type, whose name `n` types have.
    fn of_type_named(&self, file: &NamedFile<'s>, at: u32, path: &str, n: usize) -> Option<Evidence> {
        let owner = self.owner?;
        let (name, types) = self.types.meant(&file.file, at, path);
        let is_meant = |owner: &DeclarationView<'_>| types.contains(&reference(owner));
        if n > 1 && !types.is_empty() {
            return is_meant(&owner).then_some(Evidence::Qualifier);
        }
        (owner.name() == name).then(|| if n == 1 { Evidence::Qualifier } else { self.guess() })
    }

    /// Returns the evidence for a name without an object in C or C++, of an enumeration that gives
    /// its alternatives to the scope around it. The file must see them, and nothing nearer may have
    /// the name.
    fn enumerator(
        &self,
        file: &NamedFile<'s>,
        at: u32,
        around: Option<&DeclarationView<'s>>,
    ) -> Option<Evidence> {
        let behind = file.text.get(at as usize + self.name.len()..).unwrap_or_default();
        let is_scoped =
            self.owner.is_some_and(|owner| is_scoped_enumeration(owner.row.signature.of(&self.home.text)));
        if file.is_hidden(at, self.name) || is_scoped || behind.trim_start().starts_with('(') {
            return None;
        }
        // In C, the alternatives of an enumeration are visible everywhere.
        let is_c = self.home.file.language() == "c" && file.file.language() == "c";
        if is_c && self.is_only {
            return Some(Evidence::Only);
        }
        let Some(owner) = self.owner else { return Some(self.guess()) };
        let sees = |one: &NamedFile<'s>| std::ptr::eq(one, file) || self.types.sees(&file.file, &one.file);
        let n_seen: usize = self.files.iter().filter(|one| sees(one)).map(|one| one.declared.len()).sum();
        // A name in a namespace or a type is known there.
        let outer = owner.row.parent.and_then(|parent| owner.file.segment.declaration(parent));
        let outer = outer.map(|outer| owner.file.segment.name(&outer));
        let is_inside = outer.is_none_or(|outer| around.is_some_and(|around| is_in(around, outer)));
        if n_seen != 1 || !is_inside || !sees(self.home) {
            return Some(self.guess());
        }
        Some(if std::ptr::eq(self.home, file) { Evidence::File } else { Evidence::Import })
    }

    /// Returns the evidence where nothing but the name speaks for the member.
    fn guess(&self) -> Evidence {
        if self.n == 1 { Evidence::Sole } else { Evidence::Name }
    }

    /// Returns the evidence for a member of the current object, or of its class.
    fn of_own_object(
        &self,
        file: &NamedFile<'s>,
        object: &str,
        around: Option<&DeclarationView<'s>>,
    ) -> Option<Evidence> {
        let class = around.map_or("", |one| class_around(&file.file, Some(one.ord)));
        let Some(owner) = self.owner else { return Some(self.guess()) };
        let is_inherited = SelfWords::of(file.file.language()).meaning(object) == Some(SelfWord::Inherited);
        if class == owner.name() && self.is_of_owner(file) {
            return Some(if is_inherited { self.guess() } else { Evidence::Class });
        }
        // The class may have the member from elsewhere, but not from here, if it declares one.
        let is_other = !class.is_empty() && class != owner.name() && !is_inherited;
        (!(is_other && self.declares(file, class))).then(|| self.guess())
    }

    /// Returns the evidence for a member of an object of a declared type.
    fn of_type(&self, file: &NamedFile<'s>, at: u32, ty: &str) -> Option<Evidence> {
        let Some(owner) = self.owner else { return Some(self.guess()) };
        let (name, types) = self.types.meant(&file.file, at, ty);
        if types.contains(&reference(&owner)) && name == owner.name() {
            return Some(Evidence::Declared);
        }
        let is_other = !types.is_empty() && name != owner.name() && self.declares(file, name);
        (!is_other).then(|| self.guess())
    }

    /// Returns the evidence for a field that gets a value in braces behind `word`, which is empty
    /// if the type of the value is not written.
    fn of_key(
        &self,
        file: &NamedFile<'s>,
        word: &str,
        around: Option<&DeclarationView<'s>>,
    ) -> Option<Evidence> {
        let Some(owner) = self.owner else { return Some(self.guess()) };
        if word == "Self" {
            return self.of_own_object(file, word, around);
        }
        if word == owner.name() {
            let is_it = self.types.n_named(word) == 1 || std::ptr::eq(file, self.home);
            return Some(if is_it { Evidence::Qualifier } else { self.guess() });
        }
        let is_other = self.types.n_named(word) > 0 && !self.heirs.contains(word);
        (!is_other).then(|| self.guess())
    }

    /// Returns what a name without an object means at a byte.
    fn bare(&self, file: &NamedFile<'s>, at: u32) -> Option<Evidence> {
        let language = file.file.language();
        let owner = self.owner?;
        if is_argument(&file.text, at as usize, self.name, language, owner.name()) {
            return Some(self.guess());
        }
        if !has_implicit_self(language)
            || is_label(&file.text, at as usize, self.name)
            || file.is_hidden(at, self.name)
        {
            return None;
        }
        let around = enclosing_byte(&file.file, at);
        let mut next = around;
        while let Some(one) = next {
            let is_whole = is_type(one.row.kind) && one.row.kind != DeclarationKind::Implementation;
            let class = if is_type(one.row.kind) { one.name() } else { one.file.segment.scope(&one.row) };
            let class = class.rsplit(['.', ':']).next().unwrap_or(class);
            if class == owner.name() && !class.is_empty() && self.is_of_owner(file) {
                return Some(Evidence::Class);
            }
            if class == owner.name() && !class.is_empty() && !is_whole {
                return Some(self.guess());
            }
            // An inner type has a member of that name itself.
            let declares = |(_, _, of): &(u32, DeclarationKind, Option<DeclarationView<'_>>)| {
                is_whole && of.is_some_and(|of| of.ord == one.ord)
            };
            if file.declared.iter().any(declares) {
                return None;
            }
            if self.heirs.contains(class) {
                return Some(self.guess());
            }
            let parent = one.row.parent.filter(|&parent| parent < one.ord);
            next = parent.and_then(|ord| {
                Some(DeclarationView { ord, row: one.file.segment.declaration(ord)?, ..one })
            });
        }
        None
    }

    /// Returns whether a type with the name of the member's type is that type in a file: the file
    /// declares it, or the language lets its members stand elsewhere, and no other type is meant.
    fn is_of_owner(&self, file: &NamedFile<'s>) -> bool {
        let Some(owner) = self.owner else { return false };
        if std::ptr::eq(file, self.home) {
            return true;
        }
        let language = file.file.language();
        let is_whole = |one: DeclarationView<'_>| {
            one.name() == owner.name()
                && is_type(one.row.kind)
                && one.row.kind != DeclarationKind::Implementation
                && !one.row.body.is_empty()
        };
        let is_in_parts = language == "c-sharp";
        let is_spread = is_in_parts || matches!(language, "cpp" | "go" | "rust" | "swift");
        let is_beside = matches!(language, "c-sharp" | "go")
            && path::parent(file.file.path()) == path::parent(self.home.file.path());
        is_spread
            && (is_in_parts || !file.file.declarations().any(is_whole))
            && (is_beside || self.types.n_named(owner.name()) == 1)
    }

    /// Returns whether a type that a file names declares a member of the name itself.
    fn declares(&self, file: &NamedFile<'s>, class: &str) -> bool {
        let is_of = |one: &NamedFile<'_>| {
            one.declared.iter().any(|(_, _, of)| of.is_some_and(|of| of.name() == class))
        };
        !self.heirs.contains(class)
            && (is_of(file) || self.types.n_named(class) == 1 && self.files.iter().any(is_of))
    }
}

/// Returns the name of the object in front of a member. `None` if there is no object, if it has no
/// name, as the result of a call, or if it is itself a member, as `b` in `a.b.size`.
fn object(before: &str) -> Option<&str> {
    if before.ends_with('@') {
        return Some("@");
    }
    let before = before.strip_suffix('$').unwrap_or(before);
    let object = ["?->", "->", "::", "?.", "!.", "."].iter().find_map(|mark| before.strip_suffix(mark))?;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let name = object.get(object.trim_end_matches(is_word).len()..)?;
    // Behind another name, it is a member itself.
    let is_first = !object.get(..object.len() - name.len())?.ends_with(['.', '>']);
    (is_first && !name.is_empty()).then_some(name)
}

/// Returns the path of the type in front of a member: `l1.Kind` of `l1.Kind.ON`. `None` if what is
/// in front has a small letter, as an object has, or is not a path.
fn type_path(before: &str) -> Option<&str> {
    let before = ["?->", "->", "::", "?.", "!.", "."].iter().find_map(|mark| before.strip_suffix(mark))?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '\\');
    let path = before.get(before.trim_end_matches(is_part).len()..)?;
    let path = path.trim_start_matches(['.', ':', '\\']);
    let name = path.rsplit(['.', ':', '\\']).next()?;
    name.starts_with(char::is_uppercase).then_some(path)
}

/// Returns whether the name of an object is the current one, or its class.
fn is_own_object(object: &str, around: Option<&DeclarationView<'_>>, file: &NamedFile<'_>) -> bool {
    object == "@"
        || SelfWords::of(file.file.language()).meaning(object).is_some()
        || around.is_some_and(|around| receiver_of(around, &file.text) == Some(object))
}

/// Returns the name that a method of Go gives to its object: `t` of `func (t *T) f()`.
fn receiver_of<'t>(around: &DeclarationView<'_>, text: &'t str) -> Option<&'t str> {
    if around.file.language() != "go" || around.row.kind != DeclarationKind::Method {
        return None;
    }
    let head = around.row.signature.of(text).strip_prefix("func")?.trim_start().strip_prefix('(')?;
    head.split([' ', ')', ',']).next().filter(|name| !matches!(*name, "" | "_"))
}

/// Returns whether a name is not behind an object.
fn is_alone(before: &str) -> bool {
    let is_member =
        before.ends_with(['.', '@']) || ["->", "::", "::$"].iter().any(|end| before.ends_with(end));
    // `[..limit]` and `...limit` are not members.
    !is_member || before.ends_with("..")
}

/// Returns the type in front of the braces in which a name gets a value, or its value is taken:
/// `Store` of `Store{limit: 3}` and `Store { limit }`. Empty if no type is written there. `None` if
/// the name is not such a key. `before` is the code in front of the name, without blanks.
fn key<'t>(before: &'t str, behind: &str, language: &str) -> Option<&'t str> {
    let after = behind.trim_start();
    let has_value = after.starts_with(':') && !after.starts_with("::") && !after.starts_with(":=");
    let is_short = after.starts_with([',', '}']);
    let is_written = match language {
        "go" => has_value,
        "javascript" | "jsx" | "rust" | "tsx" | "typescript" => has_value || is_short,
        "c-sharp" => is_assigned(after),
        _ => false,
    };
    if !is_written || !before.ends_with(['{', ',']) {
        return None;
    }
    let open = opened(before).filter(|open| before.get(*open..).is_some_and(|open| open.starts_with('{')))?;
    let head = before.get(..open).unwrap_or_default().trim_end();
    match language {
        "c-sharp" => made(head),
        "rust" => Some(last_name(head)).filter(|name| name.starts_with(char::is_uppercase)),
        // The keys of `[]Store{…}` are not fields.
        "go" => Some(last_name(head)).filter(|name| !is_element(head, name)),
        _ => Some(""),
    }
}

/// Returns whether a type at the end of a text is that of the elements of a list or a table of Go.
fn is_element(text: &str, name: &str) -> bool {
    let before = text.rfind(name).and_then(|at| text.get(..at)).unwrap_or_default();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*');
    !name.is_empty() && before.trim_end_matches(is_path).ends_with(']')
}

/// Returns the type of a value of C# that is made in front of braces: `Store` of `new Store(3)`,
/// empty for `new` and `with` alone. `None` if braces follow something else.
fn made(head: &str) -> Option<&str> {
    let head = match head.strip_suffix(')') {
        Some(inner) => head.get(..opened(inner)?)?.trim_end(),
        None => head,
    };
    let name = last_name(head);
    if matches!(name, "new" | "with") {
        return Some("");
    }
    let before = head.get(..head.rfind(name)?)?;
    let path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    let before = before.trim_end_matches(path);
    (last_name(before.trim_end()) == "new" && before.ends_with(char::is_whitespace)).then_some(name)
}

/// Returns the name at the end of a text, in front of type arguments; empty if there is none.
fn last_name(text: &str) -> &str {
    let mut depth = 0_usize;
    let is_argument = |c: char| {
        match c {
            '>' | ']' => depth += 1,
            '<' | '[' if depth > 0 => {
                depth -= 1;
                return true;
            }
            _ => {}
        }
        depth > 0
    };
    let text = text.trim_end_matches(is_argument).trim_end_matches("::");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.get(text.trim_end_matches(is_word).len()..).unwrap_or_default()
}

fn is_assigned(after: &str) -> bool {
    after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>")
}

/// Returns whether a name stands in front of an argument of the constructor of a type:
/// `Store(limit = 3)`. `owner` is the type.
fn is_argument(text: &str, at: usize, name: &str, language: &str, owner: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
    let is_written = match language {
        "dart" | "swift" => after.starts_with(':') && !after.starts_with("::"),
        "kotlin" | "python" | "scala" => is_assigned(after),
        _ => false,
    };
    let open = || opened(before).filter(|open| before.get(*open..).is_some_and(|open| open.starts_with('(')));
    is_written
        && before.ends_with([',', '('])
        && open().is_some_and(|open| last_name(before.get(..open).unwrap_or_default().trim_end()) == owner)
}

/// Returns whether a name stands in front of an argument that it names: `f(limit = 3)`,
/// `f(limit: 3)`.
fn is_label(text: &str, at: usize, name: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
    let is_given = after.starts_with(':') && !after.starts_with("::")
        || after.starts_with('=') && !after.starts_with("==");
    is_given && before.ends_with(['(', ','])
}

/// Returns where the innermost bracket begins that a text leaves open.
fn opened(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices().rev().take(MAX_OPEN) {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth == 0 => return Some(at),
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Longest distance, in characters, from a field's name to the bracket around it. Tables of data
/// are long.
const MAX_OPEN: usize = 100_000;

/// Returns whether the members of a declaration belong to a function, not to a type.
pub(super) fn is_local(around: Option<DeclarationView<'_>>) -> bool {
    around.is_some_and(|around| is_function(around.row.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_the_braces_of_a_type() {
        for (language, text, expected) in [
            ("go", "Store{at: 3}", Some("Store")),
            ("go", "&db.Store[int]{a: f(1), at: 3}", Some("Store")),
            ("go", "[]Store{at: {}}", None),
            ("go", "[]Store{{at: 3}}", Some("")),
            ("rust", "db::Store { at }", Some("Store")),
            ("rust", "Store::<u8> { a: 1, at: 3 }", Some("Store")),
            ("rust", "if x { at }", None),
            ("c-sharp", "new db.Store(3) { at = 3 }", Some("Store")),
            ("c-sharp", "new Store<int> { a = 1, at = 3 }", Some("Store")),
            ("c-sharp", "Store a = new() { at = 3 }", Some("")),
            ("c-sharp", "a with { at = 3 }", Some("")),
            ("c-sharp", "void F(int a) { at = a; }", None),
            ("c-sharp", "class renew { at = a; }", None),
            ("typescript", "f({ at: 3 })", Some("")),
            ("java", "{ at = 3 }", None),
        ] {
            let (before, behind) = text.split_once("at").unwrap();
            assert_eq!(key(before.trim_end(), behind, language), expected, "{text}");
        }
    }

    #[test]
    fn objects_are_named_in_front_of_a_member() {
        for (before, expected) in [
            ("self.", Some("self")),
            ("self?.", Some("self")),
            ("myself.", Some("myself")),
            ("$this->", Some("$this")),
            ("static::$", Some("static")),
            ("a.self.", None),
            ("f().", None),
            ("@", Some("@")),
            ("a", None),
        ] {
            assert_eq!(object(before), expected, "{before}");
        }
    }
}
