//! Text to tokens.

use crate::error::CalcError;
use crate::span::Span;

/// The kind of a token.
#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind {
    Number(f64),
    Name(String),
    Operator(char),
    OpenParen,
    CloseParen,
    Comma,
}

/// A token and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Splits a formula into tokens; white space separates them and is dropped.
pub fn tokenize(text: &str) -> Result<Vec<Token>, CalcError> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some(&(start, c)) = rest.peek() {
        if c.is_whitespace() {
            rest.next();
            continue;
        }
        let kind = match c {
            '0'..='9' | '.' => TokenKind::Number(take_number(text, &mut rest)),
            'a'..='z' | 'A'..='Z' | '_' => TokenKind::Name(take_name(&mut rest)),
            '+' | '-' | '*' | '/' | '^' => single(&mut rest, TokenKind::Operator(c)),
            '(' => single(&mut rest, TokenKind::OpenParen),
            ')' => single(&mut rest, TokenKind::CloseParen),
            ',' => single(&mut rest, TokenKind::Comma),
            _ => return Err(CalcError::UnexpectedCharacter(c, Span { start, end: start + c.len_utf8() })),
        };
        let end = rest.peek().map_or(text.len(), |&(at, _)| at);
        tokens.push(Token { kind, span: Span { start, end } });
    }
    Ok(tokens)
}

type Rest<'t> = std::iter::Peekable<std::str::CharIndices<'t>>;

fn single(rest: &mut Rest<'_>, kind: TokenKind) -> TokenKind {
    rest.next();
    kind
}

fn take_number(text: &str, rest: &mut Rest<'_>) -> f64 {
    let start = rest.peek().map_or(text.len(), |&(at, _)| at);
    while rest.next_if(|(_, c)| c.is_ascii_digit() || *c == '.').is_some() {}
    let end = rest.peek().map_or(text.len(), |&(at, _)| at);
    text[start..end].parse().unwrap_or(f64::NAN)
}

fn take_name(rest: &mut Rest<'_>) -> String {
    let mut name = String::new();
    while let Some((_, c)) = rest.next_if(|(_, c)| c.is_alphanumeric() || *c == '_') {
        name.push(c);
    }
    name
}
