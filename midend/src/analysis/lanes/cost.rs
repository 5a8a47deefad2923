//! Whether lanes are worth it: what a body costs by lanes, and what point by point.
//!
//! LLVM makes vectors of straight code itself, and of reductions over neighbours. So lanes of the points
//! pay where it does not: where there are loops inside, branches that points take each their own way,
//! divisions of integers, or checks. What they cost more is to read what are not neighbours in memory, one element after the
//! other, and functions that have no version for vectors.

use crate::analysis::bodies::{returns, size};
use crate::ir::{
    Exp, KernelBody, LoopForm, MathFn, PatElem, Reduction, SegSpace, Stm, SubExp, Var,
};

/// What there is so much of in loops.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tally {
    /// How much.
    pub(super) count: usize,
    /// The same, of which that in inner loops counts more, as more rounds of these are run.
    weighed: usize,
}

impl Tally {
    fn add(&mut self, count: usize, depth: usize) {
        let Some(inner) = depth.checked_sub(1) else { return };
        self.count += count;
        self.weighed += count * ROUNDS.pow(inner.min(MOST_INNER) as u32);
    }

    /// What came since it was `before`.
    pub(super) fn since(self, before: Tally) -> Tally {
        Tally { count: self.count - before.count, weighed: self.weighed - before.weighed }
    }

    pub(super) fn join(&mut self, other: Tally) {
        self.count += other.count;
        self.weighed += other.weighed;
    }
}

/// What a body costs.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Cost {
    /// Loops inside whose lanes are worth having.
    pub(super) loops: usize,
    /// Checks of what varies.
    pub(super) checks: usize,
    /// Elements that are not neighbours.
    pub(super) scattered: usize,
    /// Elements of tables of bytes.
    lookups: usize,
    /// Elements a few apart, of which vectors are read that lanes choose from; and those in loops.
    strided: usize,
    windows: Tally,
    /// Quotients and remainders of integers, of which LLVM makes no vectors.
    divisions: usize,
    /// Functions without vector versions, wherever they are called.
    scalar_functions: usize,
    /// Operations on vectors in loops, and elements read one by one there.
    pub(super) operations: Tally,
    pub(super) gathers: Tally,
    /// Elements in loops for which lanes have memory of their own or vectors to choose from: of private arrays, tables, and windows.
    pub(super) in_memory: usize,
    /// Elements of other arrays that are read in loops.
    pub(super) reads: usize,
    /// Of these elements those along rows that operations inside go through: point by point they are read by vectors.
    pub(super) along_rows: Tally,
    /// Of these operations those on integers of 64 bits that take several instructions, where processors have none for them.
    pub(super) long_operations: Tally,
    /// What points spend in loops on what lanes share: functions that have vector versions, as operations,
    /// and branches that are hard to foretell.
    saved: Tally,
    /// Of operations and of what is saved, that in maps inside which would be vectors of neighbours by themselves, but of which
    /// lanes read elements one by one: lanes gain nothing by it.
    inside: usize,
    /// Calls of functions without vector versions in loops.
    calls: Tally,
    /// Functions with vector versions under branches that lanes take each their own way.
    branches: usize,
    pub(super) functions: usize,
    /// Neighbours that are read under such branches, and elements that are not.
    masked_reads: usize,
    masked_gathers: usize,
}

/// More checks of what varies than this make straight code too long.
const MOST_CHECKS: usize = 4;
/// And so are longer bodies with checks.
const MOST_STATEMENTS: usize = 60;
/// Elements anywhere, read under branches, from which on lanes are worth it.
const LEAST_GATHERS: usize = 3;
/// And statements up to which their code is not too long.
const MOST_WITH_GATHERS: usize = 200;
/// Rounds of a loop for each of the loop around it, and how many loops deep that counts.
const ROUNDS: usize = 4;
const MOST_INNER: usize = 3;
/// Operations of a function as exp or sin, by vectors.
const FUNCTION: usize = 8;
/// Operations in the time that a division takes more point by point than by vectors.
const DIVISION: usize = 8;
/// Operations in the time that a branch takes which was foretold wrongly, half of the times.
const BRANCH: usize = 6;
/// Operations of all lanes for which an element of each lane is read where it lies.
const GATHER: usize = 6;
/// So many times more for those along rows.
const ALONG_ROWS: usize = 3;
/// The same for vectors of which lanes choose elements.
const WINDOW: usize = 2;
/// The same for a call for each lane.
const CALL: usize = 60;

impl Cost {
    /// An operation on vectors.
    pub(super) fn operation(&mut self, depth: usize) {
        self.operations.add(1, depth);
    }

    /// One that takes several instructions.
    pub(super) fn long_operation(&mut self, depth: usize) {
        self.long_operations.add(1, depth);
    }

    /// A mathematical function.
    pub(super) fn function(&mut self, f: MathFn, varies: bool, depth: usize) {
        if !varies {
            return;
        }
        match kind(f) {
            Kind::Instruction => {}
            Kind::Vectors => self.vector_function(depth),
            Kind::Scalars => {
                self.scalar_functions += 1;
                self.calls.add(1, depth);
            }
        }
    }

