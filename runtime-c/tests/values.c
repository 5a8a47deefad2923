/* Text and binary values: what is read, how it prints, and what is refused. */
#include "harness.h"

#include "prim.h"
#include "values.h"

#include <unistd.h>

static struct futc_program program;
static struct futc_context *ctx;

/* A descriptor with these bytes to read: a file, or a pipe if they fit into one. */
static int input(const void *data, size_t len, bool pipe_wanted) {
  if (pipe_wanted && len < 60000) {
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], data, len) != (ssize_t)len || close(ends[1]) != 0) {
      abort();
    }
    return ends[0];
  }
  FILE *f = tmpfile();
  if (f == NULL || fwrite(data, 1, len, f) != len || fflush(f) != 0 ||
      lseek(fileno(f), 0, SEEK_SET) != 0) {
    abort();
  }
  int fd = dup(fileno(f));
  (void)fclose(f);
  return fd;
}

/* Reads one value and all of the input; the text of the value, or the message. */
static const char *read_print(const void *data, size_t len, int32_t prim, int32_t rank, bool binary,
                              bool pipe_wanted, size_t *size) {
  static char text[1 << 16];
  struct futc_leaf leaf = {prim, rank};
  union futc_slot slots[1 + FUTC_MAX_RANK];
  int fd = input(data, len, pipe_wanted);
  struct futc_reader r;
  if (!futc_reader_open(&r, fd)) {
    abort();
  }
  bool ok = futc_read_leaf(ctx, &r, leaf, slots);
  bool finished = ok && futc_reader_finish(&r);
  if (finished) {
    FILE *f = tmpfile();
    struct futc_writer *w = malloc(sizeof *w);
    futc_writer_open(w, fileno(f));
    if (binary) {
      futc_write_binary(w, leaf, slots);
    } else {
      futc_write_text(w, leaf, slots);
    }
    CHECK(futc_writer_flush(w));
    free(w);
    ssize_t n = pread(fileno(f), text, sizeof text - 1, 0);
    (void)fclose(f);
    text[n > 0 ? n : 0] = '\0';
    *size = (size_t)(n > 0 ? n : 0);
  } else {
    (void)snprintf(text, sizeof text, "! %s", r.message);
    *size = strlen(text);
  }
  if (ok && rank > 0) {
    futc_release(ctx, slots[0].block);
  }
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
  futc_reader_close(&r);
  (void)close(fd);
  return text;
}

struct row {
  int32_t prim;
  int32_t rank;
  const char *text;
  const char *want;
};

