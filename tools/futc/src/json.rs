//! Diagnostics as JSON, for tools. `futc check --help` documents the form, which is stable:
//! members may be added, but none goes or changes its meaning.

use futc_frontend::diag::{Diagnostic, Sources, position};
use futc_midend::explain::{judged_text, place, refusal};
use futc_midend::ir::Forced;
use futc_midend::passes::schedule::{Decision, Refusal};
use futc_typed::span::Span;
use serde_json::{Value, json};

/// An array with an object for each diagnostic.
pub fn diagnostics(diagnostics: &[Diagnostic], sources: &dyn Sources) -> String {
    format!("{:#}\n", array(diagnostics, sources))
}

/// The same in one line, for streams of them.
pub fn line(diagnostics: &[Diagnostic], sources: &dyn Sources) -> String {
    format!("{}\n", array(diagnostics, sources))
}

fn array(diagnostics: &[Diagnostic], sources: &dyn Sources) -> Value {
    Value::Array(diagnostics.iter().map(|d| diagnostic(d, sources)).collect())
}

/// What was decided about each operation of a program, in the order in which they stand (docs/schedules.md has the form).
pub fn schedules(decisions: &[Decision]) -> String {
    format!("{:#}\n", decisions.iter().map(schedule).collect::<Value>())
}

fn schedule(d: &Decision) -> Value {
    let strategies = d.schedule.iter().flat_map(|s| &s.strategies);
    let names = |hows: &[Forced]| hows.iter().map(|how| Value::from(how.name())).collect::<Value>();
    let lanes = d.lanes.as_ref().map(|lanes| match lanes {
        Ok(judged) => json!({ "possible": true, "why": judged_text(judged) }),
        Err(obstacle) => json!({ "possible": false, "why": refusal(&Refusal::Lanes(*obstacle)) }),
    });
    json!({
        "place": place(d).map(|p| p.to_string()),
        "kind": d.kind.name(),
        "function": d.fun.map(|f| f.to_string()),
        "dimensions": d.dims,
        "strip": d.within.strip,
        "task": d.within.task,
        "rest": d.within.lanes,
        "strategies": strategies.map(ToString::to_string).collect::<Vec<_>>(),
        "lanes": lanes,
        "alternatives": names(&d.alternatives),
    })
}

fn diagnostic(d: &Diagnostic, sources: &dyn Sources) -> Value {
    let file = d.labels.first().and_then(|(span, _)| sources.name(sources.absolute(*span).file));
    let spans: Vec<Value> =
        d.labels.iter().map(|(span, label)| labelled(*span, label, sources)).collect();
    json!({
        "severity": d.severity.word(),
        "code": d.code.name(),
        "message": d.message,
        "file": file,
        "spans": spans,
        "hints": d.hints,
    })
}

fn labelled(span: Span, label: &str, sources: &dyn Sources) -> Value {
    let span = sources.absolute(span);
    let text = sources.text(span.file).unwrap_or("");
    let place = |byte: u32| {
        let (byte, line, column) = position(text, byte as usize);
        (byte, json!({ "line": line, "column": column, "offset": byte }))
    };
    let (from, start) = place(span.start);
    let (to, end) = place(span.end.max(span.start));
    json!({
        "file": sources.name(span.file),
        "start": start,
        "end": end,
        "text": text.get(from..to).unwrap_or(""),
        "label": label,
    })
}
