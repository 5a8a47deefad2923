//! What the variables of a map's body are when neighbouring points are computed together, each in a
//! lane of vectors.
//!
//! ```text
//! segmap (i < n) {                        i         linear, by 1
//!   x = index xs[i]                       varying, read from neighbours
//!   r = loop (p = 0) for j < k {          j uniform, p varying
//!     c = index cs[j]                     uniform
//!     t = x * p  s = c + t  in s          varying
//!   }
//!   in (return r) }
//! ```
//!
//! *Uniform* values are the same in all lanes and stay scalars, as do indexes that are *linear* in
//! the lane; only what *varies* becomes a vector. Control flow is uniform if its condition is; else
//! lanes that do not take part are masked. The analysis says whether a body can be computed so, and
//! whether that is worth it. LLVM makes vectors of straight code itself; so there must be loops inside,
//! which read by lanes what are neighbours in memory, or checks, and reads of what need not be
//! neighbours. The idea is that of ispc (Pharr and Mark, "ispc: A
//! SPMD compiler for high-performance CPU programming", 2012).

use crate::analysis::contraction::accumulation;
use crate::ir::traverse::{Visit, for_each_block, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, IntType, MathFn};
use crate::ir::{Body, DimIndex, Exp, KernelBody, KernelResult, Lambda, LoopForm, SegLevel};
use crate::ir::{Const, SubExp, Type, Var};
use crate::ir::{SegKind, SegOp, Stm};

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// The same in all lanes.
    Uniform,
    /// More by this from lane to lane; an `i64`.
    Linear(i64),
    /// Anything.
    Varying,
}

impl Class {
    fn join(self, other: Class) -> Class {
        if self == other { self } else { Class::Varying }
    }
}

/// The classes of a body that can be computed by lanes.
#[derive(Debug)]
pub struct Lanes {
    /// Of every variable bound in the body; others are uniform.
    classes: VarMap<Class>,
    /// Variables that something uses.
    used: VarSet,
    /// Indexes that are those of the lanes with some bits flipped, the same ones everywhere: the index
    /// and the bits.
    pub flipped: VarMap<(SubExp, SubExp)>,
    /// Bytes of the widest values that vary.
    pub widest: i64,
    /// The most values that vary and are carried by a loop.
    pub carried: usize,
    /// Operations in loops on what varies.
    pub operations: usize,
    /// A loop ends for some lanes before others.
    pub diverges: bool,
    /// There are no loops; but checks that lanes may fail each by itself.
    pub straight: bool,
    /// Sizes of reductions inside for which lanes along the reduction pay if they are longer than these
    /// limits: they read their own neighbours, which are not neighbours for the lanes.
    pub short: Vec<(SubExp, i64)>,
}

/// The limit of [`Lanes::short`] for operators whose accumulators split.
pub const SHORT: i64 = 16;
/// That for others, each step of which waits for the one before unless there are lanes. Beyond it they
/// are trees.
pub const MIDDLING: i64 = 1024;

impl Lanes {
    /// The class of a variable.
    pub fn class(&self, v: Var) -> Class {
        self.classes.get(&v).copied().unwrap_or(Class::Uniform)
    }

    /// The class of an operand.
    pub fn of(&self, x: SubExp) -> Class {
        x.var().map_or(Class::Uniform, |v| self.class(v))
    }

    /// Whether all of a statement is the same in all lanes.
    pub fn is_uniform(&self, stm: &Stm) -> bool {
        struct Uses<'l>(&'l Lanes, bool);
        impl Visit for Uses<'_> {
            fn var(&mut self, v: &Var) {
                self.1 &= self.0.class(*v) == Class::Uniform;
            }
            fn bind(&mut self, v: &Var) {
                self.var(v);
            }
        }
        let mut uses = Uses(self, true);
        uses.stm(stm);
        uses.1
    }

    /// Whether anything uses a variable.
    pub fn uses(&self, v: Var) -> bool {
        self.used.contains(&v)
    }
}

