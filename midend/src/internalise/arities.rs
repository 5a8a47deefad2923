//! How many arguments intrinsics take.

use futc_typed::intrinsics;
use futc_typed::name::Name;
use std::collections::HashMap;

/// The number of arguments of each intrinsic.
pub(super) fn intrinsic_arities() -> HashMap<Name, usize> {
    let arrows = |ty: &str| {
        let mut depth = 0i32;
        let mut n = 0;
        let bytes = ty.as_bytes();
        for (i, b) in bytes.iter().enumerate() {
            match b {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'>' if depth == 0 && i > 0 && bytes.get(i - 1) == Some(&b'-') => n += 1,
                _ => {}
            }
        }
        n
    };
    let mut out = HashMap::new();
    for (op, _, _) in intrinsics::OPERATORS {
        out.insert(Name::new(op), 2);
    }
    for (op, _) in intrinsics::UNARY {
        out.insert(Name::new(op), 1);
    }
    for p in futc_typed::prim::PrimType::ALL {
        for (name, over, ty) in intrinsics::SCALARS {
            if over.has(p) {
                out.insert(Name::new(&format!("{p}_{name}")), arrows(ty));
            }
        }
        for q in futc_typed::prim::PrimType::ALL {
            out.insert(Name::new(&intrinsics::conversion(p, q)), 1);
        }
        if p.is_float() {
            for (name, ty) in intrinsics::FLOAT_SCALARS {
                out.insert(Name::new(&format!("{p}_{name}")), arrows(ty));
            }
        }
    }
    for (name, ty) in intrinsics::ARRAYS {
        out.insert(Name::new(name), arrows(ty));
    }
    out
}
