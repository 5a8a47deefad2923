//! A large unit in parts, each with some of its functions, of which the others have signatures only.
//!
//! Entry points that share most of their code are one unit, however much that is. Such a unit goes through the
//! passes that look into what a function calls (`crate::pipelines::INTERPROCEDURAL`) as a whole, and is cut
//! behind them. Passes after these, and code generation, ask no more of a function that is called than its
//! [`Linkage`] and its signature, which stand in the part of each caller: so a part is compiled by itself, and
//! its text is its key, as that of a unit is.
//!
//! ```text
//! part u.f                              part u.g
//!   fun f (…) exported "fut.u.f" {…}      fun f (…) : (…) imported "fut.u.f"
//!                                         fun g (…) { … call f (…) … }
//! ```
//!
//! In one part are functions that call each other, and those that need a costly constant, with all that this
//! calls: constants of a part are computed before any other part's need be there. Cheap constants are computed by
//! each part that needs them. Functions stand behind what they call, and are cut into parts where their names say
//! so, so that parts before and behind an edited one stay as they are.

use super::canonical::{Places, canonical};
use super::graph::Graph;
use super::groups::{find, fnv, join};
use super::slice::{of_kept, visit};
use super::unit::Unit;
use crate::ir::varmap::FastSet;
use crate::ir::{Body, Fun, Import, Linkage, Program};
use crate::passes::dead_code::tracing;
use futc_typed::name::Name;

/// A part has about so many statements, behind the passes that look into callees.
pub const PART: usize = 400;
/// One function in so many begins a new part, if that before it has half of the statements it may have.
const BOUNDARY: u64 = 4;

/// The parts of a unit behind the passes that look into callees, with the positions that its own stand for.
/// Of about `size` statements each; none if it is not worth it, or cannot be done.
pub fn parts(unit: &str, mut program: Program, places: &Places, size: usize) -> Vec<Unit> {
    let graph = Graph::of(&program);
    let roots: Vec<usize> = (0..graph.funs).filter(|i| program.funs[*i].is_root()).collect();
    let reached = graph.reach(roots.iter().copied());
    let weight: usize = (0..graph.funs).filter(|i| reached[*i]).map(|i| graph.weights[i]).sum();
    if graph.has_effects || weight < 2 * size {
        return Vec::new();
    }
    let part_of = cut(&program, &graph, &roots, size);
    let count = part_of.iter().flatten().max().map_or(0, |last| last + 1);
    if count < 2 {
        return Vec::new();
    }
    // What each needs directly, by the functions in other parts that do.
    let mut exported = vec![false; graph.funs];
    for caller in (0..graph.funs).filter(|i| reached[*i]) {
        for &callee in graph.needs[caller].iter().filter(|n| **n < graph.funs) {
            exported[callee] |= part_of[caller] != part_of[callee];
        }
    }
    places.restore(&mut program);
    let effects = tracing(&program);
    let symbol = |f: &Fun| Name::new(&format!("fut.{}.{}", escape(unit), escape(f.name.as_str())));
    let one = |part: usize| {
        let members: Vec<usize> = (0..graph.funs).filter(|i| part_of[*i] == Some(part)).collect();
        let kept = reach_within(&graph, &members, &part_of, part);
        let mut seen: Vec<bool> =
            (0..graph.needs.len()).map(|n| n < graph.funs && !kept[n]).collect();
        let mut order = Vec::new();
        for &member in &members {
            visit(&graph, member, &mut seen, &mut order);
        }
        let mut funs = Vec::new();
        let mut known: FastSet<usize> = order.iter().copied().collect();
        for &at in &order {
            for &callee in graph.needs[at].iter().filter(|n| **n < graph.funs) {
                if known.insert(callee) {
                    let f = &program.funs[callee];
                    let import = Import {
                        symbol: symbol(f),
                        has_effects: effects.contains(&f.name),
                        sees_globals: !program.globals.is_empty(),
                    };
                    funs.push(signature(f, import));
                }
            }
        }
        let name = order.first().map_or("", |at| program.funs[*at].name.as_str());
        let name = format!("{}.{}", escape(unit), escape(name));
        for &at in &order {
            let mut f = program.funs[at].clone();
            if exported[at] {
                f.linkage = Linkage::Exported(symbol(&f));
            }
            funs.push(f);
        }
        let mut program = of_kept(&program, &graph, &kept, funs);
        let places = canonical(&mut program);
        Unit { name, program, places, is_part: true }
    };
    (0..count).map(one).collect()
}

