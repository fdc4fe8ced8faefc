//! References that can be trusted: what `refs`, `related` and `explain` say of one declaration is
//! not what they could say of a neighbour or a namesake.

use serde_json::{Value, json};

use crate::harness::Repo;

/// Returns the symbols in one list of `refs --json`, with their paths.
fn listed(repo: &Repo, list: &str, args: &[&str]) -> Vec<String> {
    let report = repo.try_cora(&[&["refs", "--json"], args].concat()).json();
    let items = report["symbols"][0][list]["items"].as_array().cloned().unwrap_or_default();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    items.iter().map(|one| format!("{} {}", text(one, "path"), text(one, "symbol"))).collect()
}

/// Returns what `related` lists: relation and symbol.
fn related(repo: &Repo, place: &str) -> Vec<String> {
    let report = repo.try_cora(&["related", "--json", place]).json();
    let items = report["related"].as_array().cloned().unwrap_or_default();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    items.iter().map(|one| format!("{} {}", text(one, "relation"), text(one, "symbol"))).collect()
}

#[test]
fn related_speaks_of_the_declaration_at_the_line() {
    let repo = Repo::new();
    // All functions of a file are in one chunk.
    repo.write(
        "util.py",
        "def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\ndef three():\n    return two()\n",
    );
    repo.write("a.py", "from util import one\n\n\ndef first():\n    return one()\n");
    repo.write("b.py", "from util import two\n\n\ndef second():\n    return two()\n");
    repo.write("util.go", "package u\n\nfunc One() int { return 1 }\n\nfunc Two() int { return One() }\n\nfunc Three() int { return Two() }\n");
    repo.write("util.c", "int c_one(void) { return 1; }\n\nint c_two(void) { return c_one(); }\n\nint c_three(void) { return c_two(); }\n");
    repo.commit("small functions");
    let direct = |place: &str| -> Vec<String> {
        related(&repo, place).into_iter().filter(|one| !one.starts_with("indirect")).collect()
    };
    assert_eq!(direct("util.py:1"), ["called by first"]);
    assert_eq!(direct("util.py:6"), ["called by second", "called by three"]);
    assert_eq!(direct("util.py:9"), ["calls two"]);
    assert_eq!(direct("util.go:3"), ["called by Two"]);
    assert_eq!(direct("util.go:7"), ["calls Two"]);
    assert_eq!(direct("util.c:3"), ["calls c_one", "called by c_three"]);
}

#[test]
fn related_shows_tests_after_the_code_that_uses_a_declaration() {
    let repo = Repo::new();
    repo.write("price.py", "def price():\n    return 1\n");
    repo.write(
        "test_a.py",
        "from price import price\n\n\ndef test_price():\n    assert price() == price()\n",
    );
    repo.write("shop.py", "from price import price\n\n\ndef pay(count):\n    return count * price()\n");
    repo.commit("a price");
    assert_eq!(related(&repo, "price.py:1"), ["called by pay", "called by test_price"]);
}

#[test]
fn related_says_how_many_places_a_limit_left_out() {
    let repo = Repo::new();
    repo.write("a.py", "def hub():\n    return 1\n");
    for name in ["b", "c", "d"] {
        repo.write(
            &format!("{name}.py"),
            format!("from a import hub\n\n\ndef {name}():\n    return hub()\n"),
        );
    }
    repo.commit("a hub");
    let report = |limit: &str| repo.cora(&["related", "--json", "-k", limit, "a.py:1"]).json();
    let all = report("50");
    let n = all["related"].as_array().unwrap().len();
    assert!(n >= 3 && all["more"] == 0, "{all:#}");
    let two = report("2");
    assert_eq!((two["related"].as_array().unwrap().len(), &two["more"]), (2, &serde_json::json!(n - 2)));
    repo.cora(&["related", "-n", "2", "a.py:1"]).says(&format!("note: {} more; raise --limit", n - 2));
    assert_eq!(repo.cora(&["related", "a.py:1"]).err, "");
}

