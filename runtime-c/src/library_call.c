/* Libraries: calling entry points.
 *
 * A consumed argument is the program's to overwrite. Values that were made of each other share
 * blocks; such a block is copied before it is consumed, so that the others stay what they are.
 */
#include "error.h"
#include "library.h"
#include "values.h"

#include <string.h>

/* Whether the argument is given for another parameter too. */
static bool given_twice(const struct futc_entry *e, const void *const *in, int64_t number) {
  for (int64_t i = 0; i < e->num_inputs; i++) {
    if (i != number && !futc_is_scalar(e->inputs[i].type) && in[i] == in[number]) {
      return true;
    }
  }
  return false;
}

/* The arguments' slots; a code. Nothing is consumed. */
static int gather_arguments(struct futhark_context *lib, const struct futc_entry *e,
                            const void *const *in, union futc_slot *slots) {
  for (int64_t i = 0; i < e->num_inputs; i++) {
    const struct futc_type *type = e->inputs[i].type;
    union futc_slot scalar;
    if (futc_argument(lib, type, in[i], &scalar) == NULL) {
      return FUTC_PROGRAM_ERROR;
    }
    if (e->inputs[i].unique != 0 && !futc_is_scalar(type)) {
      if (given_twice(e, in, i)) {
        return futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                                 "%s: argument %s is consumed, and used again in the same call",
                                 e->name, e->inputs[i].name);
      }
      char why[FUTC_WHY];
      struct futc_value *v = futc_value_check(lib, type, in[i]);
      if (v == NULL || !futc_own_value(lib->ctx, type, v->slots, why)) {
        return futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
      }
    }
    int64_t n = futc_type_slots(type);
    memcpy(slots, futc_argument(lib, type, in[i], &scalar), (size_t)n * sizeof *slots);
    slots += n;
  }
  return FUTC_SUCCESS;
}

static void consume(struct futhark_context *lib, const struct futc_entry *e,
                    const void *const *in) {
  for (int64_t i = 0; i < e->num_inputs; i++) {
    const struct futc_type *type = e->inputs[i].type;
    if (e->inputs[i].unique != 0 && !futc_is_scalar(type)) {
      futc_value_check(lib, type, in[i])->state = FUTC_VALUE_CONSUMED;
    }
  }
}

static int call_entry(struct futhark_context *lib, const struct futc_entry *e, void *out,
                      const void *const *in) {
  size_t in_slots = 0;
  for (int64_t i = 0; i < e->num_inputs; i++) {
    in_slots += (size_t)futc_type_slots(e->inputs[i].type);
  }
  size_t out_slots = (size_t)futc_type_slots(e->result);
  union futc_slot *slots = futc_library_scratch(lib, in_slots + out_slots);
  if (slots == NULL) {
    return FUTC_OUT_OF_MEMORY;
  }
  int code = gather_arguments(lib, e, in, slots);
  if (code != FUTC_SUCCESS) {
    return code;
  }
  /* Before the call, as results cannot be taken back. */
  bool scalar = futc_is_scalar(e->result);
  struct futc_value *v = scalar ? NULL : futc_value_make(lib, e->result);
  if (v == NULL && !scalar) {
    return FUTC_OUT_OF_MEMORY;
  }
  consume(lib, e, in);
  union futc_slot *results = v != NULL ? v->slots : slots + in_slots;
  if (futc_call(lib->ctx, e, slots, results) != 0) {
    if (v != NULL) {
      futc_value_discard(lib, v);
    }
    return futc_library_take_error(lib);
  }
  futc_hand_out(e->result, results, v, out);
  return FUTC_SUCCESS;
}

int futc_library_call(struct futhark_context *lib, int64_t entry, void *out,
                      const void *const *in) {
  if (!futc_library_enter_for(lib, out)) {
    return FUTC_PROGRAM_ERROR;
  }
  return futc_library_leave(lib, call_entry(lib, &lib->ctx->program->entries[entry], out, in));
}