    /// A function with a version for vectors, of what varies.
    pub(super) fn vector_function(&mut self, depth: usize) {
        self.functions += 1;
        self.saved.add(FUNCTION, depth);
    }

    /// A division that vectors do by way of floats, or by an inverse.
    pub(super) fn division(&mut self, depth: usize) {
        self.divisions += 1;
        self.saved.add(DIVISION, depth);
    }

    /// An element that is read: of each lane the one next to the other's, or anywhere.
    pub(super) fn read(&mut self, neighbours: bool, masked: bool, depth: usize) {
        self.reads += usize::from(depth > 0);
        if !neighbours {
            self.scattered += 1;
            self.gathers.add(1, depth);
            self.masked_gathers += usize::from(masked);
        } else if masked {
            self.masked_reads += 1;
        }
    }

    /// Whether elements that are not neighbours have been read in loops since then.
    pub(super) fn reads_apart_since(&self, before: &Cost) -> bool {
        self.gathers != before.gathers
    }

    /// What came since then is in a map that would be vectors by itself.
    pub(super) fn gained_inside_since(&mut self, before: &Cost) {
        let gained = |c: &Cost| c.operations.weighed + c.saved.weighed;
        self.inside = before.inside + gained(self) - gained(before);
    }

    /// An element of a table, for which vectors are permuted.
    pub(super) fn lookup(&mut self, depth: usize) {
        self.lookups += 1;
        self.in_memory += usize::from(depth > 0);
        self.operation(depth);
    }

    /// An element that is read, a few from that of the next lane.
    pub(super) fn read_strided(&mut self, depth: usize) {
        self.strided += 1;
        self.in_memory += usize::from(depth > 0);
        self.windows.add(1, depth);
    }

    /// A branch that lanes take each their own way.
    pub(super) fn divergent_branch(&mut self, depth: usize) {
        self.branches += 1;
        self.saved.add(BRANCH, depth);
    }

    /// Whether lanes are worth it.
    pub(super) fn estimate(&self, body: &KernelBody, straight: bool, gathers: bool) -> Estimate {
        let gained = (self.operations.weighed + self.saved.weighed).saturating_sub(self.inside);
        let read = self.gathers.weighed + ALONG_ROWS * self.along_rows.weighed;
        let lost = GATHER * read + WINDOW * self.windows.weighed + CALL * self.calls.weighed;
        let rule = self.rule(body, straight, gathers);
        let masked_functions = self.masked_functions();
        let one_by_one = self.checks + self.scattered + self.masked_reads + self.scalar_functions;
        Estimate {
            plain: rule == Rule::Straight && one_by_one == 0 && self.strided == 0,
            by_vectors: rule == Rule::Straight && one_by_one == 0,
            rule,
            gained,
            lost,
            long_operations: self.long_operations.weighed,
            scattered: self.gathers.count,
            anywhere: self.scattered,
            calls: self.calls.count,
            masked_functions,
            masked_gathers: self.masked_gathers > 0,
        }
    }

    fn rule(&self, body: &KernelBody, straight: bool, gathers: bool) -> Rule {
        // An element that is written anywhere costs what it does point by point, so lanes must gain by branches
        // before it, which are hard to foretell and most of which lead to no write.
        if !(returns(body) || straight && self.branches > 0) {
            return Rule::Writes;
        }
        if !straight {
            return if self.loops > 0 { Rule::Loops } else { Rule::SharedLoops };
        }
        let statements = size(&body.stms);
        let checked = (1..=MOST_CHECKS).contains(&self.checks)
            && self.scattered + self.strided > 0
            && gathers
            && statements <= MOST_STATEMENTS;
        if checked {
            return Rule::Checks;
        }
        // LLVM computes functions under branches point by point, and makes gathers of reads there.
        if self.masked_reads > 0 && self.scattered == 0 && gathers {
            return Rule::MaskedReads;
        }
        // Of these LLVM makes vectors, too, or leaves all points to themselves: of one loop on `seq`, and not in a task.
        if self.masked_gathers >= LEAST_GATHERS && gathers && statements <= MOST_WITH_GATHERS {
            return Rule::MaskedGathers;
        }
        let elsewhere = self.checks + self.scattered + self.strided + self.scalar_functions;
        if self.lookups > 0 && elsewhere == 0 {
            return Rule::Tables;
        }
        if self.divisions > 0 && self.scattered == 0 {
            return Rule::Divisions;
        }
        if self.masked_functions() { Rule::MaskedFunctions } else { Rule::Straight }
    }

    fn masked_functions(&self) -> bool {
        self.branches > 0 && self.functions > 0
    }
}

