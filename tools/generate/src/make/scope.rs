//! What is in scope while a program is made, and which memory may be consumed.
//!
//! Every value that may share memory belongs to groups; consuming a value ends the life of all that
//! share a group with it. A function or loop body may only consume groups that began inside of it,
//! so each has a first group of its own. Group 0 is of what may never be consumed. This allows less
//! than the language does, never more.

use super::Maker;
use super::bound::Var;
use crate::parts;
use crate::tree::{Expr, Part};
use crate::types::{Size, Ty};

impl Maker {
    pub fn name(&mut self, base: &str) -> String {
        self.next_name += 1;
        format!("{base}{}", self.next_name)
    }

    pub fn group(&mut self) -> u32 {
        self.next_group += 1;
        self.next_group
    }

    /// A new variable; what has memory of its own starts a group.
    pub fn declare(&mut self, name: &str, ty: &Ty, groups: Vec<u32>) {
        let groups = match (ty.has_arrays(), groups.is_empty()) {
            (false, _) => Vec::new(),
            (true, true) => vec![self.group()],
            (true, false) => groups,
        };
        let name = name.to_owned();
        self.vars.push(Var { name, ty: ty.clone(), groups, alive: true, below: None, uses: 0 });
    }

    /// A new index into arrays of a size.
    pub fn declare_index(&mut self, name: &str, n: &Size) {
        self.declare(name, &Ty::I64, Vec::new());
        if let Some(v) = self.vars.last_mut() {
            v.below = Some(n.clone());
        }
    }

    /// A pattern for a value: its text, its variables declared.
    pub fn pattern(&mut self, ty: &Ty, groups: &[u32]) -> String {
        match ty {
            Ty::Tuple(ts) if !self.r.one_in(3) => {
                let ts: Vec<String> = ts.iter().map(|t| self.pattern(t, groups)).collect();
                format!("({})", ts.join(", "))
            }
            Ty::Record(fs) if self.r.one_in(2) => {
                let fs: Vec<String> =
                    fs.iter().map(|(f, t)| format!("{f} = {}", self.pattern(t, groups))).collect();
                format!("{{{}}}", fs.join(", "))
            }
            _ => {
                let base = match ty {
                    Ty::Array(..) => "xs",
                    Ty::Tuple(_) | Ty::Record(_) => "r",
                    Ty::Sum(_) => "s",
                    Ty::Scalar(_) | Ty::Param(_) => "x",
                };
                let name = self.name(base);
                self.declare(&name, ty, groups.to_vec());
                name
            }
        }
    }

    /// Runs `f` with a scope of its own, whose contents run `times` as often as what is around.
    /// Unless it is `linear`, nothing from outside may be consumed in it.
    pub fn scoped<T>(&mut self, times: i64, linear: bool, f: impl FnOnce(&mut Maker) -> T) -> T {
        let (vars, funs, sizes) = (self.vars.len(), self.funs.len(), self.sizes.len());
        let (owned, work) = (self.owned_from, self.work);
        if !linear {
            self.owned_from = self.next_group + 1;
        }
        self.work = self.work.saturating_mul(times.max(1));
        self.spent = self.spent.max(self.work);
        self.depth += 1;
        let out = f(self);
        self.depth -= 1;
        self.vars.truncate(vars);
        self.funs.truncate(funs);
        self.sizes.truncate(sizes);
        self.owned_from = owned;
        self.work = work;
        out
    }

    /// Whether something may run so many times here.
    pub fn affords(&self, times: i64) -> bool {
        self.work.saturating_mul(times.max(1)) <= self.limit
    }

    /// About how large an array is.
    pub fn estimate(&self, n: &Size) -> i64 {
        match n {
            Size::Const(k) => *k,
            Size::Name(_) => self.sizes.iter().find(|(s, _)| s == n).map_or(8, |(_, e)| *e),
            Size::Sum(a, b) => self.estimate(a) + self.estimate(b),
            Size::Product(a, b) => self.estimate(a) * self.estimate(b),
        }
    }

    /// A variable as an expression.
    pub fn mention(&mut self, i: usize) -> Expr {
        let Some(v) = self.vars.get_mut(i) else { return Expr::new(&Ty::BOOL, parts!["true"]) };
        v.uses += 1;
        self.touched.extend(&v.groups);
        Expr::shared(&v.ty, v.groups.clone(), parts![v.name.clone()])
    }

    /// One of the variables for which `f` holds, rather one that is not used yet.
    pub(super) fn some_var(&mut self, f: impl Fn(&Var) -> bool) -> Option<usize> {
        let fit: Vec<usize> =
            (0..self.vars.len()).filter(|i| self.vars[*i].alive && f(&self.vars[*i])).collect();
        let a = *self.r.pick(&fit)?;
        let b = *self.r.pick(&fit)?;
        Some(if self.vars[b].uses < self.vars[a].uses { b } else { a })
    }

    /// A variable of a type, as an expression.
    pub fn var_of(&mut self, ty: &Ty) -> Option<Expr> {
        let i = self.some_var(|v| v.ty == *ty)?;
        Some(self.mention(i))
    }

    /// Marks what shares memory with these groups as gone.
    pub fn consume(&mut self, groups: &[u32]) {
        for v in &mut self.vars {
            if v.groups.iter().any(|g| groups.contains(g)) {
                v.alive = false;
            }
        }
        for f in &mut self.funs {
            if f.captured.iter().any(|g| groups.contains(g)) {
                f.alive = false;
            }
        }
    }

    /// The groups mentioned since there were so many.
    pub fn touched_since(&self, seen: usize) -> Vec<u32> {
        let mut out: Vec<u32> = self.touched.get(seen..).unwrap_or(&[]).to_vec();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// An array that may be consumed here.
    pub(super) fn some_owned_array(&mut self) -> Option<usize> {
        let owned = self.owned_from;
        self.some_var(|v| {
            matches!(v.ty, Ty::Array(..))
                && !v.groups.is_empty()
                && v.groups.iter().all(|g| *g >= owned)
        })
    }

    /// A consumable variable, consumed: its name.
    pub fn take_var(&mut self, f: impl Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let owned = self.owned_from;
        let i = self.some_var(|v| {
            f(&v.ty) && !v.groups.is_empty() && v.groups.iter().all(|g| *g >= owned)
        })?;
        let v = self.vars.get_mut(i)?;
        v.uses += 1;
        let (name, ty, groups) = (v.name.clone(), v.ty.clone(), v.groups.clone());
        self.touched.extend(&groups);
        self.consume(&groups);
        Some((name, ty))
    }

    /// An expression that shares memory with nothing.
    pub fn fresh(&mut self, ty: &Ty) -> Expr {
        let e = self.expr(ty);
        self.own(e)
    }

    /// The same value in memory of its own.
    pub fn own(&mut self, e: Expr) -> Expr {
        if e.groups.is_empty() { e } else { Expr::new(&e.ty.clone(), parts!["copy ", e]) }
    }

    /// A size in scope or a small number.
    pub fn size(&mut self) -> Size {
        if !self.sizes.is_empty() && !self.r.one_in(6) {
            let i = self.r.below(self.sizes.len());
            return self.sizes[i].0.clone();
        }
        Size::Const(self.r.of([1, 2, 2, 3, 3, 4, 5]))
    }

    /// A size as an expression.
    pub fn size_text(n: &Size) -> Part {
        Part::Text(n.to_text())
    }
}
