//! Time, and what the workers do in it: segments that end at some time, which moves while they share the memory's
//! bandwidth.

use super::lost::{Lost, Outcome, Place};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// What a worker is in.
#[derive(Clone, Copy, Debug)]
enum Segment {
    /// Nothing that ends by itself.
    None,
    /// Waits until a time.
    Until,
    /// Forks, wakes or claims.
    Scheduling,
    /// Computes: so much is left, of what began as `whole`.
    Work { place: Place, demand: f64, whole: f64, left: f64, since: f64, speed: f64, began: f64 },
}

#[derive(PartialEq)]
struct End {
    at: f64,
    worker: usize,
    version: u64,
}

impl Eq for End {}

impl Ord for End {
    /// The earliest is the greatest; of several, that of the lowest worker.
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.total_cmp(&self.at).then(other.worker.cmp(&self.worker))
    }
}

impl PartialOrd for End {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

pub struct Clock {
    now: f64,
    ends: BinaryHeap<End>,
    segments: Vec<(Segment, u64)>,
    /// Bytes in a nanosecond, of all workers together.
    bandwidth: f64,
    /// What those who compute would use.
    demand: f64,
    /// Some are slowed down.
    contended: bool,
    /// Workers that compute, by what, and those that schedule.
    busy: Vec<(Place, usize)>,
    schedulers: usize,
    scheduling: f64,
    lost: HashMap<Place, Lost>,
}

impl Clock {
    pub fn new(workers: usize, bandwidth: f64) -> Clock {
        Clock {
            now: 0.0,
            ends: BinaryHeap::new(),
            segments: (0..workers).map(|_| (Segment::None, 0)).collect(),
            bandwidth,
            demand: 0.0,
            contended: false,
            busy: Vec::new(),
            schedulers: 0,
            scheduling: 0.0,
            lost: HashMap::new(),
        }
    }

    pub fn now(&self) -> f64 {
        self.now
    }

    /// Goes on to the end of the next segment; says whose it is.
    pub fn next(&mut self) -> Option<usize> {
        loop {
            let end = self.ends.pop()?;
            let (segment, version) = *self.segments.get(end.worker)?;
            if version == end.version {
                self.pass(end.at);
                self.leave(end.worker, segment);
                return Some(end.worker);
            }
        }
    }

    /// The worker waits until a time.
    pub fn until(&mut self, worker: usize, at: f64) {
        self.enter(worker, Segment::Until, at.max(self.now));
    }

    /// The worker does the scheduler's work.
    pub fn schedule(&mut self, worker: usize, time: f64) {
        self.schedulers += 1;
        self.enter(worker, Segment::Scheduling, self.now + time);
    }

    /// The worker computes, and would use so many bytes of memory in a nanosecond.
    pub fn work(&mut self, worker: usize, place: Place, time: f64, demand: f64) {
        match self.busy.iter_mut().find(|(p, _)| *p == place) {
            Some((_, count)) => *count += 1,
            None => self.busy.push((place, 1)),
        }
        let now = self.now;
        let work = Segment::Work {
            place,
            demand,
            whole: time,
            left: time,
            since: now,
            speed: 1.0,
            began: now,
        };
        self.enter(worker, work, now + time);
        self.demand += demand;
        if demand > 0.0 {
            self.share();
        }
    }

    pub fn outcome(self) -> Outcome {
        let mut lost: Vec<(Place, Lost)> = self.lost.into_iter().collect();
        let of = |l: &Lost| l.idle + l.stalled;
        lost.sort_by(|a, b| of(&b.1).total_cmp(&of(&a.1)));
        Outcome { time: self.now, scheduling: self.scheduling, lost }
    }

    fn enter(&mut self, worker: usize, segment: Segment, at: f64) {
        if let Some((own, version)) = self.segments.get_mut(worker) {
            *own = segment;
            *version += 1;
            self.ends.push(End { at, worker, version: *version });
        }
    }

    fn leave(&mut self, worker: usize, segment: Segment) {
        if let Some((own, _)) = self.segments.get_mut(worker) {
            *own = Segment::None;
        }
        match segment {
            Segment::None | Segment::Until => {}
            Segment::Scheduling => self.schedulers -= 1,
            Segment::Work { place, demand, whole, began, .. } => {
                self.lost.entry(place).or_default().stalled += self.now - began - whole;
                if let Some(i) = self.busy.iter().position(|(p, _)| *p == place)
                    && let Some((_, count)) = self.busy.get_mut(i)
                {
                    *count -= 1;
                    if *count == 0 {
                        self.busy.swap_remove(i);
                    }
                }
                self.demand -= demand;
                if demand > 0.0 && self.contended {
                    self.share();
                }
            }
        }
    }

    /// What has nobody to do it is lost at what the others do.
    fn pass(&mut self, to: f64) {
        let time = to - self.now;
        self.now = to;
        if time <= 0.0 {
            return;
        }
        self.scheduling += time * self.schedulers as f64;
        let busy: usize = self.busy.iter().map(|(_, count)| count).sum();
        let idle = (self.segments.len() - busy - self.schedulers) as f64 * time;
        if busy == 0 {
            self.lost.entry(Place::Scheduling).or_default().idle += idle;
        }
        for (place, count) in &self.busy {
            let lost = self.lost.entry(*place).or_default();
            lost.idle += idle * *count as f64 / busy as f64;
            if busy == 1 {
                lost.alone += time;
            }
        }
    }

    /// Shares the bandwidth: who wants little gets it, and all others the same.
    fn share(&mut self) {
        let contended = self.demand > self.bandwidth;
        if !contended && !self.contended {
            return;
        }
        self.contended = contended;
        let most = if contended { self.most() } else { f64::INFINITY };
        let now = self.now;
        for (worker, (segment, version)) in self.segments.iter_mut().enumerate() {
            let Segment::Work { demand, left, since, speed, .. } = segment else { continue };
            let new = if *demand > most { most / *demand } else { 1.0 };
            if (new - *speed).abs() <= 1e-9 {
                continue;
            }
            *left = (*left - (now - *since) * *speed).max(0.0);
            *since = now;
            *speed = new;
            *version += 1;
            self.ends.push(End { at: now + *left / new, worker, version: *version });
        }
    }

    /// What a worker gets of bandwidth that does not do for all.
    fn most(&self) -> f64 {
        let mut demands: Vec<f64> = self
            .segments
            .iter()
            .filter_map(|(s, _)| match s {
                Segment::Work { demand, .. } if *demand > 0.0 => Some(*demand),
                _ => None,
            })
            .collect();
        demands.sort_by(f64::total_cmp);
        let mut left = self.bandwidth;
        for (i, demand) in demands.iter().enumerate() {
            let fair = left / (demands.len() - i) as f64;
            if *demand > fair {
                return fair;
            }
            left -= demand;
        }
        f64::INFINITY
    }
}
