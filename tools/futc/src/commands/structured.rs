//! Results of the interpreter as text in source syntax: tuples, records, sums, and arrays of such.

use futc_midend::ir::verify::leaves_of;
use futc_midend::ir::{ExtKind, ExtStructure, ExtType, Payload};
use futc_testing::value::{Value, element_bytes};

/// A value of this type, which consists of these scalars and arrays. What has no structure is `#<opaque NAME>`, as in
/// executables.
pub fn text(ty: &ExtType, leaves: &[Value]) -> String {
    let ExtKind::Opaque { structure, .. } = &ty.kind else {
        return leaves.first().map(Value::to_text).unwrap_or_default();
    };
    match structure {
        ExtStructure::Atomic => unknown(ty),
        ExtStructure::Record(fields) => record(fields, leaves),
        ExtStructure::Sum(constructors) => {
            let tag = leaves.first().and_then(|tag| tag.int(0));
            let constructor = tag.and_then(|tag| constructors.get(usize::try_from(tag).ok()?));
            constructor.map_or_else(|| unknown(ty), |(name, payload)| sum(name, payload, leaves))
        }
        ExtStructure::Array(rank, element) => {
            match leaves.first().map(|leaf| leaf.shape.get(..*rank)) {
                Some(Some(sizes)) if sizes.contains(&0) => {
                    let sizes: String = sizes.iter().map(|n| format!("[{n}]")).collect();
                    format!("empty({sizes}{})", element.name)
                }
                Some(Some(_)) => array(*rank, element, leaves),
                // Arrays of units have no sizes.
                Some(None) | None => unknown(ty),
            }
        }
    }
}

fn unknown(ty: &ExtType) -> String {
    format!("#<opaque {}>", ty.name)
}

fn record(fields: &[(String, ExtType)], mut leaves: &[Value]) -> String {
    let tuple = fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string());
    let shown = fields.iter().map(|(name, ty)| {
        let (own, rest) = leaves.split_at(leaves_of(ty).len().min(leaves.len()));
        leaves = rest;
        let value = text(ty, own);
        if tuple { value } else { format!("{name} = {value}") }
    });
    let shown: Vec<String> = shown.collect();
    let all = shown.join(", ");
    if tuple { format!("({all})") } else { format!("{{{all}}}") }
}

fn sum(name: &str, payload: &[Payload], leaves: &[Value]) -> String {
    let mut out = format!("#{name}");
    for (ty, at) in payload {
        let own: Vec<Value> = at.iter().filter_map(|i| leaves.get(*i).cloned()).collect();
        let value = text(ty, &own);
        let has_payload = value.starts_with('#') && value.contains(' ');
        out.push_str(&if has_payload { format!(" ({value})") } else { format!(" {value}") });
    }
    out
}

/// An array of so many dimensions, with elements.
fn array(rank: usize, element: &ExtType, leaves: &[Value]) -> String {
    if rank == 0 {
        return text(element, leaves);
    }
    let size = leaves.first().and_then(|leaf| leaf.shape.first()).copied().unwrap_or(0);
    let rows = (0..size).map(|i| {
        let row: Vec<Value> = leaves.iter().map(|leaf| row(leaf, i)).collect();
        array(rank - 1, element, &row)
    });
    let rows: Vec<String> = rows.collect();
    format!("[{}]", rows.join(", "))
}

/// One row of an array.
fn row(array: &Value, i: u64) -> Value {
    let shape: Vec<u64> = array.shape.get(1..).unwrap_or(&[]).to_vec();
    let bytes = shape.iter().product::<u64>() as usize * element_bytes(array.prim);
    let start = i as usize * bytes;
    let data = array.data.get(start..start + bytes).unwrap_or(&[]).to_vec();
    Value { shape, data, ..array.clone() }
}
