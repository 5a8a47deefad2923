/* The command line of executables and servers: one table for parsing and help. */
#include "options.h"

#include "params.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum option {
  HELP,
  VERSION,
  ENTRY,
  BINARY,
  NO_RESULT,
  RUNS,
  RUNTIME,
  DEBUGGING,
  LOG,
  PROFILE,
  DEVICE,
  THREADS,
  CACHE,
  PRINT_PARAMS,
  PARAM,
  TUNING,
  DEFAULT_BLOCK,
  DEFAULT_GRID,
  DEFAULT_TILE,
  DEFAULT_REG_TILE,
  DEFAULT_REGISTERS,
  DEFAULT_SHARED,
  DEFAULT_CACHE,
  DEFAULT_THRESHOLD,
  DUMP_PTX,
  LOAD_PTX,
  TRACE
};

/* Where an option is known. */
enum where { EVERYWHERE, NO_SERVER, GPU, NVIDIA, MULTICORE };

struct spec {
  const char *name;
  const char *argument; /* or NULL */
  const char *help;     /* NULL for a second name */
  char letter;          /* or 0 */
  enum option option;
  enum where where;
};

static const struct spec specs[] = {
    {"help", NULL, "Print this text and exit.", 'h', HELP, EVERYWHERE},
    {"version", NULL, "Print which compiler made the program and exit.", 0, VERSION, EVERYWHERE},
    {"entry-point", "NAME", "The entry point to run; main by default.", 'e', ENTRY, NO_SERVER},
    {"binary-output", NULL, "Print the result in the binary data format.", 'b', BINARY, NO_SERVER},
    {"no-print-result", NULL, "Do not print the result.", 'n', NO_RESULT, NO_SERVER},
    {"runs", "NUM", "Run NUM times, after a run to warm up.", 'r', RUNS, NO_SERVER},
    {"write-runtime-to", "FILE", "Write the time of each run to FILE, in microseconds.", 't',
     RUNTIME, NO_SERVER},
    {"debugging", NULL, "Log, profile and check more than usual.", 'D', DEBUGGING, EVERYWHERE},
    {"log", NULL, "Log to standard error.", 'L', LOG, EVERYWHERE},
    {"profile", NULL, "Print a summary of times to standard error at the end.", 'P', PROFILE,
     EVERYWHERE},
    {"cache-file", "FILE", "Keep what can be used again by later runs in FILE.", 0, CACHE,
     EVERYWHERE},
    {"print-params", NULL, "Print the tuning parameters and exit.", 0, PRINT_PARAMS, EVERYWHERE},
    {"param", "NAME=VALUE", "Set a tuning parameter.", 0, PARAM, EVERYWHERE},
    {"size", "NAME=VALUE", NULL, 0, PARAM, EVERYWHERE},
    {"tuning", "FILE", "Set the tuning parameters that FILE says, one NAME=VALUE per line.", 0,
     TUNING, EVERYWHERE},
    {"num-threads", "NUM",
     "The number of threads; below 1: as FUTHARK_NUM_THREADS says, or one per core.", 0, THREADS,
     MULTICORE},
    {"trace-loops", "FILE",
     "Run the tasks of loops one after another, and write to FILE when each ends, for simulations.", 0,
     TRACE, MULTICORE},
    {"device", "NAME", "The first device whose name contains NAME; #k is the k-th.", 'd', DEVICE,
     GPU},
    {"default-thread-block-size", "NUM", "The number of threads in a block.", 0, DEFAULT_BLOCK,
     GPU},
    {"default-group-size", "NUM", NULL, 0, DEFAULT_BLOCK, GPU},
    {"default-grid-size", "NUM", "The number of blocks in a grid.", 0, DEFAULT_GRID, GPU},
    {"default-num-groups", "NUM", NULL, 0, DEFAULT_GRID, GPU},
    {"default-tile-size", "NUM", "The size of tiles in shared memory.", 0, DEFAULT_TILE, GPU},
    {"default-reg-tile-size", "NUM", "The size of tiles in registers.", 0, DEFAULT_REG_TILE, GPU},
    {"default-threshold", "NUM", "The parallelism from which a version is chosen.", 0,
     DEFAULT_THRESHOLD, GPU},
    {"default-registers", "NUM", "The number of registers per block.", 0, DEFAULT_REGISTERS, GPU},
    {"default-shared-memory", "NUM", "The bytes of shared memory per block.", 0, DEFAULT_SHARED,
     GPU},
    {"default-cache", "NUM", "The bytes of cache.", 0, DEFAULT_CACHE, GPU},
    {"dump-ptx", "FILE", "Write the kernels to FILE and exit.", 0, DUMP_PTX, NVIDIA},
    {"load-ptx", "FILE", "Use the kernels in FILE.", 0, LOAD_PTX, NVIDIA},
};

