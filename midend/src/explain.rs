//! Schedules in plain English: what `futc --explain-schedule` prints.
//!
//! ```text
//! prog.fut:2:3-56: a map, in powers
//!   Schedule: 16 points at a time, each in a lane of vectors, if there are as many; else …
//!   Lanes: worth it: for a round of the outermost loops inside, they save 3 operations and cost 0.
//! ```
//!
//! All is read off the decisions of the pass that code generation obeys
//! ([`decisions`](crate::passes::schedule::decisions)). Operations of one place about which the same is to be said
//! are told once, with their number.

use crate::analysis::lanes::{Obstacle, Rule};
use crate::ir::{PageStreams, Schedule, SegLevel, Strategy};
use crate::passes::schedule::{Decision, Judged, Kind, Refusal};
use crate::remarks::{Remark, What, places};
use futc_typed::span::SourceRange;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What there is to say about the operations of a program, by place.
pub fn explain(decisions: &[Decision]) -> String {
    let mut told: Vec<(Option<SourceRange>, String, usize)> = Vec::new();
    for d in decisions {
        let place = place(d);
        let text = text(d);
        match told.iter_mut().find(|(p, t, _)| *p == place && *t == text) {
            Some((_, _, times)) => *times += 1,
            None => told.push((place, text, 1)),
        }
    }
    told.sort_by(|a, b| a.0.cmp(&b.0));
    let mut out = String::new();
    for (place, text, times) in told {
        let at = place.map_or_else(|| "(no place in the source)".to_owned(), |p| p.to_string());
        let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
        let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let _ = writeln!(out, "{at}{times}: {head}\n{rest}");
    }
    out
}

/// Where an operation stands in what somebody wrote.
pub fn place(d: &Decision) -> Option<SourceRange> {
    d.loc.and_then(|loc| places(loc).into_iter().next())
}

/// The schedules that were asked for and could not be. If one of several operations at a place has it, nothing is said.
pub fn refused(decisions: &[Decision]) -> BTreeSet<Remark> {
    let asked = |d: &Decision| Some((place(d)?, d.forced?.0));
    let taken: Vec<_> = (decisions.iter())
        .filter(|d| matches!(d.forced, Some((_, None))))
        .filter_map(asked)
        .collect();
    let mut out = BTreeSet::new();
    for d in decisions {
        if let Some((how, Some(why))) = &d.forced
            && let Some(at) = asked(d).filter(|at| !taken.contains(at))
        {
            let what = What::Refused(how.name(), refusal(why));
            out.insert(Remark { place: at.0, asked: None, what });
        }
    }
    out
}

/// Why a schedule was refused, in words.
pub fn refusal(why: &Refusal) -> String {
    match why {
        Refusal::Lanes(obstacle) => obstacle_text(obstacle),
        Refusal::Illegal(why) => (*why).to_owned(),
    }
}

fn obstacle_text(obstacle: &Obstacle) -> String {
    match obstacle.loc.and_then(|loc| places(loc).into_iter().next()) {
        Some(place) => format!("{} (at {place})", obstacle.why),
        None => obstacle.why.to_string(),
    }
}

/// What there is to say about an operation; the first line says what it is.
fn text(d: &Decision) -> String {
    let mut out = format!("a {}", d.kind.name());
    if d.dims > 1 {
        let _ = write!(out, " over {} dimensions", d.dims);
    }
    if let Some(fun) = d.fun {
        let _ = write!(out, ", in {fun}");
    }
    if d.within.strip {
        out.push_str(
            ", in strips: neighbouring points together, their own arrays element beside element",
        );
    }
    if d.within.task {
        out.push_str(", in a task");
    }
    if d.within.in_cache {
        out.push_str(", of what fits the caches");
    }
    if d.within.lanes {
        out.push_str(", for points that the lanes around it leave over");
    }
    out.push('\n');
    match (d.level, &d.schedule) {
        (SegLevel::Tasks, _) => out.push_str("  Cut into tasks, which threads share.\n"),
        (SegLevel::Grid | SegLevel::Block | SegLevel::Thread, _) => {
            out.push_str("  Run by the threads of a device.\n");
        }
        (SegLevel::Seq, None) if d.kind == Kind::Loop => {
            out.push_str("  One round after the other.\n");
        }
        (SegLevel::Seq, None) => out.push_str("  Point by point, by one thread of a device.\n"),
        (SegLevel::Seq, Some(schedule)) => {
            let _ = writeln!(out, "  Schedule: {}.", schedule_text(schedule));
        }
    }
    match &d.lanes {
        Some(Ok(judged)) => {
            let _ = writeln!(out, "  Lanes: {}.", judged_text(judged));
        }
        Some(Err(obstacle)) => {
            let _ = writeln!(out, "  Lanes: not possible: {}.", obstacle_text(obstacle));
        }
        None => {}
    }
    match &d.forced {
        Some((how, None)) => {
            let _ = writeln!(out, "  Asked for: {how}.");
        }
        Some((how, Some(why))) => {
            let _ = writeln!(out, "  Asked for: {how}, which is refused: {}.", refusal(why));
        }
        None => {}
    }
    out
}

fn schedule_text(schedule: &Schedule) -> String {
    let all: Vec<String> = schedule.strategies.iter().map(|s| strategy(*s)).collect();
    all.join("; else ")
}

