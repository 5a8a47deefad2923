/* Each thread sees the memory as large as any other has seen it before.
 *
 * It should be so anyway: memory that one thread has grown is there for all. V8, however, keeps the size for each thread
 * and tells the others of a new one by an interrupt, which they take at the next function or round of a loop, or never
 * if they are just beginning. Until then, instructions that look at the size (memory.fill, memory.copy, atomic ones)
 * fail beyond the old one. To grow it, by nothing, makes a thread look at once.
 */
#include "memory.h"

#include "threads.h"

#include <stdatomic.h>
#include <stddef.h>

#define EXPORT(NAME) __attribute__((export_name(NAME)))

/* In pages. */
static _Atomic size_t known;

void futc_memory_grown(void) {
  size_t size = __builtin_wasm_memory_size(0);
  size_t before = atomic_load_explicit(&known, memory_order_relaxed);
  while (before < size &&
         !atomic_compare_exchange_weak_explicit(&known, &before, size, memory_order_release,
                                                memory_order_relaxed)) {
  }
}

EXPORT("futc_see_memory") void futc_threads_see_memory(void);
void futc_threads_see_memory(void) {
  while (__builtin_wasm_memory_size(0) < atomic_load_explicit(&known, memory_order_acquire)) {
    (void)__builtin_wasm_memory_grow(0, 0);
  }
}