static const struct row rows[] = {
    {FUTC_I32, 0, "5", "5i32"},
    {FUTC_I32, 0, "  -5i32 \n", "-5i32"},
    {FUTC_I32, 0, "+5", "5i32"},
    {FUTC_I32, 0, "-- a comment\n5 -- another", "5i32"},
    {FUTC_I32, 0, "1_000_000", "1000000i32"},
    {FUTC_I32, 0, "0x7fff_ffff", "2147483647i32"},
    {FUTC_I32, 0, "0xFFFFFFFFi32", "-1i32"},
    {FUTC_I32, 0, "0b1010", "10i32"},
    {FUTC_I32, 0, "010", "10i32"},
    {FUTC_I32, 0, "-2147483648", "-2147483648i32"},
    {FUTC_I32, 0, "4294967296", "! '4294967296' is out of range for type i32"},
    {FUTC_I32, 0, "99999999999999999999999",
     "! '99999999999999999999999' is out of range for type i32"},
    {FUTC_I32, 0, "5i64", "! '5i64' is not a valid value for type i32"},
    {FUTC_I32, 0, "5.0", "! '5.0' is not a valid value for type i32"},
    {FUTC_I32, 0, "0x", "! '0x' is not a valid value for type i32"},
    {FUTC_I32, 0, "i32", "! 'i32' is not a valid value for type i32"},
    {FUTC_I32, 0, "-", "! '-' is not a valid value for type i32"},
    {FUTC_I32, 0, "_1", "! '_1' is not a valid value for type i32"},
    {FUTC_I32, 0, "5 6", "! unexpected '6' after the last value"},
    {FUTC_I32, 0, "[5]", "! '[' is not a valid value for type i32"},
    {FUTC_I32, 0, "", "! end of input"},
    {FUTC_I32, 0, "-- only", "! end of input"},
    {FUTC_I32, 0, "true", "! 'true' is not a valid value for type i32"},
    {FUTC_I8, 0, "-128i8", "-128i8"},
    {FUTC_I8, 0, "128", "! '128' is out of range for type i8"},
    {FUTC_I8, 0, "255i8", "! '255i8' is out of range for type i8"},
    {FUTC_I8, 0, "-129", "! '-129' is out of range for type i8"},
    {FUTC_I8, 0, "0xff", "-1i8"},
    {FUTC_I8, 0, "0b10000000", "-128i8"},
    {FUTC_I8, 0, "-0x80", "-128i8"},
    {FUTC_I8, 0, "-0x81", "! '-0x81' is out of range for type i8"},
    {FUTC_I64, 0, "9223372036854775807", "9223372036854775807i64"},
    {FUTC_I64, 0, "9223372036854775808", "! '9223372036854775808' is out of range for type i64"},
    {FUTC_U8, 0, "-0", "0u8"},
    {FUTC_U8, 0, "-1", "! '-1' is out of range for type u8"},
    {FUTC_U64, 0, "-1u64", "! '-1u64' is out of range for type u64"},
    {FUTC_I8, 1, "[1,128,2]", "! '128' is out of range for type i8"},
    {FUTC_I64, 1, "[1,9223372036854775808,2]",
     "! '9223372036854775808' is out of range for type i64"},
    {FUTC_I8, 0, "256", "! '256' is out of range for type i8"},
    {FUTC_I16, 0, "-0x8000", "-32768i16"},
    {FUTC_I64, 0, "-9223372036854775808", "-9223372036854775808i64"},
    {FUTC_I64, 0, "18446744073709551616", "! '18446744073709551616' is out of range for type i64"},
    {FUTC_U8, 0, "255", "255u8"},
    {FUTC_U8, 0, "256", "! '256' is out of range for type u8"},
    {FUTC_U8, 0, "-129", "! '-129' is out of range for type u8"},
    {FUTC_U16, 0, "65535u16", "65535u16"},
    {FUTC_U32, 0, "4294967295", "4294967295u32"},
    {FUTC_U64, 0, "18446744073709551615", "18446744073709551615u64"},
    {FUTC_U64, 0, "0xffffffffffffffff", "18446744073709551615u64"},
    {FUTC_U64, 0, "18446744073709551616", "! '18446744073709551616' is out of range for type u64"},
    {FUTC_F16, 0, "1.000488281250001", "1.001f16"},
    {FUTC_F16, 0, "1.00048828125", "1.0f16"},
    {FUTC_F16, 0, "1.0004882812500000000000001", "1.001f16"},
    {FUTC_F16, 0, "1.0014648437499999999999999", "1.001f16"},
    {FUTC_F16, 0, "1.0014648437499998", "1.001f16"},
    {FUTC_F16, 0, "1.0004882812500002", "1.001f16"},
    {FUTC_F16, 0, "65519.99999999999999999999", "65500.0f16"},
    {FUTC_BOOL, 0, "true", "true"},
    {FUTC_BOOL, 0, "false", "false"},
    {FUTC_BOOL, 0, "1", "! '1' is not a valid value for type bool"},
    {FUTC_BOOL, 0, "truef", "! 'truef' is not a valid value for type bool"},
    {FUTC_F32, 0, "1", "1.0f32"},
    {FUTC_F32, 0, "1.5f32", "1.5f32"},
    {FUTC_F32, 0, "1e-3", "0.001f32"},
    {FUTC_F32, 0, "f32.nan", "f32.nan"},
    {FUTC_F32, 0, "f32.inf", "f32.inf"},
    {FUTC_F32, 0, "-f32.inf", "-f32.inf"},
    {FUTC_F32, 0, "f64.inf", "! 'f64.inf' is not a valid value for type f32"},
    {FUTC_F32, 0, "1.0f64", "! '1.0f64' is not a valid value for type f32"},
    {FUTC_F32, 0, "0x1.8p1f32", "3.0f32"},
    {FUTC_F64, 0, "-0.0", "-0.0f64"},
    {FUTC_F64, 0, "1_0.2_5", "10.25f64"},
    {FUTC_F64, 0, "0x1ff64", "130916.0f64"},
    {FUTC_F64, 0, "1e", "! '1e' is not a valid value for type f64"},
    {FUTC_F64, 0, "nan", "! 'nan' is not a valid value for type f64"},
    {FUTC_F64, 0, "-f64.inf", "-f64.inf"},
    {FUTC_F16, 0, "0.1f16", "0.1f16"},
    {FUTC_F16, 0, "f16.nan", "f16.nan"},
    {FUTC_F16, 0, "1e5", "f16.inf"},
    {FUTC_I32, 1, "[1,2i32, 0x3]", "[1i32, 2i32, 3i32]"},
    {FUTC_I32, 1, "[ 1 -- one\n, 2]", "[1i32, 2i32]"},
    {FUTC_I32, 1, "[]", "! an empty array must be written empty([0]...)"},
    {FUTC_I32, 1, "empty([0]i32)", "empty([0]i32)"},
    {FUTC_I32, 2, "empty([0][2]i32)", "empty([0][2]i32)"},
    {FUTC_I32, 2, " empty ( [ 3 ] [ 0 ] i32 ) ", "empty([3][0]i32)"},
    {FUTC_I32, 2, "[[],[]]", "! an empty array must be written empty([0]...)"},
    {FUTC_I32, 2, "[[1,2],[3,4],[5,6]]", "[[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]]"},
    {FUTC_I32, 3, "[[[1],[2]],[[3],[4]]]", "[[[1i32], [2i32]], [[3i32], [4i32]]]"},
    {FUTC_I8, 1, "[127,-128, -127,0x7f,1_0,+3,7i8,\n8]",
     "[127i8, -128i8, -127i8, 127i8, 10i8, 3i8, 7i8, 8i8]"},
    {FUTC_I8, 1, "[1,256,2]", "! '256' is out of range for type i8"},
    {FUTC_I8, 1, "[1,-129,2]", "! '-129' is out of range for type i8"},
    {FUTC_U8, 1, "[1,255,256,2]", "! '256' is out of range for type u8"},
    {FUTC_U8, 1, "[1,-129,2]", "! '-129' is out of range for type u8"},
    {FUTC_U64, 1, "[999999999999999999,18446744073709551615,1,]",
     "! ']' is not a valid value for type u64"},
    {FUTC_I64, 1, "[-999999999999999999,-9223372036854775808,1]",
     "[-999999999999999999i64, -9223372036854775808i64, 1i64]"},
    {FUTC_I32, 1, "[1i32,2i64,3]", "! '2i64' is not a valid value for type i32"},
    {FUTC_I32, 1, "[1,-- two\n2,3 ,4]", "[1i32, 2i32, 3i32, 4i32]"},
    {FUTC_I32, 1, "[1,,2]", "! ',' is not a valid value for type i32"},
    {FUTC_BOOL, 1, "[true,false]", "[true, false]"},
    {FUTC_F64, 1, "[1,f64.nan,-1.5]", "[1.0f64, f64.nan, -1.5f64]"},
    {FUTC_U8, 1, "\"a\\n\\\"b\"", "[97u8, 10u8, 34u8, 98u8]"},
    {FUTC_U8, 1, "\"\\x41\\66;\\955\"", "[65u8, 66u8, 59u8, 206u8, 187u8]"},
    {FUTC_U8, 1, "\"\"", "empty([0]u8)"},
    {FUTC_U8, 2, "[\"ab\", \"cd\"]", "[[97u8, 98u8], [99u8, 100u8]]"},
    {FUTC_U8, 2, "[\"ab\", [1, 2]]", "[[97u8, 98u8], [1u8, 2u8]]"},
    {FUTC_U8, 2, "[\"ab\", \"c\"]", "! irregular array: one row has 2 elements, another 1"},
    {FUTC_U8, 1, "\"ab", "! the input ends within a string"},
    {FUTC_U8, 1, "\"\\q\"", "! an invalid escape in a string"},
    {FUTC_U8, 1, "\"\\x999999999\"", "! an escape in a string is out of range"},
    {FUTC_I32, 1, "\"ab\"", "! expected an array of 1 dimensions of i32, but got '\"'"},
    {FUTC_I32, 2, "[]", "! an empty array must be written empty([0]...)"},
    {FUTC_I32, 2, "[[1,2],[3]]", "! irregular array: one row has 2 elements, another 1"},
    {FUTC_I32, 3, "[[[1],[2]],[[3]]]", "! irregular array: one row has 2 elements, another 1"},
    {FUTC_I32, 3, "[[[1]],[]]", "! an empty array must be written empty([0]...)"},
    {FUTC_I32, 1, "[1,2", "! expected ',' or ']', but the input ends"},
    {FUTC_I32, 1, "[1,", "! expected i32, but the input ends"},
    {FUTC_I32, 1, "[", "! expected i32, but the input ends"},
    {FUTC_I32, 1, "[1,]", "! ']' is not a valid value for type i32"},
    {FUTC_I32, 1, "[1 2]", "! expected ',' or ']', but got '2'"},
    {FUTC_I32, 1, "[,]", "! ',' is not a valid value for type i32"},
    {FUTC_I32, 1, "5", "! expected an array of 1 dimensions of i32, but got '5'"},
    {FUTC_I32, 1, "[[1]]", "! '[' is not a valid value for type i32"},
    {FUTC_I32, 2, "[1]", "! expected '[', but got '1'"},
    {FUTC_I32, 2, "[[1] [2]]", "! expected ',' or ']', but got '['"},
    {FUTC_I32, 2, "[[1],]", "! expected '[', but got ']'"},
    {FUTC_I32, 1, "[1.0]", "! '1.0' is not a valid value for type i32"},
    {FUTC_I32, 1, "empty([1]i32)", "! an empty array must have a size of 0"},
    {FUTC_I32, 1, "empty([0]i64)", "! expected 'i32', but got 'i64'"},
    {FUTC_I32, 1, "empty([0][0]i32)", "! expected 'i32', but got '['"},
    {FUTC_I32, 2, "empty([-1][0]i32)", "! a negative size"},
    {FUTC_I32, 1, "empty", "! expected '(', but the input ends"},
    {FUTC_I32, 1, "[1]]", "! unexpected ']' after the last value"},
    {FUTC_I32, 0, "\x01", "! '?' is not a valid value for type i32"},
};

