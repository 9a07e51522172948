/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_loc.h"

#include "err.h"
#include "str.h"

#include <string.h>

#define PATH_MOST 65536 /* bytes; a longer one is no path */

static int read_place(struct ptx_scan *s, uint64_t *file, uint64_t *line, uint64_t *column)
{
	int ret = ptx_scan_integer(s, UINT32_MAX, file);

	if (!ret)
		ret = ptx_scan_integer(s, UINT32_MAX, line);
	return ret ? ret : ptx_scan_integer(s, UINT32_MAX, column);
}

/* $L__info_string0+4 */
static int read_function(struct ptx_scan *s, struct ptx_loc *loc)
{
	int ret = ptx_scan_name(s, &loc->function);

	if (!ret && ptx_scan_take(s, "+"))
		ret = ptx_scan_integer(s, UINT32_MAX, &loc->function_offset);
	return ret;
}

/* .loc 1 14 5, function_name $L__info_string0+4, inlined_at 1 20 3: the two in any order */
int ptx_loc_read(struct ptx_scan *s, struct ptx_loc *loc)
{
	int ret = read_place(s, &loc->file, &loc->line, &loc->column);

	while (!ret && ptx_scan_take(s, ",")) {
		if (ptx_scan_take(s, "function_name")) {
			ret = read_function(s, loc);
		} else if (ptx_scan_take(s, "inlined_at")) {
			loc->is_inlined = true;
			ret = read_place(s, &loc->at_file, &loc->at_line, &loc->at_column);
		} else {
			ret = ptx_scan_fail(s, ptx_scan_peek(s), "function_name or inlined_at");
		}
	}
	return ret;
}

/* The next token, when it is a string: what is between its quotes. */
static bool take_string(struct ptx_scan *s, struct ptx_word *string)
{
	if (ptx_scan_peek(s).kind != PTX_STRING)
		return false;
	*string = ptx_scan_word(s, ptx_scan_next(s));
	string->at++;
	string->length -= string->length > 1 && string->at[string->length - 2] == '"' ? 2 : 1;
	return true;
}

int ptx_file_read(struct ptx_scan *s, struct ptx_file *file)
{
	struct ptx_word second;
	int ret = ptx_scan_integer(s, UINT32_MAX, &file->number);

	if (!ret && !take_string(s, &file->name))
		ret = ptx_scan_fail(s, ptx_scan_peek(s), "the name of a file in quotes");
	if (!ret && take_string(s, &second)) {
		file->folder = file->name;
		file->name = second;
	}
	for (int i = 0; !ret && i < 2 && ptx_scan_take(s, ","); i++) /* time and size */
		ret = ptx_scan_integer(s, UINT64_MAX, &(uint64_t){ 0 });
	return ret;
}

int ptx_files_find(const struct ptx_scan *text, struct array *files)
{
	static const char directive[] = ".file";
	const char *begin = text->lexer.text, *end = begin + text->lexer.length, *at = begin;
	struct ptx_scan s = *text;
	int ret = 0;

	while (!ret && (at = memmem(at, (size_t)(end - at), directive, sizeof(directive) - 1))) {
		const char *line = at;
		struct ptx_file *file;

		at += sizeof(directive) - 1;
		while (line > begin && (line[-1] == ' ' || line[-1] == '\t'))
			line--;
		if (line > begin && line[-1] != '\n')
			continue;
		s.lexer.at = (size_t)(at - begin);
		file = array_push(files, 1, s.err);
		ret = file                   ? ptx_file_read(&s, file)
		      : s.err && s.err->code ? s.err->code
		                             : ERR_NOMEM;
	}
	return ret;
}

char *ptx_file_path(const struct ptx_file *file, struct err *err)
{
	size_t folder = file->folder.length, name = file->name.length;

	if (folder > PATH_MOST || name > PATH_MOST)
		folder = name = 0;
	return str_format(err, "%.*s%s%.*s", (int)folder, file->folder.at, folder ? "/" : "",
	                  (int)name, file->name.at);
}
