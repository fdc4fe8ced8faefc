//! Tests of names that an application imports from a library, in several languages.

use crate::search::graph::{Ecosystem, Graph, Graphs, Package};
use crate::search::segment::samples::sources;
use crate::search::segment::{ChunkRef, Index};

use super::*;

type Files<'f> = &'f [(&'f str, &'f str)];

fn package(ecosystem: Ecosystem, name: &str, folder: &str) -> Package {
    Package { ecosystem, name: name.into(), folder: folder.into() }
}

/// Checks what mentions of names in the application mean: `repository path symbol (evidence)`,
/// sorted.
fn check(app: (Files<'_>, &[Package]), library: (Files<'_>, &[Package]), expected: &[(&str, &str, &[&str])]) {
    let segments = [sources(app.0), sources(library.0)];
    let indexes = [Index::whole(&segments[0]), Index::whole(&segments[1])];
    let mut graphs = Graphs::default();
    graphs.add(Graph::new(&indexes[0]), app.1);
    graphs.add(Graph::new(&indexes[1]), library.1);
    for (path, name, meaning) in expected {
        let file = indexes[0].file_by_path((*path).into()).unwrap();
        let mut found = Vec::new();
        for ord in file.segment.chunks_of(file.ord) {
            let from = ChunkRef { part: file.part, ord };
            for mention in file.segment.mentions(ord).unwrap() {
                if mention.name != *name || mention.kind == ReferenceKind::Import {
                    continue;
                }
                for one in graphs.resolve(0, from, &mention).unwrap() {
                    let (of, _) = graphs.graph(one.repository).unwrap().declaration(one.resolved.to).unwrap();
                    let symbol = of.segment.symbol_path(one.resolved.to.ord);
                    let how = one.resolved.evidence.name();
                    found.push(format!("{} {} {symbol} ({how})", one.repository, of.path()));
                    // The way back finds the same edge.
                    let (to, kinds) = (one.resolved.to, [mention.kind]);
                    let back = graphs.incoming_from(0, one.repository, to, &kinds).unwrap();
                    let is_back = back.iter().any(|edge| edge.from == from);
                    assert!(is_back || one.repository == 0, "{name} in {path}, and back");
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, *meaning, "{name} in {path}");
    }
}

#[test]
fn python() {
    let library: Files<'_> = &[
        ("src/flask/__init__.py", "from .app import Flask as Flask\nfrom .helpers import *\n"),
        (
            "src/flask/app.py",
            "from .scaffold import Scaffold\n\nclass Flask(Scaffold):\n    def run(self):\n        return 'the application runs until it is stopped'\n",
        ),
        (
            "src/flask/scaffold.py",
            "class Scaffold:\n    def route(self, rule):\n        return 'a function is called for what comes along the way'\n",
        ),
        (
            "src/flask/helpers.py",
            "def url_for(endpoint):\n    return 'an address of what is called so in this application'\n",
        ),
        (
            "src/flask/json/__init__.py",
            "def dumps(value):\n    return 'a value as text that others can read'\n",
        ),
        (
            "src/flask/cli.py",
            "def dumps(value):\n    return 'not what is meant'\n\ndef serve(x):\n    return 'from the command line'\n",
        ),
        (
            "src/flask/views.py",
            "class View:\n    def dispatch(self):\n        return 'chooses the method that answers'\n",
        ),
        ("tests/test_app.py", "def serve(x):\n    return 'a test of serving, which nobody imports'\n"),
        ("src/utils/__init__.py", "def shorten(text):\n    return 'a text that has been made shorter'\n"),
    ];
    let app: Files<'_> = &[
        (
            "shop/web.py",
            "import flask\nimport flask.json\nfrom flask import Flask, url_for as address, serve\nfrom flask.views import View\n\
             from flask.cli import start\nfrom requests import dumps as other\nfrom utils import shorten\n\n\
             class Page(View):\n    def show(self):\n        self.dispatch()\n        return 'a page of the shop'\n\n\
             class Shop(Flask):\n    def open(self):\n        self.route('/')\n        self.run()\n        return 'the shop is open now'\n\n\
             def make():\n    app = Flask(1)\n    address('x')\n    flask.json.dumps(1)\n    serve(2)\n    start()\n    app.route(3)\n    return 'a shop that was made here'\n\n\
             def letters():\n    other(1)\n    shorten(2)\n    return 'letters that go out to customers'\n",
        ),
        (
            "shop/local.py",
            "def url_for(x):\n    return 'the shop has one of its own'\n\ndef go():\n    url_for(1)\n    return 'goes to the local one'\n",
        ),
    ];
    check(
        (app, &[package(Ecosystem::Python, "shop", "shop")]),
        (
            library,
            &[
                package(Ecosystem::Python, "flask", "src/flask"),
                package(Ecosystem::Python, "utils", "src/utils"),
            ],
        ),
        &[
            ("shop/web.py", "Flask", &["1 src/flask/app.py Flask (import)"]),
            ("shop/web.py", "address", &["1 src/flask/helpers.py url_for (import)"]),
            ("shop/web.py", "dumps", &["1 src/flask/json/__init__.py dumps (import)"]),
            // The re-export is not visible in the imports: the only one of the package is meant.
            ("shop/web.py", "serve", &["1 src/flask/cli.py serve (re-export)"]),
            ("shop/web.py", "start", &[]),
            ("shop/web.py", "dispatch", &["1 src/flask/views.py View.dispatch (inherited)"]),
            ("shop/web.py", "run", &["1 src/flask/app.py Flask.run (inherited)"]),
            (
                "shop/web.py",
                "route",
                &[
                    "1 src/flask/scaffold.py Scaffold.route (declared type)",
                    "1 src/flask/scaffold.py Scaffold.route (inherited)",
                ],
            ),
            // Declared in the library, but imported from elsewhere.
            ("shop/web.py", "other", &[]),
            // The package has a common name.
            ("shop/web.py", "shorten", &["1 src/utils/__init__.py shorten (imported package)"]),
            ("shop/local.py", "url_for", &["0 shop/local.py url_for (same file)"]),
        ],
    );
}

