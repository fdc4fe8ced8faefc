//! Results that come among the first whatever their scores: the places that document a key, the
//! declarations that a name with a qualifier means, and the message that a report quotes.
//!
//! Reread signals → files that are raised, and places that are exchanged. The module `order`
//! applies them. Scores do not change, so that explanations still add up.

use std::collections::HashMap;

use super::candidates::Candidate;
use super::inputs::PhaseInputs;
use super::rule::{BEHIND, PlacedChunk, Rule};
use super::scores::Scores;
use crate::search::query::ChunkRef;
use crate::search::query::recall::message::Documents;
use crate::search::query::recall::place::place;
use crate::search::query::weights::{SYMBOL_EXACT, SYMBOL_VARIABLE};

/// Returns the files that document the option in question, each with the chunk that does it best,
/// and how much it is raised: they come before all others. If the query is the key alone, only the
/// best of them.
pub(super) fn documented(known: PhaseInputs<'_, '_>) -> HashMap<usize, (ChunkRef, f64)> {
    let recalled = known.recalled();
    let mut best: HashMap<usize, (ChunkRef, f64)> = HashMap::new();
    let Some(reranking) = known.reranking() else { return best };
    let all = reranking.said.iter();
    let mut said: Vec<(ChunkRef, f64, Documents)> =
        all.filter_map(|(&chunk, one)| Some((chunk, one.share, one.documents?))).collect();
    said.sort_by(|a, b| {
        b.1.total_cmp(&a.1).then_with(|| place(recalled.index, a.0).cmp(&place(recalled.index, b.0)))
    });
    for (chunk, share, how) in said {
        let Some((file, _)) = recalled.candidates.place_of(recalled.index, chunk) else { continue };
        let run = recalled.candidates.files().get(file);
        if run.is_some_and(|run| !run.file.flags().is_vendored() && !run.file.flags().is_test()) {
            best.entry(file).or_insert((chunk, share * BEHIND / 4.0));
            if how == Documents::Beside {
                break;
            }
        }
    }
    best
}

/// Puts the chunk whose message a report quotes behind the first result, unless it comes first.
pub(super) fn quoted_among_first(known: PhaseInputs<'_, '_>, scores: &Scores, placed: &mut Vec<PlacedChunk>) {
    let Some((chunk, _)) = known.reranking().and_then(|reranking| reranking.quoted) else { return };
    let recalled = known.recalled();
    let candidate = match placed.iter().position(|one| one.candidate.chunk == chunk) {
        Some(0 | 1) => return,
        Some(rank) => placed.remove(rank).candidate,
        None => {
            let Some((file, at)) = recalled.candidates.place_of(recalled.index, chunk) else { return };
            let Some(&score) = scores.of(at..at + 1).first() else { return };
            Candidate { chunk, file, score }
        }
    };
    let order = placed.first().map_or(candidate.score, |first| first.order);
    let one = PlacedChunk { candidate, order, rule: Some(Rule::Quoted) };
    placed.insert(1.min(placed.len()), one);
}

/// Puts the declarations that a name with a qualifier means before all others, one of each file.
pub(super) fn meant_first(known: PhaseInputs<'_, '_>, scores: &Scores, placed: &mut Vec<PlacedChunk>) {
    let recalled = known.recalled();
    let mut n_first = 0;
    let mut files: Vec<usize> = Vec::new();
    for &chunk in &recalled.meant {
        let Some((file, at)) = recalled.candidates.place_of(recalled.index, chunk) else { continue };
        if files.contains(&file) {
            continue;
        }
        files.push(file);
        let candidate = match placed.iter().position(|one| one.candidate.chunk == chunk) {
            Some(rank) => placed.remove(rank).candidate,
            None => {
                let Some(&score) = scores.of(at..at + 1).first() else { continue };
                Candidate { chunk, file, score }
            }
        };
        // Another chunk stood for the file.
        let is_of_file = |one: &PlacedChunk| {
            one.candidate.file == file && !matches!(one.rule, Some(Rule::AfterFiles | Rule::Lowered(_)))
        };
        if let Some(rank) = placed.iter().position(is_of_file) {
            let other = placed.remove(rank);
            placed.push(PlacedChunk { rule: Some(Rule::AfterFiles), ..other });
        }
        let order = placed.first().map_or(candidate.score, |first| first.order.max(candidate.score));
        placed.insert(n_first, PlacedChunk { candidate, order, rule: Some(Rule::Meant) });
        n_first += 1;
    }
}

/// Puts the place that documents a key behind the first result, if that declares the key or has it
/// as a string: a key alone may be a name in the code.
pub(super) fn declaration_first(known: PhaseInputs<'_, '_>, placed: &mut [PlacedChunk]) {
    let (Some(reranking), [first, second, ..]) = (known.reranking(), &*placed) else { return };
    let (document, code) = (first.candidate.chunk, second.candidate.chunk);
    let defined = known.recalled().words.defined.get(&code).map_or(0.0, |defined| defined.quality);
    let is_literal = reranking.said.get(&code).is_some_and(|said| said.is_literal);
    let is_beside =
        reranking.said.get(&document).is_some_and(|said| said.documents == Some(Documents::Beside));
    if is_beside && (is_literal || defined >= SYMBOL_EXACT * SYMBOL_VARIABLE) {
        placed.swap(0, 1);
    }
}

