//! What a program's loops are made of, as `--trace-loops` of compiled programs writes it (`runtime-c/src/loop_trace.h`).

use std::collections::HashMap;

/// Numbers by which the runtime decides whether to fork a loop and whom to wake; times are nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rules {
    /// Less is not forked.
    pub fork: f64,
    /// Less is not forked inside of another loop.
    pub fork_inner: f64,
    /// For less, no thread is woken.
    pub wake: f64,
    /// So much that was not forked for want of threads that are awake makes the next be forked.
    pub patience: f64,
    /// The most that patience grows to.
    pub most_patience: f64,
    /// Who has nothing to do looks for work so long, then sleeps.
    pub spin: f64,
    /// So many are woken by one thread at one time.
    pub wakes_at_once: f64,
    /// A thread has so many loops open, one in the other.
    pub most_nested: f64,
}

/// A program's loops, cut for so many workers.
#[derive(Debug)]
pub struct Trace {
    pub workers: usize,
    pub rules: Rules,
    pub runs: Vec<Run>,
}

/// Places of the source, which loops name by their index.
#[derive(Debug, Default)]
pub struct Sites {
    names: Vec<String>,
    by_name: HashMap<String, usize>,
}

impl Sites {
    /// What a place is called.
    pub fn name(&self, site: usize) -> Option<&str> {
        self.names.get(site).map(String::as_str)
    }

    #[cfg(test)]
    pub fn of(names: &[&str]) -> Sites {
        let mut sites = Sites::default();
        for name in names {
            sites.number(name);
        }
        sites
    }

    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        let site = *self.by_name.entry(name.to_owned()).or_insert(next);
        if site == next {
            self.names.push(name.to_owned());
        }
        site
    }
}

/// A call of an entry point.
#[derive(Debug)]
pub struct Run {
    pub steps: Vec<Step>,
    /// How long it took one thread, in nanoseconds.
    pub time: f64,
}

/// What one thread does, in turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// So many nanoseconds of its own.
    Work(f64),
    Loop(Loop),
    /// Asks what the tasks before have come to.
    Mark,
}

/// A parallel loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub site: usize,
    /// Tasks ask what those before them have come to.
    pub chain: bool,
    /// Bytes in use when it began.
    pub live: f64,
    /// What the runtime thought that it would take.
    pub estimate: f64,
    /// It is cut into pieces of so many tasks, which are cut into chunks of so many.
    pub piece: usize,
    pub chunk: usize,
    pub tasks: Vec<Vec<Step>>,
}

/// What has begun, and is not over.
struct Open {
    /// None of a call.
    of: Option<Loop>,
    /// The steps of the call, or of the task at hand.
    steps: Vec<Step>,
    since: f64,
}

/// Reads a trace; `name` is what messages call it.
pub fn parse(name: &str, text: &str, sites: &mut Sites) -> Result<Trace, String> {
    let (rules, runs, open) = (HashMap::new(), Vec::new(), Vec::new());
    let mut reader = Reader { workers: None, rules, sites, runs, open, now: 0.0 };
    for (i, line) in text.lines().enumerate() {
        reader.line(line).map_err(|e| format!("{name}:{}: {e}", i + 1))?;
    }
    reader.finish().map_err(|e| format!("{name}: {e}"))
}

struct Reader<'s> {
    workers: Option<usize>,
    rules: HashMap<String, f64>,
    sites: &'s mut Sites,
    runs: Vec<Run>,
    open: Vec<Open>,
    /// Of the last line, and when the step at hand began.
    now: f64,
}

/// The next word of a line as a number.
fn number<'a>(words: &mut impl Iterator<Item = &'a str>, what: &str) -> Result<f64, String> {
    let word = words.next().ok_or_else(|| format!("{what} is missing"))?;
    match word.parse::<f64>() {
        Ok(x) if x >= 0.0 => Ok(x),
        _ => Err(format!("{what} is '{word}', which is no number from 0 on")),
    }
}

/// The next word of a line as a count, from 1 on.
fn count<'a>(words: &mut impl Iterator<Item = &'a str>, what: &str) -> Result<usize, String> {
    let word = words.next().ok_or_else(|| format!("{what} is missing"))?;
    word.parse()
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("{what} is '{word}', which is no number from 1 on"))
}

