//! The command line and the server protocol, on a program written by hand (`fake_program.c`).

use crate::support::{Build, link};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

fn executable() -> &'static PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        crate::support::runtime_objects(Build::Sanitized);
        let main = crate::support::object("main", Build::Sanitized);
        link("fake_program", "fake", Build::Sanitized, &[main], &[])
    })
}

pub fn server() -> &'static PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        crate::support::runtime_objects(Build::Sanitized);
        let objects = ["main", "link_server"].map(|o| crate::support::object(o, Build::Sanitized));
        link("fake_program", "fake_server", Build::Sanitized, &objects, &[])
    })
}

pub fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // At the same time, as pipes hold little. A program may end without reading everything.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    let _ = writer.join();
    output
}

/// Runs the executable; returns exit status, standard output and standard error, in which the
/// program's name is `PROG`.
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let output = feed(Command::new(executable()).args(args), input);
    let name = executable().display().to_string();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).replace(&name, "PROG"),
    )
}

fn succeeds(args: &[&str], input: &[u8], want: &str) {
    assert_eq!(run(args, input), (0, want.to_owned(), String::new()), "{args:?}");
}

fn fails(args: &[&str], input: &[u8], want: &str) {
    assert_eq!(run(args, input), (1, String::new(), want.to_owned()), "{args:?}");
}

#[test]
fn runs_main() {
    succeeds(&[], b"3 [1,2,3]", "[4i32, 5i32, 6i32]\n15.0f64\n");
    succeeds(&["-n"], b"3 [1,2,3]", "");
    succeeds(&["--entry-point=index"], b"[1,2,3] 1", "2i32\n");
    succeeds(&["-e", "index"], b"[1,2,3]\n-- comment\n2\n", "3i32\n");
    succeeds(&["-eindex"], b"b\x02\x01 i32\x01\0\0\0\0\0\0\0\x07\0\0\0 0", "7i32\n");
    succeeds(&["-e", "pair"], b"1", "#<opaque pair>\n");
}

#[test]
fn binary_output() {
    succeeds(&["-nb", "-e", "negate"], b"[1]", "");
    let output = feed(Command::new(executable()).args(["-b", "-e", "negate"]), b"[1]");
    assert_eq!(output.stdout, b"b\x02\x01 i32\x01\0\0\0\0\0\0\0\xff\xff\xff\xff");
    assert!(output.status.success());
}

#[test]
fn many_runs_see_the_same_consumed_argument() {
    succeeds(&["-e", "negate", "-r", "3"], b"[1, -2]", "[-1i32, 2i32]\n");
    let file = crate::support::scratch().join("runtimes");
    let path = file.display().to_string();
    succeeds(&["-r4", "-t", &path, "-n"], b"1 [2]", "");
    let times = std::fs::read_to_string(&file).expect("written");
    assert_eq!(times.lines().filter(|l| l.parse::<u64>().is_ok()).count(), 4);
    succeeds(&["-t", &path, "-n"], b"1 [2]", "");
    assert_eq!(std::fs::read_to_string(&file).expect("written").lines().count(), 1);
}

#[test]
fn failing_programs() {
    fails(
        &["-e", "index"],
        b"[1,2,3] 5",
        "PROG: Error: Index [5] out of bounds for array of shape [3].\n\nBacktrace:\n\
         -> #0  fake.fut:3:5-9\n",
    );
    fails(&["-e", "spoil"], b"[1]", "PROG: Error: spoilt true 18446744073709551615 1.5 100%\n");
    fails(
        &["-e", "huge"],
        b"46",
        "PROG: Error: Cannot allocate 70368744177664 bytes: out of memory.\n",
    );
    fails(
        &["-e", "huge"],
        b"-5",
        "PROG: Error: Cannot allocate -5 bytes: a block of negative size.\n",
    );
}

