/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include "err.h"
#include "gpu.h"
#include "replay.h"

#include <assert.h>
#include <string.h>

enum { INDENT = 2 };

json_t *document_head(struct json_out *out, const char *schema)
{
	json_t *head = json_object();

	json_out_text(out, head, "schema", schema);
	return head;
}

void document_put_version(struct json_out *out, json_t *object)
{
	json_out_text(out, object, "warpline", WARPLINE_VERSION);
}

void document_put_gpu(struct json_out *out, json_t *object, const struct gpu *gpu)
{
	json_out_text(out, object, "gpu", gpu->name);
	json_out_text(out, object, "l1", *gpu->l1 ? gpu->l1 : NULL);
}

void document_put_order(struct json_out *out, json_t *object, const struct gpu *gpu,
                        const struct replay_options *options)
{
	char order[ISSUE_ORDER_BYTES], dispatch[DISPATCH_ORDER_BYTES];

	document_put_gpu(out, object, gpu);
	json_out_text(out, object, "schedule", issue_order_text(order, &options->order));
	json_out_text(out, object, "dispatch", dispatch_order_text(dispatch, &options->dispatch));
	json_out_count(out, object, "sm_count", gpu->sm_count);
	json_out_count(out, object, "sms_played", options->sms ? options->sms : gpu->sm_count);
}

static void begin_line(struct document *d)
{
	fprintf(d->file.stream, "\n%*s", (int)(INDENT * d->depth), "");
}

static void open_item(struct document *d, bool is_list)
{
	assert(d->depth < DOCUMENT_DEPTH);
	fputc(is_list ? '[' : '{', d->file.stream);
	d->is_list[d->depth] = is_list;
	d->has_items[d->depth++] = false;
}

int document_open(struct document *d, const char *name, struct err *err)
{
	int ret;

	*d = (struct document){ 0 };
	ret = out_file_open(&d->file, name, err);
	if (!ret)
		document_begin(d);
	return ret;
}

void document_begin(struct document *d)
{
	open_item(d, false);
}

/* Write what precedes an item. */
static void write_key(struct document *d, const char *key)
{
	bool *has_items = &d->has_items[d->depth - 1];

	if (*has_items)
		fputc(',', d->file.stream);
	*has_items = true;
	begin_line(d);
	if (key)
		fprintf(d->file.stream, "\"%s\": ", key);
}

void document_list(struct document *d, const char *key)
{
	write_key(d, key);
	open_item(d, true);
}

/* Write a part of jansson's text with each line indented. */
static int write_part(const char *text, size_t length, void *context)
{
	struct document *d = context;

	while (length) {
		const char *end = memchr(text, '\n', length);
		size_t part = end ? (size_t)(end - text) : length;

		json_out_part(d->file.stream, text, part);
		if (end) {
			begin_line(d);
			part++;
		}
		text += part;
		length -= part;
	}
	return 0;
}

void document_item(struct document *d, const char *key, json_t *value)
{
	write_key(d, key);
	if (json_dump_callback(value, write_part, d, JSON_OUT_FLAGS | JSON_ENCODE_ANY))
		d->out.is_bad = true;
	json_decref(value);
}

void document_items(struct document *d, json_t *object)
{
	const char *key;
	json_t *value;

	if (!object)
		d->out.is_bad = true;
	json_object_foreach(object, key, value) document_item(d, key, json_incref(value));
	json_decref(object);
}

void document_close(struct document *d)
{
	bool has_items = d->has_items[--d->depth];

	if (has_items)
		begin_line(d);
	fputc(d->is_list[d->depth] ? ']' : '}', d->file.stream);
	if (!d->depth)
		fputc('\n', d->file.stream);
}

int document_end(struct document *d, struct err *err)
{
	document_close(d);
	return d->out.is_bad ? err_set(err, ERR_NOMEM, "out of memory for the JSON text")
	                     : out_file_end(&d->file, err);
}

void document_release(struct document *d)
{
	out_file_release(&d->file);
}
