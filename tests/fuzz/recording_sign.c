/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_sign.h"

#include "file.h"
#include "fuzz.h"
#include "str.h"

#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { FILE_MAX_BYTES = 1 << 26, TRAILER_BYTES = 120, SUM_AT = 104, MAGIC_AT = 112 };

static void put(struct str *out, const void *bytes, size_t length)
{
	fuzz_assert(!str_append(out, bytes, length, NULL), "there is memory for a manifest");
}

/* The sum of a launch file is that of its trailer; 0: it has none. */
static uint64_t trailer_sum(const struct str *file)
{
	const char *trailer = file->text + file->length - TRAILER_BYTES;
	uint64_t sum = 0;

	if (file->length >= TRAILER_BYTES && !memcmp(trailer + MAGIC_AT, "WLTRAIL\n", 8))
		memcpy(&sum, trailer + SUM_AT, sizeof(sum));
	return sum;
}

static void set_sum(json_t *line, uint64_t sum)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, sum);
	json_object_set_new(line, "file_sum", json_string(text));
}

/* What the line says of its file, if it names one that is there. */
static void sign_file(const char *dir, json_t *line)
{
	const char *type = json_string_value(json_object_get(line, "type"));
	const char *name = json_string_value(json_object_get(line, "source_file"));
	struct str text;
	int fd;

	name = name ? name : json_string_value(json_object_get(line, "file"));
	fd = name ? file_open_below(dir, name, O_RDONLY, NULL) : -1;
	if (fd < 0)
		return;
	str_init(&text, FILE_MAX_BYTES);
	if (!file_read_open(fd, name, &text, NULL)) {
		bool is_launch = type && !strcmp(type, "fate");

		if (!is_launch)
			json_object_set_new(line, "file_bytes",
			                    json_integer((json_int_t)text.length));
		set_sum(line, is_launch ? trailer_sum(&text) : XXH64(text.text, text.length, 0));
	}
	str_release(&text);
	close(fd);
}

static void sign_line(const char *dir, const char *text, size_t length, struct str *out)
{
	static const char head[] = ",\"sum\":\"0x";
	json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	char *dumped = NULL, sum[64];

	if (json_is_object(line)) {
		json_object_del(line, "sum");
		sign_file(dir, line);
		dumped = json_dumps(line, JSON_COMPACT);
		text = dumped ? dumped : text;
		length = dumped ? strlen(dumped) : length;
	}
	if (length && text[length - 1] == '}') {
		length--;
		snprintf(sum, sizeof(sum), "%s%016" PRIx64 "\"}", head, XXH64(text, length, 0));
		put(out, text, length);
		put(out, sum, strlen(sum));
	} else {
		put(out, text, length);
	}
	put(out, "\n", 1);
	free(dumped);
	json_decref(line);
}

void recording_sign(const char *dir, const char *text, size_t length, struct str *out)
{
	const char *end = text + length, *newline;

	while ((newline = memchr(text, '\n', (size_t)(end - text)))) {
		sign_line(dir, text, (size_t)(newline - text), out);
		text = newline + 1;
	}
	put(out, text, (size_t)(end - text));
}

void recording_sign_in_place(const char *dir)
{
	char *path = file_path(dir, "manifest.jsonl", NULL);
	struct str text, signed_text;

	str_init(&text, FILE_MAX_BYTES);
	str_init(&signed_text, FILE_MAX_BYTES);
	fuzz_assert(path && !file_read(path, &text, NULL), "there is a manifest");
	recording_sign(dir, text.text, text.length, &signed_text);
	fuzz_assert(!file_write(path, signed_text.text, signed_text.length, NULL),
	            "a manifest can be written");
	str_release(&text);
	str_release(&signed_text);
	free(path);
}
