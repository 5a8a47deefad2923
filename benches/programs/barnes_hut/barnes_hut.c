// Gravity among bodies in a square by the method of Barnes and Hut, over a quadtree of fixed depth whose cells are numbered
// along a Z-order curve.
#include "../harness/bench.h"
#include <math.h>

enum { LEVELS = 7, SIDE = 1 << LEVELS, LEAVES = SIDE * SIDE, CELLS = (4 * LEAVES - 1) / 3 };

struct body {
  float x, y, mass;
};

static int64_t n, dims[2];
static const float *given;
static float *ax, *ay;

void bench_setup(void) {
  given = bench_f32s(2, dims);
  n = dims[1];
}

// Puts a zero between the bits of a number.
static int64_t spread(int64_t x) {
  x = (x | (x << 8)) & 0x00FF00FF;
  x = (x | (x << 4)) & 0x0F0F0F0F;
  x = (x | (x << 2)) & 0x33333333;
  return (x | (x << 1)) & 0x55555555;
}

static int64_t place(float v) {
  const int64_t p = (int64_t)(v * (float)SIDE);
  return p < 0 ? 0 : p >= SIDE ? SIDE - 1 : p;
}

// Where a level begins.
static int64_t start(int64_t level) { return (((int64_t)1 << (2 * level)) - 1) / 3; }

static struct body add(struct body a, struct body b) {
  return (struct body){a.x + b.x, a.y + b.y, a.mass + b.mass};
}

static inline void pull(const struct body *b, const struct body *c, float *x, float *y) {
  const float dx = c->x - b->x, dy = c->y - b->y;
  const float square = dx * dx + dy * dy + 1e-4f;
  const float factor = c->mass / (square * sqrtf(square));
  *x += factor * dx;
  *y += factor * dy;
}

static void accelerate(float nearness, const struct body *bodies, const int32_t *ends,
                       const struct body *centres, int64_t i) {
  static const int64_t starts[] = {0, 1, 5, 21, 85, 341, 1365, 5461};
  const struct body b = bodies[i];
  float x = 0, y = 0;
  int64_t level = 0, cell = 0;
  for (;;) {
    const struct body c = centres[starts[level] + cell];
    const float size = 1 / (float)(1 << level), dx = c.x - b.x, dy = c.y - b.y;
    const bool far = size * size < nearness * nearness * (dx * dx + dy * dy);
    if (c.mass != 0 && !far && level < LEVELS) {
      level++;
      cell *= 4;
      continue;
    }
    if (c.mass != 0) {
      if (far) {
        pull(&b, &c, &x, &y);
      } else {
        for (int32_t k = cell == 0 ? 0 : ends[cell - 1]; k < ends[cell]; k++) {
          pull(&b, &bodies[k], &x, &y);
        }
      }
    }
    while (level > 0 && (cell & 3) == 3) {
      level--;
      cell >>= 2;
    }
    if (level == 0) {
      break;
    }
    cell++;
  }
  ax[i] = x;
  ay[i] = y;
}

void bench_run(void) {
  bench_free(ax);
  bench_free(ay);
  ax = bench_alloc((size_t)n * sizeof *ax);
  ay = bench_alloc((size_t)n * sizeof *ay);
  struct body *bodies = bench_alloc((size_t)n * sizeof *bodies);
  struct body *tree = bench_alloc(CELLS * sizeof *tree);
  int32_t *leaves = bench_alloc((size_t)n * sizeof *leaves);
  int32_t *ends = bench_alloc(LEAVES * sizeof *ends);
  memset(tree, 0, CELLS * sizeof *tree);
  memset(ends, 0, LEAVES * sizeof *ends);
  for (int64_t i = 0; i < n; i++) {
    leaves[i] = (int32_t)(spread(place(given[i])) | spread(place(given[n + i])) << 1);
    ends[leaves[i]]++;
  }
  for (int64_t c = 0, sum = 0; c < LEAVES; c++) {
    sum += ends[c];
    ends[c] = (int32_t)sum - ends[c];
  }
  for (int64_t i = 0; i < n; i++) {
    const float x = given[i], y = given[n + i], mass = 0.5f + given[2 * n + i];
    const int64_t leaf = leaves[i];
    bodies[ends[leaf]++] = (struct body){x, y, mass};
    tree[start(LEVELS) + leaf] = add(tree[start(LEVELS) + leaf], (struct body){x * mass, y * mass, mass});
  }
  for (int64_t level = LEVELS - 1; level >= 0; level--) {
    const struct body *below = tree + start(level + 1);
    for (int64_t c = 0; c < (int64_t)1 << (2 * level); c++) {
      const struct body *four = below + 4 * c;
      tree[start(level) + c] = add(add(four[0], four[1]), add(four[2], four[3]));
    }
  }
  for (int64_t c = 0; c < CELLS; c++) {
    if (tree[c].mass != 0) {
      tree[c].x /= tree[c].mass;
      tree[c].y /= tree[c].mass;
    }
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t i = 0; i < n; i++) {
    accelerate(0.5f, bodies, ends, tree, i);
  }
  bench_free(bodies);
  bench_free(tree);
  bench_free(leaves);
  bench_free(ends);
}

void bench_output(void) {
  bench_put_f32s(ax, 1, &n);
  bench_put_f32s(ay, 1, &n);
}
