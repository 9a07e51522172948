/*
 * source_facts - what the program's text says that IR does not: the expression
 * behind an access, the function around it, the arguments' types as declared (not of CUDA, whose
 * arguments are others than the text's).
 *
 * Read by libclang from the same text with the same options as the compiler
 * gets. Best effort: source that libclang cannot read gives no facts and no
 * error. Places are as in debug information: after #line, of a macro where it
 * is used.
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
 * Append the real paths of the headers that the text includes, each with a newline, to *out; the
 * compiler's own and embedded ones are left out. *is_known becomes false when they are not known,
 * and stays otherwise. Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int source_facts_headers(const struct source_facts *f, struct str *out, bool *is_known,
                         struct err *err);

/* Free. NULL is allowed. */
void source_facts_free(struct source_facts *f);

/*
 * What the access at a place reads or writes, as written: "B[index * width + column]"; of a
 * call of a builtin the whole call; of a macro its use. Blanks are single. NULL when not known.
 */
const char *source_facts_expression(const struct source_facts *f, const struct place *place,
                                    bool is_write);

/* The function whose definition a place lies in, or NULL. */
const char *source_facts_function(const struct source_facts *f, const struct place *place);

/* The declared type of argument `index` of a function, or NULL. */
const char *source_facts_type(const struct source_facts *f, const char *function, uint32_t index);

/*
 * Fill in each site's expression and function, and each argument's type, where they are known; ""
 * stays. Returns 0 or ERR_NOMEM.
 */
int source_facts_apply(const struct source_facts *f, struct kernel_table *table, struct err *err);

#endif
