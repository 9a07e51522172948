/* SPDX-License-Identifier: Apache-2.0 */
#include "json_out.h"

#include "err.h"
#include "json_fields.h"
#include "out_file.h"
#include "text.h"

#include <math.h>

void json_out_value(struct json_out *out, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		out->is_bad = true;
}

void json_out_count(struct json_out *out, json_t *object, const char *key, uint64_t value)
{
	json_out_value(out, object, key, json_integer((json_int_t)value));
}

void json_out_index(struct json_out *out, json_t *object, const char *key, int64_t value)
{
	json_out_value(out, object, key, value < 0 ? json_null() : json_integer(value));
}

void json_out_text(struct json_out *out, json_t *object, const char *key, const char *text)
{
	json_out_value(out, object, key, json_from_text(text));
}

void json_out_real(struct json_out *out, json_t *object, const char *key, double value)
{
	json_out_value(out, object, key, isfinite(value) ? json_real(value) : json_null());
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

void json_out_part(FILE *file, const char *text, size_t length)
{
	size_t done = 0;

	for (size_t i = 0; i < length; i++) {
		uint32_t code;
		size_t bytes = (unsigned char)text[i] < 0x7f
		                       ? 0
		                       : text_decode(text + i, length - i, &code);

		if (!bytes || !text_is_control(code))
			continue;
		fwrite(text + done, 1, i - done, file);
		fprintf(file, "\\u%04x", (unsigned)code);
		i += bytes - 1;
		done = i + 1;
	}
	fwrite(text + done, 1, length - done, file);
}

static int write_part(const char *text, size_t length, void *file)
{
	json_out_part(file, text, length);
	return 0;
}

static int write_to(json_t *root, const char *name, struct err *err)
{
	struct out_file file;
	int ret = out_file_open(&file, name, err);

	if (!ret) {
		if (json_dump_callback(root, write_part, file.stream, JSON_OUT_FLAGS))
			ret = err_set(err, ERR_NOMEM, "out of memory for the JSON text");
		fputc('\n', file.stream);
	}
	if (!ret)
		ret = out_file_end(&file, err);
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
