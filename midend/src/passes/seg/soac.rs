//! One combinator at a time: which segmented operation or loop it becomes.

use super::{HOST, Lowerer, nest};
use crate::ir::builder::full_index;
use crate::ir::{
    Body, CmpOp, Exp, HistOp, IntType, KernelBody, KernelResult, Lambda, LoopForm, Param, PatElem,
    Reduction, SegKind, SegLevel, SegOp, SegSpace, Soac, Stm, StmAttr, SubExp, Type, Var,
};

/// Do the operators work on scalars only?
pub(super) fn scalar_ops(ops: &[Reduction]) -> bool {
    ops.iter().all(|r| r.op.ret.iter().all(|t| matches!(t, Type::Prim(_))))
}

pub(super) fn num_results(ops: &[Reduction]) -> usize {
    ops.iter().map(|r| r.op.ret.len()).sum()
}

impl Lowerer {
    /// Emits what `soac`, bound to `pat`, becomes. Certificates and position are ambient.
    pub(super) fn soac(&mut self, pat: Vec<PatElem>, soac: Soac, attrs: &[StmAttr]) {
        match soac {
            Soac::Screma { width, inputs, lambda, scans, reduces } => {
                self.screma(pat, width, inputs, lambda, scans, reduces, attrs);
            }
            Soac::Hist { width, inputs, ops, lambda } => {
                if ops.iter().all(|h| scalar_ops(std::slice::from_ref(&h.op))) {
                    self.hist(pat, width, &inputs, ops, lambda, attrs);
                } else {
                    self.hist_loop(pat, width, &inputs, ops, lambda);
                }
            }
            Soac::Scatter { width, inputs, dests, lambda } => {
                let values = &lambda.ret[dests.iter().map(|d| d.0).sum::<usize>()..];
                let scalars = values.iter().all(|t| matches!(t, Type::Prim(_)));
                let level =
                    if self.device && nest::fits_thread(&lambda) { SegLevel::Grid } else { HOST };
                if scalars || level != HOST {
                    self.scatter(pat, width, &inputs, &dests, lambda, (level, attrs));
                } else {
                    self.scatter_loop(pat, width, &inputs, &dests, lambda);
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of a Screma")]
    fn screma(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: Vec<Var>,
        lambda: Lambda,
        scans: Vec<Reduction>,
        reduces: Vec<Reduction>,
        attrs: &[StmAttr],
    ) {
        if self.device && nest::fits_thread(&lambda) {
            if scans.is_empty() && reduces.is_empty() {
                if nest::worth_a_kernel(width, &lambda) {
                    self.kernel(pat, width, inputs, lambda, attrs);
                    return;
                }
            } else if nest::is_heavy(&lambda) {
                self.split_screma(pat, width, inputs, lambda, scans, reduces, attrs);
                return;
            }
        }
        if !scalar_ops(&scans) || !scalar_ops(&reduces) {
            self.screma_loop(pat, width, &inputs, lambda, scans, reduces);
        } else if !scans.is_empty() && !reduces.is_empty() {
            self.scan_then_reduce(pat, width, &inputs, lambda, (scans, reduces), attrs);
        } else {
            let (space, body) = self.points(width, &inputs, lambda);
            let scans = self.ops(scans);
            let reduces = self.ops(reduces);
            let op = if !scans.is_empty() {
                SegOp { level: HOST, space, kind: SegKind::Scan(scans), body }
            } else if !reduces.is_empty() {
                SegOp { level: HOST, space, kind: SegKind::Red(reduces), body }
            } else {
                SegOp { level: HOST, space, kind: SegKind::Map, body }
            };
            self.bind(pat, Exp::Seg(op), attrs);
        }
    }

    pub(super) fn bind(&mut self, pat: Vec<PatElem>, exp: Exp, attrs: &[StmAttr]) {
        let (certs, loc) = (self.b.certs.clone(), self.b.loc);
        self.b.push(Stm { schedule: None, pat, exp, certs, attrs: attrs.to_vec(), loc });
    }

    /// A device for the map part first; the scans and reductions of its results on the host.
    #[allow(clippy::too_many_arguments, reason = "the fields of a Screma")]
    fn split_screma(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: Vec<Var>,
        lambda: Lambda,
        scans: Vec<Reduction>,
        reduces: Vec<Reduction>,
        attrs: &[StmAttr],
    ) {
        let folded = num_results(&scans) + num_results(&reduces);
        let types = lambda.ret[..folded].to_vec();
        let arrays: Vec<PatElem> =
            types.iter().map(|t| self.b.pat("mapped", t.outer(width))).collect();
        let rows = arrays.iter().map(|p| p.var).collect();
        let (fold_pat, map_pat) = pat.split_at(folded);
        self.kernel(arrays.iter().chain(map_pat).cloned().collect(), width, inputs, lambda, &[]);
        let params: Vec<Param> = types.iter().map(|t| self.b.param("x", t.clone())).collect();
        let result = params.iter().map(|p| p.var.into()).collect();
        let body = Body { stms: Vec::new(), result };
        let identity = Lambda { params, body, ret: types };
        self.screma(fold_pat.to_vec(), width, rows, identity, scans, reduces, attrs);
    }

    /// A scan that also collects what is then reduced.
    fn scan_then_reduce(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: &[Var],
        lambda: Lambda,
        (scans, reduces): (Vec<Reduction>, Vec<Reduction>),
        attrs: &[StmAttr],
    ) {
        let (n_scan, n_red) = (num_results(&scans), num_results(&reduces));
        let types = lambda.ret[n_scan..n_scan + n_red].to_vec();
        let arrays: Vec<PatElem> =
            types.iter().map(|t| self.b.pat("mapped", t.outer(width))).collect();
        let (space, body) = self.points(width, inputs, lambda);
        let mut scan_pat = pat;
        let map_pat = scan_pat.split_off(n_scan + n_red);
        let red_pat = scan_pat.split_off(n_scan);
        scan_pat.extend(arrays.iter().cloned());
        scan_pat.extend(map_pat);
        let ops = self.ops(scans);
        self.bind(
            scan_pat,
            Exp::Seg(SegOp { level: HOST, space, kind: SegKind::Scan(ops), body }),
            attrs,
        );

        let i = self.b.fresh("i", Type::I64);
        self.b.begin();
        let results = arrays
            .iter()
            .map(|p| KernelResult::Return(self.b.index("x", p.var, &[i.into()]).into()))
            .collect();
        let body = KernelBody { stms: self.b.end(), results, types };
        let space = SegSpace { dims: vec![(i, width)] };
        let ops = self.ops(reduces);
        self.bind(
            red_pat,
            Exp::Seg(SegOp { level: HOST, space, kind: SegKind::Red(ops), body }),
            attrs,
        );
    }

    /// A one-dimensional space whose points apply `lambda` to the rows of `inputs`.
    fn points(&mut self, width: SubExp, inputs: &[Var], lambda: Lambda) -> (SegSpace, KernelBody) {
        let i = self.b.fresh("i", Type::I64);
        let types = lambda.ret.clone();
        let (stms, result) = self.thread(i, inputs, lambda);
        let results = result.into_iter().map(KernelResult::Return).collect();
        (SegSpace { dims: vec![(i, width)] }, KernelBody { stms, results, types })
    }

    /// `lambda` applied to the rows of `inputs` at `i`, sequentialised, as a list of its own.
    fn thread(&mut self, i: Var, inputs: &[Var], lambda: Lambda) -> (Vec<Stm>, Vec<SubExp>) {
        let certs = std::mem::take(&mut self.b.certs);
        self.b.begin();
        self.read_rows(i, inputs, &lambda.params);
        self.thread_stms(lambda.body.stms);
        let stms = self.b.end();
        self.b.certs = certs;
        (stms, lambda.body.result)
    }

    /// Binds the parameters to the rows of the inputs at `i`.
    pub(super) fn read_rows(&mut self, i: Var, inputs: &[Var], params: &[Param]) {
        for (array, p) in inputs.iter().zip(params) {
            let shape = self.b.ty((*array).into()).shape().to_vec();
            let dims = full_index(&shape, &[i.into()]);
            let pat = vec![PatElem { var: p.var, ty: p.ty.clone(), mem: None }];
            self.b.bind(pat, Exp::Index { array: *array, dims });
        }
    }

    /// Sequentialises the operators.
    fn ops(&mut self, ops: Vec<Reduction>) -> Vec<Reduction> {
        ops.into_iter().map(|r| self.op(r)).collect()
    }

    fn op(&mut self, mut r: Reduction) -> Reduction {
        self.b.know_params(&r.op.params);
        let device = std::mem::replace(&mut self.device, false);
        r.op.body = self.nested(r.op.body);
        self.device = device;
        r
    }

    fn hist(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: &[Var],
        ops: Vec<HistOp>,
        lambda: Lambda,
        attrs: &[StmAttr],
    ) {
        let (space, body) = self.points(width, inputs, lambda);
        let ops = ops.into_iter().map(|h| HistOp { op: self.op(h.op), ..h }).collect();
        self.bind(
            pat,
            Exp::Seg(SegOp { level: HOST, space, kind: SegKind::Hist(ops), body }),
            attrs,
        );
    }

    fn scatter(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: &[Var],
        dests: &[(usize, Var)],
        lambda: Lambda,
        (level, attrs): (SegLevel, &[StmAttr]),
    ) {
        let i = self.b.fresh("i", Type::I64);
        let (stms, result) = self.thread(i, inputs, lambda);
        let (mut at, values) = result.split_at(dests.iter().map(|d| d.0).sum());
        let mut results = Vec::with_capacity(dests.len());
        for ((rank, dest), value) in dests.iter().zip(values) {
            let (index, rest) = at.split_at(*rank);
            at = rest;
            results
                .push(KernelResult::Write { dest: *dest, writes: vec![(index.to_vec(), *value)] });
        }
        let types = dests.iter().map(|(_, d)| self.b.ty((*d).into())).collect();
        let space = SegSpace { dims: vec![(i, width)] };
        let body = KernelBody { stms, results, types };
        self.bind(pat, Exp::Seg(SegOp { level, space, kind: SegKind::Map, body }), attrs);
    }

    /// `0 ≤ index < shape` in every dimension.
    pub(super) fn in_bounds(&mut self, index: &[SubExp], shape: &[SubExp]) -> SubExp {
        let mut ok = SubExp::bool(true);
        for (i, n) in index.iter().zip(shape) {
            // One unsigned comparison does for both, since sizes are not negative.
            let below = self.b.cmp(CmpOp::ULt(IntType::I64), *i, *n);
            ok = self.b.and(ok, below);
        }
        ok
    }

    /// A loop over `width` that threads `carried` through `f`, which is given the counter and the
    /// carried variables and yields their next values. There are no kernels in it: a launch for
    /// every iteration costs more than it gains.
    pub(super) fn for_loop(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        carried: Vec<(SubExp, Type)>,
        f: impl FnOnce(&mut Lowerer, Var, &[Var]) -> Vec<SubExp>,
    ) {
        let i = self.b.fresh("i", Type::I64);
        let (init, types): (Vec<_>, Vec<_>) = carried.into_iter().unzip();
        let params: Vec<Param> = types.into_iter().map(|t| self.b.param("acc", t)).collect();
        let vars: Vec<Var> = params.iter().map(|p| p.var).collect();
        let certs = std::mem::take(&mut self.b.certs);
        let device = std::mem::replace(&mut self.device, false);
        self.b.begin();
        let result = f(self, i, &vars);
        let body = Body { stms: self.b.end(), result };
        self.device = device;
        self.b.certs = certs;
        let form = LoopForm::For { var: i, ty: IntType::I64, bound: width };
        self.bind(pat, Exp::Loop { params, init, form, body }, &[]);
    }

    /// Binds the operator's parameters and emits its body; yields its results.
    pub(super) fn apply_op(&mut self, op: Lambda, args: &[SubExp]) -> Vec<SubExp> {
        for (p, x) in op.params.iter().zip(args) {
            let pat = vec![PatElem { var: p.var, ty: p.ty.clone(), mem: None }];
            self.b.bind(pat, Exp::SubExp(*x));
        }
        self.stms(op.body.stms);
        op.body.result
    }
}
