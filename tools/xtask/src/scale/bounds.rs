//! Work and span: what all the tasks take together, and the longest that must be done one after the other.

use super::trace::{Loop, Step};

/// Nanoseconds that one thread takes.
pub fn work(steps: &[Step]) -> f64 {
    let of = |step: &Step| match step {
        Step::Work(ns) => *ns,
        Step::Loop(l) => work_of(l),
        Step::Mark => 0.0,
    };
    steps.iter().map(of).sum()
}

/// Nanoseconds that one thread takes for a loop.
pub fn work_of(l: &Loop) -> f64 {
    l.tasks.iter().map(|task| work(task)).sum()
}

/// Nanoseconds that any number of workers take at least, if all that is to be done besides the tasks were for nothing.
pub fn span(steps: &[Step]) -> f64 {
    steps.iter().map(span_of).sum()
}

fn span_of(step: &Step) -> f64 {
    match step {
        Step::Work(ns) => *ns,
        Step::Mark => 0.0,
        Step::Loop(l) => {
            // A task goes on behind its mark once all tasks before have come to theirs.
            let (mut all, mut asked) = (0.0_f64, 0.0_f64);
            for task in &l.tasks {
                let mark = task.iter().position(|s| *s == Step::Mark);
                let (before, behind) = task.split_at(mark.unwrap_or(0));
                match mark {
                    Some(_) => asked = asked.max(span(before)),
                    None => asked = if l.chain { asked } else { 0.0 },
                }
                all = all.max(asked + span(behind));
            }
            all
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trace::{Loop, Step};
    use super::{span, work};

    fn of(chain: bool, tasks: Vec<Vec<Step>>) -> Step {
        Step::Loop(Loop { site: 0, chain, live: 0.0, estimate: 0.0, piece: 1, chunk: 1, tasks })
    }

    #[test]
    fn loops_take_what_their_longest_task_takes() {
        let inner = of(false, vec![vec![Step::Work(5.0)], vec![Step::Work(7.0)]]);
        let tasks = vec![vec![Step::Work(1.0), inner], vec![Step::Work(3.0)]];
        let steps = [Step::Work(10.0), of(false, tasks), Step::Work(2.0)];
        assert_eq!((work(&steps), span(&steps)), (28.0, 20.0));
    }

    #[test]
    fn tasks_of_chains_wait_for_those_before() {
        let task = |before, behind| vec![Step::Work(before), Step::Mark, Step::Work(behind)];
        let steps = [of(true, vec![task(4.0, 1.0), task(2.0, 8.0), task(9.0, 1.0)])];
        assert_eq!((work(&steps), span(&steps)), (25.0, 12.0));
    }
}
