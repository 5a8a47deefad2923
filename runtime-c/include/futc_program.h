/* What a compiled program says about itself, and what it may call.
 *
 * This header is the binary interface between compiled code and the runtime. The compiler writes
 * one `struct futc_program` named `futc_program` into every object; mlir-lowering/src/abi.rs
 * mirrors these structures and is tested against this file.
 */
#ifndef FUTC_PROGRAM_H
#define FUTC_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct futc_context;

/* Order fixed: the compiler writes these numbers. */
enum futc_prim {
  FUTC_I8,
  FUTC_I16,
  FUTC_I32,
  FUTC_I64,
  FUTC_U8,
  FUTC_U16,
  FUTC_U32,
  FUTC_U64,
  FUTC_F16,
  FUTC_F32,
  FUTC_F64,
  FUTC_BOOL
};

/* One argument or result word of an entry function. A scalar is stored in the low bytes of
 * `bits`; a block is what futc_alloc gave. */
union futc_slot {
  uint64_t bits;
  int64_t i64;
  void *block;
};

/* A leaf is a scalar (rank 0; one slot) or a dense row-major array (1 + rank slots: the block,
 * whose first byte is the first element, then the sizes, outermost first). */
struct futc_leaf {
  int32_t prim; /* enum futc_prim */
  int32_t rank;
};

enum futc_type_kind {
  FUTC_TRANSPARENT, /* one leaf */
  FUTC_ATOMIC,      /* opaque, nothing to be seen */
  FUTC_RECORD,      /* opaque; fields consecutive */
  FUTC_SUM,         /* opaque; leaf 0 is the u8 tag */
  FUTC_ARRAY        /* opaque; array of records or sums */
};

struct futc_type;

struct futc_field {
  const char *name;
  const struct futc_type *type;
};

struct futc_constructor {
  const char *name;
  int64_t num_payloads;
  const struct futc_type *const *payloads;
  const int64_t *leaves; /* of the sum, one per leaf of each payload in turn */
};

struct futc_type {
  const char *name; /* `[][]f32`, or an opaque type's name */
  int32_t kind;     /* enum futc_type_kind */
  int32_t rank;     /* of FUTC_ARRAY */
  int64_t num_leaves;
  const struct futc_leaf *leaves;
  /* FUTC_RECORD: fields; FUTC_SUM: constructors. FUTC_ARRAY of records: may be 0, or a field per
   * field of the element, its type the array of it (for the server's `fields` and `unzip`). */
  int64_t num_fields;
  const struct futc_field *fields;
  const struct futc_constructor *constructors;
  const struct futc_type *element; /* FUTC_ARRAY */
};

struct futc_value_spec {
  const char *name; /* parameters; NULL for results */
  const struct futc_type *type;
  int64_t unique;
};

/* Input blocks lie in the space of the program's arrays: 1 for FUTC_NVPTX, else 0. Memory of space
 * 1 is visible to the host too at this stage (managed memory); on targets without a device, it is
 * host memory. If a call fails, the references taken over from unique parameters are gone, too.
 *
 * An entry function takes the leaves of its parameters in turn and gives the leaves of its results
 * in turn. It owns neither: input blocks are borrowed unless their parameter is unique, in which
 * case one reference is taken over; every result block carries one reference for the caller.
 * On failure it does not return (futc_fail). */
typedef void (*futc_entry_fn)(struct futc_context *ctx, const union futc_slot *in,
                              union futc_slot *out);

struct futc_entry {
  const char *name;
  futc_entry_fn fn;
  int64_t num_inputs;
  const struct futc_value_spec *inputs;
  int64_t num_outputs;
  const struct futc_value_spec *outputs;
  int64_t num_attributes;
  const char *const *attributes; /* as text, `prop(size(5))` */
  const struct futc_type *result; /* the outputs as one value: the only one, or a tuple of them */
};

/* A tunable parameter (`--print-params`, `--param`). */
struct futc_param {
  const char *name;
  const char *klass;
  int64_t default_value;
  int64_t *value;
};

enum futc_target { FUTC_SEQ, FUTC_MULTICORE, FUTC_NVPTX, FUTC_GPU_EMU };

/* A kernel. On FUTC_NVPTX `emu` is NULL and the name is looked up in the PTX; on FUTC_GPU_EMU `emu`
 * runs one thread of the kernel, `args[i]` pointing to the i-th argument. */
struct futc_kernel {
  const char *name;
  void (*emu)(void **args);
  int64_t num_args; /* without the failure record */
  int64_t has_barrier;
};

