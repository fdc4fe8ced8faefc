//! The C# program of a Razor file: fragments of the file, with what Razor's compiler would put
//! between them → one text, and for each of its bytes the place in the file.
//!
//! A file is the class of its component or page. Its `@code` blocks are the members, and its markup
//! is a method that names in turn whatever the markup refers to. So the grammar and the scopes of
//! the program say what a name means, as in a file of C#.

use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;

/// The name of the class, and of the method that stands for the markup.
pub(super) const CLASS: &str = "__";

/// A piece of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fragment {
    /// Text that the file does not have.
    Glue(&'static str),
    /// A part of the file.
    Source(ByteRange),
}

/// The parts of a class, each a list of fragments.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// `using` directives.
    pub(super) usings: Vec<Fragment>,
    /// Attributes of the class.
    pub(super) attributes: Vec<Fragment>,
    /// Names of type parameters.
    pub(super) parameters: Vec<ByteRange>,
    /// Types that the class inherits and implements.
    pub(super) bases: Vec<ByteRange>,
    /// The type of the model.
    pub(super) model: Option<ByteRange>,
    /// Injected services, the model, and the content of `@code` blocks.
    pub(super) members: Vec<Fragment>,
    /// Statements and expressions of the markup.
    pub(super) statements: Vec<Fragment>,
}

/// A program, and where its text comes from.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) text: String,
    /// The type of the model, in the file.
    pub(super) model: Option<ByteRange>,
    /// In order of the program: first byte in the program, range in the file.
    pieces: Vec<(u32, ByteRange)>,
}

impl Program {
    /// Writes the program of a class in a file.
    pub(super) fn new(file: &str, class: &Class) -> Self {
        let mut program = Self { model: class.model, ..Self::default() };
        program.add(file, &class.usings);
        program.add(file, &class.attributes);
        program.text.push_str("partial class __");
        program.list(file, "<", &class.parameters, ">");
        program.list(file, " : ", &class.bases, "");
        program.text.push_str("\n{\n");
        program.add(file, &class.members);
        program.text.push_str("\nvoid __()\n{\n");
        program.add(file, &class.statements);
        program.text.push_str("\n}\n}\n");
        program
    }

    fn list(&mut self, file: &str, open: &'static str, all: &[ByteRange], close: &'static str) {
        for (at, range) in all.iter().enumerate() {
            self.text.push_str(if at == 0 { open } else { ", " });
            self.add(file, &[Fragment::Source(*range)]);
        }
        self.text.push_str(if all.is_empty() { "" } else { close });
    }

    fn add(&mut self, file: &str, fragments: &[Fragment]) {
        for fragment in fragments {
            match fragment {
                Fragment::Glue(glue) => self.text.push_str(glue),
                Fragment::Source(range) => {
                    let at = offset(self.text.len());
                    let written = range.of(file);
                    self.text.push_str(written);
                    if !written.is_empty() {
                        self.pieces.push((at, *range));
                    }
                }
            }
        }
    }

    /// Returns the byte of the file that a byte of the program comes from.
    pub(super) fn source(&self, at: u32) -> Option<u32> {
        let next = self.pieces.partition_point(|(start, _)| *start <= at);
        let (start, range) = self.pieces.get(next.checked_sub(1)?)?;
        let by = at - start;
        (by < range.len()).then_some(range.start + by)
    }

    /// Returns the range of the file that a range of the program comes from: from its first byte,
    /// which must be in the file, to its last one that is.
    pub(super) fn source_range(&self, range: ByteRange) -> Option<ByteRange> {
        let start = self.source(range.start).filter(|_| !range.is_empty())?;
        let next = self.pieces.partition_point(|(first, _)| *first < range.end);
        let (first, piece) = self.pieces.get(next.checked_sub(1)?)?;
        let end = (piece.start + (range.end - first)).min(piece.end);
        (start < end).then_some(ByteRange { start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_the_program_lead_back_to_the_file() {
        let file = "@inject Clock Now\n@code { int n = 1; }";
        let at = |what: &str| {
            let start = offset(file.find(what).unwrap());
            ByteRange { start, end: start + offset(what.len()) }
        };
        let class = Class {
            members: vec![
                Fragment::Source(at("Clock Now")),
                Fragment::Glue(" { get; }\n"),
                Fragment::Source(at(" int n = 1; ")),
            ],
            ..Class::default()
        };
        let program = Program::new(file, &class);
        for name in ["Clock", "Now", "n = 1"] {
            let found = offset(program.text.find(name).unwrap());
            assert_eq!(program.source(found), Some(at(name).start), "{name}");
        }
        let property = offset(program.text.find("Clock").unwrap());
        let end = property + offset("Clock Now { get; }".len());
        assert_eq!(program.source_range(ByteRange { start: property, end }), Some(at("Clock Now")));
        assert_eq!(program.source(0), None);
        assert_eq!(program.source_range(ByteRange { start: 0, end }), None);
    }
}
