//! Several recordings of one run as one, in which everything takes the median of what it took: a task that something disturbed
//! would count as the longest of its loop.

use super::trace::{Loop, Run, Step};
use crate::bench::process::median;

/// One recording of several; `None` of none. Recordings of other loops than most have are left out: the runtime may have
/// thought otherwise of what is hardly worth forking.
pub fn together(mut runs: Vec<Run>) -> Option<Run> {
    runs.sort_by(|a, b| a.time.total_cmp(&b.time));
    let like = |of: &Run| runs.iter().filter(|r| alike(&r.steps, &of.steps)).count();
    let most = runs.iter().map(like).max()?;
    let model = runs.iter().position(|r| like(r) == most)?;
    let model = runs.remove(model);
    runs.retain(|r| alike(&r.steps, &model.steps));
    runs.push(model);
    runs.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut middle = runs.remove(runs.len() / 2);
    let others: Vec<&[Step]> = runs.iter().map(|r| r.steps.as_slice()).collect();
    merge(&mut middle.steps, &others);
    Some(middle)
}

/// Whether the same loops of the same tasks are done in the same order.
fn alike(a: &[Step], b: &[Step]) -> bool {
    let same = |(a, b): (&Step, &Step)| match (a, b) {
        (Step::Work(_), Step::Work(_)) | (Step::Mark, Step::Mark) => true,
        (Step::Loop(a), Step::Loop(b)) => alike_loops(a, b),
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn alike_loops(a: &Loop, b: &Loop) -> bool {
    (a.site, a.chain, a.tasks.len()) == (b.site, b.chain, b.tasks.len())
        && a.tasks.iter().zip(&b.tasks).all(|(a, b)| alike(a, b))
}

/// Steps of the first take the median; all are alike.
fn merge(steps: &mut [Step], others: &[&[Step]]) {
    for (i, step) in steps.iter_mut().enumerate() {
        let same = others.iter().filter_map(|o| o.get(i));
        match step {
            Step::Mark => {}
            Step::Work(time) => {
                let times =
                    same.filter_map(|s| if let Step::Work(t) = s { Some(*t) } else { None });
                let mut times: Vec<f64> = times.chain([*time]).collect();
                *time = median(&mut times).unwrap_or(*time);
            }
            Step::Loop(l) => {
                let loops = same.filter_map(|s| if let Step::Loop(l) = s { Some(l) } else { None });
                let loops: Vec<&Loop> = loops.collect();
                for (k, task) in l.tasks.iter_mut().enumerate() {
                    let others = loops.iter().filter_map(|l| l.tasks.get(k)).map(Vec::as_slice);
                    merge(task, &others.collect::<Vec<_>>());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trace::{Loop, Run, Step};
    use super::together;

    fn run(times: &[f64]) -> Run {
        let tasks = times.iter().map(|t| vec![Step::Work(*t)]).collect();
        let l = Loop { site: 0, chain: false, live: 0.0, estimate: 0.0, piece: 1, chunk: 1, tasks };
        Run { steps: vec![Step::Work(1.0), Step::Loop(l)], time: 1.0 + times.iter().sum::<f64>() }
    }

    #[test]
    fn every_task_takes_the_median() {
        let runs = vec![run(&[9.0, 1.0, 1.0]), run(&[2.0, 3.0, 3.0]), run(&[1.0, 2.0, 8.0])];
        assert_eq!(together(runs).map(|r| r.steps), Some(run(&[2.0, 2.0, 3.0]).steps));
    }

    #[test]
    fn recordings_of_other_loops_are_left_out() {
        let runs = vec![run(&[1.0]), run(&[4.0, 6.0]), run(&[6.0, 8.0])];
        assert_eq!(together(runs).map(|r| r.steps), Some(run(&[5.0, 7.0]).steps));
        assert!(together(Vec::new()).is_none());
    }
}
