/* Errors. */
#include "error.h"

#include "decimal.h"
#include "guard.h"
#include "overflow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void futc_clear_error(struct futc_context *ctx) {
  free(ctx->error);
  ctx->error = NULL;
  ctx->out_of_memory = false;
}

void futc_set_error(struct futc_context *ctx, const char *format, ...) {
  futc_clear_error(ctx);
  va_list args;
  va_start(args, format);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (len < 0) {
    return;
  }
  ctx->error = malloc((size_t)len + 1);
  if (ctx->error == NULL) {
    return;
  }
  va_start(args, format);
  (void)vsnprintf(ctx->error, (size_t)len + 1, format, args);
  va_end(args);
}

void futc_raise(struct futc_context *ctx) {
  if (ctx->handler == NULL) {
    (void)fprintf(stderr, "%s\n", ctx->error != NULL ? ctx->error : "out of memory");
    exit(1);
  }
  futc_unwind(ctx, FUTC_RAISED);
}

static void put_double(FILE *out, union futc_slot slot) {
  double x;
  memcpy(&x, &slot.bits, sizeof x);
  if (x != x) {
    (void)fputs("f64.nan", out);
  } else if (x - x != 0) {
    (void)fputs(x > 0 ? "f64.inf" : "-f64.inf", out);
  } else {
    char text[FUTC_FLOAT_CHARS];
    size_t len = futc_print_float(text, slot.bits, &futc_format_f64);
    (void)fwrite(text, 1, len, out);
  }
}

char *futc_failure_text(const char *format, const char *loc, const union futc_slot *args) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  (void)fputs("Error: ", out);
  for (const char *p = format; *p != '\0'; p++) {
    if (*p != '%' || p[1] == '\0') {
      (void)fputc(*p, out);
      continue;
    }
    p++;
    switch (*p) {
    case 'b': (void)fputs((args++->bits & 1) != 0 ? "true" : "false", out); break;
    case 'd': (void)fprintf(out, "%" PRId64, args++->i64); break;
    case 'u': (void)fprintf(out, "%" PRIu64, args++->bits); break;
    case 'f': put_double(out, *args++); break;
    default: (void)fputc(*p, out); break;
    }
  }
  (void)fputc('\n', out);
  if (loc != NULL) {
    (void)fprintf(out, "\nBacktrace:\n-> #0  %s\n", loc);
  }
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

void futc_fail(struct futc_context *ctx, const char *format, const char *loc,
               const union futc_slot *args) {
  /* For good: the call ends. */
  futc_enter_runtime();
  futc_clear_error(ctx);
  ctx->error = futc_failure_text(format, loc, args);
  futc_raise(ctx);
}
