// Kalman filters: many things move in the plane with nearly constant speed, and their places are
// measured with errors. The small matrices have constant sizes, so that loops over them unroll.
#include "../harness/bench.h"

static int64_t dims[3];
static const float *measured;
static float *states, *traces;

static const float motion[4][4] = {{1, 0, 0.1f, 0}, {0, 1, 0, 0.1f}, {0, 0, 1, 0}, {0, 0, 0, 1}};

void bench_setup(void) {
  measured = bench_f32s(3, dims);
}

static inline void matvec(const float a[restrict 4][4], const float x[restrict 4],
                          float y[restrict 4]) {
  for (int i = 0; i < 4; i++) {
    y[i] = a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2] + a[i][3] * x[3];
  }
}

static inline void matmul(const float a[restrict 4][4], const float b[restrict 4][4],
                          float c[restrict 4][4]) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j];
    }
  }
}

static inline void transposed(const float a[restrict 4][4], float b[restrict 4][4]) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      b[i][j] = a[j][i];
    }
  }
}

static inline void predict(float state[4], float covariance[4][4]) {
  float moved[4], half[4][4], back[4][4];
  matvec(motion, state, moved);
  memcpy(state, moved, sizeof moved);
  matmul(motion, covariance, half);
  transposed(motion, back);
  matmul(half, back, covariance);
  for (int i = 0; i < 4; i++) {
    covariance[i][i] += 0.01f;
  }
}

// What is measured are the first two components of the state.
static inline void correct(float state[4], float covariance[4][4], const float z[2]) {
  const float a = covariance[0][0] + 0.25f, b = covariance[0][1];
  const float c = covariance[1][0], d = covariance[1][1] + 0.25f;
  const float over = 1 / (a * d - b * c);
  const float inverse[2][2] = {{over * d, -over * b}, {-over * c, over * a}};
  const float error[2] = {z[0] - state[0], z[1] - state[1]};
  float keep[4][4] = {{0}}, corrected[4][4];
  for (int i = 0; i < 4; i++) {
    float gain[2];
    for (int j = 0; j < 2; j++) {
      gain[j] = covariance[i][0] * inverse[0][j] + covariance[i][1] * inverse[1][j];
    }
    state[i] += gain[0] * error[0] + gain[1] * error[1];
    for (int j = 0; j < 4; j++) {
      keep[i][j] = (i == j ? 1.0f : 0.0f) - (j < 2 ? gain[j] : 0);
    }
  }
  matmul(keep, covariance, corrected);
  memcpy(covariance, corrected, sizeof corrected);
}

void bench_run(void) {
  bench_free(states);
  bench_free(traces);
  states = bench_alloc((size_t)dims[0] * 4 * sizeof *states);
  traces = bench_alloc((size_t)dims[0] * sizeof *traces);
  for (int64_t i = 0; i < dims[0]; i++) {
    float state[4] = {0};
    float covariance[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int64_t t = 0; t < dims[1]; t++) {
      predict(state, covariance);
      correct(state, covariance, measured + (i * dims[1] + t) * 2);
    }
    memcpy(states + 4 * i, state, sizeof state);
    traces[i] = covariance[0][0] + covariance[1][1] + covariance[2][2] + covariance[3][3];
  }
}

void bench_output(void) {
  bench_put_f32s(states, 2, (int64_t[]){dims[0], 4});
  bench_put_f32s(traces, 1, dims);
}
