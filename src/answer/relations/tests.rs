//! Callers of declarations that share a name, in small repositories with their texts.

mod aliases;
mod bounds;
mod constructed;
mod full_names;
mod hidden_names;
mod inherited_values;
mod languages;
mod local_scopes;
mod narrowed_types;
mod properties;
mod same_names;

use std::collections::HashMap;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use super::lists::relations_among;
use super::reader::Reader;
use super::{RelatedPlace, Relation, RelationQuery};
use crate::search::graph::{Graph, Graphs};
use crate::search::query::Sources;
use crate::search::segment::samples::sources;
use crate::search::segment::{Index, Segment};

struct Texts(HashMap<String, Arc<str>>);

impl Sources for Texts {
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>> {
        paths.iter().map(|path| self.0.get(path.to_str().unwrap()).cloned()).collect()
    }
}

/// Checks what refers to the declarations at places (`path:line`): each as `path:line`.
fn check(files: &[(&str, &str)], relation: Relation, expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, relation, "", expected);
}

/// As [`check`], in a segment of the files; `doubt` follows a guess.
fn check_in(
    segment: &Segment,
    files: &[(&str, &str)],
    relation: Relation,
    doubt: &str,
    expected: &[(&str, &[&str])],
) {
    let index = Index::whole(segment);
    let texts = Texts(files.iter().map(|(path, text)| ((*path).to_owned(), Arc::from(*text))).collect());
    for (place, callers) in expected {
        let mut graphs = Graphs::default();
        graphs.add(Graph::new(&index), &[]);
        let query = RelationQuery::new(*place);
        let at = graphs.graph(0).unwrap().find(place).unwrap()[0];
        let mut reader = Reader::new(graphs, vec![&texts], &query);
        let found = reader.list((0, at), relation, 1, &mut Vec::new()).unwrap();
        let shown = |one: &RelatedPlace| {
            format!("{}:{}{}", one.place.path, one.at, if one.certain { "" } else { doubt })
        };
        let mut found: Vec<String> = found.items.iter().map(shown).collect();
        found.sort();
        assert_eq!(found, *callers, "{place}");
    }
}

/// Returns the relations of the declarations that a symbol means.
fn asked(files: &[(&str, &str)], symbol: &str) -> Vec<RelatedPlace> {
    let segment = sources(files);
    let index = Index::whole(&segment);
    let texts = Texts(files.iter().map(|(path, text)| ((*path).to_owned(), Arc::from(*text))).collect());
    let mut graphs = Graphs::default();
    graphs.add(Graph::new(&index), &[]);
    let query = RelationQuery::new(symbol);
    let relations = relations_among(vec![&texts], graphs, &query).unwrap();
    assert!(!relations.symbols.is_empty(), "{symbol}");
    relations.symbols.into_iter().flat_map(|one| one.callers.unwrap_or_default().items).collect()
}

/// Returns the places that refer to what a symbol means: each as `path:line evidence`.
fn found(files: &[(&str, &str)], symbol: &str) -> Vec<String> {
    let places = asked(files, symbol).into_iter();
    places.map(|one| format!("{}:{} {}", one.place.path, one.at, one.how.name())).collect()
}

/// Returns the declarations around these places.
fn around(files: &[(&str, &str)], symbol: &str) -> Vec<String> {
    asked(files, symbol).into_iter().map(|one| one.place.symbol).collect()
}

#[test]
fn methods_of_a_ruby_class_and_of_its_instances_are_two() {
    check(
        &[
            (
                "queue.rb",
                "class Queue\n  def push(item)\n    item\n  end\n\n  class << self\n    def push(item)\n      new.push(item)\n    end\n  end\nend\n",
            ),
            (
                "use.rb",
                "def one\n  Queue.push(1)\nend\n\ndef two\n  queue = Queue.new\n  queue.push(2)\nend\n",
            ),
        ],
        Relation::Callers,
        &[("queue.rb:2", &["queue.rb:8", "use.rb:7"]), ("queue.rb:7", &["use.rb:2"])],
    );
}

