//! Feeds records to a segment builder.
//!
//! Input: a path and a record. The record's chunks go to the builder as they are decoded.

use bstr::BStr;

use crate::index::record::{ChunkView, RecordView, Scratch};

use super::build::{DeclarationInput, FileInput, SegmentBuilder};
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
        self.begin_file(
            path,
            FileInput {
                language: record.language(),
                n_lines: record.n_lines(),
                source_bytes: record.source_bytes(),
            },
        )?;
        record.visit::<Error>(scratch, |view| self.add_chunk(&view))
    }

    fn add_chunk(&mut self, view: &ChunkView<'_>) -> Result<()> {
        self.begin_chunk(&view.chunk)?;
        for declaration in view.declarations {
            self.declaration(&DeclarationInput {
                name: declaration.name,
                scope: declaration.scope,
                kind: declaration.kind,
                parent: declaration.parent,
                span: declaration.span,
                name_line: declaration.name_line,
                signature: declaration.signature,
                body: declaration.body,
                doc: declaration.doc,
            })?;
        }
        for keyword in view.keywords {
            self.keyword(keyword.token, keyword.doc, keyword.signature, keyword.body)?;
        }
        for reference in view.references {
            self.reference(&Mention {
                kind: reference.kind,
                name: reference.name,
                qualifier: reference.qualifier,
                alias: reference.alias,
            })?;
        }
        self.end_chunk()
    }
}
