//! Long programs become several objects, which mean the same together.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;
use common::{program, run_with};
use futc_mlir::{Compiled, OptLevel, Options, target};
use std::process::Command;

/// A function that several call, a constant, a check, and mathematics by vectors.
const SEVERAL: &str = r##"
fun third (i_1: i64) : (r_2: i64) {
  let ok_3: bool = slt.i64(i_1, 1000)
  let c_4: cert = assert(ok_3, "too large: ", i_1: i64) at "s.fut:1:1"
  let r_2: i64 = <c_4> sdiv.i64(i_1, 3)
  in r_2
}

fun sines (n_10: i64, m_11: mem.host, xs_12: [n_10]f64 @ m_11 -> {0; (n_10, 1)}) : (rm_13: mem.host, r_14: [n_10]f64 @ rm_13 -> {0; (n_10, 1)})
  entry "sines" ("xs": "[]f64" []f64) -> ("[]f64" []f64)
{
  let m_15: mem.host = alloc((8 * n_10), host)
  let r_16: [n_10]f64 @ m_15 -> {0; (n_10, 1)} = segmap seq (i_17 < n_10) : (f64) {
    let x_18: f64 = index xs_12[i_17]
    let y_19: f64 = math.sin.f64(x_18)
    in (return y_19)
  }
  in (m_15, r_16)
}

fun main (n_20: i64) : (r_21: i64)
  entry "main" ("n": "i64" i64) -> ("i64" i64)
{
  let r_21: i64 = call third(n_20)
  in r_21
}

fun twice (n_30: i64) : (r_31: i64)
  entry "twice" ("n": "i64" i64) -> ("i64" i64)
{
  let a_32: i64 = call third(n_30)
  let b_33: i64 = call third(a_32)
  let r_31: i64 = add.i64(a_32, b_33)
  in r_31
}
"##;

fn in_parts(level: OptLevel) -> Options {
    Options { level, object_size: 1, ..Options::new(&target::SEQ) }
}

#[test]
fn several_objects_mean_what_one_does() {
    let program = program(SEVERAL);
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        let options = in_parts(level);
        let objects = Compiled::new(&program, options.clone()).objects().unwrap();
        assert!(objects.len() > 2, "{}", objects.len());
        for options in [options, Options { level, ..Options::new(&target::SEQ) }] {
            assert_eq!(run_with(options.clone(), &program, "10i64"), Ok("3i64".to_owned()));
            let failed = run_with(options, &program, "5000i64").unwrap_err();
            assert!(failed.contains("too large: 5000"), "{failed}");
        }
    }
}

#[test]
fn objects_are_the_same_each_time() {
    let program = program(SEVERAL);
    let objects = || Compiled::new(&program, in_parts(OptLevel::O3)).objects().unwrap();
    assert_eq!(objects(), objects());
}

/// Units of one program may have functions of one name, which parts of each share.
#[test]
fn parts_of_units_share_names_of_their_own() {
    let unit = |name: &str| {
        let text = format!(
            r#"
fun third (i_1: i64) : (r_2: i64) {{
  let r_2: i64 = sdiv.i64(i_1, 3)
  in r_2
}}

fun one (n_20: i64) : (r_21: i64) exported "fut.{name}.one" {{
  let r_21: i64 = call third(n_20)
  in r_21
}}

fun two (n_30: i64) : (r_31: i64) exported "fut.{name}.two" {{
  let a_32: i64 = call third(n_30)
  let r_31: i64 = call third(a_32)
  in r_31
}}
"#
        );
        let program = program(&text);
        Compiled::new(&program, in_parts(OptLevel::O0)).unit(Some(name)).unwrap().objects
    };
    let (mut symbols, folder) = (Vec::new(), tempfile::tempdir().unwrap());
    for (i, object) in unit("a").into_iter().chain(unit("b")).enumerate() {
        let path = folder.path().join(format!("part{i}.o"));
        std::fs::write(&path, object).unwrap();
        let nm = Command::new("nm").args(["--defined-only", "--extern-only"]).arg(&path).output();
        let listed = String::from_utf8(nm.unwrap().stdout).unwrap();
        symbols.extend(listed.lines().filter_map(|l| l.split(' ').nth(2)).map(str::to_owned));
    }
    symbols.retain(|s| s.contains("third"));
    assert_eq!(symbols.len(), 2, "{symbols:?}");
    symbols.dedup();
    assert_eq!(symbols.len(), 2, "{symbols:?}");
}
