//! The built-in functions.

use crate::error::CalcError;

/// A built-in function with its number of arguments.
pub struct Builtin {
    pub name: &'static str,
    pub arity: usize,
    pub run: fn(&[f64]) -> f64,
}

/// All of them, sorted by name.
pub const BUILTINS: [Builtin; 6] = [
    Builtin { name: "abs", arity: 1, run: |a| a[0].abs() },
    Builtin { name: "hypot", arity: 2, run: |a| a[0].hypot(a[1]) },
    Builtin { name: "max", arity: 2, run: |a| a[0].max(a[1]) },
    Builtin { name: "min", arity: 2, run: |a| a[0].min(a[1]) },
    Builtin { name: "round", arity: 1, run: |a| a[0].round() },
    Builtin { name: "sqrt", arity: 1, run: |a| a[0].sqrt() },
];

/// Calls a built-in function after its arguments were counted.
pub fn call_builtin(name: &str, arguments: &[f64]) -> Result<f64, CalcError> {
    let Some(builtin) = BUILTINS.iter().find(|one| one.name == name) else {
        return Err(CalcError::UnknownName(name.to_owned()));
    };
    if builtin.arity != arguments.len() {
        let (expected, found) = (builtin.arity, arguments.len());
        return Err(CalcError::WrongArity { name: name.to_owned(), expected, found });
    }
    Ok((builtin.run)(arguments))
}