#[test]
fn wrong_input() {
    fails(
        &[],
        b"3 [1,2",
        "PROG: Error: cannot read argument #1 (xs) of type []i32: expected ',' or ']', but the \
         input ends\n",
    );
    fails(&[], b"", "PROG: Error: cannot read argument #0 (x) of type i32: end of input\n");
    fails(&[], b"3 [1] 4", "PROG: Error: after 2 arguments: unexpected '4' after the last value\n");
    fails(
        &[],
        b"3.5 [1]",
        "PROG: Error: cannot read argument #0 (x) of type i32: '3.5' is not a valid value for \
         type i32\n",
    );
    fails(
        &[],
        b"3 b\x02\x01 i32\0\0\0\0\0\0\0\x10",
        "PROG: Error: cannot read argument #1 (xs) of type []i32: the array has \
         4611686018427387904 bytes, but the input ends after 0\n",
    );
    fails(
        &["-e", "points"],
        b"[1]",
        "PROG: Error: argument #0 (ps) of entry point points has the opaque type []point and \
         cannot be read\n",
    );
}

#[test]
fn wrong_options() {
    fails(&["--nonsense"], b"", "PROG: unknown option --nonsense (see --help)\n");
    fails(&["-bz"], b"", "PROG: unknown option -z (see --help)\n");
    fails(&["-d", "x"], b"", "PROG: unknown option -d (see --help)\n");
    fails(&["-r"], b"", "PROG: option -r needs an argument NUM\n");
    fails(&["--runs=0"], b"", "PROG: --runs: '0' is not a positive integer\n");
    fails(&["--help=1"], b"", "PROG: option --help takes no argument\n");
    fails(
        &["file"],
        b"",
        "PROG: unexpected argument 'file': values are read from standard input\n",
    );
    fails(&["--param", "x"], b"", "PROG: --param: 'x' is not of the form NAME=VALUE\n");
    fails(&["--param", "x=1"], b"", "PROG: --param: unknown parameter 'x'; see --print-params\n");
    fails(
        &["--param", "main.tile_0=-1"],
        b"",
        "PROG: --param: '-1' is not a non-negative integer\n",
    );
    fails(
        &["--tuning", "/nonexistent"],
        b"",
        "PROG: --tuning: cannot open /nonexistent: No such file or directory\n",
    );
    fails(
        &["-e", "foo"],
        b"",
        "PROG: Error: no entry point 'foo'; choose another with --entry-point: main index negate \
         spoil pair points id huge\n",
    );
}

#[test]
fn options_that_print() {
    succeeds(
        &["--print-params"],
        b"",
        "main.tile_0 (tile_size)\nmain.suff_1 (threshold (!main.suff_0))\n",
    );
    succeeds(&["--version"], b"", "futc test, from fake.fut\n");
    let (status, help, _) = run(&["--help"], b"");
    assert_eq!(status, 0);
    assert!(help.contains("-e, --entry-point=NAME"), "{help}");
    assert!(!help.contains("--device"), "{help}");
    let (status, _, log) = run(&["-D"], b"1 [2]");
    assert_eq!(status, 0);
    assert!(log.contains("calling main") && log.contains("main ran 1 times"), "{log}");
}

#[test]
fn tuning_files() {
    let file = crate::support::scratch().join("good.tuning");
    std::fs::write(&file, "main.tile_0=5\nmain.suff_1=0\n").expect("scratch");
    let path = file.display().to_string();
    succeeds(&["--tuning", &path, "--size", "main.tile_0=7", "-n"], b"1 [2]", "");
    let file = crate::support::scratch().join("bad.tuning");
    std::fs::write(&file, "main.tile_0=5\n\n").expect("scratch");
    let path = file.display().to_string();
    fails(
        &["--tuning", &path],
        b"",
        &format!("PROG: --tuning: {path}, line 2: '' is not of the form NAME=VALUE\n"),
    );
}

