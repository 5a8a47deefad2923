//! The table, and the page.

use super::results::{Measured, Program};
use crate::bench::report::{aligned, machine};
use std::fmt::Write as _;

/// A choice that takes no more than this over the best is good enough.
const ENOUGH: f64 = 1.1;

/// The nests of which it matters which strategy is taken, and counts of all.
pub fn table(programs: &[Program]) -> String {
    let head = ["program", "nest", "chosen", "best", "chosen / best", "slowest / best"];
    let mut cells = vec![head.map(String::from).to_vec()];
    let nests: Vec<(&Program, &Measured)> =
        programs.iter().flat_map(|p| p.nests.iter().map(move |n| (p, n))).collect();
    for (program, nest) in nests.iter().filter(|(_, n)| n.matters()) {
        let mark = if nest.ratio() > ENOUGH { " (!)" } else { "" };
        cells.push(vec![
            program.name.clone(),
            format!("{} {}", nest.place, nest.kind),
            nest.chosen.clone(),
            nest.best().0.to_owned(),
            format!("{:.2}{mark}", nest.ratio()),
            format!("{:.2}", nest.spread()),
        ]);
    }
    let good = |n: &Measured| n.ratio() <= ENOUGH;
    let matter: Vec<&Measured> = nests.iter().map(|(_, n)| *n).filter(|n| n.matters()).collect();
    let mut s = aligned(&cells);
    let _ = write!(
        s,
        "\n{} nests of {} programs can go in more than one way. It matters which is taken for {}. Of all, \
         {} have a choice within\n10 % of the best, of those that matter {}.\n",
        nests.len(),
        programs.len(),
        share(matter.len(), nests.len()),
        share(nests.iter().filter(|(_, n)| good(n)).count(), nests.len()),
        share(matter.iter().filter(|n| good(n)).count(), matter.len()),
    );
    s
}

fn share(some: usize, of: usize) -> String {
    format!("{some} ({:.0} %)", 100.0 * some as f64 / of.max(1) as f64)
}

/// The whole page; `missing` are programs without results.
pub fn page(programs: &[Program], missing: &[String]) -> String {
    let mut s = format!(
        "# The cost model, measured\n\n\
         `cargo xtask strategies` takes each nest of the programs of `benches/programs`, as `futc --explain-schedule` lists \
         them\n([Schedules](schedules.md)), compiles the program with every other strategy that is legal there \
         (`--force-schedule`), and\ntimes these versions against the program as it is, in turns. Times are those of the whole \
         program, of the quickest run.\nVersions whose code is the same as the choice's are none, and their results must \
         agree. A version that seems better\nthan the choice is measured again, against it alone, and the second \
         measurement counts.\n\n\
         The table has the nests for which the slowest version takes more than 1.05 of the best: those for which it matters \
         what\nis taken. A choice that takes more than 1.1 of the best is marked (!). `cargo xtask strategies --page` writes \
         this page.\n\n\
         Measured on: {}.\n\n{}",
        machine(),
        table(programs)
    );
    if !missing.is_empty() {
        let _ = writeln!(s, "\nNot measured: {}.", missing.join(", "));
    }
    s
}

#[cfg(test)]
mod tests {
    use super::table;
    use crate::strategies::results::{Measured, Program};

    #[test]
    fn what_matters_is_told() {
        let nest = |place: &str, ratio| Measured {
            place: place.into(),
            kind: "map".into(),
            chosen: "lanes".into(),
            others: vec![("loops".into(), ratio)],
        };
        let nests = vec![nest("3:4", 0.5), nest("5:6", 1.01), nest("7:8", 3.0), nest("9:1", 1.0)];
        let text = table(&[Program { name: "p".into(), time: 1.0, nests }]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("| p | 3:4 map | lanes | loops | 2.00 (!) | 2.00 |"), "{text}");
        assert!(text.contains("| p | 7:8 map | lanes | lanes | 1.00 | 3.00 |"), "{text}");
        assert!(!text.contains("5:6"), "{text}");
        assert!(text.contains("4 nests of 1 programs"), "{text}");
        assert!(text.contains("matters which is taken for 2 (50 %)"), "{text}");
        assert!(text.contains("Of all, 3 (75 %)"), "{text}");
        assert!(text.contains("of those that matter 1 (50 %)"), "{text}");
    }
}
