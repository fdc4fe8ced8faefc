//! Tests of declared types, by language: calls with the types of their receivers.
//!
//! Each language's table gets one sample; the last tests are about types that must stay unknown.

#![allow(clippy::unwrap_used)]

mod items;
mod scopes;

use crate::index::chunk::{ChunkOptions, Language, ReferenceKind, chunk};

/// Returns the calls with a qualifier in a text, as `name of qualifier: type`.
fn calls(language: &str, text: &str) -> Vec<String> {
    let file = chunk(Language::from_name(language).unwrap(), text, &ChunkOptions::default());
    let calls = file.references.iter();
    let calls = calls.filter(|one| one.kind == ReferenceKind::Call && !one.qualifier.is_empty());
    calls.map(|one| format!("{} of {}: {}", one.name, one.qualifier, one.alias)).collect()
}

pub(super) fn check(language: &str, text: &str, expected: &[&str]) {
    if Language::from_name(language).is_some_and(|language| !language.lacks_grammar()) {
        assert_eq!(calls(language, text), expected, "{language}");
    }
}

#[test]
fn java() {
    let text = "class A extends B {
        private final Log log;
        static Pool pool = new Pool();
        A(Log log) { this.log = log; }
        Log log() { return log; }
        void f(List<Log> all, Log other) {
            log.a(1); this.log.b(); other.c(); all.d(); log().e(); this.log().f();
            var made = new Made(); made.g(); new Made(1).h(); pool.i().j(); find(x).k();
            for (Log one : all) { one.l(); }
            if (x instanceof Cat cat) cat.m();
            ((Dog) x).n(); Static.o(); super.p(); (a + b).q(); unknown.r();
        }
    }";
    check(
        "java",
        text,
        &[
            "a of log: Log",
            "b of this.log: Log",
            "c of other: Log",
            "d of all: List",
            "e of log(): Log",
            "f of this.log(): Log",
            "g of made: Made",
            "h of Made(): Made",
            "i of pool: Pool",
            "j of pool.i(): <Pool>.i()",
            "k of find(): ",
            "l of one: Log",
            "log of this: ",
            "m of cat: Cat",
            "n of (): Dog",
            "o of Static: ",
            "p of super: ",
            "q of (): ",
            "r of unknown: ",
        ],
    );
}

#[test]
fn kotlin() {
    let text = "class A(private val log: Log, size: Int) {
    val pool = Pool()
    private var other: Other? = null
    fun opened(): Log = log
    fun f(x: Ant) {
        log.a()
        pool.b()
        other?.c()
        x.d()
        opened().e()
        this.log.f()
        val made = Made(1)
        made.g()
        Made().h()
        made.also { }.i()
        (x as Bee).j()
    }
}
fun Ant.twice() = 1
";
    check(
        "kotlin",
        text,
        &[
            "a of log: Log",
            "also of made: Made",
            "b of pool: Pool",
            "c of other: Other",
            "d of x: Ant",
            "e of opened(): Log",
            "f of this.log: Log",
            "g of made: Made",
            "h of Made(): Made",
            "i of made.also(): Made",
            "j of (): Bee",
        ],
    );
}

#[test]
fn scala() {
    let text = "class A(log: Log) {
  private val pool = new Pool(1)
  val other: Other = find()
  def open(): Log = log
  def f(x: Option[Ant], y: Bee): Unit = {
    log.a(1); pool.b(1); other.c(1); x.d(1); y.e(1); open().f(1); this.log.g(1)
    val made = Made(1)
    made.h(1); new Made(2).i(1)
  }
}
";
    check(
        "scala",
        text,
        &[
            "a of log: Log",
            "b of pool: Pool",
            "c of other: Other",
            "d of x: Option",
            "e of y: Bee",
            "f of open(): Log",
            "g of this.log: Log",
            "h of made: Made",
            "i of Made(): Made",
        ],
    );
}

