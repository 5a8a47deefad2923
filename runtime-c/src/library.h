/* Contexts and values of libraries. */
#ifndef FUTC_LIBRARY_STATE_H
#define FUTC_LIBRARY_STATE_H

#include "context.h"
#include "futc_library.h"
#include "parts.h"

#include <pthread.h>

/* Values are kept for use by others of 2^i slots. */
#define FUTC_LIBRARY_ROOMS 32

enum futc_value_state { FUTC_VALUE_FREE, FUTC_VALUE_LIVE, FUTC_VALUE_CONSUMED };

/* What users see as `struct futhark_i32_1d` and the like. It is never given back before its context
 * is: one that is used after it was freed is known by its state, unless it is somebody else's by
 * then. */
struct futc_value {
  const struct futhark_context *owner;
  const struct futc_type *type;
  enum futc_value_state state;
  int32_t room;
  struct futc_value *next_free;
  struct futc_value *next; /* of all that were made */
  union futc_slot slots[]; /* a live one owns a reference to each block */
};

struct futhark_context {
  struct futc_context *ctx;
  struct futhark_context_config *config;
  pthread_mutex_t lock; /* one operation at a time */
  char *error;          /* of the last operation that failed, until somebody has asked for it */
  bool broken;          /* could not be opened */
  struct futc_value *unused[FUTC_LIBRARY_ROOMS];
  struct futc_value *all;
  union futc_slot *slots; /* scratch of the operation that goes on */
  size_t num_slots;
};

/* Begins an operation: no other goes on until its end. False, and nothing to be ended, for a context
 * that could not be opened. */
bool futc_library_enter(struct futhark_context *lib);
/* The same for an operation that has a result: false also where there is no place for it. */
bool futc_library_enter_for(struct futhark_context *lib, const void *result);
/* Ends it; returns `code`. */
int futc_library_leave(struct futhark_context *lib, int code);

/* The error of the operation; returns `code`. */
int futc_library_fail(struct futhark_context *lib, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* After a call that failed: its error becomes that of the operation; the code. */
int futc_library_take_error(struct futhark_context *lib);

/* By its number in the program. */
static inline const struct futc_type *futc_library_type(const struct futhark_context *lib,
                                                        int64_t number) {
  return lib->ctx->program->types[number];
}

/* Zeroed; overwritten by the next call. NULL with the operation's error set. */
union futc_slot *futc_library_scratch(struct futhark_context *lib, size_t slots);

/* A value of which the slots are zero, live; NULL with the error set. */
struct futc_value *futc_value_make(struct futhark_context *lib, const struct futc_type *type);
/* The other way, without looking at its blocks. */
void futc_value_discard(struct futhark_context *lib, struct futc_value *v);
/* The value, if it is one of this type and not consumed; else NULL with the error set. */
struct futc_value *futc_value_check(struct futhark_context *lib, const struct futc_type *type,
                                    const void *value);
/* Slots of an argument: those of the value, or `scalar`, which is filled. NULL with the error set. */
const union futc_slot *futc_argument(struct futhark_context *lib, const struct futc_type *type,
                                     const void *argument, union futc_slot *scalar);
/* Whether values of the type are passed by address as they are. */
bool futc_is_scalar(const struct futc_type *type);
/* Hands a value out: the scalar in its slot, or a pointer to it. */
void futc_hand_out(const struct futc_type *type, const union futc_slot *slots,
                   struct futc_value *v, void *out);

#endif
