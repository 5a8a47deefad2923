//! Loops of all forms.

use super::Maker;
use super::bound::BORROWED;
use crate::parts;
use crate::tree::{Block, Expr, Part, Stm};
use crate::types::{Size, Ty};

/// How a loop goes on: its text before the body, what runs how often.
struct Form {
    text: Vec<Part>,
    times: i64,
    kind: Kind,
}

enum Kind {
    /// `for NAME < SIZE`.
    Index(String, Option<Size>),
    /// `for PATTERN in XS`.
    Element(Ty),
    /// `while`, with a counter among the parameters.
    While(String),
}

impl Maker {
    fn form(&mut self) -> Form {
        match self.r.below(6) {
            0 => {
                let i = self.some_var(|v| matches!(v.ty, Ty::Array(..)));
                if let Some(i) = i {
                    let xs = self.mention(i);
                    if let Ty::Array(n, t) = xs.ty.clone()
                        && self.affords(self.estimate(&n))
                    {
                        let times = self.estimate(&n);
                        return Form { text: parts![xs], times, kind: Kind::Element(*t) };
                    }
                }
                self.counted()
            }
            1 => {
                let c = self.name("c");
                Form { text: parts![], times: 3, kind: Kind::While(c) }
            }
            _ => self.counted(),
        }
    }

    fn counted(&mut self) -> Form {
        let n = self.size();
        let times = self.estimate(&n);
        let i = self.name("at");
        if self.affords(times) && !self.r.one_in(4) {
            let text = parts![format!(" for {i} < "), Maker::size_text(&n), " do "];
            return Form { text, times, kind: Kind::Index(i, Some(n)) };
        }
        let k = self.r.between(0, 4);
        let ty = self.r.of(["i64", "i64"]);
        let text = parts![format!(" for {i} < {k}{ty} do ")];
        Form { text, times: k, kind: Kind::Index(i, (k > 0).then_some(Size::Const(k))) }
    }

    /// A loop over a value.
    pub fn looping(&mut self, ty: &Ty) -> Option<Expr> {
        if !self.affords(3) {
            return None;
        }
        let init = self.expr(ty);
        let mut groups = init.groups.clone();
        let form = self.form();
        let linear = false;
        let times = form.times;
        let outside = self.next_group;
        let a = self.name("acc");
        let (head, tail, body, inner) = self.scoped(times, linear, |m| {
            m.declare(&a, ty, vec![BORROWED]);
            let (head, tail) = m.enter(form, &format!("{a}: {ty}"), parts![init]);
            let stms = m.r.below(3);
            let body = m.block_here(ty, stms);
            let inner: Vec<u32> =
                body.result.groups.iter().copied().filter(|g| *g <= outside).collect();
            (head, tail, body, inner)
        });
        groups.extend(inner);
        if ty.has_arrays() {
            groups.push(BORROWED);
        }
        let mut parts = head;
        parts.push(Part::Block(body));
        parts.extend(tail.0);
        let e = Expr::shared(ty, groups, parts);
        Some(match tail.1 {
            // The counter is not wanted.
            true => Expr::shared(ty, e.groups.clone(), parts![e, ".1"]),
            false => e,
        })
    }

    /// `loop (PARAMS) = (INIT) FORM do`, with its variables declared. Then what ends the body, and
    /// whether there is a counter before the value.
    fn enter(
        &mut self,
        form: Form,
        param: &str,
        init: Vec<Part>,
    ) -> (Vec<Part>, (Vec<Part>, bool)) {
        match form.kind {
            Kind::Index(i, n) => {
                let known = matches!(n, Some(Size::Const(_)));
                let unroll = if known && self.r.one_in(3) { "#[unroll] " } else { "" };
                let mut head = parts![format!("{unroll}loop ({param}) = ")];
                head.extend(init);
                head.extend(form.text);
                match n {
                    Some(n) => self.declare_index(&i, &n),
                    None => self.declare(&i, &Ty::I64, Vec::new()),
                }
                (head, (Vec::new(), false))
            }
            Kind::Element(t) => {
                let mut head = parts![format!("loop ({param}) = ")];
                head.extend(init);
                let p = self.pattern(&t, &[BORROWED]);
                head.extend(parts![format!(" for {p} in ")]);
                head.extend(form.text);
                head.extend(parts![" do "]);
                (head, (Vec::new(), false))
            }
            Kind::While(c) => {
                let k = self.r.between(0, 5);
                let mut head = parts![format!("loop ({c}, {param}) = (0i64, ")];
                head.extend(init);
                head.extend(parts![format!(") while {c} < {k}")]);
                if self.r.one_in(2) {
                    self.declare(&c, &Ty::I64, Vec::new());
                    let cond = self.scoped(1, false, |m| m.expr(&Ty::BOOL));
                    head.extend(parts![" && ", cond]);
                }
                head.extend(parts![format!(" do ({c} + 1, ")]);
                (head, (parts![")"], true))
            }
        }
    }

