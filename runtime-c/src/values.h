/* Values outside programs: reading and writing their leaves as text and binary data. */
#ifndef FUTC_VALUES_H
#define FUTC_VALUES_H

#include "context.h"
#include "reader.h"
#include "writer.h"

/* Reads the next value, text or binary, into the leaf's slots; an array's block has one reference.
 * False with the reader's message set; nothing is left allocated then. */
bool futc_read_leaf(struct futc_context *ctx, struct futc_reader *r, struct futc_leaf leaf,
                    union futc_slot *slots);
bool futc_read_text(struct futc_context *ctx, struct futc_reader *r, struct futc_leaf leaf,
                    union futc_slot *slots);
/* The reader stands behind the leading `b`. */
bool futc_read_binary(struct futc_context *ctx, struct futc_reader *r, struct futc_leaf leaf,
                      union futc_slot *slots);

/* Reads a scalar from all of text[0..len). NULL, or what is wrong. */
const char *futc_parse_scalar(int32_t prim, const char *text, size_t len, uint64_t *bits);

void futc_write_text(struct futc_writer *w, struct futc_leaf leaf, const union futc_slot *slots);
void futc_write_binary(struct futc_writer *w, struct futc_leaf leaf, const union futc_slot *slots);
void futc_write_scalar(struct futc_writer *w, int32_t prim, uint64_t bits);

/* A value of any type for people: `#<opaque NAME>` if it is not transparent. */
void futc_write_value(struct futc_writer *w, const struct futc_type *type,
                      const union futc_slot *slots, bool binary);

/* A value of any type to be read again: its leaves behind each other in the binary data format, which
 * is what other servers and tools for data sets write and read. */
void futc_store_value(struct futc_writer *w, const struct futc_type *type,
                      const union futc_slot *slots);
/* How many bytes that writes. */
int64_t futc_stored_size(const struct futc_type *type, const union futc_slot *slots);
/* Slots are zero before; on failure, those read so far have blocks. What no program makes is refused. */
bool futc_restore_value(struct futc_context *ctx, struct futc_reader *r,
                        const struct futc_type *type, union futc_slot *slots);
/* A line with the name of an opaque type, for bytes that are not a tool's to read. */
void futc_store_heading(struct futc_writer *w, const struct futc_type *type);
int64_t futc_heading_size(const struct futc_type *type);
bool futc_restore_heading(struct futc_reader *r, const struct futc_type *type);

/* Drops one reference to each block of a value. */
void futc_release_value(struct futc_context *ctx, const struct futc_type *type,
                        const union futc_slot *slots);
void futc_retain_value(struct futc_context *ctx, const struct futc_type *type,
                       const union futc_slot *slots);

#endif
