//! What workers do.

use super::super::trace::Step;
use super::board::Forked;
use super::lost::Place;
use super::state::Simulation;
use super::worker::{Frame, Owner, Rest, Worker};

impl<'a> Simulation<'a> {
    /// The first worker calls the entry point.
    pub fn begin(&mut self, steps: &'a [Step]) {
        let of = Owner { top: true, place: Place::Between(None, None), chain: None, demand: 0.0 };
        if let Some(w) = self.workers.first_mut() {
            w.rest = Rest::Busy;
            w.frames.push(Frame::Steps { steps, next: 0, of });
        }
        self.go_on(0);
    }

    /// A worker whose segment is over does what comes next, until that takes time.
    pub fn go_on(&mut self, who: usize) {
        if let Some(w) = self.workers.get_mut(who) {
            w.rest = Rest::Busy;
        }
        while !self.ended && self.step(who) {}
    }

    /// False if the worker is in a segment, or waits.
    fn step(&mut self, who: usize) -> bool {
        let Some(w) = self.workers.get_mut(who) else { return false };
        match w.frames.last_mut() {
            None => self.seek(who),
            Some(Frame::Steps { steps, next, of }) => {
                let (steps, at, of) = (*steps, *next, *of);
                *next += 1;
                match steps.get(at) {
                    None => {
                        w.frames.pop();
                        self.ended = of.top;
                        true
                    }
                    Some(Step::Work(time)) => {
                        let place = if of.top { between(steps, at) } else { of.place };
                        self.clock.work(who, place, *time, of.demand);
                        false
                    }
                    Some(Step::Mark) => self.mark(who, of),
                    Some(Step::Loop(l)) => self.meet(who, l, of),
                }
            }
            Some(Frame::Alone { of, next, owner }) => {
                let (task, owner) = (of.tasks.get(*next), *owner);
                *next += 1;
                match task {
                    None => drop(w.frames.pop()),
                    Some(steps) => w.frames.push(Frame::Steps { steps, next: 0, of: owner }),
                }
                true
            }
            Some(Frame::Turn { .. }) => self.turn(who),
            Some(Frame::Finish { id }) => {
                let id = *id;
                self.finish(who, id)
            }
        }
    }

    /// A task asks what those before it have come to.
    fn mark(&mut self, who: usize, of: Owner) -> bool {
        let Some((id, task)) = of.chain else { return true };
        let Some(forked) = self.board.get_mut(id) else { return true };
        let goes_on = forked.ask(task, who);
        let answered = forked.answered();
        for worker in answered {
            self.call(worker, self.machine.notice);
        }
        if !goes_on && let Some(w) = self.workers.get_mut(who) {
            w.rest = Rest::Asking;
        }
        goes_on
    }

    /// A worker that waits goes on after some time.
    pub fn call(&mut self, who: usize, after: f64) {
        let now = self.clock.now();
        if let Some(w) = self.workers.get_mut(who) {
            if w.sleeps(now, self.rules) {
                w.since = now + after;
            }
            w.rest = Rest::Called;
            self.clock.until(who, now + after);
        }
    }

    /// Begins to claim chunks.
    pub fn join(&mut self, who: usize, id: usize) {
        let pieces = self.board.get(id).map_or(1, Forked::pieces);
        if let Some(w) = self.workers.get_mut(who) {
            w.frames.push(Frame::Turn { id, piece: who % pieces, left: pieces, chunk: 0..0 });
        }
    }

    /// Assists a loop of another.
    fn assist(&mut self, who: usize, id: usize) {
        if let Some(forked) = self.board.get_mut(id) {
            forked.inside += 1;
            forked.helped = true;
            self.join(who, id);
        }
    }