fn strategy(s: Strategy) -> String {
    let pages = |pages: Option<PageStreams>| match pages {
        Some(p) => {
            format!(", {} pages of memory side by side from {} elements on", p.pages, p.least)
        }
        None => String::new(),
    };
    match s {
        Strategy::Loops { unroll: 1 } => {
            "point by point, of which LLVM makes vectors where it can".into()
        }
        Strategy::Scalar => "point by point, as these are few".into(),
        Strategy::Outer { dims } => {
            format!(
                "point by point, of which LLVM makes vectors, but not of the {dims} outermost dimensions"
            )
        }
        Strategy::Rolled => "by vectors, though these are few".into(),
        Strategy::Loops { unroll } => format!("{unroll} points in each round of a loop"),
        Strategy::Tiles { dims: (a, b), size } => {
            format!("in tiles of {size} by {size} points of dimensions {a} and {b}")
        }
        Strategy::Panels { rows, least, from, .. } => format!(
            "in panels of {rows} rows, written past the caches, if the result has {from} bytes and rows of {least} elements or more"
        ),
        Strategy::Lanes { width, aligned, .. } => {
            let where_ = if aligned { ", aligned with the result" } else { "" };
            format!(
                "{width} points at a time{where_}, each in a lane of vectors, if there are as many"
            )
        }
        Strategy::Stream { chunk, pages: p, from, tasks, .. } => format!(
            "in chunks of {chunk} points past the caches{}, if results{} have {from} bytes or more",
            pages(p),
            if tasks { " of all tasks" } else { "" }
        ),
        Strategy::Contract(t) => format!(
            "as a product of matrices in blocks, {} by {} elements in registers, from {} multiplications on",
            t.high, t.wide, t.least
        ),
        Strategy::Innermost { dim } => {
            format!("point by point, dimension {dim} innermost, as it has few points")
        }
        Strategy::Columns { dim, block } => {
            format!("{block} columns at a time, dimension {dim} innermost")
        }
        Strategy::Accumulators { count, least, pages: p } => {
            format!("{count} accumulators in turn{}, from {least} elements on", pages(p))
        }
        Strategy::Tree { block } => format!("blocks of {block} elements as trees"),
        Strategy::Vectors { lanes, rows, .. } => {
            let rows = if rows > 0 {
                format!(", if rows have {rows} elements or more")
            } else {
                String::new()
            };
            format!("scanned by vectors of {lanes} elements{rows}")
        }
        Strategy::Compress { lanes } => format!(
            "{lanes} elements at a time, put side by side in a register, if there is room for as many"
        ),
        Strategy::Threads { block } => format!("a thread for each point, {block} in a block"),
        Strategy::Runs { .. } | Strategy::Along | Strategy::Squares { .. } | Strategy::Table => {
            s.to_string()
        }
    }
}

/// What is said of lanes that are possible.
pub fn judged_text(judged: &Judged) -> String {
    let e = &judged.estimate;
    if judged.slow_gathers && e.pays() {
        return "not worth it: most of the work is to read elements from anywhere, which this processor does one by one"
            .into();
    }
    if judged.slow_divisions {
        return "not worth it: there is no loop inside, and this processor divides integers one by one".into();
    }
    if judged.slow_integers && e.pays() {
        return "not worth it: 64-bit integers are multiplied, divided or shifted in the loops inside, for which this processor's vectors have no \
                instructions"
            .into();
    }
    if judged.in_rows {
        return "worth it: in rows of any length, of which neighbours are read that lie across lines of the cache"
            .into();
    }
    if judged.in_strips && !e.pays() {
        return "worth it, as was expected when neighbouring points were put together".into();
    }
    let verdict = if e.pays() { "worth it" } else { "not worth it" };
    let why = match e.rule {
        Rule::Loops => {
            let mut costs = Vec::new();
            if e.scattered > 0 {
                costs.push(format!("elements read one by one: {}", e.scattered));
            }
            if e.calls > 0 {
                costs.push(format!("functions called for each point: {}", e.calls));
            }
            let costs =
                if costs.is_empty() { String::new() } else { format!(" ({})", costs.join(", ")) };
            format!(
                "for a round of the outermost loops inside, they save {} operations and cost {}{costs}",
                e.gained, e.lost
            )
        }
        Rule::SharedLoops => "what the loops inside compute is the same for all points".into(),
        Rule::Checks => {
            "there is no loop inside, but checks, which keep LLVM from making vectors".into()
        }
        Rule::MaskedReads => {
            "there is no loop inside, but neighbours are read under branches".into()
        }
        Rule::MaskedGathers => {
            "there is no loop inside, but several elements are read under branches, wherever they are".into()
        }
        Rule::MaskedFunctions => {
            "there is no loop inside, but mathematical functions under branches".into()
        }
        Rule::Divisions => {
            "there is no loop inside, but integers are divided, of which LLVM makes no vectors"
                .into()
        }
        Rule::Tables => {
            "there is no loop inside, but elements of tables of bytes are read, of which LLVM makes no vectors"
                .into()
        }
        Rule::Straight => "there is no loop inside, so LLVM can make vectors by itself".into(),
        Rule::Writes => "points write where they say, one element after the other".into(),
        Rule::Collects => {
            "there are loops inside of a reduction that also stores something for each point and reads from anywhere: \
             most points have nothing to do by experience"
                .into()
        }
    };
    format!("{verdict}: {why}")
}
