// How often each value of a byte occurs. Four tables keep equal neighbours from waiting for each
// other's store.
#include "../harness/bench.h"

enum { VALUES = 256, TABLES = 4 };

static int64_t n;
static const uint8_t *bytes;
static int32_t *counts;

void bench_setup(void) {
  bytes = bench_u8s(1, &n);
}

void bench_run(void) {
  bench_free(counts);
  counts = bench_alloc(VALUES * sizeof *counts);
  int32_t tables[TABLES][VALUES] = {{0}};
  int64_t i = 0;
  for (; i + TABLES <= n; i += TABLES) {
    for (int t = 0; t < TABLES; t++) {
      tables[t][bytes[i + t]]++;
    }
  }
  for (; i < n; i++) {
    tables[0][bytes[i]]++;
  }
  for (int v = 0; v < VALUES; v++) {
    counts[v] = tables[0][v] + tables[1][v] + tables[2][v] + tables[3][v];
  }
}

void bench_output(void) {
  bench_put_i32s(counts, 1, (int64_t[]){VALUES});
}
