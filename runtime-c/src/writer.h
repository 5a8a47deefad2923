/* Buffered output to a file descriptor or to memory. */
#ifndef FUTC_WRITER_H
#define FUTC_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUTC_WRITER_BUFFER (64 * 1024)

struct futc_writer {
  int fd;
  char *memory; /* where the next bytes go, instead of the descriptor, unless NULL */
  size_t len;
  int error; /* errno of the first failure; everything after it is dropped */
  char buffer[FUTC_WRITER_BUFFER];
};

void futc_writer_open(struct futc_writer *w, int fd);
/* There is room for all that will be written. */
void futc_writer_memory(struct futc_writer *w, void *memory);
/* Room for `bytes` (at most FUTC_WRITER_BUFFER) more; the caller advances `len`. */
char *futc_writer_room(struct futc_writer *w, size_t bytes);
void futc_writer_bytes(struct futc_writer *w, const void *data, size_t bytes);
void futc_writer_text(struct futc_writer *w, const char *text);
void futc_writer_i64(struct futc_writer *w, int64_t value);
void futc_writer_u64(struct futc_writer *w, uint64_t value);
/* Writes out what is buffered; false if anything failed so far. */
bool futc_writer_flush(struct futc_writer *w);

#endif
