/* What the functions of a library's header call, which futc writes for each program.
 *
 * A type is given by its number in `futc_program.types`. An argument is the address of a scalar, or a
 * value of any other type by its pointer; a result goes to the address of a scalar, or of a pointer.
 * Functions return a code of enum futc_result, or NULL, and leave their results as they are on
 * failure. A value belongs to the context that it was made for.
 */
#ifndef FUTC_LIBRARY_H
#define FUTC_LIBRARY_H

#include "futc_program.h"

#ifdef __cplusplus
extern "C" {
#endif

struct futhark_context;

/* The values are the guide's. */
enum futc_result { FUTC_SUCCESS = 0, FUTC_PROGRAM_ERROR = 2, FUTC_OUT_OF_MEMORY = 3 };

/* An entry point, by its number in `futc_program.entries`. */
int futc_library_call(struct futhark_context *ctx, int64_t entry, void *out, const void *const *in);

/* Values of all types but scalars. */
int futc_library_free(struct futhark_context *ctx, int64_t type, void *value);

/* Arrays of scalars. */
void *futc_library_new_array(struct futhark_context *ctx, int64_t type, const void *data,
                             const int64_t *shape);
int futc_library_values(struct futhark_context *ctx, int64_t type, const void *value, void *data);
void *futc_library_values_raw(struct futhark_context *ctx, int64_t type, const void *value);

/* Arrays of anything. */
const int64_t *futc_library_shape(struct futhark_context *ctx, int64_t type, const void *value);
int futc_library_index(struct futhark_context *ctx, int64_t type, void *out, const void *value,
                       const int64_t *index);

/* Arrays of opaque values. */
int futc_library_set(struct futhark_context *ctx, int64_t type, void *value, const void *element,
                     const int64_t *index);
int futc_library_gather(struct futhark_context *ctx, int64_t type, void *out,
                        const void *const *elements, const int64_t *shape);

/* Opaque values. */
int futc_library_store(struct futhark_context *ctx, int64_t type, const void *value, void **p,
                       size_t *n);
void *futc_library_restore(struct futhark_context *ctx, int64_t type, const void *p);

/* Records, and arrays of records by arrays of their fields. */
int futc_library_record(struct futhark_context *ctx, int64_t type, void *out,
                        const void *const *fields);
int futc_library_project(struct futhark_context *ctx, int64_t type, int64_t field, void *out,
                         const void *value);

/* Sums; a variant is given by its number. */
int futc_library_variant(struct futhark_context *ctx, int64_t type, const void *value);
int futc_library_construct(struct futhark_context *ctx, int64_t type, int64_t variant, void *out,
                           const void *const *payloads);
int futc_library_destruct(struct futhark_context *ctx, int64_t type, int64_t variant,
                          void *const *payloads, const void *value);

#ifdef __cplusplus
}
#endif

#endif
