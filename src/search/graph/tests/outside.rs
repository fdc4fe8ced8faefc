//! Names that a file can't see, and objects whose types come from outside the repository.

use super::check;

#[test]
fn what_a_go_type_from_outside_has_is_from_outside() {
    let tree = "package tree\n\ntype Node struct{}\n\nfunc (n *Node) Get(key string) string { return key }\n\n\
                func (n *Node) Close() error { return nil }\n\ntype Handler struct{}\n\n\
                func (h *Handler) Serve() {}\n";
    check(
        &[
            ("go.mod", "module shop\n"),
            ("tree/tree.go", tree),
            (
                "web/web.go",
                "package web\n\nimport (\n\t\"net/http\"\n\t\"sync/atomic\"\n\n\t\"shop/tree\"\n)\n\n\
                 var last atomic.Pointer[tree.Node]\n\n\
                 func Serve(r *http.Request, next http.Handler, own *tree.Node, any Unknown) {\n\
                 \tr.Header.Get(\"a\")\n\tnext.Serve()\n\tres := http.Open()\n\tres.Body.Close()\n}\n\n\
                 func Load() {\n\tlast.Load().Close()\n}\n",
            ),
            (
                "own/own.go",
                "package own\n\nimport \"shop/tree\"\n\nfunc Use(n *tree.Node) {\n\tn.Close()\n}\n",
            ),
        ],
        &[
            ("web/web.go", "Get", &[]),
            ("web/web.go", "Serve", &[]),
            ("web/web.go", "Close", &["tree/tree.go Node.Close (only candidate)"]),
            ("own/own.go", "Close", &["tree/tree.go Node.Close (declared type)"]),
        ],
    );
}

#[test]
fn what_a_member_of_a_type_from_outside_has_is_from_outside() {
    check(
        &[
            (
                "src/context.ts",
                "import { Page } from '@play/test'\nimport type { Part } from 'lib/part'\n\
                 export interface Context {\n  page: Page\n  own: Proxy\n  part: Part\n}\n\
                 export class Proxy {\n  evaluate(text: string) { return this.send(text) }\n  look(n: number) { return n }\n}\n",
            ),
            (
                "src/use.ts",
                "import { Context } from './context'\nexport function run(context: Context) {\n  context.page.evaluate('x')\n}\n",
            ),
            (
                "src/own.ts",
                "import { Context } from './context'\nexport function run(context: Context) {\n  context.own.evaluate('x')\n}\n",
            ),
            (
                // Settings may say that `lib` is a folder.
                "src/part.ts",
                "import { Context } from './context'\nexport function run(context: Context) {\n  context.part.look(1)\n}\n",
            ),
            (
                "app/base.py",
                "from driver import Browser\n\nclass Base:\n    browser: Browser\n    own: \"Own\"\n\nclass Own:\n    def visit(self, url):\n        return url\n",
            ),
            (
                "app/use.py",
                "from app.base import Base\n\ndef run(base: Base):\n    base.browser.visit('x')\n    base.browser.pages().visit('x')\n",
            ),
        ],
        &[
            ("src/use.ts", "evaluate", &[]),
            ("src/own.ts", "evaluate", &["src/context.ts Proxy.evaluate (declared type)"]),
            ("src/part.ts", "look", &["src/context.ts Proxy.look (only candidate)"]),
            // What a call returns may have a type of this repository.
            ("app/use.py", "visit", &["app/base.py Own.visit (only candidate)"]),
        ],
    );
}

#[test]
fn a_go_package_may_be_called_like_a_version() {
    let package = |n| format!("package v{n}\n\nfunc Make() int {{ return {n} }}\n");
    let (first, second) = (package(1), package(2));
    check(
        &[
            ("go.mod", "module example.org/shop/v5\n"),
            ("view/v1/view.go", &first),
            ("view/v2/view.go", &second),
            (
                "main.go",
                "package main\n\nimport \"example.org/shop/v5/view/v2\"\n\nfunc main() {\n\tv2.Make()\n}\n",
            ),
        ],
        &[("main.go", "Make", &["view/v2/view.go Make (import)"])],
    );
}

#[test]
fn a_nested_type_is_imported_behind_its_type() {
    check(
        &[
            ("src/main/java/org/shop/Tag.java", "package org.shop;\npublic class Tag {}\n"),
            (
                "src/main/java/org/shop/Token.java",
                "package org.shop;\nclass Token {\n  static class Tag extends Token {}\n  Tag own;\n}\n",
            ),
            (
                "src/main/java/org/web/Page.java",
                "package org.web;\nimport org.shop.Tag;\nclass Page {\n  Tag tag;\n}\n",
            ),
            (
                "src/main/java/org/web/All.java",
                "package org.web;\nimport org.shop.*;\nclass All {\n  Tag tag;\n}\n",
            ),
            ("src/main/java/org/shop/Near.java", "package org.shop;\nclass Near {\n  Tag tag;\n}\n"),
            (
                "src/main/java/org/web/Inner.java",
                "package org.web;\nimport org.shop.Token.Tag;\nclass Inner {\n  Tag tag;\n}\n",
            ),
        ],
        &[
            ("src/main/java/org/web/Page.java", "Tag", &["src/main/java/org/shop/Tag.java Tag (import)"]),
            ("src/main/java/org/web/All.java", "Tag", &["src/main/java/org/shop/Tag.java Tag (import)"]),
            (
                "src/main/java/org/shop/Near.java",
                "Tag",
                &["src/main/java/org/shop/Tag.java Tag (same package)"],
            ),
            (
                "src/main/java/org/web/Inner.java",
                "Tag",
                &["src/main/java/org/shop/Token.java Token.Tag (import)"],
            ),
        ],
    );
}