#[test]
fn classes_of_one_name_share_no_callers() {
    let repo = Repo::new();
    let text = "a text that is long enough to be a chunk of its own, in this file or in another one";
    repo.write(
        "lib/trainer.py",
        format!("class Trainer:\n    def train(self):\n        self.loss()\n        return '{text}'\n\n    def loss(self):\n        return '{text}'\n"),
    );
    repo.write(
        "lib/token/trainer.py",
        format!("from ..trainer import Trainer as _Trainer\n\n\nclass Trainer(_Trainer):\n    def loss(self):\n        return '{text}'\n"),
    );
    repo.write("lib/other.py", format!("from .trainer import Trainer\n\n\nclass Other(Trainer):\n    def go(self):\n        self.loss()\n        return '{text}'\n"));
    repo.commit("trainers");
    let callers = |place: &str| listed(&repo, "callers", &[place, "--callers", "--certain"]);
    assert_eq!(callers("lib/trainer.py:6"), ["lib/other.py Other.go", "lib/trainer.py Trainer.train"]);
    assert_eq!(callers("lib/token/trainer.py:5"), [""; 0]);
    let heirs = |place: &str| listed(&repo, "implementers", &[place, "--implementers", "--certain"]);
    assert_eq!(heirs("lib/trainer.py:1"), ["lib/other.py Other", "lib/token/trainer.py Trainer"]);
    assert_eq!(heirs("lib/token/trainer.py:4"), [""; 0]);
}

#[test]
fn a_method_is_no_implementer() {
    let repo = Repo::new();
    repo.write("Sink.java", "package a;\n\npublic interface Sink {\n    void put(int n);\n}\n");
    repo.write(
        "Use.java",
        "package a;\n\nclass Use {\n    Sink make() {\n        return new Sink() {\n            public void put(int n) {}\n        };\n    }\n}\n\nclass File implements Sink {\n    public void put(int n) {}\n}\n",
    );
    repo.write("base.py", "class Base:\n    pass\n");
    repo.write("made.py", "import base as b\nfrom base import Base as Root\n\n\ndef make():\n    class Local(Root):\n        pass\n\n    return Local\n\n\nclass Named(b.Base):\n    pass\n");
    repo.commit("implementers");
    let heirs = |name: &str| listed(&repo, "implementers", &[name, "--implementers"]);
    assert_eq!(heirs("Sink"), ["Use.java File"]);
    assert_eq!(heirs("Base"), ["made.py Named", "made.py make.Local"]);
}

#[test]
fn code_behind_macros_is_never_credited_to_a_neighbour() {
    let repo = Repo::new();
    repo.write(
        "fs/read.c",
        "ssize_t vfs_read(int fd)\n{\n\treturn fd;\n}\nEXPORT_SYMBOL(vfs_read);\n\nstatic int before(void)\n{\n\treturn 1;\n}\n\n\
         SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf, size_t, count)\n{\n\treturn vfs_read(fd);\n}\n\n\
         static void printflike(1, 0)\nlog_vwrite(const char *msg, va_list ap)\n{\n\tvfs_read(1);\n}\n\n\
         static int __init start(void)\n{\n\treturn vfs_read(2);\n}\n",
    );
    repo.write(
        "test/shop_test.cc",
        "#include \"shop.h\"\n\nstatic int helper() { return 1; }\n\nTEST_F(ShopTest, PaysOnce) {\n  EXPECT_EQ(pay(helper()), 1);\n}\n\nclass SHOP_API Gift : public Cart {\n public:\n  int wrap() { return pay(2); }\n};\n",
    );
    repo.write("test/shop.h", "int pay(int n);\n");
    repo.commit("macros");
    let callers = |name: &str| listed(&repo, "callers", &[name, "--callers"]);
    let of_read = ["fs/read.c ", "fs/read.c read", "fs/read.c log_vwrite", "fs/read.c start"];
    assert_eq!(callers("vfs_read"), of_read);
    assert_eq!(callers("pay"), ["test/shop_test.cc ShopTest::PaysOnce", "test/shop_test.cc Gift::wrap"]);
    repo.try_cora(&["refs", "printflike"]).exits(1);
}

