//! S-expressions that are broken, or hold what looks like a definition.

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
