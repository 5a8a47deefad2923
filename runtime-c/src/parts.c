/* What values consist of: whole values, fields and payloads. */
#include "parts.h"

#include "prim.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PRIM(P, NAME)                                                                              \
  [P] = {.name = NAME,                                                                             \
         .kind = FUTC_TRANSPARENT,                                                                 \
         .num_leaves = 1,                                                                          \
         .leaves = &(const struct futc_leaf){P, 0}}

static const struct futc_type prim_types[FUTC_NUM_PRIMS] = {
    PRIM(FUTC_I8, "i8"),   PRIM(FUTC_I16, "i16"), PRIM(FUTC_I32, "i32"), PRIM(FUTC_I64, "i64"),
    PRIM(FUTC_U8, "u8"),   PRIM(FUTC_U16, "u16"), PRIM(FUTC_U32, "u32"), PRIM(FUTC_U64, "u64"),
    PRIM(FUTC_F16, "f16"), PRIM(FUTC_F32, "f32"), PRIM(FUTC_F64, "f64"), PRIM(FUTC_BOOL, "bool"),
};

const struct futc_type *futc_prim_type(int32_t prim) {
  return &prim_types[prim];
}

bool futc_same_type(const struct futc_type *a, const struct futc_type *b) {
  return a == b || strcmp(a->name, b->name) == 0;
}

/* ---- Whole values. ---- */

void *futc_value_block(struct futc_context *ctx, int64_t bytes, char why[FUTC_WHY]) {
  const char *reason = NULL;
  void *block = futc_heap_allocate(&ctx->heap, bytes, futc_context_input_space(ctx), &reason);
  if (block == NULL) {
    (void)snprintf(why, FUTC_WHY, "cannot allocate %" PRId64 " bytes: %s", bytes, reason);
  }
  return block;
}

void futc_share_value(struct futc_context *ctx, union futc_slot *to, const struct futc_type *type,
                      const union futc_slot *from) {
  memcpy(to, from, (size_t)futc_type_slots(type) * sizeof *to);
  futc_retain_value(ctx, type, from);
}

bool futc_own_value(struct futc_context *ctx, const struct futc_type *type, union futc_slot *slots,
                    char why[FUTC_WHY]) {
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    if (leaf.rank > 0 && futc_heap_references(slots->block) > 1) {
      int64_t bytes = futc_heap_block_size(slots->block);
      void *own = futc_value_block(ctx, bytes, why);
      if (own == NULL) {
        return false;
      }
      memcpy(own, slots->block, (size_t)bytes);
      futc_release(ctx, slots->block);
      slots->block = own;
    }
    slots += futc_leaf_slots(leaf);
  }
  return true;
}

/* ---- Records. ---- */

const union futc_slot *futc_field_slots(const struct futc_type *type, const union futc_slot *slots,
                                        int64_t field) {
  for (int64_t i = 0; i < field; i++) {
    slots += futc_type_slots(type->fields[i].type);
  }
  return slots;
}

/* ---- Sums. ---- */

const struct futc_constructor *futc_variant(const struct futc_type *type,
                                            const union futc_slot *slots) {
  uint64_t tag = slots[0].bits & 0xff;
  return tag < (uint64_t)type->num_fields ? &type->constructors[tag] : NULL;
}

/* The first slot of a leaf. */
static int64_t slot_of_leaf(const struct futc_type *type, int64_t leaf) {
  int64_t n = 0;
  for (int64_t i = 0; i < leaf; i++) {
    n += futc_leaf_slots(type->leaves[i]);
  }
  return n;
}

/* Leaves that the constructor does not use: zeros, and empty arrays. */
static bool fill_unused(struct futc_context *ctx, const struct futc_type *type,
                        union futc_slot *slots, char why[FUTC_WHY]) {
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    if (leaf.rank > 0 && slots->block == NULL) {
      slots->block = futc_value_block(ctx, 0, why);
      if (slots->block == NULL) {
        return false;
      }
    }
    slots += futc_leaf_slots(leaf);
  }
  return true;
}

bool futc_construct(struct futc_context *ctx, const struct futc_type *type, int64_t tag,
                    const union futc_slot *const *payloads, union futc_slot *to,
                    char why[FUTC_WHY]) {
  const struct futc_constructor *c = &type->constructors[tag];
  memset(to, 0, (size_t)futc_type_slots(type) * sizeof *to);
  to[0].bits = (uint64_t)tag;
  int64_t next = 0;
  for (int64_t i = 0; i < c->num_payloads; i++) {
    const struct futc_type *payload = c->payloads[i];
    const union futc_slot *from = payloads[i];
    futc_retain_value(ctx, payload, from);
    for (int64_t j = 0; j < payload->num_leaves; j++) {
      int64_t n = futc_leaf_slots(payload->leaves[j]);
      memcpy(to + slot_of_leaf(type, c->leaves[next++]), from, (size_t)n * sizeof *from);
      from += n;
    }
  }
  if (!fill_unused(ctx, type, to, why)) {
    futc_release_value(ctx, type, to);
    return false;
  }
  return true;
}

void futc_destruct(struct futc_context *ctx, const struct futc_type *type,
                   const struct futc_constructor *c, int64_t payload, const union futc_slot *from,
                   union futc_slot *to) {
  int64_t next = 0;
  for (int64_t i = 0; i < payload; i++) {
    next += c->payloads[i]->num_leaves;
  }
  const struct futc_type *what = c->payloads[payload];
  union futc_slot *at = to;
  for (int64_t j = 0; j < what->num_leaves; j++) {
    int64_t n = futc_leaf_slots(what->leaves[j]);
    memcpy(at, from + slot_of_leaf(type, c->leaves[next++]), (size_t)n * sizeof *at);
    at += n;
  }
  futc_retain_value(ctx, what, to);
}
