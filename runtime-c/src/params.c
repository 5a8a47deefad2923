/* Tunable parameters: `--param`, `--tuning`, `--print-params`, `--default-...`. */
#include "params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool futc_parse_number(const char *text, int64_t *value) {
  char *end = NULL;
  errno = 0;
  long long n = strtoll(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || strchr(" \t\n\v\f\r", text[0]) != NULL) {
    return false;
  }
  *value = n;
  return true;
}

const struct futc_param *futc_find_param(const struct futc_program *p, const char *name) {
  for (int64_t i = 0; i < p->num_params; i++) {
    if (strcmp(p->params[i].name, name) == 0) {
      return &p->params[i];
    }
  }
  return NULL;
}

static void set(const struct futc_param *param, int64_t value) {
  *param->value = value == 0 ? param->default_value : value;
}

bool futc_set_param(const struct futc_program *p, const char *name, int64_t value) {
  const struct futc_param *param = futc_find_param(p, name);
  if (param == NULL || value < 0) {
    return false;
  }
  set(param, value);
  return true;
}

int64_t futc_set_params_of_class(const struct futc_program *p, const char *klass, int64_t value) {
  int64_t n = 0;
  for (int64_t i = 0; i < p->num_params; i++) {
    if (strncmp(p->params[i].klass, klass, strlen(klass)) == 0) {
      set(&p->params[i], value);
      n++;
    }
  }
  return n;
}

bool futc_assign_param(const struct futc_program *p, const char *text,
                       char message[FUTC_PARAM_MESSAGE]) {
  const char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    (void)snprintf(message, FUTC_PARAM_MESSAGE, "'%.60s' is not of the form NAME=VALUE", text);
    return false;
  }
  int64_t value = 0;
  if (!futc_parse_number(equals + 1, &value) || value < 0) {
    (void)snprintf(message, FUTC_PARAM_MESSAGE, "'%.60s' is not a non-negative integer",
                   equals + 1);
    return false;
  }
  char *name = strndup(text, (size_t)(equals - text));
  if (name == NULL) {
    (void)snprintf(message, FUTC_PARAM_MESSAGE, "out of memory");
    return false;
  }
  bool known = futc_set_param(p, name, value);
  if (!known) {
    (void)snprintf(message, FUTC_PARAM_MESSAGE, "unknown parameter '%.60s'; see --print-params",
                   name);
  }
  free(name);
  return known;
}

bool futc_read_tuning(const struct futc_program *p, const char *path,
                      char message[FUTC_PARAM_MESSAGE]) {
  FILE *in = fopen(path, "r");
  if (in == NULL) {
    (void)snprintf(message, FUTC_PARAM_MESSAGE, "cannot open %.120s: %s", path, strerror(errno));
    return false;
  }
  char *line = NULL;
  size_t room = 0;
  bool ok = true;
  ssize_t len = 0;
  for (int number = 1; ok && (len = getline(&line, &room, in)) > 0; number++) {
    if (line[len - 1] == '\n') {
      line[--len] = '\0';
    }
    char inner[FUTC_PARAM_MESSAGE];
    if (!futc_assign_param(p, line, inner)) {
      (void)snprintf(message, FUTC_PARAM_MESSAGE, "%.80s, line %d: %.140s", path, number, inner);
      ok = false;
    }
  }
  free(line);
  (void)fclose(in);
  return ok;
}

void futc_print_params(const struct futc_program *p, FILE *out) {
  for (int64_t i = 0; i < p->num_params; i++) {
    (void)fprintf(out, "%s (%s)\n", p->params[i].name, p->params[i].klass);
  }
}
