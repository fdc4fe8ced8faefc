//! S-expressions: what defines and what does not, and forms that are broken.

use super::declarations::check;
use super::*;

fn names(name: &str, text: &str) -> Vec<String> {
    let file = chunk(language(name), text, &ChunkOptions::default());
    assert_eq!(file.method, Method::Syntax, "{text}");
    file.declarations.into_iter().map(|one| one.name).collect()
}

#[test]
fn a_broken_form_ends_at_the_next_one_at_the_first_column() {
    for (name, text, expected) in [
        ("clojure", "(defn a [x\n  (b x)\n\n(defn c [] 1)\n", &["a", "c"][..]),
        ("clojure", "(defn a [x] (b \"c))\n\n(defn d [] \"e\")\n(defn f [])\n", &["a", "d", "f"]),
        ("clojure", "(defn a []))\n(defn b [])\n", &["a", "b"]),
        ("emacs-lisp", "(defun a ()\n  (let ((b 1)\n\n(defun c ())\n", &["a", "c"]),
        ("common-lisp", "(defun a ()\n #| b\n(defun c ())\n", &["a", "c"]),
        ("scheme", "(define (a)\n  (b [c)\n\n(define d 1)\n", &["a", "d"]),
    ] {
        assert_eq!(names(name, text), expected, "{text}");
    }
}

#[test]
fn what_is_no_code_defines_nothing() {
    for (name, text, expected) in [
        ("clojure", "(def a \\() #_(def b 1) ; (def c)\n(def d #\"(def e\")\n'(def f 1)\n", &["a", "d"][..]),
        (
            "emacs-lisp",
            "(defvar a ?\\() (defvar b ?() (defvar c ?\")\n(defvar d \"x\n(defvar e 1)\")\n",
            &["a", "b", "c", "d"],
        ),
        ("common-lisp", "(defvar a #\\() (defvar b '|(|) #|(defvar c)|#\n(defvar d 1)\n", &["a", "b", "d"]),
        ("racket", "#;(define a 1)\n(define b #\\()\n(define c #<<X\n(define d 1)\nX\n  )\n", &["b", "c"]),
        ("scheme", "(begin (define a 1) (if b (define c 2)))\n(define (d) (define e 1) e)\n", &["a", "d"]),
    ] {
        assert_eq!(names(name, text), expected, "{text}");
    }
}

#[test]
fn a_file_of_data_is_cut_into_windows() {
    let file = chunk(language("clojure"), "{:a 1\n :b [2 3]}\n", &ChunkOptions::default());
    assert_eq!(file.method, Method::Windows);
}

#[test]
fn names_may_begin_with_marks() {
    check(&[
        ("scheme", "(define (%add x) x)\n(define &error 1)\n", &["function %add", "variable &error"]),
        ("racket", "(define (&a x) x)\n", &["function &a"]),
        ("common-lisp", "(defun %add (a &optional b) a)\n", &["function %add"]),
        ("emacs-lisp", "(defun %add (a &rest b) a)\n", &["function %add"]),
        ("clojure", "(def %a 1)\n(def %1 2)\n", &["variable %a"]),
    ]);
}

#[test]
fn a_macro_that_declares_may_have_a_list_for_a_name() {
    check(&[
        ("scheme", "(define-thing (add x) x)\n", &["function add"]),
        ("racket", "(define/own (add x) x)\n", &["function add"]),
        ("common-lisp", "(define-route (shown :get) (id) id)\n", &["function shown"]),
    ]);
}

#[test]
fn a_pattern_declares_its_names() {
    check(&[
        ("racket", "(define-values (a b) (values 1 2))\n", &["variable a", "variable b"]),
        (
            "racket",
            "(match-define (cons a (list b _)) c)\n(match-define (struct point (x y)) p)\n",
            &["variable a", "variable b", "variable x", "variable y"],
        ),
        ("racket", "(match-define-values ((cons a b) c) (f))\n", &["variable a", "variable b", "variable c"]),
        (
            "racket",
            "(define-serializable-struct line (item n))\n(define-syntax-parser each [(_ a) #'a])\n",
            &["struct line", "field line.item", "field line.n", "macro each"],
        ),
    ]);
}

#[test]
fn methods_of_a_type_of_clojure_are_its_members() {
    check(&[
        (
            "clojure",
            "(deftype Box [n]\n  Shape\n  (area [this] n)\n  #?@(:cljs [Object (toString [_] \"b\")])\n  (size ([_] 1) ([_ a] a)))\n",
            &["struct Box", "method Box/area", "method Box/toString", "method Box/size"],
        ),
        (
            "clojure",
            "(extend-type js/Date Shape (area [this] 1))\n(extend-protocol Shape\n  String\n  (area [s] 1)\n  Long (area [n] n))\n",
            &["method Date/area", "method String/area", "method Long/area"],
        ),
        (
            "clojure",
            "(def one (reify Shape (area [_] 1)))\n(defn make [] (reify Shape (area [_] 2)))\n",
            &["variable one", "method one/area", "function make"],
        ),
    ]);
}

