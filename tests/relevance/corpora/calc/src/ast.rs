//! The tree of a formula.

/// An operator between two formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// A formula.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    Number(f64),
    Variable(String),
    Negate(Box<Formula>),
    Binary(Operator, Box<Formula>, Box<Formula>),
    Call(String, Vec<Formula>),
}

/// Visits the nodes of a formula.
pub trait Visitor {
    fn visit(&mut self, formula: &Formula);
}

impl Formula {
    /// Calls a visitor for every node, the outermost first.
    pub fn walk(&self, visitor: &mut dyn Visitor) {
        visitor.visit(self);
        match self {
            Self::Number(_) | Self::Variable(_) => {}
            Self::Negate(inner) => inner.walk(visitor),
            Self::Binary(_, left, right) => {
                left.walk(visitor);
                right.walk(visitor);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|one| one.walk(visitor)),
        }
    }
}
