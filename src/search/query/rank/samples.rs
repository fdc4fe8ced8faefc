//! A small repository for the tests of the ranking, with everything that a signal can read.

use std::collections::HashMap;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use super::SideSignals;
use super::inputs::References;
use super::inquiry::Inquiry;
use super::recalled::Recalled;
use super::reranked::Reranked;
use crate::base::progress::{Cancel, NoProgress, Task};
use crate::git::testing::Fixture;
use crate::search::commit_messages::{CommitMessages, GatherOutcome, gather};
use crate::search::query::recall::message::Sources;
use crate::search::query::weights::Weights;
use crate::search::query::{Hit, Query, search_weighted};
use crate::search::segment::samples::sources;
use crate::search::segment::{Index, Segment};

/// Returns the files, sorted: path and text.
fn files() -> Vec<(&'static str, String)> {
    let large = format!(
        "# socket retry deadline\nTABLE = {{\"socket\": 1, \"retry\": 2, \"deadline\": 3}}\n\n\n\
         def transfer(socket, deadline):\n    \"\"\"Moves bytes.\"\"\"\n{}\n\n\
         def shut(socket):\n    \"\"\"A socket, a deadline, a retry of the upload, a socket.\"\"\"\n    close(socket)\n",
        "    socket = retry(socket, deadline)\n".repeat(200)
    );
    let texts = [
        (
            "docs/upload.md",
            "# Upload\n\nHow to retry the upload of a socket before its deadline, and how it is checked.\n",
        ),
        ("examples/upload_demo.py", "def demo():\n    retry_upload(socket, deadline)\n"),
        (
            "src/http/client.py",
            "from http.upload import retry_upload\n\n\ndef fetch_page(url):\n    \"\"\"Downloads a page.\"\"\"\n    \
             retry_upload(url, 1)\n    raise IOError(\"failed to download the page: no such host is known\")\n",
        ),
        (
            "src/http/upload.py",
            "\"\"\"Uploads through a socket.\"\"\"\nimport socket\nimport deadline\n\n\
             LIMITS = {\"socket\": 1, \"retry\": 2, \"deadline\": 3, \"upload\": 4}\n\n\n\
             def retry_upload(socket, deadline):\n    \"\"\"Retries the upload before its deadline.\"\"\"\n    \
             return socket.upload(deadline)\n\n\n\
             class Uploader:\n    \"\"\"Sends files.\"\"\"\n\n    \
             def send(self, socket):\n        return retry_upload(socket, 3)\n\n\n\
             def deadline_of(socket):\n    return retry_upload(socket, 3)\n",
        ),
        ("locales/de.json", "{\n  \"upload.retry\": \"Retry the upload of a socket\"\n}\n"),
        ("src/init.py", "def start():\n    load_settings()\n"),
        ("src/net.py", large.as_str()),
        (
            "src/remove.py",
            "def discard_tree(folder):\n    \"\"\"Removes a folder with its files.\"\"\"\n    unlink(folder)\n",
        ),
        (
            "src/settings.rs",
            "/// Loads the settings of an upload.\npub fn load_settings() -> Settings {\n    retry(\"settings.toml\")\n}\n\n\
             #[cfg(test)]\nmod tests {\n    #[test]\n    fn settings_are_loaded() {\n        load_settings();\n    }\n}\n",
        ),
        ("tests/test_upload.py", "def test_retry_upload():\n    assert retry_upload(socket, deadline)\n"),
        ("third_party/upload/lib.py", "def retry_old(socket):\n    return upload(socket)\n"),
        ("types/upload.pyi", "def retry_upload(socket, deadline): ...\n"),
    ];
    texts.map(|(path, text)| (path, text.to_owned())).into()
}

/// The repository.
pub(super) struct Repository {
    pub(super) segment: Segment,
    pub(super) history: CommitMessages,
    pub(super) texts: Texts,
}

/// The texts of files, by path.
pub(super) struct Texts(HashMap<&'static str, Arc<str>>);

impl Texts {
    /// Returns the texts of some files.
    pub(super) fn of(files: &[(&'static str, &str)]) -> Self {
        Self(files.iter().map(|&(path, text)| (path, Arc::from(text))).collect())
    }
}

impl Sources for Texts {
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>> {
        let text = |path: &&BStr| self.0.get(path.to_str().unwrap()).cloned();
        paths.iter().map(text).collect()
    }
}

impl Repository {
    pub(super) fn new() -> Self {
        let files = files();
        let texts: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let segment = sources(&texts);
        let texts = files.iter().map(|(path, text)| (*path, Arc::from(text.as_str())));
        Self { segment, history: history(), texts: Texts(texts.collect()) }
    }

    pub(super) fn beside(&self) -> SideSignals<'_> {
        SideSignals { history: Some(&self.history), sources: Some(&self.texts), ..SideSignals::default() }
    }

    /// Returns the hits of a query, explained.
    pub(super) fn hits(&self, query: &Query, weights: &Weights) -> Vec<Hit> {
        let query = Query { limit: 100, explain: true, ..query.clone() };
        search_weighted(&Index::whole(&self.segment), &query, self.beside(), weights).unwrap().hits
    }
}

/// Returns commit messages of which one is about retries and changes one of the files.
fn history() -> CommitMessages {
    let fixture = Fixture::new();
    let commit = |message: &str, files: &[&str]| {
        files.iter().for_each(|file| fixture.write(file, &format!("{message}\n")));
        fixture.git(&["add", "-A"]);
        fixture.git(&["commit", "-q", "-m", message]);
        fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap()
    };
    commit("Begin", &["src/http/upload.py", "src/http/client.py", "src/remove.py"]);
    commit("Remove a folder", &["src/remove.py"]);
    let last = commit("Retry the upload of a socket", &["src/http/upload.py"]);
    match gather(&fixture.open(), last, None, Task::new(&NoProgress, &Cancel::default())).unwrap() {
        GatherOutcome::Whole(messages) => *messages,
        other => panic!("{other:?}"),
    }
}

/// Runs a search up to the reranker.
pub(super) fn reranked<'s>(
    index: &'s Index<'s>,
    query: &'s Query,
    beside: SideSignals<'s>,
    weights: &Weights,
) -> Reranked<'s> {
    let inquiry = Inquiry::new(index, query, weights).unwrap();
    let scored = Recalled::new(index, query, inquiry, beside).unwrap().score();
    let references = References::follow(&scored).unwrap();
    let ratings = scored.ratings(beside.encoder).unwrap();
    scored.expand(references).rerank(ratings, beside.sources).unwrap()
}
