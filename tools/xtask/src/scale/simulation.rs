//! The runtime's scheduler, simulated: what a recorded run takes with so many workers.
//!
//! Workers do as `runtime-c/src/loop.c`, `chunks.c`, `chain.c`, `parallel_for.c` and `pool.c` say: who comes to a loop
//! forks it if it pays, and claims chunks of its pieces; others find it on the board, if they are awake, or are woken by
//! two at a time; its owner, when nothing is left, assists loops inside of its own until all have left. Tasks of chains wait
//! for the marks of those before them. The cut of a loop, what it was thought to take and the thresholds are the recording's.
//!
//! A worker's frames say what it is about, the innermost last. Time passes in segments of one worker; what happens
//! between them takes none.

mod board;
mod clock;
mod fork;
#[cfg(test)]
mod tests;
mod worker;

use super::machine::Machine;
use super::trace::{Rules, Run};
use board::Board;
use clock::Clock;
use worker::Worker;

/// Who does what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// What is in no loop: behind one, and before one.
    Between(Option<usize>, Option<usize>),
    /// A loop that is not forked.
    Alone(usize),
    /// Tasks of a forked loop.
    Tasks(usize),
    /// The scheduler alone.
    Scheduling,
}

/// Time that is lost while something is done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lost {
    /// So long one worker did this, and the others nothing.
    pub alone: f64,
    /// Of all workers together, that have nothing to do while this is done.
    pub idle: f64,
    /// Of all workers together, for want of bandwidth.
    pub stalled: f64,
}

/// What a run comes to, in nanoseconds.
#[derive(Debug)]
pub struct Outcome {
    /// From begin to end.
    pub time: f64,
    /// Of all workers together, in forking, waking and claiming.
    pub scheduling: f64,
    pub lost: Vec<(Place, Lost)>,
}

/// Simulates a run by so many workers. `None` if nothing goes on before its end, which is a mistake of the simulation.
pub fn simulate(run: &Run, rules: &Rules, workers: usize, machine: &Machine) -> Option<Outcome> {
    let mut simulation = Simulation {
        rules,
        machine,
        clock: Clock::new(workers, machine.bandwidth),
        board: Board::default(),
        workers: (0..workers).map(|_| Worker::new(rules)).collect(),
        ended: false,
    };
    simulation.begin(&run.steps);
    while !simulation.ended {
        let who = simulation.clock.next()?;
        simulation.go_on(who);
    }
    Some(simulation.clock.outcome())
}

struct Simulation<'a> {
    rules: &'a Rules,
    machine: &'a Machine,
    clock: Clock,
    board: Board<'a>,
    workers: Vec<Worker<'a>>,
    ended: bool,
}
