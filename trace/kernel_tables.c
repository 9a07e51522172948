/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "err.h"
#include "file.h"
#include "json_fields.h"
#include "kernel_table.h"
#include "kernel_table_json.h"
#include "kernel_table_limits.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define FILE_TYPE      "kernel tables"
#define FILE_VERSION   3
#define FILE_BYTES_MAX ((size_t)1 << 28)

int kernel_tables_write(const char *path, const struct kernel_table *tables, size_t count,
                        struct err *err)
{
	json_t *o = json_object(), *kernels = json_array();
	int bad = json_object_set_new(o, "type", json_string(FILE_TYPE)), ret;
	char *text = NULL;

	bad |= json_object_set_new(o, "version", json_integer(FILE_VERSION));
	for (size_t i = 0; i < count; i++)
		bad |= json_array_append_new(kernels, kernel_table_to_json(&tables[i]));
	bad |= json_object_set_new(o, "kernels", kernels);
	if (!bad)
		text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	if (!text)
		return err_set(err, ERR_NOMEM, "%s: out of memory for kernel tables", path);
	ret = file_write(path, text, strlen(text), err);
	free(text);
	return ret;
}

/* The tables in `value`, whole or not at all. */
static int read_tables(const json_t *value, struct kernel_table **tables, size_t *count,
                       struct err *err)
{
	struct json_fields f;
	const json_t *list;
	size_t filled = 0;
	char *type;

	json_fields_begin(&f, value, "kernel tables", err);
	type = json_fields_text(&f, "type");
	if (type && strcmp(type, FILE_TYPE) != 0)
		f.ret = err_set(err, ERR_FORMAT, "type is '%s', expected '%s'", type, FILE_TYPE);
	free(type);
	if (json_fields_u32(&f, "version", UINT32_MAX) != FILE_VERSION && !f.ret)
		f.ret = err_set(err, ERR_VERSION, "unknown version of kernel tables, expected %d",
		                FILE_VERSION);
	list = json_fields_list(&f, "kernels", KERNELS_MAX, count);
	*tables = f.ret ? NULL : array_alloc(*count, sizeof(**tables), "kernel tables", err);
	if (!*tables) {
		*count = 0;
		return f.ret ? f.ret : ERR_NOMEM;
	}
	while (filled < *count && !f.ret) {
		f.ret = kernel_table_from_json(&(*tables)[filled], json_array_get(list, filled),
		                               err);
		filled++;
	}
	if (!f.ret)
		return 0;
	while (filled-- > 0)
		kernel_table_release(&(*tables)[filled]);
	free(*tables);
	*tables = NULL;
	*count = 0;
	return f.ret;
}

int kernel_tables_read(const char *path, struct kernel_table **tables, size_t *count,
                       struct err *err)
{
	struct err inner = { 0 };
	json_error_t where;
	json_t *value = NULL;
	struct str text;
	int ret;

	*tables = NULL;
	*count = 0;
	str_init(&text, FILE_BYTES_MAX);
	ret = file_read(path, &text, err);
	if (ret)
		goto out;
	value = json_loadb(text.text, text.length, JSON_REJECT_DUPLICATES, &where);
	if (!value) {
		ret = err_set(err, ERR_FORMAT, "%s:%d: %s", path, where.line, where.text);
		goto out;
	}
	ret = read_tables(value, tables, count, &inner);
	if (ret)
		err_set(err, inner.code ? inner.code : ret, "%s: %s", path, inner.msg);
out:
	json_decref(value);
	str_release(&text);
	return ret;
}
