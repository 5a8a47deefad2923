/* Parallel loops by work assisting.
 *
 * The descriptor lies on the caller's stack and is published on the board. The caller and whoever
 * comes to assist claim chunks by adding to its counters. When nothing is left, the caller takes
 * the loop off the board and waits for those who still run chunks. Meanwhile it assists, but only
 * loops inside of its own: so its stack is no deeper than the program's loops are, it does not come
 * back late, and no two chunks of a loop run on one thread at one time. The caller raises the
 * lowest failure when the loop is over.
 */
#include "loop.h"

#include "chunks.h"
#include "clock.h"
#include "error.h"
#include "futex.h"
#include "loop_profile.h"
#include "overflow.h"
#include "pool.h"
#include "spread.h"
#include "threads.h"

/* Of the stack, that the runtime needs between two bodies. */
#define ROOM 16384

/* ---- Assisting. ---- */

static void help_waking(struct futc_loop *loop) {
  if (atomic_load_explicit(&loop->wakes, memory_order_relaxed) <= 0) {
    return;
  }
  int32_t wakes =
      atomic_fetch_sub_explicit(&loop->wakes, FUTC_WAKES_AT_ONCE, memory_order_relaxed);
  if (wakes > 0) {
    (void)futc_pool_wake(wakes < FUTC_WAKES_AT_ONCE ? wakes : FUTC_WAKES_AT_ONCE, loop->admitted);
  }
}

/* If the owner sleeps until its loop is done, or until there is something inside of it. */
static void rouse_owner(struct futc_thread *owner) {
  uint32_t rest = FUTC_WAITING;
  if (atomic_load_explicit(&owner->rest, memory_order_seq_cst) == FUTC_WAITING &&
      atomic_compare_exchange_strong_explicit(&owner->rest, &rest, FUTC_AWAKE,
                                              memory_order_seq_cst, memory_order_relaxed)) {
    futc_futex_wake(&owner->rest);
  }
}

/* Once `pending` has been lowered, the loop may be gone, but not its owner's record. */
static void leave(struct futc_loop *loop) {
  struct futc_thread *owner = loop->owner;
  if (atomic_fetch_sub_explicit(&loop->pending, 1, memory_order_seq_cst) == 1) {
    rouse_owner(owner);
  }
}

/* Idle threads: the outermost loop of some thread. */
static bool assist_record(struct futc_thread *t, int32_t number) {
  for (int32_t depth = 0; depth < FUTC_MAX_NEST; depth++) {
    bool admitted = false;
    struct futc_loop *loop = futc_board_pin(t, depth, number, &admitted);
    if (loop == NULL) {
      continue;
    }
    struct futc_context *ctx = admitted ? futc_worker_context(loop->root, number) : NULL;
    if (ctx != NULL) {
      futc_spread_note(futc_board_worker(number - 1));
      help_waking(loop);
      futc_watch_context(ctx);
      (void)futc_chunks_run(ctx, loop);
      futc_watch_context(NULL);
    }
    leave(loop);
    return ctx != NULL;
  }
  return false;
}

static bool assist_any(struct futc_thread *self, int32_t number) {
  int32_t hosts = futc_board_hosts();
  for (int32_t i = 0; i < hosts; i++) {
    if (assist_record(&futc_board[(number + i) % hosts], number)) {
      return true;
    }
  }
  int32_t workers = futc_pool_size();
  for (int32_t i = 0; i < workers; i++) {
    struct futc_thread *t = futc_board_worker((number + i) % workers);
    if (t != self && assist_record(t, number)) {
      return true;
    }
  }
  return false;
}

/* ---- Waiting. ---- */

