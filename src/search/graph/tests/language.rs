//! Names of configuration and interface languages, resolved across files.

use super::{Index, check, meanings, resolved, sources};

#[test]
fn messages_of_protobuf_are_found_by_import_and_package() {
    check(
        &[
            (
                "proto/shop/v1/order.proto",
                "syntax = \"proto3\";\npackage shop.v1;\nimport \"shop/v1/money.proto\";\n\nmessage Order {\n  \
                 Money total = 1;\n  shop.v1.Money tax = 2;\n  Money.Unit unit = 3;\n  Line line = 4;\n}\n",
            ),
            (
                "proto/shop/v1/money.proto",
                "syntax = \"proto3\";\npackage shop.v1;\n\nmessage Money {\n  enum Unit { CENT = 0; }\n  int64 units = 1;\n}\n",
            ),
            (
                "proto/bank/v1/money.proto",
                "syntax = \"proto3\";\npackage bank.v1;\n\nmessage Money { int64 cents = 1; }\n",
            ),
            (
                "proto/shop/v1/line.proto",
                "syntax = \"proto3\";\npackage shop.v1;\n\nmessage Line { int64 n = 1; }\n",
            ),
        ],
        &[
            (
                "proto/shop/v1/order.proto",
                "Money",
                &["proto/shop/v1/money.proto Money (import)", "proto/shop/v1/money.proto Money (qualifier)"],
            ),
            ("proto/shop/v1/order.proto", "Unit", &["proto/shop/v1/money.proto Money.Unit (qualifier)"]),
            ("proto/shop/v1/order.proto", "Line", &["proto/shop/v1/line.proto Line (only declaration)"]),
        ],
    );
}

#[test]
fn types_of_graphql_are_seen_by_all_files() {
    check(
        &[
            ("schema/order.graphql", "type Order implements Node {\n  total: Money\n}\n"),
            ("schema/base.graphql", "scalar Money\n\ninterface Node {\n  id: ID!\n}\n"),
            ("web/find.graphql", "query Find {\n  order { ...Summary }\n}\n"),
            ("web/summary.graphql", "fragment Summary on Order {\n  total\n}\n"),
        ],
        &[
            ("schema/order.graphql", "Money", &["schema/base.graphql Money (only declaration)"]),
            ("schema/order.graphql", "Node", &["schema/base.graphql Node (only declaration)"]),
            ("web/find.graphql", "Summary", &["web/summary.graphql Summary (only declaration)"]),
            ("web/summary.graphql", "Order", &["schema/order.graphql Order (only declaration)"]),
        ],
    );
}

#[test]
fn a_module_of_terraform_is_a_folder() {
    let other = "variable \"region\" {}\n\noutput \"subnet_ids\" {\n  value = aws_subnet.all[*].id\n}\n\nresource \"aws_subnet\" \"all\" {\n  region = var.region\n}\n";
    check(
        &[
            (
                "live/main.tf",
                "module \"net\" {\n  source = \"../modules/network\"\n}\n\nresource \"aws_instance\" \"web\" {\n  \
                 region = var.region\n  name   = local.name\n  subnets = module.net.subnet_ids\n}\n\noutput \"ip\" {\n  \
                 value = aws_instance.web.ip\n}\n",
            ),
            ("live/variables.tf", "variable \"region\" {}\n\nlocals {\n  name = \"shop\"\n}\n"),
            ("modules/network/main.tf", other),
            ("modules/dns/main.tf", other),
        ],
        &[
            ("live/main.tf", "region", &["live/variables.tf var.region (qualifier)"]),
            ("live/main.tf", "name", &["live/variables.tf locals.name (qualifier)"]),
            ("live/main.tf", "web", &["live/main.tf aws_instance.web (qualifier)"]),
            ("live/main.tf", "net", &["live/main.tf module.net (qualifier)"]),
            ("live/main.tf", "subnet_ids", &["modules/network/main.tf subnet_ids (import)"]),
            ("modules/dns/main.tf", "region", &["modules/dns/main.tf var.region (qualifier)"]),
        ],
    );
}

#[test]
fn custom_properties_are_used() {
    check(
        &[("a.css", ":root {\n  --brand: red;\n}\n\n.a {\n  color: var(--brand, blue);\n}\n")],
        &[("a.css", "--brand", &["a.css :root.--brand (same file)"])],
    );
}

