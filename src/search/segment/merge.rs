//! From records to segments: feeds a record's chunks to the builder as they are decoded.

use bstr::BStr;

use crate::index::record::{ChunkView, RecordView, Scratch};

use super::build::{DeclarationInput, FileInput, SegmentBuilder};
use super::{Error, Mention, Result};

impl SegmentBuilder {
    /// Adds an indexed file from its record.
    ///
    /// # Errors
    /// [`Error::Order`], and nothing is added; [`Error::Record`] for a damaged record, of which the chunks before
    /// the damage are added, and the builder can be used on; [`Error::Limit`], after which it can't.
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
