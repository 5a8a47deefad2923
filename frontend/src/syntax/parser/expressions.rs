//! Expressions: binding forms, application, atoms and what hangs on them.

use super::Parser;
use super::patterns::PatternContext;
use crate::syntax::ast::{
    Attr, Case, DimIndex, Exp, ExpKind, Ident, Loop, LoopForm, Pat, PatKind, QualName, RangeKind,
    RecordField, Span, TypeExp, TypeParam, UpdateStep,
};
use crate::syntax::errors::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::literal;
use futc_typed::name::Name;

/// Whether `e : t` can stand here. In an index it cannot: there `:` separates bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ascription {
    Allowed,
    Index,
}

/// A form whose last part is an expression that reaches as far as possible. These nest to the
/// right, so they are kept on a list until that last part is known.
enum Frame {
    Let { sizes: Vec<Ident>, pat: Pat, rhs: Exp },
    LetFun(Box<LetFun>),
    LetWith { name: Ident, path: Vec<UpdateStep>, rhs: Exp },
    If(Exp, Exp),
    Loop { sizes: Vec<Ident>, pat: Pat, init: Option<Exp>, form: LoopForm },
    Lambda { params: Vec<Pat>, ret: Option<TypeExp> },
    Assert(Exp),
    Attr(Attr),
}

struct LetFun {
    name: Ident,
    type_params: Vec<TypeParam>,
    params: Vec<Pat>,
    ret: Option<TypeExp>,
    rhs: Exp,
}

