//! `llvm`: what other dialects cannot say.

use super::{Attributes, Builder, Intrinsic, Ix, Val, lanes_of, type_attribute};
use crate::ffi::Region;
use crate::{Error, ffi};
use melior::ir::attribute::{
    ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
    FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute,
};
use melior::ir::{Attribute, Type, ValueLike};
use std::fmt::Write as _;

/// In `rawConstantIndices` of `llvm.getelementptr`: the index is an operand.
const DYNAMIC_INDEX: i32 = i32::MIN;

/// Which operation on two integers is watched for overflow.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Checked {
    Add,
    Sub,
    Mul,
}

impl<'c> Builder<'c, '_> {
    /// The address of element `index` of type `element` from `base`, inside its block. MLIR's C
    /// interface cannot set the flag that says so; `llvm::addresses_in_bounds` does, later.
    pub fn element_pointer(
        &self,
        base: Val<'c>,
        index: Ix<'c>,
        element: Type<'c>,
    ) -> Result<Val<'c>, Error> {
        let (raw, operands) = match index {
            Ix::Const(0) => return Ok(base),
            Ix::Const(x) => match i32::try_from(x) {
                Ok(x) if x != DYNAMIC_INDEX => (x, vec![base]),
                _ => (DYNAMIC_INDEX, vec![base, self.i64(x)?]),
            },
            Ix::Val(v) => (DYNAMIC_INDEX, vec![base, v]),
        };
        self.getelementptr(raw, &operands, element, self.types().ptr)
    }

    /// The addresses of elements of a type at some distances, a vector, from `base`.
    pub fn element_pointers(
        &self,
        base: Val<'c>,
        distances: Val<'c>,
        element: Type<'c>,
    ) -> Result<Val<'c>, Error> {
        let pointers = self.shaped(distances.r#type(), self.types().ptr);
        self.getelementptr(DYNAMIC_INDEX, &[base, distances], element, pointers)
    }

    fn getelementptr(
        &self,
        raw: i32,
        operands: &[Val<'c>],
        element: Type<'c>,
        result: Type<'c>,
    ) -> Result<Val<'c>, Error> {
        let raw = DenseI32ArrayAttribute::new(self.shared.context, &[raw]).into();
        let attributes = [("elem_type", type_attribute(element)), ("rawConstantIndices", raw)];
        self.value_with("llvm.getelementptr", operands, result, &attributes)
    }

    /// `llvm.load`
    pub fn llvm_load(
        &self,
        pointer: Val<'c>,
        ty: Type<'c>,
        alignment: i64,
        known: Attributes<'_, 'c>,
    ) -> Result<Val<'c>, Error> {
        let attributes = self.aligned(alignment, known);
        self.value_with("llvm.load", &[pointer], ty, &attributes)
    }

    /// `llvm.store`
    pub fn llvm_store(
        &self,
        pointer: Val<'c>,
        value: Val<'c>,
        alignment: i64,
        known: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        let attributes = self.aligned(alignment, known);
        self.effect("llvm.store", &[value, pointer], &attributes)
    }

    /// `llvm.store` past the caches.
    pub fn llvm_store_nontemporal(
        &self,
        pointer: Val<'c>,
        value: Val<'c>,
        alignment: i64,
    ) -> Result<(), Error> {
        self.llvm_store(pointer, value, alignment, &[("nontemporal", self.shared.unit())])
    }

    fn aligned<'a>(
        &self,
        alignment: i64,
        known: Attributes<'a, 'c>,
    ) -> Vec<(&'a str, Attribute<'c>)> {
        let alignment = ("alignment", self.shared.word(alignment));
        std::iter::once(alignment).chain(known.iter().copied()).collect()
    }

    /// `llvm.intr.masked.load`
    pub fn llvm_masked_load(
        &self,
        pointer: Val<'c>,
        mask: Val<'c>,
        otherwise: Val<'c>,
        alignment: i64,
    ) -> Result<Val<'c>, Error> {
        self.masked("llvm.intr.masked.load", pointer, mask, otherwise, alignment)
    }

    /// `llvm.intr.masked.gather`
    pub fn llvm_masked_gather(
        &self,
        pointers: Val<'c>,
        mask: Val<'c>,
        otherwise: Val<'c>,
        alignment: i64,
    ) -> Result<Val<'c>, Error> {
        self.masked("llvm.intr.masked.gather", pointers, mask, otherwise, alignment)
    }

    fn masked(
        &self,
        name: &str,
        from: Val<'c>,
        mask: Val<'c>,
        otherwise: Val<'c>,
        alignment: i64,
    ) -> Result<Val<'c>, Error> {
        let alignment = IntegerAttribute::new(self.types().i32, alignment).into();
        let operands = [from, mask, otherwise];
        self.value_with(name, &operands, otherwise.r#type(), &[("alignment", alignment)])
    }

    /// `llvm.intr.masked.store`
    pub fn llvm_masked_store(
        &self,
        value: Val<'c>,
        pointer: Val<'c>,
        mask: Val<'c>,
        alignment: i64,
    ) -> Result<(), Error> {
        let alignment = IntegerAttribute::new(self.types().i32, alignment).into();
        let operands = [value, pointer, mask];
        self.effect("llvm.intr.masked.store", &operands, &[("alignment", alignment)])
    }

    /// `llvm.intr.masked.scatter`
    pub fn llvm_masked_scatter(
        &self,
        value: Val<'c>,
        pointers: Val<'c>,
        mask: Val<'c>,
        alignment: i64,
    ) -> Result<(), Error> {
        let alignment = IntegerAttribute::new(self.types().i32, alignment).into();
        let operands = [value, pointers, mask];
        self.effect("llvm.intr.masked.scatter", &operands, &[("alignment", alignment)])
    }

    /// `llvm.intr.fshl`: the upper half of two words in a row, shifted to the left.
    pub fn llvm_funnel_shift_left(
        &self,
        high: Val<'c>,
        low: Val<'c>,
        by: Val<'c>,
    ) -> Result<Val<'c>, Error> {
        self.same("llvm.intr.fshl", &[high, low, by])
    }

    /// `llvm.alloca` of `n` elements.
    pub fn llvm_alloca(&self, n: i64, element: Type<'c>, alignment: i64) -> Result<Val<'c>, Error> {
        let n = self.i64(n)?;
        let attributes =
            [("elem_type", type_attribute(element)), ("alignment", self.shared.word(alignment))];
        self.value_with("llvm.alloca", &[n], self.types().ptr, &attributes)
    }

    /// `llvm.intr.memcpy`
    pub fn llvm_memcpy(&self, to: Val<'c>, from: Val<'c>, bytes: Val<'c>) -> Result<(), Error> {
        let no = BoolAttribute::new(self.shared.context, false).into();
        self.effect("llvm.intr.memcpy", &[to, from, bytes], &[("isVolatile", no)])
    }

    /// Has what lies at an address, if there is memory, brought to the cache to be read.
    pub fn llvm_prefetch(&self, pointer: Val<'c>) -> Result<(), Error> {
        let number = |x| IntegerAttribute::new(self.types().i32, x).into();
        let attributes = [("rw", number(0)), ("hint", number(3)), ("cache", number(1))];
        self.effect("llvm.intr.prefetch", &[pointer], &attributes)
    }

    /// A call of a C function declared in the LLVM dialect.
    pub fn llvm_call(
        &self,
        symbol: &str,
        operands: &[Val<'c>],
        result: Option<Type<'c>>,
    ) -> Result<Option<Val<'c>>, Error> {
        let callee = FlatSymbolRefAttribute::new(self.shared.context, symbol).into();
        let results: Vec<_> = result.into_iter().collect();
        self.calling("llvm.call", ("callee", callee), None, operands, &results)
            .map(|values| values.first().copied())
    }

    /// A call of an LLVM intrinsic.
    pub fn llvm_intrinsic(
        &self,
        which: Intrinsic,
        operands: &[Val<'c>],
        result: Type<'c>,
        flags: Option<Attribute<'c>>,
    ) -> Result<Val<'c>, Error> {
        let callee = ("intrin", self.shared.string(which.name()));
        let flags = flags.map(|flags| ("fastmathFlags", flags));
        let values = self.calling("llvm.call_intrinsic", callee, flags, operands, &[result])?;
        values.first().copied().ok_or_else(|| Error::bug("an intrinsic without a result"))
    }

    fn calling(
        &self,
        name: &str,
        callee: (&'static str, Attribute<'c>),
        flags: Option<(&'static str, Attribute<'c>)>,
        operands: &[Val<'c>],
        results: &[Type<'c>],
    ) -> Result<Vec<Val<'c>>, Error> {
        let count = i32::try_from(operands.len()).map_err(Error::bug)?;
        let context = self.shared.context;
        let mut attributes = vec![
            callee,
            ("op_bundle_sizes", DenseI32ArrayAttribute::new(context, &[]).into()),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(context, &[count, 0]).into()),
        ];
        attributes.extend(flags);
        self.values(name, operands, results, &attributes, Vec::new())
    }

    /// The declaration of a C function.
    pub fn llvm_func(
        &self,
        symbol: &str,
        parameters: &[Type<'c>],
        result: Option<Type<'c>>,
    ) -> Result<(), Error> {
        let void = || melior::dialect::llvm::r#type::void(self.shared.context);
        let result = result.unwrap_or_else(void);
        let ty = melior::dialect::llvm::r#type::function(result, parameters, false);
        let attributes = [
            ("sym_name", self.shared.string(symbol)),
            ("function_type", type_attribute(ty)),
            ("linkage", self.shared.attribute("#llvm.linkage<external>")?),
        ];
        self.operation("llvm.func", &[], &[], &attributes, vec![Region::new()])?;
        Ok(())
    }

    /// A constant of bytes that only the program sees, and whose address nobody compares.
    pub fn llvm_bytes(
        &self,
        symbol: &str,
        bytes: &[u8],
        alignment: Option<i64>,
    ) -> Result<(), Error> {
        let length = u32::try_from(bytes.len()).map_err(Error::bug)?;
        let ty = melior::dialect::llvm::r#type::array(self.types().i8, length);
        // Bytes may be no text, which the constructor wants; an attribute is written with escapes for
        // them.
        let value = match std::str::from_utf8(bytes) {
            Ok(text) => self.shared.string(text),
            Err(_) => {
                let mut text = String::with_capacity(bytes.len() * 3 + 2);
                text.push('"');
                for b in bytes {
                    let _ = write!(text, "\\{b:02X}");
                }
                text.push('"');
                Attribute::parse(self.shared.context, &text)
                    .ok_or_else(|| Error::bug("a table of constants"))?
            }
        };
        let mut attributes = vec![
            ("sym_name", self.shared.string(symbol)),
            ("global_type", type_attribute(ty)),
            ("constant", self.shared.unit()),
            ("linkage", self.shared.attribute("#llvm.linkage<internal>")?),
            ("value", value),
            ("unnamed_addr", self.shared.word(2)),
        ];
        attributes.extend(alignment.map(|a| ("alignment", self.shared.word(a))));
        self.operation("llvm.mlir.global", &[], &[], &attributes, vec![Region::new()])?;
        Ok(())
    }

    /// A variable of the program that begins with the address of a text, or of nothing; behind that are zeros.
    pub fn llvm_variable(
        &self,
        symbol: &str,
        text: Option<&str>,
        rest: &[Type<'c>],
        alignment: i64,
    ) -> Result<(), Error> {
        let fields: Vec<_> =
            std::iter::once(self.types().ptr).chain(rest.iter().copied()).collect();
        let ty = melior::dialect::llvm::r#type::r#struct(self.shared.context, &fields, false);
        let (region, block) = ffi::region_with_block(&[], self.location);
        let b = Builder::new(self.shared, block, self.location);
        let mut value = b.value("llvm.mlir.zero", &[], ty)?;
        if let Some(text) = text {
            let text = b.address_of(text)?;
            let first = DenseI64ArrayAttribute::new(self.shared.context, &[0]).into();
            value = b.value_with("llvm.insertvalue", &[value, text], ty, &[("position", first)])?;
        }
        b.effect("llvm.return", &[value], &[])?;
        let attributes = [
            ("sym_name", self.shared.string(symbol)),
            ("global_type", type_attribute(ty)),
            ("linkage", self.shared.attribute("#llvm.linkage<internal>")?),
            ("alignment", self.shared.word(alignment)),
        ];
        self.operation("llvm.mlir.global", &[], &[], &attributes, vec![region])?;
        Ok(())
    }

    /// The same bits as another type.
    pub fn llvm_bitcast(&self, x: Val<'c>, ty: Type<'c>) -> Result<Val<'c>, Error> {
        self.value("llvm.bitcast", &[x], ty)
    }

    /// The address of a global.
    pub fn address_of(&self, symbol: &str) -> Result<Val<'c>, Error> {
        let symbol = FlatSymbolRefAttribute::new(self.shared.context, symbol).into();
        self.value_with("llvm.mlir.addressof", &[], self.types().ptr, &[("global_name", symbol)])
    }

    /// The pointer to nothing.
    pub fn null(&self) -> Result<Val<'c>, Error> {
        self.value("llvm.mlir.zero", &[], self.types().ptr)
    }

    /// `llvm.mlir.poison`
    pub fn llvm_poison(&self, ty: Type<'c>) -> Result<Val<'c>, Error> {
        self.value("llvm.mlir.poison", &[], ty)
    }

    /// `llvm.ptrtoint`, to `i64`.
    pub fn llvm_ptrtoint(&self, pointer: Val<'c>) -> Result<Val<'c>, Error> {
        self.value("llvm.ptrtoint", &[pointer], self.types().i64)
    }

    /// `llvm.inttoptr`
    pub fn llvm_inttoptr(&self, address: Val<'c>) -> Result<Val<'c>, Error> {
        self.value("llvm.inttoptr", &[address], self.types().ptr)
    }

    /// `llvm.insertelement` and `llvm.shufflevector`: a scalar in every lane.
    pub fn llvm_broadcast(&self, x: Val<'c>, vector: Type<'c>) -> Result<Val<'c>, Error> {
        let none = self.llvm_poison(vector)?;
        let first = self.llvm_insertelement(none, x, 0)?;
        let lanes = usize::try_from(lanes_of(vector).unwrap_or(0)).map_err(Error::bug)?;
        self.llvm_shufflevector(first, none, &vec![0; lanes])
    }

    /// `llvm.insertelement`
    pub fn llvm_insertelement(
        &self,
        vector: Val<'c>,
        x: Val<'c>,
        lane: i64,
    ) -> Result<Val<'c>, Error> {
        let lane = self.i64(lane)?;
        self.value("llvm.insertelement", &[vector, x, lane], vector.r#type())
    }

    /// A condition that holds once in a hundred thousand times.
    pub fn llvm_unlikely(&self, condition: Val<'c>) -> Result<Val<'c>, Error> {
        let types = self.types();
        let no = self.int(types.i1, 0)?;
        let probability = FloatAttribute::new(self.shared.context, types.f64, 0.999_99).into();
        let attributes = [("prob", probability)];
        let name = "llvm.intr.expect.with.probability";
        self.value_with(name, &[condition, no], types.i1, &attributes)
    }

    /// `llvm.shufflevector`
    pub fn llvm_shufflevector(
        &self,
        a: Val<'c>,
        b: Val<'c>,
        lanes: &[i32],
    ) -> Result<Val<'c>, Error> {
        let mask = DenseI32ArrayAttribute::new(self.shared.context, lanes).into();
        let n = u64::try_from(lanes.len()).map_err(Error::bug)?;
        let ty = Type::vector(&[n], crate::ffi::element_of(a.r#type()));
        self.value_with("llvm.shufflevector", &[a, b], ty, &[("mask", mask)])
    }

    /// `llvm.extractelement`
    pub fn llvm_extractelement(&self, x: Val<'c>, lane: i64) -> Result<Val<'c>, Error> {
        let lane = self.i64(lane)?;
        let scalar = crate::ffi::element_of(x.r#type());
        self.value("llvm.extractelement", &[x, lane], scalar)
    }

    /// Says that a scope begins here to tell apart what lies in it.
    pub fn noalias_scope(&self, scope: Attribute<'c>) -> Result<(), Error> {
        self.effect("llvm.intr.experimental.noalias.scope.decl", &[], &[("scope", scope)])
    }

    /// A new scope for what lies in one block and no other.
    pub fn alias_scope(&self, id: usize) -> Result<Attribute<'c>, Error> {
        let domain = "#llvm.alias_scope_domain<id = \"futc\">";
        let text = format!("#llvm.alias_scope<id = \"block{id}\", domain = {domain}>");
        Attribute::parse(self.shared.context, &text).ok_or_else(|| Error::bug("an alias scope"))
    }

    /// A new group of accesses, and the annotation of a loop of which no iteration reads what
    /// another writes by accesses of that group.
    pub fn parallel_accesses(&self) -> Result<(Attribute<'c>, Attribute<'c>), Error> {
        let group = "#llvm.access_group<id = distinct[0]<>>";
        let text = format!("[{group}, #llvm.loop_annotation<parallelAccesses = {group}>]");
        let both = Attribute::parse(self.shared.context, &text)
            .and_then(|a| ArrayAttribute::try_from(a).ok())
            .ok_or_else(|| Error::bug("a group of accesses"))?;
        Ok((both.element(0).map_err(Error::bug)?, both.element(1).map_err(Error::bug)?))
    }

    /// The annotation of a loop for which some of `vectorize` and `unroll` are turned off.
    pub fn loop_annotation(&self, off: &[&str]) -> Result<Attribute<'c>, Error> {
        let off: Vec<String> =
            off.iter().map(|what| format!("{what} = <disable = true>")).collect();
        let text = format!("#llvm.loop_annotation<{}>", off.join(", "));
        Attribute::parse(self.shared.context, &text)
            .ok_or_else(|| Error::bug("a loop's annotation"))
    }

    fn part(&self, pair: Val<'c>, k: i64, ty: Type<'c>) -> Result<Val<'c>, Error> {
        let position = DenseI64ArrayAttribute::new(self.shared.context, &[k]).into();
        self.value_with("llvm.extractvalue", &[pair], ty, &[("position", position)])
    }

    /// An operation on `i64`, and whether it overflows.
    pub fn with_overflow(
        &self,
        operation: Checked,
        a: Val<'c>,
        b: Val<'c>,
    ) -> Result<(Val<'c>, Val<'c>), Error> {
        let name = match operation {
            Checked::Add => "llvm.intr.sadd.with.overflow",
            Checked::Sub => "llvm.intr.ssub.with.overflow",
            Checked::Mul => "llvm.intr.smul.with.overflow",
        };
        let types = self.types();
        let pair = melior::dialect::llvm::r#type::r#struct(
            self.shared.context,
            &[types.i64, types.i1],
            false,
        );
        let both = self.value(name, &[a, b], pair)?;
        Ok((self.part(both, 0, types.i64)?, self.part(both, 1, types.i1)?))
    }

    /// `llvm.intr.ctpop`
    pub fn ctpop(&self, x: Val<'c>) -> Result<Val<'c>, Error> {
        self.same("llvm.intr.ctpop", &[x])
    }

    /// `llvm.intr.ctlz`, of zero the width.
    pub fn ctlz(&self, x: Val<'c>) -> Result<Val<'c>, Error> {
        self.zeros("llvm.intr.ctlz", x)
    }

    /// `llvm.intr.cttz`, of zero the width.
    pub fn cttz(&self, x: Val<'c>) -> Result<Val<'c>, Error> {
        self.zeros("llvm.intr.cttz", x)
    }

    fn zeros(&self, name: &str, x: Val<'c>) -> Result<Val<'c>, Error> {
        let no = BoolAttribute::new(self.shared.context, false).into();
        self.value_with(name, &[x], x.r#type(), &[("is_zero_poison", no)])
    }
}
