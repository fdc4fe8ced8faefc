//! Function names in the frames of stack traces, as various languages print them.
//!
//! One line of text, and the line above it → the function it names. Pure: no index is consulted. A
//! line that is not a frame must give `None`, since prose may mention a path, too.

/// Returns the function that a line names next to a place in a file: `in f` (Python, Ruby, gdb),
/// `at a.B.f(` (Java, JavaScript, C#), `): A->f(` (PHP). If the line begins with the place, the
/// function is on the line above (Go, Rust). The name includes its qualifier, as `B.f`, if there is
/// one. `None` for a module's own code and for anonymous functions.
pub(in crate::search::query) fn function(line: &str, above: &str) -> Option<String> {
    let line = line.trim();
    let after = |sign: &str| line.rsplit_once(sign).map(|(_, rest)| rest);
    if let Some(rest) = line.strip_prefix("at ").filter(|rest| rest.contains(['(', ' '])) {
        return last_name(rest);
    }
    if let Some(rest) = after(", in ").or_else(|| after(":in ")) {
        // Ruby: `'A#f'`, and "block in f". On the first line the message follows.
        let quoted = rest.strip_prefix(['`', '\'']).and_then(|rest| rest.split_once('\''));
        let rest = quoted.map_or(rest, |(name, _)| name);
        return rest.rsplit(' ').next().and_then(|rest| last_name(rest.trim_matches(['`', '\''])));
    }
    if let Some((name, _)) = line.split_once('@').filter(|(_, at)| at.contains("://") && !at.contains(' ')) {
        return last_name(name);
    }
    if line.starts_with('#') {
        let rest = after("): ").or_else(|| line.split_once(" in ").map(|(_, rest)| rest));
        return rest.and_then(last_name);
    }
    // addr2line: `f at fs/select.c:610`, also `(inlined by) f at …`.
    if let Some((name, _)) = line.split_once(" at ").filter(|(_, place)| !place.contains(' ')) {
        let name = name.strip_prefix("(inlined by) ").unwrap_or(name);
        return last_name(name).filter(|_| !name.contains(' '));
    }
    let is_place_alone = !line.contains(' ') || line.starts_with("at ") || line.contains(" +0x");
    if !is_place_alone || above.trim_start().starts_with("at ") {
        return None;
    }
    // Rust numbers its frames.
    let above = above.trim();
    last_name(above.split_once(": ").filter(|(n, _)| n.parse::<u32>().is_ok()).map_or(above, |(_, f)| f))
}

/// Returns whether a line is a frame of the language itself or of a compiled library. It has a
/// place that no repository has: `[C]: in function 'error'` (Lua), `<internal:kernel>:187:in
/// 'loop'` (Ruby), `<frozen importlib._bootstrap>` (Python), `(<anonymous>)` (JavaScript),
/// `(Native Method)` (Java), `??:0` (addr2line).
pub(in crate::search::query) fn is_outside(line: &str) -> bool {
    let line = line.trim();
    let has = |signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    line.starts_with("[C]:")
        || has(&["<internal:", "File \"<frozen ", "File \"<string>", "??:0", "??:?"])
        || line.starts_with("at ")
            && has(&["(<anonymous>)", "(native)", "node:internal/", "(Native Method)", "(Unknown Source)"])
}

/// Parses a .NET frame without a place, as every release build prints them: `at
/// A.B.Type.Method(String name)`. Returns the file that would hold the type by convention, and the
/// function; `None` for any other line.
pub(in crate::search::query) fn of_type(line: &str) -> Option<(String, String)> {
    let (called, rest) = line.trim().strip_prefix("at ")?.split_once('(')?;
    let parameters = rest.strip_suffix(')')?;
    // JavaScript and Java print these in the parentheses if they have no file.
    let is_dotnet = !called.contains([' ', '/', ':']) && called.contains('.');
    if !is_dotnet
        || parameters.contains([':', '<']) && !parameters.contains(' ')
        || matches!(parameters, "Native Method" | "Unknown Source")
    {
        return None;
    }
    // Code generated for an asynchronous method or a lambda belongs to that method:
    // `Type.<Method>d__5.MoveNext`.
    let made = called.split_once('<').and_then(|(of_type, rest)| Some((of_type, rest.split_once('>')?.0)));
    let (of_type, method) = made.filter(|(_, method)| !method.is_empty()).or(called.rsplit_once('.'))?;
    // Removes the number of a generic type's parameters.
    let parts = of_type.trim_end_matches(['.', '+']).split('.');
    let of_type = parts.map(|part| part.split('`').next().unwrap_or(part)).collect::<Vec<_>>().join("/");
    // An inner type is in the file of its outer type.
    let file = of_type.split('+').next().unwrap_or(&of_type);
    let inner = of_type.rsplit(['/', '+']).next().unwrap_or(&of_type);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // A constructor has the name of its type.
    let method = if matches!(method, "ctor" | "cctor") { inner } else { method };
    let fits = is_name(inner) && is_name(method);
    fits.then(|| (format!("{file}.cs"), format!("{inner}.{method}")))
}