impl Parser<'_> {
    /// An expression with everything.
    pub(super) fn exp(&mut self) -> Exp {
        self.exp_in(Ascription::Allowed)
    }

    fn exp_in(&mut self, ascription: Ascription) -> Exp {
        self.nested(exp_error, |p| p.exp_frames(ascription))
    }

    fn exp_frames(&mut self, ascription: Ascription) -> Exp {
        let mut frames: Vec<(Span, Frame)> = Vec::new();
        let mut exp = loop {
            let start = self.here();
            match self.kind() {
                TokenKind::Let => {
                    let frame = self.let_binding();
                    frames.push((start, frame));
                    // `in` may be left out before another `let`.
                    if self.at(TokenKind::Let) {
                        continue;
                    }
                    if !self.expect_of(TokenKind::In, start, "binding", "after this binding")
                        && !self.at_exp()
                    {
                        break exp_error(self.gap());
                    }
                }
                TokenKind::If => {
                    self.bump();
                    let cond = self.exp();
                    self.expect(TokenKind::Then, "after the condition");
                    let yes = self.exp();
                    frames.push((start, Frame::If(cond, yes)));
                    if !self.expect(TokenKind::Else, "and another branch: every `if` needs both") {
                        break exp_error(self.gap());
                    }
                }
                TokenKind::Loop => {
                    let frame = self.loop_header();
                    frames.push((start, frame));
                    let place = "before the body of the loop";
                    if !self.expect_of(TokenKind::Do, start, "loop", place) && !self.at_exp() {
                        break exp_error(self.gap());
                    }
                }
                TokenKind::Backslash => {
                    self.bump();
                    let params = self.params();
                    if params.is_empty() {
                        self.expected("a parameter after `\\`");
                    }
                    let ret =
                        if self.eat(TokenKind::Colon) { Some(self.type_term()) } else { None };
                    frames.push((start, Frame::Lambda { params, ret }));
                    if !self.expect(TokenKind::Arrow, "before the body of the function")
                        && !self.at_exp()
                    {
                        break exp_error(self.gap());
                    }
                }
                TokenKind::Assert => {
                    self.bump();
                    let cond = self.atom();
                    frames.push((start, Frame::Assert(cond)));
                }
                TokenKind::HashBracket => {
                    let attr = self.attribute();
                    frames.push((start, Frame::Attr(attr)));
                }
                // The deprecated keyword, unless it is used as a name.
                TokenKind::Ident
                    if self.text_of(self.token()) == "unsafe" && starts_exp(self.nth(1)) =>
                {
                    let token = self.bump();
                    frames.push((start, Frame::Attr(Attr::Name(self.ident_of(token)))));
                }
                TokenKind::Match => break self.match_exp(),
                _ => break self.range_exp(ascription),
            }
        };
        while ascription == Ascription::Allowed
            && matches!(self.kind(), TokenKind::Colon | TokenKind::ColonGreater)
        {
            let coerce = self.at(TokenKind::ColonGreater);
            self.bump();
            let ty = Box::new(self.type_exp());
            let span = exp.span.to(ty.span);
            let inner = Box::new(exp);
            let kind =
                if coerce { ExpKind::Coerce(inner, ty) } else { ExpKind::Ascript(inner, ty) };
            exp = Exp { kind, span };
        }
        while let Some((start, frame)) = frames.pop() {
            let span = start.to(exp.span);
            let body = Box::new(exp);
            let kind = match frame {
                Frame::Let { sizes, pat, rhs } => {
                    ExpKind::Let { sizes, pat, rhs: Box::new(rhs), body }
                }
                Frame::LetFun(f) => ExpKind::LetFun {
                    name: f.name,
                    type_params: f.type_params,
                    params: f.params,
                    ret: f.ret,
                    rhs: Box::new(f.rhs),
                    body,
                },
                Frame::LetWith { name, path, rhs } => {
                    ExpKind::LetWith { name, path, rhs: Box::new(rhs), body }
                }
                Frame::If(cond, yes) => ExpKind::If(Box::new(cond), Box::new(yes), body),
                Frame::Loop { sizes, pat, init, form } => {
                    ExpKind::Loop(Box::new(Loop { sizes, pat, init, form, body: *body }))
                }
                Frame::Lambda { params, ret } => ExpKind::Lambda { params, ret, body },
                Frame::Assert(cond) => ExpKind::Assert(Box::new(cond), body),
                Frame::Attr(attr) => ExpKind::Attr(attr, body),
            };
            exp = Exp { kind, span };
        }
        exp
    }

    /// `let …`, up to where `in` belongs.
    fn let_binding(&mut self) -> Frame {
        self.bump();
        let mut sizes = Vec::new();
        while self.at(TokenKind::LBracket) {
            sizes.push(self.size_binder());
        }
        if sizes.is_empty()
            && let Some(frame) = self.let_named()
        {
            return frame;
        }
        let pat = self.pat(PatternContext::Free);
        let rhs = self.bound();
        Frame::Let { sizes, pat, rhs }
    }

    /// A function or an update, if it is one; otherwise nothing is read.
    fn let_named(&mut self) -> Option<Frame> {
        let name = if self.at(TokenKind::LParen) {
            // An operator; a parameter must follow, else it is a pattern.
            let back = self.pos;
            let name = self.binding_operator()?;
            if !self.at_function() {
                self.pos = back;
                return None;
            }
            name
        } else if self.at(TokenKind::Ident) {
            let name = self.ident_of(self.token());
            let next = self.nth_token(1);
            let adjacent = next.start == self.token().end;
            if next.kind == TokenKind::Dot || next.kind == TokenKind::LBracket && adjacent {
                self.bump();
                let mut path = Vec::new();
                loop {
                    if self.at_index() {
                        path.push(self.index_step());
                    } else if self.eat(TokenKind::Dot) {
                        path.extend(self.field_id().map(UpdateStep::Field));
                    } else {
                        break;
                    }
                }
                let rhs = self.bound();
                return Some(Frame::LetWith { name, path, rhs });
            }
            self.pos += 1;
            if !self.at_function() {
                self.pos -= 1;
                return None;
            }
            name
        } else {
            return None;
        };
        let mut type_params = self.type_params();
        let params = self.params_after(&mut type_params);
        if params.is_empty() {
            self.expected("a parameter of the function");
        }
        let ret = if self.eat(TokenKind::Colon) { Some(self.type_exp()) } else { None };
        let rhs = self.bound();
        Some(Frame::LetFun(Box::new(LetFun { name, type_params, params, ret, rhs })))
    }

    /// Whether parameters of any kind stand here.
    fn at_function(&self) -> bool {
        self.at_param() || self.at_type_param()
    }

    /// Whether a size or type parameter stands here.
    pub(super) fn at_type_param(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::LBracket
                | TokenKind::Apostrophe
                | TokenKind::ApostropheTilde
                | TokenKind::ApostropheHat
        )
    }

    /// `= e`
    pub(super) fn bound(&mut self) -> Exp {
        if !self.expect(TokenKind::Equals, "and what is bound") && !self.at_exp() {
            return exp_error(self.gap());
        }
        self.exp()
    }

    /// `loop p = e for …`, up to where `do` belongs.
    fn loop_header(&mut self) -> Frame {
        self.bump();
        let mut sizes = Vec::new();
        while self.at(TokenKind::LBracket) {
            sizes.push(self.size_binder());
        }
        let pat = self.pat(PatternContext::Free);
        let init = if self.eat(TokenKind::Equals) { Some(self.exp()) } else { None };
        let form = match self.kind() {
            TokenKind::For => {
                self.bump();
                if self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Less {
                    let name = self.ident("the loop variable");
                    self.bump();
                    LoopForm::For(name, self.exp())
                } else {
                    let pat = self.pat(PatternContext::Free);
                    self.expect(TokenKind::In, "or `<` after the loop variable");
                    LoopForm::ForIn(pat, self.exp())
                }
            }
            TokenKind::While => {
                self.bump();
                LoopForm::While(self.exp())
            }
            _ => {
                self.expected("`for` or `while`");
                LoopForm::While(exp_error(self.gap()))
            }
        };
        Frame::Loop { sizes, pat, init, form }
    }

    fn match_exp(&mut self) -> Exp {
        let start = self.here();
        self.bump();
        let scrutinee = self.exp();
        let mut cases = Vec::new();
        while self.at(TokenKind::Case) {
            let start = self.here();
            self.bump();
            let pat = self.pat(PatternContext::Case);
            let body = if self.expect(TokenKind::Arrow, "after the pattern") || self.at_exp() {
                self.exp()
            } else {
                exp_error(self.gap())
            };
            cases.push(Case { pat, body, span: self.since(start) });
        }
        if cases.is_empty() {
            self.expected("`case`");
        }
        Exp { kind: ExpKind::Match(Box::new(scrutinee), cases), span: self.since(start) }
    }

    /// `a..b...c`, or an infix expression.
    fn range_exp(&mut self, ascription: Ascription) -> Exp {
        let start = self.infix_exp(ascription);
        let second = if self.eat(TokenKind::TwoDots) {
            Some(Box::new(self.infix_exp(ascription)))
        } else {
            None
        };
        let kind = match self.kind() {
            TokenKind::ThreeDots => RangeKind::Inclusive,
            TokenKind::DotsLess => RangeKind::UpTo,
            TokenKind::DotsGreater => RangeKind::DownTo,
            _ => {
                let Some(second) = second else { return start };
                self.expected("the bound of the range: `...`, `..<` or `..>`");
                let span = start.span.to(second.span);
                return exp_error(span);
            }
        };
        self.bump();
        let end = self.infix_exp(ascription);
        let span = start.span.to(end.span);
        let kind = ExpKind::Range { start: Box::new(start), second, kind, end: Box::new(end) };
        Exp { kind, span }
    }

    /// Whether an expression can begin here.
    fn at_exp(&self) -> bool {
        starts_exp(self.kind())
    }

    /// An operand of an infix operator: prefix operators, then an application or a form that
    /// takes all that follows.
    pub(super) fn operand(&mut self, ascription: Ascription) -> Exp {
        let mut prefixes = Vec::new();
        while matches!(self.kind(), TokenKind::Minus | TokenKind::Bang) {
            prefixes.push(self.bump());
        }
        let mut exp = match self.kind() {
            TokenKind::Let
            | TokenKind::If
            | TokenKind::Loop
            | TokenKind::Match
            | TokenKind::Assert
            | TokenKind::HashBracket
            | TokenKind::Backslash => self.exp_in(ascription),
            _ => self.application(ascription),
        };
        while let Some(prefix) = prefixes.pop() {
            let span = self.span(prefix.start, prefix.end).to(exp.span);
            let inner = Box::new(exp);
            let kind = if prefix.kind == TokenKind::Minus {
                ExpKind::Negate(inner)
            } else {
                ExpKind::Not(inner)
            };
            exp = Exp { kind, span };
        }
        exp
    }

    fn application(&mut self, ascription: Ascription) -> Exp {
        let mut exp = self.atom();
        loop {
            let arg = if self.at_atom() {
                self.atom()
            } else if self.at(TokenKind::Backslash) {
                // A function may be the last argument without parentheses.
                self.exp_in(ascription)
            } else {
                return exp;
            };
            let span = exp.span.to(arg.span);
            let kind = match exp.kind {
                ExpKind::Constr(name, mut payload) => {
                    payload.push(arg);
                    ExpKind::Constr(name, payload)
                }
                kind => {
                    let function = Exp { kind, span: exp.span };
                    ExpKind::Apply(Box::new(function), Box::new(arg))
                }
            };
            exp = Exp { kind, span };
        }
    }

    fn at_atom(&self) -> bool {
        starts_atom(self.kind())
    }

    /// An atom with the projections and indexes behind it.
    fn atom(&mut self) -> Exp {
        let start = self.here();
        let mut exp = self.bare_atom();
        loop {
            if self.at_index() {
                let open = self.here();
                self.bump();
                let dims = self.dims(open);
                let kind = ExpKind::Index(Box::new(exp), dims);
                exp = Exp { kind, span: self.since(start) };
                continue;
            }
            if !self.at(TokenKind::Dot) {
                return exp;
            }
            match (self.nth(1), exp.kind) {
                (TokenKind::LParen, ExpKind::Var(module)) => {
                    self.bump();
                    let inner = self.parens();
                    exp = match inner.kind {
                        // `M.(+)` is the operator of `M`.
                        ExpKind::Var(mut op) if op.quals.is_empty() => {
                            op.quals = module.quals;
                            op.quals.push(module.name);
                            op.span = self.since(start);
                            Exp { kind: ExpKind::Var(op), span: self.since(start) }
                        }
                        ExpKind::Parens(inner) => Exp {
                            kind: ExpKind::QualParens(module, inner),
                            span: self.since(start),
                        },
                        kind => {
                            let inner = Box::new(Exp { kind, span: inner.span });
                            let kind = ExpKind::QualParens(module, inner);
                            Exp { kind, span: self.since(start) }
                        }
                    };
                }
                (_, ExpKind::Var(mut name)) if self.nth(1) == TokenKind::Ident => {
                    self.bump();
                    let token = self.bump();
                    name.quals.push(name.name);
                    name.name = self.ident_of(token);
                    name.span = self.since(start);
                    exp = Exp { kind: ExpKind::Var(name), span: self.since(start) };
                }
                (_, kind) => {
                    exp.kind = kind;
                    self.bump();
                    if self.at(TokenKind::LParen) {
                        self.error(self.here(), SyntaxError::OpensNoModule);
                        let _ = self.parens();
                        continue;
                    }
                    let Some(field) = self.field_id() else { return exp };
                    exp = Exp {
                        kind: ExpKind::Project(Box::new(exp), field),
                        span: self.since(start),
                    };
                }
            }
        }
    }

    fn bare_atom(&mut self) -> Exp {
        let start = self.here();
        let kind = match self.kind() {
            TokenKind::Ident => {
                let token = self.bump();
                let name = self.ident_of(token);
                ExpKind::Var(QualName { quals: Vec::new(), name, span: name.span })
            }
            TokenKind::Constructor => ExpKind::Constr(self.constructor(), Vec::new()),
            TokenKind::Nat
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Char
            | TokenKind::True
            | TokenKind::False => ExpKind::Lit(self.literal(false)),
            TokenKind::String => {
                let token = self.bump();
                match literal::string(self.text_of(token)) {
                    Ok(bytes) => ExpKind::String(bytes),
                    Err(why) => {
                        self.invalid_literal(start, why);
                        ExpKind::Error
                    }
                }
            }
            TokenKind::Hole => {
                self.bump();
                ExpKind::Hole
            }
            TokenKind::LParen => return self.nested(exp_error, Parser::parens),
            TokenKind::LBracket => {
                self.bump();
                ExpKind::Array(self.separated(TokenKind::RBracket, start, Parser::exp))
            }
            TokenKind::LBrace => {
                self.bump();
                ExpKind::Record(self.separated(TokenKind::RBrace, start, Parser::record_field))
            }
            TokenKind::Equals => {
                self.error(start, SyntaxError::EqualsForExpression);
                return exp_error(self.gap());
            }
            TokenKind::For | TokenKind::While => {
                let word = self.text_of(self.token());
                let hint = format!("loops begin with `loop`, as in `loop x = 0 {word} …`");
                self.expected_with("an expression", Some(hint));
                return exp_error(self.gap());
            }
            _ => {
                self.expected("an expression");
                return exp_error(self.gap());
            }
        };
        Exp { kind, span: self.since(start) }
    }

    fn record_field(&mut self) -> RecordField {
        if self.nth(1) == TokenKind::Equals
            && matches!(self.kind(), TokenKind::Ident | TokenKind::Nat)
        {
            let token = self.bump();
            let name = self.ident_of(token);
            self.bump();
            return RecordField::Explicit(name, self.exp());
        }
        RecordField::Implicit(self.qual_name("the name of a field"))
    }

    /// Everything that begins with a parenthesis: unit, tuples, sections.
    fn parens(&mut self) -> Exp {
        let start = self.here();
        self.bump();
        // `(- x)` negates; every other operator at the front makes a section.
        if let Some(len) = self.infix_len()
            && (!self.at(TokenKind::Minus) || self.nth(1) == TokenKind::RParen)
        {
            let (op, _) = self.infix();
            let kind = if self.nth(0) == TokenKind::RParen && len > 0 {
                self.bump();
                ExpKind::Var(op)
            } else {
                let operand = self.exp_in(Ascription::Index);
                self.close(TokenKind::RParen, start, "`)` after the operator section");
                ExpKind::SectionRight(op, Box::new(operand))
            };
            return Exp { kind, span: self.since(start) };
        }
        if self.at(TokenKind::Dot) {
            return self.path_section(start);
        }
        if self.eat(TokenKind::RParen) {
            return Exp { kind: ExpKind::Tuple(Vec::new()), span: self.since(start) };
        }
        let first = self.exp();
        let kind = match self.kind() {
            TokenKind::RParen => {
                self.bump();
                ExpKind::Parens(Box::new(first))
            }
            TokenKind::Comma => {
                self.bump();
                let mut items = vec![first];
                items.extend(self.separated(TokenKind::RParen, start, Parser::exp));
                if items.len() == 1 {
                    let span = self.since(start);
                    self.error(span, SyntaxError::TupleOfOne);
                }
                ExpKind::Tuple(items)
            }
            _ if self.infix_len().is_some_and(|len| self.nth(len) == TokenKind::RParen) => {
                let (op, _) = self.infix();
                self.bump();
                ExpKind::SectionLeft(op, Box::new(first))
            }
            _ => {
                self.close(TokenKind::RParen, start, "an operator, `,` or `)`");
                ExpKind::Parens(Box::new(first))
            }
        };
        Exp { kind, span: self.since(start) }
    }

    /// `(.a.b)`, `(.[i])`, and mixtures such as `(.a[i].b)`, which are written as the function
    /// they mean.
    fn path_section(&mut self, start: Span) -> Exp {
        let mut steps = Vec::new();
        loop {
            if self.at_index() && !steps.is_empty() {
                steps.push(self.index_step());
            } else if self.eat(TokenKind::Dot) {
                if self.at(TokenKind::LBracket) && steps.is_empty() {
                    steps.push(self.index_step());
                } else if let Some(field) = self.field_id() {
                    steps.push(UpdateStep::Field(field));
                } else {
                    break;
                }
            } else {
                break;
            }
        }
        self.close(TokenKind::RParen, start, "`.` and a field, or `)`");
        let span = self.since(start);
        let fields: Option<Vec<Ident>> = steps
            .iter()
            .map(|step| match step {
                UpdateStep::Field(field) => Some(*field),
                UpdateStep::Index(..) => None,
            })
            .collect();
        if let Some(fields) = fields {
            return Exp { kind: ExpKind::SectionProject(fields), span };
        }
        if steps.len() == 1
            && let Some(UpdateStep::Index(dims, _)) = steps.pop()
        {
            return Exp { kind: ExpKind::SectionIndex(dims), span };
        }
        // No program can write this name, so it captures nothing.
        let name = Ident { name: Name::new("section argument"), span: start };
        let var = QualName { quals: Vec::new(), name, span: start };
        let mut body = Exp { kind: ExpKind::Var(var), span: start };
        for step in steps {
            let (kind, end) = match step {
                UpdateStep::Field(field) => (ExpKind::Project(Box::new(body), field), field.span),
                UpdateStep::Index(dims, end) => (ExpKind::Index(Box::new(body), dims), end),
            };
            body = Exp { kind, span: start.to(end) };
        }
        let params = vec![Pat { kind: PatKind::Var(name), span: start }];
        Exp { kind: ExpKind::Lambda { params, ret: None, body: Box::new(body) }, span }
    }

    /// `[i, j:k]` as a step of an update.
    fn index_step(&mut self) -> UpdateStep {
        let open = self.here();
        self.bump();
        let dims = self.dims(open);
        UpdateStep::Index(dims, self.since(open))
    }

    /// What is updated in `e with … = v`.
    pub(super) fn update_path(&mut self) -> Vec<UpdateStep> {
        let mut path = Vec::new();
        loop {
            match self.kind() {
                TokenKind::LBracket => path.push(self.index_step()),
                TokenKind::Dot => {
                    self.bump();
                    path.extend(self.field_id().map(UpdateStep::Field));
                }
                TokenKind::Ident | TokenKind::Nat if path.is_empty() => {
                    path.extend(self.field_id().map(UpdateStep::Field));
                }
                // `with 0.1` is two fields, though it looks like a number.
                TokenKind::Float if path.is_empty() => {
                    let token = self.bump();
                    let mut at = token.start;
                    for part in self.text_of(token).split('.') {
                        let end = at + part.len() as u32;
                        let span = self.span(at, end);
                        path.push(UpdateStep::Field(Ident { name: Name::new(part), span }));
                        at = end + 1;
                    }
                }
                _ => break,
            }
        }
        if path.is_empty() {
            self.expected("a field or an index in brackets after `with`");
        }
        path
    }

    /// The dimensions of an index, and the bracket that closes it.
    fn dims(&mut self, open: Span) -> Vec<DimIndex> {
        let dims = self.separated(TokenKind::RBracket, open, Parser::dim);
        if dims.is_empty() {
            let span = self.since(open);
            self.error(span, SyntaxError::IndexOfNothing);
        }
        dims
    }

    fn dim(&mut self) -> DimIndex {
        let from = self.here();
        let start = if self.at(TokenKind::Colon) { None } else { Some(self.index_exp()) };
        if !self.at(TokenKind::Colon) {
            return DimIndex::Fix(start.unwrap_or_else(|| exp_error(from)));
        }
        let mut bounds = [None, None];
        for bound in &mut bounds {
            if !self.eat(TokenKind::Colon) {
                break;
            }
            if self.at_exp() {
                *bound = Some(Box::new(self.index_exp()));
            }
        }
        let [end, stride] = bounds;
        DimIndex::Slice { start: start.map(Box::new), end, stride, span: self.since(from) }
    }

    fn index_exp(&mut self) -> Exp {
        self.exp_in(Ascription::Index)
    }
}

fn starts_atom(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Ident
            | TokenKind::Constructor
            | TokenKind::Nat
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Char
            | TokenKind::String
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Hole
            | TokenKind::LParen
            | TokenKind::LBracket
            | TokenKind::LBrace
    )
}

fn starts_exp(kind: TokenKind) -> bool {
    starts_atom(kind)
        || matches!(
            kind,
            TokenKind::Minus
                | TokenKind::Bang
                | TokenKind::Let
                | TokenKind::If
                | TokenKind::Loop
                | TokenKind::Match
                | TokenKind::Assert
                | TokenKind::HashBracket
                | TokenKind::Backslash
        )
}

pub(super) fn exp_error(span: Span) -> Exp {
    Exp { kind: ExpKind::Error, span }
}
