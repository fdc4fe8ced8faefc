//! Language servers as oracles: a small client of the Language Server Protocol.
//!
//! Opens all files of a language, asks for their symbols, and then for the references to each. The
//! protocol is <https://microsoft.github.io/language-server-protocol/>, version 3.17.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::compare::sample;
use super::oracle::{Declaration, Rows};

/// A language server.
pub(super) struct Server {
    program: &'static str,
    arguments: &'static [&'static str],
    /// The language, as the protocol names it.
    language: &'static str,
    endings: &'static [&'static str],
    /// Endings of files that are compiled by themselves, for a server that needs a list of them.
    compiled: &'static [&'static str],
}

/// The server for C. It reads all files that a list of compiler calls names.
pub(super) const CLANGD: Server = Server {
    program: "clangd",
    arguments: &["--background-index", "--limit-references=0", "--limit-results=0", "--log=error"],
    language: "c",
    endings: &["c", "h"],
    compiled: &["c"],
};

/// The server for Python.
pub(super) const PYRIGHT: Server = Server {
    program: "pyright-langserver",
    arguments: &["--stdio"],
    language: "python",
    endings: &["py"],
    compiled: &[],
};

/// Kinds of symbols that count: class, method, enum, interface, function, struct.
const KINDS: [u64; 6] = [5, 6, 10, 11, 12, 23];

/// Those of them that are types.
const TYPES: [u64; 4] = [5, 10, 11, 23];

/// Returns what a server knows about `most` declarations of a checkout.
pub(super) fn rows(server: &Server, checkout: &Path, most: usize) -> Result<Rows> {
    let mut files = Vec::new();
    collect(checkout, checkout, server.endings, &mut files)?;
    ensure!(!files.is_empty(), "no {} files in '{}'", server.language, checkout.display());
    let listed = tempfile::tempdir()?;
    let mut command = Command::new(server.program);
    command.args(server.arguments);
    if !server.compiled.is_empty() {
        compile_commands(server, checkout, &files, listed.path())?;
        command.arg(format!("--compile-commands-dir={}", listed.path().display()));
    }
    let mut client = Client::start(command, checkout)?;
    let mut rows = Rows::default();
    let mut types = BTreeSet::new();
    for path in &files {
        let text = String::from_utf8_lossy(&fs::read(checkout.join(path))?).into_owned();
        let document =
            json!({"uri": client.uri(path), "languageId": server.language, "version": 1, "text": text});
        client.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
        let symbols =
            client.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": client.uri(path)}}))?;
        if server.language == "c" {
            macros(&text, path, &mut rows);
        }
        let mut found = Vec::new();
        declarations(&symbols, false, &mut found);
        for (line, column, name, kind) in found {
            let line_text = text.lines().nth(line as usize).unwrap_or_default();
            // The server may name a place inside of a macro.
            if line_text.get(column as usize..).is_some_and(|rest| rest.starts_with(&name)) {
                let declared = Declaration { at: (path.clone(), line + 1), name };
                if TYPES.contains(&kind) {
                    types.insert(declared.clone());
                }
                rows.uses.entry(declared).or_default();
            }
        }
        rows.files.insert(path.clone());
    }
    ensure!(!rows.uses.is_empty(), "the server found no declaration");
    if server.language == "c" {
        without_prototypes(&mut rows);
    }
    client.settle()?;
    if let Some(comment) = client.comment {
        for path in &files {
            inactive(&mut client, path, comment, &mut rows)?;
        }
    }
    let mut asked = sample(rows.uses.keys().cloned().collect(), most);
    rows.uses.clear();
    let drawn: BTreeSet<Declaration> = asked.iter().cloned().collect();
    if server.language == "c" {
        let names: BTreeSet<&str> =
            drawn.iter().filter(|of| types.contains(of)).map(|of| of.name.as_str()).collect();
        let others = types.iter().filter(|of| names.contains(of.name.as_str()) && !drawn.contains(of));
        asked.extend(others.cloned());
    }
    for declared in asked {
        let text = fs::read_to_string(checkout.join(&declared.at.0)).unwrap_or_default();
        let line = declared.at.1 - 1;
        let column = text.lines().nth(line as usize).and_then(|text| text.find(&declared.name)).unwrap_or(0);
        let found = client.ask(
            "textDocument/references",
            &json!({
                "textDocument": {"uri": client.uri(&declared.at.0)},
                "position": {"line": line, "character": column},
                "context": {"includeDeclaration": false},
            }),
        )?;
        let uses = rows.uses.entry(declared).or_default();
        for one in found.as_array().into_iter().flatten() {
            let line = one["range"]["start"]["line"].as_u64().and_then(|line| u32::try_from(line).ok());
            if let (Some(path), Some(line)) = (client.path(&one["uri"]), line) {
                uses.insert((path, line + 1));
            }
        }
    }
    without_imports(server, checkout, &mut rows);
    if server.language == "c" {
        merge_types(&types, &mut rows);
        rows.uses.retain(|of, _| drawn.contains(of));
    }
    Ok(rows)
}

