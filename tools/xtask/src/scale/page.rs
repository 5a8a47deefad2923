//! The table, and the page.

use super::args::Args;
use super::machine::Machine;
use super::outcome::{Program, SCHEDULING, Scaled};
use crate::bench::report::{aligned, geometric_mean, machine};
use crate::figures::commit_line;
use std::fmt::Write as _;

/// Less of all workers' time is not told.
const MUCH: f64 = 0.02;
/// So many places are told in the table.
const MOST_PLACES: usize = 3;
/// A program takes so much longer for want of bandwidth, and is bound by it.
const BOUND_BY_MEMORY: f64 = 1.1;

/// What is assumed of the machine, in words.
pub fn assumed(m: &Machine) -> String {
    format!(
        "{:.1} GB/s for all workers, {:.1} for one; {:.0} MiB of cache; {:.1} µs until a woken thread runs, {:.1} for who wakes it",
        m.bandwidth,
        m.bandwidth_of_one,
        m.cache / f64::from(1 << 20),
        m.wake / 1e3,
        m.waking / 1e3
    )
}

impl Program {
    fn speedup(&self, s: &Scaled) -> f64 {
        self.one / s.time
    }

    fn efficiency(&self, s: &Scaled) -> f64 {
        self.speedup(s) / f64::from(s.workers)
    }
}

impl Scaled {
    /// Whether it is the memory that bounds it.
    pub fn is_bound_by_memory(&self) -> bool {
        self.time > BOUND_BY_MEMORY * self.unlimited
    }

    /// The share of workers' time that is lost at each place, the largest first.
    fn shares(&self) -> Vec<(String, f64)> {
        let shares = self.lost.iter().map(|(p, l)| (p.clone(), self.share(l.idle + l.stalled)));
        let mut shares: Vec<(String, f64)> = shares.collect();
        let scheduling = self.share(self.scheduling);
        match shares.iter_mut().find(|(place, _)| place == SCHEDULING) {
            Some((_, share)) => *share += scheduling,
            None => shares.push((SCHEDULING.into(), scheduling)),
        }
        shares.retain(|(_, share)| *share >= MUCH);
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        shares
    }
}

/// All of one program, for a terminal.
pub fn program(p: &Program) -> String {
    let mut s = format!("{}: {:.3} ms with one thread\n\n", p.name, p.one / 1e6);
    let head = [
        "workers",
        "work (ms)",
        "span (ms)",
        "time (ms)",
        "speed-up",
        "efficiency",
        "without limit",
    ];
    let mut cells = vec![head.map(String::from).to_vec()];
    for w in &p.by_workers {
        cells.push(vec![
            w.workers.to_string(),
            format!("{:.3}", w.work / 1e6),
            format!("{:.3}", w.span / 1e6),
            format!("{:.3}", w.time / 1e6),
            format!("{:.2}", p.speedup(w)),
            format!("{:.2}", p.efficiency(w)),
            format!("{:.2}", p.one / w.unlimited),
        ]);
    }
    s.push_str(&aligned(&cells));
    if let Some(m) = p.measured {
        let _ = writeln!(s, "measured with {} threads: {:.2}", m.threads, m.speedup());
    }
    for w in &p.by_workers {
        let _ = writeln!(s, "of the time of {} workers:", w.workers);
        for (place, l) in w.lost.iter().filter(|(_, l)| w.share(l.idle + l.stalled) >= MUCH) {
            let _ = writeln!(
                s,
                "  {:5.1} % idle, {:5.1} % waiting for memory while {place} ({:.1} % of the time alone)",
                100.0 * w.share(l.idle),
                100.0 * w.share(l.stalled),
                100.0 * l.alone / w.time
            );
        }
        let _ = writeln!(s, "  {:5.1} % in the scheduler", 100.0 * w.share(w.scheduling));
    }
    s
}

/// A line for each program; what bounds it is told for `reference` workers.
pub fn table(programs: &[Program], reference: u32) -> String {
    let workers: Vec<u32> = programs
        .first()
        .map(|p| p.by_workers.iter().map(|s| s.workers).collect())
        .unwrap_or_default();
    let mut head = ["program", "one thread (ms)", "work", "span (ms)"].map(String::from).to_vec();
    head.extend(workers.iter().map(u32::to_string));
    head.extend([
        format!("{reference}, no limit"),
        "efficiency".into(),
        format!("lost with {reference}"),
    ]);
    let mut cells = vec![head];
    for p in programs {
        let Some(s) = p.with(reference) else { continue };
        let mut row = vec![
            p.name.clone(),
            format!("{:.2}", p.one / 1e6),
            format!("{:.2}", s.work / p.one),
            format!("{:.3}", s.span / 1e6),
        ];
        row.extend(p.by_workers.iter().map(|w| format!("{:.1}", p.speedup(w))));
        let lost = s.shares().into_iter().take(MOST_PLACES);
        let lost: Vec<String> =
            lost.map(|(place, share)| format!("{place} {:.0} %", 100.0 * share)).collect();
        let memory = if s.is_bound_by_memory() { " (m)" } else { "" };
        row.push(format!("{:.1}{memory}", p.one / s.unlimited));
        row.push(format!("{:.0} %", 100.0 * p.efficiency(s)));
        row.push(lost.join("; "));
        cells.push(row);
    }
    let mut means =
        vec!["**geometric mean**".to_owned(), String::new(), String::new(), String::new()];
    for w in &workers {
        let all = programs.iter().filter_map(|p| Some(p.speedup(p.with(*w)?)));
        means.push(geometric_mean(all).map_or_else(String::new, |m| format!("{m:.1}")));
    }
    let unlimited = programs.iter().filter_map(|p| Some(p.one / p.with(reference)?.unlimited));
    means.push(geometric_mean(unlimited).map_or_else(String::new, |m| format!("{m:.1}")));
    means.resize(workers.len() + 7, String::new());
    cells.push(means);
    aligned(&cells)
}

