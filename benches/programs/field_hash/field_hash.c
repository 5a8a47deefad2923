// A sponge over a prime field, after the design of Poseidon. The products of a row of the matrix are below
// 2 to the 35, so that one remainder serves their sum.
#include "../harness/bench.h"

static const uint64_t prime = 2147483647;
static const uint64_t row[8] = {7, 1, 3, 8, 8, 3, 4, 9};

static int64_t rounds[2], dims[3];
static const uint32_t *given, *messages;
static uint32_t *hashes;

void bench_setup(void) {
  given = bench_u32s(2, rounds);
  messages = bench_u32s(3, dims);
}

static inline uint64_t add(uint64_t a, uint64_t b) {
  const uint64_t c = a + b;
  return c >= prime ? c - prime : c;
}

static inline uint64_t mul(uint64_t a, uint64_t b) { return a * b % prime; }

static inline uint64_t fifth(uint64_t x) {
  const uint64_t x2 = mul(x, x);
  return mul(mul(x2, x2), x);
}

static inline void mix(uint64_t s[8]) {
  uint64_t mixed[8];
  for (int i = 0; i < 8; i++) {
    uint64_t sum = 0;
    for (int j = 0; j < 8; j++) {
      sum += row[(j - i) & 7] * s[j];
    }
    mixed[i] = sum % prime;
  }
  memcpy(s, mixed, sizeof mixed);
}

static inline void permute(const uint64_t *restrict constants, uint64_t s[8]) {
  for (int64_t r = 0; r < rounds[0]; r++) {
    for (int j = 0; j < 8; j++) {
      s[j] = add(s[j], constants[8 * r + j]);
    }
    if (r < 4 || r >= rounds[0] - 4) {
      for (int j = 0; j < 8; j++) {
        s[j] = fifth(s[j]);
      }
    } else {
      s[0] = fifth(s[0]);
    }
    mix(s);
  }
}

void bench_run(void) {
  bench_free(hashes);
  hashes = bench_alloc((size_t)dims[0] * 4 * sizeof *hashes);
  uint64_t *constants = bench_alloc((size_t)rounds[0] * 8 * sizeof *constants);
  for (int64_t k = 0; k < rounds[0] * 8; k++) {
    constants[k] = given[k] % prime;
  }
  for (int64_t i = 0; i < dims[0]; i++) {
    uint64_t s[8] = {0};
    for (int64_t k = 0; k < dims[1]; k++) {
      const uint32_t *block = messages + (i * dims[1] + k) * 4;
      for (int j = 0; j < 4; j++) {
        s[j] = add(s[j], block[j] % prime);
      }
      permute(constants, s);
    }
    for (int j = 0; j < 4; j++) {
      hashes[4 * i + j] = (uint32_t)s[j];
    }
  }
  bench_free(constants);
}

void bench_output(void) {
  bench_put_u32s(hashes, 2, (int64_t[]){dims[0], 4});
}
