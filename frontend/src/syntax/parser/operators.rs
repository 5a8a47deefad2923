//! Infix expressions: operators, their precedence, and how chains of them become trees.

use super::Parser;
use super::expressions::Ascription;
use crate::syntax::ast::{Exp, ExpKind, Ident, QualName, UpdateStep};
use crate::syntax::errors::SyntaxError;
use crate::syntax::lexer::{TokenKind, is_op_start};
use futc_typed::name::Name;

/// How tightly an operator binds: the more, the tighter.
///
/// The guide's table puts `|>` and `<|` above `*`, but programs are written for a language where
/// they bind more loosely than `||`: `f <| x && y` applies `f` to a conjunction, and
/// `x + y |> f` to a sum. Read by the table, such programs have no type, so the table is taken to
/// be wrong in this row. `**`, which it leaves out, binds tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Backtick,
    With,
    PipeRight,
    PipeLeft,
    Or,
    And,
    Compare,
    Bits,
    Shift,
    Sum,
    Product,
    Power,
}

/// The level of an operator: that of the longest built-in operator its name begins with.
pub(super) fn level(name: &str) -> Level {
    let bytes = name.as_bytes();
    match (bytes.first(), bytes.get(1)) {
        (Some(b'|'), Some(b'>')) => Level::PipeRight,
        (Some(b'<'), Some(b'|')) => Level::PipeLeft,
        (Some(b'|'), Some(b'|')) => Level::Or,
        (Some(b'&'), Some(b'&')) => Level::And,
        (Some(b'<'), Some(b'<')) | (Some(b'>'), Some(b'>')) => Level::Shift,
        (Some(b'*'), Some(b'*')) => Level::Power,
        (Some(b'|' | b'&' | b'^'), _) => Level::Bits,
        (Some(b'+' | b'-'), _) => Level::Sum,
        (Some(b'*' | b'/' | b'%'), _) => Level::Product,
        _ => Level::Compare,
    }
}

/// The level of an operator as it stands in a tree, where a name in backticks is one too.
fn level_of(op: &QualName) -> Level {
    let name = op.name.name.as_str();
    if name.bytes().next().is_some_and(is_op_start) { level(name) } else { Level::Backtick }
}

/// Whether operators bind equally tightly.
pub(crate) fn same_level(a: &QualName, b: &QualName) -> bool {
    level_of(a) == level_of(b)
}

/// Whether `x op y op z` is `x op (y op z)`.
pub(crate) fn associates_right(op: &QualName) -> bool {
    level_of(op) == Level::PipeLeft
}

/// What waits between two operands.
enum Pending {
    Op(QualName),
    Update(Vec<UpdateStep>),
}

