//! Associative operators on arrays that are no maps over their elements: products of polynomials and of matrices,
//! compositions of linear functions, and choices between whole arrays.

use super::Maker;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// Such an operator on arrays of `n` elements, with its neutral element, as text; nothing if they are none of whole numbers,
    /// and else sometimes.
    pub fn operator_on_rows(&mut self, n: &Size, elem: &Ty) -> Option<(String, String)> {
        let size = n.to_text();
        if let Ty::Array(m, inner) = elem {
            let Ty::Scalar(Scalar::Exact(p)) = **inner else { return None };
            // The product of matrices.
            let square = m.to_text() == size && self.estimate(n) <= 6;
            return (p.is_int() && square && self.r.one_in(2)).then(|| {
                let ty = Ty::array(n, elem.clone());
                let product =
                    "map (\\r -> map (\\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a";
                let one = format!("tabulate_2d {size} {size} (\\i j -> {p}.bool (i == j))");
                (format!("(\\(a: {ty}) (b: {ty}) -> {product})"), format!("({one})"))
            });
        }
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        if !p.is_int() || self.estimate(n) > 12 || self.r.one_in(2) {
            return None;
        }
        let first_is_one = format!("(tabulate {size} (\\i -> {p}.bool (i == 0)))");
        let (body, ne) = match self.r.below(4) {
            // Of polynomials, without the powers that have no place.
            0 => (
                format!("tabulate {size} (\\i -> loop s = 0 for j < i + 1 do s + a[j] * b[i - j])"),
                first_is_one,
            ),
            1 => (
                format!(
                    "loop c = replicate {size} 0 for i < {size} do loop c for j < {size} - i do c with \
                     [i + j] = c[i + j] + a[i] * b[j]"
                ),
                first_is_one,
            ),
            // x -> a[0] * x + a[i] of every other element.
            2 => (
                format!(
                    "tabulate {size} (\\i -> if i == 0 then a[0] * b[0] else a[i] * b[0] + b[i])"
                ),
                first_is_one,
            ),
            // The last one with something in it.
            _ => ("if any (!= 0) b then b else a".to_owned(), format!("(replicate {size} 0)")),
        };
        let ty = Ty::array(n, elem.clone());
        Some((format!("(\\(a: {ty}) (b: {ty}) -> {body})"), ne))
    }
}
