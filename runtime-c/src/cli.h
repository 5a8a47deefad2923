/* Plain executables: one entry point, from standard input to standard output. */
#ifndef FUTC_CLI_H
#define FUTC_CLI_H

#include "context.h"

/* The exit status. */
int futc_run_cli(const struct futc_program *program, int argc, char **argv);

/* A new block with the same contents, or NULL with the context's error set. */
void *futc_copy_block(struct futc_context *ctx, const void *block);

#endif
