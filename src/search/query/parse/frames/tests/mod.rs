//! Tests of the parts of a frame.

mod tracers;

use super::{Lines, function, is_outside, of_type, without_place};

/// Returns the function of a line below another one.
fn function_of(line: &str, above: &str) -> Option<String> {
    function(Lines { above, line, below: &[] })
}

#[test]
fn frames_without_a_file_name_their_functions() {
    for (line, name) in [
        (" do_select+0x1c8/0x6d0", Some("do_select")),
        ("[  12.3] ? ext4_da_write_end.isra.0+0x12/0x34 [ext4]", Some("ext4_da_write_end")),
        ("RIP: 0010:tcp_v4_rcv+0x1/0x2", Some("tcp_v4_rcv")),
        ("pc : __schedule+0x10/0x20", Some("__schedule")),
        ("[<ffffffff81234567>] do_select+0x1c8/0x6d0", Some("do_select")),
        ("./tmux(server_loop+0x1a) [0x401234]", Some("server_loop")),
        ("mpv!mp_seek+0x12", Some("mp_seek")),
        ("#00 pc 0001a2b4  /system/lib/libmedia.so (decode_frame+120)", Some("decode_frame")),
        ("3   MyApp   0x0000000104a2 -[FeedView loadPage:] + 120", Some("FeedView.loadPage")),
        ("3   MyApp   0x0000000104a2 closure #1 in FeedView.load(_:) + 44", Some("FeedView.load")),
        ("#01 pc 0001 /lib/libc.so (_ZN3foo3barEv+12)", Some("foo.bar")),
        ("./prog(_ZN3foo3barEv+0x1f)[0x55d0]", Some("foo.bar")),
        ("./prog(server_loop+0x5a)[0x55f1d2a6b8da]", Some("server_loop")),
        ("./prog(+0x5a)[0x55f1d2a6b8da]", None),
        ("C  [libfoo.so+0x1234]  decode_frame+0x12", Some("decode_frame")),
        ("3   MyApp   0x0000000104a2 FeedView.load(_:) + 44 (FeedView.swift:12)", Some("FeedView.load")),
        ("a+b is 0x10", None),
        ("x = y+0x10 + z", Some("y")),
        ("it took 12 + 120", None),
        ("do_select", None),
    ] {
        assert_eq!(without_place(line).as_deref(), name, "{line}");
    }
}

#[test]
fn frames_without_a_place_name_a_type() {
    for (line, file, name) in [
        (
            "   at A.Markup.Extension.Provide(IServiceProvider serviceProvider)",
            "A/Markup/Extension.cs",
            "Extension.Provide",
        ),
        ("   at Acme.Foo.Run()", "Acme/Foo.cs", "Foo.Run"),
        ("   at Acme.Foo.<RunAsync>d__5.MoveNext()", "Acme/Foo.cs", "Foo.RunAsync"),
        ("   at Acme.List`1.Add(T item)", "Acme/List.cs", "List.Add"),
        ("   at Acme.Outer+Inner.Run()", "Acme/Outer.cs", "Inner.Run"),
        ("   at Acme.Foo..ctor(Int32 n)", "Acme/Foo.cs", "Foo.Foo"),
    ] {
        assert_eq!(of_type(line), Some((file.to_owned(), name.to_owned())), "{line}");
    }
    for line in [
        "    at Array.map (<anonymous>)",
        "    at Layer.handle [as handle_request] (/a/express/layer.js:95:5)",
        "\tat org.acme.Foo.run(Foo.java:123)",
        "\tat java.lang.Thread.run(Native Method)",
        "at least two (or three)",
        "look at a.b.c(d)",
    ] {
        assert_eq!(of_type(line), None, "{line}");
    }
}

#[test]
fn frames_of_the_language_are_outside() {
    for line in [
        "\t[C]: in function 'error'",
        "\tfrom <internal:kernel>:187:in 'Kernel#loop'",
        "<internal:/usr/lib/ruby/core_ext/kernel_require.rb>:85:in 'require'",
        "  File \"<frozen importlib._bootstrap>\", line 241, in _call_with_frames_removed",
        "    at Array.map (<anonymous>)",
        "    at node:internal/main/run_main_module:17:47",
        "\tat java.lang.Thread.start0(Native Method)",
        "raise at ??:0",
        "?? ??:0",
    ] {
        assert!(is_outside(line), "{line}");
    }
    for line in [
        "    at Object.<anonymous> (/a/b.js:1:2)",
        "a.rb:12:in 'bar'",
        "\tat org.acme.Foo.run(Foo.java:123)",
        "what is [C]: in a trace",
    ] {
        assert!(!is_outside(line), "{line}");
    }
}

#[test]
fn frames_name_their_functions() {
    for (line, above, name) in [
        (r#"  File "/a/requests/api.py", line 73, in get"#, "x.y()", Some("get")),
        (r#"  File "app.py", line 12, in <module>"#, "f()", None),
        ("    at Layer.handle [as handle_request] (/a/express/layer.js:95:5)", "", Some("Layer.handle")),
        ("    at async Promise.all (index 0)", "", Some("Promise.all")),
        ("    at Pool.get size [as size] (/a/pool.js:95:5)", "", Some("Pool.size")),
        ("\tat org.acme.FooKt.run$default(Foo.kt:12)", "", Some("FooKt.run")),
        ("    at /a/express/index.js:12:5", "    at next (/a/b.js:1:2)", None),
        ("\tat org.acme.Foo$Bar.run(Foo.java:123)", "", Some("Bar.run")),
        ("\tat org.acme.Foo.<init>(Foo.java:12)", "", None),
        ("\tat org.acme.Foo.run(Foo.java:123)", "", Some("Foo.run")),
        ("   at Acme.Foo.Run(String name) in /src/Foo.cs:line 12", "", Some("Foo.Run")),
        ("\t/src/server.go:12 +0x1d", "main.(*Server).serve(0xc000010000)", Some("Server.serve")),
        ("             at ./src/a.rs:12:5", "   3: acme::b::run::h0123456789abcdef", Some("b.run")),
        ("a.rb:12:in 'Foo#bar'", "", Some("Foo.bar")),
        ("a.rb:12:in `block in bar'", "", Some("bar")),
        ("a.rb:12:in 'Foo#bar': it is dry (RuntimeError)", "", Some("Foo.bar")),
        ("#1  0x00007f in serve (fd=3) at server.c:12", "", Some("serve")),
        ("Layer.handle@http://localhost:3000/src/a.js:12:5", "", Some("Layer.handle")),
        ("@http://localhost:3000/src/a.js:12:5", "", None),
        ("do_select at fs/select.c:610", "", Some("do_select")),
        (" (inlined by) poll_select at /build/linux/fs/select.c:610", "", Some("poll_select")),
        ("look at src/a.rs:12", "", Some("look")),
        ("have a look at src/a.rs:12", "", None),
        ("see src/a.rs:12 for it", "fn x(", None),
    ] {
        assert_eq!(function_of(line, above).as_deref(), name, "{line}");
    }
}
