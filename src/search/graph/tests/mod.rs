//! Names resolved in small repositories of several languages.

mod data;
mod file_module;
#[cfg(feature = "lang-fortran")]
mod fortran;
mod header;
mod inheritance;
mod kind;
mod language;
mod managed;
mod nested;
#[cfg(feature = "lang-objective-c")]
mod objective_c;
mod outside;
mod perl_and_lisp;
mod qualifier;
mod same_name;
mod scanned;
mod spread;

use super::*;
use crate::search::segment::Index;
use crate::search::segment::samples::sources;

/// Returns the meanings of each mention of a name in a file that is not an import.
fn resolved<'s>(index: &Index<'s>, path: &str, name: &str) -> Vec<(FileView<'s>, ResolvedDeclaration)> {
    let graph = Graph::new(index);
    let file = index.file_by_path(path.into()).unwrap();
    let mut found = Vec::new();
    for ord in file.segment.chunks_of(file.ord) {
        let from = ChunkRef { part: file.part, ord };
        for mention in file.segment.mentions(ord).unwrap() {
            if mention.name == name && mention.kind != ReferenceKind::Import {
                let all = graph.resolve(from, &mention).unwrap().into_iter();
                found.extend(all.map(|one| (graph.declaration(one.to).unwrap().0, one)));
            }
        }
    }
    found
}

/// Returns the same as text: `path symbol (evidence)`, sorted.
fn meanings(index: &Index<'_>, path: &str, name: &str) -> Vec<String> {
    let said = |(of, one): (FileView<'_>, ResolvedDeclaration)| {
        format!("{} {} ({})", of.path(), of.segment.symbol_path(one.to.ord), one.evidence.name())
    };
    let mut found: Vec<String> = resolved(index, path, name).into_iter().map(said).collect();
    found.sort_unstable();
    found.dedup();
    found
}

pub(super) fn check(files: &[(&str, &str)], expected: &[(&str, &str, &[&str])]) {
    let segment = sources(files);
    let index = Index::whole(&segment);
    for (path, name, meaning) in expected {
        assert_eq!(meanings(&index, path, name), *meaning, "{name} in {path}");
    }
}

#[test]
fn objects_of_declared_types() {
    let filler = "// A line of text that makes the chunk long enough to stand by itself.\n";
    let client = format!(
        "package org.shop;\nimport java.util.ArrayList;\n\nclass Client {{\n    private final Log log;\n    \
         void run(Sink sink, StringBuilder text, Unknown other) {{\n        {filler}        log.append(1);\n        \
         sink.flush();\n        text.append(2);\n        text.reverse();\n        new Other().append(3);\n        \
         find().append(4);\n        sink.close();\n    }}\n    ArrayList find() {{ return null; }}\n    \
         void append(int x) {{\n        {filler}    }}\n}}\n"
    );
    check(
        &[
            ("org/shop/Client.java", &client),
            (
                "org/shop/Log.java",
                "package org.shop;\nclass Log extends Base {\n    void append(int x) { /* writes it down */ }\n}\n",
            ),
            (
                "org/shop/Other.java",
                "package org.shop;\nclass Other {\n    void append(int x) { /* does not */ }\n    void reverse() { }\n}\n",
            ),
            (
                "org/shop/Sink.java",
                "package org.shop;\ninterface Sink extends Closing {\n    void flush();\n}\n\
                 interface Closing {\n    void close();\n}\n",
            ),
            (
                "org/shop/file/FileSink.java",
                "package org.shop.file;\nimport org.shop.Sink;\npublic class FileSink implements Sink {\n    \
                 public void flush() { /* to the disk */ }\n    public void close() { /* the file */ }\n}\n",
            ),
        ],
        &[
            (
                "org/shop/Client.java",
                "append",
                &[
                    "org/shop/Log.java Log.append (declared type)",
                    "org/shop/Other.java Other.append (declared type)",
                ],
            ),
            (
                "org/shop/Client.java",
                "flush",
                &[
                    "org/shop/Sink.java Sink.flush (declared type)",
                    "org/shop/file/FileSink.java FileSink.flush (implements it)",
                ],
            ),
            (
                "org/shop/Client.java",
                "close",
                &[
                    "org/shop/Sink.java Closing.close (inherited)",
                    "org/shop/file/FileSink.java FileSink.close (implements it)",
                ],
            ),
            // The object's type is from outside.
            ("org/shop/Client.java", "reverse", &[]),
        ],
    );
}

