//! From memory-annotated Core IR through MLIR and LLVM to objects and programs.

#[cfg(test)]
mod tests {
    /// Both libraries are in one process and speak to one LLVM.
    #[test]
    fn melior_and_inkwell_link() {
        let registry = melior::dialect::DialectRegistry::new();
        melior::utility::register_all_dialects(&registry);
        let context = melior::Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        let module = melior::ir::Module::parse(&context, "func.func @f() { return }");
        assert!(module.is_some());
        let llvm = inkwell::context::Context::create();
        let text = llvm.create_module("x").print_to_string().to_string();
        assert!(text.contains("ModuleID"));
    }
}
