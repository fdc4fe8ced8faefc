//! Hand-made files for tests, from short texts that say what each chunk declares and contains.

use crate::index::chunk::{ByteRange, Chunk, ChunkKind, DeclarationKind, ReferenceKind, Span};

use super::{DeclarationInput, FileInput, Mention, Segment, SegmentBuilder};

/// A file of a test. Each chunk has a declared name (or ""), a doc, and a text whose tokens are its
/// body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SampleFile {
    pub(crate) path: String,
    pub(crate) chunks: Vec<SampleChunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SampleChunk {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) body: String,
}

pub(crate) fn file(path: &str, chunks: &[(&str, &str, &str)]) -> SampleFile {
    SampleFile {
        path: path.to_owned(),
        chunks: chunks
            .iter()
            .map(|&(name, doc, body)| SampleChunk { name: name.into(), doc: doc.into(), body: body.into() })
            .collect(),
    }
}

pub(crate) fn add(builder: &mut SegmentBuilder, file: &SampleFile) {
    let language = match file.path.rsplit('.').next() {
        Some("rs") => "rust",
        Some("py") => "python",
        _ => "text",
    };
    let n = u32::try_from(file.chunks.len()).unwrap();
    let input = FileInput { language, n_lines: n * 10, source_bytes: n * 100 };
    builder.begin_file(file.path.as_str().into(), input).unwrap();
    let mut n_declared = 0;
    for (i, chunk) in (0..n).zip(&file.chunks) {
        let span = Span {
            bytes: ByteRange { start: i * 100, end: i * 100 + 100 },
            start_line: i * 10 + 1,
            end_line: i * 10 + 10,
        };
        let named = !chunk.name.is_empty();
        let (kind, declaration) =
            if named { (ChunkKind::Declaration, Some(n_declared)) } else { (ChunkKind::Code, None) };
        builder.begin_chunk(&Chunk { span, kind, declaration }).unwrap();
        if named {
            n_declared += 1;
            let (kind, bytes) = (DeclarationKind::Function, ByteRange::default());
            builder
                .declaration(&DeclarationInput {
                    name: &chunk.name,
                    scope: "",
                    kind,
                    parent: None,
                    span,
                    name_line: span.start_line,
                    signature: bytes,
                    body: bytes,
                    doc: bytes,
                })
                .unwrap();
            builder.keyword(&chunk.name, 0, 1, 0).unwrap();
        }
        let mut counts = std::collections::BTreeMap::<&str, (u8, u8)>::new();
        crate::base::text::identifier::tokens(&chunk.doc).for_each(|t| counts.entry(t).or_default().0 += 1);
        crate::base::text::identifier::tokens(&chunk.body).for_each(|t| counts.entry(t).or_default().1 += 1);
        for (token, (doc, body)) in counts {
            builder.keyword(token, doc, 0, body).unwrap();
            builder
                .reference(&Mention { kind: ReferenceKind::Call, name: token, qualifier: "", alias: "" })
                .unwrap();
        }
        builder.end_chunk().unwrap();
    }
}

pub(crate) fn builder(files: &[SampleFile]) -> SegmentBuilder {
    let mut builder = SegmentBuilder::new();
    files.iter().for_each(|file| add(&mut builder, file));
    builder
}

pub(crate) fn segment(files: &[SampleFile]) -> Segment {
    Segment::from_bytes(builder(files).into_memory().unwrap()).unwrap()
}

/// Returns the bytes of a source's record. The path decides the language.
pub(crate) fn source_record(path: &str, text: &str) -> Vec<u8> {
    // Small chunks, so that each declaration has its own.
    sized_record(path, text, 64)
}

/// Returns the same with chunks of about this many bytes.
fn sized_record(path: &str, text: &str, target_bytes: u32) -> Vec<u8> {
    use crate::index::chunk::{ChunkOptions, Language, chunk};
    use crate::index::record::{self, FileRecord};
    let language = Language::detect(path.as_bytes(), text.as_bytes());
    let id = crate::base::id::ObjectId::from_bytes(&[0; 20]).unwrap();
    let options = ChunkOptions { target_bytes, ..ChunkOptions::default() };
    let indexed = record::build(id, language.name(), text, chunk(language, text, &options));
    record::encode(&FileRecord::Indexed(indexed))
}

/// Returns a segment of sources, which are chunked and recorded as usual. The path decides the
/// language.
pub(crate) fn sources(files: &[(&str, &str)]) -> Segment {
    sized_sources(files, 64)
}

/// Returns the same with chunks of about this many bytes.
pub(crate) fn sized_sources(files: &[(&str, &str)], target_bytes: u32) -> Segment {
    use crate::index::record::{OpenRecord, RecordView, Scratch};
    let mut files = files.to_vec();
    files.sort_unstable();
    let mut builder = SegmentBuilder::new();
    for (path, text) in files {
        let bytes = sized_record(path, text, target_bytes);
        let Ok(OpenRecord::Indexed(view)) = RecordView::open(&bytes) else { panic!("{path} is indexed") };
        builder.add_file(path.into(), &view, &mut Scratch::default()).unwrap();
    }
    Segment::from_bytes(builder.into_memory().unwrap()).unwrap()
}
