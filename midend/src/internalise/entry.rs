//! Entry points: functions whose parameters and results are the leaves of what the outside sees.
//!
//! Every dimension of a parameter that is not a size parameter by itself gets a size of its own,
//! which the body compares with what the type says, so that callers need only check that leaves
//! agree on sizes of the same name. Parameters and results of type `()` are not seen outside.

use super::builder::{attr_text, text};
use super::error::R;
use super::fun_state::FunState;
use super::names::pat_name;
use super::sizes::show_type;
use super::spec::Spec;
use super::value::{FrameId, SumLayout, Ty, Value, core_prim, leaves};
use crate::ir::{
    Body, EntryPoint, ExtKind, ExtStructure, ExtType, Fun, Linkage, Param, PatElem, SubExp, Type,
};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Def, Entry, EntryParam, EntryType};
use futc_typed::types;

impl Spec<'_> {
    /// Makes a function of every entry point that is asked for.
    pub(super) fn entry_points(&mut self) -> R<()> {
        let program = self.program;
        let mut chosen: Vec<(&Def, Entry)> = Vec::new();
        for d in &program.defs {
            let entry = match &d.entry {
                Some(e) => e.clone(),
                None if self.options.extra_entries.contains(&d.name) => implied(d),
                None => continue,
            };
            if self.options.only.as_ref().is_none_or(|o| o.contains(&entry.name)) {
                // A later definition of the same name hides an earlier one.
                chosen.retain(|(_, e)| e.name != entry.name);
                chosen.push((d, entry));
            }
        }
        for (_, e) in &chosen {
            self.names.insert(e.name, 1);
        }
        for (d, e) in chosen {
            self.fun = FunState::new(1, false);
            self.entry_point(d, &e)?;
        }
        Ok(())
    }

    fn entry_point(&mut self, d: &Def, entry: &Entry) -> R<()> {
        let fun = &d.fun;
        self.fun.span = Some(d.span);
        self.open();
        let depth = self.depth();
        let frame = self.frame(None);
        let mut params: Vec<Param> = Vec::new();
        let i64_param = |s: &mut Self, name: Name| {
            let var = s.fresh_at(name, Type::I64, depth);
            (var, Param { var, ty: Type::I64, unique: false, mem: None })
        };
        for v in &fun.size_params {
            let (var, p) = i64_param(self, v.name);
            params.push(p);
            self.bind(frame, *v, Value::Leaf(var.into()));
        }
        let size_params: Vec<SubExp> = params.iter().map(|p| SubExp::Var(p.var)).collect();
        self.open();
        let mut leaf_params = Vec::new();
        let mut ext_params = Vec::new();
        let mut ok = SubExp::bool(true);
        let mut wanted: Vec<(usize, Vec<SubExp>)> = Vec::new();
        let mut values = Vec::with_capacity(fun.params.len());
        // More parameters than the definition names: it yields a function, which is applied.
        for i in 0..fun.params.len().max(entry.params.len()) {
            let p = fun.params.get(i);
            let outside = entry.params.get(i);
            let Some(source) = p.map(|p| &p.pat.ty).or(outside.map(|o| &o.ty.ty)) else { continue };
            let base = match (p, outside) {
                (Some(p), _) => pat_name(&p.pat),
                (None, Some(o)) => o.name,
                (None, None) => Name::new("p"),
            };
            let consumes =
                p.is_some_and(|p| p.consumes.any()) || outside.is_some_and(|o| o.ty.unique);
            let ty = self.close(source, frame)?;
            if is_unit(&ty) {
                values.push(Value::unit());
                if let Some(p) = p {
                    self.bind_pat(&p.pat, &Value::unit(), frame)?;
                }
                continue;
            }
            let mut mine = Vec::new();
            for l in ty.leaves() {
                let mut shape = Vec::with_capacity(l.dims.len());
                let mut want = Vec::with_capacity(l.dims.len());
                for s in &l.dims {
                    match s {
                        Some(s) if size_params.contains(s) => {
                            shape.push(*s);
                            want.push(*s);
                        }
                        _ => {
                            let (var, param) = i64_param(self, Name::new("n"));
                            params.push(param);
                            let own = SubExp::Var(var);
                            if let Some(s) = s {
                                let same = self.eq64(own, *s);
                                ok = self.and(ok, same);
                            }
                            shape.push(own);
                            want.push(s.unwrap_or(own));
                        }
                    }
                }
                let ty = Type::array(core_prim(l.prim), shape);
                let var = self.fresh_at(base, ty.clone(), depth);
                let unique = consumes && ty.rank() > 0;
                if ty.shape() != want {
                    wanted.push((leaf_params.len(), want));
                }
                leaf_params.push(Param { var, ty, unique, mem: None });
                mine.push(SubExp::Var(var));
            }
            let Some(value) = ty.value(&mut mine.into_iter()) else {
                return self.limitation("an entry point with a function as its parameter");
            };
            // Later types may mention this parameter.
            if let Some(p) = p {
                self.bind_pat(&p.pat, &value, frame)?;
                if let Some(v) = p.name {
                    self.bind(frame, v, value.clone());
                }
            }
            values.push(value);
            let name = outside.map_or(Name::new("_"), |o| o.name);
            let ext = match outside {
                Some(o) => self.ext_entry(&o.ty, frame)?,
                None => self.ext_type(source, None, consumes, frame)?,
            };
            ext_params.push((name, ext));
        }
        let certs = self.check(ok, vec![text("Entry point arguments have invalid sizes.")]);
        self.keep(&certs);
        let mut views = std::collections::HashMap::new();
        for (i, want) in wanted {
            if let Some(p) = leaf_params.get(i) {
                let view = self.reshape_to(SubExp::Var(p.var), &want, &certs);
                views.insert(SubExp::Var(p.var), view);
            }
        }
        for value in &mut values {
            let Some(ls) = leaves(value) else { continue };
            let mut ls = ls.into_iter().map(|l| views.get(&l).copied().unwrap_or(l));
            *value = value.with_leaves(&mut ls);
        }
        for value in &values {
            self.note_param(value);
        }
        let rest = values.split_off(fun.params.len().min(values.len()));
        for (p, value) in fun.params.iter().zip(values) {
            self.bind_pat(&p.pat, &value, frame)?;
            if let Some(v) = p.name {
                self.bind(frame, v, value);
            }
        }
        params.extend(leaf_params);

        let branch = self.scoped(|s| {
            let value = if fun.params.is_empty() && rest.is_empty() {
                let def = s.def_index.get(&d.id).copied().unwrap_or_default();
                s.global_constant(def)?
            } else {
                s.eval(&fun.body, frame)?
            };
            if rest.is_empty() { Ok(value) } else { s.apply(value, rest) }
        })?;
        let joined = self.join_at(vec![branch], Some((&entry.result.ty, frame)), false, depth)?;
        let ret = self.erase(&entry.result.ty, frame)?;
        let results = self.ext_results(&entry.result, &ret, frame)?;
        let mut stms = self.close_scope();
        self.close_scope();
        let mut result = Vec::new();
        for b in joined.bodies {
            stms.extend(b.stms);
            result = b.result;
        }
        let mut elems: Vec<PatElem> = joined.elems;
        if is_unit(&ret) {
            elems.clear();
            result.clear();
        }
        let loc = Some(self.loc_of(d.span));
        self.funs.push(Fun {
            name: entry.name,
            entry: Some(EntryPoint { name: entry.name, params: ext_params, results }),
            linkage: Linkage::Internal,
            params,
            results: elems,
            body: Body { stms, result },
            attrs: d.attrs.iter().map(|a| Name::new(&attr_text(a))).collect(),
            loc,
        });
        Ok(())
    }

    fn ext_results(&mut self, result: &EntryType, ret: &Ty, frame: FrameId) -> R<Vec<ExtType>> {
        if is_unit(ret) {
            return Ok(Vec::new());
        }
        let written = result.written.as_deref().map(str::trim);
        let parts = match written {
            Some(w) => tuple_parts(w),
            None => None,
        };
        if let Some(ts) = result.ty.as_tuple()
            && (written.is_none() || parts.as_ref().is_some_and(|p| p.len() == ts.len()))
        {
            let mut out = Vec::with_capacity(ts.len());
            for (i, t) in ts.into_iter().enumerate() {
                let w = parts.as_ref().and_then(|p| p.get(i)).map(String::as_str);
                out.push(self.ext_type(t, w, result.unique, frame)?);
            }
            return Ok(out);
        }
        Ok(vec![self.ext_entry(result, frame)?])
    }

    fn ext_entry(&mut self, e: &EntryType, frame: FrameId) -> R<ExtType> {
        self.ext_type(&e.ty, e.written.as_deref(), e.unique, frame)
    }

    /// How a type looks from outside.
    fn ext_type(
        &mut self,
        ty: &types::Type,
        written: Option<&str>,
        unique: bool,
        frame: FrameId,
    ) -> R<ExtType> {
        let closed = self.erase(ty, frame)?;
        let unique = unique || written.is_some_and(|w| w.trim_start().starts_with('*'));
        let name = match written {
            Some(w) => without_sizes(w),
            None => self.ext_name(ty)?,
        };
        Ok(ext_of(&closed, Some(name), unique))
    }

    /// A type without its sizes, abstract types by name.
    fn ext_name(&mut self, ty: &types::Type) -> R<String> {
        Ok(match ty {
            types::Type::Array { elem, .. } => format!("[]{}", self.ext_name(elem)?),
            types::Type::Opaque(id, _) => {
                let i = self.opaque_index.get(id).copied();
                match i.and_then(|i| self.program.opaques.get(i)) {
                    Some(o) => o.name.to_string(),
                    None => show_type(ty),
                }
            }
            types::Type::Prim(_)
            | types::Type::Record(_)
            | types::Type::Sum(_)
            | types::Type::Arrow(_)
            | types::Type::Param(_) => without_sizes(&show_type(ty)),
        })
    }
}

