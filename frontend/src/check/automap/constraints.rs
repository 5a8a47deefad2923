//! The walk over a definition that gathers the constraints of its applications.
//!
//! Applying `f : a -> b` to `x : c` may take `M` maps or `R` reps:
//!
//! ```text
//! M + |a| = R + |c|        M = 0 or R = 0
//! ```
//!
//! and what comes of it has the type `b` with `M` more dimensions. All else is Hindley–Milner
//! inference without sizes. Operators, sections, pipes and compositions are applications too:
//! `x |> f` and `f <| x` of `f` to `x`, `f >-> g` of `g` to what `f` returns. Indexes, conditions,
//! loop bounds and annotations are not: their ranks must agree as they are.
//!
//! Where the difference of the ranks is known at once, so are `M` and `R`, and there is nothing
//! to solve.

use super::ranks::Rank;
use super::shapes::{Base, PolyShape, Shape, Shapes};
use crate::check::types::elab::Elab;
use crate::check::types::env::{Env, ModBinding, Scheme, ValueBinding};
use crate::check::types::own_name::OwnName;
use crate::check::types::typeexp::{DimPosition, SizeScope, resolve_type};
use crate::syntax::ast::{self, Ident, Liftedness};
use futc_typed::intrinsics::{Over, UNARY};
use futc_typed::name::Name;
use futc_typed::program::VarId;
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, field_order};
use std::collections::HashMap;
use std::sync::Arc;

/// An application: the expression it is part of, by address, and which of its applications it is.
/// The tree is borrowed as long as sites are in use, so that addresses tell nodes apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Site {
    node: usize,
    nth: u8,
}

impl Site {
    pub(super) fn new(node: &ast::Exp, nth: u8) -> Site {
        Site { node: std::ptr::from_ref(node).addr(), nth }
    }
}

/// The constraint of an application, where something is or may be inserted.
#[derive(Debug)]
pub(super) struct Application {
    pub(super) site: Site,
    pub(super) span: Span,
    pub(super) maps: Rank,
    pub(super) reps: Rank,
    /// What is applied.
    pub(super) fun: Shape,
}

/// What a use of `|>`, `<|`, `>->` or `<-<` of the prelude does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pipe {
    /// `x |> f`
    Right,
    /// `f <| x`
    Left,
    /// `f >-> g`
    Then,
    /// `g <-< f`
    After,
}

/// What the walk finds out.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) shapes: Shapes,
    pub(super) applications: Vec<Application>,
    /// The operators that are pipes, by the address of their expression.
    pub(super) pipes: HashMap<Site, Pipe>,
}

#[derive(Clone)]
enum Local {
    Mono(Shape),
    Poly(Arc<PolyShape>),
    Binding(ValueBinding),
}

struct Walk<'a> {
    cx: &'a mut Elab,
    env: &'a Env,
    opened: Vec<Arc<Env>>,
    locals: HashMap<Name, Vec<Local>>,
    trail: Vec<Name>,
    types: Vec<(Name, Liftedness, VarId)>,
    out: Gathered,
}

/// Gathers the constraints of a definition. What it says on the way is of no use.
pub(super) fn gather(cx: &mut Elab, env: &Env, vb: &ast::ValBind, own: OwnName) -> Gathered {
    let mut walk = Walk {
        cx,
        env,
        opened: Vec::new(),
        locals: HashMap::new(),
        trail: Vec::new(),
        types: Vec::new(),
        out: Gathered::default(),
    };
    let own = (own == OwnName::Itself).then_some(vb.name);
    walk.function(&vb.type_params, &vb.params, vb.ret.as_ref(), &vb.body, own);
    walk.out.shapes.settle_lifts();
    walk.out.shapes.ranks.settle();
    walk.out
}

