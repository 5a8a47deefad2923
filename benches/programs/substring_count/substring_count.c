// At how many places of a text a short pattern begins. Both are over an alphabet of four letters, a
// byte's lowest bits. Most places fail at their first letters.
#include "../harness/bench.h"

static int64_t k, n, places;
static const uint8_t *pattern, *text;

void bench_setup(void) {
  pattern = bench_u8s(1, &k);
  text = bench_u8s(1, &n);
}

void bench_run(void) {
  places = 0;
  for (int64_t at = 0; at + k <= n; at++) {
    int64_t j = 0;
    while (j < k && ((pattern[j] ^ text[at + j]) & 3) == 0) {
      j++;
    }
    places += j == k;
  }
}

void bench_output(void) {
  bench_put_i64(places);
}
