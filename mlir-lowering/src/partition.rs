//! A program as several LLVM modules, so that all cores can optimise them.
//!
//! A function goes with the one function that calls it, if there is one; apart from that they stay in
//! their order, in which callers are close to what they call, and are cut where the largest part becomes
//! the smallest. How many parts there are depends on the program alone, never on the machine: the same
//! source yields the same objects everywhere.
//!
//! Each part begins as a copy of the whole, of which it keeps its own functions; of the others it has
//! declarations. Constants are copied; what is written to, and what the runtime looks for, is in the
//! first part. What one part has and another needs is hidden outside of the program.

use crate::symbols::APART_PREFIX;
use crate::{Error, ffi};
use inkwell::GlobalVisibility;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::values::{BasicValue as _, CallSiteValue, FunctionValue, InstructionOpcode};
use std::collections::{HashMap, HashSet};
use std::ffi::CStr;

type Result<T> = std::result::Result<T, Error>;

/// Which functions are in which part.
#[derive(Debug)]
pub struct Plan {
    part_of: HashMap<String, usize>,
    /// Functions that another part, or a constant, refers to.
    shared: HashSet<String>,
    /// Instructions of each part; there is at least one.
    weights: Vec<usize>,
}

impl Plan {
    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.weights.len()
    }

    /// The parts, what takes longest first: so threads that take one after the other end at about the same time.
    pub fn largest_first(&self) -> Vec<usize> {
        let mut parts: Vec<usize> = (0..self.parts()).collect();
        parts.sort_by_key(|part| std::cmp::Reverse(self.weights.get(*part)));
        parts
    }
}

/// A function with a body.
struct Node {
    name: String,
    instructions: usize,
    /// Its callers and how often they call it, in order.
    callers: Vec<(usize, usize)>,
    uses: usize,
}

/// Instructions in all functions of a module.
pub fn size(module: &Module<'_>) -> usize {
    module.get_functions().map(|f| instructions(f)).sum()
}

/// Gives what no other module sees names that no other module has, as what parts share is seen by all that is linked:
/// where a program is compiled in units, each may have a `task_0`. They end in the first name that others do see.
pub fn make_names_distinct(module: &Module<'_>) {
    let private = |linkage| matches!(linkage, Linkage::Private | Linkage::Internal);
    let shown = |linkage: Linkage, name: &CStr| {
        (linkage == Linkage::External).then(|| name.to_string_lossy().into_owned())
    };
    let functions = || module.get_functions().filter(|f| f.count_basic_blocks() > 0);
    let globals = || module.get_globals().filter(|g| g.get_initializer().is_some());
    let mut seen = functions()
        .filter_map(|f| shown(f.get_linkage(), f.get_name()))
        .chain(globals().filter_map(|g| shown(g.get_linkage(), g.get_name())));
    let Some(unit) = seen.next() else { return };
    // What is everywhere is seen by no other part, and LLVM finds vector versions by their names.
    let inside = functions().filter(|f| private(f.get_linkage()) && !is_everywhere(*f));
    let inside = inside.map(|f| f.as_global_value());
    let written = globals().filter(|g| private(g.get_linkage()) && !g.is_constant());
    for g in inside.chain(written).collect::<Vec<_>>() {
        g.set_name(&format!("{}.{unit}", g.get_name().to_string_lossy()));
    }
}

