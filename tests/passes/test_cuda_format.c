/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_format.h"

#include "err.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/* What a letter stands for: i 4 bytes, l 8, d a double, s a string, p a pointer. */
static const char letters[] = "ildsp";

static const struct {
	const char *cuda, *opencl, *arguments;
} formats[] = {
	{ "", "", "" },
	{ "plain\n", "plain\n", "" },
	{ "100%%", "100%%", "" },
	{ "%d %i %u %x %X %o %c", "%d %i %u %x %X %o %c", "iiiiiii" },
	{ "%ld %lu %lx", "%ld %lu %lx", "lll" },
	{ "%lld %llu %zu %jd %td %qd", "%ld %lu %lu %ld %ld %ld", "llllll" },
	{ "%hd %hhu", "%hd %hhu", "ii" },
	{ "%f %e %g %a %F %E %G %A %lf", "%f %e %g %a %F %E %G %A %f", "ddddddddd" },
	{ "%-8.3f|%+5d|% 04x|%#llx", "%-8.3f|%+5d|% 04x|%#lx", "diil" },
	{ "%s is at %p%%", "%s is at %p%%", "sp" },
};

static const struct {
	const char *cuda, *why;
} refused[] = {
	{ "%*d", "width" }, { "%.*f", "width" }, { "%n", "format" },  { "%y", "format" },
	{ "%", "format" },  { "%5", "format" },  { "%Lf", "format" }, { "ok %d %ll", "format" },
};

static void formats_are_put_in_terms_of_opencl(void **state)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct err err = { 0 };
		struct cuda_format f;
		const char *why;

		assert_int_equal(cuda_format_init(&f, formats[i].cuda, &why, &err), 0);
		assert_null(why);
		assert_string_equal(f.text.text, formats[i].opencl);
		assert_int_equal(f.count, strlen(formats[i].arguments));
		for (unsigned a = 0; a < f.count; a++)
			assert_int_equal(letters[f.arguments[a]], formats[i].arguments[a]);
		cuda_format_release(&f);
	}
}

static void what_opencl_cannot_print_is_refused(void **state)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct err err = { 0 };
		struct cuda_format f;
		const char *why;

		assert_int_equal(cuda_format_init(&f, refused[i].cuda, &why, &err), 0);
		assert_non_null(why);
		assert_non_null(strstr(why, refused[i].why));
		cuda_format_release(&f);
	}
}

static void arguments_have_their_bytes_in_the_buffer(void **state)
{
	assert_int_equal(cuda_printed_bytes(CUDA_PRINTED_INT), 4);
	assert_int_equal(cuda_printed_bytes(CUDA_PRINTED_LONG), 8);
	assert_int_equal(cuda_printed_bytes(CUDA_PRINTED_DOUBLE), 8);
	assert_int_equal(cuda_printed_bytes(CUDA_PRINTED_STRING), 8);
	assert_int_equal(cuda_printed_bytes(CUDA_PRINTED_POINTER), 8);
}

static void no_more_than_32_values_are_printed(void **state)
{
	char text[33 * 2 + 1] = "";
	struct err err = { 0 };
	struct cuda_format f;
	const char *why;

	for (size_t i = 0; i < 32; i++)
		memcpy(text + i * 2, "%d", 3);
	assert_int_equal(cuda_format_init(&f, text, &why, &err), 0);
	assert_null(why);
	assert_int_equal(f.count, 32);
	cuda_format_release(&f);
	memcpy(text + 64, "%d", 3);
	assert_int_equal(cuda_format_init(&f, text, &why, &err), 0);
	assert_non_null(why);
	cuda_format_release(&f);
}

static void what_is_too_long_is_an_error(void **state)
{
	size_t length = CUDA_FORMAT_LIMIT_BYTES + 1;
	char *text = malloc(length + 1);
	struct err err = { 0 };
	struct cuda_format f;
	const char *why;

	assert_non_null(text);
	memset(text, 'x', length);
	text[length] = 0;
	assert_int_equal(cuda_format_init(&f, text, &why, &err), ERR_LIMIT);
	cuda_format_release(&f);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_are_put_in_terms_of_opencl),
		cmocka_unit_test(what_opencl_cannot_print_is_refused),
		cmocka_unit_test(arguments_have_their_bytes_in_the_buffer),
		cmocka_unit_test(no_more_than_32_values_are_printed),
		cmocka_unit_test(what_is_too_long_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