/// Returns the function of a frame that names no file: `f+0x1c8/0x6d0` (Linux, glibc), `(f+16)`
/// (Android), `0x0001 f + 120` (macOS and iOS). `None` for any other line, such as one with a
/// mangled name.
pub(in crate::search::query) fn without_place(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_hex = |text: &str| {
        let digits = text.strip_prefix("0x").unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // macOS and iOS: number, image, address, name, `+`, offset.
    if let [number, .., plus, offset] = words.as_slice()
        && *plus == "+"
        && is_number(number)
        && is_number(offset)
    {
        let address = words.iter().position(|word| is_hex(word))?;
        let name = words.get(address + 1..words.len() - 2)?.join(" ");
        // `closure #1 in View.load(_:)`, `-[View load:]`.
        let name = name.rsplit(" in ").next().unwrap_or_default();
        let message = name.strip_prefix(['-', '+']).and_then(|name| name.strip_prefix('['));
        let sent = message.map(|name| name.trim_end_matches(']').split(':').next().unwrap_or_default());
        return sent.map_or_else(|| last_name(name), |sent| last_name(&sent.replace(' ', ".")));
    }
    let is_frame = words.first().is_some_and(|first| first.starts_with('#'));
    let framed = |word: &&str| {
        let word = word.trim_matches(['(', ')', '[', ']']);
        let (name, offset) = word.rsplit_once('+')?;
        // The kernel adds the length of the function.
        let (at, length) = offset.split_once('/').map_or((offset, None), |(at, length)| (at, Some(length)));
        let is_offset = is_hex(at) && length.is_none_or(is_hex) || is_frame && is_number(at);
        let name = name.rsplit(['(', ':', '!']).next()?;
        // Copies that the compiler made of a function: `f.isra.0`, `f.cold`.
        let name = name.split('.').next().filter(|name| !name.starts_with("_Z"))?;
        is_offset.then(|| last_name(name))?
    };
    words.iter().find_map(framed)
}

/// Returns the name of the called function: the last name before the parameters or a space.
fn last_name(called: &str) -> Option<String> {
    let called = called.strip_prefix("async ").or_else(|| called.strip_prefix("new ")).unwrap_or(called);
    let called = called.split(' ').next().unwrap_or_default();
    // Go: `main.(*Server).serve(0xc000…)`.
    let end = called.rfind('(').filter(|&at| at > 0).unwrap_or(called.len());
    let mut name = called.get(..end)?;
    // Rust: `a::f::h0123456789abcdef`.
    if let Some((rest, hash)) = name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16) {
        name = if hash.bytes().all(|b| b.is_ascii_hexdigit()) { rest } else { name };
    }
    let mut parts = name.rsplit(['.', ':', '#', '>', '/', '$', '\\']).filter(|part| !part.is_empty());
    let is_name = |part: &str| {
        part.chars().all(|c| c.is_alphanumeric() || "_?!".contains(c))
            && part.chars().any(char::is_alphabetic)
    };
    let last = parts.next().filter(|last| name.ends_with(last) && is_name(last))?;
    // Go: `(*Server)`.
    let qualifier =
        parts.next().map(|part| part.trim_matches(['(', ')', '*', '-'])).filter(|part| is_name(part));
    Some(qualifier.map_or(last.to_owned(), |qualifier| format!("{qualifier}.{last}")))
}

#[cfg(test)]
mod tests {
    use super::{function, is_outside, of_type, without_place};

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
            ("#01 pc 0001 /lib/libc.so (_ZN3foo3barEv+12)", None),
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
            ("#0 /src/Foo.php(12): Acme\\Foo->bar('x')", "", Some("Foo.bar")),
            ("#1  0x00007f in serve (fd=3) at server.c:12", "", Some("serve")),
            ("Layer.handle@http://localhost:3000/src/a.js:12:5", "", Some("Layer.handle")),
            ("@http://localhost:3000/src/a.js:12:5", "", None),
            ("do_select at fs/select.c:610", "", Some("do_select")),
            (" (inlined by) poll_select at /build/linux/fs/select.c:610", "", Some("poll_select")),
            ("look at src/a.rs:12", "", Some("look")),
            ("have a look at src/a.rs:12", "", None),
            ("see src/a.rs:12 for it", "fn x(", None),
        ] {
            assert_eq!(function(line, above).as_deref(), name, "{line}");
        }
    }
}
