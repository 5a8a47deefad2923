/* Sleeping by the futex of Linux; elsewhere, or with FUTC_NO_FUTEX, by condition variables of which
 * many words share one. */
#include "futex.h"

#if defined(__linux__) && !defined(FUTC_NO_FUTEX)

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(_Atomic uint32_t) == 4, "the system looks at 32 bits");

/* That the word has changed, or a signal came, are reasons to return like any other. */
void futc_futex_wait(_Atomic uint32_t *word, uint32_t expected) {
  (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void futc_futex_wake(_Atomic uint32_t *word) {
  (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#else

#include <pthread.h>

#define BUCKETS 8
#define EIGHT_TIMES(x) {x, x, x, x, x, x, x, x}

static pthread_mutex_t locks[BUCKETS] = EIGHT_TIMES(PTHREAD_MUTEX_INITIALIZER);
static pthread_cond_t conditions[BUCKETS] = EIGHT_TIMES(PTHREAD_COND_INITIALIZER);

static uintptr_t bucket_of(const _Atomic uint32_t *word) {
  return (uintptr_t)word / 64 % BUCKETS;
}

void futc_futex_wait(_Atomic uint32_t *word, uint32_t expected) {
  uintptr_t i = bucket_of(word);
  (void)pthread_mutex_lock(&locks[i]);
  if (atomic_load(word) == expected) {
    (void)pthread_cond_wait(&conditions[i], &locks[i]);
  }
  (void)pthread_mutex_unlock(&locks[i]);
}

void futc_futex_wake(_Atomic uint32_t *word) {
  uintptr_t i = bucket_of(word);
  (void)pthread_mutex_lock(&locks[i]);
  (void)pthread_cond_broadcast(&conditions[i]);
  (void)pthread_mutex_unlock(&locks[i]);
}

#endif
