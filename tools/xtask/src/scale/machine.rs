//! The machine that is simulated, after the one at hand.

use std::fs;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

/// What things take, in nanoseconds and bytes.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Bytes in a nanosecond, of all workers together.
    pub bandwidth: f64,
    /// Of one worker.
    pub bandwidth_of_one: f64,
    /// What is not larger than that is not read from memory.
    pub cache: f64,
    /// From waking a thread that sleeps until it runs.
    pub wake: f64,
    /// What waking takes who wakes.
    pub waking: f64,
    /// Until who looks for something sees it.
    pub notice: f64,
    /// Publishing a loop, and taking it back.
    pub fork: f64,
    /// Claiming a chunk.
    pub claim: f64,
}

/// About what a line of the cache takes from one core to another, which these three are made of: once, twice, once.
const LINE: f64 = 100.0;

/// Bytes that are copied to measure the bandwidth, by each thread.
const COPIED: usize = 1 << 27;
/// Many: on a machine that does other things, too, all threads seldom have a processor at one time.
const COPIES: usize = 150;

/// From waking a thread by a futex until it runs, and what waking takes: of a virtual machine with two cores, where medians of
/// a thousand were 4 and 5 µs while the thread's core was awake, and 18 and 8 µs while it was not.
const WAKE: f64 = 15_000.0;
const WAKING: f64 = 5_000.0;

impl Machine {
    /// Measures the machine at hand.
    pub fn measure() -> Result<Machine, String> {
        let threads = thread::available_parallelism().map_err(|e| e.to_string())?.get();
        let bandwidth_of_one = copy(1)?;
        Ok(Machine {
            bandwidth: copy(threads)?.max(bandwidth_of_one),
            bandwidth_of_one,
            cache: last_cache().unwrap_or(32.0 * f64::from(1 << 20)),
            wake: WAKE,
            waking: WAKING,
            notice: LINE,
            fork: 2.0 * LINE,
            claim: LINE,
        })
    }

    /// Where nothing takes time but the tasks.
    #[cfg(test)]
    pub fn free() -> Machine {
        let none = f64::INFINITY;
        Machine {
            bandwidth: none,
            bandwidth_of_one: none,
            cache: 0.0,
            wake: 0.0,
            waking: 0.0,
            notice: 0.0,
            fork: 0.0,
            claim: 0.0,
        }
    }

    /// The same with as much bandwidth as may be.
    pub fn unlimited(self) -> Machine {
        Machine { bandwidth: f64::INFINITY, ..self }
    }

    /// Bytes that a worker would use in a nanosecond in a loop that takes one thread so long, while so many bytes are in
    /// use: as if it passed over all these once, if they do not fit the cache, and no more than one thread can.
    pub fn demand(&self, live: f64, work: f64) -> f64 {
        if live <= self.cache || work <= 0.0 {
            0.0
        } else {
            (live / work).min(self.bandwidth_of_one)
        }
    }
}

/// Bytes in a nanosecond that so many threads read and write when each copies its own.
fn copy(threads: usize) -> Result<f64, String> {
    let barrier = Barrier::new(threads);
    let each = || {
        let from = vec![1_u8; COPIED / 2];
        let mut to = vec![0_u8; COPIED / 2];
        let mut best = f64::INFINITY;
        for _ in 0..COPIES {
            barrier.wait();
            let start = Instant::now();
            black_box(&mut to).copy_from_slice(black_box(&from));
            barrier.wait();
            best = best.min(start.elapsed().as_nanos() as f64);
        }
        best
    };
    let times = thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(each)).collect();
        all.into_iter().map(thread::ScopedJoinHandle::join).collect::<Result<Vec<f64>, _>>()
    });
    let times = times.map_err(|_| "a thread that measured the bandwidth failed")?;
    let worst = times.into_iter().fold(0.0, f64::max);
    Ok((COPIED * threads) as f64 / worst)
}

/// Bytes of the cache that all cores share, as Linux says.
fn last_cache() -> Option<f64> {
    let size = |i: usize| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{i}/size");
        let text = fs::read_to_string(path).ok()?;
        text.trim().strip_suffix('K')?.parse::<f64>().ok().map(|kib| kib * 1024.0)
    };
    (0..8).filter_map(size).fold(None, |most: Option<f64>, s| Some(most.map_or(s, |m| m.max(s))))
}

#[cfg(test)]
mod tests {
    use super::Machine;

    #[test]
    fn loops_pass_once_over_what_does_not_fit_the_cache() {
        let mut m = Machine::free();
        (m.cache, m.bandwidth_of_one) = (1e6, 20.0);
        assert_eq!(m.demand(1e6, 1e3), 0.0);
        assert_eq!(m.demand(8e6, 1e6), 8.0);
        assert_eq!(m.demand(8e6, 1e4), 20.0);
    }

    #[test]
    fn the_machine_at_hand_is_measured() {
        let m = Machine::measure().expect("a machine");
        assert!(m.bandwidth > 0.1 && m.bandwidth_of_one > 0.1, "{m:?}");
        assert!(m.cache >= 1e5, "{m:?}");
    }
}
