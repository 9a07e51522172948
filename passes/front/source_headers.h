/*
 * source_headers - which headers a text includes, and what its places call those that came with it.
 */
#ifndef SOURCE_HEADERS_H
#define SOURCE_HEADERS_H

#include <clang-c/Index.h>

struct err;
struct source_facts;

/*
 * Fill f->headers and f->has_headers. `embedded` is the folder of the headers that the application
 * embedded, which are left out as the compiler's own are; NULL: none. Returns 0, ERR_LIMIT or
 * ERR_NOMEM.
 */
int source_headers_read(struct source_facts *f, CXTranslationUnit unit, const char *embedded,
                        struct err *err);

/* The name of a file within the folder, or as it is. */
const char *source_headers_name(const char *path, const char *embedded);

#endif
