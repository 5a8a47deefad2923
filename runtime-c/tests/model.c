/* All interleavings of two and three threads: publishing, claiming, sleeping and finishing loops,
 * and the states of chained scans. */
#define FUTC_MAX_NEST 2
#include "model.h"

/* Errors are constants here: memory from malloc is at another place in every run. */
static void keep(void *error) {
  (void)error;
}

#include "../src/board.c"
#include "error.h"
#define free keep
#define futc_clear_error(ctx) ((ctx)->error = NULL)
#include "../src/chunks.c"
#include "../src/loop.c"
#undef free
#include "../src/rest.c"
#undef OPEN
#include "../src/chain.c"
#include "parallel.h"

/* ---- In place of the pool and the clock. ---- */

static int workers;

int32_t futc_pool_size(void) {
  return workers;
}

int32_t futc_spread_here(void) {
  return 0;
}

void futc_spread_note(struct futc_thread *self) {
  (void)self;
}

void futc_spread_before_sleep(const struct futc_thread *self, int32_t workers) {
  (void)self;
  (void)workers;
}

void futc_spread_after_sleep(void) {
}

void futc_pool_enter(void) {
}

void futc_pool_leave(void) {
}

void futc_pool_start(int32_t threads, futc_assist_fn *assist) {
  (void)threads;
  (void)assist;
}

bool futc_spin(struct futc_spin *s) {
  (void)s;
  if (model.spins) {
    model_yield();
  }
  return model.spins;
}

void futc_futex_wait(uint32_t *word, uint32_t expected) {
  model_futex_wait(word, expected);
}

void futc_futex_wake(uint32_t *word) {
  model_futex_wake(word);
}

int64_t futc_clock_ns(void) {
  return 1;
}

/* Where nothing else can be done. */
int sched_yield(void) {
  model_yield();
  return 0;
}

/* ---- Scenarios. ---- */

static struct futc_context *ctx;
static void (*scenario)(void);
#define LONGEST 16
static _Alignas(8) char written[8][LONGEST]; /* by scans */
static int ran[8];
static int arrived; /* chunks that meet others */
static char message[64];
static uint64_t fails; /* a bit for each chunk */
static struct futc_handler failed;

static void begin(void) {
  futc_heap_abort(&ctx->heap);
  memset(&futc_board[0], 0, sizeof futc_board[0]);
  memset(futc_board_worker(0), 0, MODEL_THREADS * sizeof futc_board[0]);
  atomic_store(&hosts, 0);
  futc_rest_clear();
  for (int i = 0; i <= workers; i++) {
    struct futc_context *c = ctx->worker.contexts[i];
    if (c != NULL) {
      c->worker.depth = 0;
      c->worker.loop = NULL;
      c->handler = NULL;
      c->error = NULL;
    }
  }
  ctx->worker.thread = NULL;
  memset(ran, 0, sizeof ran);
  memset(message, 0, sizeof message);
  memset(written, 0, sizeof written);
  arrived = 0;
  message[0] = '\0';
}

static uint64_t rest_of_state(uint64_t h) {
  h = model_mix_bytes(h, ran, sizeof ran);
  h = model_mix_bytes(h, message, sizeof message);
  h = model_mix_bytes(h, written, sizeof written);
  h = model_mix_bytes(h, futc_board[0].loops, sizeof futc_board[0].loops);
  for (int i = 0; i <= workers; i++) {
    const struct futc_context *c = ctx->worker.contexts[i];
    h = model_mix(h, (uint64_t)c->worker.depth);
    h = model_mix(h, (uintptr_t)c->worker.loop);
    h = model_mix(h, (uintptr_t)c->handler);
    h = model_mix(h, (uintptr_t)c->error);
    h = model_mix_bytes(h, futc_board_worker(i)->loops, sizeof futc_board[0].loops);
  }
  return h;
}

static bool never;

static void thread(void *argument) {
  int number = (int)(intptr_t)argument;
  if (number == 0) {
    scenario();
    return;
  }
  for (struct futc_spin spin = {0};;) {
    if (!assist_any(futc_board_worker(number - 1), number) && !futc_spin(&spin)) {
      futc_rest(futc_board_worker(number - 1), number, &never);
    }
  }
}