static void texts(void) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t size = 0;
    CHECK_TEXT(read_print(rows[i].text, strlen(rows[i].text), rows[i].prim, rows[i].rank, false,
                          i % 2 == 0, &size),
               rows[i].want);
  }
}

#define BINARY(bytes, prim, rank, want)                                                            \
  do {                                                                                             \
    for (int piped = 0; piped < 2; piped++) {                                                      \
      size_t size = 0;                                                                             \
      CHECK_TEXT(read_print(bytes, sizeof bytes - 1, prim, rank, false, piped != 0, &size), want); \
    }                                                                                              \
  } while (0)

static void binaries(void) {
  BINARY(" \n b\x02\0 i32\x05\0\0\0", FUTC_I32, 0, "5i32");
  BINARY("-- comment\nb\x02\0 i32\x05\0\0\0 \n", FUTC_I32, 0, "5i32");
  BINARY("b\x02\x01 i16\x02\0\0\0\0\0\0\0\x01\0\xff\xff", FUTC_I16, 1, "[1i16, -1i16]");
  BINARY("b\x02\x01"
         "bool\x02\0\0\0\0\0\0\0\x01\x07",
         FUTC_BOOL, 1, "[true, true]");
  BINARY("b\x02\x02 f32\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f", FUTC_F32, 2,
         "empty([0][9223372036854775807]f32)");
  BINARY("b", FUTC_I32, 0, "! binary input ends within the header");
  BINARY("b\x02\0 i3", FUTC_I32, 0, "! binary input ends within the header");
  BINARY("b\x03\0 i32\x05\0\0\0", FUTC_I32, 0,
         "! binary data of version 3; only version 2 is known");
  BINARY("b\x02\x01 i32\x05\0\0\0\0\0\0\0", FUTC_I32, 0,
         "! expected 0 dimensions, but the binary value has 1");
  BINARY("b\x02\0 i64\x05\0\0\0\0\0\0\0", FUTC_I32, 0,
         "! expected i32, but the binary value has type i64");
  BINARY("b\x02\0 x64\x05\0\0\0\0\0\0\0", FUTC_I32, 0, "! unknown binary element type ' x64'");
  BINARY("b\x02\0 i32\x05\0", FUTC_I32, 0, "! binary input ends within the value");
  BINARY("b\x02\x01 i32\x05\0\0", FUTC_I32, 1, "! binary input ends within the sizes");
  BINARY("b\x02\x01 i32\0\0\0\0\0\0\0\x80", FUTC_I32, 1,
         "! the sizes of the binary array are too large");
  BINARY("b\x02\x01 i32\0\0\0\0\0\0\0\x40", FUTC_I32, 1,
         "! the sizes of the binary array are too large");
  BINARY("b\x02\x02  i8\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0", FUTC_I8, 2,
         "! the sizes of the binary array are too large");
  BINARY("b\x02\0 i32\x05\0\0\0x", FUTC_I32, 0, "! unexpected 'x' after the last value");
  static const char truncated[] = "b\x02\x01 i32\x03\0\0\0\0\0\0\0\x01\0\0\0";
  static const char absurd[] = "b\x02\x01  i8\0\0\0\0\0\0\0\x40zzzz";
  size_t size = 0;
  CHECK_TEXT(read_print(truncated, sizeof truncated - 1, FUTC_I32, 1, false, false, &size),
             "! the array has 12 bytes, but only 4 bytes of input are left");
  CHECK_TEXT(read_print(truncated, sizeof truncated - 1, FUTC_I32, 1, false, true, &size),
             "! the array has 12 bytes, but the input ends after 4");
  CHECK_TEXT(read_print(absurd, sizeof absurd - 1, FUTC_I8, 1, false, false, &size),
             "! the array has 4611686018427387904 bytes, but only 4 bytes of input are left");
  int64_t before = ctx->heap.statistics[0].peak_bytes;
  CHECK_TEXT(read_print(absurd, sizeof absurd - 1, FUTC_I8, 1, false, true, &size),
             "! the array has 4611686018427387904 bytes, but the input ends after 4");
  CHECK(ctx->heap.statistics[0].peak_bytes <= before + (65 << 20));
}

