// The words of a text, and the length of the longest, in one walk through it. Every byte up to the
// space is a separator.
#include "../harness/bench.h"

static int64_t n, words, longest;
static const uint8_t *text;

void bench_setup(void) {
  text = bench_u8s(1, &n);
}

void bench_run(void) {
  words = longest = 0;
  int64_t letters = 0;
  for (int64_t i = 0; i < n; i++) {
    if (text[i] <= ' ') {
      letters = 0;
    } else {
      words += letters == 0;
      letters++;
      longest = letters > longest ? letters : longest;
    }
  }
}

void bench_output(void) {
  bench_put_i64(words);
  bench_put_i64(longest);
}
