/*
 * document - a JSON document (docs/json.md): what the heads of documents have alike, and long ones
 * that are written while they are made. Of these the outer objects and lists are open, what is in
 * them are values of json_out; the layout is that of json_out_write().
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "json_out.h"
#include "out_file.h"

struct gpu;
struct replay_options;

enum { DOCUMENT_DEPTH = 8 };

struct document {
	struct out_file file;
	struct json_out out;
	uint32_t depth;                 /* what is open */
	bool is_list[DOCUMENT_DEPTH];   /* of each whether it is a list, */
	bool has_items[DOCUMENT_DEPTH]; /* and not empty */
};

/* A new object with "schema": `schema`, "NAME/VERSION": docs/json/NAME.schema.json says what the
 * other fields are. The version changes when a field goes or changes its meaning. */
json_t *document_head(struct json_out *out, const char *schema);

/* Put the version of Warpline, the GPU with its L1, and these with the order of a replay. */
void document_put_version(struct json_out *out, json_t *object);
void document_put_gpu(struct json_out *out, json_t *object, const struct gpu *gpu);
void document_put_order(struct json_out *out, json_t *object, const struct gpu *gpu,
                        const struct replay_options *options);

/* Open a file (out_file.h) and begin with the outermost object. Release in every case. Returns 0 or
 * as out_file_open(). */
int document_open(struct document *d, const char *name, struct err *err);

/* Begin with the outermost object in d->file, which is open. */
void document_begin(struct document *d);

/* Open a list, an item of what is open; `key` is NULL in a list. */
void document_list(struct document *d, const char *key);

/* Write an item, which is taken over. */
void document_item(struct document *d, const char *key, json_t *value);

/* Write the items of an object, which is taken over. */
void document_items(struct document *d, json_t *object);

/* Close what was opened last; with the outermost object the text ends. */
void document_close(struct document *d);

/* Close the outermost object and put the file in its place. Returns 0, ERR_IO, or ERR_NOMEM when
 * there was no memory for something. */
int document_end(struct document *d, struct err *err);

/* Close; without document_end() as if nothing had been written. Accepts a zeroed struct. */
void document_release(struct document *d);

#endif