#[test]
fn what_an_expression_gives_is_not_the_code_around() {
    check(
        &[
            (
                "shop/cart.py",
                "from shop.mail import send, make\nfrom requests import get\n\nclass Cart:\n    def pay(self):\n        \
                 make().send()\n        get().save()\n        ''.join()\n        self.items[0].pay()\n\n    \
                 def join(self):\n        return 'a text that is long enough to be a chunk of its own here'\n\n    \
                 def save(self):\n        return 'a text that is long enough to be a chunk of its own here'\n",
            ),
            (
                "shop/mail.py",
                "def send(x):\n    return 'sends a letter about what was bought'\n\ndef make():\n    return Letter()\n\n\
                 class Letter:\n    def send(self):\n        return 'sends itself, by whatever is the fastest way'\n",
            ),
        ],
        &[
            ("shop/cart.py", "send", &["shop/mail.py Letter.send (only candidate)"]),
            ("shop/cart.py", "join", &[]),
            ("shop/cart.py", "save", &[]),
        ],
    );
}

#[test]
fn python() {
    check(
        &[
            ("shop/__init__.py", ""),
            (
                "shop/cart.py",
                "from .money import total as sum_up, Price\nfrom requests import get\nimport shop.mail as post\n\n\
                 class Base:\n    def save(self):\n        return 'saved by the base class of all carts here'\n\n\
                 class Cart(Base):\n    def pay(self):\n        self.save()\n        self.check()\n        \
                 sum_up(self)\n        get('x')\n        post.send(self)\n        other.ship()\n        len(self)\n\n    \
                 def check(self):\n        return Price(1) and 'a text that is long enough for a chunk'\n",
            ),
            (
                "shop/money.py",
                "class Price:\n    '''What something costs, in whole cents and a currency.'''\n\n\
                 def total(cart):\n    return 'the sum of all prices in the cart'\n",
            ),
            ("shop/mail.py", "def send(cart):\n    return 'sends a letter about what was bought'\n"),
            (
                "other/mail.py",
                "def send(cart):\n    return 'another one of the same name'\n\ndef get(x):\n    return x\n",
            ),
            (
                "other/ship.py",
                "class Boat:\n    def ship(self):\n        return 'over the sea to the customer'\n",
            ),
        ],
        &[
            ("shop/cart.py", "save", &["shop/cart.py Base.save (inherited)"]),
            ("shop/cart.py", "check", &["shop/cart.py Cart.check (same type)"]),
            ("shop/cart.py", "sum_up", &["shop/money.py total (import)"]),
            ("shop/cart.py", "Price", &["shop/money.py Price (import)"]),
            ("shop/cart.py", "send", &["shop/mail.py send (import)"]),
            // Imported from outside the repository.
            ("shop/cart.py", "get", &[]),
            ("shop/cart.py", "ship", &["other/ship.py Boat.ship (only candidate)"]),
        ],
    );
}

#[test]
fn go() {
    check(
        &[
            (
                "server/raft/node.go",
                "package raft\n\nimport \"example.com/x/server/wal\"\n\ntype Node struct{ id int }\n\n\
                 func (n *Node) Step() error {\n\tn.tick()\n\twal.Open(\"a path to some file\")\n\treturn helper(n)\n}\n\n\
                 func (n *Node) tick() {\n\tprintln(\"the clock of this node goes on\")\n}\n",
            ),
            (
                "server/raft/util.go",
                "package raft\n\nfunc helper(n *Node) error {\n\treturn nil // nothing to be done here\n}\n",
            ),
            (
                "server/wal/wal.go",
                "package wal\n\nfunc Open(path string) error {\n\treturn nil // opens the log of what was written\n}\n",
            ),
            (
                "other/wal.go",
                "package other\n\nfunc Open(path string) {}\n\ntype Clock struct{}\n\nfunc (c *Clock) tick() {}\n\nfunc helper() {}\n",
            ),
        ],
        &[
            ("server/raft/node.go", "tick", &["server/raft/node.go Node.tick (same type)"]),
            ("server/raft/node.go", "Open", &["server/wal/wal.go Open (import)"]),
            ("server/raft/node.go", "helper", &["server/raft/util.go helper (same package)"]),
        ],
    );
}

