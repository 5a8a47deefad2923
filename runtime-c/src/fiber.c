/* Fibers by a few instructions on x86-64 and AArch64, by <ucontext.h> elsewhere.
 *
 * The pool has one mapping; each stack has a page without access below it.
 */
#include "fiber.h"

#include "sanitize.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if FUTC_ASAN
#define ASAN_START(save, bottom, size) __sanitizer_start_switch_fiber(save, bottom, size)
#define ASAN_FINISH(save, bottom, size) __sanitizer_finish_switch_fiber(save, bottom, size)
#else
#define ASAN_START(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#define ASAN_FINISH(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#endif

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__ELF__) && !defined(FUTC_UCONTEXT)
#define BY_HAND 1
#else
#define BY_HAND 0
#include <ucontext.h>
#endif

#define PAGE 4096

struct fiber {
  char *bottom;
#if BY_HAND
  void *stack_pointer;
#else
  ucontext_t registers;
#endif
  void *sanitizer;
  void (*body)(void *);
  void *argument;
  bool done;
};

struct futc_fibers {
  size_t count;
  size_t stack_bytes;
  char *mapping;
  size_t mapping_bytes;
  size_t current;
#if BY_HAND
  void *resumer;
#else
  ucontext_t resumer;
#endif
  void *sanitizer; /* of the resumer */
  const void *resumer_bottom;
  size_t resumer_bytes;
  struct fiber fibers[];
};

/* The pool whose fiber is being started: a fresh stack has no other way to know. */
static _Thread_local struct futc_fibers *starting;

#if BY_HAND
/* Saves the callee-saved registers and the stack pointer in *save, continues at `to`. */
void futc_fiber_switch(void **save, void *to);

#if defined(__x86_64__)
#define SAVED_WORDS 6
__asm__(".text\n"
        ".globl futc_fiber_switch\n"
        ".hidden futc_fiber_switch\n"
        ".type futc_fiber_switch,@function\n"
        "futc_fiber_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n"
        "  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n"
        "  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size futc_fiber_switch,.-futc_fiber_switch\n");
#else
__asm__(".text\n"
        ".globl futc_fiber_switch\n"
        ".hidden futc_fiber_switch\n"
        ".type futc_fiber_switch,@function\n"
        "futc_fiber_switch:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n"
        "  ret\n"
        ".size futc_fiber_switch,.-futc_fiber_switch\n");
#endif
#endif

static void to_fiber(struct futc_fibers *f, struct fiber *fiber) {
  ASAN_START(&f->sanitizer, fiber->bottom, f->stack_bytes);
#if BY_HAND
  futc_fiber_switch(&f->resumer, fiber->stack_pointer);
#else
  (void)swapcontext(&f->resumer, &fiber->registers);
#endif
  ASAN_FINISH(f->sanitizer, NULL, NULL);
}

static void to_resumer(struct futc_fibers *f, struct fiber *fiber) {
  ASAN_START(fiber->done ? NULL : &fiber->sanitizer, f->resumer_bottom, f->resumer_bytes);
#if BY_HAND
  futc_fiber_switch(&fiber->stack_pointer, f->resumer);
#else
  (void)swapcontext(&fiber->registers, &f->resumer);
#endif
  ASAN_FINISH(fiber->sanitizer, &f->resumer_bottom, &f->resumer_bytes);
}

void futc_fiber_exit(struct futc_fibers *f) {
  struct fiber *fiber = &f->fibers[f->current];
  fiber->done = true;
  to_resumer(f, fiber);
  abort();
}

void futc_fiber_suspend(struct futc_fibers *f) {
  to_resumer(f, &f->fibers[f->current]);
}

/* The first function of every fiber. */
static void first(void) {
  struct futc_fibers *f = starting;
  ASAN_FINISH(NULL, &f->resumer_bottom, &f->resumer_bytes);
  struct fiber *fiber = &f->fibers[f->current];
  fiber->body(fiber->argument);
  futc_fiber_exit(f);
}

struct futc_fibers *futc_fibers_open(size_t count, size_t stack_bytes) {
  struct futc_fibers *f = calloc(1, sizeof *f + count * sizeof(struct fiber));
  if (f == NULL) {
    return NULL;
  }
  f->count = count;
  f->stack_bytes = (stack_bytes + PAGE - 1) / PAGE * PAGE;
  size_t stride = f->stack_bytes + PAGE;
  f->mapping_bytes = count * stride;
  f->mapping = mmap(NULL, f->mapping_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (f->mapping == MAP_FAILED) {
    free(f);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    char *guard = f->mapping + i * stride;
    (void)mprotect(guard, PAGE, PROT_NONE);
    f->fibers[i].bottom = guard + PAGE;
  }
  return f;
}

void futc_fibers_close(struct futc_fibers *f) {
  if (f != NULL) {
    (void)munmap(f->mapping, f->mapping_bytes);
    free(f);
  }
}

size_t futc_fibers_count(const struct futc_fibers *f) {
  return f->count;
}

void futc_fiber_start(struct futc_fibers *f, size_t i, void (*body)(void *), void *argument) {
  struct fiber *fiber = &f->fibers[i];
  fiber->body = body;
  fiber->argument = argument;
  fiber->done = false;
  FUTC_UNPOISON(fiber->bottom, f->stack_bytes);
#if BY_HAND
  uintptr_t *top = (uintptr_t *)(fiber->bottom + f->stack_bytes);
#if defined(__x86_64__)
  /* As after a call: the return address (none) is at the stack pointer, 8 modulo 16. */
  *--top = 0;
  *--top = (uintptr_t)first;
  for (int j = 0; j < SAVED_WORDS; j++) {
    *--top = 0;
  }
#else
  top -= 20;
  memset(top, 0, 20 * sizeof *top);
  top[11] = (uintptr_t)first; /* x30 */
#endif
  fiber->stack_pointer = top;
#else
  (void)getcontext(&fiber->registers);
  fiber->registers.uc_stack.ss_sp = fiber->bottom;
  fiber->registers.uc_stack.ss_size = f->stack_bytes;
  fiber->registers.uc_link = NULL;
  makecontext(&fiber->registers, first, 0);
#endif
}

bool futc_fiber_resume(struct futc_fibers *f, size_t i) {
  f->current = i;
  starting = f;
  to_fiber(f, &f->fibers[i]);
  return !f->fibers[i].done;
}
