//! The embeddings of a record: for each chunk, the signs of its vector by the built-in model.
//!
//! Owns [`sketches`]. A sketch takes 32 bytes and is enough to find the nearest chunks; their exact
//! order comes from their words. It is a function of the record's words and names alone, so it
//! knows nothing of the file's path.

use std::sync::{LazyLock, OnceLock};

use crate::index::chunk::{Declaration, without_language};
use crate::index::embed::{self, Bag, Field, SIGN_BYTES, Side, Signs};

use super::{IndexedFile, common as words, limits};

/// Bytes of a sketch.
pub(super) const BYTES: usize = SIGN_BYTES;

/// The sub-tokens of each common word, determined when a file first has it.
static CUT: LazyLock<Vec<OnceLock<Box<[u32]>>>> =
    LazyLock::new(|| (0..words::len()).map(|_| OnceLock::new()).collect());

fn subtokens(word: &str, scratch: &mut embed::Scratch) -> Box<[u32]> {
    let mut cut = Vec::new();
    embed::builtin().vocabulary().each(word, scratch, |number| cut.push(number));
    cut.into()
}

/// Returns the sketch of each chunk. `strings` are those of the record, `common` their numbers in
/// the list of common words; `tokens` gives the ordinals of a chunk's tokens, in the order of its
/// keywords.
pub(super) fn sketches<'t>(
    file: &IndexedFile,
    strings: &[&str],
    common: &[Option<u32>],
    tokens: impl Fn(usize) -> &'t [u32],
) -> Vec<Signs> {
    let model = embed::builtin();
    let vocabulary = model.vocabulary();
    let mut scratch = embed::Scratch::default();
    // By string, the start of its sub-tokens. A string stands in many chunks and is cut once.
    let (mut starts, mut cut) = (vec![0], Vec::new());
    for (string, &common) in strings.iter().zip(common) {
        match common.and_then(|number| CUT.get(number as usize)) {
            Some(cell) => cut.extend_from_slice(cell.get_or_init(|| subtokens(string, &mut scratch))),
            None => vocabulary.each(string, &mut scratch, |number| cut.push(number)),
        }
        starts.push(cut.len());
    }
    let of = |ord: u32| {
        let bound = |i: usize| starts.get(i).copied().unwrap_or(0);
        cut.get(bound(ord as usize)..bound(ord as usize + 1)).unwrap_or_default()
    };
    let mut bag = Bag::new(model);
    let mut next = 0;
    let mut out = Vec::with_capacity(file.chunks.len());
    for (ord, chunk) in file.chunks.iter().enumerate() {
        let keywords = file.keywords.get(ord).map(Vec::as_slice).unwrap_or_default();
        for (keyword, &string) in keywords.iter().zip(tokens(ord)) {
            for &number in of(string) {
                bag.add_several(
                    number,
                    [
                        (Field::Doc, keyword.doc.into()),
                        (Field::Signature, keyword.signature.into()),
                        (Field::Body, keyword.body.into()),
                    ],
                );
            }
        }
        let first = next;
        next = super::encode::declarations_until(file, ord).max(first);
        for declaration in file.declarations.get(first..next).unwrap_or_default() {
            add_name(&mut bag, &declaration.name, Field::Symbol, &mut scratch);
        }
        for name in scope(&file.declarations, chunk.declaration, first..next) {
            add_name(&mut bag, name, Field::Scope, &mut scratch);
        }
        out.push(bag.finish(model, Side::Code).signs());
    }
    out
}

fn add_name(bag: &mut Bag, name: &str, field: Field, scratch: &mut embed::Scratch) {
    for token in crate::base::text::identifier::tokens(name) {
        embed::builtin().vocabulary().each(token, scratch, |number| bag.add(number, field, 1));
    }
}

/// Returns the names of the declarations and scopes around a chunk, innermost first. Those that
/// begin in the chunk are its own.
fn scope(
    declarations: &[Declaration],
    innermost: Option<u32>,
    own: std::ops::Range<usize>,
) -> impl Iterator<Item = &str> {
    let mut at = innermost;
    let around = std::iter::from_fn(move || {
        let ord = at?;
        let declaration = declarations.get(ord as usize)?;
        at = declaration.parent.filter(|&parent| parent < ord);
        Some((ord as usize, declaration))
    });
    around.take(limits::DEPTH).flat_map(move |(ord, declaration)| {
        let name = if own.contains(&ord) { "" } else { &declaration.name };
        [name, without_language(&declaration.scope)].into_iter().filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::base::id::ObjectId;
    use crate::index::chunk::{ChunkOptions, Language, chunk};
    use crate::index::embed::builtin;
    use crate::index::record::{Error, FileRecord, OpenRecord, RecordView, Scratch, build, encode};

    /// The chunk that a question means is the nearest to it.
    #[test]
    fn meaning_is_nearer_than_words() {
        let text = "fn unlink(path: &Path) {\n    remove_file(path);\n}\n\n\
                    fn connect(host: &str, port: u16) {\n    TcpStream::connect((host, port));\n}\n";
        let rust = Language::from_name("rust").unwrap();
        let options = ChunkOptions { target_bytes: 40, ..ChunkOptions::default() };
        let id = ObjectId::from_bytes(&[7; 20]).unwrap();
        let bytes = encode(&FileRecord::Indexed(build(id, "rust", text, chunk(rust, text, &options))));
        let Ok(OpenRecord::Indexed(view)) = RecordView::open(&bytes) else { unreachable!("it is indexed") };
        let mut sketches = Vec::new();
        view.visit::<Error>(&mut Scratch::default(), |chunk| {
            sketches.push(*chunk.sketch);
            Ok(())
        })
        .unwrap();
        assert_eq!(sketches.len(), 2);
        for (question, nearest) in [("delete a file", 0), ("open a network socket", 1)] {
            let asked = builtin().question(question.split(' ')).vector.signs();
            let distance = |ord: usize| -> u32 {
                let sketch = sketches.get(ord).unwrap();
                asked.iter().zip(sketch).map(|(a, b)| (a ^ b).count_ones()).sum()
            };
            assert!(distance(nearest) < distance(1 - nearest), "{question}");
        }
    }
}
