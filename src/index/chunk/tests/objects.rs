//! Tests of the members of JavaScript's objects, and of functions and classes that are values.

use super::declarations::check;

#[test]
fn assigned_members_belong_to_their_object() {
    for language in ["javascript", "typescript"] {
        check(&[
            (language, "Router.prototype.use = function use(fn) {}\n", &["method Router.use"]),
            (
                language,
                "Other.prototype = { stop() {},\n go: function () {\n } }\n",
                &["implementation Other", "method Other.stop", "method Other.go"],
            ),
            (language, "app.init = function init() {}\n", &["method app.init"]),
            (language, "$.fn.plugin = function () {}\n", &["method $.fn.plugin"]),
            (
                language,
                "exports.a = function () {}\nmodule.exports.b = () => 1\n",
                &["function a", "function b"],
            ),
            (
                language,
                "module.exports.util.c = () => 1\nwindow.d = () => 1\n",
                &["method util.c", "function d"],
            ),
            (
                language,
                "function f(req) {\n  req.get = function () {}\n}\n",
                &["function f", "function f.get"],
            ),
            (
                language,
                "const Shop = define((it) => {\n  it.open = () => 1\n})\n",
                &["constant Shop", "function Shop.open"],
            ),
            (language, "var proto = module.exports = function () {}\n", &["function proto"]),
            (language, "module.exports = function () {}\n", &["function exports"]),
            (language, "var a = exports.b = function () {}\n", &["function a", "function b"]),
        ]);
    }
}

#[test]
fn objects_in_objects_own_their_methods() {
    for language in ["javascript", "typescript"] {
        check(&[
            (
                language,
                "const resolvers = { Query: { user(p) {} }, Mutation: { user(p) {} }, max: { n: 1 } }\n",
                &[
                    "constant resolvers",
                    "field resolvers.Query",
                    "method resolvers.Query.user",
                    "field resolvers.Mutation",
                    "method resolvers.Mutation.user",
                ],
            ),
            (
                language,
                "export default { mutations: { load(state) {} }, actions: { load() {} } }\n",
                &["field mutations", "method mutations.load", "field actions", "method actions.load"],
            ),
            (
                language,
                "const a = {\n  late: debounce(function () {\n  }, 5),\n  names: list.map(x =>\n x),\n}\n",
                &["constant a", "method a.late"],
            ),
        ]);
    }
}

#[test]
fn values_are_called_after_themselves() {
    for language in ["javascript", "typescript"] {
        check(&[
            (
                language,
                "getter(req, 'protocol', function protocol() {\n  return 1\n})\n",
                &["function protocol"],
            ),
            (
                language,
                "customElements.define('my-el', class MyEl extends HTMLElement { go() {} })\n",
                &["class MyEl", "method MyEl.go"],
            ),
            (language, "const A = class B { go() {} }\n", &["class A", "method A.go"]),
            (language, "export default function () {}\n", &["function default"]),
            (language, "export default async () => {}\n", &["function default"]),
            (
                language,
                "export default (o, c) => {\n  const proto = c.prototype\n  proto.tz = function () {}\n}\n",
                &["method proto.tz"],
            ),
            (
                language,
                "export default class extends A { go() {} }\n",
                &["class default", "method default.go"],
            ),
            (language, "list.map(x => x)\nlist.map(function f(x) { return x })\n", &[]),
        ]);
    }
}

#[test]
fn classes_have_constants_symbols_and_wrapped_methods() {
    check(&[
        (
            "javascript",
            "class A {\n  [Symbol.iterator]() {}\n  [name]() {}\n  static MAX = 10\n  static count = 1\n  late = debounce(() => {\n  })\n}\n",
            &["class A", "method A.[Symbol.iterator]", "constant A.MAX", "method A.late"],
        ),
        (
            "typescript",
            "class A {\n  static readonly max = 10\n  private static readonly Min: number = 1\n  readonly id = 1\n  static n = 1\n}\n",
            &["class A", "constant A.max", "constant A.Min"],
        ),
    ]);
}
