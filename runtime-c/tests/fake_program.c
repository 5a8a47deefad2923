/* A program written by hand, as the compiler would: for testing the command line and the server. */
#include "futc_program.h"

#include <string.h>

#define N(array) ((int64_t)(sizeof(array) / sizeof((array)[0])))

/* ---- Types. ---- */

static const struct futc_leaf i32_leaf[] = {{FUTC_I32, 0}};
static const struct futc_leaf i32_1d_leaf[] = {{FUTC_I32, 1}};
static const struct futc_leaf f64_leaf[] = {{FUTC_F64, 0}};
static const struct futc_leaf f64_1d_leaf[] = {{FUTC_F64, 1}};
static const struct futc_type t_i32 = {.name = "i32", .num_leaves = 1, .leaves = i32_leaf};
static const struct futc_type t_i32_1d = {.name = "[]i32", .num_leaves = 1, .leaves = i32_1d_leaf};
static const struct futc_type t_f64 = {.name = "f64", .num_leaves = 1, .leaves = f64_leaf};
static const struct futc_type t_f64_1d = {.name = "[]f64", .num_leaves = 1, .leaves = f64_1d_leaf};

/* {xs: []i32, y: f64} */
static const struct futc_leaf pair_leaves[] = {{FUTC_I32, 1}, {FUTC_F64, 0}};
static const struct futc_field pair_fields[] = {{"xs", &t_i32_1d}, {"y", &t_f64}};
static const struct futc_type t_pair = {.name = "pair",
                                        .kind = FUTC_RECORD,
                                        .num_leaves = 2,
                                        .leaves = pair_leaves,
                                        .num_fields = 2,
                                        .fields = pair_fields};

/* {a: i32, b: f64} and [] of it */
static const struct futc_leaf point_leaves[] = {{FUTC_I32, 0}, {FUTC_F64, 0}};
static const struct futc_field point_fields[] = {{"a", &t_i32}, {"b", &t_f64}};
static const struct futc_type t_point = {.name = "point",
                                         .kind = FUTC_RECORD,
                                         .num_leaves = 2,
                                         .leaves = point_leaves,
                                         .num_fields = 2,
                                         .fields = point_fields};
static const struct futc_leaf points_leaves[] = {{FUTC_I32, 1}, {FUTC_F64, 1}};
static const struct futc_field points_fields[] = {{"a", &t_i32_1d}, {"b", &t_f64_1d}};
static const struct futc_type t_points = {.name = "[]point",
                                          .kind = FUTC_ARRAY,
                                          .rank = 1,
                                          .num_leaves = 2,
                                          .leaves = points_leaves,
                                          .num_fields = 2,
                                          .fields = points_fields,
                                          .element = &t_point};

/* #none | #some i32 | #many ([]i32) f64 */
static const struct futc_leaf shape_leaves[] = {
    {FUTC_U8, 0}, {FUTC_I32, 0}, {FUTC_I32, 1}, {FUTC_F64, 0}};
static const struct futc_type *const some_payloads[] = {&t_i32};
static const struct futc_type *const many_payloads[] = {&t_i32_1d, &t_f64};
static const int64_t some_leaves[] = {1};
static const int64_t many_leaves[] = {2, 3};
static const struct futc_constructor shape_constructors[] = {
    {"none", 0, NULL, NULL},
    {"some", 1, some_payloads, some_leaves},
    {"many", 2, many_payloads, many_leaves}};
static const struct futc_type t_shape = {.name = "my sum",
                                         .kind = FUTC_SUM,
                                         .num_leaves = 4,
                                         .leaves = shape_leaves,
                                         .num_fields = 3,
                                         .constructors = shape_constructors};

/* ([]i32, f64) */
static const struct futc_field tuple_fields[] = {{"0", &t_i32_1d}, {"1", &t_f64}};
static const struct futc_type t_tuple = {.name = "([]i32, f64)",
                                         .kind = FUTC_RECORD,
                                         .num_leaves = 2,
                                         .leaves = pair_leaves,
                                         .num_fields = 2,
                                         .fields = tuple_fields};

/* ---- Globals: one array. ---- */

struct globals {
  int32_t *table;
};

static void init(struct futc_context *ctx, void *globals) {
  struct globals *g = globals;
  g->table = futc_alloc(ctx, 4 * sizeof(int32_t), 0);
  for (int32_t i = 0; i < 4; i++) {
    g->table[i] = 100 + i;
  }
}

static void fini(struct futc_context *ctx, void *globals) {
  struct globals *g = globals;
  futc_release(ctx, g->table);
}

/* ---- Entry points. ---- */

/* main (x: i32) (xs: []i32): ([]i32, i64-ish sum as f64) = (map (+x) xs, sum) */
static void fn_main(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  int32_t x = (int32_t)in[0].bits;
  const int32_t *xs = in[1].block;
  int64_t n = in[2].i64;
  int32_t *ys = futc_alloc(ctx, n * 4, 0);
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    ys[i] = (int32_t)((uint32_t)xs[i] + (uint32_t)x);
    sum += ys[i];
  }
  out[0].block = ys;
  out[1].i64 = n;
  memcpy(&out[2].bits, &sum, 8);
}