#[test]
fn what_only_its_own_file_of_cpp_sees_has_no_callers_elsewhere() {
    check(
        &[
            ("edit.h", "class Edit { public: void close(); };\n"),
            (
                "edit.cpp",
                "#include \"edit.h\"\nnamespace {\nint local_only() { return 1; }\n}\nstatic int fixed() { return 2; }\nint own() { return local_only() + fixed(); }\n",
            ),
            ("use.cpp", "#include \"edit.h\"\nint use() { return local_only() + fixed() + own(); }\n"),
        ],
        Relation::Callers,
        &[("edit.cpp:3", &["edit.cpp:6"]), ("edit.cpp:5", &["edit.cpp:6"]), ("edit.cpp:6", &["use.cpp:2"])],
    );
}

#[cfg(feature = "lang-swift")]
#[test]
fn labels_tell_overloads_of_swift_apart() {
    check(
        &[
            (
                "Loader.swift",
                "class Loader {\n    func load(name: String, value: Int) {}\n    func load(_ n: Int) {}\n}\n",
            ),
            ("More.swift", "extension Loader {\n    func load(url: URL) {}\n}\n"),
            (
                "Use.swift",
                "func one(loader: Loader) {\n    loader.load(name: \"a\", value: 1)\n}\nfunc two(loader: Loader) {\n    loader.load(2)\n}\nfunc three(loader: Loader) {\n    loader.load(url: other)\n}\n",
            ),
        ],
        Relation::Callers,
        &[
            ("Loader.swift:2", &["Use.swift:2"]),
            ("Loader.swift:3", &["Use.swift:5"]),
            ("More.swift:2", &["Use.swift:8"]),
        ],
    );
}

#[cfg(feature = "lang-objective-c")]
#[test]
fn a_message_is_found_at_the_first_part_of_its_selector() {
    check(
        &[
            (
                "Cart.h",
                "@interface Cart : NSObject\n- (void)add:(id)item count:(int)n;\n- (void)add:(id)item;\n@end\n",
            ),
            (
                "Cart.m",
                "#import \"Cart.h\"\n@implementation Cart\n- (void)add:(id)item count:(int)n {\n    [self\n        add:item];\n}\n\
                 - (void)add:(id)item {\n    return;\n}\n@end\n",
            ),
            (
                "Use.m",
                "#import \"Cart.h\"\nvoid use(Cart *cart) {\n    [cart\n        add:cart\n        count:2];\n    // add:count: is done\n    [cart add:@\"count:\"];\n}\n",
            ),
        ],
        Relation::Callers,
        &[
            ("Cart.h:2", &["Use.m:4"]),
            ("Cart.m:3", &["Use.m:4"]),
            ("Cart.h:3", &["Cart.m:5", "Use.m:7"]),
            ("Cart.m:7", &["Cart.m:5", "Use.m:7"]),
        ],
    );
}

