//! `git cora map`: its content, its order and its budget.

use crate::harness::Repo;

fn shop() -> Repo {
    let repo = Repo::init(&[]);
    repo.write(
        "shop/money.py",
        "RATE = 3\n\n\ndef total(cart):\n    return sum(cart)\n\n\ndef rounded(cents):\n    return cents\n",
    );
    repo.write(
        "shop/cart.py",
        "from .money import total\n\n\nclass Cart(list):\n    def pay(self):\n        return total(self)\n",
    );
    repo.write("shop/gift.py", "from .cart import Cart\nfrom .money import total\n\n\nclass Gift(Cart):\n    def wrap(self):\n        return total(self)\n");
    repo.write("shop/post.py", "def parcel_label(address):\n    return address.upper()\n");
    repo.write("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_cart():\n    Cart().pay()\n");
    repo.commit("a shop");
    repo
}

#[test]
fn what_others_refer_to_comes_first() {
    let repo = shop();
    let map = repo.cora(&["map"]);
    assert_eq!(map.code, 0, "{}", map.err);
    let outline =
        "shop/money.py\n    4 def total(cart)\nshop/cart.py\n    4 class Cart(list)\n    5   def pay(self)\n";
    assert!(
        map.out.ends_with(&format!("\n\n{outline}")),
        "what only its own file uses, and tests, are not in it"
    );
    repo.drop_cached();
    assert_eq!(repo.cora(&["map"]).out, map.out, "the same from another cache");
}

#[test]
fn a_map_that_is_cut_says_how_to_see_more() {
    let repo = Repo::init(&[]);
    let (mut parts, mut users) = (String::new(), "from parts import *\n".to_owned());
    for n in 0..40 {
        parts += &format!("def part_{n:02}(cart):\n    return cart + {n}\n\n\n");
        users += &format!("\n\ndef use_{n:02}(cart):\n    return part_{n:02}(cart)\n");
    }
    repo.write("parts.py", parts);
    repo.write("users.py", users);
    repo.commit("parts");
    let run = repo.cora(&["map", "--tokens", "150"]);
    assert!(run.out.contains(" more declarations; raise --tokens\n"), "{}", run.out);
    assert!(!run.err.contains("more"), "it is said once: {}", run.err);
    let few = repo.cora(&["map", "-k", "2", "--tokens", "1000"]).out;
    assert_eq!(few.matches("def part_").count(), 2, "{few}");
    assert!(few.ends_with("and 38 more declarations; raise --tokens or --limit\n"), "{few}");
    assert_eq!(repo.cora(&["map", "-n", "2", "--tokens", "1000"]).out, few);
    let whole = shop().cora(&["map"]);
    assert!(!whole.out.contains(" more declaration") && !whole.err.contains("raise"), "{whole:?}");
}

#[test]
fn a_newcomer_learns_what_it_is_first() {
    let repo = shop();
    repo.write(
        "README.md",
        "# Shop\n\n[![CI](x.svg)](x)\n\n**Shop** sells [parcels](x) to everyone. It is new.\n",
    );
    repo.write("tools/README.md", "Scripts that the shop needs at night.\n");
    repo.write("tools/night.c", "int main(void)\n{\n    return 0;\n}\n");
    repo.write("util/log.py", "from shop.money import total\n\n\ndef log_line(text):\n    return text\n");
    for name in ["a", "b", "c", "d", "e"] {
        let text =
            format!("from util.log import log_line\n\n\ndef {name}():\n    return log_line('{name}')\n");
        repo.write(&format!("shop/{name}.py"), text);
    }
    repo.commit("more");
    let map = repo.cora(&["map", "--tokens", "2000"]);
    let begin =
        "Shop sells parcels to everyone.\n\nentry points\n  tools/night.c:1  main\n\ndirectories\n  shop/ ";
    assert!(map.out.starts_with(begin), "{}", map.out);
    for line in [
        "  tools/    2 files  Scripts that the shop needs at night.\n",
        "  tests/     1 file  tests: test_cart.py\n",
    ] {
        assert!(map.out.contains(line), "{line}: {}", map.out);
    }
    let (total, log) = (map.out.find("def total").unwrap(), map.out.find("def log_line").unwrap());
    assert!(total < log, "helpers do not come first: {}", map.out);
    let json = repo.cora(&["map", "--json", "--tokens", "2000"]).json();
    assert_eq!(json["introduction"]["about"], "Shop sells parcels to everyone.");
    assert_eq!(json["introduction"]["entries"][0]["path"], "tools/night.c");
    let path = repo.cora(&["map", "--path", "shop"]);
    assert!(!path.out.contains("directories"), "{}", path.out);
}

