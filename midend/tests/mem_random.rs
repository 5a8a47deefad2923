//! Random programs at level `soacs`: every way to level mem gives the results that the reference
//! interpreter gives, the verifier is content after every pass, and the interpreter of level mem
//! finds no access, alias or reference count amiss.
//!
//! All dimensions have one size, a variable or a constant, so that everything fits everything.
//! Consumption follows the rules of the language: only an array made in the same body is updated,
//! and nothing that may alias it is used again.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test")]

use futc_midend::interp::mem::{Machine, MemValue};
use futc_midend::interp::{Interpreter, Limits, Value};
use futc_midend::ir::builder::full_index;
use futc_midend::ir::*;
use futc_midend::passes::simplify::simplify;
use futc_midend::passes::{mem, seg};
use futc_midend::pipelines::check;
use futc_typed::name::Name;

struct Rng(u64);
impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

#[derive(Clone)]
struct Known {
    var: Var,
    rank: usize,
    /// Which arrays made somewhere it may share elements with.
    groups: Vec<usize>,
}

struct Gen {
    b: Builder,
    rng: Rng,
    n: SubExp,
    nn: Var,
    known: Vec<Known>,
    /// In `[0, n)`.
    indexes: Vec<Var>,
    /// Groups below this are not made in the current body.
    owned_from: usize,
    next_group: usize,
}

impl Gen {
    fn ty(&self, rank: usize) -> Type {
        Type::array(Prim::I64, vec![self.n; rank])
    }

    fn group(&mut self) -> usize {
        self.next_group += 1;
        self.next_group - 1
    }

    fn add(&mut self, var: Var, rank: usize, groups: Vec<usize>) {
        self.known.push(Known { var, rank, groups });
    }

    fn fresh(&mut self, var: Var, rank: usize) {
        let g = self.group();
        self.add(var, rank, vec![g]);
    }

    fn emit(&mut self, rank: usize, exp: Exp) -> Var {
        let ty = self.ty(rank);
        self.b.emit_as("v", ty, exp)
    }

    fn pick(&mut self, rank: usize) -> Known {
        let of_rank: Vec<usize> =
            (0..self.known.len()).filter(|i| self.known[*i].rank == rank).collect();
        if of_rank.is_empty() || self.rng.below(8) == 0 {
            let v = match rank {
                0 => self.emit(0, Exp::SubExp(SubExp::i64(7))),
                1 => self.emit(
                    1,
                    Exp::Iota {
                        n: self.n,
                        start: SubExp::i64(2),
                        stride: SubExp::i64(3),
                        ty: IntType::I64,
                    },
                ),
                _ => {
                    let value = self.pick(1).var.into();
                    self.emit(2, Exp::Replicate { shape: vec![self.n], value })
                }
            };
            self.fresh(v, rank);
            return self.known[self.known.len() - 1].clone();
        }
        self.known[of_rank[self.rng.below(of_rank.len())]].clone()
    }

    fn index(&mut self) -> SubExp {
        if self.indexes.is_empty() || self.rng.below(3) == 0 {
            SubExp::i64(0)
        } else {
            self.indexes[self.rng.below(self.indexes.len())].into()
        }
    }

