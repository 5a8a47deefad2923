//! One block for arrays that are needed one after the other.
//!
//! ```text
//! loop … do {                                     loop … do {
//!   a = alloc 8·n   x @ a = segscan … p …           a = alloc 8·n   x @ a = segscan … p …
//!   b = alloc 8·n   y @ b = segmap … x …            b = alloc 8·n   y @ b = segmap … x …
//!   c = alloc 4·n   z @ c = segscan … y …    ⟶                      z @ a = segscan … y …
//!   d = alloc 8·n   w @ d = segmap … z …                            w @ b = segmap … z …
//!   … w … }                                         … w … }
//! ```
//!
//! What leaves a loop ([`super::hoist()`]) or kernel ([`super::expand()`]) is there all the time
//! that the loop or kernel runs, and takes its part of the caches. So before they leave a list of
//! statements, its blocks are *coloured*: each is needed from the first statement that mentions it
//! to the last, where statements are whole loops too; and blocks of which no two are needed in
//! one statement become one. Those who stay in their list are freed after the last statement
//! that mentions them and reused at run time; to make one of them would only keep it longer.
//!
//! Blocks that share are in one space, none is passed on, and their sizes have the ratio of two
//! constants (`8·n` and `4·n`, any two constants). The largest are given out first, in the order of
//! their first mention, so that blocks of one size are as few as possible (interval graphs are
//! coloured optimally so), and smaller ones go where room is. That no two are needed in one
//! statement also keeps what lowering and the other passes rely on: blocks of different names that
//! an operation uses do not overlap.
//!
//! What is so small that it may end up in registers stays alone there.
//!
//! Cost: one walk over every list with two candidates, so linear times the nesting depth.

use super::blocks::Blocks;
use super::section::Sections;
use crate::ir::traverse::{Rewrite, Subst, Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Defs, Exp, KernelBody, KernelResult, MemSpace, Poly, Program, Stm, SubExp, Var,
};

/// Blocks of at most this many bytes may end up in registers.
const REGISTERS: i64 = 256;

/// What blocks a program has, and which of them have become others.
pub(super) struct Colours {
    blocks: Blocks,
    defs: Defs,
    /// Blocks that the list that allocates them yields an array of.
    kept: VarSet,
    /// Which block takes the place of which.
    over: VarMap<Var>,
}

/// A block that may share.
struct Candidate {
    block: Var,
    /// The statement that allocates it, and those that mention it first and last.
    at: usize,
    first: usize,
    last: usize,
    space: MemSpace,
    bytes: Poly,
    /// The size is a constant, or this multiple of that size.
    factor: i64,
    of: Option<Poly>,
}

/// Those that share; the first is the largest.
type Colour<'c> = Vec<&'c Candidate>;

impl Colours {
    pub(super) fn of_program(prog: &Program) -> Colours {
        let blocks = Blocks::of_program(prog);
        let mut kept = Kept { blocks: &blocks, found: VarSet::default() };
        kept.body(&prog.consts);
        for f in &prog.funs {
            kept.fun(f);
        }
        let kept = kept.found;
        let defs = Sections::of_program(prog).defs;
        Colours { blocks, defs, kept, over: VarMap::default() }
    }

    /// Is the block passed on?
    pub(super) fn escapes(&self, block: Var) -> bool {
        self.blocks.escaped.contains(&block)
    }

