//! Names of Perl and of the dialects of Lisp, resolved across files.

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

#[test]
fn namespaces_of_clojure_are_files() {
    check(
        &[
            (
                "src/shop/cart_list.clj",
                "(ns shop.cart-list\n  (:require [shop.price :as p :refer [total]]\n            [shop.util :refer :all]\n            \
                 [clojure.string :as str]))\n\n(defn add [cart]\n  (p/round (total cart))\n  (pad cart)\n  (str/join cart)\n  \
                 (get cart 1)\n  (area cart)\n  (map p/round cart)\n  (shop.price/tax cart))\n\n(defprotocol Shape\n  (area [this]))\n",
            ),
            (
                "src/shop/price.clj",
                "(ns shop.price)\n\n(defn round [x] x)\n(defn total [x] x)\n(defn tax [x] x)\n(defn get [x] x)\n(defn join [x] x)\n",
            ),
            ("src/shop/util.clj", "(ns shop.util)\n\n(defn pad [x] x)\n(defn round [x] x)\n"),
        ],
        &[
            ("src/shop/cart_list.clj", "round", &["src/shop/price.clj round (import)"]),
            ("src/shop/cart_list.clj", "total", &["src/shop/price.clj total (import)"]),
            ("src/shop/cart_list.clj", "pad", &["src/shop/util.clj pad (import)"]),
            ("src/shop/cart_list.clj", "tax", &["src/shop/price.clj tax (import)"]),
            ("src/shop/cart_list.clj", "area", &["src/shop/cart_list.clj Shape/area (same file)"]),
            // Those are functions of Clojure itself.
            ("src/shop/cart_list.clj", "get", &[]),
            ("src/shop/cart_list.clj", "join", &[]),
        ],
    );
}

#[test]
fn names_of_other_lisps_are_seen_by_all_files() {
    check(
        &[
            (
                "shop-cart.el",
                "(require 'shop-price)\n\n(defun shop-cart-add (cart)\n  (shop-price-round cart shop-price-limit)\n  \
                 (mapc #'shop-price-show cart))\n",
            ),
            (
                "shop-price.el",
                "(defvar shop-price-limit 1)\n(defun shop-price-round (a b) a)\n(cl-defgeneric shop-price-show (a))\n\
                 (cl-defmethod shop-price-show ((a cart)) a)\n(provide 'shop-price)\n",
            ),
            (
                "cart.lisp",
                "(in-package :shop)\n\n(defmethod add ((cart cart))\n  (shop.price:round-up cart *limit*)\n  (make-instance 'price))\n",
            ),
            (
                "price.lisp",
                "(defpackage :shop)\n(defvar *limit* 1)\n(defun round-up (a b) a)\n(defclass price () ())\n(defclass cart (price) ())\n",
            ),
            ("cart.rkt", "#lang racket\n(require \"lib/price.rkt\")\n\n(define (add c) (round-up c))\n"),
            ("lib/price.rkt", "#lang racket\n(define (round-up x) x)\n"),
            ("old/price.rkt", "#lang racket\n(define (round-up x) 0)\n"),
        ],
        &[
            ("shop-cart.el", "shop-price-round", &["shop-price.el shop-price-round (import)"]),
            ("shop-cart.el", "shop-price-limit", &["shop-price.el shop-price-limit (import)"]),
            ("shop-cart.el", "shop-price-show", &["shop-price.el shop-price-show (import)"]),
            ("cart.lisp", "shop", &["price.lisp shop (only declaration)"]),
            ("cart.lisp", "round-up", &["price.lisp round-up (only declaration)"]),
            ("cart.lisp", "*limit*", &["price.lisp *limit* (only declaration)"]),
            ("cart.lisp", "price", &["price.lisp price (only declaration)"]),
            ("cart.rkt", "round-up", &["lib/price.rkt round-up (import)"]),
        ],
    );
}

#[test]
fn methods_of_clojure_are_called_by_their_protocol() {
    check(
        &[
            (
                "src/shop/shape.cljc",
                "(ns shop.shape)\n\n(defprotocol Shape\n  (area [this]))\n\n(deftype Box [n]\n  Shape\n  (area [this] n)\n  \
                 Counted\n  (count [this] (area this)))\n\n(extend-type String\n  Shape\n  (area [s] (count s)))\n",
            ),
            (
                "src/shop/cart.clj",
                "(ns shop.cart (:require [shop.shape :as s]))\n\n(defn add [x] (s/area x))\n",
            ),
        ],
        &[
            ("src/shop/shape.cljc", "area", &["src/shop/shape.cljc Shape/area (same file)"]),
            // That is a function of Clojure itself.
            ("src/shop/shape.cljc", "count", &[]),
            ("src/shop/cart.clj", "area", &["src/shop/shape.cljc Shape/area (import)"]),
        ],
    );
}

#[test]
fn a_slot_is_not_called_and_a_setter_only_sets() {
    check(
        &[
            (
                "cart.lisp",
                "(defclass cart () ((items :accessor items)))\n(defun limit (cart) 1)\n(defun (setf limit) (n cart) n)\n",
            ),
            ("shop.lisp", "(defun add (cart)\n  (items cart)\n  (setf (limit cart) 2))\n"),
            ("see.lisp", "(defun see (cart)\n  (limit cart))\n"),
        ],
        &[
            ("shop.lisp", "items", &["cart.lisp cart:items (only declaration)"]),
            ("shop.lisp", "(setf limit)", &["cart.lisp (setf limit) (only declaration)"]),
            ("see.lisp", "(setf limit)", &[]),
            ("see.lisp", "limit", &["cart.lisp limit (only declaration)"]),
        ],
    );
}

#[test]
fn racket_puts_a_prefix_in_front_of_imported_names() {
    check(
        &[
            (
                "cart.rkt",
                "#lang racket\n(require (prefix-in price: \"price.rkt\"))\n\n(define (add c) (price:round-up c))\n",
            ),
            ("price.rkt", "#lang racket\n(define (round-up x) x)\n"),
            ("old/price.rkt", "#lang racket\n(define (round-up x) 0)\n"),
        ],
        &[("cart.rkt", "round-up", &["price.rkt round-up (import)"])],
    );
}

#[test]
fn names_without_imports_are_seen_in_vendored_files() {
    check(
        &[
            ("a.el", "(defun shop-add ()\n  (other-pad)\n  (other-trim))\n"),
            ("pad.el", "(defun other-pad ())\n"),
            ("vendor/other.el", "(defun other-trim ())\n(defun other-pad ())\n"),
        ],
        &[
            ("a.el", "other-trim", &["vendor/other.el other-trim (only declaration)"]),
            ("a.el", "other-pad", &["pad.el other-pad (only declaration)"]),
        ],
    );
}