#[test]
fn java() {
    check(
        &[
            (
                "core/src/main/java/org/shop/Cart.java",
                "package org.shop;\n\nimport org.shop.mail.Sender;\nimport java.util.List;\n\npublic class Cart extends Basket {\n    \
                 void pay() {\n        check();\n        empty();\n        Sender.post(this);\n        List.of(1);\n        \
                 sender.later(\"x\");\n        new Price(3);\n    }\n\n    private void check() {\n        \
                 System.out.println(\"a cart is checked before it is paid\");\n    }\n}\n",
            ),
            (
                "core/src/main/java/org/shop/Basket.java",
                "package org.shop;\n\nclass Basket {\n    void empty() {\n        System.out.println(\"nothing is left in the basket\");\n    }\n}\n",
            ),
            (
                "core/src/main/java/org/shop/Price.java",
                "package org.shop;\n\nclass Price {\n    Price(int cents) {\n        // what it costs, in cents\n    }\n}\n",
            ),
            (
                "mail/src/main/java/org/shop/mail/Sender.java",
                "package org.shop.mail;\n\npublic class Sender {\n    public static void post(Object what) {\n        \
                 System.out.println(\"by the ordinary post\");\n    }\n\n    void later(String x) {\n        \
                 System.out.println(\"by the ordinary post, but later on\");\n    }\n}\n",
            ),
            (
                "mail/src/main/java/org/shop/mail/List.java",
                "package org.shop.mail;\n\nclass List {\n    static void of(int x) {}\n    void check() {}\n}\n",
            ),
        ],
        &[
            (
                "core/src/main/java/org/shop/Cart.java",
                "check",
                &["core/src/main/java/org/shop/Cart.java Cart.check (same type)"],
            ),
            (
                "core/src/main/java/org/shop/Cart.java",
                "empty",
                &["core/src/main/java/org/shop/Basket.java Basket.empty (inherited)"],
            ),
            (
                "core/src/main/java/org/shop/Cart.java",
                "post",
                &["mail/src/main/java/org/shop/mail/Sender.java Sender.post (import)"],
            ),
            ("core/src/main/java/org/shop/Cart.java", "of", &[]),
            (
                "core/src/main/java/org/shop/Cart.java",
                "later",
                &["mail/src/main/java/org/shop/mail/Sender.java Sender.later (receiver's name)"],
            ),
            (
                "core/src/main/java/org/shop/Cart.java",
                "Price",
                &["core/src/main/java/org/shop/Price.java Price (same package)"],
            ),
        ],
    );
}

#[test]
fn rust_and_typescript_and_c() {
    check(
        &[
            (
                "src/main.rs",
                "use crate::net::http::Client;\nuse std::fs::read;\n\nfn main() {\n    let c = Client::open(\"somewhere on the network\");\n    \
                 crate::net::dial(1);\n    read(\"x\");\n    start();\n}\n\nfn start() {\n    println!(\"the program has been started now\");\n}\n",
            ),
            (
                "src/net/http.rs",
                "pub struct Client;\n\nimpl Client {\n    pub fn open(url: &str) -> Self {\n        Self::check(url);\n        Client // with nothing in it\n    }\n\n    \
                 fn check(url: &str) {\n        assert!(!url.is_empty(), \"there is no address in it\");\n    }\n}\n",
            ),
            (
                "src/net/kind.rs",
                "pub enum Kind {\n    Small(u32),\n}\n\npub struct Small(u32);\n\nimpl Small {\n    pub fn shout(&self) { println!(\"what is small shouts as well\"); }\n}\n",
            ),
            (
                "src/use.rs",
                "use crate::net::kind::Kind;\nuse crate::net::kind::shout;\n\nfn make() {\n    Kind::Small(1);\n    shout!(\"a macro from elsewhere, which is not the method\");\n}\n",
            ),
            (
                "web/local.ts",
                "export function outer() {\n  function inner() { return 'seen in outer alone, and nowhere else' }\n  return inner()\n}\n\nexport function beside(x: any) {\n  return inner('is not the one that is local to outer')\n}\n",
            ),
            (
                "src/net/mod.rs",
                "pub mod http;\n\npub fn dial(n: u32) {\n    println!(\"dialling the number {n}\");\n}\n\npub fn read() {}\npub fn open() {}\n",
            ),
            (
                "web/app.ts",
                "import { render } from './view'\nimport * as api from './api/client'\nimport { get } from 'axios'\n\nexport function app() {\n  render('a page')\n  api.load('some data')\n  get('x')\n}\n",
            ),
            (
                "web/view.ts",
                "export function render(page: string) {\n  return 'a page as it is seen: ' + page\n}\n",
            ),
            (
                "web/old/view.ts",
                "export function render(page: string) {}\nexport function get(x: string) {}\n",
            ),
            (
                "web/api/client.ts",
                "export function load(what: string) {\n  return 'loaded from the server: ' + what\n}\n",
            ),
            (
                "c/main.c",
                "#include \"list.h\"\n\nint main(void) {\n    list_push(0, \"an element of the list\");\n    return 0;\n}\n",
            ),
            ("c/list.h", "void list_push(void *list, const char *element);\n"),
            (
                "c/list.c",
                "#include \"list.h\"\n\nvoid list_push(void *list, const char *element) {\n    /* puts it at the end */\n}\n",
            ),
        ],
        &[
            ("src/main.rs", "open", &["src/net/http.rs Client::open (import)"]),
            ("src/main.rs", "dial", &["src/net/mod.rs dial (import)"]),
            ("src/main.rs", "read", &[]),
            ("src/main.rs", "start", &["src/main.rs start (same file)"]),
            ("src/net/http.rs", "check", &["src/net/http.rs Client::check (same type)"]),
            // The variant is meant, not the type of the same name.
            ("src/use.rs", "Small", &[]),
            ("src/use.rs", "shout", &[]),
            ("web/app.ts", "render", &["web/view.ts render (import)"]),
            ("web/local.ts", "inner", &["web/local.ts outer.inner (same file)"]),
            ("web/app.ts", "load", &["web/api/client.ts load (import)"]),
            ("web/app.ts", "get", &[]),
            ("c/main.c", "list_push", &["c/list.c list_push (import)"]),
        ],
    );
}

