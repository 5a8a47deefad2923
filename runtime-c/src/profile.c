/* Profiling counters. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

void futc_profile_close(struct futc_profile *p) {
  free(p->events);
  *p = (struct futc_profile){0};
}

void futc_profile_clear(struct futc_profile *p) {
  p->num_events = 0;
}

void futc_profile_add(struct futc_profile *p, const char *name, int64_t nanoseconds) {
  if (!futc_profile_active(p)) {
    return;
  }
  for (size_t i = 0; i < p->num_events; i++) {
    if (strcmp(p->events[i].name, name) == 0) {
      p->events[i].count++;
      p->events[i].nanoseconds += nanoseconds;
      return;
    }
  }
  if (p->num_events == p->capacity) {
    size_t capacity = p->capacity == 0 ? 16 : p->capacity * 2;
    struct futc_profile_event *larger = realloc(p->events, capacity * sizeof *larger);
    if (larger == NULL) {
      return;
    }
    p->events = larger;
    p->capacity = capacity;
  }
  p->events[p->num_events++] = (struct futc_profile_event){name, 1, nanoseconds};
}
