//! `train teach`: pairs and a teacher -> the teacher's direction of each text and code.
//!
//! The output is the input of `train encoder`. Running the teacher takes far longer than that
//! training, so the output is kept in a file (little-endian). See `doc/experiments/training.md`.
//!
//! - `CORATAU1`; width and number of pairs (u32 each);
//! - for each pair: the number of its repository (u32); the number of its text's sub-tokens (u8)
//!   and each one (u16); the number of its code's sub-tokens (u8) and for each the sub-token (u16),
//!   whether it is in the head, and how often it is in the text (u8 each);
//! - the directions of the texts, then those of the codes; each is a scale (f32) and its components
//!   (i8).

use std::collections::HashMap;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use rayon::prelude::*;

use git_cora::base::text::identifier;
use git_cora::index::embed::kernels::MOST_OF_CHUNK;
use git_cora::index::embed::{Places, Scratch, builtin};
use git_cora::index::record::tokens;

use super::asked;
use super::pairs::{self, Kind};
use super::sources::files;
use super::teacher::Teacher;
use xtask_lab::random::Random;

/// Options of `train teach`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folder of pairs, as `train mine` writes them.
    #[arg(long)]
    pub(super) pairs: PathBuf,
    /// Folder of the teacher: `model.safetensors`, `config.json`, `vocab.txt`.
    #[arg(long)]
    pub(super) teacher: PathBuf,
    /// The file to write.
    #[arg(long)]
    pub(super) out: PathBuf,
    /// Maximum number of pairs per repository.
    #[arg(long, default_value_t = 4000)]
    pub(super) most: usize,
    /// Maximum number of pairs in all.
    #[arg(long, default_value_t = usize::MAX)]
    pub(super) total: usize,
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

const MAGIC: &[u8; 8] = b"CORATAU1";

/// Share of the pairs of each kind that are used.
const SHARES: [(Kind, f32); 8] = [
    (Kind::Doc, 1.0),
    (Kind::Name, 0.5),
    (Kind::Comment, 0.5),
    (Kind::Commit, 1.0),
    (Kind::NameDoc, 0.5),
    (Kind::Message, 1.0),
    (Kind::Test, 1.0),
    (Kind::DocRest, 0.3),
];

/// Maximum size of a code in bytes; next, the number of words of a code and of a text that the
/// teacher sees.
const CODE_BYTES: usize = 1000;
const CODE_WORDS: usize = 64;
const TEXT_WORDS: usize = 16;
/// Maximum number of words of a comment put before its code, in half of the pairs that have a
/// comment.
const COMMENT_WORDS: usize = 24;

/// Number of texts that the teacher sees between two lines of progress.
const AT_ONCE: usize = 8192;

/// The sub-tokens of a text and of its code: those of the text in order, those of the code by first
/// occurrence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    pub(super) repository: u32,
    pub(super) text: Vec<u16>,
    pub(super) code: Vec<(u16, Places)>,
}

/// Pairs with the teacher's directions of their texts and codes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TaughtPairs {
    pub(super) width: usize,
    pub(super) pairs: Vec<Pair>,
    /// Directions of the texts and of the codes: [pairs × width] each, row-major.
    pub(super) directions: [Vec<f32>; 2],
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let teacher = Teacher::open(&options.teacher)?;
    let (pairs, seen) = read(options, &teacher)?;
    ensure!(!pairs.is_empty(), "there are no pairs");
    println!("{} pairs", pairs.len());
    let started = Instant::now();
    let directions = seen.map(|texts| {
        let mut directions = Vec::new();
        for some in texts.chunks(AT_ONCE) {
            let of_some: Vec<Vec<f32>> = some
                .par_chunks(32)
                .map(|few| teacher.directions(&few.iter().map(Vec::as_slice).collect::<Vec<_>>()))
                .collect();
            directions.extend(of_some.into_iter().flatten());
            let seconds = started.elapsed().as_secs_f64();
            println!(
                "{} of {} after {seconds:.0} s",
                directions.len() / teacher.places.shape.width,
                texts.len()
            );
        }
        directions
    });
    let taught = TaughtPairs { width: teacher.places.shape.width, pairs, directions };
    taught.write(&options.out).with_context(|| format!("can't write '{}'", options.out.display()))
}

