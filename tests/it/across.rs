//! Several repositories: names followed across repositories by `refs --repo` and by `query --repo`.

use serde_json::json;

use crate::harness::Repo;

/// Creates an application and, next to it, the library that it uses.
pub(crate) fn pair() -> (Repo, Repo) {
    let app = Repo::new();
    app.write("shop/__init__.py", "");
    app.write(
        "shop/web.py",
        "from flask import Flask, url_for\nfrom requests import get\n\n\nclass Shop(Flask):\n    def open(self):\n        \
         self.route('/')\n        return url_for('start')\n\n\ndef fetch():\n    return get('prices')\n",
    );
    app.write(
        "shop/local.py",
        "def url_for(name):\n    return name\n\n\ndef link():\n    return url_for('x')\n",
    );
    app.commit("shop");
    let library = app.beside("library");
    std::fs::create_dir(library.path()).unwrap();
    library.git(&["init", "-q", "-b", "main"]);
    library.write("pyproject.toml", "[project]\nname = \"Flask\"\n");
    library.write("src/flask/__init__.py", "from .app import Flask as Flask\nfrom .helpers import url_for\n");
    library.write(
        "src/flask/app.py",
        "from .scaffold import Scaffold\n\n\nclass Flask(Scaffold):\n    def run(self):\n        return 'runs'\n",
    );
    library
        .write("src/flask/scaffold.py", "class Scaffold:\n    def route(self, rule):\n        return rule\n");
    library.write(
        "src/flask/helpers.py",
        "def url_for(endpoint):\n    return build(endpoint)\n\n\ndef build(endpoint):\n    return endpoint\n\n\ndef again():\n    return url_for('x')\n\n\ndef get(name):\n    return name\n",
    );
    library.commit("library");
    (app, library)
}

#[test]
fn refs_go_from_one_repository_to_another() {
    let (app, library) = pair();
    let refs = |args: &[&str]| {
        let all = [&["refs", "--repo", ".", "--repo", "../library"], args].concat();
        app.cora(&all)
    };
    let [here, there] = [app.path(), library.path()].map(|path| path.display().to_string());
    // Both declarations of the name, each with its own callers.
    assert_eq!(
        refs(&["url_for", "--callers"]).out,
        format!(
            "{here}/shop/local.py:1: function url_for\n  called or referred to by\n    \
             {here}/shop/local.py:6: in function link  (call, found in the same file)\n\n\
             {there}/src/flask/helpers.py:1: function url_for\n  called or referred to by\n    \
             {here}/shop/web.py:8: in method Shop.open  (call, found by import)\n    \
             {there}/src/flask/helpers.py:10: in function again  (call, found in the same file)\n"
        )
    );
    refs(&["Shop.open", "--callees", "--certain"])
        .prints(&format!(
            "{there}/src/flask/scaffold.py:2: method Scaffold.route  (called at line 7, found in a supertype)"
        ))
        .prints(&format!(
            "{there}/src/flask/helpers.py:1: function url_for  (called at line 8, found by import)"
        ));
    let found = refs(&["Flask", "--implementers", "--json"]).json();
    assert_eq!(found["others"][0]["path"], json!(there));
    assert_eq!(found["others"][0]["commit"], json!(library.rev("HEAD")));
    assert_eq!(found["commit"], json!(app.rev("HEAD")));
    let flask = &found["symbols"][0];
    assert_eq!((&flask["repository"], &flask["path"]), (&json!(1), &json!("src/flask/app.py")));
    let shop = &flask["implementers"]["items"][0];
    assert_eq!(
        (&shop["symbol"], &shop["certain"], &shop["relation"]),
        (&json!("Shop"), &json!(true), &json!("inherits"))
    );
    assert_eq!(shop.get("repository"), None, "the first is left out");
    // At depth 2, callers of callers are found across the repository boundary.
    let deep = refs(&["build", "--callers", "--depth", "2", "--json"]).json();
    let url_for = &deep["symbols"][0]["callers"]["items"][0];
    assert_eq!((&url_for["symbol"], &url_for["repository"]), (&json!("url_for"), &json!(1)));
    assert_eq!(url_for["related"][0]["symbol"], json!("Shop.open"));
    // A name imported from another package is not a reference, even if it has the same name.
    let get = refs(&["get", "--json"]).json();
    assert_eq!(get["symbols"][0]["callers"]["items"], json!([]));
    // A single repository knows only its own symbols.
    let alone = app.cora(&["refs", "Shop.open", "--callees", "--certain"]);
    assert!(!alone.out.contains("route"), "{}", alone.out);
}

