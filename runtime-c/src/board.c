/* The board. */
#include "board.h"

#include <string.h>

/* Bits of a place's word: pins below, then whether it is open, whether a loop is there, and whom it admits. */
#define PINS UINT32_C(0xffff)
#define OPEN (UINT32_C(1) << 16)
#define THERE (UINT32_C(1) << 17)
#define THREADS_SHIFT 18

_Static_assert(FUTC_MAX_THREADS + 1 < 1 << (32 - THREADS_SHIFT), "numbers of threads fit");

struct futc_thread futc_board[FUTC_MAX_HOSTS + FUTC_MAX_THREADS];

static _Atomic int32_t hosts;

int32_t futc_board_hosts(void) {
  return atomic_load_explicit(&hosts, memory_order_acquire);
}

struct futc_thread *futc_board_take_host(void) {
  for (int32_t i = 0; i < FUTC_MAX_HOSTS; i++) {
    struct futc_thread *t = &futc_board[i];
    bool taken = atomic_load_explicit(&t->taken, memory_order_relaxed);
    if (!taken && atomic_compare_exchange_strong_explicit(&t->taken, &taken, true,
                                                          memory_order_acquire,
                                                          memory_order_relaxed)) {
      int32_t most = atomic_load_explicit(&hosts, memory_order_relaxed);
      while (most <= i && !atomic_compare_exchange_weak_explicit(
                              &hosts, &most, i + 1, memory_order_seq_cst, memory_order_relaxed)) {
      }
      return t;
    }
  }
  return NULL;
}

void futc_board_return_host(struct futc_thread *t) {
  atomic_store_explicit(&t->taken, false, memory_order_release);
}

/* Sequentially consistent: before it looks for sleeping threads, others see the loop. */
void futc_board_publish(struct futc_thread *t, int32_t depth, struct futc_loop *loop,
                        int32_t threads, uint64_t around) {
  t->loops[depth] = loop;
  atomic_store_explicit(&t->around[depth], around, memory_order_relaxed);
  atomic_store_explicit(&t->words[depth], OPEN | THERE | (uint32_t)threads << THREADS_SHIFT,
                        memory_order_seq_cst);
}

int32_t futc_board_withdraw(struct futc_thread *t, int32_t depth) {
  return (int32_t)(atomic_exchange_explicit(&t->words[depth], 0, memory_order_acq_rel) & PINS);
}

static bool admits(uint32_t word, int32_t number) {
  return (word & OPEN) != 0 && (uint32_t)number < word >> THREADS_SHIFT;
}

bool futc_board_is_open(struct futc_thread *t, int32_t depth, int32_t number) {
  return admits(atomic_load_explicit(&t->words[depth], memory_order_seq_cst), number);
}

/* By an addition, which does not have to be repeated when many threads come at one time. It may come too late: if
 * there is no loop, it is a pin on nothing, which goes when the next one is published; a loop that has closed
 * or admits fewer threads is pinned all the same. */
struct futc_loop *futc_board_pin(struct futc_thread *t, int32_t depth, int32_t number,
                                 bool *admitted) {
  if (!admits(atomic_load_explicit(&t->words[depth], memory_order_relaxed), number)) {
    return NULL;
  }
  uint32_t word = atomic_fetch_add_explicit(&t->words[depth], 1, memory_order_acquire);
  *admitted = admits(word, number);
  return (word & THERE) != 0 ? t->loops[depth] : NULL;
}

/* The first that finds nothing writes; to others, that would be a line taken from each other. */
void futc_board_close(struct futc_thread *t, int32_t depth) {
  if ((atomic_load_explicit(&t->words[depth], memory_order_relaxed) & OPEN) != 0) {
    (void)atomic_fetch_and_explicit(&t->words[depth], ~OPEN, memory_order_relaxed);
  }
}

void futc_board_clear(void) {
  memset(futc_board, 0, sizeof futc_board);
  atomic_store(&hosts, 0);
}
