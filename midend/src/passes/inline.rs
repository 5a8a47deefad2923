//! Inlining of functions into their callers, bottom-up over the call graph.
//!
//! Before: `let y = call f(x)`. After: the body of `f` with `x` for its parameter.
//!
//! Inlined are functions that say so (`inline`), that are called once, that are small, or that are
//! called from within an array combinator, since kernels want no calls; and functions of moderate size
//! that are a map of arrays, or maps of which one reads the other, where it can be fused with what makes their argument or takes their
//! result, or where what it goes through is transposed, which a call would have copied: at the one side for
//! its argument, and often at the other for the loops inside; and those that are maps one after the other where an argument is part of an
//! array, or the result becomes part of one, for the same reason. Not inlined are recursive
//! functions (nor mutually so) and what says `noinline`. The program may grow by a fixed factor at
//! most; when that is used up only functions that say so are inlined, and so is nothing twice the
//! size of the rest. What is called once moves into its caller, and there is nothing left of it; other
//! functions that nobody calls any more are left to [`super::dead_code`].
//!
//! The cost is linear in the size of the program that comes out: a chain of functions each of which is
//! called once is walked from its top, so that no statement is moved more than once.

use super::dead_code::Calls;
use crate::analysis::bodies::is_straight;
use crate::ir::traverse::{Rewrite, Subst, Visit, for_each_block_mut, walk};
use crate::ir::varmap::{FastMap, VarSet};
use crate::ir::{
    Body, Exp, Fun, Loc, Mentions, NameSource, PatElem, Program, Soac, Stm, StmAttr, SubExp, Var,
    in_prelude, traverse,
};
use futc_typed::name::Name;

/// Functions of at most this many statements are small.
const SMALL: usize = 16;
/// And these, if they are scalar code without loops: bodies of maps that call them could not be computed by
/// lanes, nor simplified for their arguments.
const SMALL_SCALAR: usize = 48;
/// Functions of at most this many statements, if they are a map that can be fused.
const MODERATE: usize = 160;
/// The program may become this much larger than it was …
const FACTOR: usize = 3;
/// … but by no more than this, as nobody waits for a long program to be optimised all through …
const MOST: usize = 12_000;
/// … and larger by this many statements besides.
const SLACK: usize = 4000;
/// Call sites shown in a backtrace.
const SITES: usize = 15;

/// Inlines calls.
pub fn inline(mut program: Program) -> Program {
    let graph = Graph::of(&program);
    let total: usize = program.funs.iter().map(|f| size(&f.body.stms)).sum();
    let mut i = Inliner {
        names: NameSource::new(program.next_tag),
        callees: FastMap::default(),
        called_once: FastMap::default(),
        budget: (total * FACTOR).min(MOST) + SLACK,
    };
    let names: Vec<Name> = program.funs.iter().map(|f| f.name).collect();
    let mut funs: Vec<Option<Fun>> =
        std::mem::take(&mut program.funs).into_iter().map(Some).collect();
    for (at, slot) in funs.iter_mut().enumerate() {
        if let Some(f) = slot
            && graph.calls.get(&f.name) == Some(&1)
            && !f.is_root()
            && !f.is_imported()
            && !graph.recursive[at]
            && !has(&f.attrs, "noinline")
            && let Some(f) = slot.take()
        {
            i.called_once.insert(f.name, f);
        }
    }
    for &at in &graph.order {
        let Some(f) = funs.get_mut(at).and_then(Option::as_mut) else { continue };
        i.stms(&mut f.body.stms, false, None);
        if !graph.recursive[at] && !has(&f.attrs, "noinline") && !f.is_imported() {
            let size = size(&f.body.stms);
            let small = size <= SMALL || size <= SMALL_SCALAR && is_scalar(&f.body.stms);
            let callee = Callee {
                size,
                small,
                maps: mapped(&f.body),
                only_maps: only_maps(&f.body),
                fun: f.clone(),
            };
            i.callees.insert(f.name, callee);
        }
    }
    i.stms(&mut program.consts.stms, false, None);
    // Those whose call says that it is not to be inlined; callers first, as they take in what they call.
    for &at in graph.order.iter().rev() {
        let Some(name) = names.get(at) else { continue };
        let (Some(mut f), Some(slot)) = (i.called_once.remove(name), funs.get_mut(at)) else {
            continue;
        };
        i.stms(&mut f.body.stms, false, None);
        *slot = Some(f);
    }
    program.funs = funs.into_iter().flatten().collect();
    program.next_tag = i.names.next_tag();
    program
}