#[test]
fn a_package_of_ones_own_is_not_looked_for_elsewhere() {
    let library: Files<'_> =
        &[("flask/app.py", "class Flask:\n    def run(self):\n        return 'the real one'\n")];
    let app: Files<'_> = &[
        ("flask/__init__.py", ""),
        ("flask/other.py", "def other():\n    return 'something else altogether'\n"),
        (
            "main.py",
            "from flask.app import Flask\n\ndef go():\n    Flask()\n    return 'means a file that is not there'\n",
        ),
        (
            "tool/tool.py",
            "from helper import help_out\n\ndef go():\n    help_out(1)\n    return 'means the file beside'\n",
        ),
        ("tool/helper.py", "hidden = print\n"),
    ];
    check(
        (app, &[package(Ecosystem::Python, "flask", "flask")]),
        (library, &[package(Ecosystem::Python, "flask", "flask")]),
        &[("main.py", "Flask", &[])],
    );
    let library: Files<'_> = &[("helper.py", "def help_out(n):\n    return 'helps out, but not here'\n")];
    check(
        (app, &[]),
        (library, &[package(Ecosystem::Python, "helper", "helper.py")]),
        &[("tool/tool.py", "help_out", &[])],
    );
}

#[test]
fn a_module_beside_a_script_is_meant_but_not_one_inside_a_package() {
    let library: Files<'_> = &[
        ("src/flask/__init__.py", "from .app import Flask as Flask\n"),
        ("src/flask/app.py", "class Flask:\n    def run(self):\n        return 'the real one'\n"),
    ];
    let user = "from flask import Flask\n\ndef make():\n    Flask(1)\n    return 'made here'\n";
    let beside = "def other():\n    return 'something else altogether'\n";
    let app: Files<'_> = &[
        ("shop/__init__.py", ""),
        ("shop/flask.py", beside),
        ("shop/web.py", user),
        ("tools/flask.py", beside),
        ("tools/run.py", user),
    ];
    // A name that several packages have is as certain, if only one of them declares it.
    let packages =
        [package(Ecosystem::Python, "flask", "src/flask"), package(Ecosystem::Python, "flask", "old/flask")];
    check(
        (app, &[package(Ecosystem::Python, "shop", "shop")]),
        (library, &packages),
        &[("shop/web.py", "Flask", &["1 src/flask/app.py Flask (import)"]), ("tools/run.py", "Flask", &[])],
    );
}

