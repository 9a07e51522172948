/*
 * source_facts - what the source shows and the IR does not: the expression of an access, the
 * function around it, the declared types of arguments (except for CUDA, whose arguments differ from
 * the source's).
 *
 * libclang reads the same source with the compiler's options. Best effort: source that libclang
 * cannot read yields no facts and no error. Places are as in debug information: after #line; for a
 * macro, where it is used.
 */
#ifndef SOURCE_FACTS_H
#define SOURCE_FACTS_H

#include "settings.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct kernel_table;
struct place;
struct source_facts;
struct str;

/*
 * Read the facts of settings->source into *out; free with source_facts_free(). Returns 0,
 * ERR_NOMEM or ERR_LIMIT.
 */
int source_facts_read(struct source_facts **out, const struct settings *settings, struct err *err);

/*
 * Append the real path of each header that the source includes, with a newline, to *out; the
 * compiler's own and embedded headers are left out. Sets *is_known to false when they are not
 * known, and otherwise leaves it. Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int source_facts_headers(const struct source_facts *f, struct str *out, bool *is_known,
                         struct err *err);

/* Free. NULL is allowed. */
void source_facts_free(struct source_facts *f);

/*
 * The source expression that the access at a place reads or writes: "B[index * width + column]";
 * for a built-in function the whole call; for a macro its use. White space is collapsed. NULL when
 * not known.
 */
const char *source_facts_expression(const struct source_facts *f, const struct place *place,
                                    bool is_write);

/* The function whose definition contains a place, or NULL. */
const char *source_facts_function(const struct source_facts *f, const struct place *place);

/* The declared type of argument `index` of a function, or NULL. */
const char *source_facts_type(const struct source_facts *f, const char *function, uint32_t index);

/*
 * Fill in each site's expression and function, and each argument's type, where they are known and
 * still "". Returns 0 or ERR_NOMEM.
 */
int source_facts_apply(const struct source_facts *f, struct kernel_table *table, struct err *err);

#endif