    /// Runs `f` in a body of its own.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Gen) -> T) -> (Vec<Stm>, T) {
        let known = self.known.clone();
        let indexes = self.indexes.clone();
        let owned = std::mem::replace(&mut self.owned_from, self.next_group);
        self.b.begin();
        let out = f(self);
        let stms = self.b.end();
        self.owned_from = owned;
        self.indexes = indexes;
        self.known = known;
        (stms, out)
    }

    /// A body that yields values of these ranks, with what they may alias.
    fn body(
        &mut self,
        ranks: &[usize],
        size: usize,
        given: &[Known],
        index: Option<Var>,
    ) -> (Body, Vec<Vec<usize>>) {
        let (stms, (result, groups)) = self.nested(|g| {
            g.known.extend(given.iter().cloned());
            g.indexes.extend(index);
            for _ in 0..size {
                g.step(size / 2);
            }
            let picks: Vec<Known> = ranks.iter().map(|r| g.pick(*r)).collect();
            (
                picks.iter().map(|k| SubExp::Var(k.var)).collect::<Vec<_>>(),
                picks.into_iter().map(|k| k.groups).collect::<Vec<_>>(),
            )
        });
        (Body { stms, result }, groups)
    }

    fn lambda(&mut self, params: &[usize], ranks: &[usize], size: usize) -> Lambda {
        let mut given = Vec::new();
        let mut ps = Vec::new();
        for r in params {
            let ty = self.ty(*r);
            let p = self.b.param("x", ty);
            let g = self.group();
            given.push(Known { var: p.var, rank: *r, groups: vec![g] });
            ps.push(p);
        }
        let (body, _) = self.body(ranks, size, &given, None);
        Lambda { params: ps, body, ret: ranks.iter().map(|r| self.ty(*r)).collect() }
    }

    /// Addition of values of this rank.
    fn plus(&mut self, rank: usize) -> Reduction {
        let ty = self.ty(rank);
        let params = vec![self.b.param("a", ty.clone()), self.b.param("b", ty.clone())];
        let (a, b) = (params[0].var, params[1].var);
        self.b.begin();
        let r = if rank == 0 {
            self.emit(0, Exp::BinOp(BinOp::Add(IntType::I64), a.into(), b.into()))
        } else {
            let inner = self.plus(rank - 1).op;
            let width = self.n;
            let soac = Soac::Screma {
                width,
                inputs: vec![a, b],
                lambda: inner,
                scans: vec![],
                reduces: vec![],
            };
            self.emit(rank, Exp::Soac(soac))
        };
        let body = Body { stms: self.b.end(), result: vec![r.into()] };
        let neutral = if rank == 0 {
            SubExp::i64(0)
        } else {
            let shape = vec![self.n; rank];
            self.emit(rank, Exp::Replicate { shape, value: SubExp::i64(0) }).into()
        };
        let op = Lambda { params, body, ret: vec![ty] };
        Reduction { op, neutral: vec![neutral], commutative: true }
    }

    /// An array to be consumed: taken out of circulation with all that may alias it.
    fn consume(&mut self, rank: usize) -> Var {
        let mine: Vec<Known> = self
            .known
            .iter()
            .filter(|k| k.rank == rank && k.groups.iter().all(|g| *g >= self.owned_from))
            .cloned()
            .collect();
        if mine.is_empty() || self.rng.below(3) == 0 {
            let v = self.pick(rank).var;
            return self.emit(rank, Exp::Copy(v));
        }
        let k = mine[self.rng.below(mine.len())].clone();
        self.known.retain(|o| !o.groups.iter().any(|g| k.groups.contains(g)));
        k.var
    }

    fn step(&mut self, size: usize) {
        match self.rng.below(if size == 0 { 14 } else { 21 }) {
            0 | 1 => {
                let (a, b) = (self.pick(0).var, self.pick(0).var);
                let op = [BinOp::Add, BinOp::Sub, BinOp::Mul][self.rng.below(3)](IntType::I64);
                let v = self.emit(0, Exp::BinOp(op, a.into(), b.into()));
                self.add(v, 0, vec![]);
            }
            2 => {
                let rank = 1 + self.rng.below(2);
                let a = self.pick(rank).var;
                let at: Vec<SubExp> = (0..rank).map(|_| self.index()).collect();
                let dims = full_index(&[], &at);
                let v = self.emit(0, Exp::Index { array: a, dims });
                self.add(v, 0, vec![]);
            }
            3 => {
                let a = self.pick(2);
                let i = self.index();
                let whole = DimIndex::full(self.n);
                let dims = if self.rng.below(2) == 0 {
                    vec![DimIndex::Fix(i), whole]
                } else {
                    vec![whole, DimIndex::Fix(i)]
                };
                let v = self.emit(1, Exp::Index { array: a.var, dims });
                self.add(v, 1, a.groups);
            }
            4 => {
                let a = self.pick(2);
                let v = self.emit(2, Exp::Rearrange { array: a.var, perm: vec![1, 0] });
                self.add(v, 2, a.groups);
            }
            5 => {
                // Through one dimension and back: a copy of what is not contiguous.
                let a = self.pick(2);
                let flat = Type::array(Prim::I64, vec![self.nn.into()]);
                let exp = Exp::Reshape { array: a.var, shape: vec![self.nn.into()] };
                let f = self.b.emit_as("flat", flat, exp);
                let shape = vec![self.n, self.n];
                let v = self.emit(2, Exp::Reshape { array: f, shape });
                self.add(v, 2, a.groups);
            }
            6 => {
                let a = self.pick(1);
                let last = self.b.sub(self.n, SubExp::i64(1));
                let rev = DimIndex::Slice { start: last, n: self.n, stride: SubExp::i64(-1) };
                let v = self.emit(1, Exp::Index { array: a.var, dims: vec![rev] });
                self.add(v, 1, a.groups);
            }
            7 => {
                let (a, b) = (self.pick(1).var, self.pick(1).var);
                let two = self.b.mul(self.n, SubExp::i64(2));
                let ty = Type::array(Prim::I64, vec![two]);
                let exp = Exp::Concat { dim: 0, arrays: vec![a, b], size: two };
                let c = self.b.emit_as("both", ty, exp);
                let part =
                    DimIndex::Slice { start: SubExp::i64(1), n: self.n, stride: SubExp::i64(1) };
                let v = self.emit(1, Exp::Index { array: c, dims: vec![part] });
                self.fresh(v, 1);
            }
            8 => {
                let rank = 1 + self.rng.below(2);
                let a = self.consume(rank);
                let x = self.pick(0).var;
                let at: Vec<SubExp> = (0..rank).map(|_| self.index()).collect();
                let dims = full_index(&[], &at);
                let v = self.emit(rank, Exp::Update { array: a, dims, value: x.into() });
                self.fresh(v, rank);
            }
            9 => {
                let a = self.consume(2);
                let x = self.pick(1).var;
                let i = self.index();
                let dims = vec![DimIndex::Fix(i), DimIndex::full(self.n)];
                let v = self.emit(2, Exp::Update { array: a, dims, value: x.into() });
                self.fresh(v, 2);
            }
            10 => {
                let a = self.consume(1);
                let (is, vs) = (self.pick(1).var, self.pick(1).var);
                let lambda = self.identity(&[0, 0]);
                let exp = Soac::Scatter {
                    width: self.n,
                    inputs: vec![is, vs],
                    dests: vec![(1, a)],
                    lambda,
                };
                // If two are written to one place, either may win: only the order that the
                // interpreter has in common everywhere makes this test meaningful.
                let v = self.emit(1, Exp::Soac(exp));
                self.fresh(v, 1);
            }
            11 => {
                let rank = 1 + self.rng.below(2);
                let a = self.consume(rank);
                let (is, vs) = (self.pick(1).var, self.pick(rank).var);
                let lambda = self.identity(&[0, rank - 1]);
                let op = self.plus(rank - 1);
                let exp = Soac::Hist {
                    width: self.n,
                    inputs: vec![is, vs],
                    ops: vec![HistOp { shape: vec![self.n], dests: vec![a], op }],
                    lambda,
                };
                let v = self.emit(rank, Exp::Soac(exp));
                self.fresh(v, rank);
            }
            12 | 13 => self.replaced(size),
            14..=16 => self.screma(size),
            17 | 18 => {
                let ranks: Vec<usize> =
                    (0..1 + self.rng.below(2)).map(|_| self.rng.below(3)).collect();
                let (a, b) = (self.pick(0).var, self.pick(0).var);
                let c = self.b.lt(a.into(), b.into());
                let (yes, g1) = self.body(&ranks, size, &[], None);
                let (no, g2) = self.body(&ranks, size, &[], None);
                let pat = self.pattern(&ranks);
                let vars: Vec<Var> = pat.iter().map(|p| p.var).collect();
                self.b.bind(pat, Exp::if_then_else(c, yes, no));
                for (((v, r), g1), g2) in vars.into_iter().zip(ranks).zip(g1).zip(g2) {
                    self.add(v, r, g1.into_iter().chain(g2).collect());
                }
            }
            _ => self.looping(size),
        }
    }

    fn pattern(&mut self, ranks: &[usize]) -> Vec<PatElem> {
        ranks
            .iter()
            .map(|r| {
                let ty = self.ty(*r);
                self.b.pat("v", ty)
            })
            .collect()
    }

    fn identity(&mut self, ranks: &[usize]) -> Lambda {
        let params: Vec<Param> = ranks
            .iter()
            .map(|r| {
                let ty = self.ty(*r);
                self.b.param("x", ty)
            })
            .collect();
        let result = params.iter().map(|p| p.var.into()).collect();
        let ret = params.iter().map(|p| p.ty.clone()).collect();
        Lambda { params, body: Body { stms: vec![], result }, ret }
    }

    /// Part of an array replaced by what is made of it, or of another part.
    fn replaced(&mut self, size: usize) {
        let a = self.consume(2);
        let g = self.group();
        let whole = DimIndex::full(self.n);
        // A row, a column, everything, or all rows but one.
        let less = self.b.sub(self.n, SubExp::i64(1));
        let shape = self.rng.below(4);
        let part = |g: &mut Gen| -> Vec<DimIndex> {
            let i = g.index();
            let from = SubExp::i64(g.rng.below(2) as i64);
            match shape {
                0 => vec![DimIndex::Fix(i), whole],
                1 => vec![whole, DimIndex::Fix(i)],
                2 => vec![whole, whole],
                _ => vec![DimIndex::Slice { start: from, n: less, stride: SubExp::i64(1) }, whole],
            }
        };
        let from = part(self);
        let to = if self.rng.below(2) == 0 { from.clone() } else { part(self) };
        let (outer, rank) = match shape {
            0 | 1 => (self.n, 1),
            2 => (self.n, 2),
            _ => (less, 2),
        };
        let mut dims = vec![outer];
        dims.resize(rank, self.n);
        let ty = Type::array(Prim::I64, dims);
        let view = self.b.emit_as("part", ty.clone(), Exp::Index { array: a, dims: from });
        let count =
            Exp::Iota { n: outer, start: SubExp::i64(0), stride: SubExp::i64(1), ty: IntType::I64 };
        let count = self.b.emit_as("count", Type::array(Prim::I64, vec![outer]), count);
        // What is made may read the array anywhere, but not consume it.
        let known = self.known.clone();
        let indexes = self.indexes.clone();
        self.add(a, 2, vec![g]);
        let row = self.ty(rank - 1);
        let x = self.b.param("x", row.clone());
        let i = self.b.param("i", Type::I64);
        let given = [Known { var: x.var, rank: rank - 1, groups: vec![g] }];
        let (body, _) = self.body(&[rank - 1], size, &given, Some(i.var));
        let lambda = Lambda { params: vec![x, i], body, ret: vec![row] };
        self.known = known;
        self.indexes = indexes;
        let soac = Soac::Screma {
            width: outer,
            inputs: vec![view, count],
            lambda,
            scans: vec![],
            reduces: vec![],
        };
        let v = self.b.emit_as("new", ty, Exp::Soac(soac));
        let v = self.emit(2, Exp::Update { array: a, dims: to, value: v.into() });
        self.fresh(v, 2);
    }

    fn screma(&mut self, size: usize) {
        let inputs: Vec<Known> = (0..1 + self.rng.below(2))
            .map(|_| {
                let r = 1 + self.rng.below(2);
                self.pick(r)
            })
            .collect();
        let rank = |g: &mut Gen| usize::from(g.rng.below(3) == 0);
        let scans: Vec<usize> = (0..self.rng.below(3) / 2).map(|_| rank(self)).collect();
        let reduces: Vec<usize> = (0..self.rng.below(3) / 2).map(|_| rank(self)).collect();
        let maps: Vec<usize> = (0..1 + self.rng.below(2)).map(|_| self.rng.below(2)).collect();
        let ranks: Vec<usize> = scans.iter().chain(&reduces).chain(&maps).copied().collect();
        let rows: Vec<usize> = inputs.iter().map(|k| k.rank - 1).collect();
        let lambda = self.lambda(&rows, &ranks, size);
        let out: Vec<usize> = scans
            .iter()
            .map(|r| r + 1)
            .chain(reduces.iter().copied())
            .chain(maps.iter().map(|r| r + 1))
            .collect();
        let scans = scans.into_iter().map(|r| self.plus(r)).collect();
        let reduces = reduces.into_iter().map(|r| self.plus(r)).collect();
        let pat = self.pattern(&out);
        let vars: Vec<Var> = pat.iter().map(|p| p.var).collect();
        let inputs = inputs.into_iter().map(|k| k.var).collect();
        let soac = Soac::Screma { width: self.n, inputs, lambda, scans, reduces };
        self.b.bind(pat, Exp::Soac(soac));
        for (v, r) in vars.into_iter().zip(out) {
            self.fresh(v, r);
        }
    }

    fn looping(&mut self, size: usize) {
        let ranks: Vec<usize> = (0..1 + self.rng.below(3)).map(|_| self.rng.below(3)).collect();
        let mut given = Vec::new();
        let (mut params, mut init) = (Vec::new(), Vec::new());
        let mut groups = Vec::new();
        // A body's own groups begin where it does, so a parameter's group counts as its own if
        // it is made after that: then it may be consumed, and its initial value is.
        for r in &ranks {
            let unique = self.rng.below(2) == 0;
            let x = if unique && *r > 0 {
                let v = self.consume(*r);
                Known { var: v, rank: *r, groups: vec![] }
            } else {
                self.pick(*r)
            };
            init.push(SubExp::Var(x.var));
            let ty = self.ty(*r);
            let p = self.b.param("acc", ty);
            given.push((p.var, *r, unique));
            params.push(p);
            groups.push(x.groups);
        }
        let i = self.b.fresh("i", Type::I64);
        let (stms, result) = self.nested(|g| {
            let mut own = Vec::new();
            for (v, r, unique) in &given {
                let group = if *unique { g.group() } else { 0 };
                own.push(group);
                g.add(*v, *r, vec![group]);
            }
            g.indexes.push(i);
            for _ in 0..size {
                g.step(size / 2);
            }
            // What becomes of a consumable parameter must be nobody else's.
            let mut result: Vec<SubExp> = Vec::new();
            for (_, r, unique) in &given {
                if *unique && *r > 0 {
                    let v = g.consume(*r);
                    result.push(v.into());
                } else {
                    result.push(g.pick(*r).var.into());
                }
            }
            // Those picked before a consumption may alias what was consumed.
            for (k, ((_, r, unique), x)) in given.iter().zip(result.clone()).enumerate() {
                if !*unique && *r > 0 && !g.known.iter().any(|o| SubExp::Var(o.var) == x) {
                    result[k] = g.pick(*r).var.into();
                }
            }
            result
        });
        let pat = self.pattern(&ranks);
        let vars: Vec<Var> = pat.iter().map(|p| p.var).collect();
        let form = LoopForm::For { var: i, ty: IntType::I64, bound: self.n };
        let body = Body { stms, result };
        self.b.bind(pat, Exp::Loop { params, init, form, body });
        for ((v, r), (_, _, unique)) in vars.into_iter().zip(ranks).zip(given) {
            if unique {
                self.fresh(v, r);
            } else {
                // It may be anything that was known.
                let all = self.known.iter().flat_map(|k| k.groups.clone()).collect();
                self.add(v, r, all);
            }
        }
    }
}