fn has(attrs: &[Name], name: &str) -> bool {
    attrs.iter().any(|a| a.as_str() == name)
}

fn size(stms: &Vec<Stm>) -> usize {
    struct Count(usize);
    impl Visit for Count {
        fn stm(&mut self, s: &Stm) {
            self.0 += 1;
            walk::stm(self, s);
        }
    }
    let mut c = Count(0);
    c.stms(stms);
    c.0
}

/// The inputs of the maps that a body consists of, but for scalars, and the arrays that are read at one place there. The
/// results of all but the last one are read so.
fn mapped(body: &Body) -> Option<Vec<Var>> {
    let made =
        |s: &&Stm| !matches!(s.exp, Exp::Iota { .. }) && s.pat.iter().any(|p| p.ty.rank() > 0);
    let mut mentions = Mentions::default();
    mentions.body(body);
    let mut taken = VarSet::default();
    let maps: Vec<&Stm> = body.stms.iter().filter(made).collect();
    for s in &maps {
        let Exp::Soac(Soac::Screma { inputs, lambda, scans, reduces, .. }) = &s.exp else {
            return None;
        };
        if !scans.is_empty() || !reduces.is_empty() {
            return None;
        }
        let mut read = Read::default();
        read.lambda(lambda);
        taken.extend(inputs.iter().copied());
        taken.extend(read.0.into_iter().filter(|v| mentions.count(*v) == 1));
    }
    let (last, others) = maps.split_last()?;
    let returned = last.pat.iter().all(|p| body.result.contains(&p.var.into()));
    let mut between = others.iter().flat_map(|s| &s.pat);
    let fused = between.all(|p| mentions.count(p.var) == 1 && taken.contains(&p.var));
    (returned && fused).then(|| taken.into_iter().collect())
}

/// The arrays of which elements are read.
#[derive(Default)]
struct Read(VarSet);

impl Visit for Read {
    fn exp(&mut self, e: &Exp) {
        if let Exp::Index { array, .. } = e {
            self.0.insert(*array);
        }
        walk::exp(self, e);
    }
}

/// What the combinators of a list of statements make, and what they take. Views change nothing about it:
/// [`propagate_views`](super::propagate_views) moves them out of the way.
#[derive(Default)]
struct Fusible {
    /// Or what is transposed, whoever made it.
    made: VarSet,
    taken: VarSet,
    /// Parts of arrays, which a call copies, and what becomes part of one, as what a call yields is copied there.
    parts: VarSet,
}

impl Fusible {
    fn of(stms: &[Stm]) -> Fusible {
        let mut fusible = Fusible::default();
        for s in stms.iter().rev() {
            match &s.exp {
                Exp::Soac(
                    Soac::Screma { inputs, .. }
                    | Soac::Hist { inputs, .. }
                    | Soac::Scatter { inputs, .. },
                ) => fusible.taken.extend(inputs.iter().copied()),
                Exp::Rearrange { array, .. }
                    if s.pat.iter().any(|p| fusible.taken.contains(&p.var)) =>
                {
                    fusible.taken.insert(*array);
                }
                Exp::Reshape { array, .. }
                    if s.pat.iter().any(|p| fusible.parts.contains(&p.var)) =>
                {
                    fusible.parts.insert(*array);
                }
                Exp::Update { value, .. } => fusible.parts.extend(value.var()),
                _ => {}
            }
        }
        fusible
    }

    fn make(&mut self, s: &Stm) {
        let made = match &s.exp {
            Exp::Soac(_) | Exp::Rearrange { .. } => true,
            Exp::SubExp(SubExp::Var(v)) => self.made.contains(v),
            _ => false,
        };
        let part = match &s.exp {
            Exp::Index { .. } => s.pat.iter().any(|p| p.ty.rank() > 0),
            Exp::SubExp(SubExp::Var(v)) | Exp::Reshape { array: v, .. } => self.parts.contains(v),
            _ => false,
        };
        if part {
            self.parts.extend(s.pat.iter().map(|p| p.var));
        }
        if made {
            self.made.extend(s.pat.iter().map(|p| p.var));
        }
    }

