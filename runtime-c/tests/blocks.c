/* Blocks: alignment, counts, reuse, sizes out of bounds, and undoing failed calls. */
#include "harness.h"

#include "cli.h"
#include "sanitize.h"

static struct futc_program program;

static void counting(struct futc_context *ctx) {
  struct futc_heap_statistics *s = &ctx->heap.statistics[0];
  for (int64_t bytes = 0; bytes < 5000; bytes = bytes * 3 / 2 + 1) {
    char *b = futc_alloc(ctx, bytes, 0);
    CHECK((uintptr_t)b % 64 == 0);
    memset(b, 1, (size_t)bytes);
    CHECK(s->live_bytes == bytes && s->peak_bytes >= bytes);
    futc_retain(ctx, b);
    futc_release(ctx, b);
    CHECK(futc_heap_references(b) == 1);
    futc_release(ctx, b);
    CHECK(s->live_bytes == 0 && futc_heap_num_live(&ctx->heap) == 0);
  }
  futc_retain(ctx, NULL);
  futc_release(ctx, NULL);
  void *device = futc_alloc(ctx, 100, 1);
  CHECK(ctx->heap.statistics[1].live_bytes == 100);
  futc_release(ctx, device);
}

/* What lies around the bytes asked for, and what was freed, is forbidden to the byte. */
static void fences(struct futc_context *ctx) {
#if FUTC_ASAN
  for (int64_t bytes = 0; bytes < (4 << 20); bytes = bytes * 3 + 1) {
    char *b = futc_alloc(ctx, bytes, 0);
    CHECK(__asan_address_is_poisoned(b - 1) && __asan_address_is_poisoned(b + bytes));
    CHECK(__asan_address_is_poisoned(b - 64) && __asan_address_is_poisoned(b + bytes + 63));
    CHECK(__asan_region_is_poisoned(b, (size_t)bytes) == NULL);
    const char *why = NULL;
    char *moved = futc_heap_resize(&ctx->heap, b, bytes / 2 + 1, &why);
    CHECK(moved != NULL && __asan_address_is_poisoned(b));
    CHECK(__asan_address_is_poisoned(moved + bytes / 2 + 1));
    futc_release(ctx, moved);
    CHECK(__asan_address_is_poisoned(moved));
  }
#else
  (void)ctx;
#endif
}

static void large_blocks(struct futc_context *ctx) {
  const char *why = NULL;
  char *b = futc_heap_allocate(&ctx->heap, 3 << 20, 0, &why);
  void *other = futc_alloc(ctx, 10, 0);
  b[0] = 7;
  b[(3 << 20) - 1] = 9;
  b = futc_heap_resize(&ctx->heap, b, INT64_C(64) << 20, &why);
  CHECK(b != NULL && b[0] == 7 && b[(3 << 20) - 1] == 9 && (uintptr_t)b % 64 == 0);
  b[(64 << 20) - 1] = 5;
  CHECK(ctx->heap.statistics[0].live_bytes == (64 << 20) + 10);
  b = futc_heap_resize(&ctx->heap, b, 100, &why);
  CHECK(b != NULL && b[0] == 7 && futc_heap_block_size(b) == 100);
  b = futc_heap_resize(&ctx->heap, b, 4096, &why);
  CHECK(b != NULL && b[0] == 7);
  CHECK(futc_heap_resize(&ctx->heap, b, INT64_MAX, &why) == NULL && b[0] == 7);
  futc_release(ctx, other);
  futc_release(ctx, b);
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
}

/* The only block of a program waits for the next call, whatever its size is rounded up to. */
static void reuse(void) {
#if !defined(__SANITIZE_ADDRESS__)
  static const int64_t sizes[] = {2000000, 3 << 20, 8000000, 8000001, (16 << 20) + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    struct futc_heap heap;
    const char *why = NULL;
    futc_heap_open(&heap);
    void *first = futc_heap_allocate(&heap, sizes[i], 0, &why);
    futc_heap_release(&heap, first);
    void *second = futc_heap_allocate(&heap, sizes[i], 0, &why);
    CHECK(second == first && heap.statistics[0].reused == 1);
    futc_heap_release(&heap, second);
    CHECK(heap.statistics[0].live_bytes == 0 && heap.statistics[0].live_room == 0);
    futc_heap_close(&heap);
  }
#endif
}

