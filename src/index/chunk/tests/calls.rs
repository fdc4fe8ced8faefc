//! Tests of what a call or a tag declares: the targets of a build, tasks, members that a library
//! adds, and templates.

use super::declarations::check;

#[test]
fn a_build_declares_its_targets() {
    check(&[
        (
            "python",
            "load(\"a\", \"b\")\n\ncc_library(\n    name = \"core\",\n    srcs = [\"a.cc\"],\n)\nx(\"y\", name = \"z\")\npackage(default = [])\n",
            &["module core"],
        ),
        ("python", "from setuptools import setup\n\nsetup(name=\"a\")\napp.add(name=\"b\")\n", &[]),
        ("python", "filegroup(name = f\"{a}\")\nalias(name = \"a\", **other)\n", &[]),
        (
            "kotlin",
            "tasks.register<Copy>(\"copyDocs\") {\n    from(\"x\")\n}\ntasks.register(\"hello\")\ntasks.create<Jar>(\"fatJar\")\ntasks.register(\"w\") { doLast { } }\ntask(\"old\")\ntasks.named(\"x\")\ntasks.register(name)\nfun f() { tasks.register(\"inner\") }\n",
            &[
                "function copyDocs",
                "function hello",
                "function fatJar",
                "function w",
                "function old",
                "function f",
            ],
        ),
        (
            "cmake",
            "project(Shop VERSION 1.0)\nqt_add_executable(app main.cpp)\npybind11_add_module(bind b.cpp)\nllvm_add_library(NAME core)\ncmake_dependent_option(WITH_X \"x\" ON \"Y\" OFF)\nFetchContent_Declare(fmt GIT_TAG 1)\nmy_readd_library(x)\n",
            &["module Shop", "module app", "module bind", "variable WITH_X", "module fmt"],
        ),
        (
            "ruby",
            "task :reset => [:drop]\ntask default: [:spec]\nmultitask(:all) { }\nfile \"out\" => [\"in\"] do\nend\nfile \"/etc/a\" do\nend\ntask :bare\nnamespace :db do\n  desc \"x\"\n  task :seed do\n  end\n  namespace :schema do\n    task load: :seed do\n    end\n  end\nend\nRails.application.routes.draw do\n  namespace :admin do\n  end\nend\nnamespace '/api' do\nend\n",
            &[
                "function reset",
                "function default",
                "function all",
                "function out",
                "module db",
                "function db::seed",
                "module db::schema",
                "function db::schema::load",
            ],
        ),
    ]);
}

#[test]
fn members_that_a_library_adds_are_declared() {
    check(&[
        (
            "elixir",
            "defmodule Shop.User do\n  schema \"users\" do\n    field :name, :string\n    has_many :posts, Shop.Post\n    timestamps()\n  end\n  field :other, :string\n  Record.defrecord :point, x: 1\nend\n",
            &[
                "module Shop.User",
                "table Shop.User.users",
                "field Shop.User.users.name",
                "field Shop.User.users.posts",
                "struct Shop.User.point",
            ],
        ),
        (
            "ruby",
            "class User\n  enum role: %i[admin user]\n  enum :state, [:on, :off]\n  has_one_attached :avatar\n  has_many_attached :files\n  has_rich_text :body\n  store_accessor :settings, :color, :size\n  def_delegators :@list, :each, :map\n  def_delegator :@list, :size, :count\n  def_delegator :@list, :first\n  delegate :name, to: :customer, prefix: true\n  delegate :zip, to: :address\nend\n",
            &[
                "class User",
                "field User::role",
                "field User::state",
                "field User::avatar",
                "field User::files",
                "field User::body",
                "field User::color",
                "field User::size",
                "method User::each",
                "method User::map",
                "method User::count",
                "method User::first",
                "method User::zip",
            ],
        ),
    ]);
}

#[test]
fn other_forms_of_known_declarations_are_found() {
    check(&[
        (
            "css",
            ":root { --a: 1; }\n::selection { }\n:is(a, b) { }\n.a:hover { }\n",
            &["rule :root", "variable :root.--a", "rule ::selection", "rule :is(a, b)", "rule .a:hover"],
        ),
        (
            "ocaml",
            "let%test \"adds\" = 1 = 1\nlet%expect_test \"prints\" = print ()\nlet%bench \"slow\" = f ()\n",
            &["test adds", "test prints"],
        ),
        (
            "glsl",
            "uniform Lights { vec4 a; } lights;\nlayout(std430) buffer Data { float d[]; };\nin vec2 uv;\nvoid main() {}\n",
            &["struct Lights", "variable lights", "struct Data", "variable uv", "function main"],
        ),
        ("sql", "CREATE EXTENSION pgcrypto;\nCREATE ROLE reader;\n", &["module pgcrypto", "module reader"]),
        (
            "powershell",
            "function One {\n    $a = if ($b) {\n        # A block.\n        {\n            Get-It\n        }\n    }\n    else {\n        {}\n    }\n}\n\nfunction Two {\n    param ($c)\n}\n",
            &["function One", "function Two"],
        ),
        (
            "bash",
            "0=\"${${ZERO:-$0}:-${(%):-%N}}\"\nsource \"${0:A:h}/lib.zsh\"\nname() {\n  (( $+commands[git] )) || { x }\n}\n# Opens.\nfunction open { echo $1 }\nlast() { a; }\nodd() {\n  for x (a b) { {y }\n}\n",
            &["function name", "function open", "function last", "function odd"],
        ),
    ]);
}

#[test]
fn templates_are_declared_where_they_are_defined() {
    check(&[
        (
            "go-template",
            "{{/* The name. */}}\n{{- define \"shop.fullname\" -}}\n{{- if .Values.a -}}x{{- else }}y{{- end -}}\n{{- end }}\n{{ block \"side\" . }}z{{ end }}\n{{ define \"head.html\" }}{{ end }}\n",
            &["function shop.fullname", "section side", "function head.html"],
        ),
        (
            "vue",
            "<template><p/></template>\n<style lang=\"scss\" scoped>\n$gap: 4px;\n@mixin centre($x) { margin: $x; }\n.card { &__title { @include centre($gap); } }\n</style>\n",
            &["variable $gap", "macro centre", "rule .card", "rule .card.&__title"],
        ),
        ("html", "<p>{{ define \"main\" }}<b>x</b>{{ end }}</p>\n", &["function `go-template`.main"]),
        (
            "sql",
            "{% macro to_dollars(c, scale=2) %}\n  ({{ c }} / 100)\n{% endmacro %}\n{% test positive(model, col) %}\nselect 1 from {{ model }}\n{% endtest %}\n",
            &["function to_dollars", "function positive"],
        ),
        (
            "erb",
            "<% content_for :sidebar do %>\n  <% if x %>a<% end %>\n<% end %>\n<% def title(x) %>\nb\n<% end %>\n<% each do |y| %><% end %>\n",
            &["section sidebar", "function title"],
        ),
        ("jinja", "{% capture cap %}\na\n{% endcapture %}\n", &["variable cap"]),
        (
            "svelte",
            "<script>\n  $: tripled = a * 3;\n  $: { b = 1 }\n</script>\n{#snippet row(item)}\n  <p>{item}</p>\n{/snippet}\n{@render row(1)}\n",
            &["variable tripled", "function row"],
        ),
    ]);
}