/// Feeds commands to a server; returns the answers, one string per command without its `%%% OK`.
pub fn serve(commands: &[String]) -> Vec<String> {
    let output = feed(&mut Command::new(server()), (commands.join("\n") + "\n").as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut answers: Vec<String> = text.split("%%% OK\n").map(str::to_owned).collect();
    assert_eq!(answers.remove(0), "", "the server says that it is ready");
    assert_eq!(answers.pop().as_deref(), Some(""));
    assert_eq!(answers.len(), commands.len(), "{text}");
    answers
}

/// Commands with the answers wanted; `runtime: N` is left out of answers.
pub fn dialogue(pairs: &[(&str, &str)]) {
    let commands: Vec<String> = pairs.iter().map(|p| p.0.to_owned()).collect();
    for ((command, want), have) in pairs.iter().zip(serve(&commands)) {
        let have: Vec<&str> = have.lines().filter(|l| !l.starts_with("runtime: ")).collect();
        assert_eq!(have.join("\n"), *want, "{command}");
    }
}

pub fn file_with(name: &str, contents: &[u8]) -> String {
    let path = crate::support::scratch().join(name);
    std::fs::write(&path, contents).expect("scratch");
    path.display().to_string()
}

#[test]
fn server_describes_the_program() {
    dialogue(&[
        ("types", "i32\n[]i32\nf64\npair\n[]point\npoint\n[]f64\nmy sum\n([]i32, f64)"),
        ("entry_points", "main\nindex\nnegate\nspoil\npair\npoints\nid\nhuge"),
        ("inputs negate", "*[]i32"),
        ("outputs main", "*[]i32\nf64"),
        ("output main", "([]i32, f64)"),
        ("output negate", "*[]i32"),
        ("inputs nope", "%%% FAILURE\nUnknown entry point: nope"),
        ("kind i32", "primitive"),
        ("kind []i32", "array"),
        ("kind pair", "record"),
        ("kind \"my sum\"", "sum"),
        ("kind []point", "array"),
        ("kind u16", "primitive"),
        ("fields pair", "xs []i32\ny f64"),
        ("fields []point", "a []i32\nb []f64"),
        ("fields i32", "%%% FAILURE\nNot a record type: i32"),
        ("variants \"my sum\"", "none\nsome\n- i32\nmany\n- []i32\n- f64"),
        ("rank []point", "1"),
        ("elemtype []i32", "i32"),
        ("elemtype i32", "%%% FAILURE\nNot an array type: i32"),
        ("tuning_params main", "main.tile_0 tile_size\nmain.suff_1 threshold (!main.suff_0)"),
        ("tuning_param_class main.tile_0", "tile_size"),
        ("set_tuning_param main.tile_0 17", ""),
        ("get_tuning_param main.tile_0", "17"),
        ("set_tuning_param main.tile_0 0", ""),
        ("get_tuning_param main.tile_0", "32"),
        ("set_tuning_param x 0", "%%% FAILURE\nUnknown tuning parameter or negative value: x"),
        ("attributes main", "prop(size(5))\nnoinline"),
        ("clear", ""),
        ("pause_profiling", ""),
        ("unpause_profiling", ""),
        ("", "%%% FAILURE\nEmpty line"),
        ("nonsense", "%%% FAILURE\nUnknown command: nonsense"),
        ("inputs", "%%% FAILURE\ninputs: insufficient arguments"),
        ("types x", "%%% FAILURE\ntypes: too many arguments"),
        ("inputs \"main", "%%% FAILURE\nA quote is not closed"),
    ]);
}

#[test]
fn server_calls_and_keeps_variables() {
    let values = file_with("values", b"3 [1,2,3] b\x02\0 i32\x02\0\0\0");
    let restore = format!("restore {values} x i32 xs []i32 i i32");
    dialogue(&[
        (&restore, ""),
        (&restore, "%%% FAILURE\nVariable already exists: x"),
        ("call main ys s x xs", ""),
        ("type s", "f64"),
        ("shape ys", "3"),
        ("call main both x xs", ""),
        ("type both", "([]i32, f64)"),
        ("project ys_again both 0", ""),
        ("shape ys_again", "3"),
        ("free both ys_again", ""),
        (
            "call main a b c x xs",
            "%%% FAILURE\nmain has 2 outputs and 2 inputs, but 5 variables are given",
        ),
        (
            "call main x xs",
            "%%% FAILURE\nmain has 2 outputs and 2 inputs, but 2 variables are given",
        ),
        ("call main x x xs", "%%% FAILURE\nVariable already exists: x"),
        ("call index e ys i", ""),
        ("call index e ys i", "%%% FAILURE\nVariable already exists: e"),
        (
            "call index e2 ys",
            "%%% FAILURE\nindex has 1 outputs and 2 inputs, but 2 variables are given",
        ),
        ("call index e2 i ys", "%%% FAILURE\nWrong input type.  Expected []i32, got i32."),
        ("call index e2 ys nope", "%%% FAILURE\nUnknown variable: nope"),
        ("call nope", "%%% FAILURE\nUnknown entry point: nope"),
        ("call main a a x xs", "%%% FAILURE\nVariable already exists: a"),
        ("rename e element", ""),
        ("rename e element", "%%% FAILURE\nUnknown variable: e"),
        ("rename x element", "%%% FAILURE\nVariable already exists: element"),
        ("call negate ns xs", ""),
        ("call negate ns2 xs", "%%% FAILURE\nVariable has been consumed: xs"),
        ("free xs", ""),
        ("free xs", "%%% FAILURE\nUnknown variable: xs"),
        ("call spoil r ns", "%%% FAILURE\nError: spoilt true 18446744073709551615 1.5 100%\n"),
        ("free ns", ""),
        ("free r", "%%% FAILURE\nUnknown variable: r"),
        (
            "call index bad ys x",
            "%%% FAILURE\nError: Index [3] out of bounds for array of shape [3].\n\nBacktrace:\n\
             -> #0  fake.fut:3:5-9\n",
        ),
        ("call index again ys i", ""),
        ("free x i ys s element again", ""),
    ]);
}

#[test]
fn server_stores_what_it_restores() {
    let values = file_with("values2", b"3 [[1]]");
    let stored = crate::support::scratch().join("stored file");
    let path = stored.display().to_string();
    dialogue(&[
        (
            &format!("restore {values} x i32 xs []i32"),
            &format!(
                "%%% FAILURE\nFailed to restore variable xs from {values}: '[' is not a valid value for type i32"
            ),
        ),
        (
            &format!("restore {values} x i32"),
            &format!(
                "%%% FAILURE\nExpected EOF after reading 1 values from {values}: unexpected '[' after the last value"
            ),
        ),
        (&format!("restore {values} x i32 xs nope"), "%%% FAILURE\nUnknown type: nope"),
        (
            "restore /nonexistent/f x i32",
            "%%% FAILURE\nFailed to open /nonexistent/f: No such file or directory",
        ),
        ("restore f x", "%%% FAILURE\nrestore: a variable without a type"),
        (&format!("restore {} x i32", file_with("one", b"1")), ""),
        ("call pair p x", ""),
        ("project xs p xs", ""),
        ("construct c \"my sum\" some x", ""),
        (&format!("store \"{path}\" x p xs c"), ""),
        ("free x p xs c", ""),
        (&format!("restore \"{path}\" x i32 p pair xs []i32 c \"my sum\""), ""),
        ("variant c", "some"),
        ("destruct c v", ""),
        ("project y p y", ""),
        ("type y", "f64"),
        ("shape xs", "4"),
        (
            &format!("restore \"{path}\" q pair"),
            &format!(
                "%%% FAILURE\nFailed to restore variable q from {path}: expected 1 dimensions, but the binary value has 0"
            ),
        ),
        (
            "store /nonexistent/f x",
            "%%% FAILURE\nFailed to open /nonexistent/f: No such file or directory",
        ),
        (&format!("store \"{path}\" nope"), "%%% FAILURE\nUnknown variable: nope"),
    ]);
    let bytes = std::fs::read(&stored).expect("stored");
    assert!(bytes.starts_with(b"b\x02\0 i32\x01\0\0\0b\x02\x01 i32"));
}

#[test]
fn server_takes_values_apart_and_together() {
    let values = file_with("values3", b"1 2 10.0 20.0 [5,6,7] 2");
    dialogue(&[
        (&format!("restore {values} a i32 b i32 x f64 y f64 xs []i32 two i32"), ""),
        ("new p point a x", ""),
        ("new q point b y", ""),
        ("new r point b", "%%% FAILURE\n2 fields expected, but 1 values provided"),
        ("new r point x b", "%%% FAILURE\nField a: expected type i32, got f64"),
        ("new r i32 x", "%%% FAILURE\nNot a record type: i32"),
        ("project z p nope", "%%% FAILURE\nNo such field: nope"),
        ("new_array ps []point 2 p q", ""),
        ("new_array bad []point 3 p q", "%%% FAILURE\n2 values do not make an array of this shape"),
        ("call points sum ps", ""),
        ("index p2 ps 1", ""),
        ("index p3 ps 2", "%%% FAILURE\nIndex 2 is out of bounds for size 2"),
        ("index p3 ps 1 1", "%%% FAILURE\n1 indices expected, but 2 provided"),
        ("type p2", "point"),
        ("set ps q 0", ""),
        ("set ps x 0", "%%% FAILURE\nExpected type point, got f64"),
        ("unzip ps as bs", ""),
        ("type bs", "[]f64"),
        ("zip ps2 []point as bs", ""),
        ("zip ps3 []point as xs", "%%% FAILURE\nxs does not fit into []point"),
        ("zip ps3 []point xs bs", "%%% FAILURE\nThe arrays differ in shape"),
        ("zip ps3 []point as", "%%% FAILURE\nToo few arrays for []point"),
        ("call points sum2 ps2", ""),
        ("new_array ns []i32 2 a b", ""),
        // What shares a block with `ns` does not see this.
        ("new pp pair ns x", ""),
        ("set ns two 0", ""),
        ("project old pp xs", ""),
        ("construct none \"my sum\" none", ""),
        ("construct many \"my sum\" many xs x", ""),
        ("construct bad \"my sum\" many xs", "%%% FAILURE\n2 values expected, but 1 provided"),
        ("construct bad \"my sum\" few", "%%% FAILURE\nNo such variant: few"),
        ("call id many2 many", ""),
        ("variant many2", "many"),
        ("destruct many2 m1", "%%% FAILURE\nmany has 2 values, but 1 variables provided"),
        ("destruct many2 m1 x", "%%% FAILURE\nVariable already exists: x"),
        ("destruct many2 m1 m2", ""),
        ("shape m1", "3"),
        ("call id none2 none", ""),
        ("destruct none2", ""),
        (&format!("store {} sum sum2 ns old", file_with("out3", b"")), ""),
    ]);
    let bytes = std::fs::read(crate::support::scratch().join("out3")).expect("stored");
    let mut want = Vec::new();
    for sum in [50.0f64, 80.0] {
        want.extend_from_slice(b"b\x02\0 f64");
        want.extend_from_slice(&sum.to_le_bytes());
    }
    for array in [[2i32, 2], [1, 2]] {
        want.extend_from_slice(b"b\x02\x01 i32\x02\0\0\0\0\0\0\0");
        array.iter().for_each(|x| want.extend_from_slice(&x.to_le_bytes()));
    }
    assert_eq!(bytes, want);
}

#[test]
fn server_refuses_options_of_executables() {
    let output = feed(Command::new(server()).arg("-b"), b"");
    assert_eq!(output.status.code(), Some(1));
    let help = feed(Command::new(server()).arg("--help"), b"");
    assert!(!String::from_utf8_lossy(&help.stdout).contains("--binary-output"));
}

/// The archive that the crate embeds links, both ways.
#[test]
fn embedded_archive_links() {
    let folder = crate::support::scratch().join("archive");
    std::fs::create_dir_all(&folder).expect("scratch");
    let archive = folder.join(futc_runtime::ARCHIVE_NAME);
    std::fs::write(&archive, futc_runtime::ARCHIVE).expect("scratch");
    for (name, flag) in [("plain", None), ("server", Some(futc_runtime::SERVER_FLAG))] {
        let output = folder.join(name);
        let status = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()))
            .args(["-std=c11", "-I"])
            .arg(crate::support::root().join("include"))
            .arg(crate::support::root().join("tests/fake_program.c"))
            .args(flag)
            .arg(&archive)
            .args(futc_runtime::LINK_FLAGS)
            .arg("-o")
            .arg(&output)
            .status()
            .expect("a C compiler is needed");
        assert!(status.success());
        let output = feed(&mut Command::new(output), b"1 [2]");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let want = if flag.is_some() { "%%% OK\n" } else { "[3i32]\n3.0f64\n" };
        assert!(text.starts_with(want), "{text}");
    }
}