    /// Whether the call of a map could be fused, or copies a part of an array on its way in or out.
    fn call(&self, s: &Stm, callee: &Callee) -> bool {
        let Exp::Call { args, .. } = &s.exp else { return false };
        let mut ends = args.iter().filter_map(|x| x.var()).chain(s.pat.iter().map(|p| p.var));
        if callee.only_maps && ends.any(|v| self.parts.contains(&v)) {
            return true;
        }
        let Some(inputs) = &callee.maps else { return false };
        let taken = s.pat.iter().any(|p| self.taken.contains(&p.var));
        taken
            || callee.fun.params.iter().zip(args).any(|(p, x)| {
                inputs.contains(&p.var) && x.var().is_some_and(|v| self.made.contains(&v))
            })
    }
}

/// Who calls whom.
struct Graph {
    /// Callees before their callers.
    order: Vec<usize>,
    recursive: Vec<bool>,
    /// How often each function is called from anywhere.
    calls: FastMap<Name, usize>,
}

impl Graph {
    fn of(p: &Program) -> Graph {
        let at: FastMap<Name, usize> =
            p.funs.iter().enumerate().map(|(i, f)| (f.name, i)).collect();
        let mut calls = FastMap::default();
        let mut from_consts = Calls::default();
        from_consts.body(&p.consts);
        for n in from_consts.0 {
            *calls.entry(n).or_insert(0) += 1;
        }
        let callees: Vec<Vec<usize>> = p
            .funs
            .iter()
            .map(|f| {
                let mut found = Calls::default();
                found.body(&f.body);
                for n in &found.0 {
                    *calls.entry(*n).or_insert(0) += 1;
                }
                let mut out: Vec<usize> =
                    found.0.iter().filter_map(|n| at.get(n).copied()).collect();
                out.sort_unstable();
                out.dedup();
                out
            })
            .collect();
        let mut t = Components {
            callees: &callees,
            index: vec![None; callees.len()],
            low: vec![0; callees.len()],
            stack: Vec::new(),
            on_stack: vec![false; callees.len()],
            next: 0,
            order: Vec::new(),
            recursive: vec![false; callees.len()],
        };
        for v in 0..callees.len() {
            if t.index[v].is_none() {
                t.visit(v);
            }
        }
        Graph { order: t.order, recursive: t.recursive, calls }
    }
}

/// Tarjan's strongly connected components, which come out callees first.
struct Components<'g> {
    callees: &'g [Vec<usize>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    stack: Vec<usize>,
    on_stack: Vec<bool>,
    next: usize,
    order: Vec<usize>,
    recursive: Vec<bool>,
}

impl Components<'_> {
    fn visit(&mut self, v: usize) {
        self.index[v] = Some(self.next);
        self.low[v] = self.next;
        self.next += 1;
        self.stack.push(v);
        self.on_stack[v] = true;
        let callees = self.callees;
        for &w in &callees[v] {
            match self.index[w] {
                None => {
                    self.visit(w);
                    self.low[v] = self.low[v].min(self.low[w]);
                }
                Some(i) if self.on_stack[w] => self.low[v] = self.low[v].min(i),
                Some(_) => {}
            }
        }
        if Some(self.low[v]) == self.index[v] {
            let from = self.stack.iter().rposition(|&w| w == v).unwrap_or(0);
            let members = self.stack.split_off(from);
            let cycle = members.len() > 1 || callees[v].contains(&v);
            for w in members {
                self.on_stack[w] = false;
                self.recursive[w] = cycle;
                self.order.push(w);
            }
        }
    }
}

/// Whether all arrays that a body makes are results of maps, but for views and copies of those.
fn only_maps(body: &Body) -> bool {
    let mut made = body.stms.iter().filter(|s| s.pat.iter().any(|p| p.ty.rank() > 0));
    let mut maps = 0;
    let all = made.all(|s| match &s.exp {
        Exp::Soac(Soac::Screma { scans, reduces, .. }) => {
            maps += 1;
            scans.is_empty() && reduces.is_empty()
        }
        Exp::Iota { .. }
        | Exp::Copy(_)
        | Exp::SubExp(_)
        | Exp::Index { .. }
        | Exp::Reshape { .. } => true,
        _ => false,
    });
    all && maps > 0
}

