//! Which blocks are a variable's own: no other variable stands for them when it is bound, and nobody outside will
//! read what is in them.
//!
//! What is allocated is, and what a caller gives up. What a loop carries is if its first value and what each round
//! hands on are: each is mentioned once, as it is handed over, in the list of statements that binds it, and
//! nothing in the loop or behind it reads what lies there. Loops that carry blocks round in a circle are taken to
//! do no harm until something else does.

use crate::ir::traverse::Visit;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Exp, Fun, KernelBody, KernelResult, LoopForm, Param, Poly, Program, SegKind, SegLevel,
    SegOp, Stm, SubExp, Type, Var,
};

use super::super::blocks::Blocks;
use super::super::section::Sections;

/// A list of statements.
pub(super) type List = usize;

/// What is known of the blocks of a program.
pub(super) struct Owners<'p> {
    blocks: &'p Blocks,
    sections: &'p Sections,
    binders: VarMap<(Binder, List)>,
    loops: Vec<Carrier<'p>>,
    /// How often each variable is an operand.
    operands: VarMap<usize>,
    lists: usize,
}

#[derive(Clone, Copy)]
enum Binder {
    /// Nobody else has it.
    Fresh,
    /// A loop carries it, at this place among its parameters.
    Carried { by: usize, at: usize },
}

/// A loop.
struct Carrier<'p> {
    /// Where it stands: the list, what follows it there, and what the list results in.
    list: List,
    after: &'p [Stm],
    result: Vec<SubExp>,
    params: &'p [Param],
    init: &'p [SubExp],
    form: &'p LoopForm,
    body: &'p Body,
    body_list: List,
}

/// A parameter of a loop whose first block must be a copy, and the array that lies there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FirstCopied {
    /// The parameter, a block.
    pub(super) param: Var,
    /// Its first array.
    pub(super) array: Var,
}

/// A loop of so many rounds at least is worth a copy before it.
const ROUNDS: i64 = 8;

