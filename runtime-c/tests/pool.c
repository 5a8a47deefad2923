/* The pool: several contexts and host threads, stopping and starting, forks, counts of
 * processors. */
#include "parallel.h"

#include "clock.h"
#include "cpus.h"
#include "pool.h"
#include "spread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct sum {
  int64_t n;
  _Atomic int64_t sum;
};

static void add(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, int64_t worker) {
  (void)worker;
  struct sum *s = env;
  int64_t *part = futc_alloc(ctx, 8, 0);
  *part = 0;
  for (int64_t i = lo; i < hi; i++) {
    *part += i;
  }
  (void)atomic_fetch_add_explicit(&s->sum, *part, memory_order_relaxed);
  futc_release(ctx, part);
}

static void run_sum(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  struct sum *s = in[0].block;
  fork_for(ctx, FUTC_STATIC, add, s, s->n);
}

static bool sums(struct futc_context *ctx, int64_t n) {
  struct sum s = {.n = n};
  return call_parallel(ctx, run_sum, &s) == 0 && s.sum == n * (n - 1) / 2;
}

/* ---- Hosts. ---- */

#define HOSTS 6

static void *host(void *argument) {
  uint64_t seed = 1 + (uint64_t)(uintptr_t)argument;
  bool right = true;
  for (int i = 0; i < (TEST_SLOW ? 5 : 25) && right; i++) {
    struct futc_context *ctx = futc_context_open(
        &parallel_program,
        &(struct futc_config){.num_threads = (int64_t)(next_random(&seed) % 9 + 1)});
    right = ctx != NULL && ctx->error == NULL;
    for (int k = 0; k < 20 && right; k++) {
      right = sums(ctx, (int64_t)(next_random(&seed) % 3000));
    }
    futc_context_close(ctx);
  }
  return right ? NULL : argument;
}

static void *call_in_turn(void *argument) {
  bool right = true;
  for (int i = 0; i < 50; i++) {
    right = right && sums(argument, 500 + i);
  }
  return right ? NULL : argument;
}

static void many_hosts(void *(*work)(void *), struct futc_context *ctx) {
  pthread_t threads[HOSTS];
  for (uintptr_t i = 0; i < HOSTS; i++) {
    CHECK(pthread_create(&threads[i], NULL, work, ctx != NULL ? (void *)ctx : (void *)i) == 0);
  }
  for (int i = 0; i < HOSTS; i++) {
    void *wrong = NULL;
    CHECK(pthread_join(threads[i], &wrong) == 0);
    CHECK(wrong == NULL);
  }
}

/* ---- Starting and stopping. ---- */

static void begins_and_ends(void) {
  CHECK(futc_pool_size() == 0);
  struct futc_context *small = open_parallel(2);
  struct futc_context *large = open_parallel(8);
  struct futc_context *idle = open_parallel(8);
  struct futc_context *one = open_parallel(1);
  CHECK(sums(one, 1000) && futc_pool_size() == 0);
  CHECK(sums(small, 1000) && futc_pool_size() == 1);
  CHECK(sums(large, 1000) && futc_pool_size() == 7);
  CHECK(sums(small, 1000) && sums(one, 1000));
  /* Idle threads sleep before long. */
  int64_t give_up = futc_clock_ns() + INT64_C(10000000000);
  while (futc_pool_sleeping() < 7 && futc_clock_ns() < give_up) {
    (void)usleep(1000);
  }
  CHECK(futc_pool_sleeping() == 7);
  CHECK(sums(large, 1000));
  futc_context_close(large);
  CHECK(futc_pool_size() == 7 && sums(small, 1000));
  futc_context_close(small);
  CHECK(futc_pool_size() == 0 && sums(one, 1000));
  futc_context_close(idle);
  futc_context_close(one);
}

static void after_fork(void) {
#if !defined(__SANITIZE_THREAD__)
  struct futc_context *ctx = open_parallel(4);
  CHECK(sums(ctx, 1000));
  pid_t child = fork();
  if (child == 0) {
    bool right = futc_pool_size() == 0 && sums(ctx, 2000) && futc_pool_size() == 3;
    futc_context_close(ctx);
    _exit(right && futc_pool_size() == 0 ? 0 : 1);
  }
  int status = 1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  CHECK(sums(ctx, 1000));
  futc_context_close(ctx);
#endif
}

