/* Buffered input from a file descriptor or from memory, for text and binary values mixed. */
#ifndef FUTC_READER_H
#define FUTC_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct futc_reader {
  int fd;
  char *buffer; /* NUL at buffer[len] */
  size_t capacity;
  size_t pos;
  size_t len;
  bool at_end;       /* the descriptor has no more */
  char message[256]; /* why the last operation failed */
};

/* False when out of memory. */
bool futc_reader_open(struct futc_reader *r, int fd);
/* Of what lies at an address, which must hold all that will be read; never closed. */
void futc_reader_memory(struct futc_reader *r, const void *memory);
void futc_reader_close(struct futc_reader *r); /* the descriptor stays open */

/* Sets the message; returns false for the convenience of callers. */
bool futc_reader_fail(struct futc_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads more behind what is buffered. False on an error; at the end nothing is added. */
bool futc_reader_fill(struct futc_reader *r);

/* Skips white space and `--` comments. */
bool futc_reader_skip_space(struct futc_reader *r);

/* The next token: a run of letters, digits, `.`, `_`, `+` and `-`, or another single character; of
 * length 0 at the end of input. Valid until the next operation. */
bool futc_reader_token(struct futc_reader *r, const char **text, size_t *len);

/* The next byte without consuming it, or -1 at the end of input. */
bool futc_reader_peek(struct futc_reader *r, int *byte);

/* Exactly `bytes` raw bytes: what is buffered, then straight from the descriptor. Fewer (with
 * *got telling how many) only at the end of input. */
bool futc_reader_bytes(struct futc_reader *r, void *out, size_t bytes, size_t *got);

/* How many bytes are certainly left, or -1 if the descriptor is no regular file. */
int64_t futc_reader_remaining(const struct futc_reader *r);

/* Succeeds if nothing but white space and comments is left. */
bool futc_reader_finish(struct futc_reader *r);

#endif