    /// The next task, or the next chunk, or it is over.
    fn turn(&mut self, who: usize) -> bool {
        let Some(w) = self.workers.get_mut(who) else { return false };
        let Some(Frame::Turn { id, piece, left, chunk }) = w.frames.last_mut() else {
            return false;
        };
        let id = *id;
        let Some(forked) = self.board.get_mut(id) else { return false };
        let l = forked.of;
        if let Some(task) = chunk.next() {
            let of = Owner {
                top: false,
                place: Place::Tasks(l.site),
                chain: l.chain.then_some((id, task)),
                demand: forked.demand,
            };
            if let Some(steps) = l.tasks.get(task) {
                w.frames.push(Frame::Steps { steps, next: 0, of });
            }
            return true;
        }
        while *left > 0 {
            if let Some(tasks) = forked.claim(*piece) {
                *chunk = tasks;
                self.clock.schedule(who, self.machine.claim);
                return false;
            }
            *left -= 1;
            *piece = (*piece + 1) % forked.pieces();
        }
        forked.open = false;
        w.frames.pop();
        if forked.owner != who {
            w.since = self.clock.now();
            forked.inside -= 1;
            let (owner, over) = (forked.owner, forked.inside == 0);
            let waits = |w: &Worker<'_>| w.rest == Rest::Idle && w.waits_at_end() == Some(id);
            if over && let Some(w) = self.workers.get(owner).filter(|w| waits(w)) {
                let sleeps = w.sleeps(self.clock.now(), self.rules);
                self.call(owner, if sleeps { self.machine.wake } else { self.machine.notice });
            }
        }
        true
    }

    /// At the end of its own loop, a worker assists those inside of it until all have left.
    fn finish(&mut self, who: usize, id: usize) -> bool {
        let Some(forked) = self.board.get(id) else { return false };
        let (over, helped) = (forked.inside == 0, forked.helped);
        if over {
            if let Some(w) = self.workers.get_mut(who) {
                w.frames.pop();
                w.own.pop();
                w.helped |= helped;
            }
            return true;
        }
        let others = self.workers.iter().enumerate().filter(|(i, _)| *i != who);
        let inside = others.flat_map(|(_, w)| &w.own).copied().find(|own| {
            self.board.get(*own).is_some_and(|f| f.open) && self.board.is_inside(*own, id)
        });
        let now = self.clock.now();
        match inside {
            Some(inside) => {
                self.assist(who, inside);
                true
            }
            None => {
                if let Some(w) = self.workers.get_mut(who) {
                    w.rest = Rest::Idle;
                    w.since = now;
                }
                false
            }
        }
    }

    /// Looks for a loop to assist: the outermost that is open of the caller, or of some other worker.
    fn seek(&mut self, who: usize) -> bool {
        let others = self.workers.len() - 1;
        let order = std::iter::once(0).chain((0..others).map(|i| (who + i) % others + 1));
        let own =
            order.filter(|i| *i != who).filter_map(|i| self.workers.get(i)).flat_map(|w| &w.own);
        let found = own.copied().find(|id| self.board.get(*id).is_some_and(|f| f.open));
        let Some(id) = found else {
            if let Some(w) = self.workers.get_mut(who) {
                w.rest = Rest::Idle;
            }
            return false;
        };
        self.assist(who, id);
        let at_once = self.rules.wakes_at_once;
        let wakes = self.board.get_mut(id).map_or(0.0, |forked| {
            let wakes = forked.wakes;
            forked.wakes -= at_once;
            wakes.clamp(0.0, at_once)
        });
        let woken = self.wake(wakes);
        if woken > 0.0 {
            self.clock.schedule(who, woken * self.machine.waking);
        }
        woken == 0.0
    }
}

/// What stands at `at` is behind one loop and before another.
fn between(steps: &[Step], at: usize) -> Place {
    let site = |s: &Step| match s {
        Step::Loop(l) => Some(l.site),
        _ => None,
    };
    let (before, behind) = steps.split_at(at.min(steps.len()));
    Place::Between(before.iter().rev().find_map(site), behind.iter().find_map(site))
}
