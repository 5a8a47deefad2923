//! Slices of one and two dimensions, with strides, read and written.

use super::Maker;
use crate::parts;
use crate::tree::{Expr, Stm};
use crate::types::{Size, Ty};

impl Maker {
    /// What stands in the brackets for a part of a dimension of `n`; in bounds whatever `n` is.
    fn range(&mut self, n: &Size) -> String {
        let size = n.to_text();
        if let Size::Const(k @ 1..) = n
            && self.r.one_in(3)
        {
            // Down to somewhere above the first.
            let to = self.r.between(0, k - 1);
            let by = self.r.of([1, 2, 3]);
            return format!("{}:{to}:-{by}", k - 1);
        }
        match self.r.below(11) {
            0 => format!(":{size} / 2"),
            1 => format!("{size} / 2:"),
            2 => format!("{size} / 4:{size} - {size} / 4"),
            3 => "::2".into(),
            4 => "::-1".into(),
            5 => "::-2".into(),
            6 => format!("{size} / 3::3"),
            7 => format!("i64.min 1 {size}:"),
            8 => format!("{size} / 4:{size} - {size} / 4:2"),
            9 => ":".into(),
            _ => format!("{size} / 2:{size} / 2 + i64.min 3 ({size} - {size} / 2)"),
        }
    }

    /// `let [k] (ys: [k]t) = xs[RANGE]`, or with a range or an index for each of two dimensions.
    pub fn sliced(&mut self) -> Option<Stm> {
        let (xs, n, t) = self.some_array()?;
        let groups = xs.groups.clone();
        if let Ty::Array(m, inner) = &t
            && !self.r.one_in(3)
        {
            return self.sliced_matrix(xs, &n, m, inner);
        }
        let range = self.range(&n);
        let (k, size) = self.new_size(self.estimate(&n) / 2 + 1);
        let ty = Ty::array(&size, t);
        let ys = self.name("xs");
        self.declare(&ys, &ty, groups);
        Some(Stm(parts![format!("let [{k}] ({ys}: {ty}) = "), xs, format!("[{range}]")]))
    }

    fn sliced_matrix(&mut self, xs: Expr, n: &Size, m: &Size, inner: &Ty) -> Option<Stm> {
        let groups = xs.groups.clone();
        let ys = self.name("xs");
        let (rows, columns) = (self.range(n), self.range(m));
        // An index must be in bounds whatever the size is.
        let fixed = self.r.below(3);
        if fixed < 2
            && let Size::Const(b @ 1..) = if fixed == 0 { n } else { m }
        {
            let at = self.r.between(0, b - 1);
            let (of, range) = if fixed == 0 {
                (m, format!("[{at}, {columns}]"))
            } else {
                (n, format!("[{rows}, {at}]"))
            };
            let (k, size) = self.new_size(self.estimate(of) / 2 + 1);
            let ty = Ty::array(&size, inner.clone());
            self.declare(&ys, &ty, groups);
            return Some(Stm(parts![format!("let [{k}] ({ys}: {ty}) = "), xs, range]));
        }
        let (k, rows_size) = self.new_size(self.estimate(n) / 2 + 1);
        let (l, columns_size) = self.new_size(self.estimate(m) / 2 + 1);
        let ty = Ty::array(&rows_size, Ty::array(&columns_size, inner.clone()));
        self.declare(&ys, &ty, groups);
        let range = format!("[{rows}, {columns}]");
        Some(Stm(parts![format!("let [{k}][{l}] ({ys}: {ty}) = "), xs, range]))
    }

    /// An array of which a slice is replaced by what a function makes of it.
    pub fn slice_update(&mut self) -> Option<Stm> {
        let i = self.some_owned_array()?;
        let v = self.vars.get(i)?.clone();
        let Ty::Array(n, t) = &v.ty else { return None };
        let (range, inner, maps) = match &**t {
            Ty::Array(m, inner) if self.r.one_in(2) => {
                let range = format!("[{}, {}]", self.range(n), self.range(m));
                let times = self.estimate(n).saturating_mul(self.estimate(m));
                (range, (**inner).clone(), ("map (map ", ")", times))
            }
            _ => (format!("[{}]", self.range(n)), (**t).clone(), ("map ", "", self.estimate(n))),
        };
        let (open, close, times) = maps;
        if !self.affords(times) {
            return None;
        }
        let f = self.lambda(&[(inner.clone(), None)], &inner, times);
        if let Some(v) = self.vars.get_mut(i) {
            v.uses += 1;
        }
        self.touched.extend(&v.groups);
        self.consume(&v.groups);
        let ys = self.name("xs");
        let group = self.group();
        self.declare(&ys, &v.ty, vec![group]);
        let mut p = parts![format!("let {ys} : {} = {} with {range} = {open}", v.ty, v.name)];
        p.extend(f);
        p.extend(parts![format!("{close} {}{range}", v.name)]);
        Some(Stm(p))
    }
}