/// Scalar code without loops.
fn is_scalar(stms: &[Stm]) -> bool {
    let scalars = |s: &Stm| s.pat.iter().all(|p| p.ty.rank() == 0);
    stms.iter().all(|s| is_straight(s) && scalars(s))
}

struct Callee {
    size: usize,
    small: bool,
    /// The inputs of the map that it is, if it is one.
    maps: Option<Vec<Var>>,
    /// All that it makes of arrays is maps.
    only_maps: bool,
    fun: Fun,
}

struct Inliner {
    names: NameSource,
    /// Finished functions, to be copied.
    callees: FastMap<Name, Callee>,
    /// Functions to be moved, untouched yet.
    called_once: FastMap<Name, Fun>,
    budget: usize,
}

impl Inliner {
    fn is_copied(&self, s: &Stm, name: Name, in_lambda: bool, fusible: &Fusible) -> bool {
        let Some(c) = self.callees.get(&name) else { return false };
        let asked = has(&c.fun.attrs, "inline") || s.has(StmAttr::Inline);
        let fuses = || c.size <= MODERATE && fusible.call(s, c);
        c.size <= self.budget && (asked || in_lambda || c.small || fuses())
    }

    /// Inlines what statements call, which themselves have been called from `site`.
    fn stms(&mut self, stms: &mut Vec<Stm>, in_lambda: bool, site: Option<Loc>) {
        let mut out = Vec::with_capacity(stms.len());
        let mut fusible = Fusible::of(stms);
        let mut seen = 0;
        for mut s in std::mem::take(stms) {
            for done in out.iter().skip(seen) {
                fusible.make(done);
            }
            seen = out.len();
            if let Some(site) = site {
                called_from(&mut s, site);
            }
            if let Exp::Call { fun, .. } = &s.exp
                && !s.has(StmAttr::Noinline)
            {
                let name = *fun;
                if let Some(f) = self.called_once.remove(&name) {
                    // A call has no position with a backtrace, only what is called here needs that.
                    let here = site.map_or(s.loc, |site| s.loc.map(|loc| with_site(loc, site)));
                    self.move_in(s, f, in_lambda, here, &mut out);
                    continue;
                }
                if self.is_copied(&s, name, in_lambda, &fusible) {
                    let here = site.map_or(s.loc, |site| s.loc.map(|loc| with_site(loc, site)));
                    self.copy_in(s, name, in_lambda, here, &mut out);
                    continue;
                }
            }
            let inside = in_lambda || matches!(s.exp, Exp::Soac(_) | Exp::Seg(_));
            for_each_block_mut(&mut s.exp, &mut |b| self.stms(b, inside, site));
            out.push(s);
        }
        *stms = out;
    }

    /// The body of a function that is called here only. Its parameters become variables.
    fn move_in(&mut self, s: Stm, f: Fun, in_lambda: bool, site: Option<Loc>, out: &mut Vec<Stm>) {
        let Exp::Call { args, .. } = &s.exp else { return };
        let loc = s.loc;
        let bound = |pat: PatElem, x: SubExp| Stm {
            schedule: None,
            pat: vec![pat],
            exp: Exp::SubExp(x),
            certs: s.certs.clone(),
            attrs: Vec::new(),
            loc,
        };
        for (p, x) in f.params.into_iter().zip(args) {
            out.push(bound(PatElem::new(p.var, p.ty), *x));
        }
        let mut body = f.body;
        self.stms(&mut body.stms, in_lambda, site);
        splice(s, body, out);
    }

    /// A copy of the body of a function. In a combinator its calls are inlined, too.
    fn copy_in(
        &mut self,
        s: Stm,
        name: Name,
        in_lambda: bool,
        site: Option<Loc>,
        out: &mut Vec<Stm>,
    ) {
        let (Some(c), Exp::Call { args, .. }) = (self.callees.get(&name), &s.exp) else { return };
        self.budget = self.budget.saturating_sub(c.size);
        let subst: Subst = c.fun.params.iter().map(|p| p.var).zip(args.iter().copied()).collect();
        let mut body = c.fun.body.clone();
        traverse::Renamer::with(&mut self.names, subst).body(&mut body);
        if in_lambda {
            self.stms(&mut body.stms, true, site);
        } else if let Some(site) = site {
            Sites { site }.stms(&mut body.stms);
        }
        splice(s, body, out);
    }
}

