//! Arrays of which nobody reads the elements that their sizes come from: sizes that may be negative,
//! slices that may be out of bounds. The checks must be made all the same, as what is made of the
//! size relies on them.

use super::Maker;
use crate::parts;
use crate::tree::{Expr, Part, Stm};
use crate::types::Ty;

/// How names of such arrays begin.
pub const UNREAD: &str = "unread";

impl Maker {
    /// `let [k] (ys: [k]t) = map (\_ -> x) ARRAY ++ [x, …]`, at the top of the entry point: where
    /// the code around is dead, a check that fails may go with it.
    pub fn unread(&mut self) -> Stm {
        let ty = self.some_scalar();
        let mut made = self.of_a_size(&ty);
        for _ in 0..self.r.below(3) {
            let x = self.leaf(&ty);
            made.extend(parts![" ++ [", x, "]"]);
        }
        let (k, size) = self.new_size(6);
        let ty = Ty::array(&size, ty);
        let ys = self.name(UNREAD);
        self.declare(&ys, &ty, Vec::new());
        let mut p = parts![format!("let [{k}] ({ys}: {ty}) = ")];
        p.extend(made);
        Stm(p)
    }

    /// A number that is negative now and then.
    fn some_size(&mut self) -> Expr {
        let e = self.expr(&Ty::I64);
        let (range, least) = self.r.of([(5, 0), (9, -1), (40, -1), (6, -2)]);
        Expr::new(&Ty::I64, parts!["(", e, format!(" % {range}i64 + {least})")])
    }

    /// As many equal elements as a size says that only the run knows.
    fn of_a_size(&mut self, ty: &Ty) -> Vec<Part> {
        let x = self.leaf(ty);
        let array = match self.r.below(11) {
            0 => return parts!["replicate ", self.some_size(), " ", x],
            1 => parts!["(iota ", self.some_size(), ")"],
            2 => match self.some_array() {
                Some((xs, n, _)) => {
                    let (n, a, e) = (n.to_text(), self.expr(&Ty::I64), self.expr(&Ty::I64));
                    let lo = parts!["(", a, format!(" % ({n} + 1))")];
                    let a = Expr::new(&Ty::I64, lo);
                    let i = self.name("at");
                    return parts![
                        format!("let {i} = "),
                        a,
                        format!(" in map (\\_ -> "),
                        x,
                        ") ",
                        xs,
                        format!("[{i}:{i} + "),
                        e,
                        " % 4i64 - 1]"
                    ];
                }
                None => parts!["(iota ", self.some_size(), ")"],
            },
            form @ (3 | 4) => match self.some_array() {
                Some((xs, ..)) => {
                    let f = if form == 3 { "(take " } else { "(drop " };
                    parts![f, self.some_size(), " ", xs, ")"]
                }
                None => parts!["(iota ", self.some_size(), ")"],
            },
            5 => {
                let step = self.expr(&Ty::I64);
                parts!["(0i64..(", step, " % 5i64 + 1) - 1..<", self.some_size(), ")"]
            }
            7 => {
                let c = self.expr(&Ty::BOOL);
                let (n, m) = (self.some_size(), self.some_size());
                parts!["(if ", c, " then iota ", n, " else iota ", m, ")"]
            }
            // Payloads that may not be there.
            form @ (9 | 10) => {
                let (n, m, c) = (self.some_size(), self.some_size(), self.expr(&Ty::BOOL));
                let (size, os) = (self.name("at"), self.name("xs"));
                let move_them = if form == 9 { "rotate 1" } else { "reverse" };
                return parts![
                    format!("let {size} = "),
                    n,
                    format!(" let {os} = {move_them} (replicate ("),
                    m,
                    ") ((if ",
                    c,
                    format!(" || {size} < 0 then #none else #some (replicate {size} "),
                    x.clone(),
                    format!(
                        ")) : #none | #some ([{size}]{ty}))) in map (\\o -> match o case #none -> "
                    ),
                    x.clone(),
                    " case #some ys -> if length ys == 0 then ",
                    x,
                    format!(" else ys[0]) {os}")
                ];
            }
            form => {
                // Rows of which there may be none. What is computed in a lambda has no name outside.
                let (m, n, name) = (self.some_size(), self.some_size(), self.name("at"));
                let (array, end) = match form {
                    6 => (
                        format!("transpose (map (\\_ -> replicate {name} 1u8) (iota (i64.max 0 "),
                        "))))",
                    ),
                    _ => (format!("flatten (map (\\_ -> iota {name}) (iota "), ")))"),
                };
                let bound = format!("let {name} = ");
                return parts![bound, n, " in map (\\_ -> ", x, ") (", array, m, end];
            }
        };
        let mut p = parts!["map (\\_ -> ", x, ") "];
        p.extend(array);
        p
    }
}
