/* Reference-counted blocks: allocation, reuse and counting.
 *
 * Freed blocks wait in bins by size, since fresh large memory costs a page fault per page; but what
 * waits and what is live are together little more than what was live at once some time. Live blocks are
 * listed newest first, so those of the current entry call are in front.
 */
#include "block_system.h"

#include <string.h>

#define CACHE_AT_LEAST (INT64_C(1) << 20)
#define PROBES 8
/* So many parts of what was live at once may wait besides. */
#define SLACK 8

void futc_heap_open(struct futc_heap *heap) {
  memset(heap, 0, sizeof *heap);
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

/* What may be live and wait together, where so much was live at once. A bit more than that: small
 * blocks that come and go beside large ones would drive these out, call after call. */
static int64_t with_slack(int64_t room) {
  return room + room / SLACK + CACHE_AT_LEAST;
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

void futc_heap_retire(struct futc_heap *heap, struct futc_block *b) {
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
  if (!FUTC_CACHING || s->cached_bytes + b->capacity > with_slack(s->peak_room)) {
    futc_block_to_system(heap, b);
    return;
  }
  struct futc_block **bin = &heap->bins[b->space][bin_of(b->capacity)];
  b->next = *bin;
  *bin = b;
  s->cached_bytes += b->capacity;
}

/* Of the blocks that wait, the smallest that has so many bytes, or else about the largest; NULL if none waits. */
static struct futc_block **to_give_back(struct futc_heap *heap, int32_t space, int64_t bytes) {
  int32_t first = bin_of(bytes);
  first = first < FUTC_NUM_BINS ? first : FUTC_NUM_BINS - 1;
  struct futc_block **best = NULL;
  for (int32_t bin = first; bin < FUTC_NUM_BINS && best == NULL; bin++) {
    struct futc_block **link = &heap->bins[space][bin];
    for (int32_t i = 0; *link != NULL && i < PROBES; i++) {
      int64_t capacity = (*link)->capacity;
      if (capacity >= bytes && (best == NULL || capacity < (*best)->capacity)) {
        best = link;
      }
      link = &(*link)->next;
    }
  }
  for (int32_t bin = first; bin >= 0 && best == NULL; bin--) {
    struct futc_block **link = &heap->bins[space][bin];
    best = *link != NULL ? link : NULL;
  }
  return best;
}

void futc_heap_shrink(struct futc_heap *heap, int32_t space, int64_t limit) {
  struct futc_heap_statistics *s = &heap->statistics[space];
  while (s->cached_bytes > limit) {
    struct futc_block **link = to_give_back(heap, space, s->cached_bytes - limit);
    if (link == NULL) {
      return;
    }
    struct futc_block *b = *link;
    *link = b->next;
    s->cached_bytes -= b->capacity;
    futc_block_to_system(heap, b);
  }
}

/* Before the system is asked for more: blocks of other sizes make room, but for what a few small
 * arrays take. */
static void make_room(struct futc_heap *heap, int32_t space, int64_t need) {
  struct futc_heap_statistics *s = &heap->statistics[space];
  int64_t live = s->live_room + need;
  int64_t most = with_slack(live > s->peak_room ? live : s->peak_room);
  futc_heap_shrink(heap, space, most - live > CACHE_AT_LEAST ? most - live : CACHE_AT_LEAST);
  if (need >= CACHE_AT_LEAST) {
    futc_heap_shrink_others(heap, space, CACHE_AT_LEAST);
  }
}

void futc_heap_close(struct futc_heap *heap) {
  futc_heap_take_returned(heap);
  while (heap->live != NULL) {
    futc_heap_retire(heap, heap->live);
  }
  for (int32_t space = 0; space < FUTC_NUM_SPACES; space++) {
    futc_heap_shrink(heap, space, 0);
  }
}

/* ---- Allocation and counting. ---- */

static bool check_size(int64_t bytes, int32_t space, const char **why) {
  if (bytes < 0) {
    *why = "a block of negative size";
    return false;
  }
  if (bytes > FUTC_LARGEST_BLOCK) {
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
  if (heap->family != NULL) {
    futc_heap_take_returned(heap);
  }
  struct futc_block *b = from_bins(heap, need, space);
  if (b == NULL) {
    make_room(heap, space, need);
    b = futc_block_from_system(heap, need, space);
  }
  if (b == NULL) {
    futc_heap_shrink(heap, space, 0);
    b = futc_block_from_system(heap, need, space);
  }
  if (b == NULL) {
    *why = "out of memory";
    return NULL;
  }
  b->size = bytes;
  futc_block_fence(b);
  b->saved_references = 0;
  b->epoch = heap->clock;
  b->home = heap->index;
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
  return futc_block_data(b);
}

static struct futc_heap *home_of(struct futc_heap *heap, const struct futc_block *b) {
  return heap->family == NULL ? heap : heap->family->members[b->home];
}

static struct futc_block *enlarge(struct futc_heap *heap, struct futc_block *b, int64_t bytes) {
  make_room(heap, b->space, round_up(bytes) - b->capacity);
  discount(heap, b);
  struct futc_block *moved = futc_block_enlarge(b, bytes);
  if (moved == NULL) {
    count_live(heap, b);
    return NULL;
  }
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
  return moved;
}

void *futc_heap_resize(struct futc_heap *heap, void *block, int64_t bytes, const char **why) {
  struct futc_block *b = futc_block_header(block);
  if (!check_size(bytes, b->space, why)) {
    return NULL;
  }
  struct futc_heap *home = home_of(heap, b);
  if (bytes > b->capacity) {
    struct futc_block *moved = enlarge(home, b, bytes);
    if (moved != NULL) {
      return futc_block_data(moved);
    }
  }
  if (FUTC_CACHING && bytes <= b->capacity && bytes >= b->capacity / 2) {
    discount(home, b);
    b->size = bytes;
    count_live(home, b);
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

/* A locked instruction is wasted where no other thread can know the block. */
static __attribute__((noinline)) int64_t add_shared(struct futc_heap *heap, struct futc_block *b,
                                                    int64_t n) {
  if (b->home != heap->index || b->epoch < heap->task_start) {
    return atomic_fetch_add_explicit(&b->references, n, memory_order_acq_rel) + n;
  }
  int64_t now = atomic_load_explicit(&b->references, memory_order_relaxed) + n;
  atomic_store_explicit(&b->references, now, memory_order_relaxed);
  return now;
}

static inline int64_t add_references(struct futc_heap *heap, struct futc_block *b, int64_t n) {
  if (heap->family != NULL) {
    return add_shared(heap, b, n);
  }
  int64_t now = atomic_load_explicit(&b->references, memory_order_relaxed) + n;
  atomic_store_explicit(&b->references, now, memory_order_relaxed);
  return now;
}

static inline bool is_counted(const struct futc_heap *heap, const void *block) {
  const struct futc_lent *lent = heap->family == NULL ? heap->lent : heap->family->lent;
  return block != NULL && !futc_is_lent(lent, block);
}

void futc_heap_retain(struct futc_heap *heap, void *block) {
  if (is_counted(heap, block)) {
    (void)add_references(heap, futc_block_header(block), 1);
  }
}

static __attribute__((noinline)) void give_back(struct futc_heap *home, struct futc_block *b) {
  struct futc_block *first = atomic_load_explicit(&home->returned, memory_order_relaxed);
  do {
    b->next_returned = first;
  } while (!atomic_compare_exchange_weak_explicit(&home->returned, &first, b, memory_order_release,
                                                  memory_order_relaxed));
}

void futc_heap_release(struct futc_heap *heap, void *block) {
  if (!is_counted(heap, block)) {
    return;
  }
  struct futc_block *b = futc_block_header(block);
  if (add_references(heap, b, -1) != 0) {
    return;
  }
  if (b->home == heap->index) {
    futc_heap_retire(heap, b);
  } else {
    give_back(home_of(heap, b), b);
  }
}

int64_t futc_heap_references(const void *block) {
  return atomic_load_explicit(&futc_block_header(block)->references, memory_order_relaxed);
}

int64_t futc_heap_block_size(const void *block) {
  return futc_block_header(block)->size;
}