/// The entry point of a definition not declared as one.
fn implied(d: &Def) -> Entry {
    let outside = |ty: &types::Type, unique| EntryType { written: None, unique, ty: ty.clone() };
    Entry {
        name: d.name,
        params: d
            .fun
            .params
            .iter()
            .map(|p| EntryParam {
                name: pat_name(&p.pat),
                ty: outside(&p.pat.ty, p.consumes.any()),
            })
            .collect(),
        result: outside(&d.fun.ret, false),
    }
}

fn is_unit(ty: &Ty) -> bool {
    matches!(ty, Ty::Record(fields) if fields.is_empty())
}

fn rank_and_elem(ty: &Ty) -> (usize, &Ty) {
    match ty {
        Ty::Array(_, elem) => {
            let (r, e) = rank_and_elem(elem);
            (r + 1, e)
        }
        t => (0, t),
    }
}

/// How a closed type looks from outside.
fn ext_of(ty: &Ty, name: Option<String>, unique: bool) -> ExtType {
    let (rank, elem) = rank_and_elem(ty);
    if let Ty::Prim(prim) = elem {
        let name = format!("{}{prim}", "[]".repeat(rank));
        return ExtType { name, unique, kind: ExtKind::Transparent { prim: *prim, rank } };
    }
    let leaves: Vec<(PrimType, usize)> =
        ty.leaves().iter().map(|l| (l.prim, l.dims.len())).collect();
    let structure = if rank > 0 {
        let inner = name.as_deref().and_then(|n| n.strip_prefix(&"[]".repeat(rank)));
        let inner = inner.map(|n| without_parens(n).unwrap_or(n));
        ExtStructure::Array(rank, Box::new(ext_of(elem, inner.map(str::to_string), false)))
    } else {
        match elem {
            Ty::Record(fields) => ExtStructure::Record(
                fields.iter().map(|(n, t)| (n.to_string(), ext_of(t, None, false))).collect(),
            ),
            Ty::Sum(constrs) => {
                let layout = SumLayout::new(constrs);
                let mut out = Vec::with_capacity(constrs.len());
                for ((n, ts), slots) in constrs.iter().zip(&layout.slots) {
                    let mut at = 0;
                    let mut payload = Vec::with_capacity(ts.len());
                    for t in ts {
                        let k = t.leaves().len();
                        let mine = slots.iter().skip(at).take(k).copied().collect();
                        at += k;
                        payload.push((ext_of(t, None, false), mine));
                    }
                    out.push((n.to_string(), payload));
                }
                ExtStructure::Sum(out)
            }
            Ty::Prim(_) | Ty::Array(..) | Ty::Fun => ExtStructure::Atomic,
        }
    };
    let name = name.unwrap_or_else(|| ty_name(ty));
    ExtType { name, unique, kind: ExtKind::Opaque { leaves, structure } }
}