#[test]
fn c_sharp() {
    let text = "class A {
    private readonly Log _log; Other Next { get; set; }
    Log Open() { return _log; }
    void F(IList<Ant> all, Bee y) {
        _log.A(); Next.B(); all.C(); y.D(); Open().E(); this._log.F();
        var made = new Made(); made.G(); new Made().H();
        foreach (Ant x in all) { x.I(); }
        if (y is Cow z) { z.J(); }
        (y as Elk).K(); Static.Create().L(); var s = Static.Create(); s.M();
    }
}";
    check(
        "c-sharp",
        text,
        &[
            "A of _log: Log",
            "B of Next: Other",
            "C of all: IList",
            "Create of Static: ",
            "D of y: Bee",
            "E of Open(): Log",
            "F of this._log: Log",
            "G of made: Made",
            "H of Made(): Made",
            "I of x: Ant",
            "J of z: Cow",
            "K of (): Elk",
            "L of Static.Create(): ",
            // Another file may know the type of this call's receiver.
            "M of s: Static.Create()",
        ],
    );
}

#[test]
fn cpp() {
    let text =
        "class A { Log* log_; std::unique_ptr<Sink> sink_; Log* open(); void f(const Ant& x, Bee y); };
void A::f(const Ant& x, Bee y) {
  log_->a(); sink_->b(); x.c(); y.d(); open()->e(); this->log_->g();
  auto made = new Made(); made->h(); Cow z(1); z.i(); ns::T t; t.j(); int n, *m; Made().k();
}
";
    check(
        "cpp",
        text,
        &[
            "a of log_: Log",
            "b of sink_: Sink",
            "c of x: Ant",
            "d of y: Bee",
            "e of open(): Log",
            "g of this->log_: Log",
            "h of made: Made",
            "i of z: Cow",
            "j of t: ns::T",
            "k of Made(): ",
        ],
    );
}

#[test]
fn c() {
    check(
        "c",
        "struct ops { int (*read)(int); };\nvoid f(struct ops *ops, log_t log) { ops->read(1); log.write(2); }\n",
        &["read of ops: ops", "write of log: log_t"],
    );
}

#[test]
fn go() {
    let text = "package a
type Server struct { log *Log; pool pkg.Pool }
func NewServer() (*Server, error) { return &Server{}, nil }
func (s *Server) open() *Log { return s.log }
func (s *Server) F(x Ant, all []Ant) {
	s.log.A(); s.pool.B(); x.C(); all[0].D(); s.open().E(); s.G()
	made := &Made{}
	made.H()
	server, err := NewServer()
	server.I(); err.J()
	var y Bee
	y.K(); y.(Cow).L(); fmt.M()
}
";
    check(
        "go",
        text,
        &[
            "A of s.log: Log",
            "B of s.pool: pkg.Pool",
            "C of x: Ant",
            "D of (): Ant",
            "E of s.open(): Log",
            "G of s: Server",
            "H of made: Made",
            "I of server: Server",
            "J of err: ()",
            "K of y: Bee",
            "L of (): Cow",
            "M of fmt: ",
            "open of s: Server",
        ],
    );
}

#[test]
fn rust() {
    let text = "struct A { log: Arc<Log>, pool: Option<Pool> }
impl A {
    fn new() -> Self { Self { log: Log::new() } }
    fn open(&self) -> Result<Log, Error> { todo!() }
    fn f(&self, x: &mut Ant, all: Vec<Ant>) -> Result<()> {
        self.log.a(); self.pool.as_ref().unwrap().b(); x.c(); all.d(); self.open()?.e(); self.g();
        let made = Made::new(); made.h();
        let own = Self::new(); own.i(); A::new().j(); let lit = Lit { x: 1 }; lit.k();
        assert!(self.log.l(), x.m(1).n());
        crate::log::Sink::default().o();
        let copy = x.clone(); copy.p();
    }
}
";
    check(
        "rust",
        text,
        &[
            "a of self.log: Log",
            "as_ref of self.pool: Option",
            "b of self.pool.as_ref().unwrap(): Pool",
            "c of x: Ant",
            "clone of x: Ant",
            "d of all: Vec",
            "default of crate::log::Sink: ",
            "e of self.open()?: Log",
            "g of self: ",
            "h of made: Made",
            "i of own: A",
            "j of A::new(): A",
            "k of lit: Lit",
            "l of self.log: Log",
            "m of x: Ant",
            "n of (): ",
            "new of A: ",
            "new of Log: ",
            "new of Made: ",
            "new of Self: ",
            "o of crate::log::Sink::default(): crate::log::Sink",
            "open of self: ",
            "p of copy: Ant",
            "unwrap of self.pool.as_ref(): Pool",
        ],
    );
}