#[test]
fn a_name_in_one_repository_is_not_another_spelling_in_the_others() {
    let (app, library) = pair();
    app.write("shop/group.py", "class Group:\n    pass\n");
    app.commit("a class");
    library.write("src/flask/cli.py", "def group():\n    return 1\n");
    library.commit("a function");
    let symbols = |name: &str| {
        let found = app.cora(&["refs", "--repo", "../library", "--repo", ".", "--json", name]).json();
        let all = found["symbols"].as_array().unwrap().iter();
        all.map(|one| one["symbol"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(symbols("Group"), ["Group"]);
    assert_eq!(symbols("group"), ["group"]);
    assert_eq!(symbols("GROUP").len(), 2, "no repository has exactly this name");
}

#[test]
fn revisions_and_mistakes_are_told_apart() {
    let (app, library) = pair();
    library.write("src/flask/helpers.py", "def address(endpoint):\n    return endpoint\n");
    library.commit("renamed");
    let callees = |other: &str| {
        app.cora(&["refs", "Shop.open", "--callees", "--certain", "--repo", ".", "--repo", other]).out
    };
    assert!(!callees("../library").contains("url_for"));
    assert!(callees("../library@HEAD~1").contains("src/flask/helpers.py:1: function url_for"));
    app.try_cora(&["refs", "url_forr", "--repo", ".", "--repo", "../library@HEAD~1"])
        .exits(1)
        .says("no declaration named 'url_forr'")
        .says("hint: did you mean 'url_for'?");
    app.try_cora(&["refs", "x", "--repo", "../nowhere"]).exits(2).says("can't search '../nowhere'");
    app.try_cora(&["refs", "x", "--repo", ".@nowhere"]).exits(2).says("unknown revision 'nowhere'");
    app.try_cora(&["refs", "x", "--repo", ".", "--rev", "HEAD"]).exits(2);
    let outside = app.beside("outside");
    std::fs::create_dir(outside.path()).unwrap();
    app.try_cora(&["refs", "x", "--repo", ".", "--repo", "../outside"]).exits(128).says("../outside");
}

#[test]
fn answers_say_what_uses_what_elsewhere() {
    let (app, _library) = pair();
    let query = |args: &[&str]| {
        let all = [&["query", "--repo", ".", "--repo", "../library"], args].concat();
        app.cora(&all)
    };
    let answer = query(&["--json", "url_for endpoint"]).json();
    let of = |path: &str, symbol: &str| {
        let all = answer["results"].as_array().unwrap().iter();
        let mut of =
            all.filter(|one| one["path"] == *path && one["symbol"].as_str().unwrap_or("").contains(symbol));
        of.next().map(|one| one["relation"].clone())
    };
    assert_eq!(of("src/flask/helpers.py", "url_for"), Some(json!("called by Shop in work")), "{answer}");
    assert_eq!(of("shop/local.py", ""), Some(json!(null)));
    let shop = of("shop/web.py", "").unwrap();
    let shop = shop.as_str().unwrap();
    assert!(
        shop.contains("calls ") && shop.contains("url_for") && shop.contains("inherits Flask in library"),
        "{shop}"
    );
    let text = query(&["url_for endpoint"]).prints("    called by Shop in work\n");
    assert!(!text.out.contains("do not refer to"), "nobody asked for references: {}", text.out);
    query(&["--format", "rag", "url_for endpoint"]).prints("called by Shop in work");
    // A single repository reports no relation.
    let alone = app.cora(&["query", "--repo", "../library", "--json", "url_for"]).json();
    assert_eq!(alone["results"][0].get("relation"), None);
}

#[test]
fn what_is_related_lies_in_several_repositories() {
    let (app, library) = pair();
    let related = |args: &[&str]| {
        let all = [&["related", "--repo", ".", "--repo", "../library"], args].concat();
        app.cora(&all)
    };
    let [here, there] = [app.path(), library.path()].map(|path| path.display().to_string());
    // From the callee to the caller, and back. The place is in the repository that has the file.
    related(&["src/flask/helpers.py:1"])
        .prints(&format!("{there}/src/flask/helpers.py:1: function url_for\n"))
        .prints(&format!("  called by      {here}/shop/web.py:6: method Shop.open\n"));
    related(&["shop/web.py:7"])
        .prints(&format!("  calls          {there}/src/flask/helpers.py:1: function url_for\n"));
    related(&["shop/web.py:5"])
        .prints(&format!("  inherits       {there}/src/flask/app.py:4: class Flask\n"));
    let found = related(&["--json", "src/flask/app.py:4"]).json();
    assert_eq!((&found["place"]["repository"], &found["place"]["symbol"]), (&json!(1), &json!("Flask")));
    assert_eq!(found["commit"], json!(app.rev("HEAD")));
    assert_eq!(found["others"][0]["commit"], json!(library.rev("HEAD")));
    let all = found["related"].as_array().unwrap();
    let shop = all.iter().find(|one| one["symbol"] == "Shop").unwrap();
    assert_eq!((&shop["relation"], shop.get("repository")), (&json!("inherited by"), None));
    // Results of other repositories come first, up to half of the list if there are enough of both.
    let abroad: Vec<bool> = all.iter().map(|one| one.get("repository").is_none()).collect();
    assert!(abroad[0] && abroad.is_sorted_by(|a, b| a >= b) && !abroad[abroad.len() - 1], "{all:?}");
    let weights: Vec<f64> = all.iter().map(|one| one["weight"].as_f64().unwrap()).collect();
    assert!(weights.iter().all(|weight| (0.0..=0.5).contains(weight)), "{weights:?}");
    let two = related(&["--json", "-k", "2", "src/flask/app.py:4"]).json();
    assert_eq!(two["related"][1].get("repository"), Some(&json!(1)), "{two}");
    assert_eq!(related(&["--json", "-k", "1", "src/flask/app.py:4"]).json()["related"][0], all[0]);
    // The library alone knows none of the callers elsewhere.
    let alone = app.cora(&["related", "--repo", "../library", "--json", "src/flask/helpers.py:1"]).json();
    let symbols: Vec<&str> =
        alone["related"].as_array().unwrap().iter().map(|one| one["symbol"].as_str().unwrap()).collect();
    assert_eq!((alone.get("others"), symbols), (None, vec!["build", "again"]));
    app.try_cora(&["related", "shop/wab.py", "--repo", ".", "--repo", "../library"])
        .exits(1)
        .says("no file or declaration named 'shop/wab.py'")
        .says("hint: did you mean 'shop/web.py'?");
    app.try_cora(&["related", "shop/web.py", "--repo", ".", "--rev", "HEAD"]).exits(2);
}

#[cfg(feature = "http")]
#[test]
fn a_server_says_what_uses_what_elsewhere() {
    let (app, library) = pair();
    let [here, there] = [&app, &library].map(|repo| repo.path().display().to_string());
    let server = crate::http::Server::start(&app, &[&here, &there]);
    let ask = |places: &[&String]| {
        let repos: Vec<_> = places.iter().map(|place| json!({ "checkoutPath": place })).collect();
        let messages = json!([{ "role": "user", "content": "url_for endpoint" }]);
        server.post("/coderag/query", &json!({ "messages": messages, "repos": repos })).json()
    };
    let answer = ask(&[&there, &here]);
    let text = answer["ragText"].as_str().unwrap();
    assert!(text.contains("called by Shop in work") && text.contains("inherits Flask in library"), "{text}");
    let states = answer["metadata"]["repos"].as_array().unwrap();
    assert_eq!(states.iter().map(|one| &one["checkoutPath"]).collect::<Vec<_>>(), [&there, &here]);
    assert!(states.iter().all(|one| !one["results"].as_array().unwrap().is_empty()), "{answer}");
    // In the joint answer, each repository has the results that it has alone.
    let alone = ask(&[&here])["metadata"]["repos"][0].clone();
    assert_eq!(alone["results"], states[1]["results"]);
    assert!(!ask(&[&there])["ragText"].as_str().unwrap().contains("called by Shop"));
}
