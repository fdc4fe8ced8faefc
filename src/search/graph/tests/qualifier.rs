//! Names behind an object, and names without one: which of several declarations they mean.

use super::*;

#[test]
fn a_word_for_the_object_is_one_in_its_own_language_only() {
    check(
        &[
            (
                "src/Box.java",
                "class Box extends Shape {\n  void go(Door parent, Door base) { parent.close(); base.shut(); super.close(); }\n}\n",
            ),
            ("src/Shape.java", "class Shape {\n  void close() {}\n  void shut() {}\n}\n"),
            ("src/Door.java", "class Door {\n  void close() {}\n  void shut() {}\n}\n"),
            (
                "box.ts",
                "import { Shape, Door } from './shape'\nexport class Box extends Shape {\n  go(self: Door, me: Door) { self.close(); me.close() }\n}\n",
            ),
            (
                "shape.ts",
                "export class Shape {\n  close() { return 1 }\n}\nexport class Door {\n  close() { return 2 }\n}\n",
            ),
            (
                "Box.php",
                "<?php\nclass Box extends Lid {\n  function go(Gate $parent) { $parent->lock(); return $parent->size; }\n  function up() { parent::lock(); }\n}\n                 class Lid {\n  public int $size;\n  function lock() {}\n}\nclass Gate {\n  function lock() {}\n}\n",
            ),
            (
                "box.go",
                "package box\n\ntype Box struct{}\n\nfunc (this *Box) Go() { this.shut() }\n\nfunc (this *Box) shut() {}\n\ntype Bag struct{}\n\n                 func (self *Bag) shut() {}\n\nfunc Use(this *Bag) { this.shut() }\n",
            ),
            ("src/a/mod.rs", "pub mod b;\npub fn up() {}\n"),
            (
                "src/a/b.rs",
                "fn go() { super::up(); }\nfn own() {}\nmod tests {\n    fn test() { super::own(); }\n}\n",
            ),
        ],
        &[
            (
                "src/Box.java",
                "close",
                &["src/Door.java Door.close (declared type)", "src/Shape.java Shape.close (inherited)"],
            ),
            ("src/Box.java", "shut", &["src/Door.java Door.shut (declared type)"]),
            ("box.ts", "close", &["shape.ts Door.close (declared type)"]),
            ("Box.php", "lock", &["Box.php Gate::lock (declared type)", "Box.php Lid::lock (inherited)"]),
            ("box.go", "shut", &["box.go Bag.shut (declared type)", "box.go Box.shut (same type)"]),
            ("src/a/b.rs", "up", &["src/a/mod.rs up (import)"]),
            ("src/a/b.rs", "own", &["src/a/b.rs own (same file)"]),
        ],
    );
}

#[test]
fn a_header_is_a_file_and_no_folder() {
    check(
        &[
            ("src/dict.h", "struct dictType {\n    int n;\n};\n"),
            ("deps/hiredis/dict.h", "struct dictType {\n    int other;\n};\n"),
            ("deps/hiredis/hiredis.h", "struct redisReply {\n    int n;\n};\n"),
            (
                "src/cli.c",
                "#include \"hiredis.h\"\n#include \"sds/dict.h\"\n#include \"dict.h\"\n\nstruct dictType *type;\nstruct redisReply *reply;\n",
            ),
            // The best of several includes counts, not the first.
            ("a/net/all.h", "struct packet {\n    int a;\n};\n"),
            ("b/all.h", "struct packet {\n    int b;\n};\n"),
            ("tests/net.c", "#include \"aa/net/all.h\"\n#include \"b/all.h\"\n\nstruct packet *one;\n"),
            // A header beside the file is not one of this name elsewhere.
            ("x/list.h", "struct item {\n    int a;\n};\n"),
            ("y/list.h", "struct node {\n    int a;\n};\n"),
            ("z/node.h", "struct node {\n    int b;\n};\n"),
            ("x/use.c", "#include \"list.h\"\n\nstruct item *item;\nstruct node *node;\n"),
        ],
        &[
            ("src/cli.c", "dictType", &["src/dict.h dictType (import)"]),
            ("src/cli.c", "redisReply", &["deps/hiredis/hiredis.h redisReply (import)"]),
            ("tests/net.c", "packet", &["b/all.h packet (import)"]),
            ("x/use.c", "item", &["x/list.h item (import)"]),
            ("x/use.c", "node", &["y/list.h node (same name)", "z/node.h node (same name)"]),
        ],
    );
}

