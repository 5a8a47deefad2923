/* How many processors this process may use.
 *
 * A limit can be set in the control group of the process and in every group above it; the smallest
 * holds. Inside of a container the path in /proc/self/cgroup may be one of the host's and not
 * exist, and then the mounted root is the container's own group: so the path is shortened step by
 * step to the root, and what is missing on the way is no error.
 */
#include "cpus.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

#define PATH 1024
#define LINE 1024

static int64_t smaller(int64_t limit, int64_t other) {
  return other > 0 && (limit == 0 || other < limit) ? other : limit;
}

/* Quota and period in microseconds: processors, rounded up; 0 for no limit. */
static int64_t quotient(int64_t quota, int64_t period) {
  if (quota <= 0 || period <= 0) {
    return 0;
  }
  return quota / period + (quota % period != 0 ? 1 : 0);
}

static bool first_line(const char *folder, const char *name, char line[LINE]) {
  char path[2 * PATH];
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path) {
    return false;
  }
  FILE *in = fopen(path, "re");
  if (in == NULL) {
    return false;
  }
  bool read = fgets(line, LINE, in) != NULL;
  (void)fclose(in);
  return read;
}

/* "QUOTA PERIOD", or "max PERIOD". */
static int64_t limit_of_v2(const char *folder) {
  char line[LINE];
  int64_t quota = 0;
  int64_t period = 0;
  if (!first_line(folder, "cpu.max", line) ||
      sscanf(line, "%" SCNd64 " %" SCNd64, &quota, &period) != 2) {
    return 0;
  }
  return quotient(quota, period);
}

/* A quota of -1 is none. */
static int64_t limit_of_v1(const char *folder) {
  char line[LINE];
  int64_t quota = 0;
  int64_t period = 0;
  if (!first_line(folder, "cpu.cfs_quota_us", line) || sscanf(line, "%" SCNd64, &quota) != 1 ||
      !first_line(folder, "cpu.cfs_period_us", line) || sscanf(line, "%" SCNd64, &period) != 1) {
    return 0;
  }
  return quotient(quota, period);
}

/* Of the group `path` below `root`, and all above it. */
static int64_t limit_of_path(const char *root, const char *path,
                             int64_t (*limit_of)(const char *)) {
  char folder[PATH];
  int length = snprintf(folder, sizeof folder, "%s%s", root, path);
  if (length < 0 || (size_t)length >= sizeof folder) {
    return limit_of(root);
  }
  int64_t limit = 0;
  for (size_t root_length = strlen(root);;) {
    limit = smaller(limit, limit_of(folder));
    char *slash = strrchr(folder, '/');
    if (slash == NULL || slash < folder + root_length) {
      return limit;
    }
    *slash = '\0';
  }
}

static int64_t limit_below(const char *sys, const char *mount, const char *path,
                           int64_t (*limit_of)(const char *)) {
  char root[PATH];
  int length = snprintf(root, sizeof root, "%s/fs/cgroup%s", sys, mount);
  if (length < 0 || (size_t)length >= sizeof root) {
    return 0;
  }
  return limit_of_path(root, path, limit_of);
}

/* Whether "cpu" is in a list like "cpuacct,cpu". */
static bool lists_cpu(const char *list) {
  for (const char *at = list; at != NULL;) {
    size_t length = strcspn(at, ",");
    if (length == 3 && memcmp(at, "cpu", 3) == 0) {
      return true;
    }
    at = at[length] == ',' ? at + length + 1 : NULL;
  }
  return false;
}

/* Lines are "NUMBER:CONTROLLERS:PATH"; version 2 has no controllers there. */
int64_t futc_cgroup_cpus(const char *proc, const char *sys) {
  char name[PATH];
  int length = snprintf(name, sizeof name, "%s/self/cgroup", proc);
  if (length < 0 || (size_t)length >= sizeof name) {
    return 0;
  }
  FILE *in = fopen(name, "re");
  if (in == NULL) {
    return 0;
  }
  int64_t limit = 0;
  char line[LINE];
  while (fgets(line, sizeof line, in) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL) {
      continue;
    }
    controllers++;
    *path++ = '\0';
    if (*controllers == '\0') {
      limit = smaller(limit, limit_below(sys, "", path, limit_of_v2));
    } else if (lists_cpu(controllers)) {
      static const char *const mounts[] = {"/cpu", "/cpu,cpuacct", "/cpuacct,cpu"};
      for (size_t i = 0; i < sizeof mounts / sizeof mounts[0]; i++) {
        limit = smaller(limit, limit_below(sys, mounts[i], path, limit_of_v1));
      }
    }
  }
  (void)fclose(in);
  return limit;
}

static int64_t cpus_of_affinity(void) {
#ifdef __linux__
  /* Larger than any machine of today: a mask that is too small is refused by the system. */
  static const int most = 16384;
  cpu_set_t *mask = CPU_ALLOC(most);
  if (mask != NULL) {
    size_t bytes = CPU_ALLOC_SIZE(most);
    int count = sched_getaffinity(0, bytes, mask) == 0 ? CPU_COUNT_S(bytes, mask) : 0;
    CPU_FREE(mask);
    if (count > 0) {
      return count;
    }
  }
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? online : 1;
}

int64_t futc_usable_cpus(void) {
  return smaller(cpus_of_affinity(), futc_cgroup_cpus("/proc", "/sys"));
}