impl Parser<'_> {
    /// Whether the token `ahead` is an infix operator in one token.
    pub(super) fn is_infix(&self, ahead: usize) -> bool {
        matches!(
            self.nth(ahead),
            TokenKind::Op
                | TokenKind::QualOp
                | TokenKind::Star
                | TokenKind::Minus
                | TokenKind::Less
                | TokenKind::Hat
                | TokenKind::Pipe
        )
    }

    /// If an infix operator stands here, its length in tokens.
    pub(super) fn infix_len(&self) -> Option<usize> {
        if self.is_infix(0) {
            return Some(1);
        }
        if !self.at(TokenKind::Backtick) {
            return None;
        }
        if self.is_quoted_operator() {
            return Some(3);
        }
        let mut len = 1;
        while matches!(self.nth(len), TokenKind::Ident | TokenKind::Dot) {
            len += 1;
        }
        Some(if self.nth(len) == TokenKind::Backtick { len + 1 } else { len })
    }

    /// Whether an operator stands here in backticks, which only names of functions need.
    fn is_quoted_operator(&self) -> bool {
        self.at(TokenKind::Backtick) && self.is_infix(1) && self.nth(2) == TokenKind::Backtick
    }

    /// Reads an infix operator, with its level.
    pub(super) fn infix(&mut self) -> (QualName, Level) {
        let start = self.here();
        if self.is_quoted_operator() {
            self.bump();
            let text = self.text_of(self.token()).to_owned();
            self.error(self.here(), SyntaxError::OperatorInBackticks { text });
            let read = self.infix();
            self.bump();
            return read;
        }
        let token = self.token();
        if self.eat(TokenKind::Backtick) {
            let mut name = self.qual_name("the name of a function");
            self.expect(TokenKind::Backtick, "after the name of the function");
            name.span = self.since(start);
            return (name, Level::Backtick);
        }
        self.bump();
        let text = self.text_of(token);
        // `M.N.+`: the operator begins behind the last dot that follows a name.
        let op = text.bytes().position(is_op_start).unwrap_or(0);
        let mut quals = Vec::new();
        let mut at = token.start;
        for part in text[..op].split('.').filter(|part| !part.is_empty()) {
            let end = at + part.len() as u32;
            let span = self.span(at, end);
            quals.push(Ident { name: Name::new(part), span });
            at = end + 1;
        }
        let name = &text[op..];
        let span = self.span(token.start + op as u32, token.end);
        let ident = Ident { name: Name::new(name), span };
        (QualName { quals, name: ident, span: start }, level(name))
    }

    /// `(+)`, `(-)` or a name in backticks in parentheses, where a name is bound; nothing is read
    /// if something else stands here.
    pub(super) fn binding_operator(&mut self) -> Option<Ident> {
        let len = match self.nth(1) {
            TokenKind::Backtick => {
                self.pos += 1;
                let len = self.infix_len();
                self.pos -= 1;
                len?
            }
            _ if self.is_infix(1) || self.nth(1) == TokenKind::Equals => 1,
            _ => return None,
        };
        if self.nth(1 + len) != TokenKind::RParen {
            return None;
        }
        self.bump();
        let (op, _) = self.infix();
        self.check_binding_operator(&op);
        self.bump();
        Some(op.name)
    }

    /// Refuses operators that cannot be defined.
    pub(super) fn check_binding_operator(&mut self, op: &QualName) {
        let name = op.name.name.as_str();
        if !op.quals.is_empty() {
            self.error(op.span, SyntaxError::QualifiedDefinition);
        } else if name == "&&" || name == "||" {
            self.error(op.span, SyntaxError::MayNotBeRedefined { name });
        } else if name == "=" {
            self.error(op.span, SyntaxError::EqualsAsOperator);
        }
    }

    /// Operands with infix operators and updates between them. Stops before an operator that is
    /// followed by `)`: that is a section.
    pub(super) fn infix_exp(&mut self, ascription: Ascription) -> Exp {
        let first = self.operand(ascription);
        let mut operands = Vec::new();
        let mut pending: Vec<(Level, Pending)> = Vec::new();
        let mut last = first;
        loop {
            let (level, next) = if let Some(len) = self.infix_len() {
                if self.nth(len) == TokenKind::RParen {
                    break;
                }
                let (op, level) = self.infix();
                (level, Pending::Op(op))
            } else if self.at(TokenKind::With) {
                self.bump();
                let path = self.update_path();
                self.expect(TokenKind::Equals, "and the new value after `with`");
                (Level::With, Pending::Update(path))
            } else {
                break;
            };
            operands.push(last);
            while let Some((top, _)) = pending.last() {
                // Equal levels associate to the left, except `<|`.
                if *top < level || *top == level && level == Level::PipeLeft {
                    break;
                }
                reduce(&mut operands, &mut pending);
            }
            pending.push((level, next));
            last = self.operand(ascription);
        }
        if pending.is_empty() {
            return last;
        }
        operands.push(last);
        while !pending.is_empty() {
            reduce(&mut operands, &mut pending);
        }
        match operands.pop() {
            Some(exp) => exp,
            None => super::expressions::exp_error(self.gap()),
        }
    }
}

/// Puts the topmost operator between the two topmost operands.
fn reduce(operands: &mut Vec<Exp>, pending: &mut Vec<(Level, Pending)>) {
    if let (Some((_, op)), Some(rhs), Some(lhs)) = (pending.pop(), operands.pop(), operands.pop()) {
        let span = lhs.span.to(rhs.span);
        let kind = match op {
            Pending::Op(op) => ExpKind::BinOp { op, lhs: Box::new(lhs), rhs: Box::new(rhs) },
            Pending::Update(path) => {
                ExpKind::Update { exp: Box::new(lhs), path, value: Box::new(rhs) }
            }
        };
        operands.push(Exp { kind, span });
    }
}
