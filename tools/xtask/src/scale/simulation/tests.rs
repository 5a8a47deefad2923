//! The scheduler, simulated for small runs whose times are known.

use super::super::machine::Machine;
use super::super::trace::{Loop, Rules, Run, Step};
use super::board::{Board, wanted};
use super::clock::Clock;
use super::lost::{Lost, Outcome, Place};
use super::simulate;

const RULES: Rules = Rules {
    fork: 4e3,
    fork_inner: 2e4,
    wake: 1e5,
    patience: 2e5,
    most_patience: 1e7,
    spin: 4e4,
    wakes_at_once: 2.0,
    most_nested: 8.0,
};

/// A millisecond.
const MS: f64 = 1e6;

/// A loop of which the runtime knows how long it takes, with a task in each chunk.
fn of(site: usize, tasks: Vec<Vec<Step>>) -> Loop {
    let estimate = super::super::bounds::work(&tasks.concat());
    Loop { site, chain: false, live: 0.0, estimate, piece: tasks.len(), chunk: 1, tasks }
}

fn times(times: &[f64]) -> Vec<Vec<Step>> {
    times.iter().map(|t| vec![Step::Work(*t)]).collect()
}

fn run(steps: Vec<Step>, workers: usize, machine: &Machine) -> Outcome {
    let run = Run { steps, time: 0.0 };
    simulate(&run, &RULES, workers, machine).expect("an end")
}

fn lost(outcome: &Outcome, place: Place) -> Lost {
    outcome.lost.iter().find(|(p, _)| *p == place).map_or(Lost::default(), |(_, l)| *l)
}

#[test]
fn equal_tasks_are_shared() {
    for (workers, time) in [(1, 12.0), (2, 6.0), (4, 3.0), (5, 3.0), (12, 1.0), (64, 1.0)] {
        let l = of(0, times(&[MS; 12]));
        let outcome = run(vec![Step::Loop(l)], workers, &Machine::free());
        assert_eq!(outcome.time, time * MS, "{workers} workers");
    }
}

#[test]
fn pieces_are_taken_over() {
    // Two pieces of three, whose tasks differ: the second worker comes to the first piece when its own is done.
    let tasks = times(&[2.0 * MS, 2.0 * MS, 2.0 * MS, MS, MS, MS]);
    let l = Loop { piece: 3, ..of(0, tasks) };
    let outcome = run(vec![Step::Loop(l)], 2, &Machine::free());
    assert_eq!(outcome.time, 5.0 * MS);
}

#[test]
fn a_long_task_leaves_the_others_idle() {
    let tasks = times(&[10.0 * MS, MS, MS, MS]);
    let steps = vec![Step::Work(MS), Step::Loop(of(7, tasks)), Step::Work(2.0 * MS)];
    let outcome = run(steps, 4, &Machine::free());
    assert_eq!(outcome.time, 13.0 * MS);
    let of = |alone: f64, idle: f64| Lost { alone: alone * MS, idle: idle * MS, stalled: 0.0 };
    assert_eq!(lost(&outcome, Place::Tasks(7)), of(9.0, 27.0));
    assert_eq!(lost(&outcome, Place::Between(None, Some(7))), of(1.0, 3.0));
    assert_eq!(lost(&outcome, Place::Between(Some(7), None)), of(2.0, 6.0));
}

#[test]
fn short_loops_are_not_forked() {
    let short = || Step::Loop(of(0, times(&[1e3, 1e3])));
    let outcome = run(vec![short()], 2, &Machine::free());
    assert_eq!(outcome.time, 2e3);
    assert_eq!(lost(&outcome, Place::Alone(0)), Lost { alone: 2e3, idle: 2e3, stalled: 0.0 });
    // Nobody is woken for 60 µs, until 240 have gone by; then the others look for more.
    let middling = || Step::Loop(of(0, times(&[3e4, 3e4])));
    let outcome = run((0..5).map(|_| middling()).collect(), 2, &Machine::free());
    assert_eq!(outcome.time, 3.0 * 6e4 + 2.0 * 3e4);
    // Unless it takes so long until the next that they sleep.
    let steps = vec![middling(), middling(), middling(), middling(), Step::Work(MS), middling()];
    assert_eq!(run(steps, 2, &Machine::free()).time, 3.0 * 6e4 + 3e4 + MS + 6e4);
}

#[test]
fn short_loops_wake_those_who_sleep_while_some_do_not() {
    // Only one other finds a task in the long loop, and is awake for short ones, which three would find.
    let long = Step::Loop(of(0, times(&[MS, MS])));
    let short = || Step::Loop(of(1, times(&[2e4; 4])));
    let steps: Vec<Step> = std::iter::once(long).chain((0..5).map(|_| short())).collect();
    // The third loses patience.
    assert_eq!(run(steps, 4, &Machine::free()).time, MS + 2.0 * 4e4 + 3.0 * 2e4);
}

