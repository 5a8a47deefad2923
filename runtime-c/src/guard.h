/* Running code of a program that may fail, which ends it wherever it is. */
#ifndef FUTC_GUARD_H
#define FUTC_GUARD_H

#include "context.h"

enum futc_ending { FUTC_RETURNED, FUTC_RAISED, FUTC_OVERFLOWED };

/* Runs `work`, as what the context's failures end, and says how it ended. */
enum futc_ending futc_guard(struct futc_context *ctx,
                            void (*work)(struct futc_context *ctx, void *argument),
                            void *argument);

/* Ends what runs for the context, which has a handler, as FUTC_RAISED or FUTC_OVERFLOWED. */
_Noreturn void futc_unwind(struct futc_context *ctx, enum futc_ending ending);

#endif
