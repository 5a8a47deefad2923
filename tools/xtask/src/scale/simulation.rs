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
mod lost;
mod state;
mod steps;
#[cfg(test)]
mod tests;
mod worker;

use super::machine::Machine;
use super::trace::{Rules, Run};
pub use lost::{Lost, Outcome, Place};

use board::Board;
use clock::Clock;
use state::Simulation;
use worker::Worker;

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