#[test]
fn a_statement_of_go_says_which_type_implements_an_interface() {
    let repo = Repo::new();
    repo.write("kv/kv.go", "package kv\n\ntype Store interface {\n\tReader\n\tPut(key string)\n}\n\ntype Reader interface {\n\tGet(key string) string\n}\n");
    repo.write("kv/memory.go", "package kv\n\ntype memory struct {\n\t*base\n\tn int\n}\n\nfunc (m *memory) Put(key string) { m.n++ }\n\ntype other struct {\n\tReader\n}\n\nfunc (o *other) Put(key string) {}\n");
    repo.write(
        "kv/base.go",
        "package kv\n\ntype base struct {\n\tReader\n}\n\nvar _ Store = (*memory)(nil)\n",
    );
    repo.commit("a store");
    let heirs = |args: &[&str]| listed(&repo, "implementers", &[&["Store", "--implementers"], args].concat());
    assert_eq!(heirs(&["--certain"]), ["kv/memory.go memory"]);
    assert_eq!(heirs(&[]), ["kv/memory.go memory", "kv/memory.go other"]);
}

#[test]
fn a_comment_in_another_program_is_no_unresolved_mention() {
    let repo = Repo::new();
    repo.write("pay.c", "int pay_now(int n)\n{\n\treturn n;\n}\n");
    repo.write("doc.c", "// Before pay_now, this is called.\nint check(void)\n{\n\treturn 1;\n}\n");
    repo.write("Makefile", "# pay_now is tested here.\nall:\n\techo done\n");
    repo.write("run.erb", "<% pay_now 3 %>\n");
    repo.commit("comments");
    let report = repo.try_cora(&["refs", "--json", "pay_now"]).json();
    assert_eq!(report["symbols"][0]["mentioned"]["files"], serde_json::json!(["run.erb"]), "{report}");
}

#[test]
fn the_limit_of_explain_is_that_of_each_list() {
    let repo = Repo::new();
    repo.write("shop.py", "class Shop:\n    def one(self):\n        pass\n\n    def two(self):\n        pass\n\n    def three(self):\n        pass\n");
    repo.commit("a shop");
    let page = |args: &[&str]| repo.try_cora(&[&["explain", "shop.py:Shop"], args].concat()).out;
    let (all, few) = (page(&[]), page(&["-k", "1"]));
    assert!(all.contains("`three`") && !all.contains("more"), "{all}");
    assert!(few.contains("`one`") && !few.contains("`two`") && few.contains("and 2 more"), "{few}");
}

#[test]
fn a_type_of_go_is_explained_by_its_fields_and_users() {
    let repo = Repo::new();
    repo.write(
        "lease.go",
        "package lease\n\n// Lessor grants leases.\ntype Lessor struct {\n\tmu sync.Mutex\n\
         \tleases map[int]*Lease\n}\n\n// Grant makes a lease.\nfunc (l *Lessor) Grant(id int) *Lease {\n\treturn l.leases[id]\n}\n\ntype Lease struct {\n\tID int\n}\n\n\
         func (l *Lessor) copy() *Lessor {\n\treturn &Lessor{leases: l.leases}\n}\n",
    );
    repo.write("revoke.go", "package lease\n\n// Revoke ends it.\nfunc (l *Lessor) Revoke(id int) {}\n");
    repo.write("use.go", "package lease\n\nfunc New() *Lessor {\n\treturn &Lessor{}\n}\n");
    repo.write("shop.rs", "pub struct Shop {\n    pub goods: Vec<u32>,\n}\n\nimpl Shop {\n    /// Sells.\n    pub fn sell(&self) {}\n}\n\nfn open() -> Shop {\n    Shop { goods: vec![] }\n}\n");
    repo.commit("types");
    let page = repo.cora(&["explain", "Lessor"]).out;
    assert!(page.contains("type Lessor struct {\n\tmu sync.Mutex\n\tleases map[int]*Lease\n}\n"), "{page}");
    assert!(page.contains("- [`Grant`](lease.go#L10-L12) method — Grant makes a lease."), "{page}");
    assert!(page.contains("- [`Revoke`](revoke.go#L4) method — Revoke ends it."), "{page}");
    let users = page.split_once("## Called or referred to by\n\n").unwrap().1;
    let users: Vec<&str> = users.lines().take_while(|line| line.starts_with("- ")).collect();
    assert!(users[0].starts_with("- [`New`]") && users[1].starts_with("- [`Lessor.copy`]"), "{page}");
    assert_eq!(users.len(), 2, "{page}");
    let page = repo.cora(&["explain", "Shop"]).out;
    assert!(page.contains("pub goods: Vec<u32>,"), "{page}");
    assert!(page.contains("- [`sell`](shop.rs#L7) method — Sells."), "{page}");
}

