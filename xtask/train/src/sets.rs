//! `train sets`: repositories outside the training data -> questions with known answers.
//!
//! A question is the first sentence of a function's doc comment. Its answer is that function,
//! without the comment, among [`POOL`] functions of the same repository. A set is a JSON file, the
//! form of [`Set`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use git_cora::index::chunk::{ChunkOptions, DeclarationKind as K, Language, chunk};
use git_cora::index::source::decode;
use xtask_lab::functions::Set;

use super::declared;
use super::sources::{FILE_BYTES, blobs, git_folder, listed, repository_name, words_hash};

/// Number of functions in the pool of a set.
const POOL: usize = 1500;
/// Number of questions of a set; every third is for tuning.
const QUESTIONS: usize = 300;

/// Options of `train sets`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folder that the sets are written to.
    #[arg(long)]
    out: PathBuf,
    /// Git folders.
    #[arg(required = true)]
    repositories: Vec<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    std::fs::create_dir_all(&options.out)?;
    for repository in &options.repositories {
        let name = repository_name(repository)?.replace('/', "+");
        let set = make(repository)?;
        println!("{name}: {} functions, {} and {} questions", set.docs.len(), set.dev.len(), set.test.len());
        std::fs::write(options.out.join(format!("{name}.json")), serde_json::to_vec(&set)?)?;
    }
    Ok(())
}

struct Function {
    order: u64,
    extension: String,
    code: String,
    question: Option<String>,
}

fn make(repository: &Path) -> Result<Set> {
    let git = git_folder(repository)?;
    let files = listed(&git)?;
    let mut functions: Vec<Function> = Vec::new();
    blobs(&git, &files.iter().collect::<Vec<_>>(), |path, bytes| {
        let language = Language::detect(path.as_bytes(), bytes);
        let lower = path.to_lowercase();
        if !declared::is_code(language)
            || bytes.len() > FILE_BYTES
            || lower.contains("test")
            || lower.contains("spec")
        {
            return;
        }
        let text = decode(bytes);
        let chunked = chunk(language, &text, &ChunkOptions::default());
        for d in &chunked.declarations {
            if !matches!(d.kind, K::Function | K::Method) || d.body.is_empty() || declared::is_test(d) {
                continue;
            }
            let code = declared::body(&text, d);
            if code.lines().count() < 3 || code.len() > 8000 {
                continue;
            }
            let question = declared::first_sentence(&text, d, 4);
            let order = words_hash(&format!("{path} {} {}", d.name, d.span.start_line));
            let extension = path.rsplit_once('.').map(|one| one.1).unwrap_or_default().to_owned();
            functions.push(Function { order, extension, code, question });
        }
    })?;
    functions.sort_by_key(|f| f.order);
    let mut seen = std::collections::HashSet::new();
    functions.retain(|f| seen.insert(words_hash(&f.code)));
    let (mut asked, others): (Vec<Function>, Vec<Function>) =
        functions.into_iter().partition(|f| f.question.as_ref().is_some_and(|q| seen.insert(words_hash(q))));
    let rest = asked.split_off(asked.len().min(QUESTIONS));
    let n = asked.len();
    let pool: Vec<Function> = asked.into_iter().chain(rest).chain(others).take(POOL).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    pool.iter().for_each(|function| *counts.entry(&function.extension).or_default() += 1);
    let extension =
        counts.into_iter().max_by_key(|one| one.1).map(|one| one.0.to_owned()).unwrap_or_default();
    let mut set = Set { extension, docs: Vec::new(), test: Vec::new(), dev: Vec::new() };
    for (i, function) in pool.into_iter().enumerate() {
        if let Some(question) = function.question.filter(|_| i < n) {
            let questions = if i % 3 == 0 { &mut set.dev } else { &mut set.test };
            questions.push((question, i));
        }
        set.docs.push(function.code);
    }
    Ok(set)
}