#[test]
fn every_branch_of_a_reader_conditional_counts() {
    check(&[(
        "clojure",
        "#?(:clj (defn a [] 1) :cljs (do (def b 2)))\n#?@(:clj [(def c 3) (def d 4)])\n[(def e 5)]\n",
        &["function a", "variable b", "variable c", "variable d"],
    )]);
    let text = "(ns a #?(:clj (:require [b.c :as c]) :cljs (:require [d.e :as e])))\n";
    let file = chunk(language("clojure"), text, &ChunkOptions::default());
    let imports: Vec<&str> = file.references.iter().map(|one| one.qualifier.as_str()).collect();
    assert_eq!(imports, ["b.c", "d.e"]);
}

#[test]
fn what_sets_a_place_is_another_function() {
    check(&[(
        "common-lisp",
        "(defun x (a) a)\n(defun (setf x) (v a) v)\n(defclass c () ((n :writer set-n)))\n",
        &["function x", "function (setf x)", "class c", "field c:n", "method c:set-n"],
    )]);
}

#[test]
fn forms_of_emacs_declare() {
    check(&[(
        "emacs-lisp",
        "(defvar elsewhere)\n(defvar here nil)\n(define-fringe-bitmap 'dot [1])\n(define-button-type 'link 'a 1)\n\
             (define-obsolete-face-alias 'old 'new \"1\")\n(easy-menu-define menu nil \"Menu.\" '())\n",
        &["variable here", "variable dot", "variable link", "variable old", "variable menu"],
    )]);
}

#[test]
fn functions_in_a_function_belong_to_it() {
    check(&[
        (
            "racket",
            "(define (area r)\n  (define n 2)\n  (define (half x) (/ x n))\n  (let* ([y 1])\n    (define twice (lambda (z) (define (deep) z) z)))\n  (if r (define (no) 1) 2)\n  (half r))\n(define last 1)\n",
            &[
                "function area",
                "function area.half",
                "function area.twice",
                "function area.twice.deep",
                "variable last",
            ],
        ),
        (
            "scheme",
            "(define f\n  (lambda (x)\n    (define (g y) y)\n    (g x)))\n",
            &["function f", "function f.g"],
        ),
        ("emacs-lisp", "(defun a ()\n  (defun b () 1)\n  (defvar c 1))\n", &["function a", "function a.b"]),
        (
            "scheme",
            "(cond-expand (guile (define a 1)) ((and chicken x) (define (b) 2)) (else (define c 3)))\n",
            &["variable a", "function b", "variable c"],
        ),
    ]);
    let text = "(define (area r)\n  (define (half x) (if x (half #f) r))\n  (half r))\n";
    let file = chunk(language("racket"), text, &ChunkOptions::default());
    let calls = file.references.iter().filter(|one| one.kind == ReferenceKind::Call);
    let names: Vec<&str> = calls.map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["half"]);
}

#[test]
fn a_class_of_racket_has_members() {
    check(&[
        (
            "racket",
            "(define shape%\n  (class object%\n    (super-new)\n    (init-field name [size 1])\n    (field [count 0])\n    (define/public (draw dc) (define (inner) 1) (inner))\n    (define/private secret (lambda () 1))\n    (define (own) 1)\n    (define more 2)))\n",
            &[
                "class shape%",
                "field shape%.name",
                "field shape%.size",
                "field shape%.count",
                "method shape%.draw",
                "function shape%.draw.inner",
                "method shape%.secret",
                "method shape%.own",
                "field shape%.more",
            ],
        ),
        (
            "racket",
            "(define drawable<%> (interface () draw))\n(define-generics shown (show shown) (hide shown))\n(define m (mixin () () (define/override (f) 1)))\n",
            &[
                "interface drawable<%>",
                "interface shown",
                "method shown.show",
                "method shown.hide",
                "class m",
                "method m.f",
            ],
        ),
    ]);
}

#[test]
fn tests_are_named_by_strings() {
    check(&[
        (
            "racket",
            "(module+ test\n  (test-suite \"all\"\n    (test-case \"adds\" (check-equal? 1 1)))\n  (test-case \"alone\" 1))\n",
            &["module test", "test all", "test all.adds", "test alone"],
        ),
        (
            "emacs-lisp",
            "(describe \"A shop\"\n  (it \"opens\" (expect t))\n  (describe \"closed\" (it \"is quiet\" 1)))\n(describe 'x)\n",
            &["test A shop", "test A shop.opens", "test A shop.closed", "test A shop.closed.is quiet"],
        ),
        ("emacs-lisp", "(use-package magit :config (defun opened () 1))\n", &["function opened"]),
    ]);
}