/// What a body costs, by lanes.
#[derive(Default, Debug)]
struct Cost {
    /// Loops inside whose lanes are worth having.
    loops: usize,
    /// Checks of what varies.
    checks: usize,
    /// Elements that are not neighbours.
    scattered: usize,
    /// Operations on vectors in loops, and elements read one by one there.
    operations: usize,
    gathers: usize,
}

struct Analysis {
    lanes: Lanes,
    cost: Cost,
    /// Loops around, and whether lanes may be masked.
    depth: usize,
    masked: bool,
    /// Gathers are instructions.
    gathers: bool,
}

/// Nothing: it cannot be done.
type Possible = Option<()>;

/// More checks of what varies are too much code, since the body stands once for each.
const MOST_CHECKS: usize = 4;
/// And so are longer bodies with checks.
const MOST_STATEMENTS: usize = 60;

/// The lanes of a body along the dimension `index`, if it can be computed by lanes and is better
/// off so. `gathers` says that the processor reads what are not neighbours as one vector.
pub fn lanes(index: Var, body: &KernelBody, gathers: bool) -> Option<Lanes> {
    let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)))
        && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
    let loops = has_loops(&body.stms);
    if !scalars || !loops && (!gathers || body.stms.len() > MOST_STATEMENTS) {
        return None;
    }
    let mut used = Used::default();
    used.kernel_body(body);
    let lanes = Lanes {
        classes: [(index, Class::Linear(1))].into_iter().collect(),
        used: used.0,
        flipped: VarMap::default(),
        widest: 1,
        carried: 0,
        operations: 0,
        diverges: false,
        straight: !loops,
        short: Vec::new(),
    };
    let mut a = Analysis { lanes, cost: Cost::default(), depth: 0, masked: false, gathers };
    a.stms(&body.stms)?;
    if short_sums(body)
        && let Some(Exp::Seg(SegOp { space, kind: SegKind::Red(_), .. })) =
            body.stms.last().map(|s| &s.exp)
    {
        let outside = |n: &SubExp| n.var().is_none_or(|n| !a.lanes.classes.contains_key(&n));
        let sizes = space.dims.iter().map(|(_, n)| *n).filter(outside);
        let limits: Vec<_> = sizes.map(|n| (n, SHORT)).collect();
        a.lanes.short.extend(limits);
    }
    let worth = if loops {
        a.cost.loops > 0 && a.cost.gathers == 0
    } else {
        (1..=MOST_CHECKS).contains(&a.cost.checks) && a.cost.scattered > 0
    };
    worth.then_some(Lanes { operations: a.cost.operations, ..a.lanes })
}

/// Whether all that a body does is to add up what is computed without arrays: if there is much of
/// it, that is vectors by itself.
pub fn short_sums(body: &KernelBody) -> bool {
    let Some((last, before)) = body.stms.split_last() else { return false };
    let Exp::Seg(SegOp { space, kind: SegKind::Red(ops), body: inner, .. }) = &last.exp else {
        return false;
    };
    let scalar = |s: &Stm| {
        matches!(
            s.exp,
            Exp::SubExp(_)
                | Exp::UnOp(..)
                | Exp::BinOp(..)
                | Exp::CmpOp(..)
                | Exp::ConvOp(..)
                | Exp::Math(..)
        )
    };
    space.dims.len() == 1
        && before.iter().chain(&inner.stms).all(scalar)
        && ops.iter().all(|r| accumulation(r).is_some())
        && body.results.iter().all(|r| {
            matches!(r, KernelResult::Return(SubExp::Var(v)) if last.pat.iter().any(|p| p.var == *v))
        })
}

#[derive(Default)]
struct Used(VarSet);

impl Visit for Used {
    fn var(&mut self, v: &Var) {
        self.0.insert(*v);
    }
    fn exp(&mut self, e: &Exp) {
        if let Exp::Loop { form: LoopForm::While { cond }, .. } = e {
            self.0.insert(*cond);
        }
        walk::exp(self, e);
    }
}