/// Predictions beside what was measured.
fn validation(programs: &[Program]) -> String {
    let mut cells = vec![
        ["program", "threads", "predicted", "measured", "predicted / measured"]
            .map(String::from)
            .to_vec(),
    ];
    let mut ratios = Vec::new();
    for p in programs {
        let Some(m) = p.measured else { continue };
        let Some(s) = p.with(m.threads) else { continue };
        let (predicted, measured) = (p.speedup(s), m.speedup());
        ratios.push(predicted / measured);
        cells.push(vec![
            p.name.clone(),
            m.threads.to_string(),
            format!("{predicted:.2}"),
            format!("{measured:.2}"),
            format!("{:.2}", predicted / measured),
        ]);
    }
    if ratios.is_empty() {
        return "Nothing was measured beside.\n".into();
    }
    let within = |share: f64| ratios.iter().filter(|r| (**r - 1.0).abs() <= share).count();
    let mean = geometric_mean(ratios.iter().copied()).unwrap_or(1.0);
    format!(
        "{}\nPredicted over measured has the geometric mean {mean:.2}; {} of {} are within 10 %, {} within 20 %.\n",
        aligned(&cells),
        within(0.1),
        ratios.len(),
        within(0.2)
    )
}

/// The whole page.
pub fn page(programs: &[Program], m: &Machine, args: &Args, commit: &str) -> String {
    let reference = args.reference();
    let microseconds = |ns: f64| format!("{:.0}", ns / 1e3);
    let spin = programs.first().map_or(0.0, |p| p.spin);
    let bandwidth = match args.bandwidth {
        None => "what copies reached just now",
        Some(_) => "what the option `--bandwidth` says",
    };
    let places = [
        ("{commit}", commit_line(commit)),
        ("{machine}", machine()),
        ("{assumed}", assumed(m)),
        ("{bandwidth}", bandwidth.to_owned()),
        ("{reference}", reference.to_string()),
        ("{memory}", BOUND_BY_MEMORY.to_string()),
        ("{spin}", microseconds(spin)),
        ("{wake}", microseconds(m.wake)),
        ("{waking}", microseconds(m.waking)),
        ("{line}", format!("{:.0}", m.claim)),
        ("{table}", table(programs, reference)),
        ("{validation}", validation(programs)),
    ];
    places.iter().fold(PAGE.to_owned(), |page, (place, text)| page.replace(place, text))
}

const PAGE: &str = include_str!("page.md");

#[cfg(test)]
mod tests {
    use super::super::machine::Machine;
    use super::super::outcome::{Program, Scaled};
    use super::super::record::Measured;
    use super::super::simulation::Lost;
    use super::{Args, program, table, validation};

    fn example() -> Program {
        let lost =
            |place: &str, idle, stalled| (place.to_owned(), Lost { alone: 0.0, idle, stalled });
        let with = |workers: u32, time: f64, unlimited: f64| Scaled {
            workers,
            work: 9e6,
            span: 1e6,
            time,
            unlimited,
            scheduling: 8e5,
            lost: vec![lost("tasks of 1:2", 4e6, 4e6), lost("scheduling", 8e5, 0.0)],
        };
        let by_workers = vec![with(2, 5e6, 5e6), with(16, 1e6, 8e5)];
        Program {
            name: "p".into(),
            one: 8e6,
            by_workers,
            measured: Some(Measured::example()),
            spin: 4e4,
        }
    }

    fn words(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_program_is_a_line() {
        let text = words(&table(&[example()], 16));
        let line = "| p | 8.00 | 1.12 | 1.000 | 1.6 | 8.0 | 10.0 (m) | 50 % | tasks of 1:2 50 %; scheduling 10 % |";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn a_prediction_stands_beside_what_was_measured() {
        let text = words(&validation(&[example()]));
        assert!(text.contains("| p | 2 | 1.60 | 2.00 | 0.80 |"), "{text}");
        assert!(text.contains("mean 0.80; 0 of 1 are within 10 %, 1 within 20 %."), "{text}");
        let text = validation(&[Program { measured: None, ..example() }]);
        assert!(text.contains("Nothing was measured"), "{text}");
    }

    #[test]
    fn what_is_lost_is_told_for_each_number_of_workers() {
        let text = words(&program(&example()));
        let line =
            "25.0 % idle, 25.0 % waiting for memory while tasks of 1:2 (0.0 % of the time alone)";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("| 16 | 9.000 | 1.000 | 1.000 | 8.00 | 0.50 | 10.00 |"), "{text}");
    }

    #[test]
    fn the_page_has_no_gaps() {
        let args = Args::example();
        let text = super::page(&[example()], &Machine::free(), &args, "abc");
        assert!(!text.contains('{') && text.contains("Of commit abc."), "{text}");
    }
}
