//! Names of Perl, resolved across files.

use super::check;

#[cfg(feature = "lang-perl")]
#[test]
fn packages_of_perl_have_full_names() {
    check(
        &[
            (
                "lib/Shop/Util.pm",
                "package Shop::Util;\nuse Exporter 'import';\nour @EXPORT_OK = qw(trim pad);\nour $limit = 3;\n\
                 use constant MAX => 9;\n\nsub trim { pad(@_) }\nsub pad { MAX }\nsub round { 1 }\n1;\n",
            ),
            ("lib/Other/Util.pm", "package Other::Util;\nsub trim { 2 }\nsub total { 3 }\n1;\n"),
            (
                "lib/Shop/Base.pm",
                "package Shop::Base;\nsub new { my $self = bless {}; return $self }\nsub open { 1 }\nsub total { 1 }\n1;\n",
            ),
            (
                "lib/Shop/Cart.pm",
                "package Shop::Cart;\nuse parent 'Shop::Base';\nuse Shop::Util qw(trim);\nuse Other::Util ();\n\n\
                 sub add {\n    my ($self, $item) = @_;\n    $self->total;\n    $self->open;\n    trim($item);\n    \
                 Shop::Util::round($Shop::Util::limit);\n    return $self->SUPER::new;\n}\n\nsub total { 2 }\n1;\n",
            ),
            (
                "bin/shop.pl",
                "use Shop::Cart;\nmy $cart = Shop::Cart->new;\n$cart->add(1);\nsort(\\&Other::Util::total);\n",
            ),
        ],
        &[
            ("lib/Shop/Util.pm", "pad", &["lib/Shop/Util.pm Shop::Util::pad (same file)"]),
            ("lib/Shop/Util.pm", "MAX", &["lib/Shop/Util.pm Shop::Util::MAX (same file)"]),
            ("lib/Shop/Cart.pm", "Base", &["lib/Shop/Base.pm Shop::Base (qualifier)"]),
            ("lib/Shop/Cart.pm", "trim", &["lib/Shop/Util.pm Shop::Util::trim (import)"]),
            ("lib/Shop/Cart.pm", "round", &["lib/Shop/Util.pm Shop::Util::round (qualifier)"]),
            ("lib/Shop/Cart.pm", "limit", &["lib/Shop/Util.pm Shop::Util::limit (qualifier)"]),
            ("lib/Shop/Cart.pm", "total", &["lib/Shop/Cart.pm Shop::Cart::total (same type)"]),
            ("lib/Shop/Cart.pm", "open", &["lib/Shop/Base.pm Shop::Base::open (inherited)"]),
            ("lib/Shop/Cart.pm", "new", &["lib/Shop/Base.pm Shop::Base::new (inherited)"]),
            ("bin/shop.pl", "Cart", &["lib/Shop/Cart.pm Shop::Cart (qualifier)"]),
            ("bin/shop.pl", "add", &["lib/Shop/Cart.pm Shop::Cart::add (declared type)"]),
            ("bin/shop.pl", "new", &["lib/Shop/Base.pm Shop::Base::new (inherited)"]),
            ("bin/shop.pl", "total", &["lib/Other/Util.pm Other::Util::total (qualifier)"]),
        ],
    );
}
