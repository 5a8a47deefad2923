//! What a program shows of itself: the types that its entry points mention, and those that values of them
//! consist of.
//!
//! The tables in compiled code and the C interface of libraries speak of types by their places in this list.

use super::{EntryPoint, ExtKind, ExtStructure, ExtType};

impl EntryPoint {
    /// The results as one value: the only one, or a tuple of them; of none, the empty tuple.
    pub fn result(&self) -> ExtType {
        if let [result] = self.results.as_slice() {
            return result.clone();
        }
        let names: Vec<&str> = self.results.iter().map(|r| r.name.as_str()).collect();
        let leaves = self.results.iter().flat_map(ExtType::leaves).collect();
        let fields = self.results.iter().enumerate();
        let fields = fields.map(|(i, r)| (i.to_string(), ExtType { unique: false, ..r.clone() }));
        ExtType {
            name: format!("({})", names.join(", ")),
            unique: !self.results.is_empty() && self.results.iter().all(|r| r.unique),
            kind: ExtKind::Opaque { leaves, structure: ExtStructure::Record(fields.collect()) },
        }
    }
}

impl ExtType {
    /// The element types and ranks of its leaves.
    pub fn leaves(&self) -> Vec<(futc_typed::prim::PrimType, usize)> {
        match &self.kind {
            ExtKind::Transparent { prim, rank } => vec![(*prim, *rank)],
            ExtKind::Opaque { leaves, .. } => leaves.clone(),
        }
    }

    /// Whether it is a type of scalars.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, ExtKind::Transparent { rank: 0, .. })
    }

    /// The type of arrays of `rank` dimensions of values of this type.
    pub fn array(&self, rank: usize) -> ExtType {
        let kind = match &self.kind {
            ExtKind::Transparent { prim, rank: inner } => {
                ExtKind::Transparent { prim: *prim, rank: rank + inner }
            }
            ExtKind::Opaque { leaves, structure } => {
                let structure = match structure {
                    ExtStructure::Array(inner, element) => {
                        ExtStructure::Array(rank + inner, element.clone())
                    }
                    _ => ExtStructure::Array(rank, Box::new(self.clone())),
                };
                let leaves = leaves.iter().map(|(prim, inner)| (*prim, rank + inner)).collect();
                ExtKind::Opaque { leaves, structure }
            }
        };
        ExtType { name: "[]".repeat(rank) + &self.name, unique: false, kind }
    }

    /// The fields of a record; of an array of records, arrays of the fields of its elements.
    pub fn fields(&self) -> Option<Vec<(String, ExtType)>> {
        let ExtKind::Opaque { structure, .. } = &self.kind else { return None };
        match structure {
            ExtStructure::Record(fields) => Some(fields.clone()),
            ExtStructure::Array(rank, element) => match &element.kind {
                ExtKind::Opaque { structure: ExtStructure::Record(fields), .. } => {
                    Some(fields.iter().map(|(name, t)| (name.clone(), t.array(*rank))).collect())
                }
                _ => None,
            },
            ExtStructure::Atomic | ExtStructure::Sum(_) => None,
        }
    }
}

/// All types of entry points and of what their values consist of, each name once. A type stands before its
/// parts, unless they were there already.
pub fn types<'p>(entries: impl IntoIterator<Item = &'p EntryPoint>) -> Vec<ExtType> {
    let mut all = Vec::new();
    for entry in entries {
        let params = entry.params.iter().map(|(_, ty)| ty);
        for ty in params.chain(&entry.results).chain(&[entry.result()]) {
            collect(ty, &mut all);
        }
    }
    all
}

fn collect(ty: &ExtType, all: &mut Vec<ExtType>) {
    if all.iter().any(|t| t.name == ty.name) {
        return;
    }
    all.push(ExtType { unique: false, ..ty.clone() });
    if let ExtKind::Opaque { structure: ExtStructure::Array(_, element), .. } = &ty.kind {
        collect(element, all);
    }
    for (_, field) in ty.fields().into_iter().flatten() {
        collect(&field, all);
    }
    if let ExtKind::Opaque { structure: ExtStructure::Sum(cases), .. } = &ty.kind {
        for (payload, _) in cases.iter().flat_map(|(_, payloads)| payloads) {
            collect(payload, all);
        }
    }
}