/* A small block beside what fills the room that was live at once takes the place of no large one. */
static void rounds(void) {
#if !defined(__SANITIZE_ADDRESS__)
  static const int64_t mega = INT64_C(1) << 20;
  struct futc_heap heap;
  const char *why = NULL;
  int64_t fresh = 0;
  futc_heap_open(&heap);
  for (int i = 0; i < 6; i++) {
    void *flags = futc_heap_allocate(&heap, mega, 0, &why);
    void *all = futc_heap_allocate(&heap, 8 * mega, 0, &why);
    void *own = futc_heap_allocate(&heap, mega / 8, 0, &why);
    futc_heap_release(&heap, own);
    futc_heap_release(&heap, flags);
    void *lengths = futc_heap_allocate(&heap, 4 * mega, 0, &why);
    void *values = futc_heap_allocate(&heap, 2 * mega, 0, &why);
    futc_heap_release(&heap, all);
    futc_heap_release(&heap, lengths);
    futc_heap_release(&heap, values);
    int64_t made = heap.statistics[0].allocations - heap.statistics[0].reused;
    CHECK(i < 2 || made == fresh);
    fresh = made;
  }
  futc_heap_close(&heap);
#endif
}

/* A block that grows, in place or not, takes the room of blocks that wait. */
static void growth(void) {
#if !defined(__SANITIZE_ADDRESS__)
  static const int64_t mega = INT64_C(1) << 20;
  struct futc_heap heap;
  const char *why = NULL;
  futc_heap_open(&heap);
  void *waits = futc_heap_allocate(&heap, 8 * mega, 0, &why);
  void *grows = futc_heap_allocate(&heap, 2 * mega, 0, &why);
  futc_heap_release(&heap, waits);
  CHECK(heap.statistics[0].cached_bytes >= 8 * mega);
  grows = futc_heap_resize(&heap, grows, 12 * mega, &why);
  CHECK(grows != NULL && heap.statistics[0].cached_bytes < 4 * mega);
  futc_heap_release(&heap, grows);
  futc_heap_close(&heap);
#endif
}

/* Memory of others has no header: what lies before it is somebody's. */
static void lent_memory(struct futc_context *ctx) {
  int64_t words[24];
  memset(words, 0x55, sizeof words);
  void *inside = words + 12;
  const void *blocks[] = {inside};
  struct futc_lent lent = {1, blocks};
  futc_heap_lend(&ctx->heap, &lent);
  void *own = futc_alloc(ctx, 100, 0);
  for (int i = 0; i < 3; i++) {
    futc_retain(ctx, inside);
    futc_release(ctx, inside);
    futc_release(ctx, inside);
    futc_retain(ctx, own);
    CHECK(futc_heap_references(own) == 2 + i);
  }
  for (size_t i = 0; i < 24; i++) {
    CHECK(words[i] == INT64_C(0x5555555555555555));
  }
  futc_heap_lend(&ctx->heap, NULL);
  for (int i = 0; i < 4; i++) {
    futc_release(ctx, own);
  }
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
}

static void impossible_sizes(struct futc_context *ctx) {
  static const int64_t sizes[] = {-1, INT64_MIN, INT64_MAX, INT64_C(1) << 62, INT64_C(1) << 47};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const char *why = NULL;
    CHECK(futc_heap_allocate(&ctx->heap, sizes[i], 0, &why) == NULL && why != NULL);
  }
  const char *why = NULL;
  CHECK(futc_heap_allocate(&ctx->heap, 1, 7, &why) == NULL);
}

/* ---- Failing calls. ---- */

static void *kept;

static void entry(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  for (int i = 0; i < 100; i++) {
    (void)futc_alloc(ctx, i * 1000, 0);
  }
  futc_retain(ctx, in[0].block);
  futc_retain(ctx, in[0].block);
  futc_retain(ctx, kept);
  futc_release(ctx, in[2].block);
  void *b = futc_alloc(ctx, 10, 0);
  futc_release(ctx, b);
  union futc_slot args[2] = {{.i64 = -7}, {.bits = 0}};
  futc_fail(ctx, "no: %d, %b, %%", "f.fut:1:2-3\n-> #1  g.fut:4:5-6", args);
}

static void too_much(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)in;
  out[0].block = futc_alloc(ctx, 10, 0);
  (void)futc_alloc(ctx, INT64_C(1) << 60, 0);
}

static void fine(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)in;
  out[0].block = futc_alloc(ctx, 10, 0);
  out[1].i64 = 10;
}