/* What was the loop's stack is dead and full of rubbish. */
static __attribute__((noinline)) void bury(void) {
  char rubbish[12000];
  memset(rubbish, 0x55, sizeof rubbish);
  __asm__ volatile("" : : "r"(rubbish) : "memory");
  model.dead_from = rubbish;
  model.dead_to = rubbish + sizeof rubbish;
}

static _Noreturn void fail(struct futc_context *c, int64_t i) {
  static char texts[8][2] = {"0", "1", "2", "3", "4", "5", "6", "7"};
  c->error = texts[i];
  futc_raise(c);
}

static void run_one(struct futc_context *c, void *env, int64_t lo, int64_t hi, int64_t worker) {
  (void)env;
  (void)worker;
  for (int64_t i = lo; i < hi; i++) {
    ran[i]++;
    if ((fails >> i & 1) != 0) {
      fail(c, i);
    }
  }
}

static struct futc_site site;

static void fork_chunks(struct futc_context *c, futc_body_fn *body, int64_t n, int64_t chunk,
                        int32_t pieces) {
  struct futc_plan plan = {.weight = 1,
                           .nanoseconds = 1e9,
                           .cut = {.piece = n / pieces, .chunk = chunk, .num_pieces = pieces}};
  if (!futc_loop_fork(c, &site, &plan, *body, NULL, n, 1)) {
    model.wrong = "the loop was not forked";
  }
}

static __attribute__((noinline)) void attempt(void (*work)(void)) {
  struct futc_handler *before = ctx->handler;
  if (setjmp(failed.place) == 0) {
    ctx->handler = &failed;
    work();
  } else {
    (void)snprintf(message, sizeof message, "%s", ctx->error);
  }
  ctx->handler = before;
}

/* Ends only if another thread runs the other chunk: none may sleep through the loop. */
static void run_until_met(struct futc_context *c, void *env, int64_t lo, int64_t hi,
                          int64_t worker) {
  run_one(c, env, lo, hi, worker);
  (void)atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
  while (atomic_load_explicit(&arrived, memory_order_relaxed) % 2 != 0) {
    model_yield();
  }
}

static void meeting(void) {
  futc_body_fn body = run_until_met;
  fork_chunks(ctx, &body, 2, 1, 1);
  bury();
}

static void two_chunks(void) {
  futc_body_fn body = run_one;
  fork_chunks(ctx, &body, 2, 1, 1);
}

static void two_pieces(void) {
  futc_body_fn body = run_one;
  fork_chunks(ctx, &body, 4, 1, 2);
}

static void one_loop(void) {
  attempt(two_chunks);
  bury();
}

static void one_static_loop(void) {
  attempt(two_pieces);
  bury();
}

static void two_loops(void) {
  attempt(two_chunks);
  bury();
  model.dead_from = NULL;
  model.dead_to = NULL;
  attempt(two_chunks);
  bury();
}

static void run_inner(struct futc_context *c, void *env, int64_t lo, int64_t hi, int64_t worker) {
  (void)env;
  (void)worker;
  futc_body_fn body = run_one;
  for (int64_t i = lo; i < hi; i++) {
    fork_chunks(c, &body, 2, 1, 1);
  }
}

static void nest(void) {
  futc_body_fn body = run_inner;
  fork_chunks(ctx, &body, 2, 1, 1);
}

static void nested_loop(void) {
  attempt(nest);
  bury();
}

static int expected_runs;
static int64_t expected_n;

static const char *end(void) {
  if (fails != 0) {
    int lowest = __builtin_ctzll(fails);
    char want[32];
    (void)snprintf(want, sizeof want, "%d", lowest);
    for (int i = 0; i < lowest; i++) {
      if (ran[i] != expected_runs) {
        return "a chunk below the failure was not run";
      }
    }
    return strcmp(message, want) == 0 ? NULL : "another error than the lowest";
  }
  for (int64_t i = 0; i < expected_n; i++) {
    if (ran[i] != expected_runs) {
      return "a chunk was not run once";
    }
  }
  return message[0] == '\0' ? NULL : "an error from nowhere";
}

/* ---- Scans: strings of digits, appended. ---- */

static int64_t scan_blocks;

