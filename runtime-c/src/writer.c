/* Buffered output. */
#include "writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void futc_writer_open(struct futc_writer *w, int fd) {
  w->fd = fd;
  w->memory = NULL;
  w->len = 0;
  w->error = 0;
}

void futc_writer_memory(struct futc_writer *w, void *memory) {
  futc_writer_open(w, -1);
  w->memory = memory;
}

static void write_all(struct futc_writer *w, const char *data, size_t bytes) {
  if (w->memory != NULL && bytes > 0) {
    memcpy(w->memory, data, bytes);
    w->memory += bytes;
    return;
  }
  while (bytes > 0 && w->error == 0) {
    ssize_t n = write(w->fd, data, bytes);
    if (n >= 0) {
      data += n;
      bytes -= (size_t)n;
    } else if (errno != EINTR) {
      w->error = errno;
    }
  }
}

bool futc_writer_flush(struct futc_writer *w) {
  write_all(w, w->buffer, w->len);
  w->len = 0;
  return w->error == 0;
}

char *futc_writer_room(struct futc_writer *w, size_t bytes) {
  if (FUTC_WRITER_BUFFER - w->len < bytes) {
    (void)futc_writer_flush(w);
  }
  return w->buffer + w->len;
}

void futc_writer_bytes(struct futc_writer *w, const void *data, size_t bytes) {
  if (bytes >= FUTC_WRITER_BUFFER) {
    (void)futc_writer_flush(w);
    write_all(w, data, bytes);
    return;
  }
  if (bytes > 0) {
    memcpy(futc_writer_room(w, bytes), data, bytes);
    w->len += bytes;
  }
}

void futc_writer_text(struct futc_writer *w, const char *text) {
  futc_writer_bytes(w, text, strlen(text));
}

void futc_writer_u64(struct futc_writer *w, uint64_t value) {
  char digits[20];
  size_t n = 0;
  do {
    digits[19 - n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  futc_writer_bytes(w, digits + 20 - n, n);
}

void futc_writer_i64(struct futc_writer *w, int64_t value) {
  uint64_t magnitude = (uint64_t)value;
  if (value < 0) {
    futc_writer_bytes(w, "-", 1);
    magnitude = 0 - magnitude;
  }
  futc_writer_u64(w, magnitude);
}
