/* Two seconds of malformed values, made from well-formed ones: nothing may crash or leak, and what
 * is read must be bounded by the input. */
#include "harness.h"

#include "clock.h"
#include "prim.h"
#include "values.h"

#include <unistd.h>

static const char *const seeds[] = {
    "[1,2,3] [[1,2],[3,4]]", "empty([0][2]i32)",         "f32.nan -f64.inf 1e-300",
    "\"abc\\x41\\n\"",       "0xffff 0b1010 1_000",      "-- comment\n[true, false]",
    "[[[1.5f32]]]",          "1.0000000000000000000001",
};

static size_t mutate(char *data, size_t len, size_t room, uint64_t *seed) {
  uint64_t edits = 1 + next_random(seed) % 6;
  for (uint64_t i = 0; i < edits && len > 0; i++) {
    size_t at = next_random(seed) % len;
    switch (next_random(seed) % 5) {
    case 0: data[at] = (char)next_random(seed); break;
    case 1: data[at] = "[],()\"\\-.ebx0_ \n"[next_random(seed) % 16]; break;
    case 2: len = at; break;
    case 3:
      if (len + 1 < room) {
        memmove(data + at + 1, data + at, len - at);
        len++;
      }
      break;
    default:
      memmove(data + at, data + at + 1, len - at - 1);
      len--;
      break;
    }
  }
  return len;
}

int main(void) {
  struct futc_program program;
  struct futc_context *ctx = empty_context(&program);
  uint64_t seed = 2463534242;
  int64_t end = futc_clock_ns() + 2000000000;
  int64_t runs = 0;
  int64_t accepted = 0;
  for (; runs % 64 != 0 || futc_clock_ns() < end; runs++) {
    char data[512];
    size_t len = 0;
    int32_t prim = (int32_t)(next_random(&seed) % FUTC_NUM_PRIMS);
    int32_t rank = (int32_t)(next_random(&seed) % 4);
    if (next_random(&seed) % 2 == 0) {
      const char *text = seeds[next_random(&seed) % (sizeof seeds / sizeof seeds[0])];
      len = strlen(text);
      memcpy(data, text, len);
    } else {
      data[len++] = 'b';
      data[len++] = 2;
      data[len++] = (char)rank;
      memcpy(data + len, futc_prims[prim].binary_name, 4);
      len += 4;
      for (int32_t i = 0; i < rank; i++) {
        uint64_t size = next_random(&seed) % 4;
        memcpy(data + len, &size, 8);
        len += 8;
      }
      for (int i = 0; i < 64; i++) {
        data[len++] = (char)next_random(&seed);
      }
    }
    len = mutate(data, len, sizeof data, &seed);
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], data, len) != (ssize_t)len) {
      abort();
    }
    (void)close(ends[1]);
    struct futc_reader r;
    if (!futc_reader_open(&r, ends[0])) {
      abort();
    }
    union futc_slot slots[1 + FUTC_MAX_RANK];
    for (int i = 0; i < 3; i++) {
      if (!futc_read_leaf(ctx, &r, (struct futc_leaf){prim, rank}, slots)) {
        CHECK(r.message[0] != '\0');
        break;
      }
      accepted++;
      if (rank > 0) {
        int64_t count = 0;
        int64_t size = futc_prims[prim].size;
        CHECK(futc_element_count(&slots[1].i64, rank, size, &count));
        CHECK(count * size <= futc_heap_block_size(slots[0].block));
        CHECK(count <= (int64_t)sizeof data);
        futc_release(ctx, slots[0].block);
      }
    }
    futc_reader_close(&r);
    (void)close(ends[0]);
    CHECK(futc_heap_num_live(&ctx->heap) == 0);
  }
  fprintf(stderr, "%ld inputs, %ld values accepted\n", (long)runs, (long)accepted);
  futc_context_close(ctx);
  return report();
}
