//! Inlining of functions into their callers, bottom-up over the call graph.
