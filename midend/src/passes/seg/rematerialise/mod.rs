//! Rematerialisation: elements are computed again where that is cheaper than to read them.
//!
//! ```text
//! (s, ys) = segscan (i < n) … {             s = segscan (i < n) … {
//!   x = xs[i]                                 x = xs[i]
//!   y = zext.i8.i64(x)                        y = zext.i8.i64(x)
//!   in (return y, return y) }        ⟶        in (return y) }
//! … segmap (j < n) {                        … segmap (j < n) {
//!   b = ys[j] …                               x' = xs[j]; b = zext.i8.i64(x') …
//! ```
//!
//! A result that a map, or what goes along with a scan or reduction, collects is not collected if it
//! is made of one element of another array by a few operations that cost no more than a load, and
//! is only ever read element by element. The other array must have elements no larger, so that
//! there is less to read, not more, and must still be there: either it is consumed nowhere, or it is read behind every
//! element of the result, in the same list of statements, which nothing could if it had been consumed before. So are the
//! keys of a sort whose rounds consume a copy of them.
//!
//! One division by what stays the same may be among the operations, if the dividend has 32 bits or
//! fewer: it costs two multiplications then ([`crate::passes::divide_by_invariant`]). That is as much as a load from
//! the first cache, so it pays only where elements are read in no order, from an array that takes half
//! the memory or less.
//!
//! Indexes that are made of counters alone are computed again, too ([`indexes`]).
//!
//! Cost: linear in the program.

mod indexes;