/// Collects the files with these endings, relative to the checkout, in order.
fn collect(root: &Path, folder: &Path, endings: &[&str], found: &mut Vec<String>) -> Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_symlink() || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, endings, found)?;
        } else if name.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending)) {
            found.push(path.strip_prefix(root)?.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// Writes the list of compiler calls that a server reads: one for each file, with the folders of
/// all headers.
fn compile_commands(server: &Server, checkout: &Path, files: &[String], to: &Path) -> Result<()> {
    let folders: BTreeSet<String> = files
        .iter()
        .filter(|path| path.ends_with(".h"))
        .map(|path| path.rsplit_once('/').map_or(".".to_owned(), |(folder, _)| folder.to_owned()))
        .collect();
    let is_compiled =
        |path: &&String| path.rsplit_once('.').is_some_and(|(_, ending)| server.compiled.contains(&ending));
    let calls: Vec<Value> = files
        .iter()
        .filter(is_compiled)
        .map(|path| {
            let mut arguments = vec!["cc".to_owned(), "-D_GNU_SOURCE".to_owned()];
            arguments.extend(folders.iter().map(|folder| format!("-I{folder}")));
            arguments.extend(["-c".to_owned(), path.clone()]);
            json!({"directory": checkout, "file": path, "arguments": arguments})
        })
        .collect();
    fs::write(to.join("compile_commands.json"), serde_json::to_vec(&calls)?)?;
    Ok(())
}

/// Adds the symbols of an answer: line and column of the name, from 0, the name and its kind. What
/// is inside of a function is left out.
fn declarations(symbols: &Value, is_inside: bool, found: &mut Vec<(u32, u32, String, u64)>) {
    for one in symbols.as_array().into_iter().flatten() {
        let kind = one["kind"].as_u64().unwrap_or(0);
        let start = &one["selectionRange"]["start"];
        let number = |value: &Value| value.as_u64().and_then(|value| u32::try_from(value).ok());
        if let (Some(line), Some(column), Some(name)) =
            (number(&start["line"]), number(&start["character"]), one["name"].as_str())
            && KINDS.contains(&kind)
            && !is_inside
        {
            found.push((line, column, name.to_owned(), kind));
        }
        declarations(&one["children"], is_inside || matches!(kind, 6 | 9 | 12), found);
    }
}

/// Removes the declarations that another one completes: of a header if a source file has the name,
/// and all but the last of a file. The server takes them for one thing.
fn without_prototypes(rows: &mut Rows) {
    let is_source = |of: &Declaration| of.at.0.ends_with(".c");
    let mut last: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut defined: BTreeSet<String> = BTreeSet::new();
    for of in rows.uses.keys() {
        last.insert((of.at.0.clone(), of.name.clone()), of.at.1);
        if is_source(of) {
            defined.insert(of.name.clone());
        }
    }
    rows.uses.retain(|of, _| {
        (is_source(of) || !defined.contains(&of.name))
            && last.get(&(of.at.0.clone(), of.name.clone())) == Some(&of.at.1)
    });
}

/// Gives all types of a name the uses of each: a structure of C and its `typedef` are one thing.
fn merge_types(types: &BTreeSet<Declaration>, rows: &mut Rows) {
    let mut merged: BTreeMap<&str, BTreeSet<(String, u32)>> = BTreeMap::new();
    for of in types {
        merged.entry(&of.name).or_default().extend(rows.uses.get(of).into_iter().flatten().cloned());
    }
    for of in types {
        if let (Some(uses), Some(all)) = (rows.uses.get_mut(of), merged.get(of.name.as_str())) {
            uses.extend(all.iter().cloned());
        }
    }
}

/// Adds the lines of macro definitions: the server does not say what their names mean.
fn macros(text: &str, path: &str, rows: &mut Rows) {
    let mut is_open = false;
    for (line, at) in text.lines().zip(1..) {
        is_open |= line.trim_start().starts_with('#');
        if is_open {
            rows.dark.insert((path.to_owned(), at));
        }
        is_open &= line.ends_with('\\');
    }
}

/// Adds the lines that the compiler leaves out. `clangd` calls them comments.
fn inactive(client: &mut Client, path: &str, comment: u64, rows: &mut Rows) -> Result<()> {
    let asked = json!({"textDocument": {"uri": client.uri(path)}});
    let found = client.ask("textDocument/semanticTokens/full", &asked)?;
    let numbers: Vec<u64> =
        found["data"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let mut line = 1;
    for token in numbers.chunks_exact(5) {
        let &[lines, _, _, kind, _] = token else { continue };
        line += u32::try_from(lines)?;
        if kind == comment {
            rows.dark.insert((path.to_owned(), line));
        }
    }
    Ok(())
}

/// Removes the lines of Python's import statements, which are not uses.
fn without_imports(server: &Server, checkout: &Path, rows: &mut Rows) {
    if server.language != "python" {
        return;
    }
    let mut imports: BTreeSet<(String, u32)> = BTreeSet::new();
    for path in &rows.files {
        let text = fs::read_to_string(checkout.join(path)).unwrap_or_default();
        let mut is_open = false;
        for (line, at) in text.lines().zip(1..) {
            let begun = line.trim_start();
            is_open |= begun.starts_with("import ") || begun.starts_with("from ") && line.contains(" import");
            if !is_open {
                continue;
            }
            imports.insert((path.clone(), at));
            is_open = (line.contains('(') || !begun.starts_with("from "))
                && !line.contains(')')
                && !begun.starts_with("import ")
                || line.ends_with('\\');
        }
    }
    for uses in rows.uses.values_mut() {
        uses.retain(|line| !imports.contains(line));
    }
}

/// A running server.
struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    root: String,
    next: u64,
    /// Work that the server has begun and not ended.
    busy: BTreeSet<String>,
    has_begun: bool,
    /// The number of the kind of token that stands for comments, if the server has one.
    comment: Option<u64>,
}

impl Client {
    fn start(mut command: Command, checkout: &Path) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .current_dir(checkout)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("can't run '{name}'"))?;
        let to = child.stdin.take().context("no input")?;
        let from = BufReader::new(child.stdout.take().context("no output")?);
        let root = format!("file://{}", checkout.display());
        let mut client =
            Self { child, to, from, root, next: 0, busy: BTreeSet::new(), has_begun: false, comment: None };
        let root = client.root.clone();
        let answer = client.ask(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": "checkout"}],
                "capabilities": {
                    "textDocument": {
                        "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
                        "semanticTokens": {"requests": {"full": true}, "tokenTypes": ["comment"]},
                    },
                    "window": {"workDoneProgress": true},
                    "workspace": {"configuration": true, "workspaceFolders": true},
                },
            }),
        )?;
        let kinds = &answer["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
        let position = kinds.as_array().and_then(|all| all.iter().position(|kind| kind == "comment"));
        client.comment = position.map(|at| at as u64).filter(|_| name == "clangd");
        client.notify("initialized", &json!({}))?;
        Ok(client)
    }

    fn uri(&self, path: &str) -> String {
        format!("{}/{}", self.root, path.replace('%', "%25").replace(' ', "%20"))
    }

    /// Returns the path of an address below the checkout.
    fn path(&self, uri: &Value) -> Option<String> {
        let below = uri.as_str()?.strip_prefix(&self.root)?.strip_prefix('/')?;
        Some(below.replace("%20", " ").replace("%2B", "+").replace("%25", "%"))
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.to.flush()?)
    }

    fn notify(&mut self, method: &str, parameters: &Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}))
    }

    /// Sends a request and returns its result. Other messages are handled on the way.
    fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}))?;
        loop {
            let message = self.receive()?;
            if message["method"].is_null() && message["id"] == id {
                ensure!(message["error"].is_null(), "{method}: {}", message["error"]["message"]);
                return Ok(message["result"].clone());
            }
        }
    }

    /// Reads a message, and answers it if it is a request.
    fn receive(&mut self) -> Result<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            ensure!(self.from.read_line(&mut line)? > 0, "the server has ended");
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = Some(value.parse::<usize>()?);
            }
        }
        let mut bytes = vec![0; length.context("a message without a length")?];
        self.from.read_exact(&mut bytes)?;
        let message: Value = serde_json::from_slice(&bytes)?;
        match message["method"].as_str() {
            Some("$/progress") => {
                let token = message["params"]["token"].to_string();
                match message["params"]["value"]["kind"].as_str() {
                    Some("begin") => {
                        self.busy.insert(token);
                        self.has_begun = true;
                    }
                    Some("end") => drop(self.busy.remove(&token)),
                    _ => {}
                }
            }
            Some(method) if !message["id"].is_null() => {
                let n = message["params"]["items"].as_array().map_or(0, Vec::len);
                let result =
                    if method == "workspace/configuration" { json!(vec![json!({}); n]) } else { Value::Null };
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))?;
            }
            _ => {}
        }
        Ok(message)
    }

    /// Waits until the server has ended all work that it has begun.
    fn settle(&mut self) -> Result<()> {
        if !self.has_begun {
            return Ok(());
        }
        while !self.busy.is_empty() {
            if self.child.try_wait()?.is_some() {
                bail!("the server has ended");
            }
            self.receive()?;
        }
        Ok(())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has nothing to save.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_inside_functions_are_left_out() {
        let at = |line: u32| json!({"start": {"line": line, "character": 4}});
        let symbols = json!([
            {"name": "Cart", "kind": 5, "selectionRange": at(1), "children": [
                {"name": "pay", "kind": 6, "selectionRange": at(2), "children": [
                    {"name": "inner", "kind": 12, "selectionRange": at(3)},
                ]},
                {"name": "size", "kind": 13, "selectionRange": at(5)},
            ]},
        ]);
        let mut found = Vec::new();
        declarations(&symbols, false, &mut found);
        assert_eq!(found, [(1, 4, "Cart".to_owned(), 5), (2, 4, "pay".to_owned(), 6)]);
    }
}