#[cfg(test)]
mod tests {
    use crate::search::query::rank::samples::Texts;
    use crate::search::query::weights::WEIGHTS;
    use crate::search::query::{Query, SideSignals, search_weighted};
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    /// Returns the paths of the first results of a query.
    fn paths(files: &[(&'static str, &str)], text: &str, limit: usize) -> Vec<String> {
        let segment = sources(files);
        let texts = Texts::of(files);
        let beside = SideSignals { sources: Some(&texts), ..SideSignals::default() };
        let query = Query { limit, ..Query::new(text) };
        let hits = search_weighted(&Index::whole(&segment), &query, beside, &WEIGHTS).unwrap().hits;
        hits.into_iter().map(|hit| hit.path.to_string()).collect()
    }

    #[test]
    fn a_key_alone_finds_its_document_behind_its_declaration() {
        let code = "struct server {\n    long maxmemory;\n};\nint evict(void) { return server.maxmemory; }\n";
        let other = "int free_maxmemory_after(long maxmemory) { return maxmemory; }\n";
        let files = [
            ("src/evict.c", other),
            ("src/server.h", code),
            ("server.conf", "# Set a limit of memory.\n#\n# maxmemory <bytes>\n\nport 12\n"),
            ("docs/maxmemory.md", "# Other things\n\nmaxmemory is described here, too.\n"),
        ];
        let found = paths(&files, "maxmemory", 10);
        assert!(found.iter().take(2).any(|path| path == "server.conf"), "{found:?}");
        assert_eq!(paths(&files, "maxmemory", 1), found[..1], "whatever the limit");
        assert_eq!(paths(&files, "what does the option maxmemory mean", 10)[0], "server.conf");
    }

    #[test]
    fn a_name_with_a_qualifier_finds_what_it_means_first() {
        let other = |name: &str| {
            format!(
                "package {name}\n\n// New makes a new store of the store, with New and store.New.\n\
                     func New(store string, new string) string {{ return New(store, new) }}\n"
            )
        };
        let (near, far) = (other("storefile"), other("storetest"));
        let own = "package store\n\n// ErrNew is an error of the store.\nvar ErrNew = \"store: new\"\n\n\
                   // Opens it.\nfunc New(path string) string {\n\treturn path\n}\n";
        let files = [
            ("storefile/store.go", near.as_str()),
            ("storetest/new.go", far.as_str()),
            ("store/kv.go", own),
            (
                "store/new_store.go",
                "package store\n\n// the new store, new\nfunc newStore() string { return \"\" }\n",
            ),
        ];
        for text in ["store.New", "store.New "] {
            assert_eq!(paths(&files, text, 10)[0], "store/kv.go", "{text}");
        }
        assert_eq!(paths(&files, "store.New", 1), ["store/kv.go"]);
        assert!(paths(&files, "store.New path:storefile", 3).iter().all(|path| path == "storefile/store.go"));
    }

    #[test]
    fn a_question_about_a_name_finds_its_declaration_first() {
        let send = |owner: &str, text: &str| {
            format!(
                "class {owner}:\n    def send(self, request):\n        \"\"\"{text}\"\"\"\n        return request\n"
            )
        };
        let own = send("Client", "Passes it on.");
        let other = send("AsyncClient", "How a client does its work: send, the client sends, clients work.");
        let header = "/* How uv_run does its work: what uv_run does. */\nint uv_run(int loop);\n";
        let code = "int uv_run(int loop) {\n    return loop;\n}\n";
        let test = "void test_uv_run(void) { uv_run(1); }\nint uv_run(int how) {\n    return how;\n}\n";
        let files = [
            ("http/asynchronous.py", other.as_str()),
            ("http/client.py", own.as_str()),
            ("include/uv.h", header),
            ("src/core.c", code),
            ("test/test_run.c", test),
        ];
        for (text, path) in [
            ("how does Client.send work", "http/client.py"),
            ("what does the method `Client.send()` do?", "http/client.py"),
            ("how does AsyncClient.send work", "http/asynchronous.py"),
            ("how does uv_run work", "src/core.c"),
            ("how is uv_run tested", "test/test_run.c"),
        ] {
            assert_eq!(paths(&files, text, 10)[0], path, "{text}");
        }
    }

    #[test]
    fn a_report_leads_to_the_message_that_it_quotes() {
        let sync = "/* The replica and the master, a full sync, the disk of the replica. */\n\
                    void sync_replica(int master, int replica, int disk) { full_sync(master, disk); }\n";
        let net = "void close_soon(client *c) {\n    \
                   log(\"Client %s scheduled to be closed for overcoming of output limits.\", c->info);\n}\n";
        let files = [("src/net.c", net), ("src/sync.c", sync), ("src/disk.c", sync)];
        let report = "The replica is disconnected in a full sync\nThe master has a slow disk. In its log:\n\n  \
                      Client id=918 scheduled to be closed for overcoming of output limits.\n\n\
                      The replica begins the full sync again.\n";
        let found = paths(&files, report, 10);
        assert!(found.iter().take(2).any(|path| path == "src/net.c"), "{found:?}");
        let without = report.replace("scheduled", "planned");
        assert_ne!(paths(&files, &without, 10).first().map(String::as_str), Some("src/net.c"));
    }
}
