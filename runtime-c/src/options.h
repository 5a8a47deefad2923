/* The command line of executables and servers. */
#ifndef FUTC_OPTIONS_H
#define FUTC_OPTIONS_H

#include "context.h"

struct futc_options {
  struct futc_config config;
  const char *entry; /* the entry point's name */
  bool binary_output;
  bool no_result;
  int64_t runs;             /* -1: once, without warming up */
  const char *runtime_path; /* or NULL */
  const char *dump_ptx;     /* or NULL */
};

enum futc_options_outcome { FUTC_OPTIONS_RUN, FUTC_OPTIONS_DONE, FUTC_OPTIONS_WRONG };

/* Sets tuning parameters of the program on the way. What is to be printed has been printed on DONE
 * (help, parameters) and WRONG (one line on standard error). */
enum futc_options_outcome futc_parse_options(const struct futc_program *program, int argc,
                                             char **argv, bool server,
                                             struct futc_options *options);

#endif
