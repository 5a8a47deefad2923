/* A loop that is being run, and what one thread does for it. */
#ifndef FUTC_CHUNKS_H
#define FUTC_CHUNKS_H

#include "context.h"
#include "grain.h"

#define FUTC_NOT_FAILED INT64_MAX

struct futc_piece {
  _Alignas(64) _Atomic int64_t next; /* chunk */
};

struct futc_loop {
  futc_body_fn body;
  void *env;
  struct futc_site *site;
  struct futc_context *root;
  struct futc_loop *parent; /* around it, or NULL */
  struct futc_thread *owner;
  int64_t n;
  struct futc_cut cut;
  int32_t depth; /* its place in the owner's record */
  int32_t admitted; /* threads of lower numbers may assist */
  bool profiled;
  uint64_t around; /* as on the board, for the loops inside of it */
  /* Of the lowest chunk that failed; changed by who has set `failing`. */
  _Alignas(64) _Atomic int64_t failed_from;
  char *error;
  bool out_of_memory; /* of that error */
  _Atomic bool failing;
  /* Threads to be woken still. */
  _Atomic int32_t wakes;
  /* Pins less departures; negative until the owner has added the pins. */
  _Alignas(64) _Atomic int32_t pending;
  struct futc_piece pieces[FUTC_MAX_PIECES];
};

/* One thread's part of a loop. */
struct futc_turn {
  struct futc_context *ctx;
  struct futc_loop *loop;
  int32_t piece;
  int32_t left; /* pieces not known to be used up */
  int64_t lo;
  int64_t hi;
  int64_t chunks;
  int64_t iterations;
};

/* Runs chunks of the loop until none is left. By its owner, or by who has pinned it. */
struct futc_turn futc_chunks_run(struct futc_context *ctx, struct futc_loop *loop);

#endif
