//! Words of Verilog and SystemVerilog.

use super::K;

/// Words that open a construct, the word that closes it, and what it declares.
pub(super) const CONSTRUCTS: [(&str, &str, K); 15] = [
    ("module", "endmodule", K::Class),
    ("macromodule", "endmodule", K::Class),
    ("interface", "endinterface", K::Interface),
    ("program", "endprogram", K::Class),
    ("package", "endpackage", K::Module),
    ("checker", "endchecker", K::Class),
    ("primitive", "endprimitive", K::Class),
    ("class", "endclass", K::Class),
    ("function", "endfunction", K::Function),
    ("task", "endtask", K::Function),
    ("covergroup", "endgroup", K::Class),
    ("property", "endproperty", K::Function),
    ("sequence", "endsequence", K::Function),
    ("config", "endconfig", K::Module),
    ("clocking", "endclocking", K::Variable),
];

/// Words that begin the declaration of a variable, a port or a constant, or stand in front of it.
const TYPES: [&str; 48] = [
    "automatic",
    "bit",
    "buf",
    "byte",
    "chandle",
    "const",
    "event",
    "genvar",
    "inout",
    "input",
    "int",
    "integer",
    "local",
    "localparam",
    "logic",
    "longint",
    "output",
    "parameter",
    "protected",
    "rand",
    "randc",
    "real",
    "realtime",
    "ref",
    "reg",
    "shortint",
    "shortreal",
    "signed",
    "specparam",
    "static",
    "string",
    "supply0",
    "supply1",
    "time",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "type",
    "unsigned",
    "uwire",
    "var",
    "virtual",
    "wand",
    "wire",
    "wor",
];

/// Other words of the language. Old designs use `expect` as a name, so it is none of them.
const WORDS: [&str; 100] = [
    "accept_on",
    "alias",
    "always",
    "always_comb",
    "always_ff",
    "always_latch",
    "and",
    "assert",
    "assign",
    "assume",
    "before",
    "begin",
    "bind",
    "bins",
    "binsof",
    "break",
    "case",
    "casex",
    "casez",
    "constraint",
    "context",
    "continue",
    "cover",
    "coverpoint",
    "cross",
    "deassign",
    "default",
    "defparam",
    "disable",
    "dist",
    "do",
    "edge",
    "else",
    "end",
    "endcase",
    "endgenerate",
    "endspecify",
    "enum",
    "export",
    "extends",
    "extern",
    "final",
    "first_match",
    "for",
    "force",
    "foreach",
    "forever",
    "fork",
    "forkjoin",
    "generate",
    "if",
    "iff",
    "ignore_bins",
    "illegal_bins",
    "implements",
    "import",
    "initial",
    "inside",
    "intersect",
    "join",
    "join_any",
    "join_none",
    "matches",
    "modport",
    "nand",
    "negedge",
    "new",
    "nor",
    "not",
    "null",
    "or",
    "packed",
    "posedge",
    "priority",
    "pure",
    "randcase",
    "randsequence",
    "release",
    "repeat",
    "return",
    "soft",
    "solve",
    "specify",
    "struct",
    "super",
    "tagged",
    "this",
    "throughout",
    "timeprecision",
    "timeunit",
    "typedef",
    "union",
    "unique",
    "unique0",
    "void",
    "wait",
    "while",
    "with",
    "within",
    "xor",
];

/// Returns whether a word begins a declaration, or stands in front of one.
pub(super) fn is_type_word(word: &str) -> bool {
    TYPES.binary_search(&word).is_ok()
}

/// Returns whether a word is one of the other words of the language.
pub(super) fn is_other_word(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

/// Returns whether a word is one of the language, and names nothing.
pub(super) fn is_reserved(word: &str) -> bool {
    is_type_word(word) || is_other_word(word)
}

/// Returns whether a word consists of the digits of a number with a base: `hff` of `8'hff`.
pub(super) fn is_digits(word: &str) -> bool {
    let rest = word.strip_prefix(['s', 'S']).unwrap_or(word);
    let digits = rest.strip_prefix(['b', 'B', 'o', 'O', 'd', 'D', 'h', 'H']);
    digits.is_some_and(|digits| {
        digits.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, 'x' | 'X' | 'z' | 'Z' | '_'))
    }) || matches!(word, "x" | "X" | "z" | "Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order() {
        assert!(TYPES.is_sorted() && WORDS.is_sorted());
    }
}
