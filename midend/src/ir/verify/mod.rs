//! The verifier. It collects errors rather than stopping at the first, and runs after every pass
//! in debug builds and on demand.
//!
//! What holds of a verified program:
//!
//! 1. **Names.** A variable is bound once in the whole program, before its uses and in scope at
//!    them; its tag is below [`Program::next_tag`]. The results of a function are in scope in the types
//!    of one another, not in its body. Functions have different names; those called exist. Entry points
//!    have different names.
//! 2. **Types.** Operands have the types their operators ask for; patterns have the types of their
//!    expressions, whose sizes may be known by another name: sizes are compared as polynomials
//!    ([`Poly`]) after definitions, and equalities that an assertion has established count.
//! 3. **Dependence.** Array dimensions are `i64`. The types of patterns, parameters and results may
//!    mention what is bound before them in the same list; branches, loops, calls and function
//!    bodies yield values of exactly those types once the sizes they yield are put in.
//! 4. **Levels.** [`Exp::Soac`] only at `soacs`, [`Exp::Seg`] not there; blocks, their operations
//!    and [`MemBind`]s only at `mem`.
//! 5. **Memory** (level `mem`). Every array bound by a pattern or parameter has a place, but for results of
//!    sequential scans, which may have none if nothing mentions them; its block
//!    is a block and in scope; its LMAD has the array's dimensions.
//! 6. **Certificates.** What is listed in `certs` is of type `cert`.
//! 7. **Consumption** (before `mem`). What an update, scatter, histogram or a loop over such has
//!    consumed is not used afterwards, nor is anything that may share its elements. Nothing from
//!    outside is consumed in a loop's body or in a lambda, but for rows of a lambda's own inputs.
//! 8. **Sizes** (level `soacs`). Where an array is made whose size is reckoned from scalars that the
//!    function was given, something says that the size is not negative.
//! 9. **Entry points.** The leaves of an entry point's types are its last parameters and results;
//!    those before are `i64`.
//! 10. **Parts.** A function of another part has no body and is no entry point; no two have one symbol.

use crate::ir::traverse::Subst;
use crate::ir::typing::{NoType, TypeEnv, exp_types, slice_shape};
use crate::ir::varmap::{FastMap, FastSet, VarMap, VarSet};
use crate::ir::*;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use std::fmt;

mod consumption;
mod natural;
mod operators;
mod sizes;

/// Something that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function; none in the constants.
    pub fun: Option<Name>,
    /// The variables bound by the statement at fault, for finding it in a printed program.
    pub at: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fun {
            Some(fun) => write!(f, "in {fun}")?,
            None => f.write_str("in the constants")?,
        }
        if !self.at.is_empty() {
            write!(f, ", {}", self.at)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Errors after this many are not reported.
const MAX_ERRORS: usize = 50;

/// Checks the whole program.
pub fn verify(p: &Program) -> Result<(), Vec<VerifyError>> {
    let mut v = Verifier::new(p);
    v.program();
    if v.errors.is_empty() { Ok(()) } else { Err(v.errors) }
}

struct Verifier<'p> {
    program: &'p Program,
    funs: FastMap<Name, &'p Fun>,
    errors: Vec<VerifyError>,
    fun: Option<Name>,
    at: Vec<Var>,
    bound: VarSet,
    types: VarMap<Type>,
    /// With the position in `scope`.
    in_scope: VarMap<usize>,
    /// What is in scope, innermost last.
    scope: Vec<Var>,
    defs: Defs,
    /// Who runs the code here.
    runs: SegLevel,
    /// Scalar expressions by value.
    numbers: FastMap<Numbered, Var>,
    /// Comparisons for equality, by the variable that holds the outcome.
    equations: VarMap<(SubExp, SubExp)>,
    conjunctions: VarMap<(SubExp, SubExp)>,
    disjunctions: VarMap<(SubExp, SubExp)>,
    /// Disjunctions that were asserted, of which it is not known which side holds.
    open: Vec<(SubExp, SubExp)>,
    /// The dimensions of the spaces around, which have points.
    nonempty: Vec<SubExp>,
    /// What is known not to be negative, in scope.
    naturals: Vec<Poly>,
    /// What scalars are made of, by one operation.
    conditions: VarMap<Exp>,
    /// The parameters of the function that are no sizes of its arrays.
    scalars: VarSet,
    /// Sizes to be checked before the body ends, with the statements that made them.
    owed: Vec<(Vec<Var>, SubExp)>,
    /// What assertions say is zero, where they do not define a variable.
    zeros: Vec<Poly>,
    /// Behind an assertion that fails: how much was in scope there.
    unreachable: Option<usize>,
    /// Variables whose elements an array may share, other than its own.
    aliases: VarMap<Vec<Var>>,
    /// What results of a loop may share elements with, but not with one another.
    origins: VarMap<Vec<Var>>,
    /// The other way round.
    parts: VarMap<Vec<Var>>,
    consumed: VarSet,
    /// In order, so that a block's share can be told from what was before.
    consumed_log: Vec<Var>,
}