#define NUM_SPECS (sizeof specs / sizeof specs[0])

struct parsing {
  const struct futc_program *program;
  const char *name;
  bool server;
  struct futc_options *options;
};

static enum futc_options_outcome wrong(const struct parsing *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum futc_options_outcome wrong(const struct parsing *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)fprintf(stderr, "%s: ", p->name);
  (void)vfprintf(stderr, format, args);
  (void)fputc('\n', stderr);
  va_end(args);
  return FUTC_OPTIONS_WRONG;
}

/* An option that is known and changes nothing in this program is not passed over in silence. */
static void no_effect(const struct parsing *p, const struct spec *s, const char *why) {
  (void)fprintf(stderr, "%s: note: --%s has no effect: %s\n", p->name, s->name, why);
}

static bool known_here(const struct parsing *p, const struct spec *s) {
  int64_t target = p->program->target;
  switch (s->where) {
  case EVERYWHERE: return true;
  case NO_SERVER: return !p->server;
  case GPU: return target == FUTC_NVPTX || target == FUTC_GPU_EMU;
  case NVIDIA: return target == FUTC_NVPTX;
  case MULTICORE: return target == FUTC_MULTICORE;
  }
  return false;
}

static void print_help(const struct parsing *p) {
  (void)printf("Usage: %s [OPTION]...\nOptions:\n", p->name);
  for (size_t i = 0; i < NUM_SPECS; i++) {
    const struct spec *s = &specs[i];
    if (s->help == NULL || !known_here(p, s)) {
      continue;
    }
    char names[64];
    (void)snprintf(names, sizeof names, "%c%c%s--%s%s%s", s->letter != 0 ? '-' : ' ',
                   s->letter != 0 ? s->letter : ' ', s->letter != 0 ? ", " : "  ", s->name,
                   s->argument != NULL ? "=" : "", s->argument != NULL ? s->argument : "");
    (void)printf("  %-36s %s\n", names, s->help);
  }
}

static enum futc_options_outcome set_class(const struct parsing *p, const struct spec *s,
                                           const char *klass, const char *argument) {
  int64_t value = 0;
  if (!futc_parse_number(argument, &value) || value < 0) {
    return wrong(p, "--%s: '%s' is not a non-negative integer", s->name, argument);
  }
  if (!futc_set_params_of_class(p->program, klass, value)) {
    no_effect(p, s, "the program has no such tuning parameters");
  }
  return FUTC_OPTIONS_RUN;
}

static enum futc_options_outcome apply(const struct parsing *p, const struct spec *s,
                                       const char *argument) {
  struct futc_options *o = p->options;
  char message[FUTC_PARAM_MESSAGE];
  switch (s->option) {
  case HELP: print_help(p); return FUTC_OPTIONS_DONE;
  case VERSION:
    (void)printf("%s, from %s\n", p->program->compiler, p->program->source);
    return FUTC_OPTIONS_DONE;
  case ENTRY: o->entry = argument; break;
  case BINARY: o->binary_output = true; break;
  case NO_RESULT: o->no_result = true; break;
  case RUNS:
    if (!futc_parse_number(argument, &o->runs) || o->runs < 1) {
      return wrong(p, "--runs: '%s' is not a positive integer", argument);
    }
    break;
  case RUNTIME: o->runtime_path = argument; break;
  case DEBUGGING: o->config.debugging = true; break;
  case LOG: o->config.logging = true; break;
  case PROFILE: o->config.profiling = true; break;
  case DEVICE:
    o->config.device = argument;
    if (p->program->target == FUTC_GPU_EMU) {
      no_effect(p, s, "kernels are run on the host");
    }
    break;
  case THREADS:
    if (!futc_parse_number(argument, &o->config.num_threads)) {
      return wrong(p, "--num-threads: '%s' is not an integer", argument);
    }
    break;
  case TRACE: o->config.trace = argument; break;
  case CACHE: no_effect(p, s, "nothing is kept for later runs yet"); break;
  case PRINT_PARAMS: futc_print_params(p->program, stdout); return FUTC_OPTIONS_DONE;
  case PARAM:
    if (!futc_assign_param(p->program, argument, message)) {
      return wrong(p, "--%s: %s", s->name, message);
    }
    break;
  case TUNING:
    if (!futc_read_tuning(p->program, argument, message)) {
      return wrong(p, "--tuning: %s", message);
    }
    break;
  case DEFAULT_BLOCK: return set_class(p, s, "thread_block_size", argument);
  case DEFAULT_GRID: return set_class(p, s, "grid_size", argument);
  case DEFAULT_TILE: return set_class(p, s, "tile_size", argument);
  case DEFAULT_REG_TILE: return set_class(p, s, "reg_tile_size", argument);
  case DEFAULT_REGISTERS: return set_class(p, s, "registers", argument);
  case DEFAULT_SHARED: return set_class(p, s, "shared_memory", argument);
  case DEFAULT_CACHE: return set_class(p, s, "cache", argument);
  case DEFAULT_THRESHOLD: return set_class(p, s, "threshold", argument);
  case DUMP_PTX: o->dump_ptx = argument; break;
  case LOAD_PTX: o->config.load_ptx = argument; break;
  }
  return FUTC_OPTIONS_RUN;
}