static void reduce_digits(struct futc_context *c, void *env, int64_t lo, int64_t hi, void *out) {
  (void)env;
  (void)hi;
  char digits[LONGEST] = {(char)('0' + lo)};
  memset(out, '?', 1);
  model_point(written[lo]);
  if ((fails >> lo & 1) != 0) {
    fail(c, lo);
  }
  memcpy(out, digits, LONGEST);
}

static void append(struct futc_context *c, void *env, const void *left, const void *right,
                   void *out) {
  (void)c;
  (void)env;
  char digits[LONGEST + LONGEST];
  (void)snprintf(digits, sizeof digits, "%s%s", (const char *)left, (const char *)right);
  memcpy(out, digits, LONGEST);
}

static struct futc_chain chain;

static void scan_digits(struct futc_context *c, void *env, int64_t lo, int64_t hi,
                        int64_t worker) {
  (void)worker;
  for (; lo < hi; lo++) {
    _Alignas(8) char digits[LONGEST];
    _Alignas(8) char start[LONGEST];
    reduce_digits(c, env, lo, hi, digits);
    futc_chain_start(c, &chain, lo, digits, start);
    append(c, env, start, digits, written[lo]);
    ran[lo]++;
  }
}

static void scan(void) {
  static const char empty[LONGEST];
  site.scale = 0;
  futc_parallel_chain(ctx, &site, scan_digits, NULL, scan_blocks, COSTLY, &chain, append, empty,
                      LONGEST);
}

static void one_scan(void) {
  attempt(scan);
}

static const char *end_of_scan(void) {
  for (int64_t i = 0; fails == 0 && i < scan_blocks; i++) {
    char want[LONGEST];
    (void)snprintf(want, sizeof want, "%.*s", (int)i + 1, "01234567");
    if (strcmp(written[i], want) != 0) {
      return "a prefix of a scan";
    }
  }
  expected_n = scan_blocks;
  return end();
}

static void explore(const char *name, int threads, bool spins, int preemptions,
                    void (*of_host)(void), const char *(*check)(void), int64_t n, int runs) {
  workers = threads - 1;
  ctx = open_parallel(threads);
  CHECK(futc_worker_prepare(ctx));
  for (int i = 1; i < threads; i++) {
    struct futc_context *c = futc_worker_context(ctx, i);
    CHECK(c != NULL);
    /* Records are shorter here than elsewhere. */
    c->worker.thread = futc_board_worker(i - 1);
  }
  expected_n = n;
  expected_runs = runs;
  scan_blocks = n;
  scenario = of_host;
  model.more = rest_of_state;
  const char *wrong = model_all(name, threads, spins, preemptions, begin, thread, check);
  if (wrong != NULL) {
    (void)fprintf(stderr, "%s: %s\n", name, wrong);
  }
  CHECK(wrong == NULL);
  ctx->worker.depth = 0;
  ctx->worker.loop = NULL;
  ctx->worker.thread = NULL;
  ctx->error = NULL;
  futc_heap_abort(&ctx->heap);
  for (int i = 1; i < threads; i++) {
    ctx->worker.contexts[i]->error = NULL;
  }
  futc_context_close(ctx);
}

/* Two threads in all ways but for nests, three with few preemptions (or as many as the first
 * argument says, for a longer look). */
int main(int argc, char **argv) {
  int few = argc > 1 ? atoi(argv[1]) : 2;
  for (int spins = 0; spins < 2; spins++) {
    for (int threads = 2; threads <= MODEL_THREADS; threads++) {
      bool s = spins != 0;
      int p = threads == 2 ? MODEL_ALL : few;
      fails = 0;
      explore("two chunks", threads, s, p, one_loop, end, 2, 1);
      explore("two pieces", threads, s, p, one_static_loop, end, 4, 1);
      explore("two chunks that meet", threads, s, p, meeting, end, 2, 1);
      explore("two loops", threads, s, p, two_loops, end, 2, 2);
      int fewer = threads == 2 ? few + 1 : few - 1;
      explore("loops in a loop", threads, s, fewer, nested_loop, end, 2, 2);
      explore("scan", threads, s, p, one_scan, end_of_scan, 3, 1);
      fails = 3;
      explore("two failures", threads, s, p, one_loop, end, 2, 1);
      fails = 2;
      explore("a failure of two pieces", threads, s, p, one_static_loop, end, 4, 1);
      explore("a failing scan", threads, s, p, one_scan, end_of_scan, 4, 1);
    }
  }
  return report();
}
