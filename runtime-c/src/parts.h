/* What values consist of, as the outside sees it: fields of records, payloads of sums, elements of
 * arrays of either. The server and libraries work on values by these functions.
 *
 * An array of rank r over an element type has the element's leaves, each with r more dimensions in
 * front. Functions that fail say why in `why`, and leave nothing allocated unless they say so. What
 * is made of other values shares their blocks, and holds references of its own.
 */
#ifndef FUTC_PARTS_H
#define FUTC_PARTS_H

#include "context.h"

#define FUTC_WHY 256

/* A scalar type. */
const struct futc_type *futc_prim_type(int32_t prim);
/* Types of one name are the same. */
bool futc_same_type(const struct futc_type *a, const struct futc_type *b);

/* A block where the program expects those of its inputs; NULL on failure. */
void *futc_value_block(struct futc_context *ctx, int64_t bytes, char why[FUTC_WHY]);
/* Copies a value. */
void futc_share_value(struct futc_context *ctx, union futc_slot *to, const struct futc_type *type,
                      const union futc_slot *from);
/* Gives a value blocks that no one else has, copying those that are shared. */
bool futc_own_value(struct futc_context *ctx, const struct futc_type *type, union futc_slot *slots,
                    char why[FUTC_WHY]);

/* The first slot of a field, of a record or of an array of records. */
const union futc_slot *futc_field_slots(const struct futc_type *type, const union futc_slot *slots,
                                        int64_t field);

/* That of a value of a sum type; NULL if its tag is not one. */
const struct futc_constructor *futc_variant(const struct futc_type *type,
                                            const union futc_slot *slots);
/* `payloads` are the slots of the payloads. The value has zeros and empty arrays where the
 * constructor has nothing. */
bool futc_construct(struct futc_context *ctx, const struct futc_type *type, int64_t tag,
                    const union futc_slot *const *payloads, union futc_slot *to,
                    char why[FUTC_WHY]);
/* Copies a payload out of a value that the constructor made. */
void futc_destruct(struct futc_context *ctx, const struct futc_type *type,
                   const struct futc_constructor *c, int64_t payload, const union futc_slot *from,
                   union futc_slot *to);

struct futc_array_view {
  int32_t rank;
  const struct futc_type *element;
};

/* False for types that are not those of arrays. */
bool futc_view_array(const struct futc_type *type, struct futc_array_view *view);
/* The number of an element, in row-major order. */
bool futc_array_position(struct futc_array_view view, const union futc_slot *slots,
                         const int64_t *index, int64_t *position, char why[FUTC_WHY]);
/* Copies an element out. */
bool futc_array_get(struct futc_context *ctx, const struct futc_type *type,
                    struct futc_array_view view, const union futc_slot *slots, int64_t position,
                    union futc_slot *element, char why[FUTC_WHY]);
/* Whether an element has the shape that the array's elements have. */
bool futc_array_fits(const struct futc_type *type, int32_t rank, const union futc_slot *slots,
                     const union futc_slot *element);
/* Writes an element that fits into an array whose blocks no one else has. */
void futc_array_set(const struct futc_type *type, int32_t rank, const union futc_slot *slots,
                    int64_t position, const union futc_slot *element);
/* Makes room for elements that are like `example`, or have sizes of zero if that is NULL. On failure
 * some blocks may have been made, and the others are NULL. */
bool futc_array_make(struct futc_context *ctx, const struct futc_type *type, int32_t rank,
                     const int64_t *shape, const union futc_slot *example, union futc_slot *to,
                     char why[FUTC_WHY]);

/* An array of records from arrays of its fields, one after the other: `done` leaves of the result
 * have been looked at, and `outer` is the shape that all arrays have, or NULL so far. */
struct futc_zip {
  int64_t done;
  const union futc_slot *outer;
};
enum futc_zip_outcome { FUTC_ZIP_FITS, FUTC_ZIP_OTHER_TYPE, FUTC_ZIP_OTHER_SHAPE };
enum futc_zip_outcome futc_zip_next(struct futc_zip *zip, const struct futc_type *type,
                                    int32_t rank, const struct futc_type *field,
                                    const union futc_slot *slots);

#endif
