//! Languages in languages: SQL and GraphQL in strings, and C# in Razor, followed across files.

use crate::harness::Repo;

/// Returns the symbols in one list of `refs --json`, with their paths.
fn listed(repo: &Repo, list: &str, args: &[&str]) -> Vec<String> {
    let report = repo.try_cora(&[&["refs", "--json"], args].concat()).json();
    let items = report["symbols"][0][list]["items"].as_array().cloned().unwrap_or_default();
    let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    items.iter().map(|one| format!("{} {}", text(one, "path"), text(one, "symbol"))).collect()
}

#[test]
fn a_table_lists_the_functions_that_read_it() {
    let repo = Repo::new();
    repo.write("db/schema.sql", "CREATE TABLE users (\n    id INTEGER PRIMARY KEY\n);\n");
    repo.write(
        "src/user.rs",
        "pub fn find(id: i64) {\n    sqlx::query!(\"select id from users where id = $1\", id);\n}\n\npub fn users() {}\n",
    );
    repo.write(
        "app/user.py",
        "def rename(db, name):\n    db.execute(\"UPDATE users SET name = %s\", name)\n\n\ndef tell():\n    print(\"select users from the list\")\n",
    );
    repo.write("lib/user.rb", "def all\n  find_by_sql <<~SQL\n    select * from users\n  SQL\nend\n");
    repo.commit("users");
    repo.cora(&["refs", "db/schema.sql:1"])
        .prints("db/schema.sql:1: table users")
        .prints("app/user.py:2: in function rename")
        .prints("lib/user.rb:3: in function all")
        .prints("src/user.rs:2: in function find");
    assert_eq!(
        listed(&repo, "callers", &["db/schema.sql:1", "--callers"]),
        ["app/user.py rename", "lib/user.rb all", "src/user.rs find"]
    );
    assert_eq!(
        listed(&repo, "callers", &["src/user.rs:5", "--callers"]),
        [""; 0],
        "a function is not a table"
    );
    repo.cora(&["verify"]);
}

#[test]
fn a_fragment_lists_the_operations_that_spread_it() {
    let repo = Repo::new();
    repo.write("web/parts.ts", "export const PARTS = gql`\n  fragment UserParts on User {\n    id\n  }\n`\n");
    repo.write(
        "web/user.ts",
        "import { PARTS } from './parts'\n\nexport const GET = gql`\n  query GetUser {\n    user {\n      ...UserParts\n    }\n  }\n  ${PARTS}\n`\n",
    );
    repo.write("web/find.graphql", "query Find {\n  user {\n    ...UserParts\n  }\n}\n");
    repo.commit("operations");
    assert_eq!(
        listed(&repo, "callers", &["UserParts", "--callers"]),
        ["web/find.graphql Find", "web/user.ts GetUser"]
    );
    repo.cora(&["list", "GetUser"]).prints("web/user.ts:4: function GetUser");
    repo.cora(&["verify"]);
}

#[test]
fn markup_of_razor_refers_to_code() {
    let repo = Repo::new();
    repo.write(
        "Shop/Counter.razor",
        "@inject Prices Prices\n\n<p>@Prices.Format(1)</p>\n<button @onclick=\"Increment\">Add</button>\n\n@code {\n    private void Increment()\n    {\n    }\n}\n",
    );
    repo.write("Shop/Home.razor", "@page \"/\"\n\n<Counter />\n");
    // No word of the page is the name of its model.
    repo.write("Shop/Join.cshtml", "@page\n@model JoinPage\n\n<input asp-for=\"Email\" />\n");
    repo.write(
        "Shop/Join.cshtml.cs",
        "namespace Shop;\n\npublic class JoinPage\n{\n    public string Email { get; set; }\n}\n",
    );
    repo.write(
        "Shop/Prices.cs",
        "namespace Shop;\n\npublic class Prices\n{\n    public string Format(int n) => n.ToString();\n}\n",
    );
    repo.commit("components");
    assert_eq!(listed(&repo, "callers", &["Shop/Prices.cs:5", "--callers"]), ["Shop/Counter.razor Counter"]);
    repo.cora(&["refs", "Counter", "--callers"]).prints("Shop/Home.razor:3:");
    repo.cora(&["refs", "Email", "--callers"]).prints("Shop/Join.cshtml:4:");
    repo.cora(&["refs", "Increment", "--callers"]).prints("Shop/Counter.razor:4:");
    repo.cora(&["stats", "--unparsed"]).prints("razor");
    repo.cora(&["verify"]);
}
