/* The binary data format: `b`, version, rank, type, sizes, elements. Arrays are read straight into
 * their blocks. */
#include "values.h"

#include "prim.h"

#include <inttypes.h>
#include <string.h>

#define VERSION 2
/* From a pipe, a declared size is believed this far before data has come. */
#define TRUSTED_BYTES (INT64_C(64) << 20)

_Static_assert(sizeof(union futc_slot) == sizeof(int64_t), "the sizes in slots are an array");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are copied as they are");

static bool read_exactly(struct futc_reader *r, void *out, size_t bytes, const char *what) {
  size_t got = 0;
  if (!futc_reader_bytes(r, out, bytes, &got)) {
    return false;
  }
  if (got != bytes) {
    return futc_reader_fail(r, "binary input ends within the %s", what);
  }
  return true;
}

/* Bools other than 0 and 1 would be undefined behaviour in compiled code. */
static void normalise(int32_t prim, void *data, int64_t count) {
  if (prim == FUTC_BOOL) {
    uint8_t *bytes = data;
    for (int64_t i = 0; i < count; i++) {
      bytes[i] = bytes[i] != 0;
    }
  }
}

static bool out_of_memory(struct futc_reader *r, int64_t bytes, const char *why) {
  return futc_reader_fail(r, "cannot allocate %" PRId64 " bytes: %s", bytes, why);
}

static bool read_elements(struct futc_context *ctx, struct futc_reader *r, int64_t bytes,
                          void **result) {
  int64_t remaining = futc_reader_remaining(r);
  if (remaining >= 0 && bytes > remaining) {
    return futc_reader_fail(
        r, "the array has %" PRId64 " bytes, but only %" PRId64 " bytes of input are left", bytes,
        remaining);
  }
  int64_t have = remaining >= 0 || bytes <= TRUSTED_BYTES ? bytes : TRUSTED_BYTES;
  const char *why = NULL;
  void *block = futc_heap_allocate(&ctx->heap, have, futc_context_input_space(ctx), &why);
  if (block == NULL) {
    return out_of_memory(r, have, why);
  }
  int64_t done = 0;
  for (;;) {
    size_t got = 0;
    bool ok = futc_reader_bytes(r, (char *)block + done, (size_t)(have - done), &got);
    done += (int64_t)got;
    if (!ok || done != have) {
      futc_release(ctx, block);
      return ok ? futc_reader_fail(
                      r, "the array has %" PRId64 " bytes, but the input ends after %" PRId64,
                      bytes, done)
                : false;
    }
    if (done == bytes) {
      *result = block;
      return true;
    }
    have = have > bytes / 2 ? bytes : have * 2;
    void *larger = futc_heap_resize(&ctx->heap, block, have, &why);
    if (larger == NULL) {
      futc_release(ctx, block);
      return out_of_memory(r, have, why);
    }
    block = larger;
  }
}

bool futc_read_binary(struct futc_context *ctx, struct futc_reader *r, struct futc_leaf leaf,
                      union futc_slot *slots) {
  unsigned char header[6];
  if (!read_exactly(r, header, sizeof header, "header")) {
    return false;
  }
  if (header[0] != VERSION) {
    return futc_reader_fail(r, "binary data of version %d; only version %d is known", header[0],
                            VERSION);
  }
  if (header[1] != leaf.rank) {
    return futc_reader_fail(r, "expected %d dimensions, but the binary value has %d", leaf.rank,
                            header[1]);
  }
  int32_t prim = futc_prim_of_binary_name((const char *)header + 2);
  if (prim < 0) {
    return futc_reader_fail(r, "unknown binary element type '%.4s'", (const char *)header + 2);
  }
  if (prim != leaf.prim) {
    return futc_reader_fail(r, "expected %s, but the binary value has type %s",
                            futc_prims[leaf.prim].name, futc_prims[prim].name);
  }
  int64_t size = futc_prims[prim].size;
  if (leaf.rank == 0) {
    slots->bits = 0;
    if (!read_exactly(r, &slots->bits, (size_t)size, "value")) {
      return false;
    }
    normalise(prim, &slots->bits, 1);
    return true;
  }

  int64_t shape[FUTC_MAX_RANK];
  int64_t count = 0;
  if (!read_exactly(r, shape, (size_t)leaf.rank * sizeof shape[0], "sizes")) {
    return false;
  }
  if (!futc_element_count(shape, leaf.rank, size, &count)) {
    return futc_reader_fail(r, "the sizes of the binary array are too large");
  }
  void *block = NULL;
  if (!read_elements(ctx, r, count * size, &block)) {
    return false;
  }
  normalise(prim, block, count);
  slots[0].block = block;
  for (int32_t i = 0; i < leaf.rank; i++) {
    slots[1 + i].i64 = shape[i];
  }
  return true;
}

void futc_write_binary(struct futc_writer *w, struct futc_leaf leaf, const union futc_slot *slots) {
  char header[3] = {'b', VERSION, (char)leaf.rank};
  int64_t size = futc_prims[leaf.prim].size;
  futc_writer_bytes(w, header, sizeof header);
  futc_writer_bytes(w, futc_prims[leaf.prim].binary_name, 4);
  if (leaf.rank == 0) {
    futc_writer_bytes(w, &slots->bits, (size_t)size);
    return;
  }
  int64_t count = 0;
  (void)futc_element_count(&slots[1].i64, leaf.rank, size, &count);
  futc_writer_bytes(w, &slots[1].i64, (size_t)leaf.rank * 8);
  futc_writer_bytes(w, slots[0].block, (size_t)(count * size));
}
