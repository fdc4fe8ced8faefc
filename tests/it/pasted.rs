//! Text pasted as it is: messages with quotes, panics, file names.

use crate::harness::Repo;

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(
        "src/container.php",
        "<?php\nclass Container\n{\n    public function get($id)\n    {\n        throw new NotFound('Circular reference detected for service');\n    }\n}\n",
    );
    repo.write(
        "tests/container_test.php",
        "<?php\nclass ContainerTest\n{\n    public function testGet()\n    {\n        $this->get('app.mailer');\n    }\n}\n",
    );
    repo.write(
        "src/window.rs",
        "pub fn open_window(title: &str) -> Window {\n    let screen = screens().next();\n    screen.unwrap().window(title)\n}\n",
    );
    repo.write(
        "src/value.rs",
        "pub fn unwrap_value(called: Option<u8>) -> u8 {\n    called.unwrap() // of a None value, on main\n}\n",
    );
    repo.write(
        "src/loader.rs",
        "pub fn complain(path: &str, name: &str) -> String {\n    format!(\n        \"Failed to load asset '{path}' with asset loader '{name}': no such file\"\n    )\n}\n",
    );
    repo.write(
        "src/texture_loader.rs",
        "/// Failed to load asset is what others say.\npub struct TextureLoader;\nimpl TextureLoader {\n    pub fn load(&self, path: &str) -> Asset {\n        asset(path)\n    }\n}\n",
    );
    repo.write("shaders/fragment.wesl", "fn shade(light: vec3f) -> vec3f {\n    return light * 0.5;\n}\n");
    repo.write(
        "src/fragment.rs",
        "pub fn fragment(wesl: &str) -> String {\n    wesl.replace(\"fragment\", \"\")\n}\n",
    );
    repo.commit("a container, a window and a shader");
    repo
}

#[test]
fn what_a_message_quotes_is_no_filter() {
    let repo = repo();
    for text in [
        "Circular reference detected for service \"app.mailer\", path: \"app.mailer -> app.logger\".",
        "circular reference \"app.logger\"",
    ] {
        assert_eq!(repo.found(&[text])[0], "src/container.php", "{text}");
    }
    repo.cora(&["query", "circular reference \"app.logger\""])
        .says("no file contains the quoted text; searched for its words instead");
    // A quoted phrase alone, or at the start, must match exactly.
    assert_eq!(repo.found(&["\"app.mailer\""]), ["tests/container_test.php"]);
    assert_eq!(repo.found(&["\"app.mailer\" of the container"]), ["tests/container_test.php"]);
    repo.try_cora(&["query", "\"app.logger\""]).exits(1);
}

#[test]
fn a_panic_says_where_it_was() {
    let repo = repo();
    for text in [
        "thread 'main' panicked at src/window.rs:3:12:\ncalled `Option::unwrap()` on a `None` value",
        "thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', src/window.rs:3:12",
    ] {
        let first = repo.results(&[text]).remove(0);
        assert_eq!(
            (&first["path"], &first["named_lines"]),
            (&"src/window.rs".into(), &vec![3].into()),
            "{text}"
        );
    }
}

#[test]
fn a_file_of_a_language_without_a_grammar_is_found_by_its_name() {
    let repo = repo();
    assert_eq!(repo.found(&["fragment.wesl"])[0], "shaders/fragment.wesl");
}

#[test]
fn a_message_leads_to_the_string_whatever_was_filled_in() {
    let repo = repo();
    let text = "Failed to load asset 'src/texture_loader.rs' with asset loader 'TextureLoader': no such file";
    assert_eq!(repo.found(&[text])[0], "src/loader.rs");
    repo.cora(&["query", "--explain", text])
        .prints("one of its strings has the words 'failed to load asset'");
    // The same in uncommitted files.
    repo.write(
        "src/other.py",
        "def check(path):\n    raise ValueError(f\"cannot decode {path} as a texture of this size\")\n",
    );
    assert_eq!(repo.found(&["cannot decode TextureLoader as a texture of this size"])[0], "src/other.py");
}
