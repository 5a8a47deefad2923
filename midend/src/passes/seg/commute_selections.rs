//! Reductions that choose one of their elements, in an order that need not be kept.
//!
//! ```text
//! (v, p) = segred (i < n) op [0, -1] {        (v, p) = segred (i < n) commutative op [0, -1] {
//!   \(a, j, b, k) {                             \(a, j, b, k) {
//!     c = a < b                                   c = a < b || (a == b && k < j)
//!     in if c { (b, k) }              ⟶           in if c { (b, k) }
//!        else { (a, j) } }                           else { (a, j) } }
//!   in (return xs[i], return i) }               in (return xs[i], return i) }
//! ```
//!
//! An operator that need not commute wants its elements in order, which costs shuffles where they go by vectors. One
//! that hands on one of its operands as it is, by comparisons of their components, commutes if it chooses the same of two
//! however they come. There are three outcomes of each comparison, so all cases can be tried.
//!
//! If it does not commute, but a component is the index, the operator can be made to: what it chooses depends on which of the two comes first,
//! and the index tells that. As it is associative, it does not matter then which elements meet when: if `a` wins over `b`, `b` over `c`
//! and `c` over `a`, then `(a b) c` and `a (b c)` are not the same, whichever comes first. So there is an order of all
//! elements, and the result is its greatest. That is done where one comparison beside that of indexes decides, and the
//! neutral element's position is before all others.
//!
//! Outcomes with numbers that are none are not tried: an operator that compares floats with one another, and looks at nothing else, is not
//! associative with these. Only reductions of one dimension that the host comes to get another operator, as others may be
//! of few elements, for which it only costs. Cost: linear in the program, with `3^c` for operators with `c` comparisons of
//! different components, which are no more than [`MOST_COMPARED`].

use super::narrow::is_copy;
use crate::ir::traverse::for_each_block_mut;
use crate::ir::varmap::VarMap;
use crate::ir::{
    BinOp, Body, CmpOp, Const, Exp, IntType, KernelResult, Lambda, Level, NameSource, PatElem,
    Prim, Program, Reduction, SegKind, SegOp, Stm, SubExp, Type, UnOp, Var,
};

/// Components that are compared: of more, all outcomes are too many to try.
const MOST_COMPARED: usize = 4;

/// Marks reductions whose operators commute, and makes some commute.
pub fn commute_selections(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut names = NameSource::new(prog.next_tag);
        host(&mut prog.consts.stms, &mut names);
        for f in &mut prog.funs {
            host(&mut f.body.stms, &mut names);
        }
        prog.next_tag = names.next_tag();
    }
    prog
}

/// Statements that the host comes to.
fn host(stms: &mut [Stm], names: &mut NameSource) {
    for stm in stms {
        match &mut stm.exp {
            Exp::Seg(SegOp { space, kind: SegKind::Red(ops), body, .. }) => {
                let mut at = 0;
                for op in ops {
                    let k = op.neutral.len();
                    let results = body.results.get(at..at + k).unwrap_or_default();
                    let position = match space.dims.as_slice() {
                        &[(index, _)] => results.iter().position(|r| {
                            let KernelResult::Return(SubExp::Var(v)) = r else { return false };
                            *v == index || is_copy(body, *v, index)
                        }),
                        _ => None,
                    };
                    at += k;
                    reduction(op, position, names);
                }
                inside(&mut body.stms);
            }
            Exp::Match { .. } | Exp::Loop { .. } => {
                for_each_block_mut(&mut stm.exp, &mut |stms| host(stms, names));
            }
            exp => for_each_block_mut(exp, &mut |stms| inside(stms)),
        }
    }
}

/// Statements below points.
fn inside(stms: &mut [Stm]) {
    for stm in stms {
        if let Exp::Seg(SegOp { kind: SegKind::Red(ops), .. }) = &mut stm.exp {
            ops.iter_mut().for_each(mark);
        }
        for_each_block_mut(&mut stm.exp, &mut |stms| inside(stms));
    }
}

fn mark(op: &mut Reduction) {
    op.commutative |= Choices::of(&op.op).is_some_and(|c| c.commute());
}

fn reduction(op: &mut Reduction, position: Option<usize>, names: &mut NameSource) {
    if op.commutative {
        return;
    }
    let Some(choices) = Choices::of(&op.op) else { return };
    if choices.commute() {
        op.commutative = true;
    } else if let Some(order) = position.and_then(|p| choices.by_position(p))
        && order.has_first(&op.neutral)
    {
        order.put_into(&mut op.op, names);
        op.commutative = true;
    }
}