impl Walk<'_> {
    // Names.

    fn mark(&self) -> (usize, usize) {
        (self.trail.len(), self.types.len())
    }

    fn undo(&mut self, mark: (usize, usize)) {
        while self.trail.len() > mark.0 {
            if let Some(name) = self.trail.pop()
                && let Some(stack) = self.locals.get_mut(&name)
            {
                stack.pop();
            }
        }
        self.types.truncate(mark.1);
    }

    fn push(&mut self, name: Name, local: Local) {
        self.locals.entry(name).or_default().push(local);
        self.trail.push(name);
    }

    fn push_size(&mut self, name: Ident) {
        self.push(name.name, Local::Mono(Shape::scalar()));
    }

    fn scope(&self) -> &Env {
        match self.opened.last() {
            Some(env) => env,
            None => self.env,
        }
    }

    /// What a name means, and the fields still to be projected.
    fn find(&self, name: &ast::QualName) -> Option<(Local, Vec<Ident>)> {
        let parts: Vec<Ident> = name.quals.iter().copied().chain([name.name]).collect();
        let (first, rest) = parts.split_first()?;
        if let Some(local) = self.locals.get(&first.name).and_then(|s| s.last()) {
            return Some((local.clone(), rest.to_vec()));
        }
        let mut env = self.scope();
        let mut parts = parts.as_slice();
        while let Some((first, rest)) = parts.split_first() {
            if !rest.is_empty()
                && let Some(ModBinding::Structure(inner)) = env.modules.get(&first.name)
            {
                env = inner;
                parts = rest;
                continue;
            }
            let binding = env.values.get(&first.name)?;
            return Some((Local::Binding(binding.clone()), rest.to_vec()));
        }
        None
    }

    fn variable(&mut self, name: &ast::QualName) -> Shape {
        let Some((local, fields)) = self.find(name) else {
            if is_logical(name) {
                return binary(Shape::scalar(), Shape::scalar());
            }
            return self.fresh();
        };
        let shape = match local {
            Local::Mono(shape) => shape,
            Local::Poly(poly) => self.out.shapes.instantiate(&poly),
            Local::Binding(binding) => self.binding(&binding),
        };
        fields.into_iter().fold(shape, |shape, field| self.project(&shape, field.name))
    }

    fn binding(&mut self, binding: &ValueBinding) -> Shape {
        match binding {
            ValueBinding::Def { scheme, .. } | ValueBinding::Intrinsic { scheme, .. } => {
                self.instance(scheme)
            }
            ValueBinding::Operator { name, over, compares } => {
                let operand = match over {
                    Over::Any => self.fresh(),
                    Over::Int | Over::Num | Over::IntBool | Over::Prim => Shape::scalar(),
                };
                let ret = if *compares { Shape::scalar() } else { operand.clone() };
                if UNARY.iter().any(|(n, _)| *n == name.as_str()) {
                    Shape::arrow(operand, ret)
                } else {
                    binary(operand, ret)
                }
            }
        }
    }

    fn instance(&mut self, scheme: &Scheme) -> Shape {
        let params = scheme.type_params.iter().map(|(_, v)| (*v, self.out.shapes.fresh()));
        let params = params.collect();
        self.out.shapes.of_type(&scheme.ty, &params)
    }

    /// The pipe or composition that an operator is, unless it is redefined.
    fn pipe(&self, op: &ast::QualName) -> Option<Pipe> {
        let pipe = match op.name.name.as_str() {
            "|>" => Pipe::Right,
            "<|" => Pipe::Left,
            ">->" => Pipe::Then,
            "<-<" => Pipe::After,
            _ => return None,
        };
        let prelude = self.cx.prelude_env.as_ref()?.values.get(&op.name.name)?;
        let (found, fields) = self.find(op)?;
        let same = match (&found, prelude) {
            (
                Local::Binding(ValueBinding::Def { id, .. }),
                ValueBinding::Def { id: original, .. },
            ) => id == original,
            _ => false,
        };
        (same && fields.is_empty()).then_some(pipe)
    }

    // Shapes.

    fn fresh(&mut self) -> Shape {
        self.out.shapes.fresh()
    }

    fn unify(&mut self, a: &Shape, b: &Shape) {
        self.out.shapes.unify(a, b);
    }

    /// A rank that must be zero.
    fn not_array(&mut self, shape: &Shape) {
        self.out.shapes.ranks.equal(&shape.rank, &Rank::default());
    }

    /// An expression of a primitive type.
    fn scalar(&mut self, e: &ast::Exp) {
        let shape = self.exp(e);
        self.unify(&Shape::scalar(), &shape);
    }

    fn scalar_if(&mut self, e: Option<&ast::Exp>) {
        if let Some(e) = e {
            self.scalar(e);
        }
    }

    fn project(&mut self, shape: &Shape, field: Name) -> Shape {
        self.not_array(shape);
        match self.out.shapes.field(&shape.base, field) {
            Some(t) => t,
            None => self.fresh(),
        }
    }

    /// The type written; unknown if it is wrong.
    fn written(&mut self, te: &ast::TypeExp) -> Shape {
        let env = self.opened.last().cloned();
        let env = match &env {
            Some(env) => env,
            None => self.env,
        };
        let mut scope = WithoutSizes { types: &self.types, bound: Vec::new() };
        match resolve_type(self.cx, env, &mut scope, te) {
            Some(resolved) => self.out.shapes.of_type(&resolved.ty, &HashMap::new()),
            None => self.fresh(),
        }
    }

    /// Applies a function to an argument.
    fn apply(&mut self, fun: Shape, arg: &Shape, site: Site, span: Span) -> Shape {
        self.not_array(&fun);
        let shapes = &mut self.out.shapes;
        if matches!(shapes.head(&fun.base), Base::Meta(_)) {
            let (param, ret) = (shapes.fresh(), shapes.fresh());
            let arrow = Shape::arrow(param, ret);
            shapes.unify_base(&fun.base, &arrow.base);
        }
        let Base::Arrow(arrow) = shapes.head(&fun.base) else { return shapes.fresh() };
        let (param, ret) = (&arrow.0, &arrow.1);
        shapes.unify_base(&param.base, &arg.base);
        let gap = shapes.ranks.resolve(&arg.rank.plus(-1, &param.rank));
        let (maps, reps) = match gap.value() {
            Some(gap) => (Rank::constant(gap.max(0)), Rank::constant((-gap).max(0))),
            None => {
                let maps = Rank::var(shapes.ranks.fresh());
                let reps = Rank::var(shapes.ranks.fresh());
                let left = param.rank.plus(1, &maps);
                let right = arg.rank.plus(1, &reps);
                shapes.ranks.equal(&left, &right);
                (maps, reps)
            }
        };
        let result = shapes.lift(&maps, ret);
        if !maps.is_zero() || !reps.is_zero() {
            self.out.applications.push(Application { site, span, maps, reps, fun });
        }
        result
    }

    // Expressions.

    #[allow(clippy::too_many_lines, reason = "one case for each form of expression")]
    fn exp(&mut self, e: &ast::Exp) -> Shape {
        use ast::ExpKind as K;
        match &e.kind {
            K::Lit(_) => Shape::scalar(),
            K::String(_) => Shape::scalar().array(),
            K::Var(name) => self.variable(name),
            K::Parens(inner) | K::Attr(_, inner) => self.exp(inner),
            K::QualParens(module, inner) => self.opened_in(module, inner),
            K::Tuple(es) => {
                let fields = es.iter().enumerate();
                let fields = fields.map(|(i, e)| (Name::new(&i.to_string()), self.exp(e)));
                let fields: Vec<_> = fields.collect();
                record(fields)
            }
            K::Record(written) => {
                let mut fields = Vec::with_capacity(written.len());
                for field in written {
                    fields.push(match field {
                        ast::RecordField::Explicit(name, e) => (name.name, self.exp(e)),
                        ast::RecordField::Implicit(name) => (name.name.name, self.variable(name)),
                    });
                }
                record(fields)
            }
            K::Array(es) => {
                let elem = self.fresh();
                for e in es {
                    let shape = self.exp(e);
                    self.unify(&elem, &shape);
                }
                elem.array()
            }
            K::Project(e, field) => {
                let shape = self.exp(e);
                self.project(&shape, field.name)
            }
            K::Index(a, index) => {
                let array = self.exp(a);
                self.index(&array, index)
            }
            K::Range { start, second, end, .. } => {
                self.scalar(start);
                self.scalar_if(second.as_deref());
                self.scalar(end);
                Shape::scalar().array()
            }
            K::Constr(name, payload) => {
                let payload: Vec<Shape> = payload.iter().map(|e| self.exp(e)).collect();
                let base = self.out.shapes.fresh_base();
                self.out.shapes.payload(&base, name.name, &payload);
                Shape::of(base)
            }
            K::Apply(f, x) => {
                let fun = self.exp(f);
                let arg = self.exp(x);
                self.apply(fun, &arg, Site::new(e, 0), e.span)
            }
            K::BinOp { op, lhs, rhs } => self.binary(op, lhs, rhs, e),
            K::Negate(x) | K::Not(x) => {
                let fun = Shape::arrow(Shape::scalar(), Shape::scalar());
                let arg = self.exp(x);
                self.apply(fun, &arg, Site::new(e, 0), e.span)
            }
            K::Lambda { params, ret, body } => {
                self.function(&[], params, ret.as_ref(), body, None).0
            }
            K::SectionLeft(op, x) => {
                let fun = self.variable(op);
                let arg = self.exp(x);
                self.apply(fun, &arg, Site::new(e, 0), e.span)
            }
            K::SectionRight(op, y) => {
                // The operator with its parameters exchanged, applied to the one operand.
                let fun = self.variable(op);
                let (x, y_param, ret) = (self.fresh(), self.fresh(), self.fresh());
                let whole = Shape::arrow(x.clone(), Shape::arrow(y_param.clone(), ret.clone()));
                self.unify(&whole, &fun);
                let arg = self.exp(y);
                let flipped = Shape::arrow(y_param, Shape::arrow(x, ret));
                self.apply(flipped, &arg, Site::new(e, 0), e.span)
            }
            K::SectionProject(fields) => {
                let param = self.fresh();
                let ret = fields.iter().fold(param.clone(), |t, f| self.project(&t, f.name));
                Shape::arrow(param, ret)
            }
            K::SectionIndex(index) => {
                let param = self.fresh();
                let ret = self.index(&param, index);
                Shape::arrow(param, ret)
            }
            K::Ascript(e, te) | K::Coerce(e, te) => {
                let written = self.written(te);
                let shape = self.exp(e);
                self.unify(&written, &shape);
                written
            }
            K::Let { sizes, pat, rhs, body } => {
                let rhs = self.exp(rhs);
                let mark = self.mark();
                sizes.iter().for_each(|n| self.push_size(*n));
                self.pattern(pat, &rhs);
                let body = self.exp(body);
                self.undo(mark);
                body
            }
            K::LetFun { name, type_params, params, ret, rhs, body } => {
                let poly = self.local_function(type_params, params, ret.as_ref(), rhs);
                let mark = self.mark();
                self.push(name.name, Local::Poly(Arc::new(poly)));
                let body = self.exp(body);
                self.undo(mark);
                body
            }
            K::LetWith { name, path, rhs, body } => {
                let qual = ast::QualName { quals: Vec::new(), name: *name, span: name.span };
                let target = self.variable(&qual);
                self.update(&target, path, rhs);
                let mark = self.mark();
                self.push(name.name, Local::Mono(target));
                let body = self.exp(body);
                self.undo(mark);
                body
            }
            K::Update { exp, path, value } => {
                let target = self.exp(exp);
                self.update(&target, path, value);
                target
            }
            K::If(cond, then, otherwise) => {
                self.scalar(cond);
                let then = self.exp(then);
                let otherwise = self.exp(otherwise);
                self.unify(&then, &otherwise);
                then
            }
            K::Match(scrutinee, cases) => {
                let scrutinee = self.exp(scrutinee);
                let result = self.fresh();
                for case in cases {
                    let mark = self.mark();
                    self.pattern(&case.pat, &scrutinee);
                    let body = self.exp(&case.body);
                    self.undo(mark);
                    self.unify(&result, &body);
                }
                result
            }
            K::Loop(l) => self.loop_exp(l),
            K::Assert(cond, body) => {
                self.scalar(cond);
                self.exp(body)
            }
            K::Hole | K::Error => self.fresh(),
        }
    }

    fn binary(
        &mut self,
        op: &ast::QualName,
        lhs: &ast::Exp,
        rhs: &ast::Exp,
        e: &ast::Exp,
    ) -> Shape {
        if let Some(pipe) = self.pipe(op) {
            let site = Site::new(e, 0);
            self.out.pipes.insert(site, pipe);
            let (x, y) = (self.exp(lhs), self.exp(rhs));
            return match pipe {
                Pipe::Right => self.apply(y, &x, site, e.span),
                Pipe::Left => self.apply(x, &y, site, e.span),
                Pipe::Then => self.compose(&x, y, site, e.span),
                Pipe::After => self.compose(&y, x, site, e.span),
            };
        }
        let fun = self.variable(op);
        let x = self.exp(lhs);
        let partial = self.apply(fun, &x, Site::new(e, 0), e.span);
        let y = self.exp(rhs);
        self.apply(partial, &y, Site::new(e, 1), e.span)
    }

    /// `f`, then `g`.
    fn compose(&mut self, f: &Shape, g: Shape, site: Site, span: Span) -> Shape {
        let (param, middle) = (self.fresh(), self.fresh());
        self.unify(f, &Shape::arrow(param.clone(), middle.clone()));
        let ret = self.apply(g, &middle, site, span);
        Shape::arrow(param, ret)
    }

    /// `M.(e)`
    fn opened_in(&mut self, module: &ast::QualName, inner: &ast::Exp) -> Shape {
        let path: Vec<Name> =
            module.quals.iter().chain([&module.name]).map(|part| part.name).collect();
        let Some(found) = self.scope().module(&path) else { return self.exp(inner) };
        let values: Vec<(Name, ValueBinding)> =
            found.values.iter().map(|(n, b)| (*n, b.clone())).collect();
        let mut env = self.scope().clone();
        env.open(found);
        let mark = self.mark();
        for (name, binding) in values {
            if self.locals.get(&name).is_some_and(|s| !s.is_empty()) {
                self.push(name, Local::Binding(binding));
            }
        }
        self.opened.push(Arc::new(env));
        let shape = self.exp(inner);
        self.opened.pop();
        self.undo(mark);
        shape
    }

    fn index(&mut self, array: &Shape, index: &[ast::DimIndex]) -> Shape {
        let rest = Rank::var(self.out.shapes.ranks.fresh());
        let mut kept = 0;
        for dim in index {
            match dim {
                ast::DimIndex::Fix(e) => self.scalar(e),
                ast::DimIndex::Slice { start, end, stride, .. } => {
                    kept += 1;
                    for e in [start, end, stride] {
                        self.scalar_if(e.as_deref());
                    }
                }
            }
        }
        let whole = rest.plus(1, &Rank::constant(index.len() as i64));
        self.out.shapes.ranks.equal(&array.rank, &whole);
        Shape { rank: rest.plus(1, &Rank::constant(kept)), base: array.base.clone() }
    }

    fn update(&mut self, target: &Shape, path: &[ast::UpdateStep], value: &ast::Exp) {
        let mut part = target.clone();
        for step in path {
            part = match step {
                ast::UpdateStep::Index(index, _) => self.index(&part, index),
                ast::UpdateStep::Field(field) => self.project(&part, field.name),
            };
        }
        let value = self.exp(value);
        self.unify(&part, &value);
    }

    fn loop_exp(&mut self, l: &ast::Loop) -> Shape {
        let state = match &l.init {
            Some(init) => self.exp(init),
            None => self.pattern_value(&l.pat),
        };
        let over = match &l.form {
            ast::LoopForm::For(_, bound) => {
                self.scalar(bound);
                None
            }
            ast::LoopForm::ForIn(_, array) => {
                let array = self.exp(array);
                let elem = self.fresh();
                self.unify(&elem.clone().array(), &array);
                Some(elem)
            }
            ast::LoopForm::While(_) => None,
        };
        let mark = self.mark();
        l.sizes.iter().for_each(|n| self.push_size(*n));
        self.pattern(&l.pat, &state);
        match &l.form {
            ast::LoopForm::For(i, _) => self.push_size(*i),
            ast::LoopForm::ForIn(p, _) => {
                if let Some(elem) = over {
                    self.pattern(p, &elem);
                }
            }
            ast::LoopForm::While(cond) => self.scalar(cond),
        }
        let body = self.exp(&l.body);
        self.undo(mark);
        self.unify(&state, &body);
        state
    }

    /// The value of the variables that a pattern is made of.
    fn pattern_value(&mut self, pat: &ast::Pat) -> Shape {
        match &pat.kind {
            ast::PatKind::Var(name) => {
                let name = ast::QualName { quals: Vec::new(), name: *name, span: name.span };
                self.variable(&name)
            }
            ast::PatKind::Parens(p) | ast::PatKind::Attr(_, p) | ast::PatKind::Ascript(p, _) => {
                self.pattern_value(p)
            }
            ast::PatKind::Tuple(ps) => {
                let fields = ps.iter().enumerate();
                let fields =
                    fields.map(|(i, p)| (Name::new(&i.to_string()), self.pattern_value(p)));
                let fields: Vec<_> = fields.collect();
                record(fields)
            }
            ast::PatKind::Record(ps) => {
                let mut fields = Vec::with_capacity(ps.len());
                for (name, p) in ps {
                    let shape = match p {
                        Some(p) => self.pattern_value(p),
                        None => {
                            let qual =
                                ast::QualName { quals: Vec::new(), name: *name, span: name.span };
                            self.variable(&qual)
                        }
                    };
                    fields.push((name.name, shape));
                }
                record(fields)
            }
            ast::PatKind::Wild
            | ast::PatKind::Lit(_)
            | ast::PatKind::Constr(..)
            | ast::PatKind::Error => self.fresh(),
        }
    }

    fn pattern(&mut self, pat: &ast::Pat, shape: &Shape) {
        match &pat.kind {
            ast::PatKind::Var(name) => self.push(name.name, Local::Mono(shape.clone())),
            ast::PatKind::Wild | ast::PatKind::Error => {}
            ast::PatKind::Parens(p) | ast::PatKind::Attr(_, p) => self.pattern(p, shape),
            ast::PatKind::Tuple(ps) => {
                let fields = ps.iter().enumerate();
                let fields = fields.map(|(i, _)| (Name::new(&i.to_string()), self.fresh()));
                let fields: Vec<(Name, Shape)> = fields.collect();
                self.unify(&record(fields.clone()), shape);
                for (p, (_, field)) in ps.iter().zip(&fields) {
                    self.pattern(p, field);
                }
            }
            ast::PatKind::Record(ps) => {
                for (name, p) in ps {
                    let field = self.project(shape, name.name);
                    match p {
                        Some(p) => self.pattern(p, &field),
                        None => self.push(name.name, Local::Mono(field)),
                    }
                }
            }
            ast::PatKind::Ascript(p, te) => {
                let written = self.written(te);
                self.unify(shape, &written);
                self.pattern(p, &written);
            }
            ast::PatKind::Lit(_) => self.unify(shape, &Shape::scalar()),
            ast::PatKind::Constr(name, ps) => {
                self.not_array(shape);
                let default: Vec<Shape> = ps.iter().map(|_| self.fresh()).collect();
                let payload = self.out.shapes.payload(&shape.base, name.name, &default);
                for (p, t) in ps.iter().zip(payload.unwrap_or(default)) {
                    self.pattern(p, &t);
                }
            }
        }
    }

    // Functions.

    /// A function, with the type parameters it has; `own` is the name by which it may call
    /// itself.
    fn function(
        &mut self,
        type_params: &[ast::TypeParam],
        params: &[ast::Pat],
        ret: Option<&ast::TypeExp>,
        body: &ast::Exp,
        own: Option<Ident>,
    ) -> (Shape, Vec<VarId>) {
        let mark = self.mark();
        let mut rigid = Vec::new();
        for p in type_params {
            match p {
                ast::TypeParam::Size(n) => self.push_size(*n),
                ast::TypeParam::Type(l, n) => {
                    let v = self.cx.fresh_var(n.name);
                    self.types.push((n.name, *l, v));
                    rigid.push(v);
                }
            }
        }
        let mut shapes = Vec::with_capacity(params.len());
        for p in params {
            let shape = self.fresh();
            self.pattern(p, &shape);
            shapes.push(shape);
        }
        let result = match ret {
            Some(te) => self.written(te),
            None => self.fresh(),
        };
        let ty = shapes.into_iter().rev().fold(result.clone(), |ret, p| Shape::arrow(p, ret));
        if let Some(own) = own
            && !params.is_empty()
            && self.locals.get(&own.name).is_none_or(Vec::is_empty)
        {
            self.push(own.name, Local::Mono(ty.clone()));
        }
        let body = self.exp(body);
        self.undo(mark);
        self.unify(&result, &body);
        (ty, rigid)
    }

    fn local_function(
        &mut self,
        type_params: &[ast::TypeParam],
        params: &[ast::Pat],
        ret: Option<&ast::TypeExp>,
        rhs: &ast::Exp,
    ) -> PolyShape {
        let first_meta = self.out.shapes.meta_count();
        let first_rank = self.out.shapes.ranks.len();
        let (shape, rigid) = self.function(type_params, params, ret, rhs, None);
        let outside: Vec<&Shape> = self
            .locals
            .values()
            .flatten()
            .filter_map(|l| match l {
                Local::Mono(shape) => Some(shape),
                Local::Poly(poly) => Some(&poly.shape),
                Local::Binding(_) => None,
            })
            .collect();
        let open = self.out.applications.iter().flat_map(|a| [a.maps.clone(), a.reps.clone()]);
        let open: Vec<Rank> = open.filter(|r| r.value().is_none()).collect();
        let mut poly = self.out.shapes.generalise(shape, rigid, &outside, &open);
        poly.metas.retain(|m| *m >= first_meta);
        poly.ranks.retain(|v| v.0 as usize >= first_rank);
        poly
    }
}

