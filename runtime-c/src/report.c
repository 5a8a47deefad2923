/* What a context has to say of its memory and of what was profiled: text for people, and JSON in the reference
 * implementation's form for tools: the peaks of memory by space, and events with name, duration in microseconds, place in
 * the source and details. Events of one name and place are one, whose details tell how many there were. */
#include "context.h"
#include "loop_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const spaces[FUTC_NUM_SPACES] = {"host", "device"};

/* Whether there is something to say of a space. */
static bool is_used(const struct futc_context *ctx, int32_t space) {
  return space == FUTC_SPACE_HOST || futc_heap_statistics(&ctx->heap, space).allocations > 0;
}

static void write_loop_text(const char *place, const struct futc_loop_counts *c, void *out) {
  (void)fprintf(out,
                "parallel loop at %s forked %" PRId64 " times; total %" PRId64 " us, of it %" PRId64
                " us waiting; %" PRId64 " us in %" PRId64 " chunks, %" PRId64
                " of them assisted\n",
                place, c->forked, c->nanoseconds / 1000, c->waited_ns / 1000, c->busy_ns / 1000,
                c->chunks, c->assisted);
}

static void write_text(struct futc_context *ctx, FILE *out) {
  for (int32_t i = 0; i < FUTC_NUM_SPACES; i++) {
    const struct futc_heap_statistics s = futc_heap_statistics(&ctx->heap, i);
    if (is_used(ctx, i)) {
      (void)fprintf(out,
                    "Memory in space %s: peak %" PRId64 " bytes, now %" PRId64 " bytes; %" PRId64
                    " allocations, %" PRId64 " of them reused\n",
                    spaces[i], s.peak_bytes, s.live_bytes, s.allocations, s.reused);
    }
  }
  for (size_t i = 0; i < ctx->profile.num_events; i++) {
    const struct futc_profile_event *e = &ctx->profile.events[i];
    (void)fprintf(out, "%s ran %" PRId64 " times; avg %" PRId64 " us; total %" PRId64 " us\n",
                  e->name, e->count, e->nanoseconds / e->count / 1000, e->nanoseconds / 1000);
  }
  futc_loop_profile_report(ctx, write_loop_text, out);
}

/* ---- JSON. ---- */

static void write_string(FILE *out, const char *text) {
  (void)fputc('"', out);
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ') {
      (void)fprintf(out, "\\u%04x", c);
    } else {
      (void)fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
  }
  (void)fputc('"', out);
}

/* Events that are written, one behind the other. */
struct events {
  FILE *out;
  bool some;
};

/* All of an event but its details. */
static void begin_event(struct events *to, const char *name, int64_t nanoseconds,
                        const char *place) {
  (void)fputs(to->some ? ",{\"name\":" : "{\"name\":", to->out);
  to->some = true;
  write_string(to->out, name);
  (void)fprintf(to->out, ",\"duration\":%.3f,\"provenance\":", (double)nanoseconds / 1000);
  write_string(to->out, place);
  (void)fputs(",\"details\":", to->out);
}

static void write_loop(const char *place, const struct futc_loop_counts *c, void *events) {
  struct events *to = events;
  begin_event(to, "parallel loop", c->nanoseconds, place);
  (void)fprintf(to->out,
                "{\"count\":%" PRId64 ",\"waiting\":%.3f,\"busy\":%.3f,\"chunks\":%" PRId64
                ",\"assisted\":%" PRId64 "}}",
                c->forked, (double)c->waited_ns / 1000, (double)c->busy_ns / 1000, c->chunks,
                c->assisted);
}

static void write_json(struct futc_context *ctx, FILE *out) {
  (void)fputs("{\"memory\":{", out);
  for (int32_t i = 0; i < FUTC_NUM_SPACES; i++) {
    if (is_used(ctx, i)) {
      (void)fprintf(out, "%s\"%s\":%" PRId64, i == 0 ? "" : ",", spaces[i],
                    futc_heap_statistics(&ctx->heap, i).peak_bytes);
    }
  }
  (void)fputs("},\"events\":[", out);
  struct events events = {out, false};
  for (size_t i = 0; i < ctx->profile.num_events; i++) {
    const struct futc_profile_event *e = &ctx->profile.events[i];
    begin_event(&events, e->name, e->nanoseconds, "");
    (void)fprintf(out, "{\"count\":%" PRId64 "}}", e->count);
  }
  futc_loop_profile_report(ctx, write_loop, &events);
  (void)fputs("]}\n", out);
}

static char *written(struct futc_context *ctx, void (*write)(struct futc_context *, FILE *)) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  write(ctx, out);
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

char *futc_context_report(struct futc_context *ctx) {
  return written(ctx, write_text);
}

char *futc_context_report_json(struct futc_context *ctx) {
  return written(ctx, write_json);
}
