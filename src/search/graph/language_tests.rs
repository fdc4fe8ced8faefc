//! Names of configuration and interface languages, resolved across files.

use super::tests::check;

#[test]
fn mixins_and_variables_of_style_sheets_are_imported() {
    check(
        &[
            (
                "web/cart.scss",
                "@use \"tokens\";\n\n.cart {\n  @include card;\n  margin: $gap;\n  color: tokens.$primary;\n}\n",
            ),
            ("web/tokens.scss", "$gap: 8px;\n\n$primary: #000;\n\n@mixin card {\n  padding: $gap;\n}\n"),
            ("docs/tokens2.scss", "$gap: 9px;\n"),
        ],
        &[
            ("web/cart.scss", "card", &["web/tokens.scss card (import)"]),
            ("web/cart.scss", "$gap", &["web/tokens.scss $gap (import)"]),
        ],
    );
}
