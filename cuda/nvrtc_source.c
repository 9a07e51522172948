/* SPDX-License-Identifier: Apache-2.0 */
#include "nvrtc_source.h"

#include "err.h"
#include "line_walk.h"
#include "str.h"

#include <stdbool.h>
#include <string.h>

#define LIMIT_BYTES (256u << 20)
#define DEPTH       32

/* The header that a line includes, or count. */
static size_t included(const char *line, size_t length, const struct nvrtc_headers *headers)
{
	const char *at = line + strspn(line, " \t"), *end = line + length;
	size_t name;

	if (at >= end || *at != '#')
		return headers->count;
	at++;
	at += strspn(at, " \t");
	if (strncmp(at, "include", 7) != 0)
		return headers->count;
	at += 7;
	at += strspn(at, " \t");
	if (at >= end || (*at != '"' && *at != '<'))
		return headers->count;
	name = strcspn(at + 1, "\">\n");
	for (size_t i = 0; i < headers->count; i++)
		if (headers->names[i] && headers->texts[i] && strlen(headers->names[i]) == name &&
		    !memcmp(headers->names[i], at + 1, name))
			return i;
	return headers->count;
}

char *nvrtc_source_expand(const char *source, const struct nvrtc_headers *headers, struct err *err)
{
	struct line_walk levels[DEPTH] = { line_walk_string(source) }; /* texts being put in */
	size_t depth = 1, header;
	struct line line;
	struct str out;
	int rc;

	str_init(&out, LIMIT_BYTES);
	rc = str_append(&out, "", 0, err);
	while (rc == 0 && depth) {
		if (!line_walk_next(&levels[depth - 1], &line)) {
			depth--;
			continue;
		}
		header = included(line.text, line.length, headers);
		if (header == headers->count)
			rc = str_append(&out, line.text, line.length, err);
		if (rc == 0)
			rc = str_append(&out, "\n", 1, err);
		if (header < headers->count && depth < DEPTH)
			levels[depth++] = line_walk_string(headers->texts[header]);
	}
	if (rc)
		str_release(&out);
	return str_take(&out);
}
