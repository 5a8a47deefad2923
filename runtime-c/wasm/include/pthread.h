/* wasi-libc has this header only with threads. WebAssembly has one here, so there is nothing to lock. */
#ifndef FUTC_WASM_PTHREAD_H
#define FUTC_WASM_PTHREAD_H

#include <stddef.h>

typedef char pthread_mutex_t;

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) {
  (void)attributes;
  *mutex = 0;
  return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}

#endif