use self::indexes::is_cheap;
use crate::analysis::alias::Aliases;
use crate::ir::traverse::{Binders, Renamer, Rewrite, Subst, Visit, free_in_stm, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, ConvOp, DimIndex, Exp, IntType, KernelBody, KernelResult, Level, LoopForm, NameSource,
    Program, SegKind, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Operations besides the load.
const MOST: usize = 4;

/// Computes again what is cheap.
pub fn rematerialise(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut f = Finder {
        aliases: Aliases::of_program(&prog),
        types: VarMap::default(),
        mentions: VarMap::default(),
        reads: VarMap::default(),
        uses: indexes::Uses::default(),
        of_counters: VarMap::default(),
        recipes: VarMap::default(),
        counters: VarSet::default(),
        in_order: VarSet::default(),
        positions: VarMap::default(),
        here: Position::default(),
        lists: 0,
    };
    f.body(&prog.consts);
    for p in &prog.globals {
        f.pat_elem(p);
        // Of another body than its readers.
        *f.mentions.entry(p.var).or_default() += 1;
    }
    for fun in &prog.funs {
        f.fun(fun);
    }
    let (mentions, reads) = (&f.mentions, &f.reads);
    let in_order = &f.in_order;
    f.recipes
        .retain(|v, r| mentions.get(v) == reads.get(v) && !(r.divides && in_order.contains(v)));
    let positions = &f.positions;
    f.recipes.retain(|v, r| match r.source {
        Some(source) if r.consumed => is_read_behind(positions.get(&source), positions.get(v)),
        _ => true,
    });
    // One step only: a chain of them would be walked again at every element.
    let made: VarSet = f.recipes.keys().copied().collect();
    f.recipes.retain(|_, r| r.source.is_none_or(|source| !made.contains(&source)));
    let indexing = f.uses.arrays();
    f.of_counters.retain(|v, _| indexing.contains(v) && mentions.get(v) == reads.get(v));
    f.recipes.extend(f.of_counters);
    let mut names = NameSource::new(prog.next_tag);
    let mut m = Make { recipes: &f.recipes, names: &mut names };
    m.body(&mut prog.consts);
    for fun in &mut prog.funs {
        m.fun(fun);
    }
    prog.next_tag = names.next_tag();
    prog
}

/// How an element is made.
struct Recipe {
    /// The indexes of the element.
    point: Vec<Var>,
    /// What is to be done.
    stms: Vec<Stm>,
    /// The element.
    result: Var,
    /// The array that it is made of, if any.
    source: Option<Var>,
    /// There is a division among the statements.
    divides: bool,
    /// The array that it is made of is consumed somewhere.
    consumed: bool,
}

/// Where a statement stands: in which list of statements, and where in that.
#[derive(Clone, Copy, Default)]
struct Position {
    list: usize,
    at: usize,
}

/// Whether an array is read behind each of these reads, in the same list.
fn is_read_behind(array: Option<&Vec<Position>>, reads: Option<&Vec<Position>>) -> bool {
    let behind =
        |r: &Position| array.into_iter().flatten().any(|p| p.list == r.list && p.at > r.at);
    reads.into_iter().flatten().all(behind)
}

struct Finder {
    aliases: Aliases,
    types: VarMap<Type>,
    /// How often each variable is mentioned at all, and as an array that an element is read of.
    mentions: VarMap<usize>,
    reads: VarMap<usize>,
    recipes: VarMap<Recipe>,
    uses: indexes::Uses,
    /// Recipes of integers that are made of counters alone.
    of_counters: VarMap<Recipe>,
    /// What counts points and iterations.
    counters: VarSet,
    /// Arrays that are read at such.
    in_order: VarSet,
    /// Where elements of arrays are read.
    positions: VarMap<Vec<Position>>,
    here: Position,
    /// How many lists of statements there have been.
    lists: usize,
}

impl Finder {
    fn results(&mut self, s: &Stm, space: &SegSpace, body: &KernelBody, combined: usize) {
        let inside: VarSet = {
            let mut b = Binders::default();
            b.kernel_body(body);
            b.0
        };
        for (p, r) in s.pat.iter().zip(&body.results).skip(combined) {
            let KernelResult::Return(SubExp::Var(x)) = r else { continue };
            let Some(size) = p.ty.elem().map(|e| e.bytes()) else { continue };
            if p.ty.rank() != space.dims.len() {
                continue;
            }
            let point: Vec<Var> = space.dims.iter().map(|(i, _)| *i).collect();
            let found = self.recipe(*x, &body.stms, (&inside, &point), size);
            if let Some((stms, source, divides)) = found {
                let consumed = self.aliases.consumed(source);
                let source = Some(source);
                let recipe = Recipe { point, stms, result: *x, source, divides, consumed };
                self.recipes.insert(p.var, recipe);
            } else if let Some(stms) = indexes::recipe(*x, &body.stms, &inside, &point) {
                let recipe = Recipe {
                    point,
                    stms,
                    result: *x,
                    source: None,
                    divides: false,
                    consumed: false,
                };
                self.of_counters.insert(p.var, recipe);
            }
        }
    }

    /// The statements of a body that `x` needs, in order, if they are few and cheap, the array that
    /// they read, and whether they divide.
    fn recipe(
        &mut self,
        x: Var,
        body: &[Stm],
        (inside, point): (&VarSet, &[Var]),
        size: i64,
    ) -> Option<(Vec<Stm>, Var, bool)> {
        let mut wanted = VarSet::default();
        wanted.insert(x);
        let mut out = Vec::new();
        let mut sources = Vec::new();
        let mut divides = false;
        for s in body.iter().rev() {
            let [p] = s.pat.as_slice() else { continue };
            if !wanted.contains(&p.var) {
                continue;
            }
            // A certificate of this operation is made again, if it certifies the same everywhere.
            wanted.extend(s.certs.iter().filter(|c| inside.contains(c)));
            if !matches!(p.ty, Type::Prim(_) | Type::Cert) {
                return None;
            }
            match &s.exp {
                Exp::Index { array, dims } => {
                    sources.push(*array);
                    let read = self.types.get(array)?.elem()?.bytes();
                    let fixed = dims.iter().all(|d| matches!(d, DimIndex::Fix(_)));
                    let large = read > size || divides && 2 * read > size;
                    if large || !fixed || inside.contains(array) {
                        return None;
                    }
                    wanted.extend(dims.iter().filter_map(|d| match d {
                        DimIndex::Fix(i) => i.var(),
                        DimIndex::Slice { .. } => None,
                    }));
                }
                Exp::BinOp(op, a, b) if is_cheap(*op, *b) => {
                    wanted.extend([a, b].into_iter().filter_map(|x| x.var()));
                }
                Exp::BinOp(op, a, SubExp::Var(b))
                    if !divides && !inside.contains(b) && divides_few_bits(*op, *a, body) =>
                {
                    divides = true;
                    wanted.extend(a.var());
                }
                Exp::CmpOp(_, a, b) => {
                    wanted.extend([a, b].into_iter().filter_map(|x| x.var()));
                }
                Exp::SubExp(a) | Exp::UnOp(_, a) | Exp::ConvOp(_, a) => wanted.extend(a.var()),
                Exp::Assert { .. }
                    if s.is_plain() && free_in_stm(s).iter().all(|v| !inside.contains(v)) => {}
                _ => return None,
            }
            out.push(s.clone());
        }
        // Whatever else is wanted must come from outside or be an index.
        let made: VarSet = out.iter().flat_map(|s| &s.pat).map(|p| p.var).collect();
        let given = |v: &Var| made.contains(v) || point.contains(v) || !inside.contains(v);
        out.reverse();
        match sources.as_slice() {
            [source] if wanted.iter().all(given) && out.len() <= MOST + 1 => {
                Some((out, *source, divides))
            }
            _ => None,
        }
    }
}

/// Divisions whose dividend has 32 bits, or is made of no more in this body.
fn divides_few_bits(op: BinOp, dividend: SubExp, body: &[Stm]) -> bool {
    match op {
        BinOp::UDiv(IntType::I32) | BinOp::UMod(IntType::I32) => true,
        BinOp::UDiv(IntType::I64)
        | BinOp::UMod(IntType::I64)
        | BinOp::SDiv(IntType::I64)
        | BinOp::SMod(IntType::I64)
        | BinOp::SQuot(IntType::I64)
        | BinOp::SRem(IntType::I64) => {
            let made = |s: &Stm| s.pat.iter().any(|p| SubExp::Var(p.var) == dividend);
            body.iter().any(|s| {
                made(s)
                    && matches!(s.exp, Exp::ConvOp(ConvOp::ZExt(t, IntType::I64), _)
                        if t != IntType::I64)
            })
        }
        _ => false,
    }
}

impl Visit for Finder {
    fn var(&mut self, v: &Var) {
        *self.mentions.entry(*v).or_default() += 1;
    }

    fn stms(&mut self, stms: &Vec<Stm>) {
        let outside = self.here;
        self.lists += 1;
        self.here = Position { list: self.lists, at: 0 };
        for s in stms {
            self.stm(s);
            self.here.at += 1;
        }
        self.here = outside;
    }

    fn param(&mut self, p: &crate::ir::Param) {
        self.types.insert(p.var, p.ty.clone());
        walk::param(self, p);
    }

    fn pat_elem(&mut self, p: &crate::ir::PatElem) {
        self.types.insert(p.var, p.ty.clone());
        walk::pat_elem(self, p);
    }

    fn stm(&mut self, s: &Stm) {
        if let (Exp::Index { array, dims }, [p]) = (&s.exp, s.pat.as_slice())
            && p.ty.rank() == 0
            && dims.iter().all(|d| matches!(d, DimIndex::Fix(_)))
        {
            *self.reads.entry(*array).or_default() += 1;
            self.positions.entry(*array).or_default().push(self.here);
            self.uses.read(*array, p.var);
            let counted = |d: &DimIndex| matches!(d, DimIndex::Fix(SubExp::Var(v)) if self.counters.contains(v));
            if dims.iter().any(counted) {
                self.in_order.insert(*array);
            }
        }
        if let [p] = s.pat.as_slice() {
            self.uses.stm(p.var, &s.exp);
        }
        match &s.exp {
            Exp::Index { dims, .. } => {
                for d in dims {
                    if let DimIndex::Fix(x) = d {
                        self.uses.index(*x);
                    }
                }
            }
            Exp::Loop { form: LoopForm::For { var, .. }, .. } => {
                self.counters.insert(*var);
            }
            Exp::Seg(SegOp { space, .. }) => {
                self.counters.extend(space.dims.iter().map(|(i, _)| *i))
            }
            _ => {}
        }
        walk::stm(self, s);
        if let Exp::Seg(SegOp { level: _, space, kind, body }) = &s.exp
            && !matches!(kind, SegKind::Hist(_))
        {
            let combined = kind.reductions().iter().map(|r| r.op.ret.len()).sum();
            self.results(s, space, body, combined);
        }
    }
}

struct Make<'m> {
    recipes: &'m VarMap<Recipe>,
    names: &'m mut NameSource,
}