#[test]
fn rust() {
    let library: Files<'_> = &[
        (
            "json/src/lib.rs",
            "mod de;\npub mod value;\nmod error;\npub use crate::de::from_str;\npub use self::value::Value;\npub use json_core::*;\n\npub fn version() -> u32 {\n    4 // of what is spoken here\n}\n",
        ),
        (
            "json/src/de.rs",
            "pub fn from_str(text: &str) -> u32 {\n    text.len() as u32 // is all that is known of it\n}\n",
        ),
        (
            "json/src/value.rs",
            "pub enum Value {\n    Null,\n}\n\nimpl Value {\n    pub fn shout(&self) -> u32 {\n        1 // as loud as a value can shout\n    }\n    pub fn of(n: u32) -> Self {\n        Self::Null // whatever the number was\n    }\n}\n",
        ),
        ("json/src/error.rs", "pub struct Failure {\n    pub code: u32, // and nothing more to be said\n}\n"),
        ("json/src/a.rs", "pub fn twice() { println!(\"one of two that are called so, in a\") }\n"),
        ("json/src/b.rs", "pub fn twice() { println!(\"one of two that are called so, in b\") }\n"),
        (
            "core/src/lib.rs",
            "pub mod deep;\npub fn heart() -> u32 {\n    7 // which beats for all of them\n}\n",
        ),
        ("core/src/deep.rs", "pub fn below() -> u32 {\n    8 // is far below the surface\n}\n"),
    ];
    let app: Files<'_> = &[
        (
            "src/main.rs",
            "use json_lib::{Value, Failure};\nuse std::str::from_str as other;\n\nfn main() {\n    json_lib::from_str(\"some text to be read\");\n    json_lib::version();\n    json_lib::heart();\n    json_core::deep::below();\n    other(\"x\");\n}\n\n\
             fn values(v: &Value) -> Failure {\n    Value::of(1);\n    v.shout();\n    json_lib::value::Value::of(2);\n    json_lib::twice();\n    json_lib::absent();\n    unknown::version();\n}\n",
        ),
        (
            "src/json_lib2.rs",
            "use crate::config::from_str;\n\nfn go() {\n    from_str(\"which is of the application itself\");\n}\n",
        ),
    ];
    let packages =
        [package(Ecosystem::Cargo, "json-lib", "json"), package(Ecosystem::Cargo, "json-core", "core")];
    check(
        (app, &[package(Ecosystem::Cargo, "app", "")]),
        (library, &packages),
        &[
            ("src/main.rs", "from_str", &["1 json/src/de.rs from_str (import)"]),
            ("src/main.rs", "version", &["1 json/src/lib.rs version (import)"]),
            ("src/main.rs", "heart", &["1 core/src/lib.rs heart (import)"]),
            ("src/main.rs", "below", &["1 core/src/deep.rs below (import)"]),
            ("src/main.rs", "other", &[]),
            ("src/main.rs", "Failure", &["1 json/src/error.rs Failure (re-export)"]),
            ("src/main.rs", "of", &["1 json/src/value.rs Value::of (import)"]),
            ("src/main.rs", "shout", &["1 json/src/value.rs Value::shout (declared type)"]),
            (
                "src/main.rs",
                "twice",
                &["1 json/src/a.rs twice (imported package)", "1 json/src/b.rs twice (imported package)"],
            ),
            ("src/main.rs", "absent", &[]),
            ("src/json_lib2.rs", "from_str", &[]),
        ],
    );
}

