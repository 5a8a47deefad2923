// The Levenshtein distance of two strings over an alphabet of four letters (a byte's lowest bits),
// along the anti-diagonals of its table, whose entries do not depend on each other. The second
// string is reversed, so that both are read forwards.
#include "../harness/bench.h"

static int64_t n, m;
static const uint8_t *a, *b;
static int32_t distance;

void bench_setup(void) {
  a = bench_u8s(1, &n);
  b = bench_u8s(1, &m);
}

static int32_t least(int32_t x, int32_t y) {
  return x < y ? x : y;
}

// The entries low to high of an anti-diagonal; `letters` is where the second string's letter of row
// zero would stand.
static void inner(int64_t low, int64_t high, const uint8_t *restrict letters,
                  const int32_t *restrict before, const int32_t *restrict previous,
                  int32_t *restrict current) {
  for (int64_t i = low; i < high; i++) {
    const int32_t change = before[i - 1] + (((a[i - 1] ^ letters[i]) & 3) != 0);
    current[i] = least(change, 1 + least(previous[i], previous[i - 1]));
  }
}

void bench_run(void) {
  int32_t *diagonals[3];
  for (int k = 0; k < 3; k++) {
    diagonals[k] = bench_alloc((size_t)(n + 1) * sizeof(int32_t));
    memset(diagonals[k], 0, (size_t)(n + 1) * sizeof(int32_t));
  }
  uint8_t *reversed = bench_alloc((size_t)m);
  for (int64_t j = 0; j < m; j++) {
    reversed[j] = b[m - 1 - j];
  }
  for (int64_t d = 1; d <= n + m; d++) {
    // Row i meets column d - i, whose letter b[d - i - 1] is reversed[m - d + i].
    const int64_t low = d > m ? d - m : 1, high = d > n ? n + 1 : d;
    int32_t *current = diagonals[d % 3];
    inner(low, high, reversed + (m - d), diagonals[(d + 1) % 3], diagonals[(d + 2) % 3], current);
    if (d <= m) {
      current[0] = (int32_t)d;
    }
    if (d <= n) {
      current[d] = (int32_t)d;
    }
  }
  distance = diagonals[(n + m) % 3][n];
  bench_free(reversed);
  for (int k = 0; k < 3; k++) {
    bench_free(diagonals[k]);
  }
}

void bench_output(void) {
  bench_put_i32(distance);
}
