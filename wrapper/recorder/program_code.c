/* SPDX-License-Identifier: Apache-2.0 */
#include "program_code.h"

#include "array.h"
#include "str.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

struct program_code *program_code_create(const char *origin, const char *options, size_t count)
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

/* Whether the part may read files: it includes something, or is told to by its options. */
static bool reads_files(const struct code_part *part)
{
	if (part->kind != CODE_SOURCE)
		return false;
	return strstr(part->options, "-I") || strstr(part->options, "-include") ||
	       memmem(part->text->bytes, part->text->length, "include", 7);
}

/* Where and when it is compiled, which says what the files are that it reads. */
static bool note_place(struct code_part *part)
{
	struct timespec now;

	/* Files have times of this clock, or of the last tick before: never later ones. */
	clock_gettime(CLOCK_REALTIME, &now);
	part->built_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	part->folder = getcwd(NULL, 0);
	return part->folder;
}

/* Compile a copy: give it options and headers if it has none. */
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
