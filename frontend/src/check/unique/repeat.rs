//! Loops.
//!
//! The body sees memory of its own in the parameter. What of it is consumed there, or is to become
//! a consumed component in the next round, is consumed at the start: so the initial value may not
//! be used afterwards, nor by the body under another name. Components that are never consumed may
//! hold the initial value, or whatever the body makes of them, in any round.

use super::state::{FrameKind, Kept, Use, Walker};
use super::value::{Alias, Aliases, Leaf, Origin, Value};
use futc_typed::diet::Diet;
use futc_typed::program::{Exp, Loop, LoopForm};
use futc_typed::span::Span;
use std::collections::{HashMap, HashSet};

/// A component of a loop's parameter.
struct Slot {
    origin: Origin,
    /// Its type is written, and without `*`.
    fixed: bool,
    consumed: bool,
    /// What the body makes of it.
    next: Aliases,
    /// What it is at the start.
    first: Aliases,
}

impl Walker<'_> {
    /// A loop; `outer` is the bound, or the array it goes through.
    pub(super) fn repeat(&mut self, l: &Loop, outer: Option<&Exp>, span: Span) -> Value {
        let init = self.exp(&l.init);
        let after_init = self.moment();
        let through = outer.map(|e| (self.exp(e), e.span));
        if self.consumed_since(after_init) {
            self.used(&init.all(), Use::Held(l.init.span));
        }
        // The elements belong to the array: whatever it is, it is there in every round.
        let elements = match (&l.form, &through) {
            (LoopForm::ForIn(p, _), Some((array, at))) => {
                let mut all = array.all();
                if all.is_empty() {
                    all = Aliases::one(self.new_memory(None, *at, Kept::No), None);
                }
                Some((p, Value::shaped(&p.ty, &Diet::Observe, &mut |_, _| all.clone()), *at))
            }
            _ => None,
        };

        let depth = self.frames.len();
        self.enter(FrameKind::Loop, span);
        if let Some((_, at)) = &through
            && let LoopForm::ForIn(..) = &l.form
            && let Some((array, _)) = &through
        {
            self.capture(&array.all(), depth, *at);
        }
        let mut slots: Vec<Slot> = Vec::new();
        let mut annotated: Vec<bool> = Vec::new();
        Value::fresh(&l.pat.ty).leaves(&l.annotated, &mut |_, marked| annotated.push(marked));
        let mut annotated = annotated.into_iter();
        let param = self.owned(&l.pat.ty, &l.consumes, l.pat.span, &mut |d| {
            let fixed = annotated.next().unwrap_or(false) && !d.any();
            slots.push(Slot {
                origin: 0,
                fixed,
                consumed: d.any(),
                next: Aliases::default(),
                first: Aliases::default(),
            });
            if fixed { Kept::LoopParam } else { Kept::No }
        });
        let mut origins = Vec::with_capacity(slots.len());
        param.leaves(&Diet::Observe, &mut |leaf, _| origins.push(leaf.aliases.clone()));
        for (slot, origin) in slots.iter_mut().zip(&origins) {
            slot.origin = origin.as_slice().first().map_or(0, |a| a.origin);
        }
        self.pattern(&l.pat, &param, None);
        match &l.form {
            LoopForm::For(..) => {}
            LoopForm::ForIn(..) => {
                if let Some((p, value, at)) = &elements {
                    self.pattern(p, value, Some(*at));
                }
            }
            LoopForm::While(cond) => {
                self.exp(cond);
            }
        }
        let next = self.exp(&l.body);

        for (slot, (next, first)) in slots
            .iter_mut()
            .zip(components(&param, &next).into_iter().zip(components(&param, &init)))
        {
            slot.next = next;
            slot.first = first;
            slot.consumed |= self.consumed.contains_key(&slot.origin);
        }
        self.lend(&mut slots, depth);
        self.spread(&mut slots);
        let sound = self.next_round(&slots, l, depth);
        let used = self.frames.pop().map(|f| f.used).unwrap_or_default();
        if sound {
            self.consume_initial(&slots, l.init.span, &used);
        }
        self.loop_result(&param, &slots, depth)
    }

    /// A type with `*` lets the body consume a component. If it does not, nor hands it on to the
    /// next round, what is not the loop's to consume may be the initial value all the same.
    fn lend(&self, slots: &mut [Slot], depth: usize) {
        let handed_on: HashSet<Origin> =
            slots.iter().flat_map(|s| s.next.as_slice()).map(|a| a.origin).collect();
        for slot in slots {
            let mine = slot.first.as_slice().iter().all(|a| {
                self.memory_of(a.origin).is_none_or(|m| m.kept == Kept::No && m.depth >= depth)
            });
            if !mine
                && !handed_on.contains(&slot.origin)
                && !self.consumed.contains_key(&slot.origin)
            {
                slot.consumed = false;
            }
        }
    }

    /// What becomes a consumed component is consumed in the next round.
    fn spread(&self, slots: &mut [Slot]) {
        let by_origin: HashMap<Origin, usize> =
            slots.iter().enumerate().map(|(i, s)| (s.origin, i)).collect();
        let mut work: Vec<usize> =
            slots.iter().enumerate().filter(|(_, s)| s.consumed).map(|(i, _)| i).collect();
        while let Some(i) = work.pop() {
            let Some(next) = slots.get(i).map(|s| s.next.clone()) else { continue };
            for alias in next.as_slice() {
                if let Some(j) = by_origin.get(&alias.origin)
                    && let Some(slot) = slots.get_mut(*j)
                    && !slot.consumed
                    && !slot.fixed
                {
                    slot.consumed = true;
                    work.push(*j);
                }
            }
        }
    }

    /// What the body yields for a consumed component must be nobody else's.
    fn next_round(&mut self, slots: &[Slot], l: &Loop, depth: usize) -> bool {
        let fixed: HashSet<Origin> =
            slots.iter().filter(|s| !s.consumed).map(|s| s.origin).collect();
        let mut consumed: HashSet<Origin> = HashSet::new();
        let mut observed: HashSet<Origin> = HashSet::new();
        for slot in slots {
            let all = slot.next.as_slice();
            if slot.consumed {
                let outside = all.iter().find(|a| {
                    fixed.contains(&a.origin)
                        || self
                            .memory_of(a.origin)
                            .is_some_and(|m| m.depth <= depth || m.kept != Kept::No)
                });
                if let Some(alias) = outside {
                    self.loop_param_aliases(slot.origin, *alias, l.body.span);
                    return false;
                }
            }
            if let Some(alias) = all.iter().find(|a| consumed.contains(&a.origin)) {
                self.loop_params_alias(slot.origin, *alias, l.body.span);
                return false;
            }
            if slot.consumed {
                if let Some(alias) = all.iter().find(|a| observed.contains(&a.origin)) {
                    self.aliases_returned(slot.origin, *alias, l.body.span);
                    return false;
                }
                consumed.extend(all.iter().map(|a| a.origin));
            } else {
                observed.extend(all.iter().map(|a| a.origin));
            }
        }
        true
    }

    fn consume_initial(
        &mut self,
        slots: &[Slot],
        span: Span,
        used: &HashMap<Origin, (Alias, Span)>,
    ) {
        let mut consumed = Aliases::default();
        for (i, slot) in slots.iter().enumerate() {
            if !slot.consumed {
                continue;
            }
            let others =
                slots.iter().enumerate().filter(|(j, s)| *j != i && (!s.consumed || *j < i));
            let overlap = others.filter_map(|(_, s)| slot.first.common(&s.first)).next();
            if let Some(alias) = overlap {
                self.self_aliasing(alias, span);
                return;
            }
            consumed = consumed.union(&slot.first);
        }
        if consumed.is_empty() {
            return;
        }
        self.consume(&consumed, span);
        for alias in consumed.as_slice() {
            if let Some((alias, at)) = used.get(&alias.origin)
                && let Some(consumption) = self.consumed.get(&alias.origin)
            {
                let consumption = *consumption;
                self.use_after_consume(*alias, consumption, Use::InLoop(*at));
                return;
            }
        }
    }

    fn loop_result(&mut self, param: &Value, slots: &[Slot], depth: usize) -> Value {
        let by_origin: HashMap<Origin, usize> = slots
            .iter()
            .enumerate()
            .filter(|(_, s)| !s.consumed)
            .map(|(i, s)| (s.origin, i))
            .collect();
        let mut results = Vec::with_capacity(slots.len());
        for (i, slot) in slots.iter().enumerate() {
            if slot.consumed {
                results.push(Aliases::default());
                continue;
            }
            // All that can come here, through whatever parameters.
            let mut seen: HashSet<usize> = HashSet::from([i]);
            let mut work = vec![i];
            let mut all: Vec<Alias> = Vec::new();
            while let Some(slot) = work.pop().and_then(|i| slots.get(i)) {
                all.extend_from_slice(slot.first.as_slice());
                for alias in slot.next.as_slice() {
                    all.push(*alias);
                    if let Some(j) = by_origin.get(&alias.origin)
                        && seen.insert(*j)
                    {
                        work.push(*j);
                    }
                }
            }
            for alias in &mut all {
                if let Some(memory) = self.memory.get_mut(alias.origin as usize)
                    && memory.depth > depth
                {
                    // The loop is over: what is left of it belongs to whoever is around.
                    memory.depth = depth;
                    memory.kept = Kept::No;
                    alias.via = None;
                }
            }
            results.push(Aliases::of(all));
        }
        let mut results = results.into_iter();
        param.map(&mut |_| Leaf { aliases: results.next().unwrap_or_default(), ..Leaf::default() })
    }
}

/// What `value` has in place of each component of `param`, in order.
fn components(param: &Value, value: &Value) -> Vec<Aliases> {
    match param {
        Value::Scalar => Vec::new(),
        Value::Leaf(_) => vec![value.all()],
        Value::Parts(parts) => {
            parts.iter().flat_map(|(n, p)| components(p, &value.part(*n))).collect()
        }
    }
}
