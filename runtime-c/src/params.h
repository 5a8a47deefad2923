/* Tunable parameters of a program. */
#ifndef FUTC_PARAMS_H
#define FUTC_PARAMS_H

#include "futc_program.h"

#include <stdio.h>

#define FUTC_PARAM_MESSAGE 256

/* NULL if there is none of the name. */
const struct futc_param *futc_find_param(const struct futc_program *p, const char *name);

/* A value of 0 means the default. False for an unknown name or a negative value. */
bool futc_set_param(const struct futc_program *p, const char *name, int64_t value);
/* Sets all parameters whose class begins with the text; returns how many. */
int64_t futc_set_params_of_class(const struct futc_program *p, const char *klass, int64_t value);

/* `NAME=VALUE`; on failure the message says why. */
bool futc_assign_param(const struct futc_program *p, const char *text,
                       char message[FUTC_PARAM_MESSAGE]);
/* A file of such lines. */
bool futc_read_tuning(const struct futc_program *p, const char *path,
                      char message[FUTC_PARAM_MESSAGE]);

/* A whole number in decimal; false for anything else. */
bool futc_parse_number(const char *text, int64_t *value);

void futc_print_params(const struct futc_program *p, FILE *out);

#endif
