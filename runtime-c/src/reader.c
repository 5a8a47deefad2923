/* Buffered input. */
#include "reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INITIAL_BUFFER (256 * 1024)
#define LONGEST_TOKEN (1024 * 1024)
/* Some systems refuse larger single reads. */
#define LARGEST_READ (UINT64_C(1) << 30)

bool futc_reader_open(struct futc_reader *r, int fd) {
  *r = (struct futc_reader){.fd = fd, .capacity = INITIAL_BUFFER};
  r->buffer = malloc(r->capacity + 1);
  if (r->buffer == NULL) {
    return false;
  }
  r->buffer[0] = '\0';
  return true;
}

void futc_reader_memory(struct futc_reader *r, const void *memory) {
  *r = (struct futc_reader){.fd = -1, .len = PTRDIFF_MAX, .at_end = true};
  /* Nothing is written to a buffer that is not filled. */
  r->buffer = (char *)(uintptr_t)memory;
}

void futc_reader_close(struct futc_reader *r) {
  free(r->buffer);
  r->buffer = NULL;
}

bool futc_reader_fail(struct futc_reader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(r->message, sizeof r->message, format, args);
  va_end(args);
  /* One line whatever bytes the input held. */
  for (char *p = r->message; *p != '\0'; p++) {
    if ((unsigned char)*p < ' ' || (unsigned char)*p == 127) {
      *p = '?';
    }
  }
  return false;
}

static bool read_some(struct futc_reader *r, void *out, size_t bytes, size_t *got) {
  *got = 0;
  if (bytes > LARGEST_READ) {
    bytes = LARGEST_READ;
  }
  for (;;) {
    ssize_t n = read(r->fd, out, bytes);
    if (n >= 0) {
      *got = (size_t)n;
      r->at_end = n == 0;
      return true;
    }
    if (errno != EINTR) {
      return futc_reader_fail(r, "cannot read: %s", strerror(errno));
    }
  }
}

bool futc_reader_fill(struct futc_reader *r) {
  if (r->at_end) {
    return true;
  }
  if (r->pos > 0) {
    memmove(r->buffer, r->buffer + r->pos, r->len - r->pos);
    r->len -= r->pos;
    r->pos = 0;
  }
  if (r->len == r->capacity) {
    if (r->capacity >= LONGEST_TOKEN) {
      return futc_reader_fail(r, "a word of more than %zu bytes", r->len);
    }
    char *larger = realloc(r->buffer, r->capacity * 2 + 1);
    if (larger == NULL) {
      return futc_reader_fail(r, "out of memory");
    }
    r->buffer = larger;
    r->capacity *= 2;
  }
  size_t got = 0;
  bool ok = read_some(r, r->buffer + r->len, r->capacity - r->len, &got);
  r->len += got;
  r->buffer[r->len] = '\0';
  return ok;
}

bool futc_reader_peek(struct futc_reader *r, int *byte) {
  while (r->pos == r->len && !r->at_end) {
    if (!futc_reader_fill(r)) {
      return false;
    }
  }
  *byte = r->pos < r->len ? (unsigned char)r->buffer[r->pos] : -1;
  return true;
}

static bool skip_line(struct futc_reader *r) {
  for (;;) {
    char *newline = memchr(r->buffer + r->pos, '\n', r->len - r->pos);
    if (newline != NULL) {
      r->pos = (size_t)(newline - r->buffer) + 1;
      return true;
    }
    r->pos = r->len;
    if (r->at_end) {
      return true;
    }
    if (!futc_reader_fill(r)) {
      return false;
    }
  }
}

bool futc_reader_skip_space(struct futc_reader *r) {
  for (;;) {
    while (r->pos < r->len) {
      char c = r->buffer[r->pos];
      if (c != ' ' && (c < '\t' || c > '\r')) {
        break;
      }
      r->pos++;
    }
    if (r->len - r->pos < 2 && !r->at_end) {
      if (!futc_reader_fill(r)) {
        return false;
      }
      continue;
    }
    if (r->len - r->pos >= 2 && r->buffer[r->pos] == '-' && r->buffer[r->pos + 1] == '-') {
      if (!skip_line(r)) {
        return false;
      }
      continue;
    }
    return true;
  }
}

static bool is_word(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         c == '_' || c == '+' || c == '-';
}

bool futc_reader_token(struct futc_reader *r, const char **text, size_t *len) {
  if (!futc_reader_skip_space(r)) {
    return false;
  }
  for (;;) {
    const char *start = r->buffer + r->pos;
    const char *end = r->buffer + r->len;
    const char *p = start;
    while (is_word((unsigned char)*p)) {
      p++;
    }
    if (p < end || r->at_end) {
      if (p == start && p < end) {
        p++;
      }
      *text = start;
      *len = (size_t)(p - start);
      r->pos += *len;
      return true;
    }
    if (!futc_reader_fill(r)) {
      return false;
    }
  }
}

bool futc_reader_bytes(struct futc_reader *r, void *out, size_t bytes, size_t *got) {
  size_t n = r->len - r->pos;
  if (n > bytes) {
    n = bytes;
  }
  if (n > 0) {
    memcpy(out, r->buffer + r->pos, n);
    r->pos += n;
  }
  while (n < bytes && !r->at_end) {
    size_t more = 0;
    if (bytes - n < r->capacity / 4) {
      /* Small things are read through the buffer, one system call for many. */
      if (!futc_reader_fill(r)) {
        return false;
      }
      more = r->len - r->pos < bytes - n ? r->len - r->pos : bytes - n;
      memcpy((char *)out + n, r->buffer + r->pos, more);
      r->pos += more;
    } else if (!read_some(r, (char *)out + n, bytes - n, &more)) {
      return false;
    }
    n += more;
  }
  *got = n;
  return true;
}

int64_t futc_reader_remaining(const struct futc_reader *r) {
  struct stat info;
  if (fstat(r->fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return -1;
  }
  off_t at = lseek(r->fd, 0, SEEK_CUR);
  if (at < 0) {
    return -1;
  }
  int64_t behind = info.st_size > at ? (int64_t)(info.st_size - at) : 0;
  return behind + (int64_t)(r->len - r->pos);
}

bool futc_reader_finish(struct futc_reader *r) {
  const char *text = NULL;
  size_t len = 0;
  if (!futc_reader_token(r, &text, &len)) {
    return false;
  }
  if (len != 0) {
    return futc_reader_fail(r, "unexpected '%.*s' after the last value", (int)(len > 40 ? 40 : len),
                            text);
  }
  return true;
}
