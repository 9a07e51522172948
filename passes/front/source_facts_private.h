/*
 * source_facts_private - the facts as libclang's walk leaves them; private to
 * source_facts.c and source_walk.c.
 */
#ifndef SOURCE_FACTS_PRIVATE_H
#define SOURCE_FACTS_PRIVATE_H

#include "array.h"
#include "str.h"

#include <stdbool.h>
#include <stdint.h>

/* A place of the program's text. `file` is one of the facts' own names: equal names, equal number.
 */
struct fact_place {
	uint32_t file;
	uint32_t line, column;
};

/* An expression that may be an access. */
struct fact_expression {
	struct fact_place place; /* where debug information puts it */
	char *read, *write;      /* what is read there, what is written; NULL: nothing */
};

struct fact_function {
	struct fact_place place; /* its first line */
	uint32_t last_line;
	char *name;
	struct array types; /* char *, of its arguments, as declared */
};

struct source_facts {
	struct array files;       /* char * */
	struct array expressions; /* struct fact_expression, once read in order of place */
	struct array functions;   /* struct fact_function */
	const char
		*folder; /* settings->folder, as long as they are read; then whether there is one */
	struct str headers; /* real paths, each with a newline */
	bool has_headers;   /* they are known */
	bool is_cuda;       /* arguments are not those of the text: they have types already */
};

/* The number of a file name; a new one for a name not seen yet. UINT32_MAX for want of memory. */
uint32_t source_facts_file(struct source_facts *f, const char *name, struct err *err);

/*
 * Note an expression. Of several at one place the longest text stays. Takes over nothing;
 * read and write may be NULL. Returns 0, ERR_NOMEM or ERR_LIMIT.
 */
int source_facts_note(struct source_facts *f, const struct fact_place *place, const char *read,
                      const char *write, struct err *err);

/*
 * Parse `text` with `arguments` and note everything; `embedded` is the folder of embedded headers,
 * or NULL. Returns 0, also when libclang can make nothing of it; ERR_NOMEM; ERR_LIMIT.
 */
int source_walk(struct source_facts *f, const char *const *arguments, int argument_count,
                const struct str *text, const char *embedded, struct err *err);

#endif