/// A scalar operation on normal forms.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Numbered(String, Vec<Poly>);

impl TypeEnv for Verifier<'_> {
    fn type_of(&self, v: Var) -> Option<&Type> {
        self.types.get(&v)
    }
}

impl<'p> Verifier<'p> {
    fn new(program: &'p Program) -> Verifier<'p> {
        Verifier {
            program,
            funs: program.funs.iter().map(|f| (f.name, f)).collect(),
            errors: Vec::new(),
            fun: None,
            at: Vec::new(),
            bound: VarSet::default(),
            types: VarMap::default(),
            in_scope: VarMap::default(),
            scope: Vec::new(),
            defs: Defs::default(),
            runs: SegLevel::Seq,
            numbers: FastMap::default(),
            equations: VarMap::default(),
            conjunctions: VarMap::default(),
            disjunctions: VarMap::default(),
            open: Vec::new(),
            nonempty: Vec::new(),
            naturals: Vec::new(),
            conditions: VarMap::default(),
            scalars: VarSet::default(),
            owed: Vec::new(),
            zeros: Vec::new(),
            unreachable: None,
            aliases: VarMap::default(),
            origins: VarMap::default(),
            parts: VarMap::default(),
            consumed: VarSet::default(),
            consumed_log: Vec::new(),
        }
    }

    fn error(&mut self, message: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS {
            let fun = self.fun;
            let at = self.at.iter().map(Var::to_string).collect::<Vec<_>>().join(", ");
            self.errors.push(VerifyError { fun, at, message: message.into() });
        }
    }

    fn level(&self) -> Level {
        self.program.level
    }

    // Programs and functions.

    fn program(&mut self) {
        let p = self.program;
        self.body(&p.consts, |v, b| v.results_match(&p.globals, &b.result, "global"));
        for g in &p.globals {
            self.pat_elem(g);
        }
        let (mut names, mut entries) = (FastMap::default(), FastMap::default());
        let mut symbols = FastSet::default();
        for f in &p.funs {
            self.fun = Some(f.name);
            self.at.clear();
            if names.insert(f.name, ()).is_some() {
                self.error("another function has this name");
            }
            if let Some(e) = &f.entry
                && entries.insert(e.name, ()).is_some()
            {
                self.error("another entry point has this name");
            }
            let symbol = match &f.linkage {
                Linkage::Internal => None,
                Linkage::Exported(symbol) => Some(*symbol),
                Linkage::Imported(i) => Some(i.symbol),
            };
            if symbol.is_some_and(|s| !symbols.insert(s)) {
                self.error("another function has this symbol");
            }
            let mark = self.scope.len();
            self.fun(f);
            self.leave(mark);
        }
    }

    fn fun(&mut self, f: &Fun) {
        let (mark, log) = (self.scope.len(), self.consumed_log.len());
        let naturals = self.naturals.len();
        let mut scalars: VarSet =
            f.params.iter().filter(|p| p.ty == Type::I64).map(|p| p.var).collect();
        for p in &f.params {
            self.param(p);
            self.sizes_exist(&p.ty);
            for d in p.ty.shape().iter().filter_map(|d| d.var()) {
                scalars.remove(&d);
            }
        }
        self.scalars = scalars;
        if f.is_imported() {
            self.results(f);
            if f.entry.is_some() || !f.body.result.is_empty() {
                self.error("a function of another part has a body or is an entry point");
            }
            // Passes may have it release blocks; nobody reads that.
            self.repeated(log, mark);
            self.naturals.truncate(naturals);
            return;
        }
        self.body(&f.body, |v, b| {
            v.at.clear();
            v.results_match(&f.results, &b.result, "result");
            for p in &f.params {
                if !p.unique && v.consumed.contains(&p.var) {
                    v.error(format!("{} is consumed and not marked so", p.var));
                }
            }
        });
        self.at.clear();
        self.results(f);
        self.repeated(log, mark);
        self.naturals.truncate(naturals);
        if let Some(e) = &f.entry
            && self.level() != Level::Mem
        {
            self.at.clear();
            let params: Vec<&Type> = f.params.iter().map(|p| &p.ty).collect();
            let results: Vec<&Type> = f.results.iter().map(|p| &p.ty).collect();
            self.entry_side("parameter", e.params.iter().map(|p| &p.1), &params);
            self.entry_side("result", e.results.iter(), &results);
        }
    }

    /// The results of a function, which have names for one another and for callers, not for the body.
    fn results(&mut self, f: &Fun) {
        for r in &f.results {
            self.pat_elem(r);
        }
    }

    fn entry_side<'t>(
        &mut self,
        what: &str,
        values: impl Iterator<Item = &'t ExtType>,
        types: &[&Type],
    ) {
        let leaves: Vec<(PrimType, usize)> = values.flat_map(leaves_of).collect();
        let Some(sizes) = types.len().checked_sub(leaves.len()) else {
            return self.error(format!("the entry point has more {what} leaves than {what}s"));
        };
        for t in &types[..sizes] {
            if **t != Type::I64 {
                self.error(format!("a {what} of type {t} is none of the entry point's leaves"));
            }
        }
        for (t, (prim, rank)) in types[sizes..].iter().zip(leaves) {
            if t.elem() != Some(core_prim(prim)) || t.rank() != rank {
                let brackets = "[]".repeat(rank);
                self.error(format!("{what} leaf {brackets}{prim} has type {t}"));
            }
        }
    }

