//! Circles in a graph of files.

use super::imports::Import;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// The strongly connected components of more than one file, each in order of its files.
pub fn components(files: usize, imports: &[Import]) -> Vec<Vec<usize>> {
    let mut next = vec![Vec::new(); files];
    for import in imports.iter().filter(|i| !i.call) {
        if let Some(next) = next.get_mut(import.from) {
            next.push(import.to);
        }
    }
    let reach: Vec<Vec<bool>> = (0..files).map(|from| reached(&next, from)).collect();
    let reaches =
        |a: usize, b: usize| reach.get(a).and_then(|r| r.get(b)).copied().unwrap_or(false);
    let mut out: Vec<Vec<usize>> = Vec::new();
    for file in 0..files {
        if out.iter().any(|c| c.contains(&file)) {
            continue;
        }
        let all: Vec<usize> = (file..files)
            .filter(|f| *f == file || (reaches(file, *f) && reaches(*f, file)))
            .collect();
        if all.len() > 1 {
            out.push(all);
        }
    }
    out
}

fn reached(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        for to in next.get(at).into_iter().flatten() {
            if let Some(seen) = seen.get_mut(*to)
                && !std::mem::replace(seen, true)
            {
                todo.push(*to);
            }
        }
    }
    seen
}

/// A shortest circle among the files of a component: its imports, in order.
pub fn shortest<'i>(component: &[usize], imports: &'i [Import]) -> Vec<&'i Import> {
    let inner: Vec<&Import> = imports
        .iter()
        .filter(|i| !i.call && component.contains(&i.from) && component.contains(&i.to))
        .collect();
    component
        .iter()
        .filter_map(|start| circle(*start, &inner))
        .min_by_key(Vec::len)
        .unwrap_or_default()
}

/// The shortest way from a file back to it.
fn circle<'i>(start: usize, imports: &[&'i Import]) -> Option<Vec<&'i Import>> {
    let mut by: HashMap<usize, &Import> = HashMap::new();
    let mut todo = VecDeque::from([start]);
    while let Some(at) = todo.pop_front() {
        for import in imports.iter().filter(|i| i.from == at) {
            if import.to == start {
                let mut way = vec![*import];
                let mut at = at;
                while at != start {
                    let import = by.get(&at)?;
                    way.push(import);
                    at = import.from;
                }
                way.reverse();
                return Some(way);
            }
            if let Entry::Vacant(first) = by.entry(import.to) {
                first.insert(import);
                todo.push_back(import.to);
            }
        }
    }
    None
}