fn binary(operand: Shape, ret: Shape) -> Shape {
    Shape::arrow(operand.clone(), Shape::arrow(operand, ret))
}

fn record(mut fields: Vec<(Name, Shape)>) -> Shape {
    fields.sort_by(|a, b| field_order(a.0, b.0));
    Shape::of(Base::Record(fields.into()))
}

fn is_logical(name: &ast::QualName) -> bool {
    name.quals.is_empty() && matches!(name.name.name.as_str(), "&&" | "||")
}

/// The surroundings of a type expression of which only the rank matters.
struct WithoutSizes<'a> {
    types: &'a [(Name, Liftedness, VarId)],
    /// Existential sizes, which must be the size of something.
    bound: Vec<(Name, VarId)>,
}

impl SizeScope for WithoutSizes<'_> {
    fn size(&mut self, _cx: &mut Elab, _env: &Env, exp: &ast::Exp) -> Option<Size> {
        let bound = match &exp.kind {
            ast::ExpKind::Var(name) if name.quals.is_empty() => {
                self.bound.iter().rev().find(|(n, _)| *n == name.name.name)
            }
            _ => None,
        };
        Some(bound.map_or(Size::Unknown, |(_, v)| Size::Var(*v)))
    }

    fn anonymous(&mut self, _cx: &mut Elab, _span: Span, _place: DimPosition) -> Option<Size> {
        Some(Size::Unknown)
    }

    fn type_param(&self, name: Name) -> Option<(Liftedness, VarId)> {
        self.types.iter().rev().find(|(n, _, _)| *n == name).map(|(_, l, v)| (*l, *v))
    }

    fn bind(&mut self, name: Ident, var: VarId, _ty: &Type) {
        self.bound.push((name.name, var));
    }

    fn unbind(&mut self) {
        self.bound.pop();
    }
}
