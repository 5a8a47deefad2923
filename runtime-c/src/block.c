/* Reference-counted blocks: allocation, reuse, and undoing a failed entry call.
 *
 * Freed blocks wait in bins by size, since fresh large memory costs a page fault per page; but what
 * waits and what is live are together no more than what was live at once some time. Small
 * blocks come from malloc, those of a megabyte and more from mmap, with huge pages where the system
 * has them. Live blocks are listed newest first, so those of the current entry call are in front.
 */
#include "block.h"

#include "sanitize.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum futc_origin { FROM_MALLOC, FROM_MMAP, FROM_DEVICE };

#define PAGE INT64_C(4096)
#define MMAP_FROM (INT64_C(1) << 20)
#define HUGE_PAGES_FROM (INT64_C(4) << 20)
#define CACHE_AT_LEAST (INT64_C(1) << 20)
#define PROBES 8

/* Accesses outside of a block and of freed blocks must reach the sanitizer: blocks are not kept, all
 * come from malloc, and lie between bytes that nobody may touch. */
#if FUTC_ASAN
#define CACHING false
#define FENCE 512
/* The sanitizer's allocator complains where others fail in silence. */
#define LARGEST (INT64_C(1) << 36)

/* A program that asks for too much is told so, as without the sanitizer. */
const char *__asan_default_options(void) __attribute__((visibility("default")));
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}
#else
#define CACHING true
#define FENCE 0
/* Larger than any address space of today: refused without asking. */
#define LARGEST (INT64_C(1) << 47)
#endif

#define HEADER ((int64_t)sizeof(struct futc_block) + FENCE)

static struct futc_block *header_of(const void *block) {
  return (struct futc_block *)((const char *)block - HEADER);
}

static void *data_of(struct futc_block *b) {
  return (char *)b + HEADER;
}

static void lock(struct futc_heap *heap) {
  if (heap->concurrent) {
    (void)pthread_mutex_lock(&heap->lock);
  }
}

static void unlock(struct futc_heap *heap) {
  if (heap->concurrent) {
    (void)pthread_mutex_unlock(&heap->lock);
  }
}

bool futc_heap_open(struct futc_heap *heap, bool concurrent) {
  memset(heap, 0, sizeof *heap);
  heap->concurrent = concurrent;
  return pthread_mutex_init(&heap->lock, NULL) == 0;
}

/* Nobody may touch what lies between header and elements, and what is behind the elements. */
static void fence(const struct futc_block *b) {
  const char *data = (const char *)b + HEADER;
  FUTC_POISON(data - FENCE, FENCE);
  FUTC_POISON(data + b->size, (size_t)(b->capacity - b->size));
}

/* ---- Memory from the system. ---- */

