/* SPDX-License-Identifier: Apache-2.0 */
#include "source_headers.h"

#include "source_facts_private.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct inclusions {
	struct source_facts *facts;
	const char *embedded;
	struct err *err;
	int ret;
};

const char *source_headers_name(const char *path, const char *embedded)
{
	size_t length = embedded ? strlen(embedded) : 0;

	if (!length || strncmp(path, embedded, length) != 0 || path[length] != '/')
		return path;
	return path + length + 1;
}

static bool is_ours(const char *path, const char *embedded)
{
	return source_headers_name(path, embedded) != path ||
	       strncmp(path, CLANG_HEADERS_DIR, strlen(CLANG_HEADERS_DIR)) == 0;
}

static void note_header(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct inclusions *in = data;
	CXString name = clang_getFileName(file);
	const char *text = clang_getCString(name);
	char *path = NULL;

	(void)stack;
	if (depth && !(text && is_ours(text, in->embedded))) {
		path = text ? realpath(text, NULL) : NULL;
		if (!path || strchr(path, '\n'))
			in->facts->has_headers = false;
		else if (!is_ours(path, in->embedded) && !in->ret)
			in->ret = str_printf(&in->facts->headers, in->err, "%s\n", path);
	}
	free(path);
	clang_disposeString(name);
}

int source_headers_read(struct source_facts *f, CXTranslationUnit unit, const char *embedded,
                        struct err *err)
{
	struct inclusions in = { f, embedded, err, 0 };

	f->has_headers = true;
	clang_getInclusions(unit, note_header, &in);
	return in.ret;
}