/* Random bits of every type: binary to text and back, and binary to binary with all NaNs. */
static void round_trips(void) {
  uint64_t seed = 7;
  for (int32_t prim = 0; prim < FUTC_NUM_PRIMS; prim++) {
    for (int32_t rank = 0; rank <= 3; rank++) {
      unsigned char data[3 + 4 + 24 + 8 * 60];
      int64_t shape[3] = {3, 4, 5};
      int64_t count = 1;
      size_t n = 0;
      data[n++] = 'b';
      data[n++] = 2;
      data[n++] = (unsigned char)rank;
      memcpy(data + n, futc_prims[prim].binary_name, 4);
      n += 4;
      for (int32_t i = 0; i < rank; i++) {
        memcpy(data + n, &shape[i], 8);
        n += 8;
        count *= shape[i];
      }
      for (int64_t i = 0; i < count; i++) {
        uint64_t bits = next_random(&seed);
        bits = prim == FUTC_BOOL ? bits & 1 : bits;
        memcpy(data + n, &bits, (size_t)futc_prims[prim].size);
        n += (size_t)futc_prims[prim].size;
      }
      size_t size = 0;
      const char *same = read_print(data, n, prim, rank, true, rank % 2 == 0, &size);
      CHECK(size == n && memcmp(same, data, n) == 0);
      char *text = strdup(read_print(data, n, prim, rank, false, true, &size));
      char *again = strdup(read_print(text, strlen(text), prim, rank, false, false, &size));
      CHECK_TEXT(again, text);
      if (strstr(text, "nan") == NULL) {
        same = read_print(text, strlen(text), prim, rank, true, true, &size);
        CHECK(size == n && memcmp(same, data, n) == 0);
      }
      free(text);
      free(again);
    }
  }
}