    /// Makes one of the blocks that `stms` allocates, if they are `chosen` and can share.
    pub(super) fn share(&mut self, stms: &mut Vec<Stm>, chosen: impl Fn(&Stm, &Colours) -> bool) {
        let mut candidates = self.candidates(stms, chosen);
        if candidates.len() < 2 {
            return;
        }
        candidates.sort_by_key(|c| (std::cmp::Reverse(c.factor), c.first));
        let mut colours: Vec<Colour<'_>> = Vec::new();
        for c in &candidates {
            match colours.iter_mut().find(|colour| self.fits(c, colour)) {
                Some(colour) => colour.push(c),
                None => colours.push(vec![c]),
            }
        }
        let mut gone = VarSet::default();
        for colour in colours {
            let Some(earliest) = colour.iter().min_by_key(|c| c.first) else { continue };
            let largest = colour.first().map_or(earliest.factor, |c| c.factor);
            if let Some(Exp::Alloc { bytes, space: _ }) =
                stms.get_mut(earliest.at).map(|s| &mut s.exp)
                && largest != earliest.factor
            {
                let size = match earliest.of {
                    Some(_) => earliest.bytes.mul(&Poly::constant(largest / earliest.factor)),
                    None => Poly::constant(largest),
                };
                *bytes = size.to_size();
            }
            for c in colour.iter().filter(|c| c.block != earliest.block) {
                self.over.insert(c.block, earliest.block);
                gone.insert(c.block);
            }
        }
        stms.retain(|s| allocated(s).is_none_or(|b| !gone.contains(&b)));
    }

    fn candidates(&self, stms: &[Stm], chosen: impl Fn(&Stm, &Colours) -> bool) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for (at, s) in stms.iter().enumerate() {
            let (Some(block), Exp::Alloc { bytes, space }) = (allocated(s), &s.exp) else {
                continue;
            };
            let bytes = Poly::of(bytes);
            let (factor, of) = match self.defs.expand(&bytes).as_const() {
                Some(n) if n <= REGISTERS => continue,
                Some(n) => (n, None),
                None => {
                    let size = self.defs.expand(&bytes);
                    let factor = size.content();
                    (factor, size.div_exact(factor))
                }
            };
            if chosen(s, self) && !self.escapes(block) && !self.kept.contains(&block) {
                let (first, last) = (usize::MAX, 0);
                let space = *space;
                found.push(Candidate { block, at, first, last, space, bytes, factor, of });
            }
        }
        if found.len() < 2 {
            return found;
        }
        let place: VarMap<usize> = found.iter().enumerate().map(|(k, c)| (c.block, k)).collect();
        for (at, s) in stms.iter().enumerate().filter(|(_, s)| allocated(s).is_none()) {
            for b in self.blocks.used_in(s) {
                if let Some(c) = place.get(&self.now(b)).and_then(|k| found.get_mut(*k)) {
                    c.first = c.first.min(at);
                    c.last = c.last.max(at);
                }
            }
        }
        found.retain(|c| c.first <= c.last);
        found
    }

    /// May it share with these, of which the first is at least as large?
    fn fits(&self, c: &Candidate, colour: &Colour<'_>) -> bool {
        colour.iter().all(|d| d.last < c.first || c.last < d.first)
            && colour.first().is_some_and(|largest| {
                let multiple = c.of.is_none() || largest.factor.checked_rem(c.factor) == Some(0);
                c.space == largest.space && c.of == largest.of && multiple
            })
    }

    /// What a block has become.
    fn now(&self, mut block: Var) -> Var {
        while let Some(b) = self.over.get(&block) {
            block = *b;
        }
        block
    }

    /// Puts every array where its block has gone.
    pub(super) fn apply(self, prog: &mut Program) {
        if self.over.is_empty() {
            return;
        }
        let mut subst: Subst = self.over.keys().map(|b| (*b, self.now(*b))).collect();
        subst.body(&mut prog.consts);
        for f in &mut prog.funs {
            subst.fun(f);
        }
    }
}

/// The block that a statement allocates.
fn allocated(s: &Stm) -> Option<Var> {
    match (&s.exp, s.pat.as_slice()) {
        (Exp::Alloc { .. }, [p]) => Some(p.var),
        _ => None,
    }
}

struct Kept<'b> {
    blocks: &'b Blocks,
    found: VarSet,
}