#[test]
fn loops_inside_of_tasks_are_shared() {
    let inner = |times_: &[f64]| vec![Step::Loop(of(1, times(times_)))];
    // The first worker waits for the second task, and assists in it.
    let l = of(0, vec![vec![Step::Work(MS)], inner(&[MS; 8])]);
    assert_eq!(run(vec![Step::Loop(l)], 4, &Machine::free()).time, 3.0 * MS);
    // What is worth forking outside is not inside.
    let l = of(0, vec![vec![Step::Work(MS)], inner(&[9e3; 2])]);
    let outcome = run(vec![Step::Loop(l)], 4, &Machine::free());
    assert_eq!(lost(&outcome, Place::Tasks(1)), Lost::default());
}

#[test]
fn tasks_of_a_chain_wait_for_marks_before() {
    let task = |before: f64| vec![Step::Work(before * MS), Step::Mark, Step::Work(MS)];
    let chain = |times: &[f64]| {
        Step::Loop(Loop { chain: true, ..of(0, times.iter().map(|t| task(*t)).collect()) })
    };
    let time = |times: &[f64], workers| run(vec![chain(times)], workers, &Machine::free()).time;
    assert_eq!(time(&[1.0; 4], 4), 2.0 * MS);
    assert_eq!(time(&[5.0, 1.0, 1.0, 1.0], 4), 6.0 * MS);
    // Whoever waits takes no other task.
    assert_eq!(time(&[5.0, 1.0, 1.0, 1.0], 2), 8.0 * MS);
    assert_eq!(time(&[5.0, 1.0, 1.0, 1.0], 1), 12.0 * MS);
}

#[test]
fn waking_takes_time() {
    let machine = Machine { wake: 1e4, waking: 5e3, fork: 100.0, claim: 10.0, ..Machine::free() };
    let outcome = run(vec![Step::Loop(of(0, times(&[MS; 2])))], 2, &machine);
    assert_eq!((outcome.time, outcome.scheduling), (1e4 + 10.0 + MS, 100.0 + 5e3 + 20.0));
    // Two are woken, who wake two each, of whom one wakes the last.
    let machine = Machine { wake: 1e4, ..Machine::free() };
    let outcome = run(vec![Step::Loop(of(0, times(&[MS; 8])))], 8, &machine);
    assert_eq!(outcome.time, 3e4 + MS);
}

#[test]
fn bandwidth_is_shared() {
    let machine = Machine { bandwidth: 20.0, ..Machine::free() };
    let l = |live: f64| Step::Loop(Loop { live, ..of(0, times(&[MS; 4])) });
    // Ten bytes in a nanosecond for each of four.
    let outcome = run(vec![l(4e7)], 4, &machine);
    assert_eq!(outcome.time, 2.0 * MS);
    assert_eq!(lost(&outcome, Place::Tasks(0)), Lost { alone: 0.0, idle: 0.0, stalled: 4.0 * MS });
    assert_eq!(run(vec![l(4e7)], 2, &machine).time, 2.0 * MS);
    assert_eq!(run(vec![l(1e7)], 4, &machine).time, MS);
}

#[test]
fn who_wants_little_bandwidth_gets_it() {
    let mut clock = Clock::new(3, 12.0);
    clock.work(0, Place::Tasks(0), 100.0, 2.0);
    clock.work(1, Place::Tasks(0), 100.0, 20.0);
    clock.work(2, Place::Tasks(0), 10.0, 10.0);
    // Five for each of those who want more: 2 goes at half its speed, 1 at a quarter until 2 is over, then at half.
    assert_eq!((clock.next(), clock.now()), (Some(2), 20.0));
    assert_eq!((clock.next(), clock.now()), (Some(0), 100.0));
    assert_eq!(clock.next(), Some(1));
    // 5 by 20, 40 more by 100, and the rest at 0.6.
    assert!((clock.now() - (100.0 + 55.0 / 0.6)).abs() < 1e-6, "{}", clock.now());
    assert_eq!(clock.next(), None);
}

#[test]
fn chunks_end_with_their_piece() {
    let l = Loop { piece: 3, chunk: 2, ..of(0, times(&[1.0; 7])) };
    let mut board = Board::default();
    let id = board.publish(&l, 0, None, 0.0);
    let forked = board.get_mut(id).expect("a loop");
    let chunks: Vec<_> = (0..3).flat_map(|p| (0..3).map(move |_| p)).collect();
    let chunks: Vec<_> = chunks.into_iter().filter_map(|p| forked.claim(p)).collect();
    assert_eq!(chunks, [0..2, 2..3, 3..5, 5..6, 6..7]);
    assert_eq!((wanted(&l, 4), wanted(&l, 64)), (3, 5));
}
