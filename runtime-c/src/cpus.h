/* How many processors this process may use. */
#ifndef FUTC_CPUS_H
#define FUTC_CPUS_H

#include <stdint.h>

/* At least 1: the smaller of the affinity mask and, rounded up, the processor time that control
 * groups (version 1 and 2) leave to this process. Reads files: not for hot paths. */
int64_t futc_usable_cpus(void);

/* The control groups' part, with other folders for /proc and /sys: 0 if there is no limit. */
int64_t futc_cgroup_cpus(const char *proc, const char *sys);

#endif