impl Reader<'_> {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split(' ');
        let event = words.next().unwrap_or_default();
        match event {
            "threads" => self.workers = Some(count(&mut words, "the number of threads")?),
            "rule" => {
                let name = words.next().ok_or("the rule's name is missing")?;
                let value = number(&mut words, "the rule's value")?;
                self.rules.insert(name.to_owned(), value);
            }
            "begin" => {
                if !self.open.is_empty() {
                    return Err("a call begins inside of another".into());
                }
                self.now = number(&mut words, "the time")?;
                self.open.push(Open { of: None, steps: Vec::new(), since: self.now });
            }
            "loop" | "chain" => {
                self.pass(&mut words)?;
                let live = number(&mut words, "the number of bytes")?;
                let estimate = number(&mut words, "the estimate")?;
                let piece = count(&mut words, "the size of pieces")?;
                let chunk = count(&mut words, "the size of chunks")?;
                let place = words.collect::<Vec<_>>().join(" ");
                if place.is_empty() {
                    return Err("the loop's place is missing".into());
                }
                let site = self.sites.number(&place);
                let chain = event == "chain";
                let tasks = Vec::new();
                let of = Some(Loop { site, chain, live, estimate, piece, chunk, tasks });
                self.open.push(Open { of, steps: Vec::new(), since: self.now });
            }
            "mark" => {
                self.pass(&mut words)?;
                match self.open.last_mut() {
                    Some(Open { of: Some(Loop { chain: true, .. }), steps, .. }) => {
                        steps.push(Step::Mark);
                    }
                    _ => return Err("a mark that is in no task of a chain".into()),
                }
            }
            "task" => {
                self.pass(&mut words)?;
                match self.open.last_mut() {
                    Some(Open { of: Some(l), steps, .. }) => l.tasks.push(std::mem::take(steps)),
                    _ => return Err("a task ends that is in no loop".into()),
                }
            }
            "end" => self.end(&mut words)?,
            _ => return Err(format!("'{event}' is no event")),
        }
        Ok(())
    }

    /// Goes on to the time of this line.
    fn pass<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) -> Result<(), String> {
        let now = number(words, "the time")?;
        if now < self.now {
            return Err(format!("the time goes back from {} to {now}", self.now));
        }
        let open = self.open.last_mut().ok_or("this is outside of a call")?;
        // Also if it took none, so that recordings of the same have the same steps.
        open.steps.push(Step::Work(now - self.now));
        self.now = now;
        Ok(())
    }

    fn end<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) -> Result<(), String> {
        // What a loop does behind its last task is the caller's.
        let before = self.now;
        let is_loop = self.open.last().is_some_and(|o| o.of.is_some());
        self.pass(words)?;
        let mut ended = self.open.pop().ok_or("this is outside of a call")?;
        if is_loop {
            ended.steps.pop();
        }
        match (ended.of, self.open.last_mut()) {
            (None, _) => {
                self.runs.push(Run { steps: ended.steps, time: self.now - ended.since });
            }
            (Some(_), _) if !ended.steps.is_empty() => {
                return Err("a loop ends inside of a task".into());
            }
            (Some(of), Some(outer)) => {
                outer.steps.push(Step::Loop(of));
                outer.steps.push(Step::Work(self.now - before));
            }
            (Some(_), None) => return Err("a loop ends outside of a call".into()),
        }
        Ok(())
    }

    fn finish(self) -> Result<Trace, String> {
        let rule = |name: &str| {
            let value = self.rules.get(name).copied();
            value.ok_or_else(|| format!("the rule '{name}' is missing"))
        };
        let rules = Rules {
            fork: rule("fork")?,
            fork_inner: rule("fork-inner")?,
            wake: rule("wake")?,
            patience: rule("patience")?,
            most_patience: rule("most-patience")?,
            spin: rule("spin")?,
            wakes_at_once: rule("wakes-at-once")?,
            most_nested: rule("most-nested")?,
        };
        let workers = self.workers.ok_or("the number of threads is missing")?;
        if !self.open.is_empty() {
            return Err("it ends inside of a call".into());
        }
        if self.runs.is_empty() {
            return Err("it has no call of an entry point".into());
        }
        Ok(Trace { workers, rules, runs: self.runs })
    }
}

#[cfg(test)]
mod tests {
    use super::{Loop, Sites, Step, Trace, parse};

    const HEAD: &str = "threads 4\nrule fork 4000\nrule fork-inner 20000\nrule wake 100000\nrule patience 200000\n\
        rule most-patience 10000000\nrule spin 40000\nrule wakes-at-once 2\nrule most-nested 8\n";