/// How the components of accumulator and element compare.
type Outcome = std::cmp::Ordering;
const OUTCOMES: [Outcome; 3] = [Outcome::Less, Outcome::Equal, Outcome::Greater];

/// One of the operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    Accumulator,
    Element,
}

/// A component that an operator compares.
#[derive(Clone, Copy)]
struct Compared {
    component: usize,
    prim: Prim,
    /// The comparison for less, if it is asked for more than equality.
    less: Option<CmpOp>,
}

/// What an operator chooses for each outcome of its comparisons.
struct Choices {
    compared: Vec<Compared>,
    /// Outcomes in the order of `compared`, and the operand that is chosen, unless both are the same.
    of: Vec<(Vec<Outcome>, Option<Operand>)>,
}

impl Choices {
    /// Nothing if the operator does anything else than choose by comparisons.
    fn of(op: &Lambda) -> Option<Choices> {
        let k = op.ret.len();
        let prims = op.ret.iter().map(|t| match t {
            Type::Prim(p) => Some(*p),
            _ => None,
        });
        let prims: Vec<Prim> = prims.collect::<Option<_>>()?;
        if op.params.len() != 2 * k {
            return None;
        }
        let mut compared = Vec::new();
        note_compared(op, &prims, &op.body.stms, &mut compared)?;
        if compared.is_empty() || compared.len() > MOST_COMPARED {
            return None;
        }
        let all_known = compared.len() == k;
        let count = 3usize.checked_pow(u32::try_from(compared.len()).ok()?)?;
        let mut of = Vec::with_capacity(count);
        for case in 0..count {
            let mut rest = case;
            let outcomes: Vec<Outcome> = compared
                .iter()
                .map(|_| {
                    let outcome = OUTCOMES[rest % 3];
                    rest /= 3;
                    outcome
                })
                .collect();
            let trial = Trial { compared: &compared, outcomes: &outcomes };
            let same = all_known && outcomes.iter().all(|o| o.is_eq());
            let chosen = trial.chosen(op)?;
            of.push((outcomes, if same { None } else { Some(chosen) }));
        }
        Some(Choices { compared, of })
    }

    fn chosen(&self, outcomes: &[Outcome]) -> Option<Operand> {
        self.of.iter().find(|(o, _)| o == outcomes)?.1
    }

    /// Whether the same of two is chosen however they come.
    fn commute(&self) -> bool {
        self.of.iter().all(|(outcomes, chosen)| {
            let mirrored: Vec<Outcome> = outcomes.iter().map(|o| o.reverse()).collect();
            match (chosen, self.chosen(&mirrored)) {
                (None, None) => true,
                (Some(x), Some(y)) => *x != y,
                _ => false,
            }
        })
    }

    /// The order that the operator chooses by, if it is that of one component, and that of positions where this one is the same.
    fn by_position(&self, position: usize) -> Option<Order> {
        let others: Vec<&Compared> =
            self.compared.iter().filter(|c| c.component != position).collect();
        let &[&Compared { component, prim, less: Some(strict) }] = others.as_slice() else {
            return None;
        };
        // The accumulator comes first.
        let chosen = |outcome: Outcome| {
            let outcomes: Vec<Outcome> = self
                .compared
                .iter()
                .map(|c| if c.component == position { Outcome::Less } else { outcome })
                .collect();
            self.chosen(&outcomes)
        };
        let element = |outcome| Some(chosen(outcome)? == Operand::Element);
        let (less, greater) = (element(Outcome::Less)?, element(Outcome::Greater)?);
        let last = element(Outcome::Equal)?;
        (less != greater).then_some(Order {
            component,
            prim,
            strict,
            greatest: less,
            position,
            last,
        })
    }
}

/// Notes the components that an operator compares with one another. Nothing if one is compared in two orders.
fn note_compared(op: &Lambda, prims: &[Prim], stms: &[Stm], out: &mut Vec<Compared>) -> Option<()> {
    for stm in stms {
        if let Some((less, x)) = comparison(&stm.exp)
            && let Some(at) = op.params.iter().position(|p| Some(p.var) == x.var())
        {
            let component = at % prims.len();
            match out.iter_mut().find(|c| c.component == component) {
                None => out.push(Compared { component, prim: *prims.get(component)?, less }),
                Some(c) if c.less.is_none() => c.less = less,
                Some(c) if less.is_none() || less == c.less => {}
                Some(_) => return None,
            }
        }
        if let Exp::Match { cases, default, .. } = &stm.exp {
            for (_, body) in cases {
                note_compared(op, prims, &body.stms, out)?;
            }
            note_compared(op, prims, &default.stms, out)?;
        }
    }
    Some(())
}

