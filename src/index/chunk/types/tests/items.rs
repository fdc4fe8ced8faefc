//! Tests of the types of items: loops, indexes, methods that return an item, and closures.

use super::check;

#[test]
fn items_of_go() {
    let text = "package a
type shop struct { carts []*Cart; byName map[string]Cart; lines chan log.Line; grid [3][]Cart }
func (s *shop) f(all []Cart, n int) {
\tfor i, c := range all { c.a(i) }
\tfor _, c := range s.carts { c.b() }
\tfor name, c := range s.byName { c.c(); name.d() }
\tfor line := range s.lines { line.e() }
\tfor i := range all { i.f() }
\tfor i := range n { i.g() }
\tall[0].h(); s.byName[\"x\"].i(); s.grid[1][2].j(); s.grid[0].k()
\tfirst := s.carts[0]; first.l()
\tmade := []Cart{}; for _, c := range made { c.m() }
}
";
    check(
        "go",
        text,
        &[
            "a of c: Cart",
            "b of c: Cart",
            "c of c: Cart",
            "d of name: ()",
            "e of line: log.Line",
            "f of i: ()",
            "g of i: ()",
            "h of (): Cart",
            "i of (): Cart",
            "j of (): Cart",
            "k of (): ()",
            "l of first: Cart",
            "m of c: Cart",
        ],
    );
}

#[test]
fn items_of_java() {
    let text = "class A {
  List<Cart> carts; Map<String, Cart> byName; Cart[][] grid; Optional<Cart> maybe; Store store;
  void f(Cart[] all, Store get) {
    for (var c : carts) { c.a(); }
    for (Shop c : carts) { c.b(); }
    for (final var c : all) { c.c(); }
    for (var c : byName.values()) { c.d(); }
    for (var e : byName) { e.e(); }
    for (var row : grid) { row.f(); for (var c : row) c.g(); }
    all[0].h(); carts.get(0).i(); byName.get(1).j(); grid[0][1].k(); maybe.orElseThrow().l();
    store.get(1).m(); carts.size().n(); grid[0].o();
  }
  Cart get(int at) { return null; }
}
";
    check(
        "java",
        text,
        &[
            "a of c: Cart",
            "b of c: Shop",
            "c of c: Cart",
            "d of c: Cart",
            "e of e: ",
            "f of row: ",
            "g of c: Cart",
            "get of byName: Map",
            "get of carts: List",
            "get of store: Store",
            "h of (): Cart",
            "i of carts.get(): Cart",
            "j of byName.get(): Cart",
            "k of (): Cart",
            "l of maybe.orElseThrow(): Cart",
            "m of store.get(): <Store>.get()",
            "n of carts.size(): <List>.size()",
            "o of (): ",
            "orElseThrow of maybe: Optional",
            "size of carts: List",
            "values of byName: Map",
        ],
    );
}

#[test]
fn items_of_c_sharp() {
    let text = "class A {
  List<Cart> carts; Dictionary<int, Cart> byName; Cart[] all;
  async Task F(IEnumerable<Cart> some, Task<Cart> one) {
    foreach (var c in carts) c.A();
    foreach (Cart c in byName.Values) c.B();
    foreach (var c in byName.Values) c.C();
    foreach (var e in byName) e.D();
    all[0].E(); byName[1].F(); carts.First().G(); some.Where(x => x.H()).First(y => y.I()).J();
    some.Select(x => x.K()); some.Select((x, i) => x.L()); other.Select(x => x.M());
  }
}
";
    check(
        "c#",
        text,
        &[
            "A of c: Cart",
            "B of c: Cart",
            "C of c: Cart",
            "D of e: ",
            "E of (): Cart",
            "F of (): Cart",
            "First of carts: List",
            "First of some.Where(): <IEnumerable>.Where()",
            "G of carts.First(): Cart",
            "H of x: Cart",
            "I of y: Cart",
            "J of some.Where().First(): Cart",
            "K of x: Cart",
            "L of x: Cart",
            "M of x: ",
            "Select of other: ",
            "Select of some: IEnumerable",
            "Where of some: IEnumerable",
        ],
    );
}

#[test]
fn items_of_kotlin() {
    let text = "class A(val carts: List<Cart>, val byName: Map<String, Cart>) {
  fun f(maybe: Cart?, other: Shop) {
    for (c in carts) c.a()
    for (c in byName.values) c.b()
    carts[0].c(); byName[1].d(); carts.first().e()
    carts.forEach { it.f() }
    carts.map { c -> c.g() }
    carts.filter { it.h() }.map { it.i() }
    maybe?.let { it.j() }
    other.run { it.k() }
    for ((key, c) in byName) c.l()
  }
}
";
    check(
        "kotlin",
        text,
        &[
            "a of c: Cart",
            "b of c: Cart",
            "c of (): Cart",
            "d of (): Cart",
            "e of carts.first(): Cart",
            "f of it: Cart",
            "filter of carts: List",
            "first of carts: List",
            "forEach of carts: List",
            "g of c: Cart",
            "h of it: Cart",
            "i of it: Cart",
            "j of it: Cart",
            "k of it: ",
            "l of c: ",
            "let of maybe: Cart",
            "map of carts: List",
            "map of carts.filter(): <List>.filter()",
            "run of other: Shop",
        ],
    );
}

