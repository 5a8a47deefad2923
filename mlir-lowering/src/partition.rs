//! Long programs as several LLVM modules, so that all cores can optimise them.
//!
//! A function goes with the one function that calls it, if there is one; apart from that they stay in
//! their order, in which callers are close to what they call, and are cut into parts of about equal
//! size. How many parts there are depends on the program alone, never on the machine: the same source
//! yields the same objects everywhere.
//!
//! Each part begins as a copy of the whole, of which it keeps its own functions; of the others it has
//! declarations. Constants are copied; what is written to, and what the runtime looks for, is in the
//! first part. What one part has and another needs is hidden outside of the program.

use crate::{Error, ffi};
use inkwell::GlobalVisibility;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::values::{BasicValue as _, CallSiteValue, FunctionValue, InstructionOpcode};
use std::collections::{HashMap, HashSet};

type Result<T> = std::result::Result<T, Error>;

/// Which functions are in which part.
#[derive(Debug)]
pub struct Plan {
    part_of: HashMap<String, usize>,
    /// Functions that another part, or a constant, refers to.
    shared: HashSet<String>,
    /// How many parts there are; at least one.
    pub parts: usize,
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

/// Cuts a module into parts of about `size` instructions.
pub fn plan(module: &Module<'_>, size: usize) -> Plan {
    let nodes = nodes(module);
    // Whom each goes with: a caller, and so on.
    let mut leader: Vec<usize> = (0..nodes.len()).collect();
    for (i, node) in nodes.iter().enumerate() {
        if let [(caller, _)] = node.callers.as_slice() {
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
    let mut groups: Vec<(usize, usize)> = Vec::new();
    let mut number: HashMap<usize, usize> = HashMap::new();
    for (group, node) in group_of.iter_mut().zip(&nodes) {
        let at = *number.entry(*group).or_insert_with(|| {
            groups.push((groups.len(), 0));
            groups.len() - 1
        });
        *group = at;
        if let Some((_, weight)) = groups.get_mut(at) {
            *weight += node.instructions;
        }
    }
    let total: usize = groups.iter().map(|(_, weight)| weight).sum();
    let wanted = total.div_ceil(size.max(1)).max(1);
    let (mut before, mut part_of_group) = (0, Vec::new());
    for (_, weight) in &groups {
        // By the middle of each, so that parts come out even.
        let middle = before + weight / 2;
        part_of_group.push((middle * wanted / total.max(1)).min(wanted - 1));
        before += weight;
    }
    renumber(&mut part_of_group);
    let part = |i: usize| group_of.get(i).and_then(|g| part_of_group.get(*g)).copied().unwrap_or(0);
    let is_shared = |(i, node): &(usize, &Node)| {
        let calls: usize = node.callers.iter().map(|(_, times)| times).sum();
        node.uses > calls || node.callers.iter().any(|(caller, _)| part(*caller) != part(*i))
    };
    Plan {
        shared: nodes.iter().enumerate().filter(is_shared).map(|(_, n)| n.name.clone()).collect(),
        parts: part_of_group.iter().max().map_or(1, |last| last + 1),
        part_of: nodes.iter().enumerate().map(|(i, n)| (n.name.clone(), part(i))).collect(),
    }
}

/// Parts that got nothing do not count.
fn renumber(parts: &mut [usize]) {
    let (mut last, mut number) = (None, 0);
    for part in parts {
        if last.is_some_and(|last| last != *part) {
            number += 1;
        }
        last = Some(*part);
        *part = number;
    }
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