/// The first operand of a comparison, and what less is there, if it asks for that.
fn comparison(exp: &Exp) -> Option<(Option<CmpOp>, SubExp)> {
    match exp {
        Exp::CmpOp(op, x, _) => {
            let less = match *op {
                CmpOp::Eq(_) => None,
                CmpOp::ULt(t) | CmpOp::ULe(t) => Some(CmpOp::ULt(t)),
                CmpOp::SLt(t) | CmpOp::SLe(t) => Some(CmpOp::SLt(t)),
                CmpOp::FLt(t) | CmpOp::FLe(t) => Some(CmpOp::FLt(t)),
                CmpOp::LLt | CmpOp::LLe => Some(CmpOp::LLt),
            };
            Some((less, *x))
        }
        Exp::BinOp(BinOp::SMin(t) | BinOp::SMax(t), x, _) => Some((Some(CmpOp::SLt(*t)), *x)),
        Exp::BinOp(BinOp::UMin(t) | BinOp::UMax(t), x, _) => Some((Some(CmpOp::ULt(*t)), *x)),
        _ => None,
    }
}

/// What a variable of an operator is.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Component(Operand, usize),
    Truth(bool),
}

/// One case: an outcome for each component that is compared.
struct Trial<'t> {
    compared: &'t [Compared],
    outcomes: &'t [Outcome],
}

impl Trial<'_> {
    fn outcome(&self, component: usize) -> Option<(Outcome, Prim)> {
        let at = self.compared.iter().position(|c| c.component == component)?;
        Some((*self.outcomes.get(at)?, self.compared.get(at)?.prim))
    }

    /// The operand that is handed on; the accumulator, if both could be meant.
    fn chosen(&self, op: &Lambda) -> Option<Operand> {
        let k = op.ret.len();
        let mut env = VarMap::default();
        for (i, p) in op.params.iter().enumerate() {
            let operand = if i < k { Operand::Accumulator } else { Operand::Element };
            env.insert(p.var, Value::Component(operand, i % k));
        }
        let results = self.body(&op.body, &mut env)?;
        let all = |operand: Operand| {
            results.iter().enumerate().all(|(i, r)| match r {
                Value::Component(o, c) => *c == i && (*o == operand || self.interchangeable(i)),
                Value::Truth(_) => false,
            })
        };
        [Operand::Accumulator, Operand::Element].into_iter().find(|o| all(*o))
    }

    /// Whether it is the same of both operands, to the last bit.
    fn interchangeable(&self, component: usize) -> bool {
        let outcome = self.outcome(component);
        outcome.is_some_and(|(o, prim)| o.is_eq() && !matches!(prim, Prim::Float(_)))
    }

    fn body(&self, body: &Body, env: &mut VarMap<Value>) -> Option<Vec<Value>> {
        for stm in &body.stms {
            if !stm.certs.is_empty() {
                return None;
            }
            let values = self.exp(&stm.exp, env)?;
            if values.len() != stm.pat.len() {
                return None;
            }
            for (p, value) in stm.pat.iter().zip(values) {
                env.insert(p.var, value);
            }
        }
        body.result.iter().map(|x| value(x, env)).collect()
    }

    fn exp(&self, exp: &Exp, env: &mut VarMap<Value>) -> Option<Vec<Value>> {
        let truth = |x: &SubExp, env: &VarMap<Value>| match value(x, env)? {
            Value::Truth(b) => Some(b),
            Value::Component(..) => None,
        };
        let one = match exp {
            Exp::SubExp(x) => value(x, env)?,
            Exp::UnOp(UnOp::Not, x) => Value::Truth(!truth(x, env)?),
            Exp::BinOp(BinOp::LogAnd, x, y) => Value::Truth(truth(x, env)? && truth(y, env)?),
            Exp::BinOp(BinOp::LogOr, x, y) => Value::Truth(truth(x, env)? || truth(y, env)?),
            Exp::BinOp(op, x, y) => {
                let (x, y) = (value(x, env)?, value(y, env)?);
                let first = match op {
                    BinOp::SMin(_) | BinOp::UMin(_) => self.compare(x, y)?.is_le(),
                    BinOp::SMax(_) | BinOp::UMax(_) => self.compare(x, y)?.is_ge(),
                    _ => return None,
                };
                if first { x } else { y }
            }
            Exp::CmpOp(op, x, y) => {
                let outcome = self.compare(value(x, env)?, value(y, env)?)?;
                Value::Truth(match op {
                    CmpOp::Eq(_) => outcome.is_eq(),
                    CmpOp::ULt(_) | CmpOp::SLt(_) | CmpOp::FLt(_) | CmpOp::LLt => outcome.is_lt(),
                    CmpOp::ULe(_) | CmpOp::SLe(_) | CmpOp::FLe(_) | CmpOp::LLe => outcome.is_le(),
                })
            }
            Exp::Match { scrutinee, cases, default } => {
                let is = truth(scrutinee, env)?;
                let case = cases.iter().find(|(c, _)| *c == Const::Bool(is));
                return self.body(case.map_or(default, |(_, body)| body), env);
            }
            _ => return None,
        };
        Some(vec![one])
    }

    fn compare(&self, x: Value, y: Value) -> Option<Outcome> {
        let (Value::Component(a, i), Value::Component(b, j)) = (x, y) else { return None };
        // What is compared with itself may ask whether it is a number.
        if i != j || a == b {
            return None;
        }
        let (outcome, _) = self.outcome(i)?;
        Some(if a == Operand::Accumulator { outcome } else { outcome.reverse() })
    }
}