/// Texts as pieces of words, the teacher's input.
type Pieces = Vec<Vec<u32>>;

/// Reads the pairs of all repositories; returns them and the pieces of their texts and codes for
/// the teacher.
fn read(options: &Options, teacher: &Teacher) -> Result<(Vec<Pair>, [Pieces; 2])> {
    let mut random = Random::new(options.seed);
    let mut scratch = Scratch::default();
    let mut known: HashMap<String, Vec<u32>> = HashMap::new();
    let mut pieces = |words: Vec<String>| -> Vec<u32> {
        let piece = |word| known.entry(word).or_insert_with_key(|word| teacher.pieces_of(word)).clone();
        words.into_iter().flat_map(piece).collect()
    };
    let mut all = Vec::new();
    for (repository, path) in files(&options.pairs, "pairs")?.into_iter().enumerate() {
        let mut taken = Vec::new();
        pairs::read(&path, |kind, _, text, code| {
            let share = SHARES.iter().find(|of| of.0 == kind).map_or(0.0, |of| of.1);
            if random.unit() < share {
                taken.push((kind, text.to_owned(), pairs::clip(code, CODE_BYTES).to_owned()));
            }
        })?;
        random.shuffle(&mut taken);
        taken.truncate(options.most);
        for (kind, text, code) in taken {
            let has_comment = matches!(kind, Kind::Doc | Kind::Comment) && random.unit() < 0.5;
            let comment = if has_comment { text.as_str() } else { "" };
            let asked = if random.unit() < 0.3 {
                format!("{} {text}", asked::dress(&mut random))
            } else {
                text.clone()
            };
            let seen = [
                pieces(words(&asked, TEXT_WORDS)),
                pieces([words(comment, COMMENT_WORDS), words(&code, CODE_WORDS)].concat()),
            ];
            let pair = Pair {
                repository: u32::try_from(repository)?,
                text: builtin().asked(tokens(&asked).map(|(_, token)| token)),
                code: of_code(comment, &code, &mut scratch),
            };
            if pair.text.len() > 1 && pair.code.len() > 3 && seen.iter().all(|pieces| !pieces.is_empty()) {
                all.push((pair, seen));
            }
        }
    }
    random.shuffle(&mut all);
    all.truncate(options.total);
    let (pairs, seen): (Vec<Pair>, Vec<[Vec<u32>; 2]>) = all.into_iter().unzip();
    let (texts, codes) = seen.into_iter().map(|[text, code]| (text, code)).unzip();
    Ok((pairs, [texts, codes]))
}

/// Returns the first words of a text in lower case, as they are shown to the teacher.
fn words(text: &str, most: usize) -> Vec<String> {
    let mut words = Vec::new();
    for (_, token) in tokens(text) {
        identifier::each_part(token, |part| words.push(part.to_ascii_lowercase()));
    }
    words.retain(|word| word.bytes().all(|b| b.is_ascii_alphanumeric()));
    words.truncate(most);
    words
}

/// Returns the sub-tokens of a code with its comment, in order of first occurrence.
fn of_code(comment: &str, code: &str, scratch: &mut Scratch) -> Vec<(u16, Places)> {
    let mut chunk: Vec<(u16, Places)> = Vec::new();
    asked::each_of_code(comment, code, scratch, |number, in_head| {
        let at = chunk.iter().position(|one| one.0 == number).unwrap_or(chunk.len());
        if at == chunk.len() {
            chunk.push((number, Places::default()));
        }
        chunk[at].1.count(in_head);
    });
    chunk.truncate(MOST_OF_CHUNK);
    chunk
}

/// Rounds a row to 8 bits; returns the scale, set by its largest component, and the rounded
/// components.
fn rounded(row: &[f32]) -> (f32, Vec<i8>) {
    let scale = row.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs())) / 127.0;
    (scale, row.iter().map(|x| (x / scale).round() as i8).collect())
}

