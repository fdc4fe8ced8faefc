//! Names that could mean several kinds of declarations: what the place of the name excludes, and
//! what a subtype adds.

use super::check;

#[test]
fn values_are_neither_methods_nor_types_of_their_name() {
    check(
        &[
            (
                "a.php",
                "<?php\nclass Post { public $mail = 1; function mail() { return 1; } }\nfunction f(Post $post) { return $post->mail; }\n",
            ),
            ("b.php", "<?php\nfunction g(Post $post) { return $post->mail(); }\n"),
            (
                "a.py",
                "def parse(x):\n    return x + 1\n\n\ndef other(x):\n    from b import parse\n    return parse(x)\n",
            ),
            ("b.py", "def parse(x):\n    return x + 2\n"),
            ("Outer.java", "class Outer { static class Inner {} }\n"),
            ("Use.java", "class Use { void f(Outer.Inner x) { int a = 1; } }\n"),
        ],
        &[
            ("a.php", "mail", &[]),
            ("b.php", "mail", &["a.php Post::mail (declared type)"]),
            ("a.py", "parse", &["a.py parse (one of several)", "b.py parse (one of several)"]),
            ("Use.java", "Outer", &["Outer.java Outer (same package)"]),
        ],
    );
}

#[test]
fn constants_of_ruby_are_those_of_the_classes_in_the_chunk() {
    check(
        &[
            (
                "a.rb",
                "module Shop\n  class Cart\n    DEEP = 5\n    def go\n      DEEP + 1\n    end\n  end\nend\n",
            ),
            ("c.rb", "class StaticFile\n  def extname\n    File.extname(@x)\n  end\nend\n"),
        ],
        &[("a.rb", "DEEP", &["a.rb Shop::Cart::DEEP (constant)"]), ("c.rb", "extname", &[])],
    );
}