fn program(seed: u64) -> Program {
    let mut names = NameSource::new(1);
    let (n, xs, ys, nn) =
        (names.fresh("n"), names.fresh("xs"), names.fresh("ys"), names.fresh("nn"));
    let mut g = Gen {
        b: Builder::new(names),
        rng: Rng(seed.wrapping_mul(977)),
        // Small constant sizes take other ways through the passes.
        n: if seed.is_multiple_of(2) { n.into() } else { SubExp::i64(3) },
        nn,
        known: vec![],
        indexes: vec![],
        owned_from: 1,
        // Group 0: not to be consumed.
        next_group: 1,
    };
    let params = vec![Param::new(n, Type::I64), Param::new(xs, g.ty(1)), Param::new(ys, g.ty(2))];
    g.b.know_params(&params);
    let nn_pat = PatElem::new(nn, Type::I64);
    let square = Exp::BinOp(BinOp::Mul(IntType::I64), g.n, g.n);
    g.b.bind(vec![nn_pat], square);
    g.add(xs, 1, vec![0]);
    g.add(ys, 2, vec![0]);
    for _ in 0..8 {
        g.step(4);
    }
    let ranks = [0, 1, 2, 1, 2];
    let result: Vec<SubExp> = ranks.iter().map(|r| g.pick(*r).var.into()).collect();
    let body = Body { stms: g.b.end(), result };
    let results = g.pattern(&ranks);
    let fun = Fun {
        name: Name::new("main"),
        entry: None,
        linkage: Linkage::Internal,
        params,
        results,
        body,
        attrs: vec![],
        loc: None,
    };
    Program {
        level: Level::Soacs,
        next_tag: g.b.names.next_tag(),
        consts: Body::default(),
        globals: vec![],
        funs: vec![fun],
    }
}

