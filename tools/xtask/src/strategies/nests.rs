//! The nests of a program, as `futc --explain-schedule=json` tells them.

use serde_json::Value;

/// What stands at a place of the source: an operation, or several that became of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nest {
    /// The place, as `--force-schedule` reads it.
    pub place: String,
    /// What it is.
    pub kind: String,
    /// The strategies that were chosen, in order of preference.
    pub chosen: Vec<String>,
    /// What can be asked for instead, or may be.
    pub alternatives: Vec<String>,
}

/// The schedule that only the compiler's attempt tells whether it is possible.
const STRIPS: &str = "strips";

/// Reads what the compiler says. Operations of nests that go by lanes are no nests: their schedules are for the few
/// points that fill no vector.
pub fn nests(said: &str) -> Result<Vec<Nest>, String> {
    let said: Vec<Value> = serde_json::from_str(said).map_err(|e| e.to_string())?;
    let mut nests: Vec<Nest> = Vec::new();
    for operation in &said {
        let text = |name: &str| operation.get(name).and_then(Value::as_str);
        let is = |name: &str| operation.get(name).and_then(Value::as_bool) == Some(true);
        let list = |name: &str| -> Vec<String> {
            let all = operation.get(name).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(String::from).collect()
        };
        let (Some(place), Some(kind)) = (text("place"), text("kind")) else { continue };
        let mut chosen = list("strategies");
        if is("rest") || chosen.is_empty() {
            continue;
        }
        let mut alternatives = list("alternatives");
        let by_lanes = operation.pointer("/lanes/possible").and_then(Value::as_bool);
        let one = operation.get("dimensions").and_then(Value::as_u64) == Some(1);
        if is("strip") {
            chosen = vec![STRIPS.to_owned()];
        } else if kind == "map" && one && by_lanes == Some(false) {
            alternatives.push(STRIPS.to_owned());
        }
        match nests.iter_mut().find(|n| n.place == place) {
            None => {
                let (place, kind) = (place.to_owned(), kind.to_owned());
                nests.push(Nest { place, kind, chosen, alternatives });
            }
            Some(nest) => {
                for how in alternatives {
                    if !nest.alternatives.contains(&how) {
                        nest.alternatives.push(how);
                    }
                }
                // Where there are several, the one that is not by loops alone says more.
                if nest.chosen.len() < chosen.len() {
                    nest.chosen = chosen;
                }
            }
        }
    }
    Ok(nests)
}

/// The kinds of strategies, in order of preference: sizes decide between them.
pub fn name(strategies: &[String]) -> String {
    let mut words: Vec<&str> = strategies.iter().filter_map(|s| s.split(' ').next()).collect();
    words.dedup();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Nest, name, nests};

    const SAID: &str = r#"[
        {"place": "a.fut:2:3-9", "kind": "map", "dimensions": 1, "rest": false, "strip": false,
         "strategies": ["lanes 16", "loops"], "lanes": {"possible": true}, "alternatives": ["loops"]},
        {"place": "a.fut:2:5-8", "kind": "reduction", "dimensions": 1, "rest": true, "strip": false,
         "strategies": ["loops"], "lanes": null, "alternatives": ["lanes"]},
        {"place": "a.fut:2:3-9", "kind": "map", "dimensions": 1, "rest": false, "strip": false,
         "strategies": ["loops"], "lanes": {"possible": true}, "alternatives": ["lanes", "loops"]},
        {"place": "a.fut:7:1-9", "kind": "map", "dimensions": 1, "rest": false, "strip": false,
         "strategies": ["loops"], "lanes": {"possible": false}, "alternatives": []},
        {"place": null, "kind": "map", "dimensions": 1, "strategies": ["loops"]}]"#;

    #[test]
    fn operations_of_a_place_are_one_nest() {
        let strings = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let nest = |place: &str, chosen: &[&str], alternatives: &[&str]| Nest {
            place: place.into(),
            kind: "map".into(),
            chosen: strings(chosen),
            alternatives: strings(alternatives),
        };
        assert_eq!(
            nests(SAID),
            Ok(vec![
                nest("a.fut:2:3-9", &["lanes 16", "loops"], &["loops", "lanes"]),
                nest("a.fut:7:1-9", &["loops"], &["strips"]),
            ])
        );
        assert_eq!(name(&strings(&["lanes 16", "lanes 8", "loops"])), "lanes, loops");
    }
}
