/* Functions of the C library that threads of the pool call and that write what all threads share: as it was compiled
 * for one thread, they are called one at a time. The linker (--wrap) puts these in their place, inside of the C
 * library too. */
#include "memory.h"
#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t files = PTHREAD_MUTEX_INITIALIZER;

static void enter(pthread_mutex_t *lock) {
  (void)pthread_mutex_lock(lock);
  futc_threads_see_memory();
}

/* Memory may have been allocated. */
static void leave(pthread_mutex_t *lock) {
  futc_memory_grown();
  (void)pthread_mutex_unlock(lock);
}

/* Gives the function under another name what it returns, while the lock is held. */
#define LOCKED(LOCK, TYPE, NAME, PARAMETERS, ARGUMENTS)                                            \
  TYPE __real_##NAME PARAMETERS;                                                                   \
  TYPE __wrap_##NAME PARAMETERS;                                                                   \
  TYPE __wrap_##NAME PARAMETERS {                                                                  \
    enter(&(LOCK));                                                                                \
    TYPE result = __real_##NAME ARGUMENTS;                                                         \
    leave(&(LOCK));                                                                                \
    return result;                                                                                 \
  }

/* JavaScript calls these two, too. */
__attribute__((export_name("malloc"))) void *__wrap_malloc(size_t bytes);
__attribute__((export_name("free"))) void __wrap_free(void *memory);

LOCKED(heap, void *, malloc, (size_t bytes), (bytes))
LOCKED(heap, void *, calloc, (size_t count, size_t bytes), (count, bytes))
LOCKED(heap, void *, realloc, (void *memory, size_t bytes), (memory, bytes))
LOCKED(heap, void *, aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes))
LOCKED(heap, int, posix_memalign, (void **memory, size_t alignment, size_t bytes),
       (memory, alignment, bytes))

void __real_free(void *memory);
void __wrap_free(void *memory) {
  enter(&heap);
  __real_free(memory);
  leave(&heap);
}

/* These keep a list of what is open. */
LOCKED(files, FILE *, fopen, (const char *path, const char *mode), (path, mode))
LOCKED(files, FILE *, open_memstream, (char **text, size_t *size), (text, size))
LOCKED(files, int, fclose, (FILE *file), (file))