    // Scopes.

    fn leave(&mut self, mark: usize) {
        for v in self.scope.drain(mark..) {
            self.in_scope.remove(&v);
        }
        if self.unreachable.is_some_and(|at| at > mark) {
            self.unreachable = None;
        }
    }

    fn bind(&mut self, v: Var, ty: &Type) {
        if v.tag >= self.program.next_tag {
            self.error(format!("the tag of {v} is beyond the program's"));
        }
        if !self.bound.insert(v) {
            self.error(format!("{v} is bound twice"));
        }
        self.types.insert(v, ty.clone());
        self.in_scope.insert(v, self.scope.len());
        self.scope.push(v);
    }

    fn use_var(&mut self, v: Var) {
        if !self.in_scope.contains_key(&v) {
            let message = if self.bound.contains(&v) { "is out of scope" } else { "is not bound" };
            self.error(format!("{v} {message}"));
        }
        self.not_consumed(v);
    }

    fn check_type(&mut self, ty: &Type) {
        match ty {
            Type::Array { elem: _, shape } => {
                if shape.is_empty() {
                    self.error("an array without dimensions");
                }
                for &n in shape {
                    self.operand(n, &Type::I64);
                }
            }
            Type::Mem(_) if self.level() != Level::Mem => self.error("a block above level mem"),
            Type::Prim(_) | Type::Cert | Type::Mem(_) => {}
        }
    }

    fn check_place(&mut self, v: Var, ty: &Type, mem: Option<&MemBind>) {
        match (ty, mem, self.level()) {
            (Type::Array { .. }, None, Level::Mem) => self.error(format!("{v} lies nowhere")),
            (_, Some(_), Level::Soacs | Level::Seg) => {
                self.error(format!("{v} has a place above level mem"));
            }
            (Type::Array { shape, .. }, Some(m), Level::Mem) => {
                self.use_var(m.block);
                if !matches!(self.type_of(m.block), Some(Type::Mem(_)) | None) {
                    self.error(format!("{} is no block", m.block));
                }
                if m.lmad.dims.len() != shape.len()
                    || !m.lmad.dims.iter().zip(shape).all(|(d, n)| self.same_size(d.n, *n))
                {
                    self.error(format!("the LMAD of {v} has other dimensions than its type"));
                }
                for x in m.lmad.leaves() {
                    self.operand(x, &Type::I64);
                }
            }
            (Type::Prim(_) | Type::Cert | Type::Mem(_), Some(_), Level::Mem) => {
                self.error(format!("{v} is no array and yet has a place"));
            }
            (_, None, _) => {}
        }
    }

