//! All that is simulated.

use super::super::machine::Machine;
use super::super::trace::Rules;
use super::board::Board;
use super::clock::Clock;
use super::worker::Worker;

pub struct Simulation<'a> {
    pub rules: &'a Rules,
    pub machine: &'a Machine,
    pub clock: Clock,
    pub board: Board<'a>,
    pub workers: Vec<Worker<'a>>,
    pub ended: bool,
}