#[test]
fn go() {
    let library: Files<'_> = &[
        (
            "db.go",
            "package bbolt\n\ntype DB struct{ path string }\n\nfunc Open(path string) *DB {\n\treturn &DB{path: path}\n}\n\nfunc (db *DB) Update(n int) {\n\tprintln(\"a change of what is kept\")\n}\n",
        ),
        (
            "internal/x/x.go",
            "package x\n\nfunc Open(path string) {\n\tprintln(\"not what is meant by that name\")\n}\n",
        ),
        (
            "client/v3/kv.go",
            "package client\n\nfunc NewKV(n int) int {\n\treturn n + 1 // one more than there were\n}\n",
        ),
    ];
    let app: Files<'_> = &[(
        "store/store.go",
        "package store\n\nimport (\n\tbolt \"go.etcd.io/bbolt\"\n\t\"go.etcd.io/bbolt/client/v3\"\n\t\"example.com/other/x\"\n)\n\n\
         func Start(db *bolt.DB) {\n\tbolt.Open(\"a path of some file\")\n\tdb.Update(1)\n\tclient.NewKV(2)\n\tx.Open(\"elsewhere\")\n\tbolt.Close(3)\n}\n",
    )];
    let packages = [
        package(Ecosystem::Go, "go.etcd.io/bbolt", ""),
        package(Ecosystem::Go, "go.etcd.io/bbolt/client/v3", "client/v3"),
    ];
    check(
        (app, &[package(Ecosystem::Go, "example.com/app", "")]),
        (library, &packages),
        &[
            ("store/store.go", "Open", &["1 db.go Open (import)"]),
            ("store/store.go", "DB", &["1 db.go DB (import)"]),
            ("store/store.go", "Update", &["1 db.go DB.Update (declared type)"]),
            ("store/store.go", "NewKV", &["1 client/v3/kv.go NewKV (import)"]),
            ("store/store.go", "Close", &[]),
        ],
    );
}

#[test]
fn java() {
    let library: Files<'_> = &[
        (
            "clients/src/main/java/org/kafka/clients/Producer.java",
            "package org.kafka.clients;\n\npublic class Producer extends Base {\n    public static Producer of(int n) {\n        return new Producer(); // of many things\n    }\n\n    \
             public void send(int n) {\n        System.out.println(\"something is sent away\");\n    }\n\n    public static class Options {\n        int n; // of them there are many\n    }\n}\n",
        ),
        (
            "clients/src/main/java/org/kafka/clients/Base.java",
            "package org.kafka.clients;\n\npublic class Base {\n    protected void begin() {\n        System.out.println(\"it begins here, and nowhere else\");\n    }\n}\n",
        ),
        (
            "clients/src/main/java/org/kafka/Config.java",
            "package org.kafka;\n\npublic class Config {\n    int n; // says how things are to be done\n}\n",
        ),
    ];
    let app: Files<'_> = &[(
        "src/main/java/shop/Mail.java",
        "package shop;\n\nimport org.kafka.clients.Producer;\nimport org.other.clients.Config;\nimport static org.kafka.clients.Producer.of;\n\n\
         public class Mail extends Producer {\n    void post(Producer.Options options) {\n        of(1);\n        new Config();\n        begin();\n        producer.send(2);\n        System.out.println(\"a letter goes out\");\n    }\n}\n",
    )];
    check(
        (app, &[]),
        (library, &[]),
        &[
            (
                "src/main/java/shop/Mail.java",
                "Producer",
                &["1 clients/src/main/java/org/kafka/clients/Producer.java Producer (import)"],
            ),
            (
                "src/main/java/shop/Mail.java",
                "of",
                &["1 clients/src/main/java/org/kafka/clients/Producer.java Producer.of (import)"],
            ),
            ("src/main/java/shop/Mail.java", "Config", &[]),
            (
                "src/main/java/shop/Mail.java",
                "begin",
                &["1 clients/src/main/java/org/kafka/clients/Base.java Base.begin (inherited)"],
            ),
            (
                "src/main/java/shop/Mail.java",
                "send",
                &["1 clients/src/main/java/org/kafka/clients/Producer.java Producer.send (receiver's name)"],
            ),
        ],
    );
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn kotlin_for_several_platforms() {
    let buffer = "package okio\n\nclass Buffer {\n    fun write(n: Int) {\n        println(\"some bytes are written\")\n    }\n}\n";
    let library: Files<'_> = &[
        ("okio/src/commonMain/kotlin/okio/Buffer.kt", buffer),
        ("okio/src/jvmMain/kotlin/okio/Buffer.kt", buffer),
        ("okio/src/nonJvmMain/kotlin/okio/Buffer.kt", buffer),
    ];
    let app: Files<'_> = &[(
        "src/main/java/shop/Shop.java",
        "package shop;\n\nimport okio.Buffer;\n\nclass Shop {\n    void open() {\n        new Buffer(); // for all that comes in\n    }\n}\n",
    )];
    check(
        (app, &[]),
        (library, &[]),
        &[(
            "src/main/java/shop/Shop.java",
            "Buffer",
            &[
                "1 okio/src/commonMain/kotlin/okio/Buffer.kt Buffer (import)",
                "1 okio/src/jvmMain/kotlin/okio/Buffer.kt Buffer (import)",
            ],
        )],
    );
}

