/* Counts and times of parallel loops. */
#include "loop_profile.h"

#include <stdlib.h>

struct entry {
  const struct futc_site *site;
  struct futc_loop_counts counts;
};

struct futc_loop_profile {
  size_t count;
  size_t capacity;
  struct entry *entries;
};

static void add(struct futc_loop_counts *to, const struct futc_loop_counts *counts) {
  to->forked += counts->forked;
  to->nanoseconds += counts->nanoseconds;
  to->waited_ns += counts->waited_ns;
  to->busy_ns += counts->busy_ns;
  to->chunks += counts->chunks;
  to->assisted += counts->assisted;
}

static struct entry *find(struct futc_loop_profile *p, const struct futc_site *site) {
  for (size_t i = 0; i < p->count; i++) {
    if (p->entries[i].site == site) {
      return &p->entries[i];
    }
  }
  if (p->count == p->capacity) {
    size_t capacity = p->capacity == 0 ? 16 : p->capacity * 2;
    struct entry *larger = realloc(p->entries, capacity * sizeof *larger);
    if (larger == NULL) {
      return NULL;
    }
    p->entries = larger;
    p->capacity = capacity;
  }
  struct entry *e = &p->entries[p->count++];
  *e = (struct entry){.site = site};
  return e;
}

void futc_loop_profile_add(struct futc_context *ctx, const struct futc_site *site,
                           const struct futc_loop_counts *counts) {
  if (ctx->worker.profile == NULL) {
    ctx->worker.profile = calloc(1, sizeof *ctx->worker.profile);
    if (ctx->worker.profile == NULL) {
      return;
    }
  }
  struct entry *e = find(ctx->worker.profile, site);
  if (e != NULL) {
    add(&e->counts, counts);
  }
}

static struct futc_loop_profile *of_thread(const struct futc_context *root, int32_t i) {
  const struct futc_context *ctx = i == 0 ? root : root->worker.contexts[i];
  return ctx == NULL ? NULL : ctx->worker.profile;
}

static int32_t num_threads(const struct futc_context *root) {
  return root->worker.contexts == NULL ? 1 : root->worker.threads;
}

/* Every loop was counted at its caller's, but that may be any thread. */
void futc_loop_profile_report(const struct futc_context *root,
                              void (*each)(const char *loc, const struct futc_loop_counts *counts,
                                           void *with),
                              void *with) {
  struct futc_loop_profile all = {0};
  for (int32_t i = 0; i < num_threads(root); i++) {
    const struct futc_loop_profile *p = of_thread(root, i);
    for (size_t k = 0; p != NULL && k < p->count; k++) {
      struct entry *e = find(&all, p->entries[k].site);
      if (e != NULL) {
        add(&e->counts, &p->entries[k].counts);
      }
    }
  }
  for (size_t i = 0; i < all.count; i++) {
    const char *loc = all.entries[i].site->loc;
    each(loc != NULL ? loc : "?", &all.entries[i].counts, with);
  }
  free(all.entries);
}

void futc_loop_profile_clear(struct futc_context *root) {
  for (int32_t i = 0; i < num_threads(root); i++) {
    struct futc_loop_profile *p = of_thread(root, i);
    if (p != NULL) {
      p->count = 0;
    }
  }
}

void futc_loop_profile_close(struct futc_loop_profile *p) {
  if (p != NULL) {
    free(p->entries);
    free(p);
  }
}
