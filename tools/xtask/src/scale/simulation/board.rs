//! Forked loops, as workers see them.

use super::super::trace::Loop;
use std::ops::Range;

/// A forked loop.
pub struct Forked<'a> {
    pub of: &'a Loop,
    pub owner: usize,
    /// Around it.
    pub parent: Option<usize>,
    /// Bytes that a worker in its tasks would use in a nanosecond.
    pub demand: f64,
    /// Of each piece, the next chunk.
    next: Vec<usize>,
    /// There may be chunks to claim.
    pub open: bool,
    /// Workers besides the owner that are in it, and whether there were any.
    pub inside: usize,
    pub helped: bool,
    /// Workers to be woken still.
    pub wakes: f64,
    /// Of a chain: which tasks have come to their marks, how many of the first have, and who waits.
    asked: Vec<bool>,
    first: usize,
    waiting: Vec<(usize, usize)>,
}

/// All of them; what is over stays.
#[derive(Default)]
pub struct Board<'a> {
    loops: Vec<Forked<'a>>,
}

impl<'a> Board<'a> {
    pub fn publish(
        &mut self,
        of: &'a Loop,
        owner: usize,
        parent: Option<usize>,
        demand: f64,
    ) -> usize {
        self.loops.push(Forked {
            of,
            owner,
            parent,
            demand,
            next: vec![0; pieces(of)],
            open: true,
            inside: 0,
            helped: false,
            wakes: 0.0,
            asked: vec![false; if of.chain { of.tasks.len() } else { 0 }],
            first: 0,
            waiting: Vec::new(),
        });
        self.loops.len() - 1
    }

    pub fn get(&self, id: usize) -> Option<&Forked<'a>> {
        self.loops.get(id)
    }

    pub fn get_mut(&mut self, id: usize) -> Option<&mut Forked<'a>> {
        self.loops.get_mut(id)
    }

    /// Whether a loop is `outer` or inside of it.
    pub fn is_inside(&self, id: usize, outer: usize) -> bool {
        let mut at = Some(id);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.get(id).and_then(|f| f.parent);
        }
        false
    }
}

/// How many workers besides the owner can find a chunk.
pub fn wanted(l: &Loop, workers: usize) -> usize {
    let chunks = (l.piece - 1) / l.chunk + 1;
    let others = workers - 1;
    if chunks > others { others } else { others.min(chunks * pieces(l) - 1) }
}

fn pieces(l: &Loop) -> usize {
    l.tasks.len().div_ceil(l.piece)
}

impl Forked<'_> {
    pub fn pieces(&self) -> usize {
        self.next.len()
    }

    /// The tasks of the next chunk of a piece.
    pub fn claim(&mut self, piece: usize) -> Option<Range<usize>> {
        let base = piece * self.of.piece;
        let end = self.of.tasks.len().min(base + self.of.piece);
        let next = self.next.get_mut(piece)?;
        let lo = base + *next * self.of.chunk;
        if lo >= end {
            return None;
        }
        *next += 1;
        Some(lo..end.min(lo + self.of.chunk))
    }

    /// A task has come to its mark: whether it goes on, or waits for those before.
    pub fn ask(&mut self, task: usize, worker: usize) -> bool {
        if let Some(asked) = self.asked.get_mut(task) {
            *asked = true;
        }
        while self.asked.get(self.first) == Some(&true) {
            self.first += 1;
        }
        let goes_on = self.first > task;
        if !goes_on {
            self.waiting.push((task, worker));
        }
        goes_on
    }

    /// Who may go on by now.
    pub fn answered(&mut self) -> Vec<usize> {
        let first = self.first;
        let (go, wait) = self.waiting.iter().partition(|(task, _)| *task < first);
        self.waiting = wait;
        let go: Vec<(usize, usize)> = go;
        go.into_iter().map(|(_, worker)| worker).collect()
    }
}
