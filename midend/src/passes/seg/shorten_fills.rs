//! Shortened fills: an array is not filled where the next thing that happens to it is that a slice of it is replaced.
//!
//! ```text
//!                                             a = scratch n
//! a = replicate n x                           b = update a[0 :+ i] with (replicate i x)
//! …                                     ⟶     c = update b[i+k :+ n-(i+k)] with (replicate (n-(i+k)) x)
//! d = update a[i :+ k] with v                 …
//!                                             d = update c[i :+ k] with v
//! ```
//!
//! Arrays with a border of zeros are made like this, and nearly all of what is filled is replaced. It is LLVM's partial elimination
//! of dead stores, for sizes that are not known. Of a slice of several dimensions, what lies beside it in each dimension is filled for
//! the indexes that the slice has in the dimensions before.
//!
//! What is filled stands where the slice and the certificates of the update are known, so that it lies within the array. An empty slice
//! passes the check wherever it begins, and is taken to begin at the front. Building in
//! place writes the fills where they belong. Bodies of segmented operations stay as they are, as the arrays of points are mostly small.
//!
//! Parts of many short rows cost more than they save, and so does what lies beside thin slices: the whole array is filled then.
//! Cost: linear in the program.

use crate::ir::traverse::for_each_block_mut;
use crate::ir::varmap::VarMap;
use crate::ir::{
    Builder, Const, DimIndex, Exp, Level, Mentions, NameSource, Prim, Program, Stm, SubExp, Type,
    Var,
};

/// A row of fewer bytes is filled as fast as a part of it is.
const LEAST_ROW: i64 = 512;

/// Fills no more than what is read.
pub fn shorten_fills(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mentions = Mentions::of_program(&prog);
    let mut f = Fills { mentions, b: Builder::new(NameSource::new(prog.next_tag)) };
    f.list(&mut prog.consts.stms);
    for fun in &mut prog.funs {
        f.list(&mut fun.body.stms);
    }
    prog.next_tag = f.b.names.next_tag();
    prog
}

struct Fills {
    mentions: Mentions,
    b: Builder,
}

/// What an array is filled with.
struct Fill {
    array: Var,
    elem: Prim,
    shape: Vec<SubExp>,
    value: SubExp,
}