#[test]
fn namespaces_of_c_sharp_leave_no_doubt() {
    let repo = Repo::new();
    let manager = |namespace: &str| {
        format!(
            "namespace {namespace};\n\npublic interface ILibraryManager\n{{\n    string GetItem(int id);\n}}\n"
        )
    };
    repo.write("Shop.Controller/Library/ILibraryManager.cs", manager("Shop.Controller.Library"));
    repo.write("Other/ILibraryManager.cs", manager("Shop.Other"));
    repo.write(
        "Server/LibraryManager.cs",
        "using Shop.Controller.Library;\n\nnamespace Shop.Server\n{\n    public class LibraryManager : ILibraryManager\n    {\n        public string GetItem(int id) => \"a\";\n    }\n}\n",
    );
    repo.write(
        "Api/Controller.cs",
        "using Shop.Controller.Library;\n\nnamespace Shop.Api;\n\npublic class Controller\n{\n    private readonly ILibraryManager _libraryManager;\n\n    public string Get(int id)\n    {\n        return _libraryManager.GetItem(id);\n    }\n}\n",
    );
    repo.write("Stray.cs", "namespace Elsewhere;\n\npublic class Stray : ILibraryManager\n{\n}\n");
    repo.commit("a server");
    let path = "Shop.Controller/Library/ILibraryManager.cs";
    let certain = |list: &str, place: &str| listed(&repo, list, &[place, "--certain"]);
    assert_eq!(
        certain("implementers", &format!("{path}:3")),
        ["Server/LibraryManager.cs Shop.Server.LibraryManager"]
    );
    assert_eq!(certain("callers", &format!("{path}:5")), ["Api/Controller.cs Shop.Api.Controller.Get"]);
    assert_eq!(certain("implementers", "Other/ILibraryManager.cs:3"), [""; 0]);
    assert_eq!(certain("callers", "Other/ILibraryManager.cs:5"), [""; 0]);
}

#[test]
fn overloads_share_callers_only_as_alternatives() {
    let repo = Repo::new();
    repo.write(
        "Log.java",
        "package a;\n\nclass Log {\n    void put(String text) {}\n\n    void put(int n) {}\n\n    void put(int n, int m) {}\n\n    \
         void all() {\n        put(1, 2);\n    }\n\n    void some() {\n        put(3);\n    }\n\n    void any() {\n        put(given());\n    }\n}\n",
    );
    repo.write(
        "Log.cs",
        "namespace A;\n\nclass Logger\n{\n    void Write(string text) { }\n\n    void Write(int n) { }\n\n    void Write(int n, int m) { }\n\n    void All() { Write(1, 2); }\n\n    void Some() { Write(3); }\n\n    void Any() { Write(Given()); }\n}\n",
    );
    repo.commit("overloads");
    let all = |place: &str| listed(&repo, "callers", &[place, "--callers"]);
    let certain = |place: &str| listed(&repo, "callers", &[place, "--callers", "--certain"]);
    // A number is not a text. What `given` gives is not known.
    assert_eq!((all("Log.java:4"), certain("Log.java:4")), (vec!["Log.java Log.any".to_owned()], vec![]));
    assert_eq!(all("Log.java:6"), ["Log.java Log.some", "Log.java Log.any"]);
    assert_eq!(certain("Log.java:6"), ["Log.java Log.some"]);
    assert_eq!(certain("Log.java:8"), ["Log.java Log.all"]);
    assert_eq!((all("Log.cs:5"), certain("Log.cs:5")), (vec!["Log.cs A.Logger.Any".to_owned()], vec![]));
    assert_eq!(all("Log.cs:7"), ["Log.cs A.Logger.Some", "Log.cs A.Logger.Any"]);
    assert_eq!(certain("Log.cs:7"), ["Log.cs A.Logger.Some"]);
    assert_eq!(certain("Log.cs:9"), ["Log.cs A.Logger.All"]);
    repo.cora(&["refs", "Log.java:4", "--callers"])
        .prints("(call, a guess: one of several declarations with this name)");
}