static uint64_t bit_of(const struct futc_loop *loop) {
  return UINT64_C(1) << ((uintptr_t)loop / 64 * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

static bool is_inside(const struct futc_loop *loop, const struct futc_loop *outer) {
  while (loop != NULL && loop != outer) {
    loop = loop->parent;
  }
  return loop != NULL;
}

/* A loop inside of `outer`, pinned; or NULL. */
static struct futc_loop *find_inside(struct futc_context *ctx, const struct futc_loop *outer) {
  int32_t number = ctx->worker.number;
  int32_t hosts = futc_board_hosts();
  int32_t count = hosts + futc_pool_size();
  for (int32_t i = 0; i < count; i++) {
    struct futc_thread *t = i < hosts ? &futc_board[i] : futc_board_worker(i - hosts);
    for (int32_t depth = 0; depth < FUTC_MAX_NEST && t != ctx->worker.thread; depth++) {
      if (!futc_board_is_open(t, depth, number) ||
          (atomic_load_explicit(&t->around[depth], memory_order_relaxed) & bit_of(outer)) == 0) {
        continue;
      }
      bool admitted = false;
      struct futc_loop *loop = futc_board_pin(t, depth, number, &admitted);
      if (loop != NULL && admitted && is_inside(loop, outer)) {
        return loop;
      }
      if (loop != NULL) {
        leave(loop);
      }
    }
  }
  return NULL;
}

static void wait_for(struct futc_context *ctx, struct futc_loop *loop, int32_t pins) {
  struct futc_thread *self = ctx->worker.thread;
  struct futc_spin spin = {0};
  (void)atomic_fetch_add_explicit(&loop->pending, pins, memory_order_relaxed);
  while (atomic_load_explicit(&loop->pending, memory_order_acquire) != 0) {
    bool rest = !futc_spin(&spin);
    if (rest) {
      atomic_store_explicit(&self->rest, FUTC_WAITING, memory_order_seq_cst);
    }
    struct futc_loop *inside = find_inside(ctx, loop);
    if (inside != NULL) {
      atomic_store_explicit(&self->rest, FUTC_AWAKE, memory_order_relaxed);
      (void)futc_chunks_run(ctx, inside);
      leave(inside);
      spin = (struct futc_spin){0};
    } else if (rest && atomic_load_explicit(&loop->pending, memory_order_seq_cst) != 0) {
      futc_spread_before_sleep(self, futc_pool_size());
      futc_futex_wait(&self->rest, FUTC_WAITING);
      futc_spread_after_sleep();
    }
  }
  atomic_store_explicit(&self->rest, FUTC_AWAKE, memory_order_relaxed);
}

/* ---- Forking. ---- */

static bool prepare(struct futc_context *ctx) {
  struct futc_worker *w = &ctx->worker;
  if (w->depth == FUTC_MAX_NEST || !futc_worker_prepare(w->root)) {
    return false;
  }
  if (futc_pool_size() < w->threads - 1) {
    futc_pool_start(w->threads, assist_any);
  }
  if (w->thread == NULL) {
    w->thread = futc_board_take_host();
  }
  return w->thread != NULL;
}

static void init(struct futc_loop *loop, struct futc_context *ctx, const struct futc_plan *plan) {
  struct futc_worker *w = &ctx->worker;
  loop->root = w->root;
  loop->parent = w->loop;
  loop->owner = w->thread;
  loop->depth = w->depth;
  loop->cut = plan->cut;
  loop->profiled = futc_profile_active(&w->root->profile);
  loop->around = (w->loop == NULL ? 0 : w->loop->around) | bit_of(loop);
  loop->error = NULL;
  loop->out_of_memory = false;
  atomic_init(&loop->failed_from, FUTC_NOT_FAILED);
  atomic_init(&loop->failing, false);
  atomic_init(&loop->pending, 0);
  atomic_init(&loop->wakes, 0);
  for (int32_t i = 0; i < plan->cut.num_pieces; i++) {
    atomic_init(&loop->pieces[i].next, 0);
  }
}

/* How many of `others` can find a chunk. */
static int32_t wanted(const struct futc_loop *loop, int32_t others) {
  int64_t chunks = (loop->cut.piece - 1) / loop->cut.chunk + 1;
  if (chunks > others) {
    return others;
  }
  int64_t most = chunks * loop->cut.num_pieces - 1;
  return most < others ? (int32_t)most : others;
}

/* Of loops of one thread alone, none are admitted but those that can find a chunk, the same ones each time: more would
 * take the loop's lines from each other, and find nothing. Where there are several such threads, or loops inside of
 * others, which of the pool's threads are idle is not known. */
static int32_t admitted(const struct futc_loop *loop, int32_t threads, int32_t wanted) {
  return loop->parent == NULL && futc_board_hosts() == 1 ? wanted + 1 : threads;
}

/* Whether to wake others: for a loop that is long enough, or if short ones find nobody awake, or too few, as some
 * have gone to sleep between two loops, and would sleep as long as all loops are short. */
static bool wakes(struct futc_worker *w, double nanoseconds, int32_t wanted) {
  bool few = futc_pool_size() - futc_pool_sleeping() < wanted;
  return nanoseconds >= FUTC_WAKE_NS || w->impatient ||
         (few && futc_loop_is_impatient(w, nanoseconds));
}

static void wake(struct futc_loop *loop, int32_t wanted) {
  for (struct futc_loop *outer = loop->parent; outer != NULL; outer = outer->parent) {
    rouse_owner(outer->owner);
  }
  if (futc_pool_sleeping() > 0) {
    (void)futc_pool_wake(wanted < FUTC_WAKES_AT_ONCE ? wanted : FUTC_WAKES_AT_ONCE, loop->admitted);
  }
}

static void finish(struct futc_context *ctx, struct futc_loop *loop) {
  int64_t start = loop->profiled ? futc_clock_ns() : 0;
  int32_t pins = futc_board_withdraw(loop->owner, loop->depth);
  if (pins > 0) {
    ctx->worker.helped = true;
    wait_for(ctx, loop, pins);
    futc_threads_see_memory();
  }
  if (loop->profiled) {
    struct futc_loop_counts counts = {.waited_ns = futc_clock_ns() - start};
    futc_loop_profile_add(ctx, loop->site, &counts);
  }
}

/* Stack overflow here is still the compiled code's, which can be left by a jump. */
static __attribute__((noinline)) char touch_stack(void) {
  volatile char room[ROOM];
  room[0] = 0;
  return room[0];
}

bool futc_loop_fork(struct futc_context *ctx, struct futc_site *site, const struct futc_plan *plan,
                    futc_body_fn body, void *env, int64_t n, int64_t cost) {
  struct futc_worker *w = &ctx->worker;
  struct futc_loop loop;
  (void)touch_stack();
  futc_enter_runtime();
  if (!prepare(ctx)) {
    futc_leave_runtime();
    return false;
  }
  loop.body = body;
  loop.env = env;
  loop.site = site;
  loop.n = n;
  init(&loop, ctx, plan);
  int32_t others = wanted(&loop, w->threads - 1);
  loop.admitted = admitted(&loop, w->threads, others);
  if (wakes(w, plan->nanoseconds, others)) {
    w->impatient = false;
    w->passed_over_ns = 0;
    atomic_init(&loop.wakes, others - FUTC_WAKES_AT_ONCE);
  } else {
    others = 0;
  }
  w->depth++;
  futc_spread_note(w->thread);
  futc_board_publish(w->thread, loop.depth, &loop, loop.admitted,
                     loop.parent == NULL ? 0 : loop.parent->around);
  if (others > 0) {
    wake(&loop, others);
  }
  int64_t start = futc_clock_ns();
  struct futc_turn t = futc_chunks_run(ctx, &loop);
  int64_t own = futc_clock_ns() - start;
  finish(ctx, &loop);
  w->depth--;
  if (w->root == ctx && w->depth == 0) {
    futc_board_return_host(w->thread);
    w->thread = NULL;
  }
  int64_t took = futc_clock_ns() - start;
  /* Whom it has woken comes late. */
  if (t.iterations < n && others == 0 && plan->nanoseconds < FUTC_DOUBTFUL_NS) {
    futc_grain_judge(site, n * plan->weight, cost, took);
  }
  if (t.iterations > 0) {
    (void)futc_grain_learn(site, t.iterations * plan->weight, cost, own);
  }
  if (loop.profiled) {
    struct futc_loop_counts counts = {.forked = 1, .nanoseconds = took};
    futc_loop_profile_add(ctx, site, &counts);
  }
  if (atomic_load_explicit(&loop.failed_from, memory_order_relaxed) != FUTC_NOT_FAILED) {
    futc_clear_error(ctx);
    ctx->error = loop.error;
    ctx->out_of_memory = loop.out_of_memory;
    futc_raise(ctx);
  }
  futc_leave_runtime();
  return true;
}
