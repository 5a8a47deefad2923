//! The part of a program that some entry points reach, as a program.

use super::graph::Graph;
use crate::ir::{Body, Fun, Program};

/// What `entries` reach: functions in the order in which they are reached, callees first; constants and
/// globals in the order of the program. Other entry points among the functions are none here.
pub fn slice(program: &Program, graph: &Graph, entries: &[usize]) -> Program {
    let kept = graph.reach(entries.iter().copied());
    let mut order = Vec::new();
    let mut seen = vec![false; graph.needs.len()];
    let constants = (graph.funs..graph.needs.len()).filter(|n| kept[*n]);
    for root in constants.chain(entries.iter().copied()) {
        visit(graph, root, &mut seen, &mut order);
    }
    let funs = order.into_iter().filter_map(|i| {
        let mut f = program.funs.get(i)?.clone();
        if !entries.contains(&i) {
            f.entry = None;
        }
        Some(f)
    });
    of_kept(program, graph, &kept, funs.collect())
}

/// A program of these functions, with the constants and globals that are kept.
pub fn of_kept(program: &Program, graph: &Graph, kept: &[bool], funs: Vec<Fun>) -> Program {
    let first_global = graph.funs + graph.stms;
    let stm = |i: &usize| kept[graph.funs + i];
    let global = |i: &usize| kept[first_global + i];
    let stms = (0..graph.stms).filter(stm).map(|i| program.consts.stms[i].clone()).collect();
    let globals: Vec<usize> = (0..program.globals.len()).filter(global).collect();
    Program {
        level: program.level,
        next_tag: program.next_tag,
        funs,
        globals: globals.iter().map(|i| program.globals[*i].clone()).collect(),
        consts: Body { stms, result: globals.iter().map(|i| program.consts.result[*i]).collect() },
    }
}

/// The functions below a node that were not seen, callees first.
pub fn visit(graph: &Graph, node: usize, seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[node], true) {
        return;
    }
    for &next in &graph.needs[node] {
        visit(graph, next, seen, order);
    }
    if node < graph.funs {
        order.push(node);
    }
}