    fn param(&mut self, p: &Param) {
        self.check_type(&p.ty);
        self.check_place(p.var, &p.ty, p.mem.as_ref());
        self.bind(p.var, &p.ty);
    }

    /// What a statement binds.
    fn pattern_elements(&mut self, s: &Stm) {
        let droppable = if self.level() == Level::Mem { droppable(&s.exp) } else { 0 };
        for (k, p) in s.pat.iter().enumerate() {
            if k < droppable && p.mem.is_none() {
                // Nothing may mention it.
                self.check_type(&p.ty);
                self.bind(p.var, &p.ty);
                self.in_scope.remove(&p.var);
            } else {
                self.pat_elem(p);
            }
        }
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.check_type(&p.ty);
        self.check_place(p.var, &p.ty, p.mem.as_ref());
        self.bind(p.var, &p.ty);
    }

    // Operands.

    fn operand(&mut self, x: SubExp, want: &Type) {
        if let SubExp::Var(v) = x {
            self.use_var(v);
        }
        if let Some(have) = self.type_of_subexp(x)
            && !self.same_type(&have, want)
        {
            self.error(format!("{x} has type {have}, where {want} is wanted"));
        }
    }

    fn sizes(&mut self, xs: &[SubExp]) {
        for &x in xs {
            self.operand(x, &Type::I64);
        }
    }

    /// Element and shape of an array in scope.
    fn array(&mut self, v: Var) -> Option<(Prim, Vec<SubExp>)> {
        self.use_var(v);
        match self.type_of(v) {
            Some(Type::Array { elem, shape }) => Some((*elem, shape.clone())),
            Some(t) => {
                let message = format!("{v} has type {t}, where an array is wanted");
                self.error(message);
                None
            }
            None => None,
        }
    }

    fn index(&mut self, shape: &[SubExp], dims: &[DimIndex]) {
        if shape.len() != dims.len() {
            self.error(format!("{} indexes into {} dimensions", dims.len(), shape.len()));
        }
        for d in dims {
            match d {
                DimIndex::Fix(i) => self.operand(*i, &Type::I64),
                DimIndex::Slice { start, n, stride } => self.sizes(&[*start, *n, *stride]),
            }
        }
    }

    /// The results are of the pattern's types, once they are put in for its variables.
    fn results_match(&mut self, pat: &[PatElem], results: &[SubExp], what: &str) {
        let types: Vec<(Var, Type)> = pat.iter().map(|p| (p.var, p.ty.clone())).collect();
        self.dependent(&types, results, what);
    }

    fn dependent(&mut self, pat: &[(Var, Type)], values: &[SubExp], what: &str) {
        if pat.len() != values.len() {
            return self.error(format!("{} {what}s where {} are wanted", values.len(), pat.len()));
        }
        let mut subst = Subst::new();
        for ((v, ty), &x) in pat.iter().zip(values) {
            let ty = subst.in_type(ty);
            self.operand(x, &ty);
            subst.insert(*v, x);
        }
    }

    // Bodies.

    fn body(&mut self, b: &Body, check: impl FnOnce(&mut Self, &Body)) {
        let mark = self.scope.len();
        self.stms(&b.stms);
        for &x in &b.result {
            if let SubExp::Var(v) = x {
                self.use_var(v);
            }
        }
        check(self, b);
        self.leave(mark);
    }

    fn stms(&mut self, stms: &[Stm]) {
        let (naturals, owed) = (self.naturals.len(), self.owed.len());
        for s in stms {
            self.stm(s);
        }
        self.settle(owed);
        self.naturals.truncate(naturals);
    }