/// What lanes are expected to come to against points one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Estimate {
    /// What decides.
    pub rule: Rule,
    /// Of a body without loops: all of it is vectors, of neighbours, for LLVM as well as by lanes.
    pub plain: bool,
    /// The same, but that elements may be a few apart.
    pub by_vectors: bool,
    /// Of a body with loops: operations that points spend in a round of the outermost ones and lanes share.
    pub gained: usize,
    /// Operations that lanes spend in a round, and points do not.
    pub lost: usize,
    /// Products, quotients and shifts of 64-bit integers in a round, which not all vectors have.
    pub long_operations: usize,
    /// Elements that lanes read one by one in a round.
    pub scattered: usize,
    /// The same of all of the body, in loops or not.
    pub anywhere: usize,
    /// Functions that are called for each lane in a round.
    pub calls: usize,
    /// Whether there are functions under branches, whatever decides.
    pub masked_functions: bool,
    /// Whether elements anywhere are read under branches.
    pub masked_gathers: bool,
}

/// What decides whether lanes are worth it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Rule {
    /// There are loops inside, which LLVM makes no vectors around: what they gain must exceed what they cost.
    Loops,
    /// There are loops inside, but what they compute is the same for all points.
    SharedLoops,
    /// Without loops: checks, which keep LLVM from making vectors, of what is read anywhere.
    Checks,
    /// Without loops: neighbours are read under branches, of which LLVM would make gathers.
    MaskedReads,
    /// Without loops: several elements are read under branches, wherever they are.
    MaskedGathers,
    /// Without loops: functions under branches, which LLVM would compute point by point.
    MaskedFunctions,
    /// Without loops: integers are divided, of which LLVM makes no vectors.
    Divisions,
    /// Without loops: elements of tables of bytes are read, of which LLVM makes no vectors.
    Tables,
    /// Without loops, and nothing that keeps LLVM from making vectors by itself.
    #[default]
    Straight,
    /// Points write where they say.
    Writes,
    /// There are loops inside of a reduction that also stores something for each of its points, which reads from anywhere. Such are
    /// rounds of graph algorithms, in which most points have nothing to do: lanes make `independent_set` of the
    /// benchmarks 0.58 times as slow, but `bfs_pull` 1.65 times and `bfs_levels` 2.6 times.
    Collects,
}

impl Estimate {
    /// Whether lanes are worth it.
    pub fn pays(&self) -> bool {
        match self.rule {
            Rule::Loops => self.gained > self.lost,
            Rule::Checks
            | Rule::MaskedReads
            | Rule::MaskedGathers
            | Rule::MaskedFunctions
            | Rule::Tables
            | Rule::Divisions => true,
            Rule::SharedLoops | Rule::Straight | Rule::Writes | Rule::Collects => false,
        }
    }
}

/// Whether a reduction is one loop that carries scalars and makes nothing else, so that lanes may leave it each in its own round.
pub(super) fn is_loop_of_scalars(pat: &[PatElem], space: &SegSpace) -> bool {
    space.dims.len() == 1 && pat.iter().all(|p| p.ty.rank() == 0)
}

/// Whether LLVM makes vectors of a reduction: by one operation each, of points that it can unroll. Such do not wait for the longest one
/// of several: of up to 1,000 products they took 1.9 to 2.8 times as long by lanes (of up to 30 0.25 to 0.7).
pub(super) fn has_vectors(ops: &[Reduction], stms: &[Stm]) -> bool {
    let one = |r: &Reduction| r.op.ret.len() == 1 && r.op.body.stms.len() == 1;
    ops.iter().all(one) && stms.iter().all(unrolls)
}

fn unrolls(s: &Stm) -> bool {
    match &s.exp {
        Exp::Loop { form: LoopForm::For { bound: SubExp::Const(_), .. }, body, .. } => {
            body.stms.iter().all(unrolls)
        }
        Exp::Loop { .. } | Exp::Call { .. } => false,
        Exp::Seg(op) => {
            let constant = |d: &(Var, SubExp)| d.1.constant().is_some();
            op.space.dims.iter().all(constant) && op.body.stms.iter().all(unrolls)
        }
        Exp::Match { cases, default, .. } => {
            cases.iter().map(|c| &c.1).chain([default]).all(|b| b.stms.iter().all(unrolls))
        }
        _ => true,
    }
}

/// Whether vectors have an instruction for a function, or nearly.
pub fn is_instruction(f: MathFn) -> bool {
    matches!(kind(f), Kind::Instruction)
}

enum Kind {
    /// Vectors have an instruction, or nearly.
    Instruction,
    /// A function of vectors.
    Vectors,
    /// A call for each lane.
    Scalars,
}

fn kind(f: MathFn) -> Kind {
    use MathFn::*;
    match f {
        Sqrt | Rsqrt | Ceil | Floor | Trunc | Round | Fma | CopySign | Lerp | Mad | IsNan
        | IsInf | Popc | Clz | Ctz | SMulHi | UMulHi | SMadHi | UMadHi => Kind::Instruction,
        Gamma | Lgamma | NextAfter | Ldexp => Kind::Scalars,
        _ => Kind::Vectors,
    }
}
