//! Units, and what they do not depend on.

use super::{MARK, Unit, parts, units};
use crate::ir::parse::parse_program;
use crate::ir::verify::verify;
use crate::ir::{Fun, Linkage, Program};

fn program(text: &str) -> Program {
    let text = format!("level soacs\n\n{text}");
    let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
    p
}

/// A function of so many statements, which calls another if one is named.
fn fun(name: &str, entry: bool, statements: usize, tag: usize, calls: &str, more: &str) -> String {
    let entry = match entry {
        true => format!(" entry \"{name}\" (\"x\": \"i64\" i64) -> (\"i64\" i64)"),
        false => String::new(),
    };
    let mut s = format!("fun {name} (x_{tag}: i64) : (r_{}: i64){entry} {{\n", tag + 1);
    let mut last = format!("x_{tag}");
    let mut next = tag + 2;
    for i in 0..statements {
        s += &format!("  let a_{next}: i64 = add.i64({last}, {i}) at \"p.fut:{next}:1\"\n");
        last = format!("a_{next}");
        next += 1;
    }
    if !calls.is_empty() {
        s += &format!("  let a_{next}: i64 = call {calls}({last}) at \"p.fut:{next}:2\"\n");
        last = format!("a_{next}");
        next += 1;
    }
    if !more.is_empty() {
        s += &format!("  let a_{next}: i64 = add.i64({last}, {more})\n");
        last = format!("a_{next}");
    }
    s + &format!("  in {last}\n}}\n")
}

fn split(text: &str) -> Vec<(String, String)> {
    let units = units(program(text), 1).unwrap_or_else(|p| panic!("{p}"));
    for u in &units {
        verify(&u.program).unwrap_or_else(|e| panic!("{e:?}\n{}", u.program));
    }
    units.into_iter().map(|u| (u.name, u.program.to_string())).collect()
}

fn names(text: &str) -> Vec<String> {
    split(text).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn units_do_not_tell_of_their_neighbours() {
    let b = |tag| fun("b", true, 60, tag, "small", "");
    let small = |tag| fun("small", false, 3, tag, "", "");
    let one = format!("{}{}{}", small(10), fun("a", true, 60, 100, "small", ""), b(300));
    // Another neighbour, other numbers and positions, another order.
    let two = format!("{}{}{}", fun("a", true, 70, 20, "", ""), small(500), b(700));
    let (one, two) = (split(&one), split(&two));
    assert_eq!(one.len(), 2);
    assert_eq!(one[1], two[1]);
    assert_ne!(one[0], two[0]);
    assert!(one[1].1.contains("fun small") && !one[1].1.contains("fun a"), "{}", one[1].1);
}

#[test]
fn positions_come_back() {
    let text = fun("a", true, 5, 0, "", "");
    let before = program(&text);
    let mut unit = units(before.clone(), 1).unwrap_or_else(|p| panic!("{p}")).remove(0);
    let masked = unit.program.to_string();
    assert!(masked.contains("\\u{1}0\\u{1}") && !masked.contains("p.fut"), "{masked}");
    unit.places.restore(&mut unit.program);
    assert_eq!(unit.program.to_string(), before.to_string());
    let chain = format!("{MARK}1{MARK}\n-> #1  {MARK}0{MARK}");
    let filled = unit.places.fill(&chain).unwrap_or_default();
    assert_eq!(filled, "p.fut:3:1\n-> #1  p.fut:2:1");
    assert_eq!(unit.places.fill(&format!("{MARK}99{MARK}")), None);
}

#[test]
fn what_is_large_and_shared_is_in_one_unit() {
    let all = |shared: usize| {
        let mut s = fun("shared", false, shared, 0, "", "");
        for (i, name) in ["a", "b", "c"].iter().enumerate() {
            let calls = if i == 1 { "" } else { "shared" };
            s += &fun(name, true, 90, 1000 * (i + 1), calls, "");
        }
        s
    };
    assert_eq!(names(&all(10)), ["a", "b", "c"]);
    assert_eq!(names(&all(200)), ["a", "b"]);
}

#[test]
fn constants_that_are_costly_or_write_are_evaluated_once() {
    let with = |constant: &str| {
        let mut s = format!("global (g_1: i64, h_2: i64) = {{\n{constant}\n  in (c_3, 7)\n}}\n");
        for (i, (name, more)) in [("a", "g_1"), ("b", "h_2"), ("c", "g_1")].into_iter().enumerate()
        {
            s += &fun(name, true, 90, 1000 * (i + 1), "", more);
        }
        s
    };
    let cheap = with("  let c_3: i64 = add.i64(1, 2)");
    assert_eq!(names(&cheap), ["a", "b", "c"]);
    let (of_b, of_a) = (&split(&cheap)[1].1, &split(&cheap)[0].1);
    assert!(!of_b.contains("add.i64(1, 2)") && of_a.contains("add.i64(1, 2)"), "{of_a}{of_b}");
    let costly = with(
        "  let c_3: i64 = loop (p_4: i64 = 0) for i_5: i64 < 9 {
    let q_6: i64 = add.i64(p_4, i_5)
    in q_6 }",
    );
    assert_eq!(names(&costly), ["a", "b"]);
    assert_eq!(names(&with("  let c_3: i64 = trace(4)")), ["a"]);
}

