/* Claiming and running the chunks of a loop.
 *
 * A thread first claims those of the piece that has its number, then those that other pieces have
 * left. A failing chunk ends what is guarded (guard.h), and the thread goes on with the next.
 */
#include "chunks.h"

#include "clock.h"
#include "error.h"
#include "guard.h"
#include "loop.h"
#include "loop_profile.h"
#include "overflow.h"
#include "pool.h"
#include "threads.h"

#include <sched.h>
#include <stdlib.h>

int64_t futc_loop_failed_from(const struct futc_context *ctx) {
  return atomic_load_explicit(&ctx->worker.loop->failed_from, memory_order_relaxed);
}

/* The next chunk of the piece, if one is left that is not behind a failure. */
static bool claim_in_piece(struct futc_turn *t) {
  struct futc_loop *loop = t->loop;
  _Atomic int64_t *next = &loop->pieces[t->piece].next;
  int64_t base = t->piece * loop->cut.piece;
  int64_t end = loop->n - base < loop->cut.piece ? loop->n : base + loop->cut.piece;
  int64_t chunks = (end - base - 1) / loop->cut.chunk + 1;
  if (atomic_load_explicit(next, memory_order_relaxed) >= chunks) {
    return false;
  }
  int64_t k = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
  if (k >= chunks) {
    return false;
  }
  t->lo = base + k * loop->cut.chunk;
  t->hi = end - t->lo < loop->cut.chunk ? end : t->lo + loop->cut.chunk;
  return t->lo <= atomic_load_explicit(&loop->failed_from, memory_order_relaxed);
}

static bool claim(struct futc_turn *t) {
  while (t->left > 0) {
    if (claim_in_piece(t)) {
      t->chunks++;
      t->iterations += t->hi - t->lo;
      return true;
    }
    t->left--;
    t->piece = t->piece + 1 == t->loop->cut.num_pieces ? 0 : t->piece + 1;
  }
  futc_board_close(t->loop->owner, t->loop->depth);
  return false;
}

/* Takes the error over from the context, if it is of lower index than what the loop has. */
static void note_failure(struct futc_turn *t) {
  struct futc_loop *loop = t->loop;
  struct futc_spin spin = {0};
  while (atomic_exchange_explicit(&loop->failing, true, memory_order_acquire)) {
    if (!futc_spin(&spin)) {
      (void)sched_yield();
    }
  }
  if (t->lo < atomic_load_explicit(&loop->failed_from, memory_order_relaxed)) {
    atomic_store_explicit(&loop->failed_from, t->lo, memory_order_relaxed);
    free(loop->error);
    loop->error = t->ctx->error;
    t->ctx->error = NULL;
    loop->out_of_memory = t->ctx->out_of_memory;
  }
  atomic_store_explicit(&loop->failing, false, memory_order_release);
}

/* Runs chunks until none is left, or one fails. */
static void run_claimed(struct futc_context *ctx, void *turn) {
  struct futc_turn *t = turn;
  ctx->worker.loop = t->loop;
  futc_in_runtime = 1;
  while (claim(t)) {
    futc_in_runtime = 0;
    t->loop->body(ctx, t->loop->env, t->lo, t->hi, ctx->worker.number);
    futc_in_runtime = 1;
  }
}

static __attribute__((noinline)) void run_chunks(struct futc_turn *t) {
  for (;;) {
    enum futc_ending ending = futc_guard(t->ctx, run_claimed, t);
    if (ending == FUTC_RETURNED) {
      return;
    }
    futc_in_runtime = 1;
    if (ending == FUTC_OVERFLOWED) {
      futc_set_overflow_error(t->ctx);
    }
    note_failure(t);
  }
}

struct futc_turn futc_chunks_run(struct futc_context *ctx, struct futc_loop *loop) {
  struct futc_turn t = {.ctx = ctx, .loop = loop, .left = loop->cut.num_pieces};
  t.piece = ctx->worker.number % loop->cut.num_pieces;
  struct futc_handler *handler = ctx->handler;
  struct futc_loop *outer = ctx->worker.loop;
  uint64_t task = futc_heap_begin_task(&ctx->heap);
  int64_t start = loop->profiled ? futc_clock_ns() : 0;
  futc_threads_see_memory();
  run_chunks(&t);
  futc_heap_end_task(&ctx->heap, task);
  ctx->worker.loop = outer;
  ctx->handler = handler;
  if (loop->profiled) {
    struct futc_loop_counts counts = {.busy_ns = futc_clock_ns() - start,
                                      .chunks = t.chunks,
                                      .assisted = ctx->worker.thread == loop->owner ? 0 : t.chunks};
    futc_loop_profile_add(ctx, loop->site, &counts);
  }
  return t;
}
