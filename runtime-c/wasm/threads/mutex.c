/* Locks. */
#include "futex.h"

#include <pthread.h>

#define SPINS 100

int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) {
  (void)attributes;
  atomic_init(&mutex->word, 0);
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  for (int i = 0; i < SPINS; i++) {
    uint32_t word = 0;
    if (atomic_compare_exchange_weak_explicit(&mutex->word, &word, 1, memory_order_acquire,
                                              memory_order_relaxed)) {
      return 0;
    }
  }
  while (atomic_exchange_explicit(&mutex->word, 2, memory_order_acquire) != 0) {
    futc_futex_wait(&mutex->word, 2);
  }
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (atomic_exchange_explicit(&mutex->word, 0, memory_order_release) == 2) {
    futc_futex_wake(&mutex->word);
  }
  return 0;
}
