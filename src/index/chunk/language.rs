//! Languages: names, file names, comment syntax and tables.
//!
//! Every language exists by name in every build, so that filters work. A language without a
//! grammar, or whose cargo feature is off, has no table and is cut into windows. `detect` finds the
//! language of a file.

use super::documents::unescaped;
use super::lang;
use super::resolve::ResolvedTable;
use super::scan::{Scanner, assembly, dockerfile, fsharp, ini, lisp, makefile, scss, template, verilog};
use super::sections::{
    asciidoc, latex, markdown, org, pod, restructuredtext, roff, roff_text, texinfo, wiki,
};
use super::table::Table;
use std::borrow::Cow;
use std::sync::OnceLock;

/// A language that is known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

/// The comment syntax of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommentSyntax {
    /// Prefix of a comment that extends to the end of the line; empty if there is none.
    pub line: &'static str,
    /// Start and end of a comment of any length; empty if there is none.
    pub block: (&'static str, &'static str),
}

/// One row of `LANGUAGES`.
struct Entry {
    name: &'static str,
    extensions: &'static [&'static str],
    files: &'static [&'static str],
    interpreters: &'static [&'static str],
    comment: CommentSyntax,
    separator: &'static str,
    table: fn() -> Option<&'static Table>,
    scanner: Option<Scanner>,
}

const NONE: CommentSyntax = CommentSyntax { line: "", block: ("", "") };
const SLASHES: CommentSyntax = CommentSyntax { line: "//", block: ("/*", "*/") };
const HASH: CommentSyntax = CommentSyntax { line: "#", block: ("", "") };
const BANG: CommentSyntax = CommentSyntax { line: "!", block: ("", "") };
const DASHES: CommentSyntax = CommentSyntax { line: "--", block: ("", "") };
const ANGLE: CommentSyntax = CommentSyntax { line: "", block: ("<!--", "-->") };
const PERCENT: CommentSyntax = CommentSyntax { line: "%", block: ("", "") };
const DOTS: CommentSyntax = CommentSyntax { line: "..", block: ("", "") };
const ROFF: CommentSyntax = CommentSyntax { line: ".\\\"", block: ("", "") };
const SEMICOLON: CommentSyntax = CommentSyntax { line: ";", block: ("", "") };

const fn text(
    name: &'static str,
    extensions: &'static [&'static str],
    files: &'static [&'static str],
    comment: CommentSyntax,
) -> Entry {
    let table = || None;
    Entry { name, extensions, files, interpreters: &[], comment, separator: ".", table, scanner: None }
}

const fn code(
    name: &'static str,
    extensions: &'static [&'static str],
    interpreters: &'static [&'static str],
    comment: CommentSyntax,
    separator: &'static str,
    table: fn() -> Option<&'static Table>,
) -> Entry {
    Entry { name, extensions, files: &[], interpreters, comment, separator, table, scanner: None }
}

/// A language that is read by lines.
const fn lined(entry: Entry, scanner: Scanner) -> Entry {
    Entry { scanner: Some(scanner), ..entry }
}

/// A dialect of Lisp.
const fn lisp(
    name: &'static str,
    extensions: &'static [&'static str],
    interpreters: &'static [&'static str],
    separator: &'static str,
    scanner: Scanner,
) -> Entry {
    lined(Entry { interpreters, separator, ..text(name, extensions, &[], SEMICOLON) }, scanner)
}

/// A document that is split by sections.
const fn document(
    name: &'static str,
    extensions: &'static [&'static str],
    comment: CommentSyntax,
    scanner: Scanner,
) -> Entry {
    lined(Entry { separator: " > ", ..text(name, extensions, &[], comment) }, scanner)
}

