//! Brackets that both branches of a condition open, and the text behind closes once.
//!
//! A condition (`ifdef`, `else`, `endif`) has several texts, one of which is compiled. If the first
//! branch opens a bracket or a block that it does not close, so does each other branch. Only those
//! of the first branch count.

use crate::index::chunk::scan::tokens::{Token, TokenKind};

/// Deepest nesting of conditions whose branches are compared.
const MAX_NESTING: usize = 16;

/// A condition that is open.
struct Condition {
    /// The first token of the current branch.
    start: usize,
    /// Whether the first branch leaves something open, or closes what it did not open; `None` in
    /// that branch.
    is_uneven: Option<bool>,
}

/// Takes the meaning of those brackets away that the first branch of a condition has already.
pub(super) fn balance(tokens: &mut [Token<'_>]) {
    let mut open: Vec<Condition> = Vec::new();
    for at in 0..tokens.len() {
        let directive = tokens.get(at).copied().and_then(Token::word).unwrap_or_default();
        match directive {
            "`ifdef" | "`ifndef" => open.push(Condition { start: at, is_uneven: None }),
            "`elsif" | "`else" | "`endif" => {
                let is_counted = open.len() <= MAX_NESTING;
                let Some(condition) = open.last_mut() else { continue };
                let branch = tokens.get_mut(condition.start..at).unwrap_or_default();
                match condition.is_uneven {
                    _ if !is_counted => {}
                    None => condition.is_uneven = Some(!unpaired(branch).is_empty()),
                    Some(false) => {}
                    Some(true) => {
                        for one in unpaired(branch) {
                            if let Some(token) = branch.get_mut(one) {
                                token.text = token.text.get(..0).unwrap_or_default();
                                token.kind = TokenKind::Mark;
                            }
                        }
                    }
                }
                condition.start = at;
                if directive == "`endif" {
                    open.pop();
                }
            }
            _ => {}
        }
    }
}

/// Returns the brackets and the words of blocks that have no counterpart among the tokens.
fn unpaired(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let text = if token.kind == TokenKind::Text { "" } else { token.text };
        let opening = match text {
            "(" | "[" | "{" | "begin" => {
                open.push((at, text));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            "end" => "begin",
            _ => continue,
        };
        match open.last() {
            Some((_, last)) if *last == opening => drop(open.pop()),
            _ => found.push(at),
        }
    }
    found.extend(open.into_iter().map(|(at, _)| at));
    found
}
