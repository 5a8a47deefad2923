//! Values between generated programs, test blocks and the interpreters.

use futc_midend::interp;
use futc_midend::interp::mem::MemValue;
use futc_midend::ir::Const;
use futc_midend::ir::verify::core_prim;
use futc_testing::value::element_bytes;
use futc_typed::prim::PrimType;

pub use futc_testing::value::Value as Data;

/// An argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Value(pub Data);

impl Value {
    /// From elements as bits, in row-major order.
    pub fn new(prim: PrimType, shape: Vec<u64>, bits: impl IntoIterator<Item = u64>) -> Value {
        let size = element_bytes(prim);
        let mut data = Vec::new();
        for b in bits {
            data.extend(b.to_le_bytes().iter().take(size));
        }
        Value(Data { prim, suffixed: true, shape, data })
    }

    /// An `i64`.
    pub fn scalar_i64(x: i64) -> Value {
        Value::new(PrimType::I64, Vec::new(), [x as u64])
    }

    /// The text form.
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// Elements as constants of the Core IR.
    fn elements(&self) -> Vec<Const> {
        let size = element_bytes(self.0.prim);
        let elem = core_prim(self.0.prim);
        let bits = |b: &[u8]| b.iter().rev().fold(0u64, |n, x| (n << 8) | u64::from(*x));
        self.0.data.chunks(size).map(|b| Const::from_bits(elem, bits(b))).collect()
    }

    fn shape(&self) -> Vec<i64> {
        self.0.shape.iter().map(|d| *d as i64).collect()
    }

    /// For the interpreter by values.
    pub fn inward(&self) -> interp::Value {
        if self.0.shape.is_empty() {
            return self
                .elements()
                .into_iter()
                .map(interp::Value::Scalar)
                .next()
                .unwrap_or_default();
        }
        interp::Value::array(core_prim(self.0.prim), self.shape(), self.elements())
    }

    /// For the interpreter of memory.
    pub fn to_memory(&self) -> MemValue {
        let data = self.elements();
        match (self.0.shape.is_empty(), data.first()) {
            (true, Some(c)) => MemValue::Scalar(*c),
            _ => MemValue::Array { elem: core_prim(self.0.prim), shape: self.shape(), data },
        }
    }
}

/// A result of the interpreter by values, at a source type.
pub fn outward(v: &interp::Value, prim: PrimType) -> Data {
    let shape = v.shape().iter().map(|d| *d as u64).collect();
    Data { prim, suffixed: true, shape, data: v.bytes() }
}

/// A result of the interpreter of memory, at a source type.
pub fn from_memory(v: &MemValue, prim: PrimType) -> Data {
    let (shape, elements) = match v {
        MemValue::Scalar(c) => (Vec::new(), vec![*c]),
        MemValue::Array { shape, data, .. } => {
            (shape.iter().map(|d| *d as u64).collect(), data.clone())
        }
    };
    Value::new(prim, shape, elements.into_iter().map(Const::bits)).0
}
