//! Takes every Futhark program under a folder, or the one named, to level mem for both targets,
//! verifying after every pass. With `--run`, runs the programs' own inputs through the checking
//! interpreter of level mem and compares with the reference interpreter.
//!
//! `cargo run --example memory_all -- DIR [-v] [--run]`; of a single file, prints every level.

use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, program};
use futc_frontend::world::World;
use futc_midend::internalise::{Options, internalise};
use futc_midend::interp::mem::{Machine, MemError, MemValue};
use futc_midend::interp::{Interpreter, Limits, Value as Val};
use futc_midend::ir::verify::verify;
use futc_midend::ir::{Const, ExtKind, Prim, Program};
use futc_midend::pipelines::{DEVICE_MEMORY, KERNELS, MEMORY, Runner, SEQUENTIAL, SOACS};
use futc_testing::block::{self, Case, Expected, Input};
use futc_testing::value::{Reader, Value, element_bytes};
use futc_typed::prim::PrimType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Disk;

impl World for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|e| e.to_string())
    }
}

enum Outcome {
    Refused,
    Done(usize),
    Failed(String),
}

fn prim(t: PrimType) -> Prim {
    use futc_midend::ir::{FloatType, IntType};
    match t {
        PrimType::I8 | PrimType::U8 => Prim::Int(IntType::I8),
        PrimType::I16 | PrimType::U16 => Prim::Int(IntType::I16),
        PrimType::I32 | PrimType::U32 => Prim::Int(IntType::I32),
        PrimType::I64 | PrimType::U64 => Prim::Int(IntType::I64),
        PrimType::F16 => Prim::Float(FloatType::F16),
        PrimType::F32 => Prim::Float(FloatType::F32),
        PrimType::F64 => Prim::Float(FloatType::F64),
        PrimType::Bool => Prim::Bool,
    }
}

fn inward(v: &Value) -> Val {
    let size = element_bytes(v.prim);
    let elem = prim(v.prim);
    let elements = v.data.chunks(size).map(|b| {
        let bits = b.iter().rev().fold(0u64, |n, x| (n << 8) | u64::from(*x));
        Const::from_bits(elem, bits)
    });
    if v.shape.is_empty() {
        return elements.map(Val::Scalar).next().unwrap_or_default();
    }
    Val::array(elem, v.shape.iter().map(|d| *d as i64).collect(), elements)
}

