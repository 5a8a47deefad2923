//! What is reduced or scanned, element by element, and what a range of it comes to.

use super::super::mem::{Range, quotient_up, range_from};
use crate::ir::traverse::{Renamer, Rewrite, apply_lambda};
use crate::ir::{
    Body, Builder, Exp, IntType, Lambda, LoopForm, Param, PatElem, Reduction, Soac, Stm, StmAttr,
    SubExp, Type, Var,
};

/// What is reduced or scanned, element by element.
pub(super) struct Elements {
    pub(super) width: SubExp,
    pub(super) inputs: Vec<Var>,
    pub(super) lambda: Lambda,
}

impl Elements {
    /// Emits the element at an index.
    pub(super) fn at(&self, i: SubExp, b: &mut Builder) -> Vec<SubExp> {
        let rows: Vec<SubExp> = self.inputs.iter().map(|v| b.index("x", *v, &[i]).into()).collect();
        let body = apply_lambda(&self.lambda, &rows, &mut b.names);
        b.push_all(body.stms);
        body.result
    }

    /// Emits a map of what is mapped beside so many values of an element, if anything is: elements are read from its
    /// results, then.
    pub(super) fn apart(self, values: usize, s: &Stm, b: &mut Builder) -> (Elements, Vec<SubExp>) {
        let Elements { width, inputs, mut lambda } = self;
        if lambda.ret.len() == values {
            return (Elements { width, inputs, lambda }, Vec::new());
        }
        let types: Vec<Type> = lambda.ret.drain(..values).collect();
        let folded: Vec<SubExp> = lambda.body.result.drain(..values).collect();
        let mut mapped: Vec<PatElem> =
            lambda.ret.iter().map(|t| b.pat("mapped", t.outer(width))).collect();
        let beside: Vec<SubExp> = mapped.iter().map(|p| p.var.into()).collect();
        let mut rows = Vec::with_capacity(values);
        for (x, ty) in folded.iter().zip(&types) {
            let row = lambda.params.iter().position(|p| SubExp::Var(p.var) == *x);
            let made = lambda.body.result.iter().position(|y| y == x);
            rows.push(match (row.and_then(|k| inputs.get(k)), made.and_then(|k| mapped.get(k))) {
                (Some(input), _) => *input,
                (None, Some(p)) => p.var,
                (None, None) => {
                    lambda.body.result.push(*x);
                    lambda.ret.push(ty.clone());
                    let p = b.pat("mapped", ty.outer(width));
                    let var = p.var;
                    mapped.push(p);
                    var
                }
            });
        }
        Renamer::new(&mut b.names).lambda(&mut lambda);
        let (scans, reduces) = (Vec::new(), Vec::new());
        let exp = Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces });
        b.push(Stm { pat: mapped, exp, ..s.clone() });
        let lambda = identity(&types, b);
        (Elements { width, inputs: rows, lambda }, beside)
    }

    /// Emits what a range of elements comes to, by operators from some values on.
    pub(super) fn fold(
        &self,
        ops: &[Reduction],
        from: Vec<SubExp>,
        (first, len): (SubExp, SubExp),
        b: &mut Builder,
    ) -> Vec<SubExp> {
        let types = types(ops);
        let init = from.into_iter().map(|x| own(x, b)).collect();
        let params: Vec<Param> = types.iter().map(|t| b.param("acc", t.clone())).collect();
        let j = b.fresh("j", Type::I64);
        let body = b.body(|b| {
            let i = b.add(first, j.into());
            let xs = self.at(i, b);
            let accs: Vec<SubExp> = params.iter().map(|p| p.var.into()).collect();
            combine(ops, &accs, &xs, b)
        });
        let pat: Vec<PatElem> = types.iter().map(|t| b.pat("part", t.clone())).collect();
        let result = pat.iter().map(|p| p.var.into()).collect();
        let form = LoopForm::For { var: j, ty: IntType::I64, bound: len };
        b.bind(pat, Exp::Loop { params, init, form, body });
        result
    }
}

/// The types of what operators yield.
pub(super) fn types(ops: &[Reduction]) -> Vec<Type> {
    ops.iter().flat_map(|r| r.op.ret.clone()).collect()
}

/// A value that nobody else holds.
pub(super) fn own(x: SubExp, b: &mut Builder) -> SubExp {
    match x {
        SubExp::Var(v) if b.ty(x).rank() > 0 => b.emit("acc", Exp::Copy(v)).into(),
        SubExp::Var(_) | SubExp::Const(_) => x,
    }
}

/// Emits the operators' applications to accumulators and elements.
pub(super) fn combine(
    ops: &[Reduction],
    accs: &[SubExp],
    xs: &[SubExp],
    b: &mut Builder,
) -> Vec<SubExp> {
    let (mut accs, mut xs) = (accs.iter().copied(), xs.iter().copied());
    let mut next = Vec::new();
    for r in ops {
        let width = r.op.ret.len();
        let args: Vec<SubExp> = accs.by_ref().take(width).chain(xs.by_ref().take(width)).collect();
        let body = apply_lambda(&r.op, &args, &mut b.names);
        b.push_all(body.stms);
        next.extend(body.result);
    }
    next
}

/// The function of values of these types that yields them.
pub(super) fn identity(types: &[Type], b: &mut Builder) -> Lambda {
    let params: Vec<Param> = types.iter().map(|t| b.param("x", t.clone())).collect();
    let result = params.iter().map(|p| p.var.into()).collect();
    Lambda { params, body: Body { stms: Vec::new(), result }, ret: types.to_vec() }
}

/// Emits a map over the chunks of `n` elements, of `size` each but for the last, in place of the statement `s`; how many there
/// are, and what `part` makes of each, which has these types.
pub(super) fn over_chunks(
    n: SubExp,
    size: SubExp,
    types: &[Type],
    s: &Stm,
    b: &mut Builder,
    part: impl FnOnce(Range, &mut Builder) -> Vec<SubExp>,
) -> (SubExp, Vec<Var>) {
    let count = quotient_up(n, size, b);
    let starts = Exp::Iota { n: count, start: SubExp::i64(0), stride: size, ty: IntType::I64 };
    let starts = b.emit("starts", starts);
    let first = b.param("first", Type::I64);
    let body = b.body(|b| {
        let range = range_from(first.var.into(), size, n, b);
        part(range, b)
    });
    let map = Soac::Screma {
        width: count,
        inputs: vec![starts],
        lambda: Lambda { params: vec![first], body, ret: types.to_vec() },
        scans: Vec::new(),
        reduces: Vec::new(),
    };
    let parts: Vec<PatElem> = types.iter().map(|t| b.pat("parts", t.outer(count))).collect();
    let attrs = vec![StmAttr::Chunks];
    b.push(Stm { pat: parts.clone(), exp: Exp::Soac(map), attrs, ..s.clone() });
    (count, parts.iter().map(|p| p.var).collect())
}
