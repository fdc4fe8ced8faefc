//! Names that are bound several times in a function, each time in another scope.

use super::check;

#[test]
fn a_name_has_the_type_that_its_own_scope_gives_it() {
    check(
        "go",
        "package a
func f() {
	r := NewRouter()
	r.A()
	r.B(func(w Writer, r *Request) {
		r.C()
		w.D()
	})
	r.E(func(r Router) {
		r.F(func(r *Request) { r.G() })
		r.H()
	})
	if r := find(); r != nil { r.I() }
	r.J()
}
func NewRouter() *Mux { return nil }
",
        &[
            "A of r: Mux",
            "B of r: Mux",
            "C of r: Request",
            "D of w: Writer",
            "E of r: Mux",
            "F of r: Router",
            "G of r: Request",
            "H of r: Router",
            "I of r: find()",
            "J of r: Mux",
        ],
    );
    check(
        "typescript",
        "function f(a: Cart) {
  a.one();
  list.each((a: Item) => a.two());
  for (const a of all) a.three();
  { const a = new Shop(); a.four(); }
  a.five();
}
",
        &[
            "each of list: ",
            "five of a: Cart",
            "four of a: Shop",
            "one of a: Cart",
            "three of a: ",
            "two of a: Item",
        ],
    );
    check(
        "java",
        "class A {
  void f(boolean b) {
    if (b) { Cart one = make(); one.a(); } else { Item one = make(); one.b(); }
    for (Shop one : all) { one.c(); }
  }
}
",
        &["a of one: Cart", "b of one: Item", "c of one: Shop"],
    );
}

#[test]
fn an_assignment_counts_in_the_scope_of_its_name() {
    check(
        "typescript",
        "function f() {
  let a = new Cart();
  a.one();
  a = new Shop();
  a.two();
  { let a = new Item(); a.three(); }
}
",
        &["one of a: Cart", "three of a: Item", "two of a: "],
    );
}

#[test]
fn a_pattern_gives_its_names_a_type() {
    check(
        "java",
        "class A {
  void f(Object o) {
    if (!(o instanceof Cart one)) return;
    one.a();
  }
  void g(Object o) {
    switch (o) { case Cart one -> one.b(); case Item one -> one.c(); default -> one.d(); }
    if (o instanceof Pair(Cart two, var three)) { two.e(); three.f(); }
  }
}
",
        &[
            "a of one: Cart",
            "b of one: Cart",
            "c of one: Item",
            "d of one: ",
            "e of two: Cart",
            "f of three: ",
        ],
    );
    check(
        "c-sharp",
        "class A {
  void F(object o, params Cart[] all) {
    if (o is Cart { Id: 1 } one) one.A();
    switch (o) { case Cart two: two.B(); break; case Item two: two.C(); break; }
  }
}
",
        &["A of one: Cart", "B of two: Cart", "C of two: Item"],
    );
    check("kotlin", "fun f(x: Any) { when (val one: Cart = x) { else -> one.a() } }\n", &["a of one: Cart"]);
    check("go", "package a\nfunc f() {\n\tconst one Kind = 1\n\tone.A()\n}\n", &["A of one: Kind"]);
    check(
        "c",
        "void f(struct ops *all, struct cart *(*find)(int)) { find(1)->pay(2); }\n",
        &["pay of find(): cart"],
    );
}