#[test]
fn constants_of_ruby_need_no_import() {
    let filler = "    # A line of text that makes the chunk long enough to stand by itself.\n".repeat(8);
    let cart = format!(
        "module Shop\n  class Cart < Base\n    def pay\n{filler}      Till.open(Error, ::Letter, String)\n      \
         other = Till.new\n      other.close\n    end\n  end\nend\n"
    );
    check(
        &[
            ("lib/shop/cart.rb", &cart),
            ("lib/shop/base.rb", "module Shop\n  class Base\n    def total\n      0\n    end\n  end\nend\n"),
            (
                "lib/other/base.rb",
                "module Other\n  class Base\n    def total\n      1\n    end\n  end\nend\n",
            ),
            (
                "lib/shop/till.rb",
                "module Shop\n  class Till\n    def self.open(error)\n      error\n    end\n\n    def close\n      1\n    end\n  end\nend\n",
            ),
            (
                "lib/shop/till_more.rb",
                "module Shop\n  class Till\n    def shut\n      2\n    end\n  end\nend\n",
            ),
            (
                "lib/door.rb",
                "class Door\n  def self.open(key)\n    key\n  end\n\n  def close\n    3\n  end\nend\n",
            ),
            ("lib/letter.rb", "class Letter\n  def text\n    'dear all'\n  end\nend\n"),
            ("lib/core_ext/string.rb", "class String\n  def shout\n    upcase\n  end\nend\n"),
            (
                "test/error.rb",
                "module Shop\n  class Error\n    def text\n      'in a test'\n    end\n  end\nend\n",
            ),
            ("lib/json_ext.rb", "module JSON\n  def self.parse_all(text)\n    text\n  end\nend\n"),
            ("lib/errors.rb", "class Broken < StandardError\n  def text\n    'it is broken'\n  end\nend\n"),
            ("app.rb", "def run\n  Shop::Till.open(Shop::Base)\n  JSON.parse(Broken)\nend\n"),
        ],
        &[
            ("lib/shop/cart.rb", "Base", &["lib/shop/base.rb Shop::Base (constant)"]),
            ("lib/shop/cart.rb", "Till", &["lib/shop/till.rb Shop::Till (constant)"]),
            ("lib/shop/cart.rb", "open", &["lib/shop/till.rb Shop::Till::open (qualifier)"]),
            ("lib/shop/cart.rb", "close", &["lib/shop/till.rb Shop::Till::close (declared type)"]),
            ("lib/shop/cart.rb", "Letter", &["lib/letter.rb Letter (constant)"]),
            // Constants of Ruby itself and of tests are not found as constants.
            ("lib/shop/cart.rb", "String", &["lib/core_ext/string.rb String (only candidate)"]),
            ("lib/shop/cart.rb", "Error", &["test/error.rb Shop::Error (only candidate)"]),
            ("app.rb", "open", &["lib/shop/till.rb Shop::Till::open (qualifier)"]),
            ("app.rb", "Base", &["lib/shop/base.rb Shop::Base (constant)"]),
            ("app.rb", "Broken", &["lib/errors.rb Broken (constant)"]),
            // This repository only reopens the module.
            ("app.rb", "JSON", &["lib/json_ext.rb JSON (only candidate)"]),
        ],
    );
}

