/* Two libraries in one program, of which each has other names for the functions of contexts. */
#include "one.h"
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

#define N 1000000

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define OPEN(LIBRARY)                                                                              \
  struct LIBRARY##_context_config *LIBRARY##_cfg = LIBRARY##_context_config_new();                 \
  struct LIBRARY##_context *LIBRARY##_ctx = LIBRARY##_context_new(LIBRARY##_cfg);                  \
  struct LIBRARY##_i64_1d *LIBRARY##_xs = LIBRARY##_new_i64_1d(LIBRARY##_ctx, data, N);            \
  CHECK(LIBRARY##_xs != NULL)

#define CALL(LIBRARY)                                                                              \
  CHECK(LIBRARY##_entry_scaled(LIBRARY##_ctx, &result, LIBRARY##_xs) == FUTHARK_SUCCESS)

#define CLOSE(LIBRARY)                                                                             \
  CHECK(LIBRARY##_free_i64_1d(LIBRARY##_ctx, LIBRARY##_xs) == FUTHARK_SUCCESS);                    \
  LIBRARY##_context_free(LIBRARY##_ctx);                                                           \
  LIBRARY##_context_config_free(LIBRARY##_cfg)

int main(void) {
  int64_t *data = malloc(N * sizeof *data);
  CHECK(data != NULL);
  for (int64_t i = 0; i < N; i++) {
    data[i] = i;
  }
  const int64_t sum = (int64_t)N * (N - 1) / 2;
  int64_t result = 0;
  OPEN(one);
  OPEN(two);
  for (int i = 0; i < 100; i++) {
    CALL(one);
    CHECK(result == 2 * sum);
    CALL(two);
    CHECK(result == 3 * sum);
  }
  CLOSE(one);
  CALL(two);
  CHECK(result == 3 * sum);
  CLOSE(two);
  free(data);
  return 0;
}
