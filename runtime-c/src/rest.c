/* Sleeping for want of loops, and waking.
 *
 * A sleeper says that it sleeps before it looks at the board for the last time, and who publishes a
 * loop looks for sleepers afterwards: one of them sees the other.
 */
#include "rest.h"

#include "futex.h"
#include "spread.h"

static _Alignas(64) _Atomic int32_t sleeping;

int32_t futc_pool_sleeping(void) {
  return atomic_load_explicit(&sleeping, memory_order_seq_cst);
}

static bool any_open(int32_t number) {
  int32_t hosts = futc_board_hosts();
  int32_t workers = futc_pool_size();
  for (int32_t i = 0; i < hosts + workers; i++) {
    struct futc_thread *t = i < hosts ? &futc_board[i] : futc_board_worker(i - hosts);
    for (int32_t depth = 0; depth < FUTC_MAX_NEST; depth++) {
      if (futc_board_is_open(t, depth, number)) {
        return true;
      }
    }
  }
  return false;
}

bool futc_rest_end(struct futc_thread *t) {
  uint32_t rest = FUTC_IDLE;
  if (atomic_load_explicit(&t->rest, memory_order_seq_cst) != FUTC_IDLE ||
      !atomic_compare_exchange_strong_explicit(&t->rest, &rest, FUTC_AWAKE, memory_order_seq_cst,
                                               memory_order_relaxed)) {
    return false;
  }
  (void)atomic_fetch_sub_explicit(&sleeping, 1, memory_order_relaxed);
  return true;
}

void futc_rest(struct futc_thread *self, int32_t number, const _Atomic bool *stopping) {
  (void)atomic_fetch_add_explicit(&sleeping, 1, memory_order_seq_cst);
  atomic_store_explicit(&self->rest, FUTC_IDLE, memory_order_seq_cst);
  if (atomic_load_explicit(stopping, memory_order_seq_cst) || any_open(number)) {
    (void)futc_rest_end(self);
    return;
  }
  futc_spread_before_sleep(self, futc_pool_size());
  while (atomic_load_explicit(&self->rest, memory_order_relaxed) == FUTC_IDLE) {
    futc_futex_wait(&self->rest, FUTC_IDLE);
  }
  futc_spread_after_sleep();
}

int32_t futc_pool_wake(int32_t count, int32_t threads) {
  int32_t woken = 0;
  int32_t workers = futc_pool_size();
  int32_t here = futc_spread_here();
  for (int32_t i = 0; i < workers && i + 1 < threads && woken < count; i++) {
    if (futc_pool_sleeping() <= 0) {
      break;
    }
    struct futc_thread *t = futc_board_worker(i);
    if (futc_rest_end(t)) {
      atomic_store_explicit(&t->waker, here, memory_order_relaxed);
      futc_futex_wake(&t->rest);
      woken++;
    }
  }
  return woken;
}

void futc_rest_clear(void) {
  atomic_store(&sleeping, 0);
}