/// A server in C with a client, a tool, a library of others, and news at the top of its README.
fn server() -> Repo {
    let repo = Repo::init(&[]);
    repo.write(
        "README.md",
        "# Quill\n\n## Quill 3.0 is now available!\n\nWe're excited to announce the release of Quill 3.0.\n\n\
         ## About\n\nQuill is a server that stores letters. It answers fast.\n",
    );
    let main =
        |call: &str| format!("#include \"letter.h\"\n\nint main(void)\n{{\n    return {call}(1);\n}}\n");
    repo.write("src/aardvark.c", main("letter_read"));
    repo.write("src/quill.c", main("letter_store"));
    repo.write("scripts/check.c", main("letter_read"));
    repo.write("deps/zip/zip.c", "int main(void)\n{\n    return 0;\n}\n");
    repo.write("src/letter.h", "/* Letters. */\nint letter_store(int n);\nint letter_read(int n);\n");
    repo.write(
        "src/letter.c",
        "#include \"letter.h\"\n\nint letter_store(int n)\n{\n    return letter_read(n);\n}\n\nint \
         letter_read(int n)\n{\n    return n;\n}\n",
    );
    repo.write("docs/start.md", "# First steps\n\nStart the server.\n");
    repo.write("docs/setup.md", "# Set-up\n\nSet the port.\n");
    repo.commit("a server");
    repo
}

#[test]
fn an_introduction_tells_the_product_from_the_rest() {
    let repo = server();
    let map = repo.cora(&["map", "--tokens", "2000"]);
    assert_eq!(map.code, 0, "{}", map.err);
    let begin = "Quill is a server that stores letters.\n\nentry points\n  src/quill.c:3  main\n  \
                 src/aardvark.c:3  main\n  scripts/check.c:3  main\n\ndirectories\n";
    assert!(map.out.starts_with(begin), "news, and programs of others, are left out: {}", map.out);
    let docs = map.out.lines().find(|line| line.starts_with("  docs/")).unwrap();
    assert!(docs.ends_with("documentation: Set-up, First steps"), "{docs}");
    let json = repo.cora(&["map", "--json", "--tokens", "2000"]).json();
    let introduction = &json["introduction"];
    assert_eq!(introduction["about"], "Quill is a server that stores letters.");
    let entries: Vec<&str> =
        introduction["entries"].as_array().unwrap().iter().filter_map(|one| one["path"].as_str()).collect();
    assert_eq!(entries, ["src/quill.c", "src/aardvark.c", "scripts/check.c"]);
    let folders = introduction["folders"].as_array().unwrap();
    assert!(folders.iter().all(|one| !one["about"].as_str().unwrap().is_empty()), "{folders:?}");
    repo.drop_cached();
    assert_eq!(repo.cora(&["map", "--tokens", "2000"]).out, map.out, "the same from another cache");
}

#[test]
fn an_introduction_is_within_the_budget() {
    let repo = server();
    let n_words = |text: &str| text.split_whitespace().count();
    let mut has_one = [false; 2];
    for tokens in ["100", "150", "200", "300", "600"] {
        let map = repo.cora(&["map", "--tokens", tokens]);
        assert!(n_words(&map.out) <= tokens.parse().unwrap(), "{tokens}: {}", map.out);
        assert!(map.out.contains("letter_"), "there is room for a declaration: {tokens}: {}", map.out);
        has_one[usize::from(map.out.contains("entry points"))] = true;
    }
    assert_eq!(has_one, [true, true], "a small budget is for declarations");
}

#[test]
fn what_the_language_has_is_not_the_repositorys() {
    let repo = Repo::new();
    repo.write("core_ext/string.rb", "class String\n  def shout\n    upcase\n  end\nend\n");
    repo.write("lib/letter.rb", "require_relative \"../core_ext/string\"\n\nclass Letter < String\n  def text\n    self\n  end\nend\n");
    repo.write(
        "lib/post.rb",
        "require_relative \"letter\"\n\nclass Post < Letter\n  def send(name)\n    name\n  end\nend\n",
    );
    repo.commit("post");
    let map = repo.cora(&["map"]).out;
    assert!(map.contains("class Letter") && !map.contains("class String"), "{map}");
}

#[test]
fn a_question_comes_before_what_is_important() {
    let repo = shop();
    let map = repo.cora(&["map", "label", "of", "a", "parcel"]);
    assert!(map.out.starts_with("shop/post.py\n    1 def parcel_label(address)\n"), "{}", map.out);
    let one = repo.cora(&["map", "--tokens", "27", "label of a parcel"]).out;
    assert_eq!(
        one,
        "shop/post.py\n    1 def parcel_label(address)\nand 3 more declarations; raise --tokens\n"
    );
    repo.cora(&["map", "zyzzyva"]).prints("class Cart").says("no result for the question");
    repo.try_cora(&["map", "--tokens", "1"]).exits(2).says("--tokens");
    let json = repo.cora(&["map", "--json", "--tokens", "250", "--path", "shop"]);
    assert!(git_cora::answer::view::tokens(&json.out) <= 250, "{}", json.out);
    assert_eq!(json.json()["files"].as_array().map(Vec::len), Some(2), "{}", json.out);
    assert!(json.json().get("introduction").is_none(), "only for the whole repository");
    let none = repo.try_cora(&["map", "--json", "--tokens", "20"]);
    assert_eq!(none.exits(2).says("--tokens").out, "");
}

