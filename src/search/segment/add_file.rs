//! Feeds records to a segment builder.
//!
//! Input: a path and a record. The record's chunks go to the builder as they are decoded.
//!
//! A record does not know the path of its file. A component is a class with the name of its file,
//! so that class is added here, in front of all that the record declares.

use bstr::BStr;

use crate::index::chunk::{Chunk, embedded_language};
use crate::index::record::{ChunkView, RecordView, Scratch};

use super::build::{DeclarationInput, FileInput, SegmentBuilder};
use super::component::Component;
use super::{Error, Mention, Result};

impl SegmentBuilder {
    /// Adds an indexed file from its record.
    ///
    /// # Errors
    /// - [`Error::Order`]: nothing was added.
    /// - [`Error::Record`]: the record is damaged. The chunks before the damage were added, and the
    ///   builder stays usable.
    /// - [`Error::Limit`]: the builder is no longer usable.
    pub fn add_file(&mut self, path: &BStr, record: &RecordView<'_>, scratch: &mut Scratch) -> Result<()> {
        record.read(scratch)?;
        self.add_read_file(path, record, scratch)
    }

    /// Adds an indexed file whose record's words are in `words`.
    ///
    /// # Errors
    /// The same as [`SegmentBuilder::add_file`].
    pub fn add_read_file(&mut self, path: &BStr, record: &RecordView<'_>, words: &Scratch) -> Result<()> {
        self.begin_file(
            path,
            FileInput {
                language: record.language(),
                n_lines: record.n_lines(),
                source_bytes: record.source_bytes(),
            },
        )?;
        // A word stands in several chunks of a file, and is looked up once.
        let mut tokens = FileTokens::default();
        let component = Component::of(path, record, words)?;
        record.visit_read::<Error>(words, |view| self.add_chunk(&view, &mut tokens, component.as_ref()))
    }

    fn add_chunk(
        &mut self,
        view: &ChunkView<'_>,
        tokens: &mut FileTokens,
        component: Option<&Component>,
    ) -> Result<()> {
        let behind = |ord: u32| if component.is_some() { ord.saturating_add(1) } else { ord };
        let inside = |ord: Option<u32>| ord.map(behind).or(component.map(|_| 0));
        let has_members = component.is_some_and(|one| one.has_members);
        let parent = |ord: Option<u32>| if has_members { inside(ord) } else { ord.map(behind) };
        self.begin_chunk(&Chunk { declaration: inside(view.chunk.declaration), ..view.chunk.clone() })?;
        if let Some(component) = component.filter(|_| view.ord == 0) {
            self.declaration(&component.declaration())?;
        }
        for declaration in view.declarations {
            let is_embedded = embedded_language(declaration.scope).is_some();
            self.declaration(&DeclarationInput {
                name: declaration.name,
                scope: declaration.scope,
                kind: declaration.kind,
                parent: if is_embedded { None } else { parent(declaration.parent) },
                span: declaration.span,
                name_line: declaration.name_line,
                signature: declaration.signature,
                body: declaration.body,
                doc: declaration.doc,
            })?;
        }
        for keyword in view.keywords {
            let token = tokens.number(keyword.string, || self.token(keyword.token))?;
            self.count(token, keyword.doc, keyword.signature, keyword.body)?;
        }
        for reference in view.references {
            self.reference(&Mention {
                kind: reference.kind,
                name: reference.name,
                qualifier: reference.qualifier,
                alias: reference.alias,
            })?;
        }
        self.sketch(view.sketch)?;
        self.end_chunk()
    }
}

/// The numbers of a file's tokens in a builder, by their ordinals in the file's record.
#[derive(Debug, Default)]
struct FileTokens {
    numbers: Vec<Option<Option<u32>>>,
}

impl FileTokens {
    /// Returns the number of a token; `look_up` gives it on its first appearance in the file.
    fn number(&mut self, ord: u32, look_up: impl FnOnce() -> Result<Option<u32>>) -> Result<Option<u32>> {
        let ord = ord as usize;
        if ord >= self.numbers.len() {
            self.numbers.resize(ord + 1, None);
        }
        match self.numbers.get_mut(ord) {
            Some(Some(known)) => Ok(*known),
            slot => {
                let number = look_up()?;
                if let Some(slot) = slot {
                    *slot = Some(number);
                }
                Ok(number)
            }
        }
    }
}