/// Which part each function is in that a root reaches.
fn cut(program: &Program, graph: &Graph, roots: &[usize], size: usize) -> Vec<Option<usize>> {
    let (mut seen, mut order) = (vec![false; graph.needs.len()], Vec::new());
    for &root in roots {
        visit(graph, root, &mut seen, &mut order);
    }
    let mut leader: Vec<usize> = (0..graph.funs).collect();
    rings(graph, &order, &mut leader);
    constants(graph, &order, &mut leader);
    let mut weights = vec![0; graph.funs];
    for &at in &order {
        weights[find(&leader, at)] += graph.weights[at];
    }
    let mut part_of_group: Vec<Option<usize>> = vec![None; graph.funs];
    let (mut part, mut filled) = (0, 0);
    for &at in &order {
        let group = find(&leader, at);
        if part_of_group[group].is_some() {
            continue;
        }
        let boundary = fnv(program.funs[at].name.as_str()).is_multiple_of(BOUNDARY);
        let full = filled + weights[group] > 2 * size;
        if filled > 0 && (full || filled >= size / 2 && boundary) {
            (part, filled) = (part + 1, 0);
        }
        part_of_group[group] = Some(part);
        filled += weights[group];
    }
    let mut out = vec![None; graph.funs];
    for &at in &order {
        out[at] = part_of_group[find(&leader, at)];
    }
    out
}

/// Joins functions that call each other, in a circle of any length.
fn rings(graph: &Graph, order: &[usize], leader: &mut [usize]) {
    let mut place = vec![usize::MAX; graph.funs];
    for (i, at) in order.iter().enumerate() {
        place[*at] = i;
    }
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); graph.funs];
    for &at in order {
        for &callee in graph.needs[at].iter().filter(|n| **n < graph.funs) {
            callers[callee].push(at);
        }
    }
    for (i, &at) in order.iter().enumerate() {
        // Only in a circle does a function call what stands behind it.
        let circle = graph.needs[at].iter().any(|n| *n < graph.funs && place[*n] > i);
        if !circle {
            continue;
        }
        let below = graph.reach([at]);
        let (mut above, mut todo) = (FastSet::default(), vec![at]);
        while let Some(node) = todo.pop() {
            if above.insert(node) {
                todo.extend(callers[node].iter().copied());
                if below[node] {
                    join(leader, at, node);
                }
            }
        }
    }
}

/// Joins those that need one costly constant, and all that constants call.
fn constants(graph: &Graph, order: &[usize], leader: &mut [usize]) {
    let needs_directly = |node: usize| {
        // Through constants, not through calls.
        let mut seen = FastSet::default();
        let mut todo = vec![node];
        while let Some(next) = todo.pop() {
            for &n in &graph.needs[next] {
                if n >= graph.funs && seen.insert(n) {
                    todo.push(n);
                }
            }
        }
        seen
    };
    let mut first_of: Vec<Option<usize>> = vec![None; graph.needs.len()];
    for &at in order {
        for constant in needs_directly(at) {
            let calls: Vec<usize> =
                graph.needs[constant].iter().copied().filter(|n| *n < graph.funs).collect();
            if !graph.costly[constant] && calls.is_empty() {
                continue;
            }
            match first_of[constant] {
                Some(first) => join(leader, first, at),
                None => {
                    first_of[constant] = Some(at);
                    let called = graph.reach(calls);
                    for f in (0..graph.funs).filter(|f| called[*f]) {
                        join(leader, at, f);
                    }
                }
            }
        }
    }
}

/// The functions of a part, and the constants and globals that they need.
fn reach_within(
    graph: &Graph,
    members: &[usize],
    part_of: &[Option<usize>],
    part: usize,
) -> Vec<bool> {
    let mut seen = vec![false; graph.needs.len()];
    let mut todo: Vec<usize> = members.to_vec();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            let here = |n: &usize| *n >= graph.funs || part_of[*n] == Some(part);
            todo.extend(graph.needs[node].iter().copied().filter(here));
        }
    }
    seen
}

/// A function of another part.
fn signature(f: &Fun, import: Import) -> Fun {
    Fun {
        name: f.name,
        entry: None,
        linkage: Linkage::Imported(import),
        params: f.params.clone(),
        results: f.results.clone(),
        body: Body::default(),
        attrs: Vec::new(),
        loc: None,
    }
}

/// A name as part of a symbol, without characters that an assembler or linker reads in a way of its own. No two
/// names become one.
fn escape(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => out.push(char::from(byte)),
            _ => out.push_str(&format!("${byte:02x}")),
        }
    }
    out
}
