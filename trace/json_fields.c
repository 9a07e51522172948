/* SPDX-License-Identifier: Apache-2.0 */
#include "json_fields.h"

#include "err.h"
#include "str.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX (UINT64_C(1) << 53) /* integers up to here survive any JSON reader */

void json_fields_begin(struct json_fields *f, const json_t *value, const char *what,
                       struct err *err)
{
	*f = (struct json_fields){ .object = value, .what = what, .err = err };
	if (!json_is_object(value))
		f->ret = err_set(err, ERR_FORMAT, "%s: expected an object", what);
}

static const json_t *member(const struct json_fields *f, const char *key)
{
	return f->ret ? NULL : json_object_get(f->object, key);
}

/* Record the first failure of a getter. */
static void expect(struct json_fields *f, const char *key, const char *expected)
{
	if (!f->ret)
		f->ret = err_set(f->err, ERR_FORMAT, "%s: \"%s\": expected %s", f->what, key,
		                 expected);
}

/* Get a non-negative number in either form. Returns false if it is none. */
static bool number_of(const json_t *value, uint64_t *out)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value)) {
		*out = (uint64_t)json_integer_value(value);
		return json_integer_value(value) >= 0;
	}
	if (!text || strncmp(text, "0x", 2) != 0 || !text[2] || strlen(text) > 18 ||
	    text[2 + strspn(text + 2, "0123456789abcdef")])
		return false;
	*out = strtoull(text + 2, NULL, 16);
	return true;
}

uint64_t json_fields_item_u64(struct json_fields *f, const json_t *value, const char *key,
                              uint64_t max)
{
	uint64_t number;
	char expected[64];

	if (f->ret)
		return 0;
	if (number_of(value, &number) && number <= max)
		return number;
	snprintf(expected, sizeof(expected), "a number in 0..%" PRIu64, max);
	expect(f, key, expected);
	return 0;
}

uint64_t json_fields_u64(struct json_fields *f, const char *key, uint64_t max)
{
	return json_fields_item_u64(f, member(f, key), key, max);
}

uint64_t json_fields_u64_or_0(struct json_fields *f, const char *key, uint64_t max)
{
	return json_object_get(f->object, key) ? json_fields_u64(f, key, max) : 0;
}

uint32_t json_fields_u32(struct json_fields *f, const char *key, uint32_t max)
{
	return (uint32_t)json_fields_u64(f, key, max);
}

int64_t json_fields_i64(struct json_fields *f, const char *key, int64_t min, int64_t max)
{
	const json_t *value = member(f, key);
	int64_t number = (int64_t)json_integer_value(value);
	char expected[64];

	if (f->ret)
		return 0;
	if (json_is_integer(value) && number >= min && number <= max)
		return number;
	snprintf(expected, sizeof(expected), "an integer in %" PRId64 "..%" PRId64, min, max);
	expect(f, key, expected);
	return 0;
}

bool json_fields_bool(struct json_fields *f, const char *key)
{
	const json_t *value = member(f, key);

	if (!json_is_boolean(value))
		expect(f, key, "true or false");
	return json_is_true(value);
}

char *json_fields_text_or_null(struct json_fields *f, const char *key)
{
	const json_t *value = member(f, key);
	char *copy;

	if (!value || json_is_null(value))
		return NULL;
	if (!json_is_string(value)) {
		expect(f, key, "a string or null");
		return NULL;
	}
	copy = str_visible(json_string_value(value), f->err);
	if (!copy)
		f->ret = ERR_NOMEM;
	return copy;
}

char *json_fields_text(struct json_fields *f, const char *key)
{
	char *text = json_fields_text_or_null(f, key);

	if (!text)
		expect(f, key, "a string");
	return text;
}

const json_t *json_fields_list(struct json_fields *f, const char *key, size_t limit, size_t *count)
{
	const json_t *list = member(f, key);
	char expected[64];

	*count = 0;
	if (f->ret)
		return NULL;
	if (!json_is_array(list) || json_array_size(list) > limit) {
		snprintf(expected, sizeof(expected), "a list of at most %zu", limit);
		expect(f, key, expected);
		return NULL;
	}
	*count = json_array_size(list);
	return list;
}

static json_t *repaired(const char *text)
{
	struct str s;
	json_t *value;
	int ret = 0;

	str_init(&s, SIZE_MAX - 1);
	while (*text && !ret) {
		uint32_t code;
		size_t length = text_decode_string(text, &code);

		ret = length ? str_append(&s, text, length, NULL)
		             : str_append(&s, "\xef\xbf\xbd", 3, NULL);
		text += length ? length : 1;
	}
	value = ret ? NULL : json_string(s.text);
	str_release(&s);
	return value;
}

json_t *json_from_text(const char *text)
{
	json_t *value;

	if (!text)
		return json_null();
	value = json_string(text);
	return value ? value : repaired(text);
}

json_t *json_from_hex(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	return json_string(text);
}

json_t *json_from_u64(uint64_t value)
{
	return value <= EXACT_MAX ? json_integer((json_int_t)value) : json_from_hex(value);
}

json_t *json_finished(json_t *value, int bad)
{
	if (!bad)
		return value;
	json_decref(value);
	return NULL;
}
