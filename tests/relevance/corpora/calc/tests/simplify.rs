//! Folding of constants.

use calc::ast::Formula;
use calc::simplify::simplify;

#[test]
fn constants_are_folded_and_neutral_elements_dropped() {
    let twice = Formula::Negate(Box::new(Formula::Negate(Box::new(Formula::Number(2.0)))));
    assert_eq!(simplify(twice), Formula::Number(2.0));
}