static void failing_calls(struct futc_context *ctx) {
  static const struct futc_leaf leaf = {FUTC_I8, 1};
  static const struct futc_type type = {.name = "[]i8", .num_leaves = 1, .leaves = &leaf};
  const struct futc_value_spec in_specs[2] = {{"a", &type, 0}, {"b", &type, 1}};
  const struct futc_entry failing = {.name = "failing", .fn = entry, .num_inputs = 2, .inputs = in_specs};
  const struct futc_entry greedy = {
      .name = "greedy", .fn = too_much, .num_outputs = 1, .outputs = in_specs};
  const struct futc_entry good = {
      .name = "good", .fn = fine, .num_outputs = 1, .outputs = in_specs};
  kept = futc_alloc(ctx, 5, 0);
  union futc_slot in[4] = {
      {.block = futc_alloc(ctx, 8, 0)}, {.i64 = 8}, {.block = futc_alloc(ctx, 9, 0)}, {.i64 = 9}};
  union futc_slot out[2];
  for (int i = 0; i < 3; i++) {
    CHECK(futc_call(ctx, &failing, in, out) == 1);
    CHECK_TEXT(ctx->error, "Error: no: -7, false, %\n\nBacktrace:\n-> #0  f.fut:1:2-3\n"
                           "-> #1  g.fut:4:5-6\n");
    CHECK(futc_heap_num_live(&ctx->heap) == 2);
    CHECK(futc_heap_references(in[0].block) == 1 && futc_heap_references(kept) == 1);
    in[2].block = futc_alloc(ctx, 9, 0);
  }
  /* A consumed block that has another owner stays. */
  futc_retain(ctx, in[2].block);
  CHECK(futc_call(ctx, &failing, in, out) == 1);
  CHECK(futc_heap_references(in[2].block) == 1);
  CHECK(futc_call(ctx, &greedy, in, out) == 1);
  CHECK_TEXT(ctx->error, "Error: Cannot allocate 1152921504606846976 bytes: out of memory.\n");
  CHECK(futc_call(ctx, &good, in, out) == 0 && ctx->error == NULL);
  CHECK(futc_heap_references(out[0].block) == 1 && futc_heap_num_live(&ctx->heap) == 4);
  futc_release(ctx, out[0].block);
  futc_release(ctx, in[0].block);
  futc_release(ctx, in[2].block);
  futc_release(ctx, kept);
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
}

static void random_use(struct futc_context *ctx) {
  enum { N = 64 };
  unsigned char *blocks[N] = {0};
  int64_t sizes[N] = {0};
  uint64_t seed = 42;
  for (int i = 0; i < 100000; i++) {
    uint64_t k = next_random(&seed) % N;
    if (blocks[k] != NULL) {
      bool intact = sizes[k] == 0 || (blocks[k][0] == (unsigned char)k &&
                                      blocks[k][sizes[k] - 1] == (unsigned char)k);
      CHECK(intact);
      futc_release(ctx, blocks[k]);
      blocks[k] = NULL;
    } else {
      sizes[k] = (int64_t)(next_random(&seed) >> (44 + next_random(&seed) % 20));
      blocks[k] = futc_alloc(ctx, sizes[k], (int32_t)(k % 2));
      if (sizes[k] > 0) {
        blocks[k][0] = (unsigned char)k;
        blocks[k][sizes[k] - 1] = (unsigned char)k;
      }
    }
  }
  for (int k = 0; k < N; k++) {
    futc_release(ctx, blocks[k]);
  }
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
  CHECK(ctx->heap.statistics[0].live_bytes == 0 && ctx->heap.statistics[1].live_bytes == 0);
  futc_context_clear_caches(ctx);
  CHECK(ctx->heap.statistics[0].cached_bytes == 0);
}

int main(void) {
  struct futc_context *ctx = empty_context(&program);
  CHECK(ctx != NULL && ctx->error == NULL);
  counting(ctx);
  fences(ctx);
  large_blocks(ctx);
  reuse();
  rounds();
  growth();
  lent_memory(ctx);
  impossible_sizes(ctx);
  failing_calls(ctx);
  random_use(ctx);
  char *text = futc_context_report(ctx);
  CHECK(text != NULL && strncmp(text, "Memory in space host: peak ", 27) == 0);
  free(text);
  futc_context_close(ctx);

  struct futc_program wrong = {.abi_version = 99};
  ctx = futc_context_open(&wrong, &(struct futc_config){0});
  CHECK(ctx != NULL && ctx->error != NULL);
  futc_context_close(ctx);
  return report();
}
