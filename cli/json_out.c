/* SPDX-License-Identifier: Apache-2.0 */
#include "json_out.h"

#include "err.h"
#include "out_file.h"

void json_out_value(struct json_out *out, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		out->is_bad = true;
}

void json_out_count(struct json_out *out, json_t *object, const char *key, uint64_t value)
{
	json_out_value(out, object, key, json_integer((json_int_t)value));
}

void json_out_text(struct json_out *out, json_t *object, const char *key, const char *text)
{
	json_t *value = text ? json_string(text) : json_null();

	/* Not UTF-8: keep what can be kept. */
	if (!value)
		value = json_string("?");
	json_out_value(out, object, key, value);
}

void json_out_real(struct json_out *out, json_t *object, const char *key, double value)
{
	json_out_value(out, object, key, json_real(value));
}

void json_out_bool(struct json_out *out, json_t *object, const char *key, bool value)
{
	json_out_value(out, object, key, json_boolean(value));
}

void json_out_append(struct json_out *out, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		out->is_bad = true;
}

json_t *json_out_size(struct json_out *out, const uint64_t size[3])
{
	json_t *array = json_array();

	for (int d = 0; d < 3; d++)
		json_out_append(out, array, json_integer((json_int_t)size[d]));
	return array;
}

static int write_to(json_t *root, const char *name, struct err *err)
{
	struct out_file file;
	int ret = out_file_open(&file, name, err);

	if (!ret) {
		json_dumpf(root, file.stream, JSON_OUT_FLAGS);
		fputc('\n', file.stream);
		ret = out_file_end(&file, err);
	}
	out_file_release(&file);
	return ret;
}

int json_out_write(struct json_out *out, json_t *root, const char *file, struct err *err)
{
	int ret = !out->is_bad && root ? write_to(root, file ? file : "-", err)
	                               : err_set(err, ERR_NOMEM, "out of memory for the JSON text");

	json_decref(root);
	return ret;
}
