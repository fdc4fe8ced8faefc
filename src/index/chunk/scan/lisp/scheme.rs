//! Scheme and Racket, as data: the words that declare, those that bind names, and those of the
//! language.

use super::dialect::{Binder, Define, DefineForm, Dialect, DialectKind, define};
use super::lexer::Syntax;
use crate::index::chunk::DeclarationKind as K;

const SCHEME_DEFINES: &[Define] = &[
    define(
        K::Function,
        DefineForm::Function,
        &["define", "define*", "define-public", "define/contract", "define-inline", "define*-public"],
    ),
    define(
        K::Macro,
        DefineForm::Function,
        &[
            "define-syntax",
            "define-syntax-rule",
            "define-macro",
            "define-syntax-parameter",
            "define-simple-macro",
            "define-syntax-parse-rule",
            "define-syntax-parser",
            "defmacro",
        ],
    ),
    define(
        K::Struct,
        DefineForm::Struct,
        &[
            "struct",
            "define-struct",
            "struct/contract",
            "define-struct/contract",
            "define-serializable-struct",
        ],
    ),
    define(
        K::Variable,
        DefineForm::Names,
        &["define-values", "match-define", "match-define-values", "define-match"],
    ),
    define(K::Macro, DefineForm::Names, &["define-syntaxes"]),
    define(K::Struct, DefineForm::RecordType, &["define-record-type"]),
    define(
        K::Module,
        DefineForm::Module,
        &["define-module", "library", "define-library", "module", "module*", "module+"],
    ),
    define(
        K::Method,
        DefineForm::Function,
        &[
            "define/augment",
            "define/augride",
            "define/override",
            "define/override-final",
            "define/overment",
            "define/private",
            "define/public",
            "define/public-final",
            "define/pubment",
        ],
    ),
    define(K::Interface, DefineForm::Protocol, &["define-generics"]),
    define(K::Test, DefineForm::Value, &["define-test"]),
    define(K::Test, DefineForm::Quoted, &["test-case", "test-group", "test-suite"]),
    define(K::Variable, DefineForm::Value, &["define-parameter"]),
];

const SCHEME_BINDERS: &[(&[&str], Binder)] = &[
    (
        &[
            "let",
            "let*",
            "letrec",
            "letrec*",
            "let-values",
            "let*-values",
            "letrec-values",
            "let-syntax",
            "letrec-syntax",
            "do",
            "for",
            "for*",
            "for/list",
            "for*/list",
            "for/fold",
            "for/vector",
            "for/hash",
            "for/and",
            "for/or",
            "for/sum",
            "for/first",
            "for/last",
            "for/set",
            "for*/fold",
            "with-syntax",
            "and-let*",
            "receive",
            "let/ec",
        ],
        Binder::Let,
    ),
    (&["lambda", "λ", "case-lambda", "named-lambda", "lambda*"], Binder::Lambda),
    (&["cond", "guard"], Binder::Clauses),
    (&["case", "match", "match*", "syntax-case", "syntax-parse", "case/eq"], Binder::Cases(2)),
    (
        &["syntax-rules", "require", "provide", "import", "export", "use-modules", "only-in", "all-from-out"],
        Binder::Nothing,
    ),
];

const SCHEME_TRANSPARENT: &[&str] = &[
    "begin",
    "library",
    "define-library",
    "module",
    "module*",
    "module+",
    "begin-for-syntax",
    "let",
    "let*",
    "letrec",
    "letrec*",
    "when",
    "unless",
    "cond-expand",
];

const SCHEME_WORDS: &[&str] = &[
    "and",
    "begin",
    "delay",
    "else",
    "if",
    "not",
    "or",
    "parameterize",
    "quasiquote",
    "quote",
    "set!",
    "syntax",
    "unless",
    "unquote",
    "values",
    "when",
];

const SCHEME_SYNTAX: Syntax = Syntax {
    has_braces: true,
    has_block_comments: true,
    has_bars: true,
    discard: "#;",
    is_clojure: false,
    has_question_marks: false,
    has_conditions: false,
};

/// Scheme and Racket.
pub(super) static SCHEME: Dialect = Dialect {
    kind: DialectKind::Scheme,
    syntax: SCHEME_SYNTAX,
    defines: SCHEME_DEFINES,
    binders: SCHEME_BINDERS,
    transparent: SCHEME_TRANSPARENT,
    words: SCHEME_WORDS,
};
