/* Errors: of the context, and of running programs. */
#ifndef FUTC_ERROR_H
#define FUTC_ERROR_H

#include "context.h"

/* Replaces the context's error. */
void futc_set_error(struct futc_context *ctx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void futc_clear_error(struct futc_context *ctx);

/* Ends the entry call; the error has been set. Outside of one, prints it and exits. */
_Noreturn void futc_raise(struct futc_context *ctx);

/* "Error: TEXT\n\nBacktrace:\n-> #0  LOC\n" as futc_fail says; NULL out of memory. */
char *futc_failure_text(const char *format, const char *loc, const union futc_slot *args);

#endif
