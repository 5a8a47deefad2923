// Back-propagation: a network with one hidden layer learns the batches that it is shown. All products of
// matrices add rows, times a number each, to rows, so that their innermost loops are vectors.
#include "../harness/bench.h"
#include <math.h>

static float rate;
static int64_t steps, batch, inputs, hidden, outputs;
static const float *xs, *ys, *w1, *w2;
static float *errors, *v2;

void bench_setup(void) {
  int64_t dims[3];
  rate = bench_f32();
  xs = bench_f32s(3, dims);
  steps = dims[0], batch = dims[1], inputs = dims[2];
  ys = bench_f32s(3, dims);
  outputs = dims[2];
  w1 = bench_f32s(2, dims);
  hidden = dims[0];
  w2 = bench_f32s(2, dims);
}

static float *matrix(int64_t n, int64_t m) { return bench_alloc((size_t)(n * m) * sizeof(float)); }

// c += k a b, with a of n times m and b of m times p.
static void add_product(int64_t n, int64_t m, int64_t p, float k, const float *restrict a,
                        const float *restrict b, float *restrict c) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t l = 0; l < m; l++) {
      const float w = k * a[i * m + l];
      for (int64_t j = 0; j < p; j++) {
        c[i * p + j] += w * b[l * p + j];
      }
    }
  }
}

// c += k transpose(a) b, with a of m times n and b of m times p.
static void add_transposed_product(int64_t n, int64_t m, int64_t p, float k, const float *restrict a,
                                   const float *restrict b, float *restrict c) {
  for (int64_t l = 0; l < m; l++) {
    for (int64_t i = 0; i < n; i++) {
      const float w = k * a[l * n + i];
      for (int64_t j = 0; j < p; j++) {
        c[i * p + j] += w * b[l * p + j];
      }
    }
  }
}

static void transpose(int64_t n, int64_t m, const float *restrict from, float *restrict to) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      to[j * n + i] = from[i * m + j];
    }
  }
}

static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }
static inline float sigmoid_slope(float y) { return y * (1 - y); }
static inline float relu(float x) { return x > 0 ? x : 0; }
static inline float relu_slope(float y) { return y > 0 ? 1 : 0; }

static void forward(int64_t in, int64_t out, const float *restrict weights,
                    const float *restrict biases, const float *restrict from,
                    float *restrict transposed, float *restrict to) {
  transpose(out, in, weights, transposed);
  for (int64_t k = 0; k < batch; k++) {
    memcpy(to + k * out, biases, (size_t)out * sizeof *to);
  }
  add_product(batch, in, out, 1, from, transposed, to);
}

static void descend(int64_t in, int64_t out, const float *restrict from, const float *restrict deltas,
                    float *restrict weights, float *restrict biases) {
  const float k = -rate / (float)batch;
  add_transposed_product(out, batch, in, k, deltas, from, weights);
  for (int64_t b = 0; b < batch; b++) {
    for (int64_t j = 0; j < out; j++) {
      biases[j] += k * deltas[b * out + j];
    }
  }
}

static float *start(int64_t in, int64_t out, const float *given) {
  float *weights = matrix(out, in);
  const float over = sqrtf((float)in);
  for (int64_t k = 0; k < out * in; k++) {
    weights[k] = (given[k] - 0.5f) / over;
  }
  return weights;
}

void bench_run(void) {
  bench_free(errors);
  bench_free(v2);
  errors = bench_alloc((size_t)steps * sizeof *errors);
  float *v1 = start(inputs, hidden, w1);
  v2 = start(hidden, outputs, w2);
  float *b1 = matrix(hidden, 1), *b2 = matrix(outputs, 1);
  memset(b1, 0, (size_t)hidden * sizeof *b1);
  memset(b2, 0, (size_t)outputs * sizeof *b2);
  float *middle = matrix(batch, hidden), *end = matrix(batch, outputs);
  float *middle_deltas = matrix(batch, hidden), *end_deltas = matrix(batch, outputs);
  float *transposed = matrix(hidden, inputs > outputs ? inputs : outputs);
  for (int64_t s = 0; s < steps; s++) {
    const float *x = xs + s * batch * inputs, *y = ys + s * batch * outputs;
    forward(inputs, hidden, v1, b1, x, transposed, middle);
    for (int64_t k = 0; k < batch * hidden; k++) {
      middle[k] = relu(middle[k]);
    }
    forward(hidden, outputs, v2, b2, middle, transposed, end);
    float sum = 0;
    for (int64_t k = 0; k < batch * outputs; k++) {
      end[k] = sigmoid(end[k]);
      const float error = end[k] - y[k];
      sum += error * error;
      end_deltas[k] = error * sigmoid_slope(end[k]);
    }
    errors[s] = sum / (float)(batch * outputs);
    memset(middle_deltas, 0, (size_t)(batch * hidden) * sizeof(float));
    add_product(batch, outputs, hidden, 1, end_deltas, v2, middle_deltas);
    for (int64_t k = 0; k < batch * hidden; k++) {
      middle_deltas[k] *= relu_slope(middle[k]);
    }
    descend(inputs, hidden, x, middle_deltas, v1, b1);
    descend(hidden, outputs, middle, end_deltas, v2, b2);
  }
  bench_free(v1);
  bench_free(b1);
  bench_free(b2);
  bench_free(middle);
  bench_free(end);
  bench_free(middle_deltas);
  bench_free(end_deltas);
  bench_free(transposed);
}

void bench_output(void) {
  bench_put_f32s(errors, 1, &steps);
  bench_put_f32s(v2, 2, (int64_t[]){outputs, hidden});
}