/* index (xs: []i32) (i: i32): i32, with a leak and an input retained on failure */
static void fn_index(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  int32_t *scratch = futc_alloc(ctx, 1000, 0);
  futc_retain(ctx, in[0].block);
  int64_t i = (int32_t)in[2].bits;
  if (i < 0 || i >= in[1].i64) {
    union futc_slot args[2] = {{.i64 = i}, {.i64 = in[1].i64}};
    futc_fail(ctx, "Index [%d] out of bounds for array of shape [%d].", "fake.fut:3:5-9", args);
  }
  out[0].bits = (uint32_t)((int32_t *)in[0].block)[i];
  futc_release(ctx, in[0].block);
  futc_release(ctx, scratch);
}

/* negate (xs: *[]i32): *[]i32, in place */
static void fn_negate(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)ctx;
  int32_t *xs = in[0].block;
  for (int64_t i = 0; i < in[1].i64; i++) {
    xs[i] = -xs[i];
  }
  out[0] = in[0];
  out[1] = in[1];
}

/* spoil (xs: *[]i32): i32, fails after releasing xs */
static void fn_spoil(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  futc_release(ctx, in[0].block);
  futc_fail(
      ctx, "spoilt %b %u %f 100%%", NULL,
      (const union futc_slot[]){{.bits = 1}, {.bits = UINT64_MAX}, {.bits = 0x3ff8000000000000}});
}

/* pair (x: i32): pair */
static void fn_pair(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  struct globals *g = futc_globals(ctx);
  (void)in;
  futc_retain(ctx, g->table);
  double y = 1.5;
  out[0].block = g->table;
  out[1].i64 = 4;
  memcpy(&out[2].bits, &y, 8);
}

/* points (ps: []point): f64 = sum of a*b */
static void fn_points(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)ctx;
  double sum = 0;
  for (int64_t i = 0; i < in[1].i64; i++) {
    sum += ((int32_t *)in[0].block)[i] * ((double *)in[2].block)[i];
  }
  memcpy(&out[0].bits, &sum, 8);
}

/* id (s: shape): shape */
static void fn_id(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  memcpy(out, in, 5 * sizeof *in);
  futc_retain(ctx, in[2].block);
}

/* huge (n: i32): []i32, allocates 2^n bytes */
static void fn_huge(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  int32_t n = (int32_t)in[0].bits;
  out[0].block = futc_alloc(ctx, n < 0 ? n : INT64_C(1) << n, 0);
  out[1].i64 = 0;
}

static const struct futc_value_spec main_in[] = {{"x", &t_i32, 0}, {"xs", &t_i32_1d, 0}};
static const struct futc_value_spec main_out[] = {{NULL, &t_i32_1d, 1}, {NULL, &t_f64, 0}};
static const struct futc_value_spec index_in[] = {{"xs", &t_i32_1d, 0}, {"i", &t_i32, 0}};
static const struct futc_value_spec i32_out[] = {{NULL, &t_i32, 0}};
static const struct futc_value_spec negate_in[] = {{"xs", &t_i32_1d, 1}};
static const struct futc_value_spec negate_out[] = {{NULL, &t_i32_1d, 1}};
static const struct futc_value_spec x_in[] = {{"x", &t_i32, 0}};
static const struct futc_value_spec pair_out[] = {{NULL, &t_pair, 0}};
static const struct futc_value_spec points_in[] = {{"ps", &t_points, 0}};
static const struct futc_value_spec f64_out[] = {{NULL, &t_f64, 0}};
static const struct futc_value_spec shape_spec[] = {{"s", &t_shape, 0}};
static const struct futc_value_spec huge_out[] = {{NULL, &t_i32_1d, 0}};

static const char *const attributes[] = {"prop(size(5))", "noinline"};

#define ENTRY(NAME, FN, IN, OUT, RESULT)                                                           \
  { NAME, FN, N(IN), IN, N(OUT), OUT, N(attributes), attributes, RESULT }
static const struct futc_entry entries[] = {
    ENTRY("main", fn_main, main_in, main_out, &t_tuple),
    ENTRY("index", fn_index, index_in, i32_out, &t_i32),
    ENTRY("negate", fn_negate, negate_in, negate_out, &t_i32_1d),
    ENTRY("spoil", fn_spoil, negate_in, i32_out, &t_i32),
    ENTRY("pair", fn_pair, x_in, pair_out, &t_pair),
    ENTRY("points", fn_points, points_in, f64_out, &t_f64),
    ENTRY("id", fn_id, shape_spec, shape_spec, &t_shape),
    ENTRY("huge", fn_huge, x_in, huge_out, &t_i32_1d),
};

static int64_t tile = 32;
static int64_t threshold = 1000;
static const struct futc_param params[] = {
    {"main.tile_0", "tile_size", 32, &tile},
    {"main.suff_1", "threshold (!main.suff_0)", 1000, &threshold}};

static const struct futc_type *const types[] = {&t_i32,    &t_i32_1d, &t_f64,    &t_pair,
                                                &t_points, &t_point,  &t_f64_1d, &t_shape,
                                                &t_tuple};

const struct futc_program futc_program = {
    .abi_version = FUTC_ABI_VERSION,
    .compiler = "futc test",
    .source = "fake.fut",
    .target = FUTC_SEQ,
    .num_entries = N(entries),
    .entries = entries,
    .num_params = N(params),
    .params = params,
    .globals_bytes = sizeof(struct globals),
    .init = init,
    .fini = fini,
    .num_types = N(types),
    .types = types,
};
