/* Calls of entry points with arguments that lie in memory of others. */
#ifndef FUTC_LEND_H
#define FUTC_LEND_H

#include "library.h"

/* Calls an entry point, inside of an operation of the context. `in` holds the leaves of the arguments; a block
 * among them may be one of `lent`, which is read during the call and not known to anybody afterwards: a
 * result that is the same memory is copied. References of consumed arguments are taken over, also by a call
 * that fails. A code; results have blocks if it is FUTC_SUCCESS. */
int futc_library_call_lending(struct futhark_context *lib, const struct futc_entry *entry,
                              const union futc_slot *in, const struct futc_lent *lent,
                              union futc_slot *results);

/* The bytes of an array's elements. */
int64_t futc_leaf_bytes(struct futc_leaf leaf, const union futc_slot *slots);

/* Copies the array's elements into a block of its own; a code, with the operation's error set. The reference to
 * the block before is not released. */
int futc_copy_leaf(struct futhark_context *lib, struct futc_leaf leaf, union futc_slot *slots);

#endif
