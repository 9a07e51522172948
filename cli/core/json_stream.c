/* SPDX-License-Identifier: Apache-2.0 */
#include "json_stream.h"

#include <assert.h>
#include <string.h>

enum { INDENT = 2 };

static void begin_line(struct json_stream *s)
{
	fprintf(s->file, "\n%*s", (int)(INDENT * s->depth), "");
}

static void open_item(struct json_stream *s, bool is_list)
{
	assert(s->depth < JSON_STREAM_DEPTH);
	fputc(is_list ? '[' : '{', s->file);
	s->is_list[s->depth] = is_list;
	s->has_items[s->depth++] = false;
}

void json_stream_begin(struct json_stream *s, struct json_out *out, FILE *file)
{
	*s = (struct json_stream){ .file = file, .out = out };
	open_item(s, false);
}

/* What stands before an item. */
static void write_key(struct json_stream *s, const char *key)
{
	bool *has_items = &s->has_items[s->depth - 1];

	if (*has_items)
		fputc(',', s->file);
	*has_items = true;
	begin_line(s);
	if (key)
		fprintf(s->file, "\"%s\": ", key);
}

void json_stream_list(struct json_stream *s, const char *key)
{
	write_key(s, key);
	open_item(s, true);
}

/* jansson's text, each line of it further to the right. */
static int write_part(const char *text, size_t length, void *context)
{
	struct json_stream *s = context;

	while (length) {
		const char *end = memchr(text, '\n', length);
		size_t part = end ? (size_t)(end - text) : length;

		json_out_part(s->file, text, part);
		if (end) {
			begin_line(s);
			part++;
		}
		text += part;
		length -= part;
	}
	return 0;
}

void json_stream_item(struct json_stream *s, const char *key, json_t *value)
{
	write_key(s, key);
	if (json_dump_callback(value, write_part, s, JSON_OUT_FLAGS | JSON_ENCODE_ANY))
		s->out->is_bad = true;
	json_decref(value);
}

void json_stream_items(struct json_stream *s, json_t *object)
{
	const char *key;
	json_t *value;

	if (!object)
		s->out->is_bad = true;
	json_object_foreach(object, key, value) json_stream_item(s, key, json_incref(value));
	json_decref(object);
}

void json_stream_close(struct json_stream *s)
{
	bool has_items = s->has_items[--s->depth];

	if (has_items)
		begin_line(s);
	fputc(s->is_list[s->depth] ? ']' : '}', s->file);
	if (!s->depth)
		fputc('\n', s->file);
}