/// A closed type in source syntax without sizes.
fn ty_name(ty: &Ty) -> String {
    match ty {
        Ty::Prim(p) => p.to_string(),
        Ty::Array(_, e) => format!("[]{}", ty_name(e)),
        Ty::Record(fields) => {
            let tuple = fields.len() != 1
                && fields.iter().enumerate().all(|(i, (n, _))| n.as_str() == i.to_string());
            if tuple {
                let ts: Vec<String> = fields.iter().map(|(_, t)| ty_name(t)).collect();
                format!("({})", ts.join(", "))
            } else {
                let ts: Vec<String> =
                    fields.iter().map(|(n, t)| format!("{n}: {}", ty_name(t))).collect();
                format!("{{{}}}", ts.join(", "))
            }
        }
        Ty::Sum(constrs) => {
            let cs: Vec<String> = constrs
                .iter()
                .map(|(n, ts)| {
                    let ts: String = ts.iter().map(|t| format!(" {}", ty_name(t))).collect();
                    format!("#{n}{ts}")
                })
                .collect();
            cs.join(" | ")
        }
        Ty::Fun => "->".to_string(),
    }
}

/// The text of a type with nothing in its brackets, and no uniqueness.
fn without_sizes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0usize;
    for c in text.trim().chars() {
        match c {
            '[' => {
                if depth == 0 {
                    out.push(c);
                }
                depth += 1;
            }
            ']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    out.push(c);
                }
            }
            '*' if depth == 0 => {}
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    plain_element(&out.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The name of a type without the parentheses that the element of an array is put in, `[](t [])` as `[]t []`: the type of
/// the element has the same name elsewhere. Those of tuples and sums stay.
fn plain_element(name: &str) -> String {
    let element = name.trim_start_matches("[]");
    let dims = name.strip_suffix(element).unwrap_or_default();
    match without_parens(element) {
        Some(inner) if !inner.starts_with('#') => format!("{dims}{}", plain_element(inner)),
        _ => name.to_string(),
    }
}

/// What stands in the parentheses that are around all of a type's text, unless it is a tuple.
fn without_parens(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?.trim();
    let mut depth = 0i32;
    for c in inner.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        // Another pair's, or a tuple's.
        if depth < 0 || depth == 0 && c == ',' {
            return None;
        }
    }
    (!inner.is_empty()).then_some(inner)
}

/// The components of a written tuple type.
fn tuple_parts(text: &str) -> Option<Vec<String>> {
    let text = text.trim().trim_start_matches('*').trim_start();
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = Vec::new();
    let mut depth = 0i32;
    let mut part = String::new();
    for c in inner.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part).trim().to_string());
        } else {
            part.push(c);
        }
    }
    if !part.trim().is_empty() {
        parts.push(part.trim().to_string());
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::without_sizes;

    #[test]
    fn elements_have_the_name_that_they_have_alone() {
        let names = [
            ("[n](shape [3])", "[]shape []"),
            ("[n]([m](t))", "[][]t"),
            ("[n](i32, f32)", "[](i32, f32)"),
            ("[n]((a) b)", "[](a) b"),
            ("[n](#a | #b)", "[](#a | #b)"),
            ("[n]()", "[]()"),
        ];
        for (written, name) in names {
            assert_eq!(without_sizes(written), name);
        }
    }
}
