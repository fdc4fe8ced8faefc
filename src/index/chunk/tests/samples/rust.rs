//! Module.
#![allow(x)]
use std::{collections::HashMap as M, io::{self, Read}};
use crate::a::*;
extern crate foo as bar;

/// Doc.
#[derive(Debug)]
// more
pub struct S<T: Bound> { a: Vec<T>, b: m::Q }
impl<T> fmt::Display for S<T> where T: X {
    /// d
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.a.go(foo(1)))?; m::f::<u8>(1); S { a: 1 }; S::new() }
}
const A: u8 = 1;
macro_rules! mm { ($x:expr) => { $x } }
trait Tr: Sup + m::Sup2<P> { type X; fn f(); fn g() { 1 } }
enum E { A(Q), B }
#[cfg(test)]
mod tests { use super::*; #[test] fn t() {} }