/// All languages: first plain text, which every other file falls back to, then the others by name.
static LANGUAGES: &[Entry] = &[
    text("text", &["txt", "log"], &["README", "LICENSE", "COPYING", "NOTICE", "AUTHORS", "CHANGES"], NONE),
    document("asciidoc", &["adoc", "asciidoc"], SLASHES, asciidoc::SCANNER),
    lined(text("assembly", &["s", "asm", "nasm"], &[], SEMICOLON), assembly::SCANNER),
    code("astro", &["astro"], &[], ANGLE, ".", lang::html),
    lined(text("blade", &[], &[], ANGLE), template::BLADE),
    Entry {
        files: &[
            ".bash_aliases",
            ".bash_login",
            ".bash_logout",
            ".bash_profile",
            ".bashrc",
            ".envrc",
            ".profile",
            ".zlogin",
            ".zprofile",
            ".zshenv",
            ".zshrc",
            "APKBUILD",
            "PKGBUILD",
        ],
        ..code(
            "bash",
            &["sh", "bash", "zsh", "zsh-theme", "ksh", "bats", "ebuild", "eclass"],
            &["sh", "bash", "zsh", "dash", "ksh"],
            HASH,
            ".",
            lang::bash,
        )
    },
    code("c", &["c", "h"], &[], SLASHES, "::", lang::c),
    code("c-sharp", &["cs", "csx"], &[], SLASHES, ".", lang::c_sharp),
    lisp("clojure", &["clj", "cljs", "cljc", "edn", "bb"], &[], "/", lisp::CLOJURE_SCANNER),
    Entry { files: &["CMakeLists.txt"], ..code("cmake", &["cmake"], &[], HASH, ".", lang::cmake) },
    lisp("common-lisp", &["lisp", "cl", "lsp", "asd"], &["sbcl"], ":", lisp::COMMON_LISP_SCANNER),
    code(
        "cpp",
        &[
            "cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh", "ino",
            "cppm", "ixx", "mpp", "tcc", "txx",
        ],
        &[],
        SLASHES,
        "::",
        lang::cpp,
    ),
    code("css", &["css"], &[], CommentSyntax { line: "", block: ("/*", "*/") }, ".", lang::css),
    text("csv", &["csv", "tsv"], &[], NONE),
    code("dart", &["dart"], &["dart"], SLASHES, ".", lang::dart),
    text("diff", &["diff", "patch"], &[], NONE),
    lined(text("dockerfile", &["dockerfile"], &["Dockerfile", "Containerfile"], HASH), dockerfile::SCANNER),
    Entry { files: &["mix.lock"], ..code("elixir", &["ex", "exs"], &["elixir"], HASH, ".", lang::elixir) },
    code("elm", &["elm"], &[], CommentSyntax { line: "--", block: ("{-", "-}") }, ".", lang::elm),
    Entry {
        files: &[".emacs", "Cask", "Eask"],
        ..lisp("emacs-lisp", &["el"], &["emacs"], ".", lisp::EMACS_LISP_SCANNER)
    },
    lined(text("erb", &["erb", "rhtml"], &[], ANGLE), template::ERB),
    Entry {
        files: &["rebar.config"],
        ..code("erlang", &["erl", "hrl", "escript"], &["escript"], PERCENT, ":", lang::erlang)
    },
    lined(
        text(
            "fsharp",
            &["fs", "fsi", "fsx", "fsscript"],
            &[],
            CommentSyntax { line: "//", block: ("(*", "*)") },
        ),
        fsharp::SCANNER,
    ),
    code(
        "fortran",
        &["f", "f90", "f95", "f03", "f08", "for", "fpp", "ftn", "fypp"],
        &[],
        BANG,
        ".",
        lang::fortran,
    ),
    code("gdscript", &["gd"], &[], HASH, ".", lang::gdscript),
    code(
        "glsl",
        &["glsl", "vert", "frag", "geom", "comp", "tesc", "tese", "glslf", "glslv", "fsh", "vsh"],
        &[],
        SLASHES,
        ".",
        lang::glsl,
    ),
    code("go", &["go"], &[], SLASHES, ".", lang::go),
    lined(text("go-template", &["gotmpl", "gohtml", "tmpl", "tpl"], &[], ANGLE), template::GO),
    code("graphql", &["graphql", "gql", "graphqls"], &[], HASH, ".", lang::graphql),
    Entry {
        files: &["Jenkinsfile"],
        ..code("groovy", &["groovy", "gradle", "gvy"], &["groovy"], SLASHES, ".", lang::groovy)
    },
    code(
        "haskell",
        &["hs", "lhs"],
        &["runhaskell", "runghc"],
        CommentSyntax { line: "--", block: ("{-", "-}") },
        ".",
        lang::haskell,
    ),
    code("html", &["html", "htm", "xhtml"], &[], ANGLE, ".", lang::html),
    lined(
        text(
            "ini",
            &[
                "ini",
                "cfg",
                "conf",
                "properties",
                "editorconfig",
                "desktop",
                "mount",
                "service",
                "socket",
                "target",
                "timer",
            ],
            &[".editorconfig", ".gitconfig", ".gitmodules", ".npmrc", ".pylintrc", ".flake8", ".coveragerc"],
            HASH,
        ),
        ini::SCANNER,
    ),
    code("java", &["java"], &[], SLASHES, ".", lang::java),
    code("javascript", &["js", "mjs", "cjs", "jsx", "es6"], &["node", "bun"], SLASHES, ".", lang::javascript),
    Entry {
        files: &[".babelrc", ".eslintrc", ".prettierrc", "composer.lock", ".jshintrc"],
        ..code(
            "json",
            &["json", "jsonc", "json5", "geojson", "webmanifest", "avsc", "code-workspace", "jsonld"],
            &[],
            NONE,
            ".",
            lang::json,
        )
    },
    lined(text("jinja", &["j2", "jinja", "jinja2", "twig", "njk", "liquid"], &[], ANGLE), template::JINJA),
    Entry { separator: " > ", ..text("json-lines", &["jsonl", "ndjson"], &[], NONE) },
    code("julia", &["jl"], &["julia"], CommentSyntax { line: "#", block: ("#=", "=#") }, ".", lang::julia),
    text("jupyter", &["ipynb"], &[], NONE),
    code("kotlin", &["kt", "kts"], &["kotlin"], SLASHES, ".", lang::kotlin),
    document("latex", &["tex", "ltx", "sty"], PERCENT, latex::SCANNER),
    lined(text("less", &["less"], &[], SLASHES), scss::SCANNER),
    code(
        "lua",
        &["lua"],
        &["lua", "luajit"],
        CommentSyntax { line: "--", block: ("--[[", "]]") },
        ".",
        lang::lua,
    ),
    Entry {
        interpreters: &["make", "gmake"],
        ..lined(
            text(
                "makefile",
                &["mk", "mak", "make"],
                &["Makefile", "makefile", "GNUmakefile", "Kbuild", "Makefile.am", "Makefile.in"],
                HASH,
            ),
            makefile::SCANNER,
        )
    },
    document("markdown", &["md", "markdown", "mdx", "mkd", "qmd", "rmd"], ANGLE, markdown::SCANNER),
    document("mediawiki", &["mediawiki"], ANGLE, wiki::SCANNER),
    text("nim", &["nim", "nims"], &[], HASH),
    code("nix", &["nix"], &[], CommentSyntax { line: "#", block: ("/*", "*/") }, ".", lang::nix),
    code("objective-c", &["m", "mm"], &[], SLASHES, ".", lang::objective_c),
    code("ocaml", &["ml"], &["ocaml"], CommentSyntax { line: "", block: ("(*", "*)") }, ".", lang::ocaml),
    code(
        "ocaml-interface",
        &["mli"],
        &[],
        CommentSyntax { line: "", block: ("(*", "*)") },
        ".",
        lang::ocaml_interface,
    ),
    document("org", &["org"], HASH, org::SCANNER),
    code(
        "pascal",
        &["pas", "pp", "dpr", "lpr"],
        &[],
        CommentSyntax { line: "//", block: ("{", "}") },
        ".",
        lang::pascal,
    ),
    Entry {
        files: &["cpanfile", "Makefile.PL", "Build.PL"],
        ..code("perl", &["pl", "pm", "t", "psgi"], &["perl"], HASH, "::", lang::perl)
    },
    code("php", &["php", "phtml", "php3", "php4", "php5", "phps"], &["php"], SLASHES, "::", lang::php),
    document("pod", &["pod"], NONE, pod::SCANNER),
    code(
        "powershell",
        &["ps1", "psm1", "psd1"],
        &["pwsh"],
        CommentSyntax { line: "#", block: ("<#", "#>") },
        ".",
        lang::powershell,
    ),
    code("protobuf", &["proto"], &[], SLASHES, ".", lang::protobuf),
    Entry {
        files: &[
            "SConstruct",
            "SConscript",
            "wscript",
            "BUCK",
            "BUILD",
            "BUILD.bazel",
            "MODULE.bazel",
            "Snakefile",
            "TARGETS",
            "Tiltfile",
            "WORKSPACE",
            "WORKSPACE.bazel",
        ],
        ..code(
            "python",
            &["py", "pyi", "pyw", "bzl", "star", "pxd", "pyx", "smk", "wsgi"],
            &["python", "python2", "python3", "pypy", "pypy3", "uv"],
            HASH,
            ".",
            lang::python,
        )
    },
    Entry { files: &[".Rprofile"], ..code("r", &["r"], &["Rscript"], HASH, "::", lang::r) },
    lisp("racket", &["rkt", "rktl"], &["racket"], ".", lisp::SCHEME_SCANNER),
    code("razor", &["razor", "cshtml"], &[], ANGLE, ".", lang::razor),
    document("restructuredtext", &["rst"], DOTS, restructuredtext::SCANNER),
    document("roff", &["mdoc"], ROFF, roff::SCANNER),
    Entry {
        files: &[
            "Appraisals",
            "Berksfile",
            "Dangerfile",
            "Gemfile",
            "Rakefile",
            "Steepfile",
            "Thorfile",
            "Vagrantfile",
            "Podfile",
            "Guardfile",
            "Capfile",
            "Brewfile",
            "Fastfile",
        ],
        ..code(
            "ruby",
            &["rb", "rake", "gemspec", "ru", "rbi", "podspec", "builder", "jbuilder", "thor"],
            &["ruby", "jruby"],
            HASH,
            "::",
            lang::ruby,
        )
    },
    code("rust", &["rs"], &["rust-script"], SLASHES, "::", lang::rust),
    code("scala", &["scala", "sc", "sbt"], &["scala"], SLASHES, ".", lang::scala),
    lisp(
        "scheme",
        &["scm", "ss", "sld", "sls", "sps", "sch"],
        &["guile", "scheme"],
        ".",
        lisp::SCHEME_SCANNER,
    ),
    code("solidity", &["sol"], &[], SLASHES, ".", lang::solidity),
    code(
        "sql",
        &["sql", "ddl", "pgsql", "psql", "pkb", "pks", "pls", "plsql", "prc"],
        &[],
        CommentSyntax { line: "--", block: ("/*", "*/") },
        ".",
        lang::sql,
    ),
    lined(text("scss", &["scss"], &[], SLASHES), scss::SCANNER),
    code("svelte", &["svelte"], &[], ANGLE, ".", lang::html),
    text("svg", &["svg"], &[], ANGLE),
    code("swift", &["swift"], &["swift"], SLASHES, ".", lang::swift),
    code("terraform", &["tf", "tfvars", "hcl", "nomad", "tofu"], &[], HASH, ".", lang::terraform),
    document("texinfo", &["texi", "texinfo"], NONE, texinfo::SCANNER),
    Entry {
        files: &["Cargo.lock", "poetry.lock", "Pipfile", "uv.lock", "Gopkg.lock"],
        ..code("toml", &["toml"], &[], HASH, ".", lang::toml)
    },
    code("tsx", &["tsx"], &[], SLASHES, ".", lang::tsx),
    code("typescript", &["ts", "mts", "cts"], &["deno", "ts-node", "tsx"], SLASHES, ".", lang::typescript),
    lined(text("verilog", &["v", "sv", "svh", "vh", "svi"], &[], SLASHES), verilog::SCANNER),
    code("vhdl", &["vhd", "vhdl"], &[], DASHES, ".", lang::vhdl),
    text("vim", &["vim"], &[".vimrc"], CommentSyntax { line: "\"", block: ("", "") }),
    code("vue", &["vue"], &[], ANGLE, ".", lang::html),
    code(
        "xml",
        &[
            "xml",
            "xsd",
            "xsl",
            "xslt",
            "plist",
            "csproj",
            "fsproj",
            "vbproj",
            "props",
            "targets",
            "resx",
            "xaml",
            "pom",
            "axaml",
            "fxml",
            "launch",
            "nuspec",
            "slnx",
            "storyboard",
            "urdf",
            "vcxproj",
            "wsdl",
            "xib",
        ],
        &[],
        ANGLE,
        ".",
        lang::xml,
    ),
    Entry {
        files: &[".clang-format", ".clang-tidy", ".clangd", ".yamllint", "CITATION.cff"],
        ..code("yaml", &["yaml", "yml"], &[], HASH, ".", lang::yaml)
    },
    code("zig", &["zig", "zon"], &[], CommentSyntax { line: "//", block: ("", "") }, ".", lang::zig),
];

