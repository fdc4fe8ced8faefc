//! The dialects of Lisp, as data: how each writes what is not a list, which words declare, which
//! bind names, and which are part of the language.

use super::lexer::Syntax;
use crate::index::chunk::DeclarationKind as K;

/// A dialect.
#[derive(Debug)]
pub(super) struct Dialect {
    pub(super) kind: DialectKind,
    pub(super) syntax: Syntax,
    pub(super) defines: &'static [Define],
    pub(super) binders: &'static [(&'static [&'static str], Binder)],
    /// Words of lists whose forms are at the top, too.
    pub(super) transparent: &'static [&'static str],
    /// Words of the language, which are not calls.
    pub(super) words: &'static [&'static str],
}

/// Which dialect it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DialectKind {
    Clojure,
    CommonLisp,
    EmacsLisp,
    /// Scheme and Racket.
    Scheme,
}

/// Words that declare something of a kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Define {
    pub(super) words: &'static [&'static str],
    pub(super) kind: K,
    pub(super) form: DefineForm,
}

/// What follows the name in a list that declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DefineForm {
    /// Parameters and a body.
    Function,
    /// A value.
    Value,
    /// Methods: `(area [shape])`.
    Protocol,
    /// Fields, and types with their methods.
    Record,
    /// Supertypes and slots, as in `defclass`.
    Class,
    /// Slots, as in `defstruct`; the name may be in a list with a supertype.
    Struct,
    /// A name, and functions for it: `define-record-type`.
    RecordType,
    /// A pattern with several names, and a value.
    Names,
    /// A string, which names a test, and a body.
    Quoted,
    /// Imports and exports.
    Module,
}

/// Which children of a list bind names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binder {
    /// `(let ((a 1) b) …)`.
    Let,
    /// `(let [a 1 b 2] …)`.
    LetVector,
    /// `(lambda (a b) …)`, and `(fn [a b] …)` or `(fn ([a] …) ([a b] …))`.
    Lambda,
    /// `(dolist (a list) …)`.
    Each,
    /// `(flet ((f (a) …)) …)`, `(letfn [(f [a] …)] …)`.
    Functions,
    /// `(cond (test …) …)`.
    Clauses,
    /// `(case value (data …) …)`: clauses from here on.
    Cases(u32),
    /// `(handler-case value (type (name) …) …)`.
    Handlers,
    /// `(reify P (m [this] …))`.
    Methods,
    /// `(loop for a in list …)`.
    Loop,
    /// Nothing in it is code.
    Nothing,
}

pub(super) const fn define(kind: K, form: DefineForm, words: &'static [&'static str]) -> Define {
    Define { words, kind, form }
}

/// Clojure and ClojureScript.
pub(super) static CLOJURE: Dialect = Dialect {
    kind: DialectKind::Clojure,
    syntax: Syntax {
        has_braces: true,
        has_block_comments: false,
        has_bars: false,
        discard: "#_",
        is_clojure: true,
        has_question_marks: false,
        has_conditions: false,
    },
    defines: &[
        define(K::Function, DefineForm::Function, &["defn", "defn-", "definline", "defmulti"]),
        define(K::Macro, DefineForm::Function, &["defmacro"]),
        define(K::Method, DefineForm::Function, &["defmethod"]),
        define(K::Variable, DefineForm::Value, &["def", "defonce"]),
        define(K::Interface, DefineForm::Protocol, &["defprotocol", "definterface"]),
        define(K::Struct, DefineForm::Record, &["defrecord", "deftype"]),
        define(K::Test, DefineForm::Value, &["deftest", "defspec"]),
        define(K::Module, DefineForm::Module, &["ns"]),
    ],
    binders: &[
        (
            &[
                "let",
                "loop",
                "for",
                "doseq",
                "when-let",
                "if-let",
                "when-some",
                "if-some",
                "with-open",
                "dotimes",
                "let*",
                "loop*",
                "when-first",
                "go-loop",
            ],
            Binder::LetVector,
        ),
        (&["fn", "fn*", "bound-fn"], Binder::Lambda),
        (&["letfn"], Binder::Functions),
        (
            &["reify", "proxy", "extend-type", "extend-protocol", "extend", "specify", "specify!"],
            Binder::Methods,
        ),
        (&["declare", "in-ns", "require", "use", "import", "refer", "refer-clojure"], Binder::Nothing),
    ],
    transparent: &["do", "comment", "when", "if", "when-not", "let", "binding"],
    words: &[
        "->",
        "->>",
        "and",
        "as->",
        "case",
        "catch",
        "comment",
        "cond",
        "cond->",
        "cond->>",
        "condp",
        "do",
        "finally",
        "if",
        "if-not",
        "monitor-enter",
        "monitor-exit",
        "new",
        "not",
        "or",
        "quote",
        "recur",
        "set!",
        "some->",
        "some->>",
        "throw",
        "try",
        "var",
        "when",
        "when-not",
        "while",
    ],
};

