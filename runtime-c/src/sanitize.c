/* What code that LLVM instruments for ThreadSanitizer calls, and gcc's library does not have: these go to the functions
 * that the library intercepts. */
#if defined(__SANITIZE_THREAD__)
#include <string.h>

__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t bytes);
__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t bytes);
__attribute__((weak)) void *__tsan_memset(void *to, int value, size_t bytes);

void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
  return memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes) {
  return memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, size_t bytes) {
  return memset(to, value, bytes);
}
#else
/* A translation unit is not empty. */
typedef int futc_no_thread_sanitizer;
#endif