/// A body in the place of the call.
fn splice(s: Stm, body: Body, out: &mut Vec<Stm>) {
    for mut inner in body.stms {
        for c in &s.certs {
            if !inner.certs.contains(c) {
                inner.certs.push(*c);
            }
        }
        out.push(inner);
    }
    for (p, x) in s.pat.into_iter().zip(body.result) {
        out.push(Stm {
            schedule: None,
            pat: vec![p],
            exp: Exp::SubExp(x),
            certs: s.certs.clone(),
            attrs: Vec::new(),
            loc: s.loc,
        });
    }
}

/// Says where a statement was called from: in the backtraces of assertions. Whatever else the
/// prelude's functions do is done where they are called.
fn called_from(s: &mut Stm, site: Loc) {
    match (&s.exp, s.loc) {
        (Exp::Assert { .. }, Some(loc)) => s.loc = Some(with_site(loc, site)),
        (_, loc) if loc.is_none_or(in_prelude) => {
            s.loc = site.as_str().lines().next().map(Name::new);
        }
        _ => {}
    }
}

/// Adds a call site to a backtrace. A position with one reads
/// `here\n-> #1  caller\n-> #2  its caller`.
fn with_site(loc: Loc, site: Loc) -> Loc {
    let mut text = loc.as_str().to_string();
    let mut n = text.matches("\n-> #").count();
    for site in site.as_str().split("\n-> #") {
        // What follows a number already there.
        let site = site.split_once("  ").map_or(site, |(number, rest)| {
            if number.bytes().all(|b| b.is_ascii_digit()) { rest } else { site }
        });
        if n < SITES {
            n += 1;
            text.push_str(&format!("\n-> #{n}  {site}"));
        }
    }
    Name::new(&text)
}

/// Statements that have been called from somewhere.
struct Sites {
    site: Loc,
}

impl Rewrite for Sites {
    fn stm(&mut self, s: &mut Stm) {
        called_from(s, self.site);
        for_each_block_mut(&mut s.exp, &mut |b| self.stms(b));
    }

    fn subexp(&mut self, _: &mut SubExp) {}
}

#[cfg(test)]
mod tests {
    use super::inline;
    use crate::passes::dead_code::dead_code;
    use crate::passes::testing::{check, pass};

