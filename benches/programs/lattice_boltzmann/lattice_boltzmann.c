// A lattice-Boltzmann fluid in two dimensions with nine velocities.
#include "../harness/bench.h"

static int32_t steps;
static float omega;
static int64_t dims[2], solid_dims[2];
static const float *speeds;
static const uint8_t *walls;
static float *density, *speed;

enum { C, N, S, E, W, NE, NW, SE, SW, DIRECTIONS };

void bench_setup(void) {
  steps = bench_i32();
  omega = bench_f32();
  speeds = bench_f32s(2, dims);
  walls = bench_u8s(2, solid_dims);
}

static inline float part(float weight, float rho, float u, float square) {
  return weight * rho * (1 + 3 * u + 4.5f * u * u - square);
}

static inline void equilibrium(float rho, float ux, float uy, float *restrict f) {
  float square = 1.5f * (ux * ux + uy * uy);
  f[C] = part(4.0f / 9, rho, 0, square);
  f[N] = part(1.0f / 9, rho, uy, square);
  f[S] = part(1.0f / 9, rho, -uy, square);
  f[E] = part(1.0f / 9, rho, ux, square);
  f[W] = part(1.0f / 9, rho, -ux, square);
  f[NE] = part(1.0f / 36, rho, ux + uy, square);
  f[NW] = part(1.0f / 36, rho, uy - ux, square);
  f[SE] = part(1.0f / 36, rho, ux - uy, square);
  f[SW] = part(1.0f / 36, rho, -ux - uy, square);
}

static inline void cell(const float *const restrict *from, int64_t here, int64_t above, int64_t below,
                        int64_t left, int64_t j, int64_t right, bool solid, float *const restrict *to) {
  float c = from[C][here + j], n = from[N][below + j], s = from[S][above + j];
  float e = from[E][here + left], w = from[W][here + right], ne = from[NE][below + left];
  float nw = from[NW][below + right], se = from[SE][above + left], sw = from[SW][above + right];
  float rho = c + n + s + e + w + ne + nw + se + sw;
  float ux = (e + ne + se - w - nw - sw) / rho, uy = (n + ne + nw - s - se - sw) / rho;
  float q[DIRECTIONS];
  equilibrium(rho, ux, uy, q);
  const int64_t k = here + j;
  to[C][k] = solid ? c : c + omega * (q[C] - c);
  to[N][k] = solid ? s : n + omega * (q[N] - n);
  to[S][k] = solid ? n : s + omega * (q[S] - s);
  to[E][k] = solid ? w : e + omega * (q[E] - e);
  to[W][k] = solid ? e : w + omega * (q[W] - w);
  to[NE][k] = solid ? sw : ne + omega * (q[NE] - ne);
  to[NW][k] = solid ? se : nw + omega * (q[NW] - nw);
  to[SE][k] = solid ? nw : se + omega * (q[SE] - se);
  to[SW][k] = solid ? ne : sw + omega * (q[SW] - sw);
}

static void line(int64_t m, const float *const restrict *from, int64_t here, int64_t above,
                 int64_t below, const uint8_t *restrict walls, float *const restrict *to) {
  const float *restrict c = from[C] + here, *restrict n = from[N] + below;
  const float *restrict s = from[S] + above, *restrict e = from[E] + here;
  const float *restrict w = from[W] + here, *restrict ne = from[NE] + below;
  const float *restrict nw = from[NW] + below, *restrict se = from[SE] + above;
  const float *restrict sw = from[SW] + above;
  float *restrict tc = to[C] + here, *restrict tn = to[N] + here, *restrict ts = to[S] + here;
  float *restrict te = to[E] + here, *restrict tw = to[W] + here, *restrict tne = to[NE] + here;
  float *restrict tnw = to[NW] + here, *restrict tse = to[SE] + here, *restrict tsw = to[SW] + here;
  const float o = omega;
  for (int64_t j = 1; j < m - 1; j++) {
    float fc = c[j], fn = n[j], fs = s[j], fe = e[j - 1], fw = w[j + 1], fne = ne[j - 1];
    float fnw = nw[j + 1], fse = se[j - 1], fsw = sw[j + 1];
    float rho = fc + fn + fs + fe + fw + fne + fnw + fse + fsw;
    float ux = (fe + fne + fse - fw - fnw - fsw) / rho, uy = (fn + fne + fnw - fs - fse - fsw) / rho;
    float q[DIRECTIONS];
    equilibrium(rho, ux, uy, q);
    bool solid = walls[j] < 16;
    tc[j] = solid ? fc : fc + o * (q[C] - fc);
    tn[j] = solid ? fs : fn + o * (q[N] - fn);
    ts[j] = solid ? fn : fs + o * (q[S] - fs);
    te[j] = solid ? fw : fe + o * (q[E] - fe);
    tw[j] = solid ? fe : fw + o * (q[W] - fw);
    tne[j] = solid ? fsw : fne + o * (q[NE] - fne);
    tnw[j] = solid ? fse : fnw + o * (q[NW] - fnw);
    tse[j] = solid ? fnw : fse + o * (q[SE] - fse);
    tsw[j] = solid ? fne : fsw + o * (q[SW] - fsw);
  }
}

void bench_run(void) {
  bench_free(density);
  bench_free(speed);
  const int64_t h = dims[0], m = dims[1];
  const size_t bytes = (size_t)(h * m) * sizeof(float);
  density = bench_alloc(bytes);
  speed = bench_alloc(bytes);
  float *a[DIRECTIONS], *b[DIRECTIONS];
  for (int d = 0; d < DIRECTIONS; d++) {
    a[d] = bench_alloc(bytes);
    b[d] = bench_alloc(bytes);
  }
  for (int64_t k = 0; k < h * m; k++) {
    float q[DIRECTIONS];
    equilibrium(1, 0.1f * speeds[k], 0, q);
    for (int d = 0; d < DIRECTIONS; d++) {
      a[d][k] = q[d];
    }
  }
  float **from = a, **to = b;
  for (int32_t t = 0; t < steps; t++) {
    for (int64_t i = 0; i < h; i++) {
      int64_t here = i * m, above = i == h - 1 ? 0 : here + m, below = i == 0 ? (h - 1) * m : here - m;
      cell((const float *const *)from, here, above, below, m - 1, 0, 1 % m, walls[here] < 16, to);
      line(m, (const float *const *)from, here, above, below, walls + here, to);
      cell((const float *const *)from, here, above, below, m - 2, m - 1, 0, walls[here + m - 1] < 16, to);
    }
    float **swapped = from;
    from = to;
    to = swapped;
  }
  for (int64_t k = 0; k < h * m; k++) {
    float rho = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
      rho += from[d][k];
    }
    density[k] = rho;
    speed[k] = (from[E][k] + from[NE][k] + from[SE][k] - from[W][k] - from[NW][k] - from[SW][k]) / rho;
  }
  for (int d = 0; d < DIRECTIONS; d++) {
    bench_free(a[d]);
    bench_free(b[d]);
  }
}

void bench_output(void) {
  bench_put_f32s(density, 2, dims);
  bench_put_f32s(speed, 2, dims);
}
