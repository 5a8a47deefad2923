//! Internalisation: from the typed program to Core IR at level soacs.
//!
//! One partial evaluator does what is usually four passes. It walks definitions on demand from
//! the entry points with an environment of [`value::Value`]s. Functions are static values, since
//! the source never returns them from conditionals or loops nor keeps them in arrays, so applying
//! one either inlines it or calls an instance of it for these types (defunctionalisation and
//! monomorphisation). Records and sums are static structure over leaves (arrays of records become
//! records of arrays). Sizes are operands: those of a parameter are read off the argument's shape,
//! those of a result are existential results.
//!
//! Refused: what the checker should have refused. The cost is linear in the Core program made.
//!
//! | file | concern |
//! | --- | --- |
//! | `error` | why there is no Core program |
//! | `value` | values, closed types, layout of sums |
//! | `arities` | how many arguments intrinsics take |
//! | `names` | what variables are called after |
//! | `fun_state` | the state of a function under construction |
//! | `spec` | the state of the whole |
//! | `builder` | statements, scopes, positions, certificates |
//! | `frame` | what local names stand for |
//! | `sized` | checks of sizes, which arrays rely on even where nobody reads them |
//! | `sizes` | types in frames, sizes, matching types with shapes |
//! | `expr` | expressions |
//! | `control` | conditionals, `match`, loops, joining of results |
//! | `call` | application, inlining, constants |
//! | `instance` | Core functions made of definitions and local functions |
//! | `index` | indexing, slices, ranges, with their checks |
//! | `update` | in-place updates |
//! | `scalar` | scalar intrinsics |
//! | `array` | array intrinsics |
//! | `soac` | second-order intrinsics |
//! | `equality` | `==` at any type |
//! | `entry` | entry points |

mod arities;
mod array;
mod builder;
mod call;
mod control;
mod entry;
mod equality;
mod error;
mod expr;
mod frame;
mod fun_state;
mod index;
mod instance;
mod names;
mod scalar;
mod sized;
mod sizes;
mod soac;
mod spec;
mod update;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use call::visit;
pub use error::Error;
pub use spec::Options;

use crate::ir;
use futc_typed::program::Program;
use futc_typed::span::Locate;
use spec::Spec;

/// Makes Core IR of what the entry points of `program` reach.
pub fn internalise(
    program: &Program,
    locate: &dyn Locate,
    options: &Options,
) -> Result<ir::Program, Error> {
    let mut spec = Spec::new(program, locate, options);
    spec.entry_points()?;
    Ok(spec.finish())
}