impl Rewrite for Make<'_> {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for s in std::mem::take(stms) {
            let recipe = match (&s.exp, s.pat.as_slice()) {
                (Exp::Index { array, dims }, [p]) => {
                    self.recipes.get(array).map(|r| (r, dims.clone(), p.var))
                }
                _ => None,
            };
            let Some((recipe, dims, var)) = recipe else {
                out.push(s);
                continue;
            };
            let mut subst = Subst::new();
            for (i, d) in recipe.point.iter().zip(dims) {
                if let DimIndex::Fix(x) = d {
                    subst.insert(*i, x);
                }
            }
            let mut copy = recipe.stms.clone();
            let mut renamer = Renamer::with(self.names, subst);
            Rewrite::stms(&mut renamer, &mut copy);
            let made = renamer.subst().lookup(recipe.result.into());
            for stm in &mut copy {
                stm.certs.extend(s.certs.iter().copied());
                // A check fails where it was written.
                if !matches!(stm.exp, Exp::Assert { .. }) {
                    stm.loc = s.loc;
                }
                for p in &mut stm.pat {
                    if made == p.var.into() {
                        p.var = var;
                    }
                }
            }
            out.extend(copy);
        }
        *stms = out;
        rewrite::stms(self, stms);
    }
}

#[cfg(test)]
mod tests;