/// Emacs Lisp.
pub(super) static EMACS_LISP: Dialect = Dialect {
    kind: DialectKind::EmacsLisp,
    syntax: Syntax {
        has_braces: false,
        has_block_comments: false,
        has_bars: false,
        discard: "",
        is_clojure: false,
        has_question_marks: true,
        has_conditions: false,
    },
    defines: &[
        define(
            K::Function,
            DefineForm::Function,
            &[
                "defun",
                "defsubst",
                "cl-defun",
                "cl-defsubst",
                "cl-defgeneric",
                "defgeneric",
                "define-inline",
                "defadvice",
                "cl-iter-defun",
                "iter-defun",
                "transient-define-prefix",
                "transient-define-suffix",
                "transient-define-infix",
                "transient-define-argument",
                "transient-define-group",
                "define-advice",
                "define-skeleton",
                "gv-define-setter",
                "gv-define-simple-setter",
            ],
        ),
        define(K::Macro, DefineForm::Function, &["defmacro", "cl-defmacro"]),
        define(K::Method, DefineForm::Function, &["cl-defmethod", "defmethod"]),
        define(
            K::Function,
            DefineForm::Value,
            &[
                "define-minor-mode",
                "define-globalized-minor-mode",
                "define-global-minor-mode",
                "define-derived-mode",
                "define-generic-mode",
                "define-compilation-mode",
                "defalias",
                "define-obsolete-function-alias",
            ],
        ),
        define(
            K::Variable,
            DefineForm::Value,
            &[
                "defvar",
                "defvar-local",
                "defcustom",
                "defface",
                "defgroup",
                "defvar-keymap",
                "defvaralias",
                "define-obsolete-variable-alias",
                "define-error",
                "define-widget",
                "define-obsolete-face-alias",
                "define-fringe-bitmap",
                "define-button-type",
                "easy-menu-define",
            ],
        ),
        define(K::Constant, DefineForm::Value, &["defconst"]),
        define(K::Struct, DefineForm::Struct, &["cl-defstruct", "defstruct"]),
        define(K::Class, DefineForm::Class, &["defclass"]),
        define(K::Test, DefineForm::Value, &["ert-deftest"]),
        define(K::Test, DefineForm::Quoted, &["describe", "it", "xdescribe", "xit"]),
        define(K::Module, DefineForm::Module, &["provide"]),
    ],
    binders: &[
        (
            &[
                "let",
                "let*",
                "when-let",
                "when-let*",
                "if-let",
                "if-let*",
                "and-let*",
                "dlet",
                "pcase-let",
                "pcase-let*",
                "named-let",
                "cl-symbol-macrolet",
                "-let",
                "-let*",
                "cl-do",
                "cl-do*",
                "while-let",
                "letrec",
            ],
            Binder::Let,
        ),
        (&["lambda", "cl-function"], Binder::Lambda),
        (
            &[
                "dolist",
                "dotimes",
                "cl-dolist",
                "cl-dotimes",
                "pcase-dolist",
                "dolist-with-progress-reporter",
            ],
            Binder::Each,
        ),
        (&["cl-flet", "cl-flet*", "cl-labels", "flet", "labels", "cl-macrolet"], Binder::Functions),
        (&["cond"], Binder::Clauses),
        (
            &["pcase", "pcase-exhaustive", "cl-case", "cl-ecase", "cl-typecase", "cl-etypecase"],
            Binder::Cases(2),
        ),
        (&["condition-case", "condition-case-unless-debug"], Binder::Cases(3)),
        (&["cl-loop"], Binder::Loop),
        (&["declare", "require", "declare-function"], Binder::Nothing),
    ],
    transparent: &[
        "progn",
        "eval-and-compile",
        "eval-when-compile",
        "with-eval-after-load",
        "use-package",
        "when",
        "unless",
        "if",
        "let",
        "with-no-warnings",
    ],
    words: &[
        "and",
        "catch",
        "defvar",
        "function",
        "if",
        "interactive",
        "not",
        "or",
        "prog1",
        "prog2",
        "progn",
        "quote",
        "save-excursion",
        "save-match-data",
        "save-restriction",
        "setq",
        "setq-local",
        "throw",
        "unless",
        "unwind-protect",
        "when",
        "while",
        "provide",
        "cl-incf",
        "cl-decf",
        "setf",
    ],
};

