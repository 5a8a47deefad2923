// The Mandelbrot set: after how many steps each point of a grid escapes.
#include "../harness/bench.h"

static int64_t width, height;
static int32_t limit;
static int32_t *steps;

void bench_setup(void) {
  width = bench_i64();
  height = bench_i64();
  limit = bench_i32();
}

static int32_t escape(double cx, double cy) {
  double x = 0, y = 0;
  int32_t taken = 0;
  while (taken < limit && x * x + y * y <= 4) {
    const double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    taken++;
  }
  return taken;
}

void bench_run(void) {
  bench_free(steps);
  steps = bench_alloc((size_t)(width * height) * sizeof *steps);
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < height; i++) {
    for (int64_t j = 0; j < width; j++) {
      steps[i * width + j] = escape(-2.25 + 3 * (double)j / (double)width,
                                    -1.25 + 2.5 * (double)i / (double)height);
    }
  }
}

void bench_output(void) {
  bench_put_i32s(steps, 2, (int64_t[]){height, width});
}