#[test]
fn typescript() {
    let text = "class A {
  private pool = new Pool(); other?: Other;
  constructor(private readonly log: Log, x: Ant) { this.kept = x; }
  kept: Ant;
  open(): Promise<Log> { return this.log; }
  f(y: Bee | null, all: Ant[]) {
    this.log.a(); this.pool.b(); this.other?.c(); this.kept.d(); this.open().e(); y.f(); all.g();
    const made = new Made(); made.h(); new Made().i(); (y as Cow).j();
    const z: Cow = find(); z.k(); find().l(); m.n().o();
  }
}
";
    check(
        "typescript",
        text,
        &[
            "a of this.log: Log",
            "b of this.pool: Pool",
            "c of this.other: Other",
            "d of this.kept: Ant",
            "e of this.open(): Promise",
            "f of y: Bee",
            "g of all: ",
            "h of made: Made",
            "i of Made(): Made",
            "j of (): Cow",
            "k of z: Cow",
            "l of find(): ",
            "n of m: ",
            "o of m.n(): ",
            "open of this: ",
        ],
    );
}

#[test]
fn javascript() {
    check(
        "javascript",
        "class A { log = new Log(); constructor() { this.pool = new Pool(); }
          f() { this.log.a(); this.pool.b(); const x = new Ant(); x.c(); x = other(); x.d(); } }\n",
        &["a of this.log: Log", "b of this.pool: Pool", "c of x: Ant", "d of x: "],
    );
}

#[test]
fn python() {
    let text = "import httpx
client = httpx.Client()
class A(B):
    def __init__(self, log: Log, pool: Optional[\"Pool\"] = None, n=1):
        self.log = log
        self.pool = pool or Pool()
        self.made: Made = make()
        self.sink = Sink(n)
    def open(self) -> Log:
        return self.log
    def f(self, x: Ant | None, n: int):
        super().f()
        self.log.a(); self.made.b(); self.sink.c(); x.d(); self.open().e(); self.g()
        made = Made(); made.h(); Made().i(); client.j(); httpx.Client().k(); httpx.get().l()
        x = other()
        x.m(); ''.join(1); n.o(); [1][0].p()
        log = self.log
        log.q()
";
    check(
        "python",
        text,
        &[
            "Client of httpx: ",
            "a of self.log: Log",
            "b of self.made: Made",
            "c of self.sink: Sink",
            "d of x: Ant",
            "e of self.open(): Log",
            "f of super(): A",
            "g of self: A",
            "get of httpx: ",
            "h of made: Made",
            "i of Made(): Made",
            "j of client: httpx.Client",
            "join of \"\": ",
            "k of httpx.Client(): httpx.Client",
            "l of httpx.get(): ",
            // Its declared type counts, whatever is assigned to it.
            "m of x: Ant",
            "o of n: int",
            "open of self: A",
            "p of (): ",
            "q of log: Log",
        ],
    );
}

#[test]
fn php() {
    let text = "<?php
class A {
    private Log $log;
    public function __construct(private Pool $pool, ?Sink $sink) { $this->sink = $sink; }
    function open(): Log { return $this->log; }
    function f(Ant $x) {
        $this->log->a(); $this->pool->b(); $this->sink->c(); $x->d(); $this->open()->e();
        $made = new Made(); $made->g(); (new Made())->h(); $unknown->i();
    }
}
";
    check(
        "php",
        text,
        &[
            "a of $this->log: Log",
            "b of $this->pool: Pool",
            "c of $this->sink: Sink",
            "d of $x: Ant",
            "e of $this->open(): Log",
            "g of $made: Made",
            "h of Made(): Made",
            "i of $unknown: ",
            "open of $this: ",
        ],
    );
}

#[test]
fn swift() {
    let text = "class A {
    let log: Log
    var pool = Pool()
    func open() -> Log { return log }
    func f(x: Ant, with y: Bee?) {
        log.a(); pool.b(); x.c(); y?.d(); open().e(); self.log.f()
        let made = Made(); made.g(); Made().h()
    }
}
";
    check(
        "swift",
        text,
        &[
            "a of log: Log",
            "b of pool: Pool",
            "c of x: Ant",
            "d of y: Bee",
            "e of open(): Log",
            "f of self.log: Log",
            "g of made: Made",
            "h of Made(): Made",
        ],
    );
}

#[test]
fn dart() {
    let text = "class A {
  final Log log;
  Pool pool = Pool();
  A(this.log);
  Log open() { return log; }
  void f(Ant x, {Bee? y}) {
    log.a(); pool.b(); x.c(); y?.d(); open().e(); this.log.f();
    final made = Made(); made.g(); Cow z = find(); z.h();
  }
}
";
    check(
        "dart",
        text,
        &[
            "a of log: Log",
            "b of pool: Pool",
            "c of x: Ant",
            "d of y: Bee",
            "e of open(): Log",
            "f of this.log: Log",
            "g of made: Made",
            "h of z: Cow",
        ],
    );
}

