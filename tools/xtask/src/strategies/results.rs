//! What was measured of a program, and how it is kept.

use serde_json::{Value, json};
use std::path::Path;

/// A program's nests.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub name: String,
    /// Microseconds of the program as it is.
    pub time: f64,
    pub nests: Vec<Measured>,
}

/// A nest whose strategies were timed.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// Line and column.
    pub place: String,
    pub kind: String,
    pub chosen: String,
    /// The other strategies, and the time of the program with each over its time as it is.
    pub others: Vec<(String, f64)>,
}

/// A smaller difference between the versions of a nest is noise.
const INFLUENCE: f64 = 1.05;

impl Measured {
    /// The quickest of all, with its time over that of the choice.
    pub fn best(&self) -> (&str, f64) {
        let chosen = (self.chosen.as_str(), 1.0);
        let all = self.others.iter().map(|(how, ratio)| (how.as_str(), *ratio));
        all.fold(chosen, |best, this| if this.1 < best.1 { this } else { best })
    }

    /// The time of the choice over that of the best.
    pub fn ratio(&self) -> f64 {
        1.0 / self.best().1
    }

    /// The slowest over the best.
    pub fn spread(&self) -> f64 {
        let slowest = self.others.iter().map(|(_, ratio)| *ratio).fold(1.0, f64::max);
        slowest / self.best().1
    }

    /// Whether it matters which is taken.
    pub fn matters(&self) -> bool {
        self.spread() > INFLUENCE
    }
}

impl Program {
    /// Keeps it in a folder.
    pub fn save(&self, folder: &Path) -> Result<(), String> {
        let nest = |n: &Measured| {
            let others = n.others.iter().map(|(how, ratio)| json!([how, ratio]));
            json!({ "place": n.place, "kind": n.kind, "chosen": n.chosen, "others": others.collect::<Value>() })
        };
        let nests: Value = self.nests.iter().map(nest).collect();
        let text = json!({ "time": self.time, "nests": nests }).to_string();
        let file = folder.join(format!("{}.json", self.name));
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|e| format!("{}: {e}", file.display()))
    }

    /// What a folder has of a program, if it has.
    pub fn load(folder: &Path, name: &str) -> Result<Option<Program>, String> {
        let file = folder.join(format!("{name}.json"));
        if !file.is_file() {
            return Ok(None);
        }
        let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
        let text = std::fs::read_to_string(&file).map_err(|e| failed(&e))?;
        let read: Value = serde_json::from_str(&text).map_err(|e| failed(&e))?;
        let program = || {
            let nests = read.get("nests")?.as_array()?.iter().map(|n| {
                let text = |name: &str| n.get(name)?.as_str().map(String::from);
                let other = |o: &Value| Some((o.get(0)?.as_str()?.to_owned(), o.get(1)?.as_f64()?));
                let others = n.get("others")?.as_array()?.iter().map(other);
                Some(Measured {
                    place: text("place")?,
                    kind: text("kind")?,
                    chosen: text("chosen")?,
                    others: others.collect::<Option<_>>()?,
                })
            });
            let time = read.get("time")?.as_f64()?;
            Some(Program { name: name.to_owned(), time, nests: nests.collect::<Option<_>>()? })
        };
        program().map(Some).ok_or_else(|| failed(&"it has another form"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Measured, Program};

    fn nest(others: &[(&str, f64)]) -> Measured {
        Measured {
            place: "3:4".into(),
            kind: "map".into(),
            chosen: "lanes".into(),
            others: others.iter().map(|(how, ratio)| ((*how).to_owned(), *ratio)).collect(),
        }
    }

    #[test]
    fn the_best_may_be_another() {
        let worse = nest(&[("loops", 0.8), ("stream", 1.2)]);
        assert_eq!(worse.best(), ("loops", 0.8));
        assert!((worse.ratio() - 1.25).abs() < 1e-9 && (worse.spread() - 1.5).abs() < 1e-9);
        let best = nest(&[("loops", 1.02)]);
        assert_eq!((best.best(), best.matters()), (("lanes", 1.0), false));
    }

    #[test]
    fn results_are_kept() {
        let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
        let program = Program { name: "p".into(), time: 3.5, nests: vec![nest(&[("loops", 0.5)])] };
        assert_eq!(program.save(folder.path()), Ok(()));
        assert_eq!(Program::load(folder.path(), "p"), Ok(Some(program)));
        assert_eq!(Program::load(folder.path(), "q"), Ok(None));
    }
}
