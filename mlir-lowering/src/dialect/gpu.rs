//! `gpu`: kernels.

use super::{Builder, Val, type_attribute};
use crate::Error;
use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::r#type::FunctionType;
use melior::ir::{Region, Type};

impl<'c> Builder<'c, '_> {
    /// `gpu.module`
    pub fn gpu_module(&self, symbol: &str, body: Region<'c>) -> Result<(), Error> {
        let attributes = [("sym_name", self.shared.string(symbol))];
        self.operation("gpu.module", &[], &[], &attributes, vec![body])?;
        Ok(())
    }

    /// `gpu.func`, a kernel of blocks of `threads` along one dimension.
    pub fn gpu_func(
        &self,
        symbol: &str,
        parameters: &[Type<'c>],
        threads: i32,
        body: Region<'c>,
    ) -> Result<(), Error> {
        let context = self.shared.context;
        let ty = FunctionType::new(context, parameters, &[]).into();
        let attributes = [
            ("sym_name", self.shared.string(symbol)),
            ("function_type", type_attribute(ty)),
            ("gpu.kernel", self.shared.unit()),
            ("known_block_size", DenseI32ArrayAttribute::new(context, &[threads, 1, 1]).into()),
            ("workgroup_attributions", self.shared.word(0)),
        ];
        self.operation("gpu.func", &[], &[], &attributes, vec![body])?;
        Ok(())
    }

    /// `gpu.return`
    pub fn gpu_return(&self) -> Result<(), Error> {
        self.effect("gpu.return", &[], &[])
    }

    /// `gpu.block_id x`
    pub fn gpu_block_id(&self) -> Result<Val<'c>, Error> {
        self.gpu_id("gpu.block_id")
    }

    /// `gpu.thread_id x`
    pub fn gpu_thread_id(&self) -> Result<Val<'c>, Error> {
        self.gpu_id("gpu.thread_id")
    }

    fn gpu_id(&self, name: &str) -> Result<Val<'c>, Error> {
        let dimension = self.shared.attribute("#gpu<dim x>")?;
        self.value_with(name, &[], self.types().index, &[("dimension", dimension)])
    }
}
