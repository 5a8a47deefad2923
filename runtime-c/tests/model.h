/* All interleavings of a few threads.
 *
 * Threads are fibers; before each atomic operation one of them is chosen to go on. What is included
 * behind this header has its atomic operations replaced. Runs are repeated, each time with another
 * choice, until all have been made; a state that was met before is not followed again. A state is
 * the threads' stacks, the values of what is atomic, and what the scenario adds. (Rubbish in a
 * stack makes states differ that are the same: that only costs time.)
 *
 * Memory is sequentially consistent here; that the orders named in the source suffice is for
 * ThreadSanitizer to doubt. Code between atomic operations is one step.
 */
#ifndef FUTC_TEST_MODEL_H
#define FUTC_TEST_MODEL_H

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_THREADS 3
#define MODEL_STEPS 20000
#define MODEL_STACK (128 * 1024)
#define MODEL_PLACES 1024
#define MODEL_SEEN_BITS 23

/* Of preemptions: however many. */
#define MODEL_ALL 100000

enum model_status { MODEL_READY, MODEL_SPINNING, MODEL_ASLEEP, MODEL_DONE };

struct model_thread {
  /* Of preemptions: however many. */
#define MODEL_ALL 100000

enum model_status status;
  const void *sleeps_on;
  int64_t writes_seen; /* when it last went to spin */
};

struct model_choice {
  int8_t chosen;
  int8_t count;
};

struct model_place {
  uintptr_t address;
  uint64_t value;
  int64_t run;
};

static struct {
  struct futc_fibers *fibers;
  int count;
  int current;
  bool spins; /* waiting threads spin for ever; else they sleep at once */
  bool active;
  struct model_thread threads[MODEL_THREADS];
  int64_t writes;
  int64_t steps; /* of this run */
  int preemptions; /* of this run: changes of a thread that could go on */
  int most_preemptions;
  int64_t prefix;
  struct model_choice choices[MODEL_STEPS];
  int64_t run;
  int64_t states;
  uint64_t memory;
  struct model_place places[MODEL_PLACES];
  uint64_t *seen;
  const char *dead_from; /* of the first thread's stack: nobody may look at that */
  const char *dead_to;
  const char *wrong;
  uint64_t (*more)(uint64_t hash); /* adds the rest of the state */
} model;

#include "../src/fiber.c"

static inline uint64_t model_mix(uint64_t h, uint64_t x) {
  h ^= x + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
  h ^= h >> 31;
  h *= UINT64_C(0xbf58476d1ce4e5b9);
  return h ^ (h >> 29);
}

/* Before each operation. */
static inline void model_point(const volatile void *address) {
  if (model.active) {
    const char *at = (const char *)address;
    futc_fiber_suspend(model.fibers);
    if (at >= model.dead_from && at < model.dead_to) {
      model.wrong = "a loop is looked at that is over";
    }
  }
}

static inline void model_wrote(const volatile void *address, uint64_t value) {
  uintptr_t a = (uintptr_t)address;
  size_t i = model_mix(1, a) % MODEL_PLACES;
  while (model.places[i].run == model.run && model.places[i].address != a) {
    i = (i + 1) % MODEL_PLACES;
  }
  struct model_place *p = &model.places[i];
  if (p->run == model.run) {
    model.memory ^= model_mix(a, p->value);
  }
  *p = (struct model_place){a, value, model.run};
  model.memory ^= model_mix(a, value);
  model.writes++;
  for (int k = 0; k < model.count; k++) {
    if (model.threads[k].status == MODEL_SPINNING) {
      model.threads[k].status = MODEL_READY;
    }
  }
}

/* ---- The operations. ---- */

#define MODEL_BITS(x) ((uint64_t)(uintptr_t)(x))
#define MODEL_CHANGE(p, new_value)                                                                 \
  __extension__({                                                                                  \
    __typeof__(p) model_p = (p);                                                                   \
    model_point(model_p);                                                                          \
    __typeof__(*model_p) model_old = *model_p;                                                     \
    *model_p = (__typeof__(*model_p))(new_value);                                                  \
    model_wrote(model_p, MODEL_BITS(*model_p));                                                    \
    model_old;                                                                                     \
  })
