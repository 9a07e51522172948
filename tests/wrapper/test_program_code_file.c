/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "program_code.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

static struct program_code *of_text(const char *text, const char *options,
                                    const struct embedded_header *headers, size_t count)
{
	struct shared_text *shared = shared_text_create(text, strlen(text));
	struct program_code *code = program_code_of("source", CODE_SOURCE, shared), *compiled;

	shared_text_release(shared);
	compiled = program_code_compile(code, options, headers, count);
	program_code_release(code);
	return compiled;
}

/* Two parts: one with headers and a NUL in its text, one that reads files. */
static struct program_code *two_parts(void)
{
	struct shared_text *h = shared_text_create("in\0side", 7);
	char name[] = "dir/h.h";
	const struct embedded_header headers[] = { { name, h }, { name, h } };
	struct program_code *codes[2] = { of_text("A", "-a", headers, 2),
		                          of_text("#include <x>", NULL, NULL, 0) };
	struct program_code *linked = program_code_link(codes, 2, "-l");

	shared_text_release(h);
	program_code_release(codes[0]);
	program_code_release(codes[1]);
	return linked;
}

static void expect_same(const struct program_code *a, const struct program_code *b)
{
	assert_string_equal(a->options, b->options);
	assert_int_equal(a->part_count, b->part_count);
	for (size_t i = 0; i < a->part_count; i++) {
		const struct code_part *x = &a->parts[i], *y = &b->parts[i];

		assert_int_equal(x->kind, y->kind);
		assert_string_equal(x->options, y->options);
		assert_int_equal(x->text->length, y->text->length);
		assert_memory_equal(x->text->bytes, y->text->bytes, x->text->length + 1);
		assert_int_equal(x->built_ns, y->built_ns);
		assert_int_equal(!x->folder, !y->folder);
		if (x->folder)
			assert_string_equal(x->folder, y->folder);
		assert_int_equal(x->header_count, y->header_count);
		for (size_t k = 0; k < x->header_count; k++) {
			assert_string_equal(x->headers[k].name, y->headers[k].name);
			assert_int_equal(x->headers[k].text->length, y->headers[k].text->length);
		}
	}
}

static void what_is_written_is_read(void **state)
{
	struct program_code *code = two_parts(), *read;
	struct str text;
	char here[4096];

	str_init(&text, 1 << 20);
	assert_true(program_code_write(code, &text));
	read = program_code_read(text.text, text.length);
	assert_non_null(read);
	expect_same(code, read);
	assert_string_equal(read->origin, "binary");
	assert_null(read->refusal);
	/* Only a part that includes something is bound to a place and a time. */
	assert_null(read->parts[0].folder);
	assert_string_equal(read->parts[1].folder, getcwd(here, sizeof(here)));
	assert_true(read->parts[1].built_ns > 0);
	assert_false(code->parts[1].is_kept);
	assert_true(read->parts[1].is_kept);
	program_code_release(read);
	program_code_release(code);
	str_release(&text);
}

static void damaged_bytes_are_no_code(void **state)
{
	struct program_code *code = two_parts();
	struct str text;

	str_init(&text, 1 << 20);
	assert_true(program_code_write(code, &text));
	for (size_t i = 0; i < text.length; i++)
		assert_null(program_code_read(text.text, i));
	for (size_t i = 0; i < text.length; i++) {
		text.text[i] ^= 0x41;
		assert_null(program_code_read(text.text, text.length));
		text.text[i] ^= 0x41;
	}
	assert_int_equal(str_append(&text, "", 1, NULL), 0);
	assert_null(program_code_read(text.text, text.length));
	program_code_release(code);
	str_release(&text);
}

/* Make the checksum behind the magic right. */
static void seal(struct str *text)
{
	uint64_t checksum = XXH64(text->text + 16, text->length - 16, 0);

	memcpy(text->text + 8, &checksum, sizeof(checksum));
}

/* A checksum can be right by intent: every number in the file is checked against what is left. */
static void hostile_numbers_are_no_code(void **state)
{
	struct program_code *code = two_parts();
	struct str text;

	str_init(&text, 1 << 20);
	assert_true(program_code_write(code, &text));
	for (size_t i = 16; i + 8 <= text.length; i++) {
		struct program_code *read;
		char kept[8];

		memcpy(kept, text.text + i, 8);
		memset(text.text + i, 0xff, 8);
		seal(&text);
		read = program_code_read(text.text, text.length);
		program_code_release(read); /* a text may have any bytes */
		memcpy(text.text + i, kept, 8);
	}
	seal(&text);
	program_code_release(code);
	code = program_code_read(text.text, text.length);
	assert_non_null(code);
	program_code_release(code);
	/* Nor is there anything behind it. */
	assert_int_equal(str_append(&text, "", 1, NULL), 0);
	seal(&text);
	assert_null(program_code_read(text.text, text.length));
	str_release(&text);
}

static void a_link_with_what_cannot_be_instrumented_cannot_be_either(void **state)
{
	struct program_code *codes[2] = { of_text("A", "", NULL, 0),
		                          program_code_refused("binary", "no %s", "source") };
	struct program_code *unknown[2] = { codes[0], NULL }, *linked;

	linked = program_code_link(codes, 2, NULL);
	assert_non_null(strstr(linked->refusal, "no source"));
	assert_int_equal(linked->part_count, 0);
	program_code_release(linked);
	linked = program_code_link(unknown, 2, NULL);
	assert_non_null(strstr(linked->refusal, "not seen compiled"));
	program_code_release(linked);
	program_code_release(codes[0]);
	program_code_release(codes[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(damaged_bytes_are_no_code),
		cmocka_unit_test(hostile_numbers_are_no_code),
		cmocka_unit_test(a_link_with_what_cannot_be_instrumented_cannot_be_either),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
