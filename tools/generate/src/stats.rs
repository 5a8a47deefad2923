//! What generated programs reach: operations of the Core IR, and which passes found something to do.

use futc_midend::ir::traverse::{Visit, walk};
use futc_midend::ir::{AssertKind, Exp, LoopForm, Program, SegKind, Soac, Stm};
use std::collections::BTreeMap;
use std::fmt;

/// Counts over many programs.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Programs looked at.
    pub programs: usize,
    /// Of these, how many fail when run.
    pub failing: usize,
    /// In how many programs an operation occurs, before any pass.
    pub operations: BTreeMap<&'static str, usize>,
    /// Per pass: programs that it changed, alone and in a pipeline.
    pub passes: BTreeMap<&'static str, (usize, usize)>,
    /// Operations less after a pass than before it, as `(pass, operation)`.
    pub fewer: BTreeMap<(&'static str, &'static str), usize>,
}

/// Operations whose number tells what a pass did.
const TOLD: &[(&str, &str)] = &[
    ("fuse", "map"),
    ("fuse", "reduce"),
    ("fuse", "scan"),
    ("fuse", "scatter"),
    ("fuse", "hist"),
    ("copy-elim", "copy"),
    ("simplify", "assert"),
    ("simplify", "if"),
    ("simplify", "loop"),
    ("cse", "arithmetic"),
    ("inline", "call"),
    ("collapse", "segmap"),
    ("collapse", "segred"),
    ("short-circuit", "alloc"),
    ("hoist", "alloc in a loop"),
    ("promote-to-stack", "alloc"),
];

struct Tally {
    counts: BTreeMap<&'static str, usize>,
    loops: usize,
}

impl Visit for Tally {
    fn stm(&mut self, s: &Stm) {
        *self.counts.entry(name(&s.exp)).or_default() += 1;
        if s.is_assert(AssertKind::Size) {
            *self.counts.entry("assert of a size").or_default() += 1;
        }
        let inside = matches!(s.exp, Exp::Loop { .. } | Exp::Seg(_));
        if self.loops > 0 && matches!(s.exp, Exp::Alloc { .. }) {
            *self.counts.entry("alloc in a loop").or_default() += 1;
        }
        self.loops += usize::from(inside);
        walk::stm(self, s);
        self.loops -= usize::from(inside);
    }
}

fn tally(p: &Program) -> BTreeMap<&'static str, usize> {
    let mut t = Tally { counts: BTreeMap::new(), loops: 0 };
    t.stms(&p.consts.stms);
    for f in &p.funs {
        t.stms(&f.body.stms);
    }
    t.counts
}

fn name(e: &Exp) -> &'static str {
    match e {
        Exp::SubExp(_) => "name",
        Exp::UnOp(..) | Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) | Exp::Math(..) => {
            "arithmetic"
        }
        Exp::ArrayLit { .. } => "array literal",
        Exp::Index { .. } => "index",
        Exp::Update { .. } => "update",
        Exp::FlatIndex { .. } => "flat index",
        Exp::FlatUpdate { .. } => "flat update",
        Exp::Iota { .. } => "iota",
        Exp::Replicate { .. } => "replicate",
        Exp::Scratch { .. } => "scratch",
        Exp::Reshape { .. } => "reshape",
        Exp::Rearrange { .. } => "rearrange",
        Exp::Concat { .. } => "concat",
        Exp::Copy(_) => "copy",
        Exp::Opaque(_) => "opaque",
        Exp::Trace(_) => "trace",
        Exp::Assert { .. } => "assert",
        Exp::Match { .. } => "if",
        Exp::Loop { form: LoopForm::For { .. }, .. } => "loop",
        Exp::Loop { form: LoopForm::While { .. }, .. } => "while",
        Exp::Call { .. } => "call",
        Exp::Soac(Soac::Screma { scans, reduces, .. }) => {
            match (scans.is_empty(), reduces.is_empty()) {
                (true, true) => "map",
                (true, false) => "reduce",
                (false, true) => "scan",
                (false, false) => "scan and reduce",
            }
        }
        Exp::Soac(Soac::Hist { .. }) => "hist",
        Exp::Soac(Soac::Scatter { .. }) => "scatter",
        Exp::Seg(op) => match op.kind {
            SegKind::Map => "segmap",
            SegKind::Red(_) => "segred",
            SegKind::Scan(_) => "segscan",
            SegKind::Hist(_) => "seghist",
        },
        Exp::Alloc { .. } => "alloc",
        Exp::Retain(_) => "retain",
        Exp::Release(_) => "release",
        Exp::Prefix { .. } => "prefix",
        Exp::Workers => "workers",
    }
}

impl Stats {
    /// Takes note of a program.
    pub fn program(&mut self, core: &Program, fails: bool) {
        self.programs += 1;
        self.failing += usize::from(fails);
        for op in tally(core).into_keys() {
            *self.operations.entry(op).or_default() += 1;
        }
    }

    /// Takes note of a pass.
    pub fn pass(
        &mut self,
        pass: &'static str,
        alone: bool,
        changed: bool,
        before: &Program,
        after: &Program,
    ) {
        let (a, p) = self.passes.entry(pass).or_default();
        *(if alone { a } else { p }) += usize::from(changed);
        if alone || !changed || TOLD.iter().all(|(x, _)| *x != pass) {
            return;
        }
        let (before, after) = (tally(before), tally(after));
        for (_, op) in TOLD.iter().filter(|(x, _)| *x == pass) {
            let count = |t: &BTreeMap<&str, usize>| t.get(op).copied().unwrap_or(0);
            let fewer = count(&before).saturating_sub(count(&after));
            *self.fewer.entry((pass, op)).or_default() += fewer;
        }
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Stats) {
        self.programs += other.programs;
        self.failing += other.failing;
        for (k, n) in &other.operations {
            *self.operations.entry(k).or_default() += n;
        }
        for (k, (a, p)) in &other.passes {
            let e = self.passes.entry(k).or_default();
            e.0 += a;
            e.1 += p;
        }
        for (k, n) in &other.fewer {
            *self.fewer.entry(*k).or_default() += n;
        }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, {} of them fail at run time", self.programs, self.failing)?;
        writeln!(f, "programs with an operation, before any pass:")?;
        for (op, n) in &self.operations {
            writeln!(f, "{op:>20} {n:>7}")?;
        }
        writeln!(f, "times a pass changed its program, alone and in pipelines:")?;
        for (pass, (a, p)) in &self.passes {
            writeln!(f, "{pass:>20} {a:>7} {p:>7}")?;
        }
        writeln!(f, "operations that went, in pipelines:")?;
        for ((pass, op), n) in &self.fewer {
            writeln!(f, "{pass:>20} {n:>7} {op}")?;
        }
        Ok(())
    }
}
