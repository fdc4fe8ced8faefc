//! Shared code of the fuzz targets: small records and segments of known texts, and ways to damage
//! bytes.

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use bstr::ByteSlice;

use git_cora::base::id::ObjectId;
use git_cora::index::chunk::{ChunkOptions, Language, chunk};
use git_cora::index::record::{FileRecord, IndexedFile, OpenRecord, RecordView, Scratch, build, encode};
use git_cora::search::segment::{Segment, SegmentBuilder};

/// Files of the segment that is searched and damaged: path, language, text.
const FILES: [(&str, &str, &str); 7] = [
    (
        "doc/guide.md",
        "markdown",
        "# Guide\n\nHow uploads are retried.\n\n## Timeouts\n\nSee `retry` in [the client](../src/client.py).\n",
    ),
    (
        "src/client.py",
        "python",
        "import socket\n\nclass HttpClient(Base):\n    \"\"\"Opens connections.\"\"\"\n\n    def fetchPage(self, url, retry_count=3):\n        # Tries again after a timeout.\n        return socket.open(url).read()\n\n    def retry(self):\n        return self.fetchPage(self.url)\n",
    ),
    (
        "src/main.rs",
        "rust",
        "use crate::http::{Client, Error};\n\n/// Parses the arguments.\nfn parse_args(line: &str) -> Result<Vec<String>, Error> {\n    line.split(' ').map(str::to_owned).collect()\n}\n\nfn main() {\n    parse_args(\"a b\").unwrap();\n}\n",
    ),
    (
        "src/naïve.ts",
        "typescript",
        "export interface Größe { wert: number }\nexport const leer: Größe = { wert: 0 };\n",
    ),
    ("settings.json", "json", "{\"retry\": {\"count\": 3, \"wait\": [1, 2, 4]}}\n"),
    ("tests/test_client.py", "python", "def test_fetch_page():\n    assert HttpClient().fetchPage('x')\n"),
    ("words.txt", "text", "one two three\nfour five six\n"),
];

/// Returns an id for records without a blob.
pub fn no_id() -> ObjectId {
    ObjectId::from_bytes(&[0; 20]).expect("because an id may have twenty bytes")
}

/// Returns the language with this number, modulo the number of languages.
pub fn language(number: u8) -> Language {
    let all: Vec<Language> = Language::all().collect();
    all[usize::from(number) % all.len()]
}

/// The samples of the chunker's tests: language and text, sorted by file name. They are read at
/// start, so a new sample needs no rebuild.
static SAMPLES: LazyLock<Vec<(Language, Vec<u8>)>> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/index/chunk/tests/samples");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("because the targets are run where they were built")
        .map(|entry| entry.expect("because the folder can be read").path())
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read(path).expect("because the samples can be read");
        (Language::detect(path.as_os_str().as_encoded_bytes(), &text), text)
    };
    paths.iter().map(read).collect()
});

/// A text in some language: arbitrary, or a sample with some bytes changed.
#[derive(Debug, Arbitrary)]
pub enum Text<'a> {
    /// Any text in any language.
    Any(u8, &'a str),
    /// A sample in its own language.
    Sample(u8, Vec<Edit>),
    /// A sample in another language.
    Foreign(u8, u8, Vec<Edit>),
}

impl Text<'_> {
    /// Returns the language and the text.
    pub fn get(&self) -> (Language, String) {
        let sample = |number: u8, edits: &[Edit]| {
            let (language, text) = &SAMPLES[usize::from(number) % SAMPLES.len()];
            let mut bytes = text.clone();
            damage(&mut bytes, edits);
            (*language, String::from_utf8_lossy(&bytes).into_owned())
        };
        match self {
            Self::Any(number, text) => (language(*number), (*text).to_owned()),
            Self::Sample(number, edits) => sample(*number, edits),
            Self::Foreign(number, other, edits) => (language(*other), sample(*number, edits).1),
        }
    }
}

/// Returns the record of a text.
pub fn record(language: Language, text: &str, options: &ChunkOptions) -> IndexedFile {
    build(no_id(), language.name(), text, chunk(language, text, options))
}

/// The bytes of the segment of the files.
pub static SEGMENT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut files = FILES;
    files.sort_unstable();
    let mut builder = SegmentBuilder::new();
    builder.add_skipped(b".skipped".as_bstr(), 1).expect("because it is the first path");
    for (path, name, text) in files {
        let language = Language::from_name(name).expect("because the names are known");
        let bytes = encode(&FileRecord::Indexed(record(language, text, &ChunkOptions::default())));
        let Ok(OpenRecord::Indexed(view)) = RecordView::open(&bytes) else {
            unreachable!("it was just encoded")
        };
        builder
            .add_file(path.into(), &view, &mut Scratch::default())
            .expect("because the paths are in order");
    }
    builder.into_memory().expect("because the files are small")
});

/// Opens the segment of the files.
pub fn segment() -> Segment {
    Segment::from_bytes(SEGMENT.clone()).expect("because it was just built")
}

/// A change to bytes; positions are modulo the length.
#[derive(Debug, Clone, Arbitrary)]
pub enum Edit {
    /// Sets a byte.
    Set(u32, u8),
    /// Flips a bit.
    Flip(u32, u8),
    /// Removes bytes.
    Remove(u32, u8),
    /// Inserts bytes.
    Insert(u32, [u8; 4]),
    /// Cuts off the rest.
    Cut(u32),
    /// Copies bytes from one position over another.
    Copy(u32, u32, u8),
}

/// Applies the changes in order.
pub fn damage(bytes: &mut Vec<u8>, edits: &[Edit]) {
    for edit in edits.iter().take(32) {
        if bytes.is_empty() {
            return;
        }
        let n = bytes.len();
        let place = |at: u32| at as usize % n;
        match *edit {
            Edit::Set(at, byte) => bytes[place(at)] = byte,
            Edit::Flip(at, bit) => bytes[place(at)] ^= 1 << (bit % 8),
            Edit::Remove(at, len) => {
                let from = place(at);
                bytes.drain(from..n.min(from + usize::from(len)));
            }
            Edit::Insert(at, four) => {
                let from = place(at);
                bytes.splice(from..from, four);
            }
            Edit::Cut(at) => bytes.truncate(place(at)),
            Edit::Copy(from, to, len) => {
                let (from, to) = (place(from), place(to));
                let len = usize::from(len).min(n - from).min(n - to);
                bytes.copy_within(from..from + len, to);
            }
        }
    }
}
