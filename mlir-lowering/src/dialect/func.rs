//! `func`: functions of the program, and declarations of what is linked.

use super::{Builder, Val, type_attribute};
use crate::Error;
use crate::ffi::Region;
use melior::ir::Type;
use melior::ir::attribute::FlatSymbolRefAttribute;
use melior::ir::operation::OperationRef;
use melior::ir::r#type::FunctionType;

/// Who sees a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// The program.
    Internal,
    /// The linker.
    External,
}

impl<'c> Builder<'c, '_> {
    /// `func.func`; of an empty region, a declaration.
    pub fn func(
        &self,
        symbol: &str,
        parameters: &[Type<'c>],
        results: &[Type<'c>],
        linkage: Linkage,
        body: Region<'c>,
    ) -> Result<OperationRef<'c, 'c>, Error> {
        let ty = FunctionType::new(self.shared.context, parameters, results).into();
        let mut attributes = vec![
            ("sym_name", self.shared.string(symbol)),
            ("function_type", type_attribute(ty)),
            ("sym_visibility", self.shared.string("private")),
        ];
        if linkage == Linkage::Internal {
            let internal = self.shared.attribute("#llvm.linkage<internal>")?;
            attributes.push(("llvm.linkage", internal));
        }
        self.operation("func.func", &[], &[], &attributes, vec![body])
    }

    /// `func.return`
    pub fn func_return(&self, values: &[Val<'c>]) -> Result<(), Error> {
        self.effect("func.return", values, &[])
    }

    /// `func.constant`: the address of a function.
    pub fn func_constant(&self, symbol: &str, ty: Type<'c>) -> Result<Val<'c>, Error> {
        let symbol = FlatSymbolRefAttribute::new(self.shared.context, symbol).into();
        self.value_with("func.constant", &[], ty, &[("value", symbol)])
    }

    /// `func.call`
    pub fn func_call(
        &self,
        symbol: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
    ) -> Result<Vec<Val<'c>>, Error> {
        let callee = FlatSymbolRefAttribute::new(self.shared.context, symbol).into();
        self.values("func.call", operands, results, &[("callee", callee)], Vec::new())
    }
}
