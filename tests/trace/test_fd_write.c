/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "own_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A descriptor that takes three bytes at a time, is interrupted in between, and may be full. */
static char taken[64];
static size_t taken_bytes, room_bytes;
static int calls;

/* The linker puts it in the place of write(2). */
ssize_t short_write(int fd, const void *bytes, size_t length) __asm__("__wrap_write");

ssize_t short_write(int fd, const void *bytes, size_t length)
{
	size_t put = length < 3 ? length : 3;

	assert_int_equal(fd, 77);
	if (calls++ % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	if (taken_bytes + put > room_bytes) {
		errno = ENOSPC;
		return room_bytes ? -1 : 0;
	}
	memcpy(taken + taken_bytes, bytes, put);
	taken_bytes += put;
	return (ssize_t)put;
}

static void short_and_interrupted_writes_are_continued(void **state)
{
	static const struct {
		const char *text;
		size_t room;
		int ret;
		const char *says;
	} rows[] = {
		{ "", 64, 0, "" },
		{ "a", 64, 0, "" },
		{ "abcdefgh", 64, 0, "" },
		{ "abcdefgh", 8, 0, "" },
		{ "abcdefgh", 7, ERR_IO, "No space left on device" },
		{ "a", 0, ERR_IO, "nothing could be written" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		size_t length = strlen(rows[i].text);

		taken_bytes = 0;
		calls = 0;
		room_bytes = rows[i].room;
		assert_int_equal(fd_write(77, rows[i].text, length, &err), rows[i].ret);
		assert_string_equal(err.msg, rows[i].says);
		assert_memory_equal(taken, rows[i].text, taken_bytes);
		if (!rows[i].ret)
			assert_int_equal(taken_bytes, length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_and_interrupted_writes_are_continued),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
