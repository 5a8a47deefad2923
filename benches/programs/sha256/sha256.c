// SHA-256 of many messages of as many blocks each, given as words.
#include "../harness/bench.h"

static int64_t n, b;
static const uint32_t *messages;
static uint32_t *hashes;

void bench_setup(void) {
  int64_t d[3];
  messages = bench_u32s(3, d);
  n = d[0];
  b = d[1];
}

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotate(uint32_t x, int k) { return x >> k | x << (32 - k); }

static void compress(uint32_t *restrict hash, const uint32_t *restrict block) {
  uint32_t w[64];
  memcpy(w, block, 64);
  for (int i = 16; i < 64; i++) {
    const uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[i - 7] +
           (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
  }
  uint32_t a = hash[0], b_ = hash[1], c = hash[2], d = hash[3];
  uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];
  for (int i = 0; i < 64; i++) {
    const uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + rounds[i] + w[i];
    const uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const uint32_t t2 = s0 + ((a & b_) ^ (a & c) ^ (b_ & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b_;
    b_ = a;
    a = t1 + t2;
  }
  hash[0] += a;
  hash[1] += b_;
  hash[2] += c;
  hash[3] += d;
  hash[4] += e;
  hash[5] += f;
  hash[6] += g;
  hash[7] += h;
}

void bench_run(void) {
  bench_free(hashes);
  hashes = bench_alloc((size_t)n * 8 * sizeof *hashes);
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int64_t i = 0; i < n; i++) {
    uint32_t *hash = hashes + 8 * i;
    memcpy(hash, initial, sizeof initial);
    for (int64_t k = 0; k < b; k++) {
      compress(hash, messages + (i * b + k) * 16);
    }
  }
}

void bench_output(void) {
  const int64_t d[2] = {n, 8};
  bench_put_u32s(hashes, 2, d);
}
