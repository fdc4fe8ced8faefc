//! Functions of C++ that a header declares and a file of another name defines.

use super::check;

const TEXT: &str = "\"a text that is long enough to be a chunk of its own, in this file or another\"";

#[test]
fn an_included_header_tells_which_function_is_called() {
    check(
        &[
            (
                "include/shop/env.h",
                "namespace shop {\nint write(int n);\nint both(int n);\n}  // namespace shop\n",
            ),
            (
                "util/posix.cc",
                &format!(
                    "#include \"shop/env.h\"\n\nnamespace shop {{\n\nint write(int n) {{\n  return print({TEXT});\n}}\n\nint both(int n) {{\n  \
                     return print({TEXT});\n}}\n\n}}  // namespace shop\n"
                ),
            ),
            (
                "util/windows.cc",
                &format!(
                    "#include \"shop/env.h\"\n\nnamespace shop {{\n\nint both(int n) {{\n  return print({TEXT});\n}}\n\n}}  // namespace shop\n"
                ),
            ),
            (
                "db/db.cc",
                "#include \"shop/env.h\"\n\nnamespace shop {\n\nint run(int n) {\n  return write(n) + both(n);\n}\n\n}  // namespace shop\n",
            ),
            (
                "db/other.cc",
                "namespace shop {\n\nint again(int n) {\n  return write(n);\n}\n\n}  // namespace shop\n",
            ),
        ],
        &[
            ("db/db.cc", "write", &["util/posix.cc shop::write (import)"]),
            (
                "db/db.cc",
                "both",
                &["util/posix.cc shop::both (same name)", "util/windows.cc shop::both (same name)"],
            ),
            ("db/other.cc", "write", &["util/posix.cc shop::write (only candidate)"]),
        ],
    );
}