#define MODEL_SWAP(p, expected, value)                                                             \
  __extension__({                                                                                  \
    __typeof__(p) model_p = (p);                                                                   \
    __typeof__(p) model_e = (expected);                                                            \
    model_point(model_p);                                                                          \
    bool model_ok = *model_p == *model_e;                                                          \
    if (model_ok) {                                                                                \
      *model_p = (value);                                                                          \
      model_wrote(model_p, MODEL_BITS(*model_p));                                                  \
    } else {                                                                                       \
      *model_e = *model_p;                                                                         \
    }                                                                                              \
    model_ok;                                                                                      \
  })

#define _Atomic
#undef atomic_init
#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_and_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak_explicit
#define atomic_init(p, value) (*(p) = (value), model_wrote((p), MODEL_BITS(*(p))))
#define atomic_load_explicit(p, order)                                                             \
  __extension__({                                                                                  \
    __typeof__(p) model_p = (p);                                                                   \
    model_point(model_p);                                                                          \
    *model_p;                                                                                      \
  })
#define atomic_store_explicit(p, value, order) ((void)MODEL_CHANGE(p, value))
#define atomic_exchange_explicit(p, value, order) MODEL_CHANGE(p, value)
#define atomic_fetch_add_explicit(p, x, order) MODEL_CHANGE(p, model_old + (x))
#define atomic_fetch_sub_explicit(p, x, order) MODEL_CHANGE(p, model_old - (x))
#define atomic_fetch_and_explicit(p, x, order) MODEL_CHANGE(p, model_old & (x))
#define atomic_compare_exchange_strong_explicit(p, e, v, yes, no) MODEL_SWAP(p, e, v)
#define atomic_compare_exchange_weak_explicit(p, e, v, yes, no) MODEL_SWAP(p, e, v)
#define atomic_load(p) atomic_load_explicit(p, memory_order_seq_cst)
#define atomic_store(p, v) atomic_store_explicit(p, v, memory_order_seq_cst)

/* ---- Waiting. ---- */

static void model_wait(/* Of preemptions: however many. */
#define MODEL_ALL 100000

enum model_status status) {
  model.threads[model.current].status = status;
  futc_fiber_suspend(model.fibers);
}

/* Who has polled without effect, and nothing was written since it began to, need not poll again. */
static void model_yield(void) {
  struct model_thread *t = &model.threads[model.current];
  if (t->writes_seen == model.writes) {
    model_wait(MODEL_SPINNING);
  }
  t->writes_seen = model.writes;
}

static void model_futex_wait(const uint32_t *word, uint32_t expected) {
  model_point(word);
  if (*word == expected) {
    model.threads[model.current].sleeps_on = word;
    model_wait(MODEL_ASLEEP);
  }
}

static void model_futex_wake(const uint32_t *word) {
  model_point(word);
  for (int k = 0; k < model.count; k++) {
    struct model_thread *t = &model.threads[k];
    if (t->status == MODEL_ASLEEP && t->sleeps_on == word) {
      t->status = MODEL_READY;
    }
  }
}

/* ---- Choosing. ---- */

static uint64_t model_mix_bytes(uint64_t h, const void *bytes, size_t size) {
  const char *at = bytes;
  for (size_t i = 0; i + 8 <= size; i += 8) {
    uint64_t x;
    memcpy(&x, at + i, sizeof x);
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 32;
  }
  return h;
}

/* Whether this state was met before, or else it is remembered. */
static bool model_met(void) {
  uint64_t h = model_mix(7, model.memory);
  if (model.most_preemptions != MODEL_ALL) {
    h = model_mix(model_mix(h, (uint64_t)model.preemptions), (uint64_t)model.current);
  }
  for (int k = 0; k < model.count; k++) {
    const struct model_thread *t = &model.threads[k];
    const struct fiber *f = &model.fibers->fibers[k];
    const char *sp = f->stack_pointer;
    h = model_mix(h, (uint64_t)t->status * 4 + (t->writes_seen == model.writes));
    if (t->status != MODEL_DONE) {
      h = model_mix_bytes(model_mix(h, (uintptr_t)sp), sp,
                          (size_t)(f->bottom + MODEL_STACK - sp));
    }
  }
  h = model.more(h);
  h |= 1;
  size_t mask = ((size_t)1 << MODEL_SEEN_BITS) - 1;
  for (size_t i = h & mask;; i = (i + 1) & mask) {
    if (model.seen[i] == h) {
      return true;
    }
    if (model.seen[i] == 0) {
      if (model.states == (int64_t)(mask / 2)) {
        model.wrong = "more states than there is room for";
        return true;
      }
      model.seen[i] = h;
      model.states++;
      return false;
    }
  }
}

