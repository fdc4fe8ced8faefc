//! Comment syntax: language name → the line that stands for lines left out.
//!
//! A bare ". . ." inside code could be read as code, so it stands in a comment of the language where it has them.

/// What stands for lines that are left out.
const DOTS: &str = ". . .";

/// The line for lines left out of a text in `language`, without indentation; bare dots where comments are unknown.
pub(super) fn elision(language: &str) -> String {
    let (open, close) = match language {
        "bash" | "cmake" | "dockerfile" | "elixir" | "graphql" | "ini" | "julia" | "makefile" | "nim"
        | "nix" | "perl" | "powershell" | "python" | "r" | "ruby" | "terraform" | "toml" | "yaml" => {
            ("# ", "")
        }
        "c" | "c-sharp" | "cpp" | "dart" | "fsharp" | "go" | "groovy" | "java" | "javascript" | "kotlin"
        | "objective-c" | "pascal" | "php" | "protobuf" | "rust" | "scala" | "swift" | "tsx"
        | "typescript" | "verilog" | "zig" => ("// ", ""),
        "elm" | "haskell" | "lua" | "sql" | "vhdl" => ("-- ", ""),
        "assembly" | "clojure" | "lisp" => ("; ", ""),
        "css" => ("/* ", " */"),
        "erlang" => ("% ", ""),
        "fortran" => ("! ", ""),
        "html" | "markdown" | "svelte" | "vue" | "xml" => ("<!-- ", " -->"),
        "ocaml" | "ocaml-interface" => ("(* ", " *)"),
        "vim" => ("\" ", ""),
        _ => ("", ""),
    };
    format!("{open}{DOTS}{close}")
}