#[test]
fn typescript() {
    let library: Files<'_> = &[
        ("packages/query/src/index.ts", "export { QueryClient } from './client'\nexport * from './hooks'\n"),
        (
            "packages/query/src/client.ts",
            "export class QueryClient {\n  fetch(key: string) {\n    return 'what is kept under the key: ' + key\n  }\n}\n",
        ),
        (
            "packages/query/src/hooks.ts",
            "export function useQuery(key: string) {\n  return 'a query that is used here: ' + key\n}\n",
        ),
        (
            "packages/query/src/devtools/panel.ts",
            "export function openPanel(n: number) {\n  return 'the panel of those who build it'\n}\n",
        ),
        (
            "packages/other/src/index.ts",
            "export function useQuery(key: string) {\n  return 'that of the other package: ' + key\n}\n",
        ),
    ];
    let app: Files<'_> = &[(
        "src/app.ts",
        "import { QueryClient, useQuery as ask } from '@org/query'\nimport { openPanel } from '@org/query/devtools/panel'\nimport { fetch } from 'axios'\nimport { useQuery } from './local'\n\n\
         export function app(client: QueryClient) {\n  ask('a')\n  openPanel(1)\n  client.fetch('key')\n  fetch('x')\n  useQuery('y')\n  return 'the application'\n}\n",
    )];
    let packages = [
        package(Ecosystem::Npm, "@org/query", "packages/query"),
        package(Ecosystem::Npm, "@org/other", "packages/other"),
    ];
    check(
        (app, &[package(Ecosystem::Npm, "app", "")]),
        (library, &packages),
        &[
            ("src/app.ts", "ask", &["1 packages/query/src/hooks.ts useQuery (import)"]),
            ("src/app.ts", "QueryClient", &["1 packages/query/src/client.ts QueryClient (import)"]),
            ("src/app.ts", "openPanel", &["1 packages/query/src/devtools/panel.ts openPanel (import)"]),
            ("src/app.ts", "fetch", &["1 packages/query/src/client.ts QueryClient.fetch (declared type)"]),
            ("src/app.ts", "useQuery", &[]),
        ],
    );
}

