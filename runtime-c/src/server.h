/* Server executables: the line-oriented protocol on standard input and output. */
#ifndef FUTC_SERVER_H
#define FUTC_SERVER_H

#include "context.h"

/* The exit status. */
int futc_run_server(const struct futc_program *program, int argc, char **argv);

#endif