    fn stm(&mut self, s: &Stm) {
        self.at.clear();
        self.at.extend(s.pat.iter().map(|p| p.var));
        for &c in &s.certs {
            self.operand(SubExp::Var(c), &Type::Cert);
        }
        if s.pat.is_empty() && !matches!(s.exp, Exp::Retain(_) | Exp::Release(_)) {
            // A call or loop run for its assertions alone binds nothing.
            let effect = matches!(
                s.exp,
                Exp::Call { .. }
                    | Exp::Match { .. }
                    | Exp::Loop { .. }
                    | Exp::Soac(_)
                    | Exp::Seg(_)
            );
            if !effect {
                self.error("a statement that binds nothing");
            }
        }
        self.exp(&s.exp, &s.pat);
        // Statements inside have left theirs.
        self.at.clear();
        self.at.extend(s.pat.iter().map(|p| p.var));
        match exp_types(&s.exp, self) {
            Ok(types) => {
                self.pattern_elements(s);
                if types.len() != s.pat.len() {
                    self.error(format!("{} results bound to {} names", types.len(), s.pat.len()));
                }
                for (p, t) in s.pat.iter().zip(&types) {
                    if !self.same_type(&p.ty, t) {
                        self.error(format!("{} has type {}, its expression {t}", p.var, p.ty));
                    }
                }
            }
            Err(NoType::ByPattern) => {
                self.pattern_elements(s);
                self.pattern(&s.exp, &s.pat);
            }
            // Reported where the operand was looked at.
            Err(NoType::Unbound(_)) => self.pattern_elements(s),
            Err(NoType::Malformed(why)) => {
                self.error(why);
                self.pattern_elements(s);
            }
        }
        if let [p] = s.pat.as_slice() {
            self.define(p.var, &s.exp);
        }
        if let Exp::Assert { cond, .. } = s.exp {
            self.learn(cond);
            self.suppose(cond, true);
        }
        self.made(s);
        self.consume(&s.exp);
        self.alias(&s.exp, &s.pat);
    }

    /// Branches, loops and calls against their pattern, which is in scope by now.
    fn pattern(&mut self, e: &Exp, pat: &[PatElem]) {
        match e {
            Exp::Loop { params, .. } => {
                let types: Vec<(Var, Type)> =
                    params.iter().map(|p| (p.var, p.ty.clone())).collect();
                let vars: Vec<SubExp> = pat.iter().map(|p| p.var.into()).collect();
                self.dependent(&types, &vars, "result");
            }
            Exp::Call { fun, args } => {
                let Some(f) = self.funs.get(fun).copied() else { return };
                let mut subst: Subst =
                    f.params.iter().map(|p| p.var).zip(args.iter().copied()).collect();
                let types: Vec<(Var, Type)> =
                    f.results.iter().map(|p| (p.var, subst.in_type(&p.ty))).collect();
                let vars: Vec<SubExp> = pat.iter().map(|p| p.var.into()).collect();
                self.dependent(&types, &vars, "result");
            }
            _ => {}
        }
    }

    fn flat(&mut self, array: Var, offset: SubExp, dims: &[(SubExp, SubExp)]) {
        if let Some((_, shape)) = self.array(array)
            && shape.len() != 1
        {
            self.error(format!("{array} has {} dimensions, not one", shape.len()));
        }
        self.operand(offset, &Type::I64);
        for (n, s) in dims {
            self.sizes(&[*n, *s]);
        }
    }

