/* The primitive types as the runtime sees them. */
#ifndef FUTC_PRIM_H
#define FUTC_PRIM_H

#include "futc_program.h"

#define FUTC_NUM_PRIMS 12

struct futc_prim_info {
  const char *name;
  char binary_name[5]; /* as in the binary data format */
  int64_t size;        /* bytes of an element */
};

extern const struct futc_prim_info futc_prims[FUTC_NUM_PRIMS];

/* The type whose four-character binary name is `tag`, or -1. */
int32_t futc_prim_of_binary_name(const char tag[4]);

/* The element count of a shape; false on a negative size or overflow of `count * element_size`. */
bool futc_element_count(const int64_t *shape, int32_t rank, int64_t element_size, int64_t *count);

#endif