impl Fills {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut fills: VarMap<Fill> = VarMap::default();
        let mut out: Vec<Stm> = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            if let Some(fill) = replaced(&s).and_then(|v| fills.remove(&v)) {
                self.update(&mut s, fill, &mut out);
            }
            if !matches!(s.exp, Exp::Seg(_)) {
                for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            }
            if let ([p], Exp::Replicate { shape, value }) = (s.pat.as_slice(), &s.exp)
                && let Type::Array { elem, shape: whole } = &p.ty
                && whole.len() == shape.len()
                && self.mentions.count(p.var) == 1
            {
                let (shape, value) = (shape.clone(), *value);
                fills.insert(p.var, Fill { array: p.var, elem: *elem, shape, value });
            }
            out.push(s);
        }
        *stms = out;
    }

    /// Has an update, which is put behind `out`, be of an array in which no more than the rest has been filled, if that pays.
    fn update(&mut self, s: &mut Stm, fill: Fill, out: &mut Vec<Stm>) -> Option<()> {
        let Exp::Update { array, dims, value: SubExp::Var(value) } = &mut s.exp else {
            return None;
        };
        let slice = slices(dims)?;
        let whole: Vec<_> = fill.shape.iter().map(|n| (SubExp::i64(0), *n)).collect();
        let last_part = slice.iter().zip(&whole).rposition(|(part, whole)| part != whole)?;
        let (row, size, length) =
            (fill.shape.get(last_part..)?, *fill.shape.get(last_part)?, slice.get(last_part)?.1);
        let bound =
            |v: Var, out: &[Stm]| out.iter().rposition(|s| s.pat.iter().any(|p| p.var == v));
        let made = bound(fill.array, out)?;
        let in_slice = slice.iter().flat_map(|(start, n)| [start.var(), n.var()]).flatten();
        let needed = in_slice.chain(s.certs.iter().copied());
        let at = needed.filter_map(|v| bound(v, out)).fold(made, usize::max) + 1;
        let value_is_first = bound(*value, out.get(made..at)?).is_some();
        let (b, certs) = (&mut self.b, s.certs.clone());
        let (zero, never) = (SubExp::i64(0), SubExp::from(Const::Bool(false)));
        b.loc = s.loc;
        b.begin();
        let slice: Vec<_> = slice.into_iter().map(|part| front_if_empty(part, b)).collect();
        // Parts of short rows: the first fill takes everything, and leaves the others nothing.
        let short = if last_part == 0 {
            never
        } else {
            let row = b.product(row);
            let short = b.lt(row, SubExp::i64(LEAST_ROW / fill.elem.bytes().max(1)));
            let twice = b.mul(length, SubExp::i64(2));
            let thin = b.lt(twice, size);
            b.or(short, thin)
        };
        if short == SubExp::from(Const::Bool(true)) {
            b.end();
            return None;
        }
        // What is built in place, nothing may take.
        let short = if value_is_first { never } else { short };
        let mut all = short != never;
        // The slice in the dimensions before, all indexes in those behind.
        let mut part = whole;
        for (dim, (size, (start, n))) in fill.shape.iter().zip(slice).enumerate() {
            let end = b.add(start, n);
            let behind = b.sub(*size, end);
            for (from, count) in [(zero, start), (end, behind)] {
                if count == zero && !all {
                    continue;
                }
                let in_short = if std::mem::take(&mut all) { *size } else { zero };
                part[dim] = (from, b.choose(short, in_short, count));
                *array = fill.of_part(*array, &part, &certs, b);
            }
            // Of short rows not even the number is counted again.
            part[dim] = (start, if dim == 0 { b.choose(short, zero, n) } else { n });
            if let Some(DimIndex::Slice { start: first, .. }) = dims.get_mut(dim) {
                *first = start;
            }
        }
        let (elem, shape) = (fill.elem, fill.shape);
        out.get_mut(made)?.exp = Exp::Scratch { elem, shape };
        out.splice(at..at, b.end());
        Some(())
    }
}

impl Fill {
    /// The array with these indexes of it filled.
    fn of_part(
        &self,
        array: Var,
        part: &[(SubExp, SubExp)],
        certs: &[Var],
        b: &mut Builder,
    ) -> Var {
        let shape: Vec<SubExp> = part.iter().map(|(_, n)| *n).collect();
        let ty = Type::array(self.elem, shape.clone());
        let rest = Exp::Replicate { shape, value: self.value };
        let rest = b.under(certs, |b| b.emit_as("fill", ty, rest));
        let slice = |(start, n): &(SubExp, SubExp)| DimIndex::Slice {
            start: *start,
            n: *n,
            stride: SubExp::i64(1),
        };
        let dims = part.iter().map(slice).collect();
        let filled = Exp::Update { array, dims, value: rest.into() };
        let ty = Type::array(self.elem, self.shape.clone());
        b.under(certs, |b| b.emit_as("filled", ty, filled))
    }
}

/// A part of a dimension, as it is, or at the front if there is nothing in it.
fn front_if_empty((start, n): (SubExp, SubExp), b: &mut Builder) -> (SubExp, SubExp) {
    match (start, n) {
        (SubExp::Const(c), _) if c.as_int() == Some(0) => (start, n),
        (_, SubExp::Const(c)) if c.as_int() != Some(0) => (start, n),
        _ => {
            let zero = SubExp::i64(0);
            let empty = b.eq(n, zero);
            (b.choose(empty, zero, start), n)
        }
    }
}

/// The array of which a statement replaces a slice.
fn replaced(s: &Stm) -> Option<Var> {
    match &s.exp {
        Exp::Update { array, .. } => Some(*array),
        _ => None,
    }
}

/// Starts and sizes, if all dimensions are sliced without gaps.
fn slices(dims: &[DimIndex]) -> Option<Vec<(SubExp, SubExp)>> {
    let one = SubExp::i64(1);
    dims.iter()
        .map(|d| match d {
            DimIndex::Slice { start, n, stride } if *stride == one => Some((*start, *n)),
            _ => None,
        })
        .collect()
}