impl Kept<'_> {
    fn list(&mut self, stms: &[Stm], result: impl IntoIterator<Item = SubExp>) {
        let own: VarSet = stms.iter().filter_map(allocated).collect();
        if !own.is_empty() {
            let used = result.into_iter().filter_map(|x| self.blocks.used_by(x.var()?));
            self.found.extend(used.filter(|b| own.contains(b)));
        }
    }
}

impl Visit for Kept<'_> {
    fn body(&mut self, b: &Body) {
        walk::body(self, b);
        self.list(&b.stms, b.result.iter().copied());
    }

    fn kernel_body(&mut self, b: &KernelBody) {
        walk::kernel_body(self, b);
        let results = b.results.iter().flat_map(|r| match r {
            KernelResult::Return(x) => vec![*x],
            KernelResult::Write { dest, writes } => {
                let values = writes.iter().map(|(_, x)| *x);
                values.chain([SubExp::Var(*dest)]).collect()
            }
        });
        self.list(&b.stms, results);
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;
    use crate::passes::mem::hoist;

    /// What `hoist` makes of a loop over `i_6` with this body.
    fn after(body: &str) -> String {
        let text = format!(
            "level mem
fun main (n_1: i64) : (r_2: i64) {{
  let r_4: i64 = loop (p_5: i64 = 0) for i_6: i64 < n_1 {{
{body}
  }}
  in r_4
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let p = hoist(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    /// Arrays of these sizes and element types in blocks of their own, each read when the next is
    /// there. The blocks are `b_10`, `b_11`, …, the arrays `a_20`, `a_21`, …
    fn stages(of: &[(&str, &str)]) -> String {
        let mut out = String::new();
        for (k, (n, elem)) in (0i64..).zip(of) {
            let bytes = if *elem == "i64" { 8 } else { 4 };
            out += &format!(
                "let b_{}: mem.host = alloc(({n} * {bytes}), host)
let a_{}: [{n}]{elem} @ b_{} -> {{0; ({n}, 1)}} = replicate([{n}], {})\n",
                10 + k,
                20 + k,
                10 + k,
                if *elem == "i64" { "i_6" } else { "0i32" }
            );
            if let Some((_, elem)) = usize::try_from(k - 1).ok().and_then(|k| of.get(k)) {
                out += &format!("let x_{}: {elem} = index a_{}[0]\n", 30 + k, 19 + k);
            }
        }
        out + &format!("let q_7: {} = index a_{}[0] ", of[of.len() - 1].1, 19 + of.len())
    }

    #[test]
    fn blocks_of_one_size_take_turns() {
        let out = after(&(stages(&[("n_1", "i64"); 5]) + "in q_7"));
        assert_eq!(out.matches("alloc").count(), 2, "{out}");
        for (array, block) in [(20, 10), (21, 11), (22, 10), (23, 11), (24, 10)] {
            assert!(out.contains(&format!("a_{array}: [n_1]i64 @ b_{block} ")), "{out}");
        }
    }

    #[test]
    fn smaller_arrays_go_into_larger_blocks() {
        let stages = stages(&[("n_1", "i32"), ("n_1", "i32"), ("n_1", "i64"), ("n_1", "i64")]);
        let out = after(&(stages + "in q_7"));
        // The first is made larger for the third, the second for the fourth.
        assert_eq!(out.matches("alloc((n_1 * 8), host)").count(), 2, "{out}");
        assert_eq!(out.matches("alloc").count(), 2, "{out}");
        assert!(out.contains("a_20: [n_1]i32 @ b_10 "), "{out}");
        assert!(out.contains("a_22: [n_1]i64 @ b_10 "), "{out}");
    }

    #[test]
    fn constant_sizes_need_not_be_multiples() {
        let out = after(&(stages(&[("500", "i64"), ("9", "i64"), ("700", "i64")]) + "in q_7"));
        assert!(out.contains("let b_10: mem.host = alloc(5600, host)"), "{out}");
        assert!(out.contains("let b_11: mem.host = alloc((9 * 8), host)"), "{out}");
        assert_eq!(out.matches("alloc").count(), 2, "{out}");
    }

    #[test]
    fn what_one_statement_needs_stays_apart() {
        // A copy reads the one and writes the other.
        let copied = "let b_13: mem.host = alloc((n_1 * 8), host)
let a_23: [n_1]i64 @ b_13 -> {0; (n_1, 1)} = copy(a_21)
let y_40: i64 = index a_23[0]
in y_40";
        let out = after(&(stages(&[("n_1", "i64"); 2]) + copied));
        assert!(out.contains("a_23: [n_1]i64 @ b_10 "), "{out}");
        assert!(out.contains("copy(a_21)"), "{out}");
        // A loop inside is one statement.
        let looped = "let s_50: i64 = loop (p_51: i64 = 0) for i_52: i64 < n_1 {
  let v_53: i64 = index a_20[i_52]
  let w_54: i64 = add.i64(v_53, p_51)
  in w_54
}
let b_13: mem.host = alloc((n_1 * 8), host)
let a_23: [n_1]i64 @ b_13 -> {0; (n_1, 1)} = replicate([n_1], s_50)
let y_40: i64 = index a_23[0]
in y_40";
        let out = after(&(stages(&[("n_1", "i64"); 2]) + looped));
        assert!(out.contains("a_23: [n_1]i64 @ b_10 "), "{out}");
        let out = after(&(stages(&[("n_1", "i64"); 2]) + &looped.replace("a_23[0]", "a_20[0]")));
        assert!(out.contains("a_23: [n_1]i64 @ b_11 "), "{out}");
    }

    #[test]
    fn sizes_that_are_not_comparable_stay_apart() {
        let other = "let k_60: i64 = add.i64(n_1, 1)\n";
        let stages = stages(&[("n_1", "i64"), ("100", "i64"), ("n_1", "i64"), ("k_60", "i64")]);
        let out = after(&(other.to_owned() + &stages + "in q_7"));
        // What depends on the loop's own variables is not hoisted, hence no candidate.
        assert_eq!(out.matches("alloc").count(), 3, "{out}");
        assert!(out.contains("@ b_13 "), "{out}");
    }

    #[test]
    fn blocks_outside_of_loops_and_small_ones_stay() {
        let out = after(&(stages(&[("9", "i64"); 4]) + "in q_7"));
        assert_eq!(out.matches("alloc").count(), 4, "{out}");
        let body = stages(&[("n_1", "i64"); 4]).replace("i_6", "n_1");
        let text = format!("level mem\nfun main (n_1: i64) : (r_2: i64) {{ {body} in q_7 }}");
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(hoist(p.clone()), p);
    }

    #[test]
    fn blocks_of_threads_are_shared_in_the_kernel() {
        let body = stages(&[("n_1", "i64"); 4]);
        let text = format!(
            "level mem
fun main (n_1: i64, m_3: mem.device) : (c_4: mem.device, r_5: [n_1]i64 @ c_4 -> {{0; (n_1, 1)}}) {{
  let c_8: mem.device = alloc((n_1 * 8), device)
  let s_9: [n_1]i64 @ c_8 -> {{0; (n_1, 1)}} = segmap grid (i_6 < n_1) : (i64) {{
    let l_50: mem.local = alloc(16, local)
    let t_51: [2]i64 @ l_50 -> {{0; (2, 1)}} = replicate([2], i_6)
    {}
    in (return q_7)
  }}
  in (c_8, s_9)
}}",
            body.replace("host", "device")
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let p = hoist(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        let out = p.to_string();
        let kernel = &out[out.find("segmap").unwrap_or(0)..];
        // A block of each thread stays with its thread.
        assert!(kernel.contains("l_50: mem.local = alloc(16, local)"), "{out}");
        assert_eq!(kernel.matches("device = alloc").count(), 2, "{out}");
    }
}
