/*
 * json_stream - a JSON text that is written while it is made: its outer objects and lists are open,
 * what is in them are values of json_out. Its layout is that of json_out_write().
 */
#ifndef JSON_STREAM_H
#define JSON_STREAM_H

#include "json_out.h"

enum { JSON_STREAM_DEPTH = 8 };

struct json_stream {
	FILE *file; /* borrowed; who writes need not look for its errors */
	struct json_out *out;
	uint32_t depth;                    /* what is open */
	bool is_list[JSON_STREAM_DEPTH];   /* of each whether it is a list, */
	bool has_items[JSON_STREAM_DEPTH]; /* and not empty */
};

/* Begin with the outermost object. out->is_bad afterwards: memory ran out, the text is not whole.
 */
void json_stream_begin(struct json_stream *s, struct json_out *out, FILE *file);

/* Open a list, an item of what is open; `key` is NULL in a list. */
void json_stream_list(struct json_stream *s, const char *key);

/* Write an item, which is taken over. */
void json_stream_item(struct json_stream *s, const char *key, json_t *value);

/* Write the items of an object, which is taken over. */
void json_stream_items(struct json_stream *s, json_t *object);

/* Close what was opened last; with the outermost object the text ends. */
void json_stream_close(struct json_stream *s);

#endif
