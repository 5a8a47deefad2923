/* What the tests of libraries share. A check that fails ends the test. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(CONDITION)                                                                           \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static struct futhark_context_config *new_config(void) {
  struct futhark_context_config *cfg = futhark_context_config_new();
  CHECK(cfg != NULL);
#ifdef FUTHARK_BACKEND_multicore
  futhark_context_config_set_num_threads(cfg, 4);
#endif
  return cfg;
}

static struct futhark_context *open_context(struct futhark_context_config *cfg) {
  struct futhark_context *ctx = futhark_context_new(cfg);
  CHECK(ctx != NULL);
  CHECK(futhark_context_get_error(ctx) == NULL);
  return ctx;
}

/* The context's error contains this text. */
static inline void check_error(struct futhark_context *ctx, const char *text) {
  char *error = futhark_context_get_error(ctx);
  CHECK(error != NULL);
  if (strstr(error, text) == NULL) {
    (void)fprintf(stderr, "'%s' is not in '%s'\n", text, error);
    exit(1);
  }
  free(error);
  CHECK(futhark_context_get_error(ctx) == NULL);
}

#endif
