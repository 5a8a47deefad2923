//! Which entry points go together.
//!
//! Those that reach the same large function do, as it would be compiled for each of them; so do those
//! that reach the same costly constant. Of what is left, small groups that stand side by side are put
//! together, up to where the name of an entry point says so: by that alone, groups behind an edited one
//! stay as they were.

use super::graph::Graph;
use crate::ir::Program;

/// Functions that have, with all they call, at most so many statements are copied to each unit.
const LIGHT: [usize; 2] = [120, 16];
/// All units together may have this much more statements than the program, in percent.
const COPIES: usize = 125;
/// Groups of fewer statements are put together.
const SMALL: usize = 40;
/// But not beyond this.
const SEVERAL: usize = 4 * SMALL;
/// One entry point in this many begins a new unit, among those of small groups.
const BOUNDARY: u64 = 4;

/// The entry points of each unit, as functions by number, in order of the first of each. One unit, or
/// none without entry points, if splitting would copy too much.
pub fn groups(program: &Program, graph: &Graph) -> Vec<Vec<usize>> {
    let entries: Vec<usize> = (program.funs.iter().enumerate())
        .filter_map(|(i, f)| f.entry.is_some().then_some(i))
        .collect();
    let reached: Vec<Vec<bool>> = entries.iter().map(|e| graph.reach([*e])).collect();
    let whole = graph.reach(entries.iter().copied());
    let allowed = weight(graph, &whole) * COPIES / 100;
    for light in LIGHT {
        let groups = gather(program, graph, &entries, &reached, light);
        let of = |g: &Vec<usize>| weight(graph, &graph.reach(g.iter().copied()));
        if groups.iter().map(of).sum::<usize>() <= allowed {
            return groups;
        }
    }
    if entries.is_empty() { Vec::new() } else { vec![entries] }
}

fn weight(graph: &Graph, nodes: &[bool]) -> usize {
    graph.weights.iter().zip(nodes).filter_map(|(w, in_it)| in_it.then_some(w)).sum()
}

fn gather(
    program: &Program,
    graph: &Graph,
    entries: &[usize],
    reached: &[Vec<bool>],
    light: usize,
) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..entries.len()).collect();
    for (node, costly) in graph.costly.iter().enumerate() {
        let mut who = (0..entries.len()).filter(|e| reached[*e][node]);
        let (Some(first), Some(second)) = (who.next(), who.next()) else { continue };
        let large = node < graph.funs && graph.is_heavier(node, light);
        if large || *costly {
            for other in std::iter::once(second).chain(who) {
                join(&mut leader, first, other);
            }
        }
    }
    // Leaders are the first of their groups.
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for e in 0..entries.len() {
        members[find(&leader, e)].push(entries[e]);
    }
    let mut out: Vec<Vec<usize>> = Vec::new();
    let (mut open, mut open_weight): (Option<usize>, usize) = (None, 0);
    for group in members.into_iter().filter(|g| !g.is_empty()) {
        let own = weight(graph, &graph.reach(group.iter().copied()));
        if own >= SMALL {
            out.push(group);
            continue;
        }
        let name = group.first().and_then(|e| program.funs.get(*e)).map(|f| f.name.as_str());
        let boundary = fnv(name.unwrap_or_default()).is_multiple_of(BOUNDARY);
        match open.and_then(|at| out.get_mut(at)) {
            Some(last) if !boundary && open_weight + own <= SEVERAL => {
                last.extend(group);
                open_weight += own;
            }
            _ => {
                (open, open_weight) = (Some(out.len()), own);
                out.push(group);
            }
        }
    }
    out
}

/// The leader of whom `e` goes with.
pub fn find(leader: &[usize], mut e: usize) -> usize {
    while let Some(&next) = leader.get(e)
        && next != e
    {
        e = next;
    }
    e
}

/// Has two, and all that go with them, go together.
pub fn join(leader: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(leader, a), find(leader, b));
    leader[a.max(b)] = a.min(b);
}

/// The hash of Fowler, Noll and Vo, which is the same in every run.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