#[test]
fn targets_functions_and_variables_of_builds_are_global() {
    check(
        &[
            (
                "CMakeLists.txt",
                "include(cmake/warnings.cmake)\nadd_subdirectory(money)\n\nadd_executable(shop main.cpp)\n\
                 target_link_libraries(shop PRIVATE money)\nshop_warnings(shop ${SHOP_FLAGS})\n",
            ),
            (
                "cmake/warnings.cmake",
                "set(SHOP_FLAGS -Wall)\n\nfunction(shop_warnings target)\n  message(x)\nendfunction()\n",
            ),
            ("money/CMakeLists.txt", "add_library(money money.cpp)\n"),
            ("Makefile", "include mk/common.mk\n\nall: shop\n\t$(call run,$(FLAGS))\n"),
            ("mk/common.mk", "FLAGS = -g\n\ndefine run\n\techo $(1)\nendef\n\nshop:\n\ttouch shop\n"),
        ],
        &[
            ("CMakeLists.txt", "money", &["money/CMakeLists.txt money (import)"]),
            ("CMakeLists.txt", "shop_warnings", &["cmake/warnings.cmake shop_warnings (import)"]),
            ("CMakeLists.txt", "SHOP_FLAGS", &["cmake/warnings.cmake SHOP_FLAGS (import)"]),
            ("Makefile", "FLAGS", &["mk/common.mk FLAGS (import)"]),
            ("Makefile", "run", &["mk/common.mk run (import)"]),
            ("Makefile", "shop", &["mk/common.mk shop (import)"]),
        ],
    );
}

#[test]
fn mixins_and_variables_of_style_sheets_are_imported() {
    check(
        &[
            (
                "web/cart.scss",
                "@use \"tokens\";\n\n.cart {\n  @include card;\n  margin: $gap;\n  color: tokens.$primary;\n}\n",
            ),
            ("web/tokens.scss", "$gap: 8px;\n\n$primary: #000;\n\n@mixin card {\n  padding: $gap;\n}\n"),
            ("docs/tokens2.scss", "$gap: 9px;\n"),
        ],
        &[
            ("web/cart.scss", "card", &["web/tokens.scss card (import)"]),
            ("web/cart.scss", "$gap", &["web/tokens.scss $gap (import)"]),
        ],
    );
}

#[test]
fn examples_in_documents_refer_to_code() {
    check(
        &[
            (
                "README.md",
                "# Cart\n\n```python\nfrom shop import Cart\n\ndef main():\n    cart = Cart()\n    cart.checkout()\n    cart.close()\n```\n",
            ),
            (
                "shop/cart.py",
                "class Cart:\n    def checkout(self):\n        return self.total\n\n    def close(self): ...\n",
            ),
            (
                "shop/file.py",
                "class File:\n    def close(self): ...\n\n\nclass Main:\n    def main(self): ...\n",
            ),
            ("web/cart.ts", "export function main() {}\n"),
        ],
        &[
            ("README.md", "Cart", &["shop/cart.py Cart (only candidate)"]),
            ("README.md", "checkout", &["shop/cart.py Cart.checkout (type is mentioned)"]),
            ("README.md", "main", &[]),
        ],
    );
}

#[cfg(feature = "lang-sql")]
#[test]
fn strings_refer_to_tables_in_any_language() {
    check(
        &[
            (
                "db/schema.sql",
                "CREATE TABLE shop.users (\n  id INT PRIMARY KEY\n);\n\nCREATE VIEW active AS SELECT * FROM users;\n",
            ),
            (
                "src/user.rs",
                "pub struct users;\n\nfn find() {\n    sqlx::query(\"SELECT * FROM users\");\n}\n",
            ),
            (
                "app/user.py",
                "from a import users\n\n\ndef find(db):\n    return db.execute(\"SELECT * FROM public.users, orders\")\n",
            ),
            ("app/schema.py", "SCHEMA = \"CREATE TABLE orders (id INT)\"\n"),
        ],
        &[
            ("db/schema.sql", "users", &["db/schema.sql users (same file)"]),
            ("src/user.rs", "users", &["db/schema.sql users (only declaration)"]),
            ("app/user.py", "users", &["db/schema.sql users (only declaration)"]),
            ("app/user.py", "orders", &["app/schema.py orders (only declaration)"]),
        ],
    );
}