#[test]
fn a_constructor_is_called_by_the_name_of_its_type() {
    let repo = Repo::new();
    repo.write(
        "Cart.java",
        "package a;\n\nclass Cart {\n    Cart() {}\n\n    Cart(int n) {}\n\n    static Cart empty() {\n        return new Cart();\n    }\n}\n",
    );
    repo.write(
        "Shop.java",
        "package a;\n\nclass Shop {\n    Cart open() {\n        return new Cart(3);\n    }\n}\n",
    );
    repo.write("Cart.cs", "namespace A;\n\nclass Basket\n{\n    public Basket(int n) { }\n}\n\nclass Store\n{\n    Basket Open() { return new Basket(3); }\n}\n");
    repo.commit("constructors");
    let callers = |place: &str| listed(&repo, "callers", &[place, "--callers", "--certain"]);
    assert_eq!(callers("Cart.java:4"), ["Cart.java Cart.empty"]);
    assert_eq!(callers("Cart.java:6"), ["Shop.java Shop.open"]);
    assert_eq!(callers("Cart.cs:5"), ["Cart.cs A.Store.Open"]);
}

#[test]
fn types_of_one_name_in_several_blocks_are_told_apart_by_their_functions() {
    let repo = Repo::new();
    let block = |name: &str, field: &str| {
        format!(
            "it('{name}', () => {{\n  type State = {{ {field}: number }}\n  const store = create<State>()\n  expect(store).toBe('a text that is long enough for a chunk')\n}})\n\n"
        )
    };
    repo.write("store.test.ts", block("a", "a") + &block("b", "b"));
    // A sentence can't be put in front of a name.
    repo.write("long.test.ts", block("counts: a", "a") + &block("counts: b", "b"));
    repo.write("one.test.ts", block("c", "c"));
    repo.commit("blocks");
    let certain = |place: &str| listed(&repo, "callers", &[place, "--callers", "--certain"]);
    assert_eq!(certain("store.test.ts:2"), ["store.test.ts a"]);
    assert_eq!(certain("store.test.ts:8"), ["store.test.ts b"]);
    assert_eq!(certain("long.test.ts:2"), [""; 0]);
    assert_eq!(certain("one.test.ts:2"), ["one.test.ts c"]);
}

#[test]
fn a_go_module_of_tests_is_of_this_repository() {
    let repo = Repo::new();
    repo.write("go.mod", "module example.org/shop/v3\n\ngo 1.21\n");
    repo.write("tests/go.mod", "module example.org/shop/tests/v3\n\ngo 1.21\n");
    repo.write("tests/frame/cluster.go", "package frame\n\ntype Config struct {\n\tSize int\n}\n");
    repo.write(
        "tests/all/start_test.go",
        "package all\n\nimport \"example.org/shop/tests/v3/frame\"\n\nfunc start(config *frame.Config) int {\n\treturn config.Size\n}\n",
    );
    repo.commit("modules");
    assert_eq!(listed(&repo, "callers", &["--certain", "Config"]), ["tests/all/start_test.go start"]);
}

#[test]
fn a_field_of_the_same_name_is_no_reference() {
    let repo = Repo::new();
    let field = |name: &str, text: &str| repo.write(name, text);
    field(
        "a.c",
        "static int limit = 3;\n\nstruct link {\n\tint limit;\n\tint room[limit];\n};\n\nstruct other {\n\tint limit;\n};\n\nint use(struct link *l)\n{\n\tl->limit = limit;\n\treturn limit;\n}\n",
    );
    field(
        "a.go",
        "package a\n\nvar depth = 3\n\ntype state int\n\ntype Node struct {\n\tdepth int\n\tstate state\n}\n\ntype Other struct {\n\tdepth, state int\n}\n\nfunc use(n *Node) int {\n\tn.depth = depth\n\treturn depth\n}\n",
    );
    field(
        "a.rs",
        "static WIDE: u32 = 3;\n\nstruct Link {\n    WIDE: u32,\n}\n\nfn uses(l: &Link) -> u32 {\n    l.WIDE + WIDE\n}\n\nfn makes() -> Link {\n    Link { WIDE: 3 }\n}\n",
    );
    field("A.java", "class Tone {}\n\nclass Song {\n  Tone Tone;\n}\n\nclass Page {\n  int Tone;\n}\n");
    repo.commit("all");
    let callers = |symbol: &str| listed(&repo, "callers", &[symbol]);
    assert_eq!(callers("a.c:1"), ["a.c link", "a.c use"]);
    assert_eq!(callers("a.go:3"), ["a.go use"]);
    assert_eq!(callers("a.go:5"), ["a.go Node"]);
    assert_eq!(callers("a.rs:1"), ["a.rs uses"]);
    assert_eq!(callers("A.java:1"), ["A.java Song"]);
}

