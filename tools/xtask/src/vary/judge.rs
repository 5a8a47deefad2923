//! Whether interpreter and targets agree about an input.
//!
//! A failing check may go if nothing depends on its value. So a target may succeed where the interpreter
//! fails, unless it is sizes that fail and the sizes are used, or the program in memory reaches outside
//! of a block. Which of several failures comes first may differ. Sums of floats may be taken in another
//! order, which shows where numbers are close to overflow, infinite or NaN.

use super::report::{Report, Wrong};
use super::target::{Answer, Target};
use futc_generate::values::Data;
use futc_generate::vary::kinds::{Kind, place};
use futc_generate::vary::levels::{Levels, Need, Outcome, gave_up};
use futc_generate::vary::signature::Signature;
use futc_generate::vary::{Input, simpler};
use futc_testing::compare::compare_all;

/// After so many calls that took too long a program is left.
const PATIENCE: usize = 6;
/// Of each class, so many are told of one program.
const TOLD: usize = 2;
/// How often an input is made smaller.
const ROUNDS: usize = 60;

/// What a run on a target comes to.
enum Verdict {
    /// Nothing to complain of; the heading to count it under.
    Fine(&'static str),
    /// Fine, but worth a remark.
    Remark(&'static str, String),
    /// Something wrong: how, and more about it.
    Wrong(&'static str, String),
}

/// A program with its targets.
pub struct Judge {
    /// What was found.
    pub report: Report,
    levels: Levels,
    targets: Vec<Target>,
    late: usize,
}

impl Judge {
    /// Nothing is run yet.
    pub fn new(levels: Levels, targets: Vec<Target>) -> Judge {
        Judge { report: Report::default(), levels, targets, late: 0 }
    }

    /// Whether too much time has been lost with this program.
    pub fn slow(&self) -> bool {
        self.late >= PATIENCE
    }

    /// Runs an input everywhere.
    pub fn pair(&mut self, s: &Signature, input: &Input) {
        let truth = self.levels.truth(s, &input.values);
        self.count(s, input, &truth);
        for i in 0..self.targets.len() {
            let verdict = self.judge(i, s, input, &truth);
            let name = self.targets[i].name.clone();
            match verdict {
                Verdict::Fine(heading) => self.report.counts.run(&name, heading),
                Verdict::Remark(heading, what) => {
                    self.report.counts.run(&name, heading);
                    self.report.remarks.push(format!("{name}: {heading}: {what}"));
                }
                Verdict::Wrong(how, said) => {
                    self.report.counts.run(&name, "WRONG");
                    self.wrong(i, s, input, &truth, how, said);
                }
            }
        }
    }

    fn count(&mut self, s: &Signature, input: &Input, truth: &Outcome) {
        let counts = &mut self.report.counts;
        counts.pairs += 1;
        counts.disagreeing += usize::from(input.disagrees);
        let Err(e) = truth else {
            counts.results += 1;
            return;
        };
        let kind = Kind::of(e);
        *counts.failures.entry(kind).or_default() += 1;
        if kind != Kind::Arguments && (kind.is_of_size() || kind.is_of_index()) {
            let needed = self.levels.need(s, &input.values) == Need::Needed;
            self.report.counts.unread += usize::from(!needed);
        }
    }

    fn judge(&mut self, i: usize, s: &Signature, input: &Input, truth: &Outcome) -> Verdict {
        let Some(target) = self.targets.get_mut(i) else { return Verdict::Fine("not run") };
        let answer = target.call(s, &input.values);
        match (truth, answer) {
            (_, Answer::Timeout) => {
                self.late += 1;
                Verdict::Fine("out of time")
            }
            (_, Answer::NoMemory) => Verdict::Fine("out of memory"),
            (truth, Answer::Died(how))
                if self.levels.recursive()
                    && gave_up(truth)
                    && ["signal: 11", "stack-overflow", "Stack overflow"]
                        .iter()
                        .any(|s| how.contains(s)) =>
            {
                Verdict::Remark("ended where recursion may be too deep", how)
            }
            (_, Answer::Died(how)) => Verdict::Wrong("died", how),
            (truth, _) if gave_up(truth) => Verdict::Fine("no truth to compare with"),
            (Err(e), _) if Kind::of(e) == Kind::Bug => Verdict::Wrong("interpreter", e.clone()),
            (Ok(truth), Answer::Values(found)) => compare(s, truth, &found, input.edge_floats),
            (Ok(_), Answer::Failed(e)) => Verdict::Wrong("fails", e),
            (Err(truth), Answer::Failed(found)) => alike(truth, &found),
            (Err(e), Answer::Values(_)) => self.vanished(s, input, e),
        }
    }

    /// A target has results where the interpreter fails.
    fn vanished(&self, s: &Signature, input: &Input, e: &str) -> Verdict {
        let kind = Kind::of(e);
        let need = self.levels.need(s, &input.values);
        if let Err(what) = self.levels.in_memory(s, &input.values)
            && Kind::of(&what) == Kind::Bug
        {
            return Verdict::Wrong("succeeds with an access outside of a block", what);
        }
        match need {
            Need::Dead => Verdict::Fine("succeeds, as what fails is dead code"),
            _ if kind.is_of_size() && kind != Kind::Slice => {
                Verdict::Wrong("succeeds where a size that is used is wrong", e.to_owned())
            }
            Need::Unread => Verdict::Fine("succeeds, as nothing needs what fails"),
            Need::Needed => {
                Verdict::Remark("succeeds, as its passes drop what fails", e.to_owned())
            }
        }
    }

    /// Keeps it, with the smallest input that shows the same.
    fn wrong(
        &mut self,
        i: usize,
        s: &Signature,
        input: &Input,
        truth: &Outcome,
        how: &'static str,
        said: String,
    ) {
        let class = format!("{}: {how}", self.targets[i].name);
        if self.report.wrong.iter().filter(|w| w.class == class).count() >= TOLD {
            return;
        }
        let (mut best, mut truth, mut said) = (input.clone(), truth.clone(), said);
        let mut rounds = 0;
        'again: while rounds < ROUNDS && !self.slow() {
            for smaller in simpler(s, &best) {
                rounds += 1;
                let now = self.levels.truth(s, &smaller.values);
                if let Verdict::Wrong(same, what) = self.judge(i, s, &smaller, &now)
                    && same == how
                {
                    (best, truth, said) = (smaller, now, what);
                    continue 'again;
                }
            }
            break;
        }
        let case = Some((s.entry.clone(), best.values, truth));
        self.report.wrong.push(Wrong { class, said, case });
    }
}

fn alike(truth: &str, found: &str) -> Verdict {
    let (a, b) = (Kind::of(truth), Kind::of(found));
    let said = || format!("{} where {} is expected", line(found), line(truth));
    if b == Kind::Bug {
        Verdict::Wrong("fails as only a wrong compiler does", found.to_owned())
    } else if a == Kind::Arguments && a != b {
        Verdict::Wrong("does not refuse its arguments", said())
    } else if a != b {
        Verdict::Remark("fails in another way", said())
    } else if a != Kind::Arguments && place(truth) != place(found) {
        Verdict::Remark("fails in another place", said())
    } else {
        Verdict::Fine("fails alike")
    }
}

/// A message in a line.
fn line(message: &str) -> String {
    let text = message.trim().lines().next().unwrap_or_default();
    format!("'{text}' at {}", place(message).unwrap_or("no place"))
}

fn compare(s: &Signature, truth: &[Data], found: &[Data], edge_floats: bool) -> Verdict {
    let mut at = 0;
    for r in &s.results {
        let range = at..at + r.prims.len();
        at = range.end;
        let (a, b) = (found.get(range.clone()), truth.get(range));
        let (Some(a), Some(b)) = (a, b) else {
            return Verdict::Wrong("results", "another number of results".into());
        };
        if !r.whole {
            continue;
        }
        if let Some(d) = compare_all(a, b, 1).into_iter().next() {
            return match edge_floats {
                // What is not a float may hang on a comparison of floats.
                true => Verdict::Remark("differs on floats at the edges", d.0),
                false => Verdict::Wrong("results", d.0),
            };
        }
    }
    Verdict::Fine("has the same results")
}

#[cfg(test)]
mod tests {
    use super::*;
    use futc_generate::vary::signature::Outcome as Results;
    use futc_testing::value::Reader;

    fn heading(v: &Verdict) -> &'static str {
        match v {
            Verdict::Fine(h) | Verdict::Remark(h, _) | Verdict::Wrong(h, _) => h,
        }
    }

    #[test]
    fn failures_are_alike_if_they_are_of_a_kind() {
        let at = |what: &str, place: &str| format!("Error: {what}\n\nBacktrace:\n-> #0  {place}\n");
        let index = at("Index [5] out of bounds for array of shape [3].", "a.fut:1:2-3");
        assert_eq!(heading(&alike(&index, &index)), "fails alike");
        let elsewhere = at("Index [7] out of bounds for array of shape [3].", "a.fut:9:2-3");
        assert_eq!(heading(&alike(&index, &elsewhere)), "fails in another place");
        let division = at("division by zero", "a.fut:1:2-3");
        assert_eq!(heading(&alike(&index, &division)), "fails in another way");
        let bug = "Error: compiler bug: no".to_owned();
        assert!(matches!(alike(&index, &bug), Verdict::Wrong(..)));
        let sizes = "Error: arguments disagree about the size n".to_owned();
        assert!(matches!(alike(&sizes, &index), Verdict::Wrong(..)));
    }

    #[test]
    fn results_differ_but_for_what_a_sum_that_is_not_does_not_mean() {
        let values = |text: &str| Reader::new(text.as_bytes()).all().expect("values");
        let mut s = Signature { entry: "f".into(), params: Vec::new(), results: Vec::new() };
        let (truth, found) = (values("1i32 2f64"), values("1i32 3f64"));
        let prims = truth.iter().map(|v| v.prim);
        s.results = prims.map(|p| Results { prims: vec![p], whole: true }).collect();
        assert!(matches!(compare(&s, &truth, &truth, false), Verdict::Fine(_)));
        assert!(matches!(compare(&s, &truth, &found, false), Verdict::Wrong(..)));
        assert!(matches!(compare(&s, &truth, &found, true), Verdict::Remark(..)));
        s.results[1].whole = false;
        assert!(matches!(compare(&s, &truth, &found, false), Verdict::Fine(_)));
    }
}
