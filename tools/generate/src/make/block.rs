//! Statements, and what they are put around.

use super::Maker;
use super::bound::BORROWED;
use crate::parts;
use crate::tree::{Block, Expr, Stm};
use crate::types::{Scalar, Size, Ty};
use std::sync::Arc;

impl Maker {
    /// `if`.
    pub fn conditional(&mut self, ty: &Ty) -> Option<Expr> {
        let c = self.expr(&Ty::BOOL);
        let a = self.scoped(1, false, |m| m.expr(ty));
        let b = self.scoped(1, false, |m| m.expr(ty));
        let groups = a.groups.iter().chain(&b.groups).copied().collect();
        Some(Expr::shared(ty, groups, parts!["if ", c, " then ", a, " else ", b]))
    }

    /// Statements around an expression.
    pub fn let_in(&mut self, ty: &Ty) -> Expr {
        let stms = 1 + self.r.below(3);
        let outside = self.next_group;
        let block = self.scoped(1, false, |m| m.block_here(ty, stms));
        // What began inside is known to nobody outside; what the block shares with it is fresh.
        let groups = block.result.groups.iter().copied().filter(|g| *g <= outside).collect();
        Expr::shared(ty, groups, parts![block])
    }

    /// Some statements in the scope there is, and a result.
    pub fn block_here(&mut self, ty: &Ty, stms: usize) -> Block {
        let stms = self.statements(stms);
        let e = self.expr(ty);
        let result = Box::new(self.returned(e));
        Block { stms, result }
    }

    /// So many statements, or fewer if the fuel goes out.
    pub fn statements(&mut self, count: usize) -> Vec<Stm> {
        let mut out = Vec::new();
        for _ in 0..count {
            if self.fuel < 0 {
                break;
            }
            let stm = match self.r.below(25) {
                0..=3 => self.update(),
                4 => self.bulk_update(),
                5 | 18 => self.filtered(),
                6 => self.sliced(),
                7 | 8 => self.loop_statement(),
                9 => self.local_function(),
                10 => self.record_update(),
                11 => self.consuming_call(),
                12 => self.joined_statement(),
                13 => Some(self.computed_size()),
                14 => self.side_by_side(),
                15 => self.found(),
                16 => self.slice_update(),
                17 => self.search_statement(),
                19 => self.kept_and_reduced(),
                _ => None,
            };
            let stm = match stm {
                Some(s) => s,
                None => self.let_statement(),
            };
            out.push(stm);
        }
        out
    }

    /// `let PATTERN : TYPE = EXPRESSION`.
    pub fn let_statement(&mut self) -> Stm {
        let ty = match self.some_var(|v| v.uses > 0) {
            // Of a type there is already, so that they can be used together.
            Some(i) if self.r.one_in(3) => self.vars.get(i).map_or(Ty::I64, |v| v.ty.clone()),
            _ => self.some_type(),
        };
        let e = if self.r.one_in(3) { self.fresh(&ty) } else { self.expr(&ty) };
        let groups = e.groups.clone();
        // Those of a pattern share a group, so that none is consumed while another is in use.
        let groups = if groups.is_empty() && ty.has_arrays() { vec![self.group()] } else { groups };
        let pattern = self.pattern(&ty, &groups);
        Stm(parts![format!("let {pattern} : {ty} = "), e])
    }

    /// A new size for an array whose size only the run tells.
    pub fn new_size(&mut self, estimate: i64) -> (String, Size) {
        let k = self.name("k");
        let size = Size::Name(Arc::from(k.as_str()));
        self.sizes.push((size.clone(), estimate));
        (k, size)
    }

    /// An array in scope, and its size and element.
    pub fn some_array(&mut self) -> Option<(Expr, Size, Ty)> {
        let i = self.some_var(|v| matches!(v.ty, Ty::Array(..)))?;
        let xs = self.mention(i);
        let Ty::Array(n, t) = xs.ty.clone() else { return None };
        Some((xs, n, *t))
    }

