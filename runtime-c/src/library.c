/* Libraries: operations on a context, one at a time, and their errors. */
#include "library.h"

#include "cuda.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool futc_library_enter(struct futhark_context *lib) {
  (void)pthread_mutex_lock(&lib->lock);
  if (lib->broken) {
    /* Why stays to be asked for. */
    if (lib->error == NULL) {
      (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR, "this context could not be made");
    }
    (void)pthread_mutex_unlock(&lib->lock);
    return false;
  }
  if (lib->ctx->cuda != NULL) {
    futc_cuda_enter(lib->ctx->cuda);
  }
  return true;
}

bool futc_library_enter_for(struct futhark_context *lib, const void *result) {
  if (!futc_library_enter(lib)) {
    return false;
  }
  if (result == NULL) {
    (void)futc_library_leave(lib, futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                                                    "the place for the result is NULL"));
    return false;
  }
  return true;
}

int futc_library_leave(struct futhark_context *lib, int code) {
  (void)pthread_mutex_unlock(&lib->lock);
  return code;
}

int futc_library_fail(struct futhark_context *lib, int code, const char *format, ...) {
  char text[FUTC_WHY];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t room = strlen(text) + sizeof "Error: .\n";
  free(lib->error);
  lib->error = malloc(room);
  if (lib->error != NULL) {
    (void)snprintf(lib->error, room, "Error: %s.\n", text);
  }
  return code;
}

int futc_library_take_error(struct futhark_context *lib) {
  free(lib->error);
  lib->error = lib->ctx->error;
  lib->ctx->error = NULL;
  int code = lib->ctx->out_of_memory ? FUTC_OUT_OF_MEMORY : FUTC_PROGRAM_ERROR;
  return lib->error != NULL ? code : futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
}

union futc_slot *futc_library_scratch(struct futhark_context *lib, size_t slots) {
  if (slots > lib->num_slots || lib->slots == NULL) {
    union futc_slot *larger = realloc(lib->slots, (slots + 1) * sizeof *larger);
    if (larger == NULL) {
      (void)futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
      return NULL;
    }
    lib->slots = larger;
    lib->num_slots = slots;
  }
  memset(lib->slots, 0, slots * sizeof *lib->slots);
  return lib->slots;
}
