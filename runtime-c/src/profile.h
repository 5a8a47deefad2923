/* Counts and times of named things (kernels, entry points) while profiling is on. */
#ifndef FUTC_PROFILE_H
#define FUTC_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct futc_profile_event {
  const char *name; /* lives as long as the program */
  int64_t count;
  int64_t nanoseconds;
};

struct futc_profile {
  bool enabled;
  bool paused;
  struct futc_profile_event *events;
  size_t num_events;
  size_t capacity;
};

static inline bool futc_profile_active(const struct futc_profile *p) {
  return p->enabled && !p->paused;
}

void futc_profile_close(struct futc_profile *p);
/* Does nothing while paused or disabled, or out of memory. */
void futc_profile_add(struct futc_profile *p, const char *name, int64_t nanoseconds);
void futc_profile_clear(struct futc_profile *p);

#endif
