/* Libraries: configurations and contexts, as the guide's C API has them.
 *
 * A context of a library is one of the runtime with a lock around it, and the values that were made
 * for it.
 */
#include "cuda.h"
#include "error.h"
#include "library.h"
#include "params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These are what shared libraries show. */
#pragma GCC visibility push(default)
#include "futc_context_api.inc"
#include "futc_device_api.inc"
#include "futc_threads_api.inc"
#pragma GCC visibility pop

struct futhark_context_config {
  struct futc_config config;
  const char *dump_ptx;
  bool in_use; /* by a context */
};

/* ---- Configurations. ---- */

struct futhark_context_config *futhark_context_config_new(void) {
  return calloc(1, sizeof(struct futhark_context_config));
}

void futhark_context_config_free(struct futhark_context_config *cfg) {
  free(cfg);
}

void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag) {
  cfg->config.debugging = flag != 0;
}

void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag) {
  cfg->config.profiling = flag != 0;
}

void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag) {
  cfg->config.logging = flag != 0;
}

/* Code is compiled before it is linked: a run leaves nothing that the next one could use. */
void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *fname) {
  (void)cfg;
  (void)fname;
}

void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n) {
  cfg->config.num_threads = n;
}

void futhark_context_config_set_device(struct futhark_context_config *cfg, const char *s) {
  cfg->config.device = s;
}

const char *futhark_context_config_get_program(struct futhark_context_config *cfg) {
  (void)cfg;
  return futc_program.ptx;
}

void futhark_context_config_dump_ptx_to(struct futhark_context_config *cfg, const char *path) {
  cfg->dump_ptx = path;
}

void futhark_context_config_load_ptx_from(struct futhark_context_config *cfg, const char *path) {
  cfg->config.load_ptx = path;
}

/* ---- Tuning parameters, which all contexts of the program share. ---- */

int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg,
                                            const char *param_name, size_t new_value) {
  (void)cfg;
  return (uint64_t)new_value <= INT64_MAX && futc_set_param(&futc_program, param_name, (int64_t)new_value)
             ? FUTC_SUCCESS
             : 1;
}

int futhark_get_tuning_param_count(void) {
  return (int)futc_program.num_params;
}

static const struct futc_param *param(int i) {
  return i >= 0 && i < futc_program.num_params ? &futc_program.params[i] : NULL;
}

const char *futhark_get_tuning_param_name(int i) {
  return param(i) != NULL ? param(i)->name : NULL;
}

const char *futhark_get_tuning_param_class(int i) {
  return param(i) != NULL ? param(i)->klass : NULL;
}

/* ---- Contexts. ---- */

static bool dump_ptx(const char *path) {
  FILE *out = fopen(path, "w");
  if (out == NULL) {
    return false;
  }
  bool ok = futc_program.ptx == NULL || fputs(futc_program.ptx, out) >= 0;
  return fclose(out) == 0 && ok;
}

static void open_context(struct futhark_context *lib, struct futhark_context_config *cfg) {
  lib->broken = true;
  if (cfg->in_use) {
    (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                            "the configuration is that of another context");
    return;
  }
  if (cfg->dump_ptx != NULL && !dump_ptx(cfg->dump_ptx)) {
    (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR, "cannot write %s", cfg->dump_ptx);
    return;
  }
  lib->ctx = futc_context_open(&futc_program, &cfg->config);
  if (lib->ctx == NULL) {
    (void)futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
  } else if (lib->ctx->error != NULL) {
    lib->error = lib->ctx->error;
    lib->ctx->error = NULL;
  } else {
    lib->broken = false;
    lib->config = cfg;
    cfg->in_use = true;
  }
}

struct futhark_context *futhark_context_new(struct futhark_context_config *cfg) {
  struct futhark_context *lib = cfg == NULL ? NULL : calloc(1, sizeof *lib);
  if (lib == NULL) {
    return NULL;
  }
  if (pthread_mutex_init(&lib->lock, NULL) != 0) {
    free(lib);
    return NULL;
  }
  open_context(lib, cfg);
  return lib;
}

void futhark_context_free(struct futhark_context *ctx) {
  if (ctx == NULL) {
    return;
  }
  /* Blocks of values that are left go with the heap. */
  while (ctx->all != NULL) {
    struct futc_value *v = ctx->all;
    ctx->all = v->next;
    free(v);
  }
  if (ctx->ctx != NULL && ctx->ctx->cuda != NULL) {
    futc_cuda_enter(ctx->ctx->cuda);
  }
  futc_context_close(ctx->ctx);
  if (ctx->config != NULL) {
    ctx->config->in_use = false;
  }
  (void)pthread_mutex_destroy(&ctx->lock);
  free(ctx->slots);
  free(ctx->error);
  free(ctx);
}

/* Everything is done when a function returns. */
int futhark_context_sync(struct futhark_context *ctx) {
  return futc_library_enter(ctx) ? futc_library_leave(ctx, FUTC_SUCCESS) : FUTC_PROGRAM_ERROR;
}

char *futhark_context_get_error(struct futhark_context *ctx) {
  (void)pthread_mutex_lock(&ctx->lock);
  char *error = ctx->error;
  ctx->error = NULL;
  (void)pthread_mutex_unlock(&ctx->lock);
  return error;
}

void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f) {
  if (futc_library_enter(ctx)) {
    ctx->ctx->log = f;
    (void)futc_library_leave(ctx, FUTC_SUCCESS);
  }
}

static void pause_profiling(struct futhark_context *ctx, bool pause) {
  if (futc_library_enter(ctx)) {
    ctx->ctx->profile.paused = pause;
    (void)futc_library_leave(ctx, FUTC_SUCCESS);
  }
}

void futhark_context_pause_profiling(struct futhark_context *ctx) {
  pause_profiling(ctx, true);
}

void futhark_context_unpause_profiling(struct futhark_context *ctx) {
  pause_profiling(ctx, false);
}

char *futhark_context_report(struct futhark_context *ctx) {
  if (!futc_library_enter(ctx)) {
    return NULL;
  }
  char *text = futc_context_report_json(ctx->ctx);
  (void)futc_library_leave(ctx, FUTC_SUCCESS);
  return text;
}

int futhark_context_clear_caches(struct futhark_context *ctx) {
  if (!futc_library_enter(ctx)) {
    return FUTC_PROGRAM_ERROR;
  }
  futc_context_clear_caches(ctx->ctx);
  return futc_library_leave(ctx, FUTC_SUCCESS);
}
