/* The command line of futc's executables around a program written by hand, in C or C++.

   A program includes this header and defines three functions:

     bench_setup    reads the inputs, in order, with bench_f32s and the like; not timed;
     bench_run      computes once; timed, with the allocation of its results, which it frees first where
                    the run before left them;
     bench_output   prints the results of the last run, in order, with bench_put_f32s and the like.

   The command line: values in Futhark's binary format from standard input; -r N runs N times after
   a run to warm up; -t FILE writes the microseconds of each run to FILE, one a line; -n prints no
   result. Without -n the result goes to standard output in the binary format.

   Memory once freed is kept by the process and given out again, as the runtime of futc's
   executables does, so that neither side pays for the pages of a large array at every run. */

#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void bench_setup(void);
static void bench_run(void);
static void bench_output(void);

__attribute__((unused)) static void bench_fail(const char *what) {
  fprintf(stderr, "bench: %s\n", what);
  exit(1);
}

/* What stands before each block that bench_alloc hands out. */
struct bench_block {
  size_t size;
  struct bench_block *next;
};

enum { BENCH_ALIGNMENT = 64 };

static struct bench_block *bench_freed;

/* Memory for size bytes, aligned to 64. A freed block of the same size is taken again: the
   allocator of the C library grows the heap instead, as it asks for room to align the block in. */
__attribute__((unused)) static void *bench_alloc(size_t size) {
  size = (size + BENCH_ALIGNMENT - 1) / BENCH_ALIGNMENT * BENCH_ALIGNMENT;
  struct bench_block **link = &bench_freed;
  while (*link != NULL && (*link)->size != size) {
    link = &(*link)->next;
  }
  struct bench_block *block = *link;
  if (block != NULL) {
    *link = block->next;
  } else {
    block = (struct bench_block *)aligned_alloc(BENCH_ALIGNMENT, BENCH_ALIGNMENT + size);
    if (block == NULL) {
      bench_fail("out of memory");
    }
    block->size = size;
  }
  return (char *)block + BENCH_ALIGNMENT;
}

__attribute__((unused)) static void bench_free(void *p) {
  if (p != NULL) {
    struct bench_block *block = (struct bench_block *)((char *)p - BENCH_ALIGNMENT);
    block->next = bench_freed;
    bench_freed = block;
  }
}

static void bench_read(void *into, size_t size) {
  if (fread(into, 1, size, stdin) != size) {
    bench_fail("the input ends too soon");
  }
}

/* Reads a value's header: its element type must be type, its rank rank; its sizes go to dims. The
   number of its elements. */
static int64_t bench_header(const char *type, int rank, int64_t *dims) {
  int c = getchar();
  while (c == ' ' || c == '\n' || c == '\t') {
    c = getchar();
  }
  unsigned char head[6];
  bench_read(head, sizeof head);
  if (c != 'b' || head[0] != 2) {
    bench_fail("the input is not in the binary format");
  }
  if (head[1] != rank || memcmp(head + 2, type, 4) != 0) {
    fprintf(stderr, "bench: expected rank %d of %s, found rank %d of %.4s\n", rank, type, head[1],
            (const char *)head + 2);
    exit(1);
  }
  int64_t n = 1;
  for (int i = 0; i < rank; i++) {
    bench_read(&dims[i], sizeof dims[i]);
    n *= dims[i];
  }
  return n;
}

static void bench_put(const char *type, size_t size, const void *data, int rank,
                      const int64_t *dims) {
  unsigned char head[3] = {'b', 2, (unsigned char)rank};
  fwrite(head, 1, sizeof head, stdout);
  fwrite(type, 1, 4, stdout);
  for (int i = 0; i < rank; i++) {
    fwrite(&dims[i], sizeof dims[i], 1, stdout);
    size *= (size_t)dims[i];
  }
  if (fwrite(data, 1, size, stdout) != size) {
    bench_fail("cannot write the result");
  }
}

/* For the element type NAME: the next argument as an array (its sizes go to dims), or as a scalar;
   a result that is an array, or a scalar. */
#define BENCH_TYPE(NAME, C, CODE)                                                                  \
  __attribute__((unused)) static C *bench_##NAME##s(int rank, int64_t *dims) {                     \
    size_t size = (size_t)bench_header(CODE, rank, dims) * sizeof(C);                              \
    C *data = (C *)bench_alloc(size);                                                                   \
    bench_read(data, size);                                                                        \
    return data;                                                                                   \
  }                                                                                                \
  __attribute__((unused)) static C bench_##NAME(void) {                                            \
    C value;                                                                                       \
    bench_header(CODE, 0, NULL);                                                                   \
    bench_read(&value, sizeof value);                                                              \
    return value;                                                                                  \
  }                                                                                                \
  __attribute__((unused)) static void bench_put_##NAME##s(const C *data, int rank,                 \
                                                          const int64_t *dims) {                   \
    bench_put(CODE, sizeof(C), data, rank, dims);                                                  \
  }                                                                                                \
  __attribute__((unused)) static void bench_put_##NAME(C value) {                                  \
    bench_put(CODE, sizeof value, &value, 0, NULL);                                                \
  }

BENCH_TYPE(f32, float, " f32")
BENCH_TYPE(f64, double, " f64")
BENCH_TYPE(i8, int8_t, "  i8")
BENCH_TYPE(i16, int16_t, " i16")
BENCH_TYPE(i32, int32_t, " i32")
BENCH_TYPE(i64, int64_t, " i64")
BENCH_TYPE(u8, uint8_t, "  u8")
BENCH_TYPE(u16, uint16_t, " u16")
BENCH_TYPE(u32, uint32_t, " u32")
BENCH_TYPE(u64, uint64_t, " u64")
BENCH_TYPE(bool, bool, "bool")

int main(int argc, char **argv) {
  long runs = 0;
  const char *times_path = NULL;
  bool print = true;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-r") == 0 && i + 1 < argc) {
      runs = atol(argv[++i]);
    } else if (strcmp(argv[i], "-t") == 0 && i + 1 < argc) {
      times_path = argv[++i];
    } else if (strcmp(argv[i], "-n") == 0) {
      print = false;
    } else if (strcmp(argv[i], "-b") != 0) {
      fprintf(stderr, "usage: %s [-b] [-n] [-r RUNS] [-t FILE] <INPUT\n", argv[0]);
      return 2;
    }
  }
  FILE *times = NULL;
  if (times_path != NULL && (times = fopen(times_path, "w")) == NULL) {
    bench_fail("cannot write the file of times");
  }
  bench_setup();
  if (runs > 0) {
    bench_run();
  } else {
    runs = 1;
  }
  for (long i = 0; i < runs; i++) {
    struct timespec start;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    bench_run();
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (times != NULL) {
      int64_t ns =
          (int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + (end.tv_nsec - start.tv_nsec);
      fprintf(times, "%.3f\n", (double)ns / 1e3);
    }
  }
  if (times != NULL && fclose(times) != 0) {
    bench_fail("cannot write the file of times");
  }
  if (print) {
    bench_output();
  }
  return fflush(stdout) == 0 ? 0 : 1;
}

#endif
