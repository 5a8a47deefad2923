/* wasi-libc has this header only with threads, and the distribution has it only without. */
#ifndef FUTC_WASM_PTHREAD_H
#define FUTC_WASM_PTHREAD_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* 0: free, 1: locked, 2: locked, and somebody may sleep. */
typedef struct {
  _Atomic uint32_t word;
} pthread_mutex_t;

#define PTHREAD_MUTEX_INITIALIZER {0}

int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

#endif
