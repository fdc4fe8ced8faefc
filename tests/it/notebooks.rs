//! Jupyter notebooks: found by cell, shown as code, and never by their outputs.

use serde_json::json;

use crate::harness::Repo;

fn notebooks() -> Repo {
    let repo = Repo::new();
    let notebook = json!({
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# Orders of the shop\n", "\n", "Loaded nightly."]},
            {
                "cell_type": "code", "execution_count": 1, "metadata": {},
                "outputs": [{"data": {"image/png": "iVBORw0KGgoZebraQuagga"}, "output_type": "display_data"}],
                "source": [
                    "%matplotlib inline\n", "import pandas as pd\n", "\n", "def load_orders(path):\n",
                    "    \"\"\"Reads the \"ledger\".\"\"\"\n", "    return pd.read_csv(path)\n",
                ],
            },
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["orders = load_orders('caf\u{e9}.csv')\n"]},
        ],
        "metadata": {"kernelspec": {"language": "python", "name": "python3"}},
        "nbformat": 4, "nbformat_minor": 5,
    });
    repo.write("analysis.ipynb", format!("{}\n", serde_json::to_string_pretty(&notebook).unwrap()));
    repo.write("broken.ipynb", "{\"cells\": [{\"source\": [\"def broken_notebook(): pass\n");
    repo.write(
        "shop/report.py",
        "from analysis import load_orders\n\n\ndef report():\n    load_orders('a.csv')\n",
    );
    repo.commit("notebooks");
    repo
}

#[test]
fn a_cell_is_found_and_says_where_it_is() {
    let repo = notebooks();
    let best = &repo.results(&["load_orders"])[0];
    assert_eq!(
        (&best["path"], &best["symbol"], &best["language"], &best["kind"]),
        (&json!("analysis.ipynb"), &json!("load_orders"), &json!("jupyter"), &json!("function"))
    );
    assert_eq!(best["cell"], json!({"number": 2, "start_line": 1, "end_line": 6}));
    let text = repo.cora(&["query", "--color", "never", "-k", "1", "load_orders"]).out;
    assert!(text.contains("[cell 2, lines 1-6]"), "{text}");
    assert!(text.contains("    \"\"\"Reads the \"ledger\".\"\"\"\n"), "{text}");
    let markdown = repo.cora(&["query", "--format", "markdown", "-k", "1", "load_orders"]).out;
    assert!(markdown.contains("(cell 2, lines 1-6)") && markdown.contains("```python\n"), "{markdown}");
    let rag = repo.cora(&["query", "--format", "rag", "-k", "1", "load_orders"]).out;
    assert!(rag.contains("cell 2, lines 1-6") && rag.contains("def load_orders(path):\n"), "{rag}");
    repo.cora(&["verify"]);
}

#[test]
fn the_line_is_that_of_the_file() {
    let repo = notebooks();
    let file = std::fs::read_to_string(repo.path().join("analysis.ipynb")).unwrap();
    let line = file.lines().position(|line| line.contains("def load_orders")).unwrap() + 1;
    repo.cora(&["list", "load_orders"]).prints(&format!("analysis.ipynb:{line}: function load_orders"));
}

#[test]
fn users_are_found_across_cells_and_files() {
    let repo = notebooks();
    let refs = repo.cora(&["refs", "load_orders"]).out;
    assert!(refs.contains("analysis.ipynb") && refs.contains("shop/report.py"), "{refs}");
}

#[test]
fn outputs_are_not_found() {
    let repo = notebooks();
    let all = repo.results(&["iVBORw0KGgoZebraQuagga"]);
    assert!(all.iter().all(|one| one["path"] != "analysis.ipynb"), "{all:?}");
    // A file that is not a notebook is text.
    assert_eq!(repo.results(&["broken_notebook"])[0]["path"], "broken.ipynb");
}