#[test]
fn around_the_files_in_hand() {
    let repo = shop();
    let below = repo.below("shop");
    let map = below.cora(&["map", "--file", "gift.py", "--json"]).json();
    let files: Vec<&str> =
        map["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(!files.contains(&"shop/gift.py"), "{map}");
    assert!(files.contains(&"shop/cart.py") && files.contains(&"shop/money.py"), "{map}");
    assert_eq!(map["commit"], repo.rev("HEAD"));
    let none = repo.cora(&["map", "--file", "shop/gif.py"]);
    assert!(
        none.err.contains("'shop/gif.py' is not indexed") && none.err.contains("shop/gift.py"),
        "{}",
        none.err
    );
}

#[test]
fn only_what_is_asked_for_and_at_any_commit() {
    let repo = shop();
    assert_eq!(repo.cora(&["map", "--kind", "class"]).out, "shop/cart.py\n    4 class Cart(list)\n");
    assert_eq!(repo.cora(&["map", "--path", "shop/money.py"]).out, "shop/money.py\n    4 def total(cart)\n");
    repo.write("shop/money.py", "def sum_of(cart):\n    return sum(cart)\n");
    assert!(!repo.cora(&["map"]).out.contains("total"));
    assert!(repo.cora(&["map", "--rev", "HEAD"]).out.contains("4 def total(cart)"));
    assert_eq!(repo.try_cora(&["map", "--path", "nowhere"]).code, 1);
}

#[test]
fn where_nothing_is_referred_to_all_is_there() {
    let repo = Repo::new();
    repo.write("b.py", "def later():\n    return 'b'\n");
    repo.write(
        "a.py",
        "class Alone:\n    def inside(self):\n        return 'a'\n\n\ndef beside():\n    return 'c'\n",
    );
    repo.commit("small");
    let out = repo.cora(&["map"]).out;
    assert_eq!(
        out,
        "a.py\n    1 class Alone\n    2   def inside(self)\n    6 def beside()\nb.py\n    1 def later()\n"
    );
    // As soon as one declaration has a reference, only such declarations are listed.
    repo.write("c.py", "from b import later\n\n\ndef caller():\n    return later()\n");
    assert_eq!(repo.cora(&["map"]).out, "b.py\n    1 def later()\n");
}

#[test]
fn an_introduction_counts_what_it_leaves_out() {
    let repo = Repo::new();
    repo.write("README.md", "# Quill\n\nQuill is a server that stores letters.\n");
    let main = |package: &str| {
        format!(
            "package main\n\nimport \"x.org/quill/{package}\"\n\nfunc main() {{\n\t{package}.Main()\n}}\n"
        )
    };
    repo.write("apple/main.go", main("fruit"));
    repo.write("server/main.go", main("quillmain"));
    repo.write("fruit/fruit.go", "package fruit\n\n// Main.\nfunc Main() { Peel(PeelID(1)) }\n");
    repo.write(
        "fruit/peel.go",
        "package fruit\n\n// Kinds of fruit.\ntype (\n\tPeelID int64\n\tOther struct{ ID PeelID }\n)\n\n\
         // Peel peels.\nfunc Peel(id PeelID) Other { return Other{ID: id} }\n",
    );
    repo.write("quillmain/main.go", "package quillmain\n\n// Main.\nfunc Main() {}\n");
    for name in ["audit", "bench", "check", "dump"] {
        repo.write(
            &format!("tools/{name}/main.go"),
            "package main\n\nfunc main() {}\n\n// Row is a row.\ntype Row struct{ A int }\n",
        );
    }
    for n in 0..12 {
        repo.write(&format!("part{n:02}/a.go"), format!("package part{n:02}\n\n// F.\nfunc F{n}() {{}}\n"));
    }
    repo.commit("quill");
    let map = repo.cora(&["map", "--tokens", "4000"]).out;
    let begin = "Quill is a server that stores letters.\n\nentry points\n  server/main.go:5  main\n";
    assert!(map.starts_with(begin), "the program that starts 'quillmain' is the server: {map}");
    let tools = map.lines().find(|line| line.starts_with("  tools/ ")).unwrap();
    assert!(tools.ends_with("programs: audit, bench, check, …"), "{tools}");
    let json = repo.cora(&["map", "--json", "--tokens", "4000"]).json();
    let introduction = &json["introduction"];
    let n = |key: &str| introduction[key].as_array().unwrap().len() as u64;
    assert_eq!(n("folders") + introduction["more_folders"].as_u64().unwrap(), 17);
    assert!(introduction["more_folders"].as_u64().unwrap() > 0);
    assert!(map.contains(&format!("  and {} more\n", introduction["more_folders"])), "{map}");
    assert!(map.contains("type PeelID int64\n"), "a type in a group has its keyword: {map}");
}