static int64_t pages(int64_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Elements begin with a page, as who walks several pages side by side takes them to. The header ends
 * the page before it. */
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

static struct futc_block *from_system(struct futc_heap *heap, int64_t need, int32_t space) {
  struct futc_block *b = NULL;
  if (space == FUTC_SPACE_DEVICE && heap->hooks.allocate != NULL) {
    b = from_device(heap, need);
  } else if (need >= MMAP_FROM && CACHING) {
    b = from_mmap(need);
  } else {
    b = from_malloc(need);
  }
  if (b != NULL) {
    b->space = (uint8_t)space;
  }
  return b;
}

static void to_system(struct futc_heap *heap, struct futc_block *b) {
  switch ((enum futc_origin)b->origin) {
  case FROM_MALLOC: free((char *)b - b->offset); break;
  case FROM_MMAP: (void)munmap((char *)b - b->offset, (size_t)(b->capacity + PAGE)); break;
  case FROM_DEVICE: heap->hooks.release(heap->hooks.device, b); break;
  }
}

/* ---- Bins. ---- */

/* Sixteen bins of one size each, then four a power of two. */
static int32_t bin_of(int64_t capacity) {
  uint64_t lines = (uint64_t)capacity / FUTC_BLOCK_ALIGNMENT;
  if (lines <= 16) {
    return lines == 0 ? 0 : (int32_t)lines - 1;
  }
  int32_t log = 63 - __builtin_clzll(lines);
  return 16 + (log - 4) * 4 + (int32_t)((lines >> (log - 2)) & 3);
}

static struct futc_block *from_bins(struct futc_heap *heap, int64_t need, int32_t space) {
  int32_t first = bin_of(need);
  for (int32_t bin = first; bin <= first + 2 && bin < FUTC_NUM_BINS; bin++) {
    struct futc_block **link = &heap->bins[space][bin];
    for (int32_t i = 0; *link != NULL && i < PROBES; i++) {
      struct futc_block *b = *link;
      if (b->capacity >= need) {
        *link = b->next;
        heap->statistics[space].cached_bytes -= b->capacity;
        heap->statistics[space].reused++;
        return b;
      }
      link = &b->next;
    }
  }
  return NULL;
}

static void count_live(struct futc_heap *heap, struct futc_block *b) {
  struct futc_heap_statistics *s = &heap->statistics[b->space];
  s->live_bytes += b->size;
  s->live_room += b->capacity;
  if (s->live_bytes > s->peak_bytes) {
    s->peak_bytes = s->live_bytes;
  }
  if (s->live_room > s->peak_room) {
    s->peak_room = s->live_room;
  }
}

static void discount(struct futc_heap *heap, struct futc_block *b) {
  heap->statistics[b->space].live_bytes -= b->size;
  heap->statistics[b->space].live_room -= b->capacity;
}

static void retire(struct futc_heap *heap, struct futc_block *b) {
  struct futc_heap_statistics *s = &heap->statistics[b->space];
  if (b->previous != NULL) {
    b->previous->next = b->next;
  } else {
    heap->live = b->next;
  }
  if (b->next != NULL) {
    b->next->previous = b->previous;
  }
  heap->num_live--;
  discount(heap, b);
  int64_t limit = s->peak_room > CACHE_AT_LEAST ? s->peak_room : CACHE_AT_LEAST;
  if (!CACHING || s->cached_bytes + b->capacity > limit) {
    to_system(heap, b);
    return;
  }
  struct futc_block **bin = &heap->bins[b->space][bin_of(b->capacity)];
  b->next = *bin;
  *bin = b;
  s->cached_bytes += b->capacity;
}

/* Gives waiting blocks back, the largest first, until this many bytes or fewer wait. */
static void shrink(struct futc_heap *heap, int32_t space, int64_t limit) {
  struct futc_heap_statistics *s = &heap->statistics[space];
  for (int32_t bin = FUTC_NUM_BINS - 1; bin >= 0 && s->cached_bytes > limit; bin--) {
    struct futc_block **first = &heap->bins[space][bin];
    while (*first != NULL && s->cached_bytes > limit) {
      struct futc_block *b = *first;
      *first = b->next;
      s->cached_bytes -= b->capacity;
      to_system(heap, b);
    }
  }
}

/* Before the system is asked for more: blocks of other sizes make room, but for what a few small
 * arrays take. */
static void make_room(struct futc_heap *heap, int32_t space, int64_t need) {
  struct futc_heap_statistics *s = &heap->statistics[space];
  int64_t live = s->live_room + need;
  int64_t most = live > s->peak_room ? live : s->peak_room;
  shrink(heap, space, most - live > CACHE_AT_LEAST ? most - live : CACHE_AT_LEAST);
}

static void trim(struct futc_heap *heap) {
  for (int32_t space = 0; space < FUTC_NUM_SPACES; space++) {
    shrink(heap, space, 0);
  }
}

void futc_heap_trim(struct futc_heap *heap) {
  lock(heap);
  trim(heap);
  unlock(heap);
}

void futc_heap_close(struct futc_heap *heap) {
  while (heap->live != NULL) {
    retire(heap, heap->live);
  }
  trim(heap);
  (void)pthread_mutex_destroy(&heap->lock);
}

/* ---- Allocation and counting. ---- */

static bool check_size(int64_t bytes, int32_t space, const char **why) {
  if (bytes < 0) {
    *why = "a block of negative size";
    return false;
  }
  if (bytes > LARGEST) {
    *why = "out of memory";
    return false;
  }
  if (space != FUTC_SPACE_HOST && space != FUTC_SPACE_DEVICE) {
    *why = "unknown memory space (compiler bug)";
    return false;
  }
  return true;
}

static int64_t round_up(int64_t bytes) {
  int64_t lines = (bytes + FUTC_BLOCK_ALIGNMENT - 1) / FUTC_BLOCK_ALIGNMENT;
  return (lines == 0 ? 1 : lines) * FUTC_BLOCK_ALIGNMENT;
}

void *futc_heap_allocate(struct futc_heap *heap, int64_t bytes, int32_t space, const char **why) {
  if (!check_size(bytes, space, why)) {
    return NULL;
  }
  int64_t need = round_up(bytes);
  lock(heap);
  struct futc_block *b = from_bins(heap, need, space);
  if (b == NULL) {
    make_room(heap, space, need);
    b = from_system(heap, need, space);
  }
  if (b == NULL) {
    trim(heap);
    b = from_system(heap, need, space);
  }
  if (b == NULL) {
    unlock(heap);
    *why = "out of memory";
    return NULL;
  }
  b->size = bytes;
  fence(b);
  b->saved_references = 0;
  b->epoch = heap->epoch;
  atomic_init(&b->references, 1);
  b->previous = NULL;
  b->next = heap->live;
  if (heap->live != NULL) {
    heap->live->previous = b;
  }
  heap->live = b;
  heap->num_live++;
  heap->statistics[space].allocations++;
  count_live(heap, b);
  unlock(heap);
  return data_of(b);
}

void *futc_heap_resize(struct futc_heap *heap, void *block, int64_t bytes, const char **why) {
  struct futc_block *b = header_of(block);
  if (!check_size(bytes, b->space, why)) {
    return NULL;
  }
#ifdef MREMAP_MAYMOVE
  if (b->origin == FROM_MMAP && bytes > b->capacity) {
    int64_t total = PAGE + pages(bytes);
    int64_t before = PAGE + b->capacity;
    lock(heap);
    discount(heap, b);
    char *base = mremap((char *)b - b->offset, (size_t)before, (size_t)total, MREMAP_MAYMOVE);
    if (base == MAP_FAILED) {
      count_live(heap, b);
      unlock(heap);
      *why = "out of memory";
      return NULL;
    }
    struct futc_block *moved = (struct futc_block *)(base + PAGE - HEADER);
    moved->capacity = total - PAGE;
    if (moved->previous != NULL) {
      moved->previous->next = moved;
    } else {
      heap->live = moved;
    }
    if (moved->next != NULL) {
      moved->next->previous = moved;
    }
    moved->size = bytes;
    count_live(heap, moved);
    unlock(heap);
    return data_of(moved);
  }
#endif
  if (CACHING && bytes <= b->capacity && bytes >= b->capacity / 2) {
    lock(heap);
    discount(heap, b);
    b->size = bytes;
    count_live(heap, b);
    unlock(heap);
    return block;
  }
  void *other = futc_heap_allocate(heap, bytes, b->space, why);
  if (other == NULL) {
    return NULL;
  }
  memcpy(other, block, (size_t)(bytes < b->size ? bytes : b->size));
  futc_heap_release(heap, block);
  return other;
}

/* Without other threads a locked instruction would be wasted. */
static int64_t add_references(struct futc_heap *heap, struct futc_block *b, int64_t n) {
  if (heap->concurrent) {
    return atomic_fetch_add_explicit(&b->references, n, memory_order_acq_rel) + n;
  }
  int64_t now = atomic_load_explicit(&b->references, memory_order_relaxed) + n;
  atomic_store_explicit(&b->references, now, memory_order_relaxed);
  return now;
}

void futc_heap_retain(struct futc_heap *heap, void *block) {
  if (block != NULL) {
    (void)add_references(heap, header_of(block), 1);
  }
}

void futc_heap_release(struct futc_heap *heap, void *block) {
  if (block == NULL) {
    return;
  }
  struct futc_block *b = header_of(block);
  if (add_references(heap, b, -1) == 0) {
    lock(heap);
    retire(heap, b);
    unlock(heap);
  }
}

int64_t futc_heap_references(const void *block) {
  return atomic_load_explicit(&header_of(block)->references, memory_order_relaxed);
}

int64_t futc_heap_block_size(const void *block) {
  return header_of(block)->size;
}

/* ---- Entry calls. ---- */

void futc_heap_begin(struct futc_heap *heap) {
  lock(heap);
  heap->epoch++;
  for (struct futc_block *b = heap->live; b != NULL; b = b->next) {
    b->saved_references = atomic_load_explicit(&b->references, memory_order_relaxed);
  }
  unlock(heap);
}

void futc_heap_consume(struct futc_heap *heap, void *block) {
  if (block != NULL) {
    lock(heap);
    header_of(block)->saved_references--;
    unlock(heap);
  }
}

void futc_heap_abort(struct futc_heap *heap) {
  lock(heap);
  struct futc_block *b = heap->live;
  while (b != NULL) {
    struct futc_block *next = b->next;
    if (b->epoch == heap->epoch || b->saved_references == 0) {
      retire(heap, b);
    } else {
      atomic_store_explicit(&b->references, b->saved_references, memory_order_relaxed);
    }
    b = next;
  }
  /* Blocks allocated between entry calls must not look like the failed call's. */
  heap->epoch++;
  unlock(heap);
}