impl<'p> Owners<'p> {
    pub(super) fn of_program(
        prog: &'p Program,
        blocks: &'p Blocks,
        sections: &'p Sections,
    ) -> Owners<'p> {
        let mut uses = Operands::default();
        uses.body(&prog.consts);
        prog.funs.iter().for_each(|f| uses.fun(f));
        let mut o = Owners {
            blocks,
            sections,
            binders: VarMap::default(),
            loops: Vec::new(),
            operands: uses.0,
            lists: 0,
        };
        o.list(&prog.consts.stms, &prog.consts.result);
        for f in &prog.funs {
            o.fun(f);
        }
        o
    }

    fn fun(&mut self, f: &'p Fun) {
        let list = self.lists;
        for p in f.params.iter().filter(|p| p.unique && matches!(p.ty, Type::Mem(_))) {
            self.binders.insert(p.var, (Binder::Fresh, list));
        }
        self.list(&f.body.stms, &f.body.result);
    }

    /// Learns of a list of statements, and of those in its loops, branches and maps.
    fn list(&mut self, stms: &'p [Stm], result: &[SubExp]) {
        let list = self.lists;
        self.lists += 1;
        for (at, s) in stms.iter().enumerate() {
            match &s.exp {
                Exp::Alloc { .. } => {
                    for p in &s.pat {
                        self.binders.insert(p.var, (Binder::Fresh, list));
                    }
                }
                Exp::Loop { params, init, form, body } => {
                    let (by, body_list) = (self.loops.len(), self.lists);
                    let carried =
                        |p: (usize, Var), list| (p.1, (Binder::Carried { by, at: p.0 }, list));
                    let blocks = params.iter().enumerate().filter(|(_, p)| is_block(&p.ty));
                    self.binders.extend(blocks.map(|(k, p)| carried((k, p.var), body_list)));
                    let blocks = s.pat.iter().enumerate().filter(|(_, p)| is_block(&p.ty));
                    self.binders.extend(blocks.map(|(k, p)| carried((k, p.var), list)));
                    let after = stms.get(at + 1..).unwrap_or_default();
                    self.loops.push(Carrier {
                        list,
                        after,
                        result: result.to_vec(),
                        params,
                        init,
                        form,
                        body,
                        body_list,
                    });
                    self.list(&body.stms, &body.result);
                }
                Exp::Match { cases, default, .. } => {
                    cases.iter().map(|(_, b)| b).chain([default]).for_each(|b| {
                        self.list(&b.stms, &b.result);
                    });
                }
                Exp::Seg(op) => {
                    if let Some(body) = points(op) {
                        self.list(&body.stms, &returned(body));
                    }
                }
                _ => {}
            }
        }
    }

    /// How often a variable is an operand, in the whole program.
    pub(super) fn operands(&self, v: Var) -> usize {
        self.operands.get(&v).copied().unwrap_or(0)
    }

    /// Whether two blocks are bound by the same list of statements, or as parameters of what runs it.
    pub(super) fn beside(&self, a: Var, b: Var) -> bool {
        match (self.binders.get(&a), self.binders.get(&b)) {
            (Some((_, a)), Some((_, b))) => a == b,
            _ => false,
        }
    }

    /// Whether a block is its variable's own, if these parameters of loops begin with copies.
    pub(super) fn own(&self, v: Var) -> Option<Vec<FirstCopied>> {
        let mut asked = VarSet::default();
        let mut copied = Vec::new();
        self.is_own(v, &mut asked, &mut copied).then_some(copied)
    }

    fn is_own(&self, v: Var, asked: &mut VarSet, copied: &mut Vec<FirstCopied>) -> bool {
        if !asked.insert(v) {
            return true;
        }
        match self.binders.get(&v) {
            Some((Binder::Fresh, _)) => true,
            Some((Binder::Carried { by, at }, _)) => self.is_carried(*by, *at, asked, copied),
            None => false,
        }
    }

    /// Whether what a loop carries at a place is its own in every round and behind it.
    fn is_carried(
        &self,
        by: usize,
        at: usize,
        asked: &mut VarSet,
        copied: &mut Vec<FirstCopied>,
    ) -> bool {
        let Some(l) = self.loops.get(by) else { return false };
        let (Some(init), Some(last)) = (l.init.get(at), l.body.result.get(at)) else {
            return false;
        };
        let handed_on = last
            .var()
            .is_some_and(|r| self.handed_over(r, l.body_list) && self.is_own(r, asked, copied));
        if !handed_on {
            return false;
        }
        let (seen, copies) = (asked.clone(), copied.len());
        let first = init.var().is_some_and(|x| {
            self.handed_over(x, l.list) && self.unread(x, l) && self.is_own(x, asked, copied)
        });
        if first {
            return true;
        }
        *asked = seen;
        copied.truncate(copies);
        let Some(first) = self.copy_pays(l, at) else { return false };
        if !copied.contains(&first) {
            copied.push(first);
        }
        true
    }

    /// Whether a list gives away a block that it binds, once and for all.
    fn handed_over(&self, v: Var, list: List) -> bool {
        self.operands(v) == 1 && self.binders.get(&v).is_some_and(|(_, bound)| *bound == list)
    }

    /// Whether a loop that is given a block and what follows the loop leave it alone, but for what the loop carries.
    fn unread(&self, v: Var, l: &Carrier<'_>) -> bool {
        let reads = |s: &Stm| self.blocks.used_in(s).contains(&v);
        let named = |x: &SubExp| x.var().is_some_and(|x| self.blocks.used_by(x) == Some(v));
        !l.params.iter().any(|p| p.mem.as_ref().is_some_and(|m| m.block == v))
            && !l.body.stms.iter().any(reads)
            && !l.body.result.iter().any(named)
            && !l.after.iter().any(reads)
            && !l.result.iter().any(named)
    }

    /// The copy that would make the first block at a place of a loop its own, if it is little beside the loop: there
    /// are some rounds, or as many as the array has rows.
    fn copy_pays(&self, l: &Carrier<'_>, at: usize) -> Option<FirstCopied> {
        let LoopForm::For { bound, .. } = l.form else { return None };
        let param = l.params.get(at)?;
        let mut inside = l
            .params
            .iter()
            .zip(l.init)
            .filter(|(p, _)| p.mem.as_ref().is_some_and(|m| m.block == param.var));
        let (_, SubExp::Var(array)) = inside.next()? else { return None };
        let (ty, place) = self.sections.place(*array)?;
        let defs = &self.sections.defs;
        let rounds = Poly::leaf(*bound);
        let many = match defs.expand(&rounds).as_const() {
            Some(n) => n >= ROUNDS,
            None => ty.shape().iter().any(|n| defs.equal(&Poly::leaf(*n), &rounds)),
        };
        (many && inside.next().is_none() && place.lmad.is_row_major(defs))
            .then_some(FirstCopied { param: param.var, array: *array })
    }
}

/// The body of a map whose points one thread goes through one after the other.
pub(super) fn points(op: &SegOp) -> Option<&KernelBody> {
    let whole = |r: &KernelResult| matches!(r, KernelResult::Return(_));
    let map = op.level == SegLevel::Seq && op.kind == SegKind::Map;
    (map && op.body.results.iter().all(whole)).then_some(&op.body)
}

/// What a body returns.
pub(super) fn returned(body: &KernelBody) -> Vec<SubExp> {
    let returned = |r: &KernelResult| match r {
        KernelResult::Return(x) => Some(*x),
        KernelResult::Write { .. } => None,
    };
    body.results.iter().filter_map(returned).collect()
}

fn is_block(ty: &Type) -> bool {
    matches!(ty, Type::Mem(_))
}

/// How often variables are operands, but for the places of arrays.
#[derive(Default)]
pub(super) struct Operands(VarMap<usize>);

impl Visit for Operands {
    fn subexp(&mut self, x: &SubExp) {
        if let SubExp::Var(v) = x {
            *self.0.entry(*v).or_default() += 1;
        }
    }
}