    /// A loop over several values, some of them consumed by it.
    pub fn loop_statement(&mut self) -> Option<Stm> {
        if !self.affords(3) {
            return None;
        }
        let mut params: Vec<(String, Ty, bool)> = Vec::new();
        let mut init = Vec::new();
        let mut outer: Vec<u32> = Vec::new();
        // What is consumed comes first, so that nothing after it shares its memory.
        let mut unique: Vec<bool> = (0..1 + self.r.below(3)).map(|_| self.r.one_in(2)).collect();
        unique.sort_unstable_by(|a, b| b.cmp(a));
        for (i, unique) in unique.into_iter().enumerate() {
            let taken = match unique {
                true => self.take_var(|t| matches!(t, Ty::Array(..))),
                false => None,
            };
            let (e, ty, unique) = match taken {
                Some((x, ty)) => (Expr::new(&ty, parts![x]), ty, true),
                None => {
                    let ty = self.some_type();
                    let unique = unique && matches!(ty, Ty::Array(..));
                    let e = if unique { self.fresh(&ty) } else { self.expr(&ty) };
                    (e, ty, unique)
                }
            };
            outer.extend(&e.groups);
            init.extend(parts![if i == 0 { "" } else { ", " }, e]);
            params.push((self.name("acc"), ty, unique));
        }
        let text: Vec<String> = params
            .iter()
            .map(|(x, t, u)| format!("{x}: {}{t}", if *u { "*" } else { "" }))
            .collect();
        let form = self.form();
        // Behind a counter they are a tuple of their own.
        let counter = matches!(form.kind, Kind::While(_));
        let list = text.join(", ");
        let list = if counter { format!("({list})") } else { list };
        let times = form.times;
        let inside = self.next_group;
        let (head, tail, body, results) = self.scoped(times, false, |m| {
            for (x, t, u) in &params {
                let groups = if *u { Vec::new() } else { vec![BORROWED] };
                m.declare(x, t, groups);
            }
            let mut whole = parts!["("];
            whole.extend(init);
            whole.extend(parts![")"]);
            let (head, (tail, _)) = m.enter(form, &list, whole);
            let count = m.r.below(4);
            let stms = m.statements(count);
            let mut results: Vec<Option<Expr>> = params.iter().map(|_| None).collect();
            // What is consumed by the next iteration must be nobody else's.
            for (r, (_, t, u)) in results.iter_mut().zip(&params) {
                if *u {
                    let e = match m.take_var(|o| o == t) {
                        Some((x, _)) => Expr::new(t, parts![x]),
                        None => m.fresh(t),
                    };
                    *r = Some(e);
                }
            }
            for (r, (_, t, u)) in results.iter_mut().zip(&params) {
                if !*u {
                    *r = Some(m.expr(t));
                }
            }
            let results: Vec<Expr> = results.into_iter().flatten().collect();
            (head, tail, stms, results)
        });
        let mut tuple = Vec::new();
        let mut names = Vec::new();
        for (i, ((_, t, u), e)) in params.iter().zip(results).enumerate() {
            let name = self.name("x");
            let groups = match (*u, t.has_arrays()) {
                (true, _) | (_, false) => Vec::new(),
                (false, true) => {
                    let mut groups = vec![BORROWED];
                    // One value may have become another's.
                    groups.extend(&outer);
                    groups.extend(e.groups.iter().filter(|g| **g <= inside));
                    groups
                }
            };
            names.push((name, t.clone(), groups));
            tuple.extend(parts![if i == 0 { "" } else { ", " }, e]);
        }
        let pattern: Vec<String> = names.iter().map(|(x, _, _)| x.clone()).collect();
        for (x, t, g) in names {
            self.declare(&x, &t, g);
        }
        let pattern = format!("({})", pattern.join(", "));
        let pattern = if counter { format!("(_, {pattern})") } else { pattern };
        let mut p = parts![format!("let {pattern} = ")];
        p.extend(head);
        let result = Expr::new(&Ty::Tuple(params.into_iter().map(|p| p.1).collect()), tuple);
        p.push(Part::Block(Block { stms: body, result: Box::new(paren(result)) }));
        p.extend(tail);
        Some(Stm(p))
    }
}

/// A tuple in parentheses, wherever it is put.
fn paren(mut e: Expr) -> Expr {
    e.parts.insert(0, Part::from("("));
    e.parts.push(Part::from(")"));
    e
}
