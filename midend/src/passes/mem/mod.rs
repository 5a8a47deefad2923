//! From level `seg` to level `mem`, and what is done there.
//!
//! Before: arrays are values. After: every array lies in a block at an LMAD, blocks are allocated,
//! carried, retained and released by statements, and copies are explicit.
//!
//! The passes, in the order they run:
//!
//! 1. [`explicit()`]: gives every array its place; inserts allocations and the copies without which
//!    one LMAD cannot describe a value;
//! 2. [`short_circuit()`]: builds arrays directly where they would be copied to, in the branches of a
//!    `match` too;
//! 3. [`in_place()`]: builds the values of updates in the array that they update, though it is read
//!    meanwhile, if what is read is none of what is written, or is read before;
//! 4. [`elide_copies()`]: removes the copies of what already lies where it goes;
//! 5. [`reuse()`]: makes results where what they are made of is read for the last time;
//! 6. [`overwrite()`]: does so where loops carry the array, and where slices of it can be copied before;
//! 7. [`loop_blocks()`]: takes blocks that stay the same from what loops carry, after which [`short_circuit()`] sees more;
//! 8. [`dead_results()`]: leaves memory for one element of results that nothing reads;
//! 9. [`expand()`]: moves allocations out of kernels, one share per thread;
//! 10. [`cut_tasks()`]: cuts operations of the host into tasks, which threads share;
//! 11. [`interleave()`]: puts points that work in sequence in strips, for lanes;
//! 12. [`distribute_histograms()`]: computes what their points need in chunks, apart from the updates;
//! 13. [`distribute_filters()`]: does so for filters and partitions;
//! 14. [`double_buffer()`]: lets loops exchange two blocks instead of allocating one in each round;
//! 15. [`hoist()`]: moves allocations out of loops, one for arrays that are needed in turn (see
//!     `colour`);
//! 16. [`promote_to_stack()`]: puts small private blocks on the stack;
//! 17. [`small_products()`]: makes small products of matrices maps over rows and columns;
//! 18. [`refcount()`]: inserts retains and releases.
//!
//! # What code generation may rely on
//!
//! **Types.** A parameter or pattern element of array type has a [`crate::ir::MemBind`]; its block
//! is a variable of type `mem` in scope: bound before, or earlier in the same list of parameters,
//! pattern or results. An array has no bits of its own at run time: it *is* its place. Arrays in
//! arguments, initial values, results of bodies and of functions are nominal; the block (and an
//! offset, if it is not static) stands before them in the same list, and their place there is the
//! receiver's with that block (and offset) put in. So code generation drops them.
//!
//! **Functions.** The block of an array parameter stands directly before it, likewise for results
//! and globals; such arrays are dense, row-major, from the start of their block.
//!
//! **Expressions**, by what they bind:
//!
//! | expression | at this level |
//! | --- | --- |
//! | scalar operations, `index` with fixed indexes only | a scalar; the latter loads from the array's place |
//! | `index` with slices, `flat_index`, `rearrange`, `reshape`, an operand, `opaque` and `trace` of an array | a view: the pattern says where, no code |
//! | `iota`, `replicate`, `array`, `concat`, `copy` | fill the pattern's place. Sources do not overlap it, except that an operand of `copy`, `concat` or `array` may *already lie exactly where it goes* (same block, [`crate::ir::Lmad::same_place`]): no code for it |
//! | `scratch` | no code |
//! | `update`, `flat_update` | the pattern's place is the array's; stores the value into the slice of it, unless it already lies there. An array value does not otherwise overlap |
//! | `match`, `loop`, calls | scalars and blocks are carried, arrays nominal |
//! | `alloc` | a block of that many bytes, or none if the size is negative: it stands before a loop or branch that does not run |
//! | `retain`, `release` | no result |
//! | segmented operations | below |
//!
//! **Segmented operations.** A scalar `Return` is stored at the point in the result's place. An
//! array `Return` *already lies there* (the body ends with the copy, if one is needed). The first
//! results of a reduction are scalars carried along the innermost dimension: without segments bound
//! by the pattern as scalars, else stored at the segment; those of a scan are carried and stored at
//! every point. A `Write` result's place is its destination's; a scalar (in kernels possibly a row)
//! is stored there if all indexes are in bounds. A histogram's destinations are updated in place,
//! if in bounds; the pattern's places are the destinations'. Operators are over scalars. A map or
//! scan may read the block that it writes: then no point reads what another writes, and every point
//! reads its own part before it writes there.
//!
//! Releases at the end of a body happen when its results are stored ([`crate::ir::KernelBody::parts`]).
//!
//! **Ownership** is stated in [`refcount()`]. In kernels there are no retains or releases, and
//! no blocks but local ones. Local blocks are allocated at the start of the function or kernel.

mod alloc_order;
mod blocks;
mod branches;
mod checks;
mod chunks;
mod colour;
mod dead_results;
mod distribute_filters;
mod distribute_histograms;
mod double_buffer;
mod elide_copies;
mod expand;
mod explicit;
mod hoist;
mod in_place;
mod interleave;
mod join;
mod loop_blocks;
mod origin;
mod overwrite;
mod points;
mod promote_to_stack;
mod rebase;
mod refcount;
mod reuse;
mod section;
mod short_circuit;
mod small_products;
mod tasks;

pub use dead_results::dead_results;
pub use distribute_filters::distribute_filters;
pub use distribute_histograms::distribute_histograms;
pub use double_buffer::double_buffer;
pub use elide_copies::elide_copies;
pub use expand::expand;
pub use explicit::explicit;
pub use hoist::hoist;
pub use in_place::in_place;
pub use interleave::interleave;
pub use loop_blocks::loop_blocks;
pub use overwrite::overwrite;
pub use promote_to_stack::promote_to_stack;
pub use refcount::refcount;
pub use reuse::reuse;
pub use short_circuit::short_circuit;
pub use small_products::small_products;
pub(in crate::passes) use tasks::{
    Estimate, Grain, Range, alone, is_exact, quotient_up, range_from, tasks_of,
};
pub use tasks::{TASK_PICOSECONDS, cut_small_tasks, cut_tasks};