#[test]
fn short_programs_are_one_unit() {
    let text = format!("{}{}", fun("a", true, 60, 0, "", ""), fun("b", true, 60, 100, "", ""));
    assert_eq!(units(program(&text), 1000).map(|u| u.len()).ok(), Some(1));
    assert_eq!(names(&text).len(), 2);
    // Small entry points are put together.
    let small = |i: usize| fun(&format!("e{i}"), true, 3, 100 * i, "", "");
    let several = names(&(0..12).map(small).collect::<String>()).len();
    assert!(several < 8, "{several}");
}

#[test]
fn texts_that_could_be_positions_are_left_alone() {
    let text =
        "fun a (x_1: bool) : (r_2: bool) entry \"a\" (\"x\": \"bool\" bool) -> (\"bool\" bool) {
  let c_3: cert = assert(x_1, \"\\u{1}0\\u{1}\")
  let y_4: bool = <c_3> x_1
  in y_4
}";
    assert!(units(program(text), 1).is_err());
}

/// The parts of a program that is one unit.
fn in_parts(text: &str, size: usize) -> Vec<Unit> {
    let mut all = units(program(text), 100_000).unwrap_or_else(|p| panic!("{p}"));
    let unit = all.remove(0);
    let out = parts("u", unit.program, &unit.places, size);
    for part in &out {
        verify(&part.program).unwrap_or_else(|e| panic!("{e:?}\n{}", part.program));
        let again = parse_program(&part.program.to_string()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(again.to_string(), part.program.to_string());
    }
    out
}

fn bodies(part: &Unit) -> Vec<String> {
    let here = |f: &&Fun| !f.is_imported();
    part.program.funs.iter().filter(here).map(|f| f.name.to_string()).collect()
}

/// An entry point behind a chain of functions, the last of which also calls the first.
fn chain(statements: usize, shift: usize) -> String {
    let mut s = fun("f0", false, statements, shift, "", "");
    for i in 1..6 {
        s +=
            &fun(&format!("f{i}"), false, statements, shift + 1000 * i, &format!("f{}", i - 1), "");
    }
    s + &fun("main", true, statements, shift + 9000, "f5", "")
}

#[test]
fn parts_know_each_other_by_signatures() {
    let all = in_parts(&chain(30, 0), 30);
    assert!(all.len() > 2, "{}", all.len());
    // Each function is in one part, and known by one symbol.
    let mut names: Vec<String> = all.iter().flat_map(bodies).collect();
    names.sort();
    assert_eq!(names, ["f0", "f1", "f2", "f3", "f4", "f5", "main"]);
    let funs = || all.iter().flat_map(|p| &p.program.funs);
    for f in funs() {
        let Linkage::Imported(import) = &f.linkage else { continue };
        assert_eq!(import.symbol.as_str(), format!("fut.u.{}", f.name));
        assert!(!import.has_effects && !import.sees_globals);
        let there = funs().filter(|g| g.linkage == Linkage::Exported(import.symbol));
        assert_eq!(there.count(), 1, "{}", f.name);
    }
    assert!(funs().any(Fun::is_imported));
    // What is small stays whole.
    assert!(in_parts(&chain(30, 0), 200).is_empty());
}

#[test]
fn an_edit_leaves_other_parts_as_they_are() {
    let text = |parts: Vec<Unit>| -> Vec<(String, String)> {
        parts.into_iter().map(|p| (p.name, p.program.to_string())).collect()
    };
    let before = text(in_parts(&chain(30, 0), 30));
    // Other numbers and positions: nothing.
    assert_eq!(text(in_parts(&chain(30, 50_000), 30)), before);
    // Another statement.
    let edited = chain(30, 0).replacen("add.i64(x_2000, 0)", "add.i64(x_2000, 5)", 1);
    let after = text(in_parts(&edited, 30));
    assert_eq!(after.iter().zip(&before).filter(|(a, b)| a != b).count(), 1);
    assert_eq!(after.len(), before.len());
}

#[test]
fn functions_that_call_each_other_are_in_one_part() {
    let mut s = fun("f0", false, 30, 0, "f2", "");
    s += &fun("f1", false, 30, 1000, "f0", "");
    s += &fun("f2", false, 30, 2000, "f1", "");
    s += &fun("g", false, 30, 3000, "f1", "");
    s += &fun("main", true, 30, 4000, "g", "");
    let all = in_parts(&s, 30);
    assert!(all.len() > 1);
    let ring = all.iter().map(bodies).find(|b| b.contains(&"f0".to_string())).unwrap_or_default();
    assert!(ring.contains(&"f1".to_string()) && ring.contains(&"f2".to_string()), "{ring:?}");
}

#[test]
fn parts_compute_cheap_constants_by_themselves_and_costly_ones_once() {
    let with = |constant: &str| {
        let global = format!("global (g_1: i64) = {{\n{constant}\n  in c_3\n}}\n");
        global
            + &fun("called", false, 40, 500, "", "")
            + &fun("f", false, 40, 1000, "called", "g_1")
            + &fun("h", false, 40, 2000, "f", "")
            + &fun("main", true, 40, 3000, "h", "g_1")
    };
    let of = |constant: &str| in_parts(&with(constant), 30);
    let part = |all: &[Unit], name: &str| {
        all.iter().position(|p| bodies(p).contains(&name.to_string())).unwrap_or(usize::MAX)
    };
    let cheap = of("  let c_3: i64 = add.i64(1, 2)");
    assert_ne!(part(&cheap, "f"), part(&cheap, "main"));
    let have = |p: &&Unit| !p.program.globals.is_empty();
    assert_eq!(cheap.iter().filter(have).count(), 2);
    let sees = |f: &Fun| matches!(&f.linkage, Linkage::Imported(i) if i.sees_globals);
    assert!(cheap.iter().flat_map(|p| &p.program.funs).any(sees));
    let costly = of("  let c_3: i64 = loop (p_4: i64 = 0) for i_5: i64 < 9 {
    let q_6: i64 = add.i64(p_4, i_5)
    in q_6 }");
    assert_eq!(part(&costly, "f"), part(&costly, "main"));
    assert_eq!(costly.iter().filter(have).count(), 1);
    // What a constant calls is where the constant is.
    let calls = of("  let c_3: i64 = call called(3)");
    assert_eq!(part(&calls, "f"), part(&calls, "called"));
    // What writes to the outside does so once.
    assert!(of("  let c_3: i64 = trace(4)").is_empty());
}

#[test]
fn effects_of_other_parts_are_known() {
    let text = chain(30, 0).replacen("add.i64(x_0, 0)", "trace(x_0)", 1);
    let all = in_parts(&text, 30);
    let effects = |f: &Fun| matches!(&f.linkage, Linkage::Imported(i) if i.has_effects);
    let imports = || all.iter().flat_map(|p| &p.program.funs).filter(|f| f.is_imported());
    assert!(imports().count() > 0 && imports().all(effects));
}
