/* The server's `store` and `restore`.
 *
 * Transparent values are stored in the binary data format. An opaque value is a line that names its
 * type, then its leaves in that format.
 */
#include "server_state.h"
#include "values.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPAQUE_MAGIC "futc-opaque "

static void store_value(struct futc_writer *out, const struct futc_variable *v) {
  if (v->type->kind != FUTC_TRANSPARENT) {
    futc_writer_text(out, OPAQUE_MAGIC);
    futc_writer_text(out, v->type->name);
    futc_writer_text(out, "\n");
  }
  const union futc_slot *slot = v->slots;
  for (int64_t i = 0; i < v->type->num_leaves; i++) {
    futc_write_binary(out, v->type->leaves[i], slot);
    slot += futc_leaf_slots(v->type->leaves[i]);
  }
}

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
    store_value(out, futc_server_usable(s, w.word[i]));
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

/* Reads exactly these bytes. */
static bool expect_bytes(struct futc_reader *r, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    int byte = -1;
    if (!futc_reader_peek(r, &byte)) {
      return false;
    }
    if (byte != (unsigned char)text[i]) {
      return futc_reader_fail(r, "not a stored value of this type");
    }
    r->pos++;
  }
  return true;
}

static bool restore_value(struct futc_server *s, struct futc_reader *r, struct futc_variable *v) {
  const struct futc_type *type = v->type;
  if (type->kind != FUTC_TRANSPARENT &&
      !(futc_reader_skip_space(r) && expect_bytes(r, OPAQUE_MAGIC, strlen(OPAQUE_MAGIC)) &&
        expect_bytes(r, type->name, strlen(type->name)) && expect_bytes(r, "\n", 1))) {
    return false;
  }
  union futc_slot *slot = v->slots;
  for (int64_t i = 0; i < type->num_leaves; i++) {
    if (!futc_read_leaf(s->ctx, r, type->leaves[i], slot)) {
      /* Leaves not yet read have no blocks, which releasing ignores. */
      return false;
    }
    slot += futc_leaf_slots(type->leaves[i]);
  }
  return true;
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
    if (!restore_value(s, r, v)) {
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