#[test]
fn a_bare_call_outside_of_types_is_no_call_of_a_method() {
    check(
        &[
            (
                "edit.h",
                "class Edit { public: void setCaption(); };\nstruct Log { void warn(int n); };\nnamespace shop { void sell(int n); }\n",
            ),
            ("edit.cpp", "#include \"edit.h\"\nvoid Edit::setCaption() {}\nvoid shop::sell(int n) {}\n"),
            (
                "use.cpp",
                "#include \"edit.h\"\nusing namespace shop;\nvoid use() { setCaption(); warn(1); sell(2); }\n",
            ),
            (
                "more.cpp",
                "#include \"edit.h\"\nclass More : public Edit {\n  void go() { setCaption(); own(); }\n  void own() {}\n};\n                 namespace shop { void pack() {}\nvoid all() { pack(); } }\n",
            ),
        ],
        &[
            ("use.cpp", "setCaption", &[]),
            ("use.cpp", "warn", &[]),
            ("use.cpp", "sell", &["edit.cpp shop::sell (import)"]),
            ("more.cpp", "setCaption", &["edit.cpp Edit::setCaption (inherited)"]),
            ("more.cpp", "own", &["more.cpp More::own (same type)"]),
            ("more.cpp", "pack", &["more.cpp shop::pack (same file)"]),
        ],
    );
}

#[test]
fn members_of_a_rust_type_may_be_anywhere_in_its_crate() {
    check(
        &[
            ("crates/a/src/types/mod.rs", "pub struct Config;\n"),
            (
                "crates/a/src/io/load.rs",
                "use crate::types::Config;\nimpl Config {\n    pub fn load() -> Self { Config }\n}\n",
            ),
            ("crates/a/src/main.rs", "use crate::types::Config;\nfn main() {\n    Config::load();\n}\n"),
            ("crates/b/src/types/mod.rs", "pub struct Config;\n"),
            (
                "crates/b/src/io/load.rs",
                "use crate::types::Config;\nimpl Config {\n    pub fn load() -> Self { Config }\n}\n",
            ),
        ],
        &[("crates/a/src/main.rs", "load", &["crates/a/src/io/load.rs Config::load (qualifier)"])],
    );
}

#[test]
fn values_of_included_files_are_found() {
    check(
        &[
            ("a.h", "extern int limit_count;\nvoid on_read(int fd);\n#define most_items 3\n"),
            (
                "b.c",
                "#include \"a.h\"\n\nint run(int limit) {\n    reg(on_read);\n    return limit_count + limit + most_items;\n}\n",
            ),
            ("c.c", "int other(int on_read) {\n    return on_read;\n}\n"),
        ],
        &[
            ("b.c", "on_read", &["a.h on_read (import)"]),
            ("b.c", "limit_count", &["a.h limit_count (import)"]),
            ("b.c", "most_items", &["a.h most_items (import)"]),
            ("c.c", "on_read", &[]),
        ],
    );
}

#[test]
fn a_method_of_ruby_is_called_without_parentheses() {
    check(
        &[
            (
                "lib/cart.rb",
                "class Cart < Base\n  attr_reader :ready\n  def go(total)\n    prepare\n    if ready then total end\n    shared\n  end\n  \
                 def prepare; 1; end\n  def total; 2; end\nend\n",
            ),
            ("lib/base.rb", "class Base\n  def shared; 1; end\nend\n"),
        ],
        &[
            ("lib/cart.rb", "prepare", &["lib/cart.rb Cart::prepare (same type)"]),
            ("lib/cart.rb", "ready", &["lib/cart.rb Cart::ready (same type)"]),
            ("lib/cart.rb", "shared", &["lib/base.rb Base::shared (inherited)"]),
            ("lib/cart.rb", "total", &[]),
        ],
    );
}