/// What the program means.
fn reference(p: &Program, args: &[MemValue]) -> Vec<MemValue> {
    let mut values = vec![Value::i64(3)];
    for a in args {
        let MemValue::Array { elem, shape, data } = a else { panic!("a scalar") };
        values.push(Value::array(*elem, shape.clone(), data.iter().copied()));
    }
    let mut i = Interpreter::new(p, Limits::default()).unwrap();
    let out = i.run_fun(Name::new("main"), values).unwrap_or_else(|e| panic!("{e}\n{p}"));
    out.iter()
        .map(|v| match v {
            Value::Scalar(c) => MemValue::Scalar(*c),
            Value::Array(_) => {
                MemValue::Array { elem: v.elem(), shape: v.shape().to_vec(), data: v.elements() }
            }
            Value::Unit => panic!("no value"),
        })
        .collect()
}

fn outcome(p: &Program, args: &[MemValue]) -> Vec<MemValue> {
    let mut m = Machine::new(p, 2_000_000).unwrap();
    m.call_entry("main", args).unwrap_or_else(|e| panic!("{e}\n{p}"))
}

type NamedPass = (&'static str, fn(Program) -> Program);

#[test]
fn random_programs_mean_the_same_every_way() {
    let array = |rank: usize, xs: std::ops::Range<i64>| MemValue::Array {
        elem: Prim::I64,
        shape: vec![3; rank],
        data: xs.map(Const::I64).collect(),
    };
    let args = [array(1, -1..2), array(2, 0..9)];
    // More of them: `MEM_RANDOM_SEEDS=10000 cargo test -p futc-midend --test mem_random`.
    let seeds = std::env::var("MEM_RANDOM_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for seed in 0..seeds {
        let source = program(seed);
        let expected = reference(&source, &args);
        for way in 0..6 {
            let p = source.clone();
            let p = if way < 3 { seg::sequentialise(p) } else { seg::kernels(p) };
            // Indexes of rows are then those of the space, of which more is known.
            let p = if seed % 3 == 0 { p } else { simplify(p) };
            let p = if seed % 5 == 0 { seg::rematerialise(p) } else { p };
            let passes: &[NamedPass] = match way % 3 {
                0 => &[("expand", mem::expand), ("refcount", mem::refcount)],
                1 => &[
                    ("short_circuit", mem::short_circuit),
                    ("in_place", mem::in_place),
                    ("expand", mem::expand),
                    ("refcount", mem::refcount),
                ],
                _ => &[
                    ("short_circuit", mem::short_circuit),
                    ("in_place", mem::in_place),
                    ("elide-copies", mem::elide_copies),
                    ("hoist", mem::hoist),
                    ("expand", mem::expand),
                    ("hoist", mem::hoist),
                    ("promote-to-stack", mem::promote_to_stack),
                    ("refcount", mem::refcount),
                ],
            };
            let mut p = mem::explicit(p, MemSpace::Host);
            check("explicit", &p).unwrap_or_else(|e| panic!("seed {seed} way {way}\n{e}\n{p}"));
            for (name, run) in passes {
                p = run(p);
                check(name, &p).unwrap_or_else(|e| panic!("seed {seed} way {way}\n{e}\n{p}"));
            }
            let out = std::panic::catch_unwind(|| outcome(&p, &args))
                .unwrap_or_else(|_| panic!("seed {seed} way {way}\n{source}"));
            assert_eq!(expected, out, "seed {seed} way {way}\n{source}\n{p}");
        }
    }
}