#[test]
fn a_package_hands_on_what_its_own_file_imports() {
    let text = "# What it is long enough for.\ndef load(path):\n    return path\n";
    check(
        &[
            ("lib/shop/__init__.py", "from shop.store.api import load\nfrom shop.extra import *\n"),
            ("lib/shop/store/__init__.py", ""),
            ("lib/shop/store/api.py", text),
            ("lib/shop/tutorial.py", text),
            ("lib/shop/extra.py", "def save(path):\n    return path\n"),
            ("main.py", "from shop import load, save\n\ndef run():\n    return save(load('a'))\n"),
            ("ui/index.ts", "export { open } from './parts/window'\n"),
            ("ui/parts/window.ts", "export function open() { return 1 }\n"),
            ("ui/door.ts", "export function open() { return 2 }\n"),
            ("main.ts", "import { open } from './ui'\nexport function run() { return open() }\n"),
        ],
        &[
            ("main.py", "load", &["lib/shop/store/api.py load (import)"]),
            ("main.py", "save", &["lib/shop/extra.py save (import)"]),
            ("main.ts", "open", &["ui/parts/window.ts open (import)"]),
        ],
    );
}

#[test]
fn what_is_named_without_a_call_is_told_only_where_it_is_sure() {
    check(
        &[
            ("a.py", "LIMIT = 3\n\nclass Page:\n    @property\n    def title(self):\n        return 1\n"),
            (
                "b.py",
                "from a import Page\n\nclass Book(Page):\n    def show(self, other):\n        return self.title, other.title, LIMIT\n",
            ),
            ("c/a.go", "package c\n\nvar limit = 3\n"),
            ("c/b.go", "package c\n\nfunc f() int { return limit }\n"),
            ("d/b.go", "package d\n\nfunc f(limit int) int { return limit }\n"),
            ("e/b.go", "package e\n\nfunc f() int { return limit }\n"),
        ],
        &[
            ("b.py", "title", &["a.py Page.title (inherited)"]),
            ("b.py", "LIMIT", &[]),
            ("c/b.go", "limit", &["c/a.go limit (same package)"]),
            ("d/b.go", "limit", &[]),
            ("e/b.go", "limit", &[]),
        ],
    );
}