#[test]
fn the_namespace_line_of_a_file_decides() {
    check(
        &[
            (
                "src/helpers.php",
                "<?php\nnamespace Shop\\Util;\n\nconst LIMIT = 3;\nfunction done(int $n) { return $n; }\nclass First { function run() {} }\nclass Second { function run() {} }\n",
            ),
            (
                "lib/other/util.php",
                "<?php\nnamespace Other\\Util;\n\nfunction done(int $n) { return $n; }\nclass Second { function run() {} }\n",
            ),
            (
                "app/use.php",
                "<?php\nnamespace App;\n\nuse function Shop\\Util\\done;\nuse const Shop\\Util\\LIMIT;\nuse Shop\\Util\\Second;\n\nfunction go() { done(LIMIT); return new Second(); }\n",
            ),
            ("lib/other/more.php", "<?php\nnamespace More;\n\nfunction all() { return new Second(); }\n"),
            (
                "lib/beside.php",
                "<?php\nnamespace Shop\\Util;\n\nfunction all() { done(1); return new Second(); }\n",
            ),
        ],
        &[
            ("app/use.php", "done", &["src/helpers.php done (import)"]),
            ("app/use.php", "LIMIT", &["src/helpers.php LIMIT (import)"]),
            ("app/use.php", "Second", &["src/helpers.php Second (import)"]),
            (
                "lib/other/more.php",
                "Second",
                &["lib/other/util.php Second (same name)", "src/helpers.php Second (same name)"],
            ),
            ("lib/beside.php", "done", &["src/helpers.php done (same package)"]),
            ("lib/beside.php", "Second", &["src/helpers.php Second (same package)"]),
        ],
    );
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn a_package_of_kotlin_needs_no_folder() {
    check(
        &[
            ("code/tools.kt", "package org.shop.util\n\nval limitCount = 3\nfun done(n: Int) = n\n"),
            ("code/other.kt", "package org.other\n\nfun done(n: Int) = n\n"),
            ("app/use.kt", "package org.shop\n\nimport org.shop.util.done\n\nfun go() = done(1)\n"),
            ("app/all.kt", "package org.shop\n\nimport org.shop.util.*\n\nfun go() = done(limitCount)\n"),
            ("test/beside.kt", "package org.shop.util\n\nfun more() = done(1)\n"),
        ],
        &[
            ("app/use.kt", "done", &["code/tools.kt done (import)"]),
            ("app/all.kt", "done", &["code/tools.kt done (import)"]),
            ("app/all.kt", "limitCount", &["code/tools.kt limitCount (import)"]),
            ("test/beside.kt", "done", &["code/tools.kt done (same package)"]),
        ],
    );
}

#[cfg(feature = "lang-swift")]
#[test]
fn members_of_a_swift_type_may_be_in_any_file() {
    check(
        &[
            ("Sources/Core/Loader.swift", "class Loader {\n    func load(name: String) {}\n}\n"),
            ("Sources/More/Extra.swift", "extension Loader {\n    func load(url: URL) {}\n}\n"),
            ("Sources/App/Use.swift", "func go(loader: Loader) {\n    loader.load(url: one)\n}\n"),
        ],
        &[(
            "Sources/App/Use.swift",
            "load",
            &[
                "Sources/Core/Loader.swift Loader.load (declared type)",
                "Sources/More/Extra.swift Loader.load (declared type)",
            ],
        )],
    );
}

/// Returns what the mentions of a name in a file mean, each with whether that is certain.
fn certainties(files: &[(&str, &str)], path: &str, name: &str) -> Vec<(String, bool)> {
    let segment = sources(files);
    let found = resolved(&Index::whole(&segment), path, name).into_iter();
    found.map(|(of, one)| (of.segment.symbol_path(one.to.ord), one.evidence.is_certain())).collect()
}

#[test]
fn a_member_behind_an_object_may_have_the_name_of_a_type_by_chance() {
    let lock = (
        "lock/lock.go",
        "package lock\n\ntype Mutex struct {\n\tn int\n}\n\nfunc (m *Mutex) Lock() {\n\tm.n++\n}\n",
    );
    let batch = "package store\n\nimport \"sync\"\n\ntype batch struct {\n\tsync.Mutex\n\tn int\n}\n\n\
        type store struct {\n\tb *batch\n}\n\nfunc (s *store) run() {\n\ts.b.Mutex.Lock()\n}\n";
    let found = certainties(&[lock, ("store/store.go", batch)], "store/store.go", "Lock");
    assert!(found.iter().all(|one| !one.1), "{found:?}");

    let engine = ("engine.ts", "export class Engine {\n  start(n: number) {\n    return n;\n  }\n}\n");
    let using = "export function one(x: any) {\n  x.Engine.start(1);\n}\n";
    let found = certainties(&[engine, ("use.ts", using)], "use.ts", "start");
    assert!(found.iter().all(|one| !one.1), "{found:?}");
}

#[test]
fn a_path_that_names_a_type_leaves_no_doubt() {
    let assert = (
        "src/org/junit/Assert.java",
        "package org.junit;\n\npublic class Assert {\n    public static void fail() {\n        throw new Error();\n    }\n}\n",
    );
    let test = "package shop;\n\nclass Test {\n    void t() {\n        org.junit.Assert.fail();\n    }\n}\n";
    let found = certainties(&[assert, ("src/shop/Test.java", test)], "src/shop/Test.java", "fail");
    assert_eq!(found, [("Assert.fail".to_owned(), true)]);

    // A field that Go names after the type that it embeds.
    let own = "package lock\n\ntype Mutex struct {\n\tn int\n}\n\nfunc (m *Mutex) Lock() {\n\tm.n++\n}\n\n\
        type Table struct {\n\tMutex\n\tn int\n}\n\nfunc (t *Table) run() {\n\tt.Mutex.Lock()\n}\n";
    let found = certainties(&[("lock/lock.go", own)], "lock/lock.go", "Lock");
    assert_eq!(found, [("Mutex.Lock".to_owned(), true)]);
}

#[test]
fn an_inherited_property_hides_a_type_of_its_name() {
    let source = "namespace N;\npublic interface IGear { void Spin(int n); }\n\
        public class Gear : IGear { public void Spin(int n) { } }\n\
        public class Base { protected IGear Gear { get; } }\n\
        public class Sub : Base {\n    public void Run() { Gear.Spin(1); }\n}\n";
    let found = certainties(&[("G.cs", source)], "G.cs", "Spin");
    assert!(found.contains(&("N.IGear.Spin".to_owned(), true)), "{found:?}");
    assert!(!found.contains(&("N.Gear.Spin".to_owned(), true)), "{found:?}");
}