#[cfg(feature = "lang-fortran")]
#[test]
fn a_procedure_of_fortran_has_the_callers_of_its_interface() {
    check(
        &[
            (
                "shop.f90",
                "module shop\n  interface\n    module subroutine pay(n)\n      integer :: n\n    end subroutine\n  end interface\nend module\n",
            ),
            (
                "pay.f90",
                "submodule (shop) shop_pay\ncontains\n  module procedure pay\n    print *, n\n  end procedure\nend submodule\n",
            ),
            ("main.f90", "program main\n  use shop\n  CALL PAY(1)\n  call &\n    pay(2)\nend program\n"),
        ],
        Relation::Callers,
        &[("shop.f90:3", &["main.f90:3"]), ("pay.f90:3", &["main.f90:3"])],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn generic_types_of_c_sharp_are_not_their_namesakes() {
    let files = [
        (
            "Handlers.cs",
            "namespace Shop;\npublic interface IHandler\n{\n    void Run();\n}\npublic interface IHandler<T> : IHandler\n{\n    void Run(T one);\n}\n",
        ),
        (
            "Use.cs",
            "namespace Shop;\npublic class A : IHandler { public void Run() {} }\npublic class B : IHandler<int> { public void Run(int one) {} }\n",
        ),
    ];
    check(
        &files,
        Relation::Implementers,
        &[("Handlers.cs:2", &["Handlers.cs:6", "Use.cs:2"]), ("Handlers.cs:6", &["Use.cs:3"])],
    );
}

#[test]
fn a_test_of_cpp_refers_to_its_fixture() {
    check(
        &[(
            "shop_test.cc",
            "class ShopTest : public testing::Test {\n protected:\n  int open();\n};\n\nTEST_F(ShopTest, Opens) {\n  open();\n}\n\nint ShopTest::open() {\n  return 1;\n}\n",
        )],
        Relation::Callers,
        &[("shop_test.cc:1", &["shop_test.cc:6"]), ("shop_test.cc:3", &["shop_test.cc:7"])],
    );
}

#[test]
fn a_virtual_method_in_an_unnamed_namespace_has_callers_elsewhere() {
    check(
        &[
            ("disk.h", "class Disk {\n public:\n  virtual int read(int n) = 0;\n};\n"),
            (
                "real.cc",
                "#include \"disk.h\"\n\nnamespace {\n\nclass Real : public Disk {\n public:\n  int read(int n) override { return n; }\n};\n\n}  // namespace\n",
            ),
            ("use.cc", "#include \"disk.h\"\n\nint use(Disk* disk) {\n  return disk->read(1);\n}\n"),
        ],
        Relation::Callers,
        &[("real.cc:7", &["use.cc:4"]), ("disk.h:3", &["use.cc:4"])],
    );
}

#[test]
fn several_types_of_one_name_in_a_chunk_inherit() {
    check(
        &[
            ("web.py", "class Handler:\n    def get(self):\n        return 1\n\n\nclass Other:\n    pass\n"),
            (
                "use.py",
                "from web import Handler, Other\n\n\nclass A:\n    class Inner(Handler):\n        pass\n\n\n\
                 class B:\n    class Inner(Other):\n        pass\n\n\nclass C:\n    class Inner(Handler):\n        pass\n",
            ),
        ],
        Relation::Implementers,
        &[("web.py:1", &["use.py:15", "use.py:5"]), ("web.py:6", &["use.py:10"])],
    );
}

#[test]
fn a_type_that_is_also_passed_on_is_named_by_its_members() {
    check(
        &[
            (
                "web.py",
                "class Handler:\n    cache = {}\n\n    @classmethod\n    def clear(cls):\n        pass\n",
            ),
            (
                "use.py",
                "from web import Handler\n\n\ndef first():\n    return [('/', Handler)]\n\n\ndef second():\n    \
                 Handler.cache.clear()\n\n\ndef third():\n    Handler.clear()\n",
            ),
        ],
        Relation::Callers,
        &[("web.py:1", &["use.py:13", "use.py:5", "use.py:9"])],
    );
}

#[test]
fn each_type_in_front_of_a_type_is_referred_to() {
    check(
        &[
            (
                "src/main/java/org/shop/Cart.java",
                "package org.shop;\npublic class Cart {\n  public static class Item {\n    public enum Kind { NEW }\n  }\n}\n",
            ),
            (
                "src/main/java/org/shop/Use.java",
                "package org.shop;\nclass Use {\n  void f(Cart.Item.Kind kind) {}\n}\n",
            ),
        ],
        Relation::Callers,
        &[
            ("src/main/java/org/shop/Cart.java:2", &["src/main/java/org/shop/Use.java:3"]),
            ("src/main/java/org/shop/Cart.java:3", &["src/main/java/org/shop/Use.java:3"]),
            ("src/main/java/org/shop/Cart.java:4", &["src/main/java/org/shop/Use.java:3"]),
        ],
    );
}

#[test]
fn overloads_are_told_apart_by_the_results_of_functions_and_by_constants() {
    let mapper = "package org.shop;
public class Mapper {
  public int read(String text, Class<?> of) { return 1; }
  public int read(java.io.File file, Class<?> of) { return 2; }
  public int read(String text, Kind kind) { return 3; }
  public int wait(java.time.Duration time) { return 4; }
  public int wait(Unit unit) { return 5; }
}
";
    let uses = "package org.shop;
class Use extends Base {
  int a(Mapper m) { return m.read(quoted(1), Cart.class); }
  int b(Mapper m) { return m.read(file(), Cart.class); }
  int c(Mapper m) { return m.read(unclear(), Kind.NEW); }
  int d(Mapper m) { return m.wait(Duration.ofMillis(7)); }
  int e(Mapper m) { return m.wait(Unit.DAY); }
  int f(Mapper m) { return m.read(unclear(), Cart.class); }
}
";
    check(
        &[
            ("src/main/java/org/shop/Mapper.java", mapper),
            ("src/main/java/org/shop/Kind.java", "package org.shop;\npublic enum Kind { NEW, OLD }\n"),
            ("src/main/java/org/shop/Unit.java", "package org.shop;\npublic enum Unit { DAY, YEAR }\n"),
            (
                "src/main/java/org/shop/Base.java",
                "package org.shop;\nclass Base {\n  static String quoted(int n) { return \"\"; }\n  \
                 java.io.File file() { return null; }\n  Object unclear() { return null; }\n  \
                 String unclear(int n) { return null; }\n}\n",
            ),
            ("src/main/java/org/shop/Use.java", uses),
        ],
        Relation::Callers,
        &[
            (
                "src/main/java/org/shop/Mapper.java:3",
                &["src/main/java/org/shop/Use.java:3", "src/main/java/org/shop/Use.java:8"],
            ),
            (
                "src/main/java/org/shop/Mapper.java:4",
                &["src/main/java/org/shop/Use.java:4", "src/main/java/org/shop/Use.java:8"],
            ),
            ("src/main/java/org/shop/Mapper.java:5", &["src/main/java/org/shop/Use.java:5"]),
            ("src/main/java/org/shop/Mapper.java:6", &["src/main/java/org/shop/Use.java:6"]),
            ("src/main/java/org/shop/Mapper.java:7", &["src/main/java/org/shop/Use.java:7"]),
        ],
    );
}

#[test]
fn overloads_are_told_apart_by_the_parameters_of_lambdas() {
    let executor = "package org.shop;
public class Executor {
  public int run(Task task) { return 1; }
  public int run(Job job) { return 2; }
  public int run(java.util.function.BiFunction<String, String, String> both) { return 3; }
}
";
    let uses = "package org.shop;
class Use {
  int a(Executor e) { return e.run(() -> 1); }
  int b(Executor e) { return e.run(context -> context.size()); }
  int c(Executor e) { return e.run((a, b) -> a + b); }
}
";
    check(
        &[
            ("src/main/java/org/shop/Executor.java", executor),
            (
                "src/main/java/org/shop/Task.java",
                "package org.shop;\npublic interface Task {\n  int go();\n  default int twice() { return go() + go(); }\n}\n",
            ),
            (
                "src/main/java/org/shop/Job.java",
                "package org.shop;\npublic interface Job {\n  int go(String context);\n}\n",
            ),
            ("src/main/java/org/shop/Use.java", uses),
        ],
        Relation::Callers,
        &[
            ("src/main/java/org/shop/Executor.java:3", &["src/main/java/org/shop/Use.java:3"]),
            ("src/main/java/org/shop/Executor.java:4", &["src/main/java/org/shop/Use.java:4"]),
            ("src/main/java/org/shop/Executor.java:5", &["src/main/java/org/shop/Use.java:5"]),
        ],
    );
}