#[test]
fn c_plus_plus() {
    let library: Files<'_> = &[
        (
            "include/leveldb/db.h",
            "#include \"leveldb/status.h\"\n#include \"leveldb/iterator.h\"\n\nnamespace leveldb {\nclass DB {\n public:\n  static int Open(int options_of_the_database);\n  virtual int Put(int key_of_the_value) = 0;\n};\n\nvoid Destroy(int name_of_the_database);\n}\n",
        ),
        (
            "include/leveldb/status.h",
            "namespace leveldb {\nclass Status {\n public:\n  static Status OK() { return Status(); }\n  int code_of_what_went_wrong;\n};\n}\n",
        ),
        (
            "db/db_impl.cc",
            "#include \"leveldb/db.h\"\n\nnamespace leveldb {\nint DB::Open(int options_of_the_database) {\n  return 1;\n}\n\nvoid Destroy(int name_of_the_database) {\n  Hidden(1);\n}\n\nvoid Hidden(int what_is_not_seen) {\n  return;\n}\n}\n",
        ),
        (
            "include/leveldb/iterator.h",
            "namespace leveldb {\nclass Range {\n public:\n  class Iterator {\n    int where_it_stands_in_the_range;\n  };\n};\nnamespace internal {\nint Close(int what_is_closed_inside) { return 1; }\n}\nint Reset(int what_is_begun_again) { return 2; }\n}\n",
        ),
        ("db/util.h", "inline int Shared(int what_is_shared_by_all) { return 1; }\n"),
    ];
    let app: Files<'_> = &[(
        "src/app.cc",
        "#include <leveldb/db.h>\n#include \"util.h\"\n\nvoid run(leveldb::DB* db) {\n  leveldb::DB::Open(1);\n  leveldb::Status s = leveldb::Status::OK();\n  Destroy(2);\n  Hidden(3);\n  Shared(4);\n  db->Put(5);\n  Iterator* i = 0;\n  Close(6);\n  Reset(7);\n}\n\nclass Local {\n  void Reset(int what_is_begun_again_here) { run(0); }\n};\n",
    )];
    check(
        (app, &[]),
        (library, &[]),
        &[
            ("src/app.cc", "Open", &["1 db/db_impl.cc leveldb::DB::Open (import)"]),
            ("src/app.cc", "DB", &["1 include/leveldb/db.h leveldb::DB (import)"]),
            ("src/app.cc", "OK", &["1 include/leveldb/status.h leveldb::Status::OK (import)"]),
            ("src/app.cc", "Destroy", &["1 db/db_impl.cc leveldb::Destroy (import)"]),
            ("src/app.cc", "Hidden", &[]),
            // Members of a type, of an internal namespace, and a name that the application declares
            // as well.
            ("src/app.cc", "Iterator", &[]),
            ("src/app.cc", "Close", &[]),
            ("src/app.cc", "Reset", &[]),
            ("src/app.cc", "Shared", &[]),
            ("src/app.cc", "Put", &["1 include/leveldb/db.h leveldb::DB::Put (declared type)"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn c_sharp() {
    let library: Files<'_> = &[
        (
            "Src/Json/JsonConvert.cs",
            "namespace Newton.Json\n{\n    public static class JsonConvert\n    {\n        public static string Serialize(object o)\n        {\n            return \"a thing as it is written\";\n        }\n    }\n}\n",
        ),
        (
            "Src/Json/Linq/JObject.cs",
            "namespace Newton.Json.Linq;\n\npublic class JObject\n{\n    public void Merge(object o)\n    {\n        System.Console.WriteLine(\"two become one\");\n    }\n}\n",
        ),
        (
            "Src/Json/Schema/Rule.cs",
            "namespace Newton.Json.Schema\n{\n    public class Rule\n    {\n        int howStrictItIs;\n    }\n}\n",
        ),
    ];
    let app: Files<'_> = &[(
        "App/Shop.cs",
        "using Newton.Json;\nusing Newton.Json.Linq;\n\nnamespace App\n{\n    class Shop\n    {\n        void Sell(JObject o, Rule r)\n        {\n            JsonConvert.Serialize(1);\n            o.Merge(2);\n            System.Console.WriteLine(\"sold\");\n        }\n    }\n}\n",
    )];
    check(
        (app, &[]),
        (library, &[package(Ecosystem::DotNet, "Newton.Json", "Src/Json")]),
        &[
            (
                "App/Shop.cs",
                "Serialize",
                &["1 Src/Json/JsonConvert.cs Newton.Json.JsonConvert.Serialize (import)"],
            ),
            ("App/Shop.cs", "JObject", &["1 Src/Json/Linq/JObject.cs Newton.Json.Linq.JObject (import)"]),
            (
                "App/Shop.cs",
                "Merge",
                &["1 Src/Json/Linq/JObject.cs Newton.Json.Linq.JObject.Merge (declared type)"],
            ),
            // The file does not use its namespace.
            ("App/Shop.cs", "Rule", &[]),
        ],
    );
}

#[cfg(all(feature = "lang-swift", feature = "lang-dart"))]
#[test]
fn ruby_php_swift_and_dart() {
    let library: Files<'_> = &[
        (
            "lib/faraday/connection.rb",
            "module Faraday\n  class Connection\n    def open\n      'a connection to somewhere else'\n    end\n  end\nend\n",
        ),
        (
            "src/Loader/FileLoader.php",
            "<?php\nnamespace Twig\\Loader;\n\nclass FileLoader\n{\n    public function load($name)\n    {\n        return 'what is in the file of that name';\n    }\n}\n",
        ),
        (
            "Sources/NIOCore/Buffer.swift",
            "public struct ByteBuffer {\n    public func write(n: Int) {\n        print(\"some bytes are written\")\n    }\n}\n",
        ),
        ("lib/dio.dart", "class Dio {\n  void fetch() {\n    print('something from far away');\n  }\n}\n"),
    ];
    let app: Files<'_> = &[
        (
            "app.rb",
            "require 'faraday'\n\nclass Shop\n  def call\n    Faraday::Connection.new('somewhere')\n    Other::Connection.new('elsewhere')\n  end\nend\n",
        ),
        (
            "app.php",
            "<?php\nuse Twig\\Loader\\FileLoader;\n\nclass Shop\n{\n    function open()\n    {\n        return new FileLoader('templates of all pages');\n    }\n}\n",
        ),
        ("App.swift", "import NIOCore\n\nfunc run() {\n    ByteBuffer(of: \"a few bytes of text\")\n}\n"),
        (
            "app.dart",
            "import 'package:dio/dio.dart';\n\nvoid run() {\n  Dio();\n  print('the application runs');\n}\n",
        ),
    ];
    let packages = [
        package(Ecosystem::Gem, "faraday", "lib"),
        package(Ecosystem::Composer, "Twig\\", "src"),
        package(Ecosystem::Swift, "NIOCore", "Sources/NIOCore"),
        package(Ecosystem::Pub, "dio", "lib"),
    ];
    check(
        (app, &[]),
        (library, &packages),
        &[
            ("app.rb", "Connection", &["1 lib/faraday/connection.rb Faraday::Connection (import)"]),
            ("app.php", "FileLoader", &["1 src/Loader/FileLoader.php FileLoader (import)"]),
            ("App.swift", "ByteBuffer", &["1 Sources/NIOCore/Buffer.swift ByteBuffer (import)"]),
            ("app.dart", "Dio", &["1 lib/dio.dart Dio (import)"]),
        ],
    );
}