/* Several values of both kinds on one stream, and words across buffer ends. */
static void mixed_stream(void) {
  size_t len = 700000;
  char *data = malloc(len + 64);
  memset(data, ' ', len);
  for (size_t at = 262130; at < 262160; at++) {
    memset(data, ' ', len);
    memcpy(data + at, "[1234567,89]", 12);
    memcpy(data + len - 20, "b\x02\0  u8\x2a 7", 10);
    int fd = input(data, len, false);
    struct futc_reader r;
    CHECK(futc_reader_open(&r, fd));
    union futc_slot a[2];
    union futc_slot b;
    union futc_slot c;
    CHECK(futc_read_leaf(ctx, &r, (struct futc_leaf){FUTC_I32, 1}, a));
    CHECK(futc_read_leaf(ctx, &r, (struct futc_leaf){FUTC_U8, 0}, &b));
    CHECK(futc_read_leaf(ctx, &r, (struct futc_leaf){FUTC_I64, 0}, &c));
    CHECK(futc_reader_finish(&r));
    CHECK(a[1].i64 == 2 && ((int32_t *)a[0].block)[0] == 1234567 &&
          ((int32_t *)a[0].block)[1] == 89 && b.bits == 42 && c.i64 == 7);
    futc_release(ctx, a[0].block);
    futc_reader_close(&r);
    (void)close(fd);
  }
  /* A word that never ends. */
  memset(data, '1', len);
  data[len] = ' ';
  size_t size = 0;
  CHECK(strncmp(read_print(data, len, FUTC_F64, 0, false, false, &size), "f64.inf", 7) == 0);
  free(data);
  data = malloc(3 << 20);
  memset(data, 'x', 3 << 20);
  CHECK_TEXT(read_print(data, 3 << 20, FUTC_F64, 0, false, false, &size),
             "! a word of more than 1048576 bytes");
  free(data);
}

int main(void) {
  ctx = empty_context(&program);
  texts();
  binaries();
  round_trips();
  mixed_stream();
  futc_context_close(ctx);
  return report();
}