    fn exp(&mut self, e: &Exp, pat: &[PatElem]) {
        match e {
            Exp::SubExp(x) | Exp::Opaque(x) | Exp::Trace(x) => {
                if let SubExp::Var(v) = x {
                    self.use_var(*v);
                }
            }
            Exp::UnOp(op, x) => self.operand(*x, &Type::Prim(op.prim())),
            Exp::BinOp(op, x, y) => {
                self.operand(*x, &Type::Prim(op.prim()));
                self.operand(*y, &Type::Prim(op.prim()));
            }
            Exp::CmpOp(op, x, y) => {
                self.operand(*x, &Type::Prim(op.prim()));
                self.operand(*y, &Type::Prim(op.prim()));
            }
            Exp::ConvOp(op, x) => self.operand(*x, &Type::Prim(op.types().0)),
            Exp::Math(f, t, xs) => {
                if xs.len() != f.arity() {
                    self.error(format!("{} takes {} arguments", f.name(), f.arity()));
                }
                for (i, &x) in xs.iter().enumerate() {
                    let exponent = *f == MathFn::Ldexp && i == 1;
                    let t = if exponent { Prim::Int(IntType::I32) } else { *t };
                    self.operand(x, &Type::Prim(t));
                }
            }
            Exp::ArrayLit { elems, row } => {
                self.check_type(row);
                for &x in elems {
                    self.operand(x, row);
                }
            }
            Exp::Index { array, dims } => {
                if let Some((_, shape)) = self.array(*array) {
                    self.index(&shape, dims);
                }
            }
            Exp::Update { array, dims, value } => {
                if let Some((elem, shape)) = self.array(*array) {
                    self.index(&shape, dims);
                    self.operand(*value, &Type::array(elem, slice_shape(dims)));
                }
            }
            Exp::FlatIndex { array, offset, dims } => self.flat(*array, *offset, dims),
            Exp::FlatUpdate { array, offset, dims, value } => {
                self.flat(*array, *offset, dims);
                if let Some((elem, _)) = self.array(*array) {
                    let shape = dims.iter().map(|d| d.0).collect();
                    self.operand(SubExp::Var(*value), &Type::array(elem, shape));
                }
            }
            Exp::Iota { n, start, stride, ty } => {
                self.operand(*n, &Type::I64);
                self.operand(*start, &Type::Prim(Prim::Int(*ty)));
                self.operand(*stride, &Type::Prim(Prim::Int(*ty)));
            }
            Exp::Replicate { shape, value } => {
                self.sizes(shape);
                if let SubExp::Var(v) = value {
                    self.use_var(*v);
                }
            }
            Exp::Scratch { elem: _, shape } => self.sizes(shape),
            Exp::Reshape { array, shape } => {
                self.array(*array);
                self.sizes(shape);
                if shape.is_empty() {
                    self.error("a reshape to no dimensions");
                }
            }
            Exp::Rearrange { array, perm } => {
                if let Some((_, shape)) = self.array(*array) {
                    let mut sorted = perm.clone();
                    sorted.sort_unstable();
                    if !sorted.into_iter().eq(0..shape.len()) {
                        self.error(format!("{perm:?} is no permutation of the dimensions"));
                    }
                }
            }
            Exp::Concat { dim, arrays, size } => {
                self.operand(*size, &Type::I64);
                let shapes: Vec<_> = arrays.iter().filter_map(|&v| self.array(v)).collect();
                if let Some((elem, shape)) = shapes.first() {
                    let fits = shapes.iter().all(|(e, s)| {
                        e == elem
                            && s.len() == shape.len()
                            && s.iter()
                                .zip(shape)
                                .enumerate()
                                .all(|(i, (&m, &n))| i == *dim || self.same_size(m, n))
                    });
                    if !fits {
                        self.error("arrays of different types concatenated");
                    }
                }
            }
            Exp::Copy(v) => {
                self.array(*v);
            }
            Exp::Assert { kind: _, cond, msg } => {
                self.operand(*cond, &Type::BOOL);
                for m in msg {
                    match m {
                        MsgPart::Text(_) => {}
                        MsgPart::Value(x, t) => self.operand(*x, &Type::Prim(core_prim(*t))),
                    }
                }
            }
            Exp::Match { scrutinee, cases, default } => {
                let Some((first, _)) = cases.first() else {
                    return self.error("a match without cases");
                };
                let ty = Type::Prim(first.prim());
                self.operand(*scrutinee, &ty);
                if cases
                    .iter()
                    .any(|(c, _)| Type::Prim(c.prim()) != ty || matches!(c.prim(), Prim::Float(_)))
                {
                    self.error("cases of the wrong type");
                }
                let types: Vec<(Var, Type)> = pat.iter().map(|p| (p.var, p.ty.clone())).collect();
                let log = self.consumed_log.len();
                let mut after = Vec::new();
                let naturals = self.naturals.len();
                for (b, value) in cases.iter().map(|c| (&c.1, Some(c.0))).chain([(default, None)]) {
                    match (value, cases.as_slice()) {
                        (Some(Const::Bool(c)), _) => self.suppose(*scrutinee, c),
                        (None, [(Const::Bool(c), _)]) => self.suppose(*scrutinee, !c),
                        _ => {}
                    }
                    self.body(b, |v, b| {
                        v.dependent(&types, &b.result, "result");
                    });
                    self.naturals.truncate(naturals);
                    after.extend(self.unconsume(log));
                }
                for v in after {
                    self.mark_consumed(v);
                }
            }
            Exp::Loop { params, init, form, body } => {
                let types: Vec<(Var, Type)> =
                    params.iter().map(|p| (p.var, p.ty.clone())).collect();
                self.dependent(&types, init, "initial value");
                let mark = self.scope.len();
                for p in params {
                    self.param(p);
                }
                match form {
                    LoopForm::For { var, ty, bound } => {
                        let ty = Type::Prim(Prim::Int(*ty));
                        self.operand(*bound, &ty);
                        self.bind(*var, &ty);
                        self.counts(*var, *bound);
                    }
                    LoopForm::While { cond } => {
                        if !params.iter().any(|p| p.var == *cond && p.ty == Type::BOOL) {
                            self.error("the condition is no bool parameter of the loop");
                        }
                    }
                }
                let log = self.consumed_log.len();
                self.body(body, |v, b| {
                    v.dependent(&types, &b.result, "result");
                });
                let own: Vec<Var> =
                    params.iter().map(|p| p.var).filter(|p| self.consumed.contains(p)).collect();
                self.repeated(log, mark);
                for v in own {
                    self.mark_consumed(v);
                }
                self.leave(mark);
            }
            Exp::Call { fun, args } => match self.funs.get(fun).copied() {
                Some(f) => {
                    let types: Vec<(Var, Type)> =
                        f.params.iter().map(|p| (p.var, p.ty.clone())).collect();
                    self.dependent(&types, args, "argument");
                }
                None => self.error(format!("there is no function {fun}")),
            },
            Exp::Soac(s) => {
                if self.level() != Level::Soacs {
                    self.error("a second-order combinator below level soacs");
                }
                self.soac(s);
            }
            Exp::Seg(s) => {
                if self.level() == Level::Soacs {
                    self.error("a segmented operation at level soacs");
                }
                self.seg(s);
            }
            Exp::Prefix { ops, values } => {
                self.only_mem();
                if self.runs != SegLevel::Tasks {
                    self.error("a prefix outside of tasks");
                }
                let mut given = values.iter();
                for r in ops {
                    self.reduction(r);
                    for t in &r.op.ret {
                        match given.next() {
                            Some(x) if t.rank() == 0 => self.operand(*x, t),
                            Some(_) => self.error("a prefix of arrays"),
                            None => self.error("an operator gets nothing"),
                        }
                    }
                }
                if given.next().is_some() {
                    self.error("values without an operator");
                }
            }
            Exp::Workers => {}
            Exp::Alloc { bytes, space: _ } => {
                self.only_mem();
                for x in bytes.leaves() {
                    self.operand(x, &Type::I64);
                }
            }
            Exp::Retain(v) | Exp::Release(v) => {
                self.only_mem();
                self.use_var(*v);
                if !matches!(self.type_of(*v), Some(Type::Mem(_)) | None) {
                    self.error(format!("{v} is no block"));
                }
            }
        }
    }

