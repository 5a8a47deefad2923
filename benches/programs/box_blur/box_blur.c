// A blur of a grey image: the mean over a square around each pixel, along the columns and then along
// the rows, with the image's rim repeated outside it. A line with a rim on either side takes the
// sums of the columns, so that the sums along it need no test.
#include "../harness/bench.h"

static int64_t radius, dims[2];
static const float *image;
static float *blurred;

void bench_setup(void) {
  radius = bench_i64();
  image = bench_f32s(2, dims);
}

static int64_t clamp(int64_t n, int64_t i) {
  return i < 0 ? 0 : i < n ? i : n - 1;
}

static void add(int64_t m, const float *restrict from, float *restrict to) {
  for (int64_t j = 0; j < m; j++) {
    to[j] += from[j];
  }
}

static void scale(int64_t m, float by, float *restrict to) {
  for (int64_t j = 0; j < m; j++) {
    to[j] /= by;
  }
}

void bench_run(void) {
  bench_free(blurred);
  const int64_t n = dims[0], m = dims[1];
  const float width = (float)(2 * radius + 1);
  blurred = bench_alloc((size_t)(n * m) * sizeof *blurred);
  float *line = bench_alloc((size_t)(m + 2 * radius) * sizeof *line);
  memset(blurred, 0, (size_t)(n * m) * sizeof *blurred);
  for (int64_t i = 0; i < n; i++) {
    float *inner = line + radius, *row = blurred + i * m;
    memset(inner, 0, (size_t)m * sizeof *inner);
    for (int64_t d = -radius; d <= radius; d++) {
      add(m, image + clamp(n, i + d) * m, inner);
    }
    scale(m, width, inner);
    for (int64_t d = 0; d < radius; d++) {
      line[d] = inner[0];
      inner[m + d] = inner[m - 1];
    }
    for (int64_t d = 0; d <= 2 * radius; d++) {
      add(m, line + d, row);
    }
    scale(m, width, row);
  }
  bench_free(line);
}

void bench_output(void) {
  bench_put_f32s(blurred, 2, dims);
}