struct futc_program {
  int64_t abi_version; /* FUTC_ABI_VERSION */
  const char *compiler;
  const char *source;
  int64_t target; /* enum futc_target */
  int64_t num_entries;
  const struct futc_entry *entries;
  int64_t num_params;
  const struct futc_param *params;
  int64_t num_kernels;
  const struct futc_kernel *kernels;
  const char *ptx; /* NUL-terminated, or NULL */
  int64_t globals_bytes;
  /* Evaluates top-level constants into the context's globals, all bytes zero before; releases
   * them again. */
  void (*init)(struct futc_context *ctx, void *globals);
  void (*fini)(struct futc_context *ctx, void *globals);
  /* All that entry points mention, and what these consist of; each name once. */
  int64_t num_types;
  const struct futc_type *const *types;
};

#define FUTC_ABI_VERSION 5

extern const struct futc_program futc_program;

/* ---- What compiled code calls. ---- */

/* A block of at least `bytes` bytes (0 is fine) aligned to 64, with one reference. `space` is 0 for
 * host, 1 for device. Fails with an error, never returns NULL. A negative or huge size fails. */
void *futc_alloc(struct futc_context *ctx, int64_t bytes, int32_t space);
/* One reference more or less. NULL is ignored. */
void futc_retain(struct futc_context *ctx, void *block);
void futc_release(struct futc_context *ctx, void *block);
/* The context's globals (see init). */
void *futc_globals(struct futc_context *ctx);
/* A word of which nobody asks what was written there, the context's thread's own. */
void *futc_dummy_slot(struct futc_context *ctx);

/* Ends the entry call with an error. `format` is text in which `%b` (bool), `%d` (signed, i64),
 * `%u` (unsigned, u64), `%f` (double) stand for `args`, each in a slot, and `%%` for a percent
 * sign; `loc` is the position, or NULL. The message becomes
 * "Error: FORMAT\n\nBacktrace:\n-> #0  LOC\n". Returns control to whoever called the entry point.
 */
_Noreturn void futc_fail(struct futc_context *ctx, const char *format, const char *loc,
                         const union futc_slot *args);
/* `trace`: prints the value to standard error. */
void futc_trace(struct futc_context *ctx, int32_t prim, uint64_t bits);

/* ---- Parallel loops (FUTC_MULTICORE; elsewhere they run on the calling thread). ----
 *
 * A loop over [0, n) is run by calling its body for chunks of the range, each iteration in exactly
 * one of them, on the calling thread and on threads of a pool that come to help. The call returns
 * when all chunks are done, and what they wrote is then seen by the caller. Bodies may call
 * anything that compiled code calls, and run loops themselves.
 *
 * - `ctx` of a body is the context of the thread that runs it, not always the caller's: it is what
 *   the body must hand on to everything it calls, and must not be kept behind the chunk's end.
 * - `env` belongs to the caller. Chunks run at the same time: they write to different places.
 * - Blocks: a body may allocate, retain and release, own blocks and those of its environment;
 *   counts are right whoever changes them. Blocks made in a chunk may be left in memory for the
 *   caller, who sees them when the loop is over; a chunk never sees those of another chunk of the
 *   loop. Not touching the counts of the environment's blocks is cheapest: they are the only ones
 *   whose counts are changed by atomic instructions.
 * - Failures: a chunk that fails ends there. Chunks of higher indices may then not be run, those of
 *   lower indices are. When no chunk is running any more, the call fails with the error of the
 *   lowest one that failed: if bodies go through their range in order, it is the sequential run's.
 *   (A chunk of higher indices that never ends keeps the call from failing.)
 * - `worker` is below futc_num_workers and no two chunks of the same loop that run at one time
 *   have the same: it can be used to choose one of several private copies. Within a chunk it does
 *   not change, and while the chunk waits for a loop inside of it, no other chunk of this loop (nor
 *   of a loop around it) runs with this number.
 * - Results that must not depend on the number of threads (sums of floats) need boundaries that do
 *   not: choose blocks by the size of the array alone, make the block the iteration, let each write
 *   its part of the result to a place of its own, and combine these in order.
 */
typedef void (*futc_body_fn)(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                             int64_t worker);

enum futc_schedule {
  /* Iterations take about the same time: a contiguous piece for each thread, the same one in every
   * loop of the same n, so that pages and caches stay with a thread. What a thread that is late has
   * not begun is taken over by others. */
  FUTC_STATIC,
  /* Iterations may take very different times: chunks in order, to whoever comes. */
  FUTC_SELF_SCHEDULED
};

/* A loop in the program: a variable that the compiler writes, aligned to 64 bytes, and never looks
 * at. Shared by all contexts. */
