//! Indexes that are made of counters alone.
//!
//! ```text
//! (ps, is) = segmap (k < n) … {             ps = segmap (k < n) … {
//!   p = …                                     p = …
//!   i = if k == 0 then 1 else k               in (return p) }
//!   in (return p, return i) }        ⟶        …
//! … segmap (j < n) {                        … segmap (j < n) {
//!   p = ps[j]; i = is[j]                      p = ps[j]
//!   x = xs[i] …                               i' = if j == 0 then 1 else j
//!                                             x = xs[i'] …
//! ```
//!
//! Nothing is known of an index that is read from memory: what is read with it is gathered. Where it is
//! computed, it is seen which elements lie beside each other, and index-set splitting finds the ranges of points for
//! which its conditions come out alike.

use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, Body, Exp, Prim, Stm, SubExp, Type, Var};

/// Statements of an index, those in branches included.
const MOST: usize = 12;

/// Places where it may be read.
const READS: usize = 4;

/// What is found out about the indexes of a program.
#[derive(Default)]
pub(super) struct Uses {
    /// Sums and differences, and what they are made of.
    sums: VarMap<Vec<Var>>,
    /// Variables that are indexes.
    indexes: Vec<Var>,
    /// What is read of each array.
    read: VarMap<Vec<Var>>,
}

impl Uses {
    /// `made` may be a sum, a difference, or its operand in another type.
    pub fn stm(&mut self, made: Var, exp: &Exp) {
        let operands = match exp {
            Exp::BinOp(BinOp::Add(_) | BinOp::Sub(_), a, b) => vec![*a, *b],
            Exp::SubExp(a) | Exp::ConvOp(_, a) => vec![*a],
            _ => return,
        };
        self.sums.insert(made, operands.iter().filter_map(|x| x.var()).collect());
    }

    /// `x` indexes an array.
    pub fn index(&mut self, x: SubExp) {
        self.indexes.extend(x.var());
    }

    /// `made` is an element of `array`.
    pub fn read(&mut self, array: Var, made: Var) {
        self.read.entry(array).or_default().push(made);
    }

    /// Arrays of which an element is an index, or a summand of one, and that are read in few places.
    pub fn arrays(mut self) -> VarSet {
        let mut indexing = VarSet::default();
        while let Some(v) = self.indexes.pop() {
            if indexing.insert(v) {
                self.indexes.extend(self.sums.get(&v).into_iter().flatten());
            }
        }
        let of_index =
            |made: &[Var]| made.len() <= READS && made.iter().any(|v| indexing.contains(v));
        self.read.iter().filter(|(_, made)| of_index(made)).map(|(array, _)| *array).collect()
    }
}

/// The statements of a map's body that the integer `x` needs, in order, if these are few and cheap and read no memory.
/// `inside` is what the map binds, `point` its indexes.
pub(super) fn recipe(x: Var, body: &[Stm], inside: &VarSet, point: &[Var]) -> Option<Vec<Stm>> {
    let mut slice = Slice { inside, made: VarSet::default(), left: MOST };
    let mut wanted = VarSet::default();
    wanted.insert(x);
    let stms = slice.stms(body, &mut wanted)?;
    let given = |v: &Var| slice.made.contains(v) || point.contains(v) || !inside.contains(v);
    (slice.made.contains(&x) && wanted.iter().all(given)).then_some(stms)
}

/// A slice of a body.
struct Slice<'a> {
    inside: &'a VarSet,
    /// What its statements bind.
    made: VarSet,
    /// How many statements there may still be.
    left: usize,
}

impl Slice<'_> {
    /// Those of the statements that `wanted` needs, which grows by what these need.
    fn stms(&mut self, list: &[Stm], wanted: &mut VarSet) -> Option<Vec<Stm>> {
        let mut out = Vec::new();
        for stm in list.iter().rev() {
            let kept: Vec<usize> =
                (0..stm.pat.len()).filter(|k| wanted.contains(&stm.pat[*k].var)).collect();
            if kept.is_empty() {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            let pat: Vec<_> = kept.iter().map(|k| stm.pat[*k].clone()).collect();
            let scalar = |ty: &Type| matches!(ty, Type::Prim(Prim::Int(_) | Prim::Bool));
            // What a check inside of the map guards is not computed where that has not been made.
            if !pat.iter().all(|p| scalar(&p.ty))
                || stm.certs.iter().any(|c| self.inside.contains(c))
            {
                return None;
            }
            self.made.extend(pat.iter().map(|p| p.var));
            let exp = match &stm.exp {
                Exp::Match { scrutinee, cases, default } => {
                    wanted.extend(scrutinee.var());
                    let mut branch = |body: &Body| {
                        let result: Vec<SubExp> = kept.iter().map(|k| body.result[*k]).collect();
                        wanted.extend(result.iter().filter_map(|x| x.var()));
                        Some(Body { stms: self.stms(&body.stms, wanted)?, result })
                    };
                    let cases = cases.iter().map(|(c, body)| Some((*c, branch(body)?)));
                    let cases = cases.collect::<Option<Vec<_>>>()?;
                    Exp::Match { scrutinee: *scrutinee, cases, default: branch(default)? }
                }
                exp => {
                    wanted.extend(operands(exp)?.into_iter().filter_map(|x| x.var()));
                    exp.clone()
                }
            };
            out.push(Stm { pat, exp, ..stm.clone() });
        }
        out.reverse();
        Some(out)
    }
}

/// The operands of a scalar operation that takes a cycle or two.
fn operands(exp: &Exp) -> Option<Vec<SubExp>> {
    match exp {
        Exp::SubExp(a) | Exp::UnOp(_, a) | Exp::ConvOp(_, a) => Some(vec![*a]),
        Exp::BinOp(op, a, b) if is_cheap(*op, *b) => Some(vec![*a, *b]),
        Exp::CmpOp(_, a, b) => Some(vec![*a, *b]),
        _ => None,
    }
}

/// Operators that take a cycle or two; division by powers of two among them.
pub(super) fn is_cheap(op: BinOp, divisor: SubExp) -> bool {
    let constant = match divisor {
        SubExp::Const(c) => c.as_int(),
        SubExp::Var(_) => None,
    };
    match op {
        BinOp::UDiv(_) | BinOp::UMod(_) => constant.is_some_and(|c| c > 0 && c & (c - 1) == 0),
        _ => !op.is_slow(),
    }
}