#[test]
fn ruby() {
    check(
        "ruby",
        "class A\n  def initialize\n    @log = Log.new\n  end\n  def f\n    @log.a\n    x = Ant::Bee.new(1)\n    x.b\n    Cow.new.c\n  end\nend\n",
        &["Bee of Ant: ", "a of @log: Log", "b of x: Ant::Bee", "c of Cow.new: Cow"],
    );
}

#[test]
fn what_is_not_sure_is_not_told() {
    // Two types on two paths, a name that hides another, destructuring, names of parameters.
    check(
        "python",
        "client = Client()
def f(p: Point, dsn, client, log: Log):
    if dsn:
        store = Sql(dsn)
    else:
        store = Memory()
    store.a()
    client.b()
    first, second = p.coords
    first.c()
    log = None
    log.d()
    for p in dsn:
        p.e()
    with Sink() as sink:
        sink.f()
class A:
    def __init__(self):
        self.log = Log()
        self.kept = None
        self.kept = Sink()
    def f(self, x):
        self.log = x
        self.log.g()
        self.kept.h()
",
        &[
            "a of store: ",
            // It hides the name at the top of the file.
            "b of client: ()",
            "c of first: ",
            "d of log: Log",
            "e of p: ",
            "f of sink: Sink",
            "g of self.log: ",
            "h of self.kept: Sink",
        ],
    );
    check(
        "rust",
        "struct A<Item> { item: Item }
impl<Item> A<Item> {
    fn f(&self, expr: &Expr, all: Vec<Log>) {
        if let Expr::Paren(expr) = expr { expr.a(); }
        all.zip(|log| log.b());
        self.item.c();
        let (one, two) = all.d();
        one.e();
    }
}
",
        &["a of expr: ", "b of log: ", "c of self.item: ", "d of all: Vec", "e of one: ", "zip of all: Vec"],
    );
    check(
        "java",
        "class A<Key> {
    Log get(int x) { return null; } Sink get(String x) { return null; } Key key;
    void f(Log log) { get(1).a(); key.b(); all(log -> log.c()); try { } catch (Bad | Worse e) { e.d(); } }
}
",
        &["a of get(): ", "b of key: ", "c of log: ", "d of e: "],
    );
    check(
        "go",
        "package a
func f(v any) {
	one, two := Log{}, Sink{}
	one.A(); two.B()
	switch v := v.(type) { case Log: v.C() }
	for _, log := range all() { log.D() }
}
",
        &["A of one: Log", "B of two: Sink", "C of v: ()", "D of log: ()"],
    );
    check(
        "typescript",
        "class A { open(): Promise<Log> { return x }
          async f<Item>(item: Item, log: Log) {
            (await this.open()).a(); item.b(); log = null; log.c();
            const found = await this.open(); found.d(); all.map(log => log.e()); } }
",
        &[
            "a of this.open()?: Log",
            "b of item: ",
            "c of log: Log",
            "d of found: Log",
            "e of log: ",
            "map of all: ",
            "open of this: ",
        ],
    );
}

#[test]
fn members_that_are_assigned_from_each_other_take_no_time() {
    let text = format!(
        "class A:\n    def f(self):\n{}        self.x.go()\n",
        "        self.x = self.x\n".repeat(500)
    );
    check("python", &text, &["go of self.x: "]);
}
