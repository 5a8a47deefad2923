//! Expressions.

use super::doc::Id;
use super::{Fmt, MAX_DEPTH};
use crate::syntax::ast::{
    Case, DimIndex, Exp, ExpKind, Ident, Loop, LoopForm, Pat, QualName, RecordField, TypeExp,
    UpdateStep,
};
use crate::syntax::lexer::TokenKind;
use crate::syntax::parser::{associates_right, same_level};

impl Fmt<'_> {
    /// Runs `write` one level deeper; too deep, nothing is written and all is given up.
    pub(super) fn deeper(&mut self, end: u32, write: impl FnOnce(&mut Self) -> Id) -> Id {
        if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            return self.glue(end);
        }
        self.depth += 1;
        let doc = write(self);
        self.depth -= 1;
        doc
    }

    pub(super) fn exp(&mut self, exp: &Exp) -> Id {
        self.deeper(exp.span.end, |f| f.exp_here(exp))
    }

    fn exp_here(&mut self, exp: &Exp) -> Id {
        match &exp.kind {
            ExpKind::Lit(_)
            | ExpKind::String(_)
            | ExpKind::Var(_)
            | ExpKind::Hole
            | ExpKind::Error
            | ExpKind::SectionProject(_) => self.glue(exp.span.end),
            ExpKind::Parens(inner) => self.parens(inner).0,
            ExpKind::QualParens(module, inner) => {
                let parts = vec![self.qual_name(module), self.tok(), self.parens(inner).0];
                self.cat(parts)
            }
            ExpKind::Tuple(items) => self.bracketed(items.len(), |f, i| f.exp(&items[i])),
            ExpKind::Record(fields) => self.bracketed(fields.len(), |f, i| match &fields[i] {
                RecordField::Explicit(_, exp) => {
                    let mut parts = vec![f.tok(), f.space_tok()];
                    parts.push(f.behind(exp));
                    f.cat(parts)
                }
                RecordField::Implicit(name) => f.qual_name(name),
            }),
            ExpKind::Array(items) if self.to_be_filled(items) => self.filled(items),
            ExpKind::Array(items) => self.bracketed(items.len(), |f, i| f.exp(&items[i])),
            ExpKind::Project(..) | ExpKind::Index(..) => self.postfix(exp),
            ExpKind::Range { start, second, end, .. } => {
                let mut parts = vec![self.exp(start)];
                for bound in second.iter().chain([end]) {
                    parts.push(self.tok());
                    parts.push(self.exp(bound));
                }
                self.cat(parts)
            }
            ExpKind::Constr(_, payload) if payload.is_empty() => self.tok(),
            ExpKind::Constr(_, payload) => {
                let head = self.tok();
                self.apply(head, &payload.iter().collect::<Vec<_>>())
            }
            ExpKind::Apply(..) => {
                let mut args = Vec::new();
                let mut head = exp;
                while let ExpKind::Apply(f, arg) = &head.kind {
                    args.push(&**arg);
                    head = f;
                }
                args.reverse();
                let head = self.exp(head);
                self.apply(head, &args)
            }
            ExpKind::BinOp { op, .. } if associates_right(op) => self.right_chain(exp, op),
            ExpKind::BinOp { op, .. } => self.left_chain(exp, op),
            ExpKind::Negate(inner) | ExpKind::Not(inner) => {
                let mut parts = vec![self.tok()];
                // Two of them would be one operator, or a comment.
                if matches!(inner.kind, ExpKind::Negate(_) | ExpKind::Not(_)) {
                    parts.push(self.space());
                }
                parts.push(self.exp(inner));
                self.cat(parts)
            }
            // `(.a[i].b)` has become a lambda without `\`.
            ExpKind::Lambda { .. } if self.kind() != TokenKind::Backslash => self.raw(exp.span.end),
            ExpKind::Lambda { params, ret, body } => self.lambda(params, ret.as_ref(), body),
            ExpKind::SectionLeft(op, operand) => {
                let parts = vec![
                    self.tok(),
                    self.exp(operand),
                    self.space(),
                    self.qual_name(op),
                    self.tok(),
                ];
                self.cat(parts)
            }
            ExpKind::SectionRight(op, operand) => {
                let parts = vec![
                    self.tok(),
                    self.qual_name(op),
                    self.space(),
                    self.exp(operand),
                    self.tok(),
                ];
                self.cat(parts)
            }
            ExpKind::SectionIndex(dims) => {
                let parts = vec![self.tok(), self.tok(), self.dims(dims), self.tok()];
                self.cat(parts)
            }
            ExpKind::Ascript(inner, ty) | ExpKind::Coerce(inner, ty) => {
                let inner = self.exp(inner);
                let line = self.d.line();
                let rest = vec![line, self.tok_space(), self.type_exp(ty)];
                let rest = self.cat(rest);
                let rest = self.d.nest(2, rest);
                let all = self.cat(vec![inner, rest]);
                self.d.group(all, false)
            }
            ExpKind::Let { .. } | ExpKind::LetFun { .. } | ExpKind::LetWith { .. } => {
                self.lets(exp)
            }
            ExpKind::Update { .. } => self.updates(exp),
            ExpKind::If(..) => self.ifs(exp),
            ExpKind::Match(scrutinee, cases) => self.match_exp(scrutinee, cases),
            ExpKind::Loop(l) => self.loop_exp(l),
            ExpKind::Assert(cond, body) => {
                let head = self.tok();
                self.apply(head, &[cond, body])
            }
            ExpKind::Attr(attr, body) => {
                let attr = self.attr(attr);
                let broken = self.newline();
                let line = self.d.line();
                let body = self.exp(body);
                let all = self.cat(vec![attr, line, body]);
                let all = self.d.align(all);
                self.d.group(all, broken)
            }
        }
    }

    /// What stands behind `=` or `->`: on the same line or, indented, on the next.
    pub(super) fn behind(&mut self, exp: &Exp) -> Id {
        let broken = self.newline();
        let line = self.d.line();
        let body = self.exp(exp);
        let body = self.cat(vec![line, body]);
        let body = self.d.nest(2, body);
        self.d.group(body, broken)
    }

    /// An expression all of whose lines begin where it begins.
    fn aligned(&mut self, exp: &Exp) -> Id {
        let doc = self.exp(exp);
        self.d.align(doc)
    }

    /// `(inner)`; and the same with the body of a function on a line of its own, if it is one.
    fn parens(&mut self, inner: &Exp) -> (Id, Option<Id>) {
        let open = self.tok();
        let content = self.exp(inner);
        let close = self.tok();
        let aligned = self.d.align(content);
        let plain = self.cat(vec![open, aligned, close]);
        let hugging = matches!(inner.kind, ExpKind::Lambda { .. }).then(|| {
            let broken = self.d.broken(content);
            let aligned = self.d.align(broken);
            self.cat(vec![open, aligned, close])
        });
        (plain, hugging)
    }

    /// Arguments on one line, or below each other. A function that is the last one may begin on
    /// the line of the others.
    fn apply(&mut self, head: Id, args: &[&Exp]) -> Id {
        let mut docs = Vec::new();
        let mut hugging = None;
        for arg in args {
            hugging = None;
            docs.push(match &arg.kind {
                ExpKind::Parens(inner) => {
                    let (plain, hug) = self.parens(inner);
                    hugging = hug;
                    plain
                }
                _ => self.aligned(arg),
            });
        }
        let space = self.space();
        let mut below = Vec::new();
        for doc in &docs {
            if !below.is_empty() {
                below.push(self.d.line());
            }
            below.push(*doc);
        }
        let below = self.cat(below);
        let below = self.d.align_near(below);
        let below = self.cat(vec![head, space, below]);
        let chosen = match hugging {
            Some(last) if !docs[..docs.len() - 1].iter().any(|doc| self.d.is_hard(*doc)) => {
                let mut beside = vec![head];
                for doc in &docs[..docs.len() - 1] {
                    beside.extend([space, *doc]);
                }
                beside.extend([space, last]);
                let beside = self.cat(beside);
                self.d.first_fitting(beside, below)
            }
            _ => below,
        };
        self.d.group(chosen, false)
    }

    /// Whether an array has short elements only, and its author did not put them below each other
    /// as longer ones are put, with the commas first.
    fn to_be_filled(&self, items: &[Exp]) -> bool {
        if items.len() < 2 || !items.iter().all(is_short) {
            return false;
        }
        let mut comma = 1;
        items[..items.len() - 1].iter().any(|item| {
            comma += if matches!(item.kind, ExpKind::Negate(_)) { 2 } else { 1 };
            let beside = !self.nth(comma).newline;
            comma += 1;
            beside
        })
    }

    /// Short elements, as many as fit on each line.
    fn filled(&mut self, items: &[Exp]) -> Id {
        let open = self.tok();
        let mut parts = Vec::new();
        for (i, item) in items.iter().enumerate() {
            if i == 0 {
                parts.push(self.exp(item));
                continue;
            }
            let mut broken = self.newline();
            parts.push(self.tok());
            broken |= self.newline();
            let line = self.d.line();
            let item = self.exp(item);
            let item = self.cat(vec![line, item]);
            parts.push(self.d.group(item, broken));
        }
        if self.kind() == TokenKind::Comma {
            self.skip();
        }
        let items = self.cat(parts);
        let items = self.d.align(items);
        let close = self.tok();
        self.cat(vec![open, items, close])
    }

    /// `e.f[i].g`: what is selected from is found by a loop, since there may be many selections.
    fn postfix(&mut self, exp: &Exp) -> Id {
        let mut steps = Vec::new();
        let mut base = exp;
        loop {
            base = match &base.kind {
                ExpKind::Project(inner, _) | ExpKind::Index(inner, _) => {
                    steps.push(base);
                    inner
                }
                _ => break,
            };
        }
        let mut parts = vec![self.exp(base)];
        for step in steps.into_iter().rev() {
            match &step.kind {
                ExpKind::Index(_, dims) => parts.push(self.dims(dims)),
                _ => parts.push(self.glue(step.span.end)),
            }
        }
        self.cat(parts)
    }

    /// `[i, j:k]`
    fn dims(&mut self, dims: &[DimIndex]) -> Id {
        let mut parts = vec![self.tok()];
        for (i, dim) in dims.iter().enumerate() {
            if i > 0 {
                parts.push(self.tok_space());
            }
            match dim {
                DimIndex::Fix(exp) => parts.push(self.aligned(exp)),
                DimIndex::Slice { start, end, stride, span } => {
                    if let Some(start) = start {
                        parts.push(self.aligned(start));
                    }
                    for bound in [end, stride] {
                        if self.kind() == TokenKind::Colon && self.nth(0).end <= span.end {
                            parts.push(self.tok());
                        }
                        if let Some(bound) = bound {
                            parts.push(self.aligned(bound));
                        }
                    }
                }
            }
        }
        if self.kind() == TokenKind::Comma {
            self.skip();
        }
        parts.push(self.tok());
        self.cat(parts)
    }

    /// Operators of one level: on one line, or each on its own line before its operand.
    fn left_chain(&mut self, exp: &Exp, op: &QualName) -> Id {
        let mut steps = Vec::new();
        let mut first = exp;
        while let ExpKind::BinOp { op: this, lhs, rhs } = &first.kind
            && same_level(this, op)
        {
            steps.push((this, &**rhs));
            first = lhs;
        }
        steps.reverse();
        let first = self.exp(first);
        self.chain(first, &steps)
    }

    fn right_chain(&mut self, exp: &Exp, op: &QualName) -> Id {
        let ExpKind::BinOp { lhs: first, .. } = &exp.kind else { return self.raw(exp.span.end) };
        let mut steps = Vec::new();
        let mut rest = exp;
        while let ExpKind::BinOp { op: this, rhs, .. } = &rest.kind
            && same_level(this, op)
        {
            let operand = match &rhs.kind {
                ExpKind::BinOp { op: next, lhs, .. } if same_level(next, op) => lhs,
                _ => rhs,
            };
            steps.push((this, &**operand));
            rest = rhs;
        }
        let first = self.exp(first);
        self.chain(first, &steps)
    }

    fn chain(&mut self, first: Id, steps: &[(&QualName, &Exp)]) -> Id {
        let mut parts = vec![first];
        let mut broken = false;
        for (op, operand) in steps {
            broken |= self.newline();
            parts.push(self.d.line());
            parts.push(self.lead());
            parts.push(self.qual_name(op));
            parts.push(self.space());
            broken |= self.newline();
            parts.push(self.aligned(operand));
        }
        let chain = self.cat(parts);
        let chain = self.d.align(chain);
        self.d.group(chain, broken)
    }

    fn lambda(&mut self, params: &[Pat], ret: Option<&TypeExp>, body: &Exp) -> Id {
        let mut parts = vec![self.tok()];
        for (i, param) in params.iter().enumerate() {
            if i > 0 {
                parts.push(self.space());
            }
            parts.push(self.pat(param));
        }
        if let Some(ret) = ret {
            parts.push(self.space_tok());
            parts.push(self.space());
            parts.push(self.type_exp(ret));
        }
        parts.push(self.space_tok());
        let broken = self.newline();
        let line = self.d.line();
        let body = self.exp(body);
        let body = self.cat(vec![line, body]);
        parts.push(self.d.nest(2, body));
        let all = self.cat(parts);
        self.d.group(all, broken)
    }

    /// Bindings below each other, and `in` with what they are for.
    fn lets(&mut self, exp: &Exp) -> Id {
        let mut parts = Vec::new();
        let mut broken = false;
        let mut count = 0;
        let mut exp = exp;
        while let ExpKind::Let { body, .. }
        | ExpKind::LetFun { body, .. }
        | ExpKind::LetWith { body, .. } = &exp.kind
        {
            if count > 0 {
                self.between(&mut parts);
            }
            parts.push(self.lead());
            parts.push(self.binding(exp));
            count += 1;
            if self.kind() == TokenKind::In && self.nth(1).kind == TokenKind::Let {
                self.skip();
            }
            exp = body;
        }
        broken |= self.newline() || count > 1;
        let blank = self.blank();
        parts.push(self.d.line());
        if blank {
            parts.push(self.d.blank());
        }
        parts.push(self.lead());
        parts.push(self.tok_space());
        parts.push(self.aligned(exp));
        let all = self.cat(parts);
        let all = self.d.align(all);
        self.d.group(all, broken)
    }

    fn binding(&mut self, exp: &Exp) -> Id {
        let keyword = self.tok_space();
        match &exp.kind {
            ExpKind::Let { sizes, pat, rhs, .. } => {
                let mut parts = vec![keyword];
                for _ in sizes {
                    parts.push(self.size_binder());
                }
                if !sizes.is_empty() {
                    parts.push(self.space());
                }
                let pat = self.pat(pat);
                parts.push(self.d.align(pat));
                parts.push(self.space_tok());
                parts.push(self.behind(rhs));
                self.cat(parts)
            }
            ExpKind::LetFun { name, type_params, params, ret, rhs, .. } => {
                let name = self.binder(name.span.end);
                self.function(keyword, name, type_params, params, ret.as_ref(), rhs)
            }
            ExpKind::LetWith { path, rhs, .. } => {
                let mut parts = vec![keyword, self.tok()];
                self.steps(path, &mut parts);
                parts.push(self.space_tok());
                parts.push(self.behind(rhs));
                self.cat(parts)
            }
            _ => self.raw(exp.span.end),
        }
    }

    /// Where an update goes: `[i].f`
    fn steps(&mut self, path: &[UpdateStep], parts: &mut Vec<Id>) {
        for step in path {
            match step {
                UpdateStep::Index(dims, _) => parts.push(self.dims(dims)),
                UpdateStep::Field(Ident { span, .. }) => parts.push(self.glue(span.end)),
            }
        }
    }

    /// `e with [i] = v with f = w`
    fn updates(&mut self, exp: &Exp) -> Id {
        let mut updates = Vec::new();
        let mut base = exp;
        while let ExpKind::Update { exp, path, value } = &base.kind {
            updates.push((path, value));
            base = exp;
        }
        let base = self.exp(base);
        let mut parts = Vec::new();
        let mut broken = false;
        for (path, value) in updates.into_iter().rev() {
            broken |= self.newline();
            parts.push(self.d.line());
            parts.push(self.lead());
            parts.push(self.tok_space());
            // `0.1` is one token, and two fields.
            if self.kind() == TokenKind::Float {
                parts.push(self.tok());
            }
            self.steps(path, &mut parts);
            parts.push(self.space_tok());
            parts.push(self.space());
            parts.push(self.aligned(value));
        }
        let updates = self.cat(parts);
        let updates = self.d.nest(2, updates);
        let all = self.cat(vec![base, updates]);
        let all = self.d.align(all);
        self.d.group(all, broken)
    }

    /// `if … then … else if … then … else …`: all on one line, or each branch on its own.
    fn ifs(&mut self, exp: &Exp) -> Id {
        let mut parts = Vec::new();
        let mut broken = false;
        let mut rest = exp;
        while let ExpKind::If(cond, yes, no) = &rest.kind {
            let keyword = self.tok_space();
            let cond = self.aligned(cond);
            let apart = self.newline();
            let line = self.d.line();
            let then = vec![self.lead(), self.tok_space(), self.aligned(yes)];
            let then = self.cat(then);
            // A branch may stay on the line of its condition while the others are below it.
            let arm = self.cat(vec![keyword, cond, line, then]);
            parts.push(self.d.group(arm, apart));
            broken |= self.newline();
            parts.push(self.d.line());
            parts.push(self.lead());
            parts.push(self.tok_space());
            rest = no;
            if !matches!(rest.kind, ExpKind::If(..)) {
                break;
            }
        }
        parts.push(self.aligned(rest));
        let all = self.cat(parts);
        let all = self.d.align(all);
        self.d.group(all, broken)
    }

    fn match_exp(&mut self, scrutinee: &Exp, cases: &[Case]) -> Id {
        let mut parts = vec![self.tok_space(), self.aligned(scrutinee)];
        let mut broken = false;
        for case in cases {
            broken |= self.newline();
            let blank = self.blank();
            parts.push(self.d.line());
            if blank && broken {
                parts.push(self.d.blank());
            }
            parts.push(self.lead());
            parts.push(self.tok_space());
            parts.push(self.pat(&case.pat));
            parts.push(self.space_tok());
            parts.push(self.behind(&case.body));
        }
        let all = self.cat(parts);
        let all = self.d.align(all);
        self.d.group(all, broken)
    }

    fn loop_exp(&mut self, l: &Loop) -> Id {
        let mut head = vec![self.tok_space()];
        for _ in &l.sizes {
            head.push(self.size_binder());
        }
        if !l.sizes.is_empty() {
            head.push(self.space());
        }
        let pat = self.pat(&l.pat);
        head.push(self.d.align(pat));
        if let Some(init) = &l.init {
            head.push(self.space_tok());
            head.push(self.space());
            head.push(self.aligned(init));
        }
        let apart = self.newline();
        head.push(self.d.line());
        head.push(self.lead());
        head.push(self.tok_space());
        match &l.form {
            LoopForm::For(_, bound) => {
                head.push(self.tok());
                head.push(self.space_tok());
                head.push(self.space());
                head.push(self.aligned(bound));
            }
            LoopForm::ForIn(pat, exp) => {
                head.push(self.pat(pat));
                head.push(self.space_tok());
                head.push(self.space());
                head.push(self.aligned(exp));
            }
            LoopForm::While(cond) => head.push(self.aligned(cond)),
        }
        head.push(self.space_tok());
        let head = self.cat(head);
        let head = self.d.group(head, apart);
        let broken = self.newline();
        let line = self.d.line();
        let body = self.exp(&l.body);
        let body = self.cat(vec![line, body]);
        let body = self.d.nest(2, body);
        let all = self.cat(vec![head, body]);
        let all = self.d.align(all);
        self.d.group(all, broken)
    }
}

/// Whether an element of an array is so short that several belong on a line.
fn is_short(exp: &Exp) -> bool {
    match &exp.kind {
        ExpKind::Lit(_) => true,
        ExpKind::Negate(inner) => matches!(inner.kind, ExpKind::Lit(_)),
        _ => false,
    }
}