/* Runs the threads once: false if the run came to a state that is known. */
static bool model_run_once(void) {
  for (;;) {
    int ready[MODEL_THREADS];
    int count = 0;
    for (int k = 0; k < model.count; k++) {
      int thread = (model.current + k) % model.count;
      if (model.threads[thread].status == MODEL_READY) {
        ready[count++] = thread;
      }
    }
    if (count == 0 || model.wrong != NULL) {
      return true;
    }
    if (model.steps == MODEL_STEPS) {
      model.wrong = "it does not end";
      return true;
    }
    struct model_choice *c = &model.choices[model.steps];
    if (model.steps >= model.prefix) {
      if (model_met()) {
        return false;
      }
      bool bound = ready[0] == model.current && model.preemptions == model.most_preemptions;
      *c = (struct model_choice){0, (int8_t)(bound ? 1 : count)};
    }
    model.steps++;
    model.preemptions += ready[0] == model.current && c->chosen != 0;
    model.current = ready[c->chosen];
    if (!futc_fiber_resume(model.fibers, (size_t)model.current)) {
      model.threads[model.current].status = MODEL_DONE;
    }
  }
}

/* Makes the last choice that can be another one another one: false if there is none. */
static bool model_next(void) {
  int64_t i = model.steps - 1;
  while (i >= 0 && model.choices[i].chosen + 1 == model.choices[i].count) {
    i--;
  }
  if (i < 0) {
    return false;
  }
  model.choices[i].chosen++;
  model.prefix = i + 1;
  return true;
}

/* All runs of `count` threads: `begin` is called before each, `end` after those that went to their
 * end, and says what is wrong, or NULL. The first thread must come to its end; the others may sleep
 * for ever. Returns what is wrong, or NULL. */
static const char *model_all(const char *name, int count, bool spins, int most_preemptions,
                             void (*begin)(void), void (*body)(void *), const char *(*end)(void)) {
  model.seen = calloc((size_t)1 << MODEL_SEEN_BITS, sizeof *model.seen);
  model.fibers = futc_fibers_open((size_t)count, MODEL_STACK);
  if (model.seen == NULL || model.fibers == NULL) {
    return "out of memory";
  }
  model.count = count;
  model.spins = spins;
  model.most_preemptions = most_preemptions;
  model.prefix = 0;
  model.states = 0;
  model.wrong = NULL;
  int64_t ends = 0;
  bool more = true;
  while (more && model.wrong == NULL) {
    model.run++;
    model.steps = 0;
    model.preemptions = 0;
    model.memory = 0;
    model.writes = 0;
    model.current = 0;
    model.dead_from = NULL;
    model.dead_to = NULL;
    begin();
    for (int k = 0; k < count; k++) {
      model.threads[k] = (struct model_thread){.writes_seen = -1};
      futc_fiber_start(model.fibers, (size_t)k, body, (void *)(intptr_t)k);
    }
    model.active = true;
    bool whole = model_run_once();
    model.active = false;
    if (whole && model.wrong == NULL) {
      ends++;
      model.wrong = model.threads[0].status == MODEL_DONE ? end() : "all threads wait";
    }
    more = model_next();
  }
  (void)fprintf(stderr, "%d threads that %s, %d preemptions: %s: %lld states, %lld ends\n", count,
                spins ? "spin" : "sleep", most_preemptions, name, (long long)model.states,
                (long long)ends);
  free(model.seen);
  futc_fibers_close(model.fibers);
  return model.wrong;
}

#endif
