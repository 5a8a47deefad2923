/* What AddressSanitizer is told, where the runtime is compiled with it. */
#ifndef FUTC_SANITIZE_H
#define FUTC_SANITIZE_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUTC_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(FUTC_ASAN)
#define FUTC_ASAN 1
#endif
#if !defined(FUTC_ASAN)
#define FUTC_ASAN 0
#endif

#if FUTC_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define FUTC_POISON(memory, bytes) __asan_poison_memory_region(memory, bytes)
#define FUTC_UNPOISON(memory, bytes) __asan_unpoison_memory_region(memory, bytes)
#else
#define FUTC_POISON(memory, bytes) ((void)(memory), (void)(bytes))
#define FUTC_UNPOISON(memory, bytes) ((void)(memory), (void)(bytes))
#endif

#endif
