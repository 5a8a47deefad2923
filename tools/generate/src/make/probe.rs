//! Searches through elements of several parts, at places that are themselves read: a part says whether the others count.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Ty};

impl Maker {
    /// What a search finds, or what it began with.
    pub fn probed(&mut self, ty: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = ty else { return None };
        let n = self.size();
        let times = self.estimate(&n);
        if !self.affords(times) {
            return None;
        }
        let of = |t: &Ty| Ty::array(&n, t.clone());
        let arrays =
            [("places", of(&Ty::I64)), ("tags", of(&Ty::BOOL)), ("xs", of(ty)), ("ys", of(ty))];
        let mut all = parts!["("];
        let mut names = Vec::new();
        for (base, of) in arrays {
            let name = self.name(base);
            let made = self.short(|m| m.expr(&of));
            all.extend(parts![format!("let {name} : {of} = "), made, "\nin "]);
            names.push(name);
        }
        let [places, tags, xs, ys] = names.as_slice() else { return None };
        let start = self.leaf(ty);
        let (more, at, k) = (self.name("more"), self.name("at"), self.name("k"));
        let (r, x, y) = (self.name("r"), self.name("x"), self.name("y"));
        let differ = if *p == futc_typed::prim::PrimType::Bool {
            "!="
        } else {
            self.r.of(["<", "==", ">="])
        };
        // The other case hands on what was found before, asks another part, or ends the search.
        let other = self.r.of(["(true, R)", "(Y == R, R)", "(false, R)"]);
        let other = other.replace('R', &r).replace('Y', &y);
        let size = n.to_text();
        // From one place to the next, or by what is read of them.
        let onward = if self.r.one_in(2) { format!("{at} + 1") } else { format!("{places}[{at}]") };
        all.extend(parts![
            format!("(loop ({more}, {r}, {at}, {k}) = (true, "),
            start,
            format!(
                ", 0, 0i64) while {more} && {k} < {size} do
  let {at} = {places}[{at} % {size}] % {size}
  let ({x}, {y}) = ({xs}[{at}], {ys}[{at}])
  let ({more}, {r}) = if {tags}[{at}] then ({x} {differ} {r}, {x}) else {other}
  in ({more}, {r}, {onward}, {k} + 1)).1)"
            )
        ]);
        Some(Expr::new(ty, all))
    }
}