/// Cuts a module into parts of about `size` instructions.
pub fn plan(module: &Module<'_>, size: usize) -> Plan {
    let nodes = nodes(module);
    // Whom each goes with: a caller, and so on.
    let mut leader: Vec<usize> = (0..nodes.len()).collect();
    for (i, node) in nodes.iter().enumerate() {
        // What was taken out of a function stays a function, wherever that is.
        let apart = node.name.starts_with(APART_PREFIX);
        if let ([(caller, _)], false) = (node.callers.as_slice(), apart) {
            leader[i] = *caller;
        }
    }
    let find = |mut i: usize| {
        // Functions that only call each other are a ring.
        for _ in 0..nodes.len() {
            match leader.get(i) {
                Some(&next) if next != i => i = next,
                _ => break,
            }
        }
        i
    };
    let mut group_of: Vec<usize> = (0..nodes.len()).map(find).collect();
    let mut groups: Vec<usize> = Vec::new();
    let mut number: HashMap<usize, usize> = HashMap::new();
    for (group, node) in group_of.iter_mut().zip(&nodes) {
        let at = *number.entry(*group).or_insert_with(|| {
            groups.push(0);
            groups.len() - 1
        });
        *group = at;
        if let Some(weight) = groups.get_mut(at) {
            *weight += node.instructions;
        }
    }
    let total: usize = groups.iter().sum();
    let part_of_group = cut(&groups, total.div_ceil(size.max(1)));
    let part = |i: usize| group_of.get(i).and_then(|g| part_of_group.get(*g)).copied().unwrap_or(0);
    let is_shared = |(i, node): &(usize, &Node)| {
        let calls: usize = node.callers.iter().map(|(_, times)| times).sum();
        node.uses > calls || node.callers.iter().any(|(caller, _)| part(*caller) != part(*i))
    };
    let mut weights = vec![0; part_of_group.last().map_or(1, |last| last + 1)];
    for (weight, part) in groups.iter().zip(&part_of_group) {
        if let Some(sum) = weights.get_mut(*part) {
            *sum += weight;
        }
    }
    Plan {
        shared: nodes.iter().enumerate().filter(is_shared).map(|(_, n)| n.name.clone()).collect(),
        part_of: nodes.iter().enumerate().map(|(i, n)| (n.name.clone(), part(i))).collect(),
        weights,
    }
}

/// Which part each goes to, if at most `parts` are to have what follows on each other and the heaviest one is to be
/// as light as may be; of parts, not of single weights, so that what stands beside a large one is shared out, too.
fn cut(weights: &[usize], parts: usize) -> Vec<usize> {
    let filled = |most: usize| {
        let (mut part, mut sum) = (0, 0);
        let mut part_of = Vec::with_capacity(weights.len());
        for weight in weights {
            if sum > 0 && sum + weight > most {
                part += 1;
                sum = 0;
            }
            sum += weight;
            part_of.push(part);
        }
        part_of
    };
    let fits = |most: usize| filled(most).last().is_none_or(|last| *last < parts.max(1));
    let (mut low, mut high): (usize, usize) = (0, weights.iter().sum());
    while low < high {
        let middle = low.midpoint(high);
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    filled(high)
}

fn instructions(f: FunctionValue<'_>) -> usize {
    f.get_basic_block_iter().map(|b| b.get_instructions().count()).sum()
}

/// What becomes part of its callers is wherever they are.
fn is_everywhere(f: FunctionValue<'_>) -> bool {
    let kind = Attribute::get_named_enum_kind_id("alwaysinline");
    f.get_enum_attribute(AttributeLoc::Function, kind).is_some()
}

fn name(f: FunctionValue<'_>) -> String {
    f.get_name().to_string_lossy().into_owned()
}

fn defined<'l>(module: &Module<'l>) -> impl Iterator<Item = FunctionValue<'l>> {
    module.get_functions().filter(|f| f.count_basic_blocks() > 0 && !is_everywhere(*f))
}

fn nodes(module: &Module<'_>) -> Vec<Node> {
    let functions: Vec<FunctionValue<'_>> = defined(module).collect();
    let at: HashMap<FunctionValue<'_>, usize> =
        functions.iter().enumerate().map(|(i, f)| (*f, i)).collect();
    let node = |f: &FunctionValue<'_>| {
        let mut uses = 0;
        let mut next = f.as_global_value().as_pointer_value().get_first_use();
        while let Some(one) = next {
            uses += 1;
            next = one.get_next_use();
        }
        Node { name: name(*f), instructions: instructions(*f), callers: Vec::new(), uses }
    };
    let mut nodes: Vec<Node> = functions.iter().map(node).collect();
    for (caller, f) in functions.iter().enumerate() {
        for instruction in f.get_basic_block_iter().flat_map(|b| b.get_instructions()) {
            if instruction.get_opcode() != InstructionOpcode::Call {
                continue;
            }
            let called = CallSiteValue::try_from(instruction).ok();
            let called = called.and_then(|c| c.get_called_fn_value());
            let Some(node) = called.and_then(|f| at.get(&f)).and_then(|i| nodes.get_mut(*i)) else {
                continue;
            };
            match node.callers.iter_mut().find(|(c, _)| *c == caller) {
                Some((_, times)) => *times += 1,
                None => node.callers.push((caller, 1)),
            }
        }
    }
    nodes
}

