//! Copies to a few bytes further in a page, on x86.
//!
//! ```text
//! llvm.memcpy(to, from, n)      →      n ≥ 2048 and 0 < (to - from) mod 4096 < 32 ? vectors one after the other : llvm.memcpy(to, from, n)
//! ```
//!
//! From some kilobytes on, the C library copies by `rep movsb`, which on AMD's Zen goes byte by byte where the first store would lie
//! just behind the first load, as seen by their places in pages: 4 instead of 50 to 100 GB/s (Zen 5, glibc 2.36). Large blocks begin at
//! pages, so that is what copies are that move rows by an element or two: `[x] ++ xs`, `rotate 1`, a stencil whose
//! neighbour is one side's alone. What LLVM makes of loops is seen only behind its other passes, so this comes last.

use crate::Error;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::values::{
    BasicMetadataValueEnum, CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue,
};

type Result<T> = std::result::Result<T, Error>;

/// Copies of fewer bytes, where that is known, are the C library's.
const LEAST_BYTES: u64 = 2048;

/// What copies are called, whose memory overlaps with what they copy or does not.
const COPY: &str = "futc.copy";
const MOVE: &str = "futc.move";

/// The functions that take the place of both. Where memory overlaps, the C library does without `rep movsb`.
const FUNCTIONS: &str = "
define internal void @copy_by_vectors(ptr %to, ptr %from, i64 %n) nounwind noinline {
  %whole = and i64 %n, -256
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %f0 = getelementptr i8, ptr %from, i64 %i
  %f1 = getelementptr i8, ptr %f0, i64 64
  %f2 = getelementptr i8, ptr %f0, i64 128
  %f3 = getelementptr i8, ptr %f0, i64 192
  %t0 = getelementptr i8, ptr %to, i64 %i
  %t1 = getelementptr i8, ptr %t0, i64 64
  %t2 = getelementptr i8, ptr %t0, i64 128
  %t3 = getelementptr i8, ptr %t0, i64 192
  %x0 = load <16 x i32>, ptr %f0, align 1
  %x1 = load <16 x i32>, ptr %f1, align 1
  %x2 = load <16 x i32>, ptr %f2, align 1
  %x3 = load <16 x i32>, ptr %f3, align 1
  store <16 x i32> %x0, ptr %t0, align 1
  store <16 x i32> %x1, ptr %t1, align 1
  store <16 x i32> %x2, ptr %t2, align 1
  store <16 x i32> %x3, ptr %t3, align 1
  %next = add nuw i64 %i, 256
  %more = icmp ult i64 %next, %whole
  br i1 %more, label %loop, label %end
end:
  %t = getelementptr i8, ptr %to, i64 %whole
  %f = getelementptr i8, ptr %from, i64 %whole
  %rest = and i64 %n, 255
  tail call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %f, i64 %rest, i1 false)
  ret void
}

define void @futc.copy(ptr %to, ptr %from, i64 %n) nounwind noinline {
  %long = icmp uge i64 %n, 2048
  br i1 %long, label %ask, label %plain
ask:
  %t = ptrtoint ptr %to to i64
  %f = ptrtoint ptr %from to i64
  %further = sub i64 %t, %f
  %in_page = and i64 %further, 4095
  %above = add nsw i64 %in_page, -1
  %slow = icmp ult i64 %above, 31
  br i1 %slow, label %vectors, label %plain
vectors:
  tail call void @copy_by_vectors(ptr %to, ptr %from, i64 %n)
  ret void
plain:
  tail call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}

define void @futc.move(ptr %to, ptr %from, i64 %n) nounwind noinline {
  %t = ptrtoint ptr %to to i64
  %f = ptrtoint ptr %from to i64
  %further = sub i64 %t, %f
  %back = sub i64 %f, %t
  %after = icmp uge i64 %further, %n
  %before = icmp uge i64 %back, %n
  %apart = and i1 %after, %before
  br i1 %apart, label %copy, label %plain
copy:
  tail call void @futc.copy(ptr %to, ptr %from, i64 %n)
  ret void
plain:
  tail call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
";

/// Puts functions in the place of copies that may be long.
pub fn replace(module: &Module<'_>, machine: &TargetMachine) -> Result<()> {
    let context = module.get_context();
    let triple = machine.get_triple();
    let triple = triple.as_str().to_bytes();
    if !(triple.starts_with(b"x86_64") && triple.ends_with(b"gnu")) {
        return Ok(());
    }
    let all = module.get_functions().flat_map(FunctionValue::get_basic_block_iter);
    let copies: Vec<_> = all
        .flat_map(|block| block.get_instructions())
        .filter_map(|i| Some((i, called(i)?)))
        .collect();
    if copies.is_empty() {
        return Ok(());
    }
    let text = MemoryBuffer::create_from_memory_range_copy(FUNCTIONS.as_bytes(), "copies");
    let functions = context.create_module_from_ir(text).map_err(Error::bug)?;
    functions.set_data_layout(&module.get_data_layout());
    functions.set_triple(&module.get_triple());
    module.link_in_module(functions).map_err(Error::bug)?;
    let function = |name| {
        let function = module.get_function(name);
        let function = function.ok_or_else(|| Error::bug(format_args!("no function {name}")))?;
        function.set_linkage(Linkage::Internal);
        Ok::<_, Error>(function)
    };
    let (copy, r#move) = (function(COPY)?, function(MOVE)?);
    let builder = context.create_builder();
    for (call, name) in copies {
        let mut arguments: Vec<BasicMetadataValueEnum<'_>> = Vec::with_capacity(3);
        for k in 0..3 {
            let x = call.get_operand(k).and_then(|x| x.value());
            arguments.push(x.ok_or_else(|| Error::bug("a copy without an operand"))?.into());
        }
        builder.position_before(&call);
        let by = if name == COPY { copy } else { r#move };
        builder.build_call(by, &arguments, "").map_err(Error::bug)?;
        call.erase_from_basic_block();
    }
    Ok(())
}

/// What takes the place of a call, if it is a copy of so many bytes as count, or of a number that is not known.
fn called(call: InstructionValue<'_>) -> Option<&'static str> {
    if call.get_opcode() != InstructionOpcode::Call {
        return None;
    }
    let function = CallSiteValue::try_from(call).ok()?.get_called_fn_value()?;
    let by = match function.get_name().to_bytes() {
        b"llvm.memcpy.p0.p0.i64" => COPY,
        b"llvm.memmove.p0.p0.i64" => MOVE,
        _ => return None,
    };
    let bytes = call.get_operand(2)?.value()?.into_int_value().get_zero_extended_constant();
    bytes.is_none_or(|n| n >= LEAST_BYTES).then_some(by)
}
