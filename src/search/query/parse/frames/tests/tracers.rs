//! A sample of a trace for each tracer, with the frames that are read from it.

use crate::search::query::parse::paths::named_paths;

/// Returns the frames in a text, as `path:line function`, without what is absent.
fn frames(text: &str) -> Vec<String> {
    let frame = |path: crate::search::query::parse::paths::NamedPath| {
        let line = path.line.map(|line| format!(":{line}")).unwrap_or_default();
        let function = path.function.map(|name| format!(" {name}")).unwrap_or_default();
        let package = if path.package.is_empty() { String::new() } else { format!("{}|", path.package) };
        format!("{package}{}{line}{function}", path.path)
    };
    named_paths(text).into_iter().map(frame).collect()
}

/// Asserts the frames of traces: the tracer, the trace, and its frames.
fn assert_frames(traces: &[(&str, &str, &[&str])]) {
    let wrong = traces.iter().filter_map(|(tracer, text, expected)| {
        let found = frames(text);
        (found != *expected).then(|| format!("{tracer}:\n  found    {found:?}\n  expected {expected:?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn frames_of_native_code_are_read() {
    assert_frames(&[
        (
            "glibc",
            "redis-server *:6379(streamIteratorGetID+0x5a)[0x55f1d2a6b8da]\n/usr/bin/p(+0x1b)[0x55f1]\n",
            &[" streamIteratorGetID", "usr/bin/p"],
        ),
        (
            "gdb",
            "#0  Entry::items (this=0x0) at /src/me/src/Entry.cpp:622\n\
             #1  0x00005555557d1a3c in A::f(int, char const*) const (this=0x0) at ../a.cpp:12\n\
             #2  0x00007ffff5abc3d1 in Q::activate(Q*, int, void**) () from /usr/lib/libQt5.so.5\n\
             #3  <signal handler called>\n#4  0x0000 in ?? ()\n",
            &["src/me/src/Entry.cpp:622 Entry.items", "a.cpp:12 A.f", " Q.activate"],
        ),
        (
            "valgrind",
            "==123== Invalid read of size 8\n==123==    at 0x4C2E0A1: A::f() const (A.cpp:622)\n\
             ==123==    by 0x10915E: main (b.cpp:12)\n\
             ==123==    by 0x5A1: Q::event(QEvent*) (in /usr/lib/libQt5.so.5)\n\
             ==123==  Address 0x0 is not stack'd, malloc'd or (recently) free'd\n",
            &["A.cpp:622 A.f", "b.cpp:12 main", " Q.event"],
        ),
        (
            "lldb",
            "* thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS\n  \
             * frame #0: 0x0000000100003f5c Prog`A::f(this=0x0, n=3) at A.cpp:622:12\n    \
             frame #1: 0x000000018d2a dyld`start + 2236\n",
            &["A.cpp:622 A.f", " start"],
        ),
        (
            "Visual Studio",
            ">\tprog.exe!A::f(int n) Line 622\tC++\n\
             \x20\tprog.exe!main(int argc, char * * argv) Line 12 + 0x1f bytes\n",
            &[" A.f", " main"],
        ),
        (
            "WinDbg",
            "00 000000d6`1b2ff7a8 00007ff6`12ab34cd prog!A::f+0x1a [C:\\src\\a.cpp @ 622] \n\
             01 000000d6`1b2ff7b0 00007ff6`12ab34ce prog!g+0x2b\n",
            &["C:/src/a.cpp:622 A.f", " g"],
        ),
        (
            "Breakpad",
            " 0  prog.exe!A::f(int) [a.cpp : 622 + 0x12]\n 1  libxul.so!g + 0x1f\n",
            &["a.cpp:622 A.f", " g"],
        ),
        (
            "ASan, UBSan",
            "==31337==ERROR: AddressSanitizer: heap-use-after-free on address 0x60d0 at pc 0x7f3c bp 0x7ffd\n\
             READ of size 8 at 0x60d000000a40 thread T0\n    \
             #0 0x7f3c1b2a9d11 in Curl_hsts /src/u/curl/lib/hsts.c:249:12\n    \
             #1 0x7f3c in a::B<int, char>::f(std::string const&, int) /p/b.cpp:12\n    \
             #2 0x7f3c in void g<int>(int) /p/c.cpp:3\n    #3 0x55d0 in _start (/p/prog+0x1f)\n\
             0x60d000000a40 is located 0 bytes inside of 136-byte region\n\
             /p/d.c:12:3: runtime error: signed integer overflow\n",
            &["src/u/curl/lib/hsts.c:249 Curl_hsts", "p/b.cpp:12 B.f", "p/c.cpp:3 g", " _start", "p/d.c:12"],
        ),
    ]);
}

#[test]
fn frames_of_sanitizers_and_libraries_are_read() {
    assert_frames(&[
        (
            "TSan",
            "  Write of size 4 at 0x7b04 by thread T1:\n    #0 A::f(int) /p/a.cc:12:3 (prog+0x4b1)\n    \
             #1 main b.cc:3 (prog+0x4b2)\n",
            &["p/a.cc:12 A.f", "b.cc:3 main"],
        ),
        (
            "perf",
            "\tffffffff8104f5e4 do_select+0x14 ([kernel.kallsyms])\n\
             \t    55d0c2b1a1f2 serve_all (/usr/bin/prog)\n",
            &[" do_select", " serve_all"],
        ),
        (
            "systemd-coredump",
            "#0  0x00007f1c decode_frame (libfoo.so.1 + 0x1234)\n#1  0x00007f1d n/a (prog + 0x12)\n",
            &[" decode_frame"],
        ),
        ("Boost", " 0# A::f(int) at /src/a.cpp:12\n 1# main in ./prog\n", &["src/a.cpp:12 A.f"]),
        (
            "glog",
            "*** SIGSEGV (@0x0) received by PID 12 ***\nPC: @     0x55d0c2b1 a::B::f()\n\
             \x20   @     0x7f1234 c::g()\n    @ 0x0 (unknown)\n",
            &[" B.f", " c.g"],
        ),
        (
            "Android",
            "#00 pc 0001a2b4  /system/lib/libmedia.so (decode_frame+120)\n\
             #01 pc 00b3  /data/app/base.apk!libfoo.so (A::f(int)+12) (BuildId: 1a2b)\n",
            &[" decode_frame", " A.f"],
        ),
        (
            "macOS, Swift",
            "0   MyApp   0x00000001 FeedView.load(_:) + 44 (FeedView.swift:12)\n\
             1   Google Chrome Framework   0x00000002 ChromeMain + 120\n",
            &["FeedView.swift:12 FeedView.load", " ChromeMain"],
        ),
        (
            "Swift on Linux",
            "main.swift:3: Fatal error: Index out of range\n\
             0 [ra] 0x000055d0 Feed.load(_:) + 12 in prog at /src/Feed.swift:12:5\n",
            &["main.swift:3", "src/Feed.swift:12 Feed.load"],
        ),
        (
            "Rust with debug information",
            "   2: acme::b::run\n             at ./src/b.rs:12:5\n   \
             3: <acme::Foo as core::fmt::Display>::fmt\n             at ./src/c.rs:3:5\n   \
             4: acme::d::walk::{{closure}}\n             at ./src/d.rs:4:5\n",
            &["src/b.rs:12 b.run", "src/c.rs:3 Foo.fmt", "src/d.rs:4 d.walk"],
        ),
        (
            "Rust without debug information",
            "   0: rust_begin_unwind\n   1: core::panicking::panic_fmt\n   2: acme::b::run\n  \
             12:     0x55d0c2b1 - acme::b::walk::h0123456789abcdef\n  \
             13: <acme::Foo as acme::Step>::step\n",
            &[" b.run", " b.walk", " Foo.step"],
        ),
        ("Zig", "/src/a.zig:12:5: 0x1034 in f (prog)\n", &["src/a.zig:12 f"]),
    ]);
}

#[test]
fn frames_of_managed_code_are_read() {
    assert_frames(&[
        (
            "Java",
            "\tat org.acme.Foo$Bar.run(Foo.java:123)\n\
             \tat app//org.acme.Foo.lambda$walk$0(Foo.java:5)\n\
             \tat java.base/java.util.ArrayList.forEach(ArrayList.java:1)\n\
             \t... 12 more\n",
            &[
                "org/acme|Foo.java:123 Bar.run",
                "org/acme|Foo.java:5 Foo.walk",
                "java/util|ArrayList.java:1 ArrayList.forEach",
            ],
        ),
        (
            "Kotlin, Scala, Clojure",
            "\tat com.x.Foo$bar$1.invokeSuspend(Foo.kt:12)\n\
             \tat a.b.C$.$anonfun$run$1(C.scala:3)\n\tat a.core$handler.invokeStatic(core.clj:4)\n",
            &["com/x|Foo.kt:12 Foo.bar", "a/b|C.scala:3 C.run", "a|core.clj:4 core.handler"],
        ),
        ("R8", "    at com.acme.Foo.run(SourceFile:12)\n", &[" Foo.run"]),
        (
            ".NET",
            "   at A.B.C.Run(String name, Int32 n) in /src/C.cs:line 12\n\
             --- End of stack trace from previous location ---\n   \
             at A.B.C.<RunAsync>d__5.MoveNext() in C:\\src\\C.cs:line 3\n   \
             at A.B.C.<>c__DisplayClass5_0.<Walk>b__0(Int32 x) in /src/C.cs:line 4\n",
            &["src/C.cs:12 C.Run", "C:/src/C.cs:3 C.RunAsync", "src/C.cs:4 C.Walk"],
        ),
        (
            "Mono, Unity",
            "  at A.B.Run (System.String s) [0x00012] in /src/B.cs:12\n\
             A.B.Foo:Bar(Int32) (at Assets/Foo.cs:12)\n",
            &["src/B.cs:12 B.Run", "Assets/Foo.cs:12 Foo.Bar"],
        ),
        (
            "Go",
            "goroutine 57 [running]:\nmain.(*T).f(0xc0001, {0x1, 0x2})\n\t/src/a.go:12 +0x3f2\n\
             main.run.func1()\n\t/src/b.go:3 +0x1d\nmain.walk[...]({0x1})\n\t/src/c.go:4 +0x1d\n\
             created by a/b.newClient in goroutine 41\n\t/src/d.go:5 +0x1e\n",
            &[
                "src/a.go:12 T.f",
                "src/b.go:3 main.run",
                "src/c.go:4 main.walk",
                "a/b.newClient",
                "src/d.go:5 b.newClient",
            ],
        ),
        (
            "Go's race detector",
            "WARNING: DATA RACE\nWrite at 0x00c0 by goroutine 7:\n  main.(*T).f()\n\
             \x20     /src/a.go:12 +0x1d\n",
            &["src/a.go:12 T.f"],
        ),
        ("Delve", "0  0x0000000000499c8b in main.run\n   at ./a.go:12\n", &["a.go:12 main.run"]),
        (
            "Dart",
            "#0      Foo.bar (package:app/src/foo.dart:12:5)\n<asynchronous suspension>\n\
             #1      main.<anonymous closure> (file:///p/bin/x.dart:3:1)\n",
            &["app/lib/src/foo.dart:12 Foo.bar", "p/bin/x.dart:3 main"],
        ),
    ]);
}

#[test]
fn frames_of_scripts_are_read() {
    assert_frames(&[
        (
            "Python",
            "Traceback (most recent call last):\n  File \"/a/b.py\", line 12, in f\n    g(1)\n\
             \x20 File \"/a/b.py\", line 3, in <module>\n",
            &["a/b.py:12 f", "a/b.py:3"],
        ),
        (
            "Python's groups of exceptions",
            "  + Exception Group Traceback (most recent call last):\n\
             \x20 |   File \"/a/b.py\", line 12, in f\n  \
             |     raise X\n    | File \"/a/c.py\", line 3, in g\n",
            &["a/b.py:12 f", "a/c.py:3 g"],
        ),
        ("faulthandler", "  File \"/a/b.py\", line 12 in f\n", &["a/b.py:12 f"]),
        (
            "pytest",
            "src/a.py:12: in test_f\n    g()\nsrc/b.py:3: AssertionError\n",
            &["src/a.py:12 test_f", "src/b.py:3"],
        ),
        ("py-spy", "    wait_all (acme/pool.py:12)\n", &["acme/pool.py:12 wait_all"]),
        ("IPython", "File ~/x/a.py:12, in f(self, n)\n", &["~/x/a.py:12 f"]),
        ("pdb", "> /src/a.py(12)f()\n-> g()\n", &["src/a.py:12 f"]),
        (
            "Node.js, Deno, Bun",
            "    at async f (file:///p/a.js:1:2)\n    at new Foo (/p/b.js:3:2)\n    \
             at Layer.handle [as x] (/p/c.js:4:5)\n    at Object.<anonymous> (/p/d.js:5:1)\n    \
             at async file:///p/e.ts:6:1\n    at node:internal/main/run:17:47\n",
            &["p/a.js:1 f", "p/b.js:3 Foo", "p/c.js:4 Layer.handle", "p/d.js:5", "p/e.ts:6"],
        ),
        (
            "Firefox, Safari",
            "A.f@http://localhost/src/a.js:1:2\nasync*g/<@file:///p/b.js:3:4\nmap@[native code]\n\
             @http://l/c.js:5:1\n",
            &["src/a.js:1 A.f", "p/b.js:3 g", "c.js:5"],
        ),
        ("Chrome's console", "f @ a.js:12\n(anonymous) @ b.js:3\n", &["a.js:12 f", "b.js:3"]),
        ("Hermes", "    at f (address at index.android.bundle:1:2045)\n", &[" f"]),
        (
            "PHP",
            "PHP Fatal error:  Uncaught TypeError: trim(): null given in /app/src/Git.php:291\n\
             Stack trace:\n\
             #0 /app/src/Git.php(291): trim(NULL)\n#1 /app/src/Git.php(310): A\\Git->sync('x')\n\
             #2 /app/src/Down.php(74): A\\Git->fetch('x')\n#3 {main}\n\
             \x20 thrown in /app/src/Git.php on line 291\n",
            &["app/src/Git.php:291 Git.sync", "app/src/Git.php:310 Git.fetch", "app/src/Down.php:74"],
        ),
        (
            "PHP, thrown by the program",
            "RuntimeException: gone in /app/a.php:12\nStack trace:\n#0 /app/b.php(30): A->f()\n\
             #1 [internal function]: {closure}(1)\n#2 /app/c.php(5): array_map(Object(Closure), Array)\n\
             #3 {main}\n",
            &["app/a.php:12 A.f", "app/b.php:30", "app/c.php:5"],
        ),
    ]);
}

#[test]
fn frames_of_more_scripts_are_read() {
    assert_frames(&[
        (
            "Ruby",
            "a.rb:12:in 'block (2 levels) in Foo#bar': it's dry (RuntimeError)\n\tfrom b.rb:3:in `each'\n\
             \tfrom c.rb:4:in 'Foo.baz'\n",
            &["a.rb:12 Foo.bar", "b.rb:3 each", "c.rb:4 Foo.baz"],
        ),
        ("Crystal", "  from src/a.cr:12:3 in 'run_all'\n", &["src/a.cr:12 run_all"]),
        (
            "Elixir",
            "    (my_app 0.1.0) lib/my/router.ex:12: My.Router.call/2\n    \
             lib/my/x.ex:3: anonymous fn/2 in My.X.run/1\n",
            &["lib/my/router.ex:12 Router.call", "lib/my/x.ex:3 X.run"],
        ),
        (
            "Erlang",
            "  in function  my_mod:func/2 (src/my_mod.erl, line 12)\n\
             \x20 in call from my_mod:run/1 (src/my_mod.erl, line 3)\n",
            &["src/my_mod.erl:12 my_mod.func", "src/my_mod.erl:3 my_mod.run"],
        ),
        (
            "Erlang's terms",
            "{my_mod,func,2,[{file,\"src/my_mod.erl\"},{line,12}]}\n",
            &["src/my_mod.erl:12 my_mod.func"],
        ),
        (
            "Lua",
            "lua: a.lua:12: gone\nstack traceback:\n\t[C]: in function 'error'\n\ta.lua:12: in method 'f'\n\
             \tb.lua:3: in function 'Foo:g'\n\tc.lua:4: in function <c.lua:1>\n\td.lua:5: in main chunk\n",
            &["a.lua:12", "a.lua:12 f", "b.lua:3 Foo.g", "c.lua:4", "c.lua:1", "d.lua:5"],
        ),
        (
            "Perl",
            "it died at lib/Foo.pm line 3.\n\tFoo::bar(\"x\") called at lib/Baz.pm line 12\n\
             \tBaz::run() called at main.pl line 5\n",
            &["lib/Foo.pm:3 Foo.bar", "lib/Baz.pm:12 Baz.run", "main.pl:5"],
        ),
        ("R", "3: stop(\"x\") at a.R#12\n2: g(x) at b.R#3\n1: f(1)\n", &["a.R:12 g", "b.R:3 f"]),
        (
            "Julia",
            "Stacktrace:\n [1] f(x::Int64)\n   @ Main ./a.jl:12\n [2] g(x::Int64) at ./b.jl:3\n",
            &["a.jl:12 f", "b.jl:3 g"],
        ),
        (
            "Haskell",
            "CallStack (from HasCallStack):\n  error, called at src/A.hs:12:5 in pkg-1.0:Mod.A\n  \
             walk, called at src/B.hs:3:1 in pkg-1.0:Mod.B\n",
            &["src/A.hs:12 walk", "src/B.hs:3"],
        ),
        (
            "OCaml",
            "Raised at Foo.bar in file \"src/foo.ml\", line 12, characters 3-10\n\
             Called from Dune__exe__Baz.run in file \"bin/baz.ml\", line 3, characters 1-2\n\
             Called from file \"x.ml\", line 4\n",
            &["src/foo.ml:12 Foo.bar", "bin/baz.ml:3 Baz.run", "x.ml:4"],
        ),
        (
            "PowerShell",
            "At C:\\x\\file.ps1:12 char:3\nat Get-All, C:\\x\\b.ps1: line 3\n\
             at <ScriptBlock>, <No file>: line 1\n",
            &["C:/x/file.ps1:12", "C:/x/b.ps1:3"],
        ),
        ("Bash", "./a.sh: line 12: foo: command not found\n", &["a.sh:12"]),
        ("Godot", "   at: run_all (res://src/a.gd:12)\n", &["src/a.gd:12 run_all"]),
    ]);
}

#[test]
fn prose_has_no_frames() {
    for text in [
        "1: first do this, then foo::bar\n2: go on with that (again)\n",
        "#12 fix the parser (again)\n#13 other things\n",
        "the value 0x1234 in the register, at 0x55 as well\n",
        "Address 0x60d000000a40 is wild\n0x60d000000a40 is located here\n",
        "call me @ 12, or mail a@b.org\n",
        "* use `git log` at 10\n- 12345678 of them failed\n",
        "12345678 times (or more)\n",
        "this is called at night\nand that (in the morning)\n",
    ] {
        assert_eq!(frames(text), Vec::<String>::new(), "{text}");
    }
}
