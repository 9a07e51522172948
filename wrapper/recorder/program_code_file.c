/* SPDX-License-Identifier: Apache-2.0 */
/* Magic and checksum; then numbers of 8 bytes, and texts as their length and their bytes. */
#include "program_code_file.h"

#include "array.h"
#include "program_code.h"
#include "str.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#define CODE_MAGIC    0x3165646f63636c77u /* "wlccode1" */
#define HEAD_BYTES    16                  /* magic, checksum */
#define LIMIT_PARTS   4096
#define LIMIT_HEADERS (1u << 16)

static bool write_number(struct str *out, uint64_t number)
{
	return str_append(out, &number, sizeof(number), NULL) == 0;
}

static bool write_bytes(struct str *out, const char *bytes, size_t length)
{
	return write_number(out, length) && (!length || str_append(out, bytes, length, NULL) == 0);
}

static bool write_part(struct str *out, const struct code_part *part)
{
	const char *options = part->options ? part->options : "";
	const char *folder = part->folder ? part->folder : "";
	bool is_good = write_number(out, part->kind) &&
	               write_bytes(out, options, strlen(options)) &&
	               write_bytes(out, part->text->bytes, part->text->length) &&
	               write_bytes(out, folder, strlen(folder)) &&
	               write_number(out, (uint64_t)part->built_ns) &&
	               write_number(out, part->header_count);

	for (size_t i = 0; is_good && i < part->header_count; i++) {
		const struct embedded_header *h = &part->headers[i];

		is_good = write_bytes(out, h->name, strlen(h->name)) &&
		          write_bytes(out, h->text->bytes, h->text->length);
	}
	return is_good;
}

bool program_code_write(const struct program_code *code, struct str *out)
{
	size_t begin = out->length;
	uint64_t checksum;
	bool is_good = write_number(out, CODE_MAGIC) && write_number(out, 0) &&
	               write_bytes(out, code->options, strlen(code->options)) &&
	               write_number(out, code->part_count);

	for (size_t i = 0; is_good && i < code->part_count; i++)
		is_good = write_part(out, &code->parts[i]);
	if (!is_good)
		return false;
	begin += HEAD_BYTES;
	checksum = XXH64(out->text + begin, out->length - begin, 0);
	memcpy(out->text + begin - sizeof(checksum), &checksum, sizeof(checksum));
	return true;
}

/* What is left to be read. */
struct rest {
	const char *at;
	size_t length;
};

static bool read_number(struct rest *r, uint64_t limit, uint64_t *number)
{
	if (r->length < sizeof(*number))
		return false;
	memcpy(number, r->at, sizeof(*number));
	r->at += sizeof(*number);
	r->length -= sizeof(*number);
	return *number <= limit;
}

static bool read_bytes(struct rest *r, const char **bytes, size_t *length)
{
	uint64_t number;

	if (!read_number(r, SIZE_MAX, &number) || number > r->length)
		return false;
	*bytes = r->at;
	*length = (size_t)number;
	r->at += number;
	r->length -= (size_t)number;
	return true;
}

/* A copy of a text that has no NUL in it. */
static char *read_text(struct rest *r)
{
	const char *bytes;
	size_t length;

	if (!read_bytes(r, &bytes, &length) || memchr(bytes, '\0', length))
		return NULL;
	return strndup(bytes, length);
}

static struct shared_text *read_shared(struct rest *r)
{
	const char *bytes;
	size_t length;

	return read_bytes(r, &bytes, &length) ? shared_text_create(bytes, length) : NULL;
}

/* Where and when a part was compiled that reads files; "" of others. */
static bool read_place(struct rest *r, struct code_part *part)
{
	char *folder = read_text(r);
	uint64_t built_ns;

	if (folder && *folder)
		part->folder = folder;
	else
		free(folder);
	if (!folder || !read_number(r, INT64_MAX, &built_ns))
		return false;
	part->built_ns = (int64_t)built_ns;
	part->is_kept = true;
	return true;
}

static bool read_part(struct rest *r, struct code_part *part)
{
	uint64_t kind, count;

	if (!read_number(r, CODE_KINDS - 1, &kind))
		return false;
	part->kind = (enum code_kind)kind;
	part->options = read_text(r);
	part->text = part->options ? read_shared(r) : NULL;
	if (!part->text || !read_place(r, part) || !read_number(r, LIMIT_HEADERS, &count))
		return false;
	part->headers = array_alloc((size_t)count, sizeof(*part->headers), "headers", NULL);
	for (size_t i = 0; part->headers && i < count; i++) {
		struct embedded_header *h = &part->headers[part->header_count++];

		h->name = read_text(r);
		h->text = h->name ? read_shared(r) : NULL;
		if (!h->text)
			return false;
	}
	return part->headers;
}

static struct program_code *read_code(struct rest *r)
{
	struct program_code *code;
	char *options = read_text(r);
	uint64_t count;
	bool is_good;

	if (!options || !read_number(r, LIMIT_PARTS, &count)) {
		free(options);
		return NULL;
	}
	code = program_code_create("binary", options, (size_t)count);
	free(options);
	is_good = code;
	for (size_t i = 0; is_good && i < count; i++)
		is_good = read_part(r, &code->parts[i]);
	if (is_good && !r->length)
		return code;
	program_code_release(code);
	return NULL;
}

struct program_code *program_code_read(const char *bytes, size_t length)
{
	struct rest r = { bytes, length };
	uint64_t magic, checksum;

	if (!read_number(&r, UINT64_MAX, &magic) || magic != CODE_MAGIC ||
	    !read_number(&r, UINT64_MAX, &checksum) || XXH64(r.at, r.length, 0) != checksum)
		return NULL;
	return read_code(&r);
}