static const struct spec *find_name(const struct parsing *p, const char *name, size_t len) {
  for (size_t i = 0; i < NUM_SPECS; i++) {
    if (strlen(specs[i].name) == len && memcmp(specs[i].name, name, len) == 0 &&
        known_here(p, &specs[i])) {
      return &specs[i];
    }
  }
  return NULL;
}

static const struct spec *find_letter(const struct parsing *p, char letter) {
  for (size_t i = 0; i < NUM_SPECS; i++) {
    if (specs[i].letter == letter && known_here(p, &specs[i])) {
      return &specs[i];
    }
  }
  return NULL;
}

/* `--name`, `--name=argument` or `--name argument`. */
static enum futc_options_outcome parse_long(const struct parsing *p, char **argv, int *i) {
  const char *name = argv[*i] + 2;
  const char *equals = strchr(name, '=');
  size_t len = equals != NULL ? (size_t)(equals - name) : strlen(name);
  const struct spec *s = find_name(p, name, len);
  if (s == NULL) {
    return wrong(p, "unknown option --%.*s (see --help)", (int)len, name);
  }
  const char *argument = equals != NULL ? equals + 1 : NULL;
  if (s->argument == NULL && argument != NULL) {
    return wrong(p, "option --%s takes no argument", s->name);
  }
  if (s->argument != NULL && argument == NULL) {
    argument = argv[++*i];
    if (argument == NULL) {
      return wrong(p, "option --%s needs an argument %s", s->name, s->argument);
    }
  }
  return apply(p, s, argument);
}

/* `-x`, several letters together, `-xargument` or `-x argument`. */
static enum futc_options_outcome parse_short(const struct parsing *p, char **argv, int *i) {
  for (const char *letter = argv[*i] + 1; *letter != '\0'; letter++) {
    const struct spec *s = find_letter(p, *letter);
    if (s == NULL) {
      return wrong(p, "unknown option -%c (see --help)", *letter);
    }
    const char *argument = NULL;
    if (s->argument != NULL) {
      argument = letter[1] != '\0' ? letter + 1 : argv[++*i];
      if (argument == NULL) {
        return wrong(p, "option -%c needs an argument %s", s->letter, s->argument);
      }
    }
    enum futc_options_outcome outcome = apply(p, s, argument);
    if (outcome != FUTC_OPTIONS_RUN || argument != NULL) {
      return outcome;
    }
  }
  return FUTC_OPTIONS_RUN;
}

enum futc_options_outcome futc_parse_options(const struct futc_program *program, int argc,
                                             char **argv, bool server,
                                             struct futc_options *options) {
  *options = (struct futc_options){.entry = "main", .runs = -1};
  struct parsing p = {program, argc > 0 ? argv[0] : "futc-program", server, options};
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    if (arg[0] != '-' || arg[1] == '\0') {
      return wrong(&p, "unexpected argument '%s': values are read from standard input", arg);
    }
    enum futc_options_outcome outcome =
        arg[1] == '-' ? parse_long(&p, argv, &i) : parse_short(&p, argv, &i);
    if (outcome != FUTC_OPTIONS_RUN) {
      return outcome;
    }
  }
  return FUTC_OPTIONS_RUN;
}