fn has_loops(stms: &[Stm]) -> bool {
    stms.iter().any(|s| {
        let mut inside =
            matches!(s.exp, Exp::Loop { .. } | Exp::Seg(SegOp { kind: SegKind::Red(_), .. }));
        for_each_block(&s.exp, &mut |b| inside |= has_loops(b));
        inside
    })
}

/// Functions that vectors have instructions for, or nearly.
fn has_vectors(f: MathFn) -> bool {
    use MathFn::*;
    matches!(
        f,
        Sqrt | Rsqrt
            | Ceil
            | Floor
            | Trunc
            | Round
            | Fma
            | CopySign
            | Lerp
            | Mad
            | IsNan
            | IsInf
            | Popc
            | Clz
            | Ctz
            | SMulHi
            | UMulHi
            | SMadHi
            | UMadHi
    )
}

impl Analysis {
    fn set(&mut self, v: Var, ty: &Type, class: Class) {
        if let (Type::Prim(p), Class::Varying) = (ty, class) {
            self.lanes.widest = self.lanes.widest.max(p.bytes());
        }
        self.lanes.classes.insert(v, class);
    }

    fn joined(&self, xs: impl IntoIterator<Item = SubExp>) -> Class {
        let uniform = xs.into_iter().all(|x| self.lanes.of(x) == Class::Uniform);
        if uniform { Class::Uniform } else { Class::Varying }
    }

    fn stms(&mut self, stms: &[Stm]) -> Possible {
        stms.iter().try_for_each(|s| self.stm(s))
    }

