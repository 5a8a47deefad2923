//! From level soacs through the passes of the mid-end: what they make is what code generation
//! expects.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;
use common::run_program_on;
use futc_midend::ir::parse::parse_program;
use futc_midend::pipelines::Runner;
use futc_mlir::target;

fn check(text: &str, input: &str, output: &str) {
    for target in [&target::SEQ, &target::GPU_EMU] {
        let mut program =
            parse_program(&format!("level soacs\n{text}")).unwrap_or_else(|e| panic!("{e}"));
        let mut runner = Runner::default();
        for (_, pipeline) in target.pipelines.levels() {
            program = runner.run(pipeline, program).unwrap_or_else(|e| panic!("{e}"));
        }
        let found = run_program_on(target, &program, input);
        assert_eq!(found, Ok(output.to_owned()), "{target:?}\n{program}");
    }
}

const ADD: &str =
    "\\(a_90: i64, b_91: i64) : (i64) {\n let c_92: i64 = add.i64(a_90, b_91)\n in c_92 }";

#[test]
fn rows_are_reduced_and_results_scanned() {
    check(
        &r##"
fun main (n_1: i64, m_2: i64, xss_3: [n_1][m_2]i64) : (r_4: [n_1]i64, s_5: [n_1][m_2]i64)
  entry "main" ("xss": "[][]i64" [][]i64) -> ("[]i64" []i64, "[][]i64" [][]i64)
{
  let sums_6: [n_1]i64 = map(n_1, [xss_3], \(xs_7: [m_2]i64) : (i64) {
    let t_8: i64 = reduce(m_2, [xs_7], \(x_9: i64) id, op [0] ADD)
    in t_8
  })
  let r_10: [n_1]i64 = scan(n_1, [sums_6], \(x_11: i64) id, op [0] \(a_12: i64, b_13: i64) : (i64) {
    let c_14: i64 = add.i64(a_12, b_13)
    in c_14
  })
  let t_15: [m_2][n_1]i64 = rearrange(xss_3, [1, 0])
  let s_16: [n_1][m_2]i64 = map(n_1, [xss_3, r_10], \(xs_17: [m_2]i64, y_18: i64) : ([m_2]i64) {
    let ys_19: [m_2]i64 = map(m_2, [xs_17], \(x_20: i64) : (i64) {
      let z_21: i64 = mul.i64(x_20, y_18)
      in z_21
    })
    in ys_19
  })
  in (r_10, s_16)
}
"##
        .replace("ADD", ADD),
        "[[1i64,2i64],[3i64,4i64],[5i64,6i64]]",
        "[3i64, 10i64, 21i64]\n[[3i64, 6i64], [30i64, 40i64], [105i64, 126i64]]",
    );
}

#[test]
fn loops_update_in_place_and_histograms_count() {
    check(
        r##"
fun main (n_1: i64, xs_2: [n_1]i64) : (h_3: [4]i64, y_4: [n_1]i64)
  entry "main" ("xs": "[]i64" []i64) -> ("[]i64" []i64, "[]i64" []i64)
{
  let z_5: [4]i64 = replicate([4], 0)
  let o_6: [n_1]i64 = replicate([n_1], 1)
  let h_7: [4]i64 = hist(n_1, [xs_2, o_6], \(i_8: i64, v_9: i64) id, into [4] [z_5] op [0] \(a_10: i64, b_11: i64) : (i64) {
    let c_12: i64 = add.i64(a_10, b_11)
    in c_12
  })
  let i_13: [n_1]i64 = iota.i64(n_1, 0, 1)
  let y_14: [n_1]i64 = loop (a_15: [n_1]i64 = i_13) for k_16: i64 < n_1 {
    let v_17: i64 = index xs_2[k_16]
    let w_18: i64 = add.i64(v_17, 100)
    let b_19: [n_1]i64 = update a_15[k_16] with w_18
    in b_19
  }
  in (h_7, y_14)
}
"##,
        "[1i64,3i64,3i64,7i64]",
        "[0i64, 1i64, 0i64, 2i64]\n[101i64, 103i64, 103i64, 107i64]",
    );
}
