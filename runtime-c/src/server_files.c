/* The server's `store` and `restore`: values behind each other in a file. */
#include "server_state.h"
#include "values.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool futc_cmd_store(struct futc_server *s, struct futc_words w) {
  for (int64_t i = 1; i < w.count; i++) {
    if (futc_server_usable(s, w.word[i]) == NULL) {
      return false;
    }
  }
  int fd = open(w.word[0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    return futc_server_fail("Failed to open %s: %s", w.word[0], strerror(errno));
  }
  struct futc_writer *out = malloc(sizeof *out);
  if (out == NULL) {
    (void)close(fd);
    return futc_server_fail("out of memory");
  }
  futc_writer_open(out, fd);
  for (int64_t i = 1; i < w.count; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[i]);
    futc_store_value(out, v->type, v->slots);
  }
  bool ok = futc_writer_flush(out);
  int error = out->error;
  free(out);
  if (close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  return ok || futc_server_fail("Failed to write %s: %s", w.word[0], strerror(error));
}

static bool restore_all(struct futc_server *s, struct futc_reader *r, struct futc_words w,
                        int64_t *done) {
  for (int64_t i = 1; i + 1 < w.count; i += 2) {
    const struct futc_type *type = futc_server_type(s, w.word[i + 1]);
    struct futc_variable *v = type == NULL ? NULL : futc_server_make(s, w.word[i], type);
    if (v == NULL) {
      return false;
    }
    futc_server_add(s, v);
    *done += 1;
    /* Leaves not read have no blocks, which releasing ignores. */
    if (!futc_restore_value(s->ctx, r, type, v->slots)) {
      return futc_server_fail("Failed to restore variable %s from %s: %s", w.word[i], w.word[0],
                              r->message);
    }
  }
  return futc_reader_finish(r) ||
         futc_server_fail("Expected EOF after reading %" PRId64 " values from %s: %s", *done,
                          w.word[0], r->message);
}

bool futc_cmd_restore(struct futc_server *s, struct futc_words w) {
  if (w.count % 2 == 0) {
    return futc_server_fail("restore: a variable without a type");
  }
  int fd = open(w.word[0], O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return futc_server_fail("Failed to open %s: %s", w.word[0], strerror(errno));
  }
  struct futc_reader r;
  if (!futc_reader_open(&r, fd)) {
    (void)close(fd);
    return futc_server_fail("out of memory");
  }
  int64_t done = 0;
  bool ok = restore_all(s, &r, w, &done);
  for (; !ok && done > 0; done--) {
    /* All or none: the newest variables are first in the list. */
    futc_server_remove(s, s->variables);
  }
  futc_reader_close(&r);
  (void)close(fd);
  return ok;
}
