/* The board on which threads publish the loops they run, so that others may assist.
 *
 * Each thread has a record with a place per depth of nesting. A place's word says whether the loop
 * is open, how many threads it admits, and how many have come (pins). Who wants to assist adds a
 * pin, which tells whether a loop is there; whoever runs the loop
 * takes it off by one exchange, which tells how many have come, and waits for them to leave.
 * Records are never freed; a loop lies on its caller's stack, and is looked at only by who has
 * pinned it.
 */
#ifndef FUTC_BOARD_H
#define FUTC_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define FUTC_MAX_THREADS 1024 /* of the pool */
#define FUTC_MAX_HOSTS 64     /* threads of others' that run loops at one time */
#ifndef FUTC_MAX_NEST
#define FUTC_MAX_NEST 8 /* loops that one thread publishes, one in the other */
#endif

struct futc_loop;

/* How a thread sleeps, and so who wakes it. */
enum futc_rest {
  FUTC_AWAKE,
  FUTC_IDLE,   /* for want of loops */
  FUTC_WAITING /* for who assists its loop */
};

struct futc_thread {
  _Alignas(64) _Atomic uint32_t words[FUTC_MAX_NEST];
  _Atomic uint32_t rest; /* enum futc_rest; the word it sleeps on */
  _Atomic int32_t cpu;   /* where it was last, from 1 on (spread.h) */
  _Atomic int32_t waker; /* of the pool's: where who woke it was */
  _Atomic bool taken;    /* of hosts */
  _Alignas(64) struct futc_loop *loops[FUTC_MAX_NEST];
  /* A bit for each of the loops around the one published: most that is not inside of some loop is
   * passed over without being pinned. */
  _Alignas(64) _Atomic uint64_t around[FUTC_MAX_NEST];
};

/* Hosts first, then the pool's. */
extern struct futc_thread futc_board[FUTC_MAX_HOSTS + FUTC_MAX_THREADS];

/* Hosts that have been taken so far are below this. */
int32_t futc_board_hosts(void);

static inline struct futc_thread *futc_board_worker(int32_t i) {
  return &futc_board[FUTC_MAX_HOSTS + i];
}

/* A record for a thread that is not the pool's, or NULL if all are taken. */
struct futc_thread *futc_board_take_host(void);
void futc_board_return_host(struct futc_thread *t);

/* `threads`: those with a lower number may assist. */
void futc_board_publish(struct futc_thread *t, int32_t depth, struct futc_loop *loop,
                        int32_t threads, uint64_t around);
/* The number of pins so far; there will be no more. */
int32_t futc_board_withdraw(struct futc_thread *t, int32_t depth);
/* The loop, from now on pinned, if it was open for thread `number`; or NULL. It may have closed meanwhile, or another may have
 * come that is not open for that thread: then it is not admitted, and has to leave at once. */
struct futc_loop *futc_board_pin(struct futc_thread *t, int32_t depth, int32_t number,
                                 bool *admitted);
/* There is nothing left to begin. By its owner, or by who has pinned it. */
void futc_board_close(struct futc_thread *t, int32_t depth);
bool futc_board_is_open(struct futc_thread *t, int32_t depth, int32_t number);

/* Forgets all threads, in the child of a fork. */
void futc_board_clear(void);

#endif
