/* The heaps of the threads that work for one context, taken together: entry calls and their
 * undoing, blocks released by other threads than those that made them, and what they sum up to.
 *
 * Outside of parallel loops the threads other than the context's own do not touch their heaps, and
 * what they did before is known: the loop they worked for has waited for them.
 */
#include "block_system.h"

static struct futc_heap *member(struct futc_heap *heap, uint32_t i) {
  return heap->family == NULL ? heap : heap->family->members[i];
}

static uint32_t size(const struct futc_heap *heap) {
  return heap->family == NULL ? 1 : heap->family->count;
}

void futc_heap_take_returned(struct futc_heap *heap) {
  if (atomic_load_explicit(&heap->returned, memory_order_relaxed) == NULL) {
    return;
  }
  struct futc_block *b = atomic_exchange_explicit(&heap->returned, NULL, memory_order_acquire);
  while (b != NULL) {
    struct futc_block *next = b->next_returned;
    futc_heap_retire(heap, b);
    b = next;
  }
}

/* ---- Entry calls. ---- */

static void begin(struct futc_heap *heap) {
  futc_heap_take_returned(heap);
  heap->call_start = ++heap->clock;
  heap->task_start = 0;
  for (struct futc_block *b = heap->live; b != NULL; b = b->next) {
    b->saved_references = atomic_load_explicit(&b->references, memory_order_relaxed);
  }
}

void futc_heap_begin(struct futc_heap *heap) {
  for (uint32_t i = 0; i < size(heap); i++) {
    if (member(heap, i) != NULL) {
      begin(member(heap, i));
    }
  }
}

void futc_heap_consume(struct futc_heap *heap, void *block) {
  (void)heap;
  if (block != NULL) {
    futc_block_header(block)->saved_references--;
  }
}

static void abort_call(struct futc_heap *heap) {
  futc_heap_take_returned(heap);
  heap->task_start = 0;
  struct futc_block *b = heap->live;
  while (b != NULL) {
    struct futc_block *next = b->next;
    if (b->epoch >= heap->call_start || b->saved_references == 0) {
      futc_heap_retire(heap, b);
    } else {
      atomic_store_explicit(&b->references, b->saved_references, memory_order_relaxed);
    }
    b = next;
  }
  /* Blocks allocated between entry calls must not look like the failed call's. */
  heap->call_start = ++heap->clock + 1;
}

void futc_heap_abort(struct futc_heap *heap) {
  for (uint32_t i = 0; i < size(heap); i++) {
    if (member(heap, i) != NULL) {
      abort_call(member(heap, i));
    }
  }
}

void futc_heap_lend(struct futc_heap *heap, const struct futc_lent *lent) {
  heap->lent = lent;
  if (heap->family != NULL) {
    heap->family->lent = lent;
  }
}

/* ---- Tasks. ---- */

uint64_t futc_heap_begin_task(struct futc_heap *heap) {
  uint64_t before = heap->task_start;
  heap->task_start = ++heap->clock;
  return before;
}

void futc_heap_end_task(struct futc_heap *heap, uint64_t before) {
  heap->task_start = before;
}

/* ---- All together. ---- */

void futc_heap_shrink_others(struct futc_heap *heap, int32_t space, int64_t limit) {
  if (heap->index != 0 || heap->task_start != 0) {
    return;
  }
  for (uint32_t i = 1; i < size(heap); i++) {
    if (member(heap, i) != NULL) {
      futc_heap_take_returned(member(heap, i));
      futc_heap_shrink(member(heap, i), space, limit);
    }
  }
}

void futc_heap_trim(struct futc_heap *heap) {
  for (int32_t space = 0; space < FUTC_NUM_SPACES; space++) {
    futc_heap_shrink(heap, space, 0);
    futc_heap_shrink_others(heap, space, 0);
  }
}

int64_t futc_heap_num_live(const struct futc_heap *heap) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < size(heap); i++) {
    const struct futc_heap *m = heap->family == NULL ? heap : heap->family->members[i];
    if (m != NULL) {
      sum += m->num_live;
    }
  }
  return sum;
}

struct futc_heap_statistics futc_heap_statistics(const struct futc_heap *heap, int32_t space) {
  struct futc_heap_statistics sum = {0};
  for (uint32_t i = 0; i < size(heap); i++) {
    const struct futc_heap *m = heap->family == NULL ? heap : heap->family->members[i];
    if (m == NULL) {
      continue;
    }
    const struct futc_heap_statistics *s = &m->statistics[space];
    sum.live_bytes += s->live_bytes;
    sum.peak_bytes += s->peak_bytes;
    sum.live_room += s->live_room;
    sum.peak_room += s->peak_room;
    sum.cached_bytes += s->cached_bytes;
    sum.allocations += s->allocations;
    sum.reused += s->reused;
  }
  return sum;
}
