/*
 * json_out - JSON objects built without checking every step.
 *
 * Functions accept NULL objects and values, as jansson does: a failed
 * allocation is reported at the end, when the document cannot be written.
 */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include "options.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The row of --json, the same for all commands, for settings of `type` with a const char *json. */
#define JSON_ROW(type)                                                                             \
	{ .name = "json",                                                                          \
	  .argument = "FILE",                                                                      \
	  .kind = OPTION_TEXT,                                                                     \
	  .is_output = true,                                                                       \
	  .offset = offsetof(type, json),                                                          \
	  .text = "write JSON (docs/json.md) to FILE; - for stdout, instead of the text" }

struct err;

/* jansson's flags for every document: indented, in insertion order, with enough digits to tell any
 * two shares of counters apart, and no more. */
#define JSON_OUT_FLAGS (JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(10))

/* An object or array being built; is_bad after a failed allocation. */
struct json_out {
	bool is_bad;
};

/* Append a member to `object`, which takes the value over. An index of -1 and a real that is not
 * finite are null. */
void json_out_count(struct json_out *out, json_t *object, const char *key, uint64_t value);
void json_out_index(struct json_out *out, json_t *object, const char *key, int64_t value);
void json_out_text(struct json_out *out, json_t *object, const char *key, const char *text);
void json_out_real(struct json_out *out, json_t *object, const char *key, double value);
void json_out_bool(struct json_out *out, json_t *object, const char *key, bool value);
void json_out_value(struct json_out *out, json_t *object, const char *key, json_t *value);

/* Append to an array, which takes `value`. */
void json_out_append(struct json_out *out, json_t *array, json_t *value);

/* [x,y,z] */
json_t *json_out_size(struct json_out *out, const uint64_t size[3]);

/* Write a part of a document that jansson made: control characters that it leaves unescaped (U+007F
 * to U+009F) are escaped. Callers need not check for write errors. */
void json_out_part(FILE *file, const char *text, size_t length);

/*
 * Write `root` (taken over) and a newline to `file` (out_file.h), "-" or NULL for stdout. In
 * insertion order. Returns 0, ERR_IO, or ERR_NOMEM if an allocation failed.
 */
int json_out_write(struct json_out *out, json_t *root, const char *file, struct err *err);

#endif
