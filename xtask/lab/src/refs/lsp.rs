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

use super::clang;
use super::compare::sample;
use super::oracle::{Declaration, Line, Rows};

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

impl Server {
    fn is_clang(&self) -> bool {
        !self.compiled.is_empty()
    }
}

/// The server for C. It reads all files that a list of compiler calls names.
pub(super) const CLANGD: Server = Server {
    program: "clangd",
    arguments: &["--background-index", "--limit-references=0", "--limit-results=0", "--log=error"],
    language: "c",
    endings: &["c", "h"],
    compiled: &["c"],
};

/// The server for C++. It indexes the files that are open, which are all; in the background, it
/// would index them again, and only while the machine has nothing else to do.
pub(super) const CLANGD_CPP: Server = Server {
    arguments: &["--background-index=false", "--limit-references=0", "--limit-results=0", "--log=error"],
    language: "cpp",
    endings: &["cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp"],
    compiled: &["cc", "cpp", "cxx"],
    ..CLANGD
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

/// Kinds of members whose lines name their type, but do not count themselves: field, constructor,
/// variable.
const OTHER_MEMBERS: [u64; 3] = [8, 9, 13];

/// Returns what a server knows about `most` declarations of a checkout. `flags` are those of the
/// compiler, in addition to the ones that every checkout gets.
pub(super) fn rows(server: &Server, checkout: &Path, most: usize, flags: &[String]) -> Result<Rows> {
    let mut files = Vec::new();
    collect(checkout, checkout, server.endings, &mut files)?;
    ensure!(!files.is_empty(), "no {} files in '{}'", server.language, checkout.display());
    let listed = tempfile::tempdir()?;
    let mut command = Command::new(server.program);
    command.args(server.arguments);
    if server.is_clang() {
        let flags = [clang::flags(server.language, &files), flags.to_vec()].concat();
        compile_commands(server, checkout, &files, &flags, listed.path())?;
        command.arg(format!("--compile-commands-dir={}", listed.path().display()));
    }
    let mut client = Client::start(command, checkout)?;
    let mut rows = Rows::default();
    let mut symbols = BTreeMap::new();
    for path in &files {
        open(&mut client, server, checkout, path, &mut rows, &mut symbols)?;
    }
    ensure!(!symbols.is_empty(), "the server found no declaration");
    let all = symbols.clone();
    symbols.retain(|_, one| one.counts);
    if server.is_clang() {
        clang::without_prototypes(&mut symbols);
    }
    client.settle()?;
    for path in files.iter().filter(|_| server.is_clang()) {
        dark(&mut client, path, &mut rows)?;
    }
    if server.language == "cpp" {
        rows.files.retain(|path| !client.faulty.contains(path));
        symbols.retain(|of, _| rows.files.contains(&of.at.0));
    }
    let mut asked = sample(symbols.keys().cloned().collect(), most);
    let drawn: BTreeSet<Declaration> = asked.iter().cloned().collect();
    if server.is_clang() {
        asked.extend(clang::of_one_type(&all, &drawn));
    }
    for declared in asked {
        let column = all.get(&declared).map_or(0, |symbol| symbol.column);
        let uses = references(&mut client, &declared, column)?;
        rows.uses.insert(declared, uses);
    }
    without_imports(server, checkout, &mut rows);
    if server.is_clang() {
        clang::merge_types(&all, &mut rows);
        clang::without_declarations(&all, &mut rows);
        rows.uses.retain(|of, _| drawn.contains(of));
    }
    Ok(rows)
}

/// Opens a file and adds what it declares.
fn open(
    client: &mut Client,
    server: &Server,
    checkout: &Path,
    path: &str,
    rows: &mut Rows,
    symbols: &mut BTreeMap<Declaration, Symbol>,
) -> Result<()> {
    let text = String::from_utf8_lossy(&fs::read(checkout.join(path))?).into_owned();
    let uri = client.uri(path);
    let document = json!({"uri": uri, "languageId": server.language, "version": 1, "text": text});
    client.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
    let answer = client.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": uri}}))?;
    if server.is_clang() {
        clang::macros(&text, path, rows);
        clang::imported(&text, path, rows);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    declarations(&answer, "", &lines, &mut found);
    for (line, name, symbol) in found {
        let line_text = lines.get(line as usize).copied().unwrap_or_default();
        // The server may name a place inside of a macro.
        if line_text.get(symbol.column as usize..).is_some_and(|rest| rest.starts_with(&name)) {
            symbols.insert(Declaration { at: (path.to_owned(), line + 1), name }, symbol);
        }
    }
    rows.files.insert(path.to_owned());
    Ok(())
}

/// Returns the lines that refer to a declaration, whose name starts at a column.
fn references(client: &mut Client, declared: &Declaration, column: u32) -> Result<BTreeSet<Line>> {
    let found = client.ask(
        "textDocument/references",
        &json!({
            "textDocument": {"uri": client.uri(&declared.at.0)},
            "position": {"line": declared.at.1 - 1, "character": column},
            "context": {"includeDeclaration": false},
        }),
    )?;
    let place = |one: &Value| {
        let line = one["range"]["start"]["line"].as_u64().and_then(|line| u32::try_from(line).ok())?;
        Some((client.path(&one["uri"])?, line + 1))
    };
    Ok(found.as_array().into_iter().flatten().filter_map(place).collect())
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

/// Writes the list of compiler calls that a server reads: one for each file, with these flags.
fn compile_commands(
    server: &Server,
    checkout: &Path,
    files: &[String],
    flags: &[String],
    to: &Path,
) -> Result<()> {
    let is_compiled =
        |path: &&String| path.rsplit_once('.').is_some_and(|(_, ending)| server.compiled.contains(&ending));
    let calls: Vec<Value> = files
        .iter()
        .filter(is_compiled)
        .map(|path| {
            let mut arguments = flags.to_vec();
            arguments.extend(["-c".to_owned(), path.clone()]);
            json!({"directory": checkout, "file": path, "arguments": arguments})
        })
        .collect();
    fs::write(to.join("compile_commands.json"), serde_json::to_vec(&calls)?)?;
    Ok(())
}

/// A symbol that a server lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symbol {
    /// The name, behind the names of what is around it.
    pub(super) path: String,
    /// Where the name starts in its line, from 0.
    pub(super) column: u32,
    pub(super) is_type: bool,
    /// Whether it has a body.
    pub(super) is_defined: bool,
    /// Whether its uses are compared. Otherwise only its line matters.
    pub(super) counts: bool,
}

/// Adds the symbols of an answer, with line (from 0) and name. What is inside of a function is left
/// out. `around` is the path of what is around them.
fn declarations(symbols: &Value, around: &str, lines: &[&str], found: &mut Vec<(u32, String, Symbol)>) {
    let number = |value: &Value| value.as_u64().and_then(|value| u32::try_from(value).ok());
    for one in symbols.as_array().into_iter().flatten() {
        let kind = one["kind"].as_u64().unwrap_or(0);
        let name = one["name"].as_str().unwrap_or_default();
        // `clangd` writes `Store::get` for a definition outside of the class, and `hash<int>`.
        let written = clang::without_arguments(name);
        let path = format!("{around}::{written}");
        let name = written.rsplit("::").next().unwrap_or(&written);
        let start = &one["selectionRange"]["start"];
        let end = &one["range"]["end"];
        let last = number(&end["line"]).and_then(|line| lines.get(line as usize)).copied();
        let last = last.and_then(|line| line.get(..number(&end["character"])? as usize));
        if let (Some(line), Some(column)) = (number(&start["line"]), number(&start["character"]))
            && (KINDS.contains(&kind) || OTHER_MEMBERS.contains(&kind) && name.len() < written.len())
        {
            let is_defined = last.is_some_and(|text| text.ends_with('}'));
            let counts = KINDS.contains(&kind) && !name.starts_with("operator");
            let is_type = TYPES.contains(&kind);
            let symbol = Symbol { path: path.clone(), column, is_type, is_defined, counts };
            found.push((line, name.to_owned(), symbol));
        }
        if !matches!(kind, 6 | 9 | 12) {
            declarations(&one["children"], &path, lines, found);
        }
    }
}

/// Adds the lines that `clangd` says nothing about: those that the compiler leaves out, which it
/// calls comments, and names that depend on a type parameter.
fn dark(client: &mut Client, path: &str, rows: &mut Rows) -> Result<()> {
    let (comment, dependent) = (client.comment, client.dependent);
    let asked = json!({"textDocument": {"uri": client.uri(path)}});
    let found = client.ask("textDocument/semanticTokens/full", &asked)?;
    let numbers: Vec<u64> =
        found["data"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let mut line = 1;
    for token in numbers.chunks_exact(5) {
        let &[lines, _, _, kind, modifiers] = token else { continue };
        line += u32::try_from(lines)?;
        let is_dependent = dependent.is_some_and(|bit| modifiers & (1 << bit) != 0);
        if Some(kind) == comment || is_dependent {
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
    /// The bit that stands for names that depend on a type parameter, if the server has one.
    dependent: Option<u64>,
    /// Files with errors.
    faulty: BTreeSet<String>,
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
        let mut client = Self {
            child,
            to,
            from,
            root,
            next: 0,
            busy: BTreeSet::new(),
            has_begun: false,
            comment: None,
            dependent: None,
            faulty: BTreeSet::new(),
        };
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
                        "semanticTokens": {
                            "requests": {"full": true},
                            "tokenTypes": ["comment"],
                            "tokenModifiers": ["dependentName"],
                        },
                    },
                    "window": {"workDoneProgress": true},
                    "workspace": {"configuration": true, "workspaceFolders": true},
                },
            }),
        )?;
        let legend = &answer["capabilities"]["semanticTokensProvider"]["legend"];
        let position = |list: &str, word: &str| {
            let position = legend[list].as_array().and_then(|all| all.iter().position(|one| one == word));
            position.map(|at| at as u64)
        };
        client.comment = position("tokenTypes", "comment");
        client.dependent = position("tokenModifiers", "dependentName");
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
            Some("textDocument/publishDiagnostics") => {
                let found = message["params"]["diagnostics"].as_array();
                let has_error = found.is_some_and(|all| all.iter().any(|one| one["severity"] == 1));
                if let Some(path) = self.path(&message["params"]["uri"]).filter(|_| has_error) {
                    self.faulty.insert(path);
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
        let lines = ["", "cls Cart {", "    pay(); }", "    inner", "Cart::pay() {}", "Cart::Cart() {}"];
        let at = |line: u32, column: u32| json!({"start": {"line": line, "character": column}});
        let to = |line: u32, column: u32| json!({"end": {"line": line, "character": column}});
        let symbols = json!([
            {"name": "Cart", "kind": 5, "selectionRange": at(1, 4), "range": to(2, 12), "children": [
                {"name": "pay", "kind": 6, "selectionRange": at(2, 4), "range": to(2, 9), "children": [
                    {"name": "inner", "kind": 12, "selectionRange": at(3, 4)},
                ]},
                {"name": "size", "kind": 13, "selectionRange": at(3, 4)},
                {"name": "operator==", "kind": 6, "selectionRange": at(3, 4)},
            ]},
            {"name": "Cart<Item>::pay<int>", "kind": 6, "selectionRange": at(4, 6), "range": to(4, 14)},
            {"name": "Cart::Cart", "kind": 9, "selectionRange": at(5, 6), "range": to(5, 15)},
        ]);
        let mut found = Vec::new();
        declarations(&symbols, "", &lines, &mut found);
        let symbol = |path: &str, column, is_type, is_defined| Symbol {
            path: path.to_owned(),
            column,
            is_type,
            is_defined,
            counts: true,
        };
        let other = |path: &str, column| Symbol { counts: false, ..symbol(path, column, false, false) };
        let expected = [
            (1, "Cart".to_owned(), symbol("::Cart", 4, true, true)),
            (2, "pay".to_owned(), symbol("::Cart::pay", 4, false, false)),
            (3, "operator==".to_owned(), other("::Cart::operator==", 4)),
            (4, "pay".to_owned(), symbol("::Cart::pay", 6, false, true)),
            (5, "Cart".to_owned(), Symbol { is_defined: true, ..other("::Cart::Cart", 6) }),
        ];
        assert_eq!(found, expected);
    }
}
