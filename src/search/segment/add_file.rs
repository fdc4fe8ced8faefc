//! Feeds records to a segment builder.
//!
//! Input: a path and a record. The record's chunks go to the builder as they are decoded.
//!
//! A record does not know the path of its file. A component is a class with the name of its file,
//! so that class is added here, in front of all that the record declares.

use bstr::BStr;

use crate::index::chunk::{Chunk, embedded_language};
use crate::index::record::{ChunkView, RecordView, Scratch};

use super::build::SegmentBuilder;
use super::component::Component;
use super::part::{DeclarationInput, FileInput, KnownReference, slot};
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
        let mut known = KnownStrings::default();
        let component = Component::of(path, record, words)?;
        record.visit_read::<Error>(words, |view| self.add_chunk(&view, &mut known, component.as_ref()))
    }

    fn add_chunk(
        &mut self,
        view: &ChunkView<'_>,
        known: &mut KnownStrings,
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
            let token = match slot(&mut known.tokens, keyword.string)? {
                Some(token) => *token,
                empty => *empty.insert(match keyword.common {
                    Some(number) => self.common_token(number, keyword.token)?,
                    None => self.token(keyword.token)?,
                }),
            };
            self.count(token, keyword.doc, keyword.signature, keyword.body)?;
        }
        for reference in view.references {
            match slot(&mut known.references, reference.target)? {
                Some(known) => self.repeat(known)?,
                empty => {
                    *empty = Some(self.reference(&Mention {
                        kind: reference.kind,
                        name: reference.name,
                        qualifier: reference.qualifier,
                        alias: reference.alias,
                    })?);
                }
            }
        }
        self.sketch(view.sketch)?;
        self.end_chunk()
    }
}

/// The words and references of a file that a builder has. They stand in several chunks of a file,
/// and are looked up once.
#[derive(Debug, Default)]
struct KnownStrings {
    /// By the ordinal of a string in the record, its token; `None` inside for a string that is not
    /// a word.
    tokens: Vec<Option<Option<u32>>>,
    /// By the number of a target in the record.
    references: Vec<Option<KnownReference>>,
}