/// Runs one case; says what went wrong.
fn run_case(
    core: &Program,
    lowered: &[(&'static str, Program)],
    case: &Case,
) -> Result<bool, String> {
    let entry = core
        .funs
        .iter()
        .filter_map(|f| f.entry.as_ref())
        .find(|e| e.name.as_str() == case.entry)
        .ok_or_else(|| format!("no entry point {}", case.entry))?;
    let Input::Values(text) = &case.input else { return Ok(false) };
    let read = |t: &str| Reader::new(t.as_bytes()).all().map_err(|e| e.to_string());
    let mut args = Vec::new();
    let values = read(text)?;
    if values.len() != entry.params.len() {
        return Err(format!("{} arguments, {} parameters", values.len(), entry.params.len()));
    }
    for (v, (_, t)) in values.iter().zip(&entry.params) {
        let ExtKind::Transparent { prim, .. } = &t.kind else { return Ok(false) };
        let Some(v) = v.retyped(*prim) else {
            return match case.expected {
                Expected::Error(_) => Ok(true),
                _ => Err("an argument of the wrong type".into()),
            };
        };
        args.push(inward(&v));
    }
    let limits = Limits { steps: Some(300_000), array_bytes: 1 << 26, ..Limits::default() };
    let outcome =
        Interpreter::new(core, limits).and_then(|mut i| i.run_entry(&case.entry, args.clone()));
    let given: Vec<MemValue> = args.iter().map(to_mem).collect();
    for (name, p) in lowered {
        let Some(f) =
            p.funs.iter().find(|f| f.entry.as_ref().is_some_and(|e| e.name.as_str() == case.entry))
        else {
            continue;
        };
        let got =
            Machine::new(p, 3_000_000).and_then(|mut m| m.call_entry(f.name.as_str(), &given));
        match (&outcome, got) {
            (_, Err(MemError::Fuel)) => {}
            (_, Err(MemError::Bug(b))) => return Err(format!("{name}: {b}")),
            (Err(_), Err(MemError::Failed(_))) => {}
            // The reference interpreter may have been out of steps.
            (Err(e), Ok(_)) if e.to_string().contains("step") => {}
            (Err(e), Ok(_)) => return Err(format!("{name}: ran, but {e}")),
            (Ok(_), Err(e)) => return Err(format!("{name}: {e}")),
            (Ok(out), Ok(got)) => {
                let out: Vec<MemValue> = out.iter().map(to_mem).collect();
                let n = got.len().saturating_sub(out.len());
                if format!("{out:?}") != format!("{:?}", &got[n..]) {
                    return Err(format!("{name}: {out:?} != {got:?}").chars().take(300).collect());
                }
            }
        }
    }
    Ok(true)
}

fn to_mem(v: &Val) -> MemValue {
    match v {
        Val::Scalar(c) => MemValue::Scalar(*c),
        _ => MemValue::Array { elem: v.elem(), shape: v.shape().to_vec(), data: v.elements() },
    }
}

fn run_cases(
    path: &str,
    core: &Program,
    lowered: &[(&'static str, Program)],
) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let spec = block::parse(&text)?;
    for case in &spec.cases {
        run_case(core, lowered, case)
            .map_err(|e| format!("case {} line {}: {e}", case.name, case.line))?;
    }
    Ok(())
}

fn one(path: &str, show: bool, run: bool) -> Outcome {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if block::parse(&text).is_ok_and(|s| s.error.is_some()) {
        return Outcome::Refused;
    }
    let db = CompilerDb::new(Arc::new(Disk));
    let root = db.source(path);
    let found = diagnostics(&db, root);
    if has_errors(&found) {
        if show {
            for d in found.iter() {
                eprintln!("{}", d.message);
            }
        }
        return Outcome::Refused;
    }
    let typed = program(&db, root);
    let sources = db.sources();
    match internalise(&typed, &sources, &Options::default()) {
        Ok(core) => {
            if show {
                print!("{core}");
            }
            if let Err(errors) = verify(&core) {
                let first = errors.first().map(|e| e.to_string()).unwrap_or_default();
                return Outcome::Failed(format!("invalid Core: {first}"));
            }
            let mut lowered = Vec::new();
            for (name, a, b) in [("seq", SEQUENTIAL, MEMORY), ("gpu", KERNELS, DEVICE_MEMORY)] {
                let mut r = Runner { verify: true, ..Runner::default() };
                match r.run(SOACS, core.clone()).and_then(|p| r.run(a, p)).and_then(|p| r.run(b, p))
                {
                    Ok(p) => {
                        if show {
                            println!("--- {name}\n{p}");
                        }
                        lowered.push((name, p))
                    }
                    Err(e) => {
                        return Outcome::Failed(format!("{name}: {e}").chars().take(300).collect());
                    }
                }
            }
            if run && let Err(e) = run_cases(path, &core, &lowered) {
                return Outcome::Failed(format!("wrong: {e}"));
            }
            Outcome::Done(core.funs.len())
        }
        Err(e) => Outcome::Failed(e.to_string()),
    }
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for e in entries.flatten() {
        let p = e.path();
        if p.is_dir() {
            walk(&p, out);
        } else if p.extension().is_some_and(|x| x == "fut") {
            out.push(p);
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().cloned() else {
        eprintln!("which folder or file?");
        return;
    };
    let verbose = args.iter().any(|a| a == "-v");
    let run = args.iter().any(|a| a == "--run");
    let single = target.ends_with(".fut");
    let mut files = Vec::new();
    if single {
        files.push(PathBuf::from(&target));
    } else {
        walk(Path::new(&target), &mut files);
    }
    files.sort();
    let work = move || {
        let (mut done, mut refused, mut failed, mut crashed) = (0, 0, 0, 0);
        for f in files {
            let path = f.to_string_lossy().into_owned();
            let start = std::time::Instant::now();
            let outcome = std::panic::catch_unwind(|| one(&path, single, run));
            let ms = start.elapsed().as_millis();
            match outcome {
                Ok(Outcome::Done(n)) => {
                    done += 1;
                    if verbose || ms > 2000 {
                        println!("ok      {path}: {n} functions, {ms} ms");
                    }
                }
                Ok(Outcome::Refused) => {
                    refused += 1;
                    if verbose {
                        println!("refused {path}");
                    }
                }
                Ok(Outcome::Failed(why)) => {
                    failed += 1;
                    println!("FAILED  {path}: {why}");
                }
                Err(_) => {
                    crashed += 1;
                    println!("CRASHED {path}");
                }
            }
        }
        println!(
            "{done} done, {refused} refused by the checker, {failed} failed, {crashed} crashed"
        );
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    if let Ok(t) = thread {
        let _ = t.join();
    }
}
