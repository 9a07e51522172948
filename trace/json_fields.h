/*
 * json_fields - reads members of a JSON object, checks their types and ranges, and describes faults
 * in a sentence.
 *
 * Errors are sticky: after the first failure `ret` is set, and every getter returns 0, false or
 * NULL, so that a struct can be filled first and `ret` checked once. Numbers of 64 bits are
 * JSON integers up to 2^53, or strings "0x..."; both are accepted everywhere.
 */
#ifndef JSON_FIELDS_H
#define JSON_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct json_fields {
	const json_t *object;
	const char *what; /* what the object is, for messages; borrowed */
	struct err *err;
	int ret; /* 0, or the ERR_* of the first failure */
};

/* Begin on `value`; when it is not an object, f->ret is ERR_FORMAT at once. */
void json_fields_begin(struct json_fields *f, const json_t *value, const char *what,
                       struct err *err);

uint64_t json_fields_u64(struct json_fields *f, const char *key, uint64_t max);
/* Returns the member, or 0 when it is absent. */
uint64_t json_fields_u64_or_0(struct json_fields *f, const char *key, uint64_t max);

uint32_t json_fields_u32(struct json_fields *f, const char *key, uint32_t max);
int64_t json_fields_i64(struct json_fields *f, const char *key, int64_t min, int64_t max);
bool json_fields_bool(struct json_fields *f, const char *key);

/* Returns a string that the caller frees, with visible control characters (str_visible()); _or_null
 * also returns NULL if the member is absent or null. */
char *json_fields_text(struct json_fields *f, const char *key);
char *json_fields_text_or_null(struct json_fields *f, const char *key);

/* Returns a list of at most `limit` values (borrowed) and their number; NULL and 0 after a failure.
 */
const json_t *json_fields_list(struct json_fields *f, const char *key, size_t limit, size_t *count);

/* Returns one value of a list as a number 0..max. */
uint64_t json_fields_item_u64(struct json_fields *f, const json_t *value, const char *key,
                              uint64_t max);

/* Return new references, or NULL when out of memory. In text that is not UTF-8 each bad byte is
 * replaced by U+FFFD. NULL text becomes null. Numbers above 2^53 become hexadecimal strings; those
 * of json_from_hex() always do. */
json_t *json_from_text(const char *text);
json_t *json_from_u64(uint64_t value);
json_t *json_from_hex(uint64_t value);

/* Return `value`, or, if a part of it could not be created (`bad`), release it and return NULL. */
json_t *json_finished(json_t *value, int bad);

#endif
