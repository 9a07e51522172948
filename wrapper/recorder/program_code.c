/* SPDX-License-Identifier: Apache-2.0 */
#include "program_code.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "line_walk.h"
#include "str.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#define LIST_LIMIT_BYTES (64u << 20)

int code_place_folder(const struct program_code *code, const char **folder, struct err *err)
{
	*folder = NULL;
	for (size_t i = 0; i < code->part_count; i++) {
		const char *other = code->parts[i].folder;

		if (*folder && other && strcmp(*folder, other) != 0)
			return err_set(err, ERR_UNSUPPORTED,
			               "linked of programs that include files and were compiled in "
			               "different folders");
		*folder = other ? other : *folder;
	}
	return 0;
}

/* Check the header whose path is the first `length` bytes of `line`. */
static int check_header(const char *line, size_t length, int64_t built_ns, struct err *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (length >= sizeof(path))
		return err_set(err, ERR_LIMIT, "the name of a header has %zu bytes", length);
	memcpy(path, line, length);
	path[length] = '\0';
	if (stat(path, &st) < 0 ||
	    (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec > built_ns)
		return err_set(err, ERR_UNSUPPORTED,
		               "the header %.300s has changed since the program was compiled",
		               path);
	return 0;
}

static int check_list(const struct str *list, int64_t built_ns, struct err *err)
{
	struct line_walk walk = line_walk_begin(list->text, list->length);
	struct line line;
	int rc = 0;

	while (rc == 0 && line_walk_next(&walk, &line))
		rc = check_header(line.text, line.length, built_ns, err);
	return rc;
}

int code_place_check(const struct program_code *code, const char *list, struct err *err)
{
	int64_t built_ns = INT64_MAX;
	bool is_kept = false;
	struct str paths;
	int rc;

	for (size_t i = 0; i < code->part_count; i++) {
		const struct code_part *part = &code->parts[i];

		if (!part->folder)
			continue;
		built_ns = part->built_ns < built_ns ? part->built_ns : built_ns;
		is_kept |= part->is_kept;
	}
	if (built_ns == INT64_MAX)
		return 0;
	if (access(list, R_OK) != 0)
		return is_kept ? err_set(err, ERR_UNSUPPORTED,
		                         "which headers the program includes "
		                         "is not known")
		               : 0;
	str_init(&paths, LIST_LIMIT_BYTES);
	rc = file_read(list, &paths, err);
	if (rc == 0)
		rc = check_list(&paths, built_ns, err);
	str_release(&paths);
	return rc;
}

#define REASON_BYTES 512

struct shared_text *shared_text_create(const void *bytes, size_t length)
{
	struct shared_text *t;

	if (length > SIZE_MAX - sizeof(*t) - 1)
		return NULL;
	t = malloc(sizeof(*t) + length + 1);
	if (!t)
		return NULL;
	atomic_init(&t->refs, 1);
	t->length = length;
	if (length)
		memcpy(t->bytes, bytes, length);
	t->bytes[length] = '\0';
	return t;
}

struct shared_text *shared_text_retain(struct shared_text *t)
{
	atomic_fetch_add(&t->refs, 1);
	return t;
}

void shared_text_release(struct shared_text *t)
{
	if (t && atomic_fetch_sub(&t->refs, 1) == 1)
		free(t);
}

/* Returns a code with `count` zeroed parts that the caller fills; they are freed with it. */
static struct program_code *program_code_create(const char *origin, const char *options,
                                                size_t count)
{
	struct program_code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	atomic_init(&code->refs, 1);
	code->origin = origin;
	code->options = str_copy(options ? options : "", NULL);
	code->parts = array_alloc(count, sizeof(*code->parts), "parts", NULL);
	code->part_count = code->parts ? count : 0;
	if (code->options && code->parts)
		return code;
	program_code_release(code);
	return NULL;
}

struct program_code *program_code_of(const char *origin, enum code_kind kind,
                                     struct shared_text *text)
{
	struct program_code *code = program_code_create(origin, "", 1);

	if (!code)
		return NULL;
	code->parts[0].kind = kind;
	code->parts[0].text = shared_text_retain(text);
	return code;
}

struct program_code *program_code_refused(const char *origin, const char *fmt, ...)
{
	struct program_code *code = program_code_create(origin, "", 0);
	char reason[REASON_BYTES];
	va_list args;

	if (!code)
		return NULL;
	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	code->refusal = str_copy(reason, NULL);
	if (code->refusal)
		return code;
	program_code_release(code);
	return NULL;
}

static bool copy_headers(struct code_part *to, const struct embedded_header *headers, size_t count)
{
	to->headers = array_alloc(count, sizeof(*to->headers), "headers", NULL);
	if (!to->headers)
		return false;
	for (size_t i = 0; i < count; i++) {
		to->headers[i].name = str_copy(headers[i].name, NULL);
		to->headers[i].text = shared_text_retain(headers[i].text);
		to->header_count++;
		if (!to->headers[i].name)
			return false;
	}
	return true;
}

static bool copy_part(struct code_part *to, const struct code_part *from)
{
	to->kind = from->kind;
	to->text = shared_text_retain(from->text);
	to->built_ns = from->built_ns;
	to->is_kept = from->is_kept;
	if (from->options)
		to->options = str_copy(from->options, NULL);
	if (from->folder)
		to->folder = str_copy(from->folder, NULL);
	return (!from->options || to->options) && (!from->folder || to->folder) &&
	       copy_headers(to, from->headers, from->header_count);
}

static bool copy_refusal(struct program_code *to, const struct program_code *from)
{
	if (from->refusal)
		to->refusal = str_copy(from->refusal, NULL);
	return !from->refusal || to->refusal;
}

/* Whether the part may read files: it includes something, or its options do. */
static bool reads_files(const struct code_part *part)
{
	if (part->kind != CODE_SOURCE)
		return false;
	return strstr(part->options, "-I") || strstr(part->options, "-include") ||
	       memmem(part->text->bytes, part->text->length, "include", 7);
}

/* Note where and when the part is compiled: this identifies the files that it reads. */
static bool note_place(struct code_part *part)
{
	struct timespec now;

	/* File times come from this clock or its last tick: they are never later. */
	clock_gettime(CLOCK_REALTIME, &now);
	part->built_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	part->folder = getcwd(NULL, 0);
	return part->folder;
}

/* Copy a part as compiled: with options and headers if it had none. */
static bool compile_part(struct code_part *to, const struct code_part *from, const char *options,
                         const struct embedded_header *headers, size_t header_count)
{
	if (from->options)
		return copy_part(to, from);
	to->kind = from->kind;
	to->text = shared_text_retain(from->text);
	to->options = str_copy(options ? options : "", NULL);
	return to->options && (!reads_files(to) || note_place(to)) &&
	       copy_headers(to, headers, header_count);
}

struct program_code *program_code_compile(const struct program_code *code, const char *options,
                                          const struct embedded_header *headers,
                                          size_t header_count)
{
	struct program_code *made = program_code_create(code->origin, options, code->part_count);
	bool is_good = made && copy_refusal(made, code);

	for (size_t i = 0; is_good && i < code->part_count; i++)
		is_good = compile_part(&made->parts[i], &code->parts[i], options, headers,
		                       header_count);
	if (is_good)
		return made;
	program_code_release(made);
	return NULL;
}

struct program_code *program_code_link(struct program_code *const *codes, size_t count,
                                       const char *options)
{
	struct program_code *made;
	size_t parts = 0, at = 0;
	bool is_good;

	for (size_t i = 0; i < count; i++) {
		if (!codes[i])
			return program_code_refused("linked", "linked of a program that the "
			                                      "recorder has not seen compiled");
		if (codes[i]->refusal)
			return program_code_refused("linked",
			                            "linked of several programs; one of them: %s",
			                            codes[i]->refusal);
		parts += codes[i]->part_count;
	}
	made = program_code_create("linked", options, parts);
	is_good = made;
	for (size_t i = 0; is_good && i < count; i++)
		for (size_t k = 0; is_good && k < codes[i]->part_count; k++)
			is_good = copy_part(&made->parts[at++], &codes[i]->parts[k]);
	if (is_good)
		return made;
	program_code_release(made);
	return NULL;
}

struct program_code *program_code_of_origin(const struct program_code *code, const char *origin)
{
	struct program_code *made = program_code_compile(code, code->options, NULL, 0);

	if (made)
		made->origin = origin;
	return made;
}

struct program_code *program_code_retain(struct program_code *code)
{
	atomic_fetch_add(&code->refs, 1);
	return code;
}

static void release_part(struct code_part *part)
{
	for (size_t i = 0; i < part->header_count; i++) {
		free(part->headers[i].name);
		shared_text_release(part->headers[i].text);
	}
	free(part->headers);
	free(part->options);
	free(part->folder);
	shared_text_release(part->text);
}

void program_code_release(struct program_code *code)
{
	if (!code || atomic_fetch_sub(&code->refs, 1) != 1)
		return;
	for (size_t i = 0; i < code->part_count; i++)
		release_part(&code->parts[i]);
	free(code->parts);
	free(code->options);
	free(code->refusal);
	free(code);
}

/* Magic and checksum; then numbers of 8 bytes, and strings as their length and their bytes. */

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

/* The bytes not read yet. */
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

/* A copy of a string without NULs. */
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

/* Read where and when a part was compiled; "" if it reads no files. */
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
