//! Tests of Razor: what a file declares and refers to, and where.

use super::super::{ChunkOptions, ChunkedFile, chunk, embedded_language};
use super::*;

fn chunked(text: &str) -> ChunkedFile {
    chunk(Language::from_name("razor").unwrap(), text, &ChunkOptions::default())
}

/// Returns the references of a kind, each once: `name of qualifier`.
fn references(file: &ChunkedFile, kind: ReferenceKind) -> Vec<String> {
    let own = file.references.iter().filter(|one| embedded_language(&one.alias).is_none());
    let of_kind = own.filter(|one| one.kind == kind);
    let mut found: Vec<String> = of_kind
        .map(|one| match one.qualifier.as_str() {
            "" => one.name.clone(),
            qualifier => format!("{} of {qualifier}", one.name),
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

const COUNTER: &str = "@page \"/counter\"\n@using Shop.Data\n@inject IClock Clock\n@inherits PageBase\n\n<h1>Count: @count</h1>\n\
                       <p>@Format(count) at @Clock.Now.Hour, mail a@example.com</p>\n\
                       @foreach (var item in Items)\n{\n    <Row Item=\"item\" OnPick=\"Pick\">@item.Name</Row>\n}\n\
                       <button @onclick=\"Increment\" onclick=\"track('a')\">Add</button>\n\n@code {\n    private int count = 0;\n\n    \
                       [Parameter] public List<Item> Items { get; set; }\n\n    private void Increment()\n    {\n        count++;\n        \
                       Save(count);\n    }\n\n    private string Format(int n) => n.ToString();\n    void Pick(Item item) { }\n    void Save(int n) { }\n}\n";

#[test]
fn code_is_read_at_its_place() {
    let file = chunked(COUNTER);
    let declared: Vec<(&str, u32)> =
        file.declarations.iter().map(|one| (one.name.as_str(), one.name_line)).collect();
    for expected in
        [("Clock", 3), ("Items", 17), ("Increment", 19), ("Format", 25), ("Pick", 26), ("Save", 27)]
    {
        assert!(declared.contains(&expected), "{expected:?} in {declared:?}");
    }
    let increment = file.declarations.iter().find(|one| one.name == "Increment").unwrap();
    assert_eq!((increment.span.start_line, increment.span.end_line, increment.parent), (19, 23, None));
    assert_eq!(increment.signature.of(COUNTER).trim(), "private void Increment()");
    let calls = references(&file, ReferenceKind::Call);
    for expected in ["Format", "Row", "Save"] {
        assert!(calls.iter().any(|one| one == expected), "{expected} in {calls:?}");
    }
    let uses = references(&file, ReferenceKind::Use);
    for expected in ["Increment", "Pick"] {
        assert!(uses.iter().any(|one| one == expected), "{expected} in {uses:?}");
    }
    let types = references(&file, ReferenceKind::Type);
    for expected in ["IClock", "Item"] {
        assert!(types.iter().any(|one| one == expected), "{expected} in {types:?}");
    }
    assert_eq!(references(&file, ReferenceKind::Inherits), ["PageBase"]);
    assert_eq!(references(&file, ReferenceKind::Import), ["Data of Shop.Data"]);
    let scripts: Vec<_> =
        file.references.iter().filter(|one| embedded_language(&one.alias).is_some()).collect();
    assert_eq!(scripts.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["track"]);
}

#[test]
fn a_page_reads_its_model() {
    let text = "@page\n@model IndexModel\n@{\n    ViewData[\"Title\"] = \"Home\";\n    var total = Model.Sum(2);\n}\n\
                <input asp-for=\"Input.Email\" />\n@if (Model.IsOpen)\n{\n    <p>@total @Html.Raw(Model.Text)</p>\n}\nelse if (total < 3)\n{\n    @: few @Model.Few\n}\n\
                @section Scripts {\n    <script>load(@Model.Id)</script>\n}\n";
    let file = chunked(text);
    let calls = references(&file, ReferenceKind::Call);
    for expected in ["Raw of Html", "Sum of Model"] {
        assert!(calls.iter().any(|one| one == expected), "{expected} in {calls:?}");
    }
    assert!(references(&file, ReferenceKind::Type).contains(&"IndexModel".to_owned()));
    let scripts = file.references.iter().filter(|one| embedded_language(&one.alias).is_some());
    assert_eq!(scripts.map(|one| one.name.as_str()).collect::<Vec<_>>(), ["load"]);
    let sum = file.references.iter().find(|one| one.name == "Sum").unwrap();
    assert_eq!(sum.alias, "IndexModel");
    let uses = references(&file, ReferenceKind::Use);
    for expected in ["Email of Model.Input", "Few of Model", "Id of Model", "IsOpen of Model"] {
        assert!(uses.iter().any(|one| one == expected), "{expected} in {uses:?}");
    }
}

#[test]
fn markup_in_code_and_code_in_markup_nest() {
    let text = "@functions {\n    void Show(int n)\n    {\n        <p>@Label(n)</p>\n        if (n < limit) { <b>@n</b> @Again(n) }\n        Done();\n    }\n    \
                string Label(int n) => \"<i>\" + n;\n}\n@* a comment with @code { *@\n@switch (kind)\n{\n    case Kind.A:\n        <p>one</p>\n        break;\n}\n\
                ";
    let file = chunked(text);
    let names: Vec<&str> = file.declarations.iter().map(|one| one.name.as_str()).collect();
    assert!(names.contains(&"Show") && names.contains(&"Label"), "{names:?}");
    let calls = references(&file, ReferenceKind::Call);
    for expected in ["Again", "Done", "Label"] {
        assert!(calls.iter().any(|one| one == expected), "{expected} in {calls:?}");
    }
    assert_eq!(
        file.comments.iter().map(|one| one.of(text)).collect::<Vec<_>>(),
        ["@* a comment with @code { *@"]
    );
}

#[test]
fn markup_may_follow_a_comment() {
    for comment in ["// It is shown.\n", "/* It's shown. */", ""] {
        let file = chunked(&format!("@{{\n    var a = 1; {comment}<script>load(1)</script>\n}}\n"));
        let scripts = file.references.iter().filter(|one| embedded_language(&one.alias).is_some());
        assert_eq!(scripts.map(|one| one.name.as_str()).collect::<Vec<_>>(), ["load"], "{comment}");
    }
}

#[test]
fn the_model_has_a_name_that_the_file_has() {
    let text = "@model SignUp\n<input asp-for=\"Email\" />\n";
    let file = chunked(text);
    let email = file.references.iter().find(|one| one.name == "Email").unwrap();
    assert_eq!((email.qualifier.as_str(), email.alias.as_str()), ("model", "SignUp"));
    assert!(file.references.iter().all(|one| one.alias != "Model"), "{:?}", file.references);
    let without = chunked("<input asp-for=\"Email\" />\n");
    assert!(
        without.references.iter().all(|one| !one.qualifier.contains("Model")),
        "{:?}",
        without.references
    );
}

#[test]
fn takes_no_time_for_hostile_text() {
    for unit in [
        "@{",
        "@(",
        "@code {",
        "<a b=\"",
        "@*",
        "@if (a) {",
        "@a(",
        "{",
        "@{<p>",
        "\"",
        "<script>",
        "@<a ",
        "@{@<",
        "@if (",
        "@if (a) <",
        "@if (/*",
        "@(\"\"\"",
        "@{ @if (a) { <p>",
        "@section A { <p>@{ @if (a) {<b>",
        "<A B=\"@(",
    ] {
        let text = unit.repeat(100_000 / unit.len());
        let file = scan(&text);
        assert!(Program::new(&text, &file.class).text.len() < 40 * text.len());
        assert_eq!(markup_alone(&text).len(), text.len());
    }
}