    fn stm(&mut self, s: &Stm) -> Possible {
        let class = match &s.exp {
            Exp::SubExp(x) => self.lanes.of(*x),
            Exp::UnOp(_, x) | Exp::ConvOp(_, x) => self.operation(&[*x]),
            Exp::BinOp(op, a, b) => self.binary(*op, *a, *b)?,
            Exp::CmpOp(_, a, b) => self.operation(&[*a, *b]),
            Exp::Math(f, _, xs) => {
                let class = self.operation(xs);
                if class == Class::Varying && !has_vectors(*f) {
                    return None;
                }
                class
            }
            Exp::Index { dims, .. } => self.index(dims)?,
            Exp::Assert { cond, .. } => {
                // Which lane fails first is not known in loops and branches.
                let uniform = self.lanes.of(*cond) == Class::Uniform;
                if self.masked || !uniform && !self.lanes.straight {
                    return None;
                }
                self.cost.checks += usize::from(!uniform);
                Class::Uniform
            }
            Exp::Match { scrutinee, cases, default } => {
                return self.branch(s, *scrutinee, cases, default);
            }
            Exp::Loop { params, init, form, body } => {
                let params: Vec<(Var, Type)> =
                    params.iter().map(|p| (p.var, p.ty.clone())).collect();
                return self.repeat(s, &params, init, Some(form), &mut |a| {
                    a.stms(&body.stms)?;
                    Some(body.result.iter().map(|x| a.lanes.of(*x)).collect())
                });
            }
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body }) => {
                let [(var, n)] = space.dims.as_slice() else { return None };
                if self.lanes.of(*n) != Class::Uniform {
                    return None;
                }
                self.lanes.classes.insert(*var, Class::Uniform);
                let params: Vec<(Var, Type)> = ops
                    .iter()
                    .flat_map(|r| r.op.params.iter().take(r.neutral.len()))
                    .map(|p| (p.var, p.ty.clone()))
                    .collect();
                let init: Vec<SubExp> = ops.iter().flat_map(|r| r.neutral.clone()).collect();
                let before = self.cost.gathers;
                self.repeat(s, &params, &init, None, &mut |a| a.step(ops, body))?;
                let outside = n.var().is_none_or(|v| !self.lanes.classes.contains_key(&v));
                if self.cost.gathers > before && self.gathers && outside {
                    self.cost.gathers = before;
                    let splits = ops.iter().all(|r| accumulation(r).is_some());
                    let limit = (*n, if splits { SHORT } else { MIDDLING });
                    if !self.lanes.short.contains(&limit) {
                        self.lanes.short.push(limit);
                    }
                }
                return Some(());
            }
            _ => return None,
        };
        for p in &s.pat {
            match p.ty {
                Type::Prim(_) => self.set(p.var, &p.ty, class),
                Type::Cert => {}
                Type::Array { .. } | Type::Mem(_) => return None,
            }
            if let Exp::BinOp(BinOp::Xor(IntType::I64), a, b) = s.exp {
                match (self.lanes.of(a), self.lanes.of(b)) {
                    (Class::Linear(1), Class::Uniform) => self.lanes.flipped.insert(p.var, (a, b)),
                    (Class::Uniform, Class::Linear(1)) => self.lanes.flipped.insert(p.var, (b, a)),
                    _ => None,
                };
            }
        }
        Some(())
    }

    /// One step of a reduction; the classes of the new accumulators.
    fn step(&mut self, ops: &[crate::ir::Reduction], body: &KernelBody) -> Option<Vec<Class>> {
        self.stms(&body.stms)?;
        let mut results = body.results.iter();
        let mut out = Vec::new();
        for r in ops {
            let Lambda { params, body: op, .. } = &r.op;
            for p in params.iter().skip(r.neutral.len()) {
                let Some(KernelResult::Return(x)) = results.next() else { return None };
                let class = self.lanes.of(*x);
                self.set(p.var, &p.ty, class);
            }
            self.stms(&op.stms)?;
            out.extend(op.result.iter().map(|x| self.lanes.of(*x)));
        }
        results.next().is_none().then_some(out)
    }

    fn operation(&mut self, xs: &[SubExp]) -> Class {
        let class = self.joined(xs.iter().copied());
        if class == Class::Varying && self.depth > 0 {
            self.cost.operations += 1;
        }
        class
    }

    fn binary(&mut self, op: BinOp, a: SubExp, b: SubExp) -> Option<Class> {
        use Class::{Linear, Uniform, Varying};
        let i64 = IntType::I64;
        let (x, y) = (self.lanes.of(a), self.lanes.of(b));
        let by = |s: i64| if s == 0 { Uniform } else { Linear(s) };
        Some(match (op, x, y) {
            (_, Uniform, Uniform) => Uniform,
            (BinOp::Add(t), Linear(s), Uniform) | (BinOp::Add(t), Uniform, Linear(s))
                if t == i64 =>
            {
                Linear(s)
            }
            (BinOp::Add(t), Linear(s), Linear(r)) if t == i64 => by(s.checked_add(r)?),
            (BinOp::Sub(t), Linear(s), Uniform) if t == i64 => Linear(s),
            (BinOp::Sub(t), Uniform, Linear(s)) if t == i64 => Linear(s.checked_neg()?),
            (BinOp::Sub(t), Linear(s), Linear(r)) if t == i64 => by(s.checked_sub(r)?),
            (BinOp::Mul(t), Linear(s), Uniform) | (BinOp::Mul(t), Uniform, Linear(s))
                if t == i64 =>
            {
                let constant = [a, b].into_iter().find_map(|x| match x {
                    SubExp::Const(c) => c.as_int(),
                    SubExp::Var(_) => None,
                });
                match constant {
                    Some(c) => by(s.checked_mul(c)?),
                    None => self.operation(&[a, b]),
                }
            }
            // Calls of functions.
            (BinOp::Pow(_) | BinOp::FMod(_) | BinOp::FPow(_), ..) => return None,
            (_, Varying, _) | (_, _, Varying) | (_, Linear(_), _) | (_, _, Linear(_)) => {
                self.operation(&[a, b])
            }
        })
    }

    fn index(&mut self, dims: &[DimIndex]) -> Option<Class> {
        let mut classes = Vec::with_capacity(dims.len());
        for d in dims {
            match d {
                DimIndex::Fix(i) => classes.push(self.lanes.of(*i)),
                DimIndex::Slice { .. } => return None,
            }
        }
        if classes.iter().all(|c| *c == Class::Uniform) {
            return Some(Class::Uniform);
        }
        // Rows are neighbours more often than not.
        let (last, outer) = classes.split_last()?;
        let neighbours =
            matches!(last, Class::Linear(1 | -1)) && outer.iter().all(|c| *c == Class::Uniform);
        if !neighbours {
            self.cost.scattered += 1;
            self.cost.gathers += usize::from(self.depth > 0);
        }
        Some(Class::Varying)
    }

    fn branch(
        &mut self,
        s: &Stm,
        scrutinee: SubExp,
        cases: &[(Const, Body)],
        default: &Body,
    ) -> Possible {
        let uniform = self.lanes.of(scrutinee) == Class::Uniform;
        let masked = self.masked;
        self.masked |= !uniform;
        let bodies: Vec<&Body> = cases.iter().map(|c| &c.1).chain([default]).collect();
        for b in &bodies {
            self.stms(&b.stms)?;
        }
        self.masked = masked;
        for (i, p) in s.pat.iter().enumerate() {
            if !matches!(p.ty, Type::Prim(_)) {
                return None;
            }
            let mut class = None;
            for b in &bodies {
                let this = self.lanes.of(*b.result.get(i)?);
                class = Some(class.map_or(this, |c: Class| c.join(this)));
            }
            let class = if uniform { class? } else { Class::Varying };
            self.set(p.var, &p.ty, class);
        }
        let two_ways = matches!(cases, [(Const::Bool(_), _)]);
        (two_ways || self.lanes.is_uniform(s)).then_some(())
    }

    /// A loop: the classes of its parameters are those that it comes back to.
    fn repeat(
        &mut self,
        s: &Stm,
        params: &[(Var, Type)],
        init: &[SubExp],
        form: Option<&LoopForm>,
        body: &mut dyn FnMut(&mut Analysis) -> Option<Vec<Class>>,
    ) -> Possible {
        if !params.iter().all(|(_, t)| matches!(t, Type::Prim(_))) {
            return None;
        }
        let mut diverges = false;
        if let Some(LoopForm::For { var, bound, .. }) = form {
            diverges = self.lanes.of(*bound) != Class::Uniform;
            self.lanes.classes.insert(*var, Class::Uniform);
        }
        for ((v, ty), x) in params.iter().zip(init) {
            let class = self.lanes.of(*x);
            self.set(*v, ty, class);
        }
        let masked = self.masked;
        self.depth += 1;
        loop {
            if let Some(LoopForm::While { cond }) = form {
                diverges |= self.lanes.class(*cond) != Class::Uniform;
            }
            if diverges {
                self.masked = true;
                for (v, ty) in params {
                    self.set(*v, ty, Class::Varying);
                }
            }
            let before = (self.cost.operations, self.cost.gathers);
            let results = body(self)?;
            let mut settled = true;
            for ((v, ty), new) in params.iter().zip(results) {
                let old = self.lanes.class(*v);
                let class = old.join(new);
                if class != old {
                    settled = false;
                    self.set(*v, ty, class);
                }
            }
            if settled {
                break;
            }
            (self.cost.operations, self.cost.gathers) = before;
        }
        self.depth -= 1;
        self.masked = masked;
        let varying = params.iter().filter(|(v, _)| self.lanes.class(*v) == Class::Varying).count();
        self.lanes.carried = self.lanes.carried.max(varying);
        self.lanes.diverges |= diverges;
        if varying > 0 {
            self.cost.loops += 1;
        }
        for (p, (v, _)) in s.pat.iter().zip(params) {
            let class = self.lanes.class(*v);
            self.set(p.var, &p.ty, class);
        }
        Some(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::ir::parse::parse_program;

    /// The lanes of the only map of a program, and the classes of variables by their names.
    fn analysed(body: &str, gathers: bool) -> Option<(Lanes, Vec<(String, Class)>)> {
        let text = format!(
            "level seg\nfun f (n_0: i64, k_1: i64, xs_2: [n_0]f32, is_3: [n_0]i64, c_4: bool) : \
             (r_5: [n_0]f32) {{\n let r_6: [n_0]f32 = segmap seq (i_7 < n_0) : (f32) {{\n{body}\n \
             in (return y_9)\n }}\n in r_6\n}}\n"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. }) = &p.funs[0].body.stms[0].exp
        else {
            panic!("no map")
        };
        let lanes = lanes(space.dims[0].0, body, gathers)?;
        let mut classes: Vec<(String, Class)> =
            lanes.classes.iter().map(|(v, c)| (v.base.as_str().to_owned(), *c)).collect();
        classes.sort_by(|a, b| a.0.cmp(&b.0));
        Some((lanes, classes))
    }

    fn class(classes: &[(String, Class)], name: &str) -> Class {
        classes.iter().find(|(n, _)| n == name).unwrap().1
    }

    #[test]
    fn what_does_not_depend_on_the_index_is_uniform() {
        let (lanes, classes) = analysed(
            "let x_8: f32 = index xs_2[i_7]
             let j_10: i64 = sub.i64(k_1, i_7)
             let y_9: f32 = loop (p_11: f32 = 0.0f32, q_12: f32 = 1.0f32) for d_13: i64 < k_1 {
               let e_14: i64 = add.i64(j_10, d_13)
               let z_15: f32 = index xs_2[d_13]
               let s_16: f32 = fmul.f32(x_8, z_15)
               let t_17: f32 = fadd.f32(q_12, z_15)
               let u_18: f32 = fadd.f32(p_11, s_16)
               in (u_18, t_17)
             }"
            .replace("let y_9: f32", "let (y_9: f32, w_19: f32)")
            .as_str(),
            true,
        )
        .unwrap();
        assert_eq!(class(&classes, "i"), Class::Linear(1));
        assert_eq!(class(&classes, "j"), Class::Linear(-1));
        assert_eq!(class(&classes, "e"), Class::Linear(-1));
        for uniform in ["d", "z", "q", "t", "w"] {
            assert_eq!(class(&classes, uniform), Class::Uniform, "{uniform}");
        }
        for varying in ["x", "s", "p", "u", "y"] {
            assert_eq!(class(&classes, varying), Class::Varying, "{varying}");
        }
        assert_eq!((lanes.widest, lanes.carried, lanes.diverges), (4, 1, false));
    }

    #[test]
    fn what_stops_for_some_varies() {
        let (lanes, classes) = analysed(
            "let x_8: f32 = index xs_2[i_7]
             let (y_9: f32, m_10: i32, g_11: bool) = loop (p_12: f32 = x_8, m_13: i32 = 0i32, \
              g_14: bool = true) while g_14 {
               let h_15: f32 = fmul.f32(p_12, 0.5f32)
               let m_16: i32 = add.i32(m_13, 1i32)
               let g_17: bool = flt.f32(1.0f32, h_15)
               in (h_15, m_16, g_17)
             }",
            false,
        )
        .unwrap();
        assert!(lanes.diverges);
        assert_eq!(class(&classes, "m"), Class::Varying);
        assert!(lanes.uses(body_var(&lanes, "y")) && !lanes.uses(body_var(&lanes, "g")));
    }

    /// The variable of this name with the lowest tag.
    fn body_var(lanes: &Lanes, name: &str) -> Var {
        *lanes.classes.keys().filter(|v| v.base.as_str() == name).min().unwrap()
    }

    #[test]
    fn straight_code_is_left_to_llvm_unless_it_checks_what_it_computes() {
        let plain = "let x_8: f32 = index xs_2[i_7]  let y_9: f32 = fadd.f32(x_8, x_8)";
        assert!(analysed(plain, true).is_none());
        let checked = "let j_8: i64 = index is_3[i_7]
             let b_10: bool = ult.i64(j_8, n_0)
             let c_11: cert = assert(b_10, \"no\")
             let y_9: f32 = <c_11> index xs_2[j_8]";
        assert!(analysed(checked, true).unwrap().0.straight);
        assert!(analysed(checked, false).is_none());
    }

    #[test]
    fn lanes_that_may_be_masked_do_not_check() {
        let body = |check: &str| {
            format!(
                "let x_8: f32 = index xs_2[i_7]
                 let y_9: f32 = loop (p_10: f32 = x_8) for d_11: i64 < k_1 {{
                   let b_12: bool = flt.f32(p_10, 1.0f32)
                   let q_13: f32 = if b_12 {{ {check} let z_15: f32 = fmul.f32(p_10, 2.0f32) \
                   in z_15 }} else {{ in p_10 }}
                   in q_13
                 }}"
            )
        };
        assert!(analysed(&body(""), true).is_some());
        assert!(analysed(&body("let c_16: cert = assert(c_4, \"no\")"), true).is_none());
    }

    #[test]
    fn reductions_of_rows_are_for_lanes_if_they_are_short() {
        let body = "let y_9: f32 = segred seq (j_8 < k_1) commutative op [0.0f32] \
             \\(a_10: f32, b_11: f32) : (f32) { let s_12: f32 = fadd.f32(a_10, b_11) in s_12 } \
             : (f32) {
               let l_13: i64 = mul.i64(i_7, 8)
               let m_14: i64 = add.i64(l_13, j_8)
               let x_15: f32 = index xs_2[m_14]
               in (return x_15)
             }";
        let (lanes, classes) = analysed(body, true).unwrap();
        assert_eq!(class(&classes, "m"), Class::Linear(8));
        assert_eq!(lanes.short.iter().map(|s| s.1).collect::<Vec<_>>(), [SHORT]);
        assert!(analysed(body, false).is_none());
    }

    #[test]
    fn sums_of_what_is_computed_are_for_lanes_if_they_are_short() {
        let sum = |element: &str| {
            format!(
                "let y_9: f32 = segred seq (j_8 < k_1) commutative op [0.0f32] \\(a_10: f32, b_11: f32) : \
                 (f32) {{ let s_12: f32 = fadd.f32(a_10, b_11) in s_12 }} : (f32) {{
                   let m_14: i64 = xor.i64(i_7, j_8)
                   {element}
                   in (return x_15)
                 }}"
            )
        };
        let (lanes, _) = analysed(&sum("let x_15: f32 = sitofp.i64.f32(m_14)"), true).unwrap();
        assert_eq!(lanes.short.iter().map(|s| s.1).collect::<Vec<_>>(), [SHORT]);
        // What all lanes read is as good in longer sums.
        let (lanes, _) = analysed(
            &sum("let z_16: f32 = index xs_2[j_8] let w_17: f32 = sitofp.i64.f32(m_14)
                  let x_15: f32 = fmul.f32(w_17, z_16)"),
            true,
        )
        .unwrap();
        assert!(lanes.short.is_empty());
    }

    #[test]
    fn reductions_that_wait_for_each_step_may_be_longer() {
        let body = "let (y_9: f32, z_16: i64) = segred seq (j_8 < k_1) op [0.0f32, 0] \
             \\(a_10: f32, k_17: i64, b_11: f32, l_18: i64) : (f32, i64) {
               let c_12: bool = flt.f32(a_10, b_11)
               let (r_19: f32, s_20: i64) = if c_12 { in (b_11, l_18) } else { in (a_10, k_17) }
               in (r_19, s_20)
             } : (f32, i64) {
               let l_13: i64 = mul.i64(i_7, 8)
               let m_14: i64 = add.i64(l_13, j_8)
               let x_15: f32 = index xs_2[m_14]
               in (return x_15, return j_8)
             }";
        let (lanes, _) = analysed(body, true).unwrap();
        assert_eq!(lanes.short.iter().map(|s| s.1).collect::<Vec<_>>(), [MIDDLING]);
    }
}
