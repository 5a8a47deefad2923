/* Reference-counted blocks of memory. */
#ifndef FUTC_BLOCK_H
#define FUTC_BLOCK_H

#include "futc_program.h"

#include <pthread.h>
#include <stdatomic.h>

#define FUTC_BLOCK_ALIGNMENT 64
#define FUTC_NUM_SPACES 2
#define FUTC_NUM_BINS 192

enum futc_space { FUTC_SPACE_HOST, FUTC_SPACE_DEVICE };

/* Lies right before the first byte of a block. 64 bytes. */
struct futc_block {
  _Atomic int64_t references;
  int64_t size;                /* as asked for */
  int64_t capacity;            /* bytes usable behind the header */
  struct futc_block *previous; /* among the live blocks, newest first; */
  struct futc_block *next;     /* or the next of a bin */
  int64_t saved_references;    /* at the start of the current entry call */
  uint64_t epoch;              /* the entry call it was made in */
  uint8_t space;               /* enum futc_space */
  uint8_t origin;              /* enum futc_origin */
  uint16_t offset;             /* of the header in what the system gave */
  uint32_t padding;
};

_Static_assert(sizeof(struct futc_block) == FUTC_BLOCK_ALIGNMENT, "the header is one line");

/* How device memory is had; NULL members mean there is none. Allocate returns NULL on failure. */
struct futc_space_hooks {
  void *(*allocate)(void *device, int64_t bytes);
  void (*release)(void *device, void *memory);
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

struct futc_heap {
  pthread_mutex_t lock;
  bool concurrent; /* several threads of one entry call use it */
  struct futc_block *live;
  int64_t num_live;
  uint64_t epoch;
  struct futc_block *bins[FUTC_NUM_SPACES][FUTC_NUM_BINS];
  struct futc_heap_statistics statistics[FUTC_NUM_SPACES];
  struct futc_space_hooks hooks;
};

bool futc_heap_open(struct futc_heap *heap, bool concurrent);
/* Frees everything, live blocks too. */
void futc_heap_close(struct futc_heap *heap);

/* As futc_alloc, but NULL on failure, *why then saying why (static text). */
void *futc_heap_allocate(struct futc_heap *heap, int64_t bytes, int32_t space, const char **why);
/* Another size for a block with one reference, keeping its contents; large ones move by page
 * tables. NULL on failure, and the old block stays. */
void *futc_heap_resize(struct futc_heap *heap, void *block, int64_t bytes, const char **why);
void futc_heap_retain(struct futc_heap *heap, void *block);
void futc_heap_release(struct futc_heap *heap, void *block);
int64_t futc_heap_references(const void *block);
int64_t futc_heap_block_size(const void *block);

/* Brackets an entry call. After `begin`, `consume` notes that the call takes over a reference; a
 * call that fails is undone by `abort`: what it allocated is freed, other counts are as they were
 * at `begin`, less the references taken over. */
void futc_heap_begin(struct futc_heap *heap);
void futc_heap_consume(struct futc_heap *heap, void *block);
void futc_heap_abort(struct futc_heap *heap);

/* Gives cached memory back to the system. */
void futc_heap_trim(struct futc_heap *heap);

#endif
