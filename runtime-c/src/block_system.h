/* Memory of blocks, from the system and back. */
#ifndef FUTC_BLOCK_SYSTEM_H
#define FUTC_BLOCK_SYSTEM_H

#include "block.h"
#include "sanitize.h"

/* Accesses outside of a block and of freed blocks must reach the sanitizer: blocks are not kept,
 * all come from malloc, and lie between bytes that nobody may touch. */
#if FUTC_ASAN
#define FUTC_CACHING false
#define FUTC_FENCE 512
/* The sanitizer's allocator complains where others fail in silence. */
#define FUTC_LARGEST_BLOCK (INT64_C(1) << 36)
#else
#define FUTC_CACHING true
#define FUTC_FENCE 0
/* Larger than any address space of today: refused without asking. With pointers of 32 bits, what has more
 * than half of them is no object to C, nor to LLVM, and malloc is asked for the header too. */
#if UINTPTR_MAX > UINT32_MAX
#define FUTC_LARGEST_BLOCK (INT64_C(1) << 47)
#else
#define FUTC_LARGEST_BLOCK ((INT64_C(1) << 31) - (INT64_C(1) << 16))
#endif
#endif

#define FUTC_BLOCK_HEADER ((int64_t)sizeof(struct futc_block) + FUTC_FENCE)

static inline struct futc_block *futc_block_header(const void *block) {
  return (struct futc_block *)((const char *)block - FUTC_BLOCK_HEADER);
}

static inline void *futc_block_data(struct futc_block *b) {
  return (char *)b + FUTC_BLOCK_HEADER;
}

/* NULL if there is none. Only capacity, origin, offset and space are set. */
struct futc_block *futc_block_from_system(struct futc_heap *heap, int64_t need, int32_t space);
void futc_block_to_system(struct futc_heap *heap, struct futc_block *b);

/* A larger block with the same contents and header, by moving pages; NULL if that cannot be, and
 * the old one stays. */
struct futc_block *futc_block_enlarge(struct futc_block *b, int64_t bytes);

/* Nobody may touch what lies between header and elements, and what is behind the elements. */
void futc_block_fence(const struct futc_block *b);

#endif
