// Attention by blocks of keys, with a softmax that goes along: the largest score so far, the sum of the exponentials and
// the weighted sum of the values are corrected for each block.
#include "../harness/bench.h"
#include <math.h>

enum { BLOCK = 32 };

static int64_t n_dims[2], m_dims[2], v_dims[2];
static const float *queries, *keys, *values;
static float *result;

void bench_setup(void) {
  queries = bench_f32s(2, n_dims);
  keys = bench_f32s(2, m_dims);
  values = bench_f32s(2, v_dims);
}

void bench_run(void) {
  bench_free(result);
  const int64_t n = n_dims[0], m = m_dims[0], d = n_dims[1], v = v_dims[1];
  result = bench_alloc((size_t)(n * v) * sizeof *result);
  const float scale = 1 / sqrtf((float)d);
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) {
    const float *query = queries + i * d;
    float *sums = result + i * v;
    memset(sums, 0, (size_t)v * sizeof *sums);
    float top = -INFINITY, total = 0;
    for (int64_t b = 0; b < m; b += BLOCK) {
      const int64_t size = m - b < BLOCK ? m - b : BLOCK;
      float scores[BLOCK];
      float next = top;
      for (int64_t k = 0; k < size; k++) {
        const float *key = keys + (b + k) * d;
        float score = 0;
        for (int64_t j = 0; j < d; j++) {
          score += query[j] * key[j];
        }
        scores[k] = scale * score;
        next = fmaxf(next, scores[k]);
      }
      const float correction = expf(top - next);
      top = next;
      total *= correction;
      for (int64_t j = 0; j < v; j++) {
        sums[j] *= correction;
      }
      for (int64_t k = 0; k < size; k++) {
        const float weight = expf(scores[k] - top);
        const float *value = values + (b + k) * v;
        total += weight;
        for (int64_t j = 0; j < v; j++) {
          sums[j] += weight * value[j];
        }
      }
    }
    for (int64_t j = 0; j < v; j++) {
      sums[j] /= total;
    }
  }
}

void bench_output(void) {
  bench_put_f32s(result, 2, (int64_t[]){n_dims[0], v_dims[1]});
}
