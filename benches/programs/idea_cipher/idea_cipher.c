// The block cipher IDEA. The product modulo 65537 needs no division: the low half of the 32 bits less the
// high half is the remainder, or one more or less.
#include "../harness/bench.h"

enum { KEYS = 52 };

typedef struct {
  uint16_t a, b, c, d;
} block;

static int64_t dims[2];
static const uint16_t *key;
static const block *message;
static block *secret;
static bool same;

void bench_setup(void) {
  int64_t n;
  key = bench_u16s(1, &n);
  message = (const block *)bench_u16s(2, dims);
}

static inline uint16_t mul(uint16_t a, uint16_t b) {
  const uint32_t product = (uint32_t)a * b;
  const uint32_t low = product & 0xffff, high = product >> 16;
  const uint16_t plain = (uint16_t)(low - high + (low < high));
  return product == 0 ? (uint16_t)(1 - a - b) : plain;
}

static inline uint16_t inverse(uint16_t x) {
  uint16_t power = 1;
  for (int i = 0; i < 16; i++) {
    power = mul(power, x);
    x = mul(x, x);
  }
  return power;
}

static void encryption_keys(uint16_t ks[KEYS]) {
  memcpy(ks, key, 8 * sizeof *ks);
  for (int i = 8; i < KEYS; i++) {
    const int j = i % 8, r = i - j - 8;
    ks[i] = (uint16_t)(ks[r + (j + 1) % 8] << 9 | ks[r + (j + 2) % 8] >> 7);
  }
}

static void decryption_keys(const uint16_t ks[KEYS], uint16_t to[KEYS]) {
  for (int round = 0; round <= 8; round++) {
    const uint16_t *from = ks + 6 * (8 - round);
    const int x = round == 0 || round == 8 ? 1 : 2;
    to[0] = inverse(from[0]);
    to[1] = (uint16_t)-from[x];
    to[2] = (uint16_t)-from[3 - x];
    to[3] = inverse(from[3]);
    if (round < 8) {
      to[4] = from[-2];
      to[5] = from[-1];
    }
    to += 6;
  }
}

static inline block round_of(const uint16_t *k, block x) {
  const uint16_t a = mul(x.a, k[0]), b = (uint16_t)(x.b + k[1]);
  const uint16_t c = (uint16_t)(x.c + k[2]), d = mul(x.d, k[3]);
  const uint16_t e = mul(a ^ c, k[4]), f = mul((uint16_t)(e + (b ^ d)), k[5]);
  const uint16_t g = (uint16_t)(e + f);
  return (block){a ^ f, c ^ f, b ^ g, d ^ g};
}

static inline block crypt_block(const uint16_t ks[restrict KEYS], block x) {
  for (int r = 0; r < 8; r++) {
    x = round_of(ks + 6 * r, x);
  }
  return (block){mul(x.a, ks[48]), (uint16_t)(x.c + ks[49]), (uint16_t)(x.b + ks[50]),
                 mul(x.d, ks[51])};
}

void bench_run(void) {
  bench_free(secret);
  const int64_t n = dims[0];
  secret = bench_alloc((size_t)n * sizeof *secret);
  uint16_t ks[KEYS], inverses[KEYS];
  encryption_keys(ks);
  decryption_keys(ks, inverses);
  const block *restrict from = message;
  block *restrict to = secret;
  for (int64_t i = 0; i < n; i++) {
    to[i] = crypt_block(ks, from[i]);
  }
  int different = 0;
  for (int64_t i = 0; i < n; i++) {
    const block back = crypt_block(inverses, to[i]);
    different |= (back.a ^ from[i].a) | (back.b ^ from[i].b) | (back.c ^ from[i].c) |
                 (back.d ^ from[i].d);
  }
  same = different == 0;
}

void bench_output(void) {
  bench_put_u16s((const uint16_t *)secret, 2, dims);
  bench_put_bool(same);
}
