// The likeliest states of a hidden Markov model, by Viterbi's algorithm, in logarithms.
#include "../harness/bench.h"
#include <math.h>

static int64_t s, o, t;
static const float *start, *moves_in, *emits_in;
static const uint8_t *seen;
static float score;
static int32_t *path;

void bench_setup(void) {
  int64_t d[2];
  start = bench_f32s(1, &s);
  moves_in = bench_f32s(2, d);
  emits_in = bench_f32s(2, d);
  o = d[1];
  seen = bench_u8s(1, &t);
}

void bench_run(void) {
  bench_free(path);
  float *scores = bench_alloc((size_t)s * sizeof *scores);
  float *next = bench_alloc((size_t)s * sizeof *next);
  float *moves = bench_alloc((size_t)(s * s) * sizeof *moves);
  float *emits = bench_alloc((size_t)(s * o) * sizeof *emits);
  int32_t *back = bench_alloc((size_t)(t * s) * sizeof *back);
  path = bench_alloc((size_t)t * sizeof *path);
  for (int64_t i = 0; i < s; i++) {
    scores[i] = logf(start[i]) + logf(emits_in[i * o + seen[0] % o]);
    for (int64_t j = 0; j < s; j++) {
      moves[i * s + j] = logf(moves_in[i * s + j]);
    }
    for (int64_t j = 0; j < o; j++) {
      emits[j * s + i] = logf(emits_in[i * o + j]);
    }
  }
  for (int64_t k = 1; k < t; k++) {
    // All states at once, so that the compiler can make vectors of them.
    int32_t *restrict from = back + k * s;
    float *restrict to = next;
    for (int64_t j = 0; j < s; j++) {
      to[j] = scores[0] + moves[j];
      from[j] = 0;
    }
    for (int64_t i = 1; i < s; i++) {
      const float here = scores[i];
      const float *restrict row = moves + i * s;
      for (int64_t j = 0; j < s; j++) {
        const float way = here + row[j];
        const int better = way > to[j];
        to[j] = better ? way : to[j];
        from[j] = better ? (int32_t)i : from[j];
      }
    }
    const float *e = emits + (seen[k] % o) * s;
    for (int64_t j = 0; j < s; j++) {
      to[j] += e[j];
    }
    next = scores;
    scores = to;
  }
  int32_t last = 0;
  for (int32_t j = 1; j < s; j++) {
    last = scores[j] > scores[last] ? j : last;
  }
  score = scores[last];
  path[t - 1] = last;
  for (int64_t k = t - 1; k >= 1; k--) {
    path[k - 1] = back[k * s + path[k]];
  }
  bench_free(scores);
  bench_free(next);
  bench_free(moves);
  bench_free(emits);
  bench_free(back);
}

void bench_output(void) {
  bench_put_f32(score);
  bench_put_i32s(path, 1, &t);
}
