//! Coming to a loop: whether it is forked, and who comes to it.

use super::super::bounds::work_of;
use super::super::trace::Loop;
use super::worker::{Frame, Owner, Rest};
use super::{Place, Simulation};

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
        let Some(w) = self.workers.get_mut(who) else { return false };
        let id = self.board.publish(l, who, w.innermost(), rate);
        w.own.push(id);
        w.frames.push(Frame::Finish { id });
        let wakes = l.estimate >= self.rules.wake || w.passed_over >= self.rules.patience;
        let mut cost = self.machine.fork;
        if wakes {
            w.passed_over = 0.0;
        }
        self.join(who, id);
        let workers = self.workers.len();
        if wakes && let Some(forked) = self.board.get_mut(id) {
            let wanted = forked.wanted(workers) as f64;
            forked.wakes = wanted - self.rules.wakes_at_once;
            let woken = self.wake(self.rules.wakes_at_once.min(wanted));
            cost += woken * self.machine.waking;
        }
        self.show(id, wakes);
        self.clock.schedule(who, cost);
        false
    }

    /// Whether to fork a loop, as `futc_loop_pays`.
    fn pays(&mut self, who: usize, estimate: f64) -> bool {
        let now = self.clock.now();
        let asleep =
            self.workers.iter().filter(|w| w.frames.is_empty() && w.sleeps(now, self.rules));
        let all_sleep = asleep.count() + 1 >= self.workers.len();
        let one = self.workers.len() == 1;
        let rules = self.rules;
        let Some(w) = self.workers.get_mut(who) else { return false };
        let least = if w.innermost().is_some() { rules.fork_inner } else { rules.fork };
        if one || estimate < least {
            return false;
        }
        if estimate < rules.wake && all_sleep {
            w.passed_over += estimate;
            if w.passed_over < rules.patience || w.passed_over < w.patience {
                return false;
            }
            w.patience = match w.helped {
                true => rules.patience,
                false if w.patience < rules.most_patience / 2.0 => w.passed_over * 2.0,
                false => rules.most_patience,
            };
            w.helped = false;
        }
        (w.own.len() as f64) < rules.most_nested
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
