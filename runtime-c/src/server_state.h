/* What the server's commands share: variables, types, and reporting failure. */
#ifndef FUTC_SERVER_STATE_H
#define FUTC_SERVER_STATE_H

#include "context.h"

/* A variable owns one reference to each block, unless consumed. */
struct futc_variable {
  char *name;
  const struct futc_type *type;
  bool consumed;
  struct futc_variable *next;
  union futc_slot slots[];
};

struct futc_server {
  const struct futc_program *program;
  struct futc_context *ctx;
  struct futc_variable *variables;
};

/* A command's words behind its name. */
struct futc_words {
  char **word;
  int64_t count;
};

/* Prints the failure marker and a message; returns false. */
bool futc_server_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* By name, primitive types always; NULL after reporting failure. */
const struct futc_type *futc_server_type(struct futc_server *s, const char *name);
const struct futc_entry *futc_server_entry(struct futc_server *s, const char *name);

/* NULL after reporting failure; `usable` variables are not consumed. */
struct futc_variable *futc_server_variable(struct futc_server *s, const char *name);
struct futc_variable *futc_server_usable(struct futc_server *s, const char *name);
/* Reports failure if the name is taken. */
bool futc_server_name_free(struct futc_server *s, const char *name);
/* A variable not yet listed, its slots zero; NULL after reporting failure. */
struct futc_variable *futc_server_make(struct futc_server *s, const char *name,
                                       const struct futc_type *type);
void futc_server_add(struct futc_server *s, struct futc_variable *v);
/* Frees one that is not listed, without releasing blocks. */
void futc_variable_discard(struct futc_variable *v);
/* Releases the blocks (not of a consumed variable) and frees an unlisted variable. */
void futc_variable_free(struct futc_server *s, struct futc_variable *v);
void futc_server_remove(struct futc_server *s, struct futc_variable *v);

/* The commands: false if they reported failure. */
bool futc_cmd_store(struct futc_server *s, struct futc_words w);
bool futc_cmd_restore(struct futc_server *s, struct futc_words w);
bool futc_cmd_kind(struct futc_server *s, struct futc_words w);
bool futc_cmd_fields(struct futc_server *s, struct futc_words w);
bool futc_cmd_new(struct futc_server *s, struct futc_words w);
bool futc_cmd_project(struct futc_server *s, struct futc_words w);
bool futc_cmd_variants(struct futc_server *s, struct futc_words w);
bool futc_cmd_construct(struct futc_server *s, struct futc_words w);
bool futc_cmd_destruct(struct futc_server *s, struct futc_words w);
bool futc_cmd_variant(struct futc_server *s, struct futc_words w);
bool futc_cmd_rank(struct futc_server *s, struct futc_words w);
bool futc_cmd_elemtype(struct futc_server *s, struct futc_words w);
bool futc_cmd_shape(struct futc_server *s, struct futc_words w);
bool futc_cmd_index(struct futc_server *s, struct futc_words w);
bool futc_cmd_set(struct futc_server *s, struct futc_words w);
bool futc_cmd_new_array(struct futc_server *s, struct futc_words w);
bool futc_cmd_zip(struct futc_server *s, struct futc_words w);
bool futc_cmd_unzip(struct futc_server *s, struct futc_words w);

#endif
