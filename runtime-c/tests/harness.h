/* A tiny test harness: each test program has one `int main` that runs checks and ends with
 * `return report();`. */
#ifndef FUTC_TEST_HARNESS_H
#define FUTC_TEST_HARNESS_H

#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static int checks;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    checks++;                                                                                      \
    if (!(condition)) {                                                                            \
      failures++;                                                                                  \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                      \
    }                                                                                              \
  } while (0)

#define CHECK_TEXT(have, want)                                                                     \
  do {                                                                                             \
    checks++;                                                                                      \
    const char *have_text = (have);                                                                \
    if (have_text == NULL || strcmp(have_text, (want)) != 0) {                                     \
      failures++;                                                                                  \
      fprintf(stderr, "%s:%d: have: %s\n     want: %s\n", __FILE__, __LINE__,                      \
              have_text == NULL ? "NULL" : have_text, (want));                                     \
    }                                                                                              \
  } while (0)

static inline int report(void) {
  fprintf(stderr, "%d checks, %d failures\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}

/* xorshift64*: the same numbers every time. */
static inline uint64_t next_random(uint64_t *state) {
  uint64_t x = *state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return x * UINT64_C(0x2545F4914F6CDD1D);
}

/* A context for a program without anything. */
static inline struct futc_context *empty_context(struct futc_program *program) {
  *program =
      (struct futc_program){.abi_version = FUTC_ABI_VERSION, .compiler = "test", .source = "test"};
  return futc_context_open(program, &(struct futc_config){0});
}

#endif
