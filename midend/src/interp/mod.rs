//! The reference interpreter: what a program means.
//!
//! It runs all three levels by values: blocks and places of level `mem` are ignored, so that any
//! pass can be tested by running a program before and after. Every target must agree with it.
//! [`mem`] is another interpreter, which does honour places and checks every access.
//!
//! A program is first compiled to trees whose variables are slots of a frame ([`code`]); arrays are
//! views of shared buffers that are copied when written unless nothing else sees them ([`value`]),
//! and a variable gives up its array at its last use, so updates in place cost what they should.

mod code;
mod error;
mod exec;
mod limits;
pub mod mem;
mod soac;
mod value;

pub use error::RunError;
pub use limits::Limits;
pub use value::{Array, Value};

use crate::ir::{Fun, Program, SubExp, Type};
use code::Code;
use futc_typed::name::Name;
use std::collections::HashMap;

/// A program ready to run, its constants evaluated.
pub struct Interpreter<'p> {
    program: &'p Program,
    code: Code,
    funs: HashMap<Name, usize>,
    globals: Vec<Value>,
    limits: Limits,
    sink: Box<dyn FnMut(&str) + 'p>,
}

impl<'p> Interpreter<'p> {
    /// Compiles the program and evaluates its constants. What `trace` prints goes nowhere.
    pub fn new(program: &'p Program, limits: Limits) -> Result<Interpreter<'p>, RunError> {
        Interpreter::with_sink(program, limits, Box::new(|_| {}))
    }

    /// As [`Interpreter::new`], with a receiver of what `trace` prints.
    pub fn with_sink(
        program: &'p Program,
        limits: Limits,
        sink: Box<dyn FnMut(&str) + 'p>,
    ) -> Result<Interpreter<'p>, RunError> {
        let funs = program.funs.iter().enumerate().map(|(i, f)| (f.name, i)).collect();
        let code = Code::compile(program, &funs)?;
        let mut it = Interpreter { program, code, funs, globals: Vec::new(), limits, sink };
        let mut machine = exec::Machine {
            code: &it.code,
            globals: &[],
            limits: it.limits,
            steps: 0,
            depth: 0,
            sink: &mut *it.sink,
        };
        let globals = machine.run(&it.code.consts, Vec::new())?;
        it.globals = globals;
        Ok(it)
    }

    /// Runs an entry point, by its external name, on the leaves of its value parameters; yields
    /// the leaves of its results. Sizes are taken from the shapes of the arguments.
    pub fn run_entry(&mut self, entry: &str, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
        let found = self.program.funs.iter().find_map(|f| {
            let e = f.entry.as_ref()?;
            (e.name.as_str() == entry).then_some((f, e))
        });
        let Some((fun, e)) = found else {
            return Err(RunError::new(format!("there is no entry point {entry}")));
        };
        let leaves: usize = e.results.iter().map(|t| crate::ir::verify::leaves_of(t).len()).sum();
        let args = with_sizes(fun, args)?;
        let mut results = self.run_fun(fun.name, args)?;
        if fun.results.iter().any(|r| matches!(r.ty, Type::Mem(_))) {
            // Level mem: the arrays and scalars among blocks, offsets and strides.
            let mut keep = results.into_iter();
            results = fun
                .results
                .iter()
                .filter_map(|r| keep.next().filter(|_| !matches!(r.ty, Type::Mem(_))))
                .collect();
        }
        let extra = results.len().saturating_sub(leaves);
        Ok(results.split_off(extra))
    }

    /// Runs a function, by its name in the program, on all of its arguments.
    pub fn run_fun(&mut self, name: Name, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
        let Some(&i) = self.funs.get(&name) else {
            return Err(RunError::new(format!("there is no function {name}")));
        };
        let mut machine = exec::Machine {
            code: &self.code,
            globals: &self.globals,
            limits: self.limits,
            steps: 0,
            depth: 0,
            sink: &mut *self.sink,
        };
        machine.run(&self.code.funs[i], args)
    }
}

/// Puts before the leaves the sizes that the function takes first, and units where it takes
/// blocks.
fn with_sizes(fun: &Fun, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
    let params: Vec<_> =
        fun.params.iter().filter(|p| !matches!(p.ty, Type::Mem(_) | Type::Cert)).collect();
    let Some(n) = params.len().checked_sub(args.len()) else {
        return Err(RunError::new(format!(
            "{} arguments where {} are taken",
            args.len(),
            params.len()
        )));
    };
    let mut sizes: HashMap<u32, i64> = HashMap::new();
    for (p, x) in params[n..].iter().zip(&args) {
        let mismatch =
            || RunError::new(format!("an argument of type {} does not fit {}", x.ty(), p.ty));
        if Some(x.elem()) != p.ty.elem() || x.shape().len() != p.ty.rank() {
            return Err(mismatch());
        }
        for (d, &m) in p.ty.shape().iter().zip(x.shape()) {
            match d {
                SubExp::Const(c) if c.as_int() != Some(m) => return Err(mismatch()),
                SubExp::Const(_) => {}
                SubExp::Var(v) => {
                    if *sizes.entry(v.tag).or_insert(m) != m {
                        return Err(RunError::new(format!(
                            "arguments disagree about the size {}",
                            v.base
                        )));
                    }
                }
            }
        }
    }
    let mut values = Vec::with_capacity(params.len());
    for p in &params[..n] {
        match sizes.get(&p.var.tag) {
            Some(&m) => values.push(Value::i64(m)),
            None => {
                return Err(RunError::new(format!(
                    "limitation: the size {} is not that of any argument",
                    p.var.base
                )));
            }
        }
    }
    let mut values = values.into_iter().chain(args);
    Ok(fun
        .params
        .iter()
        .map(|p| match p.ty {
            Type::Mem(_) | Type::Cert => Value::Unit,
            Type::Prim(_) | Type::Array { .. } => values.next().unwrap_or_default(),
        })
        .collect())
}

/// Runs an entry point of a program: [`Interpreter::new`], then [`Interpreter::run_entry`].
pub fn run_entry(program: &Program, entry: &str, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
    Interpreter::new(program, Limits::default())?.run_entry(entry, args)
}
