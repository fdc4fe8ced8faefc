//! Records → a builder's input, chunk by chunk.

use bstr::BStr;

use crate::record::{RecordView, Scratch};

use super::build::{DeclarationInput, FileInput, SegmentBuilder};
use super::{Error, Result};

impl SegmentBuilder {
    /// Adds an indexed file.
    ///
    /// # Errors
    /// [`Error::Order`], and nothing is added; [`Error::Record`] for a damaged record, of which the chunks
    /// before the damage are added, and the builder can be used on; [`Error::Limit`], after which it can't.
    pub fn add_file(&mut self, path: &BStr, record: &RecordView<'_>, scratch: &mut Scratch) -> Result<()> {
        self.begin_file(
            path,
            FileInput {
                language: record.language(),
                n_lines: record.n_lines(),
                source_bytes: record.source_bytes(),
            },
        )?;
        record.visit(scratch, |view| -> Result<(), Error> {
            self.begin_chunk(&view.chunk)?;
            for d in view.declarations {
                self.declaration(&DeclarationInput {
                    name: d.name,
                    kind: d.kind,
                    parent: d.parent,
                    span: d.span,
                    name_line: d.name_line,
                    signature: d.signature,
                    body: d.body,
                    doc: d.doc,
                })?;
            }
            for keyword in view.keywords {
                self.keyword(keyword.token, keyword.doc, keyword.signature, keyword.body)?;
            }
            for reference in view.references {
                self.reference(reference.kind, reference.name)?;
            }
            self.end_chunk()
        })
    }
}
