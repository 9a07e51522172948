/*
 * document - a JSON document (docs/json.md): the members that all heads share, and long documents
 * that are written piece by piece: outer objects and lists stay open, and items in them are values
 * of json_out.h. The layout is that of json_out_write().
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
	uint32_t depth;                 /* open objects and lists */
	bool is_list[DOCUMENT_DEPTH];   /* which of them are lists, */
	bool has_items[DOCUMENT_DEPTH]; /* and which are not empty */
};

/* A new object with "schema": `schema`, "NAME/VERSION": docs/json/NAME.schema.json describes the
 * other members. The version changes when a member goes or changes its meaning. */
json_t *document_head(struct json_out *out, const char *schema);

/* Put the version of Warpline; the GPU with its L1; and these two with the order of a replay. */
void document_put_version(struct json_out *out, json_t *object);
void document_put_gpu(struct json_out *out, json_t *object, const struct gpu *gpu);
void document_put_order(struct json_out *out, json_t *object, const struct gpu *gpu,
                        const struct replay_options *options);

/* Open a file (out_file.h) and begin the outermost object. Release in every case. Returns as
 * out_file_open(). */
int document_open(struct document *d, const char *name, struct err *err);

/* Begin the outermost object in d->file, which is open. */
void document_begin(struct document *d);

/* Open a list as an item of the current object or list; `key` is NULL in a list. */
void document_list(struct document *d, const char *key);

/* Write an item and release its reference. */
void document_item(struct document *d, const char *key, json_t *value);

/* Write the members of an object as items, and release its reference. */
void document_items(struct document *d, json_t *object);

/* Close the innermost open object or list; closing the outermost object ends the text. */
void document_close(struct document *d);

/* Close the outermost object and replace the target file. Returns 0, ERR_IO, or ERR_NOMEM if an
 * allocation failed at any time. */
int document_end(struct document *d, struct err *err);

/* Close; without document_end() as if nothing had been written. Accepts a zeroed struct. */
void document_release(struct document *d);

#endif
