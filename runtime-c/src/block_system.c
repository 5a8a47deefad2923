/* Memory of blocks, from the system and back.
 *
 * Small blocks come from malloc, those of a megabyte and more from mmap, with huge pages where the
 * system has them. WebAssembly has malloc only.
 */
#include "block_system.h"

#include <stdlib.h>
#ifdef __wasm__
#define HAS_MMAP 0
#else
#define HAS_MMAP 1
#include <sys/mman.h>
#endif

enum futc_origin {
  FROM_MALLOC,
#if HAS_MMAP
  FROM_MMAP,
#endif
  FROM_DEVICE
};

#define PAGE INT64_C(4096)
#define MMAP_FROM (INT64_C(1) << 20)
#define HUGE_PAGES_FROM (INT64_C(4) << 20)
#define HEADER FUTC_BLOCK_HEADER
#define FENCE FUTC_FENCE
#define CACHING FUTC_CACHING

#if FUTC_ASAN
/* A program that asks for too much is told so, as without the sanitizer. */
const char *__asan_default_options(void) __attribute__((visibility("default")));
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}
#endif

#if HAS_MMAP
static int64_t pages(int64_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Elements begin with a page, as who walks several pages side by side takes them to. The header
 * ends the page before it. */
static struct futc_block *from_mmap(int64_t need) {
  int64_t total = PAGE + pages(need);
  char *base =
      mmap(NULL, (size_t)total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) {
    return NULL;
  }
#ifdef MADV_HUGEPAGE
  if (total >= HUGE_PAGES_FROM) {
    (void)madvise(base, (size_t)total, MADV_HUGEPAGE);
  }
#endif
  struct futc_block *b = (struct futc_block *)(base + PAGE - HEADER);
  b->capacity = total - PAGE;
  b->origin = FROM_MMAP;
  b->offset = PAGE - HEADER;
  return b;
}

#endif

/* malloc and aligning by hand is faster than the C library's aligned functions. */
static struct futc_block *from_malloc(int64_t need) {
  char *base = malloc((size_t)(need + HEADER + FUTC_BLOCK_ALIGNMENT));
  if (base == NULL) {
    return NULL;
  }
  uintptr_t offset = (0 - (uintptr_t)base) % FUTC_BLOCK_ALIGNMENT;
  struct futc_block *b = (struct futc_block *)(base + offset);
  /* What malloc gave for aligning and is left over belongs to the block, and its fence. */
  b->capacity = FENCE == 0 ? need : need + FUTC_BLOCK_ALIGNMENT - (int64_t)offset;
  b->origin = FROM_MALLOC;
  b->offset = (uint16_t)offset;
  return b;
}

static struct futc_block *from_device(struct futc_heap *heap, int64_t need) {
  if (heap->hooks.allocate == NULL) {
    return NULL;
  }
  struct futc_block *b = heap->hooks.allocate(heap->hooks.device, need + HEADER);
  if (b == NULL) {
    return NULL;
  }
  b->capacity = need;
  b->origin = FROM_DEVICE;
  b->offset = 0;
  return b;
}

struct futc_block *futc_block_from_system(struct futc_heap *heap, int64_t need, int32_t space) {
  struct futc_block *b = NULL;
  if (space == FUTC_SPACE_DEVICE && heap->hooks.allocate != NULL) {
    b = from_device(heap, need);
#if HAS_MMAP
  } else if (need >= MMAP_FROM && CACHING) {
    b = from_mmap(need);
#endif
  } else {
    b = from_malloc(need);
  }
  if (b != NULL) {
    b->space = (uint8_t)space;
  }
  return b;
}

void futc_block_to_system(struct futc_heap *heap, struct futc_block *b) {
  switch ((enum futc_origin)b->origin) {
  case FROM_MALLOC: free((char *)b - b->offset); break;
#if HAS_MMAP
  case FROM_MMAP: (void)munmap((char *)b - b->offset, (size_t)(b->capacity + PAGE)); break;
#endif
  case FROM_DEVICE: heap->hooks.release(heap->hooks.device, b, b->capacity + HEADER); break;
  }
}

struct futc_block *futc_block_enlarge(struct futc_block *b, int64_t bytes) {
#if HAS_MMAP && defined(MREMAP_MAYMOVE)
  if (b->origin == FROM_MMAP) {
    int64_t total = PAGE + pages(bytes);
    int64_t before = PAGE + b->capacity;
    char *base = mremap((char *)b - b->offset, (size_t)before, (size_t)total, MREMAP_MAYMOVE);
    if (base != MAP_FAILED) {
      struct futc_block *moved = (struct futc_block *)(base + PAGE - HEADER);
      moved->capacity = total - PAGE;
      return moved;
    }
  }
#else
  (void)b, (void)bytes;
#endif
  return NULL;
}

void futc_block_fence(const struct futc_block *b) {
  const char *data = (const char *)b + HEADER;
  FUTC_POISON(data - FENCE, FENCE);
  FUTC_POISON(data + b->size, (size_t)(b->capacity - b->size));
}