#[test]
fn operations_in_strings_spread_fragments_of_other_files() {
    check(
        &[
            ("schema.graphql", "type User {\n  id: ID!\n}\n"),
            ("web/parts.ts", "export const PARTS = gql`\n  fragment UserParts on User { id }\n`\n"),
            (
                "web/user.ts",
                "import { PARTS } from './parts'\n\nexport const GET = gql`\n  query GetUser { user { ...UserParts } }\n  ${PARTS}\n`\n",
            ),
            ("web/names.ts", "export function UserParts() {}\n\nexport class User {}\n"),
            ("web/find.graphql", "query Find { user { ...UserParts } }\n"),
        ],
        &[
            ("web/parts.ts", "User", &["schema.graphql User (only declaration)"]),
            ("web/user.ts", "UserParts", &["web/parts.ts UserParts (only declaration)"]),
            ("web/find.graphql", "UserParts", &["web/parts.ts UserParts (only declaration)"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_part_of_a_class_sees_the_types_in_the_other_parts() {
    check(
        &[
            (
                "Mapper.cs",
                "namespace Shop;\n\npublic static partial class Mapper\n{\n    public interface IHandler { void Set(int n); }\n}\n",
            ),
            (
                "Handlers.cs",
                "namespace Shop;\n\npublic static partial class Mapper\n{\n    class Handler : IHandler { public void Set(int n) { } }\n\n    static void Run(IHandler one) { }\n}\n",
            ),
            (
                "Other.cs",
                "namespace Shop;\n\npublic class Other\n{\n    interface IHandler { }\n\n    void Run(IHandler one) { }\n}\n",
            ),
        ],
        &[
            ("Handlers.cs", "IHandler", &["Mapper.cs Shop.Mapper.IHandler (same type)"]),
            ("Other.cs", "IHandler", &["Other.cs Shop.Other.IHandler (same type)"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn components_are_classes_with_the_name_of_their_file() {
    check(
        &[
            (
                "Shop/Counter.razor",
                "<button @onclick=\"Increment\">@Label(1)</button>\n\n@code {\n    string Label(int n) => n.ToString();\n}\n",
            ),
            (
                "Shop/Counter.razor.cs",
                "namespace Shop;\n\npublic partial class Counter\n{\n    void Increment() { }\n}\n",
            ),
            ("Shop/Home.razor", "<Menu />\n"),
            ("Web/Page.razor", "@using Shop\n\n<Counter />\n"),
            ("Shop/Menu.razor", "@code {\n    void Open() { Close(); }\n\n    void Close() { }\n}\n"),
            ("_Imports.razor", "@using Shop.Data\n"),
            ("Shop/Item.cs", "namespace Shop.Data;\n\npublic class Item { }\n"),
            ("Old/Item.cs", "namespace Shop.Old;\n\npublic class Item { }\n"),
            ("Shop/List.razor", "@inject Item First\n\n<p>@First</p>\n"),
            (
                "Shop/Other.cs",
                "namespace Shop;\n\npublic class Other\n{\n    void Close() { }\n\n    void Increment() { }\n}\n",
            ),
        ],
        &[
            (
                "Shop/Counter.razor",
                "Increment",
                &["Shop/Counter.razor.cs Shop.Counter.Increment (same type)"],
            ),
            ("Shop/Counter.razor", "Label", &["Shop/Counter.razor Counter.Label (same type)"]),
            (
                "Web/Page.razor",
                "Counter",
                &["Shop/Counter.razor Counter (import)", "Shop/Counter.razor.cs Shop.Counter (import)"],
            ),
            ("Shop/Home.razor", "Menu", &["Shop/Menu.razor Menu (only declaration)"]),
            ("Shop/List.razor", "Item", &["Shop/Item.cs Shop.Data.Item (import)"]),
            ("Shop/Menu.razor", "Close", &["Shop/Menu.razor Menu.Close (same type)"]),
        ],
    );
}

#[test]
fn components_are_exported_by_their_files() {
    check(
        &[
            (
                "ui/VPLink.vue",
                "<script setup lang=\"ts\">\nexport interface Props { a: number }\n</script>\n<template><a/></template>\n",
            ),
            ("ui/theme.d.ts", "export const VPLink: any\n"),
            ("ui/user-card.vue", "<template><user-card/></template>\n"),
            ("ui/Menu/index.vue", "<template><b/></template>\n"),
            (
                "App.vue",
                "<script setup lang=\"ts\">\nimport VPLink from './ui/VPLink.vue'\nimport Card from './ui/user-card.vue'\nimport Menu from './ui/Menu/index.vue'\nimport { Props } from './ui/VPLink.vue'\nconst p: Props = {}\n</script>\n<template><VPLink/><Card :a=\"1\"/><Menu></Menu></template>\n",
            ),
            ("Auto.vue", "<template><UserCard/><user-card/></template>\n"),
            ("Other.svelte", "<script>\nimport Link from './ui/VPLink.vue'\n</script>\n<Link/>\n"),
            (
                "Wrap/Menu.vue",
                "<script>\nimport { Menu } from 'lib'\n</script>\n<template><Menu/></template>\n",
            ),
            ("main.ts", "import VPLink from './ui/VPLink.vue'\nexport const all = [VPLink]\n"),
        ],
        &[
            ("App.vue", "VPLink", &["ui/VPLink.vue VPLink (import)"]),
            ("App.vue", "Card", &["ui/user-card.vue UserCard (import)"]),
            ("App.vue", "Menu", &["ui/Menu/index.vue Menu (import)"]),
            ("App.vue", "Props", &["ui/VPLink.vue Props (import)"]),
            ("Auto.vue", "UserCard", &["ui/user-card.vue UserCard (only candidate)"]),
            ("Auto.vue", "user-card", &["ui/user-card.vue UserCard (only candidate)"]),
            ("ui/user-card.vue", "user-card", &["ui/user-card.vue UserCard (only candidate)"]),
            ("Other.svelte", "Link", &["ui/VPLink.vue VPLink (import)"]),
            ("Wrap/Menu.vue", "Menu", &[]),
            ("main.ts", "VPLink", &["ui/VPLink.vue VPLink (import)"]),
        ],
    );
}

#[test]
fn a_parameter_of_a_test_is_the_fixture_that_pytest_finds() {
    let test = "def test_pay(client, db, clock, other):\n    assert client.pay(db), 'the client pays by the data that it has'\n";
    let fixture = |name: &str, parameter: &str| {
        format!(
            "import pytest\n\n\n@pytest.fixture\ndef {name}({parameter}):\n    return 'a text that is long enough to be a chunk of its own'\n"
        )
    };
    check(
        &[
            ("tests/shop/test_pay.py", &format!("{}\n\n{test}", fixture("client", "client"))),
            ("tests/shop/conftest.py", &fixture("db", "db")),
            ("tests/conftest.py", &fixture("db", "")),
            ("conftest.py", &fixture("client", "")),
            ("tests/bank/conftest.py", &fixture("other", "")),
            ("plugin/clocks.py", &fixture("clock", "")),
            (
                "tests/shop/base.py",
                "import pytest\n\n\nclass Base:\n    @pytest.fixture\n    def client(self):\n        return 'the client of the class'\n",
            ),
            (
                "tests/bank/test_class.py",
                "from base import Base\n\n\nclass TestAll(Base):\n    def test_client(self, client):\n        assert client\n",
            ),
            ("shop/other.py", "def other():\n    return 'not a fixture, but a function of the same name'\n"),
        ],
        &[
            (
                "tests/shop/test_pay.py",
                "client",
                &["conftest.py client (fixture)", "tests/shop/test_pay.py client (fixture)"],
            ),
            ("tests/shop/test_pay.py", "db", &["tests/shop/conftest.py db (fixture)"]),
            ("tests/shop/conftest.py", "db", &["tests/conftest.py db (fixture)"]),
            ("tests/shop/test_pay.py", "clock", &["plugin/clocks.py clock (only candidate)"]),
            ("tests/shop/test_pay.py", "other", &[]),
            // The class may inherit another one.
            ("tests/bank/test_class.py", "client", &["conftest.py client (type is mentioned)"]),
        ],
    );
}

#[test]
fn a_call_of_an_abstract_method_may_mean_its_implementations() {
    check(
        &[
            (
                "sink.py",
                "from abc import ABC, abstractmethod\n\n\nclass Sink(ABC):\n    @abstractmethod\n    def flush(self):\n        \"\"\"Writes all.\"\"\"\n\n    def close(self):\n        raise NotImplementedError\n\n    def open(self):\n        return 1\n",
            ),
            (
                "disk.py",
                "from sink import Sink\n\n\nclass Disk(Sink):\n    def flush(self):\n        return 'to the disk'\n\n    def close(self):\n        return 2\n\n    def open(self):\n        return 3\n",
            ),
            (
                "use.py",
                "from sink import Sink\n\n\ndef use(sink: Sink):\n    sink.flush()\n    sink.close()\n    sink.open()\n",
            ),
            (
                "store/store.go",
                "package store\n\ntype Store interface {\n\tGet(key string) string\n\tPut(key, value string)\n}\n",
            ),
            (
                "mem/mem.go",
                "package mem\n\ntype Memory struct {\n\tn int\n}\n\nfunc (m *Memory) Get(key string) string {\n\treturn key\n}\n\nfunc (m *Memory) Put(key, value string) {\n\tm.n++\n}\n\ntype Half struct{}\n\nfunc (h Half) Get(key string) string {\n\treturn key\n}\n",
            ),
            (
                "web/web.go",
                "package web\n\nimport \"example.com/a/store\"\n\nfunc Show(all store.Store) string {\n\treturn all.Get(\"a\")\n}\n",
            ),
        ],
        &[
            (
                "use.py",
                "flush",
                &["disk.py Disk.flush (implements it)", "sink.py Sink.flush (declared type)"],
            ),
            (
                "use.py",
                "close",
                &["disk.py Disk.close (implements it)", "sink.py Sink.close (declared type)"],
            ),
            // Nearly every method of Python may be declared again.
            ("use.py", "open", &["sink.py Sink.open (declared type)"]),
            (
                "web/web.go",
                "Get",
                &["mem/mem.go Memory.Get (implements it)", "store/store.go Store.Get (declared type)"],
            ),
        ],
    );
}

#[test]
fn a_module_of_erlang_is_found_by_its_name() {
    check(
        &[
            (
                "src/shop.erl",
                "-module(shop).\n-export([pay/1]).\n\npay(X) -> bank:draw(X), lists:map(fun bank:give/1, X).\n",
            ),
            (
                "src/bank.erl",
                "-module(bank).\n-behaviour(till).\n-export([draw/1, give/1]).\n\ndraw(X) -> X.\n\ngive(X) -> X.\n",
            ),
            ("src/till.erl", "-module(till).\n\n-callback open(integer()) -> ok.\n"),
        ],
        &[
            ("src/shop.erl", "bank", &["src/bank.erl bank (only declaration)"]),
            ("src/shop.erl", "draw", &["src/bank.erl draw (import)"]),
            ("src/bank.erl", "till", &["src/till.erl till (only declaration)"]),
        ],
    );
}

#[test]
fn a_static_property_of_php_is_found_behind_its_class() {
    check(
        &[
            (
                "src/Cart.php",
                "<?php\nnamespace Shop;\n\nclass Cart {\n    public static $rules = ['a' => 1];\n    public array $items = [];\n    function all() { return self::$rules + $this->items; }\n}\n",
            ),
            (
                "src/Bank.php",
                "<?php\nnamespace Shop;\n\nclass Bank {\n    public static $rules = ['b' => 2];\n}\n",
            ),
            (
                "src/pay.php",
                "<?php\nnamespace Shop;\n\nfunction pay(Cart $cart) { return [Cart::$rules, $cart->items]; }\n",
            ),
        ],
        &[
            ("src/Cart.php", "rules", &["src/Cart.php Cart::rules (same type)"]),
            ("src/Cart.php", "items", &["src/Cart.php Cart::items (same type)"]),
            ("src/pay.php", "rules", &["src/Cart.php Cart::rules (qualifier)"]),
            ("src/pay.php", "items", &["src/Cart.php Cart::items (declared type)"]),
        ],
    );
}

#[test]
fn a_member_of_an_extension_block_is_found_by_the_type_of_its_object() {
    check(
        &[
            (
                "Cart.cs",
                "namespace Shop;\npublic class Cart { public int N { get; set; } }\npublic class Bank { public int N { get; set; } }\n",
            ),
            (
                "Extra.cs",
                "namespace Shop;\npublic static class Extra {\n    extension(Cart cart) {\n        public int Total() => cart.N;\n    }\n}\npublic static class Other {\n    extension(Bank bank) {\n        public int Total() => bank.N;\n    }\n}\n",
            ),
            (
                "Use.cs",
                "namespace Shop;\npublic class Use {\n    int Run(Cart cart) { return cart.Total(); }\n}\n",
            ),
        ],
        &[("Use.cs", "Total", &["Extra.cs Shop.Extra.Total (declared type)"])],
    );
}

#[test]
fn a_bare_name_of_csharp_is_no_property_of_another_class() {
    let segment = sources(&[(
        "Shop.cs",
        "namespace Shop;\nclass Cart { public int Order { get; set; } }\nclass Page {\n    object F() {\n        return new { Order = 1 };\n    }\n}\n",
    )]);
    let index = Index::whole(&segment);
    let found = resolved(&index, "Shop.cs", "Order");
    assert!(
        found.iter().all(|(_, one)| !one.evidence.is_certain()),
        "{:?}",
        meanings(&index, "Shop.cs", "Order")
    );
}

#[test]
fn symbols_and_routes_of_rails_call_methods() {
    check(
        &[
            (
                "app/controllers/login_controller.rb",
                "class LoginController < ApplicationController\n  before_action :load, only: [:index]\n  \
                 after_save :other_one\n  validates :name, if: :named?\n  rescue_from Error, with: :index\n\n  \
                 def index\n  end\n\n  def named?\n  end\nend\n",
            ),
            (
                "app/controllers/application_controller.rb",
                "class ApplicationController\n  def load\n  end\nend\n",
            ),
            ("app/models/a.rb", "class Other\n  def other_one\n  end\n\n  def index\n  end\nend\n"),
            (
                "config/routes.rb",
                "Rails.application.routes.draw do\n  get \"/login\" => \"login#index\"\nend\n",
            ),
        ],
        &[
            (
                "app/controllers/login_controller.rb",
                "load",
                &["app/controllers/application_controller.rb ApplicationController::load (inherited)"],
            ),
            (
                "app/controllers/login_controller.rb",
                "index",
                &["app/controllers/login_controller.rb LoginController::index (same type)"],
            ),
            (
                "app/controllers/login_controller.rb",
                "named?",
                &["app/controllers/login_controller.rb LoginController::named? (same type)"],
            ),
            (
                "app/controllers/login_controller.rb",
                "other_one",
                &["app/models/a.rb Other::other_one (same name)"],
            ),
        ],
    );
}

#[test]
fn an_array_of_php_that_is_a_method_calls_it() {
    check(
        &[
            (
                "src/A.php",
                "<?php\nclass A {\n    function run() {\n        on('x', [$this, 'save']);\n        \
                 on('y', [B::class, 'total']);\n        return [$x, 'total'];\n    }\n    function save() {}\n}\n",
            ),
            ("src/B.php", "<?php\nclass B {\n    function total() {}\n    function save() {}\n}\n"),
        ],
        &[
            ("src/A.php", "save", &["src/A.php A::save (same type)"]),
            ("src/A.php", "total", &["src/B.php B::total (qualifier)"]),
        ],
    );
}

#[test]
fn a_template_of_ruby_calls_without_brackets() {
    check(
        &[
            (
                "app/views/a.html.erb",
                "<%= divider_tag %>\n<% if bare_helper? %>\n<%= link_to user.full_name, 1 %>\n<% end %>\n\
                 <% each do |local_name| %>\n<%= local_name %>\n<% given = 1 %>\n<%= given %>\n<% end %>\n",
            ),
            (
                "app/helpers/a_helper.rb",
                "module AHelper\n  def divider_tag\n  end\n\n  def bare_helper?\n  end\n\n  def local_name\n  \
                 end\n\n  def given\n  end\nend\n\nclass User\n  def full_name\n  end\nend\n",
            ),
        ],
        &[
            (
                "app/views/a.html.erb",
                "divider_tag",
                &["app/helpers/a_helper.rb AHelper::divider_tag (only candidate)"],
            ),
            (
                "app/views/a.html.erb",
                "bare_helper?",
                &["app/helpers/a_helper.rb AHelper::bare_helper? (only candidate)"],
            ),
            (
                "app/views/a.html.erb",
                "full_name",
                &["app/helpers/a_helper.rb User::full_name (receiver's name)"],
            ),
            ("app/views/a.html.erb", "local_name", &[]),
            ("app/views/a.html.erb", "given", &[]),
        ],
    );
}
