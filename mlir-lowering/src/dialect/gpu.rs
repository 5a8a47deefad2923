//! `gpu`: kernels.

use super::{Builder, Val, type_attribute};
use crate::ffi::Region;
use crate::{Error, ffi};
use melior::ir::Type;
use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::r#type::FunctionType;

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

    /// `gpu.launch_func`: a kernel of a `gpu.module`, over a grid of blocks of threads.
    pub fn gpu_launch_func(
        &self,
        (module, kernel): (&str, &str),
        grid: [Val<'c>; 3],
        block: [Val<'c>; 3],
        arguments: &[Val<'c>],
    ) -> Result<(), Error> {
        let operands: Vec<_> =
            grid.into_iter().chain(block).chain(arguments.iter().copied()).collect();
        let context = self.shared.context;
        // None of: what it waits for, clusters, shared memory, a queue.
        let count = i32::try_from(arguments.len()).map_err(Error::bug)?;
        let segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, count, 0];
        let attributes = [
            ("kernel", ffi::nested_symbol(context, module, kernel)),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(context, &segments).into()),
        ];
        self.effect("gpu.launch_func", &operands, &attributes)
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
