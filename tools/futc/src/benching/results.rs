//! Results in JSON, in the format of `futhark bench --json`: from `PROGRAM:ENTRY` to its data sets
//! to the run times in microseconds, or to what went wrong.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// What was measured of a data set.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// Every run, in microseconds.
    pub times: Vec<f64>,
    /// The most memory in use at once, in bytes by memory space.
    pub peak: BTreeMap<String, i64>,
}

/// By `PROGRAM:ENTRY` and data set; in the order of measuring.
#[derive(Default)]
pub struct Results {
    rows: Vec<(String, String, Result<Measured, String>)>,
}

impl Results {
    /// Takes note of one.
    pub fn add(&mut self, benchmark: &str, dataset: &str, result: Result<Measured, String>) {
        self.rows.push((benchmark.into(), dataset.into(), result));
    }

    /// All of them.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        for (benchmark, dataset, result) in &self.rows {
            let row = match result {
                Ok(m) => json!({"runtimes": m.times, "bytes": m.peak}),
                Err(e) => json!(e),
            };
            let entry = out.entry(benchmark.clone()).or_insert_with(|| json!({"datasets": {}}));
            if let Some(sets) = entry.get_mut("datasets").and_then(Value::as_object_mut) {
                sets.insert(dataset.clone(), row);
            }
        }
        Value::Object(out)
    }
}

/// Run times by benchmark and data set; those that failed are left out.
pub type Times = BTreeMap<String, BTreeMap<String, Vec<f64>>>;

/// Reads what [`Results::to_json`] or another tool of that format wrote.
pub fn read(file: &Path) -> Result<Times, String> {
    let say = |what: &str| format!("{}: {what}", file.display());
    let text = std::fs::read_to_string(file).map_err(|e| say(&e.to_string()))?;
    let json: Value = serde_json::from_str(&text).map_err(|e| say(&e.to_string()))?;
    let wrong = || say("these are no benchmark results");
    let mut out = Times::new();
    for (benchmark, entry) in json.as_object().ok_or_else(wrong)? {
        let sets = entry.get("datasets").and_then(Value::as_object).ok_or_else(wrong)?;
        let times = out.entry(benchmark.clone()).or_default();
        for (name, row) in sets {
            let Some(row) = row.get("runtimes") else { continue };
            let row: Option<Vec<f64>> =
                row.as_array().and_then(|ts| ts.iter().map(Value::as_f64).collect());
            times.insert(name.clone(), row.ok_or_else(wrong)?);
        }
    }
    Ok(out)
}