#[test]
fn items_of_typescript() {
    let text = "class A {
  carts: Cart[] = []
  f(all: readonly Cart[], byName: Map<string, Cart>, many: Set<Cart>, later: Promise<Cart>) {
    for (const c of this.carts) c.a()
    for (const c of byName.values()) c.b()
    for (const key in all) key.c()
    for (const [key, c] of byName) c.d()
    all[0].e(); byName.get('x')?.f(); many.forEach(c => c.g()); all.map((c) => c.h())
    all.filter(c => c.i()).map(c => c.j()); all.map(({ x }) => x.k()); all.map((c: Shop) => c.l())
    later.then(c => c.m()); other.map(c => c.n()); all.find(c => c.o())!.p()
    all.map(function (c) { return c.q() })
  }
}
";
    check(
        "typescript",
        text,
        &[
            "a of c: Cart",
            "b of c: Cart",
            "c of key: ",
            "d of c: ",
            "e of (): Cart",
            "f of byName.get(): Cart",
            "filter of all: ",
            "find of all: ",
            "forEach of many: Set",
            "g of c: Cart",
            "get of byName: Map",
            "h of c: Cart",
            "i of c: Cart",
            "j of c: Cart",
            "k of x: ",
            "l of c: Shop",
            "m of c: Cart",
            "map of all: ",
            "map of all.filter(): ",
            "map of other: ",
            "n of c: ",
            "o of c: Cart",
            "p of all.find(): Cart",
            "q of c: Cart",
            "then of later: Promise",
            "values of byName: Map",
        ],
    );
}

#[test]
fn items_of_python() {
    let text = "class A:
    carts: list[Cart]
    def f(self, all: Sequence[Cart], by_name: Dict[str, Cart], other):
        for c in self.carts: c.a()
        for c in by_name.values(): c.b()
        for key in by_name: key.c()
        for key, c in by_name.items(): c.d()
        all[0].e(); by_name['x'].f(); self.carts.pop().g()
        [c.h() for c in all if c.i()]
        any(c.j() for c in self.carts)
        {c.k(): 1 for c in other}
        c = Shop()
        [c.l() for c in all]
        c.m()
";
    check(
        "python",
        text,
        &[
            "a of c: Cart",
            "b of c: Cart",
            "c of key: ",
            "d of c: ",
            "e of (): Cart",
            "f of (): Cart",
            "g of self.carts.pop(): Cart",
            "h of c: Cart",
            "i of c: Cart",
            "items of by_name: Dict",
            "j of c: Cart",
            "k of c: ",
            "l of c: Cart",
            "m of c: ",
            "pop of self.carts: list",
            "values of by_name: Dict",
        ],
    );
}

#[test]
fn items_of_rust() {
    let text = "struct A { carts: Vec<Cart>, by_name: HashMap<String, Arc<Cart>> }
impl A {
    fn f(&self, all: &[Cart], some: [Cart; 3], maybe: Option<Cart>) {
        for c in &self.carts { c.a(); }
        for c in self.carts.iter().rev() { c.b(); }
        for c in all { c.c(); }
        for c in self.by_name.values() { c.d(); }
        for (key, c) in &self.by_name { c.e(); }
        for (i, c) in all.iter().enumerate() { c.f(); }
        all[0].g(); some[1].h(); self.by_name[\"x\"].i();
        all.iter().map(|c| c.j()); self.carts.iter().filter(|&c| c.k()).any(|c| c.l());
        maybe.as_ref().map(|c| c.m()); all.iter().map(|(i, c)| c.n());
    }
}
";
    check(
        "rust",
        text,
        &[
            "a of c: Cart",
            "any of self.carts.iter().filter(): <Vec>.iter().filter()",
            "as_ref of maybe: Option",
            "b of c: Cart",
            "c of c: Cart",
            "d of c: Cart",
            "e of c: ",
            "enumerate of all.iter(): ",
            "f of c: ",
            "filter of self.carts.iter(): <Vec>.iter()",
            "g of (): Cart",
            "h of (): Cart",
            "i of (): Cart",
            "iter of all: ",
            "iter of self.carts: Vec",
            "j of c: Cart",
            "k of c: Cart",
            "l of c: Cart",
            "m of c: Cart",
            "map of all.iter(): ",
            "map of maybe.as_ref(): Cart",
            "n of c: ",
            "rev of self.carts.iter(): <Vec>.iter()",
            "values of self.by_name: HashMap",
        ],
    );
}

#[test]
fn items_of_cpp() {
    let text = "class A { std::vector<Cart> carts; std::map<int, Cart*> by_name;
  void f(const std::vector<std::unique_ptr<Cart>>& all) {
    for (auto& c : carts) c.a();
    for (const auto& c : all) c->b();
    for (const Shop& c : all) c.c();
    for (auto& [k, c] : by_name) c->d();
    carts[0].e(); by_name[1]->f(); all.at(0)->g(); carts.back().h();
  }
};
";
    check(
        "cpp",
        text,
        &[
            "a of c: Cart",
            "at of all: std::vector",
            "b of c: Cart",
            "back of carts: std::vector",
            "c of c: Shop",
            "d of c: ",
            "e of (): Cart",
            "f of (): Cart",
            "g of all.at(): Cart",
            "h of carts.back(): Cart",
        ],
    );
}

#[test]
fn items_of_swift() {
    let text = "class A {
  var carts: [Cart] = []
  var byName: [String: Cart] = [:]
  func f(all: Array<Cart>) {
    for c in carts { c.a() }
    for c in all { c.b() }
    for (key, c) in byName { c.c() }
    for c in byName.values { c.d() }
  }
}
";
    check("swift", text, &["a of c: Cart", "b of c: Cart", "c of c: ", "d of c: Cart"]);
}