struct futc_site {
  const char *loc;  /* for profiles, or NULL */
  int32_t schedule; /* enum futc_schedule */
  int32_t unit;     /* chunks begin at multiples of this; below 1 means 1 */
  float scale;      /* 0; belongs to the runtime */
  uint32_t held;    /* this and what follows: 0; belongs to the runtime */
  float alone;
  float forked;
};

/* `cost`: the picoseconds that one iteration is estimated to take, below 1 if nothing is known; it
 * may depend on sizes known at this call only, and is corrected by what the site has shown so
 * far. If there is little work, body(ctx, env, 0, n, worker) is called and nothing else happens.
 * Nothing happens if n is below 1. */
void futc_parallel_for(struct futc_context *ctx, struct futc_site *site, futc_body_fn body,
                       void *env, int64_t n, int64_t cost);

/* More than any `worker`; the same as long as the context lives. */
int64_t futc_num_workers(struct futc_context *ctx);

/* A loop whose iterations each ask once, by futc_chain_start, for what all iterations before have come
 * to: a scan over iterations, of which each says what it comes to itself (its aggregate) as it asks. What
 * an iteration does before and after asking runs at the same time as others; one that asks waits for those
 * before it to have asked, so iterations are begun in order. Values are flat, of at most FUTC_CHAIN_BYTES
 * bytes, aligned to 8. What an iteration is given is combined from left to right, from `neutral` on: the same
 * bits for all timings and numbers of threads. Choose iterations whose data fit the nearest cache: what an
 * iteration has written it finds there after it has asked. */
enum { FUTC_CHAIN_BYTES = 256 };

/* Belongs to the runtime; the program has room for it. */
struct futc_chain {
  uint64_t words[6];
};

/* `result` is a place of its own. */
typedef void (*futc_combine_fn)(struct futc_context *ctx, void *env, const void *left,
                                const void *right, void *result);

/* What holds for futc_parallel_for holds here; the schedule of the site plays no part. `env` is for `body` and
 * `combine`, and `bytes` the size of a value. */
void futc_parallel_chain(struct futc_context *ctx, struct futc_site *site, futc_body_fn body,
                         void *env, int64_t n, int64_t cost, struct futc_chain *chain,
                         futc_combine_fn combine, const void *neutral, int64_t bytes);

/* Inside of the body, for iteration i. */
void futc_chain_start(struct futc_context *ctx, struct futc_chain *chain, int64_t i,
                      const void *aggregate, void *start);

/* Kernels (FUTC_NVPTX and FUTC_GPU_EMU). `args[i]` points to the i-th argument. A kernel's last
 * argument is always a device pointer to the failure record below, supplied by the runtime and not
 * counted in `args`. Synchronous at this stage: on return the kernel is done and its failure, if
 * any, has been raised. */
void futc_launch(struct futc_context *ctx, int64_t kernel, int64_t grid_x, int64_t grid_y,
                 int64_t grid_z, int64_t block_x, int64_t block_y, int64_t block_z,
                 int64_t shared_bytes, void **args);

/* Written by threads that fail, and then end; of several, it is the lowest one's in the end. */
struct futc_failure {
  int32_t code;    /* the index of the failure in the table; -1 before any */
  int32_t lock;    /* 1 while a thread writes */
  uint64_t thread; /* which one has failed; UINT64_MAX before any */
  uint64_t args[14];
};

/* What each code means; written by the compiler. */
struct futc_failure_point {
  const char *format;
  const char *loc;
};
/* Programs without kernels need not define the table. */
extern const struct futc_failure_point futc_failure_points[];
extern const int64_t futc_num_failure_points;

/* Inside emulated kernels (FUTC_GPU_EMU): `dim` is 0, 1 or 2. */
int64_t futc_emu_thread_id(int32_t dim);
int64_t futc_emu_block_id(int32_t dim);
int64_t futc_emu_block_dim(int32_t dim);
int64_t futc_emu_grid_dim(int32_t dim);
void futc_emu_barrier(void);
void *futc_emu_shared(int64_t offset);
/* Ends the calling thread of the kernel with a failure, which is recorded if no thread before it has failed. `args` has room for those
 * of a record. */
_Noreturn void futc_emu_fail(struct futc_failure *record, int32_t code, const uint64_t *args);

/* Scalar functions that LLVM and the C library lack (or, for lgamma, have with a global, and, for fmod, take for
 * one without NaN where they see through the arguments). */
float futc_fmodf(float x, float y);
double futc_fmod(double x, double y);
float futc_f32_gamma(float x);
double futc_f64_gamma(double x);
float futc_f32_lgamma(float x);
double futc_f64_lgamma(double x);

#ifdef __cplusplus
}
#endif

#endif
