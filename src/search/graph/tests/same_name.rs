//! Types of one name in several files: they share no members, supertypes or callers.

use super::check;

const TEXT: &str = "'a text that is long enough to be a chunk of its own, in this file or another'";

#[test]
fn a_class_of_python_is_not_its_namesake() {
    let trainer = format!(
        "from lib.base import Base\n\n\nclass Trainer(Base):\n    def train(self):\n        self.loss(1)\n        return {TEXT}\n\n\n    \
         def loss(self, n):\n        return {TEXT}\n"
    );
    let other = format!(
        "from ..trainer import Trainer as _Trainer\n\n\nclass Trainer(_Trainer):\n    def loss(self, n):\n        self.train()\n        \
         return {TEXT}\n\n\n    def again(self):\n        super().loss(1)\n        self.save()\n        return {TEXT}\n"
    );
    check(
        &[
            ("lib/__init__.py", ""),
            ("lib/base.py", &format!("class Base:\n    def save(self):\n        return {TEXT}\n")),
            ("lib/trainer.py", &trainer),
            ("lib/token/__init__.py", ""),
            ("lib/token/trainer.py", &other),
        ],
        &[
            (
                "lib/trainer.py",
                "loss",
                &[
                    "lib/token/trainer.py Trainer.loss (implements it)",
                    "lib/trainer.py Trainer.loss (same type)",
                ],
            ),
            ("lib/token/trainer.py", "loss", &["lib/trainer.py Trainer.loss (inherited)"]),
            ("lib/token/trainer.py", "train", &["lib/trainer.py Trainer.train (inherited)"]),
            ("lib/token/trainer.py", "save", &["lib/base.py Base.save (inherited)"]),
        ],
    );
}

#[test]
fn a_supertype_is_the_one_that_is_imported() {
    let method = |class: &str| format!("export class {class} {{\n  open() {{\n    return {TEXT}\n  }}\n}}\n");
    check(
        &[
            ("src/a/base.ts", &method("Base")),
            ("src/b/base.ts", &method("Base")),
            (
                "src/page.ts",
                &format!(
                    "import {{ Base }} from './b/base'\n\nexport class Page extends Base {{\n  show() {{\n    this.open()\n    return {TEXT}\n  }}\n}}\n"
                ),
            ),
            (
                "src/frame.ts",
                &format!(
                    "import {{ Base }} from 'outside'\n\nexport class Frame extends Base {{\n  show() {{\n    this.open()\n    return {TEXT}\n  }}\n}}\n"
                ),
            ),
        ],
        &[
            ("src/page.ts", "open", &["src/b/base.ts Base.open (inherited)"]),
            (
                "src/frame.ts",
                "open",
                &["src/a/base.ts Base.open (same name)", "src/b/base.ts Base.open (same name)"],
            ),
        ],
    );
}

#[test]
fn classes_in_one_chunk_have_their_own_supertypes() {
    check(
        &[
            ("shop/base.py", &format!("class Base:\n    def save(self):\n        return {TEXT}\n")),
            (
                "shop/kinds.py",
                "from .base import Base\n\nclass Alpha(Base): pass\nclass Beta: pass\nclass Gamma(Alpha): pass\n",
            ),
            (
                "shop/use.py",
                "from .kinds import Alpha, Beta, Gamma\n\ndef f(one: Alpha, two: Beta, three: Gamma):\n    one.save()\n",
            ),
            ("shop/use_b.py", "from .kinds import Beta\n\ndef f(two: Beta):\n    two.save()\n"),
            ("shop/use_c.py", "from .kinds import Gamma\n\ndef f(three: Gamma):\n    three.save()\n"),
        ],
        &[
            ("shop/use.py", "save", &["shop/base.py Base.save (inherited)"]),
            ("shop/use_b.py", "save", &[]),
            ("shop/use_c.py", "save", &["shop/base.py Base.save (inherited)"]),
        ],
    );
}

#[test]
fn nested_types_of_one_name_are_two() {
    let java = |outer: &str| {
        format!(
            "package org.shop;\n\nclass {outer} {{\n    static class Builder {{\n        {outer} build() {{\n            check();\n            \
             return null;\n        }}\n\n        void check() {{\n            String text = \"a text that is long enough to be a chunk of its own\";\n        }}\n    }}\n}}\n"
        )
    };
    check(
        &[("org/shop/Cart.java", &java("Cart")), ("org/shop/Order.java", &java("Order"))],
        &[
            ("org/shop/Cart.java", "check", &["org/shop/Cart.java Cart.Builder.check (same type)"]),
            ("org/shop/Order.java", "check", &["org/shop/Order.java Order.Builder.check (same type)"]),
        ],
    );
}

#[test]
fn a_member_of_two_supertypes_is_a_guess() {
    check(
        &[(
            "a.py",
            &format!(
                "class One:\n    def run(self):\n        return {TEXT}\n\n\nclass Two:\n    def run(self):\n        return {TEXT}\n\n\n\
                     class Both(One, Two):\n    def go(self):\n        self.run()\n        return {TEXT}\n"
            ),
        )],
        &[("a.py", "run", &["a.py One.run (type is mentioned)", "a.py Two.run (type is mentioned)"])],
    );
}