    fn only_mem(&mut self) {
        if self.level() != Level::Mem {
            self.error("an operation on blocks above level mem");
        }
    }
}

/// The primitive type that a source type becomes.
pub fn core_prim(t: PrimType) -> Prim {
    match t {
        PrimType::I8 | PrimType::U8 => Prim::Int(IntType::I8),
        PrimType::I16 | PrimType::U16 => Prim::Int(IntType::I16),
        PrimType::I32 | PrimType::U32 => Prim::Int(IntType::I32),
        PrimType::I64 | PrimType::U64 => Prim::Int(IntType::I64),
        PrimType::F16 => Prim::Float(FloatType::F16),
        PrimType::F32 => Prim::Float(FloatType::F32),
        PrimType::F64 => Prim::Float(FloatType::F64),
        PrimType::Bool => Prim::Bool,
    }
}

/// The leaves of a value, in order.
pub fn leaves_of(t: &ExtType) -> Vec<(PrimType, usize)> {
    match &t.kind {
        ExtKind::Transparent { prim, rank } => vec![(*prim, *rank)],
        ExtKind::Opaque { leaves, structure: _ } => leaves.clone(),
    }
}
/// How many of an expression's first results need not be stored.
fn droppable(exp: &Exp) -> usize {
    match exp {
        Exp::Seg(SegOp { level: SegLevel::Seq, kind: SegKind::Scan(ops), .. }) => {
            ops.iter().map(|r| r.neutral.len()).sum()
        }
        _ => 0,
    }
}