impl Language {
    /// Plain text, the language of every file that no other language matches.
    pub const TEXT: Self = Self(0);

    /// Returns all languages: plain text, then the others by name.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len()).filter_map(|at| u8::try_from(at).ok()).map(Self)
    }

    fn entry(self) -> &'static Entry {
        &LANGUAGES[usize::from(self.0)]
    }

    fn find(mut is: impl FnMut(&Entry) -> bool) -> Option<Self> {
        Self::all().find(|language| is(language.entry()))
    }

    /// Returns the language's name, in lower case.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the language with that name, another usual name (`c#`, `shell`) or that extension,
    /// in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let name = match lower.as_str() {
            "c#" | "csharp" => "c-sharp",
            "f#" => "fsharp",
            "golang" => "go",
            "jsonlines" => "json-lines",
            "node" => "javascript",
            "objc" | "objectivec" => "objective-c",
            "elisp" => "emacs-lisp",
            "lisp" => "common-lisp",
            "man" => "roff",
            "plain" | "plaintext" => "text",
            "proto" => "protobuf",
            "shell" => "bash",
            name => name,
        };
        Self::find(|entry| entry.name == name).or_else(|| Self::by_extension(name))
    }

    /// Returns the language of files with that extension, given without the dot and in any case.
    pub fn by_extension(extension: &str) -> Option<Self> {
        Self::find(|entry| entry.extensions.iter().any(|one| one.eq_ignore_ascii_case(extension)))
    }

    /// Returns the language of files with exactly that name.
    pub(super) fn by_file_name(name: &str) -> Option<Self> {
        Self::find(|entry| entry.files.contains(&name))
    }

    /// Returns the language that a program of that name runs.
    pub(super) fn by_interpreter(name: &str) -> Option<Self> {
        Self::find(|entry| entry.interpreters.contains(&name))
    }

    /// Returns the extensions of its files, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        self.entry().extensions
    }

    /// Returns its comment syntax.
    pub fn comments(self) -> CommentSyntax {
        self.entry().comment
    }

    /// Returns the start of a comment that reports omitted text: of a line comment, or else of a
    /// block comment.
    pub fn comment_prefix(self) -> &'static str {
        let CommentSyntax { line, block } = self.comments();
        if line.is_empty() { block.0 } else { line }
    }

    /// Returns the separator of the names in a symbol's path: `.`, `::` or ` > `.
    pub fn separator(self) -> &'static str {
        self.entry().separator
    }

    /// Returns whether members of the type around can be named without their object.
    #[cfg(test)]
    pub(crate) fn has_implicit_self(self) -> bool {
        (self.entry().table)().is_some_and(|table| table.values.has_implicit_self)
    }

    /// Returns whether indentation determines what a line belongs to.
    pub fn has_layout(self) -> bool {
        const LAYOUT: [&str; 6] = ["elm", "fsharp", "haskell", "nim", "python", "yaml"];
        LAYOUT.contains(&self.name())
    }

    /// Returns whether this build lacks the language's optional grammar. Its files are then cut
    /// into windows here, and other builds make other records of them.
    pub fn lacks_grammar(self) -> bool {
        lang::OPTIONAL.iter().any(|&(name, is_built)| name == self.name() && !is_built)
    }

    /// Returns its scanner, if it is read by lines and without a grammar.
    pub(super) fn scanner(self) -> Option<Scanner> {
        self.entry().scanner
    }

    /// Returns whether its files may be documents, one per line.
    pub(super) fn is_json_lines(self) -> bool {
        self.name() == "json-lines"
    }

    /// Returns whether its files are notebooks: JSON with cells in other languages.
    pub(super) fn is_notebook(self) -> bool {
        self.name() == "jupyter"
    }

    /// Returns the words of a piece of its files as a reader sees them, without the escapes of JSON
    /// or roff.
    ///
    /// The second value has the start of each part between escapes, in order: (byte in the result,
    /// byte in the piece). The first entry is the beginning.
    pub fn words(self, piece: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
        if self.is_json_lines() || self.is_notebook() {
            unescaped(piece)
        } else if self.name() == "roff" {
            roff_text::words(piece)
        } else {
            (Cow::Borrowed(piece), vec![(0, 0)])
        }
    }

    /// Returns its table; `None` if it has no grammar in this build.
    pub fn table(self) -> Option<&'static Table> {
        (self.entry().table)()
    }

    /// Returns whether names are the same in any case. Records have them in lower case then.
    pub fn folds_case(self) -> bool {
        self.table().is_some_and(|table| table.folds_case)
    }

    /// Returns its grammar; `None` for a language that is cut without one.
    pub fn grammar(self) -> Option<tree_sitter::Language> {
        self.table().map(|table| (table.grammar)())
    }

    /// Returns its table with the names resolved, once per process.
    pub(super) fn resolved(self) -> Option<&'static ResolvedTable> {
        static ALL: [OnceLock<ResolvedTable>; LANGUAGES.len()] = [const { OnceLock::new() }; LANGUAGES.len()];
        let table = self.table()?;
        ALL.get(usize::from(self.0))
            .map(|one| one.get_or_init(|| ResolvedTable::new(table, self.name(), self.separator())))
    }
}

/// Returns the grammar of the language with that name; `None` for an unknown language or one
/// without a grammar.
pub fn grammar(name: &str) -> Option<tree_sitter::Language> {
    Language::from_name(name)?.grammar()
}