    #[test]
    fn small_ones_and_their_sizes() {
        check(
            inline,
            "fun g (n_1: i64, *xs_2: [n_1]i32) : (k_3: i64, r_4: [k_3]i32) {
               let m_5: i64 = add.i64(n_1, 1) let u_6: [n_1]i32 = update xs_2[0] with 1i32 let r_7: [m_5]i32 = replicate([m_5], 0i32) in (m_5, r_7) }
             #[noinline] fun f (q_8: i64, *ys_9: [q_8]i32) : (s_10: i64) {
               let (k_11: i64, z_12: [k_11]i32) = call g(q_8, ys_9) in k_11 }",
            "#[noinline] fun f (q_8: i64, *ys_9: [q_8]i32) : (s_10: i64) {
               let n_1: i64 = q_8 let xs_2: [n_1]i32 = ys_9
               let m_5: i64 = add.i64(n_1, 1) let u_6: [n_1]i32 = update xs_2[0] with 1i32 let r_7: [m_5]i32 = replicate([m_5], 0i32)
               let k_11: i64 = m_5 let z_12: [k_11]i32 = r_7 in k_11 }",
        );
    }

    #[test]
    fn what_is_called_twice_is_copied() {
        check(
            inline,
            "fun g (n_1: i64) : (k_2: i64) { let m_3: i64 = add.i64(n_1, 1) in m_3 }
             fun f (q_4: i64) : (s_5: i64) { let a_6: i64 = call g(q_4) let b_7: i64 = call g(a_6) in b_7 }",
            "fun g (n_1: i64) : (k_2: i64) { let m_3: i64 = add.i64(n_1, 1) in m_3 }
             fun f (q_4: i64) : (s_5: i64) {
               let m_8: i64 = add.i64(q_4, 1) let a_6: i64 = m_8
               let m_9: i64 = add.i64(a_6, 1) let b_7: i64 = m_9 in b_7 }",
        );
    }

    #[test]
    fn what_a_call_keeps_out_stays() {
        let text = "fun h (n_1: i64) : (k_2: i64) { let m_3: i64 = add.i64(n_1, 1) in m_3 }
            fun g (n_4: i64) : (k_5: i64) { let m_6: i64 = call h(n_4) in m_6 }
            fun f (q_7: i64) : (s_8: i64) { let a_9: i64 = #[noinline] call g(q_7) in a_9 }";
        check(
            inline,
            text,
            "fun g (n_4: i64) : (k_5: i64) { let n_1: i64 = n_4 let m_3: i64 = add.i64(n_1, 1) let m_6: i64 = m_3 in m_6 }
             fun f (q_7: i64) : (s_8: i64) { let a_9: i64 = #[noinline] call g(q_7) in a_9 }",
        );
    }

    #[test]
    fn long_chains_are_walked_once() {
        let mut text = String::from(
            "fun f0 (n_1: i64) : (k_2: i64) { let a_3: i64 = add.i64(n_1, 1) in a_3 }",
        );
        for i in 1..2000 {
            let tag = 10 * i;
            text += &format!(
                "fun f{i} (n_{tag}: i64) : (k_{}: i64) {{ let a_{}: i64 = call f{}(n_{tag}) let b_{}: i64 = add.i64(a_{}, {i}) in b_{} }}",
                tag + 1,
                tag + 2,
                i - 1,
                tag + 3,
                tag + 2,
                tag + 3
            );
        }
        // The compiler recurses: it is given the stack that the driver has.
        let thread = std::thread::Builder::new().stack_size(1 << 28);
        let thread = thread.spawn(move || pass(inline, &text)).expect("a thread");
        let program = thread.join().expect("the pass ends");
        assert_eq!(program.funs.len(), 1);
        // The innermost sum; of each other the parameter, what the call yields, and the sum.
        assert_eq!(program.funs[0].body.stms.len(), 1 + 3 * 1999);
    }

    #[test]
    fn recursion_stays_and_attributes_are_respected() {
        let text = "fun g (n_1: i64) : (k_3: i64) { let a_4: i64 = call h(n_1) in a_4 }
            fun h (n_5: i64) : (k_6: i64) { let a_7: i64 = call g(n_5) in a_7 }
            #[noinline] fun i (n_8: i64) : (k_9: i64) { in n_8 }
            fun f (n_10: i64) : (k_11: i64) { let a_12: i64 = call h(n_10) let b_13: i64 = call i(a_12) in b_13 }";
        check(inline, text, text);
    }

    #[test]
    fn growth_is_bounded() {
        let mut text = String::from("fun f0 (n_1: i64) : (k_2: i64) {");
        for i in 0..20 {
            text += &format!("let a_{}: i64 = add.i64(n_1, {i})", i + 3);
        }
        text += "in a_3 }";
        let mut tag = 100;
        for i in 1..30 {
            text += &format!(
                "#[inline] fun f{i} (n_{tag}: i64) : (k_{}: i64) {{ let a_{}: i64 = call f{}(n_{tag}) let b_{}: i64 = call f{}(a_{}) in b_{} }}",
                tag + 1,
                tag + 2,
                i - 1,
                tag + 3,
                i - 1,
                tag + 2,
                tag + 3
            );
            tag += 4;
        }
        let p = pass(inline, &text);
        assert!(p.to_string().len() < 2_000_000);
    }

    #[test]
    fn backtraces_grow() {
        let p = pass(
            |p| dead_code(inline(p)),
            "fun g (n_1: i64, c_2: bool) : (k_3: i64) { let e_4: cert = assert(c_2, \"no\") at \"a:1\" let a_5: i64 = <e_4> add.i64(n_1, 1) in a_5 }
             fun h (n_11: i64, c_12: bool) : (k_13: i64) { let a_15: i64 = call g(n_11, c_12) at \"a:2\" in a_15 }
             fun f (n_21: i64, c_22: bool) : (k_23: i64) { let a_25: i64 = call h(n_21, c_22) at \"a:3\" in a_25 }",
        );
        assert!(p.to_string().contains("a:1\\n-> #1  a:2\\n-> #2  a:3"), "{p}");
    }
}
