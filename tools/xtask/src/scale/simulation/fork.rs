//! Coming to a loop: whether it is forked, and who comes to it.

use super::super::bounds::work_of;
use super::super::trace::Loop;
use super::board::wanted;
use super::lost::Place;
use super::state::Simulation;
use super::worker::{Frame, Owner, Rest, Worker};

impl<'a> Simulation<'a> {
    /// Comes to a loop.
    pub fn meet(&mut self, who: usize, l: &'a Loop, of: Owner) -> bool {
        let rate = match of.demand > 0.0 || !of.top {
            true => of.demand,
            false => self.machine.demand(l.live, work_of(l)),
        };
        if !self.pays(who, l.estimate) {
            let Some(w) = self.workers.get_mut(who) else { return false };
            let place = if of.top { Place::Alone(l.site) } else { of.place };
            let owner = Owner { top: false, place, chain: None, demand: rate };
            w.frames.push(Frame::Alone { of: l, next: 0, owner });
            return true;
        }
        let wakes = self.wakes(who, l);
        let Some(w) = self.workers.get_mut(who) else { return false };
        let id = self.board.publish(l, who, w.innermost(), rate);
        w.own.push(id);
        w.frames.push(Frame::Finish { id });
        let mut cost = self.machine.fork;
        self.join(who, id);
        let workers = self.workers.len();
        if wakes && let Some(forked) = self.board.get_mut(id) {
            let wanted = wanted(forked.of, workers) as f64;
            forked.wakes = wanted - self.rules.wakes_at_once;
            let woken = self.wake(self.rules.wakes_at_once.min(wanted));
            cost += woken * self.machine.waking;
        }
        self.show(id, wakes);
        self.clock.schedule(who, cost);
        false
    }

    /// Workers that sleep for want of loops.
    fn sleeping(&self) -> usize {
        let now = self.clock.now();
        let sleeps = |w: &&Worker<'_>| w.frames.is_empty() && w.sleeps(now, self.rules);
        self.workers.iter().filter(sleeps).count()
    }

    /// Whether to fork a loop, as `futc_loop_pays`.
    fn pays(&mut self, who: usize, estimate: f64) -> bool {
        let others = self.workers.len() - 1;
        let all_sleep = self.sleeping() >= others;
        let rules = self.rules;
        let Some(w) = self.workers.get_mut(who) else { return false };
        let least = if w.innermost().is_some() { rules.fork_inner } else { rules.fork };
        if others == 0 || estimate < least {
            return false;
        }
        if estimate < rules.wake && all_sleep {
            if !w.is_impatient(estimate, rules) {
                return false;
            }
            w.impatient = true;
        }
        (w.own.len() as f64) < rules.most_nested
    }

    /// Whether others are woken for a loop that is forked, as in `futc_loop_fork`.
    fn wakes(&mut self, who: usize, l: &Loop) -> bool {
        let workers = self.workers.len();
        let few = workers - 1 - self.sleeping() < wanted(l, workers);
        let rules = self.rules;
        let Some(w) = self.workers.get_mut(who) else { return false };
        let wakes =
            l.estimate >= rules.wake || w.impatient || (few && w.is_impatient(l.estimate, rules));
        if wakes {
            w.impatient = false;
            w.passed_over = 0.0;
        }
        wakes
    }

    /// Wakes so many that sleep for want of loops; says how many.
    pub fn wake(&mut self, count: f64) -> f64 {
        let now = self.clock.now();
        let mut woken = 0.0;
        for i in 1..self.workers.len() {
            if woken >= count {
                break;
            }
            let w = self.workers.get(i);
            if w.is_some_and(|w| w.frames.is_empty() && w.sleeps(now, self.rules)) {
                self.call(i, self.machine.wake);
                woken += 1.0;
            }
        }
        woken
    }

    /// Those who look for work see a loop; who sleeps at the end of a loop around it is woken.
    fn show(&mut self, id: usize, wakes: bool) {
        let now = self.clock.now();
        for i in 0..self.workers.len() {
            let Some(w) = self.workers.get(i) else { continue };
            if w.rest != Rest::Idle {
                continue;
            }
            let sleeps = w.sleeps(now, self.rules);
            let wanted = match w.waits_at_end() {
                Some(outer) => (!sleeps || wakes) && self.board.is_inside(id, outer),
                None => !sleeps,
            };
            if wanted {
                let after = if sleeps { self.machine.wake } else { self.machine.notice };
                self.call(i, after);
            }
        }
    }
}