#[test]
fn names_are_handed_from_module_to_module() {
    let library: Files<'_> = &[
        ("clap/src/lib.rs", "pub use builder::*;\n"),
        ("builder/src/lib.rs", "pub mod parser;\npub mod other;\npub use crate::parser::Matches;\n"),
        ("builder/src/parser/mod.rs", "mod deep;\npub use deep::Matches;\n"),
        ("builder/src/parser/deep/mod.rs", "mod arg;\npub use self::arg::Matches;\n"),
        (
            "builder/src/parser/deep/arg.rs",
            "pub struct Matches {\n    pub n: u32, // of those that are meant\n}\n",
        ),
        ("builder/src/other.rs", "pub struct Matches {\n    pub n: u32, // which light a fire\n}\n"),
        ("pkg/__init__.py", "from .api import load\nfrom .round import *\n"),
        ("pkg/round.py", "from . import *\nfrom .round import *\nfrom .api import *\n"),
        ("pkg/api/__init__.py", "from .inner.files import load\n"),
        ("pkg/api/inner/files.py", "def load(n):\n    return 'what is in a file of that number'\n"),
        ("pkg/other.py", "def load(n):\n    return 'a heavy load of something else'\n"),
        ("web/package/src/index.ts", "export * from './core'\n"),
        ("web/package/src/core/index.ts", "export * from './use-it.js'\n"),
        (
            "web/package/src/core/use-it.ts",
            "export function useIt(n: number) {\n  return 'that which is meant by it'\n}\n",
        ),
        (
            "web/package/src/other.ts",
            "export function useIt(n: number) {\n  return 'something else that is used'\n}\n",
        ),
    ];
    let app: Files<'_> = &[
        ("src/main.rs", "use clap::Matches;\n\nfn run(m: &Matches) {\n    println!(\"{}\", m.n);\n}\n"),
        (
            "app.py",
            "from pkg import load, absent\n\ndef run():\n    load(1)\n    absent(2)\n    return 'has run to its end'\n",
        ),
        (
            "app.ts",
            "import { useIt } from 'web'\n\nexport function run() {\n  return useIt(1) + ' and so on'\n}\n",
        ),
    ];
    let packages = [
        package(Ecosystem::Cargo, "clap", "clap"),
        package(Ecosystem::Cargo, "builder", "builder"),
        package(Ecosystem::Python, "pkg", "pkg"),
        package(Ecosystem::Npm, "web", "web/package"),
    ];
    check(
        (app, &[]),
        (library, &packages),
        &[
            ("src/main.rs", "Matches", &["1 builder/src/parser/deep/arg.rs Matches (import)"]),
            ("app.py", "load", &["1 pkg/api/inner/files.py load (import)"]),
            ("app.py", "absent", &[]),
            ("app.ts", "useIt", &["1 web/package/src/core/use-it.ts useIt (import)"]),
        ],
    );
}