/* ---- How many. ---- */

static void environment(void) {
  static const char *const bad[] = {"many", "2x", "1025", "99999999999999999999"};
  struct futc_context *ctx;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK(setenv("FUTHARK_NUM_THREADS", bad[i], 1) == 0);
    ctx = futc_context_open(&parallel_program, &(struct futc_config){0});
    CHECK(ctx != NULL && ctx->error != NULL);
    futc_context_close(ctx);
  }
  CHECK(setenv("FUTHARK_NUM_THREADS", "5", 1) == 0);
  ctx = open_parallel(0);
  CHECK(futc_num_workers(ctx) == 5);
  futc_context_close(ctx);
  /* What the program's user says goes first. */
  ctx = open_parallel(3);
  CHECK(futc_num_workers(ctx) == 3);
  futc_context_close(ctx);
  CHECK(setenv("FUTHARK_NUM_THREADS", "0", 1) == 0);
  ctx = open_parallel(0);
  CHECK(futc_num_workers(ctx) == futc_usable_cpus());
  futc_context_close(ctx);
  CHECK(unsetenv("FUTHARK_NUM_THREADS") == 0);
  ctx = futc_context_open(&parallel_program, &(struct futc_config){.num_threads = 1 << 20});
  CHECK(ctx != NULL && ctx->error != NULL);
  futc_context_close(ctx);
}

static char folder[] = "/tmp/futc-cpus-XXXXXX";

static void put(const char *name, const char *text) {
  char path[512];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char *at = path + sizeof folder; (at = strchr(at, '/')) != NULL; at++) {
    *at = '\0';
    (void)mkdir(path, 0700);
    *at = '/';
  }
  FILE *out = fopen(path, "w");
  CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
}

static int64_t cpus(void) {
  char proc[512];
  char sys[512];
  (void)snprintf(proc, sizeof proc, "%s/proc", folder);
  (void)snprintf(sys, sizeof sys, "%s/sys", folder);
  return futc_cgroup_cpus(proc, sys);
}

static void control_groups(void) {
  CHECK(mkdtemp(folder) != NULL);
  CHECK(cpus() == 0);
  put("proc/self/cgroup", "0::/a/b\n");
  CHECK(cpus() == 0);
  put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  CHECK(cpus() == 0);
  put("sys/fs/cgroup/a/cpu.max", "250000 100000\n");
  CHECK(cpus() == 3);
  put("sys/fs/cgroup/a/b/cpu.max", "1000 100000\n");
  CHECK(cpus() == 1);
  put("sys/fs/cgroup/a/b/cpu.max", "nonsense\n");
  CHECK(cpus() == 3);
  /* Inside of a container the path may not exist. */
  put("proc/self/cgroup", "0::/docker/0123\n");
  put("sys/fs/cgroup/cpu.max", "400000 100000\n");
  CHECK(cpus() == 4);
  put("proc/self/cgroup", "3:memory:/x\n2:cpuacct,cpu:/y\n0::/\n");
  put("sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_period_us", "100000\n");
  CHECK(cpus() == 4);
  put("sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_quota_us", "150000\n");
  CHECK(cpus() == 2);
  put("proc/self/cgroup", "no colons\n1:cpu\n:::\n");
  CHECK(cpus() == 0);
  char command[600];
  (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
  CHECK(system(command) == 0);
  CHECK(futc_usable_cpus() >= 1);
}

static void run_profiled(struct futc_context *ctx, const union futc_slot *in,
                         union futc_slot *out) {
  static struct futc_site site = {.schedule = FUTC_STATIC, .loc = "file.fut:1:2"};
  (void)out;
  struct sum *s = in[0].block;
  site.scale = 0;
  futc_parallel_for(ctx, &site, add, s, s->n, COSTLY);
}

static void profile(void) {
  struct futc_context *ctx = futc_context_open(
      &parallel_program, &(struct futc_config){.num_threads = 3, .profiling = true});
  for (int i = 0; i < 10; i++) {
    struct sum s = {.n = 5000};
    CHECK(call_parallel(ctx, run_profiled, &s) == 0);
  }
  char *text = futc_context_report(ctx);
  CHECK(text != NULL &&
        strstr(text, "parallel loop at file.fut:1:2 forked 10 times; total ") != NULL);
  free(text);
  futc_context_clear_caches(ctx);
  text = futc_context_report(ctx);
  CHECK(text != NULL && strstr(text, "file.fut") == NULL);
  free(text);
  futc_context_close(ctx);
}

/* ---- Processors. ---- */

/* A thread that is where its waker is moves, if there is anywhere else to go, and may go anywhere afterwards. */
static void spreads(void) {
  cpu_set_t before;
  cpu_set_t after;
  CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
  struct futc_thread *self = futc_board_worker(0);
  int32_t here = futc_spread_here();
  CHECK(here > 0 && CPU_ISSET((size_t)here - 1, &before));
  futc_spread(self, here, 1);
  int32_t there = atomic_load(&self->cpu);
  CHECK(CPU_COUNT(&before) == 1 || there != here || futc_spread_here() != here);
  CHECK(there > 0 && CPU_ISSET((size_t)there - 1, &before));
  CHECK(sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&before, &after));
  /* With one processor there is nowhere to go. */
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)there - 1, &one);
  CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
  futc_spread(self, there, 1);
  CHECK(atomic_load(&self->cpu) == there);
  CHECK(sched_setaffinity(0, sizeof before, &before) == 0);
}

