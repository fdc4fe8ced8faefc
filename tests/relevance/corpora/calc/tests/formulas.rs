//! Whole formulas.

use calc::calculate;
use calc::environment::Environment;

#[test]
fn a_power_is_right_associative() {
    let environment = Environment::with_constants();
    assert_eq!(calculate("2 ^ 3 ^ 2", &environment), Ok(512.0));
}

#[test]
fn division_by_zero_is_an_error() {
    let environment = Environment::default();
    assert!(calculate("1 / 0", &environment).is_err());
}

#[test]
fn unknown_names_are_errors() {
    assert!(calculate("x + 1", &Environment::default()).is_err());
}