    fn read(events: &str) -> Result<Trace, String> {
        parse("t", &format!("{HEAD}{events}"), &mut Sites::default())
    }

    #[test]
    fn loops_stand_in_tasks_of_loops() {
        let mut sites = Sites::default();
        let text = format!(
            "{HEAD}{}",
            "begin 100 main\nloop 110 64 5000 1 1 a b.fut:1:2\nloop 115 64 inf 3 2 c.fut:3:4\ntask 120\nend 121\n\
             task 130\ntask 140\nend 140\nend 150\n",
        );
        let trace = parse("t", &text, &mut sites);
        let inner = Loop {
            site: 1,
            chain: false,
            live: 64.0,
            estimate: f64::INFINITY,
            piece: 3,
            chunk: 2,
            tasks: vec![vec![Step::Work(5.0)]],
        };
        let first = vec![Step::Work(5.0), Step::Loop(inner), Step::Work(1.0), Step::Work(9.0)];
        let outer = Loop {
            site: 0,
            chain: false,
            live: 64.0,
            estimate: 5000.0,
            piece: 1,
            chunk: 1,
            tasks: vec![first, vec![Step::Work(10.0)]],
        };
        let trace = trace.expect("a trace");
        assert_eq!(sites.names, ["a b.fut:1:2", "c.fut:3:4"]);
        assert_eq!((trace.workers, trace.rules.spin), (4, 40000.0));
        let [run] = trace.runs.as_slice() else { panic!("{:?}", trace.runs) };
        assert_eq!(run.time, 50.0);
        let behind = [Step::Work(0.0), Step::Work(10.0)];
        assert_eq!(*run.steps, [&[Step::Work(10.0), Step::Loop(outer)], &behind[..]].concat());
    }

    #[test]
    fn marks_stand_in_chains() {
        let trace = read("begin 0 main\nchain 0 0 9 1 1 a\nmark 4\ntask 6\nend 6\nend 6\n");
        let trace = trace.expect("a trace");
        let tasks = match trace.runs.first().map(|r| r.steps.as_slice()) {
            Some([_, Step::Loop(l), ..]) if l.chain => &l.tasks,
            other => panic!("{other:?}"),
        };
        assert_eq!(*tasks, [vec![Step::Work(4.0), Step::Mark, Step::Work(2.0)]]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong = |events: &str| read(events).map(|_| ()).unwrap_err();
        assert_eq!(
            wrong("begin 5 main\nmark x\n"),
            "t:11: the time is 'x', which is no number from 0 on"
        );
        assert_eq!(wrong("begin 5 main\nend 4\n"), "t:11: the time goes back from 5 to 4");
        assert_eq!(wrong("begin 5 main\nbegin 6 main\n"), "t:11: a call begins inside of another");
        assert_eq!(wrong("task 6\n"), "t:10: this is outside of a call");
        assert_eq!(wrong("begin 5 main\ntask 6\n"), "t:11: a task ends that is in no loop");
        assert_eq!(wrong("begin 5 main\nmark 6\n"), "t:11: a mark that is in no task of a chain");
        assert_eq!(
            wrong("begin 5 main\nloop 6 0 1 1 1 a\nmark 7\n"),
            "t:12: a mark that is in no task of a chain"
        );
        assert_eq!(
            wrong("begin 5 main\nloop 6 0 1 1 0 a\n"),
            "t:11: the size of chunks is '0', which is no number from 1 on"
        );
        assert_eq!(wrong("begin 5 main\nloop 6 0 1 1 1\n"), "t:11: the loop's place is missing");
        assert_eq!(wrong("begin 5 main\nloop 6 0\n"), "t:11: the estimate is missing");
        assert_eq!(
            wrong("begin 5 main\nchain 6 0 1 1 1 a\nmark 7\nend 8\n"),
            "t:13: a loop ends inside of a task"
        );
        assert_eq!(wrong("stop 5\n"), "t:10: 'stop' is no event");
        assert_eq!(wrong("\n"), "t:10: '' is no event");
        assert_eq!(wrong("begin 5 main\n"), "t: it ends inside of a call");
        assert_eq!(wrong(""), "t: it has no call of an entry point");
        let parse = |text: &str| parse("t", text, &mut Sites::default()).map(|_| ());
        let parsed = parse("threads none\n");
        let text = "the number of threads is 'none', which is no number from 1 on";
        assert_eq!(parsed, Err(format!("t:1: {text}")));
        assert_eq!(parse("threads 2\n"), Err("t: the rule 'fork' is missing".into()));
    }
}