#[test]
fn what_functions_of_other_files_give_is_followed() {
    let filler = "    // Some words that make of it a chunk that stands by itself and is not joined to its neighbours.\n".repeat(12);
    let store = format!(
        "pub struct Store {{\n    log: Log,\n}}\n\nimpl Store {{\n    pub fn open(&self) -> Option<Log> {{\n{filler}        None\n    }}\n}}\n\n\
         pub struct Log;\n\nimpl Log {{\n    pub fn flush(&self) {{}}\n}}\n\npub fn make() -> Result<Store, Error> {{\n{filler}    todo!()\n}}\n"
    );
    check(
        &[
            ("src/store.rs", &store),
            (
                "src/other.rs",
                "pub struct Other;\nimpl Other {\n    pub fn flush(&self) {}\n    pub fn open(&self) {}\n}\n",
            ),
            (
                "src/main.rs",
                "use crate::store::{make, Store};\nfn f() {\n    let store = make()?;\n    store.open().unwrap().flush();\n}\n",
            ),
            ("src/field.rs", "use crate::store::Store;\nfn g(store: &Store) {\n    store.log.flush();\n}\n"),
            (
                "src/lost.rs",
                "use other_crate::make;\nfn h() {\n    let store = make();\n    store.open();\n}\n",
            ),
            (
                "a/new.go",
                "package a\n\ntype client struct{}\n\nfunc newClient() (*client, error) { return nil, nil }\n\nfunc (c *client) Send() {}\n",
            ),
            ("a/other.go", "package a\n\ntype other struct{}\n\nfunc (o *other) Send() {}\n"),
            ("a/pool.go", "package a\n\nvar pool = &client{}\n\nfunc Use() { pool.Send() }\n"),
            ("a/wide.go", "package a\n\nvar wide *client\n"),
            ("a/use.go", "package a\n\nfunc Use(all []any) {\n\twide.Send()\n}\n"),
            (
                "a/hide.go",
                "package a\n\nfunc Hide(all []any) {\n\tfor _, wide := range all {\n\t\twide.Send()\n\t}\n}\n",
            ),
            ("a/run.go", "package a\n\nfunc Run() {\n\tc, _ := newClient()\n\tc.Send()\n}\n"),
            ("shop/app.py", "class App:\n    def run(self):\n        pass\n\napp: App = build()\n"),
            ("shop/else.py", "class Else:\n    def run(self):\n        pass\n"),
            ("shop/main.py", "from shop.app import app\n\ndef main():\n    app.run()\n"),
        ],
        &[
            ("src/main.rs", "open", &["src/store.rs Store::open (declared type)"]),
            ("src/main.rs", "flush", &["src/store.rs Log::flush (declared type)"]),
            ("src/field.rs", "flush", &["src/store.rs Log::flush (declared type)"]),
            ("a/run.go", "Send", &["a/new.go client.Send (declared type)"]),
            ("a/use.go", "Send", &["a/new.go client.Send (declared type)"]),
            ("a/hide.go", "Send", &["a/new.go client.Send (same name)", "a/other.go other.Send (same name)"]),
            ("shop/main.py", "run", &["shop/app.py App.run (declared type)"]),
        ],
    );
}

#[test]
fn alternatives_of_a_global_name_share_their_callers() {
    let of = |os: &str| format!("char *get_name(int fd)\n{{\n\treturn \"{os}\";\n}}\n");
    let (linux, bsd) = (of("linux"), of("bsd"));
    check(
        &[
            ("osdep-linux.c", &linux),
            ("osdep-bsd.c", &bsd),
            (
                "rss.c",
                "#ifdef LINUX\nint get_rss(void) {\n\treturn 1;\n}\n#else\nint get_rss(void) {\n\treturn 2;\n}\n#endif\n",
            ),
            ("win.c", "int get_rss(void) {\n\treturn 3;\n}\n"),
            ("stat.c", "int stat_rss(void) {\n\treturn get_rss() + 1;\n}\n"),
            ("format.c", "void show(int fd)\n{\n\tprint(get_name(fd));\n}\n"),
            ("sys_linux.go", "package sys\n\nfunc open(n int) int {\n\treturn n\n}\n"),
            ("sys_darwin.go", "package sys\n\nfunc open(n int) int {\n\treturn n + 1\n}\n"),
            ("use.go", "package sys\n\nfunc Use() int {\n\treturn open(1)\n}\n"),
        ],
        &[
            (
                "format.c",
                "get_name",
                &["osdep-bsd.c get_name (one of several)", "osdep-linux.c get_name (one of several)"],
            ),
            ("stat.c", "get_rss", &["rss.c get_rss (one of several)", "win.c get_rss (one of several)"]),
            (
                "use.go",
                "open",
                &["sys_darwin.go open (one of several)", "sys_linux.go open (one of several)"],
            ),
        ],
    );
    assert!(!Evidence::Alternative.is_certain());
}

#[test]
fn a_header_beside_the_file_is_meant() {
    let declares = |text: &str| {
        format!("#include \"dict.h\"\n\nint dict_find(int key) {{\n    return key + {text};\n}}\n")
    };
    let uses = "#include \"dict.h\"\n\nint use_it(int key) {\n    return dict_find(key) + 1;\n}\n";
    let (own, other) = (declares("1"), declares("2"));
    check(
        &[
            ("src/dict.h", "int dict_find(int key);\n"),
            ("src/dict.c", &own),
            ("src/cli.c", uses),
            ("deps/lib/dict.h", "int dict_find(int key);\n"),
            ("deps/lib/dict.c", &other),
            ("deps/lib/async.c", uses),
        ],
        &[
            ("src/cli.c", "dict_find", &["src/dict.c dict_find (import)"]),
            ("deps/lib/async.c", "dict_find", &["deps/lib/dict.c dict_find (import)"]),
        ],
    );
}