#[test]
fn a_type_of_java_may_be_named_with_its_package() {
    check(
        &[
            ("src/main/java/org/shop/Document.java", "package org.shop;\npublic class Document {}\n"),
            ("src/main/java/org/bank/Document.java", "package org.bank;\npublic class Document {}\n"),
            (
                "src/main/java/org/web/Page.java",
                "package org.web;\nimport org.w3c.dom.Document;\nclass Page {\n  \
                 void show(org.shop.Document own, Document other) {}\n}\n",
            ),
        ],
        &[(
            "src/main/java/org/web/Page.java",
            "Document",
            &["src/main/java/org/shop/Document.java Document (qualifier)"],
        )],
    );
}

#[test]
fn a_module_of_javascript_sees_no_type_that_it_does_not_import() {
    let types = "import { Blob } from './blob'\nexport interface Response { body: Blob }\n";
    check(
        &[
            ("src/types.ts", types),
            ("src/blob.ts", "export class Blob {}\n"),
            ("src/global.d.ts", "interface Env { name: string }\n"),
            ("src/shop.ts", "import './blob'\ndeclare global {\n  interface Cart { name: string }\n}\n"),
            ("src/a.ts", "import { f } from './f'\nexport const a = (): Response => new Response(f())\n"),
            ("src/f.ts", "import { Env as E } from 'x'\nexport const f = (env: Env, cart: Cart): E => env\n"),
            ("src/b.ts", "import type { Response } from './types'\nexport const b = (): Response => null\n"),
        ],
        &[
            ("src/a.ts", "Response", &[]),
            ("src/b.ts", "Response", &["src/types.ts Response (import)"]),
            ("src/f.ts", "Env", &["src/global.d.ts Env (only candidate)"]),
            ("src/f.ts", "Cart", &["src/shop.ts Cart (only candidate)"]),
        ],
    );
}

#[test]
fn what_every_object_has_says_nothing_of_an_unknown_one() {
    check(
        &[
            (
                "src/node.ts",
                "export class TextNode {\n  toString(): string { return '' }\n  render(): string { return '' }\n}\n",
            ),
            (
                "src/a.ts",
                "import { TextNode } from './node'\n\nexport function show(other, own: TextNode) {\n  \
                 other.toString()\n  other.render()\n}\n",
            ),
            (
                "src/b.ts",
                "import { TextNode } from './node'\n\nexport function show(own: TextNode) {\n  own.toString()\n}\n",
            ),
        ],
        &[
            ("src/a.ts", "toString", &[]),
            ("src/a.ts", "render", &["src/node.ts TextNode.render (only candidate)"]),
            ("src/b.ts", "toString", &["src/node.ts TextNode.toString (declared type)"]),
        ],
    );
}

#[test]
fn the_name_of_an_object_may_shorten_that_of_its_type() {
    check(
        &[
            ("src/request.ts", "export class HttpRequest {\n  header(name: string) { return name }\n}\n"),
            ("src/context.ts", "export class Context {\n  header(name: string) { return name }\n}\n"),
            (
                "src/a.ts",
                "import { Context } from './context'\n\nexport const a = (c) => c.req.header('a')\n",
            ),
        ],
        &[("src/a.ts", "header", &["src/request.ts HttpRequest.header (receiver's name)"])],
    );
}

#[test]
fn an_element_of_html_is_no_function_and_a_type_parameter_no_type() {
    check(
        &[
            ("src/html.ts", "export const html = () => ''\nexport interface Env { name: string }\n"),
            (
                "src/page.tsx",
                "import { html, Env } from './html'\n\nexport function Page() {\n  return <html><body /></html>\n}\n\n\
                 export type Own<Env = {}> = { env: Env }\n",
            ),
            (
                "src/use.tsx",
                "import { html, Env } from './html'\n\nexport const use = (e: Env) => <p>{html}</p>\n",
            ),
        ],
        &[
            ("src/page.tsx", "html", &[]),
            ("src/page.tsx", "Env", &[]),
            ("src/use.tsx", "html", &["src/html.ts html (import)"]),
            ("src/use.tsx", "Env", &["src/html.ts Env (import)"]),
        ],
    );
}
