/* Recursion is as deep as the stack is large. The page below the stack cannot be accessed, so that
 * overflow is a signal, which is handled on a stack of its own. Compiled code holds nothing that
 * would be lost by a jump, so the call ends as if by futc_fail; but where the overflow happens in
 * the middle of the runtime or of a kernel that is emulated, the process says so and ends.
 *
 * Each thread has a stack for signals, its own stack's bounds, and the context it runs code for.
 */
#include "overflow.h"

#include "error.h"
#include "guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* An access so far below the stack pointer, or so little above it, is one to the stack: functions
 * make room for all their variables at once. */
#define BELOW (1 << 20)
#define ABOVE (1 << 16)
#define SIGNAL_STACK (1 << 16)

_Thread_local volatile sig_atomic_t futc_in_runtime;

/* What is printed if the process must end; NULL if stacks are not watched. */
static const char *parting;

struct watched {
  struct futc_context *ctx;
  uintptr_t stack_bottom;
  uintptr_t stack_top;
};

/* Volatile, as the handler of signals reads it. */
static _Thread_local volatile struct watched watched;

static uintptr_t stack_pointer(const ucontext_t *at) {
#if defined(__x86_64__)
  return (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)at->uc_mcontext.sp;
#else
  (void)at;
  return 0;
#endif
}

static void say(int fd, const char *text) {
  if (write(fd, text, strlen(text)) < 0) {
    /* There is nobody to tell. */
    return;
  }
}

static void handle(int signal, siginfo_t *info, void *registers) {
  uintptr_t sp = stack_pointer(registers);
  uintptr_t address = (uintptr_t)info->si_addr;
  if (sp == 0 || address + BELOW < sp || address > sp + ABOVE) {
    /* Some other fault: it happens again when this returns, and is then not handled. */
    struct sigaction standard = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &standard, NULL);
    return;
  }
  bool on_own_stack = sp + BELOW >= watched.stack_bottom && sp < watched.stack_top;
  struct futc_context *ctx = watched.ctx;
  if (on_own_stack && ctx != NULL && ctx->handler != NULL && futc_in_runtime == 0) {
    futc_unwind(ctx, FUTC_OVERFLOWED);
  }
  say(STDERR_FILENO, FUTC_OVERFLOW_MESSAGE);
  say(STDOUT_FILENO, parting);
  _exit(1);
}

static bool find_stack(void) {
  pthread_attr_t attributes;
  void *bottom = NULL;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return false;
  }
  bool known = pthread_attr_getstack(&attributes, &bottom, &bytes) == 0;
  (void)pthread_attr_destroy(&attributes);
  watched.stack_bottom = (uintptr_t)bottom;
  watched.stack_top = known ? (uintptr_t)bottom + bytes : 0;
  return known;
}

void futc_watch_stack(const char *farewell) {
  parting = farewell;
  /* Lives as long as the process. */
  static char signal_stack[SIGNAL_STACK];
  stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  if (!find_stack() || sigaltstack(&stack, NULL) != 0) {
    return;
  }
  /* The handler may be left by a jump, after which the signal must not be blocked. */
  struct sigaction action = {.sa_sigaction = handle,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  (void)sigaction(SIGSEGV, &action, NULL);
  (void)sigaction(SIGBUS, &action, NULL);
}

void futc_watch_thread(struct futc_signal_stack *s) {
  *s = (struct futc_signal_stack){0};
  if (parting == NULL || !find_stack()) {
    return;
  }
  s->memory = malloc(SIGNAL_STACK);
  stack_t stack = {.ss_sp = s->memory, .ss_size = SIGNAL_STACK};
  if (s->memory != NULL && sigaltstack(&stack, &s->before) != 0) {
    free(s->memory);
    s->memory = NULL;
  }
}

void futc_unwatch_thread(struct futc_signal_stack *s) {
  if (s->memory != NULL) {
    (void)sigaltstack(&s->before, NULL);
    free(s->memory);
  }
}

void futc_watch_context(struct futc_context *ctx) {
  if (parting != NULL) {
    watched.ctx = ctx;
  }
}

void futc_set_overflow_error(struct futc_context *ctx) {
  futc_set_error(ctx, "%s", FUTC_OVERFLOW_MESSAGE);
}
