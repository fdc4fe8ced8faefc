//! Names of Fortran, which modules hand on and which are the same in any case.

use super::check;
use crate::search::graph::Graph;
use crate::search::segment::Index;
use crate::search::segment::samples::sources;

const ITEM: &str = "module item_mod\n  implicit none\n  integer, parameter :: MAX_ITEMS = 3\n  type :: item\n    real :: price\n  \
    contains\n    procedure :: print => print_item\n  end type\ncontains\n  subroutine print_item(self)\n    class(item) :: self\n    write (*, *) self%price\n  \
    end subroutine\n  function new_item(price) result(it)\n    real :: price\n    type(item) :: it\n    it%price = price\n  end function\nend module\n";

const SHOP: &str = "module shop\n  use item_mod\n  implicit none\n  interface pay\n    module procedure pay_one\n  end interface\n  interface\n    module subroutine show(n)\n      integer :: n\n    end subroutine\n  \
    end interface\ncontains\n  subroutine pay_one(n)\n    integer :: n\n    call show(n)\n  end subroutine\nend module\n";

const SHOP_SHOW: &str = "submodule (shop) shop_show\ncontains\n  module procedure show\n    print *, n, MAX_ITEMS\n  end procedure\nend submodule\n";

const OTHER: &str = "module other\ncontains\n  subroutine show(n)\n    integer :: n\n    print *, n\n  end subroutine\n  \
    function make(n)\n    real :: make, n\n    make = n\n  end function\nend module\n";

const MAIN: &str = "program main\n  use shop, only: pay, Show, item\n  use item_mod, only: make => new_item\n  implicit none\n  type(item) :: it\n  real :: n(3)\n  \
    it = make(2.0)\n  CALL Pay(1)\n  call SHOW(2)\n  call it%print()\n  n(1) = it%price\n  call dgemm(n)\nend program\n";

const BLAS: &str = "*> Multiplies.\n      SUBROUTINE DGEMM(A)\nC     Sizes.\n      REAL A(*)\n      CALL XERBLA('DGEMM',\n     $  1)\n      END\n";

const FILES: &[(&str, &str)] = &[
    ("blas/dgemm.f", BLAS),
    ("src/item.f90", ITEM),
    ("src/main.f90", MAIN),
    ("src/other.f90", OTHER),
    ("src/shop.f90", SHOP),
    ("src/shop_show.f90", SHOP_SHOW),
];

#[test]
fn a_name_means_what_a_used_module_declares_or_uses() {
    check(
        FILES,
        &[
            ("src/main.f90", "pay", &["src/shop.f90 shop.pay (import)"]),
            ("src/main.f90", "make", &["src/item.f90 item_mod.new_item (import)"]),
            ("src/main.f90", "item", &["src/item.f90 item_mod.item (import)"]),
            ("src/main.f90", "print", &["src/item.f90 item_mod.item.print (declared type)"]),
            ("src/main.f90", "price", &["src/item.f90 item_mod.item.price (declared type)"]),
            ("src/main.f90", "dgemm", &["blas/dgemm.f dgemm (only declaration)"]),
            ("src/main.f90", "n", &[]),
            ("src/item.f90", "print_item", &["src/item.f90 item_mod.print_item (same file)"]),
            ("src/shop.f90", "pay_one", &["src/shop.f90 shop.pay_one (same file)"]),
            ("src/shop_show.f90", "max_items", &["src/item.f90 item_mod.max_items (import)"]),
        ],
    );
}

#[test]
fn a_call_of_an_announced_procedure_means_its_body() {
    check(
        FILES,
        &[
            ("src/main.f90", "show", &["src/shop_show.f90 shop_show.show (import)"]),
            ("src/shop.f90", "show", &["src/shop_show.f90 shop_show.show (same file)"]),
        ],
    );
}

#[test]
fn names_are_the_same_in_any_case() {
    let segment = sources(FILES);
    let index = Index::whole(&segment);
    let graph = Graph::new(&index);
    for symbol in ["DGEMM", "dgemm", "Dgemm"] {
        let all = graph.find(symbol).unwrap().into_iter().map(|at| graph.declaration(at).unwrap());
        let found: Vec<u32> = all.map(|(_, row)| row.name_line).collect();
        assert_eq!(found, [2], "{symbol}");
    }
}
