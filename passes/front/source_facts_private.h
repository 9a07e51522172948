/*
 * source_facts_private - the facts as libclang's walk collects them; private to source_facts.c and
 * source_walk.c.
 */
#ifndef SOURCE_FACTS_PRIVATE_H
#define SOURCE_FACTS_PRIVATE_H

#include "array.h"
#include "str.h"

#include <stdbool.h>
#include <stdint.h>

/* A place in the source. `file` is a number: equal names have equal numbers. */
struct fact_place {
	uint32_t file;
	uint32_t line, column;
};

/* An expression that may be an access. */
struct fact_expression {
	struct fact_place place; /* its position in debug information */
	char *read, *write;      /* what is read and written there; NULL: nothing */
};

struct fact_function {
	struct fact_place place; /* its first line */
	uint32_t last_line;
	char *name;
	struct array types; /* char *, declared types of its arguments */
};

struct source_facts {
	struct array files;       /* char * */
	struct array expressions; /* struct fact_expression, sorted by place once read */
	struct array functions;   /* struct fact_function */
	const char *folder; /* settings->folder while reading; later only whether there is one */
	struct str headers; /* real paths, each with a newline */
	bool has_headers;   /* whether they are known */
	bool is_cuda;       /* arguments differ from the source's and already have types */
};

/* The number of a file name; a new one for a new name. UINT32_MAX when out of memory. */
uint32_t source_facts_file(struct source_facts *f, const char *name, struct err *err);

/*
 * Note an expression. Of several at one place, the longest string is kept. Copies its arguments;
 * read and write may be NULL. Returns 0, ERR_NOMEM or ERR_LIMIT.
 */
int source_facts_note(struct source_facts *f, const struct fact_place *place, const char *read,
                      const char *write, struct err *err);

/*
 * Parse `text` with `arguments` and note everything; `embedded` is the folder of embedded headers,
 * or NULL. Returns 0, even if libclang cannot parse it; ERR_NOMEM; ERR_LIMIT.
 */
int source_walk(struct source_facts *f, const char *const *arguments, int argument_count,
                const struct str *text, const char *embedded, struct err *err);

#endif