    /// `filter` or `partition`.
    fn filtered(&mut self) -> Option<Stm> {
        let (mut xs, n, t) = self.some_array()?;
        let times = self.estimate(&n);
        if !self.affords(times) {
            return None;
        }
        let exact = matches!(t, Ty::Scalar(Scalar::Exact(_)));
        if exact && self.r.one_in(4) {
            return Some(self.filtered_by_neighbours(xs, &n, times));
        }
        if exact && self.r.one_in(3) {
            let (op, ne) = self.operator(&t)?;
            let scan = self.r.of(["scan", "exscan"]);
            xs.parts = parts![format!("({scan} {op} {ne} "), xs.clone(), ")"];
        }
        let seen = self.touched.len();
        let param = [(t.clone(), None)];
        let f = if self.r.one_in(2) {
            self.short(|m| m.lambda(&param, &Ty::BOOL, times))
        } else {
            self.lambda(&param, &Ty::BOOL, times)
        };
        let (k, size) = self.new_size(times / 2);
        let ty = Ty::array(&size, t.clone());
        if self.r.one_in(3) {
            let (l, other) = self.new_size(times / 2);
            let rest = Ty::array(&other, t);
            let (ys, zs) = (self.name("xs"), self.name("xs"));
            // Its type does not say that the results are fresh.
            let mut groups = self.touched_since(seen);
            groups.push(BORROWED);
            groups.extend(&xs.groups);
            self.declare(&ys, &ty, groups.clone());
            self.declare(&zs, &rest, groups);
            // The second size is a difference in the type of the function.
            let mut p = parts![format!("let ({ys}, {zs}') = partition ")];
            p.extend(f);
            p.extend(parts![" ", xs]);
            p.extend(parts![format!(
                "\nlet {k} = length {ys}\nlet {l} = length {zs}'\nlet {ys} = {ys} :> {ty}\n\
                 let {zs} = {zs}' :> {rest}"
            )]);
            return Some(Stm(p));
        }
        let ys = self.name("xs");
        self.declare(&ys, &ty, Vec::new());
        let mut p = parts![format!("let [{k}] ({ys}: {ty}) = filter ")];
        p.extend(f);
        p.extend(parts![" ", xs]);
        Some(Stm(p))
    }

    /// The indexes of elements that differ from their neighbours, or are at either end.
    fn filtered_by_neighbours(&mut self, xs: Expr, n: &Size, times: i64) -> Stm {
        let (a, i, ys) = (self.name("xs"), self.name("at"), self.name("xs"));
        let keep = self.r.of([
            "I == 0 || A[I] != A[I - 1]",
            "I == N - 1 || A[I] != A[I + 1]",
            "I > 0 && A[I] == A[I - 1]",
            "!(I == 0 || I == N - 1) && A[I - 1] != A[I + 1]",
        ]);
        let keep = keep.replace('I', &i).replace('A', &a).replace('N', &n.to_text());
        let (k, size) = self.new_size(times / 2);
        let ty = Ty::array(&size, Ty::I64);
        self.declare(&ys, &ty, Vec::new());
        let filter =
            format!("\nlet [{k}] ({ys}: {ty}) = filter (\\{i} -> {keep}) (iota {})", n.to_text());
        Stm(parts![format!("let {a} = "), xs, filter])
    }

    /// A concatenation or a flattened array, with the size that it has by its type or one of its own.
    fn joined_statement(&mut self) -> Option<Stm> {
        let (xs, n, t) = self.some_array()?;
        let flat = match &t {
            Ty::Array(m, t) if self.r.one_in(2) => Some((m.clone(), (**t).clone())),
            Ty::Array(..)
            | Ty::Scalar(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Sum(_)
            | Ty::Param(_) => None,
        };
        let (size, elem, groups, parts) = match flat {
            Some((m, t)) => {
                let size = Size::Product(Box::new(n), Box::new(m));
                (size, t, xs.groups.clone(), parts!["flatten ", xs])
            }
            None => {
                let m = self.size();
                let ys = self.expr(&Ty::array(&m, t.clone()));
                (Size::Sum(Box::new(n), Box::new(m)), t, Vec::new(), parts![xs, " ++ ", ys])
            }
        };
        let estimate = self.estimate(&size);
        if estimate > 300 {
            return None;
        }
        let ys = self.name("xs");
        let mut p = if self.r.one_in(2) {
            let (k, size) = self.new_size(estimate);
            let ty = Ty::array(&size, elem);
            self.declare(&ys, &ty, groups);
            parts![format!("let [{k}] ({ys}: {ty}) = ")]
        } else {
            let ty = Ty::array(&size, elem);
            self.declare(&ys, &ty, groups);
            self.sizes.push((size, estimate));
            parts![format!("let {ys} : {ty} = ")]
        };
        p.extend(parts);
        Some(Stm(p))
    }
}
