/* Calls of entry points with arguments that lie in memory of others.
 *
 * Compiled code reads arguments by address and assumes no more than the alignment of an element, so that any
 * memory will do. It also counts references, in a header that such memory lacks: the heap knows which
 * addresses are lent, and leaves their counts alone (block.h). What remains is results that are arguments.
 */
#include "lend.h"

#include "prim.h"
#include "values.h"

#include <string.h>

int64_t futc_leaf_bytes(struct futc_leaf leaf, const union futc_slot *slots) {
  int64_t count = 0;
  int64_t size = futc_prims[leaf.prim].size;
  (void)futc_element_count(&slots[1].i64, leaf.rank, size, &count);
  return count * size;
}

int futc_copy_leaf(struct futhark_context *lib, struct futc_leaf leaf, union futc_slot *slots) {
  char why[FUTC_WHY];
  int64_t bytes = futc_leaf_bytes(leaf, slots);
  void *own = futc_value_block(lib->ctx, bytes, why);
  if (own == NULL) {
    return futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
  }
  if (!futc_context_copy(lib->ctx, own, slots[0].block, bytes)) {
    futc_release(lib->ctx, own);
    return futc_library_take_error(lib);
  }
  slots[0].block = own;
  return FUTC_SUCCESS;
}

/* Results that are lent memory become copies; a code. */
static int own_results(struct futhark_context *lib, const struct futc_type *type,
                       const struct futc_lent *lent, union futc_slot *results) {
  union futc_slot *slot = results;
  int code = FUTC_SUCCESS;
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    if (leaf.rank > 0 && futc_is_lent(lent, slot->block)) {
      int copied = futc_copy_leaf(lib, leaf, slot);
      if (copied != FUTC_SUCCESS) {
        slot->block = NULL;
        code = copied;
      }
    }
    slot += futc_leaf_slots(leaf);
  }
  if (code != FUTC_SUCCESS) {
    futc_release_value(lib->ctx, type, results);
  }
  return code;
}

int futc_library_call_lending(struct futhark_context *lib, const struct futc_entry *entry,
                              const union futc_slot *in, const struct futc_lent *lent,
                              union futc_slot *results) {
  futc_heap_lend(&lib->ctx->heap, lent);
  bool ok = futc_call(lib->ctx, entry, in, results) == 0;
  futc_heap_lend(&lib->ctx->heap, NULL);
  if (!ok) {
    return futc_library_take_error(lib);
  }
  return lent->count == 0 ? FUTC_SUCCESS : own_results(lib, entry->result, lent, results);
}