#[test]
fn places_and_files_are_listed_for_scripts() {
    let repo = Repo::new();
    repo.write("net.py", "def send(a):\n    return a\n");
    repo.write("app.py", "from net import send\n\n\ndef deliver(a):\n    return send(a)\n\n\ndef again(a):\n    return send(a)\n");
    repo.write("main.py", "from app import deliver\n\n\ndef main(a):\n    return deliver(a)\n");
    repo.commit("all");
    let out = |args: &[&str]| repo.cora(&[&["refs"], args].concat()).out;
    assert_eq!(
        out(&["send", "--callers", "--depth", "2", "--format", "paths"]),
        "app.py:5: deliver\nmain.py:5: main\napp.py:9: again\n"
    );
    assert_eq!(out(&["send", "--callers", "--depth", "2", "--format", "files"]), "app.py\nmain.py\n");
    assert_eq!(out(&["deliver", "--callees", "--format", "paths"]), "net.py:1: send\n");
    let run = repo.try_cora(&["refs", "send", "--callees", "--format", "files"]).exits(1);
    assert_eq!(run.out, "");
}

#[test]
fn paths_have_one_direction_and_files_are_counted_once() {
    let repo = Repo::new();
    repo.write("net.py", "def open_it(a):\n    return a\n\n\ndef send(a):\n    return open_it(a)\n");
    let callers = |file: &str| -> String {
        (0..5).map(|n| format!("def {file}_{n}(a):\n    return send(a) + {n}\n\n\n")).collect()
    };
    for file in ["app", "bar", "car"] {
        repo.write(&format!("{file}.py"), format!("from net import send\n\n\n{}", callers(file)));
    }
    repo.commit("all");
    let run = repo.cora(&["refs", "send", "--format", "files"]);
    assert_eq!(run.out, "app.py\nbar.py\ncar.py\n", "callees are not mixed in");
    let run = repo.cora(&["refs", "send", "--format", "files", "-k", "2"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("app.py\nbar.py\n", "and 1 more; raise --limit\n"));
    let run = repo.cora(&["refs", "send", "--format", "paths", "-k", "14"]);
    assert_eq!((run.out.lines().count(), run.err.as_str()), (14, "and 1 more; raise --limit\n"));
    assert_eq!(repo.cora(&["refs", "send", "--callees", "--format", "files"]).out, "net.py\n");
    let run = repo.try_cora(&["refs", "send", "--callees", "--callers", "--format", "files"]).exits(2);
    run.says("can't show which lines are callees");
}

#[test]
fn files_without_a_resolved_reference_are_as_many_as_asked_for() {
    let repo = Repo::new();
    repo.write("net.py", "def send_it(a):\n    return a\n");
    for n in 10..30 {
        repo.write(&format!("docs/page{n}.txt"), "Call send_it once.\n");
    }
    repo.commit("pages");
    let files = |k: &str| {
        let out = repo.cora(&["refs", "send_it", "--callers", "-k", k]).out;
        let n = out.lines().filter(|line| line.contains("docs/page")).count();
        (n, out.lines().last().unwrap_or_default().trim().to_owned())
    };
    assert_eq!(files("3"), (3, "and 17 more lines; raise --limit".to_owned()));
    assert_eq!(files("19"), (19, "and 1 more line; raise --limit".to_owned()));
    assert_eq!(files("20"), (20, "docs/page29.txt:1".to_owned()));
    let page = repo.cora(&["explain", "send_it", "--json", "-k", "3"]).json();
    let list = &page["subjects"][0]["related"][0];
    assert_eq!((list["items"].as_array().unwrap().len(), &list["more"]), (3, &17.into()), "{page}");
}

#[test]
fn the_surest_reference_of_a_pair_counts_in_both_directions() {
    let repo = Repo::new();
    repo.write("gate.py", "class Gate:\n    def unlock(self):\n        return True\n");
    repo.write(
        "use.py",
        "from gate import Gate\n\n\ndef mixed(other, gate: Gate):\n    other.unlock()\n    gate.unlock()\n",
    );
    repo.commit("gates");
    let sure = |args: &[&str], list: &str| {
        let report = repo.cora(&[&["refs", "--json"], args].concat()).json();
        let one = report["symbols"][0][list]["items"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| ["mixed", "Gate.unlock"].contains(&one["symbol"].as_str().unwrap()))
            .unwrap_or_else(|| panic!("{report}"))
            .clone();
        (one["at"].clone(), one["how"].clone(), one["certain"].clone())
    };
    let expected = (6.into(), "declared type".into(), true.into());
    assert_eq!(sure(&["Gate.unlock", "--callers"], "callers"), expected);
    assert_eq!(sure(&["mixed", "--callees"], "callees"), expected);
    let page = repo.cora(&["explain", "mixed"]).out;
    let line = page.lines().find(|line| line.contains("Gate.unlock")).unwrap_or_else(|| panic!("{page}"));
    assert!(!line.contains("only candidate"), "{line}");
}

#[test]
fn the_tests_that_get_a_fixture_refer_to_it() {
    let repo = Repo::new();
    repo.write("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n");
    repo.write(
        "tests/test_pay.py",
        "import pytest\n\n\ndef test_pay(client):\n    assert client\n\n\n@pytest.mark.usefixtures('client')\ndef test_give():\n    pass\n\n\n@pytest.mark.parametrize('client', [1])\ndef test_take(client):\n    pass\n",
    );
    repo.commit("tests");
    assert_eq!(
        listed(&repo, "callers", &["client"]),
        ["tests/test_pay.py test_pay", "tests/test_pay.py test_give"]
    );
}

#[test]
fn related_takes_the_name_of_one_declaration() {
    let repo = Repo::new();
    repo.write(
        "net.py",
        "def send(a):\n    return a\n\n\nclass Mail:\n    def open(self):\n        return send(self)\n",
    );
    repo.write(
        "app.py",
        "from net import send\n\n\ndef open():\n    return send(1)\n\n\ndef main():\n    return open()\n",
    );
    repo.commit("all");
    let at = repo.cora(&["related", "net.py:1"]).out;
    assert!(at.starts_with("net.py:1: function send\n"), "{at}");
    for name in ["send", "net.send", "net.py:send"] {
        assert_eq!(repo.cora(&["related", name]).out, at, "{name}");
        assert_eq!(repo.cora(&["related", "--repo", ".", name]).out, at, "{name}");
    }
    repo.cora(&["related", "Mail.open"]).prints("net.py:6: method Mail.open\n");
    for args in [&["related", "open"][..], &["related", "--repo", ".", "open"]] {
        let run =
            repo.try_cora(args).exits(1).says("2 declarations are named 'open'; expected one PATH:LINE");
        assert!(run.err.contains("hint: to choose one, write one of these instead: "), "{}", run.err);
        assert!(run.err.contains("app.py:4") && run.err.contains("net.py:6"), "{}", run.err);
    }
    let report = repo.try_cora(&["related", "--json", "open"]).exits(1).json();
    assert_eq!((&report["place"], report["similar"].as_array().unwrap().len()), (&Value::Null, 2));
    repo.try_cora(&["related", "sned"])
        .exits(1)
        .says("no file or declaration named 'sned'")
        .says("did you mean 'send'?");
}

#[test]
fn related_places_are_grouped_by_their_relation() {
    let repo = Repo::new();
    repo.write(
        "net.py",
        "def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\ndef send():\n    return one() + two()\n",
    );
    let users: String = (0..6).map(|n| format!("def use_{n}():\n    return send()\n\n\n")).collect();
    repo.write("app.py", format!("from net import send\n\n\n{users}"));
    let far: String = (0..6).map(|n| format!("def far_{n}():\n    return use_{n}()\n\n\n")).collect();
    let names: Vec<String> = (0..6).map(|n| format!("use_{n}")).collect();
    repo.write("far.py", format!("from app import {}\n\n\n{far}", names.join(", ")));
    repo.commit("all");
    let report = repo.cora(&["related", "net.py:send", "-k", "20", "--json"]).json();
    let relations: Vec<&str> =
        report["related"].as_array().unwrap().iter().map(|one| one["relation"].as_str().unwrap()).collect();
    let mut runs = relations.clone();
    runs.dedup();
    let distinct: std::collections::BTreeSet<&str> = runs.iter().copied().collect();
    assert_eq!(runs.len(), distinct.len(), "{relations:?}");
    assert_eq!(runs.last(), Some(&"indirect"), "{relations:?}");
    let few = repo.cora(&["related", "net.py:send", "-k", "3"]);
    let n_indirect = relations.iter().filter(|one| **one == "indirect").count();
    let n_direct = relations.len() - n_indirect - 3;
    few.says(&format!(
        "note: {n_direct} more places, and {n_indirect} that is reached indirectly; raise --limit"
    ));
    let few = repo.cora(&["related", "net.py:send", "-k", "3", "--json"]).json();
    assert_eq!((&few["more"], &few["more_indirect"]), (&json!(n_direct), &json!(n_indirect)));
}

#[test]
fn files_that_mention_a_name_are_listed_once() {
    let repo = Repo::new();
    repo.write("a.py", "class A:\n    def send_all(self):\n        return 1\n");
    repo.write("b.py", "class B:\n    def send_all(self):\n        return 2\n");
    repo.write("c.ts", "export const go = (x: any) => x.send_all();\n");
    repo.commit("all");
    let out = repo.cora(&["refs", "send_all"]).out;
    assert_eq!(out.matches("could not be resolved").count(), 1, "{out}");
    assert!(out.ends_with("could not be resolved:\n    c.ts:1: in function go\n"), "{out}");
    // A guess for one of the declarations is listed there, so it is not unresolved for the other.
    repo.write("store.py", "from b import B\nfrom a import A\n\n\ndef use(a):\n    return a.send_all()\n");
    repo.commit("a guess");
    let found = repo.cora(&["refs", "send_all", "--json"]).json();
    let lists: Vec<_> = found["symbols"].as_array().unwrap().iter().map(|one| &one["mentioned"]).collect();
    assert_eq!(lists[0]["files"], json!(["c.ts"]), "{found}");
    assert_eq!(lists[1], &json!(null), "{found}");
}

#[test]
fn a_handler_in_a_template_calls_its_script() {
    let repo = Repo::new();
    for (path, tag) in [
        ("a.html.erb", "<%= id %>"),
        ("a.blade.php", "{{ $id }}"),
        ("a.jinja2", "{{ id }}"),
        ("a.gohtml", "{{ .ID }}"),
        ("a.php", "<?= $id ?>"),
        ("a.html", "1"),
    ] {
        let text = format!(
            "<script>\nfunction openDialog(id) {{\n  return {tag};\n}}\n</script>\n\n<b onclick=\"openDialog('{tag}')\">x</b>\n"
        );
        repo.write(path, text);
        repo.commit(path);
        let run = repo.cora(&["refs", "openDialog", "--callers"]);
        assert!(run.out.contains(&format!("{path}:7: ")), "{path}: {run:?}");
        repo.remove(path);
    }
}

#[test]
fn a_list_of_references_that_is_cut_says_so() {
    let repo = Repo::new();
    repo.write("net.py", "def send_all(a):\n    return a\n");
    for n in 0..6 {
        repo.write(
            &format!("user{n}.py"),
            format!("from net import send_all\n\n\ndef use_{n}():\n    return send_all({n})\n"),
        );
    }
    for n in 0..20 {
        // Code that is merely similar is not counted.
        repo.write(&format!("other{n}.py"), format!("def send_{n}(all):\n    return all + {n}\n"));
    }
    repo.commit("all");
    for format in ["paths", "files"] {
        let run = repo.cora(&["query", "what calls send_all", "--format", format, "-k", "3"]);
        assert_eq!(run.out.lines().count(), 3, "{}", run.out);
        run.says("note: 3 more; raise -k\n");
        let all = repo.cora(&["query", "what calls send_all", "--format", format, "-k", "50"]);
        assert!(!all.err.contains("more"), "{}", all.err);
    }
}

#[test]
fn methods_that_override_a_method_are_listed() {
    let repo = Repo::new();
    repo.write("base.py", "class Base:\n    def go(self):\n        return 1\n");
    repo.write(
        "sub.py",
        "from base import Base\n\n\nclass Sub(Base):\n    def go(self):\n        return 2\n",
    );
    repo.commit("all");
    repo.cora(&["refs", "Base.go", "--implementers"])
        .prints("  overridden or implemented by\n    sub.py:5: ");
    repo.cora(&["refs", "Sub.go", "--implementers"]).prints("none found");
}
