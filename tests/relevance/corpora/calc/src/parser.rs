//! Tokens to a tree, by recursive descent.

use crate::ast::{Formula, Operator};
use crate::error::CalcError;
use crate::lexer::{Token, TokenKind};
use crate::span::Span;

/// A parser over the tokens of a formula.
pub struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl<'t> Parser<'t> {
    pub fn new(tokens: &'t [Token]) -> Self {
        Self { tokens, at: 0 }
    }

    /// Parses a sum of terms.
    pub fn parse_formula(&mut self) -> Result<Formula, CalcError> {
        let mut left = self.parse_term()?;
        while let Some(c @ ('+' | '-')) = self.peek_operator() {
            self.at += 1;
            let operator = if c == '+' { Operator::Add } else { Operator::Subtract };
            left = Formula::Binary(operator, Box::new(left), Box::new(self.parse_term()?));
        }
        Ok(left)
    }

    fn parse_term(&mut self) -> Result<Formula, CalcError> {
        let mut left = self.parse_factor()?;
        while let Some(c @ ('*' | '/')) = self.peek_operator() {
            self.at += 1;
            let operator = if c == '*' { Operator::Multiply } else { Operator::Divide };
            left = Formula::Binary(operator, Box::new(left), Box::new(self.parse_factor()?));
        }
        Ok(left)
    }

    /// Parses a power; it is right-associative, so the exponent is a factor again.
    fn parse_factor(&mut self) -> Result<Formula, CalcError> {
        let base = self.parse_unary()?;
        if self.peek_operator() != Some('^') {
            return Ok(base);
        }
        self.at += 1;
        Ok(Formula::Binary(Operator::Power, Box::new(base), Box::new(self.parse_factor()?)))
    }

    fn parse_unary(&mut self) -> Result<Formula, CalcError> {
        if self.peek_operator() == Some('-') {
            self.at += 1;
            return Ok(Formula::Negate(Box::new(self.parse_unary()?)));
        }
        self.parse_primary()
    }

    fn parse_primary(&mut self) -> Result<Formula, CalcError> {
        let Some(token) = self.tokens.get(self.at) else { return Err(self.unexpected()) };
        self.at += 1;
        match &token.kind {
            TokenKind::Number(value) => Ok(Formula::Number(*value)),
            TokenKind::Name(name) if self.eat(&TokenKind::OpenParen) => self.parse_arguments(name),
            TokenKind::Name(name) => Ok(Formula::Variable(name.clone())),
            TokenKind::OpenParen => {
                let inner = self.parse_formula()?;
                if self.eat(&TokenKind::CloseParen) { Ok(inner) } else { Err(self.unexpected()) }
            }
            _ => Err(self.unexpected()),
        }
    }

    fn parse_arguments(&mut self, name: &str) -> Result<Formula, CalcError> {
        let mut arguments = Vec::new();
        while !self.eat(&TokenKind::CloseParen) {
            arguments.push(self.parse_formula()?);
            self.eat(&TokenKind::Comma);
        }
        Ok(Formula::Call(name.to_owned(), arguments))
    }

    fn eat(&mut self, kind: &TokenKind) -> bool {
        let is_next = self.tokens.get(self.at).is_some_and(|token| token.kind == *kind);
        self.at += usize::from(is_next);
        is_next
    }

    fn peek_operator(&self) -> Option<char> {
        match self.tokens.get(self.at)?.kind {
            TokenKind::Operator(c) => Some(c),
            _ => None,
        }
    }

    fn unexpected(&self) -> CalcError {
        match self.tokens.get(self.at) {
            Some(token) => CalcError::UnexpectedToken(format!("{:?}", token.kind), token.span),
            None => CalcError::UnexpectedToken("the end".to_owned(), Span { start: 0, end: 0 }),
        }
    }
}