impl TaughtPairs {
    fn write(&self, path: &Path) -> Result<()> {
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        out.write_all(MAGIC)?;
        for number in [self.width, self.pairs.len()] {
            out.write_all(&u32::try_from(number)?.to_le_bytes())?;
        }
        for pair in &self.pairs {
            out.write_all(&pair.repository.to_le_bytes())?;
            let text = &pair.text[..pair.text.len().min(usize::from(u8::MAX))];
            out.write_all(&[u8::try_from(text.len())?])?;
            text.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
            out.write_all(&[u8::try_from(pair.code.len())?])?;
            for (number, places) in &pair.code {
                out.write_all(&number.to_le_bytes())?;
                out.write_all(&[places.in_head.into(), places.in_text])?;
            }
        }
        for row in self.directions.iter().flat_map(|all| all.chunks_exact(self.width)) {
            let (scale, components) = rounded(row);
            out.write_all(&scale.to_le_bytes())?;
            let components: Vec<u8> = components.into_iter().map(i8::cast_unsigned).collect();
            out.write_all(&components)?;
        }
        out.flush()?;
        Ok(())
    }

    /// Reads a file that `train teach` wrote.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("can't read '{}'", path.display()))?;
        let of_bytes = || -> Option<Self> {
            let mut rest = bytes.strip_prefix(MAGIC)?;
            let [width, n] = [number(&mut rest)? as usize, number(&mut rest)? as usize];
            let mut pairs = Vec::new();
            for _ in 0..n {
                let repository = number(&mut rest)?;
                let len = usize::from(take(&mut rest, 1)?[0]);
                let text = take(&mut rest, 2 * len)?.as_chunks().0;
                let len = usize::from(take(&mut rest, 1)?[0]);
                let code = take(&mut rest, 4 * len)?.as_chunks::<4>().0;
                let of_code = |&[low, high, in_head, in_text]: &[u8; 4]| {
                    let places = Places { in_head: in_head != 0, in_text, is_around: false };
                    (u16::from_le_bytes([low, high]), places)
                };
                pairs.push(Pair {
                    repository,
                    text: text.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect(),
                    code: code.iter().map(of_code).collect(),
                });
            }
            let mut rows = || -> Option<Vec<f32>> {
                let mut rows = Vec::with_capacity(n * width);
                for _ in 0..n {
                    let scale = f32::from_le_bytes(*take(&mut rest, 4)?.first_chunk()?);
                    rows.extend(take(&mut rest, width)?.iter().map(|x| f32::from(x.cast_signed()) * scale));
                }
                Some(rows)
            };
            let directions = [rows()?, rows()?];
            rest.is_empty().then_some(Self { width, pairs, directions })
        };
        of_bytes().with_context(|| format!("'{}' is not what `train teach` writes", path.display()))
    }
}

fn take<'b>(rest: &mut &'b [u8], n: usize) -> Option<&'b [u8]> {
    let (taken, after) = rest.split_at_checked(n)?;
    *rest = after;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*take(rest, 4)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taught");
        let places = |in_head, in_text| Places { in_head, in_text, is_around: false };
        let pair = |repository| Pair {
            repository,
            text: vec![1, 500, 3],
            code: vec![(7, places(true, 0)), (65_000, places(false, 63))],
        };
        let directions = [vec![1.0, -0.5, 0.0, 0.25], vec![0.5, 0.5, -1.0, 0.0]];
        let taught = TaughtPairs { width: 2, pairs: vec![pair(0), pair(9)], directions };
        taught.write(&path).unwrap();
        let read = TaughtPairs::open(&path).unwrap();
        assert_eq!((read.width, &read.pairs), (2, &taught.pairs));
        for (a, b) in read.directions.iter().flatten().zip(taught.directions.iter().flatten()) {
            assert!((a - b).abs() < 0.005, "{a} and {b}");
        }
        let bytes = std::fs::read(&path).unwrap();
        for len in 0..bytes.len() {
            std::fs::write(&path, &bytes[..len]).unwrap();
            assert!(TaughtPairs::open(&path).is_err(), "{len}");
        }
    }

    #[test]
    fn a_code_has_its_comment_and_its_head() {
        let mut scratch = Scratch::default();
        let code = of_code("adds numbers", "def add(first):\n    return first + numbers\n", &mut scratch);
        let of = |word: &str| {
            let number = builtin().asked([word])[0];
            let at = code.iter().position(|one| one.0 == number).unwrap();
            (at, code[at].1)
        };
        assert_eq!(of("numbers").1, Places { in_head: false, in_text: 2, is_around: false });
        assert_eq!(of("first").1, Places { in_head: true, in_text: 1, is_around: false });
        assert!(of("numbers").0 < of("first").0);
    }
}