/// Leaves of a copy of the whole what is in one part.
pub fn keep(module: &Module<'_>, plan: &Plan, part: usize) -> Result<()> {
    let functions: Vec<FunctionValue<'_>> = defined(module).collect();
    let mut declared = Vec::new();
    for f in functions {
        let name = name(f);
        if plan.part_of.get(&name).is_none_or(|p| *p == part) {
            if plan.shared.contains(&name) && f.get_linkage() == Linkage::Internal {
                f.set_linkage(Linkage::External);
                f.as_global_value().set_visibility(GlobalVisibility::Hidden);
            }
        } else {
            // SAFETY: there is no other copy of it in this loop, nor behind it.
            #[allow(unsafe_code, reason = "LLVM frees what is deleted")]
            declared.push(unsafe { ffi::declare_instead(module, f) });
        }
    }
    // Objects would ask for hidden functions that are declared, whether or not something calls them.
    for f in declared {
        // SAFETY: as above.
        #[allow(unsafe_code, reason = "LLVM frees what is deleted")]
        unsafe {
            ffi::delete_unused_function(f);
        }
    }
    let globals: Vec<_> = module.get_globals().collect();
    for g in globals {
        let private = matches!(g.get_linkage(), Linkage::Private | Linkage::Internal);
        if g.get_initializer().is_none() || (g.is_constant() && private) {
            continue;
        }
        if g.get_linkage() == Linkage::Appending {
            continue;
        }
        if part > 0 {
            // SAFETY: as above.
            #[allow(unsafe_code, reason = "LLVM frees what is deleted")]
            unsafe {
                ffi::declare_global_instead(module, g)?;
            }
        } else if private {
            g.set_linkage(Linkage::External);
            g.set_visibility(GlobalVisibility::Hidden);
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::{Plan, cut, make_names_distinct};
    use inkwell::context::Context;
    use inkwell::memory_buffer::MemoryBuffer;

    /// Which calls name as text, so that they are not found under another name.
    #[test]
    fn vector_versions_keep_their_names() {
        let text = "
            define internal <16 x float> @_ZGVeN16v_tanf(<16 x float> %x) alwaysinline {
              ret <16 x float> %x
            }
            define internal i64 @task_0(i64 %x) { ret i64 %x }
            define i64 @main(i64 %x) { ret i64 %x }";
        let context = Context::create();
        let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
        let module = context.create_module_from_ir(text).unwrap();
        make_names_distinct(&module);
        let names: Vec<_> = module.get_functions().map(super::name).collect();
        assert_eq!(names, ["_ZGVeN16v_tanf", "task_0.main", "main"]);
    }

    #[test]
    fn the_heaviest_part_is_as_light_as_may_be() {
        assert_eq!(cut(&[1, 1, 1, 9, 1, 1], 2), [0, 0, 0, 1, 1, 1]);
        assert_eq!(cut(&[9, 1, 1, 1, 1], 3), [0, 1, 1, 2, 2]);
        assert_eq!(cut(&[4, 4, 4, 4, 4, 4], 3), [0, 0, 1, 1, 2, 2]);
        assert_eq!(cut(&[5, 5, 1], 1), [0, 0, 0]);
        assert_eq!(cut(&[], 3), []);
    }

    #[test]
    fn threads_begin_with_what_takes_longest() {
        let plan = Plan {
            part_of: Default::default(),
            shared: Default::default(),
            weights: vec![3, 9, 3, 10],
        };
        assert_eq!(plan.largest_first(), [3, 1, 0, 2]);
    }
}