fn value(x: &SubExp, env: &VarMap<Value>) -> Option<Value> {
    match x {
        SubExp::Var(v) => env.get(v).copied(),
        SubExp::Const(Const::Bool(b)) => Some(Value::Truth(*b)),
        SubExp::Const(_) => None,
    }
}

/// By a component, and by position where it is the same.
struct Order {
    component: usize,
    prim: Prim,
    /// Whether a value of it is less than another.
    strict: CmpOp,
    /// Whether the greatest is chosen, and not the smallest.
    greatest: bool,
    /// The component that is the position.
    position: usize,
    /// Whether the last of several is chosen, and not the first.
    last: bool,
}

impl Order {
    /// Whether the neutral element comes before all elements by its position, as it does in turn: an operator may prefer it to
    /// elements of the same value, or these to it.
    fn has_first(&self, neutral: &[SubExp]) -> bool {
        let Some(SubExp::Const(c)) = neutral.get(self.position) else { return false };
        let at_first = neutral.len() == 2 || !self.last;
        c.as_int().is_some_and(|c| c < 0 || (c == 0 && at_first))
    }

    /// The operator that chooses by this order.
    fn put_into(&self, op: &mut Lambda, names: &mut NameSource) {
        let k = op.ret.len();
        let operand = |i: usize| op.params.get(i).map(|p| SubExp::Var(p.var));
        let (Some(acc), Some(element)) = (operand(self.component), operand(k + self.component))
        else {
            return;
        };
        let (Some(before), Some(position)) = (operand(self.position), operand(k + self.position))
        else {
            return;
        };
        let mut stms = Vec::new();
        let mut say = |exp: Exp, names: &mut NameSource| {
            let v: Var = names.fresh("chosen");
            stms.push(Stm::new(vec![PatElem::new(v, Type::Prim(Prim::Bool))], exp));
            SubExp::Var(v)
        };
        let (x, y) = if self.greatest { (acc, element) } else { (element, acc) };
        let wins = say(Exp::CmpOp(self.strict, x, y), names);
        let same = say(Exp::CmpOp(CmpOp::Eq(self.prim), acc, element), names);
        // The neutral element may have the position of the first element.
        let there = if self.last {
            Exp::CmpOp(CmpOp::SLe(IntType::I64), before, position)
        } else {
            Exp::CmpOp(CmpOp::SLt(IntType::I64), position, before)
        };
        let there = say(there, names);
        let next = say(Exp::BinOp(BinOp::LogAnd, same, there), names);
        let scrutinee = say(Exp::BinOp(BinOp::LogOr, wins, next), names);
        let side = |from: usize| Body {
            stms: Vec::new(),
            result: (from..from + k).filter_map(operand).collect(),
        };
        let exp =
            Exp::Match { scrutinee, cases: vec![(Const::Bool(true), side(k))], default: side(0) };
        let pat: Vec<PatElem> =
            op.ret.iter().map(|t| PatElem::new(names.fresh("choice"), t.clone())).collect();
        let result = pat.iter().map(|p| p.var.into()).collect();
        stms.push(Stm::new(pat, exp));
        op.body = Body { stms, result };
    }
}