/// Common Lisp.
pub(super) static COMMON_LISP: Dialect = Dialect {
    kind: DialectKind::CommonLisp,
    syntax: Syntax {
        has_braces: false,
        has_block_comments: true,
        has_bars: true,
        discard: "",
        is_clojure: false,
        has_question_marks: false,
        has_conditions: true,
    },
    defines: &[
        define(
            K::Function,
            DefineForm::Function,
            &["defun", "defgeneric", "defsetf", "define-setf-expander"],
        ),
        define(
            K::Macro,
            DefineForm::Function,
            &["defmacro", "define-compiler-macro", "define-modify-macro", "define-symbol-macro"],
        ),
        define(K::Method, DefineForm::Function, &["defmethod"]),
        define(K::Variable, DefineForm::Value, &["defvar", "defparameter", "defglobal"]),
        define(K::Constant, DefineForm::Value, &["defconstant", "define-constant"]),
        define(K::Class, DefineForm::Class, &["defclass", "define-condition"]),
        define(K::Struct, DefineForm::Struct, &["defstruct"]),
        define(K::Type, DefineForm::Function, &["deftype"]),
        define(K::Module, DefineForm::Module, &["defpackage", "define-package", "defsystem"]),
        define(K::Test, DefineForm::Value, &["deftest", "test", "define-test"]),
    ],
    binders: &[
        (
            &[
                "let",
                "let*",
                "do",
                "do*",
                "prog",
                "prog*",
                "symbol-macrolet",
                "with-accessors",
                "when-let",
                "if-let",
                "when-let*",
            ],
            Binder::Let,
        ),
        (
            &["lambda", "multiple-value-bind", "destructuring-bind", "with-slots", "with-gensyms"],
            Binder::Lambda,
        ),
        (
            &[
                "dolist",
                "dotimes",
                "with-open-file",
                "with-open-stream",
                "with-output-to-string",
                "with-input-from-string",
                "do-symbols",
            ],
            Binder::Each,
        ),
        (&["flet", "labels", "macrolet"], Binder::Functions),
        (&["cond"], Binder::Clauses),
        (&["case", "ecase", "ccase", "typecase", "etypecase", "ctypecase"], Binder::Cases(2)),
        (&["handler-case", "restart-case"], Binder::Handlers),
        (&["loop"], Binder::Loop),
        (&["declare", "declaim", "in-package", "export", "import", "use-package"], Binder::Nothing),
    ],
    transparent: &["progn", "eval-when", "locally", "let", "macrolet"],
    words: &[
        "and",
        "block",
        "function",
        "go",
        "if",
        "multiple-value-prog1",
        "not",
        "or",
        "prog1",
        "progn",
        "quote",
        "return",
        "return-from",
        "setf",
        "setq",
        "tagbody",
        "the",
        "unless",
        "unwind-protect",
        "values",
        "when",
    ],
};

/// Words between the parameters of a function.
const PARAMETER_WORDS: [&str; 9] = [
    "&allow-other-keys",
    "&aux",
    "&body",
    "&context",
    "&environment",
    "&key",
    "&optional",
    "&rest",
    "&whole",
];

impl Dialect {
    /// Returns how a list that begins with a word declares something. An unknown word that begins
    /// with `def` declares something too: macros do so in every dialect.
    pub(super) fn define(&self, word: &str) -> Option<Define> {
        let plain = word.rsplit(['/', ':']).next().filter(|plain| !plain.is_empty()).unwrap_or(word);
        let word = if self.kind == DialectKind::Scheme { word } else { plain };
        let known = self.defines.iter().find(|one| one.words.contains(&word)).copied();
        known.or_else(|| is_defining(word).then_some(define(K::Variable, DefineForm::Function, &[])))
    }

    /// Returns whether a symbol is a keyword, a constant of the language, or part of a list of
    /// parameters.
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        let is_parameter = match self.kind {
            DialectKind::Clojure => {
                let number = word.strip_prefix('%');
                number.is_some_and(|rest| rest == "&" || rest.bytes().all(|byte| byte.is_ascii_digit()))
                    || matches!(word, "&" | "&form" | "&env")
            }
            DialectKind::CommonLisp | DialectKind::EmacsLisp => {
                PARAMETER_WORDS.iter().any(|one| one.eq_ignore_ascii_case(word))
            }
            DialectKind::Scheme => false,
        };
        is_parameter
            || word.starts_with([':', '.'])
            || matches!(word, "nil" | "t" | "true" | "false" | "_" | "else" | "=>" | "...")
    }

    /// Returns how a list that begins with a word binds names.
    pub(super) fn binder(&self, word: &str) -> Option<Binder> {
        let found = self.binders.iter().find(|(words, _)| words.contains(&word));
        found.map(|(_, binder)| *binder)
    }

    /// Returns whether a word is part of the language.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.words.contains(&word)
            || self.transparent.contains(&word)
            || self.binder(word).is_some()
            || self.defines.iter().any(|one| one.words.contains(&word))
    }
}

/// Returns whether a word is that of a macro that declares: `defroutes`, `define-thing`.
fn is_defining(word: &str) -> bool {
    const OTHERS: [&str; 6] = ["default", "defer", "defined", "definition", "define-key", "defvaralias"];
    word.starts_with("def") && word.len() > 3 && !OTHERS.iter().any(|other| word.starts_with(other))
}
