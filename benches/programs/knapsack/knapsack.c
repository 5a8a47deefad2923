// The 0-1 knapsack: the greatest value of things whose weights together do not pass a capacity. A
// thing weighs one more than its first number modulo 1000, and its value is the second. Two rows
// take turns, so that the entries of a row do not depend on each other.
#include "../harness/bench.h"

static int64_t capacity, n;
static const uint16_t *weights, *values;
static int32_t greatest;

void bench_setup(void) {
  capacity = bench_i64();
  weights = bench_u16s(1, &n);
  values = bench_u16s(1, &n);
}

static void add_thing(int64_t weight, int32_t value, const int32_t *restrict from,
                      int32_t *restrict to) {
  const int64_t light = weight < capacity + 1 ? weight : capacity + 1;
  memcpy(to, from, (size_t)light * sizeof *to);
  for (int64_t room = light; room <= capacity; room++) {
    const int32_t taken = from[room - weight] + value;
    to[room] = from[room] > taken ? from[room] : taken;
  }
}

void bench_run(void) {
  const size_t bytes = (size_t)(capacity + 1) * sizeof(int32_t);
  int32_t *best = bench_alloc(bytes), *other = bench_alloc(bytes);
  memset(best, 0, bytes);
  for (int64_t i = 0; i < n; i++) {
    add_thing(weights[i] % 1000 + 1, values[i], best, other);
    int32_t *swapped = best;
    best = other;
    other = swapped;
  }
  greatest = best[capacity];
  bench_free(other);
  bench_free(best);
}

void bench_output(void) {
  bench_put_i32(greatest);
}