/* A thread sleeps apart from a host that is awake, if there is anywhere else, and may go anywhere afterwards. */
static void sleeps_apart(void) {
  cpu_set_t before;
  cpu_set_t during;
  cpu_set_t after;
  CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
  int32_t here = futc_spread_here();
  int32_t other = 0;
  for (int32_t cpu = 1; cpu <= CPU_SETSIZE && other == 0; cpu++) {
    other = cpu != here && CPU_ISSET((size_t)cpu - 1, &before) ? cpu : 0;
  }
  struct futc_thread *host = futc_board_take_host();
  CHECK(host != NULL);
  atomic_store(&host->cpu, other);
  futc_spread_before_sleep(futc_board_worker(0), 1);
  CHECK(sched_getaffinity(0, sizeof during, &during) == 0);
  CHECK(other == 0 || futc_spread_here() != here || !CPU_ISSET((size_t)other - 1, &during));
  CHECK(CPU_COUNT(&during) > 0);
  futc_spread_after_sleep();
  CHECK(sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&before, &after));
  futc_board_return_host(host);
  /* With more threads than processors, nothing is done. */
  futc_spread_before_sleep(futc_board_worker(0), CPU_COUNT(&before));
  CHECK(sched_getaffinity(0, sizeof during, &during) == 0 && CPU_EQUAL(&before, &during));
  futc_spread_after_sleep();
}

/* Where the pool's thread may be, if it comes. */
static _Atomic int64_t looks;

static void look(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, int64_t worker) {
  (void)ctx;
  (void)lo;
  (void)hi;
  if (worker > 0) {
    CHECK(sched_getaffinity(0, sizeof(cpu_set_t), env) == 0);
    looks++;
  } else if (looks == 0) {
    (void)usleep(1000);
  }
}

static void run_look(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  fork_for(ctx, FUTC_SELF_SCHEDULED, look, in[0].block, 64);
}

/* A thread of the pool begins elsewhere, but may go where its maker is. */
static void begins_free(void) {
  cpu_set_t mine;
  cpu_set_t its;
  CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
  struct futc_context *ctx = open_parallel(2);
  for (int64_t i = 0; i < 100; i++) {
    its = mine;
    CHECK(call_parallel(ctx, run_look, &its) == 0);
    CHECK(CPU_EQUAL(&mine, &its));
  }
  CHECK(looks > 0 || CPU_COUNT(&mine) == 1);
  futc_context_close(ctx);
}

int main(void) {
  control_groups();
  spreads();
  sleeps_apart();
  begins_free();
  environment();
  begins_and_ends();
  after_fork();
  many_hosts(host, NULL);
  CHECK(futc_pool_size() == 0);
  struct futc_context *shared = open_parallel(4);
  many_hosts(call_in_turn, shared);
  futc_context_close(shared);
  CHECK(futc_pool_size() == 0);
  profile();
  return report();
}
