//! Loops of a known number of rounds, split where branches on the counter go another way.
//!
//! ```text
//! y = loop (a = x) for i < 64 {             p = loop (a = x) for j < 16 {
//!   first = slt(i, 16)                        b = add a c  t = mul b d  in t }
//!   b = if first { s = add a c  in s }   →  y = loop (a = p) for k < 48 {
//!       else { s = xor a d  in s }            i = add k 16
//!   t = mul b d                               b = xor a d  t = mul b d  in t }
//!   in t }
//! ```
//!
//! Hash functions are written so: their rounds are alike but for one function, which another one takes the place of after
//! some rounds. With the branch LLVM leaves the loop as it is; without it there are few enough rounds to unroll, so that
//! what depends on the counter (places, distances, constants) is known.
//!
//! What branches on the counter come to is computed for each round, so that any condition does that depends on nothing else. Left whole
//! are loops with array combinators or calls inside, which would be copies of nests; those that would become many or long; and
//! those whose branches have next to nothing to do, as selections are as quick.
//!
//! Works at level `soacs`, once what is called is inlined. Cost: rounds times statements, of at most [`MOST_ROUNDS`].

use super::unroll::size;
use crate::ir::eval;
use crate::ir::traverse::{Renamer, Rewrite, for_each_block, free_in, rewrite};
use crate::ir::varmap::VarMap;
use crate::ir::{
    BinOp, Body, Const, Exp, IntType, Level, LoopForm, NameSource, PatElem, Prim, Program, Stm,
    StmAttr, SubExp, Type, Var,
};

/// Loops of more rounds stay whole.
const MOST_ROUNDS: usize = 1024;
/// A loop is split into no more than this.
const MOST_PIECES: usize = 8;
/// All pieces together have no more statements than this.
const MOST_STATEMENTS: usize = 400;
/// Branches with fewer statements do not count.
const FEW: usize = 2;

/// Splits loops.
pub fn split_loops(mut program: Program) -> Program {
    if program.level == Level::Soacs {
        let mut s = Splitter { names: NameSource::new(program.next_tag) };
        s.body(&mut program.consts);
        for f in &mut program.funs {
            s.fun(f);
        }
        program.next_tag = s.names.next_tag();
    }
    program
}

struct Splitter {
    names: NameSource,
}

impl Rewrite for Splitter {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        for mut stm in std::mem::take(stms) {
            self.stm(&mut stm);
            match pieces(&stm) {
                Some(pieces) => self.split(stm, &pieces, stms),
                None => stms.push(stm),
            }
        }
    }
}

/// Rounds one after the other in which the same is known of branches.
struct Piece {
    rounds: std::ops::Range<i64>,
    known: VarMap<Const>,
}

/// The pieces of a loop, if they are several.
fn pieces(stm: &Stm) -> Option<Vec<Piece>> {
    let Exp::Loop { params, form, body, .. } = &stm.exp else { return None };
    let LoopForm::For { var, ty, bound: SubExp::Const(bound) } = *form else { return None };
    let rounds = bound.as_int().filter(|n| usize::try_from(*n).is_ok_and(|n| n <= MOST_ROUNDS))?;
    let sizes_vary = params.iter().any(|p| {
        let sizes = free_in(|v| v.ty(&p.ty));
        params.iter().any(|q| sizes.contains(&q.var))
    });
    let statements = size(&body.stms);
    if sizes_vary || statements > MOST_STATEMENTS || stm.has(StmAttr::Unroll) || has_nests(body) {
        return None;
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for round in 0..rounds {
        let mut values = VarMap::from_iter([(var, Const::int(ty, round))]);
        let mut known = VarMap::default();
        outcomes(&body.stms, &mut values, &mut known);
        if let Some(last) = pieces.last_mut().filter(|last| last.known == known) {
            last.rounds.end = round + 1;
        } else if known.is_empty() || pieces.len() == MOST_PIECES {
            return None;
        } else {
            pieces.push(Piece { rounds: round..round + 1, known });
        }
    }
    let several = pieces.len() > 1 && pieces.len() * statements <= MOST_STATEMENTS;
    several.then_some(pieces)
}

/// Whether a body calls functions, or goes through arrays at once.
fn has_nests(body: &Body) -> bool {
    fn any(stms: &[Stm]) -> bool {
        stms.iter().any(|s| {
            let mut inside = matches!(s.exp, Exp::Soac(_) | Exp::Call { .. });
            for_each_block(&s.exp, &mut |b| inside |= any(b));
            inside
        })
    }
    any(&body.stms)
}

/// What is known of branches in a round in which variables have these values.
fn outcomes(stms: &[Stm], values: &mut VarMap<Const>, known: &mut VarMap<Const>) {
    for s in stms {
        let value = |x: SubExp| x.constant().or_else(|| values.get(&x.var()?).copied());
        if let Exp::Match { scrutinee: x @ SubExp::Var(v), .. } = s.exp
            && let Some(value) = value(x)
            && work(&s.exp) >= FEW
        {
            known.insert(v, value);
        }
        if let ([p], Some(value)) = (s.pat.as_slice(), eval::scalar(&s.exp, value)) {
            values.insert(p.var, value);
        }
        for_each_block(&s.exp, &mut |b| outcomes(b, values, known));
    }
}

/// Statements below an expression.
fn work(exp: &Exp) -> usize {
    let mut below = 0;
    for_each_block(exp, &mut |b| below += size(b));
    below
}

impl Splitter {
    /// The pieces, each of which goes on with what the one before it has carried.
    fn split(&mut self, stm: Stm, pieces: &[Piece], out: &mut Vec<Stm>) {
        let Exp::Loop { params, init, form: LoopForm::For { var, ty, .. }, body } = &stm.exp else {
            return out.push(stm);
        };
        let mut carried = init.clone();
        for (at, Piece { rounds, known }) in pieces.iter().enumerate() {
            let mut pat = stm.pat.clone();
            if at + 1 < pieces.len() {
                pat.iter_mut().for_each(|p| p.var = self.names.like(p.var));
            }
            let next = pat.iter().map(|p| p.var.into()).collect();
            let init = std::mem::replace(&mut carried, next);
            let mut body = body.clone();
            Decide { known }.body(&mut body);
            let counter = self.names.like(*var);
            body.stms.insert(0, from(rounds.start, (*var, counter), *ty));
            let bound = Const::int(*ty, rounds.end - rounds.start).into();
            let form = LoopForm::For { var: counter, ty: *ty, bound };
            let mut exp = Exp::Loop { params: params.clone(), init, form, body };
            Renamer::new(&mut self.names).exp(&mut exp);
            out.push(Stm { pat, exp, ..stm.clone() });
        }
    }
}

/// The counter of the whole loop, of that of the piece from this round on.
fn from(start: i64, (whole, counter): (Var, Var), ty: IntType) -> Stm {
    let exp = Exp::BinOp(BinOp::Add(ty), counter.into(), Const::int(ty, start).into());
    Stm::new(vec![PatElem::new(whole, Type::Prim(Prim::Int(ty)))], exp)
}

/// Branches on what is known.
struct Decide<'k> {
    known: &'k VarMap<Const>,
}

impl Rewrite for Decide<'_> {
    fn exp(&mut self, exp: &mut Exp) {
        if let Exp::Match { scrutinee, .. } = exp
            && let Some(value) = scrutinee.var().and_then(|v| self.known.get(&v))
        {
            *scrutinee = SubExp::Const(*value);
        }
        rewrite::exp(self, exp);
    }
}
