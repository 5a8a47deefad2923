/* Reference-counted blocks of memory. */
#ifndef FUTC_BLOCK_H
#define FUTC_BLOCK_H

#include "futc_program.h"

#include <stdatomic.h>

#define FUTC_BLOCK_ALIGNMENT 64
#define FUTC_NUM_SPACES 2
#define FUTC_NUM_BINS 192

enum futc_space { FUTC_SPACE_HOST, FUTC_SPACE_DEVICE };

/* Lies right before the first byte of a block. 64 bytes. */
struct futc_block {
  _Alignas(FUTC_BLOCK_ALIGNMENT) _Atomic int64_t references;
  int64_t size;                /* as asked for */
  int64_t capacity;            /* bytes usable behind the header */
  struct futc_block *previous; /* among the live blocks, newest first; */
  struct futc_block *next;     /* or the next of a bin */
  union {
    int64_t saved_references;         /* at the start of the current entry call */
    struct futc_block *next_returned; /* once another thread has released it */
  };
  uint64_t epoch; /* the clock of its heap when it was made */
  uint8_t space;               /* enum futc_space */
  uint8_t origin;              /* enum futc_origin */
  uint16_t offset;             /* of the header in what the system gave */
  uint32_t home; /* the heap it belongs to, by its number in the family */
};

_Static_assert(sizeof(struct futc_block) == FUTC_BLOCK_ALIGNMENT, "the header is one line");

/* How device memory is had; NULL members mean there is none. Allocate returns NULL on failure. Release is told the bytes that were
 * allocated. */
struct futc_space_hooks {
  void *(*allocate)(void *device, int64_t bytes);
  void (*release)(void *device, void *memory, int64_t bytes);
  void *device;
};

struct futc_heap_statistics {
  int64_t live_bytes;
  int64_t peak_bytes;
  int64_t live_room; /* the same in capacities, of which it is known what fits beside them */
  int64_t peak_room;
  int64_t cached_bytes;
  int64_t allocations; /* all, ever */
  int64_t reused;      /* of which from a bin */
};

/* Memory of others, lent to a context for the time of an entry call. Compiled code reads it as it reads blocks,
 * but it has no header: references to it are not counted. */
struct futc_lent {
  int64_t count;
  const void *const *blocks;
};

static inline bool futc_is_lent(const struct futc_lent *lent, const void *block) {
  for (int64_t i = 0; lent != NULL && i < lent->count; i++) {
    if (lent->blocks[i] == block) {
      return true;
    }
  }
  return false;
}

struct futc_heap;

/* The heaps of the threads that work for one context. */
struct futc_heap_family {
  uint32_t count;
  struct futc_heap **members; /* the first is the context's own; NULL for threads that never came */
  const struct futc_lent *lent; /* during an entry call, or NULL */
};

/* One thread at a time uses a heap. Where several work for one context each has its own, so that
 * allocation takes no lock. A block goes back to the heap it came from: `returned` is where others
 * leave those they have released, until the owner takes them in.
 *
 * Counts are changed without atomic instructions where no other thread can know the block: where it
 * came from this heap after the thread began what it is doing (futc_heap_begin_task). Blocks made
 * before are those of the loop's caller too, which may share them with all threads of the loop. */
struct futc_heap {
  struct futc_heap_family *family; /* NULL while there is one thread */
  const struct futc_lent *lent;    /* as in the family; of the context's own heap only */
  uint32_t index;                  /* in the family */
  struct futc_block *live;
  int64_t num_live;
  uint64_t clock;      /* moves on at the start of each entry call and task */
  uint64_t call_start; /* on this clock, of the current entry call, */
  uint64_t task_start; /* and of the current task; 0 outside of parallel loops */
  struct futc_block *bins[FUTC_NUM_SPACES][FUTC_NUM_BINS];
  struct futc_heap_statistics statistics[FUTC_NUM_SPACES];
  struct futc_space_hooks hooks;
  /* On a line of its own. */
  _Alignas(FUTC_BLOCK_ALIGNMENT) struct futc_block *_Atomic returned;
};

void futc_heap_open(struct futc_heap *heap);
/* Frees everything, live blocks too. */
void futc_heap_close(struct futc_heap *heap);

/* As futc_alloc, but NULL on failure, *why then saying why (static text). */
void *futc_heap_allocate(struct futc_heap *heap, int64_t bytes, int32_t space, const char **why);
/* Another size for a block with one reference, keeping its contents; large ones move by page
 * tables. NULL on failure, and the old block stays. Outside of parallel loops only. */
void *futc_heap_resize(struct futc_heap *heap, void *block, int64_t bytes, const char **why);
void futc_heap_retain(struct futc_heap *heap, void *block);
void futc_heap_release(struct futc_heap *heap, void *block);
int64_t futc_heap_references(const void *block);
int64_t futc_heap_block_size(const void *block);

/* Brackets an entry call, for all heaps of the family. After `begin`, `consume` notes that the call
 * takes over a reference; a call that fails is undone by `abort`: what it allocated is freed, other
 * counts are as they were at `begin`, less the references taken over. */
void futc_heap_begin(struct futc_heap *heap);
void futc_heap_consume(struct futc_heap *heap, void *block);
void futc_heap_abort(struct futc_heap *heap);

/* What the context is lent from now on; NULL for nothing. Outside of parallel loops, of the context's own heap. */
void futc_heap_lend(struct futc_heap *heap, const struct futc_lent *lent);

/* Brackets a thread's part of a parallel loop; the second is given what the first returned. */
uint64_t futc_heap_begin_task(struct futc_heap *heap);
void futc_heap_end_task(struct futc_heap *heap, uint64_t before);

/* The number of live blocks of the whole family, and its statistics. Peaks of different threads are
 * added as if they were at one time. Outside of parallel loops only, as all below. */
int64_t futc_heap_num_live(const struct futc_heap *heap);
struct futc_heap_statistics futc_heap_statistics(const struct futc_heap *heap, int32_t space);

/* Gives cached memory back to the system, of the whole family. */
void futc_heap_trim(struct futc_heap *heap);

/* ---- Between the files of the heap. ---- */

/* Takes a block without references off the list of its heap, into a bin or back to the system. */
void futc_heap_retire(struct futc_heap *heap, struct futc_block *b);
/* Takes in what other threads have released. */
void futc_heap_take_returned(struct futc_heap *heap);
/* Gives waiting blocks back, few of them, until this many bytes or fewer wait. */
void futc_heap_shrink(struct futc_heap *heap, int32_t space, int64_t limit);
/* The same for the heaps of the other threads, if none of them is at work. */
void futc_heap_shrink_others(struct futc_heap *heap, int32_t space, int64_t limit);

#endif
