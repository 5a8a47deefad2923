//! From memory-annotated Core IR through MLIR and LLVM to objects and programs.
