//! The same map so often one behind the other that its function is long: each of its maps is compiled as a function of its own then.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Size, Ty};

/// Functions of so many maps are long.
const ROUNDS: i64 = 25;

impl Maker {
    /// Elements of an array that is made again and again of itself and another one, in straight code.
    pub fn repeated(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(s) = *elem else { return None };
        let times = self.estimate(n).saturating_mul(ROUNDS);
        if !self.affords(times) {
            return None;
        }
        let m = self.size();
        let ty = Ty::array(n, elem.clone());
        let other = Ty::array(&m, elem.clone());
        let (xs, us, i, t) = (self.name("xs"), self.name("us"), self.name("at"), self.name("t"));
        let (made, beside) = (self.short(|g| g.fresh(&ty)), self.short(|g| g.expr(&other)));
        let (size, inner) = (n.to_text(), m.to_text());
        let (here, there) = (self.elsewhere(&i, &size), self.elsewhere(&i, &size));
        let k = self.r.below(4);
        let rim =
            self.r.of(["I == 0", "I < K", "I >= N - K", "I == 0 || I == N - 1", "I % 2 == 0"]);
        let rim = rim.replace('I', &i).replace('N', &size).replace('K', &k.to_string());
        let both = s.of_two("a", "b");
        let mut p = parts![format!("let {xs} : {ty} = "), made];
        p.extend(parts![format!("\nlet {us} : {other} = "), beside]);
        p.extend(parts![format!(
            "\nin #[unroll] loop {xs} for {t} < {ROUNDS}i64 do tabulate {size} (\\{i} ->\n\
             let a = if ({rim}) && {inner} > 0 then {us}[{i} * {i} % {inner}] else {xs}[{here}]\n\
             let b = {xs}[{there}]\nin {both})"
        )]);
        Some(Expr::new(&ty, p))
    }
}
